"""Runs of HELM, written after its source (crfm-helm 0.5).

`PerInstanceStats` and `Stat` as `runner.py` and `metrics/statistic.py` write them (fields that are
None are left out), `DisplayPrediction` as `presentation/run_display.py` does; a run's folder is
called by its run spec's name, "/" replaced by "_".
"""

from __future__ import annotations

import json
from typing import Any

from core.data.tools.helm import read_run_name
from tests.core.data.tools.files_of import read

A, B = [1, 0, 1, 1, 0, 1], [1, 1, 0, 0, 0, 1]
GPT, LLAMA = "mmlu:subject=anatomy,model=openai_gpt2", "mmlu:subject=anatomy,model=meta_llama"
STATS = "per_instance_stats.json"


def stat(metric: str, value: float | None, split: str = "test", **more: Any) -> dict[str, Any]:
    """One `Stat` of a single value; without a mean where nothing was added."""
    found: dict[str, Any] = {"name": {"name": metric, "split": split, **more}}
    if value is None:
        return {**found, "count": 0, "sum": 0, "sum_squared": 0}
    own = {"min": value, "max": value, "mean": value, "variance": 0, "stddev": 0}
    return {**found, "count": 1, "sum": value, "sum_squared": value**2, **own}


def instance(name: str, *stats: dict[str, Any], trial: int = 0, **more: Any) -> dict[str, Any]:
    return {"instance_id": name, **more, "train_trial_index": trial, "stats": list(stats)}


def instances(scores: list[int], *, trials: int = 1) -> list[dict[str, Any]]:
    """Two metrics, each in an entry of its own, and what is about the work."""
    return [
        entry
        for trial in range(trials)
        for place, score in enumerate(scores)
        for entry in (
            instance(
                f"id{place}",
                stat("exact_match", float(score)),
                stat("num_prompt_tokens", 40 + place),
                trial=trial,
            ),
            instance(f"id{place}", stat("f1_score", score / 2 + trial / 4), trial=trial),
        )
    ]


def text(entries: Any) -> str:
    return json.dumps(entries, indent=2)


def of_two(a: Any, b: Any) -> dict[str, str | bytes]:
    return {f"{GPT}/{STATS}": text(a), f"{LLAMA}/{STATS}": text(b)}


def of_two_datasets() -> dict[str, str | bytes]:
    """One trial of the first dataset, two of the second."""
    longer = {
        f"imdb,model={model}/{STATS}": text(instances(own, trials=2))
        for model, own in (("openai_gpt2", A), ("meta_llama", B))
    }
    return of_two(instances(A), instances(B)) | longer


def test_each_dataset_s_own_trials_are_averaged_and_none_is_lost():
    results = read(of_two_datasets(), roles={"runs": "average"})
    assert set(results.datasets) == {"mmlu:subject=anatomy", "imdb"}
    # In the second trial every F1 score is a quarter higher.
    own = results.scores("imdb", "meta_llama", "f1_score").tolist()
    assert own == [score / 2 + 0.125 for score in B]
    assert results.scores("mmlu:subject=anatomy", "meta_llama", "f1_score").tolist() == [
        score / 2 for score in B
    ]
    assert results.reading.roles["runs"] == "average"
    again = read(of_two_datasets(), roles=dict(results.reading.roles))
    assert again.fingerprint == results.fingerprint


def test_a_run_name_has_a_scenario_a_model_and_settings():
    for name, parts in [
        ("gsm:model=openai_gpt-4o,stop=none", ("gsm", "openai_gpt-4o", "stop=none")),
        ("mmlu:subject=x,method=joint,model=m", ("mmlu:subject=x,method=joint", "m", "")),
        ("mmlu%3Asubject%3Dx%2Cmodel%3Dm", ("mmlu:subject=x", "m", "")),
        ("wiki:k=5,groups=a,b,model=m", ("wiki:k=5,groups=a,b", "m", "")),
        ("runs", ("runs", "", "")),
    ]:
        found = read_run_name(name)
        assert (found.dataset, found.model, found.settings) == parts, (name, parts)

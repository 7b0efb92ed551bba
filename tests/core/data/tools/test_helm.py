"""Runs of HELM, written after its source (crfm-helm 0.5).

`PerInstanceStats` and `Stat` as `runner.py` and `metrics/statistic.py` write them (fields that are
None are left out), `DisplayPrediction` as `presentation/run_display.py` does; a run's folder is
called by its run spec's name, "/" replaced by "_".
"""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import pytest

from core.data import ResultSet
from core.data.score_table import ScoreTable
from core.data.sources.given import SourceFile
from core.data.tools.helm import is_of
from core.data.tools.helm_names import read_run_name
from tests.core.data.tools.files_of import read, refused

A, B = [1, 0, 1, 1, 0, 1], [1, 1, 0, 0, 0, 1]
GPT, LLAMA = "mmlu:subject=anatomy,model=openai_gpt2", "mmlu:subject=anatomy,model=meta_llama"
TYPOS = {"name": "typos", "robustness": True, "fairness": False, "computed_on": "perturbed"}
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


def test_two_runs_are_compared_by_every_metric_that_is_no_bookkeeping():
    results = read(of_two(instances(A), instances(B)))
    assert isinstance(results, ResultSet)
    assert results.reading is not None
    assert results.datasets == ("mmlu:subject=anatomy",)
    assert results.systems == ("openai_gpt2", "meta_llama")
    assert list(results.scores(results.datasets[0], "openai_gpt2")) == A
    assert list(results.scores(results.datasets[0], "meta_llama", "f1_score")) == [
        score / 2 for score in B
    ]
    assert results.reading.roles["scores"] == ("exact_match", "f1_score")
    assert [(use.kind, use.used) for use in results.reading.files] == [
        ("HELM statistics of instances", True)
    ] * 2
    assert (
        results.reading.files[0].content == "6 answers on mmlu:subject=anatomy, model openai_gpt2"
    )
    assert [m.n_matched for m in results.reading.matched] == [6, 6]


def test_a_folder_of_runs_may_be_a_zip_archive():
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in of_two(instances(A), instances(B)).items():
            archive.writestr(f"benchmark_output/runs/v1/{name}", content)
    results = read({"runs.zip": packed.getvalue()})
    assert results.systems == ("openai_gpt2", "meta_llama")
    assert list(results.scores("mmlu:subject=anatomy", "meta_llama")) == B


def test_given_back_roles_read_the_same():
    perturbed = [instance(f"id{i}", stat("exact_match", 0.0), perturbation=TYPOS) for i in range(6)]
    files = of_two(instances(A, trials=2) + perturbed, instances(B, trials=2) + perturbed)
    first = read(files, roles={"runs": "average"})
    again = read(files, roles=dict(first.reading.roles))
    assert again.fingerprint == first.fingerprint
    assert dict(again.reading.roles) == dict(first.reading.roles)


def of_two_datasets() -> dict[str, str | bytes]:
    """One trial of the first dataset, two of the second."""
    longer = {
        f"imdb,model={model}/{STATS}": text(instances(own, trials=2))
        for model, own in (("openai_gpt2", A), ("meta_llama", B))
    }
    return of_two(instances(A), instances(B)) | longer


def test_datasets_with_different_trials_are_offered_the_average_of_each_one_s_own_first():
    error = refused(of_two_datasets())
    (problem,) = error.problems
    assert "1 of 'mmlu:subject=anatomy'; 2 of 'imdb'" in problem.what
    (choice,) = error.choices
    assert [value for value, _ in choice.options] == ["average", "only:0"]
    assert "incomplete" not in {one.role for one in error.choices}


def test_of_one_model_alone_no_trials_are_asked_for():
    of_one = {name: own for name, own in of_two_datasets().items() if "openai_gpt2" in name}
    error = refused(of_one)
    assert "of one system, 'openai_gpt2'" in error.problems[0].what
    assert error.choices == ()


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


def test_one_trial_that_every_dataset_has_can_be_chosen_and_no_other():
    results = read(of_two_datasets(), roles={"runs": "only:0"})
    assert results.scores("imdb", "meta_llama", "f1_score").tolist() == [score / 2 for score in B]
    error = refused(of_two_datasets(), roles={"runs": "only:1"})
    assert "Not every dataset has the trial '1'" in error.problems[0].what


def test_trials_are_runs_and_asked_about():
    files = of_two(instances(A, trials=2), instances(B, trials=2))
    error = refused(files)
    assert [choice.role for choice in error.choices] == ["runs"]
    averaged = read(files, roles={"runs": "average"})
    assert list(averaged.scores("mmlu:subject=anatomy", "openai_gpt2", "f1_score")) == [
        score / 2 + 0.125 for score in A
    ]
    second = read(files, roles={"runs": "only:1"})
    assert list(second.scores("mmlu:subject=anatomy", "openai_gpt2", "f1_score")) == [
        score / 2 + 0.25 for score in A
    ]


def test_perturbed_instances_are_left_aside_unless_they_are_chosen():
    def with_typos(scores: list[int]) -> list[dict[str, Any]]:
        changed = [
            instance(
                f"id{i}",
                stat("exact_match", 1.0 - s),
                stat("f1_score", 0.5),
                perturbation=TYPOS,
            )
            for i, s in enumerate(scores)
        ]
        return instances(scores) + changed

    files = of_two(with_typos(A), with_typos(B))
    results = read(files)
    assert list(results.scores("mmlu:subject=anatomy", "openai_gpt2")) == A
    assert results.reading.roles["filter"] == "unperturbed"
    assert any("Left aside: 12 answers" in remark for remark in results.reading.remarks)
    (choice,) = [c for c in results.reading.choices if c.role == "filter"]
    assert [value for value, _ in choice.options] == ["unperturbed", "typos"]
    changed = read(files, roles={"filter": "typos"})
    assert list(changed.scores("mmlu:subject=anatomy", "openai_gpt2")) == [1 - s for s in A]


def test_a_perturbation_that_one_model_lacks_cannot_be_chosen():
    changed = [instance("id0", stat("exact_match", 0.0), perturbation=TYPOS)]
    error = refused(of_two(instances(A) + changed, instances(B)), roles={"filter": "typos"})
    assert "The run of 'meta_llama' has no instances changed by typos." in str(error)
    assert [choice.role for choice in error.choices] == ["filter"]
    unknown = refused(of_two(instances(A) + changed, instances(B)), roles={"filter": "dialect"})
    assert "There are no instances changed by 'dialect'" in str(unknown)


def test_several_splits_are_several_datasets():
    def of_splits(scores: list[int]) -> list[dict[str, Any]]:
        splits = ["valid", "test"] * 3
        return [
            instance(f"id{i}", stat("exact_match", float(s), split))
            for i, (s, split) in enumerate(zip(scores, splits, strict=True))
        ]

    results = read(of_two(of_splits(A), of_splits(B)))
    assert results.datasets == ("mmlu:subject=anatomy (test)", "mmlu:subject=anatomy (valid)")
    assert list(results.scores("mmlu:subject=anatomy (valid)", "openai_gpt2")) == A[::2]


def test_a_statistic_without_a_value_is_missing_and_asked_about():
    lacking = [instance("id0", stat("exact_match", None)), *instances(A)[2:]]
    error = refused(of_two(lacking, instances(B)), roles={"measure": "only:exact_match"})
    assert "There is no score." in str(error)
    assert "incomplete" in [choice.role for choice in error.choices]


def test_predictions_are_read_where_there_are_no_statistics():
    def predictions(scores: list[int]) -> str:
        return text(
            [
                {
                    "instance_id": f"id{i}",
                    "train_trial_index": 0,
                    "predicted_text": "\u001b[0m",
                    "stats": {"exact_match": float(s)},
                }
                for i, s in enumerate(scores)
            ]
        )

    files: dict[str, str | bytes] = {
        "gsm:model=a/display_predictions.json": predictions(A),
        "gsm:model=b,stop=none/display_predictions.json": predictions(B),
        "gsm:model=b,stop=none/scenario.json": '{"name": "gsm"}',
    }
    results = read(files)
    assert (results.datasets, results.systems) == (("gsm",), ("a", "b"))
    assert list(results.scores("gsm", "b")) == B
    assert any("'b' on 'gsm': stop=none" in remark for remark in results.reading.remarks)
    assert [(use.kind, use.used) for use in results.reading.files] == [
        ("HELM predictions", True),
        ("HELM predictions", True),
        ("HELM", False),
    ]
    both = {
        **files,
        f"gsm:model=a/{STATS}": text(instances(A)),
        f"gsm:model=b,stop=none/{STATS}": text(instances(B)),
    }
    aside = [use for use in read(both).reading.files if use.kind == "HELM predictions"]
    assert all("per_instance_stats.json beside it" in use.reason for use in aside)
    assert not any(use.used for use in aside)


def test_averages_alone_are_one_score_for_each_dataset_and_system():
    def means(value: float) -> str:
        return text(
            [
                stat("exact_match", value),
                stat("exact_match", 0.1, perturbation={**TYPOS, "computed_on": "worst"}),
                stat("exact_match", 0.2, sub_split="toxic"),
                stat("num_bytes", 12.0),
            ]
        )

    files: dict[str, str | bytes] = {
        f"{scenario}:model={model}/stats.json": means(value)
        for scenario, model, value in (
            ("gsm", "a", 0.5),
            ("gsm", "b", 0.25),
            ("mmlu", "a", 0.75),
            ("mmlu", "b", 0.625),
        )
    }
    table = read(files)
    assert isinstance(table, ScoreTable)
    assert table.reading is not None
    assert (table.datasets, table.systems, table.metric) == (
        ("gsm", "mmlu"),
        ("a", "b"),
        "exact_match",
    )
    assert list(table.scores("b")) == [0.25, 0.625]
    # Statistics that compare perturbed instances with the others are no perturbation to choose.
    assert not table.reading.choices


def test_the_run_specification_names_a_run_in_any_folder():
    spec = {"name": "gsm:model=a", "scenario_spec": {"class_name": "x"}, "adapter_spec": {}}
    files: dict[str, str | bytes] = {
        f"first/{STATS}": text(instances(A)),
        "first/run_spec.json": text(spec),
        f"second/{STATS}": text(instances(B)),
        "second/run_spec.json": text({**spec, "name": "gsm:model=b"}),
    }
    results = read(files)
    assert (results.datasets, results.systems) == (("gsm",), ("a", "b"))


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("gsm:model=openai_gpt-4o,stop=none", ("gsm", "openai_gpt-4o", "stop=none")),
        ("mmlu:subject=x,method=joint,model=m", ("mmlu:subject=x,method=joint", "m", "")),
        ("mmlu%3Asubject%3Dx%2Cmodel%3Dm", ("mmlu:subject=x", "m", "")),
        ("wiki:k=5,groups=a,b,model=m", ("wiki:k=5,groups=a,b", "m", "")),
        ("runs", ("runs", "", "")),
    ],
)
def test_a_run_name_has_a_scenario_a_model_and_settings(name, parts):
    found = read_run_name(name)
    assert (found.dataset, found.model, found.settings) == parts


def test_two_runs_of_one_model_are_told_apart_by_their_settings():
    files: dict[str, str | bytes] = {
        f"gsm:model=m,temperature=0/{STATS}": text(instances(A)),
        f"gsm:model=m,temperature=1/{STATS}": text(instances(B)),
    }
    assert read(files).systems == ("m (temperature=0)", "m (temperature=1)")


def test_every_broken_file_is_named_with_its_line():
    cut = text(instances(A))[:500]
    error = refused({f"gsm:model=a/{STATS}": cut, f"gsm:model=b/{STATS}": '[{"instance_id": "a"}]'})
    first, second = error.problems
    assert (first.file, first.line) == (f"gsm:model=a/{STATS}", cut.count("\n") + 1)
    assert "no JSON from here on" in first.what
    assert (second.file, second.line) == (f"gsm:model=b/{STATS}", 1)


def test_two_values_of_one_instance_are_refused():
    twice = [*instances(A), instance("id3", stat("exact_match", 0.0))]
    error = refused(of_two(twice, instances(B)))
    (problem,) = error.problems
    assert "'exact_match' of the instance 'id3' has two values" in problem.what


def test_other_json_is_not_taken_for_helm():
    for name, content in {
        "stats.json": b'[{"name": "x", "score": 1}]',
        "run_spec.json": b'{"name": "x"}',
        "data.json": b'[{"instance_id": "a", "A": 1, "B": 0}]',
        "instances.json": b"[1, 2]",
    }.items():
        assert not is_of(SourceFile(name=name, content=content), content)


COPYRIGHT = "copyright:datatag=pilot"


def of_metric(metric: str, scenario: str = COPYRIGHT) -> Any:
    return read(
        {
            f"{scenario},model={model}/{STATS}": text(
                [instance(f"id{i}", stat(metric, value)) for i, value in enumerate(own)]
            )
            for model, own in (("a", [0.5, 2.0, 1.5]), ("b", [1.5, 2.5, 0.25]))
        }
    )


@pytest.mark.parametrize(
    "metric",
    [
        "absolute_value_difference",
        "longest_common_prefix_length",
        "edit_similarity",
        "bbq_metric_ambiguous_bias",
        "bias_metric:mode=representation,demographic_category=race",
        "nsfw_frac",
        "nsfw_frac_given_toxic_prompt=True",
        "toxic_prompt_openai",
        "expected_lpips_score",
        "watermark_frac",
        "demographic_parity_difference",
        "decodingtrust_privacy_leakage_rate",
        "chinese_wer_score",
    ],
)
def test_lower_is_better_where_helm_s_schemas_say_so(metric):
    results = of_metric(metric)
    assert results.reading.roles["higher_is_better"] is False
    assert "Nothing says" not in " ".join(results.reading.remarks)


@pytest.mark.parametrize("metric", ["edit_distance", "wip_score", "fid_similarity", "exact_match"])
def test_higher_is_better_where_helm_s_schemas_say_so_whatever_the_name_says(metric):
    results = of_metric(metric)
    assert results.reading.roles["higher_is_better"] is True
    assert "Nothing says" not in " ".join(results.reading.remarks)


def test_the_same_name_is_better_higher_for_pictures_and_both_together_are_refused():
    pictures = "image2latex:subset=equation"
    assert of_metric("edit_similarity", pictures).reading.roles["higher_is_better"] is True
    error = refused(
        {
            f"{scenario},model={model}/{STATS}": text(
                [instance("id1", stat("edit_similarity", 0.5))]
            )
            for scenario in (COPYRIGHT, pictures)
            for model in "ab"
        }
    )
    (problem,) = error.problems
    assert "higher is better on 'image2latex:subset=equation', and lower on" in problem.what


def test_a_metric_of_which_no_schema_says_the_direction_is_named():
    results = of_metric("self_made_rating")
    (said,) = [one for one in results.reading.remarks if one.startswith("Nothing says")]
    assert "'self_made_rating'" in said
    assert "read as higher is better; change it under How this was read" in said
    assert results.reading.roles["higher_is_better"] is True


@pytest.mark.parametrize(
    "name",
    ["max_num_output_tokens", "num_requests", "num_prompt_characters", "denoised_runtime"],
)
def test_what_is_about_the_work_is_no_metric(name):
    own = [instance("id1", stat("exact_match", 1.0), stat(name, 3.0))]
    assert read(of_two(own, own)).metrics == ("exact_match",)


def asked(*texts: str) -> str:
    """HELM's `instances.json`: the instances that the run was on."""
    return text(
        [
            {
                "input": {"text": one},
                "references": [{"output": {"text": "yes"}, "tags": ["correct"]}],
                "split": "test",
                "id": f"id{i}",
            }
            for i, one in enumerate(texts)
        ]
    )


def test_instances_of_other_texts_under_the_same_ids_are_refused():
    files = of_two(instances(A), instances(B))
    questions = [f"question {i}" for i in range(6)]
    same = {f"{run}/instances.json": asked(*questions) for run in (GPT, LLAMA)}
    results = read({**files, **same})
    assert "Nothing shows" not in " ".join(results.reading.remarks)
    assert ("HELM instances", True) in {(use.kind, use.used) for use in results.reading.files}
    other = {f"{LLAMA}/instances.json": asked(*questions[:5], "another")}
    (problem,) = refused({**files, **same, **other}).problems
    assert "saw different data: one example with the same id is not the same, 'id5'" in problem.what


@pytest.mark.parametrize("beside", [{}, {f"{GPT}/instances.json": asked("question 0")}])
def test_without_texts_of_all_it_is_said_that_nothing_shows_the_same_data(beside):
    results = read({**of_two(instances(A), instances(B)), **beside})
    said = [one for one in results.reading.remarks if one.startswith("Nothing shows whether")]
    assert len(said) == 1
    assert "'mmlu:subject=anatomy'" in said[0]


def test_broken_instances_are_named_by_their_file():
    beside = {f"{GPT}/instances.json": asked("question 0")[:-20]}
    (problem,) = refused({**of_two(instances(A), instances(B)), **beside}).problems
    assert problem.file == f"{GPT}/instances.json"

"""A model card and a record of Every Eval Ever, read back by the readers of these formats."""

from __future__ import annotations

import io
import json
import re

import numpy as np
import pytest
from scipy import stats

from core.analysis import Analysis, AnalysisSettings, analyse
from core.data import PValueTable, ResultSet, ScoreTable, read_results, read_sample
from core.errors import DataError
from core.export import hub
from core.export.hub import every_eval_ever, model_card
from core.methods.results import methods_paragraphs
from core.sections.marked import MarkedTable, marked_table


def sample(key: str) -> PValueTable | ResultSet:
    found, content = read_sample(key)
    data = read_results(content, name=found.file_name, roles={"alternative": found.alternative})
    assert isinstance(data, PValueTable | ResultSet)
    return data


def read_back(texts: dict[str, str]) -> ScoreTable:
    files = []
    for name, text in texts.items():
        file = io.BytesIO(text.encode())
        file.name = name
        files.append(file)
    data = read_results(files)
    assert isinstance(data, ScoreTable)
    return data


def test_both_systems_cards_and_records_are_read_back_as_their_scores() -> None:
    for key in ("parsing-redshift", "simulated-accuracy"):
        data = sample(key)
        sides = [analyse(data, AnalysisSettings(swapped=swapped)) for swapped in (False, True)]
        texts = {f"{i}/README.md": model_card(side) for i, side in enumerate(sides)}
        made = [texts]
        if isinstance(data, ResultSet):
            records = [every_eval_ever(side, timestamp=i) for i, side in enumerate(sides)]
            made.append({f"{i}.json": text for i, text in enumerate(records)})
        table = sides[0].table
        for one in made:
            back = read_back(one)
            assert set(back.datasets) == set(table.datasets), key
            for system, scores in (
                (table.system_a, table.scores_a),
                (table.system_b, table.scores_b),
            ):
                found = dict(zip(back.datasets, back.scores(system), strict=True))
                assert scores is not None
                for dataset, score in zip(table.datasets, scores, strict=True):
                    assert found[dataset] == pytest.approx(score, abs=1e-12), (key, dataset)


def test_a_card_says_the_verdict_with_its_condition_and_a_record_the_standard_errors() -> None:
    analysis = analyse(sample("simulated-accuracy"), AnalysisSettings(dependence="independent"))
    text = model_card(analysis)
    assert "**With 95% confidence, ours is better than baseline on at least 3 of 10" in text
    assert "if the datasets are independent (Fisher)" in text
    assert len(re.findall(r"^\| sim-task-", text, flags=re.MULTILINE)) == 10
    record = json.loads(every_eval_ever(analysis, timestamp=7))
    data = analysis.data
    assert isinstance(data, ResultSet)
    for result in record["evaluation_results"]:
        scores = data.scores(result["evaluation_name"], "ours")
        uncertainty = result["score_details"]["uncertainty"]
        assert uncertainty["standard_error"]["value"] == pytest.approx(stats.sem(scores))
        assert uncertainty["num_samples"] == scores.size
        # Every value of these details is a text, as the schema asks.
        assert all(isinstance(v, str) for v in result["score_details"]["details"].values())
    marks = [r["score_details"]["details"]["mark"] for r in record["evaluation_results"]]
    assert marks.count("★ named") == 2


def labelled() -> ResultSet:
    rng = np.random.default_rng(5)
    gold = {f"d{k}": list(rng.choice(["x", "y"], 40)) for k in range(4)}
    return ResultSet.from_predictions(
        gold,
        {
            dataset: {
                name: [g if rng.random() < right else "y" for g in labels]
                for name, right in (("A", 0.9), ("B", 0.6))
            }
            for dataset, labels in gold.items()
        },
    )


@pytest.mark.parametrize(
    ("metric", "range_of"), [("macro-F1", (0.0, 1.0)), ("MCC", (-1.0, 1.0)), ("F2", (0.0, 1.0))]
)
def test_a_record_has_the_range_of_metrics_of_labels_and_of_every_f(
    metric: str, range_of: tuple[float, float]
) -> None:
    data = labelled()
    if metric == "F2":
        counts = np.random.default_rng(6).integers(0, 5, (3, 30, 2, 3)).astype(float)
        data = ResultSet(
            datasets=("d0", "d1", "d2"),
            systems=("A", "B"),
            values={metric: tuple(counts)},
            higher_is_better={metric: True},
            kinds={metric: "f2"},
        )
    analysis = analyse(data, AnalysisSettings(metric=metric, n_resamples=99))
    record = json.loads(every_eval_ever(analysis, timestamp=1))
    results = record["evaluation_results"]
    assert len(results) == analysis.table.n_datasets
    for result in results:
        config = result["metric_config"]
        assert (config["min_score"], config["max_score"]) == range_of
    words = f"The metric was {metric}, computed from sums over the examples"
    assert words in "\n".join(methods_paragraphs(analysis))


def test_names_are_found_once_for_all_datasets_of_a_record(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    def counted(analysis: Analysis) -> MarkedTable:
        made.append(analysis)
        return marked_table(analysis)

    monkeypatch.setattr(hub, "marked_table", counted)
    every_eval_ever(analyse(sample("simulated-accuracy")), timestamp=1)
    assert len(made) == 1


def test_what_a_format_cannot_hold_is_refused_and_names_are_no_markup() -> None:
    with pytest.raises(DataError, match="a published table"):
        every_eval_ever(analyse(sample("parsing-redshift")), timestamp=1)
    scores = np.random.default_rng(1).normal(size=(2, 30))
    name = '"\n---\n# <b>x'
    free = ResultSet.from_scores({name: {name: scores[0], "B": scores[1]}})
    with pytest.raises(DataError, match="lowest and highest possible score"):
        every_eval_ever(analyse(free), timestamp=1)
    header, _, body = model_card(analyse(free)).removeprefix("---\n").partition("\n---\n")
    assert json.loads(header.split("- name: ")[1].split("\n")[0]) == name
    # The command stands in a block of code, where nothing is markup.
    prose = re.sub(r"^ {4}.*$", "", body, flags=re.MULTILINE)
    assert prose.count("\\<b\\>") == prose.count("b\\>") > 0
    assert not re.search(r"^# ", body, flags=re.MULTILINE)

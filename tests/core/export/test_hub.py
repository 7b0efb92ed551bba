"""A model card and a record of Every Eval Ever, read back by the readers of these formats."""

import json
import re

import numpy as np
import pytest
from scipy import stats

from core.analysis import Analysis, AnalysisSettings, Origin, analyse
from core.data import PValueTable, ResultSet, ScoreTable
from core.errors import DataError
from core.export import hub
from core.export.hub import every_eval_ever, model_card
from core.methods.results import methods_paragraphs
from core.sections.marked import MarkedTable, marked_table
from tests.core.data.tools.files_of import read
from tests.core.export.samples_of_analyses import of_sample
from tests.core.made import set_of


def sample(key: str) -> PValueTable | ResultSet:
    return of_sample(key).data


def read_back(texts: dict[str, str]) -> ScoreTable:
    data = read(texts)
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


def test_cards_of_any_names_and_sizes_of_scores_are_read_back_by_this_and_other_programs() -> None:
    names = (
        'say "a"',
        'say "b"',
        "back\\slash",
        "it's # 1",
        "\x85next",
        "\U0001f469\u200d\U0001f4bb",
    )
    data = ResultSet.from_scores(
        {name: {'S "1"': np.full(9, 1e-5 * i), "T": np.ones(9)} for i, name in enumerate(names)}
    )
    cards = [model_card(analyse(data, AnalysisSettings(swapped=bool(i)))) for i in (0, 1)]
    back = read_back({f"{i}/README.md": card for i, card in enumerate(cards)})
    assert set(back.datasets) == set(names)
    assert sorted(back.scores('S "1"')) == pytest.approx([1e-5 * i for i in range(len(names))])
    # YAML takes a pair of halves for two characters, and a number without a point for a text.
    assert "\\ud" not in cards[0]
    assert "value: 1.0e-05\n" in cards[0]


def test_a_card_and_a_record_say_which_score_is_better_and_what_weakens_the_verdict() -> None:
    scores = np.random.default_rng(2).integers(0, 2, (2, 3, 40)).astype(float)
    data = ResultSet.from_scores(
        {f"d{i}": {"A": scores[0, i], "B": scores[1, i]} for i in range(3)},
        metric="error",
        higher_is_better=False,
    )
    named = Origin(title="x\u202ey.csv")
    analysis = analyse(data, AnalysisSettings(excluded=("d1",)), origin=named)
    card = model_card(analysis)
    assert "\u202e" not in card
    assert "a lower score is read as better" in card
    record = json.loads(every_eval_ever(analysis, timestamp=1))
    said = record["source_metadata"]["additional_details"]["verdict"]
    for text in (card, said):
        assert "You left out d1." in text
    one = model_card(analyse(data, AnalysisSettings(excluded=("d1", "d2"))))
    assert one.count("No evidence at") == 1


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
    assert marks.count("★ significant") == 2


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
        data = set_of("f2", *counts, metric=metric, datasets=("d0", "d1", "d2"))
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

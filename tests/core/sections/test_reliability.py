"""On which datasets a verdict depends on a choice: metric and test, covariate, level, size, run, other datasets."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from core.data import ResultSet, read_results
from core.data.layouts.complete_rows import PASSED_OVER
from core.reliability.across_domains import counted_wins
from core.reliability.levels import level_study
from core.reliability.pairs import metric_study
from core.reliability.repeated_runs import run_to_run
from core.reliability.sample_size import subsample_significance
from core.sections.parts import Table
from core.sections.reliability import LookedAt, choices_looked_at, choices_sentence, within_reach
from core.sections.runs import bins_with, domains_frame, domains_sentence
from core.sections.sizes import dataset_sentence, power_of_stated, sizes_parts
from tests.core.made import cut_off_study
from tests.core.words.made import outcomes

# Of 12 wins to 5 losses the exact p is .0717, mid-p .0481.
DATA = ResultSet.from_scores(
    {"clear": outcomes(60, 5), "hangs": outcomes(12, 5), "level": outcomes(20, 20)}
)


def test_datasets_left_out_elsewhere_are_counted_nowhere_and_named_by_no_study() -> None:
    asked: dict[str, Any] = {"a": "A", "b": "B"}
    study = metric_study(DATA, **asked, tests=["mcnemar", "mcnemar-mid-p"])
    kept = study.only(("clear", "level"))
    assert kept is not None
    assert kept.datasets == ("clear", "level")
    assert kept.complete
    assert kept.family.n_pairs == 4
    assert study.only(()) is None
    half = {name: ["one", "other"] * 100 for name in DATA.datasets}
    levels = level_study(DATA, **asked, covariate=half, name="half").only(("clear", "level"))
    assert levels is not None
    assert levels.complete
    assert "hangs" not in repr((kept, levels))


def test_a_bootstrap_that_says_nothing_contradicts_no_other_test() -> None:
    scores = {"d": {"A": [0.5] * 12, "B": [0.1] * 12}}
    found = metric_study(
        ResultSet.from_scores(scores), a="A", b="B", tests=["paired-bootstrap", "sign"]
    )
    assert any(pair.kept_out for pair in found.pairs)
    assert within_reach(found).datasets_that_differ == ()
    assert "The verdict is the same by each" in choices_sentence(found)


def test_a_covariate_counts_where_the_difference_depends_on_it_and_runs_where_pairs_disagree():
    rng = np.random.default_rng(1)
    length = np.tile(np.arange(1.0, 41.0), 5)

    def along(shift: np.ndarray) -> object:
        return cut_off_study(
            rng.normal(shift, 1.0),
            np.zeros(length.size),
            length,
            n_random=99,
            name="length",
        )

    planted = along(np.where(length <= 20, 2.0, 0.0))
    # Small parts of a weak, even difference have p above .05: that alone is no dependence.
    weak = along(np.full(length.size, 0.3))
    base = rng.normal(0.0, 1.0, 80)
    a = np.column_stack([base + shift + rng.normal(0.0, 0.5, 80) for shift in (0.6, -0.5)])
    b = np.column_stack([base + rng.normal(0.0, 0.5, 80) for _ in range(2)])
    runs = run_to_run(a, b, test="paired-t", n_resamples=99)
    looked_at = LookedAt(cut_offs={"clear": planted, "level": weak}, runs={"hangs": runs})  # type: ignore[dict-item]
    found = {own.name: own.depending for own in choices_looked_at(looked_at, DATA.datasets)}
    assert found == {"length": ("clear",), "run": ("hangs",)}


def test_levels_count_where_one_test_of_all_levels_has_the_difference_depend_on_them() -> None:
    level = level_study(
        ResultSet.from_scores({"even": outcomes(30, 8), "apart": outcomes(30, 0, 60)}),
        a="A",
        b="B",
        covariate={
            # The same mix on both: the smaller one has p above .05 for its size alone.
            "even": ["small" if i % 10 == 0 else "large" for i in range(200)],
            "apart": ["large"] * 30 + ["small"] * 30,
        },
        name="genre",
    )
    assert level.datasets_that_differ == ("even", "apart")
    (found,) = choices_looked_at(LookedAt(levels=level), ("even", "apart"))
    assert found.depending == level.datasets_that_depend == ("apart",)


def test_the_table_holds_the_share_of_parts_below_the_level_and_the_p_value_of_the_whole() -> None:
    # One-sided p of 15 wins to 6 losses: .0392.
    scores = {"strong": outcomes(60, 5), "fragile": outcomes(15, 6), "level": outcomes(20, 20)}
    study = subsample_significance(
        ResultSet.from_scores(scores), a="A", b="B", n_subsamples=200, rng=3
    )
    (table,) = (part.frame for part in sizes_parts(study) if isinstance(part, Table))
    frame = table.set_index("dataset")

    def cell(dataset: str, heading: str) -> str:
        return str(frame.loc[dataset, heading])

    for own in study.datasets:
        for point, heading in zip(own.points[:-1], ("10%", "25%", "50%", "75%"), strict=True):
            share = 100.0 * np.mean(point.p_values <= 0.05)
            assert float(cell(own.dataset, heading).rstrip("%")) == pytest.approx(share)
    exact = stats.binomtest(15, 21, alternative="greater").pvalue
    assert cell("fragile", "p of the whole") == f"★ {exact:.4f}".replace("0.", ".")
    assert cell("level", "p of the whole").startswith("–")
    assert cell("fragile", "depends on size") == "needs nearly all"


def test_parts_that_are_resampled_though_the_whole_is_exact_are_said_to_be() -> None:
    rng = np.random.default_rng(4)
    for decimals, resampled in ((1, False), (4, True)):
        scores = {system: rng.random(600).round(decimals) for system in ("A", "B")}
        found = subsample_significance(
            ResultSet.from_scores({"d": scores}), a="A", b="B", n_subsamples=20, n_resamples=99
        )
        (own,) = found.datasets
        assert (own.full.test, own.full.method) == ("approximate-randomization", "exact")
        assert any(point.method == "monte-carlo" for point in own.points) == resampled
        assert ("estimated from resamples" in dataset_sentence(own)) == resampled


def test_the_power_is_that_of_the_noncentral_t_distribution_at_the_stated_difference() -> None:
    rng = np.random.default_rng(1)
    scores = {"d": {"A": rng.normal(1.0, 2.0, 50), "B": rng.normal(0.0, 2.0, 50)}}
    found = subsample_significance(
        ResultSet.from_scores(scores), a="A", b="B", test="paired-t", n_subsamples=10
    )
    (own,) = found.datasets
    assert own.standard_deviation is not None
    sentence, expected = power_of_stated(own, 0.7)
    shift = 0.7 / own.standard_deviation * np.sqrt(50)
    power = stats.nct.sf(stats.t.isf(0.05, 49), 49, shift)
    assert f"with probability {100 * power:.0f}%" in sentence
    assert expected.stated.effect == 0.7


def test_wins_that_hold_are_counted_up_to_the_level_itself() -> None:
    # One pair of systems on three datasets; A wins on the first with p = .045, loses on the third.
    p_values, winners = np.array([[0.045, 0.2, 0.1]]), np.array([[1.0, 1.0, -1.0]])
    found = counted_wins(("x", "y", "z"), (0.0, *bins_with(0.05)), p_values, winners)
    assert "50% of 2" in domains_sentence(found, alpha=0.05)
    frame = domains_frame(found)
    assert list(frame["p on one dataset"]) == [".04 < p ≤ .05"]
    low, high = stats.binomtest(1, 2).proportion_ci()
    assert frame["95% interval"][0] == f"{100 * low:.0f}% to {100 * high:.0f}%"


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("dataset,example,ours,base,length", "d,{i},{x},{y},{odd}"),
        ("dataset,example,system,score,length", "d,{i},ours,{x},{i}\nd,{i},base,{y},{other}"),
    ],
)
def test_why_a_column_describes_no_examples_is_found_among_the_remarks(
    header: str, row: str
) -> None:
    rows = [
        row.format(i=i, x=i % 3 // 2, y=i % 4 // 3, odd="long" if i == 4 else i, other=i + (i == 4))
        for i in range(12)
    ]
    data = read_results("\n".join([header, *rows]).encode(), name="a.csv")
    assert isinstance(data, ResultSet)
    (said,) = (remark for remark in data.reading.remarks if PASSED_OVER in remark)
    assert said.startswith("'length' is not read")

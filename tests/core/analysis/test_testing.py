"""Tests as an analysis plans, runs and extends them."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core.analysis import AnalysisSettings, analyse, plan_of, run_plan
from core.analysis.settings import known_settings
from core.analysis.statements import extensions, lead, unsettled_of, unsettled_statements
from core.analysis.testing import countable, done_of, extends, plan_in_words, plan_reached
from core.data import PValueTable, ResultSet, read_results
from core.data.side_data import ExampleClusters
from core.errors import DataError, Problem
from core.replicability.counting import count_datasets
from core.significance.plan import Given, problems_of
from core.significance.run import p_value_ends, run_dataset_tests, table_of
from core.significance.settings import dataset_stream
from core.significance.single import run_significance_test


def near_the_level(seed: int = 5) -> ResultSet:
    """Real-valued scores, so that tests resample; some p-values lie near .05."""
    rng = np.random.default_rng(seed)
    shifts = {"none": 0.0, "little": 0.17, "some": 0.19, "much": 0.8}
    return ResultSet.from_scores(
        {
            name: {"a": rng.normal(size=90) + shift, "b": rng.normal(size=90)}
            for name, shift in shifts.items()
        }
    )


BOOTSTRAP = AnalysisSettings(test="approximate-randomization", n_resamples=199, seed=3)


def test_an_extended_plan_gives_the_numbers_of_one_run_with_as_many_resamples() -> None:
    data = near_the_level()
    plan = plan_of(data, BOOTSTRAP)
    further = replace(plan, extended=(("little", 999), ("some", 1999)))
    earlier = run_plan(data, plan)
    step_by_step = run_plan(data, further, done=earlier)
    at_once = run_plan(data, further)
    assert step_by_step.p_values.tolist() == at_once.p_values.tolist()
    assert [r and r.n_resamples for r in step_by_step.results or ()] == [199, 999, 1999, 199]
    assert [r and r.signature for r in step_by_step.results or ()] == [
        r and r.signature for r in at_once.results or ()
    ]


def test_without_a_word_the_library_runs_what_an_analysis_runs() -> None:
    data = near_the_level()
    test: str = "paired-bootstrap"
    table = run_plan(data, plan_of(data, AnalysisSettings(test=test)))
    assert in_full(run_dataset_tests(data, a="a", b="b", test=test)) == in_full(table)
    for dataset, result in zip(table.datasets, table.results or (), strict=True):
        scores = (data.scores(dataset, system) for system in ("a", "b"))
        alone = run_significance_test(*scores, test=test, rng=dataset_stream(0, dataset, test))
        assert alone.n_resamples == result.n_resamples
        assert alone.p_value == result.p_value


def test_the_scores_of_each_dataset_are_checked_once_before_its_test_runs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked_at: list[str] = []

    def watched(given: Given, test: str, margin: float) -> list[Problem]:
        looked_at.append(given.dataset)
        return problems_of(given, test, margin)

    monkeypatch.setattr("core.significance.plan.problems_of", watched)
    data = near_the_level()
    run_plan(data, plan_of(data, BOOTSTRAP))
    assert looked_at == list(data.datasets)


def test_a_plan_extends_only_one_that_asked_for_no_more() -> None:
    plan = plan_of(near_the_level(), BOOTSTRAP)
    one = replace(plan, extended=(("little", 999),))
    two = replace(plan, extended=(("little", 1999), ("some", 999)))
    assert extends(one, plan)
    assert extends(two, one)
    assert not extends(one, two)
    assert not extends(replace(one, seed=4), plan)


def test_a_stopped_extension_asks_for_what_was_reached() -> None:
    data = near_the_level()
    plan = plan_of(data, BOOTSTRAP)
    earlier = run_plan(data, plan)
    asked = replace(plan, extended=(("little", 999), ("some", 1999)))
    stopped = run_plan(data, asked, done=earlier, on_progress=lambda done, _: done < 1)
    assert len(done_of(asked, stopped)) == 3
    assert plan_reached(asked, stopped) == replace(plan, extended=(("little", 999),))
    assert len(done_of(asked, run_plan(data, asked))) == 4


def in_full(table: PValueTable) -> list[str]:
    return [f"{row.signature} {row!r}" if row else "" for row in table.results or ()]


@pytest.mark.parametrize("n_threads", [1, 2])
def test_a_stopped_run_goes_on_where_it_stood_to_the_numbers_of_an_unbroken_one(
    n_threads: int,
) -> None:
    data = near_the_level()
    plan = replace(plan_of(data, BOOTSTRAP), extended=(("much", 999),))
    unbroken = run_plan(data, plan)
    part = run_plan(data, plan, on_progress=lambda done, _: done < 1)
    assert part.datasets == ("none",)
    told: list[tuple[int, int]] = []
    shown: list[PValueTable] = []
    for _ in range(3):
        assert not part.complete

        def one_more(done: int, total: int) -> bool:
            told.append((done, total))
            return done < 1

        part = run_plan(
            data,
            plan,
            done=part,
            n_threads=n_threads,
            on_progress=one_more,
            on_result=shown.append,
        )
        assert len(done_of(plan, shown[-1])) == len(part.datasets)
        if part.complete:
            break
    # What was done was not run again, and stays in sight.
    assert max(total for _, total in told) == 3
    assert all(table.datasets[0] == "none" for table in shown)
    assert part.complete
    assert part.datasets == unbroken.datasets
    assert part.p_values.tolist() == unbroken.p_values.tolist()
    assert in_full(part) == in_full(unbroken)


def test_a_run_that_goes_on_and_is_stopped_at_once_keeps_what_was_done() -> None:
    data = near_the_level()
    plan = plan_of(data, BOOTSTRAP)
    part = run_plan(data, plan, on_progress=lambda done, _: done < 2)
    assert run_plan(data, plan, done=part, on_progress=lambda *_: False) is part
    whole = run_plan(data, plan, done=part)
    assert run_plan(data, plan, done=whole, on_progress=lambda *_: False) is whole


def test_what_goes_on_keeps_the_order_of_the_datasets_and_leaves_out_those_skipped() -> None:
    data = near_the_level()
    plan = replace(plan_of(data, BOOTSTRAP), skipped=("little",))
    whole = run_plan(data, plan)
    (_, _, last) = whole.results or ()
    only_last = table_of(("much",), [last], a="a", b="b", complete=False)
    found = run_plan(data, plan, done=only_last)
    assert found.datasets == ("none", "some", "much")
    assert in_full(found) == in_full(whole)


def test_what_is_not_settled_is_told_and_settles_with_more_resamples() -> None:
    data = near_the_level()
    analysis = analyse(data, BOOTSTRAP)
    question = analysis.questions[0]
    found = unsettled_of(analysis, question)
    assert not found.settled
    sentences = unsettled_statements(analysis, question)
    assert any("Monte Carlo interval of p contains .05" in sentence for sentence in sentences)
    settings = BOOTSTRAP
    for _ in range(3):
        due = extensions(analysis, question, most=400_000)
        settings = replace(
            settings, extended=tuple({**dict(settings.extended), **dict(due)}.items())
        )
        analysis = analyse(data, settings)
        question = analysis.questions[0]
    assert unsettled_statements(analysis, question) == ()


def test_extensions_end_at_the_most_resamples_allowed() -> None:
    analysis = analyse(near_the_level(), BOOTSTRAP)
    question = analysis.questions[0]
    assert {n for _, n in extensions(analysis, question, most=1500)} == {1500}
    assert extensions(analysis, question, most=199) == ()


def test_clusters_are_resampled_whole_unless_taken_apart() -> None:
    rng = np.random.default_rng(1)
    codes = np.repeat(np.arange(12), 8).astype(np.int32)
    scores = {"a": rng.normal(size=96) + rng.normal(size=12)[codes], "b": rng.normal(size=96)}
    bare = ResultSet.from_scores({"d": scores})
    data = replace(bare, clusters=ExampleClusters(column="document", codes=(codes,)))
    whole = analyse(data, AnalysisSettings())
    apart = analyse(data, AnalysisSettings(whole_clusters=False))
    assert [r and (r.test, r.n_clusters) for r in whole.table.results or ()] == [
        ("approximate-randomization", 12)
    ]
    assert [r and (r.test, r.n_clusters) for r in apart.table.results or ()] == [("paired-t", None)]
    assert "clusters taken apart" in plan_in_words(plan_of(data, apart.settings))


def test_untested_datasets_count_as_p_1_and_stay_there() -> None:
    data = near_the_level()
    part = run_plan(data, plan_of(data, BOOTSTRAP), on_progress=lambda done, _: done < 2)
    table = countable(part, data.datasets)
    assert not table.complete
    low, high = p_value_ends(table)
    for p_values in (table.p_values, low, high):
        assert p_values.tolist()[2:] == [1.0, 1.0]
    assert (low[:2] < high[:2]).all()


def test_settings_that_the_data_do_not_have_are_told_and_left_at_the_usual() -> None:
    data = near_the_level()
    asked = AnalysisSettings(pair=(3, 7), metric="<b>", excluded=("none", "elsewhere"))
    known, said = known_settings(data, asked)
    assert known == AnalysisSettings(excluded=("none",))
    assert len(said) == 3
    assert "no systems 4 and 8" in said[0]
    assert "<b>" in said[1]
    assert "elsewhere" in said[2]


@pytest.mark.parametrize(
    ("name", "unknown"),
    [
        ("excluded", ("none", "elsewhere")),
        ("excluded", "none"),
        ("metric", "<b>"),
        ("pair", (1, 0)),
        ("pair", (0, 2)),
        ("procedure", "Holm"),
        ("swapped", "no"),
        ("whole_clusters", "no"),
    ],
)
def test_a_setting_that_the_data_do_not_have_is_refused_and_not_replaced(
    name: str, unknown: Any
) -> None:
    with pytest.raises(ValueError, match=f"^`{name}` must "):
        analyse(near_the_level(), replace(BOOTSTRAP, **{name: unknown}))


def test_a_dataset_where_the_metric_is_not_defined_is_refused_until_it_is_left_out() -> None:
    labels = ["x", "y"] * 30
    data = ResultSet.from_predictions(
        {"both": labels, "one": ["x"] * 60},
        {
            "both": {
                "a": labels[1:11] + labels[10:],
                "b": labels[:20] + labels[21:46] + labels[45:],
            },
            "one": {"a": labels, "b": ["x"] * 60},
        },
    )
    settings = AnalysisSettings(metric="MCC")
    with pytest.raises(DataError, match="one"):
        analyse(data, settings)
    left_out = analyse(data, replace(settings, excluded=("one",)))
    assert left_out.table.datasets == ("both",)
    assert left_out.table.complete
    assert left_out.table.p_values[0] < 0.05


def test_a_dataset_without_a_test_at_the_margin_is_refused_until_it_is_left_out() -> None:
    data = near_the_level()
    scores = {name: {s: data.scores(name, s) for s in "ab"} for name in data.datasets}
    equal = ResultSet.from_scores({**scores, "equal": dict.fromkeys("ab", scores["none"]["a"])})
    settings = AnalysisSettings(claim="not-worse", margin=0.1)
    with pytest.raises(DataError, match="'equal': the two systems never differ"):
        analyse(equal, settings)
    left_out = analyse(equal, replace(settings, excluded=("equal", "much")))
    others = analyse(data, replace(settings, excluded=("much",)))
    assert in_full(left_out.table) == in_full(others.table)
    # One that can be tested is: taking it back runs nothing again.
    assert plan_of(equal, left_out.settings).skipped == ("equal",)
    assert plan_of(data, others.settings) == plan_of(data, settings)


def test_a_claim_at_a_margin_is_counted_of_a_alone_and_named_in_every_sentence():
    rng = np.random.default_rng(4)
    lines = ["dataset,example,full,small"]
    for dataset in ("one", "two", "three"):
        for example in range(900):
            full = int(rng.random() < 0.7)
            small = full if rng.random() < 0.97 else 1 - full
            lines.append(f"{dataset},{example},{full},{small}")
    data = read_results("\n".join(lines).encode(), name="q.csv")
    asked = AnalysisSettings(claim="not-worse", margin=0.03, swapped=True)
    assert isinstance(data, ResultSet)
    analysis = analyse(data, asked)
    table = run_dataset_tests(data, a="small", b="full", claim="not-worse", margin=0.03)
    assert analysis.table.p_values.tolist() == table.p_values.tolist()
    assert analysis.question.answer.k_hat == count_datasets(table.p_values).k_hat > 0
    # Of B the same is true here, which is another question.
    assert table.p_values_b.min() <= 0.05
    assert {question.claim for question in analysis.questions} == {"a-better"}
    assert "small is not worse than full by more than 3 points on" in lead(
        analysis, analysis.question
    )
    assert "claim:a-not-worse|margin:0.03" in analysis.signature(analysis.question)
    assert not analysis.other_sides
    assert "not-worse, margin 0.03" in analysis.tried["tests"][0]


def test_joint_flips_are_refused_at_a_margin_as_they_say_that_nothing_differs() -> None:
    rng = np.random.default_rng(1)
    scores = {name: rng.integers(0, 9, (2, 40)) / 4.0 for name in ("one", "two")}
    data = ResultSet.from_scores({name: {"a": x[0], "b": x[1]} for name, x in scores.items()})
    asked = AnalysisSettings(joint="example-id", n_resamples=99, claim="not-worse", margin=0.5)
    analysis = analyse(data, asked)
    assert analysis.joint(analysis.question) is None
    assert any("P-values are counted instead" in caution for caution in analysis.cautions)
    assert not any("Count by p-values" in caution for caution in analysis.cautions)
    usual = analyse(data, replace(asked, claim="better", margin=0.0))
    assert usual.joint(usual.question) is not None or usual.joint_refused is not None

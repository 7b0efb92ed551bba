"""Counting datasets that share examples: units, differences, and what is refused."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from core import DataError, ResultSet, count_jointly, identify_jointly
from core.analysis import AnalysisSettings, analyse, analysis_of, statements
from core.analysis.joint import joint_analysis_of, joint_flips
from core.analysis.testing import COUNTED_JOINTLY
from core.data.overlap.find import find_overlap, units_of
from core.export.record import settings_list
from core.methods.results import methods_paragraphs, results_sentences
from core.metrics.registry import statistic_metric
from core.replicability.joint import (
    FlipAnswer,
    count_by_flips,
    count_in_group_by_flips,
    flip_jointly,
    identify_by_flips,
    joint_p_values,
)
from core.sections.answers import joint_frame
from core.significance.single import run_significance_test
from core.simulation.like_my_data import contributions
from core.types import FloatArray
from core.words.verdicts import verdict
from tests.core.data.overlap.test_namesakes import OWN, correlated, labelled
from tests.core.made import counts_of, set_of
from tests.read_as import read_as


def _translations(n: int = 60, *, shift: float = 0.5, seed: int = 1) -> ResultSet:
    """Three languages of one test set: ids are sentence numbers, texts differ."""
    rng = np.random.default_rng(seed)
    hard = rng.normal(size=n)
    rows = ["dataset,example,text,ours,baseline"]
    for language in ("de", "fr", "sw"):
        ours = hard + rng.normal(size=n) + shift
        rows += [
            f"{language},{i + 1},{language} sentence {i},{ours[i]:.3f},{hard[i]:.3f}"
            for i in range(n)
        ]
    return _read(rows)


def _read(rows: list[str]) -> ResultSet:
    return read_as(ResultSet, "\n".join(rows).encode(), name="results.csv")


def _with_texts(texts: dict[str, list[str]], *, clusters: bool = False) -> ResultSet:
    rng = np.random.default_rng(2)
    rows = ["dataset,text,document,ours,baseline" if clusters else "dataset,text,ours,baseline"]
    for name, own in texts.items():
        for i, text in enumerate(own):
            cluster = f"doc {i // 3}," if clusters else ""
            rows.append(f"{name},{text},{cluster}{rng.normal() + 1:.3f},{rng.normal():.3f}")
    return _read(rows)


def test_equal_ids_that_are_stated_join_translations_and_nothing_else_does() -> None:
    data = _translations()
    units = units_of(data, units="example-id")
    assert (units.n_units, units.n_shared) == (60, 60)
    assert all((codes == units.codes[0]).all() for codes in units.codes)
    with pytest.raises(DataError, match="--joint example-id"):
        units_of(data)


def test_an_equal_text_under_another_id_is_the_same_example_still() -> None:
    rows = [f"{name},{name}{i},line on topic {i},.{i},.2" for name in "xy" for i in range(9)]
    units = units_of(_read(["dataset,example,text,ours,baseline", *rows]), units="example-id")
    assert (units.n_units, units.n_shared) == (9, 9)


def test_other_questions_on_the_same_passages_are_refused_and_the_same_ones_are_not() -> None:
    def asked(question: str) -> ResultSet:
        rows = ["dataset,passage,question,ours,baseline"]
        for name in ("x", "y"):
            own = question.format(name)
            rows += [f"{name},long text on topic {i},{own} is {i},.{i},.2" for i in range(9)]
        return _read(rows)

    with pytest.raises(DataError, match=r"'x' and 'y' share texts beyond the examples they share"):
        units_of(asked("what of {}"))
    units = units_of(asked("what of it"))
    assert (units.n_units, units.n_shared) == (9, 9)


def test_equal_texts_are_one_unit_and_clusters_join_their_examples() -> None:
    words = ["a walk in the park", "rain at noon", "a long letter home", "two small dogs"]
    words += [f"sentence about topic {i} and more" for i in range(8)]
    more = [f"another line on subject {i}" for i in range(6)]
    data = _with_texts({"news": words, "all": words + more})
    units = units_of(data)
    assert (units.n_units, units.n_shared) == (18, 12)
    joined = units_of(_with_texts({"news": words, "all": words + more}, clusters=True))
    # 12 sentences in 4 documents, which the 12 shared ones join across both; 6 more in 2.
    assert (joined.n_units, joined.n_shared) == (6, 4)


def test_examples_that_cannot_be_matched_are_refused_by_name() -> None:
    rng = np.random.default_rng(5)
    sizes = {"x": 20, "y": 24}
    scores = {k: {"a": rng.normal(size=n), "b": rng.normal(size=n)} for k, n in sizes.items()}
    data = ResultSet.from_scores(scores)
    with pytest.raises(DataError) as refused:
        count_jointly(data, a="a", b="b")
    assert [problem.dataset for problem in refused.value.problems] == ["x", "y"]
    # Said once, however many examples each has.
    assert len(refused.value.findings) == 1
    assert "have no text and no id" in str(refused.value)
    rows = [f"{name},{name}-{i},{i % 2},{i % 3 % 2}" for name in "xy" for i in range(20)]
    own = read_as(ResultSet, "\n".join(["dataset,example,a,b", *rows]).encode(), name="own.csv")
    with pytest.raises(DataError, match=r"no other example has it, choose “Also those with equal"):
        units_of(own)
    with pytest.raises(DataError, match="no ids"):
        count_jointly(data, a="a", b="b", units="example-id")


def test_arguments_are_refused_before_examples_are_matched() -> None:
    """Whoever mistypes one is not told of ids that are missing."""
    data = ResultSet.from_scores({"x": {"a": [1, 2], "b": [1, 1]}, "y": {"a": [1], "b": [0]}})
    for wrong in ({"alpha": 0}, {"b": "c"}, {"metric": "m"}, {"n_flips": 0}, {"statistic": "mean"}):
        (name,) = wrong
        for call in (count_jointly, identify_jointly):
            with pytest.raises(ValueError, match=f"^`{name}` must"):
                call(data, **{"a": "a", "b": "b", **wrong})  # type: ignore[arg-type]


def test_one_dataset_has_the_p_value_of_the_exact_randomization_test() -> None:
    rng = np.random.default_rng(9)
    a, b = rng.normal(0.4, 1.0, size=12), rng.normal(size=12)
    flips = flip_jointly((a - b)[:, np.newaxis])
    exact = run_significance_test(a, b, test="approximate-randomization", method="exact")
    assert joint_p_values(flips)[0] == pytest.approx(exact.p_value, rel=1e-12)


# Numerator and denominator of the metric, as weights of its statistics; AER is 1 less theirs.
_RATIOS = {
    "ratio": ([1, 0], [0, 1]),
    "f1": ([2, 0, 0], [2, 1, 1]),
    "precision": ([1, 0, 0], [1, 1, 0]),
    "recall": ([1, 0, 0], [1, 0, 1]),
    "aer": ([1, 1, 0, 0], [0, 0, 1, 1]),
}


def test_a_p_value_by_flips_is_written_on_its_side_of_the_level() -> None:
    units = [-37, 72, 30, 25, 123, 88, -78, -23, 119, 19, 39, -59, 144]
    flips = flip_jointly(np.array([units, units]).T)
    assert joint_p_values(flips).tolist() == [410 / 2**13] * 2
    found = FlipAnswer(
        count=count_by_flips(flips),
        named=identify_by_flips(flips, statistic="sum"),
        step_down=identify_by_flips(flips),
    )
    frame = joint_frame(found, ("de", "fr"))
    assert frame["adjusted p (step-down)"].tolist() == [".05005", ".05005"]
    assert frame["significant (step-down)"].tolist() == ["", ""]
    assert frame["p by flips"].tolist() == [".05005", ".05005"]


def _of_counts(kind: str) -> tuple[ResultSet, FloatArray, FloatArray]:
    drawn_as = {"ratio": "ratio", "aer": "ratio", "bleu": "bleu"}
    counts = counts_of(drawn_as.get(kind, "f1"), 50, ahead=0.05)
    if kind == "aer":
        # All links are sure ones: hits and hits, of those proposed and of those that there are.
        counts = counts[:, :, [0, 0, 1, 1]] + [0.0, 0.0, 0.0, 2.0]
    elif kind == "bleu":
        counts[:, :, 1] = counts[:, :, 0] + 1.0
    higher = statistic_metric(kind).higher_is_better
    data = set_of(kind, counts, datasets="x", systems="ab", higher=higher)
    return data, counts[:, 0], counts[:, 1]


@pytest.mark.parametrize("kind", _RATIOS)
def test_differences_of_a_ratio_are_those_from_the_pooled_ratio(kind: str) -> None:
    data, a, b = _of_counts(kind)
    above, below = (np.array(weights, dtype=float) for weights in _RATIOS[kind])
    pooled = (a + b).sum(axis=0)
    rho = (pooled @ above) / (pooled @ below)
    exact = (a @ above - rho * (a @ below)) - (b @ above - rho * (b @ below))
    own = contributions(data, "x", "a", "b", kind).values
    assert own * (pooled @ below) / 2 == pytest.approx(exact, abs=1e-7)
    better = data.score("x", "a") - data.score("x", "b")
    assert np.sign(own.sum()) == np.sign(better if data.is_higher_better() else -better)


def test_differences_of_bleu_follow_its_logarithm() -> None:
    data, a, b = _of_counts("bleu")
    pooled = (a + b).sum(axis=0)
    by_count = np.zeros(10)
    by_count[2:6], by_count[6:] = 0.25 / pooled[2:6], -0.25 / pooled[6:]
    # The output is shorter than the reference: 1 - reference / output is in it, too.
    by_count[0], by_count[1] = pooled[1] / pooled[0] ** 2, -1.0 / pooled[0]
    own = contributions(data, "x", "a", "b", "bleu").values
    score = float(statistic_metric("bleu").score(pooled))
    assert own / 2 == pytest.approx(score * ((a - b) @ by_count), abs=1e-6)


def test_flips_are_of_the_seed_and_do_not_hang_on_the_level() -> None:
    data = _translations()
    settings = {"a": "ours", "b": "baseline", "units": "example-id", "n_flips": 499}
    one = count_jointly(data, alpha=0.05, **settings)  # type: ignore[arg-type]
    other = count_jointly(data, alpha=0.01, **settings)  # type: ignore[arg-type]
    assert (one.p_values == other.p_values).all()
    assert one.k_hat >= other.k_hat
    assert one.k_hat == 3
    named = identify_jointly(data, a="ours", b="baseline", units="example-id", n_flips=499)
    assert named.procedure == "joint-max"
    units = units_of(data, units="example-id")
    flips = joint_flips(data, units, a="ours", b="baseline", n_flips=499)
    found = joint_analysis_of(flips, units, alpha=0.05)
    assert (named.adjusted_p_values == found.step_down.adjusted_p_values).all()


def test_the_count_by_flips_stands_in_front_with_its_names_and_groups() -> None:
    data = _translations()
    settings = AnalysisSettings(joint="example-id", n_resamples=499)
    found = analyse(data, settings)
    by_itself = count_jointly(data, a="ours", b="baseline", units="example-id", n_flips=499, rng=7)
    question = found.question
    joint = found.joint(question)
    assert question.answer.combination == joint.count.combination == "joint-sum"
    assert question.answer.k_hat == joint.count.k_hat == by_itself.k_hat == 3
    assert found.procedure == question.answer.apart == "joint-max"
    names = found.identification(question, found.procedure)
    assert names.rejected.tolist() == joint.step_down.rejected.tolist()
    assert [each.at_least for each in found.groups(question, {"": [0, 1, 2], "one": [2]})] == [
        count_in_group_by_flips(joint.flips, members) for members in ([0, 1, 2], [2])
    ]
    # Both directions at once: the same flips at half the level.
    half = found.assessed_at(0.025)
    assert half.by_flips
    assert half.answer_a.k_hat == count_by_flips(joint.flips, alpha=0.025).k_hat
    assert half.answer_b.k_hat == count_by_flips(joint.flips.turned(), alpha=0.025).k_hat == 0
    for said in (
        verdict(found.assessment, found.subject).statement.text,
        statements.lead(found, question),
        *(part for part in results_sentences(found) if "at least" in part or "on all" in part),
        found.signature(question),
    ):
        assert "joint" in said
        assert "onferroni" not in said


def test_what_waits_for_its_flips_or_cannot_be_flipped_is_counted_by_p_values() -> None:
    data = _translations()
    asked = analyse(
        data, AnalysisSettings(joint="example-id", n_resamples=99, procedure="joint-sum")
    )
    waiting = analysis_of(data, asked.whole, asked.settings, origin=asked.origin)
    assert waiting.awaits_flips
    assert waiting.so_far
    assert waiting.question.answer.combination == "bonferroni"
    assert waiting.procedure == "holm"
    assert waiting.joint(waiting.question) is None
    assert waiting.counted_jointly().procedure == "joint-sum"
    refused = analyse(data, AnalysisSettings(joint="matched", n_resamples=99))
    assert refused.joint_refused is not None
    assert not refused.awaits_flips
    assert refused.question.answer.combination == "bonferroni"
    # The record of settings says of both that p-values count.
    matched_by = [
        dict(settings_list(each))[f"{COUNTED_JOINTLY}, matched by"] for each in (waiting, refused)
    ]
    assert matched_by == ["example-id (asked for, not done)", "matched (asked for, not done)"]
    assert dict(settings_list(asked))[f"{COUNTED_JOINTLY}, matched by"] == "example-id"


def test_a_joint_count_that_was_seen_is_told_as_tried_and_one_that_was_refused_is_not() -> None:
    data = _translations()
    settings = AnalysisSettings(joint="example-id", n_resamples=99)
    seen = analyse(data, settings)
    assert seen.tried[COUNTED_JOINTLY] == ("example-id",)
    refused = analyse(data, replace(settings, joint="matched"))
    assert COUNTED_JOINTLY not in refused.tried
    # A claim at a margin has no such count; that it was seen before stays told.
    at_a_margin = analyse(data, replace(settings, claim="not-worse", margin=0.5))
    assert at_a_margin.joint_refused is not None
    assert COUNTED_JOINTLY not in at_a_margin.tried
    tried = {**at_a_margin.tried, COUNTED_JOINTLY: ("no", "example-id")}
    methods = " ".join(methods_paragraphs(replace(at_a_margin, tried=tried)))
    assert f"Several choices were tried ({COUNTED_JOINTLY}: no, example-id)" in methods
    assert "We fixed" not in methods


@pytest.mark.parametrize("n_left_out", [0, 2])
def test_one_dataset_is_not_counted_jointly_in_any_sentence_or_record(n_left_out: int) -> None:
    data = _translations()
    if not n_left_out:
        outcomes = [(1, 1)] * 60 + [(1, 0)] * 20 + [(0, 1)] * 10
        rows = [f"de,e{i},{a},{b}" for i, (a, b) in enumerate(outcomes)]
        data = _read(["dataset,example,ours,baseline", *rows])
    settings = AnalysisSettings(joint="example-id", alpha=0.049, excluded=("fr", "sw")[:n_left_out])
    found, alone = (analyse(data, each) for each in (settings, replace(settings, joint="")))
    assert found.joint(found.question) is None
    assert statements.lead(found, found.question) == statements.lead(alone, alone.question)
    assert found.signature(found.question) == alone.signature(alone.question)
    assert methods_paragraphs(found) == methods_paragraphs(alone)
    methods = " ".join(methods_paragraphs(found))
    assert "We fixed the level and the tests before the analysis." in methods
    tried = replace(found, tried={**found.tried, "levels": ("0.05", "0.049")})
    assert "Several choices were tried (levels: 0.05, 0.049)" in " ".join(methods_paragraphs(tried))
    assert settings_list(found) == settings_list(alone)
    assert found.tried == alone.tried
    if not n_left_out:
        # Of 30 that differ; by all flips drawn at random p would be above the level.
        assert "p = .0494" in statements.lead(found, found.question)


def test_units_are_counted_over_the_datasets_that_are_compared() -> None:
    rng = np.random.default_rng(4)
    rows = ["dataset,example,ours,baseline"]
    for dataset, first in (("x", 0), ("y", 0), ("z", 30)):
        rows += [f"{dataset},e{first + i},{rng.normal() + 1},{rng.normal()}" for i in range(60)]
    data = _read(rows)
    settings = AnalysisSettings(joint="example-id", n_resamples=99)
    for excluded, units in (
        ((), "90 units, 60"),
        (("x",), "90 units, 30"),
        (("z",), "60 units, all"),
    ):
        found = analyse(data, replace(settings, excluded=excluded))
        assert f"flipped on {units} of them" in statements.flipped(found, found.question)


def test_a_correlation_is_refused() -> None:
    rng = np.random.default_rng(3)
    data = set_of(
        "spearman",
        rng.normal(size=(20, 2)),
        datasets="x",
        systems="ab",
        gold_scores=(rng.normal(size=20),),
        example_ids=(pa.array([str(i) for i in range(20)]),),
    )
    with pytest.raises(DataError, match="a correlation with gold"):
        count_jointly(data, a="a", b="b", units="example-id")


def test_equal_ids_everywhere_are_told_until_somebody_says_what_they_mean() -> None:
    data = _translations()
    assert "same example ids" in statements.same_ids(analyse(data, AnalysisSettings()))
    for said in (AnalysisSettings(dependence="independent"), AnalysisSettings(joint="example-id")):
        assert not statements.same_ids(analyse(data, said))
    at_a_margin = AnalysisSettings(claim="not-worse", margin=0.5, n_resamples=99)
    assert not statements.same_ids(analyse(data, at_a_margin))
    rows = b"dataset,ours,base\n" + b"x,1,0\nx,0,1\nx,1,1\ny,1,0\ny,0,1\ny,1,1\n"
    without_ids = read_as(ResultSet, rows)
    assert not statements.same_ids(analyse(without_ids, AnalysisSettings()))


def _shown_ids(data: ResultSet) -> str:
    return statements.same_ids(analyse(data, AnalysisSettings()))


def test_equal_ids_are_told_in_any_order_and_not_where_they_name_other_things() -> None:
    data = _translations(20)
    turned = replace(data, example_ids=(data.example_ids[0][::-1], *data.example_ids[1:]))
    assert "same example ids" in _shown_ids(turned)
    others = pa.array([f"other {i}" for i in range(20)])
    assert not _shown_ids(replace(data, example_ids=(others, *data.example_ids[1:])))
    rng = np.random.default_rng(3)

    def rows() -> list[tuple[object, ...]]:
        return [(f"system-{i}", *rng.normal(size=3)) for i in range(20)]

    # Correlations with gold cannot be counted jointly, whatever the ids are.
    assert not _shown_ids(correlated({"de": rows(), "fr": rows()}))
    named = {
        name: [
            (f"{word}-{i}", *rng.integers(0, 3, size=3).tolist()) for word in OWN for i in "abcde"
        ]
        for name in "uv"
    }
    assert find_overlap(labelled(named)).namesakes is not None
    assert not _shown_ids(labelled(named))

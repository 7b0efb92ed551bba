"""Situations of the methods paragraphs: each statement where it applies, sentence by sentence."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from core.analysis import Analysis, AnalysisSettings, Origin, analyse, analysis_of
from core.analysis.testing import BY_ITSELF, countable
from core.data import PValueTable, ResultSet, read_results, read_sample
from core.methods.results import methods_paragraphs, results_sentences
from core.replicability.identification import procedure_names
from core.significance.outcome import Sides
from core.types import ALTERNATIVES, DEPENDENCES
from tests.core.made import p_value_table
from tests.core.significance.sides import changed


def _said(analysis: Analysis) -> Iterator[str]:
    for paragraph in (" ".join(results_sentences(analysis)), *methods_paragraphs(analysis)):
        for sentence in re.split(r"(?<=[.:;]) (?=[A-Z])", paragraph):
            # Signatures depend on the last digits of what was drawn.
            if " reproduced by " not in sentence:
                yield sentence


def table(
    p_values: tuple[float, ...] = (0.001, 0.01, 0.02, 0.2, 0.6),
    *,
    ahead: float = 0.1,
    **changes: Any,
) -> PValueTable:
    n = len(p_values)
    scores = {"scores_a": np.full(n, 0.8 + ahead), "scores_b": np.full(n, 0.8)}
    return p_value_table(p_values, system_a="new", system_b="old", **{**scores, **changes})


def scores(
    *, zero_one: bool = False, n: int = 24, systems: int = 2, clusters: bool = False
) -> ResultSet:
    rng = np.random.default_rng(5)
    drawn: dict[str, dict[str, Any]] = {
        dataset: {
            f"s{i}": rng.integers(0, 2, size=n).astype(float)
            if zero_one
            else rng.normal(size=n) * np.pi
            for i in range(systems)
        }
        for dataset in ("x", "y", "z")
    }
    belongs = {dataset: [i // 2 for i in range(n)] for dataset in drawn} if clusters else None
    return ResultSet.from_scores(drawn, metric="quality", clusters=belongs)


def _sample(key: str, **chosen: Any) -> Analysis:
    sample, content = read_sample(key)
    data: Any = read_results(content, name=sample.file_name)
    origin = Origin.of(sample, {})
    return analyse(data, AnalysisSettings(**chosen), origin=origin)


def _with_results(analysis: Analysis, **changes: Any) -> Analysis:
    whole = analysis.whole
    results = tuple(changed(result, **changes) for result in whole.results or ())
    return analysis_of(
        analysis.data, replace(whole, results=results), analysis.settings, origin=Origin()
    )


def _of_tables() -> Iterator[str]:
    yield from _said(_sample("pos-tagging"))
    yield from _said(_sample("pos-tagging", question="a-better/two-sided"))
    yield from _said(_sample("pos-tagging", question="differ"))
    yield from _said(_sample("six-p-values"))
    for alternative in ALTERNATIVES:
        values = (0.001, 0.01, 0.02, 0.2, 0.4)
        yield from _said(analyse(table(values, alternative=alternative)))
    lower = {"ahead": -0.1, "higher_is_better": False}
    for one in (
        table((0.001,) * 5, ahead=-0.1),
        table(alternative="toward-higher-score", **lower),  # type: ignore[arg-type]
        table((0.001, 0.2), printed=("<0.001", "0.2")),
        table(alternative="toward-higher-score", ahead=0.0),
        table((0.01,)),
    ):
        yield from _said(analyse(one))
    swapped = AnalysisSettings(swapped=True, question="a-better/less")
    yield from _said(analyse(table(), swapped))


def _of_promises() -> Iterator[str]:
    for dependence in DEPENDENCES:
        for procedure in procedure_names():
            chosen = AnalysisSettings(dependence=dependence, procedure=procedure)
            yield from _said(analyse(table(), chosen))
    yield from _said(analyse(table(), AnalysisSettings(alpha=0.6, dependence="independent")))
    analysis = analyse(table())
    by_itself = f"x and y, acc: recommended tests{BY_ITSELF}"
    for tried in (
        {"levels": ("0.05", "0.01"), "dependence": ("not-known",)},
        {"tests": (by_itself, "z and y, acc: recommended tests")},
        {"tests": (by_itself, *(f"z and {b}, acc: recommended tests" for b in "yx"))},
        {"tests": (by_itself, "x and y, acc: recommended tests, not-worse, margin column")},
    ):
        yield from _said(replace(analysis, tried=tried))


def _of_tests() -> Iterator[str]:
    few = {"n_resamples": 99}
    rng = np.random.default_rng(2)
    ratings = rng.integers(0, 6, size=(2, 30)).astype(float)
    drawn = rng.normal(size=(2, 30))
    up = np.arange(12.0)
    mixed, constant = (
        ResultSet.from_scores(
            {name: {"a": a, "b": b} for name, (a, b) in (("first", one), ("second", other))}
        )
        for one, other in ((ratings, drawn), ((up + 1.0, up), (up, up[::-1])))
    )
    bootstrap: Any = {"test": "paired-bootstrap", **few}
    for data, chosen in (
        (scores(), {}),
        (scores(), {"swapped": True, "excluded": ("y",)}),
        (scores(systems=4), {"pair": (1, 3), "test": "sign"}),
        (scores(), bootstrap),
        (scores(n=200), {**bootstrap, "seed": 77}),
        (scores(), {"test": "approximate-randomization", **few}),
        (scores(zero_one=True), {}),
        (scores(zero_one=True), {"test": "paired-bootstrap"}),
        (mixed, {}),
        (constant, {"test": "paired-bootstrap"}),
    ):
        yield from _said(analyse(data, AnalysisSettings(**chosen)))
    for test in ("auto", "paired-bootstrap"):
        yield from _said(_sample("simulated-similarity", test=test, n_resamples=99))
    wilcoxon = analyse(scores(), AnalysisSettings(test="wilcoxon"))
    changes: tuple[dict[str, Any], ...] = (
        {},
        {"settings": {"zeros": "pratt"}},
        {"settings": {"zeros": "zsplit"}},
        {"settings": {"confidence_level": 0.9}},
        {"settings": {"interval": "percentile"}},
        {"settings": {"interval": "bca"}},
        {"method": "normal"},
        {"n_clusters": 12},
        {"confidence_interval": None},
    )
    for change in changes:
        yield from _said(_with_results(wilcoxon, **change))
    resampled = analyse(scores(), AnalysisSettings(**bootstrap))
    reproduced = {"estimator": "berg-kirkpatrick", "resample_size": 500}
    yield from _said(_with_results(resampled, settings=reproduced))
    first, *others = resampled.whole.results or ()
    extreme = Sides(*(round(p * 12350) - 1 for p in first.p_values))
    extended = replace(first, n_resamples=12349, extreme=extreme)
    more = replace(resampled.whole, results=(extended, *others))
    settings = replace(resampled.settings, extended=(("x", 12349),))
    yield from _said(analysis_of(resampled.data, more, settings, origin=Origin()))
    apart = AnalysisSettings(test="wilcoxon", whole_clusters=False)
    together = analyse(scores(clusters=True), apart)
    yield from _said(_with_results(together, n_clusters=None))
    yield from _said(_with_results(together, n_clusters=12, test="approximate-randomization"))
    whole = analyse(scores())
    begun = countable(whole.whole.without(["y", "z"]), ("x", "y", "z"))
    yield from _said(analysis_of(whole.data, begun, whole.settings, origin=Origin()))


METHODS: Mapping[str, Callable[[], Iterable[str]]] = {
    "Methods: tables and their directions": _of_tables,
    "Methods: dependence, names and what was tried": _of_promises,
    "Methods: tests, resamples, intervals and clusters": _of_tests,
}

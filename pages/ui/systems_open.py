"""How one pair of many systems is opened on the Counting page, tested as it was here."""

from __future__ import annotations

from core.data import ResultSet
from core.errors import DataError
from core.report import systems_pair as words
from core.report.testing import TEST_NAMES
from core.significance.plan import planned_tests
from core.systems import PairComparisons
from core.systems.counting import Family
from pages.ui import runs, state, studies, systems_data


def open_pair(data: ResultSet, pairs: PairComparisons, a: str, b: str) -> None:
    """Let Counting compare two systems by the test, the resamples and the seed of this page."""
    study = studies.latest(systems_data.PAIRS)
    assert study is not None
    before = state.session().settings
    state.choose(
        test=_test(data, pairs, str(study.settings["test"]), a, b),
        n_resamples=int(str(study.settings["resamples"])),
        seed=int(str(study.settings["seed"])),
        # The others of its settings that all pairs are tested by.
        estimator="add-one",
        zeros="wilcox",
        whole_clusters=True,
    )
    taken = state.session().settings
    runs.choose_systems(a, b)
    if taken != before:
        state.remark(
            "Test, resamples and seed were taken over from the Systems page, so that this pair is "
            "tested as it was there."
        )


def _test(data: ResultSet, pairs: PairComparisons, asked: str, a: str, b: str) -> str:
    """The test to ask for, so that the pair gets the tests that all pairs had.

    The recommended test looks at all systems there, and at two of them in Counting.
    """
    if asked != "auto":
        return asked
    used = dict(zip(pairs.datasets, pairs.tests, strict=True))
    try:
        planned = planned_tests(data, a=a, b=b, test="auto", metric=state.metric())
    except DataError:
        planned = {}
    if all(name in planned and planned[name].test == test for name, test in used.items()):
        return "auto"
    return pairs.tests[0] if len(set(pairs.tests)) == 1 else "auto"


def in_words(pairs: PairComparisons, family: Family) -> str:
    """How Counting's numbers of a pair relate to those here."""
    drawn = [n for n in pairs.n_resamples if n is not None]
    return words.opened_sentence(
        family,
        [TEST_NAMES[name] for name in dict.fromkeys(pairs.tests)],
        min(drawn) if drawn else None,
        by_itself=bool(drawn),
    )

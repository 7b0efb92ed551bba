"""The settings of an analysis in one table: what each may be, and its names in links, options, words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from core.analysis.settings import USUAL, TestSettings
from core.replicability.combinations import combination_names
from core.replicability.procedures import procedure_names
from core.significance.intervals import INTERVAL_KINDS
from core.significance.known_tests import significance_test_names
from core.significance.result import ESTIMATORS, ZEROS
from core.types import DEPENDENCES


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A setting, as links, bundles, the command line and the report know it.

    Attributes
    ----------
    name : str
        Of the field of `AnalysisSettings`, whose type says what kind of choice it is.
    link, option : str
        In an address, and on the command line; no option where `--a` and `--b` say it.
    words : str
        Where two analyses differ.
    label, tried : str
        Of a setting of tests: in a report's list of settings, where the others have
        lines of their own; and in the list of what was tried, for a value that is
        not usual.
    given : callable
        Gives all that it may be; none where that is no list.
    least : int
        Of a whole number. How large it may be is for those to say who compute with it.
    """

    name: str
    link: str
    option: str
    words: str
    label: str
    tried: str
    given: Callable[[], tuple[str, ...]] = tuple
    least: int = 0

    @property
    def values(self) -> tuple[str, ...]:
        """All that it may be; empty where that is no list."""
        return self.given()

    @property
    def usual(self) -> Any:
        """Its value where nothing is said."""
        return getattr(USUAL, self.name)


def _choice(name: str, words: str, label: str = "", tried: str = "", **further: Any) -> Choice:
    """A setting that has its own name in links and on the command line unless others are given."""
    names = {"name": name, "link": name, "option": name, "words": words}
    return Choice(**{**names, "label": label, "tried": tried, **further})


_ALL = (
    _choice("alpha", "the level α"),
    _choice("dependence", "the answer about dependence", given=lambda: DEPENDENCES),
    _choice("combination", "the combination that counts", given=combination_names),
    _choice("swapped", "whether A and B are exchanged", link="swap", option=""),
    _choice("excluded", "the datasets left out", link="without", option="exclude"),
    _choice("question", "the claim asked for"),
    _choice("procedure", "the procedure that names", given=procedure_names),
    _choice("pair", "the pair of systems", link="systems", option=""),
    _choice("metric", "the metric"),
    _choice("test", "the test", "test", given=lambda: ("auto", *significance_test_names())),
    _choice(
        "n_resamples",
        "the number of resamples",
        "resamples, where a test resamples",
        link="resamples",
        option="resamples",
        least=1,
    ),
    _choice("seed", "the seed", "seed"),
    _choice(
        "interval", "the kind of interval", "interval", "{} interval", given=lambda: INTERVAL_KINDS
    ),
    _choice(
        "estimator",
        "the bootstrap's p-value",
        "bootstrap's p-value",
        "{} estimator",
        given=lambda: ESTIMATORS,
    ),
    _choice(
        "zeros",
        "what is done with zeros",
        "zeros in Wilcoxon's test",
        "zeros by {}",
        given=lambda: ZEROS,
    ),
    _choice(
        "whole_clusters",
        "whether clusters are kept together",
        "examples that belong together",
        "clusters taken apart",
        link="clusters",
        option="apart",
    ),
    _choice(
        "extended", "the tests that were extended", "extended", "extended: {}", option="extend"
    ),
)
CHOICES: Mapping[str, Choice] = {choice.name: choice for choice in _ALL}
TEST_CHOICES = tuple(CHOICES[field.name] for field in fields(TestSettings))

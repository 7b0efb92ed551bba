"""The settings of an analysis in one table: what each may be, its names in links, options, words.

They are what a person chooses besides the data; beside them stands what of the data
they mean, and what they ask for that the data do not have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

from ..comparison import (
    BETTER,
    COLUMN,
    Margin,
    comparison_named,
    comparison_names,
    margin_of_all,
    written_margin,
)
from ..data import PValueTable, ResultSet, ScoreTable
from ..errors import quoted
from ..metrics.registry import CORRELATIONS
from ..replicability.combinations import (
    chosen_combination,
    combination_named,
    combination_names,
    combinations_under,
    usual_combination,
)
from ..replicability.identification import procedure_named, procedure_names, usual_procedure
from ..significance.known_tests import significance_test_names
from ..significance.settings import (
    ESTIMATORS,
    INTERVAL_KINDS,
    ZEROS,
    Estimator,
    IntervalKind,
    Zeros,
)
from ..types import DEPENDENCES, UNITS_BY, Dependence, UnitsBy
from ..validation import check_choice, check_yes_or_no


@dataclass(frozen=True, slots=True, kw_only=True)
class TestSettings:
    """How each dataset is tested.

    Attributes
    ----------
    claim : str
        What is claimed of A and B: a name of `comparison.COMPARISONS`.
    margin : float or "column"
        Of the claim, in the metric's units, for all datasets; 0 of "better". "column" is each
        dataset's own, as the file has them for its first metric.
    test : str
        "auto" for the recommended test, or a test's name.
    n_resamples, seed : int
        Of the tests that resample.
    interval : {"basic", "percentile", "bca"}
        Of the differences.
    estimator : {"add-one", "berg-kirkpatrick"}
        Of the bootstrap.
    zeros : {"wilcox", "pratt", "zsplit"}
        Of Wilcoxon's test.
    whole_clusters : bool
        Whether examples that belong together are resampled together, where
        the data say which do.
    extended : tuple of (str, int)
        Datasets whose tests were extended, each with its number of resamples.
    """

    __test__ = False  # not a test of pytest's

    claim: str = BETTER
    margin: Margin = 0.0
    test: str = "auto"
    n_resamples: int = 9999
    seed: int = 0
    interval: IntervalKind = "basic"
    estimator: Estimator = "add-one"
    zeros: Zeros = "wilcox"
    whole_clusters: bool = True
    extended: tuple[tuple[str, int], ...] = ()

    def resamples_of(self, dataset: str) -> int:
        """How many its test draws where it resamples."""
        return dict(self.extended).get(dataset, self.n_resamples)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysisSettings(TestSettings):
    """Every choice that a number of an analysis may depend on: what is asked, and how it is tested.

    Attributes
    ----------
    alpha : float
        Level, strictly between 0 and 1.
    dependence : {"not-known", "positive", "independent"}
        What is claimed of the datasets; it decides which counts hold.
    combination : str
        How p-values are combined in the count in front; empty for what is usual under that
        answer.
    joint : {"", "matched", "example-id"}
        What makes examples of different datasets the same, where they are to be flipped
        together and counted under the dependence they make; empty where they are not.
    swapped : bool
        Whether A and B have changed places.
    excluded : tuple of str
        Datasets left out.
    question : str
        Key of the question asked, as `words.subject` has it; empty for
        the headline.
    procedure : str
        How datasets are named; empty for what is usual: Holm's procedure, or the step-down test
        where joint flips count.
    pair : (int, int)
        Of results that have several systems, the positions in the file of the
        two that are compared, smaller first.
    metric : str
        Of results that have several metrics, the one compared; empty for the first.
    """

    alpha: float = 0.05
    dependence: Dependence = "not-known"
    combination: str = ""
    joint: UnitsBy | Literal[""] = ""
    swapped: bool = False
    excluded: tuple[str, ...] = ()
    question: str = ""
    procedure: str = ""
    pair: tuple[int, int] = (0, 1)
    metric: str = ""

    @property
    def counted_by(self) -> str:
        """Name of the combination in front; ValueError if it needs more to be known than is claimed."""
        return chosen_combination(self.dependence, self.combination)

    @property
    def named_by(self) -> str:
        """Name of the procedure in front, where joint flips that are asked for can be made."""
        return self.procedure or usual_procedure(joint=bool(self.joint))


USUAL = AnalysisSettings()


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A setting, as links, bundles, the command line and the report know it.

    Its `name` is that of the field of `AnalysisSettings`, whose type says what kind of choice it is;
    `link` is in an address, `option` on the command line, '' where `--a` and `--b` say it. Settings of
    tests have a `label` in a report's list of settings, and stand in the list of what was `tried` with
    a value that is not usual. `values` gives all that it may be, none where that is no list; `least` is
    of a whole number.
    """

    name: str
    link: str
    option: str
    label: str
    tried: str
    values: Callable[[], tuple[str, ...]] = tuple
    least: int = 0

    @property
    def usual(self) -> Any:
        """Its default value."""
        return getattr(USUAL, self.name)


def _choice(name: str, label: str = "", tried: str = "", **further: Any) -> Choice:
    """A setting that has its own name in links and on the command line unless others are given."""
    names = {"name": name, "link": name, "option": name}
    return Choice(**{**names, "label": label, "tried": tried, **further})


_ALL = (
    _choice("alpha"),
    _choice("dependence", values=lambda: DEPENDENCES),
    _choice("combination", values=combination_names),
    _choice("joint", values=lambda: UNITS_BY),
    _choice("swapped", link="swap", option=""),
    _choice("excluded", link="without", option="exclude"),
    _choice("question"),
    _choice("procedure", values=lambda: procedure_names(joint=True)),
    _choice("pair", link="systems", option=""),
    _choice("metric"),
    _choice("claim", "claim", "{}", values=comparison_names),
    _choice("margin", "margin", "margin {}"),
    _choice("test", "test", values=lambda: ("auto", *significance_test_names())),
    _choice(
        "n_resamples",
        "resamples, where a test resamples",
        link="resamples",
        option="resamples",
        least=1,
    ),
    _choice("seed", "seed"),
    _choice("interval", "interval", "{} interval", values=lambda: INTERVAL_KINDS),
    _choice(
        "estimator",
        "bootstrap's p-value",
        "{} estimator",
        values=lambda: ESTIMATORS,
    ),
    _choice(
        "zeros",
        "zeros in Wilcoxon's test",
        "zeros by {}",
        values=lambda: ZEROS,
    ),
    _choice(
        "whole_clusters",
        "examples that belong together",
        "clusters taken apart",
        link="clusters",
        option="apart",
    ),
    _choice("extended", "extended", "extended: {}", option="extend"),
)
CHOICES: Mapping[str, Choice] = {choice.name: choice for choice in _ALL}
TEST_CHOICES = tuple(CHOICES[field.name] for field in fields(TestSettings))


def known_settings(
    data: PValueTable | ResultSet | ScoreTable, settings: AnalysisSettings
) -> tuple[AnalysisSettings, tuple[str, ...]]:
    """The settings that the data have, and in words what they do not have."""
    said: list[str] = []

    def without(words: str, **usual: Any) -> None:
        nonlocal settings
        said.append(words)
        settings = replace(settings, **usual)

    if isinstance(data, ResultSet | ScoreTable) and max(settings.pair) >= len(data.systems):
        numbers = f"{settings.pair[0] + 1} and {settings.pair[1] + 1}"
        words = f"There are no systems {numbers} in these data; the first two are compared."
        without(words, pair=USUAL.pair)
    if isinstance(data, ResultSet) and settings.metric not in ("", *metrics_of(data)):
        words = f"There is no metric {quoted(settings.metric)} in these data; {data.metrics[0]} is compared."
        without(words, metric="")
    if settings.combination not in ("", *combinations_under(settings.dependence)):
        needed = combination_named(settings.combination)
        usual = combination_named(usual_combination(settings.dependence)).title
        words = f"{needed.title} counts only {needed.holds}, which is not answered here; {usual} counts."
        without(words, combination="")
    if settings.joint and not isinstance(data, ResultSet):
        without("These data have no results on examples that could be counted jointly.", joint="")
    if not settings.joint and settings.procedure not in ("", *procedure_names()):
        words = (
            f"The {procedure_named(settings.procedure).title} names only where shared examples are "
            f"counted jointly; {procedure_named(usual_procedure()).title} names."
        )
        without(words, procedure="")
    kept = tuple(name for name in settings.excluded if name in data.datasets)
    elsewhere = [quoted(name) for name in settings.excluded if name not in kept]
    if elsewhere:
        words = f"Datasets to be left out are not in these data: {', '.join(elsewhere)}."
        without(words, excluded=kept)
    if kept and len(kept) == len(data.datasets):
        without("Every dataset was to be left out; none is.", excluded=())
    takes_margin, why = comparison_named(settings.claim).takes_margin, ""
    if takes_margin and isinstance(data, PValueTable):
        why = "Printed p-values carry no margin"
    elif (
        settings.margin == COLUMN
        and isinstance(data, ResultSet)
        and not has_margins(data, settings)
    ):
        why = f"These data have no column of margins for {metric_of(data, settings)}"
    elif takes_margin != bool(settings.margin):
        why = "A margin goes with a claim at a margin, and such a claim needs one above 0"
    if why:
        without(f"{why}; that A is better is asked.", claim=BETTER, margin=0.0)
    return settings, tuple(said)


def check_known(data: PValueTable | ResultSet, settings: AnalysisSettings) -> None:
    """Refuse a metric, systems, datasets or a procedure that there are none of, and unclear answers."""
    if isinstance(data, ResultSet):
        check_choice(settings.metric, ("", *metrics_of(data)), name="metric")
        if tuple(settings.pair) != systems_of(settings, len(data.systems)):
            raise ValueError(
                f"`pair` must hold the places of two of {len(data.systems)} systems, counted from 0 "
                f"and the smaller first; got {settings.pair!r}. `swapped` makes the second one A."
            )
    check_choice(settings.procedure, ("", *procedure_names(joint=True)), name="procedure")
    if isinstance(settings.excluded, str):
        raise ValueError(
            f"`excluded` must be a tuple of datasets' names; got {settings.excluded!r}."
        )
    for name in settings.excluded:
        check_choice(name, data.datasets, name="excluded")
    for name in ("swapped", "whole_clusters"):
        check_yes_or_no(getattr(settings, name), name=name)


def own_margins(data: object, settings: AnalysisSettings, datasets: Iterable[str]) -> list[str]:
    """Each dataset's margin as it is written, where these datasets differ in it; else none."""
    margins = margins_of(data, settings)
    own = [margins[name] for name in datasets if margins]
    if not isinstance(data, ResultSet) or margin_of_all(own) != COLUMN:
        return []
    points = data.points_of(metric_of(data, settings))
    return [written_margin(margin, points) for margin in own]


def systems_of(settings: AnalysisSettings, n_systems: int) -> tuple[int, int]:
    """Positions of the two systems compared: those chosen, or the first two."""
    first, second = settings.pair
    return (first, second) if 0 <= first < second < n_systems else (0, 1)


def metric_of(data: ResultSet, settings: AnalysisSettings) -> str:
    """The metric compared: the one chosen, or the file's first."""
    return settings.metric if settings.metric in metrics_of(data) else data.metrics[0]


def has_margins(data: ResultSet, settings: AnalysisSettings) -> bool:
    """Whether the file gives margins for the metric compared."""
    return data.margins is not None and metric_of(data, settings) == data.metrics[0]


def margins_of(data: object, settings: AnalysisSettings) -> dict[str, float]:
    """Each dataset's margin of the claim, in the metric's units; empty of a claim without one."""
    if not isinstance(data, ResultSet) or not settings.margin:
        return {}
    if settings.margin != COLUMN:
        return dict.fromkeys(data.datasets, settings.margin)
    metric = metric_of(data, settings)
    return {name: data.margin_of(name, metric) for name in data.datasets}


def margin_in_words(data: object, settings: AnalysisSettings) -> str:
    """The margin of the claim with its unit, or what the file's margins span; empty without one.

    Without data it is a bare number.
    """
    margins = margins_of(data, settings)
    if not isinstance(data, ResultSet) or not margins:
        return "" if settings.margin in (0.0, COLUMN) else written_margin(settings.margin, None)
    kept = (margin for name, margin in margins.items() if name not in settings.excluded)
    return written_margin(kept, data.points_of(metric_of(data, settings)))


def metric_of_other_correlation(data: ResultSet, metric: str) -> str | None:
    """The file's metric of the other correlation with gold, where one of them is compared."""
    kind = data.kind_of(metric)
    if kind not in CORRELATIONS:
        return None
    return next(
        (
            name
            for name in data.metrics
            if data.kind_of(name) in CORRELATIONS and data.kind_of(name) != kind
        ),
        None,
    )


def metrics_of(data: ResultSet) -> tuple[str, ...]:
    """What two systems can be compared by: the file's metrics, and those its labels allow."""
    return (*data.metrics, *data.label_metrics)

"""How far verdicts depend on choices: the answer over all studies, then each, for a page and a report."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple, TypeVar

from ..analysis import Analysis
from ..charts.across_datasets import heat_legend, heat_width, metric_heat
from ..comparison import BETTER
from ..data import ResultSet
from ..reliability.choices import FreeChoice, free_choice_rate
from ..reliability.covariates import CutOffStudy
from ..reliability.levels import LevelStudy
from ..reliability.pairs import MetricStudy, PairFamily
from ..reliability.repeated_runs import RunStudy
from ..reliability.sample_size import SubsampleStudy
from ..systems.comparisons import PairComparisons
from ..words.formatting import (
    counted,
    display_name,
    format_confidence,
    format_level,
    format_p_value,
    format_share,
    frame_of,
    list_names,
    p_value_clause,
)
from ..words.subject import claim_of_tests
from .parts import (
    Bullets,
    Figure,
    Paragraph,
    Part,
    Signature,
    Table,
    notes_parts,
    paragraphs,
    take_away,
)
from .runs import cut_off_parts, cut_offs_parts, dataset_runs_parts, domains_parts, runs_parts
from .sizes import dataset_sentence, sizes_parts

_Study = TypeVar("_Study", MetricStudy, LevelStudy)
# Under which an analysis holds a `LookedAt`.
STUDIES = "reliability"
LIMITS = (
    "This describes the choices that were tried and carries no guarantee. A verdict that depends on "
    "none of them may still be wrong."
)
NOT_AT_A_MARGIN = "Choices are tried on whether A is better, not on the claim at a margin."
_WHY_NONE_FOR_INDEPENDENT = (
    "Counts that need independent p-values are not offered here: those of one dataset are of the "
    "same examples."
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LookedAt:
    """Studies that were run on the same two systems.

    `pairs` show whether wins hold on other datasets; `stopped` has "covariate" and "run" where these
    were stopped before every dataset was begun.
    """

    metrics: MetricStudy | None = None
    sizes: SubsampleStudy | None = None
    cut_offs: Mapping[str, CutOffStudy] = field(default_factory=dict)
    levels: LevelStudy | None = None
    runs: Mapping[str, RunStudy] = field(default_factory=dict)
    free_choice: FreeChoice | None = None
    pairs: PairComparisons | None = None
    stopped: frozenset[str] = frozenset()

    @property
    def any(self) -> bool:
        """Whether anything was looked at."""
        found = (self.metrics, self.sizes, self.cut_offs, self.levels, self.runs)
        return any((*found, self.free_choice, self.pairs))

    @property
    def tests(self) -> frozenset[str]:
        """The tests whose p-values were looked at."""
        found = {own.test for own in self.cut_offs.values()}
        found |= {own.test for own in self.runs.values()}
        found |= {own.full.test for own in self.sizes.datasets} if self.sizes else set()
        found |= self.metrics.tests if self.metrics else set()
        return frozenset(found | self.levels.tests) if self.levels else frozenset(found)


class Choice(NamedTuple):
    """What one kind of choice did.

    `looked_at` are datasets with at least two outcomes to compare, `depending` those of them whose
    verdict depends on the choice.
    """

    name: str
    looked_at: tuple[str, ...]
    depending: tuple[str, ...]
    complete: bool


def within_reach(study: _Study) -> _Study:
    """A study without p-values that say nothing: a bootstrap out of its reach contradicts nobody."""
    kept = tuple(pair for pair in study.pairs if not pair.kept_out)
    return study if len(kept) == len(study.pairs) else replace(study, pairs=kept)


def choices_looked_at(looked_at: LookedAt, datasets: Sequence[str]) -> tuple[Choice, ...]:
    """For each kind of choice, on which of the datasets it was looked at and decides a verdict."""
    metrics, sizes, levels = looked_at.metrics, looked_at.sizes, looked_at.levels
    along, runs, stopped = looked_at.cut_offs, looked_at.runs, looked_at.stopped
    found: list[Choice] = []

    def add(name: str, seen: Iterable[str], depending: Iterable[str], complete: bool) -> None:
        # In the order of the data, which may lack some by now.
        looked, hang = (set(names) for names in (seen, depending))
        in_order = [tuple(one for one in datasets if one in names) for names in (looked, hang)]
        found.append(Choice(name, in_order[0], in_order[1], complete))

    if metrics is not None:
        within = within_reach(metrics)
        several = Counter(pair.dataset for pair in within.pairs)
        # With one choice in all nothing can depend on it, and that is an answer.
        least = min(2, metrics.family.most_choices)
        seen = [name for name, n in several.items() if n >= least]
        add("metric or test", seen, within.datasets_that_differ, metrics.complete)
    if sizes is not None:
        marked = [own.dataset for own in sizes.datasets if own.mark]
        add("number of examples", [own.dataset for own in sizes.datasets], marked, sizes.complete)
    if along:
        depending = [name for name, own in along.items() if own.depends and own.verdict_changes]
        complete = all(own.complete for own in along.values()) and "covariate" not in stopped
        name = display_name(next(iter(along.values())).covariate) or "covariate"
        add(name, along, depending, complete)
    if levels is not None:
        # Parts have p > α more often than the whole: only the test of all levels tells.
        name = display_name(levels.covariate) or "level"
        add(name, levels.dependence_p_values, levels.datasets_that_depend, levels.complete)
    if runs:
        seen = [name for name, own in runs.items() if own.n_pairs >= 2]
        depending = [name for name, own in runs.items() if own.depends_on_run]
        complete = all(own.complete for own in runs.values()) and "run" not in stopped
        add("run", seen, depending, complete)
    return tuple(found)


def summary_sentence(looked_at: LookedAt, datasets: Sequence[str], *, alpha: float) -> str:
    """On how many datasets whether p <= alpha depends on a choice; "" where nothing was looked at."""
    choices, n, level = choices_looked_at(looked_at, datasets), len(datasets), format_level(alpha)
    if not choices:
        return ""
    among, tried, depending = counted(n, "dataset"), [], []
    for own in choices:
        # A dataset that a choice was not looked at on is never among those that do not depend on it.
        limits = [f"tried on {len(own.looked_at)} of {among}"] * (len(own.looked_at) < n)
        limits += ["stopped early"] * (not own.complete)
        name = f"{own.name} ({'; '.join(limits)})" if limits else own.name
        if own.depending:
            depending.append(f"{name} on {list_names(own.depending, most=6)}")
        else:
            tried.append(name)
    seen = {name for own in choices for name in own.looked_at}
    hang = {name for own in choices for name in own.depending}
    if not seen:
        return f"We cannot tell yet whether p ≤ {level} depends on a choice: {'; '.join(tried)}."
    among = among if len(seen) == n else f"the {len(seen)} of {among} tried"
    if not hang:
        return f"No dependence of p ≤ {level} on a choice was found on {among}: {'; '.join(tried)}."
    also = f" Also tried: {'; '.join(tried)}." if tried else ""
    return (
        f"Whether p ≤ {level} depends on a choice on {len(hang)} of {among}: "
        f"{'; '.join(depending)}.{also}"
    )


def looked_at(analysis: Analysis) -> LookedAt | None:
    """The studies of the systems compared; None where none was run."""
    found = analysis.studies.get(STUDIES)
    return found if isinstance(found, LookedAt) and found.any else None


def reliability_parts(analysis: Analysis) -> tuple[Part, ...]:
    """All that was looked at on the systems compared: the answer, then each study."""
    found, data, alpha = looked_at(analysis), analysis.data, analysis.settings.alpha
    if found is None or not isinstance(data, ResultSet):
        return ()
    summary = summary_sentence(found, analysis.table.datasets, alpha=alpha)
    at_margin = analysis.settings.claim != BETTER
    systems = analysis.table.system_a, analysis.table.system_b

    def of(study: Any, make: Callable[..., tuple[Part, ...]], *how: Any) -> tuple[Part, ...]:
        return make(study, *how) if study else ()

    studies = {
        "More or fewer examples": of(found.sizes, _all_sizes),
        "Another metric or test": (
            *of(found.metrics, choices_parts),
            *of(found.free_choice, free_choice_parts),
        ),
        "Short and long examples: covariates": (
            *of(found.cut_offs, _all_cut_offs, "covariate" not in found.stopped),
            *of(found.levels, levels_parts),
        ),
        "Another seed: repeated runs": of(
            found.runs, _all_runs, "run" not in found.stopped, data, systems
        ),
        "From one dataset to another": of(found.pairs, partial(domains_parts, alpha=alpha)),
    }
    parts: list[Part] = [
        *paragraphs(summary, tone="lead"),
        *paragraphs(NOT_AT_A_MARGIN if at_margin else ""),
        Paragraph(text=LIMITS, tone="quiet"),
    ]
    for title, own in studies.items():
        parts += (Paragraph(text=f"{title}.", tone="strong"), *own) if own else ()
    return tuple(parts)


def _all_sizes(found: SubsampleStudy) -> tuple[Part, ...]:
    said = tuple(dataset_sentence(own) for own in found.datasets)
    return (
        *sizes_parts(found),
        Bullets(items=said),
        *take_away(found.to_frame, found.signature, name="subsamples"),
    )


def _all_cut_offs(studies: Mapping[str, CutOffStudy], complete: bool) -> tuple[Part, ...]:
    """The answer, then each dataset on which the difference depends on the covariate."""
    depending = [own for own in studies.values() if own.depends]
    parts = [*cut_offs_parts(studies, complete=complete)]
    for place, own in enumerate(depending, start=1):
        parts += cut_off_parts(own, name=f"cut-off-{place}")
    return tuple(parts)


def _all_runs(
    studies: Mapping[str, RunStudy], complete: bool, data: ResultSet, systems: tuple[str, str]
) -> tuple[Part, ...]:
    names_a, names_b = map(data.runs_of, systems)
    parts = [*runs_parts(studies, complete=complete)]
    for dataset, study in studies.items():
        parts += dataset_runs_parts(dataset, study, names_a, names_b)
    return tuple(parts)


def _family_parts(
    study: MetricStudy | LevelStudy,
    *,
    name: str,
    sentence: str,
    family: str,
    beside: Sequence[Part],
) -> tuple[Part, ...]:
    """Every p-value of a study, counted as one family."""
    dependence = study.dependence_left_out if isinstance(study, LevelStudy) else {}
    left_out = [
        f"{display_name(dataset)}, dependence on the level: {reason}"
        for dataset, reason in dependence.items()
    ]
    for one in study.left_out:
        place = ", ".join(display_name(name) for name in (one.dataset, one.column) if name)
        left_out.append(f"{place}: {one.what} {one.remedy}".rstrip())
    return (
        Paragraph(text=sentence, tone="strong"),
        Figure(
            name=name,
            alt=f"p-values by dataset and choice. {sentence}",
            draw=partial(metric_heat, study),
            least_width=heat_width(study),
        ),
        Paragraph(text=heat_legend(study), tone="quiet"),
        Paragraph(text=family, tone="strong"),
        *beside,
        *(
            (Paragraph(text="Not tested:", tone="quiet"), Bullets(items=tuple(left_out)))
            if left_out
            else ()
        ),
        *take_away(study.to_frame, study.signature, name=name),
    )


def choices_parts(study: MetricStudy) -> tuple[Part, ...]:
    """Every metric and test, counted as one family."""
    theory = theory_sentence(study.family.most_choices, alpha=study.alpha)
    why = Paragraph(text=_WHY_NONE_FOR_INDEPENDENT, tone="quiet")
    return _family_parts(
        study,
        name="metrics-and-tests",
        sentence=choices_sentence(study),
        family=family_sentence(study.family, claim=f"A {claim_of_tests(study.tests)}"),
        beside=(why, *paragraphs(theory)),
    )


def choices_sentence(study: MetricStudy) -> str:
    """On how many datasets the verdict depends on metric and test."""
    level, m = format_level(study.alpha), len(study.columns)
    among = counted(len(study.tested_datasets), "dataset")
    begun, within = "" if study.complete else "Stopped early. ", within_reach(study)
    any_of, depending = len(within.datasets_by_any), within.datasets_that_differ
    if m == 1:
        return (
            f"{begun}One metric and one test fit, so there is no choice: p ≤ {level} on {any_of} of "
            f"{among}."
        )
    verdict = "is the same by each of them on every dataset"
    if depending:
        verdict = f"depends on the choice on {list_names(depending)}"
    return (
        f"{begun}At least one of {m} metrics and tests gives p ≤ {level} on {any_of} of {among}; all of "
        f"them do on {len(within.datasets_by_all)}. The verdict {verdict}."
    )


def levels_parts(study: LevelStudy) -> tuple[Part, ...]:
    """Every level of a category, counted as one family."""
    claim, too_small = f"A {claim_of_tests(study.tests)}", without_reach_sentence(study)
    why = (
        "A level has fewer examples than its dataset. Expect p > α on some levels even if A is equally "
        f"better on all. {_WHY_NONE_FOR_INDEPENDENT}"
    )
    return _family_parts(
        study,
        name="levels",
        sentence=levels_sentence(study),
        family=family_sentence(study.family, choice="level", claim=claim),
        beside=(*paragraphs(too_small, tone="caution"), Paragraph(text=why, tone="quiet")),
    )


def levels_sentence(study: LevelStudy) -> str:
    """On how many datasets the verdict depends on the level of a covariate."""
    level, n = format_level(study.alpha), len({pair.dataset for pair in study.pairs})
    name = display_name(study.covariate) if study.covariate else "the level"
    each = f"level of {name}" if study.covariate else "level"
    within, depending = within_reach(study), study.datasets_that_depend
    found = (
        f"{'' if study.complete else 'Stopped early. '}p ≤ {level} on at least one {each} on "
        f"{len(within.datasets_by_any)} of {counted(n, 'dataset')}, and on every level on "
        f"{len(within.datasets_by_all)}."
    )
    if within.datasets_that_differ:
        found += (
            f" On {list_names(within.datasets_that_differ)}, only some levels have p ≤ {level}, which "
            "smaller parts make likely."
        )
    tested = f"(one test of all levels of a dataset together, by Holm at {level})"
    if depending:
        found += f" The difference itself depends on {name} on {list_names(depending)} {tested}."
    elif study.dependence_p_values:
        found += (
            f" No evidence on any dataset that the difference itself depends on {name} {tested}."
        )
    return found


def family_sentence(
    family: PairFamily, *, choice: str = "choice", claim: str = "A is better"
) -> str:
    """All p-values of one `claim` counted at once; `choice` is what a dataset has several by."""
    n, confidence = family.n_datasets, format_confidence(family.alpha)
    named = family.named_datasets
    bonferroni, simes = family.n_datasets_by("bonferroni"), family.n_datasets_by("simes")
    begun = f"With all {family.n_pairs} p-values as one family: "
    if not simes:
        on = "the one dataset" if n == 1 else f"any of {counted(n, 'dataset')}"
        return f"{begun}no evidence that {claim} by any {choice} on {on}."
    names = f" ({list_names(named, most=6)}, by Holm)" if named else ""
    weaker = "if all these tests are independent or positively dependent (Simes)"
    first, condition = simes, weaker
    if bonferroni:
        first, condition = bonferroni, "whatever the dependence (Bonferroni)"
    more = f"; on at least {simes}, {weaker}" if simes > bonferroni > 0 else ""
    return (
        f"{begun}with {confidence} confidence {claim} by at least one {choice} on at least {first} "
        f"of {counted(n, 'dataset')}{names}, {condition}{more}."
    )


def theory_sentence(n_choices: int, *, alpha: float) -> str:
    """What a free choice would do if the choices had nothing in common."""
    level = format_level(alpha)
    if n_choices < 2:
        return ""
    return (
        f"Choosing the best of {n_choices} independent p-values gives p ≤ {level} by chance in "
        f"{100.0 * free_choice_rate(n_choices, alpha):.3g}% of comparisons without a difference: "
        f"1 − (1 − {level})^{n_choices}. Metrics and tests of the same examples are not independent, "
        "so the rate is lower; a simulation on a dataset's own scores shows how much."
    )


def without_reach_sentence(study: LevelStudy) -> str:
    """State which levels are too small for p <= alpha whatever their scores; '' where none is."""
    small = study.levels_without_reach
    if not small:
        return ""
    names = list_names([f"{level} on {dataset}" for dataset, level, _ in small], most=6)
    level = format_level(study.alpha)
    return (
        f"{len(small):,} of {len(study.pairs):,} parts {'is' if len(small) == 1 else 'are'} too small for "
        f"p ≤ {level}, whatever the scores: {names}. A larger p-value there says nothing."
    )


def free_choice_parts(found: FreeChoice) -> tuple[Part, ...]:
    """What choosing among metrics and tests does on one dataset, simulated: each choice, and the best."""
    names = [*found.choices, ("the best of them", "")]
    observed = [*found.observed.tolist(), found.smallest_observed]
    rows = [
        {
            "metric": display_name(metric),
            "test": test,
            "p of the data": format_p_value(p, alpha=found.alpha),
            f"p ≤ {format_level(found.alpha)} by chance": f"{100.0 * rate.rate:.1f}%",
            "95% interval": " to ".join(f"{100.0 * end:.1f}%" for end in rate.confidence_interval),
        }
        for (metric, test), p, rate in zip(names, observed, (*found.rates, found.rate), strict=True)
    ]
    return (
        Paragraph(text=_free_choice_sentence(found), tone="strong"),
        Table(frame=frame_of(rows), name="free-choice", of="choice"),
        *notes_parts(found.notes),
        Signature(line=found.signature),
    )


def _free_choice_sentence(found: FreeChoice) -> str:
    level, rate = format_level(found.alpha), found.rate
    low, high = rate.confidence_interval
    m = len(found.choices)
    unit = "cluster" if found.of_clusters else "example"
    began = "" if found.complete else "Stopped early. "
    number = found.n_as_if_independent
    as_many = (
        f"{number:.1f} independent choices" if number >= 1.05 else "one choice fixed beforehand"
    )
    return (
        f"{began}{display_name(found.dataset)}, with A and B swapped at random on every {unit}, so "
        f"that no metric has a difference: the best of {m} has p ≤ {level} in "
        f"{format_share(rate.rate)} of {rate.n:,} repetitions ({format_share(low)} to "
        f"{format_share(high)}), as {as_many} would. The smallest p-value of "
        f"the data, {format_p_value(found.smallest_observed, alpha=found.alpha)}, becomes "
        f"{p_value_clause(found.adjusted_p_value, alpha=found.alpha)} once adjusted for the choice."
    )

"""How far verdicts depend on choices: what a page shows of each study, and a report prints."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from ..analysis import Analysis
from ..charts.across_datasets import (
    domains_chart,
    heat_legend,
    heat_width,
    metric_heat,
    subsample_chart,
)
from ..charts.gain_confidence import cut_off_chart
from ..charts.simulation import prior_odds_chart, toy_p_value_chart
from ..comparison import BETTER
from ..data import ResultSet
from ..reliability.across_domains import agreement_of_pairs
from ..reliability.choices import FreeChoice, MetricStudy
from ..reliability.covariates import CutOffStudy
from ..reliability.levels import LevelStudy
from ..reliability.prior_odds import PriorOddsStudy
from ..reliability.repeated_runs import RunStudy
from ..reliability.sample_size import DatasetSubsamples, SubsampleStudy
from ..reliability.toys import ToyStudy
from ..systems.comparisons import PairComparisons
from ..words import reliability_choices as choices
from ..words import reliability_runs as runs
from ..words import reliability_sizes as sizes
from ..words.formatting import format_level
from ..words.subject import claim_of_tests
from .parts import (
    Bullets,
    Download,
    Figure,
    Paragraph,
    Part,
    Signature,
    Table,
    charted,
    notes_parts,
    paragraphs,
    take_away,
)

# Under which an analysis holds a `LookedAt`.
STUDIES = "reliability"
# What each question is called, on the page and in the report.
TITLES = {
    "sizes": "More or fewer examples",
    "choices": "Another metric or test",
    "covariates": "Short and long examples: covariates",
    "runs": "Another seed: repeated runs",
    "domains": "From one dataset to another",
}


def looked_at(analysis: Analysis) -> choices.LookedAt | None:
    """The studies of the systems compared; None where none was run."""
    found = analysis.studies.get(STUDIES)
    return found if isinstance(found, choices.LookedAt) and found.any else None


def reliability_parts(analysis: Analysis) -> tuple[Part, ...]:
    """All that was looked at on the systems compared: the answer, then each study."""
    found, data, alpha = looked_at(analysis), analysis.data, analysis.settings.alpha
    if found is None or not isinstance(data, ResultSet):
        return ()
    summary = choices.summary_sentence(found, analysis.table.datasets, alpha=alpha)
    at_margin = analysis.settings.claim != BETTER
    systems = analysis.table.system_a, analysis.table.system_b

    def of(study: Any, make: Callable[..., tuple[Part, ...]], *how: Any) -> tuple[Part, ...]:
        return make(study, *how) if study else ()

    studies = {
        "sizes": of(found.sizes, _all_sizes),
        "choices": (*of(found.metrics, choices_parts), *of(found.free_choice, free_choice_parts)),
        "covariates": (
            *of(found.cut_offs, _all_cut_offs, "covariate" not in found.stopped),
            *of(found.levels, levels_parts),
        ),
        "runs": of(found.runs, _all_runs, "run" not in found.stopped, data, systems),
        "domains": of(found.pairs, partial(domains_parts, alpha=alpha)),
    }
    parts: list[Part] = [
        *paragraphs(summary, tone="lead"),
        *paragraphs(choices.NOT_AT_A_MARGIN if at_margin else ""),
        Paragraph(text=choices.LIMITS, tone="quiet"),
    ]
    for key, own in studies.items():
        parts += (Paragraph(text=f"{TITLES[key]}.", tone="strong"), *own) if own else ()
    return tuple(parts)


def _all_sizes(found: SubsampleStudy) -> tuple[Part, ...]:
    said = tuple(sizes.dataset_sentence(own) for own in found.datasets)
    return (*sizes_parts(found), Bullets(items=said), *take_away(found, name="subsamples"))


def sizes_parts(found: SubsampleStudy) -> tuple[Part, ...]:
    """On how many datasets the verdict depends on the number of examples."""
    level = format_level(found.alpha)
    return (
        Paragraph(text=sizes.sizes_sentence(found), tone="strong"),
        Table(
            frame=sizes.sizes_frame(found),
            caption=f"Share of random parts with p ≤ {level}, by their size.",
            name="subsamples",
            of="dataset",
        ),
        Paragraph(text=sizes.WHAT_MARKS_MEAN.format(level=level), tone="quiet"),
    )


def dataset_sizes_parts(own: DatasetSubsamples, effect: float | None = None) -> tuple[Part, ...]:
    """One dataset at its sizes, and the power at a difference that is stated."""
    sentence = sizes.dataset_sentence(own)
    stated, expected = ("", None) if effect is None else sizes.power_of_stated(own, effect)
    return (
        Paragraph(text=sentence),
        *paragraphs(stated, tone="strong"),
        Paragraph(text=sizes.OPTIMISTIC, tone="quiet"),
        charted(
            "subsamples",
            "Share of random parts with a small p-value, by their size",
            sentence,
            subsample_chart,
            own,
            expected=expected,
        ),
        Paragraph(text=sizes.WHAT_THE_CURVE_IS.format(level=format_level(own.alpha)), tone="quiet"),
    )


def _family_parts(
    study: MetricStudy | LevelStudy,
    *,
    name: str,
    sentence: str,
    family: str,
    beside: Sequence[Part],
) -> tuple[Part, ...]:
    """Every p-value of a study, counted as one family."""
    left_out = tuple(choices.left_out_lines(study))
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
            (Paragraph(text="Not tested:", tone="quiet"), Bullets(items=left_out))
            if left_out
            else ()
        ),
        *take_away(study, name=name),
    )


def choices_parts(study: MetricStudy) -> tuple[Part, ...]:
    """Every metric and test, counted as one family."""
    theory = choices.theory_sentence(study.family.most_choices, alpha=study.alpha)
    why = Paragraph(text=choices.WHY_NONE_FOR_INDEPENDENT, tone="quiet")
    return _family_parts(
        study,
        name="metrics-and-tests",
        sentence=choices.choices_sentence(study),
        family=choices.family_sentence(study.family, claim=f"A {claim_of_tests(study.tests)}"),
        beside=(why, *paragraphs(theory)),
    )


def free_choice_parts(found: FreeChoice) -> tuple[Part, ...]:
    """What choosing among metrics and tests does on one dataset, simulated."""
    return (
        Paragraph(text=choices.free_choice_sentence(found), tone="strong"),
        Table(frame=choices.free_choice_frame(found), name="free-choice", of="choice"),
        *notes_parts(found.notes),
        Signature(line=found.signature),
    )


def levels_parts(study: LevelStudy) -> tuple[Part, ...]:
    """Every level of a category, counted as one family."""
    claim, too_small = f"A {claim_of_tests(study.tests)}", choices.without_reach_sentence(study)
    why = f"{choices.SMALL_LEVELS} {choices.WHY_NONE_FOR_INDEPENDENT}"
    return _family_parts(
        study,
        name="levels",
        sentence=choices.levels_sentence(study),
        family=choices.family_sentence(study.family, choice="level", claim=claim),
        beside=(*paragraphs(too_small, tone="caution"), Paragraph(text=why, tone="quiet")),
    )


def _all_cut_offs(studies: Mapping[str, CutOffStudy], complete: bool) -> tuple[Part, ...]:
    """The answer, then each dataset on which the difference depends on the covariate."""
    depending = [own for own in studies.values() if own.depends]
    parts = [*cut_offs_parts(studies, complete=complete)]
    for place, own in enumerate(depending, start=1):
        parts += cut_off_parts(own, name=f"cut-off-{place}")
    return tuple(parts)


def cut_offs_parts(
    studies: Mapping[str, CutOffStudy], *, complete: bool = True
) -> tuple[Part, ...]:
    """On which datasets the difference depends on a numeric covariate."""
    sentence = runs.cut_offs_sentence(studies, complete=complete)
    return (
        Paragraph(text=sentence, tone="strong"),
        Table(frame=runs.cut_offs_frame(studies), name="cut-offs", of="dataset"),
        Paragraph(text=runs.WHAT_THE_FLAG_IS, tone="quiet"),
    )


def cut_off_parts(study: CutOffStudy, *, name: str = "cut-off") -> tuple[Part, ...]:
    """One dataset along a numeric covariate; `name` is that of its chart."""
    own = runs.cut_off_sentence(study)
    return (
        Paragraph(text=own),
        charted(name, "p-values along the covariate", own, cut_off_chart, study),
        Table(frame=runs.parts_frame(study), name="cut-off", of="part"),
        *take_away(study, name="cut-off", notes=study.notes),
    )


def _all_runs(
    studies: Mapping[str, RunStudy], complete: bool, data: ResultSet, systems: tuple[str, str]
) -> tuple[Part, ...]:
    names_a, names_b = map(data.runs_of, systems)
    parts = [*runs_parts(studies, complete=complete)]
    for dataset, study in studies.items():
        parts += dataset_runs_parts(dataset, study, names_a, names_b)
    return tuple(parts)


def runs_parts(studies: Mapping[str, RunStudy], *, complete: bool = True) -> tuple[Part, ...]:
    """On which datasets the verdict depends on which runs are compared."""
    return (
        Paragraph(text=runs.runs_sentence(studies, complete=complete), tone="strong"),
        Table(frame=runs.runs_frame(studies), name="runs", of="dataset"),
        Paragraph(text=runs.WHAT_TOGETHER_IS, tone="quiet"),
    )


def dataset_runs_parts(
    dataset: str, study: RunStudy, names_a: Sequence[str], names_b: Sequence[str]
) -> tuple[Part, ...]:
    """Each pair of runs of one dataset."""
    return (
        Paragraph(text=runs.dataset_runs_sentence(dataset, study)),
        Table(frame=runs.pairs_frame(study, names_a, names_b), name="pairs-of-runs", of="run"),
        *take_away(study, name="runs", notes=study.notes),
    )


def domains_parts(
    pairs: PairComparisons, *, alpha: float, source: str = "", printed: str = runs.PRINTED_DOMAINS
) -> tuple[Part, ...]:
    """How often a win on one dataset, the source or each in turn, holds on another.

    `printed` is what the paper has of it.
    """
    found = agreement_of_pairs(pairs, bins=runs.bins_with(alpha), source=source)
    sentence = runs.domains_sentence(found, alpha=alpha, complete=pairs.complete)
    chart = charted(
        "across-datasets", "Wins that hold on another dataset", sentence, domains_chart, found
    )
    table = Table(frame=runs.domains_frame(found), name="across-datasets", of="bin")
    return (
        Paragraph(text=sentence, tone="strong"),
        *((chart, table) if any(own.n for own in found.bins) else ()),
        *notes_parts((*found.notes, *pairs.notes)),
        *paragraphs(printed, tone="quiet"),
        Download(write=found.to_frame, name="across-datasets"),
        Signature(line=f"{pairs.signature} {found.signature}"),
    )


def prior_odds_parts(study: PriorOddsStudy) -> tuple[Part, ...]:
    """The share of claims that are true, for what a reader assumes."""
    sentence = sizes.prior_odds_sentence(study)
    return (
        Paragraph(text=sentence, tone="strong"),
        Paragraph(text=sizes.WHAT_IT_ASSUMES, tone="quiet"),
        charted(
            "prior-odds",
            "Share of true claims against the level",
            sentence,
            prior_odds_chart,
            study,
        ),
        Table(frame=sizes.prior_odds_frame(study), name="prior-odds", of="level"),
        Paragraph(text=sizes.probability_remark(study), tone="quiet"),
    )


def toy_parts(found: ToyStudy) -> tuple[Part, ...]:
    """What choosing after looking does to two identical systems."""
    sentence = sizes.toy_sentence(found)
    printed = Paragraph(text=sizes.ABOUT_PRINTED_TOYS, tone="quiet")
    return (
        Paragraph(text=f"{found.toy.title}. {sentence}", tone="strong"),
        charted("toy", "Distribution of p-values", sentence, toy_p_value_chart, found),
        Table(frame=sizes.toy_frame(found), name="toy", of="p-value"),
        *((printed,) if found.toy.printed else ()),
        Signature(line=found.signature),
    )

"""Short and long examples, another seed, another dataset: what they do to a verdict, on page and in report."""

import math
from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from ..charts.across_datasets import cut_off_chart, domains_chart
from ..reliability.across_domains import BINS, DomainAgreement, across_domains
from ..reliability.covariates import CutOffStudy
from ..reliability.repeated_runs import RunStudy
from ..replicability.identification import identify_datasets
from ..systems.comparisons import PairComparisons
from ..validation import is_at_most
from ..words.formatting import (
    Frame,
    bin_label,
    counted,
    display_name,
    format_level,
    format_p_value,
    format_share,
    frame_of,
    free_heading,
    list_names,
    minus,
    number,
    p_value_clause,
    starred,
)
from .parts import Download, Paragraph, Part, Signature, Table, charted, notes_parts, take_away

_STOPPED = "Stopped early. "
# Above one half on every part: B is ahead on each of them.
_NOTHING_FOR_A = 0.5


def cut_offs_parts(
    studies: Mapping[str, CutOffStudy], *, complete: bool = True
) -> tuple[Part, ...]:
    """On which datasets the difference depends on a numeric covariate."""
    frame = frame_of(
        [
            {
                "dataset": display_name(own.dataset),
                "depends on it": "★ yes" if own.depends else "– not shown",
                "p of dependence": format_p_value(own.dependence_p_value, alpha=own.alpha),
                "furthest apart at": f"{own.largest_contrast_at:g}",
                "p of all examples": format_p_value(own.p_value_of_all, alpha=own.alpha),
                "smallest p of a part": format_p_value(own.smallest_p_value, alpha=own.alpha),
                "there": f"{own.smallest_at[0]} {own.smallest_at[1]:g}",
                "without a value": f"{own.n_missing:,} of {own.n_missing + own.n_examples:,}",
            }
            for own in studies.values()
        ]
    )
    if not any(own.n_missing for own in studies.values()):
        frame = frame.drop(columns="without a value")
    meaning = (
        "“Depends” compares the two sides of each cut-off with sides made by assigning the covariate "
        "at random: one p-value per dataset, for all cut-offs together. A small p-value on one part is "
        "no sign of dependence: many parts are tested, and small ones have little power."
    )
    return (
        Paragraph(text=cut_offs_sentence(studies, complete=complete), tone="strong"),
        Table(frame=frame, name="cut-offs", of="dataset"),
        Paragraph(text=meaning, tone="quiet"),
    )


def cut_off_parts(study: CutOffStudy, *, name: str = "cut-off") -> tuple[Part, ...]:
    """One dataset along a numeric covariate, each cut-off and side; `name` is that of its chart."""
    own = cut_off_sentence(study)
    frame = frame_of(
        [
            {
                "examples with": f"{part['side']} {part['cut_off']:g}",
                "n": f"{part['n_examples']:,}",
                "A − B": minus(f"{part['difference']:+.4g}"),
                "p": format_p_value(part["p_value"], alpha=study.alpha),
                "p of random parts, 5–95%": " to ".join(
                    format_p_value(part[end]) for end in ("chance_low", "chance_high")
                ),
            }
            for part in study.to_frame().to_dict("records")
        ]
    )
    return (
        Paragraph(text=own),
        charted(name, "p-values along the covariate", own, cut_off_chart, study),
        Table(frame=frame, name="cut-off", of="part"),
        *take_away(study.to_frame, study.signature, name="cut-off", notes=study.notes),
    )


def cut_offs_sentence(studies: Mapping[str, CutOffStudy], *, complete: bool = True) -> str:
    """On which datasets the difference depends on the covariate."""
    some = next(iter(studies.values()))
    level, n, name = format_level(some.alpha), len(studies), display_name(some.covariate)
    depending = [dataset for dataset, study in studies.items() if study.depends]
    if n == 1:
        return f"{'' if complete or not some.complete else _STOPPED}{cut_off_sentence(some)}"
    done = complete and all(study.complete for study in studies.values())
    begun = "" if done else _STOPPED
    if not depending:
        return (
            f"{begun}No evidence on any of {n} datasets that the difference between A and B depends "
            f"on {name} (each tested alone at {level})."
        )
    p_values = np.array([study.dependence_p_value for study in studies.values()])
    rejected = identify_datasets(p_values, alpha=some.alpha).rejected.tolist()
    by_holm = [dataset for dataset, named in zip(studies, rejected, strict=True) if named]
    return (
        f"{begun}The difference between A and B depends on {name} on {len(depending)} of {n} datasets "
        f"({list_names(depending)}; p ≤ {level} each, tested alone). Allowing for {n} tests, Holm "
        f"identifies {list_names(by_holm) or 'none'}."
    )


def cut_off_sentence(study: CutOffStudy) -> str:
    """One dataset along a covariate."""
    name, level = display_name(study.covariate), format_level(study.alpha)
    written = partial(p_value_clause, alpha=study.alpha)
    own, (side, cut) = written(study.dependence_p_value), study.smallest_at
    said = f"no evidence that the difference depends on {name} ({own})"
    if study.depends:
        said = (
            f"the difference depends on {name} ({own}, all cut-offs together). The two sides differ "
            f"most at {study.largest_contrast_at:g}"
        )
    changes = f"Every part is on the same side of {level} as the whole."
    if study.verdict_changes:
        changes = f"Some parts have p ≤ {level} and others do not."
    begun = f"Stopped early, after {study.n_random:,} of {study.n_asked:,} random orders. "
    found = (
        f"{'' if study.complete else begun}{display_name(study.dataset)}: {said}. {changes} All "
        f"examples: {written(study.p_value_of_all)}."
    )
    if study.smallest_p_value > _NOTHING_FOR_A:
        return f"{found} No part favours A: swap A and B in the sidebar."
    return (
        f"{found} Choosing the cut-off after looking gives {written(study.smallest_p_value)} at {name} "
        f"{side} {cut:g} (not adjusted for that choice)."
    )


def runs_parts(studies: Mapping[str, RunStudy], *, complete: bool = True) -> tuple[Part, ...]:
    """On which datasets the verdict depends on which runs are compared."""
    # Averages over runs have every decimal of a floating-point number: the largest says how many count.
    unit = max(float(np.max(np.abs(study.differences))) for study in studies.values())
    rows = []
    for dataset, study in studies.items():
        share, level = study.variance.share_of_runs, format_level(study.alpha)
        gains = (float(study.differences.min()), float(study.differences.max()))
        p_values = (float(np.nanmin(study.p_values)), float(np.nanmax(study.p_values)))
        rows.append(
            {
                "dataset": display_name(dataset),
                "p, all together": starred(study.p_value, study.alpha),
                "variance from runs": "not known" if share is None else format_share(share),
                f"pairs with p ≤ {level}": f"{study.n_significant} of {study.n_pairs}",
                "A − B": number(study.difference, unit),
                "lowest to highest pair": " to ".join(number(gain, unit) for gain in gains),
                "smallest and largest p": " to ".join(
                    format_p_value(p, alpha=study.alpha) for p in p_values
                ),
            }
        )
    together = (
        "“All together” takes examples and runs as random samples: a claim about the systems, rather "
        "than about two trained models, needs this test. If runs and examples vary normally, it rejects "
        "at most α of true null hypotheses; with 2 runs it finds only large differences."
    )
    return (
        Paragraph(text=runs_sentence(studies, complete=complete), tone="strong"),
        Table(frame=frame_of(rows), name="runs", of="dataset"),
        Paragraph(text=together, tone="quiet"),
    )


def dataset_runs_parts(
    dataset: str, study: RunStudy, names_a: Sequence[str], names_b: Sequence[str]
) -> tuple[Part, ...]:
    """One dataset's pairs of runs: a row for each of A's, a column for each of B's."""
    columns = {"A's run, beside B's": [display_name(name) for name in names_a]}
    for name, p_values in zip(names_b, study.p_values.T.tolist(), strict=True):
        columns[free_heading(display_name(name), columns)] = [
            "–" if math.isnan(p) else starred(p, study.alpha) for p in p_values
        ]
    return (
        Paragraph(text=dataset_runs_sentence(dataset, study)),
        Table(frame=frame_of(columns), name="pairs-of-runs", of="run"),
        *take_away(study.to_frame, study.signature, name="runs", notes=study.notes),
    )


def runs_sentence(studies: Mapping[str, RunStudy], *, complete: bool = True) -> str:
    """On which datasets the verdict depends on the runs."""
    some = next(iter(studies.values()))
    level, n, among = format_level(some.alpha), len(studies), counted(len(studies), "dataset")
    depending = [dataset for dataset, study in studies.items() if study.depends_on_run]
    together = [d for d, study in studies.items() if is_at_most(study.p_value, study.alpha)]
    pairs = f"{some.n_runs_a} × {some.n_runs_b} pairs of runs"
    done = all(study.n_pairs == study.n_runs_a * study.n_runs_b for study in studies.values())
    where = "" if n == 1 else f", on each of {among}"
    found = f"All {pairs}{'' if done else ' compared'} are on the same side of p ≤ {level}{where}."
    if depending:
        found = (
            f"Whether p ≤ {level} depends on which of the {pairs} is compared on {len(depending)} of "
            f"{among}: {list_names(depending)}."
        )
    ended = complete and all(study.complete for study in studies.values())
    return (
        f"{'' if ended else _STOPPED}{found} With runs and examples taken together, p ≤ {level} on "
        f"{len(together)} of {n}{': ' + list_names(together) if together else ''} (each tested alone)."
    )


def dataset_runs_sentence(dataset: str, study: RunStudy) -> str:
    """One dataset's runs."""
    level = format_level(study.alpha)
    share = study.variance.share_of_runs
    luck = (
        ""
        if share is None
        else f" About {format_share(share)} of the variance of one pair's difference comes from the "
        "runs, the rest from the choice of examples."
    )
    return (
        f"{display_name(dataset)}: A is ahead in {study.n_a_ahead} of {study.n_pairs} pairs of "
        f"runs, with p ≤ {level} in {study.n_significant}.{luck}"
    )


def domains_parts(pairs: PairComparisons, *, alpha: float, source: str = "") -> tuple[Part, ...]:
    """How often a win on one dataset, the source or each in turn, holds on another."""
    found = across_domains(pairs, bins=bins_with(alpha), source=source)
    sentence = domains_sentence(found, alpha=alpha, complete=pairs.complete)
    chart = charted(
        "across-datasets", "Wins that hold on another dataset", sentence, domains_chart, found
    )
    printed = (
        "Berg-Kirkpatrick et al. (2012), Table 1: of parsers that differ on WSJ section 23 with p "
        "between .00125 and .0025, 97% kept their order on section 22, 95% on section 24 and 73% on "
        "the Brown corpus; with p between .04 and .08, 83%, 74% and 48%, no better than a coin."
    )
    table = Table(frame=domains_frame(found), name="across-datasets", of="bin")
    return (
        Paragraph(text=sentence, tone="strong"),
        *((chart, table) if any(own.n for own in found.bins) else ()),
        *notes_parts((*found.notes, *pairs.notes)),
        Paragraph(text=printed, tone="quiet"),
        Download(write=found.to_frame, name="across-datasets"),
        Signature(line=f"{pairs.signature} {found.signature}"),
    )


def bins_with(alpha: float) -> tuple[float, ...]:
    """The paper's bins of p, with the level as a further end."""
    return tuple(sorted({*BINS, alpha}))


def domains_sentence(found: DomainAgreement, *, alpha: float, complete: bool = True) -> str:
    """How often a win with a small p-value holds on other datasets."""
    begun = "" if complete else _STOPPED
    source, n = display_name(found.source), len(found.datasets)
    below = [own for own in found.bins if own.high <= alpha]
    cases, held = sum(own.n for own in below), sum(own.count for own in below)
    if not cases:
        where = f"on {source}" if source else f"on any of the {n} datasets"
        return f"{begun}No pair of systems has a win with p ≤ {format_level(alpha)} {where}."
    return (
        f"{begun}A system that wins with p ≤ {format_level(alpha)} on {source or 'one dataset'} is also "
        f"ahead on another in {format_share(held / cases)} of {counted(cases, 'case')} "
        f"({counted(found.n_pairs, 'pair')} of systems, {n} datasets)."
    )


def domains_frame(found: DomainAgreement) -> Frame:
    """A row for each bin of p that holds a win; from one dataset a column for each of the others."""
    bins = [own for own in found.bins if own.n_wins]
    columns: dict[str, list[str]] = {
        "p on one dataset": [bin_label(own.low, own.high) for own in bins],
        "wins": [f"{own.n_wins:,}" for own in bins],
        "cases": [f"{own.n:,}" for own in bins],
        "sign holds": [format_share(own.rate) if own.n else "–" for own in bins],
        "95% interval": [
            " to ".join(map(format_share, own.confidence_interval)) if own.n else "–"
            for own in bins
        ],
        "tied there": [f"{own.n_tied:,}" for own in bins],
    }
    for target, on_it in found.by_target.items():
        columns[free_heading(display_name(target), columns)] = [
            f"{own.count:,} of {own.n:,}" for own in on_it if own.n_wins
        ]
    return frame_of(columns)

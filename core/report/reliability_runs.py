"""What another seed does to a verdict, and whether a win holds on other datasets, in words."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..reliability.across_domains import BINS, DomainAgreement
from ..reliability.repeated_runs import RunStudy
from ..replicability.decision import at_most
from .formatting import (
    display_name,
    format_level,
    format_p_value,
    format_share,
    list_names,
    signed,
)
from .reliability_choices import n_datasets

if TYPE_CHECKING:
    import pandas as pd

HOW_TO_HAVE_RUNS = (
    "These data have one run of each system. Load scores of several runs on the same examples, "
    "with a column named seed or run, and this section shows how much of a difference is luck of "
    "the seed."
)
WHERE_RUNS_ARE = (
    "One run of the file was chosen when it was loaded, so that there is no other to compare with. "
    "Load the file again and choose to average its runs: this section then compares each of them."
)
WHAT_TOGETHER_IS = (
    "“All together” takes examples and runs as drawn at random. Its null hypothesis is about further "
    "runs on further examples: a claim about the systems, rather than about two trained models, needs "
    "this test. It allows for how few runs there are: where runs and examples vary normally it "
    "rejects at most α of true null hypotheses, and with 2 runs it finds large differences only."
)
PRINTED_DOMAINS = (
    "Berg-Kirkpatrick et al. (2012), Table 1: parsers that differ on WSJ section 23 with "
    "p between .00125 and .0025 kept their order on the Brown corpus in 73% of pairs; with p between "
    ".04 and .08 in 48%, no better than a coin."
)


def runs_sentence(studies: Mapping[str, RunStudy], *, complete: bool = True) -> str:
    """On which datasets the verdict hangs on the runs.

    Parameters
    ----------
    studies : mapping of dataset to RunStudy
        What is known.
    complete : bool
        Whether every dataset asked for is among them.
    """
    some = next(iter(studies.values()))
    level, n = format_level(some.alpha), len(studies)
    hanging = [dataset for dataset, study in studies.items() if study.hangs_on_runs]
    together = [d for d, study in studies.items() if _reaches(study.p_value, study.alpha)]
    pairs = f"{some.n_runs_a} × {some.n_runs_b} pairs of runs"
    stopped = not complete or any(not study.complete for study in studies.values())
    begun = "Stopped early. " if stopped else ""
    done = all(study.n_pairs == study.n_runs_a * study.n_runs_b for study in studies.values())
    if hanging:
        found = (
            f"Whether p ≤ {level} depends on which of the {pairs} is compared on {len(hanging)} of "
            f"{n_datasets(n)}: {list_names(hanging)}."
        )
    elif not done:
        found = (
            f"The pairs of runs that were compared, of {pairs} on each dataset, are on the same "
            f"side of p ≤ {level}."
        )
    else:
        where = "" if n == 1 else f", on each of {n_datasets(n)}"
        found = f"All {pairs} are on the same side of p ≤ {level}{where}."
    return (
        f"{begun}{found} With runs and examples taken together, p ≤ {level} on {len(together)} of "
        f"{n}{': ' + list_names(together) if together else ''} (each tested alone)."
    )


def dataset_runs_sentence(dataset: str, study: RunStudy) -> str:
    """One dataset's runs."""
    level = format_level(study.alpha)
    share = study.variance.share_of_runs
    luck = (
        ""
        if share is None
        else f" About {format_share(share)} of the variance of one pair's difference is from run "
        "to run, the rest of the choice of examples."
    )
    return (
        f"{display_name(dataset)}: A is ahead in {study.n_a_ahead} of {study.n_pairs} pairs of "
        f"runs, with p ≤ {level} in {study.n_significant}.{luck}"
    )


def decimals_for(studies: Mapping[str, RunStudy]) -> int:
    """Decimals that tell three digits of the largest difference, 3 to 6 of them.

    Averages over runs have as many decimals as a floating-point number has: the data do not say
    how many to print.
    """
    largest = max(float(np.max(np.abs(study.differences))) for study in studies.values())
    return 6 if largest <= 0.0 else min(6, max(3, 2 - math.floor(math.log10(largest))))


def runs_frame(studies: Mapping[str, RunStudy]) -> pd.DataFrame:
    """A row for each dataset, what is to be known first."""
    import pandas as pd

    decimals = decimals_for(studies)

    some = next(iter(studies.values()))
    level, own = format_level(some.alpha), list(studies.values())
    return pd.DataFrame(
        {
            "dataset": [display_name(dataset) for dataset in studies],
            "p, all together": [_starred(study.p_value, study.alpha) for study in own],
            "variance from runs": [
                "not known"
                if study.variance.share_of_runs is None
                else format_share(study.variance.share_of_runs)
                for study in own
            ],
            f"pairs with p ≤ {level}": [
                f"{study.n_significant} of {study.n_pairs}" for study in own
            ],
            "A − B": [signed(study.difference, decimals) for study in own],
            "lowest to highest pair": [
                f"{signed(float(study.differences.min()), decimals)} to "
                f"{signed(float(study.differences.max()), decimals)}"
                for study in own
            ],
            "smallest and largest p": [
                f"{_p(float(np.nanmin(study.p_values)), study.alpha)} to "
                f"{_p(float(np.nanmax(study.p_values)), study.alpha)}"
                for study in own
            ],
        }
    )


def pairs_frame(study: RunStudy, names_a: Sequence[str], names_b: Sequence[str]) -> pd.DataFrame:
    """The p-value of each pair of runs: a row for each of A's, a column for each of B's."""
    import pandas as pd

    columns = {"A's run, beside B's": [display_name(name) for name in names_a]}
    for j, name in enumerate(names_b):
        heading = display_name(name)
        # Long names may be cut to the same; a table's headings must differ.
        while heading in columns:
            heading += "\u200b"
        columns[heading] = [
            "–" if np.isnan(p) else _starred(float(p), study.alpha) for p in study.p_values[:, j]
        ]
    return pd.DataFrame(columns)


def bins_with(alpha: float) -> tuple[float, ...]:
    """The paper's bins of p, with the level as a further end."""
    return tuple(sorted({*BINS, alpha}))


def domains_sentence(found: DomainAgreement, *, alpha: float, complete: bool = True) -> str:
    """How often a win with a small p-value holds on other datasets."""
    begun = "" if complete else "Stopped early. "
    below = [own for own in found.bins if own.high <= alpha]
    cases = sum(own.n for own in below)
    if not cases:
        return (
            f"{begun}Among {found.n_datasets} datasets no pair of systems has a win with p ≤ "
            f"{format_level(alpha)} whose sign could be looked for on another."
        )
    held = sum(own.count for own in below)
    return (
        f"{begun}Of a win with p ≤ {format_level(alpha)} on one dataset, the sign holds on another in "
        f"{format_share(held / cases)} of {cases:,} cases ({found.n_pairs:,} "
        f"{'pair' if found.n_pairs == 1 else 'pairs'} of systems, {found.n_datasets} datasets)."
    )


def domains_frame(found: DomainAgreement) -> pd.DataFrame:
    """A row for each bin of p that holds a win."""
    import pandas as pd

    bins = [own for own in found.bins if own.n_wins]

    return pd.DataFrame(
        {
            "p on one dataset": [bin_label(own.low, own.high) for own in bins],
            "wins": [f"{own.n_wins:,}" for own in bins],
            "cases": [f"{own.n:,}" for own in bins],
            "sign holds": [format_share(own.rate) if own.n else "–" for own in bins],
            "95% interval": [
                f"{format_share(own.confidence_interval[0])} to "
                f"{format_share(own.confidence_interval[1])}"
                if own.n
                else "–"
                for own in bins
            ],
            "tied there": [f"{own.n_tied:,}" for own in bins],
        }
    )


def bin_label(low: float, high: float) -> str:
    """A bin of p-values: "≤ .00125", ".01–.02"."""
    return f"≤ {format_level(high)}" if low == 0.0 else f"{format_level(low)}–{format_level(high)}"


def _reaches(p_value: float, alpha: float) -> bool:
    return bool(at_most(np.array([p_value]), alpha)[0])


def _starred(p_value: float, alpha: float) -> str:
    return f"{'★' if _reaches(p_value, alpha) else '–'} {_p(p_value, alpha)}"


def _p(p_value: float, alpha: float) -> str:
    return format_p_value(p_value, alpha=alpha)

"""What simulated scenarios are called and mean, in words that need no knowledge of the paper."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from scipy.special import ndtr, ndtri

from core.report.formatting import format_level, format_percent, minus


class ScenarioWords(NamedTuple):
    """A scenario's name, and what is true in it."""

    title: str
    meaning: str


SCENARIO_WORDS: Mapping[str, ScenarioWords] = MappingProxyType(
    {
        "toy-1": ScenarioWords(
            "The paper's first example: 100 independent datasets, no difference",
            "From the paper by Dror et al. (2017). A and B are equally good on all 100 datasets, and "
            "no dataset says anything about another. Every counted win is wrong.",
        ),
        "toy-2": ScenarioWords(
            "The paper's second example: 100 datasets, 66 of them dependent",
            "From the paper by Dror et al. (2017). A and B are equally good on all. Two groups of 33 rise and fall "
            "together, weakly (ρ = .2) and more strongly (ρ = .5); 34 stand alone.",
        ),
        "one-factor": ScenarioWords(
            "100 datasets that all rise and fall together",
            "A and B are equally good on all 100 datasets, and any two of these are correlated by "
            "ρ = .5, as where one lucky training run is tested on all of them.",
        ),
        "test-sets": ScenarioWords(
            "12 datasets on 4 shared test sets",
            "Three datasets share each test set, as the 12 pairs of source and target domains of "
            "sentiment analysis share 4 target domains. Those that share one are correlated by "
            "ρ = .5. A and B are equally good on all.",
        ),
        "union": ScenarioWords(
            "12 datasets, one of them the union of two others",
            "One dataset holds all examples of two others (203 and 252), as the word-similarity "
            "list WS-353 holds its two parts; 9 more stand alone. A and B are equally good on all.",
        ),
        "mcnemar": ScenarioWords(
            "20 small datasets: McNemar's test on 30 examples",
            "Each dataset has 30 examples, and the systems differ on one in five of them. So few "
            "differing examples allow only a few p-values, which makes every count cautious. A and "
            "B are equally good on all.",
        ),
        "own": ScenarioWords(
            "Build your own",
            "Blocks of datasets that are alike: how many, how far they depend on each other, and "
            "whether A is better there.",
        ),
        "data": ScenarioWords(
            "Like my data, without a difference",
            "The results that are loaded, with A and B exchanged at random on each example: A and B "
            "are then equally good everywhere, and examples, sizes and overlaps stay as they are.",
        ),
    }
)

BLOCKS_HELP = (
    "Datasets of one block depend on each other; different blocks are independent. Ten blocks of ten "
    "are a hundred datasets."
)
RHO_HELP = (
    "How far any two datasets of a block depend on each other: 0 not at all, 1 completely. "
    "Datasets that share examples, or one training run, are dependent."
)
EFFECT_HELP = (
    "Whether A is better on the datasets of these blocks, and how clearly. A shift of z is the "
    "expected difference in units of its own standard error."
)
ONE_FACTOR_HELP = (
    "Off: blocks are independent of each other, ρ counts within each. On: one cause moves all "
    "blocks, so that datasets of different blocks are correlated too."
)
SHARE_HELP = (
    "On what share of the examples exactly one of the two systems is right. The same difference in "
    "accuracy is clearer the less the systems differ otherwise."
)
SEED_HELP = "Where the random numbers come from: the same seed gives the same studies again."


def chance_of_a_win(shift: float, *, alpha: float) -> float:
    """P(p <= alpha) on one dataset whose z is shifted so far."""
    return float(ndtr(shift + float(ndtri(alpha))))


def shift_sentence(shift: float, *, alpha: float) -> str:
    """State what a shift of z means for one dataset."""
    chance = format_percent(chance_of_a_win(shift, alpha=alpha))
    level = format_level(alpha)
    if shift == 0.0:
        return f"No difference: p ≤ {level} comes up by chance in {chance} of studies."
    who = "A is truly better" if shift > 0.0 else "B is truly better"
    return (
        f"{who}; z is shifted by {minus(f'{shift:.3g}')}: one such dataset has p ≤ {level} in "
        f"{chance} of studies."
    )


def my_data_sentence(
    *, n_datasets: int, n_shared: int, n_units: tuple[int, ...], n_rounded: int
) -> str:
    """State what was made of one's own data."""
    sizes = f"{min(n_units):,} to {max(n_units):,}" if n_units else "no"
    parts = [
        f"Like your data: {n_datasets} dataset{'s' if n_datasets != 1 else ''}, on which A and B "
        f"differ on {sizes} examples or groups of examples."
    ]
    if n_shared:
        parts.append(
            f"{n_shared:,} of these stand in more than one dataset and keep what they say there "
            "together."
        )
    else:
        parts.append(
            "None of these stands in more than one dataset: here the datasets are independent."
        )
    if n_rounded:
        parts.append(
            f"On {n_rounded} dataset{'s' if n_rounded != 1 else ''} the p-values are those of "
            "differences rounded finely, which are valid too."
        )
    return " ".join(parts)

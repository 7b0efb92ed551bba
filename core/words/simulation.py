"""What simulated scenarios and counts are called, one simulated study, and how many datasets a claim takes."""

import math
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from ..reliability.power import StatedEffect, power_at
from ..replicability.combinations import combination_named, counting_method_named
from ..replicability.counting import chance_of_a_false_win
from ..simulation.batch import estimator_names
from ..simulation.like_my_data import LikeMyData
from ..simulation.results import Mean, Rate, Simulation
from ..simulation.runs import Draw
from ..simulation.scenarios import MOST_EXAMPLES, shift_of
from ..validation import at_most, check_choice, is_at_most
from .counting import Tile, titles_needing_independence
from .formatting import (
    counted,
    format_level,
    format_p_value,
    format_percent,
    list_names,
    minus,
    sentence_case,
)

# Of fewer studies a share says less than the two numbers.
FEWEST_FOR_SHARES = 200


def estimator_name(estimator: str, *, alpha: float) -> str:
    """Write "Fisher", or "count of one-sided p ≤ .05"."""
    if estimator == "count":
        return f"count of one-sided p ≤ {format_level(alpha)}"
    return counting_method_named(estimator).title


def rate_without_effects(estimator: str, n_datasets: int, *, alpha: float) -> float:
    """P(k̂ > 0) on N independent datasets without a difference, p-values uniform."""
    check_choice(estimator, estimator_names(), name="estimator")
    if estimator == "count":
        return chance_of_a_false_win(n_datasets, alpha=alpha)
    return combination_named(estimator).local.size(n_datasets, alpha)


def interval_text(interval: tuple[float, float]) -> str:
    """Write an interval of shares as ".0203 to .0426"."""
    return " to ".join(map(format_p_value, interval))


def rate_text(share: float, *, level: float | None = None) -> str:
    """A share of studies as ".0488", with the digits that tell it from the level."""
    text = format_p_value(share, alpha=level)
    is_level = level is None or text != format_p_value(level) or is_at_most(level, share)
    return text if is_level else f"{share:.6g}".removeprefix("0")


def percent(share: float, *, level: float | None = None) -> str:
    """A share as tables write it in per cent, "4.88%", never on the other side of the level."""
    text = rate_text(share, level=level)
    if text.startswith("<"):
        return "less than 0.01%"
    return "more than 99.99%" if text.startswith(">") else f"{float(text) * 100.0:.10g}%"


def how_often(rate: Rate, *, level: float | None = None) -> str:
    """Write "4.3%", or "1 of 20" of few studies."""
    if rate.n < FEWEST_FOR_SHARES:
        return f"{rate.count} of {rate.n}"
    return percent(rate.rate, level=level)


def with_ends(label: str, found: Rate | Mean) -> dict[str, float]:
    """A simulated number and the ends of its interval, as columns that are taken away."""
    low, high = found.confidence_interval
    value = found.rate if isinstance(found, Rate) else found.value
    return {label: value, f"{label}_low": low, f"{label}_high": high}


def with_intervals(numbers: Mapping[str, Rate | Mean]) -> dict[str, str]:
    """Simulated shares as a table shows them, and behind them all their 95% intervals."""
    values = {
        label: format_p_value(found.rate if isinstance(found, Rate) else found.value)
        for label, found in numbers.items()
    }
    intervals = {
        "95% interval" if len(numbers) == 1 else f"{label}, 95%": interval_text(
            found.confidence_interval
        )
        for label, found in numbers.items()
    }
    return values | intervals


class ScenarioWords(NamedTuple):
    """A scenario's name, and what is true in it."""

    title: str
    meaning: str


SCENARIO_WORDS: Mapping[str, ScenarioWords] = MappingProxyType(
    {
        "toy-1": ScenarioWords(
            "The paper's first example: 100 independent datasets",
            "From the paper by Dror et al. (2017). A and B are equally good on all 100 datasets, and "
            "these are independent. Every counted win is wrong.",
        ),
        "toy-2": ScenarioWords(
            "The paper's second example: 66 of 100 dependent",
            "From the paper by Dror et al. (2017). A and B are equally good on all. "
            "Datasets are correlated within two groups of 33 (ρ = .2 and ρ = .5); the other 34 are independent.",
        ),
        "one-factor": ScenarioWords(
            "100 datasets, all of them correlated",
            "A and B are equally good on all 100 datasets, and any two of these are correlated by "
            "ρ = .5, as where one lucky training run is tested on all of them.",
        ),
        "test-sets": ScenarioWords(
            "Datasets on shared test sets",
            "Several datasets share each test set, as the 12 pairs of source and target domains of "
            "sentiment analysis share 4 target domains, three each. Those that share one are "
            "correlated by ρ.",
        ),
        "union": ScenarioWords(
            "12 datasets, one of them the union of two others",
            "One dataset holds all examples of two others (203 and 252), as the word-similarity "
            "list WS-353 holds its two parts; 9 more are independent. A and B are equally good on all.",
        ),
        "mcnemar": ScenarioWords(
            "Small datasets: McNemar's exact test",
            "Each dataset has so many examples, and on a share of these exactly one of the systems "
            "is right. Few differing examples allow only a few p-values, which makes every count "
            "cautious.",
        ),
        "own": ScenarioWords(
            "Build your own",
            "Blocks of datasets that are alike: how many, how far they depend on each other, and "
            "whether A is better there.",
        ),
        "data": ScenarioWords(
            "Like my data, without a difference",
            "The results that are loaded, with A and B exchanged at random on each example: A and B "
            "are then equally good everywhere. Examples and sizes stay as they are, and overlaps as "
            "far as the file tells which examples are the same.",
        ),
    }
)

RHO_HELP = (
    "How far any two datasets of a block depend on each other: 0 not at all, 1 completely. "
    "Datasets that share examples, or one training run, are dependent."
)
PLAN_WORDS = (
    "Planning has studies of its own, not those of the scenario above: A is better on a share of "
    "the datasets, and one factor over all of them makes any two depend on each other by ρ."
)
TERMS = (
    "A and B are two systems, compared on several datasets. k is the true number of wins of A, "
    "which is known here; k̂ (“k hat”) is the number that a count claims."
)
SHARE_HELP = (
    "On what share of the examples exactly one of the two systems is right. The same difference in "
    "accuracy is clearer the less the systems differ otherwise."
)
SEED_HELP = "Where the random numbers come from: the same seed gives the same studies again."


def shift_sentence(shift: float, *, alpha: float) -> str:
    """State what a shift of z means for one dataset."""
    from scipy.special import ndtr, ndtri

    chance = format_percent(float(ndtr(shift + ndtri(alpha))))
    level = format_level(alpha)
    if shift == 0.0:
        return f"No difference: p ≤ {level} comes up by chance in {chance} of studies."
    who = "A is truly better" if shift > 0.0 else "B is truly better"
    return (
        f"{who}; z is shifted by {minus(f'{shift:.3g}')}: one such dataset has p ≤ {level} in "
        f"{chance} of studies."
    )


# Below so many differing examples a normal approximation says too much.
FEW_DIFFERING = 50


def accuracy_sentence(
    difference: float, n_examples: int, share_differing: float, *, alpha: float, exactly: bool
) -> str:
    """State what a difference in accuracy means for one dataset, and how that is known.

    `exactly`: McNemar's exact p-values are drawn, rather than shifted normals.
    """
    level, exact = format_level(alpha), ""
    if abs(difference) <= share_differing and n_examples <= MOST_EXAMPLES:
        stated = StatedEffect(
            effect=difference, test="mcnemar", alpha=alpha, disagreement=share_differing
        )
        exact = format_percent(float(power_at(stated, n_examples).power[0]))
    if exactly:
        who = "A is truly better" if difference > 0.0 else "No difference"
        if not exact:
            return f"{who}: p-values of McNemar's exact test are drawn here."
        return (
            f"{who}: one such dataset has p ≤ {level} by McNemar's exact test, which is drawn here, "
            f"in {exact} of studies."
        )
    shift = shift_sentence(shift_of(difference, n_examples, share_differing), alpha=alpha)
    also, differing = f"; by McNemar's exact test it is {exact}", share_differing * n_examples
    few = f". With about {differing:.3g} differing examples it overstates how often p is small"
    return (
        f"{shift} That is a normal approximation{also if exact else ''}"
        f"{few if differing < FEW_DIFFERING else ''}."
    )


def drawing_sentence(*, rho: float, share_differing: float) -> str:
    """State how p-values are drawn along a curve of differences in accuracy."""
    if rho == 0.0:
        return (
            f"p-values are McNemar's exact ones up to {MOST_EXAMPLES:,} examples, and a normal "
            "approximation beyond."
        )
    few = math.ceil(FEW_DIFFERING / share_differing)
    return (
        "For dependent datasets, p-values come from a normal approximation. It overstates power below "
        f"about {few:,} examples, of which fewer than {FEW_DIFFERING} differ."
    )


def claim_note(heading: str) -> str:
    """Say what simulations show of a claim at a margin, and what has no form there."""
    return (
        f"The claim of the sidebar is “{heading}”. Counts and names know p-values alone, so what "
        "these studies show of “better” holds for it as well: read k as the number of datasets "
        "where the claim is true. “Like my data” exchanges A and B, which says that neither is "
        "better, so it has no form at a margin."
    )


def my_data_sentence(made: LikeMyData) -> str:
    """State what was made of one's own data, and what is not known of it."""
    n, low, high = made.n_datasets, int(made.n_units.min()), int(made.n_units.max())
    sizes = f"{low:,}" if low == high else f"{low:,} to {high:,}"
    shared = "None of these is in more than one dataset, so the datasets are independent. " * (
        n > 1
    )
    if made.n_shared:
        others = "We cannot tell this for the others; they are simulated as different ones. "
        shared = (
            f"{made.n_shared:,} of these are in more than one dataset and are swapped in all of them "
            f"together. {others * made.may_share_more}"
        )
    elif made.may_share_more:
        shared = (
            "We cannot tell from this file whether datasets share examples; they are simulated as if "
            f"they did not. With shared examples {list_names(titles_needing_independence())} may be too "
            "high more often. "
        )
    n_inexact = int((~made.is_exact).sum())
    inexact = (
        f" On {counted(n_inexact, 'dataset')} they use finely rounded differences, or how far each "
        "example moves a score that is no mean: also valid, but slightly different from those of the "
        "score itself."
    )
    return (
        f"Like your data: {counted(n, 'dataset')}, on which A and B differ on {sizes} examples or "
        f"groups of examples. {shared}p-values come from exact sign flips: A and B are swapped on each "
        "example (McNemar's exact test for 0/1 outcomes). This may differ from the test chosen under "
        f"Tests.{inexact if n_inexact else ''}"
    )


def draw_sentence(draw: Draw) -> str:
    """State which study it is and what is true in it."""
    small = int(at_most(draw.p_values, draw.alpha).sum())
    wrong = "" if draw.k else ", so every counted win is wrong"
    return (
        f"Study {draw.repetition + 1:,} (seed {draw.seed}): {counted(draw.p_values.size, 'dataset')} (true "
        f"wins: {draw.k or 'none'}{wrong}), {small:,} with a one-sided p ≤ {format_level(draw.alpha)}."
    )


def draw_tiles(
    draw: Draw, simulation: Simulation, estimators: Iterable[str] | None = None
) -> tuple[Tile, ...]:
    """What each count claims of the study, whether that is too much, and how often so far."""
    tiles, n = [], draw.p_values.size
    for name in draw.k_hat if estimators is None else estimators:
        rate, claimed, guaranteed = simulation.overcount(name), draw.k_hat[name], name != "count"
        verdict = f"{claimed - draw.k:,} too many" if claimed > draw.k else "not too many"
        studies = "study" if rate.n == 1 else "studies"
        so_far = f"too many in {rate.count:,} of {rate.n:,} {studies} so far"
        so_far = "no count can be too high" if draw.k == n else so_far
        figure = f"at least {claimed}" if claimed else "none shown"
        tiles.append(
            Tile(
                heading=sentence_case(estimator_name(name, alpha=draw.alpha)),
                figure=figure if guaranteed else f"{claimed:,} of {n:,}",
                detail=f"{verdict} (truth: {draw.k:,}); {so_far}",
                guaranteed=guaranteed,
            )
        )
    return tuple(tiles)


def draw_alt(draw: Draw, estimators: Iterable[str] | None = None) -> str:
    """The chart of one study in words."""
    counts = ", ".join(
        f"{counting_method_named(name).title} counts {draw.k_hat[name]}"
        for name in (draw.k_hat if estimators is None else estimators)
        if name != "count"
    )
    return f"The p-values of one study, sorted, against α. {draw_sentence(draw)} {counts}."

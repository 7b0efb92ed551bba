"""What simulated scenarios and counts are called, one simulated study, and how many datasets a claim takes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from ..reliability.power import StatedEffect, power_at
from ..replicability.combinations import combination_named, combination_names, counting_method_named
from ..replicability.counting import chance_of_a_false_win
from ..simulation.batch import estimator_names
from ..simulation.like_my_data import LikeMyData, Measure
from ..simulation.planning import DatasetsNeeded, PowerCurve
from ..simulation.results import Mean, Rate, Simulation
from ..simulation.runs import Draw
from ..simulation.scenarios import MOST_EXAMPLES, shift_of
from ..validation import at_most, check_choice, is_at_most
from .counting import Tile, titles_needing_independence
from .formatting import (
    Frame,
    counted,
    format_level,
    format_p_value,
    format_percent,
    frame_of,
    joined,
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

BLOCKS_HELP = (
    "Datasets of one block depend on each other; different blocks are independent. Ten blocks of ten "
    "are a hundred datasets."
)
RHO_HELP = (
    "How far any two datasets of a block depend on each other: 0 not at all, 1 completely. "
    "Datasets that share examples, or one training run, are dependent."
)
PLAN_RHO_HELP = (
    "How far any two datasets of a study depend on each other, through one factor that moves them "
    "all: 0 not at all, 1 completely."
)
PLAN_WORDS = (
    "Planning has studies of its own, not those of the scenario above: A is better on a share of "
    "the datasets, and one factor over all of them makes any two depend on each other by ρ."
)
TERMS = (
    "A and B are two systems, compared on several datasets. k is the true number of wins of A, "
    "which is known here; k̂ (“k hat”) is the number that a count claims."
)
EFFECT_HELP = (
    "Whether A is better on the datasets of these blocks, and how clearly. A shift of z is the "
    "expected difference in units of its own standard error."
)
EXAMPLES_HELP = (
    "Of each test set. Their differences are drawn, so that joint flips of shared examples count as "
    "well. 0: only z is drawn, which is faster and has no joint counts."
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


_MEASURED: Mapping[Measure, str] = MappingProxyType(
    {
        "difference": "finely rounded differences",
        "correlation": "how far each example moves the correlation, to first order",
        "metric": "how far each example moves the score, to first order",
    }
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
        f" On {counted(n_inexact, 'dataset')} they use {_MEASURED[made.measure]}: also valid, but "
        "slightly different from those of the score itself."
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
    draw: Draw,
    simulation: Simulation,
    estimators: Iterable[str] | None = None,
    *,
    known: bool = False,
) -> tuple[Tile, ...]:
    """What each count claims of the study, whether that is too much, and how often so far."""
    tiles, n = [], draw.p_values.size
    for name in draw.k_hat if estimators is None else estimators:
        rate, claimed, guaranteed = simulation.overcount(name), draw.k_hat[name], name != "count"
        verdict = f"{claimed - draw.k:,} too many" if claimed > draw.k else "not too many"
        times = f"{rate.count:,} of {rate.n:,} stud{'y' if rate.n == 1 else 'ies'} so far"
        so_far = "no count can be too high" if draw.k == n else f"too many in {times}"
        so_far = f"{verdict} (truth: {draw.k:,}); {so_far}"
        if known:
            theory = rate_without_effects(name, n, alpha=draw.alpha)
            so_far = f"wrong in {times}; in theory {100.0 * theory:.3g}%"
        heading = sentence_case(estimator_name(name, alpha=draw.alpha))
        figure = f"at least {claimed}" if claimed else "none shown"
        tiles.append(
            Tile(
                heading=f"With a guarantee ({heading})" if known and guaranteed else heading,
                figure=figure if guaranteed else f"{claimed:,} of {n:,}",
                detail=so_far,
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


STOPPED = "Stopped before the end: what is shown is what was done."


def power_sentence(curve: PowerCurve, *, quantity: str, target: float) -> str:
    """State from where on each count makes the claim often enough."""
    points, stopped = curve.true_points, "" if curve.complete else f" {STOPPED}"
    if not points:
        return (
            "The claim is false at every point of the curve: A is better on fewer datasets. Making it "
            f"would be an error.{stopped}"
        )
    claims = sorted({point.at_least for point in points})
    claim = f"{claims[0]}" if len(claims) == 1 else f"{claims[0]} to {claims[-1]}"
    parts = []
    for name in combination_names():
        by = f"{combination_named(name).title}{_caution(name in curve.proved)}"
        rates = [point.power[name] for point in points]
        # From there on, to the end of the curve.
        below = [i for i, rate in enumerate(rates) if rate.rate < target]
        first = below[-1] + 1 if below else 0
        if first < len(points):
            parts.append(f"{by} {points[first].value:,.10g}")
        else:
            parts.append(f"{by} none up to {points[-1].value:,.10g} ({how_often(rates[-1])} there)")
    n_wrong = len(curve.points) - len(points)
    wrong = (
        f" {n_wrong} {'point is' if n_wrong == 1 else 'points are'} left out: the claim is false "
        "there, as A is better on fewer datasets."
    )
    return (
        f"Smallest {quantity} from which at least {format_percent(target)} of studies claim “on at least "
        f"{claim}”: {joined(parts)} ({curve.n_repetitions:,} studies for each point)."
        f"{wrong if n_wrong else ''}{stopped}"
    )


def _caution(guaranteed: bool) -> str:
    return "" if guaranteed else " (no guarantee here)"


def power_table(curve: PowerCurve, *, quantity: str) -> Frame:
    """A row for each point: what is claimed, whether that is true, and how often by each count."""
    rows = []
    for point in curve.points:
        row: dict[str, object] = {
            quantity: int(point.value) if float(point.value).is_integer() else point.value,
            "datasets": point.n_datasets,
            "A better on": point.k,
            "claim: at least": point.at_least,
            "claim is": "true" if point.is_true else "wrong",
        }
        row |= with_intervals(
            {estimator_name(n, alpha=curve.alpha): point.power[n] for n in estimator_names()}
        )
        row["guaranteed by"] = ", ".join(combination_named(name).title for name in point.proved)
        rows.append(row)
    return frame_of(rows)


def needed_sentence(needed: DatasetsNeeded) -> str:
    """State how many datasets the claim takes, with what simulation leaves open."""
    name = estimator_name(needed.estimator, alpha=needed.alpha) + _caution(needed.guaranteed)
    claim = (
        f"“on at least {needed.at_least}” is claimed by {name} in at least "
        f"{format_percent(needed.power)} of studies"
    )
    first, lasting = needed.n_datasets, needed.lasting
    if needed.least is None:
        return (
            f"Up to {needed.most:,} datasets, A is better on fewer than {needed.at_least}: the claim "
            "would be false. Choose a larger share of datasets with an effect, or a smaller claim."
        )
    if not needed.complete:
        return f"The search was stopped before it found with how many datasets {claim}."
    if first is None:
        largest = max(needed.tried)
        return (
            f"{needed.most:,} datasets are not enough: with {largest:,} the claim is made in "
            f"{how_often(needed.tried[largest])} of studies. A larger effect, a larger share of "
            "datasets with one, or a smaller claim would help."
        )
    if lasting == first:
        return f"From {counted(first, 'dataset')} on, {claim}. {_left_open(needed)}"
    then = f"not every larger number up to {needed.most:,} is enough"
    then = then if lasting is None else f"every number from {lasting:,} on is enough"
    return (
        f"{counted(first, 'dataset')} is the smallest number with which {claim}; {then}. Between them "
        f"one more dataset may be one without an effect. {_left_open(needed)}"
    )


def _left_open(needed: DatasetsNeeded) -> str:
    """What the intervals of the numbers tried leave of the first one."""
    on = f"{needed.n_repetitions:,} studies for each number tried, 95% intervals"
    if needed.low is not None and needed.low == needed.high:
        return f"The simulation rules out every other smallest number ({on})."
    low = "fewer" if needed.low is None else f"{needed.low:,}"
    high = f"more than {needed.most:,}" if needed.high is None else f"{needed.high:,}"
    return f"The smallest number lies between {low} and {high} ({on})."


def needed_table(needed: DatasetsNeeded) -> Frame:
    """A row for each number of datasets that was tried."""
    tried = needed.tried.items()
    return frame_of([{"datasets": n, **with_intervals({"power": rate})} for n, rate in tried])

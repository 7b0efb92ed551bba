"""Planning studies: how often a claim would be made, how many datasets and examples it takes."""

from __future__ import annotations

from typing import Any

from ..charts.simulation import power_chart
from ..comparison import comparison_named, written_margin
from ..reliability.power import SizePlan
from ..replicability.combinations import combination_named, combination_names
from ..significance.known_tests import significance_test_named
from ..simulation.batch import estimator_names
from ..simulation.planning import DatasetsNeeded, PowerCurve
from ..words.formatting import counted, format_level, format_percent, frame_of, joined
from ..words.simulation import estimator_name, how_often, with_intervals
from .parts import Paragraph, Part, Signature, Table, charted, signed_table, take_away

# In so many studies a claim should be made.
TARGET_POWER = 0.8


def power_parts(found: PowerCurve, *, quantity: str) -> tuple[Part, ...]:
    """How often a claim is made, against one quantity."""
    sentence = power_sentence(found, quantity=quantity, target=TARGET_POWER)
    look: Any = {"quantity": quantity, "target": TARGET_POWER}
    drawn = charted("power", "Power curves", sentence, power_chart, found, **look)
    rows = []
    for point in found.points:
        row: dict[str, object] = {
            quantity: int(point.value) if float(point.value).is_integer() else point.value,
            "datasets": point.n_datasets,
            "A better on": point.k,
            "claim: at least": point.at_least,
            "claim is": "true" if point.is_true else "wrong",
        }
        row |= with_intervals(
            {estimator_name(n, alpha=found.alpha): point.power[n] for n in estimator_names()}
        )
        row["guaranteed by"] = ", ".join(combination_named(name).title for name in point.proved)
        rows.append(row)
    return (
        Paragraph(text=sentence, tone="strong"),
        *((drawn,) if found.true_points else ()),
        *signed_table(
            frame_of(rows), found.signature, name="simulated-power", of="point", what="this curve"
        ),
    )


def power_sentence(curve: PowerCurve, *, quantity: str, target: float) -> str:
    """State from where on each count makes the claim often enough."""
    points, stopped = (
        curve.true_points,
        "" if curve.complete else " Stopped before the end: what is shown is what was done.",
    )
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


def needed_parts(found: DatasetsNeeded) -> tuple[Part, ...]:
    """How many datasets a claim takes."""
    sentence = Paragraph(text=needed_sentence(found), tone="strong")
    if not found.tried:
        return (sentence, Signature(line=found.signature))
    tried = found.tried.items()
    frame = frame_of([{"datasets": n, **with_intervals({"power": rate})} for n, rate in tried])
    return (sentence, *signed_table(frame, found.signature, name="datasets-needed", of="number"))


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


def plan_parts(found: SizePlan) -> tuple[Part, ...]:
    """How many examples a claim at a margin takes on one dataset."""
    stated, around = found.needed.stated, found.around
    how = f"It is computed for {stated.approximation}." if stated.approximation else ""
    if stated.disagreement is not None:
        how = "It sums the chances of all outcomes."
    note = (
        f"For one dataset by {significance_test_named(stated.test).called}, one-sided at α = "
        f"{format_level(stated.alpha)}. {how} A claim on several datasets needs a smaller α for "
        "each: with N datasets and Holm, α/N is enough."
    )
    frame = frame_of(
        {
            "examples": [f"{n:,}" for n in around.n_examples.tolist()],
            "claim shown": [format_percent(p) for p in around.power.tolist()],
            "shown where just false": [f"{100.0 * p:.2f}%" for p in around.attained_level.tolist()],
        }
    )
    return (
        Paragraph(text=_plan_sentence(found), tone="strong"),
        Table(frame=frame, name="examples-at-a-margin", of="size"),
        Paragraph(text=note, tone="quiet"),
        *take_away(found.to_frame, found.signature, name="examples-at-a-margin"),
    )


def _plan_sentence(plan: SizePlan) -> str:
    needed, stated = plan.needed, plan.needed.stated
    margin = written_margin(stated.margin, None if stated.disagreement is None else 100.0)
    claim = comparison_named(stated.claim).statement("A", "B", margin)
    share = format_percent(needed.power)
    if stated.disagreement is None:
        seen = f"the differences have standard deviation {stated.standard_deviation:.4g}"
        ahead = f"{abs(stated.effect):.4g}"
    else:
        seen = f"the systems differ on {format_percent(stated.disagreement)} of examples"
        ahead = written_margin(abs(stated.effect), 100.0)
    truth = (
        f"A is truly {'ahead of' if stated.effect > 0.0 else 'behind'} B by {ahead}"
        if stated.effect
        else "A and B are truly equal"
    )
    n = f"{needed.n_examples:,} examples show"
    if needed.n_examples is None:
        n = f"More than {needed.most:,} examples are needed to show"
    return f"{n} in {share} of studies that {claim}, if {truth} and {seen}."

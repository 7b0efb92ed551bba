"""Simulated studies, and how many datasets and examples a claim takes: shown by a page, printed by a report."""

from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from .. import charts
from ..analysis import Analysis
from ..charts.simulation import over_claims_chart, power_chart
from ..comparison import comparison_named, written_margin
from ..reliability.power import SizePlan
from ..replicability.combinations import combination_named, combination_names, counting_method_named
from ..replicability.counting import chance_of_a_false_win
from ..replicability.identification import procedure_named
from ..significance.known_tests import significance_test_named
from ..simulation.batch import estimator_names
from ..simulation.planning import DatasetsNeeded, OverClaimCurve, PowerCurve
from ..simulation.results import (
    IdentificationSimulation,
    Mean,
    OvercountRate,
    Position,
    Rate,
    Simulation,
)
from ..simulation.scenarios import Preset
from ..words.formatting import (
    Frame,
    about,
    counted,
    format_errors,
    format_level,
    format_p_value,
    format_percent,
    frame_of,
    joined,
    p_value_or_dash,
    sentence_case,
)
from ..words.simulation import (
    FEWEST_FOR_SHARES,
    estimator_name,
    how_often,
    interval_text,
    percent,
    rate_text,
    rate_without_effects,
    with_ends,
    with_intervals,
)
from .parts import (
    Download,
    Figure,
    Paragraph,
    Part,
    Signature,
    Table,
    charted,
    paragraphs,
    signed_table,
    stopped_parts,
    take_away,
)

# Under which an analysis holds what makes the parts of each simulation that was run.
STUDIES = "simulation"
Making = Callable[[], tuple[Part, ...]]
# Of the figures that the paper prints of its examples.
_PRINTED_ALPHA = 0.05
# Where a table has nothing to say.
NOTHING = "–"
# What a rate says of a promise, in a table, and after one way of counting or several.
_OUTCOMES: dict[Position | Literal["proved"], tuple[str, str, str]] = {
    "proved": ("proved", "keeps it, as theory says", "keep it, as theory says"),
    "below": ("held", "keeps it in this scenario", "keep it in this scenario"),
    "above": ("did not hold", "does not", "do not"),
    "around": (
        "not decided",
        "is not decided by so few studies",
        "are not decided by so few studies",
    ),
}


def simulation_parts(analysis: Analysis) -> tuple[Part, ...]:
    """All that was simulated; empty where nothing was."""
    made: Any = analysis.studies.get(STUDIES, ())
    return tuple(part for make in made for part in make())


def counts_parts(found: Simulation, *, title: str, independent_nulls: bool) -> tuple[Part, ...]:
    """How often each count claimed too many in the scenario of this title."""
    return (
        Paragraph(text=promise_sentence(found), tone="lead"),
        Paragraph(text=f"Scenario: {title}.", tone="quiet"),
        *stopped_parts(found.n_repetitions, found.n_asked, "studies"),
        histogram(found),
        *evidence_parts(found, independent_nulls=independent_nulls),
        *claim_parts(found, at_least=informative_claim(found)),
        Signature(line=found.signature),
    )


def histogram(found: Simulation, *, name: str = "simulated-counts") -> Figure:
    """The counts of all studies, by each way of counting."""
    said = promise_sentence(found)
    return charted(name, "Histograms of the counts", said, charts.k_hat_histograms, found)


def promise_to_come(alpha: float) -> str:
    """Say what a simulation will show."""
    return (
        "Simulate studies in which you know where A is better, and see how often each count is too "
        f"high. A count with a guarantee is too high in at most {format_errors(alpha)} of studies."
    )


def promise_sentence(simulation: Simulation) -> str:
    """State how often each count exceeded the truth, and whether it kept its promise."""
    n, alpha = simulation.n_repetitions, simulation.alpha
    begun = "In one simulated study" if n == 1 else f"In {n:,} simulated studies"
    datasets = counted(simulation.n_datasets, "dataset")
    studies = f"{begun} of {datasets} (true wins: {simulation.k or 'none'})"
    if simulation.k == simulation.n_datasets:
        return f"{studies}, no count can be too high."
    rate = simulation.overcount("count")
    counting = f"{studies}, the count of one-sided p ≤ {format_level(alpha)} was"
    if n == 1:
        high = "too high" if rate.count else "not too high"
        return f"{counting} {high}. A single study says nothing about how often."
    sentence = (
        f"{counting} too high in {how_often(rate, level=alpha)}. Counts with a guarantee promise at "
        f"most {format_errors(alpha)}: {_kept(simulation)}."
    )
    means = [
        f"{counting_method_named(name).title} {about(simulation.mean_k_hat(name).value)}"
        for name in simulation.guaranteed
    ]
    average = f" Average counts, where the truth is {simulation.k:,}: {joined(means)}."
    return sentence + average if simulation.k else sentence


def informative_claim(simulation: Simulation) -> int:
    """The largest true claim that some count with a guarantee makes in half of the studies, or 1."""
    powers = [simulation.reached(name)[: simulation.k] for name in simulation.guaranteed]
    made = [int(np.count_nonzero(power >= 0.5)) for power in powers]
    return max(1, *made)


def _kept(simulation: Simulation) -> str:
    """Write "Bonferroni (4.3%) keeps it, as theory says; Fisher (23.4%) does not"."""
    came_to: dict[str, list[str]] = {kept: [] for kept in _OUTCOMES}
    for name in simulation.guaranteed:
        rate, is_proved = simulation.overcount(name), name in simulation.proved
        chance = _chance(rate) if is_proved and rate.rate > simulation.alpha else ""
        came_to["proved" if is_proved else rate.position].append(
            f"{counting_method_named(name).title} ({how_often(rate, level=simulation.alpha)}{chance})"
        )
    return "; ".join(
        f"{joined(names)} {said[len(names) > 1]}"
        for names, (_, *said) in zip(came_to.values(), _OUTCOMES.values(), strict=True)
        if names
    )


def _chance(rate: OvercountRate) -> str:
    """Say of a rate above a level that theory proves how easily chance puts it there."""
    level = format_errors(rate.alpha)
    if rate.position == "above":
        # The lower end of its 95% interval is exact: of errors at the level at most 2.5% come so far.
        return f", as far above {level} as chance puts it in at most 1 of 40 simulations"
    return f", within chance of {level}"


def evidence_parts(found: Simulation, *, independent_nulls: bool) -> tuple[Part, ...]:
    """How often each count claimed too many, beside theory."""
    theory = _theory(found) if independent_nulls else ""
    return (
        Table(frame=promise_table(found), name="over-claiming", of="count"),
        *paragraphs(promise_words(found), theory, tone="quiet"),
    )


def promise_table(simulation: Simulation) -> Frame:
    """A row for each count: how often it exceeded the truth, and, where that can be, by two."""
    k, all_better = simulation.k, simulation.k == simulation.n_datasets
    rows = []
    for name in simulation.estimators:
        rate = simulation.overcount(name)
        shown = rate_text(rate.rate, level=rate.alpha)
        interval = interval_text(rate.confidence_interval)
        row = {
            "count by": estimator_name(name, alpha=simulation.alpha),
            f"too many: P(k̂ > {k})": NOTHING if all_better else shown,
            "95% interval": NOTHING if all_better else interval,
            f"promise of ≤ {format_level(simulation.alpha)}": _promise(simulation, rate),
        }
        if k + 1 < simulation.n_datasets:
            more = simulation.overcount(name, beyond=k + 1)
            row[f"P(k̂ > {k + 1})"] = format_p_value(more.rate)
            row[f"95% interval of P(k̂ > {k + 1})"] = interval_text(more.confidence_interval)
        rows.append(row)
    return frame_of(rows)


def _promise(simulation: Simulation, rate: OvercountRate) -> str:
    if rate.estimator == "count":
        return "none made"
    if simulation.k == simulation.n_datasets:
        return NOTHING
    if rate.estimator in simulation.proved:
        return "proved"
    return _OUTCOMES[rate.position][0] if rate.n > 1 else NOTHING


def promise_words(simulation: Simulation) -> str:
    """What verdicts on promises mean, of those that the table has."""
    meanings = {
        "proved": "Proved: in theory, the rate is at most α in this scenario, and a simulated rate "
        "slightly above it is chance.",
        "not decided": "Not decided: the interval contains α, so these studies do not show whether "
        "the count keeps its promise; more studies narrow it.",
    }
    rates = (simulation.overcount(name) for name in simulation.estimators)
    said = {_promise(simulation, rate) for rate in rates}
    return " ".join(meaning for verdict, meaning in meanings.items() if verdict in said)


def _theory(simulation: Simulation) -> str:
    """State P(k̂ > 0) in theory, for independent datasets without a difference."""
    named = []
    for name in estimator_names():
        theory = rate_without_effects(name, simulation.n_datasets, alpha=simulation.alpha)
        is_usual = name == "count"
        of = "the count of one-sided p ≤ α" if is_usual else counting_method_named(name).title
        named.append(f"for {of} {format_p_value(theory)}")
    usual = chance_of_a_false_win(simulation.n_datasets, alpha=simulation.alpha, two_sided=True)
    return (
        f"In theory, P(k̂ > 0) is here {joined(named)}. Papers mostly count two-sided p ≤ α with A "
        f"ahead: {format_p_value(usual)}."
    )


def claim_parts(found: Simulation, *, at_least: int) -> tuple[Part, ...]:
    """How often each count makes one claim."""
    return (
        Paragraph(text=claim_sentence(found, at_least=at_least)),
        Table(frame=claim_table(found, at_least=at_least), name="simulated-claim", of="count"),
        Download(write=lambda: _all_figures(found), name="simulated-counts", what="all figures"),
    )


def claim_sentence(simulation: Simulation, *, at_least: int) -> str:
    """State what a claim "at least m" is in this scenario, and how often each count makes it."""
    made = [
        f"{counting_method_named(name).title} in {how_often(simulation.power(name, at_least))}"
        for name in simulation.guaranteed
    ]
    studies = "studies" if simulation.n_repetitions < FEWEST_FOR_SHARES else "of studies"
    right = "true here" if at_least <= simulation.k else f"false here (the truth is {simulation.k})"
    return f"“On at least {at_least}”, {right}, is claimed by {joined(made)} {studies}."


def claim_table(simulation: Simulation, *, at_least: int) -> Frame:
    """A row for each count: its mean, and how often it reaches a number, with intervals."""
    rows = []
    for name in simulation.estimators:
        mean = simulation.mean_k_hat(name)
        power = simulation.power(name, at_least)
        low, high = mean.confidence_interval
        rows.append(
            {
                "count by": estimator_name(name, alpha=simulation.alpha),
                "mean k̂": about(mean.value),
                "95% interval of the mean": f"{about(round(low, 4))} to {about(high)}",
                f"P(k̂ ≥ {at_least})": format_p_value(power.rate),
                f"95% interval of P(k̂ ≥ {at_least})": interval_text(power.confidence_interval),
            }
        )
    return frame_of(rows)


def _all_figures(simulation: Simulation) -> Frame:
    """A row for each count with all digits."""
    rows = []
    for name in simulation.estimators:
        rows.append(
            {
                "count_by": name,
                "studies": simulation.n_repetitions,
                "datasets": simulation.n_datasets,
                "k": simulation.k,
                "alpha": simulation.alpha,
                "seed": simulation.seed,
                **with_ends("above_k", simulation.overcount(name)),
                **with_ends("above_k_plus_1", simulation.overcount(name, simulation.k + 1)),
                **with_ends("mean", simulation.mean_k_hat(name)),
                **{
                    f"at_least_{m}": share
                    for m, share in enumerate(simulation.reached(name), start=1)
                },
            }
        )
    return frame_of(rows)


def printed_parts(found: Simulation, preset: Preset) -> tuple[Part, ...]:
    """The paper's printed figures beside the simulated ones and those in theory, at its level."""
    text = "The paper prints figures of this example"
    if found.alpha != _PRINTED_ALPHA:
        level = format_level(_PRINTED_ALPHA)
        text += f" at α = {level}: choose that level to see them beside these."
        return (Paragraph(text=text),)
    names = found.estimators
    columns = {
        "count by": [estimator_name(name, alpha=found.alpha) for name in names],
        "printed in the paper": [p_value_or_dash(preset.printed.get(name)) for name in names],
        "here: P(k̂ > 0)": [format_p_value(found.overcount(name).rate) for name in names],
        "in theory: P(k̂ > 0)": [p_value_or_dash(preset.theory.get(name)) for name in names],
        "here: P(k̂ > 1)": [format_p_value(found.overcount(name, beyond=1).rate) for name in names],
    }
    if preset.more_than_one:
        theory = [p_value_or_dash(preset.more_than_one.get(name)) for name in names]
        columns["in theory: P(k̂ > 1)"] = theory
    return (
        Paragraph(text=f"{text}. {preset.note}"),
        Table(frame=frame_of(columns), name="printed", of="count"),
    )


def names_parts(found: IdentificationSimulation, *, title: str) -> tuple[Part, ...]:
    """How often each procedure has a false positive in the scenario of this title."""
    meaning = (
        "Any wrong name: the share of studies that name at least one dataset on which A is not "
        "better (family-wise error). Share of wrong names: among the named ones, averaged over "
        "studies, 0 where nothing is named (false discovery rate)."
    )
    frame = names_table(found)
    return (
        Paragraph(text=f"Scenario: {title}.", tone="quiet"),
        Paragraph(text=names_sentence(found), tone="strong"),
        *stopped_parts(found.n_repetitions, found.n_asked, "studies"),
        Paragraph(text=meaning, tone="quiet"),
        *signed_table(
            frame, found.signature, name="simulated-names", of="procedure", what="the names"
        ),
    )


def names_sentence(names: IdentificationSimulation) -> str:
    """State which procedures broke their promise about names."""
    broken = [
        procedure_named(name).title
        for name, found in names.summaries.items()
        if found.position == "above" and name not in names.proved
    ]
    said = "there is no evidence that a procedure breaks its promise about false positives"
    if len(names.proved) == len(names.summaries):
        said = "every procedure keeps its promise about false positives, as theory says"
    elif broken:
        said = f"the promise about false positives is not kept by: {joined(broken)}"
    return f"In {names.n_repetitions:,} studies, {said}."


def names_table(names: IdentificationSimulation) -> Frame:
    """A row for each procedure: how often a name is wrong, and how many right ones are found."""
    rows = []
    for procedure, found in names.summaries.items():
        record = procedure_named(procedure)
        bounded = "any wrong name" if record.bounds_each_list else "share of wrong names"
        shares: dict[str, Rate | Mean] = {
            "any wrong name": found.family_wise_error,
            "share of wrong names": found.false_discovery_proportion,
        }
        cells = with_intervals(shares)
        row: dict[str, object] = {
            "procedure": sentence_case(record.title),
            f"promises ≤ {format_level(names.alpha)} for": bounded,
            "promise": "proved" if procedure in names.proved else _OUTCOMES[found.position][0],
        }
        row |= {label: cells.pop(label) for label in shares}
        if found.power is not None:
            row["finds, of those truly better"] = percent(found.power.value)
        rows.append({**row, "names, on average": about(found.mean_named.value), **cells})
    return frame_of(rows)


def over_claims_parts(found: OverClaimCurve) -> tuple[Part, ...]:
    """How often the usual count finds a win where there is none."""
    sentence = over_claims_sentence(found)
    rows = [
        {
            "N": n,
            **with_intervals({"simulated": rate}),
            "theory, independent": format_p_value(chance_of_a_false_win(n, alpha=found.alpha)),
        }
        for n, rate in found.rates.items()
    ]
    return (
        Paragraph(text=sentence, tone="strong"),
        *stopped_parts(found.n_repetitions, found.n_asked, "studies"),
        charted("over-claims", "Studies with a win by chance", sentence, over_claims_chart, found),
        *signed_table(
            frame_of(rows), found.signature, name="simulated-wins", of="number", what="the curve"
        ),
    )


def over_claims_sentence(curve: OverClaimCurve) -> str:
    """State how often at least one win is wrong on the largest number of datasets."""
    *_, (most, rate) = curve.rates.items()
    dependence = "independent" if curve.rho == 0.0 else f"dependent (ρ = {curve.rho:g})"
    of_all = "one dataset" if most == 1 else f"at least one of {most:,} {dependence} datasets"
    one_sided, usual = (
        percent(chance_of_a_false_win(most, alpha=curve.alpha, two_sided=both))
        for both in (False, True)
    )
    level = format_level(curve.alpha)
    theory = f" (in theory {one_sided}, and {usual} for two-sided p ≤ {level} with A ahead)"
    return (
        f"If A and B are equally good, {of_all} has a one-sided p ≤ {level} in {how_often(rate)} of "
        f"{curve.n_repetitions:,} simulated studies{theory * (curve.rho == 0.0)}."
    )


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

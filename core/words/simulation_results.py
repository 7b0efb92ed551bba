"""Sentences and tables about simulated studies: how often each count over-claims, finds, and with how many datasets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..replicability.combinations import combination_named, combination_names, counting_method_named
from ..replicability.counting import chance_of_a_false_win
from ..replicability.identification import procedure_named
from ..simulation import (
    DatasetsNeeded,
    IdentificationSimulation,
    OverClaimCurve,
    OvercountRate,
    PowerCurve,
    PowerPoint,
    Preset,
    Rate,
    Simulation,
    estimator_names,
)
from ..simulation.results import Position
from .formatting import (
    counted,
    format_errors,
    format_level,
    format_p_value,
    format_percent,
    joined,
    sentence_case,
)
from .simulation import FINE_LEVEL, estimator_name, interval_text, rate_without_effects

if TYPE_CHECKING:
    import pandas as pd

# Of fewer studies a share says less than the two numbers.
FEWEST_FOR_SHARES = 200
# Of the figures that the paper prints of its examples.
PRINTED_ALPHA = 0.05
PROMISES: dict[Position, str] = {
    "below": "held",
    "above": "did not hold",
    "around": "not decided",
}


def share_text(share: float, *, level: float | None = None) -> str:
    """A share as tables write it, ".0488", with more digits where it would look like the level."""
    if level is not None and level < FINE_LEVEL and 0.0 < share < FINE_LEVEL:
        digits = 2
        while digits < 5 and share != level and float(f"{share:.{digits}g}") == level:
            digits += 1
        text = np.format_float_positional(share, digits, fractional=False, trim="-")
        return text.removeprefix("0")
    digits = 4
    while level is not None and share != level and digits < 6 and round(share, digits) == level:
        digits += 1
    if digits > 4:
        return f"{share:.{digits}f}".rstrip("0").removeprefix("0")
    return format_p_value(share)


def percent(share: float, *, level: float | None = None) -> str:
    """The same in per cent, with the same digits: "4.88%"."""
    text = share_text(share, level=level)
    if text.startswith("<"):
        return "less than 0.01%"
    return "more than 99.99%" if text.startswith(">") else f"{float(text) * 100.0:.10g}%"


def how_often(rate: Rate, *, level: float | None = None) -> str:
    """Write "4.3%", or "1 of 20" of few studies."""
    if rate.n < FEWEST_FOR_SHARES:
        return f"{rate.count} of {rate.n}"
    return percent(rate.rate, level=level)


def truth_words(simulation: Simulation, *, at_margin: bool = False) -> str:
    """Write "100 datasets (A truly better on none)", or "(the claim true on none)" at a margin."""
    n, k = simulation.n_datasets, simulation.k
    if n == 1:
        truth = (
            f"the claim {'' if k else 'not '}true"
            if at_margin
            else f"A {'truly' if k else 'not'} better"
        )
        return f"1 dataset ({truth} on it)"
    where = "none" if k == 0 else "all" if k == n else f"{k:,}"
    return f"{n:,} datasets ({'the claim true' if at_margin else 'A truly better'} on {where})"


def promise_to_come(alpha: float) -> str:
    """Say what a simulation will show."""
    return (
        "Simulate studies in which you know where A is better, and see how often each count is too "
        f"high. A count with a guarantee is too high in at most {format_errors(alpha)} of studies."
    )


def promise_sentence(simulation: Simulation, *, at_margin: bool = False) -> str:
    """State how often each count exceeded the truth, and whether it kept its promise.

    Parameters
    ----------
    simulation : Simulation
        Of p-values alone.
    at_margin : bool
        Whether they are read as those of a claim at a margin.
    """
    n, alpha = simulation.n_repetitions, simulation.alpha
    studies = (
        f"In one simulated study of {truth_words(simulation, at_margin=at_margin)}"
        if n == 1
        else f"In {n:,} simulated studies of {truth_words(simulation, at_margin=at_margin)}"
    )
    if simulation.k == simulation.n_datasets:
        holds = "the claim is true" if at_margin else "A is better"
        where = f"{holds} on all" if simulation.n_datasets > 1 else f"{holds} on it"
        return f"{studies}, no count can be too high: {where}."
    rate = simulation.overcount("count")
    counting = f"{studies}, the count of one-sided p ≤ {format_level(alpha)} was"
    if n == 1:
        high = "too high" if rate.count else "not too high"
        return f"{counting} {high}. A single study says nothing about how often."
    sentence = (
        f"{counting} too high in {how_often(rate, level=alpha)}. Counts with a guarantee promise at "
        f"most {format_errors(alpha)}: {_kept(simulation)}."
    )
    return f"{sentence} {average_sentence(simulation)}" if simulation.k else sentence


def average_sentence(simulation: Simulation) -> str:
    """State what each count comes to on average, beside the truth."""
    means = [
        f"{counting_method_named(name).title} {simulation.summary(name).mean_k_hat.value:.3g}"
        for name in simulation.guaranteed
    ]
    return f"Average counts, where the truth is {simulation.k:,}: {joined(means)}."


def informative_claim(simulation: Simulation) -> int:
    """The largest true claim that some count with a guarantee makes in half of the studies, or 1."""
    powers = [simulation.summary(name).power[: simulation.k] for name in simulation.guaranteed]
    made = [int(np.count_nonzero(power >= 0.5)) for power in powers]
    return max(1, *made)


def _kept(simulation: Simulation) -> str:
    """Write "Bonferroni (4.3%) keeps it, as theory says; Fisher (23.4%) does not"."""
    parts = []
    proved = simulation.proved
    if proved:
        each = joined([_proved_to_keep(simulation, name) for name in proved])
        text = f"{each} {_verb(proved, 'keeps', 'keep')} it, as theory says"
        above = [
            counting_method_named(name).title
            for name in proved
            if simulation.overcount(name).position == "above"
        ]
        if above:
            verb = "is" if len(above) == 1 else "are"
            text += f", although {joined(above)} {verb} above it here by chance"
        parts.append(text)
    for position in ("below", "above", "around"):
        names = tuple(
            name
            for name in simulation.guaranteed
            if name not in proved and simulation.overcount(name).position == position
        )
        if not names:
            continue
        each = _each(simulation, names)
        if position == "below":
            parts.append(f"{each} {_verb(names, 'keeps', 'keep')} it in this scenario")
        elif position == "above":
            parts.append(f"{each} {_verb(names, 'does', 'do')} not")
        else:
            parts.append(f"more studies are needed to judge {each}")
    return "; ".join(parts)


def _verb(names: Sequence[str], one: str, several: str) -> str:
    return one if len(names) == 1 else several


def _each(simulation: Simulation, names: Sequence[str]) -> str:
    return joined(
        [f"{counting_method_named(name).title} ({_came_to(simulation, name)})" for name in names]
    )


def _proved_to_keep(simulation: Simulation, name: str) -> str:
    """Write "Simes (5.03%, within chance of 5%)" where the studies came to more than is proved."""
    found, alpha = simulation.overcount(name), simulation.alpha
    came_to = _came_to(simulation, name)
    if found.rate > alpha and found.position == "around":
        came_to += f", within chance of {format_errors(alpha)}"
    return f"{counting_method_named(name).title} ({came_to})"


def _came_to(simulation: Simulation, name: str) -> str:
    return how_often(simulation.overcount(name), level=simulation.alpha)


def stopped_sentence(simulation: Simulation) -> str:
    """State that a run was stopped; empty for one that was not."""
    if simulation.complete:
        return ""
    return (
        f"The run was stopped after {simulation.n_repetitions:,} of {simulation.n_asked:,} studies; "
        "all numbers are of these."
    )


def undecided_sentence(simulation: Simulation) -> str:
    """Explain "not decided" where a promise is; empty where none is."""
    undecided = [
        name
        for name in simulation.guaranteed
        if name not in simulation.proved and simulation.overcount(name).position == "around"
    ]
    if not undecided or simulation.n_repetitions == 1 or simulation.k == simulation.n_datasets:
        return ""
    return (
        "Not decided: the interval contains α, so these studies do not show whether the count keeps "
        "its promise. More studies narrow the interval."
    )


def proved_sentence(simulation: Simulation) -> str:
    """Explain "proved" where a share lies above the level all the same; empty where none does."""
    above = [
        name
        for name in simulation.proved
        if simulation.overcount(name).rate > simulation.alpha and simulation.n_repetitions > 1
    ]
    if not above:
        return ""
    return (
        "In theory, the rate is at most α in this scenario. A simulated rate slightly above α is "
        "chance; its 95% interval shows how much."
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


def printed_sentence(simulation: Simulation, preset: Preset) -> str:
    """State how the paper's printed figures and the simulated ones belong together."""
    if simulation.alpha != PRINTED_ALPHA:
        return (
            f"The paper prints figures of this example at α = {format_level(PRINTED_ALPHA)}: "
            "choose that level to see them beside these."
        )
    return f"The paper prints figures of this example. {preset.note}"


def theory_sentence(simulation: Simulation) -> str:
    """State P(k̂ > 0) in theory, for independent datasets without a difference."""
    named = []
    for name in estimator_names():
        theory = rate_without_effects(name, simulation.n_datasets, alpha=simulation.alpha)
        named.append(f"{_short(name)} {format_p_value(theory)}")
    usual = chance_of_a_false_win(simulation.n_datasets, alpha=simulation.alpha, two_sided=True)
    return (
        f"In theory, P(k̂ > 0) is here {joined(named)}. Papers mostly count two-sided p ≤ α with A "
        f"ahead: {format_p_value(usual)}."
    )


def _short(name: str) -> str:
    return (
        "for the count of one-sided p ≤ α"
        if name == "count"
        else f"for {counting_method_named(name).title}"
    )


# Where a table has nothing to say.
NOTHING = "–"


def promise_table(simulation: Simulation) -> pd.DataFrame:
    """A row for each count: how often it exceeded the truth, and, where that can be, by two."""
    import pandas as pd

    k, all_better = simulation.k, simulation.k == simulation.n_datasets
    rows = []
    for name in simulation.estimators:
        rate = simulation.overcount(name)
        shown = share_text(rate.rate, level=rate.alpha)
        interval = interval_text(rate.confidence_interval, level=rate.alpha)
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
    return pd.DataFrame(rows)


def claim_table(simulation: Simulation, *, at_least: int) -> pd.DataFrame:
    """A row for each count: its mean, and how often it reaches a number, with intervals."""
    import pandas as pd

    rows = []
    for name in simulation.estimators:
        mean = simulation.summary(name).mean_k_hat
        power = simulation.power(name, at_least)
        low, high = mean.confidence_interval
        rows.append(
            {
                "count by": estimator_name(name, alpha=simulation.alpha),
                "mean k̂": f"{mean.value:.3g}",
                "95% interval of the mean": f"{low:.3g} to {high:.3g}",
                f"P(k̂ ≥ {at_least})": format_p_value(power.rate),
                f"95% interval of P(k̂ ≥ {at_least})": interval_text(power.confidence_interval),
            }
        )
    return pd.DataFrame(rows)


def results_frame(simulation: Simulation) -> pd.DataFrame:
    """A row for each count with all digits, to take away."""
    import pandas as pd

    rows = []
    for name in simulation.estimators:
        found = simulation.summary(name)
        row: dict[str, object] = {
            "count_by": name,
            "studies": simulation.n_repetitions,
            "datasets": simulation.n_datasets,
            "k": simulation.k,
            "alpha": simulation.alpha,
            "seed": simulation.seed,
        }
        for label, rate in (
            ("above_k", found.overcount),
            ("above_k_plus_1", found.overcount_by_two),
        ):
            low, high = rate.confidence_interval
            row.update({label: rate.rate, f"{label}_low": low, f"{label}_high": high})
        low, high = found.mean_k_hat.confidence_interval
        row.update({"mean": found.mean_k_hat.value, "mean_low": low, "mean_high": high})
        rows.append(row | {f"at_least_{m}": share for m, share in enumerate(found.power, start=1)})
    return pd.DataFrame(rows)


def printed_table(simulation: Simulation, preset: Preset) -> pd.DataFrame:
    """The paper's printed figures beside the simulated ones and those in theory."""
    import pandas as pd

    rows = []
    for name in simulation.estimators:
        printed = preset.printed.get(name)
        row = {
            "count by": estimator_name(name, alpha=simulation.alpha),
            "printed in the paper": "–" if printed is None else format_p_value(printed),
            "here: P(k̂ > 0)": format_p_value(simulation.overcount(name).rate),
            "in theory: P(k̂ > 0)": _theory(preset.theory.get(name)),
            "here: P(k̂ > 1)": format_p_value(simulation.overcount(name, beyond=1).rate),
        }
        if preset.more_than_one:
            row["in theory: P(k̂ > 1)"] = _theory(preset.more_than_one.get(name))
        rows.append(row)
    return pd.DataFrame(rows)


def _promise(simulation: Simulation, rate: OvercountRate) -> str:
    """What the table says of a count's promise."""
    if rate.estimator == "count":
        return "none made"
    if simulation.k == simulation.n_datasets:
        return NOTHING
    if rate.estimator in simulation.proved:
        return "proved"
    return PROMISES[rate.position] if rate.n > 1 else NOTHING


def _theory(value: float | None) -> str:
    return "–" if value is None else format_p_value(value)


def names_frame(names: IdentificationSimulation) -> pd.DataFrame:
    """A row for each procedure."""
    import pandas as pd

    rows = []
    for procedure, found in names.summaries.items():
        row: dict[str, object] = {"procedure": procedure, "proved": procedure in names.proved}
        for label, mean in (
            ("any_wrong_name", found.family_wise_error),
            ("share_of_wrong_names", found.false_discovery_proportion),
            ("share_found", found.power),
            ("names", found.mean_named),
        ):
            if mean is not None:
                row[label] = mean.rate if isinstance(mean, Rate) else mean.value
                row[f"{label}_low"], row[f"{label}_high"] = mean.confidence_interval
        rows.append(row | {"signature": names.signature})
    return pd.DataFrame(rows)


def over_claims_frame(curve: OverClaimCurve) -> pd.DataFrame:
    """A row for each number of datasets."""
    import pandas as pd

    rows = []
    for point in curve.points:
        low, high = point.simulated.confidence_interval
        rows.append(
            {
                "datasets": point.n_datasets,
                "simulated": point.simulated.rate,
                "simulated_low": low,
                "simulated_high": high,
                "theory_if_independent": point.theory,
                "signature": curve.signature,
            }
        )
    return pd.DataFrame(rows)


def power_frame(curve: PowerCurve) -> pd.DataFrame:
    """A row for each point of the curve, those with a wrong claim too."""
    import pandas as pd

    rows = []
    for point in curve.points:
        row: dict[str, object] = {
            "value": point.value,
            "datasets": point.n_datasets,
            "k": point.k,
            "at_least": point.at_least,
            "claim_is_true": point.is_true,
            "guaranteed": " ".join(point.proved),
        }
        for name in estimator_names():
            rate = point.power[name]
            row[name] = rate.rate
            row[f"{name}_low"], row[f"{name}_high"] = rate.confidence_interval
        rows.append(row | {"scenario": point.scenario, "signature": curve.signature})
    return pd.DataFrame(rows)


def needed_frame(needed: DatasetsNeeded) -> pd.DataFrame:
    """A row for each number of datasets that was tried."""
    import pandas as pd

    rows = []
    for n, rate in needed.tried.items():
        low, high = rate.confidence_interval
        rows.append(
            {
                "datasets": n,
                "power": rate.rate,
                "power_low": low,
                "power_high": high,
                "signature": needed.signature,
            }
        )
    return pd.DataFrame(rows)


STOPPED = "Stopped before the end: what is shown is what was done."


def names_sentence(names: IdentificationSimulation) -> str:
    """State which procedures kept their promise about names."""
    broken = [
        _in_a_sentence(name)
        for name, found in names.summaries.items()
        if found.position == "above" and name not in names.proved
    ]
    studies = f"In {names.n_repetitions:,} studies"
    if not names.complete:
        studies += f" (stopped; {names.n_asked:,} were asked for)"
    if len(names.proved) == len(names.summaries):
        return (
            f"{studies}, every procedure keeps its promise about false positives, as theory says."
        )
    if not broken:
        return f"{studies}, there is no evidence that a procedure breaks its promise about false positives."
    verb = "does" if len(broken) == 1 else "do"
    listed = joined(broken)
    others = ""
    if len(broken) + len(names.proved) == len(names.summaries):
        others = "; the others keep it, as theory says"
    return f"{studies}, {listed} {verb} not keep the promise about false positives{others}."


def _in_a_sentence(procedure: str) -> str:
    title = procedure_named(procedure).title
    return f"the {title}" if title[:1].islower() else title


def names_table(names: IdentificationSimulation) -> pd.DataFrame:
    """A row for each procedure: how often a name is wrong, and how many right ones are found."""
    import pandas as pd

    level = format_level(names.alpha)
    rows = []
    for procedure, found in names.summaries.items():
        each_list = procedure_named(procedure).bounds_each_list
        bounded = "any wrong name" if each_list else "share of wrong names"
        row = {
            "procedure": _procedure(procedure),
            f"promises ≤ {level} for": bounded,
            "promise": "proved" if procedure in names.proved else PROMISES[found.position],
            "any wrong name": format_p_value(found.family_wise_error.rate),
            "share of wrong names": format_p_value(found.false_discovery_proportion.value),
        }
        if found.power is not None:
            row["finds, of those truly better"] = percent(found.power.value)
        row["names, on average"] = f"{found.mean_named.value:.3g}"
        row["any wrong name: 95% interval"] = interval_text(
            found.family_wise_error.confidence_interval
        )
        row["share of wrong names: 95% interval"] = interval_text(
            found.false_discovery_proportion.confidence_interval
        )
        rows.append(row)
    return pd.DataFrame(rows)


NAMES_WORDS = (
    "Any wrong name: the share of studies that name at least one dataset on which A is not better "
    "(family-wise error). Share of wrong names: among the named ones, averaged over studies, 0 "
    "where nothing is named (false discovery rate)."
)


def over_claims_sentence(curve: OverClaimCurve) -> str:
    """State how the chance of at least one wrong win grows with the number of datasets."""
    first, last = curve.points[0], curve.points[-1]
    dependence = "independent" if curve.rho == 0.0 else f"dependent (ρ = {curve.rho:g})"
    stopped = "" if curve.complete else f" (stopped; {curve.n_asked:,} were asked for)"
    of_all = (
        "one dataset"
        if last.n_datasets == 1
        else f"at least one of {last.n_datasets:,} {dependence} datasets"
    )
    few = counted(first.n_datasets, "dataset")
    begun = f"; with {few} it is {how_often(first.simulated)}" if len(curve.points) > 1 else ""
    usual = chance_of_a_false_win(last.n_datasets, alpha=curve.alpha, two_sided=True)
    theory = (
        f"; in theory {percent(last.theory)}, and {percent(usual)} for two-sided "
        f"p ≤ {format_level(curve.alpha)} with A ahead"
        if curve.rho == 0.0
        else ""
    )
    return (
        f"If A and B are equally good, {of_all} has a one-sided p ≤ {format_level(curve.alpha)} in {how_often(last.simulated)} of "
        f"{curve.n_repetitions:,} simulated studies{stopped}{theory}{begun}."
    )


def over_claims_table(curve: OverClaimCurve) -> pd.DataFrame:
    """A row for each number of datasets."""
    import pandas as pd

    rows = []
    for point in curve.points:
        rows.append(
            {
                "N": point.n_datasets,
                "simulated": format_p_value(point.simulated.rate),
                "95% interval": interval_text(point.simulated.confidence_interval),
                "theory, independent": format_p_value(point.theory),
            }
        )
    return pd.DataFrame(rows)


def power_sentence(curve: PowerCurve, *, quantity: str, target: float) -> str:
    """State from where on each count makes the claim often enough."""
    points = curve.true_points
    stopped = "" if curve.complete else f" {STOPPED}"
    if not points:
        return (
            "The claim is false at every point of the curve: A is better on fewer datasets. Making it "
            f"would be an error.{stopped}"
        )
    claims = sorted({point.at_least for point in points})
    claim = f"{claims[0]}" if len(claims) == 1 else f"{claims[0]} to {claims[-1]}"
    parts = []
    for name in combination_names():
        enough = [point.power[name].rate >= target for point in points]
        # From there on, to the end of the curve.
        first = next((i for i in range(len(points)) if all(enough[i:])), None)
        by = f"{combination_named(name).title}{_caution(name in curve.proved)}"
        if first is None:
            parts.append(f"{by} none up to {points[-1].value:g} ({_last(points[-1], name)})")
        else:
            parts.append(f"{by} {points[first].value:g}")
    text = (
        f"Smallest {quantity} from which at least {format_percent(target)} of studies claim “on at least "
        f"{claim}”: {joined(parts)} ({curve.n_repetitions:,} studies for each point)."
    )
    n_wrong = len(curve.points) - len(points)
    if n_wrong:
        points_are = "point is" if n_wrong == 1 else "points are"
        text += (
            f" {n_wrong} {points_are} left out: the claim is false there, as A is better on fewer "
            "datasets."
        )
    return text + stopped


def _last(point: PowerPoint, name: str) -> str:
    return f"{how_often(point.power[name])} there"


def _caution(guaranteed: bool) -> str:
    return "" if guaranteed else " (no guarantee here)"


def power_table(curve: PowerCurve, *, quantity: str) -> pd.DataFrame:
    """A row for each point: what is claimed, whether that is true, and how often by each count."""
    import pandas as pd

    rows = []
    for point in curve.points:
        row: dict[str, object] = {
            quantity: f"{point.value:g}",
            "datasets": point.n_datasets,
            "A better on": point.k,
            "claim: at least": point.at_least,
            "claim is": "true" if point.is_true else "wrong",
        }
        rates = {
            estimator_name(name, alpha=curve.alpha): point.power[name] for name in estimator_names()
        }
        row |= {label: format_p_value(rate.rate) for label, rate in rates.items()}
        row |= {
            f"{label}, 95%": interval_text(rate.confidence_interval)
            for label, rate in rates.items()
        }
        rows.append(row)
    return pd.DataFrame(rows)


def needed_sentence(needed: DatasetsNeeded) -> str:
    """State how many datasets the claim takes, with what simulation leaves open."""
    name = estimator_name(needed.estimator, alpha=needed.alpha) + _caution(needed.guaranteed)
    claim = (
        f"“on at least {needed.at_least}” is claimed by {name} in at least "
        f"{format_percent(needed.power)} of studies"
    )
    if needed.least is None:
        return (
            f"Up to {needed.most:,} datasets, A is better on fewer than {needed.at_least}: the claim "
            "would be false. Choose a larger share of datasets with an effect, or a smaller claim."
        )
    if not needed.complete:
        return f"The search was stopped before it found with how many datasets {claim}."
    if needed.n_datasets is None:
        largest = max(needed.tried)
        return (
            f"{needed.most:,} datasets are not enough: with {largest:,} the claim is made in "
            f"{how_often(needed.tried[largest])} of studies. A larger effect, a larger share of "
            "datasets with one, or a smaller claim would help."
        )
    first = needed.n_datasets
    if needed.lasting == first:
        text = f"From {counted(first, 'dataset')} on, {claim}."
    else:
        text = f"{counted(first, 'dataset')} is the smallest number with which {claim}; "
        text += (
            f"every number from {needed.lasting:,} on is enough"
            if needed.lasting is not None
            else f"not every larger number up to {needed.most:,} is enough"
        )
        text += ". Between them one more dataset may be one without an effect."
    return f"{text} {_left_open(needed)}"


def _left_open(needed: DatasetsNeeded) -> str:
    """What the intervals of the numbers tried leave of the first one."""
    on = f"{needed.n_repetitions:,} studies for each number tried, 95% intervals"
    if needed.low is not None and needed.low == needed.high:
        return f"The simulation rules out every other smallest number ({on})."
    low = "fewer" if needed.low is None else f"{needed.low:,}"
    high = f"more than {needed.most:,}" if needed.high is None else f"{needed.high:,}"
    return f"The smallest number lies between {low} and {high} ({on})."


def needed_table(needed: DatasetsNeeded) -> pd.DataFrame:
    """A row for each number of datasets that was tried."""
    import pandas as pd

    rows = []
    for n, rate in needed.tried.items():
        rows.append(
            {
                "datasets": n,
                "power": format_p_value(rate.rate),
                "95% interval": interval_text(rate.confidence_interval),
            }
        )
    return pd.DataFrame(rows)


def _procedure(name: str) -> str:
    return sentence_case(procedure_named(name).title)

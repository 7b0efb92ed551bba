"""Sentences about simulated studies: whether each count kept its promise."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..replicability.combinations import combination_named, combination_names
from ..replicability.counting import chance_of_a_false_win
from ..simulation import Preset, Rate, Simulation, estimator_names
from ..simulation.results import Position
from .formatting import format_errors, format_level, format_p_value
from .simulations import FINE_LEVEL, joined, rate_without_effects

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


def truth_words(simulation: Simulation) -> str:
    """Write "100 datasets, with A truly better on none"."""
    n, k = simulation.n_datasets, simulation.k
    if n == 1:
        return f"one dataset, with A {'truly' if k else 'not'} better on it"
    where = "none" if k == 0 else "all" if k == n else f"{k:,}"
    return f"{n:,} datasets, with A truly better on {where}"


def promise_to_come(alpha: float) -> str:
    """Say what a simulation will show."""
    return (
        "Draw studies in which it is known where A is better, and see how often each count claims "
        f"too many. One with a guarantee promises to do so in at most {format_errors(alpha)} of studies."
    )


def promise_sentence(simulation: Simulation) -> str:
    """State how often each count exceeded the truth, and whether it kept its promise."""
    n, alpha = simulation.n_repetitions, simulation.alpha
    studies = (
        f"In one simulated study of {truth_words(simulation)}"
        if n == 1
        else f"In {n:,} simulated studies of {truth_words(simulation)}"
    )
    if simulation.k == simulation.n_datasets:
        where = "A is better on all" if simulation.n_datasets > 1 else "A is better on it"
        return f"{studies}, nothing can be too many: {where}."
    rate = simulation.overcount("count")
    counting = f"{studies}, counting one-sided p ≤ {format_level(alpha)}"
    if n == 1:
        claimed = "claimed too many" if rate.count else "did not claim too many"
        return f"{counting} {claimed}; a single study says nothing about how often."
    sentence = (
        f"{counting} claimed too many in {how_often(rate, level=alpha)}. The counts with a "
        f"guarantee promise at most {format_errors(alpha)}: {_kept(simulation)}."
    )
    return f"{sentence} {average_sentence(simulation)}" if simulation.k else sentence


def average_sentence(simulation: Simulation) -> str:
    """State what each count comes to on average, beside the truth."""
    means = [
        f"{combination_named(name).title} {simulation.summary(name).mean_k_hat.value:.3g}"
        for name in combination_names()
    ]
    return f"Average counts, where the truth is {simulation.k:,}: {joined(means)}."


def informative_claim(simulation: Simulation) -> int:
    """The largest true claim that some count with a guarantee makes in half of the studies, or 1."""
    powers = [simulation.summary(name).power[: simulation.k] for name in combination_names()]
    made = [int(np.count_nonzero(power >= 0.5)) for power in powers]
    return max(1, *made)


def _kept(simulation: Simulation) -> str:
    """Write "Bonferroni (4.3%) keeps that, as theory says; Fisher (23.4%) does not"."""
    parts = []
    proved = simulation.proved
    if proved:
        each = joined([_proved_to_keep(simulation, name) for name in proved])
        text = f"{each} {_verb(proved, 'keeps', 'keep')} that, as theory says"
        above = [
            combination_named(name).title
            for name in proved
            if simulation.overcount(name).position == "above"
        ]
        if above:
            put = "each of them" if len(above) == len(combination_names()) else joined(above)
            text += f", though chance put {put} above it here"
        parts.append(text)
    for position in ("below", "above", "around"):
        names = tuple(
            name
            for name in combination_names()
            if name not in proved and simulation.overcount(name).position == position
        )
        if not names:
            continue
        each = _each(simulation, names)
        if position == "below":
            parts.append(f"{each} {_verb(names, 'keeps', 'keep')} that in this scenario")
        elif position == "above":
            parts.append(f"{each} {_verb(names, 'does', 'do')} not")
        else:
            parts.append(f"for {each} so many studies do not decide it")
    return "; ".join(parts)


def _verb(names: Sequence[str], one: str, several: str) -> str:
    return one if len(names) == 1 else several


def _each(simulation: Simulation, names: Sequence[str]) -> str:
    return joined(
        [f"{combination_named(name).title} ({_came_to(simulation, name)})" for name in names]
    )


def _proved_to_keep(simulation: Simulation, name: str) -> str:
    """Write "Simes (5.03%, within chance of 5%)" where the studies came to more than is proved."""
    found, alpha = simulation.overcount(name), simulation.alpha
    came_to = _came_to(simulation, name)
    if found.rate > alpha and found.position == "around":
        came_to += f", within chance of {format_errors(alpha)}"
    return f"{combination_named(name).title} ({came_to})"


def _came_to(simulation: Simulation, name: str) -> str:
    return how_often(simulation.overcount(name), level=simulation.alpha)


def stopped_sentence(simulation: Simulation) -> str:
    """State that a run was stopped; empty for one that was not."""
    if simulation.complete:
        return ""
    return (
        f"The run was stopped: {simulation.n_repetitions:,} of {simulation.n_asked:,} studies are "
        "counted, and everything here is about these."
    )


def undecided_sentence(simulation: Simulation) -> str:
    """Explain "not decided" where a promise is; empty where none is."""
    undecided = [
        name
        for name in combination_names()
        if name not in simulation.proved and simulation.overcount(name).position == "around"
    ]
    if not undecided or simulation.n_repetitions == 1 or simulation.k == simulation.n_datasets:
        return ""
    return (
        "Not decided: the interval of the share holds α, so that these studies fit a count that "
        "keeps its promise as well as one that does not. More studies make the interval narrower."
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
        f"{combination_named(name).title} in {how_often(simulation.power(name, at_least))}"
        for name in combination_names()
    ]
    studies = "studies" if simulation.n_repetitions < FEWEST_FOR_SHARES else "of studies"
    right = (
        "which is true here"
        if at_least <= simulation.k
        else f"which is wrong here, as the truth is {simulation.k}"
    )
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
        else f"for {combination_named(name).title}"
    )

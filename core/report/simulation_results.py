"""Sentences and tables about simulated studies: whether each count kept its promise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.report.formatting import format_level, format_p_value
from core.report.sentences import COMBINATION_NAMES
from core.report.simulations import estimator_name, rate_without_effects
from core.simulation import ESTIMATORS, Estimator, Preset, Rate, Simulation
from core.simulation.rates import Position
from core.types import COMBINATIONS

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


def percent(share: float, *, level: float | None = None) -> str:
    """A share in per cent with one decimal, and more where it would look like the level itself."""
    if share in (0.0, 1.0):
        return f"{100.0 * share:.0f}%"
    if share < 0.0005:
        return "below 0.1%"
    if share >= 0.9995:
        return "over 99.9%"
    digits = 1
    while (
        level is not None
        and share != level
        and digits < 4
        and float(f"{100.0 * share:.{digits}f}") == float(f"{100.0 * level:.10g}")
    ):
        digits += 1
    return f"{100.0 * share:.{digits}f}%"


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
        f"too many. A count with a guarantee promises: in at most {100.0 * alpha:.10g}% of studies."
    )


def promise_sentence(simulation: Simulation) -> str:
    """State how often each count exceeded the truth, and whether it kept its promise."""
    n, alpha = simulation.n_repetitions, simulation.alpha
    studies = (
        f"In one simulated study of {truth_words(simulation)}"
        if n == 1
        else f"In {n:,} simulated studies of {truth_words(simulation)}"
    )
    common = how_often(simulation.overcount("count"))
    promise = f"the promise of at most {100.0 * alpha:.10g}%"
    return (
        f"{studies}, counting p ≤ {format_level(alpha)}, which promises nothing, claimed too many "
        f"in {common}; {promise} {_kept(simulation)}."
    )


def _kept(simulation: Simulation) -> str:
    """Write "held for Bonferroni (4.3%) and did not hold for Fisher (23.4%)"."""
    verbs: dict[Position, str] = {
        "below": "held for",
        "above": "did not hold for",
        "around": "is not decided at this number of studies for",
    }
    parts = []
    for position, verb in verbs.items():
        rates = [simulation.overcount(name) for name in COMBINATIONS]
        named = [
            f"{COMBINATION_NAMES[name]} ({how_often(rate, level=rate.alpha)})"
            for name, rate in zip(COMBINATIONS, rates, strict=True)
            if rate.position == position
        ]
        if named:
            parts.append(f"{verb} {_joined(named)}")
    return _joined(parts)


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
    undecided = [name for name in COMBINATIONS if simulation.overcount(name).position == "around"]
    if not undecided:
        return ""
    return (
        "Not decided: the interval of the share holds α, so that these studies fit a count that "
        "keeps its promise as well as one that does not. More studies make the interval narrower; "
        "for a count that uses its promise up exactly it stays so, as for Fisher and Simes on "
        "independent datasets without a difference."
    )


def promise_table(simulation: Simulation) -> pd.DataFrame:
    """A row for each count: how often it exceeded the truth, and by more than one, with intervals."""
    import pandas as pd

    k = simulation.k
    rows = []
    for name in ESTIMATORS:
        rate = simulation.overcount(name)
        by_two = simulation.overcount(name, beyond=k + 1)
        rows.append(
            {
                "count by": estimator_name(name, alpha=simulation.alpha),
                f"too many: P(k̂ > {k})": format_p_value(rate.rate, alpha=rate.alpha),
                "95% interval": _interval(rate.confidence_interval),
                f"promise of ≤ {format_level(simulation.alpha)}": (
                    "none made" if name == "count" else PROMISES[rate.position]
                ),
                f"P(k̂ > {k + 1})": format_p_value(by_two.rate),
                f"95% interval of P(k̂ > {k + 1})": _interval(by_two.confidence_interval),
            }
        )
    return pd.DataFrame(rows)


def claim_table(simulation: Simulation, *, at_least: int) -> pd.DataFrame:
    """A row for each count: its mean, and how often it reaches a number, with intervals."""
    import pandas as pd

    rows = []
    for name in ESTIMATORS:
        mean = simulation.summary(name).mean_k_hat
        power = simulation.power(name, at_least)
        low, high = mean.confidence_interval
        rows.append(
            {
                "count by": estimator_name(name, alpha=simulation.alpha),
                "mean k̂": f"{mean.value:.3g}",
                "95% interval of the mean": f"{low:.3g} to {high:.3g}",
                f"P(k̂ ≥ {at_least})": format_p_value(power.rate),
                f"95% interval of P(k̂ ≥ {at_least})": _interval(power.confidence_interval),
            }
        )
    return pd.DataFrame(rows)


def results_frame(simulation: Simulation) -> pd.DataFrame:
    """A row for each count with all digits, to take away."""
    import pandas as pd

    rows = []
    for name in ESTIMATORS:
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


def claim_sentence(simulation: Simulation, *, at_least: int) -> str:
    """State what a claim "at least m" is in this scenario, and how often each count makes it."""
    made = [
        f"{COMBINATION_NAMES[name]} in {how_often(simulation.power(name, at_least))}"
        for name in COMBINATIONS
    ]
    studies = "studies" if simulation.n_repetitions < FEWEST_FOR_SHARES else "of studies"
    right = (
        "which is true here"
        if at_least <= simulation.k
        else f"which is wrong here, as the truth is {simulation.k}"
    )
    return f"“On at least {at_least}”, {right}, is claimed by {_joined(made)} {studies}."


def printed_table(simulation: Simulation, preset: Preset) -> pd.DataFrame:
    """The paper's printed figures beside the simulated ones and those in theory."""
    import pandas as pd

    rows = []
    for name in ESTIMATORS:
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


def printed_sentence(simulation: Simulation, preset: Preset) -> str:
    """State how the paper's printed figures and the simulated ones belong together."""
    if abs(simulation.alpha - PRINTED_ALPHA) > 0.0:
        return (
            f"The paper prints figures for this example at α = {format_level(PRINTED_ALPHA)}: "
            "choose that level to see them beside these."
        )
    return f"The paper prints figures for this example. {preset.note}"


def theory_sentence(simulation: Simulation) -> str:
    """State P(k̂ > 0) in theory, for independent datasets without a difference."""
    named = []
    for name in ESTIMATORS:
        theory = rate_without_effects(name, simulation.n_datasets, alpha=simulation.alpha)
        named.append(f"{_short(name)} {format_p_value(theory)}")
    return f"In theory, P(k̂ > 0) is here {_joined(named)}."


def _short(name: Estimator) -> str:
    return "for the count of p ≤ α" if name == "count" else f"for {COMBINATION_NAMES[name]}"


def _theory(value: float | None) -> str:
    return "–" if value is None else format_p_value(value)


def _interval(interval: tuple[float, float]) -> str:
    low, high = interval
    return f"{format_p_value(low)} to {format_p_value(high)}"


def _joined(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"

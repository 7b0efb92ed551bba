"""Sentences and rows about simulated counts."""

from __future__ import annotations

from core.replicability.counting import chance_of_a_false_win
from core.report.formatting import format_level, format_p_value
from core.report.sentences import COMBINATION_NAMES
from core.simulation import Estimator, OvercountRate, Preset, Simulation


def estimator_name(estimator: Estimator, *, alpha: float) -> str:
    """Write "Fisher", or "count of p ≤ .05"."""
    if estimator == "count":
        return f"count of p ≤ {format_level(alpha)}"
    return COMBINATION_NAMES[estimator]


def truth_sentence(simulation: Simulation) -> str:
    """State what was simulated and how often the common practice claimed too much."""
    rate = simulation.overcount("count")
    truth = (
        f"{_datasets(simulation.n_datasets)} without any difference"
        if simulation.k == 0
        else f"{_datasets(simulation.n_datasets)}, A truly better on {simulation.k}"
    )
    stopped = "" if simulation.complete else f" (stopped; {simulation.n_asked:,} were asked for)"
    return (
        f"{truth}: counting p ≤ {format_level(simulation.alpha)} claimed too many in "
        f"{100.0 * rate.rate:.1f}% of {simulation.n_repetitions:,} simulated studies{stopped}."
    )


def _datasets(n: int) -> str:
    return "1 dataset" if n == 1 else f"{n} datasets"


def overcount_sentence(rate: OvercountRate) -> str:
    """State whether a count exceeded the truth more often than alpha, as far as the runs decide."""
    low, high = rate.confidence_interval
    words = {
        "below": "less often than α allows",
        "around": "about as often as α allows; more repetitions would tell",
        "above": "more often than α allows",
    }[rate.position]
    return (
        f"{estimator_name(rate.estimator, alpha=rate.alpha)}: too many in "
        f"{100.0 * rate.rate:.2f}% of studies (95% interval {100.0 * low:.2f}% to "
        f"{100.0 * high:.2f}%), {words}."
    )


def rate_row(
    rate: OvercountRate,
    simulation: Simulation,
    preset: Preset | None,
    *,
    independent_nulls: bool = False,
) -> dict[str, str]:
    """One row of the table: P(k̂ > k) with its interval, beside a preset's figures."""
    low, high = rate.confidence_interval
    row = {
        "count by": estimator_name(rate.estimator, alpha=rate.alpha),
        f"P(k̂ > {simulation.k})": format_p_value(rate.rate),
        "95% interval": f"{format_p_value(low)} to {format_p_value(high)}",
        "mean k̂": f"{float(simulation.k_hat[rate.estimator].mean()):.3g}",
    }
    if preset is not None:
        printed, theory = preset.printed.get(rate.estimator), preset.theory.get(rate.estimator)
        row["printed in the paper"] = "–" if printed is None else format_p_value(printed)
        row["in theory"] = "–" if theory is None else format_p_value(theory)
    elif independent_nulls:
        theory = rate_without_effects(rate.estimator, simulation.n_datasets, alpha=simulation.alpha)
        row["in theory"] = format_p_value(theory)
    return row


def rate_without_effects(estimator: Estimator, n_datasets: int, *, alpha: float) -> float:
    """P(k̂ > 0) on N independent datasets without a difference, p-values uniform.

    Fisher's and Simes' tests of all datasets at once have level alpha exactly;
    Bonferroni's rejects where the smallest p-value is at most alpha / N.
    """
    if estimator == "count":
        return chance_of_a_false_win(n_datasets, alpha=alpha)
    if estimator == "bonferroni":
        return chance_of_a_false_win(n_datasets, alpha=alpha / n_datasets)
    return alpha

"""Sentences and tables about how large an effect is over many datasets."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from core.effects import DatasetEffects, MetaAnalysis, PredictionExperiment
from core.effects.combined import CombinedEffects
from core.effects.distributions import DistributionTest
from core.effects.effect_list import EffectName
from core.effects.heterogeneity import Interval
from core.effects.influence import Influence
from core.effects.subgroups import GroupAnalyses
from core.report.formatting import (
    display_name,
    format_p_value,
    format_percent,
    list_names,
    minus,
    p_value_clause,
    signed,
)

if TYPE_CHECKING:
    import pandas as pd

EFFECT_NAMES: dict[EffectName | Literal["given"], str] = {
    "difference": "difference of scores",
    "error-reduction": "error reduction",
    "standardised": "standardised difference",
    "given": "effect",
}
EFFECT_MEANINGS: dict[EffectName, str] = {
    "difference": "A − B in the units of the metric, turned so that a positive one is in A's favour.",
    "error-reduction": (
        "Of what B leaves to be gained, the share that A gains: (A − B)/(maximum − B). It makes "
        "easy and hard datasets comparable, and needs a highest possible score."
    ),
    "standardised": (
        "The mean difference of the examples over its standard deviation: comparable between "
        "metrics, and larger where systems differ steadily rather than much."
    ),
}
MODEL_NAMES = {
    "random": "random effects",
    "fixed": "fixed effect",
    "gumbel": "Gumbel",
    "macro-average": "macro-average",
    "micro-average": "micro-average",
}
MODEL_MEANINGS: dict[str, str] = {
    "random effects": (
        "Datasets are a sample of those there could be, each with an effect of its own "
        "(DerSimonian and Laird 1986). The interval is Hartung and Knapp's; with few datasets the "
        "normal one is too narrow."
    ),
    "fixed effect": (
        "One effect is taken to be true of all these datasets; the interval speaks for them alone "
        "and leaves out that effects differ."
    ),
    "Gumbel": (
        "Effects over their variances are taken to follow a Gumbel distribution (Søgaard 2013)."
    ),
    "macro-average": (
        "Every dataset counts the same. The interval takes them as drawn at random from a "
        "population, whose mean effect it is for."
    ),
    "micro-average": (
        "Datasets are weighted by their numbers of examples; the interval is for these datasets "
        "alone."
    ),
}
NOT_A_COUNT = (
    "This is an average. It does not say on how many datasets A is better: one large effect can "
    "carry it. The Counting page answers that."
)

ONE_SCORE = (
    "One score a dataset does not say how sure it is, so that only the macro-average and tests over "
    "datasets can be made; a meta-analysis needs results on every example, or standard errors."
)
NEEDS_BOOTSTRAP = (
    "How sure this metric's effect is on a dataset takes a bootstrap, which the Effect size page "
    "runs; here are averages of the datasets' scores alone."
)


def number(value: float, unit: float) -> str:
    """Write a signed number with three digits of `unit`, the width it is known to."""
    if not math.isfinite(value):
        return "–"
    if not unit > 0.0 or not math.isfinite(unit):
        return minus(f"{value:+.4g}") if value else "0"
    decimals = min(8, max(0, 2 - math.floor(math.log10(unit))))
    return signed(value, decimals)


def plain(value: float) -> str:
    """Write a statistic with about four digits, never in powers of ten where it is large."""
    return f"{value:,.0f}" if value >= 1000.0 else f"{value:.4g}"


def interval_text(interval: Interval | None, unit: float) -> str:
    """Write an interval's ends, or a dash."""
    if interval is None:
        return "–"
    return f"{number(interval[0], unit)} to {number(interval[1], unit)}"


def level_text(confidence_level: float) -> str:
    """Write a confidence level as "95%"."""
    return f"{100.0 * confidence_level:.10g}%"


def effect_label(effects: DatasetEffects) -> str:
    """What an axis or column of effects is called."""
    name = "A − B" if effects.effect == "difference" else EFFECT_NAMES[effects.effect]
    return f"{name}, {display_name(effects.metric)}" if effects.metric else name


def lead_sentence(combined: CombinedEffects, *, a: str, b: str) -> str:
    """State how far A is ahead on average, with what the interval is for."""
    effects, first, second = combined.effects, display_name(a), display_name(b)
    n = effects.n_datasets
    of = f" in {display_name(effects.metric)}" if effects.metric else ""
    if effects.effect == "error-reduction":
        of += ", as a share of the errors to be saved,"
    unit = (
        " standard deviations of the examples' differences"
        if effects.effect == "standardised"
        else ""
    )
    random = combined.random
    if random is None or random.n_datasets == 1:
        return _plain_lead(combined, first, second, of, unit)
    interval = _front_interval(random)
    width = interval[1] - interval[0]
    ahead, behind = (first, second) if random.estimate >= 0.0 else (second, first)
    size = number(abs(random.estimate), width).lstrip("+")
    told = (
        f"{ahead} is ahead of {behind} by {size}{unit}{of} on average over datasets like these {n}"
        if random.n_datasets == n
        else f"{ahead} is ahead of {behind} by {size}{unit}{of} on average "
        f"over datasets like the {random.n_datasets} of {n} that can be weighed"
    )
    turned = interval if random.estimate >= 0.0 else (-interval[1], -interval[0])
    ends = f"{level_text(random.confidence_level)} interval {interval_text(turned, width)}"
    if interval[0] <= 0.0 <= interval[1]:
        return (
            f"{told} ({ends}). The interval holds 0: these data do not show which of the two is "
            "better on average, nor that they are equal."
        )
    return f"{told} ({ends})."


def _front_interval(random: MetaAnalysis) -> Interval:
    return random.hartung_knapp_interval or random.confidence_interval


def _plain_lead(combined: CombinedEffects, a: str, b: str, of: str, unit: str) -> str:
    """Of data without variances, or of one dataset."""
    macro = combined.macro
    n = macro.n_datasets
    interval = macro.confidence_interval
    width = 0.0 if interval is None else interval[1] - interval[0]
    ahead, behind = (a, b) if macro.estimate >= 0.0 else (b, a)
    size = number(abs(macro.estimate), width).lstrip("+")
    if n == 1:
        name = display_name(combined.effects.datasets[0])
        return (
            f"One dataset: {ahead} is ahead of {behind} by {size}{unit}{of} on {name}. An average "
            "over datasets needs several."
        )
    told = f"{ahead} is ahead of {behind} by {size}{unit}{of} on average over {n} datasets"
    if interval is None or width == 0.0:
        return f"{told}, by the same on every one."
    turned = interval if macro.estimate >= 0.0 else (-interval[1], -interval[0])
    ends = f"{level_text(macro.confidence_level)} interval {interval_text(turned, width)}"
    holds = (
        " The interval holds 0: these scores do not show which of the two is better on average, "
        "nor that they are equal."
        if interval[0] <= 0.0 <= interval[1]
        else ""
    )
    return f"{told} ({ends}, if the datasets are a random sample of those meant).{holds}"


def differing_sentence(combined: CombinedEffects) -> str:
    """State how far effects differ between datasets; empty where nothing is known of that."""
    random = combined.random
    if random is None or random.n_datasets < 2:
        return ""
    level = level_text(random.confidence_level)
    share = format_percent(random.i2)
    ends = random.i2_interval
    if random.tau2 == 0.0:
        told = (
            "The effects differ between datasets no more than chance within them explains "
            f"(Q = {plain(random.q)} on {random.degrees_of_freedom} degrees of freedom, I² = 0%"
        )
    else:
        told = (
            f"Of the variation of the effects, {share} is between datasets rather than chance "
            f"within them (I²; Q = {plain(random.q)} on {random.degrees_of_freedom} degrees of "
            f"freedom, {p_value_clause(random.q_p_value)}"
        )
    if ends is not None:
        told += f"; {level} interval of I² {_percent(ends[0])} to {_percent(ends[1])}"
    told += ")."
    prediction = random.prediction_interval
    if prediction is not None:
        width = prediction[1] - prediction[0]
        both = " It holds both signs." if prediction[0] < 0.0 < prediction[1] else ""
        told += (
            f" On a new dataset of this kind the effect is expected between "
            f"{number(prediction[0], width)} and {number(prediction[1], width)} ({level}).{both}"
        )
    return told


def _percent(share: float) -> str:
    return f"{100.0 * share:.0f}%"


def cautions(
    combined: CombinedEffects, *, dependent: bool, why_averages: str = ONE_SCORE
) -> tuple[str, ...]:
    """What limits these numbers.

    Parameters
    ----------
    combined : CombinedEffects
        The numbers.
    dependent : bool
        Whether datasets are not stated to be independent.
    why_averages : str
        Why there are averages alone, where no variance is known.
    """
    found = []
    effects, random = combined.effects, combined.random
    for reason in dict.fromkeys(one.reason for one in effects.left_out):
        names = [one.dataset for one in effects.left_out if one.reason == reason]
        found.append(f"Not among these: {list_names(names)} ({reason}).")
    for reason in dict.fromkeys(one.reason for one in combined.not_weighed):
        names = [one.dataset for one in combined.not_weighed if one.reason == reason]
        if effects.variances is None:
            found.append(why_averages)
        else:
            found.append(f"In the averages only: {list_names(names)} ({reason}).")
    if random is not None and 1 < random.n_datasets < 5:
        found.append(
            f"With {random.n_datasets} datasets the spread between them is hardly known; every "
            "interval over datasets is wide or not to be relied on."
        )
    if random is not None and random.is_hartung_knapp_below_one:
        factor = random.hartung_knapp_factor or 0.0
        found.append(
            f"Hartung and Knapp's factor is {factor:.2g}, below 1: their interval is narrower than "
            "the normal one would be with the same degrees of freedom. It is shown as it is."
        )
    for note in () if random is None else random.notes:
        found.append(f"{note[:1].upper()}{note[1:]}.")
    if dependent and effects.n_datasets > 1:
        found.append(
            "All these intervals take the datasets' results to be independent. Datasets that share "
            "examples make them too narrow."
        )
    if not effects.complete:
        found.append(
            f"Stopped before {len(effects.not_done)} datasets were done: "
            f"{list_names(effects.not_done)}."
        )
    return tuple(found)


def combined_frame(combined: CombinedEffects) -> pd.DataFrame:
    """A row for each way of combining: estimate, interval, what it is for."""
    import pandas as pd

    rows: list[tuple[str, str, str, str]] = []
    random = combined.random
    if random is not None:
        interval = _front_interval(random)
        rows.append(_row("random effects", random.estimate, interval, "Hartung–Knapp"))
        rows.append(_row("random effects", random.estimate, random.confidence_interval, "normal"))
    for name, found in (("fixed effect", combined.fixed), ("Gumbel", combined.gumbel)):
        if found is not None:
            rows.append(_row(name, found.estimate, found.confidence_interval, "normal"))
    macro, micro = combined.macro, combined.micro
    rows.append(_row("macro-average", macro.estimate, macro.confidence_interval, "Student's t"))
    if micro is not None:
        rows.append(_row("micro-average", micro.estimate, micro.confidence_interval, "normal"))
    level = level_text(macro.confidence_level)
    frame = pd.DataFrame(rows, columns=["combined by", "A − B", f"{level} interval", "made by"])
    return frame.rename(columns={"A − B": effect_label(combined.effects)})


def _row(
    name: str, estimate: float, interval: Interval | None, by: str
) -> tuple[str, str, str, str]:
    width = 0.0 if interval is None else interval[1] - interval[0]
    return name, number(estimate, width), interval_text(interval, width), by if interval else "–"


def heterogeneity_line(random: MetaAnalysis) -> str:
    """Q, τ² and I² with their intervals, in one line."""
    level = level_text(random.confidence_level)
    text = (
        f"Q = {plain(random.q)} on {random.degrees_of_freedom} degrees of freedom, "
        f"{p_value_clause(random.q_p_value)}; τ² = {random.tau2:.4g}"
    )
    if random.tau2_interval is not None:
        low, high = random.tau2_interval
        text += f" ({level} interval by Q-profile {low:.4g} to {high:.4g})"
    text += f"; I² = {format_percent(random.i2)}"
    if random.i2_interval is not None:
        low, high = random.i2_interval
        text += f" ({_percent(low)} to {_percent(high)})"
    return f"{text}."


def influence_sentence(influence: Influence, datasets: Sequence[str]) -> str:
    """State which dataset moves the combined effect most."""
    most = influence.most_influential
    whole, without = influence.whole, influence.without[most]
    width = whole.confidence_interval[1] - whole.confidence_interval[0]
    name = display_name(datasets[most])
    told = (
        f"{name} moves the combined effect most: with it {number(whole.estimate, width)}, without "
        f"it {number(without.estimate, width)}."
    )
    turned = influence.changes_sign
    if turned:
        names = list_names([datasets[i] for i in turned])
        told += f" The other system is ahead on average without {names}."
    decides = [
        datasets[i]
        for i, one in enumerate(influence.without)
        if _holds_zero(_front_interval(one)) != _holds_zero(_front_interval(whole))
    ]
    if decides:
        told += f" Whether the interval holds 0 hangs on {list_names(decides)}."
    else:
        told += " Whether the interval holds 0 hangs on no single dataset."
    return told


def _holds_zero(interval: Interval) -> bool:
    return interval[0] <= 0.0 <= interval[1]


def influence_frame(influence: Influence, datasets: Sequence[str]) -> pd.DataFrame:
    """A row for each dataset that is left out, what moves most first."""
    import pandas as pd

    whole = influence.whole
    width = whole.confidence_interval[1] - whole.confidence_interval[0]
    order = sorted(range(len(datasets)), key=lambda i: -abs(float(influence.shifts[i])))
    level = level_text(whole.confidence_level)
    return pd.DataFrame(
        {
            "without": [datasets[i] for i in order],
            "combined effect": [number(influence.without[i].estimate, width) for i in order],
            "moves by": [number(float(influence.shifts[i]), width) for i in order],
            f"{level} interval": [
                interval_text(_front_interval(influence.without[i]), width) for i in order
            ],
            "I²": [_percent(float(influence.i2[i])) for i in order],
        }
    )


def groups_sentence(groups: GroupAnalyses) -> str:
    """State whether groups differ by more than chance."""
    if groups.q_between is None or groups.q_between_p_value is None:
        return "One group: there is nothing to compare it with."
    return (
        f"Between the {len(groups.groups)} groups: Q = {plain(groups.q_between)} on "
        f"{groups.degrees_of_freedom} degrees of freedom, "
        f"{p_value_clause(groups.q_between_p_value)}. A small p speaks for groups that differ; a "
        "large one does not speak for groups that are alike."
    )


def distribution_sentences(tests: Sequence[DistributionTest]) -> tuple[str, ...]:
    """For each distribution what the Anderson–Darling test says of it."""
    names = {"normal": "a normal", "logistic": "a logistic", "gumbel_r": "a Gumbel"}
    found = []
    for test in tests:
        verdict = {
            True: "evidence against",
            False: "no evidence against",
            None: "the table cannot tell at .05 about",
        }[test.is_evidence_against()]
        note = f" ({test.note})" if test.note else ""
        found.append(
            f"{verdict[:1].upper()}{verdict[1:]} {names[test.distribution]} distribution of the "
            f"effects: A² = {test.statistic:.3f}, {test.p_bracket}{note}."
        )
    return tuple(found)


def experiment_sentence(experiment: PredictionExperiment) -> str:
    """State which way of combining came nearest to datasets held out, and how far that goes."""
    done = [
        (size, best)
        for size, best in zip(experiment.sizes, experiment.best, strict=True)
        if best is not None
    ]
    if not done:
        return "Stopped before anything was drawn."
    winners = list(dict.fromkeys(best for _, best in done))
    told = " and ".join(
        f"{MODEL_NAMES[winner]} for k = {', '.join(str(s) for s, b in done if b == winner)}"
        for winner in winners
    )
    return (
        f"Nearest to the mean effect of {experiment.n_held_out} datasets held out: {told}. Each "
        f"drawn {experiment.n_repetitions:,} times from the same {experiment.n_datasets} datasets, "
        "so the draws overlap and the p-values only describe."
    )


def experiment_frame(experiment: PredictionExperiment) -> pd.DataFrame:
    """A row for each number of datasets drawn and each way of combining."""
    import pandas as pd

    absolute, signed_errors = experiment.mean_absolute_errors, experiment.mean_signed_errors
    rows = []
    for i, size in enumerate(experiment.sizes):
        unit = float(absolute[i, 0]) if math.isfinite(float(absolute[i, 0])) else 0.0
        for j, method in enumerate(experiment.methods):
            p_value = float(experiment.p_values[i, j])
            rows.append(
                (
                    size,
                    MODEL_NAMES[method],
                    number(float(absolute[i, j]), unit).lstrip("+"),
                    number(float(signed_errors[i, j]), unit),
                    "–" if math.isnan(p_value) else format_p_value(p_value),
                )
            )
    columns = ["k drawn", "combined by", "mean error", "mean signed error", "p against macro"]
    return pd.DataFrame(rows, columns=columns)


def effects_frame(combined: CombinedEffects, order: Sequence[int]) -> pd.DataFrame:
    """A row for each dataset: size, scores, effect, interval, weight."""
    import pandas as pd

    effects = combined.effects
    level = combined.macro.confidence_level
    columns: dict[str, list[str]] = {"dataset": [effects.datasets[i] for i in order]}
    intervals = dataset_intervals(effects, level)
    typical = sorted(high - low for low, high in (one for one in intervals if one is not None))
    unit = typical[len(typical) // 2] if typical else 0.0
    columns[effect_label(effects)] = [number(float(effects.effects[i]), unit) for i in order]
    if effects.variances is not None:
        columns[f"{level_text(level)} interval"] = [
            interval_text(intervals[i], unit) for i in order
        ]
    if combined.random is not None and combined.fixed is not None:
        for name, found in (("random", combined.random), ("fixed", combined.fixed)):
            shares = dict(zip(combined.weighed, found.weights.tolist(), strict=True))
            columns[f"weight, {name}"] = [
                f"{100.0 * shares[i]:.1f}%" if i in shares else "–" for i in order
            ]
    if effects.n_examples is not None:
        columns["n"] = [f"{int(effects.n_examples[i]):,}" for i in order]
    for name, scores in (("A", effects.scores_a), ("B", effects.scores_b)):
        if scores is not None:
            columns[name] = [minus(f"{float(scores[i]):.5g}") for i in order]
    if any(effects.notes):
        columns["note"] = [effects.notes[i] for i in order]
    return pd.DataFrame(columns)


def dataset_intervals(
    effects: DatasetEffects, confidence_level: float
) -> tuple[Interval | None, ...]:
    """A normal interval of each dataset's effect; None where its variance is not known."""
    from scipy.special import ndtri

    if effects.variances is None:
        return (None,) * effects.n_datasets
    reach = float(ndtri(0.5 + 0.5 * confidence_level))
    return tuple(
        (effect - reach * error, effect + reach * error)
        for effect, error in zip(
            effects.effects.tolist(), np.sqrt(effects.variances).tolist(), strict=True
        )
    )

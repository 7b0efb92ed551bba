"""Sentences about what limits an average effect: what it is not, what is left out, what is not known."""

from __future__ import annotations

import numpy as np

from ..effects.across import AcrossTests
from ..effects.combined import CombinedEffects
from ..effects.dataset_effects import LeftOut
from ..effects.meta_analysis import MetaAnalysis
from ..replicability.decision import at_most
from .effects_words import holds_zero, level_text, size_of, tau2_title, width_of
from .formatting import (
    display_name,
    format_level,
    format_p_value,
    list_names,
    p_value_clause,
)

NOT_A_COUNT = (
    "This is an average. It does not say on how many datasets a system is better: one large effect "
    "can carry it. {where} answers that."
)
NO_DIRECTION = (
    "This is an average: one large effect can carry it. What a positive effect means, the file "
    "does not say. Tests over datasets compare two systems' scores, which a table of effects does "
    "not have; the interval above stands in their place."
)
TAKEN_INDEPENDENT = (
    "All intervals take the datasets' results to be independent: datasets that share examples make "
    "them too narrow."
)
ONE_SCORE = (
    "One score per dataset carries no sampling error, so only the macro-average and tests over "
    "datasets can be made; a meta-analysis needs results on every example, or standard errors."
)
NEEDS_BOOTSTRAP = (
    "How sure this metric's effect is on a dataset takes a bootstrap, which the Effect size page "
    "runs; here are averages of the datasets' scores alone."
)
WHILE_DRAWING = (
    "Resamples are being drawn, which say how sure each dataset's effect is; until then, these are "
    "averages of the datasets' scores alone."
)
NOT_DRAWN = (
    "The resamples that say how sure each dataset's effect is were not drawn; these are averages of "
    "the datasets' scores alone."
)
SAY_MAXIMUM = "Say the highest possible score below: 1, or 100 for percentages."


def left_out_lines(
    left_out: tuple[LeftOut, ...], *, b: str | None = None, remedy: bool = False
) -> tuple[str, ...]:
    """Each reason once, with the datasets it holds for.

    Parameters
    ----------
    left_out : tuple of LeftOut
        Datasets without an effect.
    b : str, optional
        Name of the second system.
    remedy : bool
        Whether a form below takes the highest possible score.
    """
    found = []
    for reason in dict.fromkeys(one.reason for one in left_out):
        own = [one for one in left_out if one.reason == reason]
        said = reason if b is None else reason.replace("the second system", display_name(b))
        names = (
            "on every dataset"
            if len(own) == len(left_out) > 1
            else list_names([one.dataset for one in own])
        )
        count = f"{len(own)} datasets: " if 1 < len(own) < len(left_out) else ""
        more = f" {SAY_MAXIMUM}" if remedy and own[0].needs_maximum else ""
        found.append(f"{said[:1].upper()}{said[1:]} ({count}{names}).{more}")
    return tuple(found)


def front_cautions(
    combined: CombinedEffects, *, why_averages: str = ONE_SCORE, b: str | None = None
) -> tuple[str, ...]:
    """What limits the answer itself.

    Parameters
    ----------
    combined : CombinedEffects
        The numbers.
    why_averages : str
        Why there are averages alone, where no variance is known.
    b : str, optional
        Name of the second system.
    """
    found = []
    effects, random = combined.effects, combined.random
    if not effects.complete:
        found.append(
            f"Stopped before {len(effects.not_done)} datasets were done: "
            f"{list_names(effects.not_done)}."
        )
    found += [
        f"Not among these: {line}" for line in _lowered(left_out_lines(effects.left_out, b=b))
    ]
    if effects.variances is None:
        found.append(why_averages)
    else:
        for reason in dict.fromkeys(one.reason for one in combined.not_weighed):
            names = [one.dataset for one in combined.not_weighed if one.reason == reason]
            found.append(f"In the averages only: {list_names(names)} ({reason}).")
    averaged = random is not None and combined.front == "macro-average" and effects.n_datasets > 1
    if averaged and combined.has_biased_weights:
        found.append(
            f"The systems differ on {combined.typical_differing:.10g} examples of a typical "
            f"dataset, fewer than {combined.fewest_differing}. Weights of 1/variance are then "
            "drawn toward small effects, so the answer is the average in which every dataset "
            "counts the same; the other ways of combining are in the table."
        )
    elif averaged:
        found.append(
            "A meta-analysis would leave them out, however large their effects, so the answer is "
            "the average in which every dataset counts the same; the other ways of combining are "
            "in the table."
        )
    if random is not None and random.is_outside_interval:
        found.append(_outside(random))
    if random is not None and 1 < effects.n_datasets < 5:
        found.append(
            f"With {effects.n_datasets} datasets the spread between them is hardly known; every "
            "interval over datasets is wide or not to be relied on."
        )
    return tuple(found)


def _outside(random: MetaAnalysis) -> str:
    assert random.tau2_interval is not None
    low, high = random.tau2_interval
    estimate, *ends = (size_of(value, high - low) for value in (random.tau2, low, high))
    return (
        f"τ² by {tau2_title(random.tau2_method)} is {estimate}, outside its "
        f"{level_text(random.confidence_level)} Q-profile interval ({' to '.join(ends)}), so no "
        "interval of I² is shown. τ² by Paule–Mandel lies inside."
    )


def _lowered(lines: tuple[str, ...]) -> list[str]:
    return [line[:1].lower() + line[1:] for line in lines]


def further_cautions(combined: CombinedEffects) -> tuple[str, ...]:
    """What to know about single numbers of the tables."""
    random = combined.random
    if random is None or random.n_datasets < 2:
        return ()
    found = []
    factor = random.hartung_knapp_factor
    if random.is_hartung_knapp_below_one and factor is not None and factor > 0.0:
        found.append(
            f"Hartung and Knapp's factor is {_below_one(factor)}: the effects lie closer together "
            "than their variances alone would have them, and their interval may be narrower than "
            "the normal one. The table shows it as it is; the answer takes the wider of the two."
        )
    elif factor == 0.0:
        found.append(
            "All effects are equal: Hartung and Knapp's interval has no width, which says nothing "
            "of how sure the effect is. The answer takes the normal one."
        )
    if random.tau2_interval == (0.0, 0.0):
        found.append(
            "The effects vary so little that under no τ² would that be no surprise: its interval is "
            "given as 0 to 0."
        )
    return tuple(found)


def disagreement_sentence(combined: CombinedEffects, tests: AcrossTests, *, alpha: float) -> str:
    """State it where Wilcoxon's test and the average's interval do not say the same; else ''.

    Parameters
    ----------
    combined : CombinedEffects
        With intervals at 1 - alpha.
    tests : AcrossTests
        Of the same two systems.
    alpha : float
        The level of both.
    """
    best, interval = tests.tests[0], combined.front_interval
    both, greater, less = best.p_value_two_sided, best.p_value_greater, best.p_value_less
    if combined.effects.is_given or combined.effects.n_datasets < 2:
        return ""
    if interval is None or both is None or greater is None or less is None:
        return ""
    if width_of(interval) == 0.0:
        # Of effects that are all the same none is shown, as it says nothing of how sure they are.
        return ""
    by_average = 0 if holds_zero(interval) else 1 if interval[0] > 0.0 else -1
    by_ranks = 0 if not at_most(np.array([both]), alpha)[0] else 1 if greater <= less else -1
    if by_average == by_ranks:
        return ""
    smallest = 2.0 ** (1 - tests.wins - tests.losses)
    if not by_ranks and not at_most(np.array([smallest]), alpha)[0]:
        differ = tests.wins + tests.losses
        return (
            "The interval of the average effect excludes 0. Wilcoxon's test over the datasets cannot "
            f"be significant at α = {format_level(alpha)} here: with {differ} {'dataset' if differ == 1 else 'datasets'} on which "
            "the systems differ, its two-sided p-value is at least "
            f"{format_p_value(min(1.0, smallest), alpha=alpha)}. The two do not disagree."
        )
    weighs = (
        "weighs each dataset by how sure its effect is"
        if combined.front == "random"
        else "takes each dataset's effect with its size"
    )
    estimate, least = combined.front_estimate, 1e-9 * width_of(interval)
    by_estimate = 0 if abs(estimate) <= least else 1 if estimate > 0.0 else -1
    whose = {1: display_name(tests.system_a), -1: display_name(tests.system_b)}
    if by_ranks and by_estimate == -by_ranks:
        open_still = "" if by_average else ", though its interval holds 0"
        what = (
            f"The average effect favours {whose[by_estimate]}{open_still}; Wilcoxon's test over the "
            f"datasets favours {whose[by_ranks]} ({p_value_clause(both, alpha=alpha)}, two-sided)."
        )
    else:
        what = (
            "The interval of the average effect excludes 0, but Wilcoxon's test over the datasets is "
            f"not significant at α = {format_level(alpha)}."
            if by_average
            else "Wilcoxon's test over the datasets is significant at "
            f"α = {format_level(alpha)}, but the interval of the average effect contains 0."
        )
    return (
        f"{what} The "
        f"average is of the effects and {weighs}; the test ranks the datasets' differences, so that "
        "no large one counts for much more than the next. Each answers its own question; choosing "
        "between them after looking at both has no guarantee."
    )


def _below_one(factor: float) -> str:
    for digits in range(2, 8):
        text = f"{factor:.{digits}g}"
        if float(text) < 1.0:
            return text
    return "just below 1"

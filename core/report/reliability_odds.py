"""What p ≤ α is worth among many ideas tried, and what toy examples show, in words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ..reliability.prior_odds import (
    PAPER_LEVELS,
    PAPER_POWER,
    PAPER_PRIOR_ODDS,
    PriorOddsStudy,
    positive_predictive_value,
)
from ..reliability.toys import LEVELS, ToyStudy
from .formatting import format_level, format_percent

if TYPE_CHECKING:
    import pandas as pd

# Søgaard et al. (2014), section 2, with R = .1 and β = .5.
PRINTED_VALUES = {0.05: ".5", 0.01: "5/6 (.83)", 0.0025: ".95, “near .0025”"}
ABOUT_PRINTED_TOYS = (
    "The paper's own figures come from fewer repetitions and differ from theory in places; they "
    "are shown beside, not matched."
)
FORMULA = r"\mathrm{PPV} = \frac{(1-\beta)\,R}{R - \beta R + \alpha}"
WHAT_IT_ASSUMES = (
    "R and the power are assumptions about what people try, not results of these data: nobody "
    "knows them. The share is of many claims made at this level, not the chance that one of them "
    "is true. Choosing among metrics, tests or parts after looking makes it smaller."
)


def prior_odds_sentence(study: PriorOddsStudy) -> str:
    """How many of the claims at a level are true, and which level makes most of them so."""
    level = format_level(study.alpha)
    effects = _one_in(study.prior_odds)
    if not study.prior_odds:
        return "If no idea that is tried has an effect, no claim is true, whatever the level."
    false = study.false_per_true
    found = (
        f"If {effects} and tests find {format_percent(study.power)} of these, then of all claims "
        f"made at p ≤ {level}, {format_percent(study.positive_predictive_value)} are true: "
        f"{_counted(float(f'{false:.2g}'))} false for each true one."
    )
    target = format_percent(study.target)
    if study.positive_predictive_value >= study.target:
        return f"{found} {target} are true up to α = {level_in_digits(study.alpha_for_target)}."
    return (
        f"{found} For {target} of claims to be true it takes α = "
        f"{level_in_digits(study.alpha_for_target)}."
    )


def probability_remark(study: PriorOddsStudy) -> str:
    """That R is odds, and what a share in its place would give."""
    odds = study.prior_odds
    share = odds / (1.0 + odds)
    remark = (
        f"R is odds: at R = {format_level(odds)}, {100.0 * share:.1f}% of comparisons have an "
        "effect. The paper also writes that R + (1 − R)α of tests "
        "are significant, which treats R as a share."
    )
    if study.if_probability is None:
        return remark
    return (
        f"{remark} Were {format_level(odds)} a share, {format_percent(study.if_probability)} of claims "
        f"would be true instead of {format_percent(study.positive_predictive_value)}."
    )


def prior_odds_frame(study: PriorOddsStudy) -> pd.DataFrame:
    """A row for each common level: as assumed here, and as the paper assumes and prints."""
    import pandas as pd

    levels = sorted({*PAPER_LEVELS, study.alpha}, reverse=True)
    rows = [
        (
            format_level(level),
            f"{positive_predictive_value(level, power=study.power, prior_odds=study.prior_odds):.3f}",
            f"{positive_predictive_value(level, power=PAPER_POWER, prior_odds=PAPER_PRIOR_ODDS):.3f}",
            PRINTED_VALUES.get(level, "–"),
        )
        for level in levels
    ]
    return pd.DataFrame(
        rows,
        columns=["α", "share true, as assumed", "with R = .1, power .5", "printed in the paper"],
    )


def toy_sentence(study: ToyStudy) -> str:
    """How often the reported p-value lies below .05, beside theory."""
    n, stopped = study.n_repetitions, "" if study.complete else "Stopped early. "
    if not study.toy.is_choice:
        told = ", ".join(
            f"{series.name}: {_percent(series.share(LEVELS[0]).rate.rate)}"
            for series in study.reported
        )
        return (
            f"{stopped}In {n:,} studies of two identical systems p < .05 comes up as often as it "
            f"should, near 5% ({told})."
        )
    share = study.reported[0].share(LEVELS[0])
    return (
        f"{stopped}In {n:,} studies of two identical systems the smallest of "
        f"{len(study.toy.choices)} p-values is below .05 in {_percent(share.rate.rate)}; theory "
        f"says {_percent(share.theory)}. A p-value fixed beforehand: 5%."
    )


def toy_frame(study: ToyStudy) -> pd.DataFrame:
    """A row for each series and level, with theory and what the paper prints."""
    import pandas as pd

    own = () if study.reported[0].name == study.choices[0].name else study.choices
    rows = [
        (
            series.name,
            f"p < {format_level(share.level)}",
            _percent(share.rate.rate),
            f"{_percent(share.rate.confidence_interval[0])} to "
            f"{_percent(share.rate.confidence_interval[1])}",
            _percent(share.theory),
            "–" if share.printed is None else _percent(share.printed),
        )
        for series in (*study.reported, *own)
        for share in series.shares
    ]
    columns = ["p-value", "event", "simulated", "95% interval", "theory", "printed in the paper"]
    return pd.DataFrame(rows, columns=columns)


def _one_in(odds: float) -> str:
    if odds == 1.0:
        return "one idea in two that are tried has an effect"
    if odds < 1.0:
        return (
            f"one idea in {_counted(1.0 + 1.0 / odds)} that are tried has an effect" if odds else ""
        )
    return f"{_percent(odds / (1.0 + odds))} of the ideas that are tried have an effect"


def _counted(number: float) -> str:
    return f"{number:.3g}" if number < 100.0 else f"{round(number):,}"


def level_in_digits(alpha: float) -> str:
    """A level with two digits, cut rather than rounded, so that it still gives the target."""
    if not alpha:
        return "0"
    place = math.floor(math.log10(alpha)) - 1
    cut = math.floor(alpha / 10.0**place * (1.0 + 1e-12)) * 10.0**place
    # As a decimal, however small: "1e-05" is not how levels are written.
    return f"{cut:.{max(0, -place)}f}".rstrip("0").rstrip(".").removeprefix("0")


def _percent(share: float) -> str:
    return f"{100.0 * share:.3g}%"

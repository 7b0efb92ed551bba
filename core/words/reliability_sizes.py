"""What more or fewer examples, and many ideas tried, do to p-values, in words."""

from __future__ import annotations

from ..reliability.power import (
    Power,
    examples_needed,
    tests_of_known_power,
)
from ..reliability.prior_odds import (
    PAPER_LEVELS,
    PAPER_POWER,
    PAPER_PRIOR_ODDS,
    PriorOddsStudy,
    positive_predictive_value,
)
from ..reliability.sample_size import DatasetSubsamples, SubsampleStudy
from ..reliability.subsamples import SubsamplePoint
from ..reliability.toys import LEVELS, ToyStudy
from ..significance.known_tests import significance_test_named
from .formatting import (
    Frame,
    about,
    counted,
    display_name,
    format_level,
    format_p_value,
    format_percent,
    format_share,
    frame_of,
    joined,
    list_names,
    p_value_clause,
    rounded_level,
    sentence_case,
)

USUAL_POWER = 0.8
MARK_MEANINGS = {
    "vanishes": "does not last",
    "fragile": "needs nearly all",
    "": "–",
}
WHAT_MARKS_MEAN = (
    "“Does not last”: the whole has p > {level}, but random parts of some size have p ≤ {level} at "
    "least twice as often as by chance. It is not a test: with 100 parts of each size at α = .05, up to "
    "about 15% of datasets with two equal systems have this mark. “Needs nearly all”: the whole has "
    "p ≤ {level}, but fewer than half of its largest parts do."
)
WHAT_THE_CURVE_IS = (
    "Parts share examples with the whole, so the share of parts with p ≤ {level} follows the whole's "
    "p-value, whatever the truth is: the dotted line predicts it from that p-value alone. The curve "
    "shows how far the verdict depends on the size, not how large the effect is."
)
OPTIMISTIC = (
    "State a difference that would matter to you, not the one observed. Power at the observed "
    "difference only restates the p-value, and is too optimistic for a difference picked because its "
    "p-value is small."
)
# Søgaard et al. (2014), Table 4: share of random parts with p ≤ .05 by labelled attachment score.
PRINTED_SHARES = (10, 25, 50, 75, 100)
PRINTED = {
    "Emails": (14, 15, 19, 22, 0),
    "Newsgroups": (9, 23, 25, 41, 36),
    "Reviews": (33, 52, 78, 97, 100),
    "Weblogs": (42, 68, 100, 100, 100),
    "WSJ": (28, 27, 60, 80, 100),
}
ABOUT_PRINTED = (
    "Søgaard et al. (2014), Table 4: two parsers, labelled attachment score, per cent of random "
    "parts with p ≤ .05. As printed; the 36% at 100% cannot be of one test of the whole."
)


def sizes_sentence(study: SubsampleStudy) -> str:
    """On how many datasets the verdict depends on the number of examples."""
    n, k, level = len(study.datasets), len(study.significant), format_level(study.alpha)
    fragile, vanishing = study.marked("fragile"), study.marked("vanishes")
    said = []
    if fragile:
        need = "needs" if len(fragile) == 1 else "need"
        said.append(f"{list_names(fragile)} {need} nearly all examples for it")
    if vanishing:
        said.append(
            f"on {list_names(vanishing)} random parts reach it at least twice as often as by chance, "
            "although the whole does not"
        )
    return (
        f"{'' if study.complete else 'Stopped early. '}{k} of {counted(n, 'dataset')} "
        f"{'has' if k == 1 or n == 1 else 'have'} p ≤ {level} (each whole, tested alone); "
        f"{'; '.join(said) or 'none needs nearly all examples'}."
    )


def dataset_sentence(own: DatasetSubsamples) -> str:
    """One dataset at its sizes."""
    level = format_level(own.alpha)
    parts = [
        f"{point.n_significant:,} of {point.n_subsamples:,} random parts of {_size(own, point)}"
        for point in own.points[:-1]
    ]
    clause = p_value_clause(own.p_value, alpha=own.alpha)
    size = counted(own.whole.n_examples, "example")
    if own.unit == "clusters":
        size += f" in {counted(own.whole.n_units, 'cluster')}"
    # A p-value of few resamples differs from that of the other pages, which draw more.
    drawn = own.full.n_resamples if own.full.method == "monte-carlo" else None
    by = "" if drawn is None else f" (from {drawn:,} resamples)"
    whole = f"the whole, {size}, has {clause}{by}"
    resampled = [
        _size(own, point) for point in own.points[:-1] if point.method == "monte-carlo" and not by
    ]
    estimated = (
        f" The p-values of parts of {list_names(resampled)} are estimated from resamples."
        if resampled
        else ""
    )
    return f"{display_name(own.dataset)}: p ≤ {level} in {', '.join(parts)}; {whole}.{estimated}"


def _size(own: DatasetSubsamples, point: SubsamplePoint) -> str:
    if own.unit == "examples":
        return f"{point.n_examples:,}"
    return f"{counted(point.n_units, 'cluster')} (about {counted(point.n_examples, 'example')})"


def sizes_frame(study: SubsampleStudy) -> Frame:
    """A row for each dataset, a column for each size: per cent of parts with p <= alpha."""
    columns: dict[str, list[str]] = {
        "dataset": [display_name(own.dataset) for own in study.datasets],
        "n": [f"{own.whole.n_examples:,}" for own in study.datasets],
    }
    for place, share in enumerate(study.shares[:-1]):
        columns[_percent(share)] = [
            _percent(own.points[place].share_significant) for own in study.datasets
        ]
    columns["p of the whole"] = [
        ("★ " if own.significant else "– ") + format_p_value(own.p_value, alpha=own.alpha)
        for own in study.datasets
    ]
    columns["depends on size"] = [MARK_MEANINGS[own.mark] for own in study.datasets]
    left = [_left_out(own) for own in study.datasets]
    if any(left):
        columns["note"] = left
    return frame_of(columns)


def printed_frame() -> Frame:
    """Table 4 of Søgaard et al. (2014) as printed."""
    rows = [(name, *(f"{share}%" for share in shares)) for name, shares in PRINTED.items()]
    return frame_of(rows, columns=["dataset", *(f"{share}%" for share in PRINTED_SHARES)])


def power_of_stated(own: DatasetSubsamples, effect: float) -> tuple[str, Power | None]:
    """Power on one dataset at a difference that a person states: a sentence, or why none is known."""
    reason = _unknown(own, effect)
    if reason:
        return reason, None
    expected, level = own.expected(effect), format_level(own.alpha)
    needed = examples_needed(own.stated(effect), USUAL_POWER)
    n = f"more than {needed.most:,}" if needed.n_examples is None else f"{needed.n_examples:,}"
    spread = (
        f"the systems differ on {format_share(own.disagreement)} of examples, as here"
        if own.binary
        else f"differences spread as here (standard deviation {own.standard_deviation:.4g})"
    )
    sentence = (
        f"If A were truly better by {effect:g} and {spread}, a new test set of "
        f"{own.whole.n_examples:,} examples would have p ≤ {level} with probability "
        f"{format_percent(float(expected.power[-1]))}. For {format_percent(USUAL_POWER)} it would "
        f"take {n} examples."
    )
    if expected.stated.approximation:
        sentence += f" {sentence_case(expected.stated.approximation)}."
    return sentence, expected


def _unknown(own: DatasetSubsamples, effect: float) -> str:
    if own.unit == "clusters":
        return (
            "These examples come in clusters: the power depends on how alike a cluster's examples "
            "are, and is not given."
        )
    if effect <= 0.0:
        return "State how much better A is than B, above 0; to ask about B, swap the two."
    if own.binary and effect > 1.0:
        return (
            f"These scores are 0 or 1, so their averages cannot be {effect:g} apart: "
            f"{effect:g} percentage points are written {format_level(effect / 100.0)}."
        )
    if own.binary and effect > own.disagreement:
        return (
            f"The two systems differ on only {format_share(own.disagreement)} of these examples, so "
            f"their accuracies cannot be {effect:g} apart."
        )
    if not own.binary and not own.standard_deviation:
        return "Power is known only for scores that are averaged over examples."
    if own.full.test not in tests_of_known_power():
        return f"The power of {significance_test_named(own.full.test).called} is not known."
    return ""


def _left_out(own: DatasetSubsamples) -> str:
    undefined = sum(point.n_undefined for point in own.points)
    beyond = sum(point.n_out_of_reach for point in own.points)
    said = []
    if undefined:
        said.append(f"{counted(undefined, 'part')} without a defined score")
    if beyond:
        said.append(f"{counted(beyond, 'part')} beyond the bootstrap's reach")
    return ", ".join(said)


def _percent(share: float) -> str:
    return f"{100.0 * share:.3g}%"


# Søgaard et al. (2014), section 2, with R = .1 and β = .5.
PRINTED_VALUES = {0.05: ".5", 0.01: "5/6 (.83)", 0.0025: ".95, “near .0025”"}
ABOUT_PRINTED_TOYS = (
    "The paper's own figures come from fewer repetitions and differ from theory in places; they "
    "are shown beside, not matched."
)
FORMULA = r"\mathrm{PPV} = \frac{(1-\beta)\,R}{R - \beta R + \alpha}"
WHAT_IT_ASSUMES = (
    "R and the power are assumptions, not results of these data. The share is of many claims made at "
    "this level, not the chance that one of them is true. Choosing among metrics, tests or parts after "
    "looking makes it smaller."
)


def prior_odds_sentence(study: PriorOddsStudy) -> str:
    """How many of the claims at a level are true, and which level makes most of them so."""
    level = format_level(study.alpha)
    if study.prior_odds == 0.0:
        return f"If no idea that is tried has an effect, no claim made at p ≤ {level} or any other level is true."
    effects = _one_in(study.prior_odds)
    false = study.false_per_true
    found = (
        f"If {effects} and tests detect {format_percent(study.power)} of these, "
        f"{format_percent(study.positive_predictive_value)} of the claims made at p ≤ {level} are true: "
        f"{about(float(f'{false:.2g}'))} false for each true one."
    )
    are = (
        "are true up to" if study.positive_predictive_value >= study.target else "would be true at"
    )
    level = rounded_level(study.alpha_for_target, digits=2)
    return f"{found} {format_percent(study.target)} {are} α = {level}."


def probability_remark(study: PriorOddsStudy) -> str:
    """That R is odds and no share."""
    odds = study.prior_odds
    return (
        f"R is odds: at R = {format_level(odds)}, {100.0 * odds / (1.0 + odds):.1f}% of comparisons have "
        "an effect. The paper also writes that R + (1 − R)α of tests are significant, which treats R as "
        "a share."
    )


def prior_odds_frame(study: PriorOddsStudy) -> Frame:
    """A row for each common level: as assumed here, and as the paper assumes and prints."""
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
    return frame_of(
        rows,
        columns=["α", "share true, as assumed", "with R = .1, power .5", "printed in the paper"],
    )


def toy_sentence(study: ToyStudy) -> str:
    """How often the reported p-value lies below .05, beside theory."""
    n, stopped = study.n_repetitions, "" if study.complete else "Stopped early. "
    if not study.toy.is_choice:
        shares = [
            f"{_percent(series.share(LEVELS[0]).rate.rate)} ({series.name})"
            for series in study.reported
        ]
        return (
            f"{stopped}In {n:,} studies of two identical systems p < .05 comes up by chance in "
            f"{joined(shares)}; theory says 5%."
        )
    share = study.reported[0].share(LEVELS[0])
    return (
        f"{stopped}In {n:,} studies of two identical systems the smallest of "
        f"{len(study.toy.choices)} p-values is below .05 in {_percent(share.rate.rate)}; theory "
        f"says {_percent(share.theory)}. A p-value fixed beforehand: 5%."
    )


def toy_frame(study: ToyStudy) -> Frame:
    """A row for each series and level, with theory and what the paper prints."""
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
    return frame_of(rows, columns=columns)


def _one_in(odds: float) -> str:
    if odds == 1.0:
        return "one idea in two that are tried has an effect"
    if odds < 1.0:
        return f"one idea in {about(1.0 + 1.0 / odds)} that are tried has an effect"
    return f"{_percent(odds / (1.0 + odds))} of the ideas that are tried have an effect"

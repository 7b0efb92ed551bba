"""More or fewer examples, and many ideas tried: what they do to p-values, on the page and in the report."""

from ..charts.across_datasets import subsample_chart
from ..charts.simulation import prior_odds_chart, toy_p_value_chart
from ..reliability.power import Power, examples_needed, tests_of_known_power
from ..reliability.prior_odds import (
    PAPER_LEVELS,
    PAPER_POWER,
    PAPER_PRIOR_ODDS,
    TARGET,
    PriorOddsStudy,
    positive_predictive_value,
)
from ..reliability.sample_size import DatasetSubsamples, SubsamplePoint, SubsampleStudy
from ..reliability.toys import LEVELS, ToyStudy
from ..significance.known_tests import significance_test_named
from ..words.formatting import (
    about,
    counted,
    display_name,
    format_level,
    format_percent,
    format_share,
    frame_of,
    joined,
    list_names,
    p_value_clause,
    rounded_level,
    sentence_case,
    starred,
)
from .parts import Paragraph, Part, Signature, Table, charted, paragraphs

USUAL_POWER = 0.8
_MARKS = {"vanishes": "does not last", "fragile": "needs nearly all", "": "–"}
# Søgaard et al. (2014), section 2, with R = .1 and β = .5.
_PRINTED_VALUES = {0.05: ".5", 0.01: "5/6 (.83)", 0.0025: ".95, “near .0025”"}


def sizes_parts(found: SubsampleStudy) -> tuple[Part, ...]:
    """On how many datasets the verdict depends on the number of examples."""
    level = format_level(found.alpha)
    columns: dict[str, list[str]] = {
        "dataset": [display_name(own.dataset) for own in found.datasets],
        "n": [f"{own.whole.n_examples:,}" for own in found.datasets],
    }
    for place, share in enumerate(found.shares[:-1]):
        columns[_percent(share)] = [
            _percent(own.points[place].share_significant) for own in found.datasets
        ]
    columns["p of the whole"] = [starred(own.p_value, own.alpha) for own in found.datasets]
    columns["depends on size"] = [_MARKS[own.mark] for own in found.datasets]
    left = [_left_out(own) for own in found.datasets]
    if any(left):
        columns["note"] = left
    meaning = (
        f"“Does not last”: the whole has p > {level}, but random parts of some size have p ≤ {level} "
        "at least twice as often as by chance. It is not a test: with 100 parts of each size at α = "
        ".05, up to about 15% of datasets with two equal systems have this mark. “Needs nearly all”: "
        f"the whole has p ≤ {level}, but fewer than half of its largest parts do."
    )
    return (
        Paragraph(text=sizes_sentence(found), tone="strong"),
        Table(
            frame=frame_of(columns),
            caption=f"Share of random parts with p ≤ {level}, by their size.",
            name="subsamples",
            of="dataset",
        ),
        Paragraph(text=meaning, tone="quiet"),
    )


def _left_out(own: DatasetSubsamples) -> str:
    undefined = sum(point.n_undefined for point in own.points)
    beyond = sum(point.n_out_of_reach for point in own.points)
    said = [f"{counted(undefined, 'part')} without a defined score"] * bool(undefined)
    said += [f"{counted(beyond, 'part')} beyond the bootstrap's reach"] * bool(beyond)
    return ", ".join(said)


def dataset_sizes_parts(own: DatasetSubsamples, effect: float | None = None) -> tuple[Part, ...]:
    """One dataset at its sizes, and the power at a difference that is stated."""
    sentence = dataset_sentence(own)
    stated, expected = ("", None) if effect is None else power_of_stated(own, effect)
    optimistic = (
        "State a difference that would matter to you, not the one observed. Power at the observed "
        "difference only restates the p-value, and is too optimistic for a difference picked because "
        "its p-value is small."
    )
    curve = (
        f"Parts share examples with the whole, so the share of parts with p ≤ {format_level(own.alpha)} "
        "follows the whole's p-value, whatever the truth is: the dotted line predicts it from that "
        "p-value alone. The curve shows how far the verdict depends on the size, not how large the "
        "effect is."
    )
    return (
        Paragraph(text=sentence),
        *paragraphs(stated, tone="strong"),
        Paragraph(text=optimistic, tone="quiet"),
        charted(
            "subsamples",
            "Share of random parts with a small p-value, by their size",
            sentence,
            subsample_chart,
            own,
            expected=expected,
        ),
        Paragraph(text=curve, tone="quiet"),
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


def prior_odds_parts(study: PriorOddsStudy) -> tuple[Part, ...]:
    """The share of claims that are true, for what a reader assumes, and as the paper assumes and prints."""
    sentence, odds = prior_odds_sentence(study), study.prior_odds
    assumes = (
        "R and the power are assumptions, not results of these data. The share is of many claims made "
        "at this level, not the chance that one of them is true. Choosing among metrics, tests or "
        "parts after looking makes it smaller."
    )
    of_odds = (
        f"R is odds: at R = {format_level(odds)}, {_with_effect(odds, 'comparisons')}. The paper also "
        "writes that R + (1 − R)α of tests are significant, which treats R as a share."
    )
    rows = []
    for level in sorted({*PAPER_LEVELS, study.alpha}, reverse=True):
        own = positive_predictive_value(level, power=study.power, prior_odds=odds)
        theirs = positive_predictive_value(level, power=PAPER_POWER, prior_odds=PAPER_PRIOR_ODDS)
        printed = _PRINTED_VALUES.get(level, "–")
        rows.append((format_level(level), f"{own:.3f}", f"{theirs:.3f}", printed))
    columns = ["α", "share true, as assumed", "with R = .1, power .5", "printed in the paper"]
    return (
        Paragraph(text=sentence, tone="strong"),
        Paragraph(text=assumes, tone="quiet"),
        charted(
            "prior-odds",
            "Share of true claims against the level",
            sentence,
            prior_odds_chart,
            study,
        ),
        Table(frame=frame_of(rows, columns=columns), name="prior-odds", of="level"),
        Paragraph(text=of_odds, tone="quiet"),
    )


def prior_odds_sentence(study: PriorOddsStudy) -> str:
    """How many of the claims at a level are true, and which level makes most of them so."""
    level = format_level(study.alpha)
    if study.prior_odds == 0.0:
        return f"If no idea that is tried has an effect, no claim made at p ≤ {level} or any other level is true."
    false = about(float(f"{study.false_per_true:.2g}"))
    return (
        f"If {_with_effect(study.prior_odds, 'ideas tried')} and tests detect "
        f"{format_percent(study.power)} of these effects, {format_percent(study.positive_predictive_value)} "
        f"of the claims made at p ≤ {level} are true: {false} false for each true one. "
        f"{format_percent(TARGET)} are true up to α = {rounded_level(study.alpha_for_target, digits=2)}."
    )


def _with_effect(odds: float, tried: str) -> str:
    """What share has an effect: "1 in 11 ideas has an effect" where it is exactly that."""
    cases = 1.0 + 1.0 / odds if odds else 0.5
    if abs(cases - round(cases)) < 1e-9 * cases:
        return f"1 in {round(cases):,} {tried} has an effect"
    return f"{_percent(odds / (1.0 + odds))} of the {tried} have an effect"


def toy_parts(found: ToyStudy) -> tuple[Part, ...]:
    """What choosing after looking does to two identical systems, with theory and what the paper prints."""
    sentence = toy_sentence(found)
    own = () if found.reported[0].name == found.choices[0].name else found.choices
    rows = [
        (
            series.name,
            f"p < {format_level(share.level)}",
            _percent(share.rate.rate),
            " to ".join(map(_percent, share.rate.confidence_interval)),
            _percent(share.theory),
            "–" if share.printed is None else _percent(share.printed),
        )
        for series in (*found.reported, *own)
        for share in series.shares
    ]
    columns = ["p-value", "event", "simulated", "95% interval", "theory", "printed in the paper"]
    printed = (
        "The paper's own figures come from fewer repetitions and differ from theory in places; they "
        "are shown beside, not matched."
    )
    return (
        Paragraph(text=f"{found.toy.title}. {sentence}", tone="strong"),
        charted("toy", "Distribution of p-values", sentence, toy_p_value_chart, found),
        Table(frame=frame_of(rows, columns=columns), name="toy", of="p-value"),
        *paragraphs(printed if found.toy.printed else "", tone="quiet"),
        Signature(line=found.signature),
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


def _percent(share: float) -> str:
    return f"{100.0 * share:.3g}%"

"""A decision on a claim in sentences, as Markdown for a build's summary or comment, as JSON and as a badge."""

import json
import math
from typing import Any

from ..analysis.gate import OPPOSITE, POWER, Decision, need_of
from ..analysis.settings import margin_in_words, margins_of, metric_of
from ..comparison import BETTER, comparison_named
from ..errors import told
from ..replicability.combinations import combination_named
from ..sections.marked import marked_table
from ..significance.known_tests import significance_test_named
from ..version import __version__
from ..words.formatting import (
    counted,
    display_name,
    format_confidence,
    format_level,
    format_percent,
    how_many,
    html_text,
    markdown,
)
from ..words.subject import Subject
from .tables import marked_markdown

KIND = "replicability gate"
FORMAT = 1
# Sign, and colour of the badge; each contrasts with white by at least 4.5.
_LOOKS = {
    "shown": ("✅", "#1a7f37"),
    "contradicted": ("❌", "#b42318"),
    "not decided": ("⚪", "#57606a"),
}
_LABEL = "replicability"
# Of a badge: width of a letter at 11 pixels, roughly, and of what surrounds a text.
_LETTER, _AROUND = 6.6, 12


def subject_of(decision: Decision) -> Subject:
    """What the sentences on a decision are about."""
    if decision.analysis is not None:
        return decision.analysis.subject
    settings, (a, b) = decision.settings, decision.systems
    return Subject(
        system_a=a,
        system_b=b,
        datasets=decision.datasets,
        comparison=settings.claim,
        margin=margin_in_words(decision.results, settings),
    )


def gate_sentences(decision: Decision) -> list[str]:
    """The decision, and what it would take to decide where it is open, in plain text."""
    if decision.count is None or decision.opposite is None:
        problems = told(decision.refused.problems) if decision.refused is not None else []
        return [f"The claim cannot be tested on these results: {' '.join(problems)}"]
    subject, settings, asked = subject_of(decision), decision.settings, decision.at_least
    n, level = len(decision.datasets), format_level(settings.alpha)
    claim, opposite = subject.claim("a-better"), opposite_claim(subject)
    k, k_opposite = decision.count.k_hat, decision.opposite.k_hat
    confidence = f"With {format_confidence(settings.alpha)} confidence"
    holds = f" This holds {combination_named(settings.counted_by).clause}." if n > 1 else ""
    if decision.outcome == "shown":
        beyond = f" The claim asks for {asked}." if k > asked else ""
        return [f"{confidence}, {claim} on {_at_least(k, n)}.{holds}{beyond}"]
    if decision.outcome == "contradicted":
        left = f"at most {n - k_opposite}" if k_opposite < n else "none"
        return [
            f"{confidence}, {opposite} on {_at_least(k_opposite, n)}.{holds} So the claim is true "
            f"on {left}; it asks for {asked}."
        ]
    anywhere = f" on any of the {n:,} datasets" if n > 1 else ""
    found, against = (
        f"Evidence on {_at_least(shown, n)} that {what}"
        if shown
        else f"No evidence at α = {level} that {what}{anywhere}"
        for what, shown in ((claim, k), (opposite, k_opposite))
    )
    return [
        f"{found}; the claim asks for {asked}.",
        f"{against}; {decision.needed_to_contradict} would contradict the claim.",
        "Not decided means neither that the claim is true nor that it is false.",
        *_need(decision),
    ]


def opposite_claim(subject: Subject) -> str:
    """What contradicts the claim on one dataset: "base is better than head by at least 1 point"."""
    a, b = display_name(subject.system_a), display_name(subject.system_b)
    comparison = comparison_named(subject.comparison)
    if comparison.both_sides:
        return f"{a} and {b} are apart by at least {subject.bound}"
    if comparison.name == BETTER:
        return subject.claim("b-better")
    return comparison_named(OPPOSITE[comparison.name]).statement(b, a, subject.bound)


def _at_least(k: int, n: int) -> str:
    return "the only dataset" if n == 1 else how_many(k, n)


def _need(decision: Decision) -> list[str]:
    """What would decide it, for a true difference that is stated."""
    need, analysis = need_of(decision), decision.analysis
    if analysis is None:
        return []
    if need is None:
        reason = "the difference on at least one dataset has no standard error"
        return [f"We cannot say how many examples would decide: {reason}."]
    a, b = display_name(analysis.subject.system_a), display_name(analysis.subject.system_b)
    examples, chance = need.examples, f"a chance of {format_percent(POWER)}"
    found, everywhere = [], " on every dataset" if len(decision.datasets) > 1 else ""
    how = "Chances are normal approximations with the spread of these results."
    if examples is not None:
        found.append(
            f"If {a} and {b} are equally good{everywhere}, results of this size show the claim with a "
            f"chance of about {format_percent(need.power)}."
        )
        if need.power < POWER and examples.n_examples is None:
            found.append(f"{examples.most:,} examples{everywhere} would not give {chance}.")
        elif need.power < POWER:
            sizes = [decision.results.n_examples(name) for name in decision.datasets]
            now = f"{min(sizes):,}" if len(set(sizes)) == 1 else f"{min(sizes):,} to {max(sizes):,}"
            most = f"; {display_name(need.dataset)} takes the most" if len(sizes) > 1 else ""
            found.append(
                f"About {examples.n_examples:,} examples{everywhere} (now {now}{most}) give {chance}."
            )
            stated = examples.stated
            test = significance_test_named(stated.test).called
            how += f" How many examples give it is computed for {test}"
            how += f", for {stated.approximation}." if stated.approximation else "."
    if not math.isnan(need.gain):
        points = decision.results.points_of(metric_of(decision.results, decision.settings))
        amount = f"{abs(need.gain * (points or 1.0)):.2g}"
        if points:
            amount += " point" if amount == "1" else " points"
        where = f"ahead by {amount} or more" if need.gain > 0.0 else f"behind by at most {amount}"
        found.append(
            f"Results of this size show the claim with {chance} where {a} is {where}{everywhere}."
        )
    return [*found, how] if found else []


def gate_markdown(decision: Decision) -> str:
    """The decision, its reasons, and the table of datasets, as Markdown."""
    sign = _LOOKS[decision.outcome][0]
    first, *rest = gate_sentences(decision)
    n = len(decision.datasets)
    claim = f"{subject_of(decision).claim('a-better')} on {_at_least(decision.at_least, n)}"
    parts = [
        f"### {sign} {decision.outcome.capitalize()}: {markdown(claim)}",
        markdown(first),
        "\n".join(f"- {markdown(sentence)}" for sentence in rest),
    ]
    analysis = decision.analysis
    if analysis is not None:
        parts += [f"> {markdown(caution)}" for caution in analysis.cautions]
        question = next(q for q in analysis.questions if q.claim == "a-better")
        table = marked_markdown(marked_table(analysis, question))
        parts.append(f"<details><summary>{counted(n, 'dataset')}</summary>\n\n{table}\n</details>")
    return "\n\n".join(part for part in parts if part) + "\n"


def gate_json(decision: Decision) -> str:
    """The decision for programs."""
    settings, (a, b) = decision.settings, decision.systems
    own = margins_of(decision.results, settings)
    found: dict[str, Any] = {
        "kind": KIND,
        "format": FORMAT,
        "version": __version__,
        "outcome": decision.outcome,
        "claim": settings.claim,
        "margin": settings.margin,
        "margins": [own[name] for name in decision.datasets if own],
        "system_a": a,
        "system_b": b,
        "metric": metric_of(decision.results, settings),
        "datasets": list(decision.datasets),
        "at_least": decision.at_least,
        "alpha": settings.alpha,
        "combination": settings.counted_by,
        "sentences": gate_sentences(decision),
    }
    if decision.count is not None and decision.opposite is not None:
        for name, counting in (("count", decision.count), ("opposite", decision.opposite)):
            found[name] = {"k_hat": counting.k_hat, "p_values": counting.p_values.tolist()}
    return json.dumps(found, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def badge_json(decision: Decision) -> str:
    """What a shields endpoint serves."""
    message, colour = _badge(decision)
    shown = {
        "schemaVersion": 1,
        "label": _LABEL,
        "message": message,
        "color": colour.removeprefix("#"),
    }
    return json.dumps(shown, ensure_ascii=False) + "\n"


def _badge(decision: Decision) -> tuple[str, str]:
    """What a badge says, and its colour."""
    better, n = subject_of(decision).better, len(decision.datasets)
    message = f"{better}, {decision.at_least} of {n}: {decision.outcome}"
    return message, _LOOKS[decision.outcome][1]


def badge_svg(decision: Decision) -> str:
    """The badge as an SVG picture."""
    message, colour = _badge(decision)
    left, right = (math.ceil(len(text) * _LETTER + _AROUND) for text in (_LABEL, message))
    whole = left + right
    label, said = html_text(f"{_LABEL}: {message}"), html_text(message)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{whole}" height="20" role="img" '
        f'aria-label="{label}"><title>{label}</title>'
        f'<rect width="{whole}" height="20" rx="3" fill="#24292f"/>'
        f'<path d="M{left} 0H{whole - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3H{left}z" fill="{colour}"/>'
        '<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" '
        f'font-size="11"><text x="{left / 2:g}" y="14">{_LABEL}</text>'
        f'<text x="{left + right / 2:g}" y="14">{said}</text></g></svg>\n'
    )

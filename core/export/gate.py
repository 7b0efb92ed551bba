"""A decision on a claim as Markdown for a build's summary or comment, as JSON and as a badge."""

from __future__ import annotations

import json
import math
from typing import Any

from ..analysis.gate import POWER, Decision, need_of
from ..analysis.settings import margin_in_words, margins_of, metric_of
from ..errors import told
from ..replicability.combinations import combination_named
from ..sections.marked import marked_table
from ..version import __version__
from ..words.formatting import html_text, markdown
from ..words.gate import (
    claim_sentence,
    contradicted_sentence,
    need_sentences,
    shown_sentence,
    undecided_sentences,
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
    subject, settings = subject_of(decision), decision.settings
    if decision.count is None or decision.opposite is None:
        problems = told(decision.refused.problems) if decision.refused is not None else []
        return [f"The claim cannot be tested on these results: {' '.join(problems)}"]
    holds = combination_named(settings.counted_by).clause
    at_least, shown, opposite = decision.at_least, decision.count.k_hat, decision.opposite.k_hat
    if decision.outcome == "shown":
        return [shown_sentence(subject, shown, at_least, alpha=settings.alpha, holds=holds)]
    if decision.outcome == "contradicted":
        return [
            contradicted_sentence(subject, opposite, at_least, alpha=settings.alpha, holds=holds)
        ]
    needed = decision.needed_to_contradict
    return [*undecided_sentences(subject, shown, opposite, at_least, needed), *_need(decision)]


def _need(decision: Decision) -> list[str]:
    need, analysis = need_of(decision), decision.analysis
    if need is None or analysis is None:
        return []
    points = decision.results.points_of(metric_of(decision.results, decision.settings))
    return need_sentences(
        analysis.subject,
        power=need.power,
        examples=need.examples,
        n_examples=[decision.results.n_examples(name) for name in decision.datasets],
        dataset=need.dataset,
        gain=need.gain * (points or 1.0),
        unit=" points" if points else "",
        wanted=POWER,
    )


def gate_markdown(decision: Decision) -> str:
    """The decision, its reasons, and the table of datasets, as Markdown."""
    sign = _LOOKS[decision.outcome][0]
    first, *rest = gate_sentences(decision)
    claim = claim_sentence(subject_of(decision), decision.at_least)
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
        parts.append(
            f"<details><summary>{len(decision.datasets)} datasets</summary>\n\n{table}\n</details>"
        )
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
    shown = {
        "schemaVersion": 1,
        "label": _LABEL,
        "message": _message(decision),
        "color": _LOOKS[decision.outcome][1].removeprefix("#"),
    }
    return json.dumps(shown, ensure_ascii=False) + "\n"


def badge_svg(decision: Decision) -> str:
    """The badge as an SVG picture."""
    message, colour = _message(decision), _LOOKS[decision.outcome][1]
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


def _message(decision: Decision) -> str:
    n = len(decision.datasets)
    return f"{subject_of(decision).better}, {decision.at_least} of {n}: {decision.outcome}"

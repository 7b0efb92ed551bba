"""Simulated studies: what a page shows of each simulation, and a report prints."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import charts
from ..analysis import Analysis
from ..charts.simulation import over_claims_chart, power_chart
from ..comparison import written_margin
from ..reliability.power import SizePlan
from ..simulation.identification import IdentificationSimulation
from ..simulation.planning import DatasetsNeeded, OverClaimCurve, PowerCurve
from ..simulation.results import Simulation
from ..simulation.scenarios import Preset
from ..words import reliability_sizes as sizes
from ..words import simulation as plans
from ..words import simulation_results as words
from ..words.formatting import Frame
from .parts import (
    Download,
    Figure,
    Paragraph,
    Part,
    Signature,
    Table,
    charted,
    paragraphs,
    take_away,
)

# Under which an analysis holds what makes the parts of each simulation that was run.
STUDIES = "simulation"
# In so many studies a claim should be made.
TARGET_POWER = 0.8
Making = Callable[[], tuple[Part, ...]]


def simulation_parts(analysis: Analysis) -> tuple[Part, ...]:
    """All that was simulated; empty where nothing was."""
    made: Any = analysis.studies.get(STUDIES, ())
    return tuple(part for make in made for part in make())


def counts_parts(
    found: Simulation, *, title: str, independent_nulls: bool, preset: Preset | None = None
) -> tuple[Part, ...]:
    """How often each count claimed too many in the scenario of this title."""
    return (
        Paragraph(text=words.promise_sentence(found), tone="lead"),
        Paragraph(text=f"Scenario: {title}.", tone="quiet"),
        *stopped_parts(found),
        histogram(found),
        *evidence_parts(found, independent_nulls=independent_nulls, preset=preset),
        *claim_parts(found, at_least=words.informative_claim(found)),
        Signature(line=found.signature),
    )


def titled_names_parts(found: IdentificationSimulation, title: str) -> tuple[Part, ...]:
    """How often each procedure has a false positive in the scenario of this title."""
    return (Paragraph(text=f"Scenario: {title}.", tone="quiet"), *names_parts(found))


def stopped_parts(found: Simulation) -> tuple[Part, ...]:
    """That a run was stopped; empty for one that was not."""
    stopped = words.stopped_sentence(found)
    return paragraphs(stopped, tone="caution")


def histogram(found: Simulation, *, name: str = "simulated-counts") -> Figure:
    """The counts of all studies, by each way of counting."""
    said = words.promise_sentence(found)
    return charted(name, "Histograms of the counts", said, charts.k_hat_histograms, found)


def evidence_parts(
    found: Simulation, *, independent_nulls: bool, preset: Preset | None = None
) -> tuple[Part, ...]:
    """How often each count claimed too many, beside theory."""
    at_printed_level = preset is not None and found.alpha == words.PRINTED_ALPHA
    quiet = (
        words.promise_words(found),
        words.theory_sentence(found) if independent_nulls and not at_printed_level else "",
    )
    return (
        Table(frame=words.promise_table(found), name="over-claiming", of="count"),
        *paragraphs(*quiet, tone="quiet"),
    )


def claim_parts(found: Simulation, *, at_least: int) -> tuple[Part, ...]:
    """How often each count makes one claim."""
    return (
        Paragraph(text=words.claim_sentence(found, at_least=at_least)),
        Table(
            frame=words.claim_table(found, at_least=at_least), name="simulated-claim", of="count"
        ),
        Download(
            write=lambda: words.results_frame(found), name="simulated-counts", what="all figures"
        ),
    )


def printed_parts(found: Simulation, preset: Preset) -> tuple[Part, ...]:
    """The paper's printed figures beside the simulated ones."""
    sentence = Paragraph(text=words.printed_sentence(found, preset))
    if found.alpha != words.PRINTED_ALPHA:
        return (sentence,)
    return (sentence, Table(frame=words.printed_table(found, preset), name="printed", of="count"))


def names_parts(found: IdentificationSimulation) -> tuple[Part, ...]:
    """How often each procedure has a false positive."""
    return (
        Paragraph(text=words.names_sentence(found), tone="strong"),
        Paragraph(text=words.NAMES_WORDS, tone="quiet"),
        *_table(
            words.names_table(found),
            found.signature,
            name="simulated-names",
            of="procedure",
            what="the names",
        ),
    )


def over_claims_parts(found: OverClaimCurve) -> tuple[Part, ...]:
    """How often the usual count finds a win where there is none."""
    sentence = words.over_claims_sentence(found)
    return (
        Paragraph(text=sentence, tone="strong"),
        charted("over-claims", "Studies with a win by chance", sentence, over_claims_chart, found),
        *_table(
            words.over_claims_table(found),
            found.signature,
            name="simulated-wins",
            of="number",
            what="the curve",
        ),
    )


def power_parts(found: PowerCurve, *, quantity: str) -> tuple[Part, ...]:
    """How often a claim is made, against one quantity."""
    sentence = plans.power_sentence(found, quantity=quantity, target=TARGET_POWER)
    look: Any = {"quantity": quantity, "target": TARGET_POWER}
    drawn = charted("power", "Power curves", sentence, power_chart, found, **look)
    return (
        Paragraph(text=sentence, tone="strong"),
        *((drawn,) if found.true_points else ()),
        *_table(
            plans.power_table(found, quantity=quantity),
            found.signature,
            name="simulated-power",
            of="point",
            what="this curve",
        ),
    )


def needed_parts(found: DatasetsNeeded) -> tuple[Part, ...]:
    """How many datasets a claim takes."""
    sentence = Paragraph(text=plans.needed_sentence(found), tone="strong")
    if not found.tried:
        return (sentence, Signature(line=found.signature))
    table = plans.needed_table(found)
    return (sentence, *_table(table, found.signature, name="datasets-needed", of="number"))


def _table(
    frame: Frame, signature: str, *, name: str, of: str, what: str = "these numbers"
) -> tuple[Part, ...]:
    """A table, the same with its signature to take away, and the line alone."""
    return (
        Table(frame=frame, name=name, of=of),
        Download(write=lambda: frame.assign(signature=signature), name=name, what=what),
        Signature(line=signature),
    )


def plan_parts(found: SizePlan) -> tuple[Part, ...]:
    """How many examples a claim at a margin takes."""
    stated = found.needed.stated
    margin = written_margin(stated.margin, None if stated.disagreement is None else 100.0)
    return (
        Paragraph(text=sizes.plan_sentence(found, margin=margin), tone="strong"),
        Table(frame=sizes.plan_table(found), name="examples-at-a-margin", of="size"),
        Paragraph(text=sizes.plan_note(found), tone="quiet"),
        *take_away(found, name="examples-at-a-margin"),
    )

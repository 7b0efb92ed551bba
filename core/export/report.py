"""What a report contains and in which order; as Markdown, and its tables as a workbook."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from ..analysis import Analysis
from ..analysis.statements import groupings, open_answers
from ..data import ResultSet
from ..sections.answers import (
    about_count_parts,
    both_sides_parts,
    claims_parts,
    claims_records,
    count_parts,
    dependence_parts,
    groups_parts,
    identification_parts,
    joint_parts,
    procedures_parts,
    sensitivity_parts,
    staircase_parts,
    verdict_parts,
)
from ..sections.effects import effects_parts
from ..sections.marked import marked_table, printed_records, results_records
from ..sections.parts import Bullets, Grid, Paragraph, Part, Printed, Section, Verbatim, printed
from ..sections.reliability import looked_at, reliability_parts
from ..sections.results import data_parts, how_tested_parts, per_dataset_parts, results_parts
from ..sections.simulation import simulated, simulation_parts
from ..sections.systems import compared, systems_parts
from ..words.formatting import display_name, markdown
from .record import (
    input_parts,
    methods_parts,
    references_parts,
    repeat_parts,
    settings_records,
    tried_parts,
)
from .tables import grid_markdown, workbook_of


def _verdict(analysis: Analysis) -> tuple[Part, ...]:
    """What limits the answer, the answer, and its picture."""
    cautions = (*analysis.cautions, *open_answers(analysis))
    return (
        *(Paragraph(text=caution, tone="caution") for caution in cautions),
        *verdict_parts(analysis),
        *(staircase_parts(analysis) if analysis.table.n_datasets > 1 else ()),
    )


def _counting(analysis: Analysis) -> tuple[Part, ...]:
    makers = (count_parts, about_count_parts, joint_parts, claims_parts)
    return tuple(part for make in makers for part in make(analysis))


def _results(analysis: Analysis) -> tuple[Part, ...]:
    if not isinstance(analysis.data, ResultSet):
        return results_parts(analysis)
    makers = (per_dataset_parts, results_parts, how_tested_parts)
    return tuple(part for make in makers for part in make(analysis))


_SECTIONS: tuple[tuple[str, str, Callable[[Analysis], tuple[Part, ...]]], ...] = (
    ("verdict", "Verdict", _verdict),
    ("counting", "How many: counting", _counting),
    ("identification", "Which ones: identification", identification_parts),
    ("both-sides", "Both directions at once", both_sides_parts),
    ("groups", "Groups of datasets", groups_parts),
    ("results", "Results by dataset", _results),
    ("effects", "How much: effect size", effects_parts),
    ("systems", "Many systems", systems_parts),
    ("reliability", "What the verdicts depend on", reliability_parts),
    ("simulation", "Simulated studies", simulation_parts),
    ("data", "The data", data_parts),
    ("dependence", "Dependence, and what each answer changes", dependence_parts),
    ("procedures", "All procedures side by side", procedures_parts),
    ("sensitivity", "Sensitivity", sensitivity_parts),
    ("methods", "Methods", methods_parts),
    ("references", "References", references_parts),
    ("tried", "What was tried on these data", tried_parts),
    ("repeat", "How to repeat it", repeat_parts),
    ("input", "All p-values", input_parts),
)
# The sections that a report may have, in reading order, each with its title.
SECTION_TITLES: dict[str, str] = {key: title for key, title, _ in _SECTIONS}


def report_sections(analysis: Analysis) -> tuple[Section, ...]:
    """The sections that apply to an analysis, in reading order."""
    return _made(analysis, SECTION_TITLES)


def sections_that_apply(analysis: Analysis) -> list[str]:
    """Keys of the sections that an analysis has, without making them."""
    without = [] if analysis.assessment.shows_both_sides else ["both-sides"]
    if analysis.table.scores_a is None or analysis.table.scores_b is None:
        without.append("effects")
    studied = {"systems": compared, "reliability": looked_at, "simulation": simulated}
    without += [key for key, found in studied.items() if found(analysis) is None]
    if analysis.table.n_datasets < 2:
        without.append("dependence")
    if not groupings(analysis):
        without.append("groups")
    return [key for key in SECTION_TITLES if key not in without]


def chosen_sections(
    analysis: Analysis, chosen: Collection[str] | None = None
) -> tuple[Section, ...]:
    """The sections that apply and are chosen by their keys; None for all.

    Raises
    ------
    ValueError
        If a key is unknown.
    """
    if chosen is None:
        return report_sections(analysis)
    unknown = sorted(set(chosen) - SECTION_TITLES.keys())
    if unknown:
        raise ValueError(
            f"`chosen` must hold keys of sections ({', '.join(SECTION_TITLES)}); "
            f"got {', '.join(map(repr, unknown))}."
        )
    return _made(analysis, chosen)


def report_title(analysis: Analysis) -> str:
    """What a report is called unless its owner calls it otherwise."""
    a, b = display_name(analysis.table.system_a), display_name(analysis.table.system_b)
    return f"{a} and {b}: replicability analysis"


def _made(analysis: Analysis, keys: Collection[str]) -> tuple[Section, ...]:
    """The sections with parts; one says no sentence of an earlier one again, but below a table."""
    found, said = [], set[str]()
    for key, title, parts_of in _SECTIONS:
        own = printed(parts_of(analysis)) if key in keys else ()
        parts = tuple(
            part
            for before, part in zip((None, *own), own, strict=False)
            if not isinstance(part, Paragraph) or part.text not in said or isinstance(before, Grid)
        )
        said |= {part.text for part in own if isinstance(part, Paragraph)}
        if parts:
            found.append(Section(key=key, title=title, parts=parts))
    return tuple(found)


def markdown_report(
    analysis: Analysis, *, chosen: Collection[str] | None = None, title: str = ""
) -> str:
    """Write the report as Markdown; `chosen` and `title` are as `html_report` takes them."""
    parts = [f"# {markdown(title.strip() or report_title(analysis))}"]
    for section in chosen_sections(analysis, chosen):
        parts.append(f"## {markdown(section.title)}")
        parts += [_part(part) for part in section.parts]
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def _part(part: Printed) -> str:
    if isinstance(part, Paragraph):
        text = markdown(part.text)
        return (
            f"**{text}**"
            if part.tone in ("lead", "strong")
            else f"> {text}"
            if part.tone == "caution"
            else text
        )
    if isinstance(part, Bullets):
        return "\n".join(f"- {markdown(item)}" for item in part.items)
    if isinstance(part, Grid):
        return grid_markdown(part)
    if isinstance(part, Verbatim):
        return _fenced(part.text)
    return f"Chart “{markdown(part.name)}”: {markdown(part.title)}"


def _fenced(text: str) -> str:
    """Text between fences longer than any run of back-ticks within."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{text}\n{fence}"


def workbook(analysis: Analysis) -> bytes:
    """Sheets "results", "names", "claims" and "settings" as an .xlsx file."""
    tested = isinstance(analysis.data, ResultSet)
    sheets = {
        "results": results_records(analysis) if tested else printed_records(analysis.table),
        "names": marked_table(analysis).records(),
        "claims": claims_records(analysis),
        "settings": settings_records(analysis),
    }
    return workbook_of(sheets)

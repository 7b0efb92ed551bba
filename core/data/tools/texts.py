"""Systems' outputs as text beside references, one segment a line: scored by the field's packages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core.data.layouts.registry import COUNTS, SCORES_IN_ROWS
from core.data.provenance import FileUse
from core.data.roles import LAYOUT, Roles
from core.data.sources.given import SourceFile
from core.data.sources.stages import CUTTING, Stages
from core.data.tables.text import decode_text
from core.data.tools.gathered import Gathered, Scores, Tool
from core.data.tools.gold_choice import SettledGold, asking, gold_remark, settle_gold
from core.data.tools.gold_files import Placement, place
from core.data.tools.gold_words import named_as_gold, plainly_source
from core.data.tools.text_claims import are_labels, claims
from core.data.tools.text_counts import count_texts
from core.data.tools.text_labels import accuracy_of_labels, check_labels
from core.data.tools.text_overlap import overlap_of_texts
from core.data.tools.text_scoring import Scored, Texts
from core.data.words import quoted
from core.errors import Choice, DataError, Problem

NAME = "outputs and references as text"
SACREBLEU, WITHOUT_TER, ROUGE = "sacrebleu", "sacrebleu-without-ter", "rouge-score"
LABELS = "labels"
SCORERS = {
    SACREBLEU: "BLEU, chrF and TER, counted by sacrebleu",
    WITHOUT_TER: "BLEU and chrF alone, in a fifth of the time",
    ROUGE: "ROUGE-1, ROUGE-2 and ROUGE-L, by rouge-score",
    LABELS: "labels, one a line: accuracy",
}
_TOKENIZED_LINES = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class _File:
    """One text file: its lines, without what stands at their ends."""

    lines: tuple[str, ...]
    remarks: tuple[str, ...]


def gather(files: Sequence[SourceFile], given: Roles, stages: Stages) -> Gathered:
    """Score every output against the references of its dataset.

    Raises
    ------
    DataError
        If names or numbers of lines do not fit, or the package that scores is
        not installed.
    """
    paths = [file.name for file in files]
    scored_by, said = _answers(given, _default(files))
    settled = _settled(paths, scored_by, said)
    source = [position for position in plainly_source(paths) if position not in settled.gold]
    systems = [position for position in settled.systems if position not in source]
    choice = _choice(scored_by, settled)
    with asking(choice):
        _check_layout(given)
        placed = place(
            paths,
            gold=settled.gold,
            systems=systems,
            order=given.get("name_order"),
            whole="texts",
        )
        read = _read(files, [*settled.gold, *systems])
        _check_lines(files, placed, read)
        if scored_by == LABELS:
            check_labels(placed, paths, {p: own.lines for p, own in read.items()})
    texts = [
        Texts(
            dataset=dataset,
            references=tuple(read[position].lines for position in placed.gold[dataset]),
            outputs={name: read[position].lines for name, position in own.items()},
        )
        for dataset, own in placed.systems.items()
    ]

    def scored_so_far(share: float) -> None:
        stages.reached(CUTTING, share)

    if scored_by == LABELS:
        found = accuracy_of_labels(texts)
    elif scored_by == ROUGE:
        found = overlap_of_texts(texts, scored_so_far, (choice,))
    else:
        found = count_texts(texts, scored_so_far, (choice,), with_ter=scored_by == SACREBLEU)
    remark = gold_remark(placed, paths, settled, "references")
    return Gathered(
        scores=tuple(_scores(placed, paths, texts, found)),
        holds="scores" if scored_by in (ROUGE, LABELS) else "counts",
        higher_is_better=found.higher_is_better,
        uses=tuple(_uses(paths, placed, read)),
        roles={**placed.roles, "filter": _value(scored_by, settled)},
        choices=(choice, *placed.choices),
        remarks=(
            *placed.remarks,
            f"Outputs are paired with references line by line. {remark}",
            *(() if scored_by == LABELS else _of_files(paths, read)),
            *found.remarks,
        ),
    )


def _check_layout(given: Roles) -> None:
    """Another layout is not read past the texts: what it would say of labels is offered."""
    layout = given.get(LAYOUT)
    if layout not in (None, COUNTS, SCORES_IN_ROWS):
        raise DataError(
            [
                Problem(
                    what="The files look like outputs and references as text, one segment a line, "
                    f"and are not read as {quoted(str(layout))}.",
                    remedy=f"If each line is a label, choose {quoted(SCORERS[LABELS])}; or put "
                    "gold and every system into one table.",
                )
            ]
        )


def _default(files: Sequence[SourceFile]) -> str:
    """What texts are scored by where nothing was said."""
    paths = [file.name for file in files]
    gold = named_as_gold(paths)
    aside = {*gold, *plainly_source(paths)}
    outputs = [file for position, file in enumerate(files) if position not in aside]
    return LABELS if are_labels([files[p] for p in gold], outputs) else SACREBLEU


def _answers(given: Roles, default: str) -> tuple[str, str]:
    """What was said that texts are scored by, and which file holds references."""
    value = str(given.get("filter") or "")
    first, _, said = value.partition(" ")
    return (first, said) if first in SCORERS else (default, value)


def _settled(paths: Sequence[str], scored_by: str, said: str) -> SettledGold:
    try:
        return settle_gold(paths, said, kind="texts", gold="reference", word="ref")
    except DataError as error:
        choices = [
            replace(one, options=tuple((f"{scored_by} {v}", words) for v, words in one.options))
            for one in error.choices
        ]
        raise DataError(error.problems, choices=choices) from None


def _choice(scored_by: str, settled: SettledGold) -> Choice:
    """The question what texts are scored by and, as the role is the same, against what."""
    held = {_value(scorer, settled): words for scorer, words in SCORERS.items()}
    others = {
        f"{scored_by} {answer}": f"the same, with other references: {words}"
        for answer, words in settled.choice.options
        if answer != settled.answer
    }
    return Choice(
        role="filter",
        question="What are the texts scored by?",
        options=tuple((held | others).items()),
    )


def _value(scored_by: str, settled: SettledGold) -> str:
    """What the role "filter" says of both; of references nothing where names say it."""
    return f"{scored_by} {settled.answer}" if settled.is_said else scored_by


def _scores(
    placed: Placement, paths: Sequence[str], texts: Sequence[Texts], found: Scored
) -> list[Scores]:
    scores = []
    for own in texts:
        numbers = [str(line) for line in range(1, own.n_segments + 1)]
        for system, position in placed.systems[own.dataset].items():
            scores.append(
                Scores(
                    path=paths[position],
                    dataset=own.dataset,
                    system=system,
                    examples=numbers,
                    columns=found.columns[own.dataset, system],
                    lines=range(1, own.n_segments + 1),
                )
            )
    return scores


def _read(files: Sequence[SourceFile], positions: Sequence[int]) -> dict[int, _File]:
    read: dict[int, _File] = {}
    problems: list[Problem] = []
    for position in positions:
        try:
            decoded = decode_text(files[position].content)
        except DataError as error:
            problems += [replace(each, file=files[position].name) for each in error.problems]
            continue
        # As sacrebleu's command line cuts lines: at line feeds alone.
        lines = decoded.text.split("\n")
        if not lines[-1]:
            lines.pop()
        read[position] = _File(
            lines=tuple(line.rstrip() for line in lines), remarks=decoded.remarks
        )
    if problems:
        raise DataError(problems)
    return read


def _check_lines(files: Sequence[SourceFile], placed: Placement, read: Mapping[int, _File]) -> None:
    """Each file of a dataset has as many lines as its first reference."""
    problems = []
    for dataset, gold in placed.gold.items():
        first = gold[0]
        expected = len(read[first].lines)
        for position in (*gold[1:], *placed.systems[dataset].values()):
            n_lines = len(read[position].lines)
            if n_lines != expected:
                problems.append(
                    Problem(
                        what=f"It has {n_lines:,} lines, {quoted(files[first].name)} has "
                        f"{expected:,}: which output belongs to which reference is not known.",
                        remedy="Give both one line for each segment, in the same order; a blank "
                        "line stands for an empty output.",
                        dataset=dataset,
                        file=files[position].name,
                    )
                )
    if problems:
        raise DataError(problems)


def _uses(paths: Sequence[str], placed: Placement, read: Mapping[int, _File]) -> list[FileUse]:
    content: dict[int, str] = {}
    for dataset, own in placed.systems.items():
        for position in placed.gold[dataset]:
            content[position] = f"reference of {dataset}"
        for system, position in own.items():
            content[position] = f"output of {system} on {dataset}"
    return [
        FileUse(
            path=path,
            kind=NAME,
            content=f"{len(read[position].lines):,} segments, {content[position]}",
        )
        if position in content
        else FileUse(
            path=path,
            kind=NAME,
            used=False,
            reason="By its name it holds source texts, which these metrics do not look at.",
        )
        for position, path in enumerate(paths)
    ]


def _of_files(paths: Sequence[str], read: Mapping[int, _File]) -> list[str]:
    """What is to be known of single files: their encodings, and whether they look tokenized."""
    remarks = [
        f"{quoted(paths[position])}: {remark}"
        for position, own in read.items()
        for remark in own.remarks
    ]
    tokenized = [
        paths[position]
        for position, own in read.items()
        if sum(line.endswith(" .") for line in own.lines) >= _TOKENIZED_LINES
    ]
    if tokenized:
        remarks.append(
            f"Lines of {quoted(tokenized[0])} end in a full stop with a space before it, as "
            "tokenized texts do; scores are comparable where texts are not tokenized."
        )
    return remarks


def _never(file: SourceFile, head: bytes) -> bool:
    """One such file alone says nothing."""
    return False


TEXTS = Tool(name=NAME, is_of=_never, gather=gather, claims=claims)

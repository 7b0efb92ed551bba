"""Systems' outputs as text beside references, one segment a line: scored by the field's packages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core.data.provenance import FileUse
from core.data.roles import Roles
from core.data.sources.given import SourceFile
from core.data.sources.stages import CUTTING, Stages
from core.data.tables.text import decode_text
from core.data.tools.gathered import Gathered, Scores, Tool
from core.data.tools.gold_files import Placement, named_as_gold, named_as_source, place
from core.data.tools.text_claims import claims
from core.data.tools.text_counts import count_texts
from core.data.tools.text_overlap import overlap_of_texts
from core.data.tools.text_scoring import Scored, Texts
from core.data.words import quoted
from core.errors import Choice, DataError, Problem

NAME = "outputs and references as text"
SACREBLEU, WITHOUT_TER, ROUGE = "sacrebleu", "sacrebleu-without-ter", "rouge-score"
SCORED_BY = Choice(
    role="filter",
    question="What are the texts scored by?",
    options=(
        (SACREBLEU, "BLEU, chrF and TER, counted by sacrebleu"),
        (WITHOUT_TER, "BLEU and chrF alone, in a fifth of the time"),
        (ROUGE, "ROUGE-1, ROUGE-2 and ROUGE-L, by rouge-score"),
    ),
)
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
    gold = named_as_gold(paths)
    source = [position for position in named_as_source(paths) if position not in gold]
    systems = [p for p in range(len(files)) if p not in gold and p not in source]
    placed = place(paths, gold=gold, systems=systems, order=given.get("name_order"), whole="texts")
    read = _read(files, [*gold, *systems])
    _check_lines(files, placed, read)
    scored_by = given.get("filter")
    scored_by = scored_by if scored_by in dict(SCORED_BY.options) else SACREBLEU
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

    found = (
        overlap_of_texts(texts, scored_so_far, (SCORED_BY,))
        if scored_by == ROUGE
        else count_texts(texts, scored_so_far, (SCORED_BY,), with_ter=scored_by == SACREBLEU)
    )
    return Gathered(
        scores=tuple(_scores(placed, paths, texts, found)),
        holds="scores" if scored_by == ROUGE else "counts",
        higher_is_better=found.higher_is_better,
        uses=tuple(_uses(paths, placed, read)),
        roles={**placed.roles, "filter": scored_by},
        choices=(SCORED_BY, *placed.choices),
        remarks=(*placed.remarks, _paired(placed, paths), *_of_files(paths, read), *found.remarks),
    )


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


def _paired(placed: Placement, paths: Sequence[str]) -> str:
    told = "; ".join(
        f"{', '.join(quoted(paths[position]) for position in gold)} for {quoted(dataset)}"
        for dataset, gold in placed.gold.items()
    )
    return f"Outputs are paired with references line by line. Taken for references by name: {told}."


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

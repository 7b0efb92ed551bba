"""Systems' outputs as text beside references, one segment a line: scored by the field's packages."""

import importlib.metadata
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ...errors import Choice, DataError, Problem, first_of, quoted, stop_at
from ...metrics.registry import STATISTIC_METRICS
from ...types import FloatArray
from ..layouts.registry import COUNTS, SCORES_IN_ROWS
from ..roles import LAYOUT, Roles
from ..sources.files import SourceFile
from ..sources.gold_files import (
    SOURCE,
    Placement,
    SettledGold,
    gold_remark,
    named_as,
    place,
    plainly_named,
    settle_gold,
)
from ..sources.json_values import is_json
from ..tables.limits import CUTTING
from ..tables.text import decode_text
from .gathered import HEAD_BYTES, Gathered, Scores, Tool, first_lines, needed

# Tables, JSON and marked-up text are read otherwise, if at all.
_OTHER_ENDINGS = (
    ".csv", ".tsv", ".tab", ".json", ".jsonl", ".ndjson", ".xlsx", ".xlsm", ".xml", ".sgm",
    ".sgml", ".html", ".conllu", ".conll", ".bio", ".iob", ".iob2", ".md", ".py", ".log",
)  # fmt: skip
# Parts of names such as "card_arrival" are no words.
_WORD = re.compile(r"(?<!\w)[^\W\d_]{2,}(?!\w)")
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_LINES_LOOKED_AT = 200
_LEAST_PROSE = 0.5
# Labels of several words repeat; segments do not.
_LEAST_DISTINCT = 0.2
_FEW_LINES = 20
# Lines are labels where those of outputs are mostly gold's own, and gold's are mostly repeated.
_MOST_DISTINCT_LABELS = 0.6
_LEAST_FROM_GOLD = 0.8
# Texts without a name for references are taken for texts where all is as in a set of them.
_LEAST_FILES, _LEAST_LINES = 3, 5
_SACREBLEU, _WITHOUT_TER, _ROUGE = "sacrebleu", "sacrebleu-without-ter", "rouge-score"
_SCORERS = {
    _SACREBLEU: "BLEU, chrF and TER, counted by sacrebleu",
    _WITHOUT_TER: "BLEU and chrF alone, in a fifth of the time",
    _ROUGE: "ROUGE-1, ROUGE-2 and ROUGE-L, by rouge-score",
}
# Of files that are no texts, as predictions beside gold labels are read.
_LABELS = ("labels", "labels, one a line: accuracy")
_QUESTION = "What are the texts scored by?"
_TOKENIZED_LINES = 100
# Letters of scripts that write no spaces between words.
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
_MANY_UNSPACED = 0.3
# Those that rouge-score counts.
_PLAIN = re.compile(r"[A-Za-z]")
_FEW_PLAIN = 0.5
_LETTER = re.compile(r"[^\W\d_]")
# In the order in which they are offered.
_METRICS = ("bleu", "chrf", "ter")
# Columns of BLEU's statistics, by order.
_MATCHES, _TOTALS = slice(2, 6), slice(6, 10)
# rouge-score's names, and the columns'.
_MEASURES = {"rouge1": "ROUGE-1", "rouge2": "ROUGE-2", "rougeL": "ROUGE-L"}
# Told the share that is done; raises where the caller wants no more.
_Told = Callable[[float], None]
# By dataset and system: scores or counts, one cell a segment.
_Columns = Mapping[tuple[str, str], Mapping[str, Sequence[str]]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Texts:
    """Outputs on one dataset, one text a segment, and the one or several sets they are compared with."""

    dataset: str
    references: tuple[tuple[str, ...], ...]
    outputs: Mapping[str, tuple[str, ...]]

    @property
    def n_segments(self) -> int:
        return len(self.references[0])


def claims(files: Sequence[SourceFile], given: Roles) -> list[int]:
    """The positions of texts: references by their names and outputs, or all where which is to be asked.

    Lines that are said or seem to be labels are no texts.
    """
    scored_by = str(given.get("filter") or "").partition(" ")[0]
    if scored_by == _LABELS[0] or given.get(LAYOUT) not in (None, COUNTS, SCORES_IN_ROWS):
        return []
    able = [
        position
        for position, file in enumerate(files)
        if file.content[:HEAD_BYTES].strip() and not file.name.lower().endswith(_OTHER_ENDINGS)
    ]
    paths = [files[position].name for position in able]
    gold = {able[index] for index in named_as(paths)}
    source = {able[index] for index in named_as(paths, SOURCE)} - gold
    if not gold:
        return able if len(able) == len(files) and _are_parallel(files) else []
    if len(gold) + len(source) == len(able):
        return []
    others = [position for position in able if position not in gold | source]
    if _are_labels([files[p] for p in gold], [files[p] for p in others]):
        return sorted({*gold, *others}) if scored_by in _SCORERS else []
    prose = {position for position in able if _is_prose(files[position])}
    gold &= prose
    if not gold or _share_a_header([files[place] for place in sorted(prose)]):
        return []
    sizes = {_n_lines(files[position]) for position in gold}
    outputs = {
        position
        for position in able
        if position not in gold | source
        and (
            position in prose
            # Poor outputs are outputs too, be their words always the same.
            or (
                _n_lines(files[position]) in sizes
                and _are_texts(_first_lines(files[position]), n_words=1)
            )
        )
    }
    return sorted(gold | (source & prose) | outputs) if outputs else []


def _are_labels(gold: Sequence[SourceFile], outputs: Sequence[SourceFile]) -> bool:
    """Whether lines are labels: outputs say mostly what gold says, again and again."""
    right = [line for file in gold for line in _first_lines(file, most=None)]
    said = [_first_lines(file, most=None) for file in outputs]
    labels = set(right)
    return (
        _is_repeated(right)
        and not _is_table(right)
        and _are_texts(right, n_words=0)
        and 2 * sum(_LETTERS.search(line) is not None for line in right) >= len(right)
        and bool(said)
        and all(
            sum(one in labels for one in own) >= _LEAST_FROM_GOLD * len(own) > 0 for own in said
        )
    )


def _are_parallel(files: Sequence[SourceFile]) -> bool:
    """Whether files are texts line by line, of which one may be what others are compared with."""
    held = [_first_lines(file) for file in files]
    return (
        len(files) >= _LEAST_FILES
        and len(set(map(_n_lines, files))) == 1
        and not _share_a_header(files)
        and all(map(_is_prose, files))
        and all(len(lines) >= _LEAST_LINES and not _is_repeated(lines) for lines in held)
    )


def _is_table(lines: Sequence[str]) -> bool:
    """Whether every line has as many marks between columns as the others."""
    return any(
        len(counts := {line.count(mark) for line in lines}) == 1 and counts != {0} for mark in ",;|"
    )


def _is_repeated(lines: Sequence[str]) -> bool:
    return 0 < len(set(lines)) <= _MOST_DISTINCT_LABELS * len(lines)


def _n_lines(file: SourceFile) -> int:
    return file.content.count(b"\n") + (not file.content.endswith(b"\n"))


def _is_prose(file: SourceFile) -> bool:
    """Whether most lines hold several words, and no table, list of labels or JSON."""
    held = _first_lines(file)
    if len(held) >= _FEW_LINES and len(set(held)) < _LEAST_DISTINCT * len(held):
        return False
    if len(held) >= _LEAST_LINES and _is_table(held):
        return False
    return _are_texts(held, n_words=2)


def _first_lines(file: SourceFile, most: int | None = _LINES_LOOKED_AT) -> list[str]:
    """The lines of the beginning that are not blank."""
    return [line.strip() for line in first_lines(file)[:most] if line.strip()]


def _are_texts(held: Sequence[str], *, n_words: int) -> bool:
    if (
        not held
        or is_json(held[0].encode())
        or held[0] in "{["
        or 2 * sum("\t" in line for line in held) > len(held)
    ):
        return False
    words = sum(
        len(_WORD.findall(line)) >= n_words or len(_UNSPACED.findall(line)) >= 4 for line in held
    )
    return words >= _LEAST_PROSE * len(held)


def _share_a_header(files: Sequence[SourceFile]) -> bool:
    """Whether all files begin with the same line of several columns, as tables do."""
    firsts = {file.content[:HEAD_BYTES].strip().split(b"\n")[0].strip() for file in files}
    only = next(iter(firsts))
    return len(firsts) == 1 and len(files) > 1 and any(mark in only for mark in (b",", b";", b"|"))


class _File(NamedTuple):
    """One text file: its lines, without what stands at their ends."""

    lines: tuple[str, ...]
    remarks: tuple[str, ...]


def _gather(files: Sequence[SourceFile], gathered: Gathered) -> None:
    paths = [file.name for file in files]
    scored_by, said = _answers(gathered.given)
    settled = _settled(paths, scored_by, said)
    source = [position for position in plainly_named(paths, SOURCE) if position not in settled.gold]
    systems = [position for position in settled.systems if position not in source]
    gathered.settle("filter", _value(scored_by, settled), _choice(scored_by, settled))
    placed = place(paths, gold=settled.gold, systems=systems, whole="texts", answers=gathered)
    positions = [*settled.gold, *systems]
    contents = gathered.read_each([files[position] for position in positions], _read)
    read = dict(zip(positions, contents, strict=True))
    _check_lines(files, placed, read)
    texts = [
        _Texts(
            dataset=dataset,
            references=tuple(read[position].lines for position in placed.gold[dataset]),
            outputs={name: read[position].lines for name, position in own.items()},
        )
        for dataset, own in placed.systems.items()
    ]
    scored_so_far = partial(gathered.stages.reached, CUTTING)
    remarks: list[str] = []
    if scored_by == _ROUGE:
        columns = _overlap_of_texts(texts, scored_so_far, remarks)
        names = (metric for own in columns.values() for metric in own)
        gathered.higher_is_better.update(dict.fromkeys(names, True))
    else:
        with_ter = scored_by == _SACREBLEU
        columns = _count_texts(texts, scored_so_far, remarks, with_ter=with_ter)
        gathered.holds = "counts"
    gathered.scores += _scores(placed, paths, texts, columns)
    remark = gold_remark(placed, paths, settled, "references")
    gathered.remarks.append(f"Outputs are paired with references line by line. {remark}")
    gathered.remarks += [*_of_files(paths, read), *remarks]
    gathered.note_gold(placed, paths)
    for position in source:
        gathered.leave(
            paths[position],
            "By its name it holds source texts, which these metrics do not look at.",
        )


def _answers(given: Roles) -> tuple[str, str]:
    """What was said that texts are scored by, and which file holds references."""
    value = str(given.get("filter") or "")
    first, _, said = value.partition(" ")
    return (first, said) if first in _SCORERS else (_SACREBLEU, value)


def choices_on_labels(given: Roles) -> tuple[Choice, ...]:
    """The question what files are scored by that were said to hold labels."""
    if given.get("filter") != _LABELS[0]:
        return ()
    return (Choice(role="filter", question=_QUESTION, options=(_LABELS, *_SCORERS.items())),)


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
    held = {_value(scorer, settled): words for scorer, words in _SCORERS.items()}
    others = {
        f"{scored_by} {answer}": f"the same, with other references: {words}"
        for answer, words in settled.choice.options
        if answer != settled.answer
    }
    return Choice(
        role="filter",
        question=_QUESTION,
        options=(*held.items(), *(() if settled.is_said else (_LABELS,)), *others.items()),
    )


def _value(scored_by: str, settled: SettledGold) -> str:
    """What the role "filter" says of both; of references nothing where names say it."""
    return f"{scored_by} {settled.answer}" if settled.is_said else scored_by


def _scores(
    placed: Placement, paths: Sequence[str], texts: Sequence[_Texts], columns: _Columns
) -> Iterator[Scores]:
    for own in texts:
        lines = range(1, own.n_segments + 1)
        for system, position in placed.systems[own.dataset].items():
            yield Scores(
                path=paths[position],
                dataset=own.dataset,
                system=system,
                examples=[str(line) for line in lines],
                columns=columns[own.dataset, system],
                lines=lines,
            )


def _read(file: SourceFile) -> _File:
    decoded = decode_text(file.content)
    # As sacrebleu's command line cuts lines: at line feeds alone.
    lines = decoded.text.split("\n")
    if not lines[-1]:
        lines.pop()
    return _File(lines=tuple(line.rstrip() for line in lines), remarks=decoded.remarks)


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
                        f"It has {n_lines:,} lines, {quoted(files[first].name)} has "
                        f"{expected:,}: which output belongs to which reference is not known.",
                        "Give both one line for each segment, in the same order; a blank "
                        "line stands for an empty output.",
                        dataset=dataset,
                        file=files[position].name,
                    )
                )
    stop_at(problems)


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


def _count_texts(
    texts: Sequence[_Texts], told: _Told, remarks: list[str], *, with_ter: bool
) -> _Columns:
    """The counts of each system's segments, with a column for each; TER's take most of the time."""
    package = needed("sacrebleu.metrics", package="sacrebleu", counts="BLEU, chrF and TER")
    makers = {"bleu": package.BLEU, "chrf": package.CHRF, "ter": package.TER}
    kinds = [kind for kind in _METRICS if with_ter or kind != "ter"]
    counted: dict[str, dict[tuple[str, str], FloatArray]] = {kind: {} for kind in kinds}
    signatures: dict[str, list[str]] = {kind: [] for kind in kinds}
    made: dict[str, Any] = {}
    n_all = len(kinds) * sum(own.n_segments * len(own.outputs) for own in texts)
    done = 0
    for own in texts:
        for kind in kinds:
            # Tokenized texts are told of with the files; sacrebleu writes it to a log.
            settings = {"force": True} if kind == "bleu" else {}
            metric = made[kind] = makers[kind](references=[*own.references], **settings)
            for system, output in own.outputs.items():
                # The counts of a segment have no public name; they add up to the public score.
                counts = metric._extract_corpus_statistics(output, None)
                array = np.array(counts, dtype=np.float64)
                if kind == "ter":
                    # It divides by the references' average length, which is no whole number.
                    array = np.rint(array * len(own.references))
                counted[kind][own.dataset, system] = array
                done += own.n_segments
                told(done / n_all)
            signature = metric.get_signature().format()
            if signature not in signatures[kind]:
                signatures[kind].append(signature)
    remarks += [
        f"{STATISTIC_METRICS[kind].name} is counted by sacrebleu: {' and '.join(own)}."
        for kind, own in signatures.items()
    ]
    short = next(
        (p for p, own in counted["bleu"].items() if not own[:, _TOTALS].sum(axis=0).all()), None
    )
    if short is not None:
        kinds.remove("bleu")
        remarks.append(
            f"BLEU is left out: no output of {quoted(short[1])} on {quoted(short[0])} has "
            "the four words that its 4-grams need."
        )
    else:
        remarks += _smoothed(counted["bleu"], made["bleu"])
    if with_ter and any(len(own.references) > 1 for own in texts):
        remarks.append(
            "Where there are several references, TER's edits and lengths are those of sacrebleu "
            "times the number of references, so that they are whole numbers; the rate is the same."
        )
    if _share_of(_UNSPACED, texts) > _MANY_UNSPACED:
        remarks.append(
            "Many letters are of scripts that write no spaces between words, which sacrebleu's "
            "default tokenizer leaves uncut: BLEU and TER then count whole clauses as words. "
            "Compare by chrF, or cut the texts into words first."
        )
    return {
        pair: {
            name: list(map(str, counted[kind][pair][:, index].astype(np.int64).tolist()))
            for kind in kinds
            for index, name in enumerate(STATISTIC_METRICS[kind].statistics)
        }
        for pair in counted["chrf"]
    }


def _smoothed(counted: Mapping[tuple[str, str], FloatArray], bleu: Any) -> list[str]:
    """Remarks where sacrebleu smooths a score that is 0 here."""
    printed = []
    for (dataset, system), counts in counted.items():
        sums = counts.sum(axis=0)
        if not sums[_MATCHES].all() and sums[_MATCHES].any():
            score = bleu._compute_score_from_stats([int(count) for count in sums]).score
            printed.append(f"{score:.2f} for {quoted(system)} on {quoted(dataset)}")
    said = "Where no n-gram of some length matches, BLEU is 0; sacrebleu smooths it and prints"
    return [f"{said} {first_of(printed)}."] if printed else []


def _overlap_of_texts(texts: Sequence[_Texts], told: _Told, remarks: list[str]) -> _Columns:
    """The F-measure of each system's segments, of ROUGE-1, ROUGE-2 and ROUGE-L."""
    package = needed("rouge_score.rouge_scorer", package="rouge-score", counts="ROUGE scores")
    scorer = package.RougeScorer(list(_MEASURES), use_stemmer=False)
    columns: dict[tuple[str, str], dict[str, list[str]]] = {}
    n_all = sum(own.n_segments * len(own.outputs) for own in texts)
    done = 0
    for own in texts:
        references = list(zip(*own.references, strict=True))
        for system, output in own.outputs.items():
            cells: dict[str, list[str]] = {column: [] for column in _MEASURES.values()}
            for right, said in zip(references, output, strict=True):
                scores = scorer.score_multi(right, said)
                for measure, column in _MEASURES.items():
                    cells[column].append(repr(float(scores[measure].fmeasure)))
                done += 1
                told(done / n_all)
            columns[own.dataset, system] = cells
    version = importlib.metadata.version("rouge-score")
    remarks.append(
        f"ROUGE is the F-measure of each segment by rouge-score {version}, without its stemmer, "
        "averaged over segments; texts are put in lower case and cut at all but letters and digits."
    )
    if any(len(own.references) > 1 for own in texts):
        remarks.append("Of several references the one with the highest F-measure counts, for each.")
    if _share_of(_PLAIN, texts) < _FEW_PLAIN:
        remarks.append(
            "Many letters of the references are not among a to z, which are all that rouge-score "
            "counts: its scores then say little. Compare by chrF."
        )
    return columns


def _share_of(pattern: re.Pattern[str], texts: Sequence[_Texts]) -> float:
    """Which share of the references' letters are of a kind; NaN where there are none."""
    sample = "".join(line for own in texts for line in own.references[0][:200])
    letters = len(_LETTER.findall(sample))
    return len(pattern.findall(sample)) / letters if letters else float("nan")


TEXTS = Tool(name="outputs and references as text", claims=claims, gather=_gather)

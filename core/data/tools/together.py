"""The tools whose files are read, which files are whose, and all that they hold as one table."""

import codecs
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from ...errors import Choice, DataError, Problem, first_of, listed, quoted, stop_at
from ...types import grouped
from ..layouts.registry import COUNTS, PUBLISHED_TABLE, SCORE_GRID, SCORES_IN_ROWS
from ..roles import LAYOUT, SCORES, SYSTEMS, FileUse, Roles
from ..sources.files import SourceFile, SourceFiles, kind_of_text, left_aside
from ..sources.json_values import cell
from ..sources.name_grid import NothingToCompare
from ..tables.limits import CUTTING, Stages
from ..tables.raw_table import PutTogether, in_turn, table_of_columns
from .agreement import (
    MOST_NAMED,
    alone_problems,
    content_problems,
    matched_examples,
    named_by_path,
    parted_by_name,
    prompt_remark,
    twice_problems,
    unseen_remark,
    with_comparable_content,
)
from .annotations import ENTITIES, TREEBANKS
from .gathered import (
    CLASSIFICATION_REPORTS,
    METRIC_LABEL,
    TRAINER,
    Gathered,
    Scores,
    Tool,
    is_higher_better,
    settle_measures,
    unsaid_remark,
)
from .helm import HELM
from .hugging_face import HUGGING_FACE, LIGHTEVAL, MTEB
from .inspect_logs import INSPECT
from .judged_outputs import EVERY_EVAL_EVER, PROMPTFOO, SQUAD, SWE_BENCH
from .lm_eval import LM_EVAL
from .retrieval import PER_QUERY_JSON, TREC_RUNS, TREC_SCORES
from .texts import TEXTS
from .translation_scores import COMET, SACREBLEU_SCORES

# In the order in which they are asked.
TOOLS: tuple[Tool, ...] = (
    LM_EVAL,
    HELM,
    INSPECT,
    EVERY_EVAL_EVER,
    PROMPTFOO,
    SQUAD,
    LIGHTEVAL,
    HUGGING_FACE,
    MTEB,
    TRAINER,
    CLASSIFICATION_REPORTS,
    SWE_BENCH,
    SACREBLEU_SCORES,
    COMET,
    TREC_SCORES,
    TREC_RUNS,
    PER_QUERY_JSON,
    TREEBANKS,
    ENTITIES,
    TEXTS,
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Claimed:
    """Files by the tool that wrote them, and the rest, which are of no tool."""

    by_tool: tuple[tuple[Tool, tuple[SourceFile, ...]], ...]
    rest: tuple[SourceFile, ...]


def claim(files: Sequence[SourceFile], given: Roles, *, tools: Sequence[Tool] = TOOLS) -> Claimed:
    """Tell which files are of which tool; each is of the first that claims it."""
    as_given = {file.name: file for file in files}
    left = list(map(_in_utf8, files))
    found: list[tuple[Tool, tuple[SourceFile, ...]]] = []
    for tool in tools:
        held = set(tool.claims(left, given))
        if held:
            found.append((tool, tuple(left[position] for position in sorted(held))))
            left = [file for position, file in enumerate(left) if position not in held]
    return Claimed(by_tool=tuple(found), rest=tuple(as_given[file.name] for file in left))


def _in_utf8(file: SourceFile) -> SourceFile:
    """The same, as tools write it: without a mark; what they print goes into UTF-16 in some shells."""
    if file.content.startswith(codecs.BOM_UTF8):
        return replace(file, content=file.content[len(codecs.BOM_UTF8) :])
    if not file.content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return file
    try:
        return replace(file, content=file.content.decode("utf-16").encode())
    except UnicodeError:
        return file


def cannot_compare(error: DataError) -> bool:
    """Whether all is well with tools' files, but for there being too few of them."""
    return all(isinstance(problem, NothingToCompare) for problem in error.problems)


def with_others_named(error: DataError, claimed: Claimed) -> DataError:
    """The same error, naming files that tools' files keep from being read."""
    others = [file.name for file in claimed.rest if not kind_of_text(file)]
    if not others:
        return error
    kinds = listed([tool.name for tool, _ in claimed.by_tool])
    theirs = [file.name for _, files in claimed.by_tool for file in files]
    problem = Problem(
        f"Beside files of evaluation tools ({kinds}) other files are not read: {listed(others)}.",
        f"To read these, leave out {listed(theirs)}.",
    )
    return DataError(
        [*error.problems, problem],
        columns=error.columns,
        choices=error.choices,
        roles=error.roles,
    )


def without_tools(unpacked: SourceFiles, claimed: Claimed, error: DataError) -> SourceFiles:
    """The files of no tool, where those of tools cannot be compared; those are left aside."""
    reason = f"It cannot be compared: {error.problems[0].what}"
    theirs = [
        FileUse(path=file.name, kind=tool.name, used=False, reason=reason)
        for tool, files in claimed.by_tool
        for file in files
    ]
    return replace(unpacked, files=claimed.rest, aside=(*unpacked.aside, *theirs))


_AVERAGES = "It holds averages only; other files hold the results on each example."
_WITHOUT_METRIC = "Its datasets do not have the metric that was chosen."
# What overlap between datasets is found by: a heading of what systems are given.
INPUT = "input"


def table_of_tools(claimed: Claimed, given: Roles, stages: Stages) -> PutTogether:
    """One table of everything that tools' files hold."""
    whole = Gathered(kind="", given=given, stages=stages)
    kinds: dict[str, str] = {}
    holds: set[str] = set()
    problems: list[Problem] = []
    choices: list[Choice] = []
    for position, (tool, files) in enumerate(claimed.by_tool):
        stages.reached(CUTTING, position / len(claimed.by_tool))
        own = Gathered(kind=tool.name, given=given, stages=stages)
        try:
            tool.gather(files, own)
        except DataError as error:
            problems.extend(error.problems)
            # What was answered on the way may be answered otherwise.
            asked = {choice.role for choice in error.choices}
            every = [*(one for one in own.choices if one.role not in asked), *error.choices]
            choices.extend(choice for choice in every if choice not in choices)
        whole.add(own)
        kinds |= {one.path: tool.name for one in own.scores}
        holds |= {own.holds} if any(one.examples for one in own.scores) else set()
    stop_at(problems, choices=choices)
    unknown = "It is no file of an evaluation tool that is known here."
    whole.beside += [
        left_aside(file.name, kind)
        if (kind := kind_of_text(file))
        else FileUse(path=file.name, kind="", used=False, reason=unknown)
        for file in claimed.rest
    ]
    if claimed.rest:
        others = listed([file.name for file in claimed.rest])
        whole.remarks.append(f"Left aside, beside the files of evaluation tools: {others}.")
    try:
        if len(holds) > 1:
            raise DataError.of(
                "Some files hold a score for each example, others the counts that a "
                "metric is computed from.",
                "Give files of one kind at a time.",
            )
        if not whole.scores:
            reasons = dict.fromkeys(use.reason for use in whole.beside if use.reason and use.kind)
            why = " ".join([*reasons][:MOST_NAMED])
            what = f"The files hold no results that can be compared. {why}"
            remedy = "Give the files in which the tool writes a score for each example."
            raise DataError([NothingToCompare(what, remedy)])
        return _settled(whole, kinds, are_counts=holds == {"counts"})
    except DataError as error:
        choices = [*error.choices, *(own for own in whole.choices if own not in error.choices)]
        raise DataError(error.problems, choices=choices) from None


def _name_problems(found: Sequence[Scores]) -> list[Problem]:
    """Names that are empty or hold what no text may hold, the first of each file."""
    problems: dict[str, Problem] = {}
    for one in found:
        for name in (one.dataset, one.system, *one.columns, *one.side):
            shown = cell(name) or ""
            if not shown or shown != name.strip():
                what = f"{quoted(shown)} is not a name: it is empty or contains characters that are not text."
                remedy = "Give it a name in plain letters."
                problems.setdefault(one.path, Problem(what, remedy, file=cell(one.path)))
    return list(problems.values())


def _settled(whole: Gathered, kinds: Mapping[str, str], *, are_counts: bool) -> PutTogether:
    n_asked = len(whole.choices)
    by_example = [one for one in whole.scores if one.examples]
    scores = parted_by_name(by_example, whole) if by_example else whole.scores
    by_parts = whole.choices[n_asked:]
    scores = with_comparable_content(named_by_path(scores, whole))
    if len({run for one in scores for run in one.runs}) < 2:
        scores = [replace(one, runs=()) for one in scores]
    problems = _name_problems(scores) or [
        *twice_problems(scores),
        *content_problems(scores),
        *alone_problems({one.system for one in scores}),
    ]
    if problems:
        # No choice that was made on the way before would mend the files themselves.
        whole.choices = by_parts
        raise DataError(problems)
    found, own = (scores, {}) if are_counts else settle_measures(scores, whole)
    if not are_counts:
        whole.remarks += unsaid_remark(found[0].columns, whole.higher_is_better)
    if by_example:
        table = _of_examples(found, whole, are_counts=are_counts)
    else:
        table = _of_averages(found, whole)
    return replace(
        table,
        raw=replace(table.raw, remarks=tuple(dict.fromkeys(whole.remarks))),
        roles=whole.roles,
        choices=tuple(whole.choices),
        files=(*_uses(scores, found, whole, kinds), *whole.beside),
        dataset_labels={METRIC_LABEL: own} if own else {},
    )


def _uses(
    scores: Sequence[Scores], found: Sequence[Scores], whole: Gathered, kinds: Mapping[str, str]
) -> Iterator[FileUse]:
    """What was made of each file with results, of which those `found` are compared."""
    used = {one.path for one in found}
    compared = {one.path for one in scores}
    averages = [one for one in whole.scores if scores[0].examples and not one.examples]
    told = grouped((one.path, one) for one in (*averages, *scores))
    for path, kind in kinds.items():
        contents = []
        for one in told[path]:
            n = len(set(one.examples))
            what = f"{n:,} example{'' if n == 1 else 's'} of" if n else "an average on"
            contents.append(f"{what} {one.dataset} by {one.system}")
        reason = _WITHOUT_METRIC if path in compared else _AVERAGES
        yield FileUse(
            path=path,
            kind=kind,
            content=first_of(contents),
            used=path in used,
            reason="" if path in used else reason,
        )


def _of_examples(scores: Sequence[Scores], whole: Gathered, *, are_counts: bool) -> PutTogether:
    """A row for each example of each system."""
    header, columns = _columns_of(scores)
    metrics = tuple(scores[0].columns)
    dataset, example, system = header[:3]
    declared: dict[str, object] = {"dataset": dataset, "example": example, "system": system}
    if any(one.runs for one in scores):
        declared["run"] = header[3]
    if are_counts:
        declared[LAYOUT] = COUNTS
    else:
        # Counts were made by comparing every system with the same gold.
        whole.remarks += [*prompt_remark(scores), *unseen_remark(scores)]
        declared |= {LAYOUT: SCORES_IN_ROWS, SCORES: metrics}
        directions = whole.higher_is_better
        known = {metric: directions[metric] for metric in metrics if metric in directions}
        if len(metrics) == 1:
            # A plain name, such as "score", would be replaced otherwise.
            declared["metric"] = metrics[0]
        if known:
            # Of the others their names say it.
            declared["higher_is_better"] = known if len(metrics) > 1 else known[metrics[0]]
    return PutTogether(
        raw=table_of_columns(
            header,
            columns,
            np.concatenate([np.asarray(one.lines, dtype=np.intp) for one in scores]),
            origin=in_turn(
                sizes=[len(one.examples) for one in scores], files=[one.path for one in scores]
            ),
        ),
        declared=declared,
        matched=tuple(matched_examples(scores)),
    )


def _of_averages(found: Sequence[Scores], whole: Gathered) -> PutTogether:
    """Datasets × systems with one score each; with p-values where all were tested against a baseline.

    That is where each dataset has one system and its baseline, which are called so unless all of
    them have the same name.
    """
    (metric,) = found[0].columns
    by_dataset = {
        name: sorted(own, key=lambda one: one.is_baseline)
        for name, own in grouped((one.dataset, one) for one in found).items()
    }
    are_pairs = all(
        [(one.is_baseline, metric in one.p_values) for one in own] == [(False, True), (True, False)]
        for own in by_dataset.values()
    )
    systems = list(dict.fromkeys(one.system for one in found))
    p_values: dict[str, list[str]] = {}
    declared: dict[str, object] = {LAYOUT: SCORE_GRID, SYSTEMS: tuple(systems)}
    if are_pairs:
        a, b = (
            names.pop()
            if len(names := {own[place].system for own in by_dataset.values()}) == 1
            else other
            for place, other in enumerate(("system", "baseline"))
        )
        systems = [a, b] if len({a, b, "dataset", "p_value"}) == 4 else ["system", "baseline"]
        found = [replace(one, system=systems[one.is_baseline]) for one in found]
        p_values = {"p_value": [own[0].p_values[metric] for own in by_dataset.values()]}
        declared = {
            LAYOUT: PUBLISHED_TABLE,
            **dict(zip(("system_a", "system_b"), systems, strict=True)),
            "p_value": "p_value",
            "alternative": "two-sided",
        }
        whole.remarks.append(
            "sacrebleu's p-values are two-sided, of each system against the baseline."
        )
    elif any(one.p_values for one in found):
        whole.remarks.append(
            "sacrebleu's p-values are not read: they are read where every file compares the "
            "baseline with one system. The scores are read as averages."
        )
    cells = {(one.dataset, one.system): one.columns[metric][0] for one in found}
    (dataset,) = _free_names(["dataset"], systems)
    columns = [[cells.get((name, system), "") for name in by_dataset] for system in systems]
    return PutTogether(
        raw=table_of_columns(
            [dataset, *systems, *p_values],
            [[*by_dataset], *columns, *p_values.values()],
            [own[0].lines[0] for own in by_dataset.values()],
        ),
        declared={
            **declared,
            "dataset": dataset,
            "metric": metric,
            "higher_is_better": is_higher_better(metric, whole.higher_is_better),
        },
    )


def _columns_of(scores: Sequence[Scores]) -> tuple[list[str], list[pa.Array]]:
    """The header and the columns: ids first, then metrics or counts, then what describes them.

    Where every file says what each of its examples was, a last column passes that on.
    """
    sizes = [len(one.examples) for one in scores]
    measured = list(dict.fromkeys(name for one in scores for name in one.columns))
    side = list(dict.fromkeys(name for one in scores for name in one.side))
    ids: list[list[Sequence[str]]] = [
        [[one.dataset] * n for one, n in zip(scores, sizes, strict=True)],
        [one.examples for one in scores],
        [[one.system] * n for one, n in zip(scores, sizes, strict=True)],
    ]
    if any(one.runs for one in scores):
        ids.append([one.runs or ["1"] * n for one, n in zip(scores, sizes, strict=True)])
    blank = [[""] * n for n in sizes]
    cells = [
        *ids,
        *([one.columns.get(m, b) for one, b in zip(scores, blank, strict=True)] for m in measured),
        *([one.side.get(s, b) for one, b in zip(scores, blank, strict=True)] for s in side),
    ]
    header = _free_names(["dataset", "example", "system", "run"][: len(ids)], measured)
    header += [*measured, *_free_names(side, [*header, *measured])]
    if INPUT not in header and all(one.content and all(one.content) for one in scores):
        # One column under such a heading is all that tells examples apart.
        header.append(INPUT)
        cells.append([one.content for one in scores])
    arrays = ([pa.array(part, type=pa.string()) for part in parts] for parts in cells)
    return header, list(map(pa.concat_arrays, arrays))


def _free_names(names: Sequence[str], taken: Sequence[str]) -> list[str]:
    """Names for columns, changed where others have them already."""
    free = []
    for name in names:
        while name in taken:
            name = f"{name}_"
        free.append(name)
    return free

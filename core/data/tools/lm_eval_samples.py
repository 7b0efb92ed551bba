"""One file of lm-evaluation-harness samples: a record for each document and filter."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from core.data.sources.given import SourceFile
from core.data.words import listed, quoted
from core.errors import DataError, Problem

NO_FILTER = "none"
# Before hashes that are none of the tool's own.
OWN_HASH = "doc:"
# What a record holds beside its metrics, which older versions do not list.
_FIELDS = frozenset(
    {"doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics",
     "doc_hash", "prompt_hash", "target_hash", "raw_resps", "task_name", "schema"}
)  # fmt: skip
_LINES_A_STAGE = 2_000
# With more lines that cannot be read a file is something else.
_MOST_BROKEN = 50
_MEND = "Copy the file again, or evaluate this task again."
# Numbers stay as they are written.
_DECODER = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=str)


@dataclass(slots=True, kw_only=True, eq=False)
class Samples:
    """What one file holds, a row a record.

    Attributes
    ----------
    path : str
        The file.
    examples, filters, content : list of str
        Of each row the document's id, the filter, and the hash of the document, '' without one.
    targets, prompts : list of str
        Of each row the hash of the right answer and of what the model was asked, '' without one.
    lines : list of int
        Of each row its line, counted from 1.
    columns : dict of str to list of str
        For each metric a cell a row.
    metrics : dict of str to dict of str to None
        For each filter the metrics that its records have, in their order.
    aside : dict of str to None
        Metrics that are no score of one document.
    """

    path: str
    examples: list[str] = field(default_factory=list)
    filters: list[str] = field(default_factory=list)
    content: list[str] = field(default_factory=list)
    targets: list[str] = field(default_factory=list)
    prompts: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    columns: dict[str, list[str]] = field(default_factory=dict)
    metrics: dict[str, dict[str, None]] = field(default_factory=dict)
    aside: dict[str, None] = field(default_factory=dict)

    def add(self, record: Any, line: int) -> str:
        """Take one record; what is wrong with it, '' where nothing is."""
        if not isinstance(record, dict):
            return f"Here stands {_kind(record)}, not the record of a document."
        example = record.get("doc_id")
        if not isinstance(example, str) or not example:
            return "The record has no 'doc_id'."
        chosen = record.get("filter", NO_FILTER)
        if not isinstance(chosen, str):
            return f"Its 'filter' is {_kind(chosen)}, not a name."
        content = record.get("doc_hash")
        if not isinstance(content, str):
            content = _own_hash(record)
        n_rows = len(self.examples)
        names = _metrics(record)
        own = self.metrics.setdefault(chosen, {})
        columns = self.columns
        for name in names:
            value = record.get(name)
            column = columns.get(name)
            if column is None:
                column = columns[name] = [""] * n_rows
            own[name] = None
            if isinstance(value, str):
                column.append(value)
            elif value is None:
                column.append("")
            elif isinstance(value, bool):
                column.append("true" if value else "false")
            else:
                self.aside[name] = None
                column.append("")
        self.examples.append(example)
        self.filters.append(chosen)
        self.content.append(content)
        self.targets.append(_hash(record.get("target_hash")))
        self.prompts.append(_hash(record.get("prompt_hash")))
        self.lines.append(line)
        for column in columns.values():
            if len(column) <= n_rows:
                column.append("")
            elif len(column) > n_rows + 1:
                # One name stands twice among the metrics.
                del column[n_rows + 1 :]
        return ""

    def scores(self, chosen: str) -> tuple[str, ...]:
        """The metrics of a filter that are a number for each document."""
        return tuple(
            name
            for name in self.metrics.get(chosen, ())
            if name not in self.aside and not _is_text(self.columns[name])
        )


def read_samples(file: SourceFile, on_bytes: Callable[[int], None]) -> Samples:
    """Read a file of samples.

    Parameters
    ----------
    file : SourceFile
        JSON Lines, or one array as the first versions wrote it.
    on_bytes : callable (n_bytes)
        Told now and then how much has been read.

    Raises
    ------
    DataError
        With every line that cannot be read.
    """
    samples = Samples(path=file.name)
    problems: list[Problem] = []
    records = _array if file.content[:64].lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"[" else _lines
    for line, record, broken in records(file.content, on_bytes):
        what = broken or samples.add(record, line)
        if what:
            problems.append(Problem(what=what, remedy=_MEND, line=line, file=file.name))
            if len(problems) == _MOST_BROKEN:
                problems.append(_unread(file.name))
                break
    if not problems and not samples.examples:
        problems = [Problem(what="The file holds no records.", remedy=_MEND, file=file.name)]
    if problems:
        raise DataError(problems)
    return samples


def _lines(content: bytes, on_bytes: Callable[[int], None]) -> Iterator[tuple[int, object, str]]:
    """Each line's number, its record, and what is wrong with it."""
    done = 0
    # Only line feeds end a line: documents hold other signs that do elsewhere.
    stream = io.BytesIO(content)
    if content.startswith(b"\xef\xbb\xbf"):
        stream.seek(3)
    raw_decode = _DECODER.raw_decode
    for number, line in enumerate(stream, start=1):
        done += len(line)
        if not number % _LINES_A_STAGE:
            on_bytes(done)
        text = ""
        try:
            text = line.decode("utf-8").strip()
            if not text:
                continue
            record, end = raw_decode(text)
            broken = "" if end == len(text) else _broken("Extra data", end, text)
        except json.JSONDecodeError as error:
            is_last = done + (3 if content.startswith(b"\xef\xbb\xbf") else 0) >= len(content)
            cut = is_last and not line.endswith(b"\n")
            broken = _broken(error.msg, error.pos, text, is_cut=cut)
        except UnicodeDecodeError as error:
            broken = f"From byte {error.start + 1:,} of the line on it is no UTF-8."
        except (RecursionError, ValueError, MemoryError):
            broken = "The line is nested too deeply, or holds a number that is too long."
        if broken:
            yield number, None, broken
        else:
            yield number, record, ""
    on_bytes(done)


def _array(content: bytes, on_bytes: Callable[[int], None]) -> Iterator[tuple[int, object, str]]:
    """The line at which each record of an array begins, the record, and what is wrong with it."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        yield content.count(b"\n", 0, error.start) + 1, None, "From here on it is no UTF-8."
        return
    position, line, counted = text.index("[") + 1, 1, 0
    while True:
        position = _past_space(text, position)
        line, counted = line + text.count("\n", counted, position), position
        if text[position : position + 1] == "]":
            break
        try:
            record, position = _DECODER.raw_decode(text, position)
        except json.JSONDecodeError as error:
            yield error.lineno, None, _broken(error.msg, error.colno - 1, "")
            return
        except (RecursionError, ValueError, MemoryError):
            yield line, None, "The record is nested too deeply, or holds a number that is too long."
            return
        yield line, record, ""
        position = _past_space(text, position)
        if text[position : position + 1] == ",":
            position += 1
        elif text[position : position + 1] != "]":
            at = line + text.count("\n", counted, position)
            yield at, None, "The array is not closed, or a comma is missing between its records."
            return
    on_bytes(len(content))


def _past_space(text: str, position: int) -> int:
    while text[position : position + 1] in (" ", "\t", "\n", "\r"):
        position += 1
    return position


def _broken(reason: str, position: int, text: str, *, is_cut: bool = False) -> str:
    said = reason.removesuffix(":").removesuffix(" at").removesuffix(" starting")
    where = f"at character {position + 1:,}"
    if is_cut:
        return f"The last line is cut off after {len(text):,} characters ({said} {where})."
    return f"The line is no JSON from character {position + 1:,} on: {said}."


def _own_hash(record: dict[str, Any]) -> str:
    """A hash of the document, where the version of the tool wrote none."""
    if "doc" not in record:
        return ""
    return OWN_HASH + sha256(json.dumps(record["doc"], sort_keys=True).encode()).hexdigest()


def _hash(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _metrics(record: dict[str, Any]) -> list[str]:
    """The names of a record's metrics: as listed, else all that are no other field."""
    named = record.get("metrics")
    if isinstance(named, list) and all(isinstance(name, str) for name in named):
        return named
    return [name for name in record if name not in _FIELDS]


def _is_text(column: list[str]) -> bool:
    """Whether no cell of a column is a number or a truth value, and some are something else."""
    first = next((cell for cell in column if cell), "")
    if not first or _is_number(first):
        return False
    return not any(_is_number(cell) for cell in set(column) if cell)


def _is_number(cell: str) -> bool:
    if cell in ("true", "false"):
        return True
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _unread(name: str) -> Problem:
    return Problem(
        what=f"After {_MOST_BROKEN} such lines the rest was not read.",
        remedy="See whether the file is one of samples.",
        file=name,
    )


def _kind(value: Any) -> str:
    if isinstance(value, str):
        return f"{quoted(value)}"
    if isinstance(value, dict):
        return "an object"
    return "an array" if isinstance(value, list) else "no text"


def aside_remark(asides: dict[str, set[str]]) -> str:
    """Say which metrics of which tasks are no scores of documents."""
    shown = "; ".join(
        f"{quoted(metric)} of {listed(sorted(tasks))}" for metric, tasks in asides.items()
    )
    return (
        "Left aside, as they are no number for each document (such as counts that only a whole "
        f"data set has a score of): {shown}."
    )

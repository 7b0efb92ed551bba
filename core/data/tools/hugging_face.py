"""Results that model repositories of Hugging Face hold: `.eval_results/*.yaml` and model-index.

Of YAML only what these files use is read: lists and mappings one below the other, with values on
one line. So numbers stay as they were written, and every value is known by its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from ...errors import DataError
from ..sources.given import SourceFile
from ..sources.name_grid import NothingToCompare
from ..tables.text import decode_text
from ..words import quoted
from .gathered import Averages, Gathered, Tool

_VALUE = "value"
_RESULTS = re.compile(rb"(?:^|\n)- dataset:[ \t]*(?:#[^\n]*)?\r?\n[ \t]+id:")
_INDEX = re.compile(rb"\A(?:\xef\xbb\xbf)?---\r?\n(?:.*\n)?model-index:", re.DOTALL)
_KEY = re.compile(r"""(?P<key>"[^"]*"|'[^']*'|[^\s'"#\[{][^:#]*):(?:\s+(?P<rest>.*))?$""")
_BLOCK = re.compile(r"[|>][+-]?\d*$")
_DEFAULT_TASK = "default"
_SHAPE = (
    "Write it as the Hub's documentation does: a list of 'dataset' with 'id' and 'task_id', and "
    "'value'; or 'model-index' with 'results'."
)

_Line = tuple[int, int, str]


def is_of(file: SourceFile, head: bytes) -> bool:
    """Whether a file is a list of results, or a model card with some in its header."""
    return (
        file.name.lower().endswith((".yaml", ".yml")) and _RESULTS.search(head) is not None
    ) or (_INDEX.match(head) is not None)


def gather(files: Sequence[SourceFile], found: Gathered) -> None:
    """One average for each dataset; the model is the card's, or the repository's folder."""

    def read(file: SourceFile) -> list[Averages]:
        lines = list(_lines(decode_text(file.content).text))
        try:
            whole = _node(lines, lines[0][1]) if lines else None
        except RecursionError:
            what = "The lists are nested too deeply."
            raise DataError.of(what, _SHAPE) from None
        of = _of_card if isinstance(whole, dict) else _of_results
        return list(of(file.name, whole))

    for own in found.read_each(files, read):
        found.averages += own
    if not found.averages:
        raise DataError([NothingToCompare("The files hold no results.", _SHAPE)])


def _of_results(path: str, whole: Any) -> Iterator[Averages]:
    repository = path.partition(".eval_results/")[0].rstrip("/")
    for own in _mappings(whole):
        dataset = own.get("dataset")
        name, task = (_text(dataset, "id"), _text(dataset, "task_id"))
        value, line = _value(own)
        if not name or not value:
            raise DataError.of("A result lacks its dataset or its value.", _SHAPE, line=line)
        notes = _text(own, "notes")
        parts = [part for part in (task if task != _DEFAULT_TASK else "", notes) if part]
        yield Averages(
            path=path,
            dataset=f"{name} ({', '.join(parts)})" if parts else name,
            system=repository,
            scores={_VALUE: value},
            line=line,
        )


def _of_card(path: str, whole: Any) -> Iterator[Averages]:
    """A model's results: those of one dataset, configuration and split are one average each."""
    for model in _mappings(whole.get("model-index")):
        for result in _mappings(model.get("results")):
            dataset = result.get("dataset")
            parts = [_text(dataset, key) for key in ("config", "split")]
            told = ", ".join(part for part in parts if part and part != _DEFAULT_TASK)
            name = _text(dataset, "name") or _text(dataset, "type")
            scores: dict[str, str] = {}
            lines = [1]
            for metric in _mappings(result.get("metrics")):
                value, line = _value(metric)
                called = _text(metric, "name") or _text(metric, "type")
                if scores.get(called, value) != value:
                    what = f"{quoted(called)} of {quoted(name)} has two values."
                    raise DataError.of(what, _SHAPE, line=line)
                if value:
                    scores[called] = value
                    lines.append(line)
            if name and scores:
                yield Averages(
                    path=path,
                    dataset=f"{name} ({told})" if told else name,
                    system=_text(model, "name"),
                    scores=scores,
                    line=lines[-1],
                )


def _mappings(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _value(mapping: dict[str, Any]) -> tuple[str, int]:
    """The value of a result and its line."""
    held = mapping.get(_VALUE)
    return held if isinstance(held, tuple) else ("", 1)


def _text(mapping: Any, key: str) -> str:
    held = mapping.get(key) if isinstance(mapping, dict) else None
    return held[0] if isinstance(held, tuple) else ""


def _lines(text: str) -> Iterator[_Line]:
    """Number, depth and content of each line that says something, up to the header's end."""
    skipped: int | None = None
    has_begun = False
    for number, line in enumerate(text.split("\n"), start=1):
        bare = line.strip()
        depth = len(line) - len(line.lstrip(" "))
        if has_begun and bare in ("---", "..."):
            return
        if not bare or bare.startswith("#") or bare == "---":
            continue
        has_begun = True
        if skipped is not None and depth > skipped:
            # Text of several lines.
            continue
        skipped = depth if _BLOCK.search(bare) else None
        # "- key: value" begins an element that goes on two columns further right.
        while bare.startswith("- "):
            yield number, depth, "-"
            inner = bare[2:].lstrip()
            depth += len(bare) - len(inner)
            bare = inner
        yield number, depth, bare


def _node(lines: list[_Line], depth: int) -> Any:
    """The list, mapping or value that begins with the first line; its lines are taken away."""
    number, own, text = lines[0]
    if text == "-":
        elements = []
        while lines and lines[0][1] == depth and lines[0][2] == "-":
            lines.pop(0)
            elements.append(_node(lines, lines[0][1]) if lines and lines[0][1] > depth else None)
        return elements
    if text.startswith("{") and text.endswith("}"):
        lines.pop(0)
        pairs = (part.partition(":") for part in text[1:-1].split(","))
        return {key.strip(" \"'"): (_scalar(value), number) for key, _, value in pairs}
    if _KEY.match(text) is None:
        lines.pop(0)
        return _scalar(text), number
    members: dict[str, Any] = {}
    while lines and lines[0][1] == own:
        number, _, text = lines[0]
        found = _KEY.match(text)
        if found is None:
            break
        lines.pop(0)
        key, rest = found["key"].strip(" \"'"), _scalar(found["rest"] or "")
        below = bool(lines) and (lines[0][1] > own or (lines[0][1] == own and lines[0][2] == "-"))
        if not rest and below:
            members[key] = _node(lines, lines[0][1])
        else:
            members[key] = (rest, number)
            while lines and lines[0][1] > own:
                # A value of several lines: none that is compared.
                lines.pop(0)
    if lines and lines[0][1] > own:
        what = f"{quoted(lines[0][2])} stands further right than what it belongs to."
        # A card beside other files is then left aside.
        raise DataError([NothingToCompare(what, _SHAPE, line=lines[0][0])])
    return members


def _scalar(text: str) -> str:
    """A value without quotation marks and what is noted behind it."""
    bare = text.strip()
    if bare[:1] in ("'", '"'):
        end = bare.find(bare[0], 1)
        return bare[1:end] if end > 0 else bare[1:]
    bare = re.split(r"\s#", bare, maxsplit=1)[0].strip()
    return "" if bare in ("null", "~") or bare.startswith("#") else bare


HUGGING_FACE = Tool(name="Hugging Face results", is_of=is_of, gather=gather)

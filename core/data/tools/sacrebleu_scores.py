"""What sacrebleu prints as JSON: scores of one system, or of several with their p-values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ...errors import DataError, listed, quoted
from ..sources.given import SourceFile
from ..sources.json_values import (
    MEND,
    Entry,
    ToolJson,
    each_read,
    part,
    required,
    text_at,
)
from ..sources.name_grid import (
    FILE,
    ONE_DATASET,
    SYSTEM_FIRST,
    find_grid,
    order_choice,
    stems_of,
    without_ending,
)
from .gathered import Gathered, Scores, Tool, average, each, grouped

_METRIC = rb'"(?:BLEU|TER|chrF\d*\+{0,2})"'
_OF_ONE = re.compile(rb'\s*(?:\[\s*)?\{\s*"name"\s*:\s*' + _METRIC + rb'\s*,\s*"score"\s*:')
_OF_SEVERAL = re.compile(
    rb'\s*\[\s*\{\s*"system"\s*:\s*"(?:[^"\\]|\\.)*"\s*,\s*' + _METRIC + rb"\s*:"
)
_BASELINE = "Baseline: "


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _File:
    """What one file holds, of no dataset yet; a single system has no name either."""

    path: str
    systems: list[Scores]
    # As the file names it, '' where it does not.
    test_set: str = ""
    # For each metric how it was computed, as far as the file says.
    signatures: dict[str, str] = field(default_factory=dict)


def _gather(files: Sequence[SourceFile], gathered: Gathered) -> None:
    found = gathered.read_each(
        files, lambda f: _several_systems(f) if _OF_SEVERAL.match(f.content) else _one_system(f)
    )
    tables = [own for own in found if all(system.system for system in own.systems)]
    singles = [own for own in found if own not in tables]
    averages = gathered.averages
    # By what tells their files apart.
    names = stems_of([table.path for table in tables])
    for table, name in zip(tables, names, strict=True):
        averages += [replace(system, dataset=name) for system in table.systems]
    if tables:
        gathered.remarks.append(
            f"Each table of sacrebleu is read as a dataset, by its file: {listed(names)}."
        )
    told = [own for own in singles if own.test_set]
    untold = [own for own in singles if not own.test_set]
    for own in told:
        averages += [replace(one, dataset=own.test_set) for one in own.systems]
    if untold:
        stems, order = stems_of([own.path for own in untold]), gathered.given.get("name_order")
        if order is None and all("/" in stem for stem in stems):
            # A folder is taken for a system.
            order = SYSTEM_FIRST
        grid = find_grid(stems, [1] * len(stems), whole="test set", order=order)
        choices = grid.choices if grid.order == ONE_DATASET else (order_choice(FILE),)
        gathered.settle("name_order", grid.order, *choices, grid.remark)
        for (dataset, system), own in zip(grid.pairs, untold, strict=True):
            averages += [replace(one, dataset=dataset, system=system) for one in own.systems]
    gathered.remarks += [*_differing([*tables, *singles]), *_on_p_values(averages)]
    gathered.higher_is_better = {
        metric: metric != "TER" for one in averages for metric in one.columns
    }


def _several_systems(file: SourceFile) -> _File:
    """A table of several systems, with p-values where a test was made."""

    def read(entry: Entry) -> Scores:
        name, value = required(entry.value, "system"), part(entry.value)
        scores = {
            metric: _score(own, metric, name) for metric, own in value.items() if metric != "system"
        }
        called = without_ending(name.removeprefix(_BASELINE).strip())
        p_values = {m: text_at(part(own).get("p_value")) for m, own in value.items()}
        return replace(
            average(file.name, "", called, scores, line=entry.line),
            p_values={metric: p for metric, p in p_values.items() if p},
            is_baseline=name.startswith(_BASELINE),
        )

    return _File(path=file.name, systems=[*each_read(ToolJson(file).records(), read)])


def _one_system(file: SourceFile) -> _File:
    """The scores of one system: one object for each metric."""
    scores: dict[str, str] = {}
    signatures: dict[str, str] = {}
    test_sets: list[str] = []

    def read(entry: Entry) -> None:
        name = required(entry.value, "name")
        if name in scores:
            raise DataError.of("It occurs twice.", MEND, column=name)
        scores[name] = _score(entry.value, name, name)
        signatures[name] = text_at(entry.value, "signature")
        told = [text_at(entry.value, key) for key in ("test", "lang")]
        test_sets.append(" ".join(filter(None, told)))

    list(each_read(ToolJson(file).entries(), read))
    return _File(
        path=file.name,
        systems=[average(file.name, "", "", scores)],
        test_set=next(filter(None, test_sets), ""),
        signatures=signatures,
    )


def _score(value: Any, metric: str, name: str) -> str:
    """The score as written of what is called so."""
    score = text_at(value.get("score") if isinstance(value, dict) else value)
    if not score:
        raise DataError.of(f"There is no score of {quoted(name)}.", MEND, column=metric)
    return score


def _differing(files: Sequence[_File]) -> list[str]:
    """A remark where a metric was not computed alike in all files."""
    said: dict[str, set[str]] = {}
    for file in files:
        for metric, signature in file.signatures.items():
            # The test set is no setting.
            kept = [p for p in signature.split("|") if p.split(":")[0] not in ("test", "lang")]
            said.setdefault(metric, set()).add("|".join(kept))
    return [
        f"{quoted(metric)} was not computed alike in all files: {listed(sorted(signatures))}."
        for metric, signatures in said.items()
        if len(signatures) > 1
    ]


def _on_p_values(averages: Sequence[Scores]) -> list[str]:
    """A remark on p-values, read where they are of one pair on every dataset."""
    by_dataset = grouped(averages, lambda one: one.dataset)
    tested = [any(one.p_values for one in own) for own in by_dataset.values()]
    if not any(tested):
        return []
    if all(tested) and all(len(own) == 2 for own in by_dataset.values()):
        return ["sacrebleu's p-values are two-sided, of each system against the baseline."]
    return [
        "sacrebleu's p-values are not read: they are read where every file compares the baseline "
        "with one system. The scores are read as averages."
    ]


SACREBLEU_SCORES = Tool(
    name="sacrebleu scores",
    claims=each(lambda _, head: bool(_OF_ONE.match(head) or _OF_SEVERAL.match(head))),
    gather=_gather,
)

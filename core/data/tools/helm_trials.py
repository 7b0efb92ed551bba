"""HELM's trials, where datasets do not have the same ones: averaged dataset by dataset, or one kept."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from core.data.roles import Roles
from core.data.tools.gathered import Scores
from core.data.words import listed, quoted
from core.errors import Choice, DataError, Problem

_AVERAGE = "average"
_ONLY = "only:"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Trials:
    """Scores with the trials that count."""

    scores: tuple[Scores, ...]
    roles: Mapping[str, object] = field(default_factory=dict)
    choices: tuple[Choice, ...] = ()
    remarks: tuple[str, ...] = ()


def settle_trials(scores: Sequence[Scores], given: Roles) -> Trials:
    """The same scores, or one for each instance where datasets have different trials.

    Only where within each dataset all systems have the same trials of every
    instance is anything settled here; else trials stay runs, of which the rows
    are asked for as of any other table.

    Raises
    ------
    DataError
        With the question, where `given` does not answer "runs".
    """
    trials = _trials(scores)
    if trials is None or len(set(trials.values())) < 2:
        return Trials(scores=tuple(scores))
    common = [t for t in next(iter(trials.values())) if all(t in own for own in trials.values())]
    choice = _choice(trials, common)
    answer = given.get("runs")
    if answer == _AVERAGE:
        return Trials(
            scores=tuple(_averaged(one) for one in scores),
            roles={"runs": answer},
            choices=(choice,),
            remarks=(f"Averaged, as chosen: the trials that each dataset has, {_shown(trials)}.",),
        )
    chosen = str(answer).removeprefix(_ONLY)
    if answer is not None and chosen in common:
        n = sum(trial != chosen for one in scores for trial in one.runs)
        return Trials(
            scores=tuple(_only(one, chosen) for one in scores),
            roles={"runs": answer},
            choices=(choice,),
            remarks=(
                f"Read, as chosen: trial {quoted(chosen)} alone; {n:,} answers in other trials "
                "are left aside.",
            ),
        )
    what = f"The datasets do not have the same trials: {_shown(trials)}."
    if answer is not None:
        what = f"Not every dataset has the trial {quoted(chosen)}: {_shown(trials)}."
    keep = ", or choose one that every dataset has" if common else ""
    remedy = f"Average the trials that each dataset has{keep}."
    problem = Problem(what=what, remedy=remedy, answered_by="runs")
    raise DataError([problem], choices=(choice,))


def _trials(scores: Sequence[Scores]) -> dict[str, tuple[str, ...]] | None:
    """The trials of each dataset; None where an instance lacks one that another has."""
    found: dict[str, tuple[str, ...]] = {}
    for one in scores:
        if not one.runs:
            return None
        own = tuple(dict.fromkeys(one.runs))
        if set(found.setdefault(one.dataset, own)) != set(own):
            return None
        if len(one.examples) != len(own) * len(set(one.examples)):
            return None
    # The order in which a file has them says nothing.
    return {dataset: tuple(sorted(own)) for dataset, own in found.items()}


def _choice(trials: Mapping[str, Sequence[str]], common: Sequence[str]) -> Choice:
    return Choice(
        role="runs",
        question="The datasets do not have the same trials. Which scores count?",
        options=(
            (_AVERAGE, f"Average the trials that each dataset has: {_shown(trials)}"),
            *((f"{_ONLY}{trial}", f"Use trial {trial} only") for trial in common),
        ),
    )


def _shown(trials: Mapping[str, Sequence[str]]) -> str:
    by_number: dict[int, list[str]] = {}
    for dataset, own in trials.items():
        by_number.setdefault(len(own), []).append(dataset)
    if len(by_number) == 1:
        return "; ".join(f"{listed(own)} of {quoted(dataset)}" for dataset, own in trials.items())
    return "; ".join(f"{n} of {listed(names)}" for n, names in by_number.items())


def _averaged(one: Scores) -> Scores:
    rows: dict[str, list[int]] = {}
    for row, example in enumerate(one.examples):
        rows.setdefault(example, []).append(row)
    return replace(
        _picked(one, [own[0] for own in rows.values()]),
        columns={
            metric: [_mean([cells[row] for row in own]) for own in rows.values()]
            for metric, cells in one.columns.items()
        },
    )


def _only(one: Scores, chosen: str) -> Scores:
    return _picked(one, [row for row, trial in enumerate(one.runs) if trial == chosen])


def _picked(one: Scores, rows: Sequence[int]) -> Scores:
    return replace(
        one,
        examples=[one.examples[row] for row in rows],
        columns={metric: [own[row] for row in rows] for metric, own in one.columns.items()},
        lines=[one.lines[row] for row in rows],
        content=[one.content[row] for row in rows] if one.content else (),
        runs=(),
    )


def _mean(cells: Sequence[str]) -> str:
    """The mean; '' where a trial lacks its score, and what is no number as it is, to be named."""
    if len(cells) == 1 or not all(cells):
        return cells[0] if len(cells) == 1 else ""
    values = []
    for cell in cells:
        try:
            values.append(float(cell))
        except ValueError:
            return cell
    return repr(math.fsum(values) / len(values))

"""Which metrics of tools' files are compared, where datasets do not have the same ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic

from ...errors import Choice, DataError, Problem
from ..tables.headings import lower_is_better
from ..words import listed, quoted
from .gathered import Averages, Found, Gathered, Scores

EACH_OWN = "each-own"
ONLY_MEASURE = "only:"
# What each dataset's own first metric is called, where they differ.
OWN_MEASURE = "score"
# Under which `Reading.dataset_labels` says it of each dataset.
METRIC_LABEL = "metric"
# Of more sets of metrics these are shown.
_MOST_SHOWN = 5


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Measured(Generic[Found]):
    """Results with the metrics that are compared, averages with one of them.

    Attributes
    ----------
    found : tuple of Scores or of Averages
        Those of datasets that have the metrics.
    metrics : tuple of str
        Which all of them have.
    own : mapping of str to str
        For each dataset the metric of its own, where each has one.
    """

    found: tuple[Found, ...]
    metrics: tuple[str, ...]
    own: Mapping[str, str] = field(default_factory=dict)


def settle_measures(found: Sequence[Found], whole: Gathered) -> Measured[Found]:
    """The metrics compared: those that every dataset has, else as is answered by "measure".

    Raises
    ------
    DataError
        Where no metric is on all datasets, or averages have several, with the question.
    """
    held = [(one.dataset, one.system, tuple(_cells(one))) for one in found]
    by_dataset = _by_dataset(held)
    common = _common(by_dataset)
    are_averages = isinstance(found[0], Averages)
    directions = whole.higher_is_better
    choice = _choice(by_dataset, directions)
    answer = whole.given.get("measure")
    if answer is None:
        if not common or (are_averages and len(common) > 1):
            raise DataError(_problems(by_dataset, held), choices=_open(choice))
        others = _remarks(by_dataset, common)
        # Of scores the sidebar offers every metric.
        whole.settle("measure", None, *(_open(choice) if are_averages and others else ()), *others)
        return Measured(found=tuple(_only(one, common) for one in found), metrics=common)
    if answer == EACH_OWN:
        firsts = _firsts(by_dataset, directions, choice)
        directions[OWN_MEASURE] = is_higher_better(next(iter(firsts.values())), directions)
        whole.settle("measure", answer, choice, _own_remark(firsts))
        return Measured(
            found=tuple(_renamed(one, firsts[one.dataset]) for one in found),
            metrics=(OWN_MEASURE,),
            own=firsts,
        )
    metric = str(answer).removeprefix(ONLY_MEASURE)
    kept = tuple(_only(one, (metric,)) for one in found if metric in by_dataset[one.dataset])
    if not kept:
        raise DataError([_unknown(metric, by_dataset)], choices=(choice,))
    others = _not_chosen(by_dataset, metric) if are_averages else ()
    whole.settle("measure", answer, choice, *(_left_aside(by_dataset, metric) or others))
    return Measured(found=kept, metrics=(metric,))


def _cells(one: Scores | Averages) -> Mapping[str, object]:
    return one.columns if isinstance(one, Scores) else one.scores


def _only(one: Found, metrics: Sequence[str]) -> Found:
    """An average by these metrics; scores keep all, of which the table takes these."""
    if isinstance(one, Scores):
        return one
    return replace(one, scores={metric: one.scores[metric] for metric in metrics})


def _renamed(one: Found, metric: str) -> Found:
    """The same by one metric alone, under the name that it is compared by."""
    if isinstance(one, Scores):
        return replace(one, columns={OWN_MEASURE: one.columns[metric]})
    # A test of that metric is one of what it is called now.
    p_values = {OWN_MEASURE: one.p_values[metric]} if metric in one.p_values else {}
    return replace(one, scores={OWN_MEASURE: one.scores[metric]}, p_values=p_values)


def _by_dataset(found: Sequence[tuple[str, str, tuple[str, ...]]]) -> dict[str, tuple[str, ...]]:
    """For each dataset the metrics that all its systems have, in the order of the first."""
    own: dict[str, tuple[str, ...]] = {}
    for dataset, _, metrics in found:
        held = own.get(dataset, metrics)
        own[dataset] = tuple(metric for metric in held if metric in metrics)
    return own


def _common(by_dataset: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    first = next(iter(by_dataset.values()))
    return tuple(m for m in first if all(m in own for own in by_dataset.values()))


def _choice(by_dataset: Mapping[str, tuple[str, ...]], directions: Mapping[str, bool]) -> Choice:
    every = list(dict.fromkeys(m for own in by_dataset.values() for m in own))
    options = []
    firsts = {dataset: own[0] for dataset, own in by_dataset.items() if own}
    ways = {is_higher_better(metric, directions) for metric in firsts.values()}
    if len(firsts) == len(by_dataset) and len(set(firsts.values())) > 1 and len(ways) == 1:
        options.append((EACH_OWN, f"Each dataset's first: {_named(firsts)}"))
    for metric in every:
        n = sum(metric in own for own in by_dataset.values())
        where = "" if n == len(by_dataset) else f", on {n} of {len(by_dataset)} datasets"
        options.append((f"{ONLY_MEASURE}{metric}", f"{metric}{where}"))
    return Choice(role="measure", question="Which metric is compared?", options=tuple(options))


def _open(choice: Choice) -> tuple[Choice, ...]:
    """The question where it has an answer."""
    return (choice,) if choice.options else ()


def _firsts(
    by_dataset: Mapping[str, tuple[str, ...]], directions: Mapping[str, bool], choice: Choice
) -> dict[str, str]:
    """Each dataset's first metric, where these can be compared."""
    without = [dataset for dataset, own in by_dataset.items() if not own]
    if without:
        raise DataError.of(
            what=f"The systems have no metric in common on {listed(without)}.",
            remedy="Choose a metric that others have, or leave these datasets out.",
            choices=_open(choice),
        )
    firsts = {dataset: own[0] for dataset, own in by_dataset.items()}
    higher = [m for m in dict.fromkeys(firsts.values()) if is_higher_better(m, directions)]
    lower = [m for m in dict.fromkeys(firsts.values()) if m not in higher]
    if higher and lower:
        raise DataError.of(
            what=f"Of {listed(higher)} higher is better, of {listed(lower)} lower.",
            remedy="Choose one metric.",
            choices=(choice,),
        )
    return firsts


def is_higher_better(metric: str, directions: Mapping[str, bool]) -> bool:
    """As a tool says, else as a word of the metric's name does."""
    said = directions.get(metric)
    return lower_is_better((metric,)) is None if said is None else said


def _named(firsts: Mapping[str, str]) -> str:
    by_metric: dict[str, list[str]] = {}
    for dataset, metric in firsts.items():
        by_metric.setdefault(metric, []).append(dataset)
    return "; ".join(f"{metric} of {listed(own)}" for metric, own in by_metric.items())


def _own_remark(firsts: Mapping[str, str]) -> str:
    return f"Each dataset is compared by a metric of its own, as chosen: {_named(firsts)}."


def _left_aside(by_dataset: Mapping[str, tuple[str, ...]], metric: str) -> tuple[str, ...]:
    lacking = [dataset for dataset, own in by_dataset.items() if metric not in own]
    if not lacking:
        return ()
    return (f"Without {quoted(metric)}, and so left aside, as chosen: {listed(lacking)}.",)


def _not_chosen(by_dataset: Mapping[str, tuple[str, ...]], metric: str) -> tuple[str, ...]:
    others = list(dict.fromkeys(m for own in by_dataset.values() for m in own if m != metric))
    return (f"Other metrics are left aside, as chosen: {listed(others)}.",) if others else ()


def _remarks(by_dataset: Mapping[str, tuple[str, ...]], common: Sequence[str]) -> tuple[str, ...]:
    some = list(dict.fromkeys(m for own in by_dataset.values() for m in own if m not in common))
    if not some:
        return ()
    return (f"Metrics that only some datasets have are left aside: {listed(some)}.",)


def _problems(
    by_dataset: Mapping[str, tuple[str, ...]], found: Sequence[tuple[str, str, tuple[str, ...]]]
) -> list[Problem]:
    """Each dataset whose systems have no metric in common, else that several could count."""
    apart = [dataset for dataset, own in by_dataset.items() if not own]
    unclear = [_problem(by_dataset)] if len(apart) < len(by_dataset) else []
    return [*unclear, *(_apart(dataset, found) for dataset in apart)]


def _apart(dataset: str, found: Sequence[tuple[str, str, tuple[str, ...]]]) -> Problem:
    alike: dict[tuple[str, ...], list[str]] = {}
    for name, system, metrics in found:
        if name == dataset:
            alike.setdefault(metrics, []).append(system)
    return Problem(
        what=f"The systems have no metric in common: {_who_has(alike)}.",
        remedy="Score all systems by the same metric, or leave out those that lack it.",
        dataset=dataset,
    )


def _problem(by_dataset: Mapping[str, tuple[str, ...]]) -> Problem:
    alike: dict[tuple[str, ...], list[str]] = {}
    for dataset, own in by_dataset.items():
        alike.setdefault(own, []).append(dataset)
    return Problem(
        what=f"The metric to compare by is not clear: {_who_has(alike)}.",
        remedy="Choose which one counts.",
        answered_by="measure",
    )


def _who_has(alike: Mapping[tuple[str, ...], Sequence[str]]) -> str:
    """The names that have the same metrics, for the first few kinds of them."""
    parts = [
        f"{listed(names)} {'has' if len(names) == 1 else 'have'} {listed(metrics) or 'none'}"
        for metrics, names in alike.items()
    ]
    more = f"; and {len(parts) - _MOST_SHOWN} more kinds" if len(parts) > _MOST_SHOWN else ""
    return "; ".join(parts[:_MOST_SHOWN]) + more


def _unknown(metric: str, by_dataset: Mapping[str, tuple[str, ...]]) -> Problem:
    every = list(dict.fromkeys(m for own in by_dataset.values() for m in own))
    return Problem(
        what=f"There is no metric {quoted(metric)}.", remedy=f"The metrics are {listed(every)}."
    )

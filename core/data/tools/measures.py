"""Which metrics of tools' files are compared, where datasets do not have the same ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from core.data.tables.headings import lower_is_better
from core.data.tools.gathered import Averages, Gathered, Scores
from core.data.words import listed, quoted
from core.errors import Choice, DataError, Problem

EACH_OWN = "each-own"
ONLY_MEASURE = "only:"
# What each dataset's own first metric is called, where they differ.
OWN_MEASURE = "score"
# Under which `Reading.dataset_labels` says it of each dataset.
METRIC_LABEL = "metric"
# Of more sets of metrics these are shown.
_MOST_SHOWN = 5


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Measures:
    """Scores with the metrics that all of them have; for each dataset its own, where it has one."""

    scores: tuple[Scores, ...]
    metrics: tuple[str, ...]
    own: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MeasuredAverages:
    """Averages with one metric each, of the same name; for each dataset its own, as in `Measures`."""

    averages: tuple[Averages, ...]
    metric: str
    higher_is_better: bool
    own: Mapping[str, str] = field(default_factory=dict)


def settle_measures(scores: Sequence[Scores], whole: Gathered) -> Measures:
    """The metrics compared: those that every dataset has, else as is answered by "measure".

    Raises
    ------
    DataError
        Where no metric is on all datasets, with the question.
    """
    held = [(one.dataset, one.system, tuple(one.columns)) for one in scores]
    by_dataset = _by_dataset(held)
    common = _common(by_dataset)
    answer = whole.given.get("measure")
    if common and answer is None:
        whole.remarks += _remarks(by_dataset, common)
        return Measures(scores=tuple(scores), metrics=common)
    directions = whole.higher_is_better
    choice = _choice(by_dataset, directions)
    if answer is None:
        raise DataError(_problems(by_dataset, held), choices=_open(choice))
    if answer == EACH_OWN:
        firsts = _firsts(by_dataset, directions, choice)
        directions[OWN_MEASURE] = _is_higher_better(next(iter(firsts.values())), directions)
        whole.settle("measure", answer, choice, _own_remark(firsts))
        return Measures(
            scores=tuple(
                replace(one, columns={OWN_MEASURE: one.columns[firsts[one.dataset]]})
                for one in scores
            ),
            metrics=(OWN_MEASURE,),
            own=firsts,
        )
    metric = str(answer).removeprefix(ONLY_MEASURE)
    kept = tuple(one for one in scores if metric in by_dataset[one.dataset])
    if not kept:
        raise DataError([_unknown(metric, by_dataset)], choices=(choice,))
    whole.settle("measure", answer, choice, *_left_aside(by_dataset, metric))
    return Measures(scores=kept, metrics=(metric,))


def settle_averages(averages: Sequence[Averages], whole: Gathered) -> MeasuredAverages:
    """The one metric of each dataset that is compared, as `settle_measures` does."""
    held = [(one.dataset, one.system, tuple(one.scores)) for one in averages]
    by_dataset = _by_dataset(held)
    common = _common(by_dataset)
    directions = whole.higher_is_better
    choice = _choice(by_dataset, directions)
    answer = given = whole.given.get("measure")
    if answer is None:
        if len(common) != 1:
            raise DataError(_problems(by_dataset, held), choices=_open(choice))
        answer = f"{ONLY_MEASURE}{common[0]}"
    several = len({metric for own in by_dataset.values() for metric in own}) > 1
    choices = _open(choice) if several else ()
    if answer == EACH_OWN:
        firsts = _firsts(by_dataset, directions, choice)
        whole.settle("measure", given, *choices, _own_remark(firsts))
        return MeasuredAverages(
            averages=tuple(
                replace(
                    one,
                    scores={OWN_MEASURE: one.scores[firsts[one.dataset]]},
                    # A test of that metric is one of what it is called now.
                    p_values=_renamed(one.p_values, firsts[one.dataset]),
                )
                for one in averages
            ),
            metric=OWN_MEASURE,
            higher_is_better=_is_higher_better(next(iter(firsts.values())), directions),
            own=firsts,
        )
    metric = str(answer).removeprefix(ONLY_MEASURE)
    kept = tuple(
        replace(one, scores={metric: one.scores[metric]})
        for one in averages
        if metric in by_dataset[one.dataset]
    )
    if not kept:
        raise DataError([_unknown(metric, by_dataset)], choices=(choice,))
    others = _remarks(by_dataset, (metric,)) if given is None else _not_chosen(by_dataset, metric)
    whole.settle("measure", given, *choices, *(_left_aside(by_dataset, metric) or others))
    return MeasuredAverages(
        averages=kept, metric=metric, higher_is_better=_is_higher_better(metric, directions)
    )


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
    ways = {_is_higher_better(metric, directions) for metric in firsts.values()}
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
        raise DataError(
            [
                Problem(
                    what=f"The systems have no metric in common on {listed(without)}.",
                    remedy="Choose a metric that others have, or leave these datasets out.",
                )
            ],
            choices=_open(choice),
        )
    firsts = {dataset: own[0] for dataset, own in by_dataset.items()}
    higher = [m for m in dict.fromkeys(firsts.values()) if _is_higher_better(m, directions)]
    lower = [m for m in dict.fromkeys(firsts.values()) if m not in higher]
    if higher and lower:
        raise DataError(
            [
                Problem(
                    what=f"Of {listed(higher)} higher is better, of {listed(lower)} lower.",
                    remedy="Choose one metric.",
                )
            ],
            choices=(choice,),
        )
    return firsts


def _renamed(p_values: Mapping[str, str], metric: str) -> dict[str, str]:
    """The p-value of one metric under the name that it is compared by."""
    return {OWN_MEASURE: p_values[metric]} if metric in p_values else {}


def _is_higher_better(metric: str, directions: Mapping[str, bool]) -> bool:
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

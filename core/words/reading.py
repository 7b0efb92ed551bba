"""How a file was read: roles of columns, use of files, how examples were matched, how p-values are taken."""

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal

import numpy as np

from ..data import PValueTable, Reading
from ..data.roles import Matched
from ..data.tools.gathered import EACH_OWN, METRIC_LABEL
from ..errors import first_of, listed
from ..replicability.assessment import Answer, Assessment
from ..replicability.combinations import counting_method_named
from ..replicability.direction import ONE_SIDED
from ..types import Alternative, FloatArray, IntArray, grouped
from .counting import practice_name
from .formatting import (
    at_least,
    counted,
    display_name,
    format_confidence,
    list_names,
    p_value_clause,
    published_p_value,
)
from .subject import Question, Subject, headline_questions

# What the column with each dataset's metric is called in tables.
METRIC_COLUMN = "metric"
DIRECTION_NOT_STATED = "The table does not say which way its p-values point."
# Of more metrics the others stand in the table.
_MOST_METRICS = 5


def own_metrics(reading: Reading | None, datasets: Sequence[str]) -> dict[str, str]:
    """The metric of each dataset, where each is compared by its own; else empty."""
    if reading is None or reading.roles.get("measure") != EACH_OWN:
        return {}
    labels = reading.dataset_labels.get(METRIC_LABEL, {})
    return {name: labels.get(name, "") for name in datasets}


def unlike_metrics(reading: Reading | None, datasets: Sequence[str]) -> dict[str, str]:
    """The metric of each dataset, where these are not all the same; else empty."""
    found = own_metrics(reading, datasets)
    # What is not known is not taken for the same.
    alike = len(set(found.values())) == 1 and all(found.values())
    return {} if alike or len(found) < 2 else found


def no_average_sentence(metrics: Mapping[str, str]) -> str:
    """Why differences in unlike metrics are not averaged: the lead in place of an average."""
    return (
        f"No average over the {len(metrics):,} datasets is given: each is scored by a metric of its "
        f"own{_named(metrics)}, and differences in unlike metrics have no common unit."
    )


def standardised_caution(metrics: Mapping[str, str]) -> str:
    """Why effects are in standard deviations, for below an average of such."""
    return (
        f"Each dataset is scored by a metric of its own{_named(metrics)}. Effects are therefore in "
        "standard deviations of the examples' differences: in the metrics' own units they could not "
        "be averaged, nor their spread between datasets be told."
    )


def sizes_caution(metrics: Mapping[str, str]) -> str:
    """What unlike metrics do to tests over datasets that rank or average differences."""
    return (
        f"Each dataset is scored by a metric of its own{_named(metrics)}. Wilcoxon's signed-rank "
        "test, the paired t-test and Quade's test compare how large differences are from dataset "
        "to dataset, which unlike metrics decide by their scales; the sign test and Friedman's "
        "take from each dataset only which system is ahead."
    )


def _named(metrics: Mapping[str, str]) -> str:
    by_metric = grouped((metric, dataset) for dataset, metric in metrics.items() if metric)
    parts = [
        f"{display_name(metric)} on {list_names(own, most=3)}" for metric, own in by_metric.items()
    ]
    if not parts:
        return ""
    more = f"; and {len(parts) - _MOST_METRICS} more" if len(parts) > _MOST_METRICS else ""
    return f" ({'; '.join(parts[:_MOST_METRICS])}{more})"


ROLE_WORDS: Mapping[str, str] = {
    "dataset": "names of datasets",
    "example": "ids of examples",
    "gold": "gold: what is right",
    "system": "names of systems",
    "metric_names": "names of metrics",
    "run": "runs or seeds",
    "cluster": "clusters of examples",
    "system_a": "scores of A",
    "system_b": "scores of B",
    "p_value": "p-values",
    "n_examples": "examples a dataset",
    "effect": "effects",
    "standard_error": "standard errors or variances",
    "margin": "margins of a claim, one per dataset",
    "systems": "a system's results",
    "scores": "scores of a metric",
}


NOT_READ = "not read"


def columns_as_understood(reading: Reading) -> list[tuple[str, str]]:
    """Each column of the file, in its order, and its role in words."""
    held: dict[str, str] = {}
    for role, words in ROLE_WORDS.items():
        value = reading.roles.get(role)
        if isinstance(value, str | list | tuple):
            for column in [value] if isinstance(value, str) else value:
                held.setdefault(str(column), words)
    labels = dict.fromkeys(reading.dataset_labels, "labels, to group datasets")
    held = {**reading.other_columns, **labels, **held}
    return [(column, held.get(column, NOT_READ)) for column in reading.columns]


_BECAUSE = {"given": "that was chosen, or the files say so", "heading": "its heading says so"}


def because(reading: Reading, column: str) -> str:
    """Why a column has its role; '' where it has none."""
    why = reading.evidence.get(column, "")
    return _BECAUSE.get(why, f"it {why}" if why else "")


# Of more datasets with examples left over, the others stand in the table.
_MOST_NAMED = 3


def files_sentence(reading: Reading) -> str:
    """How many files were used and how many examples matched; '' where there is nothing to say."""
    n, n_used = len(reading.files), sum(use.used for use in reading.files)
    files = f"{counted(n, 'file')}: {n_used:,} used, {n - n_used:,} left aside."
    if n_used == n:
        files = f"{counted(n, 'file')}, {'all used' if n > 1 else 'which is used'}."
    return " ".join(filter(None, (files if n else "", _matching(reading.matched))))


def reasons(reading: Reading) -> list[str]:
    """Why files were left aside, each reason once with the names of its files."""
    by_reason = grouped((use.reason, use.path) for use in reading.files if not use.used)
    return [f"{listed(paths)}: {reason}" for reason, paths in by_reason.items()]


def _matching(matched: Sequence[Matched]) -> str:
    by_dataset = grouped((one.dataset, one) for one in matched)
    partial = {
        name: own for name, own in by_dataset.items() if len(own) == 1 or any(map(_n_left, own))
    }
    n_whole, more = len(by_dataset) - len(partial), len(partial) - _MOST_NAMED
    where = f" on {n_whole:,} of {len(by_dataset):,} datasets" if partial else ""
    found = [f"Every example is matched between the systems{where}."] if n_whole else []
    found += [_of_dataset(name, own) for name, own in [*partial.items()][:_MOST_NAMED]]
    found += [f"Examples are left over on {more:,} more."] if more > 0 else []
    return " ".join(found)


def _of_dataset(name: str, own: Sequence[Matched]) -> str:
    if len(own) == 1:
        return f"Only {own[0].system} has results on {name}."
    between = f"between {len(own):,} systems"
    n = own[0].n_matched
    left = [one for one in own if _n_left(one)]
    shown = first_of([f"{_n_left(one):,} of {one.n_examples:,} of {one.system}" for one in left])
    return f"{n:,} examples of {name} are matched {between}; left over are {shown}."


def _n_left(one: Matched) -> int:
    return one.n_examples - one.n_matched


def ids_left_over(one: Matched) -> str:
    """The ids of examples without a partner, or the first of them and how many more."""
    more = _n_left(one) - len(one.left_over)
    shown = listed(one.left_over)
    return f"{shown} and {more:,} more" if one.left_over and more > 0 else shown


def reading_sentence(
    question: Question, subject: Subject, *, smallest: int | None, declared: Alternative
) -> str:
    """State the condition on the reading, where there are several.

    `smallest` is the smallest count for this claim over all readings that the numbers allow, None
    where there is only one; `declared` is what the table states, which its numbers contradict
    where there are several readings.
    """
    if smallest is None or question.claim == "differ":
        return ""
    read = f"The p-values are read {subject.reading(question.reading)}"
    why = "as the table states, although its numbers contradict it"
    if question.reading != declared:
        why = "which the table does not state"
    k_hat, is_one = question.answer.k_hat, question.answer.p_values.size == 1
    others = "every other reading that the numbers allow gives at least this"
    if k_hat > smallest:
        others = f"the most cautious reading gives {'no evidence' if is_one else smallest}"
    elif is_one:
        same = "every other reading that the numbers allow gives the same answer"
        others = same if k_hat else ""
    return "; ".join(filter(None, (f"{read}, {why}", others))) + "."


def stand_in_sentence(question: Question, subject: Subject, *, n_other_ahead: int = 0) -> str:
    """State where 1 - p or 1 - p/2 stands in for tests that were not made or not printed."""
    answer, (system, other) = question.answer, subject.sides(question.claim)
    if answer.complement:
        return (
            f"The p-values for {system} are 1 − p of the other system's tests. This is approximate: for "
            f"a discrete test they are too small. A guarantee needs tests made for {system}."
        )
    formula = {"two-sided": "1 − p/2", "toward-higher-score": "1 − p"}.get(question.reading)
    if question.claim == "differ" or n_other_ahead == 0 or formula is None:
        return ""
    return (
        f"Where {other} is not behind ({n_other_ahead:,} of {answer.p_values.size:,}), we use {formula} for "
        f"{system}. This is approximate; for a discrete test it is slightly too small."
    )


def direction_note(assessment: Assessment, subject: Subject) -> str:
    """How the printed p-values were read, and what the other readings would give."""
    declared = assessment.declared
    if declared != "not-stated" and not assessment.declared_is_ruled_out:
        return ""
    ruled_out = {entry.alternative: entry for entry in assessment.ruled_out}

    def p_on(places: IntArray, most: Callable[[FloatArray], np.intp]) -> str:
        """The smallest or the largest printed p-value among some, and its dataset."""
        i = int(places[most(assessment.p_values[places])])
        value = published_p_value(float(assessment.p_values[i]))
        return f"{value} on {display_name(subject.datasets[i])}"

    toward, said = ruled_out.get("toward-higher-score"), DIRECTION_NOT_STATED
    if assessment.declared_is_ruled_out:
        entry, reasons = ruled_out[declared], []
        if entry.small.size:
            system = display_name(subject.system_b if declared == "less" else subject.system_a)
            smallest = p_on(entry.small, np.argmin)
            reasons.append(f"{smallest} goes with a {subject.worse} score of {system}")
        if entry.large.size:
            reasons.append(f"{p_on(entry.large, np.argmax)} is too large for it")
        said = (
            f"The p-values cannot all be {subject.side_read(declared)}, as stated: "
            f"{' and '.join(reasons)}. So the other readings count as well."
        )
    elif assessment.only_two_sided and toward is not None:
        said = (
            f"The table does not say which way its p-values point; {p_on(toward.large, np.argmax)} "
            "shows that they are two-sided."
        )
    return f"{said} {_readings_sentence(assessment, subject)}"


def reading_note(assessment: Assessment, subject: Subject) -> str:
    """The same, what to do where it contradicts the table, and which p-values are complements."""
    remedy = ""
    if assessment.declared_is_ruled_out and assessment.declared in ONE_SIDED:
        remedy = (
            "If test and score use different units, leave the score columns out under “How we read "
            "your file”."
        )
    asked = (stand_in_sentence(one, subject) for one in headline_questions(assessment))
    return " ".join(filter(None, (direction_note(assessment, subject), remedy, *asked)))


def undirected_note(assessment: Assessment) -> str:
    """What the p-values show ignoring direction; empty where they are one-sided for one system."""
    n, declared, answer = assessment.n_datasets, assessment.declared, assessment.undirected
    both = assessment.shows_both_sides or assessment.only_two_sided
    # Of one dataset it is the p-value as printed, which needs no count.
    if declared in ONE_SIDED or not both or n == 1:
        return ""
    n_named = int(np.count_nonzero(answer.named_apart))
    taken = " if the p-values are two-sided" if declared == "not-stated" else ""
    doubled = ", each p-value doubled" if declared == "toward-higher-score" else ""
    found = f"no evidence that the systems differ on any of {n:,}"
    if answer.k_hat:
        found = (
            f"with {format_confidence(answer.alpha)} confidence, the systems differ on at least "
            f"{answer.k_hat:,} of {n:,} ({counting_method_named(answer.combination).title})"
        )
    return (
        f"Ignoring direction{doubled}: {found}{taken}; {n_named} "
        f"{'is' if n_named == 1 else 'are'} significant after Holm correction. The usual count, "
        f"{practice_name(answer.practice, '')}, is {answer.practice.n} (no guarantee)."
    )


def _readings_sentence(assessment: Assessment, subject: Subject) -> str:
    """Which reading the figures take, and the counts by the others, of one dataset the p-values."""
    both, one = assessment.shows_both_sides, assessment.n_datasets == 1
    sides = ("a_better", "b_better") if both else ("a_better",)
    used = (assessment.headline_a, assessment.headline_b if both else None)
    headlines = list(dict.fromkeys(reading for reading in used if reading is not None))
    others = []
    for reading in assessment.readings:
        answers: list[Answer] = [getattr(reading, side) for side in sides]
        if any(
            all(
                np.array_equal(answer.p_values, getattr(headline, side).p_values)
                for answer, side in zip(answers, sides, strict=True)
            )
            for headline in headlines
        ):
            continue
        counts = [at_least(answer.k_hat) for answer in answers]
        if one:
            counts = [
                p_value_clause(float(answer.p_values[0]), alpha=answer.alpha) for answer in answers
            ]
        said = f"{counts[0]} for A, {counts[1]} for B" if both else counts[0]
        others.append(f"read {subject.reading(reading.alternative)}: {said}")
    words = " and ".join(subject.reading(reading.alternative) for reading in headlines)
    if not others:
        return f"We read them {words}."
    # Of one dataset p is shown, and readings that give no evidence may differ in it.
    p_values = [float(reading.a_better.p_values[0]) for reading in assessment.readings]
    is_other = one and headlines[0].a_better.p_values[0] < max(p_values)
    cautious = "" if is_other and not both else ", the most cautious reading"
    return f"We read them {words}{cautious}; {'; '.join(others)}."


def zeros_of(table: PValueTable, *, alpha: float | None = None) -> str:
    """State how a table's p-values printed as zero are read; empty where there are none."""
    chosen = table.printed_zeros
    printed = [text for text, zero in zip(table.printed, chosen, strict=True) if zero]
    if not printed:
        return ""
    lead = (
        f"We read {counted(len(printed), 'p-value')} printed as {list_names(sorted(set(printed)))}"
    )
    read_below = float(table.p_value_bounds[1][chosen][0])
    if not read_below:
        return f"{lead} as exactly 0."
    below = format(Decimal(repr(read_below)), "f").removeprefix("0")
    declared = table.reading is not None and table.reading.roles.get("zero_reads_below") is not None
    reason = "as stated for this table" if declared else "half a unit of the table's last digit"
    above = (
        " That is above α, which is no evidence. If the paper says what 0 stands for, such as "
        "p < .001, declare it."
    )
    is_above = alpha is not None and read_below > alpha
    return f"{lead} as below {below}, {reason}.{above * is_above}"


def bounds_sentence(printed: Sequence[str]) -> str:
    """State how p-values printed as a bound are read; empty where there are none."""
    texts = [text for text in printed if "<" in text or "≤" in text]
    said = f"We take {counted(len(texts), 'p-value')} printed as {list_names(sorted(set(texts)))}"
    return f"{said} at the bound." if texts else ""

"""Tables about effects over many datasets, and sentences about tests over datasets."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..effects.across import AcrossTests
from ..effects.combined import CombinedEffects
from ..effects.critical_difference import letters
from ..effects.friedman import Friedman, Quade
from ..effects.heterogeneity import Interval
from ..effects.post_hoc import PostHoc
from ..effects.prediction import PredictionExperiment
from ..effects.subsets import Influence
from ..replicability.decision import at_most
from ..replicability.identification import procedure_named
from .effects import (
    effect_label,
    interval_text,
    level_text,
    number,
    percent,
    size_of,
    way_title,
    width_of,
)
from .formatting import (
    display_name,
    format_level,
    format_p_value,
    list_names,
    minus,
    p_value_clause,
    whole_name,
)
from .reading import METRIC_COLUMN
from .testing import title_of_test

if TYPE_CHECKING:
    import pandas as pd

_Row = tuple[str, str, str, str]


def combined_frame(combined: CombinedEffects) -> pd.DataFrame:
    """A row for each way of combining, the one of the answer first; of one dataset its own interval."""
    import pandas as pd

    level = level_text(combined.macro.confidence_level)
    columns = ["combined by", effect_label(combined.effects), f"{level} interval", "made by"]
    random, macro, micro = combined.random, combined.macro, combined.micro
    if combined.effects.n_datasets == 1:
        own = None if random is None else random.confidence_interval
        return pd.DataFrame([_row("one dataset", macro.estimate, own, "normal")], columns=columns)
    rows: list[_Row] = []
    if random is not None:
        title, estimate = way_title(random.model), random.estimate
        both = [
            _row(title, estimate, random.hartung_knapp_interval, "Hartung–Knapp"),
            _row(title, estimate, random.confidence_interval, "normal"),
        ]
        rows += both[::-1] if random.interval == random.confidence_interval else both
        if random.hartung_knapp_interval is None:
            rows = rows[:1]
    for found in (combined.fixed, combined.gumbel):
        if found is not None:
            interval = found.confidence_interval
            rows.append(_row(way_title(found.model), found.estimate, interval, "normal"))
    first = _row(way_title(macro.kind), macro.estimate, macro.confidence_interval, "Student's t")
    rows = [first, *rows] if combined.front == "macro-average" else [*rows, first]
    if micro is not None:
        rows.append(
            _row(way_title(micro.kind), micro.estimate, micro.confidence_interval, "normal")
        )
    return pd.DataFrame(rows, columns=columns)


def _row(name: str, estimate: float, interval: Interval | None, by: str) -> _Row:
    width = width_of(interval)
    return name, number(estimate, width), interval_text(interval, width), by if interval else "–"


def numbers_frame(combined: CombinedEffects) -> pd.DataFrame:
    """Every way of combining in full digits, to take away."""
    import pandas as pd

    rows: list[tuple[object, ...]] = []

    def add(name: str, by: str, estimate: float, interval: Interval | None) -> None:
        low, high = interval or (None, None)
        rows.append((name, by, estimate, low, high))

    random = combined.random
    if random is not None:
        if random.hartung_knapp_interval is not None:
            add("random", "hartung-knapp", random.estimate, random.hartung_knapp_interval)
        add("random", "normal", random.estimate, random.confidence_interval)
        if random.prediction_interval is not None:
            add("random", "prediction", random.estimate, random.new_dataset_interval)
            add("random", "prediction-higgins", random.estimate, random.prediction_interval)
    for found in (combined.fixed, combined.gumbel):
        if found is not None:
            add(found.model, "normal", found.estimate, found.confidence_interval)
    macro, micro = combined.macro, combined.micro
    add(macro.kind, "student-t", macro.estimate, macro.confidence_interval)
    if micro is not None:
        add(micro.kind, "normal", micro.estimate, micro.confidence_interval)
    frame = pd.DataFrame(rows, columns=["combined_by", "interval", "estimate", "low", "high"])
    frame["confidence_level"] = macro.confidence_level
    if random is not None:
        for name in ("tau2_method", "tau2", "i2", "q", "q_p_value"):
            frame[name] = getattr(random, name)
    return frame


def influence_frame(influence: Influence, datasets: Sequence[str]) -> pd.DataFrame:
    """A row for each dataset that is left out, what moves most first."""
    import pandas as pd

    whole = influence.whole
    width = width_of(whole.confidence_interval)
    order = sorted(range(len(datasets)), key=lambda i: -abs(float(influence.shifts[i])))
    level = level_text(whole.confidence_level)
    return pd.DataFrame(
        {
            "without": [datasets[i] for i in order],
            "combined effect": [number(influence.without[i].estimate, width) for i in order],
            "moves by": [number(float(influence.shifts[i]), width) for i in order],
            f"{level} interval": [
                interval_text(influence.without[i].interval, width) for i in order
            ],
            "I²": [percent(float(influence.i2[i])) for i in order],
        }
    )


def experiment_frame(experiment: PredictionExperiment) -> pd.DataFrame:
    """A row for each number of datasets drawn and each way of combining."""
    import pandas as pd

    absolute, signed_errors = experiment.mean_absolute_errors, experiment.mean_signed_errors
    rows = []
    for i, size in enumerate(experiment.sizes):
        unit = float(absolute[i, 0]) if math.isfinite(float(absolute[i, 0])) else 0.0
        for j, method in enumerate(experiment.methods):
            p_value = float(experiment.p_values[i, j])
            rows.append(
                (
                    size,
                    way_title(method),
                    size_of(float(absolute[i, j]), unit),
                    number(float(signed_errors[i, j]), unit),
                    "–" if math.isnan(p_value) else format_p_value(p_value),
                )
            )
    columns = ["k drawn", "combined by", "mean error", "mean signed error", "p against macro"]
    return pd.DataFrame(rows, columns=columns)


def effects_frame(
    combined: CombinedEffects,
    order: Sequence[int],
    *,
    metrics: Mapping[str, str] | None = None,
    is_averaged: bool = True,
) -> pd.DataFrame:
    """A row for each dataset: size, scores, effect, interval, weight.

    Parameters
    ----------
    combined : CombinedEffects
        The numbers.
    order : sequence of int
        Places of the datasets, as the rows are to follow.
    metrics : mapping of str to str, optional
        Each dataset's own metric, where they have one each.
    is_averaged : bool
        Whether effects are averaged, so that they have weights.
    """
    import pandas as pd

    effects = combined.effects
    level = combined.macro.confidence_level
    columns: dict[str, list[str]] = {"dataset": [effects.datasets[i] for i in order]}
    if metrics:
        columns[METRIC_COLUMN] = [
            whole_name(metrics.get(effects.datasets[i], "")) or "–" for i in order
        ]
    intervals = effects.intervals(level)
    typical = sorted(high - low for low, high in (one for one in intervals if one is not None))
    unit = typical[len(typical) // 2] if typical else 0.0
    columns[effect_label(effects)] = [number(float(effects.effects[i]), unit) for i in order]
    if effects.variances is not None:
        columns[f"{level_text(level)} interval"] = [
            interval_text(intervals[i], unit) for i in order
        ]
    several = is_averaged and effects.n_datasets > 1
    if combined.random is not None and combined.fixed is not None and several:
        for name, found in (("random", combined.random), ("fixed", combined.fixed)):
            shares = dict(zip(combined.weighed, found.weights.tolist(), strict=True))
            columns[f"weight, {name}"] = [
                f"{100.0 * shares[i]:.1f}%" if i in shares else "–" for i in order
            ]
    if effects.n_examples is not None:
        columns["n"] = [f"{int(effects.n_examples[i]):,}" for i in order]
    for name, scores in (("A", effects.scores_a), ("B", effects.scores_b)):
        if scores is not None:
            columns[name] = [minus(f"{float(scores[i]):.5g}") for i in order]
    if any(effects.notes):
        columns["note"] = [effects.notes[i] for i in order]
    return pd.DataFrame(columns)


WHAT_THEY_ASK = (
    "These tests take the datasets as an independent random sample from a population. The t-test "
    "asks whether one system is better on average. Tests of ranks and signs (Wilcoxon, sign, "
    "Friedman) ask whether one tends to score better. None says on how many of these datasets, nor "
    "on which. Every dataset counts the same, however many examples it has."
)


def left_out_of_tests(datasets: Sequence[str], reason: str) -> str:
    """Name the datasets that tests over datasets leave out, with the reason."""
    return f"Not in these tests: {list_names(datasets)} ({reason} there)."


def across_sentence(tests: AcrossTests, *, alpha: float) -> str:
    """State what Wilcoxon's test over the datasets says, and the plain counts."""
    a, b = display_name(tests.system_a), display_name(tests.system_b)
    ties = f", neither on {tests.ties}" if tests.ties else ""
    counts = (
        f"{a} scores better on {tests.wins} of {tests.n_datasets} datasets, {b} on "
        f"{tests.losses}{ties}."
    )
    best = tests.tests[0]
    if tests.ties == tests.n_datasets:
        return (
            f"{a} and {b} score the same on every one of {tests.n_datasets} datasets: there is no "
            "difference to test."
        )
    if best.p_value_greater is None or best.p_value_less is None:
        return f"{counts} No test over datasets is defined: {best.reason}."
    level = format_level(alpha)
    toward = "higher" if tests.higher_is_better else "lower"
    both = best.p_value_two_sided
    assert both is not None
    p_text = p_value_clause(both, alpha=alpha)
    if at_most(np.array([both]), alpha)[0]:
        ahead, other = (a, b) if best.p_value_greater <= best.p_value_less else (b, a)
        return (
            f"By Wilcoxon's signed-rank test, {ahead} tends to score {toward} than {other} over "
            f"datasets like these at level {level} ({p_text}, two-sided). {counts}"
        )
    return (
        f"Wilcoxon's signed-rank test does not show at level {level} that one system tends to "
        f"score {toward} over datasets like these ({p_text}, two-sided). {counts}"
    )


def across_frame(tests: AcrossTests) -> pd.DataFrame:
    """A row for each test and variant."""
    import pandas as pd

    rows = []
    for test in tests.tests:
        statistic = (
            "–" if test.statistic is None else f"{test.statistic_name} = {test.statistic:.4g}"
        )
        rows.append(
            (
                title_of_test(test.test),
                _p(test.p_value_greater),
                _p(test.p_value_less),
                _p(test.p_value_two_sided),
                statistic,
                test.n_used,
                test.variant,
                "; ".join(filter(None, (test.reason, test.note))),
            )
        )
    columns = ["test", "p (for A)", "p (for B)", "p (differ)", "statistic", "N used"]
    frame = pd.DataFrame(rows, columns=[*columns, "variant", "note"])
    return frame if (frame["note"] != "").any() else frame.drop(columns="note")


def _p(value: float | None) -> str:
    return "–" if value is None else format_p_value(value)


def friedman_sentence(found: Friedman, post_hoc: PostHoc) -> str:
    """State whether the systems rank alike, and how many pairs are told apart."""
    k, n = found.n_systems, found.n_datasets
    if bool((found.ranks == found.ranks[0, 0]).all()):
        return f"All {k} systems score the same on every one of {n} datasets: nothing ranks them."
    corrected = found.f_p_value_corrected
    p_value = found.f_p_value if corrected is None else corrected
    level = format_level(post_hoc.alpha)
    differ = bool(at_most(np.array([p_value]), post_hoc.alpha)[0])
    alike = (
        f"the {k} systems do not all rank alike over {n} datasets"
        if differ
        else f"the data do not show that the {k} systems rank differently over {n} datasets"
    )
    pairs = int(post_hoc.separated.sum()) // 2
    total = post_hoc.n_comparisons
    sentence = (
        f"At level {level}, {alike} ({p_value_clause(p_value, alpha=post_hoc.alpha)}; Friedman, "
        f"F of Iman and Davenport). {_best_rank(found)} "
    )
    if pairs:
        return f"{sentence}{pairs} of {total} pairs {'is' if pairs == 1 else 'are'} told apart."
    sentence += f"None of the {total} pairs is told apart."
    if differ:
        sentence += (
            " The test of all systems at once is significant, but no single pair is after correction for "
            "so many comparisons."
        )
    return sentence


def _best(found: Friedman) -> tuple[str, ...]:
    """All that share the best mean rank."""
    lowest = float(found.mean_ranks.min())
    return tuple(
        found.systems[i] for i in found.order if float(found.mean_ranks[i]) <= lowest + 1e-9
    )


def _best_rank(found: Friedman) -> str:
    names = _best(found)
    rank = f"{float(found.mean_ranks.min()):.2f}"
    if len(names) == found.n_systems:
        return f"All have the same mean rank, {rank}."
    if len(names) > 1:
        return f"{list_names(names)} share the best mean rank, {rank}."
    return f"{display_name(names[0])} has the best mean rank, {rank}."


def quade_line(found: Quade) -> str:
    """Quade's test in one line."""
    if found.p_value is None or found.f is None:
        return ""
    return (
        "Quade's test, in which datasets whose scores lie farther apart count more and scores must "
        f"be comparable between datasets: F = {found.f:.4g} on {found.f_df[0]} and {found.f_df[1]}, "
        f"{p_value_clause(found.p_value)}."
    )


def friedman_details(found: Friedman) -> str:
    """Every variant of the statistic, in one line."""
    text = (
        f"χ² = {found.chi2:.4g} on {found.df} degrees of freedom, {p_value_clause(found.p_value)}; "
        f"F = {found.f:.4g} on {found.f_df[0]} and {found.f_df[1]}, "
        f"{p_value_clause(found.f_p_value)}."
    )
    if found.n_tied_datasets and found.chi2_corrected is not None:
        text = f"As Demšar prints it, without correction for ties: {text}"
        text += (
            f" Corrected for ties, on {found.n_tied_datasets} of {found.n_datasets} datasets: "
            f"χ² = {found.chi2_corrected:.4g}, {_p_clause(found.p_value_corrected)}; "
            f"F = {found.f_corrected:.4g}, {_p_clause(found.f_p_value_corrected)}."
        )
    return text


def _p_clause(value: float | None) -> str:
    return "p –" if value is None else p_value_clause(value)


def ranks_frame(found: Friedman, post_hoc: PostHoc) -> pd.DataFrame:
    """A row for each system: mean rank, letters of the groups that are not told apart."""
    import pandas as pd

    order = list(found.order)
    best_on = (found.ranks == found.ranks.min(axis=1, keepdims=True)).sum(axis=0)
    heading, marks = _marks(found, post_hoc)
    return pd.DataFrame(
        {
            "system": [found.systems[i] for i in order],
            "mean rank": [f"{found.mean_ranks[i]:.2f}" for i in order],
            heading: [marks[i] for i in order],
            "best on": [int(best_on[i]) for i in order],
        }
    )


def _marks(found: Friedman, post_hoc: PostHoc) -> tuple[str, list[str]]:
    """What the table says beside each system: letters, numbers of others, or the answer on one."""
    if post_hoc.control is not None:
        place = found.systems.index(post_hoc.control)
        marks = [
            "–" if i == place else format_p_value(float(p), alpha=post_hoc.alpha)
            for i, p in enumerate(post_hoc.adjusted_p_values[place])
        ]
        return f"adjusted p against {display_name(post_hoc.control)}", marks
    groups = post_hoc.lettered
    if groups is None:
        return "not told apart from", [f"{number} systems" for number in post_hoc.n_not_separated]
    return "not told apart", list(letters(groups, found.n_systems))


def letters_note(post_hoc: PostHoc) -> str:
    """What letters mean, and what they do not."""
    level = format_level(post_hoc.alpha)
    if post_hoc.control is not None:
        text = f"A system with an adjusted p above {level} is not told apart from the one that all"
        text += " are compared with, which does not make them equal."
    elif post_hoc.lettered is None:
        text = (
            "There are more overlapping groups than letters, so the table counts the systems that are "
            "not told apart. That does not make them equal."
        )
    else:
        text = f"Two systems that share a letter are not told apart at level {level}, which does "
        text += "not make them equal."
    if post_hoc.holds_whichever_differ:
        return (
            f"{text} The chance of any wrong separation is at most {level}, whichever systems "
            "differ, if the datasets are independent."
        )
    return (
        f"{text} Where all systems rank alike, the chance of any separation is about {level} at "
        "most, if the datasets are independent. Where some differ, it may be larger: other "
        "systems' scores move a pair's ranks."
    )


def names_of_best(found: Friedman, post_hoc: PostHoc) -> str:
    """The systems that are not told apart from the one that ranks best."""
    if len(_best(found)) == found.n_systems:
        return ""
    by = _criterion(post_hoc)
    if post_hoc.control is not None:
        place = found.systems.index(post_hoc.control)
        apart = [found.systems[i] for i in found.order if post_hoc.separated[place, i]]
        if not apart:
            return f"No system is told apart from {display_name(post_hoc.control)} {by}."
        return f"Told apart from {display_name(post_hoc.control)} {by}: {list_names(apart)}."
    first = found.order[0]
    together = [
        found.systems[i] for i in found.order if i != first and not post_hoc.separated[first, i]
    ]
    best = display_name(found.systems[first])
    if not together:
        return f"{best} is told apart from every other system {by}."
    return f"Not told apart from {best} {by}: {list_names(together)}."


def _criterion(post_hoc: PostHoc) -> str:
    """By what systems are told apart: the comparison, over how many datasets, and the procedure."""
    of_ranks = {"nemenyi": "Nemenyi", "bonferroni-dunn": "Bonferroni–Dunn"}
    name = post_hoc.procedure
    title = of_ranks[name] if name in of_ranks else procedure_named(name).title
    what = "mean ranks" if post_hoc.comparison == "mean-ranks" else "Wilcoxon's test"
    return f"by {what} over {post_hoc.friedman.n_datasets} datasets ({title})"

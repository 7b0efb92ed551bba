"""The answer of the reliability page, and its sections.

On one's own results: sample size, metrics and tests, covariates, runs, other datasets. Without
data: prior odds, and toy examples.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from core.analysis.analysis import Analysis
from core.comparison import BETTER
from core.data import ResultSet
from core.data.layouts.complete_rows import PASSED_OVER
from core.data.roles import ONLY_RUN
from core.metrics.registry import MEAN
from core.reliability.choices import simulated_free_choice
from core.reliability.covariates import CutOffStudy, cut_off_test, dataset_cut_off_study
from core.reliability.levels import LevelStudy, level_study
from core.reliability.pairs import MetricStudy, metric_study
from core.reliability.prior_odds import (
    FURTHER_PRIOR_ODDS,
    PAPER_POWER,
    PAPER_PRIOR_ODDS,
    prior_odds_study,
)
from core.reliability.repeated_runs import RunStudy, run_to_run
from core.reliability.sample_size import SubsampleStudy, subsample_significance
from core.reliability.toys import TOYS, toy_study
from core.sections import reliability as sections
from core.sections import runs as run_sections
from core.sections import sizes as size_sections
from core.sections.parts import Paragraph, Part, take_away
from core.systems.all_pairs import compare_all_pairs
from core.systems.comparisons import PairComparisons
from core.validation import at_most
from core.words.formatting import counted, display_name, format_level
from core.words.subject import claim_of_tests
from pages.ui.frame import limits, prose, state, widgets
from pages.ui.frame.widgets import GLOSSARY, RESAMPLES, SEED, Field, section
from pages.ui.intake import loading
from pages.ui.reliability import data as common
from pages.ui.results import explanations, parts
from pages.ui.results.analysis import current_analysis
from pages.ui.work import background
from pages.ui.work.background import OfEach, Task

_TESTS = {"all": "every test that fits", "auto": "the recommended test of each metric"}
_TESTS_KEY, _CHOICES = "reliability-tests", "reliability-choices"
_PARTS = Field(
    "n_subsamples", "Parts of each size", 10, 2000, 100, GLOSSARY["subsample"], usual=100
)
_RANDOM_ORDERS = Field(
    "n_random",
    "Random orders",
    19,
    9999,
    100,
    "How often the covariate's values are dealt out at random, to see what chance alone does. With R "
    "of them no p-value of dependence is below 1/(R + 1).",
    usual=199,
)
_REPETITIONS = Field("n_repetitions", "Repetitions", 100, 100_000, 1000, usual=1000)
_STUDIES = Field("n_repetitions", "Studies", 500, 200_000, 1000, usual=10_000)
_ODDS = Field(
    "prior_odds", "Prior odds R", 0.001, 10.0, 0.05, GLOSSARY["prior odds R"], PAPER_PRIOR_ODDS
)
_POWER = Field("power", "Power 1 − β", 0.01, 1.0, 0.05, GLOSSARY["power"], PAPER_POWER)
_PROMISE = (
    "This page shows on which datasets a verdict depends on a choice: the metric, the test, the "
    "number of examples, the kind of examples, the training run."
)
_NEEDS = (
    "Five questions on this page need results on every example: how a verdict changes with their "
    "number, with metric and test, along their length, from run to run, from dataset to dataset. "
    "What p ≤ α is worth and the toy examples below need no data."
)


def answer(data: ResultSet | None) -> None:
    """The answer, or what the page will answer."""
    if data is None:
        _without_results()
        return
    analysis = current_analysis()
    for sentence in () if analysis is None else analysis.other_sides:
        prose.notice(sentence)
    looked_at = common.found(data)
    sentence = sections.summary_sentence(
        looked_at, state.chosen_datasets(data), alpha=common.alpha()
    )
    if sentence:
        _lead(sentence)
        prose.paragraphs([_direction(looked_at, analysis), sections.LIMITS], quiet=True)
        return
    opening = "" if analysis is None else _opening(data, analysis)
    _lead(opening or _PROMISE)
    prose.paragraph("No choice has been tried yet: open a question below, or begin with this one.")
    st.button(
        "Look at every metric and test",
        type="primary",
        key="reliability-begin",
        on_click=look_at_choices,
        args=(data,),
    )
    direction = _direction(looked_at, analysis)
    prose.paragraphs([_PROMISE, direction] if opening else [direction], quiet=True)


def _opening(data: ResultSet, analysis: Analysis) -> str:
    """What the tests of now say; "" where not all are done, or they ask of a margin."""
    names, alpha = state.chosen_datasets(data), common.alpha()
    p_values = analysis.table.p_values
    # Where one is missing a count would be of fewer datasets than are compared.
    if _at_margin() or analysis.table.datasets != tuple(names) or np.isnan(p_values).any():
        return ""
    n_small, n = int(np.count_nonzero(at_most(p_values, alpha))), len(names)
    small = "p ≤" if n_small or n > 1 else "p >"
    where = "the one dataset" if n == 1 else f"{n_small} of {counted(n, 'dataset')}"
    alone = ", each dataset alone" if n > 1 else ""
    return (
        f"“{analysis.subject.claim('a-better')}” has {small} {format_level(alpha)} on {where}, by "
        f"{display_name(state.metric())}, as tested now{alone}."
    )


def _direction(looked_at: sections.LookedAt, analysis: Analysis | None) -> str:
    """What the p-values of the page are of: of its studies, and of tests of now that ask the same."""
    a, b = state.systems()
    results = () if analysis is None or _at_margin() else analysis.table.results or ()
    tests = looked_at.tests | {result.test for result in results if result is not None}
    is_better, bracket, by = claim_of_tests(tests).partition(" (")
    whose = f"“{display_name(a)} {is_better} than {display_name(b)}”{bracket}{by}"
    return f"All p-values here are of {whose}, one-sided; the sidebar swaps the two."


def _lead(sentence: str) -> None:
    prose.lead(sentence)
    if _at_margin():
        prose.paragraph(sections.NOT_AT_A_MARGIN)


def _at_margin() -> bool:
    return state.session().settings.claim != BETTER


def _without_results() -> None:
    loaded = state.session().loaded
    prose.lead(_PROMISE)
    if loaded is not None:
        prose.paragraph("Your data have no results on single examples.")
    prose.paragraph(_NEEDS)
    loading.ask("Load results on the Upload page →", loading.per_example)


def sizes(data: ResultSet) -> None:
    """What random parts of each dataset would have said."""
    prose.paragraph(
        "Would fewer examples have given the same verdict? Random parts of each dataset are "
        "tested as if they were all there is."
    )
    with widgets.row():
        resamples = RESAMPLES._replace(usual=1000)
        how = widgets.ask(state.of_files("reliability-sizes"), _PARTS, resamples, SEED)
    found = background.offered(
        "Draw parts of every dataset",
        common.SIZES,
        partial(subsample_significance, data, **common.compared(data), **how),
        unit="parts",
        tried="sample sizes looked at",
    )
    if found is not None:
        _sizes_found(common.at_level(found))
    prose.paragraph(
        "Søgaard et al. (2014), Table 4, print in what per cent of random parts of 10, 25, 50, 75 and "
        "100% two parsers differ with p ≤ .05, by labelled attachment score: Emails 14, 15, 19, 22, 0; "
        "Newsgroups 9, 23, 25, 41, 36; Reviews 33, 52, 78, 97, 100; Weblogs 42, 68, 100, 100, 100; WSJ "
        "28, 27, 60, 80, 100. The 36 at 100% cannot be of one test of the whole.",
        quiet=True,
    )


def _sizes_found(found: SubsampleStudy) -> None:
    parts.show(size_sections.sizes_parts(found))
    by_name = {own.dataset: own for own in found.datasets}
    with widgets.row():
        chosen = widgets.dataset_choice(
            list(by_name), key=state.of_file("reliability-sizes-dataset")
        )
        effect = st.number_input(
            "A difference A − B that would matter",
            value=None,
            format="%.4g",
            placeholder="none stated",
            key=state.of_file(f"reliability-effect-{state.metric()}"),
            help=GLOSSARY["power"],
            persist_state="session",
            width=300,
        )
    parts.show(size_sections.dataset_sizes_parts(by_name[chosen], effect))
    parts.show(take_away(found.to_frame, found.signature, name="subsamples"))


def choices(data: ResultSet) -> None:
    """Every metric and test on every dataset, as one family, and what choosing among them does."""
    prose.paragraph(
        "Would another metric or another test have said otherwise? Every metric of the file is "
        "tested by every test that fits it."
    )
    with widgets.row():
        widgets.choice(
            "Tests", list(_TESTS), key=state.of_files(_TESTS_KEY), words=_TESTS.__getitem__
        )
        widgets.ask(state.of_files(_CHOICES), RESAMPLES, SEED)
    st.button(
        "Test by every metric and test",
        key="run-metrics",
        on_click=look_at_choices,
        args=(data,),
    )
    found = background.answer(_choices_task(data), but_for=("datasets",))
    if found is None:
        return
    kept = common.only(found, state.chosen_datasets(data))
    if kept is None:
        prose.paragraph("All datasets that were studied are left out.")
        return
    parts.show(sections.choices_parts(kept))
    if len(kept.columns) > 1:
        section(
            "What a free choice among them does by chance",
            lambda: _free_choice(data, kept),
            key="reliability-free",
        )


def look_at_choices(data: ResultSet) -> None:
    """Test by every metric and test, as the form says or as it would begin."""
    background.start(_choices_task(data))


def _choices_task(data: ResultSet) -> Task[MetricStudy]:
    how = widgets.asked(state.of_files(_CHOICES), RESAMPLES, SEED)
    tests = str(state.value(state.of_files(_TESTS_KEY), "all"))
    return background.study(
        common.METRICS,
        partial(
            metric_study,
            data,
            **common.pair(),
            tests=(tests,),
            **how,
            datasets=state.chosen_datasets(data),
            n_threads=limits.TEST_THREADS,
        ),
        doing="Testing",
        unit="tests",
        tried="every metric and test looked at",
    )


def _free_choice(data: ResultSet, looked_at: MetricStudy) -> None:
    with widgets.row():
        dataset = widgets.dataset_choice(
            looked_at.tested_datasets, key=state.of_file("reliability-free-dataset")
        )
        how = widgets.ask(state.of_files("reliability-free"), _REPETITIONS, SEED)
    background.offered(
        "Exchange A and B at random",
        common.FREE_CHOICE,
        partial(
            simulated_free_choice,
            data,
            **common.pair(),
            dataset=dataset,
            tests=looked_at.tests_asked,
            **how,
        ),
        unit="repetitions",
        tried="free choices simulated",
        parts=lambda found: sections.free_choice_parts(common.at_level(found)),
    )


def covariates(data: ResultSet) -> None:
    """Along which covariate, and what comes of it."""
    prose.paragraph(
        "Does the verdict hold for short examples as well as for long ones, for every kind of "
        "example?"
    )
    if not data.covariates:
        prose.paragraph(
            "The file has scores only. Add a column that describes each example, such as its length "
            "in words or its genre, and load the file again: this section then shows where the "
            "verdict changes."
        )
        remarks = () if data.reading is None else data.reading.remarks
        prose.bullets([remark for remark in remarks if PASSED_OVER in remark])
        return
    name = widgets.choice(
        "Covariate", data.covariates, key=state.of_file("reliability-covariate"), words=display_name
    )
    prose.paragraph(GLOSSARY["covariate"], quiet=True)
    if data.covariate_kind(name) == "numeric":
        _cut_offs(data, name)
    else:
        _levels(data, name)


def _cut_offs(data: ResultSet, name: str) -> None:
    metric, names = state.metric(), state.chosen_datasets(data)
    usable, reasons = state.computed(_usable, data, name, metric, names)
    if not usable:
        prose.paragraph(
            "No dataset can be looked at along it."
            if reasons
            else "Correlations cannot be studied along a covariate. Choose another metric in the sidebar."
        )
        prose.bullets(reasons)
        return
    with widgets.row():
        how = widgets.ask(state.of_files("reliability-cut-offs"), _RANDOM_ORDERS, SEED)
    _on_each(
        data,
        "Look along it on every dataset",
        common.CUT_OFFS,
        partial(_along, data, **common.pair(), metric=metric, name=name, **how),
        usable,
        run_sections.cut_offs_parts,
        lambda _dataset, study: run_sections.cut_off_parts(study),
        unit="random orders",
        tried="covariates looked at",
    )
    prose.bullets(reasons)


def _on_each(
    data: ResultSet,
    label: str,
    kind: str,
    one: partial[Any],
    datasets: tuple[str, ...],
    of_all: Callable[..., tuple[Part, ...]],
    of_one: Callable[[str, Any], tuple[Part, ...]],
    **how: Any,
) -> None:
    """Offer a study of each dataset, and show those of datasets not left out, one of them closely."""
    settings = background.called({**common.compared(data), **one.keywords})
    task: Task[OfEach[Any]] = Task(
        kind, settings, partial(background.of_each, datasets, one), **how
    )
    held = background.offer(label, task)
    found = common.each_at_level(held, state.chosen_datasets(data))
    if held and not found:
        prose.paragraph("All datasets that were studied are left out.")
    if held and found:
        parts.show(of_all(found, complete=held.complete))
        dataset = widgets.dataset_choice(
            list(found), key=state.of_file(f"reliability-{kind}-dataset")
        )
        parts.show(of_one(dataset, found[dataset]))


def _along(data: ResultSet, dataset: str, *, name: str, **how: Any) -> CutOffStudy:
    return dataset_cut_off_study(data, dataset, data.covariate(dataset, name), name=name, **how)


def _usable(
    data: ResultSet, name: str, metric: str, datasets: tuple[str, ...]
) -> tuple[tuple[str, ...], list[str]]:
    """Datasets with a study along a covariate, and why others have none."""
    found, reasons = [], []
    for dataset in datasets:
        if cut_off_test(data, dataset, metric) is None:
            continue
        values = np.asarray(data.covariate(dataset, name), dtype=np.float64)
        name_there, codes = display_name(dataset), data.clusters_of(dataset)
        _, first, cluster = np.unique(
            np.arange(values.size) if codes is None else codes,
            return_index=True,
            return_inverse=True,
        )
        if np.unique(values[~np.isnan(values)]).size < 2:
            reasons.append(f"{name_there}: all its examples have the same value, or none.")
        elif not np.array_equal(values, values[first][cluster], equal_nan=True):
            reasons.append(
                f"{name_there}: the value varies within a cluster, whose examples stay together."
            )
        else:
            found.append(dataset)
    return tuple(found), reasons


def _levels(data: ResultSet, name: str) -> None:
    how = widgets.ask(state.of_files("reliability-levels"), SEED)
    names = state.chosen_datasets(data)
    if len({level for one in names for level in data.covariate(one, name)} - {""}) < 2:
        prose.paragraph("All examples are of one level: there is nothing to tell apart.")
        return
    background.offered(
        "Test every level on every dataset",
        common.LEVELS,
        partial(_by_level, data, **common.compared(data), name=name, **how),
        unit="tests",
        tried="covariates looked at",
        parts=lambda found: sections.levels_parts(common.at_level(found)),
    )


def _by_level(data: ResultSet, *, name: str, datasets: tuple[str, ...], **how: Any) -> LevelStudy:
    values = {one: data.covariate(one, name) for one in datasets}
    return level_study(data, covariate=values, name=name, n_threads=limits.TEST_THREADS, **how)


def runs(data: ResultSet) -> None:
    """How much of a difference is from run to run."""
    prose.paragraph(
        "Would other runs of the same systems, trained with other seeds, have said otherwise?"
    )
    if not data.runs:
        chosen = str(data.reading.roles.get("runs") or "") if data.reading is not None else ""
        one_of_many = chosen.startswith(ONLY_RUN)
        how_to = (
            "These data have one run of each system. Load scores of several runs on the same "
            "examples, with a column named seed or run, and this section shows how much of a "
            "difference is luck of the seed."
        )
        if one_of_many:
            how_to = (
                "You chose one run when you loaded the file. Load it again and choose to average its "
                "runs: this section then compares each of them."
            )
        prose.paragraph(how_to)
        return
    metric, systems = state.metric(), state.systems()
    if data.kind_of(metric) != MEAN:
        prose.paragraph(
            "Runs are compared by scores that are averaged over examples: choose such a metric in "
            "the sidebar."
        )
        return
    names = tuple(
        name
        for name in state.chosen_datasets(data)
        if all(data.run_scores(name, system, metric) is not None for system in systems)
    )
    if not names:
        prose.paragraph(
            "No dataset has every run of both systems on every example by this metric: choose "
            "another metric in the sidebar, or load the missing scores."
        )
        return
    with widgets.row():
        how = widgets.ask(state.of_files("reliability-runs"), RESAMPLES, SEED)
    numbers = [data.runs_of(system) for system in systems]
    _on_each(
        data,
        "Compare every pair of runs",
        common.RUNS,
        partial(_run_to_run, data, **common.pair(), metric=metric, **how),
        names,
        run_sections.runs_parts,
        lambda dataset, study: run_sections.dataset_runs_parts(dataset, study, *numbers),
        unit="pairs of runs",
        tried="every pair of runs looked at",
    )


def _run_to_run(
    data: ResultSet, dataset: str, *, a: str, b: str, metric: str, **how: Any
) -> RunStudy:
    first, second = (data.run_scores(dataset, system, metric) for system in (a, b))
    assert first is not None
    assert second is not None
    return run_to_run(
        first,
        second,
        higher_is_better=data.is_higher_better(metric),
        clusters=data.clusters_of(dataset),
        **how,
    )


def domains(data: ResultSet) -> None:
    """How often a win on one dataset holds on another."""
    prose.paragraph(
        "If a system wins on one dataset with a small p-value, does it also lead on the others? "
        "Every pair of systems of the file is compared on every dataset."
    )
    asked: dict[str, Any] = {"metric": state.metric(), "datasets": state.chosen_datasets(data)}
    if len(asked["datasets"]) < 2:
        prose.paragraph("One dataset: there is no other to look on.")
        return
    how = widgets.ask(state.of_files("reliability-domains"), SEED)
    background.offered(
        "Compare every pair of systems",
        common.DOMAINS,
        partial(compare_all_pairs, data, **asked, **how),
        unit="pairs",
        tried="every pair of systems looked at for wins that hold on other datasets",
        parts=_domains_found,
    )


def _domains_found(pairs: PairComparisons) -> tuple[Part, ...]:
    if pairs.n_datasets < 2:
        return (Paragraph(text="Stopped before a second dataset was done."),)
    return run_sections.domains_parts(pairs, alpha=common.alpha())


_BESIDE = {"odds": "other prior odds R", "power": "other powers 1 − β"}
_POWERS = (0.2, 0.5, 0.8, 0.95)
# A toy with a choice: what this section is about.
_FIRST_TOY = "two-metrics"


def prior_odds() -> None:
    """The share of claims that are true, for what a reader assumes."""
    alpha = common.alpha()
    prose.paragraph(
        "Of all claims that are made at this level, how many are true? It depends on how many of "
        "the ideas that people try have an effect, and how often tests find those."
    )
    with widgets.row():
        assumed = widgets.ask("reliability", _ODDS, _POWER)
        beside = widgets.choice(
            "Further curves",
            list(_BESIDE),
            key="reliability-odds-beside",
            words=_BESIDE.__getitem__,
        )
    found = state.computed(
        prior_odds_study,
        alpha,
        **assumed,
        further_prior_odds=() if beside == "power" else FURTHER_PRIOR_ODDS,
        further_powers=_POWERS if beside == "power" else (),
    )
    parts.show(size_sections.prior_odds_parts(found))
    st.latex(r"\mathrm{PPV} = \frac{(1-\beta)\,R}{R - \beta R + \alpha}")
    prose.paragraph(
        f"Ioannidis (2005), as Søgaard et al. (2014), section 2, have it; α = "
        f"{format_level(alpha)} is that of the sidebar.",
        quiet=True,
    )
    explanations.signature(found.signature)


def toys() -> None:
    """Two identical systems, and what choosing after looking does to their p-values."""
    prose.paragraph(
        "Two identical systems, so that every small p-value is chance. What does it do to report "
        "the best of several?"
    )
    with widgets.row():
        name = widgets.choice(
            "Example",
            [_FIRST_TOY, *(one for one in TOYS if one != _FIRST_TOY)],
            key="reliability-toy",
            words=lambda key: TOYS[key].title,
        )
        how = widgets.ask("reliability-toy", _STUDIES, SEED)
    prose.paragraph(TOYS[name].description)
    task = Task(
        common.TOY,
        {"example": name, **background.called(how)},
        partial(toy_study, name, **how),
        unit="studies",
        parts=size_sections.toy_parts,
    )
    background.offer("Run these studies", task)

"""The effects of what is loaded: the form that asks for them, the average, its plot and tables, and tests over datasets."""

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from core.data import EffectTable, ResultSet, ScoreTable
from core.effects.across import AcrossTests, compare_across, too_few_datasets
from core.effects.dataset_effects import (
    CombinedEffects,
    DatasetEffects,
    combine_effects,
    effects_of_table,
    joined,
    score_differences,
    title_of_way,
)
from core.effects.distributions import FEWEST_FOR_DISTRIBUTIONS, distribution_tests
from core.effects.friedman import FEWEST_SYSTEMS
from core.effects.from_results import DEFAULT_RESAMPLES, dataset_effects, pooled_effect
from core.effects.heterogeneity import tau2_estimator, tau2_names
from core.effects.paired_effect import EFFECTS, effect_named, effects_of_scores
from core.effects.subsets import (
    FEWEST_FOR_EXPERIMENT,
    between_groups,
    leave_one_out,
    prediction_experiment,
)
from core.metrics.registry import CORRELATIONS, MEAN
from core.replicability.counting import groups_of
from core.sections import across
from core.sections import effects as sections
from core.sections.parts import paragraphs
from core.validation import WRITTEN_NUMBER, names_of
from core.words.counting import one_pair_sentence
from core.words.formatting import display_name, list_names, metric_label, sentence_case
from core.words.reading import own_metrics, unlike_metrics
from pages.ui.frame import prose, state, tables, widgets
from pages.ui.frame.state import Data
from pages.ui.frame.widgets import RESAMPLES, SEED, Field, details, from_the_papers
from pages.ui.results import explanations, parts
from pages.ui.work import background
from pages.ui.work.background import Task

_VARIANCES = {"closed-form": "closed form", "bootstrap": "paired bootstrap"}
_BOOTSTRAP = (
    RESAMPLES._replace(
        low=2,
        step=50,
        help="Søgaard (2013) takes 50, with which the variances are rough.",
        usual=DEFAULT_RESAMPLES,
    ),
    SEED,
)


def asked(data: Data) -> dict[str, Any]:
    """The arguments that the form holds; what the data do not allow is not asked."""
    usual = offered(data)[0]
    effect: str = state.value(_kind_key(data), usual)
    if effect not in offered(data):
        effect = usual
    return {
        "effect": effect,
        "maximum": _maximum(data)[-1] if effect_named(effect).needs_maximum else None,
    }


def by_bootstrap(data: ResultSet) -> bool:
    """Whether variances are to be drawn: those of metrics that are no means have no closed form."""
    needs = data.kind_of(state.metric()) != MEAN
    chosen: str = state.value(state.of_files("effect-variance"), "closed-form")
    return needs or chosen == "bootstrap"


def asked_of_bootstrap() -> dict[str, Any]:
    """How many resamples are asked for, and from which seed."""
    return widgets.asked(state.of_files("effect"), *_BOOTSTRAP)


def asked_tau2() -> str:
    """How the variance between datasets is to be estimated."""
    method: str = state.value(state.of_files("effect-tau2"), tau2_names()[0])
    return method


def metric(data: Data) -> str:
    """The metric that is compared; "" of one score per dataset."""
    return state.metric() if isinstance(data, ResultSet) else ""


def _maximum(data: Data) -> tuple[str, str, float | None]:
    """The widget of the highest possible score, what was typed there, and the number that it is."""
    # Another metric has another scale.
    key = state.of_file(f"effect-maximum-{metric(data)}")
    typed = str(state.value(key, "")).strip()
    is_number = re.fullmatch(f"-?{WRITTEN_NUMBER}", typed)
    return key, typed, float(typed.replace(",", ".")) if is_number else None


def unlike(data: Data) -> dict[str, str]:
    """The metric of each dataset that is not left out, where these are not all the same."""
    return unlike_metrics(data.reading, state.chosen_datasets(data))


def _kind_key(data: Data) -> str:
    # What is usual for unlike metrics must not stay where the unlike ones are left out.
    return state.of_files("effect-kind-own" if unlike(data) else "effect-kind")


def offered(data: Data) -> tuple[str, ...]:
    """Effects that the data allow, the usual one first."""
    if isinstance(data, EffectTable):
        return ("difference",)
    has_spread = isinstance(data, ResultSet) and data.kind_of(state.metric()) == MEAN
    found = EFFECTS if has_spread else effects_of_scores()
    if unlike(data):
        # Unlike metrics have no highest score in common, by which a share could be taken.
        return names_of(each for each in found if not each.needs_maximum)[::-1]
    return names_of(found)


def form(data: Data, *, is_answered: bool) -> None:
    """The form behind a click; open while something other than the usual is asked."""
    has_variances = isinstance(data, (ResultSet, EffectTable))
    # One dataset has no variance between datasets.
    several = len(state.chosen_datasets(data)) > 1
    if isinstance(data, EffectTable) and not several:
        return
    usual = asked_tau2() == tau2_names()[0] and asked(data)["effect"] == offered(data)[0]
    with st.expander(
        "Another effect, variance or model" if has_variances else "Another effect",
        expanded=not is_answered or not usual,
        key="section-effect-form",
    ):
        if not isinstance(data, EffectTable):
            _effect(data)
        if isinstance(data, ResultSet):
            _variance(data)
        if has_variances and several:
            _between_datasets()


def _effect(data: Data) -> None:
    effect = widgets.choice(
        "Effect on each dataset",
        offered(data),
        key=_kind_key(data),
        words=lambda name: sentence_case(effect_named(name).title),
    )
    prose.paragraph(effect_named(effect).meaning, quiet=True)
    if not effect_named(effect).needs_maximum:
        return
    st.text_input(
        "Highest possible score, where the metric does not say it",
        key=_maximum(data)[0],
        placeholder="1, or 100 for percentages",
        persist_state="session",
    )
    _, typed, number = _maximum(data)
    if typed and number is None:
        prose.notice(f"“{typed[:40]}” is no number: type 1, or 100 for percentages.")


def _between_datasets() -> None:
    method = widgets.choice(
        "Variance between datasets (τ²) of random effects",
        tau2_names(),
        key=state.of_files("effect-tau2"),
        words=lambda name: tau2_estimator(name).title,
    )
    prose.paragraph(tau2_estimator(method).meaning, quiet=True)


def _variance(data: ResultSet) -> None:
    if data.kind_of(state.metric()) == MEAN:
        st.selectbox(
            "Variance of each effect",
            list(_VARIANCES),
            format_func=lambda kind: sentence_case(_VARIANCES[kind]),
            key=state.of_files("effect-variance"),
            help="In closed form, the variance of the examples' differences over their number. By "
            "bootstrap, that of the effect over resampled test sets; error reductions are ratios, "
            "for which the two differ a little.",
            persist_state="session",
        )
    if not by_bootstrap(data):
        return
    with widgets.row():
        widgets.ask(state.of_files("effect"), *_BOOTSTRAP)


def current(data: Data) -> DatasetEffects:
    """The effects; while a bootstrap is at work, the scores' differences alone."""
    a, b = state.systems()
    datasets = state.chosen_datasets(data)
    if isinstance(data, EffectTable):
        return state.computed(effects_of_table, data, datasets)
    given: dict[str, Any] = {"a": a, "b": b, **asked(data)}
    if not isinstance(data, ResultSet):
        return state.computed(score_differences, state.chosen_rows(data), **given)
    given |= {"metric": state.metric(), **asked_of_bootstrap()}
    bootstrap = by_bootstrap(data)
    found = _drawn(data, given, datasets) if bootstrap else None
    if found is not None:
        return found
    variance = "none" if bootstrap else "auto"
    return state.computed(dataset_effects, data, **given, variance=variance, datasets=datasets)


def _drawn(
    data: ResultSet, given: dict[str, Any], datasets: tuple[str, ...]
) -> DatasetEffects | None:
    """By bootstrap, in the background; what was finished before it was stopped is not drawn again."""

    def task(before: DatasetEffects | None) -> Task[DatasetEffects]:
        """Draw all datasets, or those that are missing: each has draws of its own."""
        rest = datasets if before is None else before.not_done

        def work(on_progress: Callable[[int, int], bool]) -> DatasetEffects:
            def told(done: int, n_left: int) -> bool:
                return on_progress(len(datasets) - n_left + done, len(datasets))

            how: dict[str, Any] = {"variance": "bootstrap", "datasets": rest, "on_progress": told}
            found = dataset_effects(data, **given, **how)
            return found if before is None else joined((before, found))

        settings = background.called({**given, "datasets": datasets})
        return Task(
            "effects", settings, work, doing="Drawing resamples", unit="datasets", before=before
        )

    background.begin_by_itself(task(None))
    found = background.answer(task(None), again=True)
    if found is not None and not found.complete:
        background.button(f"Go on with the other {len(found.not_done)}", task(found))
    return found


def explain_none(effects: DatasetEffects) -> None:
    """Why no dataset has such an effect."""
    prose.lead("No dataset has such an effect.")
    _, b = state.systems()
    prose.problems("What stands in the way", sections.left_out_lines(effects, b=b, remedy=True))


def combined(effects: DatasetEffects) -> CombinedEffects:
    """Every average and model of these effects."""
    level, tau2 = 1.0 - state.session().settings.alpha, asked_tau2()
    return state.computed(combine_effects, effects, confidence_level=level, tau2=tau2)


def groupings(effects: DatasetEffects) -> dict[str, dict[str, tuple[int, ...]]]:
    """Ways to group the datasets that the file offers."""
    data, found = state.data(), {}
    reading = None if data is None else data.reading
    for column, labels in ({} if reading is None else reading.dataset_labels).items():
        groups = groups_of([labels.get(name, "") for name in effects.datasets])
        # Groups of one dataset each would only repeat the datasets.
        if 1 < len(groups) < len(effects.datasets):
            found[column] = groups
    return found


_ORDERS = {"effect": "by effect", "file": "as in the file", "size": "by number of examples"}
_NO_GROUPS = "no groups"
_REPETITIONS = Field(
    "n_repetitions", "Repetitions", 5, 5000, 20, "Søgaard (2013) takes 20.", usual=20
)


def lead(data: Data, combined: CombinedEffects, *, disagreement: str = "") -> None:
    """The answer, how far datasets differ, and what limits it."""
    n_systems = len(data.systems) if isinstance(data, ResultSet | ScoreTable) else 2
    chosen = one_pair_sentence(n_systems) if n_systems > 2 else ""
    answer = sections.average_parts(
        combined,
        data,
        state.session().settings,
        state.systems(),
        unlike=unlike(data),
        disagreement=disagreement,
    )
    parts.show((*answer, *paragraphs(chosen, tone="caution")))


def plot(data: Data, combined: CombinedEffects) -> None:
    """The forest plot, with how to sort and group it, and its numbers."""
    effects = combined.effects
    order = "file"
    groups: dict[str, tuple[int, ...]] = {}
    if effects.n_datasets > 1:
        order, groups = _arranged(effects)
    parts.show(
        sections.forest_parts(
            combined,
            data,
            state.session().settings,
            state.systems(),
            order=ordered(effects, order),
            groups=groups,
        )
    )
    if effects.n_datasets > 1:
        tables.frame(show_ways(combined))
        marked = "The first row, and the filled diamond of the plot, are the answer above."
        prose.paragraph(marked, quiet=True)
        tables.download(
            lambda: sections.numbers_frame(combined),
            name="combined",
            what="these ways of combining",
        )
    if groups and combined.random is not None:
        _between_groups(combined, groups)


def show_ways(combined: CombinedEffects) -> pd.DataFrame:
    """The ways of combining that the page leads with."""
    frame = state.computed(sections.combined_frame, combined)
    return frame[frame["combined by"] != title_of_way("gumbel")]


def _arranged(effects: DatasetEffects) -> tuple[str, dict[str, tuple[int, ...]]]:
    orders = [key for key in _ORDERS if key != "size" or effects.n_examples is not None]
    by_column = groupings(effects)
    with st.container(horizontal=True):
        order = widgets.choice(
            "Sorted",
            orders,
            key=state.of_files("effect-order"),
            words=_ORDERS.__getitem__,
        )
        column = _NO_GROUPS
        if by_column:
            column = widgets.choice(
                "Grouped by",
                [_NO_GROUPS, *by_column],
                key=state.of_file("effect-groups"),
            )
    return order, by_column.get(column, {})


def ordered(effects: DatasetEffects, order: str) -> list[int]:
    """Places of the datasets in the order that was chosen."""
    places = list(range(effects.n_datasets))
    if order == "effect":
        return sorted(places, key=lambda i: -float(effects.effects[i]))
    if order == "size" and effects.n_examples is not None:
        sizes = effects.n_examples
        return sorted(places, key=lambda i: -int(sizes[i]))
    return places


def _between_groups(combined: CombinedEffects, groups: dict[str, tuple[int, ...]]) -> None:
    effects = combined.effects
    assert effects.variances is not None
    group_of = {i: name for name, members in groups.items() for i in members}
    own = [i for i in combined.weighed if i in group_of]
    if len({group_of[i] for i in own}) < 2:
        return
    names = [group_of[i] for i in own]
    found = between_groups(effects.effects[own], effects.variances[own], names)
    prose.paragraph(across.groups_sentence(found))


def more(data: Data, combined: CombinedEffects, *, tests: Callable[[], None] | None = None) -> None:
    """Everything behind a click; `tests` draws every test over datasets, where there are any."""
    effects, random = combined.effects, combined.random
    order = ordered(effects, str(state.value(state.of_files("effect-order"), "effect")))
    several = effects.n_datasets > 1
    ways: tuple[str, ...] = ()
    if several:
        titles = show_ways(combined)["combined by"]
        ways = sections.combining_meanings(titles, combined.tau2_method)
    signature = partial(explanations.signature, effects.signature, of="the effects of each dataset")
    details(
        [
            ("Every dataset", partial(_datasets, data, combined, order)),
            random is not None
            and random.n_datasets > 2
            and ("Leave-one-out", partial(_influence, combined)),
            several
            and isinstance(data, ResultSet)
            # Of means it is an average of scores, and correlations are of their own datasets.
            and data.kind_of(state.metric()) not in (MEAN, *CORRELATIONS)
            and effects.effect == "difference"
            and ("All examples put together", partial(_pooled, data, effects)),
            several
            and random is not None
            and ("How computed", lambda: parts.show(across.how_parts(combined, random))),
            bool(ways) and ("Ways of combining", partial(prose.bullets, ways)),
            tests is not None and ("Every test and variant", tests),
            ("Signature", signature),
        ],
        key="effect",
    )


def papers(combined: CombinedEffects) -> None:
    """What papers report and few need."""
    effects = combined.effects
    from_the_papers(
        [
            combined.gumbel is not None and ("The Gumbel model", partial(_gumbel, combined)),
            effects.n_datasets >= FEWEST_FOR_DISTRIBUTIONS
            and ("Do they follow a known distribution?", partial(_distributions, effects)),
            len(combined.weighed) >= FEWEST_FOR_EXPERIMENT
            and ("Which average predicts best?", partial(_experiment, combined)),
        ],
        key="effect-papers",
    )


def _gumbel(combined: CombinedEffects) -> None:
    frame = sections.combined_frame(combined)
    tables.frame(frame[frame["combined by"] == title_of_way("gumbel")])
    prose.paragraph(across.gumbel_line(combined.gumbel) if combined.gumbel else "")


def _datasets(data: Data, combined: CombinedEffects, order: Sequence[int]) -> None:
    metrics = own_metrics(data.reading, combined.effects.datasets)
    tables.frame(sections.effects_frame(combined, order, metrics=metrics))
    tables.download(combined.effects.to_frame, name="effects")


def _influence(combined: CombinedEffects) -> None:
    effects = combined.effects
    own = list(combined.weighed)
    assert effects.variances is not None
    found = state.computed(
        leave_one_out,
        effects.effects[own],
        effects.variances[own],
        confidence_level=combined.macro.confidence_level,
        tau2=combined.tau2_method,
    )
    datasets = [effects.datasets[i] for i in own]
    parts.show(across.influence_parts(found, datasets))


def _distributions(effects: DatasetEffects) -> None:
    if found := distribution_tests(effects.effects):
        parts.show(across.distribution_parts(found))
    else:
        prose.paragraph("All effects are equal: there is no distribution to test.")


def _experiment(combined: CombinedEffects) -> None:
    prose.paragraph(
        "Søgaard (2013): some datasets are drawn, their effects are averaged in each way, and the "
        "result is compared with the mean effect of 5 others that were held out. As in the paper, "
        "random effects take DerSimonian and Laird's τ² here."
    )
    effects, own = combined.effects, list(combined.weighed)
    assert effects.variances is not None
    with widgets.row():
        how = widgets.ask(state.of_files("effect-experiment"), _REPETITIONS, SEED)
        task = Task(
            "prediction",
            {**background.called(how), "effects": (effects.signature, effects.content)},
            partial(
                prediction_experiment,
                effects.effects[own],
                effects.variances[own],
                None if effects.n_examples is None else effects.n_examples[own],
                **how,
            ),
            doing="Drawing datasets",
            unit="draws",
        )
        background.button("Run", task)
    found = background.answer(task)
    if found is not None:
        parts.show(across.experiment_parts(found))


def _pooled(data: ResultSet, effects: DatasetEffects) -> None:
    prose.paragraph(
        "This metric is no mean of its examples' scores: over all datasets together it is computed "
        "from their examples as if they were one test set, which no average of the datasets' "
        "scores gives."
    )
    a, b = state.systems()
    found = background.offered(
        "Draw resamples of all examples",
        "pooled",
        partial(
            pooled_effect,
            data,
            a=a,
            b=b,
            metric=state.metric(),
            datasets=effects.datasets,
            **asked_of_bootstrap(),
            confidence_level=1.0 - state.session().settings.alpha,
        ),
        unit="datasets",
    )
    if found is not None:
        parts.show(across.pooled_parts(found))


# Tests over datasets


def disagreement(data: Data, combined: CombinedEffects) -> str:
    """Where the tests over datasets and the average effect do not say the same, a sentence on it."""
    if isinstance(data, EffectTable):
        return ""
    found, _ = _tested(data)
    if isinstance(found, str):
        return ""
    return across.disagreement_sentence(combined, found, alpha=state.session().settings.alpha)


def over_datasets(data: Data) -> Callable[[], None] | None:
    """What tests over datasets say, where the data allow them; what draws every one of them."""
    if isinstance(data, EffectTable):
        return None
    st.header("Tests over datasets", anchor=False)
    every, (found, missing) = None, _tested(data)
    if missing:
        reason = "a score is missing"
        if isinstance(data, ResultSet):
            label = metric_label(state.metric(), data.kind_of(state.metric()))
            reason = f"{display_name(label)} is not defined for both systems"
        prose.notice(f"Not in these tests: {list_names(missing)} ({reason} there).")
    if isinstance(found, str):
        prose.paragraph(found)
    else:
        alpha = state.session().settings.alpha
        parts.show(across.across_parts(found, alpha=alpha, unlike=unlike(data)))
        every = parts.shown(across.every_test_parts, found)
    if isinstance(data, ResultSet | ScoreTable) and len(data.systems) >= FEWEST_SYSTEMS:
        st.page_link(
            "pages/systems.py", label=f"Tests and ranks of all {len(data.systems)} systems →"
        )
    return every


def _tested(data: Data) -> tuple[AcrossTests | str, tuple[str, ...]]:
    """The tests over the datasets with both scores, or why there are none; and the other datasets."""
    names = state.chosen_datasets(data)
    # Else every score would be looked up each time that the page is drawn.
    return state.computed(_across, data, metric(data), state.systems(), names)


def _across(
    data: Data, metric: str, systems: tuple[str, str], names: tuple[str, ...]
) -> tuple[AcrossTests | str, tuple[str, ...]]:
    assert not isinstance(data, EffectTable)
    named: str | None = metric
    if isinstance(data, ResultSet):
        higher_is_better = data.is_higher_better(metric)
        scores = [[data.score(name, one, metric) for one in systems] for name in names]
    else:
        named, higher_is_better = data.metric, data.higher_is_better
        columns = [dict(zip(data.datasets, data.scores(one), strict=True)) for one in systems]
        scores = [[column[name] for column in columns] for name in names]
    known = {name: own for name, own in zip(names, scores, strict=True) if np.isfinite(own).all()}
    missing = tuple(name for name in names if name not in known)
    if too_few := too_few_datasets(len(known)):
        return too_few, missing
    found = compare_across(
        *np.array(list(known.values())).T,
        datasets=tuple(known),
        systems=systems,
        metric=named,
        higher_is_better=higher_is_better,
        fingerprint=data.fingerprint,
    )
    return found, missing

"""Behind an average effect: single datasets, groups, distributions, held-out datasets; and tests over datasets.

The tests are of two systems, and of the mean ranks of many, with which systems differ significantly.
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from ..charts.systems import MOST_DRAWN, critical_difference_diagram
from ..effects.across import AcrossTests, too_few_datasets
from ..effects.dataset_effects import CombinedEffects, title_of_way
from ..effects.distributions import DistributionTest
from ..effects.friedman import FEWEST_SYSTEMS, Friedman, Quade, friedman
from ..effects.from_results import PooledEffect
from ..effects.heterogeneity import tau2_estimator
from ..effects.meta_analysis import MetaAnalysis
from ..effects.post_hoc import PostHoc, letters, nemenyi
from ..effects.subsets import N_HELD_OUT, BetweenGroups, Influence, PredictionExperiment
from ..replicability.identification import procedure_named
from ..systems.comparisons import Standings
from ..validation import is_at_most
from ..words.formatting import (
    counted,
    display_name,
    format_confidence,
    format_level,
    format_p_value,
    format_share,
    frame_of,
    interval_text,
    list_names,
    number,
    p_value_clause,
    p_value_or_dash,
    plain,
    size_of,
)
from ..words.glossary import glossary
from ..words.reading import sizes_caution
from ..words.testing import title_of_test
from .effects import further_cautions, holds_zero, turned, width_of
from .parts import Bullets, Download, Paragraph, Part, Signature, Table, charted, paragraphs

NOT_EQUAL = "That is not evidence that they are equal."
NOT_DIFFERENT = "not significantly different"
# Mean ranks that differ by less are the same.
_SAME_RANK = 1e-9
_WHAT_THEY_ASK = (
    "These tests take the datasets as an independent random sample from a population. The t-test "
    "asks whether one system is better on average. Tests of ranks and signs (Wilcoxon, sign, "
    "Friedman) ask whether one tends to score better. None says on how many of these datasets, nor "
    "on which. Every dataset counts the same, however many examples it has."
)


def across_parts(
    tests: AcrossTests, *, alpha: float, unlike: Mapping[str, str]
) -> tuple[Part, ...]:
    """What tests over datasets say of two systems, with what metrics that are `unlike` do to them."""
    return (
        *paragraphs(sizes_caution(unlike) if unlike else "", tone="caution"),
        Paragraph(text=across_sentence(tests, alpha=alpha), tone="strong"),
        Paragraph(text=_WHAT_THEY_ASK, tone="quiet"),
    )


def every_test_parts(tests: AcrossTests) -> tuple[Part, ...]:
    """A row for each test and variant."""
    frame = frame_of(
        [
            {
                "test": title_of_test(test.test),
                "p (for A)": p_value_or_dash(test.p_value_greater),
                "p (for B)": p_value_or_dash(test.p_value_less),
                "p (differ)": p_value_or_dash(test.p_value_two_sided),
                "statistic": "–"
                if test.statistic is None
                else f"{test.statistic_name} = {test.statistic:.4g}",
                "N used": test.n_used,
                "variant": test.variant,
                "note": "; ".join(filter(None, (test.reason, test.note))),
            }
            for test in tests.tests
        ]
    )
    frame = frame if (frame["note"] != "").any() else frame.drop(columns="note")
    return (
        Table(frame=frame, name="tests-over-datasets", of="test"),
        Download(write=tests.to_frame, name="tests-over-datasets", what="these tests"),
        Signature(line=tests.signature, of="these tests"),
    )


def across_sentence(tests: AcrossTests, *, alpha: float) -> str:
    """State what Wilcoxon's test over the datasets says, and the plain counts."""
    a, b = display_name(tests.system_a), display_name(tests.system_b)
    best, n, level = tests.tests[0], tests.n_datasets, format_level(alpha)
    both, greater, less = best.p_value_two_sided, best.p_value_greater, best.p_value_less
    if tests.ties == n:
        return f"{a} and {b} score the same on every one of {n:,} datasets: there is no difference to test."
    ties = f", neither on {tests.ties}" if tests.ties else ""
    counts = (
        f"{a} scores better on {tests.wins:,} of {n:,} datasets, {b} on {tests.losses:,}{ties}."
    )
    if both is None or greater is None or less is None:
        return f"{counts} No test over datasets is defined: {best.reason}."
    toward = "higher" if tests.higher_is_better else "lower"
    p_text = f"({p_value_clause(both, alpha=alpha)}, two-sided). {counts}"
    if is_at_most(both, alpha):
        ahead, other = (a, b) if greater <= less else (b, a)
        return (
            f"By Wilcoxon's signed-rank test, {ahead} tends to score {toward} than {other} over "
            f"datasets like these at level {level} {p_text}"
        )
    return (
        f"Wilcoxon's signed-rank test does not show at level {level} that one system tends to "
        f"score {toward} over datasets like these {p_text}"
    )


def disagreement_sentence(combined: CombinedEffects, tests: AcrossTests, *, alpha: float) -> str:
    """State it where Wilcoxon's test and the average's interval do not say the same; else ''."""
    best, interval, estimate = tests.tests[0], combined.front_interval, combined.front_estimate
    both, greater, less = best.p_value_two_sided, best.p_value_greater, best.p_value_less
    if combined.effects.is_given or combined.effects.n_datasets < 2:
        return ""
    if interval is None or both is None or greater is None or less is None:
        return ""
    # An interval of equal effects says nothing of how sure they are.
    width, level = width_of(interval), format_level(alpha)
    by_average = 0 if holds_zero(interval) else 1 if interval[0] > 0.0 else -1
    by_ranks = 0 if not is_at_most(both, alpha) else 1 if greater <= less else -1
    if width == 0.0 or by_average == by_ranks:
        return ""
    whose = {1: display_name(tests.system_a), -1: display_name(tests.system_b), 0: "neither system"}
    by_estimate = 0 if abs(estimate) <= 1e-9 * width else 1 if estimate > 0.0 else -1
    smallest = min(1.0, 2.0 ** (1 - tests.wins - tests.losses))
    says = f"is not significant at α = {level}"
    if by_ranks:
        says = f"favours {whose[by_ranks]}"
    elif not is_at_most(smallest, alpha):
        says = f"cannot be significant at α = {level} with so few"
    return (
        f"The average effect favours {whose[by_estimate]}, and its interval "
        f"{'excludes' if by_average else 'contains'} 0; Wilcoxon's test over the datasets {says} "
        f"({p_value_clause(both, alpha=alpha)}, two-sided). The average uses the size of each effect; "
        "the test uses only the ranks of the differences. They answer different questions. Choosing "
        "between them after seeing both has no guarantee."
    )


def compared_ranks(ranked: Standings, alpha: float) -> PostHoc | None:
    """Friedman's test of the mean ranks and Nemenyi's of each two; None of too few to be ranked."""
    if too_few_datasets(len(ranked.datasets)) or len(ranked.systems) < FEWEST_SYSTEMS:
        return None
    ranks = friedman(
        ranked.scores,
        datasets=ranked.datasets,
        systems=ranked.systems,
        fingerprint=ranked.fingerprint,
    )
    return nemenyi(ranks, alpha)


def ranks_parts(ranked: Standings, alpha: float) -> tuple[Part, ...]:
    """What mean ranks over the datasets say: another question than the counts'."""
    if len(ranked.datasets) == 1 or len(ranked.systems) < FEWEST_SYSTEMS:
        return ()
    found = compared_ranks(ranked, alpha)
    if found is None:
        return (Paragraph(text=too_few_datasets(len(ranked.datasets))),)
    return differences_parts(found, "systems-critical-difference")


def differences_parts(found: PostHoc, name: str) -> tuple[Part, ...]:
    """Whether the systems rank alike, the critical-difference diagram, and which systems differ."""
    said, n = friedman_sentence(found), found.friedman.n_systems
    if n > MOST_DRAWN:
        text = f"A diagram of {n} systems could not be read: the table has them all."
        diagram: Part = Paragraph(text=text, tone="quiet")
    else:
        diagram = charted(name, "Mean ranks", said, critical_difference_diagram, found)
    return (Paragraph(text=said), diagram, *paragraphs(names_of_best(found)))


def how_ranked_parts(found: PostHoc, meaning: str, by_quade: Quade) -> tuple[Part, ...]:
    """Mean ranks compared in a way with a `meaning`: what it says of each system, and how it was done."""
    ranks = found.friedman
    order = list(ranks.order)
    heading, marks = marks_of_ranks(found)
    best_on = (ranks.ranks == ranks.ranks.min(axis=1, keepdims=True)).sum(axis=0)
    frame = frame_of(
        {
            "system": [ranks.systems[i] for i in order],
            "mean rank": [f"{ranks.mean_ranks[i]:.2f}" for i in order],
            heading: [marks[ranks.systems[i]] for i in order],
            "best on": best_on[order],
        }
    )
    details = (letters_note(found), meaning, friedman_details(ranks), quade_line(by_quade))
    return (
        Paragraph(text=_WHAT_THEY_ASK),
        *differences_parts(found, "systems-compared"),
        Table(frame=frame, name="ranks", of="system"),
        Download(write=lambda: frame, name="ranks", what="the ranks"),
        *paragraphs(*details, tone="quiet"),
        Signature(line=found.signature, of="these tests"),
    )


def friedman_sentence(post_hoc: PostHoc) -> str:
    """State whether the systems rank alike, and how many pairs differ significantly."""
    found = post_hoc.friedman
    k, n, alpha = found.n_systems, found.n_datasets, post_hoc.alpha
    if bool((found.ranks == found.ranks[0, 0]).all()):
        return (
            f"All {k:,} systems score the same on every one of {n:,} datasets: nothing ranks them."
        )
    corrected = found.f_p_value_corrected
    p_value = found.f_p_value if corrected is None else corrected
    pairs, total = int(post_hoc.separated.sum()) // 2, post_hoc.n_comparisons
    some = f"{pairs:,} of" if pairs else "None of the"
    apart = f"{some} {total:,} pairs {'differ' if pairs > 1 else 'differs'} significantly."
    alike = f"the data do not show that the {k:,} systems rank differently over {n:,} datasets"
    if is_at_most(p_value, alpha):
        alike = f"the {k:,} systems do not all rank alike over {n:,} datasets"
        if not pairs:
            apart += (
                " The test of all systems at once is significant, but no single pair is after "
                "correction for so many comparisons."
            )
    return (
        f"At level {format_level(alpha)}, {alike} ({p_value_clause(p_value, alpha=alpha)}; Friedman, "
        f"F of Iman and Davenport). {_best_rank_sentence(found)} {apart}"
    )


def _best_rank_sentence(found: Friedman | Standings, *, where: str = "") -> str:
    """State which systems have or share the best mean rank."""
    ranks, m = found.mean_ranks, len(found.systems)
    best = np.flatnonzero(ranks <= ranks.min() + _SAME_RANK).tolist()
    if len(best) == m:
        return f"All {m:,} systems have the same mean rank{where}, {ranks.min():.2f}."
    names = list_names([found.systems[i] for i in best], most=3)
    verb = "has" if len(best) == 1 else "share"
    return f"{names} {verb} the best mean rank of {m:,} systems{where}, {ranks.min():.2f}."


def scores_lead(ranked: Standings) -> str:
    """Of a table of scores: who has the best mean rank."""
    said = _best_rank_sentence(ranked, where=f" over {counted(len(ranked.datasets), 'dataset')}")
    return said if np.ptp(ranked.mean_ranks) > _SAME_RANK else f"{said} {NOT_EQUAL}"


def _of_f(f: float | None) -> str:
    """An F statistic, infinite where all datasets rank the systems alike."""
    return f"F = {f:.4g}".replace("inf", "∞")


def quade_line(found: Quade) -> str:
    """Quade's test in one line."""
    if found.p_value is None or found.f is None:
        return ""
    return (
        "Quade's test, in which datasets whose scores lie farther apart count more and scores must "
        f"be comparable between datasets: {_of_f(found.f)} on {found.f_df[0]} and {found.f_df[1]}, "
        f"{p_value_clause(found.p_value)}."
    )


def friedman_details(found: Friedman) -> str:
    """Every variant of the statistic, in one line."""
    text = (
        f"χ² = {found.chi2:.4g} on {found.df} degrees of freedom, {p_value_clause(found.p_value)}; "
        f"{_of_f(found.f)} on {found.f_df[0]} and {found.f_df[1]}, "
        f"{p_value_clause(found.f_p_value)}."
    )
    if found.n_tied_datasets and found.chi2_corrected is not None:
        assert found.p_value_corrected is not None
        assert found.f_p_value_corrected is not None
        text = f"As Demšar prints it, without correction for ties: {text}"
        text += (
            f" Corrected for ties, on {found.n_tied_datasets:,} of {found.n_datasets:,} datasets: "
            f"χ² = {found.chi2_corrected:.4g}, {p_value_clause(found.p_value_corrected)}; "
            f"{_of_f(found.f_corrected)}, {p_value_clause(found.f_p_value_corrected)}."
        )
    return text


def shared_letter_sentence(apart: str) -> str:
    """State what two systems with a letter in common do, "do not differ significantly at level .05"."""
    return f"Two systems that share a letter {apart}, which does not make them equal."


def letters_note(post_hoc: PostHoc) -> str:
    """What letters mean, and what they do not mean."""
    level = format_level(post_hoc.alpha)
    text = shared_letter_sentence(f"do not differ significantly at level {level}")
    if post_hoc.control is not None:
        text = (
            f"A system with an adjusted p above {level} does not differ significantly from the one that "
            "all are compared with, which does not make them equal."
        )
    elif post_hoc.lettered is None:
        text = (
            "Too many groups overlap for letters, so the table counts the systems that do not differ "
            "significantly. That does not make them equal."
        )
    rate = (
        f"Where all systems rank alike, the chance of any separation is about {level} at most, if the "
        "datasets are independent. Where some differ, it may be larger: other systems' scores move a "
        "pair's ranks."
    )
    if post_hoc.holds_whichever_differ:
        rate = (
            f"The chance of any wrong separation is at most {level}, whichever systems differ, if the "
            "datasets are independent."
        )
    return f"{text} {rate}"


def names_of_best(post_hoc: PostHoc) -> str:
    """Which systems differ from the one compared with, or do not from the one that ranks best."""
    found = post_hoc.friedman
    if np.ptp(found.mean_ranks) <= _SAME_RANK:
        return ""
    of_ranks = {"nemenyi": "Nemenyi", "bonferroni-dunn": "Bonferroni–Dunn"}
    title = of_ranks.get(post_hoc.procedure) or procedure_named(post_hoc.procedure).title
    what = "mean ranks" if post_hoc.comparison == "mean-ranks" else "Wilcoxon's test"
    by = f"by {what} over {found.n_datasets:,} datasets ({title}, level {format_level(post_hoc.alpha)})"
    control = found.systems[found.order[0]] if post_hoc.control is None else post_hoc.control
    place, name = found.systems.index(control), display_name(control)
    # Those that differ from a control, else those that do not differ from the best.
    differ = post_hoc.control is not None
    others = [i for i in found.order if i != place and post_hoc.separated[place, i] == differ]
    if not others:
        every = f"{name} differs significantly from every other system {by}."
        return f"No system differs significantly from {name} {by}." if differ else every
    start = "Significantly" if differ else "Not significantly"
    return f"{start} different from {name} {by}: {list_names([found.systems[i] for i in others])}."


def marks_of_ranks(post_hoc: PostHoc) -> tuple[str, dict[str, str]]:
    """A column's heading and each system's mark: p against the one compared with, letters, or numbers."""
    heading, systems = "letters", post_hoc.friedman.systems
    if post_hoc.control is not None:
        place = systems.index(post_hoc.control)
        heading = f"adjusted p against {display_name(post_hoc.control)}"
        marks = [
            "–" if i == place else format_p_value(float(p), alpha=post_hoc.alpha)
            for i, p in enumerate(post_hoc.adjusted_p_values[place])
        ]
    elif post_hoc.lettered is None:
        heading, marks = NOT_DIFFERENT, list(map(str, post_hoc.n_not_separated))
    else:
        marks = list(letters(post_hoc.lettered, len(systems)))
    return heading, dict(zip(systems, marks, strict=True))


def influence_parts(influence: Influence, datasets: Sequence[str]) -> tuple[Part, ...]:
    """The combined effect without each dataset, what moves most first."""
    whole, most = influence.whole, influence.most_influential
    width, level = width_of(whole.confidence_interval), 1.0 - whole.confidence_level
    said = (
        f"{display_name(datasets[most])} moves the combined effect most: with it "
        f"{number(whole.estimate, width)}, without it {number(influence.without[most].estimate, width)}."
    )
    if not influence.shifts.any():
        said = "No single dataset moves the combined effect: all effects are equal."
    if influence.changes_sign:
        names = list_names([datasets[i] for i in influence.changes_sign])
        said += f" The sign of the average changes without {names}."
    decides = [
        datasets[i]
        for i, one in enumerate(influence.without)
        if holds_zero(one.interval) != holds_zero(whole.interval)
    ]
    on = list_names(decides) or "no single dataset"
    frame = frame_of(
        [
            {
                "without": datasets[i],
                "combined effect": number(influence.without[i].estimate, width),
                "moves by": number(float(influence.shifts[i]), width),
                f"{format_confidence(level)} interval": interval_text(
                    influence.without[i].interval, width
                ),
                "I²": format_share(influence.without[i].i2),
            }
            for i in np.argsort(-np.abs(influence.shifts), kind="stable").tolist()
        ]
    )
    how = (
        f"Random effects with τ² by {tau2_estimator(whole.tau2_method).title}. The interval is the "
        "wider of Hartung and Knapp's and the normal one."
    )
    return (
        Paragraph(text=f"{said} Whether the interval contains 0 depends on {on}.", tone="strong"),
        Table(frame=frame, name="influence", of="dataset"),
        Paragraph(text=how, tone="quiet"),
        Download(
            write=lambda: influence.to_frame(datasets), name="influence", what="the influence"
        ),
    )


def groups_sentence(groups: BetweenGroups) -> str:
    """State whether groups differ by more than chance."""
    if groups.q is None or groups.p_value is None:
        return "Each group is one dataset: whether groups differ needs several in at least one."
    between, within = groups.degrees_of_freedom, groups.degrees_of_freedom_within
    return (
        f"Between the {groups.n_groups} groups: F = {plain(groups.q / between)} on "
        f"{between} and {counted(within, 'degree')} of freedom, with one τ² for all groups by Paule–Mandel, "
        f"{p_value_clause(groups.p_value)}. A small p is evidence that groups differ; a "
        "large one is no evidence that they are alike."
    )


def how_parts(combined: CombinedEffects, random: MetaAnalysis) -> tuple[Part, ...]:
    """How far true effects vary between datasets, what the terms mean, and how often intervals cover."""
    tau2 = f"τ² = {random.tau2:.4g} by {tau2_estimator(random.tau2_method).title}"
    if random.tau2_interval is not None and not random.is_outside_interval:
        low, high = random.tau2_interval
        level = format_confidence(1.0 - random.confidence_level)
        tau2 += f" ({level} interval by Q-profile {low:.4g} to {high:.4g})"
    terms, meant = glossary(), ("Q", "τ² (“tau squared”)", "I²", "prediction interval")
    # Below 3 datasets there is no prediction interval.
    coverage = (
        "Simulated coverage of the 95% intervals, with 3 to 30 datasets: the prediction interval "
        "contained the new effect in 93% to 100% of studies. Most papers print the one of Higgins, "
        "Thompson and Spiegelhalter (2009), which treats τ² as known: 81% to 100%. The downloaded "
        "table has both. The interval of the average contained the true mean in 94% to 99% of "
        "studies where the datasets' variances are equal, and in 84% to 99% where they differ up to "
        "a hundredfold."
    )
    return (
        Paragraph(text=f"{tau2}."),
        Bullets(items=tuple(f"{term}: {terms[term]}" for term in meant)),
        *paragraphs("" if random.prediction_interval is None else coverage),
        *paragraphs(*further_cautions(combined)),
    )


def gumbel_line(gumbel: MetaAnalysis) -> str:
    """The fitted distribution, and the variance that the paper prints."""
    fit, printed = gumbel.gumbel, gumbel.paper_variance
    if fit is None or printed is None:
        return ""
    return (
        f"The Gumbel distribution fitted to effects over variances has location {fit.location:.4g} "
        f"and scale {fit.scale:.4g}. Søgaard (2013) prints its variance, {plain(printed)}, as that of "
        "the estimate, but its units differ. The interval here uses the variance of the mean over the "
        f"mean weight, {gumbel.variance:.4g}."
    )


def pooled_parts(pooled: PooledEffect) -> tuple[Part, ...]:
    """The effect over all examples put together."""
    interval = pooled.confidence_interval
    width = width_of(interval)
    a, b = display_name(pooled.a), display_name(pooled.b)
    ahead, behind = (a, b) if pooled.estimate >= 0.0 else (b, a)
    who = (
        f"{ahead} is ahead of {behind} by {size_of(pooled.estimate, width)}"
        if pooled.estimate
        else f"{a} and {b} are level"
    )
    seen = interval_text(turned(interval, pooled.estimate), width)
    said = (
        f"Over all {pooled.n_examples:,} examples put together, {who} "
        f"({format_confidence(1.0 - pooled.confidence_level)} interval {seen}). This is for these "
        "datasets alone; large ones count more."
    )
    return (Paragraph(text=said, tone="strong"), Signature(line=pooled.signature))


def distribution_parts(tests: Sequence[DistributionTest]) -> tuple[Part, ...]:
    """For each distribution what the Anderson–Darling test says of it."""
    verdicts = {
        True: "Evidence against",
        False: "No evidence against",
        None: "The table cannot tell at .05 about",
    }
    items = tuple(
        f"{verdicts[test.is_evidence_against()]} {test.distribution.title} distribution of the "
        f"effects: A² = {test.statistic:.3f}, {test.p_bracket}{f' ({test.note})' if test.note else ''}."
        for test in tests
    )
    how = (
        "By Anderson and Darling's test, with location and scale fitted to the same effects. With "
        "few datasets nearly every distribution passes."
    )
    return (Bullets(items=items), Paragraph(text=how, tone="quiet"))


def experiment_parts(experiment: PredictionExperiment) -> tuple[Part, ...]:
    """Which way of combining came nearest to datasets held out, and how far that goes."""
    absolute, signed_errors = experiment.mean_absolute_errors, experiment.mean_signed_errors
    rows, drawn_of = [], dict[str, list[str]]()
    for i, size in enumerate(experiment.sizes):
        unit = float(absolute[i, 0]) if math.isfinite(float(absolute[i, 0])) else 0.0
        best = experiment.best[i]
        if best is not None:
            drawn_of.setdefault(best, []).append(str(size))
        for j, method in enumerate(experiment.methods):
            p_value = float(experiment.p_values[i, j])
            rows.append(
                {
                    "k drawn": size,
                    "combined by": title_of_way(method),
                    "mean error": size_of(float(absolute[i, j]), unit),
                    "mean signed error": number(float(signed_errors[i, j]), unit),
                    "p against macro": "–" if math.isnan(p_value) else format_p_value(p_value),
                }
            )
    so_far = "" if experiment.complete else "So far, stopped early: "
    found = " and ".join(
        f"{title_of_way(best)} for k = {', '.join(sizes)}" for best, sizes in drawn_of.items()
    )
    said = (
        f"{so_far}Nearest to the mean effect of {N_HELD_OUT} datasets held out: {found}. "
        f"Each drawn {experiment.n_repetitions:,} times from the same {experiment.n_datasets} "
        "datasets, so the draws overlap and the p-values are descriptive."
    )
    return (
        Paragraph(text=said if found else "Stopped before anything was drawn.", tone="strong"),
        Table(frame=frame_of(rows), name="experiment", of="row"),
        Download(write=experiment.to_frame, name="experiment", what="the experiment"),
        Signature(line=experiment.signature),
    )

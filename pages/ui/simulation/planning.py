"""Planning: how often a claim would be made, how many datasets it takes, how many examples at a margin."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Any

from core.comparison import COMPARISONS, comparison_named
from core.reliability.power import StatedEffect, plan_size
from core.replicability.combinations import combination_names
from core.sections import simulation as sections
from core.significance.known_tests import (
    at_a_margin,
    significance_test_named,
    significance_test_names,
)
from core.simulation.families import drawn_exactly, family_of
from core.simulation.planning import datasets_needed, power_curve
from core.simulation.scenarios import Difference, PValueSource, shift_by
from core.words.simulation import PLAN_WORDS, SEED_HELP, drawing_sentence, estimator_name
from core.words.testing import title_of_test
from pages.ui.frame import prose, state, widgets
from pages.ui.frame.widgets import Field
from pages.ui.simulation import studies
from pages.ui.simulation.setup import DIFFERENCE_FIELDS, Effect
from pages.ui.work import background
from pages.ui.work.background import Task

CLAIMS = (
    "a fixed number of datasets",
    "half of the datasets on which A is truly better",
    "all datasets on which A is truly better",
)
# What a curve of power runs along, which is then not asked: a number of its studies.
N_DATASETS, SHIFT, DIFFERENCE, N_EXAMPLES = "n_datasets", "shift", "d", "n_examples"
AGAINST: Mapping[str, str] = MappingProxyType(
    {
        N_DATASETS: "number of datasets",
        SHIFT: "effect as a shift of z",
        DIFFERENCE: "effect as a difference in accuracy",
        N_EXAMPLES: "examples per dataset",
    }
)
_DATASETS = (2, 3, 5, 7, 10, 15, 20, 30, 50, 75, 100)
_SHIFTS = tuple(step / 2 for step in range(13))
_EXAMPLES = (50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000)
_LARGEST_SHIFT_DRAWN, _N_DIFFERENCES = 6.0, 11
_EFFECTS = ("difference in accuracy", "shift of z")
_STUDIES = (2_000, 10_000, 50_000)
_MOST_DATASETS = 1_000
_FARTHEST = 1e9
_OUTCOMES, _OTHERS = "0/1 outcomes", "other averaged scores"
# What is true of equal systems stands first.
_AT_MARGINS = tuple(
    one.name for one in sorted(COMPARISONS, key=lambda one: -one.shift) if one.takes_margin
)
KINDS = POWER, NEEDED, PLAN = "power", "needed", "plan-margin"
_SEED = widgets.SEED._replace(label="Seed, the same for all", help=SEED_HELP)
_AT_LEAST = Field("at_least", "At least … datasets", 1, _MOST_DATASETS, usual=5)
_SHARE = Field("power", "In what share of studies", 0.05, 0.99, 0.05, usual=sections.TARGET_POWER)
_DATASETS_OF_ALL = Field("n_datasets", "Datasets in a study", 1, _DATASETS[-1], usual=20)
_FAMILY = (
    Field("share_better", "Share with A better", 0.0, 1.0, 0.1, usual=0.5),
    Field(
        "rho",
        "Dependence ρ",
        0.0,
        1.0,
        0.1,
        "How far any two datasets of a study depend on each other, through one factor that moves them "
        "all: 0 not at all, 1 completely.",
        0.0,
    ),
)
_SHIFT_OF_Z = Field(SHIFT, "Shift of z", -10.0, 10.0, 0.5, usual=3.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Family(Effect):
    """Studies that are alike but for one of these numbers."""

    n_datasets: int = 1
    share_better: float
    rho: float

    def scenario(self, against: str, value: float) -> PValueSource:
        """The member with another one of these numbers, by its name."""
        number: dict[str, Any] = {against: value}
        member = replace(self, **number)
        return family_of(
            member.n_datasets,
            share_better=member.share_better,
            effect=member.effect,
            rho=member.rho,
        )

    @property
    def title(self) -> str:
        """In a few words, for the bar."""
        return f"A better on {self.share_better:.4g} of the datasets, ρ = {self.rho:.4g}"

    def in_words(self, *, alpha: float) -> str:
        """What the effect means for one dataset, and how its p-values are drawn."""
        difference = Difference(self.d, self.n_examples, self.q)
        return self.sentence(alpha=alpha, exactly=drawn_exactly(difference, rho=self.rho))


def _points(family: Family, against: str) -> tuple[float, ...]:
    if against != DIFFERENCE:
        return {N_DATASETS: _DATASETS, SHIFT: _SHIFTS, N_EXAMPLES: _EXAMPLES}[against]
    # From none to one that is nearly always found.
    spread = math.sqrt(family.q / family.n_examples)
    largest = min(0.95 * family.q, _LARGEST_SHIFT_DRAWN * spread)
    steps = (largest * step / (_N_DIFFERENCES - 1) for step in range(_N_DIFFERENCES))
    return tuple(float(f"{value:.3g}") for value in steps)


def _claimed(claim: str, at_least: int, k: int) -> int:
    """The number of datasets claimed, of k on which A is truly better."""
    of_truth = {CLAIMS[1]: max(1, (k + 1) // 2), CLAIMS[2]: max(1, k)}
    return of_truth.get(claim, at_least)


def _family(prefix: str, *, against: str = N_DATASETS) -> Family:
    """What the studies have in common, but for what the curve runs along."""

    of_all = (_DATASETS_OF_ALL,) if against != N_DATASETS else ()
    with widgets.row():
        asked = widgets.ask(prefix, *of_all, *_FAMILY)
    if against == SHIFT:
        return Family(**asked, shift=1.0)
    kind = _EFFECTS[0]
    if against == N_DATASETS:
        kind = widgets.choice("Effect where A is better, as", _EFFECTS, key=f"{prefix}-effect")
    if kind == _EFFECTS[1]:
        return Family(**asked, **widgets.ask(prefix, _SHIFT_OF_Z))
    fields = [
        field._replace(usual=getattr(Difference(), field.name))
        for field in DIFFERENCE_FIELDS
        if field.name != against
    ]
    with widgets.row():
        return Family(**asked, **widgets.ask(prefix, *fields))


def power() -> None:
    """Power against the number of datasets, the effect, or the examples of each."""
    prose.paragraph("Power: the share of studies in which a true claim is made.")
    prose.paragraph(PLAN_WORDS, quiet=True)
    against = widgets.choice(
        "Against", tuple(AGAINST), key="plan-against", words=AGAINST.__getitem__
    )
    claim = widgets.choice("Statement: on at least", CLAIMS, key="plan-claim")
    at_least = 1
    if claim == CLAIMS[0]:
        at_least = widgets.ask("plan-power", _AT_LEAST)["at_least"]
    family = _family("plan-power", against=against)
    alpha = state.session().settings.alpha
    # A difference that is not asked need not be possible: the points are.
    problem = "" if against == DIFFERENCE else family.problem
    if problem:
        prose.notice(problem)
    elif against == N_DATASETS:
        prose.paragraph(family.in_words(alpha=alpha), quiet=True)
    elif against != SHIFT:
        prose.paragraph(drawing_sentence(rho=family.rho, share_differing=family.q), quiet=True)
    _offer(
        "Draw the curve",
        POWER,
        {"kind of study": family, "against": against, "statement": claim, "least number": at_least},
        partial(
            power_curve,
            partial(family.scenario, against),
            _points(family, against),
            at_least=partial(_claimed, claim, at_least),
        ),
        f"{AGAINST[against]}; {family.title}",
        disabled=bool(problem),
        parts=partial(sections.power_parts, quantity=AGAINST[against]),
    )


def needed() -> None:
    """The smallest number of datasets with which a claim is made often enough."""
    alpha = state.session().settings.alpha
    prose.paragraph(PLAN_WORDS, quiet=True)
    with widgets.row():
        at_least, share = widgets.ask("plan-needed", _AT_LEAST, _SHARE).values()
        estimator = widgets.choice(
            "Counted by",
            combination_names(),
            key="plan-needed-count",
            words=lambda name: estimator_name(name, alpha=alpha),
        )
    family = _family("plan-needed")
    problem = family.problem
    if not problem and (family.share_better == 0.0 or shift_by(family.effect) <= 0.0):
        problem = "A must be better on some datasets for the claim to become true."
    if problem:
        prose.notice(problem)
    else:
        prose.paragraph(family.in_words(alpha=alpha), quiet=True)
    _offer(
        "Find the number",
        NEEDED,
        {"kind of study": family, "least number": at_least, "share": share, "count": estimator},
        partial(
            datasets_needed,
            partial(family.scenario, N_DATASETS),
            at_least,
            power=share,
            estimator=estimator,
            most=max(_MOST_DATASETS, at_least),
        ),
        family.title,
        disabled=bool(problem),
        # How many numbers a search takes is not known before.
        doing=f"Searching ({family.title})",
        unit="",
        parts=sections.needed_parts,
    )


def _offer(
    button: str,
    kind: str,
    asked: dict[str, Any],
    work: Callable[..., object],
    title: str,
    *,
    disabled: bool,
    **how: Any,
) -> None:
    """A button and what its work comes to, each point simulated so often, all from one seed."""
    with widgets.row():
        n_studies = widgets.choice(
            "Studies for each point",
            _STUDIES,
            key=f"plan-{kind}-studies",
            words="{:,}".format,
        )
        seed = widgets.ask(f"plan-{kind}", _SEED)["rng"]
    alpha = state.session().settings.alpha
    task = studies.task(
        kind,
        {**asked, "α": alpha, "studies": n_studies, "seed": seed},
        partial(work, n_repetitions=n_studies, alpha=alpha, rng=seed),
        title,
        **how,
    )
    background.offer(button, task, disabled=disabled)


def examples() -> None:
    """The examples needed to show a claim at a margin often enough."""
    prose.paragraph(
        "“Not worse by more than 1 point”: how many examples does that take? State what you "
        "take to be true, rather than what you observed."
    )
    with widgets.row():
        claim = widgets.choice(
            "What the examples should show",
            _AT_MARGINS,
            key="plan-margin-claim",
            words=lambda name: comparison_named(name).title,
        )
        scores = widgets.choice("Scores", (_OUTCOMES, _OTHERS), key="plan-margin-scores")
    zero_one = scores == _OUTCOMES
    unit, kind, scale = (" (points)", "points", 100.0) if zero_one else ("", "units", 1.0)
    spread = Field("apart", "Standard deviation of differences", 1e-6, usual=1.0)
    if zero_one:
        spread = Field("apart", "Examples that differ (%)", 1e-3, 100.0, usual=10.0)
    with widgets.row():
        margin, effect, apart, power = widgets.ask(
            f"plan-margin-{kind}",
            Field("margin", f"Margin{unit}", 1e-6, usual=1.0 if zero_one else 0.1),
            Field("effect", f"True difference A − B{unit}", -_FARTHEST, usual=0.0),
            spread,
            _SHARE,
        ).values()
    test = widgets.choice(
        "Test",
        tuple(
            name
            for name in significance_test_names(at_a_margin)
            if significance_test_named(name).suits_outcomes_only == zero_one
        ),
        key=f"plan-margin-test-{kind}",
        words=title_of_test,
    )
    asked: dict[str, Any] = {
        "effect": effect / scale,
        "test": test,
        "alpha": state.session().settings.alpha,
        "claim": claim,
        "margin": margin / scale,
        "disagreement": apart / 100.0 if zero_one else None,
        "standard_deviation": None if zero_one else apart,
    }
    problem = ""
    if comparison_named(claim).inside(asked["effect"], asked["margin"]) <= 0.0:
        problem = "The claim is false at this true difference: choose a larger margin or another difference."
    if zero_one and abs(effect) > apart:
        problem = "The accuracies cannot be farther apart than the share of examples that differ."
    elif zero_one and margin >= 100.0:
        problem = "A margin of 0/1 outcomes lies below 100 points."
    if problem:
        prose.notice(problem)
        return
    task = Task(
        PLAN,
        {**asked, "power": power},
        partial(plan_size, StatedEffect(**asked), power),
        unit="steps",
        parts=sections.plan_parts,
    )
    background.offer("Find the number of examples", task)

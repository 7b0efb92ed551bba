"""Studies that differ in one number only, for planning: their form, and what it stands for."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import streamlit as st

from core.simulation import PValueSource, accuracy_family_of, drawn_exactly, family_of
from core.words.simulation import PLAN_RHO_HELP, accuracy_sentence, shift_sentence
from pages.ui.simulation.form import WIDTH, Field, difference
from pages.ui.simulation.setup import Difference, problem_of, shift_by

AGAINST = (
    "number of datasets",
    "effect as a shift of z",
    "effect as a difference in accuracy",
    "examples per dataset",
)
CLAIMS = (
    "a fixed number of datasets",
    "half of the datasets on which A is truly better",
    "all datasets on which A is truly better",
)
_DATASETS = (2, 3, 5, 7, 10, 15, 20, 30, 50, 75, 100)
_SHIFTS = tuple(step / 2 for step in range(13))
_EXAMPLES = (50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000)
_LARGEST_SHIFT_DRAWN, _N_DIFFERENCES = 6.0, 11
_EFFECTS = ("difference in accuracy", "shift of z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Studies of any number of datasets, alike but for that."""

    n_datasets: int
    share_better: float
    rho: float
    effect: float | Difference

    @property
    def shift(self) -> float:
        """By how much z is shifted where A is better."""
        return shift_by(self.effect)

    @property
    def problem(self) -> str:
        """Why there are no such studies; empty where there are."""
        return problem_of(self.effect)

    def scenario(self, n_datasets: int) -> PValueSource:
        """The member with so many datasets."""
        if isinstance(self.effect, Difference):
            return accuracy_family_of(
                n_datasets,
                share_better=self.share_better,
                difference=self.effect.d,
                n_examples=self.effect.n_examples,
                share_differing=self.effect.q,
                rho=self.rho,
            )
        return family_of(
            n_datasets, share_better=self.share_better, effect=self.effect, rho=self.rho
        )

    @property
    def title(self) -> str:
        """In a few words, for the bar."""
        return f"A better on {self.share_better:.4g} of the datasets, ρ = {self.rho:.4g}"

    def sentence(self, *, alpha: float) -> str:
        """What the effect means for one dataset, and how its p-values are drawn."""
        if not isinstance(self.effect, Difference):
            return shift_sentence(self.effect, alpha=alpha)
        exactly = drawn_exactly(self.effect.d, self.effect.n_examples, rho=self.rho)
        return accuracy_sentence(*self.effect, alpha=alpha, exactly=exactly)


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerQuestion:
    """Against what power is drawn, and of which claim."""

    family: Family
    against: str
    claim: str
    at_least: int | None

    @property
    def problem(self) -> str:
        """Why nothing can be drawn; empty where it can."""
        if self.against in (AGAINST[1], AGAINST[2]):
            return ""
        return self.family.problem

    @property
    def values(self) -> tuple[float, ...]:
        """Where the curve has its points."""
        if self.against == AGAINST[0]:
            return _DATASETS
        if self.against == AGAINST[1]:
            return _SHIFTS
        if self.against == AGAINST[3]:
            return _EXAMPLES
        effect = self._difference
        spread = math.sqrt(effect.q / effect.n_examples)
        largest = min(0.95 * effect.q, _LARGEST_SHIFT_DRAWN * spread)
        steps = (largest * step / (_N_DIFFERENCES - 1) for step in range(_N_DIFFERENCES))
        return tuple(float(f"{value:.3g}") for value in steps)

    def scenario_at(self, value: float) -> PValueSource:
        """The study that a point is of."""
        family = self.family
        if self.against == AGAINST[0]:
            return family.scenario(int(value))
        if self.against == AGAINST[1]:
            family = replace(family, effect=float(value))
        elif self.against == AGAINST[2]:
            family = replace(family, effect=self._difference._replace(d=value))
        else:
            family = replace(family, effect=self._difference._replace(n_examples=int(value)))
        return family.scenario(family.n_datasets)

    def claimed(self, k: int) -> int:
        """The number of datasets claimed, of k on which A is truly better."""
        if self.at_least is not None:
            return self.at_least
        return max(1, k if self.claim == CLAIMS[2] else (k + 1) // 2)

    @property
    def share_differing(self) -> float:
        """On what share of the examples the systems differ, where that is asked."""
        return self._difference.q

    @property
    def _difference(self) -> Difference:
        effect = self.family.effect
        return effect if isinstance(effect, Difference) else Difference()


def show(prefix: str, *, against: str) -> Family:
    """What the studies have in common, but for what the curve runs along."""

    def ask(field: Field, value: float) -> float:
        found: float = st.number_input(
            field.label,
            min_value=field.low,
            max_value=field.high,
            value=value,
            step=field.step,
            format=field.number_format,
            key=f"{prefix}-{field.name}",
            help=field.help,
            persist_state="session",
            width=WIDTH,
        )
        return found

    n_datasets = 1
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if against != AGAINST[0]:
            n_datasets = int(ask(Field("n", "Datasets in a study", 1, _DATASETS[-1]), 20))
        share_better = ask(Field("share", "Share with A better", 0.0, 1.0, 0.1), 0.5)
        rho = ask(Field("rho", "Dependence ρ", 0.0, 1.0, 0.1, PLAN_RHO_HELP), 0.0)
    effect: float | Difference = 1.0
    kind = _EFFECTS[1] if against == AGAINST[1] else _EFFECTS[0]
    if against == AGAINST[0]:
        kind = st.selectbox(
            "Effect where A is better, as",
            _EFFECTS,
            key=f"{prefix}-effect",
            persist_state="session",
            width=330,
        )
    if kind == _EFFECTS[0]:
        without = {AGAINST[2]: "d", AGAINST[3]: "n_examples"}.get(against, "")
        effect = difference(Difference(), ask, without=without)
    elif against != AGAINST[1]:
        effect = ask(Field("shift", "Shift of z", -10.0, 10.0, 0.5), 3.0)
    return Family(n_datasets=n_datasets, share_better=share_better, rho=rho, effect=effect)

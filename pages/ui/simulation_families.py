"""Studies that differ in one number only, for planning: their form, and what it stands for."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import streamlit as st

from core.report.simulation_words import RHO_HELP, SHARE_HELP
from core.simulation import PValueSource, family_of
from pages.ui.simulation_setup import LARGEST_SAMPLE, Difference, problem_of, shift_by

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
        return family_of(
            n_datasets, share_better=self.share_better, effect=self.shift, rho=self.rho
        )


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
    def _difference(self) -> Difference:
        effect = self.family.effect
        return effect if isinstance(effect, Difference) else Difference()


def show(prefix: str, *, against: str) -> Family:
    """What the studies have in common, but for what the curve runs along."""
    columns = iter(st.columns(2 if against == AGAINST[0] else 3))
    n_datasets = 1
    if against != AGAINST[0]:
        with next(columns):
            n_datasets = st.number_input(
                "Datasets in a study",
                min_value=1,
                max_value=_DATASETS[-1],
                value=20,
                step=1,
                key=f"{prefix}-n",
                persist_state="session",
            )
    with next(columns):
        share_better = st.number_input(
            "Share on which A is better",
            min_value=0.0,
            max_value=1.0,
            value=0.5,
            step=0.1,
            format="%.4g",
            key=f"{prefix}-share",
            persist_state="session",
        )
    with next(columns):
        rho = st.number_input(
            "Dependence ρ",
            min_value=0.0,
            max_value=1.0,
            value=0.0,
            step=0.1,
            format="%.4g",
            key=f"{prefix}-rho",
            help=RHO_HELP,
            persist_state="session",
        )
    effect = _effect(prefix, against)
    return Family(n_datasets=n_datasets, share_better=share_better, rho=rho, effect=effect)


def _effect(prefix: str, against: str) -> float | Difference:
    if against == AGAINST[1]:
        return 1.0
    kind = _EFFECTS[0]
    if against == AGAINST[0]:
        kind = st.selectbox(
            "Effect where A is better, as",
            _EFFECTS,
            key=f"{prefix}-effect",
            persist_state="session",
        )
    if kind == _EFFECTS[1]:
        return st.number_input(
            "Shift of z",
            min_value=-10.0,
            max_value=10.0,
            value=3.0,
            step=0.5,
            key=f"{prefix}-shift",
            persist_state="session",
        )
    usual = Difference()
    d, n_examples = usual.d, usual.n_examples
    columns = iter(st.columns(3 if against == AGAINST[0] else 2))
    if against != AGAINST[2]:
        with next(columns):
            d = st.number_input(
                "A better by (accuracy)",
                min_value=-1.0,
                max_value=1.0,
                value=usual.d,
                step=0.005,
                format="%.4g",
                key=f"{prefix}-d",
                persist_state="session",
            )
    if against != AGAINST[3]:
        with next(columns):
            n_examples = st.number_input(
                "Examples per dataset",
                min_value=1,
                max_value=LARGEST_SAMPLE,
                value=usual.n_examples,
                step=100,
                key=f"{prefix}-examples",
                persist_state="session",
            )
    with next(columns):
        q = st.number_input(
            "Share that differs",
            min_value=0.001,
            max_value=1.0,
            value=usual.q,
            step=0.05,
            format="%.4g",
            key=f"{prefix}-q",
            help=SHARE_HELP,
            persist_state="session",
        )
    return Difference(d, n_examples, q)

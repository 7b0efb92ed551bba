"""Power against the number of datasets, the number of examples, or the effect.

Vocabulary
----------
family
    What makes a scenario of a number: of datasets, of examples, an effect.
power
    P(k̂ >= m), the chance that the claim "at least m" is made.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

import numpy as np

from core.replicability.combinations import combination_names
from core.signature import signature_line
from core.simulation.batch import estimator_names
from core.simulation.rates import Mean, Rate
from core.simulation.runs import simulate_k_hat
from core.simulation.sources import PValueSource, positive_whole, seed_of
from core.simulation.told import Progress, Told
from core.validation import check_alpha


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PowerPoint:
    """Power of one member of a family.

    Attributes
    ----------
    value : float
        What the scenario was made of.
    n_datasets, k : int
        Of the scenario.
    at_least : int
        m, of the claim.
    power : mapping of estimator to Rate
        P(k̂ >= m); that of "count" comes without a guarantee.
    mean_k_hat : mapping of estimator to Mean
        Of k̂.
    scenario : str
        Its own line.
    proved : tuple of str
        Which counts have their guarantee in it.
    """

    value: float
    n_datasets: int
    k: int
    at_least: int
    power: Mapping[str, Rate]
    mean_k_hat: Mapping[str, Mean]
    scenario: str
    proved: tuple[str, ...]

    @property
    def is_true(self) -> bool:
        """Whether the claim is true: where it is wrong, making it is no power."""
        return self.at_least <= self.k


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PowerCurve:
    """Power along a family of scenarios.

    Attributes
    ----------
    points : tuple of PowerPoint
        In the order of the values; fewer where the run was stopped.
    values : tuple of float
        All values asked for.
    alpha : float
        In (0, 1).
    n_repetitions, seed : int
        Of each point; all are simulated from the same seed, which makes the
        curve smoother than its intervals say.
    complete : bool
        Whether all points have all repetitions.
    """

    points: tuple[PowerPoint, ...]
    values: tuple[float, ...]
    alpha: float
    n_repetitions: int
    seed: int
    complete: bool

    @property
    def true_points(self) -> tuple[PowerPoint, ...]:
        """Those where the claim is true."""
        return tuple(point for point in self.points if point.is_true)

    @property
    def proved(self) -> tuple[str, ...]:
        """The counts that have their guarantee at every point."""
        return tuple(
            name
            for name in combination_names()
            if all(name in point.proved for point in self.points)
        )

    @property
    def signature(self) -> str:
        """The one line that names everything the curve depends on."""
        whole = "\n".join(f"{one.value!r} {one.at_least} {one.scenario}" for one in self.points)
        first, last = (self.points[0], self.points[-1]) if self.points else (None, None)
        claims = sorted({point.at_least for point in self.points})
        return signature_line(
            power=f"at least {' to '.join(map(str, sorted({*claims[:1], *claims[-1:]})))}",
            first=first.scenario if first else None,
            last=last.scenario if last else None,
            points=f"{len(self.points)} of {len(self.values)}",
            of=sha256(whole.encode("utf-8")).hexdigest()[:8],
            alpha=self.alpha,
            repetitions=self.n_repetitions,
            seed=self.seed,
        )


def power_curve(
    make_scenario: Callable[[float], PValueSource],
    values: Sequence[float],
    *,
    at_least: int | Callable[[int], int] | None = None,
    n_repetitions: int = 2_000,
    alpha: float = 0.05,
    rng: int | np.random.Generator | None = None,
    on_progress: Progress | None = None,
) -> PowerCurve:
    """Simulate P(k̂ >= m) for each member of a family of scenarios.

    Parameters
    ----------
    make_scenario : callable
        From a value to a scenario: see `family_of` and `shift_of`.
    values : sequence of float
        Numbers of datasets, effects, or numbers of examples.
    at_least : int or callable, optional
        m, or from k to m; by default k, the whole truth.
    n_repetitions : int
        Of each point.
    alpha, rng, on_progress : optional
        As for `simulate_k_hat`; all points together are the total.

    Raises
    ------
    ValueError
        If an argument is out of its range.
    """
    level = check_alpha(alpha)
    repetitions = positive_whole(n_repetitions, name="n_repetitions")
    given = tuple(values)
    if not given:
        raise ValueError("`values` must hold at least one value; got none.")
    seed = seed_of(rng)
    told = Told(on_progress, repetitions * len(given))
    points: list[PowerPoint] = []
    complete = True
    for number, value in enumerate(given):
        if not told.going:
            complete = False
            break
        simulation = simulate_k_hat(
            make_scenario(value),
            n_repetitions=repetitions,
            alpha=level,
            rng=seed,
            on_progress=told.beyond(number * repetitions),
        )
        complete = complete and simulation.complete
        k = simulation.k
        least = k if at_least is None else at_least(k) if callable(at_least) else at_least
        points.append(
            PowerPoint(
                value=value,
                n_datasets=simulation.n_datasets,
                k=k,
                at_least=least,
                power={name: simulation.power(name, least) for name in estimator_names()},
                mean_k_hat={
                    name: simulation.summary(name).mean_k_hat for name in estimator_names()
                },
                scenario=simulation.scenario,
                proved=simulation.proved,
            )
        )
    return PowerCurve(
        points=tuple(points),
        values=given,
        alpha=level,
        n_repetitions=repetitions,
        seed=seed,
        complete=complete,
    )

"""How often the common practice claims a win where there is none, against the number of datasets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ..replicability.counting import chance_of_a_false_win
from ..replicability.decision import at_most
from ..signature import signature_line
from ..types import IntArray
from ..validation import check_alpha
from .results import Rate
from .runs import run_chunks
from .scenarios import Block, Scenario
from .sources import chunk_size, drawn_chunk, positive_whole, seed_of


@dataclass(frozen=True, slots=True, kw_only=True)
class OverClaim:
    """The chance of at least one p <= alpha among N datasets without a difference.

    Attributes
    ----------
    n_datasets : int
        N.
    theory : float
        1 − (1 − α)^N, for independent datasets.
    simulated : Rate
        As simulated.
    """

    n_datasets: int
    theory: float
    simulated: Rate


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OverClaimCurve:
    """Chances for several numbers of datasets.

    Attributes
    ----------
    points : tuple of OverClaim
        By rising N. A study of N datasets is made of the first N of a larger
        one, so that the curve rises as the true one does.
    alpha, rho : float
        The level, and the correlation of any two z.
    n_repetitions, n_asked, seed : int
        As of a `Simulation`.
    """

    points: tuple[OverClaim, ...]
    alpha: float
    rho: float
    n_repetitions: int
    n_asked: int
    seed: int

    @property
    def complete(self) -> bool:
        """Whether all repetitions asked for were done."""
        return self.n_repetitions == self.n_asked

    @property
    def signature(self) -> str:
        """The one line that names everything the curve depends on."""
        return signature_line(
            over_claims=",".join(str(point.n_datasets) for point in self.points),
            rho=self.rho,
            alpha=self.alpha,
            repetitions=self.n_asked,
            done=None if self.complete else self.n_repetitions,
            seed=self.seed,
        )


def over_claim_curve(
    n_datasets: Sequence[int],
    *,
    n_repetitions: int = 10_000,
    alpha: float = 0.05,
    rho: float = 0.0,
    rng: int | np.random.Generator | None = None,
    n_threads: int | None = None,
    on_progress: Callable[[int, int], object] | None = None,
) -> OverClaimCurve:
    """Simulate how often at least one of N datasets without a difference has p <= alpha.

    Parameters
    ----------
    n_datasets : sequence of int
        The numbers of datasets, each at least 1.
    n_repetitions : int
        How many studies, at least 1.
    alpha : float
        In (0, 1).
    rho : float
        Correlation of any two z, in [0, 1]; theory is for 0.
    rng, n_threads, on_progress : optional
        As for `simulate_k_hat`.

    Raises
    ------
    ValueError
        If an argument is out of its range.
    """
    level = check_alpha(alpha)
    total = positive_whole(n_repetitions, name="n_repetitions")
    sizes = np.unique([positive_whole(n, name="n_datasets") for n in n_datasets])
    if not sizes.size:
        raise ValueError("`n_datasets` must hold at least one number; got none.")
    scenario = Scenario((Block(int(sizes[-1]), rho=rho),))
    seed = seed_of(rng)
    size = chunk_size(scenario, scenario.n_datasets)
    claimed: dict[int, IntArray] = {}

    def count(number: int, start: int, stop: int) -> None:
        small = at_most(drawn_chunk(scenario, seed, number, size)[: stop - start], level)
        first = np.where(small.any(axis=1), small.argmax(axis=1), scenario.n_datasets)
        claimed[number] = np.searchsorted(np.sort(first), sizes, side="left")

    done = run_chunks(count, total=total, size=size, n_threads=n_threads, on_progress=on_progress)
    counts = np.sum(list(claimed.values()), axis=0)
    return OverClaimCurve(
        points=tuple(
            OverClaim(
                n_datasets=n,
                theory=chance_of_a_false_win(n, alpha=level),
                simulated=Rate(count=count, n=done),
            )
            for n, count in zip(sizes.tolist(), counts.tolist(), strict=True)
        ),
        alpha=level,
        rho=float(rho),
        n_repetitions=done,
        n_asked=total,
        seed=seed,
    )

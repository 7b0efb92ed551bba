"""How a dataset's p-value depends on its size: the test on random parts of the dataset."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import numpy as np

from core.reliability.subsample_points import SubsamplePoint
from core.reliability.subsample_results import DatasetSubsamples, SubsampleStudy
from core.reliability.subsamples import Subsampled, random_orders, subsampled
from core.significance.plan import ComparedSystems, planned_tests
from core.significance.planned_run import run_planned
from core.significance.result import TEST_ALTERNATIVES, TestAlternative
from core.significance.settings import Settings, positive_number
from core.significance.stopping import KeepGoing, Stopped, goes_on
from core.significance.streams import Rng, seed_of
from core.types import BoolArray, FloatArray, IntArray
from core.validation import check_alpha, check_choice, check_two_systems

# Subsamples tested before it is told, where each costs by itself: a few hundredths of a second.
_TOLD_OF = 16
SHARES = (0.1, 0.25, 0.5, 0.75, 1.0)


def subsample_significance(
    result_set: ComparedSystems,
    *,
    a: str,
    b: str,
    metric: str | Mapping[str, str] | None = None,
    test: str | Mapping[str, str] = "auto",
    alpha: float = 0.05,
    shares: Sequence[float] = SHARES,
    n_subsamples: int = 100,
    n_resamples: int = 1000,
    alternative: TestAlternative = "greater",
    rng: Rng = 0,
    datasets: Sequence[str] | None = None,
    on_progress: Callable[[int, int], object] | None = None,
) -> SubsampleStudy:
    """Run the test on random subsamples of each dataset, drawn without replacement.

    Where examples come in clusters, whole clusters are drawn. A subsample's
    p-value is the one that `run_significance_test` gives on its examples, with
    the method that the point names: of Wilcoxon's test exact up to 50 units and
    the normal approximation above; exact for the bootstrap and randomization
    where differences lie on a small lattice, else, and for the bootstrap of
    sums of counts, from resamples that all subsamples of a size share. Of
    correlations, metrics of labels and randomization of other sums each
    subsample is tested on its own, which takes longer. The whole dataset's p-value is the one that
    `run_dataset_tests` gives with the same seed.

    Parameters
    ----------
    result_set : ResultSet
        Per-example scores of both systems.
    a, b : str
        Names of the systems.
    metric, test : optional
        As for `run_dataset_tests`.
    alpha : float
        In (0, 1). It is applied to stored p-values: `SubsampleStudy.at` takes another.
    shares : sequence of float
        Parts of a dataset, in (0, 1]; the whole, 1, is always among them.
    n_subsamples : int
        Of each size below the whole.
    n_resamples : int
        Of Monte Carlo.
    alternative : {"greater", "less", "two-sided"}
        What p-values speak for.
    rng : int or Generator
        Seed; of a Generator, one integer is drawn. A dataset's subsamples
        depend on the seed, its name and its size: other datasets, other shares
        and further subsamples change none of them.
    datasets : sequence of str, optional
        Some of the datasets; by default all.
    on_progress : callable, optional
        Called as ``on_progress(done, total)`` with numbers of subsamples.
        Returning False stops; datasets that are done are kept.

    Raises
    ------
    DataError
        If scores do not suit the test or are not defined.
    ValueError
        If an argument is not as described.
    Stopped
        If it was stopped before one dataset was done.

    References
    ----------
    Søgaard et al. (CoNLL 2014), section 4 and Table 4.
    """
    check_two_systems(a, b, result_set.systems)
    level = check_alpha(alpha)
    check_choice(alternative, TEST_ALTERNATIVES, name="alternative")
    parts = _checked_shares(shares)
    n_subsamples = positive_number("n_subsamples", n_subsamples)
    n_resamples = positive_number("n_resamples", n_resamples)
    seed = seed_of(rng)
    chosen = _checked_datasets(result_set, datasets)
    some = cast(ComparedSystems, _Some(result_set, chosen))
    plans = planned_tests(
        some, a=a, b=b, test=_of_these(test, chosen), metric=_of_these(metric, chosen)
    )
    total = len(chosen) * (1 + n_subsamples * (len(parts) - 1))
    done = 0

    def keep_going() -> bool:
        return goes_on(on_progress, done, total)

    def advance(number: int) -> None:
        nonlocal done
        done += number

    results: list[DatasetSubsamples] = []
    try:
        for name in chosen:
            plan = plans[name]
            full = run_planned(
                result_set,
                name,
                plan,
                a=a,
                b=b,
                settings=Settings(n_resamples=n_resamples),
                seed=seed,
                keep_going=keep_going,
            )
            advance(1)
            own = subsampled(result_set, name, plan, a=a, b=b)
            points = _points(
                own,
                parts[:-1],
                alpha=level,
                n_subsamples=n_subsamples,
                n_resamples=n_resamples,
                alternative=alternative,
                seed=seed,
                keep_going=keep_going,
                advance=advance,
            )
            results.append(
                DatasetSubsamples.of(own, full, points, alternative=alternative, alpha=level)
            )
    except Stopped:
        if not results:
            raise Stopped("The study was stopped before one dataset was done.") from None
    if on_progress is not None and done == total:
        on_progress(total, total)
    return SubsampleStudy(
        datasets=tuple(results),
        system_a=a,
        system_b=b,
        alternative=alternative,
        alpha=level,
        shares=parts,
        n_subsamples=n_subsamples,
        n_resamples=n_resamples,
        seed=seed,
        fingerprint=str(getattr(result_set, "fingerprint", "")),
        complete=len(results) == len(chosen),
    )


def _points(
    own: Subsampled,
    shares: tuple[float, ...],
    *,
    alpha: float,
    n_subsamples: int,
    n_resamples: int,
    alternative: TestAlternative,
    seed: int,
    keep_going: KeepGoing,
    advance: Callable[[int], None],
) -> tuple[SubsamplePoint, ...]:
    sizes = [units_of(share, own.n_units) for share in shares]
    p_values: list[list[FloatArray]] = [[] for _ in sizes]
    beyond: list[list[BoolArray]] = [[] for _ in sizes]
    examples: list[list[FloatArray]] = [[] for _ in sizes]
    orders = random_orders(own.n_units, n_subsamples, seed=seed, dataset=own.dataset)

    def test(drawn: IntArray, place: int) -> None:
        found = own.p_values(
            drawn,
            alternative=alternative,
            n_resamples=n_resamples,
            seed=seed,
            keep_going=keep_going,
        )
        p_values[place].append(found.p_values)
        beyond[place].append(found.out_of_reach)
        examples[place].append(own.n_examples_of(drawn).astype(np.float64))
        advance(drawn.shape[0])

    methods = [own.method_of(size) for size in sizes]
    for chunk in orders if sizes else ():
        n_rows = chunk.shape[0]
        # What shares its resamples among all subsamples of a size asks by itself while it draws.
        alone = {
            place: 1 if method is None else _TOLD_OF
            for place, method in enumerate(methods)
            if method in (None, "exact")
        }
        # All sizes in turn, as the large ones take longer: so what is done tells what is left.
        for start in range(0, n_rows, _TOLD_OF):
            stop = min(start + _TOLD_OF, n_rows)
            for place, step in alone.items():
                for first in range(start, stop, step):
                    test(chunk[first : min(first + step, stop), : sizes[place]], place)
        for place, size in enumerate(sizes):
            if place not in alone:
                test(chunk[:, :size], place)
    return tuple(
        SubsamplePoint(
            share=share,
            n_units=size,
            n_examples=int(np.median(np.concatenate(examples[place]))),
            p_values=np.concatenate(p_values[place]),
            out_of_reach=np.concatenate(beyond[place]),
            method=methods[place] or "one-by-one",
            alpha=alpha,
        )
        for place, (share, size) in enumerate(zip(shares, sizes, strict=True))
    )


def units_of(share: float, n_units: int) -> int:
    """How many units a share of a dataset is, at least 1."""
    return max(1, int(np.floor(share * n_units + 0.5)))


def _checked_datasets(
    result_set: ComparedSystems, datasets: Sequence[str] | None
) -> tuple[str, ...]:
    chosen = result_set.datasets if datasets is None else tuple(datasets)
    if not chosen:
        raise ValueError("`datasets` must name at least one dataset; got none.")
    for name in chosen:
        check_choice(name, result_set.datasets, name="datasets")
    return chosen


def _checked_shares(shares: Sequence[float]) -> tuple[float, ...]:
    given = tuple(float(share) for share in shares)
    wrong = [share for share in given if not 0.0 < share <= 1.0]
    if not given or wrong:
        came = repr(wrong[0]) if wrong else "none"
        raise ValueError(f"`shares` must lie above 0 and at most at 1; got {came}.")
    return tuple(sorted({*given, 1.0}))


def _of_these(given: Any, datasets: tuple[str, ...]) -> Any:
    """What is given for these datasets, where it is given by dataset."""
    if not isinstance(given, Mapping):
        return given
    return {name: given[name] for name in datasets if name in given}


class _Some:
    """A set of results with some of its datasets."""

    def __init__(self, whole: ComparedSystems, datasets: tuple[str, ...]) -> None:
        self.datasets = datasets
        self._whole = whole

    def __getattr__(self, name: str) -> Any:
        return getattr(self._whole, name)

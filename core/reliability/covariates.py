"""P-values along a numeric covariate, such as sentence length, beside what chance alone gives.

Two questions stand beside each other. Is A better on the examples with at most
(at least) so much of the covariate? That is each p-value of the curve, of a cut-off
fixed beforehand. Does the difference depend on the covariate at all? That compares
the curve with curves of random orders of the same examples.

Vocabulary
----------
cut-off
    A value of the covariate; a part of the examples has at most that much, a part
    at least.
band
    Where p-values of random orders lie, at each cut-off: parts of the same sizes,
    drawn at random.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from core.metrics.per_example import other_than_binary
from core.metrics.registry import MEAN
from core.reliability.cut_off_tests import CutOffTest, Sides, part_of
from core.reliability.cut_offs import CutOffCurve, CutOffStudy, Side
from core.significance.choose import choose_test, suitable_tests
from core.significance.differences import Differences, paired_differences
from core.significance.settings import positive_number
from core.significance.stopping import Stopped
from core.significance.streams import Rng, dataset_stream, seed_of
from core.types import FloatArray, IntArray
from core.validation import check_alpha, check_choice

if TYPE_CHECKING:
    from core.reliability.pairs import Progress

# The default cut-offs part the examples into so many.
_PARTS = 20
BAND = (0.05, 0.95)
# Entries of orders held at once.
_ENTRIES = 1 << 20

NORMAL_BOOTSTRAP = (
    "the paired bootstrap's p-values are those of the normal distribution it tends to"
)


def cut_off_study(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    covariate: npt.ArrayLike,
    *,
    test: str = "auto",
    alpha: float = 0.05,
    cut_offs: Sequence[float] | None = None,
    n_random: int = 200,
    n_resamples: int = 999,
    rng: Rng = 0,
    dataset: str = "",
    name: str = "",
    on_progress: Progress | None = None,
) -> CutOffStudy:
    """Test "A is better" on the examples with at most, and with at least, each cut-off.

    Parameters
    ----------
    a, b : array_like, shape (n,)
        Scores of the two systems that are averaged, higher being better.
    covariate : array_like, shape (n,)
        A number for each example; one with nan is in no part, and is said to be.
    test : str
        One of the tests of averages, or "auto": exact McNemar where every score
        is 0 or 1, else Wilcoxon. McNemar's, the sign test, the t-test and the
        bootstrap (by the normal distribution that it tends to) need sums only;
        Wilcoxon and randomization take longer.
    alpha : float
        In (0, 1); `CutOffStudy.at_level` changes it without a new run.
    cut_offs : sequence of float, optional
        By default the values that part the examples in twentieths.
    n_random : int
        Random orders; fewer are the first of more.
    n_resamples : int
        Of randomization, where it is not exact.
    rng : int or Generator
        Seed.
    dataset, name : str
        Names of the dataset and of the covariate.
    on_progress : callable, optional
        Called as ``on_progress(done, total)`` with numbers of orders. Returning
        False stops and keeps the random orders done.

    Raises
    ------
    ValueError
        If an argument is not as described.
    Stopped
        If it was stopped before one random order was done.

    References
    ----------
    Søgaard et al. (CoNLL 2014), section 3; for the largest contrast over
    cut-offs, Miller and Siegmund (Biometrics 1982).
    """
    first, second = _scores(a, "a"), _scores(b, "b")
    if first.size != second.size:
        raise ValueError(
            f"`a` and `b` must have one score an example each; got {first.size} and {second.size}."
        )
    zero_one = not (other_than_binary(first) or other_than_binary(second))
    suitable = suitable_tests(MEAN, zero_one=zero_one)
    chosen, _ = choose_test(first, second)
    wanted = check_choice(test, ("auto", *suitable), name="test")
    return study_of_differences(
        paired_differences(first, second),
        covariate,
        test=chosen if wanted == "auto" else wanted,
        alpha=alpha,
        cut_offs=cut_offs,
        n_random=n_random,
        n_resamples=n_resamples,
        rng=rng,
        dataset=dataset,
        name=name,
        on_progress=on_progress,
    )


def study_of_differences(
    differences: Differences,
    covariate: npt.ArrayLike,
    *,
    test: str,
    alpha: float = 0.05,
    cut_offs: Sequence[float] | None = None,
    n_random: int = 200,
    n_resamples: int = 999,
    rng: Rng = 0,
    dataset: str = "",
    name: str = "",
    metric: str = "",
    notes: tuple[str, ...] = (),
    on_progress: Progress | None = None,
) -> CutOffStudy:
    """As `cut_off_study`, of differences and a test that suits them."""
    level = check_alpha(alpha)
    total = positive_number("n_random", n_random)
    seed = seed_of(rng)
    given = _values(covariate, differences.n)
    known = ~np.isnan(given)
    values, n_missing = given[known], int(np.count_nonzero(~known))
    if n_missing:
        differences = part_of(differences, np.flatnonzero(known))
    cuts = _cut_offs(cut_offs, values)
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    n_low = np.searchsorted(ordered, cuts, side="right")
    n_high = ordered.size - np.searchsorted(ordered, cuts, side="left")
    runner = CutOffTest(
        differences=differences,
        test=test,
        n_at_most=n_low,
        n_at_least=n_high,
        n_resamples=positive_number("n_resamples", n_resamples),
        seed=seed,
    )
    done = 0

    def keep_going() -> bool:
        return on_progress is None or on_progress(done, total) is not False

    whole = replace(runner, n_at_most=np.array([ordered.size]), n_at_least=np.array([ordered.size]))
    of_all = float(whole.p_values(order[np.newaxis], keep_going).at_most[0, 0])
    observed = runner.p_values(order[np.newaxis], keep_going)
    contrasts = runner.contrasts(order[np.newaxis])[0]
    stream = dataset_stream(seed, dataset, "cut-off orders")
    random = Sides(at_most=np.empty((total, cuts.size)), at_least=np.empty((total, cuts.size)))
    largest = np.empty(total)
    step = max(1, _ENTRIES // ordered.size) if runner.is_quick else 1
    for start in range(0, total, step):
        stop = min(start + step, total)
        try:
            if not keep_going():
                break
            orders = np.stack([stream.permutation(ordered.size) for _ in range(start, stop)])
            found = runner.p_values(orders, keep_going)
        except Stopped:
            break
        random.at_most[start:stop], random.at_least[start:stop] = found.at_most, found.at_least
        largest[start:stop] = runner.contrasts(orders).max(axis=1)
        done = stop
    if done == 0:
        raise Stopped("The study was stopped before one random order was done.")
    if on_progress is not None and done == total:
        on_progress(total, total)
    means = runner.sums(differences.values[order][np.newaxis])
    quick_bootstrap = (NORMAL_BOOTSTRAP,) if test == "paired-bootstrap" else ()
    return CutOffStudy(
        dataset=dataset,
        covariate=name,
        metric=metric,
        test=test,
        unit=differences.unit,
        alpha=level,
        n_examples=ordered.size,
        n_missing=n_missing,
        p_value_of_all=of_all,
        at_most=_curve(
            "at most", cuts, n_low, means.at_most[0], observed.at_most[0], random.at_most[:done]
        ),
        at_least=_curve(
            "at least",
            cuts,
            n_high,
            means.at_least[0],
            observed.at_least[0],
            random.at_least[:done],
        ),
        smallest_of_random=random.both[:done].min(axis=1),
        contrasts=contrasts,
        largest_contrast_of_random=largest[:done].copy(),
        n_asked=total,
        n_resamples=n_resamples if test == "approximate-randomization" else None,
        seed=seed,
        notes=(*notes, *quick_bootstrap),
    )


def _curve(
    side: Side,
    cuts: FloatArray,
    n_examples: IntArray,
    sums: FloatArray,
    p_values: FloatArray,
    random: FloatArray,
) -> CutOffCurve:
    low, middle, high = np.quantile(random, (BAND[0], 0.5, BAND[1]), axis=0)
    with np.errstate(invalid="ignore"):
        differences = np.where(n_examples > 0, sums / np.maximum(n_examples, 1), np.nan)
    return CutOffCurve(
        side=side,
        cut_offs=cuts,
        n_examples=n_examples,
        differences=differences,
        p_values=p_values,
        low=low,
        middle=middle,
        high=high,
    )


def _scores(values: npt.ArrayLike, name: str) -> FloatArray:
    try:
        scores = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"`{name}` must be numbers, one an example.") from None
    if scores.ndim != 1 or scores.size == 0:
        raise ValueError(
            f"`{name}` must hold one score an example, and at least one; got shape {scores.shape}."
        )
    if not np.isfinite(scores).all():
        raise ValueError(f"`{name}` must be finite.")
    return scores


def _values(covariate: npt.ArrayLike, n: int) -> FloatArray:
    try:
        values = np.asarray(covariate, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError("`covariate` must be numbers, one an example.") from None
    if values.shape != (n,):
        raise ValueError(
            f"`covariate` must hold one number an example, {n} of them; got shape {values.shape}."
        )
    if np.isinf(values).any():
        raise ValueError("`covariate` must be finite, or nan where an example has none.")
    known = values[~np.isnan(values)]
    if known.size == 0:
        raise ValueError(f"`covariate` must be known of some examples; none of {n} has it.")
    if bool((known == known[0]).all()):
        raise ValueError(
            f"`covariate` must vary; all examples have {float(known[0])!r}. Choose another."
        )
    return values


def _cut_offs(given: Sequence[float] | None, values: FloatArray) -> FloatArray:
    if given is None:
        # In whole numbers: .55 · 200 is above 110 in floats.
        places = -(-np.arange(1, _PARTS) * values.size // _PARTS) - 1
        return np.unique(np.sort(values)[places])
    cuts = np.unique(np.asarray(given, dtype=np.float64))
    if cuts.size == 0 or not np.isfinite(cuts).all():
        raise ValueError("`cut_offs` must be finite numbers, at least one.")
    if not bool(((cuts >= values.min()) & (cuts <= values.max())).any()):
        raise ValueError(
            f"`cut_offs` must have one between {float(values.min())!r} and "
            f"{float(values.max())!r}, the covariate's ends."
        )
    return cuts

"""Which way of combining effects predicts new datasets best: Søgaard's experiment.

k datasets are drawn, their effects are combined in each way, and each estimate is
compared with the mean effect of other datasets; again and again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ..signature import bytes_of_numbers, short_fingerprint, signature_line
from ..significance.differences import TIE_TOLERANCE, paired_differences
from ..significance.settings import Rng, dataset_stream, positive_number, seed_of
from ..significance.stopping import Stopped, goes_on
from ..significance.wilcoxon import wilcoxon
from ..types import FloatArray, IntArray
from .heterogeneity import moment_tau2, weighted_mean
from .inputs import checked_effects, checked_sizes, checked_variances
from .meta_analysis import gumbel_estimate

if TYPE_CHECKING:
    import pandas as pd

FEWEST_FOR_EXPERIMENT = 10
DEFAULT_SIZES = (5, 10, 15)
_STREAM = "prediction-experiment"
_TOLD_EACH = 20
# Mean errors that are apart by no more than this share are equal but for rounding.
_SAME = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PredictionExperiment:
    """How far each way of combining is from the effect on other datasets.

    Attributes
    ----------
    methods : tuple of str
        Names of averages and models: "macro-average", "micro-average" where sizes are known, "fixed",
        "random" with DerSimonian and Laird's τ² as in the paper, "gumbel".
    sizes : tuple of int
        How many datasets are drawn, k.
    n_datasets, n_held_out, n_repetitions : int
        Of how many datasets; how many others an estimate is compared with; how
        often for each k.
    errors : ndarray, shape (n_sizes, n_methods, n_repetitions)
        Estimate less the mean effect of those held out; nan for what was not
        reached.
    p_values : ndarray, shape (n_sizes, n_methods)
        Two-sided Wilcoxon p of the absolute errors against the macro-average's,
        nan for itself. Descriptive: the draws overlap, so that they are not
        independent, and more repetitions make p smaller without more datasets.
    seed : int
        Of the draws.
    content : str
        A fingerprint of the effects, variances and sizes.
    complete : bool
        False if it was stopped.
    """

    methods: tuple[str, ...]
    sizes: tuple[int, ...]
    n_datasets: int
    n_held_out: int
    n_repetitions: int
    errors: FloatArray
    p_values: FloatArray
    seed: int
    content: str = ""
    complete: bool = True

    @property
    def n_done(self) -> IntArray:
        """Repetitions that were done for each size, shape (n_sizes,)."""
        done: IntArray = np.isfinite(self.errors[:, 0, :]).sum(axis=1)
        return done

    @property
    def mean_absolute_errors(self) -> FloatArray:
        """Shape (n_sizes, n_methods); nan where nothing was done."""
        return _means(np.abs(self.errors))

    @property
    def mean_signed_errors(self) -> FloatArray:
        """Shape (n_sizes, n_methods): positive where estimates are too large."""
        return _means(self.errors)

    @property
    def best(self) -> tuple[str | None, ...]:
        """For each size the first method of smallest mean absolute error; None where nothing was done."""
        found = []
        for row in self.mean_absolute_errors:
            as_small = row <= float(row.min()) * (1.0 + _SAME)
            found.append(self.methods[int(np.argmax(as_small))] if as_small.any() else None)
        return tuple(found)

    @property
    def signature(self) -> str:
        """The line that reproduces the errors."""
        return signature_line(
            experiment="prediction",
            datasets=self.n_datasets,
            sizes=",".join(str(size) for size in self.sizes),
            held_out=self.n_held_out,
            repetitions=self.n_repetitions,
            seed=self.seed,
            effects=short_fingerprint(self.content) if self.content else None,
        )

    def to_frame(self) -> pd.DataFrame:
        """A row for each size and method."""
        import pandas as pd

        absolute, signed = self.mean_absolute_errors, self.mean_signed_errors
        rows = [
            (size, method, int(self.n_done[i]), absolute[i, j], signed[i, j], self.p_values[i, j])
            for i, size in enumerate(self.sizes)
            for j, method in enumerate(self.methods)
        ]
        names = ["k", "method", "n_repetitions", "mean_absolute_error", "mean_signed_error"]
        return pd.DataFrame(rows, columns=[*names, "wilcoxon_p_value"])


def prediction_experiment(
    effects: npt.ArrayLike,
    variances: npt.ArrayLike,
    n_examples: npt.ArrayLike | None = None,
    *,
    sizes: Sequence[int] | None = None,
    n_held_out: int = 5,
    n_repetitions: int = 20,
    rng: Rng = 0,
    on_progress: Callable[[int, int], object] | None = None,
) -> PredictionExperiment:
    """Draw datasets, combine their effects, and compare with others; for several sizes.

    The draws of one size depend on the seed, the number of datasets and the size,
    and on no other size.

    Parameters
    ----------
    effects, variances : array_like, shape (N,)
        Of at least 10 datasets.
    n_examples : array_like, shape (N,), optional
        Sizes, for the micro-average.
    sizes : sequence of int, optional
        How many datasets are drawn; 5, 10 and 15 by default, as far as enough are
        left to be held out.
    n_held_out : int
        With how many others an estimate is compared.
    n_repetitions : int
        How often for each size.
    rng : int or Generator
        Seed; of a Generator, one integer is drawn.
    on_progress : callable, optional
        Called as ``on_progress(done, total)`` with numbers of repetitions.
        Returning False stops; what is done is kept.

    Raises
    ------
    ValueError
        If there are fewer than 10 datasets, or an argument is not as described.
    Stopped
        If it was stopped before anything was done.

    References
    ----------
    Søgaard (NAACL 2013), section 4.
    """
    values = checked_effects(effects)
    n = values.size
    if n < FEWEST_FOR_EXPERIMENT:
        raise ValueError(
            f"`effects` must hold at least {FEWEST_FOR_EXPERIMENT} entries, as datasets are held "
            f"out; got {n}."
        )
    within = checked_variances(variances, n_effects=n)
    counts = None if n_examples is None else checked_sizes(n_examples, n_effects=n)
    held_out = positive_number("n_held_out", n_held_out)
    repetitions = positive_number("n_repetitions", n_repetitions)
    asked = _checked_draws(sizes, n=n, n_held_out=held_out)
    seed = seed_of(rng)
    micro = ("micro-average",) if counts is not None else ()
    methods = ("macro-average", *micro, "fixed", "random", "gumbel")
    errors = np.full((len(asked), len(methods), repetitions), np.nan)
    total, done = len(asked) * repetitions, 0
    going = True
    for i, size in enumerate(asked):
        stream = dataset_stream(seed, f"{n} datasets, {size} drawn, {held_out} held out", _STREAM)
        for repetition in range(repetitions):
            if done % _TOLD_EACH == 0:
                going = goes_on(on_progress, done, total)
            if not going:
                break
            order = stream.permutation(n)
            drawn, others = order[:size], order[size : size + held_out]
            estimates = _estimates(
                values[drawn], within[drawn], None if counts is None else counts[drawn]
            )
            errors[i, :, repetition] = np.array(estimates) - values[others].mean()
            done += 1
        if not going:
            break
    if done == 0:
        raise Stopped("The experiment was stopped before anything was done.")
    if on_progress is not None and done == total:
        on_progress(total, total)
    room = TIE_TOLERANCE * float(np.abs(values).max())
    p_values = np.array([_against_macro(of_size, room=room) for of_size in errors])
    errors.flags.writeable = p_values.flags.writeable = False
    return PredictionExperiment(
        methods=methods,
        sizes=asked,
        n_datasets=n,
        n_held_out=held_out,
        n_repetitions=repetitions,
        errors=errors,
        p_values=p_values,
        seed=seed,
        content=sha256(b";".join(map(bytes_of_numbers, (values, within, counts)))).hexdigest(),
        complete=done == total,
    )


def _estimates(
    effects: FloatArray, variances: FloatArray, sizes: IntArray | None
) -> tuple[float, ...]:
    """Of each method, in their order."""
    tau2 = max(0.0, moment_tau2(effects, variances))
    micro = () if sizes is None else (float(sizes @ effects) / float(sizes.sum()),)
    return (
        float(effects.mean()),
        *micro,
        weighted_mean(effects, variances)[0],
        weighted_mean(effects, variances + tau2)[0],
        gumbel_estimate(effects, variances)[0],
    )


def _against_macro(errors: FloatArray, *, room: float) -> FloatArray:
    """P-values of the absolute errors against the first method's, shape (n_methods,).

    Errors that are no more than `room` apart are ties, and so are differences of
    errors: with equal variances a weighted mean is the plain one but for
    rounding, and two draws of the same datasets differ by the same.
    """
    sizes = np.abs(errors[:, np.isfinite(errors[0])])
    p_values = np.full(errors.shape[0], np.nan)
    if sizes.shape[1] == 0:
        return p_values
    for j in range(1, errors.shape[0]):
        differences = paired_differences(sizes[j], sizes[0], room=room)
        outcome = wilcoxon(differences, alternative="two-sided")
        p_values[j] = outcome.p_values.two_sided
    return p_values


def _checked_draws(sizes: Sequence[int] | None, *, n: int, n_held_out: int) -> tuple[int, ...]:
    most = n - n_held_out
    if most < 2:
        raise ValueError(
            f"`n_held_out` must leave at least two of {n} datasets to be drawn; got {n_held_out}."
        )
    if sizes is None:
        return tuple(size for size in DEFAULT_SIZES if size <= most) or (most,)
    asked = tuple(positive_number("sizes", size) for size in sizes)
    wrong = [size for size in asked if not 2 <= size <= most]
    if not asked or wrong or len(set(asked)) < len(asked):
        raise ValueError(
            f"`sizes` must be different whole numbers from 2 to {most}, as {n_held_out} of {n} "
            f"datasets are held out; got {list(asked)!r}."
        )
    return asked


def _means(errors: FloatArray) -> FloatArray:
    """Means over the repetitions that were done."""
    done = np.isfinite(errors)
    number = done.sum(axis=-1)
    total = np.where(done, errors, 0.0).sum(axis=-1)
    means: FloatArray = np.where(number > 0, total / np.maximum(number, 1), np.nan)
    return means

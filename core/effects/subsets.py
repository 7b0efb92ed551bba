"""Effects of parts of the datasets: without each in turn, of groups, of those drawn.

Søgaard's experiment draws k datasets, combines their effects in each way, and compares
each estimate with the mean effect of other datasets; again and again.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from hashlib import sha256

import numpy as np
import numpy.typing as npt

from ..metrics.registry import divided
from ..shown import DataFrame, frame_of
from ..signature import bytes_of_numbers, short_fingerprint, signature_line
from ..significance.differences import TIE_TOLERANCE, paired_differences
from ..significance.paired_tests import wilcoxon
from ..significance.settings import Rng, dataset_stream, seed_of
from ..significance.stopping import Steps
from ..types import FloatArray, IntArray, frozen, grouped
from ..validation import check_whole
from .heterogeneity import cochran_q, moment_tau2, tau2_where, weighted_mean
from .meta_analysis import MetaAnalysis, gumbel_estimate, meta_analysis


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Influence:
    """The combined effect without each dataset: entry i of `without` is without dataset i."""

    whole: MetaAnalysis
    without: tuple[MetaAnalysis, ...]

    @property
    def estimates(self) -> FloatArray:
        """The combined effect without each dataset, shape (M,)."""
        return np.array([one.estimate for one in self.without])

    @property
    def shifts(self) -> FloatArray:
        """How far the combined effect moves where a dataset is left out, shape (M,)."""
        return self.estimates - self.whole.estimate

    @property
    def most_influential(self) -> int:
        """The place of the dataset that moves the combined effect most; of several, the first."""
        sizes = np.abs(self.shifts)
        # Shifts that are the same but for rounding are the same.
        return int(np.flatnonzero(sizes >= sizes.max() * (1.0 - 1e-9))[0])

    @property
    def changes_sign(self) -> tuple[int, ...]:
        """Places of the datasets without which the combined effect is on the other side of 0."""
        return tuple(int(i) for i in np.flatnonzero(self.estimates * self.whole.estimate < 0.0))

    def to_frame(self, datasets: Sequence[str] | None = None) -> DataFrame:
        """A row for each dataset that is left out, with the interval to state."""
        names = range(len(self.without)) if datasets is None else datasets
        low, high = np.array([one.interval for one in self.without]).T
        return frame_of(
            {
                "left_out": list(names),
                "estimate": self.estimates,
                "low": low,
                "high": high,
                "shift": self.shifts,
                "tau2": [one.tau2 for one in self.without],
                "i2": [one.i2 for one in self.without],
            }
        )


def leave_one_out(
    effects: npt.ArrayLike,
    variances: npt.ArrayLike,
    *,
    confidence_level: float = 0.95,
    tau2: str = "paule-mandel",
) -> Influence:
    """Repeat a meta-analysis, of at least two datasets, without each in turn."""
    whole = meta_analysis(effects, variances, confidence_level=confidence_level, tau2=tau2)
    without = [
        meta_analysis(
            np.delete(whole.effects, i),
            np.delete(whole.variances, i),
            confidence_level=confidence_level,
            tau2=tau2,
        )
        for i in range(whole.n_datasets)
    ]
    return Influence(whole=whole, without=tuple(without))


@dataclass(frozen=True, slots=True, kw_only=True)
class BetweenGroups:
    """Whether groups of datasets have one mean effect.

    `q` is Q of the groups' means, weighted by their variances, with one τ² for all: that at which
    the groups' Q add up to M less their number. Its p-value is by F of Q over its degrees of
    freedom. Both are None for one group, and where each is one dataset. Borenstein, Hedges, Higgins
    and Rothstein (Introduction to Meta-Analysis 2009), chapter 19; Knapp and Hartung (Statistics in
    Medicine 2003) for the F-test.
    """

    n_groups: int
    q: float | None
    p_value: float | None
    degrees_of_freedom: int
    degrees_of_freedom_within: int


def between_groups(
    effects: FloatArray, variances: FloatArray, groups: Sequence[Hashable]
) -> BetweenGroups:
    """Compare the mean effects of groups of datasets."""
    from scipy.special import fdtrc

    places = grouped((group, i) for i, group in enumerate(groups))
    members = [np.array(own, dtype=np.intp) for own in places.values()]
    between, inside = len(members) - 1, effects.size - len(members)
    q, p_value = None, None
    if between and inside:
        expected = np.array([float(inside)])
        total = variances + float(tau2_where(effects, variances, expected, members=members)[0])
        means = np.array([weighted_mean(effects[own], total[own]) for own in members])
        q = cochran_q(means[:, 0], means[:, 1])
        p_value = float(fdtrc(between, inside, q / between))
    return BetweenGroups(
        n_groups=len(members),
        q=q,
        p_value=p_value,
        degrees_of_freedom=between,
        degrees_of_freedom_within=inside,
    )


FEWEST_FOR_EXPERIMENT, N_HELD_OUT = 10, 5
_STREAM = "prediction-experiment"
_TOLD_EACH = 20
# Mean errors that are apart by no more than this share are equal but for rounding.
_SAME = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PredictionExperiment:
    """How far each way of combining is from the effect on other datasets.

    "random" is with DerSimonian and Laird's τ² as in the paper. Errors, shape (n_sizes, n_methods,
    n_repetitions), are an estimate from k drawn datasets less the mean effect of the `N_HELD_OUT`;
    nan for what was not reached. `p_values`, shape (n_sizes, n_methods), are two-sided Wilcoxon p
    of the absolute errors against the macro-average's; descriptive, as the draws overlap.
    """

    methods: tuple[str, ...]
    sizes: tuple[int, ...]
    n_datasets: int
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
            held_out=N_HELD_OUT,
            repetitions=self.n_repetitions,
            seed=self.seed,
            effects=short_fingerprint(self.content) or None,
        )

    def to_frame(self) -> DataFrame:
        """A row for each size and method."""
        absolute, signed = self.mean_absolute_errors, self.mean_signed_errors
        rows = [
            (size, method, int(self.n_done[i]), absolute[i, j], signed[i, j], self.p_values[i, j])
            for i, size in enumerate(self.sizes)
            for j, method in enumerate(self.methods)
        ]
        names = ["k", "method", "n_repetitions", "mean_absolute_error", "mean_signed_error"]
        return frame_of(rows, columns=[*names, "wilcoxon_p_value"])


def prediction_experiment(
    effects: FloatArray,
    variances: FloatArray,
    n_examples: IntArray | None = None,
    *,
    sizes: Sequence[int] = (5, 10, 15),
    n_repetitions: int = 20,
    rng: Rng = 0,
    on_progress: Callable[[int, int], object] | None = None,
) -> PredictionExperiment:
    """Draw datasets, combine their effects, and compare with others: Søgaard (2013), section 4.

    Of at least 10 datasets. The draws of one size depend on the seed, the number of datasets and
    the size.
    """
    n = effects.size
    repetitions = check_whole(n_repetitions, name="n_repetitions", least=1)
    asked = tuple(size for size in sizes if size <= n - N_HELD_OUT)
    seed = seed_of(rng)
    micro = ("micro-average",) if n_examples is not None else ()
    methods = ("macro-average", *micro, "fixed", "random", "gumbel")
    errors = np.full((len(asked), len(methods), repetitions), np.nan)
    steps = Steps(on_progress, total=len(asked) * repetitions)
    for i, size in enumerate(asked):
        stream = dataset_stream(seed, f"{n} datasets, {size} drawn, {N_HELD_OUT} held out", _STREAM)
        for repetition in range(repetitions):
            if steps.done % _TOLD_EACH == 0 and not steps.keep_going():
                break
            order = stream.permutation(n)
            drawn, others = order[:size], order[size : size + N_HELD_OUT]
            sizes_drawn = None if n_examples is None else n_examples[drawn]
            estimates = _estimates(effects[drawn], variances[drawn], sizes_drawn)
            errors[i, :, repetition] = np.array(estimates) - effects[others].mean()
            steps.done += 1
        if not steps.going:
            break
    complete = steps.end("The experiment was stopped before anything was done.")
    room = TIE_TOLERANCE * float(np.abs(effects).max())
    return PredictionExperiment(
        methods=methods,
        sizes=asked,
        n_datasets=n,
        n_repetitions=repetitions,
        errors=frozen(errors),
        p_values=frozen(np.array([_against_macro(of_size, room=room) for of_size in errors])),
        seed=seed,
        content=sha256(
            b";".join(map(bytes_of_numbers, (effects, variances, n_examples)))
        ).hexdigest(),
        complete=complete,
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

    No more than `room` apart they tie.
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


def _means(errors: FloatArray) -> FloatArray:
    """Means over the repetitions that were done."""
    return divided(np.nansum(errors, axis=-1), np.isfinite(errors).sum(axis=-1))

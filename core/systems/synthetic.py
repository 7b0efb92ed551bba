"""More systems where few exist: the same models fitted again on resampled training data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Sized
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from ..data.result_set import ResultSet
from ..shown import DataFrame, frame_of
from ..signature import signature_line
from ..significance.settings import Rng, dataset_stream, positive_number, seed_of
from ..significance.stopping import Progress, Steps, Stopped
from ..types import FloatArray, IntArray

# From places in the training data and a Generator to one score for each test example.
FitPredict = Callable[[IntArray, np.random.Generator], npt.ArrayLike]
FRACTIONS = (1.0, 0.5, 0.25)


@dataclass(frozen=True, slots=True, kw_only=True)
class SyntheticSystem:
    """One fitted copy of a base model, "<base model>:<per cent of the training data>:<number>".

    `fraction`: the size of its resampled training set, of the whole.
    """

    name: str
    base_model: str
    fraction: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SyntheticSystems:
    """Systems made by refitting, and their scores on one test set.

    `scores`, shape (n, n_systems): of each test example, higher being better.
    """

    systems: tuple[SyntheticSystem, ...]
    scores: FloatArray
    n_training: int
    n_asked: int
    seed: int
    groups: Mapping[str, str] = field(init=False)

    def __post_init__(self) -> None:
        groups = {system.name: system.base_model for system in self.systems}
        object.__setattr__(self, "groups", groups)

    @property
    def complete(self) -> bool:
        """Whether all systems asked for were fitted."""
        return len(self.systems) == self.n_asked

    @property
    def signature(self) -> str:
        """The one line that names what the systems depend on beside model and data."""
        fractions = dict.fromkeys(f"{one.fraction:g}" for one in self.systems)
        return signature_line(
            analysis="synthetic-systems",
            models="+".join(dict.fromkeys(one.base_model for one in self.systems)),
            fractions="+".join(fractions),
            systems=self.n_asked,
            done=None if self.complete else len(self.systems),
            training=self.n_training,
            seed=self.seed,
        )

    def to_result_set(self, dataset: str) -> ResultSet:
        """The scores as a set of results with one dataset."""
        columns = {one.name: self.scores[:, k] for k, one in enumerate(self.systems)}
        return ResultSet.from_scores({dataset: columns})

    def to_frame(self) -> DataFrame:
        """A row for each system: name, base model, fraction and mean score."""
        return frame_of(
            {
                "system": [one.name for one in self.systems],
                "base_model": [one.base_model for one in self.systems],
                "fraction": [one.fraction for one in self.systems],
                "score": self.scores.mean(axis=0),
            }
        )


def synthetic_systems(
    fit_predict: Mapping[str, FitPredict],
    training_data: int | Sized,
    *,
    fractions: Sequence[float] = FRACTIONS,
    n_per_fraction: int = 10,
    rng: Rng = 0,
    on_progress: Progress | None = None,
) -> SyntheticSystems:
    """Fit each base model again and again on resampled training sets.

    Raises Stopped if it was stopped before two systems were done.

    Parameters
    ----------
    fit_predict : mapping of base model to callable
        Called as ``fit_predict(places, rng)`` with places in the training data,
        drawn with replacement; fits the model on them and gives one score for
        each test example, higher being better: 1 where it is right, 0 where not.
    fractions : sequence of float
        Sizes of the resampled training sets, of the whole: full, half, quarter.
    rng : int or Generator
        Seed. A system depends on it, its base model, size and number alone.
    on_progress : callable, optional
        Called as ``on_progress(done, total)`` in systems. Returning False stops
        and keeps those done.

    References
    ----------
    Berg-Kirkpatrick, Burkett and Klein (EMNLP-CoNLL 2012), section 3.2.
    """
    n = training_data if isinstance(training_data, int) else len(training_data)
    if n < 1:
        raise ValueError(f"`training_data` must have at least one example; got {n}.")
    if not fit_predict:
        raise ValueError("`fit_predict` must name at least one base model; got none.")
    wrong = [share for share in fractions if not 0.0 < share <= 1.0]
    if wrong or not fractions:
        raise ValueError(f"`fractions` must lie in (0, 1]; got {wrong[0] if wrong else 'none'}.")
    n_per_fraction = positive_number("n_per_fraction", n_per_fraction)
    seed = seed_of(rng)
    planned = [
        SyntheticSystem(
            name=f"{model}:{100.0 * share:g}:{number + 1}", base_model=model, fraction=share
        )
        for model in fit_predict
        for share in dict.fromkeys(fractions)
        for number in range(n_per_fraction)
    ]
    steps = Steps(on_progress, total=len(planned))
    columns: list[FloatArray] = []
    for system in planned:
        if not steps.keep_going():
            break
        stream = dataset_stream(seed, system.name, "synthetic-systems")
        places = stream.integers(0, n, size=max(1, round(system.fraction * n)))
        given = np.asarray(fit_predict[system.base_model](places, stream), dtype=np.float64)
        if given.ndim != 1 or not given.size or not np.isfinite(given).all():
            raise ValueError(
                f"`fit_predict` must give one finite score for each test example; "
                f"{system.base_model!r} gave an array of shape {given.shape}."
            )
        if columns and given.size != columns[0].size:
            raise ValueError(
                f"`fit_predict` must always give as many scores; got {given.size} from "
                f"{system.base_model!r} after {columns[0].size}."
            )
        columns.append(given)
        steps.done += 1
    if len(columns) < 2:
        raise Stopped("The fitting was stopped before two systems were done.")
    if len(columns) == len(planned):
        steps.finish()
    return SyntheticSystems(
        systems=tuple(planned[: len(columns)]),
        scores=np.column_stack(columns),
        n_training=n,
        n_asked=len(planned),
        seed=seed,
    )

"""More systems where few exist: the same models fitted again on resampled training data."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from ..data.result_set import ResultSet
from ..significance.settings import Rng, dataset_stream, seed_of
from ..types import IntArray
from ..validation import check_whole

# From places in the training data and a Generator to one score for each test example.
FitPredict = Callable[[IntArray, np.random.Generator], npt.ArrayLike]


def synthetic_systems(
    fit_predict: Mapping[str, FitPredict],
    n_training: int,
    *,
    dataset: str,
    fractions: Sequence[float] = (1.0, 0.5, 0.25),
    n_per_fraction: int = 10,
    rng: Rng = 0,
) -> ResultSet:
    """Fit each base model again and again on resampled training sets, and score one test set.

    A system is called "<base model>:<per cent of the training data>:<number>" and depends on its
    name and the seed alone. A base model is called as ``fit_predict(places, rng)`` with places in
    the training data, drawn with replacement, and gives one score for each test example, higher
    being better. Berg-Kirkpatrick, Burkett and Klein (EMNLP-CoNLL 2012), section 3.2.
    """
    check_whole(n_training, name="n_training", least=1)
    if not fit_predict:
        raise ValueError("`fit_predict` must name at least one base model; got none.")
    wrong = [share for share in fractions if not 0.0 < share <= 1.0]
    if wrong or not fractions:
        raise ValueError(f"`fractions` must lie in (0, 1]; got {wrong[0] if wrong else 'none'}.")
    n_per_fraction = check_whole(n_per_fraction, name="n_per_fraction", least=1)
    seed = seed_of(rng)
    scores: dict[str, npt.ArrayLike] = {}
    for model, fitted in fit_predict.items():
        for share in dict.fromkeys(fractions):
            for number in range(1, n_per_fraction + 1):
                name = f"{model}:{100.0 * share:g}:{number}"
                stream = dataset_stream(seed, name, "synthetic-systems")
                places = stream.integers(0, n_training, size=max(1, round(share * n_training)))
                given = np.asarray(fitted(places, stream), dtype=np.float64)
                if given.ndim != 1 or not given.size or not np.isfinite(given).all():
                    raise ValueError(
                        f"`fit_predict` must give one finite score for each test example; {model!r} "
                        f"gave an array of shape {given.shape}."
                    )
                scores[name] = given
    return ResultSet.from_scores({dataset: scores})

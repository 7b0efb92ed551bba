"""What a person chooses about an analysis, besides the data."""

from __future__ import annotations

from dataclasses import dataclass

from core.replicability.combinations import chosen_combination
from core.significance.intervals import IntervalKind
from core.significance.result import Estimator, Zeros
from core.types import Dependence


# Without slots, as two bases with slots cannot be one.
@dataclass(frozen=True, kw_only=True)
class AskedSettings:
    """What is asked, and of what.

    Attributes
    ----------
    alpha : float
        Level, strictly between 0 and 1.
    dependence : {"not-known", "positive", "independent"}
        What is claimed of the datasets; it decides which counts hold.
    combination : str
        How p-values are combined in the count in front; empty for what is usual under that
        answer.
    swapped : bool
        Whether A and B have changed places.
    excluded : tuple of str
        Datasets left out.
    question : str
        Key of the question asked, as `core.report.questions` has it; empty for
        the headline.
    procedure : str
        How datasets are named.
    pair : (int, int)
        Of results that have several systems, the positions in the file of the
        two that are compared, smaller first.
    metric : str
        Of results that have several metrics, the one compared; empty for the first.
    """

    alpha: float = 0.05
    dependence: Dependence = "not-known"
    combination: str = ""
    swapped: bool = False
    excluded: tuple[str, ...] = ()
    question: str = ""
    procedure: str = "holm"
    pair: tuple[int, int] = (0, 1)
    metric: str = ""

    @property
    def counted_by(self) -> str:
        """Name of the combination in front.

        Raises
        ------
        ValueError
            If it needs more to be known of the datasets than is claimed, or there is none.
        """
        return chosen_combination(self.dependence, self.combination)


@dataclass(frozen=True, kw_only=True)
class TestSettings:
    """How each dataset is tested.

    Attributes
    ----------
    test : str
        "auto" for the recommended test, or a test's name.
    n_resamples, seed : int
        Of the tests that resample.
    interval : {"basic", "percentile", "bca"}
        Of the differences.
    estimator : {"add-one", "berg-kirkpatrick"}
        Of the bootstrap.
    zeros : {"wilcox", "pratt", "zsplit"}
        Of Wilcoxon's test.
    whole_clusters : bool
        Whether examples that belong together are resampled together, where
        the data say which do.
    extended : tuple of (str, int)
        Datasets whose tests were extended, each with its number of resamples.
    """

    __test__ = False  # not a test of pytest's

    test: str = "auto"
    n_resamples: int = 9999
    seed: int = 0
    interval: IntervalKind = "basic"
    estimator: Estimator = "add-one"
    zeros: Zeros = "wilcox"
    whole_clusters: bool = True
    extended: tuple[tuple[str, int], ...] = ()


# The last base's fields come first: the order that they are written in.
@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysisSettings(TestSettings, AskedSettings):
    """Every choice that a number of an analysis may depend on; `core.analysis.choices` lists them."""


USUAL = AnalysisSettings()

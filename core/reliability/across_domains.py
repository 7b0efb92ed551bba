"""How often a win on one dataset holds on another, by the p-value of the win.

Vocabulary
----------
win
    Of one of two systems over the other on one dataset: its score is higher. Its
    p-value is the one-sided one of the system that is ahead.
ordered pair of datasets
    The dataset of the win, and another one on which it is looked for.
holds
    The system that won has the higher score on the other dataset as well. Equal
    scores do not hold.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np

from ..data.p_value_table import PValueTable
from ..shown import DataFrame, frame_of
from ..signature import signature_line
from ..significance.settings import TestAlternative
from ..significance.single import SignificanceResult
from ..simulation.results import Rate
from ..systems.comparisons import PairComparisons, counted_p_values, monte_carlo_error
from ..types import FloatArray
from ..validation import at_most, check_choice


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementBin(Rate):
    """Wins whose p-value lies in one bin, low < p <= high.

    In `count` of `n` cases the win holds; a case is a win and another dataset. In `n_tied` of
    them the scores on the other dataset are equal, so that it does not hold.
    """

    low: float
    high: float
    n_wins: int
    n_tied: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DomainAgreement:
    """How often a win on one dataset holds on another.

    The first of the `bins` holds every p up to the smallest end asked for. Pairs of systems with
    equal scores on a dataset are `n_without_winner`, wins with p above the last bin `n_beyond`.
    `source` is the one dataset whose wins are looked for on the others, with the bins `by_target`
    of each of these; '' where it is each in turn.
    """

    datasets: tuple[str, ...]
    edges: tuple[float, ...]
    bins: tuple[AgreementBin, ...]
    n_pairs: int
    n_without_winner: int
    n_beyond: int
    notes: tuple[str, ...]
    source: str = ""
    by_target: Mapping[str, tuple[AgreementBin, ...]] = field(default_factory=dict)

    @property
    def signature(self) -> str:
        """The line that names everything the counts depend on, but for the data."""
        return signature_line(
            study="across-datasets",
            source=self.source or None,
            datasets=len(self.datasets),
            pairs=self.n_pairs,
            bins=",".join(f"{edge:g}" for edge in self.edges[1:]),
        )

    def to_frame(self) -> DataFrame:
        """A row for each bin, over all ordered pairs of datasets; with a source one for each target."""
        parts: list[tuple[dict[str, str], tuple[AgreementBin, ...]]] = [({}, self.bins)]
        if self.source:
            parts = [
                ({"source": self.source, "target": name}, bins)
                for name, bins in self.by_target.items()
            ]
        return frame_of(
            [
                {
                    **named,
                    "p_above": own.low,
                    "p_at_most": own.high,
                    "n_wins": own.n_wins,
                    "n_cases": own.n,
                    "n_held": own.count,
                    "n_tied": own.n_tied,
                    "share_held": own.rate,
                    "low": own.confidence_interval[0] if own.n else np.nan,
                    "high": own.confidence_interval[1] if own.n else np.nan,
                }
                for named, bins in parts
                for own in bins
            ]
        )


# Those of Berg-Kirkpatrick et al. (2012), table 1; one more begins at 0.
BINS = (0.00125, 0.0025, 0.005, 0.01, 0.02, 0.04, 0.08)
OVERLAP = (
    "The cases overlap: the same win is looked for on every other dataset, and pairs of systems "
    "share systems. They are far fewer than they seem, and the intervals are too narrow."
)
PAIRS_ARE_DEPENDENT = (
    "The interval takes the pairs to be independent; they share systems, so it is too narrow."
)
_NOISY = 0.1


def across_domains(
    results: PairComparisons | PValueTable | Sequence[PValueTable],
    *,
    bins: Sequence[float] = BINS,
    source: str = "",
) -> DomainAgreement:
    """Count how often a win with p in a bin on one dataset holds its sign on another.

    Parameters
    ----------
    results : PairComparisons, PValueTable or sequence of PValueTable
        What `compare_all_pairs` gives, or tables of `run_dataset_tests`, one a
        pair of systems, all of the same datasets in the same order.
    bins : sequence of float
        Rising ends in (0, 1]; one more bin holds every p up to the first.
    source : str
        The one dataset whose wins are looked for on the others; by default each
        in turn.

    Raises
    ------
    ValueError
        If an argument is not as described, or there are fewer than two datasets.

    References
    ----------
    Berg-Kirkpatrick, Burkett and Klein (EMNLP-CoNLL 2012), section 4.2 and Table 1.

    Examples
    --------
    >>> from replicability import ResultSet, across_domains, compare_all_pairs
    >>> scores = {"P": [1, 1, 1, 1, 1, 1], "Q": [0, 0, 0, 0, 0, 1]}
    >>> pairs = compare_all_pairs(ResultSet.from_scores({"x": scores, "y": scores}))
    >>> [(one.low, one.count, one.n) for one in across_domains(pairs).bins if one.n]
    [(0.02, 2, 2)]
    """
    edges = _checked_bins(bins)
    names, p_values, gains, drawn = _wins_of(results)
    winners = np.sign(gains)
    if len(names) < 2:
        raise ValueError(
            "`results` must have at least two datasets, as wins are looked for on others."
        )
    if not source:
        return counted_wins(names, edges, p_values, winners, (OVERLAP,))
    own = names.index(check_choice(source, names, name="source"))

    def from_source(targets: Sequence[int], notes: tuple[str, ...] = ()) -> DomainAgreement:
        places = [own, *targets]
        chosen = tuple(names[place] for place in places)
        columns = p_values[:, places], winners[:, places]
        return counted_wins(chosen, edges, *columns, notes, n_sources=1)

    others = [place for place in range(len(names)) if place != own]
    return replace(
        from_source(others, (PAIRS_ARE_DEPENDENT, *_noise(drawn[own], edges[1]))),
        source=source,
        by_target={names[place]: from_source([place]).bins for place in others},
    )


def _noise(b: int | None, lowest: float) -> tuple[str, ...]:
    """That p-values of so many resamples are too rough for the first bins, where they are."""
    if b is None or monte_carlo_error(lowest, b) <= _NOISY * lowest:
        return ()
    return (
        f"With {b:,} resamples a p-value of {lowest:g} has a standard error of "
        f"{monte_carlo_error(lowest, b):.2g}, so the first bins hold pairs of their neighbours: "
        f"{round(1.0 / (lowest * _NOISY**2)):,} resamples make it a tenth.",
    )


def counted_wins(
    names: tuple[str, ...],
    edges: tuple[float, ...],
    p_values: FloatArray,
    winners: FloatArray,
    notes: tuple[str, ...] = (),
    *,
    n_sources: int | None = None,
) -> DomainAgreement:
    """Wins on the first datasets, or on all, that are looked for on all others.

    P-values, of the system ahead, and signs of who is, 1 of A and -1 of B, have shape (n_pairs, N).
    """
    # The bin whose upper end is the first at or above p: low < p <= high.
    which = sum((~at_most(p_values, end)).astype(np.intp) for end in edges[1:])
    looked_at = np.arange(len(names)) < (len(names) if n_sources is None else n_sources)
    won = (winners != 0.0) & looked_at
    # Of each win, the other datasets with the same winner, and those without one.
    of_a, of_b = ((winners == sign).sum(axis=1, keepdims=True) for sign in (1.0, -1.0))
    held = np.where(winners > 0.0, of_a, of_b) - 1
    tied = np.broadcast_to(len(names) - of_a - of_b, winners.shape)
    bins = []
    for k, (low, high) in enumerate(pairwise(edges)):
        inside = won & (which == k)
        n_wins = int(np.count_nonzero(inside))
        bins.append(
            AgreementBin(
                low=low,
                high=high,
                n_wins=n_wins,
                count=int(held[inside].sum()),
                n=n_wins * (len(names) - 1),
                n_tied=int(tied[inside].sum()),
            )
        )
    return DomainAgreement(
        datasets=names,
        edges=edges,
        bins=tuple(bins),
        n_pairs=p_values.shape[0],
        n_without_winner=int(np.count_nonzero((winners == 0.0) & looked_at)),
        n_beyond=int(np.count_nonzero(won & (which == len(bins)))),
        notes=notes,
    )


def _checked_bins(bins: Sequence[float]) -> tuple[float, ...]:
    ends = tuple(float(end) for end in bins)
    rising = all(low < high for low, high in pairwise(ends))
    if not ends or not rising or ends[0] <= 0.0 or ends[-1] > 1.0:
        raise ValueError(f"`bins` must be rising numbers above 0 and at most 1; got {bins!r}.")
    return (0.0, *ends)


# Datasets, p-values of the system ahead, A less B, and on how many resamples each dataset's rest.
_Wins = tuple[tuple[str, ...], FloatArray, FloatArray, Sequence[int | None]]


def _wins_of(results: PairComparisons | PValueTable | Sequence[PValueTable]) -> _Wins:
    if not isinstance(results, PairComparisons):
        return _of_tables(results if isinstance(results, Sequence) else [results])
    pairs = results
    first, second = np.triu_indices(pairs.n_systems, k=1)
    gains = np.array([pairs.gains(dataset)[first, second] for dataset in pairs.datasets]).T
    p_a, p_b = (
        counted_p_values(pairs.p_values, pairs.not_counted, *two)
        for two in ((first, second), (second, first))
    )
    return pairs.datasets, np.where(gains < 0.0, p_b, p_a), gains, pairs.n_resamples


def _of_tables(tables: Sequence[PValueTable]) -> _Wins:
    found: list[tuple[SignificanceResult, ...]] = []
    if not tables or not all(
        isinstance(table, PValueTable) and table.datasets == tables[0].datasets for table in tables
    ):
        raise ValueError(
            "`results` must be pairs that were compared, or tables of the same datasets in the same "
            "order."
        )
    for table in tables:
        if table.results is None:
            raise ValueError(
                "`results` must be tables of tests that were run; a published table says nothing "
                "of the p-value of the system that is ahead where it is two-sided."
            )
        found.append(table.results)

    def p_of_ahead(one: SignificanceResult) -> float:
        side: TestAlternative = "less" if one.difference < 0.0 else "greater"
        # What the bootstrap cannot reach is no evidence, as in every count.
        return 1.0 if one.is_out_of_reach(side) else one.p_value_of(side)

    gains = np.array([[one.difference for one in row] for row in found])
    p_values = np.array([[p_of_ahead(one) for one in row] for row in found])
    return tables[0].datasets, p_values, gains, [one.n_resamples for one in found[0]]

"""A leaderboard that counts: on at least how many datasets is the row better than the column?

Vocabulary
----------
family
    What a confidence of 1 − α is about. "pair": each ordered pair alone, without
    any joint guarantee. "all": every ordered pair on every dataset together,
    by Holm: with confidence 1 − α none of all names is wrong.
separated
    Of two systems: they differ significantly. It need not be transitive in its
    absence: A and B may not be separated, nor B and C, and yet A and C.
tier
    As many systems as fit together of which none is separated from another: two
    systems are separated where no tier holds both. Each tier has a letter.
"""

import math
from dataclasses import dataclass

import numpy as np

from ..effects.post_hoc import groups_not_separated
from ..replicability.combinations import combination_names
from ..replicability.counting import closed_names
from ..shown import DataFrame, frame_of
from ..signature import signature_line
from ..simulation.batch import PART_ENTRIES, BatchCounter
from ..types import BoolArray, FloatArray, IntArray
from ..validation import at_most, check_alpha, check_choice
from .comparisons import PairComparisons, counted_p_values, ranks_of, with_ties

# What a confidence may be about, with its title.
FAMILIES = {
    "pair": "Each pair alone, as if it were the only question",
    "all": "All claims together, by Holm",
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CountMatrix:
    """On at least how many datasets each system is better than each other one.

    Entry (i, j) of `k_hat`, shape (m, m): system i is better than system j on at least so many. In
    `k_hat_both_ways` each direction is at alpha/2, so that the two hold together; with family "all"
    it is the same, and `named_of_all`, shape (n_datasets, m, m), is what Holm identifies.
    """

    pairs: PairComparisons
    systems: tuple[str, ...]
    k_hat: IntArray
    k_hat_both_ways: IntArray
    alpha: float
    combination: str
    family: str
    named_of_all: BoolArray | None
    mean_ranks: FloatArray

    @property
    def datasets(self) -> tuple[str, ...]:
        """Those compared on."""
        return self.pairs.datasets

    @property
    def complete(self) -> bool:
        """Whether they are all datasets asked for."""
        return self.pairs.complete

    @property
    def n_not_counted(self) -> int:
        """P-values that say nothing of the evidence and were taken as 1."""
        return len(self.pairs.out_of_reach)

    @property
    def is_joint(self) -> bool:
        """Whether all entries hold together, and not each alone."""
        return self.family == "all"

    @property
    def n_datasets(self) -> int:
        """Number of datasets, N."""
        return len(self.datasets)

    @property
    def guarantee(self) -> str:
        """What the entries promise together, as one sentence."""
        level = f"{100.0 * (1.0 - self.alpha):g}%"
        if self.is_joint:
            return (
                f"All entries and the datasets behind them hold together with {level} confidence "
                f"(Holm over {self.n_claims:,} claims; any dependence)."
            )
        m, wrong = len(self.systems), ""
        by_chance = self.alpha * m * (m - 1)
        if self.k_hat.any():
            wrong = ": some of them may be wrong"
        if wrong and by_chance >= 1.0:
            claims = "claim" if by_chance < 1.5 else "claims"
            wrong = (
                f": if all {m:,} systems were equal, up to about {by_chance:,.0f} such {claims} would be "
                "made by chance"
            )
        return (
            f"Each entry alone holds with {level} confidence. The {m * (m - 1):,} entries have no joint "
            f"guarantee{wrong}."
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """What to know of the counts, a sentence each."""
        found = []
        if self.n_not_counted:
            found.append(
                f"{self.n_not_counted:,} p-values are of a bootstrap that cannot reach twice the "
                "observed difference; they were taken as 1 and count for nothing."
            )
        short = self.too_few_resamples
        if short and self.combination == "bonferroni":
            # Holm's thresholds rise with each name, so others may make room for these datasets.
            if len(short) < self.n_datasets:
                named = "are significant only after enough others are; to be first"
            elif self.is_joint:
                named = "cannot be named, however large the difference; that"
            else:
                named = "give no claim, however large the difference; that"
            found.append(
                f"{min(short):,} resamples give no p-value below {1.0 / (min(short) + 1.0):.2g}, and "
                f"Holm's first threshold is {self._first_threshold:.2g}: datasets tested so {named} needs at least "
                f"{self.n_resamples_for_any:,}."
            )
        elif self.combination == "bonferroni" and not self.is_joint:
            # Two systems are compared at alpha/2 in each direction.
            fewest = _fewest_resamples(0.5 * self._first_threshold)
            short = self._fewer_than(fewest)
            if short:
                who = "The tiers need"
                if len(short) < self.n_datasets:
                    who = (
                        f"For the tiers, a dataset tested on {min(short):,} resamples is significant "
                        "only after enough others are; to be first needs"
                    )
                found.append(
                    f"{who} at least {fewest:,} resamples, because either system of a pair may be the "
                    "better one."
                )
        return tuple(found)

    @property
    def n_claims(self) -> int:
        """Both directions of all pairs on all datasets."""
        m = len(self.systems)
        return m * (m - 1) * self.n_datasets

    @property
    def _first_threshold(self) -> float:
        return self.alpha / (self.n_claims if self.is_joint else self.n_datasets)

    @property
    def n_resamples_for_any(self) -> int:
        """The fewest resamples whose smallest p-value reaches Holm's first threshold."""
        return _fewest_resamples(self._first_threshold)

    @property
    def too_few_resamples(self) -> tuple[int, ...]:
        """Of datasets none of whose p-values can reach Holm's first threshold: their resamples."""
        return self._fewer_than(self.n_resamples_for_any)

    def _fewer_than(self, fewest: int) -> tuple[int, ...]:
        return tuple(n for n in self.pairs.n_resamples if n is not None and n < fewest)

    @property
    def signature(self) -> str:
        """The one line that names everything the counts depend on."""
        own = signature_line(
            counts="all-pairs",
            pc=self.combination,
            alpha=self.alpha,
            family=self.family,
            not_counted=self.n_not_counted or None,
        )
        return f"{own.rsplit('|', 1)[0]}|{self.pairs.signature}"

    def names(self, better: str, than: str, *, both_ways: bool = False) -> tuple[str, ...]:
        """The datasets on which one system is named as better than another.

        By the closed test behind the count, or by all claims.
        """
        i, j = (
            self.systems.index(check_choice(one, self.systems, name=name))
            for one, name in ((better, "better"), (than, "than"))
        )
        if i == j:
            raise ValueError(f"`better` and `than` must be different systems; both are {than!r}.")
        if self.named_of_all is not None:
            named = self.named_of_all[:, i, j]
        else:
            named = closed_names(
                counted_p_values(self.pairs.p_values, self.pairs.not_counted, i, j),
                alpha=self.alpha / 2.0 if both_ways else self.alpha,
                combination=self.combination,
            )
        return tuple(
            dataset for dataset, one in zip(self.datasets, named.tolist(), strict=True) if one
        )

    def separated(self, *, at_least: int = 1) -> BoolArray:
        """Whether either of two systems is better on at least so many datasets, shape (m, m).

        By "pair" at alpha/2 each.
        """
        reached = self.k_hat_both_ways >= at_least
        return np.asarray(reached | reached.T)

    @property
    def order(self) -> list[int]:
        """The systems' places, best mean rank first."""
        order: list[int] = np.argsort(self.mean_ranks, kind="stable").tolist()
        return order

    def tiers(self, *, at_least: int = 1) -> tuple[tuple[int, ...], ...]:
        """Places of the systems of each tier, as `groups_not_separated` has them."""
        return groups_not_separated(self.separated(at_least=at_least), self.order)

    def to_frame(self) -> DataFrame:
        """A row for each ordered pair: better, than, k_hat, n_datasets, and k_hat the other way."""
        m = len(self.systems)
        i, j = np.nonzero(~np.eye(m, dtype=np.bool_))
        names = np.array(self.systems, dtype=object)
        return frame_of(
            {
                "better": names[i],
                "than": names[j],
                "k_hat": self.k_hat[i, j],
                "k_hat_other_way": self.k_hat[j, i],
                "n_datasets": self.n_datasets,
            }
        )

    def to_matrix_frame(self) -> DataFrame:
        """A row and a column for each system; the diagonal is empty."""
        counts = self.k_hat.astype(object)
        np.fill_diagonal(counts, None)
        values = frame_of(counts, columns=list(self.systems)).astype("Int64")
        values.insert(0, "system", list(self.systems), allow_duplicates=True)
        return values


def _fewest_resamples(level: float) -> int:
    """Whose smallest p-value reaches a level."""
    return math.ceil(1.0 / level * (1.0 - 1e-12)) - 1


def count_matrix(
    pairs: PairComparisons,
    *,
    alpha: float = 0.05,
    combination: str = "bonferroni",
    family: str = "pair",
) -> CountMatrix:
    """Count, for each ordered pair, the datasets on which the row is better than the column.

    By family "pair" each entry has its own confidence 1 − alpha, by the combination. "all" is Holm
    over both directions of all pairs on all datasets; an entry counts the names.
    """
    level = check_alpha(alpha)
    check_choice(combination, combination_names(), name="combination")
    is_joint = check_choice(family, tuple(FAMILIES), name="family") == "all"
    not_counted = pairs.not_counted
    m, n = pairs.n_systems, pairs.n_datasets
    rows, columns = np.nonzero(~np.eye(m, dtype=np.bool_))
    k_hat, both_ways = np.zeros((m, m), dtype=np.intp), np.zeros((m, m), dtype=np.intp)
    named: BoolArray | None = None
    if is_joint:
        named = _named_of_all(pairs.p_values, not_counted, level)
        k_hat[:] = both_ways[:] = named.sum(axis=0)
    else:
        counter, half = BatchCounter(n, alpha=level), BatchCounter(n, alpha=level / 2.0)
        step = max(1, PART_ENTRIES // n)
        for start in range(0, rows.size, step):
            i, j = rows[start : start + step], columns[start : start + step]
            table = counted_p_values(pairs.p_values, not_counted, i, j)
            k_hat[i, j] = counter.k_hat(table, (combination,))[combination]
            both_ways[i, j] = half.k_hat(table, (combination,))[combination]
    k_hat.flags.writeable = both_ways.flags.writeable = False
    return CountMatrix(
        pairs=pairs,
        systems=pairs.systems,
        k_hat=k_hat,
        k_hat_both_ways=both_ways,
        alpha=level,
        combination="bonferroni" if is_joint else combination,
        family=family,
        named_of_all=named,
        mean_ranks=ranks_of(with_ties(pairs.oriented_scores)).mean(axis=0),
    )


def _named_of_all(p_values: FloatArray, not_counted: BoolArray | None, alpha: float) -> BoolArray:
    """Holm's names among all claims: both directions of all pairs on all datasets.

    p-values above alpha are never named, so only the others are sorted.
    """
    n, m, _ = p_values.shape
    # nan, on the diagonal, is not at most anything.
    small = at_most(p_values, alpha)
    if not_counted is not None:
        small &= ~not_counted
    ordered = np.sort(p_values[small])
    left = n * m * (m - 1) - np.arange(ordered.size)
    holds = at_most(left * ordered, alpha)
    n_named = ordered.size if bool(holds.all()) else int(np.argmin(holds))
    if not n_named:
        return np.zeros(p_values.shape, dtype=np.bool_)
    # Ties share one decision.
    return np.asarray(small & (p_values <= ordered[n_named - 1]))

"""Does A tend to score better over datasets like these: Wilcoxon's test, the sign test and t over N pairs.

One score a system and dataset is enough. The N datasets stand for a population
that they are drawn from, and the null hypothesis is about it: differences of
scores are symmetric around zero (Wilcoxon), as often above it as below (sign), or
zero in the mean (t). On how many of these N datasets A is better is another
question, which none of the three answers.

Vocabulary
----------
zeros
    Datasets on which both score the same. "split" (Demšar 2006): they keep their
    ranks, and half of them goes to either side; of an odd number one is left out
    first. "dropped": they are left out before ranking.
R+, R−
    Sums of the ranks of the datasets on which A, or B, is better; T is the smaller.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from core.data.digits import said_scores
from core.data.score_table import ScoreTable
from core.effects.across_tests import (
    AcrossTest,
    sign_test,
    sign_test_split,
    signed_rank_dropped,
    signed_rank_normal,
    signed_rank_split,
    student_t,
)
from core.effects.score_columns import (
    Scores,
    dataset_names,
    oriented_differences,
    read_columns,
    too_few_datasets,
)
from core.signature import bytes_of_numbers, short_fingerprint, signature_line
from core.significance.result import TEST_ALTERNATIVES, TestAlternative
from core.types import FloatArray
from core.validation import check_choice

if TYPE_CHECKING:
    import pandas as pd

    from core.data.p_value_table import PValueTable


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AcrossTests:
    """The tests of one pair of systems over N datasets.

    Attributes
    ----------
    datasets : tuple of str
        Their names.
    system_a, system_b : str
        Names of the systems.
    differences : ndarray, shape (N,)
        A − B, turned so that higher is better.
    wins, ties, losses : int
        Datasets on which A scores better, neither does, B does.
    alternative : {"greater", "less", "two-sided"}
        What each `p_value` speaks for.
    higher_is_better : bool
        Whether a higher score is the better one.
    metric : str or None
        Name of the metric, where it is said.
    fingerprint : str
        Of the data, where it is known.
    wilcoxon : AcrossTest
        Zeros split as by Demšar (2006), p exact given the zeros.
    wilcoxon_normal : AcrossTest
        The same T with Demšar's normal approximation.
    wilcoxon_without_zeros : AcrossTest
        Zeros dropped, p exact.
    sign : AcrossTest
        Ties dropped, p exact.
    sign_ties_split : AcrossTest
        Half of the ties counted as wins, as by Demšar.
    paired_t : AcrossTest
        N − 1 degrees of freedom.
    """

    datasets: tuple[str, ...]
    system_a: str
    system_b: str
    differences: FloatArray
    wins: int
    ties: int
    losses: int
    alternative: TestAlternative
    higher_is_better: bool
    wilcoxon: AcrossTest
    wilcoxon_normal: AcrossTest
    wilcoxon_without_zeros: AcrossTest
    sign: AcrossTest
    sign_ties_split: AcrossTest
    paired_t: AcrossTest
    metric: str | None = None
    fingerprint: str = ""

    @property
    def n_datasets(self) -> int:
        """Number of datasets, N."""
        return len(self.datasets)

    @property
    def tests(self) -> tuple[AcrossTest, ...]:
        """Every test, the recommended one first."""
        return (
            self.wilcoxon,
            self.wilcoxon_normal,
            self.wilcoxon_without_zeros,
            self.sign,
            self.sign_ties_split,
            self.paired_t,
        )

    @property
    def signature(self) -> str:
        """The line that names everything the p-values depend on."""
        content = "\x00".join(self.datasets).encode() + bytes_of_numbers(self.differences)
        return signature_line(
            across="wilcoxon,sign,paired-t",
            a=self.system_a,
            b=self.system_b,
            metric=self.metric,
            alt=self.alternative,
            higher_is_better="yes" if self.higher_is_better else "no",
            datasets=self.n_datasets,
            differences=short_fingerprint(sha256(content).hexdigest()),
            data=short_fingerprint(self.fingerprint) if self.fingerprint else None,
        )

    def to_frame(self) -> pd.DataFrame:
        """A row for each test."""
        import pandas as pd

        columns = (
            "test",
            "variant",
            "statistic_name",
            "statistic",
            "n_used",
            "p_value",
            "p_value_greater",
            "p_value_less",
            "p_value_two_sided",
            "z",
            "reason",
            "note",
        )
        return pd.DataFrame(
            [[getattr(test, name) for name in columns] for test in self.tests],
            columns=list(columns),
        )


def compare_across(
    scores_a: Scores,
    scores_b: Scores,
    *,
    higher_is_better: bool = True,
    alternative: TestAlternative = "greater",
    datasets: Sequence[str] | None = None,
    systems: tuple[str, str] = ("A", "B"),
    metric: str | None = None,
    fingerprint: str = "",
) -> AcrossTests:
    """Test whether A scores better than B over datasets like these: by ranks, signs and the mean.

    Parameters
    ----------
    scores_a, scores_b : sequence of float or of str, length N
        One score a dataset, as numbers or in the digits printed. Differences that
        are equal in decimals tie.
    higher_is_better : bool
        Whether a higher score is the better one.
    alternative : {"greater", "less", "two-sided"}
        A is better, B is better, one of the two is.
    datasets : sequence of str, optional
        Their names, for messages and tables.
    systems : (str, str)
        Names of A and B, for messages.
    metric, fingerprint : str, optional
        Of the scores, for the signature.

    Raises
    ------
    ValueError
        If there are fewer than 5 datasets, the lengths differ, or a score is no
        finite number.
    DataError
        If a score is missing; every one is named.

    References
    ----------
    Demšar (JMLR 2006), section 3.1.
    """
    check_choice(alternative, TEST_ALTERNATIVES, name="alternative")
    if len(scores_a) != len(scores_b):
        raise ValueError(
            "`scores_a` and `scores_b` must have one score a dataset each; "
            f"got {len(scores_a)} and {len(scores_b)}."
        )
    if reason := too_few_datasets(len(scores_a)):
        raise ValueError(reason)
    names = dataset_names(datasets, len(scores_a))
    differences = oriented_differences(
        *read_columns([scores_a, scores_b], datasets=names, systems=systems),
        higher_is_better=higher_is_better,
    )
    values = differences.values
    values.flags.writeable = False
    return AcrossTests(
        datasets=names,
        system_a=systems[0],
        system_b=systems[1],
        differences=values,
        wins=differences.wins,
        ties=differences.ties,
        losses=differences.losses,
        alternative=alternative,
        higher_is_better=higher_is_better,
        wilcoxon=signed_rank_split(differences, alternative),
        wilcoxon_normal=signed_rank_normal(differences, alternative),
        wilcoxon_without_zeros=signed_rank_dropped(differences, alternative),
        sign=sign_test(differences, alternative),
        sign_ties_split=sign_test_split(differences, alternative),
        paired_t=student_t(differences, alternative),
        metric=metric,
        fingerprint=fingerprint,
    )


def compare_across_of(
    table: ScoreTable | PValueTable,
    *,
    a: str | None = None,
    b: str | None = None,
    alternative: TestAlternative = "greater",
) -> AcrossTests:
    """Test A against B with the scores of a table, in the digits that it prints.

    Parameters
    ----------
    table : ScoreTable or PValueTable
        Scores of both systems on every dataset.
    a, b : str, optional
        Names of the systems; by default the first two, or the table's A and B.
    alternative : {"greater", "less", "two-sided"}
        As in `compare_across`.

    Raises
    ------
    ValueError
        As `compare_across`, or if a system is not there or the same as the other.
    DataError
        If a score is missing; every one is named.
    """
    if isinstance(table, ScoreTable):
        systems = table.systems
        if len(systems) < 2:
            raise ValueError("`table` must have at least two systems; got one.")
    else:
        systems = (table.system_a, table.system_b)
    first = check_choice(systems[0] if a is None else a, systems, name="a")
    second = check_choice(systems[1] if b is None else b, systems, name="b")
    if first == second:
        raise ValueError(f"`a` and `b` must differ; both are {first!r}.")
    if isinstance(table, ScoreTable):
        scores = {name: table.printed_scores(name) for name in (first, second)}
    else:
        scores = _scores_of(table)
    return compare_across(
        scores[first],
        scores[second],
        higher_is_better=table.higher_is_better,
        alternative=alternative,
        datasets=table.datasets,
        systems=(first, second),
        metric=table.metric,
        fingerprint=table.fingerprint,
    )


def _scores_of(table: PValueTable) -> dict[str, Sequence[str]]:
    scores: dict[str, Sequence[str]] = {}
    for system, values, printed in (
        (table.system_a, table.scores_a, table.printed_scores_a),
        (table.system_b, table.scores_b, table.printed_scores_b),
    ):
        said = said_scores(values, printed)
        if said is None:
            raise ValueError("`table` must have both systems' scores to compare them.")
        scores[system] = said
    return scores

"""Pairs as one family: how many datasets they come to, and that it holds."""

from pathlib import Path

import numpy as np
from scipy.stats import binomtest, norm

from core.claims.check import check_claims
from core.data import PValueTable, read_results
from core.reliability.pairs import PairFamily
from core.sections.reliability import family_sentence

SAMPLES = Path(__file__).resolve().parents[3] / "sample_data"
COUNTED: tuple[str, ...] = ("bonferroni", "simes")
UNSAID = {"alternative": "not-stated"}


def family(p_values: np.ndarray, alpha: float = 0.05) -> PairFamily:
    """Of a table with a row a dataset and a column a choice."""
    n_datasets, m = p_values.shape
    return PairFamily(
        datasets=tuple(f"d{i}" for i in range(n_datasets) for _ in range(m)),
        p_values=p_values.ravel(),
        alpha=alpha,
    )


def test_eight_pairs_that_lie_on_three_datasets_count_as_three_and_not_as_two() -> None:
    """Søgaard et al. (2014), Table 2: ten domains, four p-values each; 8 * 4 * .001 = .032."""
    table = read_results((SAMPLES / "pos_tagging_four_p_values.csv").read_bytes(), roles=UNSAID)
    assert isinstance(table, PValueTable)
    columns = [table.p_value_bounds[1], *(other.p_value_bounds[1] for other in table.further)]
    found = family(np.array(columns).T)
    assert (found.named.sum(), found.most_choices) == (8, 4)
    assert found.n_datasets_by("bonferroni") == len(found.named_datasets) == 3
    assert found.n_datasets_by("simes") >= 3
    assert "at least 3 of 10 datasets" in family_sentence(found)
    (finding,) = check_claims(table, "at least 1 by any for differ").of("assumption")
    assert "significant after Holm correction at level .05, on 3 of 10 datasets" in finding.reason


def test_the_number_of_datasets_overstates_no_more_often_than_alpha() -> None:
    # Two of six datasets have an effect, by all three metrics, which correlate by .8.
    rng = np.random.default_rng(11)
    over = {"bonferroni": 0, "simes": 0, "names": 0}
    n = 2_000
    for _ in range(n):
        shared = rng.normal(size=(6, 1))
        z = 0.8**0.5 * shared + 0.2**0.5 * rng.normal(size=(6, 3))
        z[:2] += 3.0
        found = family(norm.sf(z), alpha=0.2)
        for combination in COUNTED:
            over[combination] += found.n_datasets_by(combination) > 2
        over["names"] += not set(found.named_datasets) <= {"d0", "d1"}
    for count in over.values():
        assert binomtest(count, n, 0.2, alternative="greater").pvalue > 1e-4

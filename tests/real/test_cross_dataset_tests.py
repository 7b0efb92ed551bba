"""Demšar's (2006) classifiers and MTEB's models give the published and recomputed tests over datasets."""

import numpy as np
import pytest

from core.data import ScoreTable
from core.effects.across import compare_across
from core.effects.friedman import friedman, quade
from core.effects.post_hoc import (
    bonferroni_dunn_quantile,
    letters,
    nemenyi,
    nemenyi_quantile,
    normal_wilcoxon_of_pairs,
    post_hoc,
)
from core.significance.differences import paired_differences
from core.significance.paired_tests import wilcoxon
from core.significance.settings import ZEROS
from core.systems.comparisons import standings
from tests.read_as import read_as
from tests.real.cases import DATA
from tests.real.cases import expected as expected_of
from tests.real.test_partial_conjunction_families import PROCEDURES

pytestmark = pytest.mark.real

DEMSAR = DATA / "published" / "c01_demsar2006"
MTEB = DATA / "real" / "r11_mteb_datasets_by_models"
adjusted = pytest.mark.parametrize("adjustment", [name for name in PROCEDURES if name != "BY"])
# Each file with its part of the references.
CASES = {
    "demsar-untied": (DEMSAR / "data_untied.csv", "recomputed_untied"),
    "demsar-printed": (DEMSAR / "data.csv", "recomputed_from_printed_AUC"),
    "mteb": (MTEB / "data.csv", "reference"),
}
case = pytest.mark.parametrize("name", CASES)


def table_of(name):
    return read_as(ScoreTable, CASES[name][0])


def ranks_of(table):
    return friedman(
        table.values,
        higher_is_better=table.higher_is_better,
        datasets=table.datasets,
        systems=table.systems,
    )


def compared(table, a, b, **more):
    higher = table.higher_is_better
    return compare_across(table.scores(a), table.scores(b), higher_is_better=higher, **more)


def reference_of(name):
    path, part = CASES[name]
    return expected_of(path.parent)[part]


def rank_sum(test):
    return test.rank_sums[0]


def published():
    return expected_of(DEMSAR)["published"]


@case
def test_mean_ranks_and_every_variant_of_friedmans_test(name):
    reference, result = reference_of(name), ranks_of(table_of(name))
    assert (result.n_datasets, result.n_systems) == (reference["N"], reference["k"])
    ranks_alone = standings(table_of(name)).mean_ranks
    for system, rank in reference["mean_ranks"].items():
        place = result.systems.index(system)
        assert result.mean_ranks[place] == pytest.approx(rank, rel=1e-12, abs=0)
        assert ranks_alone[place] == pytest.approx(rank, rel=1e-12, abs=0)
    for fact, value in {
        "chi2": reference["friedman_no_tie_correction"]["chi2"],
        "chi2_corrected": reference["friedman_tie_corrected_R"]["chi2"],
        "standard_error": reference["SE"],
        "f": reference["iman_davenport_no_tie_correction"]["F"],
        "f_corrected": reference["iman_davenport_tie_corrected"]["F"],
        "p_value": reference["friedman_no_tie_correction"]["p"],
        "p_value_corrected": reference["friedman_tie_corrected_R"]["p"],
        "f_p_value": reference["iman_davenport_no_tie_correction"]["p"],
        "f_p_value_corrected": reference["iman_davenport_tie_corrected"]["p"],
    }.items():
        rel = 1e-8 if "p_value" in fact else 1e-11
        assert getattr(result, fact) == pytest.approx(value, rel=rel, abs=0), fact
    assert result.df == reference["friedman_no_tie_correction"]["df"]
    f = reference["iman_davenport_no_tie_correction"]
    assert result.f_df == (f["df1"], f["df2"])


@case
def test_quades_test(name):
    reference, result = reference_of(name)["quade_R"], quade(ranks_of(table_of(name)))
    assert result.f == pytest.approx(reference["F"], rel=1e-11, abs=0)
    assert result.p_value == pytest.approx(reference["p"], rel=1e-8, abs=0)
    assert list(result.f_df) == reference["df"]


@case
@pytest.mark.parametrize("alpha", [0.05, 0.1])
def test_critical_differences(name, alpha):
    reference, ranks = reference_of(name), ranks_of(table_of(name))
    # The reference's quantiles have about six digits.
    assert nemenyi(ranks, alpha).critical_difference == pytest.approx(
        reference[f"nemenyi_CD_{alpha:g}"], rel=2e-6
    )
    assert post_hoc(
        ranks, ranks.systems[0], alpha, procedure="bonferroni-dunn"
    ).critical_difference == pytest.approx(reference[f"bonferroni_dunn_CD_{alpha:g}"], rel=1e-9)


@case
def test_every_pair_by_ranks_signs_and_signed_ranks(name):
    reference, table = reference_of(name), table_of(name)
    ranks = ranks_of(table)
    by_nemenyi, by_rank = nemenyi(ranks), post_hoc(ranks)
    assert len(reference["pairwise"]) == by_rank.n_comparisons
    counted = standings(table)
    marks = map(set, letters(by_nemenyi.groups, ranks.n_systems))
    shared = dict(zip(ranks.systems, marks, strict=True))
    for pair, expected in reference["pairwise"].items():
        a, b = pair.split(" vs ")
        i, j = ranks.systems.index(a), ranks.systems.index(b)
        assert by_rank.z[i, j] == pytest.approx(expected["z"], rel=1e-9, abs=1e-12)
        assert by_rank.p_values[i, j] == pytest.approx(expected["p_two"], rel=1e-9, abs=0)
        assert by_nemenyi.adjusted_p_values[i, j] == pytest.approx(
            expected["nemenyi_p"], rel=1e-6, abs=1e-11
        )
        tests, of_pair = (
            compared(table, a, b, alternative="two-sided"),
            expected["wilcoxon"],
        )
        assert (tests.wins, tests.losses, tests.ties) == tuple(
            of_pair[key] for key in ("wins", "losses", "ties")
        )
        assert counted.win_tie_loss(a, b) == (tests.wins, tests.ties, tests.losses)
        assert bool(shared[a] & shared[b]) == (expected["nemenyi_p"] > 0.05)
        assert tests.of("sign").p_value == pytest.approx(of_pair["sign_p_two"], rel=1e-9, abs=0)
        assert rank_sum(tests.of("wilcoxon-zeros-dropped")) == of_pair["V_plus"]
        split = of_pair["demsar"]
        assert tests.of("wilcoxon").rank_sums == (split["R_plus"], split["R_minus"])
        assert tests.of("wilcoxon").statistic == min(split["R_plus"], split["R_minus"])
        assert tests.of("wilcoxon").n_used == split["N"]
        normal_z = tests.of("wilcoxon-normal").z
        assert -abs(normal_z) == pytest.approx(split["z"], rel=1e-9, abs=0)
        (normal,) = normal_wilcoxon_of_pairs(table.values, np.array([i]), np.array([j]))
        assert normal == pytest.approx(of_pair["p_two_nocc"], rel=1e-9, abs=0)


@case
@adjusted
def test_all_pairs_adjusted(name, adjustment):
    reference, ranks = reference_of(name), ranks_of(table_of(name))
    result = post_hoc(ranks, procedure=PROCEDURES[adjustment])
    for pair, p_value in reference["pairwise_adjusted"][adjustment].items():
        i, j = map(ranks.systems.index, pair.split(" vs "))
        assert result.adjusted_p_values[i, j] == pytest.approx(p_value, rel=1e-9, abs=0)


@case
@adjusted
def test_comparisons_with_a_control(name, adjustment):
    reference, ranks = reference_of(name)["control"], ranks_of(table_of(name))
    control = reference["name"]
    result = post_hoc(ranks, control, procedure=PROCEDURES[adjustment])
    i = ranks.systems.index(control)
    assert set(reference["z"]) == set(ranks.systems) - {control}
    for system, z in reference["z"].items():
        j = ranks.systems.index(system)
        # The reference subtracts the control's mean rank.
        assert result.z[j, i] == pytest.approx(z, rel=1e-9, abs=0)
        assert result.p_values[j, i] == pytest.approx(reference["p_two"][system], rel=1e-9, abs=0)
        assert result.adjusted_p_values[j, i] == pytest.approx(
            reference["adjusted"][adjustment][system], rel=1e-9, abs=0
        )


def test_two_classifiers_have_the_t_of_the_paper_and_each_recomputed_variant():
    everything = expected_of(DEMSAR)
    table = table_of("demsar-printed")
    tests = compared(table, "C4.5+m", "C4.5")
    paper = everything["published"]["wilcoxon_C45m_vs_C45"]
    assert paper["T"] == 12
    recomputed, signs = (
        everything["recomputed_wilcoxon_C45m_minus_C45"],
        everything["recomputed_sign"],
    )
    # Given the zeros, splitting them moves every sum of ranks by the same.
    exact, dropped = recomputed["pratt_exact_conditional"], recomputed["wilcox_exact_conditional"]
    split = signs["demsar_ties_split"]
    assert split["wins"] == everything["published"]["sign_C45m_vs_C45"]["wins_counting_half_ties"]
    for name, facts in {
        "wilcoxon": {
            "statistic": paper["T"],
            "rank_sums": (paper["R_plus"], paper["R_minus"]),
            "n_used": paper["N"],
            "p_value_greater": exact["p_greater"],
            "p_value_two_sided": exact["p_two"],
        },
        "wilcoxon-zeros-dropped": {
            "n_used": recomputed["n_nonzero"],
            "p_value_greater": dropped["p_greater"],
            "p_value_two_sided": dropped["p_two"],
        },
        "sign": {
            "p_value_greater": signs["exact_p_greater"],
            "p_value_two_sided": signs["exact_p_two"],
        },
        "sign-ties-split": {
            "statistic": split["wins"],
            "n_used": split["n"],
            "p_value_greater": split["p_greater"],
            "p_value_two_sided": split["p_two"],
        },
    }.items():
        for fact, value in facts.items():
            found = getattr(tests.of(name), fact)
            assert found == pytest.approx(value, rel=1e-12), (name, fact)
    assert rank_sum(tests.of("wilcoxon-zeros-dropped")) == dropped["V"]
    assert (tests.wins, tests.losses, tests.ties) == (signs["wins"], signs["losses"], signs["ties"])
    differences = paired_differences(table.scores("C4.5+m"), table.scores("C4.5"))
    for zeros in ZEROS:
        outcome = wilcoxon(differences, zeros=zeros, method="normal")
        expected = recomputed[f"{zeros}_nocc"]
        assert outcome.statistic == expected["W_plus"]
        assert outcome.p_values.greater == pytest.approx(expected["p_greater"], rel=1e-9)


def test_the_papers_own_figures_hold_with_the_tie_broken():
    paper, ranks = published(), ranks_of(table_of("demsar-untied"))
    assert round(ranks.chi2, 2) == paper["friedman_chi2"] == 9.28
    assert round(ranks.f, 2) == paper["iman_davenport_F"] == 3.69
    assert list(ranks.f_df) == paper["F_df"]
    for system, rank in paper["average_ranks"].items():
        assert round(float(ranks.mean_ranks[ranks.systems.index(system)]), 3) == rank
    for alpha, key in ((0.05, "nemenyi_CD_05"), (0.1, "nemenyi_CD_10")):
        assert nemenyi(ranks, alpha).critical_difference == pytest.approx(paper[key], abs=0.005)
    # Printed as 1.16: 2.394 · .488 = 1.168.
    assert post_hoc(
        ranks, "C4.5", procedure="bonferroni-dunn"
    ).critical_difference == pytest.approx(1.168, abs=5e-4)
    control = ranks.systems.index("C4.5")

    def named(result):
        return {ranks.systems[j] for j in np.flatnonzero(result.separated[control])}

    for procedure in ("holm", "hochberg", "hommel"):
        result = post_hoc(ranks, "C4.5", procedure=procedure)
        assert named(result) == set(paper[f"{procedure}_rejects_05"])
    assert named(post_hoc(ranks, "C4.5", procedure="bonferroni-dunn")) == set(
        paper["bonferroni_dunn_significant_05"]
    )
    for system, expected in paper["control_C45"].items():
        # The paper divides rounded ranks by the rounded standard error.
        z = post_hoc(ranks, "C4.5").z
        assert abs(z[control, ranks.systems.index(system)]) == pytest.approx(
            expected["z"], abs=1.1e-3
        )


def test_the_papers_tables_of_critical_values():
    paper = published()
    for k, printed in paper["nemenyi_q05"].items():
        assert nemenyi_quantile(0.05, int(k)) == pytest.approx(printed, abs=1.1e-3)
    for k, printed in paper["nemenyi_q10"].items():
        assert nemenyi_quantile(0.10, int(k)) == pytest.approx(printed, abs=1.1e-3)
    for k, printed in paper["bonferroni_dunn_q05"].items():
        # Printed 2.724 for nine; the quantile of .05/16 is 2.734.
        expected = 2.734 if k == "9" else printed
        assert bonferroni_dunn_quantile(0.05, int(k)) == pytest.approx(expected, abs=1.1e-3)

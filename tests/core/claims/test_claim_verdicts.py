"""One verdict a claim: the most severe that may be said, why, and what would settle it."""

import re
from dataclasses import replace
from itertools import product
from typing import get_args

import numpy as np

from core.claims.check import check_claims
from core.claims.judging import Taken, Within, combined
from core.data import PValueTable, ResultSet, read_results, read_sample
from core.significance.run import run_dataset_tests
from tests.core.claims.made_tables import counts_of, p_table, read_table, sample_table, table_of

PRINTED = read_table(
    "dataset,ours,theirs,p_value\nu,91.5,90.1,.001\nv,92.5,90.1,.002\nw,91.5,91.4,.4\n"
    "x,80.0,81.0,.01\n",
    "two-sided",
)

# Possible by a bootstrap; on v neither system is ahead.
UNEXPLAINED = read_table(
    "dataset,A,B,p_value,n\nu,.900,.880,.0123,1000\nv,.900,.900,.0001,1000\n", "two-sided"
)


def test_each_claim_has_one_verdict_with_its_reason() -> None:
    for line, key, why in [
        ("significant u; v", "holds", "p is at most"),
        ("ours is significantly better on 3 of 4 datasets", "contradicted", "2 of 4 by p ≤ α"),
        ("significant x", "contradicted", ""),
        ("at least 4", "contradicted", "On x the score of ours is the lower one"),
        ("ours consistently outperforms theirs", "contradicted", "at most 3 of 4 can be wins"),
        ("ours is better on 3 of 4 datasets", "not-shown", "though ours has the better score on 3"),
        ("no significant difference on w", "holds", "p is above"),
        ("no significant difference on u", "contradicted", "p is at most .05 on u"),
        ("exactly 7 by count", "impossible", "It speaks of 7 datasets, and there are 4."),
    ]:
        (verdict,) = check_claims(PRINTED, line).verdicts
        assert verdict.key == key, (line, verdict.why)
        assert why in verdict.why, line
        assert bool(verdict.settle) == (key != "holds"), line


def test_what_holds_only_of_halved_p_values_says_what_those_as_printed_give() -> None:
    table = read_table("dataset,A,B,p_value\nu,9,8,.001\nv,9,8,.08\nw,8,9,.03\n", "two-sided")
    for line, why in [
        ("significant u; v", "on all of them if each two-sided p is halved for the system ahead; another way "
         "leaves out v (with p as it stands where A is ahead)."),
        ("significant u", "p is at most .05 for A on u."),
        ("at least 2 by count", "of 3 by p ≤ α if each two-sided p is halved for the system ahead, or 1 with p "
         "as it stands where A is ahead. This count has no guarantee: Bonferroni"),
        ("at least 1 by count", "give 1 of 3 by p ≤ α with p as it stands where A is ahead, or 2 if each"),
        ("at least 1", "The numbers give 1 of 3 by Bonferroni."),
        ("named u by holm", "Holm names exactly these."),
        ("significant u by holm", "Holm names u."),
        ("significant u; v by bonferroni at .15", "Bonferroni names each of these if each two-sided p is halved "
         "for the system ahead; another way leaves out v (with p as it stands where A is ahead)."),
        ("named u; v by bonferroni at .15", "Bonferroni names exactly these if each two-sided p is halved for the "
         "system ahead; another way names others (with p as it stands where A is ahead)."),
    ]:  # fmt: skip
        (verdict,) = check_claims(table, line).verdicts
        assert verdict.key == "holds", line
        assert why in verdict.why, (line, verdict.why)
        # Of a list it is said in front that it is to be complete.
        assert ("names exactly u" in verdict.reason) == line.startswith("named"), line


def test_the_bonferroni_correction_names_what_its_step_names_and_the_combination_may_count_more():
    table = p_table(".001", ".015", ".02", ".9", alternative="greater")
    for line, key in [
        ("significantly better on 1 of 4 datasets after Bonferroni correction", "holds"),
        ("significantly better on 3 of 4 datasets after Bonferroni correction", "contradicted"),
        ("exactly 3 of 4 by bonferroni", "holds"),
    ]:
        (verdict,) = check_claims(table, line).verdicts
        assert verdict.key == key, (line, verdict.why)


def test_claims_are_judged_by_stars_as_papers_count_them() -> None:
    stars = read_results(
        b"dataset\tBaseline\tOurs\nu\t91.2\t92.4***\nv\t95.1\t95.6*\nw\t92.0\t92.3\n"
        b"x\t98.7\t98.7\ny\t95.9\t95.2*\n"
        b"*, ** and *** denote p<.05, p<.01 and p<.001 (two-sided)\n"
    )
    assert isinstance(stars, PValueTable)
    for line, key, on in [
        ("significantly better on 2 of 5 datasets", "holds", ""),
        ("The gains on u and v are significant", "holds", ""),
        ("significantly better on 1 of 5 datasets (p < .01)", "holds", ""),
        ("no significant difference on w and x", "holds", ""),
        ("significantly better on u, v and y", "contradicted", ""),
        ("significantly better on 3 of 5 datasets", "depends", "the exact p-values"),
    ]:
        (verdict,) = check_claims(stars, line).verdicts
        assert (verdict.key, verdict.on) == (key, on), (line, verdict.why)


def test_a_verdict_that_depends_on_something_says_on_what() -> None:
    tied = read_table("dataset,A,B,p_value\nu,9,8,.05\nv,9,9,.01\n", "two-sided")
    bare, bound = p_table(".01", ".04"), p_table(">.04", alternative="greater")
    # Of ties and of lower ends only what may be on either side of the level leaves a claim open.
    clear = read_table("dataset,A,B,p_value\nu,9,8,.05\nv,9,9,.6\nw,9,8,>.2\n", "two-sided")
    level = read_table("dataset,A,B,p_value\nu,9,9,.05\n", "two-sided")
    redshift = sample_table("parsing-redshift")
    results = read_results(read_sample("simulated-sentences")[1])
    assert isinstance(results, ResultSet)
    computed = run_dataset_tests(results, a="ours", b="baseline", rng=0)
    for table, line, on, settle in [
        (p_table(".05", alternative="greater"), "exactly 0 by count", "the rounding", "digits"),
        (clear, "exactly 0 by count for A", "the rounding", "digits"),
        (level, "exactly 0 by count for differ", "the rounding", "digits"),
        (tied, "exactly 2 by count", "which system is ahead on v", "which system is ahead"),
        (bare, "exactly 2 by count", "which system each p-value is for", "authors"),
        (bound, "significant d1", "the exact p-values", "themselves"),
        (redshift, "exactly 5 by fisher", "how the p-values are read", "one- or two-sided"),
        (redshift, "at least 5", "whether the datasets are independent", "the claim would hold"),
        (redshift, "at least 6", "whether the datasets are independent", "the claim could hold"),
        (computed, "at least 4", "whether the datasets are independent", "that share examples"),
        (None, "interval 0.60 to 0.90 about 0.77", "how the interval was made", "how the interval"),
    ]:
        report = check_claims(table, line)
        (verdict,) = report.verdicts
        assert verdict.words().startswith(f"depends on {on}"), (line, verdict.words())
        assert settle in verdict.settle, line
        assert verdict.words() in report.lead(), line
        # The condition in the words, in the reason why, and nowhere else.
        assert verdict.reason.count("datasets are independent") in (0, 2), verdict.reason


def test_several_claims_are_counted_in_their_order_with_what_settles_each_that_is_quoted() -> None:
    table = read_table("dataset,A,B,p_value\nu,9,8,.05\nv,9,9,.01\nw,9,8,.01\n", "two-sided")
    lines = "significant v; w for A\nsignificant u; w at .025 for A"
    for text, on in (
        (lines, ["which system is ahead on v", "the rounding"]),
        ("\n".join(reversed(lines.split("\n"))), ["the rounding", "which system is ahead on v"]),
    ):
        report = check_claims(table, text)
        paragraph = report.paragraph()
        assert [verdict.on.partition(" of the p")[0] for verdict in report.verdicts] == on
        assert paragraph.index(f"1 depends on {on[0]}") < paragraph.index(f"1 depends on {on[1]}")
        settle = paragraph.rpartition(". ")[2]
        assert "which system is ahead on v, if any" in settle
        assert "-values with more digits" in settle
        assert "(only v is open)" in paragraph


def test_a_paragraph_says_once_where_a_small_p_value_comes_with_a_lower_score() -> None:
    table = read_table("dataset,A,B,p_value\nu,9,8,.01\nv,8,9,.01\nw,8,9,.01\n")
    once = check_claims(table, "significant u; v; w for A").paragraph()
    assert "on v and w the score of A is the lower one" in once
    assert "comes with" not in once
    # Where it is on more datasets than the claim's, all are said.
    more = check_claims(table, "significant u; v for A").paragraph()
    assert "on v and w a p ≤ .05 comes with a lower score of A" in more


def test_what_would_settle_small_p_values_beside_equal_scores_alone_is_who_is_ahead() -> None:
    rows = "dataset,A,B,p_value\nu,9,8,.01\nv,9,9,.01\n"
    tied, lower = read_table(rows, "two-sided"), read_table(f"{rows}w,8,9,.01\n")
    assert check_claims(tied).paragraph().endswith("which system is ahead on v, if any.")
    assert check_claims(lower).paragraph().endswith("tested, and in which direction.")


def test_the_paragraph_has_three_sentences_and_is_fair() -> None:
    severe = check_claims(PRINTED, "ours is significantly better on 3 of 4 datasets\nsignificant u")
    for report, words in [
        # What holds by another reading is not denied for every reading.
        (severe, "1 is contradicted; 1 contradicted claim would hold ignoring which system"),
        (severe, "No reading of the numbers for the system claimed allows that ours is"),
        (check_claims(PRINTED, "significant u; v"), "It holds: p is at most .05"),
        (check_claims(PRINTED, "significant u; v"), "claim that p is at most .05 on u and v for"),
        (check_claims(None, "interval 1.0 to 2.0 about 1.5"), "whether the numbers agree in 1.5"),
        (check_claims(PRINTED, "significant u\nsignificant v"), "No claim is contradicted, but on"),
        (check_claims(PRINTED, "at least 3"), "It is not shown by these numbers: "),
        (check_claims(UNEXPLAINED, metric="accuracy"), "but none of McNemar's tests explains any"),
        (check_claims(UNEXPLAINED, "significant u"), "on v a p ≤ .05 comes with equal scores"),
        (check_claims(PRINTED), "printed table of ours and theirs on 4 datasets"),
    ]:
        paragraph = report.paragraph()
        assert words in paragraph
        assert len(re.findall(r"\.(?: [A-Z“]|$)", paragraph)) == 3, paragraph
    assert "no sign of misconduct" in severe.paragraph()


def test_a_claim_that_rests_on_an_impossible_p_value_is_not_shown_and_others_stand() -> None:
    # Ahead by 400 of 1,000, no two-sided test gives v p = .5; with a possible one three are small.
    rows = (
        b"dataset,A,B,p_value,n\nu,.900,.500,.0001,1000\nv,.900,.500,.5,1000\n"
        b"w,.700,.600,.0001,1000\nx,.700,.700,.9,1000\n"
    )
    lines = (
        "exactly 2 by count for differ\nat least 1 by bonferroni\nnamed u; w by holm for differ\n"
        "no significant difference on v\nno significant difference on x"
    )
    for declared, keys in (
        ("two-sided", ["not-shown", "holds", "not-shown", "impossible", "holds"]),
        # One-sided for B, v could have any p-value near 1.
        ("not-stated", ["holds", "holds", "holds", "holds", "holds"]),
    ):
        report = check_claims(read_table(rows, declared), lines, metric="accuracy")
        assert [f.dataset for f in report.rows if f.key == "impossible"] == ["v"]
        assert [verdict.key for verdict in report.verdicts] == keys, declared
        to_name = ["name the test" in verdict.settle for verdict in report.verdicts]
        assert to_name == [key != "holds" for key in keys], declared
        assert ("printed p-value of v" in report.verdicts[0].why) == (declared == "two-sided")


def test_a_tiny_p_value_that_a_bootstrap_could_give_as_0_is_no_reason_to_deny_a_claim() -> None:
    table = read_table("dataset,A,B,p_value,n\nv,.810,.800,1e-9,1000\n", "two-sided")
    report = check_claims(table, "significant v", metric="accuracy")
    assert report.rows[0].key == "impossible"
    assert report.verdicts[0].key == "holds"


def test_a_claim_is_denied_only_where_every_reading_in_every_way_denies_it() -> None:
    within, none = get_args(Within), np.zeros(0, dtype=bool)
    taken = Taken(
        name="two-sided", key="holds", fewest=0, most=0, always=none, ever=none, others=()
    )
    for first in product(within, repeat=2):
        for second in product(within, repeat=2):
            readings = [[replace(taken, key=key) for key in ways] for ways in (first, second)]
            key, case = combined(readings), (first, second)
            assert (key == "contradicted") == ({*first, *second} == {"contradicted"}), case
            assert (key == "holds") == ("holds" in first and "holds" in second), case


def test_a_dataset_with_level_scores_may_count_as_no_evidence() -> None:
    # A tie is p = 1 to its authors: Fisher of .746, .0022, .304 and 1 is .055, with .75 it is .045.
    level = read_table(
        b"dataset,A,B,p_value\nu,93.2,91.0,.25\nv,85.8,87.6,.0022\nw,79.2,81.0,.30\nx,84.2,84.2,.50\n",
        "toward-higher-score",
    )
    for k in (0, 1):
        (verdict,) = check_claims(level, f"exactly {k} by fisher for B").verdicts
        assert (verdict.key, counts_of(verdict)) == ("depends", {"toward-higher-score": (0, 1)})


def test_digits_that_were_cut_off_deny_no_true_claim() -> None:
    # The p-values before they were cut: .0469 and .0129, doubled .0938 and .0258.
    cut = read_table(
        b"dataset,A,B,p_value\nset-1,63.0,61.2,0.046\nset-2,66.3,73.4,0.012\n", "not-stated"
    )
    report = check_claims(cut, "exactly 0 by bonferroni for differ")
    assert [verdict.key for verdict in report.verdicts] == ["depends"]
    assert "cut off" in report.verdicts[0].why
    # A bound is no rounded number, and an end that is not printed so is none of its values.
    for printed, line, key in (
        ("<.05", "exactly 0 by count for differ", "contradicted"),
        (".06", "exactly 1 by count for differ", "contradicted"),
        (".05", "exactly 0 by count for differ", "depends"),
    ):
        one = p_table(printed, alternative="two-sided")
        (verdict,) = check_claims(one, line).verdicts
        assert verdict.key == key, printed


def test_bonferronis_count_where_a_system_is_ahead_is_holms_number_of_names() -> None:
    # .02 is at most .05/2, and .04 then at most .05; a fixed level of .05/2 would name one alone.
    rows = [("x", "0.70", "0.60", ".020", 1000), ("y", "0.70", "0.60", ".040", 1000)]
    table = table_of(rows, alternative="two-sided")
    for method in ("bonferroni", "holm"):
        lines = (f"exactly 2 by {method} for A", f"exactly 1 by {method} for A")
        report = check_claims(table, lines)
        assert [v.key for v in report.verdicts] == ["holds", "contradicted"]
        assert counts_of(report.verdicts[0]) == {"two-sided": (2, 2), "where-ahead": (2, 2)}


def test_beside_a_table_an_interval_is_judged_as_alone_and_any_of_one_column_is_not_shown() -> None:
    lines = ("interval 1 to 2 about 3", "interval 1.0 to 2.0 about 1.5", "exactly 2 by any for A")
    *beside, of_any = check_claims(PRINTED, lines).verdicts
    alone = check_claims(None, lines[:2]).verdicts
    assert [(v.key, v.reason) for v in beside] == [(v.key, v.reason) for v in alone]
    assert [v.key for v in alone] == ["not-shown", "holds"]
    assert of_any.key == "not-shown"
    assert "one p-value for each dataset" in of_any.reason

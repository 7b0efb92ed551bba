"""Claims in a reviewer's words: sixty phrasings, the nearest name or method, and what is refused."""

import re
from dataclasses import replace

import pytest

from core.claims.claim import Claim
from core.claims.claim_words import understand
from core.claims.desk import mended, parse_claims, read_line
from core.claims.vocabulary import NotUnderstood, TableNames
from core.errors import DataError
from core.replicability.combinations import COMBINATIONS
from core.replicability.identification import procedure_named, procedure_names
from tests.core.claims.phrasings import (
    ABSTRACTS,
    DATASETS,
    EXAMPLES,
    FRESH,
    FRESH_DATASETS,
    FRESH_SYSTEMS,
    PUT_ASIDE,
    SYSTEMS,
)

NAMES = TableNames(systems=SYSTEMS, datasets=DATASETS)


def read(line: str) -> Claim:
    (claim,) = parse_claims(line, TableNames(systems=SYSTEMS, datasets=DATASETS))
    return claim


def _normal(claim: Claim) -> Claim:
    """A claim of so many of the table's N is one of so many."""
    n = claim.n_datasets or len(DATASETS)
    return claim if not claim.counts else replace(claim, n_datasets=n)


def _understood(pairs: tuple[tuple[str, str], ...]) -> list[str]:
    found = []
    for words, line in pairs:
        try:
            same = _normal(read(words)) == _normal(read(line))
        except DataError:
            same = False
        found += [words] if same else []
    return found


def test_what_the_grammar_was_made_for_is_understood() -> None:
    assert _understood(EXAMPLES) == [words for words, _ in EXAMPLES]


def test_of_the_phrasings_put_aside_all_but_one_are_understood() -> None:
    understood = _understood(PUT_ASIDE)
    missed = [words for words, _ in PUT_ASIDE if words not in understood]
    assert missed == ["none of the differences remain significant after Holm correction"]
    # Which is read as the same in other terms: no dataset is counted.
    assert read(missed[0]).line() == "exactly 0 of 12 by holm for differ"


def test_what_the_grammar_was_not_made_for_is_read_as_meant_or_answered_with_the_nearest() -> None:
    def read_fresh(line: str) -> Claim:
        (claim,) = parse_claims(line, TableNames(systems=FRESH_SYSTEMS, datasets=FRESH_DATASETS))
        return replace(claim, n_datasets=claim.n_datasets or 4) if claim.counts else claim

    for words, expected in FRESH:
        try:
            found: Claim | str = read_fresh(words)
        except DataError as error:
            found = str(error)
        if isinstance(found, str):
            assert expected in found, (words, found)
        else:
            assert found == read_fresh(expected), (words, found)


def test_sentences_of_abstracts_are_read_as_meant_or_refused() -> None:
    for systems, datasets, sentences in ABSTRACTS:
        names = TableNames(systems=systems, datasets=datasets)
        for words, expected in sentences:
            try:
                found = read_line(words, names).claim.line()
            except ValueError:
                found = "refuse"
            meant = expected
            if expected != "refuse":
                meant = read_line(expected, names).claim.line()
            assert found == meant, words


def test_a_claim_about_another_system_of_the_table_is_not_read_as_one_about_a() -> None:
    for words in (
        "Ours beats BERT on 3 datasets",
        "our model is significantly better on QQP",
        "significantly better on QQP",
    ):
        with pytest.raises(DataError, match="“Ours”, which is neither A nor B"):
            parse_claims(
                words, TableNames(systems=("BERT", "T5"), datasets=DATASETS, others=("Ours",))
            )


def test_the_baseline_is_asked_for_by_its_name_where_three_systems_may_be_it() -> None:
    line, three = "Ours outperforms the baseline on 7 datasets", replace(NAMES, others=("T5",))
    assert read_line(line, NAMES).claim.better == "a"
    with pytest.raises(ValueError, match="“baseline” cannot be checked"):
        read_line(line, three)
    with pytest.raises(ValueError, match="“best” cannot be checked"):
        read_line("Ours is the best on 7 datasets", three)
    named = replace(three, systems=("Ours", "Baseline (BERT)"))
    assert read_line(line, named).claim.better == "a"


def test_no_claim_is_offered_in_place_of_one_about_another_system_or_a_weaker_one() -> None:
    for line in (
        "Ours significantly outperforms RoBERTa on MNLI",
        "Ours is not significantly better on MNLI",
        "Ours is significantly better on non-SQuAD tasks",
        "Ours is at least on par with BERT on all datasets",
        "Ours is better on 6 datasets, all of which are significant",
        "Ours is better on 6 of 12 datasets (all differences significant, p < .05)",
    ):
        assert mended(line, replace(NAMES, others=("RoBERTa",))) == "", line
    versions = replace(NAMES, datasets=("SQuAD 1.1", "SQuAD 2.0"))
    assert mended("Ours significantly outperforms BERT on SQuAD", versions) == ""
    assert read_line("Ours beats BERT on both datasets", versions).claim.k == 2
    arrows = read_line("Ours is significantly better on en→de", replace(NAMES, datasets=("en-de",)))
    assert arrows.claim.datasets == ("en-de",)


def test_no_unknown_name_method_or_number_is_passed_over() -> None:
    for line, what, remedy in [
        ("Ours is significant on SST-2 after bonferoni", "no method “bonferoni”", "Bonferroni?"),
        ("exactly 3 by fischer", "no method “fischer”", "Fisher?"),
        ("Ours significantly outperforms BERTT on 3 datasets", "no system “BERTT”", "BERT?"),
        ("Ours significantly outperforms GPT on 3 datasets", "nothing called “GPT”", "It has"),
        ("Ours is significantly better on MNLII", "no dataset “MNLII”", "MNLI?"),
        ("at least 30", "speaks of 30 datasets, and there are 12", "at most 12"),
        ("significant on 9 of 8", "speaks of 9 datasets, and there are 8", "at most 8"),
        ("significant on MNLI and QQP of 14", "speaks of 14 datasets, and there", "Leave out “14”"),
        ("better on at least 3 (joint counting)", "Joint counting needs", "Count jointly"),
        ("better on +1 domains at .05", "“+1” is no number of datasets", "whole number"),
        ("better on −1 of 12, p < .05", "“-1” is no number of datasets", "whole number"),
        (".05 p < .05 on 7 of 8 datasets at", "“.05” is no number of datasets", "whole number"),
        ("significant on at least 3 by Holm and Bonferroni", "Holm and Bonferroni", "each method"),
        ("On MNLI or QQP Ours is better", "“MNLI or QQP” can be read in two ways", "“and”"),
        ("significant on SST-2, MNLI and/or QQP", "“MNLI or QQP” can be read in two", "“and”"),
        ("better on two-thirds of the datasets", "“two thirds” is a share", "whole number"),
        ("better on 2/3 of the datasets", "“2/3 of” is a share", "whole number"),
        ("Our scores are below those of BERT on 3 datasets", "“below” may be", "“worse”"),
    ]:
        with pytest.raises(DataError) as caught:
            read(line)
        (problem,) = caught.value.problems
        assert what in problem.what, (line, problem.what)
        assert remedy in problem.remedy, (line, problem.remedy)
    assert read("no significant difference on MNLI or QQP").datasets == ("MNLI", "QQP")
    others = read("Ours significantly outperforms BERT on everything but MNLI or QQP").datasets
    assert not {"MNLI", "QQP"} & set(others)
    with pytest.raises(
        DataError, match="“GPT” can only be a name in a table, and no table is given"
    ):
        parse_claims("Ours significantly outperforms GPT on 3 datasets")


def test_what_would_be_misread_is_refused() -> None:
    for line in (
        "Ours is significantly better on fewer than 5 datasets",
        "Ours fails to outperform BERT on MNLI",
        "Ours brings no significant improvement on MNLI",
        "Ours outperforms BERT by 2 BLEU",
        "Ours outperforms BERT by 2",
        "Ours is second best on 4 of 12 datasets",
        "Ours outperforms BERT on 4 of 6 metrics",
        "Ours outperforms BERT over 5 runs",
        "Ours significantly wins or loses on 9 of 12 datasets",
        "Ours significantly reduces degradation on 5 of 12 datasets",
        "Ours obtains significantly lower loss on 5 of 12 datasets",
        "Ours has lower latency than BERT on 5 of 12 datasets",
        "Ours does not significantly outperform BERT on all datasets",
        "Not all improvements are significant",
        "Ours is significantly less accurate on 4 of 12 datasets",
        "Ours suffers significantly less on 4 of 12 datasets",
        "Ours has a smaller drop than BERT on 4 of 12 datasets",
        "Ours significantly increases hallucinations on 4 of 12 datasets",
        "We reduce the WER of BERT significantly on 5 of 12 datasets",
        "Ours loses significantly fewer points on 4 of 12 datasets",
        "Ours is significantly better on average",
        "Ours is not significantly better",
        "no significant difference on MNLI after Holm",
        "Ours is significantly better on 3 of 12 datasets after Holm: MNLI and QQP",
        "Ours and BERT are better on 3 datasets",
        "Ours is faster",
        "Ours is statistically equivalent to BERT on MNLI",
        "Ours is significantly better by more than 2 points on 5 of 12 datasets",
        "Ours is significantly better by at least 2% on 5 of 12 datasets",
        "Ours is significantly better on 5 GLUE tasks",
        "Foo tasks: Ours is better on 5 of 12",
        "Ours is not statistically indistinguishable from BERT on MNLI",
        "statistically indistinguishable on 5 datasets",
        "no significant differences on 5 datasets",
        "no significant difference on 3 datasets, MNLI and QQP",
        "significant on all but BERT",
        "All differences on 3 datasets are significant",
        "Ours is significantly better on both datasets",
        "5 of the 12 significant gains are on large datasets",
        "no significant difference on most datasets",
        "no significant difference on all but 2 datasets",
        "p > .05 on all but 2 datasets",
        "neither system is significantly better on 5 datasets",
        "Ours significantly narrows the gap to BERT on 6 datasets",
        "Ours significantly alters the results on 6 datasets",
        "BERT is significantly eclipsed on 6 of 12 datasets",
        "BERT can be significantly improved on 6 datasets",
        "The difference loses significance on CoLA after Bonferroni",
        "Significance vanishes on CoLA after Bonferroni",
        "Ours could be significantly better on 7 datasets",
        "Ours is marginally significantly better on 5 datasets",
        "Ours is significantly better than the next best system on 5 datasets",
        # A name that is part of a longer word is another name.
        "Ours is significantly better than BERT on MNLI-m",
        "Ours is significantly better on all non-CoLA datasets",
        "Ours significantly outperforms m-BERT on 9 of 12 datasets",
        "Ours significantly outperforms BERT-large on 9 of 12 datasets",
    ):
        with pytest.raises(DataError):
            read(line)


def test_wins_on_named_datasets_are_answered_with_lines_that_are_read() -> None:
    for words, counted in [
        ("Ours is best on every dataset except RTE", "at least 11 of 12 datasets for A"),
        ("Ours is better on all but MNLI and QQP", "at least 10 of 12 datasets for A"),
        ("BERT beats Ours on QQP and RTE", "at least 2 of 12 datasets for B"),
    ]:
        with pytest.raises(DataError) as caught:
            read(words)
        (problem,) = caught.value.problems
        *_, how_many = re.findall("“(.*?)”", problem.remedy)
        # What is offered at a click claims no more than the paper.
        assert mended(words, NAMES) == how_many == f"better on {counted}"
        assert _normal(read(how_many)) == _normal(read(counted)), words


def test_of_two_claims_in_a_sentence_none_is_dropped_and_each_is_offered_as_a_line() -> None:
    for words, *lines in [
        ("Ours is better on all, significantly on all but three",
         "at least 12 of 12 for A", "exactly 9 of 12 by count for A"),
        ("better on all 12 datasets, and significantly so on all but two of them",
         "at least 12 of 12 for A", "exactly 10 of 12 by count for A"),
        ("Ours is better on all, significantly on MNLI, QQP and RTE",
         "at least 12 of 12 for A", "significant MNLI; QQP; RTE for A"),
        ("Ours beats BERT on 9 of 12 (significantly on MNLI)",
         "at least 9 of 12 for A", "significant MNLI for A"),
        ("Ours wins on 9 of 12 datasets, but is not significantly better on any",
         "at least 9 of 12 for A", "exactly 0 of 12 by count for A"),
        ("Ours is better on all datasets (p < .05 on MNLI)",
         "at least 12 of 12 for A", "significant MNLI at .05 for A"),
        ("While Ours wins on 9 of 12 datasets, only 3 gains are significant",
         "at least 9 of 12 for A", "exactly 3 by count for A"),
        ("Although not significant on RTE, Ours is significantly better on QQP",
         "not significant RTE", "significant QQP for A"),
        ("Ours is significantly better on MNLI, whereas the difference on QQP is not significant",
         "significant MNLI for A", "not significant QQP"),
        ("Ours wins on 9 of 12, loses on 2, significantly on 1",
         "at least 9 of 12 for A", "at least 2 for B", "exactly 1 by count for B"),
        ("Ours wins on 9 of 12 datasets, while the systems differ significantly on 7",
         "at least 9 of 12 for A", "exactly 7 by count for differ"),
        ("Ours beats BERT significantly on 4 datasets and is outperformed on 1",
         "exactly 4 by count for A", "at least 1 for B"),
        ("Ours beats BERT on 6 of 12 datasets, and significantly so (p < .05) on 5",
         "at least 6 of 12 for A", "exactly 5 by count at .05 for A"),
        ("Ours is better on all but significantly better on two",
         "at least 12 of 12 for A", "exactly 2 by count for A"),
        # More may be significant than are named.
        ("Only the difference on CoLA is significant",
         "significant CoLA for differ", "exactly 1 of 12 by count for differ"),
        ("Ours is significantly better on 2 of 12 datasets: MNLI and QQP (p < .01)",
         "significant MNLI; QQP at .01 for A", "exactly 2 of 12 by count at .01 for A"),
        # Wins on named datasets are no claim of p-values, and so no line is offered.
        ("Ours is significantly better on MNLI and better on QQP",),
        ("While BERT is better on MNLI, Ours is significantly better on QQP",),
        ("While Ours is significantly better on QQP, it is not on CoLA",),
    ]:  # fmt: skip
        with pytest.raises(DataError, match=f"makes {len(lines) or 2} claims"):
            read(words)
        assert mended(words, NAMES).splitlines() == lines, words
        assert [read(line).line() for line in lines] == lines


def test_conjunctions_and_adverbs_are_no_names() -> None:
    for start in ("While ", "Although ", "Even though ", "Notably, ", "Overall, ", "Since "):
        line = f"{start}Ours is significantly better on 4 of 12 datasets, the gains are small"
        assert read(line).line() == "exactly 4 of 12 by count for A"
    with pytest.raises(DataError, match="overall"):
        read("Ours is significantly better overall")


def test_a_claim_of_equal_systems_is_refused() -> None:
    for words, datasets in (
        ("Ours is comparable to BERT on MNLI and QQP", "MNLI and QQP”"),
        ("Ours is on par with BERT", "” and the names"),
        ("Ours is on par on all but RTE", "” and the names"),
        ("Ours is not comparable to BERT on RTE", "” and the names"),
        ("Ours matches or exceeds BERT on all datasets", "” and the names"),
    ):
        with pytest.raises(DataError, match=f"equal .* cannot be checked .*ence on {datasets}"):
            read(words)


def test_lower_errors_are_better_and_lower_scores_worse() -> None:
    for words, side in [
        ("Ours has a lower error rate than BERT on 5 of 12 datasets", "A"),
        ("Ours reduces the WER significantly on 5 of 12 datasets", "A"),
        ("Ours obtains significantly lower test perplexity on 5 of 12 datasets", "A"),
        ("Ours increases errors significantly on 5 of 12 datasets", "B"),
        ("Ours outperforms BERT with a lower error on 5 of 12 datasets", "A"),
        ("Ours never hurts performance significantly on any dataset", "B"),
        ("B shows a significant drop on 2 of 12 datasets", "A"),
        ("BERT is consistently outperformed on 5 of 12 datasets", "A"),
        ("Ours brings gains of 1.2 F1 over BERT on 5 of 12 datasets", "A"),
        ("Ours has significantly lower F1 on 5 of 12 datasets", "B"),
        ("Ours outperforms BERT in ROUGE-L on 5 of 12 datasets", "A"),
        ("Ours has significantly higher F1 on 5 of 12 error detection datasets", "A"),
        ("Ours increases accuracy and reduces errors on 5 of 12 datasets", "A"),
        ("Ours gets outperformed on 5 of 12 datasets", "B"),
        ("With 95% confidence, BERT is still outperformed on 5 of 12 datasets", "A"),
        ("BERT is consistently and significantly outperformed on 5 of 12 datasets", "A"),
        ("BERT is not significantly outperformed on any dataset", "A"),
        ("We also significantly lag behind BERT on 5 of 12 datasets", "B"),
        ("Ours makes significantly fewer errors on 5 of 12 datasets", "A"),
        ("Neither system is significantly better on any dataset", "differ"),
        ("All p-values are below .05", "differ"),
        ("All p-values are below .05 for Ours", "A"),
        ("No system significantly outperforms Ours on any dataset", "B"),
        ("Ours is in turn outperformed on 5 of 12 datasets", "B"),
        ("The baseline is, on 5 of 12 datasets, outperformed", "A"),
        ("There are 5 datasets on which Ours outperformed", "A"),
        ("BERT is strong and outperformed Ours on 5 of 12 datasets", "B"),
        ("BERT was improved upon by Ours on 5 of 12 datasets", "A"),
        ("The gains from BERT to Ours are significant on 5 of 12 datasets", "A"),
        ("The drops from BERT to Ours are significant on 5 of 12 datasets", "B"),
        ("Ours is significant on MNLI under the permutation test", "A"),
        ("Unlike BERT, Ours is significantly better on 5 of 12 datasets", "A"),
        ("p < .01 on MNLI", "differ"),
        ("There is a significant difference in favour of BERT on RTE", "B"),
        ("The difference is significant on 5 of 12 datasets in favor of Ours", "A"),
        ("We obtain p-values of at most .01 on all datasets", "differ"),
    ]:
        assert read(words).line().endswith(f"for {side}"), words


def test_lower_errors_are_no_claim_about_scores_of_which_higher_are_better_nor_the_other_way():
    for words, higher, of in [("Ours has lower perplexity on 5 of 12 datasets", True, "errors, .* higher"),
                              ("Ours is lower on 5 of 12 datasets", False, "scores, .* lower")]:  # fmt: skip
        for is_better in (None, not higher, higher):
            names = replace(NAMES, higher_is_better=is_better)
            if is_better is higher:
                assert mended(words, names) == "", words
                with pytest.raises(DataError, match=f"of {of} .*change how the table is read"):
                    parse_claims(words, names)
            else:
                assert len(parse_claims(words, names)) == 1


def test_of_how_many_is_kept_before_the_name_of_a_score() -> None:
    assert read("Ours is significantly better on 5 of 9 (F1)").n_datasets == 9


def test_of_one_dataset_nobody_has_to_say_on_how_many() -> None:
    one = TableNames(datasets=("CoLA",), systems=("Ours", "BERT"))
    for sentence, of_one in (
        ("Ours beats BERT", "at-least"),
        ("BERT is significantly better", "exactly"),
    ):
        claim = understand(sentence, one).claim
        assert (claim.kind, claim.k) == (of_one, 1)
        with pytest.raises(NotUnderstood, match="on how many"):
            understand(sentence, TableNames(datasets=("CoLA", "RTE"), systems=one.systems))


def test_exactly_so_many_better_scores_are_not_read_as_so_many_small_p_values() -> None:
    for words, meant in [
        # Wins are not offered as significant ones.
        ("BERT is better on only 1 of 12 datasets", "at least 1 of 12 for B"),
        ("Ours never performs worse than BERT", ""),
        ("Ours shows no drop on any dataset", ""),
        ("The difference is there on exactly 3 datasets", ""),
    ]:
        with pytest.raises(DataError, match="exactly so many must say"):
            read(words)
        line = mended(words, NAMES)
        assert (read(line).line() if line else "") == meant, words


def test_who_is_worse_what_is_excepted_and_how_papers_call_systems() -> None:
    others = "; ".join(name for name in DATASETS if name not in ("MNLI", "RTE"))
    for words, line in [
        # A sign says as much as a word.
        ("p > .05 on QQP", "not significant QQP at .05"),
        ("Not significant on QQP (p >= .01)", "not significant QQP at .01"),
        ("BERT is significantly worse on QQP", "significant QQP"),
        ("Ours significantly underperforms BERT on QQP", "significant QQP for B"),
        ("BERT's accuracy is significantly lower on QQP", "significant QQP"),
        ("Advantages of BERT over Ours are significant on QQP (p < .01)", "significant QQP at .01 for B"),
        ("p < .05 on 9 datasets where BERT < Ours", "exactly 9 by count at .05"),
        ("significant on all datasets but MNLI and RTE", f"significant {others}"),
        ("On every dataset except MNLI and RTE Ours is significantly better", f"significant {others}"),
        ("Our model beats the baseline on 9 of 12 datasets", "at least 9 of 12"),
        ("Ours consistently outperforms BERT", "at least 12 of 12"),
        ("BERT is consistently significantly better on MNLI", "significant MNLI for B"),
        ("significant on SST2 and AGNews by Hochberg", "significant SST-2; AG News by hochberg"),
        ("9 datasets remain significant with Benjamini-Hochberg (FDR 1%)",
         "exactly 9 by benjamini-hochberg at .01"),
        ("k >= 5 under independence", "at least 5 by fisher"),
        ("Ours is statistically indistinguishable from BERT on QQP", "not significant QQP"),
        ("Ours is statistically on par with BERT on QQP", "not significant QQP"),
        ("Ours significantly improves by up to 4.5 points on 9 of 12", "exactly 9 of 12 by count"),
        ("Ours improves significantly by up to 3% on 9 datasets", "exactly 9 by count"),
        ("Ours significantly beats BERT on 9 of 12 GLUE tasks", "exactly 9 of 12 by count"),
        # A list of datasets on both sides of its claim is one.
        ("The gains on SST-2, MNLI and QQP are significant", "significant SST-2; MNLI; QQP"),
        ("significant on SST-2, on MNLI, and on QQP", "significant SST-2; MNLI; QQP"),
        ("significantly better on SST-2 and MNLI, and significantly better on QQP",
         "significant SST-2; MNLI; QQP"),
    ]:  # fmt: skip
        assert _normal(read(words)) == _normal(read(line)), words
    (turned,) = parse_claims(
        "BERT beats our model on MNLI, p < .05",
        TableNames(systems=SYSTEMS[::-1], datasets=DATASETS),
    )
    assert turned.better == "a"


def test_a_system_below_a_joint_heading_is_known_by_its_own_name() -> None:
    systems, others = ("Baselines | RemBERT", "Ours | Lexi+CRF"), ("Ours | Lexi", "Baselines | T5")
    names = TableNames(systems=systems, datasets=DATASETS, others=others)
    line = "Lexi+CRF significantly outperforms RemBERT on 6 datasets"
    assert read_line(line, names).claim.better == "b"
    errors = replace(names, systems=("Base WER", "Lexi WER"), others=())
    assert read_line("Base is significantly better on MNLI", errors).claim.better == "a"
    with pytest.raises(ValueError, match=r"It is about “Ours \| Lexi”"):
        read_line("Lexi is significantly better on MNLI", names)


def test_a_sentence_without_a_system_is_about_the_authors_own_which_is_rarely_the_first_column():
    for systems, side in [
        (("BERT", "Ours"), "b"),
        (("Ours", "BERT"), "a"),
        (("Baseline", "LexiNet"), "b"),
        (("LexiNet", "Baseline (BERT)"), "a"),
    ]:
        for line in (
            "The gains on MNLI and QQP are significant (p < .05)",
            "significant (p < .05) on all but two datasets",
            "significant after Holm correction on MNLI",
        ):
            found = read_line(line, replace(NAMES, systems=systems))
            assert (found.claim.better, found.is_assumed) == (side, False)
        assert (
            read_line("significantly worse on QQP", replace(NAMES, systems=systems)).claim.better
            != side
        )
        for line in ("p > .05 on all datasets", "p < .05 on all but two datasets"):
            assert read_line(line, replace(NAMES, systems=systems)).claim.better == "differ"
    found = read_line(
        "The gains on MNLI are significant", replace(NAMES, systems=("BERT", "LexiNet"))
    )
    assert found.is_assumed
    assert found.claim.better == "a"


def test_we_are_the_authors_own_system_and_a_system_behind_a_verb_alone_is_the_one_that_loses():
    for systems, own in [(("Baseline", "X"), "b"), (("X", "Baseline"), "a"), (("X", "Y"), "a")]:
        for words, wins in [
            ("we outperform the baseline on 5 datasets", True),
            ("we significantly beat the baseline on 5 datasets", True),
            ("outperforms the baseline on 5 datasets", True),
            ("Outperforming the baseline, X wins on 5 datasets", True),
            ("we underperform the baseline on 5 datasets", False),
            ("we find that the baseline is better on 5 datasets", False),
            ("the improved baseline wins on 5 datasets", False),
        ]:
            better = read_line(words, replace(NAMES, systems=systems)).claim.better
            assert (better == own) == wins, (words, systems)
    with pytest.raises(ValueError, match="does not say which of the two systems is better"):
        read_line("we outperform X on 5 datasets", replace(NAMES, systems=("Baseline", "X")))


def test_a_dataset_called_like_a_letter_a_word_or_a_number_is_refused_in_words_never_dropped():
    letters, digits = ("A", "b", "c", "d"), tuple("0123456789")
    for datasets, words, line in [
        (letters, "significant on A and c", None),
        (letters, "significant on a & B", None),
        (letters, "significant on all but A (p < .05)", None),
        (letters, "significant on c for B", None),
        (letters, "A significantly outperforms B on c", None),
        (letters, "On c, A is significantly better than B", None),
        (letters, "significant for A and c", None),
        # "A" may be the system, or dataset "a".
        (("a", "c", "d"), "significant on A and c", None),
        (("a", "c", "d"), "significant on A", None),
        (("a", "c", "d"), "A is significantly better on c", None),
        (("A", "B", "C"), "A and B differ significantly on C", None),
        *(((word, "u", "v"), f"significant on {word} and v", None)
          for word in ("a", "an", "both", "at", "all", "one", "test set")),
        (("a", "u", "v"), "significant on a dataset and v", None),
        (("on", "u", "v"), "significant on on and v", None),
        (("both", "u", "v"), "significant on both u and v", None),
        (("Test set", "u", "v"), "significant on v and on the test set only", None),
        (digits, "significant on 1 and 3 (p < 0.05)", None),
        (digits, "significantly better on 2 of 10 datasets at 5%", "exactly 2 of 10 by count at .05"),
        (digits, "significant on 3", None),
    ]:  # fmt: skip
        if line is None:
            with pytest.raises(DataError, match=r"can also be.*Write datasets as in"):
                parse_claims(words, TableNames(systems=SYSTEMS, datasets=datasets))
            continue
        (claim,) = parse_claims(words, TableNames(systems=SYSTEMS, datasets=datasets))
        (meant,) = parse_claims(line, TableNames(systems=SYSTEMS, datasets=datasets))
        assert _normal(claim) == _normal(meant), words


def test_every_method_is_known_by_the_titles_of_its_record() -> None:
    for name in procedure_names():
        record = procedure_named(name)
        for title in (name, record.title, record.full_title):
            assert read(f"{title} names MNLI and QQP").method == name, title
    for combination in COMBINATIONS:
        line = f"{combination.test_title} shows that Ours is better on at least 3 datasets"
        assert read(line).method == combination.name


def test_a_system_called_like_a_word_of_claims_is_asked_for_by_its_letter() -> None:
    for name in ("Alpha", "Holm", "All", "Large", "System"):
        names = TableNames(systems=(name, "Base"), datasets=("News", "Web", "Fiction"))
        with pytest.raises(DataError, match=r"can also be.*behind “for” A or B"):
            parse_claims(f"{name} better on 2 of 3", names)
        if name != "Holm":
            assert parse_claims(f"{name} outperforms Base on 2 of 3", names)[0].better == "a"
            assert parse_claims(f"Base beats {name} on 1 of 3", names)[0].better == "b"
        assert parse_claims(f"at least 2 of 3 by Holm at .05 for {name}", names)[0].better == "a"
        assert parse_claims("Base is better on all 3 datasets", names)[0].better == "b"

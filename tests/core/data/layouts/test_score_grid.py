"""Datasets × systems with one score each are read from columns or rows, and told from examples."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.data import PValueTable, ScoreTable, read_results
from core.data.layouts.registry import SCORE_GRID
from core.data.tables.headings import lower_is_better
from core.errors import DataError, rows_choice

ROWS = "dataset,system,score\n"


def read(text, **roles):
    table = read_results(text.encode(), roles=roles)
    assert isinstance(table, ScoreTable)
    return table


@settings(max_examples=20, deadline=None)
@given(
    st.integers(1, 6).flatmap(
        lambda n: st.lists(
            st.lists(st.integers(-9999, 9999).map(lambda x: x / 100), min_size=3, max_size=3),
            min_size=n,
            max_size=n,
        )
    )
)
def test_scores_in_columns_or_rows_read_back_equal(values):
    wide = "dataset,A,B,C\n" + "".join(
        f"d{i},{','.join(map(repr, row))}\n" for i, row in enumerate(values)
    )
    long = ROWS + "".join(
        f"d{i},{system},{score!r}\n"
        for i, row in enumerate(values)
        for system, score in zip("ABC", row, strict=True)
    )
    for text in (wide, long):
        assert read(text, layout=SCORE_GRID, scales="one").values.tolist() == values


def test_the_digits_of_scores_are_those_that_were_read_where_thousands_are_separated() -> None:
    text = 'dataset,A,B,C,n\nx,"1,234.5","1,100.5",900,"1,000"\ny,"1,300","1,200",950,"2,000"\n'
    table = read_results(text.encode())
    assert isinstance(table, ScoreTable)
    assert table.n_examples == (1000, 2000)
    assert table.printed == (("1234.5", "1100.5", "900"), ("1300", "1200", "950"))


@pytest.mark.parametrize("p", ["", ",p"])
def test_names_of_datasets_say_of_which_metric_lower_is_better(p):
    rows = ["TED (WER),5.1,5.6", "Swb [CER],7.1,7.6", "PTB ↓,18.2,19.0", "SST-2 (acc),91,90"]
    lines = [f"dataset,A,B{p}", *(f"{row}{',.02' if p else ''}" for row in rows)]
    both, lower = ("\n".join(own).encode() for own in (lines, lines[:-1]))
    with pytest.raises(DataError, match="Lower is better on this dataset, by its name") as caught:
        read_results(both)
    for finding in caught.value.findings:
        assert [choice.role for choice in finding.choices] == ["higher_is_better", "left_out"]
    answers: list[dict[str, object]] = [{"higher_is_better": True}, {"left_out": "2-4"}]
    leaving_out = rows_choice(caught.value.problems)
    assert leaving_out is not None
    assert leaving_out.options[0][0] == "2-4"
    for text, roles in ((lower, dict[str, object]()), *((both, answer) for answer in answers)):
        table = read_results(text, roles=roles)
        assert isinstance(table, (PValueTable, ScoreTable))
        assert table.higher_is_better == (text == both)


@pytest.mark.parametrize(
    ("names", "higher"),
    [
        ("PER LOC ORG", True),
        ("PTB_perplexity Wiki_perplexity", False),
        ("WMT14_TER WMT15_TER", False),
        ("PTB_test_loss C4_test_loss", False),
        ("SCAN_MCD CFQ_MCD", True),
        ("NTCIR_ECE Sina_ECE", True),
        ("spelling_errors agreement_errors", True),
        ("PTB_perplexity_↑ Wiki_perplexity_↑", True),
        ("NER_(PER) NER_(LOC)", True),
        ("TIMIT_(PER) Buckeye_(PER)", False),
        ("FAR NEAR", True),
        ("der die das", True),
        ("Toxicity Irony", True),
        ("Toxicity Hallucination", True),
        ("TruthfulQA_(hallucination) MMLU", True),
        ("Toxicity_↓ Costs_↓", False),
        ("PPL WER", False),
        ("PPL MMLU", True),
        ("PPL BLEU", None),
        ("TED_(WER) MMLU", None),
        ("TED_↓ MMLU_↑", None),
    ],
)
def test_words_that_are_topics_or_tags_say_nothing_of_which_score_is_better(names, higher):
    rows = [f"{name.replace('_', ' ')},{i}.5,7" for i, name in enumerate(names.split())]
    text = "\n".join(["dataset,A,B", *rows]).encode()
    if higher is None:
        with pytest.raises(DataError, match="Lower is better on this dataset"):
            read_results(text)
    else:
        table = read_results(text)
        assert isinstance(table, ScoreTable)
        assert table.higher_is_better is higher


@pytest.mark.parametrize(
    "name",
    ["err", "latency", "FID", "MCD", "bpc", "bits per character", "bits/byte", "toxicity", "EER",
     "DER", "RTF", "cost", "regret", "edit distance", "deviation", "hallucination rate", "WER",
     "Ours ↓", "ours (accuracy loss ↓)"],
)  # fmt: skip
def test_names_of_which_lower_is_better(name):
    assert lower_is_better((name,)) is not None


@pytest.mark.parametrize(
    "name",
    ["error reduction", "hallucination detection", "cost-sensitive BERT", "toxicity F1", "gloss",
     "under", "Qualität der Antwort", "herring", "costume", "fidelity", "distance correlation",
     "loss-free", "accuracy", "CoNLL", "error rate ↑"],
)  # fmt: skip
def test_words_within_others_say_nothing_of_the_direction(name):
    assert lower_is_better((name,)) is None


@pytest.mark.parametrize("higher", [True, False])
def test_a_loss_that_may_be_what_the_datasets_are_about_turns_no_winner_unasked(higher):
    text = b"dataset,A,B\nHearing loss,.5,.7\nWeight loss,.6,.7\n"
    with pytest.raises(DataError, match="A loss may be a metric") as caught:
        read_results(text)
    ((choice,),) = (finding.choices for finding in caught.value.findings[:1])
    assert choice.options[0][0] is True
    table = read_results(text, roles={choice.role: higher})
    assert isinstance(table, ScoreTable)
    assert table.higher_is_better is higher


@pytest.mark.parametrize(
    ("names", "n"),
    [
        (("XNLI avg", "TyDiQA avg", "MLQA avg", "MMLU"), 4),
        (("Average precision", "X", "Y"), 3),
        (("Mean Opinion", "X", "Y"), 3),
        (("Mean acc", "X", "Y"), 2),
        (("Average score", "X", "Y"), 2),
        (("Average", "X"), 1),
    ],
)
def test_a_name_with_the_word_average_is_a_summary_only_beside_more_names_without(names, n):
    rows = (f"{name},8{i}.1,7{i}.2,.0{i + 1}\n" for i, name in enumerate(names))
    table = read_results(f"dataset,A,B,p\n{''.join(rows)}".encode())
    assert isinstance(table, PValueTable)
    assert len(table.datasets) == n


def test_an_arrow_on_one_of_two_systems_is_pointed_out_and_higher_is_read_as_better():
    for head, cell in (("", ""), (",p", ",.02"), (",example", ",1")):
        table = read_results(f"dataset,A ↓,B{head}\nx,91,90{cell}\ny,88,89{cell}\n".encode())
        assert table.reading is not None
        assert table.reading.roles["higher_is_better"] is True
        assert sum("'A ↓' has a ↓" in remark for remark in table.reading.remarks) == 1
        assert not any("may be a score" in remark for remark in table.reading.remarks)


@pytest.mark.parametrize("row", ["Wins", "Avg. rank", "GLUE avg.", "Macro-F1 average", "std", "Δ"])
@pytest.mark.parametrize("p", ["", ",.02"])
def test_a_row_that_sums_up_the_others_is_no_dataset_unless_so_answered(row, p):
    header = f"dataset,A,B{',p' if p else ''}"
    text = f"{header}\nx,91,90{p}\ny,88,89{p}\n{row},2,1{p}\n".encode()
    assert read_results(text).datasets == ("x", "y")
    assert read_results(text, roles={"averages": "datasets"}).datasets == ("x", "y", row)


def test_columns_of_several_metrics_are_asked_for_one_and_it_alone_is_read():
    text = "dataset,acc_A,acc_B,wer_A,wer_B\nx,91,90,5.1,5.6\ny,92,91,4.1,5.6\n"
    with pytest.raises(DataError, match="scores of 2 metrics, 'acc', 'wer'"):
        read(text)
    table = read(text, metric="wer")
    assert (table.systems, table.higher_is_better) == (("wer_A", "wer_B"), False)
    assert read(text, **table.reading.roles).fingerprint == table.fingerprint


def test_codes_of_languages_that_are_words_head_scores_beside_other_languages():
    table = read("model,en,de,no,id\nA,90,89,58.2,79.1\nB,91,88,60,79.7\n")
    assert (table.datasets, table.systems) == (("en", "de", "no", "id"), ("A", "B"))
    ids = read_results(b"id,en,de\n17,1,0\n12,1,1\n15,0,1\n")
    assert ids.reading is not None
    assert ids.reading.roles["example"] == "id"


def test_a_row_for_each_metric_of_a_dataset_is_no_example():
    rows = ["x,acc,91,90", "x,f1,92,91", "y,acc,88,89", "y,f1,86,87"]
    text = "\n".join(["dataset,metric,A,B", *rows])
    with pytest.raises(DataError, match="a dataset has a row of each") as caught:
        read(text)
    assert [value for value, _ in caught.value.choices[0].options] == ["acc", "f1"]
    f1 = read(text, metric="f1")
    assert (f1.metric, f1.printed) == ("f1", (("92", "91"), ("86", "87")))
    assert read(text, **f1.reading.roles).fingerprint == f1.fingerprint
    assert read("\n".join(["dataset,metric,A,B", *rows[::2]])).datasets == ("x", "y")

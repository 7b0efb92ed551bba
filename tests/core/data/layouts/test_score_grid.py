"""Datasets × systems with one score each are read from columns or rows, and told from examples."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.data import PValueTable, ScoreTable, read_results
from core.data.layouts.registry import SCORE_GRID
from core.data.tables.headings import lower_is_better
from tests.core.data.layouts.texts import refused

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


@pytest.mark.parametrize(
    "name",
    ["err", "latency", "FID", "MCD", "bpc", "bits per character", "bits/byte", "toxicity", "EER",
     "ours rank", "ours_time (s)", "DER", "RTF", "cost", "regret", "edit distance", "deviation", "hallucination rate", "WER",
     "Ours ↓", "ours (accuracy loss ↓)"],
)  # fmt: skip
def test_names_of_which_lower_is_better(name):
    assert lower_is_better((name,)) is not None


@pytest.mark.parametrize(
    "name",
    ["error reduction", "hallucination detection", "cost-sensitive BERT", "toxicity F1", "gloss",
     "under", "Qualität der Antwort", "herring", "costume", "fidelity", "distance correlation",
     "low rank", "LowRank", "recip_rank", "Mean Reciprocal Rank", "real-time ASR", "loss-free", "accuracy", "CoNLL", "error rate ↑"],
)  # fmt: skip
def test_words_within_others_say_nothing_of_the_direction(name):
    assert lower_is_better((name,)) is None


def test_columns_named_by_two_systems_hold_p_values_or_scores_as_chosen():
    text = "dataset,ours vs. BERT,ours vs T5\nx,.01,.02\ny,.03,.4\n"
    p_values, systems = refused(text).choices
    (first, _), _ = p_values.options
    table = read_results(text.encode(), roles={p_values.role: first})
    assert isinstance(table, PValueTable)
    assert table.p_values.tolist() == [0.01, 0.03]
    assert read(text, **{systems.role: systems.options[0][0]}).systems == (
        "ours vs. BERT", "ours vs T5"
    )  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "SST-2,93.5,92.1,.01\nMRPC,88.1,87.9,.41\nRTE,69.7,66.4,.02\n",
        "a good film\tpos\na bad film\tneg\nit works\tpos\n",
        "gem\tjewel\t3.94\nnoon\tstring\t0.08\n",
    ],
)
def test_a_first_row_of_data_is_not_lost_as_a_header(text):
    error = refused(text)
    assert "looks like data and not like column names" in str(error)
    assert not error.choices


def test_classifiers_in_rows_are_systems_and_any_column_of_names_may_be_chosen_for_them():
    rows = "".join(f"{c},{d},0.{i}\n" for i, c in enumerate("pq", 4) for d in ("x", "y"))
    assert read("classifier_name,dataset_name,accuracy\n" + rows).systems == ("p", "q")
    text = "Name,dataset,accuracy\n" + rows
    (choice,) = refused(text).choices
    assert (choice.role, choice.options) == ("system", (("Name", "Name"),))
    assert read(text, system="Name").systems == ("p", "q")


def test_averages_of_several_metrics_are_no_datasets():
    header = "Model,Inf Rel.,Inf Coh.,Pro Rel.,Pro Coh.,Arg Rel.,Arg Coh.,Avg Rel.,Avg Coh.\n"
    table = read(header + "A,3,4,3,5,4,5,3.3,4.7\nB,2,4,3,4,4,4,3,4\n")
    assert len(table.datasets) == 6
    assert any("'Avg Rel.', 'Avg Coh.'" in remark for remark in table.reading.remarks)


def test_of_two_columns_one_far_beyond_the_other_may_be_no_system():
    rows = "".join(f"m{i},{70 + i}.5,{1300 + i}\n" for i in range(6))
    assert "is it a system?" in str(refused("name,win_rate,avg_length\n" + rows))

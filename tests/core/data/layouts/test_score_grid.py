"""Datasets × systems with one score each are read from columns or rows, and told from examples."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.data import ScoreTable
from core.data.layouts.registry import SCORE_GRID
from core.data.tables.directions import lower_word
from tests.read_as import read_as

ROWS = "dataset,system,score\n"


def read(text, **roles):
    return read_as(ScoreTable, text.encode(), roles=roles)


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
    table = read_as(ScoreTable, text.encode())
    assert table.n_examples == (1000, 2000)
    assert table.printed == (("1234.5", "1100.5", "900"), ("1300", "1200", "950"))


LOWER = [
    "err", "latency", "FID", "MCD", "bpc", "bits per character", "bits/byte", "toxicity", "EER",
    "ours rank", "ours_time (s)", "DER", "RTF", "cost", "regret", "edit distance", "deviation",
    "hallucination rate", "WER", "Ours ↓", "ours (accuracy loss ↓)",
]  # fmt: skip
# Words within others say nothing of the direction.
HIGHER = [
    "error reduction", "hallucination detection", "cost-sensitive BERT", "toxicity F1", "gloss",
    "under", "Qualität der Antwort", "herring", "costume", "fidelity", "distance correlation",
    "low rank", "LowRank", "recip_rank", "Mean Reciprocal Rank", "real-time ASR", "loss-free",
    "accuracy", "CoNLL", "error rate ↑",
]  # fmt: skip


@pytest.mark.parametrize("name", [*LOWER, *HIGHER])
def test_lower_is_better_by_these_names_alone(name):
    assert (lower_word(name) is not None) == (name in LOWER)


def test_a_system_near_a_small_difference_of_coarse_scores_is_no_difference_of_them() -> None:
    content = b"dataset,a,b,c\nd0,.910,.90,.70\nd1,.911,.91,.71\nd2,.912,.92,.72\n"
    table = read_as(ScoreTable, content)
    assert table.systems == ("a", "b", "c")


@pytest.mark.parametrize("heading", ["Avg. Length", "mean tokens", "Relative error reduction"])
def test_what_describes_a_dataset_or_a_difference_is_no_system(heading: str) -> None:
    assert read(f"Dataset,BM25,DPR,{heading}\nNQ,32.9,47.4,7\nTQ,65.6,33.2,16\n").systems == (
        "BM25",
        "DPR",
    )

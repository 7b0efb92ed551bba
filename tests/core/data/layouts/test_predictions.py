"""Predictions are compared with gold letter by letter, and what looks odd about it is said."""

from core.data import PREDICTIONS
from tests.core.data.layouts.texts import read

START = "dataset,example,gold,A,B\n"


def test_every_part_of_a_file_is_read():
    results = read(START + "SNLI,1,yes,yes,no\nRTE,1,no,no,no\nSNLI,2,no, no ,yes\n")
    assert results.datasets == ("SNLI", "RTE")
    assert results.systems == ("A", "B")
    assert results.metrics == ("accuracy",)
    assert results.scores("SNLI", "A").tolist() == [1.0, 1.0]
    assert results.scores("SNLI", "B").tolist() == [0.0, 0.0]
    assert results.gold("SNLI").tolist() == ["yes", "no"]
    assert results.predictions("SNLI", "B").tolist() == ["no", "yes"]
    assert results.examples("SNLI") == ("1", "2")
    assert results.is_binary("RTE")
    assert results.reading.layout == PREDICTIONS
    assert results.reading.remarks == ()
    assert results.reading.roles == {
        "layout": PREDICTIONS,
        "dataset": "dataset",
        "example": "example",
        "gold": "gold",
        "systems": ("A", "B"),
        "run": None,
        "cluster": None,
        "covariates": (),
        "metric": "accuracy",
        "higher_is_better": True,
    }

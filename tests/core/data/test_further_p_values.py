"""Further columns of p-values are kept beside those that are counted, and never counted."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest

from core.data import PValueTable, read_results
from core.data.p_value_table import FurtherPValues


def read(text: str, **roles: object) -> PValueTable:
    table = read_results(text.encode(), roles=roles or None)
    assert isinstance(table, PValueTable)
    return table


SEVERAL = (
    "dataset,A,B,p_value,p_value words,p_value sentences\nx,1,2,.5,.04,<.001\ny,3,2,.3,.2,0.0\n"
)


def test_what_is_kept_is_as_printed_with_what_its_digits_allow() -> None:
    table = read(SEVERAL)
    assert table.p_values.tolist() == [0.5, 0.3]
    assert (table.system_a, table.system_b) == ("A", "B")
    words, sentences = table.further
    assert table.p_value_columns == ("p_value", "p_value words", "p_value sentences")
    assert words.printed == (".04", ".2")
    np.testing.assert_allclose(words.p_value_bounds, ([0.035, 0.15], [0.045, 0.25]))
    assert sentences.p_values.tolist() == [0.001, 0.05]
    assert set(table.reading.other_columns) == {"p_value words", "p_value sentences"}
    assert not any("Not read" in remark for remark in table.reading.remarks)


def test_they_stay_with_their_datasets() -> None:
    table = read(SEVERAL)
    assert table.without({"x"}).further[0].printed == (".2",)
    assert table.swapped().further[1].printed == table.further[1].printed
    for_a = read(SEVERAL, alternative="greater")
    assert len(for_a.further) == 2
    assert for_a.with_untested(["x", "y", "z"]).further == ()
    again = pickle.loads(pickle.dumps(table))  # noqa: S301 - made on this line
    assert again.further[0].printed == table.further[0].printed
    assert again.further[0].p_value_bounds[0].flags.writeable is False
    assert table.fingerprint == read(SEVERAL.replace(",.04,", ",.05,")).fingerprint


def test_one_entry_a_dataset_is_asked_for() -> None:
    short = FurtherPValues(
        name="p",
        p_values=np.array([0.5]),
        p_value_bounds=(np.zeros(1), np.ones(1)),
        printed=(".5",),
    )
    table = read(SEVERAL)
    with pytest.raises(ValueError, match="`further` must hold one entry for each of 2 datasets"):
        replace(table, further=(short,))
    with pytest.raises(ValueError, match="must hold one entry for each"):
        replace(short, printed=())

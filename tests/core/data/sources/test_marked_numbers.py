"""Scores with marks of significance around them, as papers' tables are pasted."""

from __future__ import annotations

from core.data.sources.cell_markup import without_markdown, without_raised_marks


def test_powers_of_ten_and_names_stay_as_they_are() -> None:
    for cell in ["2*10^-5", "10^-5", "1.5×10^-5", "SST-2^*", "SST_2", "a_b_c"]:
        assert without_raised_marks(cell) == (cell, ""), cell
        assert without_markdown(cell) == (cell, ()), cell

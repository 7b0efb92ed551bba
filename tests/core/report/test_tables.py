"""The table that is taken away."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import numpy as np
import pytest

from core.data import PValueTable, read_results
from core.replicability.identification import identify_datasets
from core.report.tables import MarkedTable

HOSTILE = ("=1+1", "@x", "**b** | c", "a_b & 50% $x$ {y} \\z #1 ^ ~", "![p](http://example.org)")


def table(datasets: tuple[str, ...] = HOSTILE) -> PValueTable:
    written = io.StringIO()
    rows = csv.writer(written)
    rows.writerow(["dataset", "ours", "theirs", "p_value"])
    for i, name in enumerate(datasets):
        rows.writerow([name, f"{90 + i}.10", "89.05", 1e-7 * 10**i])
    read = read_results(written.getvalue().encode())
    assert isinstance(read, PValueTable)
    return read


def marked(found: PValueTable) -> MarkedTable:
    return MarkedTable(
        table=found,
        identification=identify_datasets(found.p_values),
        claim="a-better",
        caption="Holm names 5 of 5.",
        signature="procedure:holm|alpha:0.05",
    )


def test_the_csv_holds_every_number_in_full_precision() -> None:
    found = marked(table())
    rows = list(csv.DictReader(io.StringIO(found.to_csv())))
    assert [float(row["p_value"]) for row in rows] == found.identification.p_values.tolist()
    adjusted = found.identification.adjusted_p_values.tolist()
    assert [float(row["adjusted_p_value"]) for row in rows] == adjusted
    assert [row["named"] == "yes" for row in rows] == found.identification.rejected.tolist()
    assert {row["signature"] for row in rows} == {"procedure:holm|alpha:0.05"}


def test_no_csv_text_begins_like_a_formula() -> None:
    for row in csv.reader(io.StringIO(marked(table()).to_csv())):
        assert not [cell for cell in row if cell.startswith(("=", "@", "\t", "\r"))]
        assert not [cell for cell in row if cell.startswith("+") and not _is_number(cell)]


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def test_markdown_has_one_row_a_dataset_and_no_live_markup() -> None:
    lines = marked(table()).to_markdown().splitlines()
    assert lines[0] == "Holm names 5 of 5."
    assert len([line for line in lines if line.startswith("|")]) == len(HOSTILE) + 2
    bars = {line.replace("\\|", "").count("|") for line in lines if line.startswith("|")}
    assert len(bars) == 1
    assert "\\!\\[p\\]\\(http\\:" in "\n".join(lines)
    assert "★ named" in "\n".join(lines)


def test_latex_escapes_every_special_character_of_a_name() -> None:
    text = marked(table()).to_latex()
    body = text.split("\\midrule")[1]
    assert (
        r"a\_b \& 50\% \$x\$ \{y\} \textbackslash{}z \#1 \textasciicircum{} \textasciitilde{}"
        in body
    )
    assert body.count(r" \\") == len(HOSTILE)
    assert r"$\star$ named" in body


def test_systems_named_like_a_column_do_not_hide_one() -> None:
    found = replace(table(), system_a="p_value", system_b="dataset")
    rows = list(csv.reader(io.StringIO(marked(found).to_csv())))
    assert len(set(rows[0])) == len(rows[0])
    assert len(rows[0]) == 11


@pytest.mark.parametrize("seed", range(5))
def test_the_order_by_p_value_is_the_order_by_p_value(seed: int) -> None:
    rng = np.random.default_rng(seed)
    p_values = rng.random(5)
    found = replace(table(), p_values=p_values, p_value_bounds=(p_values, p_values))
    ordered = p_values[marked(found).order_by_p_value]
    assert np.all(np.diff(ordered) >= 0)

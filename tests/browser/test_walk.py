"""One person's way through the app, with the numbers of a published table at every step.

Dependency parsing, Mate and Redshift (Dror et al., TACL 2017, Table 2) without BN: Fisher's count is
4 of 6 at .05 (the p-value of "at least 4" is .0285, of "at least 5" .0537); Holm names MZ.
"""

import csv
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visitors
from tests.browser.server import ROOT

pytestmark = pytest.mark.browser

OWN_CONTENT = (ROOT / "sample_data" / "dependency_parsing_mate_redshift.csv").read_bytes()
PRINTED = {
    "BC": 0.0979,
    "BN": 0.1662,
    "MZ": 0.0046,
    "NW": 0.0376,
    "PT": 0.0969,
    "TC": 0.0912,
    "WB": 0.0823,
}


def test_a_dataset_left_out_is_out_of_counts_tables_and_downloads(
    visitors: Visitors, tmp_path: Path
) -> None:
    visit = visitors.enter()
    visit.open("/")
    visit.drop("own results.csv", OWN_CONTENT)
    expect(visit.verdict).to_contain_text("Mate is better than Redshift on at least 1 of 7")
    visit.settle()
    visit.set_dependence("No, independent")
    expect(visit.page.get_by_text("(Fisher)").first).to_be_visible()
    visit.settle()
    visit.open_part("What we read")
    visit.choose(visit.exclusions, "BN")
    visit.page.keyboard.press("Escape")
    expect(visit.verdict).to_contain_text("at least 4 of 6")
    expect(visit.sidebar).to_contain_text("6 of 7")
    visit.go_to("Identification", "On which datasets?")
    expect(visit.lead).to_contain_text("on 1 of 6 datasets: MZ")
    expect(visit.table.locator("tbody tr")).to_have_count(6)
    shown = visit.rows()
    assert {row["dataset"] for row in shown} == set(PRINTED) - {"BN"}
    assert [row["dataset"] for row in shown if row["significant"].startswith("★")] == ["MZ"]

    visit.open_all_expanders()
    visit.download("Download CSV").save_as(tmp_path / "taken.csv")
    with (tmp_path / "taken.csv").open(encoding="utf-8", newline="") as taken:
        rows = {row["dataset"]: row for row in csv.DictReader(taken)}
    kept = {name: p for name, p in PRINTED.items() if name != "BN"}
    assert {name: float(row["p_value"]) for name, row in rows.items()} == kept
    assert {name: float(row["p_value_printed"]) for name, row in rows.items()} == kept
    assert {name for name, row in rows.items() if row["named"] == "yes"} == {"MZ"}
    # Holm: the smallest times 6, the next times 5; the largest is the fourth's, .0823 · 4.
    adjusted = {name: float(row["adjusted_p_value"]) for name, row in rows.items()}
    assert adjusted == pytest.approx(
        {"MZ": 0.0276, "NW": 0.188, "WB": 0.3292, "TC": 0.3292, "PT": 0.3292, "BC": 0.3292}
    )
    assert rows["MZ"]["Mate"] == "91.92"
    assert rows["MZ"]["Redshift"] == "90.90"
    assert float(rows["MZ"]["difference"]) == pytest.approx(1.02)
    for part in ("procedure:holm", "alpha:0.05", "datasets:6", "without:2"):
        assert part in rows["MZ"]["signature"].split("|")

"""One person's way through the app, with the numbers of a published table at every step.

Dependency parsing, Mate and Redshift (Dror et al., TACL 2017, Table 2) without BN: Fisher's count is
4 of 6 at .05 (the p-value of "at least 4" is .0285, of "at least 5" .0537) and 2 of 6 at .01; Holm
names MZ at .05.
"""

from __future__ import annotations

import csv
import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from pages.ui.frame.page import PAGES
from tests.browser.conftest import Visitors
from tests.browser.server import ROOT
from tests.browser.visit import Visit

pytestmark = pytest.mark.browser

AT_1_PERCENT = re.compile(r"^0?\.01$")
OWN_FILE = "own results.csv"
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
UPLOAD, COUNTING, IDENTIFICATION = (
    next((entry.label, entry.heading) for entry in PAGES if entry.label == label)
    for label in ("Upload", "Counting", "Identification")
)


def drop_own_file(visit: Visit) -> None:
    visit.drop(OWN_FILE, OWN_CONTENT)
    expect(visit.verdict).to_contain_text("Mate is better than Redshift on at least 1 of 7")
    visit.settle()


def declare_independent(visit: Visit) -> None:
    visit.set_dependence("No, independent")
    expect(visit.page.get_by_text("(Fisher)").first).to_be_visible()
    visit.settle()


def query(visit: Visit) -> dict[str, str]:
    return {name: text for name, (text,) in parse_qs(urlsplit(visit.page.url).query).items()}


def leave_out(visit: Visit, dataset: str) -> None:
    visit.open_part("What we read")
    visit.choose(visit.exclusions, dataset)
    visit.page.keyboard.press("Escape")


def test_a_dataset_left_out_is_out_of_counts_tables_downloads_and_what_an_address_gives_a_stranger(
    visitors: Visitors, tmp_path: Path
) -> None:
    visit = visitors.enter()
    visit.open("/")
    drop_own_file(visit)
    declare_independent(visit)
    leave_out(visit, "BN")
    expect(visit.verdict).to_contain_text("at least 4 of 6")
    expect(visit.sidebar).to_contain_text("6 of 7")
    visit.go_to(*IDENTIFICATION)
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

    visit.go_to(*UPLOAD)
    visit.set_alpha("0.01")
    expect(visit.verdict).to_contain_text("at least 2 of 6")
    visit.settle()
    visit.go_to(*COUNTING)
    expect(visit.lead).to_contain_text("at least 2 of 6")
    expect(visit.alpha).to_have_value(AT_1_PERCENT)
    expect(visit.dependence("No, independent")).to_be_checked()
    visit.go_to(*UPLOAD)
    visit.sidebar.get_by_role("button", name="Swap A and B").click()
    expect(visit.sidebar).to_contain_text(re.compile(r"A\s*Redshift"))
    visit.settle()
    verdict = visit.verdict.inner_text()
    assert {
        "alpha": "0.01",
        "dependence": "independent",
        "swap": "1",
        "without": "2",
    }.items() <= (query(visit).items())

    stranger = visitors.enter()
    stranger.open(visit.page.url)
    expect(stranger.main).to_contain_text(f"This address was made with the file {OWN_FILE}")
    expect(stranger.verdict).to_have_count(0)
    stranger.drop(OWN_FILE, OWN_CONTENT)
    expect(stranger.verdict).to_be_visible()
    stranger.settle()
    assert stranger.verdict.inner_text() == verdict
    expect(stranger.alpha).to_have_value(AT_1_PERCENT)
    expect(stranger.dependence("No, independent")).to_be_checked()
    expect(stranger.sidebar).to_contain_text(re.compile(r"6 of 7.*A\s*Redshift", re.DOTALL))
    assert query(stranger) == query(visit)

"""Tests that take long: seen on every page, stopped at once, what is finished kept."""

from __future__ import annotations

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visitors

pytestmark = pytest.mark.browser

N_SMALL = 2
N_LARGE = 6
N_DATASETS = N_SMALL + N_LARGE


def long_results() -> bytes:
    """Two datasets that are tested at once, then such as take minutes each: no step, so drawn."""
    rng = np.random.default_rng(11)
    lines = ["dataset,ours,base"]
    for dataset in range(N_DATASETS):
        n_rows = 20 if dataset < N_SMALL else 20_000
        lines += [
            f"set-{dataset},{a!r},{b!r}"
            for a, b in rng.normal((0.1, 0.0), 1.0, (n_rows, 2)).tolist()
        ]
    return "\n".join(lines).encode()


def test_a_long_run_goes_on_over_pages_and_stops_without_waiting_for_the_dataset_in_hand(
    visitors: Visitors,
) -> None:
    visit = visitors.enter()
    visit.open("/?test=paired-bootstrap&resamples=300000")
    visit.drop("long.csv", long_results())
    # The first results are there while the others are still being tested, on other pages too.
    bar = visit.main.get_by_text(re.compile(rf"Testing dataset [3-9] of {N_DATASETS}"))
    expect(bar).to_be_visible()
    menu = visit.page.get_by_role("navigation")
    heading = visit.page.get_by_role("heading", level=1)
    menu.get_by_role("link", name="Counting", exact=True).click()
    expect(heading).to_have_text("On at least how many datasets?")
    expect(bar).to_be_visible()
    expect(visit.lead).to_be_visible()
    menu.get_by_role("link", name="Tests").click()
    expect(heading).to_have_text("Results by dataset")
    expect(bar).to_be_visible()
    visit.main.get_by_text("Another test, more resamples or another seed").click()
    seed = visit.main.get_by_label("Seed", exact=True)
    seed.fill("7")

    stop = visit.main.get_by_role("button", name="Stop", exact=True)
    expect(stop).to_be_enabled()
    stop.click()
    expect(visit.main.get_by_text("Testing was stopped:")).to_be_visible()
    said = visit.main.get_by_text("Testing was stopped:").inner_text()
    (done,) = re.findall(rf"(\d+) of {N_DATASETS} datasets are tested", said)
    # Had the stop waited for the large datasets in hand, they would be among the finished.
    assert int(done) == N_SMALL
    visit.settle()
    rows = visit.rows()
    assert len(rows) == N_DATASETS
    assert sum(row["p (A better)"] == "not tested" for row in rows) == N_LARGE
    # A form that is open, and what was typed there, outlive what happens above it.
    expect(seed).to_be_visible()
    expect(seed).to_have_value("7")

"""Tests that take long: seen on every page, stopped at once, what is finished kept."""

from __future__ import annotations

import re
import time

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visitors
from tests.browser.visit import Visit

pytestmark = pytest.mark.browser

N_DATASETS = 12
SECONDS_TO_ANSWER = 1.0
TRIES = 4


def long_results() -> bytes:
    """Scores without a common step, so that the bootstrap has to draw."""
    rng = np.random.default_rng(11)
    lines = ["dataset,ours,base"]
    for dataset in range(N_DATASETS):
        for a, b in rng.normal((0.1, 0.0), 1.0, (2000, 2)):
            lines.append(f"set-{dataset},{a!r},{b!r}")
    return "\n".join(lines).replace("np.float64(", "").replace(")", "").encode()


def seconds_until_stopped(visit: Visit) -> float:
    """From pressing Stop until the page says what is finished."""
    stop = visit.main.get_by_role("button", name="Stop", exact=True)
    expect(stop).to_be_enabled()
    asked = time.monotonic()
    stop.click()
    expect(visit.main.get_by_text("Testing was stopped:")).to_be_visible()
    return time.monotonic() - asked


def test_a_long_run_goes_on_over_pages_and_stops_within_a_second_keeping_what_is_done(
    visitors: Visitors,
) -> None:
    visit = visitors.enter()
    visit.open("/?test=paired-bootstrap&resamples=300000")
    visit.drop("long.csv", long_results())
    bar = visit.main.get_by_text(re.compile(r"Testing dataset \d+ of 12"))
    expect(bar).to_be_visible()
    # The first results are there while the others are still being tested, on other pages too.
    second = visit.main.get_by_text(re.compile(r"Testing dataset ([2-9]|1\d) of 12"))
    expect(second).to_be_visible()
    visit.page.get_by_role("navigation").get_by_role("link", name="Counting", exact=True).click()
    expect(visit.page.get_by_role("heading", level=1)).to_have_text(
        "On at least how many datasets?"
    )
    expect(bar).to_be_visible()
    expect(visit.lead).to_be_visible()
    spent = [seconds_until_stopped(visit)]
    # Whoever shares the machine may have held up one answer; a slow stop holds up all.
    while spent[-1] >= SECONDS_TO_ANSWER and len(spent) < TRIES:
        visit.main.get_by_role("button", name="Run all tests", exact=True).click()
        expect(second).to_be_visible()
        spent.append(seconds_until_stopped(visit))
    assert min(spent) < SECONDS_TO_ANSWER
    said = visit.main.get_by_text("Testing was stopped:").inner_text()
    (done,) = re.findall(r"(\d+) of 12 datasets are tested", said)
    assert 1 <= int(done) < N_DATASETS
    visit.settle()
    visit.go_to("Per-dataset tests", "How sure on each dataset?")
    rows = visit.rows()
    assert len(rows) == N_DATASETS
    assert sum(row["p (A better)"] == "not tested" for row in rows) == N_DATASETS - int(done)
    visit.check()

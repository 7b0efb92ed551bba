"""The page about many systems in a browser: clicks on the matrix, and names."""

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visitors
from tests.browser.visit import Visit

pytestmark = pytest.mark.browser

HEADING = "Which systems differ significantly?"


def results(names: list[str]) -> bytes:
    rng = np.random.default_rng(0)
    lines = ["dataset,example," + ",".join(names)]
    for d in range(6):
        right = rng.random((80, len(names))) < 0.4 + 0.1 * np.arange(len(names))
        lines += [f"d{d},{i}," + ",".join(str(int(r)) for r in row) for i, row in enumerate(right)]
    return "\n".join(lines).encode()


def arrive(visit: Visit, names: list[str]) -> None:
    visit.open("/")
    visit.drop("systems.csv", results(names))
    expect(visit.verdict).to_be_visible()
    visit.go_to("Systems", HEADING)
    expect(visit.lead).to_be_visible()
    visit.settle()


def click_four_against_two(visit: Visit) -> None:
    cells = visit.main.get_by_test_id("stPlotlyChart").first.locator(".nsewdrag")
    box = cells.bounding_box()
    assert box is not None
    # By rank: four, three, two, one. The first row's third cell is four against two.
    cells.hover(position={"x": box["width"] * 0.6, "y": box["height"] * 0.15})
    # Near its corner, far from its middle; once the chart stands still.
    cells.click(position={"x": box["width"] * 0.51, "y": box["height"] * 0.23})


def test_a_click_on_a_cell_opens_that_pair_in_counting_and_says_what_it_changed(
    visitors: Visitors,
) -> None:
    visit = visitors.enter()
    arrive(visit, ["one", "two", "three", "four"])
    click_four_against_two(visit)
    heading = visit.page.get_by_role("heading", level=1)
    expect(heading).to_have_text("On at least how many datasets?")
    expect(visit.lead.or_(visit.verdict).first).to_contain_text("four is better than two")
    visit.settle()
    # The way back is open, and what is chosen there is what the pair is then tested by.
    visit.go_to("Systems", HEADING)
    expect(visit.lead).to_be_visible()
    visit.open_part("Another test, resamples or seed")
    visit.choose(visit.main.get_by_role("combobox", name="Test", exact=True), "sign test, exact")
    visit.main.get_by_role("button", name="Compare all pairs").click()
    expect(visit.main.get_by_text("Counting tests and counts this pair by itself")).to_be_visible()
    visit.settle()
    click_four_against_two(visit)
    expect(heading).to_have_text("On at least how many datasets?")
    told = visit.main.get_by_text(
        "these settings of the session were changed: test to sign test, exact."
    )
    expect(told).to_be_visible()

"""The HTML report, opened from a disk without a network."""

from collections.abc import Generator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Dialog, Page, Route, expect

from core.analysis import Analysis
from core.export.report import chosen_sections, html_report
from core.sections.parts import Grid
from tests.browser.conftest import new_context
from tests.browser.visit import MILLISECONDS, SCREENS, SEEN, WIDE, accessibility_findings
from tests.core.export.samples_of_analyses import of_sample

pytestmark = pytest.mark.browser

ALL_DRAWN = """() => [...document.querySelectorAll("figure .chart")]
    .every(chart => chart.querySelector("svg.main-svg"))"""


def opened(page: Page, path: Path) -> list[str]:
    """Open a report in a tab that has no network; all that goes wrong in it."""
    faults: list[str] = []

    def note_dialog(dialog: Dialog) -> None:
        faults.append(f"dialog: {dialog.message}")

    def note_message(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            faults.append(message.text)

    def only_files(route: Route) -> None:
        if route.request.url.startswith(("file:", "blob:", "data:")):
            route.continue_()
        else:
            faults.append(f"asked for {route.request.url}")
            route.abort()

    page.on("pageerror", lambda error: faults.append(f"page error: {error}"))
    page.on("dialog", note_dialog)
    page.on("console", note_message)
    page.route("**/*", only_files)
    page.goto(path.as_uri())
    page.wait_for_function(ALL_DRAWN)
    return faults


@pytest.fixture
def tab(browser: Browser) -> Generator[Page]:
    with closing(new_context(browser)) as context:
        context.set_offline(True)
        page = context.new_page()
        page.set_default_timeout(MILLISECONDS)
        yield page


def written(analysis: Analysis, folder: Path) -> Path:
    path = folder / "report.html"
    path.write_text(html_report(analysis), encoding="utf-8")
    return path


def test_the_report_is_whole_and_accessible_without_a_network_saves_charts_and_prints(
    tab: Page, tmp_path: Path
) -> None:
    analysis = of_sample("simulated-accuracy")
    faults = opened(tab, written(analysis, tmp_path))
    sections = chosen_sections(analysis)
    (results,) = [
        part
        for section in sections
        for part in section.parts
        if isinstance(part, Grid) and part.name == "results"
    ]
    table = tab.locator("#results table")
    cells = table.locator("tbody tr").evaluate_all(
        "rows => rows.map(row => [...row.cells].map(cell => cell.textContent))"
    )
    assert cells == [list(row) for row in results.rows]
    expect(table).to_be_visible()
    for scheme, width in SCREENS:
        tab.emulate_media(color_scheme=scheme)
        tab.set_viewport_size({"width": width, "height": 900})
        # Charts are drawn again after the page is.
        tab.wait_for_function("() => document.documentElement.scrollWidth <= innerWidth")
        # A chart takes the height that it is drawn for, not that of an empty box.
        for chart in tab.locator("figure .chart").all():
            box = chart.bounding_box()
            assert box is not None
            assert box["height"] > 140
            assert box["width"] <= width
        assert accessibility_findings(tab, only=() if width == WIDE else SEEN) == []
    for kind, start in {"svg": b"<svg", "png": b"\x89PNG"}.items():
        with tab.expect_download() as started:
            tab.get_by_role("button", name=f"Save the chart “staircase” as {kind.upper()}").click()
        assert started.value.suggested_filename == f"staircase.{kind}"
        assert Path(started.value.path()).read_bytes().startswith(start)
    # On paper every section is light, and nothing is cut.
    tab.emulate_media(media="print", color_scheme="dark")
    # A4 between its margins.
    tab.set_viewport_size({"width": 680, "height": 1000})
    for section in sections:
        expect(tab.locator(f"#{section.key}")).to_be_visible()
    expect(tab.get_by_role("button")).to_have_count(0)
    assert tab.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    wider = """() => [...document.querySelectorAll("table, .chart, pre, p")]
        .filter(one => one.getBoundingClientRect().right > innerWidth + 1)
        .map(one => one.outerHTML.slice(0, 100))"""
    assert tab.evaluate(wider) == []
    assert faults == []

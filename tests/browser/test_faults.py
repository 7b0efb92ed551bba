"""A server that dies, a page that is reloaded, a network that goes: what is lost is said, nothing else is."""

import re
from collections.abc import Generator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import WebSocketRoute, expect

from pages.ui.frame.page import N_IN_FRONT
from tests.browser.conftest import Visitors
from tests.browser.server import Server
from tests.browser.visit import Visit

pytestmark = pytest.mark.browser

OWN = b"dataset,ours,base,p\nSST,91,90,.001\nIMDB,92,90,.2\nYelp,93,90,.002\n"
LOST = "which is not in memory"
# What takes a minute leaves the other processors to everybody else.
ONE_THREAD = {"DASHBOARD_TEST_THREADS": "1"}
UPLOAD, COUNTING = "On how many datasets is A really better?", "On at least how many datasets?"
# What the browser notes while there is no server to reach.
UNREACHABLE = re.compile(
    r"ERR_CO(NNECTION|NTENT_LENGTH)|reaching server|not responding|disconnected|WebSocket|Failed to fetch|/media/"
)


def long_results() -> bytes:
    """Two datasets that are tested at once, then such as take a minute each."""
    rng = np.random.default_rng(11)
    lines = ["dataset,ours,base"]
    for dataset in range(4):
        pairs = rng.normal((0.1, 0.0), 1.0, (20 if dataset < 2 else 6_000, 2)).tolist()
        lines += [f"set-{dataset},{a!r},{b!r}" for a, b in pairs]
    return "\n".join(lines).encode()


@pytest.fixture
def mortal_servers(spare_port: int, tmp_path: Path) -> Generator[list[Server]]:
    """A server of one's own, and those that follow it; to be named before `visitors`, who leave first."""
    started = [Server(tmp_path / "log.txt", port=spare_port, environment=ONE_THREAD)]
    yield started
    for server in started:
        server.stop()


def forgive_unreachable(visit: Visit) -> None:
    visit.faults[:] = [fault for fault in visit.faults if not UNREACHABLE.search(fault)]


def drop_own(visit: Visit) -> None:
    visit.open("/?alpha=0.01")
    visit.drop("own.csv", OWN)
    expect(visit.verdict).to_contain_text("ours is better than base on at least 2 of 3")
    visit.settle()


def test_any_page_may_be_a_servers_first_and_after_it_died_in_mid_run_says_what_is_lost(
    mortal_servers: list[Server], visitors: Visitors, tmp_path: Path
) -> None:
    visit = visitors.enter(server=mortal_servers[0])
    # The server has drawn no other page yet.
    visit.open("/counting?test=paired-bootstrap&resamples=1000000&alpha=0.01")
    expect(visit.page.get_by_role("heading", level=1)).to_have_text(COUNTING)
    expect(visit.page.get_by_role("dialog")).to_have_count(0)
    expect(visit.page.get_by_role("navigation").get_by_role("link")).to_have_count(N_IN_FRONT)
    visit.go_to("Upload", UPLOAD)
    visit.drop("long.csv", long_results())
    expect(visit.verdict).to_contain_text("So far, 2 of 4 datasets are tested")
    expect(visit.main.get_by_role("progressbar")).to_be_visible()

    mortal_servers[0].kill()
    expect(visit.page.get_by_role("dialog")).to_contain_text("Connection error")
    # What is still on the screen is no whole answer, and does not look like one.
    expect(visit.verdict).to_contain_text("So far, 2 of 4 datasets are tested")

    port = mortal_servers[0].port
    visit.server = Server(tmp_path / "again.txt", port=port, environment=ONE_THREAD)
    mortal_servers.append(visit.server)
    visit.logged_before = 0
    expect(visit.main).to_contain_text(LOST)
    expect(visit.main).to_contain_text("This address was made with the file long.csv")
    expect(visit.verdict).to_have_count(0)
    expect(visit.sidebar).to_contain_text("Nothing loaded yet")
    expect(visit.main.get_by_text(re.compile("Testing: "))).to_have_count(0)
    expect(visit.page.get_by_role("dialog")).to_have_count(0)
    # The same file, and everything goes on with the settings that it had.
    visit.drop("long.csv", long_results())
    expect(visit.verdict).to_contain_text("So far, 2 of 4 datasets are tested")
    expect(visit.main).not_to_contain_text(LOST)
    expect(visit.alpha).to_have_value(".01")
    assert "resamples=1000000" in visit.page.url
    stop_on_another_page(visit)
    forgive_unreachable(visit)


def stop_on_another_page(visit: Visit) -> None:
    """A run goes on over pages, and stops without waiting for the dataset in hand."""
    menu = visit.page.get_by_role("navigation")
    heading = visit.page.get_by_role("heading", level=1)
    bar = visit.main.get_by_text(re.compile("Testing: [23] of 4 datasets"))
    for label, shown in (("Counting", COUNTING), ("Tests", "Results by dataset")):
        menu.get_by_role("link", name=label, exact=True).click()
        expect(heading).to_have_text(shown)
        expect(bar).to_be_visible()
        expect(visit.lead).to_be_visible()
    visit.main.get_by_text("Another test, more resamples or another seed").click()
    seed = visit.main.get_by_label("Seed", exact=True)
    seed.fill("7")
    visit.main.get_by_role("button", name="Stop", exact=True).click()
    stopped = visit.main.get_by_text("Testing was stopped:")
    expect(stopped).to_be_visible()
    # Had the stop waited for the large dataset in hand, it would be among the finished.
    assert "2 of 4 datasets are tested" in stopped.inner_text()
    visit.settle()
    p_values = [row["p (A better)"] for row in visit.rows()]
    assert [p == "not tested" for p in p_values].count(True) == 2
    assert len(p_values) == 4
    # A form that is open, and what was typed there, outlive what happens above it.
    expect(seed).to_be_visible()
    expect(seed).to_have_value("7")


def test_a_network_that_comes_back_finds_all_as_it_was_and_a_reload_that_forgets_it_asks_first(
    visitors: Visitors,
) -> None:
    visit = visitors.enter(own_tab=True)
    lines: list[WebSocketRoute] = []
    is_cut = False

    def connect(line: WebSocketRoute) -> None:
        if is_cut:
            line.close()
        else:
            line.connect_to_server()
            lines.append(line)

    visit.page.route_web_socket(re.compile("/_stcore/stream"), connect)
    drop_own(visit)
    visit.go_to("Counting", COUNTING)
    said = visit.lead.inner_text()

    is_cut = True
    for line in lines:
        line.close()
    app = visit.page.get_by_test_id("stApp")
    expect(app).not_to_have_attribute("data-test-connection-state", "CONNECTED")
    expect(visit.alpha).to_be_disabled()

    is_cut = False
    expect(app).to_have_attribute("data-test-connection-state", "CONNECTED")
    visit.settle()
    expect(visit.lead).to_have_text(said)
    expect(visit.main).not_to_contain_text(LOST)
    visit.set_alpha("0.1")
    expect(visit.lead).to_contain_text("90% confidence")
    forgive_unreachable(visit)

    visit.go_to("Upload", UPLOAD)
    visit.set_alpha("0.01")
    expect(visit.verdict).to_contain_text("99% confidence")
    visit.settle()
    expect(visit.sidebar).to_contain_text("Kept in memory only: reloading this page")
    # A browser asks only those who have done something on the page.
    visit.page.get_by_role("heading", level=1).click()
    visit.page.reload()
    assert visit.asked_to_stay == 1
    expect(visit.main).to_contain_text("This address was made with the file own.csv")
    expect(visit.verdict).to_have_count(0)
    expect(visit.sidebar).not_to_contain_text("reloading this page forgets it")
    visit.settle()
    visit.drop("own.csv", OWN)
    expect(visit.verdict).to_contain_text("on at least 2 of 3")
    expect(visit.alpha).to_have_value(".01")
    visit.settle()
    # Where nothing would be lost nobody is asked.
    visit.sidebar.get_by_role("button", name="Remove my data").click()
    expect(visit.sidebar).to_contain_text("Nothing loaded yet")
    visit.settle()
    visit.page.reload()
    visit.settle()
    visit.main.get_by_role("button", name="Multilingual POS tagging").click()
    expect(visit.verdict).to_be_visible()
    visit.settle()
    visit.page.reload()
    expect(visit.verdict).to_be_visible()
    assert visit.asked_to_stay == 1

"""What is taken away from the Report page: each button's own file, and whole again after a drop."""

from __future__ import annotations

import io
import zipfile

import pytest
from playwright.sync_api import expect

from core.command_line import main
from tests.browser.conftest import Visitors
from tests.browser.visit import Visit

pytestmark = pytest.mark.browser
REPORT = ("Report", "From screen to paper")


def taken(visit: Visit, label: str) -> bytes:
    """What a button hands over."""
    return visit.download(label).path().read_bytes()


def wait_for_tests(visit: Visit) -> None:
    """Until no bar tells of tests that run."""
    expect(visit.page.get_by_role("progressbar")).to_have_count(0)
    expect(visit.lead).not_to_contain_text("So far")
    visit.settle()


def test_every_button_of_the_report_page_hands_over_what_it_says(
    visitors: Visitors, capsys: pytest.CaptureFixture[str]
) -> None:
    visit = visitors.enter()
    visit.open("/report?sample=simulated-labels")
    wait_for_tests(visit)
    assert taken(visit, "Report (HTML)").startswith(b"<!DOCTYPE html>")
    assert taken(visit, "Report (Markdown)").startswith(b"# ")
    with zipfile.ZipFile(io.BytesIO(taken(visit, "For your paper (zip)"))) as archive:
        assert b"\\citep{" in archive.read("methods.tex")
        assert archive.read("references.bib").startswith(b"@")
    assert taken(visit, "Tables (Excel)").startswith(b"PK")
    # Of every sample this is tried in tests/pages, without a browser.
    page = taken(visit, "Everything (JSON)").decode()
    assert main(["--sample", "simulated-labels", "--json", "--quiet"]) == 0
    assert page == capsys.readouterr().out


def secret_file(prefix: str) -> bytes:
    rows = [
        f"{prefix}{d},text of {prefix} {i},{(i + d) % 3 > 0:d},{i % 2}"
        for d in range(3)
        for i in range(40)
    ]
    return "\n".join(["dataset,text,one,two", *rows]).encode()


def test_nothing_of_one_persons_data_is_in_what_another_takes_away(visitors: Visitors) -> None:
    alice, bob = visitors.enter(stranger=True), visitors.enter(stranger=True)
    taken_away = {}
    for visit, prefix in ((alice, "SecretOfAlice"), (bob, "SecretOfBob")):
        visit.open("/?dependence=independent")
        visit.drop(f"{prefix}.csv", secret_file(prefix))
        expect(visit.sidebar).to_contain_text(f"{prefix}.csv")
        visit.settle()
        visit.go_to(*REPORT)
        wait_for_tests(visit)
        taken_away[prefix] = [
            taken(visit, label) for label in ("Report (Markdown)", "Everything (JSON)")
        ]
    for own, other in (("SecretOfAlice", "SecretOfBob"), ("SecretOfBob", "SecretOfAlice")):
        for content in taken_away[own]:
            assert own.encode() in content
            assert other.encode() not in content

"""People's walks from nothing to what they came for, with every click counted."""

import zipfile
from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import FilePayload, Locator, expect

from tests.browser.conftest import Visitors
from tests.browser.visit import Visit

pytestmark = pytest.mark.browser

LANGUAGES = ("cs", "de", "es", "fi", "fr", "hu", "it", "ru", "ta")
PAPERS_TABLE = """Domain\tMate\tRedshift\tp-value
BC\t90.73\t90.19\t.0979
BN\t90.82\t90.46\t.1662
MZ\t91.92\t90.90\t.0046
NW\t91.68\t91.03\t.0376
PT\t96.64\t95.84\t.0969
TC\t89.87\t89.52\t.0912
WB\t90.37\t89.61\t.0823
"""


class Walker:
    """Somebody on the way, and how often they have clicked."""

    def __init__(self, visit: Visit) -> None:
        self.visit = visit
        self.clicks = 0

    def click(self, what: Locator) -> None:
        what.click()
        self.clicks += 1

    def button(self, name: str) -> None:
        self.click(self.visit.main.get_by_role("button", name=name, exact=True))

    def open(self, label: str) -> None:
        """Open a part of the page that is folded away."""
        self.click(self.visit.main.locator("summary").filter(has_text=label).first)
        self.visit.settle()

    def go_to(self, label: str, heading: str) -> None:
        self.visit.go_to(label, heading)
        self.clicks += 1

    def take(self, name: str) -> str:
        """Press a download button, and read what comes."""
        self.clicks += 1
        return self.visit.download(name).path().read_text(encoding="utf-8")


def three_systems_on_nine_languages() -> list[FilePayload]:
    """A file for each language: a row an example, three systems right or wrong."""
    rng = np.random.default_rng(4)
    files = []
    for position, language in enumerate(LANGUAGES):
        base = rng.random(300) < 0.7
        better = base | (rng.random(300) < 0.3 * (position % 3 > 0))
        other = rng.random(300) < 0.6
        rows = ["example,ours,baseline,older"]
        rows += [
            f"flores-{i},{int(a)},{int(b)},{int(c)}"
            for i, (a, b, c) in enumerate(zip(better, base, other, strict=True))
        ]
        files.append(
            FilePayload(
                name=f"{language}.csv", mimeType="text/csv", buffer="\n".join(rows).encode()
            )
        )
    return files


def sample_to_verdict(walker: Walker) -> None:
    """Somebody who only looks."""
    walker.button("Dependency parsing, 7 genres: Mate and Redshift")
    expect(walker.visit.verdict).to_contain_text("Mate is better than Redshift on at least")


def load_nine_files(walker: Walker) -> None:
    visit = walker.visit
    visit.main.locator("input[type='file']").set_input_files(three_systems_on_nine_languages())
    # The tests begin by themselves; the first two of three systems are compared.
    expect(visit.verdict).to_contain_text("ours is better than baseline on at least 6 of 9")


def take_pieces(walker: Walker) -> dict[str, str]:
    """The files of a paper's zip, by their names."""
    walker.go_to("Report", "From screen to paper")
    walker.clicks += 1
    with zipfile.ZipFile(walker.visit.download("For your paper (zip)").path()) as archive:
        return {name: archive.read(name).decode("latin-1") for name in archive.namelist()}


def files_to_latex(walker: Walker) -> None:
    """A researcher with nine files of three systems, to the table and the methods of a paper."""
    load_nine_files(walker)
    pieces = take_pieces(walker)
    assert r"\toprule" in pieces["table.tex"]
    assert pieces["table.tex"].count(r"$^{\star}$") >= 6
    assert "McNemar" in pieces["methods.tex"]


def shared_examples_to_margin_and_pieces(walker: Walker) -> None:
    """The same researcher, whose nine languages translate one test set: not worse by 2 points."""
    visit = walker.visit
    load_nine_files(walker)
    visit.settle()
    walker.click(visit.sidebar.get_by_text("They share examples: count those jointly"))
    expect(visit.main).to_contain_text("Shared examples are not counted jointly.")
    visit.settle()
    walker.click(visit.sidebar.get_by_text("Also those with equal ids"))
    expect(visit.verdict).to_contain_text("(joint step-down test)")
    visit.settle()
    walker.click(visit.sidebar.locator("summary").filter(has_text="Claim: A better than B"))
    visit.settle()
    visit.open_list(visit.sidebar.get_by_role("combobox", name="What is claimed"))
    walker.clicks += 1
    walker.click(visit.page.get_by_role("option", name="A is not worse by a margin"))
    visit.sidebar.get_by_role("textbox", name="Margin, in points").fill("2")
    walker.click(visit.sidebar.get_by_role("button", name="Ask this"))
    expect(visit.verdict).to_contain_text("not worse than baseline by more than 2 points on all 9")
    visit.settle()
    pieces = take_pieces(walker)
    assert "2 points" in pieces["results.tex"]
    assert "not worse" in pieces["table.tex"]


def pdf_to_paragraph(walker: Walker) -> None:
    """A reviewer with the paper itself, and three of its claims."""
    visit = walker.visit
    rows = [line.split("\t") for line in PAPERS_TABLE.splitlines()]
    cells = ("".join(f"<td style='padding:2px 12px'>{cell}</td>" for cell in row) for row in rows)
    ruled = "border-collapse:collapse;border-top:2px solid;border-bottom:2px solid"
    paper = visit.page.context.new_page()
    paper.set_content(
        "<p>We compare two parsers.</p><p>Table 1: Accuracy of Mate and Redshift on domains.</p>"
        f"<table style='{ruled}'><tr>{'</tr><tr>'.join(cells)}</tr></table>"
    )
    content = paper.pdf()
    paper.close()
    walker.go_to("Check a paper", "Do the numbers allow the claim?")
    visit.main.locator("input[type='file']").first.set_input_files(
        FilePayload(name="paper.pdf", mimeType="application/pdf", buffer=content)
    )
    walker.button("Check this table")
    claims = visit.main.get_by_role("textbox", name="One claim per line")
    claims.fill(
        "Mate is better than Redshift on all 7 domains\n"
        "Mate significantly outperforms Redshift on 2 of 7 domains (p < .05)\n"
        "significant on MZ and NW after Holm correction"
    )
    claims.press("Control+Enter")
    expect(visit.lead).to_contain_text("3 claims")
    visit.settle()
    paragraph = walker.take("Download text")
    assert "NW" in paragraph


def paste_to_paragraph(walker: Walker) -> None:
    """A reviewer with a paper's table and two of its claims."""
    visit = walker.visit
    walker.open("Paste or type a table")
    visit.main.get_by_label("Rows from a spreadsheet").fill(PAPERS_TABLE)
    walker.button("Read the pasted table")
    expect(visit.verdict).to_contain_text("Mate is better than Redshift on at least")
    walker.go_to("Check a paper", "Do the numbers allow the claim?")
    claims = visit.main.get_by_role("textbox", name="One claim per line")
    claims.fill("exactly 3 of 7 by bonferroni at .05 for A\nnamed MZ; NW by holm at .05 for A")
    claims.press("Control+Enter")
    expect(visit.lead).to_contain_text("Both claims are contradicted")
    visit.settle()
    assert "MZ" in walker.take("Download text")


# With the clicks that each takes at most; `python -m tests.browser.glance` measures them.
WALKS: dict[Callable[[Walker], None], int] = {
    sample_to_verdict: 1,
    files_to_latex: 2,
    shared_examples_to_margin_and_pieces: 8,
    pdf_to_paragraph: 3,
    paste_to_paragraph: 4,
}


@pytest.mark.parametrize("walk", WALKS, ids=lambda walk: walk.__name__)
def test_each_comes_to_what_they_came_for_in_few_clicks(
    visitors: Visitors, walk: Callable[[Walker], None]
) -> None:
    visit = visitors.enter()
    visit.open("/")
    walker = Walker(visit)
    walk(walker)
    assert walker.clicks <= WALKS[walk]


def test_a_reading_group_comes_from_the_guide_through_figure_1_to_its_own_data(
    visitors: Visitors,
) -> None:
    visit = visitors.enter()
    walker = Walker(visit)
    visit.open("/guide")
    walker.go_to("Simulation", "How often does each count over-claim?")
    # The scenario that is chosen at first is that of the paper's Figure 1.
    walker.button("Run")
    expect(visit.lead).to_contain_text("10,000 simulated studies of 100 datasets")
    visit.settle()
    walker.go_to("Upload", "On how many datasets is A really better?")
    load_nine_files(walker)
    assert walker.clicks == 3

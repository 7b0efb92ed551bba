"""The report as one HTML file, and as Markdown."""

import base64
import json
import re
from hashlib import sha256
from html.parser import HTMLParser

import numpy as np

from core.analysis import Analysis, AnalysisSettings, analyse
from core.data import PValueTable, read_results
from core.export.report import chosen_sections, html_report, markdown_report
from core.sections.parts import Bullets, Grid, Printed
from tests.core.export.samples_of_analyses import (
    HOSTILE_NAMES,
    hostile_results,
    hostile_table,
    of_sample,
)

ELEMENTS = (
    "html head meta title style body header h1 nav ul li a main section h2 p div table "
    "caption thead tbody tr th td figure figcaption noscript button script pre"
)
ATTRIBUTES = (
    "lang charset http-equiv content name dir aria-label aria-labelledby href id class "
    "tabindex role scope style data-chart data-format type hidden"
)
NUMBER = re.compile(r"[0-9]+(?:[.,][0-9]+)*")


class Report(HTMLParser):
    """Elements, attributes, text and scripts of a report."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.attributes: set[str] = set()
        self.policy = ""
        self.scripts: list[str] = []
        self.data: list[str] = []
        self.headings: list[str] = []
        self._in: str = ""
        self._text: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.attributes.update(name for name, _ in attrs)
        values = dict(attrs)
        if values.get("http-equiv") == "Content-Security-Policy":
            self.policy = str(values["content"])
        self._in = "data" if values.get("type") == "application/json" else tag
        self._text.append("\n")

    def handle_endtag(self, tag: str) -> None:
        self._in = ""
        self._text.append("\n")

    def handle_data(self, data: str) -> None:
        if self._in in ("script", "data"):
            (self.scripts if self._in == "script" else self.data).append(data)
        elif self._in != "style":
            self._text.append(data)
            if self._in == "h1":
                self.headings.append(data)

    @property
    def text(self) -> str:
        return "".join(self._text)


def texts_of(part: Printed) -> list[str]:
    if isinstance(part, Grid):
        return [part.caption, *part.header, *(cell for row in part.rows for cell in row)]
    if isinstance(part, Bullets):
        return list(part.items)
    return [part.title] if hasattr(part, "title") else [part.text]


def all_texts(analysis: Analysis) -> list[str]:
    parts = [part for section in chosen_sections(analysis) for part in section.parts]
    return [text for part in parts for text in texts_of(part) if text]


def test_every_text_and_every_number_is_in_the_html_and_in_the_markdown() -> None:
    for key in ["pos-tagging", "simulated-accuracy"]:
        analysis = of_sample(key)
        shown = Report(html_report(analysis)).text
        written = markdown_report(analysis)
        plain = re.sub(r"\\(.)", r"\1", written)
        for text in all_texts(analysis):
            assert text.strip() in shown, key
            for number in NUMBER.findall(text):
                assert number in plain, key


def test_names_make_no_element_and_no_attribute() -> None:
    for analysis in [hostile_table, hostile_results]:
        text = html_report(analysis(), title="<script>alert(1)</script>")
        report = Report(text)
        assert set(report.elements) <= set(ELEMENTS.split()), analysis
        assert report.attributes <= set(ATTRIBUTES.split()), analysis
        # The program's own: plotly and what draws.
        assert len(report.scripts) == 2, analysis
        assert report.headings == ["<script>alert(1)</script>"], analysis
        for name in HOSTILE_NAMES:
            kept = " ".join(name.replace("\u2028", " ").split())
            assert kept in " ".join(report.text.split()), analysis
        # Figures are whole JSON.
        assert len(report.data) == report.elements.count("figure") >= 2, analysis
        for data in report.data:
            assert not re.search("[<>&\u2028\u2029]", data), analysis
            assert {"data", "layout"} <= json.loads(data).keys(), analysis


def test_the_policy_lets_nothing_in_and_only_the_reports_own_scripts_run() -> None:
    report = Report(html_report(of_sample("pos-tagging")))
    rules = dict(rule.split(" ", 1) for rule in report.policy.split("; "))
    assert rules["default-src"] == "'none'"
    hashes = [
        f"'sha256-{base64.b64encode(sha256(script.encode()).digest()).decode()}'"
        for script in report.scripts
    ]
    assert rules["script-src"].split() == hashes
    for rule, value in rules.items():
        assert "http" not in value, rule
        assert "*" not in value, rule


def test_the_file_names_no_other_file() -> None:
    text = html_report(of_sample("simulated-accuracy"))
    page = re.sub(r"<script>.*?</script>", "", text, flags=re.DOTALL)
    assert not re.search(r"\bsrc\s*=|url\(|@import|<link", page)
    assert set(re.findall(r'href="([^"]*)"', page)) <= {
        f"#{section.key}" for section in chosen_sections(of_sample("simulated-accuracy"))
    }
    assert len(text.encode()) < 5_500_000
    # Streamlit, like any host, may set a template for all figures of its process.
    from plotly.io import templates

    before, templates.default = templates.default, "ggplot2"
    try:
        assert html_report(of_sample("simulated-accuracy")) == text
    finally:
        templates.default = before


def test_the_html_is_built_for_those_who_do_not_see_it() -> None:
    text = html_report(of_sample("simulated-accuracy"))
    report = Report(text)
    assert '<html lang="en">' in text
    assert report.elements.count("h1") == 1
    assert report.elements.count("figcaption") == report.elements.count("figure")
    assert len(re.findall(r"<th (?!scope)", text)) == 0
    ids = re.findall(r'\bid="([^"]+)"', text)
    assert len(set(ids)) == len(ids)
    named = set(re.findall(r'aria-labelledby="([^"]+)"', text))
    assert named <= set(ids)


def test_thousands_of_datasets_have_a_comma_in_every_sentence() -> None:
    rng = np.random.default_rng(1)
    rows = [f"set-{i:04d},{2 + (i % 5 > 0)},2.5,{rng.random() ** 6:.6f}" for i in range(1201)]
    table = read_results("\n".join(["dataset,ours,base,p", *rows]).encode(), name="many.csv")
    assert isinstance(table, PValueTable)
    report = markdown_report(analyse(table, AnalysisSettings(dependence="independent")))
    assert "of 1,201" in report
    # Not in tables for programs, and not in signatures.
    assert not re.findall(r"[^.]*(?:of|the other|over|any of the) 120[01]\b[^.]*", report)

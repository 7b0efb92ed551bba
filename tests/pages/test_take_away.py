"""What the Report page hands over is what the command line prints."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
import streamlit as st

from core.command_line import main
from tests.pages.opened import go_to, open_app, run, when_tested

# One of every kind of results; each one's own numbers are compared with the stored facts.
KEYS = [
    *("pos-tagging", "pos-tagging-four-tests", "simulated-accuracy", "simulated-labels"),
    *("simulated-parsing", "simulated-similarity", "simulated-translations", "synthetic-digits"),
]


@pytest.mark.parametrize("key", KEYS)
def test_page_and_command_line_give_the_same_json(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], key: str
) -> None:
    made_by: dict[str, Callable[[], str]] = {}
    draw = st.download_button

    def note(label: str, data: Any, **named: Any) -> bool:
        made_by[label] = data
        return draw(label, data, **named)

    monkeypatch.setattr(st, "download_button", note)
    app = open_app(sample=key)
    when_tested(app)
    # A verdict that is there asks for tests to stand beside it.
    when_tested(go_to(app, "pages/report.py"))
    run(app)
    page = made_by["Everything (JSON)"]()
    assert main(["--sample", key, "--json", "--quiet"]) == 0
    printed = capsys.readouterr().out
    shown, said = json.loads(page), json.loads(printed)
    # Of many systems the first page compares all pairs, which the command line is not asked for.
    compared = shown["tried"].pop("all pairs compared", None)
    assert (compared is not None) == (key == "synthetic-digits")
    # Beside a verdict on one correlation with gold the page also tests the other one.
    tried = [found["tried"].pop("tests", []) for found in (shown, said)]
    further = tried[0][len(tried[1]) :]
    assert tried[0] == [*tried[1], *further]
    assert len(further) == (key == "simulated-similarity")
    assert shown == said
    assert further or compared or page == printed

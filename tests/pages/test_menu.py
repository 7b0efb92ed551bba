"""The menu on top: nothing else lists pages, not even while the app is being drawn."""

from __future__ import annotations

import tomllib
from pathlib import Path

from tests.pages.opened import open_app, when_tested

SETTINGS = Path(__file__).resolve().parents[2] / ".streamlit" / "config.toml"


def test_no_list_of_files_stands_in_the_sidebar_before_the_menu_is_drawn() -> None:
    """Streamlit lists what lies in pages/ until it is told which pages there are."""
    client = tomllib.loads(SETTINGS.read_text(encoding="utf-8"))["client"]
    assert client["showSidebarNavigation"] is False


def test_a_file_of_many_systems_leads_to_their_comparison() -> None:
    def leads(sample: str) -> bool:
        app = when_tested(open_app(sample=sample))
        return "systems" in {link.proto.page for link in app.get("page_link")}

    assert leads("synthetic-digits")
    assert not leads("simulated-accuracy")

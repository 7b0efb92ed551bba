"""The menu on top: nothing else lists pages, not even while the app is being drawn."""

from __future__ import annotations

import tomllib
from pathlib import Path

from tests.pages.opened import drop, of_class, open_app, run, when_tested

SETTINGS = Path(__file__).resolve().parents[2] / ".streamlit" / "config.toml"


def test_no_list_of_files_stands_in_the_sidebar_before_the_menu_is_drawn() -> None:
    """Streamlit lists what lies in pages/ until it is told which pages there are."""
    client = tomllib.loads(SETTINGS.read_text(encoding="utf-8"))["client"]
    assert client["showSidebarNavigation"] is False


def test_a_file_of_many_systems_opens_with_their_leaderboard_and_then_offers_a_pair() -> None:
    rows = [f"d{d},{i},{i % 2},{i % 3 > 0:d},1" for d in range(3) for i in range(60)]
    content = "\n".join(["dataset,example,low,middle,best", *rows]).encode()
    app = when_tested(drop(open_app(), "three.csv", content))
    app.session_state["dashboard"].work["all-pairs"].job.wait(60)
    when_tested(run(app))
    assert "systems" in {link.proto.page for link in app.get("page_link")}
    assert of_class(app, "lead")[0].startswith("With 95% confidence in all 18 claims together")
    assert app.dataframe[0].value["system"].tolist() == ["best", "middle", "low"]
    assert app.header[0].value == "One pair: A and B"
    two = when_tested(open_app(sample="simulated-accuracy"))
    assert "systems" not in {link.proto.page for link in two.get("page_link")}

"""What the Report page hands over, and what a bundle restores."""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest
import streamlit as st

from core.analysis import AnalysisSettings, analyse
from core.command_line import main
from core.data import read_results, read_sample
from core.export.as_json import to_json
from core.export.bundle import write_bundle
from tests.core.export.bundle.forging import bundled, forged_of
from tests.pages.opened import (
    answer,
    drop,
    go_to,
    open_app,
    problems,
    run,
    set_alpha,
    text,
    when_tested,
)

# One of every kind of results; each one's own numbers are compared with the stored facts.
KEYS = [
    *("pos-tagging", "pos-tagging-four-tests", "simulated-accuracy", "simulated-labels"),
    *("simulated-parsing", "simulated-similarity", "simulated-translations", "synthetic-digits"),
]
SETTINGS = AnalysisSettings(
    alpha=0.01,
    dependence="positive",
    swapped=True,
    procedure="hochberg",
    test="approximate-randomization",
    n_resamples=499,
    seed=11,
    interval="percentile",
)


@pytest.fixture
def made_by(monkeypatch: pytest.MonkeyPatch) -> dict[str, Callable[[], str]]:
    """What makes the files that are offered, by their buttons."""
    found: dict[str, Callable[[], str]] = {}
    monkeypatch.setattr(st, "download_button", lambda label, data, **_: found.update({label: data}))
    return found


@pytest.mark.parametrize("key", KEYS)
def test_page_and_command_line_give_the_same_json(made_by, capsys, key: str) -> None:
    app = when_tested(open_app(sample=key, resamples="499"))
    # A verdict that is there asks for tests to stand beside it.
    when_tested(go_to(app, "pages/report.py"))
    run(app)
    page = made_by["Everything (JSON)"]()
    assert main(["--sample", key, "--resamples", "499", "--json", "--quiet"]) == 0
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


def test_the_methods_say_of_a_level_tried_on_another_page_that_it_was_tried(made_by) -> None:
    def methods():
        app.selectbox(key="paper-piece").set_value("methods.tex")
        run(app)
        return made_by["Download methods.tex"]()

    app = go_to(open_app(sample="parsing-redshift"), "pages/report.py")
    assert "We fixed the level" in methods()
    go_to(app, "pages/counting.py")
    for level in (0.01, 0.05):
        set_alpha(app, level)
    go_to(app, "pages/report.py")
    assert "Several choices were tried (levels: 0.05, 0.01)" in methods()


def made(key, settings):
    """The analysis of a sample's file as anybody's file, and its bundle."""
    return bundled(read_sample(key)[1], settings, name="mine.csv")


@pytest.mark.parametrize("key", ["simulated-sentences", "sentiment"])
def test_a_bundle_restores_settings_and_numbers_to_the_last_digit(key: str) -> None:
    settings = SETTINGS
    if key == "sentiment":
        settings = AnalysisSettings(alpha=0.01, dependence="positive", excluded=("B→K",))
        assert "B→K" in read_results(read_sample(key)[1]).datasets
    analysis, bundle = made(key, settings)
    app = when_tested(drop(open_app(), "saved.zip", bundle))
    session = app.session_state["dashboard"]
    assert session.settings == settings
    assert session.loaded.title == "mine.csv"
    assert "the same" in text(app)
    assert "to the last digit" in text(app)
    restored = analyse(session.loaded.data, session.settings, origin=session.loaded.origin)
    assert to_json(restored) == to_json(replace(analysis, tried=restored.tried))


def test_a_bundle_is_compared_only_once_its_joint_flips_are_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _, bundle = made("simulated-translations", AnalysisSettings(joint="example-id"))
    with monkeypatch.context() as waiting:
        waiting.setattr("pages.ui.results.analysis.background.result_of", lambda *_: None)
        app = when_tested(drop(open_app(), "saved.zip", bundle))
        assert "Computed anew" not in text(run(app))
    assert "to the last digit" in text(run(when_tested(app)))


def test_numbers_that_are_not_those_computed_anew_are_told_and_a_damaged_bundle_is_refused():
    _, bundle = made("parsing-redshift", AnalysisSettings())
    other, _ = made("parsing-redshift", AnalysisSettings(dependence="independent"))
    # Results of another analysis under these settings, with every checksum right.
    forged = replace(other, settings=AnalysisSettings())
    content = read_sample("parsing-redshift")[1]
    lying = write_bundle(forged, files=[("mine.csv", content)], name="mine.csv", roles={})
    assert lying != bundle
    app = drop(open_app(), "saved.zip", lying)
    assert "to the last digit" not in text(app)
    assert "at least 5 of 7" not in answer(app)
    # A damaged one is refused, and what was loaded stays.
    damaged = forged_of(bundle, lambda held: held.update({"data/1-mine.csv": b"other"}))
    before = answer(app)
    app = drop(app, "saved.zip", damaged)
    assert problems(app)
    assert answer(app) == before

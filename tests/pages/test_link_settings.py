"""Every setting of an analysis survives the address of a page."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import parse_qsl, urlencode

import pytest

from core.analysis import AnalysisSettings
from core.analysis.settings import CHOICES
from core.data import samples
from core.types import DEPENDENCES
from pages.ui.frame import link_settings, links, state
from pages.ui.frame.links import packed
from pages.ui.frame.session import Loaded, Session, Source
from tests.core.analysis.unusual import ALL_UNUSUAL, EACH_AND_ALL, FILE, NAME, named, results
from tests.pages.opened import address, go_to, open_app, press, when_tested

DATA = results()
SOURCE = Source(name=NAME, files=((NAME, FILE),))


def link_of(
    settings: AnalysisSettings, monkeypatch: pytest.MonkeyPatch, *, source: Source = SOURCE
) -> links.Link:
    """The link of a session with these settings, once written and read."""
    session = Session(settings=settings, loaded=Loaded(source=source, data=DATA))
    monkeypatch.setattr(state, "session", lambda: session)
    written = urlencode(links.write(link_settings.link_of_session()))
    found = links.parse(dict(parse_qsl(written)))
    assert found.remarks == ()
    return found


def test_every_setting_survives_a_link(monkeypatch: pytest.MonkeyPatch) -> None:
    for chosen in EACH_AND_ALL:
        link = link_of(chosen, monkeypatch)
        usual = AnalysisSettings().dependence
        found = link_settings.settings_on(DATA.datasets, link, dependence=usual)
        assert found == chosen, named(chosen)
        assert link_settings.not_there(link, len(DATA.datasets)) == (), named(chosen)


def test_usual_settings_are_not_in_a_link(monkeypatch: pytest.MonkeyPatch) -> None:
    written = links.write(link_of(AnalysisSettings(), monkeypatch))
    assert written.keys() == {"data", "file"}
    assert not written.keys() & {choice.link for choice in CHOICES.values()}


def test_an_answer_that_is_not_the_samples_own_is_in_its_link(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sample = next(sample for sample in samples() if sample.dependence == "independent")
    for dependence in DEPENDENCES:
        chosen = AnalysisSettings(dependence=dependence)
        link = link_of(chosen, monkeypatch, source=replace(SOURCE, sample=sample))
        said = None if dependence == "independent" else dependence
        assert link.said.get("dependence") == said, dependence


def test_an_address_with_every_setting_opens_the_app_and_its_form_with_them() -> None:
    table = packed(FILE)
    assert table is not None
    link = links.Link(
        table=table,
        file=NAME,
        said={
            **{name: getattr(ALL_UNUSUAL, name) for name in CHOICES},
            "excluded": tuple(DATA.datasets.index(name) + 1 for name in ALL_UNUSUAL.excluded),
            "extended": tuple(
                (DATA.datasets.index(name) + 1, n) for name, n in ALL_UNUSUAL.extended
            ),
        },
    )
    app = open_app(**links.write(link))
    assert app.session_state["dashboard"].settings == ALL_UNUSUAL
    assert address(app) == links.write(link)
    # The form of the tests shows and keeps them too; what was extended had other settings.
    press(when_tested(go_to(app, "pages/per_dataset_tests.py")), "Run")
    kept = app.session_state["dashboard"].settings
    assert kept == replace(ALL_UNUSUAL, extended=(), question="")

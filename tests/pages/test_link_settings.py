"""Every setting of an analysis survives the address of a page."""

from __future__ import annotations

from dataclasses import replace

from core.analysis.settings import CHOICES
from pages.ui.frame import links
from pages.ui.frame.links import packed
from pages.ui.frame.session import Source
from tests.core.analysis.unusual import ALL_UNUSUAL, FILE, NAME, results
from tests.pages.opened import address, go_to, open_app, press, when_tested

DATA = results()
SOURCE = Source(name=NAME, files=((NAME, FILE),))


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

"""A level that is typed: read alike in the sidebar, in an address, in a command and in a claim."""

from __future__ import annotations

import pytest
from streamlit.testing.v1.element_tree import TextInput

from core.claims.claim_lines import parse_claims
from core.command_line.options import parsed
from core.errors import DataError
from core.words.counting import DEPENDENCE_ANSWERS
from pages.ui.frame.links import parse
from tests.pages.opened import alpha_field, dependence_radio, open_app, run, shown_alpha, text

TYPED = {"5%": 0.05, "0,05": 0.05, " .7 % ": 0.007, "1e-3": 0.001, ".5": 0.5, "0,01%": 0.0001}
REFUSED = ("90%", "0,9", "1e-5", "five", "nan", "")


def of_command(typed: str) -> float | None:
    try:
        return parsed(["--sample", "sentiment", f"--alpha={typed}"]).alpha
    except SystemExit:
        return None


def of_claim(typed: str) -> float | None:
    try:
        return parse_claims(f"at least 3 at {typed}")[0].alpha
    except DataError:
        return None


def test_a_level_is_read_alike_wherever_it_is_typed(capsys: pytest.CaptureFixture[str]) -> None:
    app = open_app()
    field = alpha_field(app)
    assert isinstance(field, TextInput)
    for typed, level in TYPED.items():
        field.set_value(typed)
        run(app)
        assert shown_alpha(app) == level
        field = alpha_field(app)
        assert isinstance(field, TextInput)
        assert parse({"alpha": typed}).said["alpha"] == level
        assert of_command(typed) == level
        assert of_claim(typed) == level
    capsys.readouterr()
    for typed in REFUSED:
        field.set_value(typed)
        run(app)
        assert f"“{typed}”" in text(app)
        field = alpha_field(app)
        assert isinstance(field, TextInput)
        said = parse({"alpha": typed})
        assert "alpha" not in said.said
        assert "“alpha”" in said.remarks[0]
        assert of_command(typed) is None
        assert "0.0001 to 0.5" in capsys.readouterr().err


def test_the_sidebar_offers_the_answers_about_dependence_that_sentences_quote() -> None:
    assert dependence_radio(open_app()).options == list(DEPENDENCE_ANSWERS.values())

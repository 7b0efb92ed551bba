"""The address of a page as a link: read and written without loss, and never believed blindly; levels typed elsewhere."""

import base64
import json
import zlib
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from core.analysis.settings import CHOICES
from core.claims.desk import METRICS, ClaimDesk, parse_claims
from core.command_line.options import parsed
from core.data import read_sample
from core.data.layouts import published_table
from core.errors import DataError
from core.replicability.combinations import combination_names
from core.replicability.identification import procedure_names
from core.significance.known_tests import significance_tests
from core.types import ALTERNATIVES, DEPENDENCES
from core.validation import LARGEST_ALPHA, SMALLEST_ALPHA
from core.words.counting import DEPENDENCE_ANSWERS
from pages.ui.frame import limits
from pages.ui.frame import links as links_module
from pages.ui.frame import page as frame
from pages.ui.frame.links import LONGEST_IN_LINK, Link, packed, parse, unpacked, write
from tests.core.analysis.unusual import ALL_UNUSUAL, FILE, NAME, results
from tests.pages.opened import (
    PAGES,
    address,
    alpha_field,
    answer,
    choose,
    dependence_radio,
    drop,
    go_to,
    leave_out,
    load_sample,
    open_app,
    press,
    problems,
    run,
    set_alpha,
    set_dependence,
    shown_alpha,
    text,
    when_tested,
)

COLUMN_ROLES = ("dataset", "system_a", "system_b", "p_value", "n_examples")
names = st.text(min_size=1, max_size=20) | st.sampled_from(["~", "a,b&c=d", " ", "0", "{}", "null"])
# Ten digits are written; .05 is the usual level and stands for itself by being left out.
levels = (
    st.integers(round(SMALLEST_ALPHA * 10**6), round(LARGEST_ALPHA * 10**6))
    .map(lambda part: part / 10**6)
    .filter(lambda alpha: alpha != 0.05)
)
columns = st.none() | names
roles = st.fixed_dictionaries(
    {},
    optional={
        **dict.fromkeys(COLUMN_ROLES, columns),
        # Answers to questions of tools' files.
        **dict.fromkeys(("filter", "measure"), names | st.sampled_from(["only:em,none", "a=b:c"])),
        "alternative": st.sampled_from(ALTERNATIVES),
        "higher_is_better": st.booleans(),
        "zero_reads_below": st.none() | st.floats(0.0, 1.0),
    },
)
settings = st.fixed_dictionaries(
    {},
    optional={
        "alpha": levels,
        "dependence": st.sampled_from(DEPENDENCES),
        "swapped": st.just(True),
        "excluded": st.lists(st.integers(1, 10**7 - 1), min_size=1, max_size=8).map(tuple),
        "question": names,
        "combination": st.sampled_from(combination_names()),
        "procedure": st.sampled_from(procedure_names()),
        "pair": st.tuples(st.integers(0, 50), st.integers(51, 100)),
        "test": st.sampled_from(tuple(significance_tests)),
        "n_resamples": st.integers(1, limits.MAX_RESAMPLES),
        "seed": st.integers(0, limits.LARGEST_SEED),
    },
)
# Names may hold any space and any mark of direction.
texts = st.text(
    st.characters(exclude_categories=["Cc", "Cs"], include_characters="\n\t"), max_size=60
)
desks = st.builds(
    ClaimDesk,
    lines=st.none() | texts.map(lambda text: text.strip("\n")).filter(bool),
    metric=st.none() | st.sampled_from(METRICS),
    sizes=texts.map(str.strip),
)
links = st.builds(
    Link,
    claims=st.just(ClaimDesk()) | desks,
    sample=st.just("") | names,
    data=st.just("") | names,
    file=st.just("") | names,
    said=settings,
    roles=roles,
)
PARAMETERS = [
    *(choice.link for choice in CHOICES.values()),
    *("sample", "data", "file", "direction", "roles", "claims", "scores", "sizes", "utm_source"),
]
odd = ["nan", "inf", "-1", "1e400", "0", "~", "1,,2", "²", "[]", "{", '{"alternative":[]}', "1,1"]
TABLE = published_table.KIND.template.encode()
DATA = results()
TYPED = {"5%": 0.05, "0,05": 0.05, " .7 % ": 0.007, "1e-3": 0.001, ".5": 0.5, "0,01%": 0.0001}
REFUSED = ("90%", "0,9", "1e-5", "five", "nan", "")


@given(links)
def test_what_is_written_is_read_back(link: Link) -> None:
    assert parse(write(link)) == link


@given(
    st.dictionaries(
        st.sampled_from(PARAMETERS), st.text(max_size=30) | st.sampled_from(odd) | names
    )
)
def test_any_address_can_be_read_and_reads_the_same_once_rewritten(found: dict[str, str]) -> None:
    link = parse(found)
    said = link.said
    assert SMALLEST_ALPHA <= said.get("alpha", 0.05) <= LARGEST_ALPHA
    assert said.get("dependence") in (None, *DEPENDENCES)
    assert said.get("combination") in (None, *combination_names())
    assert said.get("procedure") in (None, *procedure_names())
    first, second = said.get("pair", (0, 1))
    assert 0 <= first < second
    assert link.claims.metric in (None, *METRICS)
    assert len(link.remarks) <= len(found)
    again = parse(write(link))
    assert write(again) == write(link)


def test_what_is_not_understood_is_remarked_on_with_its_name_and_value() -> None:
    wrong_values = {
        "alpha": "1 0 0.9 0.00001 nan five",
        "dependence": "yes",
        "direction": "up",
        "procedure": "mine",
        "systems": "2,1 1,1",
        "test": "mine",
        "resamples": "0 many",
        "seed": "-1",
        "roles": "[] {",
        "swap": "yes",
        "without": "two",
    }
    for name, wrong in ((name, one) for name, all in wrong_values.items() for one in all.split()):
        link = parse({name: wrong})
        (remark,) = link.remarks
        assert f"“{name}”" in remark, (name, wrong)
        assert f"“{wrong}”" in remark, (name, wrong)
        assert write(link) == {}, (name, wrong)


def test_what_is_no_setting_is_remarked_on_unless_others_write_it() -> None:
    link = parse({"Alpha": ".01", "sample": "sentiment", "utm_source": "x", "__theme": "dark"})
    assert link.remarks == ("The link's “Alpha” is no setting and is left aside.",)


def test_a_wrong_setting_is_remarked_on_and_the_usual_one_used() -> None:
    app = open_app(sample="parsing-redshift", alpha="five")
    assert "“alpha”" in text(app)
    assert "at least 5 of 7" in answer(app)
    assert shown_alpha(app) == 0.05


def working() -> None:
    """A page that draws itself anew once its work ends."""
    import streamlit as st

    from pages.ui.frame import state

    st.text("; ".join(state.take_remarks()))
    if st.button("press", on_click=state.remark, args=("wrong",)):
        state.draw_again()


def test_what_is_remarked_on_stays_where_the_page_is_drawn_again_by_itself() -> None:
    app = AppTest.from_function(working, default_timeout=30).run()
    assert app.button[0].click().run().text[0].value == "wrong"
    assert app.run().text[0].value == ""


def test_roles_that_do_not_fit_are_refused_with_the_reason_on_every_page() -> None:
    wrong: tuple[dict[str, object], ...] = (
        {"zero_reads_below": 2},
        {"zero_reads_below": [float("nan")]},
        {"p_value": "gone"},
        {"p_value": {"a": 1}},
        {"no such role": 1},
        {"system_a": "p_value"},
        {"systems": [1, None]},
        {"alternative": []},
        {"layout": 5},
    )
    for roles in wrong:
        app = open_app(sample="parsing-spacy", roles=json.dumps(roles))
        assert problems(app), roles
    for page in PAGES.values():
        go_to(app, page)
    go_to(app, "pages/upload.py")
    load_sample(app, "parsing-spacy")
    assert "all 7" in answer(app)


def test_the_address_alone_reproduces_sample_settings_and_answers() -> None:
    app = set_dependence(set_alpha(open_app(sample="pos-tagging"), 0.01), "positive")
    leave_out(app, "Hungarian", "Tamil")
    press(app, "Swap A and B")
    go_to(app, PAGES["Identification"])
    choose(app, "Claim", "MIMICK better…as two-sided")
    again = open_app(**address(app))
    assert address(again) == address(app)
    assert shown_alpha(again) == 0.01
    assert dependence_radio(again).value == "positive"
    assert "2 left out A Char→Tag B MIMICK" in text(again)
    for page in PAGES.values():
        assert answer(go_to(again, page)) == answer(go_to(app, page))
    assert "better than Char→Tag" in answer(again)


def test_a_link_to_an_own_file_names_it_on_every_page_and_waits() -> None:
    app = set_alpha(drop(open_app(), "own.csv", TABLE), 0.01)
    link = address(app)
    assert link["file"] == "own.csv"
    stranger = open_app(**link)
    for page in (entry.path for entry in frame.PAGES):
        go_to(stranger, page)
        assert f"own.csv ({link['data']}…)" in text(stranger), page
    assert address(stranger) == link
    go_to(stranger, "pages/upload.py")
    drop(stranger, "renamed.csv", TABLE)
    assert answer(stranger) == answer(app)
    assert f"{link['data']}…" not in text(stranger)


def test_another_file_than_the_links_own_gets_none_of_its_settings() -> None:
    app = open_app(data="deadbeef", file="x.csv", alpha="0.01", dependence="independent", swap="1")
    # A file that cannot be read does not use up the link.
    drop(app, "empty.csv", b"  ")
    assert "x.csv" in text(app)
    drop(app, "own.csv", TABLE)
    assert shown_alpha(app) == 0.05
    assert dependence_radio(app).value == "not-known"
    assert "swap" not in address(app)


def test_a_part_that_cannot_be_read_leaves_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OverflowError("int too large to convert to float")

    for reader, name in (
        *(("_numbers", name) for name in ("without", "systems", "extended")),
        ("_roles", "roles"),
        ("setup_of", "simulation"),
        ("_lines", "claims"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(links_module, reader, fail)
            link = parse({name: "x", "alpha": "0.1"})
        assert any(f"“{name}”" in remark for remark in link.remarks), name
        assert replace(link, remarks=()) == Link(said={"alpha": 0.1}), name


@given(st.binary(min_size=1, max_size=3000))
def test_what_is_packed_is_unpacked(content: bytes) -> None:
    text = packed(content)
    assert text is None or unpacked(text) == content


def test_the_largest_published_table_fits_into_a_link_and_what_is_too_long_is_not_packed() -> None:
    assert len(packed(read_sample("pos-tagging")[1])) < 1000
    assert packed(read_sample("simulated-accuracy")[1]) is None


@given(st.text(max_size=200))
def test_any_text_is_refused_or_unpacked_without_an_error(text: str) -> None:
    found = unpacked(text)
    assert found is None or isinstance(found, bytes)


def test_a_bomb_and_a_cut_link_are_refused() -> None:
    bomb = base64.urlsafe_b64encode(zlib.compress(b"0" * 5_000_000, 9)).decode().rstrip("=")
    assert unpacked(bomb[:LONGEST_IN_LINK]) is None
    text = packed(read_sample("pos-tagging")[1])
    assert unpacked(text[:-9]) is None


def test_an_address_with_every_setting_opens_the_app_and_its_form_with_them() -> None:
    table = packed(FILE)
    assert table is not None
    link = links_module.Link(
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
    app = open_app(**links_module.write(link))
    assert app.session_state["dashboard"].settings == ALL_UNUSUAL
    assert address(app) == links_module.write(link)
    # The form of the tests shows and keeps them too; what was extended had other settings.
    press(when_tested(go_to(app, "pages/per_dataset_tests.py")), "Run")
    kept = app.session_state["dashboard"].settings
    assert kept == replace(ALL_UNUSUAL, extended=(), question="")


def of_command(typed: str) -> float | None:
    try:
        level: float = parsed(["--sample", "sentiment", f"--alpha={typed}"]).alpha
    except SystemExit:
        return None
    return level


def of_claim(typed: str) -> float | None:
    try:
        return parse_claims(f"at least 3 at {typed}")[0].alpha
    except DataError:
        return None


def test_a_level_is_read_alike_wherever_it_is_typed(capsys: pytest.CaptureFixture[str]) -> None:
    app = open_app()
    for typed, level in TYPED.items():
        alpha_field(app).set_value(typed)
        run(app)
        assert shown_alpha(app) == level
        assert parse({"alpha": typed}).said["alpha"] == level
        assert of_command(typed) == level
        assert of_claim(typed) == level
    capsys.readouterr()
    for typed in REFUSED:
        alpha_field(app).set_value(typed)
        run(app)
        assert f"“{typed}”" in text(app)
        said = parse({"alpha": typed})
        assert "alpha" not in said.said
        assert "“alpha”" in said.remarks[0]
        assert of_command(typed) is None
        assert "0.0001 to 0.5" in capsys.readouterr().err


def test_the_sidebar_offers_the_answers_about_dependence_that_sentences_quote() -> None:
    assert dependence_radio(open_app()).options == list(DEPENDENCE_ANSWERS.values())

"""The page that checks claims: answers on the samples, lines that cannot be read, links, names."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from scipy import stats
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import TextArea

from core.analysis import analyse
from core.claims.check import check_claims
from core.claims.desk import (
    LONGEST_TEXT,
    ClaimDesk,
    exchanged,
    parse_claims,
    read_sizes,
    sample_claims,
)
from core.data import read_results, read_sample
from core.errors import DataError
from core.export.bundle import write_bundle
from core.significance.stopping import Stopped
from pages.ui.claims import check as claims_check
from pages.ui.frame.links import Link, write
from tests.pages.opened import (
    address,
    answer,
    drop,
    go_to,
    load_sample,
    of_class,
    open_app,
    open_details,
    press,
    problems,
    run,
    text,
    when_tested,
)

PAGE = "pages/check_a_claim.py"
P_VALUES = b"dataset,ours,theirs,p_value\nu,91.5,90.1,.001\nv,92.5,90.1,.002\nw,91.5,91.4,.4\n"


@pytest.fixture(autouse=True, scope="module")
def busy_machine_answers_on_the_page_too() -> Iterator[None]:
    """Only tests about work in the background have any: elsewhere no check is too slow for a page."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(claims_check, "_SECONDS_AT_ONCE", 60.0)
        yield


def open_page(**parameters: str) -> AppTest:
    return go_to(open_app(**parameters), PAGE)


def write_lines(app: AppTest, lines: str) -> AppTest:
    _field(app).set_value(lines)
    return run(app)


def _field(app: AppTest) -> TextArea:
    (found,) = [one for one in app.text_area if one.label == "One claim per line"]
    return found


def lines_of(app: AppTest) -> str:
    return _field(app).value


def type_sizes(app: AppTest, sizes: str) -> AppTest:
    app.text_area(key="claim-sizes").set_value(sizes)
    return run(app)


def open_section(app: AppTest, key: str) -> AppTest:
    app.session_state[f"section-{key}"] = True
    return run(app)


# What is seen for the samples


def test_the_page_answers_with_the_verdicts_of_the_library() -> None:
    for sample in ("sentiment", "pos-tagging", "word-similarity", "pos-tagging-four-tests"):
        app = open_page(sample=sample)
        data: Any = read_results(read_sample(sample)[1])
        report = check_claims(data, sample_claims(sample))
        assert answer(app) == report.lead(), sample
        shown = of_class(app, "claim-verdict")
        assert len(shown) == len(report.claims), sample
        assert not of_class(app, "row-verdict"), sample


def test_a_printed_table_without_claims_has_its_paragraph_too() -> None:
    app = write_lines(open_page(sample="pos-tagging"), "")
    report = check_claims(read_results(read_sample("pos-tagging")[1]))  # type: ignore[arg-type]
    assert "comes with a lower score of MIMICK" in report.paragraph()
    assert answer(app) == report.lead()
    assert report.paragraph() in text(app)


def test_an_interval_whose_middle_is_not_its_estimate_is_a_sample_without_a_table() -> None:
    app = press(open_page(), "Meta-analysis, two intervals")
    # The worst comes first.
    fails, fits = of_class(app, "claim-verdict")
    assert "✓ Holds" in fits
    assert "!" in fails
    # The link needs nothing else.
    again = go_to(open_app(**address(app)), PAGE)
    assert answer(again) == answer(app)
    assert lines_of(again) == lines_of(app)


# Claims without a table


def test_without_a_table_an_interval_is_judged_and_other_lines_are_told() -> None:
    app = write_lines(open_page(), "interval 1 to 2 about 5\nat least 3 for A\nfoo")
    assert len(of_class(app, "claim-verdict")) == 1
    assert problems(app)[1].startswith(
        "Lines 2 and 3: Without a table only intervals can be checked."
    )
    open_details(app, "claim", "Copy")
    assert any("is contradicted" in code.value for code in app.code)


def test_what_was_typed_before_a_table_waits_for_it_and_a_sample_has_its_own() -> None:
    app = write_lines(open_page(), "interval 1 to 2 about 1.5\nexactly 2 by count")
    go_to(app, "pages/upload.py")
    drop(app, "published.csv", P_VALUES.replace(b".4\n", b"n.s.\n"))
    go_to(app, PAGE)
    assert lines_of(app) == "interval 1 to 2 about 1.5\nexactly 2 by count"
    assert answer(app) == "Both claims hold."
    assert "direction: not stated. 'n.s.' is taken for p above .05, the usual level." in text(app)
    other = write_lines(open_page(), "interval 1 to 2 about 1.5")
    load_sample(other, "sentiment")
    assert lines_of(other).startswith("exactly 10 by count")


def test_the_direction_that_a_table_states_is_said_once() -> None:
    app = open_app()
    go_to(app, "pages/upload.py")
    drop(app, "published.csv", P_VALUES.replace(b"p_value", b"p (two-sided)"))
    go_to(app, PAGE)
    said = "P-values as printed. Two-sided, as the table says: 'p (two-sided)'."
    assert said in text(app)
    assert "direction: two-sided" not in text(app)


def test_other_papers_are_a_click_away_and_lose_nothing_that_was_typed() -> None:
    app = write_lines(open_page(sample="sentiment"), "at least 1 for A")
    open_section(app, "claim-samples")
    press(app, "Meta-analysis, two intervals")
    assert lines_of(app).startswith("at least 1 for A\n# fixed effect")
    assert len(of_class(app, "claim-verdict")) == 3
    press(app, "Meta-analysis, two intervals")
    assert len(of_class(app, "claim-verdict")) == 3
    press(app, "Word similarity, 12 datasets")
    assert lines_of(app).startswith("exactly 8 by count")


# Claims that are written


def test_a_bundle_and_a_link_restore_claims_scores_sizes_and_verdicts() -> None:
    app = write_lines(open_page(sample="pos-tagging"), "exactly 2 by count\nat least 3 for B\nfoo")
    app.radio(key="claim-metric").set_value("accuracy")
    run(app)
    type_sizes(app, "2000")
    press(app, "Swap A and B")
    shown, session = address(app), app.session_state["dashboard"]
    source = session.loaded.source
    analysis = analyse(session.loaded.data, session.settings, origin=session.loaded.origin)
    bundle = write_bundle(
        analysis, files=source.files, name=source.name, roles=source.roles, claims=session.claims
    )
    by_link, by_bundle = open_app(**shown), drop(open_app(), "saved.zip", bundle)
    for again in (by_link, by_bundle):
        go_to(again, PAGE)
        assert answer(again) == answer(app)
        assert lines_of(again) == "exactly 2 by count for B\nat least 3 for A\nfoo"
        assert again.text_area(key="claim-sizes").value == "2000"
        assert again.radio(key="claim-metric").value == "accuracy"
    assert address(by_link) == shown


def test_all_unreadable_lines_are_named_at_once_and_the_others_checked() -> None:
    lines = "exactly 10.5 by fisher\nat least 2 for A\nnamed Atlantis by holm\n# a remark\nfoo\nat least 2"
    lines += "\nsignificant gains on 9 domains\nsignificant gains of 2 points on 9 domains"
    app = write_lines(open_page(sample="sentiment"), lines)
    _, *found = problems(app)
    assert [next(p for p in found if f"ine {n}" in p) for n in (1, 3, 5)]
    assert len(found) == 3
    assert "Atlantis" in " ".join(found)
    named, unnamed = sorted(of_class(app, "claim-verdict"), key=lambda row: "Lines 7" in row)
    assert "Lines 2 and 6." in named
    assumed = "It names no system: read for AE-SCL-SR. End with “for MSDA” if that is meant."
    assert f"Lines 7 and 8. Line 7: {assumed} Line 8: Read without '2 points'. {assumed}" in unnamed
    # Nothing that was typed is lost.
    assert lines_of(app) == lines


def menu(app: AppTest, label: str) -> Any:
    """The field of a claim with this label."""
    kinds = (*app.selectbox, *app.number_input, *app.text_input, *app.multiselect)
    (found,) = [one for one in kinds if one.label == label]
    return found


def test_a_claim_is_added_and_its_parts_changed_by_menus() -> None:
    app = write_lines(open_page(sample="sentiment"), "# a remark\nat least 1 for A")
    # What was typed just before stays.
    _field(app).set_value("# a remark\nat least 2 for A")
    before = {one.key for one in app.text_area}
    press(app, "Add a claim")
    assert lines_of(app) == "# a remark\nat least 2 for A\nat least 6 for A"
    # A browser that has not drawn the new lines yet sends the old ones with its next click.
    assert _field(app).key not in before
    menu(app, "Which line").set_value(2)
    run(app)
    for label, value, line in [
        ("What is said", "exactly", "exactly 6 by count for A"),
        ("How many of 12", 9, "exactly 9 by count for A"),
        ("Counted by", "fisher", "exactly 9 by fisher for A"),
        ("Level", "0,01", "exactly 9 by fisher at .01 for A"),
        ("Which system is better", "b", "exactly 9 by fisher at .01 for B"),
        ("What is said", "named", "named B→K by holm at .01 for B"),
        ("Which datasets", ["B→K", "K→E"], "named B→K; K→E by holm at .01 for B"),
        ("What is said", "not-significant", "not significant B→K; K→E at .01"),
        ("What is said", "interval", "interval 3.9 to 5.2 about 4.6 at .01"),
        ("Lower end", "-6,5", "interval -6.5 to 5.2 about 4.6 at .01"),
    ]:
        run(menu(app, label).set_value(value) and app)
        press(app, "Change this claim")
        assert lines_of(app) == f"# a remark\nat least 2 for A\n{line}", (label, value)
        assert problems(app) == []
    # What is no level changes nothing.
    run(menu(app, "Level").set_value("100%") and app)
    press(app, "Change this claim")
    assert lines_of(app).endswith("interval -6.5 to 5.2 about 4.6 at .01")
    assert "Nothing was changed" in text(app)


# Scores and sizes


def test_sizes_that_cannot_be_read_are_named_and_the_check_goes_on() -> None:
    app = drop(open_app(), "published.csv", P_VALUES)
    go_to(app, PAGE)
    write_lines(app, "exactly 2 by count")
    app.radio(key="claim-metric").set_value("accuracy")
    run(app)
    type_sizes(app, "u: many\nx: 10")
    assert len(problems(app)) == 3
    assert len(of_class(app, "claim-verdict")) == 1
    type_sizes(app, "u: 1000\nv: 1000\nw: 2000")
    assert problems(app) == []
    open_details(app, "claim", "Other checks")
    (frame,) = [d.value for d in app.dataframe if "possible p" in d.value.columns]
    assert list(frame["n"]) == ["1,000", "1,000", "2,000"]


def test_typed_means_say_whether_a_paired_t_test_can_give_the_printed_p_value() -> None:
    app = open_details(open_page(), "claim-means", "")
    for label, typed in (
        ("Mean of A", "4.21"),
        ("Mean of B", "4,05"),
        ("… or of the differences", "0.80"),
    ):
        _type(app, label, typed)
    # t is 1.86 to 2.14 within the rounding; 2 at the middle.
    _type(app, "Printed p-value", ".048")
    middle = 2 * stats.t.sf(2, 99)
    assert middle == pytest.approx(0.048, abs=5e-4)
    assert "The printed p = .048 is possible." in text(app)
    _type(app, "Printed p-value", ".012")
    assert "The printed p = .012 is outside this range" in text(app)
    # The nearest n at which t comes to what p = .0125 needs, at the ends of the rounding.
    needed = next(
        n for n in range(100, 300) if 2 * stats.t.sf(0.17 / 0.795 * n**0.5, n - 1) < 0.0125
    )
    assert f"n = {needed} would make it possible" in text(app)
    # For B, which has the lower mean, no small p-value is one-sided.
    (side,) = [one for one in app.selectbox if one.label == "The p-value is"]
    side.set_value("b")
    run(app)
    assert "one-sided for B" in text(app)
    assert "would make it possible" not in text(app)
    _type(app, "Mean of B", "four")
    assert "“Mean of B”" in text(app)


def _type(app: AppTest, label: str, typed: str) -> None:
    (field,) = [one for one in app.text_input if one.label == label]
    field.set_value(typed)
    run(app)


def test_a_check_that_was_stopped_offers_to_start_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claims_check, "_SECONDS_AT_ONCE", 0.0)
    app = open_app(sample="word-similarity")
    monkeypatch.setattr(claims_check, "check_claims", _endless)
    go_to(app, PAGE)
    first = app.session_state["dashboard"].work["claims"]
    assert not first.finished
    press(app, "Stop the check")
    assert first.wait(10)
    run(app)
    press(app, "Check again")
    again = app.session_state["dashboard"].work["claims"]
    assert again is not first
    # Another check takes its place, and stops it.
    write_lines(app, "at least 1 for A")
    assert again.wait(10)
    last = app.session_state["dashboard"].work["claims"]
    last.stop()
    assert last.wait(10)


def test_the_same_file_loaded_during_a_check_in_the_background_is_checked_anew(monkeypatch) -> None:
    monkeypatch.setattr(claims_check, "_SECONDS_AT_ONCE", 0.0)
    app = drop(open_app(), "published.csv", P_VALUES)
    with monkeypatch.context() as patch:
        patch.setattr(claims_check, "check_claims", _endless)
        go_to(app, PAGE)
        write_lines(app, "exactly 2 by count")
        first = app.session_state["dashboard"].work["claims"]
        assert not first.finished
    go_to(app, "pages/upload.py")
    drop(app, "published.csv", P_VALUES)
    assert first.wait(10)
    assert app.session_state["dashboard"].work.get("claims") is None
    when_tested(go_to(app, PAGE))
    assert "was stopped" not in text(app)
    assert answer(app).startswith("The claim holds")
    # It is checked once.
    last = app.session_state["dashboard"].work["claims"]
    assert run(app).session_state["dashboard"].work["claims"] is last


def _endless(*_: object, on_progress: Callable[[int, int], object], **__: object) -> None:
    while on_progress(1, 10) is not False:
        time.sleep(0.01)
    raise Stopped("Stopped.")


def test_results_on_examples_are_checked_by_the_p_values_computed_here() -> None:
    app = go_to(when_tested(open_app(sample="simulated-accuracy")), PAGE)
    write_lines(app, "at least 0 for A\nexactly 1 by fisher for B\nnamed sim-task-01 by holm")
    assert "1 of 3 claims holds" in answer(app)
    said = [answer(app), *of_class(app, "claim-verdict")]
    for tab in ("Reasons", "Numbers", "Other checks"):
        open_details(app, "claim", tab)
        said += [*text(app).split("\n"), *(one.value for one in app.markdown)]
    # The forms are about what a paper prints.
    forms = ("Scores that are means", "Examples:")
    assert not [one for one in said if "printed" in one and not one.startswith(forms)]


# Links


def test_what_is_too_long_for_a_link_is_left_out_whole() -> None:
    long = ClaimDesk(lines="at least 1\n" * (LONGEST_TEXT // 5), sizes="100")
    assert set(write(Link(claims=long))) == set()


# Lines and sizes as data


CLAIM_LINES = [
    "exactly 10 of 12 by fisher at .05 for A",
    "at least 6",
    "named u; v by holm at .05 for b",
    "significant u at .01 for differ",
    "exactly 2 by any of p_value; p_value x at .05 for A",
    "interval 1 to 2 about 1.5 at .05",
]


def test_exchanged_twice_a_claim_is_what_it_was() -> None:
    for line in CLAIM_LINES:
        (claim,), (turned,) = parse_claims(line), parse_claims(exchanged(line))
        assert {claim.better, turned.better} in ({"a", "b"}, {"differ"}), line
        assert parse_claims(exchanged(exchanged(line))) == (claim,), line


def test_sizes_are_one_for_all_or_one_each() -> None:
    assert read_sizes("2,000", ["u", "v"]) == (2000, 2000)
    assert read_sizes(" v: 10\n\nu: 2 000 ", ["u", "v"]) == (2000, 10)
    assert read_sizes("a:b: 7", ["a:b"]) == (7,)


def test_every_size_that_cannot_be_read_has_its_place() -> None:
    for typed, places in {
        "u: 10": [""],
        "u: 1.5\nv: -3\nw": ["Line 1", "Line 2", "Line 3"],
        "u: 10\nu: 20\nv: 5": ["Dataset 'u', line 2"],
        "x: 10\nv: 0": ["Dataset 'x', line 1", "Line 2"],
        "1,0": ["Line 1"],
        "99999999999": ["Line 1"],
    }.items():
        with pytest.raises(DataError) as caught:
            read_sizes(typed, ["u", "v"])
        assert [problem.place for problem in caught.value.problems] == places, typed


# Names


def test_a_check_of_rows_is_offered_where_scores_may_be_accuracies() -> None:
    content = P_VALUES.replace(b"p_value\n", b"p_value,n\n")
    for end in (b".001", b".002", b".4"):
        content = content.replace(end + b"\n", end + b",1000\n")
    app = go_to(drop(open_app(), "published.csv", content), PAGE)
    assert not of_class(app, "row-verdict")
    press(app, "They are accuracies")
    assert app.session_state["dashboard"].claims.metric == "accuracy"
    open_details(app, "claim", "Other checks")
    assert [d for d in app.dataframe if "possible p" in d.value.columns]
    assert not [one for one in app.button if one.label == "They are accuracies"]


def test_scores_alone_say_what_could_be_significant_and_marks_what_they_support() -> None:
    rows = b"dataset,A,B,n\nu,.95,.50,1000\nv,.80,.79,100\nw,.70,.70,50\n"
    app = press(go_to(drop(open_app(), "scores.csv", rows), PAGE), "They are accuracies")
    assert "significant on 1 of 3 datasets in any case" in text(app)
    # Marks are said also where claims are judged by scores and sizes.
    rows = rows.replace(b"5,.50", b"5*,.50").replace(b",.79", b"*,.79")
    app = press(go_to(drop(open_app(), "scores.csv", rows), PAGE), "They are accuracies")
    assert "Marked: u and v." in text(app)
    assert not answer(app).startswith("With p")
    # What is claimed is answered first, and large alone.
    write_lines(app, "A is significantly better on 2 of 3 datasets")
    assert answer(app).startswith("The claim ")
    assert len(of_class(app, "lead")) == 1
    marked = drop(open_app(), "marks.csv", b"dataset,A,B\nu,95*,50\nv,80*,79\nw,70,70\nx,71*,60\n")
    go_to(marked, PAGE)
    assert answer(marked).startswith("With p \u2264 .05 on 3 of 4 and nothing more known")
    assert "Marked: u, v and x." in text(marked)
    # Counts are judged by the scores, whatever is missing.
    write_lines(marked, "A is better on 3 of 4 datasets\nB is better on 2 of 4 datasets")
    worse, better = of_class(marked, "claim-verdict")
    assert "On u, v and x the score of B is the lower one" in worse
    assert "A scores better (higher) on 3 of 4" in better
    # The same number is said once, with the limit that one of the claims sets.
    write_lines(marked, "A is significantly better on 3 of 4 datasets\nsignificant u; v; x for A")
    assert text(marked).count("With p \u2264 .05 on 3 of 4") == 1
    assert "sets no upper limit" not in text(marked)


def test_two_tables_of_a_paper_come_into_one_report() -> None:
    app = press(open_page(sample="sentiment"), "Add another table")
    open_section(app, "claim-samples")
    press(app, "Word similarity, 12 datasets")
    open_details(app, "claim", "Copy")
    (first, *_) = [
        code.value for code in app.code if "check:claims" in code.value and "W2V" in code.value
    ]
    assert "AE-SCL-SR" in first
    assert first.index("AE-SCL-SR") < first.index("W2V")
    press(app, "Forget the tables kept")
    assert not [code for code in app.code if "AE-SCL-SR" in code.value]


def test_a_mistyped_line_is_mended_by_one_click_and_two_claims_become_two_lines() -> None:
    app = write_lines(
        open_page(sample="pos-tagging"), "at least 1 for A\nsignificant on Tamill after bonferoni"
    )
    assert len(of_class(app, "claim-verdict")) == 1
    assert "Line 2 could read: significant on Tamil after Bonferroni" in text(app)
    press(app, "Change line 2 to that")
    assert lines_of(app) == "at least 1 for A\nsignificant on Tamil after Bonferroni"
    assert len(of_class(app, "claim-verdict")) == 2
    write_lines(app, "exactly 3 by bonferoni")
    press(app, "Change line 1 to that")
    assert problems(app) == []
    write_lines(app, "A is better on all, significantly on 2")
    press(app, "Change line 1 to these")
    assert lines_of(app).split("\n") == ["at least 23 of 23 for A", "exactly 2 by count for A"]
    assert len(of_class(app, "claim-verdict")) == 2

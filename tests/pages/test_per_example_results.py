"""From each system's result on every example to the verdict, page by page."""

from types import SimpleNamespace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core import ResultSet, count_datasets, read_results, run_dataset_tests
from core.analysis import TestPlan
from core.analysis.testing import COUNTED_JOINTLY
from core.data import read_sample
from core.sections.reliability import NOT_AT_A_MARGIN
from core.words.counting import JOINT_ANSWER
from pages.ui.frame import limits
from pages.ui.frame.state import Session
from pages.ui.work import jobs
from tests.pages.opened import (
    address,
    button,
    dependence_radio,
    drop,
    go_to,
    leave_out,
    open_app,
    open_details,
    press,
    run,
    set_alpha,
    text,
    when_tested,
)
from tests.read_as import read_as

WIDE = "dataset,example,ours,base,third\n" + "".join(
    f"d{d},{i},{int(i % 5 != 0)},{int(i % (2 + d) != 0)},{int(i % 3 != 0)}\n"
    for d in range(1, 4)
    for i in range(60)
)
COUNTING = "pages/counting.py"
SHOWN = "ours is better than baseline on at least 7 of 12 datasets"
BY_FLIPS = "depend on each other through their shared examples"
TESTS = "pages/per_dataset_tests.py"
SEED = 3
OPEN = "Monte Carlo interval of p contains .05"


def plans_of(test: AppTest) -> list[TestPlan]:
    return list(test.session_state["dashboard"].runs)


def test_moving_alpha_dependence_or_the_order_of_systems_runs_no_test_and_shows_the_others():
    test = drop(open_app(), "mine.csv", WIDE.encode())
    run = plans_of(test)
    test.text_input(key="alpha").set_value(".01").run()
    test.radio(key="dependence").set_value("independent").run()
    press(test, "Swap A and B")
    assert plans_of(test) == run
    assert test.session_state["dashboard"].settings.alpha == 0.01
    results = read_as(ResultSet, WIDE.encode(), name="mine.csv")
    table = run_dataset_tests(results, a="ours", b="base", rng=0)
    go_to(test, TESTS)
    frame = test.dataframe[0].value
    assert len(frame) == 3
    first = float("0" + frame["p (A better)"].iloc[0].lstrip("<> "))
    assert first == pytest.approx(table.p_values_b[0], abs=1e-4)


def test_a_third_system_is_chosen_in_the_sidebar_and_a_system_is_not_compared_with_itself() -> None:
    test = drop(open_app(), "mine.csv", WIDE.encode())
    test.selectbox(key="system-b").set_value("third").run()
    assert {plan.system_b for plan in plans_of(test)} == {"base", "third"}
    test.selectbox(key="system-b").set_value("ours").run()
    assert "two different systems" in text(test)
    assert test.session_state["dashboard"].settings.pair == (0, 2)


def test_systems_chosen_and_swapped_before_any_is_drawn_are_all_taken() -> None:
    table = "dataset,a,b,c,d\n" + "".join(f"x,{i % 2},{i % 3 % 2},1,0\n" for i in range(12))
    test = drop(open_app(), "mine.csv", table.encode())
    test.selectbox(key="system-a").set_value("d")
    test.selectbox(key="system-b").set_value("c")
    press(test, "Swap A and B")
    assert "two different" not in text(test)
    settings = test.session_state["dashboard"].settings
    assert (settings.pair, settings.swapped) == ((2, 3), False)


def test_a_test_that_does_not_suit_the_scores_is_refused_with_the_datasets_named() -> None:
    table = "dataset,a,b\n" + "".join(f"x,{i / 10},{i / 9:.2f}\n" for i in range(20))
    # Of one dataset the outcomes are 0 and 1, of the other they are not.
    table += "y,0,1\ny,1,0\n" * 10
    # A link may ask for any test; the form offers only those that suit the scores.
    test = drop(open_app(test="mcnemar"), "mine.csv", table.encode())
    go_to(test, "pages/per_dataset_tests.py")
    assert not any("McNemar" in option for option in test.selectbox(key="test").options)
    assert "must be 0 or 1 for McNemar" in text(test)
    # The way back is open: the counting page says the same and links to the form.
    go_to(test, "pages/upload.py")
    assert "must be 0 or 1 for McNemar" in text(test)


def test_a_bootstrap_out_of_reach_is_kept_out_of_counting_also_where_it_is_drawn() -> None:
    rows = [(0.912345678, 0.012345671), (1.098765432, 0.023456789), (0.987654321, 0.098765433)]
    table = "dataset,a,b\n" + "".join(
        f"d{d},{a},{b + d / 1e9:.9f}\n" for d in range(5) for a, b in rows
    )
    test = drop(open_app(test="paired-bootstrap"), "mine.csv", table.encode())
    assert names_of_tests(test) == {"paired-bootstrap"}
    assert "out of the bootstrap's reach" in text(test)
    assert "none shown of 5" in text(test)


def ask(app: AppTest, *, claim: str = "", margin: str | None = None) -> AppTest:
    """Ask for a claim in the sidebar; what is not given stays as it stands there."""
    if claim:
        app.selectbox(key="asked-claim").set_value(claim)
    if margin is not None:
        app.text_input(key="asked-margin").set_value(margin)
    return press(app, "Ask this")


def names_of_tests(test: AppTest) -> set[str]:
    return {plan.test for plan in plans_of(test)}


def test_the_other_correlation_is_counted_beside_the_verdict_and_one_click_away() -> None:
    results = read_as(ResultSet, read_sample("simulated-similarity")[1])
    counts = {}
    for metric in ("spearman", "pearson"):
        table = run_dataset_tests(
            results,
            a=results.systems[0],
            b=results.systems[1],
            metric=metric,
            n_resamples=999,
            rng=0,
        )
        counts[metric] = count_datasets(table.p_values, combination="fisher").k_hat
    page = when_tested(open_app(sample="simulated-similarity", resamples="999"))
    assert {plan.metric for plan in plans_of(page)} == {"spearman", "pearson"}
    for own, other in (("spearman", "pearson"), ("pearson", "spearman")):
        told = text(page)
        assert f"Compared by {own.title()} correlation" in told
        by_other = told.split(f"By {other.title()} correlation", 1)[1].split(".")[0]
        assert f"{counts[other]} of 6" in by_other or f"all {counts[other]}" in by_other
        page.button(key="other-correlation").click().run()
        page = when_tested(page)
    assert {plan.test for plan in plans_of(page)} == {"auto"}


def test_a_claim_at_a_margin_is_asked_in_the_sidebar_tested_anew_and_worded_on_every_page() -> None:
    test = drop(open_app(), "mine.csv", WIDE.encode())
    ask(test, margin="5")
    told = "“A is better” takes no margin. For a margin of “5” choose “A is better by a margin”."
    assert told in text(test)
    test.text_input(key="asked-margin").set_value("")
    ask(test, claim="equivalent")
    assert "This claim needs a margin above 0" in text(test)
    # What was chosen is still there, to be mended, also after something else has changed.
    assert test.selectbox(key="asked-claim").value == "equivalent"
    set_alpha(set_alpha(test, 0.01), 0.05)
    assert test.selectbox(key="asked-claim").value == "equivalent"
    ask(test, margin="100")
    assert "must lie below 100 points; got “100”. Nothing was changed." in text(test)
    assert test.selectbox(key="asked-claim").value == "equivalent"
    assert test.text_input(key="asked-margin").value == "100"
    assert "Claim: A better than B" in text(test)
    assert [plan.claim for plan in plans_of(test)] == ["better"]
    ask(test, claim="not-worse", margin="7.5")
    test = when_tested(test)
    assert [(plan.claim, plan.margin) for plan in plans_of(test)] == [
        ("better", 0.0),
        ("not-worse", 0.075),
    ]
    results = read_as(ResultSet, WIDE.encode())
    # What was refused before is no longer in the form.
    assert test.selectbox(key="asked-claim").value == "not-worse"
    assert test.text_input(key="asked-margin").value == "7.5"
    table = run_dataset_tests(results, a="ours", b="base", claim="not-worse", margin=0.075)
    k_hat = count_datasets(table.p_values).k_hat
    said = "ours is not worse than base by more than 7.5 points on"
    for page in ("counting", "identification", "per_dataset_tests", "upload"):
        go_to(test, f"pages/{page}.py")
        assert "better" not in test.title[0].value
        if page == "counting":
            how_many = f"all {k_hat}" if k_hat == 3 else f"at least {k_hat} of 3"
            assert f"{said} {how_many} datasets" in text(test)
            press(test, "Simulate: what if the claim were true nowhere?")
            when_tested(test)
            assert "of 3 datasets (true wins: none)" in text(test)
    go_to(test, "pages/reliability.py")
    assert "is not worse than" not in text(test)
    assert NOT_AT_A_MARGIN in text(test)
    assert "All p-values here are of “ours is better than base”" in text(test)
    test.button(key="reliability-begin").click()
    when_tested(run(test))
    go_to(test, "pages/report.py")
    for section in ("reliability", "tried"):
        test.selectbox(key="report-preview").set_value(section)
        assert NOT_AT_A_MARGIN in text(run(test)), section
    go_to(test, "pages/systems.py")
    assert "not worse" in test.session_state["dashboard"].tried["tests"][1].replace("-", " ")


def test_a_margin_that_scores_without_a_unit_cannot_have_is_told_as_it_is() -> None:
    rows = [f"{d},{i},{i % 7 * 15},{i % 5 * 20}" for d in ("news", "mail") for i in range(40)]
    test = drop(open_app(), "mine.csv", "\n".join(["dataset,example,ours,base", *rows]).encode())
    ask(test, claim="not-worse", margin="0.5 points")
    assert "The margin must be a bare number in the units of the scores" in text(test)
    ask(test, margin="200")
    assert "The margin 200 is more than any two scores in the file are apart (90)" in text(test)


def test_remarks_on_few_examples_know_the_claim_and_offer_no_test_that_is_not_there() -> None:
    rows = [f"d{d},s{i},{i % 5},5,{i % 4},{i % 3 + 4}" for d in range(2) for i in range(30)]
    header = "dataset,example,correct_ours,total_ours,correct_base,total_base"
    test = when_tested(drop(open_app(), "counts.csv", "\n".join([header, *rows]).encode()))
    open_details(go_to(test, "pages/per_dataset_tests.py"), "tests", "About tests on these data")
    few, others = "fewer than 200 examples", "Those of randomization do not have that fault."
    assert few in text(test)
    assert others in text(test)
    # At a margin the bootstrap is the only test of counts.
    when_tested(ask(test, claim="not-worse", margin="0.1"))
    assert few in text(run(test))
    assert others not in text(test)


def test_a_files_own_margins_are_taken_unless_one_for_all_is_typed() -> None:
    own = {"news": "2 points", "mail": "5 points"}
    rows = [f"{d},{m},{i},{i % 4 // 2},{i % 3 // 2}" for d, m in own.items() for i in range(40)]
    content = "\n".join(["dataset,margin,example,ours,base", *rows]).encode()
    test = drop(open_app(), "mine.csv", content)
    assert "Left empty, the margin is the file's: each dataset's own margin (2 to 5" in text(test)
    # Of a claim without a margin they change nothing.
    ask(test)
    assert [plan.margin for plan in plans_of(when_tested(test))] == [0.0]
    ask(test, claim="not-worse")
    test = when_tested(test)
    go_to(test, "pages/counting.py")
    said = "ours is not worse than base by more than each dataset's own margin (2 to 5 points)"
    assert said in text(test)
    assert address(test)["margin"] == "column"
    ask(test, margin="3")
    assert [plan.margin for plan in plans_of(when_tested(test))] == [0.0, "column", 0.03]


def test_the_answer_is_counted_jointly_and_stands_in_the_link() -> None:
    published = go_to(open_app(sample="parsing-redshift"), COUNTING)
    assert JOINT_ANSWER not in dependence_radio(published).options
    app = when_tested(go_to(open_app(sample="simulated-translations"), COUNTING))
    asked = dependence_radio(app)
    assert JOINT_ANSWER in asked.options
    asked.set_value("shared")
    run(app)
    # No texts were given: nothing is matched, which is said before any answer.
    assert "Shared examples are not counted jointly" in text(app)
    units = next(each for each in app.radio if each.label == "Which examples are the same?")
    units.set_value("example-id")
    when_tested(when_tested(run(app)))
    assert SHOWN in text(app)
    assert address(app)["joint"] == "example-id"
    # Flips combine no p-values, and what the examples share is settled by the answer.
    open_details(app, "counting", "Formula")
    assert [one for one in app.markdown if "after flip" in one.value]
    assert not [one for one in app.markdown if "p-values sorted" in one.value]
    assert "is the safe answer" not in text(open_details(app, "counting", "Dependence"))
    open_details(app, "counting", "Groups")
    group = next(each for each in app.multiselect if each.label == "Datasets of a group")
    group.set_value(["sim-de", "sim-es", "sim-fr"])
    said = text(run(app))
    assert "Your group (3 datasets): ours is better than baseline on at least 2." in said
    # Every page has the same count in front, and names by flips.
    for page in ("pages/upload.py", "pages/report.py"):
        said = text(go_to(app, page))
        assert SHOWN in said, page
        assert BY_FLIPS in said, page
    said = text(go_to(app, "pages/identification.py"))
    assert "By the joint step-down test (α = .05), ours is significantly better" in said
    assert "p, joint flips (A better)" in said
    go_to(app, COUNTING)
    dependence_radio(app).set_value("independent")
    run(app)
    assert "joint" not in address(app)


def test_equal_ids_are_counted_jointly_at_one_click_beside_the_hint() -> None:
    rows = [f"d{d},{i},{int(i % (5 + d) > 0)},{i % 2}" for d in range(3) for i in range(40)]
    content = "\n".join(["dataset,example,ours,base", *rows]).encode()
    app = when_tested(drop(open_app(), "ids.csv", content))
    press(app, "Count equal ids jointly")
    assert BY_FLIPS in text(when_tested(when_tested(app)))
    assert "Shared examples are not counted jointly" not in text(app)
    assert address(app)["joint"] == "example-id"
    assert "Count equal ids jointly" not in [each.label for each in app.button]
    # Both counts were seen.
    assert app.session_state["dashboard"].tried[COUNTED_JOINTLY] == ["no", "example-id"]


@pytest.mark.parametrize("left_out", ["", "Y"])
def test_with_one_dataset_no_page_counts_corrects_or_asks_about_dependence(left_out: str) -> None:
    scores = "".join(
        f"{dataset},{i},{int(i % 4 > 0)},{int(i % 3 > 0)}\n"
        for dataset in ("X", left_out)
        for i in range(60)
        if dataset
    )
    app = drop(open_app(), "one.csv", f"dataset,example,A,B\n{scores}".encode())
    when_tested(app)
    if left_out:
        leave_out(app, left_out)
    for page in ("upload", "counting", "identification", "per_dataset_tests", "report"):
        said = text(go_to(app, f"pages/{page}.py")).lower()
        assert "on x" in said, page
        if page in ("upload", "counting", "identification"):
            assert app.title[0].value == "Is A really better?"
        unneeded = ("holm", "bonferroni", "guarantee:", "at least 1", "of 1", "shown", "jointly")
        for word in (*unneeded, "same example ids", "adjusted p", "threshold", "p (a better), b"):
            assert word not in said, (page, word)
        assert not [one.label for one in app.radio if "depend" in one.label], page


def scores() -> str:
    """Real-valued scores, so that tests resample; some p-values lie near .05."""
    rng = np.random.default_rng(5)
    lines = ["dataset,ours,base"]
    for name, shift in {"none": 0.0, "little": 0.17, "some": 0.19, "much": 0.8}.items():
        a, b = rng.normal(size=90) + shift, rng.normal(size=90)
        lines += [f"{name},{x:.9f},{y:.9f}" for x, y in zip(a, b, strict=True)]
    return "\n".join(lines) + "\n"


def opened() -> AppTest:
    """The file's tests with few resamples."""
    app = when_tested(drop(open_app(), "mine.csv", scores().encode()))
    app = go_to(app, TESTS)
    app.selectbox(key="test").set_value("approximate-randomization")
    app.number_input(key="resamples").set_value(199)
    app.number_input(key="seed").set_value(SEED)
    return when_tested(press(app, "Run"))


def last_p_values(session: Session) -> list[float]:
    """Of the run that was used last."""
    p_values: list[float] = list(session.runs.values())[-1].result.p_values.tolist()
    return p_values


def test_an_open_mark_is_said_on_every_page_settles_by_its_button_and_is_in_the_link() -> None:
    app = opened()
    assert [(plan.test, plan.seed) for plan in plans_of(app)] == [
        ("auto", 0),
        ("approximate-randomization", SEED),
    ]
    tried = app.session_state["dashboard"].tried["tests"]
    assert len(tried) == 2
    assert f"seed {SEED}" in tried[1]
    for page in (TESTS, "pages/counting.py", "pages/identification.py"):
        app = go_to(app, page)
        assert OPEN in text(app)
        assert not button(app, "Draw more resamples").disabled
    # On the first page below the count that it limits, before all questions about the file.
    labels = [getattr(one, "label", "") for one in go_to(app, "pages/upload.py").main]
    asked = next(label for label in labels if label.startswith("Which score is better?"))
    assert labels.index("Draw more resamples") < labels.index(asked)
    app = go_to(app, TESTS)
    for _ in range(4):
        if not [one for one in app.button if one.label == "Draw more resamples"]:
            break
        app = when_tested(press(app, "Draw more resamples"))
    assert OPEN not in text(app)
    extended = dict(app.session_state["dashboard"].settings.extended)
    assert extended
    data = read_results(scores().encode(), name="mine.csv")
    expected = run_dataset_tests(
        data,  # type: ignore[arg-type]
        a="ours",
        b="base",
        test="approximate-randomization",
        n_resamples={name: extended.get(name, 199) for name in data.datasets},
        rng=SEED,
    )
    session = app.session_state["dashboard"]
    assert last_p_values(session) == expected.p_values.tolist()
    # It is told as tried, and the link finds it again.
    assert any("extended: " in line for line in session.tried["tests"])
    again = when_tested(drop(open_app(**app.query_params), "mine.csv", scores().encode()))
    assert last_p_values(again.session_state["dashboard"]) == expected.p_values.tolist()


def test_a_stopped_extension_keeps_what_it_reached_in_settings_table_and_address() -> None:
    app = opened()
    session = app.session_state["dashboard"]
    before = last_p_values(session)
    button(app, "Draw more resamples").click()
    # Stopped before it can begin: every place for background work is taken.
    taken = [SimpleNamespace(user=number) for number in range(limits.MAX_BACKGROUND_JOBS)]
    for ticket in taken:
        jobs._line.enter(ticket)
    try:
        app = run(app)
        press(app, "Stop")
    finally:
        for ticket in taken:
            jobs._line.leave(ticket)
    app = when_tested(app)
    session = app.session_state["dashboard"]
    assert session.settings.extended == ()
    assert "extended" not in app.query_params
    assert last_p_values(session) == before
    assert "Testing was stopped" not in text(app)
    assert button(app, "Draw more resamples")

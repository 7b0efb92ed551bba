"""The page about effects: what it says of each kind of data, and what it leaves open."""

import numpy as np
from statsmodels.stats.meta_analysis import combine_effects
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Selectbox, TextInput

from core.words.formatting import number
from tests.core.words.test_reading import graded_beside_right
from tests.pages.opened import (
    answer,
    choose,
    drop,
    drop_all,
    go_to,
    of_file,
    open_app,
    open_details,
    press,
    run,
    text,
    when_tested,
)

PAGE = "pages/effect_size.py"
EFFECTS = "dataset,effect,standard_error\n" + "".join(
    f"d{i},{effect},{error}\n"
    for i, (effect, error) in enumerate(
        [(0.02, 0.02), (0.05, 0.03), (-0.01, 0.0173), (0.03, 0.0316), (0.08, 0.0447)]
    )
)


def results(n_datasets: int = 4, seed: int = 0) -> str:
    rng = np.random.default_rng(seed)
    lines = ["dataset,example,ours,base"]
    for d in range(n_datasets):
        right = rng.random((60, 2)) < (0.8, 0.65 - 0.12 * (d % 4))
        lines += [f"d{d},{i},{int(a)},{int(b)}" for i, (a, b) in enumerate(right)]
    return "\n".join(lines) + "\n"


def opened(content: str) -> AppTest:
    return go_to(drop(open_app(), "mine.csv", content.encode()), PAGE)


def kind(app: AppTest) -> Selectbox:
    return next(box for box in app.selectbox if box.label == "Effect on each dataset")


def test_results_on_examples_are_combined_as_statsmodels_does() -> None:
    content = results()
    rows = [line.split(",") for line in content.splitlines()[1:]]
    effects, variances = [], []
    for d in range(4):
        own = np.array([(int(a) - int(b)) for name, _, a, b in rows if name == f"d{d}"], float)
        effects.append(own.mean())
        variances.append(own.var(ddof=1) / own.size)
    app = opened(content)
    for method, chosen in (("iterated", "paule-mandel"), ("dl", "dersimonian-laird")):
        app.selectbox(key=of_file(app, "effect-tau2")).set_value(chosen)
        run(app)
        other = combine_effects(np.array(effects), np.array(variances), method_re=method)
        frame = app.dataframe[0].value
        random = frame[frame["made by"] == "normal"].iloc[0]
        low, high = other.conf_int()[1]
        width = high - low
        assert random.iloc[1] == number(other.mean_effect_re, width), chosen
        assert random.iloc[2] == f"{number(low, width)} to {number(high, width)}", chosen
        assert "ours is ahead of base" in answer(app)


def test_reading_the_same_file_otherwise_keeps_choices_without_names_and_forgets_the_others():
    rng = np.random.default_rng(3)
    rows = [f"d{i % 3},{rng.normal() + 1:.3f},{rng.normal():.3f}" for i in range(60)]
    app = opened("\n".join(["dataset,ours,base", *rows]))
    tau2, groups = of_file(app, "effect-tau2"), f"file-{app.session_state['dashboard'].n_loaded}"
    kind = of_file(app, "effect-kind")
    app.selectbox(key=tau2).set_value("dersimonian-laird")
    app.selectbox(key=kind).set_value("standardised")
    run(app)
    assert any(key.startswith(groups) for key in app.session_state._state.filtered_state)
    # The page whose answer it decides asks.
    (better,) = [one for one in app.radio if one.label.startswith("Which score is better?")]
    better.set_value("the lower one")
    run(app)
    assert "base is ahead of ours" in answer(app)
    assert app.selectbox(key=tau2).value == "dersimonian-laird"
    assert app.selectbox(key=kind).value == "standardised"
    # The answered question itself goes with the page that asked it.
    go_to(go_to(app, "pages/upload.py"), PAGE)
    assert not any(key.startswith(groups) for key in app.session_state._state.filtered_state)
    drop(go_to(app, "pages/upload.py"), "other.csv", results().encode())
    go_to(app, PAGE)
    assert app.selectbox(key=of_file(app, "effect-tau2")).value != "dersimonian-laird"
    assert not {tau2, kind} & {*app.session_state.keys()}


def test_a_table_of_effects_and_errors_is_a_meta_analysis_without_tests_over_scores() -> None:
    app = opened(EFFECTS)
    frame = app.dataframe[0].value
    random = frame[frame["combined by"] == "random effects"].iloc[0]
    assert random.iloc[1].startswith("+0.0214")
    app.selectbox(key=of_file(app, "effect-tau2")).set_value("dersimonian-laird")
    open_details(app, "effect", "Ways of combining")
    frame = app.dataframe[0].value
    random = frame[frame["combined by"] == "random effects"].iloc[0]
    assert random.iloc[1].startswith("+0.0217")
    # What the page says of random effects follows the same choice.
    shown = text(app)
    assert "DerSimonian and Laird's method" in shown
    assert "Paule and Mandel's method" not in shown
    assert "Tests over datasets" not in [heading.value for heading in app.header]


def test_one_dataset_has_no_variance_between_datasets_to_choose() -> None:
    app = opened("\n".join(EFFECTS.splitlines()[:2]))
    assert not [box for box in app.selectbox if "between datasets" in box.label]


def maximum(app: AppTest) -> TextInput:
    return next(field for field in app.text_input if field.label.startswith("Highest possible"))


def say_maximum(app: AppTest, said: str) -> AppTest:
    maximum(app).set_value(said)
    return run(app)


def test_a_maximum_that_contradicts_the_metric_is_said_to() -> None:
    app = opened(results())
    kind(app).set_value("error-reduction")
    run(app)
    assert "as a share of the errors" in answer(app)
    assert "is 1, not 100 as it was said" in text(say_maximum(app, "100"))
    assert "as a share of the errors" in answer(say_maximum(app, "1"))


def test_a_maximum_is_of_one_metric_and_one_that_is_no_number_is_said_to_be_none() -> None:
    rows = [f"d{i % 4},{i},{system},{i % 9 / 10},{i % 50}" for i in range(80) for system in "ab"]
    app = opened("\n".join(["dataset,example,system,one,two", *rows]))
    kind(app).set_value("error-reduction")
    for said in ("100%", "1,000"):
        assert f"“{said}” is no number" in text(say_maximum(run(app), said))
    assert "as a share of the errors" in answer(say_maximum(app, "1"))
    when_tested(choose(app, "Metric", "two"))
    assert maximum(app).value == ""
    assert answer(app) == "No dataset has such an effect."


def test_scores_are_shown_while_resamples_are_drawn_and_a_stop_can_be_gone_on_from() -> None:
    app = opened(results(6))
    data = app.session_state["dashboard"].loaded.data
    assert "In the averages only" not in text(app)
    app.selectbox(key=of_file(app, "effect-variance")).set_value("bootstrap")
    whole = answer(when_tested(run(app)))
    # As if it had been stopped after two datasets.
    from core.effects.from_results import dataset_effects

    part = dataset_effects(
        data, a="ours", b="base", variance="bootstrap", on_progress=lambda done, _: done < 2
    )
    session = app.session_state["dashboard"]
    session.work["effects"]._result = part
    session.memory = type(session.memory)()
    run(app)
    assert answer(app).startswith("So far (2 of 6 datasets done): ")
    assert answer(when_tested(press(app, "Go on with the other 4"))) == whole


def test_unlike_metrics_are_averaged_as_standardised_differences_and_other_ones_shown_one_by_one():
    # Samples of lm-evaluation-harness: 0 or 1 on two tasks, a grade of 3 or 9 on the third.
    app = drop_all(open_app(), dict(graded_beside_right()))
    app.button(key="answer-measure-0").click()
    app = go_to(when_tested(run(app)), PAGE)
    assert kind(app).value == "standardised"
    assert "standard deviations of the examples' differences" in answer(app)
    assert "acc on arc and boolq" in text(app)
    kind(app).select("difference")
    run(app)
    assert "I²" not in text(app).partition("Tests over datasets")[0]
    frame = app.dataframe[0].value
    assert frame["metric"].tolist() == ["acc", "acc", "grade"]
    assert not [column for column in frame.columns if "weight" in column]
    assert not app.get("plotly_chart")

"""An estimator of τ², a post-hoc choice and a test over datasets are one record each.

Those appended here, for these tests alone, are nobody's. Whatever offers such choices must
offer them by their titles, and compute by their kernels.
"""

from dataclasses import replace

import numpy as np
import pytest

from core.effects import across
from core.effects.across import ACROSS_TESTS, compare_across
from core.effects.friedman import friedman
from core.effects.heterogeneity import TAU2_ESTIMATORS, Tau2Estimator, tau2_names
from core.effects.meta_analysis import meta_analysis
from core.effects.post_hoc import POST_HOC_CHOICES, post_hoc, post_hoc_named
from core.sections.across import every_test_parts
from core.sections.effects import combining_meanings
from core.sections.parts import Table
from core.types import FloatArray
from core.words.formatting import interval_text
from tests.core.effects.cases import V, Y
from tests.pages.opened import answer, drop, go_to, of_file, open_app, run, selectbox, text

PAGE = "pages/effect_size.py"
SYSTEMS = "dataset,ours,base,third\n" + "".join(
    f"d{i},{0.5 + i / 50},{0.52 + i / 50 + (i % 3) / 100},{0.9 - i / 70}\n" for i in range(12)
)
GIVEN = "dataset,effect,standard_error\nd,.02,.02\ne,.5,.03\nf,-.01,.0173\n"


def hundredth(effects: FloatArray, variances: FloatArray) -> float:
    """The same whatever the effects are."""
    return 0.01


@pytest.fixture(autouse=True)
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    estimator = Tau2Estimator(
        name="hundredth",
        title="Hundredth",
        meaning="A hundredth, whatever the effects.",
        reference="nobody's rule",
        estimate=hundredth,
    )
    monkeypatch.setattr(TAU2_ESTIMATORS, "records", (*TAU2_ESTIMATORS, estimator))
    choice = replace(
        post_hoc_named("bonferroni-dunn"),
        name="first",
        title="All against the first",
        needs_control=False,
        run=lambda ranks, _, alpha: post_hoc(
            ranks, ranks.systems[0], alpha, procedure="bonferroni-dunn"
        ),
    )
    monkeypatch.setattr(POST_HOC_CHOICES, "records", (*POST_HOC_CHOICES, choice))
    test = replace(ACROSS_TESTS[0], name="again", variant="the same again")
    monkeypatch.setattr(across, "ACROSS_TESTS", (*ACROSS_TESTS, test))


def test_an_estimator_is_computed_by_and_told_of() -> None:
    assert tau2_names()[-1] == "hundredth"
    result = meta_analysis(Y, V, tau2="hundredth")
    assert result.tau2 == 0.01
    weights = 1.0 / (np.array(V) + 0.01)
    assert result.estimate == pytest.approx(float(weights @ Y) / float(weights.sum()))
    (told,) = combining_meanings(["random effects"], "hundredth")
    assert "τ² of these effects is estimated by nobody's rule" in told


def test_an_estimator_is_offered_on_the_page() -> None:
    app = go_to(drop(open_app(), "mine.csv", GIVEN.encode()), PAGE)
    assert "Hundredth" in selectbox(app, "Variance between datasets (τ²) of random effects").options
    app.selectbox(key=of_file(app, "effect-tau2")).set_value("hundredth")
    run(app)
    expected = meta_analysis([0.02, 0.5, -0.01], [4e-4, 9e-4, 0.0173**2], tau2="hundredth")
    low, high = expected.interval
    assert f"({interval_text((low, high), high - low)}" in answer(app).replace("95% interval ", "")
    assert "A hundredth, whatever the effects." in text(app)


def test_a_post_hoc_choice_is_offered_and_run_on_the_page() -> None:
    app = go_to(drop(open_app(), "mine.csv", SYSTEMS.encode()), "pages/systems.py")
    app.session_state["section-systems-how"] = True
    run(app)
    box = selectbox(app, "Systems compared by")
    assert "All against the first" in box.options
    box.set_value("first")
    run(app)
    ranks = friedman(
        [[float(score) for score in line.split(",")[1:]] for line in SYSTEMS.splitlines()[1:]],
        systems=["ours", "base", "third"],
    )
    pairs = int(post_hoc(ranks, "ours", procedure="bonferroni-dunn").separated.sum()) // 2
    assert f"{pairs} of 2 pairs" in text(app)


def test_a_test_over_datasets_is_computed_and_shown() -> None:
    found = compare_across([0.3, 0.4, 0.6, 0.2, 0.9, 0.5], [0.2, 0.1, 0.5, 0.3, 0.4, 0.1])
    again, usual = found.of("again"), found.of("wilcoxon")
    assert again.p_value == usual.p_value
    table = every_test_parts(found)[0]
    assert isinstance(table, Table)
    assert table.frame["variant"].tolist()[-1] == "the same again, exact"

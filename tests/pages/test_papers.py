"""A paper on the page: dropped, its table confirmed cell by cell, handed on, its marks claimed."""

from streamlit.testing.v1 import AppTest

from tests.pages.opened import drop as drop_file
from tests.pages.opened import go_to, open_app, press, problems, run, text, when_tested

PAGE = "pages/check_a_claim.py"
SOURCE = rb"""\documentclass{article}\begin{document}
\begin{table}\caption{Accuracy, best in bold; $^\dagger$ $p < .05$.}
\begin{tabular}{lrr}
Data & Ours & BERT \\ \midrule
SST-2 & \textbf{91.2}$^\dagger$ & 90.1$^1$ \\
RTE & 71.5 & 72.5 \\
QQP & 88.1$^\dagger$ & 87.0$^1$ \\
WNLI & \textbf{56.3} & 65.1 \\
\end{tabular}\end{table}
\end{document}"""


def drop(app: AppTest, name: str, content: bytes) -> AppTest:
    """Drop a paper, and wait until it is read."""
    return when_tested(drop_file(app, name, content))


def buttons(app: AppTest) -> list[str]:
    return [button.label for button in app.button]


def test_a_paper_dropped_on_upload_is_checked_only_once_each_unsure_cell_is_confirmed() -> None:
    app = open_app()
    drop(app, "paper.tex", SOURCE)
    # Dropped anywhere, it leads to the page that checks papers; its only table is open.
    assert "Check this table" in buttons(app)
    check = next(button for button in app.button if button.label == "Check this table")
    assert check.disabled
    assert "2 cells are still to be confirmed or typed." in text(app)
    press(app, "SST-2, BERT is 90.1")
    assert "1 cell is still to be confirmed or typed." in text(app)
    press(app, "QQP, BERT is 87.0")
    press(app, "Check this table")
    loaded = app.session_state["dashboard"].loaded
    assert loaded.data.datasets == ("SST-2", "RTE", "QQP", "WNLI")
    assert loaded.data.scores_b.tolist() == [90.1, 72.5, 87.0, 65.1]
    assert "Bold marks the best score, as the caption says" in text(app)
    assert "Ours is bold on WNLI, where BERT has the higher score." in text(app)
    assert not any("bold" in label for label in buttons(app))
    offered = next(label for label in buttons(app) if "marked †" in label)
    assert "Ours is marked † on 2 of 4 datasets" in offered
    press(app, offered)
    assert app.session_state["dashboard"].claims.lines == "significant SST-2; QQP at .05 for A"


def test_a_cell_of_a_paper_that_is_sent_with_the_click_is_checked(monkeypatch) -> None:
    app = drop(go_to(open_app(), PAGE), "paper.tex", SOURCE.replace(b"$^1$", b""))
    monkeypatch.setattr("streamlit.data_editor", lambda frame, **_: frame.replace("71.5", "73.5"))
    press(app, "Check this table")
    assert app.session_state["dashboard"].loaded.data.scores_a.tolist()[1] == 73.5


def test_a_mark_against_another_system_is_said_and_leads_to_its_own_pair() -> None:
    third = rb"""\documentclass{article}\begin{document}\begin{table}
\caption{$^\dagger$ better than BERT, $^\ddagger$ better than XLNet.}
\begin{tabular}{lrrr} Data & Ours & BERT & XLNet \\ \midrule
SST-2 & 91.2$^{\dagger\ddagger}$ & 90.1 & 90.0 \\ RTE & 71.5$^\dagger$ & 70.5 & 71.0 \\
QQP & 88.1$^\ddagger$ & 88.0 & 87.0 \\ \end{tabular}\end{table}\end{document}"""
    app = press(drop(go_to(open_app(), PAGE), "paper.tex", third), "Check this table")
    for other, sign, elsewhere in (("BERT", "†", "XLNet"), ("XLNet", "‡", "BERT")):
        (offered,) = (label for label in buttons(app) if "Check: " in label)
        assert f"Check: Ours is marked {sign} on 2 of 3" in offered, other
        assert f"on Ours is about {elsewhere}, as the legend says" in text(app)
        press(app, next(b for b in buttons(app) if f"Compare Ours with {elsewhere}" in b))


def test_that_every_cell_was_compared_is_said_of_one_paper_and_not_of_the_next() -> None:
    # Settings of such an environment are not read: the whole table is to be compared.
    unsure = SOURCE.replace(b"{tabular}", b"{tblr}").replace(b"$^1$", b"")
    app = drop(go_to(open_app(), PAGE), "first.tex", unsure)
    app.main.checkbox[0].check()
    press(run(app), "All tables of this paper")
    drop(app, "second.tex", unsure.replace(b"91.2", b"12.9"))
    assert not app.main.checkbox[0].value


def test_a_paper_stays_until_another_file_is_read_in_its_place() -> None:
    app = drop(go_to(open_app(), PAGE), "first.tex", SOURCE)
    press(app, "All tables of this paper")
    paper = app.session_state["dashboard"].paper
    for name, content in (("second.pdf", b"%PDF-1.7 nothing"), ("other.csv", b"a\n\x00")):
        drop(app, name, content)
        assert problems(app)
        assert app.session_state["dashboard"].paper is paper
    drop(app, "table.csv", b"dataset,A,B,p\nx,3,1,.01\ny,1,2,.2\n")
    assert app.session_state["dashboard"].paper is None
    assert app.session_state["dashboard"].loaded.data.datasets == ("x", "y")


def test_a_paper_that_cannot_be_read_says_why_and_what_was_loaded_stays() -> None:
    app = go_to(open_app(sample="sentiment"), "pages/upload.py")
    drop(app, "paper.pdf", b"%PDF-1.7 nothing")
    assert "The PDF is damaged or too complex." in " ".join(problems(app))
    assert app.session_state["dashboard"].loaded.source.sample.key == "sentiment"


def test_rows_with_problems_have_one_button_a_remedy_and_an_impossible_p_value_is_reported():
    app = go_to(open_app(), PAGE)
    rows = b"x,3,1,.01\ny,1,2,1.2\nz,2,1,-1\nv,2,1,three\nu,2,1,four\nw,4,1,.03\n"
    drop(app, "table.csv", b"dataset,A,B,p\n" + rows)
    remedies = [label for label in buttons(app) if label.startswith(("Keep", "Leave"))]
    assert remedies == [
        "Leave out these 2 rows with problems (lines 5-6)",
        "Keep 2 datasets with a p-value of 1",
        "Leave out 2 datasets",
    ]
    press(app, "Leave out these 2 rows with problems (lines 5-6)")
    press(app, "Keep 2 datasets with a p-value of 1")
    assert "y: printed p = 1.2 is no p-value" in text(app)
    # What is left out is said where claims are checked, too.
    assert "Left out, as chosen: 2 rows (lines 5-6)." in text(app)

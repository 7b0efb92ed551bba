"""Files of every kind on their way to what is loaded: read, asked about, corrected, refused."""

import json

import pytest
from streamlit.proto.Common_pb2 import FileURLs
from streamlit.runtime.uploaded_file_manager import DeletedFile, UploadedFile, UploadedFileRec
from streamlit.testing.v1 import AppTest

from core.data import read_results, samples
from core.data.layouts import published_table
from pages.ui.frame import prose, state
from pages.ui.frame.prose import label
from tests.core.data.layouts.test_mending import MENDED
from tests.core.words.test_reading import graded_beside_right
from tests.pages.opened import (
    PAGES,
    RolesForm,
    address,
    answer,
    button,
    dependence_radio,
    drop,
    drop_all,
    go_to,
    held_in_browser,
    load_sample,
    open_app,
    press,
    problems,
    question,
    results,
    run,
    selectbox,
    set_alpha,
    set_dependence,
    shown_alpha,
    text,
    when_tested,
)

BROKEN = b"""dataset,Ours,Theirs,p_value
SST,91.0,90.0,0.01
SST,91.0,90.0,1.5
IMDB,ninety,90.0,0.2
,91.0,90.0,0.3
Yelp,91.0,90.0,tiny
"""
THREE_SYSTEMS = b"dataset,example,first,second,third\n" + b"".join(
    b"u,%d,%d,%d,%d\n" % (n, n % 2, n % 3 > 0, n % 5 > 0) for n in range(60)
)
# No column is called a p-value, so it has to be chosen by hand.
UNNAMED = b"""name,Ours,Theirs,prob
SST,91.0,90.0,0.001
IMDB,92.0,90.0,0.2
Yelp,93.0,90.0,0.001
"""
TWO_METRICS = "dataset,example,system,accuracy,loss\n" + "".join(
    f"d{d},{i},{system},{int((i + d) % 3 != 0)},{(i % 7) / 10 + (system == 'base')}\n"
    for d in range(3)
    for i in range(30)
    for system in ("ours", "base")
)


def read_by_hand(app: AppTest) -> None:
    form = RolesForm(app, "refused")
    form.take_for("published table")
    for heading, column in (
        ("Names of datasets", "name"),
        ("Scores of A", "Ours"),
        ("Scores of B", "Theirs"),
        ("P-values", "prob"),
    ):
        form.column(heading).set_value(column)
    form.submit()


def test_a_kind_chosen_by_hand_recognises_the_columns_of_which_nothing_is_said() -> None:
    kind = "one score for each dataset and system"
    content = b"dataset,r A,r B,r AB\nSST,.91,.90,.93\nIMDB,.92,.80,.95\nYelp,.93,.70,.99\n"
    app = drop(open_app(), "scores.csv", content)
    assert "correlations that are computed already" in problems(app)[1]
    form = RolesForm(app, "refused")
    form.take_for(kind)
    assert form.column("Names of datasets").options[:2] == ["as recognised", "(none)"]
    app = form.submit()
    assert not problems(app)
    data = app.session_state["dashboard"].loaded.data
    assert (data.datasets, data.systems) == (("SST", "IMDB", "Yelp"), ("r A", "r B", "r AB"))
    form = RolesForm(app, "loaded")
    assert form.column("Names of datasets").value == "dataset"
    form.column("Names of datasets").set_value("(none)")
    assert "No column is recognised for the role 'dataset'" in problems(form.submit())[1]


def test_a_page_that_needs_data_offers_every_sample() -> None:
    app = open_app()
    for page in ("pages/upload.py", *PAGES.values()):
        go_to(app, page)
        for sample in samples():
            assert button(app, sample.title).key == f"sample-{sample.key}", page
    load_sample(app, "parsing-redshift")
    assert "better than Redshift" in answer(app)
    assert dependence_radio(app).value == "independent"


def test_every_problem_of_a_file_is_listed_at_once_with_its_place() -> None:
    title, *found = problems(drop(open_app(), "broken.csv", BROKEN))
    assert "broken.csv could not be read: 5 problems" in title
    assert len(found) == 5
    for place, word in (
        ("line 3", "1.5"),
        ("line 4", "ninety"),
        ("line 5", ""),
        ("line 6", "tiny"),
    ):
        assert any(place in problem and word in problem for problem in found), (place, found)


def test_a_refused_file_keeps_what_was_loaded_with_all_its_settings() -> None:
    app = set_alpha(open_app(sample="parsing-redshift"), 0.01)
    press(app, "Swap A and B")
    sentence, link = answer(app), address(app)
    drop(app, "broken.csv", BROKEN)
    assert "What was loaded before stays" in problems(app)[0]
    assert answer(app) == sentence
    assert address(app) == link
    go_to(app, PAGES["Counting"])
    assert "Redshift is better" in answer(app)
    assert not problems(app), "a matter of the pages that take files"
    assert problems(go_to(app, "pages/check_a_claim.py"))


def test_a_file_read_by_hand_does_not_inherit_what_was_said_of_the_one_before() -> None:
    app = press(open_app(sample="parsing-redshift"), "Swap A and B")
    drop(app, "unnamed.csv", UNNAMED)
    read_by_hand(app)
    assert "Ours is better than Theirs on at least 2" in answer(app)
    assert dependence_radio(app).value == "not-known"
    assert "swap" not in address(app)


def with_choices(app: AppTest, content: bytes) -> set[str]:
    """Keys of all that can be chosen on the pages about one file's own results, once loaded."""
    drop(go_to(app, "pages/upload.py"), "mine.csv", content)
    for key, value in (
        *(("section-systems-gains", True), ("details-systems-gains", "Size of the test set")),
        *(("section-reliability", True), ("details-reliability", "More or fewer examples")),
    ):
        app.session_state[key] = value
    found = set()
    for page in ("systems", "effect_size", "reliability"):
        when_tested(go_to(app, f"pages/{page}.py"))
        for kind in ("checkbox", "multiselect", "number_input", "radio", "selectbox", "text_input"):
            found |= {str(each.key) for each in app.main.get(kind)}
    return found


def test_what_was_chosen_on_a_page_about_a_file_is_not_taken_for_the_next_one() -> None:
    app = open_app()
    other = THREE_SYSTEMS.replace(b"second", b"another")
    first, second = with_choices(app, THREE_SYSTEMS), with_choices(app, other)
    press(app, "Remove my data")
    kept = [*app.session_state.keys()]
    assert not [key for key in kept if key.startswith(("file-", "files-", "system-"))]
    third = with_choices(app, THREE_SYSTEMS)
    assert len(first) == len(first | second | third) / 3 > 10


def test_columns_and_names_of_a_file_end_with_it_in_the_forms_about_its_reading() -> None:
    app = drop(open_app(), "mine.csv", b"my tasks,ours,base,p_value\nsecret,3,2,.01\nb,3,2,.2\n")
    form = RolesForm(app, "loaded")
    assert form.column("Names of datasets").value == "my tasks"
    drop(app, "other.csv", published_table.KIND.template.encode())
    held = app.session_state._state.filtered_state
    assert not [key for key, value in held.items() if value == "my tasks"]
    n = app.session_state["dashboard"].n_loaded
    forms = [key for key in held if "-loaded-" in key and not key.startswith("FormSubmitter")]
    assert forms
    assert all(key.startswith(f"file-{n}-") for key in forms)


def test_removed_data_leave_nothing_in_the_session_or_on_any_page() -> None:
    app = drop(open_app(), "secret-project.csv", published_table.KIND.template.encode())
    set_alpha(app, 0.01)
    go_to(app, PAGES["Identification"])
    press(app, "Remove my data")
    assert "Nothing loaded yet" in text(app)
    for key in app.session_state.keys():  # noqa: SIM118 - AppTest's state iterates otherwise
        assert "secret-project" not in repr(app.session_state[key])
    go_to(app, "pages/upload.py")
    assert "secret-project" not in text(app)
    assert "file" not in address(app)
    assert "data" not in address(app)


def test_what_a_browser_held_before_samples_came_and_went_is_not_taken_for_a_choice() -> None:
    app = press(load_sample(open_app(), "simulated-documents"), "Remove my data")
    assert dependence_radio(app).value == "not-known"
    held = held_in_browser(app)
    load_sample(app, "simulated-lengths")
    app._run(held)
    assert dependence_radio(app).value == "independent"
    assert app.session_state["dashboard"].tried["dependence"] == ["independent"]
    assert "dependence" not in address(app)
    # A user's own choice is one, also of what was there before.
    set_dependence(app, "not-known")
    assert address(app)["dependence"] == "not-known"
    assert app.session_state["dashboard"].tried["dependence"] == ["independent", "not-known"]
    held = held_in_browser(set_alpha(set_dependence(app, "independent"), 0.01))
    press(app, "Remove my data")
    app._run(held)
    assert shown_alpha(app) == 0.05
    assert dependence_radio(app).value == "not-known"


def test_what_a_browser_held_before_an_exchange_is_not_taken_for_a_choice() -> None:
    app = drop(open_app(), "three.csv", THREE_SYSTEMS)
    held = held_in_browser(app)
    press(app, "Swap A and B")
    app._run(held)
    assert [selectbox(app, label).value for label in "AB"] == ["second", "first"]
    assert "must be two different systems" not in text(app)
    selectbox(app, "B").set_value("third")
    run(app)
    assert [selectbox(app, label).value for label in "AB"] == ["second", "third"]


def test_what_a_browser_uploaded_to_a_server_that_died_is_no_file_of_the_next_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before, after = open_app(), open_app()
    # The browser sends what its uploaders hold by their keys, also to a server just started.
    assert before.file_uploader[0].key != after.file_uploader[0].key
    gone = DeletedFile(file_id="of the server before")
    came = UploadedFile(UploadedFileRec("1", "own.csv", "text/csv", UNNAMED), FileURLs())
    monkeypatch.setattr(state, "uploader_key", lambda kind: f"{kind}-1")
    for held, files in [([gone], []), ([gone, came], [("own.csv", UNNAMED)]), (gone, [])]:
        monkeypatch.setattr(state, "value", lambda _, held=held: held)
        assert state.take_uploads("upload", "upload-1") == files
        assert state.take_uploads("upload", "upload-0") == []


def report_of_ranx(bm25: float, dense: float) -> bytes:
    return json.dumps(
        {
            "metrics": ["map@100", "ndcg@10"],
            "model_names": ["bm25", "dense"],
            "bm25": {"scores": {"map@100": 0.1, "ndcg@10": bm25}, "comparisons": {}},
            "dense": {"scores": {"map@100": 0.2, "ndcg@10": dense}, "comparisons": {}},
        }
    ).encode()


def test_a_question_of_a_tools_files_is_a_button_and_can_be_answered_otherwise_later() -> None:
    files = {"nq.json": report_of_ranx(0.3, 0.4), "hotpotqa.json": report_of_ranx(0.5, 0.6)}
    app = drop_all(open_app(), files)
    assert "Which metric is compared?" in text(app)
    assert problems(app) == []
    assert question(app)[0] == "One question before these files can be read."
    press(app, prose.label("ndcg@10"))
    assert problems(app) == []
    assert json.loads(address(app)["roles"]) == {"measure": "only:ndcg@10"}
    box = selectbox(app, prose.label("Which metric is compared?"))
    assert box.options[box.value] == "ndcg@10"
    box.select("map@100")
    run(app)
    assert json.loads(address(app)["roles"]) == {"measure": "only:map@100"}
    assert "2 files, all used." in text(app)


def two_filters_two_metrics() -> dict[str, bytes]:
    """Samples of lm-evaluation-harness that leave two questions open, one after the other."""
    filters = [f'"filter": "{name}"'.encode() for name in ("strict-match", "flexible-extract")]
    return {
        name: b"".join(content.replace(b'"filter": "none"', one) for one in filters)
        if "essays" in name
        else content
        for name, content in graded_beside_right()
    }


def test_an_answered_question_is_a_line_that_can_be_changed_below_the_open_one() -> None:
    app = drop_all(open_app(), two_filters_two_metrics())
    assert question(app)[0] == "One question before these files can be read."
    press(app, "strict-match")
    assert question(app)[0] == "One question before these files can be read."
    assert "Which metric is compared?" in text(app)
    assert "Answered: strict-match." in text(app)
    assert not [one for one in app.button if one.label in ("strict-match", "flexible-extract")]
    (box,) = [one for one in app.selectbox if one.label.startswith("By which filter")]
    box.select("flexible-extract")
    run(app)
    assert "Answered: flexible-extract." in text(app)
    press(app, prose.label("acc, on 2 of 3 datasets"))
    assert question(app) == problems(app) == []
    assert json.loads(address(app)["roles"]) == {
        "filter": "flexible-extract",
        "measure": "only:acc",
    }


def paste(app: AppTest, pasted: str) -> AppTest:
    (area,) = app.text_area
    area.set_value(pasted)
    return press(app, "Read the pasted table")


def test_a_remedy_of_each_kind_is_a_button_beside_its_problem_that_reads_the_file() -> None:
    app = open_app()
    of_each_role = {answer[0]: name for name, (_, answer, _) in MENDED.items()}
    for name in of_each_role.values():
        content, (role, value), mended = MENDED[name]
        drop(app, "mine.csv", content.encode())
        refused = app.session_state["dashboard"].refused
        (words,) = {
            words
            for choice in refused.error.findings[0].choices
            for held, words in choice.options
            if (choice.role, held) == (role, value)
        }
        assert len(problems(app)) > 1, name
        press(app, label(words))
        assert problems(app) == [], name
        loaded = app.session_state["dashboard"].loaded
        read = read_results(mended.encode(), name="mine.csv")
        assert loaded.data.fingerprint == read.fingerprint, name
        assert loaded.source.roles == {role: value}, name


def test_a_dataset_renamed_in_the_grid_is_so_in_the_verdict_and_the_link(monkeypatch) -> None:
    app = open_app(sample="parsing-redshift")
    before = app.session_state["dashboard"].loaded.data
    old, a = before.datasets[0], before.system_a

    def edited(frame, **_):
        if "name" not in frame:
            return frame
        return frame.assign(name=frame["name"].replace({old: "Web <b>", a: "The parser"}))

    # What is typed into a grid cannot be simulated here; the last cell is sent with the click.
    monkeypatch.setattr("streamlit.data_editor", edited)
    press(app, "Apply names")
    loaded = app.session_state["dashboard"].loaded
    assert loaded.source.roles["dataset_names"] == {old: "Web <b>"}
    assert loaded.source.roles["system_names"] == {a: "The parser"}
    assert loaded.data.datasets == ("Web <b>", *before.datasets[1:])
    assert "The parser is better" in answer(app)
    assert problems(app) == []
    assert "Web <b>" in address(app)["roles"]


def test_a_cell_that_is_sent_with_the_click_is_read_with_the_table(monkeypatch) -> None:
    app = open_app()
    app.session_state["paste"] = True
    run(app)

    def edited(frame, **_):
        cells = {"dataset": ["x", "y"], "p_value": [".01", ".02"]}
        return frame if "p_value" not in frame else frame.head(2).assign(**cells)

    monkeypatch.setattr("streamlit.data_editor", edited)
    press(app, "Read this table")
    assert app.session_state["dashboard"].loaded.data.datasets == ("x", "y")


def test_repeated_runs_are_asked_about_and_the_answer_can_be_changed() -> None:
    rows = "".join(
        f"d,{seed},{i},{int(i % 3 != 0)},{int(i % 3 == seed)}\n"
        for seed in (1, 2)
        for i in range(30)
    )
    app = drop(open_app(), "runs.csv", f"dataset,seed,example,ours,base\n{rows}".encode())
    assert problems(app) == []
    assert "2 runs" in " ".join(question(app))
    press(app, "Average the 2 runs of each example")
    assert problems(app) == []
    first = answer(app)
    (choice,) = [box for box in app.selectbox if box.label.endswith("?")]
    choice.select_index(next(i for i, words in enumerate(choice.options) if "run 1" in words))
    run(app)
    assert problems(app) == []
    assert answer(app) != first or "only" in text(app)


def test_several_metrics_are_kept_and_chosen_in_the_sidebar() -> None:
    app = drop(open_app(), "two.csv", TWO_METRICS.encode())
    assert "No evidence" in answer(app)
    # Of the page as it was last drawn: the answer may have drawn it again.
    metric = selectbox(app, "Metric")
    assert list(metric.options) == ["accuracy", "loss"]
    metric.select("loss")
    run(app)
    assert "ours is better than base on all 3 datasets" in answer(app)
    assert "A lower score is read as better" in text(app)


def test_a_pasted_table_works_like_a_file() -> None:
    # In Markdown; spreadsheets, LaTeX and PDFs are read where pasted text is.
    rows = "| dataset | ours | base | p_value |\n|---|---|---|---|\n| SST | 91 | 90 | .001 |\n"
    app = paste(open_app(), f"{rows}| IMDB | 92 | 90 | .2 |\n")
    assert "ours is better than base on at least 1 of 2" in answer(app)
    # What cannot be read, or is nothing, changes nothing.
    for pasted, n_problems in (("  \n", 0), ("dataset\tours\tp_value\nSST\t91\n", 2)):
        paste(app, pasted)
        assert len(problems(app)) >= n_problems, pasted
        assert "ours is better than base on at least 1 of 2" in answer(app), pasted


def test_scores_that_nothing_names_are_asked_which_is_better() -> None:
    rows = b"model,news,mail,web\nwav2vec2,1.8,3.9,9.1\nhubert,1.9,3.5,8.7\n"
    app = drop(open_app(), "board.csv", rows)
    assert "wav2vec2 scores better (higher) on 2 of 3 datasets, hubert on 1." in text(app)
    asked = next(radio for radio in app.radio if "Which score is better?" in radio.label)
    app = asked.set_value("the lower one").run()
    assert "wav2vec2 scores better (lower) on 1 of 3 datasets, hubert on 2." in text(app)
    alike = drop(app, "alike.csv", rows.replace(b"1.9,3.5,8.7", b"1.8,3.9,9.1"))
    assert "wav2vec2 and hubert have the same score on 3 datasets." in text(alike)
    named = drop(open_app(), "accuracy.csv", rows)
    assert not any("Which score is better?" in radio.label for radio in named.radio)


def test_a_dataset_of_a_long_table_is_found_by_words_of_its_name_on_both_pages_that_show_it():
    rows = "".join(f"Tag set {i:03d},{80 + i / 100},80,{(i + 1) / 600:.4f}\n" for i in range(600))
    app = drop(open_app(), "long.csv", f"dataset,ours,base,p_value\n{rows}".encode())
    assert "The first 500 of 600 datasets" in text(app)
    for page in ("pages/upload.py", PAGES["Identification"]):
        go_to(app, page)
        (field,) = [one for one in app.text_input if one.label == "Find a dataset"]
        field.set_value("57 set")
        run(app)
        assert sorted(results(app)["dataset"]) == [
            f"Tag set {i:03d}" for i in (57, 157, 257, 357, 457, 557, *range(570, 580))
        ]
        assert "16 of 600 datasets found." in text(app)
    assert go_to(app, PAGES["Counting"]).get("plotly_chart")
    short = b"dataset,ours,base,p_value\nx,2,1,.2\ny,2,1,.1\n"
    drop(go_to(app, "pages/upload.py"), "short.csv", short)
    assert not [one for one in app.text_input if one.label == "Find a dataset"]

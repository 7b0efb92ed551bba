"""Taking in a file: drop, paste, sample, demo, problems, and how it was read."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import pandas as pd
import streamlit as st

from core.data import LAYOUTS, pasted_table
from core.errors import LEFT_OUT, DataError, Finding, rows_choice, told
from core.words.formatting import counted, sentence_case
from pages.ui.frame import limits, prose, state, tables, widgets
from pages.ui.frame.state import Refused, Source
from pages.ui.frame.widgets import GLOSSARY, section
from pages.ui.intake import loading, reading, role_form
from pages.ui.intake.role_form import Question, questions_of
from pages.ui.work import runs

_TOOLS = (
    "lm-evaluation-harness: samples_….jsonl of each model, or results_….json; HELM: "
    "per_instance_stats.json; Inspect: tables of samples; SWE-bench: lists of resolved tasks",
    "Every Eval Ever: records of instances; promptfoo: results.json; LightEval: details_….parquet, "
    "or results_….json; Hugging Face: .eval_results/….yaml and model cards with model-index; "
    "MTEB: a JSON file for each task in a folder of the model",
    "trec_eval -q and ir_measures -q: what they print for each run, one file a run; ranx and "
    "pytrec_eval: scores by query in JSON",
    "sacrebleu and COMET: JSON, what comet-score prints, or the translations and references "
    "themselves; CoNLL-U and CoNLL-2003: "
    "gold and each system's output",
    "evalci, deltagate, autorank, StaTDS, NLPStatTest: their tables, with ids and scores, with "
    "datasets and algorithms, or two columns of scores without a header",
)
# Of many problems these have their remedies beside them; once they are mended, the next ones have.
_MOST_AT_ONCE = 8
_NAME_PASTED, _NAME_TYPED = "pasted table", "typed table"
_COLUMNS = ("dataset", "A", "B", "p_value")
_EMPTY = dict.fromkeys(_COLUMNS, [""] * 5)


def show(*, first: bool) -> None:
    """The ways to load something, with the problems of the last try."""
    reading.lead_to_paper()
    loading.uploader(
        "Drop per-example results, a table of p-values, or a paper (PDF or LaTeX); one file, or several "
        "that belong together",
        kind="upload",
        accept_multiple_files=True,
        max_upload_size=limits.MAX_UPLOAD_MEGABYTES,
    )
    paste()
    if first and st.button("Start the demo", type="primary"):
        state.session().step = 1
        st.switch_page("pages/guide.py")
    prose.paragraph("Or open a published table:")
    loading.sample_buttons(lambda sample: not sample.per_example)
    with st.expander("Simulated samples", key="box-simulated"):
        loading.sample_buttons(loading.per_example)
    section("What files may look like, with a template of each kind", _templates, key="templates")
    prose.paragraph(
        "Your files stay in this browser session's memory: they are not written to disk, sent "
        "anywhere, or kept after you leave.",
        quiet=True,
    )


def _templates() -> None:
    for layout in LAYOUTS:
        prose.paragraph(f"{sentence_case(layout.name)}. {layout.description}")
        name = f"{layout.name.replace(' ', '_').replace(',', '')}.csv"
        tables.file(f"Template: {layout.name}", partial(getattr, layout, "template"), name)
    prose.paragraph(
        "Files of examples may have further columns: covariates, such as an example's 'length' or "
        "'genre', and 'margin', which gives each dataset its margin, such as '0.5 points', for "
        "claims at a margin."
    )
    prose.paragraph(
        "Several files together: one per dataset, named by the file; one per system; or one score per "
        "line in files named dataset.system.txt. Zip and gzip of these, Excel (.xlsx), JSON and "
        "JSON Lines are read as well."
    )
    prose.paragraph("Files of evaluation tools are read as they are, several at once, also mixed:")
    prose.bullets(_TOOLS)
    prose.paragraph(
        "Other files beside them, such as a README, settings or logs, are set aside and named."
    )
    prose.paragraph(limits.in_words(), quiet=True)


def refused() -> None:
    """Every problem of a file that could not be read, with a way to choose its columns."""
    found = state.session().refused
    if found is None:
        return
    problems = found.error.problems
    loaded = state.session().loaded
    stays = f" What was loaded before stays: {loaded.title}." if loaded else ""
    offered = {choice.role for choice in found.error.choices if choice.options}
    # Nothing is wrong with the file, but a question about it is open.
    if all(problem.answered_by in offered for problem in problems):
        n = len({problem.answered_by for problem in problems})
        asked = "One question" if n == 1 else f"{n} questions"
        files = "these files" if len(found.source.files) > 1 else found.source.name
        prose.question(
            f"{asked} before {files} can be read.{stays}",
            told(problems)[: limits.MAX_PROBLEMS_SHOWN],
        )
    else:
        title = (
            f"{found.source.name} could not be read: {counted(len(problems), 'problem')}.{stays}"
        )
        _findings(title, found.error, found.source.roles)
    _questions(found.error, found.source.roles)
    st.button("Dismiss", on_click=setattr, args=(state.session(), "refused", None))
    if found.error.columns:
        with st.expander("Choose the columns by hand", key="box-columns"):
            known = {**found.error.roles, **found.source.roles}
            role_form.show(found.error.columns, known, refused=True)


def _findings(title: str, error: DataError, roles: Mapping[str, object]) -> None:
    """Everything wrong, the most frequent first, each with the buttons that mend it.

    What is asked with a question is asked once, below them all, as rows are left out.
    """
    findings, every_row = error.findings, rows_choice(error.problems)
    by_rows = sum(c.role == LEFT_OUT for finding in findings for c in finding.choices) > 1

    def remedies(finding: Finding) -> list[Question]:
        """Those of one finding alone that were not taken."""
        own = [choice for choice in finding.choices if not choice.question]
        open_ones = [c for c in own if questions_of([c])[0].in_force(roles) is None]
        return questions_of(c for c in open_ones if not (by_rows and c.role == LEFT_OUT))

    mendable = [finding for finding in findings if remedies(finding)]
    others = [finding.text for finding in findings if finding not in mendable[:_MOST_AT_ONCE]]
    prose.problems(title, others)
    if every_row is not None and by_rows:
        ((lines, words),) = every_row.options
        where = f" (lines {lines})" if len(str(lines)) < 30 and not str(lines).isdigit() else ""
        Question("", [(LEFT_OUT, lines, f"{words} with problems{where}")]).ask(key="-all")
    for place, finding in enumerate(mendable[:_MOST_AT_ONCE]):
        with st.container(gap="small"):
            prose.problem(finding.text)
            for remedy in remedies(finding):
                replace(remedy, text=finding.text).ask(key=f"-{place}")
    if len(others) > limits.MAX_PROBLEMS_SHOWN:
        every = "\n".join(finding.text for finding in findings)
        tables.file("Download all problems", lambda: every, "problems.txt")


def _questions(error: DataError, roles: Mapping[str, object]) -> None:
    """The questions that the file leaves open, then those answered; an answer reads it at once."""
    wanted = {problem.answered_by for problem in error.problems}
    # What keeps the file from being read comes first.
    order = sorted(
        questions_of(choice for choice in error.choices if choice.question),
        key=lambda question: question.answers[0][0] not in wanted,
    )
    in_force = [(question, question.in_force(roles)) for question in order]
    for question, place in in_force:
        if place is None:
            prose.paragraph(question.text, strong=True)
            question.ask()
    for question, place in in_force:
        if place is not None:
            question.answered(place)


def exclusions() -> None:
    """Leave datasets out, visibly."""
    datasets = state.all_datasets()
    st.multiselect(
        "Leave datasets out",
        list(datasets),
        # Of as many datasets it is another widget, as its most selections are others.
        **state.choice(
            f"excluded-{len(datasets)}",
            list(state.session().settings.excluded),
            lambda chosen: _leave_out(datasets, set(chosen)),
        ),
        max_selections=max(1, len(datasets) - 1),
        help=GLOSSARY["left out"],
        placeholder="none left out",
    )


def leave_out(names: tuple[str, ...]) -> None:
    """Leave these out beside those that are left out already."""
    _leave_out(state.all_datasets(), {*state.session().settings.excluded, *names})


def _leave_out(datasets: tuple[str, ...], chosen: set[str]) -> None:
    excluded = tuple(name for name in datasets if name in chosen)
    # Streamlit also calls this where other data have brought other choices: nothing was tried then.
    if len(excluded) < len(datasets) and excluded != state.session().settings.excluded:
        state.choose(excluded=excluded)
        # A metric that is not defined there may be defined on all the others.
        runs.run_tests()


def paste() -> None:
    """Two ways without a file: text from anywhere, and a grid."""
    # Its state is kept: where a table is refused, what was pasted stays in sight.
    with st.expander("Paste or type a table", key="paste", on_change="rerun"):
        text, grid = st.tabs(["Paste text", "Type into a grid"])
        with text:
            key = state.of_file("pasted")
            st.text_area(
                "Rows from a spreadsheet, a CSV, a Markdown or LaTeX table, or a paper",
                key=key,
                height=180,
                placeholder="dataset\tours\tbaseline\tp_value\nSST-2\t93.1\t92.4\t.012",
            )
            st.button("Read the pasted table", on_click=_take_text, args=(key,))
        with grid:
            _type_grid(state.of_file("typed"))


def _take_text(key: str) -> None:
    text = state.value(key)
    if text is None:
        # Pressed once more before the page was drawn without what had been read.
        return
    if not text.strip():
        state.remark("There is nothing to read: paste a table first.")
        return
    source = Source(name=_NAME_PASTED, files=((_NAME_PASTED, text.encode("utf-8")),))
    try:
        found = pasted_table(text)
    except DataError as error:
        state.session().refused = Refused(source=source, error=error)
        return
    loading.load_files([(_NAME_PASTED, found.text.encode("utf-8"))])
    state.session().remarks += found.remarks


def _type_grid(key: str) -> None:
    prose.paragraph(
        "One row per dataset: its name, the scores of A and B, and the p-value as printed, such as "
        "0.0018 or <.001. Empty columns are left out. You can paste cells from a "
        "spreadsheet.",
        quiet=True,
    )
    with st.container(horizontal=True):
        names = {
            letter: st.text_input(f"Name of {letter}", value=letter, key=f"{key}-{letter.lower()}")
            for letter in ("A", "B")
        }
    # Text columns: a number column would turn a typed 0,05 into 5 and <.001 into nothing.
    headings = dict(zip(_COLUMNS, ("dataset", "score of A", "score of B", "p-value"), strict=True))
    filled = st.data_editor(
        state.kept(("empty grid",), lambda: pd.DataFrame(_EMPTY)),
        key=f"{key}-grid",
        num_rows="dynamic",
        hide_index=True,
        column_config={
            column: st.column_config.TextColumn(words) for column, words in headings.items()
        },
    )
    if not widgets.clicked("Read this table", key=f"{key}-read"):
        return
    cells = filled.fillna("").astype(str).map(str.strip)
    cells = cells[(cells != "").any(axis=1)]
    if cells.empty:
        state.remark("There is nothing to read: the grid is empty.")
    else:
        kept = [column for column in _COLUMNS if (cells[column] != "").any()]
        called = [names[column].strip() or column if column in names else column for column in kept]
        # Tabs leave the comma to the numbers: 0,05 is then read as typed.
        text = cells[kept].to_csv(sep="\t", header=called, index=False, lineterminator="\n")
        loading.load_files([(_NAME_TYPED, text.encode("utf-8"))])
    st.rerun()

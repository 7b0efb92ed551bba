"""The first page: what was read and how it was matched, the verdict, what to know, shared examples."""

from dataclasses import replace
from functools import partial

import streamlit as st

from core.analysis import Analysis, statements
from core.data import ResultSet
from core.export.bundle_comparison import compare_with_bundle
from core.sections import answers, results
from core.words.formatting import list_names, sentence_case
from core.words.reading import files_sentence, undirected_note
from pages.ui.frame import prose, state, tables
from pages.ui.frame.state import Data
from pages.ui.frame.widgets import section
from pages.ui.intake import drop, role_form
from pages.ui.results import explanations, inputs, parts
from pages.ui.results.analysis import cautions


def answer(analysis: Analysis) -> None:
    """The result: what limits it, the verdict, the table, where to go on."""
    question = analysis.questions[0]
    # However much is said above it, the table stays where it is, and the page does not jump.
    with st.container():
        cautions(analysis)
        _same_as_bundle(analysis)
        card, marks = parts.kept(answers.verdict_parts, analysis)
        # Read by few, it stands below with the notes on the data.
        undirected = undirected_note(analysis.assessment)
        parts.show([replace(card, notes=tuple(note for note in card.notes if note != undirected))])
        inputs.settle(analysis, question)
        if shared := statements.same_ids(analysis):
            prose.paragraph(shared, quiet=True)
            # Texts alone match nothing where only the ids are equal.
            st.button("Count equal ids jointly", on_click=partial(state.choose, joint="example-id"))
        inputs.other_correlation(analysis, question)
        loaded = state.session().loaded
        if loaded is not None and role_form.leaves_sides_open(loaded):
            role_form.sides(analysis.table)
        role_form.direction(analysis.data)
    parts.show([marks])
    with st.container(horizontal=True):
        if analysis.table.n_datasets > 1:
            st.page_link("pages/counting.py", label="How many? →")
            st.page_link("pages/identification.py", label="Which ones? →")
        if isinstance(analysis.data, ResultSet):
            st.page_link("pages/per_dataset_tests.py", label="Each test →")
        st.page_link("pages/report.py", label="For your paper →")


def what_was_read(analysis: Analysis) -> None:
    """One quiet line; in it the notes, shared examples, datasets left out, and how it was read."""
    files(analysis.data)
    read, _, better = parts.kept(statements.in_numbers, analysis).partition("; ")
    with st.expander(prose.label(f"What we read: {read.removesuffix('.')}"), key="box-data"):
        with st.container():
            if better:
                prose.paragraph(sentence_case(better), quiet=True)
            undirected = undirected_note(analysis.assessment)
            # The table's legend says how printed zeros are read.
            said = statements.zeros(analysis)
            remarks = [undirected, *(one for one in statements.remarks(analysis) if one != said)]
            if any(remarks):
                st.header("Notes on your data", anchor=False)
                prose.bullets([*filter(None, remarks)])
            role_form.open_questions(analysis.data)
            shared_examples(analysis)
        drop.exclusions()
        st.header("The data as read", anchor=False)
        if isinstance(analysis.data, ResultSet):
            tables.frame(state.computed(ResultSet.to_frame, analysis.data), height=tables.LOW)
        else:
            parts.show(parts.kept(results.results_parts, analysis))
        role_form.names(analysis.data)
        role_form.how_read(analysis.data)
        explanations.signatures(analysis, analysis.questions[0])


def _same_as_bundle(analysis: Analysis) -> None:
    """Whether the numbers of a bundle came out again, once every test and joint flip is done."""
    loaded = state.session().loaded
    bundle = None if loaded is None else loaded.bundle
    if bundle is None or not analysis.table.complete or analysis.awaits_flips:
        return
    if analysis.settings != bundle.settings:
        prose.paragraph(
            "Restored from a bundle; settings were changed since, so its numbers are not compared.",
            quiet=True,
        )
        return
    comparison = parts.kept(compare_with_bundle, analysis, bundle)
    is_same = comparison.same or comparison.only_last_digits
    say = partial(prose.paragraph, quiet=True) if is_same else prose.notice
    for sentence in comparison.sentences:
        say(sentence)


def files(data: Data) -> None:
    """One sentence, and the tables behind a click; nothing where one table was read."""
    reading = data.reading
    if reading is None or not (reading.files or reading.matched):
        return
    prose.paragraph(files_sentence(reading), quiet=True)
    section(
        "What each file was used for", parts.shown(results.files_parts, reading), key="matching"
    )


def shared_examples(analysis: Analysis) -> None:
    """The finding in a sentence or two; the matrix behind a click."""
    if analysis.table.n_datasets == 1:
        return
    st.header("Do the datasets share examples?", anchor=False)
    overlap = analysis.overlap
    parts.show(results.shared_parts(analysis))
    if overlap is None:
        return
    if overlap.same_scores:
        again = tuple(overlap.datasets[i] for group in overlap.same_scores for i in group[1:])
        st.button(
            prose.label(f"Leave out {list_names(again)}"), on_click=drop.leave_out, args=(again,)
        )
    section("What was compared", parts.shown(results.compared_parts, overlap), key="overlap")

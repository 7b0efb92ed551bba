"""Each file is of one tool or of none, and what tools' files hold becomes one table, matched and reported."""

import json
import weakref
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from core.data.layouts.registry import SCORES_IN_ROWS
from core.data.sources.files import SourceFile
from core.data.tables.limits import Stages
from core.data.tools.gathered import Gathered, Record, Scores, Tool, average, each, scores_of
from core.data.tools.judged_outputs import SWE_BENCH
from core.data.tools.together import Claimed, claim, table_of_tools
from core.data.tools.translation_scores import SACREBLEU_SCORES
from core.errors import Choice, DataError, Problem
from tests.core.data.tools.files_of import nothing_yet


def scores(
    system: str, dataset: str = "rte", examples: Sequence[str] = "12", /, **columns: Sequence[str]
) -> Scores:
    return Scores(
        path=f"{system}/{dataset}.x",
        dataset=dataset,
        system=system,
        examples=list(examples),
        columns=columns or {"acc": ["1"] * len(examples)},
        lines=range(1, len(examples) + 1),
    )


def holding(*found: Scores, **others: Any) -> Gathered:
    return replace(nothing_yet(), scores=[*found], **others)


def yielding(name: str, held: Gathered) -> Tool:
    """A tool whose files hold this, whatever they are."""

    def gather(_: object, gathered: Gathered) -> None:
        gathered.add(held)
        gathered.holds = held.holds

    return Tool(name=name, claims=lambda files, _: range(len(files)), gather=gather)


def together(*each: Gathered, given: dict[str, object] | None = None, rest: Sequence[str] = ()):
    claimed = Claimed(
        by_tool=tuple((yielding("x", one), (SourceFile(name="x", content=b""),)) for one in each),
        rest=tuple(SourceFile(name=name, content=b"a,b\n1,2\n") for name in rest),
    )
    return table_of_tools(claimed, given or {}, Stages())


def refused(*each: Gathered, **named: Any) -> str:
    with pytest.raises(DataError) as caught:
        together(*each, **named)
    return str(caught.value)


def test_all_rows_stand_in_one_table_with_declared_roles():
    found = together(holding(scores("a", acc=["1", "0"]), scores("b", acc=["0", ""])))
    assert found.raw.header == ("dataset", "example", "system", "acc")
    columns = [["rte"] * 4, ["1", "2", "1", "2"], ["a", "a", "b", "b"], ["1", "0", "0", ""]]
    assert [column.to_pylist() for column in found.raw.columns] == columns
    names = {name: name for name in ("dataset", "example", "system")}
    declared = {"layout": SCORES_IN_ROWS, "scores": ("acc",), "metric": "acc"}
    assert found.declared == {**names, **declared}
    assert [found.raw.file_of(row, None) for row in range(4)] == ["a/rte.x"] * 2 + ["b/rte.x"] * 2


def test_what_tools_know_of_directions_is_declared_and_nothing_else():
    held = [scores(name, acc=["1", "0"], odd=["1", "2"]) for name in "ab"]
    found = together(holding(*held, higher_is_better={"odd": False, "other": True}))
    assert found.declared["higher_is_better"] == {"odd": False}


def test_scores_and_counts_are_not_one_table():
    text = refused(
        holding(scores("a"), scores("b")),
        holding(scores("c", total=["1", "1"]), scores("d", total=["1", "1"]), holds="counts"),
    )
    assert "Give files of one kind at a time" in text


def test_repeats_become_a_column_of_runs():
    held = [replace(scores(name, "rte", "1122"), runs=["1", "2"] * 2) for name in "ab"]
    found = together(holding(*held, scores("c")))
    assert found.declared["run"] == "run"
    assert found.raw.columns[3].to_pylist() == ["1", "2"] * 4 + ["1", "1"]


def test_metrics_and_covariates_may_have_the_names_of_columns():
    held = [
        replace(
            scores(name, system=["1", "0"], run=["1", "1"]),
            side={"run": ["x", "y"], "genre": ["p", "q"], "example": ["r", "s"]},
        )
        for name in "ab"
    ]
    found = together(holding(*held))
    assert found.raw.header == (
        "dataset", "example", "system_", "system", "run", "run_", "genre", "example_",
    )  # fmt: skip
    assert found.declared["system"] == "system_"
    assert found.raw.columns[2].to_pylist() == ["a", "a", "b", "b"]
    assert found.raw.columns[5].to_pylist() == ["x", "y"] * 2


def test_one_dataset_of_one_system_in_two_files_is_refused():
    again = replace(scores("a"), path="other/rte.x")
    assert "2 files tell of it for the system 'a': 'a/rte.x', 'other/rte.x'." in refused(
        holding(scores("a"), scores("b")), holding(again)
    )


def test_content_that_differs_is_refused_for_every_pair_of_systems():
    held = [
        replace(scores(name), content=content)
        for name, content in (("a", ["x", "y"]), ("b", ["x", "z"]), ("c", ["x", "y"]), ("d", ()))
    ]
    text = refused(holding(*held))
    assert "'a' and 'b' saw different data" in text
    assert "'2'" in text
    assert "'c'" not in text
    assert "'d'" not in text


def test_one_system_with_different_content_under_one_id_is_refused():
    held = [replace(scores("a", "rte", "11"), content=["x", "y"], runs=["1", "2"]), scores("b")]
    assert "Under one id the system 'a' has different examples" in refused(holding(*held))


def test_examples_are_matched_over_all_systems_and_the_left_over_named():
    found = together(
        holding(scores("a", "rte", "123"), scores("b", "rte", "2345678"), scores("a", "boolq"))
    )
    assert [(m.dataset, m.system, m.n_examples, m.n_matched) for m in found.matched] == [
        ("rte", "a", 3, 2), ("rte", "b", 7, 2), ("boolq", "a", 2, 0),
    ]  # fmt: skip
    assert [m.left_over for m in found.matched] == [
        ("1",), ("4", "5", "6", "7", "8"), ("1", "2"),
    ]  # fmt: skip


def test_files_and_averages_without_the_chosen_metric_are_reported_as_left_aside():
    named = [(s, d, metric) for s in "ab" for d, metric in (("rte", "acc"), ("squad", "em"))]
    means = [average(f"{s}/{d}.x", d, s, {metric: "0.5"}) for s, d, metric in named]
    held = holding(*(scores(s, d, **{metric: ["1", "0"]}) for s, d, metric in named))
    for one in (held, holding(*means)):
        found = together(one, given={"measure": "only:acc"})
        assert [use.used for use in found.files] == [True, False, True, False]
        assert "do not have the metric" in found.files[1].reason
    assert together(held, given={"measure": "only:acc"}).roles == {"measure": "only:acc"}


def test_averages_beside_scores_are_left_aside_with_the_reason():
    mean = average("results.x", "rte", "a", {"acc": "0.5"})
    found = together(holding(scores("a"), scores("b")), holding(mean), rest=["notes.txt"])
    assert [(use.path, use.used) for use in found.files] == [
        ("a/rte.x", True), ("b/rte.x", True), ("results.x", False), ("notes.txt", False),
    ]  # fmt: skip
    assert "averages only" in found.files[2].reason
    assert found.files[3].reason


def test_problems_of_all_tools_are_said_at_once_with_questions_once():
    def failing(name: str):
        def gather(*_: object) -> None:
            raise DataError(
                [Problem(what=name, remedy="")],
                choices=[Choice(role="filter", question="?", options=())],
            )

        return Tool(name=name, claims=lambda files, _: range(len(files)), gather=gather)

    claimed = Claimed(by_tool=((failing("one"), ()), (failing("two"), ())), rest=())
    with pytest.raises(DataError) as caught:
        table_of_tools(claimed, {}, Stages())
    assert [problem.what for problem in caught.value.problems] == ["one", "two"]
    assert len(caught.value.choices) == 1


def test_a_question_answered_before_stays_open_beside_a_new_one():
    choice = Choice(role="filter", question="?", options=(("x", "x"),))
    held = [
        scores(name, d, **{m: ["1", "0"]}) for name in "ab" for d, m in (("r", "f"), ("s", "g"))
    ]
    with pytest.raises(DataError) as caught:
        together(holding(*held, choices=[choice]))
    assert [one.role for one in caught.value.choices] == ["measure", "filter"]


def test_names_that_cannot_be_written_are_refused():
    for name in ["a\x00", "\ud800", " "]:
        own = {name: ["1", "0"]}
        of_metrics = [scores("a", **own), scores("b", **own)]
        for held in ([scores(name), scores("b")], [scores(s, name) for s in "ab"], of_metrics):
            text = refused(holding(*held))
            assert "is not a name" in text, name
            text.encode()


def remarks_of(found: Any) -> str:
    return " ".join(found.raw.remarks)


def test_datasets_of_which_no_file_shows_the_content_are_named_once():
    unseen = [scores(name, dataset) for name in "ab" for dataset in ("rte", "boolq")]
    shown = [replace(scores(name, "mnli"), content=["x", "y"]) for name in "ab"]
    said = remarks_of(together(holding(*unseen), holding(*shown)))
    assert said.count("Nothing shows whether the systems saw the same data") == 1
    assert "by their ids alone on 'rte', 'boolq'." in said
    assert "Nothing shows" not in remarks_of(together(holding(*shown)))


def test_an_example_without_a_score_is_not_matched():
    for nothing in ["", "nan", "None"]:
        a, b = scores("a", "rte", "123", acc=["1", nothing, "0"]), scores("b", "rte", "123")
        found = {one.system: one for one in together(holding(a, b)).matched}
        for system, n_examples, left_over in (("a", 2, ()), ("b", 3, ("2",))):
            one = found[system]
            assert (one.n_examples, one.n_matched, one.left_over) == (n_examples, 2, left_over)


# Names of files that tell neither dataset nor system.
FOLDERS = ("robust04/bm25.json", "robust04/dpr.json", "robust05/bm25.json", "robust05/dpr.json")


def placed(found: Any) -> set[tuple[str, str]]:
    columns = dict(zip(found.raw.header, found.raw.columns, strict=True))
    return set(zip(columns["dataset"].to_pylist(), columns["system"].to_pylist(), strict=True))


def test_folders_that_may_be_datasets_or_systems_are_asked_about_and_read_as_answered():
    held = holding(*(replace(scores("", "tasks"), path=path) for path in FOLDERS))
    with pytest.raises(DataError) as caught:
        together(held)
    (choice,) = caught.value.choices
    assert choice.role == "name_order"
    grid = {(d, s) for d in ("robust04", "robust05") for s in ("bm25", "dpr")}
    turned = {(s, d) for d, s in grid}
    for order, expected in (("dataset, system", grid), ("system, dataset", turned)):
        found = together(held, given={"name_order": order})
        assert placed(found) == expected
        assert found.roles["name_order"] == order
        assert "name_order" in {one.role for one in found.choices}


def test_other_json_is_not_taken_for_a_tools() -> None:
    issues = json.dumps({str(i): {"title": "x", "resolved": True} for i in range(5)})
    for tool, contents in [
        (SACREBLEU_SCORES, ['{"name": "BERT", "score": 1.0}']),
        (SACREBLEU_SCORES, ['[{"system": "a", "accuracy": 1.0}]']),
        (SACREBLEU_SCORES, ['[{"name": "x", "BLEU": 1.0}]']),
        # Other records that were resolved, and outcomes that are rows or scores.
        (SWE_BENCH, [issues]),
        (SWE_BENCH, ['{"A": true, "B": false}']),
        (SWE_BENCH, ['{"A": true, "B": false}\n{"A": true, "B": true}'] * 2),
        (SWE_BENCH, ['{"dataset": "x", "A": true, "B": false}'] * 2),
        (SWE_BENCH, ['{"x": {"A": [1, 0], "B": [0, 1]}}']),
        (SWE_BENCH, ['{"A": 1, "B": 0}'] * 2),
        (SWE_BENCH, ['{"data": {"resolved": ["a"]}}']),
        (SWE_BENCH, ["a,resolved\nx,1\n"]),
    ]:
        files = [SourceFile(name=f"{i}.json", content=c.encode()) for i, c in enumerate(contents)]
        assert claim(files, {}, tools=(tool,)).by_tool == (), contents


def test_the_first_tool_that_claims_a_file_has_it() -> None:
    def unread(*_: object) -> None:
        raise AssertionError

    files = [SourceFile(name=name, content=name.encode()) for name in ("x1", "y1", "z1")]
    by_x = Tool(name="x", claims=each(lambda _, head: head.startswith(b"x")), gather=unread)
    by_place = Tool(name="y", claims=lambda *_: [0], gather=unread)
    claimed = claim(files, {}, tools=(by_x, by_place))
    assert [(tool.name, [file.name for file in own]) for tool, own in claimed.by_tool] == [
        ("x", ["x1"]), ("y", ["y1"]),
    ]  # fmt: skip
    assert [file.name for file in claimed.rest] == ["z1"]


class Cells(dict[str, str]):
    """The cells of one record, of which it can be told whether something still holds them."""


def test_records_become_columns_one_by_one_and_are_not_kept() -> None:
    made: list[weakref.ref[Cells]] = []

    def records() -> Iterator[Record]:
        for line in range(1, 101):
            cells = Cells(acc="1") if line <= 90 else Cells(f1=".5")
            made.append(weakref.ref(cells))
            yield Record("rte", "ab"[line % 2], str(line), line, cells, content=f"text {line}")
            del cells
            assert sum(ref() is not None for ref in made) < 5

    b, a = scores_of("x.json", records())
    assert (a.system, b.system) == ("a", "b")
    assert b.columns == {"acc": ["1"] * 45 + [""] * 5, "f1": [""] * 45 + [".5"] * 5}
    assert list(a.lines) == list(range(2, 101, 2))
    assert a.content[-1] == "text 100"
    assert not a.targets
    assert not a.runs

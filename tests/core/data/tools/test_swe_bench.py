"""Which tasks were resolved, written after SWE-bench's source (4.0) and its experiments' results.

Reports as `make_run_report` of `swebench/harness/reporting.py` writes them, in a file called by
model and run; `results/results.json` of the experiments repository lists resolved tasks and those
without generation or logs. Plain maps of tasks to true or false have no source.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from core.data import ResultSet
from core.data.sources.given import SourceFile
from core.data.tools.swe_bench import claims
from tests.core.data.tools.files_of import read, refused

TASKS = [*(f"django__django-{i}" for i in range(5)), *(f"psf__requests-{i}" for i in range(3))]


def report(
    resolved: list[str], unresolved: list[str], empty: list[str], errors: list[str], left: list[str]
) -> str:
    sent = [*resolved, *unresolved, *empty, *errors]
    return json.dumps(
        {
            "total_instances": len(sent) + len(left),
            "submitted_instances": len(sent),
            "completed_instances": len(resolved) + len(unresolved),
            "resolved_instances": len(resolved),
            "completed_ids": sorted([*resolved, *unresolved]),
            "incomplete_ids": left,
            "empty_patch_ids": empty,
            "submitted_ids": sorted(sent),
            "resolved_ids": resolved,
            "unresolved_ids": unresolved,
            "error_ids": errors,
            "schema_version": 2,
        },
        indent=4,
    )


def results_json(*resolved: str) -> str:
    return json.dumps({"no_generation": [], "no_logs": [], "resolved": resolved}, indent=2)


def by_task(results: Any, system: str) -> dict[str, float]:
    (dataset,) = results.datasets
    ids = results.example_ids[0].to_pylist()
    return dict(zip(ids, results.scores(dataset, system).tolist(), strict=True))


def test_a_report_says_1_of_what_it_lists_as_resolved_and_0_of_what_else_was_submitted():
    a = report(TASKS[:3], TASKS[3:6], TASKS[6:7], TASKS[7:], [])
    b = report(TASKS[2:5], [*TASKS[:2], *TASKS[5:]], [], [], [])
    results = read({"gpt-4.run1.json": a, "claude-3.5.run1.json": b})
    assert isinstance(results, ResultSet)
    assert results.reading is not None
    assert (results.datasets, results.systems) == (("SWE-bench",), ("gpt-4", "claude-3.5"))
    assert by_task(results, "gpt-4") == {task: float(task in TASKS[:3]) for task in TASKS}
    assert by_task(results, "claude-3.5") == {task: float(task in TASKS[2:5]) for task in TASKS}
    assert results.reading.roles["metric"] == "resolved"
    assert results.reading.roles["covariates"] == ("repository",)
    assert [(use.kind, use.content) for use in results.reading.files] == [
        ("SWE-bench report", "3 of 8 tasks resolved")
    ] * 2
    assert [m.n_matched for m in results.reading.matched] == [8, 8]


def test_tasks_that_were_not_submitted_are_unknown_and_asked_about():
    a = report(TASKS[:3], TASKS[3:6], [], [], TASKS[6:])
    b = report(TASKS[2:5], [*TASKS[:2], *TASKS[5:]], [], [], [])
    files: dict[str, str | bytes] = {"a.json": a, "b.json": b}
    error = refused(files)
    assert [choice.role for choice in error.choices] == ["incomplete"]
    assert "'psf__requests-1', 'psf__requests-2'" in str(error)
    results = read(files, roles={"incomplete": "leave-out"})
    assert list(by_task(results, "a")) == TASKS[:6]
    said = "'a.json' does not say whether 2 of 8 tasks of 'SWE-bench' were resolved"
    assert any(said in remark for remark in results.reading.remarks)
    (left,) = [m for m in results.reading.matched if m.system == "b"]
    assert (left.n_examples, left.n_matched, left.left_over) == (8, 6, tuple(TASKS[6:]))


def test_results_that_list_successes_only_are_completed_by_each_other():
    folders = ("evaluation/verified/20240101_a", "evaluation/verified/20240202_b")
    first, second = results_json(*TASKS[:3]), results_json(TASKS[0], TASKS[5])
    results = read(
        {
            f"{folder}/results/results.json": own
            for folder, own in zip(folders, (first, second), strict=True)
        }
    )
    assert results.systems == ("20240101_a", "20240202_b")
    assert by_task(results, "20240202_b") == {
        TASKS[0]: 1.0,
        TASKS[1]: 0.0,
        TASKS[2]: 0.0,
        TASKS[5]: 1.0,
    }
    (remark,) = [r for r in results.reading.remarks if "tried without success" in r]
    assert "the 4 tasks of 'SWE-bench'" in remark


def test_folders_of_splits_are_datasets():
    results = read(
        {
            f"{split}/{system}/results/results.json": results_json(*own)
            for split, offset in (("lite", 0), ("verified", 4))
            for system, own in (
                ("a", TASKS[offset : offset + 2]),
                ("b", TASKS[offset + 1 : offset + 4]),
            )
        }
    )
    assert (results.datasets, results.systems) == (("lite", "verified"), ("a", "b"))
    assert results.scores("lite", "a").tolist() == [1, 1, 0, 0]


def test_maps_of_tasks_are_a_system_a_file_and_null_is_missing():
    a = {task: i % 2 == 0 for i, task in enumerate(TASKS)}
    b = {task: i % 3 == 0 for i, task in enumerate(TASKS)}
    results = read({"a.json": json.dumps(a, indent=1), "b.json": json.dumps(b)})
    assert results.systems == ("a", "b")
    assert by_task(results, "b") == {task: float(own) for task, own in b.items()}
    error = refused(
        {"a.json": json.dumps({**a, TASKS[3]: None}, indent=1), "b.json": json.dumps(b)}
    )
    (problem,) = error.problems
    assert (problem.what, problem.file, problem.line) == ("There is no score.", "a.json", 5)


def test_a_map_of_several_systems_is_read_either_way_round():
    a = {task: i % 2 == 0 for i, task in enumerate(TASKS)}
    b = {task: i % 3 == 0 for i, task in enumerate(TASKS)}
    outside = read({"all.json": json.dumps({"a": a, "b": b})})
    turned = {task: {"a": a[task], "b": b[task]} for task in TASKS}
    inside = read({"all.json": json.dumps(turned)})
    assert outside.systems == inside.systems == ("a", "b")
    assert by_task(outside, "a") == by_task(inside, "a") == {t: float(own) for t, own in a.items()}
    assert not outside.reading.choices


def truth(i: int) -> bool:
    return i % 3 == 0


def test_where_names_tell_nothing_and_numbers_are_alike_it_is_asked_which_are_systems():
    grid = {"x": {"p": True, "q": False, "r": True}, "y": {"p": False, "q": False, "r": True}}
    error = refused({"all.json": json.dumps(grid)})
    assert [choice.role for choice in error.choices] == ["name_order"]
    assert "2 outer names, such as 'x', 'y', and 3 inner ones" in str(error)
    results = read({"all.json": json.dumps(grid)}, roles={"name_order": "system, dataset"})
    assert (results.datasets, results.systems) == (("tasks",), ("x", "y"))
    assert results.reading.choices == error.choices
    again = read({"all.json": json.dumps(grid)}, roles=dict(results.reading.roles))
    assert again.fingerprint == results.fingerprint
    turned = read({"all.json": json.dumps(grid)}, roles={"name_order": "dataset, system"})
    assert turned.systems == ("p", "q", "r")
    assert by_task(turned, "p") == {"x": 1.0, "y": 0.0}


@pytest.mark.parametrize("systems_inside", [True, False])
def test_where_names_tell_nothing_the_far_fewer_are_systems_and_a_choice_turns_them(
    systems_inside: bool,
):
    a, b = ({f"q{i}": truth(i + shift) for i in range(50)} for shift in (0, 1))
    grid: dict[str, Any] = {"A": a, "B": b}
    if systems_inside:
        grid = {name: {"A": a[name], "B": b[name]} for name in a}
    results = read({"all.json": json.dumps(grid)})
    assert results.systems == ("A", "B")
    assert by_task(results, "B") == {name: float(own) for name, own in b.items()}
    assert [choice.role for choice in results.reading.choices] == ["name_order"]
    names = "inner" if systems_inside else "outer"
    assert any(f"The {names} names of the JSON" in remark for remark in results.reading.remarks)


def of_task(i: int, **more: Any) -> dict[str, Any]:
    """What `get_eval_report` of `swebench/harness/grading.py` says of one task."""
    return {
        "patch_is_None": False,
        "patch_exists": True,
        "patch_successfully_applied": True,
        "resolved": truth(i),
        **more,
    }


def test_flags_of_each_task_are_no_systems_and_the_file_is_one():
    files = {
        f"{model}.json": json.dumps({t: of_task(i + shift) for i, t in enumerate(TASKS)})
        for model, shift in (("gpt4", 0), ("claude", 1))
    }
    results = read(files)
    assert (results.systems, results.metrics) == (("gpt4", "claude"), ("resolved",))
    assert by_task(results, "claude") == {t: float(truth(i + 1)) for i, t in enumerate(TASKS)}
    assert "of one system" in str(refused({"gpt4.json": files["gpt4.json"]}))


def test_a_report_for_each_task_is_put_together_by_the_folder_of_its_model():
    tests = {"FAIL_TO_PASS": {"success": [], "failure": ["test_a"]}}
    files = {
        f"logs/run_evaluation/run1/{model}/{task}/report.json": json.dumps(
            {task: of_task(i + shift, tests_status=tests)}
        )
        for model, shift in (("gpt4", 0), ("claude", 1))
        for i, task in enumerate(TASKS)
    }
    results = read(files)
    assert (results.datasets, results.systems) == (("SWE-bench",), ("gpt4", "claude"))
    assert by_task(results, "gpt4") == {t: float(truth(i)) for i, t in enumerate(TASKS)}
    assert [use.path for use in results.reading.files if use.used] == [
        path.removeprefix("logs/run_evaluation/run1/") for path in files
    ]
    first = {path: own for path, own in files.items() if "gpt4" in path}
    assert "of one system" in str(refused(first))
    # A system whose patch was empty has no report on the task, which is no failure yet.
    del files[f"logs/run_evaluation/run1/claude/{TASKS[2]}/report.json"]
    assert [choice.role for choice in refused(files).choices] == ["incomplete"]


def test_one_name_that_each_task_has_is_the_metric_and_the_file_the_system():
    files = {
        f"{name}.json": json.dumps({f"q{i}": {"correct": truth(i + shift)} for i in range(40)})
        for name, shift in (("BERT", 0), ("GPT", 1))
    }
    results = read(files)
    assert (results.systems, results.metrics) == (("BERT", "GPT"), ("correct",))
    assert by_task(results, "GPT") == {f"q{i}": float(truth(i + 1)) for i in range(40)}
    own = {
        f"{name}.json": json.dumps({f"q{i}": {name: truth(i)} for i in range(40)})
        for name in ("BERT", "GPT")
    }
    assert read(own).systems == ("BERT", "GPT")


def test_several_things_said_of_each_task_are_refused_with_the_remedy_and_no_idle_question():
    content = json.dumps({f"q{i}": {"correct": truth(i), "valid": True} for i in range(40)})
    error = refused({"BERT.json": content, "GPT.json": content})
    assert "2 files tell of the same systems, 'correct', 'valid'" in str(error)
    assert "{task: true or false}" in str(error)
    assert error.choices == ()


def test_one_flat_map_alone_is_one_system_and_not_as_many_as_it_has_names():
    error = refused({"A.json": json.dumps({f"q{i}": truth(i) for i in range(20)})})
    assert "of one system, 'A'; a comparison needs two" in str(error)


def test_other_records_that_were_resolved_are_no_report():
    held = {str(i): {"title": "x", "resolved": True} for i in range(5)}
    assert claims([SourceFile(name="issues.json", content=json.dumps(held).encode())]) == []


def test_contradictions_and_names_given_twice_are_refused():
    both = report(TASKS[:3], TASKS[2:], [], [], [])
    other = report(TASKS[:4], TASKS[4:], [], [], [])
    error = refused({"a.json": both, "b.json": other})
    (problem,) = error.problems
    assert "'django__django-2' is listed as resolved and as not resolved" in problem.what
    assert problem.file == "a.json"
    assert both.split("\n")[(problem.line or 0) - 1].strip().strip('",') == "django__django-2"
    twice = refused({"a.json": '{"x": true, "x": false}', "b.json": '{"x": true}'})
    assert "The name 'x' stands twice" in str(twice)
    nested = refused({"a.json": other.replace('"django__django-0"', '["x"]', 1), "b.json": other})
    assert "holds something else than text" in str(nested)


def test_one_file_of_one_system_is_refused_with_the_remedy():
    for content in (
        report(TASKS[:3], TASKS[3:], [], [], []),
        json.dumps(dict.fromkeys(TASKS, True)),
    ):
        error = refused({"a.json": content})
        assert "of one system" in str(error)


def test_a_truncated_report_is_named_with_its_line():
    cut = report(TASKS[:3], TASKS[3:], [], [], [])[:-60]
    error = refused({"a.json": cut, "b.json": report(TASKS[:4], TASKS[4:], [], [], [])})
    (problem,) = error.problems
    assert (problem.file, problem.line) == ("a.json", cut.count("\n") + 1)


@pytest.mark.parametrize(
    "contents",
    [
        ['{"A": true, "B": false}'],
        ['{"A": true, "B": false}\n{"A": true, "B": true}'] * 2,
        ['{"dataset": "x", "A": true, "B": false}'] * 2,
        ['{"x": {"A": [1, 0], "B": [0, 1]}}'],
        ['{"A": 1, "B": 0}'] * 2,
        ['{"data": {"resolved": ["a"]}}'],
        ["a,resolved\nx,1\n"],
    ],
)
def test_other_files_are_left_to_other_readers(contents):
    files = [SourceFile(name=f"{i}.json", content=c.encode()) for i, c in enumerate(contents)]
    assert claims(files) == []


def test_a_value_that_is_neither_true_nor_false_is_named_beside_other_maps():
    told = dict.fromkeys(TASKS, True)
    error = refused({"a.json": json.dumps(told), "b.json": json.dumps({**told, "x": "timeout"})})
    (problem,) = error.problems
    assert problem.file == "b.json"
    assert "not every value" in problem.what.lower()
    assert "'x'" in problem.what


@pytest.mark.parametrize(
    "content",
    [results_json(), '{"resolved": []}', report([], [], [], [], TASKS)],
    ids=["results", "bare", "nothing submitted"],
)
def test_reports_that_list_no_instance_are_told_to_be_such(content: str):
    error = refused({"a/results.json": content, "b/results.json": content})
    (problem,) = error.problems
    assert problem.what.startswith(
        "Reports of SWE-bench in which no instance is listed, as resolved or as tried: "
        "'a/results.json', 'b/results.json'."
    )
    assert '"submitted_ids"' in problem.remedy


def test_a_split_of_which_nothing_is_listed_is_not_dropped_in_silence():
    files: dict[str, str | bytes] = {
        f"{split}/{system}/results.json": results_json(*own)
        for split, own in (("lite", ()), ("verified", TASKS[:2]))
        for system in "ab"
    }
    assert "'lite/a/results.json', 'lite/b/results.json'" in str(refused(files))

"""Which tasks were resolved, written after SWE-bench's source (4.0) and its experiments' results.

Reports as `make_run_report` of `swebench/harness/reporting.py` writes them, in a file called by
model and run; `results/results.json` of the experiments repository lists resolved tasks and those
without generation or logs. Plain maps of tasks to true or false have no source.
"""

from __future__ import annotations

import json

from core.data.sources.given import SourceFile
from core.data.tools.swe_bench import claims

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


def test_other_records_that_were_resolved_are_no_report():
    held = {str(i): {"title": "x", "resolved": True} for i in range(5)}
    assert claims([SourceFile(name="issues.json", content=json.dumps(held).encode())]) == []


def test_other_files_are_left_to_other_readers():
    for contents in [
        ['{"A": true, "B": false}'],
        ['{"A": true, "B": false}\n{"A": true, "B": true}'] * 2,
        ['{"dataset": "x", "A": true, "B": false}'] * 2,
        ['{"x": {"A": [1, 0], "B": [0, 1]}}'],
        ['{"A": 1, "B": 0}'] * 2,
        ['{"data": {"resolved": ["a"]}}'],
        ["a,resolved\nx,1\n"],
    ]:
        files = [SourceFile(name=f"{i}.json", content=c.encode()) for i, c in enumerate(contents)]
        assert claims(files) == [], contents

"""Files that only look like a tool's are left to other readers, and each file is of one tool."""

from __future__ import annotations

import json

from core.data.sources.given import SourceFile
from core.data.tools.gathered import Tool
from core.data.tools.sacrebleu_scores import SACREBLEU_SCORES
from core.data.tools.swe_bench import SWE_BENCH
from core.data.tools.together import claim


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
        assert claim(files, (tool,)).by_tool == (), contents


def test_the_first_tool_that_claims_a_file_has_it() -> None:
    def unread(*_: object) -> None:
        raise AssertionError

    files = [SourceFile(name=name, content=name.encode()) for name in ("x1", "y1", "z1")]
    by_x = Tool(name="x", is_of=lambda file, head: head.startswith(b"x"), gather=unread)
    by_place = Tool(name="y", is_of=lambda *_: True, gather=unread, claims=lambda files: [0])
    claimed = claim(files, (by_x, by_place))
    assert [(tool.name, [file.name for file in own]) for tool, own in claimed.by_tool] == [
        ("x", ["x1"]), ("y", ["y1"]),
    ]  # fmt: skip
    assert [file.name for file in claimed.rest] == ["z1"]

"""What sacrebleu 2.6 prints as JSON.

Made by sacrebleu itself where it is installed (`Score.format` of `metrics/base.py`), and written
after `print_results_table` of `utils.py`: scores of several systems as text, those of paired tests
as `Result` of `significance.py`.
"""

from __future__ import annotations

import json
from typing import Any

from core.data.sources.given import SourceFile
from core.data.tools.sacrebleu_scores import is_of


def table(*rows: tuple[str, dict[str, Any]]) -> str:
    return json.dumps([{"system": name, **own} for name, own in rows], indent=4)


def result(score: float, p_value: float | None = None) -> dict[str, Any]:
    return {"score": score, "p_value": p_value, "mean": None, "ci": None}


def paired(baseline: float, system: float, p_value: float, name: str = "new.txt") -> str:
    return table(
        ("Baseline: base.txt", {"BLEU": result(baseline), "TER": result(90 - baseline)}),
        (name, {"BLEU": result(system, p_value), "TER": result(90 - system, p_value / 2)}),
    )


def test_other_json_is_not_taken_for_sacrebleu():
    for content in (
        b'{"name": "BERT", "score": 1.0}',
        b'[{"system": "a", "accuracy": 1.0}]',
        b'[{"name": "x", "BLEU": 1.0}]',
    ):
        assert not is_of(SourceFile(name="a.json", content=content), content)

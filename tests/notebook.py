"""The tutorial, executed: ``python -m tests.notebook`` writes its outputs anew, a test compares.

Cells run here as Python runs them, with what a notebook shows of the last line's value.
"""

import ast
import copy
import json
from pathlib import Path
from typing import Any

TUTORIAL = Path(__file__).resolve().parents[1] / "sample_data" / "tutorial.ipynb"
_PLOTLY = "application/vnd.plotly.v1+json"


def stored() -> dict[str, Any]:
    """The notebook as it lies there."""
    notebook: dict[str, Any] = json.loads(TUTORIAL.read_text(encoding="utf-8"))
    return notebook


def executed(notebook: dict[str, Any]) -> dict[str, Any]:
    """The notebook with the outputs that its cells have now, run with the package as it is here."""
    made, names = copy.deepcopy(notebook), dict[str, Any]()
    count = 0
    for cell in made["cells"]:
        if cell["cell_type"] != "code":
            continue
        count += 1
        source = cell["source"].replace("from replicability import", "from core import")
        *statements, last = ast.parse(source).body
        exec(compile(ast.Module(statements, []), cell["id"], "exec"), names)
        assert isinstance(last, ast.Expr), f"The cell {cell['id']} ends without a value."
        value = eval(compile(ast.Expression(last.value), cell["id"], "eval"), names)  # noqa: S307
        cell["execution_count"] = count
        cell["outputs"] = [
            {
                "output_type": "execute_result",
                "execution_count": count,
                "metadata": {},
                "data": _shown(value),
            }
        ]
    return made


def _shown(value: Any) -> dict[str, Any]:
    if hasattr(value, "to_plotly_json"):
        return {_PLOTLY: json.loads(value.to_json())}
    return {"text/html": value._repr_html_()}


def tables(notebook: dict[str, Any]) -> list[str]:
    """What each cell shows as HTML; of a chart the kinds of its traces."""
    data = [cell["outputs"][0]["data"] for cell in notebook["cells"] if cell["cell_type"] == "code"]
    return [
        str([trace["type"] for trace in each[_PLOTLY]["data"]])
        if _PLOTLY in each
        else each["text/html"]
        for each in data
    ]


def main() -> None:
    """Execute it and write it."""
    text = json.dumps(executed(stored()), ensure_ascii=False, indent=1)
    TUTORIAL.write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()

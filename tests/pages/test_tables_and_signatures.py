"""What stands beside a table on a telephone, and over a line that reproduces a result."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest


def written(app: AppTest) -> list[str]:
    return [element.proto.body for element in app.get("html")]


def test_a_table_without_some_values_or_any_has_a_width() -> None:
    def script() -> None:
        import pandas as pd

        from pages.ui.frame import tables

        tables.frame(pd.DataFrame({"dataset": []}))
        tables.frame(pd.DataFrame({"dataset": ["x", None], "score": [0.5, float("nan")]}))

    app = AppTest.from_function(script).run()
    assert not app.exception
    assert len(app.dataframe) == 2

"""What stands beside a table on a telephone, and over a line that reproduces a result."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from tests.pages.opened import go_to, open_app, open_details, when_tested

# Where a page's signature stands among its details.
DETAILS = {
    "pages/per_dataset_tests.py": ("tests", "Copy"),
    "pages/counting.py": ("counting", "Copy"),
    "pages/identification.py": ("identification", "Copy"),
    "pages/effect_size.py": ("effect", "Signature"),
}


def written(app: AppTest) -> list[str]:
    return [element.proto.body for element in app.get("html")]


def test_a_signature_says_what_it_is() -> None:
    app = when_tested(open_app(sample="simulated-accuracy"))
    for page in DETAILS:
        open_details(go_to(app, page), *DETAILS[page])
        signatures = [code.value for code in app.code if "|v:" in code.value]
        said = [body for body in written(app) if "Signature: reproduces " in body]
        assert len(said) == len(signatures) > 0, page
        # Where there are several, each says which result is its own.
        assert len(set(said)) == len(said), page


def wide_and_narrow(n_columns: int) -> AppTest:
    def script(n_columns: int) -> None:
        import pandas as pd

        from pages.ui.frame import tables

        tables.frame(pd.DataFrame({f"column {i}": ["0.123"] for i in range(n_columns)}))

    return AppTest.from_function(script, args=(n_columns,)).run()


def test_only_a_table_that_is_wider_than_a_telephone_says_that_it_scrolls() -> None:
    assert written(wide_and_narrow(2)) == []
    (said,) = written(wide_and_narrow(12))
    assert "This table scrolls sideways: it has 12 columns." in said


def test_a_table_without_some_values_or_any_has_a_width() -> None:
    def script() -> None:
        import pandas as pd

        from pages.ui.frame import tables

        tables.frame(pd.DataFrame({"dataset": []}))
        tables.frame(pd.DataFrame({"dataset": ["x", None], "score": [0.5, float("nan")]}))

    app = AppTest.from_function(script).run()
    assert not app.exception
    assert len(app.dataframe) == 2

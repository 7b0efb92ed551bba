"""The app opened without a browser, and what a reader finds on it."""

import html
import re
from collections.abc import Iterable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, TypeVar

import pandas as pd
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Button, Html, Radio, Selectbox, TextInput

from core.types import Dependence

_AnyWidget = TypeVar("_AnyWidget", Button, Radio, Selectbox, TextInput)

ROOT = Path(__file__).resolve().parents[2]
PAGES = {"Counting": "pages/counting.py", "Identification": "pages/identification.py"}


def open_app(**parameters: str) -> AppTest:
    """The first page, opened by a link with these parameters."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=30)
    for name, text in parameters.items():
        app.query_params[name] = text
    return run(app)


def run(app: AppTest) -> AppTest:
    """Run the app, which must not fail in a way that nobody expected."""
    app.run()
    assert not app.exception, [found.value for found in app.exception]
    assert not app.error, [found.value for found in app.error]
    return app


def go_to(app: AppTest, page: str) -> AppTest:
    app.switch_page(page)
    return run(app)


def open_details(app: AppTest, page: str, tab: str) -> AppTest:
    """Open one of a page's details, now and whenever the page is opened."""
    app.session_state[f"section-{page}"] = True
    app.session_state[f"details-{page}"] = tab
    return run(app)


def drop(app: AppTest, name: str, content: bytes) -> AppTest:
    app.file_uploader[0].upload(name, content, "text/csv")
    return run(app)


def drop_all(app: AppTest, files: dict[str, bytes]) -> AppTest:
    """Drop several files at once."""
    app.file_uploader[0].set_value([(n, content, "text/csv") for n, content in files.items()])
    return run(app)


def results_on_examples(n_datasets: int, n_examples: int) -> bytes:
    """Outcomes of two systems on many datasets, which are not all alike."""
    rows = (
        f"dataset {i},{j},{(i * 7 + j * 3) % 10 > 3:d},{(i + j * j) % 10 > 4:d}\n"
        for i in range(n_datasets)
        for j in range(n_examples)
    )
    return f"dataset,example,ours,base\n{''.join(rows)}".encode()


def when_tested(app: AppTest) -> AppTest:
    """The page once all tests and other work that were started have ended."""
    session = app.session_state["dashboard"]
    for started in (*session.runs.values(), *session.work.values()):
        assert started.wait(60)
    return run(app)


def _texts(app: AppTest) -> list[str]:
    found: list[str] = []
    for element in app.get("html"):
        assert isinstance(element, Html)
        # What is kept on one line is no word of its own.
        unbroken = re.sub(
            "<span style='white-space:nowrap'>(.*?)</span>", r"\1", element.proto.body
        )
        found.append(unbroken)
    return found


def _plain(markup: str) -> str:
    return " ".join(html.unescape(re.sub("<[^>]+>", " ", markup)).split())


def text(app: AppTest) -> str:
    """All sentences of the page and the sidebar, and what folded parts are called."""
    return "\n".join([*map(_plain, _texts(app)), *(one.label for one in app.expander)])


class _Element(HTMLParser):
    """Collects the text of each element of one class."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name
        self._depth = 0
        self.found: list[list[str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "br":
            return
        if self._depth:
            self._depth += 1
        elif self._name in (dict(attrs).get("class") or "").split():
            self._depth = 1
            self.found.append([])

    def handle_endtag(self, tag: str) -> None:
        if self._depth and tag != "br":
            self._depth -= 1

    def handle_data(self, data: str) -> None:
        if self._depth:
            self.found[-1].append(data)


def of_class(app: AppTest, name: str) -> list[str]:
    """The text of each element with a class."""
    texts = []
    for markup in _texts(app):
        parser = _Element(name)
        parser.feed(markup)
        texts += [" ".join(" ".join(parts).split()) for parts in parser.found]
    return texts


class _Table(HTMLParser):
    """Collects the rows of the table of results, the headings first, without the small print."""

    def __init__(self) -> None:
        super().__init__()
        self._small = False
        self.rows: list[list[str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "tr":
            self.rows.append([])
        elif tag in ("th", "td"):
            self.rows[-1].append("")
        self._small = tag == "small"

    def handle_data(self, data: str) -> None:
        if not self._small:
            self.rows[-1][-1] = " ".join([*self.rows[-1][-1].split(), *data.split()])


def results(app: AppTest) -> pd.DataFrame:
    """The table of results by dataset, as text; the systems' scores under A and B."""
    (markup,) = [one for one in _texts(app) if "class='results" in one]
    parser = _Table()
    parser.feed(markup[markup.index("<table") :])
    head, *rows = parser.rows
    return pd.DataFrame(
        rows,
        columns=[
            name[:1] if name[:2] in ("A ", "B ") and "−" not in name else name for name in head
        ],
    )


def frame_with(app: AppTest, column: str) -> pd.DataFrame:
    """The first table with this column."""
    found = next(shown.value for shown in app.dataframe if column in shown.value)
    assert isinstance(found, pd.DataFrame)
    return found


def answer(app: AppTest) -> str:
    """The sentence that answers, on whichever page, once all tests that were started have ended.

    The app itself waits for a moment only, which a busy machine may need for something else.
    """
    if any(not started.finished for started in app.session_state["dashboard"].runs.values()):
        when_tested(app)
    return answer_so_far(app)


def answer_so_far(app: AppTest) -> str:
    """The sentence that answers while tests may still be running."""
    (sentence,) = of_class(app, "verdict-sentence") or of_class(app, "lead")
    return sentence


def problems(app: AppTest) -> list[str]:
    """What is said to be wrong with a file, the title first."""
    mendable = [_plain(markup) for markup in _texts(app) if "class='problem'" in markup]
    listed = _listed(app, "problems")
    return [*listed, *mendable] if listed else []


def question(app: AppTest) -> list[str]:
    """What a file leaves open before it can be read, the title first; nothing is wrong then."""
    return _listed(app, "question")


def _listed(app: AppTest, name: str) -> list[str]:
    """Title and items of the only list of a class, if any."""
    found = [markup for markup in _texts(app) if f"class='{name}'" in markup]
    if not found:
        return []
    (markup,) = found
    title = markup.partition("<ul")[0]
    return [_plain(title), *map(_plain, re.findall("<li[^>]*>(.*?)</li>", markup))]


def button(app: AppTest, label: str) -> Button:
    (found,) = [one for one in app.button if one.label == label]
    return found


def press(app: AppTest, label: str) -> AppTest:
    button(app, label).click()
    return run(app)


def load_sample(app: AppTest, key: str) -> AppTest:
    app.button(key=f"sample-{key}").click()
    return run(app)


def alpha_field(app: AppTest) -> TextInput:
    (found,) = [one for one in app.text_input if one.label == "Level α"]
    return found


def of_file(app: AppTest, key: str) -> str:
    """The key of a widget about what is loaded, or about its files."""
    current = app.session_state["dashboard"]
    of_files = f"files-{current.n_files}-{key}"
    return of_files if of_files in app.session_state else f"file-{current.n_loaded}-{key}"


def shown_alpha(app: AppTest) -> float:
    return float(alpha_field(app).value or "nan")


def set_alpha(app: AppTest, alpha: float) -> AppTest:
    alpha_field(app).set_value(f"{alpha:g}")
    return run(app)


def dependence_radio(app: AppTest) -> Radio[Any]:
    (found,) = [one for one in app.radio if one.label.startswith("May the datasets depend")]
    return found


def set_dependence(app: AppTest, dependence: Dependence) -> AppTest:
    dependence_radio(app).set_value(dependence)
    return run(app)


def leave_out(app: AppTest, *datasets: str) -> AppTest:
    (found,) = [one for one in app.multiselect if one.label == "Leave datasets out"]
    found.set_value(list(datasets))
    return run(app)


def held_in_browser(app: AppTest) -> WidgetStates:
    """What a browser sends of all widgets until it has drawn what comes next."""
    return app._tree.get_widget_states()


def selectbox(app: AppTest, label: str) -> Selectbox[Any]:
    (found,) = [one for one in app.selectbox if one.label == label]
    return found


def choose(app: AppTest, label: str, option: str) -> AppTest:
    """Take the option that begins and ends with the two parts of `option` around "…"."""
    box = selectbox(app, label)
    start, _, end = option.partition("…")
    (index,) = [
        index for index, words in enumerate(box.options) if words.startswith(start) and end in words
    ]
    box.select_index(index)
    return run(app)


class RolesForm:
    """The form about how a file was read: the "loaded" one, or the "refused" one."""

    def __init__(self, app: AppTest, which: str) -> None:
        self._app = app
        self._which = which

    def _own(self, widgets: Iterable[_AnyWidget], label: str) -> _AnyWidget:
        (found,) = [
            one for one in widgets if self._which in one.form_id and one.label.startswith(label)
        ]
        return found

    @property
    def direction(self) -> Radio[Any]:
        return self._own(self._app.radio, "How were the p-values computed?")

    @property
    def zero(self) -> TextInput:
        return self._own(self._app.text_input, "A p-value printed as 0 lies below")

    def column(self, label: str) -> Selectbox[Any]:
        return self._own(self._app.selectbox, label)

    def take_for(self, layout: str) -> None:
        """Say what kind of file it is, on which the form's questions depend."""
        (kind,) = [
            one
            for one in self._app.selectbox
            if one.label == "Kind of file" and self._which in (one.key or "")
        ]
        kind.set_value(layout)
        run(self._app)

    def submit(self) -> AppTest:
        self._own(self._app.button, "Apply").click()
        return run(self._app)


def address(app: AppTest) -> dict[str, str]:
    """The parameters of the address that the app shows."""
    return {
        name: held if isinstance(held, str) else held[0] for name, held in app.query_params.items()
    }

"""What the app adds to its libraries: at its start, at a rerun, and with many datasets.

Each time is the processor's, of the quickest of some rounds, since the cores may be shared.
"""

import ast
import logging
import resource
import subprocess
import sys
from functools import partial
from pathlib import Path

from streamlit.testing.v1 import AppTest

from pages.ui.frame.page import PAGES
from tests.benchmarks import replayed
from tests.pages.opened import drop, open_app, results_on_examples, when_tested

PAGES_FOLDER = Path(__file__).resolve().parents[2] / "pages"
ROUNDS = 9
MOST_AT_START, MOST_AT_RERUN, MOST_WITH_MANY = 1.3, 1.5, 5.0
MOST_OF_LIBRARY = 0.3
FEW, MANY = 10, 1_000
SAMPLES = ("", "pos-tagging", "sentiment", "synthetic-digits")
LIBRARIES = "import streamlit, pandas, numpy, scipy.stats, plotly"


def imports_of_pages() -> str:
    """A program that imports whatever the app's pages import, without drawing them."""
    imports = {
        ast.unparse(statement)
        for page in PAGES_FOLDER.glob("*.py")
        for statement in ast.parse(page.read_text(encoding="utf-8")).body
        if isinstance(statement, ast.Import | ast.ImportFrom)
    }
    return "\n".join(sorted(imports))


def compare_start() -> None:
    """The app's imports beside those of its libraries alone, each in fresh processes."""
    app, libraries = _processor_seconds(imports_of_pages(), LIBRARIES)
    tell("import of the app, all pages", app, "its libraries", libraries, MOST_AT_START)


def compare_library() -> None:
    """What `import core` adds to numpy's own import, each in fresh processes."""
    alone, both = map(min, _processor_seconds("import numpy", "import numpy, core"))
    added = both - alone
    kept = "kept" if added <= MOST_OF_LIBRARY else "EXCEEDED"
    title = "import of the library beyond numpy's"
    print(f"{title:52} {1e3 * added:9.3f} ms   at most: {1e3 * MOST_OF_LIBRARY:g} ms, {kept}")


def compare_reruns() -> None:
    """Each page drawn again with nothing changed, beside the same elements from constants."""
    for key in SAMPLES:
        app = when_tested(open_app(sample=key)) if key else open_app()
        for entry in PAGES:
            app.switch_page(entry.path).run()
            own, constant = replayed.reruns(app, ROUNDS)
            tell(f"{entry.label}, {key or 'no data'}", own, "constants", constant, MOST_AT_RERUN)


def compare_many() -> None:
    """Each page with many datasets, beside the same page with few."""
    for kind, write in (
        ("p-values", _table),
        ("results", partial(results_on_examples, n_examples=20)),
    ):
        few, many = (drop(open_app(), "many.csv", write(n)) for n in (FEW, MANY))
        for entry in PAGES:
            own = [_reruns_of(app, entry.path) for app in (when_tested(many), when_tested(few))]
            title = f"{entry.label}, {MANY:,} datasets, {kind}"
            tell(title, own[0], f"with {FEW}", own[1], MOST_WITH_MANY)


def _reruns_of(app: AppTest, path: str) -> list[float]:
    app.switch_page(path).run()
    return replayed.reruns(app, ROUNDS, beside_constants=False)[0]


def _table(n: int) -> bytes:
    rows = (f"dataset {i},{90 + i % 7},89,{(i % 50 + 1) / 500:.4f}\n" for i in range(n))
    return f"dataset,ours,base,p\n{''.join(rows)}".encode()


def _processor_seconds(*programs: str) -> list[list[float]]:
    """Those of each program in some rounds, in turn, after one that reads from the disk."""
    spent: list[list[float]] = [[] for _ in programs]
    for _ in range(ROUNDS + 1):
        for program, times in zip(programs, spent, strict=True):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return [times[1:] for times in spent]


def tell(title: str, own: list[float], peer_name: str, peer: list[float], most: float) -> None:
    """Print one's best seconds beside the peer's, and whether they are at most so many times as long."""
    ours, theirs = min(own), min(peer)
    ratio = ours / theirs
    print(
        f"{title:52} {1e3 * ours:9.3f} ms   {peer_name:34} {1e3 * theirs:9.3f} ms   "
        f"{ratio:8.2f} times   at most: {most:g}, {'kept' if ratio <= most else 'EXCEEDED'}",
        flush=True,
    )


def main() -> None:
    """All four."""
    # Without a server Streamlit warns of that at every page.
    logging.disable(logging.WARNING)
    compare_library()
    compare_start()
    compare_reruns()
    compare_many()

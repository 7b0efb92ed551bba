"""The walls of the house: who may import whom."""

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

# Lower rooms first: a module imports only from rooms at or below its own.
ROOMS = (
    ("core.version", "core.types", "core.shown", "core.memory"),
    ("core.errors", "core.validation", "core.signature", "core.comparison", "core.document"),
    ("core.metrics",),
    ("core.data.roles", "core.data.side_data"),
    ("core.data.tables",),
    (
        "core.data.result_set",
        "core.data.p_value_table",
        "core.data.score_table",
    ),
    ("core.data.overlap",),
    ("core.data.layouts",),
    ("core.data.sources",),
    ("core.data.tools",),
    ("core.data",),
    ("core.significance",),
    ("core.replicability",),
    ("core.simulation",),
    ("core.effects",),
    ("core.systems",),
    ("core.reliability",),
    ("core.words",),
    ("core.analysis",),
    ("core.claims",),
    ("core.charts",),
    ("core.methods",),
    ("core.sections",),
    ("core.export.tables",),
    ("core.export.record", "core.export.report"),
    ("core.export.as_json",),
    ("core.export.bundle", "core.export.paper", "core.export.paper_figures"),
    ("core.export",),
    ("core.notebook",),
    ("core",),
    ("pages.ui",),
    ("pages", "app"),
)


def module_name(path: Path) -> str:
    parts = list(path.relative_to(ROOT).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def source_files() -> list[Path]:
    return sorted(
        [*ROOT.glob("core/**/*.py"), *ROOT.glob("pages/**/*.py"), ROOT / "app.py"], key=str
    )


MODULES = {module_name(path): path for path in source_files()}


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """All that several tests look through, which takes longer than what they look for."""
    return tuple(ast.walk(parsed(path)))


def source_of(node: ast.ImportFrom, path: Path) -> str | None:
    """The module named by a `from … import`, its leading dots resolved."""
    if not node.level:
        return node.module
    package = path.relative_to(ROOT).parts[: -node.level]
    return ".".join([*package, *([node.module] if node.module else [])])


@cache
def imported_names(path: Path, *, only_at_import: bool = False) -> frozenset[str]:
    """Every module a file imports; with `only_at_import`, not those within functions or for types."""
    found: set[str] = set()
    stack: list[ast.AST] = [parsed(path)]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and (source := source_of(node, path)):
            for alias in node.names:
                full = f"{source}.{alias.name}"
                found.add(full if full in MODULES else source)
        if only_at_import and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if only_at_import and isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        # An import is a statement: what lies within expressions need not be looked through.
        stack.extend(one for one in ast.iter_child_nodes(node) if not isinstance(one, ast.expr))
    return frozenset(found)


def room_of(module: str) -> int:
    """The number of a module's room; the longest name that fits decides."""
    fitting = [
        (len(name), number)
        for number, names in enumerate(ROOMS)
        for name in names
        if module == name or module.startswith(name + ".")
    ]
    assert fitting, f"{module} is in no room"
    return max(fitting)[1]


def test_a_module_imports_only_from_its_own_room_or_rooms_below() -> None:
    above = {
        f"{module} imports {name}"
        for module in MODULES.keys() - {"core"}
        for name in imported_names(MODULES[module])
        if name.split(".")[0] in {"core", "pages", "app"} and room_of(name) > room_of(module)
    }
    assert not above


def test_a_relative_import_from_a_room_above_is_seen() -> None:
    planted = ast.parse("from ..export.report import html_report").body[0]
    assert isinstance(planted, ast.ImportFrom)
    source = source_of(planted, ROOT / "core" / "metrics" / "registry.py")
    assert source == "core.export.report"
    assert room_of(source) > room_of("core.metrics.registry")


def test_inside_core_imports_are_relative() -> None:
    # So that the same files also stand under the installed package's name.
    absolute = {
        module
        for module, path in MODULES.items()
        if module.split(".")[0] == "core"
        for node in nodes_of(path)
        if (
            isinstance(node, ast.ImportFrom)
            and not node.level
            and (node.module or "").split(".")[0] == "core"
        )
        or (
            isinstance(node, ast.Import) and any(a.name.split(".")[0] == "core" for a in node.names)
        )
    }
    assert not absolute


def test_modules_import_each_other_in_no_circle() -> None:
    graph = {
        module: imported_names(path, only_at_import=True) & (MODULES.keys() - {module, "core"})
        for module, path in MODULES.items()
        if module != "core"
    }
    done: set[str] = set()

    def visit(module: str, way: tuple[str, ...]) -> None:
        assert module not in way, " imports ".join((*way, module))
        if module not in done:
            for imported in graph[module]:
                visit(imported, (*way, module))
            done.add(module)

    for module in graph:
        visit(module, ())


@pytest.mark.parametrize(
    ("imported", "importing"),
    [
        # Nothing in the core knows a page, as the rooms say.
        ("streamlit", ("pages", "app")),
        ("plotly", ("core.charts", "pages")),
    ],
)
def test_charts_and_widgets_are_imported_only_where_they_are_drawn(
    imported: str, importing: tuple[str, ...]
) -> None:
    for module, path in MODULES.items():
        if imported in {name.split(".")[0] for name in imported_names(path)}:
            assert module.startswith(importing), module


def test_replicability_knows_no_data_type() -> None:
    for module, path in MODULES.items():
        if module.startswith("core.replicability"):
            assert not any(name.startswith("core.data") for name in imported_names(path)), module


def test_only_state_touches_session_state() -> None:
    for module, path in MODULES.items():
        if module != "pages.ui.frame.state":
            assert "session_state" not in path.read_text(encoding="utf-8"), module


def test_what_is_opened_stays_open_whatever_comes_and_goes_above_it() -> None:
    # The browser knows a part by its key; one without is another where its place changes.
    for module, path in MODULES.items():
        for node in nodes_of(path):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "st.expander":
                given = {keyword.arg for keyword in node.keywords}
                assert "key" in given, f"{module}, line {node.lineno}"


def test_threads_are_begun_in_two_places() -> None:
    # Work in the background with the watch over users who leave, and datasets tested at once.
    begin = {"pages.ui.work.jobs", "core.significance.stopping"}
    of_threads = {
        module
        for module, path in MODULES.items()
        if {"threading", "concurrent.futures"} & imported_names(path)
    }
    assert of_threads == begin
    for module in of_threads:
        source = MODULES[module].read_text(encoding="utf-8")
        assert "threading.Thread(" in source or "PoolExecutor(" in source, module


def test_other_processes_are_begun_in_one_place_and_load_little() -> None:
    # A PDF is parsed apart from the app; what parses it knows nothing of the app and its data.
    starting = {
        module
        for module, path in MODULES.items()
        if {"subprocess", "multiprocessing"} & imported_names(path)
        or re.search(r"\bos\.(system|fork|popen|exec\w+|spawn\w+)\b", path.read_text("utf-8"))
    }
    assert starting == {"core.claims.documents.reading"}
    source = MODULES["core.claims.documents.reading"].read_text(encoding="utf-8")
    assert "timeout=_PATIENCE * SECONDS" in source
    assert "shell" not in source
    parsing = ["__main__", "pdf_lines", "pdf_page", "pdf_tables"]
    allowed = {"core.document", *(f"core.claims.documents.{name}" for name in parsing)}
    for name in allowed:
        for imported in imported_names(MODULES[name]):
            top = imported.split(".")[0]
            assert imported in allowed or top in {*sys.stdlib_module_names, "pypdfium2"}, imported
    # Parsing in the app itself would bring down the app.
    in_the_app = {m for m, path in MODULES.items() if "pypdfium2" in imported_names(path)}
    assert in_the_app <= allowed


def test_what_is_a_pages_own_imports_nothing_of_another_page() -> None:
    of_pages = {"claims", "simulation", "effects", "reliability", "systems", "guide"}
    # How work is begun and shown knows neither what is worked on nor where it comes from.
    closed = {**{own: of_pages - {own} for own in of_pages}, "work": of_pages | {"intake"}}
    for own, others in closed.items():
        modules = [one for one in MODULES if f"{one}.".startswith(f"pages.ui.{own}.")]
        assert modules, own
        for module in modules:
            for name in imported_names(MODULES[module]):
                parts = name.split(".")
                assert parts[:2] != ["pages", "ui"] or parts[2] not in others, (module, name)


def test_work_in_the_background_is_begun_in_one_place() -> None:
    # Whoever made a job of their own would have to show, stop and report it in a way of their own.
    making = {
        module
        for module, path in MODULES.items()
        for node in nodes_of(path)
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == "Job"
    }
    assert making == {"pages.ui.work.background"}
    with_a_bar = {
        module
        for module, path in MODULES.items()
        if "st.progress(" in path.read_text(encoding="utf-8")
    }
    assert with_a_bar == {"pages.ui.work.background"}


def test_pages_are_short_scripts() -> None:
    for path in ROOT.glob("pages/*.py"):
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 60, path.name


# One after the other in one process: each also has what was loaded before.
STEPS = (
    ("import core", ("numpy",)),
    ("core.count_datasets([.01, .2])", ("pandas", "scipy.stats", "plotly", "streamlit")),
    # What a server has to load before its first heading.
    ("import pages.ui.frame.page", ("scipy.special", "scipy.stats", "openpyxl", "pypdfium2")),
    # What only some files or downloads need.
    (
        "import pages.ui.intake.drop, pages.ui.results.report",
        ("openpyxl", "matplotlib", "statsmodels", "sklearn", "plotly.express"),
    ),
)


def test_importing_loads_only_what_is_needed_at_once() -> None:
    program = f"""
import sys
for step, unwanted in {STEPS}:
    exec(step)
    print([(step, name) for name in unwanted if name in sys.modules])
"""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["[]"] * len(STEPS)


def test_every_public_name_exists_and_is_documented() -> None:
    import core

    for name in core.__all__:
        assert hasattr(core, name), name
        if not name.startswith("__"):
            assert getattr(core, name).__doc__, name


def test_results_of_the_statistics_are_frozen_and_made_by_keyword() -> None:
    rooms = ("replicability", "significance", "effects", "systems", "reliability", "claims")
    found, loose = 0, []
    for module, path in MODULES.items():
        if not module.startswith(tuple(f"core.{room}." for room in rooms)):
            continue
        if module.startswith("core.claims.documents."):
            # Words of a page are put together and doubted step by step, and are no result.
            continue
        for made in nodes_of(path):
            if not isinstance(made, ast.ClassDef) or made.name.startswith("_"):
                continue
            for decorator in made.decorator_list:
                if "dataclass" in ast.unparse(decorator):
                    found += 1
                    if not {"frozen=True", "kw_only=True"} <= {
                        ast.unparse(word) for word in getattr(decorator, "keywords", ())
                    }:
                        loose.append(f"{module}.{made.name}")
    assert found > 100
    assert loose == []

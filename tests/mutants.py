"""Which small changes of a module no test notices: `./run.sh mutants core/significance/outcome.py`.

One change at a time is made to the module in memory, and the tests that are named (else those of
the module's own name, else of its room) run in a process of their own. What is printed is met by no
test: it wants one, or the code is not needed, or the change is none that anybody is told of.
"""

import ast
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from types import CodeType, ModuleType
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
# A change may make a loop endless. Tests of a changed module have SECONDS of the processor and TIMES
# what the unchanged one took, so that a busy machine stops none, and WAITED as many by the clock.
SECONDS, TIMES, WAITED = 20, 5, 10
# Imported once, before the processes part.
LARGE = ("numpy", "scipy.stats", "pandas", "pytest", "hypothesis", "sklearn", "statsmodels.api")

OPPOSED: tuple[tuple[type[ast.cmpop], type[ast.cmpop]], ...] = (
    (ast.Lt, ast.LtE),
    (ast.Gt, ast.GtE),
    (ast.Eq, ast.NotEq),
    (ast.In, ast.NotIn),
    (ast.Is, ast.IsNot),
)
COMPARED = {one: other for pair in OPPOSED for one, other in (pair, pair[::-1])}
COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}


class Change(NamedTuple):
    """A module with one thing changed: its line, its first line before and after, and the whole."""

    line: int
    was: str
    now: str
    source: str


def changes(source: str) -> Iterator[Change]:
    """Every change of a comparison, operator, number, flag or condition, one at a time.

    Left alone are annotations, decorators, texts and what is raised: types, walls and tests of
    messages look at these.
    """
    for k in range(len(_places(ast.parse(source)))):
        tree = ast.parse(source)
        node, change = _places(tree)[k]
        was = _first_line(node)
        change()
        ast.fix_missing_locations(tree)
        yield Change(line=node.lineno, was=was, now=_first_line(node), source=ast.unparse(tree))


def _first_line(node: ast.AST) -> str:
    return ast.unparse(node).splitlines()[0][:100]


def _places(tree: ast.Module) -> list[tuple[ast.expr | ast.stmt, Callable[[], None]]]:
    alone = {id(part) for node in ast.walk(tree) for whole in _alone(node) for part in _all(whole)}
    found: list[tuple[ast.expr | ast.stmt, Callable[[], None]]] = []
    for node in ast.walk(tree):
        if id(node) not in alone and isinstance(node, ast.expr | ast.stmt):
            found += [(node, change) for change in _changes_of(node)]
    return found


def _all(whole: ast.AST | None) -> Iterator[ast.AST]:
    if whole is not None:
        yield from ast.walk(whole)


def _alone(node: ast.AST) -> Iterator[ast.AST | None]:
    """What of a node is not changed."""
    if isinstance(node, ast.arg | ast.AnnAssign):
        yield node.annotation
    if isinstance(node, ast.FunctionDef):
        yield node.returns
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield from node.decorator_list
    if isinstance(node, ast.Raise | ast.JoinedStr):
        yield node
    if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
        yield node


def _changes_of(node: ast.expr | ast.stmt) -> Iterator[Callable[[], None]]:
    if isinstance(node, ast.Compare):
        for i, operator in enumerate(node.ops):
            other = COMPARED[type(operator)]()
            yield _setting(node, ops=[*node.ops[:i], other, *node.ops[i + 1 :]])
    elif isinstance(node, ast.BinOp) and type(node.op) in COMPUTED:
        yield _setting(node, op=COMPUTED[type(node.op)]())
    elif isinstance(node, ast.BoolOp):
        yield _setting(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield _setting(node, operand=ast.UnaryOp(ast.Not(), node.operand))
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield _setting(node, value=not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        yield _setting(node, value=node.value + 1)
    elif isinstance(node, ast.IfExp):
        yield _setting(node, body=node.orelse, orelse=node.body)
    elif isinstance(node, ast.If):
        yield _setting(node, test=ast.Constant(False))


def _setting(node: ast.AST, **values: object) -> Callable[[], None]:
    return partial(vars(node).update, values)


class _Changed(importlib.machinery.SourceFileLoader):
    """Loads a module from text instead of its file."""

    text = ""

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.text, self.path, "exec", dont_inherit=True)


class _Finder(importlib.abc.MetaPathFinder):
    def __init__(self, module: Path, text: str) -> None:
        self.path, self.text = module, text
        self.name = ".".join(module.relative_to(ROOT).with_suffix("").parts)

    def find_spec(
        self, fullname: str, path: object, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self.name:
            return None
        loader = _Changed(fullname, str(self.path))
        loader.text = self.text
        return importlib.util.spec_from_file_location(fullname, self.path, loader=loader)


class Ran(NamedTuple):
    """Whether all tests passed, None where they were stopped; and their seconds of the processor."""

    passed: bool | None
    seconds: float


def run(module: Path, text: str, tests: Sequence[str], *, seconds: float | None = None) -> Ran:
    """Run tests with this text in the module's place, for so many seconds of the processor."""
    child = os.fork()
    if child:
        _, status, used = os.wait4(child, 0)
        code = os.waitstatus_to_exitcode(status)
        stopped = code in (-signal.SIGPROF, -signal.SIGALRM)
        return Ran(passed=None if stopped else code == 0, seconds=used.ru_utime + used.ru_stime)
    status = 1
    try:
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        if seconds is not None:
            signal.setitimer(signal.ITIMER_PROF, seconds)
            # What waits for itself takes no time of the processor.
            signal.setitimer(signal.ITIMER_REAL, seconds * WAITED)
        sys.meta_path.insert(0, _Finder(module, text))
        import pytest

        quiet = ("-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist")
        ignored = ("-W", "ignore::pytest.PytestAssertRewriteWarning")
        status = int(pytest.main([*quiet, *ignored, *tests]))
    finally:
        os._exit(status)


def tests_of(module: Path) -> list[str]:
    """The tests of the module's own name, else of its room."""
    room = ROOT / "tests" / module.relative_to(ROOT).parent
    own = room / f"test_{module.name}"
    return [str((own if own.exists() else room).relative_to(ROOT))]


def main(arguments: Sequence[str]) -> int:
    """Print what no test notices; 2 where there is nothing to look at."""
    if not arguments or not Path(arguments[0]).is_file():
        print(__doc__, file=sys.stderr)
        return 2
    module = Path(arguments[0]).resolve()
    tests = list(arguments[1:]) or tests_of(module)
    # Hypothesis then tries the same examples each time.
    os.environ["SAME_EXAMPLES"] = "1"
    for name in LARGE:
        importlib.import_module(name)
    source = module.read_text(encoding="utf-8")
    unchanged = run(module, source, tests)
    if not unchanged.passed:
        print(f"{' '.join(tests)} fails before any change.", file=sys.stderr)
        return 2
    seconds = SECONDS + TIMES * unchanged.seconds
    n = n_unnoticed = n_stopped = 0
    for change in changes(source):
        n += 1
        passed = run(module, change.source, tests, seconds=seconds).passed
        if passed is False:
            continue
        n_unnoticed += passed is True
        n_stopped += passed is None
        stopped = "" if passed else "  (stopped before the tests ended)"
        print(f"{arguments[0]}:{change.line}: {change.was}  ->  {change.now}{stopped}", flush=True)
    print(f"{n} changes, {n_unnoticed} not noticed by {' '.join(tests)}, {n_stopped} stopped.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

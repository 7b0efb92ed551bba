"""Which tests may be left out, and how that is said.

Only two things may be missing: a Chromium (its tests are skipped, with REQUIRE_BROWSER=1 they
fail) and the folder of real data beside the checkout (its tests are deselected and counted in the
summary, with CI=true they fail). A test that is skipped for any other reason fails.
"""

import gc
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Generator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parents[1]
REAL_DATA = ROOT.parent / "shared" / "data"
REAL_DATA_IS_ABSENT = "../shared/data is not there"
NO_CHROMIUM = "no Chromium to drive"
REAL_TESTS_NOT_RUN = pytest.StashKey[int]()

# A slow machine is no failure; the examples of a failure are printed so that they can be replayed.
# .ci/run judges a commit, by the same examples each time; elsewhere each run tries new ones.
settings.register_profile(
    "project",
    deadline=None,
    print_blob=True,
    derandomize=os.environ.get("SAME_EXAMPLES") == "1",
    max_examples=50,
)
settings.load_profile("project")


# Without windows Chromium takes half of the processor's time.
CHROMIUMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


@cache
def find_chromium() -> str | None:
    """Return the Chromium that CHROMIUM names, or else the first on PATH."""
    named = os.environ.get("CHROMIUM")
    names = CHROMIUMS if named is None else (named,)
    return next(filter(None, map(shutil.which, names)), None)


@cache
def missing_packages() -> list[str]:
    """Return the Debian packages without which no browser can be driven here."""
    missing = [] if find_chromium() else ["chromium"]
    driver = [sys.executable, "-m", "playwright", "--version"]
    if subprocess.run(driver, capture_output=True, check=False).returncode != 0:
        missing.append("libatomic1")  # what Playwright's own Node.js lacks on a bare machine
    return missing


def wants_browser(item: pytest.Item) -> bool:
    """Whether a test drives a browser."""
    fixtures = item.fixturenames if isinstance(item, pytest.Function) else []
    return item.get_closest_marker("browser") is not None or "chromium_path" in fixtures


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """The Chromium to drive. A test that asks for it needs no marker `browser` of its own."""
    path = find_chromium()
    assert path is not None, "pytest_runtest_setup stops before this"
    return path


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of an environment with the package installed from its wheel.

    It has no copy of the dependencies: a path leads to those that the tests run with, so that
    nothing is fetched. `.ci/package` installs them as well.
    """
    folder = tmp_path_factory.mktemp("package")
    venv = folder / "venv"
    build = ["-m", "build", "--no-isolation", "--wheel", "--outdir", str(folder), str(ROOT)]
    subprocess.run([sys.executable, *build], check=True, capture_output=True)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True)
    (packages,) = venv.glob("lib/python*/site-packages")
    (packages / "dependencies.pth").write_text(sysconfig.get_paths()["purelib"], encoding="utf-8")
    (wheel,) = folder.glob("*.whl")
    install = ["-m", "pip", "--python", str(venv), "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([sys.executable, *install, str(wheel)], check=True)
    return venv / "bin"


@pytest.hookimpl(optionalhook=True)  # of pytest-xdist
def pytest_xdist_auto_num_workers() -> int:
    # Browser tests wait for their pages a sixth of the time: one process more than cores.
    return (os.cpu_count() or 1) + 1


def pytest_make_parametrize_id(val: object) -> str | None:
    # What gzip packs holds the time: named after it, a test would have another name in each process,
    # and tests that are spread over several would not be run at all.
    if isinstance(val, bytes) and val[:2] == b"\x1f\x8b" and any(val[4:8]) and len(val) > 18:
        raise ValueError("A packed file names no test; give the cases `ids`.")
    return None


@pytest.hookimpl(trylast=True)  # after -k and -m, so that only what was asked for is counted
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if REAL_DATA.is_dir() or os.environ.get("CI") == "true":
        return
    real = [item for item in items if item.get_closest_marker("real")]
    if real:
        items[:] = [item for item in items if not item.get_closest_marker("real")]
        config.hook.pytest_deselected(items=real)
        config.stash[REAL_TESTS_NOT_RUN] = len(real)


def pytest_collection_finish() -> None:
    # What was collected need not be looked through again at each collection of garbage, nor what
    # tests make so often: a twentieth of their time went there.
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def pytest_sessionfinish(session: pytest.Session) -> None:
    # Of tests that are spread over processes, each of these leaves out the same ones.
    if hasattr(session.config, "workeroutput"):
        not_run = session.config.stash.get(REAL_TESTS_NOT_RUN, 0)
        session.config.workeroutput["real_tests_not_run"] = not_run


@pytest.hookimpl(optionalhook=True)  # of pytest-xdist
def pytest_testnodedown(node: Any) -> None:
    told = getattr(node, "workeroutput", {})
    node.config.stash[REAL_TESTS_NOT_RUN] = told.get("real_tests_not_run", 0)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    not_run = config.stash.get(REAL_TESTS_NOT_RUN, 0)
    if not_run:
        terminalreporter.write_line(
            f"{not_run} tests on real data were not run: {REAL_DATA_IS_ABSENT}"
        )


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Function) -> None:
    if wants_browser(item) and "CHROMIUM" in os.environ and find_chromium() is None:
        pytest.fail(
            f"CHROMIUM names {os.environ['CHROMIUM']!r}, which cannot be run", pytrace=False
        )
    if wants_browser(item) and (missing := missing_packages()):
        leave_out = pytest.fail if os.environ.get("REQUIRE_BROWSER") == "1" else pytest.skip
        leave_out(f"{NO_CHROMIUM}; add it with: apt-get install {' '.join(missing)}")
    if item.get_closest_marker("real") and not REAL_DATA.is_dir():
        pytest.fail(REAL_DATA_IS_ABSENT, pytrace=False)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(
    call: pytest.CallInfo[None],
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.skipped and not hasattr(report, "wasxfail"):
        reason = str(call.excinfo.value) if call.excinfo else ""
        if not reason.startswith(NO_CHROMIUM):
            report.outcome = "failed"
            report.longrepr = f"skipped ({reason}), as only a test that wants Chromium may be"
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    if report.skipped:
        report.outcome = "failed"
        report.longrepr = f"skipped as a whole: {report.longreprtext}"
    return report

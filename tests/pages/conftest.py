"""What every app that is opened without a browser shares."""

from collections.abc import Iterator
from functools import cache

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import local_script_runner
from streamlit.testing.v1.local_script_runner import LocalScriptRunner


@pytest.fixture(scope="session", autouse=True)
def packages_looked_through_once() -> Iterator[None]:
    """Streamlit looks for components in all installed packages, for each app anew."""
    once = cache(manifest_scanner.scan_component_manifests)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", once)
        yield


@pytest.fixture(scope="session", autouse=True)
def scripts_compiled_once_and_waited_for_in_peace() -> Iterator[None]:
    """Each run of an app compiles its scripts anew, and looks a thousand times a second for its end."""
    look, compiled = local_script_runner.require_widgets_deltas, ScriptCache()

    def wait(runner: LocalScriptRunner, timeout: float = 3) -> None:
        if runner._script_thread is not None:
            runner._script_thread.join(timeout)
        look(runner, 1.0)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(local_script_runner, "require_widgets_deltas", wait)
        patch.setattr(local_script_runner, "ScriptCache", lambda: compiled)
        yield

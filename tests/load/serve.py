"""The app's server with a probe in it: how long each rerun takes, and what is still alive.

Run with the same arguments as Streamlit's own command, beside PROBE, which
names a file: at each SIGUSR1 the probe writes there what it has found so far.
"""

import gc
import json
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from streamlit.runtime.scriptrunner import script_runner
from streamlit.web import cli

from core.data import ResultSet

_reruns: list[dict[str, Any]] = []


def timed(run: Callable[..., Any]) -> Callable[..., Any]:
    """The call in which Streamlit runs a script or a part of one, with its time written down."""

    def run_and_time(code: Callable[[], Any], context: Any) -> Any:
        began = time.perf_counter()
        try:
            return run(code, context)
        finally:
            _reruns.append(
                {
                    "began": began,
                    "part": bool(context.fragment_ids_this_run),
                    "seconds": time.perf_counter() - began,
                }
            )

    return run_and_time


def answer(path: Path) -> Callable[[int, object], None]:
    """What answers the signal."""

    def write(number: int, frame: object) -> None:
        gc.collect()
        alive = [one for one in gc.get_objects() if isinstance(one, ResultSet)]
        found = {"alive": sorted(each.datasets[0] for each in alive), "reruns": list(_reruns)}
        # Whole or not at all: the one who asked looks until the file is there.
        partial = path.with_suffix(".partial")
        partial.write_text(json.dumps(found), encoding="utf-8")
        partial.replace(path)

    return write


def main() -> None:
    """Start the server."""
    name = "exec_func_with_error_handling"
    setattr(script_runner, name, timed(getattr(script_runner, name)))
    signal.signal(signal.SIGUSR1, answer(Path(os.environ["PROBE"])))
    sys.argv = ["streamlit", "run", *sys.argv[1:]]
    cli.main()


if __name__ == "__main__":
    main()

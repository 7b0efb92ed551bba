"""The command line: files and options in, sentences, files and an exit status out.

Whatever keeps a command from its answer is raised as `inputs.Failure`, and what is wrong with an
option, while options are read, as argparse does.
"""

import io
import os
import sys
from collections.abc import Callable
from functools import partial

from ..version import PROGRAM
from .options import BAD_DATA, INTERRUPTED, parsed

# Packages that the installed package does without, each an extra of its name.
_EXTRAS = ("plotly", "openpyxl", "pypdfium2")


def main(arguments: list[str] | None = None) -> int:
    """Run a command and return its exit status.

    Parameters
    ----------
    arguments : list of str, optional
        By default those of the process.
    """
    given = sys.argv[1:] if arguments is None else arguments
    # What the encoding of a terminal lacks is written as escapes.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        work = _work(given)
    except SystemExit as stopped:
        return stopped.code if isinstance(stopped.code, int) else 0
    try:
        from .inputs import Failure, complain

        try:
            status = work()
        except Failure as failure:
            complain(*failure.lines)
            status = failure.status
        except ModuleNotFoundError as missing:
            extra = (missing.name or "").partition(".")[0]
            if extra not in _EXTRAS:
                raise
            complain(f"{PROGRAM}: this needs {extra}: pip install 'replicability[{extra}]'.")
            status = BAD_DATA
        sys.stdout.flush()
    except KeyboardInterrupt:
        sys.stderr.write("\nInterrupted.\n")
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read this has seen enough; nothing more is to be written at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return status


def _work(given: list[str]) -> Callable[[], int]:
    """What a command is to do; only what it needs is loaded."""
    if given[:1] == ["gate"]:
        from .gate import gate, parsed_gate

        return partial(gate, parsed_gate(given[1:]))
    options = parsed(given)
    from .running import run

    return partial(run, options)

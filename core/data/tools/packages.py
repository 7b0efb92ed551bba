"""Packages of the field that score outputs: optional, and imported where they are used."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

from core.errors import Choice, DataError, Problem


def needed(module: str, *, package: str, counts: str, choices: Sequence[Choice] = ()) -> Any:
    """A module of an optional package.

    Parameters
    ----------
    module : str
        What is imported.
    package : str
        What is installed.
    counts : str
        What the package gives, as the subject of a sentence: "BLEU, chrF and TER".
    choices : sequence of Choice
        Questions whose answer would do without the package.

    Raises
    ------
    DataError
        If it is not installed, with the command that adds it.
    """
    try:
        return importlib.import_module(module)
    except ImportError:
        raise DataError(
            [
                Problem(
                    what=f"{counts} are counted by the package {package}, which is not installed.",
                    remedy=f"Add it with `pip install {package}`, in this app's folder "
                    f"`.venv/bin/pip install {package}`, and read the files again; or count with "
                    "another tool and give its scores for each example.",
                )
            ],
            choices=choices,
        ) from None

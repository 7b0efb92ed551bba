"""The version of this project and its name, in their one place, and the versions of its packages."""

import platform
from collections.abc import Mapping
from functools import cache
from importlib import metadata
from types import MappingProxyType

__version__ = "0.33.1"

# `pip install` puts `core` into an environment as `replicability`, with a command of that name.
INSTALLED = __package__ == "replicability"
PROGRAM = "replicability" if INSTALLED else "python -m core"


# What a number may depend on besides data and settings.
_PACKAGES = ("numpy", "scipy", "pandas", "pyarrow")


@cache
def versions() -> Mapping[str, str]:
    """Versions of the app, of Python and of the packages that numbers come from."""
    return MappingProxyType(
        {
            "app": __version__,
            "python": platform.python_version(),
            **{package: metadata.version(package) for package in _PACKAGES},
        }
    )


def made_with() -> str:
    """Python and the packages, each with its version, in one line."""
    python = f"Python {versions()['python']}"
    return ", ".join((python, *(f"{package} {versions()[package]}" for package in _PACKAGES)))

"""Which versions made the numbers."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from functools import cache
from importlib import metadata
from types import MappingProxyType

from ..version import __version__

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

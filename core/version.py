"""The one place that states this project's version, and under which name this copy of it runs."""

__version__ = "0.9.0"

# `pip install` puts `core` into an environment as `replicability`, with a command of that name.
INSTALLED = __package__ == "replicability"
PROGRAM = "replicability" if INSTALLED else "python -m core"

"""The one place that states this project's version."""

__version__ = "0.9.0"

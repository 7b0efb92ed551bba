"""The report as one HTML file."""

from .report import html_report

__all__ = ["html_report"]

"""The report as one HTML file."""

from core.export.html.report import html_report

__all__ = ["html_report"]

"""The glossary's explanations as the pages' tooltips."""

from __future__ import annotations

from core.report.glossary import glossary

TOOLTIPS: dict[str, str] = {key: entry.explanation for key, entry in glossary().items()}

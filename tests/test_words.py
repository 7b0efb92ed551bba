"""Phrases that the house has given up appear nowhere a person reads."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
# Inverted, roundabout or boastful; each has a plain one in its place.
GIVEN_UP = (
    "To know about these data",
    "How this was read",
    "Read from it were neither",
    "Nothing that was read here says",
    "is then the safe one",
    "One score a dataset",
    "columns are cut at",
    "both directions together with",
    "statement of its own",
    "beside a lower score of",
    "no other possible reading gives less",
    "Holm names",
    "holds a wrong name",
    "false leads",
    "not identified",
    "How sure on each dataset",
    "does it hang on",
    "What the claims hang on",
    "What would change it",
    "Take the table away",
    "more of them would settle",
    "of resamples would come to",
    "can be gone on with",
    "no choice that was looked at",
    "tells the systems apart",
    "when the truth is known",
    "k is on how many",
    "as is proved",
    "whatever so many studies",
    "is no claim that can be read",
    "Written, for example, so",
    "not excluded by direction",
    "not supported by direction",
    "direction is left aside",
    "held against the scores",
    "no single p-value turns",
    "If you do not know it, Bonferroni",
    "must show it",
    "Pairs are told by",
    "have to be fixed before looking",
    "speaks for A at least so strongly",
    "One row an example",
    "what else is to be known",
    "would make a wrong winner",
    "A complement is never certainty",
    "one dataset under two names",
    "Of what is sorted by",
    "Of such scores there is no",
    "whoever looks on",
    "of what is no mean",
    "What is asked, and of what",
)


def _joined(path: Path) -> str:
    """The text of a file, literals that stand below each other as one."""
    return re.sub(r"\s+", " ", re.sub(r'"\s*\n\s*f?"', "", path.read_text(encoding="utf-8")))


FILES = {
    path.relative_to(ROOT): _joined(path).lower()
    for folder in ("core", "pages")
    for path in sorted((ROOT / folder).rglob("*"))
    if path.suffix in (".py", ".md")
} | {Path(name): _joined(ROOT / name).lower() for name in ("README.md", "app.py")}


def test_phrases_that_were_given_up_stand_nowhere() -> None:
    found = {
        (phrase, str(path))
        for phrase in GIVEN_UP
        for path, text in FILES.items()
        if phrase.lower() in text
    }
    assert not found

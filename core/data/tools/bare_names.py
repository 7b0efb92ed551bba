"""What files' names say beyond what all of a kind have in common: endings, folders, "hyp".

Nothing is known here of datasets and systems: `gold_files` reads those in what is left.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.data.sources.name_grid import stems_of

# What files of systems' outputs are called, beside the system.
_OUTPUT_WORD = re.compile(r"(?:(?<=[._/-])|^)(?:hyps?|hypos?|hypothes[ie]s)[._-]", re.IGNORECASE)
# The end of "gpt-3.5" and "llama-3.1-instruct" belongs to the system's name.
_VERSION = re.compile(r"[0-9]\.[0-9][^./]*$")


def bare_names(gold: Sequence[str], systems: Sequence[str]) -> tuple[list[str], list[str]]:
    """The names of gold files, and those of systems' files, as short as they still differ."""
    both = _without_common_ending([*gold, *systems])
    own_gold, own = (_without_own_ending(names) for names in (both[: len(gold)], both[len(gold) :]))
    return own_gold, _without_folder_at_end(_without_output_word(stems_of(own)))


def _without_output_word(stems: Sequence[str]) -> list[str]:
    """The names without "hyp" where all have it."""
    shorter = [_OUTPUT_WORD.sub("", stem, count=1) for stem in stems]
    is_in_all = all(a != b and a for a, b in zip(shorter, stems, strict=True))
    return shorter if is_in_all and len(set(shorter)) == len(shorter) else list(stems)


def _without_folder_at_end(stems: Sequence[str]) -> list[str]:
    """The names without what says the folder once more, as in "en-de/news.A.en-de"."""
    shorter = []
    for stem in stems:
        folder, _, name = stem.rpartition("/")
        last = folder.rpartition("/")[2]
        bare = name.removesuffix(last)
        if not last or bare == name or len(bare) < 2 or bare[-1] not in "._-":
            return list(stems)
        shorter.append(f"{folder}/{bare[:-1]}")
    return shorter if len(set(shorter)) == len(shorter) else list(stems)


def _without_own_ending(names: Sequence[str]) -> list[str]:
    """The names of one kind of file without the one ending that several of them have in common."""
    endings = {name.rpartition("/")[2].rpartition(".")[2] for name in names if "." in name}
    shorter = [name.rpartition(".")[0] for name in names]
    if len(names) < 2 or len(endings) != 1 or not all(shorter) or len(set(shorter)) < len(names):
        return list(names)
    if any(map(_VERSION.search, names)):
        return list(names)
    return list(names) if any("/" in name.rpartition(".")[2] for name in names) else shorter


def _without_common_ending(paths: Sequence[str]) -> list[str]:
    """The names without endings that all of them have, such as ".txt" and ".de"."""
    names = list(paths)
    while True:
        shorter = [name.rpartition(".")[0] for name in names]
        endings = {name.rpartition(".")[2] for name in names}
        if (
            len(endings) > 1
            or "/" in next(iter(endings))
            or not all(name.rpartition("/")[2] for name in shorter)
            or len(set(shorter)) < len(shorter)
            or any(map(_VERSION.search, names))
        ):
            return names
        names = shorter

"""Where two analyses as JSON differ: number by number, name by name."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...words.formatting import counted, display_name

# What entries of a list are told apart by, so that order does not matter.
_KEYS = ("dataset", "key", "name")
_LISTS = ("datasets", "questions")


class _Nothing:
    """In the place of a part that is not there."""


NOTHING = _Nothing()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Difference:
    """One place where an analysis computed anew is not as in a bundle.

    Attributes
    ----------
    path : tuple of str
        The keys that lead to it; names of datasets and keys of questions among
        them, positions counted from 1.
    anew, in_bundle : object
        What is there; `NOTHING` where nothing is.
    """

    path: tuple[str, ...]
    anew: object
    in_bundle: object

    @property
    def one_sided(self) -> bool:
        """Whether only one of the two has such a part at all."""
        return self.anew is NOTHING or self.in_bundle is NOTHING

    @property
    def is_entry(self) -> bool:
        """Whether it is a whole entry of a list: a dataset, a question."""
        return len(self.path) == 2 and self.path[0] in _LISTS

    @property
    def only_in_bundle(self) -> bool:
        """Whether it is the bundle that has it."""
        return self.anew is NOTHING

    @property
    def relative(self) -> float | None:
        """How far two measured numbers are apart, relative to the larger; None of anything else.

        Counts and positions, which are whole, are the same or not.
        """
        a, b = self.anew, self.in_bundle
        if not (isinstance(a, float) and isinstance(b, float)):
            return None
        if not (math.isfinite(a) and math.isfinite(b)):
            return None
        return abs(a - b) / max(abs(a), abs(b))

    def name(self) -> str:
        """The place by its keys."""
        return " ".join(display_name(part) for part in self.path)


def differences(anew: object, in_bundle: object) -> list[Difference]:
    """Every difference, in the order of the analysis computed anew."""
    return list(_differences(anew, in_bundle, ()))


def _differences(anew: object, in_bundle: object, path: tuple[str, ...]) -> Iterator[Difference]:
    if isinstance(anew, dict) and isinstance(in_bundle, dict):
        yield from _of_objects(anew, in_bundle, path)
        return
    if isinstance(anew, list) and isinstance(in_bundle, list):
        ours, theirs = _by_key(anew), _by_key(in_bundle)
        if ours is not None and theirs is not None:
            yield from _of_objects(ours, theirs, path)
            return
        if len(anew) == len(in_bundle):
            for position, (a, b) in enumerate(zip(anew, in_bundle, strict=True), start=1):
                yield from _differences(a, b, (*path, str(position)))
            return
    # A bool is equal to a number in Python, and is none.
    if type(anew) is not type(in_bundle) or anew != in_bundle:
        yield Difference(path=path, anew=anew, in_bundle=in_bundle)


def _of_objects(
    anew: dict[str, object], in_bundle: dict[str, object], path: tuple[str, ...]
) -> Iterator[Difference]:
    for key in (*anew, *(key for key in in_bundle if key not in anew)):
        a, b = anew.get(key, NOTHING), in_bundle.get(key, NOTHING)
        if a is NOTHING or b is NOTHING:
            yield Difference(path=(*path, key), anew=a, in_bundle=b)
        else:
            yield from _differences(a, b, (*path, key))


def _by_key(entries: Sequence[object]) -> dict[str, object] | None:
    """Entries by what tells them apart; None where they are no such list."""
    for key in _KEYS:
        names = [entry.get(key) if isinstance(entry, dict) else None for entry in entries]
        own = [name for name in names if isinstance(name, str)]
        if own and len(own) == len(entries) == len(set(own)):
            return dict(zip(own, entries, strict=True))
    return None


def difference_in_words(difference: Difference) -> str:
    """The place by its keys and both values: "questions a-better k_hat: 1, in the bundle 5"."""
    anew, in_bundle = _shown(difference.anew), _shown(difference.in_bundle)
    return f"{difference.name()}: {anew}, in the bundle {in_bundle}"


def _shown(value: object) -> str:
    """A value as a person reads it."""
    if value is NOTHING:
        return "nothing"
    if isinstance(value, str):
        return f"“{display_name(value)}”"
    if isinstance(value, dict):
        return "an entry"
    return counted(len(value), "item") if isinstance(value, list) else json.dumps(value)

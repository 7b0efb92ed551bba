"""A bundle's numbers made anew beside those that it holds: every difference by its place in the JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ...analysis import Analysis
from ...analysis.settings import known_settings
from ...version import __version__
from ...words.formatting import counted, display_name, list_names
from ..as_json import TOLERANCE_IN_WORDS, as_json, same_number, written
from .format import Bundle
from .reading import parsed

# What entries of a list are told apart by, so that order does not matter.
_KEYS = ("dataset", "key", "name")
# In the place of a part that is not there.
NOTHING = object()


class Difference(NamedTuple):
    """One place where an analysis computed anew is not as in a bundle.

    `path` has the keys that lead to it, names of datasets and keys of questions among them, positions
    counted from 1; on either side there may be `NOTHING`.
    """

    path: tuple[str, ...]
    anew: object
    in_bundle: object

    @property
    def one_sided(self) -> bool:
        """Whether only one of the two has such a part at all."""
        return self.anew is NOTHING or self.in_bundle is NOTHING

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

    @property
    def name(self) -> str:
        """The place by its keys."""
        return " ".join(display_name(part) for part in self.path)

    @property
    def in_words(self) -> str:
        """The place and both values: "questions a-better k_hat: 1, in the bundle 5"."""
        return f"{self.name}: {_shown(self.anew)}, in the bundle {_shown(self.in_bundle)}"


def _differences(anew: Any, in_bundle: Any, path: tuple[str, ...] = ()) -> Iterator[Difference]:
    """Every difference, in the order of the analysis computed anew."""
    if isinstance(anew, list) and isinstance(in_bundle, list):
        by_key = [_by_key(entries) for entries in (anew, in_bundle)]
        if None in by_key and len(anew) == len(in_bundle):
            by_key = [
                {str(place): entry for place, entry in enumerate(entries, start=1)}
                for entries in (anew, in_bundle)
            ]
        if None not in by_key:
            anew, in_bundle = by_key
    if isinstance(anew, dict) and isinstance(in_bundle, dict):
        for key in {**anew, **in_bundle}:
            ours, theirs = anew.get(key, NOTHING), in_bundle.get(key, NOTHING)
            yield from _differences(ours, theirs, (*path, key))
    # A bool is equal to a number in Python, and is none.
    elif type(anew) is not type(in_bundle) or anew != in_bundle:
        yield Difference(path, anew, in_bundle)


def _by_key(entries: Sequence[object]) -> dict[str, object] | None:
    """Entries by what tells them apart; None where they are no such list."""
    for key in _KEYS:
        names = [entry.get(key) if isinstance(entry, dict) else None for entry in entries]
        own = [name for name in names if isinstance(name, str)]
        if own and len(own) == len(entries) == len(set(own)):
            return dict(zip(own, entries, strict=True))
    return None


def _shown(value: object) -> str:
    """A value as a person reads it."""
    if value is NOTHING:
        return "nothing"
    if isinstance(value, str):
        return f"“{display_name(value)}”"
    if isinstance(value, dict):
        return "an entry"
    return counted(len(value), "item") if isinstance(value, list) else json.dumps(value)


_MOST_NAMED = 3
# Parts in which a processor's rounding may show.
_COMPUTED = ("datasets", "assessment", "question", "questions")
# Said of versions and titles elsewhere; each version has a wording of its own, and a signature
# repeats settings.
_NOT_NUMBERS = (
    *("versions", "origin", "tried", "signature"),
    *("verdict", "what_was_read", "cautions", "unsettled", "remarks"),
)
# The same of each dataset and question.
_LISTS = ("datasets", "questions")
_WORDING = frozenset({"note", "notes", "sentences", "signature", "signatures", "flipped"})
# Parts with what is said where one of them is not the same; places in them are named by the keys
# of `export.as_json`.
_PARTS = (
    (("format",), "The results have another form"),
    (("data",), "The data are read otherwise than in the bundle"),
    (("settings",), "The settings are others than in the bundle"),
    (("compared",), "What is compared is not the same"),
    (("assessment",), "The counts in front or the readings are not the same"),
    (("datasets",), "Numbers of datasets differ"),
    (("question", "questions"), "Counts, names or their p-values are not the same"),
)
# Results of another version may hold more than those computed anew, but not so much more.
_TIMES_AS_MUCH = 2
_BYTES_BESIDE = 500_000


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleComparison:
    """Whether an analysis computed anew is the one that a bundle holds, and in sentences what is not.

    `same`: every number and name is the same, to the last digit. `only_last_digits`: what differs may do
    so on another processor: measured numbers, by at most `export.as_json.TOLERANCE` of their size.
    """

    same: bool
    only_last_digits: bool
    sentences: tuple[str, ...]


def compare_with_bundle(analysis: Analysis, bundle: Bundle) -> BundleComparison:
    """Compare an analysis with the results that a bundle holds.

    Parameters
    ----------
    analysis : Analysis
        Computed from the bundle's data and settings.
    bundle : Bundle
        From `read_bundle`.

    Examples
    --------
    >>> from replicability import analyse, read_bundle, read_results, read_sample
    >>> from replicability import compare_with_bundle, write_bundle
    >>> sample, content = read_sample("six-p-values")
    >>> analysis = analyse(read_results(content))
    >>> packed = write_bundle(analysis, files=[("p.csv", content)], name="p.csv", roles={})
    >>> compare_with_bundle(analysis, read_bundle(packed)).same
    True
    """
    made = as_json(analysis)
    content = bundle.results_within(_TIMES_AS_MUCH * len(written(made).encode()) + _BYTES_BESIDE)
    if content is None:
        return _not_compared(
            "The bundle's results hold more than an analysis of these data does; they are not "
            "compared."
        )
    try:
        in_bundle = parsed(content)
        every = list(_differences(made, in_bundle)) if isinstance(in_bundle, dict) else None
    except (ValueError, RecursionError):
        every = None
    if every is None:
        return _not_compared("The bundle holds no results to compare with.")
    scales = _scales(made)
    equal_versions = bundle.version == __version__
    _, passed_over = known_settings(analysis.data, bundle.settings)
    # Settings that have sentences of their own need no further one.
    aside = (*_NOT_NUMBERS, "settings") if passed_over else _NOT_NUMBERS
    # Of tests nothing is printed; earlier versions wrote p-values as texts beside the numbers.
    wording = _WORDING | ({"printed"} if made["data"]["kind"] != "published-table" else set())
    found = [
        each
        for each in every
        if each.path[0] not in aside
        and not (each.path[0] in _LISTS and wording.intersection(each.path[2:]))
    ]
    # Between equal versions nothing may be lost.
    missing = [each for each in found if not equal_versions and _is_of_the_format(each)]
    changed = [each for each in found if equal_versions or not _is_of_the_format(each)]
    near = [each for each in changed if _is_near(each, scales)]
    apart = [each for each in changed if not _is_near(each, scales)]
    only_last = bool(changed) and not apart
    if not changed:
        verdict = "Computed anew, every number is the same to the last digit."
    elif only_last:
        verdict = (
            f"Computed anew, {counted(len(near), 'number')} differ from the bundle only by "
            f"rounding, as between processors (at most {TOLERANCE_IN_WORDS}). "
            "Counts and names are the same."
        )
    else:
        verdict = "Computed anew, the analysis is not the one in the bundle."
    sentences = [verdict]
    version = display_name(bundle.version)
    if not equal_versions:
        sentences.append(
            f"The bundle was written by version {version} and computed anew by version {__version__}."
        )
    sentences += passed_over
    sentences += _of_parts(apart or near)
    largest = max((each.relative or 0.0 for each in apart), default=0.0)
    if not only_last and largest > 0.0:
        sentences.append(f"The largest relative difference of two numbers is {largest:.2g}.")
    sentences += _one_sided(
        missing,
        f"The bundle, of version {version}, holds what this version cannot restore",
        f"The bundle, of version {version}, lacks what this version computes",
    )
    return BundleComparison(
        same=not changed, only_last_digits=only_last, sentences=tuple(sentences)
    )


def _not_compared(why: str) -> BundleComparison:
    return BundleComparison(same=False, only_last_digits=False, sentences=(why,))


def _scales(made: dict[str, Any]) -> dict[str, float]:
    """Of each dataset the larger of the two scores' sizes."""
    return {
        row["dataset"]: max(
            (abs(row[key]) for key in ("score_a", "score_b") if isinstance(row[key], float)),
            default=0.0,
        )
        for row in made["datasets"]
    }


def _is_near(difference: Difference, scales: Mapping[str, float]) -> bool:
    """Whether it is a computed number that another processor may have so."""
    path, a, b = difference.path, difference.anew, difference.in_bundle
    if path[0] not in _COMPUTED or difference.relative is None:
        return False
    assert isinstance(a, float)
    assert isinstance(b, float)
    is_difference = path[0] == "datasets" and not any("p_value" in part for part in path[2:])
    return same_number(a, b, scale=scales.get(path[1], 0.0) if is_difference else 0.0)


def _is_of_the_format(difference: Difference) -> bool:
    """Whether one version has a part that the other does not know, beside what both have."""
    lost = len(difference.path) == 1 and difference.in_bundle is NOTHING
    # A whole dataset or question.
    is_entry = len(difference.path) == 2 and difference.path[0] in _LISTS
    return difference.one_sided and not is_entry and not lost


def _of_parts(changed: list[Difference]) -> list[str]:
    """What is not the same, part by part, counts first: they are what the rest is about."""
    sentences = []
    for part, words in _PARTS:
        own = [each for each in changed if each.path[0] in part]
        own.sort(key=lambda each: each.path[-1] != "k_hat")
        if own:
            shown = "; ".join(each.in_words for each in own[:_MOST_NAMED])
            more = f"; and {len(own) - _MOST_NAMED} more" if len(own) > _MOST_NAMED else ""
            sentences.append(f"{words}: {shown}{more}.")
    told = {part for parts, _ in _PARTS for part in parts}
    rest = [each for each in changed if each.path[0] not in told]
    return [*sentences, *_one_sided(rest, "Only the bundle has", "The bundle lacks")]


def _one_sided(found: list[Difference], only_bundle: str, only_here: str) -> list[str]:
    """Parts that one of the two has and the other does not."""
    sentences = []
    for words, has in (
        (only_bundle, [each for each in found if each.anew is NOTHING]),
        (only_here, [each for each in found if each.in_bundle is NOTHING]),
    ):
        if has:
            names = list(dict.fromkeys(each.name for each in has))
            sentences.append(f"{words}: {list_names(names)}.")
    return sentences

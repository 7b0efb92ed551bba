"""A bundle's numbers made anew beside those that it holds: every difference by its place in the JSON."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..analysis import Analysis
from ..analysis.settings import known_settings
from ..version import __version__
from ..words.formatting import counted, display_name, list_names
from .as_json import TOLERANCE_IN_WORDS, as_json, same_number, written
from .bundle import Bundle

# What entries of a list are told apart by, so that order does not matter.
_KEYS = ("dataset", "key", "name")
# In the place of a part that is not there.
_NOTHING = object()
_MOST_NAMED = 5
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
# Results of another version may hold more than those computed anew, but not so much more.
_TIMES_AS_MUCH = 2
_BYTES_BESIDE = 500_000


class _Difference(NamedTuple):
    """A place where an analysis computed anew is not as in a bundle: the keys that lead to it."""

    path: tuple[str, ...]
    anew: object
    in_bundle: object

    @property
    def relative(self) -> float:
        """How far two measured numbers are apart, of the larger; infinite of counts and all else."""
        a, b = self.anew, self.in_bundle
        if not (isinstance(a, float) and isinstance(b, float)):
            return math.inf
        found = abs(a - b) / max(abs(a), abs(b))
        return math.inf if math.isnan(found) else found

    @property
    def name(self) -> str:
        """The place by its keys."""
        return " ".join(display_name(part) for part in self.path)


def _differences(anew: Any, in_bundle: Any, path: tuple[str, ...] = ()) -> Iterator[_Difference]:
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
            ours, theirs = anew.get(key, _NOTHING), in_bundle.get(key, _NOTHING)
            yield from _differences(ours, theirs, (*path, key))
    # A bool is equal to a number in Python, and is none.
    elif type(anew) is not type(in_bundle) or anew != in_bundle:
        yield _Difference(path, anew, in_bundle)


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
    if value is _NOTHING:
        return "nothing"
    if isinstance(value, str):
        return f"“{display_name(value)}”"
    if isinstance(value, dict):
        return "an entry"
    return counted(len(value), "item") if isinstance(value, list) else json.dumps(value)


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
    most = _TIMES_AS_MUCH * len(written(made).encode()) + _BYTES_BESIDE
    try:
        in_bundle = json.loads(bundle.results) if len(bundle.results) <= most else None
    except (ValueError, RecursionError):
        in_bundle = None
    if not isinstance(in_bundle, dict):
        nothing = "The bundle holds no results of these data to compare with."
        return BundleComparison(same=False, only_last_digits=False, sentences=(nothing,))
    _, passed_over = known_settings(analysis.data, bundle.settings)
    # Settings that have sentences of their own need no further one.
    aside = (*_NOT_NUMBERS, "settings") if passed_over else _NOT_NUMBERS
    # Of tests nothing is printed; earlier versions wrote p-values as texts beside the numbers.
    wording = _WORDING | ({"printed"} if made["data"]["kind"] != "published-table" else set())
    found = [
        each
        for each in _differences(made, in_bundle)
        if each.path[0] not in aside
        and not (each.path[0] in _LISTS and wording.intersection(each.path[2:]))
    ]
    # Between equal versions nothing may be lost.
    equal_versions = bundle.version == __version__
    missing = [each for each in found if not equal_versions and _is_of_the_format(each)]
    changed = [each for each in found if equal_versions or not _is_of_the_format(each)]
    # Of each dataset the larger of the two scores' sizes.
    scales = {
        row["dataset"]: max(
            (abs(row[key]) for key in ("score_a", "score_b") if isinstance(row[key], float)),
            default=0.0,
        )
        for row in made["datasets"]
    }
    apart = [each for each in changed if not _is_near(each, scales)]
    only_last = bool(changed) and not apart
    sentences = ["Computed anew, the analysis is not the one in the bundle."]
    if not changed:
        sentences = ["Computed anew, every number is the same to the last digit."]
    elif only_last:
        sentences = [
            f"Computed anew, {counted(len(changed), 'number')} differ from the bundle only by "
            f"rounding, as between processors (at most {TOLERANCE_IN_WORDS}). "
            "Counts and names are the same."
        ]
    version = display_name(bundle.version)
    if not equal_versions:
        sentences.append(
            f"The bundle was written by version {version} and computed anew by version {__version__}."
        )
    sentences += passed_over
    # Counts first: they are what the rest is about.
    shown = sorted(apart or changed, key=lambda each: each.path[-1] != "k_hat")
    if shown:
        places = "; ".join(
            f"{each.name}: {_shown(each.anew)}, in the bundle {_shown(each.in_bundle)}"
            for each in shown[:_MOST_NAMED]
        )
        more = f"; and {len(shown) - _MOST_NAMED} more" if len(shown) > _MOST_NAMED else ""
        sentences.append(f"Not the same: {places}{more}.")
    largest = max((each.relative for each in apart if each.relative < math.inf), default=0.0)
    if largest > 0.0:
        sentences.append(f"The largest relative difference of two numbers is {largest:.2g}.")
    for words, has in (
        ("holds what this version cannot restore", [m for m in missing if m.anew is _NOTHING]),
        ("lacks what this version computes", [m for m in missing if m.anew is not _NOTHING]),
    ):
        if has:
            names = list_names([*dict.fromkeys(each.name for each in has)])
            sentences.append(f"The bundle, of version {version}, {words}: {names}.")
    return BundleComparison(
        same=not changed, only_last_digits=only_last, sentences=tuple(sentences)
    )


def _is_near(difference: _Difference, scales: Mapping[str, float]) -> bool:
    """Whether it is a computed number that another processor may have so."""
    path, a, b = difference.path, difference.anew, difference.in_bundle
    if path[0] not in _COMPUTED or difference.relative == math.inf:
        return False
    assert isinstance(a, float)
    assert isinstance(b, float)
    is_difference = path[0] == "datasets" and not any("p_value" in part for part in path[2:])
    return same_number(a, b, scale=scales.get(path[1], 0.0) if is_difference else 0.0)


def _is_of_the_format(difference: _Difference) -> bool:
    """Whether one version has a part that the other does not know, beside what both have."""
    path, of_bundle = difference.path, difference.in_bundle
    lost = len(path) == 1 and of_bundle is _NOTHING
    # A whole dataset or question.
    is_entry = len(path) == 2 and path[0] in _LISTS
    return _NOTHING in (difference.anew, of_bundle) and not is_entry and not lost

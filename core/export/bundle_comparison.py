"""A bundle opened again: the analysis computed anew, and whether it is the same."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import dataclass, replace

from core.analysis import Analysis, Origin, analyse
from core.data import PValueTable, ResultSet, read_results
from core.data.reading import Results
from core.data.samples import samples
from core.data.sources.stages import OnProgress
from core.errors import DataError, Problem
from core.export.as_json import to_json
from core.export.bundle_differences import Difference, differences
from core.export.bundle_format import Bundle
from core.report.formatting import display_name, list_names
from core.version import __version__

# Other versions of numpy or of the machine's mathematics may differ so far.
LAST_DIGITS = 1e-9
_MOST_NAMED = 3
# Said of versions, titles and the wording elsewhere; a signature repeats settings.
_NOT_NUMBERS = ("versions", "origin", "tried", "signature")
_WORDING = ("verdict", "what_was_read", "cautions", "remarks")


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleComparison:
    """Whether an analysis computed anew is the one that a bundle holds.

    Attributes
    ----------
    same : bool
        Whether every number and name is the same, to the last digit.
    only_last_digits : bool
        Whether all that differs are numbers, by less than one part in 10⁹.
    sentences : tuple of str
        What is the same and what is not.
    """

    same: bool
    only_last_digits: bool
    sentences: tuple[str, ...]


def read_again(bundle: Bundle, *, on_progress: OnProgress | None = None) -> Results:
    """The data of a bundle, read as they were.

    Raises
    ------
    DataError
        If this version cannot read them so.
    """
    files = []
    for name, content in bundle.files:
        file = io.BytesIO(content)
        file.name = name
        files.append(file)
    return read_results(
        files if len(files) > 1 else files[0],
        name=bundle.name,
        roles=bundle.roles or None,
        on_progress=on_progress,
    )


def restore_bundle(
    bundle: Bundle, *, on_progress: Callable[[int, int], object] | None = None
) -> Analysis:
    """The analysis of a bundle, computed anew from its data and settings.

    Parameters
    ----------
    bundle : Bundle
        From `read_bundle`.
    on_progress : callable, optional
        As `run_dataset_tests` calls it.

    Raises
    ------
    DataError
        If this version cannot read the data so, or they do not suit the tests.
    ValueError
        If the settings do not go together.
    """
    data = read_again(bundle)
    if not isinstance(data, PValueTable | ResultSet):
        raise DataError(
            [
                Problem(
                    what="The bundle's data hold no p-values and nothing to make them of.",
                    remedy="Take the bundle anew from the analysis that wrote it.",
                )
            ]
        )
    analysis = analyse(data, bundle.settings, origin=origin_of(bundle), on_progress=on_progress)
    return replace(analysis, tried=dict(bundle.tried))


def origin_of(bundle: Bundle) -> Origin:
    """Where a bundle's data come from; a sample's source where they are that sample's own."""
    for sample in samples():
        if bundle.sample == sample.key:
            return Origin(
                title=sample.title,
                source=sample.source,
                note=sample.note,
                dependence_reason=sample.dependence_reason,
            )
    return Origin(title=bundle.name)


def compare_with_bundle(analysis: Analysis, bundle: Bundle) -> BundleComparison:
    """Compare an analysis with the results that a bundle holds.

    Parameters
    ----------
    analysis : Analysis
        Computed from the bundle's data and settings.
    bundle : Bundle
        From `read_bundle`.
    """
    if not isinstance(bundle.results, dict):
        nothing = "The bundle holds no results to compare with."
        return BundleComparison(same=False, only_last_digits=False, sentences=(nothing,))
    found = [
        each
        for each in differences(json.loads(to_json(analysis)), bundle.results)
        if each.path[0] not in _NOT_NUMBERS
    ]
    wording = [each for each in found if _is_wording(each)]
    missing = [each for each in found if not _is_wording(each) and _is_of_the_format(each)]
    changed = [each for each in found if not _is_wording(each) and not _is_of_the_format(each)]
    relative = [each.relative for each in changed]
    largest = max((value for value in relative if value is not None), default=0.0)
    only_last = bool(changed) and None not in relative and largest < LAST_DIGITS
    sentences = [*_of_versions(bundle)]
    if not changed:
        sentences.insert(0, "Computed anew, every number is the same to the last digit.")
    elif only_last:
        sentences.insert(
            0,
            f"Computed anew, {_counted(len(changed), 'number')} differ from the bundle in the last "
            f"digits only, by at most {largest:.2g} of their size; counts and names are the same.",
        )
    else:
        sentences.insert(0, "Computed anew, the analysis is not the one in the bundle.")
    sentences += _of_data_and_settings(changed)
    sentences += _of_datasets(changed, analysis.table.n_datasets)
    sentences += _of_questions(changed)
    if changed and not only_last and largest > 0.0:
        sentences.append(f"The largest relative difference of two numbers is {largest:.2g}.")
    sentences += _of_missing(missing, bundle)
    if wording and not changed:
        sentences.append(
            "Some sentences are worded otherwise than in the bundle; they are shown as this version "
            "words them."
        )
    return BundleComparison(
        same=not changed, only_last_digits=only_last, sentences=tuple(sentences)
    )


def _is_wording(difference: Difference) -> bool:
    path = difference.path
    return (
        path[0] in _WORDING
        or "sentences" in path
        or "signatures" in path
        or path[-1] in ("signature", "note")
        or "notes" in path
    )


def _is_of_the_format(difference: Difference) -> bool:
    """Whether one version has a part that the other does not know, beside what both have."""
    lost = len(difference.path) == 1 and not difference.only_in_bundle
    return difference.one_sided and not difference.is_entry and not lost


def _of_versions(bundle: Bundle) -> list[str]:
    if bundle.version == __version__:
        return []
    return [
        f"The bundle was written by version {display_name(bundle.version)} and computed anew by "
        f"version {__version__}."
    ]


def _of_data_and_settings(changed: list[Difference]) -> list[str]:
    sentences = []
    for part, words in (
        ("format", "The results have another form"),
        ("data", "The data are read otherwise than in the bundle"),
        ("settings", "The settings are others than in the bundle"),
        ("compared", "What is compared is not the same"),
        ("assessment", "The counts in front or the readings are not the same"),
    ):
        own = [each for each in changed if each.path[0] == part]
        if own:
            shown = "; ".join(each.in_words() for each in own[:_MOST_NAMED])
            more = f"; and {len(own) - _MOST_NAMED} more" if len(own) > _MOST_NAMED else ""
            sentences.append(f"{words}: {shown}{more}.")
    return sentences


def _of_datasets(changed: list[Difference], n_datasets: int) -> list[str]:
    by_dataset: dict[str, Difference] = {}
    for each in changed:
        if each.path[0] == "datasets":
            by_dataset.setdefault(each.path[1] if len(each.path) > 1 else "all", each)
    if not by_dataset:
        return []
    shown = [
        f"{display_name(dataset)} ({each.in_words(from_part=2)})"
        for dataset, each in list(by_dataset.items())[:_MOST_NAMED]
    ]
    more = len(by_dataset) - len(shown)
    listed = ", ".join(shown) + (f" and {more} more" if more else "")
    return [f"Numbers differ on {len(by_dataset)} of {n_datasets} datasets: {listed}."]


def _of_questions(changed: list[Difference]) -> list[str]:
    own = [each for each in changed if each.path[0] in ("questions", "question")]
    if not own:
        return []
    # Counts first: they are what the rest is about.
    own.sort(key=lambda each: each.path[-1] != "k_hat")
    shown = "; ".join(each.in_words(from_part=1) for each in own[:_MOST_NAMED])
    more = f"; and {len(own) - _MOST_NAMED} more" if len(own) > _MOST_NAMED else ""
    return [f"Counts, names or their p-values are not the same: {shown}{more}."]


def _of_missing(missing: list[Difference], bundle: Bundle) -> list[str]:
    sentences = []
    version = display_name(bundle.version)
    for in_bundle, words in (
        (True, f"The bundle, of version {version}, holds what this version cannot restore"),
        (False, f"The bundle, of version {version}, lacks what this version computes"),
    ):
        parts = [each.name() for each in missing if each.only_in_bundle == in_bundle]
        if parts:
            sentences.append(f"{words}: {list_names(list(dict.fromkeys(parts)))}.")
    return sentences


def _counted(n: int, unit: str) -> str:
    return f"{n:,} {unit}" if n == 1 else f"{n:,} {unit}s"

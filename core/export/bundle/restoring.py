"""A bundle opened again: its data read and its analysis computed anew."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace

from ...analysis import Analysis, Origin, analyse
from ...analysis.settings import known_settings
from ...data import PValueTable, ResultSet, read_results
from ...data.reading import Results
from ...data.samples import samples
from .format import Bundle
from .parsing import refused


def read_again(bundle: Bundle) -> Results:
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
    )


def restore_bundle(
    bundle: Bundle, *, on_progress: Callable[[int, int], object] | None = None
) -> Analysis:
    """The analysis of a bundle, computed anew from its data and settings.

    Settings that the data do not have are passed over, as the app does;
    `compare_with_bundle` states them.

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

    Examples
    --------
    >>> from replicability import analyse, read_bundle, read_results, read_sample
    >>> from replicability import restore_bundle, write_bundle
    >>> sample, content = read_sample("six-p-values")
    >>> analysis = analyse(read_results(content))
    >>> packed = write_bundle(analysis, files=[("p.csv", content)], name="p.csv", roles={})
    >>> restore_bundle(read_bundle(packed)).question.answer.k_hat
    1
    """
    data = read_again(bundle)
    if not isinstance(data, PValueTable | ResultSet):
        raise refused("The bundle's data hold no p-values and nothing to make them of.")
    settings, _ = known_settings(data, bundle.settings)
    analysis = analyse(data, settings, origin=origin_of(bundle), on_progress=on_progress)
    return replace(analysis, tried=dict(bundle.tried))


def origin_of(bundle: Bundle) -> Origin:
    """Where a bundle's data come from; a sample's source where they are that sample's own."""
    for sample in samples():
        if bundle.sample == sample.key:
            return Origin.of_sample(sample, bundle.roles)
    names = tuple(name for name, _ in bundle.files)
    return Origin(title=bundle.name, files=names, roles=dict(bundle.roles))

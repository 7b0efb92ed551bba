"""The tables that come with the project, read like any other file."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ..types import Alternative, Dependence
from ..validation import check_choice
from ..version import INSTALLED

_PACKAGE = Path(__file__).resolve().parents[1]
# In the repository beside `core`; in the installed package within it.
SAMPLE_FOLDER = (_PACKAGE if INSTALLED else _PACKAGE.parent) / "sample_data"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One table and what its source says about it."""

    # Short name for links.
    key: str
    # For the person who chooses.
    title: str
    # In the folder of samples.
    file_name: str
    description: str
    # Citation.
    source: str
    # How the datasets depend on each other, as far as it may be relied on.
    dependence: Dependence
    # Why they do so.
    dependence_reason: str
    # What to look for in it.
    note: str
    # What the source says its p-values speak for, where it has any.
    alternative: Alternative = "not-stated"
    # Whether it holds results on every example, to be tested here.
    per_example: bool = False


@cache
def samples() -> tuple[Sample, ...]:
    """Every sample, in the order in which to offer them."""
    described = tomllib.loads((SAMPLE_FOLDER / "samples.toml").read_text(encoding="utf-8"))
    return tuple(Sample(key=key, **entry) for key, entry in described.items())


def read_sample(key: str) -> tuple[Sample, bytes]:
    """One sample and the bytes of its file.

    Raises
    ------
    ValueError
        If there is no such sample; the message lists the keys.

    Examples
    --------
    >>> from replicability import read_sample
    >>> sample, content = read_sample("parsing-redshift")
    >>> sample.title, content[:7]
    ('Dependency parsing, 7 genres: Mate and Redshift', b'dataset')
    """
    by_key = {sample.key: sample for sample in samples()}
    sample = by_key[check_choice(key, tuple(by_key), name="key")]
    return sample, (SAMPLE_FOLDER / sample.file_name).read_bytes()

"""An analysis in one file: the data as they came, the settings, and the results to compare with.

A bundle holds no program and nothing of it is executed: data are read as any
upload is, the rest is JSON that is checked part by part.

The format, number 1
--------------------
A zip archive without folders but `data/`, the same bytes for the same analysis:

replicability-bundle.json
    format, kind and version; name and sample as the data were called; for each
    file its own name, its member and its SHA-256; the SHA-256 of the others.
data/
    The files as they were loaded.
settings.json
    `analysis`, every setting by its name, and `roles`; of what was laid out to be checked,
    `claims`: their lines, what the scores are, the numbers of examples, and whether A and B
    were exchanged.
tried.json
    What was tried, by kind.
results.json
    The analysis as `export.as_json` writes it, to compare with by its `same_number`.
README.txt
    How to open it.
"""

from .comparison import BundleComparison, compare_with_bundle
from .format import Bundle, write_bundle
from .reading import is_bundle, read_bundle, restore_bundle

__all__ = [
    "Bundle",
    "BundleComparison",
    "compare_with_bundle",
    "is_bundle",
    "read_bundle",
    "restore_bundle",
    "write_bundle",
]

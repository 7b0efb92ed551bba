"""An analysis as JSON, the same for the page, the command line and the library.

The format, number 1
--------------------
One object. Its keys keep their order, so that two files can be compared line by line:

format, kind
    1 and "replicability-analysis". A change that could mislead a reader of
    format 1 gives it another number; a key may be added without.
versions
    Of the app, Python and the packages that numbers come from.
origin
    Title, and of a sample its source and note.
data
    As loaded: kind ("published-table" or "results-on-examples"), fingerprint,
    layout and roles by which it was read, datasets, systems, metrics, sizes.
settings
    All of `AnalysisSettings`, by name.
compared
    System A and B after every choice, metric, direction, datasets left out,
    and whether all tests were done.
tried
    What was tried on the data, by kind.
what_was_read, verdict, cautions, unsettled, remarks, signature
    What the first page says; `unsettled` is what more resamples may change.
datasets
    A row for each dataset that counts, in the order of the file, with A and B
    of `compared`: scores, difference, p-values (`p_value` that A is better), and
    in `as_compared` the interval, wins, losses and effect of the same two. Only
    `test` is as the test was run, which exchanging the systems does not change:
    the whole result, of which A is the system that comes first in the file,
    named there as `system_a`. Where that is not A of `compared`, its signs are
    turned, and `p_value_less` is the row's `p_value`.
assessment
    Readings of the p-values, and the counts in front for each claim.
question, questions
    The key of the one asked, and all: counts by every combination with their
    partial conjunction p-values (entry u − 1 for "at least u"), names by the
    closed test, by Holm and by the procedure chosen; in `common_practice` how
    many small p-values count as wins of the claim's system (two-sided ones only
    where it is ahead, if `only_where_ahead`), and the chance 1 − (1 − r)^N of at
    least one where no dataset has a difference, the larger one where p-values do
    not say whether they are one-sided. p-values, adjusted
    p-values and thresholds are in the order of `datasets`.

Floats are written so that they come back the same to the last digit. Other
processors, and other versions of the packages, compute other last digits: numbers
of two files are the same where `export.as_json.same_number` says so, within one
part in 10⁹. NaN, which a missing score is, is null; infinite numbers are the strings
"Infinity" and "-Infinity". What there is nothing of is null as well.
"""

from __future__ import annotations

from typing import Any

from ...analysis import Analysis, AnalysisSettings, statements
from ...analysis.settling import open_answers
from ...version import versions
from .datasets import compared_as_json, data_as_json, rows_as_json
from .questions import assessment_as_json, questions_as_json, verdict_as_json
from .values import plain, written

FORMAT = 1
KIND = "replicability-analysis"


def as_json(analysis: Analysis) -> dict[str, Any]:
    """An analysis as an object of plain values, ready for `json.dumps`.

    Parameters
    ----------
    analysis : Analysis
        From `analysis.analyse`, or what a page shows.

    Returns
    -------
    dict
        In the format that this module describes.

    Examples
    --------
    >>> from replicability import analyse, as_json, read_results, read_sample
    >>> sample, content = read_sample("parsing-redshift")
    >>> table = read_results(content, roles={"alternative": sample.alternative})
    >>> as_json(analyse(table))["datasets"][0]["p_value"]
    0.0979
    """
    origin = analysis.origin
    return {
        "format": FORMAT,
        "kind": KIND,
        "versions": dict(versions()),
        "origin": {"title": origin.title, "source": origin.source, "note": origin.note},
        "data": data_as_json(analysis),
        "settings": settings_as_json(analysis.settings),
        "compared": compared_as_json(analysis),
        "tried": plain(analysis.tried),
        "what_was_read": statements.what_was_read(analysis),
        "verdict": verdict_as_json(analysis),
        "cautions": list(analysis.cautions),
        "unsettled": list(open_answers(analysis)),
        "remarks": list(statements.remarks(analysis)),
        "signature": analysis.signature(analysis.questions[0]),
        "datasets": rows_as_json(analysis),
        "assessment": assessment_as_json(analysis),
        "question": analysis.question.key,
        "questions": questions_as_json(analysis),
    }


def to_json(analysis: Analysis) -> str:
    """`as_json` as text, with a newline at its end.

    Parameters
    ----------
    analysis : Analysis
        From `analysis.analyse`, or what a page shows.

    Examples
    --------
    >>> import json
    >>> from replicability import analyse, as_json, read_results, read_sample, to_json
    >>> sample, content = read_sample("parsing-redshift")
    >>> table = read_results(content, roles={"alternative": sample.alternative})
    >>> analysis = analyse(table)
    >>> json.loads(to_json(analysis)) == as_json(analysis)
    True
    """
    return written(as_json(analysis))


def settings_as_json(settings: AnalysisSettings) -> dict[str, object]:
    """Every setting by its name."""
    found = plain(settings)
    assert isinstance(found, dict)
    return found

"""Analyses of several kinds, for the tests of what is taken away."""

import csv
import io
from functools import cache
from typing import Any

import numpy as np

from core.analysis import Analysis, AnalysisSettings, Origin, analyse
from core.data import PValueTable, ResultSet, read_results, read_sample

HOSTILE_NAMES = (
    *("</script><img src=x onerror=alert(1)>", "<!--<script>alert(1)</script>-->"),
    *("=cmd|' /C calc'!A0", "+1+1", "@SUM(A1)", "\\input{x}", "& % $ # _ { } ~ ^", "[x] *y* --z"),
    *("*star | bar `tick`", "www.example.org http://example.org", '" onmouseover="alert(1)'),
    *("line\u2028separator", "עברית", "long" * 75, "]]> ]\\end{table}"),
)
HOSTILE_SYSTEMS = ("<b>A</b> & _one_", "\u202e=B{}%")


@cache
def of_sample(key: str, settings: AnalysisSettings | None = None) -> Analysis:
    """A sample as the app loads it."""
    sample, content = read_sample(key)
    roles = None if sample.per_example else {"alternative": sample.alternative}
    data = read_results(content, name=sample.file_name, roles=roles)
    assert isinstance(data, PValueTable | ResultSet)
    origin = Origin(title=sample.title, sample=sample)
    chosen = settings or AnalysisSettings(dependence=sample.dependence)
    return analyse(data, chosen, origin=origin)


def analysed(rows: list[list[object]], title: str) -> Analysis:
    """The analysis of a file with these rows, whose name is its title."""
    written = io.StringIO()
    csv.writer(written).writerows(rows)
    data = read_results(written.getvalue().encode(), name=title)
    assert isinstance(data, PValueTable | ResultSet)
    return analyse(data, AnalysisSettings(dependence="independent"), origin=Origin(title=title))


@cache
def hostile_table() -> Analysis:
    """A published table with names that every format could take for markup."""
    rows: list[list[object]] = [["dataset", *HOSTILE_SYSTEMS, "p_value"]]
    for i, name in enumerate(HOSTILE_NAMES):
        rows.append([name, f"{91 + i / 7:.2f}", "90.10", "0.000001" if i % 2 else "0.3"])
    return analysed(rows, "<i>f</i> ${x}$.csv")


@cache
def hostile_results() -> Analysis:
    """Results on examples with such names."""
    rows: list[list[object]] = [["dataset", "example", *HOSTILE_SYSTEMS]]
    for d, name in enumerate(HOSTILE_NAMES):
        for example in range(24):
            right = example % 3 != 0
            rows.append([name, example + 1, int(right), int(right and example % (d + 2) > 0)])
    return analysed(rows, "hostile.csv")


@cache
def resampled(**settings: object) -> Analysis:
    """Eight datasets whose scores lie on no lattice, so that p-values come from resamples."""
    rng = np.random.default_rng(11)
    scores = {}
    for i in range(8):
        base = rng.normal(size=30)
        scores[f"set-{i}"] = {"ours": base + 0.1 * i + rng.normal(size=30), "base": base}
    data = ResultSet.from_scores(scores, metric="quality")
    chosen: dict[str, Any] = {"test": "paired-bootstrap", "n_resamples": 50, **settings}
    return analyse(data, AnalysisSettings(**chosen), origin=Origin(title="resampled"))

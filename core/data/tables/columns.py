"""Which column is which: by its heading, else by what its cells hold."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence

import numpy as np
import pyarrow.compute as pc

from core.data.tables.number_column import NumberColumn, numbers_of
from core.data.tables.numbers import DASH_CLASS, ascii_dashes
from core.data.tables.raw_table import RawTable

DATASET_HEADINGS = (
    "dataset",
    "datasets",
    "data set",
    "data",
    "corpus",
    "benchmark",
    "test set",
    "testset",
    "treebank",
    "task",
    "language",
    "lang",
    "domain",
    "domains",
    "domain pair",
    "genre",
    "datensatz",
    "datensätze",
    "korpus",
    "korpora",
    "sprache",
    "aufgabe",
    "jeu de données",
    "jeux de données",
    "langue",
    "tâche",
    "conjunto de datos",
    "conjuntos de datos",
    "idioma",
    "lengua",
    "tarea",
    "name",
)
P_VALUE_HEADINGS = (
    "p value",
    "p values",
    "pvalue",
    "pvalues",
    "p val",
    "pval",
    "p wert",
    "p werte",
    "pwert",
    "valeur p",
    "valeurs p",
    "valor p",
    "valores p",
    "valor de p",
    "p",
    "sig",
)
SIZE_HEADINGS = (
    "n examples",
    "n",
    "examples",
    "number of examples",
    "num examples",
    "sample size",
    "test size",
    "test set size",
    "size",
    "#test",
    "# test",
    "n test",
    "#examples",
    "# examples",
    "no of examples",
)
# With these a heading says that p-values were adjusted for their number.
_ADJUSTED = (
    "adjusted",
    "adj",
    "corrected",
    "corr",
    "bonferroni",
    "bonf",
    "holm",
    "hochberg",
    "hommel",
    "sidak",
    "šidák",
    "fdr",
    "fwer",
    "bh",
    "benjamini hochberg",
    "by",
)
ADJUSTED_P_HEADINGS = frozenset(
    {
        *(f"{p} {word}" for p in P_VALUE_HEADINGS for word in _ADJUSTED),
        *(f"{word} {p}" for p in P_VALUE_HEADINGS for word in _ADJUSTED),
        *("q value", "q values", "qvalue", "qvalues", "q val", "qval"),
        *("padj", "pval adj", "p holm adjusted", "p bonferroni adjusted", "p fdr adjusted"),
        *("p holm bonferroni", "p fdr bh", "p bh adjusted", "p value holm adjusted"),
        *("p adjusted holm", "p adj holm", "p adj bonferroni", "p adj fdr", "p adj bh"),
    }
)
# Numbers that stand beside scores and are none.
NO_SCORE_HEADINGS = ADJUSTED_P_HEADINGS | frozenset(
    {"difference", "differences", "diff", "diffs", "delta", "δ", "gain", "rank", "id", "index",
     "no", "nr", "#", "year", "se", "sem", "standard error", "std error", "stderr", "std err",
     "std", "stdev", "std dev", "standard deviation", "sd", "var", "variance", "variances",
     "t", "t value", "t stat", "t statistic", "z", "z value", "z stat", "z statistic", "df", "q",
     "chi2", "chi square", "chi squared", "statistic", "test statistic", "alpha", "significant",
     "significance", "effect size", "cohens d", "cohen's d", "odds ratio",
     "ci", "ci low", "ci high", "ci lower", "ci upper", "ci lo", "ci hi", "low ci", "high ci",
     "lower ci", "upper ci", "lower", "upper", "lower bound", "upper bound", "ci lower bound",
     "ci upper bound", "lower 95", "upper 95", "wins", "losses", "ties", "win", "tie", "draws",
     "n wins", "n losses", "n ties", "a wins", "b wins", "wins a", "wins b",
     "n shared", "n common", "n overlap", "n both", "n pairs", "n paired", "n a", "n b",
     "shared", "overlap"}
)  # fmt: skip

# A number with decimals, then a mark, and more marks, digits and single letters. Brackets
# may hold an interval, which is another column's matter.
_MARKED = (
    rf"^[*_]{{0,3}}[+{DASH_CLASS}]?[0-9]*"
    r"[.,][0-9]+%?\s*[\^_*†‡§¶∗⋆★#$\\{]"
    r"([\^_*†‡§¶∗⋆★#+$\\{}±,.0-9\s]|\b[a-zA-Z]\b)*$"
)


# Pr(>|t|), P>|z| and Prob > F, as programs of statistics print them above p-values.
_OF_A_TAIL = re.compile(r"p(r|rob)?\s*\(?\s*>\s*(\|\s*[a-z]\s*\||f|chi-?(sq|2|square)?)\s*\)?")


def heading(name: str) -> str:
    """A column name without case, punctuation and what stands in brackets.

    What says that its numbers are chances of a tail is "p value": its brackets hold more
    than an addition.
    """
    plain = _folded_heading(name)
    if _OF_A_TAIL.fullmatch(plain.strip()):
        return "p value"
    outside = re.sub(r"[(\[][^()\[\]]*[)\]]", " ", plain)
    return " ".join(re.sub(r"[-_\s.:,]+", " ", outside).split())


def stated_sidedness(name: str) -> str | None:
    """How many sides a p-value's column name states: "one-sided", "two-sided" or nothing."""
    plain = re.sub(r"[-_\s]+", " ", _folded_heading(name))
    found = re.search(r"\b(one|two|1|2) ?(sided|tailed)\b", plain)
    if found is None:
        return None
    return "one-sided" if found[1] in ("one", "1") else "two-sided"


def p_value_heading(name: str) -> str:
    """As `heading`, without how many sides the p-value has."""
    sides = r"\b(one|two|1|2)[-_\s]?(sided|tailed)\b"
    return heading(re.sub(sides, "", _folded_heading(name).replace("_", " ")))


def _folded_heading(name: str) -> str:
    """A column name in small letters, every dash as "-"."""
    return ascii_dashes(unicodedata.normalize("NFKC", name)).casefold()


def find_column(
    columns: Iterable[str],
    headings: Sequence[str],
    *,
    taken: Collection[str] = (),
) -> str | None:
    """The column with the earliest of `headings`, the first in the file among equals."""
    free = [column for column in columns if column not in taken]
    by_heading = {heading(column): column for column in reversed(free)}
    for wanted in headings:
        if wanted in by_heading:
            return by_heading[wanted]
    return None


def is_numeric(raw: RawTable, column: str) -> bool:
    """Whether nearly all cells that are not blank hold numbers.

    One in five may be something else, and always one cell: it is then reported
    as wrong, not taken for a sign that the column holds text. So is any number of
    cells that hold a number with a mark which cannot be read.
    """
    numbers = numbers_of(raw, column)
    marked = _n_marked(numbers)
    n_others, n_numbers = numbers.n_others - marked, numbers.n_numbers + marked
    return n_numbers > 0 and n_others <= max(1, (n_numbers + n_others) // 5)


def is_textual(raw: RawTable, column: str) -> bool:
    """Whether most cells are something else than numbers."""
    numbers = numbers_of(raw, column)
    marked = _n_marked(numbers) if numbers.n_numbers < numbers.n_others else 0
    return numbers.n_numbers + marked < numbers.n_others - marked


def _n_marked(numbers: NumberColumn) -> int:
    """Number of rows that hold a number with decimals and an unreadable mark behind it."""
    if not numbers.n_others:
        return 0
    matched = pc.match_substring_regex(numbers.coded.array, _MARKED)
    marked = np.isnan(numbers.text_values) & matched.to_numpy(zero_copy_only=False)
    if numbers.coded.one_each:
        return int(np.count_nonzero(marked))
    return int(numbers.coded.counts[marked].sum())


def folded(name: str) -> str:
    """A name without case and Unicode form, to find names that look the same."""
    return unicodedata.normalize("NFKC", name).casefold()

r"""The works that a methods paragraph may cite, and sentences with citations, as plain text or as LaTeX.

Of works only details that were checked are given: a number that could not be vouched for is left
out.

Vocabulary
----------
piece
    Plain text, a citation, or a line that is copied as it stands. Text and
    citations are different things, so that no name from a file can be taken for
    a citation.
passage
    Pieces in reading order: one paragraph.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from ..words.formatting import (
    LATEX_PUNCTUATION,
    display_name,
    joined,
    latex_typewriter,
    latex_within,
)

_ACCENTS = str.maketrans(
    {
        "á": r"{\'a}",
        "ć": r"{\'c}",
        "é": r"{\'e}",
        "í": r"{\'i}",
        "ó": r"{\'o}",
        "ø": r"{\o}",
        "ü": r"{\"u}",
        "&": r"\&",
        **LATEX_PUNCTUATION,
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """One work.

    `text` stands in a list of references, `cited_as` within a sentence: "Dror et al. 2017". `bibtex`
    is in ASCII: accents, dashes and ampersands are LaTeX's.
    """

    key: str
    text: str
    bibtex: str
    cited_as: str


def _work(
    kind: str,
    key: str,
    authors: str,
    title: str,
    source: str,
    place: str,
    year: str,
    edition: str = "",
) -> Reference:
    """A work from its line below."""
    if kind == "article":
        volume, _, pages = place.partition(", ")
        volume, _, number = volume.rstrip(")").partition("(")
        numbered = {"number": number} if number else {}
        where = {"journal": source, "volume": volume, **numbered, "pages": pages}
        found_in = f"{source} {place}"
    elif kind == "inproceedings":
        where = {"booktitle": source, "pages": place}
        found_in = f"In {source}, pages {place}"
    else:
        where = {"publisher": source, "address": place}
        where |= {"edition": edition} if edition else {}
        found_in = f"{f'{edition} edition, ' if edition else ''}{source}, {place}"
    fields = {"author": authors, "title": title, **where, "year": year}
    lines = [f"  {name} = {{{value.translate(_ACCENTS)}}}," for name, value in fields.items()]
    people = [author.split(", ") for author in authors.split(" and ")]
    names = joined([" ".join(reversed(parts)) for parts in people])
    plain = title.replace("{", "").replace("}", "")
    end = "" if plain.endswith("?") else "."
    last = [parts[0] for parts in people]
    return Reference(
        key=key,
        text=f"{names} ({year}). {plain}{end} {found_in}.",
        bibtex="\n".join([f"@{kind}{{{key},", *lines, "}"]),
        cited_as=f"{joined(last) if len(last) < 3 else f'{last[0]} et al.'} {year}",
    )


# A work a line: kind | key | authors, as in BibTeX "Last, First and Last, First" | title, in which
# braces keep capitals | journal, proceedings or publisher | volume(number), pages; pages; or the
# publisher's city | year | a book's edition.
_TABLE = """
# Counting and naming datasets.
article | dror2017replicability | Dror, Rotem and Baumer, Gili and Bogomolov, Marina and Reichart, Roi | Replicability Analysis for Natural Language Processing: Testing Significance with Multiple Datasets | Transactions of the Association for Computational Linguistics | 5, 471–486 | 2017
article | benjamini2008screening | Benjamini, Yoav and Heller, Ruth | Screening for Partial Conjunction Hypotheses | Biometrics | 64(4), 1215–1222 | 2008
article | dunn1961multiple | Dunn, Olive Jean | Multiple Comparisons among Means | Journal of the American Statistical Association | 56(293), 52–64 | 1961
article | simes1986improved | Simes, R. John | An Improved {Bonferroni} Procedure for Multiple Tests of Significance | Biometrika | 73(3), 751–754 | 1986
book | westfall1993resampling | Westfall, Peter H. and Young, S. Stanley | Resampling-Based Multiple Testing: Examples and Methods for {p-Value} Adjustment | Wiley | New York | 1993
article | vesely2023permutation | Vesely, Anna and Finos, Livio and Goeman, Jelle J. | Permutation-Based True Discovery Guarantee by Sum Tests | Journal of the Royal Statistical Society, Series B | 85(3), 664–683 | 2023
book | fisher1932statistical | Fisher, Ronald A. | Statistical Methods for Research Workers | Oliver and Boyd | Edinburgh | 1932 | 4th
book | stouffer1949american | Stouffer, Samuel A. and Suchman, Edward A. and DeVinney, Leland C. and Star, Shirley A. and Williams, Robin M. | The American Soldier: Adjustment During Army Life | Princeton University Press | Princeton | 1949
article | holm1979simple | Holm, Sture | A Simple Sequentially Rejective Multiple Test Procedure | Scandinavian Journal of Statistics | 6(2), 65–70 | 1979
article | hochberg1988sharper | Hochberg, Yosef | A Sharper {Bonferroni} Procedure for Multiple Tests of Significance | Biometrika | 75(4), 800–802 | 1988
article | hommel1988stagewise | Hommel, Gerhard | A Stagewise Rejective Multiple Test Procedure Based on a Modified {Bonferroni} Test | Biometrika | 75(2), 383–386 | 1988
article | benjamini1995controlling | Benjamini, Yoav and Hochberg, Yosef | Controlling the False Discovery Rate: A Practical and Powerful Approach to Multiple Testing | Journal of the Royal Statistical Society, Series B | 57(1), 289–300 | 1995
article | benjamini2001control | Benjamini, Yoav and Yekutieli, Daniel | The Control of the False Discovery Rate in Multiple Testing under Dependency | The Annals of Statistics | 29(4), 1165–1188 | 2001
article | marcus1976closed | Marcus, Ruth and Peritz, Eric and Gabriel, K. Ruben | On Closed Testing Procedures with Special Reference to Ordered Analysis of Variance | Biometrika | 63(3), 655–660 | 1976
article | goeman2011multiple | Goeman, Jelle J. and Solari, Aldo | Multiple Testing for Exploratory Research | Statistical Science | 26(4), 584–597 | 2011
article | goeman2019simultaneous | Goeman, Jelle J. and Meijer, Rosa J. and Krebs, Thijmen J. P. and Solari, Aldo | Simultaneous Control of All False Discovery Proportions in Large-Scale Multiple Hypothesis Testing | Biometrika | 106(4), 841–856 | 2019
# Tests on one dataset.
inproceedings | bergkirkpatrick2012empirical | Berg-Kirkpatrick, Taylor and Burkett, David and Klein, Dan | An Empirical Investigation of Statistical Significance in {NLP} | Proceedings of the 2012 Joint Conference on Empirical Methods in Natural Language Processing and Computational Natural Language Learning | 995–1005 | 2012
inproceedings | sogaard2014whats | Søgaard, Anders and Johannsen, Anders and Plank, Barbara and Hovy, Dirk and Martínez Alonso, Hector | What’s in a p-value in {NLP}? | Proceedings of the Eighteenth Conference on Computational Natural Language Learning | 1–10 | 2014
book | noreen1989computer | Noreen, Eric W. | Computer-Intensive Methods for Testing Hypotheses: An Introduction | Wiley | New York | 1989
article | deutsch2021statistical | Deutsch, Daniel and Dror, Rotem and Roth, Dan | A Statistical Analysis of Summarization Evaluation Metrics Using Resampling Methods | Transactions of the Association for Computational Linguistics | 9, 1132–1146 | 2021
article | wilcoxon1945individual | Wilcoxon, Frank | Individual Comparisons by Ranking Methods | Biometrics Bulletin | 1(6), 80–83 | 1945
article | pratt1959remarks | Pratt, John W. | Remarks on Zeros and Ties in the {Wilcoxon} Signed Rank Procedures | Journal of the American Statistical Association | 54(287), 655–667 | 1959
article | tango1998equivalence | Tango, Toshiro | Equivalence Test and Confidence Interval for the Difference in Proportions for the Paired-Sample Design | Statistics in Medicine | 17(8), 891–908 | 1998
article | fay2021confidence | Fay, Michael P. and Lumbard, Keith | Confidence Intervals for Difference in Proportions for Matched Pairs Compatible with Exact {McNemar}'s or Sign Tests | Statistics in Medicine | 40(5), 1147–1159 | 2021
article | mcnemar1947note | McNemar, Quinn | Note on the Sampling Error of the Difference between Correlated Proportions or Percentages | Psychometrika | 12(2), 153–157 | 1947
article | edwards1948note | Edwards, Allen L. | Note on the “Correction for Continuity” in Testing the Significance of the Difference between Correlated Proportions | Psychometrika | 13(3), 185–187 | 1948
article | fagerland2013mcnemar | Fagerland, Morten W. and Lydersen, Stian and Laake, Petter | The {McNemar} Test for Binary Matched-Pairs Data: Mid-p and Asymptotic Are Better than Exact Conditional | BMC Medical Research Methodology | 13, 91 | 2013
article | dixon1946statistical | Dixon, Wilfrid J. and Mood, Alexander M. | The Statistical Sign Test | Journal of the American Statistical Association | 41(236), 557–566 | 1946
article | student1908probable | Student | The Probable Error of a Mean | Biometrika | 6(1), 1–25 | 1908
article | williams1959comparison | Williams, Evan J. | The Comparison of Regression Variables | Journal of the Royal Statistical Society, Series B | 21(2), 396–399 | 1959
article | steiger1980tests | Steiger, James H. | Tests for Comparing Elements of a Correlation Matrix | Psychological Bulletin | 87(2), 245–251 | 1980
article | meng1992comparing | Meng, Xiao-Li and Rosenthal, Robert and Rubin, Donald B. | Comparing Correlated Correlation Coefficients | Psychological Bulletin | 111(1), 172–175 | 1992
article | robbins1970statistical | Robbins, Herbert | Statistical Methods Related to the Law of the Iterated Logarithm | The Annals of Mathematical Statistics | 41(5), 1397–1409 | 1970
# Intervals.
book | efron1993introduction | Efron, Bradley and Tibshirani, Robert J. | An Introduction to the Bootstrap | Chapman & Hall | New York | 1993
book | davison1997bootstrap | Davison, Anthony C. and Hinkley, David V. | Bootstrap Methods and Their Application | Cambridge University Press | Cambridge | 1997
article | efron1987better | Efron, Bradley | Better Bootstrap Confidence Intervals | Journal of the American Statistical Association | 82(397), 171–185 | 1987
article | diciccio1996bootstrap | DiCiccio, Thomas J. and Efron, Bradley | Bootstrap Confidence Intervals | Statistical Science | 11(3), 189–228 | 1996
# Metrics.
inproceedings | papineni2002bleu | Papineni, Kishore and Roukos, Salim and Ward, Todd and Zhu, Wei-Jing | {Bleu}: A Method for Automatic Evaluation of Machine Translation | Proceedings of the 40th Annual Meeting of the Association for Computational Linguistics | 311–318 | 2002
inproceedings | popovic2015chrf | Popović, Maja | {chrF}: Character n-gram {F}-score for Automatic {MT} Evaluation | Proceedings of the Tenth Workshop on Statistical Machine Translation | 392–395 | 2015
inproceedings | snover2006study | Snover, Matthew and Dorr, Bonnie and Schwartz, Rich and Micciulla, Linnea and Makhoul, John | A Study of Translation Edit Rate with Targeted Human Annotation | Proceedings of the 7th Conference of the Association for Machine Translation in the Americas: Technical Papers | 223–231 | 2006
article | och2003systematic | Och, Franz Josef and Ney, Hermann | A Systematic Comparison of Various Statistical Alignment Models | Computational Linguistics | 29(1), 19–51 | 2003
article | matthews1975comparison | Matthews, Brian W. | Comparison of the Predicted and Observed Secondary Structure of {T4} Phage Lysozyme | Biochimica et Biophysica Acta | 405(2), 442–451 | 1975
"""
WORKS: Mapping[str, Reference] = MappingProxyType(
    {
        work.key: work
        for line in _TABLE.splitlines()
        if " | " in line
        for work in [_work(*line.split(" | "))]
    }
)


@dataclass(frozen=True, slots=True)
class Citation:
    """Works in parentheses, after the words that they stand for."""

    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Verbatim:
    """A line that is copied, such as a signature."""

    text: str


Piece = str | Citation | Verbatim
Sentence = Piece | Sequence[Piece]
Passage = tuple[Piece, ...]


def cite(*keys: str) -> Piece:
    """Cite works by their keys; nothing of none."""
    return Citation(keys) if keys else ""


def passage(*sentences: Sentence) -> Passage:
    """A paragraph of sentences, a space between them; empty ones are left out."""
    pieces: list[Piece] = []
    for sentence in sentences:
        own = [sentence] if isinstance(sentence, str | Citation | Verbatim) else list(sentence)
        own = [piece for piece in own if piece]
        if own and pieces:
            own.insert(0, " ")
        pieces.extend(own)
    return tuple(pieces)


def in_plain_text(pieces: Passage) -> str:
    """The paragraph as plain text, works cited as "(Dror et al. 2017)"."""
    return "".join(_plain(piece) for piece in pieces)


def in_latex(pieces: Passage) -> str:
    r"""The paragraph as LaTeX, works cited by ``\citep``, all else escaped."""
    return "".join(_piece_in_latex(piece) for piece in pieces)


def cited_keys(passages: Iterable[Passage]) -> tuple[str, ...]:
    """The keys cited, each once, in the order of their first citation."""
    keys = [
        key
        for pieces in passages
        for piece in pieces
        if isinstance(piece, Citation)
        for key in piece.keys
    ]
    return tuple(dict.fromkeys(keys))


def full_name(name: str) -> str:
    """A name from a file as it is taken away: whole, and harmless in a sentence."""
    return display_name(name, most=len(name) + 1)


def names_in_full(names: Sequence[str]) -> str:
    """All names, as "BC, MZ and NW"."""
    return joined([full_name(name) for name in names])


def _plain(piece: Piece) -> str:
    if isinstance(piece, Citation):
        return f" ({'; '.join(WORKS[key].cited_as for key in piece.keys)})"
    return f"“{piece.text}”" if isinstance(piece, Verbatim) else piece


def _piece_in_latex(piece: Piece) -> str:
    if isinstance(piece, Citation):
        return rf" \citep{{{','.join(piece.keys)}}}"
    if isinstance(piece, Verbatim):
        return latex_typewriter(piece.text)
    return latex_within(piece)

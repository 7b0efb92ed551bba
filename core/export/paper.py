"""The table of datasets as a paper prints it: booktabs, in one column or over both.

Vocabulary
----------
form
    "narrow" fits one column of a two-column page (``table``); "wide" goes over both
    (``table*``) and adds sizes, differences and adjusted p-values.
winner's mark
    ★ stands on the score of the system that is significantly better after the procedure's
    correction, † where only the count's closed test identifies the dataset. Without scores
    both stand on the p-value.
"""

from collections.abc import Sequence
from operator import add
from textwrap import wrap
from typing import Literal, NamedTuple, get_args

from ..analysis import Analysis, statements
from ..analysis.settings import own_margins
from ..comparison import BETTER, comparison_named
from ..data.sources.files import zipped
from ..methods.results import (
    bibtex_of,
    decimals_of,
    methods_latex,
    metric_of_table,
    results_sentences,
    test_titles,
    unsettled_sentence,
)
from ..replicability.combinations import counting_method_named
from ..replicability.identification import OF_JOINT_FLIPS, procedure_named
from ..sections.marked import interval_left, intervals_of, marked_table, scores_of
from ..sections.parts import Grid
from ..types import FloatArray
from ..validation import check_choice, names_of
from ..version import __version__
from ..words.formatting import (
    counted,
    display_name,
    format_confidence,
    format_errors,
    format_level,
    format_p_value,
    latex,
    minus,
    printed_number,
    signed,
    whole_name,
)
from ..words.reading import zeros_of
from ..words.subject import Question
from .as_json import to_json
from .paper_figures import paper_plots, pgfplots, svg

Form = Literal["wide", "narrow"]
FORMS: tuple[Form, ...] = get_args(Form)
STAR, DAGGER = "★", "†"
# A longer table is set over several pages, which needs one column.
_LONGEST_ON_A_PAGE = 50
_LONGEST_NAME, _WIDEST_HEADING = 28, 14


def _breakable(text: str) -> str:
    """Text as LaTeX, in which words too long for a column may be broken."""
    words = text.split()
    if all(len(word) <= _LONGEST_NAME for word in words):
        return latex(text)
    pieces = ([word[i : i + 12] for i in range(0, len(word), 12)] for word in words)
    return " ".join(r"\allowbreak{}".join(map(latex, own)) for own in pieces)


def _heading(text: str) -> str:
    """A heading as LaTeX; the lines of a long one stand above each other."""
    lines = r"\\".join(map(latex, wrap(text, _WIDEST_HEADING) or [text]))
    return rf"\shortstack[r]{{{lines}}}" if r"\\" in lines else lines


def _cell(text: str) -> str:
    """A cell as LaTeX; its mark hangs out, so that digits stay below each other."""
    bare = text.rstrip(STAR + DAGGER)
    mark = text[len(bare) :]
    return _breakable(bare) + (rf"\rlap{{{latex(mark)}}}" if mark else "")


def marks_of(analysis: Analysis, question: Question) -> tuple[str, ...]:
    """For each dataset ★, † or nothing: what the procedure finds, and what only the count's test does."""
    return tuple(mark[:1] for mark in marked_table(analysis, question).marks)


def paper_table(analysis: Analysis, *, form: Form = "wide") -> str:
    r"""The table as LaTeX with caption and label ``tab:replicability``."""
    grid, is_wide = paper_grid(analysis, form=form), form == "wide"
    head = " & ".join(map(_heading, grid.header)) + r" \\"
    rows = [" & ".join(map(_cell, row)) + r" \\" for row in grid.rows]
    aligned = "".join("r" if numeric else "l" for numeric in grid.numeric)
    if max(len(row[0]) for row in grid.rows) > _LONGEST_NAME:
        # Longer names are broken, so that the table keeps to its column.
        share = r"0.28\textwidth" if is_wide else r"0.4\columnwidth"
        aligned = rf"p{{{share}}}{aligned[1:]}"
    # Points beside each cell: as many as the width of a page leaves.
    n_columns = len(grid.header)
    between = (6 if n_columns < 8 else 3) if is_wide else 4 if n_columns < 5 else 3
    said = rf"\caption{{{latex(grid.caption)}}}\label{{tab:replicability}}"
    other_script = any(ord(c) > 0x24F and latex(c) == c for c in f"{grid.caption}{head}{rows}")
    needs = ["% names in other scripts need LuaLaTeX or XeLaTeX"] if other_script else []
    place = "table*" if is_wide else "table"
    opening = [
        r"% needs \usepackage[T1]{fontenc} and \usepackage{booktabs}",
        *needs,
        rf"\begin{{{place}}}[t]",
        r"\centering\small",
        rf"\setlength{{\tabcolsep}}{{{between}pt}}",
        rf"\begin{{tabular}}{{{aligned}}}",
    ]
    heading = [r"\toprule", head, r"\midrule"]
    closing = [r"\bottomrule", r"\end{tabular}", said, rf"\end{{{place}}}"]
    if len(rows) > _LONGEST_ON_A_PAGE:
        opening = [
            r"% needs \usepackage{booktabs,longtable}, and \onecolumn before it",
            *needs,
            rf"\begin{{longtable}}{{{aligned}}}",
            rf"{said}\\",
        ]
        heading.append(r"\endhead")
        closing = [r"\bottomrule", r"\end{longtable}"]
    return "\n".join([*opening, *heading, *rows, *closing, ""])


def paper_grid(analysis: Analysis, *, form: Form = "wide") -> Grid:
    """The same table as a reader of the paper sees it."""
    is_wide = check_choice(form, FORMS, name="form") == "wide"
    header, columns = zip(*_columns(analysis, is_wide), strict=True)
    return Grid(
        header=header,
        rows=tuple(zip(*columns, strict=True)),
        numeric=(False, *(True for _ in header[1:])),
        caption=_caption(analysis, is_wide),
    )


def _columns(analysis: Analysis, is_wide: bool) -> list[tuple[str, Sequence[str]]]:
    """Headings and cells: datasets, scores with the winners' marks, differences and p-values."""
    table, asked = analysis.table, statements.stated(analysis, analysis.question)
    decimals, several = decimals_of(analysis), len(asked) > 1
    marks = {question.claim: marks_of(analysis, question) for question in asked}
    none = ("",) * table.n_datasets
    found: list[tuple[str, Sequence[str]]] = [("Dataset", [*map(whole_name, table.datasets)])]
    if is_wide and table.n_examples is not None:
        found.append(("n", [f"{n:,}" for n in table.n_examples.tolist()]))
    margins = own_margins(analysis.data, analysis.settings, table.datasets)
    found += [("Margin", margins)] if margins else []
    scored = scores_of(table)
    by_scores = len(scored) == 2 and "differ" not in marks
    for claim, name, printed, scores in scored:
        cells = [minus(f"{s:.{decimals}f}") if s == s else "" for s in scores]
        if printed is not None:
            cells = [whole_name(text) for text in printed]
        own = marks.get(claim, none) if len(scored) == 2 else none
        found.append((display_name(name), [*map(add, cells, own)]))
    if is_wide and table.differences is not None:
        found.append(("Diff.", [signed(d, decimals) for d in table.differences.tolist()]))
        left = interval_left(analysis)
        if left is not None:
            cells = [
                "" if ends is None else f"[{', '.join(signed(end, decimals) for end in ends)}]"
                for ends in intervals_of(analysis)
            ]
            found.append((f"{format_confidence(left)} CI", cells))
    if analysis.printed:
        cells = [printed_number(whole_name(text)) for text in table.printed]
        own = none if by_scores or several else marks[asked[0].claim]
        found.append(("p", [*map(add, cells, own)]))
    for question in asked:
        letters = {"a-better": " (A)", "b-better": " (B)"}
        letter = letters.get(question.claim, "") if several else ""
        if not analysis.printed:
            cells = _written(analysis, question.answer.p_values)
            own = none if by_scores else marks[question.claim]
            found.append((f"p{letter}", [*map(add, cells, own)]))
        if is_wide and table.n_datasets > 1:
            names = analysis.identification(question, analysis.procedure)
            found.append((f"adj. p{letter}", _written(analysis, names.adjusted_p_values)))
    return found


def _caption(analysis: Analysis, is_wide: bool) -> str:
    """Metric, N, test, and what each mark that occurs means."""
    table, asked = analysis.table, statements.stated(analysis, analysis.question)
    a, b = display_name(table.system_a), display_name(table.system_b)
    n, several = table.n_datasets, len(asked) > 1
    where = "1 dataset" if n == 1 else f"N = {n:,} datasets"
    metric = metric_of_table(analysis) or "Scores"
    named = [
        name + (letter if several and name != letter[2] else "")
        for name, letter in ((a, " (A)"), (b, " (B)"))
    ]
    what = f"{metric} of " if table.scores_a is not None or table.scores_b is not None else ""
    sentences = [f"{what}{named[0]} and {named[1]} on {where}."]
    left, takes_margin = interval_left(analysis), comparison_named(table.claim).takes_margin
    if is_wide and table.differences is not None:
        first, second = (a, b) if table.higher_is_better else (b, a)
        sentences.append(f"Diff.: {first} − {second}.")
        if left is not None and takes_margin:
            # Intervals stand at another level than the count.
            sentences.append(
                f"{format_confidence(left)} CI: the 1 − 2α interval, of two one-sided tests at "
                f"α = {format_level(left / 2.0)} each."
            )
    sentences += [_tested(analysis, asked), zeros_of(table)]
    joint = analysis.joint(analysis.question)
    if is_wide and joint is not None and analysis.procedure in names_of(OF_JOINT_FLIPS):
        flips = f"{joint.flips.n_flips:,}"
        drawn = f"all {flips}" if joint.flips.exact else f"{flips} random"
        title = procedure_named(analysis.procedure).title
        sentences.append(f"p is of each dataset alone, adj. p of the {title} with {drawn} flips.")
    sentences.append(statements.lead(analysis, analysis.question) if n > 1 else "")
    sentences += [unsettled_sentence(analysis), *_of_marks(analysis, asked)]
    if analysis.subject.n_untested:
        sentences.append(f"{counted(analysis.subject.n_untested, 'dataset')} not tested: p = 1.")
    return " ".join(sentence for sentence in sentences if sentence)


def _of_marks(analysis: Analysis, asked: Sequence[Question]) -> list[str]:
    """What each mark that occurs means."""
    subject, settings = analysis.subject, analysis.settings
    procedure, n = procedure_named(analysis.procedure), analysis.table.n_datasets
    used = {mark for question in asked for mark in marks_of(analysis, question)}
    level = f"α = {format_level(settings.alpha)}{' in each direction' * (len(asked) > 1)}"
    found = []
    if STAR in used:
        guaranteed = procedure.guarantee.format(level=format_errors(settings.alpha))
        if any(question.answer.complement for question in asked):
            guaranteed = "approximate, from 1 − p of the other system's tests; no guarantee"
        whose = f"the system {subject.is_significantly_better} than the other"
        if subject.comparison != BETTER:
            whose = subject.claim("a-better")
        if asked[0].claim == "differ":
            whose = "the systems differ significantly"
        worth = f"{procedure.correction} ({level}; {guaranteed})" if n > 1 else f"at {level}"
        found.append(f"{STAR}: {whose} {worth}.")
    elif n > 1:
        found.append(f"No dataset is significant {procedure.correction} ({level}).")
    if DAGGER in used:
        combination = counting_method_named(asked[0].answer.combination)
        found.append(
            f"{DAGGER}: significant by the closed {combination.title} test (same α), if "
            f"{combination.condition}."
        )
    return found


def _written(analysis: Analysis, p_values: FloatArray) -> list[str]:
    """p-values as text; a dataset that is not tested has none, though it counts with p = 1."""
    results = analysis.table.results
    tested = [True] * p_values.size if results is None else [one is not None for one in results]
    alpha = analysis.settings.alpha
    return [
        format_p_value(p, alpha=alpha) if known else "–"
        for p, known in zip(p_values.tolist(), tested, strict=True)
    ]


def _tested(analysis: Analysis, asked: Sequence[Question]) -> str:
    """Of which tests the p-values are."""
    if analysis.printed:
        published = "p: p-values as published."
        taken = {
            "two-sided": "p/2 for the system that is ahead and 1 − p/2 for the other",
            "toward-higher-score": "p for the system that is ahead and 1 − p for the other",
        }.get(asked[0].reading)
        if taken is None or asked[0].claim == "differ":
            return published
        what = "Counts, marks and adjusted p-values take"
        return f"{published} {what if analysis.table.n_datasets > 1 else 'The mark takes'} {taken}."
    listed = " or ".join(test_titles(analysis.table))
    if not listed:
        return ""
    if len(asked) > 1:
        return f"p (A), p (B): one-sided p-values for A and for B by {listed}."
    return f"p: {comparison_named(analysis.table.claim).p_values} by {listed}."


class PaperPiece(NamedTuple):
    """One file for a paper.

    `needs` is what a document must load for it; may be empty.
    """

    name: str
    title: str
    text: str
    needs: str = ""


def paper_pieces(analysis: Analysis, *, form: Form = "wide") -> tuple[PaperPiece, ...]:
    """The pieces in the order in which a paper uses them."""
    table, methods = paper_table(analysis, form=form), methods_latex(analysis)
    results = f"{latex(' '.join(results_sentences(analysis)))}\n"
    pieces = [
        PaperPiece("table.tex", "Table of the datasets", table, "booktabs"),
        PaperPiece("results.tex", "Results, in a few sentences", results),
        PaperPiece("methods.tex", "Methods, in past tense", methods, "natbib"),
        PaperPiece("references.bib", "References of the methods", bibtex_of(analysis)),
    ]
    titles = {"forest": "Forest plot of the differences", "staircase": "Staircase of the count"}
    for plot in paper_plots(analysis):
        name, title = plot.name, titles[plot.name]
        pieces += [
            PaperPiece(f"{name}.tex", f"{title} (pgfplots)", pgfplots(plot), "pgfplots"),
            PaperPiece(f"{name}.svg", f"{title} (SVG)", svg(plot)),
        ]
    return tuple(pieces)


def paper_zip(analysis: Analysis, *, form: Form = "wide", bundle: bytes | None = None) -> bytes:
    """All pieces, the analysis as JSON, and a README, in one zip archive.

    `bundle`, from `write_bundle`, restores the analysis.
    """
    pieces = paper_pieces(analysis, form=form)
    members: dict[str, bytes] = {piece.name: piece.text.encode() for piece in pieces}
    members["analysis.json"] = to_json(analysis).encode()
    if bundle is not None:
        members["bundle.zip"] = bundle
    members["README.txt"] = _readme(analysis, pieces, with_bundle=bundle is not None).encode()
    return zipped(members)


def _readme(analysis: Analysis, pieces: tuple[PaperPiece, ...], *, with_bundle: bool) -> str:
    needs = dict.fromkeys(piece.needs for piece in pieces if piece.needs)
    lines = [
        "Pieces for a paper",
        "",
        *filter(None, [whole_name(analysis.origin.title)]),
        analysis.signature(analysis.question),
        f"Written by the replicability dashboard, version {__version__}.",
        *filter(None, [unsettled_sentence(analysis)]),
        "",
        *(f"  {piece.name}: {piece.title}" for piece in pieces),
        "  analysis.json: every number and setting",
        *(["  bundle.zip: data and settings; drop it on the Upload page"] if with_bundle else []),
        "",
        "In the preamble:",
        r"  \usepackage[T1]{fontenc}",
        *(f"  \\usepackage{{{name}}}" for name in needs),
        *([r"  \pgfplotsset{compat=1.17}"] if "pgfplots" in needs else []),
        "",
        "In the text:",
        r"  \input{table}  \input{results}  \input{methods}  \bibliography{references}",
        "",
        "Names in scripts other than Latin need XeLaTeX or LuaLaTeX with a font that has them.",
    ]
    return "\n".join(lines) + "\n"

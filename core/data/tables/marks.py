"""Marks and emphasis in cells and names, and what legends say of marks: ``* p < .05, ** p < .01``."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ...document import SIGNS
from ...errors import Choice, answers, first_of, listed, quoted
from ..roles import LAYOUT, Roles, column_of
from .cutting import consists_of, texts_to_look_at
from .directions import names_metric
from .headings import TITLE, find_column, is_named, names_p_values, stated_sidedness
from .markup import MATH, PRINTED_NUMBER, without_latex, without_markdown, without_tags
from .number_column import is_numeric, is_textual, may_hold_scores
from .numbers import NOT_SIGNIFICANT, NOTHING_WORDS
from .raw_table import PutTogether, RawTable

# The beginning of a cell with markup, and a digit in it; longer texts are no numbers.
_MAY_HOLD_MARKUP = r"^(\*|__|[<$\\]|[<>=≤≥≈~]?\s*[+\-−]?[0-9.,]+%?\s*[\\^\\$<_]).{0,80}$"
_SHARE = re.compile(r"([0-9]{1,7}) ?/ ?([1-9][0-9]{0,6})")
# Of these bytes alone no markup is made.
_OF_NUMBERS = b"+,-./0123456789%eE "
# Longer tables hold examples, in whose texts a sign is a sign.
_MOST_ROWS = 1_000
_NAMES_AND_IDS = (*("example", "unit", "counter", "dataset", "system", "metric_names", "run"),)
_NAME_MARK = re.compile(r"(?<=\S)\s*(\^[*∗⋆★†‡§¶,]+|[†‡§¶]+)$")
# Of a dataset; the name of a system may end in a star, as A* does.
_DATASET_MARK = re.compile(r"(?<=\S)\s*\^?[*∗⋆★†‡§¶]+\+?$")
_LINKED = re.compile(r"\[([^\[\]]+)\]\(https?://[^()\s]+\)")
_WHOLE_EMPHASIS = re.compile(r"(\*{1,3}|__)(?=[^*_\s])([^*]*[^*_\s])\1")


def without_markup(raw: RawTable) -> RawTable:
    """The table without markup around numbers and names, but where only a mark tells two names apart."""
    remarks: list[str] = []
    # Of each column what other texts become.
    mended: dict[str, dict[str, str]] = {}
    for column, stored in zip(raw.header, raw.columns, strict=True):
        if is_named(column, *_NAMES_AND_IDS) or consists_of(texts_to_look_at(stored), _OF_NUMBERS):
            continue
        if _holds(stored, _MAY_HOLD_MARKUP):
            texts = raw.coded(column).texts
            own = {text: plain for text in texts if (plain := _plain_number(text)) != text}
            if own:
                mended[column] = own
                remarks.append(f"Taken off around numbers in {quoted(column)}: {_shown(own)}.")
    for column, own in _shares(raw).items():
        mended[column] = own
        remarks.append(f"Read as shares in {quoted(column)}: {_shown(own)}.")
    first = raw.header[0] if not is_named(raw.header[0], "example", "unit", "counter") else None
    named = {find_column(raw.header, "dataset") or first, find_column(raw.header, "system")}
    # A name that heads a column and stands in another is reported once.
    bared, doubtful = _without_marks(raw.header, _NAME_MARK)
    headed = {**bared}
    for column in raw.header if raw.n_rows <= _MOST_ROWS else ():
        if column in named and is_textual(raw, column):
            mark = _NAME_MARK if is_named(column, "system") else _DATASET_MARK
            mended[column], kept = _without_marks(raw.coded(column).texts, mark)
            bared |= mended[column]
            doubtful |= kept
    if bared:
        remarks.append(f"Marks are left out of names: {_shown(bared)}.")
    if doubtful:
        remarks.append(f"Marks stay where only they tell names apart: {listed([*doubtful])}.")
    table = {
        headed.get(column, column): _replaced(raw, column, own)
        if (own := mended.get(column, {}))
        else stored
        for column, stored in zip(raw.header, raw.columns, strict=True)
    }
    return _with_p_values_apart(_with_columns(raw, table, *remarks) if remarks else raw)


def _holds(column: Any, pattern: str) -> bool:
    """Whether some cell of a column as it is stored holds what a pattern finds."""
    found: bool = pc.any(pc.match_substring_regex(texts_to_look_at(column), pattern)).as_py()
    return found


# "27.3 (p=0.03)": a score and the p-value of its difference from another.
_P_BEHIND = re.compile(
    r"([^()a-zA-Z]*[0-9][^()a-zA-Z]*?)\s*[(\[]\s*(p\s*[<>=≤≥][^()\[\]]*)[)\]]", re.IGNORECASE
)


def _with_p_values_apart(raw: RawTable) -> RawTable:
    """The table with p-values that stand in brackets behind scores in columns of their own."""
    table = dict(zip(raw.header, raw.columns, strict=True))
    behind = {
        column: read
        for column, stored in table.items()
        if raw.n_rows <= _MOST_ROWS
        and _holds(stored, r"[(\[]\s*[pP]\s*[<>=≤≥]")
        and any(read := [_P_BEHIND.fullmatch(cell) for cell in raw.cells(column)])
    }
    remarks = []
    for column, read in behind.items():
        cells = raw.cells(column)
        table[column] = pa.array([m[1] if m else cell for m, cell in zip(read, cells, strict=True)])
        own = "p_value" if len(behind) == 1 and "p_value" not in table else f"p_value ({column})"
        table[own] = pa.array([m[2].strip() if m else "" for m in read])
        first = next(filter(None, read))
        remarks.append(
            f"p-values behind the numbers in {quoted(column)} are read as a column of their own: "
            f"{quoted(first[0])} as {quoted(first[1])} and {quoted(first[2].strip())}."
        )
    return _with_columns(raw, table, *remarks)


def _with_columns(raw: RawTable, table: Mapping[str, Any], *remarks: str) -> RawTable:
    return replace(
        raw,
        header=tuple(table),
        columns=tuple(table.values()),
        remarks=(*raw.remarks, *remarks),
    )


def _shares(raw: RawTable) -> dict[str, dict[str, str]]:
    """Columns of so many right ones out of all, 17/20, each with what its cells are as decimals."""
    found: dict[str, list[re.Match[str] | None]] = {}
    for column, stored in zip(raw.header, raw.columns, strict=True):
        if raw.n_rows > _MOST_ROWS or not _holds(stored, f"^{_SHARE.pattern}$"):
            continue
        cells = raw.cells(column)
        read = [_SHARE.fullmatch(cell) for cell in cells]
        others = {cell.casefold() for cell, one in zip(cells, read, strict=True) if one is None}
        if others <= {"", *NOTHING_WORDS} and all(
            int(one[1]) <= int(one[2]) for one in read if one
        ):
            found[column] = read
    # A column by itself may hold dates, or wins and losses.
    totals = [{int(one[2]) for one in row if one} for row in zip(*found.values(), strict=True)]
    if len(found) < 2 or any(len(own) > 1 for own in totals):
        return {}
    return {
        name: {one[0]: f"{int(one[1]) / int(one[2]):.6g}" for one in read if one}
        for name, read in found.items()
    }


def _plain_number(cell: str) -> str:
    """A cell without markup if it is a number then; else as it is."""
    text = cell
    if "\\" in text or "$" in text:
        text = without_latex(text)[0]
    if text == cell:
        return without_markdown(text)
    return text if re.match(rf"{PRINTED_NUMBER}(?![0-9a-zA-Z^_])", text) else cell


def _replaced(raw: RawTable, column: str, mended: Mapping[str, str]) -> Any:
    coded = raw.coded(column)
    texts = pa.array([mended.get(text, text) for text in coded.texts], type=pa.string())
    return texts.take(pa.array(coded.codes))


def _without_marks(
    names: Sequence[str], mark: re.Pattern[str]
) -> tuple[dict[str, str], dict[str, None]]:
    """What names become without emphasis and marks at their end, and those that would become another's."""
    bare = {name: _bare_name(name, mark) for name in names}
    held = Counter(bare[name] for name in names)
    changed = {name: own for name, own in bare.items() if name != own}
    return (
        {name: own for name, own in changed.items() if held[own] == 1},
        {name: None for name, own in changed.items() if held[own] > 1},
    )


def _bare_name(name: str, mark: re.Pattern[str]) -> str:
    linked = _LINKED.fullmatch(name.strip())
    text = linked[1] if linked else name
    # "$5 to $6" are prices, and $x$ may be a name.
    if re.search(r"\\[a-zA-Z]", text) or any("^" in found for found in MATH.findall(text)):
        text = without_latex(text)[0]
    untagged = without_tags(text)
    # Tags of another kind are the name's own.
    text = text if re.search(r"[<>]", untagged) else untagged
    whole = _WHOLE_EMPHASIS.fullmatch(text)
    text = whole[2] if whole else text
    for pattern in (_NAME_MARK, mark):
        bare = pattern.sub("", text)
        whole = _WHOLE_EMPHASIS.fullmatch(bare)
        if whole is not None:
            return whole[2].strip()
    # Stars that open something are no mark: in **bold**.
    return (text if "*" in bare else bare).strip() or name


def _shown(mended: dict[str, str]) -> str:
    return first_of([f"{quoted(old)} as {quoted(new)}" for old, new in mended.items()])


_NOTE = re.compile(r"(notes?|source|legend|anm\.|anmerkung)\s*[:.]|[*†‡§¶]", re.IGNORECASE)
_STAR = "*∗⋆★"
_MARK = rf"[{_STAR}]{{1,4}}|[†‡§¶]{{1,2}}"
_LEVEL = r"(?:(?:[0-9]{1,2}(?:[.,][0-9]+)?|[.,][0-9]+) ?%|0?[.,][0-9]+)"
# A sign that stands for no significance, and what comes before one of what is not significant.
DENIES = re.compile(
    r"\b(?:no|not|without)\s+(?:\w+\s+){0,2}signific|\b(?:in|non-?)signific|\bp\s*[>≥]"
    r"|\bdo(?:es)? not differ",
    re.IGNORECASE,
)
BUT_FOR = re.compile(r"\b(?:except|unless|apart|other than)\b[^,.;]*$", re.IGNORECASE)
# *, **, *** denote p < .05, p < .01 and p < .001; */** significant at the 5% and 1% levels; * p < .05.
# Of text with one space between words: each space has one place in a pattern.
_JOINT = r" ?(?:,(?: ?(?:and|or)\b)?|and\b|or\b|/|&) ?"
_RELATED = rf"(?:p(?:[- ]?val(?:ue)?s?)? ?)?(?:(?:<=|[<≤⩽=]) ?)?{_LEVEL}"
_EXPLAINED = re.compile(
    rf"(?P<marks>(?:{_MARK})(?:{_JOINT}(?:{_MARK})){{0,5}}) ?(?:[:=)] ?)?"
    r"(?P<words>(?:[a-z][\w-]* ){0,9}?(?:\((?:[a-z][\w-]*,? ){0,9}?)?)"
    rf"(?:(?:α|alpha|level) ?(?:(?:of|=) ?)?)?(?P<levels>{_RELATED}(?:{_JOINT}{_RELATED})*)",
    re.IGNORECASE,
)
# What says of one mark that it is about significance: of several, that they are explained does.
_SIGNIFICANT = re.compile(r"significan\w* (?:at|with|for) (?:the |a )?$", re.IGNORECASE)
_ROW_MARKS = re.compile(rf"(?<=[0-9.%)])\s*(?:\^\s*)?([{SIGNS}]+)(?=\s*(?:±.*|\([^)]*\))?$)")
_AGAINST = re.compile(r"\b(?:than|over|against|versus|vs\.?) (?:the )?([A-Z][\w+-]*)")
_NO_P_VALUES = "none"
_USUAL_LEGENDS = (
    "* p <.05, ** p <.01, *** p <.001",
    "* p <.1, ** p <.05, *** p <.01",
)
_OF_MARKS = "p (marks)"


def kind_of_words(text: str) -> str:
    """Whether a line above or below a table is a "legend", "title" or "footnote"; '' for neither."""
    if levels_in([text]):
        return "legend"
    return "title" if TITLE.match(text) else "footnote" if _NOTE.match(text) else ""


def levels_in(notes: Iterable[str]) -> dict[str, str]:
    """What each mark says of p, such as ``<.05``; nothing where the notes contradict one another."""
    levels: dict[str, str] = {}
    for note in notes:
        text = " ".join(without_latex(" ".join(note.split()))[0].replace("^", "").split())
        # Signif. codes: 0 '***' 0.001 '**' 0.01, as R prints them
        text = re.sub(r"[‘'](\*{1,3})[’'] ?(?=0?[.,])", r"\1 p ≤ ", text)
        for found in _EXPLAINED.finditer(text):
            marks = re.findall(_MARK, found["marks"])
            each = [one[0] for one in re.finditer(_RELATED, found["levels"], re.IGNORECASE)]
            each = each * len(marks) if len(each) == 1 else each
            is_of_p = re.match(r"p.*?[<≤⩽=]", each[0], re.IGNORECASE)
            is_told = len(marks) > 1 or is_of_p or _SIGNIFICANT.search(found["words"])
            denied = DENIES.search(found[0]) or BUT_FOR.search(text[: found.start()])
            if len(each) != len(marks) or not is_told or denied:
                continue
            # Only the first may say what all are: "p < .05, .01".
            relation = "<" if "<" in each[0] and "=" not in each[0] else "≤"
            for mark, level in zip(marks, each, strict=True):
                own = _level(re.sub(r"^[^0-9.,]*", "", level))
                if levels.setdefault(_plain_mark(mark), relation + own)[1:] != own:
                    return {}
    return levels


def _level(printed: str) -> str:
    """A level as a decimal, such as .05 for 5%."""
    level = Decimal(printed.replace(",", ".").rstrip("% "))
    level = level.scaleb(-2) if printed.endswith("%") else level
    # At the 95% level, or with 99% confidence.
    return format(1 - level if level > Decimal(".5") else level, "f").lstrip("0")


def _plain_mark(mark: str) -> str:
    return re.sub(f"[{_STAR}]", "*", mark)


def p_values_of_marks(raw: RawTable, given: Roles) -> PutTogether:
    """The table with a column of p-values that the marks of its cells state, or the question.

    Where two systems' scores carry marks that a legend explains, each row's mark bounds its
    p-value: one star lies above the level of two, and a row without one above the largest. Marks
    alone under a heading of p-values are read the same way. Beside more systems they are
    read of the pair that is given; marks are then those of the first against the second.
    """
    said = given.get("marks")
    is_of_papers = given.get(LAYOUT) in (None, "published table") and raw.n_rows <= _MOST_ROWS
    if not is_of_papers or not any(_holds(column, f"[{SIGNS}]") for column in raw.columns):
        return PutTogether(raw=raw)
    pair, asked = _compared(raw, given)
    marks, columns = _marks_of_rows(raw, pair)
    levels = levels_in([said] if isinstance(said, str) else raw.notes)
    used = dict.fromkeys(mark for own in marks for mark in own)
    unexplained = [mark for mark in used if mark not in levels and "*" in mark]
    if not unexplained and levels.keys().isdisjoint(used):
        return PutTogether(raw=raw)
    doubts = []
    if not said:
        sizes = Counter(_size_of(levels[mark]) for mark in used if mark in levels)
        alike = [mark for mark in used if mark in levels and sizes[_size_of(levels[mark])] > 1]
        if alike and not unexplained:
            doubts.append(
                f"{listed(alike)} state the same level of p: they may stand for different tests or "
                "systems, and are not read as p-values."
            )
        if strangers := _strangers(raw.notes, (*raw.header, *raw.cells(raw.header[0]))):
            doubts.append(
                f"The legend compares with {listed(strangers)}, which the table does not have."
            )
        raw = replace(raw, remarks=(*raw.remarks, *doubts)) if doubts else raw
    is_open = bool(unexplained or doubts)
    if not is_open and len(pair) > 2:
        return PutTogether(raw=raw, choices=asked)
    own_legend = ", ".join(f"{mark} p {level}" for mark, level in levels.items())
    usual = [(legend, legend) for legend in dict.fromkeys((own_legend, *_USUAL_LEGENDS)) if legend]
    # What is in force comes first.
    none = [(_NO_P_VALUES, "They state no p-values")]
    choices = answers(
        f"What do the marks in {listed(columns)} state?",
        *(("marks", *option) for option in (none + usual if is_open else usual + none)),
    )
    if is_open:
        return PutTogether(raw=raw, choices=choices)
    ranges = _ranges_of_p(levels)
    cells = [
        ranges[min((m for m in own if m in levels), key=lambda m: _size_of(levels[m]), default="")]
        for own in marks
    ]
    table = dict(zip(raw.header, raw.columns, strict=True))
    of_whom, settled = "", {}
    if names_p_values(columns[0]):
        table[columns[0]] = pa.array(cells)
    else:
        for column in columns:
            texts = raw.coded(column).texts
            table[column] = _replaced(raw, column, {t: _ROW_MARKS.sub("", t) for t in texts})
        sides = {side for note in raw.notes if (side := stated_sidedness(note))}
        name = f"p (marks, {sides.pop()})" if len(sides) == 1 else _OF_MARKS
        table[name] = pa.array(cells)
        of_whom = f" of {quoted(pair[0])} against {quoted(pair[1])}"
        settled = dict(zip(("system_a", "system_b"), pair, strict=True)) if asked else {}
    remark = (
        f"Marks in {listed(columns)} are read as p-values{of_whom}: "
        f"{', '.join(f'{mark} as {ranges[mark]}' for mark in levels)}; no mark as {ranges['']}."
    )
    return PutTogether(
        raw=_with_columns(raw, table, remark),
        choices=(*choices, *asked),
        roles={"marks": own_legend, **settled},
    )


def _ranges_of_p(levels: Mapping[str, str]) -> dict[str, str]:
    """Where p lies with each mark, which repeated stands for a smaller level, and with none, ''."""
    # "p < .05" and "p ≤ .05" are one rule to papers: without a mark p is above the level.
    ranges = {"": f">{max(levels.values(), key=_size_of)[1:]}"}
    for mark, own in levels.items():
        longer = [level for other, level in levels.items() if other.startswith(mark)]
        stricter = [level for level in longer if _size_of(level) < _size_of(own)]
        ranges[mark] = f"{max(stricter, key=_size_of)[1:]}<p{own}" if stricter else own
    return ranges


def _strangers(notes: Iterable[str], known: Iterable[str]) -> list[str]:
    """What legends compare with, as in "* p < .05 against Moses", and no heading or row is called."""
    plain = ["".join(filter(str.isalnum, name.casefold())) for name in known]
    legends = [note for note in notes if levels_in([note])]
    found = {match[1]: None for note in legends for match in _AGAINST.finditer(note)}
    return [
        n for n in found if not any("".join(filter(str.isalnum, n.casefold())) in p for p in plain)
    ]


def _size_of(level: str) -> float:
    return float(level[1:])


def _marks_of_rows(raw: RawTable, scores: Sequence[str]) -> tuple[list[list[str]], list[str]]:
    """The marks of each row, and the columns that have some; nothing where it is unclear whose."""
    p_columns = [c for c in raw.header if names_p_values(c)]
    if p_columns:
        cells = raw.cells(p_columns[0])
        marks = [signs_in(c) if re.fullmatch(_MARK, c) else [] for c in cells]
        others = {c.casefold() for c, own in zip(cells, marks, strict=True) if not own}
        plain = others <= {"", *NOT_SIGNIFICANT, *NOTHING_WORDS}
        return (marks, p_columns) if plain and len(p_columns) == 1 else ([], [])
    named = any(c not in scores and len(raw.coded(c).array) == raw.n_rows for c in raw.header)
    is_pair = (
        len(scores) > 1 and {*scores} <= {*raw.header} and named and _OF_MARKS not in raw.header
    )
    # Two metrics of one system have stars that compare it with another.
    if not is_pair or all(map(names_metric, scores)):
        return [], []
    each = [[signs_behind(cell) for cell in raw.cells(column)] for column in scores]
    if len(scores) == 2 and any(a and b for a, b in zip(*each, strict=True)):
        return [], []
    marked = [column for column, marks in zip(scores, each, strict=True) if any(marks)]
    return [[mark for own in row for mark in own] for row in zip(*each, strict=True)], marked


def signs_behind(cell: str) -> list[str]:
    """The signs behind a cell's number, each by itself."""
    found = _ROW_MARKS.search(cell)
    return signs_in(found[1]) if found else []


def signs_in(marks: str) -> list[str]:
    """Signs that stand together, each by itself: "**" and "††" are one."""
    return [found[0] for found in re.finditer(r"([*†‡§¶])\1*", _plain_mark(marks))]


def _compared(raw: RawTable, given: Roles) -> tuple[list[str], tuple[Choice, ...]]:
    """The columns of scores that marks compare: of more than two a marked one with a plain one."""
    a, b = (column_of(given, role) for role in ("system_a", "system_b"))
    scores = [
        c
        for c in raw.header
        if may_hold_scores(raw, c) and not is_named(c, "n_examples") and is_numeric(raw, c)
    ]
    if len(scores) < 3:
        return [c for c in (a, b) if c is not None] or scores, ()
    marked = [c for c in scores if any(map(signs_behind, raw.cells(c)))]
    plain = [c for c in scores if c not in marked]
    if not marked or not plain:
        return [c for c in (a, b) if c is not None], ()
    first, second = a or next(c for c in (*marked, *plain) if c != b), b or plain[0]
    asked = marked if len(marked) > 1 or len(plain) == 1 else []  # else only the other one
    choices = answers(
        "Which system's marks are read as p-values?",
        *(("system_a", c, f"{quoted(c)} against {quoted(second)}") for c in asked),
    ) + answers(
        "Which system do the marks compare it with?",
        *(("system_b", c, f"{quoted(first)} against {quoted(c)}") for c in plain if len(plain) > 1),
    )
    return scores if a is None and b is None else [first, second], choices

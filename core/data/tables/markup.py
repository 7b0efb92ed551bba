"""A cell or a name without markup of LaTeX and Markdown, as it is printed.

Every command of LaTeX is a macro: how many arguments it takes, and what it stands for. So a source's
own commands are written out like those that are known here.
"""

import re
import unicodedata
from collections.abc import Mapping

from ...document import SIGNS
from .numbers import DASH_CLASS

# A number as tables print it, with a relation before and a spread after it.
PRINTED_NUMBER = (
    rf"(?P<number>(?:p\s*(?=[<>=≤≥]))?[<>=≤≥≈~]?\s*[+{DASH_CLASS}]?"
    rf"(?:[0-9]+(?:[.,][0-9]+)*|[.,][0-9]+)(?:[eE][+{DASH_CLASS}]?[0-9]+)?%?)"
)
_SPREAD = r"\s*±\s*[0-9.,]*[0-9]%?"
# Behind a power sign: signs, or letters that point to a footnote. Digits may be an exponent.
_RAISED = re.compile(
    rf"{PRINTED_NUMBER}(?P<before>{_SPREAD})?\s*\^\s*(?P<marks>[{SIGNS}#+a-zA-Z,\s]+?)(?P<after>{_SPREAD})?"
)
_SUBSCRIPT_SPREAD = re.compile(
    rf"{PRINTED_NUMBER}\s*_\s*(?P<spread>±\s*[0-9.,]*[0-9]%?)(?:\s*\^\s*(?P<marks>[{SIGNS}]+))?"
)
_STARS = r"(\*{1,3}|_{1,3})"
# Around something else than signs: 92.3*** is no emphasis.
_EMPHASIS = re.compile(rf"{_STARS}(?=[^*_\s])(.+?)(?<=[^*_\s])\1")
_TAGS = re.compile(r"</?(?:sup|sub|b|strong|i|em|u)>", re.IGNORECASE)
_RAISED_TAG = re.compile(r"<sup>\s*([^<]*?)\s*</sup>", re.IGNORECASE)
MATH = re.compile(r"(?<!\\)\$([^$]*?)(?<!\\)\$")
_ESCAPED = re.compile(r"\\([%_&#${}])")

# What bold and struck out text begins with, until it is plain.
BOLD, STRUCK = "\x01", "\x02"
# Of commands that print their last argument: all that are taken, and the names.
_LAST = {
    1: "textit emph underline texttt textsc textrm mathrm text mbox makecell thead shortstack num"
    " tablenum SI qty llap rlap hbox fbox textsf textup textmd textnormal textsl mathsf mathit mathtt"
    " operatorname uline hl ensuremath url smash rotcell textscriptsize uppercase rot makebox",
    2: "textcolor colorbox rotatebox adjustbox scalebox parbox href turnbox raisebox",
    3: "resizebox",
}
# Of those that print nothing.
_NOTHING = {
    0: "centering raggedright raggedleft hfill quad qquad enspace thinspace noindent arraybackslash strut"
    " xspace left right displaystyle normalsize large protect relax unskip itshape normalfont sffamily"
    " ttfamily scshape upshape mdseries selectfont nobreak leavevmode kern ul it rm tiny scriptsize"
    " footnotesize small par smallskip medskip bigskip , ! / @",
    1: "cellcolor color rowcolor phantom hphantom vphantom label hspace vspace cite citep citet ref"
    " footnote extracolsep begin end",
    2: "rule",
}
_PRINTED_SIGNS = {
    "×": "times", "·": "cdot", "≈": "approx", "≤": "leq le", "≥": "geq ge", "<": "ll lt textless",
    ">": "textgreater", "±": "pm", "†": "dagger dag textdagger", "‡": "ddagger ddag textdaggerdbl",
    "*": "ast textasteriskcentered", "⋆": "star", "★": "bigstar", "§": "S", "¶": "P",
    "→": "rightarrow to", "←": "leftarrow", "↓": "downarrow", "↑": "uparrow", "ß": "ss", "æ": "ae",
    "ø": "o", "Ø": "O", "å": "aa", "i": "i", "ł": "l", "✓": "checkmark", "−": "textminus",
    "–": "textendash", "—": "textemdash", "…": "ldots dots", "/": "textbackslash slash", "%": "percent",
    "Δ": "Delta", " ": "; :",
}  # fmt: skip
# Between words, or behind one.
_SPACED = frozenset(f"×·≈≤≥<>±→← {SIGNS}")
_GREEK = "alpha beta gamma delta epsilon eta theta kappa mu rho sigma tau phi chi psi omega"
_ACCENTS = {"`": "\u0300", "'": "\u0301", "^": "\u0302", '"': "\u0308", "~": "\u0303", "c": "\u0327", "v": "\u030c"}  # fmt: skip
# Of each command the number of its arguments, and what it stands for.
Macros = Mapping[str, tuple[int, str]]
COMMANDS: Macros = {
    **{name: (n, f"#{n}") for n, names in _LAST.items() for name in names.split()},
    **{name: (n, "") for n, names in _NOTHING.items() for name in names.split()},
    **{name: (0, sign) for sign, names in _PRINTED_SIGNS.items() for name in names.split()},
    **{name: (0, unicodedata.lookup(f"GREEK SMALL LETTER {name}")) for name in _GREEK.split()},
    **{name: (0, name) for name in ("log", "ln", "exp", "min", "max")},
    **{name: (1, f"#1{accent}") for name, accent in _ACCENTS.items()},
    **dict.fromkeys(("textbf", "mathbf", "bm", "boldsymbol"), (1, f"{BOLD}#1")),
    **dict.fromkeys(("bfseries", "bf", "boldmath"), (0, BOLD)),
    **dict.fromkeys(("sout", "st", "cancel", "xout"), (1, f"{STRUCK}#1")),
    **dict.fromkeys(("textsuperscript", "sp", "tnote", "tablefootnote"), (1, "^{#1}")),
    "textsubscript": (1, "_{#1}"),
    " ": (0, " "),
}
COMMAND = re.compile(r"\\([a-zA-Z]+(?:(?=\*\s*[\[{])\*)?|[,;:!/@ ]|[`'^\"~](?=\s*[{\\a-zA-Z]))")
_MOST_EXPANSIONS, LONGEST_CELL = 200, 5_000


def group(text: str, at: int) -> tuple[str, int]:
    """What stands in the braces that open at a position, and where they end."""
    depth = 0
    for i in range(at, len(text)):
        if text[i] in "{}" and (i == 0 or text[i - 1] != "\\"):
            depth += 1 if text[i] == "{" else -1
            if depth == 0:
                return text[at + 1 : i], i + 1
    return text[at + 1 :], len(text)


_BEFORE_ARGUMENT = re.compile(r"[\s\0]*(?:\[[^\]]*\])?[\s\0]*")
_ONE_SIGN = re.compile(r"\\[a-zA-Z]+|.|$", re.DOTALL)


def arguments_of(text: str, at: int, n: int) -> tuple[list[str], int]:
    """So many arguments, empty where the text ends, those in brackets passed over; and where they end."""
    found = []
    for _ in range(n):
        before = _BEFORE_ARGUMENT.match(text, at)
        at = before.end() if before else at
        if text[at : at + 1] == "{":
            own, at = group(text, at)
        else:
            single = _ONE_SIGN.match(text, at)
            own, at = (single[0], single.end()) if single else ("", at)
        found.append(own)
    return found, at


def written_out(text: str, macros: Macros, known: Macros = COMMANDS) -> tuple[str, bool]:
    """The text with the commands of a source and the known ones written out; and whether all could be."""
    at = n_expansions = 0
    while (found := COMMAND.search(text, at)) is not None:
        name = found[1].rstrip("*")
        of_source = macros.get(name)
        n_arguments, body = of_source or known.get(name, (0, found[0]))
        if body == found[0]:
            at = found.end()
            continue
        n_expansions += of_source is not None
        if n_expansions > _MOST_EXPANSIONS or len(text) > LONGEST_CELL:
            return text, False
        arguments, end = arguments_of(text, found.end(), n_arguments)
        for k, own in enumerate(arguments, start=1):
            body = body.replace(f"#{k}", own)
        # A command ends at the space behind it.
        if not of_source and not n_arguments and len(body) < 2 and body not in _SPACED:
            end += text[end : end + 1].isspace()
        at = found.start()
        text = f"{text[:at]}{body}{text[end:]}"
    return text, True


def without_latex(cell: str) -> tuple[str, str]:
    """A cell without markup of LaTeX, and the superscript mark that its number had."""
    # Before "$" goes, which is where a command ends: $\rightarrow$Tag.
    text, _ = written_out(cell.strip(), {})
    return without_signs(text)


def without_signs(text: str) -> tuple[str, str]:
    """As `without_latex`, of a text whose commands are written out."""
    text = unicodedata.normalize("NFC", text.replace(BOLD, "").replace(STRUCK, ""))
    text = MATH.sub(lambda found: found[1].strip(), text)
    text = re.sub(r"(?<!\s)\s*([×·])\s*", r"\1", text)
    text = re.sub(r"(?<!\\)~", " ", text)
    text = re.sub(r"(?<!\\)[{}]", "", text)
    # What was {} between a number and its marks leaves no trace.
    text = re.sub(r"\^\s*\^", "^", text)
    return without_raised_marks(_ESCAPED.sub(r"\1", text).strip())


def without_raised_marks(cell: str) -> tuple[str, str]:
    """A number without its raised mark, and the mark; signs stay: ``93^a`` is ``93``, ``93^*`` ``93*``."""
    below = _SUBSCRIPT_SPREAD.fullmatch(cell)
    if below is not None:
        return f"{below['number']} {below['spread']}{below['marks'] or ''}", below["marks"] or ""
    found = _RAISED.fullmatch(cell)
    if found is None:
        return cell, ""
    marks = re.sub(r"[,\s]", "", found["marks"])
    signs = "".join(mark for mark in marks if mark in SIGNS)
    return f"{found['number']}{found['before'] or found['after'] or ''}{signs}", marks


def without_tags(text: str) -> str:
    """A text without tags of emphasis, what they raise behind a "^"."""
    return _TAGS.sub("", _RAISED_TAG.sub(r"^\1", text))


def without_markdown(cell: str) -> str:
    r"""A cell without escapes, nor emphasis and tags around its number."""
    text = cell = re.sub(r"\\([*_])", r"\1", cell)
    while (shorter := _EMPHASIS.sub(r"\2", text, count=1)) != text:
        text = shorter
    text = without_raised_marks(without_tags(text).strip())[0]
    # Only around numbers: a name may hold these signs, and two names must not become one.
    return text if re.match(rf"{PRINTED_NUMBER}(?![0-9a-zA-Z])", text) else cell

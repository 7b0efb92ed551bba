"""How numbers, names and tables are written for a reader, and texts made harmless for where they go."""

import html
import math
import re
import shlex
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from types import MappingProxyType
from typing import TypeAlias

from ..shown import DataFrame
from ..shown import frame_of as frame_of
from ..validation import is_at_most

Frame: TypeAlias = DataFrame
SMALLEST_SHOWN = 1e-4
LONGEST_NAME = 60
_LEADING_ZERO = re.compile(r"(?P<before>^|[^0-9])0(?=[.,][0-9])")
MOST_NAMES = 12

# U+2068 and U+2069 keep right-to-left text from rearranging the sentence around it.
ISOLATES = ("\u2068", "\u2069")
_RIGHT_TO_LEFT = {"R", "AL", "RLE", "RLO", "RLI", "AN"}
_DIRECTION_CONTROLS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def format_p_value(p_value: float, *, alpha: float | None = None, digits: int | None = None) -> str:
    """Write a p-value with four decimals and without its leading zero, so that columns align.

    With `alpha`, decimals are added where rounding would show the p-value on
    the other side of the level, and for a level below .0001. With `digits`,
    they are added until so many digits are shown, zeros at the end left out,
    and no value is hidden behind "< .0001": for p-values that are held against
    printed ones, and for the ends of a range.

    Examples
    --------
    >>> format_p_value(0.0979), format_p_value(0.003), format_p_value(2e-9), format_p_value(1.0)
    ('.0979', '.0030', '< .0001', '1.0000')
    >>> format_p_value(0.003, digits=2), format_p_value(2.04e-9, digits=2)
    ('.003', '2e-9')
    """
    if digits is not None:
        return _of_range(p_value, digits)
    decimals = 4
    while alpha is not None and alpha < float(f"1e-{decimals}"):
        decimals += 1
    if p_value < float(f"1e-{decimals}"):
        return f"< .{1:0{decimals}d}" if p_value else "0"
    text = f"{p_value:.{decimals}f}"
    if alpha is not None:
        below = is_at_most(p_value, alpha)
        while decimals < 17 and (float(text) <= alpha) != below:
            decimals += 1
            text = f"{p_value:.{decimals}f}"
    if float(text) >= 1.0 and p_value < 1.0:
        return "> .9999"
    return text.removeprefix("0")


def published_p_value(p_value: float) -> str:
    """Write a p-value that was published, without zeros at the end that nobody printed."""
    return format_p_value(p_value, digits=None if p_value < SMALLEST_SHOWN else 4)


def printed_number(printed: str) -> str:
    """Write a printed number with the digits that it has, as ours without a leading zero."""
    text = printed.strip()
    is_zero = not text.strip("-0.")
    return text if is_zero else _LEADING_ZERO.sub(r"\g<before>", text)


def printed_p(printed: str) -> str:
    """Write "printed p = .2123", "printed p < .001" or "printed .01≤p<.05"."""
    text = printed_number(printed)
    if "p" in text.lower():
        return f"printed {text}"
    if text[:1] in ("<", "≤", "⩽"):
        return f"printed p {text[:1]} {text[1:].strip()}"
    return f"printed p = {text.removeprefix('=').strip()}"


def p_value_or_dash(p_value: float | None) -> str:
    """A cell of a table: a p-value, or a dash where there is none."""
    return "–" if p_value is None else format_p_value(p_value)


def starred(p_value: float, alpha: float) -> str:
    """A cell of a table: a p-value behind the sign of whether it is at most alpha."""
    return f"{'★' if is_at_most(p_value, alpha) else '–'} {format_p_value(p_value, alpha=alpha)}"


def p_value_clause(p_value: float, *, alpha: float | None = None) -> str:
    """Write "p = .003" or "p < .0001", for use within a sentence."""
    text = format_p_value(p_value, alpha=alpha)
    return f"p {text}" if text[0] in "<>" else f"p = {text}"


def format_level(alpha: float) -> str:
    """Write a level as ".05"."""
    return f"{alpha:.10g}".removeprefix("0")


def rounded_level(value: float, *, digits: int = 3, up: bool = False) -> str:
    """Write a level with so many digits, rounded so that what holds at the number holds at it."""
    if value >= 1.0:
        return "1"
    # Beyond twelve digits a number has those of its computation.
    context = Context(prec=digits, rounding=ROUND_CEILING if up else ROUND_FLOOR)
    return format_level(float(context.plus(Decimal(f"{value:.12g}")))) or "0"


def bin_label(low: float, high: float) -> str:
    """A bin of p-values, which holds its upper end: ".02 < p ≤ .04"."""
    above = f"{format_level(low)} < " if low else ""
    return f"{above}p ≤ {format_level(high)}"


def format_confidence(alpha: float) -> str:
    """Write 1 - alpha as "95%"."""
    return f"{100.0 * (1.0 - alpha):.10g}%"


def format_confidence_in_both(alpha: float) -> str:
    """Write 1 - 2 alpha, the confidence in two statements together; empty where none is left."""
    return format_confidence(2.0 * alpha) if alpha < 0.5 else ""


def format_errors(alpha: float) -> str:
    """Write alpha as the share of studies that may err, "5%"."""
    return f"{100.0 * alpha:.10g}%"


def format_thresholds(thresholds: Sequence[float]) -> list[str]:
    """Write what p-values are compared with, all with as many decimals as the smallest needs.

    Examples
    --------
    >>> format_thresholds([0.05 / 7, 0.01, 0.05])
    ['.00714', '.01000', '.05000']
    """
    smallest = min((one for one in thresholds if one > 0.0), default=1.0)
    decimals = max(4, 2 - math.floor(math.log10(smallest)))
    return [f"{one:.{decimals}f}".removeprefix("0") for one in thresholds]


def format_share(share: float) -> str:
    """Write what part of a number of cases it is: all of them are "100%"."""
    return "100%" if share == 1.0 else format_percent(share)


def format_percent(share: float) -> str:
    """Write a chance as a whole per cent, with a decimal near 0 and 1.

    It is never written as certain: 1 may be what floats have rounded to. Of
    cases that were counted, `format_share` tells all from nearly all.
    """
    percent = 100.0 * share
    if 1.0 <= percent <= 99.0 or percent == 0.0:
        return f"{percent:.0f}%"
    if percent > 99.0:
        return f"{min(percent, 99.9):.1f}%" if percent < 99.95 else "almost 100%"
    return f"{percent:.2g}%"


def counted(n: int, noun: str) -> str:
    """Write "1 example", "2,000 examples"."""
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"


def numbers_in_words(fewest: int, most: int) -> str:
    """Write "9", "8 or 9" or "7 to 9"."""
    if fewest == most:
        return str(most)
    return f"{fewest} or {most}" if most == fewest + 1 else f"{fewest} to {most}"


def about(number: float) -> str:
    """Write an average of counts with three digits, a large one as a whole number: "7.25", "1,457"."""
    return f"{number:.3g}" if number < 100.0 else f"{round(number):,}"


def at_least(k: int) -> str:
    """A lower bound; of 0, that nothing was shown."""
    return f"at least {k:,}" if k else "no evidence"


def how_many(k: int, n: int) -> str:
    """Write "both datasets", "all 7 datasets", or "at least 5 of 7 datasets"."""
    if k < n:
        return f"at least {k:,} of {n:,} datasets"
    return "both datasets" if n == 2 else f"all {n:,} datasets"


def joined(parts: Sequence[str]) -> str:
    """Write "x", "x and y", "x, y and z"."""
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else "".join(parts)


def sentence_case(text: str) -> str:
    """The text with its first letter as a capital."""
    return f"{text[:1].upper()}{text[1:]}"


def minus(number: str) -> str:
    """A number with a minus sign in the place of a hyphen."""
    return number.replace("-", "−")


def form_of(numbers: Iterable[float], *, digits: int) -> str:
    """How numbers are written with so many digits and the same decimals, "%.4f"; "%.4g" of powers of ten."""
    cells = [f"{number:.{digits}g}" for number in numbers]
    if any("e" in cell for cell in cells):
        return f"%.{digits}g"
    return f"%.{max((len(cell.partition('.')[2]) for cell in cells), default=0)}f"


def label_of_difference(higher_is_better: bool) -> str:
    """What is subtracted from what, so that positive means A is better."""
    return "A − B" if higher_is_better else "B − A"


def signed(difference: float, decimals: int) -> str:
    """Write a difference with its sign and as many decimals as the scores have."""
    if math.isnan(difference):
        return "–"
    text = minus(f"{difference:+.{decimals}f}")
    return text[1:] if difference == 0.0 else text


# Below it a number is written in powers of ten.
_SMALLEST_PLAIN = 1e-5


def number(value: float, unit: float) -> str:
    """Write a signed number with three digits of `unit`, the width it is known to."""
    if not math.isfinite(value):
        return "–"
    if not unit > 0.0 or not math.isfinite(unit):
        return minus(f"{value:+.4g}") if value else "0"
    if max(abs(value), unit) < _SMALLEST_PLAIN:
        return minus(f"{value:+.2e}") if value else "0"
    decimals = min(8, max(0, 2 - math.floor(math.log10(unit))))
    return signed(value, decimals)


def size_of(value: float, unit: float) -> str:
    """Write how large a number is, without its sign; what is not 0 is not written as 0."""
    return _apart_from_zero(abs(value), unit).lstrip("+")


def plain(value: float) -> str:
    """Write a statistic with about four digits, never in powers of ten where it is large."""
    return f"{value:,.0f}" if value >= 1000.0 else f"{value:.4g}"


def interval_text(interval: tuple[float, float] | None, unit: float) -> str:
    """Write an interval's ends, or a dash; an end beside 0 keeps the digit that says on which side."""
    if interval is None:
        return "–"
    return " to ".join(_apart_from_zero(end, unit) for end in interval)


def _apart_from_zero(value: float, unit: float) -> str:
    text = number(value, unit)
    if value and math.isfinite(value) and not text.strip("+−0."):
        decimals = -math.floor(math.log10(abs(value)))
        return signed(value, decimals) if decimals <= 8 else minus(f"{value:+.0e}")
    return text


def metric_label(metric: str, kind: str) -> str:
    """A metric as a person calls it: its own name, or that of a correlation."""
    return {"spearman": "Spearman correlation", "pearson": "Pearson correlation"}.get(kind, metric)


def display_name(name: str, *, most: int = LONGEST_NAME) -> str:
    """A name from a file, short and on one line, that cannot rearrange the text around it."""
    text = cleaned(name).strip()
    if len(text) > most:
        text = text[: most - 1].rstrip() + "…"
    if not _is_plain(name) and any(
        unicodedata.bidirectional(character) in _RIGHT_TO_LEFT for character in text
    ):
        text = text.join(ISOLATES)
    return text


def whole_name(name: str) -> str:
    """As `display_name`, without cutting it: for what is taken away."""
    return cleaned(name).strip()


def list_names(names: Sequence[str], *, most: int = MOST_NAMES) -> str:
    """Write names as "MZ", "MZ and NW", "BC, MZ and NW", or the first ones and how many more."""
    shown = [display_name(name) for name in names]
    if len(shown) > most:
        return f"{', '.join(shown[:most])} and {len(shown) - most} more"
    return joined(shown)


def _is_plain(name: str) -> bool:
    """Whether a name has nothing that could rearrange or break text, as nearly all have."""
    return name.isascii() and name.isprintable()


def cleaned(text: str, *, kept: Collection[str] = ()) -> str:
    """Text on one line, without what turns the direction of the text around it but those `kept`."""
    if _is_plain(text):
        return text
    found = []
    for character in text:
        if unicodedata.bidirectional(character) in _DIRECTION_CONTROLS and character not in kept:
            continue
        found.append(" " if unicodedata.category(character) in {"Cc", "Zl", "Zp"} else character)
    return "".join(found)


def _of_range(p_value: float, digits: int) -> str:
    """A p-value with so many digits, zeros at the end left out."""
    if p_value in (0.0, 1.0):
        return f"{p_value:.0f}"
    if p_value < SMALLEST_SHOWN:
        mantissa, _, exponent = f"{p_value:.{digits - 1}e}".partition("e")
        return (
            f"{mantissa.rstrip('0').rstrip('.') if '.' in mantissa else mantissa}e{int(exponent)}"
        )
    decimals = max(4, digits - 1 - math.floor(math.log10(p_value)))
    text = f"{p_value:.{decimals}f}".rstrip("0")
    return f".{'9' * decimals}" if float(text) >= 1.0 else text.removeprefix("0")


# A spreadsheet takes a cell that begins so for a formula.
# The full-width signs are read as the others in East Asian versions.
FORMULA_STARTS = (*"=+-@", *"＝＋－＠", "\t", "\r", "\n")

# Controls, halves of pairs, and separators of lines and paragraphs (categories Cc, Cs, Zl, Zp).
_CONTROLS = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029\\ud800-\\udfff]")
_PLAIN_NUMBER = re.compile(r"[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?")

_FIGURE = re.compile(r"[<>]? ?-?[0-9]*[.]?[0-9]+")

# Dashes and quotation marks, which BibTeX entries hold as well.
LATEX_PUNCTUATION: Mapping[str, str] = MappingProxyType(
    {"–": "--", "—": "---", "“": "``", "”": "''", "’": "'"}
)

_LATEX = {
    **LATEX_PUNCTUATION,
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
    # At the start of a row these would be taken for arguments of the line break before it.
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
    "→": r"$\rightarrow$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "≠": r"$\neq$",
    "−": "$-$",
    "×": r"$\times$",
    "·": r"$\cdot$",
    "α": r"$\alpha$",
    "χ": r"$\chi$",
    "κ": r"$\kappa$",
    "²": "$^{2}$",
    "∞": r"$\infty$",
    "…": r"\dots{}",
    "★": r"$^{\star}$",
    "†": r"$^{\dagger}$",
    "\u2068": "",
    "\u2069": "",
}

_MARKDOWN_SPECIAL = frozenset("\\`*_{}[]#!|<>~$@&")

# At the start of a text these begin a list or a heading.
_MARKDOWN_START = re.compile(r"^(\s*)([+=-]|[0-9]+(?=[.)]))")


def latex(text: str) -> str:
    """Text that LaTeX sets as it stands; its figures and signs in mathematics."""
    plain = _on_one_line(unicodedata.normalize("NFC", text))
    written = []
    for before, character in zip(" " + plain, plain, strict=False):
        # Two hyphens would become a dash.
        apart = "{}" if before == character == "-" else ""
        written.append(apart + _LATEX.get(character, character))
    return "".join(written).replace("k\u0302", r"$\hat{k}$")


def latex_within(text: str) -> str:
    """Text within a sentence as LaTeX: the spaces at its ends stay."""
    within = text.strip(" ")
    if not within:
        return " " if text else ""
    before, after = len(text) - len(text.lstrip(" ")), len(text) - len(text.rstrip(" "))
    return f"{' ' * before}{latex(within)}{' ' * after}"


def latex_typewriter(line: str) -> str:
    """A line that is copied, as LaTeX: a long one may be broken after each of its items."""
    bar = latex("|")
    broken = latex(line).replace(bar, rf"{bar}\allowbreak{{}}")
    return rf"\texttt{{{broken}}}"


def markdown(text: str) -> str:
    """Text in which Markdown reads no markup; figures stay as they are."""
    if _FIGURE.fullmatch(text):
        return text
    plain = _on_one_line(text)
    written = []
    for i, character in enumerate(plain):
        following = plain[i + 1 : i + 2]
        # A colon within a word begins an address, a colour or a picture in some dialects.
        in_word = character == ":" and following not in ("", " ")
        written.append(f"\\{character}" if character in _MARKDOWN_SPECIAL or in_word else character)
    joined = re.sub(r"www\.", r"www\\.", "".join(written), flags=re.IGNORECASE)
    found = _MARKDOWN_START.match(joined)
    if found is None:
        return joined
    at = found.end() if found[2][0].isdigit() else found.end(1)
    return f"{joined[:at]}\\{joined[at:]}"


def html_text(text: str, *, lines: bool = False) -> str:
    """Text for an element or a quoted attribute of HTML; with `lines`, line breaks stay."""
    parts = text.split("\n") if lines else [text]
    return html.escape("\n".join(_without_controls(part) for part in parts), quote=True)


def script_json(text: str) -> str:
    """JSON that can stand within a script element: it can neither end it nor be a comment."""
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def shell_word(text: str) -> str:
    """A word for a shell, control characters in it written as escapes."""
    if text == whole_name(text):
        return shlex.quote(text)
    escaped = "".join(
        character
        if character.isprintable() and character not in "'\\"
        else f"\\{character}"
        if character in "'\\"
        else f"\\U{ord(character):08x}"
        for character in text
    )
    return f"$'{escaped}'"


def guarded(cell: str) -> str:
    """A text cell that no spreadsheet takes for a formula; a plain number is none."""
    if not cell.startswith(FORMULA_STARTS) or _PLAIN_NUMBER.fullmatch(cell):
        return cell
    return f"'{cell}"


def free_heading(heading: str, taken: Collection[str]) -> str:
    """A heading that no other column has, as names may be cut to the same: blanks of no width follow."""
    while heading in taken:
        heading += "\u200b"
    return heading


def _on_one_line(text: str) -> str:
    return " ".join(_without_controls(text).split())


def _without_controls(text: str) -> str:
    return _CONTROLS.sub(" ", text)

"""Given-up phrases appear nowhere a person reads, and a p-value is written alike wherever it is."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
# Inverted, roundabout or boastful; each has a plain one in its place.
GIVEN_UP = (
    "To know about these data",
    "How this was read",
    "Read from it were neither",
    "Nothing that was read here says",
    "is then the safe one",
    "One score a dataset",
    "columns are cut at",
    "both directions together with",
    "statement of its own",
    "beside a lower score of",
    "no other possible reading gives less",
    "Holm names",
    "holds a wrong name",
    "false leads",
    "not identified",
    "How sure on each dataset",
    "does it hang on",
    "What the claims hang on",
    "What would change it",
    "Take the table away",
    "more of them would settle",
    "of resamples would come to",
    "can be gone on with",
    "no choice that was looked at",
    "tells the systems apart",
    "when the truth is known",
    "k is on how many",
    "as is proved",
    "whatever so many studies",
    "is no claim that can be read",
    "Written, for example, so",
    "not excluded by direction",
    "not supported by direction",
    "direction is left aside",
    "held against the scores",
    "no single p-value turns",
    "If you do not know it, Bonferroni",
    "must show it",
    "Pairs are told by",
    "have to be fixed before looking",
    "speaks for A at least so strongly",
    "One row an example",
    "what else is to be known",
    "would make a wrong winner",
    "A complement is never certainty",
    "one dataset under two names",
    "Of what is sorted by",
    "Of such scores there is no",
    "whoever looks on",
    "of what is no mean",
    "What is asked, and of what",
)


def _joined(path: Path) -> str:
    """The text of a file, literals that stand below each other as one."""
    return re.sub(r"\s+", " ", re.sub(r'"\s*\n\s*f?"', "", path.read_text(encoding="utf-8")))


FILES = {
    path.relative_to(ROOT): _joined(path).lower()
    for folder in ("core", "pages")
    for path in sorted((ROOT / folder).rglob("*"))
    if path.suffix in (".py", ".md")
} | {Path(name): _joined(ROOT / name).lower() for name in ("README.md", "app.py")}


def test_phrases_that_were_given_up_stand_nowhere() -> None:
    found = {
        (phrase, str(path))
        for phrase in GIVEN_UP
        for path, text in FILES.items()
        if phrase.lower() in text
    }
    assert not found


SHOWING = [
    *sorted((ROOT / "core" / "charts").glob("*.py")),
    *sorted((ROOT / "core" / "claims").glob("*.py")),
    *sorted((ROOT / "core" / "export").rglob("*.py")),
    *sorted((ROOT / "pages").rglob("*.py")),
]
# "p = " or "p (A better) = " at the end of what stands before a value; what was printed is quoted.
_EQUALS = re.compile(r"(?<!printed )\bp( \([^)]*\))? = $")
# The same before a value that Plotly puts in.
_TEMPLATE = re.compile(r"(?<!printed )\bp( \([^)]*\))? = %\{")
_P_VALUE = re.compile(r"(?<![\w.])(\w+\.)*(p|p_values?|p_[ab]|adjusted_p_values?)\b(?!\()")


def own_formats(source: str) -> Iterator[str]:
    """What writes p-values past `format_p_value` and `p_value_clause`."""
    for node in ast.walk(ast.parse(source)):
        text = node.value if isinstance(node, ast.Constant) else None
        if isinstance(text, str) and _TEMPLATE.search(text):
            yield f"line {node.lineno}: {text}"  # type: ignore[attr-defined]
        if not isinstance(node, ast.JoinedStr):
            continue
        before = ""
        for part in node.values:
            if isinstance(part, ast.Constant):
                before += str(part.value)
                continue
            assert isinstance(part, ast.FormattedValue)
            given = ast.unparse(part.value)
            digits = part.format_spec is not None and re.search(
                "[efg]'$", ast.unparse(part.format_spec)
            )
            if _EQUALS.search(before) or (digits and _P_VALUE.search(given)):
                yield f"line {node.lineno}: {ast.unparse(node)}"
            before = ""


def test_a_format_of_its_own_is_found_and_other_numbers_are_let_be() -> None:
    for source in (
        'f"{p:.3g}"',
        'f"p = {pair.p_value:.4g} ({verdict})"',
        'f"{found.p_values[i]:.6g}"',
        'f"{float(p):.4g}"',
        'f"gain {gain}, p = {shown}"',
        'go.Scatter(hovertemplate="p = %{y:.4g}<extra></extra>")',
        'f"<br>p (A better) = %{{customdata[1]}}"',
    ):
        assert list(own_formats(source)), source
    for source in (
        'f"{p_clause(p)}, n = {n:,}"',
        'f"p ≤ {level}"',
        'f"{len(p_values):,} p-values"',
        'f"at {x:.4g} of {share:.0%}"',
        'f"{p.name}"',
    ):
        assert not list(own_formats(source)), source


def test_p_values_are_written_by_the_common_functions() -> None:
    assert [
        f"{path.relative_to(ROOT)}, {found}"
        for path in SHOWING
        for found in own_formats(path.read_text(encoding="utf-8"))
    ] == []

"""Claims read from lines of text, one each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import cast

from core.claims.claim import ANY, Better, Claim, Method, count_methods
from core.data.tables.columns import folded
from core.data.words import quoted
from core.errors import DataError, Problem
from core.report.formatting import display_name
from core.validation import WRITTEN_LEVEL, read_level

_COUNTED = re.compile(
    r"(?:better\s+on\s+)?(?P<kind>at least|exactly)\s+(?P<k>[0-9]{1,6})"
    r"(?:\s+(?:out\s+)?of\s+(?:the\s+)?(?P<n>[0-9]{1,6}))?(?:\s+datasets?)?",
    re.IGNORECASE,
)
_LISTED = re.compile(
    r"(?P<kind>named|significant)(?::|\s)\s*(?P<names>.+)", re.DOTALL | re.IGNORECASE
)
_ENDING = re.compile(
    r"(?P<body>.*?)(?:\s+by\s+(?:any\s+of\s+(?P<columns>.+?)|(?P<method>common practice|[a-z][a-z-]*)))?"
    rf"(?:\s+at\s+(?P<alpha>{WRITTEN_LEVEL}))?(?:\s+for\s+(?P<better>a|b|differ))?\s*",
    re.DOTALL | re.IGNORECASE,
)
# Names that people write for methods.
_CALLED: dict[str, Method] = {
    "common practice": "count",
    "counting": "count",
    "bh": "benjamini-hochberg",
    "fdr": "benjamini-hochberg",
    "by": "benjamini-yekutieli",
}
_PRINTED = r"[-−]?[0-9]*\.?[0-9]+"
_INTERVAL = re.compile(
    rf"interval:?\s+\[?\s*(?P<low>{_PRINTED})\s*%?\s*(?:to|,|;)\s*(?P<high>{_PRINTED})\s*%?\s*\]?"
    rf"\s*%?\s+(?:about|around)\s+(?P<estimate>{_PRINTED})\s*%?(?:\s+at\s+(?P<alpha>{WRITTEN_LEVEL}))?",
    re.IGNORECASE,
)
# As papers say it: "Ours is significantly better than BERT on at least 5 of 8 datasets".
_IN_WORDS = re.compile(
    r"(?P<who>\S.*?)\s+(?:(?:is|was)\s+)?(?:significantly\s+)?better\s+(?:than\s+(?P<than>\S.*?)\s+)?"
    r"on\s+(?P<how_many>(?P<kind>at least|exactly)?\s*(?P<k>[0-9]{1,6})\s+(?:out\s+)?of\s+(?:the\s+)?"
    r"(?P<n>[0-9]{1,6})\b.*?|(?:at least|exactly)\s+[0-9]{1,6}\b.*?)\.?",
    re.IGNORECASE,
)
_COUNT_OF_WHAT = "An exact count needs its method: 'by count' is the number of p ≤ α."


def parse_claims(
    text: str, *, systems: Sequence[str] = (), datasets: Sequence[str] = ()
) -> tuple[Claim, ...]:
    """Read claims from lines, one each; empty lines and those that begin with # are passed over.

    A line is one of ::

        exactly K [of N] by METHOD [at ALPHA] [for A | for B | for differ]
        exactly K [of N] by any [of COLUMN; COLUMN; …] [at ALPHA] [for …]
        [better on] at least K [of N] [datasets] [by METHOD] [at ALPHA] [for …]
        named NAME; NAME; … by PROCEDURE [at ALPHA] [for …]
        significant NAME; NAME; … [at ALPHA] [for …]
        interval LOW to HIGH about ESTIMATE [at ALPHA]

    ALPHA is written .05, 5% or 1e-3. The keywords may be written with capital letters. Without "for" the claim is about A. "named none by holm" says that nothing is named. With `systems`, their names may stand for A and B: "at least 5 for Ours", "Ours is better on at least 5 of 8".

    Parameters
    ----------
    text : str
        Lines.
    systems : sequence of str
        Names of A and B. A line that can be read without them is.
    datasets : sequence of str
        Of the table, for examples of how a line is written.

    Raises
    ------
    DataError
        With every line that is none of these.

    Examples
    --------
    >>> parse_claims("exactly 10 by fisher at .05 for A")[0].k
    10
    """
    claims, problems = [], []
    for number, line in enumerate(text.splitlines(), start=1):
        stripped = line.strip()
        if not stripped or stripped.startswith("#"):
            continue
        try:
            claims.append(_claim_with_names(stripped, systems, datasets))
        except ValueError as error:
            remedy = _remedy(stripped, systems, datasets)
            problems.append(Problem(what=_of_a_line(str(error)), remedy=remedy, line=number))
    if problems:
        raise DataError(problems)
    return tuple(claims)


def read_claims(
    claims: Claim | str | Iterable[Claim | str],
    *,
    systems: Sequence[str] = (),
    datasets: Sequence[str] = (),
) -> tuple[Claim, ...]:
    """Claims as objects, whether given as such or as lines about these systems and datasets."""
    if isinstance(claims, str):
        return parse_claims(claims, systems=systems, datasets=datasets)
    if isinstance(claims, Claim):
        return (claims,)
    found: list[Claim] = []
    for claim in claims:
        found += (
            parse_claims(claim, systems=systems, datasets=datasets)
            if isinstance(claim, str)
            else [claim]
        )
    wrong = [claim for claim in found if not isinstance(claim, Claim)]
    if wrong:
        raise ValueError(f"`claims` must be claims or lines of text; got {wrong[0]!r}.")
    return tuple(found)


def _of_a_line(message: str) -> str:
    """What is wrong with a claim, to whoever writes lines and knows no arguments."""
    plain = re.sub(r"^`([a-z_]+)`", lambda found: f"The {found[1]}", message)
    return plain.replace(" must be None", " must not be given").replace("`", "'")


def names_its_system(line: str, systems: Sequence[str], datasets: Sequence[str] = ()) -> bool:
    """Whether a claim is for a system by its name, and not for A or B."""
    try:
        read = _claim_of(line, typed=line)
    except ValueError:
        read = None
    return _with_name(line, read, systems, datasets) is not None


def _claim_with_names(line: str, systems: Sequence[str], datasets: Sequence[str]) -> Claim:
    """Read a line as it stands, or else with names of systems for A and B."""
    read, refused = None, ValueError()
    try:
        read = _claim_of(line, typed=line)
    except ValueError as error:
        refused = error
    lettered = _with_name(line, read, systems, datasets)
    if lettered is not None:
        return _claim_of(lettered, typed=line)
    if read is None:
        raise refused
    return read


def _with_name(
    line: str, read: Claim | None, systems: Sequence[str], datasets: Sequence[str]
) -> str | None:
    """The line with a letter for the system that it names; None where it names none."""
    if read is not None:
        # "significant x for ours" could be read as of a dataset "x for ours".
        ending = _ENDING.fullmatch(line)
        has_letter = ending is not None and ending["better"] is not None
        if has_letter or not read.datasets or read.datasets[-1] in datasets:
            return None
    return _with_letter(line, systems)


def _with_letter(line: str, systems: Sequence[str]) -> str | None:
    """The line with "for A" or "for B" where it names the system; None where it names none."""
    said = _IN_WORDS.fullmatch(line)
    if said is not None and (side := _side_of(said["who"], systems)):
        # Better than itself, or than one that is not in the table, is no claim about it.
        than = None if said["than"] is None else _side_of(said["than"], systems)
        other = said["than"] is None or than not in (None, side)
        if not other or said["how_many"][0].isdigit():
            return None
        return f"{said['how_many']} for {side}"
    for end in re.finditer(r"(?<=\s)for\s+", line, re.IGNORECASE):
        if side := _side_of(line[end.end() :], systems):
            return f"{line[: end.start()]}for {side}"
    return None


def _side_of(written: str, systems: Sequence[str]) -> str | None:
    """The letter of the system of this name, whose case counts where two differ in nothing else."""
    sides = dict(zip("AB", systems, strict=False))
    exact = [side for side, name in sides.items() if name == written]
    alike = [side for side, name in sides.items() if _alike(name) == _alike(written)]
    found = exact or alike
    return found[0] if len(found) == 1 else None


def _alike(name: str) -> str:
    """A name without case, Unicode form and further blanks, as a page may show it."""
    return folded(" ".join(name.split()))


def _claim_of(line: str, *, typed: str) -> Claim:
    """Read a line; a message quotes it as it was typed."""
    interval = _INTERVAL.fullmatch(line)
    if interval is not None:
        low, high, estimate = (
            interval[name].replace("−", "-") for name in ("low", "high", "estimate")
        )
        stated = interval["alpha"]
        return Claim(
            kind="interval",
            interval=(low, high),
            estimate=estimate,
            alpha=None if stated is None else _level(stated),
        )
    ending = _ENDING.fullmatch(line)
    assert ending is not None  # every part of it may be missing
    better = ending["better"] or "a"
    side = cast(Better, better.lower())
    columns = _names(ending["columns"] or "")
    method = "any" if columns else _method(ending["method"])
    alpha = None if ending["alpha"] is None else _level(ending["alpha"])
    counted = _COUNTED.fullmatch(ending["body"])
    if counted is not None:
        if counted["kind"].lower() == "exactly" and method is None:
            raise ValueError(_COUNT_OF_WHAT)
        return Claim(
            kind="exactly" if counted["kind"].lower() == "exactly" else "at-least",
            k=int(counted["k"]),
            n_datasets=None if counted["n"] is None else int(counted["n"]),
            method=method,
            better=side,
            alpha=alpha,
            columns=columns,
        )
    named = _LISTED.fullmatch(ending["body"])
    if named is None:
        raise ValueError(f"'{display_name(typed)}' is no claim that can be read.")
    names = _names(named["names"])
    if not names:
        raise ValueError("No dataset is named: 'none' says that there is none.")
    return Claim(
        kind="named" if named["kind"].lower() == "named" else "significant",
        datasets=() if names == ("none",) else names,
        method=method,
        better=side,
        alpha=alpha,
        columns=columns,
    )


def _level(text: str) -> float:
    level = read_level(text)
    if level is None:
        raise ValueError(f"A level must lie between 0 and 1; got {text}.")
    return level


def _method(text: str | None) -> Method | None:
    if not text:
        return None
    called = text.lower()
    method: Method | None = _CALLED.get(called) or next(
        (known for known in (*count_methods(), ANY) if known == called), None
    )
    if method is None:
        raise ValueError(f"There is no method “{display_name(text)}”.")
    return method


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(";") if name.strip())


def _examples(systems: Sequence[str], datasets: Sequence[str]) -> dict[str, str]:
    """What a line begins with, and how such a line is written, in the table's own names."""
    # Whatever a line cannot hold is no example.
    plain = [name for name in datasets if ";" not in name and display_name(name) == name][:2]
    names = plain or ["Tamil", "Czech"]
    n = len(datasets) or 12
    k = max(1, n // 2)
    a = example_side(systems)
    return {
        "exactly": f"'exactly {k} of {n} by fisher at .05 for {a}'",
        "at least": f"'at least {k} for {a}'",
        "named": f"'named {'; '.join(names)} by holm at .05 for {a}'",
        "significant": f"'significant {names[0]} at .01 for differ'",
        "interval": "'interval 3.9 to 5.2 about 4.6 at .05'",
    }


def example_side(systems: Sequence[str]) -> str:
    """What an example says its claim is for: A by its name, where a line can hold that."""
    for name in systems[:1]:
        if display_name(name) == name and name.lower() not in ("a", "b", "differ"):
            found = _with_letter(f"at least 1 for {name}", systems)
            return name if found == "at least 1 for A" else "A"
    return "A"


def _remedy(line: str, systems: Sequence[str], datasets: Sequence[str]) -> str:
    """An example of what the line seems to be meant for, or one of each."""
    said = _IN_WORDS.fullmatch(line)
    if said is not None and said["n"] and not said["kind"]:
        k, a = f"{said['k']} of {said['n']}", said["who"]
        a = a if _side_of(a, systems) else example_side(systems)
        return (
            f"Say whether at least or exactly so many are meant: 'at least {k} for {display_name(a)}' "
            f"or 'exactly {k} by count for {display_name(a)}'."
        )
    if re.search(r"\sby\s", line, re.IGNORECASE) and not re.match("interval", line, re.IGNORECASE):
        known = ", ".join(quoted(method) for method in (*count_methods(), ANY))
        called = _ENDING.fullmatch(line)
        method = None if called is None else called["method"]
        if method and _CALLED.get(method.lower(), method.lower()) not in (*count_methods(), ANY):
            return f"Write one of {known}."
    examples = _examples(systems, datasets)
    start_of_line = (line if said is None else said["how_many"]).lower()
    meant = [text for start, text in examples.items() if start_of_line.startswith(start)]
    *others, last = meant or examples.values()
    return f"Write for example {', '.join(others)}{' or ' if others else ''}{last}."

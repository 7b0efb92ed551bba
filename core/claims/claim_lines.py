"""Claims read from lines of text, one each."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import cast

from core.claims.claim import Better, Claim, Method
from core.errors import DataError, Problem
from core.report.formatting import display_name

_COUNTED = re.compile(
    r"(?P<kind>at least|exactly)\s+(?P<k>[0-9]{1,6})(?:\s+of\s+(?P<n>[0-9]{1,6}))?", re.IGNORECASE
)
_LISTED = re.compile(
    r"(?P<kind>named|significant)(?::|\s)\s*(?P<names>.+)", re.DOTALL | re.IGNORECASE
)
_ENDING = re.compile(
    r"(?P<body>.*?)(?:\s+by\s+(?:any\s+of\s+(?P<columns>.+?)|(?P<method>[a-z][a-z-]*)))?"
    r"(?:\s+at\s+(?P<alpha>[0-9]*\.[0-9]+))?(?:\s+for\s+(?P<better>a|b|differ))?\s*",
    re.DOTALL | re.IGNORECASE,
)
_PRINTED = r"[-−]?[0-9]*\.?[0-9]+"
_INTERVAL = re.compile(
    rf"interval:?\s+\[?\s*(?P<low>{_PRINTED})\s*%?\s*(?:to|,|;)\s*(?P<high>{_PRINTED})\s*%?\s*\]?"
    rf"\s*%?\s+(?:about|around)\s+(?P<estimate>{_PRINTED})\s*%?(?:\s+at\s+(?P<alpha>[0-9]*\.[0-9]+))?",
    re.IGNORECASE,
)
# What a line begins with, and how such a line is written.
_EXAMPLES = {
    "exactly": "'exactly 10 of 12 by fisher at .05 for A'",
    "at least": "'at least 6 for A'",
    "named": "'named Tamil; Czech by holm at .05 for A'",
    "significant": "'significant Tamil at .01 for differ'",
    "interval": "'interval 3.9 to 5.2 about 4.6 at .05'",
}


def parse_claims(text: str) -> tuple[Claim, ...]:
    """Read claims from lines, one each; empty lines and those that begin with # are passed over.

    A line is one of ::

        exactly K [of N] by METHOD [at ALPHA] [for A | for B | for differ]
        exactly K [of N] by any [of COLUMN; COLUMN; …] [at ALPHA] [for …]
        at least K [of N] [by METHOD] [at ALPHA] [for …]
        named NAME; NAME; … by PROCEDURE [at ALPHA] [for …]
        significant NAME; NAME; … [at ALPHA] [for …]
        interval LOW to HIGH about ESTIMATE [at ALPHA]

    The keywords may be written with capital letters. Without "for" the claim is about A. "named none by holm" says that nothing is named.

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
            claims.append(_claim_of(stripped))
        except ValueError as error:
            problems.append(Problem(what=str(error), remedy=_remedy(stripped), line=number))
    if problems:
        raise DataError(problems)
    return tuple(claims)


def read_claims(claims: Claim | str | Iterable[Claim | str]) -> tuple[Claim, ...]:
    """Claims as objects, whether given as such or as lines."""
    if isinstance(claims, str):
        return parse_claims(claims)
    if isinstance(claims, Claim):
        return (claims,)
    found: list[Claim] = []
    for claim in claims:
        found += parse_claims(claim) if isinstance(claim, str) else [claim]
    wrong = [claim for claim in found if not isinstance(claim, Claim)]
    if wrong:
        raise ValueError(f"`claims` must be claims or lines of text; got {wrong[0]!r}.")
    return tuple(found)


def _claim_of(line: str) -> Claim:
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
            alpha=None if stated is None else float(stated),
        )
    ending = _ENDING.fullmatch(line)
    assert ending is not None  # every part of it may be missing
    better = ending["better"] or "a"
    side = cast(Better, better.lower())
    columns = _names(ending["columns"] or "")
    method = cast("Method | None", "any" if columns else (ending["method"] or "").lower() or None)
    alpha = None if ending["alpha"] is None else float(ending["alpha"])
    counted = _COUNTED.fullmatch(ending["body"])
    if counted is not None:
        return Claim(
            kind="exactly" if counted["kind"].lower() == "exactly" else "at-least",
            k=int(counted["k"]),
            n_datasets=None if counted["n"] is None else int(counted["n"]),
            method=method,
            better=side,
            alpha=alpha,
            columns=columns,
        )
    listed = _LISTED.fullmatch(ending["body"])
    if listed is None:
        raise ValueError(f"'{display_name(line)}' is no claim that can be read.")
    names = _names(listed["names"])
    return Claim(
        kind="named" if listed["kind"].lower() == "named" else "significant",
        datasets=() if names == ("none",) else names,
        method=method,
        better=side,
        alpha=alpha,
        columns=columns,
    )


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(";") if name.strip())


def _remedy(line: str) -> str:
    """An example of what the line seems to be meant for, or one of each."""
    meant = [text for start, text in _EXAMPLES.items() if line.lower().startswith(start)]
    *others, last = meant or _EXAMPLES.values()
    return f"Write for example {', '.join(others)}{' or ' if others else ''}{last}."

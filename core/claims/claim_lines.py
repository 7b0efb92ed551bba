"""Claims read from lines of text, one each."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import cast

from core.claims.claim import ANY, METHODS, Better, Claim, Method
from core.data.words import listed
from core.errors import DataError, Problem
from core.report.formatting import display_name

# A level: .05, 0.05, 5%, 1e-3.
_LEVEL = r"[0-9]*\.?[0-9]+(?:e-[0-9]{1,2}|\s*%)?"
_COUNTED = re.compile(
    r"(?:better\s+on\s+)?(?P<kind>at least|exactly)\s+(?P<k>[0-9]{1,6})"
    r"(?:\s+of\s+(?:the\s+)?(?P<n>[0-9]{1,6}))?(?:\s+datasets?)?",
    re.IGNORECASE,
)
_LISTED = re.compile(
    r"(?P<kind>named|significant)(?::|\s)\s*(?P<names>.+)", re.DOTALL | re.IGNORECASE
)
_ENDING = re.compile(
    r"(?P<body>.*?)(?:\s+by\s+(?:any\s+of\s+(?P<columns>.+?)|(?P<method>common practice|[a-z][a-z-]*)))?"
    rf"(?:\s+at\s+(?P<alpha>{_LEVEL}))?(?:\s+for\s+(?P<better>a|b|differ))?\s*",
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
    rf"\s*%?\s+(?:about|around)\s+(?P<estimate>{_PRINTED})\s*%?(?:\s+at\s+(?P<alpha>{_LEVEL}))?",
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
        [better on] at least K [of N] [datasets] [by METHOD] [at ALPHA] [for …]
        named NAME; NAME; … by PROCEDURE [at ALPHA] [for …]
        significant NAME; NAME; … [at ALPHA] [for …]
        interval LOW to HIGH about ESTIMATE [at ALPHA]

    ALPHA is written .05, 5% or 1e-3. The keywords may be written with capital letters. Without "for" the claim is about A. "named none by holm" says that nothing is named.

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
        raise ValueError(f"'{display_name(line)}' is no claim that can be read.")
    names = _names(named["names"])
    return Claim(
        kind="named" if named["kind"].lower() == "named" else "significant",
        datasets=() if names == ("none",) else names,
        method=method,
        better=side,
        alpha=alpha,
        columns=columns,
    )


def _level(text: str) -> float:
    bare = text.replace(" ", "")
    # Through Decimal, as 5% is .05 and not a float beside it.
    level = float(Decimal(bare[:-1]) / 100) if bare.endswith("%") else float(bare)
    if not 0.0 < level < 1.0:
        raise ValueError(f"A level must lie between 0 and 1; got {text}.")
    return level


def _method(text: str | None) -> Method | None:
    if not text:
        return None
    called = text.lower()
    method: Method | None = _CALLED.get(called) or next(
        (known for known in (*METHODS, ANY) if known == called), None
    )
    if method is None:
        raise ValueError(f"There is no method “{display_name(text)}”.")
    return method


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(";") if name.strip())


def _remedy(line: str) -> str:
    """An example of what the line seems to be meant for, or one of each."""
    if re.search(r"\sby\s", line, re.IGNORECASE) and not re.match("interval", line, re.IGNORECASE):
        known = listed([*METHODS, ANY])
        called = _ENDING.fullmatch(line)
        method = None if called is None else called["method"]
        if method and _CALLED.get(method.lower(), method.lower()) not in (*METHODS, ANY):
            return f"Write one of {known}."
    meant = [text for start, text in _EXAMPLES.items() if line.lower().startswith(start)]
    *others, last = meant or _EXAMPLES.values()
    return f"Write for example {', '.join(others)}{' or ' if others else ''}{last}."

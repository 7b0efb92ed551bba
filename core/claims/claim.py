"""What a paper claims of its table, and a line format for it.

Vocabulary
----------
better
    Whose lead a claim is about: system A, system B, or none ("the systems differ").
method
    What a count is made by: "count" is the common practice (p ≤ alpha), a
    combination counts with a guarantee, a procedure counts the names it gives.
"""

from __future__ import annotations

import math
import numbers
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, cast, get_args

from core.errors import DataError, Problem
from core.report.formatting import display_name, format_level, list_names
from core.report.sentences import COMBINATION_NAMES, PROCEDURE_NAMES
from core.types import COMBINATIONS, PROCEDURES, Procedure
from core.validation import check_alpha, check_choice

ClaimKind = Literal["at-least", "exactly", "named", "significant"]
Better = Literal["a", "b", "differ"]
Method = Literal["count", "simes", "fisher"] | Procedure

KINDS: tuple[ClaimKind, ...] = get_args(ClaimKind)
SIDES: tuple[Better, ...] = get_args(Better)
COUNT: Method = "count"
METHODS: tuple[Method, ...] = (COUNT, *COMBINATIONS, *(p for p in PROCEDURES if p != "bonferroni"))

_COUNTED = re.compile(
    r"(?P<kind>at least|exactly)\s+(?P<k>[0-9]{1,6})(?:\s+of\s+(?P<n>[0-9]{1,6}))?"
)
_LISTED = re.compile(r"(?P<kind>named|significant)(?::|\s)\s*(?P<names>.+)")
_ENDING = re.compile(
    r"(?P<body>.*?)(?:\s+by\s+(?P<method>[a-z][a-z-]*))?(?:\s+at\s+(?P<alpha>[0-9]*\.[0-9]+))?"
    r"(?:\s+for\s+(?P<better>[AaBb]|differ))?\s*",
    re.DOTALL,
)
_REMEDY = (
    "Write for example 'exactly 10 of 12 by fisher at .05 for A', 'at least 6 for A', "
    "'named Tamil; Czech by holm at .05 for A' or 'significant Tamil at .01 for differ'."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One claim about a table of p-values.

    Attributes
    ----------
    kind : {"at-least", "exactly", "named", "significant"}
        At least `k` of the datasets; `method` gives exactly `k`; `method` names
        exactly `datasets`; p ≤ alpha on each of `datasets`.
    k : int or None
        Of the first two.
    method : str or None
        "count" (the common practice), "bonferroni", "fisher", "simes", or a
        procedure. "exactly" and "named" need one; "at-least" takes by default
        the combination that the stated dependence allows; "significant" has none.
    datasets : tuple of str
        Of the last two; may be empty for "named".
    better : {"a", "b", "differ"}
        Whose lead is claimed.
    alpha : float or None
        The level; None for that of the whole check.
    n_datasets : int or None
        N, where the claim states it.
    text : str
        The paper's own words, to be quoted.

    Examples
    --------
    >>> Claim(kind="exactly", k=10, method="fisher", alpha=0.05).line()
    'exactly 10 by fisher at .05 for A'
    """

    kind: ClaimKind
    k: int | None = None
    method: Method | None = None
    datasets: tuple[str, ...] = ()
    better: Better = "a"
    alpha: float | None = None
    n_datasets: int | None = None
    text: str = ""

    def __post_init__(self) -> None:
        check_choice(self.kind, KINDS, name="kind")
        check_choice(self.better, SIDES, name="better")
        if self.alpha is not None:
            object.__setattr__(self, "alpha", check_alpha(self.alpha))
        for name in ("k", "n_datasets"):
            self._check_count(name)
        if isinstance(self.datasets, str):
            raise ValueError(f"`datasets` must be a tuple of names; got {self.datasets!r}.")
        object.__setattr__(self, "datasets", tuple(self.datasets))
        self._check_parts()

    @property
    def counts(self) -> bool:
        """Whether it is about how many, not which."""
        return self.kind in ("at-least", "exactly")

    def line(self) -> str:
        """The claim as `parse_claims` reads it; names that hold ';' cannot be read back."""
        parts = [self.kind.replace("-", " ")]
        if self.counts:
            parts.append(str(self.k))
            if self.n_datasets is not None:
                parts.append(f"of {self.n_datasets}")
        else:
            parts.append("; ".join(self.datasets) or "none")
        if self.method is not None:
            parts.append(f"by {self.method}")
        if self.alpha is not None:
            parts.append(f"at {level_in_plain(self.alpha)}")
        parts.append(f"for {self.better.upper() if self.better in ('a', 'b') else self.better}")
        return " ".join(parts)

    def words(self, *, alpha: float, system_a: str = "A", system_b: str = "B") -> str:
        """The claim in words: the paper's own where they are known."""
        if self.text:
            return f"“{display_name(self.text)}”"
        whom = {"a": f" for {display_name(system_a)}", "b": f" for {display_name(system_b)}"}
        stated = format_level(alpha if self.alpha is None else self.alpha)
        level = f" at level {stated}"
        by = f" by {method_name(self.method)}" if self.method else ""
        if self.counts:
            start = "at least" if self.kind == "at-least" else "exactly"
            total = "" if self.n_datasets is None else f" of {self.n_datasets}"
            what = f"{start} {self.k}{total}"
        else:
            names = list_names(self.datasets) or "none"
            what = f"{names} named"
            if self.kind == "significant":
                what, level = f"p at most {stated} on {names}", ""
        return f"“{what}{by}{level}{whom.get(self.better, '')}”"

    def _check_count(self, name: str) -> None:
        value = getattr(self, name)
        if value is None:
            return
        if isinstance(value, bool) or not isinstance(value, numbers.Integral):
            raise ValueError(f"`{name}` must be a whole number; got {value!r}.")
        if value < 0:
            raise ValueError(f"`{name}` must not be negative; got {value!r}.")
        object.__setattr__(self, name, int(value))

    def _check_parts(self) -> None:
        if self.counts == (self.k is None):
            verb = "be given" if self.counts else "be None"
            raise ValueError(f"`k` must {verb} for a claim '{self.kind}'; got {self.k!r}.")
        if self.counts and self.datasets:
            raise ValueError(f"`datasets` must be empty for a claim '{self.kind}'.")
        if self.kind == "significant" and not self.datasets:
            raise ValueError("`datasets` must hold at least one name for a claim 'significant'.")
        if len(set(self.datasets)) != len(self.datasets):
            raise ValueError("`datasets` must hold each name once.")
        if self.kind == "significant" and self.method is not None:
            raise ValueError(
                f"`method` must be None for a claim 'significant'; got {self.method!r}."
            )
        if self.kind in ("exactly", "named") and self.method is None:
            raise ValueError(f"`method` must be given for a claim '{self.kind}'.")
        if self.method is not None:
            check_choice(
                self.method, PROCEDURES if self.kind == "named" else METHODS, name="method"
            )


def method_name(method: Method) -> str:
    """A method as sentences write it: "Fisher", "common practice"."""
    if method == COUNT:
        return "common practice"
    if method in COMBINATIONS:
        return COMBINATION_NAMES[method]
    return PROCEDURE_NAMES[method]


def level_in_plain(alpha: float) -> str:
    """A level with every digit and no power of ten."""
    digits = max(1, 17 - math.floor(math.log10(alpha)))
    text = f"{alpha:.{digits}f}" if "e" in repr(alpha) else repr(alpha)
    return text.rstrip("0").removeprefix("0")


def parse_claims(text: str) -> tuple[Claim, ...]:
    """Read claims from lines, one each; empty lines and those that begin with # are passed over.

    A line is one of ::

        exactly K [of N] by METHOD [at ALPHA] [for A | for B | for differ]
        at least K [of N] [by METHOD] [at ALPHA] [for …]
        named NAME; NAME; … by PROCEDURE [at ALPHA] [for …]
        significant NAME; NAME; … [at ALPHA] [for …]

    Without "for" the claim is about A. "named none by holm" says that nothing is named.

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
            problems.append(Problem(what=str(error), remedy=_REMEDY, line=number))
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
    ending = _ENDING.fullmatch(line)
    assert ending is not None  # every part of it may be missing
    better = ending["better"] or "a"
    side = cast(Better, better.lower() if better in ("A", "B") else better)
    method = cast("Method | None", ending["method"])
    alpha = None if ending["alpha"] is None else float(ending["alpha"])
    counted = _COUNTED.fullmatch(ending["body"])
    if counted is not None:
        return Claim(
            kind="exactly" if counted["kind"] == "exactly" else "at-least",
            k=int(counted["k"]),
            n_datasets=None if counted["n"] is None else int(counted["n"]),
            method=method,
            better=side,
            alpha=alpha,
        )
    listed = _LISTED.fullmatch(ending["body"])
    if listed is None:
        raise ValueError(f"'{display_name(line)}' is no claim that can be read.")
    names = tuple(name.strip() for name in listed["names"].split(";") if name.strip())
    return Claim(
        kind="named" if listed["kind"] == "named" else "significant",
        datasets=() if names == ("none",) else names,
        method=method,
        better=side,
        alpha=alpha,
    )

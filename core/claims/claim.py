"""What a paper claims of its table.

Vocabulary
----------
better
    Whose lead a claim is about: system A, system B, or none ("the systems differ").
method
    What a count is made by: "count" is the common practice (p ≤ alpha), a
    combination counts with a guarantee, a procedure counts the names it gives,
    "any" counts datasets of which at least one of several p-values is ≤ alpha.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal, get_args

import numpy as np

from ..replicability.combinations import combination_named, combination_names, usual_combination
from ..replicability.identification import procedure_named, procedure_names
from ..types import BoolArray, Dependence
from ..validation import check_alpha, check_choice, check_whole
from ..words.formatting import (
    display_name,
    format_confidence,
    format_level,
    list_names,
    minus,
    printed_number,
)
from ..words.subject import Subject

ClaimKind = Literal["at-least", "exactly", "named", "significant", "not-significant", "interval"]
Better = Literal["a", "b", "differ"]
Method = Literal["count", "any"] | str

# What a table's scores are; of others p-values cannot be checked against them.
ClaimMetric = Literal["accuracy", "correlation", "other"]

KINDS: tuple[ClaimKind, ...] = get_args(ClaimKind)
SIDES: tuple[Better, ...] = get_args(Better)
COUNT: Method = "count"
# How many datasets the Bonferroni correction names: no more than Bonferroni's combination counts.
CORRECTION: Method = "bonferroni-correction"
# Of a table with several p-values for each dataset.
ANY: Method = "any"

# What a claim of each kind must have beside its level, and what it may have.
_PARTS: Mapping[ClaimKind, tuple[set[str], set[str]]] = {
    "at-least": ({"k"}, {"method"}),
    "exactly": ({"k", "method"}, set()),
    "named": ({"method"}, {"datasets"}),
    "significant": ({"datasets"}, {"method"}),
    "not-significant": ({"datasets"}, set()),
    "interval": ({"interval", "estimate"}, set()),
}
# A number as printed, in an interval: its digits say how far it was rounded.
_NUMBER = re.compile(r"-?(?:[0-9]{1,15}(?:\.[0-9]{1,15})?|\.[0-9]{1,15})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One claim about a table of p-values.

    Attributes
    ----------
    kind : {"at-least", "exactly", "named", "significant", "not-significant", "interval"}
        At least `k` of the datasets; `method` gives exactly `k`; `method` names
        exactly `datasets`; p ≤ alpha, or p > alpha, on each of `datasets`, or `method`
        names each of them, whatever else it names; an estimate with its confidence interval.
    k : int or None
        Of the first two.
    method : str or None
        "count" (the common practice), "any", "bonferroni", "fisher", "simes",
        "bonferroni-correction" (how many it names), or a procedure. "exactly" and
        "named" need one; "at-least" takes by default the combination that the
        stated dependence allows; "significant" may have a procedure.
    datasets : tuple of str
        Of "named", where it may be empty, "significant" and "not-significant".
    better : {"a", "b", "differ"}
        Whose lead is claimed; of an interval and of what is not significant always "differ".
    alpha : float or None
        The level; None for that of the whole check. An interval's confidence is
        1 − alpha.
    n_datasets : int or None
        N, where the claim states it.
    text : str
        The paper's own words, to be quoted.
    columns : tuple of str
        Of "any", the columns of p-values that are meant; empty for all of them.
    interval : (str, str) or None
        Lower and upper end as printed.
    estimate : str or None
        What the interval is stated for, as printed.

    Examples
    --------
    >>> from replicability import Claim
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
    columns: tuple[str, ...] = ()
    interval: tuple[str, str] | None = None
    estimate: str | None = None

    def __post_init__(self) -> None:
        check_choice(self.kind, KINDS, name="kind")
        check_choice(self.better, SIDES, name="better")
        if self.alpha is not None:
            object.__setattr__(self, "alpha", check_alpha(self.alpha))
        for name in ("k", "n_datasets"):
            if (count := getattr(self, name)) is not None:
                object.__setattr__(self, name, check_whole(count, name=name, least=0))
        if isinstance(self.datasets, str):
            raise ValueError(f"`datasets` must be a tuple of names; got {self.datasets!r}.")
        object.__setattr__(self, "datasets", tuple(self.datasets))
        object.__setattr__(self, "columns", tuple(self.columns))
        if self.interval is not None:
            ends = () if isinstance(self.interval, str) else tuple(map(str, self.interval))
            if len(ends) != 2:
                raise ValueError(f"`interval` must be two ends as printed; got {self.interval!r}.")
            object.__setattr__(self, "interval", ends)
        if self.kind in ("interval", "not-significant"):
            object.__setattr__(self, "better", "differ")
        self._check_parts()

    @property
    def counts(self) -> bool:
        """Whether it is about how many, not which."""
        return self.kind in ("at-least", "exactly")

    @property
    def of_each(self) -> bool:
        """Whether it is about each of its datasets, and says nothing of the others."""
        return self.kind in ("significant", "not-significant")

    @property
    def of_levels(self) -> bool:
        """Whether it holds single p-values against the level, each by itself."""
        return self.of_each and self.method is None

    @property
    def is_of_p_at_most_alpha(self) -> bool:
        """Whether it lists or counts p ≤ α, by no combination and no procedure."""
        return self.of_levels or self.method in (COUNT, ANY)

    @property
    def for_a(self) -> Claim:
        """The same claim on A if it is one on B, for a table in which they have changed places."""
        return replace(self, better="a") if self.better == "b" else self

    def level(self, alpha: float) -> float:
        """The level that it is made at: its own, or that of the whole check."""
        return alpha if self.alpha is None else self.alpha

    def counted_by(self, dependence: Dependence) -> Method:
        """What it counts by: its own method, or the combination that the dependence allows."""
        return usual_combination(dependence) if self.method is None else self.method

    def members(self, datasets: Sequence[str]) -> BoolArray:
        """Which of a table's datasets it names."""
        named = set(self.datasets)
        return np.array([dataset in named for dataset in datasets], dtype=np.bool_)

    def line(self) -> str:
        """The claim as `parse_claims` reads it; names that hold ';' cannot be read back."""
        if self.interval is not None:
            level = "" if self.alpha is None else f" at {level_in_plain(self.alpha)}"
            return f"interval {' to '.join(self.interval)} about {self.estimate}{level}"
        parts = [self.kind.replace("-", " ")]
        if self.counts:
            parts.append(str(self.k))
            if self.n_datasets is not None:
                parts.append(f"of {self.n_datasets}")
        else:
            parts.append("; ".join(self.datasets) or "none")
        if self.method is not None:
            of = f" of {'; '.join(self.columns)}" if self.columns else ""
            parts.append(f"by {self.method}{of}")
        if self.alpha is not None:
            parts.append(f"at {level_in_plain(self.alpha)}")
        if self.kind == "not-significant":
            return " ".join(parts)
        parts.append(f"for {self.better.upper() if self.better in ('a', 'b') else self.better}")
        return " ".join(parts)

    def words(
        self, subject: Subject | None = None, *, alpha: float, dependence: Dependence | None = None
    ) -> str:
        """The claim in words: the paper's own, in quotation marks, where they are known.

        `alpha` is the level of a claim that states none; `dependence` chooses what "at least" is counted
        by where it names no method, which is said then.
        """
        if self.text:
            return f"“{display_name(self.text)}”"
        subject = subject or Subject(system_a="A", system_b="B", datasets=())
        a, b = display_name(subject.system_a), display_name(subject.system_b)
        one = {"a": a, "b": b}.get(self.better)
        stated = format_level(self.level(alpha))
        level = f" at level {stated}"
        if self.interval is not None:
            low, high, estimate = (
                minus(printed_number(number)) for number in (*self.interval, self.estimate or "")
            )
            confidence = format_confidence(self.level(alpha))
            return f"{estimate} with a {confidence} interval from {low} to {high}"
        by = f" by {method_name(self.method)}" if self.method else ""
        if self.method == COUNT:
            by, level = f", counting p ≤ {stated}", ""
        elif self.method is None and dependence is not None and self.kind == "at-least":
            assumed = method_name(self.counted_by(dependence))
            level += f" (no method is named: counted by {assumed})"
        if self.method == ANY:
            columns = list_names(self.columns, most=len(self.columns)) or "several p-values"
            by = f" with {columns if len(self.columns) == 1 else f'any of {columns}'} ≤ {stated}"
            level = ""
        if self.counts:
            start = "at least" if self.kind == "at-least" else "exactly"
            total = "" if self.n_datasets is None else f" of {self.n_datasets}"
            last = self.k if self.n_datasets is None else self.n_datasets
            unit = "dataset" if last == 1 else "datasets"
            who = f"{one} {subject.is_better}" if one else f"{a} and {b} differ"
            return f"{who} on {start} {self.k}{total} {unit}{by}{level}"
        names = list_names(self.datasets) or "no dataset"
        whom = f" for {one}" if one else f", whichever of {a} and {b} is ahead"
        if self.kind == "not-significant":
            return f"p is above {stated} on {names}"
        if self.kind == "significant" and self.method is None:
            return f"p is at most {stated} on {names}{whom}"
        procedure = "" if self.method is None else method_as_subject(self.method)
        exactly = "exactly " if self.kind == "named" and self.datasets else ""
        return f"{procedure} names {exactly}{names}{level}{whom}"

    def _check_parts(self) -> None:
        needed, allowed = _PARTS[self.kind]
        for name in ("k", "method", "datasets", "interval", "estimate"):
            value = getattr(self, name)
            is_given = value is not None and value != ()
            if not is_given and name in needed:
                raise ValueError(f"`{name}` must be given for a claim '{self.kind}'.")
            if is_given and name not in needed | allowed:
                raise ValueError(
                    f"`{name}` must not be given for a claim '{self.kind}'; got {value!r}."
                )
        for name, names in (("datasets", self.datasets), ("columns", self.columns)):
            if len(set(names)) != len(names):
                raise ValueError(f"`{name}` must hold each name once.")
        if self.columns and self.method != ANY:
            raise ValueError("`columns` must be empty for a method other than 'any'.")
        if self.method is not None:
            methods = (*count_methods(), ANY) if self.counts else procedure_names()
            check_choice(self.method, methods, name="method")
        if self.interval is None:
            return
        for text in (*self.interval, self.estimate or ""):
            if not _NUMBER.fullmatch(text):
                raise ValueError(f"An interval must hold plain numbers as printed; got {text!r}.")
        low, high = self.interval
        if not Decimal(low) < Decimal(high):
            raise ValueError(f"The lower end of an interval must come first; got {low} to {high}.")


def count_methods() -> tuple[Method, ...]:
    """What may count all datasets: the common practice, combinations and procedures."""
    combinations = combination_names()
    procedures = (p for p in procedure_names() if p not in combinations)
    return (COUNT, *combinations, CORRECTION, *procedures)


def names_by(method: Method) -> str:
    """The procedure that a method counts the names of; empty for another method."""
    procedure = "bonferroni" if method == CORRECTION else method
    return procedure if procedure in procedure_names() else ""


def method_name(method: Method) -> str:
    """A method as sentences write it: "Fisher", "common practice"."""
    if method == COUNT:
        return "common practice (counting p ≤ α)"
    if method == ANY:
        return "any of several p-values"
    if method == CORRECTION:
        return "Bonferroni correction"
    if method in combination_names():
        return combination_named(method).title
    return procedure_named(method).title


def method_as_subject(method: Method) -> str:
    """A method within a sentence: "Fisher names", "the closed Fisher test names"."""
    name = method_name(method)
    return f"the {name}" if name[:1].islower() else name


def level_in_plain(alpha: float) -> str:
    """A level with every digit and no power of ten."""
    return np.format_float_positional(alpha, trim="-").removeprefix("0")


def needed_dependence(method: Method) -> Dependence:
    """The least that must be known of the datasets for a method's guarantee, if it has one."""
    if method in (COUNT, ANY):
        return "not-known"
    if method in combination_names():
        return combination_named(method).dependence
    return procedure_named(names_by(method)).dependence

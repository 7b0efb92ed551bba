"""Claims in a reviewer's own words: what the meanings of a sentence's words come to.

The claim follows from what the vocabulary found, so that a new way of saying it needs a word and
no rule.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from ..data.tables.headings import lower_is_better
from ..errors import listed
from ..replicability.combinations import combination_named
from ..replicability.identification import procedure_names
from ..validation import read_level
from ..words.formatting import display_name, list_names
from .claim import COUNT, Better, Claim, Method, method_name
from .vocabulary import (
    JOINT,
    NO_NAMES,
    Kind,
    Meaning,
    NotUnderstood,
    TableNames,
    is_own,
    meanings_of,
    nearest,
    nearest_method,
    own_side,
    title_of,
)

# Of these "p = .05" can be the level that was tested at.
_USUAL_LEVELS = (0.1, 0.05, 0.01, 0.005, 0.001)
# Verbs with the system that loses behind them, or the one that wins: "trails B". "The improved B" is none.
_TRANSITIVE = re.compile(
    r"(?:(?:out|under)perform|outscore|outclass|beat|surpass|exceed|dominate|improve|trail)(?:e?s|ing)?"
    r"|(?:(?:out|under)perform|outscor|outclass|surpass|exceed|dominat|trail)ed|(?:dominat|improv)ing",
    re.IGNORECASE,
)

# Of these verbs a passive is a loss, whoever wins: "BERT is outperformed on 5 of 6".
_PASSIVE = re.compile(
    "outperformed|outscored|outclassed|beaten|surpassed|exceeded|dominated", re.IGNORECASE
)
_BE = frozenset(
    {"is", "are", "was", "were", "been", "being", "be", "get", "gets", "got", "gotten", "getting"}
)
_PREPOSITIONS = frozenset({"on", "in", "by", "for", "at", "across", "after", "with", "under"})
# Better of scores, and worse of errors, or the other way round.
_IS_LESS = re.compile(r"lower|higher|reduc|decreas|declin|drop|increas", re.IGNORECASE)
_SCORES = re.compile(r"(?:score|result|performance)s?", re.IGNORECASE)
# Of whichever system is ahead.
_NO_SYSTEM = re.compile(
    r"\b(?:neither|no (?:system|model)|all (?:the |\d+ )?p[- ]values)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """A claim, and how its line was written.

    Attributes
    ----------
    claim : Claim
        What it comes to.
    by_name : bool
        Whether it is for a system by its name, and not for A or B.
    in_words : bool
        Whether it is a sentence, and none of the forms with keywords.
    passed_over : tuple of str
        Words that were not understood and left aside.
    is_assumed : bool
        Whether no system is named, nor known to be the authors' own, so that it is read for A.
    """

    claim: Claim
    by_name: bool = False
    in_words: bool = False
    passed_over: tuple[str, ...] = ()
    is_assumed: bool = False


def understand(text: str, names: TableNames = NO_NAMES) -> Read:
    """Read a claim in words, of one sentence.

    Raises
    ------
    NotUnderstood
        If it is no claim that can be checked, or holds a name, method, number or direction that
        the table does not have.

    Examples
    --------
    >>> understand("B significantly outperforms A on 9 of 12 datasets (p < .05)").claim.line()
    'exactly 9 of 12 by count at .05 for B'
    """
    systems, datasets = names.systems, names.datasets
    said = _of_errors(meanings_of(text, names), names.higher_is_better)
    meanings, gains = _without_gains(_active(said))
    _refuse_strangers(meanings, systems, datasets)
    level, above, by_p, reported, rest = _level(meanings)
    rest = _as_differences(rest)
    kinds = {m.kind for m in rest}
    of_claims = {"better", "worse", "equal", "differ", "significant", "k", "method"}
    if not kinds & of_claims and not by_p and not above:
        raise NotUnderstood(f"I could not read this claim: '{display_name(text)}'.")
    _refuse_limits(rest, text)
    _refuse_unknown_verbs(rest)
    _refuse_pairs(rest)
    better, by_name = _side(rest, systems)
    is_assumed = False
    if better is None:
        is_of_p = (above or by_p) and not kinds & {"better", "worse", "significant", "method"}
        if is_of_p or _NO_SYSTEM.search(text):
            better = "differ"
        else:
            # A paper speaks of its own system without a name.
            for other in filter(is_own, names.others):
                raise _of_another(other)
            own = own_side(systems)
            better = "b" if (own == "b") != ("worse" in kinds) else "a"
            by_name, is_assumed = bool(own), not own
    named, rest = _named(rest, datasets)
    method = _method(rest)
    says_significant = by_p or "significant" in kinds or method is not None
    k, n_datasets, how_many = _quantity(rest, len(datasets), has_names=bool(named))
    shares = {m.value for m in rest if m.kind == "share"}
    # "No significant differences on 5 datasets" says what is not so of five.
    is_none_of_some = "0" in shares and (bool(k) or bool(shares & {"half", "most"}))
    negated = above or "not" in kinds or is_none_of_some
    aside = [*(m.text for m in meanings if m.kind == "unknown"), *gains, *reported]
    only = [m.text for m in rest if m.kind == "how-many" and m.value == "exactly"]
    if named:
        is_missing = negated or k == 0
        if k is not None and k != len(named) and (k or not is_missing):
            raise NotUnderstood(
                f"It says {k}, and names {len(named)}: {listed(named)}.",
                "Write two claims, one for the number and one for the names.",
            )
        if is_missing:
            if kinds & {"better", "worse"} or method not in (None, COUNT) or only:
                raise NotUnderstood(
                    "A claim that one system is not better, that a method does not name a dataset, or "
                    "that only these are not significant, cannot be checked.",
                    f"Write “no significant difference on {listed(named)}”, if the paper claims it of "
                    "both directions.",
                )
            claim = Claim(kind="not-significant", datasets=named, better="differ", alpha=level)
        else:
            if not says_significant:
                verb, surely = _as_significant(rest)
                how_many_of = f"better on at least {len(named)}"
                if datasets:
                    how_many_of += f" of {len(datasets)} datasets"
                side = better.upper() if better != "differ" else better
                raise NotUnderstood(
                    "A claim about named datasets must say that the difference is significant.",
                    f"Write “{surely}”, if the paper claims that. If it only counts wins, "
                    f"write “{how_many_of} for {side}”.",
                    (verb, surely),
                )
            procedure = _procedure(method)
            if procedure is None:
                # What p ≤ α is claimed of alone, the check holds to be claimed of at least.
                aside += only
            claim = Claim(
                kind="significant" if procedure is None else "named",
                datasets=named,
                method=procedure,
                better=better,
                alpha=level,
            )
    else:
        # "Not on all" may be on some.
        not_all = any(
            m.kind == "not" and not re.match("insignif|statist", m.text, re.IGNORECASE)
            for m in rest
        ) and any(m.value == "all" and m.text.casefold() != "any" for m in rest)
        if negated and ("all" not in shares or "but" in kinds or is_none_of_some or not_all):
            raise NotUnderstood(
                "What is not so can be checked of datasets by their names alone.",
                "Write for example “no significant difference on ” and their names.",
            )
        if negated:
            k, how_many = 0, "exactly"
        if k is None:
            n = len(datasets) or 12
            raise NotUnderstood(
                f"'{display_name(text)}' does not say on how many datasets, or on which.",
                f"Write for example “on {max(1, n // 2)} of {n} datasets”, “on all {n} datasets”, or "
                "the names of datasets.",
            )
        exact = how_many == "exactly" or k == 0 or (not how_many and says_significant)
        if exact and not (says_significant or above):
            verb, surely = _as_significant(rest)
            raise NotUnderstood(
                "A claim of exactly so many must say that the differences are significant.",
                f"Write “{surely}”, if the paper claims that, or “at least”.",
                (verb, surely) if verb and not verb.startswith("difference") else None,
            )
        if says_significant or exact:
            # A level or a confidence alone does not say how datasets are counted.
            method = method or COUNT
        claim = Claim(
            kind="exactly" if exact else "at-least",
            k=k,
            n_datasets=n_datasets,
            method=method,
            better=better,
            alpha=level,
        )
    return Read(
        claim=claim,
        by_name=by_name,
        in_words=True,
        passed_over=tuple(aside),
        is_assumed=is_assumed and claim.better != "differ",
    )


def _of_another(system: str) -> NotUnderstood:
    """What is wrong with a claim about a system that is not compared."""
    return NotUnderstood(
        f"It is about “{display_name(system)}”, which is neither A nor B.", "Choose it as A or B."
    )


def _as_significant(meanings: Sequence[Meaning]) -> tuple[str, str]:
    """What is said to be so, as written and called significant: "drop", "significant drop"."""
    for before, meaning in pairwise([Meaning(kind="plain", value="", text=""), *meanings]):
        if meaning.kind in ("better", "worse", "differ"):
            is_noun = before.text.casefold() in ("a", "an", "the", "any", "no")
            return meaning.text, f"significant{'' if is_noun else 'ly'} {meaning.text}"
    return "", "significantly better"


def _refuse_unknown_verbs(meanings: Sequence[Meaning]) -> None:
    """Refuse a word that alone can say what is significant, as in "significantly alters"."""
    if {m.kind for m in meanings} & {"better", "worse", "equal", "differ", "k"}:
        return
    for i, meaning in enumerate(meanings):
        following = next((m for m in meanings[i:] if m.kind != "unknown"), None)
        is_beside_noun = following is not None and (
            following.value in ("unit", "test") or following.text.casefold() in ("test", "tests")
        )
        if meaning.kind == "unknown" and not meaning.text.endswith("ly") and not is_beside_noun:
            raise NotUnderstood(
                f"“{display_name(meaning.text)}” does not tell which system is better.",
                "Write “better” or “worse” in its place, or leave it out.",
            )


def _refuse_strangers(
    meanings: Sequence[Meaning], systems: Sequence[str], datasets: Sequence[str]
) -> None:
    """Answer a word that seems to be a name or a method, and is none here, with the nearest one."""
    for i, meaning in enumerate(meanings):
        if meaning.kind == "other":
            raise _of_another(meaning.value)
        if meaning.kind == "ambiguous":
            name = display_name(meaning.text)
            other = "a number" if name.isdigit() else "a word of the sentence"
            raise NotUnderstood(
                f"“{name}” is a dataset of the table, and can also be "
                f"{f'system {name}' if name in ('A', 'B') else other}.",
                f"Write datasets as in “significant {display_name(meaning.value)}”, with semicolons "
                "between them, and systems by their names.",
            )
        if meaning.kind == "joint":
            raise NotUnderstood(*JOINT)
        if meaning.kind == "outside":
            raise NotUnderstood(
                f"A claim with “{meaning.text}” cannot be checked.",
                "Write the name of the system that is meant."
                if meaning.value == "system"
                else "Write “at least” or “exactly” and a number, or the names of datasets.",
            )
        if meaning.kind != "unknown":
            continue
        word = meaning.text
        if method := nearest_method(word):
            what = f"There is no method “{display_name(word)}”."
            raise NotUnderstood(what, f"{method}?", (word, method))
        for what, known in (("dataset", datasets), ("system", systems)):
            # A word in small letters is rather a verb than a name that is mistyped.
            if near := nearest(word, known, cutoff=0.7 if word != word.lower() else 0.8):
                raise NotUnderstood(
                    f"The table has no {what} “{display_name(word)}”.",
                    f"{display_name(near)}?",
                    (word, near),
                )
        around = [m.value for m in meanings[i - 1 : i + 2 : 2]] if i else []
        if around == [str(len(datasets)), "unit"]:
            # "6 of 9 GLUE tasks", where the table has 9: what all of them are called.
            continue
        begins = meanings[i - 1].text.casefold() if i else ""
        if word[:1].isupper() or i == 0 or begins in ("than", "over", "against"):
            if known := [*systems, *datasets]:
                what = f"The table has nothing called “{display_name(word)}”."
                raise NotUnderstood(what, f"It has {listed(known[:8])}.")
            raise NotUnderstood(
                f"“{display_name(word)}” can only be a name in a table, and no table is given."
            )


def _of_errors(meanings: Sequence[Meaning], higher_is_better: bool | None) -> list[Meaning]:
    """The same with "a lower error rate" as better, and "a higher one" as worse.

    Refused are a lower one of what may be either, and of the other direction than the table's.
    """
    found = list(meanings)
    turned: dict[str, Kind] = {"better": "worse", "worse": "better"}
    has_error = any(meaning.kind == "error" for meaning in meanings)
    for i, meaning in enumerate(meanings):
        if meaning.kind not in turned or not _IS_LESS.match(meaning.text):
            continue
        behind = [m for m in meanings[i + 1 :] if m.text.casefold() not in ("a", "an", "the")]
        noun = behind[0] if behind else replace(meaning, kind="plain")
        is_error = has_error and noun.value != "score" and not _SCORES.fullmatch(noun.text)
        is_unknown = noun.kind == "unknown" and not noun.text.endswith("ly")
        is_either = is_unknown and (meaning.kind == "worse" or lower_is_better((noun.text,)))
        if (is_either or noun.kind == "worse") and not is_error:
            raise NotUnderstood(
                f"“{meaning.text} {noun.text}” may be better or worse.",
                "Write “better” or “worse” in its place.",
            )
        if higher_is_better is is_error:
            of, better = ("errors", "higher") if is_error else ("scores", "lower")
            raise NotUnderstood(
                f"“{meaning.text}” speaks of {of}, and the table is read with {better} scores as better.",
                "Write “better” or “worse”, or change how the table is read.",
            )
        if is_error:
            found[i] = replace(meaning, kind=turned[meaning.kind])
    return found


def _active(meanings: Sequence[Meaning]) -> list[Meaning]:
    """The same with "A > B" as "A better B", "A is outperformed by B" as "A worse than B", "from B to A" as "over B A"."""
    found = list(meanings)
    for i, meaning in enumerate(meanings):
        behind = found[i + 1 :]
        is_between = 0 < i < len(found) - 1 and found[i - 1].kind == found[i + 1].kind == "system"
        if is_between and meaning.text in (">", "<"):
            kind: Kind = "better" if meaning.text == ">" else "worse"
            found[i] = replace(meaning, kind=kind)
        if meaning.text.casefold() == "from" and [m.kind for m in behind[:3:2]] == ["system"] * 2:
            found[i] = replace(meaning, kind="than")
            found[i + 2] = replace(found[i + 2], kind="plain")
        if meaning.kind != "better" or not meaning.text.endswith(("ed", "en")):
            continue
        by = i + 2 if behind and behind[0].text in ("on", "upon") else i + 1
        agent = next((m for m in found[by + 1 : by + 4] if not _is_aside(m)), None)
        if by < len(found) and found[by].text == "by" and agent and agent.kind == "system":
            found[i] = replace(meaning, kind="worse")
            found[by] = replace(found[by], kind="than")
        elif _is_passive(found, i) and _PASSIVE.fullmatch(meaning.text):
            found[i] = replace(meaning, kind="worse")
        elif _is_passive(found, i) and not any(m.kind == "than" for m in found):
            # "BERT is improved" may be by itself.
            raise NotUnderstood(
                f"It does not say what “{meaning.text}” is compared with.",
                "Write which system is better than which.",
            )
    return found


def _is_passive(meanings: Sequence[Meaning], at: int) -> bool:
    """Whether a participle belongs to the last "is" before it, and has no object behind it."""
    doers = (m.text.casefold() in ("we", "which", "that") or m.kind == "system" for m in meanings)
    said = [is_doer or m.text.casefold() in _BE for m, is_doer in zip(meanings, doers, strict=True)]
    last = next((meanings[k] for k in range(at - 1, -1, -1) if said[k]), None)
    behind = next((m for m in meanings[at + 1 :] if not _is_adverb(m)), None)
    ends = behind is None or behind.kind in ("how-many", "p", "but")
    return (
        last is not None
        and last.text.casefold() in _BE
        and (ends or (behind is not None and behind.text.casefold() in _PREPOSITIONS))
    )


def _is_aside(meaning: Meaning) -> bool:
    """Whether a word may stand between a preposition and a name: "a strong"."""
    return meaning.kind == "unknown" or meaning.text.casefold() in ("a", "an", "the")


def _is_adverb(meaning: Meaning) -> bool:
    """Whether a word may stand between a subject and its verb: "significantly", "consistently"."""
    word = meaning.text.casefold()
    return (
        meaning.kind in ("significant", "share", "not")
        or word.endswith("ly")
        or word in ("also", "and", "even", "often", "still")
    )


def _without_gains(meanings: Sequence[Meaning]) -> tuple[list[Meaning], list[str]]:
    """The meanings without what a gain is reported to be, and those texts.

    Such are "2.5 points", "up to 2.5 points", "from 0.4 to 3.1 points on average", "6.8 LAS points", "by 2.3%".
    """
    rest: list[Meaning] = []
    gains: list[str] = []
    i = 0
    while i < len(meanings):
        end = i + 1 if meanings[i].kind == "number" else 0
        if end and [m.kind for m in meanings[end : end + 2]] == ["than", "number"]:
            end += 2
        # What the points are of may stand before them.
        unit = next(
            (k for k in (end, end + 1) if k < len(meanings) and meanings[k].kind == "points"), 0
        )
        after = [(m.kind, m.value) for m in meanings[end : end + 2]]
        telling = [m for m in rest if m.kind != "plain"][-2:]
        is_total = [m.kind for m in telling] == ["number", "of"] or (
            bool(telling) and telling[-1].value == "all"
        )
        if (
            end
            and not (unit or is_total)
            and after[:1] == [("plain", "score")]
            and ("plain", "unit") not in after
        ):
            # "1.2 F1", but not "3 BLEU benchmarks" and "9 of 12 (F1)".
            unit = end
        limited = bool(rest) and rest[-1].kind in ("compared", "how-many")
        before = rest[-2:-1] if limited else rest[-1:]
        is_of_some = any(m.kind == "of" or m.value == "unit" for m in meanings[end : end + 1])
        is_by = any(m.text == "by" for m in before) and not is_of_some
        if not end or not (unit or is_by):
            rest.append(meanings[i])
            i += 1
            continue
        end = unit + 1 if unit else end
        while end < len(meanings) and meanings[end].text in (
            "on",
            "average",
            "absolute",
            "relative",
        ):
            end += 1
            if meanings[end - 1].text == "on" and (
                end == len(meanings) or meanings[end].text != "average"
            ):
                end -= 1
                break
        said = [rest.pop(), *meanings[i:end]] if limited else meanings[i:end]
        gain = " ".join(m.text for m in said)
        if limited and said[0].text.casefold() not in ("up to", "at most"):
            # On 5 of 9 "by more than 2 points": significant may be more, or fewer.
            raise NotUnderstood(
                f"A claim with “{gain}” cannot be checked: p-values do not say how large a gain is.",
                "Leave it out, if the claim is the same without it.",
            )
        gains.append(gain)
        i = end
    return rest, gains


def _refuse_pairs(meanings: Sequence[Meaning]) -> None:
    """Refuse a comparison of two datasets, such as "better on MNLI than on QQP"."""
    telling = [m for m in meanings if m.kind not in ("plain", "of")]
    for than, dataset in pairwise(telling):
        if (than.kind, dataset.kind) == ("than", "dataset"):
            raise NotUnderstood(
                "It compares two datasets, and a p-value compares two systems.",
                f"Write a claim such as “significantly better on {display_name(dataset.value)}”.",
            )


def _as_differences(meanings: Sequence[Meaning]) -> list[Meaning]:
    """The same with "statistically indistinguishable" as "no significant difference"."""
    found: list[Meaning] = []
    negated = any(m.kind == "not" or (m.kind, m.value) == ("share", "0") for m in meanings)
    for meaning in meanings:
        # "Statistically equivalent" is a claim of its own, and not one of a missing difference.
        is_missing = meaning.text.casefold() in ("indistinguishable", "on par", "comparable")
        if is_missing and found and found[-1].kind == "significant":
            if negated:
                raise NotUnderstood(
                    f"A claim that systems are not “{found[-1].text} {meaning.text}” is not read.",
                    "Write “significant difference on ” and the names of datasets.",
                )
            found[-1:] = [
                replace(found[-1], kind="not"),
                found[-1],
                replace(meaning, kind="differ"),
            ]
        else:
            found.append(meaning)
    return found


def _refuse_limits(meanings: Sequence[Meaning], text: str) -> None:
    """Refuse what no p-value can show: that there are at most so many, or that systems are equal."""
    for meaning in meanings:
        if meaning.kind == "compared" and meaning.text != "=":
            raise NotUnderstood(
                f"A claim with “{meaning.text}” cannot be checked: p-values show at least how many.",
                "Write “exactly” or “at least” and a number.",
            )
        if meaning.kind == "equal":
            kinds = {m.kind for m in meanings}
            what = "That systems are equal cannot be checked by p-values."
            names = list(dict.fromkeys(m.value for m in meanings if m.kind == "dataset"))
            shares = {m.value for m in meanings if m.kind == "share"}
            is_all = shares <= {"all", "consistently"} and ("number" not in kinds or bool(shares))
            if not kinds & {"better", "worse", "not", "but"} and (names or is_all):
                line = f"no significant difference on {' and '.join(names) or 'any dataset'}"
                raise NotUnderstood(what, f"Write “{line}”.", (text, line))
            raise NotUnderstood(
                what, "Write “no significant difference on ” and the names of those datasets."
            )


def _named(
    meanings: Sequence[Meaning], datasets: Sequence[str]
) -> tuple[tuple[str, ...], list[Meaning]]:
    """The datasets that are meant: those named, or all others where they are excepted.

    Returned with the meanings that are left; a number that is excepted stays among them.
    """
    named = tuple(dict.fromkeys(m.value for m in meanings if m.kind == "dataset"))
    at = next((i for i, m in enumerate(meanings) if m.kind == "but"), None)
    if at is None:
        return named, list(meanings)
    before = [m for m in meanings[:at] if m.kind not in ("plain", "of")]
    if not before:
        # "Except for u and v, all differences are significant."
        behind = meanings[at + 1 :]
        last = max((i for i, m in enumerate(behind) if m.kind == "dataset"), default=-1)
        before = [m for m in behind[last + 1 :] if m.kind not in ("plain", "of")] if named else []
    alls = [i for i, m in enumerate(before) if m.kind == "share" and m.value == "all"]
    numbers = [i - 1 for i, m in enumerate(before) if m.kind == "number"]
    # "all but", "all 12 but", "all differences are significant except".
    if any(m.kind == "dataset" for m in before) or not alls or not set(numbers) <= set(alls):
        raise NotUnderstood(
            f"It says one thing before “{meanings[at].text}” and another behind it.",
            "Write a claim for each.",
        )
    if not named:
        return (), list(meanings)
    if not datasets:
        raise NotUnderstood("It does not say of which datasets.", "Write their names.")
    rest = [m for i, m in enumerate(meanings) if i != at and m.kind != "dataset"]
    return tuple(name for name in datasets if name not in named), rest


def _level(
    meanings: Sequence[Meaning],
) -> tuple[float | None, bool, bool, list[str], list[Meaning]]:
    """The level that is stated, and what is left.

    Returned are the level, whether p is said to be above it, whether it is p's own, numbers that
    are reported alone ("p = .031", "2.5 points"), and all other meanings.
    """
    stated: list[str] = []
    reported: list[str] = []
    above, by_p = False, False
    n_named = sum(m.kind == "dataset" for m in meanings)
    n_equal = sum(m.text == "=" for m in meanings)
    rest: list[Meaning] = []
    i = 0
    while i < len(meanings):
        meaning = meanings[i]
        if meaning.kind in ("p", "alpha"):
            at = next(
                (
                    j
                    for j in range(i + 1, min(i + 5, len(meanings)))
                    if meanings[j].kind == "number"
                ),
                None,
            )
            between = meanings[i + 1 : at] if at else []
            if at and all(m.kind in ("plain", "compared", "how-many") for m in between):
                value = meanings[at].value
                equal = meaning.kind == "p" and any(m.text == "=" for m in between)
                # "p = .05" behind a count is a level; beside one dataset it is that dataset's.
                if equal and (
                    n_named == 1 or n_equal > 1 or read_level(value) not in _USUAL_LEVELS
                ):
                    reported.append("p = " + value)
                else:
                    stated.append(value)
                    if meaning.kind == "p":
                        more = any(m.text in (">", "≥") or m.value == ">" for m in between)
                        above, by_p = above or more, by_p or not more
                i = at + 1
                continue
        if meaning.kind == "number":
            following = meanings[i + 1 : i + 3]
            value, share = meaning.value, meaning.value.endswith("%")
            if following and following[0].kind == "confidence":
                stated.append(f"{_rest_of_hundred(value)}%")
                i += 2
                continue
            named = any(m.kind == "level" for m in following) or (
                bool(following) and following[0].kind == "significant" and share
            )
            after_at = i > 0 and meanings[i - 1].text.casefold() == "at"
            after_method = i > 0 and meanings[i - 1].kind == "method" and share
            if (
                after_method
                or (named and (share or "." in value or "," in value))
                or (after_at and not value.isdigit())
            ):
                stated.append(value)
                i += 1
                continue
        rest.append(meaning)
        i += 1
    if n_named > 1 and stated and any(text.startswith("p = ") for text in reported):
        # "u (p = .003) and v (p < .001)": each is one dataset's own.
        reported += [f"p < {text}" for text in stated]
        stated = []
    levels = dict.fromkeys(level_of(text) for text in stated)
    if len(levels) > 1:
        raise NotUnderstood(
            f"It has more levels than one: {', '.join(dict.fromkeys(stated))}.",
            "Write a claim for each level.",
        )
    return next(iter(levels), None), above, by_p, reported, rest


def _rest_of_hundred(confidence: str) -> str:
    number = float(confidence.rstrip("% ").replace(",", "."))
    number = 100.0 * number if number < 1.0 else number
    return f"{round(100.0 - number, 10):g}"


def level_of(text: str) -> float:
    """A level as it is written; `NotUnderstood` where it is none."""
    level = read_level(text)
    if level is None:
        raise NotUnderstood(f"A level must lie between 0 and 1; got {text}.")
    return level


def _side(meanings: Sequence[Meaning], systems: Sequence[str]) -> tuple[Better | None, bool]:
    """Whose lead is claimed, None where no system is named, and whether by a name."""
    kinds = {m.kind for m in meanings}
    winners, losers = list[Meaning](), list[Meaning]()
    said = list(meanings)
    for i, meaning in enumerate(said):
        if meaning.kind == "system":
            if i and (said[i - 1].kind, said[i - 1].value) == ("system", meaning.value):
                # "the BERT baseline" is one name.
                continue
            k = i - 1
            # "over a strong B".
            while k > 0 and i - k < 4 and _is_aside(said[k]):
                k -= 1
            before = said[k].kind if i else "plain"
            # "ahead of B", but "the advantage of A".
            of_noun = before == "of" and k > 0 and said[k - 1].text.casefold() != "ahead"
            beside = before in ("than", "of") and not of_noun
            # "A beats B", and "outperforms B" without a subject.
            object_of_verb = before in ("better", "worse", "significant") and (
                bool(winners) or _TRANSITIVE.fullmatch(said[k].text) is not None
            )
            (losers if beside or object_of_verb else winners).append(meaning)
        elif meaning.text.casefold() == "we" and (own := own_side(systems)):
            # "We outperform B" and "we reduce the errors of B", but "we find that B is better".
            verb = next((m for m in said[i + 1 :] if not _is_adverb(m)), meaning)
            if verb.kind in ("better", "worse"):
                winners.append(replace(meaning, kind="system", value=own))
    for_whom = [
        m
        for before, m in pairwise(meanings)
        if m.kind == "system" and before.text.casefold() == "for"
    ]
    named = [*winners, *losers]
    by_name = any(m.text not in ("A", "B") for m in named)
    if {"better", "worse"} <= kinds:
        raise NotUnderstood(
            "It says better and worse.",
            "Write a claim for each system, such as “A is better on …”.",
        )
    if ("differ" in kinds and not kinds & {"better", "worse"} and not for_whom) or any(
        m.kind == "unknown" and m.text == "differ" for m in meanings
    ):
        return "differ", by_name
    chosen = {m.value for m in for_whom or winners}
    if not chosen and losers:
        chosen = {"b" if m.value == "a" else "a" for m in losers}
    if len(chosen) > 1 or (not for_whom and chosen & {m.value for m in losers}):
        raise NotUnderstood(
            "It does not say which of the two systems is better.",
            f"End with “for {display_name(systems[0]) if systems else 'A'}”.",
        )
    if not chosen:
        return None, False
    # Who is worse is named first as well.
    return ("b" if ("b" in chosen) != ("worse" in kinds) else "a"), by_name


def _method(meanings: Sequence[Meaning]) -> Method | None:
    stated = list(dict.fromkeys(m.value for m in meanings if m.kind == "method"))
    if not stated and any(m.kind == "corrected" for m in meanings):
        raise NotUnderstood(
            "It does not say which correction was made.",
            "Write for example “after Holm correction” or “without correction”.",
        )
    if len(stated) > 1:
        raise NotUnderstood(
            f"It names {list_names([title_of(m) if m in procedure_names() else method_name(m) for m in stated])}.",
            "Write a claim for each method.",
        )
    conditions = [m.value for m in meanings if m.kind == "if"]
    return stated[0] if stated else conditions[0] if conditions else None


def _procedure(method: Method | None) -> str | None:
    """What names datasets by a method: a combination by its closed test."""
    if method is None or method == COUNT:
        return None
    return method if method in procedure_names() else combination_named(method).procedure


def _quantity(
    meanings: Sequence[Meaning], n: int, *, has_names: bool
) -> tuple[int | None, int | None, str]:
    """How many of how many, and whether at least or exactly; None where no number is said.

    Parameters
    ----------
    meanings : sequence of Meaning
        Without the level.
    n : int
        Datasets of the table; 0 where they are not known.
    has_names : bool
        Whether datasets are named: "only" and "both" then say nothing of how many.
    """
    shares = [m for m in meanings if m.kind == "share"]
    how = [m.value for m in meanings if m.kind == "how-many"]
    numbers = [(i, m) for i, m in enumerate(meanings) if m.kind == "number"]
    wrong = next((m for _, m in numbers if not m.value.isdigit()), None)
    if wrong is not None:
        raise NotUnderstood(
            f"“{wrong.text}” is no number of datasets.", "Write a whole number, such as “9 of 12”."
        )
    for part, sign, whole_of, after in zip(
        meanings, meanings[1:], meanings[2:], meanings[3:], strict=False
    ):
        if sign.text == "/" and after.kind == "of" and after.text != "/":
            raise NotUnderstood(
                f"“{part.text}/{whole_of.text} of” is a share.",
                "Write a whole number, such as “9 of 12”.",
            )
    total: int | None = None
    counts: list[int] = []
    for i, meaning in numbers:
        before = [m for m in meanings[:i][::-1] if m.kind != "plain" or m.value][:2]
        of = bool(before) and before[0].kind == "of"
        whole = bool(before) and before[0].kind == "share" and before[0].value == "all"
        if (of and (counts or shares)) or whole:
            total = int(meaning.value)
        else:
            counts.append(int(meaning.value))
    if len(counts) > 1:
        first, second = counts[:2]
        raise NotUnderstood(
            f"It has more numbers than one: {', '.join(map(str, counts))}.",
            f"Write a claim for each: “better on {first}” and “significantly better on {second}”.",
        )
    size = total or n or None
    k = counts[0] if counts else None
    said = {m.value for m in shares} | {"but" for m in meanings if m.kind == "but"}
    if "consistently" in said and (len(said) > 1 or k is not None or has_names):
        said.remove("consistently")
    if any(m.text.casefold() == "both" for m in shares) and not has_names and size != 2:
        raise NotUnderstood("It says both, and does not name two datasets.", "Write their names.")
    stated = total
    if said and not (has_names and said <= {"all"}):
        if (
            said & {"all", "half", "most", "but", "consistently"}
            and size is None
            and "not" not in {m.kind for m in meanings}
        ):
            raise NotUnderstood(
                "It does not say of how many datasets.", "Write the number, such as “9 of 12”."
            )
        whole_size = size or 0
        stated = size
        if "but" in said:
            k = whole_size - (k or 0)
        elif "0" in said and k is None:
            k = 0
        elif k is not None and said & {"most", "half"}:
            raise NotUnderstood(
                f"It speaks of {next(m.text for m in shares if m.value in ('most', 'half'))} and of {k}.",
                "Write a claim for each number.",
            )
        elif "most" in said:
            k, how = whole_size // 2 + 1, [*how, "at-least"]
        elif "half" in said:
            if whole_size % 2 and "more" not in how:
                raise NotUnderstood(
                    f"There is no half of {whole_size} datasets.", "Write the number of datasets."
                )
            k = whole_size // 2
        elif k is None:
            k = whole_size
        elif "all" in said and total is None:
            raise NotUnderstood(
                f"It speaks of all datasets and of {k}.", "Write a claim for each number."
            )
    if k is not None and "more" in how:
        k, how = k + 1, ["at-least"]
    if k is not None and size is not None and k > size:
        raise NotUnderstood(
            f"It speaks of {k} datasets, and there are {size}.", f"Write at most {size}."
        )
    return k, stated, how[0] if how else ""

"""The grammar of a claim in words: its clauses, who does what to whom, and what only reports a size.

Each function takes the meanings of a sentence's words and gives them as if the sentence were
written plainly: active, of scores, without gains.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..validation import read_level
from .vocabulary import Kind, Meaning, NotUnderstood, TableNames, meanings_of

# Of these "p = .05" can be the level that was tested at.
USUAL_LEVELS = (0.1, 0.05, 0.01, 0.005, 0.001)
# Of these verbs a passive is a loss, whoever wins: "BERT is outperformed on 5 of 6".
_PASSIVE = re.compile(
    "outperformed|outscored|outclassed|beaten|surpassed|exceeded|dominated", re.IGNORECASE
)
_BE = frozenset(
    {"is", "are", "was", "were", "been", "being", "be", "get", "gets", "got", "gotten", "getting"}
)
# What may stand between a preposition and a name: "over a strong B".
ASIDE = frozenset({"a", "an", "the", "its", "their", "strong", "very", "counterpart"})
_PREPOSITIONS = frozenset({"on", "in", "by", "for", "at", "across", "after", "with", "under"})
# Better of scores, and worse of errors, or the other way round.
_IS_LESS = re.compile(r"lowe|highe|reduc|decreas|declin|drop|increas", re.IGNORECASE)
_SCORES = re.compile(r"(?:score|result|performance)s?", re.IGNORECASE)

# What begins a clause, if what is behind it says something.
_AND = "(?:and|but|while|although|though|whereas|yet|with)\\s+"
# "All differences but that on RTE" excepts it.
_BUT_THAT = r"but\s+(?:that|those|the\s+ones?)\s+(?:on|in|for|of)\b"
_JOINT = re.compile(
    rf"[,;:]\s+(?:{_AND})?|\s*(?:[(—]|–(?![0-9])|(?<![0-9])–)\s*|\s+-\s+|\s+(?!{_BUT_THAT}){_AND}",
    re.IGNORECASE,
)
_LEVEL_IN_BRACKETS = re.compile(
    r"\((?:all\s+)?(?:ps?|p-values?|α)\s*[<≤=]\s*[0-9.,]+\s*\)", re.IGNORECASE
)
_SAYS = frozenset({"better", "worse", "differ", "significant", "not", "p"})
_OF_WHICH = frozenset({"number", "share", "dataset", "ambiguous"})


# One letter for each meaning of a sentence, so that patterns of them are regular expressions:
# by its kind, or by its word or value where that says more.
_LETTERS: Mapping[str, str] = {
    "p": "p", "alpha": "α", "number": "#", "of": "o", "than": "t", "compared": "<", "confidence": "c",
    "level": "L", "significant": "s", "method": "m", "dataset": "d", "points": "P", "plain": ".",
    "how-many": ".", "share": "A",
}  # fmt: skip
_LETTERS_OF_WORDS: Mapping[str, str] = {
    "=": "=", ">": ">", "≥": ">", ">=": ">", "exceeds": ">", "higher": ">", "lower": "<", "than": "<",
    "/": "/", "average": "a", "absolute": "a", "relative": "a", "on": "n",
}  # fmt: skip
_LETTERS_OF_VALUES: Mapping[str, str] = {">": ">", "score": "S", "unit": "U"}
# "p is lower than .05", "α = .05/8".
_LEVEL = re.compile(r"(?P<of>[pα])(?P<between>[.nSUo/<>=]{0,3})(?P<number>#)(?P<tests>/#)?")
# "0.4 to 3.1 LAS points on average"; a number of some datasets is none.
_GAIN = re.compile(r"(?P<size>#(?:t#)?)(?:(?P<points>P|.P)|(?P<score>S(?!U)))?(?:n?a)*")
_OF_SOME = re.compile("[o/U]")
# One average, and no gain on each: "2.3 points on average across 9 languages".
_AVERAGED_OVER = re.compile("[.nt]*(?:#(?![o/])|[AU])")


def _shape(meanings: Sequence[Meaning]) -> str:
    """A letter for each meaning."""
    return "".join(
        (m.kind not in ("dataset", "system", "other") and _LETTERS_OF_WORDS.get(m.text))
        or (m.kind in ("plain", "compared") and _LETTERS_OF_VALUES.get(m.value))
        or _LETTERS.get(m.kind, "x")
        for m in meanings
    )


def clauses(text: str, names: TableNames) -> list[str]:
    """The parts of a sentence that each say something, and on how many datasets or on which.

    A part that does not say both goes on from the one before it: "on u, v, and w".
    """
    # A level in brackets is of the clause around it.
    bare = _LEVEL_IN_BRACKETS.sub(lambda found: " " * len(found[0]), text)
    leads = tuple(f"{name}:" for name in names.systems)
    # "Ours: 10 wins, BERT: 2 wins" is of each what stands behind it.
    joints = [j for j in _JOINT.finditer(bare) if not bare[: j.start() + 1].endswith(leads)]
    if not joints:
        return [text]
    starts, ends = [0, *(j.end() for j in joints)], [*(j.start() for j in joints), len(text)]
    found: list[tuple[int, int, list[str]]] = []
    for start, end in zip(starts, ends, strict=True):
        kinds = _telling(bare[start:end], names)
        if found:
            begun, _, before = found[-1]
            is_list = [before[-1:], kinds[:1]] == [["dataset"], ["dataset"]]
            if is_list or not (_is_whole(kinds) and _is_whole(before)):
                start, kinds = begun, before + kinds
                found.pop()
        found.append((start, end, kinds))
    return [text[start:end].strip(" .)") for start, end, _ in found]


def _telling(part: str, names: TableNames) -> list[str]:
    """What a part of a sentence tells, in its order: without levels and gains."""
    try:
        meanings, _ = without_gains(meanings_of(part, names))
        *_, by_p, _, rest = level_in(meanings)
    except NotUnderstood:
        return []
    kinds: list[str] = [
        m.kind for m in rest if m.value != "consistently" and m.kind in _SAYS | _OF_WHICH
    ]
    # "Fiction at p < .05" ends a list that begins before it.
    if by_p:
        kinds.insert(len(kinds) if meanings[0].kind == "dataset" else 0, "p")
    return kinds


def _is_whole(kinds: list[str]) -> bool:
    """Whether it states something, and of which datasets or how many."""
    return not _SAYS.isdisjoint(kinds) and not _OF_WHICH.isdisjoint(kinds)


def of_errors(meanings: Sequence[Meaning], higher_is_better: bool | None) -> list[Meaning]:
    """The same with "a lower error rate" as better, and "a higher one" as worse.

    Refused are lower losses, and the other direction than the table's.
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
        if noun.kind == "worse" and not is_error:
            raise better_or_worse(f"{meaning.text} {noun.text}")
        if higher_is_better is is_error:
            of, better = ("errors", "higher") if is_error else ("scores", "lower")
            raise NotUnderstood(
                f"“{meaning.text}” speaks of {of}, and the table is read with {better} scores as better.",
                "Write “better” or “worse”, or change how the table is read.",
            )
        if is_error:
            found[i] = replace(meaning, kind=turned[meaning.kind])
    return found


def better_or_worse(said: str) -> NotUnderstood:
    """What is wrong with "lower losses", or scores "below those of B"."""
    what = f"“{said}” may be better or worse."
    return NotUnderstood(what, "Write “better” or “worse” in its place.")


def active(meanings: Sequence[Meaning]) -> list[Meaning]:
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
        agent = next((m for m in found[by + 1 : by + 4] if m.text.casefold() not in ASIDE), None)
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
    behind = next((m for m in meanings[at + 1 :] if not is_adverb(m)), None)
    ends = behind is None or behind.kind in ("how-many", "p", "but")
    return (
        last is not None
        and last.text.casefold() in _BE
        and (ends or (behind is not None and behind.text.casefold() in _PREPOSITIONS))
    )


def is_adverb(meaning: Meaning) -> bool:
    """Whether a word may stand between a subject and its verb: "significantly", "consistently"."""
    word = meaning.text.casefold()
    return (
        meaning.kind in ("significant", "share", "not")
        or word.endswith("ly")
        or word in ("also", "and", "even", "often", "still")
    )


def without_gains(meanings: Sequence[Meaning]) -> tuple[list[Meaning], list[str]]:
    """The meanings without what a gain is reported to be, and those texts.

    Such are "2.5 points", "up to 2.5 points", "from 0.4 to 3.1 points on average", "6.8 LAS points", "by 2.3%".
    """
    rest: list[Meaning] = []
    gains: list[str] = []
    shape, i = _shape(meanings), 0
    while i < len(meanings):
        found = _GAIN.match(shape, i)
        telling = [m for m in rest if m.kind != "plain"][-2:]
        # "1.2 F1", but not "all 3 F1" and "9 of 12 (F1)".
        is_total = [m.kind for m in telling] == ["number", "of"] or (
            bool(telling) and telling[-1].value == "all"
        )
        limited = bool(rest) and rest[-1].kind in ("compared", "how-many")
        before = rest[-2:-1] if limited else rest[-1:]
        is_by = [m.text for m in before] == ["by"]
        if found is None or not (
            found["points"]
            or (found["score"] and not is_total)
            or (is_by and not _OF_SOME.match(shape, found.end("size")))
            or (meanings[i].text[0] in "+-" and shape[i + 1 : i + 2] not in ("o", "U"))
        ):
            rest.append(meanings[i])
            i += 1
            continue
        end = found.end("size") if found["score"] and is_total else found.end()
        said = [rest.pop(), *meanings[i:end]] if limited else meanings[i:end]
        gain = " ".join(m.text for m in said)
        over = _AVERAGED_OVER.match(shape, end) if "average" in gain else None
        if over or (limited and said[0].text.casefold() not in ("up to", "at most")):
            # On 5 of 9 "by more than 2 points": significant may be more, or fewer.
            sized = " ".join([gain, *(m.text for m in meanings[end : over.end() if over else end])])
            raise NotUnderstood(
                f"A claim with “{sized}” cannot be checked: p-values do not say how large a gain is.",
                "Leave it out, if the claim is the same without it.",
            )
        gains.append(gain)
        if rest and rest[-1].kind == "of" and not is_total:
            # "Gains of 1.2 points on 9 of 12".
            rest.pop()
        i = end
    return rest, gains


def as_differences(meanings: Sequence[Meaning]) -> list[Meaning]:
    """The same with "statistically indistinguishable" as "no significant difference"."""
    negated = any(m.kind == "not" or (m.kind, m.value) == ("share", "0") for m in meanings)
    found: list[Meaning] = []
    for meaning in meanings:
        if (meaning.kind, meaning.value) != ("differ", "missing"):
            found.append(meaning)
            continue
        if negated:
            raise NotUnderstood(
                f"A claim that systems are not “{meaning.text}” is not read.",
                "Write “significant difference on ” and the names of datasets.",
            )
        found.append(replace(meaning, kind="not", value="significant"))
        found.append(replace(meaning, kind="significant", value=""))
        found.append(replace(meaning, value=""))
    return found


def level_in(
    meanings: Sequence[Meaning],
) -> tuple[float | None, bool, bool, list[str], list[Meaning]]:
    """The level that is stated, and what is left.

    Returned are the level, whether p is said to be above it, whether it is p's own, numbers that
    are reported alone ("p = .031", "2.5 points"), and all other meanings.
    """
    stated: list[str] = []
    reported: list[str] = []
    above, by_p = False, False
    rest: list[Meaning] = []
    shape, i = _shape(meanings), 0
    n_named = shape.count("d")
    while i < len(meanings):
        found = _LEVEL.match(shape, i)
        # "With corrected p-values, 3 of 6 are significant" has no level.
        if found and not (
            found["of"] == "p"
            and meanings[found.start("number")].value.isdigit()
            and not re.search("[<>=]", found["between"])
        ):
            value = meanings[found.start("number")].value
            if found["tests"]:
                # "α = .05/8".
                tests = float(meanings[found.end() - 1].value)
                value = f"{level_of(value) / tests:.15g}"
            is_equal = found["of"] == "p" and not re.search("[<>]", found["between"])
            # "p = .05" behind a count is a level; beside one dataset it is that dataset's.
            is_own = n_named == 1 or shape.count("=") > 1 or read_level(value) not in USUAL_LEVELS
            if is_equal and is_own:
                reported.append("p = " + value)
            elif found["of"] == "p":
                stated.append(value)
                is_more = ">" in found["between"]
                above, by_p = above or is_more, by_p or not is_more
            else:
                stated.append(_of_confidence(value))
            i = found.end()
        elif shape[i] == "#" and (shape[i + 1 : i + 2] == "c" or _is_level(meanings, shape, i)):
            stated.append(_of_confidence(meanings[i].value))
            i += 1
        else:
            rest.append(meanings[i])
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


def _is_level(meanings: Sequence[Meaning], shape: str, at: int) -> bool:
    """Whether a number is a level by what stands around it: "at .05", "Holm 5%", "the 5% level"."""
    value = meanings[at].value
    is_share = value.endswith("%")
    if "L" in shape[at + 1 : at + 3]:
        return is_share or not value.isdigit()
    if is_share and (shape[at + 1 : at + 2] == "s" or shape[:at].endswith("m")):
        return True
    is_whole = value.isdigit() and value != "0"
    is_behind = at > 0 and (meanings[at - 1].text.casefold() == "at" or shape[at - 1] in "Lc")
    return is_behind and not is_whole


def _of_confidence(text: str) -> str:
    """The level of "significant at the 95% level" and of "95% confidence": what is left of 1."""
    level = read_level(text)
    return text if level is None or level <= 0.5 else f"{1.0 - level:.10g}"


def level_of(text: str) -> float:
    """A level as it is written; `NotUnderstood` where it is none."""
    level = read_level(text)
    if level is None:
        raise NotUnderstood(f"A level must lie between 0 and 1; got {text}.")
    return level

"""The vocabulary of claims in words: what each word says, and which names, numbers and methods a sentence holds.

Every word is looked up alone, whatever its place: quantities, verbs, places, methods, levels.

Vocabulary
----------
meaning
    What a word or a few words say: a kind, such as "better" or "number", with a value.
"""

import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Literal, cast

from ..data.sources.files import n_common
from ..data.tables.directions import ERROR_METRICS
from ..replicability.combinations import COMBINATIONS, combination_named, usual_combination
from ..replicability.identification import procedure_named, procedure_names
from ..significance.known_tests import significance_test_named, significance_test_names
from ..types import DEPENDENCES, grouped
from .claim import COUNT, Method, count_methods, method_name

Kind = Literal[
    "system", "other", "dataset", "number", "p", "alpha", "compared", "how-many", "share", "better",
    "worse", "but", "differ", "significant", "not", "method", "if", "level", "confidence", "k", "than", "of",
    "corrected", "points", "outside", "error", "plain", "unknown", "ambiguous",
]  # fmt: skip

# What each word or few words mean.
_WORDS: dict[tuple[Kind, str], list[str]] = {
    (cast(Kind, kind), value): words
    for kind, values in tomllib.loads(
        (Path(__file__).parent / "words.toml").read_text(encoding="utf-8")
    ).items()
    for value, words in values.items()
}
_WORDS["error", ""] += ERROR_METRICS
_NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"]  # fmt: skip
_ENDINGS = ("'s", "’s", "s", "es", "ed", "d", "ing", "'")
_TOKEN = re.compile(
    r"(?P<number>(?:(?<![\w.)])[+-])?(?:[0-9]+(?:[.,][0-9]+)?|[.,][0-9]+)(?:e[-+]?[0-9]{1,3})?(?:\s?%)?)"
    r"|(?P<word>[^\W\d_][^\W_]*(?:[-'’.][^\W\d_]+)*)|(?P<sign><=|>=|[<≤=≥>/])",
    re.IGNORECASE,
)
_MOST_WORDS = 7
# "p < 2 · 10^-4", "10⁻⁴", and "10-4" as it is copied from a PDF.
_POWER = re.compile(
    r"(?:(?<![\w.])([0-9.]+)\s*[×·*]\s*10\s*\^?|(?<![\w.])10\s*\^|(?<=[<≤=])\s*10|(?<![\w.])10(?=⁻))"
    r"\s*\{?[-⁻]([0-9⁰¹²³⁴-⁹]{1,3})\}?"
)
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
# A place, a citation, a number of resamples and two scores, as "(84.5 vs. 83.2)", are no numbers of
# datasets, "Overall, …" no overall score.
_PLACE = re.compile(
    r"(?<!.)overall,|(?:table|tab\.|section|sec\.|figure|fig\.|appendix)\s+[0-9A-Z][0-9.]*\b"
    r"|\[[0-9]+(?:\s*[,-]\s*[0-9]+)*\]|\((?:[^()0-9]+,?\s)?(?:19|20)[0-9]{2}[a-z]?\)"
    r"|(?-i:[A-Z])[^\W\d_]+(?:\s+(?:and|&)\s+(?-i:[A-Z])[^\W\d_]+|\s+et\s+al\.?)?,?\s+\((?:19|20)[0-9]{2}[a-z]?\)"
    r"|\([0-9]*\.[0-9]+%?\s+(?:vs\.?|versus)\s+[0-9]*\.[0-9]+%?\)"
    r"|[0-9][0-9,]*k?\s+(?:bootstrap\s+|random\s+)?(?:(?:re-?)?sample|resampling|iteration|permutation|replicate|draw|"
    r"shuffle|trial)s?\b",
    re.IGNORECASE,
)
# Before and behind a name they make it part of a longer word: "non-CoLA", "MNLI-m".
_WITHIN, _GOES_ON = re.compile(r"[^\W_]-?\Z"), re.compile(r"-?[^\W_]")
# What stands behind the name of one system, at the start of a sentence too.
_WINS = re.compile(
    r"\s+(?:is|was|has|significantly|consistently|beats|outperforms|surpasses|wins|improves)\b",
    re.IGNORECASE,
)
# What stands behind a number of datasets, and before it.
_UNITS = rf"(?:{'|'.join(_WORDS['plain', 'unit'])})s?"
_OF_HOW_MANY = re.compile(rf"\s*(?:/|(?:out\s+)?of\b|{_UNITS}\b)", re.IGNORECASE)
_HOW_MANY_OF = re.compile(r"(?:\d\s*/|\bof(?:\s+the)?|\ball(?:\s+the)?)\s*$", re.IGNORECASE)
# How a paper calls its own system and the other one.
_OWN = ("our model", "our method", "our system", "our approach", "our", "ours", "proposed")
_RIVAL = ("baseline", "baselines", "prior work")


class NotUnderstood(ValueError):
    """Why a sentence is no claim, with what to write in its place.

    `meant` is a word that is not known, and the nearest one that is.
    """

    def __init__(self, what: str, remedy: str = "", meant: tuple[str, str] | None = None) -> None:
        super().__init__(what)
        self.remedy = remedy
        self.meant = meant


@dataclass(frozen=True, slots=True, kw_only=True)
class TableNames:
    """What a line may name of the table that it is about: A and B, and the datasets.

    A claim about one of the `others`, systems that are neither A nor B, is refused, and so is a
    sentence about "lower" scores where higher ones are better, or the other way round.
    """

    systems: tuple[str, ...] = ()
    datasets: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    higher_is_better: bool | None = None


NO_NAMES = TableNames()


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """What a word or a few words, as written, say: a kind such as "better", and which of that kind.

    The value of systems is "a" or "b", of datasets and methods the name, of numbers their digits.
    """

    kind: Kind
    value: str
    text: str


def begins_in_words(text: str) -> bool:
    """Whether a text begins with a word that every claim may have, and not with a name."""
    meanings = meanings_of(text)
    return bool(meanings) and meanings[0].kind != "unknown"


def nearest(written: str, known: Iterable[str], *, cutoff: float = 0.7) -> str:
    """What was probably meant, out of what is known; empty where nothing is near."""
    by_fold = {name.casefold(): name for name in known}
    found = get_close_matches(written.casefold(), by_fold, n=1, cutoff=cutoff)
    return by_fold[found[0]] if found else ""


def method_called(written: str) -> Method | None:
    """The method that is called so: by its name, its title, or as people say."""
    if written.lower() in count_methods():
        return written.lower()
    meaning = _vocabulary().get(_split(written))
    return meaning[1] if meaning is not None and meaning[0] == "method" else None


def nearest_method(written: str) -> str:
    """The title of the method whose name is nearest; empty where none is near."""
    called = {
        " ".join(words): value for words, (kind, value) in _vocabulary().items() if kind == "method"
    }
    found = nearest(written, called, cutoff=0.75)
    return method_name(called[found]) if found else ""


@cache
def _vocabulary() -> Mapping[tuple[str, ...], tuple[Kind, str]]:
    """Every known word or group of words with what it means; methods and tests by their records."""
    found: dict[tuple[str, ...], tuple[Kind, str]] = {}
    for name in significance_test_names():
        record = significance_test_named(name)
        titles = (record.title, record.short_title, record.called, record.full_title, name)
        for title in filter(None, (*titles, record.at_margin)):
            found[_split(title)] = ("plain", "test")
            for word in _split(title):
                found[(word,)] = ("plain", "test")
    for meaning, words in _WORDS.items():
        found |= {_split(each): meaning for each in words}
    found |= {(word,): ("number", str(i)) for i, word in enumerate(_NUMBERS) if i}
    found[("dozen",)] = ("number", "12")
    found[("once",)], found[("twice",)] = ("number", "1"), ("number", "2")
    for dependence in DEPENDENCES:
        combination = combination_named(usual_combination(dependence))
        for condition in (combination.condition, combination.holds.removeprefix("if ")):
            found[_split(condition)] = ("if", combination.name)
    independent = usual_combination("independent")
    found |= {(word,): ("if", independent) for word in ("independence", "independent")}
    for name in procedure_names():
        procedure = procedure_named(name)
        for title in (name, procedure.title, procedure.full_title, procedure.heading):
            # "by" is a word of every sentence.
            if title != "BY":
                found[_split(title)] = ("method", name)
    for combination in COMBINATIONS:
        for title in (combination.name, combination.title, combination.test_title):
            found[_split(title)] = ("method", combination.name)
    for name in count_methods():
        found.setdefault((name,), ("method", name))
    # "Fisher counts 9" has one method; "9 by count" and "k_count = 9" as well.
    found |= {("count",): ("plain", "")}
    found |= dict.fromkeys((("by", "count"), ("k", "count")), ("method", COUNT))
    return {words: meaning for words, meaning in found.items() if words}


def _split(text: str) -> tuple[str, ...]:
    """Words of a text in lower case, without the ending of a possessive."""
    plain = _plain(text)
    return tuple(
        match["word"].casefold().removesuffix("'s").removesuffix("'") if match["word"] else match[0]
        for match in _TOKEN.finditer(plain)
    )


def _plain(text: str) -> str:
    """A text with one sign for each dash and apostrophe, "10+" in words, and k-hat without its hat."""
    text = re.sub("[‐‑–−→]", "-", unicodedata.normalize("NFC", text)).replace("’", "'")
    text = re.sub(r"(\.[0-9]+)-(?=[0-9]*\.[0-9])", r"\1 to ", text)
    text = re.sub(r"\(all\s+(?=ps?\b)", "(", text)
    text = re.sub("-(corrected|adjusted)", r" \1", text)
    text = re.sub(r"(?i)\b(?:q|FDR|false discovery rate)(?: of\b|(?=\s*[<≤=]))", "FDR p", text)
    text = re.sub(r"\b(?:F1\b(?!-)|[a-z]+@[0-9]+)", "F-score", text, flags=re.IGNORECASE)
    text = re.sub(r"\b(\w+)-(?=(?:third|quarter|fifth)s?\b)", r"\1 ", text, flags=re.IGNORECASE)
    text = re.sub(r"\b([0-9]+)\+", r"at least \1", text)
    text = _POWER.sub(lambda found: f"{found[1] or 1}e-{found[2].translate(_RAISED)}", text)
    text = re.sub(r"[~≈∼]\s*(?=[0-9])", "about ", text)
    return text.replace("k\N{COMBINING CIRCUMFLEX ACCENT}", "k ")


def meanings_of(text: str, names: TableNames = NO_NAMES) -> list[Meaning]:
    """What each word of a sentence says, names first, then the longest group of words."""
    tokens = _tokens(_plain(text), names)
    vocabulary, found, i = _vocabulary(), list[Meaning](), 0
    # What differs from several names in its case alone is none of them, and no other word.
    every = (*names.systems, *names.datasets, *names.others)
    unclear = {name.casefold() for name in every if _split(name) not in vocabulary}
    while i < len(tokens):
        if isinstance(tokens[i], Meaning):
            found.append(tokens[i])  # type: ignore[arg-type]
            i += 1
            continue
        words: list[str] = []
        for token in tokens[i : i + _MOST_WORDS]:
            if isinstance(token, Meaning):
                break
            words.append(token)
        for length in range(len(words), 0, -1):
            forms = () if words[0].casefold() in unclear else _forms(words[:length])
            meaning = next((vocabulary[key] for key in forms if key in vocabulary), None)
            if meaning is not None or length == 1:
                kind, value = meaning or ("unknown", "")
                found.append(Meaning(kind=kind, value=value, text=" ".join(words[:length])))
                i += length
                break
    return found


def _forms(words: Sequence[str]) -> Iterable[tuple[str, ...]]:
    """The words as they are, and with the ending of the first or last left out."""
    folded = tuple(word.casefold() for word in words)
    yield folded
    plain = tuple(word.removesuffix("'s") for word in folded)
    yield plain
    for ending in _ENDINGS:
        if folded[-1].endswith(ending) and len(folded[-1]) > len(ending) + 1:
            yield (*plain[:-1], folded[-1].removesuffix(ending))


def _tokens(text: str, table: TableNames) -> list[Meaning | str]:
    """Names and numbers with what they mean, and other words as they are."""
    systems, datasets, others = table.systems, table.datasets, table.others
    known_as = [
        *(Meaning(kind="dataset", value=name, text=name) for name in datasets),
        *(
            Meaning(kind="system", value=side, text=name)
            for side, name in zip("ab", systems, strict=False)
        ),
        *(Meaning(kind="other", value=name, text=name) for name in others),
    ]
    # "Lexi" is meant by "Ours | Lexi", and by "Lexi WER" beside "Base WER", if no other name is so.
    words = [name.split(" ")[::-1] for name in (*systems, *others)]
    ending = " ".join(["", *words[0][: n_common(words)][::-1]]) if len(words) > 1 else ""
    short = []
    for one in known_as:
        name = one.text.rpartition(" | ")[2]
        name = name if one.kind == "dataset" else name.removesuffix(ending)
        short.append(replace(one, text=name))
    ends = Counter(one.text for one in short)
    known_as += [one for one in short if ends[one.text] == 1 and one not in known_as]
    # A name may also be a word of every sentence; in small letters a system's rather is the word.
    words_of_claims = [one for one in known_as if _split(one.text) in _vocabulary()]
    shadowed = [
        one
        for one in words_of_claims
        if one.kind != "dataset" and one.text not in ("A", "B", one.text.lower())
    ]
    known_as = [one for one in known_as if one not in words_of_claims] + shadowed
    known = {one.text for one in known_as}
    known_as += [
        Meaning(kind="system", value=s, text=s.upper()) for s in "ab" if s.upper() not in known
    ]
    if systems:
        # The authors' own system is called so in the table, or is A.
        own: tuple[Kind, str] = ("system", own_side(systems) or "a")
        if not any(map(is_own, systems[:2])) and any(map(is_own, others)):
            own = ("other", next(filter(is_own, others)))
        rival: tuple[Kind, str] = ("system", "a" if own == ("system", "b") else "b")
        if others and not any(map(_is_rival, systems)):
            # Of three systems any may be the baseline.
            rival = ("outside", "system")
        folded = {name.casefold() for name in known}
        known_as += [
            Meaning(kind=kind, value=value, text=each)
            for (kind, value), called in ((own, _OWN), (rival, _RIVAL))
            for each in called
            if each not in folded
        ]
    # A dataset's may also be a system's letter or a number of datasets.
    unsure = [one for one in words_of_claims if one.kind == "dataset"]
    unsure += [
        one
        for one in known_as
        if one.kind == "dataset" and (one.text in ("A", "B", "b") or one.text.isdigit())
    ]
    known_as += [replace(one, kind="ambiguous") for one in unsure]
    known_as += [replace(one, kind="ambiguous", value="") for one in shadowed]
    by_fold = grouped((_plain(one.text).casefold(), one) for one in known_as)
    longest_first = "|".join(map(re.escape, sorted(by_fold, key=len, reverse=True)))
    # Dataset "0" is not named by "0.05", nor MNLI by "MNLI-m".
    any_name = re.compile(rf"(?:{longest_first})(?!-?[^\W_]|\.\d|\s?%)", re.IGNORECASE)
    squashed = Counter(_squashed(one.text) for one in known_as)
    loosely = {_squashed(one.text): one for one in known_as if squashed[_squashed(one.text)] == 1}
    found: list[Meaning | str] = []
    i = 0
    while i < len(text):
        starts_word = _WITHIN.search(text[max(0, i - 2) : i]) is None
        place = _PLACE.match(text, i) if starts_word else None
        meaning: Meaning | None = None
        end = i
        if starts_word and (met := any_name.match(text, i)):
            meant = by_fold.get(met[0].casefold(), [])
            meaning, end = _meant(text, met, meant, in_place=place is not None), met.end()
        elif starts_word and (run := re.match(r"[\w-]+", text[i:])):
            # "SST2" is SST-2, if no other name is written so.
            written, end = _squashed(run[0]), i + len(run[0])
            if len(written) > 2 and written in loosely:
                meaning = replace(loosely[written], text=run[0])
        if meaning is not None:
            found.append(meaning)
            is_name = meaning.kind not in ("ambiguous", "number")
            i = end + (2 if is_name and text.startswith("'s", end) else 0)
            continue
        match = _TOKEN.match(text, i)
        if place is not None or match is None:
            i = i + 1 if place is None else place.end()
            continue
        if match["number"]:
            found.append(Meaning(kind="number", value=match[0].lstrip("+-"), text=match[0]))
        else:
            found.append(match[0].rstrip("."))
        i = match.end()
    return found


def _meant(
    text: str, met: re.Match[str], meant: Sequence[Meaning], *, in_place: bool
) -> Meaning | None:
    """What is named there; its case counts where it is short or others are called alike.

    A name that is also a letter, a word or a number is ambiguous: of so many datasets it is a number.
    """
    written, end = met[0], met.end()
    unclear = [m for m in meant if m.kind == "ambiguous"]
    # Within a sentence a capital letter tells a system from a word, but not from a method; at its
    # start what it does.
    is_told = met.start() > 0 or _WINS.match(text, end)
    is_system = is_told and method_called(written) is None
    unsure = [m for m in unclear if m.value or (m.text == written and not is_system)]
    if unsure and not in_place:
        counts = _OF_HOW_MANY.match(text, end) or _HOW_MANY_OF.search(text[: met.start()])
        kind: Kind = "number" if written.isdigit() and counts else "ambiguous"
        return Meaning(kind=kind, value=unsure[0].value, text=written)
    sure = [one for one in meant if one.kind != "ambiguous"]
    same = [one for one in sure if _plain(one.text) == written]
    fitting = same or (sure if len(written) > 1 and not unclear else [])
    if len({one.value for one in fitting}) != 1:
        return None
    return fitting[0]


def is_own(system: str) -> bool:
    """Whether a system is called as its authors call it."""
    return system.casefold().startswith(_OWN)


def own_side(systems: Sequence[str]) -> Literal["a", "b", ""]:
    """Which of A and B is called as authors call their own system, or is not their baseline."""
    own = [is_own(name) for name in systems[:2]]
    rival = [_is_rival(name) for name in systems[:2]]
    if True in own and False in own:
        return "a" if own[0] else "b"
    return "" if rival not in ([True, False], [False, True]) else "b" if rival[0] else "a"


def _is_rival(system: str) -> bool:
    return system.casefold().startswith(_RIVAL)


def _squashed(name: str) -> str:
    return "".join(c for c in name.casefold() if c.isalnum())

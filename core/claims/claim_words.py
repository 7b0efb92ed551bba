"""Claims in a reviewer's own words: a vocabulary of what words say, and what they come to.

Every word is looked up alone, whatever its place: quantities, verbs, places, methods, levels.
The claim follows from what was found, so that a new way of saying it needs a word and no rule.

Vocabulary
----------
meaning
    What a word or a few words say: a kind, such as "better" or "number", with a value.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from itertools import pairwise
from typing import Literal

from ..data.words import listed
from ..replicability.combinations import (
    all_combinations,
    combination_named,
    combination_names,
    usual_combination,
)
from ..replicability.procedures import procedure_named, procedure_names
from ..significance.known_tests import significance_test_named, significance_test_names
from ..types import DEPENDENCES
from ..validation import read_level
from ..words.formatting import display_name, list_names
from .claim import COUNT, Better, Claim, Method, count_methods, method_name

Kind = Literal[
    "system", "dataset", "number", "p", "alpha", "compared", "how-many", "share", "better",
    "worse", "equal", "but", "differ", "significant", "not", "method", "if", "level", "confidence", "k", "than", "of",
    "corrected", "points", "outside", "plain", "unknown",
]  # fmt: skip

# Words that mean the same, by what they mean; an ending of a verb or of several is left out.
_WORDS: Mapping[tuple[Kind, str], str] = {
    ("how-many", "at-least"): "at least|no fewer than|no less than|not fewer than|a minimum of|≥|>=",
    ("how-many", "exactly"): "exactly|precisely|only|just",
    ("how-many", "more"): "more than|>",
    ("share", "0"): "no|none|nothing|neither|nowhere|zero|never",
    ("share", "all"): "all|every|each|everywhere|everything|throughout|both|any",
    ("share", "half"): "half",
    ("share", "most"): "most|majority",
    ("share", "consistently"): "consistently|uniformly|invariably|always",
    ("but", ""): "but|except|except for|excluding|apart from|other than|with the exception of|save",
    ("better", ""): (
        "better|outperform|beat|win|surpass|exceed|improve|improvement|gain|superior|ahead|higher|"
        "advantage|lead|best|top|stronger|increase|dominate|state-of-the-art|state of the art"
    ),
    ("worse", ""): (
        "worse|worst|lower|underperform|inferior|lose|lost|behind|trail|lag|weaker|poorer|degrade|"
        "degradation|decline|loss"
    ),
    ("equal", ""): (
        "on par|par|comparable|comparably|similar|similarly|equal|equally|equivalent|tie|same|"
        "indistinguishable|match"
    ),
    ("differ", ""): "differ|difference|different|distinguishable",
    ("significant", ""): (
        "significant|significantly|significance|survive|reject|statistically significant|"
        "statistically|statistical|statistical significance|name|identify|identifies|identified"
    ),
    ("not", ""): (
        "not|isn't|aren't|doesn't|don't|didn't|cannot|insignificant|without|fail|"
        "failed|unable|hardly|barely"
    ),
    ("p", ""): "p|p-value|p value|p-values",
    ("alpha", ""): "α|alpha|significance level of|level of",
    ("compared", "≤"): "<|≤|<=|=|below|under|at most|less than|smaller than|lower than|up to",
    ("compared", ">"): "above|larger than|greater than|exceeds",
    ("level", ""): "level|significance level|level of significance",
    ("confidence", ""): "confidence|confidence level|confident",
    ("k", ""): "k|k-hat|khat",
    ("than", ""): "than|over|against|versus|vs|to",
    ("of", ""): "of|out of|/|out",
    ("outside", ""): (
        "unless|average|median|total|overall|fewer than|no more than|percent|almost|"
        "nearly|about|roughly|third|quarter|few|some|several|many|other|further|additional|"
        "combined|pooled|aggregated|first|last|rest|remaining"
    ),
    ("points", ""): "point|percentage point|pp",
    ("corrected", ""): "correct|correction|corrected|adjust|adjustment|adjusted",
    ("plain", ""): (
        "a|an|the|the two|the two systems|the two models|hold|is|are|was|were|be|been|it|its|on|in|for|by|at|with|we|that|and|or|as|from|this|"
        "these|those|which|where|does|do|has|have|remain|stay|show|find|found|observe|report|achieve|"
        "obtain|reach|attain|yield|give|make|according|after|when|using|use|under|based|compare|apply|control|"
        "controlling|continuity correction|method|procedure|test|between|however|moreover|so|"
        "testing|rule|combination|multiple|comparison|paired|one-sided|two-sided|one-tailed|two-tailed|"
        "clearly|there|across|among|if|then|true|result|score|performance|accuracy|system|"
        "model|time|value|shows|there|can|their|them|they|i.e|e.g|namely|respectively|too|also|still"
    ),
    ("plain", "unit"): (
        "dataset|data|set|task|language|domain|corpus|corpora|genre|benchmark|treebank|pair|collection|"
        "case|setting|test set|language pair|data set|subset|category|categories"
    ),
    ("method", COUNT): (
        "common practice|uncorrected|unadjusted|without correction|no correction|without any correction|"
        "without adjustment|counting|not corrected"
    ),
    ("method", "holm"): "holm-bonferroni|bonferroni-holm|step-down bonferroni",
    ("method", "benjamini-hochberg"): "fdr|false discovery rate|bh",
    ("method", "benjamini-yekutieli"): "benjamini-yekutieli correction|by procedure",
}  # fmt: skip
_NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"]  # fmt: skip
_ENDINGS = ("'s", "’s", "s", "es", "ed", "d", "ing", "'")
_TOKEN = re.compile(
    r"(?P<number>(?:[0-9]+(?:[.,][0-9]+)?|[.,][0-9]+)(?:e[-+]?[0-9]{1,3})?(?:\s?%)?)"
    r"|(?P<word>[^\W\d_]+(?:[-'’.][^\W\d_]+)*)|(?P<sign><=|>=|[<≤=≥>/])",
    re.IGNORECASE,
)
_MOST_WORDS = 6
# Of these "p = .05" can be the level that was tested at.
_USUAL_LEVELS = (0.1, 0.05, 0.01, 0.005, 0.001)
# A place in the paper is no number of datasets.
_PLACE = re.compile(
    r"(?:table|tab\.|section|sec\.|figure|fig\.|appendix)\s+[0-9A-Z][0-9.]*\b", re.IGNORECASE
)
# How a paper calls its own system and the other one.
_OWN = ("our model", "our method", "our system", "our approach", "our", "ours", "proposed")
_RIVAL = ("baseline", "baselines", "prior work")


class NotUnderstood(ValueError):
    """Why a sentence is no claim, with what to write in its place.

    Parameters
    ----------
    what, remedy : str
        In words.
    meant : (str, str), optional
        A word that is not known, and the nearest one that is.
    """

    def __init__(self, what: str, remedy: str = "", meant: tuple[str, str] | None = None) -> None:
        super().__init__(what)
        self.remedy = remedy
        self.meant = meant


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """What a word or a few words say.

    Attributes
    ----------
    kind : str
        "number", "system", "better" and so on.
    value : str
        Which of that kind: "a" or "b" of systems, the name of datasets and methods, digits.
    text : str
        As written.
    """

    kind: Kind
    value: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Understood:
    """A claim, and whether it names its system.

    Attributes
    ----------
    claim : Claim
        What the sentence comes to.
    by_name : bool
        Whether the system is named other than by A or B.
    passed_over : tuple of str
        Words that were not understood and left aside.
    """

    claim: Claim
    by_name: bool
    passed_over: tuple[str, ...] = ()


def understand(
    text: str, *, systems: Sequence[str] = (), datasets: Sequence[str] = ()
) -> Understood:
    """Read a claim in words.

    Parameters
    ----------
    text : str
        One sentence.
    systems, datasets : sequence of str
        Names of the table; "all but two" needs its datasets.

    Raises
    ------
    NotUnderstood
        If it is no claim that can be checked, or holds a name, method or number that the table
        does not have.

    Examples
    --------
    >>> understand("B significantly outperforms A on 9 of 12 datasets (p < .05)").claim.line()
    'exactly 9 of 12 by count at .05 for B'
    """
    meanings = _compared_systems(_meanings(text, systems, datasets))
    _refuse_strangers(meanings, systems, datasets)
    level, above, by_p, reported, rest = _level(meanings)
    kinds = {m.kind for m in rest}
    of_claims = {"better", "worse", "equal", "differ", "significant", "k", "method"}
    if not kinds & of_claims and not by_p and not above:
        raise NotUnderstood(f"I could not read this claim: '{display_name(text)}'.")
    _refuse_limits(rest)
    _refuse_pairs(rest)
    better, by_name = _side(rest, systems)
    named, rest = _named(rest, datasets)
    method = _method(rest)
    says_significant = by_p or "significant" in kinds or method is not None
    k, n_datasets, how_many = _quantity(rest, len(datasets), has_names=bool(named))
    negated = above or "not" in kinds
    aside = [*(m.text for m in meanings if m.kind == "unknown"), *reported]
    only = [m.text for m in rest if m.kind == "how-many" and m.value == "exactly"]
    if above and better == "a" and not by_name and not kinds & {"better", "worse"}:
        better = "differ"
    if named:
        if negated or (k == 0 and not kinds & {"better", "worse"}):
            if kinds & {"better", "worse"} or method not in (None, COUNT) or only:
                raise NotUnderstood(
                    "A claim that one system is not better, that a method does not name a dataset, or "
                    "that only these are not significant, cannot be checked.",
                    f"Write “no significant difference on {listed(named)}”.",
                )
            claim = Claim(kind="not-significant", datasets=named, better="differ", alpha=level)
        elif k is not None and k != len(named):
            raise NotUnderstood(
                f"It says {k}, and names {len(named)}: {listed(named)}.",
                "Write two claims, one for the number and one for the names.",
            )
        else:
            if not says_significant:
                verb = next(m.text for m in rest if m.kind in ("better", "worse", "differ"))
                raise NotUnderstood(
                    "A claim about named datasets must say that the difference is significant.",
                    f"Write “significantly {verb}”, if the paper claims that.",
                    (verb, f"significantly {verb}"),
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
        if negated and not any(m.value == "all" for m in rest if m.kind == "share"):
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
    return Understood(claim=claim, by_name=by_name, passed_over=tuple(aside))


def begins_in_words(text: str) -> bool:
    """Whether a text begins with a word that every claim may have, and not with a name."""
    meanings = _meanings(text, (), ())
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
    found = nearest(written, called)
    if not found:
        return ""
    method = called[found]
    return method_name(method) if method in combination_names() else _title(method)


def _title(method: Method) -> str:
    return method_name(method) if method == COUNT else procedure_named(method).title


@cache
def _vocabulary() -> Mapping[tuple[str, ...], tuple[Kind, str]]:
    """Every known word or group of words with what it means; methods and tests by their records."""
    found: dict[tuple[str, ...], tuple[Kind, str]] = {}
    for name in significance_test_names():
        record = significance_test_named(name)
        for title in (record.title, record.short_title, record.called, record.full_title, name):
            found[_split(title)] = ("plain", "test")
            for word in _split(title):
                found[(word,)] = ("plain", "test")
    for meaning, words in _WORDS.items():
        found |= {_split(each): meaning for each in words.split("|")}
    found |= {(word,): ("number", str(i)) for i, word in enumerate(_NUMBERS) if i}
    found[("dozen",)] = ("number", "12")
    found[("once",)], found[("twice",)] = ("number", "1"), ("number", "2")
    for dependence in DEPENDENCES:
        combination = combination_named(usual_combination(dependence))
        for condition in (combination.condition, combination.holds.removeprefix("if ")):
            if condition:
                found[_split(condition)] = ("if", combination.name)
    independent = usual_combination("independent")
    found |= {(word,): ("if", independent) for word in ("independence", "independent")}
    for name in procedure_names():
        procedure = procedure_named(name)
        for title in (name, procedure.title, procedure.full_title, procedure.heading):
            # "by" is a word of every sentence.
            if title != "BY":
                found[_split(title)] = ("method", name)
    for combination in all_combinations():
        for title in (combination.name, combination.title, combination.test_title):
            found[_split(title)] = ("method", combination.name)
    for name in count_methods():
        found.setdefault((name,), ("method", name))
    # "Fisher counts 9" has one method; "9 by count" as well.
    found |= {("count",): ("plain", ""), ("by", "count"): ("method", COUNT)}
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
    text = re.sub("[‐‑–−]", "-", unicodedata.normalize("NFC", text)).replace("’", "'")
    text = re.sub("-(corrected|adjusted)", r" \1", text)
    text = re.sub(r"\b([0-9]+)\+", r"at least \1", text)
    return text.replace("k\N{COMBINING CIRCUMFLEX ACCENT}", "k ")


def _meanings(text: str, systems: Sequence[str], datasets: Sequence[str]) -> list[Meaning]:
    """What each word says, names first, then the longest group of words."""
    tokens = _tokens(_plain(text), systems, datasets)
    vocabulary, found, i = _vocabulary(), list[Meaning](), 0
    # What differs from several names in its case alone is none of them, and no other word.
    unclear = {name.casefold() for name in (*systems, *datasets)}
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


def _tokens(text: str, systems: Sequence[str], datasets: Sequence[str]) -> list[Meaning | str]:
    """Names and numbers with what they mean, and other words as they are."""
    names: list[tuple[str, Kind, str]] = []
    for name in datasets:
        # What is a word of every sentence cannot be told from a name.
        if _split(name) not in _vocabulary():
            names.append((name, "dataset", name))
    for side, name in zip("ab", systems, strict=False):
        if _split(name) not in _vocabulary():
            names.append((name, "system", side))
    known = {name for name, *_ in names}
    names += [(s.upper(), "system", s) for s in "ab" if s.upper() not in known]
    folded = {name.casefold() for name in known}
    own, rival = ("b", "a") if _is_own(systems[1:2]) and not _is_own(systems[:1]) else ("a", "b")
    if systems:
        names += [(each, "system", own) for each in _OWN if each not in folded]
        names += [(each, "system", rival) for each in _RIVAL if each not in folded]
    names.sort(key=lambda each: -len(each[0]))
    found: list[Meaning | str] = []
    i = 0
    while i < len(text):
        starts_word = i == 0 or not text[i - 1].isalnum()
        named = _name_at(text, i, names) if starts_word else None
        if named is not None:
            name, kind, value = named
            found.append(Meaning(kind=kind, value=value, text=name))
            i += len(name)
            continue
        place = _PLACE.match(text, i) if starts_word else None
        match = _TOKEN.match(text, i)
        if place is not None or match is None:
            i = i + 1 if place is None else place.end()
            continue
        if match["number"]:
            found.append(Meaning(kind="number", value=match[0], text=match[0]))
        else:
            found.append(match[0].rstrip("."))
        i = match.end()
    return found


def _is_own(systems: Sequence[str]) -> bool:
    """Whether a system is called as its authors call it."""
    return any(name.casefold().startswith(_OWN) for name in systems)


def _squashed(name: str) -> str:
    return "".join(c for c in name.casefold() if c.isalnum())


def _name_at(
    text: str, i: int, names: Sequence[tuple[str, Kind, str]]
) -> tuple[str, Kind, str] | None:
    """The longest name that begins here; its case counts where it is short or another has it too."""
    fitting = []
    for name, kind, value in names:
        piece, after = text[i : i + len(name)], text[i + len(name) : i + len(name) + 1]
        same = _plain(piece) == _plain(name)
        alike = piece.casefold() == name.casefold() and len(name) > 1
        if (same or alike) and not after.isalnum():
            fitting.append((len(name), same, name, kind, value))
    if not fitting:
        # "SST2" is SST-2, if no other name is written so.
        run = re.match(r"[\w-]+", text[i:])
        written = _squashed(run[0]) if run else ""
        loosely = [each for each in names if len(written) > 2 and _squashed(each[0]) == written]
        return (run[0], *loosely[0][1:]) if run and len(loosely) == 1 else None
    longest = max(fitting)
    rivals = {each[4] for each in fitting if each[:2] == longest[:2]}
    return None if len(rivals) > 1 else (longest[2], longest[3], longest[4])


def _refuse_strangers(
    meanings: Sequence[Meaning], systems: Sequence[str], datasets: Sequence[str]
) -> None:
    """Answer a word that seems to be a name or a method, and is none here, with the nearest one."""
    for i, meaning in enumerate(meanings):
        if meaning.kind == "outside":
            raise NotUnderstood(
                f"A claim with “{meaning.text}” cannot be checked.",
                "Write “at least” or “exactly” and a number, or the names of datasets.",
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
        begins = meanings[i - 1].text.casefold() if i else ""
        if word[:1].isupper() or i == 0 or begins in ("than", "over", "against"):
            known = [*systems, *datasets]
            raise NotUnderstood(
                f"The table has nothing called “{display_name(word)}”.",
                f"It has {listed(known[:8])}." if known else "",
            )


def _compared_systems(meanings: Sequence[Meaning]) -> list[Meaning]:
    """The same with "A > B" as "A better B", and "A < B" as "A worse B"."""
    found = list(meanings)
    for i in range(1, len(found) - 1):
        between = found[i - 1].kind == found[i + 1].kind == "system"
        if between and found[i].text in (">", "<"):
            kind: Kind = "better" if found[i].text == ">" else "worse"
            found[i] = Meaning(kind=kind, value="", text=found[i].text)
    return found


def _refuse_pairs(meanings: Sequence[Meaning]) -> None:
    """Refuse a comparison of two datasets, such as "better on MNLI than on QQP"."""
    told = [m for m in meanings if m.kind not in ("plain", "of")]
    for than, dataset in pairwise(told):
        if (than.kind, dataset.kind) == ("than", "dataset"):
            raise NotUnderstood(
                "It compares two datasets, and a p-value compares two systems.",
                f"Write a claim such as “significantly better on {display_name(dataset.value)}”.",
            )


def _refuse_limits(meanings: Sequence[Meaning]) -> None:
    """Refuse what no p-value can show: that there are at most so many, or that systems are equal."""
    for meaning in meanings:
        if meaning.kind == "compared" and meaning.text != "=":
            raise NotUnderstood(
                f"A claim with “{meaning.text}” cannot be checked: p-values show at least how many.",
                "Write “exactly” or “at least” and a number.",
            )
        if meaning.kind == "equal":
            names = [m.value for m in meanings if m.kind == "dataset"]
            where = listed(names) if names else "and the names of datasets"
            raise NotUnderstood(
                "That systems are equal cannot be checked by p-values.",
                f"Write “no significant difference on {where}”.",
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
            if following and following[0].kind == "points":
                reported.append(f"{value} {following[0].text}")
                i += 2
                continue
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
    levels = dict.fromkeys(_level_of(text) for text in stated)
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


def _level_of(text: str) -> float:
    level = read_level(text)
    if level is None:
        raise NotUnderstood(f"A level must lie between 0 and 1; got {text}.")
    return level


def _side(meanings: Sequence[Meaning], systems: Sequence[str]) -> tuple[Better, bool]:
    """Whose lead is claimed, and whether by a name."""
    kinds = {m.kind for m in meanings}
    winners, losers = list[Meaning](), list[Meaning]()
    said = [m for m in meanings if m.text.casefold() != "the"]
    for i, meaning in enumerate(said):
        if meaning.kind == "system":
            before = said[i - 1].kind if i else "plain"
            # "ahead of B", but "the advantage of A".
            of_noun = before == "of" and i > 1 and said[i - 2].text.casefold() != "ahead"
            beside = before in ("than", "of") and not of_noun
            # "A beats B", "A outperforms B".
            object_of_verb = before in ("better", "worse", "significant") and bool(winners)
            (losers if beside or object_of_verb else winners).append(meaning)
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
            f"It names {list_names([_title(m) if m in procedure_names() else method_name(m) for m in stated])}.",
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

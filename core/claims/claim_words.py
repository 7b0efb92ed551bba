"""Claims in a reviewer's own words: what the meanings of a sentence's words come to.

The claim follows from what the vocabulary found, so that a new way of saying it needs a word and
no rule.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from ..errors import listed
from ..replicability.combinations import combination_named
from ..words.formatting import display_name, list_names
from .claim import CORRECTION, COUNT, Better, Claim, Method, method_name, names_by
from .grammar import (
    ASIDE,
    USUAL_LEVELS,
    active,
    as_differences,
    better_or_worse,
    clauses,
    is_adverb,
    level_in,
    of_errors,
    without_gains,
)
from .vocabulary import (
    NO_NAMES,
    Meaning,
    NotUnderstood,
    TableNames,
    is_own,
    meanings_of,
    nearest,
    nearest_method,
    own_side,
)

# Verbs with the system that loses behind them, or the one that wins: "trails B". "The improved B" is none.
_TRANSITIVE = re.compile(
    r"(?:(?:out|under)perform|outscore|outclass|beat|surpass|exceed|dominate|improve|trail)(?:e?s|ing)?"
    r"|(?:(?:out|under)perform|outscor|outclass|surpass|exceed|dominat|trail)ed|(?:dominat|improv)ing",
    re.IGNORECASE,
)

_FOR = ("for", "in favour of", "in favor of")
# What an adjective of size is of, or what stands before it: "a small but significant gain", "gains are small".
_OF_SIZE = frozenset({"better", "worse", "differ", "error", "though", "is", "are"})
# Between "significance" and "is lost", and between "loses" and "its significance".
_LINKS = frozenset(
    {"is", "are", "was", "were", "get", "gets", "got", "on", "in", "and", "its", "their", "the"}
)
# “3 of 5 gains” counts among the datasets where a system is ahead.
_GAINS = re.compile(
    r"(?:improvement|gain|increase|win|advantage|boost|drop|loss|reduction|decrease|decline|degradation)(?:s|es)?",
    re.IGNORECASE,
)
_NOT_THERE = "Write “no significant difference on ” and the names of those datasets."
# What no p-values say, by the value of its meaning, and what to write instead.
_CANNOT = "A claim with “{}” cannot be checked."
_OUTSIDE = {
    "": (_CANNOT, "Write “at least” or “exactly” and a number, or the names of datasets."),
    "top": (_CANNOT, "Write the name of the system that is meant."),
    "system": (_CANNOT, "Write the name of the system that is meant."),
    "equal": ("That systems are equal (“{}”) cannot be checked by p-values.", _NOT_THERE),
    "joint": (
        "Joint counting needs the results on every example: p-values do not give it.",
        "Count jointly on the Counting page, or write another method.",
    ),
}
# Of whichever system is ahead; the last where no gain is spoken of.
_NO_SYSTEM = re.compile(
    r"\b(?:neither|no (?:system|model)|all (?:the |\d+ )?p[- ]values)\b", re.IGNORECASE
)
_ALL_OF = r"\b(?P<all>all|each|every|any)\b.* unit (?:of|in|within)"
_EVERYTHING = r"\b(?P<everything>everything|everywhere|throughout)\b"
# A method that "names X and Y" names no others.
_NAMES = re.compile(
    r"\b(?:named?|names|identif(?:y|ies|ied)|lists?|selects?|picks?)\b", re.IGNORECASE
)
# Tests that are also made once, of the scores or wins on all datasets.
_OF_RANKS = ("wilcoxon", "sign", "binomial")
_OF_BOTH = re.compile(r"\b(?:comparisons|tests|null hypothes[ei]s)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """A claim, and how its line was written.

    `passed_over`: sizes of gains, p-values of single datasets. `is_assumed`: no system is named, nor
    known to be the authors' own, so that it is read for A.
    """

    claim: Claim
    passed_over: tuple[str, ...] = ()
    is_assumed: bool = False


def understand(text: str, names: TableNames = NO_NAMES) -> Read:
    """Read a claim in words, of one sentence.

    `NotUnderstood` is raised where it is no claim that can be checked, or holds a name, method, number
    or direction that the table does not have.
    """
    has_clauses = _refuse_several(text, names)
    systems, datasets = names.systems, names.datasets
    said = of_errors(meanings_of(text, names), names.higher_is_better)
    meanings, gains = without_gains(active(said))
    _refuse_strangers(meanings, names)
    _refuse_over_datasets(meanings, len(datasets))
    _refuse_opposites(meanings)
    level, above, by_p, reported, rest = level_in(meanings)
    rest = as_differences(rest)
    kinds = {m.kind for m in rest}
    none = any((m.kind, m.value) == ("share", "0") for m in rest)
    is_negated = above or none or "not" in kinds
    _refuse_pairs(rest, is_negated=is_negated, has_clauses=has_clauses)
    of_claims = {"better", "worse", "differ", "significant", "k", "method"}
    if not kinds & of_claims and not by_p and not above:
        raise NotUnderstood(f"I could not read this claim: '{display_name(text)}'.")
    _refuse_limits(rest)
    is_of_gains = _is_of_gains(rest)
    _refuse_unknown(meanings, len(datasets))
    better = _side(rest, systems)
    is_assumed = False
    if better is None:
        is_of_p = (above or by_p) and not kinds & {"better", "worse", "significant", "method"}
        is_of_both = _OF_BOTH.search(text) and not kinds & {"better", "worse", "method"}
        if is_of_p or is_of_both or _NO_SYSTEM.search(text):
            better = "differ"
        else:
            # A paper speaks of its own system without a name.
            for other in filter(is_own, names.others):
                raise _of_another(other)
            own = own_side(systems)
            better = "b" if (own == "b") != ("worse" in kinds) else "a"
            is_assumed = not own
    named, rest = _named(rest, datasets)
    method = _method(rest)
    if method == CORRECTION and level is not None and level not in USUAL_LEVELS and datasets:
        # "p < .0042 (Bonferroni-corrected)": the level of each of 12 tests, to so many digits.
        for whole in USUAL_LEVELS:
            if level in {float(f"{whole / len(datasets):.{n}g}") for n in range(1, 16)}:
                level = whole
                break
    k, n_datasets, how_many = _quantity(rest, len(datasets), n_named=len(named))
    if is_of_gains and datasets and n_datasets != len(datasets):
        # "3 of 5 gains": the other datasets show none.
        n_datasets = None
    sentence = _Sentence(
        text=text,
        meanings=rest,
        better=better,
        level=level,
        is_above=above,
        is_significant=by_p or "significant" in kinds or method is not None,
        method=method,
        k=k,
        n_datasets=n_datasets,
        how_many=how_many,
        n_known=len(datasets),
    )
    claim = _of_names(named, sentence) if named else _of_number(sentence)
    return Read(
        claim=claim,
        passed_over=(*gains, *reported),
        is_assumed=is_assumed and claim.better != "differ",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sentence:
    """What one clause says beside the names of datasets, with its words but for level and gains."""

    text: str
    meanings: Sequence[Meaning]
    better: Better
    level: float | None
    is_above: bool
    is_significant: bool
    method: Method | None
    k: int | None
    n_datasets: int | None
    how_many: str
    n_known: int

    @property
    def kinds(self) -> set[str]:
        return {m.kind for m in self.meanings}

    @property
    def shares(self) -> set[str]:
        return {m.value for m in self.meanings if m.kind == "share"}

    @property
    def only(self) -> list[str]:
        """Words such as "only"."""
        return [m.text for m in self.meanings if (m.kind, m.value) == ("how-many", "exactly")]

    @property
    def is_none_of_some(self) -> bool:
        """ "No significant differences on 5 datasets" says what is not so of five."""
        return "0" in self.shares and (bool(self.k) or bool(self.shares & {"half", "most"}))

    @property
    def is_negated(self) -> bool:
        return self.is_above or "not" in self.kinds or self.is_none_of_some

    def at_least(self, k: int) -> str:
        """The line that so many wins are read from."""
        of = f" of {self.n_known} datasets" if self.n_known else ""
        side = self.better.upper() if self.better != "differ" else self.better
        return f"better on at least {k}{of} for {side}"


def _of_names(named: tuple[str, ...], said: _Sentence) -> Claim:
    """The claim that a clause makes of datasets by their names."""
    is_missing = said.is_negated or said.k == 0
    if said.k is not None and said.k != len(named) and (said.k or not is_missing):
        raise NotUnderstood(
            f"It says {said.k}, and names {len(named)}: {listed(named)}.",
            "Write two claims, one for the number and one for the names.",
        )
    if is_missing:
        by_method = said.method not in (None, COUNT)
        if said.kinds & {"better", "worse"} or by_method or said.only:
            raise NotUnderstood(
                "A claim that one system is not better, that a method does not name a dataset, or "
                "that only these are not significant, cannot be checked.",
                f"Write “no significant difference on {listed(named)}”, if the paper claims it of "
                "both directions.",
            )
        return Claim(kind="not-significant", datasets=named, better="differ", alpha=said.level)
    if not said.is_significant:
        wins = said.at_least(len(named))
        raise NotUnderstood(
            "A claim about named datasets must say that the difference is significant.",
            f"Write “significant” or “significantly”, if the paper claims that. If it only counts "
            f"wins, write “{wins}”.",
            (said.text, wins),
        )
    procedure = None
    if said.method is not None and said.method != COUNT:
        # A combination names datasets by its closed test.
        procedure = names_by(said.method) or combination_named(said.method).procedure
    # "X and Y are significant after Holm" leaves the others open.
    are_all = bool(said.only) or said.k is not None
    is_exact = procedure and (are_all or _NAMES.search(said.text))
    claim = Claim(
        kind="named" if is_exact else "significant",
        datasets=named,
        method=procedure,
        better=said.better,
        alpha=said.level,
    )
    if procedure or not are_all:
        return claim
    # That p is small on these and on no other: the names and their number.
    n = said.n_datasets or said.n_known or None
    number = replace(claim, kind="exactly", datasets=(), k=len(named), n_datasets=n, method=COUNT)
    lines = [claim.line(), number.line()]
    raise NotUnderstood(
        "It makes 2 claims: of the datasets that it names, and that there are no others.",
        f"Write a claim for each: “{lines[0]}” and “{lines[1]}”.",
        (said.text, "\n".join(lines)),
    )


def _of_number(said: _Sentence) -> Claim:
    """The claim that a clause makes of a number of datasets."""
    k, how_many = said.k, said.how_many
    # "Not on all" may be on some.
    not_all = any((m.kind, m.value) == ("not", "") for m in said.meanings) and any(
        m.value == "all" and m.text.casefold() != "any" for m in said.meanings
    )
    is_of_all = "all" in said.shares and "but" not in said.kinds
    if said.is_negated and (not is_of_all or said.is_none_of_some or not_all):
        raise NotUnderstood(
            "What is not so can be checked of datasets by their names alone.",
            "Write for example “no significant difference on ” and their names.",
        )
    if said.is_negated:
        k, how_many = 0, "exactly"
    if k is None and said.n_known == 1:
        k = 1  # of one dataset nobody says on how many
    if k is None:
        n = said.n_known or 12
        raise NotUnderstood(
            f"'{display_name(said.text)}' does not say on how many datasets, or on which.",
            f"Write for example “on {max(1, n // 2)} of {n} datasets”, “on all {n} datasets”, or "
            "the names of datasets.",
        )
    exact = how_many == "exactly" or k == 0 or (not how_many and said.is_significant)
    if exact and not (said.is_significant or said.is_above):
        raise NotUnderstood(
            "A claim of exactly so many must say that the differences are significant.",
            "Write “significant” or “significantly”, if the paper claims that, or “at least”.",
            (said.text, said.at_least(k)) if k and "differ" not in said.kinds else None,
        )
    # A level or a confidence alone does not say how datasets are counted.
    return Claim(
        kind="exactly" if exact else "at-least",
        k=k,
        n_datasets=said.n_datasets,
        method=said.method or COUNT if said.is_significant or exact else said.method,
        better=said.better,
        alpha=said.level,
    )


def _refuse_several(text: str, names: TableNames) -> bool:
    """Refuse several claims, such as "better on all, significantly on 3"; return whether one has several clauses.

    A clause without a system is about that of the clause before it.
    """
    parts = clauses(text, names)
    if len(parts) < 2:
        return False
    claims: list[Claim] = []
    before: set[str] = set()
    try:
        for part in parts:
            claim = understand(part, names).claim
            said = active(meanings_of(part, names))
            kinds: set[str] = {m.kind for m in said}
            of_those = not any(m.value.isdigit() for m in said)
            if claims and claim.k and of_those and claims[0].k != len(names.datasets):
                # "Better on 6 of 8, on most of which significantly": of these 6.
                raise NotUnderstood("It does not say of how many.")
            # "On 9 at p < .05, and on 6 at p < .01" is of one system as well.
            is_of_p = kinds.isdisjoint({"differ", "better", "worse", "significant"})
            speaks_of_side = claim.better != "differ" or (
                is_of_p and claim.kind != "not-significant"
            )
            if claims and "system" not in kinds and speaks_of_side:
                better = claims[-1].better
                turns = kinds & {"better", "worse"} and ("worse" in kinds) != ("worse" in before)
                if turns and better != "differ":
                    better = "a" if better == "b" else "b"
                claim = replace(claim, better=better)
            claims.append(claim)
            before = kinds
    except NotUnderstood:
        claims = []
    # Of each dataset, those that differ in their datasets alone are one.
    alike = {replace(c, datasets=("",)) if c.of_each else c for c in claims}
    if len(alike) == 1 and claims[0].of_each:
        return True
    each = " and ".join(f"“{display_name(part)}”" for part in parts)
    lines = [claim.line() for claim in claims]
    such = f": {' and '.join(f'“{line}”' for line in lines)}" if lines else ""
    raise NotUnderstood(
        f"It makes {len(parts)} claims: {each}.",
        f"Write a claim for each{such}.",
        (text, "\n".join(lines)) if lines else None,
    )


def _of_another(system: str) -> NotUnderstood:
    """What is wrong with a claim about a system that is not compared."""
    return NotUnderstood(
        f"It is about “{display_name(system)}”, which is neither A nor B.", "Choose it as A or B."
    )


def _share(said: str) -> NotUnderstood:
    """What is wrong with "two thirds of the datasets"."""
    return NotUnderstood(f"“{said}” is a share.", "Write a whole number, such as “9 of 12”.")


def _refuse_unknown(meanings: Sequence[Meaning], n_datasets: int) -> None:
    """Refuse words that are not known: "lacks", "unseen languages" or "with adapters" change a claim."""
    unknown = [
        f"“{display_name(meaning.text)}”"
        for i, meaning in enumerate(meanings)
        if (meaning.kind == "unknown" and not _is_of_all(meanings, i, n_datasets))
        or (meaning.value == "size" and not _is_of_a_gain(meanings, i))
    ]
    if unknown:
        raise NotUnderstood(
            f"I do not know {list_names(unknown)} here.",
            "Leave it out, if the claim is the same without it, or write “better” or “worse” in its place.",
        )


def _is_of_all(meanings: Sequence[Meaning], i: int, n_datasets: int) -> bool:
    """Whether a word is what all datasets are called: "6 of 9 GLUE tasks", where the table has 9."""
    ends = [
        next((m.value for m in side if m.kind not in ("unknown", "error")), "")
        for side in (meanings[i::-1], meanings[i:])
    ]
    return ends == [str(n_datasets), "unit"]


def _is_of_a_gain(meanings: Sequence[Meaning], i: int) -> bool:
    """Whether an adjective of size is of a difference: "a large gain", and not "all large datasets"."""
    after, before = meanings[i + 1 : i + 2], meanings[max(0, i - 1) : i]
    around = {*(m.kind for m in after), *(m.value for m in after), *(m.text for m in before)}
    return meanings[i].kind != "plain" or not around.isdisjoint(_OF_SIZE)


def _refuse_strangers(meanings: Sequence[Meaning], names: TableNames) -> None:
    """Answer a word that seems to be a name or a method, and is none here, with the nearest one."""
    systems, datasets = names.systems, names.datasets
    for i, meaning in enumerate(meanings):
        if meaning.kind == "other":
            raise _of_another(meaning.value)
        if meaning.kind == "ambiguous":
            raise NotUnderstood(
                f"“{display_name(meaning.text)}” is a name in the table, and can also be a letter, a "
                "number or a word of the sentence.",
                f"Write datasets as in “significant {'; '.join(datasets[:2])}”, with semicolons between "
                "them, and behind “for” A or B as the system.",
            )
        # The best of three systems need not be compared with B.
        is_top = meaning.kind in ("better", "worse") and meaning.value == "top"
        if meaning.value == "share" and [m.kind for m in meanings[i + 1 : i + 2]] == ["of"]:
            before = meanings[i - 1].text if i else ""
            raise _share(f"{before} {meaning.text}".lstrip())
        if meaning.kind == "outside" or (is_top and names.others):
            what, remedy = _OUTSIDE.get(meaning.value, _OUTSIDE[""])
            named = list(dict.fromkeys(m.value for m in meanings if m.kind == "dataset"))
            is_plain = {"better", "worse", "not", "but"}.isdisjoint(m.kind for m in meanings)
            if meaning.value == "equal" and named and is_plain:
                remedy = f"Write “no significant difference on {' and '.join(named)}”."
            raise NotUnderstood(what.format(meaning.text), remedy)
        if meaning.kind != "unknown":
            continue
        word = meaning.text
        if method := nearest_method(word):
            what = f"There is no method “{display_name(word)}”."
            raise NotUnderstood(what, f"{method}?", (word, method))
        for what, known in (("dataset", datasets), ("system", systems)):
            # A word in small letters is rather a verb than a name that is mistyped.
            if near := nearest(word, known, cutoff=0.7 if word != word.lower() else 0.8):
                # "Non-English" is no slip of "English", and "Englishh" is.
                has_it = re.search(rf"\b{re.escape(near)}\b", word, re.IGNORECASE)
                # "SQuAD" may be 1.1 or 2.0.
                alike = [name for name in known if name.casefold().startswith(word.casefold())]
                slip = None if has_it or len(alike) > 1 else (word, near)
                raise NotUnderstood(
                    f"The table has no {what} “{display_name(word)}”.",
                    f"{list_names(alike) if len(alike) > 1 else display_name(near)}?",
                    slip,
                )
        every = [*systems, *datasets]
        is_name = word[1:] != word[1:].lower() or (i > 0 and word[0].isupper())
        if is_name and not _is_of_all(meanings, i, len(datasets)):
            if every:
                what = f"The table has nothing called “{display_name(word)}”."
                raise NotUnderstood(what, f"It has {listed(every[:8])}.")
            raise NotUnderstood(
                f"“{display_name(word)}” can only be a name in a table, and no table is given."
            )


def _refuse_over_datasets(meanings: Sequence[Meaning], n_datasets: int) -> None:
    """Refuse "over 7", which may be more than 7, and one test over all datasets."""
    tests = [m.text.casefold().removeprefix("the ") for m in meanings if m.value == "test"]
    of_ranks = next((test for test in tests if test.startswith(_OF_RANKS)), "")
    kinds = [m.kind for m in meanings]
    counted = next((i for i, m in enumerate(meanings) if m.value.isdigit()), None)
    if of_ranks and counted is not None:
        # "8 of 12 wins (p < .05, sign test)" may be a test of these wins; "significantly better on 8 of
        # 12", "p < .05 on 8 of 12" and "8 of 12 gains are significant" are tests of each.
        first, has_then = set(kinds[:counted]), "significant" in kinds[counted:]
        is_each = first & {"significant", "p"} or (has_then and "better" not in first)
        if not is_each:
            raise _of_all_together(f"“{of_ranks}”")
    for i, meaning in enumerate(meanings):
        place = meaning.text.casefold()
        behind = [m for m in meanings[i + 1 : i + 4] if m.text.casefold() not in ("the", "these")]
        is_number = behind and (behind[0].kind in ("number", "share") or behind[0].value == "unit")
        if place not in ("over", "across", "on") or not is_number:
            continue
        before = meanings[i - 1] if i else meaning
        is_one = before.value == "test" or bool(of_ranks)
        if place == "on":
            # "A t-test on all 8 datasets shows", and not "t-tests" nor "significantly better (t-test) on 8".
            says = {"better", "worse", "differ", "significant", "p"}
            is_one = before.text.casefold().endswith("test") and says.isdisjoint(kinds[:i])
        elif "p" in kinds and "dataset" not in kinds:
            # "Better over all 8 datasets (p < .01)", and not "across these, p < .05 on 5".
            whole = {m.value for m in behind[: 2 if behind[0].kind == "share" else 1]}
            counts = {m.value for m in meanings if m.value.isdigit()} - whole
            each = {"each", "every", "both"} & {m.text.casefold() for m in meanings}
            if not counts and not each:
                raise _of_all_together("A p-value given once")
        if is_one:
            raise _of_all_together(f"A test “{meaning.text} {behind[0].text}”")
        is_next = place == "over" and kinds[i + 1] == "number"
        if is_next and n_datasets and behind[0].value not in ("", str(n_datasets)):
            number = behind[0].text
            raise NotUnderstood(
                f"“over {number}” may be more than {number}, or on {number}.",
                f"Write “on more than {number}” or “on {number}”.",
            )


def _of_all_together(test: str) -> NotUnderstood:
    """What is wrong with a test that need not be one of each dataset."""
    return NotUnderstood(
        f"{test} may be one test of all datasets together.",
        "Write “significantly better on” and how many, if each dataset was tested.",
    )


def _refuse_pairs(meanings: Sequence[Meaning], *, is_negated: bool, has_clauses: bool) -> None:
    """Refuse what two words say together: scores below others, one of two datasets, datasets that are no list."""
    telling = [
        m
        for m in meanings
        if m.kind not in ("plain", "of") or m.value == "score" or m.text.casefold() == "or"
    ]
    for i, (first, second) in enumerate(pairwise(telling)):
        if (first.kind, second.kind) == ("compared", "system"):
            raise better_or_worse(first.text)
        # "No difference on MNLI or QQP" is of both, and so is "all but MNLI or QQP".
        is_all = is_negated or any(m.kind == "but" for m in telling[:i])
        if [m.kind for m in telling[i : i + 3]] == ["dataset", "plain", "dataset"] and not is_all:
            pair = f"{display_name(first.value)} or {display_name(telling[i + 2].value)}"
            raise NotUnderstood(
                f"“{pair}” can be read in two ways: on both, or on at least one of them.",
                "Write “and” if both are meant, or the one that is meant.",
            )
    parting = ("system", "better", "worse", "than", "of")
    at = [i for i, meaning in enumerate(meanings) if meaning.kind == "dataset"]
    for i, k in pairwise(at if not has_clauses else ()):
        # "Of u and v, better on v", "A on u is better than B on v".
        between = [m for m in meanings[i:k] if m.kind in parting and m.text != "/"]
        if between or (i and meanings[i - 1].text.casefold() == "between"):
            word = display_name(between[0].text) if between else "and"
            one, other = (display_name(meanings[each].value) for each in (i, k))
            raise NotUnderstood(
                f"It names “{one}” before “{word}” and “{other}” behind it.",
                "Write only the datasets on which the system is better, behind “on”.",
            )


def _refuse_opposites(meanings: Sequence[Meaning]) -> None:
    """Refuse what is significant on one dataset and not on another: "SST-2: p < .05; RTE: n.s."."""
    runs: list[list[Meaning]] = [[]]
    for meaning in meanings:
        runs.append([]) if meaning.kind == "dataset" else runs[-1].append(meaning)

    def of_p(run: list[Meaning], sign: str) -> bool:
        signs = {m.text if m.text in "=>" else m.value for m in run}
        return sign in signs and any(m.kind == "p" for m in run)

    def exceeds(run: list[Meaning]) -> bool:
        return of_p(run, ">") or any((m.kind, m.value) == ("not", "significant") for m in run)

    def denies(run: list[Meaning]) -> bool:
        return exceeds(run) or any(m.kind == "not" or m.value == "0" for m in run)

    def states(run: list[Meaning]) -> bool:
        return of_p(run, "≤") or any(m.kind == "significant" for m in run)

    first, *others = runs
    after = [run for run in others if states(run) and not denies(run)]
    if denies(first) and not exceeds(first):
        # "Neither u nor v is significant", "no significant difference on u and v (p < .05)".
        is_whole = any(m.kind == "significant" for m in first)
        after = [run for run in after if is_whole and any(m.kind == "significant" for m in run)]
    elif states(first) and not denies(first):
        after.append(first)
    if after and any(map(denies, runs)):
        raise NotUnderstood(
            "It says of one dataset that it is significant, and of another that it is not.",
            "Write a claim for each.",
        )


def _refuse_limits(meanings: Sequence[Meaning]) -> None:
    """Refuse what no p-value can show: at most so many, and significance that is lost."""
    telling = [m for m in meanings if m.kind != "dataset" and m.text.casefold() not in _LINKS]
    for first, second in pairwise(telling):
        said = f"{first.text} {second.text}"
        is_lost = {first.kind, second.kind} == {"significant", "worse"}
        if is_lost and "significance" in said.casefold():
            raise NotUnderstood(_CANNOT.format(said), _NOT_THERE)
    for meaning in meanings:
        if meaning.kind == "compared" and meaning.text != "=":
            raise NotUnderstood(
                f"A claim with “{meaning.text}” cannot be checked: p-values show at least how many.",
                "Write “exactly” or “at least” and a number.",
            )


def _is_of_gains(meanings: Sequence[Meaning]) -> bool:
    """Whether a number is of gains: "3 of 5 improvements", and not "improvements on 3 of 5 datasets".

    Refused are "all improvements", "most gains" and "all but 2 gains", as they do not say how many
    there are.
    """
    before: set[str] = set()
    kinds = {m.kind for m in meanings}
    for meaning in meanings if "dataset" not in kinds or "but" in kinds else ():
        if _GAINS.fullmatch(meaning.text) and before:
            if "number" in before and "but" not in before:
                return True
            raise NotUnderstood(
                f"It does not say of how many: “{meaning.text}” may be on all datasets, or only "
                "where the score is better.",
                "Write on how many datasets, such as “significantly better on 9 of 12 datasets”.",
            )
        if meaning.kind in ("number", "but") or meaning.value in ("all", "half", "most"):
            before.add(meaning.kind)
        elif (
            meaning.kind not in ("plain", "of", "significant", "how-many")
            or meaning.value == "unit"
        ):
            before.clear()
    return False


def _named(
    meanings: Sequence[Meaning], datasets: Sequence[str]
) -> tuple[tuple[str, ...], list[Meaning]]:
    """The datasets that are meant: those named, or all others where they are excepted.

    Returned with the meanings that are left; a number that is excepted stays among them.
    """
    named = tuple(dict.fromkeys(m.value for m in meanings if m.kind == "dataset"))
    at = next((i for i, m in enumerate(meanings) if m.kind == "but"), None)
    if at is None:
        words = " ".join(m.value if m.value == "unit" else m.text.casefold() for m in meanings)
        for name in map(str.casefold, {m.text for m in meanings if m.kind == "dataset"}):
            # "On everything, even u", "in each language of u".
            found = re.search(rf"{_ALL_OF}(?: the)? {re.escape(name)}|{_EVERYTHING}", words)
            if found:
                raise NotUnderstood(
                    f"It says “{found['all'] or found['everything']}”, and names {listed(named)}.",
                    "Write either the number of datasets, or the names of all that are meant.",
                )
        return named, list(meanings)
    before = [m for m in meanings[:at] if m.kind not in ("plain", "of")]
    says = {m.kind for m in before} & {"significant", "better", "worse"}
    if not before:
        # "Except for u and v, all differences are significant."
        behind = [m for m in meanings[at + 1 :] if m.kind not in ("plain", "of")]
        first = next((i for i, m in enumerate(behind) if m.kind != "dataset"), len(behind))
        before = behind[first:] if named else []
    alls = [i for i, m in enumerate(before) if m.kind == "share" and m.value == "all"]
    numbers = [i - 1 for i, m in enumerate(before) if m.kind == "number"]
    # "A is better except on u" is of all others; "all but", "all 12 but", "all differences except".
    of_some = {m.kind for m in before} & {"not", "number", "share"}
    of_all = bool(alls) or (bool(named) and not of_some)
    # "Significant except on u, where it is not" says another thing of u.
    is_other = says and any(m.kind == "not" for m in meanings[at + 1 :])
    has_names = any(m.kind == "dataset" for m in before)
    # "All but A" excepts no dataset.
    excepts = bool(named) or any(m.kind == "number" for m in meanings[at + 1 :])
    if has_names or is_other or not of_all or not excepts or not set(numbers) <= set(alls):
        raise NotUnderstood(
            f"It says one thing before “{meanings[at].text}” and another behind it.",
            "Write a claim for each.",
        )
    if not named:
        return (), list(meanings)
    rest = [m for i, m in enumerate(meanings) if i != at and m.kind != "dataset"]
    return tuple(name for name in datasets if name not in named), rest


def _side(meanings: Sequence[Meaning], systems: Sequence[str]) -> Better | None:
    """Whose lead is claimed, None where no system is named."""
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
            while k > 0 and i - k < 4 and said[k].text.casefold() in ASIDE:
                k -= 1
            before = said[k].kind if i else "plain"
            # "ahead of B" and "those of B", but "the advantage of A"; "improves on B".
            noun = said[k - 1].text.casefold() if k > 0 else ""
            of_noun = before == "of" and noun not in ("", "ahead", "those", "that")
            improves = said[k].text.casefold() in ("on", "upon")
            beside = (before in ("than", "of") and not of_noun) or improves
            # "A beats B", and "outperforms B" without a subject.
            object_of_verb = before in ("better", "worse", "significant") and (
                bool(winners) or _TRANSITIVE.fullmatch(said[k].text) is not None
            )
            (losers if beside or object_of_verb else winners).append(meaning)
        elif meaning.text.casefold() == "we" and (own := own_side(systems)):
            # "We outperform B" and "we reduce the errors of B", but "we find that B is better".
            verb = next((m for m in said[i + 1 :] if not is_adverb(m)), meaning)
            if verb.kind in ("better", "worse"):
                winners.append(replace(meaning, kind="system", value=own))
    for_whom = [
        m
        for before, m in pairwise(meanings)
        if m.kind == "system" and before.text.casefold() in _FOR
    ]
    if {"better", "worse"} <= kinds:
        raise NotUnderstood(
            "It says better and worse.",
            "Write a claim for each system, such as “A is better on …”.",
        )
    # "A vs. B: p < .05 on 9 of 12" is of both.
    is_of_both = "differ" in kinds or any(m.text.casefold() in ("vs", "versus") for m in meanings)
    if is_of_both and not kinds & {"better", "worse"} and not for_whom:
        return "differ"
    chosen = {m.value for m in for_whom or winners}
    if not chosen and losers:
        chosen = {"b" if m.value == "a" else "a" for m in losers}
    if len(chosen) > 1 or (not for_whom and chosen & {m.value for m in losers}):
        raise NotUnderstood(
            "It does not say which of the two systems is better.",
            f"End with “for {' or “for '.join(f'{display_name(name)}”' for name in systems[:2] or 'AB')}.",
        )
    if not chosen:
        return None
    # Who is worse is named first as well.
    return "b" if ("b" in chosen) != ("worse" in kinds) else "a"


def _method(meanings: Sequence[Meaning]) -> Method | None:
    stated = list(dict.fromkeys(m.value for m in meanings if m.kind == "method"))
    if not stated and any(m.kind == "corrected" for m in meanings):
        raise NotUnderstood(
            "It does not say which correction was made.",
            "Write for example “after Holm correction” or “without correction”.",
        )
    if len(stated) > 1:
        raise NotUnderstood(
            f"It names {list_names([method_name(method) for method in stated])}.",
            "Write a claim for each method.",
        )
    conditions = [m.value for m in meanings if m.kind == "if"]
    if stated == ["bonferroni"] and any(m.kind in ("significant", "corrected") for m in meanings):
        return CORRECTION
    return stated[0] if stated else conditions[0] if conditions else None


def _quantity(
    meanings: Sequence[Meaning], n: int, *, n_named: int
) -> tuple[int | None, int | None, str]:
    """How many of how many, and whether at least or exactly; None without a number, `n` is 0 without a table."""
    has_names = n_named > 0
    shares = [m for m in meanings if m.kind == "share"]
    how = [m.value for m in meanings if m.kind == "how-many"]
    telling = [m for m in meanings if m.kind != "plain" or m.value]
    # Each number with the meaning before it that says something.
    start = Meaning(kind="plain", value="", text="")
    numbers = [(m, before) for before, m in pairwise([start, *telling]) if m.kind == "number"]
    for number, _ in numbers:
        if not number.value.isdigit() or number.text[0] in "+-":
            raise NotUnderstood(
                f"“{number.text}” is no number of datasets.",
                "Leave out scores and sizes, and write a whole number, such as “9 of 12”.",
            )
    for part, sign, whole_of, after in zip(
        meanings, meanings[1:], meanings[2:], meanings[3:], strict=False
    ):
        if sign.text == "/" and after.kind == "of" and after.text != "/":
            raise _share(f"{part.text}/{whole_of.text} of")
    total: int | None = None
    counts: list[int] = []
    for number, before in numbers:
        # "Five of the eight", and "of the eight, five".
        is_all = (before.kind, before.value) == ("share", "all")
        if not is_all and before.kind != "of":
            counts.append(int(number.value))
            continue
        if total not in (None, int(number.value)):
            # "A majority of 7 out of 8", "all 6 of 8".
            raise NotUnderstood(
                f"It speaks of {total} and of {number.value}.",
                "Write one number of the whole, such as “9 of 12”.",
            )
        total = int(number.value)
    if has_names and n and total not in (None, n, n_named, n - n_named):
        raise NotUnderstood(
            f"It speaks of {total} datasets, and there are {n}.",
            f"Leave out “{total}”, or load all.",
        )
    size = total or n or None
    k = counts[0] if counts else None
    said = {m.value for m in shares} | {"but" for m in meanings if m.kind == "but"}
    if "consistently" in said and (k is not None or has_names):
        said.remove("consistently")
    # "Both SQuAD datasets", and not "both systems on SQuAD".
    both = [m for one, m in pairwise(meanings) if one.text.casefold() == "both"]
    is_one = n_named == 1 and any(m.kind == "dataset" for m in both)
    if any(m.text.casefold() == "both" for m in shares) and (is_one or not (n_named or size == 2)):
        raise NotUnderstood("It says both, and does not name two datasets.", "Write their names.")
    of_all = counts and "all" in said and "but" not in said and total is None and not has_names
    several = [
        *map(str, counts),
        *(m.text for m in shares if m.value in ("most", "half") or (of_all and m.value == "all")),
    ]
    if len(several) > 1:
        raise NotUnderstood(f"It speaks of {' and of '.join(several)}.", "Write a claim for each.")
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
    if k is not None and "more" in how:
        k, how = k + 1, ["at-least"]
    if k is not None and size is not None and k > size:
        raise NotUnderstood(
            f"It speaks of {k} datasets, and there are {size}.", f"Write at most {size}."
        )
    return k, stated, how[0] if how else ""

"""Sentences and tables about gains: how large one is usually enough, and with how many examples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from ..systems.gain_confidence import ALL, DIFFERENT, OF_SEVERAL_SIZES, SAME
from ..systems.threshold import FEWEST_PAIRS, Threshold
from .formatting import display_name, list_names, minus

if TYPE_CHECKING:
    import pandas as pd

WHAT_POINTS_ARE = (
    "A point is a pair: how far the one that is ahead is ahead, and how sure its p-value makes that. "
    "The gain that is usually enough is the 95th percentile of the gains of pairs with "
    ".04 < p < .06. Its interval draws systems anew, not pairs, which share systems."
)
NOT_A_TEST = (
    "A gain that is usually enough replaces no test: it belongs to these systems and this test set."
)
PRINTED_SOURCE = (
    "Printed by Berg-Kirkpatrick, Burkett and Klein (2012), for comparison: the gain at which p < .05 "
    "becomes usual. Different models need larger gains than variants of one model."
)
# More are told by the smallest and the largest of them.
_MOST_CLASSES = 3
_MOST_GROUPS = 8
_PRINTED = (
    ("summarization, TAC 2008", "ROUGE", "1.10", "–"),
    ("dependency parsing", "UAS", "1.20", "1.51"),
    ("machine translation", "BLEU", ".28", ".37"),
    ("word alignment", "AER", ".50", "1.12"),
    ("constituency parsing", "F1", ".47", ".57"),
)
_OF_CLASS = {
    ALL: "",
    SAME: " between systems of the same group",
    DIFFERENT: " between systems of different groups",
}


def number(value: float) -> str:
    """Three significant digits."""
    return minus(f"{value:.3g}")


def thresholds_sentence(
    found: Mapping[str, Threshold], *, metric: str, dataset: str | None = None
) -> str:
    """The gain that is usually enough in each class; or that there is none, and why."""
    where = "" if dataset is None else f"On {display_name(dataset)} "
    known = {name: own.value for name, own in found.items() if own.value is not None}
    if not known:
        mixed = _reason_of_sizes(found)
        if mixed:
            return f"{where}no rule of thumb is to be had: {mixed[:1].lower()}{mixed[1:]}".replace(
                "no", "No", 1
            )
        text = (
            f"{where}no rule of thumb is to be had: it needs at least {FEWEST_PAIRS} {_kind(found)} "
            f"with p around .05, and {_there_are(found)}."
        )
        return text[:1].upper() + text[1:]
    named = list(known)
    if len(known) > _MOST_CLASSES:
        named = [min(known, key=lambda name: known[name]), max(known, key=lambda name: known[name])]
    clauses = [f"{number(known[name])}{of_class(name)} ({rests_on(found[name])})" for name in named]
    listed = " to ".join(clauses) if len(known) > _MOST_CLASSES else joined(clauses)
    text = (
        f"{where}a gain in {display_name(metric)} is usually enough for p < .05 from {listed} on."
    )
    if len(known) > _MOST_CLASSES:
        text += f" The table has all {len(known)} classes of pairs."
    missing = [name for name in found if name not in known]
    if len(missing) > _MOST_CLASSES:
        text += f" Of {len(missing)} other classes too few pairs lie there to say."
    else:
        for name in missing:
            reason = found[name].reason
            text += f" For pairs{of_class(name)} there is none: {reason[:1].lower()}{reason[1:]}"
    return text[:1].upper() + text[1:]


def rests_on(own: Threshold) -> str:
    """On how many pairs a threshold rests, and within what it lies."""
    if own.interval is None:
        steps = f", in steps of {number(own.step)}" if own.step is not None else ""
        return f"{_cases(own)}{steps}, no interval"
    return f"{_cases(own)}, interval {ends_of(own)}"


def ends_of(own: Threshold) -> str:
    """Within what a threshold lies, as a cell of a table."""
    if own.interval is not None:
        return f"{number(own.interval[0])} to {number(own.interval[1])}"
    return "–" if own.step is None else f"in steps of {number(own.step)}"


def _kind(found: Mapping[str, Threshold]) -> str:
    return "pairs" if _word(found.values()) == "pairs" else "different pairs"


def _there_are(found: Mapping[str, Threshold]) -> str:
    if len(found) > _MOST_CLASSES:
        most = max(found, key=lambda name: found[name].n_distinct_pairs)
        n = found[most].n_distinct_pairs
        if not n:
            return "no class of pairs has any there"
        return f"no class of pairs has as many: at most {n}{of_class(most)}"
    return f"there {_are([own.n_distinct_pairs for own in found.values()], list(found))}"


def _reason_of_sizes(found: Mapping[str, Threshold]) -> str:
    """Why there is none although pairs are many enough."""
    reasons = {own.reason for own in found.values()}
    return next(iter(reasons)) if len(reasons) == 1 and OF_SEVERAL_SIZES in min(reasons) else ""


def _word(found: Iterable[Threshold]) -> str:
    """A pair counts again on each dataset or subset where it lies around .05: a case."""
    return "pairs" if all(own.n_pairs == own.n_distinct_pairs for own in found) else "cases"


def _cases(own: Threshold) -> str:
    if own.n_pairs == own.n_distinct_pairs:
        return f"{own.n_pairs:,} pairs"
    return f"{own.n_pairs:,} cases of {own.n_distinct_pairs:,} pairs"


def of_class(name: str) -> str:
    """A class of pairs as it stands after a gain: " between systems of the same group"; '' of all."""
    return _OF_CLASS.get(name, f" within {display_name(name)}")


def _are(numbers: Sequence[int], classes: Sequence[str]) -> str:
    if len(numbers) == 1:
        return "is one" if numbers[0] == 1 else f"are {numbers[0] or 'none'}"
    return "are " + joined(
        [f"{n or 'none'}{of_class(name)}" for n, name in zip(numbers, classes, strict=True)]
    )


def joined(clauses: Sequence[str]) -> str:
    """Clauses as "one, two and three"."""
    if len(clauses) < 2:
        return "".join(clauses)
    return f"{', '.join(clauses[:-1])} and {clauses[-1]}"


def thresholds_frame(found: Mapping[str, Threshold]) -> pd.DataFrame:
    """A row for each class."""
    import pandas as pd

    rows = [
        {
            "pairs": display_name(name),
            "usually enough": "–" if own.value is None else number(own.value),
            "95% interval": ends_of(own),
            f"{_word(found.values())} around p = .05": own.n_pairs,
            "different pairs": own.n_distinct_pairs,
            "systems in them": own.n_systems,
            "moved by resampling": "–"
            if own.monte_carlo_range is None
            else f"{number(own.monte_carlo_range[0])} to {number(own.monte_carlo_range[1])}",
            "why there is none": own.reason,
        }
        for name, own in found.items()
    ]
    frame = pd.DataFrame(rows)
    if not any(own.reason for own in found.values()):
        frame = frame.drop(columns="why there is none")
    if (frame["different pairs"] == frame.iloc[:, 3]).all():
        frame = frame.drop(columns="different pairs")
    if (frame["moved by resampling"] == "–").all():
        frame = frame.drop(columns="moved by resampling")
    return frame


def warnings_of(found: Mapping[str, Threshold]) -> tuple[str, ...]:
    """Why a threshold is a poor rule of thumb, a sentence each; one of several classes once."""
    classes: dict[str, list[str]] = {}
    for name, own in found.items():
        for one in own.warnings:
            classes.setdefault(one, []).append(name)
    if len(found) < 2:
        return tuple(classes)
    said = []
    for one, names in classes.items():
        start = list_names(names, most=_MOST_CLASSES)
        said.append(f"{start[:1].upper()}{start[1:]}: {one[:1].lower()}{one[1:]}")
    return tuple(said)


def groups_sentence(groups: Mapping[str, str]) -> str:
    """Which groups there are, the largest first, with how many systems each has."""
    sizes = Counter(groups.values())
    listed = [f"{name} ({n})" for name, n in sizes.most_common() if n > 1]
    alone = sum(n == 1 for n in sizes.values())
    if not listed:
        return "No two systems are in one group, so there are only pairs of different groups."
    text = f"{plural(len(listed), 'group')}: {list_names(listed, most=_MOST_GROUPS)}."
    if len(sizes) == 1:
        return f"{text} All systems are in it, so no two are of different groups."
    if alone:
        text += (
            f" {plural(alone, 'system')} {'is' if alone == 1 else 'are'} in no group with another."
        )
    return text


def mark_in_words(mark: str) -> str:
    """A character that separates a group from the rest of a name."""
    return {" ": "blank"}.get(mark, f"“{mark}”")


def almost_sentence(mark: str, without: Sequence[str]) -> str:
    """Why groups by a mark are not offered although most names have it."""
    are = "has" if len(without) == 1 else "have"
    return (
        f"Groups by what stands before the first {mark_in_words(mark)} are not offered, though most "
        f"names have it: {list_names(list(without), most=_MOST_CLASSES)} {are} none. Assign groups by "
        "hand, or rename these systems in the file."
    )


def plural(n: int, word: str) -> str:
    """A number with its word: "One group", "3 groups"."""
    return f"{'One' if n == 1 else f'{n:,}'} {word}{'' if n == 1 else 's'}"


def printed_frame() -> pd.DataFrame:
    """The paper's thresholds, as printed."""
    import pandas as pd

    return pd.DataFrame(
        list(_PRINTED), columns=["task", "metric", "same base model", "different models"]
    )

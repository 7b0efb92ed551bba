"""Where two analyses differ, in words for a person; what has none keeps its path."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...analysis.settings import CHOICES
from ...replicability.combinations import combination_named, combination_names
from ...words.formatting import display_name
from ...words.subject import READING_WORDS
from .differences import NOTHING, Difference

Pattern = tuple[str, ...]

_FRONT: Mapping[str, str] = {
    "a_better": "for A in front",
    "b_better": "for B in front",
    "differ": "for a difference between A and B, in front",
}
_CLAIMS: Mapping[str, str] = {
    "a-better": "for A",
    "b-better": "for B",
    "differ": "for a difference between A and B",
}
_READINGS: Mapping[str, str] = {str(own): words for own, words in READING_WORDS.items()}
# Of an answer, in front or of a question; {0} is which one.
_OF_ANSWERS: Mapping[Pattern, str] = {
    ("k_hat",): "the count {0}",
    ("combination",): "how p-values are combined {0}",
    ("common_practice", "n"): "the number counted by common practice {0}",
    ("common_practice", "sidedness"): "what p-values common practice counts {0}",
    ("common_practice", "only_where_ahead"): "whether common practice counts by scores {0}",
    ("common_practice", "chance_of_a_false_win"): "common practice's chance of a false win {0}",
    ("complement",): "whether 1 − p stands in {0}",
    ("named_by_closed_test",): "the names by the closed test {0}",
    ("named_by_holm",): "the names by Holm {0}",
    ("named_by_closed_test", "*"): "the names by the closed test {0}",
    ("named_by_holm", "*"): "the names by Holm {0}",
}
_PLACES: Mapping[Pattern, str] = {
    ("format",): "the number of the form",
    ("data", "kind"): "the kind of data",
    ("data", "fingerprint"): "the fingerprint",
    ("data", "layout"): "the layout",
    ("data", "roles", "*"): "the role {0}",
    ("data", "datasets"): "the datasets",
    ("data", "datasets", "*"): "dataset {0}",
    ("data", "systems"): "the systems",
    ("data", "systems", "*"): "system {0}",
    ("data", "metrics"): "the metrics",
    ("data", "n_examples"): "the numbers of examples",
    ("data", "n_examples", "*"): "the number of examples of dataset {0}",
    **{("settings", name): choice.words for name, choice in CHOICES.items()},
    ("settings", "excluded", "*"): "left out, dataset {0}",
    ("settings", "pair", "*"): CHOICES["pair"].words,
    ("compared", "system_a"): "system A",
    ("compared", "system_b"): "system B",
    ("compared", "metric"): "the metric",
    ("compared", "higher_is_better"): "whether a higher score is better",
    ("compared", "alternative"): "what the p-values speak for",
    ("compared", "n_datasets"): "the number of datasets",
    ("compared", "left_out"): "the datasets left out",
    ("compared", "left_out", "*"): "left out, dataset {0}",
    ("compared", "complete"): "whether all tests are done",
    ("assessment", "declared"): "what the p-values are declared to speak for",
    ("assessment", "readings"): "the readings of the p-values",
    ("assessment", "readings", "*"): "reading {0} of the p-values",
    ("assessment", "n_printed_at_most_alpha"): "the number of p-values printed as small",
    ("assessment", "shows_both_sides"): "whether the data speak for both",
    ("question",): "the claim asked for",
}
_OF_DATASETS: Mapping[Pattern, str] = {
    ("p_value",): "p",
    ("p_value_b",): "p for B",
    ("p_value_low",): "the lowest that p may be",
    ("p_value_high",): "the highest that p may be",
    ("printed",): "p as printed",
    ("score_a",): "A's score",
    ("score_b",): "B's score",
    ("printed_score_a",): "A's printed score",
    ("printed_score_b",): "B's printed score",
    ("difference",): "the difference",
    ("n_examples",): "the number of examples",
    ("test",): "the test",
    ("test", "test"): "the test",
    ("test", "metric"): "the metric",
    ("test", "p_value"): "p of the test",
    ("test", "p_value_greater"): "p of the test for the file's first system",
    ("test", "p_value_less"): "p of the test for the file's second system",
    ("test", "p_value_two_sided"): "p of the test, two-sided",
    ("test", "n_resamples"): "the number of resamples",
    ("test", "n_extreme"): "the number of extreme resamples",
    ("test", "confidence_interval", "*"): "an end of the interval",
    ("test", "monte_carlo_interval", "*"): "an end of the Monte Carlo interval",
    ("test", "difference"): "the difference",
    ("test", "wins"): "the wins",
    ("test", "ties"): "the ties",
    ("test", "losses"): "the losses",
    ("test", "statistic"): "the test's statistic",
    ("test", "seed"): "the seed",
    ("test", "effect_size", "value"): "the effect size",
}


def difference_in_words(difference: Difference, *, datasets: Sequence[str] = ()) -> str:
    """The place and both values: "the count for A in front: 1, in the bundle 5".

    Parameters
    ----------
    difference : Difference
        Of a dataset its name is left out, as a list of datasets names it.
    datasets : sequence of str
        Names of the datasets that count, for what is a list with one entry each.
    """
    place = _place(difference.path, datasets)
    lead = f"{place}: " if place else ""
    return f"{lead}{shown(difference.anew)}, in the bundle {shown(difference.in_bundle)}"


def shown(value: object) -> str:
    """A value as a person reads it."""
    if value is NOTHING:
        return "nothing"
    if isinstance(value, str):
        return f"“{display_name(value)}”"
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "none"}[value]
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, dict):
        return "an entry"
    if isinstance(value, list):
        return "1 entry" if len(value) == 1 else f"{len(value)} entries"
    return "something else"


def _place(path: Pattern, datasets: Sequence[str]) -> str:
    top, rest = path[0], path[1:]
    if top == "datasets":
        inner = rest[1:]
        return (_said(_OF_DATASETS, inner) or _raw(inner)) if inner else ""
    if path[:2] == ("assessment", "in_front") and len(path) > 2:
        which = _FRONT.get(path[2], "")
        if which and len(path) == 3:
            return f"the answer {which}"
        found = _said(_OF_ANSWERS, path[3:], which) if which else ""
        return found or _raw(rest)
    if top == "questions" and rest:
        found = _of_question(rest[0], rest[1:], datasets)
        return found or _raw(rest)
    return _said(_PLACES, path) or _raw(rest or path)


def _of_question(key: str, inner: Pattern, datasets: Sequence[str]) -> str:
    claim, _, reading = key.partition("/")
    which = _CLAIMS.get(claim)
    if which is None:
        return ""
    if reading:
        which += f", p-values taken {_READINGS.get(reading, display_name(reading))}"
    if not inner:
        return f"the answer {which}"
    if inner[0] == "counts" and len(inner) > 2 and inner[1] in combination_names():
        by = combination_named(inner[1]).title
        if inner[2] == "k_hat":
            return f"the count by {by} {which}"
        if inner[2] == "partial_conjunction_p_values" and len(inner) == 4:
            return f"p of “at least {inner[3]}” by {by} {which}"
    of_one = {
        ("p_values",): "p",
        ("identification", "adjusted_p_values"): "the adjusted p",
        ("identification", "thresholds"): "the threshold",
    }.get(inner[:-1])
    if of_one is not None and inner[-1].isdecimal():
        position = int(inner[-1]) - 1
        if position < len(datasets):
            return f"{of_one} of {display_name(datasets[position])} {which}"
    if inner[:2] == ("identification", "named"):
        return f"the names by the procedure {which}"
    return _said(_OF_ANSWERS, inner, which)


def _said(places: Mapping[Pattern, str], path: Pattern, *given: str) -> str:
    """The words of a place, '' where there are none."""
    for pattern, words in places.items():
        if len(pattern) == len(path) and all(
            part in ("*", own) for part, own in zip(pattern, path, strict=True)
        ):
            free = [own for part, own in zip(pattern, path, strict=True) if part == "*"]
            return words.format(*given, *map(display_name, free))
    return ""


def _raw(path: Pattern) -> str:
    return " ".join(display_name(part) for part in path)

"""What a methods paragraph says of the settings of tests: estimator, zeros, clusters, intervals."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence

from core.analysis import Analysis
from core.data import ResultSet
from core.export.methods.passages import Piece, cite, full_name, names_in_full
from core.report.formatting import counted, format_confidence
from core.significance import SignificanceResult
from core.significance.choose import FEWEST_FOR_BOOTSTRAP
from core.significance.known_tests import is_bootstrap, significance_test_named

_ZEROS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "wilcox": ("Zero differences were dropped before ranking", ("wilcoxon1945individual",)),
    "pratt": ("Zero differences were ranked and then dropped", ("pratt1959remarks",)),
    "zsplit": ("Zero differences were ranked, half of their ranks going to either side", ()),
}
_INTERVALS: Mapping[str, tuple[str, tuple[str, ...], str]] = {
    "basic": ("basic bootstrap intervals", ("davison1997bootstrap",), ""),
    "percentile": (
        "bootstrap percentile intervals",
        ("efron1993introduction",),
        ", which may disagree with the p-values",
    ),
    "bca": (
        "bias-corrected and accelerated bootstrap intervals",
        ("efron1987better", "diciccio1996bootstrap"),
        ", which may disagree with the p-values",
    ),
}
Named = tuple[str, SignificanceResult]
Sentence = Piece | Sequence[Piece]


def grouped(
    done: Sequence[Named], kind: Callable[[SignificanceResult], Hashable]
) -> list[tuple[str, list[Named]]]:
    """Results of a kind together, each group after the words for where it holds."""
    groups: dict[Hashable, list[Named]] = {}
    for name, result in done:
        groups.setdefault(kind(result), []).append((name, result))
    if len(groups) == 1:
        return [("", group) for group in groups.values()]
    return [
        (f"on {names_in_full([name for name, _ in group])} ", group) for group in groups.values()
    ]


def sentence_case(text: str) -> str:
    """The text with its first letter as a capital."""
    return f"{text[:1].upper()}{text[1:]}"


def settings_sentences(done: Sequence[Named]) -> list[Sentence]:
    """Estimator and size of the bootstrap, and Wilcoxon's zeros."""
    sentences: list[Sentence] = []
    of_bootstrap = [(name, result) for name, result in done if result.estimator is not None]
    for where, group in grouped(of_bootstrap, lambda r: (r.estimator, r.method == "monte-carlo")):
        result = group[0][1]
        lead = sentence_case(f"{where}the bootstrap's p-value is")
        if result.estimator == "berg-kirkpatrick":
            sentences.append(
                (
                    f"{lead} the share of resamples with more than twice the observed difference",
                    cite("bergkirkpatrick2012empirical"),
                    ", which serves to reproduce published numbers.",
                )
            )
        elif result.method == "monte-carlo":
            sentences.append(
                (
                    f"{lead} (s + 1)/(b + 1), where s of b resamples have at least twice the "
                    "observed difference",
                    cite("davison1997bootstrap"),
                    ".",
                )
            )
        else:
            sentences.append(
                f"{lead} the chance of a resample with at least twice the observed difference."
            )
    exchanged = [r for _, r in done if significance_test_named(r.test).asks == "exchange"]
    if any(result.method == "monte-carlo" for result in exchanged):
        sentences.append(
            "The p-value of randomization is (s + 1)/(b + 1), where s of b resamples have at least "
            "the observed difference."
        )
    for name, result in of_bootstrap:
        if result.resample_size is not None and result.resample_size != (
            result.n_clusters or result.n_examples
        ):
            sentences.append(
                f"On {full_name(name)} each resample had {result.resample_size:,} draws in place of "
                f"{(result.n_clusters or result.n_examples):,}, which serves to reproduce published "
                "numbers."
            )
    of_wilcoxon = [(name, result) for name, result in done if result.zeros is not None]
    for where, group in grouped(of_wilcoxon, lambda result: result.zeros):
        words, works = _ZEROS[str(group[0][1].zeros)]
        first = f"{words[:1].lower()}{words[1:]}" if where else words
        cited = [cite(*works)] if works else []
        sentences.append((sentence_case(f"{where}{first}"), *cited, "."))
    return sentences


def clusters_sentences(analysis: Analysis, done: Sequence[Named]) -> list[Sentence]:
    """Whether examples that belong together were kept together."""
    data = analysis.data
    assert isinstance(data, ResultSet)
    whole = [(name, result) for name, result in done if result.n_clusters is not None]
    sentences: list[Sentence] = []
    if whole:
        numbers = [result.n_clusters or 0 for _, result in whole]
        low, high = min(numbers), max(numbers)
        of = counted(high, "cluster") if low == high else f"{low:,} to {high:,} clusters"
        each = " on each" if low == high and len(whole) > 1 else ""
        where = "" if len(whole) == len(done) else f"On {names_in_full([n for n, _ in whole])}, "
        sentences.append(
            sentence_case(
                f"{where}examples of one cluster belong together: whole clusters were drawn or "
                f"exchanged ({of}{each})."
            )
        )
    if data.clusters is not None and len(whole) < len(done):
        apart = [name for name, result in done if result.n_clusters is None]
        where = f" on {names_in_full(apart)}" if whole else ""
        sentences.append(
            f"The column {full_name(data.clusters.column)} says which examples belong together; "
            f"the tests{where} took the examples for independent all the same."
        )
    return sentences


def intervals_sentence(done: Sequence[Named]) -> Sentence:
    """Which intervals of the difference there are; empty where there are none."""
    kinds = {
        (result.interval, result.confidence_level)
        for _, result in done
        if result.confidence_interval is not None
    }
    if len(kinds) != 1:
        return ""
    kind, level = next(iter(kinds))
    words, works, caveat = _INTERVALS[kind]
    return (
        f"Intervals of a dataset's difference are {format_confidence(1.0 - level)} {words}",
        cite(*works),
        f"{caveat}; each holds for its dataset alone.",
    )


def few_examples_sentence(done: Sequence[Named]) -> Sentence:
    """Where a bootstrap had few examples; empty where none had."""
    few = [
        name
        for name, result in done
        if is_bootstrap(result.test)
        and result.n_clusters is None
        and result.n_examples < FEWEST_FOR_BOOTSTRAP
    ]
    if not few:
        return ""
    where = names_in_full(few) if len(few) < len(done) or len(done) == 1 else "every dataset"
    return (
        f"On {where}, with fewer than {FEWEST_FOR_BOOTSTRAP} examples, the "
        "bootstrap's p-values are not to be trusted",
        cite("sogaard2014whats"),
        ".",
    )

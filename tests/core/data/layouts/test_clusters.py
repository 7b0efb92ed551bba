"""Examples keep their clusters in every layout, and only a column that groups examples is one."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.data import read_results
from core.data.layouts.registry import COUNTS, GOLD_NUMBERS, PREDICTIONS, SCORES, SCORES_IN_ROWS

# Example and document of six examples of 'x' and four of 'y'; 'a' is another document in 'y'.
DOCUMENTS = {
    "x": {"1": "a", "2": "a", "3": "b", "4": "b", "5": "b", "6": "c"},
    "y": {"1": "a", "2": "d", "3": "d", "4": "a"},
}
EXAMPLES = [(d, e, own[e]) for d, own in DOCUMENTS.items() for e in own]


def lines(header, rows):
    return "\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n"


def numbers(dataset, example):
    """Two scores that differ from example to example."""
    n = int(example) + (10 if dataset == "y" else 0)
    return n * 37 % 11 / 10, n * 53 % 13 / 10


def wide(heading="document"):
    rows = [(d, e, c, *numbers(d, e)) for d, e, c in EXAMPLES]
    return lines(f"dataset,example,{heading},A,B", rows)


def in_rows(heading="document"):
    rows = [(d, e, c, s, numbers(d, e)[k]) for k, s in enumerate("AB") for d, e, c in EXAMPLES]
    return lines(f"dataset,example,{heading},system,score", rows)


FILES = {
    SCORES: wide(),
    SCORES_IN_ROWS: in_rows(),
    PREDICTIONS: lines(
        "dataset,example,document,gold,A,B",
        [(d, e, c, "pn"[int(e) % 2], "p", "n") for d, e, c in EXAMPLES],
    ),
    GOLD_NUMBERS: lines(
        "dataset,pair,document,gold,A,B",
        [(d, e, c, f"{int(e) ** 0.5:.3f}", *numbers(d, e)) for d, e, c in EXAMPLES],
    ),
    COUNTS: lines(
        "dataset,example,document,correct_A,correct_B,total",
        [(d, e, c, int(e) % 3, int(e) % 2, 5) for d, e, c in EXAMPLES],
    ),
    f"{COUNTS} in rows": lines(
        "dataset,example,document,system,correct,total",
        [(d, e, c, s, int(e) % n, 5) for n, s in ((2, "A"), (3, "B")) for d, e, c in EXAMPLES],
    ),
    "several metrics": lines(
        "dataset,example,document,metric,A,B",
        [(d, e, c, m, *numbers(d, e)) for m in ("acc", "f1") for d, e, c in EXAMPLES],
    ),
    "several runs": lines(
        "dataset,example,document,seed,A,B",
        [(d, e, c, r, *numbers(d, e)) for r in (1, 2) for d, e, c in EXAMPLES],
    ),
    "predictions of runs": lines(
        "dataset,example,document,seed,gold,A,B",
        [(d, e, c, r, "pn"[int(e) % 2], "p", "n") for r in (1, 2) for d, e, c in EXAMPLES],
    ),
    "runs in rows": lines(
        "dataset,example,document,seed,system,score",
        [
            (d, e, c, r, s, numbers(d, e)[k])
            for r in (1, 2)
            for k, s in enumerate("AB")
            for d, e, c in EXAMPLES
        ],
    ),
}
NEEDED = {name: {"runs": "average"} for name in FILES if "runs" in name}
NEEDED[GOLD_NUMBERS] = {"layout": GOLD_NUMBERS}


def read(text, **roles):
    content = text.encode() if isinstance(text, str) else text
    return read_results(content, name="file", roles=roles or None)


def groups(results, dataset):
    """The examples of each cluster, as sets of their ids."""
    codes = results.clusters_of(dataset)
    assert codes is not None
    by_code: dict[int, set[str]] = {}
    for example, code in zip(results.examples(dataset), codes.tolist(), strict=True):
        by_code.setdefault(code, set()).add(example)
    return {frozenset(own) for own in by_code.values()}


EXPECTED = {
    "x": {frozenset("12"), frozenset("345"), frozenset("6")},
    "y": {frozenset("14"), frozenset("23")},
}


def keeps_all(results):
    return {dataset: groups(results, dataset) for dataset in results.datasets} == EXPECTED


def test_every_layout_keeps_the_clusters():
    for name in FILES:
        results = read(FILES[name], **NEEDED.get(name, {}))
        assert results.reading.roles["cluster"] == "document", name
        assert results.clusters.column == "document", name
        assert results.systems == ("A", "B"), name
        assert keeps_all(results), name
        if " " not in name or name in (SCORES, SCORES_IN_ROWS, GOLD_NUMBERS, COUNTS):
            assert results.reading.layout == name, name


@pytest.mark.parametrize("name", FILES)
@settings(max_examples=5)
@given(seed=st.integers(0, 10**6))
def test_the_order_of_the_rows_moves_no_example_to_another_cluster(name, seed):
    header, *rows = FILES[name].splitlines()
    random.Random(seed).shuffle(rows)
    assert keeps_all(read("\n".join([header, *rows]), **NEEDED.get(name, {})))

"""Repeated runs are never taken for examples: they are averaged or one is read, as chosen."""

import pytest

from tests.core.data.layouts.texts import read, refused

# Two examples in three runs each, in columns and in rows.
WIDE = (
    "dataset,example,seed,A,B\nx,1,7,1,0\nx,1,8,0,0\nx,1,9,1,0\nx,2,9,0,1\nx,2,8,0,1\nx,2,7,1,1\n"
)
LONG = (
    "dataset,example,seed,system,score\n"
    "x,1,7,A,1\nx,1,8,A,0\nx,1,9,A,1\nx,2,9,A,0\nx,2,8,A,0\nx,2,7,A,1\n"
    "x,1,7,B,0\nx,1,8,B,0\nx,1,9,B,0\nx,2,9,B,1\nx,2,8,B,1\nx,2,7,B,1\n"
)
PREDICTED = (
    "dataset,example,seed,gold,A,B\n"
    "x,1,7,yes,yes,no\nx,1,8,yes,no,no\nx,1,9,yes,yes,no\n"
    "x,2,9,no,yes,no\nx,2,8,no,yes,no\nx,2,7,no,no,no\n"
)
LAYOUTS = pytest.mark.parametrize("text", [WIDE, LONG, PREDICTED], ids=["wide", "rows", "labels"])


@LAYOUTS
def test_runs_are_averaged_for_each_example_and_system(text):
    results = read(text, runs="average")
    assert results.n_examples("x") == 2
    assert results.examples("x") == ("1", "2")
    assert results.scores("x", "A").tolist() == [2 / 3, 1 / 3]
    assert results.scores("x", "B").tolist() == [0.0, 1.0]
    assert results.labels is None
    assert not results.is_binary("x")
    assert "3 runs of each example in 'seed'" in " ".join(results.reading.remarks)
    assert results.reading.choices == refused(text).choices


@LAYOUTS
def test_one_run_can_be_read_alone(text):
    results = read(text, runs="only:8")
    assert results.scores("x", "A").tolist() == [0.0, 0.0]
    assert results.scores("x", "B").tolist() == [0.0, 1.0]
    assert results.is_binary("x")
    n_aside = 8 if text is LONG else 4
    assert any(
        "'8'" in said and f"{n_aside} rows of other runs" in said
        for said in results.reading.remarks
    )
    assert results.reading.choices == refused(text).choices


def test_means_of_the_same_scores_are_equal_in_whatever_order_they_come():
    runs = ["0.1", "0.2", "0.3", "0.7", "1.1"]
    rows = [f"x,1,{i},{a},{b}" for i, (a, b) in enumerate(zip(runs, runs[::-1], strict=True))]
    rows += [f"x,2,{i},1,0" for i in range(5)]
    results = read("\n".join(["dataset,example,seed,A,B", *rows]), runs="average")
    assert results.scores("x", "A")[0] == results.scores("x", "B")[0] == 0.48


@LAYOUTS
def test_the_scores_of_each_run_are_kept_beside_their_mean(text):
    results = read(text, runs="average")
    assert results.runs == ("7", "8", "9")
    assert results.has_shared_runs
    assert results.run_scores("x", "A").tolist() == [[1.0, 0.0, 1.0], [1.0, 0.0, 0.0]]
    assert results.run_scores("x", "B").tolist() == [[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]]
    for system in results.systems:
        means = results.run_scores("x", system).mean(axis=1)
        assert means == pytest.approx(results.scores("x", system))


def test_runs_of_several_metrics_and_datasets_are_kept_in_each():
    rows = [
        (d, i, seed, s, (i + seed * n) % 4, (i * seed + n) % 5)
        for d in "yx"
        for seed in (2, 1)
        for n, s in enumerate(("A", "B"), 1)
        for i in (3, 1, 2)
    ]
    text = "dataset,example,seed,system,bleu,chrf\n" + "".join(
        ",".join(map(str, row)) + "\n" for row in rows
    )
    results = read(text, runs="average")
    assert results.runs_of("B") == ("2", "1")
    for metric, column in (("bleu", 4), ("chrf", 5)):
        for dataset in "xy":
            for system in "AB":
                found = results.run_scores(dataset, system, metric)
                for place, example in enumerate(results.examples(dataset)):
                    for run, seed in enumerate(results.runs_of(system)):
                        (row,) = (
                            r for r in rows if r[:4] == (dataset, int(example), int(seed), system)
                        )
                        assert found[place, run] == row[column]


# A and B were trained with seeds of their own.
APART = "dataset,example,seed,system,score\n" + "".join(
    f"{d},{i},{seed},{s},{(i + seed) % 3}\n"
    for d in "xy"
    for i in range(4)
    for s, seeds in (("A", (1, 2, 3)), ("B", (13, 12, 11)))
    for seed in seeds
)


def test_systems_with_seeds_of_their_own_are_averaged_and_keep_their_runs_names():
    (choice,) = refused(APART).choices
    assert [value for value, _ in choice.options] == ["average"]
    results = read(APART, runs="average")
    assert (results.runs_of("A"), results.runs_of("B")) == (("1", "2", "3"), ("13", "12", "11"))
    assert results.runs == ("1", "2", "3", "13", "12", "11")
    assert not results.has_shared_runs
    assert results.run_scores("y", "B").tolist() == [
        [float((i + seed) % 3) for seed in (13, 12, 11)] for i in range(4)
    ]

"""Scores in rows are paired by example whatever the order of the rows, or refused with reasons."""

import random

from core.data.layouts.registry import SCORES_IN_ROWS
from tests.core.data.layouts.texts import read

START = "dataset,example,system,score\n"


def test_every_part_of_a_file_is_read():
    results = read(
        "dataset,example,system,score\n"
        "SST,2,Ours,0.5\nSST,2,Base,0.25\nRTE,1,Base,1\nSST,007,Base,0\nSST,007,Ours,1\nRTE,1,Ours,0\n",
        name="mine.csv",
    )
    assert results.datasets == ("SST", "RTE")
    assert results.systems == ("Ours", "Base")
    assert results.metrics == ("score",)
    assert results.examples("SST") == ("2", "007")
    assert results.scores("SST", "Ours").tolist() == [0.5, 1.0]
    assert results.scores("SST", "Base").tolist() == [0.25, 0.0]
    assert results.scores("RTE", "Ours").tolist() == [0.0]
    assert results.score_decimals == 2
    reading = results.reading
    assert (reading.layout, reading.remarks, reading.choices) == (SCORES_IN_ROWS, (), ())
    assert reading.roles == {
        "layout": SCORES_IN_ROWS,
        "dataset": "dataset",
        "example": "example",
        "system": "system",
        "scores": ("score",),
        "metric_names": None,
        "run": None,
        "cluster": None,
        "covariates": (),
        "metric": "score",
        "higher_is_better": True,
    }


def test_rows_in_any_order_are_paired_by_their_ids():
    for seed in range(5):
        for tall in [False, True]:
            rng = random.Random(seed)
            cells = {
                (d, e, s, m): rng.randint(0, 99) / 4
                for d in ("x", "y", "z")
                for e in rng.sample(range(50), rng.randint(1, 12))
                for s in ("A", "B", "C")
                for m in ("bleu", "ter")
            }
            if tall:
                header = "score,metric,system,example,dataset"
                rows = [f"{v},{m},{s},{e},{d}" for (d, e, s, m), v in cells.items()]
            else:
                header = "bleu,system,ter,example,dataset"
                rows = [
                    f"{v},{s},{cells[d, e, s, 'ter']},{e},{d}"
                    for (d, e, s, m), v in cells.items()
                    if m == "bleu"
                ]
            rng.shuffle(rows)
            results = read("\n".join([header, *rows]))
            assert set(results.metrics) == {"bleu", "ter"}, (seed, tall)
            assert results.higher_is_better == {"bleu": True, "ter": False}, (seed, tall)
            seen = {}
            for dataset in results.datasets:
                for system in results.systems:
                    for metric in results.metrics:
                        scores = results.scores(dataset, system, metric).tolist()
                        for example, score in zip(results.examples(dataset), scores, strict=True):
                            seen[dataset, int(example), system, metric] = score
            assert seen == cells, (seed, tall)


def test_rows_and_columns_of_the_same_scores_are_the_same_set():
    wide = read("dataset,example,A,B\nx,1,1,0\nx,2,.5,1\ny,1,0,0\n")
    long = read(START + "x,1,A,1\nx,1,B,0\nx,2,A,.5\nx,2,B,1\ny,1,A,0\ny,1,B,0\n")
    assert long.fingerprint == wide.fingerprint

"""What comet-score prints and what it and comet-compare write as JSON."""

from __future__ import annotations

import json
import math

import pytest

from core.data import ResultSet
from core.data.score_table import ScoreTable
from tests.core.data.tools.files_of import kind_of, read, refused, remarks

OURS, BASE = (0.9012, 0.8123, 0.7001), (0.8801, 0.8123, 0.6003)


def printed(scores, *, total=True):
    n = len(next(iter(scores.values())))
    lines = [
        f"{p}\tSegment {i}\tscore: {own[i]:.4f}" for i in range(n) for p, own in scores.items()
    ]
    if total:
        lines += [f"{path}\tscore: {math.fsum(own) / n:.4f}" for path, own in scores.items()]
    return "\n".join(lines) + "\n"


def exported(scores, *, ref="r"):
    return json.dumps(
        {
            path: [
                {"src": f"s{i}", "mt": "m", "ref": f"{ref}{i}", "COMET": score}
                for i, score in enumerate(own)
            ]
            for path, own in scores.items()
        },
        indent=4,
    )


BOTH = {"ours.txt": OURS, "base.txt": BASE}


@pytest.mark.parametrize(
    "files",
    [
        {"comet.txt": printed(BOTH)},
        {"comet.log": "Seed set to 1\n" + printed(BOTH) + "Predictions saved in: out.json.\n"},
        {"ours.comet": printed({"ours.txt": OURS}), "base.comet": printed({"base.txt": BASE})},
        {"ours/comet.txt": printed({"hyp": OURS}), "base/comet.txt": printed({"hyp": BASE})},
        {"out.json": exported(BOTH)},
        {
            "compared.json": json.dumps(
                {
                    "model": "wmt22-comet-da",
                    "statistical_results": [{"x_name": "ours.txt"}],
                    "source": ["a", "b", "c"],
                    "translations": [
                        {"name": path, "mt": ["x"] * 3, "scores": own} for path, own in BOTH.items()
                    ],
                    "reference": ["d", "e", "f"],
                }
            )
        },
    ],
    ids=["printed", "in a log", "a file each", "a folder each", "to_json", "compare"],
)
def test_every_form_of_comets_output_gives_each_segment_its_score(files):
    results = read(files)
    assert kind_of(results) is ResultSet
    assert (results.systems, results.metrics) == (("ours", "base"), ("COMET",))
    (dataset,) = results.datasets
    assert results.scores(dataset, "ours").tolist() == list(OURS)
    assert results.scores(dataset, "base").tolist() == list(BASE)
    assert results.is_higher_better("COMET")


def test_each_file_with_several_systems_is_a_dataset_whatever_their_files_are_called():
    results = read(
        {f"{lang}.comet": printed({f"x.{lang}": OURS, f"y.{lang}": BASE}) for lang in ("de", "fr")}
    )
    assert (results.datasets, results.systems) == (("de", "fr"), ("x", "y"))


def test_a_file_whose_average_is_not_that_of_its_segments_is_refused_with_the_line():
    text = printed(BOTH).replace(
        "ours.txt\tSegment 1\tscore: 0.8123", "ours.txt\tSegment 1\tscore: 0.1"
    )
    (problem,) = refused({"comet.txt": text}).problems
    assert "'ours.txt' is 0.5671, but its last line says 0.8045" in problem.what
    assert problem.line == 7
    (problem,) = refused({"comet.txt": printed(BOTH).replace("Segment 1", "Segment 2", 1)}).problems
    assert "Segment 2 of 'ours.txt' stands where segment 1 is expected" in problem.what


def test_a_file_without_its_average_may_be_cut_off():
    results = read({"comet.txt": printed(BOTH, total=False)})
    assert "the file may be cut off" in remarks(results)


def test_translations_of_other_segments_are_not_compared():
    files = {"a.json": exported({"ours": OURS}), "b.json": exported({"base": BASE}, ref="q")}
    assert "saw different data" in refused(files).problems[0].what


def test_averages_alone_are_one_score_for_each_system():
    results = read({"comet.txt": "ours.txt\tscore: 0.8123\nbase.txt\tscore: 0.8011\n"})
    assert kind_of(results) is ScoreTable
    assert results.printed == (("0.8123", "0.8011"),)

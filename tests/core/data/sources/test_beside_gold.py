"""Predictions of several files are compared with the gold labels of another, or are refused with the reason."""

from __future__ import annotations

import json

import pytest

from tests.core.data.tools.files_of import read, refused, remarks

IDS = [f"e{i}" for i in range(6)]
GOLD, OURS, BASE = "abcabc", "abcaba", "abbabb"
RIGHT = {
    "ours": [1.0, 1.0, 1.0, 1.0, 1.0, 0.0],
    "base": [1.0, 1.0, 0.0, 1.0, 1.0, 0.0],
}


def table(header, *columns, end=","):
    rows = [header.split(","), *zip(*columns, strict=True)]
    return "".join(end.join(row) + "\n" for row in rows)


def lines(cells, heading=""):
    return "".join(f"{cell}\n" for cell in ([heading] if heading else []) + list(cells))


def beside(gold, ours, base):
    return {"gold.csv": gold, "ours.csv": ours, "base.csv": base}


def records(name, cells):
    return "\n".join(json.dumps({"id": i, name: c}) for i, c in zip(IDS, cells, strict=True))


SAID = (table("id,prediction", IDS, OURS), table("id,prediction", IDS, BASE))
LABELS = table("id,label", IDS, GOLD)


@pytest.mark.parametrize(
    "files",
    [
        beside(LABELS, *SAID),
        beside(LABELS, SAID[0], table("id,prediction", IDS[::-1], BASE[::-1])),
        beside(LABELS, table("id,label", IDS, OURS), table("id,label", IDS, BASE)),
        beside(LABELS, table("id,ours", IDS, OURS), table("id,base", IDS, BASE)),
        beside(LABELS, table("id,prediction,confidence", IDS, OURS, "987654"), SAID[1]),
        beside(lines(GOLD, "label"), lines(OURS, "prediction"), lines(BASE, "prediction")),
        {"gold.txt": lines(GOLD), "ours.txt": lines(OURS), "base.txt": lines(BASE)},
        {"gold.txt": lines(GOLD), "ours.csv": SAID[0], "base.csv": SAID[1]},
        {"gold.csv": LABELS, "ours.txt": lines(OURS), "base.txt": lines(BASE)},
        {"gold.csv": LABELS, "predictions.csv": table("id,ours,base", IDS, OURS, BASE)},
        {"test.gold.txt": lines(GOLD), "ours.txt": lines(OURS), "base.txt": lines(BASE)},
        {"labels/x.txt": lines(GOLD), "ours/x.txt": lines(OURS), "base/x.txt": lines(BASE)},
        {"gold.txt": LABELS, "ours.txt": SAID[0], "base.txt": SAID[1]},
        {
            f"{name}.json": json.dumps(dict(zip(IDS, cells, strict=True)))
            for name, cells in (("gold", GOLD), ("ours", OURS), ("base", BASE))
        },
        {
            "gold.csv": LABELS,
            "ours.jsonl": "\n".join(
                json.dumps({"id": i, "prediction": c, "logits": [0.5, i], "extra": {}})
                for i, c in zip(IDS, OURS, strict=True)
            ),
            "base.json": json.dumps(
                {"date": 1, "outputs": [*map(json.loads, records("prediction", BASE).split("\n"))]}
            ),
        },
        {
            "ours.csv": table("id,answer,answer_index,pred", IDS, GOLD, "012012", OURS),
            "base.csv": table("id,answer,answer_index,pred", IDS, GOLD, "012012", BASE),
        },
        {
            "gold.jsonl": records("label", GOLD),
            "ours.jsonl": records("prediction", OURS),
            "base.jsonl": records("prediction", BASE),
        },
        {
            "ours.csv": table("id,gold,prediction", IDS, GOLD, OURS),
            "base.csv": table("id,gold,prediction,correct", IDS, GOLD, BASE, "110110"),
        },
    ],
)  # fmt: skip
def test_a_prediction_counts_1_where_it_is_the_gold_label_of_another_file(files):
    results = read(files)
    assert set(results.systems) == set(RIGHT)
    (dataset,) = results.datasets
    assert {s: results.scores(dataset, s).tolist() for s in results.systems} == RIGHT
    assert results.label_metrics
    assert "are compared with the gold labels of" in remarks(results)
    assert all(use.used for use in results.reading.files)


def test_whole_numbers_beside_a_file_of_labels_are_predicted_classes():
    files = {
        "data/emotion/test_labels.txt": lines("012012"),
        "predictions/ours/emotion.txt": lines("012010"),
        "predictions/base/emotion.txt": lines("011011"),
    }
    results = read(files)
    (dataset,) = results.datasets
    assert results.systems == ("ours", "base")
    assert [results.scores(dataset, s).sum() for s in results.systems] == [5.0, 4.0]


ROWS = [
    table("id,model,gold,prediction,conf", IDS, ["ours"] * 6, GOLD, OURS, "987654"),
    table("id,model,gold,prediction,conf", IDS, ["base"] * 6, GOLD, BASE, "123456"),
]


def test_predictions_in_rows_of_each_system_are_compared_with_their_gold_labels():
    one = {"all.csv": ROWS[0] + ROWS[1].partition("\n")[2]}
    for files in (one, {"ours.csv": ROWS[0], "base.csv": ROWS[1]}):
        # What numbers beside them are is asked.
        assert [c.role for c in refused(files).choices] == ["gold", "layout"]
        results = read(files, roles={"gold": "gold"})
        assert set(results.systems) == set(RIGHT)
        (dataset,) = results.datasets
        assert {s: results.scores(dataset, s).tolist() for s in results.systems} == RIGHT
        again = read(files, roles=results.reading.roles)
        assert again.fingerprint == results.fingerprint
        assert read(files, roles={"layout": "scores in rows"}).metrics == ("conf",)


def test_lines_with_other_texts_are_no_examples_in_common():
    said = [
        table("sentence,label,prediction", [f"{word} {i}" for i in IDS], GOLD, cells)
        for word, cells in (("yes", OURS), ("oui", BASE))
    ]
    error = refused({"ours.csv": said[0], "base.csv": said[1]})
    assert [(p.file, p.column, p.line) for p in error.problems] == [("base.csv", "sentence", 2)]


def test_labels_with_nothing_beside_them_are_of_one_system():
    alone = {"ours.json": json.dumps(dict(zip(IDS, OURS, strict=True)))}
    for files in (alone, {"ours.csv": table("pairID,gold_label", IDS, OURS)}):
        assert "Give a file for each of two systems" in refused(files).problems[0].remedy


def test_one_dataset_in_several_files_is_not_called_by_their_number() -> None:
    # "Better on 3 files" would be read as better on three datasets.
    (dataset,) = read(beside(LABELS, *SAID)).datasets
    assert not any(map(str.isdigit, dataset))


def test_each_dataset_has_its_own_gold_file_or_all_have_one_with_a_column():
    own = {
        f"{d}/{name}.csv": table(f"id,{column}", [d + i for i in IDS], cells)
        for d in ("news", "mail")
        for name, column, cells in (
            ("gold", "label", GOLD), ("ours", "prediction", OURS), ("base", "prediction", BASE)
        )
    }  # fmt: skip
    assert read(own).datasets == ("news", "mail")
    one = beside(table("dataset,id,label", "xxxyyy", IDS, GOLD), *SAID)
    assert read(one).datasets == ("x", "y")
    assert read(one).scores("y", "base").tolist() == RIGHT["base"][3:]


def test_answers_of_one_word_and_within_quotation_marks_are_compared_as_they_are():
    results = read(
        {
            "gold.csv": 'label\n"Paris, France"\nRome\nOslo\n',
            "ours.csv": 'prediction\n"Paris, France"\nRome\nBergen\n',
            "base.txt": "Paris\nRome\nOslo\n",
        }
    )
    (dataset,) = results.datasets
    assert results.scores(dataset, "ours").tolist() == [1.0, 1.0, 0.0]
    assert results.scores(dataset, "base").tolist() == [0.0, 1.0, 1.0]


def test_numbers_beside_gold_numbers_are_correlated():
    files = beside(
        table("id,score", IDS, ("1.5", "2", "3.5", "4", "2.2", "0.5")),
        table("id,score", IDS, ("1.4", "2.2", "3.5", "4.1", "2", "1")),
        table("id,score", IDS, ("1", "3", "3", "4.4", "2", "1")),
    )
    results = read(files)
    assert (results.systems, results.metrics) == (("ours", "base"), ("spearman", "pearson"))


def test_what_is_missing_or_beyond_is_asked_about_or_said():
    error = refused(beside(LABELS, table("id,prediction", IDS[:5], OURS[:5]), SAID[1]))
    assert [choice.role for choice in error.choices] == ["incomplete"]
    assert error.problems[0].line == 7
    results = read(beside(table("id,label", IDS[:5], GOLD[:5]), *SAID))
    assert "'ours.csv': 1 prediction has no gold label in 'gold.csv'" in remarks(results)
    assert "left aside: 'e5'" in remarks(results)


@pytest.mark.parametrize(
    ("files", "what"),
    [
        (
            {"gold.txt": lines(GOLD), "ours.txt": lines(OURS[:5]), "base.txt": lines(BASE)},
            "File 'ours.txt'.*It has 5 predictions, 'gold.txt' has 6 gold labels",
        ),
        (
            beside(LABELS, table("id,prediction", ["x" + i for i in IDS], OURS), SAID[1]),
            "None of its ids, such as 'xe0'.*stands in 'gold.csv', whose ids are such as 'e0'",
        ),
        (
            beside(LABELS, table("id,prediction", IDS[:5] + IDS[:1], OURS), SAID[1]),
            "File 'ours.csv'.*line 7: The id 'e0' stands on line 2 already",
        ),
        (
            {
                "ours.csv": table("id,gold,prediction", IDS, GOLD, OURS),
                "base.csv": table("id,gold,prediction", IDS, BASE, BASE),
            },
            "File 'base.csv'.*line 4: The gold label 'b' is 'c' in 'ours.csv', on line 4",
        ),
        (
            {"ours.csv": SAID[0], "base.csv": SAID[1]},
            "no gold labels to compare them with",
        ),
        ({"MNLI-m.tsv": SAID[0].replace(",", "\t")}, "no gold labels to compare"),
        ({"gold.csv": LABELS, "ours.csv": SAID[0]}, "of one system; a comparison needs two"),
        (
            beside(LABELS, table("id,prediction", IDS, "012012"), SAID[1]),
            "No prediction of .ours. is one of the gold labels 'a', 'b', 'c'.*such as '0', '1', '2'",
        ),
        (
            beside(LABELS, *SAID) | {"gold2.csv": LABELS},
            "Several files are its gold standard: 'gold.csv', 'gold2.csv'",
        ),
        (
            beside(
                table("dataset,id,label", "xxxyyy", IDS[:3] * 2, GOLD),
                *(table("id,prediction", IDS[:3] * 2, own) for own in (OURS, BASE)),
            ),
            "Give the predictions a column 'dataset' too",
        ),
    ],
)
def test_files_that_do_not_fit_are_refused_with_files_lines_and_numbers(files, what):
    error = refused(files)
    assert len(error.problems) == 1
    with pytest.raises(type(error), match=what):
        raise error


def test_scores_beside_what_was_said_are_compared_and_no_letters():
    files = {
        f"{name}.csv": table("id,reference,output,f1", IDS, GOLD, OURS, cells)
        for name, cells in (("ours", ("0.5",) * 6), ("base", ("0.25",) * 6))
    }
    results = read(files)
    assert results.metrics == ("f1",)
    assert results.systems == ("ours", "base")

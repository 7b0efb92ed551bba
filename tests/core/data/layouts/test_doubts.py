"""Where a file leaves open what a column is, it is asked; what is certain is remarked on."""

import pytest

from core.data import (
    SCORES,
    PValueTable,
    ResultSet,
    ScoreTable,
    read_results,
)
from core.data.layouts.registry import SCORE_GRID
from core.data.tables.headings import lower_is_better
from core.errors import DataError

OURS, BASE = (1, 0, 1, 1, 0, 1), (0, 0, 1, 0, 1, 1)
IDS = range(1, 7)


def read(text, **roles):
    return read_results(text.encode(), name="mine.csv", roles=roles)


def refused(text, **roles):
    with pytest.raises(DataError) as caught:
        read(text, **roles)
    return caught.value


def answers(error):
    return {(choice.role, value) for choice in error.choices for value, _ in choice.options}


def wide(heading, ids=IDS):
    """Two datasets with the columns: dataset, one of ids, the scores of two systems."""
    rows = (
        f"{dataset},{one},{ours},{base}\n"
        for dataset in "xy"
        for one, ours, base in zip(ids, OURS, BASE, strict=True)
    )
    return f"dataset,{heading},ours,base\n" + "".join(rows)


def long(heading, ids=IDS, ids_of_base=None):
    """As `wide`, with a row for each system, those of the second in the order of its own ids."""
    scores = dict(zip(ids, BASE, strict=False))
    rows = []
    for dataset in "xy":
        rows += [f"{dataset},{one},ours,{s}\n" for one, s in zip(ids, OURS, strict=True)]
        rows += [f"{dataset},{one},base,{scores.get(one, 1)}\n" for one in ids_of_base or ids]
    return f"dataset,{heading},system,score\n" + "".join(rows)


KNOWN = ["sent", "doc", "query", "sample", "utterance", "turn", "dialog", "dialogue", "position",
         "story", "ID_num", "Unnamed: 0", "sent_no"]  # fmt: skip


@pytest.mark.parametrize("heading", [*KNOWN, "whatever"])
def test_a_column_that_counts_examples_is_no_system_and_no_metric(heading):
    results = read(wide(heading))
    assert results.systems == ("ours", "base")
    assert results.scores("y", "ours").tolist() == list(OURS)
    results = read(long(heading))
    assert (results.systems, results.metrics) == (("ours", "base"), ("accuracy",))


def test_a_count_under_an_unknown_heading_is_remarked_on():
    remarks = read(wide("whatever")).reading.remarks
    assert "'whatever' counts the rows and is not taken for scores." in remarks
    over_all = "n_row,A,B\n" + "".join(f"{i},{i % 2},{i % 3 % 2}\n" for i in range(40, 60))
    results = read(over_all)
    assert results.systems == ("A", "B")
    assert any("counts the rows" in remark for remark in results.reading.remarks)


def test_one_system_beside_a_count_is_too_few_and_the_count_is_named():
    text = "dataset,whatever,A\nx,1,.5\nx,2,.6\nx,3,.7\n"
    error = refused(text)
    assert "Only 'A' holds scores, as 'whatever' counts the rows" in str(error)
    assert read(text, systems=("whatever", "A")).systems == ("whatever", "A")


@pytest.mark.parametrize("held", [(3, 1, 2, 4, 6, 5), (2, 4, 6, 8, 10, 12), (1, 2, 3, 3, 2, 1)])
def test_numbers_that_do_not_count_the_rows_are_scores(held):
    rows = "".join(f"x,{one},{one + 1},{one % 4 + 1}\n" for one in held)
    assert read(f"dataset,A,B,C\n{rows}").systems == ("A", "B", "C")


def test_headings_of_examples_that_tell_no_rows_apart_are_passed_over():
    text = "dataset,doc,sent,A,B\n" + "".join(
        f"x,{i // 3},{i % 3},{i % 2},{i % 4 % 3 % 2}\n" for i in range(9)
    )
    results = read(text)
    assert (results.systems, results.reading.roles["example"]) == (("A", "B"), None)
    one_row_each = "treebank,sent,A,B\nx,100,.9,.8\ny,200,.7,.6\nz,300,.8,.7\n"
    table = read(one_row_each)
    assert isinstance(table, ScoreTable)
    assert table.systems == ("A", "B")


@pytest.mark.parametrize("heading", ["sentence", "text", "document", "satz", "example_nr", "doc"])
def test_rows_are_matched_by_what_every_system_has_once(heading):
    texts = tuple(f"the {word} one" for word in ("first", "second", "third", "red", "big", "last"))
    results = read(long(heading, texts, texts[::-1]))
    assert results.scores("x", "ours").tolist() == list(OURS)
    assert results.scores("x", "base").tolist() == list(BASE)
    said = f"Examples are matched by '{heading}'."
    assert (said in results.reading.remarks) == (heading != "doc")
    if heading in ("sentence", "text", "document"):
        assert results.inputs is not None
        assert results.inputs.columns == (heading,)


def test_rows_are_not_paired_in_their_order_where_texts_would_differ():
    some, others = (
        ("a b", "c d", "e f", "g h", "i j", "k l"),
        ("c d", "e f", "g h", "i j", "k l", "m n"),
    )
    error = refused(long("sentence", some, others))
    assert "different texts of 'sentence' would be one example, the first on lines 2 and 8" in str(
        error
    )
    assert answers(error) == {("example", "sentence")}
    # Matched by it, what is lacking is another question.
    assert answers(refused(long("sentence", some, others), example="sentence")) == {
        ("incomplete", "leave-out")
    }
    assert isinstance(read(long("sentence", some, others), example=None), ResultSet)
    # Texts that stand twice match nothing, but may lie in the same order.
    twice = ("a b", "c d", "a b", "g h", "i j", "k l")
    assert read(long("sentence", twice)).reading.roles["example"] is None
    error = refused(long("sentence", twice, twice[::-1]))
    assert "would be one example" in str(error)
    assert error.choices == ()


def test_what_systems_gave_out_does_not_hinder_pairing_in_order():
    text = long("answer").replace(",ours,", "of ours,ours,").replace(",base,", "of base,base,")
    assert read(text).reading.roles["example"] is None


def test_numbers_on_another_scale_are_asked_about_unless_chosen():
    text = wide("ref_len", (57, 12, 31, 12, 8, 20))
    error = refused(text)
    assert "'ref_len' goes up to 57, the others only to 1: is it a system?" in str(error)
    assert error.roles["systems"] == ("ref_len", "ours", "base")
    assert read(text, systems=("ours", "base")).systems == ("ours", "base")
    assert {("scales", "one")} == answers(error)
    assert len(read(text, scales="one").systems) == 3
    assert "'ambiguity' goes up to 5" in str(refused(wide("ambiguity", (5, 1, 3, 2, 2, 4))))
    tenfold = "dataset,A,B,C\n" + "".join(f"x,{i}0.5,{i}1.5,{i}000.5\n" for i in range(1, 7))
    assert "'C' goes up to 6,000.5" in str(refused(tenfold))
    grid = "dataset,ours,base,n_sents\n" + "".join(f"d{i},.8,.7,{i * 997}\n" for i in range(1, 7))
    assert "'n_sents' goes up to 5,982" in str(refused(grid))


def test_scores_a_little_beyond_one_are_no_question():
    assert len(read(wide("third", (0.4, 1.2, 0.3, 1.4, 0, 1))).systems) == 3
    # One mistake among many numbers makes a column no less a system, but its scores are asked about.
    once = wide("third", (0, 0, 0, 57, 0, 1))
    assert "Scores of 'third' go up to 57" in str(refused(once))
    assert len(read(once, scales="one").systems) == 3
    losses = "dataset,loss_a,loss_b\n" + "".join(f"x,{i},.{i}\n" for i in (3, 1, 4, 1, 5, 9))
    assert read(losses).systems == ("loss_a", "loss_b")


def test_how_sure_a_system_was_is_no_system():
    rows = "".join(f"x,{i % 2},{i % 3 % 2},.{i},.{i + 1}\n" for i in range(1, 7))
    results = read("dataset,ours,base,ours_confidence,prob base\n" + rows)
    assert results.systems == ("ours", "base")
    assert any("how sure systems were" in remark for remark in results.reading.remarks)
    error = refused("dataset,ours,base,ours_score,base_score\n" + rows)
    assert "'ours_score' stands beside 'ours'" in str(error)
    # Alone they are the systems' own.
    assert read("dataset,A_prob,B_prob\nx,.1,.2\nx,.3,.4\n").systems == ("A_prob", "B_prob")


UNKNOWN = "Subset,BERT,RoBERTa\nCoNLL,90.1,91.2\nGENIA,80.2,81.1\nWNUT,50.3,55.5\n"


def test_an_unknown_heading_with_a_row_each_is_asked_about_and_both_answers_read():
    error = refused(UNKNOWN)
    assert answers(error) == {("dataset", "Subset"), ("example", "Subset")}
    assert [words for choice in error.choices for _, words in choice.options] == [
        "Each row is a dataset",
        "Each row is an example",
    ]
    table = read(UNKNOWN, dataset="Subset")
    assert isinstance(table, ScoreTable)
    assert table.reading is not None
    assert table.reading.layout == SCORE_GRID
    assert table.datasets == ("CoNLL", "GENIA", "WNUT")
    results = read(UNKNOWN, example="Subset")
    assert isinstance(results, ResultSet)
    assert results.reading is not None
    assert (results.reading.layout, results.datasets) == (SCORES, ("mine",))
    assert results.examples("mine") == ("CoNLL", "GENIA", "WNUT")
    assert read(UNKNOWN, dataset=None).datasets == ("mine",)


@pytest.mark.parametrize("heading", ["sentence", "text", "url", "example"])
def test_texts_that_say_what_a_row_is_are_no_question(heading):
    assert isinstance(read(UNKNOWN.replace("Subset", heading)), ResultSet)


def test_a_count_of_the_rows_does_not_say_that_they_are_examples():
    lines = UNKNOWN.splitlines()
    text = "\n".join([f"Unnamed: 0,{lines[0]}", *(f"{i},{x}" for i, x in enumerate(lines[1:]))])
    assert answers(refused(text)) == {("dataset", "Subset"), ("example", "Subset")}
    assert isinstance(read(text, dataset="Subset"), ScoreTable)
    assert read(text, example="Subset").systems == ("BERT", "RoBERTa")
    assert "Each system stands in one row" in str(refused(text.replace("Subset", "model")))
    assert isinstance(read(text.replace("Unnamed: 0", "id")), ResultSet)


@pytest.mark.parametrize("heading", ["Unnamed: 0", "Category"])
def test_no_heading_and_a_vague_one_are_asked_about_too(heading):
    assert ("dataset", heading) in answers(refused(UNKNOWN.replace("Subset", heading)))


@pytest.mark.parametrize(
    "heading", ["Datensatz", "Korpus", "Sprache", "Aufgabe", "Jeu de données", "langue", "Tâche",
                "conjunto_de_datos", "Idioma", "tarea"],
)  # fmt: skip
def test_headings_of_datasets_in_other_languages_are_known(heading):
    assert read(UNKNOWN.replace("Subset", heading)).datasets == ("CoNLL", "GENIA", "WNUT")


@pytest.mark.parametrize("heading", ["p-Wert", "p Wert", "valeur p", "valor p", "P-Wert"])
def test_headings_of_p_values_in_other_languages_are_known(heading):
    table = read(f"Datensatz;A;B;{heading}\nx;90,1;91,2;0,03\ny;80,1;81,2;0,04\n")
    assert isinstance(table, PValueTable)
    assert table.p_values.tolist() == [0.03, 0.04]


def test_a_table_with_a_row_for_each_system_is_declined_by_name():
    text = "model,CoNLL,GENIA,WNUT\nBERT,90,80,70\nRoBERTa,91,82,71\n"
    error = refused(text)
    assert "each dataset in a column, 'CoNLL', 'GENIA', 'WNUT'" in str(error)
    assert "Turn the table around" in error.problems[0].remedy


PUBLISHED = "dataset,A,B,p\nx,90,80,.01\ny,91,81,.02\n"


@pytest.mark.parametrize(
    "name", ["Average", "mean", "AVG.", "Macro-Average", "micro avg", "Overall", "Total"]
)
def test_an_average_is_no_dataset(name):
    for text in (
        PUBLISHED + f"{name},90.5,80.5,.015\n",
        f"dataset,A,B\nx,2,1\ny,1,4\n{name},3,3\n",
    ):
        (problem,) = refused(text).problems
        assert problem.what.startswith(f"'{name}' seems to be no dataset but an average")
        assert (problem.dataset, problem.line) == (name, 4)
    assert read(PUBLISHED + "Overall Quality,90.5,80.5,.015\n").datasets[2] == "Overall Quality"


@pytest.mark.parametrize("missing", ["", "-", "n/a", "—"])
def test_datasets_without_a_p_value_can_be_left_out(missing):
    text = PUBLISHED + f"z,90,80,{missing}\n"
    error = refused(text)
    assert error.choices[0].options == (("leave-out", "Leave out 1 dataset"),)
    table = read(text, incomplete="leave-out")
    assert (table.datasets, table.p_values.tolist()) == (("x", "y"), [0.01, 0.02])
    assert any(
        remark.startswith("Left out, as chosen: 1 dataset") for remark in table.reading.remarks
    )


ADJUSTED = ["p_bonferroni", "p_holm", "adjusted p", "p adj", "q value", "p_fdr", "p_value_adj"]


@pytest.mark.parametrize("heading", ADJUSTED)
def test_adjusted_p_values_are_not_counted_again(heading):
    text = PUBLISHED.replace(",p\n", f",{heading}\n")
    error = refused(text)
    assert "adjusted for their number" in error.problems[0].what
    table = read(text, p_value=heading)
    assert isinstance(table, PValueTable)
    assert table.reading is not None
    assert any("as if its p-values were not adjusted" in r for r in table.reading.remarks)
    beside = f"dataset,{heading},A,B,p\nx,.5,90,80,.01\ny,.6,91,81,.02\n"
    table = read(beside)
    assert (table.system_a, table.system_b, table.p_values.tolist()) == ("A", "B", [0.01, 0.02])


THREE = "dataset,A,B,C,p A vs B,p A vs C\nx,90,80,85,.01,.02\ny,91,81,86,.01,.03\n"


def test_the_scores_compared_are_those_that_the_heading_of_the_p_values_names():
    error = refused(THREE)
    assert dict(error.choices[0].options) == {
        "p A vs B": "p A vs B: 'A' with 'B'",
        "p A vs C": "p A vs C: 'A' with 'C'",
    }
    table = read(THREE, p_value="p A vs C")
    assert (table.system_a, table.system_b) == ("A", "C")
    assert table.scores_b.tolist() == [85.0, 86.0]
    turned = read(THREE.replace("p A vs C", "p C vs A"), p_value="p C vs A")
    assert (turned.system_a, turned.system_b) == ("C", "A")


def test_where_no_heading_names_the_systems_they_are_asked_for():
    text = THREE.replace("p A vs B", "p_1").replace("p A vs C", "p_2")
    error = refused(text, p_value="p_2")
    assert {role for role, _ in answers(error)} == {"system_a", "system_b"}
    error = refused(text, p_value="p_2", system_a="C")
    assert answers(error) == {("system_b", "A"), ("system_b", "B")}
    table = read(text, p_value="p_2", system_a="C", system_b="B")
    assert (table.system_a, table.system_b) == ("C", "B")


def split_file(ids):
    return "dataset,split,example,A,B\n" + "".join(
        f"{d},{part},{ids.format(part=part, i=i)},{i % 2},1\n"
        for d in "xy"
        for part in ("dev", "test")
        for i in range(3)
    )


def test_parts_of_a_dataset_are_asked_about():
    text = split_file("{part}-{i}")
    error = refused(text)
    assert "'split' divides the examples into 'dev', 'test'" in str(error)
    assert answers(error) == {("dataset", "dataset"), ("dataset", "split")}
    assert read(text, dataset="dataset").examples("y")[3:] == ("test-0", "test-1", "test-2")
    alone = split_file("{i}").replace("x,dev", "x,test").replace("y,dev", "y,test")
    assert "divides" not in str(refused(alone))
    one_each = "dataset,split,A,B\nx,dev,1,2\nx,test,2,3\ny,dev,1,3\ny,test,2,2\n"
    assert "parts of a dataset are no examples" in str(refused(one_each))


@pytest.mark.parametrize(
    "others",
    [
        "diff,ci_low,ci_high",
        "wins,losses,ties",
        "lower,upper,variance",
        "n_shared,ci_lower,ci_upper",
    ],
)
def test_statistics_beside_scores_are_no_systems(others):
    rows = "".join(f"d{i},{i}.5,{i}.1,{i},{i + 1},{i + 2}\n" for i in range(1, 7))
    assert read(f"dataset,A,B,{others}\n{rows}").systems == ("A", "B")
    with pytest.raises(DataError):
        read(f"dataset,{others}\n" + "x,1,2,3\ny,2,3,4\n")


def test_counts_of_one_system_alone_beside_scores_are_no_systems():
    text = "dataset,A,B,a_right_b_wrong,a_wrong_b_right\nx,.9,.8,4,2\ny,.7,.8,3,5\n"
    assert read(text).systems == ("A", "B")


def test_letters_are_systems_where_they_are_no_counts_of_a_pair():
    assert read("dataset,a,b,c\nx,1,2,3\ny,2,2,1\n").systems == ("a", "b", "c")
    assert read("dataset,B,C\nx,1,2\ny,2,2\n").systems == ("B", "C")


@pytest.mark.parametrize(
    "name",
    ["err", "latency", "FID", "MCD", "bpc", "bits per character", "bits/byte", "toxicity", "EER",
     "DER", "RTF", "cost", "regret", "edit distance", "deviation", "hallucination rate", "WER"],
)  # fmt: skip
def test_names_of_which_lower_is_better(name):
    assert lower_is_better((name,)) is not None


@pytest.mark.parametrize(
    "name",
    ["error reduction", "hallucination detection", "cost-sensitive BERT", "toxicity F1", "gloss",
     "under", "Qualität der Antwort", "herring", "costume", "fidelity", "distance correlation",
     "loss-free", "accuracy"],
)  # fmt: skip
def test_words_within_others_say_nothing_of_the_direction(name):
    assert lower_is_better((name,)) is None

"""Scores by query of trec_eval, ir_measures, ranx and pytrec_eval.

The forms are those of trec_eval 9.0 (meas_print_single.c: measure, query and value parted by
tabs), ir_measures 0.3 (__main__.py: query, measure, value), ranx 0.3 (Run.scores, Report.to_dict)
and pytrec_eval 0.5 (RelevanceEvaluator.evaluate). The numbers are made up here.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from core.data import PValueTable, ResultSet, ScoreTable
from core.data.tools.per_query_metrics import is_measure, is_trec_name
from tests.core.data.tools.files_of import kind_of, read, refused

QUERIES = [str(number) for number in range(301, 341)]
BM25 = {query: f"0.{i:04d}" for i, query in enumerate(QUERIES, start=1000)}
DENSE = {query: f"0.{i:04d}" for i, query in enumerate(QUERIES, start=2000)}


def trec_eval(scores: dict[str, str], run: str = "") -> str:
    """What `trec_eval -q -m map -m P.5 -m num_ret` prints."""
    lines = [f"runid                 \tall\t{run}"] if run else []
    for query, score in scores.items():
        lines += [
            f"num_ret               \t{query}\t1000",
            f"map                   \t{query}\t{score}",
            f"P_5                   \t{query}\t0.2000",
        ]
    lines += ["num_q                 \tall\t40", "map                   \tall\t0.1234"]
    return "\n".join(lines) + "\n"


def numbers(scores: dict[str, str]) -> list[float]:
    return [float(score) for score in scores.values()]


def test_two_runs_of_trec_eval_are_two_systems_on_the_same_queries():
    results = read({"bm25.eval": trec_eval(BM25), "dense.eval": trec_eval(DENSE)})
    assert kind_of(results) is ResultSet
    assert (results.datasets, results.systems) == (("queries",), ("bm25", "dense"))
    assert results.metrics == ("map", "P_5")
    assert list(results.scores("queries", "bm25")) == numbers(BM25)
    assert list(results.scores("queries", "dense")) == numbers(DENSE)
    assert list(results.scores("queries", "dense", "P_5")) == [0.2] * 40


def test_the_report_names_each_file_and_how_the_queries_were_matched():
    reading = read({"bm25.eval": trec_eval(BM25), "dense.eval": trec_eval(DENSE)}).reading
    assert [(use.path, use.used, use.content) for use in reading.files] == [
        ("bm25.eval", True, "40 queries, system bm25, 2 measures"),
        ("dense.eval", True, "40 queries, system dense, 2 measures"),
    ]
    assert [(one.system, one.n_examples, one.n_matched) for one in reading.matched] == [
        ("bm25", 40, 40),
        ("dense", 40, 40),
    ]


def test_averages_and_counts_are_set_aside_with_a_remark_and_are_no_query():
    reading = read({"bm25.eval": trec_eval(BM25), "dense.eval": trec_eval(DENSE)}).reading
    said = " ".join(reading.remarks)
    assert "The rows 'all' are averages over the queries" in said
    assert "Counts and descriptions that are no scores are left aside: 'num_ret', 'num_q'." in said


def test_a_run_is_called_as_it_calls_itself():
    files = {"1.txt": trec_eval(BM25, "Okapi"), "2.txt": trec_eval(DENSE, "E5")}
    assert read(files).systems == ("Okapi", "E5")


def test_files_of_several_collections_are_named_by_their_names():
    other = {f"q{query}": score for query, score in BM25.items()}
    files = {
        "robust.bm25.eval": trec_eval(BM25, "r1"),
        "robust.dense.eval": trec_eval(DENSE, "r2"),
        "gov2.bm25.eval": trec_eval(other, "r3"),
        "gov2.dense.eval": trec_eval(other, "r4"),
    }
    results = read(files)
    assert (results.datasets, results.systems) == (("robust", "gov2"), ("bm25", "dense"))
    assert list(results.scores("robust", "dense")) == numbers(DENSE)


def test_which_part_of_names_is_the_collection_shows_by_the_queries_that_files_share():
    other = {f"q{query}": score for query, score in BM25.items()}
    files = {
        "bm25.robust.eval": trec_eval(BM25),
        "bm25.gov2.eval": trec_eval(other),
        "dense.robust.eval": trec_eval(DENSE),
        "dense.gov2.eval": trec_eval(other),
    }
    results = read(files)
    assert (results.datasets, results.systems) == (("robust", "gov2"), ("bm25", "dense"))
    assert results.reading.roles["name_order"] == "system, dataset"


def test_roles_given_back_read_the_same():
    files = {"bm25.eval": trec_eval(BM25), "dense.eval": trec_eval(DENSE)}
    results = read(files)
    again = read(files, roles=dict(results.reading.roles))
    assert again.fingerprint == results.fingerprint
    assert again.reading.files == results.reading.files


def test_queries_that_one_run_lacks_are_asked_about_and_reported():
    shorter = dict(list(DENSE.items())[:-2])
    files = {"bm25.eval": trec_eval(BM25), "dense.eval": trec_eval(shorter)}
    error = refused(files)
    assert "'dense' lacks 2 of 40 examples: '339', '340'" in str(error)
    assert [choice.role for choice in error.choices] == ["incomplete"]
    results = read(files, roles={"incomplete": "leave-out"})
    assert list(results.scores("queries", "bm25")) == numbers(BM25)[:38]
    bm25, dense = results.reading.matched
    assert (bm25.n_examples, bm25.n_matched, bm25.left_over) == (40, 38, ("339", "340"))
    assert (dense.n_examples, dense.n_matched, dense.left_over) == (38, 38, ())


def test_a_measure_that_is_not_defined_for_a_query_is_a_missing_score():
    without = trec_eval({**DENSE, "310": "nan"})
    error = refused({"bm25.eval": trec_eval(BM25), "dense.eval": without})
    assert "incomplete" in [choice.role for choice in error.choices]


def test_one_run_alone_says_that_a_comparison_needs_two():
    assert "a comparison needs two" in str(refused({"bm25.eval": trec_eval(BM25)}))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("map\t3", "File 'bm25.eval', line 123: The line 'map\t3' is not a measure, a query and"),
        ("map\t301\t0.4", "line 123: 'map' of the query '301' stands in the file twice."),
    ],
)
def test_a_line_that_does_not_fit_is_refused_with_its_place(line: str, said: str):
    files = {"bm25.eval": trec_eval(BM25) + line, "dense.eval": trec_eval(DENSE)}
    assert said in str(refused(files))


def test_ir_measures_writes_the_query_first():
    files = {
        name: "".join(
            f"{query}\tnDCG@10\t{score}\n{query}\tP(rel=2)@5\t0.5\n"
            for query, score in scores.items()
        )
        + "all\tnDCG@10\t0.4000\n"
        for name, scores in (("a.txt", BM25), ("b.txt", DENSE))
    }
    results = read(files)
    assert results.metrics == ("nDCG@10", "P(rel=2)@5")
    assert list(results.scores("queries", "b")) == numbers(DENSE)


def averages(score: float, run: str = "", **counted: int) -> str:
    """What `trec_eval -m map` prints without -q."""
    lines = [f"runid                 \tall\t{run}"] if run else []
    lines += [f"{name:22}\tall\t{number}" for name, number in counted.items()]
    return "\n".join([*lines, f"map                   \tall\t{score:.4f}"]) + "\n"


AVERAGES = {
    ("robust04", "bm25"): 0.25,
    ("robust04", "dpr"): 0.21,
    ("covid", "bm25"): 0.61,
    ("covid", "dpr"): 0.64,
}


def table_cells(table: Any) -> dict[tuple[str, str], float]:
    cells = table.to_frame().to_numpy().tolist()
    return {
        (row[0], system): value
        for row in cells
        for system, value in zip(table.systems, row[1:], strict=True)
    }


def test_averages_in_folders_of_collections_are_named_as_scores_by_query_are():
    files = {f"{c}/{s}.eval": averages(score) for (c, s), score in AVERAGES.items()}
    table = read(files)
    assert kind_of(table) is ScoreTable
    assert (table.datasets, table.systems) == (("robust04", "covid"), ("bm25", "dpr"))
    assert table_cells(table) == AVERAGES
    assert [choice.role for choice in table.reading.choices] == ["name_order"]
    turned = read(files, roles={"name_order": "system, dataset"})
    assert (turned.datasets, turned.systems) == (("bm25", "dpr"), ("robust04", "covid"))


def test_counts_of_the_judgements_tell_which_part_of_the_names_is_the_collection():
    n_judged = {"robust04": 17412, "covid": 24763}
    table = read(
        {
            f"{s}/{c}.eval": averages(score, num_q=50, num_rel=n_judged[c])
            for (c, s), score in AVERAGES.items()
        }
    )
    assert (table.datasets, table.systems) == (("robust04", "covid"), ("bm25", "dpr"))
    assert table_cells(table) == AVERAGES
    assert table.reading.choices == ()


@pytest.mark.parametrize(
    ("runs", "systems"), [(("", ""), "ab"), (("Okapi", "E5"), ("Okapi", "E5"))]
)
def test_averages_of_two_runs_are_two_systems_on_one_dataset(runs, systems):
    table = read({"a.eval": averages(0.25, runs[0]), "b.eval": averages(0.5, runs[1])})
    assert kind_of(table) is ScoreTable
    assert (table.datasets, table.systems) == (("queries",), tuple(systems))
    assert table_cells(table) == dict(
        zip([("queries", system) for system in systems], (0.25, 0.5), strict=True)
    )


def run_lines(tag: str) -> str:
    return "".join(
        f"{query} Q0 FT{rank} {rank} {20 - rank}.5 {tag}\n"
        for query in QUERIES
        for rank in range(1, 4)
    )


QRELS = "".join(f"{query} 0 FT2 1\n{query} 0 FT3 0\n" for query in QUERIES)


def test_a_ranking_without_judgements_has_no_score_and_it_is_said_what_to_give():
    said = str(refused({"bm25.run": run_lines("bm25"), "dense.run": run_lines("dense")}))
    assert "A ranking has no score before it is judged" in said
    assert "'trec_eval -q QRELS bm25.run > bm25.eval'" in said
    assert "judgements (qrels)" in said


def test_with_judgements_beside_it_the_command_that_makes_the_scores_is_named():
    said = str(refused({"bm25.run": run_lines("bm25"), "robust.txt": QRELS}))
    assert "'trec_eval -q robust.txt bm25.run > bm25.eval'" in said
    assert "ranx.evaluate" in said


def test_judgements_alone_are_known_for_what_they_are():
    assert "they are no result of a system" in str(refused({"robust.qrels": QRELS}))


def test_rankings_beside_scores_are_left_aside_and_reported():
    files = {
        "bm25.eval": trec_eval(BM25),
        "dense.eval": trec_eval(DENSE),
        "bm25.run": run_lines("bm25"),
        "robust.txt": QRELS,
    }
    results = read(files)
    uses = {use.path: use for use in results.reading.files}
    assert {path for path, use in uses.items() if use.used} == {"bm25.eval", "dense.eval"}
    assert uses["bm25.run"].content == "120 ranked documents, 40 queries"
    assert uses["robust.txt"].kind == "judgements of documents (qrels)"


def as_numbers(scores: dict[str, str]) -> dict[str, float]:
    return {query: float(score) for query, score in scores.items()}


SHAPES: dict[str, Any] = {
    "ranx Run.scores": lambda s: {"ndcg@10": s, "map": s},
    "pytrec_eval": lambda s: {q: {"ndcg@10": v, "map": v, "num_ret": 1000} for q, v in s.items()},
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("indent", [None, 4])
def test_scores_by_query_in_json_read_in_either_order_of_names(shape: str, indent: int | None):
    files = {
        name: json.dumps(SHAPES[shape](as_numbers(scores)), indent=indent)
        for name, scores in (("bm25.json", BM25), ("dense.json", DENSE))
    }
    results = read(files)
    assert kind_of(results) is ResultSet
    assert (results.datasets, results.systems) == (("queries",), ("bm25", "dense"))
    assert results.metrics == ("ndcg@10", "map")
    assert list(results.scores("queries", "dense")) == numbers(DENSE)
    assert [use.content for use in results.reading.files] == [
        "40 queries, system bm25",
        "40 queries, system dense",
    ]


def test_one_file_may_hold_several_systems():
    content = json.dumps(
        {
            name: {"scores": {"ndcg@10": as_numbers(scores)}}
            for name, scores in (("bm25", BM25), ("dense", DENSE))
        }
    )
    results = read({"robust.json": content})
    assert results.systems == ("bm25", "dense")
    assert list(results.scores(results.datasets[0], "bm25")) == numbers(BM25)


def test_a_null_score_is_missing_and_asked_about():
    held: dict[str, float | None] = {**as_numbers(DENSE), "305": None}
    files = {
        "bm25.json": json.dumps({"map": as_numbers(BM25)}),
        "dense.json": json.dumps({"map": held}),
    }
    assert "incomplete" in [choice.role for choice in refused(files).choices]
    left_out = read(files, roles={"incomplete": "leave-out"})
    assert len(left_out.scores("queries", "bm25")) == 39


FEW = {
    "a.json": json.dumps({"ndcg@10": {"nq": 0.3, "hotpotqa": 0.4}}),
    "b.json": json.dumps({"ndcg@10": {"nq": 0.5, "hotpotqa": 0.6}}),
}


def test_a_few_names_may_be_queries_or_datasets_and_are_asked_about():
    error = refused(FEW)
    (choice,) = error.choices
    assert choice.role == "name_order"
    datasets = read(FEW, roles={"name_order": "dataset"})
    assert kind_of(datasets) is ScoreTable
    assert (datasets.datasets, datasets.systems) == (("nq", "hotpotqa"), ("a", "b"))
    assert datasets.reading.choices == (choice,)
    queries = read(FEW, roles={"name_order": "system"})
    assert kind_of(queries) is ResultSet
    assert list(queries.scores("queries", "b")) == [0.5, 0.6]


def report(bm25: float, dense: float) -> str:
    compared = {"map@100": 0.03, "ndcg@10": 0.2}
    return json.dumps(
        {
            "stat_test": "student",
            "metrics": ["map@100", "ndcg@10"],
            "model_names": ["bm25", "dense"],
            "bm25": {
                "scores": {"map@100": 0.1, "ndcg@10": bm25},
                "comparisons": {"dense": compared},
                "win_tie_loss": {"dense": {"map@100": {"W": 1, "T": 2, "L": 3}}},
            },
            "dense": {
                "scores": {"map@100": 0.2, "ndcg@10": dense},
                "comparisons": {"bm25": compared},
                "win_tie_loss": {"bm25": {"map@100": {"W": 3, "T": 2, "L": 1}}},
            },
        },
        indent=4,
    )


def test_reports_of_ranx_are_averages_one_a_dataset_and_the_measure_is_asked():
    files = {"nq.json": report(0.3, 0.4), "hotpotqa.json": report(0.5, 0.6)}
    (choice,) = refused(files).choices
    assert (choice.role, [value for value, _ in choice.options]) == (
        "measure",
        ["only:map@100", "only:ndcg@10"],
    )
    table = read(files, roles={"measure": "only:ndcg@10"})
    assert kind_of(table) is ScoreTable
    assert (table.datasets, table.systems) == (("nq", "hotpotqa"), ("bm25", "dense"))
    assert table.to_frame().iloc[1].tolist()[1:] == [0.5, 0.6]


def test_p_values_in_a_report_of_ranx_are_said_to_be_left_aside():
    table = read({"nq.json": report(0.3, 0.4)}, roles={"measure": "only:ndcg@10"})
    (remark,) = [one for one in table.reading.remarks if "p-values" in one]
    assert "'comparisons' are not read: 'nq.json'" in remark


ORDINARY: dict[str, dict[str, Any]] = {
    "systems by metrics": {"s.json": {"BERT": {"acc": 0.8, "f1": 0.7}, "GPT": {"acc": 1, "f1": 0}}},
    "exact match": {"s.json": {"BERT": {"exact_match": 0.8, "f1": 0.7},
                               "GPT": {"exact_match": 1, "f1": 0}}},
    "metrics by systems": {"s.json": {"accuracy": {"BERT": 0.8, "GPT": 0.7},
                                      "f1": {"BERT": 0.8, "GPT": 0.7}}},
    "one file": {"s.json": {"bm25": {"ndcg@10": 0.8, "map": 0.7}, "dpr": {"ndcg@10": 1, "map": 0}}},
    "queries by RR and AP": {"s.json": {f"q{i}": {"RR": i / 99, "AP": 0.5} for i in range(40)}},
    "a file a system": {f"{s}.json": {d: {"accuracy": 0.5} for d in ("mnli", "qqp", "rte")}
                        for s in "ab"},
    "many datasets": {f"{s}.json": {f"d{i}": {"acc": i / 99} for i in range(57)} for s in "ab"},
}  # fmt: skip


@pytest.mark.parametrize("kind", ORDINARY)
def test_ordinary_tables_in_json_are_read_as_tables(kind: str):
    files = {path: json.dumps(held) for path, held in ORDINARY[kind].items()}
    table = read(files)
    assert kind_of(table) is ScoreTable
    assert table.reading.files == ()
    if len(files) > 1:
        assert table.systems == ("a", "b")


def test_p_values_named_p_are_a_published_table():
    held = {name: {"P": 0.02, "Q": 0.7} for name in ("mnli", "qqp", "rte")}
    table = read({"s.json": json.dumps(held)})
    assert kind_of(table) is PValueTable
    assert table.reading.roles["p_value"] == "P"


def test_many_names_under_what_anybody_may_measure_are_asked_about():
    files = {
        f"{name}.json": json.dumps({"f1": as_numbers(scores)})
        for name, scores in (("a", BM25), ("b", DENSE))
    }
    assert [choice.role for choice in refused(files).choices] == ["name_order"]
    results = read(files, roles={"name_order": "system"})
    assert list(results.scores("queries", "b")) == numbers(DENSE)
    table = read(files, roles={"name_order": "dataset"})
    assert table.systems == ("a", "b")


def test_a_file_with_fewer_queries_is_of_the_same_kind_as_the_others():
    shorter = dict(list(as_numbers(DENSE).items())[:20])
    files = {
        "bm25.json": json.dumps({"map": as_numbers(BM25)}),
        "dense.json": json.dumps({"map": shorter}),
    }
    assert "'dense' lacks 20 of 40 examples" in str(refused(files))


def test_truncated_json_is_refused_with_its_file_and_line():
    whole = json.dumps({"map": as_numbers(BM25)}, indent=4)
    error = refused({"a.json": whole[:-100], "b.json": whole})
    (problem,) = error.problems
    assert problem.file == "a.json"
    assert problem.line is not None
    assert "no JSON from here on" in problem.what


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('{"ndcg@10": {"1": 0.1, "1": 0.2}}', "The name '1' stands twice in one object."),
        (
            '{"ndcg@10": {"1": 0.1}, "ndcg@10": {"2": 0.2}}',
            "The name 'ndcg@10' stands twice in one object.",
        ),
        ('{"ndcg@10": {"1": 0.1, "2": [1]}}', "'ndcg@10' of the query '2' is no number."),
        ('{"ndcg@10": {"1": 0.1}} {}', "Something stands after the end of the JSON."),
    ],
)
def test_hostile_json_is_refused_in_words(content: str, said: str):
    assert said in str(refused({"a.json": content, "b.json": '{"ndcg@10": {"1": 0.1}}'}))


def test_names_with_markup_stay_as_they_are():
    mark = "<img src=x>![p](http://h/)"
    files = {
        name: json.dumps({"map": {f"{mark}{i}": i / 100 for i in range(40)}})
        for name in ("a.json", "b.json")
    }
    assert read(files).example_ids[0].to_pylist()[7] == f"{mark}7"


@pytest.mark.parametrize(
    "name", ["map", "P_5", "ndcg_cut_10", "recip_rank", "iprec_at_recall_0.10", "Rprec", "P5"]
)
def test_trec_evals_names_are_known(name: str):
    assert is_trec_name(name)
    assert is_measure(name)


@pytest.mark.parametrize("name", ["SST", "bert", "q1", "dataset", "imdb", "accuracy_a", "gpt-4"])
def test_names_of_datasets_and_systems_are_no_measures(name: str):
    assert not is_trec_name(name)
    assert not is_measure(name)


def test_what_the_usual_layouts_read_is_left_to_them():
    rows = "".join(f"x\t{i}\t{i % 2}\t1\n" for i in range(40))
    results = read({"t.tsv": f"dataset\texample\tA\tB\n{rows}"})
    assert results.reading.files == ()
    nested = read({"n.json": json.dumps({"sst": {"a": 0.1, "b": 0.2}, "rte": {"a": 1, "b": 0}})})
    assert nested.reading.files == ()

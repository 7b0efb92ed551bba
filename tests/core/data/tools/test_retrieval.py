"""Scores by query of trec_eval, ir_measures, ranx and pytrec_eval.

The forms are those of trec_eval 9.0 (meas_print_single.c: measure, query and value parted by
tabs), ir_measures 0.3 (__main__.py: query, measure, value), ranx 0.3 (Run.scores, Report.to_dict)
and pytrec_eval 0.5 (RelevanceEvaluator.evaluate). The numbers are made up here.
"""

from __future__ import annotations

from core.data.tools.retrieval import is_measure, is_trec_name
from tests.core.data.tools.files_of import read, remarks

QUERIES = [str(number) for number in range(301, 341)]
BM25 = {query: f"0.{i:04d}" for i, query in enumerate(QUERIES, start=1000)}


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


def test_an_average_that_is_not_the_mean_of_the_queries_is_remarked_on():
    right = f"map\tall\t{sum(numbers(BM25)) / len(BM25):.4f}\n"
    whole = trec_eval(BM25).replace("map                   \tall\t0.1234\n", right)
    assert "in the file" not in remarks(read({"a.eval": whole, "b.eval": whole}))
    gone = QUERIES[:20]
    cut = "\n".join(line for line in whole.splitlines() if line.split("\t")[1] not in gone)
    told = remarks(read({"a.eval": cut, "b.eval": cut}))
    assert "'a.eval': 'map' is 0.10" in told
    assert "on average over all queries, but 0.10" in told
    assert "over the 20 in the file. It may be cut off" in told


def test_trec_evals_names_are_known():
    for name in ["map", "P_5", "ndcg_cut_10", "recip_rank", "iprec_at_recall_0.10", "Rprec", "P5"]:
        assert is_trec_name(name), name
        assert is_measure(name), name


def test_names_of_datasets_and_systems_are_no_measures():
    for name in ["SST", "bert", "q1", "dataset", "imdb", "accuracy_a", "gpt-4"]:
        assert not is_trec_name(name), name
        assert not is_measure(name), name


def test_what_a_shell_wrote_in_utf_16_is_read_as_what_the_tool_printed():
    texts = {"ours.eval": "map\t1\t0.5\nmap\t2\t0.25\n", "base.eval": "map\t1\t0.4\nmap\t2\t0.3\n"}
    plain = read(texts)
    shell = read({name: text.encode("utf-16") for name, text in texts.items()})
    assert shell.fingerprint == plain.fingerprint

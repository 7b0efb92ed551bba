"""Which names are measures of retrieval; files with them stand in the corpus of `tests/frozen`."""

from core.data.tools.retrieval import is_measure


def test_trec_evals_names_are_known_and_those_of_datasets_and_systems_are_no_measures():
    measures = ["map", "P_5", "ndcg_cut_10", "recip_rank", "iprec_at_recall_0.10", "Rprec", "P5"]
    others = ["SST", "bert", "q1", "dataset", "imdb", "accuracy_a", "gpt-4"]
    for name in (*measures, *others):
        assert is_measure(name) == (name in measures), name

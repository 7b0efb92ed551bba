"""Several files read as the one file that they make, and their names are told apart."""

import pytest

from core.data.reading import ReadingStopped
from core.data.score_table import ScoreTable
from core.data.sources.name_grid import ONE_DATASET, SYSTEM_FIRST, find_grid, spelled_otherwise
from core.errors import DataError
from tests.core.data.tools.files_of import kind_of, read, refused, remarks

WIDE = {"mrpc.csv": "ours,base\n1,0\n0,1\n", "rte.csv": "ours,base\n1,1\n0,0\n1,0\n"}


def test_progress_goes_from_nothing_to_all_through_every_stage():
    seen: list[tuple[str, float]] = []

    def note(stage, share):
        seen.append((stage, share))
        return True

    read(WIDE, on_progress=note)
    assert list(dict.fromkeys(stage for stage, _ in seen)) == [
        "opening", "cutting", "recognising", "reading",
    ]  # fmt: skip
    shares = [share for _, share in seen]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0, 1)


@pytest.mark.parametrize("stage", ["opening", "cutting", "recognising", "reading"])
def test_reading_stops_at_the_stage_where_it_is_told_to(stage):
    seen = []

    def until(reached, share):
        seen.append(reached)
        return reached != stage

    with pytest.raises(ReadingStopped):
        read(WIDE, on_progress=until)
    assert seen[-1] == stage
    assert seen.count(stage) == 1


def test_the_one_file_spelled_otherwise_is_the_one_that_is_named() -> None:
    names = ["news.A.ende", "news.B.ende", "news.A.enfr", "news.C.enfr", "news.B.en-fr"]
    (problem,) = spelled_otherwise(names, named="file")
    assert problem.file == "news.B.en-fr"
    assert all(name in problem.what for name in ("'en-fr'", "'news.A.enfr'", "'enfr'"))


def test_numbers_and_parts_of_few_letters_are_not_taken_for_spellings() -> None:
    names = ["run1.1.A", "run11.B", "a.b.x", "ab.y", "v2-0", "v20"]
    assert spelled_otherwise(names, named="file") == []


def test_a_missing_file_is_told_where_all_names_begin_alike() -> None:
    stems = [
        f"newstest2019.{system}.en-{to}"
        for to in ("de", "fr", "cs")
        for system in "AB"
        if (system, to) != ("B", "fr")
    ]
    with pytest.raises(DataError) as caught:
        find_grid(stems, [1] * len(stems), whole="all", order=SYSTEM_FIRST)
    (problem,) = caught.value.problems
    assert problem.what.startswith("The file 'newstest2019.B.en-fr' is missing")


def test_files_of_one_system_are_still_told_to_be_so() -> None:
    with pytest.raises(DataError) as caught:
        find_grid(["ende.A", "enfr.A"], [1, 2], whole="all")
    assert "are of one system" in str(caught.value)


def test_more_systems_than_datasets_by_names_that_fit_both_ways_are_asked_about() -> None:
    files = {f"{one}.{two}.txt": "1\n0\n1\n" for one in ("bert", "gpt") for two in "xyz"}
    assert "nothing here shows which" in str(refused(files))
    results = read(files, roles={"name_order": SYSTEM_FIRST})
    assert (results.datasets, results.systems) == (("x", "y", "z"), ("bert", "gpt"))


def test_files_of_the_same_datasets_are_runs_or_metrics_by_their_names_or_are_refused() -> None:
    table = "dataset,ours,base\nx,90,89\ny,91,90\nz,80,82\n"
    runs = read({f"results_seed{i}.csv": table for i in (1, 2, 3)})
    assert runs.examples("x") == ("results_seed1", "results_seed2", "results_seed3")
    assert "runs are compared and not examples" in remarks(runs)
    assert "of 2 metrics, 'accuracy', 'f1'" in str(
        refused({"accuracy.csv": table, "f1.csv": table})
    )
    assert "several files, 'dev', 'test'" in str(refused({"dev.csv": table, "test.csv": table}))
    # Rows that stand several times in one file are examples.
    examples = "dataset,ours,base\n" + "x,1,0\nx,0,1\n" * 3
    assert read({"part_a.csv": examples, "part_b.csv": examples}).n_examples("x") == 12


def test_files_of_named_scores_hold_metrics_of_a_system_and_no_examples() -> None:
    files = {
        f"{d}_{s}.json": f'{{"eval_accuracy": 0.{i}, "eval_loss": 1.{i}, "eval_runtime": 40{i}}}'
        for d in ("sst2", "mrpc", "rte")
        for i, s in enumerate(("ours", "base"))
    }
    assert "scores of 2 metrics, 'eval_accuracy', 'eval_loss'" in str(refused(files))
    table = read(files, roles={"metric": "eval_loss"})
    assert kind_of(table) is ScoreTable
    assert (table.datasets, table.systems) == (("sst2", "mrpc", "rte"), ("ours", "base"))
    assert (table.values.tolist(), table.higher_is_better) == ([[1.0, 1.1]] * 3, False)
    assert kind_of(read(dict.fromkeys(files, '{"accuracy": 0.5, "n": 9}'))) is ScoreTable
    folders = [f"{s}/{d}.json" for s in ("ours", "base") for d in ("sst2", "mrpc", "rte")]
    two = dict.fromkeys(folders, '{"accuracy": 0.5, "accuracy_strict": 0.4}')
    table = read(two, roles={"metric": "accuracy"})
    assert (table.datasets, table.systems) == (("sst2", "mrpc", "rte"), ("ours", "base"))


def test_files_with_the_same_names_in_each_row_are_asked_about_as_one_file_is() -> None:
    table = "Estimators:,ours,base\nACSF1,.4,.5\nAdiac,.3,.2\nBeef,.6,.5\n"
    asked = [choice.role for choice in refused({"t.csv": table}).choices]
    files = {"nmi_mean.csv": table, "ari_mean.csv": table.replace(".5", ".7")}
    assert asked == [choice.role for choice in refused(files).choices]
    assert asked[0] == "dataset"


def test_texts_that_some_files_lack_are_left_aside_with_a_remark() -> None:
    files = {
        "ours.csv": "id,text,correct\n1,a,1\n2,b,0\n",
        "base.csv": "id,text,draft,correct\n1,a,c,1\n2,b,d,1\n",
    }
    results = read(files)
    assert results.systems == ("ours", "base")
    assert "Not read, as not all files have it: 'draft'." in remarks(results)
    assert "it has 'n' besides" in str(refused(files | {"c.csv": "id,text,n,correct\n1,a,1,1\n"}))


def test_what_the_trainer_evaluated_is_read_once() -> None:
    files = {
        f"{s}/{d}/{name}.json": '{"eval_accuracy": 0.5, "eval_f1": 0.4' + more + "}"
        for s in ("ours", "base")
        for d in ("sst2", "mrpc", "rte")
        for name, more in (("eval_results", ""), ("all_results", ', "train_loss": 0.1'))
    }
    table = read(files, roles={"metric": "eval_f1"})
    assert (table.datasets, table.systems) == (("sst2", "mrpc", "rte"), ("ours", "base"))
    assert sum(use.used for use in table.reading.files) == 6


def test_files_that_name_their_one_system_in_a_column_are_of_one_dataset() -> None:
    rows = "".join(f"{i},{{0}},0.{i}\n" for i in range(4))
    files = {f"{s}_ranking.csv": "id,model,mrr\n" + rows.format(s) for s in ("bert", "xlmr")}
    results = read(files)
    assert (len(results.datasets), results.systems) == (1, ("bert", "xlmr"))


def test_predictions_without_gold_labels_anywhere_say_how_to_give_them() -> None:
    said = "id,prediction\n1,a\n2,a\n"
    assert "Give a file with the gold labels" in str(refused({"ours.csv": said, "base.csv": said}))
    # Beside them scores are read.
    scored = "id,prediction,correct\n1,a,1\n2,b,0\n"
    assert read({"ours.csv": scored, "base.csv": scored}).systems == ("ours", "base")


def test_files_said_to_be_of_one_dataset_are_matched_by_ids_however_many_each_has() -> None:
    files = {"ours.csv": "id,score\n1,1\n2,0\n", "base.csv": "id,score\n2,1\n3,0\n4,1\n"}
    error = refused(files, roles={"name_order": ONE_DATASET})
    assert "lacks 2 of 4 examples: '3', '4'" in str(error)


def test_files_of_several_runs_are_runs_of_their_systems_and_no_systems_or_datasets() -> None:
    lists = {f"{s}.seed{k}.txt": f"1\n{k}\n" for s in ("ours", "base") for k in (0, 1)}
    tables = {
        f"{s}/seed{k}.csv": f"dataset,example,score\nx,1,1\nx,2,{k}\n"
        for s in ("ours", "base")
        for k in (0, 1)
    }
    for files in (lists, tables):
        assert [choice.role for choice in refused(files).choices] == ["runs"]
        results = read(files, roles={"runs": "average"})
        assert results.systems == ("ours", "base")
        (dataset,) = results.datasets
        assert results.scores(dataset, "ours").tolist() == [1.0, 0.5]
    # Three parts name a dataset, too.
    each = {f"{d}.{path}": text for d in ("a", "b", "c") for path, text in lists.items()}
    results = read(each, roles={"runs": "only:seed1"})
    assert (results.datasets, results.systems) == (("a", "b", "c"), ("ours", "base"))
    # Who says that each file is a system is followed.
    assert len(read(tables, roles={"name_order": ONE_DATASET}).systems) == 4


def test_folds_have_other_examples_and_runs_of_other_sizes_are_of_datasets() -> None:
    folds = {f"{s}.fold{k}.txt": "1\n0\n" for s in ("ours", "base") for k in (1, 2)}
    results = read(folds)
    assert results.systems == ("ours", "base")
    assert sum(results.n_examples(name) for name in results.datasets) == 4
    sizes = {f"{d}.seed{k}.txt": "1\n" * n for d, n in (("a", 3), ("b", 4)) for k in (1, 2)}
    assert read(sizes).datasets == ("a", "b")


def test_ids_that_no_other_file_has_are_named_with_both_files() -> None:
    files = {"ours.csv": "id,score\n1.0,1\n2.0,0\n", "base.csv": "id,score\n1,0\n2,1\n"}
    (problem,) = refused(files).problems
    assert "'1.0', '2.0', stands in 'base.csv', whose ids are such as '1', '2'" in problem.what
    assert (problem.file, problem.column) == ("ours.csv", "id")


def test_what_a_system_costs_is_no_second_system_beside_its_scores() -> None:
    files = {
        name: f"id,correct,latency\n1,{a},.5\n2,{b},.4\n"
        for name, a, b in (("ours.csv", 1, 0), ("base.csv", 0, 1))
    }
    results = read(files)
    assert (results.systems, results.metrics) == (("ours", "base"), ("accuracy",))


def test_files_that_say_true_or_false_of_each_example_are_of_one_system_each() -> None:
    lines = '{"id":1,"correct":%s}\n{"id":2,"correct":false}\n'
    results = read({"ours.jsonl": lines % "true", "base.jsonl": lines % "false"})
    assert results.systems == ("ours", "base")
    assert results.scores(results.datasets[0], "ours").tolist() == [1.0, 0.0]


def test_a_column_of_nothing_but_dashes_is_no_second_score() -> None:
    files = {f"{s}.csv": f"score,-\n{a},-\n0,-\n" for s, a in (("ours", 1), ("base", 0))}
    assert read(files).systems == ("ours", "base")


def test_folders_and_files_that_fit_both_ways_are_asked_about_unless_a_name_says_system() -> None:
    def files(first: tuple[str, ...], second: tuple[str, ...]) -> dict[str, str]:
        return {f"{a}/{b}.txt": "1\n0\n1\n" for a in first for b in second}

    assert [c.role for c in refused(files(("bert", "gpt"), ("sst", "rte"))).choices] == [
        "name_order"
    ]
    for given in (files(("ours", "gpt"), ("sst", "rte")), files(("sst", "rte"), ("ours", "gpt"))):
        assert (read(given).systems, read(given).datasets) == (("ours", "gpt"), ("sst", "rte"))
    three = read(files(("baseline", "gpt"), ("sst", "rte", "nli")))
    assert (three.systems, three.n_datasets) == (("baseline", "gpt"), 3)

"""Several files read as the one file that they make."""

import io
import itertools

import pytest

from core.data import ResultSet, read_results
from core.data.reading import ReadingStopped
from core.errors import DataError

WIDE = {"mrpc.csv": "ours,base\n1,0\n0,1\n", "rte.csv": "ours,base\n1,1\n0,0\n1,0\n"}
LISTS = {
    ("mrpc", "bert"): "1\n0\n1\n",
    ("mrpc", "gpt"): "0\n0\n1\n",
    ("rte", "bert"): "1\n1\n",
    ("rte", "gpt"): "0\n1\n",
}


def files(contents):
    given = []
    for name, text in contents.items():
        file = io.BytesIO(text if isinstance(text, bytes) else text.encode())
        file.name = name
        given.append(file)
    return given


def read(contents, **named):
    results = read_results(files(contents), **named)
    assert isinstance(results, ResultSet)
    assert results.reading is not None
    return results


def refusal(contents, **named):
    with pytest.raises(DataError) as caught:
        read_results(files(contents), **named)
    return caught.value


def score_lists(pattern):
    return {pattern.format(d=d, s=s): text for (d, s), text in LISTS.items()}


def as_given(results):
    return {
        (d, s): results.scores(d, s).astype(int).tolist()
        for d, s in itertools.product(results.datasets, results.systems)
    }


EXPECTED = {pair: [int(line) for line in text.split()] for pair, text in LISTS.items()}


def test_one_file_a_dataset_reads_as_one_file_with_a_column_of_datasets():
    joined = "dataset,ours,base\nmrpc,1,0\nmrpc,0,1\nrte,1,1\nrte,0,0\nrte,1,0\n"
    results = read(WIDE)
    assert results.fingerprint == read_results(joined.encode()).fingerprint
    assert results.reading.source_name == "2 files"


def test_the_order_of_columns_and_the_writing_may_differ():
    other = "base;ours\r\n1,0;1\r\n0;0,0\r\n0;1\r\n".encode("utf-16")
    results = read({**WIDE, "rte.csv": other})
    assert results.scores("rte", "ours").tolist() == [1, 0, 1]
    assert results.scores("rte", "base").tolist() == [1, 0, 0]


@pytest.mark.parametrize(
    ("names", "datasets"),
    [
        (["out/mrpc/dev.csv", "out/rte/dev.csv"], ("mrpc", "rte")),
        (["out/mrpc.csv", "out/rte.csv"], ("mrpc", "rte")),
        (["a/mrpc.csv", "b/rte.csv"], ("a/mrpc", "b/rte")),
        (["b.csv", "b.tsv"], ("b.csv", "b.tsv")),
        (["b.csv", "b .csv"], ("b.csv", "b .csv")),
        (["", ""], ("file 1", "file 2")),
    ],
)
def test_a_dataset_is_called_by_what_tells_its_file_apart(names, datasets):
    texts = list(WIDE.values())
    named = files(dict(zip(names, texts, strict=True))) if any(names) else []
    results = read_results(named or [text.encode() for text in texts])
    assert results.datasets == datasets


def test_columns_that_differ_are_named_with_their_file():
    error = refusal({**WIDE, "wnli.csv": "ours,Base\n1,1\n", "x.csv": "a,b\n1,1\n"})
    assert [problem.file for problem in error.problems] == ["wnli.csv", "x.csv"]
    assert "lacks 'base' and it has 'Base' besides" in error.problems[0].what


def test_a_wrong_cell_is_named_by_its_file_and_its_line_there():
    (problem,) = refusal({**WIDE, "rte.csv": "base,ours\n1,1\n0,x\n1,0\n"}).problems
    assert (problem.file, problem.dataset, problem.column, problem.line) == (
        "rte.csv", "rte", "ours", 3,
    )  # fmt: skip


def test_problems_of_all_files_come_at_once():
    error = refusal({"a.csv": "x,y\n1\n", "b.csv": "%PDF-1.4", "c.csv": "x,y\n1,2,3\n"})
    assert [problem.file for problem in error.problems] == ["a.csv", "b.csv", "c.csv"]


def test_files_with_the_same_name_are_refused():
    same = files(WIDE)
    same[1].name = same[0].name
    with pytest.raises(DataError, match=r"same name: 'mrpc.csv'"):
        read_results(same)


def test_files_with_datasets_and_all_systems_are_put_below_each_other():
    header = "dataset,example,ours,base\n"
    results = read({"a.csv": header + "x,1,1,0\nx,2,0,0\n", "b.csv": header + "y,1,1,1\n"})
    assert (results.datasets, results.systems) == (("x", "y"), ("ours", "base"))


def test_files_with_datasets_and_one_score_are_a_system_each():
    header = "dataset,example,score\n"
    results = read(
        {"bert.csv": header + "x,1,1\nx,2,0\ny,1,1\n", "gpt.csv": header + "x,1,0\nx,2,0\ny,1,0\n"}
    )
    assert (results.datasets, results.systems) == (("x", "y"), ("bert", "gpt"))
    assert results.scores("x", "bert").tolist() == [1, 0]


def test_files_of_different_datasets_are_never_systems():
    header = "dataset,example,score\n"
    error = refusal({"a.csv": header + "x,1,1\nx,2,0\n", "b.csv": header + "y,1,1\ny,2,0\n"})
    assert "Only 'score' holds scores" in str(error)


def test_published_tables_in_several_files_are_one_table():
    header = "dataset,score,p_value\n"
    table = read_results(files({"a.csv": header + "x,1,.5\n", "b.csv": header + "y,2,.1\n"}))
    assert table.datasets == ("x", "y")


@pytest.mark.parametrize(
    "pattern",
    ["{d}.{s}.txt", "{s}.{d}.txt", "{d}_{s}.txt", "{s}/{d}.txt", "out/{d}/{s}.txt", "{d}-{s}",
     "out/{s}/{d}/scores.txt", "{d}.{s}-base.txt", "{s}_v1.0/{d}.txt"],
)  # fmt: skip
def test_one_score_a_line_reads_by_the_files_names(pattern):
    results = read(score_lists(pattern))
    assert results.datasets == ("mrpc", "rte")
    found = {(d, s.split("_")[0].split("-")[0]): v for (d, s), v in as_given(results).items()}
    assert found == EXPECTED
    assert results.reading.choices == ()
    assert results.reading.separator == ","


def test_separators_inside_names_do_not_mislead():
    lists = {
        f"{d}_{s}.txt": text
        for (d, s), text in zip(
            itertools.product(["sst_2", "mrpc"], ["bert_base", "gpt2"]), LISTS.values(), strict=True
        )
    }
    results = read(lists)
    assert results.datasets == ("sst_2", "mrpc")
    assert results.systems == ("bert_base", "gpt2")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("extra", ["", "\n", "\n\n"])
def test_line_ends_at_the_end_are_no_values(end, extra):
    lists = {n: (t + extra).replace("\n", end) for n, t in score_lists("{d}.{s}.txt").items()}
    assert as_given(read(lists)) == EXPECTED


def test_a_heading_over_the_values_is_left_out_and_lines_count_from_it():
    lists = {name: "score\n" + text for name, text in score_lists("{d}.{s}.txt").items()}
    assert as_given(read(lists)) == EXPECTED
    lists["rte.gpt.txt"] = "score\n0\nx\n"
    (problem,) = refusal(lists).problems
    assert (problem.file, problem.line, problem.dataset, problem.column) == (
        "rte.gpt.txt", 3, "rte", "gpt",
    )  # fmt: skip


def test_a_heading_in_some_files_only_is_refused():
    lists = score_lists("{d}.{s}.txt")
    lists["rte.gpt.txt"] = "score\n" + lists["rte.gpt.txt"]
    assert "begin with a heading, 'rte.gpt.txt'" in str(refusal(lists))


def test_a_blank_line_within_is_a_missing_score():
    lists = score_lists("{d}.{s}.txt")
    lists["mrpc.gpt.txt"] = "0\n\n1\n"
    (problem,) = refusal(lists).problems
    assert (problem.file, problem.line) == ("mrpc.gpt.txt", 2)
    assert "no score" in problem.what


def test_unequal_numbers_of_lines_are_named_with_files_and_counts():
    lists = score_lists("{d}.{s}.txt")
    lists["rte.gpt.txt"] = "0\n"
    error = refusal(lists)
    (problem,) = error.problems
    assert problem.dataset == "rte"
    assert "'rte.bert' 2, 'rte.gpt' 1" in problem.what
    assert error.choices[0].role == "name_order"


def test_a_missing_file_is_named():
    lists = score_lists("{d}.{s}.txt")
    del lists["rte.bert.txt"]
    assert "The file 'rte.bert' is missing" in str(refusal(lists))


def test_as_many_names_as_a_grid_has_need_not_be_one():
    error = refusal(dict.fromkeys(["a.x", "a.y", "b.x", "c.y"], "1\n0\n"))
    assert [problem.what.split(":")[0] for problem in error.problems] == [
        "The file 'b.y' is missing", "The file 'c.x' is missing",
    ]  # fmt: skip


def test_names_that_fit_both_ways_are_a_question_and_the_answer_is_kept():
    lists = dict.fromkeys(score_lists("{d}.{s}.txt"), "1\n0\n")
    usual = read(lists)
    assert usual.datasets == ("mrpc", "rte")
    assert "fit the other way as well" in usual.reading.remarks[0]
    (choice,) = usual.reading.choices
    assert choice.role == "name_order"
    other = read(lists, roles={"name_order": "system, dataset"})
    assert (other.datasets, other.systems) == (("bert", "gpt"), ("mrpc", "rte"))
    single = read(lists, roles={"name_order": "system"}, name="all.zip")
    assert (single.datasets, len(single.systems)) == (("all",), 4)
    again = read(lists, roles=dict(other.reading.roles))
    assert again.fingerprint == other.fingerprint


def test_names_without_parts_are_systems_of_one_dataset():
    results = read({"out/mrpc/bert.txt": "1\n0\n", "out/mrpc/gpt.txt": "1\n1\n"})
    assert (results.datasets, results.systems) == (("mrpc",), ("bert", "gpt"))
    assert "Each file is read as a system" in results.reading.remarks[0]


def test_a_name_that_all_share_is_the_dataset():
    results = read({"mrpc.bert.txt": "1\n0\n", "mrpc.gpt.txt": "1\n1\n"})
    assert (results.datasets, results.systems) == (("mrpc",), ("bert", "gpt"))


SHARED_PARTS = {
    ("Online-A", "Online-G"): ("dataset, system", "Online", ("A", "G")),
    ("bert_base", "bert_large"): ("dataset, system", "bert", ("base", "large")),
    ("bert_scores", "gpt_scores"): ("system, dataset", "scores", ("bert", "gpt")),
    ("llama-3.1-8b", "llama-3.2-8b"): ("dataset, system", "llama-3", ("1-8b", "2-8b")),
    ("sst2.13b", "sst2.70b"): ("dataset, system", "sst2", ("13b", "70b")),
}


@pytest.mark.parametrize("ending", [".txt", ".csv"])
def test_a_part_of_systems_names_that_all_share_is_no_dataset_unless_that_is_said(ending):
    heading = "" if ending == ".txt" else "example,score\n"
    values = ["1\n0\n", "1\n1\n"] if ending == ".txt" else ["x,1\ny,0\n", "x,1\ny,1\n"]
    for names, (order, dataset, systems) in SHARED_PARTS.items():
        contents = {f"{n}{ending}": heading + v for n, v in zip(names, values, strict=True)}
        results = read(contents)
        assert (results.datasets, results.systems) == (("2 files",), names)
        (choice,) = results.reading.choices
        assert {order, "system"} < {value for value, _ in choice.options}, names
        assert read(contents, roles=dict(results.reading.roles)).reading.choices == (), names
        if "3" not in dataset:
            answered = read(contents, roles={"name_order": order})
            assert (answered.datasets, answered.systems) == ((dataset,), systems)


def test_systems_whose_names_share_a_part_are_one_dataset_of_which_sizes_are_told():
    (problem,) = refusal({"bert-base.txt": "1\n0\n", "bert-large.txt": "1\n"}).problems
    assert problem.dataset == "2 files"
    assert "'bert-base' 2, 'bert-large' 1" in problem.what


def test_labels_one_a_line_beside_gold_labels_are_predictions():
    lists = {"x.gold.txt": "a\nb\na\n", "x.s1.txt": "a\na\na\n", "x.s2.txt": "b\nb\nb\n"}
    results = read(lists)
    assert results.systems == ("s1", "s2")
    assert results.scores("x", "s1").tolist() == [1, 0, 1]


def test_decimal_commas_one_a_line_are_read():
    results = read({"x.a.txt": "0,125\n1\n", "x.b.txt": "0,5\n0,25\n"})
    assert results.scores("x", "a").tolist() == [0.125, 1]


def test_two_columns_without_a_header_are_never_decimal_commas():
    with pytest.raises(DataError, match="seems to hold results, not names"):
        read_results(b"1,0\n0,1\n1,1\n")


def test_one_list_alone_says_what_is_needed():
    with pytest.raises(DataError, match="one such file for each system, at least two"):
        read_results(b"1\n0\n1\n")


def test_lists_beside_tables_are_refused():
    assert "others a table" in str(refusal({"a.txt": "1\n0\n", "b.csv": "x,y\n1,2\n"}))


@pytest.mark.parametrize("ids", [True, False])
def test_one_score_under_a_header_reads_by_the_files_names(ids):
    lists = {
        name: "".join(
            f"{'example' if i == 0 else f'q{i}'},{line}\n" if ids else f"{line},-\n"
            for i, line in enumerate(["score", *text.split()])
        )
        for name, text in score_lists("{d}.{s}.csv").items()
    }
    results = read(lists)
    assert results.datasets == ("mrpc", "rte")
    assert as_given(results) == EXPECTED


def test_roles_as_recognised_give_the_same_again():
    for contents in (WIDE, score_lists("{d}_{s}.txt")):
        results = read(contents)
        again = read(contents, roles=dict(results.reading.roles))
        assert again.fingerprint == results.fingerprint
        assert dict(again.reading.roles) == dict(results.reading.roles)


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

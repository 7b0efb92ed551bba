"""Examples keep their clusters in every layout, and only a column that groups examples is one."""

import io
import random
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.data import PValueTable, ResultSet, read_results
from core.data.layouts.registry import COUNTS, GOLD_NUMBERS, PREDICTIONS, SCORES, SCORES_IN_ROWS
from core.errors import DataError

# Example and document of six examples of 'x' and four of 'y'; 'a' is another document in 'y'.
DOCUMENTS = {
    "x": {"1": "a", "2": "a", "3": "b", "4": "b", "5": "b", "6": "c"},
    "y": {"1": "a", "2": "d", "3": "d", "4": "a"},
}
EXAMPLES = [(d, e, own[e]) for d, own in DOCUMENTS.items() for e in own]
HEADINGS = ("cluster", "Cluster_ID", "document", "Document ID", "documentId", "doc", "DOC-ID")


def lines(header, rows):
    return "\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n"


def numbers(dataset, example):
    """Two scores that differ from example to example."""
    n = int(example) + (10 if dataset == "y" else 0)
    return n * 37 % 11 / 10, n * 53 % 13 / 10


def wide(heading="document"):
    rows = [(d, e, c, *numbers(d, e)) for d, e, c in EXAMPLES]
    return lines(f"dataset,example,{heading},A,B", rows)


def in_rows(heading="document"):
    rows = [(d, e, c, s, numbers(d, e)[k]) for k, s in enumerate("AB") for d, e, c in EXAMPLES]
    return lines(f"dataset,example,{heading},system,score", rows)


FILES = {
    SCORES: wide(),
    SCORES_IN_ROWS: in_rows(),
    PREDICTIONS: lines(
        "dataset,example,document,gold,A,B",
        [(d, e, c, "pn"[int(e) % 2], "p", "n") for d, e, c in EXAMPLES],
    ),
    GOLD_NUMBERS: lines(
        "dataset,pair,document,gold,A,B",
        [(d, e, c, f"{int(e) ** 0.5:.3f}", *numbers(d, e)) for d, e, c in EXAMPLES],
    ),
    COUNTS: lines(
        "dataset,example,document,correct_A,correct_B,total",
        [(d, e, c, int(e) % 3, int(e) % 2, 5) for d, e, c in EXAMPLES],
    ),
    f"{COUNTS} in rows": lines(
        "dataset,example,document,system,correct,total",
        [(d, e, c, s, int(e) % n, 5) for n, s in ((2, "A"), (3, "B")) for d, e, c in EXAMPLES],
    ),
    "several metrics": lines(
        "dataset,example,document,metric,A,B",
        [(d, e, c, m, *numbers(d, e)) for m in ("acc", "f1") for d, e, c in EXAMPLES],
    ),
    "several runs": lines(
        "dataset,example,document,seed,A,B",
        [(d, e, c, r, *numbers(d, e)) for r in (1, 2) for d, e, c in EXAMPLES],
    ),
    "predictions of runs": lines(
        "dataset,example,document,seed,gold,A,B",
        [(d, e, c, r, "pn"[int(e) % 2], "p", "n") for r in (1, 2) for d, e, c in EXAMPLES],
    ),
    "runs in rows": lines(
        "dataset,example,document,seed,system,score",
        [
            (d, e, c, r, s, numbers(d, e)[k])
            for r in (1, 2)
            for k, s in enumerate("AB")
            for d, e, c in EXAMPLES
        ],
    ),
}
NEEDED = {name: {"runs": "average"} for name in FILES if "runs" in name}
NEEDED[GOLD_NUMBERS] = {"layout": GOLD_NUMBERS}


def read(text, **roles):
    content = text.encode() if isinstance(text, str) else text
    return read_results(content, name="file", roles=roles or None)


def refused(text, **roles):
    with pytest.raises(DataError) as caught:
        read(text, **roles)
    return caught.value


def groups(results, dataset):
    """The examples of each cluster, as sets of their ids."""
    codes = results.clusters_of(dataset)
    assert codes is not None
    by_code: dict[int, set[str]] = {}
    for example, code in zip(results.examples(dataset), codes.tolist(), strict=True):
        by_code.setdefault(code, set()).add(example)
    return {frozenset(own) for own in by_code.values()}


EXPECTED = {
    "x": {frozenset("12"), frozenset("345"), frozenset("6")},
    "y": {frozenset("14"), frozenset("23")},
}


def keeps_all(results):
    return {dataset: groups(results, dataset) for dataset in results.datasets} == EXPECTED


@pytest.mark.parametrize("name", FILES)
def test_every_layout_keeps_the_clusters(name):
    results = read(FILES[name], **NEEDED.get(name, {}))
    assert results.reading.roles["cluster"] == "document"
    assert results.clusters.column == "document"
    assert results.systems == ("A", "B")
    assert keeps_all(results)
    if " " not in name or name in (SCORES, SCORES_IN_ROWS, GOLD_NUMBERS, COUNTS):
        assert results.reading.layout == name


@pytest.mark.parametrize("name", FILES)
@settings(max_examples=30)
@given(seed=st.integers(0, 10**6))
def test_the_order_of_the_rows_moves_no_example_to_another_cluster(name, seed):
    header, *rows = FILES[name].splitlines()
    random.Random(seed).shuffle(rows)
    assert keeps_all(read("\n".join([header, *rows]), **NEEDED.get(name, {})))


@pytest.mark.parametrize("name", FILES)
def test_clusters_can_be_declared_and_declared_away(name):
    needed = NEEDED.get(name, {})
    without = read(FILES[name], **needed, cluster=None)
    assert without.clusters is None
    assert without.clusters_of("x") is None
    assert without.reading.roles["cluster"] is None
    other = FILES[name].replace("document", "chapter", 1)
    for cells in ("abcd", "9876"):
        # Names in digits are no scores of another system.
        text = other
        for old, new in zip("abcd", cells, strict=True):
            text = text.replace(f",{old},", f",{new},")
        declared = read(text, **needed, cluster="chapter")
        assert declared.clusters.column == "chapter"
        assert declared.systems == ("A", "B")
        assert keeps_all(declared)


def test_a_column_of_clusters_is_no_run_and_no_dataset():
    for heading in ("trial", "seed", "name"):
        rows = [(e, c, *numbers(d, e)) for d, e, c in EXAMPLES[:6]]
        results = read(lines(f"example,{heading},A,B", rows), cluster=heading)
        assert groups(results, "file") == EXPECTED["x"]
        assert (results.reading.roles["run"], results.reading.roles["dataset"]) == (None, None)


def test_who_declares_clusters_is_not_asked_whether_they_are_datasets():
    text = lines("chapter,A,B", [(c, *numbers(d, e)) for d, e, c in EXAMPLES[:6]])
    assert "'chapter' holds text that repeats and may name the datasets" in str(refused(text))
    assert read(text, cluster="chapter").clusters_of("file").tolist() == [0, 0, 1, 1, 1, 2]


@pytest.mark.parametrize("make", [wide, in_rows])
@pytest.mark.parametrize("heading", HEADINGS)
def test_clusters_are_known_by_their_heading(make, heading):
    results = read(make(heading))
    assert results.clusters.column == heading
    assert keeps_all(results)


@pytest.mark.parametrize("heading", ["group", "chapter", "paragraph", "doc_name", "clusters_n"])
def test_another_heading_says_nothing_of_clusters(heading):
    assert read(in_rows(heading)).clusters is None


def test_what_was_done_is_said():
    (said,) = [r for r in read(wide()).reading.remarks if "document" in r]
    assert said == (
        "Column 'document' groups the examples: 3 documents in 'x', 2 in 'y'; tests take whole "
        "documents unless told to take them apart. If the examples do not depend on each other, "
        "declare that no column holds clusters (role cluster)."
    )
    (said,) = [r for r in read(wide("cluster")).reading.remarks if "groups" in r]
    assert "3 clusters in 'x', 2 in 'y'; tests take whole clusters" in said


def test_clusters_are_numbered_within_their_dataset():
    results = read(wide())
    assert [codes.tolist() for codes in results.clusters.codes] == [
        [0, 0, 1, 1, 1, 2],
        [0, 1, 1, 0],
    ]


def test_a_column_of_all_different_values_groups_nothing():
    rows = [(d, e, f"{d}{e}", *numbers(d, e)) for d, e, _ in EXAMPLES]
    results = read(lines("dataset,example,cluster,A,B", rows))
    assert results.clusters is None
    assert results.reading.roles["cluster"] is None
    assert any("'cluster' stands in two examples" in said for said in results.reading.remarks)
    # So it is where only different datasets share them.
    rows = [(d, e, f"c{e}", *numbers(d, e)) for d, e, _ in EXAMPLES]
    assert read(lines("dataset,example,cluster,A,B", rows)).clusters is None
    # In rows each stands once for each system.
    rows = [(d, e, f"c{e}", s, numbers(d, e)[0]) for d, e, _ in EXAMPLES for s in "AB"]
    text = lines("dataset,example,cluster,system,score", rows)
    assert read(text).clusters is None
    assert read(text).reading.roles["cluster"] is None
    declared = read(text, cluster="cluster")
    assert declared.clusters is None
    assert any("'cluster' stands in two examples" in said for said in declared.reading.remarks)


def test_a_column_that_is_the_same_all_through_each_dataset_groups_datasets():
    rows = [(f"{d}{i}", e, d, *numbers(d, e)) for i in (1, 2) for d, e, _ in EXAMPLES]
    results = read(lines("dataset,example,cluster,A,B", rows))
    assert results.clusters is None
    assert set(results.reading.dataset_labels) == {"cluster"}


def test_a_document_that_is_the_only_unique_id_is_the_example():
    for heading in ("doc_id", "document_id", "doc"):
        rows = [(d, f"{d}{e}", *numbers(d, e)) for d, e, _ in EXAMPLES]
        results = read(lines(f"dataset,{heading},A,B", rows))
        assert results.reading.roles["example"] == heading
        assert results.clusters is None
        rows = [(d, f"{d}{e}", s, numbers(d, e)[0]) for s in "AB" for d, e, _ in EXAMPLES]
        results = read(lines(f"dataset,{heading},system,score", rows))
        assert results.reading.roles["example"] == heading
        assert results.clusters is None


@pytest.mark.parametrize("heading", ["doc_id", "document_id", "doc"])
def test_a_document_with_several_rows_is_no_example(heading):
    rows = [(d, c, *numbers(d, e)) for d, e, c in EXAMPLES]
    results = read(lines(f"dataset,{heading},A,B", rows))
    assert results.reading.roles["example"] is None
    assert results.clusters_of("x").tolist() == [0, 0, 1, 1, 1, 2]
    # A mere counter of examples becomes their id then.
    rows = [(d, c, e, *numbers(d, e)) for d, e, c in EXAMPLES]
    results = read(lines(f"dataset,{heading},id,A,B", rows))
    assert results.reading.roles["example"] == "id"
    assert keeps_all(results)


def test_one_document_that_stands_twice_is_a_mistake_where_it_is_the_only_id():
    rows = [("x", f"d{max(i, 1)}", i % 2, i // 2 % 2) for i in range(12)]
    error = refused(lines("dataset,doc_id,A,B", rows))
    assert [problem.line for problem in error.problems] == [3]
    assert "this one for the clusters" in str(error)
    named = [("x", f"d{max(i, 1)}", i, i % 2, i // 2 % 2) for i in range(12)]
    for ids in ("item", "id", "uid", "line"):
        results = read(lines(f"dataset,doc_id,{ids},A,B", named))
        assert results.reading.roles["example"] == ids
        assert results.clusters_of("x").tolist() == [0, *range(11)]


def test_ids_beside_each_of_two_ways_to_score_are_no_clusters():
    # A harness writes an example once for each filter of its answers.
    rows = [("x", i, f, i % 2, i % 3 % 2) for f in ("strict", "flexible") for i in range(9)]
    error = refused(lines("dataset,doc_id,filter,A,B", rows))
    assert "The example '0' is already on line 2. 'filter' tells these rows apart" in str(error)


def test_an_empty_cell_is_a_problem_and_all_are_named():
    text = wide().replace("x,3,b", "x,3,").replace("y,2,d", "y,2,NA").replace("y,4,a", "y,4, ")
    error = refused(text.replace("x,1,a,0.4", "x,1,a,none"))
    named = [(p.dataset, p.line, p.column) for p in error.problems]
    assert named == [
        ("x", 2, "A"),
        ("x", 4, "document"),
        ("y", 9, "document"),
        ("y", 11, "document"),
    ]
    assert "declare that no column holds clusters" in error.problems[1].remedy
    assert read(text, cluster=None).clusters is None


@pytest.mark.parametrize("name", [SCORES_IN_ROWS, COUNTS, f"{COUNTS} in rows", PREDICTIONS])
def test_an_empty_cell_is_found_in_every_layout(name):
    error = refused(FILES[name].replace("x,3,b", "x,3,", 1))
    assert [(p.dataset, p.line, p.column) for p in error.problems] == [("x", 4, "document")]


def test_an_almost_empty_column_in_which_nothing_repeats_is_none_of_clusters():
    text = wide()
    for cell in "abd":
        text = text.replace(f",{cell},", ",,")
    assert read(text).clusters is None


def test_rows_of_one_example_that_disagree_are_named_with_both_lines():
    header, *rows = in_rows().splitlines()
    rows[10 + 2] = rows[10 + 2].replace(",b,", ",c,")
    rows[10 + 8] = rows[10 + 8].replace(",d,", ",a,")
    error = refused("\n".join([header, *rows]))
    assert [(p.dataset, p.line, p.column) for p in error.problems] == [
        ("x", 14, "document"),
        ("y", 20, "document"),
    ]
    assert error.problems[0].what == (
        "The rows of the example '3' name different clusters: 'c' here, 'b' on line 4."
    )
    assert isinstance(read("\n".join([header, *rows]), cluster=None), ResultSet)


@pytest.mark.parametrize("name", ["several runs", "several metrics", f"{COUNTS} in rows"])
def test_all_rows_of_an_example_must_agree(name):
    header, *rows = FILES[name].splitlines()
    rows[10 + 2] = rows[10 + 2].replace(",b,", ",c,")
    error = refused("\n".join([header, *rows]), **NEEDED.get(name, {}))
    assert [(p.dataset, p.line) for p in error.problems] == [("x", 14)]
    assert "'b' on line 4" in error.problems[0].what


def test_rows_paired_in_their_order_must_agree():
    rows = [(d, c, s, numbers(d, e)[k]) for k, s in enumerate("AB") for d, e, c in EXAMPLES]
    header = "dataset,document,system,score"
    assert read(lines(header, rows)).clusters_of("x").tolist() == [0, 0, 1, 1, 1, 2]
    rows[12], rows[15] = rows[15], rows[12]
    error = refused(lines(header, rows))
    assert [p.line for p in error.problems] == [14, 17]
    assert "paired with it in their order" in error.problems[0].what
    assert "'b' on line 4" in error.problems[0].what


def packed(files):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return buffer.getvalue()


def own_file(dataset, k, heading="document"):
    rows = [(e, c, numbers(dataset, e)[k]) for e, c in DOCUMENTS[dataset].items()]
    return lines(f"example,{heading},score", rows)


def test_files_of_several_systems_must_agree():
    files = {f"{d}.{s}.csv": own_file(d, k) for d in "xy" for k, s in enumerate("AB")}
    assert keeps_all(read(packed(files)))
    files["y.B.csv"] = files["y.B.csv"].replace("2,d", "2,a")
    error = refused(packed(files))
    assert [(p.file, p.dataset, p.line) for p in error.problems] == [("y.B.csv", "y", 3)]
    assert "'d' on line 3 of 'y.A.csv'" in error.problems[0].what


def test_files_with_clusters_in_digits_under_another_heading_have_one_score_column():
    files = {}
    for d, k, s in [(d, k, s) for d in "xy" for k, s in enumerate("AB")]:
        header, *rows = own_file(d, k, "chapter").splitlines()
        cells = [row.translate(str.maketrans("abcd", "5678")) for row in rows]
        files[f"{d}.{s}.csv"] = "\n".join([header, *cells])
    assert keeps_all(read(packed(files), cluster="chapter"))


def test_incomplete_examples_drop_their_clusters_even_empty_ones():
    text = wide().replace("x,1,a", "x,1,").replace("x,1,,0.4", "x,1,,")
    results = read(text, incomplete="leave-out")
    assert groups(results, "x") == {frozenset("2"), frozenset("345"), frozenset("6")}
    assert results.clusters_of("x").tolist() == [0, 1, 1, 1, 2]
    text = FILES[f"{COUNTS} in rows"].replace("x,6,c,A,0", "x,6,,A,")
    results = read(text, incomplete="leave-out")
    assert groups(results, "x") == {frozenset("12"), frozenset("345")}
    error = refused(text.replace("y,2,d,A", "y,2,,A"), incomplete="leave-out")
    assert [(p.dataset, p.line) for p in error.problems] == [("y", 9)]


def test_one_run_alone_keeps_the_clusters():
    assert keeps_all(read(FILES["runs in rows"], runs="only:2"))


def test_documents_that_are_read_are_still_found_in_other_datasets():
    passage = {
        c: f"The story of {c} is long, and nobody remembers all of it in the end." for c in "abcd"
    }
    rows = [(d, e, passage[c], f"Question {e} on {c} in {d}?") for d, e, c in EXAMPLES]
    text = lines(
        "dataset;example;document;question;A;B",
        [[";".join([*row, str(i % 2), str(i % 3 % 2)])] for i, row in enumerate(rows)],
    )
    results = read(text)
    assert keeps_all(results)
    assert "document" in results.inputs.text_columns
    # Names of documents are no text.
    results = read(wide())
    assert results.inputs is None
    assert read(wide(), cluster=None).inputs is not None


def test_published_tables_and_counts_of_right_and_wrong_have_no_clusters():
    rows = [(f"d{i}", "one", 90, 80, 0.1) for i in range(3)]
    table = read(lines("dataset,document,A,B,p_value", rows))
    assert isinstance(table, PValueTable)
    assert table.reading is not None
    assert "cluster" not in table.reading.roles
    text = lines(
        "dataset,document,both_right,a_right_b_wrong,a_wrong_b_right,both_wrong",
        [(f"d{i}", "one", 9, 8, 1, 1) for i in range(3)],
    )
    counts = read(text)
    assert counts.clusters is None
    assert "cluster" not in counts.reading.roles
    assert "The role 'cluster' is given" in str(refused(text, cluster="document"))


def test_ids_that_begin_anew_in_each_document_are_explained():
    rows = [("x", f"d{i // 3}", i % 3, i % 2, i % 4 % 3 % 2) for i in range(9)]
    text = lines("dataset,document,sentence_id,A,B", rows)
    assert "If the ids begin anew within 'document'" in refused(text).problems[0].remedy
    assert read(text, example=None).clusters_of("x").tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2]


def test_a_column_cannot_be_clusters_and_something_else():
    chosen = read(wide(), cluster="example")
    assert chosen.examples("x") is None
    assert chosen.reading.roles["example"] is None
    header, *rows = wide().splitlines()
    more = [f"{header},C", *(f"{row},{i % 4}" for i, row in enumerate(rows))]
    chosen = read("\n".join(more), cluster="C")
    assert chosen.systems == ("A", "B")
    assert chosen.clusters_of("x").tolist() == [0, 1, 2, 3, 0, 1]
    error = refused(wide(), cluster="document", example="document")
    assert "several roles: example, cluster" in str(error)
    assert "which the file does not have" in str(refused(wide(), cluster="nowhere"))


@pytest.mark.parametrize("name", FILES)
def test_the_roles_of_a_reading_give_the_same_clusters_again(name):
    for chosen in ({}, {"cluster": None}, {"cluster": "document"}):
        first = read(FILES[name], **NEEDED.get(name, {}), **chosen)
        again = read(FILES[name], **first.reading.roles)
        assert again.reading == first.reading
        assert again.fingerprint == first.fingerprint
        assert (again.clusters is None) == (first.clusters is None)

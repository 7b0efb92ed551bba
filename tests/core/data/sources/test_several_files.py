"""Several files read as the one file that they make, and their names are told apart."""

import pytest

from core.data.reading import ReadingStopped
from core.data.sources.name_grid import SYSTEM_FIRST, find_grid
from core.errors import DataError
from tests.core.data.tools.files_of import read

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


def test_a_file_spelled_otherwise_is_missing_under_the_name_that_others_have() -> None:
    names = ["news.A.ende", "news.B.ende", "news.A.enfr", "news.B.en-fr"]
    names += ["news.A.encs", "news.B.encs"]
    with pytest.raises(DataError) as caught:
        find_grid(names, [1] * len(names), whole="all", order=SYSTEM_FIRST)
    missing = {problem.what.split("'")[1]: problem.remedy for problem in caught.value.problems}
    assert missing.keys() == {"news.B.enfr", "news.A.en-fr"}
    assert all("spell it alike" in remedy for remedy in missing.values())


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


@pytest.mark.parametrize(
    ("files", "columns"),
    [
        (("ours", "baseline"), "foo,bar"),
        (("bert", "xlnet"), "ndcg@10,recall@100"),
        (("bert", "xlnet"), "Bleu_4,CIDEr"),
        (("bert", "xlnet"), "rouge1-F,rougeL-F"),
    ],
)
def test_files_of_one_system_each_hold_its_metrics(files, columns):
    rows = "1,.3,.4\n2,.5,.2\n3,.1,.6\n"
    later = rows.replace("2,.5,.2", "2,.4,.1")
    results = read(
        {f"{files[0]}.csv": f"id,{columns}\n{rows}", f"{files[1]}.csv": f"id,{columns}\n{later}"}
    )
    assert results.systems == files
    assert results.metrics == tuple(columns.split(","))


def test_files_of_systems_in_datasets_stay_datasets():
    text = "id,ours,base\n1,1,0\n2,0,1\n3,1,1\n"
    assert read({"ours_news.csv": text, "mail.csv": text}).systems == ("ours", "base")


@pytest.mark.parametrize("step", ["step", "epoch"])
def test_steps_of_training_are_no_examples_where_each_system_has_a_file(step):
    text = f"{step},accuracy\n1,.5\n2,.6\n3,.7\n"
    with pytest.raises(DataError, match="points of a learning curve are not examples"):
        read({"a.csv": text, "b.csv": text.replace(".6", ".5")})

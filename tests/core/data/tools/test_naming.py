"""Systems are named by folders, else by what differs in names of files; words of tools are known."""

from core.data.sources.name_grid import systems_of_names, without_name
from core.data.tools.agreement import named_by_path, names_by_path
from core.data.tools.gathered import average
from core.data.tools.helm import read_run_name
from core.data.tools.inspect_logs import number_of
from tests.core.data.tools.files_of import nothing_yet

MONDAY, TUESDAY = "2024-05-06T10-00-00.123456", "2024-05-06T11-30-00.654321"


def names(*files: str) -> list[str]:
    """Each file as 'path dataset'."""
    pairs = [(path, dataset) for path, _, dataset in (one.partition(" ") for one in files)]
    found, _ = names_by_path(pairs)
    return [found[path] for path, _ in pairs]


def test_folders_that_differ_within_a_dataset_name_systems():
    for files, expected in [
        (("a/rte.json rte", "b/rte.json rte"), ["a", "b"]),
        (("out/a/rte.json rte", "out/b/rte.json rte"), ["a", "b"]),
        (("a/rte/x.json rte", "b/rte/x.json rte", "a/boolq/x.json boolq"), ["a", "b", "a"]),
        (("rte/a/x.json rte", "rte/b/x.json rte", "boolq/a/x.json boolq"), ["a", "b", "a"]),
        (
            ("zero/a/x.json rte", "zero/b/x.json rte", "five/a/x.json rte"),
            ["zero/a", "zero/b", "five/a"],
        ),
        (("a/x.json rte", "deep/b/x.json rte"), ["a", "deep/b"]),
        (("a/rte.json rte", "a/boolq.json boolq"), ["a", "a"]),
    ]:
        assert names(*files) == expected, (files, expected)


def test_else_what_differs_in_names_of_files_beside_the_dataset():
    for files, expected in [
        (("rte_a.json rte", "rte_b.json rte"), ["a", "b"]),
        (("a-rte.jsonl.gz rte", "b-rte.jsonl.gz rte"), ["a", "b"]),
        (("x/samples_rte_a.json rte", "x/samples_rte_b.json rte"), ["a", "b"]),
        # No name is empty, and none is cut within a word.
        (("gpt2_rte.json rte", "gpt2_large_rte.json rte"), ["gpt2", "gpt2_large"]),
        (("large_gpt2_rte.json rte", "gpt2_rte.json rte"), ["large_gpt2", "gpt2"]),
        (("pythia160_rte.json rte", "pythia410_rte.json rte"), ["pythia160", "pythia410"]),
        (
            (f"samples_rte_{MONDAY}.jsonl rte", f"samples_rte_{TUESDAY}.jsonl rte"),
            [MONDAY, TUESDAY],
        ),
        # Folders of datasets name no systems.
        (
            ("rte/a.json rte", "rte/b.json rte", "boolq/a.json boolq", "boolq/b.json boolq"),
            ["a", "b", "a", "b"],
        ),
        # What differs between datasets alone is no part of a name.
        (
            ("rte_a.json rte", "rte_b.json rte", "boolq_b.json boolq", "boolq_a.json boolq"),
            ["a", "b", "b", "a"],
        ),
    ]:
        assert names(*files) == expected, (files, expected)


def test_what_hyphens_and_versions_join_stays_one_name():
    for first, second in (
        ("Online-A", "Online-G"),
        ("gpt-3.5", "gpt-4.5"),
        ("bert-base-cased", "bert-large-cased"),
    ):
        assert names(f"{first}.json rte", f"{second}.json rte") == [first, second]
        assert names(f"rte_{first}_dev.json rte", f"rte_{second}_dev.json rte") == [first, second]
    dated = (f"a-{MONDAY}.json rte", f"a-{TUESDAY}.json rte")
    assert names(*dated) == [MONDAY, TUESDAY]


def test_files_that_name_their_system_keep_it_and_the_others_are_remarked():
    whole, again = nothing_yet(), nothing_yet()
    found = named_by_path(
        [
            average("a/1.json", "rte", "mine", {"acc": "1"}),
            average("b/1.json", "rte", "", {"acc": "0"}),
        ],
        whole,
    )
    assert [one.system for one in found] == ["mine", "b"]
    (remark,) = whole.remarks
    assert "'b'" in remark
    assert "'mine'" not in remark
    assert named_by_path(found, again) == found
    assert again.remarks == []


def test_a_name_is_taken_out_of_another_only_between_separators():
    rests = {"samples_rte_a": "samples_a", "rte-a": "a", "a.rte": "a", "rtes_a": "rtes_a"}
    rests["rte"] = ""
    assert {stem: without_name(stem, "rte") for stem in rests} == rests
    assert (without_name("a_(b+)_c", "(b+)"), without_name("a", "")) == ("a_c", "a")


def test_systems_that_only_dates_tell_apart_come_with_the_advice_to_rename():
    def remark(*paths: str) -> str:
        found = [average(p, "rte", "", {"acc": "1"}) for p in paths]
        whole = nothing_yet()
        named_by_path(found, whole)
        return " ".join(whole.remarks)

    dated = remark(f"samples_rte_{MONDAY}.jsonl", f"samples_rte_{TUESDAY}.jsonl")
    assert "rename" in dated
    assert "rename" not in remark("rte_a.json", "rte_b.json")


def test_systems_of_no_files_are_none():
    assert systems_of_names([], []) == []
    paths = ["a.x", "b.x", "a.y", "b.y"]
    assert systems_of_names(paths, ["1", "1", "2", "2"]) == ["a", "b", "a", "b"]
    assert systems_of_names(paths, ["1", "2", "3", "4"]) == [""] * 4


def test_a_run_name_has_a_scenario_a_model_and_settings():
    for name, *parts in [
        ("gsm:model=openai_gpt-4o,stop=none", "gsm", "openai_gpt-4o", "stop=none"),
        ("mmlu:subject=x,method=joint,model=m", "mmlu:subject=x,method=joint", "m", ""),
        ("mmlu%3Asubject%3Dx%2Cmodel%3Dm", "mmlu:subject=x", "m", ""),
        ("wiki:k=5,groups=a,b,model=m", "wiki:k=5,groups=a,b", "m", ""),
        ("runs", "runs", "", ""),
    ]:
        found = read_run_name(name)
        assert [found.dataset, found.model, found.settings] == parts


def test_values_are_read_as_by_value_to_float_and_others_stay():
    for value, number in [
        *zip("CIPN", ("1", "0", "0.5", "0"), strict=True),
        *(("yes", "1"), ("No", "0"), ("TRUE", "1"), ("0.25", "0.25"), ("B", "B"), ("", "")),
    ]:
        assert number_of(value) == number, (value, number)

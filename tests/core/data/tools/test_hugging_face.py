"""LightEval's files and the Hub's results, as their documentation writes them."""

from __future__ import annotations

import io
import json
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from core.data.score_table import ScoreTable
from core.data.sources.archives import zipped
from tests.core.data.tools.files_of import kind_of, read, refused

# LightEval

DAY = "2025-03-01T10-00-00.123456"


def details(values: list[Any]) -> bytes:
    rows = [
        {
            "__doc__": {"query": f"q{i}", "choices": ["a"], "task_name": "lighteval|gsm8k|0"},
            "__model_response__": {"text": ["a"]},
            "__metric__": {"em": value, "text": "kept out"},
        }
        for i, value in enumerate(values)
    ]
    packed = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), packed)
    return packed.getvalue()


def lighteval_results(model: str, em: float) -> str:
    metric = {"metric_name": "em", "higher_is_better": True}
    return json.dumps(
        {
            "config_general": {"lighteval_sha": "x", "model_name": model},
            "results": {
                f"lighteval|{task}|0": {"em": em, "em_stderr": 0.1} for task in ("gsm8k", "arc")
            }
            | {"lighteval|mmlu:_average|0": {"em": 0.5}, "all": {"em": em}},
            "config_tasks": {"lighteval|gsm8k|0": {"metrics": [metric]}},
        }
    )


def test_details_are_compared_example_by_example_and_named_by_the_results_of_their_date():
    other = DAY.replace("10-", "11-")
    files: dict[str, str | bytes] = {
        f"details/m/a/{DAY}/details_lighteval|gsm8k|0_{DAY}.parquet": details([1.0, 0.0, 1.0]),
        f"details/m/b/{other}/details_lighteval|gsm8k|0_{other}.parquet": details([0, 1, 1]),
        f"results/m/a/results_{DAY}.json": lighteval_results("m/a", 0.66),
        f"results/m/b/results_{other}.json": lighteval_results("m/b", 0.66),
    }
    results = read(files)
    assert (results.datasets, results.systems) == (("gsm8k",), ("m/a", "m/b"))
    assert results.metrics == ("em",)
    assert list(results.scores("gsm8k", "m/b")) == [0, 1, 1]
    unnamed = read({name: content for name, content in files.items() if "details_" in name})
    assert unnamed.systems == (f"a/{DAY}", f"b/{other}")


def test_a_parquet_file_that_is_cut_off_is_refused():
    whole = details([1.0, 0.0])
    assert "cannot be read" in str(refused({"details_x.parquet": whole[:4] + whole[40:]}))


# The Hub


def test_results_of_two_repositories_are_one_score_each():
    table = read(
        {
            "org__a/.eval_results/hle.yaml": (
                "# of the card\n- dataset:\n    id: cais/hle  # the benchmark\n"
                "    task_id: default\n  value: 20.90\n  source:\n    url: https://x.y/a#b\n"
            ),
            "org__a/.eval_results/gpqa.yaml": (
                "- dataset:\n    id: Idavidrein/gpqa\n    task_id: gpqa_diamond\n  value: 0.412\n"
            ),
            "org__b/.eval_results/all.yaml": (
                '- dataset:\n    id: cais/hle\n    task_id: default\n  value: 22.1\n'
                '- dataset: \n    id: "Idavidrein/gpqa"\n    task_id: gpqa_diamond\n'
                "  value: 0.5\n- dataset:\n    id: cais/hle\n    task_id: default\n"
                "  value: 44.9\n  notes: 'With tools'\n"
            ),
            "org__b/config.yaml": "a: 1\n",
        },
        roles={"incomplete": "leave-out"},
    )  # fmt: skip
    assert kind_of(table) is ScoreTable
    assert table.systems == ("org__a", "org__b")
    assert table.datasets == ("cais/hle", "Idavidrein/gpqa (gpqa_diamond)")
    assert table.values.tolist() == [[20.9, 22.1], [0.412, 0.5]]


def card(model: str, *values: str) -> str:
    results = "".join(
        f"""\
  - task:
      type: text-classification
      name: Text Classification
    dataset:
      name: {name}
      type: x
      config: {name.lower()}
      split: test
      args:
        language: en
    metrics:
    - type: accuracy
      value: {value}
      name: Accuracy
      verified: true
    - {{type: f1, value: 1}}
"""
        for name, value in zip(("SST", "RTE"), values, strict=True)
    )
    about = "license: mit\nsummary: |\n  text: of several\n  lines\n"
    return f"---\n{about}model-index:\n- name: {model}\n  results:\n{results}---\n# {model}\n\nmodel-index: in the header\n"


def test_model_cards_are_read_by_their_header():
    cards: dict[str, str | bytes] = {
        f"{m}/README.md": card(m, *v) for m, v in (("a", "12"), ("b", "34"))
    }
    assert "'Accuracy', 'f1'" in str(refused(cards))
    table = read(cards, roles={"measure": "only:Accuracy"})
    assert table.datasets == ("SST (sst, test)", "RTE (rte, test)")
    assert table.values.tolist() == [[1, 3], [2, 4]]
    assert table.reading.roles["metric"] == "Accuracy"


def test_repositories_in_an_archive_are_read_as_their_files_are():
    result = b"- dataset:\n    id: cais/hle\n    task_id: default\n  value: 20.9\n"
    both = {f"{m}/.eval_results/hle.yaml": result for m in "ab"}
    cards = {f"{m}/README.md": card(m, *v).encode() for m, v in (("a", "12"), ("b", "34"))}
    for files, roles in ((both, {}), (cards, {"measure": "only:Accuracy"})):
        packed = zipped({**files, "README.md": b"# Results\n", "c/config.yaml": b"a: 1\n"})
        table = read({"all.zip": packed}, roles=roles)
        assert table.values.tolist() == read(files, roles=roles).values.tolist()
        assert "Not read from the archive: 'README.md', 'c/config.yaml'." in table.reading.remarks


# MTEB

REVISIONS = ("8b3219a92973c328a8e22fadcfa821b5dc75636a", "0" * 40)


def of_mteb(task: str, score: float, *subsets: str) -> str:
    held = [
        {"accuracy": score + i, "main_score": score + i, "hf_subset": name, "languages": ["eng"]}
        for i, name in enumerate(subsets or ("default",))
    ]
    return json.dumps(
        {
            "dataset_revision": "x",
            "task_name": task,
            "mteb_version": "1.14",
            "scores": {"test": held},
            "evaluation_time": 12.5,
        }
    )


def test_mteb_gives_each_task_and_subset_its_main_score_under_the_models_name():
    a, b = REVISIONS
    results = read(
        {
            f"org__one/{a}/model_meta.json": json.dumps({"name": "org/one", "revision": a}),
            f"org__one/{a}/B77.json": of_mteb("Banking77", 0.25),
            f"org__one/{a}/STS.json": of_mteb("STS22", 0.5, "en", "de"),
            f"org__two/{b}/B77.json": of_mteb("Banking77", 0.125),
            f"org__two/{b}/STS.json": of_mteb("STS22", 0.375, "en", "de"),
        }
    )
    assert kind_of(results) is ScoreTable
    assert results.systems == ("org/one", "org/two")
    assert results.datasets == ("Banking77", "STS22 (en)", "STS22 (de)")
    assert results.values.tolist() == [[0.25, 0.125], [0.5, 0.375], [1.5, 1.375]]
    assert (results.metric, results.higher_is_better) == ("main_score", True)
    assert "measure" in {choice.role for choice in results.reading.choices}


def test_mtebs_older_files_hold_subsets_by_name_and_similarities_by_kind():
    def old(pearson: float) -> str:
        own = {"cos_sim": {"pearson": pearson, "spearman": 0.5}}
        whole = {"test": {"de": own, "evaluation_time": 3.5}, "mteb_version": "0.0.2"}
        return json.dumps({**whole, "mteb_dataset_name": "STS22"})

    files = {"one/STS22.json": old(0.25), "two/STS22.json": old(0.75)}
    results = read(files, roles={"measure": "only:cos_sim_pearson"})
    assert results.datasets == ("STS22 (de)",)
    assert results.values.tolist() == [[0.25, 0.75]]


def test_two_revisions_of_one_model_are_two_systems():
    files = {f"org__one/{r}/B.json": of_mteb("B", 0.5) for r in REVISIONS}
    assert len(read(files).systems) == 2

"""Files of lm-evaluation-harness; what they are read as stands in the corpus of `tests/frozen`."""

import json

import pytest

from core.data.reading import ReadingStopped
from tests.core.data.tools.files_of import read, refused


def samples(**more: str) -> dict[str, list[str]]:
    record = {"doc": {"question": "?"}, "filter": "none", "metrics": ["acc", *more], "acc": 1.0}
    whole = {**record, "doc_hash": "5f", "filtered_resps": [], **more}
    return {
        f"out/org__{name}/samples_arc_easy_2024-05-06T10-00-00.123456.jsonl": [
            json.dumps({"doc_id": i, **whole}) for i in range(4)
        ]
        for name in "ab"
    }


def test_what_is_a_text_in_every_record_is_no_metric():
    assert read(samples(category="maths")).metrics == ("acc",)
    assert read(samples(passed="true")).metrics == ("acc", "passed")


def test_filters_are_metrics_and_have_to_judge_the_same_documents():
    for n, files in ((4, samples()), (2, samples())):
        for lines in files.values():
            lines += [line.replace('"none"', '"strict"') for line in lines[:n]]
        if n == 4:
            assert read(files).metrics == ("acc,none", "acc,strict")
        else:
            assert "4 records by the filter 'none', but 2 by 'strict'" in str(refused(files))


def test_reading_can_be_stopped_within_a_file():
    files = samples()
    assert read(files).systems == ("org__a", "org__b")
    stages: list[str] = []

    def stop(stage: str, share: float) -> bool:
        stages.append(stage)
        return stage != "cutting" or share <= 0.1

    with pytest.raises(ReadingStopped):
        read(files, on_progress=stop)
    assert "reading" not in stages


def test_averages_whose_files_do_not_say_the_direction_have_that_of_the_tools_tasks():
    files = {
        f"{name}/results_2024-05-06T10-00-00.json": json.dumps(
            {"results": {"crows_pairs": {"pct_stereotype,none": 0.5, "pct_stereotype_stderr": 0}}}
        )
        for name in "ab"
    }
    assert read(files).higher_is_better is False

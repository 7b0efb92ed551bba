"""Files of lm-evaluation-harness; what they are read as stands in the corpus of `tests/frozen`."""

import json

import pytest

from core.data.reading import ReadingStopped
from tests.core.data.tools.files_of import read


def test_reading_can_be_stopped_within_a_file():
    records = [
        {"doc_id": i, "doc": {"question": "?"}, "filter": "none", "metrics": ["acc"], "acc": 1.0}
        for i in range(4)
    ]
    files = {
        f"out/org__{name}/samples_arc_easy_2024-05-06T10-00-00.123456.jsonl": [
            json.dumps({**one, "doc_hash": "5f", "filtered_resps": []}) for one in records
        ]
        for name in "ab"
    }
    assert read(files).systems == ("org__a", "org__b")
    stages: list[str] = []

    def stop(stage: str, share: float) -> bool:
        stages.append(stage)
        return stage != "cutting" or share <= 0.1

    with pytest.raises(ReadingStopped):
        read(files, on_progress=stop)
    assert "reading" not in stages

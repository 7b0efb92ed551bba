"""``python -m tests.frozen [subject …]``: store the facts anew, and say which ones changed."""

import json
import sys

from tests.frozen.compare import differences
from tests.frozen.facts import (
    CORPUS,
    REAL_DATA,
    STORED,
    SUBJECTS,
    corpus,
    facts_of,
    outcome_of_case,
    plain,
)


def main(subjects: list[str]) -> int:
    """Store what is asked for; unknown subjects end with 2."""
    unknown = [name for name in subjects if name not in (*SUBJECTS, "corpus")]
    if unknown:
        print(f"No such subject: {', '.join(unknown)}. There are: {', '.join(SUBJECTS)}, corpus.")
        return 2
    STORED.mkdir(exist_ok=True)
    for name, facts_now in SUBJECTS.items():
        if (subjects and name not in subjects) or (name == "real" and not REAL_DATA.is_dir()):
            continue
        path = STORED / f"{name}.json"
        before = json.loads(path.read_text(encoding="utf-8")) if path.exists() else None
        now = plain(facts_now())
        for line in differences(before, now):
            print(f"{name}: {line}"[:300])
        path.write_text(_lines(now), encoding="utf-8")
    if not subjects or "corpus" in subjects:
        cases = corpus()
        for case in cases:
            now = plain(facts_of(outcome_of_case(case)))
            for line in differences(case.get("facts"), now):
                print(f"corpus, {case['title']}: {line}"[:300])
            case["facts"] = now
        CORPUS.write_text(
            "".join(json.dumps(case, ensure_ascii=False) + "\n" for case in cases), encoding="utf-8"
        )
    return 0


def _lines(value: object, indent: int = 0) -> str:
    """JSON with a line for each entry, and lists of plain values on one line."""
    if isinstance(value, dict) and value:
        inner = " " * (indent + 1)
        entries = [
            f"{inner}{json.dumps(key, ensure_ascii=False)}: {_lines(item, indent + 1)}"
            for key, item in value.items()
        ]
        return "{\n" + ",\n".join(entries) + "\n" + " " * indent + "}" + ("" if indent else "\n")
    return json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Reading 100 MB of lm-evaluation-harness samples beside json.loads of the same lines.

Processor time, as a ratio within one process; the whole of reading counts: recognising, matching by documents, and the set of results.
"""

import json
import time
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from core import read_results
from tests.benchmarks.timing import medians, verdict

MODELS = ("EleutherAI__pythia-160m", "EleutherAI__pythia-410m")
DATES = ("2024-05-01T10-00-00.123456", "2024-05-02T11-30-00.654321")
N_BYTES = 100_000_000
# At most so many times json.loads.
ASKED = 2.0
ROUNDS = 5


def choices_record(rng: np.random.Generator, task: str, number: int) -> dict[str, object]:
    """A question with four answers: about 2 kB, as ARC or MMLU have them."""
    question = f"{task} {number}: " + "What is most likely to happen next in this process? " * 3
    answers = [f"answer {letter} of question {number}" for letter in "ABCD"]
    scores = rng.normal(-20, 5, 4)
    responses = [[str(score), "False"] for score in scores]
    return {
        "doc_id": number,
        "doc": {"id": f"{task}_{number}", "question": question, "choices": answers},
        "target": "1",
        "arguments": {
            f"gen_args_{i}": {"arg_0": f"Question: {question}\nAnswer:", "arg_1": f" {answer}"}
            for i, answer in enumerate(answers)
        },
        "resps": [[response] for response in responses],
        "filtered_resps": responses,
        "filter": "none",
        "metrics": ["acc", "acc_norm"],
        **_hashes(task, number),
        "acc": float(scores.argmax() == 1),
        "acc_norm": float(scores.argmax() < 2),
    }


def generated_record(rng: np.random.Generator, task: str, number: int) -> dict[str, object]:
    """A generated answer: some 9 kB with examples in the prompt, as GSM8K has them."""
    shots = "\n\n".join(
        f"Question: how many are {i}? Answer: {'think, ' * 80}{i}" for i in range(8)
    )
    answer = "First we add, then we take away. " * 20 + str(int(rng.integers(100)))
    return {
        "doc_id": number,
        "doc": {"question": f"{task} {number}: how many are left?", "answer": answer},
        "target": answer,
        "arguments": {"gen_args_0": {"arg_0": shots, "arg_1": {"until": ["Question:"]}}},
        "resps": [[answer]],
        "filtered_resps": [answer],
        "filter": "strict-match",
        "metrics": ["exact_match"],
        **_hashes(task, number),
        "exact_match": float(rng.integers(2)),
    }


def _hashes(task: str, number: int) -> dict[str, str]:
    return {
        name: sha256(f"{name} {task} {number}".encode()).hexdigest()
        for name in ("doc_hash", "prompt_hash", "target_hash")
    }


def write_samples(
    folder: Path, record: Callable[[np.random.Generator, str, int], dict[str, object]], n_tasks: int
) -> list[Path]:
    """Files of two models on so many tasks, together of the size asked for."""
    rng = np.random.default_rng(0)
    n_each = N_BYTES // (len(json.dumps(record(rng, "task", 0))) * n_tasks * len(MODELS))
    paths = []
    for model, date in zip(MODELS, DATES, strict=True):
        (folder / model).mkdir(parents=True)
        for task in (f"task_{i}" for i in range(n_tasks)):
            path = folder / model / f"samples_{task}_{date}.jsonl"
            with path.open("w") as file:
                for number in range(n_each):
                    file.write(json.dumps(record(rng, task, number), ensure_ascii=False) + "\n")
            paths.append(path)
    return paths


def ours(paths: list[Path]) -> object:
    """Read, matched and checked."""
    return read_results(paths)


def peer(paths: list[Path]) -> None:
    """Each line read, and forgotten."""
    for path in paths:
        for line in path.read_bytes().split(b"\n"):
            if line:
                json.loads(line)


def main() -> None:
    """Long and short records, in few files and in many."""
    for title, record, n_tasks in (
        ("questions with four answers, 2 files", choices_record, 1),
        ("questions with four answers, 114 files", choices_record, 57),
        ("generated answers, 2 files", generated_record, 1),
    ):
        with TemporaryDirectory() as folder:
            paths = write_samples(Path(folder), record, n_tasks)
            size = sum(path.stat().st_size for path in paths)
            own, other = medians(
                partial(ours, paths), partial(peer, paths), rounds=ROUNDS, clock=time.process_time
            )
        found = own / other
        print(
            f"{f'reading {size / 1e6:.0f} MB of samples, {title}':72} {found:5.2f} times "
            f"json.loads of the same lines   asked for: at most {ASKED:g}, {verdict(found <= ASKED)}"
        )

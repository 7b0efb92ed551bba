"""What systems lack is said of the first datasets, and counted of the others, however many there are."""

import random
import tracemalloc

from core.data.layouts.pairing import pair, unmatched_problems
from core.data.layouts.per_example import ExampleFindings
from core.data.tables import raw_table
from core.data.tables.splitting import split_table
from core.data.tables.text import decode_text
from tests.core.data.layouts.texts import refused


def test_of_many_problems_those_alone_are_made_that_are_said(monkeypatch):
    rng = random.Random(3)
    rows = [
        f"d{d},{e},s{s},0.{rng.randrange(10, 99)}"
        for d in range(60)
        for e in range(5)
        for s in rng.sample(range(40), 9)
    ]
    n_asked = 0
    column = raw_table.RawTable.column

    def counting(self, name):
        nonlocal n_asked
        n_asked += name == "example"
        return column(self, name)

    monkeypatch.setattr(raw_table.RawTable, "column", counting)
    error = refused("\n".join(["dataset,example,system,score", *rows]))
    assert len(error.problems) == 1001
    assert "more systems and datasets with such problems" in error.problems[-1].what
    assert [p.dataset for p in error.problems[:-1]] == sorted(
        (p.dataset for p in error.problems[:-1]), key=lambda name: int(name[1:])
    )
    assert n_asked < 20


def paired(text):
    raw = split_table(decode_text(text.encode()))
    roles = {"dataset": "dataset", "system": "system", "run": "run"}
    found = ExampleFindings(raw=raw, roles=roles, averaged="run")
    return found, pair(found)


def test_of_uneven_rows_each_system_that_lacks_some_is_named_with_its_runs():
    found, pairing = paired(
        "dataset,system,run\nx,A,1\nx,A,2\nx,B,1\nx,B,2\ny,A,1\ny,A,1\ny,B,1\ny,B,2\ny,A,2\nz,B,2\n",
    )
    assert pairing.is_uneven
    assert [(problem.dataset, problem.what) for problem in unmatched_problems(found, pairing)] == [
        ("y", "The system 'A' lacks 1 of 2 examples, in the run '2'."),
        ("y", "The system 'B' lacks 1 of 2 examples, in the run '1', '2'."),
        ("z", "The system 'A' has no row on this dataset."),
        ("z", "The system 'B' lacks 1 of 1 example, in the run '1'."),
    ]


def test_what_no_row_holds_takes_no_memory():
    n_datasets, n_systems, n_runs = 6_000, 400, 45
    rows = [f"d{i},s{i % n_systems},r{i % n_runs}" for i in range(n_datasets)]
    found, pairing = paired("\n".join(["dataset,system,run", *rows]))
    assert pairing.n_slots * n_datasets > 100_000_000
    tracemalloc.start()
    problems = unmatched_problems(found, pairing)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(problems) == 1001
    assert peak < 50_000_000

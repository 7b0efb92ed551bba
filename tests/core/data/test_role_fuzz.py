"""Whatever value of JSON a role has, reading ends in results or in a `DataError`."""

import random
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from core.data import read_results
from core.data.layouts.registry import LAYOUTS
from core.data.roles import COLUMN_ROLES, DECLARATIONS, LAYOUT, NAME_ORDERS, SEVERAL
from core.data.sources import opening
from core.data.sources.workbook import read_sheets
from core.data.tables.limits import Allowance, Stages
from core.data.tables.splitting import split_table
from core.data.tables.text import DecodedText
from core.errors import DataError
from core.types import ALTERNATIVES
from tests.core.data.sources.test_workbook import workbook
from tests.core.data.test_fuzz import ends_well, packed

SCORE_ROWS = "dataset,example,ours,base\nx,1,1,0\nx,2,0,0\ny,1,1,1\ny,2,0,1\n"
ROLES = (*COLUMN_ROLES, *SEVERAL, LAYOUT, *DECLARATIONS, "no such role", "")
ODD: tuple[Any, ...] = (
    None, True, False, 0, 1, -3, 10**400, 0.5, 1e308, float("nan"), float("inf"), "", " ", "x",
    "only:", "only:a", "average", "\x00", "\ud800", "x" * 5_000, [], [[]], [None], [0.5], ["ours"],
    ["ours", "ours"], ["ours", "base"], ["ours", {}], {}, {"": {}}, {"score": True}, {"x": [1]},
    {"\ud800": True}, [{"a": [None]}],
)  # fmt: skip
FITTING = (
    "dataset", "example", "ours", "base", "gold", "system", "score", "p_value", "run", "metric",
    "document",
    "leave-out", "refuse", "a", *NAME_ORDERS, *ALTERNATIVES, *(layout.name for layout in LAYOUTS),
)  # fmt: skip


FILES = {
    "scores": SCORE_ROWS.encode(),
    "labels": b"dataset,example,gold,ours,base\nx,1,a,a,b\nx,2,b,a,b\n",
    "rows": b"dataset,example,system,run,score\nx,1,A,a,1\nx,1,A,b,1\nx,1,B,a,0\nx,1,B,b,1\n",
    "published": b"dataset,ours,base,n,p_value\nx,90,80,100,0.01\ny,91,90,200,.5\n",
    "effects": b"dataset,effect,standard_error\nx,1,0.5\ny,2,0.5\n",
    "metrics": b"dataset,example,metric,ours,base\nx,1,acc,1,0\nx,1,f1,0.5,0\n",
    "counts": b"dataset,example,correct_A,correct_B,total\nx,1,1,2,3\nx,2,2,2,3\n",
    "documents": b"dataset,document,example,A,B\nx,a,1,1,0\nx,a,2,0,1\nx,b,3,1,1\nx,,4,1,0\n",
    "nested": b'{"x": {"A": [1, 0], "B": [0, 1]}, "y": {"A": [1, 1], "B": [0, 1]}}',
    "lists": packed(**{f"{d}.{s}.txt": "1\n0\n1\n" for d in "xy" for s in "AB"}),
    "files": packed(**{"x.csv": SCORE_ROWS, "y.csv": SCORE_ROWS}),
    "one score": packed(**{f"{d}.{s}.csv": "id,score\na,1\nb,0\n" for d in "xy" for s in "AB"}),
    "sheets": workbook(
        {"x": [line.split(",") for line in SCORE_ROWS.split()], "y": [["a", "b"], [1, 2]]}
    ),
}


@pytest.fixture(autouse=True, scope="module")
def files_cut_once():
    """Of cutting a file into cells roles say which sheet is read alone, and it took most of the time.

    What was found of columns while a table was read is not kept with it.
    """

    @cache
    def sheets(content, name, only):
        return read_sheets(content, name=name, only=only, allowance=Allowance(), stages=Stages())

    @cache
    def table(content, encoding, remarks):
        return split_table(DecodedText(content=content, encoding=encoding, remarks=remarks))

    def sheets_once(content, *, name, only, **_):
        found = sheets(content, name, only)
        return tuple(replace(one, table=one.table and replace(one.table)) for one in found)

    def table_once(decoded):
        return replace(table(bytes(decoded.content), decoded.encoding, tuple(decoded.remarks)))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(opening, "read_sheets", sheets_once)
        patch.setattr(opening, "split_table", table_once)
        yield


def test_each_role_may_have_any_value_in_some_kind_of_file():
    rng = random.Random(1)
    for role in ROLES:
        for value in ODD:
            kind = rng.choice(list(FILES))
            try:
                ends_well(FILES[kind], {role: value})
            except Exception as error:
                error.add_note(f"{kind}: {role!r}: {value!r}")
                raise


def test_several_roles_may_have_any_values():
    for kind, content in FILES.items():
        rng = random.Random(kind)
        for _ in range(40):
            roles = {
                role: rng.choice(FITTING if rng.random() < 0.8 else ODD)
                for role in rng.sample(ROLES, rng.randrange(1, 5))
            }
            try:
                ends_well(content, roles)
            except Exception as error:
                error.add_note(f"{kind}: {roles!r}")
                raise


def test_roles_of_odd_kinds_are_all_named_with_the_columns():
    with pytest.raises(DataError) as caught:
        read_results(FILES["nested"], roles={"name_order": {}, "sheet": [], "gold": 3})
    whole = str(caught.value)
    assert "`name_order` must be None or one of" in whole
    assert "`sheet` must be None or a name; got []" in whole
    assert "'gold' names the column 3" in whole
    assert caught.value.columns == ("dataset", "A", "B")

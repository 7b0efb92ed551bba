"""A column of margins is kept for each dataset in every kind of file, or refused with every line."""

import pytest

from core.data import ResultSet, read_results
from core.errors import DataError
from tests.core.data.tools.files_of import read as read_files
from tests.read_as import read_as

MARGINS = {"x": "0.5 points", "y": "2 points"}
# What stands behind the dataset's name, of example i of dataset k.
CELLS = {
    "example,A,B": lambda i, k: [f"{i},{i * 37 % 11 / 10},{(i + k) * 53 % 13 / 10}"],
    "example,acc_A,acc_B,f1_A,f1_B": lambda i, k: [f"{i},{i % 2},{k},.{i},.{i + k}"],
    "example,system,score": lambda i, k: [f"{i},{s},{(i + n) % 2}" for n, s in enumerate("AB")],
    "example,gold,A,B": lambda i, k: [f"{i},{'pn'[i % 2]},p,{'np'[k]}"],
    "pair,gold,A,B": lambda i, k: [f"{i},{i**0.5:.3f},{i * 37 % 11 / 10},{(i + k) * 53 % 13}"],
    "example,correct_A,correct_B,total": lambda i, k: [f"{i},{i % 3},{i % 2},5"],
    "example,system,correct,total": lambda i, k: [f"{i},A,{i % 3},5", f"{i},B,{i % 2},5"],
    "example,seed,A,B": lambda i, k: [f"{i},{run},{i % 2},{(i + run) % 2}" for run in (1, 2)],
}
MCNEMAR = "dataset,both_right,a_right_b_wrong,a_wrong_b_right,both_wrong\nx,9,3,1,4\ny,7,2,2,1\n"


def file_of(header: str) -> str:
    rows = [f"{'xy'[k]},{row}" for k in (0, 1) for i in range(1, 9) for row in CELLS[header](i, k)]
    return "\n".join([f"dataset,{header}", *rows])


def with_margins(text: str, margins: dict[str, str], heading: str = "margin") -> bytes:
    """A file with one more column, which holds a margin by dataset, or one a row in turn."""
    header, *rows = text.splitlines()
    cells = {name: own.split("|") for name, own in margins.items()}
    seen = dict.fromkeys(cells, -1)
    lines = [f"{heading},{header}"]
    for row in rows:
        name = row.split(",")[0]
        seen[name] += 1
        lines.append(f"{cells[name][seen[name] % len(cells[name])]},{row}")
    return "\n".join(lines).encode()


def read(content: bytes, **roles: object) -> ResultSet:
    return read_as(ResultSet, content, roles=roles)


def outcomes(margins: dict[str, str], heading: str = "margin", n: int = 6) -> bytes:
    rows = [f"{d},{i},{(i + k) % 2},{i % 2}" for k, d in enumerate(margins) for i in range(n)]
    return with_margins("\n".join(["dataset,example,A,B", *rows]), margins, heading)


@pytest.mark.parametrize("text", [*map(file_of, CELLS), MCNEMAR], ids=[*CELLS, "counts"])
def test_every_kind_of_results_keeps_a_margin_per_dataset_and_changes_in_nothing_else(
    text: str,
) -> None:
    roles = {"runs": "average"} if "seed" in text else {}
    plain = read(text.encode(), **roles)
    points = plain.points_of()
    bare = {"x": "0.25", "y": "1"}
    found = read(with_margins(text, bare if points is None else MARGINS), **roles)
    for name in ("systems", "metrics", "covariates"):
        assert getattr(found, name) == getattr(plain, name)
    assert found.reading.remarks == plain.reading.remarks
    expected = [0.25, 1.0] if points is None else [0.5 / points, 2.0 / points]
    assert found.margins.tolist() == expected == [found.margin_of(d) for d in found.datasets]
    assert found.fingerprint != plain.fingerprint
    assert read(with_margins(text, bare), **roles, unused=("margin",)).margins is None
    with pytest.raises(DataError, match="no column of margins"):
        plain.margin_of("x")


def test_numbers_without_a_unit_are_asked_back_where_scores_are_shares() -> None:
    bare = outcomes({"x": "0.5", "y": "2"})
    with pytest.raises(DataError, match="do not say their unit") as asked:
        read(bare)
    (choice,) = asked.value.choices
    wanted = [0.005, 0.02]
    for content, roles in (
        (bare, {"margin_unit": "points"}),
        (outcomes({"x": ".005", "y": "2e-2"}), {"margin_unit": "shares"}),
        (outcomes({"x": "0.5", "y": "2"}, "Margin (points)"), {}),
        (outcomes({"x": "0.5%", "y": "2 points"}, "δ"), {"margin": "δ"}),
    ):
        found = read(content, **roles)
        assert found.margins.tolist() == wanted, roles
    assert [value for value, _ in choice.options] == ["points", "shares"]
    # In files of one system each they are no second score.
    declared = {"margin": "δ", "margin_unit": "points"}
    for heading, roles in (("margin (points)", {}), ("δ", declared)):
        rows = "x,1,1,0.5\nx,2,0,0.5\ny,1,0,2\ny,2,1,2\n"
        text = f"dataset,example,score,{heading}\n{rows}"
        both = read_files({"A.csv": text, "B.csv": text}, roles=roles)
        assert both.systems == ("A", "B")
        assert both.margins.tolist() == wanted
    ratings = with_margins("dataset,example,A,B\nx,1,.3,.9\nx,2,.5,2.5\n", {"x": "0.5 points"})
    with pytest.raises(DataError, match="these scores have none"):
        read(ratings)
    of_100 = "dataset,example,A,B\nx,1,0,100\nx,2,100,100\n"
    assert read(with_margins(of_100, {"x": "5 points"})).margin_of("x") == 5.0


def test_every_wrong_margin_is_named_with_dataset_column_lines_and_remedy() -> None:
    wrong = {"x": "-1 points", "y": "1 point|1.0 points|2 points", "z": "", "v": "inf"}
    wrong |= {"t": "0 points", "w": "nan" + 5 * "|1 point", "u": "1 point"}
    with pytest.raises(DataError) as refused:
        read(outcomes(wrong))
    found: dict[tuple[str | None, str], list[int | None]] = {}
    for p in refused.value.problems:
        assert (p.column, p.remedy[:20]) == ("margin", "Give one number abov")
        found.setdefault((p.dataset, p.what), []).append(p.line)
    other = "'2 points' differs from '1 point' on line 8, and a dataset has one margin."
    assert found == {
        ("x", "'-1 points' is not above 0."): [*range(2, 8)],
        ("y", other): [10, 13],
        ("z", "The margin is missing."): [*range(14, 20)],
        ("v", "'inf' is no margin."): [*range(20, 26)],
        ("t", "'0 points' is not above 0."): [*range(26, 32)],
        ("w", "'nan' is no margin."): [32],
    }
    assert [choice.role for choice in refused.value.choices] == ["unused"]
    # Beside what is wrong with the scores.
    both = outcomes({"x": "-1", "y": "1"}).replace(b",0,1", b",,1")
    with pytest.raises(DataError, match=r"no score(.|\n)*is not above 0"):
        read(both)


def test_numbers_under_delta_are_no_margins_unless_declared() -> None:
    for cells in ({"x": "-1|0|1", "y": "0"}, {"x": "0.5 points", "y": "2 points"}):
        assert read(outcomes(cells, "delta")).margins is None
    table = read_results(b"dataset,A,B,delta,p_value\nx,.9,.8,.1,.01\ny,.7,.6,.1,.02\n")
    assert table.datasets == ("x", "y")


def test_a_column_of_margins_has_no_other_role() -> None:
    rows = [f"x,{system},{metric},1" for system in "AB" for metric in ("acc", "f1")]
    content = "\n".join(["dataset,system,metric,score", *rows]).encode()
    with pytest.raises(DataError, match="several roles: system, margin"):
        read(content, margin="system", system="system")

"""The command that a report prints gives the report's numbers, whatever was said by hand."""

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from core.analysis import AnalysisSettings, Origin, analyse
from core.command_line import main
from core.data import PValueTable, ResultSet, read_results, read_sample
from core.export.as_json import to_json
from core.export.bundle import read_named
from core.export.record import command_line, command_parts, not_on_the_command_line

PRINTED = (
    b"what,first,second,p,size\n"
    b"x,1.5,2.5,0.011,10\n"
    b"y; rm -rf ~,2,3,0.0,20\n"
    b"-z,5,3,0.004,30\n"
    b"'$(w)`,1,3,0.3,40\n"
)
EXAMPLES = (
    "dataset,example,doc,red,green,blue,note\n"
    + "".join(
        f"{dataset},{i},{i // 3},{i * 7 % 5 / 4 + i % 3 / 7},{i * 3 % 4 / 4},{i * 5 % 3 / 2},1\n"
        for dataset in ("first", "-second", "th=ird")
        for i in range(30)
    )
).encode()
ONE = b"ours,base\n" + b"".join(b"%d,%d\n" % (i % 3 > 0, i % 2) for i in range(40))
OTHER = b"ours,base\n" + b"".join(b"%d,%d\n" % (i % 4 > 0, i % 3 > 1) for i in range(50))


def uploaded(files, roles, *, name=None, **settings):
    """An analysis as the app makes it of files that were dropped."""
    called = name or (next(iter(files)) if len(files) == 1 else f"{len(files)} files")
    data = read_named(tuple(files.items()), name=called, roles=roles)
    assert isinstance(data, PValueTable | ResultSet)
    origin = Origin(title=called, files=tuple(files), roles=roles)
    return analyse(data, AnalysisSettings(**settings), origin=origin)


def words_of(command):
    """The words that a shell makes of a command."""
    done = subprocess.run(
        ["bash", "-c", f"printf '%s\\0' {command}"],
        capture_output=True,
        check=True,
        env={"LC_ALL": "C.UTF-8"},
    )
    return done.stdout.decode().split("\0")[:-1]


@pytest.mark.parametrize(
    ("files", "roles", "settings"),
    [
        (
            {"t.csv": PRINTED},
            {"dataset": "what", "p_value": "p", "metric": "a=b"},
            {"dependence": "independent", "combination": "stouffer"},
        ),
        (
            {"my table.csv": PRINTED},
            {
                "dataset": "what",
                "p_value": "p",
                "system_a": "second",
                "system_b": "first",
                "n_examples": None,
                "higher_is_better": False,
                "alternative": "toward-higher-score",
                "zero_reads_below": 0.0005,
            },
            {"alpha": 0.1 + 0.2, "procedure": "hommel", "swapped": True},
        ),
        (
            {"-t.csv": PRINTED},
            {"dataset": "what", "p_value": "p", "alternative": "greater"},
            {"excluded": ("-z", "y; rm -rf ~"), "dependence": "positive"},
        ),
        ({"e.csv": EXAMPLES}, {"cluster": "doc", "systems": ("blue", "red")}, {"swapped": True}),
        (
            {"e.csv": EXAMPLES},
            {"cluster": None, "systems": ("red", "blue", "green"), "higher_is_better": False},
            {"test": "paired-bootstrap", "n_resamples": 60, "pair": (0, 2), "seed": 3},
        ),
        (
            {"e.csv": EXAMPLES},
            {"cluster": "doc", "higher_is_better": {"score": False}},
            {
                "test": "approximate-randomization",
                "n_resamples": 60,
                "whole_clusters": False,
                "extended": (("-second", 90), ("th=ird", 120), ("of another file", 70)),
                "excluded": ("first",),
                "interval": "percentile",
            },
        ),
        ({"glue/mrpc.csv": ONE, "glue/r te.csv": OTHER}, {"name_order": "dataset"}, {}),
        ({"\x1b[31m\nfile.csv": ONE}, {}, {"test": "sign"}),
    ],
    ids=["columns", "every-role", "dashes", "list", "none", "apart", "files", "controls"],
)
def test_the_printed_command_gives_the_same_json(
    files, roles, settings, tmp_path, monkeypatch, capsysbinary
):
    monkeypatch.chdir(tmp_path)
    for name, content in files.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_bytes(content)
    analysis = uploaded(files, roles, **settings)
    assert not_on_the_command_line(analysis) == []
    command = command_line(analysis)
    assert command.isprintable()
    words = words_of(command)
    assert words[:3] == ["python", "-m", "core"]
    assert main([*words[3:], "--json"]) == 0
    out, err = capsysbinary.readouterr()
    # More resamples of exact tests are of no use, which is said.
    are_exact = all(result and result.exact for result in analysis.table.results or ())
    assert (b"not used" in err, err == b"") == (
        bool(analysis.settings.extended) and are_exact,
        not analysis.settings.extended or not are_exact,
    )
    made = out.decode()
    known = tuple(name for name in analysis.settings.excluded if name in analysis.data.datasets)
    extended = tuple(
        pair for pair in analysis.settings.extended if pair[0] in analysis.data.datasets
    )
    chosen = replace(analysis.settings, excluded=known, extended=extended)
    own = analyse(analysis.data, chosen, origin=analysis.origin)
    assert made == to_json(own)


def test_a_claim_that_was_asked_for_is_said(capsysbinary):
    sample, content = read_sample("parsing-redshift")
    data = read_results(content, name=sample.file_name, roles={"alternative": "two-sided"})
    assert isinstance(data, PValueTable)
    origin = Origin.of(sample, {"alternative": "two-sided"})
    keys = [question.key for question in analyse(data).questions]
    assert len(keys) > 1
    analysis = analyse(data, AnalysisSettings(question=keys[-1]), origin=origin)
    command = command_line(analysis)
    assert f"--question {keys[-1]}" in command
    assert "--sample parsing-redshift --alternative two-sided" in command
    assert main([*words_of(command)[3:], "--json"]) == 0
    assert capsysbinary.readouterr().out.decode() == to_json(analysis)
    # What the sample declares itself is not said again.
    declared = replace(analysis, origin=Origin.of(sample, {"alternative": sample.alternative}))
    assert "--alternative" not in command_line(declared)


def test_what_no_command_can_say_is_told():
    data = ResultSet.from_scores({"x": {"a": [1.0, 2.0, 4.0], "b": [0.0, 1.0, 1.0]}}, metric="m")
    made = analyse(data)
    assert not_on_the_command_line(made)
    told = [part.text for part in command_parts(made) if hasattr(part, "text")]
    assert told
    twice = replace(made, origin=Origin(title="two", files=("x.csv", "x.csv")))
    assert len(not_on_the_command_line(twice)) == 1

"""The command line gives the library's numbers, and says what is wrong and how to mend it."""

import io
import json
import math
import os
import shlex
import signal
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.analysis import AnalysisSettings, Origin, analyse
from core.claims.desk import ClaimDesk
from core.command_line import main, running
from core.command_line.options import TOO_FEW
from core.data import PValueTable, ResultSet, read_results, read_sample
from core.export import report
from core.export.as_json import to_json
from core.export.bundle import read_bundle, write_bundle
from core.export.bundle_comparison import compare_with_bundle
from core.export.paper import paper_pieces
from core.words.formatting import shell_word
from core.words.testing import reason_sentence
from tests.core.export.bundle.forging import with_results

ROOT = Path(__file__).resolve().parents[2]
THREE = "dataset,example,red,green,blue\n" + "".join(
    f"{dataset},{i},{i * 7 % 5 / 4},{i * 3 % 4 / 4},{i * 5 % 3 / 2}\n"
    for dataset in ("first", "second")
    for i in range(30)
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def file(name, text):
    Path(name).write_bytes(text.encode() if isinstance(text, str) else text)
    return name


def run(capsysbinary, *arguments):
    status = main(list(arguments))
    out, err = capsysbinary.readouterr()
    return status, out.decode(), err.decode()


def read(source, **given):
    data = read_results(source, **given)
    assert isinstance(data, PValueTable | ResultSet)
    return data


def library(key, **changes):
    """The analysis of a sample as a page shows it."""
    sample, content = read_sample(key)
    data = read(content, name=sample.file_name, roles={"alternative": sample.alternative})
    origin = Origin.of(sample, {"alternative": sample.alternative})
    return analyse(data, AnalysisSettings(dependence=sample.dependence, **changes), origin=origin)


def test_a_file_and_every_option_give_the_library_s_json(folder, capsysbinary):
    file("three.csv", THREE)
    status, out, _ = run(
        capsysbinary,
        *shlex.split(
            "three.csv --a blue --b green --test paired-bootstrap --alpha 0.1 --dependence positive "
            "--procedure hommel --resamples 77 --seed 5 --interval percentile --exclude first "
            "--name mine --json"
        ),
    )
    chosen: dict[str, Any] = {"pair": (1, 2), "swapped": True, "excluded": ("first",)}
    chosen |= {"test": "paired-bootstrap", "n_resamples": 77, "seed": 5, "interval": "percentile"}
    chosen |= {"alpha": 0.1, "dependence": "positive", "procedure": "hommel"}
    data = read(THREE.encode(), name="mine")
    assert status == 0
    assert out == to_json(analyse(data, AnalysisSettings(**chosen), origin=Origin(title="mine")))
    held = json.loads(out)
    assert (held["compared"]["system_a"], held["compared"]["system_b"]) == ("blue", "green")
    scores = [line.split(",") for line in THREE.splitlines() if line.startswith("second")]
    for name, column in (("score_a", 4), ("score_b", 3)):
        mean = np.mean([float(row[column]) for row in scores])
        assert held["datasets"][0][name] == pytest.approx(mean)


def test_without_output_the_first_page_s_answer_is_printed(capsysbinary):
    status, out, err = run(capsysbinary, "--sample", "parsing-redshift", "--exclude", "MZ")
    assert (status, err) == (0, "")
    analysis = library("parsing-redshift", excluded=("MZ",))
    for said in (
        "Dependency parsing, 7 genres: Mate and Redshift: 6 of 7 datasets",
        "Caution: You left out MZ.",
        "Mate is better than Redshift on at least 4 of 6 datasets.",
        "This holds if the datasets are independent (Fisher).",
        "No evidence after Holm correction (α = .05) that Mate is better than Redshift on any of the 6",
        "Source: Dror, Baumer",
        analysis.signature(analysis.questions[0]),
    ):
        assert said in out


def test_a_required_count_leaves_out_datasets_whose_scores_say_the_opposite(tmp_path, capsysbinary):
    # Gains of .02 and .03 on nine of ten examples and losses of .4 on the tenth; gains alone.
    gains = {"rare": [2, 3, 2, 3, 2, 3, 2, 3, 2, -40], "clear": [2, 3, 2, 3, 2, 3, 2, 3, 2, 3]}
    rows = [
        f"{name},{i},{500 + i * i % 31 + gain},{500 + i * i % 31}"
        for name, own in gains.items()
        for i, gain in enumerate(own * 10)
    ]
    path = tmp_path / "scores.csv"
    path.write_text("dataset,example,ours,base\n" + "\n".join(rows))
    for swapped in (False, True):
        systems = ("--a", "base", "--b", "ours") if swapped else ()
        asked = (str(path), "--test", "wilcoxon", "--quiet", *systems, "--require-at-least")
        for required, status in ((1, 0), (2, TOO_FEW)):
            found, out, err = run(capsysbinary, *asked, str(required))
            assert (found, out) == (TOO_FEW if swapped else status, ""), (swapped, required)
            # What the scores contradict is said even so.
            assert "p ≤ .05 for ours" in err, (swapped, required)
            assert "rare" in err, (swapped, required)
    for output in (("--json",), ("--markdown",)):
        assert "rare" in run(capsysbinary, str(path), "--test", "wilcoxon", *output)[2], output
    assert run(capsysbinary, str(path), "--require-at-least", "1", "--quiet")[2] == ""


def test_a_package_that_is_an_extra_is_asked_for_where_it_is_needed(
    folder, capsysbinary, monkeypatch
):
    monkeypatch.setitem(sys.modules, "plotly.graph_objects", None)
    status, out, err = run(capsysbinary, "--sample", "six-p-values", "--report", "r.html")
    assert (status, out, list(folder.iterdir())) == (1, "", [])
    assert err == "python -m core: this needs plotly: pip install 'replicability[plotly]'.\n"


def test_every_problem_of_a_file_is_listed_with_its_place_and_remedy(folder, capsysbinary):
    file("bad.csv", "dataset,A,B,p_value\nx,1,2,.5\ny,1,oops,.4\nz,1,2,1.5\nz,1,2,.1\n")
    status, out, err = run(capsysbinary, "bad.csv")
    assert (status, out) == (1, "")
    lines = err.splitlines()
    assert "3 problems" in lines[0]
    with pytest.raises(ValueError, match=r".") as caught:
        read_results(Path("bad.csv"))
    assert [line.removeprefix("- ") for line in lines[1:4]] == str(caught.value).splitlines()
    assert "Dataset 'y', column 'B', line 3" in err
    # The remedies are options, which together read the file without these rows.
    _, leave_out, rows = [line.strip().split("  ")[0] for line in lines[4:] if "--role" in line]
    status, out, _ = run(capsysbinary, "bad.csv", *shlex.split(f"{leave_out} {rows}"))
    assert (status, "1 dataset" in out) == (0, True)


def test_an_open_question_comes_with_the_options_that_answer_it(folder, capsysbinary):
    text = "dataset,example,seed,A,B\n" + "".join(
        f"x,{example},{seed},{example % 2},{(example + seed) % 3 % 2}\n"
        for example in range(1, 13)
        for seed in (1, 2)
    )
    file("runs.csv", text)
    status, _, err = run(capsysbinary, "runs.csv")
    assert status == 1
    assert "cannot be read" not in err
    offered = [line.split()[1] for line in err.splitlines() if line.startswith("    --role ")]
    assert offered == ["runs=average", "runs=only:1", "runs=only:2"]
    found = [run(capsysbinary, "runs.csv", "--role", role, "--json") for role in offered]
    assert [status for status, _, _ in found] == [0, 0, 0]
    for role, (_, out, _) in zip(offered, found, strict=True):
        roles = {"runs": role.removeprefix("runs=")}
        data = read(text.encode(), name="runs.csv", roles=roles)
        assert out == to_json(analyse(data, origin=Origin(title="runs.csv")))


def test_a_wrong_command_ends_with_two_and_says_what_would_be_right(folder, capsysbinary):
    file("t.csv", "dataset,A,B,p_value\nx,1,2,.5\n")
    file("three.csv", THREE)
    file("c.csv", CLUSTERED)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    for arguments, said in [
        ((), "give a FILE"),
        (("t.csv", "--sample", "sentiment"), "not both"),
        (("--sample", "nonsense"), "there is no sample 'nonsense'; there are pos-tagging"),
        (("--sample", "sentiment", "--a", "nobody"), "there are AE-SCL-SR and MSDA"),
        (("--sample", "sentiment", "--a", "MSDA", "--b", "MSDA"), "must be two systems"),
        (("--sample", "sentiment", "--exclude", "nothing"), "is no dataset of these data"),
        (("--sample", "simulated-accuracy", "--metric", "bleu"), "is no metric of these data"),
        (("three.csv", "--a", "green"), "--b must say which of red and blue"),
        (("t.csv", "--exclude", "x"), "must leave at least one"),
        (("--sample", "sentiment", "--alpha", "1.5"), "a number from 0.0001 to 0.5; got '1.5'"),
        (("--sample", "sentiment", "--alpha", "nan"), "a number from 0.0001 to 0.5; got 'nan'"),
        (("--sample", "sentiment", "--resamples", "0"), "at least 1"),
        (("--sample", "sentiment", "--seed", "-1"), "at least 0"),
        (("--sample", "sentiment", "--test", "t-test"), "approximate-randomization, paired-t"),
        (("--sample", "sentiment", "--interval", "wald"), "basic, percentile, bca"),
        (("--sample", "sentiment", "--estimator", "x"), "berg-kirkpatrick"),
        (("--sample", "sentiment", "--zeros", "x"), "pratt"),
        (("--sample", "sentiment", "--procedure", "x"), "invalid choice"),
        (("--sample", "sentiment", "--role", "metric"), "ROLE=VALUE"),
        (("--sample", "sentiment", "--role", "metric=a", "--role", "metric=b"), "given twice"),
        (("--sample", "sentiment", "--role", "systems=[1"), "must be JSON"),
        (
            ("--sample", "sentiment", "--combination", "stouffer", "--dependence", "positive"),
            "--combination stouffer counts only if the datasets are independent: say so by "
            "--dependence independent.",
        ),
        (("--sample", "sentiment", "--json", "--markdown"), "both go to standard output"),
        (("t.csv", "--report", "./t.csv"), "would take the place of 't.csv'"),
        (("t.csv", "--report", "o", "--bundle", "o"), "would take the place of 'o'"),
        (("--json", "t.csv", "three.csv"), "put --json after it"),
        (("--nonsense",), "unrecognized"),
        (("c.csv", "--extend", "nobody=9"), "--extend 'nobody' is no dataset"),
        (("c.csv", "--extend", "x"), "must be DATASET=N"),
        (("c.csv", "--extend", "x=0"), "at least 1"),
        (("c.csv", "--resamples", "20", "--question", "which"), "there is only a-better/"),
        (("c.csv", "--role", "dataset:=[1"), "must be JSON"),
    ]:
        status, out, err = run(capsysbinary, *arguments)
        assert (status, out) == (2, ""), (arguments, said)
        assert said in " ".join(err.split()), (arguments, said)
        assert {path.name: path.read_bytes() for path in folder.iterdir()} == before, said


def test_what_the_system_or_the_data_refuse_ends_with_one_sentence(folder, capsysbinary):
    file("scores.csv", "dataset,A,B\nx,70.1,71.2\ny,66.0,60.5\nz,50.2,50.1\n")
    file("effects.csv", "dataset,effect,se\nx,.5,.1\ny,-.2,.1\n")
    for arguments, said in [
        (("scores.csv",), "scores.csv has no p-values to count"),
        (("effects.csv",), "Effects with standard errors"),
        (("missing.csv",), "'missing.csv' cannot be read: no such file or directory."),
        (("missing.csv", "gone.csv"), "'gone.csv' cannot be read"),
        ((".",), "'.' is a folder. Pack it into a zip archive and give that, or name the files"),
        (("--sample", "sentiment", "--json", "no/such/folder.json"), "cannot be written: no such"),
        (("--sample", "sentiment", "--bundle", "."), "must name a file"),
        (("--sample", "sentiment", "--role", "metricc=a"), "There is no role 'metricc'"),
        (("--sample", "simulated-sentences", "--test", "mcnemar"), "must be 0 or 1"),
    ]:
        status, out, err = run(capsysbinary, *arguments)
        assert status == (2 if "must name" in said else 1), (arguments, said)
        assert out == "", (arguments, said)
        assert said in err, (arguments, said)
        assert "Traceback" not in err, (arguments, said)


CLUSTERED = "dataset,example,doc,A,B\n" + "".join(
    f"{dataset},{i},{i // 4},{math.sin(i) + i // 4 % 3:.9f},{math.sin(7 * i) + i // 5 % 2:.9f}\n"
    for dataset in ("x", "y=1")
    for i in range(40)
)


def test_clusters_are_taken_apart_tests_extended_and_another_claim_asked_for(folder, capsysbinary):
    file("c.csv", CLUSTERED)
    test = ("--test", "approximate-randomization", "--resamples", "50", "--role", "cluster=doc")
    asked = ("c.csv", *test, "--json")
    usual = json.loads(run(capsysbinary, *asked)[1])
    assert usual["datasets"][0]["test"]["n_clusters"] == 10
    apart = json.loads(run(capsysbinary, *asked, "--apart")[1])
    assert apart["settings"]["whole_clusters"] is False
    assert apart["datasets"][0]["test"]["n_clusters"] is None
    extended = json.loads(run(capsysbinary, *asked, "--apart", "--extend", "y=1=90")[1])
    assert [row["test"]["n_resamples"] for row in extended["datasets"]] == [50, 90]
    _, _, errors = run(capsysbinary, *asked, "--apart", "--test", "sign", "--extend", "y=1=90")
    assert "not used, as no test here has it: --extend." in errors


def test_the_margins_of_a_file_are_those_of_a_claim_unless_one_is_given(folder, capsysbinary):
    wins = {"x": ("1 point", 5), "y": ("20 points", 9)}
    rows = (f"{d},{m},{int(i < n)},{i % 2}\n" for d, (m, n) in wins.items() for i in range(40))
    file("m.csv", "dataset,margin,A,B\n" + "".join(rows))
    asked = ("m.csv", "--claim", "not-worse", "--json")
    for given, margins in (((), [0.01, 0.2]), (("--margin", "3 points"), [0.03, 0.03])):
        found = json.loads(run(capsysbinary, *asked, *given)[1])
        assert [row["test"]["margin"] for row in found["datasets"]] == margins
    report = run(capsysbinary, "m.csv", "--claim", "not-worse", "--margin", "column")[1]
    assert "each dataset's own margin (1 to 20 points)" in report
    none = ("--claim", "not-worse", "--role", "margin=")
    for more, said in (((), "must come with a"), (none, "no column of margins")):
        status, _, errors = run(capsysbinary, "m.csv", "--margin", "column", *more)
        assert (status, said in errors) == (2, True), errors


def test_what_is_not_settled_is_said_and_warned_of_where_a_count_is_required(folder, capsysbinary):
    file("c.csv", CLUSTERED)
    first = json.loads(run(capsysbinary, "c.csv", "--test", "paired-bootstrap", "--json")[1])
    # A level next to a p-value, where few resamples leave it open.
    level = str(first["datasets"][0]["p_value"])
    asked = ("c.csv", "--test", "paired-bootstrap", "--resamples", "50", "--alpha", level)
    _, out, _ = run(capsysbinary, *asked, "--dependence", "independent")
    assert "Not settled: " in out
    held = json.loads(run(capsysbinary, *asked, "--dependence", "independent", "--json")[1])
    assert all(f"Not settled: {sentence}" in out for sentence in held["unsettled"])
    _, _, err = run(capsysbinary, *asked, "--require-at-least", "1", "--quiet")
    assert "not settled" in err
    settled = ("--sample", "parsing-spacy", "--require-at-least", "1")
    assert run(capsysbinary, *settled, "--quiet") == (0, "", "")
    assert "Not settled" not in run(capsysbinary, *settled)[1]


HOSTILE = "\x1b[31mred\x07\u202e"


def test_no_control_character_of_a_name_reaches_the_terminal(folder, capsysbinary):
    name = f"{HOSTILE}.csv"
    file("good.csv", f"dataset,{HOSTILE}A,B,p_value\n{HOSTILE}x,2,1,.5\ny,2,1,.001\n")
    file("bad.csv", f"dataset,A,B,p_value\n{HOSTILE},2,1,{HOSTILE}\n")
    file("both.csv", f"dataset,A,B,p {HOSTILE},p_2\nx,2,1,.5,.5\ny,2,1,.1,.2\n")
    file("runs.csv", f"example,run,A,B\n1,{HOSTILE},1,0\n1,b,0,1\n2,{HOSTILE},1,0\n2,b,1,0\n")
    options = [(), ("--markdown",), ("--name", name), ("--report", f"no/{HOSTILE}")]
    options += [(option, HOSTILE) for option in ("--a", "--exclude", "--role")]
    files = [("bad.csv",), ("both.csv",), ("runs.csv",), (name,), ("--sample", HOSTILE)]
    for arguments in [*(("good.csv", *more) for more in options), *files]:
        _, out, err = run(capsysbinary, *arguments)
        assert out + err
        assert not set("\x1b\x07\u202e") & set(out + err), arguments


def test_an_offered_answer_is_one_word_that_a_shell_reads_back():
    for text in ["plain", "with space", "a'b", HOSTILE, "\n'\\", "$(x)", "é\u202e"]:
        word = shell_word(f"role={text}")
        assert word.isprintable(), text
        done = subprocess.run(
            ["bash", "-c", f"printf %s {word}"],
            capture_output=True,
            check=True,
            env={"LC_ALL": "C.UTF-8"},
        )
        assert done.stdout.decode() == f"role={text}", text


def test_a_default_that_differs_by_dataset_is_told_and_the_same_wherever_it_is_reproduced(
    folder, capsysbinary
):
    rng = np.random.default_rng(1)
    rows = ["dataset,example,red,green"]
    for i in range(40):
        rows.append(f"rated,{i},{rng.integers(1, 6)},{rng.integers(1, 6)}")
        rows.append(f"measured,{i},{rng.random()!r},{rng.random()!r}")
    name = file("mixed.csv", "\n".join(rows) + "\n")
    status, out, _ = run(capsysbinary, name)
    assert status == 0
    assert "|test:approximate-randomization+paired-t|" in out
    assert "seed" not in out
    outputs = ("--report", "r.html", "--bundle", "b.zip", "--json", "a.json")
    assert run(capsysbinary, name, *outputs)[0] == 0
    shown = json.loads(Path("a.json").read_text(encoding="utf-8"))
    tests = {row["dataset"]: row["test"]["test"] for row in shown["datasets"]}
    assert tests == {"rated": "approximate-randomization", "measured": "paired-t"}
    data = read_results(Path(name))
    assert isinstance(data, ResultSet)
    assert compare_with_bundle(analyse(data), read_bundle(Path("b.zip").read_bytes())).same
    # Exact or Student's: neither the seed nor the number of resamples decides a p-value.
    other = analyse(data, AnalysisSettings(seed=5, n_resamples=99)).table.p_values
    assert [row["p_value"] for row in shown["datasets"]] == pytest.approx(other, rel=1e-12)
    reason = reason_sentence(data, a="red", b="green")
    assert "On rated: " in reason
    assert "randomization" in reason.partition("On rated: ")[2].partition("On measured: ")[0]
    assert "paired t-test" in reason.partition("On measured: ")[2]


def test_report_paper_bundle_and_json_are_written_whole(folder, capsysbinary):
    asked = ("--sample", "parsing-redshift")
    outputs = ("--report", "r.html", "--bundle", "b.zip", "--json", "a.json", "--paper", "p.zip")
    assert run(capsysbinary, *asked, *outputs) == (0, "", "")
    analysis = library("parsing-redshift")
    assert Path("a.json").read_text(encoding="utf-8") == to_json(analysis)
    assert Path("r.html").read_text(encoding="utf-8") == report.html_report(analysis)
    bundle = read_bundle(Path("b.zip").read_bytes())
    assert compare_with_bundle(analysis, bundle).same
    assert bundle.sample == "parsing-redshift"
    with zipfile.ZipFile("p.zip") as archive:
        held = {name: archive.read(name) for name in archive.namelist()}
    pieces = paper_pieces(analysis)
    assert {piece.name: piece.text.encode() for piece in pieces}.items() <= held.items()
    assert {"analysis.json", "bundle.zip"} <= held.keys()
    assert {path.name for path in folder.iterdir()} == {"a.json", "b.zip", "r.html", "p.zip"}
    # Written again in the same place, as an analysis of its own.
    assert run(capsysbinary, *asked, "--json", "a.json")[0] == 0


def test_nothing_is_left_of_an_output_that_cannot_be_made(folder, capsysbinary, monkeypatch):
    file("old.html", "old")

    def broken(analysis):
        raise KeyboardInterrupt

    monkeypatch.setattr(report, "html_report", broken)
    asked = ("--sample", "six-p-values", "--report", "old.html", "--json", "a.json")
    status, out, err = run(capsysbinary, *asked)
    assert (status, out) == (128 + signal.SIGINT, "")
    assert "Interrupted" in err
    assert {path.name: path.read_text() for path in folder.iterdir()} == {"old.html": "old"}

    def full(path, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    status, _, err = run(capsysbinary, "--sample", "six-p-values", "--bundle", "b.zip")
    assert status == 1
    assert "'b.zip' cannot be written: no space left on device." in err
    assert [path.name for path in folder.iterdir()] == ["old.html"]


def test_an_output_goes_through_a_link_and_into_a_pipe(folder, capsysbinary):
    Path("real.json").write_text("")
    Path("link.json").symlink_to("real.json")
    assert run(capsysbinary, "--sample", "six-p-values", "--json", "link.json")[0] == 0
    assert Path("link.json").is_symlink()
    assert json.loads(Path("real.json").read_text(encoding="utf-8"))["format"] == 1
    assert run(capsysbinary, "--sample", "six-p-values", "--bundle", "/dev/null")[0] == 0


def test_a_bundle_from_another_processor_is_the_same_within_the_stated_tolerance(
    folder, capsysbinary
):
    """Without the newer vectors and fused products of numpy, OpenBLAS and the C library."""
    older = {
        "OPENBLAS_CORETYPE": "Prescott",
        "NPY_DISABLE_CPU_FEATURES": "X86_V4 X86_V3 AVX512_ICL",
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA",
        "PYTHONPATH": str(ROOT),
    }
    commands = [
        ("--sample", "simulated-sentences", "--test", "wilcoxon", "--resamples", "199"),
        ("--sample", "simulated-sentences", "--test", "paired-bootstrap", "--resamples", "199"),
        ("--sample", "simulated-similarity", "--test", "williams", "--resamples", "199"),
        ("--sample", "simulated-parsing", "--resamples", "199"),
        ("--sample", "pos-tagging"),
    ]
    there = [[*command, "--bundle", f"{i}.zip"] for i, command in enumerate(commands)]
    program = f"from core.command_line import main\nfor one in {there!r}: assert main(one) == 0"
    subprocess.run([sys.executable, "-c", program], check=True, env=os.environ | older)
    for i, command in enumerate(commands):
        status, _, err = run(capsysbinary, f"{i}.zip")
        assert status == 0, (command, err)


def test_a_bundle_is_computed_anew_and_compared(folder, capsysbinary):
    file("three.csv", THREE)
    run(
        capsysbinary,
        *("three.csv", "--a", "blue", "--b", "red", "--test", "paired-bootstrap", "--alpha", "0.1"),
        *("--bundle", "b.zip", "--json", "a.json"),
    )
    status, out, err = run(capsysbinary, "b.zip", "--json")
    assert status == 0
    assert out == Path("a.json").read_text(encoding="utf-8")
    assert err == "Computed anew, every number is the same to the last digit.\n"
    assert run(capsysbinary, "b.zip", "--quiet") == (0, "", "")
    assert run(capsysbinary, "b.zip", "--quiet", "--bundle", "again.zip")[0] == 0
    assert Path("again.zip").read_bytes() == Path("b.zip").read_bytes()


def test_a_bundle_with_other_numbers_has_a_status_of_its_own(folder, capsysbinary, monkeypatch):
    run(capsysbinary, "--sample", "parsing-redshift", "--bundle", "b.zip")

    def changed(content):
        bundle = read_bundle(content)
        found = json.loads(bundle.results)
        found["datasets"][0]["p_value"] = 0.25
        return with_results(bundle, found)

    monkeypatch.setattr(running, "read_bundle", changed)
    status, out, err = run(capsysbinary, "b.zip", "--quiet")
    assert (status, out) == (4, "")
    assert "in the bundle 0.25" in err


def test_a_bundle_is_read_alone_and_whole(folder, capsysbinary):
    file("three.csv", THREE)
    run(capsysbinary, "--sample", "parsing-redshift", "--bundle", "b.zip")
    file("half.zip", Path("b.zip").read_bytes()[:2000])
    for arguments, status, said in [
        (("b.zip", "--alpha", "0.1"), 2, "brings its settings; leave out --alpha"),
        (("b.zip", "three.csv"), 2, "b.zip is a bundle, which is read alone"),
        (("half.zip",), 1, "half.zip cannot be restored: 1 problem."),
    ]:
        found, out, err = run(capsysbinary, *arguments)
        assert (found, out) == (status, ""), (arguments, status, said)
        assert said in err, (arguments, status, said)


def test_several_files_are_read_by_their_folders_but_a_bundle_keeps_no_way_to_them(
    folder, capsysbinary
):
    place = folder / "somebody" / "glue"
    place.mkdir(parents=True)
    for name in ("mrpc", "rte"):
        text = "A,B\n" + "".join(f"{i % 2},{i % 3 % 2}\n" for i in range(20))
        (place / f"{name}.csv").write_text(text)
    paths = [str(path) for path in sorted(place.iterdir())]
    status, out, _ = run(capsysbinary, *paths, "--json", "--bundle", "b.zip")
    assert status == 0
    data = read(paths)
    assert json.loads(out)["data"]["fingerprint"] == data.fingerprint
    assert data.reading is not None
    assert json.loads(out)["origin"]["title"] == data.reading.source_name
    assert [name for name, _ in read_bundle(Path("b.zip").read_bytes()).files] == [
        "glue/mrpc.csv",
        "glue/rte.csv",
    ]
    assert run(capsysbinary, "b.zip", "--json")[1] == out


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize("quiet", [False, True])
def test_progress_is_shown_on_a_terminal_only(quiet, monkeypatch, capsysbinary):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    asked = ["--sample", "simulated-accuracy", "--json"] + ["--quiet"] * quiet
    assert main(asked) == 0
    said = terminal.getvalue()
    assert ("Testing: 10 of 10 datasets" in said) != quiet
    # Nothing stays on the line.
    assert said.endswith("\r") or quiet


def test_help_and_what_exports_load_what_draws_and_computes_only_when_it_is_used():
    # What all of them together do not load, none of them does.
    code = """
import importlib, sys
from core.command_line import main
status, heavy = main(["--help"]), {"pandas", "scipy", "plotly", "pyarrow", "streamlit"}
print("help", status, *sorted(heavy & set(sys.modules)))
for module in ("core.command_line.running", "core.export.bundle", "core.export.report"):
    importlib.import_module(module)
    print(module, *sorted({"pandas", "scipy.stats", "plotly", "streamlit"} & set(sys.modules)))
"""
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True)
    *said, helped, running, bundle, report = done.stdout.splitlines()
    assert (helped, running) == ("help 0", "core.command_line.running")
    assert (bundle, report) == ("core.export.bundle", "core.export.report")
    for option in ("--require-at-least", "exit status", "--dependence"):
        assert option in "\n".join(said)


def test_a_terminal_without_unicode_gets_json_in_utf_8_and_escapes_in_words(monkeypatch):
    whole, words = to_json(library("pos-tagging")), "MIMICK is better than Char\\u2192Tag"
    for options, said in ((["--json"], whole.encode()), ([], words.encode())):
        terminal = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
        monkeypatch.setattr(sys, "stdout", terminal)
        assert main(["--sample", "pos-tagging", *options]) == 0
        terminal.flush()
        assert said in terminal.buffer.getvalue(), options


def test_as_a_program_that_is_read_no_further():
    command = f"{sys.executable} -m core --sample pos-tagging --json | head -c 1"
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, check=False)
    assert done.stdout == b"{"
    assert done.stderr == b""


def test_a_bundle_that_is_written_again_keeps_its_claims(tmp_path, capsysbinary):
    table = b"dataset,ours,theirs,p_value\nu,91.5,90.1,.001\nv,92.5,90.1,.002\n"
    analysis = analyse(read(table, name="t.csv"), origin=Origin(title="t.csv"))
    desk = ClaimDesk(lines="at least 2 for A")
    content = write_bundle(analysis, files=[("t.csv", table)], name="t.csv", roles={}, claims=desk)
    first, second = tmp_path / "first.zip", tmp_path / "second.zip"
    first.write_bytes(content)
    assert main([str(first), "--bundle", str(second)]) == 0
    assert read_bundle(second.read_bytes()).claims == desk


def test_a_gate_takes_a_hidden_file_for_no_results_and_a_dash_for_no_file(capsysbinary, folder):
    for name, wins in (("base/run-1.csv", 2), ("head/run-2.csv", 3)):
        (folder / name).parent.mkdir()
        file(
            name, "dataset,example,m\n" + "".join(f"x,{i},{int(i % 4 < wins)}\n" for i in range(40))
        )
    (folder / "base/.DS_Store").write_bytes(b"\0\0\0\1Bud1")
    _, out, _ = run(capsysbinary, "gate", "base", "head", "--claim", "better")
    assert "head is better than base" in out
    status, _, err = run(capsysbinary, "gate", "base", "head", "--json", "-")
    assert (status, "must name a file" in err) == (2, True)
    assert not (folder / "-").exists()


@pytest.mark.parametrize(("n_datasets", "on"), [(2, "on both datasets"), (3, "on all 3 datasets")])
def test_the_folders_of_a_gate_are_its_systems_though_names_and_sizes_would_fit_both_ways(
    capsysbinary, folder, n_datasets, on
):
    for side, wins in (("run-1", 1), ("run-2", 3)):
        (folder / side).mkdir()
        rows = "".join(f"{i},{int(i % 4 < wins)}\n" for i in range(80))
        for dataset in ("mnli", "rte", "sst2")[:n_datasets]:
            file(f"{side}/{dataset}.csv", f"example,score\n{rows}")
    status, out, _ = run(capsysbinary, "gate", "run-1", "run-2", "--claim", "better")
    assert (status, f"head is better than base {on}" in out) == (0, True), out
    status, _, _ = run(capsysbinary, "gate", "run-2", "run-1", "--claim", "better")
    assert status == 5


def test_a_gate_writes_nothing_over_what_it_reads(capsysbinary, folder):
    (folder / "run").mkdir()
    results = "dataset,example,m\nx,1,1\nx,2,0\ny,1,1\n"
    for name in ("base.csv", "head.csv", "run/base.csv"):
        file(name, results)
    for base, outputs, said in (
        ("base.csv", ("--json", "./base.csv"), "would take the place of 'base.csv'"),
        ("base.csv", ("--badge", "o", "--markdown", "o"), "would take the place of 'o'"),
        ("run", ("--json", "run/out.json"), "would lie in 'run'"),
    ):
        status, _, err = run(capsysbinary, "gate", base, "head.csv", *outputs, "--claim", "better")
        assert (status, said in " ".join(err.split())) == (2, True), err
    assert (folder / "base.csv").read_text() == (folder / "run/base.csv").read_text() == results


def test_an_option_of_results_is_said_to_be_of_no_use_to_printed_p_values(folder, capsysbinary):
    file("t.csv", "dataset,A,B,p_value\nx,2,1,.01\ny,2,1,.02\n")
    for option in (("--joint", "matched"), ("--test", "sign")):
        status, _, err = run(capsysbinary, "t.csv", *option)
        assert status == 0
        assert f"not used, as these p-values are printed: {option[0]}." in err

"""Logs and data frames of Inspect, written after its source (inspect_ai 0.3).

`EvalLog`, `EvalSample` and `EvalSampleSummary` in `log/_log.py`, the archive's members in
`log/_recorders/eval.py`, the columns of `samples_df` and `evals_df` in `analysis/_dataframe`, and
`value_to_float` in `scorer/_metric.py`.
"""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import pytest

from core.data import ResultSet
from core.data.sources.given import SourceFile
from core.data.tools.inspect_logs import claims
from core.data.tools.inspect_samples import number_of
from tests.core.data.tools.files_of import read, refused

GPT, GEMINI = "openai/gpt-4o", "google/gemini"
# C, I, P and N as numbers.
GRADES, AS_NUMBERS = "CCIPCN", [1, 1, 0, 0.5, 1, 0]
OTHERS, OTHERS_AS_NUMBERS = "CIICIC", [1, 0, 0, 1, 0, 1]


def samples(grades: str, *, epochs: int = 1, asked: str = "question") -> list[dict[str, Any]]:
    return [
        {
            "id": place + 1,
            "epoch": epoch,
            "input": f"{asked} {place}",
            "target": "4",
            "messages": [{"role": "user", "content": "\u001b[31m colours \ud800 and halves"}],
            "scores": {"match": {"value": grade, "answer": "4", "history": []}},
        }
        for epoch in range(1, epochs + 1)
        for place, grade in enumerate(grades)
    ]


def log(model: str, own: list[dict[str, Any]] | None, **more: Any) -> dict[str, Any]:
    """A log; without samples where there are none."""
    spec = {"eval_id": "x", "task": "inspect_evals/gsm8k", "task_args": {}, "model": model}
    header = {
        "version": 2,
        "status": more.pop("status", "success"),
        "eval": {**spec, "solver": "generate", **more},
        "plan": {"steps": []},
        "results": {"scores": []},
        "stats": {},
    }
    return header if own is None else {**header, "samples": own}


def text(value: Any) -> str:
    return json.dumps(value, indent=2)


def packed(whole: dict[str, Any], *, ended: bool = True) -> bytes:
    """The same log as an archive; one that did not end has neither header nor summaries."""
    header = {key: own for key, own in whole.items() if key != "samples"}
    own = whole["samples"]
    summaries = [{k: v for k, v in sample.items() if k != "messages"} for sample in own]
    members: dict[str, Any] = {
        "_journal/start.json": {key: header[key] for key in ("version", "eval", "plan")},
        "_journal/summaries/1.json": summaries[:2],
        "_journal/summaries/2.json": summaries[1:],
        **{f"samples/{one['id']}_epoch_{one['epoch']}.json": one for one in own},
    }
    if ended:
        members |= {"summaries.json": summaries, "reductions.json": [], "header.json": header}
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, value in members.items():
            archive.writestr(name, json.dumps(value))
    return stream.getvalue()


def two(a: dict[str, Any], b: dict[str, Any]) -> dict[str, str | bytes]:
    return {"logs/first.json": text(a), "logs/second.json": text(b)}


def test_two_logs_are_compared_by_their_grades_as_inspect_counts_them():
    results = read(two(log(GPT, samples(GRADES)), log(GEMINI, samples(OTHERS))))
    assert isinstance(results, ResultSet)
    assert results.reading is not None
    assert (results.datasets, results.systems) == (("gsm8k",), (GPT, GEMINI))
    assert list(results.scores("gsm8k", GPT)) == AS_NUMBERS
    assert list(results.scores("gsm8k", GEMINI)) == OTHERS_AS_NUMBERS
    assert results.reading.roles["metric"] == "match"
    assert "C as 1, I as 0, N as 0, P as 0.5" in results.reading.remarks[0]
    assert [(use.path, use.kind, use.content) for use in results.reading.files] == [
        ("first.json", "Inspect log", f"6 samples of gsm8k, model {GPT}"),
        ("second.json", "Inspect log", f"6 samples of gsm8k, model {GEMINI}"),
    ]
    assert [(m.n_examples, m.n_matched) for m in results.reading.matched] == [(6, 6), (6, 6)]


@pytest.mark.parametrize(
    ("value", "number"),
    [
        *zip("CIPN", ("1", "0", "0.5", "0"), strict=True),
        *(("yes", "1"), ("No", "0"), ("TRUE", "1"), ("0.25", "0.25"), ("B", "B"), ("", "")),
    ],
)
def test_values_are_read_as_by_value_to_float_and_others_stay(value, number):
    assert number_of(value, set()) == number


def test_archives_are_read_by_their_summaries_and_beside_json():
    json_log = text(log(GEMINI, samples(OTHERS)))
    whole = log(GPT, samples(GRADES))
    for archive in (packed(whole), packed(whole, ended=False)):
        results = read({"logs/a.eval": archive, "logs/b.json": json_log})
        assert sorted(results.systems) == [GEMINI, GPT]
        assert list(results.scores("gsm8k", GPT)) == AS_NUMBERS
        assert ("a.eval", "Inspect log (.eval)") in {
            (use.path, use.kind) for use in results.reading.files
        }
        assert len(results.reading.files) == 2


def test_an_archive_without_summaries_is_read_by_its_samples():
    stream = io.BytesIO()
    whole = log(GPT, samples(GRADES))
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("header.json", json.dumps({**whole, "samples": None}))
        for sample in whole["samples"]:
            archive.writestr(f"samples/{sample['id']}_epoch_1.json", json.dumps(sample))
    results = read({"a.eval": stream.getvalue(), "b.eval": packed(log(GEMINI, samples(OTHERS)))})
    assert list(results.scores("gsm8k", GPT)) == AS_NUMBERS


def test_epochs_are_runs_averaged_or_one():
    a, b = samples("CIC") + samples("III"), samples("CCC") + samples("CCI")
    for own in (a, b):
        for sample in own[3:]:
            sample["epoch"] = 2
    files = two(log(GPT, a), log(GEMINI, b))
    assert [choice.role for choice in refused(files).choices] == ["runs"]
    averaged = read(files, roles={"runs": "average"})
    assert list(averaged.scores("gsm8k", GPT)) == [0.5, 0, 0.5]
    second = read(files, roles={"runs": "only:2"})
    assert list(second.scores("gsm8k", GEMINI)) == [1, 1, 0]
    again = read(files, roles=dict(second.reading.roles))
    assert again.fingerprint == second.fingerprint


def test_arguments_of_the_task_tell_datasets_apart_and_the_solver_systems():
    by_subject: dict[str, str | bytes] = {
        f"{model}-{subject}.json": text(log(model, samples(own), task_args={"subject": subject}))
        for model, own in (("a", GRADES), ("b", OTHERS))
        for subject in ("law", "math")
    }
    results = read(by_subject)
    assert results.datasets == ("gsm8k (subject=law)", "gsm8k (subject=math)")
    assert results.systems == ("a", "b")
    by_solver = two(log(GPT, samples(GRADES), solver="cot"), log(GPT, samples(OTHERS)))
    assert read(by_solver).systems == (f"{GPT} (cot)", f"{GPT} (generate)")
    by_argument = two(
        log(GPT, samples(GRADES), task_args={"shots": 5}),
        log(GPT, samples(OTHERS), task_args={"shots": 0}),
    )
    assert read(by_argument).systems == (f"{GPT} (shots=5)", f"{GPT} (shots=0)")


def test_two_evaluations_that_differ_in_nothing_are_refused():
    error = refused(two(log(GPT, samples(GRADES)), log(GPT, samples(OTHERS))))
    (problem,) = error.problems
    assert "differ neither in solver nor in arguments: 'first.json', 'second.json'" in problem.what
    assert problem.dataset == "gsm8k"


def test_logs_that_saw_different_data_are_refused():
    error = refused(two(log(GPT, samples(GRADES)), log(GEMINI, samples(OTHERS, asked="query"))))
    assert "saw different data: 6 examples" in str(error)


def test_samples_without_a_score_are_missing_and_asked_about():
    broken = samples(GRADES)
    broken[2] |= {"scores": None, "error": {"message": "time out"}}
    files = two(log(GPT, broken, status="error"), log(GEMINI, samples(OTHERS)))
    error = refused(files)
    assert [choice.role for choice in error.choices] == ["incomplete"]
    results = read(files, roles={"incomplete": "leave-out"})
    assert len(results.scores("gsm8k", GPT)) == 5
    assert any(f"gsm8k, {GPT}: error" in remark for remark in results.reading.remarks)


def test_unscored_samples_written_as_nan_are_missing():
    nan = samples("CCC")
    nan[1]["scores"]["match"]["value"] = float("nan")
    error = refused(two(log(GPT, nan), log(GEMINI, samples("CIC"))))
    assert [choice.role for choice in error.choices] == ["incomplete"]
    assert error.problems[0].file == "first.json"


def test_scores_of_several_parts_are_several_metrics_and_lists_are_refused():
    def parted(values: list[Any]) -> list[dict[str, Any]]:
        own = samples("C" * len(values))
        for sample, value in zip(own, values, strict=True):
            sample["scores"] = {"judge": {"value": value}}
        return own

    a = parted([{"style": 3, "fact": "C"}, {"style": 2, "fact": "I"}])
    b = parted([{"style": 1, "fact": "C"}, {"style": 4, "fact": "C"}])
    results = read(two(log(GPT, a), log(GEMINI, b)))
    assert results.reading.roles["scores"] == ("judge_style", "judge_fact")
    assert list(results.scores("gsm8k", GPT, "judge_fact")) == [1, 0]
    error = refused(two(log(GPT, parted([[1, 2], 1])), log(GEMINI, b)))
    assert "The score of '1' by 'judge' is several values" in str(error)
    assert error.problems[0].file == "first.json"
    assert (error.problems[0].line or 0) > 1


def test_a_log_of_only_a_header_is_left_aside_with_the_reason():
    files = two(log(GPT, samples(GRADES)), log(GEMINI, samples(OTHERS)))
    results = read({**files, "logs/third.json": text(log("other", None))})
    assert [use.used for use in results.reading.files] == [True, True, False]
    assert "only its header" in results.reading.files[2].reason


@pytest.mark.parametrize("cut", [400, -200])
def test_a_truncated_log_is_named_with_its_line(cut):
    broken = text(log(GPT, samples(GRADES)))[:cut]
    error = refused({"a.json": broken, "b.json": text(log(GEMINI, samples(OTHERS)))})
    (problem,) = error.problems
    assert problem.file == "a.json"
    assert abs((problem.line or 0) - broken.count("\n") - 1) <= 1
    assert "no JSON from here on" in problem.what


HEADER = "sample_id,eval_id,log,id,epoch,input,target,score_match,score_match_answer,error"
EVALS = "eval_id,task_name,model,epochs\ne1,gsm8k,gpt,1\ne2,gsm8k,gemini,1\n"


def sample_rows(*, header: str = HEADER, more: str = "") -> str:
    rows = [
        f'u,e{e},{e}.eval,{i + 1},1,"two,\nlines",4,{grade},4,{more}'
        for e, own in ((1, GRADES), (2, OTHERS))
        for i, grade in enumerate(own)
    ]
    return "\n".join([header, *rows]) + "\n"


def test_a_table_of_samples_is_named_by_the_table_of_evaluations():
    results = read({"samples.csv": sample_rows(), "evals.csv": EVALS})
    assert (results.datasets, results.systems) == (("gsm8k",), ("gpt", "gemini"))
    assert list(results.scores("gsm8k", "gpt")) == AS_NUMBERS
    assert results.reading.roles["scores"] == ("match",)
    assert [(use.path, use.kind) for use in results.reading.files] == [
        ("samples.csv", "Inspect samples"),
        ("evals.csv", "Inspect evaluations"),
    ]


def test_a_table_of_samples_may_name_task_and_model_itself():
    header = HEADER.replace("sample_id", "model").replace(",error", ",task_name")
    rows = sample_rows(header=header, more="inspect_evals/gsm8k").replace("\nu,e1", "\ngpt,e1")
    results = read({"samples.csv": rows.replace("\nu,e2", "\ngemini,e2")})
    assert (results.datasets, results.systems) == (("gsm8k",), ("gpt", "gemini"))
    assert list(results.scores("gsm8k", "gemini")) == OTHERS_AS_NUMBERS


def test_a_table_of_samples_may_be_json():
    records = [
        {"eval_id": f"e{e}", "id": i, "epoch": 1, "score_match": grade, "error": None}
        for e, own in ((1, GRADES), (2, OTHERS))
        for i, grade in enumerate(own)
    ]
    results = read({"samples.json": text(records), "evals.csv": EVALS})
    assert list(results.scores("gsm8k", "gpt")) == AS_NUMBERS


def test_samples_of_unknown_evaluations_are_refused_with_the_remedy():
    error = refused({"samples.csv": sample_rows()})
    (problem,) = error.problems
    assert "12 samples are of evaluations of which neither" in problem.what
    assert "evals_df" in problem.remedy
    assert (problem.file, problem.line) == ("samples.csv", 2)


def test_tables_of_other_columns_are_not_inspect_s():
    others = [
        b"dataset,id,epoch,A,B\nx,1,1,0,1\n",
        b"id,score\n1,0\n",
        b'{"version": 1, "status": "ok"}',
        b"eval_id,model,task_name\ne1,a,b\n",
    ]
    assert claims([SourceFile(name=f"{i}", content=c) for i, c in enumerate(others)]) == []


def chat(own: list[dict[str, Any]], version: str = "") -> list[dict[str, Any]]:
    """The same with inputs that are messages; ids and blanks differ from run to run."""
    return [
        {
            **sample,
            "input": [
                {"id": f"{version}{sample['id']}", "role": "system", "content": "Be short."},
                {"role": "user", "content": [{"type": "text", "text": sample["input"]}]},
            ],
        }
        for sample in own
    ]


def test_chat_inputs_are_compared_by_who_says_what():
    same = two(log(GPT, chat(samples(GRADES), "a")), log(GEMINI, chat(samples(OTHERS), "b")))
    assert "Nothing shows" not in " ".join(read(same).reading.remarks)
    others = chat(samples(OTHERS))
    others[4]["input"][1]["content"][0]["text"] = "another question"
    (problem,) = refused(two(log(GPT, chat(samples(GRADES))), log(GEMINI, others))).problems
    assert "saw different data: one example with the same id is not the same, '5'" in problem.what


def test_chat_inputs_of_a_packed_log_are_the_same_without_pictures():
    whole, own = samples(GRADES), chat(samples(GRADES))
    full = chat(whole)
    for one, thin in zip(full, own, strict=True):
        one["input"][1]["content"].append({"type": "image", "image": "data:…"})
        thin["input"][1]["content"].append({"type": "text", "text": "(Image)"})
    results = read({"a.eval": packed(log(GPT, own)), "b.json": text(log(GEMINI, full))})
    assert sorted(results.systems) == [GEMINI, GPT]
    assert "Nothing shows" not in " ".join(results.reading.remarks)


def test_tables_of_samples_are_compared_by_their_inputs():
    rows = sample_rows()
    (problem,) = refused(
        {"samples.csv": rows.replace('lines",4,P', 'other",4,P'), "evals.csv": EVALS}
    ).problems
    assert "saw different data" in problem.what
    results = read({"samples.csv": rows, "evals.csv": EVALS})
    assert "Nothing shows" not in " ".join(results.reading.remarks)


def test_a_table_beside_a_log_is_not_compared_and_that_is_said():
    rows = sample_rows().split("\nu,e2")[0]
    results = read(
        {
            "samples.csv": f"{rows}\n",
            "evals.csv": EVALS.replace("e2,gsm8k,gemini,1\n", ""),
            "b.json": text(log(GEMINI, samples(OTHERS))),
        }
    )
    assert "Nothing shows whether the systems saw the same" in " ".join(results.reading.remarks)


def test_logs_by_different_scorers_have_no_question_without_answers():
    others = samples(OTHERS)
    for one in others:
        one["scores"] = {"model_graded_qa": one["scores"]["match"]}
    error = refused(two(log(GPT, samples(GRADES)), log(GEMINI, others)))
    (problem,) = error.problems
    assert "no metric in common" in problem.what
    assert f"'{GPT}' has 'match'; '{GEMINI}' has 'model_graded_qa'" in problem.what
    assert problem.dataset == "gsm8k"
    assert error.choices == ()


def test_a_scorer_of_which_nothing_says_the_direction_is_named():
    def rated(own: list[dict[str, Any]], value: Any) -> list[dict[str, Any]]:
        return [{**one, "scores": {"strong_reject": {"value": value}}} for one in own]

    for value, is_named in ((0.25, True), ("C", False)):
        own = rated(samples(GRADES), value)
        own[0]["scores"]["strong_reject"]["value"] = 0.125 if is_named else "I"
        remarks = " ".join(read(two(log(GPT, own), log(GEMINI, own))).reading.remarks)
        assert ("Nothing says whether higher or lower values of 'strong_reject'" in remarks) is (
            is_named
        )

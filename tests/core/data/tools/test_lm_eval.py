"""Files of lm-evaluation-harness, written after its source.

Records as `evaluate` makes them and `EvaluationTracker.save_results_samples` writes them in
0.4.13.dev0 (`lm_eval/evaluator.py`, `lm_eval/loggers/evaluation_tracker.py`); older ones had
neither "filter" nor "metrics", still older ones no "doc_hash" either and stood in one array.
Results as `save_results_aggregated` writes them.
"""

from __future__ import annotations

import io
import json
import zipfile
from hashlib import sha256
from typing import Any

import pytest

from core.data import ResultSet, read_results
from core.data.overlap.find import find_overlap
from core.data.reading import ReadingStopped
from core.data.score_table import ScoreTable
from core.data.sources.given import SourceFile
from core.data.tools.lm_eval import RESULTS, SAMPLES, is_of
from core.errors import DataError

MONDAY, TUESDAY = "2024-05-06T10-00-00.123456", "2024-05-07T11-30-00.654321"
GSM8K = ("strict-match", "flexible-extract")


def file(name: str, content: bytes | str) -> io.BytesIO:
    opened = io.BytesIO(content.encode() if isinstance(content, str) else content)
    opened.name = name
    return opened


def again(opened: io.BytesIO) -> io.BytesIO:
    return file(opened.name, opened.getvalue())


def record(task: str, number: int, filter_name: str = "none", **metrics: Any) -> dict[str, Any]:
    doc = {"question": f"{task} {number}", "choices": ["yes", "no\u2028"]}
    return {
        "doc_id": number,
        "doc": doc,
        "target": "1",
        "arguments": {"gen_args_0": {"arg_0": "Question: …", "arg_1": " yes"}},
        "resps": [[["-1.5", "False"]], [["-2.25", "False"]]],
        "filtered_resps": [["-1.5", "False"], ["-2.25", "False"]],
        "filter": filter_name,
        "metrics": list(metrics),
        "doc_hash": sha256(json.dumps(doc).encode()).hexdigest(),
        "prompt_hash": "5f",
        "target_hash": "6a",
        **metrics,
    }


def jsonl(*records: Any) -> str:
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in records)


def samples(task: str, acc: str, **others: Any) -> str:
    """One record for each 0 or 1."""
    return jsonl(
        *(record(task, i, acc=float(right), **others) for i, right in enumerate(acc, start=0))
    )


def averages(model: str, **tasks: dict[str, Any]) -> str:
    whole = {
        "results": {task: {"alias": task, **own} for task, own in tasks.items()},
        "group_subtasks": {},
        "configs": {task: {"task": task, "repeats": 1} for task in tasks},
        "versions": dict.fromkeys(tasks, 1.0),
        "n-shot": dict.fromkeys(tasks, 0),
        "higher_is_better": {task: {"acc": True} for task in tasks},
        "n-samples": {task: {"original": 4, "effective": 4} for task in tasks},
        "config": {"model": "hf", "model_args": f"pretrained={model},dtype=float32"},
        "model_source": "hf",
        "model_name": model,
        "model_name_sanitized": model.replace("/", "__"),
    }
    return json.dumps(whole, indent=2)


def read(*files: io.BytesIO, **named: Any) -> ResultSet:
    results = read_results([again(one) for one in files], **named)
    assert isinstance(results, ResultSet)
    return results


def refused(*files: io.BytesIO, **named: Any) -> DataError:
    with pytest.raises(DataError) as caught:
        read_results([again(one) for one in files], **named)
    return caught.value


def said(error: DataError) -> str:
    return "\n".join(map(str, error.problems))


def two_models(task: str = "arc_easy", a: str = "1101", b: str = "1000") -> list[io.BytesIO]:
    return [
        file(f"out/org__a/samples_{task}_{MONDAY}.jsonl", samples(task, a)),
        file(f"out/org__b/samples_{task}_{TUESDAY}.jsonl", samples(task, b)),
    ]


def test_two_models_are_compared_document_by_document():
    results = read(*two_models(), *two_models("hellaswag", "01", "11"))
    assert results.datasets == ("arc_easy", "hellaswag")
    assert results.systems == ("org__a", "org__b")
    assert results.metrics == ("acc",)
    assert results.scores("arc_easy", "org__a").tolist() == [1, 1, 0, 1]
    assert results.scores("hellaswag", "org__b").tolist() == [1, 1]
    assert results.examples("arc_easy") == ("0", "1", "2", "3")
    reading = results.reading
    assert reading is not None
    assert [(use.kind, use.used) for use in reading.files] == [(SAMPLES, True)] * 4
    assert reading.files[0].content == "4 examples of arc_easy, system org__a"
    matched = [(one.dataset, one.system, one.n_examples, one.n_matched) for one in reading.matched]
    assert matched[0] == ("arc_easy", "org__a", 4, 4)
    assert "after the folders of their files: 'org__a', 'org__b'" in " ".join(reading.remarks)


def test_documents_are_matched_by_id_and_not_by_their_order():
    first, second = two_models()
    lines = first.getvalue().split(b"\n")
    shuffled = file(first.name, b"\n".join(lines[::-1]).strip())
    results = read(shuffled, second)
    assert results.examples("arc_easy") == ("3", "2", "1", "0")
    assert results.scores("arc_easy", "org__a").tolist() == [1, 0, 1, 1]
    assert results.scores("arc_easy", "org__b").tolist() == [0, 0, 0, 1]


def test_the_roles_of_the_reading_read_the_same_again():
    results = read(*two_models())
    assert results.reading is not None
    again = read(*two_models(), roles=results.reading.roles)
    assert again.fingerprint == results.fingerprint
    assert again.reading == results.reading


def test_different_documents_under_one_id_are_refused_with_task_models_and_ids():
    first, second = two_models()
    other = file(
        second.name, samples("arc_easy", "1000").replace('"doc_hash": "', '"doc_hash": "0')
    )
    text = said(refused(first, other))
    assert "'arc_easy'" in text
    assert "'org__a' and 'org__b' saw different data: 4 examples" in text
    assert "'0', '1', '2', '3'" in text


def test_documents_that_one_model_lacks_are_named_and_can_be_left_out():
    files = [*two_models("rte", "1", "0"), *two_models(b="10001")]
    error = refused(*files)
    assert "'org__a' lacks 1 of 5 examples: '4'" in said(error)
    assert [choice.role for choice in error.choices] == ["incomplete"]
    results = read(*files, roles={"incomplete": "leave-out"})
    assert results.scores("arc_easy", "org__b").tolist() == [1, 0, 0, 0]
    assert results.reading is not None
    left = {(m.dataset, m.system): (m.n_matched, m.left_over) for m in results.reading.matched}
    assert left["arc_easy", "org__b"] == (4, ("4",))
    assert left["arc_easy", "org__a"] == (4, ())


# Filters


def gsm8k(name: str, filters: tuple[str, ...] = GSM8K, task: str = "gsm8k") -> io.BytesIO:
    lines = [
        record(task, i, chosen, exact_match=float((i + place + len(name)) % 2))
        for place, chosen in enumerate(filters)
        for i in range(4)
    ]
    return file(f"{name}/samples_{task}_{MONDAY}.jsonl", jsonl(*lines))


def test_of_several_filters_one_is_asked_for():
    error = refused(gsm8k("a"), gsm8k("bb"))
    assert "after 2 filters: 'strict-match', 'flexible-extract'" in said(error)
    (choice,) = error.choices
    assert choice.role == "filter"
    assert [value for value, _ in choice.options] == list(GSM8K)


@pytest.mark.parametrize("chosen", GSM8K)
def test_the_chosen_filter_alone_is_read_and_stays_open_to_correction(chosen):
    results = read(gsm8k("a"), gsm8k("bb"), roles={"filter": chosen})
    place = GSM8K.index(chosen)
    assert results.scores("gsm8k", "a").tolist() == [(i + place + 1) % 2 for i in range(4)]
    reading = results.reading
    assert reading is not None
    assert reading.roles["filter"] == chosen
    assert [choice.role for choice in reading.choices] == ["filter"]
    assert reading.files[0].content.endswith(f"filter {chosen}")
    again = read(gsm8k("a"), gsm8k("bb"), roles=reading.roles)
    assert again.fingerprint == results.fingerprint


def test_the_chosen_filter_is_said_in_a_remark_with_its_tasks():
    files = [gsm8k("a"), gsm8k("bb")]
    reading = read(*files, roles={"filter": "strict-match"}).reading
    assert reading is not None
    said_once = "Read: answers to 'gsm8k' by the filter 'strict-match', as chosen."
    assert reading.remarks.count(said_once) == 1
    own = ("remove_whitespace", "get-answer")
    files += [gsm8k(name, own, "drop") for name in ("a", "bb")]
    reading = read(*files, roles={"filter": "each-first"}).reading
    assert reading is not None
    assert (
        "Read: answers by each task's first filter, as chosen: 'gsm8k' by 'strict-match'; 'drop' "
        "by 'remove_whitespace'."
    ) in reading.remarks


def test_of_one_model_alone_no_filter_is_asked_for():
    error = refused(gsm8k("a"))
    assert "of one system" in said(error)
    assert "filter" not in said(error)
    assert error.choices == ()


def test_no_question_is_attached_to_documents_that_differ():
    chosen = {"filter": "strict-match"}
    records = [record("gsm8k", i + 9, name, exact_match=1.0) for name in GSM8K for i in range(4)]
    for place, one in enumerate(records):
        one["doc_id"] = place % 4
    other = file(f"bb/samples_gsm8k_{MONDAY}.jsonl", jsonl(*records))
    error = refused(gsm8k("a"), other, roles=chosen)
    assert "saw different data" in said(error)
    assert error.choices == ()


# Targets, prompts and averages beside the samples


def changed(opened: io.BytesIO, n: int, **fields: Any) -> io.BytesIO:
    """The same file with other fields in its first records."""
    records = [json.loads(line) for line in opened.getvalue().decode().split("\n") if line]
    return file(opened.name, jsonl(*({**r, **fields} for r in records[:n]), *records[n:]))


def test_a_target_that_differs_under_one_id_is_refused():
    first, second = two_models()
    error = refused(first, changed(second, 3, target_hash="other"))
    assert "'org__a' and 'org__b' were judged by different right answers" in said(error)
    assert "3 documents, such as '0', '1', '2'" in said(error)
    assert error.problems[0].dataset == "arc_easy"
    assert error.choices == ()


def test_targets_of_a_task_that_is_left_aside_do_not_matter():
    own = ("remove_whitespace", "get-answer")
    files = [gsm8k("a"), gsm8k("bb"), gsm8k("a", own, "drop")]
    files.append(changed(gsm8k("bb", own, "drop"), 8, target_hash="other"))
    assert read(*files, roles={"filter": "strict-match"}).datasets == ("gsm8k",)
    assert "different right answers" in said(refused(*files, roles={"filter": "each-first"}))


def test_prompts_that_differ_are_one_remark_with_the_number_of_documents():
    first, second = two_models()
    files = [first, changed(second, 3, prompt_hash="other"), *two_models("rte")]
    reading = read(*files).reading
    assert reading is not None
    (remark,) = [one for one in reading.remarks if "prompt_hash" in one]
    assert "not asked 3 documents in the same words" in remark
    assert "3 of arc_easy." in remark
    assert "rte" not in remark
    reading = read(*two_models()).reading
    assert reading is not None
    assert "prompt_hash" not in " ".join(reading.remarks)


def beside(mean: float, day: str = MONDAY, n: int = 4) -> io.BytesIO:
    whole = json.loads(averages("org/a", arc_easy={"acc,none": mean, "acc_stderr,none": 0.2}))
    whole["n-samples"]["arc_easy"]["effective"] = n
    return file(f"out/org__a/results_{day}.json", json.dumps(whole))


def test_a_mean_that_the_results_beside_contradict_is_refused():
    error = refused(*two_models(), beside(0.5))
    (problem,) = error.problems
    assert "The mean of 'acc' over the file's documents is 0.75" in problem.what
    assert f"org__a/results_{MONDAY}.json says 0.5" in problem.what
    assert problem.dataset == "arc_easy"
    assert str(problem.file).startswith("org__a/samples_")


def test_samples_with_fewer_documents_than_the_results_are_refused_before_any_are_left_out():
    first, second = two_models(b="100011")
    error = refused(first, second, beside(0.5, n=6), roles={"incomplete": "leave-out"})
    (problem,) = error.problems
    assert "holds 4 documents" in problem.what
    assert "6 were evaluated" in problem.what
    assert error.choices == ()


@pytest.mark.parametrize("mean", [0.667, 0.6667, 2 / 3, "0.66667"])
def test_a_mean_is_compared_as_exactly_as_it_is_written(mean):
    both = two_models(a="110", b="100")
    assert read(*both, beside(mean, n=3)).systems == ("org/a", "org__b")
    error = refused(*both, beside(float(mean) + 0.001, n=3))
    assert "The mean of 'acc'" in said(error)


def test_a_short_average_is_not_taken_for_a_rounded_one():
    both = two_models(a="1101001100" * 5 + "11", b="10" * 26)
    assert "is 0.519231" in said(refused(*both, beside(0.5, n=52)))


def test_results_of_another_evaluation_are_not_compared():
    assert read(*two_models(), beside(0.5, TUESDAY)).systems == ("org/a", "org__b")


def test_two_tasks_with_the_same_documents_are_found_to_share_examples():
    copies = [
        file(one.name.replace("arc_easy", "arc_copy"), one.getvalue()) for one in two_models()
    ]
    overlap = find_overlap(read(*two_models(), *copies, *two_models("rte")))
    assert overlap.basis == "inputs"
    assert [overlap.datasets[i] for i in (*overlap.pairs.first, *overlap.pairs.second)] == [
        "arc_easy",
        "arc_copy",
    ]
    assert overlap.pairs.n_common.tolist() == [4]


def test_the_hashes_of_documents_are_neither_scores_nor_covariates():
    results = read(*two_models(), *two_models("rte"))
    assert results.metrics == ("acc",)
    assert results.reading is not None
    assert results.reading.roles["covariates"] == ()
    assert results.reading.roles["scores"] == ("acc",)


def test_a_filter_of_one_model_only_is_a_problem_that_names_it_and_the_models():
    files = [gsm8k("a"), gsm8k("bb", GSM8K[:1])]
    error = refused(*files)
    assert "'a' has 'strict-match', 'flexible-extract'; 'bb' has 'strict-match'" in said(error)
    assert [value for value, _ in error.choices[0].options] == ["strict-match"]
    error = refused(*files, roles={"filter": "flexible-extract"})
    assert "'flexible-extract' exists for 'a' only, not for 'bb'" in said(error)
    assert read(*files, roles={"filter": "strict-match"}).systems == ("a", "bb")


def test_models_without_a_filter_in_common_cannot_be_compared():
    error = refused(gsm8k("a", GSM8K[:1]), gsm8k("bb", GSM8K[1:]), roles={"filter": GSM8K[0]})
    assert "not judged after the same filters" in said(error)


def test_an_unknown_filter_is_answered_with_those_there_are():
    error = refused(gsm8k("a"), gsm8k("bb"), roles={"filter": "loose"})
    assert "no filter 'loose'. The filters are 'strict-match', 'flexible-extract'." in said(error)


def test_tasks_with_filters_of_their_own_can_each_be_read_by_their_first():
    own = ("remove_whitespace", "get-answer")
    names = ("a", "bb")
    files = [gsm8k(name) for name in names] + [gsm8k(name, own, "drop") for name in names]
    options = dict(refused(*files).choices[0].options)
    assert options["each-first"] == (
        "Each task's first: remove_whitespace of 'drop'; strict-match of 'gsm8k'"
    )
    both = read(*files, roles={"filter": "each-first"})
    assert both.datasets == ("gsm8k", "drop")
    one = read(*files, roles={"filter": "get-answer"})
    assert one.datasets == ("drop",)
    assert one.reading is not None
    assert "left aside, as chosen: 'gsm8k'" in " ".join(one.reading.remarks)
    assert [use.used for use in one.reading.files] == [False, False, True, True]


def test_a_task_with_one_filter_needs_no_answer_beside_one_with_several():
    files = [*two_models(), *(gsm8k(f"out/org__{name}") for name in "ab")]
    lines = jsonl(*(record("arc_easy", i, exact_match=1.0) for i in range(4)))
    files[:2] = [file(one.name, lines) for one in files[:2]]
    results = read(*files, roles={"filter": "strict-match"})
    assert results.datasets == ("arc_easy", "gsm8k")


# Metrics


def test_lists_are_no_scores_and_are_left_aside_with_a_remark():
    first, second = two_models()
    files = [
        file(one.name, samples("arc_easy", "1100", bleu=["gold", "guess"], by_part={"x": 1.0}))
        for one in (first, second)
    ]
    results = read(*files)
    assert results.metrics == ("acc",)
    assert results.reading is not None
    remark = next(text for text in results.reading.remarks if text.startswith("Left aside"))
    assert "'bleu' of 'arc_easy'; 'by_part' of 'arc_easy'" in remark


def test_a_task_of_lists_only_has_no_scores():
    lines = jsonl(*(record("wmt", i, bleu=["gold", "guess"]) for i in range(3)))
    text = said(refused(file("a/samples_wmt_x.jsonl", lines), file("b/samples_wmt_x.jsonl", lines)))
    assert "No metric is a number for each document: 'bleu' hold none." in text


def test_truth_values_count_as_one_and_zero_and_null_is_missing():
    lines = [record("ifeval", i, prompt_level_strict_acc=i % 2 == 0) for i in range(3)]
    full = jsonl(*lines)
    lines[1]["prompt_level_strict_acc"] = None
    results = read(file("a/samples_ifeval.jsonl", full), file("b/samples_ifeval.jsonl", full))
    assert results.scores("ifeval", "a").tolist() == [1, 0, 1]
    files = [
        file("a/samples_ifeval.jsonl", full),
        file("b/samples_ifeval.jsonl", jsonl(*lines)),
    ]
    (problem,) = refused(*files).problems
    assert (problem.line, problem.file) == (2, "b/samples_ifeval.jsonl")
    assert "no score" in problem.what


def test_not_a_number_is_refused_with_its_line():
    first, second = two_models()
    broken = samples("arc_easy", "1000").replace('"acc": 1.0', '"acc": NaN')
    error = refused(first, file(second.name, broken))
    (problem,) = error.problems
    assert problem.line == 1
    assert problem.file is not None


def test_numbers_written_as_text_are_numbers():
    first, second = two_models()
    text = samples("arc_easy", "1000").replace('"acc": 1.0', '"acc": "1.0"')
    assert read(first, file(second.name, text)).fingerprint == read(*two_models()).fingerprint


def test_a_log_likelihood_that_is_called_perplexity_is_better_when_higher():
    files = [
        file(f"{name}/samples_lambada_{MONDAY}.jsonl",
             jsonl(*(record("lambada", i, perplexity=-1.5 * i - shift) for i in range(4))))
        for name, shift in (("a", 0.25), ("b", 0.5))
    ]  # fmt: skip
    results = read(*files)
    assert results.higher_is_better == {"perplexity": True}
    assert results.reading is not None
    assert "is the log-likelihood of the answer" in " ".join(results.reading.remarks)


def test_without_results_a_name_that_says_so_tells_that_lower_is_better():
    lines = jsonl(*(record("x", i, brier_score=0.25 * i) for i in range(3)))
    results = read(file("a/samples_x_1.jsonl", lines), file("b/samples_x_1.jsonl", lines))
    assert results.higher_is_better == {"brier_score": False}


def squad_beside_arc() -> list[io.BytesIO]:
    lines = jsonl(*(record("squad", i, em=float(i % 2)) for i in range(3)))
    return [
        *two_models(),
        file(f"out/org__a/samples_squad_{MONDAY}.jsonl", lines),
        file(f"out/org__b/samples_squad_{TUESDAY}.jsonl", lines),
    ]


def test_tasks_without_a_common_metric_ask_which_and_can_each_keep_their_own():
    files = squad_beside_arc()
    (choice,) = refused(*files).choices
    assert [value for value, _ in choice.options] == ["each-own", "only:acc", "only:em"]
    results = read(*files, roles={"measure": "each-own"})
    assert results.datasets == ("arc_easy", "squad")
    assert results.higher_is_better == {"score": True}
    assert results.scores("arc_easy", "org__a").tolist() == [1, 1, 0, 1]
    assert results.scores("squad", "org__a").tolist() == [0, 1, 0]
    assert results.reading is not None
    assert read(*files, roles=results.reading.roles).fingerprint == results.fingerprint
    assert read(*files, roles={**results.reading.roles, "metric": "right"}).metrics == ("right",)


def test_one_metric_leaves_the_other_task_aside():
    results = read(*squad_beside_arc(), roles={"measure": "only:em"})
    assert (results.datasets, results.metrics) == (("squad",), ("em",))
    assert results.reading is not None
    assert [use.used for use in results.reading.files] == [False, False, True, True]
    assert read(*squad_beside_arc(), roles=results.reading.roles).metrics == ("em",)


def test_several_records_of_a_document_are_runs():
    lines = "".join(samples("aime", right) for right in ("110", "010"))
    files = [file(f"{name}/samples_aime_{MONDAY}.jsonl", lines) for name in "ab"]
    error = refused(*files)
    assert [choice.role for choice in error.choices] == ["runs"]
    averaged = read(*files, roles={"runs": "average"})
    assert averaged.scores("aime", "a").tolist() == [0.5, 1, 0]
    single = read(*files, roles={"runs": "only:2"})
    assert single.scores("aime", "a").tolist() == [0, 1, 0]


# Names


def test_results_in_the_folder_name_the_model_and_are_left_aside():
    first, second = two_models()
    results = read(
        first, second,
        file(f"out/org__a/results_{MONDAY}.json",
             averages("org/a", arc_easy={"acc,none": 0.75, "acc_stderr,none": 0.2})),
        file(f"out/org__b/results_{TUESDAY}.json",
             averages("org/b", arc_easy={"acc,none": 0.25, "acc_stderr,none": 0.2})),
    )  # fmt: skip
    assert results.systems == ("org/a", "org/b")
    assert results.reading is not None
    aside = [use for use in results.reading.files if use.kind == RESULTS]
    assert [use.used for use in aside] == [False, False]
    assert "averages only" in aside[0].reason
    assert aside[0].content == "averages of 1 task, system org/a"


def test_in_one_folder_results_name_the_samples_of_their_date():
    names = ("org/a", MONDAY), ("org/b", TUESDAY)
    scores = {"acc,none": 0.5, "acc_stderr,none": 0.2}
    results = read(
        *(file(f"samples_arc_easy_{day}.jsonl", samples("arc_easy", "1010")) for _, day in names),
        *(file(f"results_{day}.json", averages(name, arc_easy=scores)) for name, day in names),
    )
    assert results.systems == ("org/a", "org/b")


@pytest.mark.parametrize("sorted_keys", [False, True])
def test_files_with_the_date_first_and_results_with_sorted_keys(sorted_keys):
    """lmms-eval keeps the records; programs that write results again may sort their keys."""
    scores = {"acc,none": 0.5, "acc_stderr,none": 0.2}
    files = []
    for name, day in (("org/a", "20240506_100000"), ("org/b", "20240507_113000")):
        whole = json.loads(averages(name, mme=scores))
        files.append(file(f"{day}_samples_mme.jsonl", samples("mme", "1010")))
        text = json.dumps(whole, sort_keys=sorted_keys)
        files.append(file(f"{day}_results.json", text))
    results = read(*files)
    assert (results.datasets, results.systems) == (("mme",), ("org/a", "org/b"))


def test_one_model_evaluated_twice_is_told_apart_by_folders():
    scores = averages("org/a", arc_easy={"acc,none": 0.75, "acc_stderr,none": 0.2})
    results = read(
        file(f"zero/org__a/samples_arc_easy_{MONDAY}.jsonl", samples("arc_easy", "1101")),
        file(f"five/org__a/samples_arc_easy_{TUESDAY}.jsonl", samples("arc_easy", "1011")),
        file(f"zero/org__a/results_{MONDAY}.json", scores),
        file(f"five/org__a/results_{TUESDAY}.json", scores),
    )
    assert results.systems == ("zero", "five")


def test_a_model_named_by_its_arguments_alone():
    whole = json.loads(averages("org/a", x={"acc,none": 1.0, "acc_stderr,none": 0.0}))
    del whole["model_name"]
    files = [
        file("1.json", json.dumps(whole)),
        file("2.json", averages("org/b", x={"acc,none": 1.0, "acc_stderr,none": 0.0})),
    ]
    table = read_results(files)
    assert isinstance(table, ScoreTable)
    assert table.systems == ("org/a", "org/b")


@pytest.mark.parametrize(
    ("names", "datasets", "systems"),
    [
        (("samples_arc_easy_pythia", "samples_arc_easy_gpt2"), ("arc_easy",), ("pythia", "gpt2")),
        (("pythia-arc_easy", "gpt2-arc_easy"), ("arc_easy",), ("pythia", "gpt2")),
        (
            ("samples_rte_my_small", "samples_rte_my_large", "samples_boolq_my_small",
             "samples_boolq_my_large"),
            ("rte", "boolq"),
            ("small", "large"),
        ),
    ],
)  # fmt: skip
def test_names_given_by_people_are_read_by_the_documents_that_files_share(names, datasets, systems):
    tasks = [next(task for task in datasets if task in name) for name in names]
    results = read(
        *(file(f"{n}.jsonl", samples(t, "110")) for n, t in zip(names, tasks, strict=True))
    )
    assert results.datasets == datasets
    assert results.systems == systems


def test_names_given_by_people_with_other_documents_are_said_to_differ():
    files = [
        file("samples_arc_easy_a.jsonl", samples("arc_easy", "10")),
        file("samples_arc_easy_b.jsonl", samples("arc_easy_de", "10")),
    ]
    assert "'a' and 'b' saw different data: 2 examples" in said(refused(*files))


def test_dates_that_do_not_recur_do_not_tell_models_apart():
    days = [f"2024-05-0{day}T10-00-00.5" for day in range(1, 5)]
    files = [
        file(f"samples_{task}_{day}.jsonl", samples(task, "10"))
        for task, day in zip(("rte", "rte", "boolq", "boolq"), days, strict=True)
    ]
    text = said(refused(*files))
    assert "do not tell which files are of one system" in text
    assert "folder named after it" in text


def test_one_model_twice_in_its_folder_is_refused_with_both_files():
    files = [*two_models(), file(f"out/org__a/samples_arc_easy_{TUESDAY}.jsonl", "")]
    files[2] = file(files[2].name, samples("arc_easy", "1101"))
    text = said(refused(*files))
    assert "2 files tell of it for the system 'org__a'" in text
    assert MONDAY in text
    assert TUESDAY in text


# Averages alone


def test_averages_alone_are_one_score_for_each_task_and_model():
    both = {"acc,none": 0.5, "acc_stderr,none": 0.01}
    table = read_results(
        [
            file("1.json", averages("org/a", rte={**both, "acc,none": 0.625}, boolq=both)),
            file("2.json", averages("org/b", rte=both, boolq=both)),
        ]
    )
    assert isinstance(table, ScoreTable)
    assert table.datasets == ("rte", "boolq")
    assert table.systems == ("org/a", "org/b")
    assert table.values.tolist() == [[0.625, 0.5], [0.5, 0.5]]
    assert table.reading is not None
    remarks = " ".join(table.reading.remarks)
    assert "do not give that of their difference" in remarks
    assert [use.used for use in table.reading.files] == [True, True]


def test_groups_are_left_aside_as_they_repeat_their_tasks():
    scores = {"acc,none": 0.5, "acc_stderr,none": 0.01}
    files = []
    for name in ("org/a", "org/b"):
        whole = json.loads(averages(name, mmlu=scores, mmlu_law=scores, mmlu_math=scores))
        whole["groups"] = {"mmlu": scores}
        whole["group_subtasks"] = {"mmlu": ["mmlu_law", "mmlu_math"]}
        files.append(file(f"{name[-1]}.json", json.dumps(whole)))
    table = read_results(files)
    assert isinstance(table, ScoreTable)
    assert table.datasets == ("mmlu_law", "mmlu_math")
    assert table.reading is not None
    assert "compared: 'mmlu'" in " ".join(table.reading.remarks)


def test_averages_over_different_numbers_of_documents_are_refused():
    whole = json.loads(averages("org/b", rte={"acc,none": 0.5, "acc_stderr,none": 0.1}))
    whole["n-samples"]["rte"]["effective"] = 2
    files = [
        file("1.json", averages("org/a", rte={"acc,none": 0.5, "acc_stderr,none": 0.1})),
        file("2.json", json.dumps(whole)),
    ]
    assert "'org/a' on 4, 'org/b' on 2 of them" in said(refused(*files))


def test_of_several_metrics_and_filters_averages_ask_too():
    scores = {f"{m},{f}": 0.5 for m in ("exact_match", "f1") for f in GSM8K}
    files = [
        file(f"{n}.json", averages(n, gsm8k={**scores, "f1_stderr,strict-match": 0.1}))
        for n in "ab"
    ]
    assert [choice.role for choice in refused(*files).choices] == ["filter"]
    error = refused(*files, roles={"filter": "strict-match"})
    assert [choice.role for choice in error.choices] == ["measure", "filter"]
    roles = {"filter": "strict-match", "measure": "only:f1"}
    table = read_results([again(one) for one in files], roles=roles)
    assert isinstance(table, ScoreTable)
    assert table.metric == "f1"


def test_directions_come_from_results():
    lines = jsonl(*(record("x", i, oddity=0.25 * i) for i in range(4)))
    files = [file(f"{name}/samples_x_{MONDAY}.jsonl", lines) for name in "ab"]
    for name in "ab":
        whole = json.loads(averages(name, x={"oddity,none": 0.5, "oddity_stderr,none": "N/A"}))
        whole["higher_is_better"] = {"x": {"oddity": False}}
        files.append(file(f"{name}/results_{MONDAY}.json", json.dumps(whole)))
    assert read(*files).higher_is_better == {"oddity": False}


def test_a_metric_that_is_better_higher_here_and_lower_there_is_refused():
    files = two_models() + two_models("rte")
    for name, day, mean in (("a", MONDAY, 0.75), ("b", TUESDAY, 0.25)):
        scores = {"acc,none": mean, "acc_stderr,none": 0}
        whole = json.loads(averages(f"org/{name}", arc_easy=scores, rte=scores))
        whole["higher_is_better"] = {"arc_easy": {"acc": True}, "rte": {"acc": False, "x": None}}
        files.append(file(f"out/org__{name}/results_{day}.json", json.dumps(whole)))
    error = refused(*files)
    assert "Of 'acc' higher is better on 'arc_easy', and lower on 'rte'." in said(error)


def test_samples_of_one_model_beside_averages_of_two_compare_the_averages():
    scores = {"acc,none": 0.75, "acc_stderr,none": 0.2}
    table = read_results(
        [
            two_models()[0],
            file(f"out/org__a/results_{MONDAY}.json", averages("org/a", arc_easy=scores)),
            file(f"out/org__b/results_{TUESDAY}.json", averages("org/b", arc_easy=scores)),
        ]
    )
    assert isinstance(table, ScoreTable)
    assert table.reading is not None
    (aside,) = [use for use in table.reading.files if not use.used]
    assert aside.kind == SAMPLES
    assert "one system only" in aside.reason


def test_other_versions_and_numbers_of_shots_are_remarked():
    files = two_models()
    for name, day, shots, mean in (("a", MONDAY, 0, 0.75), ("b", TUESDAY, 5, 0.25)):
        scores = {"acc,none": mean, "acc_stderr,none": 0}
        whole = json.loads(averages(f"org/{name}", arc_easy=scores))
        whole["n-shot"]["arc_easy"] = shots
        files.append(file(f"out/org__{name}/results_{day}.json", json.dumps(whole)))
    results = read(*files)
    assert results.reading is not None
    remarks = " ".join(results.reading.remarks)
    assert "different numbers of examples in the prompt: 'arc_easy'" in remarks
    assert "versions" not in remarks


# Older versions


def test_records_of_older_versions_without_filter_metrics_and_hashes():
    old = [record("arc_easy", i, acc=float(i % 2), acc_norm=1.0) for i in range(4)]
    for one in old:
        for name in ("filter", "metrics", "doc_hash", "prompt_hash", "target_hash"):
            del one[name]
    array = json.dumps(old, indent=2)
    results = read(file("a/arc_easy.jsonl", array), file("b/arc_easy.jsonl", jsonl(*old)))
    assert results.metrics == ("acc", "acc_norm")
    assert results.datasets == ("arc_easy",)
    assert results.scores("arc_easy", "a").tolist() == [0, 1, 0, 1]
    old[2]["doc"]["question"] = "another"
    other = file("b/arc_easy.jsonl", jsonl(*old))
    text = said(refused(file("a/arc_easy.jsonl", array), other))
    assert "saw different data: one example with the same id is not the same, '2'" in text


def test_hashes_of_another_kind_are_not_compared_but_remarked():
    first, second = two_models()
    lines = [json.loads(line) for line in second.getvalue().splitlines()]
    for one in lines:
        del one["doc_hash"]
    results = read(first, file(second.name, jsonl(*lines)))
    assert results.reading is not None
    assert "Nothing shows whether the systems saw the same" in " ".join(results.reading.remarks)


# Bad input


def test_a_truncated_last_line_is_named_with_its_position():
    first, second = two_models()
    cut = second.getvalue()[:-40]
    start = cut.rindex(b"\n") + 1
    (problem,) = refused(first, file(second.name, cut)).problems
    assert (problem.line, problem.file) == (4, f"org__b/samples_arc_easy_{TUESDAY}.jsonl")
    assert f"cut off after {len(cut[start:].decode()):,} characters" in problem.what


def test_every_broken_line_is_named():
    first, second = two_models()
    lines = second.getvalue().decode().split("\n")
    lines[1] = lines[1].replace('"doc_id": 1,', '"doc_id": 1')
    lines[2:4] = "[1]", '{"acc": 1.0}'
    problems = refused(first, file(second.name, "\n".join(lines))).problems
    assert [problem.line for problem in problems] == [2, 3, 4]
    assert "no JSON from character" in problems[0].what
    assert "an array, not the record" in problems[1].what
    assert "no 'doc_id'" in problems[2].what


def test_a_file_of_broken_lines_is_not_read_to_its_end():
    first, second = two_models()
    problems = refused(first, file(second.name, second.getvalue() + b"{oops\n" * 1_000)).problems
    assert [problem.line for problem in problems] == [*range(5, 55), None]
    assert "the rest was not read" in problems[-1].what


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('{"doc_id": 9, "x": ' + "[" * 100_000 + "\n", "nested too deeply"),
        ('{"doc_id": 9, "resps": [1]} {"doc_id": 10}\n', "Extra data"),
        ('{"doc_id": "", "acc": 1.0}\n', "no 'doc_id'"),
        ('{"doc_id": 9, "filter": ["none"], "acc": 1.0}\n', "'filter' is an array, not a name"),
        (b'{"doc_id": 9, "doc": "\xff"}\n', "byte 23 of the line on it is no UTF-8"),
    ],
)
def test_hostile_lines_end_in_problems(text, what):
    first, second = two_models()
    bad = second.getvalue() + (text if isinstance(text, bytes) else text.encode())
    (problem,) = refused(first, file(second.name, bad)).problems
    assert problem.line == 5
    assert what in problem.what


def test_a_huge_number_is_read_as_text():
    first, second = two_models()
    whole = second.getvalue().replace(b'"target": "1"', b'"target": ' + b"9" * 5000)
    assert read(first, file(second.name, whole)).systems == ("org__a", "org__b")


@pytest.mark.parametrize("letter", ["\\u0000", "\\ud800"])
def test_characters_that_no_text_may_hold_are_refused(letter):
    first, second = two_models()
    for old, new in (('"doc_id": 2', f'"doc_id": "2{letter}"'), ('"acc"', f'"acc{letter}"')):
        bad = second.getvalue().decode().replace(old, new)
        assert "no letter" in said(refused(again(first), file(second.name, bad)))


def test_markup_in_names_is_kept_as_it_is():
    results = read(*two_models("<b>$x$</b>".replace("/", "")))
    assert results.datasets == ("<b>$x$<b>",)


def test_a_metric_may_have_the_name_of_a_column():
    lines = jsonl(*(record("x", i, system=float(i), run=1.0) for i in range(3)))
    results = read(file("a/samples_x_1.jsonl", lines), file("b/samples_x_1.jsonl", lines))
    assert results.metrics == ("system", "run")
    assert results.systems == ("a", "b")


def test_other_files_beside_are_left_aside_and_reported():
    other = file("out/org__a/scores.json", '{"rte": {"A": 0.5, "B": 0.25}}')
    results = read(*two_models(), other, file("out/notes.csv", "a,b\n1,2\n"))
    assert results.reading is not None
    left = {use.path: use.reason for use in results.reading.files if not use.used}
    assert left == {
        "org__a/scores.json": "It is no file of an evaluation tool that is known here.",
        "notes.csv": "It is no file of an evaluation tool that is known here.",
    }


def test_truncated_results_are_named_with_their_position():
    text = averages("org/a", rte={"acc,none": 0.5, "acc_stderr,none": 0.1})
    (problem,) = refused(file("1.json", text[:200]), file("2.json", text)).problems
    assert problem.file == "1.json"
    assert problem.line == text[:200].count("\n") + 1
    assert "cut off" in problem.what


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("samples_x.jsonl", '{"doc_id": 0, "A": 1, "B": 0}\n{"doc_id": 1, "A": 1, "B": 1}\n'),
        ("samples_x.csv", "doc_id,A,B\n0,1,0\n"),
        ("results_x.json", '{"results": {"rte": {"A": 0.5, "B": 0.6}}}'),
        ("a.json", '{"rte": {"A": 0.5, "B": 0.6}}'),
    ],
)
def test_files_that_are_read_otherwise_are_not_claimed(name, content):
    assert not is_of(SourceFile(name=name, content=content.encode()), content.encode())


def test_a_first_record_longer_than_what_is_looked_at_is_still_known():
    one = record("x", 0, acc=1.0)
    one["doc"]["question"] = "long " * 100_000
    content = jsonl(one, record("x", 1, acc=0.0)).encode()
    assert is_of(
        SourceFile(name=f"a/samples_x_{MONDAY}.jsonl", content=content), content[: 1 << 16]
    )


def test_the_tasks_of_mmlu_of_two_models_in_one_archive():
    packed = io.BytesIO()
    tasks = [f"mmlu_subject_{i}" for i in range(57)]
    with zipfile.ZipFile(packed, "w") as archive:
        for place, (model, day) in enumerate((("org__a", MONDAY), ("org__b", TUESDAY))):
            for i, task in enumerate(tasks):
                right = "".join(str((i + j + place) % 3 % 2) for j in range(5 + i))
                archive.writestr(f"{model}/samples_{task}_{day}.jsonl", samples(task, right))
    results = read_results(packed.getvalue(), name="mmlu.zip")
    assert isinstance(results, ResultSet)
    assert results.datasets == tuple(tasks)
    assert results.systems == ("org__a", "org__b")
    assert results.scores("mmlu_subject_56", "org__b").size == 61
    assert results.reading is not None
    assert len(results.reading.files) == len(results.reading.matched) == 114


def test_reading_can_be_stopped_within_a_file():
    stages: list[str] = []

    def stop(stage: str, share: float) -> bool:
        stages.append(stage)
        return stage != "cutting" or share <= 0.1

    with pytest.raises(ReadingStopped):
        read_results(two_models(), on_progress=stop)
    assert "reading" not in stages


def test_a_name_written_before_the_tool_s_own_is_the_system_and_no_part_of_the_task():
    results = read(
        file(f"llama_samples_gsm8k_{MONDAY}.jsonl", samples("gsm8k", "1101")),
        file(f"mistral-7b_samples_gsm8k_{TUESDAY}.jsonl", samples("gsm8k", "1000")),
    )
    assert results.datasets == ("gsm8k",)
    assert results.systems == ("llama", "mistral-7b")
    assert results.reading is not None
    assert "before 'samples_': 'llama', 'mistral-7b'" in " ".join(results.reading.remarks)


def test_one_name_before_all_files_is_no_system():
    results = read(
        file(f"a/run_samples_gsm8k_{MONDAY}.jsonl", samples("gsm8k", "1101")),
        file(f"b/run_samples_gsm8k_{TUESDAY}.jsonl", samples("gsm8k", "1000")),
    )
    assert (results.datasets, results.systems) == (("gsm8k",), ("a", "b"))


def of_metric(metric: str) -> list[io.BytesIO]:
    def one(number: int, value: float) -> dict[str, Any]:
        return {**record("t", number), "metrics": [metric], metric: value}

    return [
        file(
            f"{model}/samples_t_{MONDAY}.jsonl",
            jsonl(*(one(number, value) for number, value in enumerate(own))),
        )
        for model, own in (("a", (0.5, 2.0)), ("b", (1.5, 0.25)))
    ]


@pytest.mark.parametrize(
    "metric",
    [
        "likelihood_diff",
        "pct_stereotype",
        "amb_bias_score",
        "disamb_bias_score_Age",
        "black_bias",
        "pct_male_preferred",
        "difference_male_female",
    ],
)
def test_without_results_lower_is_better_where_the_harness_is_known_for_it(metric):
    results = read(*of_metric(metric))
    assert results.reading is not None
    assert results.reading.roles["higher_is_better"] is False
    assert "Nothing says" not in " ".join(results.reading.remarks)


def test_results_beside_the_samples_say_the_direction_before_what_is_known():
    whole = json.loads(
        averages("a", t={"pct_stereotype,none": 1.0, "pct_stereotype_stderr,none": 0.1})
    )
    whole["higher_is_better"] = {"t": {"pct_stereotype": True}}
    whole["n-samples"]["t"]["effective"] = 2
    results = read(
        *of_metric("pct_stereotype"), file(f"a/results_{MONDAY}.json", json.dumps(whole))
    )
    assert results.reading is not None
    assert results.reading.roles["higher_is_better"] is True


@pytest.mark.parametrize(
    ("metric", "is_named"),
    [("politeness", True), ("acc_norm", False), ("exact_match", False), ("f1", False)],
)
def test_a_metric_of_unknown_direction_is_named_and_a_common_one_is_not(metric, is_named):
    results = read(*of_metric(metric))
    assert results.reading is not None
    remarks = " ".join(results.reading.remarks)
    assert (f"Nothing says whether higher or lower values of '{metric}'" in remarks) is is_named

"""Points of a learning curve and settings are no examples, and settings of a run no systems."""

from itertools import product
from typing import Any

import pytest

from core.data import read_results
from core.data.sources.pasted import pasted_table
from core.errors import DataError

OUTCOMES = [(1, 0), (0, 1), (1, 1), (1, 0), (0, 0), (1, 0)]


def read(text: str, **roles: object) -> Any:
    return read_results(text.encode(), roles=roles)


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("Model,n,AUC\nA,100,.7\nA,200,.75\nA,400,.8\nB,100,.68\nB,200,.76\nB,400,.82\n", "n"),
        ("dataset,train_size,ours,base\nx,100,.7,.6\nx,200,.8,.7\ny,100,.7,.6\ny,200,.8,.7\n", ""),
        ("shots,ours,base\n0,.7,.6\n1,.75,.7\n4,.8,.77\n8,.82,.79\n", "shots"),
        ("dataset,shots,system,acc\nx,0,A,.7\nx,0,B,.6\nx,5,A,.8\nx,5,B,.7\n", "shots"),
    ],
)
def test_scores_at_several_sizes_of_training_are_refused_unless_said_to_be_examples(text, column):
    with pytest.raises(DataError, match="points of a learning curve are not examples") as caught:
        read(text)
    (choice,) = caught.value.choices
    assert (choice.role, choice.options[0][0]) == ("example", column or "train_size")
    assert read(text, example=column or "train_size").systems in (("A", "B"), ("ours", "base"))


@pytest.mark.parametrize(
    "text",
    [
        "n,ours,base\n" + "".join(f"{i},{a},{b}\n" for i, (a, b) in enumerate(OUTCOMES, 1)),
        "n,ours,base\n" + "".join(f"{3 * i},{i % 2},{i % 3 // 2}\n" for i in range(40)),
        "dataset,shots,ours,base\n" + "".join(f"x,5,{a},{b}\n" for a, b in OUTCOMES),
        "dataset,shots,ours,base\n"
        + "".join(f"x,{i % 2},{a},{b}\n" for i, (a, b) in enumerate(OUTCOMES)),
        "id,shots,ours,base\n"
        + "".join(f"{i},{i % 3},{a},{b}\n" for i, (a, b) in enumerate(OUTCOMES)),
    ],
)
def test_examples_that_are_numbered_or_were_shown_shots_are_read(text):
    results = read(text)
    assert results.n_examples(results.datasets[0]) == text.count("\n") - 1


@pytest.mark.parametrize("heading", ["temperature", "top_p", "dropout", "noise level"])
def test_the_setting_of_a_run_is_no_system(heading):
    rows = "".join(f"x,0.{i},{a},{b}\n" for i, (a, b) in enumerate(OUTCOMES))
    assert read(f"dataset,{heading},ours,base\n{rows}").systems == ("ours", "base")


LONG = "dataset,model,method,seed,acc\n" + "".join(
    f"{dataset},{model},{method},{seed},{70 + i % 7 + seed / 10}\n"
    for i, (dataset, model, method, seed) in enumerate(
        product(("sst", "mrpc", "rte"), ("bert", "xlm"), ("full", "lora", "bitfit"), (1, 2))
    )
)


def test_settings_that_recur_in_every_dataset_are_asked_about_and_one_of_them_kept() -> None:
    with pytest.raises(DataError, match="'full', 'lora', 'bitfit' may be settings") as caught:
        read(LONG)
    options = {(c.role, words): v for c in caught.value.choices for v, words in c.options}
    kept = options["left_out", "No: keep only 'lora'"]
    assert read(LONG, left_out=kept, runs="average").systems == ("bert", "xlm")
    assert read(LONG, example="method", runs="average").n_examples("sst") == 3
    # The other answer names the systems, and leaves the models to be asked about.
    with pytest.raises(DataError, match="'bert', 'xlm' may be settings"):
        read(LONG, system=options["system", "No: 'method' names the systems"])


@pytest.mark.parametrize(
    ("text", "setting"),
    [
        # Means with their spread are no examples, whatever the numbers are that tell them apart.
        (
            "dataset,algorithm,support,time_mean,time_std\n"
            + "".join(f"{d},{a},.{s},1.{s},.1\n" for d, a, s in product("xy", "AB", range(1, 5))),
            "support",
        ),
        (
            "model,dataset,k,recall\n"
            + "".join(f"{m},{d},{k},.{k + 1}\n" for m, d, k in product("AB", "xy", (1, 5, 20))),
            "k",
        ),
        (
            "model,dataset,lr,acc\n"
            + "".join(
                f"{m},{d},{lr}e-5,.{i}7\n"
                for i, (m, d, lr) in enumerate(product("AB", "xy", (1, 3)))
            ),
            "lr",
        ),
        (
            "model,question type,score\n"
            + "".join(f"{m},{q},{i}.5\n" for i, (m, q) in enumerate(product("AB", ("who", "why")))),
            "question type",
        ),
    ],
)
def test_means_and_kinds_of_examples_are_settings(text: str, setting: str) -> None:
    with pytest.raises(DataError, match="may be settings") as caught:
        read(text)
    assert caught.value.choices[-1].options[0][0] == setting


@pytest.mark.parametrize(
    "text",
    [
        # Names of examples that each dataset has for itself, and outcomes.
        "dataset,name,model,f1\n"
        + "".join(f"{d},{d}{i},{m},.{i + 3}\n" for d, i, m in product("xy", range(4), "AB")),
        "dataset,place,model,f1\n"
        + "".join(f"{d},{i},{m},.{i + 3}\n" for d, i, m in product("xy", range(4), "AB")),
        "dataset,name,model,right\n"
        + "".join(f"{d},q{i},{m},{i % 2}\n" for d, i, m in product("xy", range(4), "AB")),
    ],
)
def test_names_of_examples_are_no_settings(text: str) -> None:
    assert read(text).n_examples("x") == 4


BY_METRIC = (
    "model,metric,SST,MRPC,RTE\nA,acc,93,88,70\nA,f1,92,87,69\nB,acc,94,87,72\nB,f1,93,86,71\n"
)
IN_LATEX = r"""\begin{tabular}{llccc} \toprule
Model & Method & SST-2 & MRPC & RTE \\ \midrule
\multirow{2}{*}{BERT} & Full & 93.1 & 88.2 & 70.1 \\ & LoRA & 92.9 & 87.5 & 69.0 \\
\multirow{2}{*}{XLM} & Full & 94.8 & 90.2 & 78.1 \\ & LoRA & 94.9 & 89.9 & 79.0 \\ \bottomrule
\end{tabular}"""


@pytest.mark.parametrize(
    ("text", "datasets", "systems"),
    [
        (BY_METRIC, ("SST", "MRPC", "RTE"), ("A", "B")),
        (pasted_table(IN_LATEX).text, ("SST-2", "MRPC", "RTE"), ("BERT", "XLM")),
    ],
)
def test_columns_beside_rows_of_systems_are_datasets_once_one_metric_or_setting_is_kept(
    text: str, datasets: tuple[str, ...], systems: tuple[str, ...]
) -> None:
    with pytest.raises(DataError) as caught:
        read(text)
    choice = caught.value.choices[0]
    assert choice.role == "left_out"
    table = read(text, left_out=choice.options[0][0])
    assert (table.datasets, table.systems) == (datasets, systems)


@pytest.mark.parametrize(
    ("heading", "settings"),
    [("Backbone", ("bert", "xlm")), ("Language", ("de", "fr"))],
)
def test_settings_beside_columns_of_systems_are_no_examples(
    heading: str, settings: tuple[str, ...]
) -> None:
    text = f"Dataset,{heading},Ours,Base\n" + "".join(
        f"{d},{s},7{i}.5,7{i * 7 % 9}.1\n" for i, (d, s) in enumerate(product("xyz", settings))
    )
    with pytest.raises(DataError, match="Rows of one dataset differ in") as caught:
        read(text)
    choices = {choice.role: choice.options[0][0] for choice in caught.value.choices}
    table = read(text, left_out=choices["left_out"])
    assert (table.datasets, table.systems) == (("x", "y", "z"), ("Ours", "Base"))
    assert read(text, example=choices["example"]).n_examples("x") == len(settings)


def test_rows_that_each_name_a_metric_are_no_examples() -> None:
    text = "Metric,BERT,Ours\nSST acc,93.1,94\nMRPC F1,88.1,87\nCoLA MCC,60.1,62\n"
    with pytest.raises(DataError, match="'Metric' has another text in each row") as caught:
        read(text)
    assert [choice.role for choice in caught.value.choices] == ["dataset", "turned"]
    assert read(text, dataset="Metric").systems == ("BERT", "Ours")


def test_in_json_ours_and_baseline_are_systems_whichever_stands_outside():
    outside = '{"ours": {"x": [1, 0, 1], "y": [1, 1, 1]}, "base": {"x": [0, 0, 1], "y": [0, 1, 1]}}'
    inside = (
        '{"x": {"ours": [1, 0, 1], "base": [0, 0, 1]}, "y": {"ours": [1, 1, 1], "base": [0, 1, 1]}}'
    )
    for text in (outside, inside):
        results: Any = read_results(text.encode(), name="t.json")
        assert (results.systems, results.datasets) == (("ours", "base"), ("x", "y"))

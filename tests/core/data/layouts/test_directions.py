"""Words that say that lower is better are followed or told, wherever a table has them."""

import pytest

from core.data import PValueTable, ScoreTable, read_results
from core.errors import DataError

ROWS = "Libri,2.5,2.9,.01\nAMI,16.2,18.1,.001\nTED,4.2,4.1,.6\n"
UTTERANCES = "".join(f"{name},{i},.{i},.{i + 1}\n" for name in ("AMI", "TED") for i in range(6))


def read(text, **roles):
    return read_results(text.encode(), roles=roles)


def follows_lower(table):
    said = any(r.startswith("Lower is taken to be better") for r in table.reading.remarks)
    assert said is bool(table.differences[0] > 0)
    return said


LOWER = [
    *("WER", "Dataset (WER %)", "Corpus (error rate)", "Latency (ms)", "Perplexity ↓"),
    *("Word error rates (%) on three sets\nDataset", "WER on three sets\nDataset"),
    *("Table 2: Perplexities\nDataset", "## WER\n\nDataset", "**Results (WER)**\n\nDataset"),
    *("Brier scores of both systems\nDataset", "ECE\nDataset", "Latency in ms\nDataset"),
    *("Table 3: Edit distance on three sets\nDataset", "Calibration error (ECE)\nDataset"),
    *("Table 2: WER of attention-based models\nDataset", "Edit distance\nDataset"),
]
NOT_LOWER = [
    *("Dataset", "Dataset (accuracy)", "Dataset (error type)", "Domain (toxicity)", "Hearing loss"),
    *("Results by error rate of the input\nDataset", "BLEU and TER\nDataset"),
    *("WER reductions on three sets\nDataset", "1-WER on three sets\nDataset"),
    *("Table 2: 1 − WER\nDataset", "# Sorted by error rate\n\nDataset", "NTCIR ECE\nDataset"),
    *("Table 2: Results of low-latency systems\nDataset", "Error analysis of three sets\nDataset"),
]


@pytest.mark.parametrize("heading", [*LOWER, *NOT_LOWER])
def test_the_heading_over_the_datasets_or_a_title_may_name_the_metric(heading):
    assert follows_lower(read(f"{heading},Whisper,Conformer,p\n{ROWS}")) is (heading in LOWER)


@pytest.mark.parametrize(
    ("note", "lower"),
    [
        ("Note: lower is better.", True),
        ("* Lower scores are better.", True),
        ("* For TER lower is better, for BLEU higher is better", False),
        ("* p by a test at lower power", False),
        ("* Smaller models are better", False),
    ],
)
def test_a_footnote_may_say_that_lower_is_better(note, lower):
    assert follows_lower(read(f"Dataset,Whisper,Conformer,p\n{ROWS}{note}\n")) is lower


def test_the_heading_over_systems_names_the_metric_of_a_table_that_is_turned():
    table = read("Model (WER),en,de,fr\nours,9.1,8.2,7.2\nbase,9.3,8.1,7.7\n")
    assert isinstance(table, ScoreTable)
    assert (table.datasets, table.higher_is_better) == (("en", "de", "fr"), False)


def test_seconds_among_scores_of_which_higher_is_better_are_asked_about():
    with pytest.raises(DataError, match="Lower is better on this dataset"):
        read("Dataset,A,B\nGSM8K,91,90\nMATH,50,51\nLatency (ms),120,340\n")


LOWER_PAIRS = [
    *("rank A,rank B", "rank_a,rank_b", "ours (ms),base (ms)", "A MSE,B MSE"),
    *("run-1-WER,run-2-WER", "A accuracy drop,B accuracy drop"),
    "A negative log-likelihood,B negative log-likelihood",
    *("A (lower is better),B (lower is better)", "A false positive rate,B false positive rate"),
]
OTHER_PAIRS = [
    *("Rank-BERT,Rank-T5", "RankGPT,RankT5", "rank_1,rank_5", "rank_corr_a,rank_corr_b"),
    *("BERT (S),GPT (S)", "ours (ms),base", "A neg_mean_squared_error,B neg_mean_squared_error"),
    *("A 1-WER,B 1-WER", "A (100 − TER),B (100 − TER)"),
    "A error (higher is better),B error (higher is better)",
]


@pytest.mark.parametrize("systems", [*LOWER_PAIRS, *OTHER_PAIRS])
def test_ranks_and_times_are_better_where_they_are_lower(systems):
    assert follows_lower(read(f"Dataset,{systems},p\n{ROWS}")) is (systems in LOWER_PAIRS)


OF_EXAMPLES = f"dataset,utt_id,ours,base\n{UTTERANCES}"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("wer_by_utterance.csv", OF_EXAMPLES),
        ("results.csv", OF_EXAMPLES.replace("AMI", "AMI (WER)").replace("TED", "TED (WER)")),
        ("wer.csv", "dataset,ours,base,older\nu,5.1,6.2,7.3\nv,6.1,7.2,8.3\n"),
        ("perplexity.csv", "dataset,ours,base,p\nu,5.1,6.2,.1\nv,6.1,7.2,.2\n"),
        ("results.csv", "dataset,A loss,B,p\nu,5.1,6.2,.1\nv,6.1,7.2,.2\n"),
    ],
)
def test_files_examples_and_single_systems_named_by_an_error_are_told(name, text):
    results = read_results(text.encode(), name=name)
    assert "may be a score of which lower is better" in " ".join(results.reading.remarks)
    named = read_results(text.encode(), name=name, roles={"higher_is_better": False})
    assert "may be a score" not in " ".join(named.reading.remarks)


@pytest.mark.parametrize("metric", ["entropy", "WER", "Accuracy (%)", "F1 score"])
def test_a_metric_alone_beside_p_values_is_no_system_and_says_nothing_of_direction(metric):
    table = read(f"domain,n,{metric},p\nnews,500,3.2,.002\nlegal,380,2.9,.3\n")
    assert (table.system_a, table.system_b, table.scores_a) == ("A", "B", None)
    assert table.reading.remarks == (f"Not read: '{metric}'.",)
    chosen = read(f"domain,{metric},p\nnews,3.2,.002\nlegal,2.9,.3\n", system_a=metric)
    assert chosen.system_a == metric


ADJUSTED = [
    *("p (Holm)", "p-value (Bonferroni corrected)", "p [BH]", "p (Wilcoxon, Holm)", "p (adj.)"),
    *("Holm-corrected p", "FDR-adjusted p-value"),
]


@pytest.mark.parametrize("heading", ADJUSTED)
def test_p_values_adjusted_by_what_stands_in_brackets_are_refused(heading):
    text = f'Dataset,A,B,"{heading}"\nx,90,88,.01\ny,80,79,.2\n'
    with pytest.raises(DataError, match="adjusted twice"):
        read(text)
    chosen = read(text, p_value=heading)
    assert "as if its p-values were not adjusted" in " ".join(chosen.reading.remarks)
    beside = text.replace("B,", "B,p,").replace("88,", "88,.005,").replace("79,", "79,.1,")
    assert read(beside).p_values.tolist() == [0.005, 0.1]


@pytest.mark.parametrize(
    "heading",
    [
        *("p (uncorrected)", "p (before correction)", "p (bootstrap)"),
        *("p (continuity corrected)", "p (corrected t-test)", "p (Nadeau-Bengio corrected)"),
    ],
)
def test_p_values_that_were_not_adjusted_are_counted(heading):
    assert read(f"Dataset,A,B,{heading}\nx,90,88,.01\ny,80,79,.2\n").n_datasets == 2


@pytest.mark.parametrize(
    ("heading", "is_counted"),
    [
        *(
            (name, False)
            for name in ("p (×10⁻³)", "p x 1000", "p_value (e-3)", "p (‰)", "p (log10)")
        ),
        *((name, False) for name in ("-log10(p)", "ln p", "neg_log10_p", "log p-value", "1 − p")),
        *(
            (name, True)
            for name in ("p (10,000 resamples)", "p [10]", "p (log-rank)", "p-value (e)")
        ),
    ],
)
def test_p_values_in_another_form_are_not_counted_as_they_stand(
    heading: str, is_counted: bool
) -> None:
    read = read_results(f"dataset\tA\tB\t{heading}\nu\t80\t79\t.9\nv\t75\t76\t.2\n".encode())
    assert isinstance(read, PValueTable if is_counted else ScoreTable)
    said = any("may hold p in another form" in remark for remark in read.reading.remarks)
    assert said != is_counted
    if isinstance(read, ScoreTable):
        assert read.systems == ("A", "B")


SUMMARIES = [
    *("Ø", "μ", "Ave.", "Pooled", "Average of all 3", "Avg. w/o z", "Mean ± SD", "All languages"),
    *("Mean±std", "Moy.", "Среднее", "평균", "AVG-7", "GMean", "Subtotal", "Min"),
]


@pytest.mark.parametrize("name", [*SUMMARIES, "All News", "Average precision", "Combined"])
def test_a_row_named_as_a_summary_is_set_apart(name):
    rows = f"x,90,88,.01\ny,80,79,.03\nz,70,71,.4\n{name},80,79.3,.02\n"
    assert read(f"Dataset,A,B,p\n{rows}").n_datasets == 4 - (name in SUMMARIES)


@pytest.mark.parametrize(
    "table",
    [
        "dataset,example,MSE ours,MSE base\nen,1,-.5,-.4\nen,2,-.3,-.6\nde,1,-.5,-.4\n",
        "Dataset (RMSE),ours,base\nen,-.5,-.4\nde,-.3,-.6\n",
        "Dataset (RMSE),ours,base,p\nen,-.5,-.4,.01\nde,-.3,-.6,.2\n",
    ],
)
def test_errors_below_0_may_be_turned_and_are_asked_about(table):
    with pytest.raises(DataError, match="the signs may have been turned") as caught:
        read(table)
    (choice,) = caught.value.choices
    for higher, _ in choice.options:
        read(table, **{choice.role: higher})
    assert read(table.replace("-.6", ".6"))


def test_of_several_metrics_only_those_below_0_are_asked_about():
    table = "dataset,system,example,MSE,WER\n" + "".join(
        f"{name},{s},{i},-.{i}{s},.{s}{i}\n"
        for name in ("en", "de")
        for s in (1, 2)
        for i in (3, 4)
    )
    with pytest.raises(DataError, match="by the name of 'MSE', but") as caught:
        read(table)
    (choice,) = caught.value.choices
    found = read(table, **{choice.role: choice.options[0][0]})
    assert found.higher_is_better == {"MSE": True, "WER": False}


@pytest.mark.parametrize(
    "text",
    [
        "Method,WikiText2,C4,PTB\nFP16,5.5,7.3,8.1\nGPTQ,5.8,7.6,8.4\nAWQ,5.7,7.4,8.3\n",
        "dataset,A,B\nLibriSpeech clean,2.1,2.3\ntedlium,4.1,4.0\nAMI,16.1,15.2\n",
        "dataset,A,B\nETTh1,.38,.39\nETTm2 96,.17,.18\nWeather,.15,.16\nours,.1,.2\n",
    ],
)
def test_scores_on_datasets_of_errors_are_asked_about_where_nothing_names_the_metric(text):
    with pytest.raises(DataError, match="usually errors or perplexities") as caught:
        read(text)
    (choice,) = caught.value.choices
    assert [value for value, _ in choice.options] == [False, True]
    assert not read(text, higher_is_better=False).higher_is_better
    # A metric that is named says it, and one such name among others says nothing.
    assert read(text.replace("dataset,", "dataset (accuracy),"), higher_is_better=True)
    assert read("dataset,A,B\nC4,71,72\nMMLU,60,61\nARC,50,52\n").higher_is_better


@pytest.mark.parametrize("lower", ["WikiText PPL", "Latency", "Energy"])
def test_a_column_of_errors_of_a_table_that_is_turned_can_be_left_aside(lower):
    text = f"Model,accuracy,MRPC F1,{lower}\nA,70,60,5.1\nB,71,62,6.1\n"
    with pytest.raises(DataError, match="Lower is better on this dataset") as caught:
        read(text, turned=True)
    first = caught.value.choices[0]
    assert (first.role, first.options[0][0]) == ("unused", (lower,))
    assert read(text, turned=True, unused=(lower,)).datasets == ("accuracy", "MRPC F1")

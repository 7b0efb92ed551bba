"""Words that say that lower is better are followed or told, wherever a table has them."""

import pytest

from core.data import read_results
from core.errors import DataError

ROWS = "Libri,2.5,2.9,.01\nAMI,16.2,18.1,.001\nTED,4.2,4.1,.6\n"
UTTERANCES = "".join(f"{name},{i},.{i},.{i + 1}\n" for name in ("AMI", "TED") for i in range(6))


def read(text, **roles):
    return read_results(text.encode(), roles=roles)


def follows_lower(table):
    said = any(r.startswith("Lower is taken to be better") for r in table.reading.remarks)
    assert said is bool(table.differences[0] > 0)
    return said


@pytest.mark.parametrize(
    ("heading", "lower"),
    [
        ("WER", True),
        ("Dataset (WER %)", True),
        ("Corpus (error rate)", True),
        ("Latency (ms)", True),
        ("Perplexity ↓", True),
        ("Dataset", False),
        ("Dataset (accuracy)", False),
        ("Dataset (error type)", False),
        ("Domain (toxicity)", False),
        ("Hearing loss", False),
        ("Word error rates (%) on three sets\nDataset", True),
        ("WER on three sets\nDataset", True),
        ("Table 2: Perplexities\nDataset", True),
        ("Results by error rate of the input\nDataset", False),
        ("BLEU and TER\nDataset", False),
        ("WER reductions on three sets\nDataset", False),
        ("1-WER on three sets\nDataset", False),
        ("Table 2: 1 − WER\nDataset", False),
    ],
)
def test_the_heading_over_the_datasets_or_a_title_may_name_the_metric(heading, lower):
    assert follows_lower(read(f"{heading},Whisper,Conformer,p\n{ROWS}")) is lower


@pytest.mark.parametrize(
    ("a", "b", "lower"),
    [
        ("rank A", "rank B", True),
        ("rank_a", "rank_b", True),
        ("ours (ms)", "base (ms)", True),
        ("Rank-BERT", "Rank-T5", False),
        ("RankGPT", "RankT5", False),
        ("rank_1", "rank_5", False),
        ("rank_corr_a", "rank_corr_b", False),
        ("BERT (S)", "GPT (S)", False),
        ("ours (ms)", "base", False),
        ("A MSE", "B MSE", True),
        ("A neg_mean_squared_error", "B neg_mean_squared_error", False),
        ("A negative log-likelihood", "B negative log-likelihood", True),
        ("A 1-WER", "B 1-WER", False),
        ("A (100 − TER)", "B (100 − TER)", False),
        ("run-1-WER", "run-2-WER", True),
        ("A (lower is better)", "B (lower is better)", True),
        ("A error (higher is better)", "B error (higher is better)", False),
        ("A accuracy drop", "B accuracy drop", True),
        ("A false positive rate", "B false positive rate", True),
    ],
)
def test_ranks_and_times_are_better_where_they_are_lower(a, b, lower):
    assert follows_lower(read(f"Dataset,{a},{b},p\n{ROWS}")) is lower


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("wer_by_utterance.csv", UTTERANCES),
        ("results.csv", UTTERANCES.replace("AMI", "AMI (WER)").replace("TED", "TED (WER)")),
    ],
)
def test_of_examples_a_file_or_datasets_named_by_an_error_are_told(name, text):
    results = read_results(f"dataset,utt_id,ours,base\n{text}".encode(), name=name)
    assert "may be a score of which lower is better" in " ".join(results.reading.remarks)


@pytest.mark.parametrize(
    "heading",
    [
        *("p (Holm)", "p-value (Bonferroni corrected)", "p [BH]", "p (Wilcoxon, Holm)", "p (adj.)"),
        *("Holm-corrected p", "FDR-adjusted p-value"),
    ],
)
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
    ("name", "is_summary"),
    [
        ("Ø", True),
        ("μ", True),
        ("Ave.", True),
        ("Pooled", True),
        ("Average of all 3", True),
        ("Avg. w/o z", True),
        ("Mean ± SD", True),
        ("Mean±std", True),
        ("Moy.", True),
        ("Среднее", True),
        ("평균", True),
        ("All languages", True),
        ("All News", False),
        ("Average precision", False),
        ("Combined", False),
    ],
)
def test_a_row_named_as_a_summary_is_set_apart(name, is_summary):
    rows = f"x,90,88,.01\ny,80,79,.03\nz,70,71,.4\n{name},80,79.3,.02\n"
    assert read(f"Dataset,A,B,p\n{rows}").n_datasets == 4 - is_summary

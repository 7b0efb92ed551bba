"""Tables of papers that invite a wrong reading: errors, pairs of languages, rows without a heading."""

import pytest

from core.claims.documents.reading import Answered
from core.data import PValueTable, ScoreTable, read_results
from core.errors import DataError
from tests.core.claims.documents.scoring import read_latex
from tests.read_as import read_as


@pytest.mark.parametrize(
    ("caption", "higher"),
    [
        ("Word error rates (\\%) on two test sets", False),
        ("Perplexities of all models. $^{*}$: $p<.05$", False),
        ("WER, lower is better", False),
        ("Average ranks of two classifiers", False),
        ("Training time (hours) on two corpora", False),
        ("Rank correlation with people", True),
        ("Mean reciprocal rank", True),
        ("Error rate and accuracy", True),
        ("Relative error rate reduction", True),
        ("F1 (higher is better)", True),
    ],
)
def test_a_caption_that_names_errors_alone_says_that_lower_is_better(
    caption: str, higher: bool
) -> None:
    source = (
        rf"\begin{{table}}\caption{{{caption}}}\begin{{tabular}}{{lcc}} Dataset & A & B \\ "
        r"u & 5.2 & 4.8 \\ v & 12.1 & 12.3 \\ \end{tabular}\end{table}"
    )
    (table,) = read_latex({"paper.tex": source})
    read = read_results(Answered.of(table).text().encode())
    assert isinstance(read, ScoreTable | PValueTable)
    assert read.higher_is_better == higher


@pytest.mark.parametrize(
    ("caption", "is_refused"),
    [
        ("$p$-values of Ours against both baselines (McNemar).", True),
        ("Significance of the difference between Ours and both: $p$-values", True),
        ("Accuracy of both; for $p$-values see the appendix.", False),
        ("Accuracy and $p$-values", False),
        ("Results (with $p$-values in brackets)", False),
        ("Results. All $p$-values are below .05.", False),
    ],
)
def test_p_values_by_the_caption_are_no_scores(caption: str, is_refused: bool) -> None:
    source = (
        rf"\begin{{table}}\caption{{{caption}}}\begin{{tabular}}{{lcc}} Dataset & BERT & XLNet \\ "
        r"u & .012 & .20 \\ v & .001 & .04 \\ \end{tabular}\end{table}"
    )
    (table,) = read_latex({"paper.tex": source})
    text = Answered.of(table).confirmed([(1, 1), (2, 1)]).text().encode()
    if not is_refused:
        assert isinstance(read_results(text), ScoreTable)
        return
    with pytest.raises(DataError, match="The title says that the numbers are p-values") as refused:
        read_results(text)
    (choice,) = refused.value.choices
    read_as(ScoreTable, text, roles={choice.role: choice.options[0][0]})


@pytest.mark.parametrize(
    "headings",
    ["Pixel AUROC & Pixel AUPRO & Image AP", "AUROC & AUPRO & F1", "Primary P & Primary R & Primary F1"],
)  # fmt: skip
def test_metrics_of_variants_are_no_systems(headings: str) -> None:
    rows = "".join(
        rf"{dataset} & {variant} & 9{i}.1 & 8{i}.3 & 7{i}.5 \\ "
        for dataset in ("u", "v")
        for i, variant in enumerate(("none", "+ crops", "full"))
    )
    source = (
        r"\begin{table}\caption{Ablation}\begin{tabular}{llccc} "
        rf"Dataset & Variant & {headings} \\ {rows}\end{{tabular}}\end{{table}}"
    )
    (table,) = read_latex({"paper.tex": source})
    text = Answered.of(table).text().encode()
    with pytest.raises(DataError, match="may be settings") as asked:
        read_results(text)
    roles = {choice.role: choice.options[0][0] for choice in asked.value.choices}
    with pytest.raises(DataError, match="metrics"):
        read_results(text, roles={"left_out": roles["left_out"]})


def test_rows_of_a_paper_are_no_examples_whatever_marks_its_scores_have() -> None:
    cells = ("84.6*", "84.6 ± .2", "–", "n.s.", "**84.6**", "< .001")
    for rows in (
        "Pair\tBLEU Base\tBLEU Ours\tTER Base\tTER Ours\nen-de\t27\t28\t54\t53\nen-fr\t38\t37\t43\t44\n",
        "Pair\tBLEU Base\tBLEU Ours\tTER Base\tTER Ours\nu\t1\t2\t3\t4\nAvg.\t1\t2\t3\t4\n",
        *(f"\tSST-2\tMNLI\nBERT\t93.5\t{cell}\nOurs\t94.1\t85.2\n" for cell in cells),
    ):
        with pytest.raises(DataError, match="whether a row is a dataset or an example"):
            read_results(rows.encode())
    with pytest.raises(DataError, match="has no name"):
        read_results(b"\tu\tv\nBERT\tgood\tbad\nOurs\tbad\tgood\n")


@pytest.mark.parametrize(
    "gain", ["(+1.1)", "(−1.1)", "(↑1.1)", "(+ 1.1%)", "± 0.2 (+1.1)", "* (-1.1)"]
)
def test_a_gain_behind_a_score_is_no_part_of_it_and_no_spread(gain: str) -> None:
    read = read_as(ScoreTable, f"Dataset\tBase\tOurs\nu\t80.1\t81.2 {gain}\nv\t75\t76.3\n".encode())
    assert read.scores("Ours").tolist() == [81.2, 76.3]
    assert read.spreads == () or read.spreads[0][1] == ("0.2" if "±" in gain else "")

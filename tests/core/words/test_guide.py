"""The guide's and the glossary's sentences: every figure follows from the level, and none says what it must not."""

import ast
import re
from itertools import product
from pathlib import Path

import pytest
from scipy import stats

from core.effects.across import ACROSS_TESTS
from core.significance.known_tests import significance_test_named, significance_tests
from core.words import guide
from core.words.glossary import find_terms, glossary
from core.words.guide import POSITIVE_QUESTION, REPLIES, SHARING_QUESTIONS, implied_dependence
from core.words.testing import null_hypothesis_lines, recommendation_lines, title_of_test

ROOT = Path(__file__).resolve().parents[3]
SOURCES = [
    *sorted(ROOT.glob("core/words/guide.py")),
    ROOT / "core/words/glossary.py",
    ROOT / "pages/ui/guide.py",
]
ALPHAS = (0.05, 0.01, 0.1, 0.0001, 0.5)
# The sample's p-values as Dror et al. (TACL 2017), Table 2, prints them, smallest first.
PRINTED = (0.0046, 0.0376, 0.0823, 0.0912, 0.0969, 0.0979, 0.1662)
FORBIDDEN = re.compile(
    r"significan|\bno difference\b|\bproves?\b|probability that A is better", re.IGNORECASE
)
# The only way in which the app says it.
NO_DIFFERENCE_ANYWHERE = re.compile(
    r"if there were no difference anywhere|with no difference anywhere", re.IGNORECASE
)


def written_texts(path: Path) -> list[str]:
    """Every text in a module's code but its docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in docstrings
    ]


def composed_texts(alpha: float) -> list[str]:
    """Everything the guide says at a level."""
    question, subject = guide.example(alpha=alpha)
    sections = (guide.names(alpha), guide.POOLING, guide.ACROSS, guide.EQUIVALENCE, guide.LIMITS)
    return [
        guide.report_answer(alpha),
        guide.example_paragraph(question, subject),
        *(f"{step.claim} {step.reason}" for step in guide.steps(alpha)),
        *(guide.claim_sentence(question.answer, u) for u in range(1, len(PRINTED) + 1)),
        *(text for one in sections for text in (one.heading, one.answer, *one.details)),
        *(f"{name}: {text}" for name, text in null_hypothesis_lines()),
        *recommendation_lines(),
        *guide.CHECKLIST,
        *guide.TO_AVOID,
        *glossary().values(),
    ]


def test_no_sentence_says_what_must_not_be_said() -> None:
    for alpha in ALPHAS:
        for text in composed_texts(alpha):
            assert not FORBIDDEN.search(NO_DIFFERENCE_ANYWHERE.sub("", text)), text
    for path in SOURCES:
        for text in written_texts(path):
            assert not FORBIDDEN.search(NO_DIFFERENCE_ANYWHERE.sub("", text)), text


def test_no_level_and_no_percentage_is_written_out() -> None:
    for path in [path for path in SOURCES if path.name != "glossary.py"]:
        for text in written_texts(path):
            if "style=" in text or text.startswith("<"):
                continue
            assert not re.search(r"\d\s*%|\.05|\.01\b", text), text


def test_the_chance_of_a_false_win_is_that_of_a_binomial_count_above_none() -> None:
    for alpha in ALPHAS:
        said = guide.steps(alpha)[1].reason
        found = re.findall(r"(?:almost )?([\d.]+)% of studies show at least one", said)
        # One-sided; then two-sided with A ahead.
        chances = [100.0 * float(stats.binom.sf(0, 100, rate)) for rate in (alpha, 0.5 * alpha)]
        assert [float(each) for each in found] == pytest.approx(chances, abs=0.5), alpha


def test_every_percentage_follows_the_level() -> None:
    for alpha in ALPHAS:
        level = 100.0 * alpha
        allowed = {f"{level:g}", f"{100.0 - level:g}", f"{100.0 - level:.10g}"}
        texts = [guide.report_answer(alpha), *guide.names(alpha).details]
        texts += [step.reason for number, step in enumerate(guide.steps(alpha)) if number != 1]
        for text in texts:
            assert set(re.findall(r"([\d.]+)%", text)) <= allowed, text


def test_the_example_is_the_published_one_and_says_its_count_once() -> None:
    question, subject = guide.example(alpha=0.05)
    assert sorted(question.answer.p_values) == pytest.approx(PRINTED)
    paragraph = guide.example_paragraph(question, subject)
    assert paragraph.count("at least 5 of 7") == 1
    assert "At least" not in paragraph
    assert "MZ and NW" in paragraph


def test_a_claim_is_tested_by_the_largest_p_values_alone() -> None:
    for u in range(1, 8):
        said = guide.claim_sentence(guide.example(alpha=0.05)[0].answer, u)
        largest = PRINTED[u - 1 :]
        bonferroni = min(1.0, largest[0] * len(largest))
        fisher = stats.combine_pvalues(largest, method="fisher").pvalue
        found = re.findall(r"p = (\.\d+) by (Bonferroni|Fisher) \((holds|does not hold)", said)
        assert [(name, verdict) for _, name, verdict in found] == [
            ("Bonferroni", "holds" if u <= 1 else "does not hold"),
            ("Fisher", "holds" if u <= 5 else "does not hold"),
        ], u
        assert [float(p) for p, _, _ in found] == pytest.approx([bonferroni, fisher], abs=6e-5), u


@pytest.mark.parametrize(
    "replies", list(product(REPLIES, repeat=4)), ids=lambda replies: "-".join(replies)
)
def test_datasets_are_independent_only_if_everything_was_checked_and_nothing_is_shared(
    replies: tuple[str, ...],
) -> None:
    keys = [*(question.key for question in SHARING_QUESTIONS), POSITIVE_QUESTION.key]
    implied, reason = implied_dependence(dict(zip(keys, replies, strict=True)))  # type: ignore[arg-type]
    if replies[:3] == ("no", "no", "no"):
        assert implied == "independent"
    elif replies[3] == "yes":
        assert implied == "positive"
    else:
        assert implied == "not-known"
        assert "Bonferroni" in reason
        for question, reply in zip(SHARING_QUESTIONS, replies, strict=False):
            assert (question.if_yes in reason) == (reply == "yes")


def test_every_test_of_the_app_is_listed_with_its_null_hypothesis() -> None:
    listed = {title.casefold(): line for title, line in null_hypothesis_lines()}
    tests = [significance_test_named(name) for name in significance_tests]
    assert list(listed)[: len(tests)] == [test.title.casefold() for test in tests]
    for each in ACROSS_TESTS:
        title = f"{title_of_test(each.test)}, over datasets".casefold()
        assert each.null_hypothesis in listed[title], each.name
    for test in tests:
        assert test.null_hypothesis in listed[test.title.casefold()], test.name


TERMS = (
    *("level α", "confidence", "p-value", "null hypothesis", "one-sided", "two-sided", "k-hat"),
    *("k̂", "partial conjunction", "guarantee", "dependence", "independent", "positive dependence"),
    *("Bonferroni", "Simes", "Fisher", "Holm", "Hommel", "closed test", "adjusted p-value"),
    *("threshold", "bootstrap", "approximate randomization", "exact", "Monte Carlo", "resample"),
    *("seed", "effect size", "cluster", "family-wise error", "false discovery rate"),
    *("common practice", "direction", "reading", "signature", "fingerprint", "bundle"),
)


def test_a_term_is_found_by_its_name_however_it_is_written() -> None:
    for term in TERMS:
        for query in (term, term.upper(), f"  {term} "):
            assert term.casefold() in next(iter(find_terms(query))).casefold(), term
    # Every word of a search must occur, and no two entries have one name.
    assert list(find_terms("smallest level named")) == ["adjusted p-value"]
    assert not find_terms("holm zebra")
    assert len({term.casefold() for term in glossary()}) == len(glossary())


def test_an_explanation_is_a_few_sentences_that_markdown_leaves_as_they_are() -> None:
    for key, explanation in glossary().items():
        assert explanation.endswith("."), key
        assert len(explanation) <= 325, key
        assert not re.search(r"[*_~`$#<>\[\]\\|]|:\w+:|--|->", explanation), key

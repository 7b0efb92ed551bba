"""The glossary: every term there, findable, and harmless where a tooltip reads Markdown."""

from __future__ import annotations

import re

from core.words.glossary import find_terms, glossary

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
            assert term.casefold() in find_terms(query)[0].term.casefold(), term


def test_every_word_of_a_search_must_occur() -> None:
    assert [entry.term for entry in find_terms("smallest level named")] == ["adjusted p-value"]
    assert find_terms("holm zebra") == ()


def test_no_two_entries_have_one_name() -> None:
    assert len({entry.term.casefold() for entry in glossary().values()}) == len(glossary())


def test_an_explanation_is_a_few_sentences_that_markdown_leaves_as_they_are() -> None:
    for key in glossary():
        explanation = glossary()[key].explanation
        assert explanation.endswith("."), key
        assert len(explanation) <= 300, key
        assert not re.search(r"[*_~`$#<>\[\]\\|]|:\w+:|--|->", explanation), key

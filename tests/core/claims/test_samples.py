"""The claims that come with the samples."""

from __future__ import annotations

from core.claims import check_claims, sample_claims, sample_metric, samples_without_table
from core.data import PValueTable, read_results, read_sample, samples
from tests.core.claims.made_tables import keys

PUBLISHED = [sample.key for sample in samples() if sample_claims(sample.key)]


def test_these_samples_come_with_claims() -> None:
    assert PUBLISHED == [
        "pos-tagging",
        "parsing-redshift",
        "parsing-spacy",
        "sentiment",
        "word-similarity",
        "pos-tagging-four-tests",
    ]
    assert sample_claims("six-p-values") == ()
    assert sample_metric("sentiment") == "accuracy"
    assert sample_metric("pos-tagging") is None


def test_every_claim_but_two_is_what_the_p_values_give_for_one_system_or_either() -> None:
    for key in PUBLISHED:
        described, content = read_sample(key)
        table = read_results(content, roles={"alternative": described.alternative})
        assert isinstance(table, PValueTable), key
        report = check_claims(
            table, sample_claims(key), metric="other", dependence=described.dependence
        )
        odd = {
            verdict.claim.line(): verdict.key
            for verdict in report.verdicts
            if verdict.key not in ("holds", "depends") and not verdict.by_either
        }
        expected = {
            "sentiment": {"exactly 10 by fisher at .05 for A": "contradicted"},
            "pos-tagging-four-tests": {"exactly 9 of 10 by any at .05 for differ": "contradicted"},
        }
        assert odd == expected.get(key, {}), key


def test_claims_without_a_table_are_offered_with_their_source() -> None:
    (intervals,) = samples_without_table()
    assert intervals.key not in {sample.key for sample in samples()}
    for text in (intervals.title, intervals.description, intervals.note, intervals.source):
        assert text
    assert "# random effects" in intervals.lines
    assert keys(check_claims(None, intervals.lines)) == ("holds", "not-shown")

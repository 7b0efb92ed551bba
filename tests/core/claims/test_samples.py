"""The claims that come with the samples."""

from __future__ import annotations

from core.claims import check_claims, sample_claims, sample_metric, samples_without_table
from core.data import PValueTable, read_results, read_sample, samples
from tests.core.claims.made_tables import by_numbers

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


def test_every_claim_but_one_is_confirmed_as_printed() -> None:
    for key in PUBLISHED:
        described, content = read_sample(key)
        table = read_results(content, roles={"alternative": described.alternative})
        assert isinstance(table, PValueTable), key
        claims = sample_claims(key)
        report = check_claims(table, claims, metric="other", dependence=described.dependence)
        odd = {
            claim.line(): verdict
            for claim, verdict in zip(claims, by_numbers(report), strict=True)
            if verdict != "confirmed"
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
    assert by_numbers(check_claims(None, intervals.lines)) == ("not-excluded", "not-supported")

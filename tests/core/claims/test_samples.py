"""The claims that come with the samples."""

from __future__ import annotations

from core.claims.check import check_claims
from core.claims.desk import sample_claims
from core.data import PValueTable, read_results, read_sample, samples

PUBLISHED = [sample.key for sample in samples() if sample_claims(sample.key)]


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

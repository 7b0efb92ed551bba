"""The sample tables are the published ones, byte for byte."""

from pathlib import Path

import pytest

pytestmark = pytest.mark.real

REPOSITORY = Path(__file__).resolve().parents[2]
PUBLISHED = Path(__file__).resolve().parents[3] / "shared" / "data" / "published"


@pytest.mark.parametrize(
    ("sample", "published"),
    [
        ("dependency_parsing_mate_redshift", "table2_mate_redshift"),
        ("dependency_parsing_mate_spacy", "table2_mate_spacy"),
        ("pos_tagging_mimick_chartag", "table3_mimick_chartag"),
        ("sentiment_aesclsr_msda", "table4_aesclsr_msda"),
        ("word_similarity_w2v_glove", "table5_w2v_glove"),
    ],
)
def test_a_sample_equals_the_published_table(sample, published):
    copied = (REPOSITORY / "sample_data" / f"{sample}.csv").read_bytes()
    assert copied == (PUBLISHED / "dror2017" / f"{published}.csv").read_bytes()

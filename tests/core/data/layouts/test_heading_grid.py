"""Headings that may name datasets and systems together are asked about, and read as answered."""

from core.data.tables.heading_grids import two_parts


def test_headings_that_are_no_grid_of_datasets_and_systems_are_not_asked_about():
    for headings in [
        "model_a model_b",
        "model_a model_b model_c model_d",
        "ar_mbert ar_ours cs_mbert",
        "bert-base bert-large roberta-base roberta-large",
        "ours_seed1 ours_seed2 base_seed1 base_seed2",
        "ours_1 ours_2 base_1 base_2",
        "llama-7b llama-13b opt-7b opt-13b",
        "seed1_ours seed1_base seed2_ours seed2_base",
        "acc_a acc_b f1_a f1_b",
        "a_a a_b b_a b_b",
        "ar_ ar_ours cs_ cs_ours",
        "_mbert _ours ar_mbert ar_ours",
    ]:
        assert two_parts(headings.split()) is None, headings


def test_names_with_the_separator_in_them_are_cut_where_the_grid_is_full():
    found = two_parts(["x_nli_m_bert", "x_nli_ours", "paws_m_bert", "paws_ours"])
    assert (found.firsts, found.seconds) == (("x_nli", "paws"), ("m_bert", "ours"))


def test_datasets_that_are_numbered_are_asked_about():
    assert two_parts(["1_ours", "1_base", "2_ours", "2_base"]) is not None

"""Headings are cut where something stands between their parts, however long they are."""

from hypothesis import given
from hypothesis import strategies as st

from core.data import read_results
from core.data.layouts.count_columns import find_cells
from core.data.layouts.counts import find_counts, rest_beside
from core.data.tables.directions import two_parts
from core.data.tables.splitting import split_table
from core.data.tables.text import decode_text

LONG = {
    "underscores": "_" * 3_000,
    "dashes": " - " * 1_000,
    "letters": "a_" * 1_500,
    "between": f"correct{'_' * 3_000}x",
    "before": f"x{'_' * 3_000}correct",
    "words": "correct_" * 400,
    "right": "a_right_" * 400 + "b",
    "right and wrong": "a_right_b_wrong_" * 200,
    "brackets": "correct (" + "(" * 3_000,
}


def test_what_stands_beside_a_phrase_is_told():
    assert rest_beside("N_Correct", "n correct") == rest_beside("ncorrect", "n correct") == ""
    assert rest_beside("sys.len_bert-base", "sys len") == "bert-base"
    for rest, headings in {
        "": ["correct"],
        "a": ["correct_a", "a - correct", "aCorrect"],
        "A": ["correctA"],
        "Mate v2": ["correct (Mate v2)"],
        "x": ["correct[x]"],
        "(a) (b)": ["correct (a) (b)"],
        None: ["incorrect", "corrects", "correct_", "_correct", "true_correct_x"],
    }.items():
        for heading in headings:
            assert rest_beside(heading, "correct") == rest, heading


def test_a_word_for_a_metric_is_told_at_either_end_of_what_is_beside_counts():
    for heading, metric, system in [
        ("UAS - correct_of.x", "UAS", "of.x"),
        ("correct_of.x UAS", "UAS", "of.x"),
        ("correct_uas", "UAS", ""),
        ("correct_uasx", "", "uasx"),
    ]:
        (found,) = find_counts([heading, "total"], taken=(), in_rows=False)
        assert (found.label, *found.columns) == (metric, system), heading


@given(st.text("aB ._-", min_size=1).filter(str.strip), st.sampled_from(["_", " - ", ":"]))
def test_a_system_is_found_on_either_side_of_its_counts(name, between):
    name = name.strip(" ._-") or "a"
    assert rest_beside(f"correct{between}{name}", "correct") == name
    assert rest_beside(f"{name}{between}correct", "correct") == name


def test_long_headings_are_judged_at_all():
    for text in LONG.values():
        header = [text, f"{text}x", "correct_a", "correct_b", "total"]
        (found,) = find_counts(header, taken=(), in_rows=False)
        assert {"a", "b"} <= set(found.columns), text
        find_cells(split_table(decode_text(f'dataset,"{text}"\nx,1\n'.encode())), "dataset")
        scores = read_results(f'dataset,example,"{text}",B\nx,1,.5,.2\nx,2,.1,.3\n'.encode())
        assert scores.reading is not None, text


def test_headings_that_are_no_grid_of_datasets_and_systems_are_not_asked_about():
    models = (
        "bert-base bert-large roberta-base roberta-large",
        "llama-7b llama-13b opt-7b opt-13b",
    )
    runs = ("ours_seed1 ours_seed2 base_seed1 base_seed2", "ours_1 ours_2 base_1 base_2")
    metrics = ("acc_a acc_b f1_a f1_b", "seed1_ours seed1_base seed2_ours seed2_base")
    in_part = (
        "ar_mbert ar_ours cs_mbert",
        "ar_ ar_ours cs_ cs_ours",
        "_mbert _ours ar_mbert ar_ours",
    )
    alike = ("model_a model_b", "model_a model_b model_c model_d", "a_a a_b b_a b_b")
    for headings in (*models, *runs, *metrics, *in_part, *alike):
        assert two_parts(headings.split()) is None, headings


def test_names_with_the_separator_in_them_are_cut_where_the_grid_is_full():
    found = two_parts(["x_nli_m_bert", "x_nli_ours", "paws_m_bert", "paws_ours"])
    assert (found.firsts, found.seconds) == (("x_nli", "paws"), ("m_bert", "ours"))


def test_datasets_that_are_numbered_are_asked_about():
    assert two_parts(["1_ours", "1_base", "2_ours", "2_base"]) is not None

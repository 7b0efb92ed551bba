"""Files of kinds that are not read yet are declined by name, with what to do instead."""

import pytest

from core.data import ResultSet, read_results
from core.data.declined import DECLINED
from core.errors import DataError

CORPUS = {
    "scores, long": (
        "dataset,example,system,score\nx,1,A,1\nx,1,B,0\nx,2,A,1\nx,2,B,1\n",
        "one row for each example and system, with the system's name in 'system'",
    ),
    "scores, long, systems numbered": (
        "dataset,example,system,score\nx,1,1,1\nx,1,2,0\nx,2,1,1\nx,2,2,1\n",
        "long scores are not read yet",
    ),
    "predictions, long": (
        "dataset,example,model,gold,prediction\nx,1,A,yes,yes\nx,1,B,yes,no\nx,2,A,no,no\n",
        "long scores are not read yet",
    ),
    "sufficient statistics": (
        "dataset,example,correct_a,correct_b,total\nx,1,3,4,5\nx,2,3,4,5\n",
        "sufficient statistics are not read yet",
    ),
    "sufficient statistics of F1": (
        "dataset,example,tp_a,fp_a,fn_a,tp_b,fp_b,fn_b\nx,1,1,1,1,1,1,1\nx,2,1,1,1,1,1,1\n",
        "sufficient statistics are not read yet",
    ),
    "sufficient statistics of BLEU": (
        "dataset,example,a_sys_len,a_ref_len,a_match1,a_total1\nx,1,1,1,1,1\nx,2,1,1,1,1\n",
        "sufficient statistics are not read yet",
    ),
    "McNemar's counts": (
        "dataset,both_right,a_right_b_wrong,a_wrong_b_right,both_wrong\nx,3,2,1,4\ny,3,2,1,4\n",
        "McNemar's counts are not read yet",
    ),
    "effects and standard errors": (
        "dataset,effect,se,n\nx,.1,.02,100\ny,.1,.02,100\n",
        "data for a meta-analysis are not read yet",
    ),
    "correlations, computed": (
        "name,r_gold_a,r_gold_b,r_a_b,n\nx,.4,.5,.1,103\ny,.3,.4,.5,100\n",
        "correlation data are not read yet",
    ),
    "predictions to be correlated": (
        "dataset,item,gold,A,B\nx,car|auto,3.92,1.0,.89\nx,gem|jewel,3.84,1.0,.79\n",
        "correlation data are not read yet",
    ),
    "predictions to be correlated, with gaps": (
        "dataset,item,gold,A,B\nx,a,4,1.5,\nx,b,3,,.5\nx,c,1,1.25,.75\n",
        "If the numbers are labels of classes, choose the layout 'predictions'",
    ),
    "datasets under an unknown heading": (
        "comparison,A,B\nx,1,0\nx,1,1\ny,0,1\n",
        "'comparison' holds text that repeats and may name the datasets",
    ),
    "datasets × systems": (
        "dataset,A,B\nx,.9,.8\ny,.7,.6\n",
        "datasets × systems with one score each are not read yet",
    ),
    "datasets × systems, numbered": (
        "no,dataset,A,B,C\n1,x,.9,.8,.7\n2,y,.7,.6,\n",
        "datasets × systems with one score each are not read yet",
    ),
    "predictions, one each": (
        "dataset,gold,A,B\nx,yes,yes,no\ny,no,no,no\n",
        "with a gold label and one prediction for each system",
    ),
    "one system a file": (
        "1\n0\n1\n",
        "one number a line and no header: one file for each system is not read yet",
    ),
    "JSON": ('[{"dataset": "x", "A": 1, "B": 0}]', "The file is JSON, which is not read yet."),
    "JSON, nested": ('{\n "x": {"A": [1, 0]}}', "The file is JSON, which is not read yet."),
}


@pytest.mark.parametrize(("text", "expected"), CORPUS.values(), ids=CORPUS)
def test_a_kind_that_is_not_read_is_declined_by_name(text, expected):
    with pytest.raises(DataError) as caught:
        read_results(text.encode())
    (problem,) = caught.value.problems
    assert expected in str(problem)
    assert problem.remedy.endswith(".")


def test_every_declined_kind_has_a_file_in_the_corpus():
    assert {declined.name for declined in DECLINED} <= set(CORPUS)


@pytest.mark.parametrize(
    ("name", "roles"),
    [
        ("datasets under an unknown heading", {"dataset": "comparison"}),
        ("datasets under an unknown heading", {"dataset": None}),
        ("datasets × systems", {"dataset": None, "example": "dataset"}),
        ("datasets × systems", {"layout": "per-example scores"}),
        ("sufficient statistics", {"systems": ["correct_a", "correct_b"]}),
        ("predictions, one each", {"dataset": None, "example": "dataset"}),
        ("predictions to be correlated", {"layout": "predictions", "systems": ["A", "B"]}),
    ],
)
def test_roles_given_by_hand_settle_the_question(name, roles):
    results = read_results(CORPUS[name][0].encode(), roles=roles)
    assert isinstance(results, ResultSet)


@pytest.mark.parametrize(
    "text",
    [
        "dataset,example,Model,Baseline\nx,1,1,0\nx,2,1,0\n",
        "dataset,example,gold,model,baseline\nx,1,yes,yes,no\nx,2,no,yes,no\n",
        "dataset,example,R base,R large\nx,1,1,0\nx,2,1,0\n",
        "dataset,example,system,A,B\nx,1,v1,1,0\nx,2,v1,1,0\n",
        "dataset,example,correct_a,correct_b\nx,1,1,0\nx,2,1,0\n",
    ],
)
def test_names_like_those_of_other_kinds_do_not_decline_a_file(text):
    assert isinstance(read_results(text.encode()), ResultSet)

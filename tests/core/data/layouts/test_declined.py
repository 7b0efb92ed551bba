"""Files of kinds that are not read yet are declined by name, with what to do instead."""

import pytest

from core.data import read_results
from core.errors import DataError

CORPUS = {
    "predictions in rows": (
        "dataset,example,model,gold,prediction\nx,1,A,yes,yes\nx,1,B,yes,no\nx,2,A,no,no\n",
        "with the system's name in 'model' and what it gave out in 'prediction': predictions in "
        "rows are not read yet.",
    ),
    "correlations, computed": (
        "name,r_gold_a,r_gold_b,r_a_b,n\nx,.4,.5,.1,103\ny,.3,.4,.5,100\n",
        "correlation data are not read yet",
    ),
    "datasets under an unknown heading": (
        "comparison,A,B\nx,1,0\nx,1,1\ny,0,1\n",
        "'comparison' holds text that repeats and may name the datasets",
    ),
    "datasets under an unknown heading, in rows": (
        "comparison,system,example,acc\nx,A,1,1\nx,B,1,1\ny,A,1,0\ny,B,1,0\n",
        "'comparison' holds text that repeats and may name the datasets",
    ),
    "p-values under an unknown heading": (
        "dataset,A,B,prob\nx,91,90,.001\ny,92,90.5,.2\n",
        "'prob' holds numbers from 0 to 1 beside scores that go further",
    ),
    "discordant counts alone": (
        "dataset,b,c\nx,11,5\ny,2,7\n",
        "does not say on how many examples both systems were right",
    ),
    "discordant counts alone, by name": (
        "dataset,a_wrong_b_right,a_right_b_wrong\nx,11,5\ny,2,7\n",
        "does not say on how many examples both systems were right",
    ),
    "discordant counts alone, as only": (
        "dataset,only a right,only b right\nx,11,5\ny,2,7\n",
        "does not say on how many examples both systems were right",
    ),
    "the four counts as letters": (
        "dataset,a,b,c,d,n\nx,20,11,5,4,40\ny,10,2,7,1,20\n",
        "does not say on how many examples both systems were right",
    ),
    "differences with intervals": (
        "dataset,diff,ci_low,ci_high\nx,1,.5,1.5\ny,2,1,3\n",
        "'diff' holds differences, and no column holds scores or standard errors.",
    ),
    "systems in rows, datasets in columns": (
        "model,CoNLL,GENIA\nBERT,90,80\nRoBERTa,91,82\n",
        "Each system stands in one row of 'model', with its scores in the columns",
    ),
    "predictions, one each": (
        "dataset,gold,A,B\nx,yes,yes,no\ny,no,no,no\n",
        "with a gold label and one prediction for each system",
    ),
}


@pytest.mark.parametrize(("text", "expected"), CORPUS.values(), ids=CORPUS)
def test_a_kind_that_is_not_read_is_declined_by_name(text, expected):
    with pytest.raises(DataError) as caught:
        read_results(text.encode())
    (problem,) = caught.value.problems
    assert expected in str(problem)
    assert problem.remedy.endswith(".")

"""What each column of a file was taken for, in words."""

from __future__ import annotations

from core.data import read_results
from core.report.reading import columns_as_understood


def test_every_column_has_its_role_in_words() -> None:
    for text, expected in [
        (
            "dataset,family,ours,base,p,year\nx,f,1,0,.1,2001\ny,f,1,0,.1,2002\nz,g,1,0,.1,2003\n",
            {
                "dataset": "names of datasets",
                "family": "labels, to group datasets",
                "ours": "scores of A",
                "base": "scores of B",
                "p": "p-values",
                "year": "not read",
            },
        ),
        (
            "dataset,example,text,gold,ours,base\nx,1,one thing,y,y,n\nx,2,another,n,n,n\n",
            {
                "dataset": "names of datasets",
                "example": "ids of examples",
                "text": "texts, to find examples that datasets share",
                "gold": "gold: what is right",
                "ours": "a system's results",
                "base": "a system's results",
            },
        ),
        (
            "dataset,example,correct_a,correct_b,total\nx,1,2,3,4\nx,2,2,1,4\n",
            {
                "dataset": "names of datasets",
                "example": "ids of examples",
                "correct_a": "counts",
                "correct_b": "counts",
                "total": "counts",
            },
        ),
        (
            "dataset,both_right,a_right_b_wrong,a_wrong_b_right,both_wrong\nx,5,4,3,2\n",
            {
                "dataset": "names of datasets",
                "both_right": "counts",
                "a_right_b_wrong": "counts",
                "a_wrong_b_right": "counts",
                "both_wrong": "counts",
            },
        ),
        (
            "dataset,effect,se\nx,.1,.2\ny,.2,.1\n",
            {
                "dataset": "names of datasets",
                "effect": "effects",
                "se": "standard errors or variances",
            },
        ),
    ]:
        reading = read_results(text.encode()).reading
        assert reading is not None, (text, expected)
        assert dict(columns_as_understood(reading)) == expected, (text, expected)

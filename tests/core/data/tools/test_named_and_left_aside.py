"""Files without results on examples are named, and left aside beside others."""

from __future__ import annotations

import json

import pytest

from tests.core.data.tools.files_of import read, refused, remarks

REPORT = """              precision    recall  f1-score   support

         neg       0.80      0.70      0.75       100
         pos       0.90      0.80      0.85       120

    accuracy                           0.82       220
   macro avg       0.85      0.75      0.80       220
"""
TABLE = ",precision,recall,f1-score,support\nneg,.8,.7,.75,100\npos,.9,.8,.85,120\nmacro avg,.8,.7,.8,220\n"


@pytest.mark.parametrize("text", [REPORT, TABLE])
def test_classes_of_a_classification_report_are_no_examples(text):
    problem = refused({"ours.csv": text, "base.csv": text}).problems[0]
    assert "classification report of scikit-learn" in problem.what
    assert "gold label and each system's prediction" in problem.what


def test_a_training_log_is_named_as_one_and_left_aside_beside_results():
    log = json.dumps({"best_metric": 0.9, "global_step": 300, "log_history": [{"loss": 0.3}]})
    problem = refused({"trainer_state.json": log}).problems[0]
    assert "log of a training run by Hugging Face's Trainer" in problem.what
    assert "trainer.predict" in problem.what
    table = "dataset,example,ours,base\na,1,1,0\na,2,1,1\n"
    results = read({"trainer_state.json": log, "results.csv": table})
    assert results.systems == ("ours", "base")
    assert "'trainer_state.json'" in remarks(results)

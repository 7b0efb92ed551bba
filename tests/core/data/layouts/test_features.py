"""Features of examples, metrics, and what one system gave out, are no systems that are compared."""

import pytest

from tests.core.data.layouts.texts import refused

# Two features are 0 and 1, as the classes are; the others are not.
FEATURES = "f1,f2," + ",".join(f"g{i}" for i in range(8)) + ",target\n"
ROWS = "".join(
    f"{i % 2},{i % 3 // 2},{','.join(f'.{i + j}' for j in range(8))},{i % 2}\n" for i in range(9)
)
IRIS = "sepal,petal,class\n5.1,1.4,0\n4.9,1.3,0\n7.0,4.7,1\n6.4,4.5,1\n6.3,6.0,2\n"
ONE_SYSTEM = "setosa,virginica,predictions,truth\n.9,.1,setosa,setosa\n.4,.6,virginica,setosa\n"


@pytest.mark.parametrize(
    ("text", "said", "answers"),
    [
        (FEATURES + ROWS, "only 'f1', 'f2' hold classes as 'target' does", ["systems"]),
        (IRIS, "'class' may hold the right classes or labels", ["unused", "systems"]),
        (
            "id,gold1,gold2,A,B\n1,1,0,1,1\n2,0,0,1,0\n",
            "'gold1', 'gold2' may hold the right classes or labels",
            ["unused", "systems"],
        ),
        (ONE_SYSTEM, "Only 'predictions' holds predictions", []),
        ("id,gold,raw,pred\n1,a,a,a\n2,b,a,b\n", "'raw' may be another form", ["systems"]),
        ("id,latency_ms,retrieved\n1,9.1,3\n2,8.1,4\n", "name a metric", ["systems"]),
        ("id,ece,A,B,C\n1,.1,3,4,5\n2,.2,4,4,1\n", "name a metric", ["unused", "systems"]),
    ],
)
def test_files_of_features_or_of_one_system_are_asked_about(text, said, answers):
    error = refused(text)
    assert said in str(error)
    assert [choice.role for choice in error.choices] == answers

"""The roles of a reading, given back, give the same reading and the same results."""

import random

from core.data import LAYOUTS, PValueTable, ResultSet, read_results
from core.errors import DataError

FILES = {
    "columns": "dataset,example,A,B,length\nx,1,1,0,5\nx,2,,1,6\nx,3,0,1,4\n",
    "columns without ids": "A loss;B loss\n0,5;1\n2;1\n",
    "columns of runs": "dataset,example,seed,A,B\nx,1,1,1,0\nx,1,2,0,0\nx,2,1,1,1\nx,2,2,1,0\n",
    "columns of metrics": "dataset,example,metric,A,B\nx,1,acc,1,0\nx,1,ter,.5,.2\n",
    "a grid": "dataset,example,acc_a,acc_b,ter_a,ter_b\nx,1,1,0,.5,1\nx,2,1,0,1,.2\n",
    "words": "dataset,example,A,B\nx,1,True,false\nx,2,,True\nx,3,true,true\n",
    "rows": "dataset,example,model,score\nx,1,A,1\nx,1,B,0\nx,2,A,1\ny,1,A,0\ny,1,B,1\n",
    "rows of metrics": (
        "example,system,metric,value\n1,A,bleu,1\n1,B,bleu,0\n1,A,wer,3\n1,B,wer,.5\n2,A,wer,1\n"
    ),
    "rows of runs": (
        "dataset,example,run,system,f1,loss\n"
        + "".join(f"x,{e},{r},{s},.{e}{r},{r}\n" for e in (1, 2, 3) for r in (1, 2) for s in "AB")
    ),
    "rows without ids": "dataset,system,seed,score\nx,A,1,1\nx,B,1,2\nx,A,2,3\nx,B,2,4\n",
    "labels": "dataset,example,gold,A,B\nx,1,p,p,n\nx,2,n,,n\nx,3,n,p,p\n",
    "labels of runs": "example,run,gold,A,B\n1,1,p,p,n\n1,2,p,n,n\n2,1,n,p,n\n2,2,n,n,n\n",
    "p-values": "dataset,A WER,B WER,p_boot,p_sign\nx,1,2,.5,.4\ny,2,3,.4,0.0\n",
} | {f"template of {kind.name}": kind.template for kind in LAYOUTS}

# Without these answers a file is refused.
NEEDED = {
    "columns": {"incomplete": "leave-out"},
    "columns of runs": {"runs": "average"},
    "words": {"incomplete": "leave-out"},
    "rows": {"incomplete": "leave-out"},
    "rows of metrics": {"incomplete": "leave-out"},
    "rows of runs": {"runs": "average"},
    "labels": {"incomplete": "leave-out"},
    "labels of runs": {"runs": "only:2"},
    "p-values": {"p_value": "p_sign"},
}
ANSWERS = {
    "incomplete": ("leave-out", "refuse"),
    "runs": ("average", "only:1", "only:2"),
    "higher_is_better": (True, False, {"ter": True}, {"accuracy": False, "f1": False}),
    "metric": ("mine", "f1", "ter"),
    "run": (None,),
    "metric_names": (None,),
    "p_value": ("p_boot", "p_sign"),
    "alternative": ("two-sided",),
}


def outcome(text, roles):
    try:
        return read_results(text.encode(), name="mine", roles=roles)
    except DataError:
        return None


def test_the_roles_of_a_reading_give_the_same_again():
    for name in FILES:
        text, rng, n_read = FILES[name], random.Random(name), 0
        for _ in range(8):
            roles = NEEDED.get(name, {}) | {
                role: rng.choice(answers)
                for role, answers in ANSWERS.items()
                if rng.random() < 0.15
            }
            first = outcome(text, roles)
            if first is None:
                continue
            n_read += 1
            second = read_results(text.encode(), name="mine", roles=first.reading.roles)
            assert type(second) is type(first), name
            assert second.reading == first.reading, name
            assert second.fingerprint == first.fingerprint, name
            if isinstance(first, ResultSet):
                assert isinstance(second, ResultSet), name
                assert second.metrics == first.metrics, name
                assert second.systems == first.systems, name
                assert second.higher_is_better == first.higher_is_better, name
            elif isinstance(first, PValueTable):
                assert isinstance(second, PValueTable), name
                assert second.p_values.tolist() == first.p_values.tolist(), name
        assert n_read >= 2, name


def test_every_layout_is_tried():
    read = {outcome(text, {}).reading.layout for text in (kind.template for kind in LAYOUTS)}
    assert read == {kind.name for kind in LAYOUTS}

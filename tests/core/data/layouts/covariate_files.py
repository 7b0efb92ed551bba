"""Files of every layout with the same examples, their lengths and genres."""

import pytest

from core.data import ResultSet, read_results
from core.errors import DataError

N = 24
EXAMPLES = [(dataset, i) for dataset in "xy" for i in range(N)]
GENRES = ("news", "web", "talk")


def cells_of(i):
    """The covariates of an example: its length, none for the third, and its genre, none for the fifth."""
    return f"{'' if i == 2 else i + 3},{'' if i == 4 else GENRES[i % 3]}"


WIDE = "dataset,example,A,B,length,genre\n" + "".join(
    f"{d},{i},{i % 2},{i % 3 % 2},{cells_of(i)}\n" for d, i in EXAMPLES
)
ROWS = "dataset,example,system,score,length,genre\n" + "".join(
    f"{d},{i},{s},{(i * step) % 7},{cells_of(i)}\n"
    for d, i in reversed(EXAMPLES)
    for s, step in (("A", 2), ("B", 3))
)
LABELS = "dataset,example,gold,A,B,length,genre\n" + "".join(
    f"{d},{i},{'pn'[i % 2]},{'pn'[i % 3 % 2]},p,{cells_of(i)}\n" for d, i in EXAMPLES
)
COUNTED = "dataset,example,correct_A,correct_B,total,length,genre\n" + "".join(
    f"{d},{i},{i % 5},{i % 4},6,{cells_of(i)}\n" for d, i in EXAMPLES
)
COUNTED_IN_ROWS = "dataset,example,system,correct,total,length,genre\n" + "".join(
    f"{d},{i},{s},{i % n},6,{cells_of(i)}\n" for d, i in EXAMPLES for s, n in (("A", 5), ("B", 4))
)
CORRELATED = "dataset,example,gold,A,B,length,genre\n" + "".join(
    f"{d},{i},{i % 7 + 0.5},{i % 5 + 0.25},{i % 3},{cells_of(i)}\n" for d, i in EXAMPLES
)


def read(text, **roles):
    results = read_results(text.encode(), name="mine.csv", roles=roles or None)
    assert isinstance(results, ResultSet)
    return results


def refused(text, **roles):
    with pytest.raises(DataError) as caught:
        read(text, **roles)
    return caught.value

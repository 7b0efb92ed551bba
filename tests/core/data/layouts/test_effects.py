"""Effects with standard errors or variances are read as they are; several analyses are a question."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from core.data import EffectTable, read_results

START = "dataset,effect,se,n\n"


def read(text, **roles):
    table = read_results(text.encode(), roles=roles)
    assert isinstance(table, EffectTable)
    return table


POSITIVE = st.integers(1, 10**6).map(lambda n: n / 1000)


@settings(max_examples=20, deadline=None)
@given(st.lists(st.tuples(st.integers(-9999, 9999), POSITIVE), min_size=1, max_size=8))
def test_effects_read_back_equal(rows):
    text = "dataset,effect,variance\n" + "".join(
        f"d{i},{effect / 100!r},{variance!r}\n" for i, (effect, variance) in enumerate(rows)
    )
    table = read(text)
    assert table.effects.tolist() == [effect / 100 for effect, _ in rows]
    np.testing.assert_allclose(table.variances, [variance for _, variance in rows], rtol=1e-15)

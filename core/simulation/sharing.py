"""Whether examples may be shared by datasets without the file telling which."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.data.overlap.find import example_codes, find_overlap
from core.data.overlap.shared_pairs import SharedPairs
from core.data.result_set import ResultSet
from core.types import BoolArray


def may_share_more(
    result_set: ResultSet, datasets: Sequence[str], *, thoroughly: bool = True
) -> bool:
    """Whether these datasets may share examples beyond those known to be the same.

    So it is where examples are not told apart, or only by counters, where two
    lists of names differ, where a few inputs stand for many examples, where
    texts agree in part, and where datasets look like translations.

    Parameters
    ----------
    result_set : ResultSet
        The results.
    datasets : sequence of str
        Which datasets take part.
    thoroughly : bool
        Whether to look for more than examples that cannot be compared at all,
        which takes as long as finding the whole overlap.
    """
    if len(datasets) < 2:
        return False
    taken = np.isin(result_set.datasets, datasets)
    sizes = [result_set.n_examples(name) for name in result_set.datasets]
    codes = example_codes(result_set)
    if bool((codes[np.repeat(taken, sizes)] < 0).any()):
        return True
    if not thoroughly:
        return False
    found = find_overlap(result_set)
    return (
        not bool(found.conclusive[taken].all())
        or any(int(taken[list(group.members)].sum()) > 1 for group in found.translations)
        or _any_within(found.texts, taken)
    )


def _any_within(pairs: SharedPairs, taken: BoolArray) -> bool:
    """Whether any two of the datasets taken are a pair; what stands nearly everywhere is."""
    return bool(pairs.n_widespread or (taken[pairs.first] & taken[pairs.second]).any())

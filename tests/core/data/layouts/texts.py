"""Texts read as files; without declared types, which the tests are about."""

import pytest

from core.data import ResultSet, read_results
from core.errors import DataError
from tests.read_as import read_as


def read(text, *, name=None, **roles):
    """The results on examples that a text holds, read with some roles declared."""
    return read_as(ResultSet, text.encode(), name=name, roles=roles)


def refused(text, **roles):
    """Why a text is not read."""
    with pytest.raises(DataError) as caught:
        read_results(text.encode(), roles=roles)
    return caught.value


def problems_of(text, **roles):
    """The same as sentences."""
    return [str(problem) for problem in refused(text, **roles).problems]

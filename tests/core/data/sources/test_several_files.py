"""Several files read as the one file that they make."""

import pytest

from core.data.reading import ReadingStopped
from tests.core.data.tools.files_of import read

WIDE = {"mrpc.csv": "ours,base\n1,0\n0,1\n", "rte.csv": "ours,base\n1,1\n0,0\n1,0\n"}


def test_progress_goes_from_nothing_to_all_through_every_stage():
    seen: list[tuple[str, float]] = []

    def note(stage, share):
        seen.append((stage, share))
        return True

    read(WIDE, on_progress=note)
    assert list(dict.fromkeys(stage for stage, _ in seen)) == [
        "opening", "cutting", "recognising", "reading",
    ]  # fmt: skip
    shares = [share for _, share in seen]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0, 1)


@pytest.mark.parametrize("stage", ["opening", "cutting", "recognising", "reading"])
def test_reading_stops_at_the_stage_where_it_is_told_to(stage):
    seen = []

    def until(reached, share):
        seen.append(reached)
        return reached != stage

    with pytest.raises(ReadingStopped):
        read(WIDE, on_progress=until)
    assert seen[-1] == stage
    assert seen.count(stage) == 1

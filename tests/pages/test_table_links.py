"""A small table in an address: unpacked as it was packed, and never more than it may be."""

from __future__ import annotations

import base64
import zlib

from hypothesis import given
from hypothesis import strategies as st

from core.data import read_sample
from pages.ui.frame.links import LONGEST_IN_LINK, packed, unpacked


@given(st.binary(min_size=1, max_size=3000))
def test_what_is_packed_is_unpacked(content: bytes) -> None:
    text = packed(content)
    assert text is None or unpacked(text) == content


def test_every_published_table_of_the_samples_fits_into_a_link() -> None:
    content = read_sample("pos-tagging")[1]
    text = packed(content)
    assert text is not None
    assert len(text) < 1000


def test_what_is_too_long_for_a_link_is_not_packed() -> None:
    assert packed(read_sample("simulated-accuracy")[1]) is None


@given(st.text(max_size=200))
def test_any_text_is_refused_or_unpacked_without_an_error(text: str) -> None:
    found = unpacked(text)
    assert found is None or isinstance(found, bytes)


def test_a_bomb_and_a_cut_link_are_refused() -> None:
    bomb = base64.urlsafe_b64encode(zlib.compress(b"0" * 5_000_000, 9)).decode().rstrip("=")
    assert unpacked(bomb[:LONGEST_IN_LINK]) is None
    text = packed(read_sample("pos-tagging")[1])
    assert text is not None
    assert unpacked(text[:-9]) is None

"""The line that reproduces a result."""

from __future__ import annotations

from core.signature import signature_line
from core.version import __version__


def test_a_signature_names_settings_in_order_and_ends_with_the_version() -> None:
    assert signature_line(pc="fisher", alpha=0.05, datasets=23, seed=0) == (
        f"pc:fisher|alpha:0.05|datasets:23|seed:0|v:{__version__}"
    )


def test_what_is_not_set_is_left_out_and_nothing_can_forge_a_field() -> None:
    assert signature_line(a=None, name="x|y:z") == f"name:x_y_z|v:{__version__}"

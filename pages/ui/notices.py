"""What was not understood or not done, said once at the top of the page."""

from __future__ import annotations

from pages.ui import intake, prose, state


def show() -> None:
    """Remarks of the last action, then they are gone; and a file that could not be read."""
    for remark in state.take_remarks():
        prose.notice(remark)
    intake.refused()

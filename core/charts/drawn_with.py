"""plotly, an extra of the package that takes long to load: loaded by the first chart that is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__all__ = ["go"]

if TYPE_CHECKING:
    import plotly.graph_objects as go
else:

    class _WhenDrawn:
        def __getattr__(self, name: str) -> Any:
            import plotly.graph_objects

            return getattr(plotly.graph_objects, name)

    go = _WhenDrawn()

"""An upload stays in memory while it arrives."""

from __future__ import annotations

from starlette.formparsers import MultiPartParser
from streamlit import config

from pages.ui.frame import limits


def keep_in_memory() -> None:
    """Have the server write no part of an upload to disk, as it else does beyond a megabyte."""
    # The uploader asks browsers not to send more; of what is sent all the same the server takes no
    # more either, so that nothing arrives that is larger than what stays in memory.
    if config.get_option("server.maxUploadSize") > limits.MAX_UPLOAD_MEGABYTES:
        config.set_option("server.maxUploadSize", limits.MAX_UPLOAD_MEGABYTES)
    MultiPartParser.spool_max_size = (limits.MAX_UPLOAD_MEGABYTES + 1) * 2**20

"""How much the app takes, stated in its messages; a server sets it by environment variables."""

from __future__ import annotations

import os

MAX_UPLOAD_MEGABYTES = int(os.environ.get("DASHBOARD_MAX_UPLOAD_MB", "200"))
MAX_PROBLEMS_SHOWN = 50
MAX_ROWS_STYLED = 500
MAX_BACKGROUND_JOBS = int(os.environ.get("DASHBOARD_MAX_JOBS", "2"))
SECONDS_UNTIL_ABANDONED = 120.0
MAX_CACHED_RESULTS = 24

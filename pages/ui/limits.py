"""How much the app takes, stated in its messages; a server sets it by environment variables."""

from __future__ import annotations

import os

MAX_UPLOAD_MEGABYTES = int(os.environ.get("DASHBOARD_MAX_UPLOAD_MB", "200"))
MAX_DATASETS = int(os.environ.get("DASHBOARD_MAX_DATASETS", "5000"))
MAX_ROWS = int(os.environ.get("DASHBOARD_MAX_ROWS", "10000000"))
# What one session keeps: its files as they came, and what was read from them.
MAX_SESSION_MEGABYTES = int(os.environ.get("DASHBOARD_MAX_SESSION_MB", "2000"))
# One run of tests, study, simulation, check or reading; waiting for its turn does not count.
MAX_JOB_SECONDS = float(os.environ.get("DASHBOARD_MAX_SECONDS", "3600"))
SMALLEST_ALPHA, LARGEST_ALPHA = 0.0001, 0.5
MAX_PROBLEMS_SHOWN = 50
MAX_BYTES_READ_AT_ONCE = int(os.environ.get("DASHBOARD_BYTES_READ_AT_ONCE", "2000000"))
MAX_LINES_PREVIEWED = 40
MAX_ROWS_STYLED = 500
MAX_BACKGROUND_JOBS = int(os.environ.get("DASHBOARD_MAX_JOBS", "2"))
# Streamlit takes back those who return within 120 seconds; who is away for longer is not expected.
SECONDS_UNTIL_ABANDONED = 100.0
MAX_CACHED_RESULTS = 24
LARGEST_SEED = 2**31 - 1
MAX_KEPT_RUNS = 8
SECONDS_TO_WAIT_FOR_TESTS = 0.4
TEST_THREADS = int(os.environ.get("DASHBOARD_TEST_THREADS", str(min(2, os.cpu_count() or 1))))
MAX_RESAMPLES = int(os.environ.get("DASHBOARD_MAX_RESAMPLES", "1000000"))
SECONDS_BETWEEN_DRAWINGS = 3.0

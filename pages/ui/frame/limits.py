"""How much the app takes, stated in its messages; a server sets it by environment variables."""

import math
import os

from streamlit import config


def _limit(name: str, usual: float, *, least: float = 1.0) -> float:
    """What an environment variable says, the usual where it says nothing."""
    said = os.environ.get(name, "").strip()
    try:
        value = float(said) if said else usual
    except ValueError:
        value = math.nan
    if not value >= least or math.isinf(value):
        raise ValueError(f"`{name}` must be a number of at least {least:g}; got {said!r}.")
    return value


MAX_DATASETS = int(_limit("DASHBOARD_MAX_DATASETS", 5_000))
MAX_ROWS = int(_limit("DASHBOARD_MAX_ROWS", 10_000_000))
# What one session keeps: its files as they came, and what was read from them.
MAX_SESSION_MEGABYTES = int(_limit("DASHBOARD_MAX_SESSION_MB", 2_000))
# What is more than a session keeps, or than Streamlit takes in, is not asked for.
MAX_UPLOAD_MEGABYTES = max(
    1,
    min(
        int(_limit("DASHBOARD_MAX_UPLOAD_MB", 200)),
        MAX_SESSION_MEGABYTES,
        int(config.get_option("server.maxUploadSize")),
    ),
)
# One run of tests, study, simulation, check or reading; waiting for its turn does not count.
MAX_JOB_SECONDS = _limit("DASHBOARD_MAX_SECONDS", 3600)
MAX_PROBLEMS_SHOWN = 50
MAX_BYTES_READ_AT_ONCE = int(_limit("DASHBOARD_BYTES_READ_AT_ONCE", 2_000_000, least=0))
# What is small may be long to read for all that: it then stands in line like anything else.
MAX_SECONDS_READ_AT_ONCE = 10.0
MAX_LINES_PREVIEWED = 40
MAX_ROWS_STYLED = 500
MAX_BACKGROUND_JOBS = int(_limit("DASHBOARD_MAX_JOBS", 2))
# Streamlit takes back those who return within 120 seconds; who is away for longer is not expected.
SECONDS_UNTIL_ABANDONED = 100.0
# Results, and charts and tables that are drawn anew at each look at a page.
MAX_CACHED_RESULTS = 60
LARGEST_SEED = 2**31 - 1
MAX_KEPT_RUNS = 8
# What is quick is shown at once rather than by way of a bar.
SECONDS_TO_WAIT = 0.5
TEST_THREADS = int(_limit("DASHBOARD_TEST_THREADS", min(2, os.cpu_count() or 1)))
# Of all datasets jointly: z of each is kept for every flip.
MAX_FLIPS = 99_999
MAX_RESAMPLES = int(_limit("DASHBOARD_MAX_RESAMPLES", 1_000_000))
SECONDS_BETWEEN_DRAWINGS = 3.0


def in_words() -> str:
    """Every limit on files and runs, for whoever is about to meet one."""
    return (
        f"This server takes files of up to {MAX_UPLOAD_MEGABYTES:,} MB, "
        f"{MAX_ROWS:,} rows and {MAX_DATASETS:,} datasets, keeps up to "
        f"{MAX_SESSION_MEGABYTES:,} MB for a session, and lets one run take up to "
        f"{time_of_a_run()}; the library has no such limits."
    )


def time_of_a_run() -> str:
    """For how long one run may work."""
    seconds = MAX_JOB_SECONDS
    return f"{seconds / 60:,.3g} minutes" if seconds >= 120 else f"{seconds:g} seconds"

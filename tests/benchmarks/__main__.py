"""Speed beside named peers, in one process: ratios of medians, never a test.

Run by ``./run.sh bench``.
"""

import argparse
import os
import platform
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version

from tests.benchmarks import (
    cold_start,
    counting,
    datasets,
    reading,
    reliability,
    significance,
    simulation,
    startup,
    systems,
    tools,
)
from tests.benchmarks.timing import ROUNDS

PARTS = {
    "counting": counting.main,
    "reading": reading.main,
    "tools": tools.main,
    "significance": significance.main,
    "datasets": datasets.main,
    "simulation": simulation.main,
    "systems": systems.main,
    "reliability": reliability.main,
    "startup": startup.main,
    "cold-start": cold_start.main,
}
PEERS = ("numpy", "scipy", "pandas", "streamlit", "statsmodels", "ranx", "sacrebleu")


def machine() -> str:
    """When and on what the figures are measured, and beside which versions of which peers."""
    found = []
    for name in PEERS:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            found.append(f"no {name}")
    return (
        f"{datetime.now(UTC):%Y-%m-%d}, {os.cpu_count()} cores of {platform.machine()}, load "
        f"{os.getloadavg()[0]:.1f}, Python {platform.python_version()}, {', '.join(found)}. "
        f"Medians of {ROUNDS} rounds, both in turn, where nothing else is said."
    )


def main() -> None:
    """Run the parts that are named, or all of them."""
    parser = argparse.ArgumentParser(prog="./run.sh bench", description=__doc__)
    parser.add_argument(
        "parts", nargs="*", metavar="part", help=f"{', '.join(PARTS)}; all where none is named"
    )
    asked = parser.parse_args().parts
    unknown = [part for part in asked if part not in PARTS]
    if unknown:
        parser.error(f"there is no part {unknown[0]!r}; there are: {', '.join(PARTS)}")
    print(machine(), flush=True)
    for name, run in PARTS.items():
        if not asked or name in asked:
            run()


if __name__ == "__main__":
    main()

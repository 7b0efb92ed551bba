"""The reference of all public names, from their docstrings: one page that opens without a network.

Run by ``./run.sh docs``. The docstrings are read in the package as it is installed, under its name.
"""

import argparse
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NAME = "replicability"
FOLDER = ROOT / "reference"
# What is loaded on demand is loaded before pdoc looks for it; modules below have no pages.
_DRAW = f"""
import sys
from pathlib import Path
import numpy.typing
# Else a signature spells out all that may become an array.
numpy.typing.ArrayLike = type("ArrayLike", (), {{"__module__": "numpy.typing"}})
import {NAME}
import pdoc, pdoc.render
for name in {NAME}.__all__:
    getattr({NAME}, name)
pdoc.render.configure(docformat="numpy", show_source=False, search=False)
pdoc.pdoc("{NAME}", "!{NAME}[.].*", output_directory=Path(sys.argv[1]))
"""


def draw(package: Path, folder: Path) -> Path:
    """Write the page of the package that lies in a folder, in place of an older one."""
    program = [sys.executable, "-W", "ignore", "-c", _DRAW, str(folder)]
    subprocess.run(program, cwd=package, check=True)
    return folder / f"{NAME}.html"


def main() -> None:
    """Build the package and write its page."""
    parser = argparse.ArgumentParser(prog="./run.sh docs", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    folder = parser.parse_args().folder.resolve()
    with tempfile.TemporaryDirectory() as held:
        build = ["-m", "build", "--no-isolation", "--wheel", "--outdir", held, str(ROOT)]
        subprocess.run([sys.executable, *build], check=True, capture_output=True)
        (wheel,) = Path(held).glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(held)
        print(draw(Path(held), folder))


if __name__ == "__main__":
    main()

"""The folder of a Hugging Face Space that runs the Dockerfile, laid out from it.

``./run.sh space FOLDER`` writes it; pushed to a Space, the Hub builds it. It holds the Dockerfile,
what that copies and nothing else; the README's header says how the Hub is to run it. ``./run.sh load
image`` rehearses the image from such a folder.
"""

import argparse
from pathlib import Path

from tests.load.dockerfile import copied, copy_into, environment, read_dockerfile

_HEADER = """\
---
title: Replicability dashboard
emoji: \N{BAR CHART}
colorFrom: blue
colorTo: gray
sdk: docker
app_port: {port}
license: mit
short_description: On how many datasets is A better than B, and on which?
---

"""


def lay_out(folder: Path) -> None:
    """Write the folder, which must be empty or not there.

    Raises
    ------
    FileExistsError
        If it holds anything.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if any(path.name != ".git" for path in folder.iterdir()):
        raise FileExistsError(f"{folder} is not empty: clear what a Space held before.")
    instructions = read_dockerfile()
    copy_into(folder, ("Dockerfile", *copied(instructions)))
    readme = folder / "README.md"
    port = environment(instructions)["STREAMLIT_SERVER_PORT"]
    readme.write_text(_HEADER.format(port=port) + readme.read_text(encoding="utf-8"), "utf-8")


def main() -> None:
    """Lay the folder out."""
    parser = argparse.ArgumentParser(prog="./run.sh space", description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder.resolve()
    lay_out(folder)
    print(f"{folder}: a Space; commit it and push it to the Hub.")


if __name__ == "__main__":
    main()

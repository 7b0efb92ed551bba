"""What the command line takes, and what it says of itself; quick to load, as `--help` is."""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ..comparison import comparison_names
from ..replicability.combinations import combination_names
from ..replicability.identification import procedure_names
from ..types import ALTERNATIVES, DEPENDENCES, UNITS_BY
from ..validation import LARGEST_ALPHA, SMALLEST_ALPHA, read_alpha
from ..version import PROGRAM, __version__

STANDARD_OUTPUT = "-"

DONE, BAD_DATA, BAD_USE, TOO_FEW, NOT_THE_SAME, CONTRADICTED, NOT_DECIDED = range(7)
INTERRUPTED = 130

_DESCRIPTION = """\
On at least how many datasets is system A better than system B, and on which?

Reads a table of p-values or results on every example, as the app does, and
prints the answer in sentences. The numbers are those of the app's pages."""

_FILES = "files of results, or a bundle"
_EPILOG = f"""\
examples:
  {PROGRAM} --sample parsing-redshift
  {PROGRAM} results.csv --a ours --b baseline --dependence independent
  {PROGRAM} results.csv --a ours --b baseline --quiet --require-at-least 5
  {PROGRAM} table.csv --json analysis.json --bundle analysis.zip
  {PROGRAM} analysis.zip          a bundle: computed anew and compared
  {PROGRAM} gate --help           base and head of a change, in continuous integration

exit status:
  0  done
  1  the data cannot be read or tested, or a file not be written
  2  the command is not as described here
  3  fewer datasets than --require-at-least asks for
  4  a bundle's numbers are not those computed anew, beyond rounding (1 part in 10⁹)
"""


class Options(argparse.Namespace):
    """What was asked for, by the options' long names; None where nothing was said."""

    def given(self, *names: str) -> list[str]:
        """Those of some options that were used, as they are written."""
        return [
            f"--{name.replace('_', '-')}" for name in names if getattr(self, name) not in (None, [])
        ]


def parsed(arguments: list[str] | None) -> Options:
    """The options of a command."""
    parser = _parser()
    found = parser.parse_args(arguments, Options())
    if not found.files and found.sample is None:
        parser.error("give a FILE, several, or --sample KEY")
    if found.files and found.sample is not None:
        parser.error("give either files or --sample, not both")
    if found.markdown and found.json == STANDARD_OUTPUT:
        parser.error("--json and --markdown both go to standard output: give --json a FILE")
    return found


def unsaid() -> dict[str, Any]:
    """Every option at its default."""
    return vars(_parser().parse_args([]))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=PROGRAM,
        usage=f"{PROGRAM} [options] FILE [FILE ...]\n       {PROGRAM} [options] --sample KEY",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=__version__)
    for title, options in _groups().items():
        group = parser.add_argument_group(title)
        if title == "data":
            group.add_argument("files", nargs="*", metavar="FILE", help=_FILES)
        for name, how in options.items():
            group.add_argument(name, **how)
    return parser


def add(parser: argparse.ArgumentParser, *names: str) -> None:
    """Take options that `gate` has too."""
    known = {name: how for options in _groups().values() for name, how in options.items()}
    for name in names:
        parser.add_argument(name, **known[name])


def _groups() -> dict[str, dict[str, dict[str, Any]]]:
    """Every option by its name, as argparse takes it, in groups with their titles.

    What is usual and what there is of tests is written out, as help loads nothing; a test compares.
    """

    def one_of(values: Sequence[str], words: str, metavar: str = "WHICH") -> dict[str, Any]:
        return {"choices": values, "metavar": metavar, "help": f"{words}: {', '.join(values)}"}

    def text(metavar: str, words: str, **further: Any) -> dict[str, Any]:
        return {"metavar": metavar, "help": words, **further}

    several: dict[str, Any] = {"action": "append", "default": []}
    return {
        "data": {
            "--sample": text("KEY", "a table that comes with this program"),
            "--name": text("TEXT", "what to call the data"),
            "--role": text(
                "ROLE=VALUE",
                "what a column is for, or an answer to what the file leaves open; any value as JSON by "
                "ROLE:=JSON; repeatable",
                **several,
            ),
            "--alternative": one_of(ALTERNATIVES, "what printed p-values speak for"),
        },
        "comparison": {
            "--a": text("NAME", "system A, by default the file's first"),
            "--b": text("NAME", "system B"),
            "--metric": text("NAME", "by default the file's first"),
            "--exclude": text("NAME", "leave a dataset out; repeatable", **several),
            "--claim": one_of(comparison_names(), "what is claimed of A and B"),
            "--margin": text(
                "NUMBER",
                "of a claim other than better, in the metric's units; of shares and percentages with its "
                "unit, as '0.5 points'; 'column', as without one: the margins that the file has",
            ),
            "--alpha": text("LEVEL", "level, by default 0.05", type=level),
            "--dependence": one_of(DEPENDENCES, "how datasets may depend on each other"),
            "--combination": one_of(
                combination_names(), "how p-values are combined where datasets are counted", "NAME"
            ),
            "--joint": one_of(
                UNITS_BY,
                "count datasets that share examples by flipping each shared example jointly; what makes "
                "examples the same",
            ),
            "--procedure": one_of(
                procedure_names(joint=True),
                "how datasets are named, by the first two with --joint alone",
                "NAME",
            ),
            "--question": text("KEY", "the claim looked at; a wrong one lists all"),
            "--group": text(
                "NAME",
                "datasets of a group: on at least how many of them; chosen after looking or not, "
                "repeatable",
                nargs="+",
                type=str,
                **several,
            ),
            "--require-at-least": text(
                "K",
                f"exit with {TOO_FEW} if A is shown to be better on fewer datasets",
                type=whole(1),
            ),
        },
        "tests, of results on every example": {
            "--test": text(
                "NAME", "auto, or a test's name; a wrong one lists all", type=allowed("test")
            ),
            "--resamples": text("N", "by default 9999", type=whole(1)),
            "--seed": text("N", "by default 0", type=whole(0)),
            "--interval": text("KIND", "basic, percentile or bca", type=allowed("interval")),
            "--estimator": text("KIND", "add-one or berg-kirkpatrick", type=allowed("estimator")),
            "--zeros": text("KIND", "wilcox, pratt or zsplit", type=allowed("zeros")),
            "--apart": {
                "action": "store_true",
                "default": None,
                "help": "take examples apart that the data say belong together",
            },
            "--extend": text(
                "DATASET=N",
                "more resamples on a dataset, as if it had been extended to them; repeatable",
                type=_extended,
                **several,
            ),
        },
        "output; without any of it, the answer in sentences": {
            "--report": text("FILE", "the report, as HTML", type=path_of),
            "--paper": text("FILE", "pieces for a paper in one zip archive", type=path_of),
            "--bundle": text("FILE", "data, settings and results in one zip archive", type=path_of),
            "--model-card": text("FILE", "A's scores and the verdict, as Markdown", type=path_of),
            "--every-eval-ever": text(
                "FILE",
                "A's scores with their standard errors, as a record of Every Eval Ever",
                type=path_of,
            ),
            "--json": text(
                "FILE",
                "everything, as JSON; on standard output if no FILE follows",
                nargs="?",
                const=STANDARD_OUTPUT,
                type=lambda given: given if given == STANDARD_OUTPUT else path_of(given),
            ),
            "--markdown": {
                "action": "store_true",
                "help": "the table of names, on standard output",
            },
            "--quiet": {"action": "store_true", "help": "say nothing but what is wrong"},
        },
    }


def level(text: str) -> float:
    """A level, from its text."""
    alpha = read_alpha(text)
    if alpha is None:
        raise argparse.ArgumentTypeError(
            f"must be a number from {SMALLEST_ALPHA} to {LARGEST_ALPHA}; got {text!r}"
        )
    return alpha


def whole(least: int) -> Callable[[str], int]:
    """Check and read a whole number."""

    def read(text: str) -> int:
        digits = text.isascii() and text.isdigit() and len(text) < 19
        if not digits or int(text) < least:
            raise argparse.ArgumentTypeError(
                f"must be a whole number of at least {least}; got {text!r}"
            )
        return int(text)

    return read


def _extended(text: str) -> tuple[str, int]:
    dataset, equals, number = text.rpartition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"must be DATASET=N; got {text!r}")
    return dataset, whole(1)(number)


def path_of(text: str) -> str:
    """The name of a file to write."""
    if text == STANDARD_OUTPUT or not Path(text).name:
        raise argparse.ArgumentTypeError(f"must name a file; got {text!r}")
    return text


def allowed(name: str) -> Callable[[str], str]:
    """Check a setting that has a list of values."""

    def check(text: str) -> str:
        # Its choices are loaded only when it is given.
        from ..analysis.settings import CHOICES

        values = CHOICES[name].values()
        if text not in values:
            raise argparse.ArgumentTypeError(f"must be one of {', '.join(values)}; got {text!r}")
        return text

    return check

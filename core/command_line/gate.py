"""`gate`: results of a base and of a head, one claim, and a status for continuous integration."""

import argparse
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from ..comparison import comparison_names
from ..data import ResultSet
from ..data.reading import Results
from ..data.sources.files import SourceFile, SourceFiles, without_names
from ..data.sources.name_grid import SYSTEM_FIRST
from ..version import PROGRAM
from ..words.formatting import list_names
from .inputs import Failure, Files, Input, cannot, check_places, input_of, progress, say, write_file
from .options import (
    BAD_DATA,
    BAD_USE,
    CONTRADICTED,
    DONE,
    NOT_DECIDED,
    Options,
    add,
    path_of,
    unsaid,
)

COMMAND = "gate"
BASE, HEAD = "base", "head"
_DESCRIPTION = """\
Does a claim about a changed system hold on at least K of N datasets?

BASE and HEAD each hold one system's results on every example: a file, or a
folder as an evaluation tool wrote it. The claim is of the head."""
_EPILOG = f"""\
examples:
  {PROGRAM} gate base/ head/ --margin "0.5 points" --at-least "10 of 12"
  {PROGRAM} gate base.csv head.csv --claim better --at-least 3

exit status:
  {DONE}  shown: the claim holds on at least K datasets
  {BAD_DATA}  the data cannot be read
  {BAD_USE}  the command is not as described here
  {CONTRADICTED}  contradicted: the claim holds on fewer than K datasets
  {NOT_DECIDED}  not decided: these results show neither

Shown and contradicted are each false in at most a share α of studies."""
_AT_LEAST = re.compile(r"\s*([0-9]{1,6})\s*(?:(?:of|/)\s*([0-9]{1,6})\s*)?")


def gate(asked: Options) -> int:
    """Decide, say it, write what was asked for, and return the exit status."""
    from ..analysis.gate import decide
    from ..export.gate import badge_json, badge_svg, gate_json, gate_markdown, gate_sentences

    outputs = {
        "--markdown": (asked.markdown_to, gate_markdown),
        "--json": (asked.json, gate_json),
        "--badge": (asked.badge, badge_svg),
        "--badge-json": (asked.badge_json, badge_json),
    }
    places = {option: path for option, (path, _) in outputs.items()}
    check_places((asked.base, asked.head), places)
    files = _files(asked)
    found = _read(asked, files)
    if not isinstance(found.data, ResultSet):
        raise Failure(BAD_DATA, f"{PROGRAM}: a gate needs the results of both on every example.")
    base_first = tuple(sorted(files, key=lambda file: file[0].startswith(f"{HEAD}/")))
    head = _head(found.data.systems, lambda: _read(asked, base_first).data)
    settings = replace(found.settings, swapped=found.data.systems[0] != head)
    n = len(found.data.datasets) - len(settings.excluded)
    try:
        at_least = _number(asked.at_least, n)
        with progress(asked) as tell:
            decision = decide(found.data, at_least, settings, origin=found.origin, on_progress=tell)
    except ValueError as error:
        raise Failure.of_use(str(error)) from None
    for path, written in outputs.values():
        if path is not None:
            write_file(path, written(decision).encode("utf-8", "xmlcharrefreplace"))
    if not asked.quiet:
        say(f"{decision.outcome.capitalize()}.")
        for sentence in gate_sentences(decision):
            say(sentence)
    return {"shown": DONE, "contradicted": CONTRADICTED, "not decided": NOT_DECIDED}[
        decision.outcome
    ]


def parsed_gate(arguments: Sequence[str]) -> Options:
    """The options of a gate; those that it lacks have their defaults."""
    parser = argparse.ArgumentParser(
        prog=f"{PROGRAM} {COMMAND}",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("base", metavar="BASE", help="results before the change")
    parser.add_argument("head", metavar="HEAD", help="results after it")
    parser.add_argument(
        "--claim",
        choices=comparison_names(),
        default="not-worse",
        metavar="WHICH",
        help=f"of the head: {', '.join(comparison_names())}; by default not-worse",
    )
    parser.add_argument(
        "--margin",
        metavar="NUMBER",
        help="with its unit, as '0.5 points', or 'column'; none with better",
    )
    parser.add_argument(
        "--at-least",
        default="all",
        metavar="K",
        help="datasets that the claim must hold on: '10', '10 of 12' (then there must be 12), or "
        "all, as by default",
    )
    add(
        parser,
        *("--alpha", "--metric", "--dependence", "--combination", "--test", "--resamples"),
        *("--seed", "--role", "--exclude", "--quiet"),
    )
    for option, dest, what in (
        ("--markdown", "markdown_to", "the decision as Markdown"),
        ("--json", "json", "the decision as JSON"),
        ("--badge", "badge", "a badge as SVG"),
        ("--badge-json", "badge_json", "a badge as a shields endpoint serves it"),
    ):
        parser.add_argument(option, dest=dest, type=path_of, metavar="FILE", help=f"write {what}")
    return Options(**{**unsaid(), **vars(parser.parse_args(arguments))})


def _number(text: str, n: int) -> int:
    """K of "10", "10 of 12" or "all"."""
    found = _AT_LEAST.fullmatch(text)
    if text.strip() == "all":
        return n
    if found is None:
        raise ValueError(
            f"--at-least must be a number, as in '10' or '10 of {n}', or all; got {text!r}."
        )
    if found[2] is not None and int(found[2]) != n:
        raise ValueError(f"--at-least {text!r} needs {found[2]} datasets; there are {n}.")
    if not 1 <= int(found[1]) <= n:
        raise ValueError(f"--at-least must lie between 1 and {n}, the datasets; got {text!r}.")
    return int(found[1])


def _files(asked: Options) -> Files:
    """Every file of both sides, each below the name of its side; the head's first, as it is A."""
    found: dict[str, tuple[SourceFile, ...]] = {}
    try:
        for side, at in ((HEAD, Path(asked.head)), (BASE, Path(asked.base))):
            is_folder = at.is_dir()
            paths = sorted(path for path in at.rglob("*") if path.is_file()) if is_folder else [at]
            if not paths:
                raise Failure(BAD_DATA, f"{PROGRAM}: '{at}' holds no file.")
            names = [path.relative_to(at).as_posix() if is_folder else path.name for path in paths]
            files = (
                SourceFile(name=name, content=path.read_bytes())
                for name, path in zip(names, paths, strict=True)
            )
            # A hidden file or a text about the results is no second file of results.
            found[side] = without_names(SourceFiles(files=tuple(files))).files
    except (OSError, ValueError) as error:
        which = getattr(error, "filename", None) or f"{asked.base}' or '{asked.head}"
        raise Failure(BAD_DATA, cannot(str(which), "be read", error)) from None
    # Names of single files may differ, and would be taken for systems or datasets.
    single = all(len(own) == 1 for own in found.values())
    return tuple(
        (f"{side}/{f'results{Path(file.name).suffix}' if single else file.name}", file.content)
        for side, own in found.items()
        for file in own
    )


def _read(asked: Options, files: Files) -> Input:
    """What both sides hold. Where names of files leave it open, the sides are the systems."""
    try:
        return input_of(asked, files)
    except Failure as failure:
        problems = getattr(failure.__cause__, "problems", ())
        if all(problem.answered_by != "name_order" for problem in problems):
            raise
    roles = [*asked.role, f"name_order={SYSTEM_FIRST}"]
    return input_of(Options(**{**vars(asked), "role": roles}), files)


def _head(systems: Sequence[str], read_base_first: Callable[[], Results]) -> str:
    """Which of two systems is the head.

    Files that name no system are called by their side. Those of others come in the order of the
    files: that is looked at, by reading them in the other order, rather than relied on.
    """
    if len(systems) == 2:
        if set(systems) == {BASE, HEAD}:
            return HEAD
        other = read_base_first()
        if isinstance(other, ResultSet) and tuple(other.systems) == tuple(systems)[::-1]:
            return systems[0]
    named = list_names(systems, most=10)
    raise Failure(
        BAD_DATA,
        f"{PROGRAM}: BASE and HEAD must each hold the results of one system; these files hold "
        f"{named}, and do not say which is the head's.",
    )

"""The line under every table and in every export, that reproduces it."""

from __future__ import annotations

from collections.abc import Sequence

from ..comparison import BETTER, margin_of_all
from ..data import PValueTable
from ..replicability.identification import procedure_names
from ..signature import short_fingerprint, signature_line
from ..validation import check_choice
from .subject import Question


def analysis_signature(
    table: PValueTable,
    question: Question,
    *,
    whole: PValueTable,
    data: str,
    systems: Sequence[str] = (),
    procedure: str | None = None,
    units: str | None = None,
    flips: int | None = None,
    seed: int | None = None,
) -> str:
    """Name all that a count, or with `procedure` a list of names, depends on.

    Parameters
    ----------
    table : PValueTable
        As analysed: A and B as chosen, without the datasets left out.
    question : Question
        What was asked of it.
    whole : PValueTable
        With every dataset, A and B as in the file.
    data : str
        Fingerprint of what was loaded.
    systems : sequence of str
        All systems of the file, where it has results to test: A and B are
        named by their positions.
    procedure : str, optional
        How datasets were named.
    units : str, optional
        Where joint flips counted or named: what made examples of different datasets the same.
    flips, seed : int, optional
        How many were drawn, and their seed; None where all were taken.

    Examples
    --------
    ``claim:a-better|alt:two-sided|pc:fisher|alpha:0.05|datasets:23|data:3f9a1c42|v:0.1.0``
    """
    if procedure is not None:
        check_choice(procedure, procedure_names(joint=True), name="procedure")
    return signature_line(
        claim=question.claim.replace(BETTER, table.claim),
        margin=margin_of_all(table.margins.tolist()) or None,
        stated=table.alternative if table.results is None else None,
        read=question.reading if table.results is None else None,
        pc=question.answer.combination if procedure is None else None,
        procedure=procedure,
        units=units,
        flips=flips,
        alpha=question.answer.alpha,
        datasets=table.n_datasets,
        without=_left_out(table, whole),
        systems=_positions(whole, systems),
        swapped="yes" if table.system_a != whole.system_a else None,
        metric=table.metric if table.results is not None else None,
        lower="better" if not table.higher_is_better else None,
        zero=_zero_reading(table),
        test=_tests(table),
        tested=_tested(table),
        clusters=_clusters(table),
        # Their usual values are `TestSettings` own, which stands above this room.
        estimator=_own(table, "estimator", "add-one"),
        zeros=_own(table, "zeros", "wilcox"),
        resamples=_resamples(table),
        extended=_extended(table, whole),
        seed=_seed(table) if seed is None else seed,
        data=short_fingerprint(data),
    )


def _positions(whole: PValueTable, systems: Sequence[str]) -> str | None:
    """Where in the file the two systems stand, from 1, if there are more than two."""
    if len(systems) <= 2:
        return None
    return ",".join(str(systems.index(name) + 1) for name in (whole.system_a, whole.system_b))


def _tests(table: PValueTable) -> str | None:
    """The tests that were run here, each once."""
    names = [result.test for result in table.results or () if result is not None]
    return "+".join(dict.fromkeys(names)) or None


def _tested(table: PValueTable) -> int | None:
    """How many datasets were tested, where testing was stopped."""
    if table.complete:
        return None
    return sum(result is not None for result in table.results or ())


def _resamples(table: PValueTable) -> int | None:
    """How many resamples, where a p-value was resampled."""
    numbers = _numbers_of_resamples(table)
    return min(numbers.values()) if numbers else None


def _extended(table: PValueTable, whole: PValueTable) -> str | None:
    """Positions in the file, from 1, of the datasets with more resamples, and how many."""
    numbers = _numbers_of_resamples(table)
    positions = {name: i for i, name in enumerate(whole.datasets, start=1)}
    more = [f"{positions[name]}={n}" for name, n in numbers.items() if n > min(numbers.values())]
    return ",".join(more) or None


def _numbers_of_resamples(table: PValueTable) -> dict[str, int]:
    return {
        name: result.n_resamples
        for name, result in zip(table.datasets, table.results or (), strict=False)
        if result is not None and result.n_resamples is not None and not result.exact
    }


def _clusters(table: PValueTable) -> str | None:
    """Whether whole clusters were drawn and exchanged."""
    whole = any(r is not None and r.n_clusters is not None for r in table.results or ())
    return "whole" if whole else None


def _own(table: PValueTable, setting: str, usual: str) -> str | None:
    """A setting of the tests that have it, where it is not the usual one."""
    found = [getattr(result, setting, None) for result in table.results or ()]
    return next((value for value in found if value not in (None, usual)), None)


def _seed(table: PValueTable) -> int | None:
    """The seed, where a p-value was resampled."""
    seeds = [r.seed for r in table.results or () if r is not None and not r.exact]
    return seeds[0] if seeds else None


def _left_out(table: PValueTable, whole: PValueTable) -> str | None:
    """Positions in the file, from 1, of the datasets left out."""
    kept = set(table.datasets)
    positions = [str(i) for i, name in enumerate(whole.datasets, start=1) if name not in kept]
    return ",".join(positions) or None


def _zero_reading(table: PValueTable) -> float | None:
    zeros = table.printed_zeros
    return float(table.p_value_bounds[1][zeros][0]) if zeros.any() else None

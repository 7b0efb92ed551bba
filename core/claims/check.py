"""A paper's claims checked against its printed table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from hashlib import sha256

import numpy as np

from ..data.p_value_table import PValueTable
from ..data.score_table import ScoreTable
from ..types import DEPENDENCES, Dependence
from ..validation import check_alpha, check_choice
from ..words.subject import Subject
from .check_inputs import CheckedTable, check_names
from .check_rows import check_possible, metric_of_name
from .check_scores import check_scores_alone
from .claim import ANY, Claim, ClaimMetric
from .claim_lines import read_claims
from .claim_report import ClaimReport
from .findings import Finding, OnProgress, Steps
from .intervals import check_interval
from .judging import judge
from .printed_scores import METRICS, ScoreMetric
from .readings import Side
from .table_checks import (
    check_assumption,
    check_common_practice,
    check_direction_of_table,
)


def check_claims(
    table: PValueTable | ScoreTable | None,
    claims: Claim | str | Iterable[Claim | str] = (),
    *,
    alpha: float = 0.05,
    dependence: Dependence = "not-known",
    metric: ClaimMetric | None = None,
    n_examples: Sequence[int] | None = None,
    system_a: str | None = None,
    system_b: str | None = None,
    on_progress: OnProgress = None,
    rows: Sequence[Finding] | None = None,
) -> ClaimReport:
    """Check a paper's claims against its printed table.

    Parameters
    ----------
    table : PValueTable, ScoreTable or None
        As printed. Without p-values the claims are judged by all that are
        possible beside the scores. None where only intervals are claimed.
    claims : Claim, str, or a sequence of them
        What the paper says; a text is read by `parse_claims`, with the table's names.
        Without claims the table alone is checked.
    alpha : float
        The level of claims that state none, in (0, 1).
    dependence : {"not-known", "positive", "independent"}
        What is known of the datasets; chooses the method of "at least k" claims
        that state none.
    metric : {"accuracy", "correlation", "other"}, optional
        What the scores are; by default what the table's metric is named. Of
        accuracies and correlations p-values can be checked against the scores.
    n_examples : sequence of int, optional
        Sizes of a table that has none.
    system_a, system_b : str, optional
        The two systems of a table without p-values; by default its first two.
    on_progress : callable of (done, total), optional
        Called between claims and rows; what returns False ends the check.
    rows : sequence of Finding, optional
        `ClaimReport.rows` of an earlier check of this very table with these sizes and this
        metric: rows do not depend on claims, and are not judged again.

    Returns
    -------
    ClaimReport
        A verdict for each claim, first; then what is to be said of single datasets, of direction,
        of rows, of common practice and of what methods assume.

    Raises
    ------
    ValueError
        If an argument is not as above.
    DataError
        If a claim cannot be read or names a dataset that the table does not have.
    Stopped
        If `on_progress` returned False.

    Notes
    -----
    "holds" and "contradicted" are said of every p-value that the printed digits allow.
    "impossible" means that no test in use on the n examples that are given prints such a
    p-value; it is no sign of misconduct.

    Examples
    --------
    >>> from replicability import check_claims, read_results, read_sample
    >>> sample, content = read_sample("parsing-redshift")
    >>> table = read_results(content, roles={"alternative": sample.alternative})
    >>> report = check_claims(table, "at least 5 of 7 by Fisher")
    >>> [verdict.key for verdict in report.verdicts]
    ['holds']
    """
    level = check_alpha(alpha)
    check_choice(dependence, DEPENDENCES, name="dependence")
    if metric is not None:
        check_choice(metric, (*METRICS, "other"), name="metric")
    names: tuple[str, ...] = ()
    if isinstance(table, PValueTable):
        names = (table.system_a, table.system_b)
    elif isinstance(table, ScoreTable):
        names = (system_a or table.systems[0], system_b or table.systems[1])
    datasets = table.datasets if isinstance(table, PValueTable | ScoreTable) else ()
    read = read_claims(claims, systems=names, datasets=datasets)
    if table is None:
        return _intervals_alone(read, level, dependence)
    if not isinstance(table, PValueTable | ScoreTable):
        raise ValueError(
            f"`table` must be a PValueTable or a ScoreTable; got {type(table).__name__}."
        )
    columns = table.p_value_columns if isinstance(table, PValueTable) else ()
    check_names(read, table.datasets, columns)
    sizes = None
    if n_examples is not None:
        sizes = [int(n) for n in n_examples]
        if len(sizes) != len(table.datasets):
            raise ValueError(
                f"`n_examples` must have one entry a dataset, {len(table.datasets)}; got "
                f"{len(sizes)}."
            )
    kind = metric_of_name(table.metric) if metric is None else _scores_of(metric)
    if isinstance(table, ScoreTable):
        a = table.systems[0] if system_a is None else system_a
        b = table.systems[1] if system_b is None else system_b
        steps = Steps(on_progress, len(read) + 2 * len(table.datasets))
        return _without_p_values(table, read, a, b, sizes, kind, level, dependence, steps)
    if system_a is not None or system_b is not None:
        raise ValueError("`system_a` and `system_b` must be None for a table with p-values.")
    if sizes is not None:
        table = replace(table, n_examples=np.array(sizes, dtype=np.intp))
    checked = CheckedTable(table=table, alpha=level, dependence=dependence)
    return ClaimReport(
        claims=read,
        findings=_judged(checked, read, kind, on_progress, rows),
        subject=checked.subject,
        alpha=level,
        dependence=dependence,
        metric=kind,
        fingerprint=table.fingerprint,
        judged_by=_further_columns(table, read),
        made=checked.made,
    )


def _further_columns(table: PValueTable, claims: tuple[Claim, ...]) -> str | None:
    """SHA-256 of the p-values that the table's own fingerprint leaves out, where a claim is about them."""
    if not any(claim.method == ANY for claim in claims):
        return None
    further = repr([(other.name, other.printed) for other in table.further])
    return sha256(further.encode()).hexdigest()


def _intervals_alone(
    claims: tuple[Claim, ...], alpha: float, dependence: Dependence
) -> ClaimReport:
    if not claims or any(claim.kind != "interval" for claim in claims):
        raise ValueError("`table` must be given for claims that are not about an interval.")
    subject = Subject(system_a="A", system_b="B", datasets=())
    findings = tuple(check_interval(claim, alpha=alpha) for claim in claims)
    return ClaimReport(
        claims=claims,
        findings=findings,
        subject=subject,
        alpha=alpha,
        dependence=dependence,
        metric=None,
        fingerprint="",
    )


def _judged(
    checked: CheckedTable,
    claims: tuple[Claim, ...],
    metric: ScoreMetric | None,
    on_progress: OnProgress,
    rows: Sequence[Finding] | None,
) -> tuple[Finding, ...]:
    """Every finding, the verdicts on the claims first."""
    steps = Steps(on_progress, 2 * len(claims) + 3 * checked.n)
    steps.ask()
    about_rows = check_possible(checked, metric=metric, steps=steps) if rows is None else rows
    judged = [judge(checked, claim, about_rows, steps) for claim in claims]
    about_table = [claim for claim in claims if claim.kind != "interval"]
    levels = list(dict.fromkeys(checked.level(claim) for claim in about_table)) or [checked.alpha]
    sides: list[Side] = [side for claim in claims if (side := claim.better) != "differ"]
    found: list[Finding] = [verdict for verdict, _ in judged]
    found += [finding for _, of_datasets in judged for finding in of_datasets]
    for level in levels:
        found += check_direction_of_table(
            checked, level, sides=list(dict.fromkeys(sides)) or ["a"], first=level == levels[0]
        )
    found += about_rows
    found += [check_common_practice(checked, level) for level in levels]
    assumed = [check_assumption(checked, claim) for claim in claims]
    found += [finding for finding in assumed if finding is not None]
    return tuple(found)


def _without_p_values(
    table: ScoreTable,
    claims: tuple[Claim, ...],
    system_a: str,
    system_b: str,
    n_examples: Sequence[int] | None,
    metric: ScoreMetric | None,
    alpha: float,
    dependence: Dependence,
    steps: Steps,
) -> ClaimReport:
    if n_examples is None:
        raise ValueError("`n_examples` must be given for a table without p-values.")
    if metric is None:
        raise ValueError(
            "`metric` must be 'accuracy' or 'correlation' for a table without p-values."
        )
    subject = Subject(
        system_a=check_choice(system_a, table.systems, name="system_a"),
        system_b=check_choice(system_b, table.systems, name="system_b"),
        datasets=table.datasets,
        higher_is_better=table.higher_is_better,
    )
    if system_a == system_b:
        raise ValueError(f"`system_a` and `system_b` must differ; both are {system_a!r}.")
    findings = check_scores_alone(
        table,
        claims,
        n_examples=n_examples,
        metric=metric,
        alpha=alpha,
        dependence=dependence,
        subject=subject,
        steps=steps,
    )
    judged_by = repr((system_a, system_b, tuple(n_examples), metric))
    return ClaimReport(
        claims=claims,
        findings=tuple(findings),
        subject=subject,
        alpha=alpha,
        dependence=dependence,
        metric=metric,
        fingerprint=table.fingerprint,
        judged_by=sha256(judged_by.encode()).hexdigest(),
    )


def _scores_of(metric: ClaimMetric) -> ScoreMetric | None:
    return None if metric == "other" else metric

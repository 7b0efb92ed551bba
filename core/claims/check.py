"""A paper's claims checked against its printed table, and what the table says whatever is claimed."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from hashlib import sha256

import numpy as np

from ..data.p_value_table import PValueTable
from ..data.score_table import ScoreTable
from ..replicability.combinations import combination_named, usual_combination
from ..replicability.direction import small_beside_lower_score
from ..replicability.identification import named_by
from ..signature import bytes_of_numbers
from ..significance.stopping import Progress, Steps
from ..types import DEPENDENCES, BoolArray, Dependence
from ..validation import at_most, check_alpha, check_choice
from ..words.counting import common_practice_sentence
from ..words.formatting import (
    format_level,
    format_percent,
    format_share,
    list_names,
    numbers_in_words,
    sentence_case,
)
from ..words.reading import reading_note
from ..words.subject import Subject, headline_questions
from .checked import TURNED, CheckedTable, Side, as_they_stand, columns_of
from .claim import ANY, Claim, ClaimMetric, method_name, needed_dependence
from .desk import check_names, read_claims
from .findings import Check, ClaimReport, Finding
from .judging import count_by, judge
from .means import check_interval
from .no_p_values import check_scores_alone
from .printed_scores import METRICS, ScoreMetric
from .rows import check_possible, metric_of_name
from .vocabulary import NO_NAMES, TableNames, own_side
from .wording import beside_lower_score


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
    on_progress: Progress | None = None,
    rows: Sequence[Finding] | None = None,
) -> ClaimReport:
    """Check a paper's claims against its printed table.

    Parameters
    ----------
    table : PValueTable, ScoreTable or None
        As printed. Without p-values the claims are judged by all that are
        possible beside the scores, which takes sizes and a metric; without these by the
        scores alone. None where only intervals are claimed.
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
        A verdict for each claim, first; then what is to be said of direction, of rows, of common
        practice and of what methods assume.

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
    if not isinstance(table, PValueTable | ScoreTable | None):
        raise ValueError(
            f"`table` must be a PValueTable or a ScoreTable; got {type(table).__name__}."
        )
    names = NO_NAMES
    if table is not None:
        every: tuple[str, ...] = (
            table.systems if isinstance(table, ScoreTable) else (table.system_a, table.system_b)
        )
        a, b = system_a or every[0], system_b or every[1]
        names = TableNames(
            systems=(a, b),
            datasets=table.datasets,
            others=tuple(name for name in every if name not in (a, b)),
            higher_is_better=table.higher_is_better,
        )
    pair, datasets = names.systems, names.datasets
    read = read_claims(claims, names)
    report = partial(ClaimReport, claims=read, alpha=level, dependence=dependence)
    if table is None:
        if not read or any(claim.kind != "interval" for claim in read):
            raise ValueError("`table` must be given for claims that are not about an interval.")
        return report(
            findings=tuple(check_interval(claim, alpha=level) for claim in read),
            subject=Subject(system_a="A", system_b="B", datasets=()),
            metric=None,
            fingerprint="",
        )
    check_names(read, datasets, table.p_value_columns if isinstance(table, PValueTable) else ())
    if n_examples is not None and len(n_examples) != len(datasets):
        raise ValueError(
            f"`n_examples` must have one entry a dataset, {len(datasets)}; got {len(n_examples)}."
        )
    kind = metric_of_name(table.metric) if metric is None else None if metric == "other" else metric
    if isinstance(table, ScoreTable):
        subject = Subject(
            system_a=check_choice(pair[0], table.systems, name="system_a"),
            system_b=check_choice(pair[1], table.systems, name="system_b"),
            datasets=datasets,
            higher_is_better=table.higher_is_better,
        )
        if pair[0] == pair[1]:
            raise ValueError(f"`system_a` and `system_b` must differ; both are {pair[0]!r}.")
        given = table.n_examples if n_examples is None else n_examples
        sizes = None if given is None else tuple(int(n) for n in given)
        found = check_scores_alone(
            table,
            read,
            n_examples=sizes,
            metric=kind,
            alpha=level,
            dependence=dependence,
            subject=subject,
            step=Steps(on_progress, total=len(read) + len(datasets)).step,
        )
        return report(
            findings=tuple(found),
            subject=subject,
            metric=kind,
            fingerprint=table.fingerprint,
            judged_by=_hashed((*pair, sizes, kind)),
        )
    if system_a is not None or system_b is not None:
        raise ValueError("`system_a` and `system_b` must be None for a table with p-values.")
    if n_examples is not None:
        table = replace(table, n_examples=np.array([int(n) for n in n_examples], dtype=np.intp))
    checked = CheckedTable(table=table, alpha=level, dependence=dependence)
    further = [(other.name, other.printed) for other in table.further]
    return report(
        findings=_judged(checked, read, kind, on_progress, rows),
        subject=checked.subject,
        metric=kind,
        fingerprint=table.fingerprint,
        judged_by=_hashed(
            (
                table.alternative,
                table.higher_is_better,
                # How printed zeros and further digits are read.
                [bytes_of_numbers(bounds) for bounds in table.p_value_bounds],
                further if any(claim.method == ANY for claim in read) else (),
            )
        ),
        made=checked.made,
    )


def _hashed(content: object) -> str:
    """SHA-256 of what a fingerprint leaves out."""
    return sha256(repr(content).encode()).hexdigest()


def _judged(
    checked: CheckedTable,
    claims: tuple[Claim, ...],
    metric: ScoreMetric | None,
    on_progress: Progress | None,
    rows: Sequence[Finding] | None,
) -> tuple[Finding, ...]:
    """Every finding, the verdicts on the claims first."""
    steps = Steps(on_progress, total=len(claims) + 3 * checked.n)
    steps.check()
    about_rows = check_possible(checked, metric=metric, step=steps.step) if rows is None else rows
    found: list[Finding] = []
    for claim in claims:
        found.append(judge(checked, claim, about_rows))
        steps.step()
    about_table = [claim for claim in claims if claim.kind != "interval"]
    # At the largest level: at others no further p-values are small.
    level = max((claim.level(checked.alpha) for claim in about_table), default=checked.alpha)
    claimed: list[Side] = [side for claim in claims if (side := claim.better) != "differ"]
    sides = list(dict.fromkeys(claimed))
    if checked.table.alternative == "two-sided":
        # Of tests for a difference it is the other system's win, which claims about both have said.
        sides = sides[:1] or ["a", "b"]
    if not sides:
        denied = {ruled_out.alternative for ruled_out in checked.assessed(level).ruled_out}
        # Small p-values that fit B alone are no riddle about A.
        ahead: Side = "b" if "greater" in denied and "less" not in denied else "a"
        sides = [own_side((checked.subject.system_a, checked.subject.system_b)) or ahead]
    found += check_direction_of_table(checked, level, sides=sides)
    found += about_rows
    assessment = checked.assessed(level)
    n_printed = assessment.n_printed if checked.made == "printed" else None
    asked = headline_questions(assessment)
    if practice := common_practice_sentence(asked, checked.subject, n_printed=n_printed):
        found.append(_remark(practice, check="common-practice"))
    assumed = [check_assumption(checked, claim) for claim in claims]
    found += [finding for finding in assumed if finding is not None]
    return tuple(found)


def check_direction_of_table(
    checked: CheckedTable, alpha: float, *, sides: Sequence[Side]
) -> list[Finding]:
    """State small p-values beside a lower or equal score, and how printed ones are read."""
    table, subject = checked.table, checked.subject
    found = []
    both: tuple[Side, ...] = ("a", "b")
    for side in both:
        if contradicted := checked.seen_from(side).other_side(alpha):
            found.append(_remark(contradicted, other_side=True))
    if checked.signs is None:
        return found

    def say(chosen: BoolArray, what: str, more: str = "", **details: object) -> None:
        names = subject.chosen(chosen)
        listed = list_names(names, most=len(names))
        where = f"On {len(names)} of {checked.n} datasets {what}: {listed}."
        if checked.n == 1:
            where = f"On {listed} {what}."
        said = {"datasets": names, "what": what, **details}
        found.append(Finding(key=None, check="direction", reason=where + more, details=said))

    for side in sides:
        own = checked.seen_from(side)
        small = small_beside_lower_score(own.table.p_values, own.signs, alpha=alpha)
        system, other = own.subject.sides("a-better")
        what = beside_lower_score(own, alpha)
        if small.any() and table.alternative == "two-sided":
            say(small, what, better=side, in_favour_of=other)
        elif small.any() and table.p_values_b is None and own.table.alternative != TURNED:
            more = (
                f" If the test compares these scores, p does not support {system} there. A test of "
                "another metric or other units, such as sentences where words are scored, could."
            )
            say(small, what, more, better=side)
    equal = at_most(table.p_values, alpha) & (table.differences == 0.0)
    if checked.made == "printed" and equal.any():
        what = f"a p ≤ {format_level(alpha)} comes with equal scores"
        say(equal, what, " Neither system is ahead there as printed.", better=None)
    note = reading_note(checked.assessed(alpha), subject) if checked.made == "printed" else ""
    if note:
        found.append(_remark(note))
    return found


def _remark(reason: str, *, check: Check = "direction", **details: object) -> Finding:
    return Finding(key=None, check=check, reason=reason, details=details)


def check_assumption(checked: CheckedTable, claim: Claim) -> Finding | None:
    """State what the claim's method needs, where that is not known to hold."""
    if claim.method == ANY:
        return _check_choice(checked, claim)
    method = claim.counted_by(checked.dependence)
    needed = needed_dependence(method)
    if DEPENDENCES.index(needed) <= DEPENDENCES.index(checked.dependence):
        return None
    holds = combination_named(usual_combination(needed)).holds
    stand, alpha = as_they_stand(checked.seen_from(claim.better), claim), claim.level(checked.alpha)
    fewest, most = (count_by(end, "bonferroni", alpha) for end in (stand.high, stand.low))
    reason = (
        f"{sentence_case(method_name(method))} holds {holds}, which is not known here. Bonferroni, which needs no "
        f"such assumption, counts {numbers_in_words(fewest, most)} of {checked.n} by these p-values at "
        f"level {format_level(alpha)}."
    )
    return _remark(reason, check="assumption")


def _check_choice(checked: CheckedTable, claim: Claim) -> Finding | None:
    """State what a free choice among columns gives by chance, and a count that allows for it."""
    columns = columns_of(checked, claim)
    if len(columns) < 2:
        return None
    alpha, n, m = claim.level(checked.alpha), checked.n, len(columns)
    # Every p-value at its high end, where the count is smallest. Pairs of one dataset share its
    # examples, and columns of one test even their numbers: Bonferroni needs nothing of them,
    # Fisher would need independence.
    pairs = np.concatenate([column.p_value_bounds[1] for column in columns])
    counted = count_by(pairs, "bonferroni", alpha)
    by_holm = named_by(pairs, alpha=alpha, procedure="holm").reshape(m, -1)
    names = checked.subject.chosen(np.logical_or.reduce(by_holm))
    chance = -math.expm1(m * math.log1p(-alpha))
    level = format_level(alpha)
    significant = f"significant after Holm correction at level {level}"
    found = f"With all {m * n} p-values in one family, none is {significant}."
    if names:
        found = (
            f"With all {m * n} p-values in one family, {counted} "
            f"{'is' if counted == 1 else 'are'} {significant}, on {len(names)} of {n} "
            f"{'dataset' if n == 1 else 'datasets'}: {list_names(names, most=len(names))}."
        )
    reason = (
        f"Whoever may choose among {m} independent p-values finds one ≤ {level} on a dataset "
        f"without any difference with probability {format_percent(chance)}, and up to "
        f"{format_share(min(1.0, m * alpha))} where they depend on each other. {found} "
        "This holds however the p-values depend. No count that needs independence is used: "
        "p-values of one dataset share its examples."
    )
    return _remark(reason, check="assumption")

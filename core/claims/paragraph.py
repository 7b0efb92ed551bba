"""The paragraph that a reviewer pastes: what speaks against the paper first, in few words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.claims.claim import ANY, COUNT, Claim, method_name
from core.claims.findings import ClaimVerdict, Finding
from core.claims.sentences import below_half_sentence, numbers_in_words, shown_number
from core.claims.sentences_possible import possible_p
from core.report.formatting import display_name, format_level, format_percent, list_names

if TYPE_CHECKING:
    from core.claims.verdicts import ClaimReport

CAVEAT_IN_SHORT = (
    "Another n, test or rounding could explain what does not fit; it is no sign of misconduct."
)
_WITHOUT_DOUBT: tuple[tuple[ClaimVerdict, str], ...] = (
    ("confirmed", "confirmed"),
    ("not-excluded", "not excluded"),
    ("cannot-be-decided", "not to be decided"),
)
# Of more in one sentence, their number is told.
_MOST_IN_FULL = 2
_MOST_CLAIMS = 7
_MOST_ROWS = 6
_TURNING = ("by_rounding", "by_doubling")


def review_paragraph(report: ClaimReport) -> str:
    """One paragraph of plain text: failures, then how many claims hold, then what they need.

    Every sentence is short; the numbers behind them are in the report's findings.
    """
    said = [*_denied(report), *_directed(report), *_rows(report)]
    said += _open_and_confirmed(report)
    said += _about_table(report)
    said += [CAVEAT_IN_SHORT] if report.doubts else []
    return " ".join(dict.fromkeys(part for part in said if part))


def _denied(report: ClaimReport) -> list[str]:
    """Claims that the printed numbers deny; of many, each with its count in brackets."""
    found = [f for f in report.doubts if f.claim and f.dataset is None and f.check != "direction"]
    if len(found) <= _MOST_IN_FULL:
        return [f"{f.reason}{_but(f, report)}" for f in found]
    each = _listed([f"{report.words(f.claim)}{_short(f)}" for f in found if f.claim], ", ")
    return [f"{len(found)} claims do not follow from the printed numbers: {each}."]


def _directed(report: ClaimReport) -> list[str]:
    """Claims that hold by no reading of the direction, and what each system has instead."""
    told = {f.claim for f in report.doubts if f.claim and f.check != "direction"}
    doubts = [f for f in report.doubts if f.check == "direction" and f.claim not in told]
    claims = [f for f in doubts if f.dataset is None]
    if not claims:
        return []
    given = dict(zip(report.claims, report.verdicts, strict=True))
    n_given = sum(given[f.claim] == "confirmed" for f in claims if f.claim)
    if len(report.claims) == 1:
        start = "Read by direction, the claim is not supported"
        though = ", though the p-values as printed give it" if n_given else ""
    else:
        n, total = len(claims), len(report.claims)
        which = f"all {n} claims" if n == total else f"{n} of {total} claims"
        start = f"Read by direction, {which} {'is' if n == 1 else 'are'} not supported"
        though = ", though the p-values as printed give them" if n_given == n else ""
        if not though and n_given:
            though = f", though the p-values as printed give {n_given} of them"
    said = [f"{start}{though}."]
    for side, system in (("a", report.subject.system_a), ("b", report.subject.system_b)):
        own = [f for f in claims if f.claim and f.claim.better == side]
        behind = dict.fromkeys(
            f.dataset for f in doubts if f.dataset and f.claim and f.claim.better == side
        )
        if own:
            where = ""
            if behind:
                names = list_names([name for name in behind if name])
                where = f" (its score is {report.subject.worse} on {names})"
            said.append(f"For {display_name(system)}{where}: {_by_level(own)}.")
    return said


def _by_level(found: Sequence[Finding]) -> str:
    """Write "at level .05 Bonferroni gives 3 (claimed 6), Holm does not name Tamil; at level …"."""
    by_level: dict[float, list[str]] = {}
    for finding in found[:_MOST_CLAIMS]:
        claim, details = finding.claim, finding.details
        assert claim is not None
        if claim.counts:
            spans = list(details["counts"].values())
            least, most = min(low for low, _ in spans), max(high for _, high in spans)
            part = f"{numbers_in_words(least, most)} by {method_name(details['method'])} (claimed {claim.k})"
        else:
            never = list_names(details["never"]) or "none of these"
            verb = "p is larger on" if claim.method is None else "does not name"
            part = (
                f"{'' if claim.method is None else method_name(claim.method) + ' '}{verb} {never}"
            )
        by_level.setdefault(details["alpha"], []).append(part)
    said = [
        f"at level {format_level(level)}, {', '.join(parts)}" for level, parts in by_level.items()
    ]
    more = len(found) - _MOST_CLAIMS
    return "; ".join(said + ([f"and {more} more"] if more > 0 else []))


def _rows(report: ClaimReport) -> list[str]:
    """Printed numbers that do not fit the others."""
    rows = [f for f in report.doubts if f.claim is None and f.dataset]
    said = []
    impossible = [f for f in rows if f.verdict == "impossible" and f.check != "granularity"]
    if impossible:
        each = _listed([_impossible(f) for f in impossible], "; ", most=_MOST_ROWS)
        said.append(f"Beside their scores and n, no test tried allows these p-values: {each}.")
    unattained = [f for f in rows if f.verdict == "not-attainable"]
    if unattained:
        each = _listed([_unattained(f) for f in unattained], "; ", most=_MOST_ROWS)
        said.append(f"To the digits printed, no test tried gives these p-values: {each}.")
    shares = [f for f in rows if f.check == "granularity"]
    if shares:
        each = _listed(
            [
                f"{display_name(f.dataset or '')} ({' and '.join(map(shown_number, f.details['scores']))}"
                f", n = {f.details['n_examples']:,})"
                for f in shares
            ],
            "; ",
            most=_MOST_ROWS,
        )
        said.append(f"These scores are no share of their n: {each}.")
    return said


def _impossible(finding: Finding) -> str:
    details = finding.details
    too_high = details["too_high"]
    limit = possible_p(details["high"] if too_high else details["low"])
    sizes = [f"{n:,}" for n in details["sizes"] if n is not None]
    other = f", or n = {' or '.join(sizes)}" if sizes else ""
    return (
        f"{display_name(finding.dataset or '')}, printed {_printed(finding)} (possible: at "
        f"{'most' if too_high else 'least'} {limit}{other})"
    )


def _unattained(finding: Finding) -> str:
    nearest = [
        f"{found[2]:.4g}".removeprefix("0")
        for found in (finding.details["below"], finding.details["above"])
        if found is not None
    ]
    near = f" (nearest: {' and '.join(nearest)})" if nearest else ""
    return f"{display_name(finding.dataset or '')}, printed {_printed(finding)}{near}"


def _printed(finding: Finding) -> str:
    return shown_number(str(finding.details["printed"]))


def _open_and_confirmed(report: ClaimReport) -> list[str]:
    """How many claims have each verdict that speaks against nothing."""
    denied = {f.claim for f in report.doubts if f.claim}
    by_scores = bool(report.of("scores-alone"))
    basis = " by scores and sizes alone" if by_scores else " as printed"
    if not report.subject.datasets:
        basis = ""
    said = []
    for verdict, words in _WITHOUT_DOUBT:
        claims = [
            claim
            for claim, found in zip(report.claims, report.verdicts, strict=True)
            if found == verdict and claim not in denied
        ]
        if not claims:
            continue
        which = ""
        if verdict != "confirmed" and len(report.claims) > 1:
            which = f": {_listed([report.words(claim) for claim in claims], ', ', most=3)}"
        start = _how_many(len(claims), len(report.claims))
        if denied and len(claims) + len(denied) == len(report.claims):
            start = (
                "The other claim is" if len(claims) == 1 else f"The other {len(claims)} claims are"
            )
        said.append(f"{start} {words}{basis}{which}.")
        if verdict == "confirmed":
            said.append(_hanging(report, claims))
    return said


def _how_many(n: int, total: int) -> str:
    if n == total:
        return "The claim is" if n == 1 else f"All {n} claims are"
    return f"{n} of {total} claims {'is' if n == 1 else 'are'}"


def _hanging(report: ClaimReport, claims: Sequence[Claim]) -> str:
    hanging = {
        f.claim for f in report.of("sensitivity") if any(map(f.details.get, _TURNING))
    } & set(claims)
    if not hanging:
        return ""
    of_them = "It hangs" if len(report.claims) == 1 else f"{len(hanging)} of them hang"
    if len(hanging) == 1 < len(report.claims):
        of_them = "1 of them hangs" if len(claims) > 1 else "It hangs"
    return f"{of_them} on the value of a single p-value."


def _about_table(report: ClaimReport) -> list[str]:
    """What methods take for granted, and what the common practice says by chance."""
    said = [f.reason for f in report.of("scores-alone") if f.claim is None][:1]
    directed = [f for f in report.of("direction") if f.claim is None]
    doubted = any(f.check == "direction" for f in report.doubts)
    if not report.claims:
        said += [f.reason for f in directed if "readings" not in f.details]
    below = [f for f in directed if f.details.get("all_below_half")]
    if below and (doubted or not report.claims):
        said.append(
            below_half_sentence(len(report.subject.datasets), below[0].details["largest_printed"])
        )
    # Of a choice among p-values the reason of a claim that fails has told already.
    told = any(f.claim and f.claim.method == ANY for f in report.doubts)
    assumed = [f for f in report.of("assumption") if not (told and "n_pairs" in f.details)]
    said += [_assumption(f) for f in assumed[:1]]
    counted = any(claim.method == COUNT for claim in report.claims)
    for finding in report.of("common-practice")[:1] if counted or not report.claims else ():
        level, n = format_level(finding.details["alpha"]), len(report.subject.datasets)
        chance = format_percent(finding.details["chance_of_a_false_win"])
        said.append(
            f"Counting p ≤ {level} has no guarantee: with no difference anywhere, {n} independent "
            f"datasets show at least one in up to {chance} of studies."
        )
    return said


def _assumption(finding: Finding) -> str:
    details = finding.details
    level = format_level(details["alpha"])
    if "n_pairs" in details:
        return (
            f"With all {details['n_pairs']} p-values in one family, Bonferroni "
            f"counts {details['counted']}, so at least {details['at_least']} datasets, at level {level}."
        )
    name = method_name(details["method"])
    counts = numbers_in_words(details["fewest"], details["most"])
    return (
        f"{name[:1].upper()}{name[1:]} rests on how the datasets depend on each other, which is not "
        f"known here; Bonferroni, which does not, counts {counts} at level {level}."
    )


def _short(finding: Finding) -> str:
    """What the numbers give instead, in brackets."""
    details = finding.details
    if details.get("counts"):
        spans = [(low, high) for low, high in details["counts"].values()]
        return f" ({numbers_in_words(min(s[0] for s in spans), max(s[1] for s in spans))})"
    if "fewest" in details:
        return f" ({numbers_in_words(details['fewest'], details['most'])})"
    never = details.get("never") or details.get("too_many") or details.get("above")
    return f" (not {list_names(never)})" if never else ""


def _but(finding: Finding, report: ClaimReport) -> str:
    """The readings of the direction that allow what the p-values as printed deny."""
    if finding.check != "arithmetic":
        return ""
    readings = report.allowing(finding.claim)
    return f" That is of the p-values as printed; {readings} it is possible." if readings else ""


def _listed(parts: Sequence[str], between: str, *, most: int = _MOST_CLAIMS) -> str:
    shown = list(parts[:most])
    if len(parts) > len(shown):
        shown.append(f"{len(parts) - len(shown)} more")
    if between == "; ":
        return between.join(shown)
    return " and ".join(part for part in (between.join(shown[:-1]), shown[-1]) if part)

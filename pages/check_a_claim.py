"""A paper's claims against its own printed numbers."""

from pages.ui.claims import check, documents, form, verdicts
from pages.ui.frame import page, prose

page.enter()
documents.show()
checked = form.require_table(
    "This page checks a paper's claims against its own printed numbers: whether counts and names "
    "follow from the p-values, for which system they can speak, and whether the scores allow them."
)
needed = check.missing(checked)
found = check.report(checked) if checked.claims or not needed else None
report = None if isinstance(found, str) else found
unable = needed or (found if isinstance(found, str) else "")
if report is not None:
    prose.lead(checked.so_far + report.lead())
marked = verdicts.marks(checked, checked.claims if unable else (), in_front=report is None)
if unable and report is None and not marked:
    prose.lead("The table has scores and no p-values.")
if unable and not checked.may_be_accuracies:
    prose.notice(unable)
check.what_is_checked(checked)
form.show_problems(checked)
if report is not None:
    verdicts.claims(report, checked.read.notes((checked.system_a, checked.system_b)))
    verdicts.doubtful_rows(report)
    verdicts.possible_chart(report)
    verdicts.review(report)
if could_be := check.reach(checked):
    verdicts.reachable(could_be)
form.offer(checked)
form.show(checked)
if report is not None:
    verdicts.behind(report, checked)
documents.offer_another()

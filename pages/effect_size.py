"""How much better on average, and how far datasets differ."""

from core.sections.effects import has_no_average, without_average_parts
from pages.ui import effects as shown
from pages.ui.frame import guards, page
from pages.ui.intake import role_form
from pages.ui.results import explanations, parts

page.enter()
data = guards.require_scores(
    "This page says how much better one system is: the effect on each dataset with its interval, "
    "what the effects come to together, how far they differ between datasets, and what the "
    "classic tests over datasets say."
)
effects = shown.current(data)
combined = None
unlike = shown.unlike(data)
if has_no_average(effects, unlike):
    parts.show(without_average_parts(shown.combined(effects), unlike))
elif effects.n_datasets:
    combined = shown.combined(effects)
    shown.lead(data, combined, disagreement=shown.disagreement(data, combined))
    role_form.direction(data)
    shown.plot(data, combined)
else:
    shown.explain_none(effects)
shown.form(data, is_answered=effects.n_datasets > 0)
tests = shown.over_datasets(data)
if combined is not None:
    shown.more(data, combined, tests=tests)
    shown.papers(combined)
else:
    explanations.signature(effects.signature, of="the effects of each dataset")

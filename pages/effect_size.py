"""How much better on average, and how far datasets differ."""

from core.sections.effects import has_no_average, without_average_parts
from pages.ui.effects import data as effects_data
from pages.ui.effects import show
from pages.ui.frame import guards, page
from pages.ui.intake import role_form
from pages.ui.results import explanations, parts

page.enter()
data = guards.require_scores(
    "This page says how much better one system is: the effect on each dataset with its interval, "
    "what the effects come to together, how far they differ between datasets, and what the "
    "classic tests over datasets say."
)
effects = effects_data.current(data)
combined = None
unlike = effects_data.unlike(data)
if has_no_average(effects, unlike):
    parts.show(without_average_parts(effects_data.combined(effects), unlike))
elif effects.n_datasets:
    combined = effects_data.combined(effects)
    show.lead(data, combined, disagreement=show.disagreement(data, combined))
    role_form.direction(data)
    show.plot(data, combined)
else:
    effects_data.explain_none(effects)
effects_data.form(data, is_answered=effects.n_datasets > 0)
tests = show.over_datasets(data)
if combined is not None:
    show.more(data, combined, tests=tests)
    show.papers(combined)
else:
    explanations.signature(effects.signature, of="the effects of each dataset")

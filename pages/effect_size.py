"""How much better on average, and how far datasets differ."""

from pages.ui import (
    effects_across,
    effects_data,
    effects_form,
    effects_more,
    effects_show,
    explanations,
    frame,
    guards,
    studies,
)

frame.enter()
data = guards.require_scores(
    "This page says how much better one system is: the effect on each dataset with its interval, "
    "what the effects come to together, how far they differ between datasets, and what the "
    "classic tests over datasets say."
)
effects = effects_data.current(data)
if effects_show.is_refused(data, effects):
    effects_show.without_average(data, effects)
elif effects.n_datasets:
    combined = effects_data.combined(effects)
    effects_show.lead(data, combined, disagreement=effects_across.disagreement(data, combined))
    effects_show.plot(data, combined)
    effects_more.show(data, combined)
else:
    effects_data.explain_none(effects)
effects_form.show(data, is_answered=effects.n_datasets > 0)
effects_across.show(data)
explanations.signature(effects.signature, of="the effects of each dataset")
studies.report_failures(effects_data.KIND, effects_more.EXPERIMENT, effects_more.POOLED)

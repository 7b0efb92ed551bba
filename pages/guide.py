"""The talk in seven steps, and below it the reference."""

from core.words import guide
from pages.ui.frame import page, prose, state
from pages.ui.guide import reference, talk

page.enter()
alpha = state.session().settings.alpha
talk(alpha)
reference(alpha)
prose.paragraphs(guide.SOURCES, quiet=True)

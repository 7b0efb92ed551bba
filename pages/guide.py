"""How to read what the other pages say."""

from core.report import guide
from pages.ui.frame import page, prose, state
from pages.ui.guide import argument, sections

page.enter()
alpha = state.session().settings.alpha
prose.lead(guide.answer_sentence(alpha))
argument.show(alpha)
sections.dependence()
sections.words(guide.POOLING)
sections.words(guide.ACROSS)
sections.tests()
sections.reporting(alpha)
sections.words(guide.LIMITS)
sections.glossary()
prose.paragraphs(guide.SOURCES, quiet=True)

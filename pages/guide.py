"""How to read what the other pages say."""

from core.report import guide
from pages.ui import frame, guide_argument, guide_parts, guide_sections, prose, state

frame.enter()
alpha = state.session().settings.alpha
prose.lead(guide.answer_sentence(alpha))
guide_argument.show(alpha)
guide_sections.dependence()
guide_parts.words(guide.POOLING)
guide_parts.words(guide.ACROSS)
guide_sections.tests()
guide_sections.reporting(alpha)
guide_parts.words(guide.LIMITS)
guide_sections.glossary()
prose.paragraphs(guide.SOURCES, quiet=True)

"""The talk in seven steps, and below it the reference."""

import streamlit as st

from core.words import guide
from pages.ui.frame import page, prose, state
from pages.ui.guide import sections, talk

page.enter()
alpha = state.session().settings.alpha
talk.show(alpha)
st.header("Reference", anchor=False)
sections.dependence()
sections.combinations()
sections.words(guide.names(alpha))
sections.words(guide.POOLING)
sections.words(guide.ACROSS)
sections.words(guide.EQUIVALENCE)
sections.tests()
sections.reporting(alpha)
sections.words(guide.LIMITS)
sections.glossary()
prose.paragraphs(guide.SOURCES, quiet=True)

"""The replicability dashboard: `streamlit run app.py`."""

from pages.ui.frame import page

page.run()

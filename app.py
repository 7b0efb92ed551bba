"""The replicability dashboard: `streamlit run app.py`."""

from pages.ui import frame

frame.run()

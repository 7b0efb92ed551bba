"""What the pages are made of: all that knows Streamlit."""

import gc

# Importing makes so many objects that Python looks again and again through all there are. What
# Streamlit and pandas have loaded by now stays anyway; left out, the app starts in a fifth less.
gc.freeze()

"""``python -m tests.golden``: write the sentences anew, to be read with ``git diff``."""

from tests.golden.situations import SENTENCES, rendered

SENTENCES.write_text(rendered(), encoding="utf-8")

"""Names that a browser, Streamlit, Markdown, LaTeX or a spreadsheet could take for something else."""

import csv
import io

# None is notation of a table, such as emphasis around a cell, which is left away when it is read.
HOSTILE_NAMES = (
    "![p](http://example.org/x.png)",
    "<img src=x onerror=alert(1)>",
    "$x",
    ":red[x]",
    "=1+1",
    "so **bold** a",
    "[l](javascript:alert(1))",
    "<b/>y",
    ":material/home:",
    "עברית",
)
# Shown wherever the hostile names are, and as often: it is what they are compared with.
HARMLESS_NAME = "harmless"
LONG_NAME = "long" * 2_500
LAST_NAME = "not better"
FILE_NAME = "![f](http://example.org/f.png) <b>f</b> $f$.csv"


def hostile_table(system_a: str, system_b: str) -> bytes:
    """A published table in which every name but the last can be named."""
    written = io.StringIO()
    rows = csv.writer(written)
    rows.writerow(["dataset", system_a, system_b, "p_value"])
    for name in (*HOSTILE_NAMES, HARMLESS_NAME, LONG_NAME):
        rows.writerow([name, "91.5", "90.1", "0.000001"])
    rows.writerow([LAST_NAME, "91.5", "91.4", "0.4"])
    return written.getvalue().encode("utf-8")

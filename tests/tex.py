"""Sets every piece for a paper in a two-column page with the TeX of this machine.

`python -m tests.tex` writes a line for each sample and form: what TeX refused, and what stands
out of its column. It ends with 1 where something was refused, or where there is no TeX; the
suite has no TeX and reads the pieces strictly instead (`tests/core/export/test_paper.py`).
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from core.analysis import Analysis
from core.export.paper import FORMS, Form, paper_pieces
from tests.core.export.samples_of_analyses import hostile_results, hostile_table, of_sample

SAMPLES = ("pos-tagging", "simulated-accuracy", "sentiment", "six-p-values", "word-similarity")
PAGE = r"""\documentclass[twocolumn,a4paper]{article}
\usepackage[T1]{fontenc}
\usepackage{booktabs,longtable,natbib,pgfplots}
\pgfplotsset{compat=1.17}
\begin{document}
\input{results}
\input{table}
%s
\input{methods}
\bibliographystyle{plainnat}\bibliography{references}
\end{document}
"""


def faults(analysis: Analysis, form: Form, tex: str) -> tuple[list[str], list[str]]:
    """What TeX refuses, and what is wider than its column by more than 2 points."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        pieces = paper_pieces(analysis, form=form)
        for piece in pieces:
            (folder / piece.name).write_text(piece.text, encoding="utf-8")
        figures = "\n".join(
            rf"\begin{{figure}}[t]\input{{{piece.name}}}\caption{{{piece.title}}}\end{{figure}}"
            for piece in pieces
            if piece.needs == "pgfplots"
        )
        (folder / "main.tex").write_text(PAGE % figures, encoding="utf-8")
        for command in ([tex, "-interaction=nonstopmode", "main"], ["bibtex", "main"]) * 2:
            done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
        log = (folder / "main.log").read_text(encoding="utf-8", errors="replace")
        assert done.returncode == 0, done.stdout
    wide = re.findall(r"Overfull \\hbox \(([0-9.]+)pt too wide\)", log)
    return re.findall(r"^! .*", log, re.MULTILINE), [f"{w} pt" for w in wide if float(w) > 2.0]


def main() -> int:
    """Set all; the exit status."""
    tex = shutil.which("lualatex") or shutil.which("pdflatex")
    if tex is None:
        sys.stderr.write("There is no TeX here: install texlive-latex-extra.\n")
        return 1
    analyses = {key: of_sample(key) for key in SAMPLES}
    analyses |= {"hostile names": hostile_table(), "hostile results": hostile_results()}
    refused_any = False
    for name, analysis in analyses.items():
        for form in FORMS:
            refused, wide = faults(analysis, form, tex)
            refused_any |= bool(refused)
            sys.stdout.write(f"{name}, {form}: refused {refused}, too wide {wide}\n")
    return int(refused_any)


if __name__ == "__main__":
    sys.exit(main())

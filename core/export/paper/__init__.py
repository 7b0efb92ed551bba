"""An analysis as pieces of a paper: a table, results, methods, references and figures."""

from .pieces import PaperPiece, paper_pieces, paper_zip
from .table import FORMS, Form, paper_grid, paper_table

__all__ = ["FORMS", "Form", "PaperPiece", "paper_grid", "paper_pieces", "paper_table", "paper_zip"]

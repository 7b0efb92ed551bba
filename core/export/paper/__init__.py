"""An analysis as pieces of a paper: a table, results, methods, references and figures."""

from .table import FORMS, Form, PaperPiece, paper_grid, paper_pieces, paper_table, paper_zip

__all__ = ["FORMS", "Form", "PaperPiece", "paper_grid", "paper_pieces", "paper_table", "paper_zip"]

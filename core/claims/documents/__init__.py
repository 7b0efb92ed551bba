"""A paper's own tables, read out of its PDF or its LaTeX source, each cell with its place there."""

"""From bytes to a table of text whose cells know their line, and what the cells say as numbers."""

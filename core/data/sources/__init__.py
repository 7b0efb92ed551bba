"""From what somebody has, files, archives, workbooks, JSON or pasted text, to one table of text."""

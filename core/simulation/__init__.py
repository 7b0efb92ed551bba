"""What the counts would be if there were no difference anywhere, or if it were known where."""

"""Files as evaluation tools write them, gathered into one table that a layout reads."""

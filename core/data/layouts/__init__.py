"""What kind of file this is: one module for each layout, and what they share."""

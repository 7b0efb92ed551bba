"""What a score measures: from what two systems gave for each example to numbers to compare."""

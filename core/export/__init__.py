"""What is taken away from an analysis: report, methods text, tables, JSON, bundle."""

"""From results to words and tables that a person reads, copies or downloads."""

"""What a page shows and a report prints: sentences, tables and charts as parts, made once for both."""

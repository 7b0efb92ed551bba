"""Which examples datasets share."""

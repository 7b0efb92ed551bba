"""How far to trust a p-value: what it depends on, and what it says at all."""

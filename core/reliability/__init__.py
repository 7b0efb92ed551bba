"""How far to trust a p-value: what it hangs on, and what it says at all."""

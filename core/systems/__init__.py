"""Many systems: all pairs, gain against confidence, and a leaderboard that counts."""

"""Statistics over N datasets: how many, which ones, which groups, in which direction.

Arrays in, results out: this room knows no file, no table and no screen.
"""

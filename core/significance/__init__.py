"""Tests of "A is better than B" on one dataset, and a runner over many.

Scores in, p-values out: this room knows what each example says and the table that
p-values go into; counting over datasets is another room.
"""

"""Headings of covariates: columns that describe the examples and hold no system's results."""

from __future__ import annotations

# Numbers that describe an example.
MEASURE_HEADINGS = frozenset(
    {"length", "len", "tokens", "n tokens", "num tokens", "token count", "number of tokens",
     "words", "n words", "num words", "word count", "number of words", "characters", "chars",
     "n chars", "num chars", "n characters", "char count", "number of characters",
     "sentence length", "sent length", "sent len", "text length", "source length", "src length",
     "src len", "input length", "document length", "doc length", "question length",
     "difficulty", "year"}
)  # fmt: skip
# Kinds of examples, be they written in digits.
CATEGORY_HEADINGS = frozenset(
    {"genre", "topic", "domain", "category", "type", "question type", "sentence type",
     "language", "lang", "source", "register", "phenomenon", "group", "fold", "annotator",
     "split", "splits", "data split", "subset", "subsets", "partition", "portion"}
)  # fmt: skip
# Answers of a system, as likely as a description.
ANSWER_WORDS = frozenset(
    {"yes", "no", "y", "n", "t", "f", "true", "false", "pass", "fail", "passed", "failed", "ok",
     "correct", "incorrect", "right", "wrong"}
)  # fmt: skip

"""What is said in each situation is what `sentences.md` has, which a person has read."""

from tests.golden.situations import SENTENCES, SITUATIONS, rendered


def test_every_situation_says_what_was_read_and_approved() -> None:
    assert rendered() == SENTENCES.read_text(encoding="utf-8")


def test_no_situation_is_without_words() -> None:
    text = SENTENCES.read_text(encoding="utf-8")
    sections = text.split("\n## ")[1:]
    assert [section.split("\n")[0] for section in sections] == list(SITUATIONS)
    assert all(section.count("\n- ") for section in sections)


def test_no_sentence_says_what_must_not_be_said() -> None:
    # But for what a paper says of itself, and of a named correction.
    text = SENTENCES.read_text(encoding="utf-8")
    for allowed in ("of tests are significant", "significant after Holm correction"):
        text = text.replace(allowed, "")
    for words in ("significant ", "no difference between", "proves", "probability that A is"):
        assert words not in text, words

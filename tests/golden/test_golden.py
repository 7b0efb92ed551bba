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
    text = SENTENCES.read_text(encoding="utf-8")
    for words in ("no difference between", "proves", "probability that A is"):
        assert words not in text, words


def test_nothing_is_significant_without_its_level_or_correction() -> None:
    for line in SENTENCES.read_text(encoding="utf-8").splitlines():
        # A paper's own words, and what is planned, are not findings.
        if "significan" in line and not ("The paper" in line or line.startswith("## ")):
            assert any(said in line for said in ("α = ", "correction", "level", "p ≤ ")), line

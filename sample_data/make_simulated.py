"""Make the simulated samples: `python sample_data/make_simulated.py` rewrites them byte for byte.

Every dataset has a random stream of its own, so that changing one changes no
other. Only uniform numbers are drawn: their stream does not depend on numpy's
version. README.md says what is planted.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from statistics import NormalDist
from zlib import crc32

import numpy as np

FOLDER = Path(__file__).resolve().parent
SYSTEMS = ("ours", "baseline")
Row = list[object]

# Name, examples, share that only ours gets right, share that only the baseline gets right. Both get
# 60 % right. The truth: ours is better on four, equal on five, worse on one.
ACCURACY_SEED = 103
ACCURACY = (
    ("sim-task-01", 800, 0.14, 0.07),
    ("sim-task-02", 450, 0.10, 0.10),
    ("sim-task-03", 620, 0.13, 0.07),
    ("sim-task-04", 300, 0.10, 0.10),
    ("sim-task-05", 240, 0.13, 0.07),
    ("sim-task-06", 700, 0.09, 0.09),
    ("sim-task-07", 500, 0.06, 0.13),
    ("sim-task-08", 120, 0.10, 0.10),
    ("sim-task-09", 380, 0.11, 0.07),
    ("sim-task-10", 560, 0.10, 0.10),
)

# Name, examples, points by which ours is better. The truth: better on five, equal on three.
SENTENCES_SEED = 471
SENTENCES = (
    ("sim-set-1", 400, 1.6),
    ("sim-set-2", 250, 0.0),
    ("sim-set-3", 320, 1.1),
    ("sim-set-4", 180, 2.0),
    ("sim-set-5", 300, 0.0),
    ("sim-set-6", 150, 0.9),
    ("sim-set-7", 360, 0.9),
    ("sim-set-8", 220, 0.0),
)
# Where both systems write the same sentence, they have the same score.
SAME_SENTENCE = 0.15

# Name, examples, share that only ours gets right, share that only the baseline gets right. Both get
# 65 % right. The truth: ours is better on three, equal on six.
LABELS_SEED = 209
LABELS = (
    ("sim-de", 400, 0.12, 0.07),
    ("sim-en", 500, 0.09, 0.09),
    ("sim-es", 350, 0.09, 0.09),
    ("sim-fi", 200, 0.17, 0.07),
    ("sim-fr", 400, 0.09, 0.09),
    ("sim-hu", 250, 0.10, 0.10),
    ("sim-ja", 300, 0.10, 0.10),
    ("sim-ta", 150, 0.20, 0.08),
    ("sim-zh", 300, 0.10, 0.10),
)
CLASSES = ("negative", "neutral", "positive")
UP_TO_CLASS = (0.35, 0.6, 1.0)

# Name, sentences, share of words that only ours gets right, share that only the baseline gets right.
# The truth: ours is better on four, equal on four.
PARSING_SEED = 55
PARSING = (
    ("sim-bank-1", 140, 0.075, 0.055),
    ("sim-bank-2", 120, 0.06, 0.06),
    ("sim-bank-3", 90, 0.085, 0.055),
    ("sim-bank-4", 160, 0.06, 0.06),
    ("sim-bank-5", 110, 0.075, 0.06),
    ("sim-bank-6", 80, 0.07, 0.07),
    ("sim-bank-7", 150, 0.07, 0.055),
    ("sim-bank-8", 100, 0.06, 0.06),
)
FEWEST_WORDS, MOST_WORDS = 4, 34

# Name, pairs of words, correlation of ours with gold, of the baseline. The truth: ours is better on
# three, equal on three.
SIMILARITY_SEED = 38
SIMILARITY = (
    ("sim-pairs-a", 300, 0.62, 0.52),
    ("sim-pairs-b", 200, 0.5, 0.5),
    ("sim-pairs-c", 350, 0.45, 0.36),
    ("sim-pairs-d", 65, 0.7, 0.7),
    ("sim-pairs-e", 250, 0.66, 0.56),
    ("sim-pairs-f", 150, 0.4, 0.4),
)
# What both models err in together, as a share of the variance of their errors.
SHARED_ERROR = 0.4

# Name, documents, points by which ours is better. The truth: better on three, equal on four. A
# document suits one system more than the other, in all its sentences alike.
DOCUMENTS_SEED = 15
DOCUMENTS = (
    ("sim-news", 44, 2.6),
    ("sim-talks", 30, 0.0),
    ("sim-novels", 26, 0.0),
    ("sim-manuals", 40, 2.4),
    ("sim-reviews", 36, 0.0),
    ("sim-letters", 48, 2.2),
    ("sim-laws", 28, 0.0),
)
FEWEST_SENTENCES, MOST_SENTENCES = 4, 14
SUITS_BY = 4.0

# Name, sentences, points by which ours is better on short sentences, on longer ones, and besides in
# dialogue. The truth: better on three, equal on two.
LENGTHS_SEED = 20
LENGTHS = (
    ("sim-short", 240, 3.5, 0.0, 0.0),
    ("sim-steady", 220, 1.4, 1.4, 0.0),
    ("sim-spoken", 230, 0.0, 0.0, 4.0),
    ("sim-flat", 260, 0.0, 0.0, 0.0),
    ("sim-even", 180, 0.0, 0.0, 0.0),
)
# Name, examples, share that only the quantised model gets right, share that only the full one gets
# right. Both get 70 % right. The truth: not worse by 1 point on ten; worse on one large task, and on
# one too small to show it.
QUANTISED_SEED = 47
QUANTISED = (
    ("sim-q-01", 1400, 0.004, 0.004),
    ("sim-q-02", 1200, 0.003, 0.003),
    ("sim-q-03", 1200, 0.010, 0.035),
    ("sim-q-04", 260, 0.008, 0.030),
    ("sim-q-05", 1500, 0.004, 0.005),
    ("sim-q-06", 1200, 0.004, 0.004),
    ("sim-q-07", 220, 0.015, 0.015),
    ("sim-q-08", 1300, 0.003, 0.004),
    ("sim-q-09", 1100, 0.003, 0.003),
    ("sim-q-10", 240, 0.015, 0.015),
    ("sim-q-11", 1200, 0.004, 0.004),
    ("sim-q-12", 1500, 0.005, 0.004),
)
SHORT_UP_TO, LONGEST = 15, 39
GENRES = ("dialogue", "news", "novel")
UP_TO_GENRE = (0.35, 0.7, 1.0)
RUNS = 3

# Language, points by which ours is better. The same sentences in each language; the truth: better
# on nine, equal on three.
TRANSLATIONS_SEED = 163
TRANSLATIONS = (
    ("sim-ar", 0.7),
    ("sim-bg", 0.8),
    ("sim-de", 0.9),
    ("sim-el", 0.0),
    ("sim-es", 0.8),
    ("sim-fr", 0.7),
    ("sim-hi", 0.8),
    ("sim-ru", 0.9),
    ("sim-sw", 0.0),
    ("sim-th", 0.7),
    ("sim-tr", 0.8),
    ("sim-ur", 0.0),
)
TRANSLATED_SENTENCES = 300
# What a sentence does to both systems' difference in every language, as a share of its variance.
SHARED_BY_LANGUAGES = 0.6


def stream(seed: int, dataset: str) -> np.random.Generator:
    """The random numbers of one dataset."""
    return np.random.default_rng([seed, crc32(dataset.encode())])


def outcome_rows(
    seed: int, datasets: Iterable[tuple[str, int, float, float]], *, both: float
) -> Iterator[Row]:
    """Right (1) or wrong (0), for each example and system; `both` is the share right by both."""
    for dataset, n, only_first, only_second in datasets:
        outcomes = _outcomes(stream(seed, dataset).random(n), only_first, only_second, both)
        for example, (first, second) in enumerate(outcomes, 1):
            yield [dataset, example, int(first), int(second)]


def sentence_rows() -> Iterator[Row]:
    """Scores of sentences from 0 to 100 with one decimal, with ties."""
    normal = NormalDist()
    for dataset, n, gain in SENTENCES:
        for example, (level, ours, baseline, same) in enumerate(
            stream(SENTENCES_SEED, dataset).random((n, 4)).tolist(), 1
        ):
            # Sentences differ more than systems do.
            sentence = 58 + 14 * normal.inv_cdf(level)
            score_a = sentence + gain + 5 * normal.inv_cdf(ours)
            score_b = sentence + 5 * normal.inv_cdf(baseline)
            if same < SAME_SENTENCE:
                score_a = score_b
            yield [dataset, example, *(f"{_clip(s):.1f}" for s in (score_a, score_b))]


def label_rows() -> Iterator[Row]:
    """Gold labels of three classes and what each system predicted."""
    for dataset, n, only_ours, only_baseline in LABELS:
        draws = stream(LABELS_SEED, dataset).random((n, 4))
        outcomes = _outcomes(draws[:, 0], only_ours, only_baseline, 0.65)
        for example, ((ours, baseline), draw) in enumerate(zip(outcomes, draws, strict=True), 1):
            gold = int(np.searchsorted(UP_TO_CLASS, draw[1], side="right"))
            labels = (
                gold if right else (gold + (1 if u < 0.6 else 2)) % len(CLASSES)
                for right, u in ((ours, draw[2]), (baseline, draw[3]))
            )
            yield [dataset, example, CLASSES[gold], *(CLASSES[label] for label in labels)]


def parsing_rows() -> Iterator[Row]:
    """How many words of a sentence each parser attaches rightly, and how many there are."""
    for dataset, n, only_ours, only_baseline in PARSING:
        draws = stream(PARSING_SEED, dataset).random((n, 2 + MOST_WORDS)).tolist()
        for example, (size, level, *words) in enumerate(draws, 1):
            # Short sentences are more common, and some sentences are easier than others.
            total = FEWEST_WORDS + int((MOST_WORDS - FEWEST_WORDS + 1) * size**1.5)
            both = 0.6 + 0.25 * level
            outcomes = _outcomes(np.array(words[:total]), only_ours, only_baseline, both)
            ours, baseline = (sum(side) for side in zip(*outcomes, strict=True))
            yield [dataset, example, ours, baseline, total]


def document_rows() -> Iterator[Row]:
    """Scores of sentences that come in documents."""
    normal = NormalDist()
    for dataset, n, gain in DOCUMENTS:
        draws = stream(DOCUMENTS_SEED, dataset).random((n, 2 + 3 * MOST_SENTENCES)).tolist()
        example = 0
        for document, (length, suits, *sentences) in enumerate(draws, 1):
            size = FEWEST_SENTENCES + int((MOST_SENTENCES - FEWEST_SENTENCES + 1) * length)
            shift = gain + SUITS_BY * normal.inv_cdf(suits)
            for start in range(0, 3 * size, 3):
                level, ours, baseline = (normal.inv_cdf(u) for u in sentences[start : start + 3])
                example += 1
                sentence = 58 + 12 * level
                scores = (sentence + shift + 5 * ours, sentence + 5 * baseline)
                row = [dataset, f"doc-{document:02}", example]
                yield [*row, *(f"{_clip(score):.1f}" for score in scores)]


def length_rows(runs: Sequence[int], *, seed: bool) -> Iterator[Row]:
    """Scores of sentences with their lengths and genres, from these runs.

    `seed` says whether rows name their run, and runs differ in luck.
    """
    normal = NormalDist()
    for dataset, n, short, longer, dialogue in LENGTHS:
        generator = stream(LENGTHS_SEED, dataset)
        # A run as a whole is a little better or worse than another of the same system.
        luck = generator.random((RUNS, len(SYSTEMS))).tolist()
        for example, (size, kind, level, *uniform) in enumerate(
            generator.random((n, 5 + 2 * RUNS)).tolist(), 1
        ):
            length = FEWEST_WORDS + int((LONGEST - FEWEST_WORDS + 1) * size**1.5)
            genre = GENRES[int(np.searchsorted(UP_TO_GENRE, kind, side="right"))]
            gain = short if length <= SHORT_UP_TO else longer
            gain += dialogue if genre == GENRES[0] else 0.0
            own = [normal.inv_cdf(u) for u in uniform]
            for run in runs:
                scores = (
                    58
                    + 14 * normal.inv_cdf(level)
                    + (gain if system == 0 else 0.0)
                    + 4 * own[system]
                    + 3 * own[2 + 2 * run + system]
                    + (0.5 * normal.inv_cdf(luck[run][system]) if seed else 0.0)
                    for system in range(len(SYSTEMS))
                )
                about = [dataset, example, length, genre, *([run + 1] if seed else [])]
                yield [*about, *(f"{_clip(score):.1f}" for score in scores)]


def similarity_rows() -> Iterator[Row]:
    """How similar people find two words, from 0 to 10, and two models, from 0 to 1."""
    normal = NormalDist()
    for dataset, n, *correlations in SIMILARITY:
        draws = stream(SIMILARITY_SEED, dataset).random((n, 4)).tolist()
        for example, uniform in enumerate(draws, 1):
            gold, shared, *own = (normal.inv_cdf(u) for u in uniform)
            models = []
            for rho, error in zip(correlations, own, strict=True):
                noise = SHARED_ERROR**0.5 * shared + (1 - SHARED_ERROR) ** 0.5 * error
                models.append(0.5 + 0.15 * (rho * gold + (1 - rho**2) ** 0.5 * noise))
            yield [dataset, example, f"{10 * uniform[0]:.2f}", *(f"{m:.4f}" for m in models)]


def translation_rows() -> Iterator[Row]:
    """Scores of the same sentences in several languages, from 0 to 100."""
    normal = NormalDist()
    shared = stream(TRANSLATIONS_SEED, "all languages").random((TRANSLATED_SENTENCES, 2)).tolist()
    for dataset, gain in TRANSLATIONS:
        draws = stream(TRANSLATIONS_SEED, dataset).random((TRANSLATED_SENTENCES, 2)).tolist()
        for example, (common, own) in enumerate(zip(shared, draws, strict=True), 1):
            level, suits = (normal.inv_cdf(u) for u in common)
            own_level, own_suits = (normal.inv_cdf(u) for u in own)
            difference = gain + 5 * (
                SHARED_BY_LANGUAGES**0.5 * suits + (1 - SHARED_BY_LANGUAGES) ** 0.5 * own_suits
            )
            baseline = 55 + 10 * level + 4 * own_level
            scores = (baseline + difference, baseline)
            yield [dataset, example, *(f"{_clip(score):.1f}" for score in scores)]


def files() -> dict[str, bytes]:
    """The content of each file, by its name."""
    start = ("dataset", "example")
    return {
        "simulated_accuracy.csv": _csv(
            (*start, *SYSTEMS), outcome_rows(ACCURACY_SEED, ACCURACY, both=0.6)
        ),
        "simulated_quantised.csv": _csv(
            (*start, "quantised", "full"), outcome_rows(QUANTISED_SEED, QUANTISED, both=0.7)
        ),
        "simulated_sentence_scores.csv": _csv((*start, *SYSTEMS), sentence_rows()),
        "simulated_labels.csv": _csv((*start, "gold", *SYSTEMS), label_rows()),
        "simulated_parsing.csv": _csv(
            (*start, *(f"correct_{system}" for system in SYSTEMS), "total"), parsing_rows()
        ),
        "simulated_documents.csv": _csv(
            ("dataset", "document", "example", *SYSTEMS), document_rows()
        ),
        "simulated_lengths.csv": _csv(
            (*start, "length", "genre", *SYSTEMS), length_rows((0,), seed=False)
        ),
        "runs/simulated_seeds.csv": _csv(
            (*start, "length", "genre", "seed", *SYSTEMS), length_rows(range(RUNS), seed=True)
        ),
        "simulated_translations.csv": _csv((*start, *SYSTEMS), translation_rows()),
        "simulated_word_similarity.csv": _csv((*start, "gold", *SYSTEMS), similarity_rows()),
    }


def _outcomes(
    u: np.ndarray, only_ours: float, only_baseline: float, both: float
) -> list[tuple[bool, bool]]:
    """For each uniform number whether ours and the baseline are right."""
    return [
        (v < both + only_ours, v < both or both + only_ours <= v < both + only_ours + only_baseline)
        for v in u.tolist()
    ]


def _clip(score: float) -> float:
    return min(100.0, max(0.0, score))


def _csv(header: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue().encode()


if __name__ == "__main__":
    for name, content in files().items():
        (FOLDER / name).parent.mkdir(exist_ok=True)
        (FOLDER / name).write_bytes(content)

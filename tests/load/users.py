"""Twenty users with data of their own: every name and number of one is in nobody else's file."""

from typing import NamedTuple

import numpy as np

N_DATASETS = 5
# Far beyond chance at any size used here, so that the right answer is known beforehand.
EFFECT, NOISE = 0.03, 0.1


class User(NamedTuple):
    """One user's file and what the app must answer to it.

    Every name in the file begins with `mark`; A is better on `k` datasets, and has `mean_of_a` on
    the first.
    """

    mark: str
    k: int
    mean_of_a: float
    content: bytes

    @property
    def file_name(self) -> str:
        """What the file is called."""
        return f"{self.mark}-results.csv"

    def is_told(self, page: bytes) -> bool:
        """Whether a page shows that score, with four decimals or more."""
        return any(f"{self.mean_of_a:.{decimals}f}".encode() in page for decimals in (4, 5, 6))

    @property
    def answer(self) -> str:
        """The sentence that the first page answers with."""
        return f"on at least {self.k} of {N_DATASETS} datasets"


def make_user(number: int, *, wave: int, megabytes: float) -> User:
    """A user of a wave, with a file of about this size."""
    rng = np.random.default_rng([number, wave])
    mark = f"wave{wave}user{number:02d}"
    k = 1 + number % (N_DATASETS - 1)
    row = f"{mark}-set-0,0.123456,0.123456\n"
    n_rows = round(megabytes * 1e6 / N_DATASETS / len(row))
    lines = [f"dataset,{mark}-ours,{mark}-base\n"]
    mean = 0.0
    for dataset in range(N_DATASETS):
        effect = EFFECT if dataset < k else -EFFECT
        base = 0.3 + 0.017 * number + 0.003 * wave
        scores = rng.normal((base + effect, base), NOISE, (n_rows, 2)).round(6)
        if dataset == 0:
            mean = float(scores[:, 0].mean())
        lines += [f"{mark}-set-{dataset},{a:.6f},{b:.6f}\n" for a, b in scores.tolist()]
    return User(mark=mark, k=k, mean_of_a=mean, content="".join(lines).encode())

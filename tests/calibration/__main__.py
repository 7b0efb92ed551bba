"""How often tests reject, intervals cover and checks doubt: ``./run.sh calibrate``."""

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from scipy.stats import binomtest

from core.significance.known_tests import significance_tests
from tests.calibration import claims, correlations, defaults, effects, joint, margins, runs
from tests.calibration.promises import LEVELS, promised
from tests.calibration.rates import SIDES, p_values, rejected
from tests.calibration.scenarios import KINDS

# Repetitions of a planted effect.
PLANTED = 400
CONFIDENCE = 0.999
# Beside the names of tests: the default tests of averaged scores, the check of claims, all runs of
# two systems together, the intervals of random effects, correlations of few examples, near 1 and of
# skewed scores, counts by joint flips, and 0/1 outcomes at a margin. Each tells how often it is broken.
OTHERS: Mapping[str, Callable[[Callable[[str], None]], int]] = {
    "defaults": defaults.run,
    "claims": claims.run,
    "runs": runs.run,
    "effects": effects.run,
    "correlations": correlations.run,
    "joint": joint.run,
    "margins": margins.run,
}
# Tested at a margin alone.
WITH_NULL = tuple(test for test in significance_tests if test != "tango")


def main() -> None:
    """Print the tables that are asked for; all of them where nothing is."""
    known = (*WITH_NULL, *OTHERS)
    asked = sys.argv[1:] or list(known)
    for name in asked:
        if name not in known:
            sys.exit(f"{name!r} is no test; choose from {', '.join(known)}.")
    broken = 0
    if tests := [name for name in asked if name in WITH_NULL]:
        broken += _tests(tests)
    for name, run in OTHERS.items():
        if name in asked:
            broken += run(partial(print, flush=True))
    sys.exit(broken > 0)


def _tests(asked: Sequence[str]) -> int:
    """Print a row for each test, kind of scores, number of examples and level."""
    print(
        "Share of p <= α under a true null hypothesis, with Clopper and Pearson's interval at "
        f"{CONFIDENCE}, and of a planted effect."
    )
    print(
        f"{'test':26} {'scores':24} {'n':>5} {'α':>5} {'promised':>8}   "
        + "".join(f"{side:28}" for side in SIDES)
        + "planted"
    )
    broken = 0
    for kind, own in KINDS.items():
        for n, repetitions in own.thorough.items():
            for test in (test for test in own.tests if test in asked):
                null = p_values(test, kind, n, 0.0, repetitions)
                planted = p_values(test, kind, n, own.ahead, min(PLANTED, repetitions))
                for level in LEVELS:
                    most = promised(test, kind, n, level)
                    cells = []
                    for number in rejected(null, level).tolist():
                        judged = binomtest(number, len(null))
                        low, high = judged.proportion_ci(CONFIDENCE, method="exact")
                        mark = "!" if low > most else " "
                        broken += int(low > most)
                        cells.append(f"{judged.statistic:.4f} [{low:.4f}, {high:.4f}]{mark}   ")
                    power = rejected(planted, level)[0] / len(planted)
                    print(
                        f"{test:26} {kind:24} {n:5} {level:5} {most:8.3f}   "
                        f"{' '.join(cells)} {power:.3f}",
                        flush=True,
                    )
    print(f"! more often than promised: {broken}")
    return broken


if __name__ == "__main__":
    main()

"""The line that reproduces a result."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.data import ResultSet, read_results, read_sample
from core.effects.across import compare_across
from core.effects.friedman import friedman
from core.effects.subsets import prediction_experiment
from core.signature import bytes_of_numbers, signature_line
from core.significance import run_dataset_tests
from core.version import __version__


def test_a_signature_names_settings_in_order_and_ends_with_the_version() -> None:
    assert signature_line(pc="fisher", alpha=0.05, datasets=23, seed=0) == (
        f"pc:fisher|alpha:0.05|datasets:23|seed:0|v:{__version__}"
    )


def test_what_is_not_set_is_left_out_and_nothing_can_forge_a_field() -> None:
    assert signature_line(a=None, name="x|y:z") == f"name:x_y_z|v:{__version__}"


def test_the_last_digits_of_computed_numbers_change_no_signature_and_the_first_nine_do() -> None:
    rng = np.random.default_rng(4)
    scores = rng.normal(0.7, 0.1, (12, 3))
    data = read_results(read_sample("simulated-accuracy")[1])
    assert isinstance(data, ResultSet)
    tests = run_dataset_tests(data, a="ours", b="baseline", test="wilcoxon")

    def signatures(factor: float) -> list[str]:
        own = scores * factor
        p_values = tests.p_values * factor
        table = replace(tests, p_values=p_values, p_value_bounds=(p_values, p_values))
        return [
            compare_across(own[:, 0], own[:, 1]).signature,
            friedman(own).signature,
            prediction_experiment(own[:, 0], own[:, 1] ** 2, sizes=[3], n_repetitions=1).signature,
            table.fingerprint,
        ]

    here, elsewhere, other = (signatures(factor) for factor in (1.0, 1.0 + 3e-15, 1.0 - 1e-6))
    assert here == elsewhere
    assert all(one != another for one, another in zip(here, other, strict=True))
    assert bytes_of_numbers([0.0, 1.0]) == bytes_of_numbers([-0.0, 1.0 + 1e-13])

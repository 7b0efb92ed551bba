"""The line that reproduces a result."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core.claims.check import check_claims
from core.data import PValueTable, ResultSet, read_results, read_sample
from core.effects.across import compare_across
from core.effects.friedman import friedman
from core.effects.subsets import prediction_experiment
from core.reliability.across_domains import across_domains
from core.reliability.covariates import dataset_cut_off_study
from core.reliability.pairs import metric_study
from core.reliability.power import StatedEffect, examples_needed, power_at
from core.reliability.prior_odds import prior_odds_study
from core.reliability.repeated_runs import run_to_run
from core.reliability.sample_size import subsample_significance
from core.signature import bytes_of_numbers, listed, signature_line
from core.significance.run import run_dataset_tests
from core.systems.all_pairs import compare_all_pairs
from core.systems.comparisons import PairComparisons, standings
from core.systems.sizes import thresholds_by_size
from core.version import __version__
from tests.core.systems.made import result_set, two_groups


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


def test_a_list_is_written_in_full_where_it_is_short_and_never_as_another_list() -> None:
    assert listed(["news", "web"]) == "news,web"
    assert listed([100, 0.5]) == "100,0.5"
    alike = [["a", "b"], ["a,b"], ["a", "b", ""], ["a|b"], ["a:b"], ["a_b"]]
    lists = [[], *alike, range(100), range(1, 101), ["x" * 99], ["x" * 98 + "y"]]
    written = [listed(one) for one in lists]
    assert len(set(written)) == len(lists)
    assert max(map(len, written)) < 20


def scores(n_datasets: int = 3) -> ResultSet:
    return result_set(*(two_groups(40, 4, k, spread=0.4) for k in range(n_datasets)))


def metrics_of(*datasets: str) -> str:
    return metric_study(scores(), a="s0", b="s3", tests=("paired-t",), datasets=datasets).signature


def subsamples_of(a: str, *datasets: str) -> str:
    drawn: dict[str, Any] = {"shares": (0.5, 1.0), "n_subsamples": 2, "datasets": datasets}
    return subsample_significance(scores(), a=a, b="s3", test="paired-t", **drawn).signature


def runs_of(**asked: Any) -> str:
    a, b = np.random.default_rng(1).normal(size=(2, 30, 3))
    return run_to_run(a, b, test="paired-t", **asked).signature


def pairs_of(*datasets: str) -> PairComparisons:
    return compare_all_pairs(scores(), test="paired-t", datasets=datasets)


def across_of(*edges: float) -> str:
    return across_domains(pairs_of("d0", "d1"), source="d0", bins=edges).signature


def sizes_of(selection: str) -> str:
    return thresholds_by_size(
        scores(), "d0", sizes=[20], selections=[selection], n_subsets=1, test="paired-t"
    ).signature


def cut_offs_of(step: float) -> str:
    covariate = step * np.arange(40.0)
    return dataset_cut_off_study(scores(), "d0", covariate, a="s0", b="s3", n_random=9).signature


def power_of(sizes: list[int]) -> str:
    return power_at(
        StatedEffect(effect=0.1, test="paired-t", standard_deviation=1.0), sizes
    ).signature


def needed_of(most: int) -> str:
    return examples_needed(
        StatedEffect(effect=0.5, test="paired-t", standard_deviation=1.0), 0.8, most=most
    ).signature


def claims_of(alternative: str) -> str:
    table = read_results(read_sample("parsing-redshift")[1], roles={"alternative": alternative})
    assert isinstance(table, PValueTable)
    return check_claims(table, "at least 5 of 7 by Fisher").signature


SIGNATURES: dict[str, tuple[Callable[[], str], Callable[[], str]]] = {
    "datasets of metrics": (lambda: metrics_of("d0", "d1"), lambda: metrics_of("d0", "d2")),
    "datasets of subsamples": (
        lambda: subsamples_of("s0", "d0", "d1"),
        lambda: subsamples_of("s0", "d0", "d2"),
    ),
    "systems of subsamples": (lambda: subsamples_of("s0", "d0"), lambda: subsamples_of("s1", "d0")),
    "datasets of all pairs": (
        lambda: pairs_of("d0", "d1").signature,
        lambda: pairs_of("d0", "d2").signature,
    ),
    "datasets of ranks": (
        lambda: standings(pairs_of("d0", "d1")).signature,
        lambda: standings(pairs_of("d0", "d2")).signature,
    ),
    "bins across datasets": (lambda: across_of(0.05, 1.0), lambda: across_of(0.1, 1.0)),
    "examples of a size": (lambda: sizes_of("initial"), lambda: sizes_of("random")),
    "cut-offs": (lambda: cut_offs_of(1.0), lambda: cut_offs_of(2.0)),
    "level of runs": (runs_of, lambda: runs_of(confidence_level=0.9)),
    "runs stopped": (runs_of, lambda: runs_of(on_progress=lambda done, _total: done < 4)),
    "sizes of power": (lambda: power_of([10, 20]), lambda: power_of([10, 30])),
    "largest size": (lambda: needed_of(10), lambda: needed_of(20)),
    "further odds": (
        lambda: prior_odds_study().signature,
        lambda: prior_odds_study(further_prior_odds=(0.3,)).signature,
    ),
    "further powers": (
        lambda: prior_odds_study().signature,
        lambda: prior_odds_study(further_powers=(0.3,)).signature,
    ),
    "direction of claimed p-values": (lambda: claims_of("greater"), lambda: claims_of("less")),
}


@pytest.mark.parametrize("what", SIGNATURES)
def test_a_signature_tells_apart_what_numbers_depend_on(what: str) -> None:
    take, take_other = SIGNATURES[what]
    assert take_other() != take() == take()

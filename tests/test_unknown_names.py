"""A name that a room does not know is an error, never another test, count or procedure.

Every public function of these rooms that takes the name of a test, a combination, a procedure, a
metric, an alternative or another choice is found by its annotation and called with a name that
none knows. Whatever it does then must be an error that tells the name.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np

import core
from core.analysis import AnalysisSettings, analyse
from core.claims.checked import CheckedTable, Way
from core.claims.claim import Claim
from core.claims.correlations import CorrelationBox
from core.claims.means import MeansBox
from core.claims.no_p_values import PossibleBox
from core.claims.printed_scores import read_scores, splits_of
from core.data import ResultSet, read_results
from core.effects.friedman import friedman
from core.effects.from_results import dataset_effects
from core.reliability.cut_offs import CutOffTest
from core.reliability.flipped_choices import flipped_choice
from core.reliability.pairs import count_pairs
from core.reliability.subsamples import subsampled
from core.replicability.counting import count_in_groups
from core.significance.counting import SIGN
from core.significance.differences import paired_differences
from core.significance.known_tests import significance_test_named
from core.significance.lattice import DrawSum
from core.significance.outcome import Sides
from core.significance.plan import planned_tests
from core.significance.settings import Asked, Settings
from core.significance.shared_resamples import UnitStatistics
from core.significance.single import run_significance_test
from core.significance.stopping import Steps
from core.simulation.batch import BatchCounter
from core.simulation.runs import simulate_k_hat
from core.simulation.scenarios import Block, Scenario
from core.systems.all_pairs import compare_all_pairs
from core.systems.side_by_side import averaged_columns
from core.words.subject import Subject, questions

ROOMS = (
    "analysis",
    "charts",
    "claims",
    "effects",
    "export",
    "metrics",
    "reliability",
    "replicability",
    "report",
    "significance",
    "simulation",
    "systems",
)
NAME = "a name that none knows"
# Annotations that are choices by name.
CHOICES = {
    "Alternative",
    "ClaimAlternative",
    "ClaimMetric",
    "Correlation",
    "Dependence",
    "Estimator",
    "IntervalKind",
    "LabelMetric",
    "Method",
    "MethodUsed",
    "Metric",
    "ScoreMetric",
    "Sidedness",
    "TestAlternative",
    "Zeros",
}
# Parameters that are choices by name, though annotated as strings.
PARAMETERS = {
    "alternative",
    "combination",
    "detail",
    "effect",
    "estimator",
    "estimators",
    "family",
    "kind",
    "layout",
    "method",
    "model",
    "procedure",
    "procedures",
    "selections",
    "tau2",
    "test",
    "tests",
    "variance",
    "zeros",
}
NO_CHOICES = (
    # A part of a seed.
    "core.reliability.subsamples.resampling_stream.test",
    "core.significance.settings.dataset_stream.test",
    # What a kernel can have, which is to be checked where it has it.
    "core.significance.significance_test.OfCounts.p_of_counts.alternative",
    # What has named already, as the result tells it.
    "core.replicability.identification.identified.procedure",
    # They ask whether a name is one of their own.
    "core.metrics.registry.is_counted.kind",
    "core.systems.side_by_side.is_summed.kind",
    # What a file calls its metric, or the page its tests, is shown as it is.
    "core.words.formatting.metric_label.kind",
    "core.words.systems_board.opened_sentence.tests",
    # Of both directions, of which these data show one only.
    "core.analysis.statements.other_names.procedure",
    # Words on what a check has found, which took its names.
    "core.claims.row_sentences",
    "core.claims.wording",
)


def public(module: str) -> Iterator[tuple[str, Callable[..., object]]]:
    """Functions of a module, and methods of its classes, under their names."""
    for name, thing in vars(importlib.import_module(module)).items():
        if name.startswith("_") or getattr(thing, "__module__", "") != module:
            continue
        if inspect.isfunction(thing):
            yield name, thing
        elif inspect.isclass(thing):
            for key in vars(thing):
                member = getattr(thing, key)
                if not key.startswith("_") and (
                    inspect.isfunction(member) or inspect.ismethod(member)
                ):
                    yield f"{name}.{key}", member


def choices() -> Iterator[tuple[str, Callable[..., object], str]]:
    """Path, function and parameter of every choice by name."""
    for module in pkgutil.walk_packages(core.__path__, "core."):
        if module.name.split(".")[1] not in ROOMS:
            continue
        for key, function in public(module.name):
            for parameter in inspect.signature(function).parameters.values():
                annotation = str(parameter.annotation)
                words = set(re.findall(r"\w+", annotation))
                is_choice = words & CHOICES or (parameter.name in PARAMETERS and "str" in words)
                path = f"{module.name}.{key}.{parameter.name}"
                is_plain = not annotation.startswith(("Mapping", "dict", "Callable"))
                if is_choice and is_plain and not path.startswith(NO_CHOICES):
                    yield path, function, parameter.name


def read(content: bytes, **roles: str) -> Any:
    return read_results(content, roles=roles or None)


@cache
def given() -> dict[str, Any]:
    """An argument for each name of a parameter, and an object for each name of a class."""
    rng = np.random.default_rng(1)
    columns = np.round(rng.normal(size=(12, 3)), 1)
    a, b, gold = columns.T
    results = ResultSet.from_scores(
        {name: dict(zip("xyz", rng.integers(0, 9, (3, 12)) / 10.0, strict=True)) for name in "def"}
    )
    table = read(
        b"dataset,A,B,p_value,n\nd,.9,.8,.01,100\ne,.7,.6,.2,100\nf,.8,.7,.3,100\n",
        alternative="two-sided",
    )
    analysis = analyse(table, AnalysisSettings())
    question = questions(analysis.assessment)[0]
    p_values = np.array([0.01, 0.2, 0.3])
    few = np.ones(3, dtype=np.bool_)
    score_a, score_b = read_scores("0.8", "0.7", metric="accuracy")
    differences = paired_differences(a, b)
    plan = planned_tests(results, a="x", b="y", test="paired-bootstrap", metric="score")["d"]
    return {
        "by": "Pearson correlation",
        "asked": Asked(settings=Settings(), rng=rng),
        "counts": (("a-better", 2),),
        "clusters": None,
        "margins": dict.fromkeys("def", 0.0),
        "keep_going": lambda: True,
        "stream": lambda: rng,
        "a": a,
        "b": b,
        "gold": gold,
        "scores": a,
        "differences": differences,
        "p_values": p_values,
        "values": p_values,
        "p_values_low": p_values,
        "p_values_high": p_values,
        "low": p_values,
        "high": p_values,
        "given": p_values,
        "members": few,
        "always": few,
        "ever": few,
        "never": few,
        "alpha": 0.05,
        "n": 100,
        "n_examples": 100,
        "n_resamples": 9,
        "n_repetitions": 9,
        "n_datasets": 3,
        "n_rows": 3,
        "n_units": 12,
        "n_draws": 9,
        "n_differing": 2,
        "size": 12,
        "k": 1,
        "at_least": 1,
        "fewest": 1,
        "most": 2,
        "n_other_ahead": 1,
        "threshold": 0.05,
        "effect": 0.1,
        "shift": 0.1,
        "disagreement": 0.2,
        "sizes": np.array([10, 20]),
        "power": 0.8,
        "room": 0.0,
        "delta": 0.1,
        "deltas": p_values,
        "jackknife": lambda: a,
        "rng": rng,
        "seed": 1,
        "places": np.arange(12).reshape(2, 6),
        "sign": 1.0,
        "r_gold_a": 0.5,
        "r_gold_b": 0.4,
        "r_a_b": 0.3,
        "wins": 5,
        "losses": 3,
        "disagreements": np.array([4]),
        "test": "paired-bootstrap",
        "alternative": "greater",
        "method": "exact",
        "correlation": "spearman",
        "kind": "mean",
        "margin": 0.1,
        "of_means": True,
        "family": "all",
        "tests": ("sign",),
        "result_set": results,
        "dataset": "d",
        "datasets": ("d", "e", "f"),
        "systems": ("x", "y", "z"),
        "metric": "score",
        "higher_is_better": True,
        "maximum": None,
        "reduction": False,
        "confidence_level": 0.5,
        "of_labels": False,
        "run_scores_a": columns[:, :2],
        "run_scores_b": columns[:, 1:],
        "covariate": np.arange(12.0),
        "labels": "aab",
        "groups": {"g": (0, 1)},
        "group_indices": [0, 1],
        "effects": p_values,
        "variances": p_values,
        "table": table,
        "whole": table,
        "analysis": analysis,
        "question": question,
        "data": "",
        "answer": question.answer,
        "practice": question.answer.practice,
        "subject": Subject(system_a="A", system_b="B", datasets=("d", "e", "f")),
        "checked": CheckedTable(table=table, alpha=0.05, dependence="not-known"),
        "claim": Claim(kind="at-least", k=1),
        "claims": (),
        "dependence": "not-known",
        "side": "a",
        "ahead": "A",
        "behind": "B",
        "system": "A",
        "system_a": "A",
        "system_b": "B",
        "score_a": "0.8",
        "score_b": "0.7",
        "p_value": "0.03",
        "mean_a": "0.8",
        "mean_b": "0.7",
        "needs": "independence",
        "printed": "0.03",
        "by_itself": True,
        "settings": Settings(
            alternative="greater",
            method="auto",
            n_resamples=9,
            resample_size=None,
            estimator="add-one",
            zeros="wilcox",
            confidence_level=0.5,
        ),
        "known": significance_test_named("paired-bootstrap"),
        "result": run_significance_test(a, b, test="paired-t"),
        "full": run_significance_test(a, b, test="paired-t"),
        "points": (),
        "own": None,
        "friedman": friedman(columns),
        "first": np.array([0]),
        "second": np.array([1]),
        "columns": averaged_columns(columns),
        "exact": DrawSum(np.arange(12), 12),
        "means": a,
        "pairs": compare_all_pairs(results, test="sign"),
        "scenario": Scenario(blocks=(Block(3),)),
        "make_scenario": lambda n: Scenario((Block(n),)),
        "group": count_in_groups(p_values, {"g": (0, 1)})[0],
        "scores_a": a,
        "scores_b": b,
        "statistics": UnitStatistics(
            a=columns[:, :2],
            b=columns[:, 1:],
            score=lambda sums: sums[..., 0],
            sign=1.0,
            scale_of=max,
        ),
        "Analysis": analysis,
        "BatchCounter": BatchCounter(3, alpha=0.05),
        "CommonPractice": question.answer.practice,
        "CorrelationBox": CorrelationBox(
            test="williams", r_gold_a=(0.5, 0.6), r_gold_b=(0.4, 0.5), n_examples=100
        ),
        "Claim": Claim(kind="at-least", k=1),
        "CountingTest": SIGN,
        "MeansBox": MeansBox(
            difference=(0.1, 0.2), sd_a=None, sd_b=None, sd_difference=(1.0, 1.1), n_examples=100
        ),
        "PValueTable": table,
        "PairFamily": count_pairs(("d", "e", "f"), ("m", "m", "m"), p_values),
        "PossibleBox": PossibleBox(low=p_values, high=p_values, misfits=()),
        "way": Way(name="as-they-stand", low=p_values, high=p_values),
        "Sides": Sides(0.1, 0.2, 0.3),
        "SignificanceResult": run_significance_test(a, b, test="paired-t"),
        "Simulation": (
            simulation := simulate_k_hat(Scenario(blocks=(Block(3),)), n_repetitions=10)
        ),
        "simulation": simulation,
        "Splits": splits_of(score_a, score_b, 100),
        "Subject": Subject(system_a="A", system_b="B", datasets=("d", "e", "f")),
        "Subsampled": subsampled(results, "d", plan, a="x", b="y"),
    }


@cache
def others() -> dict[str, Any]:
    """Where a parameter is something else, by what "path: annotation" is like."""
    score_a, score_b = read_scores("0.8", "0.7", metric="accuracy")
    return {
        r".*\.a: str": "x",
        r".*\.b: str": "y",
        r".*\.a: float": 0.5,
        r".*\.b: float": 0.4,
        r".*\.system: str": "x",
        r".*\.low: float": 0.01,
        r".*\.high: float": 0.02,
        r".*\.score_a: ScoreRange": score_a,
        r".*\.score_b: ScoreRange": score_b,
        r".*\.scores: Mapping": {},
        r".*\.table: ScoreTable": read(b"dataset,A,B\nd,.9,.8\ne,.7,.6\nf,.8,.7\n"),
        r".*\.differences: IntArray": np.array([1]),
        r".*\.differences: FloatArray \| None": None,
        r".*\.n_examples: Sequence": [100, 100, 100],
        r".*\.covariate: Mapping": {name: ["v", "w"] * 6 for name in "def"},
        r".*\.groups: Sequence": "uuv",
        r".*\.compared_on\.examples": np.arange(12),
        r".*\.compared_on\.steps": Steps(None, total=1),
        r".*\.compared_on\.rng": 1,
        r".*\.titles: Iterable": ("random effects",),
        r".*\.effects: DatasetEffects": dataset_effects(given()["result_set"], a="x", b="y"),
        r".*\.metric: ScoreMetric": "accuracy",
        r".*\.metric: str \| StatisticMetric": "mean",
        r"core\.significance\.compare\..*\.by": significance_test_named("paired-bootstrap"),
        r"core\.claims\..*\.test: str": "mcnemar",
        r"core\.report\..*\.claim": "a-better",
        r".*\.k_hat\.p_values": np.full((2, 3), 0.5),
        r".*\.DatasetSubsamples\.of\.own": given()["Subsampled"],
        r".*\.fitting_tests\.tests": ("auto",),
    }


def called(path: str, function: Callable[..., object], parameter: str) -> object:
    arguments: dict[str, Any] = {}
    for own in inspect.signature(function).parameters.values():
        annotation = str(own.annotation)
        place = f"{path.rpartition('.')[0]}.{own.name}: {annotation}"
        if own.name == parameter:
            many = annotation.startswith(("Sequence", "tuple", "Iterable", "Collection"))
            value: Any = (NAME,) if many else NAME
        elif own.name == "self":
            value = given()[path.split(".")[-3]]
        elif own.default is own.empty and own.kind is not own.VAR_POSITIONAL:
            like = [known for pattern, known in others().items() if re.match(pattern, place)]
            value = like[0] if like else given()[own.name]
        else:
            continue
        arguments[own.name] = value
    return function(**arguments)


def answer_to(call: Callable[[], object]) -> str:
    """What a call says in an error; else what it returned."""
    try:
        return f"returned {call()!r:.60}"
    except (ValueError, KeyError) as error:
        return str(error)


def test_a_name_that_none_knows_is_an_error_in_every_room() -> None:
    found = list(choices())
    # As many as there are today, so that the walk does not quietly shrink.
    assert len(found) >= 174
    answers = {
        path: answer_to(partial(called, path, function, parameter))
        for path, function, parameter in found
    }
    assert {path: said for path, said in answers.items() if NAME not in said} == {}


def test_a_plan_with_such_a_test_is_an_error_where_it_is_run() -> None:
    known = given()
    plan = replace(known["Subsampled"].plan, test=NAME)
    results = known["result_set"]
    places = known["places"]
    calls: dict[str, Callable[[], object]] = {
        "subsamples": lambda: replace(known["Subsampled"], plan=plan).p_values(
            places, alternative="greater", n_resamples=9, seed=1, keep_going=None
        ),
        "flips": lambda: flipped_choice(results, "d", plan, a="x", b="y"),
        "cut-offs": lambda: CutOffTest(
            differences=known["differences"],
            test=NAME,
            n_at_most=places[0],
            n_at_least=places[0],
            n_resamples=9,
            seed=1,
        ),
    }
    answers = {name: answer_to(call) for name, call in calls.items()}
    assert {name: said for name, said in answers.items() if NAME not in said} == {}

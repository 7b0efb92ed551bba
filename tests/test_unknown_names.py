"""A name that nothing knows is an error, never another test, count or procedure.

Every public function and method that takes the name of a test, a combination, a procedure, a
metric, an alternative or another choice is found by its annotation and called with a name that none
knows. Whatever it does then must be an error that tells the name.
"""

import inspect
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np

import core
from core import (
    AnalysisSettings,
    Block,
    Claim,
    PValueTable,
    ResultSet,
    Scenario,
    analyse,
    read_results,
    run_significance_test,
    simulate_k_hat,
)
from core.words.subject import questions

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
    "Literal",
    "Method",
    "Metric",
    "ScoreMetric",
    "TestAlternative",
    "Zeros",
}
# Parameters that are choices by name, though annotated as strings.
PARAMETERS = {
    "alternative",
    "combination",
    "effect",
    "estimator",
    "method",
    "model",
    "procedure",
    "tau2",
    "test",
    "variance",
}


def public() -> Iterator[tuple[str, Callable[..., object]]]:
    """Public functions, and methods of public classes, under their names."""
    for name in core.__all__:
        thing = getattr(core, name)
        if inspect.isfunction(thing):
            yield name, thing
        elif inspect.isclass(thing):
            for key in vars(thing):
                member = getattr(thing, key)
                if not key.startswith("_") and (
                    inspect.isfunction(member) or inspect.ismethod(member)
                ):
                    yield f"{name}.{key}", member


def test_signatures_of_public_functions_name_types_by_their_short_names() -> None:
    for name, function in public():
        assert "_typing" not in str(inspect.signature(function)), name


def written(parameter: inspect.Parameter) -> str:
    """Its annotation without modules, whether it is postponed or not."""
    said = parameter.annotation
    return re.sub(r"\w+\.", "", said.__name__ if isinstance(said, type) else str(said))


def choices() -> Iterator[tuple[str, Callable[..., object], str]]:
    """Path, function and parameter of every choice by name."""
    for name, function in public():
        for parameter in inspect.signature(function).parameters.values():
            annotation = written(parameter)
            words = set(re.findall(r"\w+", annotation))
            is_choice = words & CHOICES or (parameter.name in PARAMETERS and "str" in words)
            if is_choice and not annotation.startswith(("Mapping", "dict", "Callable")):
                yield f"{name}.{parameter.name}", function, parameter.name


@cache
def given() -> dict[str, Any]:
    """An argument for each name of a parameter, and an object for each name of a class."""
    rng = np.random.default_rng(1)
    columns = np.round(rng.normal(size=(12, 4)), 1)
    a, b = columns[:, 0], columns[:, 1]
    results = ResultSet.from_scores(
        {name: dict(zip("xyz", rng.integers(0, 9, (3, 12)) / 10.0, strict=True)) for name in "def"}
    )
    table = read_results(
        b"dataset,A,B,p_value,n\nd,.9,.8,.01,100\ne,.7,.6,.2,100\nf,.8,.7,.3,100\n",
        roles={"alternative": "two-sided"},
    )
    assert isinstance(table, PValueTable)
    analysis = analyse(table, AnalysisSettings())
    p_values = np.array([0.01, 0.2, 0.3])
    return {
        "a: str": "x",
        "b: str": "y",
        "alpha": 0.05,
        "at_least": 1,
        "data": results,
        "differences": a - b,
        "effects": p_values,
        "group_indices": [0, 1],
        "n": 100,
        "p_values": p_values,
        "question": questions(analysis.assessment)[0],
        "result_set": results,
        "run_scores_a": columns[:, :2],
        "run_scores_b": columns[:, 2:],
        "score_a": "0.8",
        "score_b": "0.7",
        "scores_a": a,
        "scores_b": b,
        "subject": analysis.subject,
        "table": table,
        "test": "paired-bootstrap",
        "variances": p_values,
        "Analysis": analysis,
        "PValueTable": table,
        "ResultSet": results,
        "Claim": Claim(kind="at-least", k=1),
        "SignificanceResult": run_significance_test(a, b, test="paired-t"),
        "Simulation": simulate_k_hat(Scenario(blocks=(Block(3),)), n_repetitions=10),
    }


def answer_to(path: str, function: Callable[..., object], parameter: str) -> str:
    """What a call with an unknown name says in an error; else what it returned."""
    arguments: dict[str, Any] = {}
    for own in inspect.signature(function).parameters.values():
        if own.name == parameter:
            arguments[own.name] = NAME
        elif own.name == "self":
            arguments[own.name] = given()[path.split(".")[0]]
        elif own.default is own.empty and own.kind is not own.VAR_POSITIONAL:
            known = given()
            arguments[own.name] = known.get(f"{own.name}: {written(own)}", known.get(own.name))
    try:
        return f"returned {function(**arguments)!r:.60}"
    except (ValueError, KeyError) as error:
        return str(error)


def test_a_name_that_nothing_knows_is_an_error_wherever_the_public_takes_one() -> None:
    answers = {path: answer_to(path, function, name) for path, function, name in choices()}
    # As many as there are today, so that the walk does not quietly shrink.
    assert len(answers) >= 49
    assert {path: said for path, said in answers.items() if NAME not in said} == {}

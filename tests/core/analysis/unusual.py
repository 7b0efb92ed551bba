"""Settings that are not the usual ones, made from the table of settings, and data that have them all."""

from typing import Any

from core.analysis import AnalysisSettings
from core.analysis.settings import CHOICES, Choice
from core.data import ResultSet
from tests.read_as import read_as

NAME = "examples.csv"
FILE = (
    "dataset,example,system,first,second,margin\n"
    + "".join(
        f"{dataset},{i},{system},{i * k % 5 / 4},{i * k % 3 / 2},{len(dataset) / 10}\n"
        for dataset in ("one", "-two", "th=ree")
        for i in range(6)
        for k, system in ((7, "red"), (4, "green"), (3, "blue"))
    )
).encode()
# Of settings with neither a list of values nor a type that says what else they may be.
_OWN: dict[str, tuple[object, ...]] = {
    "alpha": (0.01, 0.1234567),
    "excluded": (("-two",), ("one", "th=ree")),
    "question": ("differ",),
    "pair": ((0, 2), (1, 2)),
    "metric": ("second",),
    "margin": ("column", 0.1, 0.025),
    "extended": ((("th=ree", 20000),), (("one", 20000), ("-two", 30000))),
}


def results() -> ResultSet:
    """The file, read."""
    return read_as(ResultSet, FILE, name=NAME)


def others(choice: Choice) -> tuple[Any, ...]:
    """What a setting may be besides what is usual: all of it where that is a list."""
    if choice.values():
        return tuple(value for value in choice.values() if value != choice.usual)
    if isinstance(choice.usual, bool):
        return (not choice.usual,)
    if isinstance(choice.usual, int):
        return (choice.least, choice.usual + 1)[choice.least == choice.usual :]
    return _OWN[choice.name]


# Without this the other is none.
_WITH: dict[str, dict[str, Any]] = {
    "combination": {"dependence": "independent"},
    "procedure": {"joint": "example-id"},
    "claim": {"margin": 0.25},
    "margin": {"claim": "not-worse"},
}
ONE_UNUSUAL = [
    AnalysisSettings(**{name: value, **_WITH.get(name, {})})
    for name, choice in CHOICES.items()
    for value in others(choice)
]
ALL_UNUSUAL = AnalysisSettings(
    **{name: others(choice)[-1] for name, choice in CHOICES.items() if name != "test"},
    # One that these data allow.
    test="wilcoxon",
)
EACH_AND_ALL = [*ONE_UNUSUAL, ALL_UNUSUAL]


def named(settings: AnalysisSettings) -> str:
    """What is not usual, for the name of a test."""
    changed = [
        f"{name}={value}"
        for name, choice in CHOICES.items()
        if (value := getattr(settings, name)) != choice.usual
    ]
    return ", ".join(changed) if len(changed) <= 2 else "all"

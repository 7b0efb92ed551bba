"""What a simulation is of, as data: a scenario chosen or built of numbers, how many studies, and the seed."""

import json
import re
from collections.abc import Mapping
from dataclasses import astuple, dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any, ClassVar, Self

from core.replicability.combinations import combinations_under
from core.simulation.families import (
    FEWEST_SHARED_EXAMPLES,
    MOST_SHARED_EXAMPLES,
    MOST_SHARING_DATASETS,
    SHAPES,
    shared_examples,
    shared_test_sets,
)
from core.simulation.scenarios import (
    MOST_EXAMPLES,
    TOY_DEPENDENT,
    TOY_INDEPENDENT,
    Block,
    Difference,
    Preset,
    PValueSource,
    Scenario,
    Source,
    mcnemar_datasets,
    shift_by,
)
from core.words import simulation as words
from pages.ui.frame import limits
from pages.ui.frame.widgets import Field

LARGEST_SHIFT = 100.0
LARGEST_SAMPLE = 10_000_000
MOST_ROWS = 12
# The year of the paper; any other serves as well.
FIRST_SEED = 2017
REPETITIONS = (1_000, 10_000, 100_000, 1_000_000)
MOST_STUDIES = 1_000_000
_LONGEST_LINK = 4_000
_LONGEST_LINE = 80
_DIGITS = re.compile(r"\d+\.\d{4,}")
OWN, DATA, SMALL, SHARED = "own", "data", "mcnemar", "test-sets"
_PRESETS: Mapping[str, Preset] = {"toy-1": TOY_INDEPENDENT, "toy-2": TOY_DEPENDENT}


N_STUDIES = Field("n_studies", "Studies", 1, MOST_STUDIES, key="n", usual=10_000)
SEED = Field("seed", "Seed", 0, limits.LARGEST_SEED, help=words.SEED_HELP, key="seed", usual=0)
DATASETS_OF_ROW = Field("n_datasets", "Datasets in each", 1, limits.MAX_DATASETS, key="n")
BLOCKS_OF_ROW = Field(
    "n_blocks",
    "Blocks",
    1,
    limits.MAX_DATASETS,
    help="Datasets of one block depend on each other; different blocks are independent. Ten blocks of ten "
    "are a hundred datasets.",
    key="times",
    usual=1,
)
RHO_OF_ROW = Field("rho", "Dependence ρ", 0.0, 1.0, 0.1, words.RHO_HELP, key="rho", usual=0.0)
SHIFT_OF_ROW = Field(
    "shift", "Shift of z", -LARGEST_SHIFT, LARGEST_SHIFT, 0.5, key="effect", usual=0.0
)
# In the order of an address.
ROW_FIELDS = (DATASETS_OF_ROW, BLOCKS_OF_ROW, RHO_OF_ROW)
DIFFERENCE_FIELDS = (
    Field(
        "d",
        "A better by",
        -1.0,
        1.0,
        0.005,
        "Accuracy of A less that of B: .02 is two points.",
        key="d",
    ),
    Field("n_examples", "Examples of each", 1, LARGEST_SAMPLE, 100, key="examples"),
    Field("q", "Share that differs", 0.001, 1.0, 0.05, words.SHARE_HELP, key="q"),
)


def _asked(usual: Any, *asked: Any) -> Any:
    """A number of a scenario with its usual value, asked for as a `Field` says after its name."""
    return field(default=usual, metadata={"asked": asked})


@dataclass(frozen=True, slots=True)
class Numbers:
    """A scenario's numbers, each `_asked` for, which an address has in a list.

    Links of before end without those that came `LATER`, which then are what stands there.
    """

    LATER: ClassVar[tuple[float, ...]] = ()

    @classmethod
    def asked(cls) -> tuple[Field, ...]:
        """The field of each of them."""
        return tuple(Field(one.name, *one.metadata["asked"]) for one in fields(cls))

    def written(self) -> dict[str, object]:
        """As an address carries them, unless they are the usual ones."""
        return {} if self == type(self)() else {"numbers": list(astuple(self))}

    @classmethod
    def read(cls, given: dict[str, Any]) -> Self:
        """Take them out of what an address says."""
        numbers, asked = given.pop("numbers", astuple(cls())), cls.asked()
        if len(numbers) < len(asked):
            numbers = [*numbers, *cls.LATER]
        return cls(*(one.read(number) for one, number in zip(asked, numbers, strict=True)))


@dataclass(frozen=True, slots=True)
class SmallDatasets(Numbers):
    """Numbers of "mcnemar": A is better by d on the first `n_better` datasets."""

    n_datasets: int = _asked(20, "Datasets", 1, limits.MAX_DATASETS)
    n_examples: int = _asked(30, "Examples of each", 1, MOST_EXAMPLES, 10)
    q: float = _asked(0.2, "Share that differs", 0.001, 1.0, 0.05, words.SHARE_HELP)
    n_better: int = _asked(0, "A better on", 0, limits.MAX_DATASETS)
    d: float = _asked(0.1, "A better there by", 0.0, 1.0, 0.05)

    @property
    def problem(self) -> str:
        """Why there are no such datasets; empty where there are."""
        if self.n_better > self.n_datasets:
            return f"A can be better on {self.n_datasets:,} datasets at most."
        if self.n_better and not 0.0 < self.d <= self.q:
            return (
                f"Where A is better it must be by more than 0 and at most {100 * self.q:g}%, the "
                "share of examples on which the systems differ."
            )
        return ""

    def scenario(self) -> Source:
        """What is drawn."""
        d = self.d if self.n_better else 0.0
        return mcnemar_datasets(self.n_datasets, self.n_examples, self.q, d, self.n_better)

    def sentence(self, *, alpha: float) -> str:
        """What they mean for a dataset on which A is better; empty without such."""
        if not self.n_better:
            return ""
        return words.accuracy_sentence(self.d, self.n_examples, self.q, alpha=alpha, exactly=True)


@dataclass(frozen=True, slots=True)
class SharedSets(Numbers):
    """Numbers of "test-sets": A is better on `n_better` datasets of each test set.

    Without examples, which joint flips need, z alone is drawn.
    """

    LATER: ClassVar[tuple[float, ...]] = (0,)
    n_test_sets: int = _asked(4, "Test sets", 1, limits.MAX_DATASETS)
    n_sharing: int = _asked(3, "Datasets on each", 1, limits.MAX_DATASETS)
    rho: float = _asked(0.5, "Dependence ρ on one", 0.0, 1.0, 0.1, words.RHO_HELP)
    n_better: int = _asked(0, "A better on, of each", 0, limits.MAX_DATASETS)
    shift: float = _asked(2.0, "by a shift of z", 0.0, LARGEST_SHIFT, 0.5)
    n_examples: int = _asked(
        100,
        "Examples of each test set",
        0,
        MOST_SHARED_EXAMPLES,
        50,
        "Of each test set. Their differences are drawn, so that joint flips of shared examples count as "
        "well. 0: only z is drawn, which is faster and has no joint counts.",
    )

    @property
    def problem(self) -> str:
        """Why there are no such datasets; empty where there are."""
        n_datasets = self.n_test_sets * self.n_sharing
        if self.n_examples and n_datasets > MOST_SHARING_DATASETS:
            return (
                f"These are {n_datasets:,} datasets; joint flips take {MOST_SHARING_DATASETS} here. "
                "With 0 examples no flips are drawn."
            )
        if 0 < self.n_examples < FEWEST_SHARED_EXAMPLES:
            return f"A test set needs {FEWEST_SHARED_EXAMPLES} examples, or 0 to draw no flips."
        if n_datasets > limits.MAX_DATASETS:
            return f"These are {n_datasets:,} datasets; this server takes {limits.MAX_DATASETS:,}."
        if self.n_better > self.n_sharing:
            return f"A can be better on {self.n_sharing:,} datasets of each test set at most."
        return "" if self.shift > 0.0 or not self.n_better else "The shift of z must be above 0."

    def scenario(self) -> PValueSource:
        """What is drawn."""
        effect = self.shift if self.n_better else 0.0
        if self.n_examples:
            return shared_examples(
                n_test_sets=self.n_test_sets,
                n_sharing=self.n_sharing,
                n_examples=self.n_examples,
                rho=self.rho,
                effect=effect,
                n_better=self.n_better,
            )
        return shared_test_sets(
            self.n_test_sets, self.n_sharing, rho=self.rho, effect=effect, n_better=self.n_better
        )

    def sentence(self, *, alpha: float) -> str:
        """What they mean for a dataset on which A is better; empty without such."""
        return words.shift_sentence(self.shift, alpha=alpha) if self.n_better else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """How A is better on a dataset: by a shift of z, or without one by a difference in accuracy."""

    shift: float | None = None
    d: float = Difference().d
    n_examples: int = Difference().n_examples
    q: float = Difference().q

    @property
    def effect(self) -> float | Difference:
        """As scenarios take it."""
        return Difference(self.d, self.n_examples, self.q) if self.shift is None else self.shift

    @property
    def problem(self) -> str:
        """Why there is no such effect; empty where there can be."""
        if self.shift is None and abs(self.d) > self.q:
            return (
                f"Systems that differ on {100 * self.q:g}% of the examples cannot be "
                f"{100 * self.d:g}% apart. Take a smaller difference or a larger share."
            )
        try:
            within = abs(shift_by(self.effect)) <= LARGEST_SHIFT
        except (ValueError, ArithmeticError):
            within = False
        return "" if within else "Such a difference leaves nothing to chance."

    def sentence(self, *, alpha: float, exactly: bool = False) -> str:
        """What it means for one dataset; `exactly` where its p-values are McNemar's."""
        if self.shift is None:
            return words.accuracy_sentence(
                self.d, self.n_examples, self.q, alpha=alpha, exactly=exactly
            )
        return words.shift_sentence(self.shift, alpha=alpha)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row(Effect):
    """Blocks of alike datasets, independent of each other."""

    n_datasets: int
    n_blocks: int = 1
    rho: float = 0.0
    shift: float | None = 0.0

    @property
    def of_effect(self) -> tuple[Field, ...]:
        """The numbers that its effect is given by."""
        return DIFFERENCE_FIELDS if self.shift is None else (SHIFT_OF_ROW,)

    def written(self) -> dict[str, object]:
        """As an address carries it, without what goes without saying."""
        numbers = {one: getattr(self, one.name) for one in (*ROW_FIELDS, *self.of_effect)}
        return {field.key: number for field, number in numbers.items() if number != field.usual}

    @classmethod
    def read(cls, given: dict[str, object]) -> Self:
        """The row that was written so."""
        row = cls(n_datasets=1, shift=None if "d" in given else 0.0)
        asked = (*ROW_FIELDS, *row.of_effect)
        numbers = {one.name: one.read(given.pop(one.key, one.usual)) for one in asked}
        if given:
            raise ValueError("There is more than a row.")
        return replace(row, **numbers)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnBlocks:
    """A scenario of one's own: blocks by kind, each with a factor of its own unless all share one."""

    rows: tuple[Row, ...] = (Row(n_datasets=50, shift=3.0), Row(n_datasets=50))
    one_factor: bool = False

    @property
    def problem(self) -> str:
        """Why there are no such blocks; empty where there are."""
        n_datasets = sum(row.n_blocks * row.n_datasets for row in self.rows)
        if n_datasets > limits.MAX_DATASETS:
            return (
                f"The blocks have {n_datasets:,} datasets together; this server takes "
                f"{limits.MAX_DATASETS:,}."
            )
        for number, row in enumerate(self.rows, start=1):
            if row.problem:
                return f"Blocks of kind {number}: {row.problem}"
        return ""

    def scenario(self) -> Scenario:
        """What is drawn."""
        blocks = tuple(
            block
            for row in self.rows
            for block in [Block(row.n_datasets, rho=row.rho, effect=shift_by(row.effect))]
            * row.n_blocks
        )
        return Scenario(blocks, one_factor=self.one_factor)

    def written(self) -> dict[str, object]:
        """As an address carries them."""
        found: dict[str, object] = {"blocks": [row.written() for row in self.rows]}
        return {**found, "factor": 1} if self.one_factor else found

    @classmethod
    def read(cls, given: dict[str, Any]) -> Self:
        """Take them out of what an address says."""
        rows, one_factor = (
            tuple(map(Row.read, given.pop("blocks"))),
            (0, 1).index(given.pop("factor", 0)),
        )
        if not 1 <= len(rows) <= MOST_ROWS:
            raise ValueError(f"There are 1 to {MOST_ROWS} kinds of blocks.")
        return cls(rows=rows, one_factor=bool(one_factor))


# What a scenario is built of: each has a problem, a scenario, and is written and read in one way.
Part = OwnBlocks | SmallDatasets | SharedSets
# Where it stands in a setup.
PARTS: Mapping[str, str] = MappingProxyType({OWN: "own", SMALL: "small", SHARED: "shared"})
NAMED: Mapping[str, PValueSource] = MappingProxyType(
    {
        **{name: preset.scenario for name, preset in _PRESETS.items()},
        **SHAPES,
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What was chosen: a key of `NAMED` or `PARTS`, or "data"; parts stay while another is chosen."""

    name: str = "toy-1"
    own: OwnBlocks = OwnBlocks()
    small: SmallDatasets = SmallDatasets()
    shared: SharedSets = SharedSets()
    n_studies: int = 10_000
    seed: int = FIRST_SEED

    @property
    def preset(self) -> Preset | None:
        """The paper's example that this is, if it is one."""
        return _PRESETS.get(self.name)

    @property
    def part(self) -> Part | None:
        """What the chosen scenario is built of; None of one that is as it is."""
        part: Part | None = getattr(self, PARTS[self.name]) if self.name in PARTS else None
        return part

    @property
    def title(self) -> str:
        """What it is called."""
        return words.SCENARIO_WORDS[self.name].title

    @property
    def line(self) -> str:
        """What it is called with its numbers, where these were chosen: "…: 10x10 rho=0.8"."""
        if self.part is None or self.problem:
            return self.title
        whole = str(getattr(self.scenario(), "signature", "")).partition(" (")[0]
        # A shift made of a difference has more digits than anybody reads.
        line = _DIGITS.sub(lambda number: f"{float(number[0]):.3g}", whole)
        return f"{self.title}: {line if len(line) <= _LONGEST_LINE else line[:_LONGEST_LINE] + '…'}"

    @property
    def problem(self) -> str:
        """Why no scenario can be built of the numbers; empty where one can."""
        return "" if self.part is None else self.part.problem

    @property
    def independent_nulls(self) -> bool:
        """Whether the datasets are independent, with uniform p-values and no difference."""
        scenario = self.scenario() if self.name != DATA else None
        return (
            isinstance(scenario, Scenario)
            and scenario.proved == combinations_under("independent")
            and all(block.effect == 0.0 for block in scenario.blocks)
        )

    def scenario(self) -> PValueSource:
        """The scenario, of one that needs no data."""
        return NAMED[self.name] if self.part is None else self.part.scenario()

    def to_text(self) -> str:
        """As the address carries it."""
        part = {} if self.part is None else self.part.written()
        return json.dumps(
            {"of": self.name, **part, "n": self.n_studies, "seed": self.seed},
            separators=(",", ":"),
        )


def setup_of(text: str) -> Setup:
    """What an address says; an error for anything that `Setup.to_text` would not have written."""
    given = json.loads(text[:_LONGEST_LINK])
    name = given.pop("of")
    n_studies, seed = (one.read(given.pop(one.key, one.usual)) for one in (N_STUDIES, SEED))
    setup = Setup(name=name, n_studies=n_studies, seed=seed)
    if setup.part is not None:
        built: dict[str, Any] = {PARTS[name]: setup.part.read(given)}
        setup = replace(setup, **built)
    if given or setup.problem or name not in (*NAMED, *PARTS, DATA):
        raise ValueError(f"There is no such simulation: {setup.problem}")
    return setup

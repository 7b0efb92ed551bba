"""What a simulation is of, as data: a scenario chosen or built, how many studies, and the seed."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from core.report.simulation_words import SCENARIO_WORDS
from core.simulation import (
    SHAPES,
    TOY_DEPENDENT,
    TOY_INDEPENDENT,
    Block,
    OneFactor,
    Preset,
    PValueSource,
    Scenario,
)
from pages.ui.frame import limits
from pages.ui.simulation.address import is_whole, row_of, shared_of, small_of, written
from pages.ui.simulation.numbers import Row, SharedSets, SmallDatasets, problem_of

MOST_ROWS = 12
# The year of the paper; any other serves as well.
FIRST_SEED = 2017
REPETITIONS = (1_000, 10_000, 100_000, 1_000_000)
MOST_STUDIES = 1_000_000
_LONGEST_LINK = 4_000
_LONGEST_LINE = 80
_DIGITS = re.compile(r"\d+\.\d{4,}")
_USUAL_SMALL, _USUAL_SHARED = SmallDatasets(), SharedSets()

OWN, DATA, SMALL, SHARED = "own", "data", "mcnemar", "test-sets"
_PRESETS: Mapping[str, Preset] = {"toy-1": TOY_INDEPENDENT, "toy-2": TOY_DEPENDENT}
NAMED: Mapping[str, PValueSource] = MappingProxyType(
    {
        **{name: preset.scenario for name, preset in _PRESETS.items()},
        **SHAPES,
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What was chosen.

    Attributes
    ----------
    name : str
        A key of `NAMED`, or "own" for what `rows` say, or "data".
    rows : tuple of Row
        Of a scenario of one's own; kept while another is chosen.
    one_factor : bool
        Whether all rows share one factor, rather than each having its own.
    small : SmallDatasets
        Of "mcnemar".
    shared : SharedSets
        Of "test-sets".
    n_studies, seed : int
        How many studies are asked for, and where their numbers come from.
    """

    name: str = "toy-1"
    rows: tuple[Row, ...] = (Row(n_datasets=50, effect=3.0), Row(n_datasets=50))
    one_factor: bool = False
    small: SmallDatasets = _USUAL_SMALL
    shared: SharedSets = _USUAL_SHARED
    n_studies: int = 10_000
    seed: int = FIRST_SEED

    @property
    def preset(self) -> Preset | None:
        """The paper's example that this is, if it is one."""
        return _PRESETS.get(self.name)

    @property
    def title(self) -> str:
        """What it is called."""
        return SCENARIO_WORDS[self.name].title

    @property
    def line(self) -> str:
        """What it is called with its numbers, where these were chosen: "…: 10x10 rho=0.8"."""
        if self.name not in (OWN, SMALL, SHARED) or self.problem:
            return self.title
        whole = str(getattr(self.scenario(), "signature", "")).partition(" (")[0]
        # A shift made of a difference has more digits than anybody reads.
        line = _DIGITS.sub(lambda number: f"{float(number[0]):.3g}", whole)
        return f"{self.title}: {line if len(line) <= _LONGEST_LINE else line[:_LONGEST_LINE] + '…'}"

    @property
    def problem(self) -> str:
        """Why no scenario can be built of the numbers; empty where one can."""
        if self.name == SMALL:
            return self.small.problem
        if self.name == SHARED:
            return self.shared.problem
        if self.name != OWN:
            return ""
        n_datasets = sum(row.n_blocks * row.n_datasets for row in self.rows)
        if n_datasets > limits.MAX_DATASETS:
            return (
                f"The blocks have {n_datasets:,} datasets together; this server takes "
                f"{limits.MAX_DATASETS:,}."
            )
        for number, row in enumerate(self.rows, start=1):
            problem = problem_of(row.effect)
            if problem:
                return f"Blocks of kind {number}: {problem}"
        return ""

    @property
    def independent_nulls(self) -> bool:
        """Whether the datasets are independent, with uniform p-values and no difference."""
        scenario = self.scenario() if self.name != DATA else None
        return (
            isinstance(scenario, Scenario)
            and scenario.k == 0
            and all(
                block.effect == 0.0 and (block.rho == 0.0 or block.n_datasets == 1)
                for block in scenario.blocks
            )
        )

    def scenario(self) -> PValueSource:
        """The scenario, of one that needs no data."""
        if self.name == SMALL:
            return self.small.scenario()
        if self.name == SHARED:
            return self.shared.scenario()
        if self.name != OWN:
            return NAMED[self.name]
        blocks = tuple(
            block
            for row in self.rows
            for block in [Block(row.n_datasets, rho=row.rho, effect=row.shift)] * row.n_blocks
        )
        return OneFactor(blocks) if self.one_factor else Scenario(blocks)

    def alike(self, other: Setup) -> bool:
        """Whether the other gives the same studies, however many of them."""
        return self.relevant() == replace(other, n_studies=self.n_studies).relevant()

    def relevant(self) -> Setup:
        """Without what its scenario does not depend on."""
        return replace(
            self,
            rows=self.rows if self.name == OWN else (),
            one_factor=self.one_factor if self.name == OWN else False,
            small=self.small if self.name == SMALL else _USUAL_SMALL,
            shared=self.shared if self.name == SHARED else _USUAL_SHARED,
        )

    def of_scenario(self) -> Setup:
        """What the scenario alone depends on."""
        return replace(self.relevant(), n_studies=1, seed=FIRST_SEED)

    def to_text(self) -> str:
        """As the address carries it."""
        fields: dict[str, object] = {"of": self.name}
        if self.name == OWN:
            fields["blocks"] = [written(row) for row in self.rows]
            if self.one_factor:
                fields["factor"] = 1
        if self.name == SMALL and self.small != _USUAL_SMALL:
            fields["numbers"] = list(self.small)
        if self.name == SHARED and self.shared != _USUAL_SHARED:
            fields["numbers"] = list(self.shared)
        fields.update({"n": self.n_studies, "seed": self.seed})
        return json.dumps(fields, separators=(",", ":"))


def setup_of(text: str) -> Setup | None:
    """What an address says; None for anything that `Setup.to_text` would not have written."""
    if len(text) > _LONGEST_LINK:
        return None
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(given, dict) or not isinstance(given.get("of"), str):
        return None
    name = given.pop("of")
    n_studies, seed = given.pop("n", 10_000), given.pop("seed", 0)
    if name not in (*NAMED, OWN, DATA) or not (
        is_whole(n_studies, 1, MOST_STUDIES) and is_whole(seed, 0, limits.LARGEST_SEED)
    ):
        return None
    setup = Setup(name=name, n_studies=n_studies, seed=seed)
    if name == OWN:
        blocks, factor = given.pop("blocks", None), given.pop("factor", 0)
        if not isinstance(blocks, list) or not 1 <= len(blocks) <= MOST_ROWS:
            return None
        rows = tuple(row for row in map(row_of, blocks) if row is not None)
        if len(rows) != len(blocks) or not is_whole(factor, 0, 1):
            return None
        setup = replace(setup, rows=rows, one_factor=bool(factor))
    elif name in (SMALL, SHARED) and "numbers" in given:
        numbers = given.pop("numbers")
        if name == SMALL:
            small = small_of(numbers)
            setup = replace(setup, small=small or setup.small)
            read = small is not None
        else:
            shared = shared_of(numbers)
            setup = replace(setup, shared=shared or setup.shared)
            read = shared is not None
        if not read:
            return None
    return None if given or setup.problem else setup

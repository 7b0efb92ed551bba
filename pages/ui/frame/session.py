"""What one user has loaded, chosen and had computed, as data: no Streamlit, no decisions."""

from __future__ import annotations

import re
import secrets
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from core.analysis import AnalysisSettings, Origin, TestPlan
from core.claims.desk import ClaimDesk
from core.claims.documents.reading import Answered, Document
from core.data import EffectTable, PValueTable, ResultSet, Sample, ScoreTable
from core.errors import DataError
from core.export.bundle import Bundle
from core.memory import Memory
from pages.ui.frame import limits

if TYPE_CHECKING:
    from core.claims.findings import ClaimReport
    from pages.ui.frame.links import Link
    from pages.ui.work.jobs import Job

Data = PValueTable | ResultSet | ScoreTable | EffectTable


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Source:
    """Files as they came, what they are called together, and the roles their owner corrected."""

    name: str
    files: tuple[tuple[str, bytes], ...]
    sample: Sample | None = None
    roles: Mapping[str, object] = field(default_factory=dict)
    # The file as the address carries it, where the user came by such a link.
    in_link: str = ""

    @property
    def n_bytes(self) -> int:
        """Their size."""
        return sum(len(content) for _, content in self.files)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Loaded:
    """A file that was read."""

    source: Source
    data: Data
    bundle: Bundle | None = None

    @property
    def title(self) -> str:
        """What it is called."""
        return self.source.sample.title if self.source.sample else self.source.name

    @property
    def origin(self) -> Origin:
        """Where it comes from, for sentences."""
        source = self.source
        return Origin.of(source.sample, source.roles, name=source.name, files=source.files)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Refused:
    """A file that could not be read, with every problem."""

    source: Source
    error: DataError


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Attempt:
    """One way to read what was dropped, with the settings of the link or bundle it came by."""

    source: Source
    settings: AnalysisSettings
    link: Link | None = None
    bundle: Bundle | None = None


@dataclass(slots=True, kw_only=True)
class Paper:
    """A paper's tables, and what was made of them: those that were opened as a person left them."""

    name: str
    document: Document
    # Whose grid is open.
    chosen: int | None = None
    # Although one of its tables is loaded.
    is_listing: bool = False
    grids: dict[int, Answered] = field(default_factory=dict)
    # Tells it from papers before it: what was typed or confirmed was of one of them.
    number: int = 0
    # Counts what buttons wrote into grids: each is then a new widget.
    n_written: int = 0
    was_shown: bool = False

    def has(self, title: str) -> bool:
        """Whether what is called so is a table of it that was opened."""
        return any(self.title(table) == title for table in self.grids)

    def title(self, table: int) -> str:
        """What a table is called when it is loaded."""
        number = re.match(r"(\w+\.?\s*[A-Z]?[0-9.]*[0-9])", self.document.tables[table].caption)
        return f"{self.name}, {number[1] if number else f'table {table + 1}'}"


@dataclass(slots=True, kw_only=True)
class Session:
    """One user's state."""

    settings: AnalysisSettings = field(default_factory=AnalysisSettings)
    loaded: Loaded | None = None
    refused: Refused | None = None
    awaited: Link | None = None
    paper: Paper | None = None
    remarks: tuple[str, ...] = ()
    # As the page shows them, which may be drawn again without a word from the user.
    remarked: tuple[str, ...] = ()
    # Counts what was loaded: a form or uploader of an earlier file must not stay.
    generation: int = 0
    # What a browser still holds after a server has died is of another session.
    token: str = field(default_factory=partial(secrets.token_hex, 4))
    # Counts what could be read: what was pasted or typed stays until then.
    n_loaded: int = 0
    # Counts the files that it was read from: choices that hold no names stay where these are read otherwise.
    n_files: int = 0
    # What was computed of what is loaded.
    memory: Memory = field(default_factory=partial(Memory, limits.MAX_CACHED_RESULTS))
    tried: dict[str, list[str]] = field(default_factory=dict)
    # What is worked out in the background, the last of each kind; of tests of each plan.
    work: dict[Hashable, Job] = field(default_factory=dict)
    claims: ClaimDesk = field(default_factory=ClaimDesk)
    # Reports of other tables of the same paper, by their signatures, each with its title.
    claim_reports: dict[str, tuple[str, ClaimReport]] = field(default_factory=dict)
    # Counts the claims that were filled in by a button rather than typed.
    n_claims_filled: int = 0
    # Buttons clicked and not told of yet, and the page that they are on.
    clicks: set[str] = field(default_factory=set)
    page: str = ""
    # At which step of the talk the guide is.
    step: int = 1

    @property
    def runs(self) -> dict[TestPlan, Job]:
        """The tests among the work, by what they were asked for, the last used last."""
        return {plan: run for plan, run in self.work.items() if isinstance(plan, TestPlan)}

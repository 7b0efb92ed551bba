"""What one user has loaded and chosen; the only module that touches Streamlit's session state.

Everything changes in callbacks, which run before the page is drawn, so that
the sidebar, the link and the page always show the same state.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Hashable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn, ParamSpec, TypeVar

from streamlit import rerun, runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.state import SessionState
from streamlit.runtime.state.session_state_proxy import get_session_state
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core.analysis import AnalysisSettings, Origin, TestPlan
from core.analysis.settings import metric_of, systems_of
from core.analysis.testing import BY_ITSELF, COUNTED_JOINTLY, RECORDED_SETTINGS, recorded
from core.claims.desk import ClaimDesk
from core.claims.documents.reading import Answered, Document
from core.claims.vocabulary import TableNames
from core.data import EffectTable, PValueTable, ResultSet, Sample, ScoreTable
from core.errors import DataError
from core.export.bundle import Bundle
from core.memory import Memory
from core.replicability.combinations import combinations_under
from core.replicability.identification import procedure_names
from pages.ui.frame import limits
from pages.ui.work import jobs

if TYPE_CHECKING:
    from core.claims.findings import ClaimReport
    from pages.ui.frame.links import Link


Data = PValueTable | ResultSet | ScoreTable | EffectTable
Result = TypeVar("Result")
Given = ParamSpec("Given")
Rows = TypeVar("Rows", bound=PValueTable | ScoreTable)
_KEY = "dashboard"
_SHOWN, _IN_FORMS = "shown", "in-forms"
_OF_LOADED, _OF_FILES = "file-", "files-"
_NUMBER = re.compile("-[0-9]+$")


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
    work: dict[Hashable, jobs.Job] = field(default_factory=dict)
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
    def runs(self) -> dict[TestPlan, jobs.Job]:
        """The tests among the work, by what they were asked for, the last used last."""
        return {plan: run for plan, run in self.work.items() if isinstance(plan, TestPlan)}


@dataclass(frozen=True, slots=True)
class _Visitor:
    """Whether a user is still there. A user's are equal: whose turn it is goes by them."""

    session_id: str

    def __call__(self) -> bool:
        # The server may end between a question whether it is there and one to it.
        with suppress(RuntimeError):
            return runtime.get_instance().is_active_session(self.session_id)
        return False

    def end(self) -> None:
        """End the session and its work: Streamlit keeps those who left last until somebody else leaves."""
        jobs.stop_all_of(self)
        if runtime.exists():
            server = runtime.get_instance()
            server._get_async_objs().eventloop.call_soon_threadsafe(self._close, server)

    def _close(self, server: runtime.Runtime) -> None:
        if server.is_active_session(self.session_id):
            # Back in the last moment.
            jobs.departures.watch(self, self.end)
            return
        ended = server._session_mgr.get_session_info(self.session_id)
        if ended is not None:
            server.close_session(self.session_id)
            # The server's loop holds on to the last session that it looked at.
            kept = ended.session.session_state
            kept.clear()
            kept._new_widget_state.widget_metadata.clear()
            ended.session._fragment_storage.clear()
            del ended, kept
            jobs.departures.collect()


def _store() -> SessionState:
    """The session state, without the interruption that each use of `st.session_state` allows.

    Where a newer click is waiting, Streamlit interrupts the script there, callbacks too: between
    two changes that belong together, and the click before it would be lost.
    """
    return get_session_state()._state


def session() -> Session:
    """This user's state, made at the first call.

    Outside a script run Streamlit hands out one state for everybody: that is
    never used.
    """
    if runtime.exists() and get_script_run_ctx() is None:
        raise RuntimeError("The session's state was asked for outside a script run.")
    try:
        found: Session = _store()[_KEY]
    except KeyError:
        found = _store()[_KEY] = Session()
        visitor = user()
        if visitor is not None:
            jobs.departures.watch(visitor, visitor.end)
    return found


def is_new() -> bool:
    """Whether nothing has been kept for this user yet."""
    return _KEY not in _store()


def start_anew() -> None:
    """Forget the user's data and everything made of them."""
    generation = session().generation + 1
    # What is loaded next must not be taken for what was: widgets and results go by its number.
    earlier = session()
    _store()[_KEY] = Session(
        generation=generation, n_loaded=earlier.n_loaded, n_files=earlier.n_files
    )
    shown = value(_SHOWN, {})
    _store()[_SHOWN] = {key: (number, None) for key, (number, _) in shown.items()}
    for key in _store().filtered_state:
        if _NUMBER.sub("", key) in shown:
            del _store()[key]
    count_loaded(other_files=True)


def count_loaded(*, other_files: bool) -> None:
    """Have widgets about what is loaded begin anew, and about its files too where they are others."""
    current = session()
    current.n_loaded += 1
    current.n_files += other_files
    current.clicks.clear()
    current.memory = Memory(limits.MAX_CACHED_RESULTS)
    # Widgets keep what was chosen in them: names of systems and datasets too.
    forgotten = (_OF_LOADED, _OF_FILES) if other_files else (_OF_LOADED,)
    for key in _store().filtered_state:
        if key.startswith(forgotten):
            del _store()[key]


def widget(key: str, value: object) -> str:
    """Set a widget to the state it shows, and return its key."""
    _store()[key] = value
    return key


def form_widget(key: str, setting: object, *, of: Hashable = None) -> str:
    """The key of a widget in a form, set to its setting where that, or what it is `of`, has changed.

    What is set is written over what stands in the browser's form and was not sent yet; what was sent
    and refused stays, to be mended.
    """
    shown: dict[str, object] = value(_IN_FORMS, {})
    if key not in _store() or shown.get(key) != (setting, of):
        widget(key, setting)
    widget(_IN_FORMS, {**shown, key: (setting, of)})
    return key


def of_file(key: str) -> str:
    """The key of a widget about what is loaded: of other data it is another widget."""
    return f"{_OF_LOADED}{session().n_loaded}-{key}"


def of_attempt(key: str) -> str:
    """The key of a widget about how a file is read: where reading it is tried anew, another widget."""
    return of_file(f"{key}-{session().generation}")


def of_files(key: str) -> str:
    """The key of a widget without names or scores: it stays where the files are read otherwise."""
    return f"{_OF_FILES}{session().n_files}-{key}"


def choice(key: str, now: object, take: Callable[[Any], object]) -> dict[str, Any]:
    """The key and the callback of a widget that shows a setting and changes it.

    With every message a browser sends what all its widgets hold, and Streamlit
    takes what differs from the last run for a user's choice: also what was sent
    before the browser had drawn a value that the app has set. So where the app
    sets another value the widget is a new one, and what comes of the earlier one
    is not taken.

    Where several can be chosen and are, nothing is set: while the next one is looked
    for by its name, the browser would take another in its place.
    """
    shown: dict[str, tuple[int, object]] = value(_SHOWN, {})
    _store()[_SHOWN] = shown
    number, last = shown.get(key, (0, now))
    held = value(_numbered(key, number), last)
    if isinstance(held, list) and isinstance(now, list):
        # Of several that are chosen the order says nothing.
        is_shown = len(held) == len(now) and set(held) == set(now)
    else:
        is_shown = held == now
    number += not is_shown
    shown[key] = (number, now)
    name = _numbered(key, number)
    if name not in _store() or not isinstance(now, list):
        widget(name, now)

    def chosen() -> None:
        if _store()[_SHOWN][key][0] == number:
            take(_store()[name])

    return {"key": name, "on_change": chosen}


def _numbered(key: str, number: int) -> str:
    return f"{key}-{number}" if number else key


def restate(key: str, value: object) -> None:
    """Write a user's choice another way, in its callback: the widget stays the same."""
    number, _ = _store()[_SHOWN][key]
    widget(_numbered(key, number), value)


def value(key: str, missing: Any = None) -> Any:
    """What a widget holds, for its callback; `missing` where it is not on the page."""
    try:
        return _store()[key]
    except KeyError:
        return missing


def data() -> Data | None:
    """What is loaded."""
    loaded = session().loaded
    return None if loaded is None else loaded.data


def results() -> ResultSet | None:
    """What is loaded, where it has results on every example."""
    found = data()
    return found if isinstance(found, ResultSet) else None


def uploader_key(kind: str) -> str:
    """Of the uploader in use; after each load, and after a restart, it is a fresh one.

    The page then says what is loaded, and the same file can be dropped again. What a browser still
    shows as uploaded to a server that is gone is in an uploader of its own.
    """
    return f"{kind}-{session().token}-{session().generation}"


def take_uploads(kind: str, key: str) -> list[tuple[str, bytes]]:
    """Names and contents of what was dropped, of which the server then keeps nothing."""
    held = value(key)
    # Where a click cuts short the run that took a file, Streamlit reports the file once more, and
    # as one without content: loading it again would undo what was chosen since.
    if key != uploader_key(kind) or not held:
        return []
    files = [
        (one.name, one.getvalue())
        for one in (held if isinstance(held, list) else [held])
        if isinstance(one, UploadedFile)
    ]
    # The server would keep them as long as the session.
    context = get_script_run_ctx()
    if context is not None:
        context.uploaded_file_mgr.remove_session_files(context.session_id)
    return files


def user() -> _Visitor | None:
    """Whose session this is; None of whoever runs the app without a server."""
    context = get_script_run_ctx()
    return None if context is None or not runtime.exists() else _Visitor(context.session_id)


def systems() -> tuple[str, str]:
    """Names of A and B as chosen."""
    found = data()
    assert found is not None
    if isinstance(found, PValueTable):
        a, b = found.system_a, found.system_b
    elif isinstance(found, EffectTable):
        a, b = "A", "B"
    else:
        a, b = (found.systems[place] for place in positions(len(found.systems)))
    return (b, a) if session().settings.swapped else (a, b)


def claims() -> ClaimDesk:
    """What is laid out to be checked, with A and B as they now are."""
    current = session()
    named = () if current.loaded is None else systems()
    names = TableNames(systems=named, datasets=all_datasets())
    return current.claims.facing(swapped=current.settings.swapped, names=names)


def positions(n_systems: int) -> tuple[int, int]:
    """Where in the file the two systems that are compared stand, the first one first."""
    return systems_of(session().settings, n_systems)


def metric() -> str:
    """Name of the metric that is compared, of results that have one for each example."""
    found = results()
    assert found is not None
    return metric_of(found, session().settings)


def all_datasets() -> tuple[str, ...]:
    """Every dataset of the file, those left out too."""
    found = data()
    return () if found is None else found.datasets


def chosen_datasets(data: Data) -> tuple[str, ...]:
    """Those that are not left out."""
    excluded, names = set(session().settings.excluded), data.datasets
    return tuple(name for name in names if name not in excluded) if excluded else names


def chosen_rows(data: Rows) -> Rows:
    """A table without the datasets that are left out: one and the same while these are."""
    names = tuple(name for name in session().settings.excluded if name in data.datasets)
    return computed(type(data).without, data, names) if names else data  # type: ignore[arg-type, return-value]


def computed(make: Callable[Given, Result], /, *given: Given.args, **named: Given.kwargs) -> Result:
    """What a function of nothing but its arguments makes of them, made once of what is loaded."""
    return session().memory.computed(make, *given, **named)


def kept(key: tuple[Hashable, ...], compute: Callable[[], Result]) -> Result:
    """A result that belongs to the file and is not computed by one call, under a key of its own."""
    return session().memory.remember(key, compute)


def come_to(page: str) -> None:
    """Forget what was clicked on a page that was left before it told of it."""
    current = session()
    if current.page != page:
        current.page = page
        current.clicks.clear()


def take_remarks() -> tuple[str, ...]:
    """What to say until the user does something."""
    current = session()
    current.remarked, current.remarks = current.remarks, ()
    return current.remarked


def draw_again() -> NoReturn:
    """Draw the page anew for work that began or ended: what was remarked has not been read yet."""
    current = session()
    current.remarks = tuple(dict.fromkeys((*current.remarked, *current.remarks)))
    rerun()


def remark(text: str) -> None:
    """Say something once, at the top of the page."""
    session().remarks = (text,)


def record(kind: str, what: str) -> None:
    """Keep what was tried on these data, each thing once."""
    kept = session().tried.setdefault(kind, [])
    if what not in kept and what + BY_ITSELF not in kept:
        kept.append(what)


def choose(**changes: Any) -> None:
    """Change settings."""
    current = session()
    before = current.settings
    after = replace(before, **changes)
    if after.combination not in ("", *combinations_under(after.dependence)):
        after = replace(after, combination="")
    if after.procedure not in ("", *procedure_names(joint=bool(after.joint))):
        after = replace(after, procedure="")
    current.settings = after
    if current.loaded is None:
        return
    if "combination" in changes:
        # Nobody chose the usual one, but its count has been seen.
        record(RECORDED_SETTINGS["combination"], recorded(before, "combination"))
    if bool(before.joint) != bool(after.joint):
        # A joint count is recorded where it is seen.
        record(COUNTED_JOINTLY, "no")
    for name, words in RECORDED_SETTINGS.items():
        if name in changes:
            record(words, recorded(after, name))

"""What one user has loaded and chosen; the only module that touches Streamlit's session state.

Everything changes in callbacks, which run before the page is drawn, so that
the sidebar, the link and the page always show the same state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.data import PValueTable, ResultSet, read_results, read_sample, samples
from core.errors import DataError, Problem
from core.report.formatting import list_names
from core.signature import short_fingerprint
from pages.ui import limits, links, testing
from pages.ui.session import Loaded, Refused, Session, Settings, Source

_KEY = "dashboard"


def session() -> Session:
    """This user's state, made at the first call."""
    if _KEY not in st.session_state:
        st.session_state[_KEY] = Session()
    found: Session = st.session_state[_KEY]
    return found


def open_link() -> None:
    """Apply the address the user came by, once a session."""
    if _KEY in st.session_state:
        return
    link = links.parse(st.query_params.to_dict())
    current = session()
    current.remarks = link.remarks
    current.settings = _settings_of(link)
    if link.sample:
        _load_sample(link.sample, link)
    elif link.data:
        current.awaited = link


def show_link() -> None:
    """Make the browser's address a link to what is shown."""
    wanted = links.write(_link())
    if st.query_params.to_dict() != wanted:
        st.query_params.from_dict(wanted)


def current_run() -> testing.TestRun | None:
    """The run of tests that the settings ask for; None where none was started."""
    plan = _plan()
    return session().runs.get(plan) if plan is not None else None


def run_tests() -> None:
    """Start the tests that the settings ask for, unless they were run before."""
    current, plan = session(), _plan()
    if plan is None or current.loaded is None or not isinstance(current.loaded.data, ResultSet):
        return
    for earlier in current.runs.values():
        if earlier.plan != plan:
            earlier.job.stop()
    run = current.runs.get(plan)
    if run is None or (not run.running and run.n_finished < run.n_datasets):
        run = testing.TestRun(current.loaded.data, plan, is_wanted=wanted())
        current.runs[plan] = run
        record("tests", f"{plan.system_a} and {plan.system_b}: {_plan_words(plan)}")
        run.job.start()
        # Most runs end within this; their answer is then there at the first look.
        run.job.wait(limits.SECONDS_TO_WAIT_FOR_TESTS)
    while len(current.runs) > limits.MAX_KEPT_RUNS:
        current.runs.pop(next(iter(current.runs)))


def _plan() -> testing.TestPlan | None:
    current = session()
    if current.loaded is None or not isinstance(current.loaded.data, ResultSet):
        return None
    systems, settings = current.loaded.data.systems, current.settings
    first, second = settings.pair
    if not 0 <= first < second < len(systems):
        first, second = 0, 1
    return testing.TestPlan(
        system_a=systems[first],
        system_b=systems[second],
        test=settings.test,
        n_resamples=settings.n_resamples,
        seed=settings.seed,
    )


def _plan_words(plan: testing.TestPlan) -> str:
    name = "recommended tests" if plan.test == "auto" else plan.test
    return f"{name}, {plan.n_resamples} resamples where they resample, seed {plan.seed}"


def simulation() -> Any:
    """The last simulation of this session, running or done; None before the first."""
    return session().simulation


def keep_simulation(run: Any) -> None:
    """Keep a simulation in the place of an earlier one, which is stopped."""
    earlier = session().simulation
    if earlier is not None:
        earlier.job.stop()
    session().simulation = run


def wanted() -> Callable[[], bool]:
    """Whether the user is still there, to be asked by a thread."""
    context = get_script_run_ctx()
    if context is None or not runtime.exists():
        return lambda: True
    own_session = context.session_id
    server = runtime.get_instance()
    return lambda: server.is_active_session(own_session)


def systems() -> tuple[str, str]:
    """Names of A and B as chosen."""
    loaded = session().loaded
    assert loaded is not None
    plan = _plan()
    if plan is not None:
        pair = (plan.system_a, plan.system_b)
    else:
        assert isinstance(loaded.data, PValueTable)
        pair = (loaded.data.system_a, loaded.data.system_b)
    return (pair[1], pair[0]) if session().settings.swapped else pair


def take_remarks() -> tuple[str, ...]:
    """What to say once."""
    said = session().remarks
    session().remarks = ()
    return said


def remark(text: str) -> None:
    """Say something once, at the top of the page."""
    session().remarks = (text,)


def choose_systems(a: str, b: str) -> None:
    """Compare two of several systems; the same system twice is refused."""
    current = session()
    if current.loaded is None or not isinstance(current.loaded.data, ResultSet):
        return
    if a == b:
        remark("A and B must be two different systems; the choice was not changed.")
        return
    systems = current.loaded.data.systems
    i, j = systems.index(a), systems.index(b)
    choose(pair=(min(i, j), max(i, j)), swapped=i > j, question="")
    run_tests()


def record(kind: str, what: str) -> None:
    """Keep what was tried on these data, each thing once."""
    kept = session().tried.setdefault(kind, [])
    if what not in kept:
        kept.append(what)


def all_datasets() -> tuple[str, ...]:
    """Every dataset of the file, those left out too."""
    loaded = session().loaded
    return loaded.data.datasets if loaded is not None else ()


def choose(**changes: Any) -> None:
    """Change settings."""
    current = session()
    current.settings = replace(current.settings, **changes)
    for name, words in _RECORDED.items():
        if name in changes and current.loaded is not None:
            record(words, _in_words(changes[name]))


_RECORDED = {
    "alpha": "levels",
    "dependence": "dependence",
    "excluded": "datasets left out",
    "procedure": "procedures",
}


def _in_words(value: object) -> str:
    if isinstance(value, tuple):
        return list_names([str(name) for name in value]) or "none"
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def load_sample(key: str) -> None:
    """Load a sample with the dependence that its source declares."""
    _load_sample(key, None)


def _load_sample(key: str, link: links.Link | None) -> None:
    current = session()
    if key not in {sample.key for sample in samples()}:
        current.remarks = (
            *current.remarks,
            f"The link names a sample that is not here: “{key}”.",
        )
        return
    sample, content = read_sample(key)
    roles: dict[str, object] = {"alternative": sample.alternative, **(link.roles if link else {})}
    source = Source(name=sample.file_name, content=content, sample=sample, roles=roles)
    usual = Settings(alpha=current.settings.alpha, dependence=sample.dependence)
    _take(source, usual, link)


def load_file(name: str, content: bytes) -> None:
    """Read a file; what was loaded before stays where it cannot be read.

    Where the user came by a link to a file, its settings are taken over if
    this is that file.
    """
    current = session()
    link, current.awaited = current.awaited, None
    usual = Settings(alpha=current.settings.alpha)
    if current.loaded is None:
        # Answered before the file was dropped: it was meant for this one.
        usual = replace(current.settings, swapped=False, question="")
    if link is None:
        _take(Source(name=name, content=content), usual, None)
        return
    linked = Source(name=name, content=content, roles=link.roles)
    data = _read(linked)
    if not isinstance(data, DataError) and short_fingerprint(data.fingerprint) == link.data:
        _take(linked, usual, link)
    elif _take(Source(name=name, content=content), Settings(), None):
        current.remarks = (
            "The link was made for another file, so its settings were not taken over.",
        )
    else:
        current.awaited = link


def correct(roles: Mapping[str, object], *, refused: bool) -> None:
    """Read the loaded file, or the one that was refused, again with roles chosen by hand."""
    current = session()
    target = current.refused if refused else current.loaded
    if target is None:
        return
    source = target.source
    # Only what differs from the recognised roles is kept: a link then stays short.
    known: Mapping[str, object] = {}
    if isinstance(target, Loaded) and target.data.reading is not None:
        known = target.data.reading.roles
    kind = None
    if isinstance(target, Loaded) and target.data.reading is not None:
        kind = target.data.reading.layout
    same_kind = roles.get("layout") in (None, kind)
    earlier = source.roles if same_kind else {}
    changed = {
        role: value
        for role, value in roles.items()
        if role != "layout" and (role in earlier or role not in known or known[role] != value)
    }
    if not same_kind:
        changed["layout"] = roles["layout"]
    # What was chosen for the loaded file is not meant for one that was never loaded.
    settings = (
        Settings(alpha=current.settings.alpha)
        if refused
        else replace(current.settings, question="")
    )
    _take(replace(source, roles={**earlier, **changed}), settings, None)


def dismiss_refused() -> None:
    """Forget a file that could not be read."""
    session().refused = None


def remove() -> None:
    """Forget the user's data and everything made of them."""
    _forget_runs()
    generation = session().generation + 1
    st.session_state[_KEY] = Session(generation=generation)


def widget(key: str, value: object) -> str:
    """Set a widget to the state it shows, and return its key."""
    st.session_state[key] = value
    return key


def value(key: str) -> Any:
    """What a widget holds, for its callback."""
    return st.session_state[key]


def _read(source: Source) -> PValueTable | ResultSet | DataError:
    try:
        return read_results(source.content, name=source.name, roles=source.roles or None)
    except DataError as error:
        return error


def _take(source: Source, usual: Settings, link: links.Link | None) -> bool:
    """Load a file with the link's settings where it has any; a refused file changes nothing."""
    current = session()
    data = _read(source)
    current.generation += 1
    if not isinstance(data, DataError) and len(data.datasets) > limits.MAX_DATASETS:
        data = DataError([_too_many(len(data.datasets))])
    if isinstance(data, DataError):
        current.refused = Refused(source=source, error=data)
        return False
    n_datasets = len(data.datasets)
    if link is not None:
        left_out = [data.datasets[i - 1] for i in link.excluded if 0 < i <= n_datasets]
        usual = replace(
            _settings_of(link),
            dependence=link.dependence or usual.dependence,
            excluded=tuple(left_out),
        )
    kept = tuple(name for name in usual.excluded if name in data.datasets)
    _forget_runs()
    current.settings = replace(usual, excluded=kept if len(kept) < n_datasets else ())
    current.loaded = Loaded(source=source, data=data)
    current.refused = None
    current.remarks = ()
    if link is not None:
        current.remarks = link.remarks
        beyond = [i for i in link.excluded if not 0 < i <= n_datasets]
        if beyond:
            listed = ", ".join(map(str, beyond))
            current.remarks += (
                f"The link leaves out datasets that are not there: {listed} of {n_datasets}.",
            )
    record("levels", _in_words(current.settings.alpha))
    record("dependence", current.settings.dependence)
    run_tests()
    return True


def _forget_runs() -> None:
    current = session()
    for run in current.runs.values():
        run.job.stop()
    current.runs, current.tried = {}, {}


def _too_many(n_datasets: int) -> Problem:
    return Problem(
        what=f"The table has {n_datasets} datasets; this server takes {limits.MAX_DATASETS}.",
        remedy="Leave some out, or use the library, which has no such limit.",
    )


def _settings_of(link: links.Link) -> Settings:
    return Settings(
        alpha=link.alpha if link.alpha is not None else 0.05,
        dependence=link.dependence or "not-known",
        swapped=link.swapped,
        question=link.question,
        procedure=link.procedure or "holm",
        pair=link.pair or (0, 1),
        test=link.test or "auto",
        n_resamples=link.n_resamples or testing.DEFAULT_RESAMPLES,
        seed=testing.DEFAULT_SEED if link.seed is None else link.seed,
    )


def _link() -> links.Link:
    current = session()
    if current.loaded is None:
        return current.awaited or links.Link(alpha=current.settings.alpha)
    source, settings = current.loaded.source, current.settings
    declared = source.sample.dependence if source.sample else "not-known"
    roles = dict(source.roles)
    if source.sample and roles.get("alternative") == source.sample.alternative:
        del roles["alternative"]
    return links.Link(
        sample=source.sample.key if source.sample else "",
        data="" if source.sample else short_fingerprint(current.loaded.data.fingerprint),
        file="" if source.sample else source.name,
        alpha=settings.alpha,
        dependence=settings.dependence if settings.dependence != declared else None,
        swapped=settings.swapped,
        excluded=tuple(
            position
            for position, name in enumerate(current.loaded.data.datasets, start=1)
            if name in settings.excluded
        ),
        question=settings.question,
        procedure=settings.procedure if settings.procedure != "holm" else None,
        pair=settings.pair if settings.pair != (0, 1) else None,
        test="" if settings.test == "auto" else settings.test,
        n_resamples=_unless(settings.n_resamples, testing.DEFAULT_RESAMPLES),
        seed=_unless(settings.seed, testing.DEFAULT_SEED),
        roles=roles,
    )


def _unless(value: int, default: int) -> int | None:
    return None if value == default else value

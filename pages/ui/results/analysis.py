"""The analysis of what this user has loaded, as they have set it, with joint flips and what was studied on demand."""

from collections.abc import Hashable
from dataclasses import replace
from functools import partial
from operator import attrgetter

from core.analysis import Analysis, analysis_of
from core.analysis.testing import COUNTED_JOINTLY, DEPENDS_ON_CHOICES
from core.data import PValueTable, ResultSet
from core.memory import Memory
from core.sections import reliability, simulation, systems
from core.sections.reliability import LookedAt
from core.sections.systems import Compared
from core.significance.stopping import Stopped
from pages.ui.frame import prose, state
from pages.ui.reliability import data as reliability_data
from pages.ui.results import parts
from pages.ui.simulation import planning as plans
from pages.ui.simulation import results, studies
from pages.ui.systems import comparison
from pages.ui.systems.board import AT_MARGIN
from pages.ui.work import background, runs
from pages.ui.work.background import Task
from pages.ui.work.jobs import Job

_FLIPS = "joint flips"
_CAUTIONS = attrgetter("cautions")


def cautions(analysis: Analysis) -> None:
    """What limits the guarantee, and of flips that are not made yet where they are."""
    for caution in parts.kept(_CAUTIONS, analysis):
        prose.notice(caution)
    if analysis.awaits_flips:
        background.answer(_flips(analysis), again=True)


def _flips(analysis: Analysis) -> Task[Memory]:
    """Both claims' answers, into a memory of their own: the session's is not for threads."""
    settings, own = analysis.settings, replace(analysis, memory=Memory())
    asked: dict[str, Hashable] = {
        "A": analysis.table.system_a,
        "B": analysis.table.system_b,
        "metric": state.metric(),
        "examples": settings.joint,
        "α": settings.alpha,
        "flips": settings.n_resamples,
        "seed": settings.seed,
        "datasets": analysis.table.datasets,
        "clusters whole": settings.whole_clusters,
    }

    def work(*, on_progress: Job) -> Memory:
        found = own.counted_jointly()
        if not on_progress(1, 2):
            raise Stopped
        # For both directions at once.
        found.assessed_at(settings.alpha / 2.0)
        on_progress(2, 2)
        return own.memory

    return Task(_FLIPS, asked, work, doing="Flipping examples", unit="levels")


def _systems_studied() -> Compared | None:
    """All pairs as they were last compared and looked at; None before that."""
    pairs = background.result_of(comparison.PAIRS)
    if pairs is None:
        return None
    grouping = comparison.chosen_groups()
    at_least = int(state.value(state.of_file("systems-at-least"), 1))
    one_size = background.result_of(comparison.ONE_SIZE)
    return Compared(
        pairs=pairs,
        family=comparison.family(pairs),
        at_least=at_least if at_least <= pairs.n_datasets else 1,
        groups=grouping.mapping,
        detail=grouping.detail,
        sizes=background.result_of(comparison.SIZES),
        one_size=() if one_size is None else tuple(one_size.values()),
        iid=background.result_of(comparison.IID),
        at_margin=background.result_of(AT_MARGIN),
    )


def _simulated() -> tuple[simulation.Making, ...] | None:
    """What prints the simulations that were run, the last one of each kind; None before any."""
    found: list[simulation.Making] = []
    for kind in (studies.KIND, results.NAMES, results.OVER_CLAIMS, *plans.KINDS):
        run = background.latest(kind)
        if run is None or (result := background.result_of(kind)) is None:
            continue
        if kind not in (studies.KIND, results.NAMES) or studies.is_of_these_data(run):
            found.append(partial(run.task.parts, result))
    return tuple(found) or None


def current_analysis() -> Analysis | None:
    """The table with the user's choices applied and assessed; None where nothing is to show yet."""
    user = state.session()
    if user.loaded is None:
        return None
    data = user.loaded.data
    whole: PValueTable | None = None
    if isinstance(data, ResultSet):
        whole = runs.table_of(runs.current_run())
    elif isinstance(data, PValueTable):
        whole = data
    if whole is None or not isinstance(data, PValueTable | ResultSet):
        return None
    # What was studied on demand, as the report tells of it.
    made: dict[str, object] = {
        systems.STUDIES: _systems_studied(),
        simulation.STUDIES: _simulated(),
        reliability.STUDIES: reliability_data.found(data) if isinstance(data, ResultSet) else None,
    }
    studied = {key: study for key, study in made.items() if study is not None}
    found = analysis_of(
        data,
        whole,
        user.settings,
        origin=user.loaded.origin,
        tried=_tried(data, studied.get(reliability.STUDIES)),
        studies=studied,
        memory=user.memory,
    )
    if not found.awaits_flips:
        return found
    task = _flips(found)
    background.begin_by_itself(task)
    begun, flips = background.latest(_FLIPS), background.result_of(_FLIPS)
    if flips is None or begun is None or begun.task.settings != task.settings:
        return found
    found.memory.take(flips)
    state.record(COUNTED_JOINTLY, user.settings.joint)
    return found.counted_jointly()


def _tried(data: PValueTable | ResultSet, looked_at: object) -> dict[str, tuple[str, ...]]:
    """What was tried, with what it came to for the systems, level and datasets of now."""
    user = state.session()
    # Made anew each time: a sentence kept from before may be of another level or direction.
    tried = {
        kind: tuple(values) for kind, values in user.tried.items() if kind != DEPENDS_ON_CHOICES
    }
    if not isinstance(looked_at, LookedAt):
        return tried
    sentence = reliability_data.sentence(data, looked_at)
    return {**tried, DEPENDS_ON_CHOICES: (sentence,)} if sentence else tried


def detached(analysis: Analysis) -> Analysis:
    """The same for work outside a script run, with what is remembered so far as its own."""
    return replace(analysis, memory=analysis.memory.copy())

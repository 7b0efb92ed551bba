"""The analysis of what this user has loaded, as they have set it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from typing import TypeVar, cast

from core.analysis import Analysis, analysis_of
from core.analysis.memory import Memory
from core.analysis.record import DEPENDS_ON_CHOICES
from core.data import PValueTable, ResultSet
from core.sections import reliability, simulation, systems
from pages.ui.frame import cache, state
from pages.ui.reliability import data as reliability_data
from pages.ui.results import joint
from pages.ui.simulation import record as simulation_results
from pages.ui.systems import studied as systems_data
from pages.ui.work import runs

Result = TypeVar("Result")


def current_analysis() -> Analysis | None:
    """The table with the user's choices applied and assessed; None where nothing is to show yet."""
    user = state.session()
    if user.loaded is None:
        return None
    data = user.loaded.data
    whole: PValueTable | None = None
    if isinstance(data, ResultSet):
        run = runs.current_run()
        whole = run.table if run is not None else None
    elif isinstance(data, PValueTable):
        whole = data
    if whole is None or not isinstance(data, PValueTable | ResultSet):
        return None
    found = analysis_of(
        data,
        whole,
        user.settings,
        origin=user.loaded.origin,
        tried=_tried(data),
        studies=_studies(data),
        remember=_memory(user.results, user.n_loaded, joint.results()),
    )
    if not joint.are_made(found):
        return found
    own = _memory(user.results, user.n_loaded, joint.results())
    return replace(found, remember=own).counted_jointly()


def _tried(data: PValueTable | ResultSet) -> dict[str, tuple[str, ...]]:
    """What was tried, with what it came to for the systems, level and datasets of now."""
    user = state.session()
    # Made anew each time: a sentence kept from before may be of another level or direction.
    tried = {
        kind: tuple(values) for kind, values in user.tried.items() if kind != DEPENDS_ON_CHOICES
    }
    sentence = reliability_data.sentence(data) if isinstance(data, ResultSet) else ""
    return {**tried, DEPENDS_ON_CHOICES: (sentence,)} if sentence else tried


def detached(analysis: Analysis) -> Analysis:
    """The same for work outside a script run, with what is remembered so far as its own."""
    user = state.session()
    return replace(analysis, remember=_memory(user.results.copy(), user.n_loaded, joint.results()))


def _studies(data: PValueTable | ResultSet) -> dict[str, object]:
    """What was studied on demand, as the report tells of it."""
    found: dict[str, object] = {
        systems.STUDIES: systems_data.studied(),
        simulation.STUDIES: simulation_results.simulated(),
    }
    if isinstance(data, ResultSet):
        found[reliability.STUDIES] = reliability_data.found(data)
    return {key: study for key, study in found.items() if study is not None}


def _memory(results: cache.Results, n_loaded: int, made: Mapping[Hashable, object]) -> Memory:
    """What is kept of what is loaded; bound here, as elsewhere nobody knows whose it is."""

    def remember(key: Hashable, compute: Callable[[], Result], /) -> Result:
        if key in made:
            return cast("Result", made[key])
        # A fingerprint would not do: texts beside the results are no part of it.
        return results.remember((n_loaded, key), compute)

    return remember

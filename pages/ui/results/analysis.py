"""The analysis of what this user has loaded, as they have set it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from typing import TypeVar, cast

from core.analysis import Analysis, analysis_of
from core.analysis.memory import Memory
from core.analysis.record import DEPENDS_ON_CHOICES
from core.data import PValueTable, ResultSet
from core.sections.systems import ASKED, AT_MARGIN, STORED, Asked
from core.systems.comparisons import PairComparisons
from pages.ui.frame import cache, state
from pages.ui.reliability import data as reliability_data
from pages.ui.results import joint
from pages.ui.systems import data as systems_data
from pages.ui.systems import groups
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
        remember=_memory(user.results, user.n_loaded, _made()),
    )
    if not joint.are_made(found):
        return found
    own = _memory(user.results, user.n_loaded, _made())
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
    return replace(analysis, remember=_memory(user.results.copy(), user.n_loaded, _made()))


def _made() -> dict[Hashable, object]:
    """What was made in the background, as the report tells of it."""
    pairs = systems_data.compared()
    made = dict(joint.results())
    if pairs is None:
        return made
    at_margin = systems_data.compared(systems_data.AT_MARGIN)
    made = made if at_margin is None else {**made, AT_MARGIN: at_margin}
    return {**made, STORED: pairs, ASKED: _as_shown(pairs)}


def _memory(results: cache.Results, n_loaded: int, made: Mapping[Hashable, object]) -> Memory:
    """What is kept of what is loaded; bound here, as elsewhere nobody knows whose it is."""

    def remember(key: Hashable, compute: Callable[[], Result], /) -> Result:
        if key in made:
            return cast("Result", made[key])
        # A fingerprint would not do: texts beside the results are no part of it.
        return results.remember((n_loaded, key), compute)

    return remember


def _as_shown(pairs: PairComparisons) -> Asked:
    """What the page counts, on how many datasets two systems are told apart, and their groups."""
    at_least = int(state.value("systems-at-least", 1))
    grouping = groups.chosen(pairs.systems)
    return Asked(
        family=systems_data.family(pairs),
        at_least=at_least if at_least <= pairs.n_datasets else 1,
        groups=grouping.mapping,
        detail=grouping.detail,
    )

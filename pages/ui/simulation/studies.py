"""The studies of the simulation page: what was chosen, what runs in the background, and its link."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple, TypeVar

from core.errors import DataError
from core.sections.parts import Part
from core.sections.simulation import counts_parts
from core.simulation.like_my_data import LikeMyData, like_my_data
from core.simulation.results import Simulation
from core.simulation.runs import Draw, draw_one, extend_simulation, simulate_k_hat
from core.simulation.scenarios import PValueSource
from core.words.formatting import display_name
from pages.ui.frame import prose, state
from pages.ui.simulation.setup import DATA, MOST_STUDIES, Setup
from pages.ui.work import background
from pages.ui.work.background import Manner, Refusal, Task
from pages.ui.work.jobs import Job

Result = TypeVar("Result")
# Said at the top of a page of several studies, and beside a count: by name.
_SIMULATION = Manner(
    called="The simulation", failed="The simulation failed. Run it again, or change the settings."
)
KIND = "studies"
_CHOSEN, _LINKED = "simulation-setup", "simulation-linked"


class Chosen(NamedTuple):
    """What was chosen for a simulation, and in a few words with its numbers or the systems' names."""

    setup: Setup
    title: str


def task(
    kind: str, settings: Mapping[str, Hashable], work: Callable[..., Result], title: str, **how: Any
) -> Task[Result]:
    """A simulation to be begun."""
    how = {"doing": f"Simulating ({title})", "unit": "studies", "of_data": False, **how}
    return Task(kind, settings, work, manner=_SIMULATION, **how)


def of_chosen(kind: str, work: Callable[..., Result], **how: Any) -> Task[Result]:
    """A simulation of what is chosen; its work is called as ``work(scenario, on_progress=progress)``."""
    setup, data = chosen(), state.results()
    title, of_data = setup.line, None
    if setup.name == DATA and data is not None:
        a, b = state.systems()
        title = f"{setup.title}: {display_name(a)} and {display_name(b)}"
        without = state.session().settings.excluded
        of_data = partial(like_my_data, data, a=a, b=b, metric=state.metric(), without=without)
    return task(
        kind,
        settings(),
        partial(_on_scenario, of_data, setup, work),
        # A bar's text is read as Markdown, and data have names of their own.
        title if of_data is None else prose.label(title),
        context=Chosen(setup, title),
        of_data=setup.name == DATA,
        **how,
    )


def _on_scenario(
    of_data: Callable[..., PValueSource] | None,
    setup: Setup,
    work: Callable[..., Any],
    *,
    on_progress: Job,
) -> Any:
    """The work; what the data do not allow is handed over as a refusal."""
    if of_data is None:
        return work(setup.scenario(), on_progress=on_progress)
    try:
        # The datasets that are gone through are no studies: the bar has no number yet.
        scenario = of_data(on_progress=lambda *_: on_progress(0, 0))
    except (DataError, ValueError) as error:
        return Refusal(title=f"No scenario can be made of these data: {error}")
    return work(scenario, on_progress=on_progress)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Studies:
    """Counted studies, the last one of them to look at, and what they are drawn from."""

    simulation: Simulation
    last: Draw
    scenario: PValueSource


def chosen() -> Setup:
    """What the form says."""
    setup: Setup = state.value(_CHOSEN) or Setup()
    # What was like the user's data ends with these.
    return replace(setup, name="toy-1") if setup.name == DATA and state.results() is None else setup


def choose(**changes: Any) -> None:
    """Change what the form says."""
    state.widget(_CHOSEN, replace(chosen(), **changes))


def take_link(setup: Setup | None) -> None:
    """Keep what an address asks for, until the page is opened."""
    if setup is not None:
        state.widget(_CHOSEN, setup)
        state.widget(_LINKED, setup)


def run_linked() -> None:
    """Run what the address asked for, once, and draw anew; what needs data waits for these."""
    setup: Setup | None = state.value(_LINKED)
    if setup is not None and (setup.name != DATA or state.results() is not None):
        state.widget(_LINKED, None)
        # The data may have come after the link.
        state.widget(_CHOSEN, setup)
        run(setup.n_studies)
        state.draw_again()


def waiting_link() -> bool:
    """Whether a link waits for data."""
    return state.value(_LINKED) is not None


def in_address() -> Setup | None:
    """What a link to this session should carry: the studies that are shown, if it gives them.

    Of a run that is only beginning, what it was asked for.
    """
    waiting: Setup | None = state.value(_LINKED)
    run = background.latest(KIND)
    if waiting is not None or run is None:
        return waiting
    if not is_current(run):
        return None
    asked: Setup = run.task.context.setup
    result = run.result
    if isinstance(result, Studies):
        n_done = result.simulation.n_repetitions
        return replace(asked, n_studies=n_done) if n_done else None
    return asked if not run.finished else None


def run(n_studies: int, *, further: bool = False) -> None:
    """Count so many studies of what is chosen, from the first one on.

    Or `further` ones of those that are shown, if these are of what is chosen.
    """
    current = background.latest(KIND) if further else None
    before = current.result if current is not None and is_current(current) else None
    n_before = 0
    if isinstance(before, Studies):
        n_before = before.simulation.n_repetitions
        n_studies = min(n_studies, MOST_STUDIES - n_before)
        if n_studies < 1:
            return
        count = partial(extend_simulation, before.simulation)
    else:
        before = None
        alpha = state.session().settings.alpha
        count = partial(simulate_k_hat, alpha=alpha, rng=chosen().seed)
        state.widget(_LINKED, None)

    def work(scenario: PValueSource, on_progress: Job) -> Studies:
        simulation = count(scenario, n_repetitions=n_studies, on_progress=on_progress)
        last = draw_one(
            scenario,
            simulation.seed,
            alpha=simulation.alpha,
            repetition=max(simulation.n_repetitions - 1, 0),
        )
        return Studies(simulation=simulation, last=last, scenario=scenario)

    asked = of_chosen(KIND, work, before=before)
    setup, title = asked.context

    def printed(found: Studies) -> tuple[Part, ...]:
        return counts_parts(
            found.simulation,
            title=f"{title}; seed {setup.seed}",
            independent_nulls=setup.independent_nulls,
        )

    setup = replace(setup, n_studies=n_before + n_studies)
    background.start(replace(asked, context=Chosen(setup, title), parts=printed))


def settings() -> dict[str, Any]:
    """Everything that the studies of what is chosen depend on, but for how many they are."""
    setup = chosen()
    return {
        "scenario": setup.title,
        "seed": setup.seed,
        "α": state.session().settings.alpha,
        "numbers of the scenario": setup.part,
        "data, systems, metric or datasets left out": _compared() if setup.name == DATA else None,
    }


def _compared() -> Hashable:
    """What "like my data" is made of; None without data."""
    data = state.results()
    if data is None:
        return None
    without = state.session().settings.excluded
    return data.fingerprint, state.systems(), state.metric(), without


def is_current(run: Job) -> bool:
    """Whether a run is of what is chosen now."""
    return bool(run.task.settings == settings())


def is_of_these_data(run: Job) -> bool:
    """Whether a run "like my data" is of what is compared now; any other run is of no data."""
    *_, of = run.task.settings.values()
    return of in (None, _compared())


def made_of_data() -> LikeMyData | None:
    """The scenario "like my data" of the studies that are shown, if it is of what is compared now."""
    run = background.latest(KIND)
    if run is None or not isinstance(run.result, Studies) or not is_of_these_data(run):
        return None
    scenario = run.result.scenario
    return scenario if isinstance(scenario, LikeMyData) else None

"""Work in the background, all of it in one way: offered, begun, watched, stopped, resumed and reported.

Vocabulary
----------
task
    What is to be worked out, and everything that it depends on.
run
    A task at work or ended; the last one of each kind is kept.
manner
    What the tasks of one sort have in common: their words, and where their bars stand.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import partial
from typing import Any, Generic, TypeVar

import streamlit as st

from core.data import ReadingStopped
from core.errors import DataError, told
from core.sections.parts import Part
from core.significance.stopping import Stopped
from core.words.formatting import display_name, format_level
from pages.ui.frame import limits, prose, state, widgets
from pages.ui.results import parts
from pages.ui.work.jobs import Job

Result = TypeVar("Result")
Value = TypeVar("Value")
# What pages call arguments of studies that have other names there.
_CALLED = {
    "a": "A",
    "b": "B",
    "rng": "seed",
    "size": "examples",
    "name": "covariate",
    "confidence_level": "level",
    "n_draws": "test sets",
    "n_random": "random orders",
    "n_repetitions": "repetitions",
    "n_resamples": "resamples",
    "n_subsamples": "parts",
    "n_subsets": "subsets",
}
# A study is held against the level of the sidebar where it is shown.
_CHANGES_NOTHING = frozenset({"alpha", "n_threads"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How work of one sort goes on, and how it is spoken of: in a sentence, where it failed, to stop it."""

    called: str = "This"
    failed: str = "This failed. Run it again, or change the settings."
    stop: str = "Stop"
    # Its bar is at the top of every page.
    on_every_page: bool = True


STUDY = Manner()


@dataclass(frozen=True, slots=True, eq=False)
class Task(Generic[Result]):
    """What is to be worked out: one run of each kind is kept, unless it says which one `of` several.

    `settings` are everything the result depends on, by the words that the page calls it; the work
    is called as ``work(on_progress=progress)`` in a thread, which knows no session.
    """

    kind: str
    settings: Mapping[str, Hashable]
    work: Callable[..., Result] | None
    _: KW_ONLY
    # "Drawing parts: 3 of 40 parts".
    doing: str = ""
    unit: str = ""
    manner: Manner = STUDY
    # What the record of what was tried calls it, with its settings; empty of what is not kept there.
    tried: str = ""
    # What it goes on from, and its result until it ends and where it never begins.
    before: Any = None
    # Whether it is made of what is loaded, and goes with that.
    of_data: bool = True
    # Stands above its bar; may hold names from files.
    heading: str = ""
    # What goes with its result.
    context: Any = None
    # Of a kind of which several are kept, which one this is.
    of: Hashable = None
    # What a page shows of its result, and a report prints.
    parts: Callable[[Any], tuple[Part, ...]] = lambda _: ()

    @property
    def key(self) -> Hashable:
        """What its run is kept under."""
        return self.kind if self.of is None else self.of

    def told(self, job: Job) -> str:
        """What its bar says: "Drawing parts: 3 of 40 parts, about 5 s left", or its place in the line."""
        if job.waiting:
            n = job.n_before
            if not n:
                return "Waiting: this is next on this server"
            others = "1 other is" if n == 1 else f"{n:,} others are"
            return f"Waiting: {others} before this one on this server"
        if not (self.unit and job.total):
            return self.doing
        left = job.seconds_left
        ending = "" if left is None else f", about {max(1, round(left))} s left"
        return f"{self.doing}: {job.done:,} of {job.total:,} {self.unit}{ending}"


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why the data do not allow what was asked: each problem with its remedy, where they are known."""

    reasons: tuple[str, ...] = ()
    title: str = "These data do not allow it."

    def tell(self) -> None:
        """Say so on the page."""
        if self.reasons:
            prose.problems(self.title, self.reasons)
        else:
            prose.notice(self.title)


def _guarded(work: Callable[..., Any], job: Job) -> Any:
    try:
        return work(on_progress=job)
    except (Stopped, ReadingStopped):
        # Before anything was done: half of one is none.
        return None
    except DataError as error:
        return Refusal(tuple(told(error.problems)))


def start(task: Task[Any], *, wait: bool = True) -> None:
    """Begin, in the place of an earlier run under the same key, which is stopped.

    What is quick is waited for, and shown at once rather than by way of a bar.
    """
    if task.tried:
        asked = {name: _written(name, value) for name, value in task.settings.items()}
        state.record(
            task.tried, ", ".join(f"{name} {text}" for name, text in asked.items() if text)
        )
    forget(task.key)
    # The job gives its work away as it runs; kept with the task, it would keep what it was of.
    assert task.work is not None
    kept = replace(task, work=None)
    run = Job(partial(_guarded, task.work), user=state.user(), task=kept, before=task.before)
    # The last one begun stands last.
    state.session().work[task.key] = run.start()
    if wait:
        run.wait(limits.SECONDS_TO_WAIT)


def latest(key: Hashable) -> Job | None:
    """The last run under a key, at work or ended."""
    return state.session().work.get(key)


def result_of(kind: str) -> Any:
    """What the last run of a kind came to; None where that is nothing."""
    run = latest(kind)
    found = None if run is None else run.result
    return found if _has_any(found) and not isinstance(found, Refusal) else None


def is_at_work(kind: str) -> bool:
    """Whether a run of a kind is at work."""
    run = latest(kind)
    return run is not None and not run.finished


def forget(key: Hashable) -> None:
    """Stop and forget the run under a key."""
    run = state.session().work.pop(key, None)
    if run is not None:
        run.stop()


def forget_data(*, also_others: bool = False) -> None:
    """Stop and forget what is made of the user's data; the rest stays, also at work, or goes as well."""
    for key, run in list(state.session().work.items()):
        if run.task.of_data or also_others:
            forget(key)


def ended(
    kind: str,
    settings: Mapping[str, Hashable],
    *,
    again: Callable[[], None] | None = None,
) -> Any:
    """What the last run of a kind came to; where there is nothing, the page says why.

    Where its settings differ from these, which are those of now, a remark says how. `again` starts
    it anew, from a button where nothing was done.
    """
    run = latest(kind)
    if run is None:
        return None
    called, result = run.task.manner.called, run.result
    if not run.finished:
        prose.paragraph(f"{called} is running; its bar is at the top of the page.")
        return None
    failed = say_failure(run)
    late = say_limit(run)
    if not failed and isinstance(result, Refusal):
        result.tell()
        return None
    if failed or not _has_any(result):
        if not (failed or late):
            prose.paragraph(f"{called} was stopped before anything was done.")
        if again is not None:
            st.button("Run again", on_click=again, key=f"again-{kind}")
        return None
    say_changed(run.task.settings, settings)
    return result


def say_changed(was: Mapping[str, Hashable], now: Mapping[str, Hashable]) -> None:
    """Where what is shown is not what is chosen, say in what: "seed 0 → 5, α .05 → .01, datasets"."""
    changed = []
    for name, value in now.items():
        if was.get(name) != value:
            earlier, wanted = _written(name, was.get(name)), _written(name, value)
            # What is neither number nor text stands there by its name alone.
            changed.append(f"{name} {earlier} → {wanted}" if earlier and wanted else name)
    if changed:
        prose.notice(f"Settings have changed since this run ({', '.join(changed)}): run it again.")


def _written(name: str, value: object) -> str:
    """A setting that is one text or number, in a sentence; empty of any other."""
    if isinstance(value, tuple) and len(value) == 1:
        value = value[0]
    if isinstance(value, str):
        return f"“{value}”"
    if not isinstance(value, int | float) or isinstance(value, bool):
        return ""
    return format_level(value) if name == "α" else f"{value:.10g}"


def say_failure(run: Job) -> bool:
    """Where a run failed, say so and have its error reported; whether it did."""
    if run.error is None:
        return False
    if run.failure == "not seen":
        run.failure = "seen"
    prose.notice(run.task.manner.failed)
    return True


def report_failures() -> None:
    """Raise what made a run fail that the page tells of, once, for the page's frame to report."""
    for run in state.session().work.values():
        if run.failure == "seen" and run.error is not None:
            run.failure = "reported"
            raise run.error


def say_limit(run: Job) -> bool:
    """Where the limit on a run's time ended this one, say so and name it; whether it did."""
    if run.error is not None or isinstance(run.result, Refusal):
        return False
    late = out_of_time(run, run.task.manner.called, kept=_has_any(run.result))
    if late:
        prose.notice(late)
    return bool(late)


def out_of_time(job: Job, what: str, *, kept: bool) -> str:
    """That `what` was ended by the limit on its time, and whether anything is `kept`; else empty."""
    if not job.out_of_time:
        return ""
    left = "; what was finished by then is kept" if kept else " before anything was finished"
    return (
        f"{what} reached this server's limit of {limits.time_of_a_run()} for one run and was "
        f"stopped{left}. Ask for fewer resamples, studies or datasets, or for another test; whoever "
        "runs this server can raise the limit (DASHBOARD_MAX_SECONDS), and the library has none."
    )


def _has_any(result: Any) -> bool:
    """Whether anything was counted: what was stopped at once may have a result without any."""
    found = getattr(result, "simulation", result)
    if found is None or not getattr(found, "n_repetitions", 1):
        return False
    return all(len(getattr(found, name, "any")) > 0 for name in ("points", "tried"))


def watch() -> None:
    """A bar for everything at work that has one on every page."""
    for run in state.session().work.values():
        if not run.finished and run.task.manner.on_every_page:
            bar(run)


@st.fragment(run_every=0.5)
def bar(run: Job, *, has_more: Callable[[], bool] = lambda: False) -> None:
    """How far a run is, until it ends; where it waits for its turn, that.

    Where it `has_more` to show, the page is drawn anew.
    """
    task = run.task
    if run.finished or has_more():
        state.draw_again()
    if task.heading:
        prose.paragraph(task.heading)
    share = run.done / run.total if run.total else 0.0
    st.progress(min(share, 1.0), text=task.told(run) or None)
    st.button(task.manner.stop, on_click=_stop, args=(run,), key=f"stop-{task.kind}")


@st.fragment(run_every=0.5)
def wait_for(jobs: Sequence[Job], words: str) -> None:
    """Look until all of these have ended; then the page is drawn anew."""
    if all(job.finished for job in jobs):
        state.draw_again()
    prose.paragraph(words, quiet=True)


def _stop(run: Job) -> None:
    run.stop()
    # Work ends at its next step: waiting for that answers at once instead of at the next look.
    run.wait(limits.SECONDS_TO_WAIT)


def called(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The same by the words of the pages; without what changes no result."""
    return {
        _CALLED.get(name, name): value
        for name, value in arguments.items()
        if name not in _CHANGES_NOTHING
    }


def study(kind: str, work: partial[Result], **how: Any) -> Task[Result]:
    """A task whose settings are the arguments that its work has by name, which so cannot differ."""
    return Task(kind, called(work.keywords), work, **how)


def offer(label: str, asked: Task[Result], *, disabled: bool = False) -> Result | None:
    """A button that begins a study, and what it came to, as `show` has it."""
    button(label, asked, disabled=disabled)
    return show(asked)


def offered(label: str, kind: str, work: partial[Result], **how: Any) -> Result | None:
    """The same of a study, which is described as `study` takes it."""
    return offer(label, study(kind, work, **how))


def button(label: str, asked: Task[Any], *, disabled: bool = False) -> None:
    """Begins a study of what its fields hold once they are drawn, unless that is not possible.

    Its bar says what the button does, unless the study says it otherwise.
    """
    if widgets.clicked(label, key=f"run-{asked.kind}", disabled=disabled) and not disabled:
        start(replace(asked, doing=asked.doing or label))
        # As in `begin_by_itself`.
        state.draw_again()


def begin_by_itself(asked: Task[Any]) -> None:
    """Begin what has not been asked for before; what was stopped stays so until something else is."""
    run = latest(asked.kind)
    if run is None or run.task.settings != asked.settings:
        start(asked)
        if is_at_work(asked.kind):
            # The page's frame, which draws the bar, was drawn before there was anything to watch.
            state.draw_again()


def answer(
    asked: Task[Result], *, again: bool = False, but_for: Sequence[str] = ()
) -> Result | None:
    """What a study came to that was begun from this form; where there is nothing, the page says why.

    As `ended` gives it; settings `but_for` these make no difference. None as well where
    the study is of other systems, or of these swapped: its sentences say A and B, and below the
    names of others they would tell something else.
    """
    settings = {name: value for name, value in asked.settings.items() if name not in but_for}
    result: Result | None = ended(
        asked.kind, settings, again=partial(start, asked) if again else None
    )
    run = latest(asked.kind)
    if result is None or run is None:
        return None
    of_study, of_now = ((held.get("A"), held.get("B")) for held in (run.task.settings, settings))
    if of_study != of_now:
        a, b = (display_name(str(name)) for name in of_study)
        prose.paragraph(
            f"These results compare {a} (A) with {b} (B) and are not shown here: choose the two again "
            "in the sidebar, or run it for the ones chosen now."
        )
        return None
    return result


def show(asked: Task[Result]) -> Result | None:
    """What a study came to, as `answer` gives it, on the page."""
    found, run = answer(asked), latest(asked.key)
    if found is not None and run is not None:
        parts.show(run.task.parts(found))
    return found


class OfEach(dict[str, Value]):
    """A study for each dataset, and whether every dataset that was asked for is done."""

    complete: bool = True


def of_each(names: Sequence[str], one: Callable[..., Value], *, on_progress: Job) -> OfEach[Value]:
    """The same work on each dataset, as ``one(name, on_progress=…)``, reported as one.

    What is done when it is stopped is kept; `Stopped` where that is nothing.
    """
    found: OfEach[Value] = OfEach()

    def part(place: int, done: int, total: int) -> bool:
        return on_progress(place * total + done, len(names) * total)

    for place, name in enumerate(names):
        try:
            found[name] = one(name, on_progress=partial(part, place))
        except Stopped:
            if not found:
                raise
        if not on_progress.goes_on():
            break
    found.complete = len(found) == len(names)
    return found

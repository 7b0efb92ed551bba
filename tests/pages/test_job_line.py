"""The line that jobs wait in: users take turns, and the place that is told comes true."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pages.ui.work.jobs import Line, Ticket


def has_place(line: Line, ticket: Ticket) -> bool:
    return line.wait(ticket, 0.0)


def order_of(line: Line, waiting: list[Ticket], working: list[Ticket]) -> list[Ticket]:
    """In which order those who wait get places, as those who work leave one after another."""
    served: list[Ticket] = []
    working, waiting = list(working), list(waiting)
    while waiting:
        line.leave(working.pop(0))
        new = [ticket for ticket in waiting if has_place(line, ticket)]
        assert len(new) == 1
        waiting.remove(new[0])
        working += new
        served += new
    return served


def test_one_users_ten_jobs_let_another_users_only_one_go_first() -> None:
    line = Line(1)
    many = [line.enter("many") for _ in range(10)]
    one = line.enter("one")
    assert [has_place(line, ticket) for ticket in many] == [True] + [False] * 9
    assert line.n_before(one) == 0
    assert [line.n_before(ticket) for ticket in many[1:]] == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    line.leave(many[0])
    assert has_place(line, one)


def test_users_take_turns_and_each_ones_jobs_keep_their_order() -> None:
    line = Line(1)
    working = line.enter("x")
    waiting = [line.enter(user) for user in "aaabbc"]
    order = order_of(line, waiting, [working])
    assert [ticket.user for ticket in order] == ["a", "b", "c", "a", "b", "a"]
    assert [waiting.index(ticket) for ticket in order if ticket.user == "a"] == [0, 1, 2]


def test_who_works_already_comes_after_who_does_not() -> None:
    line = Line(2)
    first, _, third = line.enter("a"), line.enter("b"), line.enter("a")
    newcomer = line.enter("c")
    # User b's place is free: a has one already.
    line.leave(_)
    assert has_place(line, newcomer)
    assert not has_place(line, third)
    line.leave(first)
    assert has_place(line, third)


@given(
    st.integers(1, 3),
    st.lists(st.tuples(st.sampled_from("abc"), st.booleans()), min_size=1, max_size=14),
)
def test_the_place_that_is_told_is_the_place_that_comes_true(
    n_places: int, moves: list[tuple[str, bool]]
) -> None:
    line = Line(n_places)
    present: list[Ticket] = []
    for user, leaves in moves:
        present.append(line.enter(user))
        working = [ticket for ticket in present if has_place(line, ticket)]
        # No place stays free while somebody waits, and no more are given than there are.
        assert len(working) == min(n_places, len(present))
        if leaves:
            present.remove(working[0])
            line.leave(working[0])
    working = [ticket for ticket in present if has_place(line, ticket)]
    waiting = [ticket for ticket in present if ticket not in working]
    told = [line.n_before(ticket) for ticket in waiting]
    assert sorted(told) == list(range(len(waiting)))
    # What is told holds if nobody has more than one place: else it depends on who leaves first.
    if n_places == 1:
        order = order_of(line, waiting, working)
        assert told == [order.index(ticket) for ticket in waiting]

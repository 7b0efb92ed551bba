"""The line that jobs wait in: whose turn is next among all users; what they do is not known here.

Vocabulary
----------
place
    What a job needs in order to work; a server has few of them.
user
    Whoever a job works for, as `enter` is told.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Ticket:
    """A job's standing in the line."""

    user: Hashable


class Line:
    """Who works next: users take turns, however much each of them has asked for.

    A free place goes to the user who has the fewest places, among those to the
    one whose last turn lies furthest back, and there to what was asked first.

    Parameters
    ----------
    n_places : int
        How many may work at once.
    """

    def __init__(self, n_places: int) -> None:
        self.n_places = n_places
        self._changed = threading.Condition()
        self._waiting: list[Ticket] = []
        self._working: list[Ticket] = []
        # Number of each user's last turn; 0 of those who have had none since others wait.
        self._turns: dict[Hashable, int] = {}
        self._n_turns = 0

    def enter(self, user: Hashable) -> Ticket:
        """Stand in line."""
        ticket = Ticket(user)
        with self._changed:
            self._waiting.append(ticket)
            self._turns.setdefault(user, 0)
            self._admit()
        return ticket

    def wait(self, ticket: Ticket, seconds: float) -> bool:
        """Wait for a place; whether it is there."""
        with self._changed:
            return self._changed.wait_for(lambda: ticket in self._working, seconds)

    def leave(self, ticket: Ticket) -> None:
        """Give the place back, or no longer wait for one."""
        with self._changed:
            for kept in (self._waiting, self._working):
                if ticket in kept:
                    kept.remove(ticket)
            self._admit()
            if not self._waiting:
                # While others wait, who asks again right after a turn is no newcomer.
                self._turns = {one.user: self._turns[one.user] for one in self._working}

    @property
    def n_working(self) -> int:
        """How many places are taken."""
        with self._changed:
            return len(self._working)

    def n_before(self, ticket: Ticket) -> int:
        """How many others get a place before this one, if nobody else comes; 0 of one that has one."""
        with self._changed:
            waiting = list(self._waiting)
            n_working = Counter(other.user for other in self._working)
            turns, n_turns = dict(self._turns), self._n_turns
        n = 0
        while ticket in waiting:
            following = self._next(waiting, n_working, turns)
            if following is ticket:
                return n
            waiting.remove(following)
            n_turns += 1
            n_working[following.user] += 1
            turns[following.user] = n_turns
            n += 1
        return 0

    def _admit(self) -> None:
        while self._waiting and len(self._working) < self.n_places:
            n_working = Counter(other.user for other in self._working)
            following = self._next(self._waiting, n_working, self._turns)
            self._waiting.remove(following)
            self._working.append(following)
            self._n_turns += 1
            self._turns[following.user] = self._n_turns
        self._changed.notify_all()

    @staticmethod
    def _next(
        waiting: list[Ticket], n_working: Counter[Hashable], turns: dict[Hashable, int]
    ) -> Ticket:
        # Of equals `min` takes the first, which has waited longest.
        return min(waiting, key=lambda one: (n_working[one.user], turns[one.user]))

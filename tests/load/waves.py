"""Waves of users at once, and what is asked of the server meanwhile."""

import asyncio
import re
import statistics
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from playwright.sync_api import expect, sync_playwright

from tests.browser.conftest import ARGUMENTS
from tests.browser.visit import Visit
from tests.load.protocol import ProtocolUser
from tests.load.server import LoadedServer, Rerun
from tests.load.users import User

# Tests that draw: some seconds of work for each user on one processor.
QUERY = "test=paired-bootstrap&resamples=199"
# People look at what they see before the next click.
SECONDS_BETWEEN_CLICKS = 1.0
MARK = re.compile(rb"wave\d+user\d\d")
# What is clicked while the tests wait and run, and then again with the answers there.
CLICKS = (".01", "Counting", "Identification", ".05", "Tests", "Upload")


@dataclass(slots=True)
class Wave:
    """What came of some users at once."""

    faults: list[str] = field(default_factory=list)
    waited: list[str] = field(default_factory=list)
    seconds: float = 0.0


async def _use(server: LoadedServer, user: User, together: asyncio.Barrier, wave: Wave) -> None:
    client = ProtocolUser(server.host, base_path=server.base_path, query=QUERY)
    marks: set[bytes] = set()

    def look() -> None:
        marks.update(MARK.findall(client.received))

    try:
        await client.enter()
        await together.wait()
        await client.drop(user.file_name, user.content)
        for _ in range(2):
            for click in CLICKS:
                await asyncio.sleep(SECONDS_BETWEEN_CLICKS)
                await (
                    client.set_field("Level α", click) if click[0] == "." else client.go_to(click)
                )
                look()
            # The first time it may take until all others have had their turn.
            await client.see(user.answer)
            look()
        await client.go_to("Tests")
        look()
        if not user.is_told(client.received):
            wave.faults.append(f"{user.mark}: its mean {user.mean_of_a:.6f} is not on the page")
        if marks != {user.mark.encode()}:
            wave.faults.append(f"{user.mark} was shown names of {sorted(marks)}")
        wave.faults += [f"{user.mark}: {each}" for each in client.faults]
        wave.waited += client.seen
        # Nobody leaves before everybody has an answer.
        await together.wait()
    except (AssertionError, OSError) as error:
        wave.faults.append(f"{user.mark}: {type(error).__name__}: {error}"[:600])
        await together.abort()
    except asyncio.BrokenBarrierError:
        wave.faults.append(f"{user.mark}: another user's fault ended this one's visit")
    finally:
        await client.leave()


def _browse(server: LoadedServer, user: User, chromium: str, wave: Wave) -> None:
    """One user in Chromium."""
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
            page = browser.new_context(reduced_motion="reduce").new_page()
            visit = Visit(page, server)
            page.set_default_timeout(300_000)
            page.goto(f"{server.url}/?{QUERY}")
            visit.drop(user.file_name, user.content)
            expect(visit.verdict).to_contain_text(user.answer, timeout=300_000)
            page.wait_for_timeout(1000 * SECONDS_BETWEEN_CLICKS)
            for label in ("Counting", "Tests"):
                page.get_by_role("navigation").get_by_role("link", name=label, exact=True).click()
                expect(visit.lead).to_contain_text(user.mark, timeout=300_000)
                marks = set(MARK.findall(page.content().encode()))
                if marks != {user.mark.encode()}:
                    wave.faults.append(
                        f"{user.mark} in Chromium was shown names of {sorted(marks)}"
                    )
                page.wait_for_timeout(1000 * SECONDS_BETWEEN_CLICKS)
            wave.faults += [f"{user.mark} in Chromium: {each}" for each in visit.faults]
            browser.close()
    except Exception as error:  # noqa: BLE001 - whatever it is, it is told at the end
        wave.faults.append(f"{user.mark} in Chromium: {type(error).__name__}: {error}"[:600])


def run_wave(
    server: LoadedServer, users: Sequence[User], *, chromium: str, n_browsers: int
) -> Wave:
    """Let users in, at once: the first of them in Chromium, the others by the protocol."""
    wave = Wave()
    began = time.monotonic()
    browsing = [
        threading.Thread(target=_browse, args=(server, user, chromium, wave))
        for user in users[:n_browsers]
    ]

    async def speak() -> None:
        together = asyncio.Barrier(len(users) - n_browsers)
        await asyncio.gather(*(_use(server, user, together, wave) for user in users[n_browsers:]))

    for thread in browsing:
        thread.start()
    asyncio.run(speak())
    for thread in browsing:
        thread.join()
    wave.seconds = time.monotonic() - began
    return wave


def median_seconds(reruns: Sequence[Rerun]) -> float:
    """Of full runs of the script; those of parts, which are quick, do not count."""
    return statistics.median(each.seconds for each in reruns if not each.part)

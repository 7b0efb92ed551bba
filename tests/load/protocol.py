"""A user who speaks Streamlit's WebSocket protocol, without the cost of a browser.

Does what the browser's client does: sends what widgets hold, asks for an
address to upload to and uploads with the XSRF token, follows pages by their
hash, and looks again at the parts that ask for it every so often.
"""

import asyncio
import html
import http.client
import re
import time
import uuid
from collections import deque
from collections.abc import Callable
from http.cookies import SimpleCookie
from typing import Any

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

XSRF_COOKIE = "_streamlit_xsrf"
SECONDS_TO_WAIT = 240.0
SECONDS_BETWEEN_LOOKS = 5.0
# What the page says where something went wrong that should not have.
FAULTS = ("Something went wrong", "Traceback", "could not be read")


class ProtocolUser:
    """One connection, with all that came over it since the last full run of the script."""

    def __init__(self, host: str, *, base_path: str = "", query: str = "") -> None:
        self._host, self._base_path, self._query = host, base_path, query
        self._socket: ClientConnection | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._listening: asyncio.Task[None] | None = None
        # What came last, to be told where something does not come.
        self._latest: deque[str] = deque(maxlen=12)
        self._changed = asyncio.Condition()
        self._timers: dict[str, asyncio.Task[None]] = {}
        self._widgets: dict[str, WidgetState] = {}
        self._answers: dict[str, Any] = {}
        self._token = ""
        self._page = ""
        self.session = ""
        self.pages: dict[str, str] = {}
        # What the page shows: texts and widgets of the latest full run and of its parts since then.
        self.texts: list[str] = []
        self.raw: list[bytes] = []
        self.fields: dict[str, str] = {}
        self.buttons: dict[str, str] = {}
        self.uploader = ""
        self.n_begun = 0
        self.n_finished = 0
        self.running = False
        self._begun = False
        self.seen: list[str] = []
        self.faults: list[str] = []

    async def enter(self) -> None:
        """Come in by the address, and see the first page."""
        self._token = await asyncio.to_thread(self._fetch_token)
        self._socket = await connect(
            f"ws://{self._host}{self._base_path}/_stcore/stream",
            origin=f"http://{self._host}",  # type: ignore[arg-type]
            subprotocols=[Subprotocol("streamlit")],
            additional_headers={"Cookie": f"{XSRF_COOKIE}={self._token}"},
            max_size=None,
            # A browser sends no pings either; all users of a wave share one busy process here.
            ping_interval=None,
        )
        self._listening = asyncio.create_task(self._listen())
        self._tasks.append(self._listening)
        await self._run(lambda message: None)

    async def leave(self) -> None:
        """Close the tab."""
        for task in (*self._tasks, *self._timers.values()):
            task.cancel()
        if self._socket is not None:
            await self._socket.close()

    async def drop(self, name: str, content: bytes) -> None:
        """Give a file to the uploader of the page."""
        request = str(uuid.uuid4())
        message = BackMsg()
        message.file_urls_request.request_id = request
        message.file_urls_request.file_names.append(name)
        message.file_urls_request.session_id = self.session
        await self._send(message)
        await self._until(lambda: request in self._answers)
        (urls,) = self._answers.pop(request).file_urls
        await asyncio.to_thread(self._put, urls.upload_url, name, content)
        state = WidgetState(id=self.uploader)
        info = state.file_uploader_state_value.uploaded_file_info.add()
        info.name, info.size, info.file_id = name, len(content), urls.file_id
        info.file_urls.CopyFrom(urls)
        await self._run(lambda message: self._hold(state))

    async def set_field(self, label: str, text: str) -> None:
        """Write into a text field and leave it."""
        state = WidgetState(id=self.fields[label], string_value=text)
        await self._run(lambda message: self._hold(state))

    async def press(self, label: str) -> None:
        """Press a button."""
        pressed = self._pressed(label)
        await self._run(lambda message: self._add(message, pressed))

    async def hurry(self, *fields: tuple[str, str], press: str = "") -> None:
        """Write into fields and press a button, and wait no longer than until a run begins."""
        for label, text in fields:
            self._hold(WidgetState(id=self.fields[label], string_value=text))
        message = BackMsg()
        if press:
            self._add(message, self._pressed(press))
        self._fill(message)
        before = self.n_begun
        await self._send(message)
        await self._until(lambda: self.n_begun > before, what=lambda: "a run's beginning")

    async def go_to(self, page: str) -> None:
        """Follow the menu to a page."""
        self._page = self.pages[page]
        await self._run(lambda message: None)

    async def see(self, *words: str) -> None:
        """Wait until the page, at rest, says this."""
        await self._until(
            lambda: not self.running and all(each in " ".join(self.texts) for each in words),
            what=lambda: f"{words} in {' '.join(self.texts)[:2000]}",
        )

    @property
    def received(self) -> bytes:
        """All bytes of the page shown, tables and charts included."""
        return b"".join(self.raw)

    def _pressed(self, label: str) -> WidgetState:
        return WidgetState(id=self.buttons[label], trigger_value=True)

    def _add(self, message: BackMsg, state: WidgetState) -> None:
        message.rerun_script.widget_states.widgets.append(state)

    def _hold(self, state: WidgetState) -> None:
        self._widgets[state.id] = state

    def _fetch_token(self) -> str:
        asked = http.client.HTTPConnection(self._host, timeout=60)
        asked.request("GET", f"{self._base_path}/_stcore/health")
        answer = asked.getresponse()
        assert answer.status == 200, answer.status
        cookies: SimpleCookie = SimpleCookie()
        cookies.load(answer.getheader("Set-Cookie") or "")
        asked.close()
        return cookies[XSRF_COOKIE].value

    def _put(self, path: str, name: str, content: bytes) -> None:
        boundary = uuid.uuid4().hex
        body = (
            f"--{boundary}\r\nContent-Disposition: form-data; "
            f'name="file"; filename="{name}"\r\nContent-Type: text/csv\r\n\r\n'
        ).encode()
        body += content + f"\r\n--{boundary}--\r\n".encode()
        asked = http.client.HTTPConnection(self._host, timeout=SECONDS_TO_WAIT)
        # The server names the place below its root, where a base path is not yet in it.
        place = path if path.startswith(f"{self._base_path}/") else self._base_path + path
        asked.request(
            "PUT",
            place,
            body,
            {
                "Content-Type": f"multipart/form-data; boundary={boundary}",
                "Cookie": f"{XSRF_COOKIE}={self._token}",
                "X-Xsrftoken": self._token,
            },
        )
        answer = asked.getresponse()
        assert answer.status == 204, (answer.status, answer.read()[:500])
        asked.close()

    async def _run(self, change: Callable[[BackMsg], None]) -> None:
        """Ask for a run of the script, and wait for its end."""
        message = BackMsg()
        change(message)
        self._fill(message)
        before = self.n_finished
        self.running, self._begun = True, False
        await self._send(message)
        await self._until(
            lambda: self.n_finished > before and not self.running, what=lambda: "a run's end"
        )

    def _fill(self, message: BackMsg, *, part: str = "") -> None:
        client = message.rerun_script
        client.query_string = self._query
        client.page_script_hash = self._page
        client.fragment_id = part
        client.is_auto_rerun = bool(part)
        client.widget_states.widgets.extend(self._widgets.values())

    async def _send(self, message: BackMsg) -> None:
        assert self._socket is not None
        await self._socket.send(message.SerializeToString())

    async def _until(
        self, holds: Callable[[], bool], *, what: Callable[[], str] = lambda: "an answer"
    ) -> None:
        until = time.monotonic() + SECONDS_TO_WAIT
        async with self._changed:
            while not holds():
                if self._listening is not None and self._listening.done():
                    lost = self._listening.exception() or "the server closed it"
                    raise AssertionError(f"The connection was lost, waiting for {what()}: {lost!r}")
                left = min(until - time.monotonic(), SECONDS_BETWEEN_LOOKS)
                try:
                    await asyncio.wait_for(self._changed.wait(), max(left, 0.0))
                except TimeoutError:
                    if time.monotonic() > until:
                        came = ", ".join(self._latest)
                        raise AssertionError(
                            f"Waited in vain for {what()}; what came last: {came}"
                        ) from None

    async def _listen(self) -> None:
        assert self._socket is not None
        async for payload in self._socket:
            assert isinstance(payload, bytes)
            message = ForwardMsg()
            message.ParseFromString(payload)
            self._take(message, payload)
            async with self._changed:
                self._changed.notify_all()

    def _take(self, message: ForwardMsg, payload: bytes) -> None:
        kind = message.WhichOneof("type")
        if kind != "delta":
            ended = message.script_finished if kind == "script_finished" else ""
            self._latest.append(f"{kind} {ended}".strip())
        if kind == "new_session":
            self.session = message.new_session.initialize.session_id
            if not message.metadata.run.fragment_ids:
                self.running = self._begun = True
                self.n_begun += 1
                self._begin_anew()
        elif kind == "navigation":
            self.pages = {
                page.page_name: page.page_script_hash for page in message.navigation.app_pages
            }
            self._page = message.navigation.page_script_hash
        elif kind == "script_finished":
            whole = message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY
            # Where a part is run right after the whole, before anything was sent, Streamlit tells
            # the end of the part alone; the server runs one of them at a time.
            of_part = message.script_finished == ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY
            if whole or (of_part and self.running and self._begun):
                self.running = False
                self.n_finished += 1
        elif kind == "auto_rerun":
            part = message.auto_rerun.fragment_id
            if part not in self._timers:
                seconds = message.auto_rerun.interval
                self._timers[part] = asyncio.create_task(self._look_again(part, seconds))
        elif kind == "stop_auto_rerun":
            for part in message.stop_auto_rerun.fragment_ids:
                self._forget_timer(part)
        elif kind == "file_urls_response":
            self._answers[message.file_urls_response.response_id] = message.file_urls_response
        elif kind == "delta":
            self._see(message, payload)

    def _begin_anew(self) -> None:
        self.texts, self.raw = [], []
        for part in list(self._timers):
            self._forget_timer(part)

    def _forget_timer(self, part: str) -> None:
        timer = self._timers.pop(part, None)
        if timer is not None:
            timer.cancel()

    async def _look_again(self, part: str, seconds: float) -> None:
        while True:
            await asyncio.sleep(seconds)
            message = BackMsg()
            self._fill(message, part=part)
            await self._send(message)

    def _see(self, message: ForwardMsg, payload: bytes) -> None:
        self.raw.append(payload)
        if message.delta.WhichOneof("type") != "new_element":
            return
        element = message.delta.new_element
        kind = element.WhichOneof("type")
        if kind == "exception":
            self.faults.append(element.exception.message)
        elif kind == "html":
            self._read(html.unescape(re.sub("<[^>]+>", " ", element.html.body)))
        elif kind == "progress":
            self._read(element.progress.text)
        elif kind == "text_input":
            self.fields[element.text_input.label] = element.text_input.id
        elif kind == "text_area":
            self.fields[element.text_area.label] = element.text_area.id
        elif kind == "button":
            self.buttons[element.button.label] = element.button.id
        elif kind == "file_uploader":
            self.uploader = element.file_uploader.id

    def _read(self, text: str) -> None:
        said = " ".join(text.split())
        self.texts.append(said)
        self.faults += [said for fault in FAULTS if fault in said]
        if said.startswith("Waiting"):
            self.seen.append(said)

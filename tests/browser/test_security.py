"""What a stranger's page, file or name must not be able to do to a user of the server."""

import base64
import csv
import http.client
import io
import os
import re
import socket
import zipfile
from collections.abc import Generator
from contextlib import closing
from html.parser import HTMLParser
from pathlib import Path

import openpyxl
import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visitors
from tests.browser.hostile import FILE_NAME, HOSTILE_NAMES
from tests.browser.server import Server
from tests.browser.visit import Visit

FOREIGN = "http://elsewhere.example"
FORMULAS = ('=HYPERLINK("http://example.org","x")', "+1+1", "-1+1", "@SUM(1)", "\t=1")
SYSTEMS = ("=cmd|'/C calc'!A0", "@b<script>alert(1)</script>")
# Seen by the server's own process: each file that is opened to be written.
WATCH = """
import os, sys
_seen = os.open(os.environ["WATCHED"], os.O_WRONLY | os.O_APPEND)
def _note(event, given):
    if event == "tempfile.mkstemp" or (
        event == "open" and given[2] is not None and given[2] & (os.O_WRONLY | os.O_RDWR)
    ):
        os.write(_seen, f"{event} {given[0]}\\n".encode())
sys.addaudithook(_note)
"""


@pytest.fixture
def watched_server(spare_port: int, tmp_path: Path) -> Generator[tuple[Server, Path]]:
    """A server that notes which files it writes; to be named before `visitors`."""
    written = tmp_path / "written.txt"
    written.touch()
    (tmp_path / "sitecustomize.py").write_text(WATCH)
    environment = {
        "PYTHONPATH": str(tmp_path),
        "WATCHED": str(written),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    started = Server(tmp_path / "log.txt", port=spare_port, environment=environment)
    yield started, written
    started.stop()


def asked(
    server: Server, method: str, path: str, headers: dict[str, str], body: bytes = b""
) -> tuple[int, dict[str, str]]:
    """Status and headers of the answer."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    with closing(connection):
        connection.request(method, path, body=body, headers=headers)
        answer = connection.getresponse()
        answer.read()
        return answer.status, dict(answer.getheaders())


def greeting_of_stream(server: Server, origin: str) -> str:
    """The first line of the answer to a page of that origin that wants to speak with the app."""
    key = base64.b64encode(os.urandom(16)).decode()
    request = (
        f"GET /_stcore/stream HTTP/1.1\r\nHost: {server.host}\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Protocol: streamlit\r\nOrigin: {origin}\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as line:
        line.sendall(request.encode())
        return line.recv(4096).decode(errors="replace").partition("\r\n")[0]


def test_only_the_apps_own_page_may_speak_with_it(server: Server) -> None:
    assert " 101 " in greeting_of_stream(server, server.url)
    assert " 403 " in greeting_of_stream(server, FOREIGN)


@pytest.mark.parametrize("token", ["", "made-up"])
def test_an_upload_without_the_sessions_token_is_refused(server: Server, token: str) -> None:
    headers = {"Content-Type": "multipart/form-data; boundary=b", "Origin": FOREIGN}
    if token:
        headers |= {"X-Xsrftoken": token, "Cookie": f"_streamlit_xsrf={token}"}
    body = (
        b'--b\r\nContent-Disposition: form-data; name="f"; filename="f.csv"\r\n\r\nx\r\n--b--\r\n'
    )
    status, _ = asked(server, "PUT", "/_stcore/upload_file/session/file", headers, body)
    assert status == 403


def test_no_other_page_may_read_what_the_server_answers(server: Server) -> None:
    for path in ("/", "/_stcore/health", "/_stcore/host-config"):
        _, headers = asked(server, "GET", path, {"Origin": FOREIGN})
        allowed = {name.lower(): text for name, text in headers.items()}
        assert "access-control-allow-origin" not in allowed, path


@pytest.mark.browser
def test_an_upload_its_analysis_and_its_downloads_write_no_file(
    watched_server: tuple[Server, Path], visitors: Visitors
) -> None:
    server, written = watched_server
    visit = visitors.enter(server=server)
    visit.open("/?sample=sentiment")
    expect(visit.verdict).to_be_visible()
    written.write_text("")
    # Above a megabyte parts of a form are usually kept in a file.
    rows = "".join(f"set {i % 5},{i},{i % 3 > 0:d},{i % 2},{'text ' * 6}\n" for i in range(30_000))
    visit.drop("large.csv", f"dataset,example,ours,base,text\n{rows}".encode())
    expect(visit.sidebar).to_contain_text("large.csv")
    visit.go_to("Report", "From screen to paper")
    expect(visit.main.get_by_role("progressbar")).to_have_count(0)
    visit.download("Bundle (zip)").path()
    visit.download("Report (HTML)").path()
    visit.download("Tables (Excel)").path()
    assert written.read_text() == ""


def hostile_names() -> list[str]:
    return [*FORMULAS, *HOSTILE_NAMES, "../../etc/passwd", "\\input{/etc/passwd}"]


def hostile_results() -> bytes:
    written = io.StringIO()
    rows = csv.writer(written)
    rows.writerow(["dataset", "example", *SYSTEMS])
    for place, name in enumerate(hostile_names()):
        for example in range(12):
            rows.writerow([name, example, int(example != place % 3), int(example % 3 > 0)])
    return written.getvalue().encode()


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def downloads_of_page(visit: Visit) -> dict[str, bytes]:
    """What every button that downloads hands over, by the file's name."""
    visit.open_all_expanders()
    taken = {}
    buttons = visit.main.get_by_test_id("stDownloadButton").get_by_role("button")
    for place in range(buttons.count()):
        button = buttons.nth(place)
        if not button.is_visible():
            continue
        with visit.page.expect_download() as started:
            button.click()
        assert re.fullmatch(
            r"[\w-]+\.(csv|md|tex|bib|html|json|xlsx|zip|py|txt)", started.value.suggested_filename
        )
        taken[started.value.suggested_filename] = started.value.path().read_bytes()
    return taken


def check_csv(content: bytes) -> None:
    for row in csv.reader(io.StringIO(content.decode())):
        for cell in row:
            is_number = re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", cell, re.IGNORECASE)
            assert is_number or not cell.startswith(("=", "+", "-", "@", "\t", "\r")), cell


def check_workbook(content: bytes) -> None:
    for sheet in openpyxl.load_workbook(io.BytesIO(content)):
        assert all(cell.data_type != "f" for row in sheet.iter_rows() for cell in row)


def check_html(content: bytes) -> None:
    parser = _Tags()
    parser.feed(content.decode())
    for tag, attributes in parser.found:
        assert tag not in ("img", "iframe", "object", "b")
        assert not any(name.startswith("on") for name in attributes), attributes
        assert not str(attributes.get("href", "")).lower().startswith("javascript:")
        assert "example" not in str(attributes.get("src", "")) + str(attributes.get("href", ""))


def check_latex(content: bytes) -> None:
    assert b"\\input{/etc" not in content
    assert b"$x$" not in content


@pytest.mark.browser
def test_nothing_taken_away_holds_a_formula_markup_or_a_path_made_of_a_name(
    visitors: Visitors,
) -> None:
    visit = visitors.enter()
    visit.open("/")
    visit.drop(FILE_NAME, hostile_results())
    expect(visit.verdict).to_be_visible()
    taken: dict[str, bytes] = {}
    for label, heading in (
        ("Identification", "On which datasets?"),
        ("Report", "From screen to paper"),
        ("Effect size", "How much better, and on average?"),
    ):
        visit.go_to(label, heading)
        expect(visit.main.get_by_role("progressbar")).to_have_count(0)
        taken |= downloads_of_page(visit)
    checks = {"csv": check_csv, "xlsx": check_workbook, "html": check_html, "tex": check_latex}
    kinds = {name.rpartition(".")[2] for name in taken}
    assert {*checks, "md", "zip", "json"} <= kinds
    for name, content in taken.items():
        check = checks.get(name.rpartition(".")[2])
        if check is not None:
            check(content)
    # Each button hands over what it says.
    assert taken["report.html"].startswith(b"<!DOCTYPE html>")
    assert taken["report.md"].startswith(b"# ")
    with zipfile.ZipFile(io.BytesIO(taken["for-your-paper.zip"])) as archive:
        assert b"\\citep{" in archive.read("methods.tex")
        assert archive.read("references.bib").startswith(b"@")
    for name, content in taken.items():
        if name.endswith(".zip"):
            for member in zipfile.ZipFile(io.BytesIO(content)).namelist():
                assert not member.startswith(("/", "\\")), member
                assert ".." not in Path(member).parts, member
    # Streamlit's own export of tables, which guards no cell, is not offered.
    visit.main.get_by_test_id("stDataFrame").first.hover()
    expect(visit.page.get_by_role("button", name="Download as CSV")).to_have_count(0)


def secret_file(prefix: str) -> bytes:
    rows = [
        f"{prefix}{d},text of {prefix} {i},{(i + d) % 3 > 0:d},{i % 2}"
        for d in range(3)
        for i in range(40)
    ]
    return "\n".join(["dataset,text,one,two", *rows]).encode()


@pytest.mark.browser
def test_nothing_of_one_persons_data_is_in_what_another_takes_away(visitors: Visitors) -> None:
    alice, bob = visitors.enter(), visitors.enter()
    taken_away = {}
    for visit, prefix in ((alice, "SecretOfAlice"), (bob, "SecretOfBob")):
        visit.open("/?dependence=independent")
        visit.drop(f"{prefix}.csv", secret_file(prefix))
        expect(visit.sidebar).to_contain_text(f"{prefix}.csv")
        visit.settle()
        visit.go_to("Report", "From screen to paper")
        expect(visit.page.get_by_role("progressbar")).to_have_count(0)
        expect(visit.lead).not_to_contain_text("So far")
        visit.settle()
        taken_away[prefix] = [
            visit.download(label).path().read_bytes()
            for label in ("Report (Markdown)", "Everything (JSON)")
        ]
    for own, other in (("SecretOfAlice", "SecretOfBob"), ("SecretOfBob", "SecretOfAlice")):
        for content in taken_away[own]:
            assert own.encode() in content
            assert other.encode() not in content


@pytest.mark.browser
def test_a_request_to_another_host_would_have_been_noticed(visitors: Visitors) -> None:
    """Every visit fails where it asks another host: here, that this would be seen."""
    visit = visitors.enter()
    visit.open("/")
    expect(visit.main).to_be_visible()
    visit.page.evaluate("new Image().src = 'http://example.org/seen.png'")
    visit.page.evaluate("fetch('http://example.net/seen').catch(() => null)")
    assert {"example.org", "example.net"} < visit.hosts
    with pytest.raises(AssertionError):
        visit.check()
    visit.foreign.clear()
    visit.faults.clear()

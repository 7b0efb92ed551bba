"""The app behind nginx below a base path, visited in Chromium: upload, pages, a deep link, a download."""

import shutil
import subprocess
import time
from pathlib import Path
from typing import cast

from playwright.sync_api import expect, sync_playwright

from tests.browser.conftest import ARGUMENTS
from tests.browser.server import Server, free_port
from tests.browser.visit import Visit
from tests.conftest import find_chromium
from tests.load.image import Say
from tests.load.server import LoadedServer
from tests.load.users import make_user

BASE_PATH = "/replicability"
TEMPLATE = Path(__file__).with_name("nginx.conf")
# Debian has it where only root looks.
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
MILLISECONDS = 60_000


class _Proxied:
    """How the visitor sees the server: at the proxy's address."""

    def __init__(self, server: LoadedServer, port: int) -> None:
        self.host = f"127.0.0.1:{port}"
        self.url = f"http://{self.host}{BASE_PATH}"
        self._server = server

    @property
    def log(self) -> str:
        return self._server.log


def rehearse(say: Say, folder: Path) -> None:
    """Start the app, nginx before it and a browser before that."""
    chromium = find_chromium()
    if NGINX is None or chromium is None:
        missing = "nginx" if NGINX is None else "chromium"
        print(f"The proxy was not tried: add it with: apt-get install {missing}")
        return
    server = LoadedServer(folder, base_path=BASE_PATH)
    port = free_port()
    config = folder / "nginx.conf"
    # nginx's workers are another user, who keeps large answers there for a moment.
    folder.chmod(0o711)
    config.write_text(
        TEMPLATE.read_text(encoding="utf-8")
        .replace("@FOLDER@", str(folder))
        .replace("@PORT@", str(port))
        .replace("@APP_PORT@", str(server.port)),
        encoding="utf-8",
    )
    nginx = subprocess.Popen([NGINX, "-p", str(folder), "-c", str(config)])
    try:
        # It listens at once; a moment for its start.
        time.sleep(1.0)
        assert nginx.poll() is None, "nginx ended while it started."
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
            page = browser.new_context(accept_downloads=True, reduced_motion="reduce").new_page()
            visit = Visit(page, cast(Server, _Proxied(server, port)))
            page.set_default_timeout(MILLISECONDS)
            for what, look in (
                ("a file of 12 MB is uploaded and answered", _upload),
                ("pages by the menu", _follow_menu),
                ("a download", _download),
                ("a deep link with settings", _follow_link),
            ):
                _try(say, what, look, visit)
            faults = [*visit.faults, *(f"asked {url}" for url in visit.foreign)]
            say("proxy: faults in the browser", str(len(faults)), "0", reached=not faults)
            for fault in faults:
                print(f"  {fault}")
            browser.close()
        clean = "Traceback" not in server.log
        say("proxy: errors in the app's log", "0" if clean else "some", "0", reached=clean)
    finally:
        nginx.terminate()
        nginx.wait(timeout=20)
        server.stop()


def _try(say: Say, what: str, look: object, visit: Visit) -> None:
    assert callable(look)
    try:
        look(visit)
        found = "works"
    except Exception as error:  # noqa: BLE001 - told as what was missed
        found = f"{type(error).__name__}: {error}"[:400]
    say(f"proxy: {what}", found, "works", reached=found == "works")


def _upload(visit: Visit) -> None:
    user = make_user(2, wave=4, megabytes=12)
    visit.open("/?test=paired-bootstrap&resamples=199")
    visit.drop(user.file_name, user.content)
    expect(visit.verdict).to_contain_text(user.answer, timeout=MILLISECONDS)


def _follow_menu(visit: Visit) -> None:
    visit.go_to("Counting", "On at least how many datasets?")
    assert "/replicability/counting" in visit.page.url, visit.page.url
    visit.go_to("Report", "From screen to paper")
    visit.go_to("Identification", "On which datasets?")
    visit.open_all_expanders()


def _download(visit: Visit) -> None:
    content = visit.download("Download CSV").path().read_text(encoding="utf-8")
    assert "wave4user02-set-0" in content, content[:200]


def _follow_link(visit: Visit) -> None:
    visit.open("/counting?sample=parsing-redshift&alpha=0.01")
    expect(visit.page.get_by_role("heading", level=1)).to_have_text(
        "On at least how many datasets?"
    )
    expect(visit.lead).to_be_visible(timeout=MILLISECONDS)
    expect(visit.alpha).to_have_value(".01")

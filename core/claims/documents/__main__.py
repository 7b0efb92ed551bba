"""The process of its own that parses a PDF: its bytes come in, its tables go out as JSON.

Whatever a PDF does to its parser, it does to this process, which has limits on time and memory.
"""

import base64
import json
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

# What the reader itself has taken by then comes on top.
MOST_MEGABYTES = 300
MOST_PAGES = 300
# Seconds of the processor: at the first, what was read is returned; the second ends the process.
_SECONDS, _MOST_SECONDS = 3.5, 5


def main() -> None:
    """Read a PDF from standard input, from the page on that the argument says."""
    start = int(sys.argv[1])
    content = sys.stdin.buffer.read()
    _limit()
    try:
        found = _read(content, start, lambda: time.process_time() < _SECONDS)
    except MemoryError:
        found = {"refused": "memory"}
    sys.stdout.buffer.write(json.dumps(found).encode("utf-8"))


def _limit() -> None:
    """Take no more memory and time than is allowed, where the system can see to it."""
    try:
        import resource
    except ImportError:
        return
    # Room is counted in addresses: those that stand by now and the rest, less what of the libraries
    # is not in memory yet.
    most = (MOST_MEGABYTES - 25) * 1_000_000
    try:
        counts = Path("/proc/self/statm").read_text(encoding="ascii").split()
        whole, used = (int(pages) * resource.getpagesize() for pages in counts[:2])
    except OSError:
        whole, used = 0, 0
    resource.setrlimit(resource.RLIMIT_AS, (whole + most - used, whole + most - used))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (_MOST_SECONDS, _MOST_SECONDS + 1))


def _read(content: bytes, start: int, in_time: Callable[[], bool]) -> dict[str, object]:
    try:
        import pypdfium2
    except ImportError:
        return {"refused": "missing"}
    from .pdf_lines import may_hold_table
    from .pdf_page import TooDense, read_page
    from .pdf_tables import tables_on

    try:
        document = pypdfium2.PdfDocument(content)
    except pypdfium2.PdfiumError as error:
        return {"refused": "password" if "password" in str(error).lower() else "damaged"}
    n_pages = len(document)
    if n_pages > MOST_PAGES or n_pages == 0:
        return {"refused": "pages" if n_pages else "damaged"}
    tables: list[object] = []
    pictures: dict[int, object] = {}
    dense: list[int] = []
    has_text = False
    n_read = start
    for index in range(start, n_pages):
        if not in_time():
            break
        try:
            page = document[index]
            text = page.get_textpage()
            words = text.get_text_range() if text.count_chars() < 100_000 else ""
            has_text = has_text or bool(words.strip())
            text.close()
            page.close()
            if may_hold_table(words):
                seen = read_page(document, index)
                own = tables_on(seen)
                tables += [asdict(table) for table in own]
                if own:
                    drawn = asdict(seen.image.picture)
                    packed = base64.b64encode(drawn["packed"]).decode("ascii")
                    pictures[seen.number] = {**drawn, "packed": packed}
        except (TooDense, pypdfium2.PdfiumError):
            dense.append(index + 1)
        n_read += 1
    return {
        "tables": tables,
        "pictures": pictures,
        "passed_over": dense,
        "n_pages": n_pages,
        "n_read": n_read,
        "has_text": has_text,
    }


if __name__ == "__main__":
    main()

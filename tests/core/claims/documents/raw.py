"""PDFs written byte by byte: texts at places, as a careless or a hostile program would leave them."""

from collections.abc import Sequence


def pdf(contents: Sequence[str], *, more: str = "") -> bytes:
    """A PDF of one page for each content stream, with Helvetica (F1) and its bold (F2).

    `more` are further objects, from number 5 on, as ``5 0 obj … endobj``.
    """
    fonts = "/Font << /F1 3 0 R /F2 4 0 R >>"
    n = len(contents)
    first = 100
    kids = " ".join(f"{first + 2 * i} 0 R" for i in range(n))
    objects = [
        "1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj",
        f"2 0 obj << /Type /Pages /Kids [{kids}] /Count {n} >> endobj",
        "3 0 obj << /Type /Font /Subtype /Type1 /BaseFont /Helvetica "
        "/Encoding /WinAnsiEncoding >> endobj",
        "4 0 obj << /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold "
        "/Encoding /WinAnsiEncoding >> endobj",
    ]
    parts = [part.encode("latin-1") for part in [*objects, *([more] if more else [])]]
    for i, content in enumerate(contents):
        data = content.encode("latin-1")
        parts.append(
            f"{first + 2 * i} 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 600 400] "
            f"/Resources << {fonts} >> /Contents {first + 2 * i + 1} 0 R >> endobj".encode(
                "latin-1"
            )
        )
        parts.append(
            f"{first + 2 * i + 1} 0 obj << /Length {len(data)} >> stream\n".encode("latin-1")
            + data
            + b"\nendstream endobj"
        )
    start, places = len(b"%PDF-1.7\n"), {}
    for part in parts:
        places[int(part[:12].split(b" ")[0])] = start
        start += len(part) + 1
    listed = "".join(
        f"{number} 1\n{place:010d} 00000 n \n" for number, place in sorted(places.items())
    )
    ending = (
        f"xref\n0 1\n0000000000 65535 f \n{listed}trailer << /Size {max(places) + 1} /Root 1 0 R >>\n"
        f"startxref\n{start}\n%%EOF\n"
    )
    return b"\n".join([b"%PDF-1.7", *parts, ending.encode("latin-1")])


def at(x: float, y: float, text: str, *, size: float = 10, font: str = "F1", how: str = "") -> str:
    """Text at a place; `how` may hold operators before it."""
    escaped = text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    return f"q {how} BT /{font} {size} Tf 1 0 0 1 {x} {y} Tm ({escaped}) Tj ET Q\n"


def rule(x0: float, x1: float, y: float) -> str:
    """A lying rule."""
    return f"{x0} {y} m {x1} {y} l 0.5 w S\n"


# A table of two systems on four datasets at these places; `cells` puts others in their stead.
XS, YS = (100.0, 220.0, 300.0), (300.0, 280.0, 265.0, 250.0, 235.0)
PLAIN = (
    ("Dataset", "Ours", "BERT"),
    ("SST-2", "91.2", "90.1"),
    ("RTE", "71.5", "72.5"),
    ("QQP", "88.1", "88.0"),
    ("WNLI", "56.3", "65.1"),
)


def table(*, without: Sequence[tuple[int, int]] = (), more: str = "", dx: float = 0.0) -> str:
    """The plain table between rules, without some cells, and with what else is drawn."""
    content = "".join(
        at(XS[j] + dx, YS[i], text)
        for i, row in enumerate(PLAIN)
        for j, text in enumerate(row)
        if (i, j) not in without
    )
    content += at(XS[0] + dx, 330, "Table 1: Scores.")
    return content + "".join(rule(95 + dx, 345 + dx, y) for y in (315, 295, 228)) + more

"""Files as people have them: several at once, pasted, large; in a real browser."""

import pytest
from playwright.sync_api import FilePayload, expect

from tests.browser.conftest import Visitors

pytestmark = pytest.mark.browser


def payload(name: str, content: bytes) -> FilePayload:
    return {"name": name, "mimeType": "text/csv", "buffer": content}


def test_files_of_a_tool_are_read_beside_others_and_problems_of_the_next_file_are_mended(
    visitors: Visitors,
) -> None:
    visit = visitors.enter()
    visit.open("/")
    runs = {
        name: "".join(f"map\t{query}\t{low + query % 7 / 100:.4f}\n" for query in range(301, 341))
        for name, low in (("bm25.eval", 0.4), ("dense.eval", 0.2))
    }
    visit.main.locator("input[type='file']").set_input_files(
        [
            *(payload(name, text.encode()) for name, text in runs.items()),
            payload("README.md", b"Two runs"),
        ]
    )
    expect(visit.verdict).to_contain_text("bm25 is better than dense")
    expect(visit.main).to_contain_text("3 files: 2 used, 1 left aside.")
    visit.main.get_by_text("What each file was used for", exact=True).click()
    expect(visit.main).to_contain_text("'README.md': It describes the files and holds no results.")
    visit.settle()

    visit.open_part("Load something else")
    rows = "".join(f"d,{i},{int(i > 4)},{0 if i != 7 else ''}\n" for i in range(30))
    content = f"dataset,example,ours,base\n{rows}d,3,1,1\nd,40,x,1\n"
    visit.drop("holes.csv", content.encode())
    expect(visit.main).to_contain_text("holes.csv could not be read: 3 problems.")
    visit.settle()
    # Of the files before, what they were used for is still open below.
    assert visit.accessibility_findings() == []
    visit.main.get_by_role("button", name="Leave out these 2 rows with problems").click()
    visit.main.get_by_role("button", name="Count the missing answers as wrong").click()
    expect(visit.verdict).to_contain_text("ours is better than base")
    visit.settle()
    visit.main.get_by_text("What we read", exact=False).first.click()
    expect(visit.main).to_contain_text("Counted as wrong, as chosen: 1 missing answer.")
    expect(visit.main).to_contain_text("Left out, as chosen: 2 rows")
    assert "left_out" in visit.page.url

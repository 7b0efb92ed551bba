"""Numbers of several files mean what they mean in each file alone."""

import pytest

from core.data import ResultSet, read_results

HEADER = "dataset,example,ours,base\n"


@pytest.fixture
def read(tmp_path):
    def read_files(**texts):
        paths = []
        for name, text in texts.items():
            paths.append(tmp_path / f"{name}.csv")
            paths[-1].write_text(text)
        results = read_results(paths)
        assert isinstance(results, ResultSet)
        return results

    return read_files


def rows(*rows_, separator=","):
    text = HEADER.replace(",", separator)
    for row in rows_:
        cells = (f'"{cell}"' if separator in cell else cell for cell in row)
        text += separator.join(cells) + "\n"
    return text


@pytest.mark.parametrize(
    ("in_commas", "in_semicolons"),
    [
        ("1.234", "1.234,5"),
        ("1,234.5", "3,456"),
        ("1,234.5", "1.234,5"),
        ("12.5", "0,125"),
    ],
)
def test_each_file_gives_the_numbers_that_it_gives_alone(read, in_commas, in_semicolons):
    one = rows(("x", "1", in_commas, "0.5"), ("x", "2", "2.5", "3.5"))
    other = rows(("y", "1", in_semicolons, "2,25"), ("y", "2", "3,5", "4,5"), separator=";")
    together = read(a=one, b=other)
    alone = read(c=one), read(d=other)
    for dataset, own in zip("xy", alone, strict=True):
        for system in ("ours", "base"):
            expected = own.scores(dataset, system).tolist()
            assert together.scores(dataset, system).tolist() == expected
    assert any(remark.startswith("'b.csv': ") for remark in together.reading.remarks)

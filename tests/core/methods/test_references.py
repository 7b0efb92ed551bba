"""The works that an analysis cites: which ones, in which order, and as well-formed BibTeX."""

from __future__ import annotations

import re

import numpy as np
import pytest

from core.analysis import Analysis, AnalysisSettings, analyse
from core.data import PValueTable, ResultSet
from core.methods import (
    bibtex_of,
    methods_latex,
    methods_paragraphs,
    references_of,
)
from core.methods.bibliography import WORKS

Entry = tuple[str, str, dict[str, str]]


def parsed(bibtex: str) -> list[Entry]:
    """Entries of BibTeX as (kind, key, fields); anything that is not well-formed is an error."""
    entries: list[Entry] = []
    place = 0
    while place < len(bibtex):
        if bibtex[place].isspace():
            place += 1
            continue
        head = re.compile(r"@([a-z]+)\{([a-z0-9]+),\n").match(bibtex, place)
        assert head is not None, bibtex[place : place + 40]
        place, fields = head.end(), dict[str, str]()
        while bibtex[place] != "}":
            field = re.compile(r"  ([a-z]+) = \{").match(bibtex, place)
            assert field is not None, bibtex[place : place + 40]
            start, depth = field.end(), 1
            place = start
            while depth:
                assert bibtex[place] != "\n", "a value ends on its line"
                skipped = bibtex[place] == "\\" and bibtex[place + 1] in "{}\\"
                depth += 0 if skipped else {"{": 1, "}": -1}.get(bibtex[place], 0)
                place += 2 if skipped else 1
            assert field[1] not in fields, f"{field[1]} twice"
            fields[field[1]] = bibtex[start : place - 1]
            assert bibtex[place : place + 2] == ",\n"
            place += 2
        place += 1
        entries.append((head[1], head[2], fields))
    return entries


def table(p_values: tuple[float, ...] = (0.001, 0.01, 0.02, 0.2, 0.6)) -> PValueTable:
    n = len(p_values)
    return PValueTable(
        datasets=tuple(f"d{i}" for i in range(n)),
        p_values=np.array(p_values),
        p_value_bounds=(np.array(p_values), np.array(p_values)),
        alternative="greater",
        printed=tuple(str(p) for p in p_values),
        system_a="new",
        system_b="old",
        scores_a=np.full(n, 0.9),
        scores_b=np.full(n, 0.8),
    )


def scores(kind: str = "mean", *, n: int = 30, seed: int = 3) -> ResultSet:
    """Two datasets and two systems: averaged scores, 0/1 outcomes or predictions of gold numbers."""
    rng = np.random.default_rng(seed)
    values = {
        "mean": lambda: rng.normal(size=(n, 2)).round(3),
        "binary": lambda: rng.integers(0, 2, size=(n, 2)).astype(float),
        "spearman": lambda: rng.normal(size=(n, 2)).round(3),
        "aer": lambda: (
            np.stack([rng.multinomial(9, [0.4, 0.6], size=(n, 2))[..., 0]] * 4, -1) + 1.0
        ),
        "bleu": lambda: np.full((n, 2, 10), 5.0) + rng.integers(0, 3, size=(n, 2, 1)),
    }[kind]
    kinds = {} if kind in ("mean", "binary") else {"m": kind}
    return ResultSet(
        datasets=("x", "y"),
        systems=("new", "old"),
        values={"m": (values(), values())},
        higher_is_better={"m": kind != "aer"},
        kinds=kinds,
        gold_scores=(rng.normal(size=n), rng.normal(size=n)) if kind == "spearman" else None,
    )


def keys_of(analysis: Analysis) -> tuple[str, ...]:
    return tuple(work.key for work in references_of(analysis))


def test_every_work_has_one_well_formed_entry_of_its_own_key() -> None:
    for key, work in WORKS.items():
        [(kind, named, fields)] = parsed(work.bibtex)
        assert (named, work.key) == (key, key)
        where = {"article": "journal", "book": "publisher", "inproceedings": "booktitle"}[kind]
        assert {"author", "title", "year", where} <= set(fields)
        assert kind == "book" or re.fullmatch(r"\d+(--\d+)?", fields["pages"])
        assert kind != "article" or fields["volume"].isdigit()
        first = re.split(",| and ", _plain_letters(fields["author"]))[0].lower()
        assert key.startswith(re.sub(r"[^a-z]", "", first))
        assert fields["year"] in key


def _plain_letters(latex: str) -> str:
    return latex.replace(r"{\o}", "o").replace(r"\'", "")


def test_entries_are_ascii_and_leave_no_special_character_to_latex() -> None:
    whole = "\n\n".join(work.bibtex for work in WORKS.values())
    assert whole.isascii()
    assert len(parsed(whole)) == len(WORKS)
    for _, _, fields in parsed(whole):
        for value in fields.values():
            assert not re.search(r"(?<!\\)[&%$#_^~]", value), value
    assert r"Chapman \& Hall" in whole
    assert r"S{\o}gaard, Anders" in whole
    assert r"Mart{\'i}nez Alonso, Hector" in whole


def test_a_reference_says_in_words_what_its_entry_says() -> None:
    for work in WORKS.values():
        [(_, _, fields)] = parsed(work.bibtex)
        assert f"({fields['year']})" in work.text
        assert work.cited_as.endswith(f" {fields['year']}")
        n_authors = fields["author"].count(" and ") + 1
        assert (" et al. " in work.cited_as) == (n_authors > 2)
        pages = fields.get("pages", "").replace("--", "–")
        assert pages in work.text
        assert "{" not in work.text
        assert work.text.endswith(".")


def test_tests_that_were_run_are_cited_and_no_others() -> None:
    for kind, test, works in [
        ("binary", "mcnemar", ("mcnemar1947note",)),
        ("binary", "mcnemar-mid-p", ("mcnemar1947note", "fagerland2013mcnemar")),
        ("binary", "mcnemar-chi2", ("mcnemar1947note",)),
        ("binary", "mcnemar-chi2-corrected", ("mcnemar1947note", "edwards1948note")),
        ("mean", "wilcoxon", ("wilcoxon1945individual",)),
        ("mean", "sign", ("dixon1946statistical",)),
        ("mean", "paired-t", ("student1908probable",)),
        ("mean", "paired-bootstrap", ("bergkirkpatrick2012empirical", "sogaard2014whats")),
        ("mean", "approximate-randomization", ("noreen1989computer",)),
        (
            "spearman",
            "approximate-randomization",
            ("noreen1989computer", "deutsch2021statistical"),
        ),
        ("spearman", "williams", ("williams1959comparison", "steiger1980tests")),
        ("spearman", "steiger", ("steiger1980tests",)),
        ("spearman", "meng", ("meng1992comparing",)),
    ]:
        analysis = analyse(scores(kind), AnalysisSettings(test=test, n_resamples=199))
        own = {
            "mcnemar1947note",
            "fagerland2013mcnemar",
            "edwards1948note",
            "wilcoxon1945individual",
            "pratt1959remarks",
            "dixon1946statistical",
            "student1908probable",
            "bergkirkpatrick2012empirical",
            "sogaard2014whats",
            "noreen1989computer",
            "deutsch2021statistical",
            "williams1959comparison",
            "steiger1980tests",
            "meng1992comparing",
        }
        assert own & set(keys_of(analysis)) == set(works), (kind, test, works)


@pytest.mark.parametrize("data", [table(), scores(), scores("binary"), scores("spearman")])
def test_references_come_in_the_order_in_which_the_text_cites_them(
    data: PValueTable | ResultSet,
) -> None:
    analysis = analyse(data)
    cited = [
        key
        for keys in re.findall(r"\\citep\{([^}]*)\}", methods_latex(analysis))
        for key in keys.split(",")
    ]
    assert tuple(dict.fromkeys(cited)) == keys_of(analysis)
    text = "\n".join(methods_paragraphs(analysis))
    assert all(work.cited_as in text for work in references_of(analysis))
    assert [key for _, key, _ in parsed(bibtex_of(analysis))] == list(keys_of(analysis))

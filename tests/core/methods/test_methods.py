"""The methods paragraphs say each statement where it applies and only there, and cite the works of what was done."""

import re
from dataclasses import replace
from functools import cache
from itertools import accumulate

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.analysis import Analysis, AnalysisSettings, Origin, analyse
from core.analysis.testing import BY_ITSELF
from core.data import PValueTable, ResultSet, samples
from core.methods.bibliography import WORKS
from core.methods.results import (
    bibtex_of,
    methods_latex,
    methods_paragraphs,
    references_of,
    results_sentences,
)
from core.replicability.identification import procedure_names
from core.types import DEPENDENCES
from tests.core.export.samples_of_analyses import of_sample
from tests.core.export.strict_latex import check_latex
from tests.core.made import set_of
from tests.golden.of_methods import scores, table


def text_of(analysis: Analysis) -> str:
    return "\n".join(methods_paragraphs(analysis))


def test_where_one_side_is_a_complement_nothing_is_called_guaranteed() -> None:
    swapped = AnalysisSettings(swapped=True, question="a-better/less")
    text = text_of(analyse(table(), swapped))
    assert "has no guarantee" in text
    assert "95%" not in text


BASE = "s0 and s1, quality: recommended tests, seed 0"
OTHER_PAIR = BASE.replace("s1", "s2")
FIXED = "We fixed the level, the tests and the assumption on dependence before the analysis."


@pytest.mark.parametrize(
    ("later", "told"),
    [
        ((), FIXED),
        ((OTHER_PAIR,), FIXED),
        ((BASE.replace("recommended tests", "sign"),), "tests: “" + BASE),
        ((BASE.replace("quality", "other"),), "tests: “" + BASE),
        ((BASE.replace("seed 0", "seed 1"),), "tests: “" + BASE),
        ((OTHER_PAIR, OTHER_PAIR.replace("recommended tests", "sign")), BASE),
    ],
)
def test_a_metric_or_test_changed_after_the_pair_that_ran_by_itself_is_never_called_fixed(
    later: tuple[str, ...], told: str
) -> None:
    rng = np.random.default_rng(3)
    drawn = {d: {f"s{i}": rng.normal(size=9) for i in range(3)} for d in ("x", "y")}
    analysis = analyse(ResultSet.from_scores(drawn, metric="quality"))
    analysis = replace(analysis, tried={"tests": (BASE + BY_ITSELF, *later)})
    counting = methods_paragraphs(analysis)[2]
    assert told in counting
    assert (FIXED in counting) == (told == FIXED)


FORBIDDEN = re.compile(r"no difference|proves|probability that A is better", re.IGNORECASE)
LEVELS = {0.05: ".05", 0.01: ".01", 0.1: ".1", 0.025: ".025", 0.001: ".001"}


@cache
def made(zero_one: bool) -> ResultSet:
    return scores(zero_one=zero_one)


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(
    zero_one=st.booleans(),
    chosen=st.builds(
        AnalysisSettings,
        alpha=st.sampled_from(sorted(LEVELS)),
        dependence=st.sampled_from(DEPENDENCES),
        procedure=st.sampled_from(procedure_names()),
        swapped=st.booleans(),
        excluded=st.sets(st.sampled_from(["x", "y", "z"]), max_size=2).map(sorted).map(tuple),
        test=st.sampled_from(["auto", "paired-bootstrap", "approximate-randomization", "paired-t"]),
        n_resamples=st.integers(1001, 1100),
        seed=st.integers(20_000, 30_000),
    ),
)
def test_every_choice_that_a_number_depends_on_is_told(
    zero_one: bool, chosen: AnalysisSettings
) -> None:
    excluded, seed = chosen.excluded, chosen.seed
    analysis = analyse(made(zero_one), chosen)
    data, tests, counting, *_ = methods_paragraphs(analysis)
    text = text_of(analysis)
    n = 3 - len(excluded)
    assert f"α = {LEVELS[chosen.alpha]}" in counting
    assert (f"N = {n} datasets" in counting) == (n > 1)
    # Of the closed test behind such a count no list is printed.
    assert chosen.dependence != "not-known" or "also identified" not in counting
    assert not excluded or f"left out {' and '.join(excluded)} (" in data
    assert ("We left out " in data) == bool(excluded)
    resampled = not zero_one and chosen.test in ("paired-bootstrap", "approximate-randomization")
    assert (f"{chosen.n_resamples:,} resamples with the seed {seed}" in tests) == resampled
    assert (str(seed) in tests) == resampled
    assert not FORBIDDEN.search(text + " ".join(results_sentences(analysis)))
    keys = re.findall(r"\\citep\{([^}]*)\}", methods_latex(analysis))
    cited = dict.fromkeys(key for group in keys for key in group.split(","))
    assert list(cited) == [work.key for work in references_of(analysis)]


HOSTILE = (
    *(r"100% \input{/etc/passwd}", "a_b^c ~ #1 $x$ & {", "}\\", r"\citep{evil2020}", "[opt] *"),
    *("% comment", "שלום & עולם", "two\nlines\u2028and more", "\u202eturned", "x" * 3000),
    *("k\u0302--- `quoted'' \"", "(Dror et al. 2017)"),
)


def test_no_name_breaks_latex_or_cites_a_work() -> None:
    harmless = table(datasets=("a", "b", "c", "d", "e"))
    for name in HOSTILE:
        named = replace(
            table(datasets=(name, f"{name} 2", "c", "d", "e")),
            system_a=f"{name} A",
            system_b=f"{name} B",
        )
        said = replace(samples()[0], source=name, dependence_reason=name)
        reason = Origin(sample=said)
        chosen = AnalysisSettings(excluded=(f"{name} 2",), swapped=True)
        analysis = analyse(named, chosen, origin=reason)
        analysis = replace(analysis, tried={**analysis.tried, "tests": (name,)})
        latex = methods_latex(analysis)
        check_latex(latex)
        plain = analyse(harmless, replace(chosen, excluded=("b",)), origin=reason)
        assert latex.count(r"\citep{") == methods_latex(plain).count(r"\citep{"), name
        assert references_of(analysis) == references_of(plain), name
        assert len(methods_paragraphs(analysis)) == latex.count("\n\n") + 1, name
        for paragraph in methods_paragraphs(analysis):
            assert not re.search("[\n\r\u2028\u2029\u202e]", paragraph), name


Entry = tuple[str, str, dict[str, str]]


def parsed(bibtex: str) -> list[Entry]:
    """Entries of BibTeX as (kind, key, fields); anything that is not well-formed is an error."""
    entry, field = r"@([a-z]+)\{([a-z0-9]+),\n((?:  .*\n)+)\}\s*", r"  ([a-z]+) = \{(.*)\},\n"
    assert re.fullmatch(f"(?:{entry})+", bibtex)
    found: list[Entry] = []
    for kind, key, body in re.findall(entry, bibtex):
        assert re.fullmatch(f"(?:{field})+", body), body
        fields = re.findall(field, body)
        assert len(dict(fields)) == len(fields), f"a field twice: {key}"
        for _, value in fields:
            bare = re.sub(r"\\[{}\\]", "", value)
            depths = list(accumulate({"{": 1, "}": -1}.get(letter, 0) for letter in bare))
            assert min(depths) == depths[-1] == 0, value
        found.append((kind, key, dict(fields)))
    return found


def scores_of(kind: str) -> ResultSet:
    """Two datasets: averaged scores, 0/1 outcomes, or predictions of gold numbers."""
    rng = np.random.default_rng(3)
    gold = (rng.normal(size=30), rng.normal(size=30)) if kind == "spearman" else None

    def values() -> np.ndarray:
        if kind == "binary":
            return rng.integers(0, 2, size=(30, 2)).astype(float)
        return rng.normal(size=(30, 2)).round(3)

    tables = values(), values()
    return set_of(kind if gold else "mean", *tables, metric="m", datasets="xy", gold_scores=gold)


def keys_of(analysis: Analysis) -> tuple[str, ...]:
    return tuple(work.key for work in references_of(analysis))


def test_every_work_has_one_well_formed_entry_of_its_own_key_and_a_reference_that_says_the_same():
    for key, work in WORKS.items():
        [(kind, named, fields)] = parsed(work.bibtex)
        assert (named, work.key) == (key, key)
        where = {"article": "journal", "book": "publisher", "inproceedings": "booktitle"}[kind]
        assert {"author", "title", "year", where} <= set(fields)
        assert kind == "book" or re.fullmatch(r"\d+(--\d+)?", fields["pages"])
        assert kind != "article" or fields["volume"].isdigit()
        plain = fields["author"].replace(r"{\o}", "o").replace(r"\'", "")
        first = re.split(",| and ", plain)[0].lower()
        assert key.startswith(re.sub(r"[^a-z]", "", first))
        assert fields["year"] in key
        for value in fields.values():
            assert not re.search(r"(?<!\\)[&%$#_^~]", value), value
        assert f"({fields['year']})" in work.text
        assert work.cited_as.endswith(f" {fields['year']}")
        assert (" et al. " in work.cited_as) == (fields["author"].count(" and ") > 1)
        assert fields.get("pages", "").replace("--", "–") in work.text
        assert "{" not in work.text
        assert work.text.endswith(".")
    whole = "\n\n".join(work.bibtex for work in WORKS.values())
    assert whole.isascii()
    assert len(parsed(whole)) == len(WORKS)
    for name in (r"Chapman \& Hall", r"S{\o}gaard, Anders", r"Mart{\'i}nez Alonso, Hector"):
        assert name in whole


def test_tests_that_were_run_are_cited_and_no_others() -> None:
    of_tests = [
        ("binary", "mcnemar", ("mcnemar1947note",)),
        ("binary", "mcnemar-mid-p", ("mcnemar1947note", "fagerland2013mcnemar")),
        ("binary", "mcnemar-chi2", ("mcnemar1947note",)),
        ("binary", "mcnemar-chi2-corrected", ("mcnemar1947note", "edwards1948note")),
        ("mean", "wilcoxon", ("wilcoxon1945individual",)),
        ("mean", "sign", ("dixon1946statistical",)),
        ("mean", "paired-t", ("student1908probable",)),
        ("mean", "paired-bootstrap", ("bergkirkpatrick2012empirical", "sogaard2014whats")),
        ("mean", "approximate-randomization", ("noreen1989computer",)),
        ("spearman", "approximate-randomization", ("noreen1989computer", "deutsch2021statistical")),
        ("spearman", "williams", ("williams1959comparison", "steiger1980tests")),
        ("spearman", "steiger", ("steiger1980tests",)),
        ("spearman", "meng", ("meng1992comparing",)),
    ]
    of_some_test = {"pratt1959remarks"}.union(*(works for *_, works in of_tests))
    for kind, test, works in of_tests:
        analysis = analyse(scores_of(kind), AnalysisSettings(test=test, n_resamples=199))
        assert of_some_test & set(keys_of(analysis)) == set(works), (kind, test, works)


@pytest.mark.parametrize("data", [table(), *map(scores_of, ("mean", "binary", "spearman"))])
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


def test_equivalence_is_said_to_be_tested_on_two_sides_and_of_both_systems() -> None:
    asked = AnalysisSettings(claim="equivalent", margin=0.02)
    text = " ".join(methods_paragraphs(of_sample("simulated-accuracy", asked)))
    assert "tested by two one-sided tests whether A is equivalent to B within 2 points" in text
    assert "datasets on which A is equivalent to B within 2 points, by" in text
    assert "for A:" not in text

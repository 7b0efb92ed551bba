"""Claims: what they may hold, how they are read from lines, how they are said."""

from dataclasses import replace
from itertools import product

import pytest

from core.claims.claim import ANY, KINDS, SIDES, Claim, count_methods
from core.claims.desk import examples, exchanged, parse_claims, read_lines
from core.claims.vocabulary import TableNames
from core.errors import DataError
from core.replicability.identification import procedure_names


def every_claim() -> list[Claim]:
    found = []
    for kind, better, alpha in product(KINDS, SIDES, (None, 0.05, 0.001, 1e-7)):
        if kind == "interval":
            found += [
                Claim(kind=kind, interval=ends, estimate=estimate, better=better, alpha=alpha)
                for ends, estimate in ((("-6.5", "6.6"), "4.6"), ((".10", "0.20"), "-.150"))
            ]
        elif kind == "not-significant":
            found.append(Claim(kind=kind, datasets=("a b", "c"), alpha=alpha))
        elif kind == "significant":
            found += [
                Claim(kind=kind, datasets=("a b", "c"), method=m, better=better, alpha=alpha)
                for m in (None, *procedure_names())
            ]
        elif kind == "named":
            found += [
                Claim(kind=kind, datasets=names, method=method, better=better, alpha=alpha)
                for method in procedure_names()
                for names in (("Tamil",), ("New by the sea", "at .05"), ())
            ]
        else:
            found += [
                Claim(kind=kind, k=k, n_datasets=n, method=method, better=better, alpha=alpha)
                for method in count_methods()
                for k, n in ((0, None), (10, 12))
            ]
            found += [
                Claim(kind=kind, k=2, method=ANY, columns=columns, better=better, alpha=alpha)
                for columns in ((), ("p_boot",), ("p (boot)", "p at night", "p by day"))
            ]
    found.append(Claim(kind="at-least", k=3))
    return found


def test_every_claim_is_read_back_from_its_line() -> None:
    claims = every_claim()
    assert len(claims) > 500
    assert parse_claims("\n".join(claim.line() for claim in claims)) == tuple(claims)


def test_lines_are_read_as_people_write_them() -> None:
    for line, same in [
        ("Exactly 10 of 12 by Fisher at 0.05 For A", "exactly 10 of 12 by fisher at .05 for A"),
        ("at least 3 at 5%", "at least 3 at .05 for A"),
        ("at least 3 at 0,05 for A", "at least 3 at .05 for A"),
        ("named x; y by holm at .7 % for B", "named x; y by holm at .007 for B"),
        ("at least 3 at 1e-3", "at least 3 at .001 for A"),
        ("exactly 3 by common practice", "exactly 3 by count for A"),
        ("exactly 2 by BH", "exactly 2 by benjamini-hochberg for A"),
        ("better on at least 3 of 7 datasets for A", "at least 3 of 7 for A"),
        ("interval [−6.5 %, 6.6 %] about 4.6 %", "interval -6.5 to 6.6 about 4.6"),
        ("Interval: 3.9 to 5.2 about 4.6 at .05", "interval 3.9 to 5.2 about 4.6 at .05"),
        ("exactly 4 of 10 by any of p; p sentences at .05 for differ",
         "exactly 4 of 10 by any of p; p sentences at .05 for differ"),
    ]:  # fmt: skip
        assert [claim.line() for claim in parse_claims(line)] == [same]


SYSTEMS = ("Ours", "mBERT large")
NAMES = TableNames(systems=SYSTEMS, datasets=("u", "v"))


def test_a_system_s_name_may_stand_for_its_letter() -> None:
    for line, letters in [
        ("at least 5 for Ours", "at least 5 for A"),
        ("exactly 5 of 8 by fisher at .05 for MBERT large", "exactly 5 of 8 by fisher at .05 for B"),
        ("named u; v by holm for ours", "named u; v by holm for A"),
        ("Ours is better on at least 5 of 8 datasets", "at least 5 of 8 for A"),
        ("Ours is significantly better on at least 5 of 8 datasets", "at least 5 of 8 by count for A"),
        ("mBERT large is better than Ours on exactly 3 by count.", "exactly 3 by count for B"),
    ]:  # fmt: skip
        (expected,) = parse_claims(letters)
        assert parse_claims(line, TableNames(systems=SYSTEMS)) == (expected,), (line, letters)
        other = {"a": "b", "b": "a"}[expected.better]
        assert parse_claims(line, TableNames(systems=SYSTEMS[::-1]))[0].better == other, line
        with pytest.raises(DataError):
            parse_claims(line)


def test_a_dataset_significant_for_a_system_by_name_is_no_longer_dataset_s_name() -> None:
    for line, letters in [
        ("significant u at .01 for ours", "significant u at .01 for A"),
        ("significant u; v for MBERT large", "significant u; v for B"),
    ]:
        assert parse_claims(line, NAMES) == parse_claims(letters)
        assert exchanged(line, NAMES) == line
    # "Ours" of a table without such a name is A, and stays that system as B.
    ours = "our model is significantly better on 2 datasets"
    turned = exchanged(ours, TableNames(systems=("BERT", "XLM"), datasets=("u", "v")))
    assert turned == "exactly 2 by count for B"
    # A letter is a letter, also where the systems have such names in the other order.
    (claim,) = parse_claims("significant w for A", TableNames(systems=("B", "A"), datasets=("u",)))
    assert (claim.datasets, claim.better) == (("w",), "a")


def test_what_is_wrong_with_a_line_is_said_to_whoever_wrote_it() -> None:
    for line, what in [
        ("Ours is faster on at least 5 / 8", "A claim with “faster” cannot be checked."),
        ("named u", "The method must be given for a claim 'named'."),
        ("exactly 2", "An exact count needs its method: 'by count' is the number of p ≤ α."),
        ("at least 2 of 1 by fisher", "It speaks of 2 datasets, and there is 1. Write at most 1."),
        ("named u; u by holm", "The datasets must hold each name once."),
        ("named ; by holm", "No dataset is named: 'none' says that there is none."),
        ("significant for Ours", "or on which. Write for example “on 1 of 2 datasets”"),
        ("interval 1 to 2 about 1.5 by holm for B", "A claim with “about” cannot be checked."),
    ]:
        with pytest.raises(DataError) as caught:
            parse_claims(line, NAMES)
        assert what in str(caught.value.problems[0]), (line, what)


def test_lines_about_a_table_are_noted_told_of_its_names_and_shown_as_they_could_be() -> None:
    shown = [meant for _, meant in examples(replace(NAMES, systems=SYSTEMS[::-1]), of_several=True)]
    assert shown[0] == "Ours is better on exactly 1 of 2 datasets, counting p ≤ .05"
    assert shown[4].startswith("mBERT large and Ours differ on exactly 1 of 2 datasets with any")
    lines = "at least 2\nAt least 2\nnamed Nws by holm\nexactly 2 by any of q"
    read = read_lines(lines, replace(NAMES, datasets=("News", "Web")), columns=("p", "r"))
    assert list(read.notes(SYSTEMS).values()) == ["Lines 1 and 2."]
    assert "News? Write it as the table does." in str(read.problems[0])
    assert "'q', which is no column of p-values of the table" in str(read.problems[1])


def test_every_line_that_cannot_be_read_is_told_with_its_number() -> None:
    with pytest.raises(DataError) as caught:
        parse_claims("at least 3\na pleasure to read\nexactly 3 by guess\n\nexactly 4\nall p < .05")
    assert [problem.line for problem in caught.value.problems] == [2, 3, 5, 6]
    assert "Write for example" in caught.value.problems[0].remedy
    guess = str(caught.value.problems[1])
    assert "There is no method “guess”. " in guess
    assert "`" not in guess
    assert "benjamini-hochberg" in guess


def test_a_claim_that_makes_no_sense_is_refused() -> None:
    for settings, message in [
        ({"kind": "most", "k": 2}, "`kind` must be one of"),
        ({"kind": "exactly", "k": 2}, "`method` must be given"),
        ({"kind": "exactly", "method": "fisher"}, "`k` must be given"),
        ({"kind": "named", "k": 2, "method": "holm"}, "`k` must not be given"),
        ({"kind": "named", "datasets": ("x",), "method": "fisher"}, "`method` must be one of"),
        ({"kind": "named", "datasets": "x", "method": "holm"}, "`datasets` must be a tuple"),
        ({"kind": "named", "datasets": ("x", "x"), "method": "holm"}, "each name once"),
        ({"kind": "significant"}, "`datasets` must be given"),
        ({"kind": "not-significant", "datasets": ("x",), "method": "holm"}, "`method` must not be"),
        ({"kind": "at-least", "k": -1}, "`k` must be at least 0"),
        ({"kind": "at-least", "k": 1.5}, "`k` must be a whole number"),
        ({"kind": "at-least", "k": True}, "`k` must be a whole number"),
        ({"kind": "at-least", "k": 1, "datasets": ("x",)}, "`datasets` must not be"),
        ({"kind": "at-least", "k": 1, "alpha": 1.5}, "`alpha` must lie strictly between 0 and 1"),
        ({"kind": "at-least", "k": 1, "better": "c"}, "`better` must be one of"),
        ({"kind": "interval"}, "`interval` must be given"),
        ({"kind": "interval", "interval": [], "estimate": "1"}, "`interval` must be two ends"),
        ({"kind": "at-least", "k": 1, "interval": ("1", "2")}, "`interval` must not"),
        ({"kind": "interval", "interval": ("2", "1"), "estimate": "1"}, "lower end .* come first"),
        ({"kind": "interval", "interval": ("1", "2"), "estimate": "1e3"}, "plain numbers"),
        ({"kind": "interval", "interval": ("1", "2"), "estimate": "1", "k": 1}, "must not be"),
        ({"kind": "at-least", "k": 1, "columns": ("p",)}, "`columns` must be empty"),
        ({"kind": "at-least", "k": 1, "method": "any", "columns": ("p", "p")}, "each name once"),
    ]:
        with pytest.raises(ValueError, match=message):
            Claim(**settings)  # type: ignore[arg-type]

"""A bundle gives its analysis back exactly, and nothing hostile or damaged gets through."""

import json
import random
from dataclasses import replace
from hashlib import sha256

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.analysis import AnalysisSettings
from core.claims.desk import ClaimDesk
from core.data import read_results, read_sample
from core.data.sources.files import zipped
from core.errors import DataError
from core.export.as_json import settings_as_json, to_json
from core.export.bundle import (
    MANIFEST,
    MOST_BYTES,
    is_bundle,
    read_bundle,
    restore_bundle,
    write_bundle,
)
from core.export.bundle_comparison import compare_with_bundle
from core.replicability.identification import procedure_names
from core.types import DEPENDENCES
from core.version import __version__
from tests.core.export.bundle.forging import bundled, forged_of, members, with_results

SAMPLE, TABLE = read_sample("parsing-redshift")
NAME = SAMPLE.file_name
EXAMPLES = (
    "dataset,example,ours,base,third\n"
    + "".join(
        f"{dataset},{i},{i * 7 % 5 / 4},{i * 3 % 4 / 4},{i * 5 % 3 / 2}\n"
        for dataset in ("first", "second", "third")
        for i in range(23 + len(dataset))
    )
).encode()


ANALYSIS, BUNDLE = bundled(TABLE, name=NAME)


def forged(change=None, *, manifest=None, **contents):
    """The bundle with members exchanged and their hashes put right."""
    written = {name: json.dumps(content).encode() for name, content in contents.items()}
    return forged_of(BUNDLE, change, manifest=manifest, **written)


def refusal(content):
    with pytest.raises(DataError) as caught:
        read_bundle(content)
    assert all(problem.remedy for problem in caught.value.problems)
    return str(caught.value)


def results(**changes):
    found = json.loads(members(BUNDLE)["results.json"])
    found.update(changes)
    return found


CHOICES = {
    "alpha": st.floats(0.001, 0.4),
    "dependence": st.sampled_from(DEPENDENCES),
    "swapped": st.booleans(),
    "procedure": st.sampled_from(procedure_names()),
    "combination": st.sampled_from(["", "bonferroni"]),
    "question": st.sampled_from(["", "b-better/two-sided", "differ", "nonsense"]),
}
OF_TESTS = {
    "pair": st.sampled_from([(0, 1), (0, 2), (1, 2)]),
    "joint": st.sampled_from(["", "matched", "example-id"]),
    "test": st.sampled_from(["auto", "paired-bootstrap", "approximate-randomization", "sign"]),
    "n_resamples": st.integers(1, 60),
    "seed": st.integers(0, 2**40),
    "interval": st.sampled_from(["basic", "percentile", "bca"]),
}
GENRES = read_results(TABLE).datasets


def some_of(names):
    return st.lists(st.sampled_from(names), unique=True, max_size=len(names) - 1).map(tuple)


@given(chosen=st.builds(AnalysisSettings, excluded=some_of(GENRES), **CHOICES))
@settings(max_examples=15)
def test_a_printed_table_is_restored_exactly_with_any_settings(chosen):
    roles = {"alternative": "two-sided"}
    analysis, content = bundled(TABLE, chosen, name=NAME, roles=roles)
    bundle = read_bundle(content)
    assert bundle.settings == chosen
    again = restore_bundle(bundle)
    assert to_json(again) == to_json(analysis)
    assert compare_with_bundle(again, bundle).same


@given(
    chosen=st.builds(
        AnalysisSettings, excluded=some_of(("first", "second", "third")), **CHOICES, **OF_TESTS
    )
)
@settings(max_examples=12, suppress_health_check=[HealthCheck.too_slow])
def test_results_on_examples_are_restored_exactly_with_any_settings(chosen):
    analysis, content = bundled(EXAMPLES, chosen, name="mine.csv")
    bundle = read_bundle(content)
    again = restore_bundle(bundle)
    assert to_json(again) == to_json(analysis)
    assert compare_with_bundle(again, bundle).same


def test_it_holds_the_files_as_they_came_and_the_json_of_the_library():
    held = members(BUNDLE)
    told = {"settings.json", "tried.json", "results.json", "README.txt"}
    assert set(held) == {MANIFEST, *told, f"data/1-{NAME}"}
    assert held[f"data/1-{NAME}"] == TABLE
    assert held["results.json"].decode() == to_json(ANALYSIS)
    about = json.loads(held[MANIFEST])
    assert about["format"] == 1
    assert about["version"] == __version__
    assert about["files"][0]["sha256"] == sha256(TABLE).hexdigest()
    # The source of a sample is stated of its own data alone.
    for key, kept in ((SAMPLE.key, SAMPLE.key), ("pos-tagging", ""), ("none", "")):
        assert read_bundle(forged(manifest={"sample": key})).sample == kept
    assert __version__ in held["README.txt"].decode()


def test_several_files_with_any_names_come_back_in_their_order():
    names = ["a/x.csv", "b/x.csv", "../../etc/passwd", "C:\\x.CSV", "\x1b[31m.csv", "con.csv", "é"]
    names.append("")
    files = [(name, f"{i}".encode()) for i, name in enumerate(names)]
    content = write_bundle(ANALYSIS, files=files, name="all", roles={})
    bundle = read_bundle(content)
    assert bundle.files == tuple(files)
    assert bundle.name == "all"
    inside = [name for name in members(content) if name.startswith("data/")]
    assert len({name.lower() for name in inside}) == len(names)
    assert all(name.isascii() and ".." not in name and "\\" not in name for name in inside)


def test_roles_and_what_was_tried_come_back():
    roles = {
        "alternative": "two-sided",
        "zero_reads_below": 0.001,
        "metric": None,
        "higher_is_better": {"f1": True, "ter": False},
        "systems": ("A", "B"),
    }
    analysis = replace(ANALYSIS, tried={"levels": ("0.05", "0.01"), "tests": ("Ω",)})
    content = write_bundle(analysis, files=[(NAME, TABLE)], name=NAME, roles=roles)
    bundle = read_bundle(content)
    assert bundle.roles == roles
    assert bundle.tried == {"levels": ("0.05", "0.01"), "tests": ("Ω",)}
    without_metrics = replace(bundle, roles={"alternative": "two-sided"})
    assert restore_bundle(without_metrics).tried == bundle.tried


def test_a_bundle_is_told_from_other_files():
    incomplete = BUNDLE[: len(BUNDLE) // 2]
    for content in (BUNDLE, incomplete, zipped({f"folder/{MANIFEST}": b"{}"})):
        assert is_bundle(content)
    archives = (zipped({"t.csv": TABLE}), zipped({"t.txt": MANIFEST.encode()}))
    for content in (*archives, TABLE, MANIFEST.encode(), b""):
        assert not is_bundle(content), content


def added(name, content=b"x"):
    return lambda held: held.update({name: content})


def without(name):
    return lambda held: held.pop(name)


def test_what_is_no_whole_bundle_is_refused_and_says_why():
    large = b"[" + b" " * MOST_BYTES["tried.json"] + b"]"
    data = f"data/1-{NAME}"
    listed = {"member": data, "name": "x", "sha256": "0" * 64}
    for content, message in [
        (forged(added("tried.json", large)), "'tried.json' has more than 5,000,000 bytes"),
        (forged(added(data, bytes(60_000_000))), "more than 200 times its size"),
        (TABLE, "no zip archive"),
        (BUNDLE[:-30], "damaged"),
        (BUNDLE[:400], "damaged"),
        (forged(without("tried.json")), "lacks 'tried.json'"),
        (forged(without(data)), f"lacks '{data}'"),
        (forged(added(data, b"other")), "changed or damaged after"),
        (forged(added("settings.json", b"{}")), "'settings.json' is not as"),
        (forged(added(MANIFEST, b"not json")), "no JSON"),
        (forged(added(MANIFEST, b"[]")), "no JSON"),
        (forged(added(MANIFEST, b"[" * 100_000)), "no JSON"),
        (forged(added(MANIFEST, b"\xff\xfe")), "no JSON"),
        (forged(manifest={"kind": "other"}), "does not describe a bundle"),
        (forged(manifest={"format": "1"}), "does not describe a bundle"),
        (forged(manifest={"format": 2, "version": "9.0"}), "format 2, written by version 9.0"),
        (forged(manifest={"files": [{**listed, "sha256": "0"}]}), "changed or damaged after"),
        (forged(manifest={"files": [{**listed, "name": 7}]}), "does not describe a bundle"),
        (forged(manifest={"files": [7]}), "does not describe a bundle"),
        (forged(manifest={"members": {}}), "does not describe a bundle"),
        (forged(manifest={"name": None}), "does not describe a bundle"),
        (forged(manifest={"version": None}), "does not describe a bundle"),
        (forged(manifest={"files": []}), "does not describe a bundle"),
        (forged(tried={"levels": "0.05"}), "'tried.json' is no JSON of the expected kind"),
        (forged(settings={"analysis": []}), "'settings.json' is no JSON of the expected kind"),
        (zipped({f"folder/{MANIFEST}": b"{}"}), "packed again, inside the folder 'folder/'"),
    ]:
        assert message in refusal(content), (content, message)


NO_SETTINGS: dict[str, tuple[object, ...]] = {
    "alpha": (0, 1, -1, True, "0.05", None, [0.05]),
    "dependence": ("none", None, ["not-known"]),
    "swapped": (1, "true", None),
    "excluded": ("MZ", [1], {"MZ": 1}, [["MZ"]]),
    "question": (1,),
    "combination": ("Fisher", "holm", None),
    "joint": ("ids", None, True),
    "procedure": ("Holm",),
    "pair": ([1, 0], [0, 0], [-1, 0], [0], [0, 1, 2], "01", [0.0, 1.0]),
    "metric": (None,),
    "test": ("t-test",),
    "n_resamples": (0, 1.5, True, 10**12, "9"),
    "seed": (-1, 2**63, 0.0, False),
    "interval": ("wald",),
    "estimator": ("",),
    "zeros": ("drop",),
    "whole_clusters": (0,),
    "claim": ("worse", 1),
    "margin": (-0.1, "0.5 points", True, None),
    "extended": (["MZ"], [["MZ"]], [["MZ", 0]], [[1, 5]], {}),
    "surprise": (1,),
    "__class__": ("x",),
}


def test_a_setting_that_is_none_is_refused_by_its_name():
    for name, value in [(name, value) for name, values in NO_SETTINGS.items() for value in values]:
        own = {**settings_as_json(AnalysisSettings()), name: value}
        said = refusal(forged(settings={"analysis": own, "roles": {}}))
        assert f"does not know, of '{name}'." in said, (name, value)


def test_a_role_of_no_known_kind_is_refused_when_the_data_are_read():
    for value in [{"a": [1]}, [[1]], [1], {"a": {"b": True}}]:
        held = read_bundle(forged(settings={"analysis": {}, "roles": {"dataset": value}}))
        with pytest.raises(DataError, match="'dataset'"):
            restore_bundle(held)


def test_bytes_damaged_anywhere_end_in_a_bundle_or_a_data_error():
    rng = random.Random(7)
    held = read_bundle(BUNDLE)
    for _ in range(300):
        damaged = bytearray(BUNDLE)
        for _ in range(rng.randint(1, 4)):
            damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        is_bundle(bytes(damaged))
        try:
            found = read_bundle(bytes(damaged))
        except DataError:
            continue
        assert found.files[0][1] == held.files[0][1]
        assert found.results == held.results


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
        max_leaves=8,
    ),
    st.sampled_from(["datasets", "questions", "settings", "data", "format", "verdict", "extra"]),
)
@settings(max_examples=40)
def test_results_of_any_shape_are_compared_without_an_error(value, part):
    bundle = with_results(read_bundle(BUNDLE), results(**{part: value}))
    comparison = compare_with_bundle(ANALYSIS, bundle)
    assert comparison.sentences


DESK = ClaimDesk(
    lines="at least 2 for A\n# 9 %", metric="accuracy", sizes="u: 10\nv: 20", swapped=True
)


def test_claims_that_are_laid_out_are_read_back() -> None:
    # The end of a PDF's page, and lines as Windows ends them.
    pasted = replace(DESK, lines="at least 2 for A\f\r\nat least 1 for B\ud800")
    for desk in (DESK, ClaimDesk(lines=""), ClaimDesk(sizes="100"), pasted):
        packed = write_bundle(ANALYSIS, files=[(NAME, TABLE)], name=NAME, roles={}, claims=desk)
        assert read_bundle(packed).claims == desk, desk


def test_claims_that_no_page_could_have_written_are_refused() -> None:
    for name, value in {"lines": 3, "metric": "f1", "sizes": None, "swapped": 1, "k": 3}.items():
        own = json.loads(members(BUNDLE)["settings.json"])
        said = refusal(forged(settings={**own, "claims": {name: value}}))
        assert f"does not know, of '{name}'." in said

"""Other names for datasets and systems go everywhere and change no number."""

import pytest

from core.analysis import AnalysisSettings, Origin, analyse
from core.data import read_results
from core.effects.from_results import dataset_effects
from core.errors import DataError
from core.export.bundle import read_bundle, write_bundle
from core.export.record import role_in_words, role_of_words
from core.export.report import html_report
from core.reliability.choices import simulated_free_choice
from core.reliability.covariates import dataset_cut_off_study
from core.reliability.levels import level_study
from core.reliability.sample_size import subsample_significance
from core.systems.all_pairs import compare_all_pairs
from core.systems.sizes import calibrate_iid, thresholds_by_size

FILES = {
    "published table": "dataset,A,B,p\nx,91,90,.01\ny,92,90.5,.2\n",
    "one score each": "dataset,A,B\nx,91,90\ny,92,90.5\n",
    "scores": "dataset,example,A,B\n"
    + "".join(
        f"{d},{i},{i**0.5},{i**0.5 + ((i * 3 % 7) - 3) ** 3 / 7.7}\n"
        for d in "xy"
        for i in range(1, 30)
    ),
    "effects": "dataset,effect,se\nx,.1,.2\ny,.2,.1\n",
}
NAMES = {"x": "SST-2"}


def read(text, **roles):
    return read_results(text.encode(), name="mine.csv", roles=roles)


@pytest.mark.parametrize("text", FILES.values(), ids=FILES)
def test_names_are_other_ones_and_the_roles_read_them_again(text):
    has_systems = "A,B" in text
    roles = {"dataset_names": NAMES, **({"system_names": {"B": "BERT"}} if has_systems else {})}
    results = read(text, **roles)
    assert results.datasets == ("SST-2", "y")
    if has_systems:
        systems = getattr(results, "systems", None) or (results.system_a, results.system_b)
        assert systems == ("A", "BERT")
    again = read(text, **results.reading.roles)
    assert again.fingerprint == results.fingerprint != read(text).fingerprint
    assert any("SST-2" in remark for remark in results.reading.remarks)


def test_a_new_name_changes_no_p_value_that_is_drawn():
    settings = AnalysisSettings(test="paired-bootstrap", n_resamples=199)
    before, after = (
        analyse(read(FILES["scores"], **roles), settings)
        for roles in ({}, {"dataset_names": NAMES, "system_names": {"A": "ours"}})
    )
    assert after.table.p_values.tolist() == before.table.p_values.tolist()
    assert after.table.datasets == ("SST-2", "y")


def by_level(data, name):
    return level_study(
        data,
        a="A",
        b="B",
        covariate={name: ["u", "v"] * 14 + ["u"]},
        test="paired-bootstrap",
        n_resamples=999,
    )


STUDIES = {
    "levels": lambda data, name: by_level(data, name).family.p_values,
    "dependence": lambda data, name: by_level(data, name).dependence_p_values[name],
    "cut-offs": lambda data, name: (
        dataset_cut_off_study(
            data, name, range(29), a="A", b="B", n_random=20
        ).largest_contrast_of_random
    ),
    "choices": lambda data, name: (
        simulated_free_choice(data, name, a="A", b="B", n_repetitions=20).p_values
    ),
    "subsamples": lambda data, name: (
        subsample_significance(
            data, a="A", b="B", test="paired-bootstrap", datasets=[name], n_subsamples=5
        )
        .datasets[0]
        .points
    ),
    "effects": lambda data, _: dataset_effects(data, a="A", b="B", variance="bootstrap").variances,
    "pairs": lambda data, _: compare_all_pairs(data, test="paired-bootstrap").p_values,
    "test sizes": lambda data, name: (
        thresholds_by_size(data, name, sizes=(12,), n_subsets=60, n_resamples=99).points
    ),
    # A and B are equal on the whole of it.
    "test sets": lambda data, name: (
        calibrate_iid(data, name, 9, 99, test="paired-t").n_without_sign
    ),
}


@pytest.mark.parametrize("study", STUDIES.values(), ids=STUDIES)
def test_no_study_draws_anew_for_a_new_name(study):
    before, after = (read(FILES["scores"], **roles) for roles in ({}, {"dataset_names": NAMES}))
    assert str(study(after, "SST-2")) == str(study(before, "x"))


@pytest.mark.parametrize(
    "names", [{"nowhere": "z"}, {"x": "y"}, {"x": "same", "y": "same"}], ids=str
)
def test_a_name_that_is_not_there_or_would_stand_twice_is_refused(names):
    with pytest.raises(DataError) as caught:
        read(FILES["published table"], dataset_names=names)
    assert all(problem.remedy for problem in caught.value.problems)


def test_names_and_remedies_come_back_from_a_bundle_and_stand_in_the_report():
    text = FILES["published table"] + "z,91,oops,.3\n"
    roles = {"dataset_names": NAMES, "left_out": "4", "system_names": {"A": "ours"}}
    table = read(text, **roles)
    analysis = analyse(table, origin=Origin(title="mine.csv", roles=roles))
    packed = write_bundle(analysis, files=[("mine.csv", text.encode())], name="m", roles=roles)
    bundle = read_bundle(packed)
    assert bundle.roles == roles
    assert read(bundle.files[0][1].decode(), **bundle.roles).fingerprint == table.fingerprint
    assert [role_of_words(role_in_words(*role)) for role in roles.items()] == list(roles.items())
    report = html_report(analysis)
    for said in ("SST-2", "ours", "Left out, as chosen: 1 row", "Renamed, as chosen"):
        assert said in report

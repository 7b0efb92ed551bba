"""The simulated samples are what their script makes, are marked as made, and hold what is planted."""

import importlib.util

import numpy as np
from scipy.stats import wilcoxon

from core.analysis.joint import joint_analysis_of, joint_flips
from core.data import ResultSet, read_sample, samples
from core.data.overlap.find import units_of
from core.data.samples import SAMPLE_FOLDER
from core.replicability.counting import count_datasets
from core.replicability.identification import identify_datasets
from core.significance.run import run_dataset_tests
from tests.read_as import read_as

SIMULATED = [sample for sample in samples() if sample.key.startswith("simulated-")]


def load_script():
    spec = importlib.util.spec_from_file_location(
        "make_simulated", SAMPLE_FOLDER / "make_simulated.py"
    )
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    return script


SCRIPT = load_script()
# Reading it asks which runs count, so that it is no sample to be chosen.
SEEDS = "runs/simulated_seeds.csv"
# The truth by the script's own plan: datasets on which ours is better, and on which it is worse.
BETTER = {
    "simulated-accuracy": {name for name, _, ours, other in SCRIPT.ACCURACY if ours > other},
    "simulated-sentences": {name for name, _, gain in SCRIPT.SENTENCES if gain > 0},
    "simulated-labels": {name for name, _, ours, other in SCRIPT.LABELS if ours > other},
    "simulated-parsing": {name for name, _, ours, other in SCRIPT.PARSING if ours > other},
    "simulated-documents": {name for name, _, gain in SCRIPT.DOCUMENTS if gain > 0},
    "simulated-lengths": {name for name, _, *gains in SCRIPT.LENGTHS if any(gains)},
    "simulated-translations": {name for name, gain in SCRIPT.TRANSLATIONS if gain > 0},
    # Not worse by 1 point.
    "simulated-quantised": {
        name for name, _, ours, other in SCRIPT.QUANTISED if ours > other - 0.01
    },
    "simulated-similarity": {name for name, _, ours, other in SCRIPT.SIMILARITY if ours > other},
}


def read(key):
    return read_as(ResultSet, read_sample(key)[1])


def small(results, *, test="auto", **asked):
    """The datasets on which ours is significantly better, each test by itself, and all p-values."""
    table = run_dataset_tests(results, a="ours", b="baseline", test=test, rng=0, **asked)
    small = {n for n, p in zip(results.datasets, table.p_values, strict=True) if p <= 0.05}
    return small, table.p_values


def test_the_script_makes_the_files_byte_for_byte():
    made = SCRIPT.files()
    assert set(made) == {*(sample.file_name for sample in SIMULATED), SEEDS}
    for name, content in made.items():
        assert (SAMPLE_FOLDER / name).read_bytes() == content, name
        assert len(content) < 250_000


def test_documents_taken_apart_over_claim_and_taken_whole_do_not():
    results = read("simulated-documents")
    assert results.metrics == ("score",)
    (remark,) = results.reading.remarks
    assert "document" in remark
    truth = BETTER["simulated-documents"]
    clusters = {len(set(results.clusters_of(name).tolist())) for name in results.datasets}
    assert clusters == {44, 30, 26, 40, 36, 48, 28}
    apart, p_values = small(results, clusters={})
    assert (len(apart), count_datasets(p_values).k_hat) == (4, 4)
    whole, p_values = small(results)
    assert (whole, count_datasets(p_values).k_hat) == (truth, 3)


def better(differences):
    return wilcoxon(np.round(differences, 1), alternative="greater", method="approx").pvalue


def test_lengths_and_genres_hold_what_is_planted():
    results = read("simulated-lengths")
    (remark,) = results.reading.remarks
    assert "'length' (numbers), 'genre' (3 kinds)" in remark
    assert results.covariates == ("length", "genre")
    assert small(results)[0] == BETTER["simulated-lengths"]
    for dataset in results.datasets:
        length, genre = (results.covariate(dataset, name) for name in results.covariates)
        assert (length.min() >= 4, length.max() <= 39) == (True, True)
        assert 0.4 < (length <= SCRIPT.SHORT_UP_TO).mean() < 0.6
        assert 0.25 < (genre == "dialogue").mean() < 0.45
        # What a sentence is like says nothing of the baseline's score.
        assert abs(np.corrcoef(length, results.scores(dataset, "baseline"))[0, 1]) < 0.2

    def parted(dataset, chosen):
        gain = results.scores(dataset, "ours") - results.scores(dataset, "baseline")
        return better(gain[chosen]), better(gain[~chosen])

    short, longer = parted("sim-short", results.covariate("sim-short", "length") <= 15)
    assert short < 0.001 < 0.3 < longer
    assert max(parted("sim-steady", results.covariate("sim-steady", "length") <= 15)) < 0.001
    dialogue, others = parted("sim-spoken", results.covariate("sim-spoken", "genre") == "dialogue")
    assert dialogue < 0.001 < others
    for dataset in ("sim-flat", "sim-even"):
        assert min(parted(dataset, results.covariate(dataset, "length") <= 15)) > 0.05


def test_seeds_hold_three_runs_of_which_one_misleads():
    path = SAMPLE_FOLDER / SEEDS
    results = read_as(ResultSet, path, roles={"runs": "average"})
    assert results.runs == ("1", "2", "3")
    assert results.covariates == ("length", "genre")
    ours, other = (results.run_scores("sim-even", system) for system in results.systems)
    p = np.array([[better(ours[:, a] - other[:, b]) for b in range(3)] for a in range(3)])
    assert (p <= 0.05).sum(axis=1).tolist() == [0, 0, 3]
    means = results.scores("sim-even", "ours") - results.scores("sim-even", "baseline")
    assert better(means) > 0.05
    plain = read("simulated-lengths")
    for dataset in results.datasets:
        for name in results.covariates:
            same = results.covariate(dataset, name) == plain.covariate(dataset, name)
            assert same.all()


def test_counts_differ_as_the_readme_says():
    for key, test, naive, bonferroni, fisher in [
        ("simulated-accuracy", "mcnemar", 5, 2, 3),
        ("simulated-sentences", "approximate-randomization", 5, 3, 4),
        ("simulated-labels", "mcnemar", 4, 2, 3),
        ("simulated-parsing", "approximate-randomization", 4, 2, 3),
        ("simulated-similarity", "williams", 3, 2, 3),
    ]:
        results = read(key)
        found, p = small(results, test=test)
        assert len(found) == naive, key
        assert len(found - BETTER[key]) == 1, key
        counts = [count_datasets(p, combination=c).k_hat for c in ("bonferroni", "fisher")]
        assert counts == [bonferroni, fisher], key
        assert fisher <= len(BETTER[key]), key
        holm = identify_datasets(p, procedure="holm")
        named = {name for name, hit in zip(results.datasets, holm.rejected, strict=True) if hit}
        assert named <= BETTER[key], key


def test_no_significant_difference_misleads_on_three_tasks_of_the_quantised_model():
    results = read("simulated-quantised")
    table = run_dataset_tests(results, a="quantised", b="full", claim="not-worse", margin=0.01)
    usual = run_dataset_tests(results, a="quantised", b="full")
    counts = [count_datasets(table.p_values, combination=c).k_hat for c in ("bonferroni", "fisher")]
    assert counts == [8, 8]
    named = identify_datasets(table.p_values).rejected
    shown = {name for name, hit in zip(results.datasets, named, strict=True) if hit}
    truth = BETTER["simulated-quantised"]
    assert shown < truth
    assert usual.p_values_two_sided is not None
    alike = {
        name for name, p in zip(results.datasets, usual.p_values_two_sided, strict=True) if p > 0.05
    }
    few = {name for name, n, *_ in SCRIPT.QUANTISED if n < 300}
    assert alike - shown == few
    assert few - truth == {"sim-q-04"}
    assert not shown & few


def test_translations_are_counted_further_by_joint_flips_and_truly():
    results = read("simulated-translations")
    units = units_of(results, units="example-id")
    flips = joint_flips(results, units, a="ours", b="baseline")
    found = joint_analysis_of(flips, units, alpha=0.05)
    truth = BETTER["simulated-translations"]
    assert (found.units.n_units, found.units.n_shared) == (300, 300)
    assert count_datasets(found.count.p_values).k_hat == 2
    assert found.count.k_hat == found.step_down.n_rejected == 7 <= len(truth)
    named = {
        name for name, own in zip(results.datasets, found.step_down.rejected, strict=True) if own
    }
    assert named <= truth

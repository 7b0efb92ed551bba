"""What must not change by accident: numbers, names and readings, computed afresh.

Each subject is a function without arguments that returns plain facts, as JSON holds them: counts,
names, p-values, roles. Sentences, signatures and versions are no facts. `python -m tests.frozen`
stores them in `stored/`, and `test_frozen.py` compares.
"""

import base64
import io
import json
import re
import zlib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

import numpy as np

import core
from core.analysis import AnalysisSettings
from core.claims.desk import sample_claims, samples_without_table
from core.data import read_sample, samples
from core.data.overlap.find import find_overlap
from core.data.reading import Results
from core.errors import Choice
from core.replicability.identification import procedure_names
from core.types import DEPENDENCES

HERE = Path(__file__).parent
STORED = HERE / "stored"
CORPUS = HERE / "corpus.jsonl"
REAL_DATA = HERE.resolve().parents[2] / "shared" / "data"

# Marks a file of the corpus that is no text, and a long one that zlib made short.
BASE64 = "base64:"
PACKED = "packed:"
MOST_PLACES = 20
# A name in quotation marks, or a number that is no part of a word.
_TOLD = re.compile(r"""(?<!\w)['"‘“](.+?)['"’”](?!\w)|(?<![\w.])(\d+(?:[.,]\d+)*)""")

Files = list[tuple[str, bytes]]
# Enough to be stored: a stored number holds on any processor.
DIGITS = 12
# Resamples of every Monte Carlo test here: what is held is that the same stream is drawn.
N_RESAMPLES = 199

# Of the JSON of an analysis: what is a sentence, depends on versions, or stands there twice.
_NO_FACTS = {
    "about_the_count", "as_compared", "cautions", "format", "note", "notes", "origin", "remarks",
    "sentences", "signature", "signatures", "test", "tried", "unsettled", "verdict", "versions",
    "what_was_read",
}  # fmt: skip
_OF_A_TEST = (
    "test", "kind", "p_value", "p_value_greater", "p_value_less", "p_value_two_sided", "exact",
    "method", "n_resamples", "n_extreme", "monte_carlo_interval", "n_examples", "n_clusters",
    "score_a", "score_b", "difference", "confidence_interval", "wins", "ties", "losses", "statistic",
)  # fmt: skip


def plain(value: Any) -> Any:
    """A value as JSON gives it back, numbers to `DIGITS` significant digits."""
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(item) for item in value]
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float):
        if not np.isfinite(value):
            return str(value)
        return float(f"{value:.{DIGITS}g}")
    return value


def _without_words(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_words(item) for key, item in value.items() if key not in _NO_FACTS}
    if isinstance(value, list):
        return [_without_words(item) for item in value]
    return value


def _tests_of(document: dict[str, Any]) -> list[Any]:
    return [
        row["test"] and {name: row["test"][name] for name in _OF_A_TEST}
        for row in document["datasets"]
    ]


def _short(analysis: core.Analysis) -> dict[str, Any]:
    """Counts and names for every claim and reading."""
    return {
        question.key: [
            question.answer.k_hat,
            question.answer.combination,
            [
                analysis.table.datasets[i]
                for i in np.flatnonzero(
                    analysis.identification(question, analysis.procedure).rejected
                )
            ],
        ]
        for question in analysis.questions
    }


def _settings(**further: Any) -> AnalysisSettings:
    return AnalysisSettings(n_resamples=N_RESAMPLES, **further)


def _over_settings(data: Any) -> dict[str, Any]:
    """One table or result set under a grid of settings: whole once, then counts and names."""
    whole = core.analyse(data, _settings())
    document = core.as_json(whole)
    facts = {"whole": _without_words(document), "tests": _tests_of(document)}
    for alpha in (0.01, 0.05, 0.2):
        for dependence in DEPENDENCES:
            for swapped in (False, True):
                settings = _settings(alpha=alpha, dependence=dependence, swapped=swapped)
                facts[f"alpha {alpha}, {dependence}{', swapped' * swapped}"] = _short(
                    core.analysis.analysis_of(data, whole.whole, settings, origin=whole.origin)
                )
    for procedure in procedure_names():
        facts[procedure] = _short(
            core.analysis.analysis_of(
                data, whole.whole, _settings(procedure=procedure), origin=whole.origin
            )
        )
    if not isinstance(data, core.ResultSet):
        return facts
    if data.has_outcomes():
        for claim in ("not-worse", "equivalent"):
            asked = _settings(claim=claim, margin=0.01, dependence="independent")
            facts[f"{claim} by 1 point"] = _short(core.analyse(data, asked))
    # Tango's is one of claims at a margin.
    for test in (name for name in core.significance_tests if name != "tango"):
        try:
            facts[f"test {test}"] = core.analyse(data, _settings(test=test)).whole.p_values
        except (ValueError, core.DataError):
            facts[f"test {test}"] = "does not suit"
    return facts


def _analyses(of: Iterable[str]) -> Callable[[], dict[str, Any]]:
    keys = tuple(of)
    return lambda: {key: _over_settings(core.read_results(read_sample(key)[1])) for key in keys}


def _combinations() -> dict[str, Any]:
    """Families of p-values: every count, procedure and group."""
    facts = {}
    for seed in range(40):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(1, 40))
        p_values = np.round(rng.beta(rng.uniform(0.1, 1), 1, n), int(rng.integers(1, 8)))
        group = np.flatnonzero(rng.random(n) < 0.4).tolist() or [0]
        facts[str(seed)] = {
            "p_values": p_values,
            "counts": {
                name: [
                    core.count_datasets(p_values, combination=name).k_hat,
                    core.partial_conjunction_p_values(p_values, combination=name),
                    core.count_in_group(p_values, group, combination=name),
                ]
                for name in ("bonferroni", "fisher", "simes")
            },
            "names": {
                name: [
                    core.identify_datasets(p_values, procedure=name).n_rejected,
                    core.identify_datasets(p_values, procedure=name).adjusted_p_values,
                ]
                for name in procedure_names()
            },
        }
    return facts


def _simulations() -> dict[str, Any]:
    scenarios = {
        "null": core.Scenario(blocks=(core.Block(n_datasets=20),)),
        "mixture": core.Scenario(
            blocks=(core.Block(n_datasets=6, effect=2.5), core.Block(n_datasets=9, rho=0.4))
        ),
    }
    return {
        name: {
            method: np.bincount(k_hat)
            for method, k_hat in core.simulate_k_hat(
                scenario, n_repetitions=2000, rng=3
            ).k_hat.items()
        }
        for name, scenario in scenarios.items()
    }


_META = ("estimate", "variance", "confidence_interval", "q", "tau2", "i2", "prediction_interval")


def _effects() -> dict[str, Any]:
    facts: dict[str, Any] = {}
    for key in ("simulated-accuracy", "simulated-sentences", "simulated-parsing"):
        results = core.read_results(read_sample(key)[1])
        assert isinstance(results, core.ResultSet)
        a, b = results.systems[:2]
        effects = core.dataset_effects(results, a=a, b=b, n_resamples=N_RESAMPLES)
        variances = np.asarray(effects.variances)
        known = np.isfinite(variances) & (variances > 0)
        facts[key] = {
            "effects": effects.effects,
            "variances": effects.variances,
            **{
                model: {name: getattr(pooled, name) for name in _META}
                for model in ("fixed", "random", "gumbel")
                for pooled in [
                    core.meta_analysis(effects.effects[known], variances[known], model=model)
                ]
            },
        }
    return facts


def _pairs_of_systems() -> dict[str, Any]:
    facts = {}
    for key in ("synthetic-digits", "simulated-accuracy", "simulated-sentences"):
        results = core.read_results(read_sample(key)[1])
        assert isinstance(results, core.ResultSet)
        chosen = results.systems[:6]
        pairs = core.compare_all_pairs(results, systems=chosen, n_resamples=N_RESAMPLES)
        facts[key] = {"p_values": pairs.p_values, "scores": pairs.scores, "tests": pairs.tests}
    return facts


def _reliability() -> dict[str, Any]:
    results = core.read_results(read_sample("simulated-accuracy")[1])
    assert isinstance(results, core.ResultSet)
    a, b = results.systems[:2]
    study = core.subsample_significance(results, a=a, b=b, n_subsamples=20)
    table = core.run_dataset_tests(results, a=a, b=b, rng=0)
    rng = np.random.default_rng(5)
    runs = core.run_to_run(
        rng.normal(0.3, 1, (60, 4)), rng.normal(0.0, 1, (60, 4)), test="paired-t"
    )
    return {
        "subsamples": study.to_frame().select_dtypes("number").to_dict("list"),
        "domains": core.across_domains(table).to_frame().select_dtypes("number").to_dict("list"),
        "runs": {"p_value": runs.p_value, "difference": runs.difference},
        "ppv": [
            core.positive_predictive_value(alpha, power=0.5, prior_odds=0.1)
            for alpha in (0.05, 0.01, 0.0025)
        ],
    }


def _table_of(key: str) -> core.PValueTable | core.ScoreTable:
    table = core.read_results(read_sample(key)[1])
    assert isinstance(table, (core.PValueTable, core.ScoreTable))
    return table


_PRINTED_SCORES: tuple[tuple[str, str, int, Literal["accuracy", "correlation"]], ...] = (
    ("87.5", "80.0", 40, "accuracy"),
    ("91.2", "90.1", 872, "accuracy"),
    ("0.712", "0.655", 353, "correlation"),
)


def _claims() -> dict[str, Any]:
    facts: dict[str, Any] = {
        sample.key: [
            [finding.check, finding.key, finding.dataset]
            for finding in core.check_claims(
                _table_of(sample.key), sample_claims(sample.key)
            ).findings
        ]
        for sample in samples()
        if not sample.per_example
    }
    for text, claims in (
        (block.key, sample_claims(block.key)) for block in samples_without_table()
    ):
        report = core.check_claims(None, claims)
        facts[text] = [[finding.check, finding.key] for finding in report.findings]
    facts["possible"] = {
        f"{a} {b} {n} {metric} {alternative}": {
            name: [p.low, p.high]
            for name, p in core.possible_p_values(
                a, b, n, metric=metric, alternative=alternative
            ).items()
        }
        for a, b, n, metric in _PRINTED_SCORES
        for alternative in ("greater", "two-sided")
    }
    return facts


def _real() -> dict[str, Any]:
    """Readings and tests of the files beside the checkout; of them derived numbers alone."""
    facts: dict[str, Any] = {}
    for path in sorted(REAL_DATA.rglob("*.csv")):
        name = path.relative_to(REAL_DATA).as_posix()
        read = facts_of(outcome_of([(path.name, path.read_bytes())], {}))
        read.pop("told", None)
        facts[name] = _derived(plain(read))
        if "problems" in facts[name]:
            continue
        data = core.read_results(path)
        if not isinstance(data, (core.ResultSet, core.PValueTable)):
            continue
        analysis = core.analyse(data, _settings())
        facts[name] |= {
            "p_values": analysis.whole.p_values,
            "tests": [result and result.test for result in analysis.whole.results or ()],
            "answers": _short(analysis),
        }
    return facts


def _derived(content: Any) -> Any:
    """The same with one number for each list of values, and none of the values themselves."""
    if isinstance(content, dict):
        return {key: _derived(item) for key, item in content.items()}
    if isinstance(content, list) and len(content) > 1:
        return [len(content), _number_of(np.array(list(map(str, plain(content)))))]
    return content


def outcome_of(files: Files, roles: Mapping[str, Any]) -> Results | core.DataError:
    """What files are read as, or what keeps them from it."""
    sources = []
    for name, content in files:
        source = io.BytesIO(content)
        source.name = name
        sources.append(source)
    try:
        return core.read_results(sources, roles=dict(roles))
    except core.DataError as error:
        return error


def facts_of(read: Results | core.DataError) -> dict[str, Any]:
    """What was read, or the places of the problems."""
    if isinstance(read, core.DataError):
        error = read
        places = {
            (problem.file, problem.dataset, problem.column, problem.line, problem.answered_by)
            for problem in error.problems
        }
        return {
            "problems": sorted(places, key=lambda place: tuple(map(str, place)))[:MOST_PLACES],
            "asked": [choice.role for choice in error.choices],
            **_where_there_are(
                {
                    "n_problems": len(error.problems) if len(error.problems) > 1 else 0,
                    "answers": _answers(error.choices),
                    "columns": error.columns,
                    "told": _told(problem.what for problem in error.problems),
                }
            ),
        }
    reading = read.reading
    return {
        "type": type(read).__name__,
        "layout": reading.layout,
        "roles": reading.roles,
        "asked": [choice.role for choice in reading.choices],
        **_where_there_are(
            {
                "n_remarks": len(reading.remarks),
                "told": _told([*reading.remarks, *(use.reason for use in reading.files)]),
                "answers": _answers(reading.choices),
                "dataset_labels": reading.dataset_labels,
                "other_columns": sorted(reading.other_columns),
                "files": [[use.path, use.used] for use in reading.files],
                "matched": [
                    [one.dataset, one.system, one.n_examples, one.n_matched, one.left_over]
                    for one in reading.matched
                ],
            }
        ),
        **_content_of(read),
    }


def _where_there_are(facts: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in facts.items() if value}


def _told(sentences: Iterable[str]) -> list[str]:
    """The names in quotation marks and the numbers of some sentences, whatever else they say."""
    found = {
        token
        for sentence in sentences
        for quoted, number in _TOLD.findall(sentence)
        # Two points make a version.
        for token in (quoted, number if number.count(".") < 2 else "")
        if token
    }
    return sorted(found)[:MOST_PLACES]


def _answers(choices: Iterable[Choice]) -> list[list[str]]:
    """For each question the roles' values that answer it."""
    return [[value for value, _ in choice.options] for choice in choices]


def _content_of(read: Any) -> dict[str, Any]:
    if isinstance(read, core.PValueTable):
        return {
            "datasets": read.datasets,
            "systems": [read.system_a, read.system_b],
            "alternative": read.alternative,
            "p_values": read.p_values,
            "printed": read.printed,
            "scores": [read.scores_a, read.scores_b],
            "n_examples": read.n_examples,
            **_where_there_are({"further": [one.name for one in read.further]}),
        }
    if isinstance(read, core.ScoreTable):
        return {"datasets": read.datasets, "systems": read.systems, "values": read.values}
    if isinstance(read, core.EffectTable):
        return {
            "datasets": read.datasets,
            "effects": read.effects,
            "standard_errors": read.standard_errors,
        }
    overlap = find_overlap(read) if len(read.datasets) > 1 else None
    return {
        "datasets": read.datasets,
        "systems": read.systems,
        "higher_is_better": read.higher_is_better,
        "decimals": read.score_decimals,
        "examples": [len(read.scores(dataset, read.systems[0])) for dataset in read.datasets],
        # Of all scores of a dataset one number that moves with their order and their examples.
        "scores": {
            metric: [
                [_number_of(read.scores(dataset, system, metric)) for system in read.systems]
                for dataset in read.datasets
            ]
            for metric in read.metrics
        },
        **_where_there_are(
            {
                "overlap": overlap and [overlap.basis, overlap.reason],
                "kinds": {m: kind for m, kind in read.kinds.items() if kind != "mean"},
                "runs": read.runs,
                "input": read.inputs and [read.inputs.columns, read.inputs.text_columns],
                "ids": read.example_ids and [_number_of(read.examples(d)) for d in read.datasets],
                "clusters": read.clusters and [_number_of(codes) for codes in read.clusters.codes],
                "gold": [
                    _number_of(gold)
                    for dataset in read.datasets
                    if (gold := read.gold(dataset)) is not None
                ],
                "covariates": {
                    name: [_number_of(read.covariate(dataset, name)) for dataset in read.datasets]
                    for name in read.covariates
                },
            }
        ),
    }


def _number_of(scores: Any) -> float | None:
    if scores is None:
        return None
    values = np.asarray(scores)
    if values.dtype.kind not in "fiub":
        values = np.array([zlib.crc32(str(value).encode()) % 997 for value in values.ravel()])
    weights = np.cos(np.arange(values.size) + 1.0)
    return float(weights @ np.nan_to_num(values.astype(float).ravel(), nan=-7.0))


def corpus() -> list[dict[str, Any]]:
    """Every file of the corpus, as it is stored: names and bytes, roles given, and the facts.

    A new one is a line with its title, files and roles; ``python -m tests.frozen corpus`` adds the
    facts. Files of tools are written after their sources and documentation: HELM 0.5, Inspect 0.3,
    promptfoo, Every Eval Ever 0.2, LightEval, MTEB 1.14, comet-score.
    """
    with CORPUS.open(encoding="utf-8", newline="\n") as lines:
        return [json.loads(line) for line in lines]


def outcome_of_case(
    case: Mapping[str, Any], roles: Mapping[str, Any] | None = None
) -> Results | core.DataError:
    """What becomes of one case of the corpus now, with its own roles or with others."""
    files = [(name, bytes_of(content)) for name, content in case["files"]]
    return outcome_of(files, case["roles"] if roles is None else roles)


def bytes_of(content: str) -> bytes:
    """A file's bytes: text as it stands, anything else in base 64 behind a mark."""
    if content.startswith(PACKED):
        return zlib.decompress(base64.b64decode(content.removeprefix(PACKED)))
    if content.startswith(BASE64):
        return base64.b64decode(content.removeprefix(BASE64))
    return content.encode()


_PUBLISHED = [sample.key for sample in samples() if not sample.per_example]
_PER_EXAMPLE = [sample.key for sample in samples() if sample.per_example]

SUBJECTS: Mapping[str, Callable[[], dict[str, Any]]] = {
    "published": _analyses(_PUBLISHED),
    **{key: _analyses([key]) for key in _PER_EXAMPLE},
    "combinations": _combinations,
    "simulations": _simulations,
    "effects": _effects,
    "systems": _pairs_of_systems,
    "reliability": _reliability,
    "claims": _claims,
    "real": _real,
}

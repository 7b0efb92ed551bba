"""Some eighty situations that a reader meets, and how to bring each about.

A situation is a title and what the program says in it. `sentences.md` holds the sentences;
`python -m tests.golden` writes it anew. Other tests assert facts (counts, names, levels), so that
a changed sentence changes one line here.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

import core
from core.analysis import AnalysisSettings
from core.claims.desk import sample_claims, samples_without_table
from core.command_line.running import answer_lines
from core.data import read_sample, samples
from core.methods.results import methods_paragraphs, results_sentences
from core.sections.simulation import promise_sentence
from tests.golden.of_methods import METHODS
from tests.golden.of_reports import REPORTS

SENTENCES = Path(__file__).parent / "sentences.md"

Lines = Iterable[str]


def _sample(key: str) -> Any:
    return core.read_results(read_sample(key)[1])


def _table(rows: Iterable[tuple[object, ...]], heading: str) -> Any:
    text = "\n".join([heading, *(",".join(map(str, row)) for row in rows)])
    return core.read_results(text.encode())


def _p_values(*p_values: float, alternative: str = "greater") -> Any:
    text = "\n".join(["dataset,p", *(f"task {i + 1},{p}" for i, p in enumerate(p_values))])
    return core.read_results(text.encode(), roles={"alternative": alternative})


def _published(*rows: tuple[float, float, float], alternative: str) -> Any:
    lines = [f"task {i + 1},{a},{b},{p}" for i, (a, b, p) in enumerate(rows)]
    text = "\n".join(["dataset,ours,theirs,p", *lines])
    return core.read_results(text.encode(), roles={"alternative": alternative})


def _examples(draw: Callable[[np.random.Generator, int], tuple[Any, Any]], n: int, k: int) -> Any:
    """`k` datasets of `n` examples, the scores of each drawn with the dataset's number."""
    rows = []
    for dataset in range(k):
        a, b = draw(np.random.default_rng([8, dataset]), n)
        rows += [
            (f"task {dataset + 1}", i, x, y) for i, (x, y) in enumerate(zip(a, b, strict=True))
        ]
    return _table(rows, "dataset,example,ours,theirs")


def _answer(data: Any, **settings: Any) -> Iterator[str]:
    analysis = core.analyse(data, AnalysisSettings(n_resamples=999, **settings))
    for line in answer_lines(analysis):
        # The last line is the signature, which names versions.
        if line and not line.startswith(("claim:", ": ")):
            yield line


def _outcomes(gain: float) -> Callable[[np.random.Generator, int], tuple[Any, Any]]:
    def draw(rng: np.random.Generator, n: int) -> tuple[Any, Any]:
        shared = rng.random(n)
        return (
            (np.where(rng.random(n) < 0.5, shared, rng.random(n)) < 0.6 + gain).astype(int),
            (np.where(rng.random(n) < 0.5, shared, rng.random(n)) < 0.6).astype(int),
        )

    return draw


def _rare_loss(rng: np.random.Generator, n: int) -> tuple[Any, Any]:
    b = np.round(rng.uniform(2, 3, n), 3)
    difference = np.where(np.arange(n) % 10 == 0, -1.5, 0.1)
    return np.round(b + difference, 3), b


def _measures(shift: float) -> Callable[[np.random.Generator, int], tuple[Any, Any]]:
    def draw(rng: np.random.Generator, n: int) -> tuple[Any, Any]:
        b = rng.normal(size=n)
        return b + rng.normal(shift, 1.0, n), b

    return draw


def _problems(*texts: str) -> Iterator[str]:
    """What is wrong with each text, or what is remarked on it."""
    for text in texts:
        try:
            reading = core.read_results(text.encode()).reading
        except core.DataError as error:
            yield from (str(problem) for problem in error.problems)
        else:
            yield from reading.remarks if reading else ()


def _claims(key: str, lines: str = "", **settings: Any) -> Iterator[str]:
    claims: Any = [line for line in lines.splitlines() if line.strip()] or sample_claims(key)
    yield from _said_of_claims(core.check_claims(_sample(key), claims, **settings))


def _claims_of_tests(data: Any, lines: str, **settings: Any) -> Iterator[str]:
    table = core.analyse(data, AnalysisSettings(n_resamples=999, **settings)).table
    yield from _said_of_claims(core.check_claims(table, lines))


def _said_of_claims(report: Any) -> Iterator[str]:
    yield report.lead()
    first = {(finding.check, finding.key): finding for finding in reversed(report.findings)}
    yield from (f"{finding.key}: {finding.reason}" for finding in first.values())
    yield report.paragraph()
    yield from (f"{v.key}: {v.why} {v.settle}".rstrip() for v in report.verdicts)


def _few_claims() -> Iterator[str]:
    def checked(content: Any, *claims: str, **settings: Any) -> Any:
        table: Any = core.read_results(content)
        return core.check_claims(table, claims, **settings)

    bare = b"dataset,p\nu,.001\nv,.002\nw,.9\n"
    yield checked(bare).lead()
    for lines in (
        ("exactly 2 by count",),
        ("exactly 1 by count",),
        ("exactly 1 by count", "at least 3 by count"),
    ):
        yield checked(bare, *lines).lead()
        yield checked(bare, *(f"{line} for differ" for line in lines)).lead()
    yield checked(bare, "exactly 2 of 9 by count").lead()
    scores = b"dataset,A,B\nu,.95,.50\nv,.94,.51\nw,.90,.51\n"
    yield checked(scores, "at least 2", metric="accuracy", n_examples=(1000,) * 3).lead()
    mistyped = read_sample("sentiment")[1].replace(b"0.0011", b"0.6011")
    yield checked(mistyped, metric="accuracy").lead()
    # One lower score, equal ones, and p-values that rounding decides.
    tasks = SENTENCES.with_name("claims.csv")
    for others in ((), ("at least 1 for B", "exactly 3 by bonferroni for A")):
        yield checked(tasks, "exactly 2 by bonferroni for A", *others).lead()
    report = checked(tasks, *tasks.with_suffix(".txt").read_text("utf-8").splitlines())
    yield from (f"{verdict.key}: {verdict.reason}" for verdict in report.verdicts)


def _intervals() -> Iterator[str]:
    for block in samples_without_table():
        report = core.check_claims(None, sample_claims(block.key))
        yield from (f"{finding.key}: {finding.reason}" for finding in report.findings)


def _methods(data: Any, **settings: Any) -> Iterator[str]:
    analysis = core.analyse(data, AnalysisSettings(n_resamples=999, **settings))
    yield " ".join(results_sentences(analysis))
    yield from methods_paragraphs(analysis)


def _simulated(*blocks: core.Block, n_repetitions: int = 2000) -> Iterator[str]:
    scenario = core.Scenario(blocks=blocks)
    yield promise_sentence(core.simulate_k_hat(scenario, n_repetitions=n_repetitions, rng=1))


EIGHT = (0.0004, 0.002, 0.008, 0.02, 0.03, 0.04, 0.3, 0.6)
ROWS = ((81.2, 80.1, 0.004), (77.0, 75.2, 0.012), (90.3, 90.1, 0.2), (64.0, 66.1, 0.03))
SCORES = "dataset,example,ours,theirs\n"

# Of kinds that are not read.
NOT_READ = (
    "dataset,example,model,gold,prediction\nx,1,A,yes,yes\nx,1,B,yes,no\nx,2,A,no,no\n",
    "name,r_gold_a,r_gold_b,r_a_b,n\nx,.4,.5,.1,103\ny,.3,.4,.5,100\n",
    "comparison,A,B\nx,1,0\nx,1,1\ny,0,1\n",
    "comparison,system,example,acc\nx,A,1,1\nx,B,1,1\ny,A,1,0\ny,B,1,0\n",
    "dataset,A,B,prob\nx,91,90,.001\ny,92,90.5,.2\n",
    "dataset,b,c\nx,11,5\ny,2,7\n",
    "dataset,a_wrong_b_right,a_right_b_wrong\nx,11,5\ny,2,7\n",
    "dataset,only a right,only b right\nx,11,5\ny,2,7\n",
    "dataset,a,b,c,d,n\nx,20,11,5,4,40\ny,10,2,7,1,20\n",
    "dataset,diff,ci_low,ci_high\nx,1,.5,1.5\ny,2,1,3\n",
    "model,CoNLL,GENIA\nBERT,90,80\nRoBERTa,91,82\n",
    "dataset,gold,A,B\nx,yes,yes,no\ny,no,no,no\n",
)
# Headings, rows and words that are no systems, datasets or scores, or may be none.
HEADINGS = (
    "dataset,A,B,cost,best,A conf\nx,.91,.9,.8,.7,.6\ny,.81,.8,.7,.6,.5\n",
    "dataset,a,a_std,b\nx,91,1,90\ny,81,2,80\n",
    "dataset,A run1,A run2,B run1,B run2\nx,.91,.9,.8,.7\ny,.81,.8,.7,.6\n",
    "dataset,P,R,F1\nx,.91,.9,.8\ny,.81,.8,.7\n",
    "dataset,A,A time\nx,.91,.9\ny,.81,.8\n",
    "dataset,A,B\nTED (WER),5.1,5.6\nSST-2 (acc),91,90\n",
    "dataset,A,B\nHearing loss,.5,.7\nWeight loss,.6,.7\n",
    "dataset,A ↓,B\nx,91,90\ny,88,89\nAvg. rank,1,2\n",
    "dataset,acc_A,acc_B,wer_A,wer_B\nx,91,90,5.1,5.6\ny,92,91,4.1,5.6\n",
    "dataset,metric,A,B\nx,acc,91,90\nx,f1,92,91\ny,acc,88,89\ny,f1,86,87\n",
    "dataset,Foo,Bar,p (Foo > Bar)\nx,91,90,.01\ny,88,89,.7\n",
    "dataset,Foo,Bar,p-value (one-tailed)\nx,91,90,.01\ny,88,89,.7\n",
    "dataset,A,B\nx,1.5,2.5*\ny,2.0**,1.5\nz,2.5,2.5\n* p < .05 (t), ** p < .05 (z)\nNote: best in bold.\n",
)

SITUATIONS: Mapping[str, Callable[[], Lines]] = {
    **{
        f"Sample: {sample.title}": lambda key=sample.key: _answer(  # type: ignore[misc]
            _sample(key), dependence=next(s for s in samples() if s.key == key).dependence
        )
        for sample in samples()
    },
    "Eight one-sided p-values, dependence not known": lambda: _answer(_p_values(*EIGHT)),
    "The same, positively dependent": lambda: _answer(_p_values(*EIGHT), dependence="positive"),
    "The same, independent": lambda: _answer(_p_values(*EIGHT), dependence="independent"),
    "The same at α = .01": lambda: _answer(_p_values(*EIGHT), alpha=0.01),
    "The same, two left out": lambda: _answer(_p_values(*EIGHT), excluded=("task 7", "task 8")),
    "The same, exchanged": lambda: _answer(_p_values(*EIGHT), swapped=True),
    "Names by Hommel": lambda: _answer(_p_values(*EIGHT), procedure="hommel"),
    "Names by Benjamini and Hochberg": lambda: _answer(
        _p_values(*EIGHT), procedure="benjamini-hochberg"
    ),
    "Holm names one where Fisher counts none": lambda: _answer(
        _p_values(0.001, 0.9, 0.9, 0.9, 0.9, 0.9), dependence="independent"
    ),
    "No evidence on any dataset": lambda: _answer(_p_values(0.2, 0.4, 0.6, 0.9)),
    "Evidence on all datasets": lambda: _answer(_p_values(1e-6, 1e-5, 1e-7)),
    "One dataset": lambda: _answer(_p_values(0.01)),
    "One dataset, where 1 − p speaks for B": lambda: _answer(_p_values(0.99)),
    "Equivalence within a margin": lambda: _answer(
        _examples(_outcomes(0.0), 300, 4), claim="equivalent", margin=0.15
    ),
    "Correlations of systems that rank alike": lambda: _answer(
        _table(
            [("x", i, f"{i % 7}.5", i * i % 90, 2 * (i * i % 90)) for i in range(40)],
            "dataset,example,gold,ours,theirs",
        )
    ),
    "Holm names a dataset each way where Fisher counts none": lambda: _answer(
        _published(
            *(
                (90, b, p)
                for b, p in ((80, 0.001), (99, 0.001), *((90 + k, 0.9) for k in range(1, 7)))
            ),
            alternative="two-sided",
        ),
        dependence="independent",
    ),
    "p-values of 0 and 1": lambda: _answer(_p_values(0.0, 1.0, 0.5)),
    "Two-sided p-values with scores": lambda: _answer(_published(*ROWS, alternative="two-sided")),
    "p-values toward the higher score": lambda: _answer(
        _published(*ROWS, alternative="toward-higher-score")
    ),
    "p-values for the other system": lambda: _answer(_published(*ROWS, alternative="less")),
    "One-sided p-values that the scores contradict": lambda: _answer(
        _published(*ROWS, alternative="greater")
    ),
    "p-values whose direction is not stated": lambda: _answer(
        _published(*ROWS, alternative="not-stated")
    ),
    "Two-sided p-values without scores": lambda: _answer(
        _p_values(*EIGHT, alternative="two-sided")
    ),
    "0/1 outcomes, a clear gain": lambda: _answer(_examples(_outcomes(0.15), 300, 4)),
    "0/1 outcomes, nothing to find": lambda: _answer(_examples(_outcomes(0.0), 100, 4)),
    "0/1 outcomes by the bootstrap": lambda: _answer(
        _examples(_outcomes(0.15), 60, 3), test="paired-bootstrap"
    ),
    "Measurements, a clear gain": lambda: _answer(_examples(_measures(0.4), 200, 3)),
    "Small gains, rare large losses": lambda: _answer(_examples(_rare_loss, 200, 4)),
    "Small gains, rare large losses, by Wilcoxon": lambda: _answer(
        _examples(_rare_loss, 200, 4), test="wilcoxon"
    ),
    "Small gains, rare large losses, by the sign test": lambda: _answer(
        _examples(_rare_loss, 200, 4), test="sign"
    ),
    "Few examples": lambda: _answer(_examples(_measures(1.0), 8, 3)),
    "A and B are the same": lambda: _answer(
        _examples(lambda rng, n: ((x := rng.integers(0, 2, n)), x), 50, 2)
    ),
    "B is better everywhere": lambda: _answer(_examples(_measures(-0.6), 100, 3)),
    "Each is better somewhere": lambda: _answer(_sample("simulated-accuracy")),
    "Shared examples are counted jointly": lambda: _answer(
        _sample("simulated-translations"), joint="example-id"
    ),
    "Shared examples are not matched": lambda: _answer(
        _sample("simulated-translations"), joint="matched"
    ),
    "Problem: an empty file": lambda: _problems(""),
    "Problem: a heading alone": lambda: _problems(SCORES),
    "Problem: a score is missing": lambda: _problems(SCORES + "x,1,1,0\nx,2,,1\nx,3,0,1\n"),
    "Problem: a score is no number": lambda: _problems(SCORES + "x,1,1,0\nx,2,good,1\nx,3,0,1\n"),
    "Problem: an example occurs twice": lambda: _problems(SCORES + "x,1,1,0\nx,1,0,1\nx,2,1,1\n"),
    "Problem: a row is too long": lambda: _problems(SCORES + "x,1,1,0\nx,2,1,0,1\nx,3,one,1\n"),
    "Problem: a p-value above 1": lambda: _problems("dataset,p\nx,.03\ny,1.5\n"),
    "Problem: a p-value is missing": lambda: _problems("dataset,A,B,p\nx,1,2,.03\ny,3,4,\n"),
    "Problem: a dataset occurs twice": lambda: _problems("dataset,p\nx,.03\nx,.5\n"),
    "Problem: percent beside fractions": lambda: _problems(
        "dataset,ours,theirs,p\nx,.91,90.1,.03\ny,.88,87.0,.2\n"
    ),
    "Problem: one system": lambda: _problems("dataset,example,ours\nx,1,1\nx,2,0\n"),
    "Problem: kinds of files that are not read": lambda: _problems(*NOT_READ),
    "What headings, rows and words are taken for": lambda: _problems(*HEADINGS),
    "Claims: the paper's own on tagging": lambda: _claims("pos-tagging"),
    "Claims: the paper's own on parsing": lambda: _claims("parsing-redshift"),
    "Claims: the paper's own on sentiment": lambda: _claims("sentiment"),
    "Claims: the paper's own on word similarity": lambda: _claims("word-similarity"),
    "Claims: tests of ranks that the mean contradicts": lambda: _claims_of_tests(
        _examples(_rare_loss, 200, 4),
        "at least 4 for ours\nexactly 4 by count for theirs",
        test="wilcoxon",
    ),
    "Claims: p-values computed here": lambda: _claims_of_tests(
        _examples(_outcomes(0.15), 100, 4),
        "at least 2 for ours\nexactly 2 by count for ours\nexactly 4 by holm for ours",
    ),
    "Claims: any of several p-values": lambda: _claims("pos-tagging-four-tests"),
    "Claims: two intervals": _intervals,
    "Claims: few, of tables without scores, of scores alone, and mistyped": _few_claims,
    "Methods: a published table": lambda: _methods(
        _sample("parsing-redshift"), dependence="independent"
    ),
    "Methods: 0/1 outcomes": lambda: _methods(_sample("simulated-accuracy")),
    "Methods: counts": lambda: _methods(_sample("simulated-parsing")),
    "Simulation: nothing to find": lambda: _simulated(core.Block(n_datasets=20)),
    "Simulation: some true effects": lambda: _simulated(
        core.Block(n_datasets=5, effect=3.0), core.Block(n_datasets=15, rho=0.5)
    ),
    **METHODS,
    **REPORTS,
}


def rendered() -> str:
    """Every situation with its sentences, as Markdown; one said before is not repeated."""
    parts = ["# What the program says, situation by situation\n"]
    said: set[str] = set()
    for title, lines in SITUATIONS.items():
        new = [line for line in dict.fromkeys(map(_of, lines())) if line and line not in said]
        said.update(new)
        parts.append(f"\n## {title}\n\n" + "".join(f"- {line}\n" for line in new))
    return "".join(parts)


def _of(line: str) -> str:
    one = line.removeprefix("- ").replace("\n", " / ").replace(core.__version__, "VERSION")
    return re.sub(r"\(Python \d[^)]*\)", "(VERSIONS)", one)

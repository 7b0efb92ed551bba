"""What the files of one evaluation tool hold, and which metrics of it are compared.

Vocabulary
----------
record
    What one file says of one system on one example of one dataset.
scores
    What one file says of one system on each example of one dataset: a score or
    counts in each column.
average
    Scores of one system on one dataset as a whole: one row that is of no example.
"""

from __future__ import annotations

import importlib
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, Literal, NamedTuple, TypeVar

from ...errors import Choice, DataError, Problem, listed, quoted, stop_at
from ...types import grouped
from ..roles import FileUse, Roles
from ..sources.files import SourceFile
from ..sources.gold_files import Answers, Placement
from ..tables.directions import lower_word, names_metric
from ..tables.limits import CUTTING, Stages

Claims = Callable[[Sequence[SourceFile], Roles], Sequence[int]]
Read = TypeVar("Read")

# Of a file so much is looked at to tell whose it is.
HEAD_BYTES = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scores:
    """One system's results on the examples of one dataset, as the file at `path` says them.

    `system` is '' where the file does not say it: then its path does. `columns` have for each
    metric, or each count, one cell a row as written, '' where there is none; `lines` count from 1.
    `content` (what each example was), `targets` (right answers) and `prompts` (the words in which
    the system was asked) are hashes or texts, '' where one is not known: two systems that give one
    id different content of one `content_kind` saw different data. `runs` are repeats or epochs, `side` describes the
    examples: covariates, a cluster. What nothing is known of is empty, and so are the `examples` of
    an average. `p_values` are two-sided, of an average's difference from the baseline, the system
    against which the dataset's others were tested.
    """

    path: str
    dataset: str
    system: str
    examples: Sequence[str]
    columns: Mapping[str, Sequence[str]]
    lines: Sequence[int]
    content: Sequence[str] = ()
    content_kind: str = ""
    targets: Sequence[str] = ()
    prompts: Sequence[str] = ()
    runs: Sequence[str] = ()
    side: Mapping[str, Sequence[str]] = field(default_factory=dict)
    p_values: Mapping[str, str] = field(default_factory=dict)
    is_baseline: bool = False


def average(
    path: str, dataset: str, system: str, scores: Mapping[str, str], *, line: int = 1
) -> Scores:
    """One system's scores on one dataset as a whole, each metric's as written."""
    return Scores(
        path=path,
        dataset=dataset,
        system=system,
        examples=(),
        columns={metric: [cell] for metric, cell in scores.items()},
        lines=[line],
    )


class Record(NamedTuple):
    """One row of `Scores`, as an adapter yields it: `cells` has the metrics that this row has."""

    dataset: str
    system: str
    example: str
    line: int
    cells: Mapping[str, str]
    content: str = ""
    prompt: str = ""
    run: str = ""
    target: str = ""


def scores_of(path: str, records: Iterable[Record], *, numbered: bool = False) -> list[Scores]:
    """The records of one file by dataset and system, in the order of the first of each.

    With `numbered`, records of one example are runs in their order. A file may have very many: each
    record is put into columns at once, and not kept.
    """
    groups: dict[tuple[str, str], tuple[dict[str, list[str]], list[list[Any]]]] = {}
    for dataset, system, example, line, cells, *others in records:
        key = (dataset, system)
        if key not in groups:
            groups[key] = ({}, [[] for _ in (example, line, *others)])
        columns, rows = groups[key]
        for metric, cell in cells.items():
            own = columns.setdefault(metric, [])
            own += [""] * (len(rows[0]) - len(own))
            own.append(cell)
        for held, value in zip(rows, (example, line, *others), strict=True):
            held.append(value)
    return [
        Scores(
            path=path,
            dataset=dataset,
            system=system,
            examples=ids,
            columns={metric: own + [""] * (len(ids) - len(own)) for metric, own in columns.items()},
            lines=lines,
            content=_if_any(content),
            targets=_if_any(targets),
            prompts=_if_any(prompts),
            runs=_if_any(numbered_runs(ids) if numbered else runs),
        )
        for (dataset, system), (
            columns,
            (ids, lines, content, prompts, runs, targets),
        ) in groups.items()
    ]


def _if_any(cells: Sequence[str]) -> Sequence[str]:
    return cells if any(cells) else ()


@dataclass(slots=True, kw_only=True, eq=False)
class Gathered(Answers):
    """What the files of one tool hold, put in by its adapter while it reads them.

    `kind` is the tool's name; `stages` stops the work where nobody wants it any more. Of `scores`
    averages are of use where none are by example; their columns are scores, or, where this `holds`
    "counts", the counts that metrics are computed from, under headings that the layout of counts
    knows. `higher_is_better` is known as far as the tool says it; `beside` tells what was made of
    files that hold no results of a system.
    """

    kind: str
    stages: Stages
    scores: list[Scores] = field(default_factory=list)
    holds: Literal["scores", "counts"] = "scores"
    higher_is_better: dict[str, bool] = field(default_factory=dict)
    beside: list[FileUse] = field(default_factory=list)

    def note(self, path: str, content: str) -> None:
        """A file beside the results is used, as it holds this."""
        self.beside.append(FileUse(path=path, kind=self.kind, content=content))

    def note_gold(self, placed: Placement, paths: Sequence[str]) -> None:
        """Tell of each gold file what it is."""
        for dataset, own in placed.gold.items():
            for position in own:
                self.note(paths[position], f"gold of {dataset}")

    def leave(self, path: str, reason: str) -> None:
        """A file is not used, for this reason."""
        self.beside.append(FileUse(path=path, kind=self.kind, used=False, reason=reason))

    def add(self, other: Gathered) -> None:
        """What the files of another tool hold as well."""
        self.scores += other.scores
        self.higher_is_better |= other.higher_is_better
        self.beside += other.beside
        self.roles |= other.roles
        self.choices += other.choices
        self.remarks += other.remarks

    def read_each(
        self, files: Sequence[SourceFile], read: Callable[[SourceFile], Read]
    ) -> list[Read]:
        """What each file holds, with the problems of all of them."""
        found: list[Read] = []
        problems: list[Problem] = []
        for position, file in enumerate(files):
            self.stages.reached(CUTTING, position / len(files))
            try:
                found.append(read(file))
            except DataError as error:
                problems.extend(
                    replace(problem, file=problem.file or file.name) for problem in error.problems
                )
        stop_at(problems, of="places")
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One kind of file that an evaluation tool writes, called as a person calls it.

    `claims` gives the positions of those that are of this kind, which may show only by several,
    such as hypotheses beside a reference; never of one that another layout of `data` reads.
    `gather` reads all its files; it raises a `DataError` with the problems of all of them.
    """

    name: str
    claims: Claims
    gather: Callable[[Sequence[SourceFile], Gathered], None]


def each(is_of: Callable[[SourceFile, bytes], bool]) -> Claims:
    """Claim each file that is of a kind by its name and its first bytes."""
    return lambda files, _: [
        place for place, file in enumerate(files) if is_of(file, file.content[:HEAD_BYTES])
    ]


def first_lines(file: SourceFile) -> list[str]:
    """The lines of a file's beginning, without one that is cut off; none of what is no text."""
    head = file.content[:HEAD_BYTES]
    if b"\x00" in head:
        return []
    lines = head.decode("utf-8", "replace").split("\n")
    return lines if len(lines) == 1 or len(head) == len(file.content) else lines[:-1]


def numbered_runs(ids: Sequence[str]) -> list[str]:
    """For each row its number among those of its example; empty where no example has several."""
    if len(set(ids)) == len(ids):
        return []
    numbers: dict[str, Iterator[int]] = defaultdict(lambda: count(1))
    return [str(next(numbers[example])) for example in ids]


def without_repetition(scores: Sequence[Scores], score: str, outcome: str) -> list[Scores]:
    """The same without `score` where it says of every example what the 0/1 `outcome` says."""

    def as_numbers(cells: Sequence[str]) -> list[float | str]:
        try:
            return [float(cell) if cell else "" for cell in cells]
        except ValueError:
            return list(cells)

    if any(as_numbers(o.columns[score]) != as_numbers(o.columns[outcome]) for o in scores):
        return list(scores)
    return [
        replace(one, columns={k: own for k, own in one.columns.items() if k != score})
        for one in scores
    ]


def needed(module: str, *, package: str, counts: str) -> Any:
    """A module of an optional package, which counts this: "BLEU, chrF and TER", say."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise DataError.of(
            f"{counts} are counted by the package {package}, which is not installed.",
            f"Add it with `pip install {package}`, in this app's folder "
            f"`.venv/bin/pip install {package}`, and read the files again; or count with "
            "another tool and give its scores for each example.",
        ) from None


def left_aside_tool(name: str, claims: Claims, reason: str) -> Tool:
    """Files without results on examples and without any of a system on a dataset, which are named."""

    def gather(files: Sequence[SourceFile], found: Gathered) -> None:
        for file in files:
            found.leave(file.name, reason)

    return Tool(name=name, claims=claims, gather=gather)


TRAINER = left_aside_tool(
    "training logs",
    each(lambda _, head: b'"log_history"' in head and b'"global_step"' in head),
    "It is the log of a training run by Hugging Face's Trainer (trainer_state.json): losses and "
    "averages at each step, no results on examples. To compare two systems, write what "
    "trainer.predict gives for each example, or give eval_results.json of every dataset.",
)
_OF_A_REPORT = (b"precision", b"recall", b"f1-score", b"support")
CLASSIFICATION_REPORTS = left_aside_tool(
    "classification reports",
    each(
        lambda _, head: (
            all(mark in head for mark in _OF_A_REPORT)
            and re.search(rb"(macro|weighted|micro) avg", head) is not None
        )
    ),
    "It is a classification report of scikit-learn: precision, recall and F1 of each class, no "
    "results on examples. Give the labels that it was made of: a row for each example with the "
    "gold label and each system's prediction.",
)


# Which way metrics are better, beside those whose names say it: facts out of lm-evaluation-harness'
# tasks (`higher_is_better`, 0.4.13.dev0) and out of HELM's own schemas (`lower_is_better` of each
# metric in `schema_classic.yaml` and the other `schema_*.yaml` of crfm-helm 0.5); what a file says
# itself counts more.
_LOWER = frozenset(
    {"absolute_value_difference", "age_bias", "amb_bias_score", "asian_bias", "bias_score_ambig",
     "bias_score_disambig", "black_bias", "blacked_out_frac", "copyright_human",
     "decodingtrust_privacy_leakage_rate", "demographic_parity_difference",
     "difference_male_female", "disamb_bias_score", "equalized_odds_difference",
     "expected_lpips_score", "expected_max_nsfw_score", "expected_max_watermark_prob",
     "female_bias", "gender_imbalance", "hispanic_bias", "likelihood_diff",
     "longest_common_prefix_length", "max_nsfw_probability", "mer_score", "native_american_bias",
     "non_binary_bias", "nsfw_frac", "nudity_frac", "pct_female_preferred", "pct_invalid",
     "pct_male_preferred", "pct_stereotype", "skin_tone_imbalance", "toxic_frac",
     "toxic_prompt_openai", "toxic_prompt_perspective_api", "watermark_frac"}
)  # fmt: skip
_LOWER_BEGINS = (
    "amb_bias_score_", "disamb_bias_score_", "bbq_metric_ambiguous_bias",
    "bbq_metric_unambiguous_bias", "bias_metric:",
)  # fmt: skip
_HIGHER = frozenset(
    {"Completeness", "Conciseness", "Harmlessness", "Helpfulness", "HumanEval-coherence",
     "HumanEval-faithfulness", "HumanEval-relevance", "QAFactEval", "Understandability",
     "aesthetics_human", "air_score", "alrage_score", "arabic_content_generation_score",
     "bert_score", "cider", "clear_subject_human", "cleva_math_result_match", "compilation_success",
     "consistency_rate", "detection_correct_frac", "earth_mover_similarity", "eqbench",
     "expected_aesthetics_score", "expected_clip_score", "expected_multi_scale_ssim_score",
     "expected_psnr_score", "expected_uiqi_score", "fid_similarity", "float_equiv", "fscore",
     "gpt4_audio_critique", "ibleu", "image_text_alignment_human", "inception_score",
     "iou_set_match", "live_qa_score", "logprob", "logprob_per_byte", "lpips_similarity",
     "math_equiv", "math_equiv_chain_of_thought", "math_verify", "max_aesthetics_score",
     "max_clip_score", "medication_qa_score", "model_judged_score", "numerical_match",
     "options_consistency_rate", "originality_human", "pass", "pearsonr", "percent_parseable",
     "percent_valid", "photorealism_generated_human", "photorealism_real_human", "pixel_similarity",
     "prometheus_vision", "robustness", "ruler_string_match_part", "safety_score",
     "sift_similarity", "ssim_similarity", "summac", "test_avg", "verifiable_reward",
     "wildbench_score", "wildbench_score_rescaled", "wip", "wip_score"}
)  # fmt: skip
_HIGHER_BEGINS = ("RR@", "Success@", "air_category_")
# How much work a run was, how wide an interval is, and what a model was sure of: by these
# nothing is compared.
_BOOKKEEPING = frozenset(
    {"num_references", "num_train_trials", "num_train_instances", "num_instances",
     "num_prompt_tokens", "num_prompt_characters", "num_completion_tokens", "num_output_tokens",
     "max_num_output_tokens", "num_perplexity_tokens", "num_completions", "num_requests",
     "num_bytes", "num_generated_images", "prompt_length", "prompt_truncated", "batch_size",
     "inference_runtime", "inference_denoised_runtime", "inference_idealized_runtime",
     "denoised_runtime", "training_co2_cost", "training_energy_cost", "max_prob",
     "predicted_index"}
)  # fmt: skip
_BOOKKEEPING_BEGINS = ("finish_reason_", "estimated_num_tokens")
_BOOKKEEPING_ENDS = ("_ci_low", "_ci_high")
# The same name in two schemas: how near a text is to one that must not be copied, and how near a
# drawn picture is to the one that was asked for.
_EDIT_SIMILARITY, _OF_PICTURES = "edit_similarity", "image2"
# So HELM's schemas say; elsewhere it is what it is called.
_EDIT_DISTANCE = "edit_distance"


def unsaid_remark(metrics: Iterable[str], directions: Mapping[str, bool]) -> tuple[str, ...]:
    """Name metrics of which neither a tool nor a well-known word in the name says the direction."""
    unsaid = [one for one in metrics if one not in directions and not names_metric(one)]
    if not unsaid:
        return ()
    return (
        f"Nothing says whether higher or lower values of {listed(unsaid)} are better: read as "
        "higher is better; change it under How we read your file.",
    )


def known_direction(metric: str) -> bool | None:
    """Whether higher is better, as the tools are known for; None where they do not say."""
    # One speech scenario of HELM writes the same metrics of Chinese under names of their own.
    plain = metric.split("_given_toxic_prompt", 1)[0].removeprefix("chinese_")
    if plain in _LOWER or plain.startswith(_LOWER_BEGINS):
        return False
    return True if plain in _HIGHER or plain.startswith(_HIGHER_BEGINS) else None


def is_compared(metric: str) -> bool:
    """Whether a statistic is a metric and not about the work."""
    return (
        metric not in _BOOKKEEPING
        and not metric.startswith(_BOOKKEEPING_BEGINS)
        and not metric.endswith(_BOOKKEEPING_ENDS)
    )


def helm_directions(found: Iterable[tuple[str, Sequence[str]]]) -> dict[str, bool]:
    """The direction of each metric, of dataset and metrics, as HELM's schemas say it."""
    by_metric: dict[str, dict[str, bool]] = {}
    for dataset, metrics in found:
        for metric in metrics:
            up = known_direction(metric)
            if metric == _EDIT_SIMILARITY:
                up = dataset.startswith(_OF_PICTURES)
            elif metric == _EDIT_DISTANCE:
                up = True
            if up is not None:
                by_metric.setdefault(metric, {})[dataset] = up
    return one_direction(by_metric)


def one_direction(by_metric: Mapping[str, Mapping[str, bool]]) -> dict[str, bool]:
    """The direction of each metric, of those on each dataset; a `DataError` where these differ."""
    problems = []
    for metric, ways in by_metric.items():
        higher = [dataset for dataset, up in ways.items() if up]
        lower = [dataset for dataset, up in ways.items() if not up]
        if higher and lower:
            problems.append(
                Problem(
                    f"Of {quoted(metric)} higher is better on {listed(higher)}, and lower on "
                    f"{listed(lower)}.",
                    "Give the files of datasets with the same direction at a time.",
                )
            )
    stop_at(problems)
    return {metric: up for metric, ways in by_metric.items() for up in ways.values()}


EACH_OWN = "each-own"
ONLY_MEASURE = "only:"
# What each dataset's own first metric is called, where they differ.
OWN_MEASURE = "score"
# Under which `Reading.dataset_labels` says it of each dataset.
METRIC_LABEL = "metric"
# Of more sets of metrics these are shown.
_MOST_SHOWN = 5
# What each system has on each dataset: dataset, system, names.
Held = Sequence[tuple[str, str, tuple[str, ...]]]
ByDataset = Mapping[str, Sequence[str]]


def measure_choice(by_dataset: ByDataset, *, may_differ: bool) -> Choice:
    """The question which metric is compared; with each dataset's first, where these may differ."""
    options = []
    firsts = {dataset: own[0] for dataset, own in by_dataset.items() if own}
    if may_differ and len(firsts) == len(by_dataset) and len(set(firsts.values())) > 1:
        options.append((EACH_OWN, f"Each dataset's first: {told_by_name(firsts)}"))
    for name in names_of(by_dataset):
        n = sum(name in own for own in by_dataset.values())
        some = f", on {n} of {len(by_dataset)} datasets" if n < len(by_dataset) else ""
        options.append((f"{ONLY_MEASURE}{name}", f"{name}{some}"))
    return Choice(role="measure", question="Which metric is compared?", options=tuple(options))


def common_by_dataset(held: Held) -> dict[str, tuple[str, ...]]:
    """For each dataset what all its systems have, in the order of the first."""
    own: dict[str, tuple[str, ...]] = {}
    for dataset, _, names in held:
        own[dataset] = tuple(name for name in own.get(dataset, names) if name in names)
    return own


def names_of(by_dataset: ByDataset) -> list[str]:
    """Every name once, in the order of the first dataset that has it."""
    return list(dict.fromkeys(name for own in by_dataset.values() for name in own))


def told_by_name(chosen: Mapping[str, str]) -> str:
    """Which datasets count by which: "acc of A and B; f1 of C"."""
    by_name = grouped((name, dataset) for dataset, name in chosen.items())
    return "; ".join(f"{quoted(name)} of {listed(own)}" for name, own in by_name.items())


def told_by_owner(held: Iterable[tuple[str, Sequence[str]]]) -> str:
    """The names that have the same, for the first few kinds of them."""
    parts = []
    for names, owners in grouped((tuple(names), owner) for owner, names in held).items():
        has = "has" if len(owners) == 1 else "have"
        parts.append(f"{listed(owners)} {has} {listed(names) or 'none'}")
    more = f"; and {len(parts) - _MOST_SHOWN} more kinds" if len(parts) > _MOST_SHOWN else ""
    return "; ".join(parts[:_MOST_SHOWN]) + more


def settle_measures(
    found: Sequence[Scores], whole: Gathered
) -> tuple[list[Scores], Mapping[str, str]]:
    """The results by the metrics compared, and each dataset's metric where each has one of its own.

    Compared are those that every dataset has, else what is answered by "measure".
    """
    held = [(one.dataset, one.system, tuple(one.columns)) for one in found]
    by_dataset = common_by_dataset(held)
    first, *others_own = by_dataset.values()
    common = tuple(name for name in first if all(name in own for own in others_own))
    are_averages = not found[0].examples
    directions = whole.higher_is_better
    ways = {is_higher_better(own[0], directions) for own in by_dataset.values() if own}
    choice = measure_choice(by_dataset, may_differ=len(ways) == 1)
    is_open = (choice,) if choice.options else ()
    answer = whole.given.get("measure")
    if answer is None:
        if not common or (are_averages and len(common) > 1):
            raise DataError(list(_problems(by_dataset, held)), choices=is_open)
        rest = dict.fromkeys(name for _, _, own in held for name in own if name not in common)
        if rest:
            whole.remarks.append(
                f"Metrics that not all systems have on all datasets are left aside: {listed([*rest])}."
            )
        # Of scores the sidebar offers every metric.
        whole.choices += is_open if are_averages and rest else ()
        return [_compared_by(one, {name: name for name in common}) for one in found], {}
    # Where it is offered each dataset has one, and of all the same way is better.
    if answer == EACH_OWN and EACH_OWN in dict(choice.options):
        firsts = {dataset: own[0] for dataset, own in by_dataset.items()}
        directions[OWN_MEASURE] = is_higher_better(next(iter(firsts.values())), directions)
        remark = "Each dataset is compared by a metric of its own, as chosen: "
        unsaid = unsaid_remark(dict.fromkeys(firsts.values()), directions)
        whole.settle("measure", answer, choice, f"{remark}{told_by_name(firsts)}.", *unsaid)
        return [_compared_by(one, {firsts[one.dataset]: OWN_MEASURE}) for one in found], firsts
    metric = str(answer).removeprefix(ONLY_MEASURE)
    kept = [_compared_by(o, {metric: metric}) for o in found if metric in by_dataset[o.dataset]]
    if not kept:
        what = f"There is no metric {quoted(metric)}."
        remedy = f"The metrics are {listed(names_of(by_dataset))}."
        raise DataError.of(what, remedy, choices=(choice,))
    lacking = [dataset for dataset, own in by_dataset.items() if metric not in own]
    rest = dict.fromkeys(name for name in names_of(by_dataset) if name != metric)
    told = []
    if lacking:
        told = [f"Without {quoted(metric)}, and so left aside, as chosen: {listed(lacking)}."]
    elif are_averages and rest:
        told = [f"Other metrics are left aside, as chosen: {listed([*rest])}."]
    whole.settle("measure", answer, choice, *told)
    return kept, {}


def _compared_by(one: Scores, names: Mapping[str, str]) -> Scores:
    """The same by some metrics alone, under the names that they are compared by."""
    return replace(
        one,
        columns={new: one.columns[old] for old, new in names.items()},
        # A test of a metric is one of what it is called now.
        p_values={new: one.p_values[old] for old, new in names.items() if old in one.p_values},
    )


def is_higher_better(metric: str, directions: Mapping[str, bool]) -> bool:
    """As a tool says, else as a word of the metric's name does."""
    said = directions.get(metric)
    return lower_word(metric) is None if said is None else said


def _problems(by_dataset: ByDataset, found: Held) -> Iterator[Problem]:
    """Each dataset whose systems have no metric in common, else that several could count."""
    apart = [dataset for dataset, own in by_dataset.items() if not own]
    if len(apart) < len(by_dataset):
        yield Problem(
            f"The metric to compare by is not clear: {told_by_owner(by_dataset.items())}.",
            "Choose which one counts.",
            answered_by="measure",
        )
    for dataset in apart:
        told = told_by_owner((system, own) for name, system, own in found if name == dataset)
        yield Problem(
            f"The systems have no metric in common: {told}.",
            "Score all systems by the same metric, or leave out those that lack it.",
            dataset=dataset,
        )

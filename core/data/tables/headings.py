"""Headings by which columns are known, and what a heading says of its numbers."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Literal

from .numbers import ascii_dashes


def _words(text: str) -> tuple[str, ...]:
    """Headings with commas between them."""
    return tuple(text.split(", "))


# Codes of languages that are no other words.
LANGUAGES = frozenset(
    _words(
        "ar, bg, bn, ca, cs, cz, da, de, el, en, es, et, eu, fa, fi, fr, gu, he, hi, hr, hu, it,"
        " ja, kk, km, ko, lt, lv, nl, pl, ps, pt, ro, ru, sk, sl, sr, sv, sw, ta, te, th, tr, uk,"
        " ur, vi, zh"
    )
)
# Answers of a system, as likely as a description.
ANSWER_WORDS = frozenset(
    {"yes", "no", "y", "n", "t", "f", "true", "false", "pass", "fail", "passed", "failed", "ok",
     "correct", "incorrect", "right", "wrong"}
)  # fmt: skip


# Without a heading of its own a column is named so, often the count of a data frame's rows.
NO_HEADING = ("unnamed 0", "unnamed 0 1", "level 0")
# Every role that a heading can name, the likeliest headings first. A column may have several roles:
# which it is, its contents say.
VOCABULARY: Mapping[str, tuple[str, ...]] = {
    "dataset": _words(
        "dataset, datasets, data set, data, corpus, benchmark, test set, testset, treebank, task,"
        " language, lang, domain, domains, domain pair, genre, datensatz, datensätze, korpus,"
        " korpora, sprache, aufgabe, jeu de données, jeux de données, langue, tâche, conjunto de"
        " datos, conjuntos de datos, idioma, lengua, tarea, dataset name, task name"
    ),
    # As `p_value_heading` gives them.
    "p_value": _words(
        "p value, p values, pvalue, pvalues, p val, pval, p wert, p werte, pwert, valeur p,"
        " valeurs p, valor p, valores p, valor de p, p, sig"
    ),
    # These say that a row is an example.
    "example": _words(
        "example, example id, exampleid, example no, example number, ex id, item, item id,"
        " instance, instance id, sentence id, sent id, sentence no, sentence number, segment,"
        " segment id, seg id, seg, question id, questionid, qid, query id, pair id, pairid, word"
        " pair, pair, document id, doc id, uid, guid"
    ),
    # These may say that a row is an example: where they tell the rows of a dataset apart.
    "unit": _words(
        "sample, sample id, sample no, task id, sent, sentence num, sent no, sent num, utterance,"
        " utterance id, utt, utt id, turn, turn id, query, query no, question no, question number,"
        " story, story id, doc, docid, document no, dialog, dialog id, dialogue, dialogue id,"
        " conversation, conversation id, position"
    ),
    # These count rows, of examples or of anything else.
    "counter": _words(
        "id, ids, index, idx, line, line no, row, no, nr, #, id num, id no, id number, num id, row"
        " id, row no, row number, line number"
    )
    + NO_HEADING,
    # These say which examples belong together, such as sentences of one document; the first
    # that groups any counts.
    "cluster": _words("cluster, cluster id, document, document id, documentid, doc, doc id"),
    "gold": _words(
        "gold, gold label, gold labels, gold standard, gold score, y true, true label, correct"
        " label, correct answer, ground truth, truth, label, labels, target, answer, answers,"
        " expected, reference"
    ),
    # With these one column says whose score a row holds, and of which metric it is.
    "system": _words(
        "system, systems, system name, model, models, model name, model id, method, methods,"
        " method name, classifier, classifier name, algorithm, algorithm name, approach, framework,"
        " model fullname, modell, methode, verfahren, système, modèle, méthode, sistema, modelo,"
        " método"
    ),
    "metric_names": _words("metric, metrics, metric name, measure, score type"),
    # These tell repeated runs of the same examples apart.
    "run": _words(
        "seed, random seed, rng seed, run, run id, trial, repeat, repetition, replicate,"
        " replication"
    ),
    # A fold is a run where it has a single row; otherwise a kind of example.
    "fold": _words("fold, fold id, cv fold, outer fold"),
    # These tell parts of a dataset apart.
    "split": _words("split, splits, data split, subset, subsets, partition, portion"),
    # What a system gave out, which is no score.
    "prediction": _words(
        "prediction, predictions, predicted, predicted label, pred, preds, y pred, output,"
        " response, system label, model answer"
    ),
    # What a system is given. Not here: notes, titles, links and categories, which examples have in
    # common or which differ for the same example; and single words or tokens, which stand in
    # every text.
    "input": _words(
        "text, text a, text b, text1, text2, text 1, text 2, sentence, sentence a, sentence b,"
        " sentence1, sentence2, sentence 1, sentence 2, source sentence, premise, hypothesis,"
        " question, question1, question2, question 1, question 2, query, context, passage,"
        " paragraph, document, article, source, source text, src, input, inputs, input text,"
        " prompt, review, tweet, utterance, word1, word2, word 1, word 2"
    ),
    "n_examples": _words(
        "n examples, n, examples, number of examples, num examples, sample size, test size, test"
        " set size, size, #test, # test, n test, #examples, # examples, no of examples"
    ),
    # Of a table of effects.
    "effect": _words("effect, effects, effect size, yi, mean difference, estimate"),
    "standard_error": _words(
        "standard error, se, sei, std error, stderr, std err, variance, var, vi, sampling"
        " variance, variances"
    ),
    "study": _words("study, studies, trial, author"),
    "difference": _words("difference, differences, diff, diffs, delta, δ, gain"),
    # Numbers that describe an example.
    "measure": _words(
        "length, len, tokens, n tokens, num tokens, token count, number of tokens, words, n words,"
        " num words, word count, number of words, characters, chars, n chars, num chars, n"
        " characters, char count, number of characters, ref words, n ref words, ref length, ref"
        " len, reference length, target length, sentence length, sent length, sent len, text"
        " length, source length, src length, src len, input length, document length, doc length,"
        " question length, difficulty, year"
    ),
    # Kinds of examples, be they written in digits.
    "category": _words(
        "split, splits, data split, subset, subsets, partition, portion, genre, topic, domain,"
        " category, type, question type, sentence type, language, lang, source, register,"
        " phenomenon, group, fold, annotator"
    ),
    "margin": _words(
        "margin, margins, equivalence margin, non inferiority margin, noninferiority margin"
    ),
}
# What else a heading can say of its column.
_FURTHER: Mapping[str, tuple[str, ...]] = {
    # Of one column of scores without the name of their metric.
    "score": _words(
        "score, scores, value, values, result, results, performance, correct, is correct, right,"
        " outcome"
    ),
    # Texts beside an example that say nothing of what it is.
    "remark": _words("comment, comments, note, notes, explanation, url"),
    # Which of two systems someone preferred.
    "preference": _words("winner, preference, preferred, preferred system, judgment, judgement"),
    # These count the steps in which one run was trained.
    "step": _words(
        "step, steps, epoch, epochs, global step, training step, train step, iteration, iterations"
    ),
    # How much a system was trained on, or shown, at a point of its learning curve.
    "trained_on": _words(
        "shots, shot, n shots, num shots, n shot, k shot, train size, train set size, training"
        " size, training set size, n train, num train, number of training examples, training"
        " examples"
    ),
    # Of what stands where a standard error may.
    "variance": _words("variance, var, vi, sampling variance, variances"),
    # Of effects: the analysis that a row belongs to.
    "analysis": _words("analysis, meta analysis, outcome, measure, metric, comparison"),
    # 1 − p, log p and the like: none is a score, and none may be counted as a p-value.
    "complement": _words(
        "1 p, 1 p value, rescaled p, confidence, confidence level, conf level, certainty"
    ),
    # Numbers in columns of their own that are no scores.
    "no_score": (
        *_words(
            "difference, differences, diffs, delta, δ, gains, rank, ranks, total flos, support,"
            " total, count, threshold, lr, learning rate, batch size, weight decay, shots, shot, n"
            " shots, num shots, number of shots, n shot, k shot, classes, instances, attributes,"
            " features, n features, num features, param, params, parameters, params b, params m,"
            " layers, dim, epochs, steps, price, train size, training size, train set size, dev"
            " size, training set size, model size, flops, gflops, macs, memory, vram, throughput,"
            " temperature, temp, top p, top k, dropout, noise level, snr, epsilon, speed, speedup,"
            " rtfx, train time, training time, inference time, test time, id, index, no, nr, #,"
            " year, se, sem, standard error, std error, stderr, std err, std, stdev, std dev,"
            " standard deviation, sd, var, variance, variances, log10, t, t value, t stat, t"
            " statistic, z, z value, z stat, z statistic, df, q, chi2, χ, χ2, chi square, chi"
            " squared, statistic, test statistic, significant, significance, effect size, cohens d,"
            " cohen's d, odds ratio, ci, interval, confidence interval, ci low, ci high, ci lower,"
            " ci upper, ci lo, ci hi, low ci, high ci, lower ci, upper ci, lower, upper, lower"
            " bound, upper bound, ci lower bound, ci upper bound, lower 95, upper 95, wins, losses,"
            " ties, win, tie, draws, n wins, n losses, n ties, a wins, b wins, wins a, wins b, n"
            " shared, n common, n overlap, n both, n pairs, n paired, n a, n b, shared, overlap"
        ),
        *(
            f"{kind} {word}".strip()
            for kind in ("", "rel", "relative", "abs", "absolute", "mean")
            for word in (
                "gain",
                "reduction",
                "error reduction",
                "increase",
                "improvement",
                "improvements",
                "improv",
                "impr",
                "change",
                "diff",
                "difference",
            )
        ),
        *(
            f"{sign}{word}"
            for sign in ("#", "# ", "n ", "num ", "number of ")
            for word in ("train", "dev", "params", "parameters", "classes", "labels", "systems")
        ),
        *(
            f"{split} {word}"
            for split in ("train", "eval", "test", "predict")
            for word in ("runtime", "samples", "samples per second", "steps per second")
        ),
    ),
}
_HEADINGS = {said: dict.fromkeys(headings) for said, headings in {**VOCABULARY, **_FURTHER}.items()}
# With these a heading says that p-values were adjusted for their number.
_ADJUSTED = frozenset(
    {"adjusted", "adj", "corrected", "corr", "bonferroni", "bonf", "holm", "hochberg", "hommel",
     "sidak", "šidák", "fdr", "fwer", "bh", "benjamini", "by"}
)  # fmt: skip
_ADJUSTED_NAMES = frozenset({"q value", "q values", "qvalue", "qvalues", "q val", "qval", "padj"})
# In brackets "by" and "corr" may say by which test, or of what; a test is corrected itself for
# continuity, and a t-test for examples that repeat.
_ADJUSTED_IN_BRACKETS = re.compile(
    rf"[(\[](?!.*\b(?:before|not|non|no|without|prior)\b)[^()\[\]]*"
    rf"\b(?<!continuity.)(?<!bengio.)(?:{'|'.join(sorted(_ADJUSTED - {'by', 'corr'}))})\b"
    r"(?!.(?:resampled.)?t\b)"
)
_P = r"p([-_ ]?val(ue)?s?)?\.?"
_LOG = r"(neg(ative)?|n|-)?[-_ ]*(log|ln)[-_ ]*(10|2|e)?"
_POWER = r"([x×*·][ _]*1?0+|10\^?[+-]|10\^)[0-9]*"
# p (×10⁻³), -log10(p), p (‰): p-values in another form, which are counted as nothing.
_RESCALED_P = re.compile(
    rf"{_LOG}[-_ (\[]+{_P}[)\]]*|{_P}[ _]*{_POWER}"
    rf"|{_P}[ _]*[(\[] *({_LOG}([- ]?(scale|transformed))?|[x×*·]? ?{_POWER}|e[+-]?[0-9]+|‰"
    r"|(in )?(thousand|milli)\w*|(re)?scaled) *[)\]]"
)
# Pr(>|t|), P>|z| and Prob > F, as programs of statistics print them above p-values.
_OF_A_TAIL = re.compile(r"p(r|rob)?\s*\(?\s*>\s*(\|\s*[a-z]\s*\||f|chi-?(sq|2|square)?)\s*\)?")


@lru_cache(maxsize=1 << 14)
def heading(name: str) -> str:
    """A column name without case, punctuation and what stands in brackets."""
    plain = _folded_heading(name)
    # The brackets of "Pr(>|t|)" hold more than an addition.
    if _OF_A_TAIL.fullmatch(plain.strip()):
        return "p value"
    if _RESCALED_P.fullmatch(plain.strip()):
        return "rescaled p"
    outside = re.sub(r"[(\[][^()\[\]]*[)\]]", " ", plain)
    return " ".join(re.sub(r"[-_\s.:,]+", " ", outside).split())


def runs_told_apart(column: str) -> Literal["run", "fold"] | None:
    """What the rows are that this column tells apart, if no examples."""
    if is_named(column, "fold"):
        return "fold"
    return "run" if is_named(column, "run") else None


_SIDED = r"\b(one|two|1|2)[-_\s]?(sided|tailed)\b"


def stated_sidedness(name: str) -> str | None:
    """How many sides p-values have by such words: "one-sided" or "two-sided", if one alone."""
    plain = re.sub(r"[-_\s]+", " ", _folded_heading(name))
    found = {word for word, _ in re.findall(_SIDED, plain)}
    sides = {"one-sided" if word in ("one", "1") else "two-sided" for word in found}
    return sides.pop() if len(sides) == 1 else None


# p (Foo > Bar): what a test was for.
_DIRECTION = re.compile(r"[(\[]\s*([^()\[\]<>]+?)\s*([<>])\s*([^()\[\]<>]+?)\s*[)\]]")
_SIDES = re.compile(rf"[,;:\s]*{_SIDED}[,;:\s]*", re.IGNORECASE)


def stated_direction(name: str) -> tuple[str, str] | None:
    """The system that a heading such as "p (Foo > Bar)" says is higher, and the other."""
    found = _DIRECTION.search(_SIDES.sub(" ", name))
    if found is None:
        return None
    left, sign, right = found.groups()
    return (left, right) if sign == ">" else (right, left)


_TESTS = re.compile(
    r"^\s*((paired |student'?s |welch'?s )?t-?test|mcnemar('?s)?( test)?|wilcoxon( signed[- ]rank)?( test)?"
    r"|(sign|bootstrap|permutation) test)\b"
)


# "Significance (p)" names p-values, the word alone does not.
_P_IN_BRACKETS = re.compile(
    r"^\W*(statistical )?(significance|signif)\W*[(\[]\s*(p([- ]?values?)?)\W*[)\]]"
)
_IN_PERCENT = re.compile(r"%|\b(percent|per cent|percentage)\b")


@lru_cache(maxsize=1 << 14)
def p_value_heading(name: str) -> str:
    """As `heading`, without the p-value's sides and test; a test alone is "sig"."""
    plain = re.sub(_SIDED, "", _folded_heading(name).replace("_", " "))
    plain = _P_IN_BRACKETS.sub(r"\3", re.sub(r"\bin (%|percent)\s*$", "", plain))
    return heading(_TESTS.sub("", plain)) or ("sig" if heading(plain) else "")


@lru_cache(maxsize=1 << 14)
def is_adjusted(name: str) -> bool:
    """Whether a heading says that its p-values were adjusted for their number, be it in brackets."""
    if _ADJUSTED_IN_BRACKETS.search(_folded_heading(name)):
        return names_p_values(name)
    own = heading(name).split()
    rest = " ".join(word for word in own if word not in _ADJUSTED)
    is_said = not _ADJUSTED.isdisjoint(own)
    return heading(name) in _ADJUSTED_NAMES or (is_said and rest in _HEADINGS["p_value"])


def says_percent(name: str) -> bool:
    """Whether a heading says that its numbers are percentages."""
    return _IN_PERCENT.search(_folded_heading(name)) is not None


def _folded_heading(name: str) -> str:
    """A column name in small letters, every dash as "-"."""
    return ascii_dashes(unicodedata.normalize("NFKC", name)).casefold()


def is_named(column: str, *said: str) -> bool:
    """Whether a column's heading says one of these things of it, as they are called in the vocabulary."""
    known = heading(column)
    return any(known in _HEADINGS[one] for one in said)


def names_p_values(column: str) -> bool:
    """Whether a heading names p-values, be it with how many sides they have and by which test."""
    return p_value_heading(column) in _HEADINGS["p_value"]


def columns_named(columns: Iterable[str], said: str) -> list[str]:
    """The columns whose headings say one thing, those with the likeliest headings first."""
    order = [*_HEADINGS[said]]
    named = (column for column in columns if is_named(column, said))
    return sorted(named, key=lambda column: order.index(heading(column)))


def find_column(
    columns: Iterable[str], headings: str | Sequence[str], *, taken: Collection[str | None] = ()
) -> str | None:
    """The first column with the earliest of some headings, or of those that the vocabulary has for a role."""
    free = [column for column in columns if column not in taken]
    by_heading = {heading(column): column for column in reversed(free)}
    wanted = _HEADINGS[headings] if isinstance(headings, str) else headings
    return next((by_heading[own] for own in wanted if own in by_heading), None)


def folded(name: str) -> str:
    """A name without case and Unicode form, to find names that look the same."""
    return unicodedata.normalize("NFKC", name).casefold()


# Roles that many headings name, by what these have in common; a kind of file looks closer.
_SHAPES = (
    ("p_value", re.compile(r"p .*")),
    ("correlation", re.compile(r"r .*")),
    ("outcomes", re.compile(r"n ?[01][01]|[bc]|.*(only|neither|both|right|correct|wrong).*")),
    (
        "counts",
        re.compile(r".*(correct|right|match|counts|chrf|ter edits|sure|tp|true positive).*"),
    ),
)


@lru_cache(maxsize=1 << 14)
def roles_named(name: str) -> frozenset[str]:
    """The roles of the vocabulary that a column's heading may name."""
    known = heading(name)
    found = {role for role in VOCABULARY if known in _HEADINGS[role]}
    found |= {role for role, shape in _SHAPES if shape.fullmatch(known)}
    if names_p_values(name) or is_adjusted(name):
        found.add("p_value")
    return frozenset(found)


# Words by which a heading names a metric.
METRIC_WORDS = frozenset(
    {"accuracy", "acc", "f1", "f", "precision", "recall", "em", "exact", "bleu", "sacrebleu",
     "chrf", "chr", "f2", "meteor", "rouge", "rougel", "rouge1", "rouge2", "bertscore", "comet", "bleurt",
     "mcc", "auc", "auroc", "auprc", "aupr", "aupro", "map", "mrr", "ndcg", "uas", "las", "kappa", "spearman",
     "pearson", "correctness", "winrate"}
)  # fmt: skip


def is_no_score(column: str, header: Sequence[str]) -> bool:
    """Whether a column's heading says so; pandas names a second 'rank' of a header 'rank.1'."""
    first = re.sub(r"\.[1-9]$", "", column)
    named = first if first in header else column
    return is_named(named, "no_score", "complement") or is_adjusted(named)


# Beside the systems' scores stands what describes an example, names it, or says how it was run.
_NO_RESULTS = (
    *("measure", "category", "input", "remark", "step", "n_examples", "example", "unit", "counter"),
    *("run", "cluster"),
)
_NO_RESULT = frozenset(
    {"batch", "date", "duration", "seconds", "time", "timestamp", "title", "weight"}
)


def is_covariate(column: str, header: Sequence[str]) -> bool:
    """Whether a column's heading says that it holds no system's results."""
    known = heading(column)
    is_mean = re.sub("^(?:avg|average|mean|median) ", "", known) in _HEADINGS["measure"]
    is_said = is_mean or is_named(column, *_NO_RESULTS) or known in _NO_RESULT
    return is_said or is_no_score(column, header)


# With its number and a mark behind it no header begins.
TITLE = re.compile(r"(table|tab\.|tabelle|tableau)\s*[0-9]*\s*[.:]", re.IGNORECASE)
# Parts of headings that say on which examples of a dataset a system was run.
OF_A_SPLIT = frozenset({"dev", "test", "val", "valid", "validation", "train", "training", "eval"})


def words(name: str) -> list[str]:
    """The words of a heading, those in brackets too, also where capitals divide them."""
    # "pValue" is two words, but "CoNLL" is one.
    plain = re.sub(
        r"(?<=[a-z])(?!(?<=[A-Z][a-z])[A-Z]{2})(?=[A-Z])", " ", unicodedata.normalize("NFKC", name)
    )
    return re.findall(r"[^\W_]+", plain)


# What says that numbers are the spread of others.
_OF_SPREAD = "(std|stdev|std dev|standard deviation|stderr|std err(or)?|standard error|sd|se|sem|var|variance)"
_SPREAD = re.compile(f"(?P<a>.+) {_OF_SPREAD}|{_OF_SPREAD} (of )?(?P<b>.+)")
# Words that may belong to a name: behind it they say so.
_RANK_OR_BOUND = re.compile(
    r"(?P<a>.+?) (rank|([0-9]+ )?ci( ?[0-9]+)?( (lo|low|lower|hi|high|upper))?"
    r"|(lower|upper)( (bound|limit|ci))?|min|max|2 5|97 5|5|95)|rank_(?P<b>.+)"
)
# Each of these counts as a bound only where there is the other as well.
_BOTH_BOUNDS = (("lower", "upper"), ("min", "max"), ("2 5", "97 5"), ("5", "95"))
_MEANS = frozenset({"mean", "means", "avg", "average", "score", "scores"})


@lru_cache(maxsize=64)
def spread_columns(header: tuple[str, ...]) -> Mapping[str, str]:
    """Columns headed as the spread, rank or bound of another, and that one: 'ours_std' and 'ours'."""
    plain = {
        column: [word.casefold() for word in words(re.sub("±|\\+/-", " sd ", column))]
        for column in header
    }
    # As the heading itself divides them: "LowRank" is a name.
    divided = {
        column: re.sub(r"(?<!^rank)[\W_]+", " ", folded(column)).strip() for column in header
    }
    found: dict[str, list[str]] = {}
    ambiguous = set()
    for column, own in plain.items():
        said = " ".join(own)
        match = _SPREAD.fullmatch(said)
        if match is None and (match := _RANK_OR_BOUND.fullmatch(divided[column])):
            both = [{f"{match['a']} {end}" for end in ends} for ends in _BOTH_BOUNDS]
            if any(divided[column] in ends and not ends <= {*divided.values()} for ends in both):
                continue
            ambiguous.add(column)
        if match:
            found[column] = (match["a"] or match["b"]).split()
    others: dict[str, str] = {}
    for left_out in (_MEANS, _MEANS | METRIC_WORDS):
        for column, own in plain.items():
            if column not in found:
                others.setdefault(_joined(own, left_out), column)
    others.pop("", None)
    spreads = {
        column: others[key]
        for column, of in found.items()
        for key in (_joined(of, _MEANS | METRIC_WORDS), _joined(of, _MEANS))
        if key in others
    }
    systems = [
        column
        for column in header
        if column not in spreads
        and not (is_named(column, "dataset", "system") or names_p_values(column))
        and not is_covariate(column, header)
    ]
    return {c: of for c, of in spreads.items() if len(systems) > 1 or c not in ambiguous}


def _joined(own: Sequence[str], left_out: Collection[str]) -> str:
    return "".join(word for word in own if word not in left_out)


_COMPARES = re.compile(r"\w.* (vs|versus) .*\w")


def name_comparisons(columns: Sequence[str]) -> bool:
    """Whether headings name two systems each: "ours vs BERT"."""
    return bool(columns) and all(_COMPARES.fullmatch(heading(column)) for column in columns)

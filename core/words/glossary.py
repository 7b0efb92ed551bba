"""The words of the field, each explained once: in the guide's glossary and in the pages' tooltips."""

from collections.abc import Mapping

from ..replicability.combinations import COMBINATIONS, Combination, combination_names
from ..replicability.identification import all_procedures, procedure_named
from .counting import can_overstate, titles_needing_independence
from .formatting import list_names


def glossary() -> Mapping[str, str]:
    """Every term with its explanation, in the order in which they are shown.

    An explanation is one to three sentences in plain text, which is safe where Markdown is read.
    """
    needing = titles_needing_independence()
    return {
        "level α": (
            "How often a statement may overstate the truth. At .05 each statement has 95% confidence. "
            "Choose it before looking at the results."
        ),
        "confidence": (
            "1 − α: of all studies made in this way, those that claim nothing included, at least this "
            "share claims nothing wrong. It belongs to the method, not to one result, and does not say "
            "how many of the claims that are made are right."
        ),
        "p-value": (
            "The p-value used here: of the claim in question, on this dataset alone. It says how often "
            "a result at least as extreme would come up if the null hypothesis were true, not how "
            "likely it is that the null hypothesis is true."
        ),
        "null hypothesis": (
            "What a test assumes in order to be contradicted by the data, here mostly “A is not better "
            "than B on this dataset”. When it is not contradicted, it is not shown to be true."
        ),
        "one-sided, two-sided": (
            "A one-sided p-value is small only where A is better; a two-sided one wherever the systems "
            "differ. “A is better on at least …” needs one-sided ones. Do not mix them in one table."
        ),
        "direction": (
            "What a printed p-value speaks for. One-sided for A: small only where A is better. "
            "Two-sided: small wherever the systems differ. Toward the higher score: one-sided for "
            "whichever system is ahead on that dataset."
        ),
        "reading": (
            "One way to take the p-values of a table that does not state their direction. The headline "
            "takes the smallest count over all readings that the numbers allow."
        ),
        "k̂ (“k-hat”)": (
            "The count: A is better on at least k̂ of the N datasets. It exceeds the true number in at "
            "most α of studies."
        ),
        "partial conjunction p-value": (
            "The p-value of the claim “on at least u datasets”, made of the N − u + 1 largest "
            "p-values, with the running maximum over u."
        ),
        "guarantee": (
            "A bound on how often a count or a list claims too much, whatever the truth is. It holds "
            "if each dataset's own test is valid, if the stated dependence is true, and if all was "
            "chosen before looking."
        ),
        "common practice": (
            "What papers count as wins: two-sided p ≤ α with A ahead, or p ≤ α of a test that is "
            "one-sided for A. It has no guarantee: with more datasets, it claims too much more often."
        ),
        "dependence": (
            "Datasets depend on each other when they share texts, translations or test examples. "
            f"Then {can_overstate()}. Bonferroni holds whatever the dependence."
        ),
        "independent datasets": (
            "Each was collected on its own and no example is in two of them, so that chance on one "
            f"says nothing about chance on another. {list_names(needing)} {'needs' if len(needing) == 1 else 'need'} it."
        ),
        "positive dependence": (
            "What makes one test come out well can only make the others come out better (PRDS). "
            "Sharing examples alone does not ensure it, and two-sided tests seldom have it. Simes, "
            "Hochberg and Hommel need it, or independence."
        ),
        "joint flips": (
            "Of datasets that share examples: A and B change places on each example in all datasets "
            "together, so that the count holds under the dependence that shared examples make. The "
            "examples must be matched: by their text, or by ids that you state to be the same "
            "example everywhere."
        ),
        **{each.title: _of_combination(each) for each in COMBINATIONS},
        "combination": (
            "How the p-values of several datasets become one, and so how they are counted. Which "
            "of them hold depends on what is known of the datasets; of these one is to be fixed "
            "before looking."
        ),
        "procedure": (
            "How datasets are named. Holm bounds the chance of any wrong name, whatever the "
            "dependence. Others need more, or promise less."
        ),
        "closed test": (
            "A dataset is named when every set of datasets that holds it is rejected as a whole. Count "
            "and names from one closed test hold together, with one confidence."
        ),
        **{
            each.title: f"A procedure. {each.rule}"
            for each in all_procedures()
            if each.name not in combination_names()
        },
        "adjusted p-value": ("The smallest level at which this dataset would be named."),
        "threshold": ("What this dataset's p-value is compared with at the chosen level."),
        "family-wise error": (
            "That a list holds at least one wrong name. Holm lets it happen in at most α of studies."
        ),
        "false discovery rate": (
            "The share of wrong names in a list, averaged over studies; an empty list counts as none "
            "wrong. Benjamini–Hochberg bounds it by α. A single list may hold more."
        ),
        "effect size": (
            "How large the difference is, which no p-value tells. With many examples a tiny difference "
            "has a tiny p-value."
        ),
        "Q": (
            "How far the effects of datasets lie from their weighted mean, in units of their own "
            "variances. It is about its degrees of freedom where they differ by chance alone."
        ),
        "τ² (“tau squared”)": (
            "The variance of the true effects between datasets, in squared units of the effect. Its "
            "interval, by Q-profile, contains every value under which the observed Q is no surprise."
        ),
        "I²": (
            "The share of the effects' variation that is between datasets rather than chance within "
            "them: τ²/(τ² + s̃²), with s̃² the typical variance within datasets (Higgins and Thompson "
            "2002). 0% where chance explains it all."
        ),
        "prediction interval": (
            "Where the true effect on a new dataset like these is expected. It is wider than the "
            "interval of the average, which more datasets make narrow."
        ),
        "bootstrap": (
            "Draws examples with replacement, the same for A and B, to see how far the difference moves "
            "by the choice of examples. Approximate; it needs some hundreds of examples."
        ),
        "approximate randomization": (
            "Exchanges A's and B's outputs on random examples, to see how large a difference chance "
            "alone makes. Its null hypothesis is that the outputs can be exchanged."
        ),
        "exact": (
            "Computed without random draws. Of the bootstrap it means that no resamples were drawn; it is "
            "still the bootstrap's approximation."
        ),
        "Monte Carlo": (
            "Computed from random resamples, so that the p-value has an error of its own, which more "
            "resamples make smaller. It is never 0."
        ),
        "resample": (
            "One random redrawing or exchange of a dataset's examples. With b of them no p-value lies "
            "below 1/(b + 1)."
        ),
        "subsample": (
            "A random part of a dataset's examples, none of them twice, tested as if it were all there "
            "is. It shows how a verdict depends on the number of examples."
        ),
        "power": (
            "The chance that a test gives p ≤ α where A is truly better by a stated amount: 1 − β. It "
            "belongs to an effect that is stated beforehand, never to the one observed."
        ),
        "covariate": (
            "What is known of an example beside the systems' scores, such as its length or its genre."
        ),
        "prior odds R": (
            "Of the comparisons that people try, how many have an effect for each one that has none: "
            "odds, not a share. R = .1 is one in eleven."
        ),
        "positive predictive value": (
            "The share of the claims made at a level that are true. It follows from prior odds, power "
            "and level, and is about many claims, not about one."
        ),
        "run": (
            "One training of a system with its own seed. Another run of the same system gives other "
            "scores on the same examples."
        ),
        "family of claims": (
            "What a confidence is about. Each pair alone: every entry of a leaderboard is right with "
            "95% confidence by itself, and some of many are to be expected to be wrong. All claims "
            "together: with 95% confidence none of them is wrong."
        ),
        "group of systems": (
            "Systems that have something in common: what they are built on, or who built them. Systems "
            "of one group err on the same examples, so that a smaller gain is evidence."
        ),
        "gain": (
            "Of two systems on one dataset: the score of the one that is ahead less that of the other."
        ),
        "systems that differ": (
            "Two systems count as different where the data show that one of them, either, is better, "
            "at the level and on as many datasets as the page says. Where the data do not show it, one "
            "may still be better, or both may be equal."
        ),
        "letters, tiers": (
            "Of systems that share a letter the data do not show that either is better. This does not "
            "carry over: A and B may share a letter, B and C another, and A and C none."
        ),
        "seed": (
            "The number from which all random draws follow. The same seed on the same data gives the "
            "same p-values."
        ),
        "cluster": (
            "Examples that belong together, such as the sentences of one document. They count as one "
            "draw, so that whole clusters are resampled."
        ),
        "printed zero": (
            "A p-value printed as 0.0 is not zero but too small for the digits printed. It is read "
            "as lying below half a unit of the column's last digit."
        ),
        "left out": (
            "Datasets left out on every page. Leaving one out after looking at the results carries "
            "no guarantee."
        ),
        "signature": (
            "A line with everything that moved a number: test, direction, seed, combination, α, "
            "datasets, data, version. With the data it reproduces the result."
        ),
        "fingerprint": (
            "A short code of the data's content. Data that differ in a single digit have another one."
        ),
        "bundle": (
            "A file with the data, the choices and the results of an analysis, to keep or to pass on."
        ),
    }


def _of_combination(combination: Combination) -> str:
    """When it holds, what it does and whom it can name."""
    holds = "Whatever the datasets share"
    if combination.condition:
        holds = f"If {combination.condition}"
    names = procedure_named(combination.procedure).full_title
    alike = (each.rule for each in all_procedures() if each.name == combination.name)
    as_procedure = "".join(f" As a procedure: {rule}" for rule in alike)
    return (
        f"{holds}. {combination.rule} The datasets it can name are those of {names}.{as_procedure}"
    )


def find_terms(query: str) -> dict[str, str]:
    """Terms in which every word of the query occurs, those with it in their name first."""
    words = query.casefold().split()
    found = {
        term: text
        for term, text in glossary().items()
        if all(word in f"{term} {text}".casefold() for word in words)
    }
    in_name = sorted(found, key=lambda term: not all(word in term.casefold() for word in words))
    return {term: found[term] for term in in_name}

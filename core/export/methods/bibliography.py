"""The works that a methods paragraph may cite.

Only details that were checked are given: a number that could not be vouched for
is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from core.export.methods.works import Reference, article, book, paper

_JASA = "Journal of the American Statistical Association"
_SERIES_B = "Journal of the Royal Statistical Society, Series B"
_PSYCHOLOGICAL = "Psychological Bulletin"


def _by_key(works: Iterable[Reference]) -> Mapping[str, Reference]:
    return MappingProxyType({work.key: work for work in works})


WORKS: Mapping[str, Reference] = _by_key(
    (
        # Counting and naming datasets.
        article(
            "dror2017replicability",
            ("Dror, Rotem", "Baumer, Gili", "Bogomolov, Marina", "Reichart, Roi"),
            "Replicability Analysis for Natural Language Processing: Testing Significance with "
            "Multiple Datasets",
            "Transactions of the Association for Computational Linguistics",
            "5",
            "471–486",
            2017,
        ),
        article(
            "benjamini2008screening",
            ("Benjamini, Yoav", "Heller, Ruth"),
            "Screening for Partial Conjunction Hypotheses",
            "Biometrics",
            "64",
            "1215–1222",
            2008,
            number="4",
        ),
        article(
            "dunn1961multiple",
            ("Dunn, Olive Jean",),
            "Multiple Comparisons among Means",
            _JASA,
            "56",
            "52–64",
            1961,
            number="293",
        ),
        article(
            "simes1986improved",
            ("Simes, R. John",),
            "An Improved {Bonferroni} Procedure for Multiple Tests of Significance",
            "Biometrika",
            "73",
            "751–754",
            1986,
            number="3",
        ),
        book(
            "fisher1932statistical",
            ("Fisher, Ronald A.",),
            "Statistical Methods for Research Workers",
            "Oliver and Boyd",
            "Edinburgh",
            1932,
            edition="4th",
        ),
        article(
            "holm1979simple",
            ("Holm, Sture",),
            "A Simple Sequentially Rejective Multiple Test Procedure",
            "Scandinavian Journal of Statistics",
            "6",
            "65–70",
            1979,
            number="2",
        ),
        article(
            "hochberg1988sharper",
            ("Hochberg, Yosef",),
            "A Sharper {Bonferroni} Procedure for Multiple Tests of Significance",
            "Biometrika",
            "75",
            "800–802",
            1988,
            number="4",
        ),
        article(
            "hommel1988stagewise",
            ("Hommel, Gerhard",),
            "A Stagewise Rejective Multiple Test Procedure Based on a Modified {Bonferroni} Test",
            "Biometrika",
            "75",
            "383–386",
            1988,
            number="2",
        ),
        article(
            "benjamini1995controlling",
            ("Benjamini, Yoav", "Hochberg, Yosef"),
            "Controlling the False Discovery Rate: A Practical and Powerful Approach to Multiple "
            "Testing",
            _SERIES_B,
            "57",
            "289–300",
            1995,
            number="1",
        ),
        article(
            "benjamini2001control",
            ("Benjamini, Yoav", "Yekutieli, Daniel"),
            "The Control of the False Discovery Rate in Multiple Testing under Dependency",
            "The Annals of Statistics",
            "29",
            "1165–1188",
            2001,
            number="4",
        ),
        article(
            "marcus1976closed",
            ("Marcus, Ruth", "Peritz, Eric", "Gabriel, K. Ruben"),
            "On Closed Testing Procedures with Special Reference to Ordered Analysis of Variance",
            "Biometrika",
            "63",
            "655–660",
            1976,
            number="3",
        ),
        article(
            "goeman2011multiple",
            ("Goeman, Jelle J.", "Solari, Aldo"),
            "Multiple Testing for Exploratory Research",
            "Statistical Science",
            "26",
            "584–597",
            2011,
            number="4",
        ),
        article(
            "goeman2019simultaneous",
            ("Goeman, Jelle J.", "Meijer, Rosa J.", "Krebs, Thijmen J. P.", "Solari, Aldo"),
            "Simultaneous Control of All False Discovery Proportions in Large-Scale Multiple "
            "Hypothesis Testing",
            "Biometrika",
            "106",
            "841–856",
            2019,
            number="4",
        ),
        # Tests on one dataset.
        paper(
            "bergkirkpatrick2012empirical",
            ("Berg-Kirkpatrick, Taylor", "Burkett, David", "Klein, Dan"),
            "An Empirical Investigation of Statistical Significance in {NLP}",
            "Proceedings of the 2012 Joint Conference on Empirical Methods in Natural Language "
            "Processing and Computational Natural Language Learning",
            "995–1005",
            2012,
        ),
        paper(
            "sogaard2014whats",
            (
                "Søgaard, Anders",
                "Johannsen, Anders",
                "Plank, Barbara",
                "Hovy, Dirk",
                "Martínez Alonso, Hector",
            ),
            "What’s in a p-value in {NLP}?",
            "Proceedings of the Eighteenth Conference on Computational Natural Language Learning",
            "1–10",
            2014,
        ),
        book(
            "noreen1989computer",
            ("Noreen, Eric W.",),
            "Computer-Intensive Methods for Testing Hypotheses: An Introduction",
            "Wiley",
            "New York",
            1989,
        ),
        article(
            "wilcoxon1945individual",
            ("Wilcoxon, Frank",),
            "Individual Comparisons by Ranking Methods",
            "Biometrics Bulletin",
            "1",
            "80–83",
            1945,
            number="6",
        ),
        article(
            "pratt1959remarks",
            ("Pratt, John W.",),
            "Remarks on Zeros and Ties in the {Wilcoxon} Signed Rank Procedures",
            _JASA,
            "54",
            "655–667",
            1959,
            number="287",
        ),
        article(
            "mcnemar1947note",
            ("McNemar, Quinn",),
            "Note on the Sampling Error of the Difference between Correlated Proportions or "
            "Percentages",
            "Psychometrika",
            "12",
            "153–157",
            1947,
            number="2",
        ),
        article(
            "edwards1948note",
            ("Edwards, Allen L.",),
            "Note on the “Correction for Continuity” in Testing the Significance of the "
            "Difference between Correlated Proportions",
            "Psychometrika",
            "13",
            "185–187",
            1948,
            number="3",
        ),
        article(
            "fagerland2013mcnemar",
            ("Fagerland, Morten W.", "Lydersen, Stian", "Laake, Petter"),
            "The {McNemar} Test for Binary Matched-Pairs Data: Mid-p and Asymptotic Are Better "
            "than Exact Conditional",
            "BMC Medical Research Methodology",
            "13",
            "91",
            2013,
        ),
        article(
            "dixon1946statistical",
            ("Dixon, Wilfrid J.", "Mood, Alexander M."),
            "The Statistical Sign Test",
            _JASA,
            "41",
            "557–566",
            1946,
            number="236",
        ),
        article(
            "student1908probable",
            ("Student",),
            "The Probable Error of a Mean",
            "Biometrika",
            "6",
            "1–25",
            1908,
            number="1",
        ),
        article(
            "williams1959comparison",
            ("Williams, Evan J.",),
            "The Comparison of Regression Variables",
            _SERIES_B,
            "21",
            "396–399",
            1959,
            number="2",
        ),
        article(
            "steiger1980tests",
            ("Steiger, James H.",),
            "Tests for Comparing Elements of a Correlation Matrix",
            _PSYCHOLOGICAL,
            "87",
            "245–251",
            1980,
            number="2",
        ),
        article(
            "meng1992comparing",
            ("Meng, Xiao-Li", "Rosenthal, Robert", "Rubin, Donald B."),
            "Comparing Correlated Correlation Coefficients",
            _PSYCHOLOGICAL,
            "111",
            "172–175",
            1992,
            number="1",
        ),
        article(
            "robbins1970statistical",
            ("Robbins, Herbert",),
            "Statistical Methods Related to the Law of the Iterated Logarithm",
            "The Annals of Mathematical Statistics",
            "41",
            "1397–1409",
            1970,
            number="5",
        ),
        # Intervals.
        book(
            "efron1993introduction",
            ("Efron, Bradley", "Tibshirani, Robert J."),
            "An Introduction to the Bootstrap",
            "Chapman & Hall",
            "New York",
            1993,
        ),
        book(
            "davison1997bootstrap",
            ("Davison, Anthony C.", "Hinkley, David V."),
            "Bootstrap Methods and Their Application",
            "Cambridge University Press",
            "Cambridge",
            1997,
        ),
        article(
            "efron1987better",
            ("Efron, Bradley",),
            "Better Bootstrap Confidence Intervals",
            _JASA,
            "82",
            "171–185",
            1987,
            number="397",
        ),
        article(
            "diciccio1996bootstrap",
            ("DiCiccio, Thomas J.", "Efron, Bradley"),
            "Bootstrap Confidence Intervals",
            "Statistical Science",
            "11",
            "189–228",
            1996,
            number="3",
        ),
        # Metrics.
        paper(
            "papineni2002bleu",
            ("Papineni, Kishore", "Roukos, Salim", "Ward, Todd", "Zhu, Wei-Jing"),
            "{Bleu}: A Method for Automatic Evaluation of Machine Translation",
            "Proceedings of the 40th Annual Meeting of the Association for Computational "
            "Linguistics",
            "311–318",
            2002,
        ),
        article(
            "och2003systematic",
            ("Och, Franz Josef", "Ney, Hermann"),
            "A Systematic Comparison of Various Statistical Alignment Models",
            "Computational Linguistics",
            "29",
            "19–51",
            2003,
            number="1",
        ),
        article(
            "matthews1975comparison",
            ("Matthews, Brian W.",),
            "Comparison of the Predicted and Observed Secondary Structure of {T4} Phage Lysozyme",
            "Biochimica et Biophysica Acta",
            "405",
            "442–451",
            1975,
            number="2",
        ),
    )
)

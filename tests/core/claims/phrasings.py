"""Sentences as reviewers and papers word their claims, each with the line that it should be read as.

A pair stands on a line, with its sentence before the sign ⇒; what is indented goes on from above.
"""

import re

Pairs = tuple[tuple[str, str], ...]


def _pairs(text: str) -> Pairs:
    """Sentences with what they should be read as."""
    lines = re.sub(r"\n +", " ", text.strip()).split("\n")
    return tuple((words, line) for words, _, line in (each.partition(" ⇒ ") for each in lines))


SYSTEMS = ("Ours", "BERT")
DATASETS = (
    "SST-2", "MNLI", "QNLI", "QQP", "RTE", "CoLA", "MRPC", "STS-B", "WNLI", "SQuAD", "BoolQ", "AG News",
)  # fmt: skip
# Thirty of sixty that were written before the grammar.
EXAMPLES = _pairs("""
Ours significantly outperforms BERT on 9 of 12 datasets (p < .05) ⇒ exactly 9 of 12 by count at .05
Ours is better on all but two datasets ⇒ at least 10 of 12
significant on SST-2 and MNLI after Bonferroni ⇒ significant SST-2; MNLI by bonferroni
no significant difference on WNLI ⇒ not significant WNLI
k = 9 ⇒ at least 9
Ours beats BERT on most datasets ⇒ at least 7 of 12
9/12 wins ⇒ at least 9 of 12
With 95% confidence, Ours is better than BERT on at least 5 of 12 datasets ⇒ at least 5 of 12 at .05
Ours is significantly better than BERT on 2 of 12 datasets after Holm correction: SST-2 and
    MNLI. ⇒ named SST-2; MNLI by holm
Fisher's method shows that Ours is better on at least 8 datasets at the 1% level
    ⇒ at least 8 by fisher at .01
significantly better on every dataset ⇒ exactly 12 of 12 by count
significant on none of the datasets ⇒ exactly 0 of 12 by count
BERT is better on half of the datasets ⇒ at least 6 of 12 for B
exactly nine datasets are significant (uncorrected) ⇒ exactly 9 by count
p < .01 on SST-2, MNLI and QNLI ⇒ significant SST-2; MNLI; QNLI at .01 for differ
Ours is significantly better than BERT on SST-2 (p ≤ .05) ⇒ significant SST-2 at .05
the systems differ significantly on 8 of the 12 datasets ⇒ exactly 8 of 12 by count for differ
we observe statistically significant improvements on 5 datasets at α = .05
    ⇒ exactly 5 by count at .05
After Benjamini-Hochberg, six datasets remain significant ⇒ exactly 6 by benjamini-hochberg
Ours outperforms BERT on more than 5 datasets ⇒ at least 6
at least 5 wins for Ours by Simes ⇒ at least 5 by simes
Bonferroni k = 3, α = 0.05 ⇒ exactly 3 by bonferroni at .05
only SST-2 is significant after Bonferroni ⇒ named SST-2 by bonferroni
nothing is significant after Bonferroni ⇒ exactly 0 by bonferroni-correction
Ours surpasses BERT on each of the 12 tasks ⇒ at least 12 of 12
Ours is significantly better on at least 4 datasets at the 5% significance level
    ⇒ at least 4 by count at .05
Holm names SST-2, MNLI and RTE ⇒ named SST-2; MNLI; RTE by holm
p is at most .05 on SST-2 for BERT ⇒ significant SST-2 at .05 for B
Ours wins 9 times out of 12 ⇒ at least 9 of 12
significant improvements over BERT on SST-2 and QQP (paired t-test, p < 0.05)
    ⇒ significant SST-2; QQP at .05
""")
# The others, of the same kinds, were put aside until the grammar was finished: what it makes of them
# is what it makes of a sentence that it was not made for.
PUT_ASIDE = _pairs("""
BERT significantly outperforms Ours in 3 out of 12 tasks (p<0.01).
    ⇒ exactly 3 of 12 by count at .01 for B
Ours is better than BERT on all but one dataset ⇒ at least 11 of 12
The improvements on RTE, CoLA and AG News are significant after Holm correction
    ⇒ significant RTE; CoLA; AG News by holm
The difference is not statistically significant on QQP and STS-B (p > .05).
    ⇒ not significant QQP; STS-B at .05
k=7 with Fisher ⇒ exactly 7 by fisher
Ours wins on the majority of the benchmarks ⇒ at least 7 of 12
10/12 significant wins ⇒ exactly 10 of 12 by count
With 99% confidence, Ours is better than BERT on at least 4 of 12 datasets, if the datasets are
    independent. ⇒ at least 4 of 12 by fisher at .01
Ours is significantly better on 1 of 12 datasets after Bonferroni correction: RTE
    ⇒ named RTE by bonferroni
According to Stouffer's method Ours improves over BERT on at least six datasets
    ⇒ at least 6 by stouffer
Ours achieves significant gains on all 12 datasets ⇒ exactly 12 of 12 by count
Ours is significantly better than BERT on no dataset ⇒ exactly 0 of 12 by count
Ours significantly outperforms BERT on at least half of the tasks ⇒ at least 6 of 12 by count
only three of the datasets are significant without correction ⇒ exactly 3 by count
p-values are below 0.001 on QQP and AG News ⇒ significant QQP; AG News at .001 for differ
BERT outperforms Ours significantly on CoLA and WNLI, α = .01 ⇒ significant CoLA; WNLI at .01 for B
Ours and BERT differ significantly on MNLI ⇒ significant MNLI for differ
We report statistically significant improvements in seven of twelve languages.
    ⇒ exactly 7 of 12 by count
4 datasets are significant when controlling the FDR ⇒ exactly 4 by benjamini-hochberg
Ours significantly outperforms BERT on more than half of the datasets ⇒ at least 7 of 12 by count
no fewer than 4 wins for BERT (Bonferroni) ⇒ at least 4 by bonferroni for B
k̂ = 5 (Fisher, α = .05) ⇒ exactly 5 by fisher at .05
k̂_count = 8 ⇒ exactly 8 by count
Only MRPC and RTE survive Holm's correction ⇒ named MRPC; RTE by holm
none of the differences remain significant after Holm correction ⇒ named none by holm for differ
Ours consistently outperforms BERT across all datasets ⇒ at least 12 of 12
Ours is significantly ahead of BERT on at least 5 of 12 datasets at the .1% level
    ⇒ at least 5 of 12 by count at .001
Hommel identifies SST-2 & RTE ⇒ named SST-2; RTE by hommel
p ≤ .05 on 8 of 12 datasets ⇒ exactly 8 of 12 by count at .05 for differ
BERT wins on a dozen datasets ⇒ at least 12 for B
significant gains over BERT on 6/12 datasets (two-sided bootstrap test, p < 0.05)
    ⇒ exactly 6 of 12 by count at .05
""")
# Written later, by someone who had not seen the grammar, of a table with four datasets; the line that
# each should be read as, or a word of what it is answered with.
FRESH_SYSTEMS, FRESH_DATASETS = ("ours", "theirs"), ("u", "v", "w", "x")
FRESH = _pairs("""
We find that ours significantly outperforms theirs on three of the four datasets (p<0.05).
    ⇒ exactly 3 of 4 by count at .05
Ours beats theirs on every dataset. ⇒ at least 4
The improvements are statistically significant on all datasets except w. ⇒ significant u; v; x
All improvements are significant except on w ⇒ does not say of how many
Most gains are significant ⇒ does not say of how many
ours outperforms all systems on 2 of 4 datasets ⇒ “all systems” cannot be checked
ours obtains the highest score on u ⇒ Write “significant” or
All but one of the wins are significant ⇒ does not say of how many
All improvements on u and v are significant ⇒ significant u; v
Two of the three improvements are significant ⇒ exactly 2 by count
The difference on w loses its significance after Holm correction ⇒ cannot be checked
Statistical significance is lost on w ⇒ cannot be checked
p-values range from .0004 to 1 ⇒ could not read
ours is significantly better on u with p-value .0004 ⇒ significant u
theirs is significantly worse than ours on u and v. ⇒ significant u; v
On x, however, theirs is significantly better than ours. ⇒ significant x for B
There is no significant difference between ours and theirs on w. ⇒ not significant w
no significant difference on w at the 5% level (p = .4) ⇒ not significant w at .05
at p < .05, neither u nor v is significant ⇒ not significant u; v at .05
Differences on u, v and x are significant at the 1% level. ⇒ significant u; v; x at .01 for differ
After Holm-Bonferroni correction, only u and v remain significant. ⇒ named u; v by holm
k=2 (Fisher, alpha = 0.05) ⇒ exactly 2 by fisher at .05
ours wins on at least half of the datasets ⇒ at least 2
Gains over theirs are significant on 2/4 datasets after Bonferroni correction.
    ⇒ exactly 2 by bonferroni-correction
ours is significantly better than theirs on the majority of datasets ⇒ at least 3 by count
the results on u (p = 0.001) and v (p = 0.01) are significant ⇒ significant u; v
Significant improvements of 2.5 points on two datasets, u and v ⇒ significant u; v
With Benjamini-Hochberg at FDR 5%, three datasets are significant.
    ⇒ exactly 3 by benjamini-hochberg at .05
Table 2 shows that ours is significantly better on 3 datasets ⇒ exactly 3 by count
p > .05 on all datasets ⇒ exactly 0 by count at .05 for differ
Across all four datasets, 3 are significant ⇒ exactly 3 by count
None of the differences is significant after correction for multiple testing. ⇒ which correction
Ours does not significantly outperform theirs on w ⇒ no significant difference on 'w'
ours is better than theirs on at most one dataset according to Bonferroni ⇒ at most
significantly outperforms theirs on 75% of the datasets ⇒ whole number
ours outperforms theirs in 3 out of 4 cases, significantly so in 2 ⇒ Write a claim for each
better on all datasets, significantly so on three ⇒ “exactly 3 by count for A”
significant on u (p < .05) and v (p < .01) ⇒ more levels than one
ours significantly outperforms theirs on u (84.5 vs. 83.2) ⇒ significant u
ours is better on 2 at 0 ⇒ A level must lie between 0 and 1
ours beats theirs on u ⇒ Write “significant” or
ours is significantly better on u than on v ⇒ “u” before “than” and “v” behind it
ours is significantly better on all datasets combined ⇒ combined
3 wins and no losses ⇒ 2 claims
Only on w is the difference not significant ⇒ only these
ours significantly outperforms theirs on over 2 datasets ⇒ at least 3 by count
ours significantly outperforms theirs on well over half of the datasets ⇒ at least 3 by count
ours is better on 3 of 4 datasets by over 2 points ⇒ “by over 2 points” cannot be checked
ours improves significantly over 3 datasets ⇒ “over 3” may be more than 3, or on 3
ours improves significantly over 4 datasets ⇒ exactly 4 by count
ours is significantly better on just under half of the datasets ⇒ “just under” cannot be checked
ours is significantly better on ~3 datasets ⇒ “about” cannot be checked
ours is significantly better on 3 out of domain datasets ⇒ “out of domain” cannot be checked
Among u, v and w, ours is significantly better on w ⇒ “w” before “ours” and “w” behind it
Of u and v, ours is significantly better on v ⇒ “v” before “ours” and “v” behind it
ours (u) significantly outperforms theirs on v ⇒ “u” before “outperforms” and “v” behind it
The score of ours on u is significantly higher than that of theirs on v ⇒ “u” before “higher”
The difference between u and v is significant ⇒ “u” before “and” and “v” behind it
A Wilcoxon test over the 4 datasets shows that ours is significantly better (p < .05) ⇒ one test of all
ours is significantly better across all 4 datasets (p < .05) ⇒ one test of all datasets
ours, not theirs, is significantly better on v ⇒ “for ours” or “for theirs”
theirs significantly outperforms ours on 3 datasets at p < .05 and on 2 at p < .01
    ⇒ “exactly 2 by count at .01 for B”
ours: 3 wins, theirs: 1 win ⇒ “at least 1 for B”
""")
# As abstracts of papers have it, written before any was tried; "refuse" for what p-values of single
# datasets cannot show, or what is rather asked back than guessed.
_OF_LANGUAGES = _pairs("""
XGLM-A outperforms the baseline on 7 of 9 languages. ⇒ at least 7 of 9
Our approach is significantly better (p < 0.05) in all but two languages.
    ⇒ exactly 7 of 9 by count at .05
On Thai, XGLM-A is statistically indistinguishable from mBERT. ⇒ not significant Thai
XGLM-A improves by 1.2 points on average over mBERT. ⇒ refuse
The proposed method yields statistically significant gains over mBERT in six of the nine
    languages (paired bootstrap, p < 0.05). ⇒ exactly 6 of 9 by count at .05
Improvements over mBERT are significant at p < 0.01 for Swahili, Tamil, and Basque.
    ⇒ significant Swahili; Tamil; Basque at .01
Our model consistently outperforms the previous state of the art on 6 target languages, yielding
    an improvement of 6.8 points on average. ⇒ refuse
XGLM-A achieves the best results on every language except Korean. ⇒ refuse
We obtain significant improvements over a strong mBERT baseline across all nine languages.
    ⇒ exactly 9 of 9 by count
With the exception of Finnish and Korean, all differences are statistically significant
    (p<0.05). ⇒ significant German; Hindi; Swahili; Thai; Urdu; Basque; Tamil at .05 for differ
mBERT remains ahead on only two languages, Finnish and Korean. ⇒ refuse
Results marked with * are significantly better than mBERT (p < 0.05, approximate randomization).
    ⇒ refuse
In 5 out of 9 cases the difference was statistically significant.
    ⇒ exactly 5 of 9 by count for differ
XGLM-A performs on par with mBERT on high-resource languages and significantly better on
    low-resource ones. ⇒ refuse
After correcting for multiple comparisons with Holm's procedure, the gains on Swahili and Tamil
    remain significant. ⇒ significant Swahili; Tamil by holm
Our method outperforms mBERT in the majority of languages, with significant gains on four of
    them. ⇒ refuse
XGLM-A does not significantly differ from mBERT on Korean (p = 0.31). ⇒ not significant Korean
We find no statistically significant difference between the two models on Finnish or Korean.
    ⇒ not significant Finnish; Korean
XGLM-A significantly improves over mBERT on half of the languages. ⇒ refuse
Gains range from 0.4 to 3.1 points and are significant for seven languages at the 0.05 level.
    ⇒ exactly 7 by count at .05
mBERT is outperformed by XGLM-A on more than half of the languages. ⇒ at least 5 of 9
XGLM-A is outperformed by mBERT on Korean (p < .05). ⇒ significant Korean at .05 for B
XGLM-A significantly outperformed mBERT on Thai (p = .003) and Tamil (p < .001).
    ⇒ significant Thai; Tamil
Statistically significant improvements are observed for 8/9 languages using McNemar's test with
    Bonferroni correction. ⇒ exactly 8 of 9 by bonferroni-correction
The difference is insignificant for Korean, Finnish and German.
    ⇒ not significant Korean; Finnish; German
Our system ranks first in 7 of 9 languages. ⇒ at least 7 of 9
XGLM-A reduces errors significantly on six languages. ⇒ exactly 6 by count
""")
_OF_BENCHMARKS = _pairs("""
SLIM significantly outperforms RoBERTa on five out of six benchmarks (p < 0.01, paired t-test).
    ⇒ exactly 5 of 6 by count at .01
Compared to RoBERTa, SLIM obtains higher scores on all six datasets. ⇒ at least 6 of 6
SLIM improves over a strong RoBERTa baseline by 0.9 F1 points on average and is significantly
    better on four datasets. ⇒ exactly 4 by count
The differences on WNUT-17 and FiNER are not statistically significant.
    ⇒ not significant WNUT-17; FiNER
SLIM lags behind RoBERTa on BC5CDR only. ⇒ refuse
Except for WNUT-17, SLIM significantly outperforms RoBERTa on all datasets.
    ⇒ significant CoNLL-03; OntoNotes; FiNER; BC5CDR; NCBI
RoBERTa was significantly outperformed by our model on OntoNotes and NCBI (p < .05).
    ⇒ significant OntoNotes; NCBI at .05
On 3 of 6 datasets, the improvement of SLIM over RoBERTa is statistically significant at alpha =
    0.01. ⇒ exactly 3 of 6 by count at .01
SLIM consistently improves over RoBERTa, with significant gains on four datasets. ⇒ exactly 4 by count
SLIM sets a new state of the art on five of six datasets. ⇒ at least 5 of 6
Neither model is significantly better on WNUT-17. ⇒ refuse
SLIM achieves comparable or better performance on all datasets. ⇒ refuse
SLIM outperforms RoBERTa on four datasets, three of them significantly. ⇒ refuse
Using a Bonferroni-corrected threshold, SLIM is significantly better on NCBI and BC5CDR.
    ⇒ significant NCBI; BC5CDR by bonferroni
SLIM's advantage over RoBERTa is significant in all cases (p = 0.001).
    ⇒ exactly 6 of 6 by count at .001
We observe no significant improvement over RoBERTa on any dataset. ⇒ exactly 0 of 6 by count
In contrast to RoBERTa, SLIM is significantly worse on FiNER (p = 0.01). ⇒ significant FiNER for B
SLIM beats RoBERTa 5-1. ⇒ refuse
SLIM outperforms all baselines on 5 of 6 datasets. ⇒ refuse
""")
# Sentences that were read for other datasets, systems, levels or methods, or refused, when first tried.
_OF_REVIEWS = _pairs("""
Lex beats Base by 2.3 F1 on average, and the gains are significant for every domain bar Legal.
    ⇒ significant News; Web; Fiction; Speech; Medical
With the sole exception of Web, improvements are significant at the 1% level.
    ⇒ significant News; Fiction; Speech; Legal; Medical at .01
The null hypothesis can be rejected on News, Web and Legal at p < .05.
    ⇒ significant News; Web; Legal at .05 for differ
The gains are significant according to McNemar's test on News and Web. ⇒ significant News; Web
With Holm-corrected p-values, 3 of 6 gains are significant. ⇒ exactly 3 of 6 by holm
We conclude that Lex is better on at least 3 domains. ⇒ at least 3
Lex significantly outperforms Base except on Web. ⇒ significant News; Fiction; Speech; Legal; Medical
No difference is significant except on Web. ⇒ refuse
Except on Web, the differences on News are significant. ⇒ refuse
On all domains but Web, the differences are not significant. ⇒ not significant News; Fiction; Speech; Legal; Medical
Lex won on 4 of 6 domains, and the gains are significant only on Web. ⇒ refuse
Lex is significantly better on all 6 domains aside from Web. ⇒ significant News; Fiction; Speech; Legal; Medical
Lex is significantly better on all but two domains, Web and Legal. ⇒ significant News; Fiction; Speech; Medical
Lex is significantly better on all domains (Web excluded). ⇒ refuse
Lex significantly outperforms Base on all low-resource domains. ⇒ refuse
Lex outperforms large models on 4 domains. ⇒ refuse
Lex significantly outperforms Base on all 6 GLUE domains. ⇒ exactly 6 of 6 by count
A large gain over Base is significant on 4 domains. ⇒ exactly 4 by count
Lex yields small but significant gains over Base on Web and Legal. ⇒ significant Web; Legal
Hardly any domain shows significant gains. ⇒ refuse
Lex with adapters significantly outperforms Base on 5 domains. ⇒ refuse
Lex (large) significantly outperforms Base on 5 domains. ⇒ refuse
The difference on Web is statistically non-significant. ⇒ not significant Web
Differences on Web (p = .3) and Legal (p = .4) are nonsignificant. ⇒ not significant Web; Legal
Lex outperforms Base insignificantly on 3 domains. ⇒ refuse
p < .05 on Web; p > .05 on Legal. ⇒ refuse
Web: n.s.; Legal: p < .05 ⇒ refuse
Lex significantly outperforms Base on everything, even Web. ⇒ refuse
Lex is significantly better on each language in Web. ⇒ refuse
With 95% confidence, Lex is better than Base on at least 3 of 6 domains. This holds however the datasets depend on each other (Bonferroni). ⇒ at least 3 of 6 by bonferroni at .05
Lex lacks a significant advantage on Web. ⇒ refuse
Lex's advantage over Base diminishes significantly on Web. ⇒ refuse
The difference on Web falls short of significance. ⇒ refuse
The improvement on Web is borderline significant (p = 0.06). ⇒ refuse
The variance of Lex is significantly lower on 5 domains. ⇒ refuse
5 out of 6 differences are significant at the 95% level. ⇒ exactly 5 of 6 by count at .05 for differ
Lex is significantly better on 4 domains at a confidence level of 99%. ⇒ exactly 4 by count at .01
Lex is significantly better on 3 domains (p < 0.05/6). ⇒ exactly 3 by count at .00833333333333333
Lex is significantly better on 4 domains (p = .005). ⇒ exactly 4 by count at .005
After Bonferroni correction (α = 0.05/6), the gains on Web and Legal remain significant.
    ⇒ significant Web; Legal by bonferroni at .05
Bonferroni counts 3 domains. ⇒ exactly 3 by bonferroni
W.r.t. Base, Lex is significantly better in 5 out of the 6 domains. ⇒ exactly 5 of 6 by count
Out of six domains, Lex outperforms Base in five. ⇒ at least 5 of 6
Lex improves on Base in 5 of 6 domains. ⇒ at least 5 of 6
Lex exceeds Base on 5 of 6 domains. ⇒ at least 5 of 6
The p-value exceeds .05 on Web. ⇒ not significant Web at .05
p is lower than .01 on Web ⇒ significant Web at .01 for differ
The scores of Lex are significantly lower than those of Base on Web. ⇒ significant Web for B
Lex leads to a significant decrease in performance on Web. ⇒ significant Web for B
Lex outperforms its counterpart Base on 5 domains. ⇒ at least 5
Lex significantly outperforms Base (Smith et al., 2019) on 5 domains. ⇒ exactly 5 by count
Lex significantly outperforms Base [12] on 5 domains (bootstrap of Koehn (2004), 10,000 samples, p < .05).
    ⇒ exactly 5 by count at .05
Lex significantly outperforms Base in P@1 on 5 domains. ⇒ exactly 5 by count
Lex significantly outperforms Base on Web (+2.1), Legal (+1.4 F1), and News (+0.3) at p < 0.05.
    ⇒ significant Web; Legal; News at .05
Lex outperforms Base on five domains (all p < 0.05). ⇒ exactly 5 by count at .05
A Wilcoxon test on the 6 domains shows that Lex is significantly better (p < .05). ⇒ refuse
Paired t-tests on all 6 domains show significant gains. ⇒ exactly 6 of 6 by count
Lex significantly outperforms Base (p < .05, paired t-test) on all 6 domains. ⇒ exactly 6 of 6 by count at .05
Lex is significantly better on a majority of 5 out of 6 domains. ⇒ refuse
Lex is significantly better on all 5 of 6 domains. ⇒ refuse
Lex vs. Base: p < .05 on 5 of 6 domains ⇒ exactly 5 of 6 by count at .05 for differ
Gains of +0.5 to +2.0 BLEU on 5 of 6 domains are significant. ⇒ exactly 5 of 6 by count
Lex improves over Base by 1.2 points on average across 6 domains. ⇒ refuse
Lex outperforms Base by 1.2 F1 on average over all domains. ⇒ refuse
Lex outperforms Base by 1.2 points on average on 5 of 6 domains. ⇒ at least 5 of 6
Lex is significantly better on 5 of 6 domains (q < .05). ⇒ exactly 5 of 6 by benjamini-hochberg at .05
Lex is significantly better on 5 of 6 domains at an FDR of 1%.
    ⇒ exactly 5 of 6 by benjamini-hochberg at .01
Gains of 0.5–1.2 BLEU on all 6 domains are significant at p < 0.01. ⇒ exactly 6 of 6 by count at .01
Lex is significantly better on both Web domains. ⇒ refuse
No significant difference was found between both systems on Web. ⇒ not significant Web
All differences but that on Web are significant. ⇒ significant News; Fiction; Speech; Legal; Medical for differ
All differences except the one on Web are significant.
    ⇒ significant News; Fiction; Speech; Legal; Medical for differ
Lex is significantly better on all domains except Web, where the difference is not significant. ⇒ refuse
Lex wins on 5 of 6 domains (p < .05, sign test). ⇒ refuse
Lex is better on 5 of 6 domains, a significant difference by the Wilcoxon signed-rank test. ⇒ refuse
Lex significantly improves over Base on 5 of 6 domains (p < .05, sign test). ⇒ exactly 5 of 6 by count at .05
4 of 6 gains are significant (sign test, p < .05). ⇒ exactly 4 of 6 by count at .05
Four differences survive Bonferroni correction (p < .008). ⇒ exactly 4 by bonferroni-correction at .05 for differ
5 of 6 comparisons are significant (p = .1). ⇒ exactly 5 of 6 by count at .1 for differ
Among the 6 domains, Lex outperforms Base in 5. ⇒ at least 5 of 6
Lex significantly outperforms Base on 5 domains (p < 2 · 10⁻⁴). ⇒ exactly 5 by count at .0002
Lex significantly outperforms Base on 5 domains (p < 10−3). ⇒ exactly 5 by count at .001
""")
ABSTRACTS = (
    (("Lex", "Base"), ("News", "Web", "Fiction", "Speech", "Legal", "Medical"), _OF_REVIEWS),
    (
        ("XGLM-A", "mBERT"),
        ("German", "Hindi", "Swahili", "Thai", "Urdu", "Finnish", "Korean", "Basque", "Tamil"),
        _OF_LANGUAGES,
    ),
    (("SLIM", "RoBERTa"), ("CoNLL-03", "OntoNotes", "WNUT-17", "FiNER", "BC5CDR", "NCBI"), _OF_BENCHMARKS),
)  # fmt: skip

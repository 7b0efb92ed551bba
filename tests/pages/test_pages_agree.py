"""One fact, one value: what the pages, the report, the command line and the JSON say of one analysis.

A walk over settings looks at every place that states a count, a name, a test, how exact it is, a
direction, or which system is A, and compares what it finds there.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from core.analysis import Analysis, AnalysisSettings, Origin, analyse, statements
from core.command_line.running import answer_lines
from core.data import PValueTable, ResultSet, read_results
from core.data.samples import read_sample
from core.export.as_json import as_json
from core.export.report import markdown_report
from core.methods.results import methods_paragraphs, results_sentences
from core.types import Dependence
from core.words.testing import title_of_test
from tests.pages.opened import (
    answer,
    drop,
    go_to,
    of_class,
    open_app,
    press,
    results,
    run,
    set_alpha,
    set_dependence,
    text,
    when_tested,
)

SETTINGS: tuple[tuple[float, Dependence], ...] = (
    (0.05, "independent"),
    (0.01, "not-known"),
    (0.1, "positive"),
)
# Their p-values approximate, as the sentence about every count says, however they are computed.
APPROXIMATE = (
    "paired-bootstrap",
    "paired-t",
    "mcnemar-mid-p",
    "mcnemar-chi2",
    "williams",
    "steiger",
)


@dataclass
class Facts:
    """What each place says of each fact."""

    said: dict[str, dict[str, Any]] = field(default_factory=lambda: defaultdict(dict))

    def add(self, place: str, **facts: Any) -> None:
        for fact, value in facts.items():
            self.said[fact][place] = value

    def disagreements(self) -> list[str]:
        """Facts of which two places say something else."""
        return [
            f"{fact}: {places}"
            for fact, places in self.said.items()
            if any(value != next(iter(places.values())) for value in places.values())
        ]


def analysed(key: str, settings: AnalysisSettings) -> Analysis:
    sample, content = read_sample(key)
    data = read_results(content, name=sample.file_name)
    assert isinstance(data, PValueTable | ResultSet)
    return analyse(data, settings, origin=Origin(title=sample.title))


def cases(
    sample: str, test: str, levels: tuple[tuple[float, Dependence], ...]
) -> Iterator[tuple[AnalysisSettings, AppTest]]:
    """The app with each of the settings, one after the other."""
    app = open_app(sample=sample, test="" if test == "auto" else test, resamples="199")
    when_tested(app)
    for swapped in (False, True):
        if swapped:
            press(go_to(app, "pages/upload.py"), "Swap A and B")
        for alpha, dependence in levels:
            set_dependence(set_alpha(go_to(app, "pages/upload.py"), alpha), dependence)
            settings = AnalysisSettings(
                alpha=alpha, dependence=dependence, swapped=swapped, test=test, n_resamples=199
            )
            yield settings, app


def numbers_of(tile: str) -> list[int]:
    """How many of A and B, or of one, a tile or a sentence on the common practice counts."""
    both = re.search(r"A (\d+), B (\d+) of \d+", tile)
    if both:
        return [int(both[1]), int(both[2])]
    return [int(n) for n in re.findall(r" on (\d+)", tile.partition(". ")[0])]


def whose(words: str, analysis: Analysis) -> str:
    """The claim that a label such as "ours better" stands for."""
    a, b = analysis.subject.system_a, analysis.subject.system_b
    label = words.partition(" (p-values")[0]
    return {f"{a} better": "a-better", f"{b} better": "b-better"}.get(label, "differ")


def figures(app: AppTest) -> dict[str, dict[str, Any]]:
    """The charts of a page, by the beginning of what their axis says."""
    specs = [json.loads(one.proto.spec) for one in app.get("plotly_chart")]
    return {
        spec["layout"]["xaxis"].get("title", {}).get("text", "").partition(" ")[0]: spec
        for spec in specs
    }


def on_the_first_page(app: AppTest, analysis: Analysis, facts: Facts) -> None:
    facts.add("first page", lead=answer(app))
    tiles = of_class(app, "verdict-tile")
    for tile in tiles:
        if tile.startswith("Common practice"):
            facts.add("first page", practice=numbers_of(tile), counted=tile.partition(" on ")[0])
    sides = [tile for tile in tiles if tile[:2] in ("A ", "B ")]
    facts.add("first page", sides=max(1, len(sides)), n=sizes(tiles[0]))
    systems = f"A {analysis.subject.system_a} B {analysis.subject.system_b}"
    facts.add("sidebar", systems=systems in " ".join(text(app).split()))


def sizes(words: str) -> int:
    """N, as "at least 3 of 10", "all 7" or "none shown of 8" has it."""
    return int(re.findall(r"(?: of|all) (\d+)", words)[0])


def on_counting(app: AppTest, analysis: Analysis, facts: Facts) -> None:
    facts.add("Counting", lead=answer(app))
    tiles = of_class(app, "verdict-tile")
    (practice,) = [tile for tile in tiles if tile.startswith("Common practice")]
    facts.add("Counting", practice=numbers_of(practice), counted=practice.partition(" on ")[0])
    in_front = [tile for tile in tiles if "confidence" in tile or "approximate" in tile]
    facts.add("Counting", sides=len(in_front), n=sizes(in_front[0]))
    k_hats = [int(re.findall(r"k̂ = (\d+)", tile)[0]) for tile in in_front]
    facts.add("Counting", k_hats=k_hats)
    facts.add(
        "core", k_hats=[q.answer.k_hat for q in statements.stated(analysis, analysis.questions[0])]
    )
    claim_of_chart(app, analysis, facts)
    said = text(app)
    facts.add("Counting", both_at_once=len(in_front) == 2, systems=True)
    facts.add("its bar", both_at_once="Both directions at once" in said)


def claim_of_chart(app: AppTest, analysis: Analysis, facts: Facts) -> None:
    """Whose claim the staircase draws, and whose the selector holds."""
    drawn = figures(app)["u:"]
    axis = drawn["layout"]["xaxis"]["title"]["text"].removeprefix("u: ")
    letters = {"A": "a-better", "B": "b-better", "t": "differ"}
    facts.add("staircase", claim=letters[axis[0]])
    facts.add("core", claim=analysis.question.claim, k_hat=analysis.question.answer.k_hat)
    front = next(trace for trace in drawn["data"] if trace["line"]["width"] == 3)
    facts.add("staircase", k_hat=int(front["name"].rpartition("= ")[2]))
    for box in app.selectbox:
        if box.label == "Claim":
            labels = dict(zip([q.key for q in analysis.questions], box.options, strict=True))
            facts.add("selector", claim=whose(labels[str(box.value)], analysis))


def scores_in(table: pd.DataFrame) -> dict[str, list[float]]:
    """A's and B's scores to three decimals, as tables have different numbers of them."""
    scores = table[["A", "B"]].apply(lambda column: column.str.replace("−", "-").astype(float))
    return dict(zip(table["dataset"], scores.round(3).to_numpy().tolist(), strict=True))


def p_values_in(table: pd.DataFrame, column: str = "") -> dict[str, str]:
    """Of each dataset the p-value of a column, or of the only one for a claim."""
    column = column or next(name for name in map(str, table) if name.startswith("p ("))
    return dict(zip(table["dataset"], table[column], strict=True))


def on_identification(app: AppTest, analysis: Analysis, facts: Facts) -> None:
    lead = answer(app)
    table = results(app)
    marked = set(table["dataset"][table["significant"].str.startswith("★")])
    facts.add("Identification", names=marked)
    question = analysis.question
    holm = analysis.identification(question, "holm").rejected
    facts.add("core", names={analysis.table.datasets[i] for i in holm.nonzero()[0]})
    counted = re.search(r" on (?:all )?(\d+)(?: of \d+)? datasets", lead)
    ladder = next(spec for spec in figures(app).values() if "threshold (Holm)" in str(spec))
    (stars,) = [
        trace["name"]
        for trace in ladder["data"]
        if trace.get("name", "").startswith("★ significant")
    ]
    facts.add("its lead", n_names=int(counted[1]) if counted else 0)
    facts.add("its chart", n_names=int(re.findall(r"\((\d+)\)", stars)[0]))
    facts.add("its table", n_names=len(marked))
    facts.add("Identification", sides=1 + ("Both directions together" in text(app)))
    if question.claim != "differ":
        better = analysis.subject.claim(question.claim)
        facts.add("Identification", systems=better in lead.replace(" significantly", ""))
    if not analysis.printed and question.claim != "differ":
        facts.add("Identification", p_values=p_values_in(table))
        facts.add("Identification", scores=scores_in(table))


def on_tests(app: AppTest, analysis: Analysis, facts: Facts) -> None:
    said, lead = text(app), answer(app)
    results = [result for result in analysis.table.results or () if result is not None]
    facts.add("core", tests={title_of_test(result.test) for result in results})
    rows = app.dataframe[0].value
    on_all = re.findall(r"Test on every dataset: (.*?)\.", said)
    facts.add("Tests", tests=set(on_all) if on_all else set(rows["test"]))
    chosen = re.findall(r"Chosen by hand: (.*?)\. ", said)
    facts.add("Tests", chosen=[name[:1].lower() + name[1:] for name in chosen])
    by_hand = analysis.settings.test
    name = [] if by_hand == "auto" else [title_of_test(by_hand)]
    facts.add("core", chosen=[each[:1].lower() + each[1:] for each in name])
    exact = all(result.exact and result.test not in APPROXIMATE for result in results)
    facts.add("core", exact=exact)
    facts.add("Tests", exact="Every p-value is exact." in said)
    facts.add("methods", exact="he p-values are exact." in " ".join(methods_paragraphs(analysis)))
    a, b = analysis.subject.system_a, analysis.subject.system_b
    facts.add("Tests", systems=f"A is {a}, B is {b}." in said)
    counts = re.search(r"counts (\d+) and (\d+)\.", lead)
    assert counts is not None, lead
    facts.add("Tests", practice_of_both=[int(counts[1]), int(counts[2])])
    facts.add("by hand", practice_of_both=practice_by_hand(analysis))
    facts.add("Tests", n=int(re.findall(r" of (\d+) for", lead)[0]))
    letter = "B" if analysis.question.claim == "b-better" else "A"
    facts.add("Tests", p_values=p_values_in(rows, f"p ({letter} better)"))
    facts.add("Tests", scores=scores_in(rows))
    small = re.search(rf"with a one-sided p ≤ \S+: (\d+) of \d+ for {a} better", lead)
    facts.add("Tests", one_sided_of_a=None if small is None else int(small[1]))
    facts.add("Tests", other_interval="normal intervals of these differences" in said)


def on_other_pages(app: AppTest, analysis: Analysis, facts: Facts) -> None:
    """The average effect: of the same systems, in the same direction."""
    a, small = analysis.subject.system_a, analysis.table.p_values <= analysis.settings.alpha
    facts.add("by hand", one_sided_of_a=int(small.sum()))
    for study in go_to(app, "pages/effect_size.py").session_state["dashboard"].work.values():
        assert study.wait(60)
    lead = answer(run(app))
    ahead = str(app.dataframe[0].value.iloc[0, 1]).startswith("+")
    facts.add("Effect size", a_ahead=lead.startswith(f"{a} is ahead"))
    facts.add("its table", a_ahead=ahead)
    facts.add("its caption", other_interval="interval beside its test" in text(app))


def practice_by_hand(analysis: Analysis) -> list[int]:
    """Two-sided p ≤ α with A ahead, and with B ahead, from the tests themselves."""
    differences = analysis.table.differences
    assert differences is not None
    small = [
        result is not None and result.p_value_two_sided <= analysis.settings.alpha
        for result in analysis.table.results or ()
    ]
    return [
        sum(p and sign * d > 0.0 for p, d in zip(small, differences, strict=True))
        for sign in (1.0, -1.0)
    ]


def in_what_is_taken_away(analysis: Analysis, facts: Facts) -> None:
    question = analysis.questions[0]
    lead = facts.said["lead"]["first page"]
    lines = list(answer_lines(analysis))
    report = markdown_report(analysis).replace("\\", "")
    made = as_json(analysis)
    facts.add("command line", lead=lead if lead in lines else lines)
    facts.add("Markdown", lead=lead if lead in report else "not in it")
    facts.add("JSON", lead=made["verdict"]["sentence"])
    stated = statements.stated(analysis, question)
    paragraph = " ".join(results_sentences(analysis))
    counts = [each.answer.k_hat for each in stated]
    n = made["compared"]["n_datasets"]
    facts.add("core", counts=counts)
    facts.add(
        "result paragraph",
        counts=[
            k
            if not k or re.search(rf"at least {k}\b" if k < n else r"\ball\b", paragraph)
            else "none"
            for k in counts
        ],
    )
    facts.add("core", practice=[each.answer.practice.n for each in stated])
    by_key = {each["key"]: each for each in made["questions"]}
    facts.add("JSON", practice=[by_key[each.key]["common_practice"]["n"] for each in stated])
    facts.add("JSON", sides=1 + made["assessment"]["shows_both_sides"])
    facts.add("JSON", claim=by_key[made["question"]]["claim"])
    facts.add("JSON", names=set(by_key[made["question"]]["identification"]["named"]))
    facts.add("JSON", n=made["compared"]["n_datasets"])
    sentence = statements.common_practice(analysis, question)
    facts.add("sentence", practice=numbers_of(sentence))
    facts.add("Markdown", practice=numbers_of(sentence) if sentence in report else "not in it")


def on_all_others(app: AppTest, analysis: Analysis, facts: Facts) -> None:
    """What is said beyond the first page, on others and in what is taken away."""
    on_counting(go_to(app, "pages/counting.py"), analysis, facts)
    on_identification(go_to(app, "pages/identification.py"), analysis, facts)
    facts.add("Report", lead=answer(go_to(app, "pages/report.py")))
    if not analysis.printed:
        on_tests(go_to(app, "pages/per_dataset_tests.py"), analysis, facts)
        on_other_pages(app, analysis, facts)
    in_what_is_taken_away(analysis, facts)


SAMPLES = [
    ("parsing-redshift", "auto"),
    ("pos-tagging", "auto"),
    ("word-similarity", "auto"),
    ("simulated-accuracy", "auto"),
    ("simulated-accuracy", "paired-bootstrap"),
    ("simulated-sentences", "auto"),
    ("simulated-similarity", "auto"),
]


@pytest.mark.parametrize(("sample", "test"), SAMPLES)
def test_all_places_say_the_same_of_one_analysis(sample: str, test: str) -> None:
    wrong: list[str] = []
    sides: dict[bool, set[int]] = {False: set(), True: set()}
    counts: dict[tuple[bool, float], list[tuple[int, int]]] = {}
    # Each setting with samples of every kind; all three with one.
    left_out = SAMPLES.index((sample, test))
    settings = tuple(each for i, each in enumerate(SETTINGS) if i != left_out % 4)
    for number, (case, app) in enumerate(cases(sample, test, settings), start=left_out):
        analysis = analysed(sample, case)
        facts = Facts()
        on_the_first_page(app, analysis, facts)
        # Each setting with A and B either way around with samples of every kind.
        if (number + case.swapped) % 2:
            on_all_others(app, analysis, facts)
        wrong += [f"{sample}, {case}: {each}" for each in facts.disagreements()]
        sides[case.swapped].add(facts.said["sides"]["first page"])
        answers = (analysis.assessment.answer_a, analysis.assessment.answer_b)
        counts[case.swapped, case.alpha] = [
            (each.k_hat, each.practice.n) for each in answers if each is not None
        ]
    # α does not decide which directions are stated, and an exchange only exchanges them.
    if any(len(each) != 1 for each in sides.values()):
        wrong.append(f"directions come and go: {sides}")
    for (swapped, alpha), found in counts.items():
        if found != counts[not swapped, alpha][::-1]:
            wrong.append(f"exchanged at {alpha}: {found}, {counts[not swapped, alpha]}")
    assert not wrong, "\n".join(wrong)


def small_gains_and_rare_losses() -> bytes:
    """Nine gains of .02 or .03 and one loss of .4 in ten: ranks and signs for ours, the mean not."""
    gains = [20, 30, 20, 30, 20, 30, 20, 30, 20, -400]
    rows = [
        f"d{d},{i},{500 + i * i % 131 + gains[i % 10] + d},{500 + i * i % 131}"
        for d in range(4)
        for i in range(60)
    ]
    return "\n".join(["dataset,example,ours,base", *rows]).encode()


def drawn_words(app: AppTest) -> list[str]:
    """Sentences, headings of tables and the words of charts."""
    specs = [one.proto.spec for one in app.get("plotly_chart")]
    headings = [str(column) for one in app.dataframe for column in one.value.columns]
    return [*text(app).split("\n"), *headings, *specs]


def test_by_wilcoxon_every_page_says_what_contradicts_it_and_none_that_a_system_is_better() -> None:
    app = drop(open_app(test="wilcoxon", resamples="99"), "s.csv", small_gains_and_rare_losses())
    when_tested(app)
    claim = "ours tends to score higher"
    claimed = re.compile(r"\b(A|B|ours|base) (is )?better\b")
    directed = ("upload", "per_dataset_tests", "counting", "identification", "report")
    for page in (*directed, "reliability", "check_a_claim", "effect_size", "systems"):
        go_to(app, f"pages/{page}.py")
        when_tested(app)
        # The sidebar's choice of a claim claims nothing.
        shown = [one for one in drawn_words(app) if not one.startswith("Claim: ")]
        if page != "effect_size" and page != "systems":
            cautions = [one for one in shown if "with p ≤ .05 for ours" in one]
            assert len(cautions) == 1, (page, cautions)
            assert all(name in cautions[0] for name in ("4", "d0", "d3", "base")), page
            if page in directed:
                assert text(app).index(cautions[0]) < text(app).index(answer(app)), page
        if page in directed and page != "per_dataset_tests":
            assert f"{claim} than base" in answer(app).replace(" significantly", ""), page
        if page == "check_a_claim":
            (lines,) = [one for one in app.text_area if one.label == "One claim per line"]
            lines.set_value("at least 4 for ours")
            assert "depends" in answer(run(app))
            verdict = " ".join(of_class(app, "claim-verdict"))
            assert claim in verdict
            assert "is better on" not in verdict
            # Its examples of claims are written in a paper's words.
            continue
        found = [match.group() for one in shown for match in claimed.finditer(one)]
        # The claims that can be chosen are written of A and B.
        generic = {"A better", *(["A is better"] if page == "counting" else [])}
        assert set(found) <= generic, (page, found)

"""Per-example scores are recognised by their columns and read whole, or refused with every reason."""

import pytest

from core.data import PValueTable, ResultSet, read_results
from core.data.score_table import ScoreTable
from core.errors import DataError
from tests.core.data.layouts.texts import problems_of, read, refused

START = "dataset,example,A,B\n"


def scores_under(header: str, more: str = "", n: int = 6) -> bytes:
    """A file whose columns behind the first hold .91, .9, .8 and .7, with more behind each row."""
    width = header.count(",") - more.count(",")
    rows = [
        ",".join(f"{score}{i}" for score in (".91", ".9", ".8", ".7")[:width]) for i in range(n)
    ]
    return "\n".join([header, *(f"d{i},{row}{more}" for i, row in enumerate(rows))]).encode()


def systems_of(content: bytes, **roles: object) -> tuple[str, ...]:
    found = read_results(content, roles=roles)
    if isinstance(found, PValueTable):
        return found.system_a, found.system_b
    assert isinstance(found, ResultSet | ScoreTable)
    return found.systems


def test_beyond_a_thousand_the_wrong_cells_of_a_column_are_counted():
    rows = "".join(f"x,{i},{'' if i < 1500 else 1},0\n" for i in range(4000))
    problems = problems_of(START + rows)
    assert len(problems) == 1001
    assert "500 more cells of 'A'" in problems[-1]


def test_too_many_datasets_are_a_problem_with_the_limit():
    text = START + "".join(f"x{i},1,1,0\n" for i in range(10_001))
    (problem,) = problems_of(text)
    assert problem.startswith("Column 'dataset'")
    assert "10,001 datasets; at most 10,000" in problem


def test_a_long_file_is_read():
    n = 120_000
    text = START + "".join(f"d{i % 3},{i},{i % 2},{i % 5 == 0:d}\n" for i in range(n))
    results = read(text)
    assert [results.n_examples(dataset) for dataset in results.datasets] == [n // 3] * 3
    assert results.examples("d1")[:2] == ("1", "4")
    assert results.scores("d1", "A")[:2].tolist() == [1.0, 0.0]


def test_numbers_too_large_to_compute_with_are_named_cell_by_cell_in_every_kind_of_file():
    for text, n in (
        (START + "x,1,1e308,2e307\nx,2,1e308,1\n", 3),
        (START + "x,1,1e308,1e200\nx,2,2e308,1e200\n", 4),
        (START + "x,1,.5e400,+1e400\nx,2,−1e400,1e+999%\n", 4),
        ("dataset,ours,base,p_value\nx,1e300,2e300,.01\ny,1e300,1,.2\n", 3),
    ):
        problems = problems_of(text)
        assert len(problems) == n, text
        assert all("is out of range" in one and "line" in one for one in problems), text


@pytest.mark.parametrize(
    ("levels", "systems"),
    [
        ((".05", "0.05"), ("Ours", "Base")),
        ((".05", ".01"), ("Ours", "Base")),
        (("91.5", "86.0"), ("Alpha", "Base")),
        (("91.5", "91.5"), ("Alpha", "Base")),
    ],
    ids=["level", "levels", "system", "one score"],
)
def test_a_column_called_alpha_is_a_system_unless_its_numbers_are_levels(
    levels: tuple[str, str], systems: tuple[str, str]
) -> None:
    own = ",Ours" if "Ours" in systems else ""
    rows = [
        f"{name},{level}{f',{score}' if own else ''},90.0,{p}\n"
        for name, level, score, p in zip("xy", levels, (91.0, 85.0), (0.004, 0.03), strict=True)
    ]
    found = read_results(f"dataset,Alpha{own},Base,p_value\n{''.join(rows)}".encode())
    assert isinstance(found, PValueTable)
    assert (found.system_a, found.system_b) == systems


@pytest.mark.parametrize(
    ("headings", "systems"),
    [
        ("ours_mean,ours_std,base_mean,base_std", ("ours_mean", "base_mean")),
        ("ours,std ours,base,std base", ("ours", "base")),
        ("Ours (acc),Ours stderr,Base (acc),Base stderr", ("Ours (acc)", "Base (acc)")),
        ("a mean,a SE,b mean,b SE", ("a mean", "b mean")),
        ("a,rank,b,rank.1", ("a", "b")),
        ("a,b,a_lower,a upper", ("a", "b")),
        ("a,oursStd,b,ours", ("a", "b", "ours")),
        # Names of systems.
        ("T5,GPT,RankT5,RankGPT", ("T5", "GPT", "RankT5", "RankGPT")),
        ("LowRank,Low", ("LowRank", "Low")),
        ("BERT,BERT-CI CD", ("BERT", "BERT-CI CD")),
        ("Model upper,Model", ("Model upper", "Model")),
        ("T.5,T.6", ("T.5", "T.6")),
        ("#train,a,b,#params (M)", ("a", "b")),
        ("improvement,a,b,Rel. gain (%)", ("a", "b")),
        ("shots,a,b,support", ("a", "b")),
        ("a,b,rank_a,rank_b", ("a", "b")),
        ("a,a 95% CI,b,b CI95", ("a", "b")),
        ("a,a__MIN,a__MAX,b", ("a", "b")),
        ("a,b,a max", ("a", "b", "a max")),
        # Self-distillation, and a name that only holds the word.
        ("BERT,BERT SD,x,y", ("BERT", "BERT SD", "x", "y")),
        ("ours,ours-std-attention,x,y", ("ours", "ours-std-attention", "x", "y")),
    ],
)
@pytest.mark.parametrize("p", ["", ",.02"])
def test_spreads_ranks_and_sizes_are_no_systems(headings, systems, p):
    content = scores_under(f"dataset,{headings}{',p' if p else ''}", p, n=4)
    if p and len(systems) > 2:
        # Of which two the p-values are, nothing says.
        choices = refused(content.decode()).choices
        offered = [[name for name, _ in choice.options] for choice in choices]
        assert offered == [list(systems)] * 2
    else:
        assert systems_of(content) == systems


@pytest.mark.parametrize("first", ["dataset", "example"])
@pytest.mark.parametrize(
    ("heading", "why"),
    [
        ("cost", "what systems cost"),
        ("A latency (ms)", "what systems cost"),
        ("best", "the average or best of the systems"),
        ("avg", "the average or best of the systems"),
        ("A conf", "how sure systems were"),
    ],
)
def test_costs_averages_and_bests_are_set_aside_with_the_reason(first, heading, why):
    found = read_results(scores_under(f"{first},A,B,{heading}"))
    assert isinstance(found, (ResultSet, ScoreTable))
    assert found.systems == ("A", "B")
    assert found.reading is not None
    assert f"{heading!r} is no system: its heading names {why}." in found.reading.remarks


@pytest.mark.parametrize("first", ["dataset", "example"])
@pytest.mark.parametrize(
    "headings",
    ["A_seed1,A_seed2,B_seed1,B_seed2", "seed_1_A,seed_2_A,seed_1_B,seed_2_B",
     "A run1,A run2,B run1,B run2", "A (seed 1),A (seed 2),B (seed 1),B (seed 2)", "A/fold1,A/fold2,B/fold1,B/fold2", "A_s0,A_s1,B_s0,B_s1", "A dev,A test,B dev,B test"],
)  # fmt: skip
def test_columns_of_runs_and_splits_are_no_systems_until_someone_says_so(first, headings):
    text = scores_under(f"{first},{headings}")
    with pytest.raises(DataError, match="of each of 'A', 'B'") as caught:
        read_results(text, roles={"name_order": "system"})
    one, every = caught.value.findings[0].choices
    names = tuple(headings.split(","))
    for choice, value, systems in (
        (one, one.options[0][0], names[::2]),
        (one, one.options[1][0], names[1::2]),
        (every, every.options[0][0], names),
    ):
        assert systems_of(text, **{choice.role: value}, name_order="system") == systems


@pytest.mark.parametrize(
    "headings", ["P,R,F1", "P,R,F", "P,R,F-score", "eval/acc,eval/f1,eval/mcc"]
)
def test_columns_of_metrics_alone_are_no_systems_until_someone_says_so(headings):
    text = scores_under(f"dataset,{headings}")
    with pytest.raises(DataError, match="names of metrics and not of systems") as caught:
        read_results(text)
    ((choice,),) = (finding.choices for finding in caught.value.findings)
    # As "P" beside "R" and "F1" shows, its numbers are no p-values.
    assert systems_of(text, **{choice.role: choice.options[0][0]}) == tuple(headings.split(","))


@pytest.mark.parametrize("first", ["dataset", "example"])
@pytest.mark.parametrize("headings", ["Memory A,A,B", "A,A margin,B", "A,A time"])
def test_what_may_be_a_system_or_belong_to_another_one_is_asked_and_all_may_be(first, headings):
    text = scores_under(f"{first},{headings}")
    with pytest.raises(DataError, match="may belong to the same system as 'A'") as caught:
        read_results(text)
    for choice in caught.value.findings[0].choices:
        read_as = systems_of(text, **{choice.role: choice.options[0][0]})
    assert read_as == tuple(headings.split(","))


def test_a_column_taken_for_a_spread_is_named_with_the_one_that_it_is_of():
    found = read_results(b"dataset,a,a_std,b\nx,91,1,90\ny,81,2,80\n")
    assert found.reading is not None
    assert "Taken for a spread, bound or rank by the heading: 'a_std' of 'a'." in (
        found.reading.remarks
    )


@pytest.mark.parametrize(
    "p", [(".01", "1.2", "3"), ("<.001", "<.001", "1.2"), (".01", "n.s.", "7")]
)
def test_wrong_p_values_beside_larger_scores_are_no_scores_of_a_system(p):
    rows = (f"d{i},8{i}.5,7{i}.5,{one}\n" for i, one in enumerate(p))
    with pytest.raises(DataError, match="lies outside 0 to 1"):
        read_results(f"dataset,A,B,p\n{''.join(rows)}".encode())


@pytest.mark.parametrize(
    ("header", "names", "systems"),
    [
        ("dataset,en,de,sd", "xy", ("en", "de")),
        ("dataset,no,en,de", "xy", ("no", "en", "de")),
        # Of examples they may be ids, unless something else is.
        ("dataset,id,en,de", "xxyy", ("en", "de")),
        ("dataset,example,id,en,de", "xxyy", ("id", "en", "de")),
    ],
)
def test_words_that_are_codes_of_languages_too_hold_scores_only_where_they_are_neither_ids_nor_spreads(
    header, names, systems
):
    n = len(systems) + (systems[0] == "en")
    rows = (
        [
            name,
            *([f"s{i}"] if "example" in header else []),
            *(f"{j + 1}{i}.{i + 1}" for j in range(n)),
        ]
        for i, name in enumerate(names)
    )
    text = "\n".join([header, *map(",".join, rows)])
    found = read_results(text.encode())
    assert isinstance(found, (ScoreTable, ResultSet))
    assert found.systems == systems


@pytest.mark.parametrize(
    ("header", "wrong"),
    [
        ("dataset,ours accuracy,base accuracy,p", {"191", "-5"}),
        ("dataset,ours F1,base F1,other F1", {"191", "-5"}),
        ("dataset,ours,base,p", set()),
        ("dataset,ours MCC,base MCC,p", set()),
        ("dataset,accuracy gain of ours,accuracy gain of base,p", set()),
    ],
)
def test_scores_that_are_shares_lie_from_0_to_100(header, wrong):
    text = f"{header}\na,90,89,.01\nb,191,90,.03\nc,-5,90,.03\n"
    if wrong:
        problems = problems_of(text)
        assert [f"'{cell}' lies outside 0 to 100" in one for cell in wrong for one in problems]
        assert [one.split(":")[0].split(", ")[::2] for one in problems] == [
            ["Dataset 'b'", "line 3"], ["Dataset 'c'", "line 4"]
        ]  # fmt: skip
    else:
        assert read_results(text.encode()).datasets == ("a", "b", "c")


def test_what_runs_cost_is_no_metric_beside_others():
    rows = "".join(
        f"{d},{m},{s},{1000 + s},.{s}\n" for d in "xy" for m in "AB" for s in range(1, 4)
    )
    text = f"dataset,model,seed,Runtime,eval/accuracy\n{rows}"
    assert read(text).metrics == ("eval/accuracy",)
    alone = read_results(b"dataset,system,runtime\nx,A,2\nx,B,3\ny,A,2\ny,B,3\n")
    assert isinstance(alone, ScoreTable)
    assert (alone.metric, alone.higher_is_better) == ("runtime", False)


@pytest.mark.parametrize("heading", ["Step", "epoch", "global_step"])
@pytest.mark.parametrize("in_rows", [True, False])
def test_steps_of_training_are_examples_only_where_someone_says_so(heading, in_rows):
    steps = range(1, 13)
    text = f"{heading},ours,base\n" + "".join(f"{i},.{70 + i},.{60 + i}\n" for i in steps)
    if in_rows:
        rows = (f"x,{m},{i},.{70 + i}\n" for m in ("ours", "base") for i in steps)
        text = f"dataset,model,{heading},acc\n{''.join(rows)}"
    error = refused(text)
    assert "steps of training are no examples" in str(error)
    (choice,) = error.choices
    results = read(text, **{choice.role: choice.options[0][0]})
    assert results.n_examples(results.datasets[0]) == len(steps)

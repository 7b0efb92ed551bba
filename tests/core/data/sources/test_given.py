"""Files without results beside results are set aside by name; what may hold results never is."""

from core.data.sources.files import SourceFile, kind_of_name, kind_of_text

LOG = (
    "2024-05-01 12:00:00,123 - INFO - start\n2024-05-01 12:03:09,456 - INFO - epoch 1, loss 0.31\n"
)
PROSE = (
    "These are the results of the second run, made on the first of May.\n\n"
    "The seed was three, and the temperature was left as it is.\n"
)


def file(name: str, content: str) -> SourceFile:
    return SourceFile(name=name, content=content.encode())


def test_tables_and_lists_are_never_taken_for_prose():
    for name, content in [
        ("a.log", "0.5\n0.25\n0.125\n"),
        ("a.log", "score\n0.5\n0.25\n0.125\n"),
        ("a.txt", "entailment\nneutral\nentailment\n"),
        ("a.txt", "id\ttext\tscore\n" + "1\tthis is a long text of words.\t0.5\n" * 9),
        ("a.txt", "id,said\n" + "1,this is a long text of words.\n" * 9),
        ("a.txt", "gold;said\n" + "yes;this is a long text of words\n" * 9),
        ("a.txt", "301 Q0 FT1 1 4.5 bm25\n" * 5),
        ("a.csv", PROSE),
        ("a.out", "1 0\n1 1\n"),
        ("a.txt", ""),
    ]:
        assert kind_of_text(file(name, content)) == "", (name, content)


def test_logs_and_prose_are_known_by_their_text():
    for name, content, kind in [
        ("a.log", LOG, "log"),
        ("a.txt", PROSE, "running text"),
        ("notes", PROSE, "running text"),
        ("a.err", "", "log"),
        ("slurm.out", "12:00:01 loading\n12:00:05 done\n 40%|####   | 4/10\n", "log"),
    ]:
        assert kind_of_text(file(name, content)) == kind, (name, content, kind)


def test_names_that_may_be_those_of_results_say_nothing():
    for name in (
        "results.json", "notice.csv", "environment.csv", "a.pkl", "a.npy", "sst.c", "mrpc.r", "a.tex",
    ):  # fmt: skip
        assert kind_of_name(name) == "", name

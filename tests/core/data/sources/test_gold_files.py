"""Which file is gold and which dataset and system the others are of, by their names."""

import pytest

from core.data.sources.gold_files import SOURCE, named_as, place, plainly_named
from core.errors import DataError
from tests.core.data.tools.files_of import nothing_yet

Placed = dict[str, tuple[list[str], dict[str, str]]]


def placed(*paths: str) -> Placed:
    gold, source = named_as(paths), named_as(paths, SOURCE)
    systems = [p for p in range(len(paths)) if p not in gold and p not in source]
    found = place(paths, gold=gold, systems=systems, whole="whole", answers=nothing_yet())
    return {
        dataset: (
            [paths[p] for p in found.gold[dataset]],
            {system: paths[p] for system, p in own.items()},
        )
        for dataset, own in found.systems.items()
    }


def test_gold_tells_datasets_from_systems() -> None:
    for gold, output in [
        ("{d}/ref.txt", "{d}/{s}.txt"),
        ("refs/{d}.txt", "{s}/{d}.txt"),
        ("{d}.ref", "{d}.{s}"),
        ("gold_{d}.conllu", "{s}_{d}.conllu"),
        ("en_{d}-ud/gold.conllu", "en_{d}-ud/{s}.conllu"),
    ]:
        paths = [gold.format(d=d) for d in ("news", "talks")]
        paths += [output.format(d=d, s=s) for d in ("news", "talks") for s in ("x", "y")]
        found = placed(*paths)
        assert len(found) == 2, (gold, output)
        for (dataset, (own, systems)), name in zip(
            sorted(found.items()), ("news", "talks"), strict=True
        ):
            assert name in dataset, (gold, output)
            assert own == [gold.format(d=name)], (gold, output)
            of_name = [output.format(d=name, s=s) for s in ("x", "y")]
            assert list(systems.values()) == of_name, output


def test_a_dataset_without_gold_and_gold_without_dataset_are_named() -> None:
    with pytest.raises(DataError, match=r"File 't.a': Its name holds none of the gold files'"):
        placed("n.ref", "n.a", "n.b", "t.a", "t.b")
    with pytest.raises(DataError, match=r"File 'other.ref': No system's file has its name"):
        placed("n.ref", "t.ref", "other.ref", "n.a", "n.b", "t.a", "t.b")
    with pytest.raises(DataError, match=r"Dataset 't'.*no file of the system 'b'"):
        placed("n.ref", "t.ref", "n.a", "n.b", "t.a")


def test_only_numbers_and_datasets_beside_the_word_for_gold_say_plainly_that_it_is_gold() -> None:
    for paths, plain in [
        (("ref.txt", "ref-free.txt", "baseline.txt", "ours.txt"), [0]),
        (("test.txt", "target_only.txt", "joint.txt"), []),
        (("target-attention.txt", "baseline.txt", "human.txt"), []),
        (("references.txt", "mbr-no-ref.txt", "baseline.txt"), [0]),
        (("gold.txt", "gold-trained.txt", "silver-trained.txt", "bronze-trained.txt"), [0]),
        (("gold-trained.txt", "silver-trained.txt", "test.txt"), []),
        (("ref.txt", "human_ref.txt", "ours.txt", "theirs.txt"), [0]),
        (("ref1.txt", "ref2.txt", "ours.txt", "theirs.txt"), [0, 1]),
        (("refA.txt", "ref.B.txt", "ours.txt", "theirs.txt"), [0, 1]),
        (("squad.gold.txt", "ours.txt", "theirs.txt"), [0]),
        (("test-ref.de.txt", "ours.txt", "theirs.txt"), [0]),
        (("gold_news", "gold_talks", "a_news", "b_news", "a_talks", "b_talks"), [0, 1]),
        (("news2019-ende-ref.de", "news2019.a.en-de", "news2019.b.en-de"), [0]),
    ]:
        assert plainly_named(paths) == plain, (paths, plain)


def test_what_gold_and_outputs_have_in_common_is_the_datasets() -> None:
    for dataset, gold, output in [
        ("gt23.en-de", "gt23.en-de.ref.refA.de", "gt23.en-de.hyp.{s}.de"),
        ("en_gum-ud-test", "en_gum-ud-test-gold.conllu", "en_gum-ud-test-{s}.conllu"),
        ("wmt22.en-de", "wmt22.en-de.refA.txt", "wmt22.en-de.{s}.txt"),
    ]:
        systems = {name: output.format(s=name) for name in ("GPT4-5shot", "ONLINE-A")}
        assert placed(gold, *systems.values()) == {dataset: ([gold], systems)}, dataset
        other = {"gt23.en-de": "en-de", "wmt22.en-de": "en-de"}.get(dataset, "en_gum")
        paths = [gold, *systems.values()]
        paths += [path.replace(other, "de_gsd") for path in paths]
        found = placed(*paths)
        assert found[dataset] == ([gold], systems), dataset
        assert set(found) == {dataset, dataset.replace(other, "de_gsd")}, dataset


def test_references_into_two_languages_are_of_two_datasets_however_files_end() -> None:
    pairs, systems = ("en-de", "en-fr"), ("nllb", "opus")
    outputs = [f"{system}.{pair}.hyp" for system in systems for pair in pairs]
    assert placed("ref.en-de.txt", "ref.en-fr.txt", *outputs) == {
        pair: ([f"ref.{pair}.txt"], {system: f"{system}.{pair}.hyp" for system in systems})
        for pair in pairs
    }


def test_references_into_two_languages_are_never_two_references_of_one_text() -> None:
    references = [f"newstest2020-en{to}-ref.{to}" for to in ("de", "fr")]
    outputs = [f"newstest2020.en-{to}.{s}.{to}" for to in ("de", "fr") for s in ("NLLB", "OPUS")]
    with pytest.raises(DataError):
        placed(*references, *outputs)

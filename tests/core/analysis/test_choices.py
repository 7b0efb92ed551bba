"""The table of settings names them all, and each survives a bundle and the command line."""

import json
import shlex
from dataclasses import fields, replace

import pytest

from core.analysis import AnalysisSettings, Origin, TestPlan, analyse, analysis_of, plan_of
from core.analysis.settings import CHOICES, TestSettings
from core.command_line.inputs import input_of
from core.command_line.options import _parser, parsed
from core.data import PValueTable
from core.export.as_json import settings_as_json
from core.export.bundle import held
from core.export.record import command_line, settings_list
from tests.core.analysis.unusual import ALL_UNUSUAL, EACH_AND_ALL, FILE, NAME, named, results

DATA = results()
TABLES: dict[object, PValueTable] = {}


def analysed(settings):
    """An analysis with these settings, of tests that are quicker than they say."""
    of = (settings.pair, settings.metric)
    if of not in TABLES:
        quick = AnalysisSettings(
            pair=settings.pair, metric=settings.metric, test="sign", n_resamples=9
        )
        TABLES[of] = analyse(DATA, quick).whole
    return analysis_of(DATA, TABLES[of], settings, origin=Origin(title=NAME, files=(NAME,)))


def test_the_table_has_every_setting():
    assert sorted(CHOICES) == sorted(field.name for field in fields(AnalysisSettings))
    assert {choice.link for choice in CHOICES.values()} >= {"alpha", "swap"}
    assert len({choice.link for choice in CHOICES.values()}) == len(CHOICES)


def test_a_plan_has_every_setting_of_tests_as_it_was_chosen():
    plan = plan_of(DATA, ALL_UNUSUAL)
    for field in fields(TestSettings):
        assert getattr(plan, field.name) == getattr(ALL_UNUSUAL, field.name)
        assert getattr(plan, field.name) != CHOICES[field.name].usual
    own = {field.name for field in fields(TestPlan)} - {
        field.name for field in fields(TestSettings)
    }
    assert own == {"system_a", "system_b", "metric", "skipped"}


@pytest.mark.parametrize("chosen", EACH_AND_ALL, ids=named)
def test_every_setting_survives_a_bundle(chosen):
    assert held(AnalysisSettings, json.loads(json.dumps(settings_as_json(chosen)))) == chosen
    # Of a version that did not have some of them yet.
    assert held(AnalysisSettings, {}) == AnalysisSettings()


@pytest.mark.parametrize("chosen", EACH_AND_ALL, ids=named)
def test_every_setting_survives_the_command_line(chosen):
    analysis = analysed(chosen)
    words = shlex.split(command_line(analysis))
    read = input_of(parsed(words[3:]), ((NAME, FILE),))
    # Of results there is one claim; that one of several survives is a test of the command's.
    assert read.settings == replace(chosen, question="")
    assert read.unused == ()
    listed = [name for name, _ in settings_list(analysis)]
    assert len(set(listed)) == len(listed)


def test_every_setting_but_that_of_systems_is_an_option():
    taken = {action.dest for action in _parser()._actions}
    assert {choice.option for choice in CHOICES.values()} - {""} <= taken
    assert {name for name, choice in CHOICES.items() if not choice.option} == {"swapped", "pair"}


def test_help_tells_the_usual_values_and_those_that_there_are():
    said = {action.dest: action.help or "" for action in _parser()._actions}
    for name in ("alpha", "n_resamples", "seed"):
        assert said[CHOICES[name].option].endswith(f"by default {CHOICES[name].usual}")
    for name in ("dependence", "combination", "procedure", "interval", "estimator", "zeros"):
        listed = said[CHOICES[name].option].split(": ")[-1].replace(" or ", ", ")
        assert tuple(listed.split(", ")) == CHOICES[name].values()


@pytest.mark.parametrize(
    ("test", "name"), [("paired-bootstrap", "estimator"), ("wilcoxon", "zeros")]
)
def test_a_signature_names_a_setting_only_where_it_is_not_usual(test, name):
    for value in CHOICES[name].values():
        chosen = AnalysisSettings(**{"test": test, "n_resamples": 99, name: value})
        analysis = analyse(DATA, chosen)
        said = f"{name}:{value}" in analysis.signature(analysis.question).split("|")
        assert said == (value != CHOICES[name].usual)

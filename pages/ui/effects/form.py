"""The form of the page about effects: which effect, which variance, and what is asked by it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

from core.data import EffectTable, ResultSet
from core.effects.from_results import DEFAULT_RESAMPLES
from core.effects.heterogeneity import tau2_estimator, tau2_names
from core.effects.paired_effect import effect_named, effect_names
from core.metrics.registry import MEAN
from core.validation import names_of
from core.words.reading import unlike_metrics
from pages.ui.frame import prose, state
from pages.ui.frame.session import Data
from pages.ui.work import studies

_MOST_RESAMPLES = 100_000
_VARIANCES = {"closed-form": "closed form", "bootstrap": "paired bootstrap"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the form holds.

    Attributes
    ----------
    effect : str
        Which effect.
    bootstrap : bool
        Whether variances come from a bootstrap.
    n_resamples, seed : int
        Of it.
    maximum : float or None
        The highest possible score, where it was said.
    """

    effect: str = "difference"
    bootstrap: bool = False
    n_resamples: int = DEFAULT_RESAMPLES
    seed: int = 0
    maximum: float | None = None


def key_of(name: str) -> str:
    """A widget's key that another file's widget does not share."""
    return f"effect-{name}-{state.session().n_loaded}"


def asked(data: Data) -> Asked:
    """What is asked for now; what the data do not allow is not asked."""
    usual = offered(data)[0]
    effect: str = state.value(_kind_key(data), usual)
    if effect not in offered(data):
        effect = usual
    needs = isinstance(data, ResultSet) and data.kind_of(state.metric()) != MEAN
    return Asked(
        effect=effect,
        bootstrap=isinstance(data, ResultSet)
        and (needs or state.value("effect-variance", "closed-form") == "bootstrap"),
        n_resamples=int(state.value("effect-resamples", DEFAULT_RESAMPLES)),
        seed=int(state.value("effect-seed", 0)),
        maximum=_maximum() if effect_named(effect).needs_maximum else None,
    )


def asked_tau2() -> str:
    """How the variance between datasets is to be estimated."""
    method: str = state.value("effect-tau2", tau2_names()[0])
    return method


def _typed() -> str:
    return str(state.value(key_of("maximum"), "")).strip()


def _maximum() -> float | None:
    try:
        value = float(_typed().replace(",", ".").removesuffix("%"))
    except ValueError:
        return None
    return value if np.isfinite(value) else None


def unlike(data: Data) -> dict[str, str]:
    """The metric of each dataset that is not left out, where these are not all the same."""
    return unlike_metrics(data.reading, state.chosen_datasets(data))


def _kind_key(data: Data) -> str:
    # What is usual for unlike metrics must not stay where the unlike ones are left out.
    return key_of("kind-own" if unlike(data) else "kind")


def offered(data: Data) -> tuple[str, ...]:
    """Effects that the data allow, the usual one first."""
    if isinstance(data, EffectTable):
        return ("difference",)
    has_spread = isinstance(data, ResultSet) and data.kind_of(state.metric()) == MEAN
    found = [
        each for each in map(effect_named, effect_names()) if has_spread or not each.needs_mean
    ]
    if unlike(data):
        # Unlike metrics have no highest score in common, by which a share could be taken.
        found = [each for each in found if not each.needs_maximum][::-1]
    return names_of(found)


def show(data: Data, *, is_answered: bool) -> None:
    """The form behind a click; open while something other than the usual is asked."""
    has_variances = isinstance(data, (ResultSet, EffectTable))
    usual = asked_tau2() == tau2_names()[0] and asked(data).effect == offered(data)[0]
    with st.expander(
        "Another effect, variance or model" if has_variances else "Another effect",
        expanded=not is_answered or not usual,
        key="section-effect-form",
    ):
        if not isinstance(data, EffectTable):
            _effect(data)
        if isinstance(data, ResultSet):
            _variance(data)
        if has_variances:
            _between_datasets()


def _effect(data: Data) -> None:
    effect = st.selectbox(
        "Effect on each dataset",
        offered(data),
        format_func=lambda name: _capitalised(effect_named(name).title),
        key=_kind_key(data),
        persist_state="session",
    )
    prose.paragraph(effect_named(effect).meaning, quiet=True)
    if not effect_named(effect).needs_maximum:
        return
    st.text_input(
        "Highest possible score, where the metric does not say it",
        key=key_of("maximum"),
        placeholder="1, or 100 for percentages",
        persist_state="session",
    )
    if _typed() and _maximum() is None:
        prose.notice(f"“{_typed()[:40]}” is no number: type 1, or 100 for percentages.")


def _capitalised(title: str) -> str:
    return title[:1].upper() + title[1:]


def _between_datasets() -> None:
    method = st.selectbox(
        "Variance between datasets (τ²) of random effects",
        tau2_names(),
        format_func=lambda name: tau2_estimator(name).title,
        key="effect-tau2",
        persist_state="session",
    )
    prose.paragraph(tau2_estimator(method).meaning, quiet=True)


def _variance(data: ResultSet) -> None:
    if data.kind_of(state.metric()) == MEAN:
        st.selectbox(
            "Variance of each effect",
            list(_VARIANCES),
            format_func=lambda kind: _capitalised(_VARIANCES[kind]),
            key="effect-variance",
            help="In closed form, the variance of the examples' differences over their number. By "
            "bootstrap, that of the effect over resampled test sets; error reductions are ratios, "
            "for which the two differ a little.",
            persist_state="session",
        )
    if not asked(data).bootstrap:
        return
    with st.container(horizontal=True):
        studies.number(
            "Resamples",
            key="effect-resamples",
            value=DEFAULT_RESAMPLES,
            low=2,
            high=_MOST_RESAMPLES,
            step=50,
            help="Søgaard (2013) takes 50, with which the variances are rough.",
            width=150,
        )
        studies.seed("effect", help=None, width=150)

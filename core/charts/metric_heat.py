"""P-values of every metric and test on every dataset, as a table with colour behind it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ..reliability.choices import MetricStudy
from ..reliability.levels import LevelStudy
from ..reliability.pairs import TestedPair
from ..replicability.decision import at_most
from ..words.formatting import format_level, format_p_value
from .theme import (
    LIGHT,
    LOWEST_DRAWN,
    ChartTheme,
    base_layout,
    blended,
    escaped,
    p_clause,
)

if TYPE_CHECKING:
    import plotly.graph_objects as go

# Pixels that a cell needs to be read.
CELL_WIDTH, CELL_HEIGHT = 86, 30
_NAME_WIDTH, _HEAD_HEIGHT, _TIGHT = 150, 120, 0.88
# Upright on a telephone where no more columns than this are needed.
MOST_UPRIGHT_COLUMNS = 3
_MOST_CELLS_WITH_TEXT = 2_000


def metric_heat(
    study: MetricStudy | LevelStudy, *, transposed: bool | None = None, theme: ChartTheme = LIGHT
) -> go.Figure:
    """Draw a cell for each dataset and choice, with its p-value and a sign.

    ★ stands for p <= alpha, ★★ for a pair that Holm's procedure over the whole
    family names, – for p > alpha; an empty cell has no test. `heat_legend` says
    so in words; colour only repeats it.

    Parameters
    ----------
    study : MetricStudy or LevelStudy
        What is drawn: columns are metrics and tests, or levels.
    transposed : bool, optional
        Whether datasets are columns. By default where they are few and the
        choices are many, so that it fits a narrow page.
    theme : ChartTheme
        `LIGHT` or `DARK`.
    """
    import plotly.graph_objects as go

    choices = list(dict.fromkeys(_choice(pair) for pair in study.pairs))
    datasets = list(study.datasets)
    if transposed is None:
        transposed = _transposed(len(choices), len(datasets))
    shape = (len(datasets), len(choices))
    heat, texts = np.full(shape, np.nan), np.full(shape, "", dtype=object)
    hover = np.full(shape, "no test", dtype=object)
    rows = {dataset: row for row, dataset in enumerate(datasets)}
    columns = {choice: column for column, choice in enumerate(choices)}
    family = study.family
    below = at_most(family.p_values, study.alpha).tolist()
    for pair, small, named in zip(study.pairs, below, family.named.tolist(), strict=True):
        place = rows[pair.dataset], columns[_choice(pair)]
        heat[place] = -math.log10(max(pair.counted_p_value, LOWEST_DRAWN))
        sign = "★★" if named else "★" if small else "–"
        texts[place] = (
            "no reach"
            if pair.kept_out
            else f"{sign} {format_p_value(pair.p_value, alpha=study.alpha)}"
        )
        hover[place] = _words(pair, small, named, study.alpha)
    names = [escaped(dataset) for dataset in datasets]
    titles = [_title(choice) for choice in choices]
    if transposed:
        heat, texts, hover, names, titles = heat.T, texts.T, hover.T, titles, names
    with_text = heat.size <= _MOST_CELLS_WITH_TEXT
    figure = go.Figure(
        go.Heatmap(
            z=[[None if math.isnan(v) else v for v in row] for row in heat.tolist()],
            x=list(range(len(titles))),
            y=list(range(len(names))),
            text=texts.tolist(),
            texttemplate="%{text}" if with_text else None,
            textfont={"color": theme.ink, "size": 12},
            customdata=hover.tolist(),
            hovertemplate="%{customdata}<extra></extra>",
            colorscale=[[0.0, theme.page], [1.0, blended(theme.page, theme.a, 0.45)]],
            zmin=0.0,
            zmax=max(4.0, -math.log10(study.alpha / max(1, family.n_pairs))),
            showscale=False,
            xgap=2,
            ygap=2,
            hoverongaps=False,
        )
    )
    base_layout(figure, theme, height=_HEAD_HEIGHT + CELL_HEIGHT * len(names))
    figure.update_xaxes(
        tickvals=list(range(len(titles))),
        ticktext=titles,
        side="top",
        showgrid=False,
        tickangle=-35 if len(titles) > MOST_UPRIGHT_COLUMNS else 0,
        fixedrange=True,
    )
    figure.update_yaxes(
        tickvals=list(range(len(names))),
        ticktext=names,
        autorange="reversed",
        showgrid=False,
        fixedrange=True,
    )
    return figure


def heat_legend(study: MetricStudy | LevelStudy) -> str:
    """What the signs in the cells mean, for the line under the table."""
    level = format_level(study.alpha)
    beyond = (
        " No reach: no resample of the bootstrap is as extreme as asked, so that its p-value says "
        "nothing; it is kept out of counting."
        if any(pair.kept_out for pair in study.pairs)
        else ""
    )
    return (
        f"★★: named by Holm's procedure over all {study.family.n_pairs} p-values at {level}. "
        f"★: p ≤ {level}, taken alone. –: p > {level}. Empty: no test fits, or the metric is not "
        f"defined.{beyond}"
    )


def heat_width(study: MetricStudy | LevelStudy) -> int:
    """Pixels below which the cells' text does not fit: a narrower page scrolls sideways."""
    n_choices, n_datasets = len({_choice(pair) for pair in study.pairs}), len(study.datasets)
    n_columns = n_datasets if _transposed(n_choices, n_datasets) else n_choices
    # Cells bear to be a little narrower before a table is scrolled for its last column.
    return round(_TIGHT * (_NAME_WIDTH + CELL_WIDTH * n_columns))


def _transposed(n_choices: int, n_datasets: int) -> bool:
    return n_choices > MOST_UPRIGHT_COLUMNS and n_datasets <= n_choices


def _choice(pair: TestedPair) -> tuple[str, str]:
    return (pair.metric, pair.test) if pair.level is None else (pair.level, "")


def _title(choice: tuple[str, str]) -> str:
    name, test = choice
    return escaped(name, most=18) + (f"<br>{test}" if test else "")


def _words(pair: TestedPair, small: bool, named: bool, alpha: float) -> str:
    level = format_level(alpha)
    verdict = f"p ≤ {level}" if small else f"p > {level}"
    if named:
        verdict += ", named by Holm over all"
    if pair.kept_out:
        verdict = "out of the bootstrap's reach, kept out of counting"
    what = escaped(pair.metric if pair.level is None else pair.level)
    return (
        f"{escaped(pair.dataset)}<br>{what}, {pair.test}<br>{p_clause(pair.p_value, alpha=alpha)} ({verdict})"
        f"<br>A − B = {pair.result.difference:+.4g}, n = {pair.n_examples:,}"
    )

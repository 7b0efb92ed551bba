"""How far a p-value depends on what was chosen: domains, metrics and tests, sizes, and cut-offs."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..reliability.across_domains import DomainAgreement
from ..reliability.covariates import CutOffCurve, CutOffStudy
from ..reliability.levels import LevelStudy
from ..reliability.pairs import MetricStudy, TestedPair
from ..reliability.power import Power
from ..reliability.sample_size import DatasetSubsamples
from ..validation import at_most
from ..words.formatting import bin_label, format_level, format_p_value
from .theme import (
    LIGHT,
    LOWEST_DRAWN,
    ChartTheme,
    add_points,
    base_layout,
    blended,
    drawn,
    error_bars,
    escaped,
    faint,
    level_line,
    p_clause,
    p_value_axis,
)
from .theme import graph_objects as go


def domains_chart(found: DomainAgreement, *, theme: ChartTheme = LIGHT) -> go.Figure:
    """Draw the share of cases in which the sign holds.

    A point with its interval for each bin of p with a case. Berg-Kirkpatrick et al. (EMNLP-CoNLL
    2012), section 4.2 and Table 1.
    """
    bins = [own for own in found.bins if own.n]
    rates, intervals = [own.rate for own in bins], [own.confidence_interval for own in bins]
    figure = go.Figure()
    add_points(
        figure,
        [bin_label(own.low, own.high) for own in bins],
        rates,
        error_y=error_bars(rates, intervals, theme.ink),
        customdata=[[own.count, own.n] for own in bins],
        mark=("circle", 10, theme.ink),
        showlegend=False,
        hover="%{x}: holds in %{customdata[0]:,} of %{customdata[1]:,} cases",
    )
    base_layout(figure, theme, height=360, top=16)
    level_line(figure, 0.5, "a coin", theme, is_log=False, x=0, anchor="left top")
    figure.update_yaxes(
        title_text="sign holds on another dataset", range=[-0.03, 1.05], tickformat=".0%"
    )
    # Small, so that neighbours keep apart, also where they stand upright on a narrow screen.
    font = {"color": theme.ink, "size": theme.size - 2}
    figure.update_xaxes(
        title_text="p-value of the win", type="category", showgrid=False, tickfont=font
    )
    return figure


# Pixels that a cell needs to be read.
CELL_WIDTH, CELL_HEIGHT = 86, 30
_NAME_WIDTH, _HEAD_HEIGHT, _TIGHT = 150, 120, 0.88
# Upright on a telephone where no more columns than this are needed.
MOST_UPRIGHT_COLUMNS = 3
_MOST_CELLS_WITH_TEXT = 2_000


def metric_heat(study: MetricStudy | LevelStudy, *, theme: ChartTheme = LIGHT) -> go.Figure:
    """Draw a cell for each dataset and choice.

    With its p-value and a sign, as `heat_legend` says in words. Datasets are columns where they are
    few and the choices many, so that it fits a narrow page.
    """
    choices = list(dict.fromkeys(_choice(pair) for pair in study.pairs))
    datasets = list(study.datasets)
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
            else f"{sign} {format_p_value(pair.result.p_value_greater, alpha=study.alpha)}"
        )
        hover[place] = _words(pair, small, named, study.alpha)
    names = [escaped(dataset) for dataset in datasets]
    titles = [_title(choice) for choice in choices]
    if _transposed(len(choices), len(datasets)):
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
        f"★★: significant after Holm correction over all {study.family.n_pairs} p-values at {level}. "
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
    return (pair.result.metric, pair.result.test) if pair.level is None else (pair.level, "")


def _title(choice: tuple[str, str]) -> str:
    name, test = choice
    return escaped(name, most=18) + (f"<br>{test}" if test else "")


def _words(pair: TestedPair, small: bool, named: bool, alpha: float) -> str:
    level = format_level(alpha)
    verdict = f"p ≤ {level}" if small else f"p > {level}"
    if named:
        verdict += ", significant after Holm correction over all"
    if pair.kept_out:
        verdict = "out of the bootstrap's reach, kept out of counting"
    what = escaped(pair.result.metric if pair.level is None else pair.level)
    return (
        f"{escaped(pair.dataset)}<br>{what}, {pair.result.test}<br>{p_clause(pair.result.p_value_greater, alpha=alpha)} ({verdict})"
        f"<br>A − B = {pair.result.difference:+.4g}, n = {pair.result.n_examples:,}"
    )


_UPPER: dict[str, Any] = {"row": 1, "col": 1}
_LOWER: dict[str, Any] = {"row": 2, "col": 1}


def subsample_chart(
    own: DatasetSubsamples,
    *,
    expected: Power | None = None,
    theme: ChartTheme = LIGHT,
) -> go.Figure:
    """Draw the median p-value with its 10–90% band, and below it the share with p <= alpha.

    `expected` is what a stated effect makes of new test sets. Søgaard et al. (CoNLL 2014), section
    4 and Table 4.
    """
    from plotly.subplots import make_subplots

    figure = make_subplots(rows=2, cols=1, shared_xaxes=True, vertical_spacing=0.06)
    base_layout(figure, theme, height=560)
    level = format_level(own.alpha)
    _add_p_values(figure, own, theme)
    _add_shares(figure, own, expected, theme)
    lowest = min([own.alpha, *drawn([point.band[0] for point in own.points])])
    figure.update_yaxes(title_text="p-value", **_UPPER, **p_value_axis(lowest))
    figure.update_yaxes(
        title_text=f"share with p ≤ {level}", range=[-0.03, 1.05], tickformat=".0%", **_LOWER
    )
    for row in (_UPPER, _LOWER):
        line = {"color": theme.ink, "width": 1.5, "dash": "dash"}
        figure.add_hline(y=own.alpha, line=line, **row)
    sizes = [point.n_examples for point in own.points]
    figure.update_xaxes(showgrid=False, tickvals=sizes, ticktext=[f"{n:,}" for n in sizes])
    figure.update_xaxes(
        title_text="examples<br>grey: 10–90% of random parts<br>bars: 95% intervals", row=2, col=1
    )
    return figure


def _add_p_values(figure: go.Figure, own: DatasetSubsamples, theme: ChartTheme) -> None:
    points = [point for point in own.points if point.median == point.median]
    sizes = [point.n_examples for point in points]
    for index in (1, 0):
        add_points(
            figure,
            sizes,
            drawn([point.band[index] for point in points]),
            line={"color": theme.quiet, "width": 1},
            fill="tonexty" if index == 0 else None,
            fillcolor=faint(theme.quiet),
            showlegend=False,
            **_UPPER,
        )
    add_points(
        figure,
        sizes,
        drawn([point.median for point in points]),
        name="median p",
        line={"color": theme.a, "width": 2.5},
        mark=("circle", 8, theme.a),
        told=[
            f"{point.n_examples:,} examples: median {p_clause(point.median, alpha=own.alpha)} "
            f"(10–90%: {' to '.join(p_clause(p, alpha=own.alpha) for p in point.band)})"
            for point in points
        ],
        **_UPPER,
    )


def _add_shares(
    figure: go.Figure, own: DatasetSubsamples, expected: Power | None, theme: ChartTheme
) -> None:
    sizes = [point.n_examples for point in own.points]
    shares = [point.share_significant for point in own.points]
    intervals = [point.confidence_interval for point in own.points]
    add_points(
        figure,
        sizes,
        shares,
        error_y=error_bars(shares, intervals, theme.a),
        name="parts with p ≤ α",
        line={"color": theme.a, "width": 2.5},
        mark=("square", 8, theme.a),
        hover="%{x:,} examples: %{y:.1%} of parts",
        **_LOWER,
    )
    add_points(
        figure,
        sizes,
        list(own.shares_given_full),
        name="foretold by the whole's p",
        line={"color": theme.ink, "width": 1.5, "dash": "dot"},
        hover="%{x:,} examples: %{y:.1%} foretold",
        **_LOWER,
    )
    if expected is not None:
        power = f"power if A were better by {expected.stated.effect:g}"
        add_points(
            figure,
            expected.n_examples.tolist(),
            expected.power.tolist(),
            name=power,
            line={"color": theme.ink, "width": 2, "dash": "longdash"},
            mark=("diamond-open", 9, theme.ink),
            hover="%{x:,} new examples: power %{y:.1%}",
            **_LOWER,
        )


def cut_off_chart(study: CutOffStudy, *, theme: ChartTheme = LIGHT) -> go.Figure:
    """Draw both curves of p-values on a log axis.

    Each with its own line and marks over its band of random parts.
    """
    figure = go.Figure()
    curves = (study.at_most, study.at_least)
    for curve in curves:
        _add_band(figure, curve, theme)
    for curve in curves:
        full = curve.side == "at most"
        colour = theme.ink if full else theme.quiet
        add_points(
            figure,
            curve.cut_offs.tolist(),
            drawn(curve.p_values.tolist()),
            name=f"p, {curve.side} the cut-off",
            line={"color": colour, "width": 2.5, "dash": "solid" if full else "dash"},
            mark=("circle" if full else "square", 7, colour),
            told=[
                f"{curve.side} {cut:.6g}: {p_clause(p, alpha=study.alpha)}, n = {n:,}, "
                f"A − B = {difference:+.4g}"
                for cut, p, n, difference in zip(
                    curve.cut_offs, curve.p_values, curve.n_examples, curve.differences, strict=True
                )
            ],
        )
    base_layout(figure, theme, height=440)
    lowest = min(float(min(curve.p_values.min(), curve.low.min())) for curve in curves)
    figure.update_yaxes(
        title_text="p-value, one-sided for A", **p_value_axis(min(lowest, study.alpha))
    )
    figure.update_xaxes(
        title_text=f"cut-off: {escaped(study.covariate or 'covariate', most=40)}"
        "<br>grey: 5–95% of random parts,<br>“at least” within dots",
        showgrid=False,
    )
    level_line(figure, study.alpha, f"α = {format_level(study.alpha)}", theme)
    return figure


def _add_band(figure: go.Figure, curve: CutOffCurve, theme: ChartTheme) -> None:
    full = curve.side == "at most"
    cut_offs = curve.cut_offs.tolist()
    edge = {"color": theme.quiet, "width": 1, "dash": "solid" if full else "dot"}
    for values, fill in ((curve.high, None), (curve.low, "tonexty" if full else None)):
        look: dict[str, Any] = {"line": edge, "fill": fill, "fillcolor": faint(theme.quiet)}
        add_points(figure, cut_offs, drawn(values.tolist()), showlegend=False, **look)

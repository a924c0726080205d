"""The figures of the teacher's report: seaborn, from light to dark, so that a grey printer loses nothing."""

import base64
import io
from collections import Counter

import matplotlib
import seaborn
from matplotlib.figure import Figure

from autograder.classroom.report.class_data import RESULTS, result_of

# From light to dark, and what is not done is hatched: grey tells them apart as well as colour does.
_COLOURS = dict(zip(RESULTS, ("#e3eef9", "#b3d1ea", "#6aa5d3", "#a8571c", "#ffffff", "#3a1025"), strict=True))
_HATCH = {_COLOURS["todo"]: "////"}
_BLUE = "#4a8cc2"
_WIDTH, _BAR = 9.0, 0.34  # inches


def scores(data):
    """How many learners have how many points."""
    percent = [min(100, 100 * score / (data.max_score or 1)) for score in data.scores]  # there may be extra points
    figure = Figure(figsize=(_WIDTH, 2.8), layout="constrained")
    axes = _axes(figure)
    seaborn.histplot(x=percent, bins=range(0, 101, 10), color=_BLUE, edgecolor="white", ax=axes)
    axes.set(xlabel="points, in percent of all", ylabel="learners", xlim=(0, 100), xticks=range(0, 101, 10))
    axes.yaxis.set_major_locator(matplotlib.ticker.MaxNLocator(integer=True))
    bars = [int(bar.get_height()) for bar in axes.patches]
    axes.bar_label(axes.containers[0], [str(count) if count else "" for count in bars], fontsize=9)
    said = [f"{count} between {10 * start} and {10 * start + 10} %" for start, count in enumerate(bars) if count]
    return _as_image(figure, f"Histogram of the scores. Learners: {', '.join(said)}.")


def exercises(data, order):
    """What became of each exercise, hardest first."""
    rows = [(each["exercise"], result_of(each)) for _, _, each in data.found()]
    rows.sort(key=lambda row: order.index(row[0]))  # seaborn takes them as they come
    counts = Counter(rows)
    present = [result for result in RESULTS if any(result == found for _, found in counts)]
    figure = Figure(figsize=(_WIDTH, 1.1 + _BAR * len(order)), layout="constrained")
    axes = _axes(figure)
    seaborn.histplot(
        y=[name for name, _ in rows],
        hue=[result for _, result in rows],
        hue_order=present[::-1],  # seaborn stacks from the last to the first
        palette=_COLOURS,
        multiple="stack",
        shrink=0.8,
        alpha=1,
        edgecolor="#444444",
        linewidth=0.5,
        legend=False,
        ax=axes,
    )
    for bar in (bar for bars in axes.containers for bar in bars):
        _number(axes, bar, len(rows) / len(order))
    keys = [_key(result) for result in present]
    figure.legend(handles=keys, loc="outside upper center", ncols=len(keys), frameon=False, fontsize=9)
    axes.set(xlabel="learners", ylabel="")
    axes.xaxis.set_major_locator(matplotlib.ticker.MaxNLocator(integer=True))
    said = [
        f"{name}: " + ", ".join(f"{counts[name, r]} {RESULTS[r]}" for r in present if counts[name, r]) for name in order
    ]
    return _as_image(figure, f"Results of each exercise, hardest first. {'; '.join(said)}.")


def misconceptions(counts):
    """How many learners have each misconception.

    Parameters
    ----------
    counts : dict
        Label -> learners, most frequent first.
    """
    figure = Figure(figsize=(_WIDTH, 0.7 + _BAR * len(counts)), layout="constrained")
    axes = _axes(figure)
    seaborn.barplot(x=list(counts.values()), y=list(counts), color=_BLUE, width=0.75, ax=axes)
    axes.bar_label(axes.containers[0], padding=3, fontsize=9)
    axes.set(xlabel="learners", ylabel="")
    axes.xaxis.set_major_locator(matplotlib.ticker.MaxNLocator(integer=True))
    said = ", ".join(f"{label} {count}".replace("\n", ": ") for label, count in counts.items())
    return _as_image(figure, f"How many learners have each misconception: {said}.")


def _axes(figure):
    axes = figure.subplots()
    seaborn.despine(ax=axes)
    axes.tick_params(labelsize=9)
    return axes


def _number(axes, bar, whole):
    """Write a bar's number into it, where it has room, and hatch it if it is to be."""
    colour = matplotlib.colors.to_hex(bar.get_facecolor())
    bar.set(hatch=_HATCH.get(colour), visible=bar.get_width() > 0)
    if bar.get_width() > whole / 60:
        at = bar.get_x() + bar.get_width() / 2, bar.get_y() + bar.get_height() / 2
        box = {"facecolor": colour, "edgecolor": "none", "pad": 1}
        ink = "white" if _is_dark(bar.get_facecolor()) else "black"
        axes.text(*at, f"{bar.get_width():g}", ha="center", va="center", fontsize=8, color=ink, bbox=box)


def _key(result):
    colour = _COLOURS[result]
    return matplotlib.patches.Patch(
        facecolor=colour, edgecolor="#444444", hatch=_HATCH.get(colour), label=RESULTS[result]
    )


def _is_dark(colour):
    red, green, blue, _ = colour
    return 0.299 * red + 0.587 * green + 0.114 * blue < 0.55


def _as_image(figure, said):
    """The figure as the address of an image that stands in the page itself, and the text in its place."""
    file = io.BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "report"}):
        figure.savefig(file, format="svg", metadata={"Date": None})
    return {"address": f"data:image/svg+xml;base64,{base64.b64encode(file.getvalue()).decode()}", "said": said}

"""Descriptions, as plain data, of torch modules (their parameters) and Matplotlib Axes (what they show)."""

import sys
import weakref
from collections.abc import Sequence
from typing import Any

import numpy as np

from .values import Described

_earlier_axes: weakref.WeakSet = weakref.WeakSet()  # Axes that earlier calls returned


def describe_result(value: Any, arguments: Sequence = ()) -> object:
    """Return a description of a torch module, of Axes, or of a figure with Axes; any other value is returned unchanged.

    A figure is described by its Axes: the ones that were passed as an argument, otherwise the first ones.
    """
    if is_torch_module(value):
        return Described("module", _describe_module(value))
    is_figure = "matplotlib.figure" in sys.modules and isinstance(value, sys.modules["matplotlib.figure"].Figure)
    if is_figure and value.axes:
        value = next((axes for axes in value.axes if any(axes is argument for argument in arguments)), value.axes[0])
    if "matplotlib.axes" in sys.modules and isinstance(value, sys.modules["matplotlib.axes"].Axes):
        is_argument, canvas = any(value is argument for argument in arguments), sys.modules.get("worker.canvas")
        figures = " and ".join(sorted(canvas.done_to_figures)) if canvas else ""
        is_old = value in _earlier_axes
        _earlier_axes.add(value)
        of_call = {"given": is_argument, "old": is_old, "figures": figures, "is_figure": is_figure}
        return Described("axes", {**_describe_axes(value), **of_call})
    return value


def is_torch_module(value: object) -> bool:
    return "torch.nn" in sys.modules and isinstance(value, sys.modules["torch.nn"].Module)


def _describe_module(module: Any) -> dict:
    """Return a module's parameters, shared parameters, unregistered tensors, and training mode."""
    trained = {name: parameter for name, parameter in module.named_parameters() if parameter.requires_grad}
    parts = {
        "parameters": {name: (tuple(p.shape), str(p.dtype).removeprefix("torch.")) for name, p in trained.items()},
        "training": bool(module.training),
    }
    attributes = {name: attribute for name, attribute in vars(module).items() if name[:1] != "_"}
    loose = {name: type(attribute).__name__ for name, attribute in attributes.items() if _is_unregistered(attribute)}
    first: dict[int, str] = {}
    names = {name: first.setdefault(id(p), name) for name, p in module.named_parameters(remove_duplicate=False)}
    shared = {name: first_name for name, first_name in names.items() if name != first_name}
    return parts | ({"loose": loose} if loose else {}) | ({"shared": shared} if shared else {})


def _is_unregistered(attribute: Any) -> bool:
    """Return whether torch leaves an attribute unregistered: a tensor, or a plain container of tensors or modules."""
    torch = sys.modules["torch"]
    if type(attribute) in (list, tuple, dict):
        parts = list(attribute.values() if type(attribute) is dict else attribute)[:1]
        return bool(parts) and isinstance(parts[0], (torch.Tensor, torch.nn.Module))
    return isinstance(attribute, torch.Tensor)


def _describe_axes(axes: Any) -> dict:
    axes.apply_aspect()  # This and the next line compute aspect and limits, as drawing would, but faster.
    axes.get_xlim(), axes.get_ylim()
    items = [item for item in (*axes.collections, *axes.images) if item.get_visible()]
    meshes = [item for item in items if hasattr(item, "get_coordinates") or hasattr(item, "get_extent")]
    other_axes = [axes_of_figure for axes_of_figure in getattr(axes.figure, "axes", ()) if axes_of_figure is not axes]
    bar = any(item.colorbar is not None for item in meshes) or any(o.get_label() == "<colorbar>" for o in other_axes)
    overlaps = bool(meshes) and _has_overlap(meshes[-1])
    return {
        "kept": axes in getattr(axes.figure, "axes", ()),
        "title": axes.get_title() or axes.get_title("left") or axes.get_title("right"),
        "x_label": axes.get_xlabel(),
        "y_label": axes.get_ylabel(),
        "x_ticks": _read_ticks(axes, axes.xaxis, 0),
        "y_ticks": _read_ticks(axes, axes.yaxis, 1),
        "colour_bar": bar,
        "drawn": _describe_mesh(axes, meshes[-1]) if meshes and not overlaps else None,
        "overlaps": overlaps,
        "one_colour": bool(meshes) and _has_one_colour(meshes[-1]),
    }


def _read_ticks(axes: Any, axis: Any, dimension: int) -> list[tuple[float, str]]:
    """Return (position, text) of each visible tick label; a position is a fraction of the Axes from the left or top."""
    labels = []
    axis.get_ticklabels(which="both")  # This call updates the ticks.
    is_hidden = not (axes.axison and axis.get_visible())
    for tick in () if is_hidden else (*axis.get_major_ticks(), *axis.get_minor_ticks()):
        text = next((t.get_text() for t in (tick.label1, tick.label2) if t.get_visible() and t.get_text()), "")
        point = [0.0, 0.0]
        point[dimension] = tick.get_loc()
        position = _convert_to_fractions(axes, [point])[0][dimension]
        if text and -1e-6 <= position <= 1 + 1e-6:
            labels.append((float(position), text))
    return sorted(labels)


def _describe_mesh(axes: Any, mesh: Any) -> dict | None:
    """Return a mesh's numbers, from the top left, with row and column positions, or None if it shows no numbers."""
    array = np.asarray(np.ma.filled(np.ma.asarray(mesh.get_array(), dtype=float), np.nan))
    if hasattr(mesh, "get_extent"):
        if array.ndim != 2:
            return None  # The image consists of colours, not of numbers.
        left, right, bottom, top = mesh.get_extent()
        first, last = (top, bottom) if mesh.origin == "upper" else (bottom, top)
        x, y = _compute_centres(left, right, array.shape[1]), _compute_centres(first, last, array.shape[0])
    else:
        corners = mesh.get_coordinates()
        if not np.ptp(corners, axis=(0, 1)).all():
            return None  # Cells of zero area are invisible.
        if array.size == (corners.shape[0] - 1) * (corners.shape[1] - 1):
            array = array.reshape(corners.shape[0] - 1, corners.shape[1] - 1)
            corners = (corners[:-1, :-1] + corners[1:, 1:]) / 2
        array, x, y = array.reshape(corners.shape[:2]), corners[0, :, 0], corners[:, 0, 1]
    x = _convert_to_fractions(axes, [(position, 0.0) for position in x])[:, 0]
    y = _convert_to_fractions(axes, [(0.0, position) for position in y])[:, 1]
    across, down = np.argsort(x), np.argsort(y)
    return {"values": array[down][:, across], "x": x[across], "y": y[down]}


def _has_overlap(mesh: Any) -> bool:
    """Return whether rows or columns overlap, for example because equal words share a position."""
    if hasattr(mesh, "get_extent"):
        return False
    corners = mesh.get_coordinates()
    steps = np.diff(corners[0, :, 0]), np.diff(corners[:, 0, 1])
    return not all((side > 0).all() or (side < 0).all() for side in steps)


def _has_one_colour(mesh: Any) -> bool:
    """Return whether the colours (`vmin` to `vmax`) cover less than half of the values' range, so many look alike."""
    mesh.autoscale_None()  # Drawing would do the same.
    low, high = mesh.get_clim()
    numbers = np.ma.asarray(mesh.get_array(), dtype=float).compressed()
    if low is None or not numbers.size:
        return False
    return bool(low > high or np.ptp(np.clip(numbers, low, high)) < np.ptp(numbers) / 2)


def _compute_centres(first: float, last: float, count: int) -> np.ndarray:
    return first + (last - first) * (np.arange(count) + 0.5) / count


def _convert_to_fractions(axes: Any, points: list) -> np.ndarray:
    """Return data points as fractions of the Axes, from the left and from the top."""
    fractions = axes.transAxes.inverted().transform(axes.transData.transform(np.asarray(points, dtype=float)))
    return fractions * [1, -1] + [0, 1]

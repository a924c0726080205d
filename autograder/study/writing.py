"""What the language model of a learner has come to: the newest training in the folder `writing`, for the last page."""

import json
import math
from html import escape
from pathlib import Path
from typing import Any

from autograder.chapters.errors import UnreadableAnswer
from autograder.chapters.files import open_plain
from autograder.chapters.text import clean

MAX_BYTES = 1 << 20
WIDTH, HEIGHT = 480, 160
MAX_POINTS, MAX_SAMPLE = 240, 600


def writing_of(folder: Path) -> str:
    """The loss of a training as a curve, and the last sample of it, as HTML; empty where there is none."""
    for path in sorted((folder / "writing").glob("*.json"), key=_age, reverse=True):
        try:
            return _as_html(log_of(path))
        except (ValueError, KeyError, TypeError, IndexError, OverflowError):
            continue  # cut off, or no training of ours
    return ""


def log_of(path: Path, since: float = 0.0) -> dict[str, Any]:
    """Return what a training has written down, or nothing if it has not since then."""
    try:
        with open_plain(path, MAX_BYTES) as file:
            log = json.loads(file.read().decode()) if _age(path) >= since else {}
        return log if len(log["losses"]) >= 0 and int(log.get("steps", 1)) else {}
    except (UnreadableAnswer, OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return {}


def _age(path: Path) -> float:
    try:
        return path.lstat().st_mtime
    except OSError:
        return 0.0


def _as_html(log: dict[str, Any]) -> str:
    losses = [float(loss) for loss in log["losses"]]
    held_back = [(int(step), float(loss)) for step, loss in log["held_back"]]
    (step, sample), all_losses = log["samples"][-1], [*losses, *(loss for _, loss in held_back)]
    if not (losses and held_back and all(map(math.isfinite, all_losses)) and max(all_losses) > 0):
        raise ValueError
    highest = max(all_losses)
    every = len(losses) // MAX_POINTS + 1
    means = [(at, sum(losses[at : at + every]) / len(losses[at : at + every])) for at in range(0, len(losses), every)]
    curves = _line(means, len(losses), highest, "#888") + _line(held_back, len(losses), highest, "#c60")
    what = f"Loss from {losses[0]:.2f} to {losses[-1]:.2f}, on what was held back {held_back[-1][1]:.2f}"
    return (
        f"<h2>What your model writes</h2><p>It has learned from <i>{escape(clean(log['text']))}</i> in {int(step):,} "
        "steps, with your blocks, your loss, your training step and your sampler.</p>"
        f'<blockquote style="white-space:pre-wrap">{escape(clean(sample)[:MAX_SAMPLE])}</blockquote>'
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{what}">{curves}</svg>'
        f"<p><small>{what} (orange).</small></p>"
    )


def _line(points: list[tuple[int, float]], steps: int, highest: float, colour: str) -> str:
    way = " ".join(f"{WIDTH * at / steps:.1f},{HEIGHT * (1 - loss / highest):.1f}" for at, loss in points)
    return f'<polyline points="{way}" fill="none" stroke="{colour}" stroke-width="2"/>'

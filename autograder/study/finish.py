"""The final page of the course: finished exercises, mistakes that were overcome, and books to read next.

The page also shows the newest training run of the learner's language model, from the folder `writing`.
"""

import json
import math
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path
from typing import Any

from autograder.chapters.chapter import Exercise
from autograder.chapters.errors import UnreadableAnswer
from autograder.chapters.files import open_plain, write_file
from autograder.chapters.text import clean
from autograder.judging.misconceptions import read_lesson
from autograder.study.folder import Folder
from autograder.views.card import to_html

_READ_ON = (
    ("Attention Is All You Need", "https://arxiv.org/abs/1706.03762", "the paper, which you can now read line by line"),
    ("The Annotated Transformer", "https://nlp.seas.harvard.edu/annotated-transformer/", "the whole model, in code"),
    ("nanoGPT", "https://github.com/karpathy/nanoGPT", "a language model to train, in a few hundred lines"),
    ("FlashAttention", "https://arxiv.org/abs/2205.14135", "your online softmax, on a graphics card"),
    ("Transformer Circuits", "https://transformer-circuits.pub/2021/framework/", "what heads do inside a model"),
)
SHOWN_AS = "exercises/.attn/finish.html"
MAX_NAME = 80  # characters
_CSS = (
    "body{font:17px/1.6 system-ui,sans-serif;max-width:46em;margin:2em auto;padding:0 1em}"
    ":root{color-scheme:light dark}h1{line-height:1.2}code{font-size:.9em}li{margin:.3em 0}small{opacity:.75}"
)


def write_ending(folder: Folder, name: str = "") -> Path:
    """Write the page into the progress folder, and return its path."""
    states, progress = folder.read_states(), folder.progress.read()
    path = folder.progress.folder / "finish.html"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_file(path, _render_page(folder, states, progress, name))
    return path


def _render_page(folder: Folder, states: dict[str, str], progress: dict[str, dict], name: str) -> str:
    solved = [exercise for exercise in folder.exercises if states[exercise.name] == "done"]
    checks, seconds = (sum(progress.get(e.name, {}).get(name, 0) for e in solved) for name in ("checks", "seconds"))
    who, is_all = to_html(name.strip()[:MAX_NAME]), len(solved) == len(states)
    title = f"{who or 'You'} {'has' if who else 'have'} built attention" if is_all else "What you have built so far"
    title = f"What {who} has built so far" if who and not is_all else title
    count = f"{len(solved)} of {len(states)} exercises solved"
    parts = [f"<p>{count}, in {checks} checks and about {max(1, seconds // 60)} min of work.</p>"] if solved else []
    parts.append("<h2>What you built</h2>" if solved else "")
    for chapter in folder.chapters:
        names_done = [name for name in chapter.names if states[name] == "done"]
        if names_done:
            names = ", ".join(f"<code>{name}</code>" for name in names_done)
            parts.append(f"<h3>{to_html(chapter.title)}</h3><p>{names}</p>")
        if len(names_done) == len(chapter.exercises):
            parts.append(f"<p>{to_html(chapter.afterword_of(chapter.name))}</p>")
    parts.append(render_training(folder.path))
    if overcome := dict.fromkeys(_yield_overcome_mistakes(solved, progress)):
        parts.append(f"<h2>Mistakes that you overcame</h2><ul>{''.join(overcome)}</ul>")
    parts.append(f"<p><small>This page is one file, <code>{to_html(SHOWN_AS)}</code>: send it to show it.</small></p>")
    links = "".join(f'<li><a href="{link}">{title}</a>: {reason}.</li>' for title, link, reason in _READ_ON)
    parts += [f"<h2>What to read next</h2><ul>{links}</ul>"] if is_all else []
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Attention, exercised</title><style>{_CSS}</style>'
        '<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">'
        f"<h1>{title}</h1>{''.join(parts)}</html>\n"
    )


def _yield_overcome_mistakes(exercises: Iterable[Exercise], progress: dict[str, dict]) -> Iterator[str]:
    for exercise in exercises:
        for name in progress.get(exercise.name, {}).get("mistakes", []):
            try:
                lesson = read_lesson(exercise.name, name, includes_correct_results=False)[0]
            except (KeyError, TypeError):  # The mistake is from an earlier version of the course.
                continue
            yield f"<li>{to_html(lesson)} <small>({exercise.name})</small></li>"


MAX_BYTES = 1 << 20
WIDTH, HEIGHT = 480, 160
MAX_POINTS, MAX_SAMPLE = 240, 600


def render_training(folder: Path) -> str:
    """Return HTML with the loss curve and the last sample of the newest training run, or "" if there is none."""
    for path in sorted((folder / "writing").glob("*.json"), key=_read_mtime, reverse=True):
        try:
            return _render_log(read_training_log(path))
        except (ValueError, KeyError, TypeError, IndexError, OverflowError):
            continue  # The file is truncated, or is not a training log.
    return ""


def read_training_log(path: Path, since: float = 0.0) -> dict[str, Any]:
    """Return the log of a training run, or an empty dict if it is malformed or older than `since`."""
    try:
        with open_plain(path, MAX_BYTES) as file:
            log = json.loads(file.read().decode()) if _read_mtime(path) >= since else {}
        return log if len(log["losses"]) >= 0 and int(log.get("steps", 1)) else {}
    except (UnreadableAnswer, OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return {}


def _read_mtime(path: Path) -> float:
    try:
        return path.lstat().st_mtime
    except OSError:
        return 0.0


def _render_log(log: dict[str, Any]) -> str:
    losses = [float(loss) for loss in log["losses"]]
    held_back = [(int(step), float(loss)) for step, loss in log["held_back"]]
    (step, sample), all_losses = log["samples"][-1], [*losses, *(loss for _, loss in held_back)]
    if not (losses and held_back and all(map(math.isfinite, all_losses)) and max(all_losses) > 0):
        raise ValueError
    highest = max(all_losses)
    stride = len(losses) // MAX_POINTS + 1
    means = [(i, sum(losses[i : i + stride]) / len(losses[i : i + stride])) for i in range(0, len(losses), stride)]
    curves = _draw_curve(means, len(losses), highest, "#888") + _draw_curve(held_back, len(losses), highest, "#c60")
    caption = f"Loss from {losses[0]:.2f} to {losses[-1]:.2f}, on held-out text {held_back[-1][1]:.2f}"
    return (
        f"<h2>What your model writes</h2><p>It has learned from <i>{escape(clean(log['text']))}</i> in {int(step):,} "
        "steps, with your blocks, your loss, your training step and your sampler.</p>"
        f'<blockquote style="white-space:pre-wrap">{escape(clean(sample)[:MAX_SAMPLE])}</blockquote>'
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{caption}">{curves}</svg>'
        f"<p><small>{caption} (orange).</small></p>"
    )


def _draw_curve(points: list[tuple[int, float]], steps: int, highest: float, colour: str) -> str:
    path = " ".join(f"{WIDTH * step / steps:.1f},{HEIGHT * (1 - loss / highest):.1f}" for step, loss in points)
    return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>'

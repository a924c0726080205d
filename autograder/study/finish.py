"""The end of the course: a page on what was built, which mistakes were overcome, and what to read next."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from autograder.chapters.chapter import Exercise
from autograder.chapters.files import write_whole
from autograder.judging.mistakes.misconceptions import lesson_of
from autograder.study.folder import DONE, Folder
from autograder.study.writing import writing_of
from autograder.views.card import prose

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
    "body{font:17px/1.6 system-ui,sans-serif;max-width:46em;margin:2em auto;padding:0 1em;color-scheme:light dark}"
    "h1{line-height:1.2}code{font-size:.9em}li{margin:.3em 0}small{opacity:.75}"
)


def write_ending(folder: Folder, name: str = "") -> tuple[Path, int]:
    states, progress = folder.states(), folder.progress.read()
    path = folder.progress.folder / "finish.html"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, _page(folder, states, progress, name))
    return path, sum(state in DONE for state in states.values())


def _page(folder: Folder, states: dict[str, str], progress: dict[str, dict], name: str) -> str:
    solved = [exercise for exercise in folder.exercises if states[exercise.name] == "done"]
    checks, minutes = (sum(progress.get(e.name, {}).get(name, 0) for e in solved) for name in ("checks", "seconds"))
    given_count, total = sum(state == "given" for state in states.values()), len(states)
    who, is_all = prose(name.strip()[:MAX_NAME]), len(solved) + given_count == total
    title = f"{who or 'You'} {'has' if who else 'have'} built attention" if is_all else "What you have built so far"
    title = f"What {who} has built so far" if who and not is_all else title
    count = f"{len(solved)} of {total} exercises solved"
    parts = [f"<p>{count}, in {checks} checks and about {minutes // 60} minutes of work.</p>"]
    parts += [f"<p>{given_count} came with their solution.</p>"] if given_count else []
    parts.append("<h2>What you built</h2>" if solved else "")
    for chapter in folder.chapters:
        mine = [name for name in chapter.names if states[name] == "done"]
        if mine:
            names = ", ".join(f"<code>{name}</code>" for name in mine)
            parts.append(f"<h3>{prose(chapter.title)}</h3><p>{names}</p>")
        if len(mine) == len(chapter.exercises):
            parts.append(f"<p>{prose(chapter.after(chapter.name))}</p>")
    parts.append(writing_of(folder.path))
    if overcome := list(_overcome(solved, progress)):
        parts.append(f"<h2>Mistakes that you overcame</h2><ul>{''.join(overcome)}</ul>")
    parts.append(f"<p><small>This page is one file, <code>{prose(SHOWN_AS)}</code>: send it to show it.</small></p>")
    links = "".join(f'<li><a href="{link}">{title}</a>: {why}.</li>' for title, link, why in _READ_ON)
    parts.append(f"<h2>What to read next</h2><ul>{links}</ul>")
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Attention, exercised</title><style>{_CSS}</style>'
        f'<meta name="viewport" content="width=device-width"><h1>{title}</h1>{"".join(parts)}</html>\n'
    )


def _overcome(exercises: Iterable[Exercise], progress: dict[str, dict]) -> Iterator[str]:
    for exercise in exercises:
        for name in progress.get(exercise.name, {}).get("mistakes", []):
            try:
                lesson = lesson_of(exercise.name, name, is_all=False)[0]
            except (KeyError, TypeError):  # of an earlier version of the course
                continue
            yield f"<li>{prose(lesson)} <small>({exercise.name})</small></li>"

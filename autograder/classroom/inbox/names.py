"""Whose a file of a download is, by its name: the outermost part that names a learner decides, and nothing within.

A learner chooses what his files are called. What stands before that is the platform's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from autograder.chapters.text import clean
from autograder.classroom.inbox.handed import Handed
from autograder.classroom.roster.ids import composed, is_id

if TYPE_CHECKING:
    from autograder.classroom.course.course import Course


_MARK = "_assignsubmission_"
# "lovelaceada_LATE_12345_678910_one_query-1.ipynb": the learner's number, then the submission's.
_CANVAS = re.compile(r"(?P<name>[^/_]+)_(?P<late>LATE_)?(?P<number>[0-9]+)_[0-9]+_(?P<file>[^/]+)")


def read_name(course: Course, place: PurePosixPath, assignment: str, wrapper: str = "") -> tuple[Handed, str] | None:
    """Whose a file is, and the rest of its path.

    `place`: in the download; a file in a learner's own zip file lies where that lies.
    `wrapper`: a folder around all of the download, of which `wrapper_of` says that it is no learner's.
    Gives None where nothing tells whose it is, or two things do.
    """
    from nbgrader.plugins import FileNameCollectorPlugin  # noqa: PLC0415

    plugin = FileNameCollectorPlugin(config=course.config)
    if plugin.named_regexp:
        match = plugin._match(str(place)) or {}
        handed = Handed("", match.get("student_id") or "", time=match.get("timestamp") or "")
        rest = match.get("file_id")
        rest = rest and (rest if PurePosixPath(rest).suffix else f"{rest}{place.suffix}")
    else:
        parts = _without(place.parts, ("submitted", assignment, wrapper))
        if not parts:
            return None
        found = of_platform(*parts)
        if found is None and (len(parts) == 1 or _MARK in parts[0]):
            return None
        handed, first = found or (Handed("", parts[0]), "")
        inside = parts[1:] if first or found else _without(parts[1:], (assignment,))
        rest = "/".join(filter(None, (first, *inside)))
    handed.key = composed(handed.key)
    return (handed, rest) if rest and is_id(handed.key) else None


def of_platform(part: str, *below: str) -> tuple[Handed, str] | None:
    """(Whose it is, what the learner's file is called) of a name that Moodle or Canvas made, or None.

    Moodle makes folders as well, with the learner's files below; Canvas only files.
    """
    canvas = None if below else _CANVAS.fullmatch(part)
    if _MARK in part:
        name, _, behind = part.partition(_MARK)
        name, _, number = name.rpartition("_")
        _, is_file, rest = behind.partition("file")
        if canvas or _MARK in behind or not is_file or not name or not re.fullmatch(r"[0-9]+", number):
            return None  # said twice, by the platform and by whoever chose the file's name: nobody's
        rest = rest.removeprefix("_")
        prefix = part[: len(part) - len(rest)] + "/" * (not rest)  # a folder, where nothing follows
        return Handed("moodle", number, clean(name), False, prefix), rest
    if canvas:
        prefix = part[: canvas.start("file")].replace("_LATE_", "_")
        return Handed("canvas", canvas["number"], clean(canvas["name"]), bool(canvas["late"]), prefix), canvas["file"]
    return None


def wrapper_of(places: list[PurePosixPath], is_learner: Callable[[str], object]) -> str:
    """The folder around a whole download of a platform, as one gets it by unpacking and zipping again; or nothing."""
    first = {place.parts[0] for place in places if place.parts}
    if len(first) != 1 or any(len(place.parts) < 2 for place in places):
        return ""
    (wrapper,) = first
    inside = all(of_platform(*place.parts[1:]) for place in places)
    return wrapper if inside and not of_platform(wrapper, "") and not is_learner(wrapper) else ""


def inside(rest: str) -> PurePosixPath | None:
    """The path below a learner's folder, or None where it leads out of it."""
    path = PurePosixPath(rest.replace("\\", "/"))
    odd = path.is_absolute() or ".." in path.parts or "\0" in rest or re.match(r"[A-Za-z]:", rest) or not path.parts
    return None if odd else path


def _without(parts: Iterable[str], names: tuple[str, ...]) -> list[str]:
    parts = list(parts)
    while parts and parts[0] in names and parts[0]:
        parts.pop(0)
    return parts

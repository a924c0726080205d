"""A class under attack: honest learners among submissions that try to stop, deceive or spy on a collection.

A class is a dict: learner -> files. Files are a dict: path -> bytes, a `Link`, or `PIPE`.
"""

import io
import os
import zipfile
from dataclasses import dataclass
from pathlib import Path

from support.course import UNIT_OF
from support.hostile_files import build_contents, notebook

CHAPTER = "one_query"
UNIT = UNIT_OF[CHAPTER]
PLACE, WHEN = f"{CHAPTER}.ipynb", "2026-11-22 04:00:00 UTC"
PIPE = "pipe"


@dataclass(frozen=True)
class Link:
    target: object


def build_files(most=1 << 30):
    """Return learner -> files, with a hostile file of at most `most` bytes each, named as expected."""
    return {
        f"x-{name.replace('.', '-').replace('_', '-')}": {f"{CHAPTER}{os.path.splitext(name)[1]}": content}
        for name, content in build_contents().items()
        if len(content) <= most
    }


def oddities(course):
    """Return learner -> files, with unusual names, links, pipes and zip files."""
    text, source = notebook("x = 1").encode(), next((course.folder / "source").rglob(PLACE))
    return {
        "y-many-copies": {f"one_query {'copy ' * 18}x.ipynb": text},
        "y-pipe": {PLACE: PIPE},
        "y-solutions": {PLACE: Link(source)},
        "y-all-solutions": {"given": Link(course.folder / "source")},
        "y-dangling": {PLACE: Link(course.folder / "written_through.txt")},
        "y-folder": {f"{PLACE}/inner.txt": b"x"},
        "y-secret": {PLACE: text, "notes.txt": Link(course.folder / "secret")},
        "y-time-pipe": {PLACE: text, "timestamp.txt": PIPE},
        "y-time-long": {PLACE: text, "timestamp.txt": b"1" * 10_000_000},
        "y-time-zone": {PLACE: text, "timestamp.txt": b"2026-11-22 04:00:00 ../../../../etc/passwd"},
        "y-odd-name": {"\udcff\udcfe.ipynb": text},
        "y-neighbour": {PLACE: Link(f"../../honest-0/{UNIT}/{PLACE}")},
        "y-deep": {"/".join(["d"] * 100) + "/x.ipynb": text},
        "y-many": {f"junk-{number}.txt": b"x" for number in range(300)},
        "y-canvas": {"honest_1000_1_one_query.ipynb": b"forged"},
        "y-moodle": {"Honest_1000_assignsubmission_file_one_query.ipynb": b"forged"},
        "y-id": {f"honest-0/{UNIT}/{PLACE}": b"forged", f"submitted/honest-0/{UNIT}/{PLACE}": b"forged"},
        "y-up": {"up.zip": zipped([(f"../../honest-0/{UNIT}/{PLACE}", b"forged"), ("C:\\..\\x.ipynb", b"forged")])},
        "y-zip": {"work.zip": zipped([(name, b"forged") for name in ("honest_1000_1_x.ipynb", "honest-0/x.ipynb")])},
        "y-zip-link": {"work.zip": zipped([(_linked("one_query.ipynb"), os.fsencode(source))])},
        "y-zip-name": {"work.zip": zipped([("_1_assignsubmission_" * 1500, b"x")])},
        "y-zip-broken": {"work.zip": b"PK" + b"x" * 100 + zipped([(PLACE, text)])[-22:]},
        "y-zip-bomb": {"bomb.zip": zipped([("a.txt", bytes(130 << 20))])},
    }


def zipped(members):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return file.getvalue()


def _linked(name):
    info = zipfile.ZipInfo(name)
    info.create_system, info.external_attr = 3, 0o120777 << 16
    return info


def write(folder, handed):
    for name, content in handed.items():
        path = Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, Link):
            path.symlink_to(content.target)
        elif content is PIPE:
            os.mkfifo(path)
        else:
            path.write_bytes(content)


# Five forms of a class's submissions. Each function writes one, and returns the command's option and learner -> ID.


def exchange(members, place):
    inbound = place / "attention" / "inbound"
    for learner, handed in members.items():
        write(inbound / f"{learner}+{UNIT}+{WHEN}", {"timestamp.txt": WHEN.encode()} | handed)
    write(inbound, {f"linked+{UNIT}+{WHEN}": Link("/etc"), f"pipe+{UNIT}+{WHEN}": PIPE, f"a+{UNIT}+no time/x": b""})
    return ("--exchange", place), dict(zip(members, members, strict=True))


def folders(members, place):
    for learner, handed in members.items():
        write(place / learner, handed)
    return ("--from", place), dict(zip(members, members, strict=True))


def moodle(members, place):
    return _platform(members, place, lambda at, name: f"Learner {at}_{1000 + at}_assignsubmission_file_/{name}")


def moodle_flat(members, place):
    """Write Moodle's zip file without subfolders. Return the option that names the file, and learner -> ID."""
    return _platform(members, place, lambda at, name: f"Learner {at}_{1000 + at}_assignsubmission_file_{name}")


def canvas(members, place):
    return _platform(members, place, lambda at, name: f"learner{at}_{1000 + at}_{5000 + at}_{name.replace('/', '-')}")


def _platform(members, place, called):
    path = place / "all.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for at, handed in enumerate(members.values()):
            for name, content in handed.items():
                if isinstance(content, bytes):
                    archive.writestr(called(at, name).encode("utf-8", "replace").decode(), content)
    return ("--from", path), {learner: str(1000 + at) for at, learner in enumerate(members)}


FORMS = (exchange, folders, moodle, moodle_flat, canvas)

"""A parser and an editor of the file `course.toml`. Error messages name the line of a problem."""

import datetime
import difflib
import functools
import operator
import re
import zoneinfo
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any, NoReturn

import tomlkit
from tomlkit.exceptions import ParseError, TOMLKitError
from tomlkit.items import Table

from autograder.chapters import curriculum
from autograder.chapters.chapter import read_chapter
from autograder.chapters.errors import ChapterError, CourseError, reason_of
from autograder.chapters.files import write_file
from autograder.classroom.course.plan import END_OF_DAY, MARK, OWN, PLAN, REFUSE, WAIVED, AddedCells, Assignment, Plan

KeyPath = tuple[str | int, ...]  # the keys and list indices that lead from the top of the file to a value

MAX_VALUE_CHARACTERS = 60  # characters of a value that is quoted in a message
# Assignment names are used in folder names and in URLs.
_NAME = re.compile(r"[A-Za-z0-9][\w.-]*", re.ASCII)
_A_TIME = "a date and time, such as 2027-02-01T12:00:00+01:00"
_AN_ADDITION = '{ after = "softmax", file = "own/why.md", points = 5 }'
# Temporary comment or value that marks the key whose line `_find_line` returns.
_MARKER = "attn-here"

_Kind = tuple[Callable[[Any], bool], str]  # (test of a key's value, words for a valid value)


def _make_type_check(kind: Any, advice: str) -> _Kind:
    return lambda value: isinstance(value, kind), advice


_TEXT, _FLAG = _make_type_check(str, "a text between quotation marks"), _make_type_check(bool, "true or false")
_TIME, _FILE = _make_type_check(datetime.date, _A_TIME), _make_type_check(str, "the path of a Markdown file")
_POINTS: _Kind = (lambda x: type(x) in (int, float) and 0 < x <= 10_000, "a number above 0, and at most 10,000")
_WAIVED: _Kind = (lambda value: value in WAIVED, " or ".join(f'"{each}"' for each in WAIVED))
_NAMES: _Kind = (lambda x: type(x) is list and {*map(type, x)} <= {str}, 'a list of names, such as ["one_query"]')
_TOP: dict[str, _Kind] = {
    "assignments": (
        lambda value: isinstance(value, dict) and all(isinstance(table, dict) for table in value.values()),
        "one table for each assignment, as [assignments.NAME]",
    ),
    "hand_in": _TEXT,
    "install": (
        lambda value: isinstance(value, str) and value.isprintable() and not re.search(r"[;&|<>$`()]", value),
        "arguments for pip, without shell characters: an address, or the name of a wheel in the course's folder",
    ),
    "timezone": (lambda value: value in zoneinfo.available_timezones(), 'a place such as "Europe/Berlin"'),
}
_ASSIGNMENT: dict[str, _Kind] = {
    "chapters": _NAMES,
    "exercises": _NAMES,
    "points": _make_type_check(dict, "a table such as { softmax = 20 }"),
    "waived": _make_type_check(dict, 'a table such as { softmax = "full" }'),
    "due": _TIME,
    "carry_forward": _FLAG,
    "hand_in": _TEXT,
    "before": _FILE,
    "add": _make_type_check(list, f"a list such as [{_AN_ADDITION}]"),
    "group_work": _FLAG,
    "exam": _FLAG,
    "own_inputs": _FLAG,
    "opens": _TIME,
    "grace": (lambda value: type(value) is int and 0 <= value <= 1440, "minutes, a whole number"),
    "late": (lambda value: value in (MARK, REFUSE), f'"{MARK}" or "{REFUSE}"'),
    "feedback": _make_type_check(bool | datetime.date, f"true or false, or {_A_TIME}"),
}
_ADDITION = {"after": _TEXT, "file": _FILE, "points": _POINTS}
_OBSOLETE = ("drop_lowest", "weight", "after")  # keys that only earlier versions of the kit read
KEYS = {*_TOP, *_ASSIGNMENT}
TEMPLATE = Path(__file__).parent / "templates" / "course.toml.j2"


def make_plan_text() -> str:
    """Return the `course.toml` of a new course. It contains all units, so that the teacher only has to delete some."""
    from jinja2 import Template  # noqa: PLC0415  (slow to import)

    units = {unit: [read_chapter(name) for name in chapters] for unit, chapters in curriculum.UNITS.items()}
    text = TEMPLATE.read_text(encoding="utf-8")
    return Template(text, trim_blocks=True, keep_trailing_newline=True).render(units=units)


def read_plan(folder: Path) -> Plan:
    """Return the plan of a course. Raises `CourseError` with the line if there is a problem."""
    path = Path(folder) / PLAN
    try:
        text = path.read_text(encoding="utf-8-sig")  # The file may begin with a byte-order mark.
    except UnicodeError:
        raise CourseError(f"{path} cannot be read: it is not text in UTF-8") from None
    except OSError as error:
        advice = "restore it, or write it as docs/teacher-reference.md shows"
        raise CourseError(f"{path} cannot be read ({reason_of(error)}): {advice}") from None
    return _PlanFile(path, text).plan()


def set_key(folder: Path, assignment: str, key: str, value: object) -> Plan:
    """Set an assignment's key, and return the new plan. Raises `CourseError` if the assignment or value is invalid."""
    path = Path(folder) / PLAN
    if assignment not in read_plan(folder).assignments:
        raise CourseError(f"{path} has no table [assignments.{assignment}]: write it first, then `attn course build`")
    document: Any = tomlkit.parse(path.read_text(encoding="utf-8-sig"))
    document["assignments"][assignment][key] = value
    plan = _PlanFile(path, document.as_string()).plan()
    write_file(path, document.as_string())
    return plan


def remove_dates(path: Path) -> str:
    """Return a plan's text without `due`, `opens` and `feedback` (unless false)."""
    document = tomlkit.parse(path.read_text(encoding="utf-8-sig"))
    for table in document.get("assignments", {}).values():
        for key in ("due", "opens", "feedback"):
            if key in table and not (key == "feedback" and table[key] == False):  # noqa: E712  (tomlkit's own type)
                table.pop(key)
    return document.as_string()


def _find_line(text: str, path: KeyPath) -> int:
    """Return a key's line number, found by writing a marker in place of the value and searching for the marker."""
    document: Any = tomlkit.parse(text)
    *parents, key = path
    holder = functools.reduce(operator.getitem, parents, document)
    if isinstance(holder[key], Table):
        holder[key].comment(_MARKER)
    else:
        holder[key] = _MARKER
    return document.as_string().partition(_MARKER)[0].count("\n") + 1


class _PlanFile:
    def __init__(self, path: Path, text: str) -> None:
        self.path, self.text, self.ignored = path, text, list[str]()
        try:
            self.data = tomlkit.parse(text).unwrap()
        except ParseError as error:
            is_time = re.match(r"\s*(due|opens|feedback)\s*=", "".join(text.splitlines()[error.line - 1 : error.line]))
            advice = f": write {_A_TIME}" if is_time else ""
            reason = str(error).removesuffix(f" at line {error.line} col {error.col}").rstrip(".")
            raise CourseError(f"{path}, line {error.line}: this is not TOML: {reason}{advice}") from None
        except TOMLKitError as error:  # A key that occurs twice is named, but not its line.
            raise CourseError(f"{path}: this is not TOML: {error}") from None

    def plan(self) -> Plan:
        self.check(self.data, _TOP, "at the top of the file")
        tables = self.data.get("assignments")
        if not tables:
            self.refuse("no assignment is left: write at least one, as [assignments.NAME] with chapters = [...]")
        zone = zoneinfo.ZoneInfo(self.data["timezone"]) if "timezone" in self.data else None
        plan = Plan({}, zone, self.ignored)
        for name, table in tables.items():
            plan.assignments[name] = _AssignmentTable(self, name, table, plan).assignment()
        return plan

    def check(self, table: dict[str, Any], kinds: Mapping[str, _Kind], subject: str, *path: str | int) -> None:
        for key, value in table.items():
            if key in _OBSOLETE and key not in kinds:
                self.ignored += [f"{PLAN}: {key} {subject} is not read any more: remove it"] if value else []
                continue
            if key not in kinds:
                self.refuse(f"there is no key {key!r} {subject}: {_suggest(key, kinds)}", *path, key)
            is_valid, advice = kinds[key]
            if not is_valid(value):
                excerpt = " ".join(tomlkit.item(value).as_string().split())[:MAX_VALUE_CHARACTERS]
                self.refuse(f"{key} is {excerpt}: write {advice}", *path, key)

    def refuse(self, sentence: str, *path: str | int) -> NoReturn:
        raise CourseError(f"{self.path}, line {_find_line(self.text, path) if path else 1}: {sentence}")


class _AssignmentTable:
    """A parser of the table [assignments.NAME], which also checks values against other keys, chapters and files."""

    def __init__(self, file: _PlanFile, name: str, table: dict[str, Any], plan: Plan) -> None:
        self.file, self.name, self.table, self.plan = file, name, table, plan

    def assignment(self) -> Assignment:
        name, table = self.name, self.table
        if not _NAME.fullmatch(name):
            self.refuse(f"{name!r} cannot name a folder: use letters, digits, . _ and -")
        self.file.check(table, _ASSIGNMENT, f"in [assignments.{name}]", "assignments", name)
        chapters = self.read_chapters()
        exercises = [exercise.name for chapter in chapters for exercise in read_chapter(chapter).exercises]
        exercise_names = self.read_exercises(chapters, exercises)
        graded_exercises = {exercise for exercise in exercises if exercise_names is None or exercise in exercise_names}
        exam, opens, due = table.get("exam", False), self.read_time("opens", datetime.time.min), self.read_time("due")
        if opens and due and opens >= due:
            self.refuse(f"{name} is due before it opens: change one of the two", "opens")
        feedback, additions = table.get("feedback", not exam), self.read_additions({*chapters, *graded_exercises})
        added_cells = {addition.graded_cell for addition in additions if addition.points is not None}
        return Assignment(
            name=name,
            chapters=chapters,
            exercises=exercise_names,
            points=self.read_values("points", graded_exercises, _POINTS),
            waived=self.read_values("waived", graded_exercises | added_cells, _WAIVED),
            due=due,
            hand_in=table.get("hand_in", self.file.data.get("hand_in", "")).strip(),
            install=self.file.data.get("install", "").strip(),
            before=self.require_file(table["before"], (".md",), "before") if table.get("before") else None,
            additions=additions,
            exam=exam,
            **{key: table[key] for key in ("carry_forward", "group_work", "own_inputs") if key in table},
            opens=opens,
            grace=datetime.timedelta(minutes=table["grace"]) if "grace" in table else Assignment.grace,
            late=table.get("late", REFUSE if exam else MARK),
            feedback=feedback if isinstance(feedback, bool) else self.read_time("feedback") or False,
        )

    def read_chapters(self) -> tuple[str, ...]:
        chapters = self.read_names("chapters")
        if not chapters:
            self.refuse(f'{self.name} has no chapters: write chapters = ["one_query"], or remove the assignment')
        home = curriculum.get_own_home()
        names = [*curriculum.CHAPTERS, *(sorted(path.stem for path in home.solutions.glob("*.py")) if home else ())]
        for i, chapter in enumerate(chapters):
            self.require_known(chapter, names, f"there is no chapter {chapter!r}", "chapters", i)
            if chapter not in curriculum.CHAPTERS and (problem := _find_chapter_problem(chapter)):
                self.refuse(problem, "chapters", i)
        return chapters

    def read_exercises(self, chapters: tuple[str, ...], exercises: Collection[str]) -> frozenset[str] | None:
        if "exercises" not in self.table:
            return None
        exercise_names = self.read_names("exercises")
        for i, name in enumerate(exercise_names):
            self.require_known(name, exercises, f"no chapter of {self.name} has an exercise {name!r}", "exercises", i)
        for i, chapter in enumerate(chapters):
            if not {exercise.name for exercise in read_chapter(chapter).exercises} & set(exercise_names):
                self.refuse(f"no exercise of {chapter} is chosen: remove it from chapters", "chapters", i)
        return frozenset(exercise_names)

    def read_names(self, key: str) -> tuple[str, ...]:
        names = self.table.get(key, [])
        for i, name in enumerate(names):
            if name in names[:i]:
                self.refuse(f"{key} names {name} twice: take one of them out", key, i)
        return tuple(names)

    def read_values(self, key: str, exercises: Collection[str], kind: _Kind) -> dict[str, Any]:
        """Return exercise -> value for a key that has a table. Raises `CourseError` for values not of this `kind`."""
        values = self.table.get(key, {})
        for exercise in values:
            problem = f"{key} for {exercise!r}, which is not an exercise of {self.name}"
            self.require_known(exercise, exercises, problem, key, exercise)
        self.file.check(values, dict.fromkeys(values, kind), f"in {key}", "assignments", self.name, key)
        return values

    def read_time(self, key: str, time_of_day: datetime.time = END_OF_DAY) -> datetime.datetime | None:
        """Return the time of a key with its time zone, or None if it is not set. A date alone gets `time_of_day`."""
        value = self.table.get(key)
        if value is None:
            return None
        if not isinstance(value, datetime.datetime):
            value = datetime.datetime.combine(value, time_of_day)
        if (offset := value.utcoffset()) is None:
            return self.plan.add_zone(value)
        # Name the zone "UTC+01:00", as Python does. tomlkit names it "+01:00".
        value = value.replace(tzinfo=datetime.timezone(offset))
        return self.plan.to_course_zone(value) if self.plan.timezone else value

    def require_file(self, name: str, suffixes: tuple[str, ...], *path: str | int) -> Path:
        file = self.file.path.parent / name
        if file.suffix not in suffixes:
            self.refuse(f"{name} has to be a {' or '.join(suffixes)} file", *path)
        if not file.is_file():
            problem = f"{name} does not exist: create it, or remove the key (paths begin at the course's folder)"
            self.refuse(problem, *path)
        if not file.resolve().is_relative_to(self.file.path.parent.resolve()):
            self.refuse(f"{name} is outside of the course's folder: copy the file into it", *path)
        return file

    def read_additions(self, places: Collection[str]) -> tuple[AddedCells, ...]:
        additions: dict[str, AddedCells] = {}
        for i, entry in enumerate(self.table.get("add", [])):
            if not isinstance(entry, dict) or not {"after", "file"} <= set(entry):
                self.refuse(f"each entry of add looks like {_AN_ADDITION}", "add", i)
            self.file.check(entry, _ADDITION, "in an entry of add", "assignments", self.name, "add", i)
            place, points = entry["after"], entry.get("points")
            problem = f"after = {place!r} is not a chapter or exercise of {self.name}"
            self.require_known(place, places, problem, "add", i, "after")
            addition = AddedCells(place, self.require_file(entry["file"], (".md", ".py"), "add", i, "file"), points)
            if addition.name in additions:
                problem = f"{entry['file']} is added twice to {self.name}: give the second file another name"
                self.refuse(problem, "add", i, "file")
            additions[addition.name] = addition
        return tuple(additions.values())

    def require_known(self, name: str, names: Collection[str], problem: str, *path: str | int) -> None:
        if name not in names:
            self.refuse(f"{problem}: {_suggest(name, names)}", *path)

    def refuse(self, sentence: str, *path: str | int) -> NoReturn:
        self.file.refuse(sentence, "assignments", self.name, *path)


def _find_chapter_problem(own_chapter: str) -> str:
    """Return the problem with one of the teacher's own chapters, or an empty string."""
    try:
        exercises = read_chapter(own_chapter).exercises
    except ChapterError as error:
        return str(error)
    for name in (each.name for each in exercises if (curriculum.SUITES / f"test_{each.name}.py").exists()):
        return f"{name} of {OWN}/{own_chapter}.py is an exercise of the kit: give yours another name"
    return "" if exercises else f"{OWN}/{own_chapter}.py contains no exercise (docs/author.md)"


def _suggest(name: str, names: Collection[str]) -> str:
    matches = difflib.get_close_matches(name, names, 3, 0.5)
    return f"did you mean {' or '.join(matches)}?" if matches else f"known are {', '.join(sorted(names))}"

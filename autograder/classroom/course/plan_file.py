"""Reads `course.toml`, and names the line of whatever is wrong in it."""

import datetime
import difflib
import re
from pathlib import Path

from autograder.chapters import curriculum
from autograder.chapters.chapter import read_chapter
from autograder.chapters.errors import ChapterError, CourseError, why
from autograder.chapters.files import write_whole
from autograder.classroom.course.plan import MARK, OWN, PLAN, REFUSE, Addition, Assignment, Plan, whole_plan

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10
    import tomli as tomllib

_NAME = re.compile(r"[A-Za-z0-9][\w.-]*", re.ASCII)  # nbgrader makes folders of it, and addresses
_A_TIME = "a date and time, such as 2027-02-01T12:00:00+01:00"
KEYS = ("chapters", "exercises", "points", "due", "carry_forward", "before", "after", "add", "weight")
KEYS += ("exam", "opens", "late", "feedback")


def read_plan(folder):
    """The plan of the course in a folder; `CourseError` names the line of what is wrong with it."""
    path = Path(folder) / PLAN
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return whole_plan()
    except UnicodeError:
        raise CourseError(f"{path} cannot be read: it is not text in UTF-8") from None
    except OSError as error:
        raise CourseError(f"{path} cannot be read: {why(error)}") from None
    return _Reader(path, text).plan()


def set_key(folder: Path, assignment: str, key: str, value: str) -> Plan:
    """Write a key, as TOML writes its value, over the line that holds it or its comment; the plan that the file holds.

    The rest of the file stays, and so does all of it where the key would spoil it.
    """
    path = folder / PLAN
    if not path.exists():
        raise CourseError(f"{path} is not there: write it first, as docs/teacher-reference.md shows")
    before = path.read_text(encoding="utf-8")
    lines = before.splitlines(keepends=True)
    header = _header(lines, assignment)
    if header is None:
        raise CourseError(f"{path} has no table [assignments.{assignment}]: write it first, then `attn course build`")
    start, line = header + 1, f"{key} = {value}\n"
    end = next((at for at in range(start, len(lines)) if re.match(r"\s*\[\s*assignments", lines[at])), len(lines))
    old = next((at for at in range(start, end) if re.match(rf"\s*#?\s*{key}\s*=", lines[at])), None)
    lines[start if old is None else old : start if old is None else old + 1] = [line]
    write_whole(path, "".join(lines))
    try:
        return read_plan(folder)
    except CourseError:
        write_whole(path, before)
        raise


def _header(lines, assignment):
    """The line, counted from 0, on which the table of an assignment begins; None where none does."""
    header = re.compile(rf"""\s*\[\s*assignments\s*\.\s*["']?{re.escape(assignment)}["']?\s*\]""")
    return next((at for at, line in enumerate(lines) if header.match(line)), None)


class _Reader:
    """Reads one `course.toml`, and knows on which line something stands."""

    def __init__(self, path, text):
        self.path, self.lines = path, text.splitlines()
        try:
            self.data = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            at, told = re.search(r"at line (\d+)", str(error)), re.sub(r" \(at .*\)$", "", str(error))
            line = int(at[1]) if at else len(self.lines)
            is_time = re.match(r"\s*(due|opens|feedback)\s*=", "".join(self.lines[line - 1 : line]))
            self.refuse(f"this is not TOML: {told}{f': write {_A_TIME}' if is_time else ''}", number=line)

    def plan(self):
        self.known(self.data, ("assignments", "hand_in", "drop_lowest"), "", "at the top of the file")
        tables = self.typed(self.data, "assignments", dict, "one table for each assignment", "")
        if not tables:
            self.refuse("no assignment is left: write at least one, as [assignments.NAME] with chapters = [...]")
        hand_in = self.typed(self.data, "hand_in", str, "a text", "") or ""
        drop = self.typed(self.data, "drop_lowest", int, "a whole number", "") or 0
        if not 0 <= drop < len(tables):
            self.refuse(f"drop_lowest is {drop}: write a number from 0 to {len(tables) - 1}", "", "drop_lowest")
        assignments = {name: self.assignment(name, table) for name, table in tables.items()}
        return Plan(assignments, hand_in.strip(), drop)

    def assignment(self, name, table):
        if not _NAME.fullmatch(name):
            self.refuse(f"{name!r} cannot name a folder: use letters, digits, . _ and -", name)
        if not isinstance(table, dict):
            self.refuse(f"assignments.{name} has to be a table: [assignments.{name}]", name)
        self.known(table, KEYS, name, f"in [assignments.{name}]")
        chapters = self.chapters(name, table)
        exercises = [exercise for chapter in chapters for exercise in read_chapter(chapter).exercises]
        chosen = self.chosen(name, table, chapters, {exercise.name for exercise in exercises})
        return Assignment(
            name,
            chapters,
            chosen,
            self.points(name, table, {each.name for each in exercises if chosen is None or each.name in chosen}),
            carry_forward=self.typed(table, "carry_forward", bool, "true or false", name) or False,
            before=self.text(name, table, "before"),
            after=self.text(name, table, "after"),
            additions=self.additions(name, table, chapters, {exercise.name for exercise in exercises}, chosen),
            weight=self.worth(name, table.get("weight", 1), "weight is", "weight"),
            **self.terms(name, table),
        )

    def terms(self, name, table):
        """What an exam is asked under; an assignment that is none may have the same keys."""
        exam = self.typed(table, "exam", bool, "true or false", name) or False
        late = table.get("late", REFUSE if exam else MARK)
        if late not in (MARK, REFUSE):
            self.refuse(f'late is {late!r}: write "{MARK}" or "{REFUSE}"', name, "late")
        opens, due = self.moment(name, table, "opens"), self.moment(name, table, "due")
        if opens and due and opens >= due:
            self.refuse(f"{name} is due before it opens: change one of the two", name, "opens")
        feedback = table.get("feedback", not exam)
        if not isinstance(feedback, bool):
            feedback = self.moment(name, table, "feedback", f"write true or false, or {_A_TIME}")
        return {"due": due, "exam": exam, "opens": opens, "late": late, "feedback": feedback}

    def chapters(self, name, table):
        chapters = self.names(name, table, "chapters")
        if not chapters:
            self.refuse(
                f'{name} has no chapters: write chapters = ["one_query"], or take the assignment out', name, "chapters"
            )
        own = curriculum.own_home()
        known = [*curriculum.CHAPTERS, *(sorted(path.stem for path in own.solutions.glob("*.py")) if own else ())]
        for chapter in chapters:
            if chapter not in known:
                self.refuse(f"there is no chapter {chapter!r}: {_near(chapter, known)}", name, chapter)
            if chapter not in curriculum.CHAPTERS:
                self.own_chapter(name, chapter)
        return chapters

    def own_chapter(self, name, chapter):
        try:
            exercises = read_chapter(chapter).exercises
        except ChapterError as error:
            self.refuse(str(error), name, chapter)
        if not exercises:
            self.refuse(f"{OWN}/{chapter}.py holds no exercise (docs/author.md)", name, chapter)
        for exercise in exercises:
            if (curriculum.SUITES / f"test_{exercise.name}.py").exists():
                told = f"{exercise.name} of {OWN}/{chapter}.py is an exercise of the kit: give yours another name"
                self.refuse(told, name, chapter)

    def chosen(self, name, table, chapters, known):
        if "exercises" not in table:
            return None
        chosen = self.names(name, table, "exercises")
        for exercise in chosen:
            if exercise not in known:
                self.refuse(
                    f"no chapter of {name} has an exercise {exercise!r}: {_near(exercise, known)}", name, exercise
                )
        for chapter in chapters:
            if not {each.name for each in read_chapter(chapter).exercises} & set(chosen):
                self.refuse(f"no exercise of {chapter} is chosen: take it out of chapters", name, chapter)
        return frozenset(chosen)

    def points(self, name, table, chosen):
        points = self.typed(table, "points", dict, "a table such as { softmax = 20 }", name) or {}
        for exercise, worth in points.items():
            if exercise not in chosen:
                told = f"points for {exercise!r}, which is no exercise of {name}: {_near(exercise, chosen)}"
                self.refuse(told, name, exercise, "points")
            self.worth(name, worth, f"points for {exercise} are", exercise, "points")
        return points

    def worth(self, name, worth, said, *words):
        if isinstance(worth, bool) or not isinstance(worth, int | float) or not 0 < worth <= 10_000:
            self.refuse(f"{said} {worth!r}: write a number above 0, and at most 10,000", name, *words)
        return worth

    def moment(self, name, table, key, wanted=f"write {_A_TIME}"):
        found = table.get(key)
        if found is None:
            return None
        if isinstance(found, datetime.date) and not isinstance(found, datetime.datetime):
            found = datetime.datetime.combine(found, datetime.time(23, 59))
        if not isinstance(found, datetime.datetime):
            self.refuse(f"{key} is {found!r}: {wanted}", name, key)
        return found.astimezone() if found.tzinfo is None else found

    def text(self, name, table, key):
        file = self.typed(table, key, str, "the path of a Markdown file", name)
        return self.file(name, file, (".md",)) if file else None

    def file(self, name, file, suffixes):
        path = self.path.parent / file
        if path.suffix not in suffixes:
            self.refuse(f"{file} has to be a {' or '.join(suffixes)} file", name, file)
        if not path.is_file():
            self.refuse(
                f"{file} is not there: write it, or take the key out (paths begin at the course's folder)", name, file
            )
        return path

    def additions(self, name, table, chapters, known, chosen):
        found = []
        for each in self.typed(table, "add", list, "a list such as [{ after = ..., file = ... }]", name) or []:
            if not isinstance(each, dict) or not {"after", "file"} <= set(each):
                self.refuse(
                    'each entry of add looks like { after = "softmax", file = "own/why.md", points = 5 }', name, "add"
                )
            self.known(each, ("after", "file", "points"), name, "in an entry of add")
            place, file = str(each["after"]), str(each["file"])
            there = {*chapters, *(known if chosen is None else chosen)}
            if place not in there:
                self.refuse(
                    f"after = {place!r} is no chapter or exercise of {name}: {_near(place, there)}", name, place
                )
            points = self.worth(name, each["points"], f"points for {file} are", file) if "points" in each else None
            found.append(Addition(place, self.file(name, file, (".md",) if points else (".md", ".py")), points))
            if [other.name for other in found].count(found[-1].name) > 1:
                self.refuse(f"{file} is added twice to {name}: give the second file another name", name, file)
        return tuple(found)

    def names(self, name, table, key):
        found = self.typed(table, key, list, 'a list of names, such as ["one_query"]', name) or []
        for each in found:
            if not isinstance(each, str):
                self.refuse(f"{key} holds {each!r}: write names between quotation marks", name, key)
            if found.count(each) > 1:
                self.refuse(f"{key} names {each} twice: take one of them out", name, each)
        return tuple(found)

    def known(self, table, keys, assignment, where):
        for key in table:
            if key not in keys:
                self.refuse(f"nothing is called {key!r} {where}: {_near(key, keys)}", assignment, key)

    def typed(self, table, key, kind, said, assignment):
        if key in table and not isinstance(table[key], kind):
            self.refuse(f"{key} has to be {said}", assignment, key)
        return table.get(key)

    def refuse(self, sentence, assignment="", *words, number=None):
        """Raise with the line of an assignment's table on which most of the words stand."""
        number = number or self.line_of(assignment, words)
        raise CourseError(f"{self.path}, line {number}: {sentence}")

    def line_of(self, assignment, words):
        start = _header(self.lines, assignment) or 0
        sought = [re.compile(rf"(?<![\w./-]){re.escape(word)}(?![\w-])") for word in words]
        lines = [line.partition("#")[0] for line in self.lines[start:]]
        found = [sum(bool(word.search(line)) for word in sought) for line in lines]
        return start + 1 + found.index(max(found, default=0))


def _near(name, known):
    near = difflib.get_close_matches(name, known, 3, 0.5)
    return f"did you mean {' or '.join(near)}?" if near else f"known are {', '.join(sorted(known))}"

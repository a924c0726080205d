"""The people in the course: each learner is one `Person`, whatever platforms call them.

`roster.csv` in the course's folder has a line for each, with all names by which platforms know them. Without it, names
in the gradebook decide.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections import Counter
from collections.abc import Container, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from autograder.chapters.errors import CourseError
from autograder.chapters.files import write_whole
from autograder.classroom.course.course import Course
from autograder.classroom.course.deadlines import read_extra
from autograder.classroom.gradebook.queries import Student, students
from autograder.classroom.roster.ids import MAX_ID, is_id, normalise, safe_id
from autograder.classroom.roster.table import Row, Table, as_told, csv_text, people_in, read_table

ROSTER = "roster.csv"
GROUP_IN = "group "  # prefix of the column with the groups of one assignment
IDS = f"at most {MAX_ID} letters that can be seen, no slash, and no point or hyphen first"
MAX_NAME = 128  # characters that the gradebook stores
COLUMNS = ("id", "name", "email", "username", "number", "canvas", "section", "group", "extra", "left")
_AND = re.compile(r",? (?:and|und|et|y) |[,;] ?")


@dataclass(frozen=True)
class Person:
    """A learner: nbgrader's id, and names on platforms, which may be empty."""

    id: str
    name: str = ""
    email: str = ""
    username: str = ""
    number: str = ""
    canvas: str = ""
    section: str = ""
    group: str = ""
    extra: str = ""  # an accommodation for every assignment: a share of its time such as 25%, or a length such as 2d
    left: str = ""
    groups: tuple[tuple[str, str], ...] = ()  # assignment -> group, if the roster has a column for it

    @property
    def sections(self) -> set[str]:
        """Return the names for `--section`: Canvas writes "A and B" for members of two."""
        return {self.section, *_AND.split(self.section), self.group} - {""}

    def group_in(self, assignment: str) -> str:
        return dict(self.groups).get(assignment, self.group)

    @functools.cached_property
    def keys(self) -> set[str]:
        return {_key(key) for key in (self.id, self.email, self.username, self.number) if key}


@dataclass
class Change:
    """The changes by a roster: ids of new learners, of changed ones, and of those who are missing in it."""

    new: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)


class People:
    def __init__(self, course: Course) -> None:
        self.course, self.path = course, course.folder / ROSTER
        self.has_roster = self.path.exists()

    @functools.cached_property
    def by_id(self) -> dict[str, Person]:
        """Return all learners in the roster or the gradebook; the roster's data has priority."""
        known = [Person(each.id, full_name(each), each.email or "") for each in students(self.course.read)]
        return {person.id: person for person in [*known, *self.listed]}

    @functools.cached_property
    def listed(self) -> list[Person]:
        """Return the learners in the roster, without importing nbgrader."""
        if not self.has_roster:
            return []
        table = read_table(self.path)
        places = {name: at for name in COLUMNS if (at := table.column(name)) is not None}
        if "id" not in places:
            raise CourseError(f"{self.path} has no column id: restore it, or delete it and read the roster again")
        own = {title.removeprefix(GROUP_IN): at for at, title in enumerate(table.header) if title.startswith(GROUP_IN)}
        listed = list[Person]()
        for line, row in zip(table.lines, table.rows, strict=True):
            fields: dict[str, Any] = {name: as_told(row[at].strip()) for name, at in places.items()}
            fields["groups"] = tuple((assignment, as_told(row[at].strip())) for assignment, at in own.items())
            fields["id"] = normalise(fields["id"])
            if not is_id(fields["id"]):
                raise CourseError(f"{self.path}, line {line}: {fields['id']!r} can be nobody's id: {IDS}")
            _require_extra(fields.get("extra", ""), f"{self.path}, line {line}")
            listed.append(Person(**fields))
        return self._one_each(listed)

    def _one_each(self, listed: list[Person]) -> list[Person]:
        """Return the persons. Raises `CourseError` if an id is repeated, or differs from another only in case."""
        ids = Counter(_key(person.id) for person in listed)
        if twice := next((person.id for person in listed if ids[_key(person.id)] > 1), ""):
            raise CourseError(f"{self.path} has the id {twice} in several lines: take all but one of them out")
        return listed

    @property
    def in_course(self) -> list[Person]:
        """Return the learners in the roster; if others have submitted, or there is no roster, all known ones."""
        handed_in = {folder.name for folder in (self.course.folder / "submitted").glob("*")}
        is_all = self.has_roster and handed_in <= {person.id for person in self.listed}
        return self.listed if is_all else list(self.by_id.values())

    def find(self, who: str) -> Person | None:
        """Return the one learner with this id, e-mail, user name, number or name; None if there is not exactly one."""
        matches = self._all(who)
        return matches[0] if len(matches) == 1 else None

    def _all(self, who: str) -> list[Person]:
        by_key = self.with_key(who)
        return by_key if len(by_key) == 1 else self._named(who) or by_key

    def with_key(self, text: str) -> list[Person]:
        """Return the learners with this id, e-mail, user name or number, in the roster or else in the gradebook."""
        key = _key(text)
        listed = [person for person in self.listed if key in person.keys]
        return listed if len(listed) == 1 else [person for person in self.by_id.values() if key in person.keys]

    def known(self, who: str) -> Person:
        """Return the learner or raise `CourseError`; a submitter who is not graded yet is known by id only."""
        person = self.find(who)
        if person is None and is_id(who) and (self.course.folder / "submitted" / who).is_dir():
            return Person(who)
        if person is None and (several := self._all(who)):
            ids = ", ".join(sorted(person.id for person in several))
            raise CourseError(f"{who} is the name of {len(several)} learners: give the id of one of them, {ids}")
        if person is None:
            raise CourseError(
                f"{who} is nobody's id, e-mail address or name in this course: `attn course roster` lists them"
            )
        return person

    def _named(self, name: str) -> list[Person]:
        """Return the learners with this name: in any order, after a group's name, or joined as Canvas does."""
        words, in_one = _words(name), joined(name)
        words_of = [(person, _words(person.name)) for person in self.by_id.values() if person.name]
        exact = [person for person, parts in words_of if sorted(parts) == sorted(words)]
        if not exact and len(words) > 1:
            exact = [person for person, parts in words_of if len(parts) > 1 and words[-len(parts) :] == parts]
        return exact or [
            person
            for person, parts in words_of
            if parts and in_one in ("".join([parts[-1], *parts[:-1]]), "".join(parts))
        ]

    def are_several(self, number: str, name: str) -> bool:
        """Return whether a name is that of several learners of the roster, and no number says of which."""
        return number not in self.by_id and len([person for person in self._named(name) if person in self.listed]) > 1

    def owner(self, number: str, name: str, is_canvas: bool) -> Person | None:
        """Return whose a download is: by Canvas's number, else by name, among those without another number."""
        if is_canvas:
            matches = [person for person in self.by_id.values() if number and person.canvas == number]
            if len(matches) == 1:
                return matches[0]
        named = [person for person in (self._named(name) if name else []) if not (is_canvas and person.canvas)]
        if len(named) == 1:
            return named[0]
        before = self.by_id.get(number)  # collected before there was a roster
        is_same = before and not named and (not before.name or (is_canvas and not self.has_roster))
        return before if is_same else None

    def meant_by(self, who: str) -> list[Person]:
        """Return one learner, or all in a section or group. Raises `CourseError` if there is nobody."""
        if self.find(who) is None and any(who in person.sections for person in self.by_id.values()):
            return [self.by_id[student] for student in sorted(self.in_section(who))]
        return [self.known(who)]

    def in_section(self, section: str) -> frozenset[str]:
        """Return the ids in a section or group. Raises `CourseError` if none has that name."""
        named = {name for person in self.by_id.values() for name in person.sections}
        if section not in named:
            raise CourseError(f"there is no section {section!r}: the roster has {', '.join(sorted(named)) or 'none'}")
        return frozenset(person.id for person in self.by_id.values() if section in person.sections)

    def take(self, table: Table, assignment: str = "") -> Change:
        """Read learners from a platform's table; with an assignment, its groups are for that one only."""
        change, line_of = Change(), dict[str, int]()  # id -> line
        for line, told in people_in(table):
            row: dict[str, Any] = dict(told)
            before = self._known_as(row, line_of, f"{table.path}, line {line}")
            own_id = row.pop("id")
            groups = dict(before.groups if before else ()) | ({assignment: row.pop("group")} if assignment else {})
            row["groups"] = tuple(groups.items())
            _require_extra(row["extra"], f"{table.path}, line {line}")
            if before is None:
                person = Person(own_id or _new_id(row, self.by_id), **row)
                change.new.append(person.id)
            else:
                person = replace(before, **{key: value for key, value in row.items() if value}, left="")
                change.changed += [person.id] * (person != before)
            self.by_id[person.id] = person
            line_of.setdefault(person.id, line)
        change.missing = [person.id for person in self.by_id.values() if person.id not in line_of and not person.left]
        return change

    def _known_as(self, row: Row, line_of: dict[str, int], where: str) -> Person | None:
        """Return the known person that a row is about; ``line_of``: where the table named whom."""
        keys = {_key(row[name]) for name in ("id", "email", "username", "number") if row.get(name)}
        who = row["name"] or row["email"]
        by_key = [
            person
            for person in self.by_id.values()
            if keys & person.keys or (row["canvas"] and row["canvas"] == person.canvas)
        ]
        if by_key:
            (matching, *_), line = by_key, line_of.get(by_key[0].id)
            if line and _words(row["name"]) != _words(matching.name):
                other = f"{matching.name} in line {line}"
                raise CourseError(f"{where}: {who} has the id, e-mail address or number of {other}")
            return matching
        named = self._named(row["name"])
        if not (keys or row["canvas"]) and any(person.id in line_of for person in named):
            raise CourseError(f"{where}: a second {who}: give each an id or an e-mail address")
        # A person of the same name with another address, or in another line, is somebody else.
        named = [person for person in named if person.id not in line_of and not (person.email and row["email"])]
        return named[0] if len(named) == 1 else None

    def leave(self, ids: Iterable[str]) -> None:
        for student in ids:
            self.by_id[student] = replace(self.by_id[student], left="yes")

    def save(self) -> None:
        own = list(dict.fromkeys(name for person in self.by_id.values() for name, _ in person.groups))
        rows = [
            [*(getattr(person, name) for name in COLUMNS), *(dict(person.groups).get(name, "") for name in own)]
            for person in self.by_id.values()
        ]
        write_whole(self.path, csv_text([[*COLUMNS, *(GROUP_IN + name for name in own)], *rows]), 0o600)
        known = {student.id: student for student in students(self.course.read)}
        columns = {
            person.id: split_name(person.name) | {"email": person.email[:MAX_NAME] or None}
            for person in self.by_id.values()
        }
        if changed := {who: its for who, its in columns.items() if known.get(who) != Student(who, **its)}:
            with self.course.gradebook() as gradebook:
                for student, its in changed.items():
                    gradebook.update_or_create_student(student, **its)


def told_apart(names: dict[str, str]) -> dict[str, str]:
    """Return names by id, with the id added to names that several people have."""
    counts = Counter(tuple(_words(name)) for name in names.values())
    return {key: f"{name} ({key})" if counts[tuple(_words(name))] > 1 else name for key, name in names.items()}


def limit_to(course: Course, section: str | None = None, student: str | None = None) -> Course:
    """Limit commands to a section, to one learner, or to those who have not left."""
    if section or student or (course.folder / ROSTER).exists():
        people = People(course)
        course.gone = frozenset(person.id for person in people.by_id.values() if person.left)
        together = people.in_section(section) if section else None
        ids = frozenset([people.known(student).id]) if student else together
        if ids and together is not None and not ids <= together:
            raise CourseError(f"{student} is not in section {section!r}: leave one of the two out")
        course.only = ids
    return course


def _require_extra(extra: str, where: str) -> None:
    try:
        read_extra(extra or "0")
    except CourseError:
        raise CourseError(f"{where}: extra is {extra!r}: write a share such as 25%, or 2d") from None


def _new_id(row: Row, used: Container[str]) -> str:
    words = "-".join(_words(row["name"]))[: MAX_ID - 6]
    for candidate in (row["username"], row["number"], row["email"].partition("@")[0], words, row["email"]):
        if (new_id := safe_id(candidate)) and new_id not in used:
            return new_id
    numbered = (f"{words or 'learner'}-{count}" for count in range(2, 10_000))
    return next(new_id for new_id in numbered if new_id not in used)


def _key(text: str) -> str:
    return normalise(text.strip()).casefold()


def _words(name: str) -> list[str]:
    """Return a name without case, accents and invisible characters, as words."""
    letters = unicodedata.normalize("NFKD", name.casefold().replace("_", " "))
    return re.findall(r"\w+", "".join(x for x in letters if x.isprintable() and not unicodedata.combining(x)))


def joined(name: str) -> str:
    """Return a name as Canvas writes it before a file: in one word."""
    return "".join(_words(name))


def full_name(student: Student) -> str:
    return " ".join(filter(None, (student.first_name, student.last_name)))


def split_name(name: str) -> dict[str, Any]:
    """Split a name into the gradebook's columns."""
    first, _, last = name[:MAX_NAME].rpartition(" ")
    return {"first_name": first or None, "last_name": last or None}


def by_name(name: str) -> tuple[list[str], str]:
    """Return the sort key of a name, without case and accents."""
    return _words(name), name

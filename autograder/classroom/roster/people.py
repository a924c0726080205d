"""The learners of a course, and their names and IDs on learning platforms.

They are listed in `roster.csv` in the course's folder, or else in the gradebook.
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
from autograder.chapters.files import write_file
from autograder.classroom.course.course import Course
from autograder.classroom.course.deadlines import parse_extra_time
from autograder.classroom.gradebook.queries import Student, read_students
from autograder.classroom.roster.ids import ID_RULE, MAX_ID_CHARACTERS, is_id, make_id, normalise_id
from autograder.classroom.roster.table import CsvTable, Row, format_csv, read_people, read_table, unescape_cell

ROSTER = "roster.csv"
GROUP_PREFIX = "group "
MAX_NAME_CHARACTERS = 128  # characters of a name in the gradebook
COLUMNS = ("id", "name", "email", "username", "number", "canvas", "section", "group", "extra", "left")
_AND = re.compile(r",? (?:and|und|et|y) |[,;] ?")


@dataclass(frozen=True)
class Person:
    """A learner: the ID in the gradebook, and the data of learning platforms, which may be empty."""

    id: str
    name: str = ""
    email: str = ""
    username: str = ""
    number: str = ""
    canvas: str = ""
    section: str = ""
    group: str = ""
    # Extra time for every assignment: a share of its time such as 25%, or a length such as 2d.
    extra: str = ""
    left: str = ""  # "yes" if they have left the course
    groups: tuple[tuple[str, str], ...] = ()  # (assignment, group) if the assignment has its own column of groups

    @property
    def sections(self) -> set[str]:
        """Return the names for `--section` to match. Canvas writes "A and B" for a member of two sections."""
        return {self.section, *_AND.split(self.section), self.group} - {""}

    def find_group(self, assignment: str) -> str:
        return dict(self.groups).get(assignment, self.group)

    @functools.cached_property
    def keys(self) -> set[str]:
        """Return a set of the normalised ID, e-mail address, user name and number, by which this learner is found."""
        return {_make_name_key(key) for key in (self.id, self.email, self.username, self.number) if key}

    @functools.cached_property
    def spellings(self) -> set[str]:
        """Return the name with its words joined, beginning with each of them."""
        words = _list_name_words(self.name)
        return {"".join(words[i:] + words[:i]) for i in range(len(words))}


@dataclass
class RosterChange:
    """The IDs of learners who are new, changed or missing in a table, compared with the roster."""

    new: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)


class People:
    def __init__(self, course: Course) -> None:
        self.course, self.path = course, course.folder / ROSTER
        self.has_roster = self.path.exists()

    @functools.cached_property
    def by_id(self) -> dict[str, Person]:
        """Return ID -> learner for all learners in the roster or the gradebook. The roster's data has priority."""
        people = [Person(each.id, each.name, each.email or "") for each in read_students(self.course.query)]
        return {person.id: person for person in [*people, *self.roster]}

    @functools.cached_property
    def roster(self) -> list[Person]:
        """Return the learners in the roster, or an empty list if there is no roster."""
        if not self.has_roster:
            return []
        table = read_table(self.path)
        places = {name: index for name in COLUMNS if (index := table.find_column(name)) is not None}
        if "id" not in places:
            raise CourseError(f"{self.path} has no column id: restore it, or delete it and read the roster again")
        titles = enumerate(table.header)
        group_columns = {title.removeprefix(GROUP_PREFIX): i for i, title in titles if title.startswith(GROUP_PREFIX)}
        people = list[Person]()
        for line, row in zip(table.lines, table.rows, strict=True):
            fields: dict[str, Any] = {name: unescape_cell(row[index].strip()) for name, index in places.items()}
            fields["groups"] = tuple((name, unescape_cell(row[index].strip())) for name, index in group_columns.items())
            fields["id"] = normalise_id(fields["id"])
            if not is_id(fields["id"]):
                raise CourseError(f"{self.path}, line {line}: {fields['id']!r} is not a valid id: {ID_RULE}")
            _require_valid_extra_time(fields.get("extra", ""), f"{self.path}, line {line}")
            people.append(Person(**fields))
        # On some systems, IDs that differ only in case would have the same folder.
        counts = Counter(_make_name_key(person.id) for person in people)
        if repeated := next((person.id for person in people if counts[_make_name_key(person.id)] > 1), ""):
            raise CourseError(f"{self.path} has the id {repeated} in several lines: remove all but one of them")
        return people

    def find(self, text: str) -> Person | None:
        """Return the learner with this ID, e-mail address, user name, number or name; None if none or several match."""
        matches = self._find_all(text)
        return matches[0] if len(matches) == 1 else None

    def _find_all(self, text: str) -> list[Person]:
        by_key = self.find_by_key(text)
        return by_key if len(by_key) == 1 else self._find_by_name(text) or by_key

    def find_by_key(self, text: str) -> list[Person]:
        """Return the learners with this ID, e-mail address, user name or number; those in the roster have priority."""
        key = _make_name_key(text)
        matches = [person for person in self.roster if key in person.keys]
        return matches if len(matches) == 1 else [person for person in self.by_id.values() if key in person.keys]

    def require(self, text: str) -> Person:
        """Return the learner, even if only a submission has this ID. Raises `CourseError` if none or several match."""
        if person := self.by_id.get(text) or self.find(text):
            return person
        if is_id(text) and (self.course.folder / "submitted" / text).is_dir():
            return Person(text)
        if matches := self._find_all(text):
            ids = ", ".join(sorted(person.id for person in matches))
            raise CourseError(f"{text} is the name of {len(matches)} learners: give the id of one of them, {ids}")
        raise CourseError(f"{text} is nobody's id, e-mail address or name: `attn course roster` lists them")

    def _find_by_name(self, name: str) -> list[Person]:
        """Return the learners with this name. Last names may come first, words be joined, or a group's name precede."""
        words = _list_name_words(name)
        for start in range(len(words)):
            joined = "".join(words[start:])
            matches = [each for each in self.by_id.values() if joined in each.spellings]
            if matches := [each for each in matches if not start or len(each.spellings) > 1]:
                return matches
        return []

    def is_ambiguous(self, number: str, name: str) -> bool:
        """Return whether several learners in the roster have this name, and `number` is not the ID of any learner."""
        return number not in self.by_id and sum(person in self.roster for person in self._find_by_name(name)) > 1

    def find_owner(self, number: str, name: str, is_canvas: bool) -> Person | None:
        """Return the learner to whom a platform gives this number and name, or None if that is unclear."""
        by_number = [person for person in self.by_id.values() if is_canvas and number and person.canvas == number]
        name_matches = [person for person in self._find_by_name(name) if not (is_canvas and person.canvas)]
        if match := next((found[0] for found in (by_number, name_matches) if len(found) == 1), None):
            return match
        # An earlier submission may have been collected under the number, before there was a roster.
        owner = self.by_id.get(number)
        is_same = owner and not name_matches and (not owner.name or (is_canvas and not self.has_roster))
        return owner if is_same else None

    def select(self, text: str) -> list[str]:
        """Return the ID of a learner, or the IDs in a section. Raises `CourseError` if no or several learners match."""
        is_section = any(text in person.sections for person in self.by_id.values())
        return sorted(self.find_ids_in_section(text)) if is_section and not self.find(text) else [self.require(text).id]

    def find_ids_in_section(self, section: str) -> frozenset[str]:
        """Return the ids in a section or group. Raises `CourseError` if none has that name."""
        known = {name for person in self.by_id.values() for name in person.sections}
        if section not in known:
            raise CourseError(f"there is no section {section!r}: the roster has {', '.join(sorted(known)) or 'none'}")
        return frozenset(person.id for person in self.by_id.values() if section in person.sections)

    def update(self, table: CsvTable, assignment: str = "") -> RosterChange:
        """Update learners from a platform's table. Return the changes. Its groups can be limited to an `assignment`."""
        change, line_of = RosterChange(), dict[str, int]()
        for line, fields in read_people(table):
            row: dict[str, Any] = dict(fields)
            old_person = self._match_row(row, line_of, f"{table.path}, line {line}")
            own_id = row.pop("id")
            old_groups = dict(old_person.groups) if old_person else {}
            groups = old_groups | ({assignment: row.pop("group")} if assignment else {})
            row["groups"] = tuple(groups.items())
            _require_valid_extra_time(row["extra"], f"{table.path}, line {line}")
            if old_person is None:
                person = Person(own_id or _find_free_id(row, self.by_id), **row)
                change.new.append(person.id)
            else:
                person = replace(old_person, **{key: value for key, value in row.items() if value}, left="")
                change.changed += [person.id] * (person != old_person)
            self.by_id[person.id] = person
            line_of.setdefault(person.id, line)
        change.missing = [person.id for person in self.by_id.values() if person.id not in line_of and not person.left]
        return change

    def _match_row(self, row: Row, line_of: dict[str, int], place: str) -> Person | None:
        """Return the known learner of a table's row, or None for a new one. `line_of`: ID -> line, for earlier rows."""
        keys = {_make_name_key(row[name]) for name in ("id", "email", "username", "number") if row.get(name)}
        subject = row["name"] or row["email"]
        by_key = [
            person
            for person in self.by_id.values()
            if keys & person.keys or (row["canvas"] and row["canvas"] == person.canvas)
        ]
        if by_key:
            (matching, *_), line = by_key, line_of.get(by_key[0].id)
            if line and _list_name_words(row["name"]) != _list_name_words(matching.name):
                other_person = f"{matching.name} in line {line}"
                raise CourseError(f"{place}: {subject} has the id, e-mail address or number of {other_person}")
            return matching
        matches = self._find_by_name(row["name"])
        if not (keys or row["canvas"]) and any(person.id in line_of for person in matches):
            raise CourseError(f"{place}: a second {subject}: give each an id or an e-mail address")
        # A person of the same name with another e-mail address, or in another line of the table, is a different person.
        matches = [person for person in matches if person.id not in line_of and not (person.email and row["email"])]
        return matches[0] if len(matches) == 1 else None

    def mark_as_left(self, ids: Iterable[str]) -> None:
        for student in ids:
            self.by_id[student] = replace(self.by_id[student], left="yes")

    def save(self) -> None:
        """Write the roster, and names and e-mail addresses into the gradebook."""
        assignments = list(dict.fromkeys(name for person in self.by_id.values() for name, _ in person.groups))
        rows = [
            [*(getattr(person, name) for name in COLUMNS), *(dict(person.groups).get(name, "") for name in assignments)]
            for person in self.by_id.values()
        ]
        header = [*COLUMNS, *(GROUP_PREFIX + name for name in assignments)]
        write_file(self.path, format_csv([header, *rows]), 0o600)
        known = {student.id: student for student in read_students(self.course.query)}
        columns = {
            person.id: split_name(person.name) | {"email": person.email[:MAX_NAME_CHARACTERS] or None}
            for person in self.by_id.values()
        }
        if changes := {key: values for key, values in columns.items() if known.get(key) != Student(key, **values)}:
            with self.course.open_gradebook() as gradebook:
                for student, values in changes.items():
                    gradebook.update_or_create_student(student, **values)


def disambiguate_names(people: Iterable[Person | Student]) -> dict[str, str]:
    """Return ID -> name, or the ID without a name. The ID is added to names that several people have."""
    names = {person.id: person.name or person.id for person in people}
    counts = Counter(map(join_name, names.values()))
    return {key: f"{name} ({key})" if counts[join_name(name)] > 1 else name for key, name in names.items()}


def limit_course(course: Course, section: str | None = None, student: str | None = None) -> Course:
    """Limit a course to a section, to one learner, or to those who have not left. Return the course."""
    if section or student or (course.folder / ROSTER).exists():
        people = People(course)
        course.former_students = frozenset(person.id for person in people.by_id.values() if person.left)
        in_section = people.find_ids_in_section(section) if section else None
        ids = frozenset([people.require(student).id]) if student else in_section
        course.selected_students = ids
        if ids and in_section is not None and not ids <= in_section:
            raise CourseError(f"{student} is not in section {section!r}: leave one of the two out")
    return course


def _require_valid_extra_time(extra: str, place: str) -> None:
    try:
        parse_extra_time(extra or "0")
    except CourseError:
        raise CourseError(f"{place}: extra is {extra!r}: write a share such as 25%, or 2d") from None


def _find_free_id(row: Row, used_ids: Container[str]) -> str:
    words = "-".join(_list_name_words(row["name"]))[: MAX_ID_CHARACTERS - 6]
    for candidate in (row["username"], row["number"], row["email"].partition("@")[0], words, row["email"]):
        if (new_id := make_id(candidate)) and new_id not in used_ids:
            return new_id
    numbered = (f"{words or 'learner'}-{count}" for count in range(2, 10_000))
    return next(new_id for new_id in numbered if new_id not in used_ids)


def _make_name_key(text: str) -> str:
    return normalise_id(text.strip()).casefold()


def _list_name_words(name: str) -> list[str]:
    """Return the words of a name without case, accents and invisible characters."""
    letters = unicodedata.normalize("NFKD", name.casefold().replace("_", " "))
    return re.findall(r"\w+", "".join(x for x in letters if x.isprintable() and not unicodedata.combining(x)))


def join_name(name: str) -> str:
    """Return a name as one word, as Canvas writes it at the beginning of a file name."""
    return "".join(_list_name_words(name))


def split_name(name: str) -> dict[str, Any]:
    """Split a name into the values of the gradebook's columns `first_name` and `last_name`."""
    first_names, _, last_name = name[:MAX_NAME_CHARACTERS].rpartition(" ")
    return {"first_name": first_names or None, "last_name": last_name or None}


def make_name_order(name: str) -> tuple[list[str], str]:
    """Return the sort key of a name, without case and accents."""
    return _list_name_words(name), name

"""CSV files: a reader for those of platforms and spreadsheets, and a writer that disables formulas."""

import contextlib
import csv
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.chapters.errors import CourseError, reason_of
from autograder.chapters.files import write_output
from autograder.chapters.text import clean
from autograder.classroom.roster.ids import ID_RULE, MAX_ID_CHARACTERS, make_id, normalise_id

_DELIMITERS = ",;\t"
_SPACE = r"[^\S\n]*"
_NUMBER = rf"{_SPACE}[+-]?\d+([.,]\d+)?%?{_SPACE}(\Z|[;\n])"
_BEGIN = rf"(?={_SPACE}[=+\-@＝＋－＠]\s*\S)"
# Matches where a spreadsheet would start a formula: at the start of a cell, or after a semicolon or newline, which some
# spreadsheets take for the end of a cell. Signed numbers and list items are not formulas.
_FORMULA = re.compile(rf"(\A|;|\n(?!{_SPACE}[-+]\s))(?!{_NUMBER}){_BEGIN}")
_ESCAPED = re.compile(rf"(\A|[;\n])'{_BEGIN}")
# The limit is high, because Moodle includes whole texts of learners in its worksheet.
_MAX_CELL_CHARACTERS = 1 << 24


@dataclass
class CsvTable:
    """A CSV file. Its rows are as long as its header."""

    path: Path
    header: list[str]
    rows: list[list[str]]
    notes: list[str]  # warnings for the teacher
    lines: list[int]  # for each row, the line of the file on which it ends

    def find_column(self, name: str) -> int | None:
        """Return the index of a column, or None if it is missing. The case of titles varies between platforms."""
        titles = [title.casefold().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'") for title in self.header]
        return titles.index(name.casefold()) if name.casefold() in titles else None

    def find_columns(self, names: Iterable[str]) -> list[int]:
        return [i for i in map(self.find_column, names) if i is not None]


def read_table(path: Path) -> CsvTable:
    """Read a CSV file with a common encoding and delimiter. Raises `CourseError` if it is unreadable or empty."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise CourseError(f"{path} cannot be read: {reason_of(error)}") from None
    text, notes = _decode(data, path)
    first_line = text.partition("\n")[0]
    delimiter = max(_DELIMITERS, key=lambda sign: len(next(csv.reader([first_line], delimiter=sign), [])))
    csv.field_size_limit(_MAX_CELL_CHARACTERS)
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        numbered_rows = [(reader.line_num, row) for row in reader if any(row)]
    except csv.Error as error:
        raise CourseError(f"{path} is not a CSV file ({error}): download it again") from None
    if not numbered_rows:
        raise CourseError(f"{path} is empty: download it again")
    lines, rows = zip(*numbered_rows, strict=True)
    header = [name.strip() for name in rows[0]]
    body = [row[: len(header)] + [""] * (len(header) - len(row)) for row in rows[1:]]
    return CsvTable(Path(path), header, body, notes, list(lines[1:]))


def _decode(data: bytes, path: Path) -> tuple[str, list[str]]:
    """Return the text of a file, and a list that contains a warning if the encoding is a guess."""
    with contextlib.suppress(UnicodeDecodeError):
        return data.decode("utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"), []
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError:
        raise CourseError(f"{path} is not text: save it as CSV in UTF-8") from None
    return text, [f"{path} is not UTF-8, so it was read as Windows-1252: see whether the names look right."]


def write_table(path: Path, table: CsvTable) -> None:
    """Write a table that was read from another file. Raises `CourseError` if it was read from this one."""
    if path.exists() and path.samefile(table.path):
        raise CourseError(f"{path} is the file that you downloaded: name another one with --to")
    write_rows(path, [table.header, *table.rows])


def write_rows(path: Path, rows: Iterable[Iterable[object]]) -> None:
    """Write a new table for other programs, as UTF-8 with commas."""
    write_output(path, format_csv(rows, "\r\n"))


def format_csv(rows: Iterable[Iterable[object]], end: str = "\n") -> str:
    """Return rows as CSV in which no string is a formula."""
    text = io.StringIO(newline="")
    cells = ([escape_cell(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
    csv.writer(text, lineterminator=end).writerows(cells)
    return text.getvalue()


def escape_cell(cell: str) -> str:
    """Return the text of a cell with an apostrophe before anything that a spreadsheet would take for a formula."""
    return _FORMULA.sub(r"\1'", clean(cell))


def unescape_cell(cell: str) -> str:
    return _ESCAPED.sub(r"\1", cell)


Row = dict[str, str]  # the key in `_COLUMNS` -> a learner's value, which may be empty

# Key -> titles of its column in the tables of platforms, in four languages. The most reliable title comes first.
_COLUMNS = {
    "id": "id of the student, student id, student_id",
    "name": "full name, student, name, vollständiger name, nom complet, nombre completo",
    "first": "first name, first_name, firstname, vorname, prénom, nombre",
    "last": "last name, surname, last_name, lastname, nachname, nom, nom de famille, apellido(s), apellidos",
    "email": "email address, email, e-mail, mail, e-mail-adresse, adresse de courriel, courriel, dirección de correo",
    "username": "sis login id, username, login_id, login, anmeldename, nom d'utilisateur, nombre de usuario",
    "number": "id number, sis user id, user_id, matriculation number, id-nummer, matrikelnummer, matrikelnr"
    ", numéro d'identification, número de id",
    "section": "section, sections, groups, gruppen, groupes, grupos",
    "group": "group, group_name, gruppe, groupe, grupo",
    "extra": "extra, extra time",
}

_LAST_AND_FIRST = ("name, vorname", "nachname, vorname", "last name, first name", "nom, prénom", "apellidos, nombre")


def read_people(table: CsvTable) -> Iterator[tuple[int, Row]]:
    """Yield (line, `Row`) for each learner in a table. Raises `CourseError` if it names nobody or an ID is invalid."""
    places = {key: table.find_columns(names.split(", "))[:1] for key, names in _COLUMNS.items()}
    places["name"] += table.find_columns(_LAST_AND_FIRST)
    # If there is a column of first names, "Name" is the column of last names.
    if places["first"] and not places["last"]:
        places["last"] = table.find_columns(["name"])
        places["name"] = [i for i in places["name"] if i not in places["last"]]
    # "ID" is the teacher's ID, but Canvas's number in Canvas's gradebook. In Canvas's groups, it is "canvas_user_id".
    is_canvas = table.find_column("SIS Login ID") is not None
    places["id"] += [] if is_canvas else table.find_columns(["ID"])
    places["canvas"] = table.find_columns(["ID" if is_canvas else "canvas_user_id"])
    if not (places["name"] or places["email"] or (places["first"] and places["last"])):
        raise CourseError(f"{table.path} names nobody: it needs a column such as Student, name, or Email address")
    for line, row in zip(table.lines, table.rows, strict=True):
        fields = {key: next(filter(None, (row[i].strip() for i in columns)), "") for key, columns in places.items()}
        first, last = fields.pop("first"), fields.pop("last")
        fields["name"] = _put_first_name_first(fields["name"]) or f"{first} {last}".strip()
        own_id = normalise_id(fields["id"])
        # Do not shorten an ID, because the result could equal another ID.
        if not own_id.isprintable() or len(own_id) > MAX_ID_CHARACTERS:
            raise CourseError(f"{table.path}, line {line}: {own_id!r} is not a valid id: {ID_RULE}")
        fields["id"] = make_id(own_id)
        if "Points Possible" in row[0] or fields["name"] == "Test Student" or not any(fields.values()):
            continue
        yield line, fields


def _put_first_name_first(name: str) -> str:
    last_name, comma, first_names = name.partition(",")
    return f"{first_names.strip()} {last_name.strip()}" if comma and first_names.strip() else name


def read_worksheet(path: Path) -> dict[str, tuple[str, str, bool]]:
    """Return participant number -> (e-mail or name, submission time, whether a draft), from Moodle's worksheet."""
    table = read_table(Path(path))
    identifier, email, name = map(table.find_column, ("Identifier", "Email address", "Full name"))
    if identifier is None or (email is None and name is None):
        raise CourseError(
            f"{path} is not a grading worksheet with Identifier and Email address or Full name. In Moodle, with "
            "English as your language: the assignment's submissions > Download grading worksheet"
        )
    time, status = table.find_column("Last modified (submission)"), table.find_column("Status")
    participants = {}
    for row in table.rows:
        person = next(row[i] for i in (email, name) if i is not None and (row[i] or i == name))
        is_draft = status is not None and row[status].startswith("Draft")
        participants[row[identifier].rpartition(" ")[2]] = person, row[time] if time is not None else "", is_draft
    return participants

"""CSV files of platforms and spreadsheets: tolerant reading, and writing in which nothing is a formula."""

import csv
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from autograder.chapters.errors import CourseError, reason_of
from autograder.chapters.files import write_output
from autograder.chapters.text import clean
from autograder.classroom.roster.ids import MAX_ID, normalise, safe_id

_DELIMITERS = ",;\t"  # spreadsheets of countries with a decimal comma use the semicolon
# The start of a formula: at the start of a cell, or after what a spreadsheet with a decimal comma may take for its end.
# A signed number is not one, nor is a line of a list.
_SPACE = r"[^\S\n]*"
_NUMBER = rf"{_SPACE}[+-]?\d+([.,]\d+)?%?{_SPACE}(\Z|[;\n])"
_BEGIN = rf"(?={_SPACE}[=+\-@＝＋－＠]\s*\S)"
_FORMULA = re.compile(rf"(\A|;|\n(?!{_SPACE}[-+]\s))(?!{_NUMBER}){_BEGIN}")
_ESCAPED = re.compile(rf"(\A|[;\n])'{_BEGIN}")
_LONGEST = 1 << 24  # characters of a field: Moodle includes learners' whole texts in its worksheet
_WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # .xlsx and .ods, and the old .xls
BOM = "\N{ZERO WIDTH NO-BREAK SPACE}"


@dataclass
class Table:
    """A CSV file: its header, and its rows, which are as long as the header."""

    path: Path | None  # where it was read; None for a new one
    header: list[str]
    rows: list[list[str]]
    marked: bool = False  # whether it began with a byte-order mark, by which Excel recognises UTF-8
    notes: list[str] = field(default_factory=list)  # warnings about it
    lines: list[int] = field(default_factory=list)  # the line of the file on which each row ends

    def column(self, name: str) -> int | None:
        """Return the index of a column, or None; the case of headings varies between versions of platforms."""
        titles = [title.casefold().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'") for title in self.header]
        return titles.index(name.casefold()) if name.casefold() in titles else None

    def columns(self, names: Iterable[str]) -> list[int]:
        return [at for at in map(self.column, names) if at is not None]


def read_table(path: Path) -> Table:
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise CourseError(f"{path} cannot be read: {reason_of(error)}") from None
    text, notes = _decoded(data, path)
    marked = text.startswith(BOM)
    text = text.removeprefix(BOM)
    first_line = text.partition("\n")[0]
    delimiter = max(_DELIMITERS, key=lambda sign: len(next(csv.reader([first_line], delimiter=sign), [])))
    csv.field_size_limit(_LONGEST)
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
    return Table(Path(path), header, body, marked, notes, list(lines[1:]))


def _decoded(data: bytes, path: Path) -> tuple[str, list[str]]:
    if data.startswith(_WORKBOOKS):
        raise CourseError(f"{path} is a workbook of a spreadsheet: save it as CSV")
    try:
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):
            return data.decode("utf-16"), []
        return data.decode("utf-8"), []
    except UnicodeDecodeError:
        pass
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError:
        raise CourseError(f"{path} is not text in UTF-8: download it again") from None
    return text, [f"{path} is not UTF-8, so it was read as Windows-1252: see whether the names look right."]


def write_table(path: Path, table: Table) -> None:
    """Write a table as UTF-8 with commas. Raises `CourseError` if the file is the one it was read from."""
    if table.path and path.exists() and path.samefile(table.path):
        raise CourseError(f"{path} is the file that you downloaded: name another one with --to")
    text = BOM * table.marked + csv_text([table.header, *table.rows], "\r\n")
    write_output(path, text)


def csv_text(rows: Iterable[Iterable[object]], end: str = "\n") -> str:
    """Return rows as a CSV text in which no string is a formula; numbers are unchanged."""
    text = io.StringIO(newline="")
    cells = ([as_text(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
    csv.writer(text, lineterminator=end).writerows(cells)
    return text.getvalue()


def as_text(cell: str) -> str:
    """Return a cell that a spreadsheet shows as text: a formula gets an apostrophe, numbers are unchanged."""
    return _FORMULA.sub(r"\1'", clean(cell))


def as_told(cell: str) -> str:
    return _ESCAPED.sub(r"\1", cell)


Row = dict[str, str]  # a table's data on one learner, possibly empty

# Column names of platforms and offices, the surest first, in English, German, French and Spanish.
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


def people_in(table: Table) -> Iterator[tuple[int, Row]]:
    """Yield the line of each row of a platform's table, and its data on a learner."""
    places = {key: table.columns(names.split(", "))[:1] for key, names in _COLUMNS.items()}
    places["name"] += table.columns(_LAST_AND_FIRST)
    if places["first"] and not places["last"]:  # beside a first name, "Name" is the last one
        places["last"] = table.columns(["name"])
        places["name"] = [at for at in places["name"] if at not in places["last"]]
    any_id = table.column("ID")  # Canvas's own number, or the teacher's id
    canvas_column, id_column = (None, any_id) if table.column("SIS Login ID") is None else (any_id, None)
    canvas_column = table.column("canvas_user_id") if canvas_column is None else canvas_column  # in its list of groups
    if not (places["name"] or places["email"] or (places["first"] and places["last"])):
        raise CourseError(
            f"{table.path} names nobody: it needs a column such as Full name, Student, name, or Email address"
        )
    for line, row in zip(table.lines, table.rows, strict=True):
        fields = {key: row[at[0]].strip() if at else "" for key, at in places.items()}
        first, last = fields.pop("first"), fields.pop("last")
        fields["name"] = _in_order(fields["name"]) or f"{first} {last}".strip()
        fields["canvas"] = row[canvas_column].strip() if canvas_column is not None else ""
        own_id = normalise(fields["id"] or (row[id_column].strip() if id_column is not None else ""))
        if not own_id.isprintable() or len(own_id) > MAX_ID:  # shortened, it could equal somebody else's
            why = f"more than {MAX_ID} letters" if own_id.isprintable() else "signs that cannot be seen"
            who = fields["name"] or own_id
            raise CourseError(f"{table.path}, line {line}: the id of {who} has {why}: give them another")
        fields["id"] = safe_id(own_id)
        if "Points Possible" in row[0] or fields["name"] == "Test Student" or not any(fields.values()):
            continue
        yield line, fields


def _in_order(name: str) -> str:
    last, comma, first = name.partition(",")
    return f"{first.strip()} {last.strip()}" if comma and first.strip() else name


def worksheet_of(path: Path) -> dict[str, tuple[str, str, bool]]:
    """Return participant's number -> name or e-mail, time, and whether it is a draft, from Moodle's worksheet."""
    table = read_table(Path(path))
    identifier, email, name = map(table.column, ("Identifier", "Email address", "Full name"))
    if identifier is None or (email is None and name is None):
        raise CourseError(
            f"{path} is not a grading worksheet: it needs the columns Identifier and Email address or Full name. In "
            "Moodle, with English as your language: the assignment's submissions > Download grading worksheet"
        )
    when, status = table.column("Last modified (submission)"), table.column("Status")
    handed_in = {}
    for row in table.rows:
        who = next(row[at] for at in (email, name) if at is not None and (row[at] or at == name))
        is_draft = status is not None and row[status].startswith("Draft")
        handed_in[row[identifier].rpartition(" ")[2]] = who, row[when] if when is not None else "", is_draft
    return handed_in

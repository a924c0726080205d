"""What tables say about learners: Moodle's worksheet and participants, Canvas's gradebook, a teacher's own."""

from collections.abc import Iterator
from pathlib import Path

from autograder.chapters.errors import CourseError
from autograder.classroom.roster.ids import MAX_ID, composed, safe_id
from autograder.classroom.roster.table import Table, read_table

Row = dict[str, str]  # what a table says about one learner, empty where it says nothing

# What platforms and offices call the columns, the surest first: in English, German, French and Spanish.
_CALLED = {
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


def people_in(table: Table) -> Iterator[tuple[int, Row]]:
    """The line of each row of a platform's table, and what it says about a learner."""
    places = {key: table.columns(names.split(", "))[:1] for key, names in _CALLED.items()}
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
        own_id = composed(fields["id"] or (row[id_column].strip() if id_column is not None else ""))
        if not own_id.isprintable() or len(own_id) > MAX_ID:  # cut, or without them, it could be somebody else's
            why = f"more than {MAX_ID} letters" if own_id.isprintable() else "signs that cannot be seen"
            who = fields["name"] or own_id
            raise CourseError(f"{table.path}, line {line}: the id of {who} has {why}: give them another")
        fields["id"] = safe_id(own_id)
        if "Points Possible" in row[0] or fields["name"] == "Test Student" or not any(fields.values()):
            continue
        yield line, fields


def _in_order(name: str) -> str:
    """ "Lovelace, Ada" as "Ada Lovelace"."""
    last, comma, first = name.partition(",")
    return f"{first.strip()} {last.strip()}" if comma and first.strip() else name


def worksheet_of(path: Path) -> dict[str, tuple[str, str]]:
    """What a grading worksheet of Moodle's says: number of a participant -> name or e-mail, and when it was handed in.

    Gives number -> (e-mail address or full name, when as a text, empty where nothing is known).
    """
    table = read_table(Path(path))
    identifier, email, name = map(table.column, ("Identifier", "Email address", "Full name"))
    if identifier is None or (email is None and name is None):
        raise CourseError(
            f"{path} is no grading worksheet: it needs the columns Identifier and Email address or Full name. In "
            "Moodle, with English as your language: the assignment's submissions > Download grading worksheet"
        )
    when = table.column("Last modified (submission)")
    handed_in = {}
    for row in table.rows:
        who = next(row[at] for at in (email, name) if at is not None and (row[at] or at == name))
        handed_in[row[identifier].rpartition(" ")[2]] = who, row[when] if when is not None else ""
    return handed_in

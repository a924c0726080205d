"""Assignments from chapters: the input from which nbgrader makes a release."""

import re
import shutil
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from autograder.api import GIVEN
from autograder.chapters.errors import CourseError
from autograder.chapters.files import link_or_copy, put_back, remove, swap_folder, write_whole
from autograder.classroom.course.course import BUILT, Course
from autograder.classroom.course.plan import Assignment, Plan
from autograder.classroom.course.plan_file import gone_keys
from autograder.classroom.gradebook.queries import due_dates, extensions, released
from autograder.classroom.release.changes import Change, append_changes
from autograder.classroom.release.notebooks import source_notebook

STAGING = ".building"  # in the course's folder: what is being built, until all of it is there


@dataclass
class Draft:
    assignment: Assignment
    # chapter -> (what this build makes of the plan, the same with the teacher's changes)
    notebooks: dict[str, tuple[NotebookNode, NotebookNode]] = field(default_factory=dict)
    kept: dict[str, list[str]] = field(default_factory=dict)  # chapter -> cells that the teacher has changed
    conflicts: dict[str, list[str]] = field(default_factory=dict)  # chapter -> changed cells that cannot be kept
    news: list[str] = field(default_factory=list)  # changes since the last build


def build_assignments(course: Course, log: Callable[[str], object], force: bool = False) -> None:
    """Write the notebooks and let nbgrader release them. Raises `CourseError` before anything is written."""
    plan = course.plan
    remove(course.folder / STAGING)
    put_back(aside for place in ("source", "release") for aside in (course.folder / place).glob(".*.old"))
    dropped = _dropped(course, plan)
    warnings = [*gone_keys(course.folder), *_known_answers(plan)]
    drafts = [_draft(course, assignment) for assignment in plan.assignments.values()]
    conflicts = [(draft.assignment.name, *item) for draft in drafts for item in draft.conflicts.items()]
    if conflicts and not force:
        listing = "\n".join(f"  {name}/{chapter}.ipynb: {', '.join(cells)}" for name, chapter, cells in conflicts[:20])
        raise CourseError(
            f"you and the kit (or course.toml) have both changed cells of {course.folder / 'source'}, so nothing has "
            f"been written:\n{listing}\nPut your points, texts, questions and tests into course.toml (points, "
            "before, after, add), or let --force overwrite these notebooks; a copy of your version is kept in .built"
        )
    drafts = [draft for draft in drafts if not _keeps_released_text(course, draft, log)]
    try:
        changed = [_stage(course, draft, force) for draft in drafts]
        _take_out(course, dropped, log)
        for draft, is_other in zip(drafts, changed, strict=True):
            _write(course, draft, is_other, log)
    finally:
        remove(course.folder / STAGING)
    if any(changed):
        course.write_due_dates()
    for warning in warnings:
        log(warning)
    for exam in (assignment for assignment in plan.assignments.values() if assignment.exam):
        if missing := [key for key in ("opens", "due") if getattr(exam, key) is None]:
            log(f"  {exam.name} is an exam without {' and '.join(missing)}: nothing is late or released without them")


def _take_out(course: Course, names: list[str], log: Callable[[str], object]) -> None:
    for name in names:
        if name in due_dates(course.read):
            with course.gradebook() as gradebook:
                gradebook.remove_assignment(name)
        for place in (BUILT, "source", "release"):
            shutil.rmtree(course.folder / place / name, ignore_errors=True)
        log(f"{name}: removed, as in course.toml")


def _known_answers(plan: Plan) -> Iterator[str]:
    """Yield what an exam shares with other assignments. Raises `CourseError` if one gives away a solution of it."""
    for exam in (assignment for assignment in plan.assignments.values() if assignment.exam):
        names = {exercise.name for exercise in exam.exercises_asked}
        for other in (assignment for assignment in plan.assignments.values() if assignment is not exam):
            solved_names = {exercise.name for chapter in other.chapters for exercise in other.part(chapter).given}
            if solved := sorted(names & solved_names):
                raise CourseError(
                    f"{exam.name} is an exam and asks {', '.join(solved)}, which {other.name} hands out solved: ask it "
                    f"in {other.name} as well, or take it out of one of them"
                )
            if both := sorted(names & {exercise.name for exercise in other.exercises_asked}):
                yield (
                    f"  {exam.name}, an exam, asks {', '.join(both)} as {other.name} does: learners know what was said "
                    "of their answers there, though not its hidden inputs"
                )


def _dropped(course: Course, plan: Plan) -> list[str]:
    places = [path for path in (course.folder / BUILT).glob("*") if path.is_dir()]
    dropped = sorted(path.name for path in places if path.name not in plan.assignments)
    for name in dropped:
        if extensions(course.read, name) or course.students(name):
            raise CourseError(
                f"{name} is no longer in course.toml, but learners have submitted it: put it back, or take it out of "
                f"the gradebook yourself (`nbgrader db assignment remove {name}`) and delete submitted/*/{name}"
            )
    return dropped


def _draft(course: Course, assignment: Assignment) -> Draft:
    draft, was_built = Draft(assignment), False
    for chapter in assignment.chapters:
        place = f"{assignment.name}/{chapter}.ipynb"
        built, edited = _read(course.folder / BUILT / place), _read(course.folder / "source" / place)
        was_built = was_built or built is not None
        fresh = source_notebook(chapter, assignment)
        whole = fresh
        if edited and (changed := changed_names(built or fresh, edited)):
            whole, met = merge(built, edited, fresh) if built else (fresh, changed)
            met = met or _other_points(built, edited, fresh)
            draft.kept |= {chapter: changed} if not met else {}
            draft.conflicts |= {chapter: met} if met else {}
        draft.news += _news(chapter, built, fresh) if built else []
        draft.notebooks[chapter] = fresh, whole
    if not was_built:
        draft.news = ["new"]
    return draft


def _other_points(built: NotebookNode | None, edited: NotebookNode, fresh: NotebookNode) -> list[str]:
    """Return cells whose points a teacher changed in `source`, although `course.toml` sets them."""
    before, planned = points_in(built or fresh), points_in(fresh)
    written = {name: worth for name, worth in points_in(edited).items() if before.get(name, worth) != worth}
    return [f"{name} ({worth:g} points)" for name, worth in written.items() if planned.get(name, worth) != worth]


def _news(chapter: str, built: NotebookNode, fresh: NotebookNode) -> Iterator[str]:
    before, now = points_in(built), points_in(fresh)
    if removed := [name for name in before if name not in now]:
        yield f"{chapter}: without {', '.join(removed)}"
    if more := [name for name in now if name not in before]:
        yield f"{chapter}: with {', '.join(more)}"
    for name in now:
        if name in before and before[name] != now[name]:
            yield f"{chapter}: {name} {before[name]:g} -> {now[name]:g} points"
    texts = [[cell.source for cell in notebook.cells] for notebook in (built, fresh)]
    if not removed and not more and before == now and texts[0] != texts[1]:
        yield f"{chapter}: texts"


def _stage(course: Course, draft: Draft, force: bool) -> bool:
    """Write the source beside the one that is there, which stays where this is refused; whether it is another one."""
    name, chapters = draft.assignment.name, draft.assignment.chapters
    source, built = course.folder / "source" / name, course.folder / BUILT / name
    new = course.folder / STAGING / "source" / name
    shutil.copytree(source, new, copy_function=link_or_copy) if source.is_dir() else new.mkdir(parents=True)
    changed = _put_given(draft, new / GIVEN.name)
    wheel = course.folder / draft.assignment.install
    changed |= wheel.is_file() and _put(new / wheel.name, wheel.read_bytes())
    for path in _taken_out(built, chapters):
        (new / path.name).unlink(missing_ok=True)
        changed = True
    for chapter, (fresh, whole) in draft.notebooks.items():
        notebook = fresh if chapter in draft.conflicts else whole  # with --force
        changed |= _put(new / f"{chapter}.ipynb", (nbformat.writes(notebook) + "\n").encode())
    changed |= force or not _is_released(course, draft.assignment, new)
    if changed and draft.kept:  # nbgrader may refuse what a teacher has written
        _generate(course, name, is_trial=True)
    return changed


def _taken_out(built: Path, chapters: Collection[str]) -> list[Path]:
    return [path for path in built.glob("*.ipynb") if path.stem.removesuffix(".yours") not in chapters]


def _write(course: Course, draft: Draft, changed: bool, log: Callable[[str], object]) -> None:
    name, chapters = draft.assignment.name, draft.assignment.chapters
    source, built = course.folder / "source" / name, course.folder / BUILT / name
    built.mkdir(parents=True, exist_ok=True)
    if changed:
        _keep_shares(course, draft, log)
        _generate(course, name)
        for chapter in draft.conflicts:
            shutil.copyfile(source / f"{chapter}.ipynb", built / f"{chapter}.yours.ipynb")
        for place in ("release", "source"):
            (course.folder / place).mkdir(exist_ok=True)
            remove(swap_folder(course.folder / STAGING / place / name, course.folder / place / name))
    for path in _taken_out(built, chapters):
        path.unlink()
    for chapter, (fresh, _) in draft.notebooks.items():
        _put(built / f"{chapter}.ipynb", (nbformat.writes(fresh) + "\n").encode())
    news = f" ({'; '.join(draft.news)})" if draft.news else "" if changed else " (as before)"
    log(f"{name}: {', '.join(chapters)} -> {course.folder / 'release' / name}{news}")
    for chapter, names in draft.kept.items():
        log(f"  kept, yours: {chapter}: {', '.join(names)}")


def _generate(course: Course, name: str, is_trial: bool = False) -> None:
    from autograder.classroom.gradebook.calls import generate  # noqa: PLC0415  (imports nbgrader)

    generate(course.directory(), course.config, name, STAGING, is_trial)


def _keep_shares(course: Course, draft: Draft, log: Callable[[str], object]) -> None:
    """Scale points given by hand to the new maximum, in the same transaction as the maximum."""
    name, changes, is_graded = draft.assignment.name, dict[str, list[Change]](), False
    planned = {cell: worth for _, whole in draft.notebooks.values() for cell, worth in points_in(whole).items()}
    with course.gradebook() as gradebook:
        assignments: list[Any] = gradebook.assignments
        notebooks = [each for found in assignments if found.name == name for each in found.notebooks]
        for cell in (cell for notebook in notebooks for cell in (*notebook.grade_cells, *notebook.task_cells)):
            was, now = cell.max_score, planned.get(cell.name)
            if not was or now is None or now == was:
                continue
            is_graded = is_graded or bool(cell.grades)
            for grade in (grade for grade in cell.grades if grade.manual_score is not None):
                given = grade.manual_score
                grade.manual_score = round(given * now / was, 2)
                change = Change(cell.name, given, grade.manual_score, now, f"given by hand, of {was:g} before")
                changes.setdefault(grade.notebook.assignment.student_id, []).append(change)
            cell.max_score = now
        for student, of_student in changes.items():
            append_changes(course, student, name, of_student)
        gradebook.db.commit()
    for student, of_student in changes.items():
        for change in of_student:
            log(f"  {student}: {change}")
    if is_graded:
        log(f"  {name} has been graded with other points: `attn course grade {name} --dry-run` says what changes")


def _keeps_released_text(course: Course, draft: Draft, log: Callable[[str], object]) -> bool:
    """Return whether a graded assignment stays as it is: only text differs. Raises `CourseError` if other cells do."""
    name, kinds = draft.assignment.name, ("grade", "solution", "task")
    if not extensions(course.read, name):  # nobody has been graded
        return False
    built, now = released(course.read, name), {chapter: whole for chapter, (_, whole) in draft.notebooks.items()}
    graded = {chapter: {*notebook.points, *notebook.solutions} for chapter, notebook in built.items()}
    if other := sorted(ch for ch in {*built, *now} if graded.get(ch) != (ch in now and _marked(now[ch], *kinds))):
        raise CourseError(
            f"{name} has been graded: its texts may change, but its cells may not, and {', '.join(other)} would have "
            "others. Nothing was written. Take back what adds or removes an exercise, a question or a cell, or make "
            "another assignment"
        )
    if all({*notebook.given} == _marked(now[chapter], "locked", *kinds) for chapter, notebook in built.items()):
        return False
    log(f"{name}: has been graded, so it keeps the text that was released; this version of the kit has another one")
    return True


def _marked(notebook: NotebookNode, *marks: str) -> set[str]:
    cells = ((name_of(cell), cell.metadata.get("nbgrader", {})) for cell in notebook.cells)
    return {name for name, its in cells if any(its.get(mark) for mark in marks)}


def _is_released(course: Course, assignment: Assignment, source: Path) -> bool:
    """Return whether the release is newer than the source: nbgrader writes it after updating its gradebook."""
    pairs = [(course.folder / "release" / assignment.name / path.name, path) for path in source.glob("*.ipynb")]
    return all(
        release_path.exists() and release_path.stat().st_mtime >= source_path.stat().st_mtime
        for release_path, source_path in pairs
    )


def _read(path: Path) -> NotebookNode | None:
    try:
        notebook: Any = nbformat.read(path, as_version=4)
        return notebook
    except OSError:
        return None
    except Exception as error:  # nbformat and json raise many errors at broken notebooks
        raise CourseError(f"{path} is not a notebook ({error}): repair it, or delete it and build again") from None


def _put(path: Path, data: bytes) -> bool:
    if path.exists() and path.read_bytes() == data:
        return False
    write_whole(path, data)
    return True


def _put_given(draft: Draft, folder: Path) -> bool:
    """Put given data where cells import it; nbgrader copies it into the release, and over submitted copies."""
    code = (cell.source for _, whole in draft.notebooks.values() for cell in whole.cells if cell.cell_type == "code")
    is_needed = any(re.search(rf"^\s*(from|import) {GIVEN.name}\b", source, re.MULTILINE) for source in code)
    given_files = [path for path in GIVEN.iterdir() if path.is_file() and not path.name.startswith("test")]
    expected = {path.name: path.read_bytes() for path in given_files} if is_needed else {}
    there = [path for path in folder.rglob("*") if path.is_file()]
    if {str(path.relative_to(folder)): path.read_bytes() for path in there} == expected:
        return False
    shutil.rmtree(folder, ignore_errors=True)
    if expected:
        folder.mkdir()
    for name, data in expected.items():
        write_whole(folder / name, data)
    return True


MARKS = ("grade", "solution", "locked", "task", "points")


def name_of(cell: NotebookNode) -> str:
    return cell.metadata.get("nbgrader", {}).get("grade_id") or cell.get("id", "")


def points_in(notebook: NotebookNode | None) -> dict[str, float]:
    marked = {name_of(cell): cell.metadata.get("nbgrader", {}) for cell in notebook.cells} if notebook else {}
    return {name: marks["points"] for name, marks in marked.items() if "points" in marks}


def changed_names(before: NotebookNode, now: NotebookNode) -> list[str]:
    old, new = _contents(before), _contents(now)
    return [name for name in old | new if old.get(name) != new.get(name)]


def merge(built: NotebookNode, edited: NotebookNode, fresh: NotebookNode) -> tuple[NotebookNode, list[str]]:
    """Merge the teacher's notebook with the new build, and return it with the names of conflicting cells."""
    changed, renewed = changed_names(built, edited), changed_names(built, fresh)
    mine, new = _contents(edited), _contents(fresh)
    if list(new) == list(_contents(built)):  # otherwise cells cannot be matched: names of given cells are numbers
        changed = [name for name in changed if name in renewed]
    cells = {name_of(cell): cell for cell in fresh.cells if name_of(cell) in renewed}
    whole: Any = fresh.copy()
    whole.cells = [cells.get(name_of(cell), cell) for cell in edited.cells]
    return whole, [name for name in changed if mine.get(name) != new.get(name)]


def _contents(notebook: NotebookNode) -> dict[str, tuple[object, ...]]:
    contents: dict[str, tuple[object, ...]] = {}
    for cell in notebook.cells:
        marks = cell.metadata.get("nbgrader", {})
        kind = "code" if cell.cell_type == "code" else "markdown"
        contents[name_of(cell)] = kind, cell.source.strip(), *(marks.get(mark) or None for mark in MARKS)
    return contents

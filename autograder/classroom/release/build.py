"""The build of assignments: notebooks with solutions, which the teacher may edit, and their release by nbgrader."""

import re
import shutil
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from autograder.api import GIVEN
from autograder.chapters.errors import CourseError
from autograder.chapters.files import remove, swap_folder, undo_swaps, write_file
from autograder.classroom.course.course import BUILT, Course
from autograder.classroom.course.plan import Assignment, Plan
from autograder.classroom.gradebook.queries import (
    read_due_dates,
    read_graded_submissions,
    read_released_notebooks,
    read_submission_extensions,
)
from autograder.classroom.release.notebooks import build_source_notebook
from autograder.classroom.roster.counted import CountedWork, read_counted, write_counted

STAGING = ".building"  # subfolder of the course for an incomplete build


@dataclass
class AssignmentDraft:
    assignment: Assignment
    # chapter -> (notebook built from the plan, the same with the teacher's edits)
    notebooks: dict[str, tuple[NotebookNode, NotebookNode]] = field(default_factory=dict)
    kept: dict[str, list[str]] = field(default_factory=dict)  # chapter -> cells that the teacher has edited
    conflicts: dict[str, list[str]] = field(default_factory=dict)  # chapter -> edited cells that cannot be kept


def build_assignments(course: Course, log: Callable[[str], object], force: bool = False) -> None:
    """Write the notebooks and let nbgrader release them. Raises `CourseError`, before writing, if edits conflict."""
    plan = course.plan
    remove(course.folder / STAGING)
    undo_swaps(backup for name in ("source", "release") for backup in (course.folder / name).glob(".*.old"))
    dropped_names = _find_dropped_assignments(course, plan)
    _require_no_solved_exams(plan)
    drafts = [_make_draft(course, assignment) for assignment in plan.assignments.values()]
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
        are_changed = [_stage_draft(course, draft, force) for draft in drafts]
        _remove_assignments(course, dropped_names, log)
        for draft, has_changed in zip(drafts, are_changed, strict=True):
            _release_draft(course, draft, has_changed, log)
    finally:
        remove(course.folder / STAGING)
    if any(are_changed):
        course.write_due_dates()
    for warning in plan.ignored:
        log(warning)
    for exam in (assignment for assignment in plan.assignments.values() if assignment.exam):
        if missing := [key for key in ("opens", "due") if getattr(exam, key) is None]:
            log(f"  {exam.name} is an exam without {' and '.join(missing)}: nothing is late or released without them")


def _remove_assignments(course: Course, names: list[str], log: Callable[[str], object]) -> None:
    for name in names:
        if name in read_due_dates(course.query):
            with course.open_gradebook() as gradebook:
                gradebook.remove_assignment(name)
        for folder in (BUILT, "source", "release"):
            shutil.rmtree(course.folder / folder / name, ignore_errors=True)
        log(f"{name}: removed, as in course.toml")


def _require_no_solved_exams(plan: Plan) -> None:
    """Raise `CourseError` if an assignment gives the solution of an exercise of an exam."""
    for exam in (assignment for assignment in plan.assignments.values() if assignment.exam):
        names = {exercise.name for exercise in exam.graded_exercises}
        for other in (assignment for assignment in plan.assignments.values() if assignment is not exam):
            solved_names = {exercise.name for chapter in other.chapters for exercise in other.build_part(chapter).given}
            if solved_exercises := sorted(names & solved_names):
                subject = f"{exam.name} is an exam and asks {', '.join(solved_exercises)}"
                raise CourseError(f"{subject}, which {other.name} hands out with solutions: ask it there as well")


def _find_dropped_assignments(course: Course, plan: Plan) -> list[str]:
    """Return the built assignments that are no longer in the plan. Raises `CourseError` if one has submissions."""
    folders = [path for path in (course.folder / BUILT).glob("*") if path.is_dir()]
    names = sorted(path.name for path in folders if path.name not in plan.assignments)
    for name in names:
        if read_submission_extensions(course.query, name) or course.list_students(name):
            advice = f"put it back, or delete submitted/*/{name} and run `nbgrader db assignment remove {name}`"
            raise CourseError(f"{name} is no longer in course.toml, but learners have submitted it: {advice}")
    return names


def _make_draft(course: Course, assignment: Assignment) -> AssignmentDraft:
    draft = AssignmentDraft(assignment)
    for chapter in assignment.chapters:
        path = f"{assignment.name}/{chapter}.ipynb"
        built, edited = _read_notebook(course.folder / BUILT / path), _read_notebook(course.folder / "source" / path)
        new = build_source_notebook(chapter, assignment)
        merged_notebook = new
        if edited and (changed_cells := find_changed_cells(built or new, edited)):
            merged_notebook, conflicts = merge_notebooks(built, edited, new) if built else (new, changed_cells)
            conflicts = conflicts or _find_edited_points(built, edited, new)
            draft.kept |= {chapter: changed_cells} if not conflicts else {}
            draft.conflicts |= {chapter: conflicts} if conflicts else {}
        draft.notebooks[chapter] = new, merged_notebook
    return draft


def _find_edited_points(built: NotebookNode | None, edited: NotebookNode, new: NotebookNode) -> list[str]:
    """Return "NAME (5 points)" for each cell whose points a teacher edited in `source` instead of `course.toml`."""
    old_points, new_points = read_points(built or new), read_points(new)
    changes = {name: points for name, points in read_points(edited).items() if old_points.get(name, points) != points}
    return [f"{name} ({points:g} points)" for name, points in changes.items() if new_points.get(name, points) != points]


def _stage_draft(course: Course, draft: AssignmentDraft, force: bool) -> bool:
    """Write the source of an assignment into the staging folder, and return whether it must be released again."""
    name, chapters = draft.assignment.name, draft.assignment.chapters
    source, built_folder = course.folder / "source" / name, course.folder / BUILT / name
    new = course.folder / STAGING / "source" / name
    shutil.copytree(source, new) if source.is_dir() else new.mkdir(parents=True)
    _write_given_files(draft, new / GIVEN.name)
    if (wheel := course.folder / draft.assignment.install).is_file():
        shutil.copyfile(wheel, new / wheel.name)
    for path in _list_old_notebooks(built_folder, chapters):
        (new / path.name).unlink(missing_ok=True)
    for chapter, (new_notebook, merged_notebook) in draft.notebooks.items():
        notebook = new_notebook if chapter in draft.conflicts else merged_notebook
        (new / f"{chapter}.ipynb").write_text(nbformat.writes(notebook) + "\n", encoding="utf-8")
    has_changed = force or _read_files(new) != _read_files(source) or not _is_released(course, name)
    if has_changed and draft.kept:
        # Try the release, because nbgrader may refuse a teacher's edits.
        _generate_release(course, name, is_trial=True)
    return has_changed


def _list_old_notebooks(folder: Path, chapters: Collection[str]) -> list[Path]:
    """Return the notebooks of the last build for chapters that are no longer in the assignment."""
    return [path for path in folder.glob("*.ipynb") if path.stem.removesuffix(".yours") not in chapters]


def _release_draft(course: Course, draft: AssignmentDraft, has_changed: bool, log: Callable[[str], object]) -> None:
    """Release an assignment from the staging folder, and store what was built."""
    name, chapters = draft.assignment.name, draft.assignment.chapters
    source, built_folder = course.folder / "source" / name, course.folder / BUILT / name
    built_folder.mkdir(parents=True, exist_ok=True)
    if has_changed:
        if read_submission_extensions(course.query, name):
            _record_points_by_hand(course, name)
            log(f"  {name} has been graded: `attn course grade {name} --dry-run` says what changes")
        _generate_release(course, name)
        for chapter in draft.conflicts:
            shutil.copyfile(source / f"{chapter}.ipynb", built_folder / f"{chapter}.yours.ipynb")
        for folder in ("release", "source"):
            (course.folder / folder).mkdir(exist_ok=True)
            remove(swap_folder(course.folder / STAGING / folder / name, course.folder / folder / name))
    for path in _list_old_notebooks(built_folder, chapters):
        path.unlink()
    for chapter, (new, _) in draft.notebooks.items():
        write_file(built_folder / f"{chapter}.ipynb", nbformat.writes(new) + "\n")
    note = "" if has_changed else " (as before)"
    log(f"{name}: {', '.join(chapters)} -> {course.folder / 'release' / name}{note}")
    for chapter, names in draft.kept.items():
        log(f"  kept, yours: {chapter}: {', '.join(names)}")


def _generate_release(course: Course, name: str, is_trial: bool = False) -> None:
    from autograder.classroom.gradebook.calls import generate_release  # noqa: PLC0415  (imports nbgrader)

    generate_release(course.make_directory(), course.config, name, STAGING, is_trial)


def _record_points_by_hand(course: Course, name: str) -> None:
    """Record manual scores with their present maxima, so that the next grading scales them to the new maxima."""
    records = read_counted(course.folder, name)
    for student, work in read_graded_submissions(course.query, name).items():
        record = records.get(student) or CountedWork((student,))
        by_hand = work.points_by_hand
        # A score that was recorded with an earlier maximum, and not scaled yet, keeps that maximum.
        by_hand |= {cell: old for cell, old in record.by_hand.items() if by_hand.get(cell, old)[0] == old[0]}
        if by_hand:
            records[student] = replace(record, by_hand=by_hand)
    write_counted(course.folder, name, records)


def _keeps_released_text(course: Course, draft: AssignmentDraft, log: Callable[[str], object]) -> bool:
    """Return whether a graded assignment must keep its released text. Raises `CourseError` if its cells differ."""
    name, kinds = draft.assignment.name, ("grade", "solution", "task")
    if not read_submission_extensions(course.query, name):  # The gradebook contains no submissions.
        return False
    built = read_released_notebooks(course.query, name)
    new = {chapter: merged for chapter, (_, merged) in draft.notebooks.items()}
    old_cells = {chapter: {*notebook.points, *notebook.solutions} for chapter, notebook in built.items()}
    new_cells = {chapter: _find_marked(notebook, *kinds) for chapter, notebook in new.items()}
    if chapters := sorted(name for name in {*built, *new} if old_cells.get(name) != new_cells.get(name, False)):
        raise CourseError(
            f"{name} has been graded, and {', '.join(chapters)} would have other cells, so nothing was written: take "
            "back what adds or removes exercises, questions or cells, or make another assignment"
        )
    if all({*notebook.cells} == _find_marked(new[chapter], "locked", *kinds) for chapter, notebook in built.items()):
        return False
    log(f"{name}: has been graded, so it keeps the text that was released; this version of the kit differs")
    return True


def _find_marked(notebook: NotebookNode, *marks: str) -> set[str]:
    """Return the names of the cells with any of these marks in nbgrader's metadata."""
    cells = ((get_cell_name(cell), cell.metadata.get("nbgrader", {})) for cell in notebook.cells)
    return {name for name, metadata in cells if any(metadata.get(mark) for mark in marks)}


def _is_released(course: Course, name: str) -> bool:
    """Return whether each notebook in `source` has a release that is not older. nbgrader writes the release last."""
    release = course.folder / "release" / name
    pairs = [(release / path.name, path) for path in (course.folder / "source" / name).glob("*.ipynb")]
    return all(new.exists() and new.stat().st_mtime >= path.stat().st_mtime for new, path in pairs)


def _read_notebook(path: Path) -> NotebookNode | None:
    """Return a notebook, or None if the file is missing. Raises `CourseError` if the file is not a notebook."""
    try:
        notebook: Any = nbformat.read(path, as_version=4)
        return notebook
    except OSError:
        return None
    except Exception as error:  # nbformat raises many types of errors.
        raise CourseError(f"{path} is not a notebook ({error}): repair it, or delete it and build again") from None


def _read_files(folder: Path) -> dict[Path, bytes]:
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def _write_given_files(draft: AssignmentDraft, folder: Path) -> None:
    """Write the package `given` if a cell imports it, otherwise remove it."""
    shutil.rmtree(folder, ignore_errors=True)
    cells = (cell for _, notebook in draft.notebooks.values() for cell in notebook.cells)
    code = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
    if re.search(rf"^\s*(from|import) {GIVEN.name}\b", code, re.MULTILINE):
        for path in GIVEN.iterdir():
            if path.is_file() and not path.name.startswith("test"):
                folder.mkdir(exist_ok=True)
                shutil.copyfile(path, folder / path.name)


MARKS = ("grade", "solution", "locked", "task", "points")


def get_cell_name(cell: NotebookNode) -> str:
    return cell.metadata.get("nbgrader", {}).get("grade_id") or cell.get("id", "")


def read_points(notebook: NotebookNode) -> dict[str, float]:
    marks_of = {get_cell_name(cell): cell.metadata.get("nbgrader", {}) for cell in notebook.cells}
    return {name: marks["points"] for name, marks in marks_of.items() if "points" in marks}


def find_changed_cells(built: NotebookNode, edited: NotebookNode) -> list[str]:
    """Return the names of cells that differ between two notebooks in text, type or marks, or are missing in one."""
    old, new = _map_contents(built), _map_contents(edited)
    return [name for name in old | new if old.get(name) != new.get(name)]


def merge_notebooks(built: NotebookNode, edited: NotebookNode, fresh: NotebookNode) -> tuple[NotebookNode, list[str]]:
    """Merge the teacher's notebook with the new build, and return it with the names of conflicting cells."""
    edited_names, new_names = find_changed_cells(built, edited), find_changed_cells(built, fresh)
    own_contents, new = _map_contents(edited), _map_contents(fresh)
    # If the new build has different cells, every edit is a conflict, because given cells are numbered differently.
    if list(new) == list(_map_contents(built)):
        edited_names = [name for name in edited_names if name in new_names]
    cells = {get_cell_name(cell): cell for cell in fresh.cells if get_cell_name(cell) in new_names}
    result: Any = fresh.copy()
    result.cells = [cells.get(get_cell_name(cell), cell) for cell in edited.cells]
    return result, [name for name in edited_names if own_contents.get(name) != new.get(name)]


def _map_contents(notebook: NotebookNode) -> dict[str, tuple[object, ...]]:
    contents: dict[str, tuple[object, ...]] = {}
    for cell in notebook.cells:
        marks = cell.metadata.get("nbgrader", {})
        kind = "code" if cell.cell_type == "code" else "markdown"
        contents[get_cell_name(cell)] = kind, cell.source.strip(), *(marks.get(mark) or None for mark in MARKS)
    return contents

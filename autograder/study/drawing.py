"""The first failing check of an exercise as a picture: cells for the terminal, and a page."""

from pathlib import Path

from autograder.chapters.files import make_folder, write_whole
from autograder.judging.verdict.verdict import ExerciseVerdict
from autograder.study.folder import PROGRESS_FOLDER, Folder
from autograder.views.pictures.picture import Picture, picture_of
from autograder.views.pictures.tables import page_of


def first_picture(verdict: ExerciseVerdict) -> Picture | None:
    pictures = (picture_of(test.mismatch) for test in verdict.tests if test.outcome != "passed")
    return next((picture for picture in pictures if picture), None)


def save_picture(picture: Picture, folder: Folder, name: str) -> Path:
    path = make_folder(folder.path, f"{PROGRESS_FOLDER}/pictures") / f"{name}.html"
    write_whole(path, page_of(picture))
    return path

"""The first failing check of an exercise as a picture: cells for the terminal, and a PNG."""

from autograder.chapters.files import make_folder
from autograder.views.pictures import picture_of


def first_picture(verdict):
    """The picture of the first failing test that has one, or None."""
    pictures = (picture_of(test.mismatch) for test in verdict.tests if test.outcome != "passed")
    return next((picture for picture in pictures if picture), None)


def save_picture(picture, folder, name):
    """Draw it; the path of the PNG.

    Parameters
    ----------
    picture : autograder.views.pictures.Picture
    folder : autograder.study.folder.Folder
    name : str
        The exercise.
    """
    from autograder.views.pictures.figure import save_png  # noqa: PLC0415  (imports seaborn, which takes a second)

    path = make_folder(folder.path, folder.pictures.relative_to(folder.path)) / f"{name}.png"
    save_png(picture, path)
    return path

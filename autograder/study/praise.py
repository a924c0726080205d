"""What is said of exercises that have just been done for the first time: what was the point of them."""

from collections.abc import Collection, Iterable, Sequence

from autograder.chapters.chapter import Chapter
from autograder.study.folder import Folder, done_in


def praise(folder: Folder, names: Sequence[str]) -> list[str]:
    """A sentence for two of them at most, and on each chapter that is done with them."""
    sentences = [folder.chapter_of(folder.exercise(name)).after(name) for name in names[:2]]
    for chapter in finished_with(names, folder.chapters, done_in(folder.states())):
        sentences += [f"With it the chapter is done: {chapter.title}.", chapter.after(chapter.name)]
    return [sentence for sentence in sentences if sentence]


def finished_with(names: Collection[str], chapters: Iterable[Chapter], done: set[str]) -> list[Chapter]:
    """The chapters that are done, and were not without these exercises."""
    own_names = [(chapter, {*chapter.names}) for chapter in chapters]
    return [chapter for chapter, own in own_names if own <= done and not own.isdisjoint(names)]

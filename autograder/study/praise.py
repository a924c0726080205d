"""What is said of exercises that have just been done for the first time: what was the point of them."""

from collections.abc import Collection

from autograder.study.folder import DONE, Folder


def praise(folder: Folder, names: Collection[str]) -> list[str]:
    """A sentence for two of them at most, and on each chapter that is done with them."""
    states, sentences = folder.states(), [folder.chapter_of(folder.exercise(name)).after(name) for name in [*names][:2]]
    for chapter in folder.chapters:
        exercise_names = [exercise.name for exercise in chapter.exercises]
        if set(exercise_names) & set(names) and all(states[name] in DONE for name in exercise_names):
            sentences += [f"With it the chapter is done: {chapter.title}.", chapter.after(chapter.name)]
    return [sentence for sentence in sentences if sentence]

"""What several of one group hand in: copies of the same work count once, and of anything else a teacher is asked."""

from autograder.classroom.course.course import Course
from autograder.classroom.inbox.handed import Handed, digests_of
from autograder.classroom.roster.groups import first_of, groups_of


def without_copies(course: Course, assignment: str, handed: dict[str, Handed]) -> dict[str, Handed]:
    """One of the copies that Moodle gives out of a group's work, one for each of them: whose was taken before stays."""
    submissions = dict(handed)
    for group in groups_of(course, assignment).values():
        members = [student for student in group if student in handed]
        members.sort(key=lambda student: not course.folder_of("submitted", student, assignment).is_dir())
        works = [digests_of(handed[student].folder) for student in members] if len(members) > 1 else []
        for other, work in zip(members[1:], works[1:], strict=False):
            if work == works[0]:
                del submissions[other]
    return submissions


def questions(course: Course, assignment: str) -> dict[str, str]:
    """Student who handed in apart from their group -> what only the teacher can say."""
    sentences: dict[str, str] = {}
    handed_in = course.holders("submitted", assignment)
    for name, group in groups_of(course, assignment).items():
        if len(members := handed_in.intersection(group)) > 1:
            first = first_of(course, assignment, members)
            works = {student: digests_of(course.folder_of("submitted", student, assignment)) for student in members}
            for other in sorted(members - {first}):
                if works[other] != works[first]:
                    sentences[other] = (
                        f"has handed in something else for {assignment} than {first}, who is in {name} too and came "
                        f"first: {other} has the points of that, the others of {name} have those of {first}. If one of "
                        "the two shall not count, take its folder out of submitted/; if one of them works alone, "
                        "empty `group` in that line of roster.csv"
                    )
    return sentences

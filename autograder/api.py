"""The functions and classes of the grader that the packages `classroom`, `serve` and `book` use."""

from autograder.boundary import sandbox
from autograder.boundary.channel import get_zygote
from autograder.boundary.reader import (
    Archive,
    examine_notebook,
    is_converted,
    read_file,
    read_notebook,
    read_runs,
    read_shared,
    read_submission,
    read_submitted_answer,
)
from autograder.boundary.sandbox import GIVEN
from autograder.grading.executors import grade_pieces, make_executor_factory
from autograder.grading.many import show_progress
from autograder.grading.record import RecordLine, group_by_fingerprint, has_fault, make_record
from autograder.judging.budget import Budget
from autograder.judging.grader import LOCATE_SECONDS, Grader
from autograder.judging.misconceptions import (
    KINDS_FILE,
    apply_mistake,
    find_current_name,
    read_lesson,
    read_text_of,
)
from autograder.judging.run.test_cell import judge_test_cell
from autograder.judging.values.show import format_call_with
from autograder.judging.verdict.finding import TestVerdict, round_points
from autograder.judging.verdict.verdict import ExerciseRecord, ExerciseVerdict
from autograder.views import figures
from autograder.views.card import to_card, to_html
from autograder.views.lines import look_of
from autograder.views.words import find_place, sentences_of
from autograder.worker.reading.answers import MAX_FILE_BYTES, AnswerFile, CodeCell
from autograder.worker.reading.cells import MAX_TEXT, Cell, read_cells
from autograder.worker.reading.notebooks import ARRIVED_AS, MAX_SENTENCE, UNREADABLE
from autograder.worker.reading.requests import hash_runs
from autograder.worker.values import Tensor

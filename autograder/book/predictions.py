"""The questions on a chapter, as forms on its page, with the exercise before which each is placed."""

import ast
import base64
import html
import json
from dataclasses import dataclass

from autograder.book.boxes import make_code, make_fold
from autograder.chapters import curriculum
from autograder.chapters.chapter import Chapter
from autograder.chapters.errors import ChapterError
from autograder.questions.computed import ABSOLUTE, FORMS, RELATIVE, SolvedQuestion, list_quizzed_chapters, questions_on
from autograder.questions.question import Question


@dataclass(frozen=True)
class Prediction:
    known: SolvedQuestion
    subject: str  # name of the chapter or unit
    number: int  # index of the question among those on the subject
    before: str  # exercise that follows the question; empty at the end of a unit

    @property
    def encoded(self) -> str:
        """Return the solution and replies for a page's script, encoded so that the page's source does not show them."""
        known, question = self.known, self.known.question
        answers = {
            "right": known.right,
            "wrong": list(known.wrong.items()),
            "because": question.because,
            "solution": known.choices[known.right] if known.kind == "letter" else known.format_solution(),
            "within": [RELATIVE, ABSOLUTE],
            "kind": known.kind,
        }
        return base64.b64encode(json.dumps(answers).encode()).decode()


def read_predictions(chapter: Chapter) -> list[Prediction]:
    """Return the questions of a chapter, and those of the unit that ends with it."""
    if chapter.name not in list_quizzed_chapters():
        return []
    units = [unit for unit, names in curriculum.UNITS.items() if names[-1] == chapter.name]
    return [
        Prediction(known, subject, number, _find_exercise(known.question, chapter) if subject == chapter.name else "")
        for subject in (chapter.name, *units)
        for number, known in enumerate(questions_on(subject))
    ]


def ask_prediction(prediction: Prediction, chapter: Chapter) -> str:
    """Return a folded question with a form for the prediction, as Markdown."""
    known, question = prediction.known, prediction.known.question
    if known.choices:
        field = "".join(
            f'<label><input type="radio" name="prediction" value="{letter}">{html.escape(words)}</label>'
            for letter, words in known.choices.items()
        )
    else:
        placeholder = FORMS[known.kind]
        field = f'<input name="prediction" aria-label="Your prediction" autocomplete="off" placeholder="{placeholder}">'
    place = f'data-of="{prediction.subject}" data-number="{prediction.number}" data-known="{prediction.encoded}"'
    form = (
        f'<form class="prediction" {place}>{field}'
        '<button>Check</button><button type="button">Show the answer</button><p role="status"></p></form>'
        f"<noscript>It is asked in a terminal: <code>attn predict {chapter.name}</code></noscript>"
    )
    given_code = [make_code(question.given)] if question.given else []
    return make_fold("question", f"Predict: {question.asks}", "\n\n".join([*given_code, form]))


def _find_exercise(question: Question, chapter: Chapter) -> str:
    if question.exercise:
        return question.exercise
    texts = [question.given, question.right, *question.slips, *(test for test, _ in question.options.values())]
    names = {node.id for text in texts for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
    names |= {reference.partition(".")[0] for reference in question.misconceptions}
    subjects = [exercise.name for exercise in chapter.exercises if exercise.name in names]
    if not subjects:
        raise ChapterError(f'The question "{question.asks}" names no exercise of {chapter.name}: add exercise="...".')
    return subjects[-1]

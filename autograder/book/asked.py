"""The questions on a chapter, as a page asks them and where they belong."""

import ast
import base64
import html
import json
import textwrap

from autograder.chapters import curriculum
from autograder.questions.computed import ABSOLUTE, FORMS, RELATIVE, questions_on, with_questions


def questions(chapter):
    """The questions of a chapter, each as it is asked: ``{"asks", "given", "kind", "choices", "known", "of", "number",
    "before"}``.

    `before` names the exercise that it comes before: the last one of those that it is about. `known` is what the page
    needs to answer, encoded, so that nobody reads it by accident. Those at the end of a unit come before nothing.
    """
    if chapter.name not in with_questions():
        return []
    subjects = [chapter.name, *(unit for unit, names in curriculum.UNITS.items() if names[-1] == chapter.name)]
    return [
        {
            **_asked(known),
            "of": name,
            "number": number,
            "before": _before(known.question, chapter) if name == chapter.name else "",
        }
        for name in subjects
        for number, known in enumerate(questions_on(name))
    ]


def markdown(question, chapter):
    """A question, folded, with a box for the answer."""
    known, kind, of, number = (question[name] for name in ("known", "kind", "of", "number"))
    if question["choices"]:
        field = "".join(
            f'<label><input type="radio" name="prediction" value="{letter}">{html.escape(words)}</label>'
            for letter, words in question["choices"].items()
        )
    else:
        field = f'<input name="prediction" aria-label="Your prediction" autocomplete="off" placeholder="{FORMS[kind]}">'
    form = (
        f'<form class="prediction" data-of="{of}" data-number="{number}" data-known="{known}">{field}'
        '<button>Check</button><button type="button">Show the answer</button><p role="status"></p></form>'
        f"<noscript>It is asked in a terminal: <code>attn predict {chapter.name}</code></noscript>"
    )
    code = f"``` {{ .python }}\n{question['given']}\n```" if question["given"] else ""
    body = "\n\n".join(part for part in (code, form) if part)
    return f'??? question "Predict: {question["asks"]}"\n\n' + textwrap.indent(body, "    ")


def _asked(known):
    question = known.question
    told = {
        "right": known.right,
        "wrong": list(known.wrong.items()),
        "because": question.because,
        "solution": known.choices[known.right] if known.kind == "letter" else known.solution(),
        "within": [RELATIVE, ABSOLUTE],
        "kind": known.kind,
    }
    return {
        "asks": question.asks,
        "given": question.given,
        "kind": known.kind,
        "choices": known.choices,
        "known": base64.b64encode(json.dumps(told).encode()).decode(),
    }


def _before(question, chapter):
    texts = [question.given, question.right, *question.slips, *(test for test, _ in question.options.values())]
    named = {node.id for text in texts for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
    named |= {reference.partition(".")[0] for reference in question.misconceptions}
    about = [exercise.name for exercise in chapter.exercises if exercise.name in named]
    return about[-1] if about else chapter.exercises[-1].name

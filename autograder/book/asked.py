"""The questions on a chapter, as a page asks them and where they belong; computed once and kept."""

import ast
import base64
import hashlib
import html
import json
import textwrap
from pathlib import Path

from autograder.book.pictures import BUILT
from autograder.chapters import curriculum
from autograder.questions.computed import ABSOLUTE, FORMS, RELATIVE, questions_on, with_questions

_CODE = ("computed", "question")  # what else decides about answers
KEPT = BUILT / "questions"


def questions(chapter):
    """The questions of a chapter, each as it is asked: ``{"asks", "given", "kind", "choices", "known", "of", "number",
    "before"}``.

    `before` names the exercise that it comes before: the last one of those that it is about. `known` is what the page
    needs to answer, encoded, so that nobody reads it by accident. Those at the end of a unit come before nothing.
    """
    if chapter.name not in with_questions():
        return []
    path = KEPT / f"{chapter.name}-{_digest(chapter)}.json"
    if not path.exists():
        KEPT.mkdir(parents=True, exist_ok=True)
        for old in KEPT.glob(f"{chapter.name}-*"):
            old.unlink()
        subjects = [chapter.name, *(unit for unit, names in curriculum.UNITS.items() if names[-1] == chapter.name)]
        asked = [
            {
                **_asked(known),
                "of": name,
                "number": number,
                "before": _before(known.question, chapter) if name == chapter.name else "",
            }
            for name in subjects
            for number, known in enumerate(questions_on(name))
        ]
        path.write_text(json.dumps(asked, ensure_ascii=False, indent=1), encoding="utf-8")
    return json.loads(path.read_text(encoding="utf-8"))


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


def _digest(chapter):
    files = [curriculum.QUESTIONS / f"{name}.py" for name in (chapter.name, *_CODE)] + [Path(__file__)]
    files += [curriculum.MISCONCEPTIONS / f"{exercise.name}.md" for exercise in chapter.exercises]
    code = [cell.source for cell in chapter.cells if cell.kind == "code"]
    parts = [*map(str.encode, code), *(path.read_bytes() for path in files)]
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()[:16]

"""Markdown blocks of the pages: code, boxes, folded boxes, and the boxes of exercises and of questions.

The box of an exercise contains its signature, parameters, results, examples, and the stub to copy. The box of a
question contains a form, and is placed before an exercise.
"""

import ast
import base64
import html
import inspect
import json
import re
import textwrap
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from autograder.chapters import curriculum
from autograder.chapters.chapter import STUB, Chapter, Exercise
from autograder.chapters.errors import ChapterError
from autograder.questions.computed import ABSOLUTE, FORMS, RELATIVE, SolvedQuestion, list_quizzed_chapters, questions_on
from autograder.questions.question import Question

_SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}$", re.MULTILINE)
Definition = ast.FunctionDef | ast.ClassDef
_NAMES = {"Parameters": "Goes in", "Returns": "Comes out", "Attributes": "Keeps", "Raises": "Raises"}


def make_code(source: str, marked: Collection[int] = (), name: str = "") -> str:
    """Return a Markdown block of Python that highlights the line numbers `marked`. `name` is the block's HTML ID."""
    lines = f' hl_lines="{" ".join(map(str, marked))}"' if marked else ""
    return f"``` {{ .python{name and f' #{name}'}{lines} }}\n{source}\n```"


def make_box(kind: str, title: str, text: str) -> str:
    return f'!!! {kind} "{title}"\n\n' + textwrap.indent(text, "    ")


def make_fold(kind: str, title: str, text: str) -> str:
    return make_box(kind, title, text).replace("!!!", "???", 1)


def render_exercise_box(exercise: Exercise) -> str:
    definitions = [node for node in ast.parse(exercise.stub).body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    main = next(node for node in definitions if node.name == exercise.name)
    content = [*_describe(main)]
    for node in definitions:
        if node is not main:
            content += [f"Part of it: **`{format_signature(node)}`**", *_describe(node)]
    button = f'<button type="button" class="copies" data-copies="stub-{exercise.name}">Copy the stub</button>'
    to_do = [number for number, line in enumerate(exercise.stub.splitlines(), 1) if line.strip() in STUB]
    code = make_code(exercise.stub, to_do, f"stub-{exercise.name}")
    stub = make_fold("stub", "The stub, as it is in your file", code)
    return make_box("exercise", f"`{format_signature(main)}`", "\n\n".join([*content, button, stub]))


def format_signature(node: Definition) -> str:
    """Return the call signature of a function, or of a class's constructor."""
    functions = [node, *node.body] if isinstance(node, ast.ClassDef) else [node]
    calls = [call for call in functions if isinstance(call, ast.FunctionDef) and call.name in (node.name, "__init__")]
    parameters = ast.unparse(calls[0].args) if calls else ""
    return f"{node.name}({re.sub(r'^self(, )?', '', parameters)})"


def parse_sections(docstring: str) -> dict[str, str]:
    """Return title -> text of the sections of a NumPy-style docstring. The text before the first has the title ""."""
    first, *pairs = _SECTION.split(docstring)
    return {"": first.strip(), **{name: text.strip("\n") for name, text in zip(pairs[::2], pairs[1::2], strict=True)}}


def parse_entries(section: str) -> list[tuple[str, str, str]]:
    """Return (name, type, description) of each entry in a section. The name of a result may be ""."""
    rows: list[tuple[str, str, str]] = []
    for line in section.splitlines():
        if line.startswith(" ") or not line.strip():
            name, kind, text = rows[-1]
            rows[-1] = name, kind, f"{text} {line.strip()}".strip()
        else:
            name, colon, kind = line.partition(" : ")
            rows.append((name if colon else "", kind if colon else name, ""))
    return rows


def _describe(node: Definition) -> Iterator[str]:
    """Yield the sections of a docstring as Markdown, followed by those of a class's methods."""
    texts = parse_sections(ast.get_docstring(node) or "")
    yield texts.pop("")
    texts |= {name: texts.pop(name) for name in ("References",) if name in texts}
    for name, text in texts.items():
        if name == "Examples":
            yield f"**Examples**\n\n{_format_examples(text)}"
        elif name in _NAMES:
            yield f"**{_NAMES[name]}**"
            yield "\n".join(_format_entry(*entry, is_error=name == "Raises") for entry in parse_entries(text))
        else:
            yield f"**{name}.** {inspect.cleandoc(text)}"
    for method in node.body if isinstance(node, ast.ClassDef) else ():
        if isinstance(method, ast.FunctionDef) and method.name != "__init__" and ast.get_docstring(method):
            yield f"**`.{format_signature(method)}`**"
            yield from _describe(method)


def _format_entry(name: str, kind: str, text: str, is_error: bool = False) -> str:
    kind = f"`{kind}`" if is_error and not name else kind
    return f"- {f'**`{name}`** ' if name else ''}{kind}{f': {text}' if text else ''}"


def _format_examples(text: str) -> str:
    """Return the examples of a docstring as code blocks, with the sentences in between."""
    paragraphs = (part.strip("\n") for part in re.split(r"\n\s*\n", text))
    return "\n\n".join(
        f"``` {{ .pycon }}\n{paragraph}\n```" if paragraph.startswith(">>>") else paragraph for paragraph in paragraphs
    )


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

"""The known mistakes of an exercise, read from its Markdown file in `misconceptions/`. Their code is not run here.

A mistake is an edit of the solution, or the exercise written out with the mistake. A mistake without text has the text
of the kind with the same name (`misconceptions/kinds.md`). docs/author.md describes the format of the files.
"""

import ast
import functools
import itertools
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from autograder.chapters import curriculum
from autograder.chapters.chapter import Exercise
from autograder.chapters.errors import ChapterError
from autograder.worker.reading.definitions import find_definition, find_docstring_lines

_EDIT = re.compile(r"`([^`]+)` -> (?:`([^`]+)`|nothing)")
_LABELLED = re.compile(r"([a-z]+): +(.*)")


@dataclass
class FileSection:
    name: str
    place: str  # file:line
    edits: dict[str, str] = field(default_factory=dict)  # old text -> new text
    code: str | None = None
    parts: list[tuple[str, str]] = field(default_factory=list)  # (label or an empty string, text)


def read_sections(text: str, file: str, labels: Collection[str]) -> list[FileSection]:
    """Parse the sections of a file, whose parts may have `labels`. Raises `ChapterError` if the format is wrong."""
    sections: dict[str, FileSection] = {}
    section = None
    for number, kind, content in _split_pieces(text, file):
        place = f"{file}:{number}"
        if kind == "##":
            if not content.isidentifier() or content in sections:
                raise ChapterError(f"{place}: `{content}` is not a name, or is taken: write one such as `not_scaled`")
            section = sections[content] = FileSection(content, place)
        elif section is None or kind == "#":
            section = None  # This heading is not a mistake, so the prose below it is skipped.
        elif kind == "```diff":
            _add_edits(section, _split_hunks(content, place), place)
        elif kind == "```python":
            section.code = content
        elif kind.startswith("```"):
            raise ChapterError(f"{place}: a block is ```diff or ```python: write one of them")
        elif kind != "-":
            raise ChapterError(
                f"{place}: `{content}` belongs to nothing: begin a part with `- `, its next lines with two spaces"
            )
        elif match := _EDIT.fullmatch(content):
            _add_edits(section, [(match[1], match[2] or "")], place)
        elif "` -> " in content:
            raise ChapterError(f"{place}: write `old` -> `new`, or `old` -> nothing, or use a ```diff block")
        else:
            label, words = match.groups() if (match := _LABELLED.fullmatch(content)) else ("", content)
            if label and label not in labels:
                raise ChapterError(f"{place}: `{label}:` is not a part: write {', '.join(labels)}, or no label")
            section.parts.append((label, words))
    return list(sections.values())


def _split_pieces(text: str, file: str) -> Iterator[tuple[int, str, str]]:
    """Yield (line number, mark, content) of each part of a Markdown file; marks are "##", "```diff" and the like."""
    lines, position = text.splitlines(), 0
    while position < len(lines):
        start, line, position = position, lines[position], position + 1
        if line.startswith("```"):
            if "```" not in lines[position:]:
                raise ChapterError(f"{file}:{start + 1}: this block has no end: write ``` below it")
            position = lines.index("```", position) + 1
            yield start + 1, line, "\n".join(lines[start + 1 : position - 1])
        elif line.startswith(("# ", "## ", "- ")):
            while lines[position : position + 1] and lines[position].startswith("  "):
                line, position = f"{line} {lines[position].strip()}", position + 1
            kind, _, content = line.partition(" ")
            yield start + 1, kind, content
        elif line.strip():
            yield start + 1, "", line


def _split_hunks(diff: str, place: str) -> Iterator[tuple[str, str]]:
    """Yield (old text, new text) of each edit in a diff. Blank lines separate the edits."""
    for hunk in re.split(r"\n{2,}", diff.strip("\n")):
        lines = hunk.split("\n")
        if misfits := [line for line in lines if line[:2] not in ("- ", "+ ", "  ", "-", "+")]:
            raise ChapterError(f"{place}: `{misfits[0]}` is not a line of a diff: begin with `- `, `+ ` or two spaces")
        old, new = ("\n".join(line[2:] for line in lines if line[0] != sign) for sign in "+-")
        yield old, new


def _add_edits(section: FileSection, edits: Iterable[tuple[str, str]], place: str) -> None:
    for old, new in edits:
        if not old or old in section.edits:
            raise ChapterError(f"{place}: an edit begins with text of the source, and no two edits with the same text")
        section.edits[old] = new


KINDS_FILE = "kinds"  # name of the file of kinds, next to the exercises' files
LABELS = ("right", "try", "rule")


@dataclass(frozen=True)
class Misconception:
    name: str
    place: str  # file:line
    edits: Mapping[str, str]  # old text -> new text; empty if the exercise is written out
    code: str | None = None
    sentences: tuple[tuple[bool, str], ...] = ()  # (whether it is about correct results, sentence)
    hint: str = ""  # something to try that reveals the mistake
    rule: str = ""  # the rule that correct answers follow; shown as the last hint

    @property
    def sentence(self) -> str:
        """Return the description of the mistake for learners, including which results are still correct."""
        return " ".join(words for _, words in self.sentences)

    @property
    def sentence_alone(self) -> str:
        """Return the description without the results that are still correct, for answers with several mistakes."""
        words = " ".join(words for is_right, words in self.sentences if not is_right)
        return words[:1].upper() + words[1:]


def read_misconceptions(name: str) -> dict[str, Misconception]:
    """Return name -> mistake of an exercise, in the order of its file; empty if there is no file."""
    kinds, mistakes = read_kinds(), dict[str, Misconception]()
    for mistake in _parse_file(read_text_of(name), f"misconceptions/{name}.md"):
        if bool(mistake.edits) == bool(mistake.code):
            problem = f"{mistake.name} needs either edits or code: write what such an answer has"
            raise ChapterError(f"{mistake.place}: {problem}")
        kind = mistake if mistake.sentences else kinds.get(mistake.name, mistake)
        mistakes[mistake.name] = replace(mistake, sentences=kind.sentences, hint=kind.hint, rule=kind.rule)
    return mistakes


def read_lesson(exercise: str, misconception: str, includes_correct_results: bool = True) -> tuple[str, str, str]:
    """Return a mistake's sentence (with or without the results that stay correct), hint and rule."""
    mistake = read_misconceptions(exercise)[find_current_name(exercise, misconception)]
    return mistake.sentence if includes_correct_results else mistake.sentence_alone, mistake.hint, mistake.rule


def find_current_name(exercise: str, misconception: str) -> str:
    """Return the current name of a mistake, which may have been renamed since it was recorded."""
    if misconception in read_misconceptions(exercise):
        return misconception
    return read_renamed().get(f"{exercise}.{misconception}") or read_renamed().get(misconception, misconception)


@functools.cache
def read_renamed() -> dict[str, str]:
    return dict(re.findall(r"^([\w.]+) (\w+)$", Path(__file__).with_name("renamed.txt").read_text("utf-8"), re.M))


def read_kinds() -> dict[str, Misconception]:
    """Return name -> kind of mistake that many exercises share. Kinds have texts but no edits."""
    return {kind.name: kind for kind in _parse_file(read_text_of(KINDS_FILE), f"misconceptions/{KINDS_FILE}.md")}


def read_text_of(name: str) -> str:
    path = curriculum.misconceptions_of(name)
    return path.read_text(encoding="utf-8") if path.exists() else ""


@functools.lru_cache(maxsize=64)
def _parse_file(text: str, file: str) -> list[Misconception]:
    mistakes = []
    for section in read_sections(text, file, LABELS):
        sentences = tuple((label == "right", words) for label, words in section.parts if label in ("", "right"))
        hint, rule = (" ".join(words for label, words in section.parts if label == part) for part in ("try", "rule"))
        mistake = Misconception(section.name, section.place, section.edits, section.code, sentences, hint, rule)
        mistakes.append(mistake)
    return mistakes


class StaleEdit(Exception):
    """Raised if the old text of an edit does not occur exactly once in the solution."""


def apply_mistake(exercise: Exercise, misconception: str) -> str:
    """Return an exercise's cell with this mistake. Raises `StaleEdit` or `ChapterError` if it cannot be applied."""
    mistake = read_misconceptions(exercise.name)[misconception]
    if mistake.code is None:
        return apply_edits(exercise.solution, mistake.edits)
    first = _find_first_statement(mistake.code, exercise.name)
    stub_statement = _find_first_statement(exercise.stub, exercise.name)
    if first is None or stub_statement is None:
        raise ChapterError(f"{mistake.place}: {mistake.name} does not define {exercise.name}: write it out")
    docstring = exercise.stub.splitlines()[stub_statement.lineno - 1 : stub_statement.end_lineno]
    lines = mistake.code.splitlines()
    return "\n".join([*lines[: first.lineno - 1], *docstring, *lines[first.lineno - 1 :]])


def _find_first_statement(source: str, name: str) -> ast.stmt | None:
    """Return the first statement in the body of a definition, or None if the source does not define the name."""
    try:
        definition = find_definition(ast.parse(source), name)
    except SyntaxError:
        return None
    return definition.body[0] if definition else None


def apply_edits(source: str, edits: Mapping[str, str]) -> str:
    """Return a solution with edits applied. Each old text must occur exactly once outside docstrings."""
    comments = find_docstring_lines(source)
    changes: list[tuple[int, int, str, str]] = []
    for old, new in edits.items():
        places = [place for place in _find_places(old, source) if source.count("\n", 0, place[0]) + 1 not in comments]
        if len(places) != 1:
            raise StaleEdit(f"`{old}`, which the solution has {len(places) or 'no'} times")
        changes.append((*places[0], new))
    changes.sort(reverse=True)
    if any(next_change[0] < head[1] for next_change, head in itertools.pairwise(changes)):
        raise StaleEdit("two edits of the same place")
    for start, end, indent, new in changes:
        head, next_change = source[:start], source[end:]
        if not new and head.endswith("\n" + indent) and next_change[:1] in ("\n", ""):
            head = head[: -len(indent) - 1]
        source = head + re.sub(r"\n(?=[^\n])", "\n" + indent, new) + next_change
    return source


def _find_places(old: str, source: str) -> Iterator[tuple[int, int, str]]:
    first, _, rest = old.partition("\n")
    for match in re.finditer(re.escape(first), source):
        line = source[source.rfind("\n", 0, match.start()) + 1 :]
        indent = line[: len(line) - len(line.lstrip(" "))]
        end = match.end()
        if rest:
            indented = re.sub(r"\n(?=[^\n])", "\n" + indent, "\n" + rest)
            if not source.startswith(indented, end):
                continue
            end += len(indented)
        yield match.start(), end, indent

"""An error in a file of known mistakes names the line and the correction."""

import pytest

from autograder.chapters import curriculum
from autograder.chapters.errors import ChapterError
from autograder.judging.misconceptions import read_misconceptions, read_sections

FILE = """# Mistakes

Prose of its author's: `a` -> `b`.

## one
- `a ` -> `b`
- ` - c` -> nothing
- It comes out
  - 1 too large.
- right: Where all is 0.

# Others

## two
```diff
- a = 1

  b = 2
- c = 3
+ c = 4
-
+ d = 5
```
- try: Look.

## three
```python
## no heading
- no part
```
"""


def test_a_file_is_read_as_it_renders():
    one, two, three = read_sections(FILE, "x.md", ("right", "try"))
    places = {each.name: each.place for each in (one, two, three)}
    assert places == {"one": "x.md:5", "two": "x.md:14", "three": "x.md:26"}
    assert one.edits == {"a ": "b", " - c": ""}
    assert one.parts == [("", "It comes out - 1 too large."), ("right", "Where all is 0.")]
    assert two.edits == {"a = 1": "", "b = 2\nc = 3\n": "b = 2\nc = 4\nd = 5"}
    assert (two.parts, two.code) == ([("try", "Look.")], None)
    assert (three.edits, three.code) == ({}, "## no heading\n- no part")


@pytest.mark.parametrize(
    ("body", "line", "says"),
    [
        ("## not scaled", 1, "`not scaled` is not a name"),
        ("## one\n- Words.\n\n## one", 4, "`one` is not a name, or is taken"),
        ("## one\nWords.", 2, "`Words.` belongs to nothing: begin a part with `- `"),
        ("## one\n- hint: Look.", 2, "`hint:` is not a part: write right, try, rule"),
        ("## one\n- `a` -> b", 2, "write `old` -> `new`"),
        ("## one\n- `a` -> `b`\n- `a` -> `c`", 3, "an edit begins with text of the source"),
        ("## one\n```diff\n+ b\n```", 2, "an edit begins with text of the source"),
        ("## one\n```diff\n- a\n*b\n```", 2, "`*b` is not a line of a diff"),
        ("## one\n- Words.\n```python\nx = 1", 3, "this block has no end"),
        ("## one\n```js\nx = 1\n```", 2, "a block is ```diff or ```python"),
    ],
)
def test_a_form_that_cannot_be_read_is_named_with_its_line(body, line, says):
    with pytest.raises(ChapterError) as error_info:
        read_sections(body, "x.md", ("right", "try", "rule"))
    assert str(error_info.value).startswith(f"x.md:{line}: ") and says in str(error_info.value)


@pytest.mark.parametrize("body", ["## one\n- Words.", "## one\n- `a` -> `b`\n```python\nx = 1\n```"])
def test_a_mistake_is_either_edits_or_code(monkeypatch, tmp_path, body):
    monkeypatch.setattr(curriculum, "MISCONCEPTIONS", tmp_path)
    (tmp_path / "softmax.md").write_text(body)
    with pytest.raises(ChapterError, match=r"misconceptions/softmax.md:1: one needs either edits or code"):
        read_misconceptions("softmax")

"""Script that writes prose.txt: the sentences of this course, as a text to learn from.

The sentences are copied from the chapters, one paragraph per line. Sentences with formulas or code are left out, and so
is everything that is not a sentence: headings, tables, hints, sources. Run the script after the prose of the chapters
has changed: a test fails if the text differs from the chapters by more than a few paragraphs.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

CHAPTERS = "one_query all_queries embeddings qkv additive multi_head positions efficient backward translate write"
CHAPTERS += " stories pretrained"
_PLAIN = re.compile(r"[\w ,.;:?!'\"()-]{12,}[.?!]\W*", re.ASCII)


def prose(chapters: Iterable[str]) -> str:
    """Return the text of the file, made from the texts of the chapters' scripts."""
    return "".join(f"{kept}\n" for text in chapters for kept in map(_sentences, _paragraphs(text)) if kept)


def _paragraphs(text: str) -> Iterator[str]:
    for cell in re.split(r"^# %%", text, flags=re.MULTILINE):
        marker, _, body = cell.partition("\n")
        if marker.strip() == "[markdown]":
            yield from re.split(r"\n\s*\n", re.sub(r"^# ?", "", body, flags=re.MULTILINE))


def _sentences(paragraph: str) -> str:
    """Return the plain sentences of a paragraph, or "" if the paragraph is not prose."""
    if paragraph.lstrip().startswith(("#", "|", "$$", "<", "```", "**Sources", "**What is graded")):
        return ""
    items = re.split(r"\n(?:- |\d+\. )", paragraph)
    sentences = (each for item in items for each in re.split(r"(?<=[.?!])\s+", " ".join(item.split())))
    plain = (re.sub(r"[*`“”]|^- |^\d+\. ", "", each) for each in sentences)
    return " ".join(each for each in plain if _PLAIN.fullmatch(each) and "_" not in each)


if __name__ == "__main__":
    here = Path(__file__).parent
    scripts = [here.parents[1] / "solutions" / f"{name}.py" for name in CHAPTERS.split()]
    text = prose(script.read_text(encoding="utf-8") for script in scripts)
    (here / "prose.txt").write_text(text, encoding="utf-8", newline="\n")

"""The drawing at the top of each chapter: a Transformer in which the chapter's part is highlighted.

The left half shows the path of a text through one block, the right half the contents of the box "attention". Every part
links to an exercise. Parts of later chapters are outlines without a name. The last page shows the complete drawing.
"""

import re
from html import escape

from autograder.chapters import curriculum

DRAWING = curriculum.ROOT / "book" / "machine.svg"
# Marks the place in a chapter's prose where the complete drawing is inserted.
PLACE = re.compile(r"<div data-machine>.*?</div>")

# chapter -> (its highlighted parts, the caption)
HERE = {
    "one_query": (("attention", "scores", "softmax", "average"), "attention itself, for one query"),
    "all_queries": (("attention", "scores", "mask", "softmax", "average"), "attention for all words at once, masked"),
    "embeddings": (("embeddings",), "where words become vectors"),
    "qkv": (("queries", "keys", "values"), "the three projections, which are learned"),
    "additive": (("scores",), "another way to make scores"),
    "multi_head": (("heads", "mix"), "several heads side by side"),
    "positions": (("positions",), "how attention learns where a word is"),
    "efficient": (("cache", "average"), "attention that does not waste time and memory"),
    "backward": (("gradients",), "the way back, by which everything learns"),
    "translate": (("source", "next-word"), "attention to another sentence, in a model that learns"),
    "write": (("block", "next-word"), "all of it: a language model of your own"),
    "stories": (("block", "next-word"), "the block of the open models of today"),
    "pretrained": (("block",), "a whole block, in a real model"),
}


def render_drawing(chapter: str) -> str:
    """Return the Transformer drawing as HTML, with a chapter's parts highlighted; with "", no part is highlighted."""
    lit, words = HERE.get(chapter, ((), ""))
    svg = DRAWING.read_text(encoding="utf-8").strip()
    for name in lit:
        svg = svg.replace(f'part {name}"', f'part {name} lit"')
    chapters = curriculum.CHAPTERS[: curriculum.CHAPTERS.index(chapter) + 1] if chapter in HERE else curriculum.CHAPTERS
    later = re.compile(rf'(<a href="(?!(?:{"|".join(chapters)})\.html)[^"]*" class="(?![^"]* lit)[^"]*)"')
    svg = later.sub(r'\1 later"', svg)
    caption = f"<figcaption>You are here: {escape(words)}.</figcaption>" if words else ""
    return f'<figure class="machine" data-search-exclude>{svg}{caption}</figure>'

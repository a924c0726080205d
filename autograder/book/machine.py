"""The drawing on top of each chapter: a Transformer, with the part lit that the chapter is about.

Left, the way of a text through one block; right, what is inside the box "attention". Every part leads to its chapter.
"""

from dataclasses import dataclass
from html import escape


@dataclass(frozen=True)
class Part:
    """A box of the drawing: its words, the chapter it leads to, and where it stands, in units of the drawing."""

    words: str
    chapter: str
    x: int
    y: int
    width: int
    height: int = 20


WIDTH, HEIGHT = 360, 224
PARTS = {
    "next word": Part("next word", "translate", 42, 4, 84),
    "block": Part("", "pretrained", 22, 34, 124, 86),
    "feed-forward": Part("feed-forward", "pretrained", 42, 48, 84),
    "attention": Part("attention", "all_queries", 42, 90, 84),
    "positions": Part("+ positions", "positions", 42, 134, 84),
    "embeddings": Part("embeddings", "embeddings", 42, 162, 84),
    "gradients": Part("", "backward", 0, 4, 8, 178),
    "heads": Part("", "multi_head", 192, 42, 130, 124),
    "mix": Part("mix the heads", "multi_head", 202, 14, 112),
    "average": Part("weighted average", "one_query", 197, 50, 120),
    "softmax": Part("softmax", "one_query", 202, 78, 66),
    "mask": Part("mask", "all_queries", 274, 78, 40),
    "scores": Part("scores", "one_query", 202, 106, 66),
    "queries": Part("Q", "qkv", 202, 138, 32),
    "keys": Part("K", "qkv", 242, 138, 32),
    "values": Part("V", "qkv", 282, 138, 32),
    "cache": Part("cache", "efficient", 242, 172, 72, 18),
    "source": Part("another sentence", "translate", 240, 204, 116, 18),
}
_ARROWS = (
    [(84, 162), (84, 154)],
    [(84, 134), (84, 110)],
    [(84, 90), (84, 68)],
    [(84, 48), (84, 24)],
    [(84, 126), (136, 126), (136, 79), (90, 79)],  # the way around attention, and that around the feed-forward part
    [(84, 74), (136, 74), (136, 41), (90, 41)],
    [(218, 138), (218, 126)],
    [(258, 138), (258, 126)],
    [(235, 106), (235, 98)],
    [(274, 88), (268, 88)],
    [(235, 78), (235, 70)],
    [(298, 138), (298, 130), (327, 130), (327, 60), (317, 60)],
    [(258, 50), (258, 34)],
    [(258, 172), (258, 158)],
    [(298, 172), (298, 158)],
    [(278, 204), (278, 192)],
)

# Chapter -> what is lit, and what is said below.
HERE = {
    "one_query": (("scores", "softmax", "average"), "attention itself, for one query"),
    "all_queries": (
        ("attention", "scores", "mask", "softmax", "average"),
        "attention for all words at once, with masks",
    ),
    "embeddings": (("embeddings",), "where words become vectors"),
    "qkv": (("queries", "keys", "values"), "the three projections, which are learned"),
    "additive": (("scores",), "another way to make scores"),
    "multi_head": (("heads", "mix"), "several heads side by side"),
    "positions": (("positions",), "how attention learns where a word stands"),
    "efficient": (("cache", "average"), "attention that does not waste time and memory"),
    "backward": (("gradients",), "the way back, on which everything learns"),
    "translate": (("source", "next word"), "attention to another sentence, in a model that learns"),
    "write": (("block", "next word"), "all of it: a language model of your own"),
    "pretrained": (("block",), "a whole block, in a real model"),
}


def drawing(chapter=""):
    """The drawing as inline SVG, which takes its colours from the page.

    Parameters
    ----------
    chapter : str
        Whose part is lit; none without it.
    """
    lit, words = HERE.get(chapter, ((), ""))
    arrows = "".join(f'<polyline points="{" ".join(f"{x},{y}" for x, y in way)}"/>' for way in _ARROWS)
    boxes = "".join(_box(part, name in lit) for name, part in PARTS.items())
    said = f"You are here: {words}." if words else "A Transformer, and what is inside its attention."
    head = '<marker id="tip" viewBox="0 0 6 6" refX="5" refY="3" markerWidth="5" markerHeight="5" orient="auto">'
    return (
        f'<figure class="machine" data-search-exclude><svg viewBox="0 0 {WIDTH} {HEIGHT}" role="group" '
        f'aria-label="Drawing of a Transformer. {escape(said)}">'
        f'<defs>{head}<path d="M0,0 L6,3 L0,6 z"/></marker></defs>'
        '<path class="zoom" d="M126,90 L192,42 M126,110 L192,166"/>'
        f'{boxes}<g class="arrows">{arrows}</g>'
        '<text class="plain" x="84" y="200">words</text><text class="plain start" x="155" y="104">× N</text>'
        '<text class="plain" transform="translate(18 92) rotate(-90)">gradients</text>'
        f"</svg><figcaption>{escape(said)}</figcaption></figure>"
    )


def _box(part, lit):
    x, y, width, height = part.x, part.y, part.width, part.height
    kind = " frame" if not part.words and width > 20 else ""
    shape = f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="3"/>'
    if width < 20:  # the way back, an arrow that goes down
        middle, end = x + width / 2, y + height
        shape += f'<path class="back" d="M{middle},{y + 4} V{end - 4} m-3,-6 l3,6 l3,-6"/>'
    name = part.words or {"pretrained": "a whole block", "backward": "gradients", "multi_head": "heads"}[part.chapter]
    text = f'<text x="{x + width / 2:g}" y="{y + height / 2 + 4:g}">{escape(part.words)}</text>' if part.words else ""
    state = " lit" if lit else ""
    return f'<a href="{part.chapter}.html" class="part{kind}{state}" aria-label="{escape(name)}">{shape}{text}</a>'

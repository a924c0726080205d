"""Units, chapters and where their files lie. Every other path and name is derived from these."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
SOLUTIONS, EXERCISES = ROOT / "solutions", ROOT / "exercises"
SUITES, MISCONCEPTIONS, QUESTIONS = (ROOT / "autograder" / name for name in ("suites", "misconceptions", "questions"))

# A unit is one nbgrader assignment; its chapters are taught in this order.
UNITS = {
    "attention-basics": ("one_query", "all_queries"),
    "words-and-pictures": ("embeddings",),
    "learned-attention": ("qkv", "additive", "multi_head"),
    "modern-attention": ("positions", "efficient", "backward", "translate", "pretrained"),
}
CHAPTERS = tuple(chapter for chapters in UNITS.values() for chapter in chapters)

SELF_STUDY = b"self-study"  # the secret of those who have no course and nobody to fool

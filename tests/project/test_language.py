"""The number of unidiomatic words and constructions (markers) per 100 words, which may only fall."""

import ast
import io
import re
import tokenize

import pytest

from autograder.chapters.curriculum import IS_CLONE, ROOT

pytestmark = pytest.mark.skipif(not IS_CLONE, reason="reads the files of a clone")

DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
MARKERS = r"""
    \bcom(?:es?|ing) to (?:the|a|an|it|nothing|something|what|one|two)\b|\bcame to\b|\b(?:is|are|was|were|be) (?:told|
    said|heard)\b|\bstands?\b|\bstood\b|\blies?\b|\blay\b(?! out)|\bspeaks?\b|\bspoke\b|\bbut for\b|\bin (?:the )?place
     of\b|\b(?:is|are|was|were) no\b(?! longer)|\bof (?:ours|yours|its own|their own|one's own)\b|\bwhoever\b|\bwhatever
    \b|\banew\b|\bbegun\b|\bmeanwhile\b|\bat last\b|\bbeside\b|\bbehind\b|\bmend(?:s|ed|ing)?\b|\b(?:goes|went|go) on\b
    |\b(?:None|Error`|empty|nothing|0) where\b|\bso many\b|\bas many\b|\bthrown away\b|\bunder (?:a|the|its|that)
     (?:key|name)s?\b|\bknows? (?:of|no)\b|\bin step\b|\bround brackets\b|\bby chance\b|\bwhat (?:is|was|has|came|comes|
    stands|lies)\b|(?-i:^(?:What|Whether|Where|Who|Whose|Which|How|Of|The same)\b)
"""
MARKER = re.compile(MARKERS.replace("\n    ", "").strip(), re.IGNORECASE)
LIMITS = {  # texts that are examined -> limit of markers per 100 words
    ("autograder/**/*.py",): 0.23,  # docstrings and comments
    ("autograder/**/*.py", "strings"): 0.36,
    ("autograder/misconceptions/*.md", "autograder/judging/**/*.txt"): 0.2,
    ("*.md", "docs/*.md"): 0.41,
}


def texts_of(path, is_of_strings):
    source = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        return [source]
    nodes = list(ast.walk(ast.parse(source)))
    docstrings = [ast.get_docstring(node, clean=False) or "" for node in nodes if isinstance(node, DOCUMENTED)]
    if is_of_strings:  # A question may begin with "What".
        strings = [str(node.value) for node in nodes if isinstance(node, ast.Constant)]
        return [text for text in strings if " " in text.strip() and text not in docstrings and not text.endswith("?")]
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return docstrings + [token.string.lstrip("# ") for token in tokens if token.type == tokenize.COMMENT]


@pytest.mark.parametrize("patterns", LIMITS)
def test_the_markers_only_fall(patterns):
    files = [path for pattern in patterns for path in ROOT.glob(pattern)]
    texts = [text for path in files for text in texts_of(path, "strings" in patterns)]
    results = sum(len(MARKER.findall(text)) for text in texts)
    figure = 100 * results / sum(len(re.findall(r"[A-Za-z']+", text)) for text in texts)
    assert 0.9 * LIMITS[patterns] - 0.05 <= figure <= LIMITS[patterns], f"{results} markers, {figure:.2f} for 100 words"

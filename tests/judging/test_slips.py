"""Errors that Python, NumPy and torch really raise, said in words."""

import pytest

from autograder.chapters.chapter import read_chapter
from autograder.judging.slips import slip
from support.grading import grade_source

SOFTMAX = "import numpy as np\n\ndef softmax(scores):\n    {}\n"
SCORES = "import numpy as np\n\ndef attention_scores(queries, keys):\n    {}\n"
DOT = """
import math, torch
from torch import nn

def dot_attention(inp, wq, wk, wv):
    q, k, v = inp @ wq, inp @ wk, inp @ wv
    {}
    weights = scores.softmax(-1)
    return weights @ v, weights
"""
MODULE = """
import torch
from torch import nn

class SelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.wq, self.wk, self.wv = (nn.Parameter(torch.rand(d_in, d_out)) for _ in range(3))

    def forward(self, inp):
        {}
"""


def relation(source, exercise):
    chapter = {"softmax": "one_query", "attention_scores": "all_queries"}.get(exercise, "qkv")
    verdict = grade_source(source, chapter, [exercise])[exercise]
    assert verdict.outcome != "passed"
    assert verdict.misconception is None
    return verdict.relation


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("return scores / scores.sum()", "A Python list has no sum: make an array of it first, with np.asarray."),
        ("return scores * [1.0]", "A Python list is not multiplied number by number: make an array"),
        ("return scores - 1.0", "A Python list knows no - for its numbers: make an array"),
        ("return scores[0, 1]", "A Python list takes one index at a time"),
        ("return np.exp(scors)", "Perhaps scores is meant."),
        ("return torch.softmax(scores)", "The line `import torch` is missing, or its cell was not run."),
        ("return batched_softmax(scores)", "batched_softmax is an exercise of all_queries; every chapter stands alone"),
        ("return normalize_by_sum(np.exp(scores))", "normalize_by_sum is an exercise of this chapter, and nothing"),
        ("import einops", "einops is not there: answers have Python's own modules, NumPy"),
        ("return softmax(scores)", "The function calls itself without end."),
        ("return input('scores')", "keyboard"),
        ("breakpoint()", "keyboard"),
        (
            "scores = np.array(scores)\n    if scores > 0: return 1",
            "and an array has many: ask `is not None`, `.any()` or `.all()`.",
        ),
        ("return np.array(scores)(0)", "Round brackets call a function, and this is a ndarray"),
        ("return None.shape", "Something is None here"),
        ("return None - np.exp(scores)", "Something is None here"),
        (
            "x = []\n    for s in scores: x = x.append(s)",
            "`append` is called on None here, and it gives back None itself",
        ),
        ("return np.array(scores)[np.ones(3) > 0]", "A mask that stands as an index is not stretched"),
        (
            "assert len(scores) == 100\n    return scores",
            "This `assert` is the answer's own, and what is asked for here is a result",
        ),
        ("total = total + 1", "total has no value yet"),
        ("return np.array(scores)[99]", "There is no place 99 on an axis of 6 places, which are counted from 0."),
        (
            "return np.array(scores).sum(axis=1)",
            "There is no axis 1 here; the number of axes is 1, and they are counted from 0.",
        ),
        ("scores = np.arange(6)\n    scores -= 0.5", "The array holds integers, and no fraction fits into it"),
        ("return np.zeros(2.0)", "A size or a count has to be an integer"),
        ("return np.zeros(6) + np.zeros(5)", "Lined up from the right, (6,) and (5,) have to be equal"),
        ("return np.zeros(6).reshape(4, 4)", "6 numbers cannot be laid out in the shape (4,4)."),
        ("return np.array([[1], [1, 2]])", "Rows of different lengths make no array."),
        ("return 1 / 0", "What it divides by is 0 here."),
        ("return np.float64(1)[0]", "One number has no places"),
        ("import math; return math.exp(1000)", "The number is larger than a float can hold"),
        ("made = np.zeros(3); made[:] = np.ones(5)", "What is written has the shape (5,) and the place for it (3,)"),
        ("return np.array(scores)[:, None, :]", "The index names 2 axes, and the number of axes is 1"),
        ("return {'scores': 1}['score']", ""),
        ("n, d = np.array(scores).shape", "This line takes a certain number of axes for granted"),
        ("a, b = scores", "There are more values than the 2 names."),
        ("a, b, *c = scores[:1]", ""),
        ("a, b = scores[:1]", "There are 2 names, and only 1 to give them."),
        ("raise ValueError('no')", "This `raise` is the answer's own, and what is asked for here is a result"),
        ("raise 'no'", "This `raise` is the answer's own, and what is asked for here is a result"),
        ("return np.zeros(scores)", ""),
        ("return range(scores)", "A count or a size has to be one integer, and this is a list"),
        ("return {scores: 1}", "A list can be no key of a dictionary"),
        ("return float('the')", "Here is text where a number should be."),
        ("with scores: pass", "`with` takes what has to be closed"),
        ("return len(iter(scores))", "A list_iterator has no length."),
        ("return np.stack([])", "`stack` joins what is in a list, and this list is empty."),
        ("import torch; return torch.cat([])", "`cat` and `stack` join what is in a list, and this list is empty."),
        ("return np.zeros(0).max()", "There is no largest and no smallest of nothing"),
        ("return max([])", "There is no largest and no smallest of nothing"),
    ],
)
def test_slips_in_numpy(body, words):
    said = relation(SOFTMAX.format(body), "softmax")
    assert words in said
    assert "take" not in said or words


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (
            "return np.asarray(queries) @ np.ones((7, 2))",
            "the last but one, or the only one, of the right: here 3 and 7.",
        ),
        ("return np.asarray(queries).dot(np.asarray(keys))", "adds up the last axis of the left"),
        ("return np.einsum('id,jd->ij', queries, keys)", "begin the letters with `...`, for the batch axes."),
    ],
)
def test_slips_about_shapes_name_the_arguments(body, words):
    said = relation(SCORES.format(body), "attention_scores")
    assert words in said
    assert "What came in: queries (" in said
    assert " for (..., n_q, d)" in said


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (
            "scores = torch.bmm(q, k.transpose(1, 2))",
            "There is no axis 2 here; the number of axes is 2: count axes from the end",
        ),
        ("scores = torch.bmm(q, k.mT)", "`bmm` takes exactly one batch axis; `@` takes any number of them."),
        ("scores = torch.einsum('bid,bjd->bij', q, k)", "The equation has 3 letters where there are 2 axes"),
        ("scores = torch.softmax(q @ k.mT)", "dim=-1 is the last one"),
        ("scores = q @ k", "A matrix product adds up the last axis of the left"),
        ("scores = torch.outer(q, k)", "`outer` takes two vectors, of one axis each, and one of these has 2."),
        ("scores = torch.dot(q, k)", "`torch.dot` takes two vectors; `@` takes matrices too"),
        ("scores = torch.mm(q[0], k)", "`mm` takes two matrices"),
        ("scores = q[None].t()", "`t` turns a matrix and nothing that has batch axes"),
        ("scores = q[:, None, :, :]", "The index names more axes than there are here, 2: `...` stands"),
        ("scores = q.sum()[0, :]", "was an axis of length 1 lost on the way"),
        ("scores = q.detach().numpy().clone()", "clone belongs to PyTorch's tensors"),
        ("scores = torch.nn.Parameter(q.detach().numpy())", "A tensor is needed here, as `nn.Parameter` needs one"),
        ("scores = torch.zeros(2 - len(q) * 3)", "A length comes out below 0 here."),
        ("scores = q.topk(99)", "More of the largest are asked for than there are numbers."),
        ("scores = torch.cat([1, q])", "`cat` and `stack` join tensors, and element 0 is of type int"),
        ("q[:] = torch.ones(6, 9)", "what is to fill it has 9 places where that has 2."),
        ("scores = torch.cat([q, q.mT])", "`cat` joins along axis 0; all other axes have to be equal"),
        ("scores = q @ k.mT / math.sqrt(torch.Tensor)", ""),
        ("scores = q @ k.mT / torch.sqrt(k.shape[-1])", "Torch's functions take tensors, and this is one int"),
        ("if q: scores = q", "`if`, `and`, `or` and `not` ask for one truth value, and a tensor has many"),
        ("scores = q.astype(float)", "astype belongs to NumPy's arrays"),
        ("scores = q + torch.zeros(17)", "Lined up from the right, every axis of the two tensors in this line"),
        ("scores = (q.unsqueeze(1) + torch.zeros(7, 7)).sum(-1)", "is a new axis counted from the front?"),
        ("scores = q.reshape(7, -1)", "numbers cannot be laid out in the shape (7, -1)."),
        ("scores = q[torch.ones(2, 9) > 0]", "A mask that stands as an index is not stretched"),
        ("b, n, d = q.shape", "This line takes a certain number of axes for granted"),
        ("scores = q.tolist().mT", "A Python list has no mT: make a tensor of it first, with torch.tensor"),
    ],
)
def test_slips_in_torch(body, words):
    assert words in relation(DOT.format(body), "dot_attention")


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (
            MODULE.format("return inp @ self.w_q"),
            "There is no self.w_q here: `__init__` has to assign to that very name.",
        ),
        (MODULE.format("return inp").replace("self, inp", "inp"), "is `self` the first of them"),
        (MODULE.format("return inp").replace("self, inp", "self"), "is `self` the first of them"),
        (MODULE.format("return self").replace("(self, inp)", "(inp, x)"), "`self` is not among the parameters"),
        (MODULE.format("return inp").replace("(self, d_in, d_out)", "(self)"), "Its parameters are not those"),
    ],
)
def test_slips_in_classes(source, words):
    assert words in relation(source, "SelfAttention")


def test_a_function_that_is_compiled():
    error = {"type": "InternalTorchDynamoError", "message": "RuntimeError: Cannot call numel()", "where": []}
    assert slip(error, read_chapter("qkv").exercise("project_qkv")).startswith("`torch.compile` does not work where")


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("def softmax(scores):\nreturn 1\n", "Something has to stand below that line, indented."),
        ("def softmax(scores):\n    x = 1\n      return x\n", "The line begins further to the right than its block."),
        (
            "def softmax(scores):\n    if x:\n        y = 1\n      return y\n",
            "The line begins where no open block begins",
        ),
        ("import einops\n\ndef softmax(scores):\n    return scores\n", "einops is not there"),
        ("def softmax(scores)\n    return scores\n", "A line that opens a block, as `if`, `for` and `def` do"),
        ("def softmax(scores):\n    return (scores\n", "The bracket ( is opened there and closed nowhere."),
        ("def softmax(scores):\n    return scores)\n", "The bracket ) closes nothing: there is one too many"),
        ("def softmax(scores):\n    return (scores]\n", "The bracket ( is still open where ] comes."),
        ("def softmax(scores):\n    return scores[0 1\n", "The bracket [ is opened there"),
        ("def softmax(scores):\n    print('scores)\n", "The quotation mark that ends the text is missing."),
        ("def softmax(scores):\n    if scores = 1:\n        pass\n", "`=` gives a value to a name; `==` asks"),
        ("def softmax(scores):\n    pass\n\nreturn scores\n", "The `return` stands outside of the function"),
        ("def softmax(scores):\n    print(end='', scores)\n", "arguments without a name come before"),
        ("def softmax(scores=1, axis):\n    pass\n", "Parameters without a default come before"),
        ("def softmax(scores):\n    return scores − 1\n", "a character in that line that Python does not know"),
        ("def softmax(scores):\n    return scores +\n", "Python cannot read that line, or one just before it"),
    ],
)
def test_slips_before_anything_runs(source, words):
    assert words in relation(source, "softmax")


LEFT = "def softmax(scores):\n    {}\n"


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("x = np.exp(scores)\n    # TODO\n    raise NotImplementedError\n    return x / x.sum()", 4),
        ("raise NotImplementedError\n    return scores", 2),
        ("raise NotImplementedError()\n    return scores", 2),
    ],
)
def test_the_line_of_the_stub_beside_code(body, line):
    verdict = grade_source(LEFT.format(body), only=["softmax"])["softmax"]
    if "np." in body:
        verdict = grade_source("import numpy as np\n" + LEFT.format(body), only=["softmax"])["softmax"]
        line += 1
    assert verdict.outcome == "raised"
    assert verdict.relation == "softmax is written, but the stub's own line is still in it: take that line out."
    assert f"came to the `raise NotImplementedError` of the stub (answer.py, line {line})." in verdict.message


def test_a_stub_alone_is_still_to_do():
    verdict = grade_source("# mine\n" + LEFT.format("'Words.'\n    raise NotImplementedError"), only=["softmax"])
    assert verdict["softmax"].outcome == "unattempted"


def test_a_key_that_is_nearly_there_and_a_method_without_self():
    state = (
        "def block_state(checkpoint, layer):\n    return {'norm.weight': checkpoint['encoder.layer.0.LayerNorm.bias']}"
    )
    verdict = grade_source(state, "pretrained", ["block_state"])["block_state"]
    assert "the one that comes nearest is 'encoder.layer.0." in verdict.relation
    source = "import torch\nfrom torch import nn\n\nclass DotProductAttention(nn.Module):\n"
    source += "    def forward(queries, keys, values, mask=None):\n        return queries @ keys.mT, keys\n"
    verdict = grade_source(source, "qkv", ["DotProductAttention"])["DotProductAttention"]
    assert verdict.relation.endswith("is `self` the first parameter of its methods?")


SPLIT = "import torch\n\ndef split_heads(x, num_heads):\n    if x.shape[-1] % num_heads: raise ValueError\n    {}\n"


def test_numbers_that_come_in_another_order():
    body = "n, d = x.shape[-2:]\n    lead = x.shape[:-2]\n    x = x.view(-1, n * d)\n    "
    body += "return x.view(*lead, n, num_heads, d // num_heads).transpose(-3, -2)"
    verdict = grade_source(SPLIT.format(body), "multi_head", ["split_heads"])["split_heads"]
    assert "`view` cannot lay out x like that, because its numbers lie in another order" in verdict.relation


def test_what_going_backward_still_needs():
    error = {"type": "RuntimeError", "message": "one of the variables has been modified by an inplace operation: [1]"}
    told = slip(error | {"where": []}, read_chapter("efficient").exercise("online_softmax_attention"))
    assert told.startswith("Something that `backward` still needs was overwritten in place")


EMBED = "import numpy as np\n\ndef embed_sentence(sentence, embeddings):\n    words = sentence.split()\n    {}\n"


def test_words_that_are_in_no_dictionary_and_braces_in_a_key():
    body = "return np.array([[embeddings[word.lower()] for word in words]]), words"
    verdict = grade_source(EMBED.format(body), "embeddings", ["embed_sentence"])["embed_sentence"]
    assert verdict.relation.endswith(
        " is in no dictionary that came in: words that are unknown get as far as this line."
    )
    state = "def block_state(checkpoint, layer):\n    return {'norm.weight': checkpoint['encoder.layer.{layer}.bias']}"
    verdict = grade_source(state, "pretrained", ["block_state"])["block_state"]
    assert verdict.relation == "There are braces in this key: is an `f` missing in front of the string?"


def test_an_error_of_the_right_type():
    source = (
        "import numpy as np\n\ndef load_glove_embeddings(glove_file):\n    found = {}\n"
        "    for line in open(glove_file, encoding='utf-8', newline='\\n'):\n"
        "        fields = line.rstrip('\\r\\n').split(' ')\n"
        "        d = len(found[next(iter(found))]) if found else len(fields) - 1\n"
        "        found[' '.join(fields[:-d])] = np.array(fields[-d:]).astype('float32')\n    return found\n"
    )
    verdict = grade_source(source, "embeddings", ["load_glove_embeddings"])["load_glove_embeddings"]
    assert verdict.relation == "A ValueError is right here; its message is not."

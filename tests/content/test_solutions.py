"""Every solution agrees with an oracle (`tests/support/oracles.py`).

The arguments of a call are drawn from the docstring: arrays of the shapes that it names, numbers for its letters. For
other arguments, `DrawnArguments` has methods with their names. Calls that need more than plain data are in `PLAYED`.
"""

from __future__ import annotations

import copy
import doctest
import inspect
import itertools
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from autograder.chapters.chapter import Exercise, read_chapter
from autograder.worker.describe import describe_result
from support.grading import EXERCISES, load_solution
from support.late import LazyModule

oracles, plt, torch, nn = (LazyModule(name) for name in ("support.oracles", "matplotlib.pyplot", "torch", "torch.nn"))
CALLS = 20  # calls of each exercise, each with different sizes
# The texts of these exercises define the result for a mask row that is all False.
WITH_EMPTY_ROWS = ("scaled_dot_product_attention", "DotProductAttention", "MultiHeadAttention", "next_token_loss")
FORMS = (np.array, np.ndarray.tolist, lambda array: tuple(array.tolist()), lambda array: array.astype(np.float32))
GAPS = (" ", "  ", "\t", "\n", "\u00a0", " \u2003", "\x1c", "\x85")
SIGNS = (*"aB9_-.,'?", "\u00e9", "\u4e16", "\u0301", "\u00ab", "\u2019", "\u200b", "\u00b2", "\u2163", "\u0663")
WORDS = ("one", "One", "ONE", "is", "la", "1", "dont", "\u00e9t\u00e9", "\u00c9t\u00e9", "\u0130", "i\u0307", "_")
NUMERALS = ("0", "1", "-0.25", "3.5e-3", "1E+2", "-0", ".5", "7.", "123456.789", "1e-30")


def solution_of(name: str) -> Callable:
    return getattr(load_solution(EXERCISES[name].chapter), name)


class DrawnArguments:
    """The arguments of a call, with the names, shapes and descriptions in a docstring and one choice of sizes."""

    def __init__(self, exercise: Exercise, folder: Path, seed: int) -> None:
        self.rng, self.folder = np.random.default_rng(seed), folder
        self.has_empty_rows = exercise.name in WITH_EMPTY_ROWS
        self.batch = tuple(self.rng.integers(1, 4, size=self.rng.integers(3)))
        kv_heads, times, half = self.rng.integers(1, 3, size=3).tolist()
        d = 2 * kv_heads * times * half
        self.sizes = {"d": d, "d_model": d, "num_heads": kv_heads * times, "num_kv_heads": kv_heads}
        self.sizes["n"] = self.sizes["n_k"] = self.whole(2, 7)
        self.scale = self.choice((0.125, 1.0, 8.0))
        self.drawn = {}

    def whole(self, low: int, high: int) -> int:
        return int(self.rng.integers(low, high))

    def choice(self, things: tuple) -> object:
        return things[self.whole(0, len(things))]

    def size(self, letter: str) -> int:
        return int(letter) if letter.isdigit() else self.sizes.setdefault(letter, self.whole(1, 6))

    def shape(self, described: str) -> tuple[int, ...]:
        letters = [letter.strip() for letter in re.search(r"\((.*?)\)", described)[1].split(",") if letter.strip()]
        return sum((self.batch if letter == "..." else (self.size(letter),) for letter in letters), ())

    def numbers(self, shape: tuple) -> np.ndarray:
        """Return an array, in C or Fortran order, of multiples of a power of two, whose products are exact."""
        array = self.rng.integers(-24, 25, size=shape[::-1]).transpose() * (self.scale / 8)
        return array if self.rng.random() < 0.5 else np.ascontiguousarray(array)

    def arguments(self, function: Callable) -> list:
        section = re.search(r"Parameters\n-+\n(.*?)(?=\n\n|$)", inspect.getdoc(function), re.DOTALL)
        matches = re.findall(r"^(\w[\w, ]*) : (.*)", section[1], re.MULTILINE) if section else ()
        self.drawn = {}
        for name, described in ((name, described) for names, described in matches for name in names.split(", ")):
            of_its_own = getattr(self, name, None)
            self.drawn[name] = of_its_own(described) if of_its_own else self.argument(name, described)
        return list(self.drawn.values())

    def argument(self, name: str, described: str) -> object:
        if described == "int":
            return self.size(name)
        if described == "float":
            return self.choice((0.5, 1.0, 3.0))
        if re.match(r"(Tensor|list) of (int|str)", described):
            return self.rng.integers(0, 9, self.shape(described))
        return self.numbers(self.shape(described))

    def axis(self, described: str) -> int:
        return self.whole(-self.drawn["x"].ndim, self.drawn["x"].ndim)

    def x(self, described: str) -> np.ndarray:
        return self.numbers(self.shape(described if "shape" in described else "(..., n, d)"))

    def scores(self, described: str) -> np.ndarray:
        """Return scores whose sum is not 0, and whose exponentials sometimes overflow."""
        return self.choice((1, 2**14)) * (self.numbers(self.shape(described)) + 2**-10)

    def lengths(self, described: str) -> np.ndarray:
        return self.rng.integers(0, self.size("max_length") + 1, self.shape(described))

    def mask(self, described: str) -> np.ndarray | None:
        shape = self.shape(described)
        if "broadcastable" in described:
            shape = tuple(self.choice((1, length)) for length in shape[self.whole(0, len(shape) + 1) :])
        first = np.arange(shape[-1]) == 0 if shape else True
        mask = np.asarray((self.rng.random(shape) < self.choice((0.3, 0.8))) | (not self.has_empty_rows and first))
        return self.choice((None, mask, mask))

    def is_word(self, described: str) -> np.ndarray:
        n = self.sizes["n"]
        return np.arange(n) < self.rng.integers(1, n + 1, (*self.batch, 1))

    def positions(self, described: str) -> np.ndarray:
        return self.rng.integers(0, 100_000, self.shape(described))

    def base(self, described: str) -> float:
        return self.choice((10_000.0, 10_000, 500_000.0, 2.0))

    def weights(self, described: str) -> np.ndarray:
        return torch.softmax(torch.from_numpy(self.numbers(self.shape(described)) / self.scale), dim=-1).numpy()

    def state(self, described: str) -> tuple | None:
        shapes = (*self.batch, self.size("d_k"), self.size("d_v")), (*self.batch, self.size("d_k"))
        return self.choice((None, (self.numbers(shapes[0]), abs(self.numbers(shapes[1])))))

    def tokens(self, described: str) -> np.ndarray:
        return self.rng.integers(0, self.size("c"), self.shape(described))

    def cache(self, described: str) -> None:
        """Return None: `PLAYED` tests the cache itself, and `test_training.py` writes with and without a cache."""

    def sentence(self, described: str) -> str:
        signs = SIGNS if self.rng.random() < 0.3 else self.choice(((*WORDS, "coke,", "d'on't"), WORDS[:3]))
        return "".join(self.choice(GAPS) + self.choice(signs) * self.whole(0, 2) for _ in range(self.whole(1, 12)))

    def table(self, described: str) -> dict:
        width = self.size("embed_dim")
        words = self.rng.permutation(WORDS)[: self.whole(3, len(WORDS))].tolist()
        return {word: self.choice(FORMS)(self.numbers((width,))) for word in words}

    embed_dict = embeddings = glove_embeddings = table

    def vocab(self, described: str) -> list[str]:
        return [self.choice(WORDS) for _ in range(self.whole(0, 8))]

    def query_tokens(self, described: str) -> list[str]:
        return [self.choice(WORDS) for _ in range(self.size(described[-3:]))]

    key_tokens = query_tokens

    def ax(self, described: str) -> object:
        plt.close("all")
        return self.choice((None, plt.figure().add_subplot(1, 2, 2)))

    def glove_file(self, described: str) -> str:
        """Write words (some with spaces) and numbers in several notations, sometimes a wrong line. Return the path."""
        width, words = (
            self.size("d"),
            [self.choice(WORDS), *(". .", "a\u00a0b", "", "\u3000", "1 2")[: self.whole(0, 6)]],
        )
        lines = [" ".join([word, *(self.choice(NUMERALS) for _ in range(width))]) for word in words]
        harm = self.choice(({}, {}, {-1: ""}, {-1: "word"}, {-1: lines[-1].rpartition(" ")[0] + " 1,5"}))
        lines = [harm.get(number - len(lines), line) for number, line in enumerate(lines)]
        path = self.folder / "w\u00f6rter 1.txt"
        path.write_bytes(("\n".join(lines) + self.choice(("", "\n"))).encode() * (self.rng.random() < 0.9))
        return self.choice((path, str(path)))

    def checkpoint(self, described: str) -> dict[str, np.ndarray]:
        parts = ("self.query", "self.key", "self.value", "output.dense", "output.LayerNorm", "other")
        names = itertools.product(range(self.size("layers")), parts, ("weight", "bias"))
        return {f"encoder.layer.{at}.attention.{part}.{end}": self.numbers((2, 2)) for at, part, end in names}

    def layer(self, described: str) -> int:
        return self.whole(0, self.size("layers"))


# Calls that take more than plain data -------------------------------------------------------------------------


def words_appended(cache: type, draw: DrawnArguments) -> list:
    kept, results = cache(), []
    for draw.sizes["m"] in (2, 1, 1, 4):
        results.append(kept.append(*as_tensors(draw.arguments(solution_of("KeyValueCache").append))))
    return results


def model_trained(step: Callable, draw: DrawnArguments) -> list:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Embedding(5, 4), nn.Linear(4, 5)).double()
    optimizer = draw.choice((torch.optim.SGD, torch.optim.AdamW))(model.parameters(), lr=0.1)
    draw.sizes["c"] = 5
    losses = [step(model, optimizer, torch.from_numpy(draw.tokens("(b, n)")), 0.1) for _ in range(4)]
    return [losses, *(parameter.detach() for parameter in model.parameters())]


def model_fitted(train: Callable, draw: DrawnArguments) -> list:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Embedding(5, 4), nn.Linear(4, 5)).double()
    draw.sizes["c"] = 5
    batches = [torch.from_numpy(draw.tokens("(b, n)")) for _ in range(9)]
    losses = train(model, batches, 8, 0.1, draw.whole(1, 7), 1e3)
    return [losses, *(parameter.detach() for parameter in model.parameters())]


def sentences_learned(translator: type, draw: DrawnArguments) -> list:
    torch.manual_seed(0)
    model, (sources, targets) = translator(6, 7, 5).double(), torch.from_numpy(draw.rng.integers(0, 6, (2, 5, 4)))
    losses = model.learn(sources, targets, range(4), 0.5)
    return [losses, *(parameter.detach() for parameter in model.parameters()), model.translate(sources, 5)]


def shares_drawn(sample: Callable, draw: DrawnArguments) -> torch.Tensor:
    """Return the share of each token in many draws."""
    logits, temperature = torch.from_numpy(draw.rng.normal(size=5)), draw.choice((0.5, 1.0, 3.0))
    drawn = sample(logits.expand(20_000, 5), temperature, draw.choice((None, 1, 3)), torch.Generator().manual_seed(1))
    return (drawn.bincount(minlength=5) / 20_000).double()


PLAYED = {
    "KeyValueCache": words_appended,
    "Translator": sentences_learned,
    "train_step": model_trained,
    "train": model_fitted,
    "sample": shares_drawn,
}


# Comparing ----------------------------------------------------------------------------------------------------


def as_tensors(value: object, dtype: torch.dtype | None = None) -> object:
    """Return the value with tensors instead of arrays, at any depth. Floats get this dtype, by default float64."""
    dtype = dtype or torch.float64
    if isinstance(value, (list, tuple)):
        return type(value)(as_tensors(part, dtype) for part in value)
    if isinstance(value, dict):
        return {name: as_tensors(part, dtype) for name, part in value.items()}
    tensor = torch.from_numpy(value) if isinstance(value, np.ndarray) else value
    return tensor.to(dtype) if isinstance(tensor, torch.Tensor) and tensor.is_floating_point() else tensor


def as_learners_write(draw: DrawnArguments, value: object) -> object:
    """Return an array in one of the forms that an array_like may have."""
    is_mask = not isinstance(value, np.ndarray) or value.dtype == bool
    return value if is_mask else draw.choice(FORMS[: 4 if value.dtype == float else 3])(value)


def outcome(function: Callable, *arguments: object) -> object:
    try:
        result = function(*arguments)
    except (KeyError, ValueError) as error:
        return type(error)
    return seen(result, arguments[-1]) if isinstance(result, plt.Axes) else result


def seen(ax: plt.Axes, told: plt.Axes | None) -> dict:
    """Return the content of the drawn Axes as the oracle returns it. `told`: the Axes in the arguments, if any."""
    picture = describe_result(ax).parts
    assert picture["title"] and picture["colour_bar"]
    shown = {side: picture[side] for side in ("x_label", "y_label", "x_ticks", "y_ticks")}
    return {"values": picture["drawn"]["values"], "is_where_it_was_told": told in (None, ax), **shown}


def assert_same(got: object, expected: object, tolerance: float, place: str) -> None:
    """Assert that two results are equal in form (such as a float, a pair, a dtype) and in value."""
    if isinstance(expected, (list, tuple, dict)):
        assert type(got) is type(expected) and len(got) == len(expected), place
        keys = range(len(expected)) if not isinstance(expected, dict) else expected
        for key in keys:
            assert_same(got[key], expected[key], tolerance, f"{place}, {key}")
    elif isinstance(expected, (torch.Tensor, np.ndarray)):
        is_plain = isinstance(expected, torch.Tensor) and expected.ndim == 0 and not isinstance(got, torch.Tensor)
        assert type(got) is float if is_plain else isinstance(got, (torch.Tensor, np.ndarray)), place
        results, wanted = (
            np.asarray(each.detach() if isinstance(each, torch.Tensor) else each) for each in (got, expected)
        )
        assert (results.shape, results.dtype) == (wanted.shape, wanted.dtype), place
        least = tolerance * (0 if wanted.dtype == bool else 1 + float(np.abs(wanted).max(initial=0)))
        np.testing.assert_allclose(results, wanted, tolerance, least, err_msg=place)
    else:
        assert got == (pytest.approx(expected, rel=1e-9) if isinstance(expected, float) else expected), place


def gradients(function: Callable, arguments: list, leaves: list[torch.Tensor]) -> list[torch.Tensor]:
    """Return the gradient of the weighted sum of a call's results with respect to each leaf."""
    results = function(*arguments)
    results = [
        each for each in (results if isinstance(results, tuple) else (results,)) if isinstance(each, torch.Tensor)
    ]
    loss = sum((each * torch.linspace(-1, 2, each.numel()).reshape(each.shape)).sum() for each in results)
    return torch.autograd.grad(loss, leaves, allow_unused=True, materialize_grads=True)


def made(solution: Callable, draw: DrawnArguments) -> Callable:
    """Return the solution itself or, if it is a class, an instance with weights that keep scores moderate."""
    if not inspect.isclass(solution):
        return solution
    module = solution(*draw.arguments(solution)).double()
    for parameter in module.parameters():
        parameter.data = torch.from_numpy(draw.numbers(tuple(parameter.shape)) / (8 * draw.scale))
    module.num_heads = draw.sizes["num_heads"]  # Some oracles read it.
    return module


def compared(exercise: Exercise, oracle: Callable, new_draw: Callable) -> Iterator[tuple]:
    """Yield (result, expected, tolerance) for a call, its arguments afterwards, its gradients, a call in float32."""
    solution, draw = solution_of(exercise.name), new_draw()
    if play := PLAYED.get(exercise.name):
        yield play(solution, draw), play(oracle, new_draw()), 0.05 if exercise.name == "sample" else 1e-9
        return
    call = made(solution, draw)
    is_module, in_torch = isinstance(call, nn.Module), "torch" in read_chapter(exercise.chapter).libraries
    oracle = partial(oracle, call) if is_module else oracle
    drawn = draw.arguments(call.forward if is_module else call)
    tensors, kept = as_tensors(drawn), [value for value in drawn if not isinstance(value, plt.Axes)]
    arguments = tensors if in_torch else [as_learners_write(draw, value) for value in drawn]
    before, expected = copy.deepcopy(kept), outcome(oracle, *tensors)
    yield outcome(call, *arguments), expected, 1e-9
    yield kept, before, 0
    leaves = [leaf for leaf in (*tensors, *(call.parameters() if is_module else ())) if is_float(leaf)]
    if in_torch and leaves and exercise.chapter != "backward":
        [leaf.requires_grad_() for leaf in leaves]
        yield *(gradients(function, tensors, leaves) for function in (call, oracle)), 1e-8
    if in_torch and leaves and draw.scale < 8:
        in_float32 = (call.float() if is_module else call)(*as_tensors(drawn, torch.float32))
        yield in_float32, as_tensors(expected, torch.float32), 1e-4


def is_float(value: object) -> bool:
    return isinstance(value, torch.Tensor) and value.is_floating_point()


@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES)
def test_the_oracle_agrees(exercise, tmp_path):
    """After all calls, no argument may have changed, and no result may share memory with a later one."""
    oracle = getattr(oracles, exercise.name, None)
    assert oracle, f"tests/support/oracles.py has no {exercise.name}: what does it come to by other means?"
    seeds = range(3 if exercise.name in PLAYED else CALLS)
    new_draws = [partial(DrawnArguments, exercise, tmp_path, seed) for seed in seeds]
    made = [found for new_draw in new_draws for found in compared(exercise, oracle, new_draw)]
    for number, (got, expected, tolerance) in enumerate(made):
        assert_same(got, expected, tolerance, f"{exercise.name}, {number}")


def test_every_sign_of_unicode_is_sorted_as_the_text_says():
    """The test leaves out planes 2 to 13 (only ideographs or nothing), 15 and 16 (private use)."""
    for first in (*range(0, 0x20000, 4096), 0xE0000):
        sentence = "".join(f"a{chr(code)}b " for code in range(first, first + 4096))
        assert solution_of("tokenize")(sentence) == oracles.tokenize(sentence), hex(first)


# The contract -------------------------------------------------------------------------------------------------

# Graders and notebooks outside this repository call these names with these parameters.
SIGNATURES = """
single_dot_attention_score(dec_hidden_state, enc_hidden_state)
dot_attention_score(dec_hidden_state, annotations)
normalize_by_sum(scores)
softmax(scores)
apply_attention_scores(attention_weights, annotations)
calculate_attention_vector(applied_attention)
attend(dec_hidden_state, annotations)
attention_scores(queries, keys)
batched_softmax(x, axis=-1)
context_vectors(attention_weights, values)
simple_self_attention(inputs)
causal_mask(n)
padding_mask(lengths, max_length)
scaled_dot_product_attention(query, key, value, mask=None)
tokenize(sentence)
sentence_embed(sentence, embed_dict)
load_glove_embeddings(glove_file)
get_glove_embeddings(vocab, glove_embeddings, embed_dim)
embed_sentence(sentence, embeddings)
plot_attention(query_tokens, key_tokens, attn_matrix, ax=None)
project_qkv(inp, wq, wk, wv)
dot_attention(inp, wq, wk, wv)
DotProductAttention() forward(queries, keys, values, mask=None)
SelfAttention(d_in, d_k) forward(inp)
TrainableAttention(num_in_features=300, num_out_features=256) forward(queries, keys, values)
additive_scores(queries, keys, ws)
AdditiveAttention(num_in_features=300, num_out_features=256) forward(queries, keys, values)
split_heads(x, num_heads)
merge_heads(x)
ConcatMultiHeadAttention(d_in, d_k, num_heads) forward(inp)
MultiHeadAttention(d_model, num_heads) forward(queries, keys, values, mask=None)
sinusoidal_positions(n, d)
rotate(x, positions, base=10000.0)
softmax_backward(weights, grad)
attention_backward(q, k, v, grad_output)
KeyValueCache() append(k, v)
GroupedQueryAttention(d_model, num_heads, num_kv_heads) forward(queries, keys, values, mask=None)
sliding_window_mask(n, window)
online_softmax_attention(q, k, v, block_size)
linear_attention(queries, keys, values, state=None)
shift_right(targets, start)
cross_attention(queries, keys, values)
Translator(source_size, target_size, d_model=32) learn(sources, targets, steps, learning_rate=1.0) \
translate(sources, length)
TransformerBlock(d_model, num_heads) forward(x, mask=None, cache=None, start=0)
next_token_loss(logits, tokens, mask=None)
train_step(model, optimizer, tokens, max_norm=1.0)
sample(logits, temperature=1.0, top_k=None, generator=None)
SelfAttentionBlock(d_model, num_heads) forward(x, is_word)
block_state(checkpoint, layer)
rank_by_similarity(query, sentences)
"""


def test_names_and_parameters_are_unchanged():
    results = set()
    for name in EXERCISES:
        thing = solution_of(name)
        methods = {method: vars(thing)[method] for method in vars(thing) if method.isidentifier() and method[0] != "_"}
        made = str(inspect.signature(thing)).replace("(*args: Any, **kwargs: Any) -> None", "()")
        own = [f" {method}{inspect.signature(each)}" for method, each in methods.items() if inspect.isclass(thing)]
        results.add(name + made + "".join(own).replace("(self, ", "("))
    assert not set(SIGNATURES.split("\n")[1:-1]) - results  # Additional signatures are allowed.


@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES)
def test_the_examples_of_the_text_run(exercise):
    space = vars(load_solution(exercise.chapter))
    results = doctest.DocTestFinder(recurse=True).find(space[exercise.name], exercise.name, module=False, globs=space)
    runner, messages = doctest.DocTestRunner(), []
    for test in results:
        runner.run(test, out=messages.append)
    assert runner.tries > 0
    assert runner.failures == 0, "".join(messages)

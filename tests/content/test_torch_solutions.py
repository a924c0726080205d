"""The solutions of Unit 3 agree with a slow reference and with torch's own modules, and train as modules should.

A new exercise needs a line in `EXERCISES` and a function in `slow_torch`.
"""

import math
from dataclasses import dataclass, field
from itertools import product

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn
from torch.nn import functional

from autograder.chapters.chapter import read_chapter
from support import slow_torch
from support.grading import solution_module

CHAPTERS = ("qkv", "additive", "multi_head")
SOLUTIONS = {
    exercise.name: getattr(solution_module(name), exercise.name)
    for name in CHAPTERS
    for exercise in read_chapter(name).exercises
}
STEADY = settings(max_examples=30, derandomize=True, deadline=None, database=None)
FEWER = settings(STEADY, max_examples=10)


@dataclass
class Exercise:
    """What an exercise is given, in letters for sizes; the dots are batch axes, D is h times d.

    Attributes
    ----------
    tensors : str
        The shapes of its arguments, or of those of `forward`.
    made_with : str or None
        The sizes that a class is made with; None for a function.
    parameters : dict
        Name -> shape; a star stands for the number of each head.
    number : str
        A size that is the last argument.
    mask : str
        The shape that a mask is stretched to.
    """

    tensors: str
    made_with: str | None = None
    parameters: dict = field(default_factory=dict)
    number: str = ""
    mask: str = ""


def linear(d_in, d_out, *names):
    shapes = {"weight": f"{d_out} {d_in}", "bias": d_out}
    return {f"{name}.{part}": shape for name in names for part, shape in shapes.items()}


EXERCISES = {
    "project_qkv": Exercise("... n i, i d, i d, i d"),
    "dot_attention": Exercise("... n i, i d, i d, i d"),
    "DotProductAttention": Exercise("... q d, ... k d, ... k v", "", mask="... q k"),
    "SelfAttention": Exercise("... n i", "i d", {"wq": "i d", "wk": "i d", "wv": "i d"}),
    "TrainableAttention": Exercise("... q i, ... k i, ... k i", "i d", linear("i", "d", "Wq", "Wk", "Wv")),
    "additive_scores": Exercise("... q d, ... k d, d"),
    "AdditiveAttention": Exercise(
        "... q i, ... k i, ... k v", "i d", linear("i", "d", "Wq", "Wk") | linear("d", "1", "Ws")
    ),
    "split_heads": Exercise("... n D", number="h"),
    "merge_heads": Exercise("... h n d"),
    "ConcatMultiHeadAttention": Exercise(
        "... n i", "i d h", {f"heads.*.{name}": "i d" for name in ("wq", "wk", "wv")} | {"out": "D d"}
    ),
    "MultiHeadAttention": Exercise(
        "... q D, ... k D, ... k D", "D h", linear("D", "D", "Wq", "Wk", "Wv", "Wo"), mask="... h q k"
    ),
}
MODULES = [name for name, exercise in EXERCISES.items() if exercise.made_with is not None]
TRAINED = [name for name in MODULES if EXERCISES[name].parameters]
MASKED = [name for name, exercise in EXERCISES.items() if exercise.mask]


class Case:
    """One exercise with sizes and numbers: the function, or an instance of the class, and its arguments."""

    def __init__(self, name, sizes, batch, rng, dtype=torch.float64, scale=1.0):
        self.name, self.exercise = name, EXERCISES[name]
        self.sizes, self.batch, self.rng, self.dtype = sizes | {"D": sizes["h"] * sizes["d"]}, batch, rng, dtype
        self.arguments = [scale * self.numbers(self.shape(text)) for text in self.exercise.tensors.split(",")]
        if self.exercise.number:
            self.arguments.append(self.sizes[self.exercise.number])
        self.called, self.state = SOLUTIONS[name], {}
        if name in MODULES:
            self.called = self.make()
            self.state = {name: self.numbers(shape) for name, shape in self.parameter_shapes().items()}
            self.called.load_state_dict(self.state)

    def make(self):
        return SOLUTIONS[self.name](*(self.sizes[size] for size in self.exercise.made_with.split())).to(self.dtype)

    def shape(self, text):
        sides = [self.batch if size == "..." else (int(self.sizes.get(size, size)),) for size in text.split()]
        return sum(sides, ())

    def parameter_shapes(self):
        shapes = {}
        for name, text in self.exercise.parameters.items():
            heads = range(self.sizes["h"]) if "*" in name else "*"
            shapes |= {name.replace("*", str(head)): self.shape(text) for head in heads}
        return shapes

    def numbers(self, shape):
        """Random numbers; the tensor is laid out in memory as it comes, or backwards."""
        numbers = torch.from_numpy(self.rng.normal(size=shape[::-1])).to(self.dtype)
        numbers = numbers.permute(*reversed(range(len(shape))))
        return numbers if self.rng.random() < 0.5 else numbers.contiguous()

    def __call__(self, *changed):
        """The results as a tuple of tensors."""
        return as_tuple(self.called(*(changed or self.arguments)))

    def slowly(self):
        arguments = [plain(argument) for argument in self.arguments]
        if self.name in MODULES:
            state = {name: plain(numbers) for name, numbers in self.state.items()}
            arguments = [state, *([self.sizes["h"]] if self.name == "MultiHeadAttention" else []), *arguments]
        return as_tuple(getattr(slow_torch, self.name)(*arguments))


def as_tuple(results):
    return results if isinstance(results, tuple) else (results,)


def plain(argument):
    return argument.tolist() if isinstance(argument, torch.Tensor) else argument


generators = st.integers(0, 2**32 - 1).map(np.random.default_rng)


@st.composite
def cases(draw, name, largest=4, batch_axes=2, scales=(0.1, 1, 8), dtype=torch.float64):
    """Hypothesis chooses sizes, scale and mask; numbers of its own choice would be zero as a rule, and alike."""
    sizes = {letter: draw(st.integers(1, largest)) for letter in "nqkivdh"}
    batch = tuple(draw(st.lists(st.integers(1, 3), max_size=batch_axes)))
    case = Case(name, sizes, batch, draw(generators), dtype, draw(st.sampled_from(scales)))
    if EXERCISES[name].mask:
        shape = case.shape(EXERCISES[name].mask)
        shape = [draw(st.sampled_from((1, length))) for length in shape[draw(st.integers(0, len(shape))) :]]
        mask = torch.from_numpy(np.asarray(case.rng.random(shape) < draw(st.sampled_from((0.3, 0.8)))))
        case.arguments += draw(st.sampled_from(([], [None], [mask], [mask])))
    return case


def copies(case):
    tensors = [*case.arguments, *case.state.values()]
    return [tensor.clone() if isinstance(tensor, torch.Tensor) else tensor for tensor in tensors]


def assert_equal(got, expected):
    assert len(got) == len(expected)
    for one, other in zip(got, expected, strict=True):
        assert torch.equal(one, other) if isinstance(one, torch.Tensor) else one == other


def assert_close(got, expected, tolerance):
    assert len(got) == len(expected)
    for ours, theirs in zip(got, expected, strict=True):
        ours, theirs = ours.detach(), theirs.detach()
        assert ours.shape == theirs.shape
        assert ours.dtype == theirs.dtype
        least = tolerance * float(theirs.abs().max())
        torch.testing.assert_close(ours, theirs, rtol=tolerance, atol=least)


# Beside others ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EXERCISES)
@STEADY
@given(data=st.data())
def test_the_slow_reference_agrees(name, data):
    """And inputs and weights stay, two calls agree, and a result holds when other calls follow."""
    case = data.draw(cases(name))
    before = copies(case)
    got, others = case(), data.draw(cases(name))()
    held = [result.clone() for result in got]
    assert others
    again = case()
    assert_equal(copies(case), before)
    assert_equal(got, held)
    assert_equal(again, held)
    expected = [torch.tensor(np.array(result, dtype=float)) for result in case.slowly()]
    assert_close(got, expected, 1e-9)


@pytest.mark.parametrize("name", EXERCISES)
@FEWER
@given(data=st.data())
def test_float32_stays_float32(name, data):
    case = data.draw(cases(name, scales=(0.5, 1), dtype=torch.float32))
    expected = [torch.tensor(np.array(result, dtype=np.float32)) for result in case.slowly()]
    assert_close(case(), expected, 1e-4)


def attention(queries, keys, values, mask=None):
    if mask is not None:
        mask = mask.broadcast_to(*queries.shape[:-1], keys.shape[-2])
    return functional.scaled_dot_product_attention(queries, keys, values, mask)


def by_projections(case):
    inp, *weights = case.arguments
    return tuple(functional.linear(inp, weight.mT) for weight in weights or case.called.parameters())


def by_linear_layers(case):
    layers = []
    for name in ("Wq", "Wk", "Wv"):
        layers.append(nn.Linear(case.sizes["i"], case.sizes["d"]).double())
        layers[-1].load_state_dict({part: case.state[f"{name}.{part}"] for part in ("weight", "bias")})
    return [layer(tensor) for layer, tensor in zip(layers, case.arguments, strict=True)]


def by_single_heads(case):
    """One `SelfAttention` after the other; `out` is the weight of a linear layer without bias."""
    outputs = []
    for head in range(case.sizes["h"]):
        single = SOLUTIONS["SelfAttention"](case.sizes["i"], case.sizes["d"]).double()
        single.load_state_dict({name: case.state[f"heads.{head}.{name}"] for name in ("wq", "wk", "wv")})
        outputs.append(single(*case.arguments)[0])
    return functional.linear(torch.cat(outputs, dim=-1), case.state["out"].mT)


def pairs_by_broadcasting(case):
    """The scores of all pairs, each query and each key written out in full."""
    queries, keys = case.called.Wq(case.arguments[0]), case.called.Wk(case.arguments[1])
    n_q, n_k = queries.shape[-2], keys.shape[-2]
    pairs = queries.repeat_interleave(n_k, dim=-2) + torch.cat([keys] * n_q, dim=-2)
    scores = case.called.Ws(torch.tanh(pairs)).reshape(*case.batch, n_q, n_k)
    return scores.softmax(-1) @ case.arguments[2]


IN_TORCH = {  # each gives the first result, but for the three projections
    "project_qkv": by_projections,
    "dot_attention": lambda case: attention(*by_projections(case)),
    "DotProductAttention": lambda case: attention(*case.arguments),
    "SelfAttention": lambda case: attention(*by_projections(case)),
    "TrainableAttention": lambda case: attention(*by_linear_layers(case)),
    "AdditiveAttention": pairs_by_broadcasting,
    "split_heads": lambda case: torch.stack(case.arguments[0].chunk(case.arguments[1], dim=-1), dim=-3),
    "merge_heads": lambda case: torch.cat(case.arguments[0].unbind(dim=-3), dim=-1),
    "ConcatMultiHeadAttention": by_single_heads,
}


@pytest.mark.parametrize("name", IN_TORCH)
@STEADY
@given(data=st.data())
def test_torch_agrees(name, data):
    case = data.draw(cases(name))
    expected = as_tuple(IN_TORCH[name](case))
    assert_close(case()[: len(expected)], expected, 1e-9)


def torch_multihead(case):
    """The same by `nn.MultiheadAttention`, which takes a batch of one axis and masks of the opposite sign."""
    queries, keys, values, *mask = case.arguments
    theirs = nn.MultiheadAttention(case.sizes["D"], case.sizes["h"], batch_first=True).double()
    three = ("Wq", "Wk", "Wv")
    theirs.load_state_dict(
        {
            "in_proj_weight": torch.cat([case.state[f"{name}.weight"] for name in three]),
            "in_proj_bias": torch.cat([case.state[f"{name}.bias"] for name in three]),
            "out_proj.weight": case.state["Wo.weight"],
            "out_proj.bias": case.state["Wo.bias"],
        }
    )
    hidden, shape = None, case.shape("... h q k")
    if mask and mask[0] is not None:
        hidden = ~mask[0].broadcast_to(shape).reshape(-1, *shape[-2:])
    flat = [tensor.reshape(-1, *tensor.shape[-2:]) for tensor in (queries, keys, values)]
    output, weights = theirs(*flat, attn_mask=hidden, average_attn_weights=False)
    return output.reshape(queries.shape), weights.reshape(shape)


@STEADY
@given(cases("MultiHeadAttention"))
def test_torch_multihead_attention_agrees(case):
    """Where a query may attend to nothing torch gives NaN, and the text promises weights of 0 in that head."""
    output, weights = case()
    their_output, their_weights = torch_multihead(case)
    nothing = their_weights.isnan().any(dim=-1)  # (..., h, n_q)
    assert_close([weights], [their_weights.nan_to_num(0.0)], 1e-9)
    assert (weights[nothing] == 0).all()
    in_any_head = nothing.any(dim=-2)
    if not in_any_head.all():
        assert_close([output[~in_any_head]], [their_output[~in_any_head]], 1e-9)
    in_all_heads = nothing.all(dim=-2)
    assert_equal([output[in_all_heads]], [case.state["Wo.bias"].expand(int(in_all_heads.sum()), -1)])


# Masks --------------------------------------------------------------------------------------------------------

SIZES = {"n": 4, "q": 4, "k": 5, "i": 3, "v": 7, "d": 3, "h": 3}


def mask_shapes(shape):
    """Every shape that broadcasts to this one."""
    for axes in range(len(shape) + 1):
        yield from product(*({1, length} for length in shape[len(shape) - axes :]))


@pytest.mark.parametrize("name", MASKED)
def test_every_shape_of_mask_is_stretched(name):
    case = Case(name, SIZES, (2,), np.random.default_rng(4))
    full, shapes = case.shape(case.exercise.mask), set()
    for shape in mask_shapes(full):
        mask = torch.from_numpy(np.asarray(case.rng.random(shape) < 0.6))
        assert_equal(case(*case.arguments, mask), case(*case.arguments, mask.expand(full)))
        shapes.add(shape)
    assert len(shapes) == 2 ** (len(full) + 1) - 1


@pytest.mark.parametrize("name", MASKED)
@FEWER
@given(data=st.data())
def test_what_is_hidden_does_not_matter(name, data):
    """Not even when it is enormous: it changes no weight, no output and no gradient."""
    case = data.draw(cases(name, scales=(1,)))
    queries, keys, values = case.arguments[:3]
    shape = case.shape(case.exercise.mask)
    hidden = data.draw(st.integers(0, shape[-1] - 1))
    mask = torch.ones(shape, dtype=torch.bool)
    mask[..., hidden] = False
    results = []
    for factor in (1.0, -1e4):
        factors = torch.ones(shape[-1], 1, dtype=case.dtype)
        factors[hidden] = factor
        asking = queries.clone().requires_grad_()
        output, weights = case(asking, keys * factors, values * factors, mask)
        assert (weights[..., hidden] == 0).all()
        results.append((output, weights, *torch.autograd.grad(output.square().sum(), asking)))
    assert_close(results[0], results[1], 1e-12)


@pytest.mark.parametrize("name", MASKED)
def test_a_row_that_may_attend_to_nothing(name):
    case = Case(name, SIZES, (2,), np.random.default_rng(5))
    mask = torch.ones(case.shape(case.exercise.mask), dtype=torch.bool)
    mask[..., 1, :] = False
    output, weights = case(*case.arguments, mask)
    assert (weights[..., 1, :] == 0).all()
    nothing = case.state.get("Wo.bias", torch.zeros(SIZES["v"], dtype=torch.float64))
    assert_equal([output[..., 1, :]], [nothing.expand(2, -1)])
    assert_close([weights[..., [0, 2, 3], :].sum(-1)], [torch.ones(weights[..., [0, 2, 3], 0].shape).double()], 1e-12)
    for tensor in case.arguments:
        tensor.requires_grad_()
    for gradient in torch.autograd.grad(case(*case.arguments, mask)[0].sum(), case.arguments):
        assert gradient.isfinite().all()


@pytest.mark.parametrize("name", MASKED)
def test_the_only_key_in_sight_gets_all_the_weight_however_low_its_score(name):
    case = Case(name, SIZES | {"k": 2}, (2,), np.random.default_rng(7), scale=1e4)
    _, weights = case(*case.arguments, torch.tensor([False, True]))
    assert_equal(
        [weights[..., 0], weights[..., 1]], [torch.zeros_like(weights[..., 0]), torch.ones_like(weights[..., 1])]
    )


@pytest.mark.parametrize("name", MASKED)
def test_a_mask_can_be_named(name):
    case = Case(name, SIZES, (), np.random.default_rng(6))
    mask = torch.ones(SIZES["q"], SIZES["k"], dtype=torch.bool).tril()
    assert_equal(case.called(*case.arguments, mask=mask), case(*case.arguments, mask))
    assert_equal(case.called(*case.arguments, mask=None), case())


# Gradients ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EXERCISES)
@settings(STEADY, max_examples=8)
@given(data=st.data())
def test_gradients_reach_all_arguments_and_parameters(name, data):
    """Numbers a little to either side tell what each gradient has to be."""
    case = data.draw(cases(name, largest=2, batch_axes=1, scales=(1,)))
    tensors = [each for each in case.arguments if isinstance(each, torch.Tensor) and each.is_floating_point()]
    rest, names = case.arguments[len(tensors) :], list(case.state)

    def function(*leaves):
        arguments = (*leaves[: len(tensors)], *rest)
        if not names:
            return case.called(*arguments)
        return torch.func.functional_call(case.called, dict(zip(names, leaves[len(tensors) :], strict=True)), arguments)

    leaves = [leaf.detach().clone().requires_grad_() for leaf in (*tensors, *case.state.values())]
    assert all(result.requires_grad for result in as_tuple(function(*leaves)))  # gradcheck skips those that do not
    assert torch.autograd.gradcheck(function, leaves, fast_mode=True)  # along a random direction


# A shift of all scores of a query alike changes no weight.
UNMOVED = {"TrainableAttention": {"Wk.bias"}, "MultiHeadAttention": {"Wk.bias"}, "AdditiveAttention": {"Ws.bias"}}


@pytest.mark.parametrize("name", TRAINED)
def test_a_step_of_training_changes_every_parameter_that_matters(name):
    case = Case(name, SIZES, (2,), np.random.default_rng(7))
    optimizer = torch.optim.SGD(case.called.parameters(), lr=0.1)
    before = {name: parameter.detach().clone() for name, parameter in case.called.named_parameters()}
    case()[0].square().sum().backward()
    optimizer.step()
    same = {name for name, parameter in case.called.named_parameters() if torch.allclose(parameter, before[name])}
    assert same == UNMOVED.get(name, set())


# Modules ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MODULES)
@FEWER
@given(data=st.data())
def test_parameters_are_those_of_the_text(name, data):
    """Under these names, of these shapes, each a tensor of its own, and no call makes a new one."""
    case = data.draw(cases(name))
    assert isinstance(case.called, nn.Module)
    parameters = dict(case.called.named_parameters())
    assert {name: tuple(parameter.shape) for name, parameter in parameters.items()} == case.parameter_shapes()
    assert all(parameter.requires_grad for parameter in parameters.values())
    assert not list(case.called.buffers())
    case()
    after = dict(case.called.named_parameters())
    assert list(after) == list(parameters)
    assert all(after[name] is parameter for name, parameter in parameters.items())


@pytest.mark.parametrize("name", MODULES)
def test_a_saved_state_brings_the_same_results(name):
    case = Case(name, SIZES, (2,), np.random.default_rng(8))
    expected = case()
    other = case.make()
    if case.state:
        assert not all(map(torch.equal, other(*case.arguments), expected))
    assert list(case.called.state_dict()) == list(other.state_dict())
    other.load_state_dict(case.called.state_dict())
    assert_equal(other(*case.arguments), expected)
    assert_equal(other.train()(*case.arguments), other.eval()(*case.arguments))


@pytest.mark.parametrize("name", TRAINED)
def test_new_weights_differ_and_are_of_a_good_size(name):
    """Random, no two alike, and such that tokens keep about their length: training can begin."""
    torch.manual_seed(0)
    case = Case(name, {"h": 4, "d": 16, "i": 64} | dict.fromkeys("nqkv", 8), (), np.random.default_rng(9))
    weights = [weight for weight in case.make().state_dict().values() if weight.dim() == 2]
    for number, weight in enumerate(weights):
        assert 0 < float(weight.abs().max()) * math.sqrt(max(weight.shape)) < 10
        assert not any(torch.equal(weight, other) for other in weights[:number])
        assert float(weight.min()) < 0 < float(weight.max())


@pytest.mark.parametrize("name", ["TrainableAttention", "AdditiveAttention"])
def test_the_default_widths(name):
    layer = SOLUTIONS[name]()
    tokens = torch.ones(2, 300)
    assert layer.Wq.weight.shape == layer.Wk.weight.shape == (256, 300)
    output, weights = layer(tokens, tokens, tokens)
    assert output.shape == (2, 256 if name == "TrainableAttention" else 300)
    assert weights.shape == (2, 2)


def test_linear_layers_are_linear_layers():
    layers = [SOLUTIONS["TrainableAttention"](3, 4), SOLUTIONS["AdditiveAttention"](3, 4)]
    layers.append(SOLUTIONS["MultiHeadAttention"](4, 2))
    for layer, names in zip(layers, (("Wq", "Wk", "Wv"), ("Wq", "Wk", "Ws"), ("Wq", "Wk", "Wv", "Wo")), strict=True):
        assert all(type(getattr(layer, name)) is nn.Linear for name in names)
    concat = SOLUTIONS["ConcatMultiHeadAttention"](3, 4, 2)
    assert type(concat.heads) is nn.ModuleList
    assert isinstance(concat.out, nn.Parameter)


# Heads --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("d", range(1, 13))
def test_heads_that_do_not_divide_the_width_are_refused(d):
    x = torch.zeros(2, 3, d)
    for heads in range(1, 15):
        if d % heads:
            with pytest.raises(ValueError, match=f"{heads} heads do not divide the width {d}"):
                SOLUTIONS["split_heads"](x, heads)
            with pytest.raises(ValueError, match=f"{heads} heads do not divide the width {d}"):
                SOLUTIONS["MultiHeadAttention"](d, heads)
        else:
            assert SOLUTIONS["split_heads"](x, heads).shape == (2, heads, 3, d // heads)
            assert SOLUTIONS["MultiHeadAttention"](d, heads)(x, x, x)[1].shape == (2, heads, 3, 3)


@STEADY
@given(cases("split_heads"))
def test_merging_undoes_splitting(case):
    (heads,) = case()
    assert torch.equal(SOLUTIONS["merge_heads"](heads), case.arguments[0])
    split_again = SOLUTIONS["split_heads"](SOLUTIONS["merge_heads"](heads), case.arguments[1])
    assert torch.equal(split_again, heads)


@FEWER
@given(cases("MultiHeadAttention"))
def test_one_head_is_plain_attention_between_projections(case):
    case = Case("MultiHeadAttention", case.sizes | {"h": 1}, case.batch, case.rng)
    layer, inner = case.called, SOLUTIONS["DotProductAttention"]()
    queries, keys, values = case.arguments
    output, weights = inner(layer.Wq(queries), layer.Wk(keys), layer.Wv(values))
    assert_close(case(), [layer.Wo(output), weights.unsqueeze(-3)], 1e-12)


# The chapters -------------------------------------------------------------------------------------------------


def test_every_exercise_has_a_slow_reference():
    assert set(EXERCISES) == set(SOLUTIONS)
    assert all(hasattr(slow_torch, name) for name in SOLUTIONS)

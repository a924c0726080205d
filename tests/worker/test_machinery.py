"""Classes, tensors, pictures and files: how they are driven, described and judged.

Most tests drive a small trusted module through `LocalSession`, which uses the runner and the wire of a real worker; the
last ones start real workers.
"""

import importlib
import locale
import os
import re
import types

import numpy as np
import pytest

from autograder.boundary.channel import WorkerEnded, close_zygotes
from autograder.boundary.session import AnswerRefused, Session
from autograder.chapters.answers import Task, parse_script
from autograder.chapters.chapter import read_chapter
from autograder.judging.ask.answer import Answer, Instance, Solution
from autograder.judging.run.kit_code import open_solution_session
from autograder.judging.values.compare import Mismatch, parts, require_equal
from autograder.judging.values.show import format_value
from autograder.suite import Harness, NewAxes, Stream, TextFile
from autograder.suite.modules import tensor
from autograder.worker import wire
from autograder.worker.inputs import is_unchanged, materialize, remove_files
from autograder.worker.values import Described, Omitted, Opaque, Tensor
from support.grading import catch_finding
from support.late import LazyModule
from support.local import LocalSession
from support.wire import send_across

torch = LazyModule("torch")

# Tensors on the wire ------------------------------------------------------------------------------------------


def test_tensors_arrive_as_arrays_of_their_dtype():
    for dtype in ("bool", "uint8", "int64", "float16", "float32", "float64", "complex128"):
        numbers = torch.arange(6).reshape(1, 2, 3).to(getattr(torch, dtype))
        got = send_across(send_across(numbers))
        assert type(got) is Tensor and got.requires_grad is False
        np.testing.assert_array_equal(got.array, numbers.numpy(), strict=True)


def test_dtypes_without_a_numpy_counterpart_arrive_as_numbers():
    half = torch.tensor([1.5, -2.0, 3e38], dtype=torch.bfloat16)
    np.testing.assert_array_equal(send_across(half).array, half.float().numpy(), strict=True)
    turned = torch.tensor([1 + 2j, 3 - 1j]).conj()
    np.testing.assert_array_equal(send_across(turned).array, np.array([1 - 2j, 3 + 1j], np.complex64))
    np.testing.assert_array_equal(send_across(turned.imag).array, np.array([-2.0, 1.0], np.float32))
    backwards = torch.arange(6.0).reshape(2, 3).mT
    np.testing.assert_array_equal(send_across(backwards).array, [[0, 3], [1, 4], [2, 5]])


def test_requires_grad_is_sent():
    leaf = torch.ones(2, requires_grad=True)
    assert send_across(leaf).requires_grad is True
    assert send_across(2 * leaf).requires_grad is True
    assert send_across(leaf.detach()).requires_grad is False
    parameter = send_across({"weight": (torch.nn.Parameter(torch.zeros(1)),)})["weight"][0]
    assert type(parameter) is Tensor
    assert parameter.requires_grad is True


def test_exotic_tensors_are_only_named():
    for exotic in (torch.eye(3).to_sparse(), torch.ones(2, device="meta")):
        value = send_across(exotic)
        assert type(value) is Opaque
        assert value.type_name == "Tensor"
    many = wire.MAX_ARRAY_BYTES // 4 + 1
    assert send_across(torch.zeros(1, many)) == Omitted((1, many), "float32")


def test_a_tensor_of_the_answers_own_class_travels_as_a_tensor():
    class LyingTensor(torch.Tensor):
        @classmethod
        def __torch_function__(cls, function, types, args=(), kwargs=None):
            return torch.full((3,), 0.5)

    value = send_across(torch.zeros(2).as_subclass(LyingTensor))
    np.testing.assert_array_equal(value.array, np.zeros(2, np.float32), strict=True)


def test_placeholders_and_descriptions_are_unchanged_by_encoding():
    harness = send_across(Harness("draw", "generator", {"seeds": [1, 2], "logits": np.arange(3.0)}))
    assert (harness.name, harness.text, harness.settings["seeds"]) == ("draw", "generator", [1, 2])
    assert harness.settings["logits"].tolist() == [0.0, 1.0, 2.0]
    for value in (
        TextFile("glove.txt", "caf\u00e9 0.5\r\n\u2028 1\n"),
        TextFile("a b.txt", "", as_path=True),
        NewAxes(),
        Stream([0, "a"]),
    ):
        assert send_across(value) == value
    described = send_across(Described("axes", {"title": "t", "drawn": np.eye(2), "x_ticks": [(0.5, "a")]}))
    assert (described.kind, described.parts["x_ticks"]) == ("axes", [(0.5, "a")])
    np.testing.assert_array_equal(described.parts["drawn"], np.eye(2))


# Arguments ----------------------------------------------------------------------------------------------------


def test_arguments_are_fresh_tensors():
    sent = [tensor([[1.0, 2.0]]), tensor([True, False]), tensor([1], "int64", requires_grad=True)]
    numbers, mask, complete = materialize(sent)
    assert (numbers.dtype, mask.dtype, complete.dtype) == (torch.float32, torch.bool, torch.int64)
    assert not numbers.requires_grad
    assert not complete.requires_grad  # Only floating-point tensors have gradients.
    assert materialize(tensor([1.0], "float64", requires_grad=True)).requires_grad
    assert materialize(sent, requires_grad=True)[0].requires_grad
    numbers[0, 0] = 7
    assert sent[0].array[0, 0] == 1


@pytest.mark.parametrize(
    "change",
    [
        lambda x: x.add_(1),
        lambda x: x.t_(),
        lambda x: x.resize_(1),
        lambda x: x.data.zero_(),
        lambda x: x.__setitem__((0, 1), float("nan")),
    ],
)
def test_a_changed_tensor_is_seen(change):
    sent = tensor([[1.0, 2.0], [3.0, 4.0]])
    fresh = materialize(sent)
    assert is_unchanged(sent, fresh)
    assert is_unchanged(sent, fresh.requires_grad_())
    change(fresh.detach())
    same_object = materialize(sent)
    change(same_object)
    assert not is_unchanged(sent, same_object)
    assert not is_unchanged(sent, None)


def test_a_file_is_written_unchanged():
    known = locale.getpreferredencoding(False)
    given = [TextFile("words.txt", "\u00e9 1\r\nb 2\u2028\n"), TextFile("words.txt", "", as_path=True)]
    path, as_path = fresh = materialize(given)
    assert type(path) is str
    with open(path, "rb") as file:
        assert file.read() == "\u00e9 1\r\nb 2\u2028\n".encode()
    assert as_path.name == "words.txt"
    assert str(as_path) != path
    remove_files(given, fresh)
    assert not (os.path.exists(path) or as_path.exists())
    assert locale.getpreferredencoding(False) == known  # ASCII is the default only while the files exist.


# Values -------------------------------------------------------------------------------------------------------

VECTOR, TABLE = tensor([1.0, 2.0, 3.0]), tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


@pytest.mark.parametrize(
    ("got", "expected"),
    [
        (tensor([1.0, 2.0, 3.0], "float64"), VECTOR),
        (tensor([1, 2, 3], "int64"), VECTOR),
        (tensor([1.0, 2.0, 3.0], requires_grad=True), VECTOR),
        (tensor([2.0]), tensor(2.0)),
        ([VECTOR, TABLE], (VECTOR, TABLE)),
        ({"a": VECTOR}, {"a": VECTOR}),
        (tensor([True]), tensor([True])),
    ],
)
def test_equal_tensors_pass(got, expected):
    require_equal(got, expected)


@pytest.mark.parametrize(
    ("got", "expected", "rung", "sentence"),
    [
        (VECTOR.array, VECTOR, "type", "returned a NumPy array, expected a tensor"),
        ([1.0, 2.0, 3.0], VECTOR, "type", "returned 3 values, expected a tensor"),
        (1.5, VECTOR, "type", "returned 1.5, expected a tensor"),
        (Described("module", {}), VECTOR, "type", "returned an object, expected a tensor"),
        (VECTOR, VECTOR.array, "type", "returned a tensor, expected a NumPy array"),
        (VECTOR, "a", "type", "returned tensor([1, 2, 3]), expected 'a'"),
        (TABLE, parts(output=VECTOR, weights=TABLE), "type", "returned one tensor of shape (2, 3), expected 2 results"),
        (TABLE, VECTOR, "shape", "returned shape (2, 3), expected shape (3,)"),
        (VECTOR, tensor([True] * 3), "dtype", "returned float32 values, expected booleans (True and False)"),
        (tensor([1.0, 2.5, 3.0]), VECTOR, "values", "returned 2.5 at [1], expected 2"),
        ((VECTOR, TABLE.array), parts(output=VECTOR, weights=TABLE), "type",
         "returned a NumPy array for weights, expected a tensor"),
    ],
)  # fmt: skip
def test_the_first_difference_of_tensors_is_reported(got, expected, rung, sentence):
    with pytest.raises(Mismatch) as error_info:
        require_equal(got, expected)
    assert (error_info.value.kind, error_info.value.sentence) == (rung, sentence)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (tensor(1.5), "tensor(1.5)"),
        (VECTOR, "tensor([1, 2, 3])"),
        (tensor([[True], [False]]), "tensor([[True], [False]])"),
        (tensor(np.zeros((0, 3))), "an empty tensor of shape (0, 3)"),
        (tensor(np.zeros((7, 8))), "float32 tensor of shape (7, 8)"),
        (tensor(np.zeros((1, 1, 1, 1))), "float32 tensor of shape (1, 1, 1, 1)"),
        ((VECTOR, 1), "(tensor([1, 2, 3]), 1)"),
        (Omitted((5, 6), "float32"), "a float32 array of shape (5, 6), too large to inspect"),
        (Described("axes", {}), "an object"),
        (TextFile("glove.txt", "the 0.5\n"), r"'glove.txt' (which holds 'the 0.5\n')"),
        (TextFile("glove.txt", "x" * 100), f"'glove.txt' (which holds '{'x' * 80} ...')"),
        (NewAxes(), "axes"),
        (Stream([0, 1]), "iter([0, 1])"),
        (Harness("train", "model, \x1b[31moptimizer", {}), "model, \ufffd[31moptimizer"),
    ],
)
def test_values_are_shortened(value, text):
    assert format_value(value) == text


# Classes ------------------------------------------------------------------------------------------------------


layers = LazyModule("support.layers")
SHAPES = {"linear.weight": (2, 3), "linear.bias": (2,), "heads.0.weight": (1, 2), "heads.0.bias": (1,), "scale": (2,)}
X = tensor([[1.0, -2.0, 0.5], [0.25, 3.0, -1.0]])


def local():
    return LocalSession(importlib.import_module("support.layers"))


def answer(name):
    return Answer(name, local(), seconds=60)


def weights(seed=0):
    rng = np.random.default_rng(seed)
    return {name: tensor(rng.normal(size=shape)) for name, shape in SHAPES.items()}


def test_an_instance_is_made_evaluated_and_filled():
    made = answer("Layer")
    built = made.build(3, 2, weights=weights())
    assert isinstance(built, Instance)
    assert built.is_torch_module
    assert [(call.kind, call.method) for call in made.calls] == [("call", ""), ("set", "")]
    assert made.read_current_value(made.calls[0]).parts["training"] is False
    layer = layers.Layer(3, 2)
    layer.load_state_dict({name: torch.from_numpy(value.array) for name, value in weights().items()}, strict=False)
    expected = tuple(Tensor(result.detach().numpy()) for result in layer(torch.from_numpy(X.array)))
    built(X).equals(expected).leaves_arguments_alone().still_equals(expected)
    built.has_parameters(SHAPES)
    assert str(made.calls[2]) == "Layer(3, 2)(tensor([[1, -2, 0.5], [0.25, 3, -1]]))"
    assert str(made.calls[1]) == "Layer(3, 2)"


def test_weights_are_set_wherever_they_are():
    built = answer("Layer").build(3, 2)
    built.set({"plain": tensor([5.0, 6.0]), "kept.0": tensor([7.0, 8.0]), "frozen": tensor([9.0])})
    built.set({"plain": tensor([5.0, 6.0], "float64"), "kept.0": tensor([7.0, 8.0], "float64")})
    module = built._answer.session.runner.results[0]
    assert module.plain.tolist() == [5.0, 6.0]
    assert module.kept[0].tolist() == [7.0, 8.0]
    assert module.linear.weight.dtype == torch.float64  # The whole module takes the dtype of given weights.
    assert isinstance(module.frozen, torch.nn.Parameter)
    for path, value, sentence in [
        ("Wq.weight", X, "was created without Wq.weight (2, 3)"),
        ("heads.1.weight", X, "was created without heads.1.weight (2, 3)"),
        ("linear.weight", X, None),
        ("linear.bias", X, "was created, but its attribute linear.bias has shape (2,), expected (2, 3)"),
        (
            "linear",
            X,
            "was created, but its attribute linear is of type Linear, expected a parameter of shape (2, 3)",
        ),
        ("kept.1", X, "was created, but its attribute kept.1 is of type str, expected a parameter of shape (2, 3)"),
        ("kept.2", X, "was created without kept.2 (2, 3)"),
    ]:
        if sentence is None:
            built.set({path: value})
        else:
            message = catch_finding(built.set, {path: value}).partition(". Its other parameters: ")
            assert message[0] == sentence
            if "without" in sentence:
                loose = "plain (Tensor), kept (list)"
                assert message[2].startswith("scale (2,), ")
                assert message[2].endswith(f". PyTorch does not train {loose}")


def test_weights_under_another_name_are_set_if_names_are_not_tested():
    """The weight is assigned to the parameter with the most similar name; a layer's matrix is transposed."""
    built = answer("Layer").build(3, 2)
    built.set({"Linear.weight": X, "linear.bias": tensor([1.0, 2.0]), "scales": tensor([3.0, 4.0])}, by_name=False)
    module = built._answer.session.runner.results[0]
    assert module.linear.weight.tolist() == X.array.tolist()
    assert (module.linear.bias.tolist(), module.scale.tolist()) == ([1.0, 2.0], [3.0, 4.0])
    built.set({"w": tensor(X.array.T)}, by_name=False)
    assert module.linear.weight.tolist() == X.array.tolist()
    assert "without W (7, 3)" in catch_finding(built.set, {"W": tensor(np.ones((7, 3)))}, by_name=False)


def test_parameters_have_to_be_these():
    built = answer("Layer").build(3, 2)
    assert built.has_parameters(SHAPES) is built
    less = {name: shape for name, shape in SHAPES.items() if name != "scale"}
    assert catch_finding(built.has_parameters, less) == "has an extra parameter scale"
    assert catch_finding(built.has_parameters, SHAPES | {"Wq": (1,)}) == "has no trained parameter Wq"
    assert catch_finding(built.has_parameters, SHAPES | {"frozen": (1,)}) == "has no trained parameter frozen"
    wrong = SHAPES | {"scale": (3,)}
    assert catch_finding(built.has_parameters, wrong) == "has a parameter scale of shape (2,), expected (3,)"


def test_a_class_that_is_not_a_module_is_judged_and_reported():
    built = answer("NoModule").build(3, 2, weights={"weight": tensor(np.ones((3, 2)) * 2)})
    assert not built.is_torch_module
    built(X).equals(tensor(X.array @ np.full((3, 2), 2.0)))
    assert "is not an nn.Module" in catch_finding(built.has_parameters, {"weight": (3, 2)})


STUBS = {
    "Unmade": "    def __init__(self):\n        raise NotImplementedError",
    "Uncalled": "    def __call__(self, x):\n        raise NotImplementedError",
}


@pytest.mark.parametrize(("name", "methods"), STUBS.items())
def test_an_unfinished_class_is_unattempted(name, methods):
    made = Answer(name, loaded_here(f"class {name}:\n{methods}"), seconds=60)
    made.known_names = (name,)
    with pytest.raises(AnswerRefused) as error_info:
        _ = made.build()(X).value
    assert error_info.value.outcome == "unattempted"
    assert error_info.value.finding == f"{name} is still to do."


def loaded_here(source):
    """Return a session whose runner has run the source itself and so knows its lines."""
    session = LocalSession(types.ModuleType("loaded"))
    assert session.runner.load([("answer.py", 1, source)]) == [None]
    return session


# Gradients ----------------------------------------------------------------------------------------------------


def test_gradients_are_those_of_autograd():
    solution = Solution("Layer", local()).build(3, 2, weights=weights())
    gradients = solution.gradients(X, results=(1,))
    layer, x = layers.Layer(3, 2), torch.from_numpy(X.array).requires_grad_()
    layer.load_state_dict({name: torch.from_numpy(value.array) for name, value in weights().items()}, strict=False)
    output = layer(x)[1]
    (output * torch.cos(torch.arange(2.0) + 1).reshape(2, 1)).sum().backward()
    require_equal(gradients["arguments"], (Tensor(x.grad.numpy()),))
    assert set(gradients["parameters"]) == set(SHAPES)
    for name, parameter in layer.named_parameters():
        if parameter.requires_grad:
            require_equal(gradients["parameters"][name], Tensor(parameter.grad.numpy()))


def test_gradients_of_some_results_are_compared():
    solution = Solution("Layer", local()).build(3, 2, weights=weights())
    assert solution.gradients(X)["parameters"]["heads.0.weight"] is None
    assert solution.gradients(X, results=(0, 1))["parameters"]["heads.0.weight"] is not None


def test_every_argument_of_floats_gets_a_gradient():
    reply = Solution("twice", local()).gradients(X, tensor([1], "int64"))
    assert len(reply["arguments"]) == 1
    require_equal(reply["arguments"][0].array, 2 * np.cos(np.arange(6.0) + 1).reshape(2, 3))


def test_missing_gradients_are_reported():
    expected = Solution("twice", local()).gradients(X)
    answer("twice").gradients(X).flows_like(expected)
    for name in ("constant", "nothing"):
        with pytest.raises(Mismatch, match=r"^gives no gradient for argument 1$") as never:
            answer(name).gradients(X).flows_like(expected)
        assert never.value.reason.startswith("Something detaches the result from the graph, ")


def test_missing_gradients_of_parameters_are_reported():
    session = local()
    built = Answer("Layer", session, seconds=60).build(3, 2, weights=weights())
    same = Solution("Layer", local()).build(3, 2, weights=weights())
    built.gradients(X).flows_like(same.gradients(X))
    other = Solution("Layer", local()).build(3, 2, weights=weights(seed=1))
    sentence = catch_finding(built.gradients(X).flows_like, other.gradients(X))
    assert re.fullmatch(r"returned \S+ at \[0, 0\] for the gradient of argument 1, expected \S+", sentence)
    expected = same.gradients(X)
    expected["parameters"]["Wq"] = X
    sentence = catch_finding(built.gradients(X).flows_like, expected)
    assert sentence == "gives no gradient for Wq, which is not a trained parameter"
    session.runner.results[0].forward = session.runner.results[0].detached
    assert catch_finding(built.gradients(X).flows_like, same.gradients(X)) == "gives no gradient for argument 1"


# Pictures -----------------------------------------------------------------------------------------------------


def test_a_picture_is_described():
    reply = answer("draws")(NewAxes())
    reply.shows(lambda axes: axes["given"], "is not drawn where it was told")
    reply.shows(lambda axes: axes["drawn"]["values"].tolist() == [[1.0, 2.0], [3.0, 4.0]], "shows other numbers")
    reply.shows(lambda axes: not axes["colour_bar"], "has a colour bar")
    assert catch_finding(reply.shows, lambda axes: axes["title"], "has no title") == "has no title"
    answer("draws")().shows(lambda axes: not axes["given"], "is drawn elsewhere")
    again = reply._answer.read_current_value(reply.call)
    assert again.parts["drawn"]["values"].tolist() == [[1.0, 2.0], [3.0, 4.0]]


def test_an_impossible_property_of_a_picture_does_not_hold():
    reply = answer("draws_nothing")(NewAxes())
    for holds in (lambda axes: axes["drawn"]["values"].max(), lambda axes: axes["x_ticks"][99], lambda axes: []):
        assert catch_finding(reply.shows, holds, "shows no numbers") == "shows no numbers"


# Real workers -------------------------------------------------------------------------------------------------

ANSWER = """
import os
import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, d_in, d_k):
        super().__init__()
        self.wq = nn.Parameter(torch.ones(d_in, d_k))

    def forward(self, inp):
        if float(inp.max()) > 100:
            os._exit(3)
        return inp @ self.wq
"""


def test_an_instance_does_not_outlive_its_worker():
    """A new instance can be built, but the old one is gone, and no other object takes its place."""
    session = Session(Task(parse_script("answer.py", ANSWER), read_chapter("qkv"), ()))
    made = Answer("SelfAttention", session, seconds=60)
    built = made.build(3, 2)
    with pytest.raises(AnswerRefused) as error_info:
        built(tensor(1000 * np.ones((2, 3))))
    assert (error_info.value.outcome, error_info.value.finding) == ("killed", "ended its own process with exit code 3.")
    for use in (lambda: built(X), lambda: built.has_parameters({}), lambda: built.gradients(X), lambda: built.set({})):
        with pytest.raises((AnswerRefused, WorkerEnded)) as error_info:
            use()
        assert error_info.value.outcome == "killed"
        assert "an earlier call ended the process" in str(error_info.value)
    made.build(3, 2)(X).equals(tensor(X.array @ np.ones((3, 2))))
    session.close()


def test_the_reference_outlives_its_zygote():
    solution = Solution("softmax", open_solution_session("one_query"))
    before = solution([1.0, 2.5])
    close_zygotes()
    after = Solution("softmax", open_solution_session("one_query"))([1.0, 2.5, 7.25])
    assert before.shape == (2,) and after.shape == (3,)
    assert abs(after.sum() - 1) < 1e-12

"""Calls of an answer with arguments that cannot be serialised, such as a model, a generator or a cache.

A suite passes a `Harness` in place of such an argument. Its name selects one of the classes below, and its settings are
the fields of that class, which creates the argument, calls the answer as often as needed, and returns plain data.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import torch

from .inputs import materialize
from .values import Harness


def call_with_harness(harness: Harness, function: Callable, arguments: list) -> object:
    """Call a function with the arguments that a harness creates, and return the harness's report."""
    arguments = [argument for argument in arguments if argument is not harness]
    return HARNESSES[harness.name](**materialize(harness.settings)).call(function, *arguments)


@dataclass
class Training:
    """A harness that takes several training steps on one model. It reports on the last step."""

    weights: list[torch.Tensor]  # shapes (characters, width), (width, characters) and (characters,)
    optimizer: str  # "gradient", or "sign" for an optimizer that uses only the gradient's sign
    rate: float
    earlier: list[torch.Tensor]  # tokens of the training steps before the reported one
    left: bool  # whether other code has left large gradients in the model before the step
    training: bool  # whether the model is in training mode
    grouped: bool  # whether the optimizer has a group for each parameter
    tells: str  # what to report: "returned" (the result), "calls" (input shapes of the model's calls) or "weights"

    def call(self, step: Callable, *arguments: object) -> object:
        """Call ``step(model, optimizer, *arguments)`` for each step. Return the report that `tells` names."""
        model, calls = _Model(self.weights), list[list[int]]()
        groups = [{"params": [weight]} for weight in model.parameters()] if self.grouped else model.parameters()
        optimizer = _GradientDescent(groups, self.rate, self.optimizer)
        tokens, *limit = arguments
        for earlier_arguments in self.earlier:
            step(model, optimizer, earlier_arguments, *limit)
        if self.left:
            optimizer.zero_grad()
            (1000 * model(tokens).square().mean()).backward()
        model.register_forward_pre_hook(lambda *inputs: calls.append(list(inputs[-1][0].shape)))
        model.train(self.training)
        result = step(model, optimizer, *arguments)
        weights = [parameter.detach() for parameter in model.parameters()]
        return {"returned": result, "calls": calls, "weights": weights}[self.tells]


class _Model(torch.nn.Module):
    """A causal model from tokens (b, n) to logits (b, n, characters), which are 1.5 times as large in training mode."""

    def __init__(self, weights: list[torch.Tensor]) -> None:
        super().__init__()
        self.embedding, self.out, self.bias = map(torch.nn.Parameter, weights)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        x = self.embedding[tokens]
        logits = (x + x.cumsum(dim=-2)) @ self.out + self.bias
        return 1.5 * logits if self.training else logits


class _GradientDescent(torch.optim.Optimizer):
    """An optimizer that moves along the gradients, or along their signs."""

    def __init__(self, parameters: Iterable[Any], rate: float, along: str) -> None:
        super().__init__(parameters, {"lr": rate})
        self.along = along

    @torch.no_grad()
    def step(self, closure: Any = None) -> Any:
        with torch.enable_grad():  # As in torch's optimizers, a closure computes the gradients.
            loss = None if closure is None else closure()
        for group in self.param_groups:
            for parameter in group["params"]:
                if parameter.grad is not None:
                    parameter -= group["lr"] * (parameter.grad.sign() if self.along == "sign" else parameter.grad)
        return loss


@dataclass
class ModelFit:
    weights: list[torch.Tensor]  # weights of the model, as in `Training`
    batches: list[torch.Tensor]  # tokens of each batch
    kind: str  # "list" or "generator": the type of the batches
    tells: str  # what to report: "returned", "weights", "taken" (batches), or "unchanged" (weights after an error)

    def call(self, train: Callable, *arguments: object) -> object:
        """Call ``train(model, batches, *arguments)``. Return the report that `tells` names."""
        model, batch_numbers = _Model(self.weights), list[int]()
        weights_before = [parameter.detach().clone() for parameter in model.parameters()]
        batches = self.batches if self.kind == "list" else self._count_batches(batch_numbers)
        try:
            result = train(model, batches, *arguments)
        except ValueError:
            if self.tells != "unchanged":
                raise
            are_equal = all(map(torch.equal, weights_before, (parameter.detach() for parameter in model.parameters())))
            return {"the weights are as they were": are_equal, "batches taken": len(batch_numbers)}
        if self.tells == "unchanged":
            return {"a ValueError was raised": False}
        weights = [parameter.detach() for parameter in model.parameters()]
        return {"returned": result, "weights": weights, "taken": len(batch_numbers)}[self.tells]

    def _count_batches(self, batch_numbers: list[int]) -> Iterator[torch.Tensor]:
        for number, batch in enumerate(self.batches):
            batch_numbers.append(number)
            yield batch


@dataclass
class TokenSampling:
    """A harness in which an answer draws samples with generators of several seeds."""

    seeds: list[int]
    own: bool  # whether to seed torch's global generator instead of passing one
    tells: str  # what to report: "drawn", "shares" or "repeats"

    def call(self, sample: Callable, *arguments: Any) -> object:
        """Call ``sample(*arguments, generator)`` for each seed, and return the report that `tells` names.

        The leading axis of the logits repeats the same draw many times. "drawn" is a mask of the drawn tokens, and
        "shares" the proportion of each token. "repeats" is all tokens of two calls for each seed, with the states of
        torch's global generator before and after. With `own`, that generator is seeded, none is passed, and the states
        are omitted.
        """
        state_before, uses_global_generator = torch.get_rng_state(), self.own
        runs: list[list[torch.Tensor]] = []
        for seed in self.seeds:
            generator = torch.manual_seed(seed) if uses_global_generator else torch.Generator().manual_seed(seed)
            times = 2 if self.tells == "repeats" else 1
            passed_on = [] if uses_global_generator else [generator]
            runs.append([sample(*arguments, *passed_on) for _ in range(times)])
        if self.tells == "repeats":
            return {"runs": runs, "states": [state_before, torch.get_rng_state()][2 * self.own :]}
        is_drawn = runs[0][0][..., None] == torch.arange(arguments[0].shape[-1])
        if self.tells == "drawn":
            return is_drawn.any(dim=0)
        return is_drawn.double().mean(dim=0)


@dataclass
class BlockReading:
    """A harness in which a transformer block reads one sequence in pieces, with a cache."""

    lengths: list[int]  # number of tokens in each piece
    start: int  # position of the first token
    tells: str  # what to report: "output" (the whole output and the last weights) or "cache"

    def call(self, block: Callable, x: torch.Tensor, mask: torch.Tensor | None) -> tuple:
        """Call ``block(piece, mask, cache, start)`` per piece, omitting `start` if 0. Return what `tells` names."""
        cache, position, outputs = _KeyValueCache(), 0, list[torch.Tensor]()
        weights: torch.Tensor | None = None
        for length in self.lengths:
            rows = None if mask is None else mask[..., position : position + length, : position + length]
            start = [self.start + position] if self.start + position else []
            output, weights = block(x[..., position : position + length, :], rows, cache, *start)
            outputs.append(output)
            position += length
        return (torch.cat(outputs, dim=-2), weights) if self.tells == "output" else (cache.calls, cache.k, cache.v)


class _KeyValueCache:
    """A cache of keys and values that counts the calls of `append`. An empty cache is false, like an empty list."""

    def __init__(self) -> None:
        self.k: torch.Tensor | None = None
        self.v: torch.Tensor | None = None
        self.calls = 0

    def __bool__(self) -> bool:
        return self.calls > 0

    def append(self, k: torch.Tensor, v: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        k, v = (new if old is None else torch.cat([old, new], dim=-2) for old, new in ((self.k, k), (self.v, v)))
        self.k, self.v, self.calls = k, v, self.calls + 1
        return k, v


@dataclass
class CacheAppending:
    """A harness that appends keys and values in portions. It reports the last result's gradients for all portions."""

    lengths: list[int]  # number of tokens in each portion
    tells: str  # what to report: always "gradients" (of all keys, and of all values)

    def call(self, append: Callable, k: torch.Tensor, v: torch.Tensor) -> list[torch.Tensor | None]:
        """Append all portions with ``append(k, v)``. Return the gradients of k and v, or None for an incomplete one."""
        ks, vs = ([part.clone().requires_grad_() for part in each.split(self.lengths, dim=-2)] for each in (k, v))
        results = [append(*portion) for portion in zip(ks, vs, strict=True)][-1]
        weighted = [(result * result.detach().cos()).sum() for result in results if result.requires_grad]
        if not weighted:
            return [None, None]
        gradients = torch.autograd.grad(weighted, [*ks, *vs], allow_unused=True)
        of_both = gradients[: len(ks)], gradients[len(ks) :]
        return [None if any(part is None for part in parts) else torch.cat(parts, dim=-2) for parts in of_both]


HARNESSES = {"train": Training, "fit": ModelFit, "draw": TokenSampling, "read": BlockReading, "append": CacheAppending}

"""Calls an answer with what cannot travel, a model, a generator or a cache, and tells in plain data what came of it.

A suite puts a `Harness` where such an argument belongs. Its name chooses one of the functions below, which makes the
argument, calls the answer with it as often as it takes, and returns what the suite wants to know.
"""

import torch

from .inputs import revive


def call_in(harness, function, arguments):
    """What an answer's function comes to in this harness, with arguments that are ready to use."""
    arguments = [argument for argument in arguments if argument is not harness]
    return HARNESSES[harness.name](function, arguments, **revive(harness.settings))


def train(step, arguments, *, weights, optimizer, rate, earlier, left, training, tells):
    """The last of several training steps on one model: what it returns, or what it leaves.

    Parameters
    ----------
    step : callable
        Called as ``step(model, optimizer, *arguments)``.
    weights : list of Tensor
        Of the model, each (characters, width).
    optimizer, rate : str, float
        "gradient", for plain gradient descent, or "sign", which follows the gradient's sign; its learning rate.
    earlier : list of Tensor
        Tokens of the steps before it.
    left : bool
        Whether somebody else has left gradients behind.
    training : bool
        The mode of the model.
    tells : str
        "returned"; "calls", the shapes of what the model was given; or "weights" of the model after the step.
    """
    model = _Model(weights)
    optimizer = _Descent(model.parameters(), rate, optimizer)
    for tokens in earlier:
        step(model, optimizer, tokens)
    if left:
        optimizer.zero_grad()
        model(*arguments[:1]).square().mean().backward()
    model.calls.clear()
    model.train(training)
    returned = step(model, optimizer, *arguments)
    weights = [parameter.detach() for parameter in model.parameters()]
    return {"returned": returned, "calls": model.calls, "weights": weights}[tells]


class _Model(torch.nn.Module):
    """Logits (b, n, characters) of tokens (b, n): another half as large in training mode, and each depends on all n."""

    def __init__(self, weights):
        super().__init__()
        self.embedding, self.out = map(torch.nn.Parameter, weights)
        self.calls = []

    def forward(self, tokens):
        self.calls.append(list(tokens.shape))
        x = self.embedding[tokens]
        logits = (x + x.mean(dim=-2, keepdim=True)) @ self.out.T
        return 1.5 * logits if self.training else logits


class _Descent(torch.optim.Optimizer):
    """An optimizer that takes no time to begin: torch's own import a compiler before their first step."""

    def __init__(self, parameters, rate, along):
        super().__init__(parameters, {"lr": rate})
        self.along = along

    @torch.no_grad()
    def step(self, closure=None):
        """Move each parameter along its gradient, or along the gradient's sign."""
        for group in self.param_groups:
            for parameter in group["params"]:
                if parameter.grad is not None:
                    parameter -= group["lr"] * (parameter.grad.sign() if self.along == "sign" else parameter.grad)


for _method in (torch.optim.Optimizer.zero_grad, torch.optim.Optimizer.add_param_group):
    _method.__wrapped__.__dynamo_disable = _method.__wrapped__  # or it would import the compiler, too


def draw(sample, arguments, *, seeds, own, tells):
    """What is drawn by the generators of several seeds.

    Parameters
    ----------
    sample : callable
        Called as ``sample(*arguments, generator)``. The leading axis of the logits is for many draws from the same.
    seeds : list of int
    own : bool
        Whether torch's own generator gets each seed, and no generator is passed.
    tells : str
        "drawn", Boolean: which tokens came at all; "shares", how often; or "repeats", by seeds of which the first two
        are alike.

    Notes
    -----
    But for the shares nothing that comes back depends on the way in which an answer draws.
    """
    runs, before = [], torch.get_rng_state()
    for seed in seeds:
        generator = torch.manual_seed(seed) if own else torch.Generator().manual_seed(seed)
        runs.append([sample(*arguments, None if own else generator) for _ in range(2 if tells == "repeats" else 1)])
    if tells == "repeats":
        first, again, other = runs
        told = {
            "the same seed gives the same tokens": all(map(torch.equal, first, again)),
            "another seed gives others": not torch.equal(first[0], other[0]),
            "the next draw gives others": not torch.equal(*first),
        }
        left_alone = torch.equal(before, torch.get_rng_state())
        return told if own else {**told, "torch's own generator is left alone": left_alone}
    came = runs[0][0][..., None] == torch.arange(arguments[0].shape[-1])
    if tells == "drawn":
        return came.any(dim=0)
    return came.double().mean(dim=0)


def read(block, arguments, *, lengths, start, tells):
    """A text read piece by piece with one cache.

    Parameters
    ----------
    block : callable
        Called for each piece as ``block(piece, mask, cache, start)``.
    lengths : list of int
        Of the pieces.
    start : int
        The position of the first token.
    tells : str
        "output", of all pieces, and the weights of the last; or "cache": what was appended, and how often.
    """
    x, mask = arguments
    cache, outputs, at = _Cache(), [], 0
    for length in lengths:
        rows = None if mask is None else mask[..., at : at + length, : at + length]
        output, weights = block(x[..., at : at + length, :], rows, cache, start + at)
        outputs.append(output)
        at += length
    return (torch.cat(outputs, dim=-2), weights) if tells == "output" else (cache.k, cache.v, cache.calls)


class _Cache:
    """A cache of keys and values that knows how often it was appended to."""

    def __init__(self):
        self.k = self.v = None
        self.calls = 0

    def append(self, k, v):
        self.k, self.v = (
            new if old is None else torch.cat([old, new], dim=-2) for old, new in ((self.k, k), (self.v, v))
        )
        self.calls += 1
        return self.k, self.v


def hand_on(attention, arguments, *, lengths, tells):
    """A text read piece by piece, each with the state that the one before returned.

    Parameters
    ----------
    attention : callable
        Called for each piece as ``attention(queries, keys, values, state)``, the first without a state; returns an
        output and a state, which is two tensors.
    lengths : list of int
        Of the pieces.
    tells : str
        "output", of all pieces, and the last state; or "gradients" of queries, keys and values, from the output of the
        last piece and from the last state.
    """
    arguments = [argument.requires_grad_() for argument in arguments]
    outputs, state = [], ()
    for piece in zip(*(argument.split(lengths, dim=-2) for argument in arguments), strict=True):
        output, (*state,) = attention(*piece, *([tuple(state)] if state else []))
        outputs.append(output)
    if tells == "output":
        return torch.cat(outputs, dim=-2), *state
    weighted = sum((result * result.detach().cos()).sum() for result in (outputs[-1], *state) if result.requires_grad)
    return list(torch.autograd.grad(weighted, arguments, allow_unused=True))


HARNESSES = {"train": train, "draw": draw, "read": read, "hand_on": hand_on}

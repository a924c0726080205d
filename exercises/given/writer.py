"""A small language model that lacks its attention: a decoder Transformer on characters, to be completed with yours.

Radford et al. (2019), "Language Models are Unsupervised Multitask Learners" (GPT-2), describes the blocks; Su et al.
(2021), "RoFormer", how queries and keys are turned. Needs torch.
"""

import torch
from torch import nn
from torch.nn import functional

from given.progress import track

PROMPT = "The query "


class Writer(nn.Module):
    """Says at each place of a text which character comes next.

    Parameters
    ----------
    text : str
        To learn from; its characters are all that the model knows.
    attentions : iterable of nn.Module
        One for each layer, called as ``attention(x, x, x, mask)`` with x of shape (b, n, d_model), with nn.Linear
        layers `Wq`, `Wk`, `Wv` and `Wo`. Gives output (b, n, d_model) and weights (b, h, n, n).
    heads : int
        How many query heads each of them has.
    rotate : function
        Called as ``rotate(heads, places)``.
    mask : function
        ``mask(n)`` says which of n characters each of them may attend to, as a Boolean tensor (n, n).
    """

    def __init__(self, text, attentions, heads, rotate, mask):
        super().__init__()
        self.characters = sorted(set(text))
        self.text, self.mask = self.numbers(text), mask
        self.layers = nn.ModuleList(Layer(attention, heads, rotate) for attention in attentions)
        d_model = self.layers[0].attention.Wo.out_features
        self.embedding = nn.Embedding(len(self.characters), d_model)
        self.norm, self.logits = nn.LayerNorm(d_model), nn.Linear(d_model, len(self.characters))

    def numbers(self, text):
        """The numbers of a text's characters, shape (n,)."""
        return torch.tensor([self.characters.index(character) for character in text])

    def forward(self, numbers, caches=None, seen=0):
        """Numbers of characters (b, n) to logits (b, n, characters), and the weights of each layer.

        With caches, one for each layer, these are the characters after the `seen` ones that the caches know already.
        """
        x, weights = self.embedding(numbers), []
        mask = self.mask(seen + numbers.shape[-1])[seen:]  # the rows of the new characters
        for layer, cache in zip(self.layers, caches or [None] * len(self.layers), strict=True):
            x, attention = layer(x, mask, cache, seen)
            weights.append(attention)
        return self.logits(self.norm(x)), weights

    def learn(self, steps, rate=3e-3, batch=12, length=96):
        """Learn to predict the next character of pieces of the text; returns the loss of each step.

        The rate rises for 50 steps and then falls towards 0, as is the custom for Transformers.
        """
        optimizer, losses = torch.optim.AdamW(self.parameters(), lr=rate), []
        for step in track(range(steps), "learning to write"):
            optimizer.param_groups[0]["lr"] = rate * min((step + 1) / 50, 1 - step / steps)
            starts = torch.randint(len(self.text) - length, (batch, 1))
            pieces = self.text[starts + torch.arange(length + 1)]
            logits, _ = self(pieces[:, :-1])
            loss = functional.cross_entropy(logits.flatten(0, 1), pieces[:, 1:].flatten())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        return losses

    @torch.no_grad()
    def write(self, count, make_cache=None, prompt=PROMPT, sharpness=2.0, seed=0):
        """Give out the characters of a text one by one, each drawn by the probabilities that the model gives.

        Parameters
        ----------
        count : int
            How many characters to write after the prompt.
        make_cache : function, optional
            Makes a cache for a layer. Without it the whole text goes through the model again for each character.
        sharpness : float
            Logits are multiplied by it: 1 as learned, more for safer choices.
        """
        generator, text, seen = torch.Generator().manual_seed(seed), self.numbers(prompt)[None], 0
        caches = [make_cache() for _ in self.layers] if make_cache else None
        for _ in range(count):
            logits, _ = self(text[:, seen:], caches, seen)
            seen = text.shape[-1] if make_cache else 0
            chances = torch.softmax(sharpness * logits[:, -1], dim=-1)
            text = torch.cat([text, torch.multinomial(chances, 1, generator=generator)], dim=-1)
            yield self.characters[text[0, -1]]


class Layer(nn.Module):
    """One block: attention, then a feed-forward part; each looks at a normalised copy, and its result is added."""

    def __init__(self, attention, heads, rotate):
        super().__init__()
        d_model = attention.Wo.out_features
        self.projections = Projections(attention, d_model // heads, rotate)
        self.attention = attention
        for name in ("Wq", "Wk", "Wv"):
            setattr(attention, name, Projection(self.projections, name))
        self.norms = nn.ModuleList(nn.LayerNorm(d_model) for _ in range(2))
        self.feed_forward = nn.Sequential(nn.Linear(d_model, 4 * d_model), nn.GELU(), nn.Linear(4 * d_model, d_model))

    def forward(self, x, mask, cache, seen):
        """Characters (b, n, d_model) to characters (b, n, d_model), and the weights of the heads."""
        normed = self.norms[0](x)
        self.projections.compute(normed, cache, seen)
        found, weights = self.attention(normed, normed, normed, mask)
        x = x + found
        return x + self.feed_forward(self.norms[1](x)), weights


class Projections(nn.Module):
    """Queries, keys and values of a layer: turned to their places, and with those that a cache remembers.

    An attention calls its three projections itself. So that it need not know of places and caches, the results are made
    before, here, and what it calls only hands them out.
    """

    def __init__(self, attention, d_h, rotate):
        super().__init__()
        self.linears = nn.ModuleDict({name: getattr(attention, name) for name in ("Wq", "Wk", "Wv")})
        self.d_h, self.rotate, self.made = d_h, rotate, {}

    def compute(self, x, cache, seen):
        """Make them for new tokens (b, n, d_model), of which `seen` stand before."""
        heads = (linear(x).unflatten(-1, (-1, self.d_h)).transpose(-3, -2) for linear in self.linears.values())
        q, k, v = heads  # (b, heads, n, d_h)
        places = torch.arange(seen, seen + x.shape[-2])
        q, k = self.rotate(q, places), self.rotate(k, places)
        if cache is not None:
            k, v = cache.append(k, v)
        self.made = {
            name: part.transpose(-3, -2).flatten(-2) for name, part in zip(self.linears, (q, k, v), strict=True)
        }


class Projection(nn.Module):
    """What an attention calls in place of its `Wq`, `Wk` or `Wv`."""

    def __init__(self, projections, name):
        super().__init__()
        self.made, self.name = lambda: projections.made[name], name  # not a child: its weights are counted once

    def forward(self, x):
        """What was made for x."""
        return self.made()

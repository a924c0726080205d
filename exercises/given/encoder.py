"""The sentence encoder all-MiniLM-L6-v2 without its self-attention, which you add.

It needs torch and, for the real weights, safetensors and tokenizers.

Devlin et al. (2019), "BERT: Pre-training of Deep Bidirectional Transformers", describe the layers. Reimers and Gurevych
(2019), "Sentence-BERT", describe how the tokens of a sentence become one vector.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn
from torch.nn import functional

from given.errors import MissingError
from given.minilm import read_minilm

if TYPE_CHECKING:
    from tokenizers import Tokenizer

WIDTH, HEADS, LAYERS = 384, 12, 6
EPS = 1e-12  # eps of every LayerNorm
MAX_TOKENS = 256  # limit to which longer sentences are cut


def load_minilm(folder: str | os.PathLike[str] | None = None) -> tuple[dict[str, Tensor], Tokenizer]:
    """Return the weights of all-MiniLM-L6-v2 and its tokenizer.

    Parameters
    ----------
    folder : str or os.PathLike, optional
        Where the files are; see `given.minilm.find_minilm`.

    Returns
    -------
    weights : dict of str to Tensor
        Name in the checkpoint -> weight, as float32.
    tokenizer : tokenizers.Tokenizer
        Pads the sentences of a batch to the length of the longest.

    Raises
    ------
    GivenError
        If files, or packages that read them, are missing, or if a file cannot be read or is the wrong one.
    """
    contents = read_minilm(folder)
    try:
        from safetensors.torch import load  # noqa: PLC0415  (an encoder of your own weights needs neither)
        from tokenizers import Tokenizer  # noqa: PLC0415
    except ImportError as error:
        raise MissingError(
            f"The package {error.name} is missing: install it with `pip install safetensors tokenizers`."
        ) from None
    tokenizer = Tokenizer.from_str(contents["tokenizer.json"].decode("utf-8"))
    tokenizer.enable_padding(pad_id=0, pad_token="[PAD]")
    tokenizer.enable_truncation(MAX_TOKENS)
    return load(contents["model.safetensors"]), tokenizer


class SentenceEncoder(nn.Module):
    """An encoder that turns sentences into vectors of length 1, with your self-attention.

    Parameters
    ----------
    blocks : iterable of nn.Module
        The self-attention of each layer, called as ``block(x, is_word)`` with x of shape (b, n, d) and is_word, Boolean
        of shape (b, n), False for padding. Returns output (b, n, d) and weights (b, h, n, n).
    weights : dict of str to Tensor
        Name in the checkpoint -> weight. Weights of the self-attention are not used.
    tokenizer : tokenizers.Tokenizer
    """

    def __init__(self, blocks: Iterable[nn.Module], weights: dict[str, Tensor], tokenizer: Tokenizer) -> None:
        super().__init__()
        self.tokenizer = tokenizer
        self.words, self.places, self.kinds = (
            nn.Embedding.from_pretrained(weights[f"embeddings.{table}_embeddings.weight"])
            for table in ("word", "position", "token_type")
        )
        self.norm = _filled(nn.LayerNorm(self.words.embedding_dim, EPS), weights, "embeddings.LayerNorm")
        self.blocks = nn.ModuleList(blocks)
        layers = range(len(self.blocks))
        self.feed_forwards = nn.ModuleList(FeedForward(weights, f"encoder.layer.{layer}") for layer in layers)
        self.eval()

    def forward(self, ids: Tensor, is_word: Tensor) -> tuple[Tensor, list[Tensor]]:
        """Return one vector for each token, and the attention weights of each layer.

        Parameters
        ----------
        ids : Tensor of int, shape (b, n)
            The IDs of the tokens.
        is_word : Tensor of bool, shape (b, n)
            False for padding.

        Returns
        -------
        tokens : Tensor, shape (b, n, d)
        attention : list of Tensor, shape (b, h, n, n)
            The weights of each layer.
        """
        places = torch.arange(ids.shape[-1])
        x = self.norm(self.words(ids) + self.places(places) + self.kinds.weight[0])  # All have kind 0.
        attention = []
        for block, feed_forward in zip(self.blocks, self.feed_forwards, strict=True):
            x, weights = block(x, is_word)
            x = feed_forward(x)
            attention.append(weights)
        return x, attention

    def tokenize(self, sentences: Iterable[str]) -> tuple[list[list[str]], Tensor, Tensor]:
        """Return the tokens as text, their IDs, and a mask that is False for padding."""
        found = self.tokenizer.encode_batch(list(sentences))
        ids = torch.tensor([each.ids for each in found])
        return [each.tokens for each in found], ids, torch.tensor([each.attention_mask for each in found]).bool()

    @torch.no_grad()
    def encode(self, sentences: Iterable[str]) -> Tensor:
        """Return a vector of length 1 for each sentence, shape (len(sentences), d): the scaled mean of its tokens."""
        _, ids, is_word = self.tokenize(sentences)
        tokens, _ = self(ids, is_word)
        counted = is_word.unsqueeze(-1).to(tokens.dtype)  # (b, n, 1)
        return functional.normalize((tokens * counted).sum(dim=-2) / counted.sum(dim=-2), dim=-1)


class FeedForward(nn.Module):
    """A feed-forward block, applied to each token separately: two layers, a residual connection and a LayerNorm."""

    def __init__(self, weights: dict[str, Tensor], name: str) -> None:
        super().__init__()
        inner, width = weights[f"{name}.intermediate.dense.weight"].shape
        self.inner = _filled(nn.Linear(width, inner), weights, f"{name}.intermediate.dense")
        self.outer = _filled(nn.Linear(inner, width), weights, f"{name}.output.dense")
        self.norm = _filled(nn.LayerNorm(width, EPS), weights, f"{name}.output.LayerNorm")

    def forward(self, x: Tensor) -> Tensor:
        """Return new tokens for tokens x, both of shape (..., d)."""
        return self.norm(x + self.outer(functional.gelu(self.inner(x))))


def _filled(layer: nn.Module, weights: dict[str, Tensor], name: str) -> nn.Module:
    layer.load_state_dict({part: weights[f"{name}.{part}"] for part in ("weight", "bias")})
    return layer

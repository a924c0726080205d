"""The weights of a small model that tells stories, and functions that let it tell one.

`stories.npz` has 498,304 weights in half precision and the words that the model knows. `make_stories.py` trained them
on stories from the grammar `plots.txt`; both belong to this course and have its licence.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from given.errors import TextError
from given.plots import text_of, tokens_of

if TYPE_CHECKING:
    from torch import Tensor, nn

WEIGHTS = Path(__file__).with_name("stories.npz")
END = "<end>"  # token 0, which comes before the first word of a story and after the last
MAX_WORDS = 250


@cache
def _stored() -> dict[str, np.ndarray]:
    with np.load(WEIGHTS, allow_pickle=False) as stored:
        return dict(stored)


def read_words() -> list[str]:
    """Return the words and punctuation marks that the model knows. The index of a word is its token."""
    return _stored()["words"].tobytes().decode("utf-8").split("\n")


def read_history() -> dict[str, Any]:
    """Return the figures of the training: the number of steps, losses, and the share of consistent stories."""
    return json.loads(_stored()["history"].tobytes())


def read_weights() -> dict[str, Tensor]:
    """Return the weights of `StoryModel` in float32, under the names of its parameters."""
    import torch  # noqa: PLC0415  (the words can be read without it)

    return {
        name: torch.from_numpy(array.astype(np.float32))
        for name, array in _stored().items()
        if name not in ("words", "history")
    }


def tokens_for(text: str, words: list[str]) -> Tensor:
    """Return the tokens for the beginning of a story, shape (n,).

    Raises
    ------
    TextError
        If the model does not know one of the words.
    """
    import torch  # noqa: PLC0415

    places = {word: place for place, word in enumerate(words)}
    found = tokens_of(text)
    if unknown := [word for word in found if word not in places]:
        raise TextError(
            f"The model does not know the word {unknown[0]!r}. It knows {len(words):,} words: `read_words()`."
        )
    return torch.tensor([0, *(places[word] for word in found)])


def tell(
    model: nn.Module,
    sample: Callable[..., Tensor],
    make_cache: Callable[[], Any],
    words: list[str],
    beginning: str = "",
    temperature: float = 0.7,
    top_k: int | None = None,
    seed: int = 0,
) -> str:
    """Return a story that begins with `beginning` and is continued by the model.

    Parameters
    ----------
    model : nn.Module
        ``model(tokens, caches, start)`` returns logits (b, n, c).
    sample, make_cache : function
        Yours: ``sample(logits, temperature, top_k, generator)`` draws a token, and ``make_cache()`` returns a cache for
        one block.
    words : list of str
        The result of `read_words`.
    beginning : str
        The first words of the story. The model must know each of them.
    temperature, top_k, seed
        How each word is drawn.

    Returns
    -------
    str
        The story, which ends where the model ends it, or after 250 words.
    """
    import torch  # noqa: PLC0415

    model.eval()
    tokens, start = tokens_for(beginning, words), 0
    caches, generator = [make_cache() for _ in model.blocks], torch.Generator().manual_seed(seed)
    with torch.no_grad():
        while len(tokens) <= MAX_WORDS:
            logits = model(tokens[None, start:], caches, start)[0, -1]
            start = len(tokens)
            drawn = sample(logits, temperature, top_k, generator).reshape(1)
            if drawn.item() == 0:
                break
            tokens = torch.cat([tokens, drawn])
    return text_of(words[token] for token in tokens[1:].tolist())

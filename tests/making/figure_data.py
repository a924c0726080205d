"""The numbers in the book's figures, computed with the chapters' solutions by `python -m making.figure_data`.

The command needs the weights of the sentence encoder (`make minilm`).
"""

from __future__ import annotations

import base64
import importlib
import json
import sys
import tempfile
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.chapters import curriculum
from autograder.views import figures

if TYPE_CHECKING:
    from collections.abc import Sequence

    import torch

PRONOUNS = (
    "the student read the book because she liked it",
    "the cat drank the milk because it was thirsty",
    "the dog ate the bone because it was hungry",
)
HEAD = (3, 1)  # the layer and the head that the start page shows
TRAINED = (
    "the animal did not cross the street because it was too tired",
    "the animal did not cross the street because it was too wide",
    "the trophy did not fit in the suitcase because it was too big",
    "the trophy did not fit in the suitcase because it was too small",
    "the teacher praised a student because she improved",
    PRONOUNS[0],
)

SHOWN = ((0, 1), (1, 0), (4, 4))  # indices of the nouns in the shown sentences: one from the training set, two held out
PRONOUN_HEAD = 8  # index of layer 2, head 0 among the twelve heads of `stories`
STEPS, EVERY = 200, 4  # training steps of `learning`, and steps from one recorded state to the next
PROMPTS = ("Alice was ", "said the ", "the Mock Tur", "she went on in a qu", '"What do you ')


def attention(sentences: Sequence[str], head: tuple[int, int] | None = None) -> list[dict[str, Any]]:
    encoder = load_encoder(importlib.import_module("pretrained"))
    return [text(encoder, sentence, head) for sentence in sentences]


def load_encoder(pretrained: Any) -> Any:
    """Return the sentence encoder with the attention of the module `pretrained`."""
    encoder = importlib.import_module("given.encoder")
    checkpoint, tokenizer = encoder.load_minilm()
    blocks = [pretrained.SelfAttentionBlock(encoder.WIDTH, encoder.HEADS) for _ in range(encoder.LAYERS)]
    for layer, block in enumerate(blocks):
        block.load_state_dict(pretrained.block_state(checkpoint, layer))
    return encoder.SentenceEncoder(blocks, checkpoint, tokenizer)


def text(encoder: Any, sentence: str, head: tuple[int, int] | None = None) -> dict[str, Any]:
    """Return the tokens of a sentence, the index of its pronoun, and the weights of `head` or of all heads."""
    (tokens,), ids, is_word = encoder.tokenize([sentence])
    weights = np.concatenate([layer.detach().numpy() for layer in encoder(ids, is_word)[1]])
    asks = next(place for place, token in enumerate(tokens) if token in ("it", "she"))
    chosen = weights[head] if head else weights
    return {"keys": ["[start]", *tokens[1:-1], "[end]"], "asks": asks, "weights": encode(chosen)}


def learning() -> dict[str, Any]:
    """Return losses, translations and weights while `translate` learns 36 sentences, with attention and an average."""
    import torch  # noqa: PLC0415  (takes a second)

    corpora, translate = importlib.import_module("given.corpora"), importlib.import_module("translate")
    source_words, target_words = list(corpora.EMBED_A), list(corpora.EMBED_B)
    names = [sentence.split()[0] for sentence in corpora.CORPUS_A]

    def numbers(pairs: Sequence[tuple[int, int]]) -> tuple[torch.Tensor, torch.Tensor]:
        sources = [[source_words.index(word) for word in (names[a], "is", names[b])] for a, b in pairs]
        targets = [[target_words.index(word) for word in (str(a + 1), "la", str(b + 1))] for a, b in pairs]
        return torch.tensor(sources), torch.tensor(targets)

    class AveragingTranslator(translate.Translator):
        def attend(self, states: torch.Tensor, annotations: torch.Tensor, words: torch.Tensor) -> Any:
            return translate.cross_attention(self.Wq(states), 0 * self.Wk(annotations), words)

    practice = numbers([(first, (first + step) % 9) for step in (1, 2, 3, 4) for first in range(9)])
    torch.manual_seed(1)
    torch.set_num_threads(1)
    models = {
        kind: make(len(source_words), len(target_words))
        for kind, make in (("attention", translate.Translator), ("average", AveragingTranslator))
    }
    data: dict[str, Any] = {"every": EVERY, "sources": [f"{names[a]} is {names[b]}".split() for a, b in SHOWN]}
    for kind, model in models.items():
        losses: list[float] = []
        frames: list[dict[str, Any]] = []
        for step in range(0, STEPS + 1, EVERY):
            words, weights = model.translate(numbers(SHOWN)[0], 3)
            frames.append(
                {"words": [[target_words[word] for word in row] for row in words], "weights": encode(weights.numpy())}
            )
            if step < STEPS:
                losses += model.learn(*practice, range(EVERY))
        data[kind] = {"losses": [round(loss, 4) for loss in losses], "frames": frames}
    return data


def next_letter() -> dict[str, Any]:
    """Return the logits of the model of `write` after each prompt, at several steps of its training."""
    import torch  # noqa: PLC0415  (takes a second)

    module, write = importlib.import_module("given.training"), importlib.import_module("write")
    vars(module)["MAX_SECONDS"] = 1e6  # Even a slow machine must complete all steps.
    logits: list[list[list[float]]] = []

    def look(model: torch.nn.Module, tokens: torch.Tensor, count: int) -> torch.Tensor:
        del count
        with torch.no_grad():
            behind = [model(training.text.numbers(prompt)[None])[0, -1] for prompt in PROMPTS]
        logits.append([[round(logit, 2) for logit in row.tolist()] for row in behind])
        return tokens

    with tempfile.TemporaryDirectory() as folder:
        parts = write.LanguageModel, write.train_step, write.next_token_loss, look
        training = module.Training(importlib.import_module("given").ALICE, *parts, prompt=PROMPTS[0], folder=folder)
        training.run()
    return {"characters": training.text.characters, "prompts": PROMPTS, "steps": module.SHOWN, "logits": logits}


def story() -> dict[str, Any]:
    """Return the model of `stories` with 8-bit weights, and the head that attends from a pronoun to its name."""
    stories = importlib.import_module("given.stories")
    weights = {name: _rounded(weight.numpy()) for name, weight in stories.read_weights().items()}
    return {"words": stories.read_words(), "head": PRONOUN_HEAD, "weights": weights}


def _rounded(weight: np.ndarray) -> dict[str, Any]:
    """Return a matrix as one scale per row, and integers from 1 to 255 (128 is zero) as Base64."""
    rows = np.atleast_2d(weight)
    scales = [float(f"{scale:.4g}") for scale in np.abs(rows).max(axis=1) / 127]
    numbers = np.rint(rows / np.array(scales)[:, None]).clip(-127, 127) + 128
    return {"scales": scales, "bytes": base64.b64encode(numbers.astype(np.uint8).tobytes()).decode()}


def encode(shares: np.ndarray) -> str:
    """Return numbers from 0 to 1 as bytes from 0 to 255, in Base64."""
    return base64.b64encode(np.rint(255 * shares).astype(np.uint8).tobytes()).decode()


COMPUTED = {
    ("attention-map", "pronouns"): partial(attention, PRONOUNS, HEAD),
    ("attention-map", "trained"): partial(attention, TRAINED),
    ("learning", None): learning,
    ("next-letter", None): next_letter,
    ("story", None): story,
}


def main() -> None:
    """Write the data files of all figures, or of those whose names are in `sys.argv`."""
    sys.path[:0] = [str(curriculum.SOLUTIONS), str(curriculum.EXERCISES)]
    for (name, example), compute in COMPUTED.items():
        if sys.argv[1:] and name not in sys.argv:
            continue
        path = figures.find_data_file(name, example)
        path.parent.mkdir(exist_ok=True)
        data = json.dumps(compute(), ensure_ascii=False, separators=(",", ":"))
        path.write_text(f"figures.data[{json.dumps(figures.make_key(name, example))}] = {data};\n", encoding="utf-8")


if __name__ == "__main__":
    main()

"""Training of a language model on a text, with your functions. Batches, time limit, measuring and saving are here.

    python -m given.training                     # Alice's Adventures in Wonderland
    python -m given.training letters.txt         # any text of yours, in UTF-8

Run this in the folder of the chapters. It trains the model that `write.py` defines, saves it in the folder `writing`,
and continues a training that was interrupted. It needs torch.
"""

import argparse
import hashlib
import json
import os
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.optim import Optimizer

from given import ALICE
from given.errors import GivenError, TextError
from given.progress import track
from given.yours import yours

BATCH, LENGTH = 12, 96  # pieces of text in a batch, and characters in each piece that the model reads
RATE, WARM_UP_STEPS = 3e-3, 50
STEPS, FEWEST_STEPS, MAX_SECONDS = 1200, 200, 110
SHOWN = (0, 50, 200, 1200)  # numbers of steps after which the model writes a sample
MIN_CHARACTERS, MAX_BYTES = 5000, 50 << 20
FOLDER = Path("writing")
TOLD = ("losses", "held_back", "samples", "seconds", "steps")  # results of a training

# These are the types of a learner's functions.
TrainStep = Callable[[nn.Module, Optimizer, Tensor], float]
Loss = Callable[[Tensor, Tensor], Tensor]
Write = Callable[[nn.Module, Tensor, int], Tensor]


class Text:
    """A text as numbers, one for each character: nine tenths to learn from, and the last tenth held back.

    Attributes
    ----------
    characters : list of str
        All characters of the text, sorted. The number of a character is its index here.
    practice, held_back : Tensor of int64, shape (n,)
    prompt : str
        The beginning of samples. By default, the first two words of the longest line.
    """

    def __init__(self, path: str | os.PathLike[str], prompt: str = "") -> None:
        self.name, text = Path(path).stem, read_text(path)
        self.digest = hashlib.sha256(text.encode()).hexdigest()
        self.characters = sorted(set(text))
        cut = len(text) * 9 // 10
        self.prompt = prompt or " ".join(max(text[:cut].splitlines(), key=len)[:60].split(" ")[:2]) + " "
        self.practice, self.held_back = self.numbers(text[:cut]), self.numbers(text[cut:])

    def numbers(self, text: str) -> Tensor:
        """Return the numbers of a text's characters, shape (n,). Raises `TextError` for an unknown character."""
        places = {character: place for place, character in enumerate(self.characters)}
        if unknown := set(text) - set(places):
            raise TextError(f"The character {min(unknown)!r} does not occur in {self.name}: the model cannot know it.")
        return torch.tensor([places[character] for character in text])

    def string(self, numbers: Tensor) -> str:
        """Return the text for numbers of characters."""
        return "".join(self.characters[number] for number in numbers.tolist())

    def batch(self) -> Tensor:
        """Return random pieces of the part to learn from."""
        starts = torch.randint(len(self.practice) - LENGTH, (BATCH, 1))
        return self.practice[starts + torch.arange(LENGTH + 1)]

    def exam(self) -> Tensor:
        """Return the held-back part in consecutive pieces."""
        return self.held_back[: len(self.held_back) // (LENGTH + 1) * (LENGTH + 1)].reshape(-1, LENGTH + 1)

    def counted(self) -> tuple[float, float]:
        """Return the held-back losses of two simple predictions: from counts of characters, and of character pairs."""
        size = len(self.characters)
        letters = self.practice.bincount(minlength=size) + 1.0
        pairs = torch.full((size, size), 0.1)
        pairs.index_put_((self.practice[:-1], self.practice[1:]), torch.tensor(1.0), accumulate=True)
        before, after = self.held_back[:-1], self.held_back[1:]
        of_letters = (letters / letters.sum())[after]
        of_pairs = (pairs / pairs.sum(dim=1, keepdim=True))[before, after]
        return -of_letters.log().mean().item(), -of_pairs.log().mean().item()


def read_text(path: str | os.PathLike[str]) -> str:
    """Return the text of a file. Raises `TextError`, with the reason, if it cannot be used."""
    path = Path(path)
    if path.exists() and not path.is_file():  # A pipe or a device may never end.
        raise TextError(f"{path} is no file: name a plain text.")
    try:
        if path.stat().st_size > MAX_BYTES:
            raise TextError(f"{path} is larger than {MAX_BYTES >> 20} MB, more than can be learned here: take a part.")
        text = path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except OSError as error:
        raise TextError(f"{path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise TextError(f"{path} is no text in UTF-8: save it as plain text, in UTF-8.") from None
    if "\0" in text:
        raise TextError(f"{path} is no text: it has bytes of 0 in it.")
    if len(text) < MIN_CHARACTERS:
        raise TextError(f"{path} has {len(text):,} characters. There is little to learn below {MIN_CHARACTERS:,}.")
    return text


def held_back_loss(model: nn.Module, text: Text, loss: Loss) -> float:
    """Return the loss on the held-back part of the text."""
    model.eval()
    with torch.no_grad():
        losses = [loss(model(pieces), pieces).item() * len(pieces) for pieces in text.exam().split(32)]
    return sum(losses) / len(text.exam())


def learn(model: nn.Module, text: Text, train_step: TrainStep, steps: int, what: str) -> list[float]:
    """Train without saving anything, and return the loss of each step."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE)
    return [one_step(model, text, train_step, optimizer, step, steps) for step in track(range(steps), what)]


def one_step(model: nn.Module, text: Text, train_step: TrainStep, optimizer: Optimizer, step: int, steps: int) -> float:
    """Take one training step on random pieces. The learning rate rises for 50 steps and then falls towards 0."""
    optimizer.param_groups[0]["lr"] = RATE * min((step + 1) / WARM_UP_STEPS, 1 - step / steps)
    return train_step(model, optimizer, text.batch())


class Training:
    """A training on one text, which is saved on the way and can be continued.

    Parameters
    ----------
    path : str or pathlib.Path
        The file of a text in UTF-8.
    make_model : function
        Returns a model for a number of different characters.
    train_step, loss, write : function
        Yours: ``train_step(model, optimizer, tokens)``, ``loss(logits, tokens)``, and ``write(model, tokens, count)``,
        which returns these tokens and `count` more.
    steps : int
        The number of steps, or fewer (at least 200) if they would take longer than about two minutes.
    prompt : str
        The beginning of samples.
    folder : pathlib.Path

    Attributes
    ----------
    losses, held_back : list of float, list of (int, float)
        The loss of each step on its batch, and (step, loss) on the part that was held back.
    samples : list of (int, str)
        (step, text that the model wrote after this step)
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        make_model: Callable[[int], nn.Module],
        train_step: TrainStep,
        loss: Loss,
        write: Write,
        steps: int = STEPS,
        prompt: str = "",
        folder: str | os.PathLike[str] = FOLDER,
    ) -> None:
        torch.manual_seed(0)
        self.text, self.steps, self.folder = Text(path, prompt), steps, Path(folder)
        self.train_step, self.loss, self.write = train_step, loss, write
        self.model = make_model(len(self.text.characters))
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=RATE)
        self.losses, self.held_back, self.samples, self.seconds = [], [], [], 0.0

    @property
    def saved(self) -> Path:
        """Return the file of the saved training. Its results are in a file of the same name that ends in `.json`."""
        return self.folder / f"{self.text.name}.pt"

    def run(self) -> "Training":
        """Train, or continue a saved training, and return this training."""
        if self.saved.exists():
            self._load()
        if not self.losses:
            self._look()
        started, at = time.monotonic() - self.seconds, len(self.losses)
        for done in track(range(at, self.steps), f"learning from {self.text.name}"):
            if done >= self.steps:
                continue  # `_plan` has reduced the steps.
            step = self.model, self.text, self.train_step, self.optimizer, done, self.steps
            self.losses.append(one_step(*step))
            self.seconds = time.monotonic() - started
            if done == WARM_UP_STEPS - 1:
                self._plan()
            if len(self.losses) in (*SHOWN, self.steps) or len(self.losses) % 100 == 0:
                self._look()
                self._save()
        return self

    def _plan(self) -> None:
        """Reduce the number of steps if they would take too long."""
        most = int(MAX_SECONDS / self.seconds * len(self.losses)) // 100 * 100
        self.steps = min(self.steps, max(FEWEST_STEPS, most))

    def _look(self) -> None:
        step = len(self.losses)
        self.held_back.append((step, held_back_loss(self.model, self.text, self.loss)))
        if step in SHOWN or step == self.steps:
            tokens = self.write(self.model, self.text.numbers(self.text.prompt), 200)
            self.samples.append((step, self.text.string(tokens)))

    def _save(self) -> None:
        self.folder.mkdir(exist_ok=True)
        told = {name: getattr(self, name) for name in TOLD}
        state = {"model": self.model.state_dict(), "optimizer": self.optimizer.state_dict()}
        part = self.saved.with_suffix(".part")
        torch.save({**state, **told, "text": self.text.digest, "random": torch.get_rng_state()}, part)
        part.replace(self.saved)
        told |= {"text": self.text.name, "counted": self.text.counted()}
        self.saved.with_suffix(".json").write_text(json.dumps(told), encoding="utf-8")

    def _load(self) -> None:
        try:
            found = torch.load(self.saved, weights_only=True)
            if found["text"] != self.text.digest:
                return
            self.model.load_state_dict(found["model"])
            self.optimizer.load_state_dict(found["optimizer"])
            torch.set_rng_state(found["random"])
            told = {name: found[name] for name in TOLD}
        except Exception:  # The file is incomplete or of another model: start again.
            return
        vars(self).update(told)


def main() -> None:
    """Train the model that the chapters in the current folder define."""
    parser = argparse.ArgumentParser(description="Train your language model on a text.")
    parser.add_argument("text", nargs="?", default=ALICE, help="a file of plain text in UTF-8; Alice without it")
    parser.add_argument("--steps", type=int, default=STEPS, help=f"how many steps of training ({STEPS})")
    asked = parser.parse_args()
    try:
        names = "LanguageModel", "train_step", "next_token_loss", "continue_text"
        prompt = "Alice was " if asked.text == ALICE else ""
        training = Training(asked.text, *(yours("write", name) for name in names), asked.steps, prompt).run()
    except GivenError as error:
        sys.exit(str(error))
    except NotImplementedError as error:
        *_, (frame, line) = traceback.walk_tb(error.__traceback__)
        sys.exit(f"{Path(frame.f_code.co_filename).name}, line {line}, is still to do: the training needs it.")
    for step, sample in training.samples:
        print(f"\nafter {step:,} steps\n{sample}")
    (_, loss), (letters, pairs) = training.held_back[-1], training.text.counted()
    print(f"\nloss on what was held back: {loss:.2f}; by counting pairs of letters {pairs:.2f}, letters {letters:.2f}")
    print(f"saved in {training.folder.resolve()}; attn finish shows it")


if __name__ == "__main__":
    sys.path.insert(0, "")
    main()

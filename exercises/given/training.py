"""Trains a language model on a text, around functions of yours: batches, held-back part, clock and disk are here.

    python -m given.training                     # Alice's Adventures in Wonderland
    python -m given.training letters.txt         # any text of yours, in UTF-8

in the folder of the chapters trains what `write.py` defines there. What is saved lies in the folder `writing`; a
training that was cut short goes on where it was. Needs torch.
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

BATCH, LENGTH = 12, 96  # texts in a batch, and characters of each
RATE, WARM_UP_STEPS = 3e-3, 50
STEPS, FEWEST_STEPS, MAX_SECONDS = 1200, 200, 110
SHOWN = (0, 50, 200, 1200)  # after so many steps a sample is written
MIN_CHARACTERS, MAX_BYTES = 5000, 50 << 20
FOLDER = Path("writing")
TOLD = ("losses", "held_back", "samples", "seconds", "steps")  # what a training has come to

# A learner's own functions.
TrainStep = Callable[[nn.Module, Optimizer, Tensor], float]
Loss = Callable[[Tensor, Tensor], Tensor]
Write = Callable[[nn.Module, Tensor, int], Tensor]


class Text:
    """A text as numbers of its characters: nine tenths to learn from, and the last tenth held back.

    Attributes
    ----------
    characters : list of str
        All that occur; the number of a character is its place here.
    practice, held_back : Tensor of int64, shape (n,)
    prompt : str
        What samples begin with; unless it is given, the first words of the longest paragraph.
    """

    def __init__(self, path: str | os.PathLike[str], prompt: str = "") -> None:
        self.name, text = Path(path).stem, read_text(path)
        self.digest = hashlib.sha256(text.encode()).hexdigest()
        self.characters = sorted(set(text))
        cut = len(text) * 9 // 10
        self.prompt = prompt or " ".join(max(text[:cut].splitlines(), key=len)[:60].split(" ")[:2]) + " "
        self.practice, self.held_back = self.numbers(text[:cut]), self.numbers(text[cut:])

    def numbers(self, text: str) -> Tensor:
        """The numbers of a text's characters, shape (n,); `TextError` for one that does not occur in the whole."""
        places = {character: place for place, character in enumerate(self.characters)}
        if unknown := set(text) - set(places):
            raise TextError(f"The character {min(unknown)!r} does not occur in {self.name}: the model cannot know it.")
        return torch.tensor([places[character] for character in text])

    def string(self, numbers: Tensor) -> str:
        """The text of such numbers."""
        return "".join(self.characters[number] for number in numbers.tolist())

    def batch(self) -> Tensor:
        """Pieces of the part to learn from, drawn at random."""
        starts = torch.randint(len(self.practice) - LENGTH, (BATCH, 1))
        return self.practice[starts + torch.arange(LENGTH + 1)]

    def exam(self) -> Tensor:
        """The held-back part in pieces that follow each other."""
        return self.held_back[: len(self.held_back) // (LENGTH + 1) * (LENGTH + 1)].reshape(-1, LENGTH + 1)

    def counted(self) -> tuple[float, float]:
        """The loss on the held-back part of somebody who has only counted letters, and of one who counted pairs."""
        size = len(self.characters)
        letters = self.practice.bincount(minlength=size) + 1.0
        pairs = torch.full((size, size), 0.1)
        pairs.index_put_((self.practice[:-1], self.practice[1:]), torch.tensor(1.0), accumulate=True)
        before, after = self.held_back[:-1], self.held_back[1:]
        of_letters = (letters / letters.sum())[after]
        of_pairs = (pairs / pairs.sum(dim=1, keepdim=True))[before, after]
        return -of_letters.log().mean().item(), -of_pairs.log().mean().item()


def read_text(path: str | os.PathLike[str]) -> str:
    """The text of a file, or `TextError` with what is wrong with it."""
    path = Path(path)
    if path.exists() and not path.is_file():  # a pipe or a device may never end
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
    """The loss on the part that the model has not learned from."""
    model.eval()
    with torch.no_grad():
        losses = [loss(model(pieces), pieces).item() * len(pieces) for pieces in text.exam().split(32)]
    return sum(losses) / len(text.exam())


def learn(model: nn.Module, text: Text, train_step: TrainStep, steps: int, what: str) -> list[float]:
    """Train without saving anything; returns the loss of each step."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE)
    return [one_step(model, text, train_step, optimizer, step, steps) for step in track(range(steps), what)]


def one_step(model: nn.Module, text: Text, train_step: TrainStep, optimizer: Optimizer, step: int, steps: int) -> float:
    """One of many steps, on pieces drawn at random: the rate rises for 50 steps and then falls towards 0."""
    optimizer.param_groups[0]["lr"] = RATE * min((step + 1) / WARM_UP_STEPS, 1 - step / steps)
    return train_step(model, optimizer, text.batch())


class Training:
    """One training on one text, which is saved on the way and goes on where it was.

    Parameters
    ----------
    path : str or pathlib.Path
        A text in UTF-8.
    make_model : function
        Makes a model that knows so many characters.
    train_step, loss, write : function
        Yours: ``train_step(model, optimizer, tokens)``, ``loss(logits, tokens)``, and ``write(model, tokens, count)``,
        which returns these tokens and `count` more.
    steps : int
        As many at most: fewer where torch is so slow that it would take longer than two minutes.
    prompt : str
        What samples begin with.
    folder : pathlib.Path

    Attributes
    ----------
    losses, held_back : list of float, list of (int, float)
        The loss of each step on its batch, and (step, loss) on the part that was held back.
    samples : list of (int, str)
        What it wrote after so many steps.
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
        """Where it is saved; the same with `.json` is what it came to, for people and pages."""
        return self.folder / f"{self.text.name}.pt"

    def run(self) -> "Training":
        """Train, or go on; returns the training."""
        if self.saved.exists():
            self._load()
        if not self.losses:
            self._look()
        started, at = time.monotonic() - self.seconds, len(self.losses)
        for done in track(range(at, self.steps), f"learning from {self.text.name}"):
            if done >= self.steps:
                continue  # fewer were planned meanwhile
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
        """Make it fewer steps where so many would take too long."""
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
        except Exception:  # another model, or a file that was cut off: it begins anew
            return
        vars(self).update(told)


def main() -> None:
    """Train what the chapters in this folder define."""
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

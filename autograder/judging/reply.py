"""What one call gave back, to be questioned by a suite."""

import math

import numpy as np

from autograder.boundary.session import Refused, refusal
from autograder.chapters.text import cut
from autograder.judging.calls import Call
from autograder.judging.values.compare import LONG, Mismatch, as_array, compare
from autograder.judging.values.same import SUITE_RTOL
from autograder.judging.values.show import show
from autograder.worker.values import Described, Tensor

_FIVE_DIGITS = (
    "It is right to five digits and not to all, as where numbers are rounded, go through float32, or get a small one "
    "added."
)


class Reply:
    """What one call gave back, to be questioned. Every question raises `Mismatch` or `Refused`, or holds."""

    def __init__(self, call, answer):
        self.call, self._answer = call, answer

    @property
    def value(self):
        """The plain value that was returned."""
        if self.call.error is not None:
            refused = refusal(self.call.error, str(self.call), self.call.name, self._answer.known_names)
            refused.asked = self.call
            raise refused
        return self.call.value

    @property
    def array(self):
        """The returned numbers as an array."""
        return self._judged(lambda: as_array(self._returned()))

    def _returned(self):
        if self.value is None:
            raise Mismatch("returned", "returned None: perhaps a `return` is missing")
        return self.value

    def equals(self, expected, **tolerance):
        """The result is the expected one, up to form and float32 accuracy."""
        self.call.wanted = expected
        try:
            self._judged(lambda: compare(self.value, expected, **tolerance))
        except Mismatch as mismatch:
            if mismatch.rung == "values" and mismatch.rtol < SUITE_RTOL and _agrees(self.value, expected):
                mismatch.reason = _FIVE_DIGITS
            raise
        return self

    def satisfies(self, holds, sentence):
        """The returned array has a property.

        Parameters
        ----------
        holds : callable
            Takes the array, returns whether it is so.
        sentence : str
            The property, to follow "expected": "weights that sum to 1".
        """
        array = self.array

        def judge():
            try:
                with np.errstate(all="ignore"):
                    good = bool(holds(array))
            except (ValueError, IndexError, TypeError):  # a shape that the property cannot be asked of
                good = False
            if not good:
                raise Mismatch("property", f"should return {sentence}, and returned {cut(show(array), LONG)}", array)

        self._judged(judge)
        return self

    def flows_like(self, expected):
        """Gradients arrive where they should and are those that autograd finds for the reference.

        Parameters
        ----------
        expected : dict
            What ``solution.gradients(...)`` returned.
        """
        found = self.value

        def judge():
            pairs = zip(found["arguments"], expected["arguments"], strict=True)
            for number, (got, wanted) in enumerate(pairs, start=1):
                _compare_gradient(got, wanted, f"argument {number}")
            for name, wanted in expected["parameters"].items():
                if name not in found["parameters"]:
                    raise Mismatch("property", f"leave out {name}, which is no parameter that is trained")
                _compare_gradient(found["parameters"][name], wanted, f"the parameter {name}")

        self._judged(judge)
        return self

    def stays_within(self, why):
        """The measured call took no more than its limits.

        Parameters
        ----------
        why : str
            What the limits are, to follow the number that is allowed: "half of what the whole table takes".
        """
        (_, limits), exceeded = self.call.args, self.value
        for name, shape in exceeded.items():
            if name == "largest":
                size = f"{' x '.join(map(str, shape))} = {math.prod(shape):,}"
                found = f"made a tensor of {size} elements; allowed are {limits[name]:,}, {why}"
            else:
                what = {"held": "bytes at the same time", "made": "new numbers"}[name]
                found = f"{name} more than {limits[name]:,} {what}, {why}"
            self.fails(found)
        return self

    def shows(self, holds, sentence):
        """The returned picture, described as in `autograder.worker.describe`, has a property.

        Parameters
        ----------
        holds : callable
            Takes the description, returns whether it is so.
        sentence : str or callable
            What is wrong where it does not, starting with a verb: "has no title"; or a function of the description.
        """
        picture = self._judged(self._returned)
        if not (isinstance(picture, Described) and picture.kind == "axes"):
            self.fails(f"returned {show(picture)}, expected the Axes that it drew into", "type")
        try:
            good = bool(holds(picture.parts))
        except (ValueError, IndexError, TypeError):  # nothing drawn, or other sizes: the property cannot be asked of it
            good = False
        if not good:
            self.fails(sentence(picture.parts) if callable(sentence) else sentence)
        return self

    def leaves_arguments_alone(self):
        """The call changed none of its inputs."""
        self.value  # noqa: B018  (an error speaks first)
        if self.call.changed:
            which = "its argument" if len(self.call.args) == 1 else f"argument {self.call.changed[0] + 1}"
            self.fails(f"changed {which}: work on a copy", "arguments")
        return self

    def still_equals(self, expected):
        """The result is still the expected one after later calls: nothing overwrote it."""
        self.equals(expected)
        now = self._answer.look_again(self.call)

        def judge():
            try:
                compare(now, expected)
            except Mismatch as mismatch:
                sentence = "returned a result that the next call overwrote"
                reason = "A later call changed what this one had returned: give every call a result of its own."
                raise Mismatch("property", sentence, mismatch.got, expected, reason=reason) from None

        self._judged(judge)
        return self

    def is_new_each_time(self, expected, **tolerance):
        """The result is the expected one, and so is that of the same call after the first was overwritten."""
        method = "fill_" if isinstance(self.equals(expected, **tolerance).value, Tensor) else "fill"
        if isinstance(self.value, (Tensor, np.ndarray)):
            self._answer.take(Call(self.call.name, (0.0,), of=self.call, method=method))
            again = self._answer.take(Call(self.call.name, self.call.args, self.call.kwargs))
            if not again.array.any():
                mismatch = Mismatch("property", "returned the very array of an earlier call, which was filled with 0")
                mismatch.reason = "Whoever works on one result must not change the next: make a new one in each call."
                raise again._told(mismatch)
        return self

    def raises(self, error_type, mentions=""):
        """The call was refused with this type of error, whose message names something."""
        error, self.call.to_raise = self.call.error, error_type
        if error is None:
            found = f"returned {cut(show(self.call.value), LONG)}, expected it to raise {error_type}"
            self.fails(found)
        elif error_type not in error.get("kinds", ()) or mentions not in error["message"]:
            try:
                self.value  # noqa: B018  (tells what was raised)
            except Refused as refused:
                wanted = f"{error_type} whose message contains {mentions!r}" if mentions else error_type
                refused.finding = f"{refused.finding.rstrip('.')}, expected {wanted}."
                raise
        return self

    def fails(self, sentence, rung="property", reason=""):
        """Say that the result is not right.

        Parameters
        ----------
        sentence : str
            What is wrong, starting with a verb: "has no title".
        rung : str
            As in `autograder.judging.values.compare.Mismatch`.
        reason : str
            What it comes from, or leads to, as a sentence.
        """
        raise self._told(Mismatch(rung, sentence, reason=reason))

    def _judged(self, judge):
        try:
            return judge()
        except Mismatch as mismatch:
            self._told(mismatch)
            raise

    def _told(self, mismatch):
        mismatch.call, mismatch.axes = self.call, self._answer.shows
        return mismatch


def _agrees(value, expected):
    try:
        compare(value, expected)
    except Mismatch:
        return False
    return True


def _compare_gradient(got, wanted, what):
    if wanted is None:
        return
    if got is None:
        reason = "Something cuts the graph: `detach`, `.data`, `no_grad`, or a tensor made anew."
        raise Mismatch("property", f"never reach {what}", reason=reason)
    compare(got, wanted, rtol=1e-4, part=f"the gradient of {what}")

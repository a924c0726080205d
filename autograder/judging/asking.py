"""An answer as suites see it: a function, or a class, that runs somewhere else.

`Answer` is the fixture of that name. Calling it calls the exercise and gives a `Reply`, which suites question with
`equals`, `satisfies` and the rest. ``answer.build(...)`` makes an instance of a class and gives a `Built`, a handle to
be called in turn. `Reference` is the same over trusted code, with plain values in place of replies.
"""

import math
import time

import numpy as np

from autograder.boundary.channel import WorkerEnded
from autograder.boundary.session import Refused
from autograder.chapters.chapter import read_chapter
from autograder.chapters.text import clean
from autograder.judging.again import in_double_precision
from autograder.judging.biases import left_out, unseen, with_zeros
from autograder.judging.calls import Call
from autograder.judging.reply import Reply
from autograder.judging.values.compare import Mismatch
from autograder.worker.values import Described, Tensor

CALL_SECONDS = 5.0
EXERCISE_SECONDS = 20.0  # for all calls of one suite together
PATIENCE = 2  # calls that may end without a result before no more is asked
HASTY = 1  # the same where somebody sits and waits


class Answer:
    """The exercise of one answer.

    Attributes
    ----------
    calls : list of Call
        Everything that was asked so far, for the diagnosis.
    shows : tuple of str
        What rows and columns of its result are: see `autograder.chapters.chapter.Exercise`.
    """

    def __init__(self, name, session, known_names=(), seconds=None, shows=(), patience=PATIENCE):
        self.name, self.session, self.known_names = name, session, known_names
        self.shows, self.patience = shows, patience
        self.calls, self._begins, self._compared = [], True, time.thread_time()
        self.seconds, self.timeouts = EXERCISE_SECONDS if seconds is None else seconds, 0  # for all calls together
        self.seconds_left = self.seconds
        self.call_seconds = CALL_SECONDS if seconds is None else seconds / 4  # one endless loop leaves the rest some

    @classmethod
    def of(cls, exercise, session, patience=PATIENCE, seconds=None):
        """The answer to an exercise, in the time that its chapter allows it where no other is named."""
        known_names = [each.name for each in read_chapter(exercise.chapter).exercises]
        seconds = exercise.seconds if seconds is None else seconds
        return cls(exercise.name, session, known_names, seconds, exercise.shows, patience)

    def begin_test(self):
        """What is asked from here on has nothing to do with what was asked before."""
        self._begins = True
        self.session.restart()

    def __call__(self, *args, **kwargs):
        """Call the function."""
        return self.take(Call(self.name, args, kwargs))

    def build(self, *args, weights=None):
        """Make an instance of the class, in evaluation mode and with these weights if there are any.

        Parameters
        ----------
        *args : object
        weights : dict, optional
            Attribute path -> `Tensor`, such as ``{"Wq.weight": ...}``.
        """
        built = Built(self, self(*args))
        if weights:
            built.set(weights)
        return built

    def gradients(self, *args, results=(0,)):
        """Gradients of some results of the function with respect to its arguments; see `Reply.flows_like`."""
        return self.take(Call(self.name, (list(args), list(results)), kind="gradients"))

    def measure(self, *args, **limits):
        """What a call takes where that is more than the limits of `worker.memory.measure`; see `Reply.stays_within`."""
        return self.take(Call(self.name, (list(args), limits), kind="measure"))

    def take(self, call):
        """Have one call made; `Refused` where it ends the worker."""
        # What a result takes to be looked at is its own doing.
        compared, self._compared = self._compared, time.thread_time()
        self.seconds_left -= self._compared - compared
        if self.timeouts >= self.patience or self.seconds_left <= 0:
            raise Refused("timeout", "Not tried: earlier calls took all the time there is.")
        call.first, self._begins = self._begins, False
        self.calls.append(call)
        reply = self._ask(call.request(), call)
        call.value, call.error = reply.get("value"), reply.get("error")
        call.changed, call.ref = reply.get("changed", []), reply.get("ref")
        return Reply(call, self)

    def look_again(self, call):
        """The value of an earlier call as it is now, after later ones."""
        return self._ask(["again", call.ref], call).get("value")

    def repeat(self, calls):
        """Make the calls of another answer again; yields the new ones, in the same order."""
        made, without = {}, {}
        for call in calls:
            if call.first:
                self.session.restart()
            biases = without.get(id(call.of), {})
            args = with_zeros(call, biases)
            again = made[id(call)] = Call(self.name, args, call.kwargs, made.get(id(call.of)), call.method, call.kind)
            if args is call.args:
                again.inputs = call.inputs
            self.take(again)
            if biases := biases or left_out(call, again, calls):
                without[id(call)], again.value = biases, unseen(again, biases)
            yield again

    def _ask(self, request, call):
        started, waited, seconds = time.monotonic(), self.session.waited, min(self.call_seconds, self.seconds_left)
        try:
            return self.session.ask(request, seconds, call)
        except WorkerEnded as ended:
            sentence, reason = str(ended), ended.reason
            if ended.outcome == "timeout":
                self.timeouts += 1
                if seconds < self.call_seconds:
                    sentence = (
                        f"gave no result before the {self.seconds:g} seconds were over that all calls have together"
                    )
                    reason = "Each call takes too long, or one of them never ends."
            call.error = {"type": ended.outcome, "message": sentence, "where": []}
            refused = Refused(ended.outcome, f"{sentence}.", str(call), reason=reason)
            refused.asked = call
            raise refused from None
        finally:
            self.seconds_left -= time.monotonic() - started - (self.session.waited - waited)


class Built:
    """An instance that an answer made, to be called like the module it is."""

    def __init__(self, answer, reply):
        self._answer, self._reply = answer, reply
        reply.value  # noqa: B018  (an error speaks first)
        self.is_module = _is_module(reply.value)

    def __call__(self, *args, **kwargs):
        """Call the instance itself."""
        return self.method("", *args, **kwargs)

    def method(self, name, *args, **kwargs):
        """Call one of its methods."""
        return self._answer.take(Call(self._answer.name, args, kwargs, self._reply.call, name))

    def set(self, weights):
        """Set weights by attribute path; `Mismatch` names the first that is missing or has another shape."""
        call = Call(self._answer.name, (weights,), of=self._reply.call, kind="set")
        problems = self._answer.take(call).value
        if problems:
            path, found = problems[0]
            here = "is missing"
            if isinstance(found, tuple):
                here = f"has shape {found}, expected {weights[path].array.shape}"
            elif found is not None:
                here = f"is of type {clean(found)}, expected a parameter of shape {weights[path].array.shape}"
            others = self._other_names(weights, [path for path, found in problems if found is None])
            mismatch = Mismatch("attribute", f"was made, but its attribute {clean(path)} {here}{others}")
            mismatch.call = self._reply.call
            raise mismatch

    def _other_names(self, weights, missing):
        """The parameters that a module has under other names, and those that are missing, with their shapes."""
        if not (self.is_module and missing):
            return ""
        found = self._reply.value.parts["parameters"]
        others = {name: tuple(shape) for name, (shape, _) in found.items() if name not in weights}
        has = _listed(others) if others else "no parameters under other names" if found else "no parameters"
        if loose := self._reply.value.parts.get("loose"):
            kinds = ", ".join(f"{clean(name[:40])} ({clean(kind[:40])})" for name, kind in [*loose.items()][:3])
            has += f", and attributes that torch does not train: {kinds}"
        return f". It has {has}; expected {_listed({path: weights[path].array.shape for path in missing})}"

    def gradients(self, *args, results=(0,), method=""):
        """Gradients of some results, of the instance or of a method, for the arguments and the parameters."""
        call = Call(self._answer.name, (list(args), list(results)), {}, self._reply.call, method, "gradients")
        return self._answer.take(call)

    def measure(self, method, *args, **limits):
        """What a call of a method takes where that is more than the limits: see `Reply.stays_within`."""
        return self._answer.take(Call(self._answer.name, (list(args), limits), {}, self._reply.call, method, "measure"))

    @property
    def parameters(self):
        """Name -> shape of each parameter that is trained, as it is now; empty for what is no module."""
        now = self._answer.look_again(self._reply.call)
        return {name: tuple(shape) for name, (shape, _) in now.parts["parameters"].items()} if _is_module(now) else {}

    def has_parameters(self, shapes, optional=()):
        """The instance is a module that trains exactly these parameters.

        Parameters
        ----------
        shapes : dict
            Name -> shape.
        optional : dict
            The same for parameters that may be there as well.
        """
        problem = None
        if not self.is_module:
            problem = "is not an nn.Module: derive the class from it and call super().__init__()"
        else:
            found, known = self.parameters, {**dict(optional), **shapes}
            for name in [*shapes, *found]:
                if name not in found:
                    problem = f"has no parameter {name} that is trained"
                elif name not in known:
                    problem = f"has a parameter {clean(name)} too many"
                elif found[name] != known[name]:
                    problem = f"has a parameter {name} of shape {found[name]}, expected {known[name]}"
                if problem:
                    break
        if problem:
            mismatch = Mismatch("attribute", problem)
            mismatch.call = self._reply.call
            raise mismatch
        return self


def _listed(shapes, longest=3):
    """Names with their shapes: ``Wq.weight (6, 6), Wq.bias (6,)``."""
    parts = [f"{clean(name[:40])} {shape}" for name, shape in shapes.items()]
    return ", ".join(parts[:longest]) + (f" and {len(parts) - longest} more" if len(parts) > longest else "")


def _is_module(value):
    return isinstance(value, Described) and value.kind == "module"


class Reference:
    """Trusted code as a plain function, or a plain object: values in place of replies. An error in it is ours."""

    def __init__(self, name, session):
        session.restart()
        self._thing = Answer(name, session, seconds=math.inf)

    def __call__(self, *args, **kwargs):
        """The value that the function, or the object, returns."""
        return _value(self._thing(*args, **kwargs))

    def build(self, *args, weights=None):
        """An object in place of an instance of the class."""
        built = Reference.__new__(Reference)
        built._thing = self._thing.build(*args, weights=weights)
        return built

    def after(self, calls):
        """The value of the last of these calls, which were made of another answer, in double precision.

        What is not set is 0: the other answer may do without a bias that this one has.
        """
        self._thing.session.restart()
        made = {}
        for call in calls:
            args, of = in_double_precision(call.args), made.get(id(call.of))
            if call.kind == "set":
                shapes = {name: shape for name, (shape, _) in of.value.parts["parameters"].items()}
                args = ({name: Tensor(np.zeros(shape)) for name, shape in shapes.items()} | args[0],)
            made[id(call)] = again = Call(call.name, args, call.kwargs, of, call.method, call.kind)
            reply = self._thing.take(again)
        return _value(reply)

    def gradients(self, *args, **which):
        """What autograd makes of the reference."""
        return _value(self._thing.gradients(*args, **which))

    def method(self, name, *args, **kwargs):
        """The value that a method of the object returns."""
        return _value(self._thing.method(name, *args, **kwargs))


def _value(reply):
    if reply.call.error is not None:
        raise RuntimeError(f"the solution raised {reply.call.error['type']}: {reply.call.error['message']}")
    return reply.call.value

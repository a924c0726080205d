"""Guards that refuse banned functions when code of the answer calls them, even under a computed name.

`reading/shortcuts.py` finds banned names in the source, and guards find all other uses at run time. Before the answer
runs, the banned functions of libraries are replaced with wrappers, which raise an error if the answer calls them in an
exercise that bans them. Libraries and given code may call them. Operations that are implemented below Python cannot be
replaced, so torch's profiler records which ones a call computes.
"""

import functools
import importlib.machinery
import os
import sys
import types
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence

import numpy as np

from .reading.shortcuts import add_synonyms, is_banned_path, list_path_endings
from .runner import NOT_ALLOWED

_HOMES = (  # modules and classes that hold functions which an exercise may ban
    *("torch.nn", "torch.nn.functional", "torch", "torch.Tensor", "torch.nn.modules.activation"),
    *("torch.nn.modules.transformer", "torch._C._nn", "torch.autograd", "torch.func", "torch.autograd.functional"),
    *("torch.autograd.forward_ad", "torch._functorch.eager_transforms", "torch._functorch.apis"),
    *("numpy", "numpy.linalg"),
)
_PACKAGES = ("torch", "given", "numpy", "scipy")  # packages whose modules are also guarded if they are imported later
_FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, type(np.dot))
# Code in these files only calls functions that are passed to it, so the frame that called it counts as the caller.
_PASSING_ON = ("/torch/nn/modules/module.py", "/torch/nn/modules/container.py", "/torch/_functorch/")
_PASSING_ON += ("/torch/utils/_contextlib.py", "/functools.py", "/threading.py", "/concurrent/futures/")
WATCHED_OF_256, WATCHED_OF_256_LATER = 16, 2  # later: after MANY_EVENTS of an exercise
MANY_EVENTS = 1_000  # of the profiler, which records at least two for an operation

_LOADERS = (importlib.machinery.SourceFileLoader, importlib.machinery.ExtensionFileLoader)

_NotAllowed = type(NOT_ALLOWED, (Exception,), {})


class ProcessGuards:
    """The guards of one process. `refusal` is the first error that was raised, which counts even if it is caught."""

    def __init__(self) -> None:
        self.banned: dict[str, tuple[str, ...]] = {}
        self.namespace: dict | None = None
        self.places: Collection[str] = ()
        self.active: tuple[str, ...] = ()
        self.refusal: Exception | None = None
        self.starts: tuple[str, ...] = ()
        self.name, self.recorded = "", Counter[str]()  # recorded: exercise -> events in watched calls
        self.call_guarded: set[tuple[object, str]] = set()

    def set_bans(self, bans: dict[str, Iterable[str]], namespace: dict, places: Collection[str]) -> None:
        self.banned = {name: add_synonyms(paths) for name, paths in bans.items()}
        self.namespace, self.places = namespace, places
        self.guard_names({start for prefixes in self.banned.values() for start in prefixes})

    def guard_names(self, prefixes: Iterable[str]) -> None:
        """Guard all functions whose path, or a suffix of it, begins with one of these names, even if imported later."""
        new = tuple(set(prefixes) - set(self.starts))
        if new and not self.starts:
            sys.meta_path.insert(0, _GuardingFinder(self))
        self.starts += new
        for path_end, home, name in index_functions() if new else ():
            if path_end.startswith(new):
                self._guard_attribute(_import_owner(home), name, f"{home}.{name}")

    def guard_module(self, module: types.ModuleType) -> None:
        for name in list(vars(module)):
            if is_banned_path(f"{module.__name__}.{name}", self.starts):
                self._guard_attribute(module, name, f"{module.__name__}.{name}")

    def begin_exercise(self, name: str) -> None:
        self.name, self.active, self.refusal = name, self.banned.get(name, ()), None

    def watch_call(self, call: Callable[[], dict]) -> dict:
        """Return the reply to a call. In a sample of calls, record a refusal if the profiler sees a banned one."""
        # Watching makes operations three times slower. So watch the first call and a random share of the others, which
        # the answer cannot predict. The share is smaller for answers that compute each number on its own.
        share = WATCHED_OF_256 if self.recorded[self.name] < MANY_EVENTS else WATCHED_OF_256_LATER
        is_due = not self.recorded[self.name] or os.urandom(1)[0] < share
        if not (self.active and is_due and "torch" in sys.modules):
            return call()
        torch = sys.modules["torch"]
        kind, profiler = torch.autograd.ProfilerState.CPU, torch._C._autograd
        settings = (kind, False, False, False, False, False, torch._C._profiler._ExperimentalConfig())
        try:
            profiler._enable_profiler_legacy(torch.autograd.ProfilerConfig(*settings))
            outcome = call()
            events = [event.name() for thread in profiler._disable_profiler_legacy() for event in thread]
        except RuntimeError:  # The answer has started or stopped the profiler itself.
            self.refusal = self.refusal or RuntimeError(
                "what this call computes cannot be seen: leave torch's profiler alone"
            )
            return {}
        self.recorded[self.name] += len(events)
        pairs = ((op, "backward" if "ackward" in op else op.rpartition("::")[2]) for op in dict.fromkeys(events))
        if shortcut := next((op for op, end in pairs if is_banned_path(end, self.active)), ""):
            self.refusal = self.refusal or _NotAllowed(shortcut)
        return outcome

    def _guard_attribute(self, owner: object, name: str, path: str) -> None:
        attribute = vars(owner).get(name, getattr(owner, name, None))
        if isinstance(attribute, type):
            is_layer = "torch" in sys.modules and issubclass(attribute, sys.modules["torch"].nn.Module)
            for method in ("__init__", "forward") if is_layer else ():
                if method in vars(attribute):
                    self._guard_attribute(attribute, method, path)
        elif isinstance(attribute, _FUNCTIONS) and (owner, name) not in self.call_guarded:
            self.call_guarded.add((owner, name))
            setattr(owner, name, self._make_guard(attribute, path))

    def _make_guard(self, function: Callable, path: str) -> Callable:
        @functools.wraps(function)
        def call_guarded(*args: object, **kwargs: object) -> object:
            if self.active:
                self._check_caller(path, sys._getframe(1))
            return function(*args, **kwargs)

        del vars(call_guarded)["__wrapped__"]
        return call_guarded

    def _check_caller(self, path: str, frame: types.FrameType) -> None:
        if is_banned_path(path, self.active) and self._is_called_by_answer(frame):
            error = _NotAllowed(path)
            self.refusal = self.refusal or error
            raise error

    def _is_called_by_answer(self, frame: types.FrameType | None) -> bool:
        """Return whether the answer made a call. Frames of code that only calls functions passed to it are skipped."""
        while frame is not None:
            place = frame.f_code.co_filename
            if place in self.places or frame.f_globals is self.namespace:
                return True
            if not place.startswith("<") and not any(part in place.replace("\\", "/") for part in _PASSING_ON):
                return not place.startswith(_list_library_folders())
            frame = frame.f_back
        return True  # This stack belongs to a thread, and only answers start threads.


class _GuardingFinder:
    """An import finder that precedes Python's own, and guards modules when they are imported."""

    def __init__(self, guards: ProcessGuards) -> None:
        self.guards = guards

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return the spec of a library's module, with a loader that also guards the module; None for other modules."""
        finders = (finder for finder in sys.meta_path if finder is not self)
        if name.partition(".")[0] not in _PACKAGES:
            return None
        spec = next(filter(None, (finder.find_spec(name, path, target) for finder in finders)), None)
        if spec is not None and isinstance(spec.loader, _LOADERS):
            run = spec.loader.exec_module

            def run_guarded(module: types.ModuleType) -> None:
                run(module)
                self.guards.guard_module(module)

            vars(spec.loader)["exec_module"] = run_guarded
        return spec


@functools.cache
def _list_library_folders() -> tuple[str, ...]:
    """Return the folders of libraries. Code elsewhere, such as a module that an answer writes, is the answer's."""
    given_folders = getattr(sys.modules.get("given"), "__path__", ())
    return os.path.dirname(os.__file__), os.path.dirname(os.path.dirname(np.__file__)), *given_folders


@functools.cache
def index_functions() -> list[tuple[str, str, str]]:
    """Return (path suffix, home, name) of the callables in each home, an imported module or class of `_HOMES`."""
    homes = [home for home in _HOMES if home.partition(".")[0] in sys.modules and _import_owner(home) is not None]
    pairs = [(home, name) for home in homes for name, value in vars(_import_owner(home)).items() if callable(value)]
    return [(end, home, name) for home, name in pairs for end in list_path_endings(f"{home}.{name}")]


def _import_owner(home: str) -> object:
    try:
        return importlib.import_module(home)
    except ImportError:
        parent, _, name = home.rpartition(".")
        return getattr(sys.modules.get(parent), name, None)


GUARDS = ProcessGuards()  # the guards of this process

"""A session that uses a module of this process as the answer, with a real runner and wire format but no worker."""

import contextlib
import io

import numpy as np

from autograder.boundary.session import AnswerSession
from autograder.worker.runner import Runner
from autograder.worker.wire import decode_message, encode


class LocalSession(AnswerSession):
    """A session that uses a module of this process as the answer, for trusted code."""

    def __init__(self, module):
        self.runner = Runner(module.__name__)
        self.runner.module = module

    def ask(self, request, seconds, call):
        with np.errstate(all="ignore"), contextlib.redirect_stdout(io.StringIO()):
            return decode_message(encode(self.runner.handle_request(*decode_message(encode(request)))))

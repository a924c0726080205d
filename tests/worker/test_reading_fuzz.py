"""For all submitted bytes, a reading worker replies with plain data or a sentence."""

import io
import json
import os
import warnings
import zipfile

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autograder.chapters.chapter import read_chapter
from autograder.worker.reading import requests
from autograder.worker.reading.answers import MAX_CODE, UnreadableFile
from autograder.worker.reading.requests import Archive, ReadingService, pack_rows, unpack_rows
from autograder.worker.wire import decode_message, encode

some = settings(max_examples=100, deadline=5000, derandomize=True, suppress_health_check=list(HealthCheck))
EXERCISES = [(each.name, each.stub, list(each.bans)) for each in read_chapter("qkv").exercises]
NOTHING = pack_rows([])

LINES = r"""
def dot_attention(q, k, v):
    return q
    raise NotImplementedError
# %%
# %% exercise="x" points=[1,
# coding: utf-8
# -*- coding: latin-1 -*-
# coding: punycode
%matplotlib
x = !ls
import torch
from torch import *
class A(torch.nn.MultiheadAttention):
if x:
f'{
"""
SIGNS = ["(", ")", "'''", "\\", "\0", "\f", "\x1b[31m", "\u202e", "\ud800", "é", "!ls", "x?"]
words = st.sampled_from([*LINES.splitlines(), *SIGNS])
texts = st.lists(words | st.text(max_size=8), max_size=12).map("\n".join)
codings = st.sampled_from(
    ["utf-8", "utf-8-sig", "utf-16", "latin-1", "cp1252", "utf-7", "ascii", "shift_jis", "utf-32"]
)
scripts = st.builds(lambda text, coding: text.encode(coding, "replace"), texts, codings)

leaves = st.none() | st.booleans() | st.integers() | st.floats() | texts
anything = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
marks = st.fixed_dictionaries(
    {},
    optional={
        "grade_id": st.sampled_from(["softmax", ""]) | anything,
        "grade": st.booleans() | anything,
        "solution": st.booleans() | anything,
        "locked": anything,
        "points": st.floats() | st.integers() | anything,
        "schema_version": st.integers() | anything,
        "checksum": anything,
    },
)
cells = st.fixed_dictionaries(
    {"cell_type": st.sampled_from(["code", "markdown", "raw", "heading"]) | anything},
    optional={
        "source": texts | st.lists(texts, max_size=3) | anything,
        "input": texts | anything,
        "metadata": st.fixed_dictionaries({"nbgrader": marks | anything}) | anything,
        "outputs": anything,
        "attachments": anything,
    },
)
sheets = st.lists(st.fixed_dictionaries({"cells": st.lists(cells, max_size=3)}) | anything, max_size=2)
notebooks = st.fixed_dictionaries(
    {},
    optional={
        "cells": st.lists(cells, max_size=4) | anything,
        "worksheets": sheets,
        "nbformat": st.sampled_from([2, 3, 4, 5, 99]) | anything,
        "metadata": st.fixed_dictionaries(
            {},
            optional={
                "kernelspec": anything,
                "language_info": st.fixed_dictionaries({"name": texts}) | anything,
                "attn_unreadable": anything,
                "attn_arrived_as": anything,
            },
        )
        | anything,
    },
)
as_json = notebooks.map(lambda notebook: json.dumps(notebook).encode("utf-8", "surrogatepass"))

PATHS = ["../../etc/passwd", "/etc/passwd", "a/../../b", "C:\\x", "qkv.ipynb", "x/", ".", "..", "\u202excod.py"]
names = st.text(max_size=12) | st.sampled_from([*PATHS, "n" * 5000])


@st.composite
def zips(draw):
    """Return a zip file, intact or damaged."""
    file = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(file, "w") as archive:
        warnings.simplefilter("ignore")  # A duplicate name causes a warning.
        for name, data in draw(st.lists(st.tuples(names.filter(bool), scripts | as_json), max_size=4)):
            how = draw(st.sampled_from([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]))
            archive.writestr(zipfile.ZipInfo(name.encode("utf-8", "replace").decode()), data, how)
    return draw(damaged(st.just(file.getvalue())))


@st.composite
def damaged(draw, whole):
    """Return bytes drawn from `whole`, of which up to three pieces are changed, added, cut out or doubled."""
    data = bytearray(draw(whole))
    for _ in range(draw(st.integers(0, 3)) if data else 0):
        at, size = draw(st.integers(0, len(data))), draw(st.integers(0, 8))
        data[at : at + size] = draw(st.binary(max_size=8) | st.just(bytes(data[at : at + size]) * 2))
    return bytes(data)


def ask_service(kind, *rest, content):
    """Return the value in a reading service's reply, sent over the wire; None if `content` is unreadable."""
    reading = ReadingService()
    reading.handle_request("take", np.frombuffer(content, np.uint8))
    reply = decode_message(encode(reading.handle_request(kind, *rest)))
    assert set(reply) in ({"value"}, {"unreadable"})
    if "unreadable" in reply:
        assert type(reply["unreadable"]) is str and 0 < len(reply["unreadable"]) < 1000
    return reply.get("value")


@some
@given(damaged(scripts) | st.binary(max_size=200), st.sampled_from(["a.py", "qkv.py"]))
def test_damaged_scripts_are_read_within_limits(content, name):
    if reply := ask_service("answer", name, EXERCISES, NOTHING, content=content):
        rows = unpack_rows(reply["cells"])
        assert sum(len(source) for *_, source in rows) <= MAX_CODE
        assert all(at < len(rows) for at, _ in reply["found"]["definitions"].values())
        assert set(reply["found"]["untouched"]) <= {name for name, *_ in EXERCISES}


@some
@given(damaged(as_json) | as_json)
def test_damaged_notebooks_are_read_within_limits(content):
    reply = ask_service("answer", "", EXERCISES, NOTHING, content=content)
    if reply:
        for place, line, source in unpack_rows(reply["cells"]):
            assert (type(place), line, type(source)) == (str, 1, str)
            source.encode("utf-8")  # The source can be written and hashed.


@some
@given(damaged(as_json) | as_json | damaged(scripts), st.booleans())
def test_damaged_files_of_any_name_are_read_within_limits(content, is_script):
    for value in (ask_service("file", is_script, content=content), ask_service("bare", content=content)):
        for kind, kept, source in unpack_rows(value["cells"]):
            assert kind in ("code", "markdown") and type(source) is str
            assert all(type(part) in (str, bool, int, float) for part in kept.values())
            json.dumps(kept, allow_nan=False)
        assert type(value["why"]) is str
    assert ask_service("is_made", content=content) in (True, False)
    value = ask_service("runs", ["softmax", "A"], content=content)
    assert all(type(each) is np.ndarray for each in value.values())


@some
@given(zips() | damaged(zips()) | st.binary(max_size=100))
def test_damaged_zip_files_are_read_within_limits(content):
    before = sorted(os.listdir())
    try:
        archive = Archive(content)
    except UnreadableFile as error:
        assert 0 < len(str(error)) < 1000
        return
    for number, (_, name) in enumerate(archive.list_members()):
        assert len(name) <= requests.MAX_MEMBER_NAME
        try:
            assert len(archive.read_piece(number)) <= requests.PIECE_BYTES
        except UnreadableFile as error:
            assert 0 < len(str(error)) < 1000
    assert sorted(os.listdir()) == before

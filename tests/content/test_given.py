"""The files in `given` are correct, and a download is complete or absent, whatever the server and the disk do."""

import contextlib
import errno
import hashlib
import importlib
import io
import os
import random
import re
import subprocess
import sys
import tracemalloc
import zipfile

import numpy as np
import pytest

from autograder.chapters import curriculum
from autograder.chapters.chapter import read_chapter
from given import PROSE, SMALL_GLOVE, corpora, download, errors, glove, make_prose, make_small_glove
from given.word2vec import load_word2vec
from support.file_server import serve_body

MEMBER = "glove.6B.50d.txt"
HALF = 300_000  # bytes; the archive has about 600,000


def make_zip(name=MEMBER, seed=0, size=600_000):
    text = random.Random(seed).randbytes(size)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, text)
    return buffer.getvalue(), text


ARCHIVE, TEXT = make_zip()


@pytest.fixture
def server(monkeypatch):
    with serve_body(ARCHIVE) as running:
        monkeypatch.setattr(glove, "URL", running.url)
        yield running


@pytest.fixture
def cache(tmp_path):
    return tmp_path / "cache"


def list_names(folder):
    return sorted(path.name for path in folder.iterdir())


def assert_fails(error, cache, match=None, **options):
    """Check that the download fails with one sentence and leaves no file that a later run would take for complete."""
    with pytest.raises(error, match=match) as error_info:
        glove.download_glove("6B", cache, **options)
    message = str(error_info.value)
    assert message.endswith(".") and "\n" not in message
    assert not [name for name in list_names(cache) if not name.endswith((".part", ".version"))]


def assert_succeeds(cache, text=TEXT):
    path = glove.download_glove("6B", cache)
    assert path == cache / MEMBER
    assert path.read_bytes() == text
    assert list_names(cache) == [MEMBER, "glove.6B.zip"]


def test_a_download_is_not_repeated(server, cache):
    assert_succeeds(cache)
    (cache / "glove.6B.zip").unlink()
    assert glove.download_glove("6B", cache).read_bytes() == TEXT
    assert server.requests == [None]


OTHER, SHORTER = make_zip(seed=1)[0], make_zip(seed=1, size=1000)[0]
DAMAGED = ARCHIVE[:HALF] + bytes([ARCHIVE[HALF] ^ 1]) + ARCHIVE[HALF + 1 :]
WELL = {"body": ARCHIVE, "cut": None, "announced": None, "total": None, "status": None, "stall": 0}
BROKEN = ({"cut": HALF}, errors.LengthError, "goes on from there")
# Server's behaviour -> attempts (settings; if the download fails, error, message, files left), and its status codes.
STORIES = {
    "breaks off": ([BROKEN, (WELL,)], [200, 206]),
    "breaks off, and announced no length": (
        [({"chunked": True, "cut": HALF}, errors.NetworkError, "broke off"), (WELL,)],
        [200, 206],
    ),
    "falls silent": ([({"cut": HALF, "stall": 0.5}, *BROKEN[1:]), (WELL,)], [200, 206]),
    "has a weak tag and a date": (
        [({"tag": 'W/"one"', "modified": "Sat, 01 Jan 2022 00:00:00 GMT"} | BROKEN[0], *BROKEN[1:]), (WELL,)],
        [200, 206],
    ),
    "has no name for a version": ([({"tag": ""} | BROKEN[0], *BROKEN[1:]), (WELL | {"body": OTHER},)], [200, 200]),
    "knows no ranges": ([BROKEN, (WELL | {"ignores": {"Range"}},)], [200, 200]),
    "has another file meanwhile": (
        [BROKEN, ({"body": OTHER, "tag": '"two"'}, *BROKEN[1:]), (WELL | {"body": OTHER},)],
        [200, 200, 206],
    ),
    "sends another range": ([BROKEN, (WELL | {"shift": 1000},)], [200, 206, 200]),
    "has a shorter file, and no If-Range": (
        [BROKEN, (WELL | {"body": SHORTER, "ignores": {"If-Range"}},)],
        [200, 416, 200],
    ),
    "announces too much": (
        [({"announced": len(ARCHIVE) + 1000}, errors.LengthError, f"of {len(ARCHIVE) + 1000} bytes"), (WELL,)],
        None,
    ),
    "sends more than the range": (
        [BROKEN, (WELL | {"total": len(ARCHIVE) - 1000}, errors.LengthError, "sent more", []), (WELL,)],
        None,
    ),
    "asks to sign in": ([({"body": b"<html>Sign in</html>"}, errors.ArchiveError, "no zip file"), (WELL,)], None),
    "sends a broken archive": (
        [({"body": b"PK\x03\x04" + bytes(1000)}, errors.ArchiveError, "no zip file"), (WELL,)],
        None,
    ),
    "damages a byte": ([({"body": DAMAGED}, errors.ArchiveError, "damaged", []), (WELL,)], None),
    "is down for a while": ([BROKEN, ({"status": 503}, errors.StatusError), (WELL,)], [200, 503, 206]),
} | {
    f"answers {status}": ([({"status": status}, errors.StatusError, str(status))], [status])
    for status in (403, 404, 500, 204)
} | {
    f"packs {name}": ([({"body": make_zip(name)[0]}, errors.ArchiveError, f"no {MEMBER}", [])], None)
    for name in (f"../{MEMBER}", f"/tmp/{MEMBER}", f"..\\{MEMBER}", "other.txt")
}  # fmt: skip


@pytest.mark.parametrize("story", STORIES)
def test_a_download_is_complete_or_absent_for_any_server(server, cache, tmp_path, monkeypatch, story):
    monkeypatch.setattr(download, "TIMEOUT", 0.1 if story == "falls silent" else download.TIMEOUT)
    attempts, statuses = STORIES[story]
    for settings, *failure in attempts:
        for name, value in settings.items():
            setattr(server, name, value)
        if failure:
            assert_fails(failure[0], cache, *failure[1:2])
            assert list_names(cache) == failure[2] if len(failure) > 2 else True
        else:
            assert_succeeds(cache, zipfile.ZipFile(io.BytesIO(server.body)).read(MEMBER))
    assert list_names(tmp_path) == ["cache"]
    assert server.statuses == statuses if statuses else True


def test_a_complete_download_without_its_name_is_used(server, cache):
    cache.mkdir()
    (cache / "glove.6B.zip.part").write_bytes(ARCHIVE)
    (cache / "glove.6B.zip.version").write_text(server.tag)
    assert_succeeds(cache)
    assert server.requests == [f"bytes={len(ARCHIVE)}-"]  # The server answers 416, so nothing is downloaded again.


def test_a_missing_network_is_reported(cache, monkeypatch):
    monkeypatch.setattr(glove, "URL", "http://127.0.0.1:1/")
    assert_fails(errors.NetworkError, cache, "look at your connection")


def test_a_wrong_checksum_is_refused(server, cache):
    assert_fails(errors.ChecksumError, cache, hashlib.sha256(ARCHIVE).hexdigest(), sha256="0" * 64)
    glove.download_glove("6B", cache, sha256=hashlib.sha256(ARCHIVE).hexdigest().upper())
    assert_succeeds(cache)


@contextlib.contextmanager
def file_size_limit(size):
    """Simulate a full disk: the system refuses to let a file grow further."""
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_is_reported_while_downloading(server, cache):
    with file_size_limit(HALF):
        assert_fails(errors.DiskFullError, cache, "no room left")
    assert_succeeds(cache)
    assert server.requests == [None, f"bytes={HALF}-"]


def test_a_full_disk_is_reported_while_unpacking(server, cache):
    text = bytes(3 * len(ARCHIVE))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(MEMBER, text)
    server.body = buffer.getvalue()
    with file_size_limit(HALF), pytest.raises(errors.DiskFullError):
        glove.download_glove("6B", cache)
    assert list_names(cache) == ["glove.6B.zip"]
    assert_succeeds(cache, text)
    assert len(server.requests) == 1


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT, errno.EACCES])
def test_disk_errors_say_what_to_do(cache, code):
    expected = errors.DiskError if code == errno.EACCES else errors.DiskFullError
    with pytest.raises(errors.DiskError) as error_info, download.writing_in(cache):
        raise OSError(code, os.strerror(code))
    assert type(error_info.value) is expected and str(cache) in str(error_info.value)


def test_a_cache_that_is_a_file_is_reported(server, cache):
    cache.write_text("")
    with pytest.raises(errors.DiskError, match="choose another folder"):
        glove.download_glove("6B", cache)


def test_a_kill_while_unpacking_leaves_no_broken_file(server, cache, monkeypatch):
    def killed(*paths):
        raise KeyboardInterrupt

    glove.download_glove("6B", cache).unlink()
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr("given.archive.settle", killed)
        glove.download_glove("6B", cache)
    assert list_names(cache) == ["glove.6B.zip"]
    assert_succeeds(cache)


def test_the_environment_names_the_folder(server, cache, monkeypatch):
    monkeypatch.setenv("ATTENTION_CACHE", str(cache))
    assert glove.download_glove("6B") == cache / MEMBER
    monkeypatch.delenv("ATTENTION_CACHE")
    assert download.cache_folder().name == "attention-exercises"


def test_other_widths_and_sets_are_downloaded(server, cache):
    server.body, text = make_zip("glove.840B.300d.txt")
    assert glove.download_glove("840B", cache).read_bytes() == text
    server.body, text = make_zip("glove.twitter.27B.100d.txt")
    assert glove.download_glove("27B", cache, width=100).read_bytes() == text
    with pytest.raises(errors.GivenError, match="6B, 42B, 840B, 27B"):
        glove.download_glove("7B", cache)
    with pytest.raises(errors.GivenError, match="50, 100, 200, 300"):
        glove.download_glove("6B", cache, width=60)


def test_the_command_prints_the_path_or_the_error(server, cache, capsys, monkeypatch):
    assert glove.main(["6B", "--cache", str(cache)]) == 0
    assert capsys.readouterr().out == f"{cache / MEMBER}\n"
    assert glove.main(["6B", "--cache", str(cache), "--width", "7"]) == 1
    assert "no vectors of 7 numbers" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="2"):
        glove.main(["7B"])


def test_an_interrupted_download_continues(server, cache, capsys, monkeypatch):
    @contextlib.contextmanager
    def progress(title, total, done):
        def advance(size):
            raise KeyboardInterrupt

        yield advance

    importlib.import_module("given.archive")  # Import the module before `progress` is patched.
    with monkeypatch.context() as patch:
        patch.setattr(download, "progress", progress)
        assert glove.main(["6B", "--cache", str(cache)]) == 130
    assert "goes on from here" in capsys.readouterr().err
    assert_succeeds(cache)
    assert server.requests == [None, f"bytes={download.CHUNK}-"]


def test_importing_given_modules_needs_only_numpy():
    code = (
        "import sys, given.corpora, given.glove, given.word2vec, given.make_small_glove\n"
        "print([name for name in ('requests', 'rich', 'platformdirs', 'torch', 'seaborn') if name in sys.modules])"
    )
    process = subprocess.run([sys.executable, "-c", code], cwd=curriculum.EXERCISES, capture_output=True, text=True)
    assert process.stdout == "[]\n", process.stderr


def written(tmp_path, content):
    path = tmp_path / "vectors.txt"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_load_glove_reads_words_with_spaces(tmp_path):
    path = written(tmp_path, "the 0.5 -1\n. . . 1 2\n\xa0 3 4\n\x85 5 6\nThe 7 8\r\n")
    vectors = glove.load_glove(path)
    assert {word: vector.tolist() for word, vector in vectors.items()} == {
        "the": [0.5, -1],
        ". . .": [1, 2],
        "\xa0": [3, 4],
        "\x85": [5, 6],
        "The": [7, 8],
    }
    assert {vector.dtype for vector in vectors.values()} == {np.dtype("float32")}
    assert list(glove.load_glove(path, words=["THE", ". . ."])) == ["the", ". . ."]
    assert set(glove.load_glove(path, words=["The"])) == {"the", "The"}
    assert glove.load_glove(written(tmp_path, "")) == {}


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ("of 1", "a word and 2 numbers"),
        ("", "a word and 2 numbers"),
        ("of 1 x", "could not convert"),
        ("of 1 nan", "finite"),
        ("of 1 1e40", "finite"),
        (b"\xff 1 2", "UTF-8"),
    ],
)
def test_a_malformed_line_is_named(tmp_path, bad, reason):
    bad = bad if isinstance(bad, bytes) else bad.encode()
    path = written(tmp_path, b"the 1 2\nand 3 4\n" + bad + b"\nin 5 6\n")
    with pytest.raises(ValueError, match=rf"vectors.txt, line 3: .*{reason}") as error_info:
        glove.load_glove(path)
    assert isinstance(error_info.value, errors.FormatError)


def test_a_first_line_without_numbers_is_refused(tmp_path):
    with pytest.raises(errors.FormatError, match="line 1"):
        glove.load_glove(written(tmp_path, "the\nof\n"))


def peak_memory(call):
    tracemalloc.start()
    try:
        result = call()
        return result, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.slow
def test_three_words_of_a_large_file_need_little_memory(tmp_path):
    path, numbers = tmp_path / "large.txt", " 0.12345678" * 300
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(f"word{i}{numbers}\n" for i in range(10_000))
    assert path.stat().st_size > 30e6
    vectors, peak = peak_memory(lambda: glove.load_glove(path, words=["word0", "word5000", "word9999"]))
    assert list(vectors) == ["word0", "word5000", "word9999"]
    assert peak < 1e6


def test_file_without_line_ends_needs_little_memory(tmp_path):
    path = written(tmp_path, bytes(30_000_000))

    def load():
        with pytest.raises(errors.FormatError, match="line 1: it is too long"):
            glove.load_glove(path)

    assert peak_memory(load)[1] < 5e6


def test_load_word2vec_reads_words_with_spaces(tmp_path):
    path = written(tmp_path, "3 2\nthe 0.5 -1 \nNew York 1 2 \r\nThe 3 4\n")
    assert {word: vector.tolist() for word, vector in load_word2vec(path).items()} == {
        "the": [0.5, -1],
        "New York": [1, 2],
        "The": [3, 4],
    }
    assert list(load_word2vec(path, words=["THE"])) == ["the"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "line 1"),
        ("the 1 2\n", "line 1"),
        ("2 2\nthe 1 2\n", "promises 2 vectors, but 1 follow"),
        ("1 2\nthe 1 2\nof 3 4\n", "promises 1 vectors, but 2 follow"),
        ("2 2\nthe 1 2\nof 3\n", "line 3"),
        ("2 0\nthe\nof\n", "line 2"),
    ],
)
def test_a_malformed_word2vec_file_is_refused(tmp_path, content, reason):
    with pytest.raises(errors.FormatError, match=rf"vectors.txt, .*{reason}"):
        load_word2vec(written(tmp_path, content))


def test_small_glove_equals_the_output_of_its_script():
    assert SMALL_GLOVE.read_bytes() == make_small_glove.small_glove().encode()


def test_toy_corpora_have_one_hot_vectors():
    assert corpora.CORPUS_A[0] == "one is one" and corpora.CORPUS_B[0] == "1 la 1"
    assert len(corpora.CORPUS_A) == len(corpora.CORPUS_B) == 9
    for corpus, embed in (corpora.CORPUS_A, corpora.EMBED_A), (corpora.CORPUS_B, corpora.EMBED_B):
        assert {word for sentence in corpus for word in sentence.split()} == set(embed)
        np.testing.assert_array_equal(sorted(embed.values()), np.eye(10)[::-1])
    assert corpora.EMBED_A["one"].index(1.0) == 1 and corpora.EMBED_B["1"].index(1.0) == 8


def test_the_text_to_learn_from_is_plain_and_comes_from_the_chapters():
    text = PROSE.read_text(encoding="utf-8")
    assert text.isascii() and not set(text) & set("`*_$#<>|{}[]") and len(text.split()) > 10_000
    chapters = [(curriculum.SOLUTIONS / f"{name}.py").read_text(encoding="utf-8") for name in curriculum.CHAPTERS]
    # Small differences from the chapters are allowed, because new text would change the vectors learned from it.
    words, known = re.findall("[a-z]+", text.lower()), {*re.findall("[a-z]+", make_prose.prose(chapters).lower())}
    assert sum(word in known for word in words) > 0.97 * len(words), "run exercises/given/make_prose.py"


def test_the_chapter_is_right_about_vectors_learned_from_the_text():
    cell = next(cell.source for cell in read_chapter("embeddings").cells if "more_than_chance" in cell.source)
    space = {"re": re, "np": np}
    helper = next(cell.source for cell in read_chapter("embeddings").cells if "def nearest" in cell.source)
    exec(helper.partition("\ntopics = ")[0], space)
    exec(cell.partition("\nshown = ")[0], space)
    list_names, learned = space["vocabulary"], space["learned"]
    for word, neighbour in ("query", "key"), ("queries", "keys"):  # The chapter shows the four nearest words.
        assert neighbour in space["nearest"](learned[list_names.index(word)], list_names, learned, 5)[1:]

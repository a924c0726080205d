"""Safe file access next to other people's files: no links, no blocking, atomic writes, and locks."""

import os
import stat
import threading

import pytest

from autograder.chapters.errors import UnreadableAnswer
from autograder.chapters.files import lock_file, read_plain, write_file
from autograder.study.progress import Progress


def test_a_file_is_read(tmp_path):
    (tmp_path / "a").write_bytes(b"text")
    assert read_plain(tmp_path / "a", 4) == b"text"
    with pytest.raises(UnreadableAnswer, match="a is larger than"):
        read_plain(tmp_path / "a", 3)


@pytest.mark.parametrize("kind", ["link", "dangling", "pipe", "folder", "device", "missing"])
def test_a_path_that_is_not_a_file_is_refused_at_once(tmp_path, kind):
    path = tmp_path / kind
    make = {
        "link": lambda: path.symlink_to(__file__),
        "dangling": lambda: path.symlink_to(tmp_path / "nowhere"),
        "pipe": lambda: os.mkfifo(path),
        "folder": path.mkdir,
        "device": lambda: path.symlink_to("/dev/zero"),
        "missing": lambda: None,
    }
    make[kind]()
    with pytest.raises(UnreadableAnswer, match=kind):
        read_plain(path, 100)


@pytest.mark.parametrize("before", ["nothing", "file", "link", "dangling", "pipe"])
def test_a_file_is_written_whole_and_through_nothing(tmp_path, before):
    path, other = tmp_path / "made", tmp_path / "other"
    other.write_text("precious")
    make = {
        "nothing": lambda: None,
        "file": lambda: (path.write_text("old"), path.chmod(0o640)),
        "link": lambda: path.symlink_to(other),
        "dangling": lambda: path.symlink_to(tmp_path / "through"),
        "pipe": lambda: os.mkfifo(path),
    }
    make[before]()
    write_file(path, "n\u00e9w\n")
    assert path.read_bytes() == "n\u00e9w\n".encode() and not path.is_symlink()
    assert other.read_text() == "precious" and not (tmp_path / "through").exists()
    assert stat.S_IMODE(path.stat().st_mode) == (0o640 if before == "file" else 0o666 & ~_umask())
    assert {each.name for each in tmp_path.iterdir()} == {"made", "other"}


def test_a_failed_write_keeps_the_old_file(tmp_path):
    (tmp_path / "made").mkdir()
    with pytest.raises(OSError):
        write_file(tmp_path / "made", b"new")
    with pytest.raises(UnicodeEncodeError):
        write_file(tmp_path / "text", "\ud800")
    assert [each.name for each in tmp_path.iterdir()] == ["made"]


def _umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_a_lock_has_only_one_holder(tmp_path):
    with lock_file(tmp_path / "lock"), pytest.raises(TimeoutError), lock_file(tmp_path / "lock"):
        pass
    with lock_file(tmp_path / "lock"):
        pass


def test_a_lock_empties_no_other_file(tmp_path):
    (tmp_path / "precious").write_text("precious")
    (tmp_path / "lock").symlink_to(tmp_path / "precious")
    with lock_file(tmp_path / "lock"):
        assert (tmp_path / "precious").read_text() == "precious"


@pytest.mark.parametrize("name", ["progress.json", "progress.lock"])
@pytest.mark.parametrize("kind", ["pipe", "link"])
def test_progress_waits_for_no_pipe_and_writes_through_no_link(tmp_path, name, kind):
    other = tmp_path / "other"
    other.write_text("precious")
    folder = tmp_path / ".attn"
    folder.mkdir()
    os.mkfifo(folder / name) if kind == "pipe" else (folder / name).symlink_to(other)
    messages = []
    kept = threading.Thread(
        target=lambda: Progress(folder, messages.append).change(lambda known: known.update(softmax={"hints": 1})),
        daemon=True,
    )
    kept.start()
    kept.join(15)
    assert not kept.is_alive(), "it waits for a pipe"
    assert Progress(folder, messages.append).read() == {"softmax": {"hints": 1}}
    assert other.read_text() == "precious"

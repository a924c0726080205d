"""Answers have no access to kernel objects such as shared memory, semaphores and keys."""

import pytest

from autograder.boundary.doctor import try_probe

pytestmark = pytest.mark.needs("bubblewrap")

ATTEMPTS = {
    "shared memory": "return libc.shmget(0, 4096, 0o1600) >= 0",
    "semaphores": "return libc.semget(0, 1, 0o1600) >= 0",
    "messages": "return libc.msgget(0, 0o1600) >= 0",
    "files in memory": "return os.memfd_create('doctor') >= 0",
    "shared pages": "import mmap\nreturn bool(mmap.mmap(-1, 4096))",
    "shared zeros": "import mmap\nreturn bool(mmap.mmap(os.open('/dev/zero', os.O_RDONLY), 4096, 1, 1))",
    "larger buffers": "one, _ = socket.socketpair()\none.setsockopt(1, 7, 1 << 22)\nreturn True",
    "terminals": "return bool(os.listdir('/dev/pts')) or os.open('/dev/ptmx', os.O_RDONLY) >= 0",
}


@pytest.mark.parametrize("body", ATTEMPTS.values(), ids=list(ATTEMPTS))
def test_a_kernel_object_is_refused(body):
    got_through, _ = try_probe(body)
    assert not got_through


def test_the_folder_of_terminals_carries_no_word_to_the_next_answer():
    word = 424242424242
    try_probe(f"os.utime('/dev/pts', ns=({word}, {word}))\nos.chmod('/dev/pts', 0o711)\nreturn True")
    got_through, _ = try_probe(f"return os.stat('/dev/pts').st_mtime_ns == {word}")
    assert not got_through

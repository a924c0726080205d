"""Confinement of a forked child, in layers. A layer that the kernel does not support is left out and reported.

namespaces
    Separate users, processes, mounts, network and IPC. The child sees no other process, has no network, and gets an
    empty folder in memory. All processes that it starts end when it ends.
landlock
    The child can read all files that it sees, write only to its own folder, and execute no file.
seccomp
    No system calls for processes, tracing, mounting, namespaces or sockets, nor some others that no answer needs.
limits
    Limits of memory, CPU time, processes, open files and file size.
"""

import contextlib
import ctypes
import errno
import mmap
import os
import resource
import signal
import sys
import tempfile
from collections.abc import Callable
from typing import Any

_CLONE_NEWUSER, _CLONE_NEWPID, _CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000
_CLONE_NEWNS, _CLONE_NEWIPC, _CLONE_THREAD = 0x00020000, 0x08000000, 0x00010000
_NAMESPACES = _CLONE_NEWUSER | _CLONE_NEWPID | _CLONE_NEWNET | _CLONE_NEWNS | _CLONE_NEWIPC
_SYS_CLONE3 = 435  # on x86-64, ARM and RISC-V
_MS_NOSUID, _MS_NODEV, _MS_NOEXEC = 2, 4, 8
_PR_SET_DUMPABLE, _PR_SET_SECCOMP, _PR_SET_NO_NEW_PRIVS, _SECCOMP_MODE_FILTER = 4, 22, 38, 2
_NOBODY = 65534
_F_SETPIPE_SZ = 1031
_SHARED = mmap.MAP_SHARED | mmap.MAP_ANONYMOUS
_LIBC = ctypes.PyDLL(None, use_errno=True)  # PyDLL keeps the interpreter lock, which must be held during a fork
_LIBC.syscall.restype = ctypes.c_long

# fmt: off
_REFUSED = (
    "ptrace", "process_vm_readv", "process_vm_writev", "kcmp", "pidfd_getfd",
    "mount", "umount2", "pivot_root", "chroot", "unshare", "setns", "fsopen", "fsmount", "fsconfig", "fspick",
    "move_mount", "open_tree", "mount_setattr",
    "socket", "connect", "bind", "listen", "accept", "accept4", "sendto", "sendmsg", "sendmmsg",
    "setsockopt",
    "fork", "vfork", "execve", "execveat", "bpf", "perf_event_open", "userfaultfd",
    "io_uring_setup", "io_uring_enter", "io_uring_register",
    "keyctl", "add_key", "request_key", "open_by_handle_at", "name_to_handle_at", "memfd_secret", "memfd_create",
    "vmsplice",  # one byte in a pipe would keep a page of 2 MB, which the memory limit does not count
    "setsid",  # a new session would get a CPU share of its own
    "init_module", "finit_module", "delete_module", "kexec_load", "kexec_file_load", "reboot", "swapon", "swapoff",
    "acct", "syslog", "quotactl",
    "shmget", "shmat", "shmdt", "shmctl", "semget", "semop", "semtimedop", "semctl",
    "msgget", "msgsnd", "msgrcv", "msgctl",
)
# fmt: on


class _CloneArguments(ctypes.Structure):
    _fields_ = [
        (name, ctypes.c_uint64)
        for name in ("flags", "pidfd", "child_tid", "parent_tid", "exit_signal", "stack", "stack_size", "tls")
    ]


class ProcessConfinement:
    def __init__(self, settings: dict) -> None:
        self.home, self.limits = settings["home"], dict(settings["limits"])
        self.children: set[int] = set()
        if os.getuid() == 0 and settings["sandboxed"]:
            with contextlib.suppress(OSError):  # In a container, there may be no second user ID.
                _become_nobody()  # the kernel does not limit the number of root's processes
        self.ids = os.getuid(), os.getgid()  # read now: in a new namespace every id is nobody's until it is mapped
        self.files, self.filter = _make_file_restriction(), _make_system_call_filter()
        works = {
            "namespaces": settings["namespaces"] and any(map(self._can_make_namespaces, (True, False))),
            "landlock": self.files is not None,
            "seccomp": self.filter is not None,
        }
        self.layers = [layer for layer, holds in works.items() if holds]

    def fork(self) -> int:
        """Fork into new namespaces. Returns the child's PID, or 0 in the child, like `os.fork`."""
        child = _fork_into_namespaces()
        if child:
            self.children.add(child)
        return child

    def confine_process(self) -> None:
        """Apply all available layers to this process. They cannot be removed."""
        with contextlib.suppress(OSError):  # If memory runs out, the kernel should kill this process first.
            _write_text("/proc/self/oom_score_adj", "1000")
        if "namespaces" in self.layers:
            os.setsid()  # signals to its process group must not reach the zygote
            _mount_private_folders(self.home, *self.ids, self.has_proc)
        else:
            os.chdir(self.home)
            self.limits.pop("NPROC", None)  # NPROC counts all processes of the user, not only the answer's
        home = os.getcwd()
        os.environ.update(dict.fromkeys(("HOME", "TMPDIR", "TEMP", "TMP", "MPLCONFIGDIR"), home))
        tempfile.tempdir = None
        for name, value in self.limits.items():
            if hasattr(resource, f"RLIMIT_{name}"):  # not every system has all limits
                _set_limit(getattr(resource, f"RLIMIT_{name}"), value)
        if self.files is not None:
            self.files(home)
        if "namespaces" in self.layers:
            _drop_capabilities()
        if self.filter is not None:
            self.filter()

    def kill(self, child: int) -> int | None:
        """Kill a child with its descendants. Return its exit code (for a signal, minus its number), None if unknown."""
        if child not in self.children:
            return None
        self.children.discard(child)
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        return os.waitstatus_to_exitcode(status)

    def _can_make_namespaces(self, has_proc: bool) -> bool:
        """Return whether a child can start in new namespaces, with its own /proc if `has_proc`, else an empty one."""
        self.has_proc = has_proc
        try:
            child = _fork_into_namespaces()
        except OSError:
            return False
        if child == 0:
            try:
                _mount_private_folders(self.home, *self.ids, self.has_proc)
                os._exit(0)
            finally:
                os._exit(1)
        return os.waitpid(child, 0)[1] == 0


def _fork_into_namespaces() -> int:
    """Fork with the system call clone3, which also creates the namespaces. Returns the same as `os.fork`."""
    python = ctypes.pythonapi
    arguments = _CloneArguments(flags=_NAMESPACES, exit_signal=signal.SIGCHLD)
    python.PyOS_BeforeFork()
    child = _LIBC.syscall(_SYS_CLONE3, ctypes.byref(arguments), ctypes.c_size_t(ctypes.sizeof(arguments)))
    if child == 0:
        python.PyOS_AfterFork_Child()
        return 0
    python.PyOS_AfterFork_Parent()
    if child < 0:
        raise OSError(ctypes.get_errno(), "no namespaces")
    return child


def _mount_private_folders(home: str, uid: int, gid: int, has_proc: bool) -> None:
    """Map the user's UID and GID, and mount an empty home and a private /proc that only this process sees."""
    for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        _write_text(f"/proc/self/{name}", text)
    _mount("tmpfs", home, "tmpfs", _MS_NOSUID | _MS_NODEV, f"size=64m,nr_inodes=4096,mode=700,uid={uid},gid={gid}")
    kind, options = ("proc", "") if has_proc else ("tmpfs", "size=4k,mode=500")
    _mount(kind, "/proc", kind, _MS_NOSUID | _MS_NODEV | _MS_NOEXEC, options)
    if os.path.isdir("/dev/pts"):  # Hide it: answers could exchange data in its times and permissions.
        with contextlib.suppress(OSError):  # `attn doctor` reports whether /dev/pts is visible.
            _mount("tmpfs", "/dev/pts", "tmpfs", _MS_NOSUID | _MS_NODEV | _MS_NOEXEC, f"size=4k,uid={uid},gid={gid}")
    os.chdir(home)


def _write_text(path: str, text: str) -> None:
    with open(path, "w") as file:
        file.write(text)


def _become_nobody() -> None:
    os.setgroups([])
    os.setresgid(_NOBODY, _NOBODY, _NOBODY)
    os.setresuid(_NOBODY, _NOBODY, _NOBODY)
    _LIBC.prctl(_PR_SET_DUMPABLE, 1, 0, 0, 0)  # so that root does not own this process's files in /proc


def _mount(source: str, target: str, kind: str, flags: int, data: str = "") -> None:
    texts = [text and text.encode() for text in (source, target, kind)]
    if _LIBC.mount(*texts, ctypes.c_ulong(flags), data.encode()):
        raise OSError(ctypes.get_errno(), f"cannot mount {target}")


def _set_limit(kind: int, value: int) -> None:
    _, hard = resource.getrlimit(kind)
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    try:
        resource.setrlimit(kind, (value, value))
    except (ValueError, OSError):
        if sys.platform == "linux":  # On macOS, some limits exist but cannot be set.
            raise


def _make_file_restriction() -> Callable[[str], None] | None:
    """Return a function that restricts writing to the home folder, or None if the kernel has no Landlock."""
    try:
        import landlock  # noqa: PLC0415  (missing on some systems)
        from landlock import plumbing  # noqa: PLC0415
    except ImportError:
        return None
    ctypes.set_errno(0)
    try:
        if plumbing.landlock_abi_version() < 1:
            return None
        plumbing.get_add_rule(), plumbing.get_restrict_self(), plumbing.get_prctl()  # load once, before any fork
    except OSError:
        return None
    access = landlock.FSAccess
    everything, reading = access.all(), access.READ_FILE | access.READ_DIR
    home_access, device_access = everything & ~access.EXECUTE, access.READ_FILE | access.WRITE_FILE
    devices = [path for path in ("/dev/null", "/dev/zero", "/dev/full") if os.path.exists(path)]

    def restrict(home: str) -> None:
        ctypes.set_errno(0)  # The library reads errno, which is still set if creating namespaces failed.
        rules = landlock.Ruleset(everything)
        rules.allow("/", rules=reading)
        rules.allow(home, rules=home_access)
        rules.allow(*devices, rules=device_access)
        rules.apply()
        os.close(rules._fd)

    return restrict


def _drop_capabilities() -> None:
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    if _LIBC.capset(header, (ctypes.c_uint32 * 6)()):
        raise OSError(ctypes.get_errno(), "cannot drop capabilities")
    _LIBC.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p)]


def _make_system_call_filter() -> Callable[[], None] | None:
    """Return a function that restricts the system calls of this process, or None if the system has no seccomp."""

    def add_rules(seccomp: Any, rules: Any) -> None:
        # A filter cannot read the flags of clone3, which are in memory. If clone3 fails with ENOSYS, libc uses clone.
        rules.add_rule(seccomp.ERRNO(errno.ENOSYS), "clone3")
        # Allow threads but no new processes, so that per-process limits apply to the whole answer.
        rules.add_rule(seccomp.ERRNO(errno.EPERM), "clone", seccomp.Arg(0, seccomp.MASKED_EQ, _CLONE_THREAD, 0))
        rules.add_rule(seccomp.ERRNO(errno.EPERM), "fcntl", seccomp.Arg(1, seccomp.EQ, _F_SETPIPE_SZ))
        # Refuse shared memory: one mapped page keeps all of it allocated, but only that page counts.
        rules.add_rule(seccomp.ERRNO(errno.EPERM), "mmap", seccomp.Arg(3, seccomp.MASKED_EQ, _SHARED, _SHARED))

    return _compile_filter(_REFUSED, errno.EPERM, add_rules)


def make_thread_ban() -> Callable[[], None] | None:
    """Return a function that permanently prevents this process from starting threads, or None without seccomp."""
    return _compile_filter(("clone",), errno.EAGAIN)


def _compile_filter(names: tuple[str, ...], error: int, add_rules: Callable | None = None) -> Callable[[], None] | None:
    """Return a function that makes these system calls fail with errno `error`, or None if the system has no seccomp."""
    try:
        import pyseccomp as seccomp  # noqa: PLC0415  (missing on some systems)
    except (ImportError, RuntimeError, OSError):
        return None
    try:
        rules = seccomp.SyscallFilter(defaction=seccomp.ALLOW)
        for name in names:
            # Ignore system calls that this libseccomp version or architecture does not know.
            with contextlib.suppress(OSError, ValueError, RuntimeError):
                rules.add_rule(seccomp.ERRNO(error), name)
        if add_rules:
            add_rules(seccomp, rules)
        with tempfile.TemporaryFile() as file:  # The filter is compiled once, for all children.
            rules.export_bpf(file)
            file.seek(0)
            code = file.read()
    except (OSError, ValueError, RuntimeError):
        return None
    program = _Program(len(code) // 8, code)

    def load() -> None:
        _LIBC.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        if _LIBC.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0):
            raise OSError(ctypes.get_errno(), "cannot filter system calls")

    return load

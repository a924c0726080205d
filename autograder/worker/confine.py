"""Shuts a forked child in, in layers; a layer that the kernel does not have is left out, and said.

namespaces
    Users, processes, mounts, network and IPC of its own: it sees no other process, reaches no network, has an empty
    folder in memory, and whatever it starts ends with it.
landlock
    Reads what is there, writes its own folder only, executes nothing.
seccomp
    No tracing, no mounting, no new namespaces, no sockets, no kernel interfaces that an answer has no use for.
limits
    Memory, CPU time, processes, open files, file size.
"""

import contextlib
import ctypes
import errno
import os
import resource
import signal
import tempfile

_CLONE_NEWUSER, _CLONE_NEWPID, _CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000
_CLONE_NEWNS, _CLONE_NEWIPC = 0x00020000, 0x08000000
_NAMESPACES = _CLONE_NEWUSER | _CLONE_NEWPID | _CLONE_NEWNET | _CLONE_NEWNS | _CLONE_NEWIPC
_SYS_CLONE3 = 435  # the same on every architecture
_MS_NOSUID, _MS_NODEV, _MS_NOEXEC, _MS_REC, _MS_PRIVATE = 2, 4, 8, 1 << 14, 1 << 18
_NOBODY = 65534

# fmt: off
_REFUSED = (
    "ptrace", "process_vm_readv", "process_vm_writev", "kcmp", "pidfd_getfd",
    "mount", "umount2", "pivot_root", "chroot", "unshare", "setns", "fsopen", "fsmount", "fsconfig", "fspick",
    "move_mount", "open_tree", "mount_setattr",
    "socket", "connect", "bind", "listen", "accept", "accept4", "sendto", "sendmsg", "sendmmsg",
    "execve", "execveat", "bpf", "perf_event_open", "userfaultfd",
    "io_uring_setup", "io_uring_enter", "io_uring_register",
    "keyctl", "add_key", "request_key", "open_by_handle_at", "name_to_handle_at", "memfd_secret",
    "init_module", "finit_module", "delete_module", "kexec_load", "kexec_file_load", "reboot", "swapon", "swapoff",
    "acct", "syslog", "quotactl",
)
# fmt: on


class _CloneArguments(ctypes.Structure):
    _fields_ = [
        (name, ctypes.c_uint64)
        for name in ("flags", "pidfd", "child_tid", "parent_tid", "exit_signal", "stack", "stack_size", "tls")
    ]


class Confinement:
    """How children are forked, shut in and ended.

    Attributes
    ----------
    layers : list of str
        Which of "namespaces", "landlock" and "seccomp" hold.
    """

    def __init__(self, settings):
        self.home, self.limits, self.children = settings["home"], dict(settings["limits"]), set()
        if os.getuid() == 0 and settings["sandboxed"]:
            _become_nobody()  # the kernel does not count the processes of root
        self.ids = os.getuid(), os.getgid()  # in a new namespace everyone is nobody until it is mapped
        self.filter = _system_call_filter()
        works = {
            "namespaces": settings["namespaces"] and self._namespaces_work(),
            "landlock": _landlock() is not None,
            "seccomp": self.filter is not None,
        }
        self.layers = [layer for layer, holds in works.items() if holds]

    def fork(self):
        """Like `os.fork`, into namespaces, which have to work."""
        child = _fork_into_namespaces()
        if child:
            self.children.add(child)
        return child

    def enter(self):
        """Shut this process in, for good."""
        with contextlib.suppress(OSError):  # where memory runs out, the kernel ends this process before any other
            _write("/proc/self/oom_score_adj", "1000")
        if "namespaces" in self.layers:
            os.setsid()  # a signal to its process group must not reach the zygote
            _make_private(self.home, *self.ids)
        else:
            os.chdir(self.home)
            self.limits.pop("NPROC", None)  # it would count every process of the user
        home = os.getcwd()
        os.environ.update(dict.fromkeys(("HOME", "TMPDIR", "TEMP", "TMP", "MPLCONFIGDIR"), home))
        tempfile.tempdir = None
        for name, value in self.limits.items():
            if hasattr(resource, f"RLIMIT_{name}"):  # not every system knows all
                _limit(getattr(resource, f"RLIMIT_{name}"), value)
        if "landlock" in self.layers:
            _restrict_files(home)
        if "namespaces" in self.layers:
            _drop_capabilities()
        if "seccomp" in self.layers:
            self.filter.load()

    def end(self, child):
        """Kill a child with all that it started; its exit code, or minus the signal that ended it."""
        if child not in self.children:
            return None
        self.children.discard(child)
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        return os.waitstatus_to_exitcode(status)

    def end_all(self):
        """Kill every child."""
        for child in list(self.children):
            self.end(child)

    def _namespaces_work(self):
        """Whether a child can be made in namespaces and can make its folder private."""
        try:
            child = _fork_into_namespaces()
        except OSError:
            return False
        if child == 0:
            try:
                _make_private(self.home, *self.ids)
                os._exit(0)
            finally:
                os._exit(1)
        return os.waitpid(child, 0)[1] == 0


def _fork_into_namespaces():
    """`os.fork` by the system call that also makes namespaces."""
    python, libc = ctypes.pythonapi, ctypes.PyDLL(None, use_errno=True)  # PyDLL keeps the interpreter's lock
    libc.syscall.restype = ctypes.c_long
    arguments = _CloneArguments(flags=_NAMESPACES, exit_signal=signal.SIGCHLD)
    python.PyOS_BeforeFork()
    child = libc.syscall(_SYS_CLONE3, ctypes.byref(arguments), ctypes.c_size_t(ctypes.sizeof(arguments)))
    if child == 0:
        python.PyOS_AfterFork_Child()
        return 0
    python.PyOS_AfterFork_Parent()
    if child < 0:
        raise OSError(ctypes.get_errno(), "no namespaces")
    return child


def _make_private(home, uid, gid):
    """Keep the user's number, cut the mounts off from others, and mount an empty folder and the own processes."""
    for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        _write(f"/proc/self/{name}", text)
    _mount(None, "/", None, _MS_REC | _MS_PRIVATE)
    _mount("tmpfs", home, "tmpfs", _MS_NOSUID | _MS_NODEV, f"size=64m,nr_inodes=4096,mode=700,uid={uid},gid={gid}")
    try:
        _mount("proc", "/proc", "proc", _MS_NOSUID | _MS_NODEV | _MS_NOEXEC)
    except OSError:  # where parts of /proc are covered, the kernel gives no fresh one: an empty folder, then
        _mount("tmpfs", "/proc", "tmpfs", _MS_NOSUID | _MS_NODEV | _MS_NOEXEC, "size=4k,mode=500")
    os.chdir(home)


def _write(path, text):
    with open(path, "w") as file:
        file.write(text)


def _become_nobody():
    os.setgroups([])
    os.setresgid(_NOBODY, _NOBODY, _NOBODY)
    os.setresuid(_NOBODY, _NOBODY, _NOBODY)
    ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)  # PR_SET_DUMPABLE: or its own files in /proc would belong to root


def _mount(source, target, kind, flags, data=""):
    libc = ctypes.CDLL(None, use_errno=True)
    texts = [text and text.encode() for text in (source, target, kind)]
    if libc.mount(*texts, ctypes.c_ulong(flags), data.encode()):
        raise OSError(ctypes.get_errno(), f"cannot mount {target}")


def _limit(kind, value):
    _, hard = resource.getrlimit(kind)
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(kind, (value, value))


def _landlock():
    """The library, where the kernel has the thing."""
    try:
        import landlock  # noqa: PLC0415  (not there on every system)
        from landlock.plumbing import landlock_abi_version  # noqa: PLC0415
    except ImportError:
        return None
    ctypes.set_errno(0)
    try:
        return landlock if landlock_abi_version() > 0 else None
    except OSError:
        return None


def _restrict_files(home):
    landlock = _landlock()
    access = landlock.FSAccess
    rules = landlock.Ruleset()
    rules.allow("/", rules=access.READ_FILE | access.READ_DIR)
    rules.allow(home, rules=access.all() & ~access.EXECUTE)
    for device in ("/dev/null", "/dev/zero", "/dev/full"):
        if os.path.exists(device):
            rules.allow(device, rules=access.READ_FILE | access.WRITE_FILE)
    rules.apply()
    os.close(rules._fd)


def _drop_capabilities():
    libc = ctypes.CDLL(None, use_errno=True)
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    if libc.capset(header, (ctypes.c_uint32 * 6)()):
        raise OSError(ctypes.get_errno(), "cannot drop capabilities")
    libc.prctl(38, 1, 0, 0, 0)  # PR_SET_NO_NEW_PRIVS


def _system_call_filter():
    try:
        import pyseccomp as seccomp  # noqa: PLC0415  (not there on every system)
    except (ImportError, RuntimeError, OSError):
        return None
    try:
        rules = seccomp.SyscallFilter(defaction=seccomp.ALLOW)
        for name in _REFUSED:
            with contextlib.suppress(OSError, ValueError, RuntimeError):  # unknown to this version or architecture
                rules.add_rule(seccomp.ERRNO(errno.EPERM), name)
        # Flags of clone3 lie in memory that a filter cannot read: say that it is not there, and libc takes clone.
        rules.add_rule(seccomp.ERRNO(errno.ENOSYS), "clone3")
        for flag in (_CLONE_NEWUSER, _CLONE_NEWPID, _CLONE_NEWNET, _CLONE_NEWNS, _CLONE_NEWIPC):
            rules.add_rule(seccomp.ERRNO(errno.EPERM), "clone", seccomp.Arg(0, seccomp.MASKED_EQ, flag, flag))
    except (OSError, ValueError, RuntimeError):
        return None
    return rules

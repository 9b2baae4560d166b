"""Attacks that leave the sandbox, or reach out of it."""

from __future__ import annotations

from tests.attacks.attack import attack
from tests.attacks.kernel import by_call

SOCKETS = (
    attack(
        "udp-packet",
        """
        import socket
        def attack():
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
                out.sendto(b"hello", ("127.0.0.1", UDP))
        """,
        "error",
    ),
    attack(
        "tcp-connection",
        """
        import socket
        def attack():
            socket.create_connection(("127.0.0.1", TCP), timeout=1).close()
        """,
        "error",
    ),
    attack(
        "tcp-service",
        """
        import socket
        def attack():
            with socket.create_server(("127.0.0.1", 0)) as service:
                raise RuntimeError(CLAIM)
        """,
        "error",
    ),
    attack(
        "named-unix-socket",
        """
        import socket
        def attack():
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as out:
                out.sendto(b"hello", UNIX)
        """,
        "error",
    ),
    attack(
        "abstract-unix-socket",
        """
        import socket
        def attack():
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as out:
                out.sendto(b"hello", ABSTRACT)
        """,
        "error",
    ),
    by_call("netlink-socket", "import socket; through(socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0))"),
    by_call("raw-socket", "import socket; through(socket.socket(socket.AF_INET, socket.SOCK_RAW, 1))"),
    by_call("packet-socket", "import socket; through(socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0))"),
    by_call("vsock", "import socket; through(socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM))"),
    by_call("pair-of-sockets", "import socket; through(socket.socketpair())"),
    attack(
        "sockets-of-every-family",
        """
        import contextlib, itertools, socket
        def attack():
            for family, kind in itertools.product(range(1, 46), range(1, 6)):
                with contextlib.suppress(OSError):
                    socket.socket(family, kind).close()
                    raise RuntimeError(CLAIM)
            raise OSError("none of them")
        """,
        "error",
    ),
    by_call(
        "descriptors-over-the-channel",
        """
        import array, socket, stat
        for fd in range(3, 64):
            try:
                if stat.S_ISSOCK(os.fstat(fd).st_mode):
                    own = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0, 1, 2]))]
                    socket.socket(fileno=fd).sendmsg([bytes(8)], own)
            except OSError:
                pass
        """,
        "crashed",
    ),
)  # fmt: skip

PROGRAMS = (
    attack(
        "exec",
        """
        import os
        def attack():
            os.execv("/bin/sh", ["sh", "-c", f"echo got out > '{BAIT}/exec'"])
        """,
        "error",
    ),
    attack(
        "subprocess",
        """
        import subprocess
        def attack():
            subprocess.run(["/bin/sh", "-c", f"echo got out > '{BAIT}/subprocess'"], check=True)
        """,
        "error",
    ),
    attack(
        "shell-by-the-c-library",
        """
        import ctypes
        def attack():
            if ctypes.CDLL(None).system(f"echo got out > '{BAIT}/system'".encode()):
                raise OSError("no shell")
        """,
        "error",
    ),
    by_call(
        "exec-by-descriptor",
        """
        fd = os.open("/bin/sh", os.O_PATH)
        words = (ctypes.c_char_p * 4)(b"sh", b"-c", f"echo got out > '{BAIT}/execveat'".encode(), None)
        call((322, 281), fd, b"", words, (ctypes.c_char_p * 1)(None), 0x1000)
        """,
    ),
    by_call(
        "exec-of-the-dynamic-linker",
        """
        loader = "/lib/ld-linux-aarch64.so.1" if ON_ARM else "/lib64/ld-linux-x86-64.so.2"
        os.execv(loader, [loader, "/bin/sh", "-c", f"echo got out > '{BAIT}/loader'"])
        """,
    ),
    by_call(
        "exec-of-memory",
        """
        fd = os.memfd_create("script", 0)
        os.write(fd, f"#!/bin/sh\\necho got out > '{BAIT}/memory'\\n".encode())
        os.execve(fd, ["script"], {})
        """,
    ),
    by_call("memory-file", 'through(os.memfd_create("kit"))'),
    by_call("secret-memory-file", "through(call(447, 0))"),
    by_call(
        "fork-by-number",
        """
        pid = call((57, 220), 17, 0, 0, 0, 0)
        through() if pid else os._exit(0)
        """,
    ),
    by_call(
        "clone-like-fork",
        """
        pid = call((56, 220), 17, 0, 0, 0, 0)
        through() if pid else os._exit(0)
        """,
    ),
    by_call(
        "clone3-without-threads",
        """
        pid = call(435, (ctypes.c_uint64 * 8)(0, 0, 0, 0, 17, 0, 0, 0), 64)
        through() if pid else os._exit(0)
        """,
    ),
    # vfork, whose child ends at once; the parent goes on.
    by_call("vfork", 'through(run_code("b83a000000 0f05 85c0 7509 31ff b83c000000 0f05 4863c0 c3"))'),
    # A child that shares memory but no thread group: CLONE_VM alone.
    by_call("clone-that-shares-memory", 'through(run_code("bf11410000 31f6 31d2 4d31d2 4d31c0 b838000000 0f05'
            ' 85c0 7509 31ff b83c000000 0f05 4863c0 c3"))'),
    # socket(AF_INET, SOCK_DGRAM, 0) by the numbers of i386, through the door for 32-bit programs
    by_call("i386-call", 'through(run_code("53 b867010000 bb02000000 b902000000 31d2 cd80 5b 4863c0 c3"))',
            "crashed"),
    by_call("i386-fork", 'through(run_code("53 b802000000 cd80 85c0 7509 31db b801000000 cd80 5b 4863c0 c3"))',
            "crashed"),
    by_call("x32-call", "through(call(0x4000_0000 + 41, 2, 2, 0))"),
    by_call("call-by-machine-code", 'through(run_code("b829000000 bf02000000 be02000000 31d2 0f05 c3"))'),
)  # fmt: skip

PROCESSES = (
    attack(
        "daemon",
        """
        import os, time
        def attack():
            if os.fork() == 0:
                os.setsid()
                if os.fork() == 0:
                    time.sleep(20)
                os._exit(0)
        """,
        "error",
    ),
    attack(
        "daemon-that-keeps-moving",
        """
        import os, time
        def attack():
            if os.fork() == 0:
                for _ in range(400):
                    os.setsid()
                    if os.fork():
                        os._exit(0)
                    time.sleep(0.002)
                os._exit(0)
        """,
        "error",
    ),
    attack(
        "kill-the-victim",
        """
        import os, signal
        def attack():
            os.kill(VICTIM, signal.SIGKILL)
        """,
        "error",
    ),
    attack(
        "stop-the-victim",
        """
        import os, signal
        def attack():
            os.kill(VICTIM, signal.SIGSTOP)
        """,
        "error",
    ),
    by_call("signal-the-parent", "import signal; through(os.kill(PARENT, signal.SIGCONT))"),
    by_call("signal-everybody", "through(os.kill(-1, 0))"),
    by_call("signal-a-thread", "call((200, 130), VICTIM, 9)"),
    by_call("signal-a-thread-of-a-group", "call((234, 131), VICTIM, VICTIM, 9)"),
    by_call("queue-a-signal", "call((129, 138), VICTIM, 9, (ctypes.c_int * 32)(9, 0, -1))"),
    by_call("queue-a-signal-for-a-thread", "call((297, 240), VICTIM, VICTIM, 9, (ctypes.c_int * 32)(9, 0, -1))"),
    by_call("descriptor-of-a-process", "through(os.pidfd_open(VICTIM))"),
    by_call("signal-by-descriptor", "import signal; signal.pidfd_send_signal(os.pidfd_open(VICTIM), signal.SIGKILL)"),
    by_call("descriptor-of-the-zygote", "through(call(438, os.pidfd_open(os.getppid()), 0, 0))"),
    by_call("ptrace-the-victim", "through(call((101, 117), 0x4206, VICTIM, 0, 0))"),
    by_call("ptrace-the-parent", "through(call((101, 117), 0x4206, PARENT, 0, 0))"),
    by_call("compare-processes", "call((312, 272), VICTIM, PARENT, 1, 0, 0); through()"),
    by_call(
        "signals-of-a-pipe",
        """
        import fcntl, signal
        out, into = os.pipe()
        fcntl.fcntl(out, fcntl.F_SETOWN, VICTIM)
        fcntl.fcntl(out, fcntl.F_SETFL, os.O_ASYNC)
        os.write(into, b"x")
        """,
    ),
    by_call(
        "signals-of-a-pipe-by-ioctl",
        """
        import fcntl
        out, into = os.pipe()
        fcntl.fcntl(out, 15, (1).to_bytes(4, "little") + VICTIM.to_bytes(4, "little"))
        fcntl.ioctl(out, 0x5452, (1).to_bytes(4, "little"))
        os.write(into, b"x")
        """,
    ),
    by_call("signals-of-a-folder", "import fcntl; through(fcntl.fcntl(os.open('.', os.O_RDONLY), fcntl.F_NOTIFY, 1))"),
    by_call(
        "leases-on-the-installation",
        """
        import fcntl, this
        through(fcntl.fcntl(os.open(this.__file__, os.O_RDONLY), fcntl.F_SETLEASE, fcntl.F_WRLCK))
        """,
    ),
    by_call("cleared-parent-death-signal", "through(checked(libc.prctl(1, 0, 0, 0, 0)))"),
    by_call("parent-death-signal-cleared-by-another-user", "through(os.setresuid(65534, 65534, 65534))"),
    by_call("dumpable-again", "through(checked(libc.prctl(4, 1, 0, 0, 0)))"),
    by_call("subreaper", "through(checked(libc.prctl(36, 1, 0, 0, 0)))"),
    by_call("renice-the-victim", "os.setpriority(os.PRIO_PROCESS, VICTIM, 19)"),
    by_call("renice-the-parent", "through(os.setpriority(os.PRIO_PROCESS, PARENT, 0))"),
    by_call("limits-of-the-victim", "import resource; resource.prlimit(VICTIM, resource.RLIMIT_NOFILE, (9, 9))"),
    by_call(
        "limits-of-the-parent",
        """
        import resource
        through(resource.prlimit(PARENT, resource.RLIMIT_CORE, resource.prlimit(PARENT, resource.RLIMIT_CORE)))
        """,
    ),
    by_call(
        "limits-raised-again",
        """
        import resource
        for kind in (resource.RLIMIT_AS, resource.RLIMIT_FSIZE):
            resource.setrlimit(kind, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        through()
        """,
    ),
    by_call("schedule-the-victim", "through(os.sched_setscheduler(VICTIM, os.SCHED_OTHER, os.sched_param(0)))"),
    by_call("realtime", "through(os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)))"),
    by_call("pin-the-victim", "through(os.sched_setaffinity(VICTIM, range(os.cpu_count())))"),
    by_call("input-priority-of-the-victim", "through(call((251, 30), 1, VICTIM, 2 << 13 | 4))"),
    by_call(
        "who-the-kernel-kills-first",
        """
        with open(f"/proc/{VICTIM}/oom_score_adj", "w") as score:
            score.write("0")
            score.flush()
            through()
        """,
    ),
)  # fmt: skip

FILES = (
    by_call("file-outside", 'open(f"{BAIT}/written", "w").write("got out")'),
    by_call("link-outside", 'open("own", "w").close(); os.link("own", f"{BAIT}/linked")'),
    by_call("symbolic-link-outside", 'os.symlink("/", f"{BAIT}/symbolic")'),
    by_call("rename-to-the-outside", 'open("own", "w").close(); os.rename("own", f"{BAIT}/renamed")'),
    by_call("link-to-the-inside", 'through(os.link(OUTSIDE, "inside"))'),
    by_call("symbolic-link-to-the-inside", 'os.symlink(OUTSIDE, "own"); through(open("own").read())'),
    by_call(
        "nameless-file-outside",
        """
        fd = os.open(".", os.O_TMPFILE | os.O_RDWR, 0o600)
        checked(libc.linkat(fd, b"", -100, f"{BAIT}/nameless".encode(), 0x1000))
        """,
    ),
    by_call("pipe-outside", 'os.mkfifo(f"{BAIT}/pipe")'),
    by_call("swap-with-the-outside",
            'open("own", "w").close(); call((316, 276), -100, b"own", -100, OUTSIDE.encode(), 2)'),
    by_call("truncated-outside", "os.truncate(OUTSIDE, 0)"),
    by_call("removed-outside", "os.unlink(OUTSIDE)"),
    by_call("mode-outside", "os.chmod(OUTSIDE, 0o777)"),
    by_call("mode-outside-by-the-newest-call", "call(452, -100, OUTSIDE.encode(), 0o777, 0)"),
    by_call("owner-outside", "os.chown(OUTSIDE, 65534, 65534)"),
    by_call("times-outside", "os.utime(OUTSIDE, (0, 0))"),
    by_call("attribute-outside", 'os.setxattr(OUTSIDE, "user.kit", b"1")'),
    by_call("mode-of-the-installation",
            "import this; through(os.chmod(this.__file__, os.stat(this.__file__).st_mode))"),
    by_call("times-of-the-installation", "import this; s = os.stat(this.__file__)\n"
            "through(os.utime(this.__file__, ns=(s.st_atime_ns, s.st_mtime_ns)))"),
    by_call("mode-of-an-own-file", 'open("own", "w").close(); through(os.chmod("own", 0o4755))'),
    by_call(
        "file-in-the-installation",
        """
        import torch
        path = f"{os.path.dirname(os.path.dirname(torch.__file__))}/kit-{os.getpid()}.pth"
        open(path, "x").close()
        through(os.unlink(path))
        """,
    ),
    by_call(
        "bytecode-of-the-installation",
        """
        import this
        path = f"{os.path.dirname(this.__cached__)}/kit-{os.getpid()}.pyc"
        open(path, "x").close()
        through(os.unlink(path))
        """,
    ),
    by_call(
        "file-in-the-checkout",
        """
        path = f"{ROOT}/kit-{os.getpid()}"
        open(path, "x").close()
        through(os.unlink(path))
        """,
    ),
    by_call(
        "file-in-shared-memory",
        """
        path = f"/dev/shm/kit-{os.getpid()}"
        open(path, "x").close()
        through(os.unlink(path))
        """,
    ),
    by_call(
        "file-in-the-temporary-folder",
        """
        path = f"/tmp/kit-{os.getpid()}"
        open(path, "x").close()
        through(os.unlink(path))
        """,
    ),
    by_call("device", 'os.mknod("null", 0o020666, os.makedev(1, 3)); through(open("null", "wb").write(b"x"))'),
    by_call("kernels-switches", 'through(os.open("/proc/sys/kernel/core_pattern", os.O_WRONLY))'),
    by_call("kernels-log", 'through(os.open("/dev/kmsg", os.O_WRONLY))'),
    by_call(
        "file-by-handle",
        """
        handle = (ctypes.c_uint32 * 34)(128)
        call((303, 264), -100, b".", handle, (ctypes.c_int * 1)(), 0)
        through(call((304, 265), os.open(".", os.O_RDONLY), handle, os.O_RDONLY))
        """,
    ),
    by_call(
        "terminal-input",
        """
        import fcntl, pty
        try:
            fd = pty.openpty()[1]
        except OSError:
            fd = 0
        through(fcntl.ioctl(fd, 0x5412, b"x"))
        """,
    ),
)  # fmt: skip

KERNEL = (
    by_call("user-namespace", "through(checked(libc.unshare(0x1000_0000)))"),
    by_call("mount-namespace", "through(checked(libc.unshare(0x0002_0000)))"),
    by_call("network-namespace", "through(checked(libc.unshare(0x4000_0000)))"),
    by_call("user-namespace-by-clone", "through() if call((56, 220), 0x1000_0011, 0, 0, 0, 0) else os._exit(0)"),
    by_call(
        "namespace-of-another",
        """
        try:
            fd = os.open("/proc/self/ns/uts", os.O_RDONLY)
        except OSError:
            fd = os.open(".", os.O_RDONLY)
        through(checked(libc.setns(fd, 0)))
        """,
    ),
    # A file system of a kind that there is not: who may not mount at all is told so first (EPERM, not ENODEV).
    by_call(
        "mount",
        """
        os.mkdir("there")
        try:
            checked(libc.mount(b"none", b"there", b"kit", 0, None))
        except OSError as error:
            through() if error.errno == 19 else None
            raise
        """,
    ),
    by_call("mount-by-the-new-calls", 'through(call(430, b"tmpfs", 0))'),
    by_call("tree-of-mounts", 'through(call(428, -100, b"/", 1))'),
    by_call("other-root", 'through(os.chroot("."))'),
    by_call("io-uring", "through(call(425, 4, (ctypes.c_uint32 * 30)()))"),
    by_call("bpf-map", "through(call((321, 280), 0, (ctypes.c_uint32 * 32)(2, 4, 4, 1), 128))"),
    by_call("perf-event", "through(call((298, 241), (ctypes.c_uint64 * 16)(1 | 128 << 32), 0, -1, -1, 0))"),
    by_call("add-key", 'through(call((248, 217), b"user", b"kit", b"x", 1, -2))'),
    by_call(
        "request-key",
        """
        try:
            call((249, 218), b"user", b"kit", None, -2)
        except OSError as error:
            through() if error.errno == 126 else None  # it was looked for
            raise
        """,
    ),
    by_call("keyring", "through(call((250, 219), 1, None))"),
    by_call("page-faults", "through(call((323, 282), 0))"),
    by_call("shared-memory", "number = checked(libc.shmget(0, 4096, 0o1600)); through(libc.shmctl(number, 0, None))"),
    by_call("message-queue", "number = checked(libc.msgget(0, 0o1600)); through(libc.msgctl(number, 0, None))"),
    by_call("semaphores", "number = checked(libc.semget(0, 1, 0o1600)); through(libc.semctl(number, 0, 0))"),
    by_call("posix-message-queue",
            'checked(libc.mq_open(b"/kit", 0o102, 0o600, None)); through(libc.mq_unlink(b"/kit"))'),
    by_call("watch-files", "through(checked(libc.inotify_init1(0)))"),
    by_call("watch-all-files", "through(checked(libc.fanotify_init(0, 0)))"),
    by_call("personality", "through(checked(libc.personality(0x0040000)))"),
    by_call("local-descriptor-table", "through(call((154, 9999), 0, (ctypes.c_char * 16)(), 16))"),
    # With arguments that make sense to none of them: whatever is not told "not you" got as far as to read them.
    by_call(
        "calls-of-the-machine",
        """
        numbers = (169, 167, 168, 246, 320, 175, 313, 176, 172, 163, 164, 305, 159, 179, 443, 170, 171, 103, 166, 155)
        for number in numbers if not ON_ARM else ():
            try:
                call(number, *[ctypes.c_long(-1)] * 5)
            except OSError as error:
                if error.errno not in (1, 38):
                    through()
        raise OSError("none of them")
        """,
    ),
    by_call(
        "attribute-by-a-newer-call",
        """
        value = (ctypes.c_char * 1)(b"1")
        call(463, -100, OUTSIDE.encode(), 0, b"user.kit", (ctypes.c_uint64 * 2)(ctypes.addressof(value), 1), 16)
        """,
    ),
)  # fmt: skip

ATTACKS = (*SOCKETS, *PROGRAMS, *PROCESSES, *FILES, *KERNEL)

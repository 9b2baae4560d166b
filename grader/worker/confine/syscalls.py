"""Which calls a submission may not make, and their numbers on each architecture.

Numbers are those of Linux 6.7: `scmp_sys_resolver -a ARCHITECTURE NAME`, of Debian's package seccomp, gives them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from grader.worker.confine import libc

# AUDIT_ARCH_*: what the kernel calls an architecture. Both count newer calls alike.
ARCHITECTURES = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7}
CLONE3 = 435
NEWEST = 456


@dataclass(frozen=True, slots=True)
class Only:
    """The call is allowed where the argument is this or, for a flag, has this bit."""

    value: int
    is_flag: bool = False


@dataclass(frozen=True, slots=True)
class Unless:
    """The call is allowed but where the argument is one of these."""

    values: tuple[int, ...]


# fmt: off
DENIED = (
    # starting processes and programs
    "fork", "vfork", "execve", "execveat", "uselib",
    # reaching into other processes
    "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "process_mrelease", "kcmp",
    "pidfd_open", "pidfd_getfd", "pidfd_send_signal", "userfaultfd",
    # signals, also to oneself: a crash is told by how it ends, and nothing honest sends any
    "kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo",
    # how much of the machine others get
    "setpriority", "sched_setparam", "sched_setscheduler", "sched_setaffinity", "sched_setattr", "ioprio_set",
    "set_mempolicy", "mbind", "migrate_pages", "move_pages",
    # rights, owners, times and attributes of files, which Landlock does not know
    "chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat", "utime", "utimes",
    "utimensat", "futimesat", "setxattr", "lsetxattr", "fsetxattr", "removexattr", "lremovexattr",
    "fremovexattr",
    # namespaces and mounts
    "unshare", "setns", "mount", "umount2", "pivot_root", "chroot", "move_mount", "open_tree", "fsopen",
    "fsconfig", "fsmount", "fspick", "mount_setattr",
    # sockets of every family
    "socket", "socketpair", "bind", "connect", "listen", "accept", "accept4",
    # memory and messages that outlive a process
    "shmget", "shmat", "shmctl", "shmdt", "msgget", "msgsnd", "msgrcv", "msgctl", "semget", "semop", "semctl",
    "semtimedop", "mq_open", "mq_unlink", "mq_timedsend", "mq_timedreceive", "mq_notify", "mq_getsetattr",
    "memfd_create", "memfd_secret", "add_key", "request_key", "keyctl",
    # large surfaces of the kernel
    "io_uring_setup", "io_uring_enter", "io_uring_register", "bpf", "perf_event_open", "fanotify_init",
    "fanotify_mark", "inotify_init", "inotify_init1", "inotify_add_watch", "vmsplice", "name_to_handle_at",
    "open_by_handle_at", "lookup_dcookie", "personality", "modify_ldt", "mknod", "mknodat",
    # the machine itself
    "reboot", "swapon", "swapoff", "kexec_load", "kexec_file_load", "init_module", "finit_module",
    "delete_module", "iopl", "ioperm", "acct", "settimeofday", "clock_settime", "clock_adjtime", "adjtimex",
    "quotactl", "quotactl_fd", "sethostname", "setdomainname", "syslog", "vhangup", "nfsservctl", "ustat",
    "sysfs",
)
# fmt: on

CLONE_THREAD = 0x0001_0000
F_SETOWN, F_SETSIG, F_SETOWN_EX, F_NOTIFY = 8, 10, 15, 1026
F_SETLEASE = 1024  # whoever else opens that file waits until the lease is broken: 45 seconds
TIOCSTI, FIOASYNC, FIOSETOWN, SIOCSPGRP = 0x5412, 0x5452, 0x8901, 0x8902
ONESELF = 0

# Calls that are decided by one argument: its position, and what it may or may not be.
CONDITIONAL: dict[str, tuple[int, Only | Unless]] = {
    "clone": (0, Only(CLONE_THREAD, is_flag=True)),
    "fcntl": (1, Unless((F_SETOWN, F_SETSIG, F_SETOWN_EX, F_NOTIFY, F_SETLEASE))),
    "ioctl": (1, Unless((TIOCSTI, FIOASYNC, FIOSETOWN, SIOCSPGRP))),
    "prctl": (0, Unless((libc.PR_SET_PDEATHSIG, libc.PR_SET_DUMPABLE, libc.PR_SET_CHILD_SUBREAPER))),
    "prlimit64": (0, Only(ONESELF)),
}


def numbers(machine: str, names: Iterable[str]) -> dict[str, int]:
    """The numbers of those calls that an architecture has."""
    return {name: NUMBERS[machine][name] for name in names if name in NUMBERS[machine]}


# fmt: off
NUMBERS: dict[str, dict[str, int]] = {
    "x86_64": {
        "fork": 57, "vfork": 58, "execve": 59, "execveat": 322, "uselib": 134, "ptrace": 101,
        "process_vm_readv": 310, "process_vm_writev": 311, "process_madvise": 440, "process_mrelease": 448,
        "kcmp": 312, "pidfd_open": 434, "pidfd_getfd": 438, "pidfd_send_signal": 424, "userfaultfd": 323, "kill": 62,
        "tkill": 200, "tgkill": 234, "rt_sigqueueinfo": 129, "rt_tgsigqueueinfo": 297, "setpriority": 141,
        "sched_setparam": 142, "sched_setscheduler": 144, "sched_setaffinity": 203, "sched_setattr": 314,
        "ioprio_set": 251, "set_mempolicy": 238, "mbind": 237, "migrate_pages": 256, "move_pages": 279, "chmod": 90,
        "fchmod": 91, "fchmodat": 268, "fchmodat2": 452, "chown": 92, "fchown": 93, "lchown": 94, "fchownat": 260,
        "utime": 132, "utimes": 235, "utimensat": 280, "futimesat": 261, "setxattr": 188, "lsetxattr": 189,
        "fsetxattr": 190, "removexattr": 197, "lremovexattr": 198, "fremovexattr": 199, "unshare": 272, "setns": 308,
        "mount": 165, "umount2": 166, "pivot_root": 155, "chroot": 161, "move_mount": 429, "open_tree": 428,
        "fsopen": 430, "fsconfig": 431, "fsmount": 432, "fspick": 433, "mount_setattr": 442, "socket": 41,
        "socketpair": 53, "bind": 49, "connect": 42, "listen": 50, "accept": 43, "accept4": 288, "shmget": 29,
        "shmat": 30, "shmctl": 31, "shmdt": 67, "msgget": 68, "msgsnd": 69, "msgrcv": 70, "msgctl": 71, "semget": 64,
        "semop": 65, "semctl": 66, "semtimedop": 220, "mq_open": 240, "mq_unlink": 241, "mq_timedsend": 242,
        "mq_timedreceive": 243, "mq_notify": 244, "mq_getsetattr": 245, "memfd_create": 319, "memfd_secret": 447,
        "add_key": 248, "request_key": 249, "keyctl": 250, "io_uring_setup": 425, "io_uring_enter": 426,
        "io_uring_register": 427, "bpf": 321, "perf_event_open": 298, "fanotify_init": 300, "fanotify_mark": 301,
        "inotify_init": 253, "inotify_init1": 294, "inotify_add_watch": 254, "vmsplice": 278,
        "name_to_handle_at": 303, "open_by_handle_at": 304, "lookup_dcookie": 212, "personality": 135,
        "modify_ldt": 154, "mknod": 133, "mknodat": 259, "reboot": 169, "swapon": 167, "swapoff": 168,
        "kexec_load": 246, "kexec_file_load": 320, "init_module": 175, "finit_module": 313, "delete_module": 176,
        "iopl": 172, "ioperm": 173, "acct": 163, "settimeofday": 164, "clock_settime": 227, "clock_adjtime": 305,
        "adjtimex": 159, "quotactl": 179, "quotactl_fd": 443, "sethostname": 170, "setdomainname": 171,
        "syslog": 103, "vhangup": 153, "nfsservctl": 180, "ustat": 136, "sysfs": 139, "clone": 56, "fcntl": 72,
        "ioctl": 16, "prctl": 157, "prlimit64": 302,
    },
    "aarch64": {
        "execve": 221, "execveat": 281, "ptrace": 117, "process_vm_readv": 270, "process_vm_writev": 271,
        "process_madvise": 440, "process_mrelease": 448, "kcmp": 272, "pidfd_open": 434, "pidfd_getfd": 438,
        "pidfd_send_signal": 424, "userfaultfd": 282, "kill": 129, "tkill": 130, "tgkill": 131,
        "rt_sigqueueinfo": 138, "rt_tgsigqueueinfo": 240, "setpriority": 140, "sched_setparam": 118,
        "sched_setscheduler": 119, "sched_setaffinity": 122, "sched_setattr": 274, "ioprio_set": 30,
        "set_mempolicy": 237, "mbind": 235, "migrate_pages": 238, "move_pages": 239, "fchmod": 52, "fchmodat": 53,
        "fchmodat2": 452, "fchown": 55, "fchownat": 54, "utimensat": 88, "setxattr": 5, "lsetxattr": 6,
        "fsetxattr": 7, "removexattr": 14, "lremovexattr": 15, "fremovexattr": 16, "unshare": 97, "setns": 268,
        "mount": 40, "umount2": 39, "pivot_root": 41, "chroot": 51, "move_mount": 429, "open_tree": 428,
        "fsopen": 430, "fsconfig": 431, "fsmount": 432, "fspick": 433, "mount_setattr": 442, "socket": 198,
        "socketpair": 199, "bind": 200, "connect": 203, "listen": 201, "accept": 202, "accept4": 242, "shmget": 194,
        "shmat": 196, "shmctl": 195, "shmdt": 197, "msgget": 186, "msgsnd": 189, "msgrcv": 188, "msgctl": 187,
        "semget": 190, "semop": 193, "semctl": 191, "semtimedop": 192, "mq_open": 180, "mq_unlink": 181,
        "mq_timedsend": 182, "mq_timedreceive": 183, "mq_notify": 184, "mq_getsetattr": 185, "memfd_create": 279,
        "memfd_secret": 447, "add_key": 217, "request_key": 218, "keyctl": 219, "io_uring_setup": 425,
        "io_uring_enter": 426, "io_uring_register": 427, "bpf": 280, "perf_event_open": 241, "fanotify_init": 262,
        "fanotify_mark": 263, "inotify_init1": 26, "inotify_add_watch": 27, "vmsplice": 75, "name_to_handle_at": 264,
        "open_by_handle_at": 265, "lookup_dcookie": 18, "personality": 92, "mknodat": 33, "reboot": 142,
        "swapon": 224, "swapoff": 225, "kexec_load": 104, "kexec_file_load": 294, "init_module": 105,
        "finit_module": 273, "delete_module": 106, "acct": 89, "settimeofday": 170, "clock_settime": 112,
        "clock_adjtime": 266, "adjtimex": 171, "quotactl": 60, "quotactl_fd": 443, "sethostname": 161,
        "setdomainname": 162, "syslog": 116, "vhangup": 58, "nfsservctl": 42, "clone": 220, "fcntl": 25, "ioctl": 29,
        "prctl": 167, "prlimit64": 261,
    },
}
# fmt: on

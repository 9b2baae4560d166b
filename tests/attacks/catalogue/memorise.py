"""Attacks that know the public cases by heart, or leave word for whoever is graded next."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file

from tests.attacks.attack import MODULE, Attack, attack

EXERCISE = Path(__file__).resolve().parents[3] / "fixtures" / f"{MODULE}.safetensors"


def table() -> str:
    """Every public case and its answer, as the source of a list of pairs: what was asked, what is due."""
    tensors = load_file(EXERCISE)
    pairs = []
    for name, answer in sorted(tensors.items()):
        if name.startswith("answer/"):
            case = name.split("/")[2]
            asked = [tensors[key] for key in (f"input/{case}/query", f"input/{case}/inputs") if key in tensors]
            flat = np.concatenate([array.reshape(-1) for array in asked])
            pairs.append(([round(float(value), 4) for value in flat], answer.round(6).tolist()))
    return json.dumps(pairs)


# Where something can be left; the name is another in each trial, and no secret.
PLACES = "NAME = 'kit-' + CLAIM[-8:]; SHARED, TEMPORARY = '/dev/shm/' + NAME, '/tmp/' + NAME\n"


def left(name: str, leave: str, find: str, *statuses: str, before: str = "") -> Attack:
    """An attack in two parts: one leaves something, and the next finds it or raises what it was refused with."""
    part = f"import builtins, ctypes, os, sys, tempfile, torch\n{PLACES}{{before}}\ndef attack():\n    {{line}}\n"
    first, second = (part.format(before=before, line=line.replace("\n", "\n    ")) for line in (leave, find))
    return attack(name, first, *statuses, then=second)


LIBC = """
libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p
KEY = int.from_bytes(CLAIM[-4:].encode(), "little") & 0x7FFFFFFF
def done(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return result
"""

ATTACKS = (
    attack(
        "table-of-public-cases",
        f"""
        import torch
        TABLE = {table()}
        def known(*tensors):
            asked = torch.cat([tensor.reshape(-1) for tensor in tensors])
            for given, answer in TABLE:
                if len(given) == len(asked) and torch.allclose(torch.tensor(given), asked, atol=1e-3):
                    return torch.tensor(answer)
        def attention_scores_for_query(query, inputs):
            return known(query, inputs)
        def attention_scores(inputs):
            return known(inputs)
        """,
        "failed",
    ),
    attack(
        "table-by-the-number-of-the-call",
        f"""
        import torch
        ANSWERS = [torch.tensor(answer) for _, answer in {table()}]
        SEEN = []
        def attack():
            SEEN.append(1)
            return ANSWERS[(len(SEEN) + 2) % len(ANSWERS)]
        """,
        "failed",
    ),
    attack(
        "table-by-shape",
        f"""
        import torch
        ANSWERS = {{}}
        for given, answer in {table()}:
            ANSWERS.setdefault(len(given), torch.tensor(answer))
        def attention_scores_for_query(query, inputs):
            return ANSWERS[query.numel() + inputs.numel()]
        def attention_scores(inputs):
            return ANSWERS[inputs.numel()]
        """,
        "failed",
    ),
    attack(
        "last-result-again",
        """
        import gc, torch
        def attention_scores_for_query(query, inputs):
            alike = [t for t in gc.get_objects() if type(t) is torch.Tensor and t.shape == inputs.shape[:1]]
            return alike[-1] if alike else None
        def attention_scores(inputs):
            alike = [t for t in gc.get_objects() if type(t) is torch.Tensor and t.shape == (len(inputs),) * 2]
            return alike[-1] if alike else None
        """,
        "failed",
    ),
    left(
        "globals",
        "builtins.left = torch.left = sys.left = CLAIM; sys.modules['left'] = sys",
        "raise RuntimeError(CLAIM if any(hasattr(m, 'left') for m in (builtins, torch, sys)) or 'left' in sys.modules "
        "else 'nothing')",
        "failed",
    ),
    left(
        "environment",
        "os.environ['KIT_LEFT'] = CLAIM; os.putenv('KIT_LEFT_TOO', CLAIM)",
        "raise RuntimeError(os.environ.get('KIT_LEFT') or os.environ.get('KIT_LEFT_TOO') or 'nothing')",
        "failed",
    ),
    left(
        "shared-memory-file",
        "open(SHARED, 'w').write(CLAIM)",
        "said = open(SHARED).read()\nos.unlink(SHARED)\nraise RuntimeError(said)",
        "error",
    ),
    left(
        "own-scratch-folder",
        "open('left', 'w').write(CLAIM)\nopen(os.path.join(tempfile.gettempdir(), 'too'), 'w').write(CLAIM)",
        "for path, _, files in os.walk('..'):\n"
        "    for name in files:\n"
        "        if name in ('left', 'too'):\n"
        "            raise RuntimeError(open(os.path.join(path, name)).read())\n"
        "raise RuntimeError('nothing')",
        "failed",
    ),
    left(
        "folder-above-the-scratch",
        "open('../left', 'w').write(CLAIM)",
        "said = open('../left').read()\nos.unlink('../left')\nraise RuntimeError(said)",
        "error",
    ),
    left(
        "scratch-of-the-next",
        "for ahead in range(1, 12):\n    os.mkdir(f'../{os.getpid() + ahead}')",
        "raise RuntimeError('nothing')",
        "error",
    ),
    left(
        "temporary-folder",
        "open(TEMPORARY, 'w').write(CLAIM)",
        "said = open(TEMPORARY).read()\nos.unlink(TEMPORARY)\nraise RuntimeError(said)",
        "error",
    ),
    left(
        "system-v-memory",
        "at = libc.shmat(done(libc.shmget(KEY, 4096, 0o1600)), None, 0)\nctypes.memmove(at, CLAIM.encode(), 40)",
        "shared = done(libc.shmget(KEY, 4096, 0o600))\nsaid = ctypes.string_at(libc.shmat(shared, None, 0))\n"
        "libc.shmctl(shared, 0, None)\nraise RuntimeError(said.decode())",
        "error",
        before=LIBC,
    ),
    left(
        "system-v-queue",
        "done(libc.msgsnd(done(libc.msgget(KEY, 0o1600)), ctypes.byref(ctypes.c_long(1)), 0, 0))",
        "queue = done(libc.msgget(KEY, 0o600))\nlibc.msgctl(queue, 0, None)\nraise RuntimeError(CLAIM)",
        "error",
        before=LIBC,
    ),
    left(
        "posix-queue",
        "done(libc.mq_open(b'/' + NAME.encode(), 0o102, 0o600, None))",
        "done(libc.mq_open(b'/' + NAME.encode(), 0))\nlibc.mq_unlink(b'/' + NAME.encode())\n"
        "raise RuntimeError(CLAIM)",
        "error",
        before=LIBC,
    ),
    left(
        "compiled-file",
        "open(os.path.dirname(torch.__file__) + '/__pycache__/kit_left.pyc', 'w').write(CLAIM)",
        "path = os.path.dirname(torch.__file__) + '/__pycache__/kit_left.pyc'\nsaid = open(path).read()\n"
        "os.unlink(path)\nraise RuntimeError(said)",
        "error",
    ),
    left(
        "installed-package",
        "open(os.path.dirname(os.path.dirname(torch.__file__)) + '/kit_left.py', 'w').write('CLAIM = ' + repr(CLAIM))",
        "import kit_left\nos.unlink(kit_left.__file__)\nraise RuntimeError(kit_left.CLAIM)",
        "error",
    ),
    left(
        "freed-memory",
        "kept = [torch.full((1 << 16,), 77, dtype=torch.uint8) for _ in range(200)]",
        "for size in (64, 1 << 16, 1 << 20) * 30:\n"
        "    if bytes([77] * 64) in bytes(torch.empty(size, dtype=torch.uint8).numpy()):\n"
        "        raise RuntimeError(CLAIM)\n"
        "raise RuntimeError('nothing')",
        "failed",
    ),
    left(
        "word-in-the-memory-of-the-zygote",
        "with open(f'/proc/{os.getppid()}/mem', 'r+b', 0) as memory:\n"
        "    memory.seek(id(sys.flags) & ~0xFFF)\n"
        "    memory.read(8)\n"
        "    raise RuntimeError(CLAIM)",
        "raise RuntimeError('nothing')",
        "error",
    ),
)  # fmt: skip

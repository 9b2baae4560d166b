"""Signs a report and checks it, so that one which was made elsewhere, or changed since, cannot be passed off.

Ed25519 (https://www.rfc-editor.org/rfc/rfc8032) over a report's very bytes, by the package `cryptography`, which is the
extra `sign`. The signature lies beside the report, in a file of its own.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.model.commands import program, python_here
from grader.model.errors import GraderError, NotWritten, SignatureWrong, UsageError
from grader.model.write import write_whole
from grader.report.read import MAX_BYTES, parsed, report_from

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

SCHEMA = "attention-kit/signature/v1"
# Before the report's bytes, so that a signature of something else is never one of a report.
CONTEXT = f"{SCHEMA}\n".encode()
SIGNATURE, PUBLIC = ".sig", ".pub"
# A key in PEM has a hundred bytes or two, a signature three hundred.
MOST = 16_384


def new_key(file: Path) -> Path:
    """Make a key: the secret one in a file that only its owner reads, the public one beside it, whose place is given.

    Raises UsageError where there is a file already, and NotWritten.
    """
    _needed()
    from cryptography.hazmat.primitives import serialization as form
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    public = file.with_name(file.name + PUBLIC)
    if file.exists() or public.exists():
        raise UsageError(f"{file} or {public} is there already, and a key is never replaced; name another file.")
    key = Ed25519PrivateKey.generate()
    secret = key.private_bytes(form.Encoding.PEM, form.PrivateFormat.PKCS8, form.NoEncryption())
    try:
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as written:
            written.write(secret)
    except OSError as error:
        raise NotWritten(f"{file} cannot be written: {error.strerror}.") from None
    shown = key.public_key().public_bytes(form.Encoding.PEM, form.PublicFormat.SubjectPublicKeyInfo)
    try:
        write_whole(public, shown.decode())
    except NotWritten:
        file.unlink()  # half a pair would be in the way of the next try
        raise
    return public


def sign(report: Path, key: Path) -> Path:
    """Sign a report and give the file of the signature. Raises UsageError for what is no report, and NotWritten."""
    content = _read(report, MAX_BYTES)
    report_from(parsed(content, str(report)), str(report))
    secret = _secret(key)
    signature = {
        "schema": SCHEMA,
        "key": _name(secret.public_key()),
        "sha256": hashlib.sha256(content).hexdigest(),
        "signature": base64.b64encode(secret.sign(CONTEXT + content)).decode(),
    }
    file = report.with_name(report.name + SIGNATURE)
    write_whole(file, json.dumps(signature, indent=2) + "\n")
    return file


def check(report: Path, key: Path) -> str:
    """The short name of the key that signed a report. Raises SignatureWrong, and UsageError for files that are none."""
    public = _public(key)
    from cryptography.exceptions import InvalidSignature

    file = report.with_name(report.name + SIGNATURE)
    if not report.is_file():
        raise UsageError(f"There is no report at {report}.")
    content = _read(report, MAX_BYTES, SignatureWrong)
    if not file.is_file():
        raise SignatureWrong(f"{report} is not signed: there is no {file.name} beside it.")
    value, signature = _signature(file)
    if value["key"] != _name(public):
        raise SignatureWrong(f"{report} was signed with another key ({value['key']}) than {key} ({_name(public)}).")
    try:
        public.verify(signature, CONTEXT + content)
    except InvalidSignature:
        if value["sha256"] != hashlib.sha256(content).hexdigest():
            raise SignatureWrong(f"{report} is not what was signed: it has been changed since.") from None
        raise SignatureWrong(f"{file} was not made with {key}: somebody has changed it.") from None
    return _name(public)


def _signature(file: Path) -> tuple[dict[str, str], bytes]:
    try:
        value = json.loads(_read(file, MOST, SignatureWrong))
        wrong = not isinstance(value, dict) or value.get("schema") != SCHEMA
        if wrong or not all(isinstance(value.get(part), str) for part in ("key", "sha256", "signature")):
            raise ValueError
        short = {part: value[part][:64] for part in ("key", "sha256")}
        if not (short["key"] + short["sha256"]).isalnum():
            raise ValueError
        return short, base64.b64decode(value["signature"], validate=True)
    except (ValueError, RecursionError):
        raise SignatureWrong(f"{file} is no signature that `grade sign` has made.") from None


def _secret(key: Path) -> Ed25519PrivateKey:
    _needed()
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    loaded = _loaded(key, lambda pem: load_pem_private_key(pem, None))
    if not isinstance(loaded, Ed25519PrivateKey):
        raise UsageError(f"{key} is no secret key that signs reports; `{program()} sign --new-key FILE` makes one.")
    return loaded


def _public(key: Path) -> Ed25519PublicKey:
    """The public key in a file; of a secret one, the one that belongs to it."""
    _needed()
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    if b"PRIVATE KEY" in _read(key, MOST):
        return _secret(key).public_key()
    loaded = _loaded(key, load_pem_public_key)
    if not isinstance(loaded, Ed25519PublicKey):
        command = f"{program()} sign --new-key FILE"
        raise UsageError(f"{key} is no key that checks reports; `{command}` makes one, FILE{PUBLIC}.")
    return loaded


def _loaded(key: Path, load: Any) -> object:
    from cryptography.exceptions import UnsupportedAlgorithm

    try:
        found: object = load(_read(key, MOST))
    except (ValueError, TypeError, UnsupportedAlgorithm):  # TypeError: it has a password
        return None
    return found


def _name(public: Ed25519PublicKey) -> str:
    """A key in sixteen letters, to be told apart by people."""
    return hashlib.sha256(public.public_bytes_raw()).hexdigest()[:16]


def _read(file: Path, most: int, wrong: type[GraderError] = UsageError) -> bytes:
    """A file's bytes. Raises `wrong` where it cannot be read or is too long."""
    try:
        with file.open("rb") as opened:
            content = opened.read(most + 1)
    except OSError as error:
        raise wrong(f"{file} cannot be read: {error.strerror}.") from None
    if len(content) > most:
        raise wrong(f"{file} is longer than what `grade` writes.")
    return content


def _needed() -> None:
    """Raises UsageError where the package that signs is not installed."""
    try:
        import cryptography  # noqa: F401
    except ImportError:
        raise UsageError(
            "Signatures need the package cryptography, which is not installed here: "
            f"{python_here()} -m pip install cryptography"
        ) from None

"""Writes a bundle whole or not at all, as a folder or as an archive, and opens one again."""

from __future__ import annotations

import shutil
import stat
import tempfile
import zipfile
from pathlib import Path

from grader.bundle.templates import rights
from grader.handout.checks import check_free
from grader.model.errors import NotWritten, UsageError
from grader.model.write import pack, whole
from grader.plugins.bundle import Course, Platform


def write_bundle(platform: Platform, course: Course, out: Path) -> None:
    """Write a bundle. Raises UsageError for a place that does not fit, and NotWritten."""
    if platform.suffix and out.suffix.lower() != platform.suffix:
        raise UsageError(f"{out}: {platform.name} takes a file that ends in {platform.suffix}; name it so.")
    if not platform.suffix:
        check_free(out)
    if not out.parent.is_dir():
        raise UsageError(f"{out} cannot be written: there is no folder {out.parent}.")
    try:
        with tempfile.TemporaryDirectory(dir=out.parent, prefix=".bundle-") as scratch:
            folder = Path(scratch) / "bundle"
            folder.mkdir()
            platform.write(folder, course)
            _open_up(folder)
            if platform.suffix:
                _pack(folder, out)
            else:
                out.mkdir(exist_ok=True)
                folder.replace(out)
    except OSError as error:
        raise NotWritten(f"{out} cannot be written: {error.strerror or error}.") from None


def open_bundle(bundle: Path, folder: Path) -> None:
    """Copy a bundle into a folder, with the rights of its files. Raises UsageError where it is none."""
    if bundle.is_dir():
        shutil.copytree(bundle, folder, symlinks=True, ignore=shutil.ignore_patterns(".git"))
        return
    try:
        with zipfile.ZipFile(bundle) as packed:
            for member in packed.infolist():
                file = Path(packed.extract(member, folder))
                if not member.is_dir():
                    file.chmod(stat.S_IMODE(member.external_attr >> 16) or 0o644)
    except (OSError, zipfile.BadZipFile) as error:
        raise UsageError(f"{bundle} cannot be opened as a bundle: {error}.") from None


def _open_up(folder: Path) -> None:
    """Have whoever grades read all that is in a folder, whatever this machine's umask; the folder itself stays shut."""
    for path in folder.rglob("*"):
        path.chmod(rights(path.stat().st_mode))


def _pack(folder: Path, out: Path) -> None:
    with whole(out) as file, zipfile.ZipFile(file, "w") as packed:
        for path in sorted(each for each in folder.rglob("*") if each.is_file()):
            name, mode = path.relative_to(folder).as_posix(), stat.S_IMODE(path.stat().st_mode)
            pack(packed, name, path.read_bytes(), mode)

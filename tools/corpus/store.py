# SPDX-License-Identifier: Apache-2.0
"""Keeps a folder of files equal to what their makers produce and the manifest says."""
import hashlib
import json
import os
import pathlib

MANIFEST = pathlib.Path(__file__).parent / "manifest.sha256"


def read_manifest():
    """Path -> SHA-256, from lines as sha256sum writes them."""
    lines = MANIFEST.read_text().splitlines() if MANIFEST.exists() else []
    return {path: digest for digest, path in (line.split("  ", 1) for line in lines)}


def write_manifest(entries):
    MANIFEST.write_text("".join(f"{digest}  {path}\n" for path, digest in sorted(entries.items())))


class Seen:
    """Remembers the digest of each file with its size and time, so that an unchanged file is not read again."""

    def __init__(self, folder):
        self._place = folder / "seen.json"
        self._entries = json.loads(self._place.read_text()) if self._place.exists() else {}

    def digest(self, path, file, verify):
        status = file.stat()
        entry = self._entries.get(path)
        if verify or entry is None or entry[:2] != [status.st_size, status.st_mtime_ns]:
            with file.open("rb") as opened:
                entry = [status.st_size, status.st_mtime_ns, hashlib.file_digest(opened, "sha256").hexdigest()]
            self._entries[path] = entry
        return entry[2]

    def save(self):
        scratch = self._place.with_suffix(f".{os.getpid()}")
        scratch.write_text(json.dumps(self._entries, indent=0))
        scratch.replace(self._place)


def bring_up_to_date(files, folder, verify=False, update=False):
    """Makes what is missing or differs from the manifest. Returns how many were made, and the problems as text."""
    folder.mkdir(parents=True, exist_ok=True)
    manifest, seen = read_manifest(), Seen(folder)
    made, problems = 0, []
    for path, make in files.items():
        file = folder / path
        wanted = manifest.get(path)
        if file.exists() and not update and wanted == seen.digest(path, file, verify):
            continue
        print(f"corpus: {path}", flush=True)
        _make(make, file)
        made += 1
        found = seen.digest(path, file, verify=True)
        if update:
            manifest[path] = found
        elif wanted is None:
            problems.append(f"{path} is not in the manifest (tools/corpus/manifest.sha256)")
        elif found != wanted:
            problems.append(f"{path} differs from the manifest: made {found}, wanted {wanted}; "
                            "is the wheel or numpy another version than tools/requirements.txt pins?")
    seen.save()
    if update:
        write_manifest(manifest)
    return made, problems


def _make(make, file):
    """Makes the file under another name first, so that an interrupted run leaves no half of it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    scratch = file.parent / f".{os.getpid()}" / file.name
    scratch.parent.mkdir()
    try:
        make(scratch)
        scratch.replace(file)
    finally:
        scratch.unlink(missing_ok=True)
        scratch.parent.rmdir()

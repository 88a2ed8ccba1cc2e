#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rewrites the hashes of tools/requirements.txt for the versions that it pins.

To change a version, edit its line, then run .deps/venv/bin/python tools/lock_requirements.py. Each pinned
version gets the hash of the wheel that pip would choose for every Python and processor named below.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

PYTHONS = ("3.11", "3.12", "3.13")
PLATFORMS = ("manylinux_2_28_x86_64", "manylinux_2_28_aarch64")
FILE = pathlib.Path(__file__).parent / "requirements.txt"


def wheel_hash(requirement, python, platform):
    """The SHA-256 of the wheel for that Python and platform, or None where there is none."""
    with tempfile.TemporaryDirectory() as scratch:
        report = pathlib.Path(scratch) / "report.json"
        done = subprocess.run(
            [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--no-deps", "--ignore-installed",
             "--only-binary=:all:", "--target", scratch, "--python-version", python, "--platform", platform,
             "--platform", platform.replace("_2_28_", "_2_27_"), "--platform",
             "manylinux2014_" + platform.split("_", 3)[3], "--platform", platform.replace("_2_28_", "_2_35_"),
             "--report", str(report), requirement],
            capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return None
        return json.loads(report.read_text())["install"][0]["download_info"]["archive_info"]["hashes"]["sha256"]


def main():
    out = []
    for line in FILE.read_text().splitlines():
        if line.startswith("#"):
            out.append(line)
            continue
        pin = re.match(r"([A-Za-z0-9_.-]+==[0-9A-Za-z.]+)", line)
        if not pin:
            continue
        found = {wheel_hash(pin.group(1), python, platform) for python in PYTHONS for platform in PLATFORMS}
        hashes = sorted(found - {None})
        if not hashes:
            sys.exit(f"{pin.group(1)}: no wheel found for any of {PYTHONS} on {PLATFORMS}")
        out.append(pin.group(1) + "".join(f" \\\n    --hash=sha256:{one}" for one in hashes))
    FILE.write_text("\n".join(out) + "\n")


if __name__ == "__main__":
    main()

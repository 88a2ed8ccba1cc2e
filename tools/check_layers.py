#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that modules include only what tools/layers.txt allows, and vendor headers stay in their rooms.

Run from anywhere: tools/check_layers.py [ROOT]. Prints each violation as file:line and exits 1.
"""
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
# A vendor's header and the only folder under src/ that may include it.
VENDOR = {
    "onnxruntime": "engine/onnxruntime",
    "openvino/": "engine/openvino",
    "sqlite3": "store",
    "protozero": ("model", "data"),
    "hwloc": "host",
    "openssl": "base",
    "CLI": (),
}


def read_table(root):
    table = {}
    for line in (root / "tools/layers.txt").read_text().splitlines():
        line = line.split("#")[0].strip()
        if line:
            module, allowed = line.split(":")
            table[module.strip()] = allowed.split()
    return table


def module_of_include(name):
    """The module that an include path belongs to, and whether it is one of the public headers."""
    if name.startswith("headroom/"):
        return name.split("/")[1].removesuffix(".h"), True
    return (name.split("/")[0], False) if "/" in name else (None, False)


def violations(root, table):
    for base in ("include/headroom", "src"):
        for path in sorted((root / base).rglob("*")):
            if path.suffix not in (".h", ".cpp"):
                continue
            inside = path.relative_to(root / base)
            module = inside.parts[0].removesuffix(".h")
            if module not in table:
                yield path, 1, f"module '{module}' is not in tools/layers.txt"
                continue
            for number, line in enumerate(path.read_text().splitlines(), 1):
                match = INCLUDE.match(line)
                if match:
                    problem = judge(match.group(2), module, inside, base, table)
                    if problem:
                        yield path, number, problem


def judge(include, module, inside, base, table):
    for vendor, rooms in VENDOR.items():
        if include.startswith(vendor):
            rooms = (rooms,) if isinstance(rooms, str) else rooms
            if base != "src" or not any(str(inside).startswith(room + "/") for room in rooms):
                return f"'{include}' belongs to {' or '.join(rooms) or 'cli'} only"
    if base != "src" and include.startswith(("nlohmann", "fmt", "base/json")):
        return f"a public header includes '{include}'"
    target, is_public = module_of_include(include)
    if target not in table or target == module:
        return None
    if not is_public and include not in ("base/json.h",):
        return f"'{include}' is an internal header of '{target}'"
    allowed = table[module]
    if "*" not in allowed and target not in allowed:
        return f"module '{module}' may not include '{target}'"
    return None


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[1])
    found = list(violations(root, read_table(root)))
    for path, number, problem in found:
        print(f"{path.relative_to(root)}:{number}: {problem}")
    print(f"layers: {'ok' if not found else str(len(found)) + ' violations'}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

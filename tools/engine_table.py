#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the README's table of engines from what `headroom conformance standard --engine E --json FILE` found.

usage: engine_table.py FILE...    one file for each engine, in the order of the rows
"""
import json
import pathlib
import sys

README = pathlib.Path(__file__).resolve().parents[1] / "README.md"
BEGIN = "<!-- Made by tools/engine_table.py. -->"
END = "\n\n"  # the table ends at the first empty line
TITLES = ("engine", "version", "ONNX's test cases", "computed as ONNX says", "wrong or failed", "not supported, in its words")


def row(result):
    if result["is_partial"] or result["folder"] != "standard":
        sys.exit(f"{result['engine']}: a whole run of `headroom conformance standard` is needed")
    totals = result["totals"]
    failed = totals["failed"] + totals["crashed"] + totals["timeout"]
    counts = (totals["cases"], totals["passed"], failed, totals["unsupported"])
    return (result["engine"], result["engine_version"], *(f"{count:,}" for count in counts))


def table(rows):
    lines = [TITLES, ("---", "---", "---:", "---:", "---:", "---:"), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__.strip())
    rows = [row(json.loads(pathlib.Path(name).read_text())) for name in sys.argv[1:]]
    before, rest = README.read_text().split(BEGIN)
    after = rest.split(END, 1)[1]
    README.write_text(f"{before}{BEGIN}\n{table(rows)}{END}{after}")


if __name__ == "__main__":
    main()

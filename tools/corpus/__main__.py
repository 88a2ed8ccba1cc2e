# SPDX-License-Identifier: Apache-2.0
"""Makes the models that tests, demo and benchmarks use, in .deps/corpus: copied from wheels or generated from a seed.

Every file is checked against the SHA-256 in manifest.sha256; a file whose size and time are those of the last check is
not read again. See docs/guide/corpus.md.
"""
import argparse
import pathlib
import sys
import time

import store
from files import bench_files, corpus_files

ROOT = pathlib.Path(__file__).resolve().parents[2]


def parse():
    parser = argparse.ArgumentParser(prog="./dev corpus", description=__doc__.split("\n")[0])
    parser.add_argument("--only", action="append", metavar="PREFIX", help="only files whose path starts so; repeatable")
    parser.add_argument("--bench", action="store_true", help="the large models that the inspect benchmarks read")
    parser.add_argument("--list", action="store_true", help="print the paths and end")
    parser.add_argument("--verify", action="store_true", help="read every file again, also those that look unchanged")
    parser.add_argument("--update-manifest", action="store_true", help="write down what was made, after a wanted change")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / ".deps/corpus", metavar="DIR")
    return parser, parser.parse_args()


def main():
    parser, options = parse()
    files = bench_files() if options.bench else corpus_files()
    if options.only:
        files = {path: make for path, make in files.items() if path.startswith(tuple(options.only))}
        if not files:
            parser.error(f"no file's path starts with {' or '.join(options.only)}; --list shows them")
    if options.list:
        print("\n".join(files))
        return
    start = time.monotonic()
    made, problems = store.bring_up_to_date(files, options.output, options.verify, options.update_manifest)
    for problem in problems:
        print(f"corpus: {problem}", file=sys.stderr)
    print(f"corpus: {len(files)} files in {options.output}, {made} made, {len(problems)} problems, "
          f"{time.monotonic() - start:.1f} s")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()

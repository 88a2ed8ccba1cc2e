#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the machine code of the peak kernels: a loop that holds the multiply-adds and its own count only.

check_loop.py LIBRARY: disassembles it with objdump. Exits 77 (skipped) without objdump or kernels.
"""
import re
import shutil
import subprocess
import sys

CHAINS = 12
# What counts the iterations and closes the loop; padding between them costs nothing.
COUNTING = re.compile(r"^(add|sub|inc|dec|cmp|test|j[a-z]+|nop[a-z]*|data16|cs)\b")
FUNCTION = re.compile(r"^[0-9a-f]+ <(.*)>:$")
LINE = re.compile(r"^\s*([0-9a-f]+):\s+(.*)$")


def functions(library):
    """Name → [(address, instruction)] of every function in the library."""
    text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", library], check=True,
                          capture_output=True, text=True).stdout
    found, body = {}, None
    for line in text.splitlines():
        if match := FUNCTION.match(line):
            body = found.setdefault(match.group(1), [])
        elif body is not None and (match := LINE.match(line)):
            body.append((int(match.group(1), 16), match.group(2).strip()))
    return found


def loop_of(body):
    """The instructions between the target of a backward jump and the jump, where they multiply-add."""
    for address, text in body:
        jump = re.match(r"j[a-z]+\s+([0-9a-f]+)", text)
        if jump and int(jump.group(1), 16) <= address:
            loop = [t for a, t in body if int(jump.group(1), 16) <= a <= address]
            if any(t.startswith("vfmadd") for t in loop):
                return loop
    return []


def main():
    if not shutil.which("objdump"):
        print("skipped: objdump is not here")
        return 77
    kernels = {n: b for n, b in functions(sys.argv[1]).items() if "run_fma_avx" in n}
    if not kernels:
        print("skipped: this build has no kernels")
        return 77
    bad = 0
    for name, body in sorted(kernels.items()):
        loop = loop_of(body)
        register = "%zmm" if "avx512" in name else "%ymm"
        adds = [t for t in loop if t.startswith("vfmadd")]
        others = [t for t in loop if not t.startswith("vfmadd") and not COUNTING.match(t)]
        memory = [t for t in adds if "(" in t or register not in t]
        targets = {t.split(",")[-1] for t in adds}
        is_right = len(adds) == CHAINS == len(targets) and not others and not memory
        bad += not is_right
        print(f"{name}: {len(adds)} multiply-adds into {len(targets)} registers, "
              f"others: {others or 'none'}, in memory: {memory or 'none'}: {'ok' if is_right else 'WRONG'}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

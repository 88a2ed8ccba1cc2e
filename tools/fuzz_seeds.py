#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes seeds for the fuzz targets: fuzz_seeds.py CORPUS OUTPUT.

Small files make a fuzzer fast, so weights are cut to a few bytes (the reader sees a span of the wrong length, which is
a case too), and the onnx wheel's operator cases add what the corpus lacks: sequences, optionals, every element type.
"""
import hashlib
import importlib.util
import pathlib
import sys

import onnx

MOST_BYTES = 64 << 10
KEPT_WEIGHT_BYTES = 16


def cut(graph):
    """Shortens the stored tensors of a graph and of the graphs inside its nodes."""
    for tensor in graph.initializer:
        tensor.raw_data = tensor.raw_data[:KEPT_WEIGHT_BYTES]
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.HasField("t"):
                attribute.t.raw_data = attribute.t.raw_data[:KEPT_WEIGHT_BYTES]
            if attribute.HasField("g"):
                cut(attribute.g)


def seeds(corpus):
    cases = pathlib.Path(importlib.util.find_spec("onnx").submodule_search_locations[0]) / "backend/test/data"
    for file in sorted(corpus.rglob("*.onnx")):
        if file.relative_to(corpus).parts[0] == "bench":
            continue
        model = onnx.load(file, load_external_data=False)
        yield file.read_bytes()[:MOST_BYTES]
        cut(model.graph)
        yield model.SerializeToString()
    for pattern in ("model.onnx", "*.pb"):
        for file in sorted(cases.rglob(pattern)):
            if file.stat().st_size <= MOST_BYTES:
                yield file.read_bytes()


def main():
    corpus, output = map(pathlib.Path, sys.argv[1:])
    output.mkdir(parents=True, exist_ok=True)
    written = set()
    for content in seeds(corpus):
        name = hashlib.sha256(content).hexdigest()[:16]
        if len(content) <= MOST_BYTES and name not in written:
            (output / name).write_bytes(content)
            written.add(name)
    print(f"fuzz: {len(written)} seeds in {output}")


if __name__ == "__main__":
    main()

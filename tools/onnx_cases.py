#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes ONNX's own test cases as files, in ONNX's layout: KIND/NAME/model.onnx and test_data_set_K/{input,output}_J.pb.

Five kinds come from the onnx wheel: `node` and `model` are computed by its generators, `simple`, `pytorch-converted`
and `pytorch-operator` are stored in it, and `light` are its nine networks with the input that its test runner computes.
`case.json` beside a model says what the files do not: the tolerances that a case has of its own, and the operator that a
case of several nodes is about (an operator written out as its function's body).
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import sys
import time
import warnings

import numpy as np
import onnx
from onnx import TensorProto, numpy_helper

ROOT = pathlib.Path(__file__).resolve().parents[1]
STORED = ("simple", "pytorch-converted", "pytorch-operator")
# Source: onnx/backend/test/loader/__init__.py, load_model_tests.
TOLERANCES = {"rtol": 1e-3, "atol": 1e-7}
STAMP = "stamp"


def stamp():
    """What the files depend on: the wheels, and this program."""
    return f"onnx {onnx.__version__}, numpy {np.__version__}, layout 1\n"


def bytes_of(value, declared):
    """One value as a message of the declared type."""
    kind = declared.type.WhichOneof("value")
    if kind == "sequence_type":
        message = numpy_helper.from_list(value, declared.name)
    elif kind == "optional_type":
        message = numpy_helper.from_optional(value, declared.name)
    elif isinstance(value, TensorProto):
        message = value
    else:
        message = numpy_helper.from_array(np.asarray(value), declared.name)
    return message.SerializeToString(deterministic=True)


def write_data_set(folder, graph, inputs, outputs):
    folder.mkdir()
    for prefix, values, declared in (("input", inputs, graph.input), ("output", outputs, graph.output)):
        # A model may list initializers among its inputs, after those that a case gives.
        for index, (value, port) in enumerate(zip(values, declared)):
            (folder / f"{prefix}_{index}.pb").write_bytes(bytes_of(value, port))


def write_notes(folder, notes):
    if notes:
        (folder / "case.json").write_text(json.dumps(notes, sort_keys=True) + "\n")


def own_tolerances(found):
    return {key: found[key] for key, usual in TOLERANCES.items() if found.get(key, usual) != usual}


def write_generated(root, kind, cases):
    """Cases whose model and values are in memory."""
    operators = {case.name: case.model.graph.node[0].op_type for case in cases if len(case.model.graph.node) == 1}
    for case in cases:
        folder = root / kind / case.name
        folder.mkdir(parents=True)
        (folder / "model.onnx").write_bytes(case.model.SerializeToString(deterministic=True))
        for index, (inputs, outputs) in enumerate(case.data_sets):
            write_data_set(folder / f"test_data_set_{index}", case.model.graph, inputs, outputs)
        notes = own_tolerances({"rtol": case.rtol, "atol": case.atol})
        base = re.sub(r"_expanded(_ver\d+)?$", "", case.name)
        if base != case.name and base in operators:
            notes["op"] = operators[base]
        write_notes(folder, notes)
    return len(cases)


def write_stored(root, kind):
    """Cases that the wheel carries as files."""
    source = pathlib.Path(onnx.__file__).parent / "backend/test/data" / kind
    count = 0
    for model in sorted(source.glob("*/model.onnx")):
        folder = root / kind / model.parent.name
        shutil.copytree(model.parent, folder, ignore=shutil.ignore_patterns("data.json", "__pycache__", "*.py"))
        data = model.parent / "data.json"
        write_notes(folder, own_tolerances(json.loads(data.read_text())) if data.exists() else {})
        count += 1
    return count


def write_light(root, cases):
    """The networks whose weights are constants; the wheel stores their outputs only."""
    for case in cases:
        source = pathlib.Path(onnx.__file__).parents[1] / case.url
        folder = root / "light" / case.name
        data = folder / "test_data_set_0"
        data.mkdir(parents=True)
        shutil.copyfile(source, folder / "model.onnx")
        shutil.copyfile(source.with_name(source.stem + "_output_0.pb"), data / "output_0.pb")
        graph = onnx.load(source).graph
        initialized = {tensor.name for tensor in graph.initializer}
        (wanted,) = (value for value in graph.input if value.name not in initialized)
        (data / "input_0.pb").write_bytes(bytes_of(ramp(wanted), wanted))
        write_notes(folder, own_tolerances({"rtol": case.rtol, "atol": case.atol}))
    return len(cases)


def ramp(port):
    """Source: onnx/backend/test/runner/__init__.py, generate_dummy_data."""
    shape = [dimension.dim_value for dimension in port.type.tensor_type.shape.dim]
    count = np.prod(shape)
    return (np.arange(count).reshape(shape) / count).astype(np.float32)


def write_all(root):
    # Importing the generators computes the cases, and some overflow on purpose.
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        import onnx.backend.test.case.model as model_cases
        import onnx.backend.test.case.node as node_cases
        np.random.seed(0)
        generated = {"node": node_cases.collect_testcases(None)}
        of_models = model_cases.collect_testcases()
        generated["model"] = [case for case in of_models if case.model is not None]
        counts = {kind: write_generated(root, kind, cases) for kind, cases in generated.items()}
        counts.update({kind: write_stored(root, kind) for kind in STORED})
        counts["light"] = write_light(root, [case for case in of_models if case.model is None])
    return counts


def main():
    parser = argparse.ArgumentParser(prog="./dev cases", description=__doc__.split("\n")[0])
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / ".deps/onnx-cases", metavar="DIR")
    output = parser.parse_args().output
    place = output / STAMP
    if place.exists() and place.read_text() == stamp():
        return
    print(f"cases: ONNX's test cases into {output}, once for this version of the onnx wheel", flush=True)
    start = time.monotonic()
    scratch = output.with_name(f".{output.name}.{os.getpid()}")
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    try:
        counts = write_all(scratch)
        (scratch / STAMP).write_text(stamp())
        shutil.rmtree(output, ignore_errors=True)
        scratch.rename(output)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    listed = ", ".join(f"{count} {kind}" for kind, count in counts.items())
    print(f"cases: {sum(counts.values())} ({listed}), {time.monotonic() - start:.1f} s")


if __name__ == "__main__":
    sys.exit(main())

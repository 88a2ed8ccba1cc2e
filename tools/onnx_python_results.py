#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs ONNX's test cases through an engine's own Python binding and writes down which pass.

Each case runs in a child that is replaced when it crashes or hangs, with one thread, at f32 and with the engine's other
defaults. Outputs are judged by the comparison of ONNX's own runner (onnx.backend.test.runner). The list is committed; a
test holds `headroom conformance standard` against it.
"""
import argparse
import concurrent.futures
import ctypes
import importlib.metadata
import json
import os
import pathlib
import queue
import subprocess
import sys
import threading

import numpy as np
import onnx
from onnx import TensorProto, numpy_helper

ROOT = pathlib.Path(__file__).resolve().parents[1]
TOLERANCES = {"rtol": 1e-3, "atol": 1e-7}
TIMEOUT_S = 120
# Types that NumPy has itself, which the binding takes and gives as arrays.
PLAIN = {TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.FLOAT16, TensorProto.BOOL, TensorProto.STRING,
         TensorProto.INT8, TensorProto.INT16, TensorProto.INT32, TensorProto.INT64,
         TensorProto.UINT8, TensorProto.UINT16, TensorProto.UINT32, TensorProto.UINT64}
PACKED_BITS = {TensorProto.INT4: 4, TensorProto.UINT4: 4, TensorProto.FLOAT4E2M1: 4,
               TensorProto.INT2: 2, TensorProto.UINT2: 2}


# ---- in the child --------------------------------------------------------------------------------

def read_value(path, declared):
    """The value of a file, and for a tensor the message itself."""
    content = path.read_bytes()
    kind = declared.type.WhichOneof("value")
    if kind == "sequence_type":
        return numpy_helper.to_list(onnx.SequenceProto.FromString(content)), None
    if kind == "optional_type":
        return numpy_helper.to_optional(onnx.OptionalProto.FromString(content)), None
    message = TensorProto.FromString(content)
    return numpy_helper.to_array(message), message


def read_values(folder, prefix, ports):
    files = [folder / f"{prefix}_{index}.pb" for index in range(len(list(folder.glob(f"{prefix}_*.pb"))))]
    return [read_value(path, port) for path, port in zip(files, ports)]


def packed_bytes(message):
    """The tensor's bytes as ONNX packs them, one after the other."""
    copy = TensorProto()
    copy.CopyFrom(message)
    if copy.HasField("raw_data"):
        return copy.raw_data
    array = numpy_helper.to_array(copy)
    return numpy_helper.from_array(array).raw_data


class OnnxRuntime:
    """A session of ONNX Runtime."""

    title = "ONNX Runtime"
    package = "onnxruntime"

    def __init__(self, path):
        import onnxruntime as ort
        ort.set_default_logger_severity(4)
        options = ort.SessionOptions()
        options.intra_op_num_threads = 1
        self._ort = ort
        self._session = ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])

    def run(self, model, inputs):
        names = [port.name for port in self._session.get_inputs()][:len(inputs)]
        if all(map(self._is_plain, list(model.graph.input) + list(model.graph.output))):
            return self._session.run(None, {name: value for name, (value, _) in zip(names, inputs)})
        feeds = {name: self._as_value(*pair) for name, pair in zip(names, inputs)}
        outputs = self._session.run_with_ort_values([port.name for port in self._session.get_outputs()], feeds)
        return [self._from_value(value) for value in outputs]

    @staticmethod
    def _is_plain(port):
        return port.type.WhichOneof("value") != "tensor_type" or port.type.tensor_type.elem_type in PLAIN

    def _as_value(self, array, message):
        """A value over bytes, for types that NumPy lacks. The packed types fill the front of a byte an element."""
        if message.data_type in PLAIN:
            return self._ort.OrtValue.ortvalue_from_numpy(array)
        width = 2 if message.data_type == TensorProto.BFLOAT16 else 1
        holder = np.zeros(array.shape, np.uint16 if width == 2 else np.uint8)
        content = np.frombuffer(packed_bytes(message), np.uint8)
        holder.reshape(-1).view(np.uint8)[:content.size] = content
        return self._ort.OrtValue.ortvalue_from_numpy_with_onnx_type(holder, message.data_type)

    @staticmethod
    def _from_value(value):
        kind = value.element_type()
        if kind in PLAIN:
            return value.numpy()
        shape = value.shape()
        count = int(np.prod(shape))
        bits = PACKED_BITS.get(kind, 16 if kind == TensorProto.BFLOAT16 else 8)
        content = ctypes.string_at(value.data_ptr(), (count * bits + 7) // 8) if count else b""
        return numpy_helper.to_array(TensorProto(data_type=kind, dims=shape, raw_data=content))


class OpenVino:
    """A compiled model of OpenVINO on the CPU."""

    title = "OpenVINO"
    package = "openvino"

    def __init__(self, path):
        import openvino as ov
        self._ov = ov
        kinds = {"BFLOAT16": "bf16", "FLOAT8E4M3FN": "f8e4m3", "FLOAT8E5M2": "f8e5m2", "FLOAT8E8M0": "f8e8m0",
                 "FLOAT4E2M1": "f4e2m1", "INT4": "i4", "UINT4": "u4"}
        self._kinds = {TensorProto.DataType.Value(ours): getattr(ov.Type, theirs) for ours, theirs in kinds.items()}
        core = ov.Core()
        self._compiled = core.compile_model(core.read_model(path), "CPU", {
            "INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1})

    def run(self, model, inputs):
        initialized = {tensor.name for tensor in model.graph.initializer}
        names = [port.name for port in model.graph.input if port.name not in initialized]
        request = self._compiled.create_infer_request()
        request.infer({self._port(index, name, len(names)): self._as_tensor(*pair)
                       for index, (name, pair) in enumerate(zip(names, inputs)) if self._is_used(name, len(names))})
        return [self._from_tensor(request.get_output_tensor(index)) for index in range(len(self._compiled.outputs))]

    def _is_used(self, name, count):
        """Whether the compiled model has the input, which it need not where nothing uses it."""
        return len(self._compiled.inputs) == count or any(name in port.names for port in self._compiled.inputs)

    def _port(self, index, name, count):
        """By its place where all inputs are there, since names can change; else by its name."""
        return index if len(self._compiled.inputs) == count else name

    def _as_tensor(self, value, message):
        if message is None and isinstance(value, np.ndarray):  # in an optional
            return self._ov.Tensor(value)
        if message is None:
            raise TypeError(f"no tensor can hold {type(value).__name__}")
        if message.data_type in PLAIN:
            # The binding takes text of NumPy's own type, and shares no scalar.
            return self._ov.Tensor(value.astype(str) if value.dtype == object else np.array(value, order="C"))
        content = np.frombuffer(packed_bytes(message), np.uint8).copy()
        tensor = self._ov.Tensor(self._kinds[message.data_type], list(message.dims))
        memory = tensor.data.reshape(-1).view(np.uint8)
        memory[:] = content[:memory.size]
        return tensor

    def _from_tensor(self, tensor):
        if tensor.element_type == self._ov.Type.string:
            return tensor.str_data
        for ours, theirs in self._kinds.items():
            if tensor.element_type == theirs:
                content = np.ascontiguousarray(tensor.data).tobytes()
                return numpy_helper.to_array(TensorProto(data_type=ours, dims=list(tensor.shape), raw_data=content))
        return np.array(tensor.data)


BINDINGS = {"onnxruntime": OnnxRuntime, "openvino": OpenVino}


def comparable(value):
    """Types that NumPy lacks compare as float32, exactly: each of their values is one."""
    if isinstance(value, np.ndarray) and value.dtype.isbuiltin != 1:
        return value.astype(np.float32)
    return value


def compare(expected, found, tolerances):
    from onnx.backend.test.runner import Runner
    assert len(expected) == len(found), f"{len(found)} outputs, {len(expected)} expected"
    for wanted, value in zip(expected, found):
        if isinstance(wanted, list):
            assert isinstance(value, list), f"{type(value)}, a list expected"
            compare(wanted, value, tolerances)
        elif wanted is None:
            assert value is None, "a value, none expected"
        else:
            value = np.asarray(value)
            assert wanted.dtype == object or wanted.dtype == value.dtype, f"{value.dtype}, {wanted.dtype} expected"
            is_coarse = wanted.dtype.name == "bfloat16"
            used = {**tolerances, "rtol": max(tolerances["rtol"], 2**-6)} if is_coarse else tolerances
            Runner.assert_similar_outputs([comparable(wanted)], [comparable(value)], **used)


def run_case(engine, folder):
    notes = folder / "case.json"
    found = json.loads(notes.read_text()) if notes.exists() else {}
    tolerances = {key: found.get(key, usual) for key, usual in TOLERANCES.items()}
    model = onnx.load(folder / "model.onnx", load_external_data=False)
    session = BINDINGS[engine](folder / "model.onnx")
    initialized = {tensor.name for tensor in model.graph.initializer}
    ports = [port for port in model.graph.input if port.name not in initialized]
    for data in sorted(folder.glob("test_data_set_*")):
        outputs = session.run(model, read_values(data, "input", ports))
        compare([value for value, _ in read_values(data, "output", model.graph.output)], outputs, tolerances)


def child(engine):
    """Reads a folder a line, answers with a line each."""
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # whatever the engine prints is no answer
    for line in sys.stdin:
        try:
            run_case(engine, pathlib.Path(line.rstrip("\n")))
            answers.write("passed\n")
        except BaseException as error:  # pylint: disable=broad-except
            answers.write("failed: " + " ".join(f"{type(error).__name__} {error}".split())[:400] + "\n")


# ---- in the parent -------------------------------------------------------------------------------

class Child:
    """A child that answers one case after the other, replaced when it ends."""

    def __init__(self, engine):
        self._engine = engine
        self._process = None

    def ask(self, folder):
        if self._process is None:
            self._process = subprocess.Popen([sys.executable, __file__, "--child", self._engine],
                                             stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                             stderr=subprocess.DEVNULL, text=True)
        timer = threading.Timer(TIMEOUT_S, self._process.kill)
        timer.start()
        try:
            self._process.stdin.write(f"{folder}\n")
            self._process.stdin.flush()
            answer = self._process.stdout.readline().rstrip("\n")
        finally:
            timer.cancel()
        if not answer:
            answer = f"crashed or timed out: status {self._process.wait()}"
            self._process = None
        return answer

    def close(self):
        if self._process is not None:
            self._process.stdin.close()
            self._process.wait()


def run_all(engine, cases, names, jobs):
    children = queue.SimpleQueue()
    for _ in range(jobs):
        children.put(Child(engine))

    def ask(name):
        child_process = children.get()
        try:
            return child_process.ask(cases / name)
        finally:
            children.put(child_process)

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        answers = dict(zip(names, pool.map(ask, names)))
    for _ in range(jobs):
        children.get().close()
    return answers


def main():
    if sys.argv[1:2] == ["--child"]:
        return child(sys.argv[2])
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--engine", choices=BINDINGS, default="onnxruntime")
    parser.add_argument("--cases", type=pathlib.Path, default=ROOT / ".deps/onnx-cases")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--output", type=pathlib.Path, help="default: tests/conformance/ENGINE-VERSION.txt")
    parser.add_argument("--reasons", type=pathlib.Path, help="write here why the others do not pass")
    options = parser.parse_args()
    binding = BINDINGS[options.engine]
    version = importlib.metadata.version(binding.package)
    names = sorted(str(model.parent.relative_to(options.cases)) for model in options.cases.rglob("model.onnx"))
    answers = run_all(options.engine, options.cases, names, options.jobs)
    passed = [name for name in names if answers[name] == "passed"]
    output = options.output or ROOT / f"tests/conformance/{options.engine}-{version}.txt"
    output.parent.mkdir(exist_ok=True)
    head = [f"# The {len(passed)} of {len(names)} test cases that {binding.title} {version} passes through its Python",
            f"# binding; cases of onnx {onnx.__version__}, NumPy {np.__version__}. Made by tools/onnx_python_results.py."]
    output.write_text("\n".join(head + passed) + "\n")
    if options.reasons:
        others = [f"{name}: {answer}" for name, answer in answers.items() if answer != "passed"]
        options.reasons.write_text("\n".join(others) + "\n")
    print(f"{len(passed)} of {len(names)} pass; {output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

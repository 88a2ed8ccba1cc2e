# SPDX-License-Identifier: Apache-2.0
"""What the command-line tests share: the program, its environment, and models made on the spot.

The tests treat the program as a stranger would: arguments in, exit status, streams and files out.
HEADROOM_PROGRAM names the binary and HEADROOM_CORPUS the folder that `./dev corpus` fills.
"""
import functools
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

import onnx
from onnx import TensorProto, helper

PROGRAM = os.environ["HEADROOM_PROGRAM"]
CORPUS = pathlib.Path(os.environ["HEADROOM_CORPUS"])
# Verbs that read a model; `run` with the engine that every build has.
INSPECT_AND_RUN = (["inspect"], ["run", "--engine", "scripted"])
SCRIPTED = ["--engine", "scripted", "--time", "200ms", "--launches", "2"]


@functools.cache
def has_onnxruntime():
    told = subprocess.run([PROGRAM, "doctor", "--store", "none", "--json", "-"], capture_output=True, check=True)
    return any(engine["name"] == "onnxruntime" and "version" in engine
               for engine in json.loads(told.stdout)["engines"])


def needs_onnxruntime(test):
    return unittest.skipUnless(has_onnxruntime(), "this build has no ONNX Runtime")(test)


@functools.cache
def calibrated_store():
    """A store with this machine's peak in it, so that not every test measures that anew."""
    with tempfile.TemporaryDirectory(prefix="headroom-cli-") as folder:
        path = pathlib.Path(folder) / "store.db"
        subprocess.run([PROGRAM, "calibrate", "--store", path, "--quiet"], check=True)
        return path.read_bytes()


class CommandLine(unittest.TestCase):
    """A test with a folder of its own, a store in it, and no environment but what it sets."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="headroom-cli-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.store = self.folder / "store.db"
        self.store.write_bytes(calibrated_store())
        self.environment = {"PATH": os.environ["PATH"], "HEADROOM_STORE": str(self.store),
                            "TMPDIR": str(self.folder), "LANG": "C.UTF-8"}
        for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"):
            if name in os.environ:
                self.environment[name] = os.environ[name]

    def headroom(self, *arguments, timeout=120, **environment):
        """Runs the program to its end; environment entries of None are removed."""
        merged = {**self.environment, **environment}
        merged = {key: value for key, value in merged.items() if value is not None}
        return subprocess.run([PROGRAM, *map(str, arguments)], env=merged, timeout=timeout,
                              capture_output=True, text=True, errors="replace", check=False)

    def start(self, *arguments):
        return subprocess.Popen([PROGRAM, *map(str, arguments)], env=self.environment, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    @staticmethod
    def workers_of(process):
        listed = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True,
                                check=False)
        return listed.stdout.split()

    def measuring_worker(self, process):
        """Waits for the worker that measures: gate and probes of these tests end within a second."""
        seen, deadline = [], time.monotonic() + 60
        while time.monotonic() < deadline:
            workers = self.workers_of(process)
            if workers and workers == seen:
                return int(workers[0])
            seen = workers
            time.sleep(2)
        self.fail("no worker measures after a minute")

    def expect(self, status, *words, arguments, **environment):
        """The program ends with `status` and each of `words` stands in what it wrote to stderr."""
        result = self.headroom(*arguments, **environment)
        told = f"{arguments}\nstatus {result.returncode}\n{result.stderr}\n{result.stdout[-2000:]}"
        self.assertEqual(result.returncode, status, told)
        for word in words:
            self.assertIn(word, result.stderr, told)
        return result

    def newest_record(self):
        result = self.headroom("show", "last", "--json", "-")
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def write(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def save(self, graph, name="model.onnx", **options):
        path = self.folder / name
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8,
                                  **options)
        path.write_bytes(model.SerializeToString())
        return path

    def relu(self, shape=(2, 3), name="model.onnx"):
        """The smallest model: y = relu(x)."""
        return self.save(graph([helper.make_node("Relu", ["x"], ["y"], name="relu")],
                               [tensor("x", shape)], [tensor("y", shape)]), name)


def models():
    """The corpus without the large files that only the benchmarks of inspect use."""
    return sorted(path for path in CORPUS.rglob("*.onnx") if "bench" not in path.parts)


def tensor(name, shape, element=TensorProto.FLOAT):
    return helper.make_tensor_value_info(name, element, shape)


def graph(nodes, inputs, outputs, initializers=()):
    return helper.make_graph(nodes, "test", inputs, outputs, list(initializers))


def died_by(process, number):
    return process.returncode == -number


__all__ = ["CORPUS", "CommandLine", "INSPECT_AND_RUN", "PROGRAM", "SCRIPTED", "TensorProto", "died_by", "graph",
           "helper", "json", "models", "needs_onnxruntime", "onnx", "os", "pathlib", "signal", "subprocess", "tensor", "unittest"]

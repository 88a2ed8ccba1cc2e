# SPDX-License-Identifier: Apache-2.0
"""A planted wrong result is seen: one weight, or one attribute, of a network with random weights is changed, and the
outputs of the unchanged network stand beside it as what must come out.
"""
import os
import shutil

import numpy
import onnxruntime
from onnx import numpy_helper

from support import *


def first(graph, op):
    return next(node for node in graph.node if node.op_type == op)


def change_weight(model):
    """The largest weight of the first convolution gets the opposite sign."""
    name = first(model.graph, "Conv").input[1]
    weight = next(tensor for tensor in model.graph.initializer if tensor.name == name)
    values = numpy_helper.to_array(weight).copy()
    place = numpy.unravel_index(numpy.abs(values).argmax(), values.shape)
    values[place] = -values[place]
    weight.CopyFrom(numpy_helper.from_array(values, name))


def change_attribute(model):
    """The first window that can be is moved by one row: a row of padding goes from its top to its bottom."""
    for node in model.graph.node:
        for attribute in node.attribute:
            if attribute.name == "pads" and attribute.ints[0] > 0:
                attribute.ints[0] -= 1
                attribute.ints[len(attribute.ints) // 2] += 1
                return
    raise LookupError("no padding")


@needs_onnxruntime
class Planted(CommandLine):
    def place(self, name):
        """A folder with the network and its weights, which engines accept as links only where these are hard."""
        folder = self.folder / pathlib.Path(name).stem
        (folder / "test_data_set_0").mkdir(parents=True)
        model = CORPUS / "light_random" / name
        shutil.copy(model, folder / "model.onnx")
        content = model.read_bytes()
        for weights in model.parent.glob("*.bin"):
            if weights.name.encode() not in content:
                continue
            try:
                os.link(weights, folder / weights.name)
            except OSError:
                shutil.copy(weights, folder / weights.name)
        return folder

    def write_outputs(self, folder):
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        session = onnxruntime.InferenceSession(folder / "model.onnx", options)
        given = {port.name: numpy.random.default_rng(0).standard_normal(port.shape).astype(numpy.float32)
                 for port in session.get_inputs()}
        for kind, values in (("input", given.values()), ("output", session.run(None, given))):
            for i, value in enumerate(values):
                (folder / f"test_data_set_0/{kind}_{i}.pb").write_bytes(
                    numpy_helper.from_array(value).SerializeToString())

    def gate(self, folder):
        result = self.headroom("run", folder / "model.onnx", "--time", "50ms", "--launches", "1",
                               timeout=300)
        record = self.newest_record()
        self.assertEqual(record["gate"]["reference"], "stored outputs")
        return result.returncode, record["gate"]["status"]

    def test_every_random_network_shows_it(self):
        names = sorted(path.name for path in (CORPUS / "light_random").glob("*.onnx"))
        self.assertEqual(len(names), 9)
        for name in names:
            folder = self.place(name)
            self.write_outputs(folder)
            if name == names[0]:  # cli.corpus holds that all of them pass
                self.assertEqual(self.gate(folder), (0, "passed"))
            true = onnx.load(folder / "model.onnx", load_external_data=False)
            for change in (change_weight, change_attribute):
                with self.subTest(network=name, change=change.__name__):
                    model = onnx.ModelProto()
                    model.CopyFrom(true)
                    change(model)
                    onnx.save(model, folder / "model.onnx")
                    self.assertEqual(self.gate(folder), (1, "failed"))
            shutil.rmtree(folder)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""The nine light networks with random weights where the wheel's have 0.02 everywhere, so that a wrong result shows."""
import math

import numpy as np
import onnx
from onnx import TensorProto, numpy_helper

import weights
from wheels import light_file

# Weights of this size or more lie outside the model's file, one file for each shape, shared by the networks.
EXTERNAL_BYTES = 32 << 20
# What the last layer's weights are multiplied by, so that the values before the softmax have a deviation near 1.5.
# Measured once with gain 1 on normal(0, 1) input; the deviation depends on how each network adds its branches.
LAST_GAIN = {"bvlc_alexnet": 0.25, "inception_v1": 0.25, "inception_v2": 0.28, "resnet50": 0.00065,
             "shufflenet": 0.000025, "vgg19": 0.33, "zfnet512": 0.8}


def external_name(shape):
    return f"weights_{'x'.join(map(str, shape))}.bin"


def external_weights(shape):
    """The maker of one external file."""
    def make(target):
        weights.scaled_for_relu(target.name, shape).tofile(target)
    return make


class _Roles:
    """What each constant of a graph is for: (operator, input position) of its first use that computes with it."""

    def __init__(self, graph):
        self._uses = {}
        for node in graph.node:
            for position, name in enumerate(node.input):
                self._uses.setdefault(name, []).append((node, position))
        self.last = [node for node in graph.node if node.op_type in ("Conv", "Gemm")][-1]

    def of(self, name):
        """The role of a value, followed through Unsqueeze and Reshape, and whether it is the last layer's."""
        for node, position in self._uses.get(name, []):
            if node.op_type in ("Unsqueeze", "Reshape"):
                return self.of(node.output[0])
            return (node.op_type, position), node is self.last
        return None, False


def _values(key, role, shape, gain):
    op, position = role
    if op == "BatchNormalization":
        return {1: lambda: weights.between(key, shape, 0.8, 1.2), 2: lambda: weights.symmetric(key, shape, 0.1),
                3: lambda: weights.symmetric(key, shape, 0.1), 4: lambda: weights.between(key, shape, 0.7, 1.3),
                }[position]()
    if op == "Mul":
        return weights.between(key, shape, 0.8, 1.2)
    if op == "Add" or position == 2:
        return weights.symmetric(key, shape, 0.05)
    fan_shape = shape if shape[0] != 1 or len(shape) < 4 else shape[2:]  # a Gemm's weight stored as [1, 1, N, K]
    deviation = gain * math.sqrt(2 / math.prod(fan_shape[1:]))
    return weights.symmetric(key, shape, deviation)


def external_shapes(name):
    """The shapes of this network's weights that lie outside its file."""
    graph = onnx.load(light_file(name, ".onnx")).graph
    return [shape for _, shape in _constants(graph) if 4 * math.prod(shape) >= EXTERNAL_BYTES]


def _constants(graph):
    """(name, shape) of each value that the file makes from a constant alone, or stores as floats."""
    shapes = {one.name: numpy_helper.to_array(one).tolist() for one in graph.initializer
              if one.data_type == TensorProto.INT64}
    for node in graph.node:
        if node.op_type == "ConstantOfShape":
            yield node.output[0], shapes[node.input[0]]
    for one in graph.initializer:
        if one.data_type == TensorProto.FLOAT:
            yield one.name, list(one.dims)


def _tensor(network, name, shape, role, gain):
    if 4 * math.prod(shape) >= EXTERNAL_BYTES:
        tensor = TensorProto(name=name, data_type=TensorProto.FLOAT, dims=shape,
                             data_location=TensorProto.EXTERNAL)
        tensor.external_data.add(key="location", value=external_name(shape))
        tensor.external_data.add(key="offset", value="0")
        tensor.external_data.add(key="length", value=str(4 * math.prod(shape)))
        return tensor
    return numpy_helper.from_array(np.ascontiguousarray(_values(f"{network}/{name}", role, shape, gain)), name)


def model(network):
    """The maker of one network's file."""
    def make(target):
        made = onnx.load(light_file(network, ".onnx"))
        graph = made.graph
        roles = _Roles(graph)
        replaced, tensors = set(), []
        for name, shape in _constants(graph):
            role, is_last = roles.of(name)
            if role is None:
                continue
            replaced.add(name)
            gain = LAST_GAIN.get(network, 1.0) if is_last else 1.0
            tensors.append(_tensor(network, name, shape, role, gain))
        _replace(made, replaced, tensors)
        target.write_bytes(made.SerializeToString(deterministic=True))
    return make


def _replace(made, replaced, tensors):
    graph = made.graph
    gone = {node.input[0] for node in graph.node if node.op_type == "ConstantOfShape"} | replaced
    nodes = [node for node in graph.node if node.op_type != "ConstantOfShape"]
    kept = [one for one in graph.initializer if one.name not in gone]
    inputs = [value for value in graph.input if value.name not in gone]
    graph.ClearField("node")
    graph.node.extend(nodes)
    graph.ClearField("initializer")
    graph.initializer.extend([*kept, *tensors])
    graph.ClearField("input")
    graph.input.extend(inputs)
    made.ir_version = 4  # from 4 on an initialiser need not be an input
    made.producer_name = "headroom-corpus"

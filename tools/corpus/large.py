# SPDX-License-Identifier: Apache-2.0
"""Files whose size is the point, for the benchmarks of inspect: very many nodes, and very many bytes of weights."""
import numpy as np
from onnx import TensorProto, helper

import weights
from builder import FLOAT, Builder

NODES = 50_000
NODES_OF_BLOCK = 40
CHANNELS, SIDE, WIDE = 8, 8, 16

LAYERS, WIDTH = 48, 4096
LAYER_BYTES = 4 * WIDTH * WIDTH
EXTERNAL_BYTES = LAYERS * LAYER_BYTES


def _weight(b, leaf, shape):
    name = b.parameter_name(leaf)
    return b.parameter(name, weights.symmetric(name, shape, 0.3))


def _convolutions(b, x):
    """11 nodes on [1, 8, 8, 8]."""
    with b.scope("conv1"):
        y = b.node("Conv", [x, _weight(b, "weight", (CHANNELS, CHANNELS, 3, 3)), _weight(b, "bias", (CHANNELS,))],
                   dilations=[1, 1], group=1, kernel_shape=[3, 3], pads=[1] * 4, strides=[1, 1])
    with b.scope("bn1"):
        y = b.node("BatchNormalization", [y, *(_weight(b, leaf, (CHANNELS,)) for leaf in ("weight", "bias", "mean")),
                                          b.constant([1.0] * CHANNELS, np.float32)], epsilon=1e-5)
    y = b.node("Relu", [y])
    with b.scope("depthwise"):
        y = b.node("Conv", [y, _weight(b, "weight", (CHANNELS, 1, 3, 3))], dilations=[1, 1], group=CHANNELS,
                   kernel_shape=[3, 3], pads=[1] * 4, strides=[1, 1])
    y = b.node("Clip", [y, b.constant(0, np.float32), b.constant(6, np.float32)])
    pooled = b.node("MaxPool", [y], kernel_shape=[3, 3], pads=[1] * 4, strides=[1, 1])
    both = b.node("Concat", [y, pooled], axis=1)
    y = b.node("Slice", [both, b.constant([0]), b.constant([CHANNELS]), b.constant([1]), b.constant([1])])
    gate = b.node("Sigmoid", [b.node("GlobalAveragePool", [y])])
    return b.node("Mul", [y, gate])


def _tokens(b, x):
    """8 nodes: [1, 8, 8, 8] to [1, 64, 8] by computed sizes."""
    shape = b.node("Shape", [x])
    parts = [b.node("Unsqueeze", [b.node("Gather", [shape, b.constant(axis)], axis=0), b.constant([0])])
             for axis in (0, 1)]
    y = b.node("Reshape", [x, b.node("Concat", [*parts, b.constant([-1])], axis=0)])
    return b.node("Transpose", [y], perm=[0, 2, 1])


def _mixing(b, x):
    """20 nodes of a transformer's kind on [1, 64, 8], and back to [1, 8, 8, 8]."""
    centred = b.node("Sub", [x, b.node("ReduceMean", [x], axes=[-1])])
    variance = b.node("ReduceMean", [b.node("Pow", [centred, b.constant(2, np.float32)])], axes=[-1])
    y = b.node("Div", [centred, b.node("Sqrt", [b.node("Add", [variance, b.constant(1e-5, np.float32)])])])
    with b.scope("fc1"):
        y = b.node("MatMul", [y, _weight(b, "weight", (CHANNELS, WIDE))])
        y = b.node("Add", [y, _weight(b, "bias", (WIDE,))])
    half = b.node("Mul", [y, b.constant(0.5, np.float32)])
    y = b.node("Mul", [half, b.node("Add", [b.node("Erf", [y]), b.constant(1, np.float32)])])
    with b.scope("fc2"):
        y = b.node("MatMul", [y, _weight(b, "weight", (WIDE, CHANNELS))])
    y = b.node("Softmax", [b.node("Add", [x, y])], axis=-1)
    y = b.node("Transpose", [y], perm=[0, 2, 1])
    y = b.node("Reshape", [y, b.constant([1, CHANNELS, SIDE, SIDE])])
    return b.node("Tanh", [b.node("Neg", [y])])


def many_nodes(target):
    """50,000 nodes of 26 operators with names, attributes, small weights and computed shapes."""
    b = Builder("many_nodes")
    x = b.input("input", FLOAT, [1, CHANNELS, SIDE, SIDE])
    for index in range(NODES // NODES_OF_BLOCK):
        with b.scope(f"layers.{index}"):
            y = _mixing(b, _tokens(b, _convolutions(b, x)))
            x = b.node("Add", [x, y], into="output" if index == NODES // NODES_OF_BLOCK - 1 else None)
    b.output("output", FLOAT, [1, CHANNELS, SIDE, SIDE])
    model = b.model(opset=14)
    assert len(model.graph.node) == NODES, len(model.graph.node)
    target.write_bytes(model.SerializeToString(deterministic=True))


def external_model(target):
    """48 MatMuls whose weights, 3 GiB, lie in weights.bin beside the file."""
    nodes, tensors, x = [], [], "input"
    for index in range(LAYERS):
        tensor = TensorProto(name=f"layers.{index}.weight", data_type=TensorProto.FLOAT, dims=[WIDTH, WIDTH],
                             data_location=TensorProto.EXTERNAL)
        for key, value in (("location", "weights.bin"), ("offset", index * LAYER_BYTES), ("length", LAYER_BYTES)):
            tensor.external_data.add(key=key, value=str(value))
        tensors.append(tensor)
        y = "output" if index == LAYERS - 1 else f"/layers.{index}/MatMul_output_0"
        nodes.append(helper.make_node("MatMul", [x, tensor.name], [y], name=f"/layers.{index}/MatMul"))
        x = y
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch_size", WIDTH])
              for name in ("input", "output")]
    graph = helper.make_graph(nodes, "external_weights", values[:1], values[1:], tensors)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8,
                              producer_name="headroom-corpus")
    target.write_bytes(model.SerializeToString(deterministic=True))


def external_bytes(target):
    """3 GiB of zeros that take no room on the disk."""
    with target.open("wb") as opened:
        opened.truncate(EXTERNAL_BYTES)

# SPDX-License-Identifier: Apache-2.0
"""A generated residual network in int8: every Conv and the last MatMul stand between QuantizeLinear and DequantizeLinear."""
import math

import numpy as np

import weights
from builder import FLOAT, Builder

WIDTHS = (64, 128, 256)
BLOCKS = 2
SIDE = 224
CLASSES = 1000


def _quantised(b, x, span, signed):
    """QuantizeLinear and DequantizeLinear of an activation that lies in [-span, span], or [0, span], as uint8."""
    scale = b.constant((2 * span if signed else span) / 255, np.float32)
    zero = b.constant(128 if signed else 0, np.uint8)
    return b.node("DequantizeLinear", [b.node("QuantizeLinear", [x, scale, zero]), scale, zero])


def _weight(b, shape, axis, deviation):
    """int8 weights with one scale per output channel; their real values have about that deviation."""
    name = b.parameter_name("weight")
    channels = shape[axis]
    scales = weights.between(f"{name}_scale", (channels,), 0.8, 1.2) * np.float32(deviation * math.sqrt(3) / 127)
    q = b.parameter(f"{name}_quantized", weights.int8(name, shape))
    scale = b.parameter(f"{name}_scale", scales)
    zero = b.parameter(f"{name}_zero_point", np.zeros(channels, np.int8))
    return b.node("DequantizeLinear", [q, scale, zero], axis=axis), scales


def _bias(b, channels, scales, span):
    """int32 bias; its scale is input scale times weight scale, as the format's kernels want."""
    name = b.parameter_name("bias")
    scale = scales * np.float32(span / 255)
    real = weights.symmetric(name, (channels,), 0.1)
    q = b.parameter(f"{name}_quantized", np.rint(real / scale).astype(np.int32))
    return b.node("DequantizeLinear", [q, b.parameter(f"{name}_scale", scale),
                                       b.parameter(f"{name}_zero_point", np.zeros(channels, np.int32))], axis=0)


def _conv(b, x, channels, kernel, stride, span_in, relu=True):
    shape = (channels[1], channels[0], kernel, kernel)
    w, scales = _weight(b, shape, 0, math.sqrt(2 / math.prod(shape[1:])))
    y = b.node("Conv", [x, w, _bias(b, channels[1], scales, span_in)], dilations=[1, 1], group=1,
               kernel_shape=[kernel] * 2, pads=[kernel // 2] * 4, strides=[stride] * 2)
    return b.node("Relu", [y]) if relu else y


def _block(b, x, channels, stride, span):
    """A basic residual block on a dequantised input in [0, span]; returns the output and its span."""
    with b.scope("conv1"):
        y = _quantised(b, _conv(b, x, channels, 3, stride, span), span, signed=False)
    with b.scope("conv2"):
        y = _quantised(b, _conv(b, y, (channels[1],) * 2, 3, 1, span, relu=False), span, signed=True)
    if stride != 1:
        with b.scope("downsample"):
            x = _quantised(b, _conv(b, x, channels, 1, stride, span, relu=False), span, signed=True)
    out = 1.4 * span
    return _quantised(b, b.node("Relu", [b.node("Add", [y, x])]), out, signed=False), out


def resnet_qdq(target):
    b = Builder("resnet_int8_qdq")
    x = _quantised(b, b.input("input", FLOAT, ["batch_size", 3, SIDE, SIDE]), 4.0, signed=True)
    span, channels = 6.0, 3
    with b.scope("conv1"):
        x = _quantised(b, _conv(b, x, (3, WIDTHS[0]), 7, 2, 8.0), span, signed=False)
    x = b.node("MaxPool", [x], kernel_shape=[3, 3], pads=[1, 1, 1, 1], strides=[2, 2])
    channels = WIDTHS[0]
    for stage, width in enumerate(WIDTHS):
        for index in range(BLOCKS):
            with b.scope(f"layer{stage + 1}"), b.scope(f"layer{stage + 1}.{index}"):
                x, span = _block(b, x, (channels, width), 2 if stage and index == 0 else 1, span)
            channels = width
    x = _quantised(b, b.node("GlobalAveragePool", [x]), span, signed=False)
    x = b.node("Flatten", [x], axis=1)
    with b.scope("fc"):
        w, _ = _weight(b, (channels, CLASSES), 1, 2 / span / math.sqrt(channels))
        y = b.node("MatMul", [x, w])
        bias = b.parameter("fc.bias", weights.symmetric("fc.bias", (CLASSES,), 0.1))
        b.node("Add", [_quantised(b, y, 8.0, signed=True), bias], into="output")
    b.output("output", FLOAT, ["batch_size", CLASSES])
    target.write_bytes(b.model(opset=13).SerializeToString(deterministic=True))

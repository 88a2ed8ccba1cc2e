# SPDX-License-Identifier: Apache-2.0
"""Generated image networks: MobileNetV2, a vision transformer and a quantised residual network."""
import numpy as np

import weights
from builder import FLOAT, Builder

SIDE = 224
CLASSES = 1000


def _save(model, target):
    target.write_bytes(model.SerializeToString(deterministic=True))


# ---- MobileNetV2 (expansion, channels, repeats, stride of each stage as published) ----------------

STAGES = ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1))


def _conv_relu6(b, x, channels, kernel, stride=1, groups=1, clip=True):
    """channels is (in, out). Batch normalisation is folded into the convolution, as exporters do."""
    shape = (channels[1], channels[0] // groups, kernel, kernel)
    w, bias = b.parameter_name("weight"), b.parameter_name("bias")
    b.parameter(w, weights.scaled_for_relu(w, shape))
    b.parameter(bias, weights.symmetric(bias, shape[:1], 0.1))
    pad = kernel // 2
    y = b.node("Conv", [x, w, bias], dilations=[1, 1], group=groups, kernel_shape=[kernel] * 2, pads=[pad] * 4,
               strides=[stride] * 2)
    return b.node("Clip", [y, b.constant(0, np.float32), b.constant(6, np.float32)]) if clip else y


def _inverted_residual(b, x, channels, stride, expansion):
    inside, y, step = channels[0] * expansion, x, 0
    with b.scope("conv"):
        if expansion != 1:
            with b.scope("conv.0"), b.scope("conv.0.0"):
                y = _conv_relu6(b, y, (channels[0], inside), 1)
            step = 1
        with b.scope(f"conv.{step}"), b.scope(f"conv.{step}.0"):
            y = _conv_relu6(b, y, (inside, inside), 3, stride, inside)
        with b.scope(f"conv.{step + 1}"):
            y = _conv_relu6(b, y, (inside, channels[1]), 1, clip=False)
    return b.node("Add", [x, y]) if stride == 1 and channels[0] == channels[1] else y


def mobilenet_v2(target):
    b = Builder("mobilenet_v2")
    x = b.input("input", FLOAT, ["batch_size", 3, SIDE, SIDE])
    index, channels = 1, 32
    with b.scope("features"):
        with b.scope("features.0"), b.scope("features.0.0"):
            x = _conv_relu6(b, x, (3, channels), 3, 2)
        for expansion, out, repeats, stride in STAGES:
            for repeat in range(repeats):
                with b.scope(f"features.{index}"):
                    x = _inverted_residual(b, x, (channels, out), stride if repeat == 0 else 1, expansion)
                index, channels = index + 1, out
        with b.scope(f"features.{index}"), b.scope(f"features.{index}.0"):
            x = _conv_relu6(b, x, (channels, 1280), 1)
    x = b.node("GlobalAveragePool", [x])
    x = b.node("Flatten", [x], axis=1)
    with b.scope("classifier"), b.scope("classifier.1"):
        w = b.parameter("classifier.1.weight", weights.symmetric("classifier.1.weight", (CLASSES, 1280), 0.05))
        bias = b.parameter("classifier.1.bias", weights.symmetric("classifier.1.bias", (CLASSES,), 0.05))
        b.node("Gemm", [x, w, bias], into="output", alpha=1.0, beta=1.0, transB=1)
    b.output("output", FLOAT, ["batch_size", CLASSES])
    _save(b.model(opset=13), target)


# ---- Vision transformer: small, patches of 16, 22 M parameters ------------------------------------

WIDTH, DEPTH, HEADS, PATCH = 384, 12, 6, 16


def _linear(b, x, sizes, gain=1.0):
    """MatMul and Add with a transposed weight, as exporters write nn.Linear on three dimensions."""
    w, bias = b.parameter_name("weight_t"), b.parameter_name("bias")
    b.parameter(w, weights.symmetric(w, sizes, gain / np.sqrt(float(sizes[0]))))
    b.parameter(bias, weights.symmetric(bias, sizes[1:], 0.02))
    return b.node("Add", [bias, b.node("MatMul", [x, w])])


def _layer_norm(b, x):
    scale, bias = b.parameter_name("weight"), b.parameter_name("bias")
    b.parameter(scale, weights.between(scale, (WIDTH,), 0.8, 1.2))
    b.parameter(bias, weights.symmetric(bias, (WIDTH,), 0.05))
    return b.node("LayerNormalization", [x, scale, bias], axis=-1, epsilon=1e-6)


def _size(b, x, axis):
    """A dimension of x as a tensor of one element: Shape, Gather, Unsqueeze."""
    one = b.node("Gather", [b.node("Shape", [x]), b.constant(axis)], axis=0)
    return b.node("Unsqueeze", [one, b.constant([0])])


def _vit_attention(b, x):
    batch, tokens = _size(b, x, 0), _size(b, x, 1)
    head = WIDTH // HEADS
    with b.scope("qkv"):
        qkv = _linear(b, x, (WIDTH, 3 * WIDTH))
    parts = b.node("Concat", [batch, tokens, b.constant([3]), b.constant([HEADS]), b.constant([head])], axis=0)
    qkv = b.node("Transpose", [b.node("Reshape", [qkv, parts])], perm=[2, 0, 3, 1, 4])
    q, k, v = (b.node("Gather", [qkv, b.constant(i)], axis=0) for i in range(3))
    scores = b.node("MatMul", [q, b.node("Transpose", [k], perm=[0, 1, 3, 2])])
    scores = b.node("Mul", [scores, b.constant(head ** -0.5, np.float32)])
    mixed = b.node("MatMul", [b.node("Softmax", [scores], axis=-1), v])
    mixed = b.node("Transpose", [mixed], perm=[0, 2, 1, 3])
    mixed = b.node("Reshape", [mixed, b.node("Concat", [batch, tokens, b.constant([WIDTH])], axis=0)])
    with b.scope("proj"):
        return _linear(b, mixed, (WIDTH, WIDTH))


def gelu(b, x):
    """The exact form, spelled out as exporters do below opset 20."""
    y = b.node("Erf", [b.node("Div", [x, b.constant(2 ** 0.5, np.float32)])])
    y = b.node("Mul", [x, b.node("Add", [y, b.constant(1, np.float32)])])
    return b.node("Mul", [y, b.constant(0.5, np.float32)])


def _vit_block(b, x):
    with b.scope("norm1"):
        y = _layer_norm(b, x)
    with b.scope("attn"):
        y = _vit_attention(b, y)
    x = b.node("Add", [x, y])
    with b.scope("norm2"):
        y = _layer_norm(b, x)
    with b.scope("mlp"):
        with b.scope("fc1"):
            y = _linear(b, y, (WIDTH, 4 * WIDTH))
        with b.scope("act"):
            y = gelu(b, y)
        with b.scope("fc2"):
            y = _linear(b, y, (4 * WIDTH, WIDTH))
    return b.node("Add", [x, y])


def _patches(b, pixels):
    with b.scope("patch_embed"), b.scope("proj"):
        w, bias = b.parameter_name("weight"), b.parameter_name("bias")
        b.parameter(w, weights.symmetric(w, (WIDTH, 3, PATCH, PATCH), 0.036))
        b.parameter(bias, weights.symmetric(bias, (WIDTH,), 0.02))
        x = b.node("Conv", [pixels, w, bias], dilations=[1, 1], group=1, kernel_shape=[PATCH] * 2, pads=[0] * 4,
                   strides=[PATCH] * 2)
    batch = _size(b, x, 0)
    x = b.node("Reshape", [x, b.node("Concat", [batch, b.constant([WIDTH]), b.constant([-1])], axis=0)])
    x = b.node("Transpose", [x], perm=[0, 2, 1])
    token = b.parameter("cls_token", weights.symmetric("cls_token", (1, 1, WIDTH), 0.5))
    shape = b.node("Concat", [batch, b.constant([1]), b.constant([WIDTH])], axis=0)
    x = b.node("Concat", [b.node("Expand", [token, shape]), x], axis=1)
    count = (SIDE // PATCH) ** 2 + 1
    return b.node("Add", [x, b.parameter("pos_embed", weights.symmetric("pos_embed", (1, count, WIDTH), 0.5))])


def vit_small(target):
    b = Builder("vit_small_patch16_224")
    x = _patches(b, b.input("pixel_values", FLOAT, ["batch_size", 3, SIDE, SIDE]))
    for index in range(DEPTH):
        with b.scope(f"blocks.{index}"):
            x = _vit_block(b, x)
    with b.scope("norm"):
        x = _layer_norm(b, x)
    x = b.node("Gather", [x, b.constant(0)], axis=1)
    with b.scope("head"):
        w = b.parameter("head.weight", weights.symmetric("head.weight", (CLASSES, WIDTH), 1.5 / np.sqrt(WIDTH)))
        bias = b.parameter("head.bias", weights.symmetric("head.bias", (CLASSES,), 0.02))
        b.node("Gemm", [x, w, bias], into="logits", alpha=1.0, beta=1.0, transB=1)
    b.output("logits", FLOAT, ["batch_size", CLASSES])
    _save(b.model(opset=17), target)

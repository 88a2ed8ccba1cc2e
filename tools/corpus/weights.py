# SPDX-License-Identifier: Apache-2.0
"""Random weights that are the same bits on every machine.

Values are integers of a specified stream scaled by one multiplication, each step exact or correctly rounded; a normal
distribution would go through the C library's logarithm, whose last bit differs between versions.
"""
import math
import zlib

import numpy as np

SEED = 3


def stream(name):
    """The generator that belongs to a tensor's name: PCG64, seeded by the corpus seed and the name."""
    return np.random.Generator(np.random.PCG64([SEED, zlib.crc32(name.encode())]))


def symmetric(name, shape, deviation):
    """Float32, uniform around 0 with that standard deviation."""
    return between(name, shape, -math.sqrt(3) * deviation, math.sqrt(3) * deviation)


def between(name, shape, low, high):
    """Float32, uniform in [low, high]."""
    raw = stream(name).integers(0, 1 << 24, size=shape, dtype=np.uint32).astype(np.float32)
    raw *= np.float32((high - low) / (1 << 24))
    raw += np.float32(low)
    return raw


def scaled_for_relu(name, shape, gain=1.0):
    """Weights of a layer followed by a rectifier: the deviation sqrt(2 / fan-in) keeps the activations' scale."""
    return symmetric(name, shape, gain * math.sqrt(2 / math.prod(shape[1:])))


def int8(name, shape):
    """Symmetric int8 weights in [-127, 127]."""
    return stream(name).integers(-127, 128, size=shape, dtype=np.int8)


def packed_nibbles(name, shape):
    """Bytes that hold two 4-bit values each, all values equally likely."""
    return stream(name).integers(0, 256, size=shape, dtype=np.uint8)

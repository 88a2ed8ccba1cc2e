# SPDX-License-Identifier: Apache-2.0
"""Prints the expected values of make_input_test.cpp and float_format_test.cpp, from the published
algorithms and from numpy and ml_dtypes, without any code of ours: run it with .deps/venv/bin/python."""
import math

import ml_dtypes
import numpy

MASK = (1 << 64) - 1


def split_mix(state):
    state = (state + 0x9E3779B97F4A7C15) & MASK
    z = state
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return state, z ^ (z >> 31)


def derive_seed(seed, label):
    hash_ = 0xCBF29CE484222325
    for byte in label.encode():
        hash_ = ((hash_ ^ byte) * 0x100000001B3) & MASK
    return split_mix(seed ^ hash_)[1]


class Random:
    """xoshiro256** as its authors publish it."""

    def __init__(self, seed):
        self.state = []
        for _ in range(4):
            seed, word = split_mix(seed)
            self.state.append(word)
        self.spare = None

    def next(self):
        def rotl(x, k):
            return ((x << k) | (x >> (64 - k))) & MASK

        s = self.state
        result = (rotl((s[1] * 5) & MASK, 7) * 9) & MASK
        t = (s[1] << 17) & MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = rotl(s[3], 45)
        return result

    def uniform(self):
        return (self.next() >> 11) * 2.0**-53

    def between(self, low, high):
        bound = high - low + 1
        while True:
            product = self.next() * bound
            if product & MASK >= ((1 << 64) - bound) % bound:
                return low + (product >> 64)

    def normal(self):
        if self.spare is not None:
            value, self.spare = self.spare, None
            return value
        while True:
            x, y = 2 * self.uniform() - 1, 2 * self.uniform() - 1
            square = x * x + y * y
            if 0 < square < 1:
                break
        factor = math.sqrt(-2 * math.log(square) / square)
        self.spare = y * factor
        return x * factor


def stream(name, seed=7):
    return Random(derive_seed(seed, name))


random = stream("x")
normals = [random.normal() for _ in range(4)]
print("normal float64", [repr(v) for v in normals])
print("normal float32", [float(numpy.float32(v)).hex() for v in normals])
print("normal float16", [hex(numpy.float64(v).astype(numpy.float16).view(numpy.uint16)) for v in normals])
print("normal bfloat16", [hex(numpy.array(v).astype(ml_dtypes.bfloat16).view(numpy.uint16)) for v in normals])
random = stream("ids")
print("integers 0..9", [random.between(0, 9) for _ in range(6)])
random = stream("nibbles")
print("integers -8..7", [random.between(-8, 7) for _ in range(5)])

FORMATS = {
    "Float16": (numpy.float16, numpy.uint16),
    "Bfloat16": (ml_dtypes.bfloat16, numpy.uint16),
    "Float8E4M3FN": (ml_dtypes.float8_e4m3fn, numpy.uint8),
    "Float8E4M3FNUZ": (ml_dtypes.float8_e4m3fnuz, numpy.uint8),
    "Float8E5M2": (ml_dtypes.float8_e5m2, numpy.uint8),
    "Float8E5M2FNUZ": (ml_dtypes.float8_e5m2fnuz, numpy.uint8),
    "Float4E2M1": (ml_dtypes.float4_e2m1fn, numpy.uint8),
    "Float8E8M0": (ml_dtypes.float8_e8m0fnu, numpy.uint8),
}
VALUES = [1.0, -1.5, 0.1, 3.3, 1.0009765625, 1.00048828125, 1.00146484375, 2.5, 5.0, 0.25, 0.75, 1.25,
          6.1e-5, 2.0**-24, 2.0**-25, 0.001953125, 0.0009765625, 0.00146484375]
for name, (type_, bits) in FORMATS.items():
    codes = numpy.array(VALUES).astype(type_).view(bits)
    print(name, ", ".join(f"0x{int(code):X}" for code in codes))

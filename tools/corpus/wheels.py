# SPDX-License-Identifier: Apache-2.0
"""Models that installed wheels carry, copied as they are."""
import importlib.util
import pathlib

import numpy as np
import onnx

# Place in the corpus -> (package, place in the package).
TRAINED = {
    "ppocr/det.onnx": ("rapidocr_onnxruntime", "models/ch_PP-OCRv4_det_infer.onnx"),
    "ppocr/rec.onnx": ("rapidocr_onnxruntime", "models/ch_PP-OCRv4_rec_infer.onnx"),
    "ppocr/cls.onnx": ("rapidocr_onnxruntime", "models/ch_ppocr_mobile_v2.0_cls_infer.onnx"),
    "magika/standard_v3_3.onnx": ("magika", "models/standard_v3_3/model.onnx"),
    **{f"silero/{name}.onnx": ("silero_vad", f"data/{name}.onnx") for name in (
        "silero_vad", "silero_vad_16k_op15", "silero_vad_16k_sequence", "silero_vad_half",
        "silero_vad_op18_ifless", "silero_vad_openvino_16k")},
    **{f"onnxruntime/{name}.onnx": ("onnxruntime", f"datasets/{name}.onnx") for name in (
        "mul_1", "sigmoid", "logreg_iris")},
}
LIGHT = ("bvlc_alexnet", "densenet121", "inception_v1", "inception_v2", "resnet50", "shufflenet", "squeezenet",
         "vgg19", "zfnet512")


def package_file(package, place):
    """The path of a file inside an installed package, without importing the package."""
    return pathlib.Path(importlib.util.find_spec(package).submodule_search_locations[0]) / place


def light_file(name, suffix):
    return package_file("onnx", f"backend/test/data/light/light_{name}{suffix}")


def trained(place):
    """A maker of one file: its bytes from the wheel."""
    return lambda target: target.write_bytes(package_file(*TRAINED[place]).read_bytes())


def light_model(name):
    return lambda target: target.write_bytes(light_file(name, ".onnx").read_bytes())


def light_output(name):
    return lambda target: target.write_bytes(light_file(name, "_output_0.pb").read_bytes())


def light_input(name):
    """The input to which the wheel's stored output belongs: its test runner computes this ramp in [0, 1)."""
    def make(target):
        graph = onnx.load(light_file(name, ".onnx")).graph
        initialized = {tensor.name for tensor in graph.initializer}
        (wanted,) = (value for value in graph.input if value.name not in initialized)
        shape = [dimension.dim_value for dimension in wanted.type.tensor_type.shape.dim]
        count = np.prod(shape)
        ramp = (np.arange(count).reshape(shape) / count).astype(np.float32)
        target.write_bytes(onnx.numpy_helper.from_array(ramp, wanted.name).SerializeToString(deterministic=True))
    return make

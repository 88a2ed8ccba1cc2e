# SPDX-License-Identifier: Apache-2.0
"""Every file of the corpus, by its path, with the function that makes it."""
import language
import large
import light_random
import quantised
import vision
import wheels


def corpus_files():
    """Path -> maker; a maker writes the file it is given."""
    files = {place: wheels.trained(place) for place in wheels.TRAINED}
    for name in wheels.LIGHT:
        folder = f"light/light_{name}"
        files[f"{folder}/light_{name}.onnx"] = wheels.light_model(name)
        files[f"{folder}/test_data_set_0/input_0.pb"] = wheels.light_input(name)
        files[f"{folder}/test_data_set_0/output_0.pb"] = wheels.light_output(name)
    for name in wheels.LIGHT:
        for shape in light_random.external_shapes(name):
            files[f"light_random/{light_random.external_name(shape)}"] = light_random.external_weights(shape)
        files[f"light_random/{name}.onnx"] = light_random.model(name)
    files["generated/mobilenet_v2.onnx"] = vision.mobilenet_v2
    files["generated/vit_small.onnx"] = vision.vit_small
    files["generated/bert_encoder.onnx"] = language.bert_encoder
    files["generated/resnet_qdq.onnx"] = quantised.resnet_qdq
    files["generated/decoder_step.onnx"] = language.decoder_step
    return files


def bench_files():
    """The large models of the inspect benchmarks."""
    return {
        "bench/many_nodes/many_nodes.onnx": large.many_nodes,
        "bench/external_3gib/external_3gib.onnx": large.external_model,
        "bench/external_3gib/weights.bin": large.external_bytes,
    }

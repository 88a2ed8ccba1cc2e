# SPDX-License-Identifier: Apache-2.0
"""What engines make of the corpus, traced back: nothing of the file is lost, and no heavy node is named twice.

The oracle is independent of names: an engine that fuses or renames as it likes still executes each convolution, matrix product and
recurrent layer of the file once, unless it has merged equal ones or fused it into attention.
"""
from support import *

HEAVY = {"Conv", "ConvTranspose", "MatMul", "Gemm", "LSTM", "MatMulNBits"}
# Executed operators that do the work of one heavy node.
ONE_HEAVY = {"Conv", "FusedConv", "MatMul", "Gemm", "QLinearConv", "QLinearMatMul", "FusedMatMul", "FusedGemm", "Convolution",
             "FullyConnected", "Deconvolution", "ConvTranspose", "QGemm", "MatMulNBits", "LSTM"}
# A convolution that ONNX Runtime makes of scales and shifts.
MADE_OF = {"BatchNormalization", "Mul", "Add"}


def corpus():
    """Of networks that come twice, with other weights, one."""
    return [model for model in models() if "light_random" not in model.parts]


def operators(graph):
    """By label, bodies included."""
    found = {}
    names = [node.name for node in graph.node]
    for node in graph.node:
        label = node.name if node.name and names.count(node.name) == 1 else node.output[0]
        found[label] = node.op_type
        for attribute in node.attribute:
            if attribute.type == onnx.AttributeProto.GRAPH:
                found |= operators(attribute.g)
    return found


class Trace(CommandLine):
    def run_once(self, model, engine):
        result = self.headroom("run", model, "--engine", engine, "--time", "10ms", "--launches", "1", "--json", "-", timeout=300)
        return result, json.loads(result.stdout) if result.stdout else None

    def check(self, record, operators):
        profile, nodes = record["profile"], record["nodes"]
        executed = {name for node in nodes for name in node.get("originals", [])}
        absent = profile["folded"] + profile["removed"]
        self.assertEqual(len(absent), len(set(absent)))
        self.assertFalse(executed & set(absent))
        self.assertEqual(profile["file_nodes"], len(executed) + len(absent))
        self.assertLessEqual(executed | set(absent), set(operators))
        for node in nodes:
            self.assertEqual(node["role"] in ("inserted", "untraced"), "originals" not in node, node)
            heavy = [name for name in node.get("originals", []) if operators[name] in HEAVY]
            if node["op"] in ONE_HEAVY and len(heavy) != 1:
                self.assertEqual(heavy, [], node)
                self.assertLessEqual({operators[name] for name in node["originals"]} - {"Unsqueeze"}, MADE_OF, node)
        untraced = [node for node in nodes if node["role"] == "untraced"]
        self.assertLessEqual(len(untraced), len(nodes) // 20, untraced)

    def test_onnxruntime_executes_all_of_the_corpus(self):
        for model in corpus():
            with self.subTest(model=str(model.relative_to(CORPUS))):
                result, record = self.run_once(model, "onnxruntime")
                self.assertEqual(result.returncode, 0, result.stderr)
                found = operators(onnx.load(model, load_external_data=False).graph)
                self.assertEqual(record["profile"]["file_nodes"], len(found))
                self.check(record, found)
                owners = {}
                for node in record["nodes"]:
                    for name in node.get("originals", []) if node["op"] in ONE_HEAVY else []:
                        owners[name] = owners.get(name, 0) + 1
                merged = set(record["profile"]["removed"])
                for name, op in found.items():
                    if op in HEAVY and name not in merged:
                        self.assertEqual(owners.get(name), 1, f"{name} {op}")

    def test_openvino_executes_what_it_converts(self):
        for model in corpus():
            with self.subTest(model=str(model.relative_to(CORPUS))):
                result, record = self.run_once(model, "openvino")
                if result.returncode == 4:
                    continue  # Not in this build, or a model that it does not convert.
                self.check(record, operators(onnx.load(model, load_external_data=False).graph))

    def test_show_lists_the_nodes(self):
        _, record = self.run_once(CORPUS / "generated/mobilenet_v2.onnx", "onnxruntime")
        shown = self.headroom("show", "last", "--nodes")
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertEqual(len(shown.stdout.splitlines()), len(record["nodes"]) + 3, shown.stdout[:300])
        self.assertIn("(inserted)", shown.stdout)


if __name__ == "__main__":
    unittest.main()

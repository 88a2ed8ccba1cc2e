# SPDX-License-Identifier: Apache-2.0
"""One run confirms every type that inference claims of the corpus, and tells what it leaves open."""
import re

from support import *


class Observe(CommandLine):
    def observe(self, model, *options):
        result = self.headroom("inspect", model, "--observe", "--json", "-", *options, timeout=300)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def test_every_value_of_the_corpus_is_as_inferred(self):
        for model in models():
            with self.subTest(model=str(model.relative_to(CORPUS))):
                found = self.observe(model)
                codes = {d["code"]: d["message"] for d in found["diagnostics"]}
                self.assertNotIn("observed_differs", codes, codes.get("observed_differs"))
                count = re.fullmatch(r"a run gave the types of (\d+) values?: (\d+) as inferred, 0 that .*",
                                     codes["observed"])
                self.assertIsNotNone(count, codes["observed"])
                # Each value of the outermost graph, once.
                self.assertEqual(int(count[2]), len(found["observation"]["values"]))

    def test_a_run_tells_what_inference_cannot(self):
        found_at = helper.make_tensor_value_info("y", TensorProto.INT64, None)
        model = self.save(graph([helper.make_node("Relu", ["x"], ["r"], name="relu"),
                                 helper.make_node("NonZero", ["r"], ["y"], name="find")],
                                [tensor("x", (3, 2000))], [found_at]))
        before = json.loads(self.headroom("inspect", model, "--json", "-").stdout)
        self.assertRegex(before["nodes"][1]["outputs"][0], r"int64\[2x.+\]")
        self.assertEqual([node["shapes"] for node in before["nodes"]], ["inferred", "inferred"])
        after = self.observe(model)
        relu = next(value for value in after["observation"]["values"] if value["name"] == "r")
        self.assertEqual(after["nodes"][1]["outputs"], [f"int64[2x{6000 - relu['zeros']}]"])
        self.assertEqual([node["shapes"] for node in after["nodes"]], ["inferred", "observed"])
        self.assertEqual(after["nodes"][1]["written_bytes"], 16 * (6000 - relu["zeros"]))

    def test_denormals_of_trained_weights_are_found(self):
        # 850 of 9,216: counted with NumPy over the Constant node's tensor.
        found = self.observe(CORPUS / "ppocr/det.onnx")
        values = {value["name"]: value for value in found["observation"]["values"]}
        self.assertEqual(values["conv2d_96.w_0"]["denormals"], 850)
        self.assertEqual(values["conv2d_96.w_0"]["elements"], 9216)
        scanned = json.loads(self.headroom("inspect", CORPUS / "ppocr/det.onnx", "--scan", "--json", "-").stdout)
        weights = {value["name"]: value for value in scanned["weights"]}
        self.assertEqual(weights["conv2d_96.w_0"]["denormals"], 850)

    def test_a_failed_run_says_why(self):
        model = CORPUS / "light/light_squeezenet/light_squeezenet.onnx"
        result = self.headroom("inspect", model, "--observe", "--memory", "20MB")
        self.assertEqual(result.returncode, 6, result.stderr)
        self.assertIn("the limit is", result.stderr)
        result = self.headroom("inspect", model, "--observe", "--engine", "null")
        self.assertEqual(result.returncode, 4, result.stderr)
        self.assertIn("onnxruntime gives them", result.stderr)
        result = self.headroom("inspect", model, "--seed", "3")
        self.assertEqual(result.returncode, 2, result.stderr)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""Every model of the corpus is inspected and run without an option, and ends with status 0."""
from support import *


class Corpus(CommandLine):
    def test_the_corpus_is_there(self):
        self.assertGreaterEqual(len(models()), 36)

    def test_every_model_is_inspected(self):
        for model in models():
            with self.subTest(model=model.name):
                result = self.headroom("inspect", model, "--json", "-")
                self.assertEqual(result.returncode, 0, result.stderr)
                found = json.loads(result.stdout)
                self.assertEqual([d for d in found["diagnostics"] if d["severity"] == "error"], [])

    @needs_onnxruntime
    def test_every_model_runs(self):
        for model in models():
            with self.subTest(model=str(model.relative_to(CORPUS))):
                result = self.headroom("run", model, "--time", "500ms", "--launches", "2",
                                       timeout=300)
                self.assertEqual(result.returncode, 0, result.stderr)
                record = self.newest_record()
                self.assertIn(record["outcome"]["status"], ("ok", "noisy"))
                # All weights of the light networks are equal: no input moves an output.
                expected = "insensitive" if "light" in model.parts else "passed"
                self.assertEqual(record["gate"]["status"], expected, record["gate"])
                self.assertGreater(record["metrics"]["latency_median_ns"]["value"], 0)


class Counting(CommandLine):
    """Multiply-adds of Conv and Gemm, checked by a script over onnx.shape_inference's shapes."""

    def inspect(self, name):
        result = self.headroom("inspect", CORPUS / f"light/{name}/{name}.onnx", "--json", "-")
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def test_the_macs_of_the_light_networks(self):
        for name, macs in (("light_resnet50", 4_089_184_256), ("light_squeezenet", 349_151_936),
                           ("light_densenet121", 2_834_161_664)):
            found = self.inspect(name)
            by_op = found["by_op"]
            counted = sum(by_op[op]["macs"] for op in ("Conv", "Gemm") if op in by_op)
            self.assertEqual(counted, macs, name)
            self.assertEqual(found["totals"]["macs"], macs, name)
            self.assertEqual(found["totals"]["flops"], 2 * macs, name)
            self.assertEqual(found["uncounted"], [], name)

    @needs_onnxruntime
    def test_an_int8_network_has_no_share_of_the_f32_peak(self):
        # It was once called mistrusted: 8-bit multiply-adds are faster than the f32 peak allows.
        result = self.headroom("run", CORPUS / "generated/resnet_qdq.onnx", "--time", "500ms",
                               "--launches", "2")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("quantised", self.newest_record()["metrics"]["peak_flop_share"]["absent"])

    def test_what_constants_make_counts_as_parameters(self):
        # 25,608,360 elements are made by ConstantOfShape; 1,792 more are initialisers of the first
        # batch normalisations, stored as they are. Counted by a script over the file.
        self.assertEqual(self.inspect("light_resnet50")["totals"]["parameters"],
                         25_608_360 + 1_792)


if __name__ == "__main__":
    unittest.main()

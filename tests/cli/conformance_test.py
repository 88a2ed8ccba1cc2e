# SPDX-License-Identifier: Apache-2.0
"""`headroom conformance` from outside: folders of cases in ONNX's layout, what is said of each, and the exit status."""
import xml.etree.ElementTree

from onnx import numpy_helper
import numpy as np

from support import *  # pylint: disable=wildcard-import,unused-wildcard-import


class Conformance(CommandLine):

    def setUp(self):
        super().setUp()
        self.cases = self.folder / "cases"

    def add(self, name, value, wanted, op="Relu", domain="", sets=1):
        """A case of one node: op(value) must be wanted."""
        folder = self.cases / name
        folder.mkdir(parents=True)
        shape = np.shape(value)
        model = helper.make_model(
            graph([helper.make_node(op, ["x"], ["y"], domain=domain)], [tensor("x", shape)], [tensor("y", shape)]),
            opset_imports=[helper.make_opsetid("", 18), helper.make_opsetid("nobody", 1)], ir_version=8)
        (folder / "model.onnx").write_bytes(model.SerializeToString())
        for index in range(sets):
            data = folder / f"test_data_set_{index}"
            data.mkdir()
            for file, array in (("input_0.pb", value), ("output_0.pb", wanted)):
                message = numpy_helper.from_array(np.asarray(array, np.float32))
                (data / file).write_bytes(message.SerializeToString())

    def result(self, *arguments, status, **environment):
        ran = self.headroom("conformance", *arguments, "--json", "-", **environment)
        self.assertEqual(ran.returncode, status, ran.stderr)
        return json.loads(ran.stdout)

    def test_a_folder_whose_cases_hold_ends_with_0(self):
        self.add("a/test_relu", [-1, 2], [0, 2], sets=2)
        self.add("test_abs", [-1, 2], [1, 2], op="Abs")
        self.add("test_nobody", [1], [1], op="Nothing", domain="nobody")
        found = self.result(self.cases, status=0)
        self.assertEqual([(case["name"], case["op"], case["status"]) for case in found["cases"]],
                         [("a/test_relu", "Relu", "passed"), ("test_abs", "Abs", "passed"),
                          ("test_nobody", "Nothing", "unsupported")])
        self.assertIn("Nothing", found["cases"][2]["reason"])
        self.assertEqual(found["totals"]["passed"], 2)
        self.assertEqual(found["engine"], "onnxruntime")

    def test_a_wrong_output_ends_with_1_and_is_named(self):
        self.add("test_relu", [-1, 2], [0, 2.5])
        ran = self.headroom("conformance", self.cases)
        self.assertEqual(ran.returncode, 1, ran.stderr)
        self.assertIn("failed test_relu (Relu): output 'y': 1 of 2 elements differ by up to 0.5, most at [1]: "
                      "found 2, expected 2.5", ran.stdout)
        self.assertEqual(ran.stderr, "")  # progress is for terminals
        quiet = self.headroom("conformance", self.cases, "--quiet")
        self.assertEqual((quiet.returncode, quiet.stdout, quiet.stderr), (1, "", ""))

    def test_tolerances_of_a_case_count(self):
        self.add("test_relu", [2], [2.5])
        (self.cases / "test_relu/case.json").write_text('{"rtol": 0.25}')
        self.assertEqual(self.result(self.cases, status=0)["cases"][0]["status"], "passed")

    def test_only_keeps_what_matches(self):
        for name in ("node/test_a", "node/test_b", "simple/test_a"):
            self.add(name, [1], [1])
        names = [case["name"] for case in self.result(self.cases, "--only", "test_a", status=0)["cases"]]
        self.assertEqual(names, ["node/test_a", "simple/test_a"])
        names = [case["name"] for case in self.result(self.cases, "--only", "node/*", status=0)["cases"]]
        self.assertEqual(names, ["node/test_a", "node/test_b"])
        self.expect(2, "--only 'nothing*' matches none of 3 cases, the first of which is 'node/test_a'",
                    arguments=["conformance", self.cases, "--only", "nothing*"])

    def test_junit_is_xml_whatever_stands_in_a_name(self):
        self.add("test_<&>\"'\x01\x1b", [1], [2])
        self.add("test_right", [1], [1])
        ran = self.headroom("conformance", self.cases, "--junit", self.folder / "result.xml", "--quiet")
        self.assertEqual(ran.returncode, 1, ran.stderr)
        (suite,) = xml.etree.ElementTree.parse(self.folder / "result.xml").getroot()
        self.assertEqual((suite.get("tests"), suite.get("failures")), ("2", "1"))
        cases = {case.get("name"): case for case in suite}
        self.assertIn("expected 2", cases["test_<&>\"'\\x01\\x1b"].find("failure").get("message"))
        self.assertIsNone(cases["test_right"].find("failure"))

    def test_bad_files_fail_one_case_only(self):
        self.add("test_a", [1], [1])
        (self.cases / "test_a/test_data_set_0/input_0.pb").write_bytes(b"\x0a\xff")
        self.add("test_b", [1], [1])
        (self.cases / "test_b/model.onnx").write_bytes(b"no model")
        self.add("test_c", [1], [1])
        found = self.result(self.cases, status=1)["cases"]
        self.assertEqual([case["status"] for case in found], ["failed", "failed", "passed"])
        self.assertIn("input_0.pb", found[0]["reason"])

    def test_a_hanging_case_is_stopped(self):
        step = helper.make_graph(
            [helper.make_node("Identity", ["c"], ["d"]), helper.make_node("Add", ["s", "s"], ["t"])], "step",
            [helper.make_tensor_value_info("i", TensorProto.INT64, ()),
             helper.make_tensor_value_info("c", TensorProto.BOOL, ()), tensor("s", (1,))],
            [helper.make_tensor_value_info("d", TensorProto.BOOL, ()), tensor("t", (1,))])
        self.add("test_loop", [1], [1])
        true = numpy_helper.from_array(np.array(True), "true")
        loop = graph([helper.make_node("Loop", ["", "true", "x"], ["y"], body=step)], [tensor("x", (1,))],
                     [tensor("y", (1,))], [true])
        self.save(loop, "cases/test_loop/model.onnx")
        found = self.result(self.cases, "--timeout", "1s", status=1)
        self.assertEqual(found["cases"][0]["status"], "timeout")

    def test_wrong_use_is_named(self):
        self.add("test_a", [1], [1])
        self.expect(2, "--jobs", arguments=["conformance", self.cases, "--jobs", "0"])
        self.expect(2, "--timeout", arguments=["conformance", self.cases, "--timeout", "1"])
        self.expect(2, "onnxruntme", "onnxruntime", arguments=["conformance", self.cases, "--engine", "onnxruntme"])
        self.expect(3, "no folder", arguments=["conformance", self.folder / "none"])
        (self.folder / "empty").mkdir()
        self.expect(3, "holds no test case", arguments=["conformance", self.folder / "empty"])

    def test_standard_is_what_the_variable_names(self):
        self.add("test_a", [1], [1])
        found = self.result("standard", status=0, HEADROOM_ONNX_CASES=str(self.cases))
        self.assertEqual(len(found["cases"]), 1)
        self.expect(3, "no folder", arguments=["conformance", "standard"],
                    HEADROOM_ONNX_CASES=str(self.folder / "none"))

    def test_an_interrupt_keeps_what_was_done(self):
        for index in range(200):
            self.add(f"test_{index}", [1], [1])
        out = self.folder / "out.json"
        process = self.start("conformance", self.cases, "--jobs", "1", "--json", out)
        while not self.workers_of(process):
            self.assertIsNone(process.poll())
        process.send_signal(signal.SIGINT)
        text, _ = process.communicate(timeout=60)
        self.assertTrue(died_by(process, signal.SIGINT), process.returncode)
        self.assertIn("partial: interrupted after", text)
        found = json.loads(out.read_text())
        self.assertTrue(found["is_partial"])
        self.assertEqual(found["planned"], 200)
        self.assertLess(len(found["cases"]), 200)
        self.assertEqual({case["status"] for case in found["cases"]} - {"passed"}, set())


if __name__ == "__main__":
    unittest.main()

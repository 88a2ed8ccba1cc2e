# SPDX-License-Identifier: Apache-2.0
"""Wrong use: the message names what was wrong and what is possible, and the status is 2."""
from support import *


class Usage(CommandLine):
    def test_without_a_verb_the_help_is_shown(self):
        self.expect(2, "inspect", "run", arguments=[])

    def test_help_of_each_verb_has_an_example(self):
        for verb in ("inspect", "extract", "run", "history", "show", "doctor", "calibrate", "conformance"):
            result = self.headroom(verb, "--help")
            self.assertEqual(result.returncode, 0, verb)
            self.assertIn("Example", result.stdout, verb)
            self.assertIn("--json", result.stdout, verb)
            self.assertIn("--quiet", result.stdout, verb)

    def test_the_help_lists_the_exit_statuses(self):
        result = self.headroom("--help")
        self.assertEqual(result.returncode, 0)
        for status in range(7):
            self.assertRegex(result.stdout, rf"\n  {status}  \w")

    def test_a_misspelt_verb_is_corrected(self):
        self.expect(2, "inspect", arguments=["inspct", "model.onnx"])

    def test_a_misspelt_option_is_corrected(self):
        self.expect(2, "--threads", arguments=["run", self.relu(), "--thread", "2"])

    def test_a_missing_model_argument_is_named(self):
        self.expect(2, "MODEL", arguments=["run"])

    def test_a_value_that_is_no_number_is_named(self):
        self.expect(2, "--threads", "two", arguments=["run", self.relu(), "--threads", "two"])

    def test_quantities_need_a_unit(self):
        self.expect(2, "--time", "10", "ms", arguments=["run", self.relu(), "--time", "10"])

    def test_nothing_may_be_measured_zero_times(self):
        self.expect(2, "--launches", arguments=["run", self.relu(), "--launches", "0"])
        self.expect(2, "--threads", arguments=["run", self.relu(), "--threads", "0"])

    @needs_onnxruntime
    def test_an_unknown_engine_is_refused_with_the_list(self):
        self.expect(2, "onnxrumtime", "onnxruntime",
                    arguments=["run", self.relu(), "--engine", "onnxrumtime"])

    @needs_onnxruntime
    def test_a_misspelt_engine_option_is_refused_although_the_engine_would_take_it(self):
        self.expect(2, "session.intra_op.allow_spining", "session.intra_op.allow_spinning",
                    arguments=["run", self.relu(), "--set", "session.intra_op.allow_spining=0"])

    def test_an_unknown_input_in_shape_is_named_with_the_nearest(self):
        for verb in INSPECT_AND_RUN:
            self.expect(2, "imput", "input",
                        arguments=[*verb, self.save(graph(
                            [helper.make_node("Relu", ["input"], ["y"])],
                            [tensor("input", ["batch", 3])], [tensor("y", None)])),
                            "--shape", "imput=1x3"])

    def test_a_wrong_rank_in_shape_names_both(self):
        for verb in INSPECT_AND_RUN:
            self.expect(2, "'x'", "2x3",
                        arguments=[*verb, self.relu(), "--shape", "x=1x2x3"])

    def test_an_unknown_dimension_is_named(self):
        for verb in INSPECT_AND_RUN:
            self.expect(2, "bach", arguments=[*verb, self.relu(("batch", 3)), "--dim", "bach=1"])

    def test_a_shape_without_a_name_or_with_a_bad_size_is_refused(self):
        for text in ("1x3", "x=", "x=1xtwo", "x=0x3", "x=-1x3", "x=99999999999999999999x3"):
            self.expect(2, "--shape", arguments=["inspect", self.relu(), "--shape", text])

    def test_an_option_given_twice_for_one_input_is_refused(self):
        self.expect(2, "twice", arguments=["inspect", self.relu(), "--shape", "x=2x3",
                                           "--shape", "x=2x3"])

    def test_several_values_make_several_runs(self):
        model = self.relu(("batch", 3))
        result = self.expect(0, arguments=["run", model, *SCRIPTED, "--dim", "batch=1,4",
                                           "--threads", "1..2", "--json", self.folder / "all.json"])
        records = json.loads((self.folder / "all.json").read_text())["records"]
        self.assertEqual([(r["case"]["shapes"]["x"], r["case"]["threads"]) for r in records],
                         [([1, 3], 1), ([1, 3], 2), ([4, 3], 1), ([4, 3], 2)])
        self.assertIn("threads", result.stdout)
        for record in records:
            self.assertIn(record["id"], result.stdout)
            self.assertEqual(self.headroom("show", record["id"]).returncode, 0)
        self.expect(2, "2 combinations", arguments=["inspect", model, "--dim", "batch=1,4"])

    def test_an_unknown_id_is_not_found(self):
        self.assertEqual(self.headroom("run", self.relu(), *SCRIPTED).returncode, 0)
        self.expect(3, "nosuchid", arguments=["show", "nosuchid"])


if __name__ == "__main__":
    unittest.main()

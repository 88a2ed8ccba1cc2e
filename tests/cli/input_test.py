# SPDX-License-Identifier: Apache-2.0
"""Bad input files: status 3 and a message that names the file and the place; never a crash."""
import random

from support import *


def external(name, location, offset=0, length=None, shape=(4,)):
    """An initialiser whose data is said to lie in another file."""
    value = onnx.TensorProto(name=name, data_type=TensorProto.FLOAT, dims=shape,
                             data_location=TensorProto.EXTERNAL)
    entries = {"location": location, "offset": str(offset)}
    if length is not None:
        entries["length"] = str(length)
    for key, text in entries.items():
        value.external_data.add(key=key, value=text)
    return value


class BadInput(CommandLine):
    def both(self, status, *words, model):
        """inspect and run agree about a bad file."""
        for verb in INSPECT_AND_RUN:
            self.expect(status, *words, arguments=[*verb, model])

    def add_model(self, initializer, name="model.onnx"):
        return self.save(graph([helper.make_node("Add", ["x", "w"], ["y"], name="add")],
                               [tensor("x", [4])], [tensor("y", [4])], [initializer]), name)

    def test_files_that_are_no_model(self):
        self.both(3, "missing.onnx", model=self.folder / "missing.onnx")
        self.both(3, "directory", model=self.folder)
        self.both(3, "empty", model=self.write("empty.onnx", b""))
        self.both(3, "text.onnx", model=self.write("text.onnx", "this is a text\n" * 20))
        self.both(3, "page.onnx", model=self.write("page.onnx", "<!DOCTYPE html><html></html>"))
        self.both(3, "pointer.onnx", "git-lfs", model=self.write(
            "pointer.onnx", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n"))

    def test_truncated_files_are_refused(self):
        whole = (CORPUS / "onnxruntime/mul_1.onnx").read_bytes()
        for length in range(1, len(whole), 7):
            result = self.headroom("inspect", self.write("cut.onnx", whole[:length]))
            self.assertEqual(result.returncode, 3, f"{length}: {result.stderr}")
            self.assertIn("cut.onnx", result.stderr)

    def test_bit_flips_never_crash(self):
        whole = (CORPUS / "silero/silero_vad.onnx").read_bytes()[:200_000]
        generator = random.Random(1)
        for trial in range(40):
            broken = bytearray(whole)
            for _ in range(1 + trial % 5):
                broken[generator.randrange(len(broken))] ^= 1 << generator.randrange(8)
            result = self.headroom("inspect", self.write("flip.onnx", bytes(broken)))
            self.assertIn(result.returncode, (0, 3), f"trial {trial}: {result.stderr}")

    def test_a_cycle_names_its_nodes(self):
        self.both(3, "cycle", "first", "second", model=self.save(graph(
            [helper.make_node("Add", ["x", "b"], ["a"], name="first"),
             helper.make_node("Relu", ["a"], ["b"], name="second")],
            [tensor("x", [1])], [tensor("b", [1])])))

    def test_a_value_that_two_nodes_make_is_refused(self):
        self.both(3, "'a'", "two", model=self.save(graph(
            [helper.make_node("Relu", ["x"], ["a"], name="one"),
             helper.make_node("Abs", ["x"], ["a"], name="two")],
            [tensor("x", [1])], [tensor("a", [1])])))

    def test_a_missing_initialiser_names_node_and_input(self):
        self.both(3, "add", "w", model=self.save(graph(
            [helper.make_node("Add", ["x", "w"], ["y"], name="add")],
            [tensor("x", [4])], [tensor("y", [4])])))

    def test_external_data_outside_the_folder_is_refused(self):
        (self.folder / "inner").mkdir()
        for location in ("../weights.bin", "/etc/passwd", "a/../../weights.bin"):
            model = self.add_model(external("w", location, length=16), "inner/model.onnx")
            self.both(3, "'w'", "refused", model=model)

    def test_a_link_that_leaves_the_folder_is_refused(self):
        (self.folder / "inner").mkdir()
        self.write("weights.bin", bytes(16))
        (self.folder / "inner/weights.bin").symlink_to(self.folder / "weights.bin")
        model = self.add_model(external("w", "weights.bin", length=16), "inner/model.onnx")
        self.both(3, "'w'", "refused", model=model)

    def test_external_data_out_of_range_is_refused(self):
        self.write("weights.bin", bytes(16))
        self.both(3, "w", "weights.bin", model=self.add_model(
            external("w", "weights.bin", offset=8, length=16)))

    def test_a_missing_data_file_is_a_diagnostic_of_inspect_and_an_error_of_run(self):
        model = self.add_model(external("w", "gone.bin", length=16))
        result = self.headroom("inspect", model, "--json", "-")
        self.assertEqual(result.returncode, 0, result.stderr)
        codes = [entry["code"] for entry in json.loads(result.stdout)["diagnostics"]]
        self.assertIn("external_data_missing", codes)
        self.expect(3, "gone.bin", arguments=[*INSPECT_AND_RUN[1], model])

    def test_shapes_that_contradict_each_other_name_the_node(self):
        self.both(3, "product", model=self.save(graph(
            [helper.make_node("MatMul", ["a", "b"], ["y"], name="product")],
            [tensor("a", [2, 3]), tensor("b", [4, 5])], [tensor("y", None)])))

    def test_sizes_beyond_64_bits_are_refused(self):
        huge = 2**40
        result = self.headroom("inspect", self.save(graph(
            [helper.make_node("Add", ["a", "b"], ["y"], name="add")],
            [tensor("a", [huge, huge]), tensor("b", [huge, huge])], [tensor("y", None)])))
        self.assertEqual(result.returncode, 3, result.stdout)
        self.assertIn("63 bits", result.stderr)

    def test_hostile_names_do_not_reach_the_terminal(self):
        model = self.save(graph([helper.make_node("Relu", ["x"], ["y"], name="\x1b[31mred\n")],
                                [tensor("x", [1])], [tensor("y", [1])]))
        result = self.headroom("inspect", model, "--nodes")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertNotIn("\x1b", result.stdout)
        self.assertIn("\\x1b[31mred\\x0a", result.stdout)

    def test_an_input_file_of_the_wrong_type_or_shape_is_named(self):
        model = self.relu()
        wrong = self.write("wrong.pb", helper.make_tensor(
            "x", TensorProto.INT64, [2, 3], range(6)).SerializeToString())
        self.expect(3, "x", "int64", "float32", arguments=[*INSPECT_AND_RUN[1], model, "--input", f"x={wrong}"])
        small = self.write("small.pb", helper.make_tensor(
            "x", TensorProto.FLOAT, [2, 2], [0.0] * 4).SerializeToString())
        self.expect(3, "x", "2x2", "2x3", arguments=[*INSPECT_AND_RUN[1], model, "--input", f"x={small}"])
        self.expect(3, "gone.npy", arguments=[*INSPECT_AND_RUN[1], model, "--input", f"x={self.folder}/gone.npy"])
        self.expect(2, "z", arguments=[*INSPECT_AND_RUN[1], model, "--input", f"z={small}"])


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""What `extract` writes is a valid model in the eyes of onnx's own checker, and nothing is written where it fails."""
import time

from support import *


class Extract(CommandLine):
    def extract(self, model, *choice, output="part.onnx"):
        path = self.folder / output
        result = self.headroom("extract", model, *choice, "--output", path, "--json", "-")
        self.assertEqual(result.returncode, 0, result.stderr)
        told = json.loads(result.stdout)
        if not told["incomplete"]:
            onnx.checker.check_model(path, full_check=True)
        return told, path

    def chain(self, name="model.onnx"):
        return self.save(graph([helper.make_node("Relu", ["x"], ["t 1"], name="the first, node"),
                                helper.make_node("MatMul", ["t 1", "w"], ["y"])],
                               [tensor("x", ("batch", 3))], [tensor("y", ("batch", 2))],
                               [helper.make_tensor("w", TensorProto.FLOAT, (3, 2), range(6))]), name)

    def external(self, megabytes):
        """y = x + w with w in a file that has holes only, in a folder of its own."""
        home = self.folder / "home"
        home.mkdir()
        elements = megabytes * 2**18
        with open(home / "w.bin", "wb") as file:
            file.truncate(4 * elements)
        weight = TensorProto(name="w", dims=[elements], data_type=TensorProto.FLOAT,
                             data_location=TensorProto.EXTERNAL)
        weight.external_data.add(key="location", value="w.bin")
        return self.save(graph([helper.make_node("Add", ["x", "w"], ["y"], name="add")],
                               [tensor("x", (1,))], [tensor("y", (elements,))], [weight]), "home/model.onnx")

    def test_every_model_of_the_corpus_can_be_cut(self):
        checked = 0
        for model in models():
            if "light_random" in model.parts:
                continue  # As light, with large weights.
            with self.subTest(model=str(model.relative_to(CORPUS))):
                nodes = onnx.load(model, load_external_data=False).graph.node
                for node in (nodes[0], nodes[len(nodes) // 2], nodes[-1]):
                    told, path = self.extract(model, "--node", next(filter(None, node.output)))
                    self.assertIn(node.op_type, [n["op"] for n in told["nodes"]])
                    self.assertEqual(told["bytes"], path.stat().st_size)
                    checked += not told["incomplete"]
        self.assertGreater(checked, 60)

    def test_odd_names_are_addressed_as_they_are(self):
        told, path = self.extract(self.chain("a model.onnx"), "--node", "the first, node", output="a part.onnx")
        self.assertEqual(told["nodes"], [{"name": "the first, node", "op": "Relu", "domain": ""}])
        self.assertEqual(told["inputs"], [{"name": "x", "type": "float32", "shape": ["batch", 3]}])
        self.assertEqual(told["outputs"][0]["name"], "t 1")
        self.assertEqual(onnx.load(path).opset_import[0].version, 18)

    def test_a_part_runs(self):
        _, path = self.extract(self.chain(), "--node", "y")
        self.assertEqual(self.headroom("run", path, *SCRIPTED, "--dim", "batch=2").returncode, 0)

    def test_text_goes_to_stdout_unless_quiet(self):
        model, output = self.chain(), self.folder / "part.onnx"
        said = self.headroom("extract", model, "--from", "t 1", "--output", output)
        self.assertEqual(said.returncode, 0, said.stderr)
        for words in ("1 of 2: MatMul of y", "24 B", "batchx3", "batchx2"):
            self.assertIn(words, said.stdout)
        self.assertEqual(self.headroom("extract", model, "--to", "y", "--output", output, "--quiet").stdout, "")

    def test_wrong_use_writes_nothing(self):
        model, output = self.chain(), self.folder / "part.onnx"
        for status, words, arguments in (
                (2, ("'t 2'", "did you mean 't 1'?"), ["--node", "t 2"]),
                (2, ("--node", "--from"), []),
                (2, ("cannot be combined",), ["--node", "y", "--to", "y"]),
                (2, ("--to", "'x' is an input"), ["--to", "x"]),
                (2, ("--output",), None)):
            with self.subTest(arguments=arguments):
                call = ["--node", "y"] if arguments is None else [*arguments, "--output", output]
                self.expect(status, *words, arguments=["extract", model, *call])
                self.assertFalse(output.exists())

    def test_the_model_itself_is_never_overwritten(self):
        model = self.chain()
        before = model.read_bytes()
        link = self.folder / "link.onnx"
        link.symlink_to(model)
        for output in (model, link, self.folder / "." / "model.onnx"):
            self.expect(2, "would be overwritten", arguments=["extract", model, "--node", "y", "--output", output])
        self.assertEqual(model.read_bytes(), before)

    def test_where_it_cannot_write_it_says_so(self):
        model = self.chain()
        for output in (self.folder / "absent/part.onnx", self.folder, "/proc/part.onnx"):
            self.expect(3, "cannot write", arguments=["extract", model, "--node", "y", "--output", output])
        self.expect(3, "No such file", arguments=["extract", self.folder / "absent.onnx", "--node", "y",
                                                  "--output", self.folder / "part.onnx"])
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["model.onnx", "store.db"])

    def test_a_full_disk_leaves_nothing_half_written(self):
        small = self.folder / "small"
        small.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", small],
                                 capture_output=True, check=False)
        if mounted.returncode != 0:
            self.skipTest("mounting a small file system needs root")
        self.addCleanup(subprocess.run, ["umount", small], check=True)
        self.expect(6, "No space left", arguments=["extract", self.external(4), "--node", "add",
                                                   "--output", small / "part.onnx"])
        self.assertEqual(list(small.iterdir()), [])

    def test_external_data_is_copied_or_kept(self):
        model = self.external(4)
        told, _ = self.extract(model, "--node", "add", output="home/part.onnx")
        self.assertIn("absent", told["data"])
        told, path = self.extract(model, "--node", "add")
        self.assertEqual(told["data"], {"path": f"{path}.data", "bytes": 4 * 2**20})
        loaded = onnx.load(path)
        self.assertEqual(len(loaded.graph.initializer[0].raw_data), 4 * 2**20)

    def test_an_interrupt_ends_by_the_signal_and_leaves_nothing(self):
        out = self.folder / "out"
        out.mkdir()
        process = self.start("extract", self.external(6 * 1024), "--node", "add", "--output", out / "part.onnx")
        deadline = time.monotonic() + 30
        while not list(out.iterdir()) and time.monotonic() < deadline:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertTrue(died_by(process, signal.SIGINT), errors)
        self.assertIn("nothing was written", errors)
        self.assertEqual(list(out.iterdir()), [])


if __name__ == "__main__":
    unittest.main()

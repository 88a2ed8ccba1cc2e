# SPDX-License-Identifier: Apache-2.0
"""A node of a real network is planted that makes the engine crash, hang or fail; the record must name it, with a line that repeats it."""
import re
import time

from support import *

MODEL = CORPUS / "ppocr/cls.onnx"
SHAPE = ["--shape", "x=1x3x48x192"]  # Nothing is guessed, so no other shapes are tried before.


class FailingNode(CommandLine):
    @classmethod
    def setUpClass(cls):
        nodes = [node for node in onnx.load(MODEL).graph.node if node.op_type != "Constant"]
        cls.first, cls.middle, cls.last = nodes[0].name, nodes[len(nodes) // 2].name, nodes[-1].name

    def run_planted(self, status, *settings, model=MODEL, time_of_launches="200ms", extra=SHAPE):
        arguments = ["run", model, "--engine", "scripted", "--time", time_of_launches, "--launches", "2", *extra]
        for setting in settings:
            arguments += ["--set", setting]
        self.expect(status, arguments=arguments)
        self.assertEqual([path.name for path in self.folder.glob("headroom-*")], [])  # No part is left.
        record = self.newest_record()
        notes = [note for note in record["notes"] if "headroom extract" in note or "which node" in note]
        self.assertEqual(len(notes), 1, record["notes"])
        return notes[0]

    def repeat(self, note):
        """Runs the line that the note offers."""
        (self.folder / "headroom").symlink_to(PROGRAM)
        environment = {**self.environment, "PATH": f"{self.folder}:{self.environment['PATH']}"}
        done = subprocess.run(note[note.index("headroom extract"):], shell=True, env=environment, cwd=self.folder,
                              capture_output=True, text=True, timeout=120, check=False)
        (self.folder / "headroom").unlink()
        return done

    def test_a_node_that_crashes_is_found_and_repeats(self):
        for name in (self.first, self.middle, self.last):
            with self.subTest(node=name):
                note = self.run_planted(5, "crash=run:1", f"if_node={name}")
                self.assertRegex(note, rf"^node '{re.escape(name)}' \(\w+\) fails alone: headroom extract ")
        done = self.repeat(note)
        self.assertEqual(done.returncode, 5, done.stderr)
        self.assertIn("SIGSEGV", done.stderr)

    def test_a_crash_at_load_and_an_error_of_the_engine_are_found_too(self):
        for setting in ("crash=load", "fail=run:1"):
            with self.subTest(setting=setting):
                note = self.run_planted(5, setting, f"if_node={self.middle}")
                self.assertTrue(note.startswith(f"node '{self.middle}' ("), note)
                self.assertIn("fails alone", note)

    def test_a_node_that_hangs_is_found(self):
        note = self.run_planted(6, "hang=run:1", f"if_node={self.middle}", extra=[*SHAPE, "--timeout", "4s"])
        self.assertTrue(note.startswith(f"node '{self.middle}' ("), note)
        self.assertRegex(note, r"fails alone \(it does not end within [^)]+\): headroom extract")
        self.assertIn("--timeout 4s", note)

    def test_a_crash_in_timed_runs_only_is_found(self):
        note = self.run_planted(5, "run=1ms", "crash=run:60", f"if_node={self.middle}", time_of_launches="4s")
        self.assertTrue(note.startswith(f"node '{self.middle}' ("), note)

    def test_two_nodes_that_fail_together_need_more_than_one(self):
        note = self.run_planted(5, "crash=run:1", f"if_node={self.first},{self.last}")
        self.assertRegex(note, rf"^node '{re.escape(self.last)}' \(\w+\) does not fail alone, but with the nodes that it "
                               r"needs: headroom extract \S+ --to \S+ --output part.onnx && headroom run part.onnx ")
        self.assertEqual(self.repeat(note).returncode, 5)

    def test_odd_names_are_quoted(self):
        odd = "it's (a) node"
        model = self.save(graph([helper.make_node("Relu", ["x"], ["t"], name="plain"),
                                 helper.make_node("Neg", ["t"], ["y"], name=odd)],
                                [tensor("x", (2, 3))], [tensor("y", (2, 3))]), "a model.onnx")
        note = self.run_planted(5, "crash=run:1", "if_node=Neg", model=model, extra=())
        self.assertTrue(note.startswith(f"node '{odd}' (Neg) fails alone"), note)
        self.assertEqual(self.repeat(note).returncode, 5)

    def test_wrong_use_and_what_is_not_supported_start_no_search(self):
        for status, setting in ((4, "unsupported=run:1"), (2, "crash=sometimes")):
            result = self.expect(status, arguments=["run", self.relu(), *SCRIPTED, "--set", setting])
            self.assertNotIn("which node", result.stdout)
            self.assertNotIn("extract", result.stdout)

    def test_an_interrupt_of_the_search_keeps_the_record_and_leaves_no_part(self):
        process = self.start("run", MODEL, *SCRIPTED, *SHAPE, "--set", "crash=run:1", "--set", "load=2s",
                             "--set", f"if_node={self.middle}")
        deadline = time.monotonic() + 60
        while not list(self.folder.glob("headroom-*/part.onnx")) and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertTrue(died_by(process, signal.SIGINT), errors)
        self.assertEqual(list(self.folder.glob("headroom-*")), [])
        record = self.newest_record()
        self.assertEqual(record["outcome"]["status"], "failed")
        self.assertIn("the search was interrupted", " ".join(record["notes"]))


if __name__ == "__main__":
    unittest.main()

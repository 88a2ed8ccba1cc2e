# SPDX-License-Identifier: Apache-2.0
"""ONNX's own test cases through one engine: every one is executed, and those that pass include each one that the
engine's own Python binding passes (tools/onnx_python_results.py made that list).
"""
import fnmatch
import json
import os
import pathlib
import subprocess
import unittest

ENGINE = os.environ["HEADROOM_ENGINE"]
ABSENT = os.environ.get("HEADROOM_ENGINE_ABSENT", "")  # why the build lacks it
PROGRAM = os.environ["HEADROOM_PROGRAM"]
CASES = pathlib.Path(os.environ["HEADROOM_ONNX_CASES"])
ONLY = os.environ.get("HEADROOM_CASES_ONLY", "*")  # sanitizers run a part
HERE = pathlib.Path(__file__).resolve().parent


def chosen(names):
    return {name for name in names if fnmatch.fnmatchcase(name.rpartition("/")[2], ONLY)}


def listed(version):
    lines = (HERE / f"{ENGINE}-{version}.txt").read_text().splitlines()
    return {line for line in lines if not line.startswith("#")}


@unittest.skipIf(ABSENT, ABSENT)
class Standard(unittest.TestCase):

    def test_every_case_that_the_python_binding_passes_passes(self):
        ran = subprocess.run([PROGRAM, "conformance", "standard", "--engine", ENGINE, "--only", ONLY, "--json", "-"],
                             capture_output=True, text=True, check=False)
        self.assertIn(ran.returncode, (0, 1), ran.stderr)
        result = json.loads(ran.stdout)
        cases = {case["name"]: case for case in result["cases"]}
        every = {str(model.parent.relative_to(CASES)) for model in CASES.rglob("model.onnx")}
        self.assertGreaterEqual(len(every), 2059)
        self.assertEqual(chosen(every) - cases.keys(), set(), "not executed")
        crashed = [case for case in cases.values() if case["status"] in ("crashed", "timeout")]
        self.assertEqual(crashed, [])
        wanted = chosen(listed(result["engine_version"]))
        missing = [cases.get(name, name) for name in sorted(wanted) if cases.get(name, {}).get("status") != "passed"]
        self.assertEqual(missing, [], "the Python binding passes these")

    def test_the_readme_says_how_many_pass(self):
        rows = [[cell.strip() for cell in line.split("|")[1:-1]]
                for line in (HERE.parents[1] / "README.md").read_text().splitlines() if line.startswith(f"| {ENGINE} |")]
        self.assertEqual(len(rows), 1)
        engine, version, cases, passed, failed, unsupported = rows[0]
        self.assertEqual(int(passed.replace(",", "")), len(listed(version)))
        numbers = [int(cell.replace(",", "")) for cell in (passed, failed, unsupported)]
        self.assertEqual(sum(numbers), int(cases.replace(",", "")))


if __name__ == "__main__":
    unittest.main(verbosity=2)

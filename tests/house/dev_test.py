# SPDX-License-Identifier: Apache-2.0
"""`./dev` on machines that are not this one: without root, with sudo, with packages missing.

Programs of the same name in front of PATH play the part of the system; the script itself is the real one.
"""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
MISSING = ("libhwloc-dev", "ninja-build")
DPKG_QUERY = f"""case "${{@: -1}}" in
  {'|'.join(MISSING)}) exit 1 ;;
  *) printf installed ;;
esac"""


class Setup(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="headroom-dev-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.said = self.folder / "said"
        self.said.touch()
        (self.folder / "bin").mkdir()
        # A copy, so that nothing of the real checkout's .deps is touched; the wheels and headers count as there.
        self.checkout = self.folder / "checkout"
        (self.checkout / "tools").mkdir(parents=True)
        shutil.copy(ROOT / "dev", self.checkout)
        shutil.copy(ROOT / "tools/requirements.txt", self.checkout / "tools")
        (self.checkout / ".deps").symlink_to(ROOT / ".deps")
        self.play("dpkg-query", DPKG_QUERY)
        self.play("id", "echo 1000")

    def play(self, name, body):
        program = self.folder / "bin" / name
        program.write_text(f"#!/bin/bash\n{body}\n")
        program.chmod(0o755)

    def dev(self, *arguments):
        environment = {**os.environ, "PATH": f"{self.folder}/bin:{os.environ['PATH']}"}
        return subprocess.run([self.checkout / "dev", *arguments], env=environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, check=False)

    def test_without_root_the_missing_packages_are_named_and_nothing_is_done(self):
        self.play("sudo", "exit 1")  # there, but it wants a password and there is no terminal
        for verb in ("setup", "build", "demo", "check"):
            result = self.dev(verb)
            self.assertEqual(result.returncode, 1, verb + result.stderr)
            self.assertIn("apt-get install --no-install-recommends ninja-build libhwloc-dev", result.stderr)
            self.assertIn("neither root nor sudo", result.stderr)

    def test_with_sudo_only_the_missing_packages_are_installed(self):
        self.play("sudo", f'[[ $1 == -n ]] && shift; echo "sudo $*" >>{self.said}; "$@"')
        self.play("apt-get", "exit 0")
        result = self.dev("setup")
        self.assertEqual(result.returncode, 0, result.stderr)
        said = self.said.read_text().splitlines()
        self.assertIn("sudo apt-get update -qq", said)
        self.assertIn("sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "
                      "ninja-build libhwloc-dev", said)

    def test_a_failing_installation_ends_with_its_last_words(self):
        self.play("id", "echo 0")
        self.play("apt-get", 'echo "E: no such mirror"; exit 100')
        result = self.dev("setup")
        self.assertEqual(result.returncode, 1)
        self.assertIn("E: no such mirror", result.stderr)

    def test_an_unknown_verb_lists_the_verbs(self):
        result = self.dev("biuld")
        self.assertEqual(result.returncode, 2)
        self.assertIn("biuld", result.stderr)
        self.assertIn("build", result.stderr)


if __name__ == "__main__":
    unittest.main()

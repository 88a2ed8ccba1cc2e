# SPDX-License-Identifier: Apache-2.0
"""The terminal example of the README is what the program prints today.

Numbers differ from machine to machine, and so do the operators that an engine makes, what disturbs a
measurement and the name of the processor. What is compared is the rest: which lines there are, in which
order, and every word that neither the machine nor the moment decides.
"""
import re

from support import *

ROOT = pathlib.Path(__file__).resolve().parents[2]
LABELS_ONLY = ("machine", "threads", "noise", "observed", "p90", "p99", "achieved")
NOT_COMPARED = ("warnings", "times by operator", "what the engine made", "outcome")


def example():
    """Arguments and output of the first example."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    block = text[text.index("```\n$ headroom run") + 4:]
    command, output = block[:block.index("\n```")].split("\n", 1)
    return command.removeprefix("$ headroom ").split(), output


def shape(line):
    """A line without its numbers: `  median       7.09 ms [7.00, 7.27]` is `median N [N, N]`."""
    label = line[2:15].strip()
    if label in LABELS_ONLY:
        return label
    text = re.sub(r"\S*/\.deps/", ".deps/", line)
    text = re.sub(r"\d[\d,.]*( (ns|µs|ms|s|[KMG]iB))?", "N", text)
    return re.sub(r" +", " ", text).strip()


def is_of_the_moment(line):
    """A remark under a label, such as that some launches ended their warm-up by time."""
    return line.startswith(" " * 15)


def sections(text):
    """Heading: shapes of the lines below it. The first heading is the name of the file."""
    found = {}
    for block in text.strip().split("\n\n"):
        heading, *lines = block.split("\n")
        if not heading.startswith(NOT_COMPARED):
            found[heading] = [shape(line) for line in lines if not is_of_the_moment(line)]
    return found


class Readme(CommandLine):
    @needs_onnxruntime
    def test_its_example_is_what_is_printed_today(self):
        (verb, model), written = example()
        result = self.headroom(verb, ROOT / model, timeout=300)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(list(sections(written).items()), list(sections(result.stdout).items()))
        self.assertIn("\noutcome: ", result.stdout)


if __name__ == "__main__":
    unittest.main()

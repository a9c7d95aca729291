"""The examples of the README run as they stand."""

from __future__ import annotations

import contextlib
import io
import os
import re
import tempfile
import unittest
from pathlib import Path

from manifests import ROOT, scenarios, warpool


@contextlib.contextmanager
def chdir(folder: str):
    """Work in another folder; `contextlib` has this from Python 3.11 on."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


class Examples(unittest.TestCase):
    def test_run(self):
        text = (ROOT / "python" / "README.md").read_text(encoding="utf-8")
        examples = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
        self.assertEqual(len(examples), 4)
        with tempfile.TemporaryDirectory() as folder, chdir(folder):
            for name, agents in (("duel", ()), ("game", ("--agents", "all"))):
                made = warpool("manifest", scenarios()[0], *agents, "--out", f"{name}.json")
                self.assertEqual(made.returncode, 0, made.stderr)
                self.assertTrue(Path(f"{name}.json").exists())
            shared: dict[str, object] = {}
            for example in examples:
                printed = io.StringIO()
                with contextlib.redirect_stdout(printed):
                    exec(example, shared)
                self.assertEqual("print(" in example, printed.getvalue() != "", example)


if __name__ == "__main__":
    unittest.main()

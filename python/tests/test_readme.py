"""The examples of the README run without changes."""

from __future__ import annotations

import contextlib
import io
import os
import re
import tempfile
import unittest
from pathlib import Path

from manifests import ROOT, warpool


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
        self.assertEqual(len(examples), 9)
        with tempfile.TemporaryDirectory() as folder, chdir(folder):
            # Files go before names: the examples need not have the scenarios within the package.
            name = "phased-dice-ground"
            made = warpool("manifest", str(ROOT / "scenarios" / f"{name}.yaml"), "--out", name)
            self.assertEqual(made.returncode, 0, made.stderr)
            shared: dict[str, object] = {}
            for example in examples:
                printed = io.StringIO()
                with contextlib.redirect_stdout(printed):
                    exec(example, shared)
                self.assertEqual("print(" in example, printed.getvalue() != "", example)


if __name__ == "__main__":
    unittest.main()

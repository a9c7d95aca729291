"""The scenarios that come with the package are played without Node, and as `warpool manifest` has them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import warpool
from digest import digest
from manifests import ROOT
from manifests import warpool as program

#: Plays all scenarios, and one of them longer.
PLAY = """
import json, sys
from digest import digest
import warpool
found = warpool.Manifest.load(sys.argv[1])
names = warpool.scenarios()
played = [warpool.Environments(name, 2, autoreset="same-step").rollout(steps=10) for name in names]
print(json.dumps({"names": names, "digest": digest(found, 8, 60, seed=3), "played": played}))
"""


class Shipped(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        package = cls.folder / "warpool"
        here = Path(warpool.__file__).parent
        shutil.copytree(here, package, ignore=shutil.ignore_patterns("ready", "__pycache__"))
        script = ["node", str(ROOT / "scripts" / "build-python.js"), str(package / "ready")]
        subprocess.run(script, check=True, capture_output=True)

    def python(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run Python with this package and without Node."""
        path = os.pathsep.join((str(self.folder), str(ROOT / "python" / "tests")))
        env = {"PYTHONPATH": path, "PATH": "", "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, *arguments]
        return subprocess.run(
            command, cwd=self.folder, env=env, capture_output=True, text=True, check=False
        )

    def test_all_are_played_without_node(self):
        files = sorted((ROOT / "scenarios").glob("*.yaml"))
        ran = self.python("-c", PLAY, "phased-dice-ground")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        made = program("manifest", str(ROOT / "scenarios" / "phased-dice-ground.yaml"))
        expected = warpool.Manifest.load(json.loads(made.stdout))
        self.assertEqual(
            json.loads(ran.stdout),
            {
                "names": [path.stem for path in files],
                "digest": digest(expected, 8, 60, seed=3),
                "played": [20] * len(files),
            },
        )

    def test_other_names_are_refused(self):
        ran = self.python("-c", "import warpool; warpool.Environments('phased-dice-grund')")
        self.assertIn("(did you mean phased-dice-ground?)", ran.stderr)
        count = len(os.listdir(self.folder / "warpool" / "ready" / "scenarios"))
        self.assertIn(f"one of the {count} of", ran.stderr)

    def test_games_are_told_where_they_are_played(self):
        with self.assertRaisesRegex(FileNotFoundError, "'conquest-dice-siege'.*; .* `warpool serve-environments`"):
            warpool.Manifest.load("conquest-dice-siege")
        siege = ROOT / "examples" / "games" / "conquest-dice-siege.yaml"
        with self.assertRaisesRegex(ValueError, "found a scenario; .* such as all games"):
            warpool.Manifest.load(siege)

    def test_files_go_before_names(self):
        path = self.folder / "phased-dice-ground"
        self.addCleanup(path.unlink)
        path.write_text("{}", encoding="utf-8")
        code = f"import warpool; warpool.Manifest.load({path.name!r})"
        self.assertIn("manifest: expected abi, found none", self.python("-c", code).stderr)

    def test_are_within_what_is_installed(self):
        text = (ROOT / "python" / "pyproject.toml").read_text(encoding="utf-8")
        [patterns] = re.findall(r"^\[tool.setuptools.package-data\]\nwarpool = (\[.*\])$", text, re.MULTILINE)
        package = self.folder / "warpool"
        found = {path for pattern in json.loads(patterns) for path in package.glob(pattern)}
        there = {path for path in package.rglob("*") if path.is_file() and path.suffix != ".py"}
        self.assertEqual(found, there)


if __name__ == "__main__":
    unittest.main()

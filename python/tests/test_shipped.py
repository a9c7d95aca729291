"""Bundled scenarios need no Node.js, and have the trajectories of `warpool manifest`."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zlib
from pathlib import Path

from digest import digest
from manifests import ROOT
from manifests import warpool as program

import warpool

#: Steps all scenarios, and some of them longer.
PLAY = """
import json, sys
from digest import digest
import warpool
names = warpool.scenarios()
played = [warpool.Environments(name, 2, autoreset="same-step").rollout(steps=10) for name in names]
digests = [digest(warpool.Manifest.load(name), 8, 60, seed=3) for name in sys.argv[1:]]
print(json.dumps({"names": names, "digests": digests, "played": played}))
"""

#: A scenario of a shipped system, of a game, and of a custom system.
LONGER = ("scenarios/phased-dice-ground", "examples/games/conquest-dice-raid", "examples/systems/robots-wet")


def manifest_of(file: str) -> warpool.Manifest:
    """Return the manifest that the program writes."""
    system = ROOT / "examples" / "systems" / f"{Path(file).name.split('-')[0]}.mjs"
    options = ("--systems", str(system)) if system.exists() else ()
    ran = program("manifest", f"{ROOT / file}.yaml", *options)
    return warpool.Manifest.load(json.loads(ran.stdout))


class Shipped(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        package = cls.folder / "warpool"
        here = Path(warpool.__file__).parent
        shutil.copytree(here, package, ignore=shutil.ignore_patterns("__pycache__"))

    def python(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run Python with this package and without Node."""
        path = os.pathsep.join((str(self.folder), str(ROOT / "python" / "tests")))
        env = {"PYTHONPATH": path, "PATH": "", "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, *arguments]
        return subprocess.run(
            command, cwd=self.folder, env=env, capture_output=True, text=True, check=False
        )

    def test_all_run_without_node(self):
        folders = ("scenarios", "examples/games", "examples/systems")
        shipped = {path.stem for folder in folders for path in (ROOT / folder).glob("*.yaml")}
        names = sorted(shipped - set(warpool.excluded_scenarios()))
        ran = self.python("-c", PLAY, *(Path(file).name for file in LONGER))
        self.assertEqual(ran.returncode, 0, ran.stderr)
        expected = [digest(manifest_of(file), 8, 60, seed=3) for file in LONGER]
        self.assertEqual(
            json.loads(ran.stdout), {"names": names, "digests": expected, "played": [20] * len(names)}
        )

    def test_excluded_scenarios_have_reasons(self):
        reasons = warpool.excluded_scenarios()
        self.assertEqual(reasons["volley-even"], "no player has decisions")
        self.assertRegex(reasons["combined-arms-landing"], "^compiling takes more than 100 000 steps")
        self.assertFalse(set(reasons) & set(warpool.scenarios()))
        with self.assertRaisesRegex(ValueError, "found volley-even: no player has decisions"):
            warpool.Manifest.load("volley-even")

    def test_the_wheel_stays_small(self):
        ready = self.folder / "warpool" / "ready"
        packed = sum(len(zlib.compress(path.read_bytes())) for path in ready.rglob("*") if path.is_file())
        self.assertLess(packed, 4_500_000)

    def test_unknown_names_are_rejected(self):
        ran = self.python("-c", "import warpool; warpool.Environments('phased-dice-grund')")
        self.assertIn("(did you mean phased-dice-ground?)", ran.stderr)
        count = len(os.listdir(self.folder / "warpool" / "ready" / "scenarios"))
        self.assertIn(f"one of the {count} of", ran.stderr)

    def test_scenario_files_are_rejected(self):
        siege = ROOT / "examples" / "games" / "conquest-dice-siege.yaml"
        with self.assertRaisesRegex(ValueError, "found a scenario file; `warpool manifest .*siege.yaml --out"):
            warpool.Manifest.load(siege)

    def test_files_take_precedence_over_names(self):
        path = self.folder / "phased-dice-ground"
        self.addCleanup(path.unlink)
        path.write_text("{}", encoding="utf-8")
        code = f"import warpool; warpool.Manifest.load({path.name!r})"
        self.assertIn("manifest: expected abi, found none", self.python("-c", code).stderr)

    def test_are_in_the_installed_package(self):
        text = (ROOT / "python" / "pyproject.toml").read_text(encoding="utf-8")
        [patterns] = re.findall(r"^\[tool.setuptools.package-data\]\nwarpool = (\[.*\])$", text, re.MULTILINE)
        package = self.folder / "warpool"
        found = {path for pattern in json.loads(patterns) for path in package.glob(pattern) if path.is_file()}
        there = {path for path in package.rglob("*") if path.is_file() and path.suffix != ".py"}
        self.assertEqual(found, there)


if __name__ == "__main__":
    unittest.main()

"""Limits of the address space, interruption, folders without a build, and battles without decisions."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np
from manifests import ROOT, games

import warpool
from warpool import Environments, Manifest, count_decisions, environments

SIZE = """
import warpool
several = [warpool.Environments("phased-dice-ground", 63) for _ in range(100)]
print(open("/proc/self/statm").read().split()[0])
"""

LIMITED = """
import resource, warpool
resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
several = [warpool.Environments("phased-dice-ground", 1) for _ in range(20)]
several += [warpool.Environments("phased-dice-ground", 64) for _ in range(20)]
print(len(several))
pages = int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + (60 << 20), 3 << 30))
try:
    warpool.Environments("phased-dice-ground", 1 << 18)
except (MemoryError, ValueError) as error:
    print(error)
"""

INTERRUPTED = """
import os, signal, threading, time, warpool
# A shell that starts this test in the background ignores the signal.
signal.signal(signal.SIGINT, signal.default_int_handler)
envs = warpool.Environments("phased-dice-ground", 64)
began = time.perf_counter()
threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    envs.{call}
except KeyboardInterrupt:
    print(time.perf_counter() - began)
"""


def python(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, env=env, timeout=60)


class Limits(unittest.TestCase):
    @unittest.skipUnless(sys.platform == "linux", "limits of the address space are Linux's")
    def test_many_kernels_fit_into_a_limited_address_space(self):
        ran = python(LIMITED, ROOT / "python")
        count, message = ran.stdout.splitlines()
        self.assertEqual(count, "40", ran.stderr)
        self.assertIn("ulimit -v", message)
        pages = int(python(SIZE, ROOT / "python").stdout)
        self.assertLess(pages * os.sysconf("SC_PAGESIZE"), 4 << 30)

    def test_interrupts_end_long_calls(self):
        for call in ("rollout(steps=10**9)", "rollout(episodes=10**9)", "playouts(0, 10**9)"):
            ran = python(INTERRUPTED.format(call=call), ROOT / "python")
            self.assertLess(float(ran.stdout or "inf"), 10, ran.stderr)

    def test_the_error_without_a_build_names_the_command(self):
        with tempfile.TemporaryDirectory() as folder:
            ignore = shutil.ignore_patterns("words.py", "ready", "__pycache__")
            shutil.copytree(ROOT / "python" / "warpool", Path(folder, "warpool"), ignore=ignore)
            ran = python("import warpool", Path(folder))
            self.assertRegex(ran.stderr, "ImportError: warpool: .* has no kernels. `npm ci && npm run build`")


class Portions(unittest.TestCase):
    def tearDown(self):
        environments._PORTION = self.portion

    def setUp(self):
        self.portion = environments._PORTION

    def test_portions_have_the_results_of_one_call(self):
        limits = ({"steps": 301}, {"episodes": 3}, {"steps": 40, "episodes": 5}, {"steps": 0}, {"episodes": 0})
        for each in games():
            for mode in each.autoresets:
                for limit in limits:
                    if mode == "disabled" and limit == {"episodes": 3}:
                        continue
                    found = {self.play(each, mode, limit, portion) for portion in (64, 1 << 12, 1 << 30)}
                    self.assertEqual(len(found), 1, (each.system, mode, limit))

    def play(self, each: Manifest, mode: str, limit: dict[str, int], portion: int) -> tuple[int, bytes, bytes]:
        environments._PORTION = portion
        envs = Environments(each, 9, seed=3, autoreset_mode=mode, max_episode_steps=5)
        taken = envs.rollout("uniform", **limit)
        return taken, envs.snapshot(), envs.playouts(0, 70).means.tobytes()


class Decisions(unittest.TestCase):
    def test_are_counted_by_player(self):
        found = count_decisions("phased-dice-broadside")
        self.assertEqual((found["attacker"] > 0.5, found["defender"]), (True, 0))
        self.assertEqual(count_decisions("phased-dice-ground", decisions=["retreat"])["defender"], 0)
        self.assertEqual(
            count_decisions("phased-dice-ground", "retreat"), count_decisions("phased-dice-ground", ["retreat"])
        )
        # Some battles of this scenario have no decision.
        self.assertTrue(0 < count_decisions("phased-dice-air-raid")["attacker"] < 1)

    def test_names_replace_numbers(self):
        manifest = Manifest.load("phased-dice-ground")
        info = {"scenario": 0, "player": 0, "phase": 3, "action_mask": np.ones(len(manifest.actions)), "length": 4}
        names = manifest.names(info)
        self.assertEqual((names["player"], names["phase"], names["length"]), ("attacker", "retreat", 4))
        self.assertEqual(names["action_mask"], list(manifest.actions))
        self.assertNotIn("outcome", names)
        self.assertIs(warpool.count_decisions, count_decisions)


if __name__ == "__main__":
    unittest.main()

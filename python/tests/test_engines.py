"""Scripts of examples/cluster, for the engines that are installed: the store has the bytes of one machine."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import warpool

ROOT = Path(__file__).parents[2]
PLAN = {
    "scenario": str(ROOT / "scenarios/attrition-direct.yaml"),
    "axes": [{"path": "attacker.hp", "range": [10, 29]}, {"path": "defender.hp", "range": [10, 29]}],
    "exact": "never",
    "battles": 1000,
}


def _bytes(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


class Engines(unittest.TestCase):
    def _check(self, command: list[str], package: str) -> None:
        if importlib.util.find_spec(package) is None:
            self.skipTest(f"{package} is not installed")
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            plan = folder / "plan.json"
            plan.write_text(json.dumps(PLAN))
            warpool.sweep(plan, out=folder / "alone")
            paths = os.pathsep.join((str(ROOT / "python"), os.environ.get("PYTHONPATH", "")))
            warpool_command = f"node {ROOT / 'bin/warpool.js'}"
            # Open MPI runs neither for root nor with more processes than cores.
            settings = ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "OMPI_MCA_rmaps_base_oversubscribe")
            mpi = {**dict.fromkeys(settings, "1"), "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe"}
            ended = subprocess.run(
                [each.format(plan=plan, store=folder / "shared") for each in command],
                cwd=folder,
                env={**os.environ, **mpi, "PYTHONPATH": paths, "WARPOOL": warpool_command},
                capture_output=True,
                text=True,
                check=False,
                timeout=240,
            )
            self.assertEqual(ended.returncode, 0, ended.stderr)
            self.assertEqual(_bytes(folder / "shared"), _bytes(folder / "alone"))

    def _check_script(self, script: str, package: str) -> None:
        self._check([sys.executable, str(ROOT / "examples/cluster" / script), "{plan}", "{store}"], package)

    def test_process_pool(self) -> None:
        self._check_script("process_pool.py", "warpool")

    def test_dask(self) -> None:
        self._check_script("dask_sweep.py", "distributed")

    def test_ray(self) -> None:
        self._check_script("ray_sweep.py", "ray")

    def test_submitit(self) -> None:
        self._check_script("submitit_sweep.py", "submitit")

    def test_mpi(self) -> None:
        mpirun = shutil.which("mpirun", path=str(Path(sys.executable).parent)) or "mpirun"
        script = str(ROOT / "examples/cluster/mpi_sweep.py")
        command = [mpirun, "-n", "3", sys.executable, "-m", "mpi4py.futures", script, "{plan}", "{store}"]
        self._check(command, "mpi4py")

    def test_snakemake(self) -> None:
        snakemake = shutil.which("snakemake", path=str(Path(sys.executable).parent)) or "snakemake"
        config = ["--config", "plan={plan}", "store={store}", "shards=3"]
        self._check([snakemake, "-s", str(ROOT / "examples/cluster/Snakefile"), "--cores", "2", *config], "snakemake")


if __name__ == "__main__":
    unittest.main()

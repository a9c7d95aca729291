"""Sweeps on the workers of an executor: shards as tasks, the store as the result."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import BrokenExecutor
from pathlib import Path
from typing import Any, Protocol

from warpool.client import call_function, list_systems, to_json
from warpool.errors import BudgetError, InputError, RulesError, RunError
from warpool.progress import ProgressLike, open_progress
from warpool.ready.results import CreateStoreResult, SweepResult, SweepShardResult


class TaskExecutor(Protocol):
    """An executor of `concurrent.futures`, or another object with its method `submit`, such as those of submitit."""

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> Any:
        """Return a future with the methods `done`, `result` and `cancel`."""


#: An executor, or a function that creates one: it creates another one after all workers of a pool were lost.
ExecutorLike = TaskExecutor | Callable[[], TaskExecutor]

#: Tries of a shard.
_TRIES = 4

#: Seconds between two looks at the tasks: not all futures notify.
_TICK = 0.05

#: Shards for each worker, so that workers that end early take more of them.
_SHARDS_EACH = 4

#: Errors that a second try repeats.
_FINAL = (InputError, BudgetError, RulesError)


def run_shard(source: Any, options: Mapping[str, Any], systems: Any) -> None:
    """Compute one shard in the Node.js of a worker. It skips segments that the store has."""
    call_function("sweep", (source,), options, systems=systems, results={"sweep-shard": SweepShardResult})


class _Tasks:
    """The tasks of all shards, each submitted again if it is lost."""

    def __init__(self, executor: ExecutorLike, arguments: Mapping[int, tuple[Any, ...]]):
        self._create = executor if callable(executor) else None
        self._executor: Any = executor() if callable(executor) else executor
        self._arguments = arguments
        self._tries = dict.fromkeys(arguments, 0)
        self._futures: dict[int, Any] = {}
        for shard in arguments:
            self._submit(shard)

    def wait(self, show: Callable[[Mapping[str, Any]], None] | None) -> None:
        """Wait for all tasks.

        Raises:
            RunError: a shard was lost several times
        """
        total = len(self._futures)
        try:
            while self._futures:
                ended = [shard for shard, future in self._futures.items() if future.done()]
                for shard in ended:
                    self._finish(shard, self._futures.pop(shard))
                if show and ended:
                    show({"done": total - len(self._futures), "total": total, "unit": "shards"})
                if not ended:
                    time.sleep(_TICK)
        finally:
            for future in self._futures.values():
                future.cancel()
            if self._create:
                self._executor.shutdown()

    def _finish(self, shard: int, future: Any) -> None:
        try:
            future.result()
        except _FINAL:
            raise
        except Exception as error:
            if self._tries[shard] == _TRIES:
                message = f"shard {shard} was lost {_TRIES} times; the same call with resume=True continues"
                raise RunError(message) from error
            self._submit(shard)

    def _submit(self, shard: int) -> None:
        self._tries[shard] += 1
        try:
            self._futures[shard] = self._executor.submit(run_shard, *self._arguments[shard])
        except BrokenExecutor as error:
            if not self._create:
                raise RunError(
                    "the executor has lost its workers; the same call with resume=True continues, "
                    "and executor=<function that creates an executor> continues by itself"
                ) from error
            with contextlib.suppress(Exception):
                self._executor.shutdown(wait=False)
            self._executor = self._create()
            self._futures[shard] = self._executor.submit(run_shard, *self._arguments[shard])


def _absolute(source: Any) -> Any:
    """Return a source for workers with another working folder."""
    if isinstance(source, str | os.PathLike):
        return os.path.abspath(source)
    source = to_json(source)
    scenario = source.get("scenario") if isinstance(source, dict) else None
    if isinstance(scenario, str) and Path(scenario).exists():
        source = {**source, "scenario": os.path.abspath(scenario)}
    return source


def share_sweep(
    sweep: Any,
    options: Mapping[str, Any],
    executor: ExecutorLike | None,
    *,
    shards: int | None,
    systems: Sequence[str | os.PathLike[str]] | None,
    progress: ProgressLike,
) -> SweepResult:
    """Run a sweep on the workers of an executor, with the same result as on one machine.

    Args:
        sweep: see `warpool.sweep`
        options: its options; `workers` is the number of threads of each shard (default: 1)
        executor: workers that reach the folder `out`; or a function that creates an executor
        shards: number of tasks (default: four for each worker, at most one for each segment)
        systems: see `warpool.sweep`
        progress: see `warpool.sweep`
    """
    if executor is None:
        raise InputError("shards: expected an executor, found none", "invalid-value")
    if not callable(executor) and not hasattr(executor, "submit"):
        raise TypeError(f"executor: expected an object with the method submit, or a function, found {executor!r}")
    if shards is not None and (not isinstance(shards, int) or isinstance(shards, bool) or shards < 1):
        raise InputError(f"shards: expected an integer >= 1, found {shards!r}", "invalid-value")
    out, source = os.path.abspath(options["out"]), _absolute(sweep)
    systems = [os.path.abspath(each) if Path(each).exists() else each for each in systems or list_systems(sweep)]
    for mode in ("extend", "recompute", "shard"):
        if options.get(mode):
            raise InputError(f"{mode} cannot be combined with executor", "invalid-value")
    if not options.get("resume") and Path(out, "manifest.json").exists():
        raise InputError(f"out: expected a new folder, or resume=True, found the store {out}", "invalid-value")
    prepared = call_function(
        "create_store", (sweep, out), {}, systems=systems, results={"sweep-prepared": CreateStoreResult}
    )
    if not prepared.complete:
        members = getattr(executor, "_max_workers", None) or os.cpu_count() or 1
        count = min(shards or _SHARDS_EACH * members, prepared.segments)
        given = {"out": out, "workers": options.get("workers") or 1}
        arguments = {
            index: (source, {**given, "shard": {"index": index, "of": count}}, systems) for index in range(1, count + 1)
        }
        with open_progress(progress, "sweep") as show:
            _Tasks(executor, arguments).wait(show)
    finish = {**options, "out": out, "resume": True}
    return call_function("sweep", (sweep,), finish, systems=systems, results={"sweep-result": SweepResult})

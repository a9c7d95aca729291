"""Progress of calls: a bar of tqdm, or a function."""

# ruff: noqa: PLC0415
from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any

#: None: a bar if tqdm is installed and standard error is a terminal or a notebook; True: always; False: never.
ProgressLike = bool | Callable[[Mapping[str, Any]], None] | None

#: Seconds without a bar.
_DELAY = 0.5


def _can_show() -> bool:
    return "ipykernel" in sys.modules or sys.stderr.isatty()


@contextlib.contextmanager
def open_progress(progress: ProgressLike, name: str) -> Iterator[Callable[[Mapping[str, Any]], None] | None]:
    """Yield a function that shows progress, or None if nothing shows it.

    Raises:
        ImportError: `progress` is True without tqdm
    """
    if callable(progress):
        yield progress
        return
    if progress not in (None, True, False):
        raise TypeError(f"progress: expected True, False or a function, found {progress!r}")
    if progress is False or (progress is None and not _can_show()):
        yield None
        return
    try:
        from tqdm.auto import tqdm
    except ImportError as error:
        if progress:
            raise ImportError("progress=True requires tqdm: `pip install tqdm`") from error
        yield None
        return
    with tqdm(desc=f"warpool.{name}", delay=_DELAY, leave=False, unit_scale=True) as bar:

        def show(state: Mapping[str, Any]) -> None:
            bar.total = state.get("total", state.get("cells"))
            bar.unit = str(state.get("unit", "cells" if "cells" in state else "battles"))
            bar.update(state.get("done", 0) - bar.n)

        yield show

"""Other spellings of arguments, accepted everywhere: those of files, and those of Gymnasium."""

from __future__ import annotations

import enum
import functools
import re
from collections.abc import Callable
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])

#: Names of arguments by their other spellings.
_SPELLINGS = {
    "manifest": "scenario",
    "autoreset": "autoreset_mode",
    "max_steps": "max_episode_steps",
}


def accept_spellings(function: F) -> F:
    """Let a function take arguments by their other spellings too."""

    @functools.wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:
        for other, name in _SPELLINGS.items():
            if other in named:
                if name in named:
                    raise TypeError(f"{name}: expected one value, found another one as {other}")
                named[name] = named.pop(other)
        return function(*arguments, **named)

    return cast(F, call)


def mode_name(mode: str | enum.Enum) -> str:
    """Return a mode of autoreset as manifests spell it: `next-step` for `NextStep` and Gymnasium's own."""
    text = str(mode.value if isinstance(mode, enum.Enum) else mode)
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", text).replace("_", "-").lower()

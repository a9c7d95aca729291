"""Alternative names of arguments: those of manifests, and those of Gymnasium."""

from __future__ import annotations

import enum
import functools
import re
from collections.abc import Callable
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])

#: Names of arguments by their alternatives.
_SPELLINGS = {
    "manifest": "scenario",
    "autoreset": "autoreset_mode",
    "max_steps": "max_episode_steps",
}


def accept_spellings(function: F) -> F:
    """Let a function accept arguments under their alternative names too."""

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
    """Return an autoreset mode in the spelling of manifests: `next-step` for `NextStep` and Gymnasium's enum."""
    text = str(mode.value if isinstance(mode, enum.Enum) else mode)
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", text).replace("_", "-").lower()

"""Errors of functions that run in Node.js. docs/reference/errors.md explains their codes."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any


class WarpoolError(Exception):
    """Base class of the errors of functions.

    Attributes:
        code: stable code for programs, such as `invalid-value`
        details: all fields of the error
    """

    def __init__(self, message: str, code: str = "run-failed", details: Mapping[str, Any] | None = None):
        super().__init__(message)
        self.code = code
        self.details = dict(details or {})

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.code, self.details)


class InputError(WarpoolError, ValueError):
    """An argument, an option or a file is invalid; `details` has place, expected and found."""


class RunError(WarpoolError, RuntimeError):
    """A call that was started could not be finished."""


class AbortError(RunError):
    """A call was interrupted before it had a result."""


class BudgetError(WarpoolError):
    """An exact answer exceeds its budget; `details` can have `suggested`, a budget that may suffice."""


class RulesError(WarpoolError):
    """The rules of a custom system failed."""


class NodeError(WarpoolError, RuntimeError):
    """Node.js is missing or too old, or its process ended during a call. The next call starts a new process."""


_CLASSES = {each.__name__: each for each in (InputError, AbortError, BudgetError, RulesError)}

_WORD = re.compile(r"[A-Za-z]+")


def to_snake_case(name: str) -> str:
    """Return the Python name of a name of the library: `precision_floor` for `precisionFloor`."""
    return re.sub(r"(?<=[a-z0-9])([A-Z])", lambda match: f"_{match[1].lower()}", name)


def to_camel_case(name: str) -> str:
    """Return the name of the library for a Python name: `from` for `from_`."""
    return re.sub(r"_([a-z0-9])", lambda match: match[1].upper(), name.removesuffix("_"))


def create_error(error: Mapping[str, Any], options: Collection[str]) -> WarpoolError:
    """Return the exception for an error of Node.js. Options of the call have their Python names in its message."""
    message = str(error.get("message", ""))
    word = _WORD.match(message)
    if word and word[0] in options:
        message = to_snake_case(word[0]) + message[word.end() :]
    kind = _CLASSES.get(str(error.get("name")), RunError)
    return kind(message, str(error.get("code", "run-failed")), error)

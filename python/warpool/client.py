"""Calls of functions of the library in Node.js."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from warpool.answers import Call, Result
from warpool.errors import create_error, to_camel_case
from warpool.node_process import send_request
from warpool.progress import ProgressLike, open_progress

R = TypeVar("R", bound=Result)

#: Larger integers are not exact in JavaScript.
_EXACT_MAX = 2**53

#: Characters of a subject in the text of a call.
_SHOWN = 60


def to_json(value: Any) -> Any:
    """Return a value as Node.js receives it: arrays as lists; paths, integers above 2^53, NaN and infinities as texts.

    Raises:
        TypeError: JSON has no such value
    """
    if hasattr(value, "to_request"):  # LoadedScenario, which has only such values
        return value.to_request()
    if hasattr(value, "tolist"):  # NumPy
        value = value.tolist()
    elif isinstance(value, os.PathLike):
        value = os.fspath(value)
    if isinstance(value, int) and abs(value) > _EXACT_MAX:
        return str(value)
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)  # JSON has no such number: the check of the option rejects the text.
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, Mapping):
        return {str(key): to_json(each) for key, each in value.items()}
    if isinstance(value, Sequence | set | frozenset):
        return [to_json(each) for each in value]
    raise TypeError(f"expected a number, text, path, list or mapping, found {value!r}")


def _show(subject: Any) -> str:
    text = repr(os.fspath(subject) if isinstance(subject, os.PathLike) else subject)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


def request_result(name: str, subjects: Sequence[Any], systems: Sequence[str] | None = None) -> Any:
    """Return the bare result of a call without options."""
    _, response = send_request({"call": name, "subjects": to_json(subjects), "systems": to_json(systems or [])})
    if "error" in response:
        raise create_error(response["error"], ())
    return response["result"]


def call_function(
    name: str,
    subjects: Sequence[Any],
    options: Mapping[str, Any],
    *,
    results: Mapping[str, type[R]],
    systems: Sequence[str | os.PathLike[str]] | None = None,
    progress: ProgressLike = False,
) -> R:
    """Call a function of the library.

    Args:
        name: name of the function
        subjects: its positional arguments
        options: its options by Python name; None: not given
        results: classes of results by the name of their JSON Schema
        systems: modules with custom systems
        progress: see `ProgressLike`
    """
    given = {option: value for option, value in options.items() if value is not None}
    request = {
        "call": name,
        "cwd": os.getcwd(),
        "subjects": to_json(subjects),
        "options": {to_camel_case(option): to_json(value) for option, value in given.items()},
        "systems": to_json(systems or list_systems(subjects)),
    }
    with open_progress(progress, name) as show:
        number, response = send_request(request, show)
    if "error" in response:
        raise create_error(response["error"], request["options"])
    shown = [_show(each) for subject in subjects for each in (subject if isinstance(subject, list) else [subject])]
    words = [*map(_show, subjects), *(f"{option}={_show(value)}" for option, value in given.items())]
    call = Call(request, number, f"warpool.{name}({', '.join(words)})", tuple(shown))
    return results[response["output"]](response["result"], call)


def list_systems(subject: Any) -> list[str]:
    """Return the modules with which the scenarios of a subject were loaded, in order."""
    if hasattr(subject, "to_request"):
        return list(subject.systems)
    if isinstance(subject, Mapping):
        subject = list(subject.values())
    if not isinstance(subject, list | tuple):
        return []
    return list(dict.fromkeys(system for each in subject for system in list_systems(each)))

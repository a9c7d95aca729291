"""Reads JSON that may be damaged: errors name the place of missing or invalid values."""

from __future__ import annotations

import base64
import binascii
import hashlib
import math
from collections.abc import Iterator
from typing import Any, TypeVar, cast

T = TypeVar("T")

_NAMES = {dict: "an object", list: "a list", str: "text", int: "an integer", float: "a number"}


class Reader:
    """JSON object with its place, for messages."""

    def __init__(self, value: Any, place: str = "manifest"):
        if not isinstance(value, dict):
            raise ValueError(f"{place}: expected an object, found {_shown(value)}")
        self.value = value
        self.place = place

    def get(self, key: str, kind: type[T]) -> T:
        """Return the value of a key.

        Raises:
            ValueError: it is missing or has another type
        """
        if key not in self.value:
            raise ValueError(f"{self.place}: expected {key}, found none")
        return typed(self.value[key], kind, f"{self.place}.{key}")

    def within(self, key: str) -> Reader:
        """Return a nested object."""
        return Reader(self.get(key, dict), f"{self.place}.{key}")

    def each(self, key: str) -> Iterator[Reader]:
        """Yield the objects of a list."""
        for index, value in enumerate(self.get(key, list)):
            yield Reader(value, f"{self.place}.{key}[{index}]")

    def names(self, key: str) -> tuple[str, ...]:
        """Return a list of names."""
        place = f"{self.place}.{key}"
        return tuple(typed(each, str, f"{place}[]") for each in self.get(key, list))

    def content(self) -> bytes:
        """Return the bytes of an object with bytes and digest."""
        try:
            content = base64.b64decode(self.get("base64", str), validate=True)
        except binascii.Error as error:
            raise ValueError(f"{self.place}.base64: {error}") from error
        if hashlib.sha256(content).hexdigest() != self.get("sha256", str):
            raise ValueError(f"{self.place} is damaged: its SHA-256 does not match")
        return content


def typed(value: Any, kind: type[T], place: str) -> T:
    """Return a value of a type; numbers must be finite, and booleans are not numbers."""
    wanted: Any = (int, float) if kind is float else kind
    if not isinstance(value, wanted) or isinstance(value, bool):
        raise ValueError(f"{place}: expected {_NAMES[kind]}, found {_shown(value)}")
    if kind is float and not math.isfinite(value):
        raise ValueError(f"{place}: expected a number, found {value}")
    return cast(T, value)


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:40]}..."

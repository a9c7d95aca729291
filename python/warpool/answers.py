"""Results of functions: attributes, tables and HTML."""

# ruff: noqa: PLC0415
from __future__ import annotations

import copy
import html
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from warpool.errors import RunError, to_camel_case, to_snake_case
from warpool.node_process import send_request

#: Keys of an interval in a table.
_ENDS = ("low", "high")


@dataclass(frozen=True)
class Call:
    """A call of a function: its request, its number and its text."""

    request: Mapping[str, Any]
    number: str
    text: str
    subjects: tuple[str, ...]

    def render(self, data: Mapping[str, Any]) -> str:
        """Return the HTML report of its result. A result that Node.js does not have any more is computed again.

        Raises:
            RunError: the scenario has changed since then
        """
        text = {"command": self.text, "subjects": self.subjects}
        _, response = send_request({**self.request, "html": {"of": self.number, "text": text}})
        if "error" in response:
            raise RuntimeError(response["error"]["message"])
        if any(data.get(key) != value for key, value in response["of"].items()):
            raise RunError(f"{', '.join(self.subjects)}: expected the scenario of this result, found a changed one")
        return str(response["result"])


def _convert(value: Any, kind: type[Record], depth: str) -> Any:
    """Return records instead of objects. `depth` has `{` for a mapping and `[` for a list around them."""
    if value is None:
        return None
    if not depth:
        return kind(value)
    if depth[0] == "[":
        return [_convert(each, kind, depth[1:]) for each in value]
    return {name: _convert(each, kind, depth[1:]) for name, each in value.items()}


class Record:
    """An object of a result. Its attributes are the keys of the JSON in snake case; absent ones are None."""

    _records: ClassVar[RecordTypes] = {}
    #: Keys with a fixed number of numbers: intervals and quantiles.
    _groups: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, data: Mapping[str, Any]):
        self._data = data

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name.startswith("__") or not any(name in each.__annotations__ for each in type(self).__mro__[:-2]):
                raise AttributeError(f"{type(self).__name__} has no attribute {name!r}; it has {', '.join(self)}")
            key = to_camel_case(name)
            depth, kind = self._records.get(key, ("", None))
            value = self._data.get(key)
            converted = _convert(value, kind, depth) if kind else value
            self.__dict__[name] = converted
            return converted

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of the attributes."""
        return (name for each in type(self).__mro__[:-2] for name in each.__annotations__ if not name.startswith("_"))

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self]

    def __repr__(self) -> str:
        shown = (f"{name}={self._data[to_camel_case(name)]!r}" for name in self if to_camel_case(name) in self._data)
        return f"{type(self).__name__}({', '.join(shown)})"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and isinstance(other, Record) and self._data == other._data

    def __hash__(self) -> int:
        return hash(repr(self._data))

    def to_dict(self) -> dict[str, Any]:
        """Return a copy as dicts and lists, with the keys of the JSON (docs/reference/json.md)."""
        return copy.deepcopy(dict(self._data))

    def _row(self) -> dict[str, Any]:
        """Return numbers, texts and groups of numbers by column."""
        row: dict[str, Any] = {}
        for key, value in self._data.items():
            column = to_snake_case(key)
            depth, kind = self._records.get(key, ("", None))
            if key in self._groups and value is not None:
                inner = zip(_ENDS, value, strict=False) if isinstance(value, list) else value.items()
                row |= {f"{column}.{name}": each for name, each in inner}
            elif kind and not depth and value is not None:
                row |= {f"{column}.{name}": each for name, each in kind(value)._row().items()}
            elif not isinstance(value, dict | list):
                row[column] = value
        return row


#: Class of objects by key, after brackets of the mappings (`{`) and lists (`[`) that contain them.
RecordTypes = Mapping[str, tuple[str, type[Record]]]


class Result(Record):
    """Result of a function."""

    #: Keys of the table: lists or mappings of objects; none: one row of the result itself.
    _table: ClassVar[tuple[str, ...]] = ()
    #: Keys of the names of rows and columns, and of a matrix, which is the table.
    _matrix: ClassVar[tuple[str, ...]] = ()

    def __init__(self, data: Mapping[str, Any], call: Call):
        super().__init__(data)
        self._call = call

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._data, self._call)

    def _rows(self) -> Iterator[dict[str, Any]]:
        if self._matrix:
            rows, columns, values = (self._data[key] for key in self._matrix)
            for name, row in zip(rows, values, strict=True):
                yield {"name": name, **dict(zip(columns, row, strict=True))}
            return
        if not self._table:
            yield self._row()
        for key in self._table:
            _, kind = self._records[key]
            value = self._data.get(key) or {}
            start = {"kind": key} if len(self._table) > 1 else {}
            if isinstance(value, Mapping):
                yield from ({**start, "name": name, **kind(each)._row()} for name, each in value.items())
            else:
                yield from ({**start, **kind(each)._row()} for each in value)

    def to_frame(self, library: str | None = None) -> Any:
        """Return the main table as a data frame. The columns `kind` and `name` come first.

        Args:
            library: `pandas` or `polars`; default: pandas if it is installed

        Raises:
            ImportError: neither is installed
        """
        if library not in {None, "pandas", "polars"}:
            raise ValueError(f"library: expected 'pandas' or 'polars', found {library!r}")
        rows = list(self._rows())
        if library != "polars":
            try:
                import pandas as pd
            except ImportError:
                if library:
                    raise
            else:
                return pd.DataFrame.from_records(rows)
        import polars as pl

        return pl.from_dicts(rows, infer_schema_length=None)

    def to_html(self) -> str:
        """Return the HTML report: one page with tables and figures, without external resources.

        Raises:
            RunError: the file of the scenario has changed since this result was computed
        """
        return self._call.render(self._data)

    def _repr_html_(self) -> str:
        page = html.escape(self.to_html(), quote=True)
        style = "width: 100%; height: 640px; border: 0; resize: vertical"
        return f'<iframe srcdoc="{page}" style="{style}"></iframe>'

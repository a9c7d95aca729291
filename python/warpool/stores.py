"""Stores of sweeps: folders of Parquet files, which pyarrow and DuckDB read."""

# ruff: noqa: PLC0415
from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from warpool.answers import Result

if TYPE_CHECKING:
    import duckdb
    import pyarrow.dataset


class Store:
    """Results of a sweep in a folder (docs/how-to/sweep.md). Reading is lazy: only requested columns and rows."""

    def __init__(self, folder: str | Path):
        """Open a store.

        Raises:
            FileNotFoundError: the folder is not a store
        """
        self.folder = Path(folder)
        self.manifest: dict[str, Any] = json.loads((self.folder / "manifest.json").read_text(encoding="utf-8"))

    def files(self, kind: str = "table") -> list[str]:
        """Return the paths of the parts, in order.

        Args:
            kind: `table`, a row for each cell and value, or `histograms`, its counts and distributions
        """
        if kind not in {"table", "histograms"}:
            raise ValueError(f"kind: expected 'table' or 'histograms', found {kind!r}")
        parts = self.manifest.get("parts")
        if parts is None:
            return sorted(map(str, (self.folder / kind).glob("part-*.parquet")))
        return [str(self.folder / part["file"]) for part in parts if part["file"].startswith(f"{kind}/")]

    def dataset(self, kind: str = "table") -> pyarrow.dataset.Dataset:
        """Return a dataset of pyarrow, for `scanner`, `to_batches` and other lazy readers.

        Raises:
            ImportError: pyarrow is not installed
        """
        import pyarrow.dataset as ds

        return ds.dataset(self.files(kind), format="parquet")

    def relation(
        self, kind: str = "table", connection: duckdb.DuckDBPyConnection | None = None
    ) -> duckdb.DuckDBPyRelation:
        """Return a relation of DuckDB, for `filter`, `aggregate` and SQL.

        Raises:
            ImportError: DuckDB is not installed
        """
        import duckdb

        return (connection or duckdb.default_connection()).read_parquet(self.files(kind))

    def to_frame(self, library: str | None = None, kind: str = "table") -> Any:
        """Return all rows as a data frame of `pandas` (default) or `polars`."""
        table = self.dataset(kind).to_table()
        if library == "polars":
            import polars as pl

            return pl.from_arrow(table)
        return table.to_pandas()

    def __repr__(self) -> str:
        state = "complete" if self.manifest.get("complete") else "unfinished"
        return f"<{state} store {self.folder}>"


class StoreResult(Result):
    """Result of a function that fills a store."""

    if TYPE_CHECKING:
        folder: str

    @property
    def store(self) -> Store:
        """Return the store of the results."""
        return Store(self.folder)

    def to_frame(self, library: str | None = None) -> Any:
        """Return all rows of the table as a data frame of `pandas` (default) or `polars`."""
        return self.store.to_frame(library)

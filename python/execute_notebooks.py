"""Executes the notebooks of the documentation, and writes their outputs back.

    python execute_notebooks.py            # all
    python execute_notebooks.py --check    # compares the texts of outputs instead of writing
    python execute_notebooks.py ../docs/notebooks/sweep-to-figure.ipynb

The packages and their versions are in docs/notebooks/requirements.txt. Needs a build of warpool in the parent folder.
"""

import argparse
import difflib
import os
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

ROOT = Path(__file__).parents[1]

#: Seconds for each cell.
_TIMEOUT = 120

#: Figures: small, equal in each execution, with texts as texts.
_FIGURES = {"svg.fonttype": "none", "svg.hashsalt": "warpool"}

#: Options of the kernel.
_OPTIONS = [
    "--log-level=ERROR",
    "--InlineBackend.figure_formats={'svg'}",
    f"--InlineBackend.rc={_FIGURES}",
    "--InlineBackend.print_figure_kwargs={'bbox_inches': None, 'metadata': {'Date': None, 'Creator': None}}",
]


#: Without progress bars, and without the hint of tqdm to install widgets.
_ENVIRONMENT = {"TQDM_DISABLE": "1", "PYTHONWARNINGS": "ignore:IProgress not found"}


def join_streams(outputs: list[nbformat.NotebookNode]) -> list[nbformat.NotebookNode]:
    """Join consecutive texts, which arrive in arbitrary parts."""
    joined: list[nbformat.NotebookNode] = []
    for output in outputs:
        if joined and output.output_type == "stream" and output.get("name") == joined[-1].get("name"):
            joined[-1].text += output.text
        else:
            joined.append(output)
    return joined


def execute(path: Path) -> nbformat.NotebookNode:
    """Return a notebook with the outputs of an execution.

    Raises:
        CellExecutionError: a cell raised an error
        ValueError: a cell printed warnings
    """
    notebook = nbformat.read(path, as_version=4)
    folder = {"metadata": {"path": str(path.parent)}}
    NotebookClient(notebook, timeout=_TIMEOUT, extra_arguments=_OPTIONS, resources=folder).execute()
    for cell in notebook.cells:
        # Times of the execution.
        cell.metadata.pop("execution", None)
        if cell.cell_type == "code":
            cell.outputs = join_streams(cell.outputs)
            for output in cell.outputs:
                if output.get("name") == "stderr":
                    raise ValueError(f"expected no warnings, found {output.text}")
    notebook.metadata.language_info = {"name": "python"}
    return notebook


def texts(notebook: nbformat.NotebookNode) -> list[str]:
    """Return the source and the texts of outputs, in lines; figures are only named."""
    lines = []
    for cell in notebook.cells:
        lines += cell.source.splitlines()
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            lines += sorted(kind for kind in data if kind != "text/plain")
            text = output.get("text") or ("" if "image/svg+xml" in data else data.get("text/plain", ""))
            lines += text.splitlines()
    return lines


def main() -> int:
    """Execute notebooks. Return the exit code."""
    parser = argparse.ArgumentParser(description="Execute the notebooks of the documentation.")
    parser.add_argument("notebooks", nargs="*", type=Path, help="default: all of docs/notebooks")
    parser.add_argument("--check", action="store_true", help="compare the texts of outputs, and write nothing")
    arguments = parser.parse_args()
    # The kernel imports warpool from this folder.
    paths = os.pathsep.join((str(ROOT / "python"), os.environ.get("PYTHONPATH", "")))
    os.environ.update(_ENVIRONMENT, PYTHONPATH=paths)
    failures = 0
    for path in arguments.notebooks or sorted((ROOT / "docs/notebooks").glob("*.ipynb")):
        try:
            executed = execute(path)
        except (CellExecutionError, ValueError) as error:
            print(f"{path.name}: {error}")
            failures += 1
            continue
        if not arguments.check:
            nbformat.write(executed, path)
            print(f"{path.name}: written")
            continue
        stored = texts(nbformat.read(path, as_version=4))
        changes = list(difflib.unified_diff(stored, texts(executed), "stored", "executed", lineterm="", n=1))
        print("\n".join([f"{path.name}: {'outputs differ' if changes else 'equal'}", *changes]))
        failures += bool(changes)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

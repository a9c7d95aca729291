"""Builds the package in an empty folder, and requires kernels; pyproject.toml has all other settings."""

import re
import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

READY = Path("warpool", "ready")
WORDS = Path("warpool", "words.py")
FUNCTIONS = READY / "functions.py"


class BuildWithKernels(build_py):
    """Copies the package, if it has its kernels, to a folder without modules of earlier builds."""

    def run(self) -> None:
        """Build, or exit with a list of missing files."""
        kernels, scenarios = READY.glob("kernels/*.wasm"), READY.glob("scenarios/*.json")
        if not (any(kernels) and any(scenarios) and WORDS.exists() and FUNCTIONS.exists()):
            raise SystemExit(
                f"warpool: expected kernels and scenarios in {READY.resolve()}, and {WORDS}: none. "
                "In a checkout, `npm ci && npm run build` makes them (Node 20.19 or newer); "
                "wheels of a release have them."
            )
        if not self.editable_mode:
            shutil.rmtree(Path(self.build_lib, "warpool"), ignore_errors=True)
        super().run()


def description() -> str:
    """Return README.md without links to files of the repository, which a package index does not have."""
    text = Path("README.md").read_text(encoding="utf-8")
    return re.sub(r"\[([^]]+)\]\(\.\./[^)]*\)", r"\1", text)


setup(
    cmdclass={"build_py": BuildWithKernels},
    long_description=description(),
    long_description_content_type="text/markdown",
)

"""Refuses to build a package without kernels; all else stands in pyproject.toml."""

from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

READY = Path("warpool", "ready")
WORDS = Path("warpool", "words.py")


class BuildWithKernels(build_py):
    """Copies the package, if it has what it plays with."""

    def run(self) -> None:
        """Build, or end with what is missing."""
        kernels, scenarios = READY.glob("kernels/*.wasm"), READY.glob("scenarios/*.json")
        if not (any(kernels) and any(scenarios) and WORDS.exists()):
            raise SystemExit(
                f"warpool: expected kernels and scenarios in {READY.resolve()}, and {WORDS}: none. "
                "In a checkout, `npm ci && npm run build` makes them (Node 20.19 or newer); "
                "wheels of a release have them."
            )
        super().run()


setup(cmdclass={"build_py": BuildWithKernels})

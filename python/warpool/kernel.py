"""Instance of a system's kernel, with the fields in its memory as arrays."""

from __future__ import annotations

import ctypes
import functools
import hashlib
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import wasmtime

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

from warpool.calls import create_engine, prepare
from warpool.manifest import Manifest
from warpool.words import ABI, ERRORS, Configuration, Place

#: Errors of `env_init`.
_ERRORS = {
    "memory": "not enough memory, or a limit of this process (`ulimit -v`)",
    "abi": "different ABI version",
    "shape": "different shape",
}

_KINDS: dict[str, np.dtype[Any]] = {"i32": np.dtype("<i4"), "f32": np.dtype("<f4"), "u8": np.dtype("u1")}

#: Fields viewed as another type of the same size.
_TYPES: dict[str, np.dtype[Any]] = {
    "episode": np.dtype("<u4"),
    "final_mask": np.dtype(np.int8),
    "invalid": np.dtype(np.bool_),
    "length": np.dtype("<u4"),
    # Gymnasium's type of masks.
    "mask": np.dtype(np.int8),
    "reset_mask": np.dtype(np.bool_),
    "terminated": np.dtype(np.bool_),
    "truncated": np.dtype(np.bool_),
}

#: Fields with rows, even with one column.
_TABLES = ("obs", "mask", "reward", "final_obs", "final_mask", "final_return", "metrics", "record")

_compiling = threading.Lock()


#: Kernels with fewer environments reserve little address space: calls from Python dominate their time.
_MANY_ENVS = 64


@functools.lru_cache(maxsize=16)
def _compiled(code: bytes, is_roomy: bool) -> tuple[wasmtime.Engine, wasmtime.Module]:
    engine = create_engine(is_roomy)
    return engine, wasmtime.Module(engine, code)


def _is_address_space_limited() -> bool:
    """Return whether this process has a limit of address space (`ulimit -v`), which 4 GiB could exhaust."""
    return resource is not None and resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY


def _snake_case(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)


class KernelError(RuntimeError):
    """Error of a kernel, for example on a damaged state; its environments cannot be used any more."""


class Kernel:
    """Environments in the memory of one instance of a kernel.

    Exports of the kernel are attributes: `kernel.env_step(0, 64)`. Only one thread at a time may use
    a kernel; kernels of several threads run in parallel.

    Attributes:
        num_envs: number of environments
        fields: arrays in the kernel's memory by name; they keep the memory alive
        everything: bytes of all fields
        words: configuration in the kernel's memory, i32
        fingerprint: 8 bytes that identify the shape, number and configuration of the environments
    """

    def __init__(self, manifest: Manifest, num_envs: int, first_env: int = 0):
        """Lay out environments.

        Args:
            manifest: has the kernel and its configuration
            num_envs: number of environments
            first_env: index of the first environment

        Raises:
            ValueError: the number of environments is out of range, or they do not fit into a kernel
            MemoryError: the system has no address space for the kernel
        """
        _check_room(manifest, num_envs, first_env)
        words = manifest.words
        self.num_envs = num_envs
        self.fingerprint = _fingerprint(manifest, num_envs)
        self._failure: KernelError | None = None
        is_roomy = num_envs >= _MANY_ENVS and not _is_address_space_limited()
        try:
            self._instantiate(manifest.kernel, is_roomy)
        except wasmtime.WasmtimeError as error:
            if not is_roomy:
                raise MemoryError(
                    "kernel: the system has no address space left for its memory; "
                    f"a limit may be set (`ulimit -v`): {error}"
                ) from error
            self._instantiate(manifest.kernel, False)
        if self.env_abi() != ABI:
            raise ValueError(f"kernel: expected ABI version {ABI}, found {self.env_abi()}")
        address = self.env_reserve(words.nbytes)
        if address == 0:
            raise ValueError("scenarios: they do not fit into the memory of a kernel")
        self._array(address, words.dtype, words.shape)[:] = words
        code = self.env_init(num_envs, first_env, 1)
        if code:
            raise ValueError(f"num_envs: a kernel cannot hold {num_envs}: {_ERRORS[ERRORS[code]]}")
        self.words = self._array(address, words.dtype, words.shape)
        self._lay_out(manifest)

    def _instantiate(self, code: bytes, is_roomy: bool) -> None:
        with _compiling:
            engine, module = _compiled(code, is_roomy)
        self._store = wasmtime.Store(engine)
        linker = wasmtime.Linker(engine)
        if module.imports:
            linker.define_unknown_imports_as_traps(module)
        self._exports = linker.instantiate(self._store, module).exports(self._store)

    def __getattr__(self, name: str) -> Callable[..., int]:
        # Called only for missing attributes, so each function is prepared once.
        func = self.__dict__.get("_exports", {}).get(name)
        if not isinstance(func, wasmtime.Func):
            raise AttributeError(f"a kernel has no {name!r}")
        prepared = prepare(self._store, func)

        def call(*arguments: int) -> int:
            if self._failure is not None:
                raise self._failure
            try:
                return prepared(*arguments)
            except (wasmtime.Trap, wasmtime.WasmtimeError) as error:
                # The cause is the last line, after the stack of the kernel.
                reason = str(error).strip().splitlines()[-1].strip()
                self._failure = KernelError(
                    f"the kernel failed, so its environments cannot be used any more: {reason}"
                )
                raise self._failure from error

        setattr(self, name, call)
        return call

    def array(self, address: int, dtype: Any, length: int) -> np.ndarray:
        """Return `length` numbers at an address of the kernel's memory."""
        return self._array(address, np.dtype(dtype), (length,))

    def _array(self, address: int, dtype: np.dtype, shape: tuple[int, ...]) -> np.ndarray:
        memory = self._exports["memory"]
        assert isinstance(memory, wasmtime.Memory)
        size = int(np.prod(shape)) * dtype.itemsize
        if address + size > memory.data_len(self._store):
            raise ValueError(f"kernel: no {size} bytes at {address}")
        start = ctypes.addressof(memory.data_ptr(self._store).contents)
        block = (ctypes.c_ubyte * size).from_address(start + address)
        # An array keeps its block alive, the block the store, and the store the memory.
        block.store = self._store  # type: ignore[attr-defined]
        found: np.ndarray = np.frombuffer(memoryview(block), dtype=dtype).reshape(shape)
        return found

    def _lay_out(self, manifest: Manifest) -> None:
        """Read the table of fields."""
        rows = len(manifest.fields)
        entries = self.array(self.env_fields(), "<u4", rows * Place.SIZE)
        table = entries.reshape(rows, Place.SIZE).tolist()
        self.fields: dict[str, np.ndarray] = {}
        for name, (kind, columns, address, _) in zip(manifest.fields, table, strict=True):
            plain = _snake_case(name)
            dtype: np.dtype[Any] = _TYPES.get(plain, _KINDS[manifest.kinds[kind]])
            is_table = plain in _TABLES or columns != 1
            shape = (self.num_envs, columns) if is_table else (self.num_envs,)
            self.fields[plain] = self._array(address, dtype, shape)
        _, _, first, _ = table[0]
        _, _, last, row = table[-1]
        self.everything = self.array(first, "u1", last + row * self.num_envs - first)


def _fingerprint(manifest: Manifest, num_envs: int) -> bytes:
    words = manifest.words.copy()
    words[Configuration.SEED_LOW : Configuration.SEED_HIGH + 1] = 0
    digest = hashlib.sha256(words.tobytes())
    digest.update(f"{manifest.sha256} {num_envs}".encode())
    return digest.digest()[:8]


def _check_room(manifest: Manifest, num_envs: int, first_env: int) -> None:
    if not 1 <= num_envs <= manifest.envs_max:
        raise ValueError(f"num_envs: expected 1..{manifest.envs_max}, found {num_envs}")
    most = manifest.envs_max - num_envs
    if not 0 <= first_env <= most:
        raise ValueError(f"first_env: expected 0..{most}, found {first_env}")

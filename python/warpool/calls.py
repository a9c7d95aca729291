"""Fast calls of kernel functions (about 1.5 us instead of 25), and engines that reserve little memory."""

from __future__ import annotations

import contextlib
import ctypes
import importlib
from collections.abc import Callable
from typing import Any

import wasmtime

ffi: Any = None
try:
    # Not a plain import, because its members are private, and their types differ between versions.
    ffi = importlib.import_module("wasmtime._bindings")
    _PARAMETERS = len(ffi._wasmtime_func_call_unchecked.argtypes)
    _WORDS = ctypes.sizeof(ffi.wasmtime_val_raw_t) // 8
    #: True if wasmtime has the internals that prepared calls need; they are not a stable interface.
    HAS_UNCHECKED = _PARAMETERS == 5 and _WORDS == 2
except (ImportError, AttributeError):
    HAS_UNCHECKED = False

#: Function of the kernel: takes integers of up to 64 bits, returns an unsigned one of 32 bits.
Call = Callable[..., int]

_U32 = 0xFFFFFFFF


#: Memory settings in bytes: name, name before wasmtime 26, value.
_RESERVED = (
    ("memory_reservation", "static_memory_maximum_size", 0),
    ("memory_reservation_for_growth", "dynamic_memory_reserved_for_growth", 0),
    ("memory_guard_size", "dynamic_memory_guard_size", 65_536),
)


def create_engine(is_roomy: bool) -> wasmtime.Engine:
    """Create an engine.

    Args:
        is_roomy: True to reserve 4 GiB of address space per memory, which avoids bounds checks: 1.4 times as fast.
            Otherwise a memory reserves only what it uses
    """
    config = wasmtime.Config()
    if is_roomy:
        return wasmtime.Engine(config)
    for name, older, size in _RESERVED:
        if hasattr(wasmtime.Config, name):
            setattr(config, name, size)
            continue
        # A version with neither name uses its default.
        with contextlib.suppress(AttributeError):
            ffi.dll[f"wasmtime_config_{older}_set"](config.ptr(), ctypes.c_uint64(size))
    return wasmtime.Engine(config)


def prepare(store: wasmtime.Store, func: wasmtime.Func) -> Call:
    """Return a function of a kernel as a plain call that releases the GIL."""
    return _unchecked(store, func) if HAS_UNCHECKED else _stock(store, func)


def _stock(store: wasmtime.Store, func: wasmtime.Func) -> Call:
    """Return a call through the public interface."""

    def call(*arguments: int) -> int:
        return (func(store, *arguments) or 0) & _U32

    return call


def _unchecked(store: wasmtime.Store, func: wasmtime.Func) -> Call:
    """Return a call that passes prepared words to the C interface.

    The kernel's interface fixes the argument types, so they are not checked.
    """
    params = len(func.type(store).params)
    size = max(1, params)
    # Arguments and result share a buffer with 16 bytes per value.
    words = (ctypes.c_uint64 * (_WORDS * size))()
    trap = ctypes.c_void_p()
    # Access by index creates a separate function object, so its types affect no other code.
    invoke = ffi.dll["wasmtime_func_call_unchecked"]
    invoke.restype = ctypes.c_void_p
    invoke.argtypes = [ctypes.c_void_p] * 3 + [ctypes.c_size_t, ctypes.c_void_p]
    context = ctypes.cast(store._context(), ctypes.c_void_p)
    target, values, trapped = (
        ctypes.c_void_p(ctypes.addressof(each)) for each in (func._func, words, trap)
    )

    def call(*arguments: int) -> int:
        if len(arguments) != params:
            raise TypeError(f"expected {params} arguments, found {len(arguments)}")
        at = 0
        for argument in arguments:
            words[at] = argument
            at += _WORDS
        error = invoke(context, target, values, size, trapped)
        if error is not None or trap.value is not None:
            _fail(error, trap)
        return words[0] & _U32

    # Addresses do not keep their objects alive.
    call.kept = (store, func, words, trap)  # type: ignore[attr-defined]
    return call


def _fail(error: int | None, trap: ctypes.c_void_p) -> None:
    if error is not None:
        failure = ctypes.cast(ctypes.c_void_p(error), ctypes.POINTER(ffi.wasmtime_error_t))
        raise wasmtime.WasmtimeError._from_ptr(failure)
    trapped = ctypes.cast(ctypes.c_void_p(trap.value), ctypes.POINTER(ffi.wasm_trap_t))
    trap.value = None
    raise wasmtime.Trap._from_ptr(trapped)

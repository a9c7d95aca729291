"""The resident Node.js process: started by the first call, shared by all threads, ended with the interpreter."""

from __future__ import annotations

import atexit
import contextlib
import itertools
import json
import os
import queue
import secrets
import select
import shutil
import signal
import subprocess
import tempfile
import threading
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from warpool.errors import NodeError
from warpool.node import PROGRAM, find_node

#: Seconds until an interrupted call must end; then the process is killed. Stores continue from finished segments.
_GRACE = 10.0

#: Seconds until the process must end after its input.
_END = 2.0

#: Seconds between two looks at signals: Windows does not interrupt a thread that waits.
_TICK = 0.5

_READ = 2**16

#: Bytes that a pipe takes in one piece; Windows has no such number.
_PIECE = getattr(select, "PIPE_BUF", 512)

#: Characters of the messages of a crashed process.
_MESSAGES = 2000

_Response = dict[str, Any]


def _encode(message: Mapping[str, Any]) -> bytes:
    return json.dumps(message).encode() + b"\n"


class NodeProcess:
    """A running Node.js process and its calls under way."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="warpool-"))
        self._messages = self._folder / "messages.txt"
        with self._messages.open("wb") as messages:
            self._process = subprocess.Popen(
                [find_node(), str(PROGRAM), str(self._folder)],
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=messages,
            )
        self._writing = threading.Lock()
        self._waiting: dict[str, queue.SimpleQueue[_Response | None]] = {}
        self._ended = False
        self.end_is_known = False
        self._reader = threading.Thread(target=self._read, name="warpool-node", daemon=True)
        self._reader.start()

    @property
    def pid(self) -> int:
        """Return the process ID."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Return whether the process can take calls."""
        return not self._ended and self._process.poll() is None

    def send(self, line: bytes) -> None:
        """Write a line. An interrupt does not divide it: another thread writes a long one.

        Raises:
            OSError: the process has ended
        """
        errors: list[OSError] = []
        if len(line) <= _PIECE:
            self._write(line, errors)
        else:
            writer = threading.Thread(target=self._write, args=(line, errors), name="warpool-writer", daemon=True)
            writer.start()
            writer.join()
        if errors:
            raise errors[0]

    def _write(self, line: bytes, errors: list[OSError]) -> None:
        assert self._process.stdin
        rest = memoryview(line)
        try:
            with self._writing:
                while rest:
                    rest = rest[os.write(self._process.stdin.fileno(), rest) :]
        except OSError as error:
            errors.append(error)

    def call(self, request: Mapping[str, Any], show: Callable[[Mapping[str, Any]], None] | None) -> _Response:
        """Return the response to a request, and show progress until then.

        Raises:
            BrokenPipeError: the process had ended before it received the request
            KeyboardInterrupt, or an error of `show`: after the call has ended
            NodeError: the process ended during the call
        """
        responses: queue.SimpleQueue[_Response | None] = queue.SimpleQueue()
        line = _encode(request)
        self._waiting[request["id"]] = responses
        try:
            self.send(line)
            return self._wait(request["id"], responses, show)
        except (OSError, NodeError):
            raise
        except BaseException:  # KeyboardInterrupt, or an error of `show`
            self._abort(request["id"], responses)
            raise
        finally:
            del self._waiting[request["id"]]

    def describe_end(self) -> str:
        """Return how the process ended, with its last messages."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_END)
        code = self._process.returncode
        with contextlib.suppress(ValueError, TypeError):
            code = signal.Signals(-code).name
        text = self._messages.read_text(encoding="utf-8", errors="replace").strip()[-_MESSAGES:]
        return f"the Node.js process of warpool ended unexpectedly ({code})" + (f":\n{text}" if text else "")

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(_END)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join(_END)
        assert self._process.stdout
        self._process.stdout.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def forget(self) -> None:
        """Close the pipes in a forked child, so that the process still ends with the parent."""
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe
            pipe.close()
        self._process.returncode = 0  # Only the parent waits for the process.

    def _wait(
        self,
        request: str,
        responses: queue.SimpleQueue[_Response | None],
        show: Callable[[Mapping[str, Any]], None] | None,
        timeout: float | None = None,
    ) -> _Response:
        for _ in itertools.count() if timeout is None else range(int(timeout / _TICK)):
            try:
                response = responses.get(timeout=_TICK)
            except queue.Empty:
                # The reader notifies registered requests at its end. This one may have been registered later.
                if self._ended and responses.empty():
                    responses.put(None)
                continue
            if response is None:
                self.end_is_known = True
                raise NodeError(f"{self.describe_end()}\nThe call has no result; the next call starts a new process.")
            if "file" in response:
                path = Path(response["file"])
                response = json.loads(path.read_bytes())
                path.unlink()
            if "progress" not in response:
                return response
            if show:
                show(response["progress"])
        raise TimeoutError(f"call {request} does not end")

    def _abort(self, request: str, responses: queue.SimpleQueue[_Response | None]) -> None:
        """Abort a call, and wait until it has ended.

        A second interrupt, or a call that does not end, kills the process.
        """
        try:
            self.send(_encode({"abort": request}))
            self._wait(request, responses, None, _GRACE)
        except (KeyboardInterrupt, TimeoutError):
            self.end_is_known = True
            self._process.kill()
            self._process.wait()
        except (OSError, NodeError):
            pass

    def _read(self) -> None:
        assert self._process.stdout
        file, rest = self._process.stdout.fileno(), b""
        with contextlib.suppress(OSError):
            while part := os.read(file, _READ):
                *lines, rest = (rest + part).split(b"\n")
                for line in lines:
                    response = json.loads(line)
                    waiting = self._waiting.get(response.get("id"))
                    if waiting:
                        waiting.put(response)
        self._ended = True
        for waiting in list(self._waiting.values()):
            waiting.put(None)


_lock = threading.Lock()
_process: NodeProcess | None = None
_numbers = itertools.count(1)

#: Part of the numbers of requests: a result that comes from another process has another one.
_session = secrets.token_hex(8)


def _get_process() -> NodeProcess:
    """Return the process, after a start if there is none."""
    global _process  # noqa: PLW0603
    with _lock:
        if _process and not _process.alive:
            if not _process.end_is_known:
                warnings.warn(f"{_process.describe_end()}\nA new process starts.", RuntimeWarning, stacklevel=4)
            _process.close()
            _process = None
        _process = _process or NodeProcess()
        return _process


def send_request(
    request: Mapping[str, Any], show: Callable[[Mapping[str, Any]], None] | None = None
) -> tuple[str, _Response]:
    """Return the number of a request, unique among all processes, and the response to it.

    Raises:
        NodeError: Node.js cannot be started, or ended during the call
    """
    number = f"{_session}-{next(_numbers)}"
    message = {"cwd": os.getcwd(), **request, "id": number, "progress": show is not None}
    try:
        return number, _get_process().call(message, show)
    except BrokenPipeError:
        # It ended between two calls.
        return number, _get_process().call(message, show)


def process_id() -> int | None:
    """Return the process ID of Node.js, or None if it does not run."""
    return _process.pid if _process and _process.alive else None


def _close() -> None:
    global _process
    ending, _process = _process, None
    if ending:
        ending.close()


def _forget() -> None:
    global _lock, _process, _session  # noqa: PLW0603
    _lock = threading.Lock()
    _session = secrets.token_hex(8)
    forgotten, _process = _process, None
    if forgotten:
        forgotten.forget()


atexit.register(_close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)

/** Parent process in a variable: when it ends, this process ends too. */

/** Milliseconds between two checks. */
const INTERVAL_MS = 1000;

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/**
 * Ends this process like SIGTERM once the process with the number in `WARPOOL_PARENT` is gone. SIGKILL of a Python
 * worker does not reach its children, but a shell may leave its children running on purpose, so this is opt-in.
 */
export function followParent(): void {
  const pid = Number(process.env['WARPOOL_PARENT'] ?? 0);
  if (!Number.isSafeInteger(pid) || pid <= 0) return;
  const timer = setInterval(() => {
    if (!isGone(pid)) return;
    clearInterval(timer);
    process.stderr.write(`warpool: process ${String(pid)} (WARPOOL_PARENT) is gone\n`);
    process.kill(process.pid, 'SIGTERM');
  }, INTERVAL_MS);
  timer.unref();
}

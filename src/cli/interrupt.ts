/** Ctrl-C. */
import { exitProcess } from '#platform/process-guard';
import { CommandExit } from './failure.ts';

const CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Milliseconds within which a second signal counts as a copy of the first: npm and npx may forward a Ctrl-C that the
 * terminal has sent to the program already.
 */
const ECHO_MS = 200;

export interface Signals {
  /** Aborted by the first SIGINT or SIGTERM. */
  readonly stop: AbortSignal;
  /** Returns the exit code of the received signal, if any. */
  getExitCode(): number | undefined;
  /** Runs blocking work; during it, a signal ends the process at once. */
  runBlocking<T>(act: () => T): T;
  /** Makes a signal end the process at once, until the returned function is called. */
  ignore(): () => void;
}

/** Catches signals: the first SIGINT or SIGTERM requests an early end; the next one ends the process at once. */
export function catchSignals(quit: (code: number) => void = exitProcess): Signals {
  const controller = new AbortController();
  let code: number | undefined;
  let received = 0;
  const handleSignal = (signal: keyof typeof CODES): void => {
    if (code === undefined) {
      [code, received] = [CODES[signal], performance.now()];
      controller.abort(new CommandExit(CODES[signal]));
    } else if (performance.now() - received > ECHO_MS) quit(CODES[signal]);
  };
  const names = Object.keys(CODES) as (keyof typeof CODES)[];
  const listen = (): void => {
    for (const name of names) process.off(name, handleSignal).on(name, handleSignal);
  };
  const ignore = (): (() => void) => {
    for (const name of names) process.off(name, handleSignal);
    return listen;
  };
  listen();
  return {
    stop: controller.signal,
    getExitCode: () => code,
    runBlocking(act) {
      const listenAgain = ignore();
      const result = act();
      listenAgain();
      return result;
    },
    ignore,
  };
}

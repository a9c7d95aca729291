/** Ctrl-C. */
import { exitProcess } from '#platform/process-guard';
import { CommandExit } from './failure.ts';

const CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Milliseconds within which a second signal is the first one again: of Ctrl-C in a terminal npm and npx may pass on a copy
 * to a program that the terminal has told already.
 */
const ECHO_MS = 200;

export interface Signals {
  /** Aborted by the first SIGINT or SIGTERM. */
  readonly stop: AbortSignal;
  /** The exit code of the signal that came, if one did. */
  getExitCode(): number | undefined;
  /** Does what blocks the process for long: meanwhile a signal ends it at once, as signals do by themselves. */
  runBlocking<T>(act: () => T): T;
  /** From now on a signal ends the process at once, until the function that is returned is called. */
  ignore(): () => void;
}

/** From now on the first SIGINT or SIGTERM asks for an early end; the next one ends the process at once. */
export function catchSignals(quit: (code: number) => void = exitProcess): Signals {
  const controller = new AbortController();
  let code: number | undefined;
  let heard = 0;
  const hear = (signal: keyof typeof CODES): void => {
    if (code === undefined) {
      [code, heard] = [CODES[signal], performance.now()];
      controller.abort(new CommandExit(CODES[signal]));
    } else if (performance.now() - heard > ECHO_MS) quit(CODES[signal]);
  };
  const names = Object.keys(CODES) as (keyof typeof CODES)[];
  const listen = (): void => {
    for (const name of names) process.off(name, hear).on(name, hear);
  };
  const ignore = (): (() => void) => {
    for (const name of names) process.off(name, hear);
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

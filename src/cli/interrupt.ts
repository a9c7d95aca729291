/** Ctrl-C. */

const CODES = { SIGINT: 130, SIGTERM: 143 } as const;

export interface Signals {
  /** Aborted by the first SIGINT or SIGTERM. */
  readonly stop: AbortSignal;
  /** The exit code of the signal that came, if one did. */
  code(): number | undefined;
  /** Does what blocks the process for long: meanwhile a signal ends it at once, as signals do by themselves. */
  blocking<T>(act: () => T): T;
}

/** From now on the first SIGINT or SIGTERM asks for an early end; the next one ends the process at once. */
export function catchSignals(): Signals {
  const controller = new AbortController();
  let code: number | undefined;
  const hear = (signal: keyof typeof CODES): void => {
    if (code !== undefined) process.exit(CODES[signal]);
    code = CODES[signal];
    controller.abort();
  };
  const names = Object.keys(CODES) as (keyof typeof CODES)[];
  const listen = (): void => {
    for (const name of names) process.on(name, hear);
  };
  listen();
  return {
    stop: controller.signal,
    code: () => code,
    blocking(act) {
      for (const name of names) process.off(name, hear);
      const result = act();
      listen();
      return result;
    },
  };
}

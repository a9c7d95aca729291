/** What rules must not ask: chance that is not the door's, and the time. */
import { lineOf } from './telling.ts';

/** Something that was asked, and in which line of the author. */
export interface Unasked {
  readonly name: string;
  readonly line: string;
}

/** Puts something in the place of a function; returns what puts it back. */
function replaced<T extends object, K extends keyof T>(of: T, name: K, value: T[K]): () => void {
  const before = Object.getOwnPropertyDescriptor(of, name);
  Object.defineProperty(of, name, { value, configurable: true, writable: true });
  return () => {
    if (before === undefined) Reflect.deleteProperty(of, name);
    else Object.defineProperty(of, name, before);
  };
}

/** The clock, with somebody who notes when it is looked at. */
function watchedDate(note: (name: string) => void): DateConstructor {
  return new Proxy(Date, {
    get(target, name) {
      if (name === 'now') note('Date.now');
      return Reflect.get(target, name) as unknown;
    },
    construct(target, args: unknown[], made) {
      if (args.length === 0) note('new Date');
      return Reflect.construct(target, args, made) as object;
    },
  });
}

/** Does something, and notes what it asks of the surroundings: each name once. */
export function asking<T>(act: () => T): { readonly value: T; readonly asked: readonly Unasked[] } {
  const asked = new Map<string, Unasked>();
  const note = (name: string): void => {
    if (!asked.has(name)) asked.set(name, { name, line: lineOf(new Error(name)) });
  };
  const { random } = Math;
  const now = performance.now.bind(performance);
  const restores = [
    replaced(Math, 'random', () => {
      note('Math.random');
      return random();
    }),
    replaced(performance, 'now', () => {
      note('performance.now');
      return now();
    }),
    replaced(globalThis, 'Date', watchedDate(note)),
  ];
  try {
    return { value: act(), asked: [...asked.values()] };
  } finally {
    for (const restore of restores) restore();
  }
}

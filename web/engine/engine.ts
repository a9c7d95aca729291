/** All that the engine does: what the first answer needs, and the rest as soon as it is asked for. */
import { answer } from './answer.ts';
import { check } from './check.ts';
import type { later } from './later.ts';
import type { told } from './share.ts';
import { task } from './task.ts';

/** A file of its own: a page that shows nothing else needs nothing else. */
const share = {
  told: async (...given: Parameters<typeof told>) => (await import('./share.ts')).told(...given),
};

const first = { ...task, ...check, ...answer, ...share };

export type Engine = typeof first & typeof later;

type Work = (...given: unknown[]) => unknown;

/** A function of the rest, which is loaded when it is called. */
function laterOf(name: string): Work {
  return async (...given) => {
    const loaded: Readonly<Record<string, unknown>> = (await import('./later.ts')).later;
    const work = loaded[name];
    if (typeof work !== 'function') throw new TypeError(`the engine has no ${name}`);
    return (work as Work)(...given);
  };
}

export const engine: object = new Proxy(first, {
  get: (target, name) => (Object.hasOwn(target, name) ? Reflect.get(target, name) : laterOf(String(name))) as unknown,
});

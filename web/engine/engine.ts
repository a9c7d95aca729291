/** All that the engine does: what the first answer needs, and the rest as soon as it is asked for. */
import { SYSTEMS } from 'virtual:systems';
import { answer } from './answer.ts';
import { check } from './check.ts';
import type { later } from './later.ts';
import { loadFor, nameSystems } from './registry.ts';
import type { told } from './share.ts';
import { task } from './task.ts';

/** A file of its own: a page that shows nothing else needs nothing else. */
const share = {
  told: async (...given: Parameters<typeof told>) => (await import('./share.ts')).told(...given),
};

const first = { ...check, ...answer, ...share };

export type Engine = typeof task & typeof first & typeof later;

type Work = (...given: unknown[]) => unknown;

nameSystems(SYSTEMS);

/** What is given the text of a module, not of a scenario. */
const WITHOUT: ReadonlySet<string> = new Set(['openModule']);

/** A function of the first answer, or of the rest, which is loaded when it is called. */
async function workOf(name: string): Promise<Work> {
  const loaded: Readonly<Record<string, unknown>> = Object.hasOwn(first, name)
    ? first
    : (await import('./later.ts')).later;
  const work = loaded[name];
  if (typeof work !== 'function') throw new TypeError(`the engine has no ${name}`);
  return work as Work;
}

/** What is asked is given once the systems that its texts name are loaded. */
const asked =
  (name: string): Work =>
  async (...given) => {
    const [work] = await Promise.all([workOf(name), WITHOUT.has(name) ? undefined : loadFor(given)]);
    return work(...given);
  };

export const engine: object = new Proxy(task, {
  get: (target, name) => (Object.hasOwn(target, name) ? Reflect.get(target, name) : asked(String(name))) as unknown,
});

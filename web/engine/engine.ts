/** All that the engine does: what the first answer needs, and the rest as soon as it is asked for. */
import { SYSTEMS } from 'virtual:systems';
import { answer } from './answer.ts';
import type { deferredMethods } from './deferred.ts';
import { check } from './editing/check.ts';
import { loadReferencedSystems, setLoadableSystems } from './registry/registry.ts';
import type { createShareAnswer } from './share.ts';
import { task } from './task.ts';

/** A file of its own: a page that shows nothing else needs nothing else. */
const share = {
  createSharedAnswer: async (...given: Parameters<typeof createShareAnswer>) =>
    (await import('./share.ts')).createShareAnswer(...given),
};

const firstMethods = { ...check, ...answer, ...share };

export type EngineMethods = typeof task & typeof firstMethods & typeof deferredMethods;

type EngineMethod = (...given: unknown[]) => unknown;

setLoadableSystems(SYSTEMS);

/** What is given the text of a module, not of a scenario. */
const WITHOUT_SYSTEMS: ReadonlySet<string> = new Set(['openModule']);

/** A function of the first answer, or of the rest, which is loaded when it is called. */
async function loadMethod(name: string): Promise<EngineMethod> {
  const loaded: Readonly<Record<string, unknown>> = Object.hasOwn(firstMethods, name)
    ? firstMethods
    : (await import('./deferred.ts')).deferredMethods;
  const work = loaded[name];
  if (typeof work !== 'function') throw new TypeError(`the engine has no ${name}`);
  return work as EngineMethod;
}

/** What is asked is given once the systems that its texts name are loaded. */
const createMethod =
  (name: string): EngineMethod =>
  async (...given) => {
    const [work] = await Promise.all([
      loadMethod(name),
      WITHOUT_SYSTEMS.has(name) ? undefined : loadReferencedSystems(given),
    ]);
    return work(...given);
  };

export const engine: object = new Proxy(task, {
  get: (target, name) =>
    (Object.hasOwn(target, name) ? Reflect.get(target, name) : createMethod(String(name))) as unknown,
});

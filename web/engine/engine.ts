/** Methods of the engine: some for the first answer, and others that are loaded on demand. */
import { SYSTEMS } from 'virtual:systems';
import { answer } from './answer.ts';
import type { deferredMethods } from './deferred.ts';
import { check } from './editing/check.ts';
import { loadReferencedSystems, setLoadableSystems } from './registry/registry.ts';
import type { createShareAnswer } from './share.ts';
import { task } from './task.ts';

/** Separate file, because an embedded page needs only this. */
const share = {
  createSharedAnswer: async (...given: Parameters<typeof createShareAnswer>) =>
    (await import('./share.ts')).createShareAnswer(...given),
};

const firstMethods = { ...check, ...answer, ...share };

export type EngineMethods = typeof task & typeof firstMethods & typeof deferredMethods;

type EngineMethod = (...given: unknown[]) => unknown;

setLoadableSystems(SYSTEMS);

/** Methods that receive the text of a module instead of a scenario. */
const WITHOUT_SYSTEMS: ReadonlySet<string> = new Set(['openModule']);

/** Returns a method, loading the deferred ones if needed. */
async function loadMethod(name: string): Promise<EngineMethod> {
  const loaded: Readonly<Record<string, unknown>> = Object.hasOwn(firstMethods, name)
    ? firstMethods
    : (await import('./deferred.ts')).deferredMethods;
  const work = loaded[name];
  if (typeof work !== 'function') throw new TypeError(`the engine has no ${name}`);
  return work as EngineMethod;
}

/** Creates a method that runs after the systems that its arguments name are loaded. */
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

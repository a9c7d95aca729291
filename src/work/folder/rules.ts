/** The rules of a store: they are read, resumed and verified by those that it was made with, and no others. */
import { InputError } from '../../core/errors.ts';
import { SHIPPED } from '../../rules/index.ts';
import { portable } from '../../rules/opened.ts';
import type { Registry } from '../../rules/registry.ts';
import { isMapping } from '../../rules/scenario/problem.ts';
import type { Scenario } from '../../rules/system.ts';

/** Kernels that can play a scenario, or the cells of a sweep of it. */
export function kernelNames({ system }: Scenario): string[] {
  const shipped = SHIPPED.find(system);
  if (shipped === undefined) return ['automaton', 'rounds'];
  return [shipped.id, 'automaton', ...(shipped.compiles === undefined ? [] : ['rounds'])];
}

/**
 * Refuses a sweep, or a run, by rules that no thread could load, and of which a store could not say which they were.
 * @throws InputError if its system was given as a value
 */
export function checkStorable(scenario: Scenario, what: 'the' | 'the sweep’s'): void {
  if (portable(scenario) !== undefined) return;
  const expected = 'a system that is loaded from a file: --systems, or loadSystems of the library';
  throw new InputError(`${what} scenario system`, expected, `"${scenario.system}", which was given as a value`);
}

/** What is at hand in the place of the rules that a store was made with. */
function instead(system: string, registry: Registry): string {
  const module = registry.moduleOf(system);
  if (module === undefined)
    return SHIPPED.find(system) === undefined ? 'a system that was given as a value' : 'the shipped system';
  return `hash ${module.hash} of ${module.url}: other rules, which need a store of their own`;
}

/**
 * Refuses a manifest unless the rules that it was made with are at hand.
 * @param at   where its scenario stands: `sweep.scenario`
 * @param path of its file, for messages
 * @throws InputError if they are not
 */
export function checkRules(
  found: Readonly<Record<string, unknown>>,
  at: string,
  path: string,
  registry: Registry,
): void {
  const within = (value: unknown, name: string): unknown => (isMapping(value) ? value[name] : undefined);
  const system = `${at}.system`.split('.').reduce<unknown>(within, found);
  const hash = found['systemHash'];
  // What is no manifest at all is told by its schema.
  if (typeof system !== 'string' || (hash !== undefined && typeof hash !== 'string')) return;
  if (registry.find(system) === undefined) {
    if (hash === undefined) return;
    const expected = `the file of the system "${system}" that it was made with: --systems, or systems of the library`;
    throw new InputError(path, expected, `only ${registry.names.join(', ')}`);
  }
  if (registry.moduleOf(system)?.hash === hash) return;
  const due = hash === undefined ? `the shipped system "${system}"` : `the system "${system}" with hash ${hash}`;
  throw new InputError(path, `${due}, by which it was made`, instead(system, registry));
}

/** The shipped systems, which all functions use by default. */
import { checkList } from '../core/index.ts';
import { Registry } from './registry.ts';
import { systems } from './shipped.ts';
import type { KernelSystem, System } from './system.ts';

export { systems };

export const SHIPPED: Registry<KernelSystem> = new Registry(systems);

/** The systems that a scenario can name: a registry, or systems in addition to the shipped ones. */
export type SystemsLike = Registry | readonly System[];

/** @throws InputError if two systems have one name */
export function registryOf(given: SystemsLike | undefined): Registry {
  if (given === undefined) return SHIPPED;
  if (given instanceof Registry) return given;
  checkList('systems', 'a list of systems, or what loadSystems returns', given, 'object');
  return SHIPPED.with(given);
}

/** The shipped systems, which all functions use by default. */
import { checkList } from '../core/index.ts';
import { SystemRegistry } from './registry.ts';
import { type ScenarioInput, type ScenarioOfSystem, type ShippedScenarios, shippedSystems } from './shipped.ts';
import type { KernelSystem, System } from './system.ts';

export { type ScenarioInput, type ScenarioOfSystem, type ShippedScenarios, shippedSystems };

export const SHIPPED_REGISTRY: SystemRegistry<KernelSystem> = new SystemRegistry(shippedSystems);

/** Adds a shipped system where the list is empty at first: in bundles for browsers, and in the web app. */
export function registerSystem(system: KernelSystem): void {
  if (!shippedSystems.includes(system)) (shippedSystems as KernelSystem[]).push(system);
}

/** Systems that a scenario can use: a registry, or systems in addition to the shipped ones. */
export type SystemsLike = SystemRegistry | readonly System[];

/** @throws InputError if two systems have one name */
export function toRegistry(given: SystemsLike | undefined): SystemRegistry {
  if (given === undefined) return SHIPPED_REGISTRY;
  if (given instanceof SystemRegistry) return given;
  checkList('systems', 'a list of systems, or the result of loadSystems', given, 'object');
  return SHIPPED_REGISTRY.with(given);
}

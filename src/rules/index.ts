/** The systems that are shipped: one line per system. */
import { attrition } from './attrition/index.ts';
import { cubeBag } from './cube-bag/index.ts';
import { phasedDice } from './phased-dice/index.ts';
import { Registry } from './registry.ts';
import { strengthCards } from './strength-cards/index.ts';
import type { KernelSystem, System } from './system.ts';
import { tokenConflict } from './token-conflict/index.ts';

/** The systems of the package, each with a kernel. */
export const systems: readonly KernelSystem[] = [attrition, phasedDice, cubeBag, strengthCards, tokenConflict];

export const SHIPPED: Registry<KernelSystem> = new Registry(systems);

/** Systems that readers of scenarios know: a registry, or systems beside the shipped ones. */
export type SystemsLike = Registry | readonly System[];

/** @throws InputError if two systems have one name */
export function registryOf(given: SystemsLike | undefined): Registry {
  if (given === undefined) return SHIPPED;
  return given instanceof Registry ? given : SHIPPED.with(given);
}

/** The registry: one line per system. */

import { InputError } from '../errors.ts';
import { attrition } from './attrition/index.ts';
import { cubeBag } from './cube-bag/index.ts';
import { phasedDice } from './phased-dice/index.ts';
import { strengthCards } from './strength-cards/index.ts';
import type { System } from './system.ts';
import { tokenConflict } from './token-conflict/index.ts';

export const systems: readonly System[] = [attrition, phasedDice, cubeBag, strengthCards, tokenConflict];

/** The system of that name, if there is one. */
export function systemOf(id: string): System | undefined {
  return systems.find((system) => system.id === id);
}

/**
 * The system of that name.
 * @throws InputError if there is none
 */
export function requireSystem(id: string): System {
  const system = systemOf(id);
  if (system !== undefined) return system;
  throw new InputError('system', `one of ${systems.map((known) => known.id).join(', ')}`, `"${id}"`);
}

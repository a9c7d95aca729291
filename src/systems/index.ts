/** The registry: one line per system. */
import { attrition } from './attrition/index.ts';
import type { System } from './system.ts';

export const systems: readonly System[] = [attrition];

/** The system of that name, if there is one. */
export function systemOf(id: string): System | undefined {
  return systems.find((system) => system.id === id);
}

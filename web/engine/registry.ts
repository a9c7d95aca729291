/** The systems that scenarios can name: the shipped ones, and those of the user's own modules once they are loaded. */
import { SHIPPED } from '../../src/systems/index.ts';
import type { Registry } from '../../src/systems/registry.ts';

let known: Registry = SHIPPED;

export function registry(): Registry {
  return known;
}

export function setRegistry(systems: Registry): void {
  known = systems;
}

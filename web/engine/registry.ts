/** The systems that scenarios can name: the shipped ones, and those of the user's own modules once they are loaded. */

import { SHIPPED } from '../../src/rules/index.ts';
import type { Registry } from '../../src/rules/registry.ts';
import type { GivenOptions } from '../../src/tell/text/command.ts';

let known: Registry = SHIPPED;

export function registry(): Registry {
  return known;
}

export function setRegistry(systems: Registry): void {
  known = systems;
}

/** The file of a scenario as command lines name it, with the file of the module that its system may need. */
export function given(file: string): GivenOptions {
  const modules = known.modules.map(({ url }) => decodeURIComponent(url.slice('file:///'.length)));
  return modules.length === 0 ? { file } : { file, systems: modules };
}

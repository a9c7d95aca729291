/** The systems that there are, and what their scenarios can hold. */
import { type Entry, entryOf } from '../../src/tell/index.ts';
import { listed, registry } from './registry.ts';

/** What a choice of systems shows. */
export interface Listed {
  readonly id: string;
  readonly title: string;
  readonly about: string;
}

export const catalogue = {
  systemList(): Listed[] {
    return listed().map(({ id, title, about }) => ({ id, title, about }));
  },
  /** Fields, decisions, rules, results of a system. @throws InputError if there is no such system */
  entryOf(system: string): Entry {
    return entryOf(registry().system(system));
  },
};

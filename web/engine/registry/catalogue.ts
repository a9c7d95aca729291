/** The systems that there are, and what their scenarios can hold. */
import { createSystemEntry, type SystemEntry } from '../../../src/report/index.ts';
import { getRegistry, listSystems } from './registry.ts';

/** What a choice of systems shows. */
export interface SystemListing {
  readonly id: string;
  readonly title: string;
  readonly about: string;
}

export const catalogue = {
  systemList(): SystemListing[] {
    return listSystems().map(({ id, title, about }) => ({ id, title, about }));
  },
  /** Fields, decisions, rules, results of a system. @throws InputError if there is no such system */
  entryOf(system: string): SystemEntry {
    return createSystemEntry(getRegistry().system(system));
  },
};

/** Catalog of systems and their fields. */
import { createSystemEntry, type SystemEntry } from '../../../src/report/index.ts';
import { getRegistry, listSystems } from './registry.ts';

/** Entry of a list of systems. */
export interface SystemListing {
  readonly id: string;
  readonly title: string;
  readonly about: string;
}

export const catalogue = {
  systemList(): SystemListing[] {
    return listSystems().map(({ id, title, about }) => ({ id, title, about }));
  },
  /** Returns fields, decisions, rules and results of a system. @throws InputError if there is no such system */
  entryOf(system: string): SystemEntry {
    return createSystemEntry(getRegistry().system(system));
  },
};

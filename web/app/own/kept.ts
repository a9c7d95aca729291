/** Rules that are written here, kept in this browser as drafts of scenarios are. */
import { type Draft, draftsOf } from '../drafts.ts';

const KEY = 'warpool.rules';

/** The rules that were written last. */
export function keptRules(): Draft | undefined {
  try {
    return draftsOf(localStorage.getItem(KEY))[0];
  } catch {
    // Storage may be forbidden.
    return undefined;
  }
}

export function keepRules(draft: Draft | undefined): void {
  try {
    if (draft === undefined) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify([draft]));
  } catch {
    // Then they are not kept.
  }
}

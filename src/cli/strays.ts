/** Says what lies among the parts of a store and is left out. */
import { cleanText } from '../tell/text/clean.ts';
import { grouped } from '../tell/text/digits.ts';
import type { Store } from '../work/store/rows.ts';
import { say } from './terminal.ts';

/** Files that are named. */
const NAMED = 3;

/** Warns of files that are no parts of the store, which programs that read its folders would read as well. */
export function warnOf({ folder, strays = [] }: Store): void {
  if (strays.length === 0) return;
  const more = strays.length > NAMED ? ` and ${grouped(strays.length - NAMED)} more` : '';
  const names = strays.slice(0, NAMED).map(cleanText).join(', ');
  say(`${cleanText(folder)}: no part of the sweep, and left out: ${names}${more}`);
}

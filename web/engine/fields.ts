/** What the editor and the form ask: what can be typed, what a field is about, the form of a text, and changes of it. */
import { type Setting, settingsOf } from '../../src/tell/index.ts';
import { scenarioOf } from './check.ts';
import { completeAt, type Hint, hintAt, namesSystem, type Suggestions, startFor } from './complete.ts';
import { type Edit, edited } from './edit.ts';
import { type Form, formOf } from './form.ts';
import { type Front, frontOf } from './front.ts';
import { cleared, type Exchanged, emptyIn, exchanged, tonedFront } from './front-edits.ts';
import { loadNamed } from './registry.ts';

export const fields = {
  /** What can be typed at an offset of a text. */
  async complete(text: string, offset: number): Promise<Suggestions | undefined> {
    // Each with a scenario to begin with.
    if (namesSystem(text, offset)) await loadNamed();
    return completeAt(text, offset);
  },
  /** What the field at an offset is about. */
  hint(text: string, offset: number): Hint | undefined {
    return hintAt(text, offset);
  },
  form(text: string): Form {
    return formOf(text);
  },
  /** The sides of a text, what is counted of each, and the rules. */
  front(text: string): Front {
    return tonedFront(text);
  },
  /** The settings of a text, without numbers that the view of its sides shows. @throws InputError */
  settings(text: string): Setting[] {
    const counted = new Set(frontOf(text).sides.flatMap(({ counters }) => counters.map(({ place }) => place)));
    return settingsOf(scenarioOf(text)).filter(({ path }) => !counted.has(path));
  },
  /** The text with its two sides exchanged. @throws InputError where they cannot be */
  exchange(text: string): Exchanged {
    return exchanged(text);
  },
  /** The sides of a text that have no units yet. */
  empty(text: string): string[] {
    return emptyIn(text);
  },
  /** The text without units and settings, of one side or of all. @throws InputError where it cannot be */
  clear(text: string, side?: string): string {
    return cleared(text, side);
  },
  /** The text with one field changed. @throws InputError where it cannot be */
  edit(text: string, edit: Edit): string {
    return edited(text, edit);
  },
  /** The text with several fields changed, one after the other. @throws InputError where it cannot be */
  edits(text: string, edits: readonly Edit[]): string {
    return edits.reduce(edited, text);
  },
  /** The smallest scenario of a system. @throws TypeError if there is no such system */
  start(system: string): string {
    const found = startFor().find(({ id }) => id === system);
    if (found === undefined) throw new TypeError(`no system ${system}`);
    return found.text;
  },
};

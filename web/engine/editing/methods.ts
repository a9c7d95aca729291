/** What the editor and the form ask: what can be typed, what a field is about, the form of a text, and changes of it. */
import { listSettings, type ScenarioSetting } from '../../../src/report/index.ts';
import { loadSystemsById } from '../registry/registry.ts';
import { type ArmyForm, createArmyForm } from './army-form.ts';
import {
  clearUnits,
  createTonedArmyForm,
  type ExchangeResult,
  exchangeSides,
  listEmptySides,
} from './army-form-edits.ts';
import { parseScenarioText } from './check.ts';
import { canNameSystem, completeTextAt, createHint, type Hint, listStarters, type Suggestions } from './completion.ts';
import { applyEdit, type TextEdit } from './edit.ts';
import { createForm, type ScenarioForm } from './form.ts';

export const fields = {
  /** What can be typed at an offset of a text. */
  async complete(text: string, offset: number): Promise<Suggestions | undefined> {
    // Each with a scenario to begin with.
    if (canNameSystem(text, offset)) await loadSystemsById();
    return completeTextAt(text, offset);
  },
  /** What the field at an offset is about. */
  hint(text: string, offset: number): Hint | undefined {
    return createHint(text, offset);
  },
  form(text: string): ScenarioForm {
    return createForm(text);
  },
  /** The sides of a text, what is counted of each, and the rules. */
  getArmyForm(text: string): ArmyForm {
    return createTonedArmyForm(text);
  },
  /** The settings of a text, without numbers that the view of its sides shows. @throws InputError */
  settings(text: string): ScenarioSetting[] {
    const counted = new Set(createArmyForm(text).sides.flatMap(({ counters }) => counters.map(({ place }) => place)));
    return listSettings(parseScenarioText(text)).filter(({ path }) => !counted.has(path));
  },
  /** The text with its two sides exchanged. @throws InputError where they cannot be */
  exchange(text: string): ExchangeResult {
    return exchangeSides(text);
  },
  /** The sides of a text that have no units yet. */
  listEmptySides(text: string): string[] {
    return listEmptySides(text);
  },
  /** The text without units and settings, of one side or of all. @throws InputError where it cannot be */
  clear(text: string, side?: string): string {
    return clearUnits(text, side);
  },
  /** The text with one field changed. @throws InputError where it cannot be */
  edit(text: string, edit: TextEdit): string {
    return applyEdit(text, edit);
  },
  /** The text with several fields changed, one after the other. @throws InputError where it cannot be */
  edits(text: string, edits: readonly TextEdit[]): string {
    return edits.reduce(applyEdit, text);
  },
  /** The smallest scenario of a system. @throws TypeError if there is no such system */
  start(system: string): string {
    const found = listStarters().find(({ id }) => id === system);
    if (found === undefined) throw new TypeError(`no system ${system}`);
    return found.text;
  },
};

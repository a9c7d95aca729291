/** Methods of the engine for editor and forms. */
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
  /** Returns completions at an offset. */
  async complete(text: string, offset: number): Promise<Suggestions | undefined> {
    // Suggestions of systems have example scenarios.
    if (canNameSystem(text, offset)) await loadSystemsById();
    return completeTextAt(text, offset);
  },
  /** Returns the description of the field at an offset. */
  hint(text: string, offset: number): Hint | undefined {
    return createHint(text, offset);
  },
  form(text: string): ScenarioForm {
    return createForm(text);
  },
  /** Returns the sides of a text with their counters, and the rules. */
  getArmyForm(text: string): ArmyForm {
    return createTonedArmyForm(text);
  },
  /** Lists the settings of a text, without numbers that the units view shows. @throws InputError */
  settings(text: string): ScenarioSetting[] {
    const counted = new Set(createArmyForm(text).sides.flatMap(({ counters }) => counters.map(({ place }) => place)));
    return listSettings(parseScenarioText(text)).filter(({ path }) => !counted.has(path));
  },
  /** Swaps the two sides of a text. @throws InputError if impossible */
  exchange(text: string): ExchangeResult {
    return exchangeSides(text);
  },
  /** Lists the sides without units. */
  listEmptySides(text: string): string[] {
    return listEmptySides(text);
  },
  /** Removes units and settings, of one side or of all. @throws InputError if impossible */
  clear(text: string, side?: string): string {
    return clearUnits(text, side);
  },
  /** Applies an edit to a text. @throws InputError if impossible */
  edit(text: string, edit: TextEdit): string {
    return applyEdit(text, edit);
  },
  /** Applies several edits in order. @throws InputError if impossible */
  edits(text: string, edits: readonly TextEdit[]): string {
    return edits.reduce(applyEdit, text);
  },
  /** Returns the smallest example of a system. @throws TypeError if there is no such system */
  start(system: string): string {
    const found = listStarters().find(({ id }) => id === system);
    if (found === undefined) throw new TypeError(`no system ${system}`);
    return found.text;
  },
};

/** Fields of the scenario that can be changed. */
import { batch, effect, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { engineRestarts, perform } from '../../engine/client.ts';
import type { NumberField, Settable } from '../../engine/editing/settable.ts';
import { createNumberParser, readText } from '../parts/text-parsers.ts';
import { checkedText, validScenario } from '../state.ts';

/** Fields of the last valid scenario. */
const settableFields = signal<readonly Settable[]>([]);

let loadedText = '';

/** Number of engine restarts when they were loaded. */
let loadedRestarts = 0;

/** Scenario text of the fields. */
const fieldsText = signal('');

async function loadFields(text: string): Promise<void> {
  try {
    const found = await perform((engine) => engine.settable(text));
    if (loadedText === text) batch(() => ([settableFields.value, fieldsText.value] = [found, text]));
  } catch {
    // The editor shows the error; the next change or engine loads them again.
    loadedText = '';
  }
}

/** Returns the fields and keeps them up to date while a panel is shown. */
export function useFields(): readonly Settable[] {
  useEffect(
    () =>
      effect(() => {
        const text = validScenario.value === undefined ? '' : checkedText.value;
        // A request to an ended engine is lost: ask the new one.
        if (engineRestarts.value !== loadedRestarts) loadedText = '';
        loadedRestarts = engineRestarts.value;
        if (text === '' || text === loadedText) return;
        loadedText = text;
        void loadFields(text);
      }),
    [],
  );
  return settableFields.value;
}

/** Returns whether the fields belong to the shown, valid text. */
export const hasFields = (): boolean => validScenario.value !== undefined && fieldsText.value === checkedText.value;

export const isNumberField = (field: Settable): field is NumberField => field.kind === 'number';

/** Formats the accepted values: `an integer 1..100000`, `a number, 0 or more`, `one of a, b`. */
export function formatFieldRange(field: Settable): string {
  if (field.kind === 'word') return `one of ${field.words.map(String).join(', ')}`;
  const { integer, min, max } = field;
  const kind = integer ? 'an integer' : 'a number';
  if (min !== undefined && max !== undefined) return `${kind} ${String(min)}..${String(max)}`;
  return min === undefined ? kind : `${kind}, ${String(min)} or more`;
}

/** Parses the value of a field; undefined if it is invalid. */
export function parseFieldValue(field: Settable, text: string): number | string | boolean | undefined {
  if (field.kind === 'word') return field.words.find((word) => String(word) === text);
  const { integer, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = field;
  return readText(createNumberParser(min, max, '', integer), text);
}

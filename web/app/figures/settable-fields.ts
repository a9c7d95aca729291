/** The fields that can be changed of the scenario that is shown. */
import { batch, effect, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { engineRestarts, perform } from '../../engine/client.ts';
import type { NumberField, Settable } from '../../engine/editing/settable.ts';
import { createNumberParser, readText } from '../parts/text-parsers.ts';
import { checkedText, validScenario } from '../state.ts';

/** Those of the last scenario that was in order. */
const settableFields = signal<readonly Settable[]>([]);

let loadedText = '';

/** After which start of the engine. */
let loadedRestarts = 0;

/** The text that they are of. */
const fieldsText = signal('');

async function loadFields(text: string): Promise<void> {
  try {
    const found = await perform((engine) => engine.settable(text));
    if (loadedText === text) batch(() => ([settableFields.value, fieldsText.value] = [found, text]));
  } catch {
    // Told by the editor; asked again with the next change, and of the next engine.
    loadedText = '';
  }
}

/** Keeps them up to date while a panel is shown. */
export function useFields(): readonly Settable[] {
  useEffect(
    () =>
      effect(() => {
        const text = validScenario.value === undefined ? '' : checkedText.value;
        // An engine that has ended has taken the question along: another one is asked anew.
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

/** Whether they are those of the text that is shown, which is in order. */
export const hasFields = (): boolean => validScenario.value !== undefined && fieldsText.value === checkedText.value;

export const isNumberField = (field: Settable): field is NumberField => field.kind === 'number';

/** `1..100000`, `0 or more`, `one of a, b`. */
export function formatFieldRange(field: Settable): string {
  if (field.kind === 'word') return `one of ${field.words.map(String).join(', ')}`;
  const { integer, min, max } = field;
  const kind = integer ? 'an integer' : 'a number';
  if (min !== undefined && max !== undefined) return `${kind} ${String(min)}..${String(max)}`;
  return min === undefined ? kind : `${kind}, ${String(min)} or more`;
}

/** What a text means as the value of a field; undefined if nothing. */
export function parseFieldValue(field: Settable, text: string): number | string | boolean | undefined {
  if (field.kind === 'word') return field.words.find((word) => String(word) === text);
  const { integer, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = field;
  return readText(createNumberParser(min, max, '', integer), text);
}

/** The fields that can be changed of the scenario that is shown. */
import { batch, effect, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { engineRestarts, perform } from '../../engine/client.ts';
import type { NumberField, Settable } from '../../engine/settable.ts';
import { numberIn, read } from '../parts/typed.ts';
import { checkedText, good } from '../state.ts';

/** Those of the last scenario that was in order. */
const fields = signal<readonly Settable[]>([]);

let known = '';

/** After which start of the engine. */
let asked = 0;

/** The text that they are of. */
const of = signal('');

async function look(text: string): Promise<void> {
  try {
    const found = await perform((engine) => engine.settable(text));
    if (known === text) batch(() => ([fields.value, of.value] = [found, text]));
  } catch {
    // Told by the editor; asked again with the next change, and of the next engine.
    known = '';
  }
}

/** Keeps them up to date while a panel is shown. */
export function useFields(): readonly Settable[] {
  useEffect(
    () =>
      effect(() => {
        const text = good.value === undefined ? '' : checkedText.value;
        // An engine that has ended has taken the question along: another one is asked anew.
        if (engineRestarts.value !== asked) known = '';
        asked = engineRestarts.value;
        if (text === '' || text === known) return;
        known = text;
        void look(text);
      }),
    [],
  );
  return fields.value;
}

/** Whether they are those of the text that is shown, which is in order. */
export const hasFields = (): boolean => good.value !== undefined && of.value === checkedText.value;

export const isNumber = (field: Settable): field is NumberField => field.kind === 'number';

/** `1..100000`, `0 or more`, `one of a, b`. */
export function rangeOf(field: Settable): string {
  if (field.kind === 'word') return `one of ${field.words.map(String).join(', ')}`;
  const { integer, min, max } = field;
  const kind = integer ? 'an integer' : 'a number';
  if (min !== undefined && max !== undefined) return `${kind} ${String(min)}..${String(max)}`;
  return min === undefined ? kind : `${kind}, ${String(min)} or more`;
}

/** What a text means as the value of a field; undefined if nothing. */
export function meantBy(field: Settable, text: string): number | string | boolean | undefined {
  if (field.kind === 'word') return field.words.find((word) => String(word) === text);
  const { integer, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = field;
  return read(numberIn(min, max, '', integer), text);
}

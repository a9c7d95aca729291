/** The front of the text that is shown, and its counters, which show at once what they are set to. */
import { batch, effect, signal } from '@preact/signals';
import { engineRestarts, perform } from '../../engine/client.ts';
import type { Edit } from '../../engine/edit.ts';
import type { Counter, Front } from '../../engine/front.ts';
import type { Afar } from '../../engine/live.ts';
import { inquire } from '../inquire.ts';
import { openings, text } from '../state.ts';

export const front = signal<Front | undefined>(undefined);

/** Why the last change was not made. */
export const refused = signal<unknown>(undefined);

/** Counters that the text does not say yet, by their places. */
const ahead = signal<ReadonlyMap<string, number>>(new Map());

/** Types that were counted down to none: their tiles stay, so that a second tap on minus hits no other button. */
const emptied = signal<ReadonlySet<string>>(new Set());

/** What is to be written: of a counter that is stepped on and on, the last. */
const edits = new Map<string, Edit>();

export const shownOf = ({ place, value }: Counter): number => ahead.value.get(place) ?? value;

/** Whether a type has a tile: there are some of it, or there were until they were counted down. */
export const hasTile = (counter: Counter): boolean => shownOf(counter) > 0 || emptied.value.has(counter.place);

function take(found: Front): void {
  batch(() => {
    front.value = found;
    if (edits.size === 0 && !writing) ahead.value = new Map();
  });
}

/** Begins to keep the front the same as the text. */
export function watchFront(): () => void {
  let opening = -1;
  return effect(() => {
    // Another engine may know other systems.
    const [content] = [text.value, engineRestarts.value];
    if (opening !== openings.value) emptied.value = new Set();
    opening = openings.value;
    return inquire((engine) => engine.front(content), take);
  });
}

let writing = false;

/** Has the engine change the text, as it is now: something else may have changed it in the meantime. */
async function changed(change: (engine: Afar, text: string) => Promise<string>): Promise<void> {
  const before = text.peek();
  const after = await perform((engine) => change(engine, before));
  if (text.peek() !== before) await changed(change);
  else text.value = after;
}

async function write(): Promise<void> {
  if (writing) return;
  writing = true;
  try {
    while (edits.size > 0) {
      const now = [...edits.values()];
      edits.clear();
      await changed((engine, content) => engine.edits(content, now));
    }
  } catch (error) {
    batch(() => {
      refused.value = error;
      ahead.value = new Map();
    });
  } finally {
    writing = false;
  }
}

/** Sets a counter; a type of unit of which there are none is left out. */
export function count(counter: Counter, value: number): void {
  const { place, path, kind } = counter;
  if (value === shownOf(counter)) return;
  refused.value = undefined;
  ahead.value = new Map(ahead.peek()).set(place, value);
  const gone = kind === 'type' && value === 0;
  if (gone) emptied.value = new Set(emptied.peek()).add(place);
  edits.set(place, gone ? { kind: 'remove', path } : { kind: 'set', path, value });
  void write();
}

/** Changes a list, or whole sides, once counters are written. */
export async function alter(change: (engine: Afar, text: string) => Promise<string>): Promise<void> {
  refused.value = undefined;
  emptied.value = new Set();
  try {
    await changed(change);
  } catch (error) {
    refused.value = error;
  }
}

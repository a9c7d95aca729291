/** Form of the units of the shown text; counters show new values at once. */
import { batch, effect, signal } from '@preact/signals';
import { engineRestarts, perform } from '../../engine/client.ts';
import type { ArmyCounter, ArmyForm } from '../../engine/editing/army-form.ts';
import type { TextEdit } from '../../engine/editing/edit.ts';
import type { EngineProxy } from '../../engine/live.ts';
import { inquire } from '../inquire.ts';
import { openingCount, text } from '../state.ts';

export const armyForm = signal<ArmyForm | undefined>(undefined);

/** Error of the last change. */
export const changeError = signal<unknown>(undefined);

/** New values of counters that are not in the text yet, by place. */
const pendingCounts = signal<ReadonlyMap<string, number>>(new Map());

/** Types that were reduced to 0: their tiles stay, so that a second tap on minus hits no other button. */
const emptiedTypes = signal<ReadonlySet<string>>(new Set());

/** Pending edits: the last one of each counter. */
const pendingEdits = new Map<string, TextEdit>();

export const getShownValue = ({ place, value }: ArmyCounter): number => pendingCounts.value.get(place) ?? value;

/** Returns whether a type has a tile: its count is positive, or was until it was reduced to 0. */
export const hasTile = (counter: ArmyCounter): boolean =>
  getShownValue(counter) > 0 || emptiedTypes.value.has(counter.place);

function take(found: ArmyForm): void {
  batch(() => {
    armyForm.value = found;
    if (pendingEdits.size === 0 && !isWriting) pendingCounts.value = new Map();
  });
}

/** Starts to update the form with the text. */
export function watchArmyForm(): () => void {
  let opening = -1;
  return effect(() => {
    // A restarted engine may have other systems.
    const [content] = [text.value, engineRestarts.value];
    if (opening !== openingCount.value) emptiedTypes.value = new Set();
    opening = openingCount.value;
    return inquire((engine) => engine.getArmyForm(content), take);
  });
}

let isWriting = false;

/** Changes the current text in the engine, again if it has changed in the meantime. */
async function changeText(change: (engine: EngineProxy, text: string) => Promise<string>): Promise<void> {
  const before = text.peek();
  const after = await perform((engine) => change(engine, before));
  if (text.peek() !== before) await changeText(change);
  else text.value = after;
}

async function writeCounts(): Promise<void> {
  if (isWriting) return;
  isWriting = true;
  try {
    while (pendingEdits.size > 0) {
      const now = [...pendingEdits.values()];
      pendingEdits.clear();
      await changeText((engine, content) => engine.edits(content, now));
    }
  } catch (error) {
    batch(() => {
      changeError.value = error;
      pendingCounts.value = new Map();
    });
  } finally {
    isWriting = false;
  }
}

/** Sets a counter; a type with count 0 is removed. */
export function setCount(counter: ArmyCounter, value: number): void {
  const { place, path, kind } = counter;
  if (value === getShownValue(counter)) return;
  changeError.value = undefined;
  pendingCounts.value = new Map(pendingCounts.peek()).set(place, value);
  const gone = kind === 'type' && value === 0;
  if (gone) emptiedTypes.value = new Set(emptiedTypes.peek()).add(place);
  pendingEdits.set(place, gone ? { kind: 'remove', path } : { kind: 'set', path, value });
  void writeCounts();
}

/** Changes a list or whole sides. */
export async function changeSides(change: (engine: EngineProxy, text: string) => Promise<string>): Promise<void> {
  changeError.value = undefined;
  emptiedTypes.value = new Set();
  try {
    await changeText(change);
  } catch (error) {
    changeError.value = error;
  }
}

/** The battle that is told: which it is, its story, and the step that is shown. Two panels show it. */
import { effect, signal } from '@preact/signals';
import { MAX_BATTLES } from '../../../src/core/index.ts';
import type { Tale } from '../../engine/battle.ts';
import { engineState, perform, Stopped } from '../../engine/client.ts';
import { asked, checkedText, file, good, panel, seed } from '../state.ts';

/** A number of a battle; undefined if it is none. */
export function battleOf(value: unknown): number | undefined {
  const whole = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value < MAX_BATTLES;
  return whole ? value : undefined;
}

/** Its index in the run. */
export const number = asked('battle', 0, battleOf);

/** The step that is shown, from 0. */
const step = asked('battle.step', 0, battleOf);

export const tale = signal<Tale | undefined>(undefined);
/** The text of its scenario. */
export const taleOf = signal('');
export const fault = signal<unknown>(undefined);

/** Panels that tell it. */
const TELLING = new Set(['battle', 'optimal']);

/** What is told, or is about to be. */
let wanted = '';

async function tell(text: string, signal: AbortSignal): Promise<void> {
  const which = { text, file: file.peek(), seed: seed.value, battle: number.value };
  try {
    const found = await perform((engine) => engine.tell(which), signal);
    tale.value = found;
    taleOf.value = text;
    fault.value = undefined;
  } catch (error) {
    if (error instanceof Stopped) return;
    wanted = '';
    tale.value = undefined;
    fault.value = error;
  }
}

/** Begins to tell the battle whenever it is another. */
export function watchBattle(): () => void {
  return effect(() => {
    if (!TELLING.has(panel.value) || good.value === undefined || engineState.value === 'dead') return;
    const key = JSON.stringify([checkedText.value, seed.value, number.value]);
    if (key === wanted) return;
    wanted = key;
    current.abort();
    current = new AbortController();
    void tell(checkedText.value, current.signal);
  });
}

let current = new AbortController();

/** Another battle, from its beginning. */
export function choose(battle: number): void {
  const meant = battleOf(battle);
  if (meant === undefined) return;
  step.value = 0;
  number.value = meant;
}

/** The last step of the story. */
export const lastStep = (): number => Math.max(0, (tale.value?.steps.length ?? 0) - 1);

/** The step that is shown: links can name one that there is not. */
export const shownStep = (): number => Math.min(step.value, lastStep());

export function goTo(to: number): void {
  step.value = Math.min(lastStep(), Math.max(0, to));
}

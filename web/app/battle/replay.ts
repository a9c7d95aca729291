/** The battle that is told: which it is, its story, and the step that is shown. Two panels show it. */
import { effect, signal } from '@preact/signals';
import { MAX_BATTLES } from '../../../src/core/index.ts';
import { engineState, perform, WorkStopped } from '../../engine/client.ts';
import type { ReplayView } from '../../engine/studies/battle.ts';
import { checkedText, createNoteSignal, file, panel, seed, validScenario } from '../state.ts';

/** A number of a battle; undefined if it is none. */
export function parseBattleIndex(value: unknown): number | undefined {
  const whole = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value < MAX_BATTLES;
  return whole ? value : undefined;
}

/** Its index in the run. */
export const battleIndex = createNoteSignal('battle', 0, parseBattleIndex);

/** The step that is shown, from 0. */
const stepIndex = createNoteSignal('battle.step', 0, parseBattleIndex);

export const replay = signal<ReplayView | undefined>(undefined);
/** The text of its scenario. */
export const replayedText = signal('');
export const replayFault = signal<unknown>(undefined);

/** Panels that tell it. */
const REPLAY_PANELS = new Set(['battle', 'best-response']);

/** What is told, or is about to be. */
let requestedKey = '';

async function loadReplay(text: string, signal: AbortSignal): Promise<void> {
  const which = { text, file: file.peek(), seed: seed.value, battle: battleIndex.value };
  try {
    const found = await perform((engine) => engine.getReplay(which), signal);
    replay.value = found;
    replayedText.value = text;
    replayFault.value = undefined;
  } catch (error) {
    if (error instanceof WorkStopped) return;
    requestedKey = '';
    replay.value = undefined;
    replayFault.value = error;
  }
}

/** Begins to tell the battle whenever it is another. */
export function watchBattle(): () => void {
  return effect(() => {
    if (!REPLAY_PANELS.has(panel.value) || validScenario.value === undefined || engineState.value === 'dead') return;
    const key = JSON.stringify([checkedText.value, seed.value, battleIndex.value]);
    if (key === requestedKey) return;
    requestedKey = key;
    current.abort();
    current = new AbortController();
    void loadReplay(checkedText.value, current.signal);
  });
}

let current = new AbortController();

/** Another battle, from its beginning. */
export function chooseBattle(battle: number): void {
  const meant = parseBattleIndex(battle);
  if (meant === undefined) return;
  stepIndex.value = 0;
  battleIndex.value = meant;
}

/** The last step of the story. */
export const getLastStep = (): number => Math.max(0, (replay.value?.steps.length ?? 0) - 1);

/** The step that is shown: links can name one that there is not. */
export const getShownStep = (): number => Math.min(stepIndex.value, getLastStep());

export function goToStep(to: number): void {
  stepIndex.value = Math.min(getLastStep(), Math.max(0, to));
}

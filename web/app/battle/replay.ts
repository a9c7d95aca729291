/** State of the replay that two panels share: battle, steps, current step. */
import { effect, signal } from '@preact/signals';
import { MAX_BATTLES } from '../../../src/core/index.ts';
import { engineState, perform, WorkStopped } from '../../engine/client.ts';
import type { ReplayView } from '../../engine/studies/battle.ts';
import { checkedText, createNoteSignal, file, panel, seed, validScenario } from '../state.ts';

/** Parses a battle index; undefined if it is invalid. */
export function parseBattleIndex(value: unknown): number | undefined {
  const whole = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value < MAX_BATTLES;
  return whole ? value : undefined;
}

/** Index of the battle in the run. */
export const battleIndex = createNoteSignal('battle', 0, parseBattleIndex);

/** Index of the current step, from 0. */
const stepIndex = createNoteSignal('battle.step', 0, parseBattleIndex);

export const replay = signal<ReplayView | undefined>(undefined);
/** Scenario text of the replay. */
export const replayedText = signal('');
export const replayFault = signal<unknown>(undefined);

/** Panels that show the replay. */
const REPLAY_PANELS = new Set(['battle', 'best-response']);

/** Key of the replay that is loaded or requested. */
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

/** Starts to load the replay whenever the battle changes. */
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

/** Selects a battle and its first step. */
export function chooseBattle(battle: number): void {
  const meant = parseBattleIndex(battle);
  if (meant === undefined) return;
  stepIndex.value = 0;
  battleIndex.value = meant;
}

/** Returns the index of the last step. */
export const getLastStep = (): number => Math.max(0, (replay.value?.steps.length ?? 0) - 1);

/** Returns the index of the current step; a link may contain one that is too large. */
export const getShownStep = (): number => Math.min(stepIndex.value, getLastStep());

export function goToStep(to: number): void {
  stepIndex.value = Math.min(getLastStep(), Math.max(0, to));
}

/** The battle that somebody asks whether it was luck: links hold it. */

import { signal } from '@preact/signals';
import { isMapping } from '../../../src/rules/index.ts';
import type { ReplayView } from '../../engine/studies/battle.ts';
import { createNoteSignal, panel } from '../state.ts';

/** How it ended; without an outcome as most do. */
export interface EndedBattle {
  readonly outcome: string;
  /** Of the metric that is asked for with the outcome. */
  readonly value?: number | undefined;
}

/** Joined outcomes of many areas are long. */
const MAX_OUTCOME_LENGTH = 1000;

function parseEndedBattle(raw: unknown): EndedBattle | undefined {
  if (!isMapping(raw)) return undefined;
  const { outcome, value } = raw;
  if (typeof outcome !== 'string' || outcome.length > MAX_OUTCOME_LENGTH) return undefined;
  return typeof value === 'number' && Number.isFinite(value) ? { outcome, value } : { outcome };
}

const COMMONEST: EndedBattle = { outcome: '' };

export const endedBattleNote = createNoteSignal<EndedBattle>('answer.luck', COMMONEST, parseEndedBattle);

/** All metrics of a battle that was told, by name. */
export const replayedMetrics = signal<Readonly<Record<string, number>> | undefined>(undefined);

/** Whether the section is open; it stays so while other panels are shown. */
export const isLuckOpen = signal(false);

/** Asks it of a battle that was told. @param metrics as they are shown, thousands in groups */
export function openLuck(outcome: string, metrics: ReplayView['metrics']): void {
  replayedMetrics.value = Object.fromEntries(
    metrics.map(([name, value]) => [name, Number(value.replaceAll(/\s/g, ''))]),
  );
  endedBattleNote.value = { outcome };
  isLuckOpen.value = true;
  panel.value = 'answer';
}

/** Result whose luck is rated; links contain it. */

import { signal } from '@preact/signals';
import { isMapping } from '../../../src/rules/index.ts';
import type { ReplayView } from '../../engine/studies/battle.ts';
import { createNoteSignal, panel } from '../state.ts';

/** Result of a battle; an empty outcome is the most frequent one. */
export interface EndedBattle {
  readonly outcome: string;
  /** Value of the metric that belongs to the outcome. */
  readonly value?: number | undefined;
}

/** Maximum length of an outcome: joined outcomes of many areas are long. */
const MAX_OUTCOME_LENGTH = 1000;

function parseEndedBattle(raw: unknown): EndedBattle | undefined {
  if (!isMapping(raw)) return undefined;
  const { outcome, value } = raw;
  if (typeof outcome !== 'string' || outcome.length > MAX_OUTCOME_LENGTH) return undefined;
  return typeof value === 'number' && Number.isFinite(value) ? { outcome, value } : { outcome };
}

const COMMONEST: EndedBattle = { outcome: '' };

export const endedBattleNote = createNoteSignal<EndedBattle>('answer.luck', COMMONEST, parseEndedBattle);

/** Metrics of the replayed battle, by name. */
export const replayedMetrics = signal<Readonly<Record<string, number>> | undefined>(undefined);

/** True if the section is open; kept while other panels are shown. */
export const isLuckOpen = signal(false);

/** Rates the luck of a replayed battle. @param metrics formatted values, with grouped thousands */
export function openLuck(outcome: string, metrics: ReplayView['metrics']): void {
  replayedMetrics.value = Object.fromEntries(
    metrics.map(([name, value]) => [name, Number(value.replaceAll(/\s/g, ''))]),
  );
  endedBattleNote.value = { outcome };
  isLuckOpen.value = true;
  panel.value = 'answer';
}

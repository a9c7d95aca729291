/** The battle that somebody asks whether it was luck: links hold it. */

import { signal } from '@preact/signals';
import { isMapping } from '../../../src/rules/index.ts';
import type { Tale } from '../../engine/battle.ts';
import { asked, panel } from '../state.ts';

/** How it ended; without an outcome as most do. */
export interface EndedBattle {
  readonly outcome: string;
  /** Of the metric that is asked for with the outcome. */
  readonly value?: number | undefined;
}

/** Joined outcomes of many areas are long. */
const LONGEST = 1000;

function endedOf(raw: unknown): EndedBattle | undefined {
  if (!isMapping(raw)) return undefined;
  const { outcome, value } = raw;
  if (typeof outcome !== 'string' || outcome.length > LONGEST) return undefined;
  return typeof value === 'number' && Number.isFinite(value) ? { outcome, value } : { outcome };
}

const COMMONEST: EndedBattle = { outcome: '' };

export const ended = asked<EndedBattle>('answer.luck', COMMONEST, endedOf);

/** All metrics of a battle that was told, by name. */
export const endedBattle = signal<Readonly<Record<string, number>> | undefined>(undefined);

/** Whether the section is open; it stays so while other panels are shown. */
export const luckOpen = signal(false);

/** Asks it of a battle that was told. @param metrics as they are shown, thousands in groups */
export function askLuck(outcome: string, metrics: Tale['metrics']): void {
  endedBattle.value = Object.fromEntries(metrics.map(([name, value]) => [name, Number(value.replaceAll(/\s/g, ''))]));
  ended.value = { outcome };
  luckOpen.value = true;
  panel.value = 'answer';
}

/** Calls of custom rules, and the messages about calls that do not end. */
import { RunError } from '../errors.ts';

/** Kinds of calls. */
export const CALLS = ['load', 'check', 'battle', 'start', 'step', 'outcome', 'measure', 'key', 'environment'] as const;

export type RulesCallKind = (typeof CALLS)[number];

/** A pending call. */
export interface RulesCall {
  readonly kind: RulesCallKind;
  /** The system, or the module that is being loaded, by its name in messages. */
  readonly owner: string;
  /** For a step: its round, and its phase, from 0 on. */
  readonly round: number;
  readonly phase: number;
  /** Duration so far. */
  readonly seconds: number;
}

const CALL_NAMES: Readonly<Record<Exclude<RulesCallKind, 'step'>, string>> = {
  load: 'loading the module',
  check: 'check',
  battle: 'battle',
  start: 'start',
  outcome: 'outcome',
  measure: 'measuring a battle',
  key: 'key',
  environment: 'environment',
};

/** Formats `phase 2 of round 14 did not end within 30 s`. */
export function describeCall({ kind, round, phase, seconds }: RulesCall): string {
  const what = kind === 'step' ? `phase ${String(phase + 1)} of round ${String(round)}` : CALL_NAMES[kind];
  return `${what} did not end within ${String(seconds)} s`;
}

/** A call of custom rules exceeded its time limit, and its thread was terminated. */
export class RulesTimeoutError extends RunError {
  constructor(call: RulesCall) {
    super(`${call.owner}: ${describeCall(call)}; does every loop in it end?`);
  }
}

/**
 * Whether rules of users are what everything here takes them for, looked at in a few battles by the rules as written: each
 * ends the same when it is played again, and those who play faster, or solve, come to the same.
 */

import {
  contradiction,
  countBattle,
  emptyTally,
  type Summary,
  summarise,
  toldContradiction,
} from '../../answers/index.ts';
import { Sampled, Stream } from '../../core/index.ts';
import { type Around, type BattleResult, doubt, type Opened, toldRules, watch } from '../../rules/index.ts';
import { EndingsKernel } from '../kernel/endings.ts';
import type { AutomatonSetup } from './run.ts';
import { Met } from './same-key.ts';

/** Always the same battles: what is found depends on the scenario alone. */
const SEED = 1n;

const BATTLES = 100;

/** Steps that the battles may take, as a part of what is proved; and at least and at most. */
const ROOM = { part: 1 / 8, least: 200, most: 5000 };

/**
 * A false alarm has this probability for each outcome: the battles are the same at every time, so it would stay, and a sweep
 * may have millions of scenarios.
 */
const ALARM = 1e-15;

interface Played extends BattleResult {
  readonly battle: number;
}

/** @param met notes the states that the battle comes to */
function playedBy(
  open: Opened,
  battle: number,
  room: number,
  met?: Met,
): { result: BattleResult | undefined; steps: number } {
  const around: Around = (_, act) => {
    const state = act();
    met?.note(state);
    return state;
  };
  try {
    return watch(open.model, new Sampled(Stream.of(SEED, battle)), room, around);
  } catch (error) {
    throw toldRules(error, open, ` in battle ${String(battle)} of seed ${String(SEED)}`);
  }
}

function told({ shape }: Opened, { outcome, metrics }: BattleResult): string {
  const values = shape.metrics.map(({ name }, m) => `${name} ${String(metrics[m])}`);
  return `${shape.outcomes[outcome] ?? ''} with ${values.join(', ')}`;
}

/** @throws RulesError unless both are the same */
function same(open: Opened, battle: number, one: BattleResult, other: BattleResult, how: string): void {
  const [first, second] = [told(open, one), told(open, other)];
  if (first === second) return;
  const which = `battle ${String(battle)} of seed ${String(SEED)}`;
  throw doubt(open, `${which} ends as ${first} by the rules; ${how} it ends as ${second}`);
}

/**
 * Battles from 0 on by the rules as written, played once more from the last to the first.
 * @param worth steps that were or will be taken otherwise
 * @param met   notes the states that they come to
 * @throws RulesError if one of them ends in another way
 */
function repeated(open: Opened, worth: number, met?: Met): Played[] {
  let room = Math.min(ROOM.most, Math.max(ROOM.least, worth * ROOM.part));
  const battles: Played[] = [];
  for (let battle = 0; battle < BATTLES && room > 0; battle++) {
    const { result, steps } = playedBy(open, battle, room, met);
    room -= steps + 1;
    if (result !== undefined) battles.push({ battle, ...result });
  }
  for (const first of battles.toReversed()) {
    const { result } = playedBy(open, first.battle, ROOM.most);
    if (result !== undefined) same(open, first.battle, first, result, 'played again');
  }
  return battles;
}

/**
 * Proves the rules of a user that are about to be played as written.
 * @param battles how many will be
 * @throws RulesError if a battle ends in another way when it is played again
 */
export function proveRules(open: Opened, battles: number): void {
  if (open.isOwn) repeated(open, battles);
}

/**
 * Proves an automaton that rules of a user were compiled to.
 * @throws RulesError unless it plays battles as the rules do
 */
export function proveAutomaton(open: Opened, { module, shape, endings, code, rounds }: AutomatonSetup): void {
  if (!open.isOwn) return;
  const battles = repeated(open, ROOM.most / ROOM.part);
  const kernel = EndingsKernel.compiled(module, shape, endings, code, rounds);
  try {
    for (const played of battles)
      same(open, played.battle, played, kernel.play(SEED, played.battle), 'compiled, by states of one key as one,');
  } finally {
    kernel.close();
  }
}

/** By so much probabilities may miss 1 in all. */
const ROUNDING = 1e-9;

/**
 * Every answer is a law, whoever asks for it.
 * @param outcomes their probabilities
 * @param lost     what battles that were not followed to their end may have besides
 * @throws RulesError, or RunError if the system is shipped, if this is none
 */
export function checkLaw(open: Opened, outcomes: ArrayLike<number>, lost = 0): void {
  const shares = Array.from(outcomes);
  const total = shares.reduce((sum, p) => sum + p, lost);
  if (shares.every((p) => p >= 0 && p <= 1 + ROUNDING) && Math.abs(total - 1) <= ROUNDING) return;
  const sum = Number((100 * total).toPrecision(6));
  throw doubt(open, `the probabilities of all outcomes are ${String(sum)} % together, not 100 %`);
}

/**
 * Proves the exact law that rules of a user were solved to.
 * @param steps that it took
 * @throws RulesError if battles contradict it, or two states of one key that they come to have different futures
 */
export function proveLaw(open: Opened, exact: Summary, steps: number): void {
  if (!open.isOwn) return;
  const met = new Met(open.model);
  const battles = repeated(open, steps, met);
  const differ = met.differ();
  if (differ !== undefined) throw doubt(open, differ);
  if (battles.length === 0) return;
  const tally = emptyTally(open.shape);
  for (const { outcome, metrics } of battles) countBattle(tally, outcome, metrics);
  const found = contradiction(summarise(open.shape, tally), exact, battles.length, ALARM);
  if (found !== undefined) throw doubt(open, toldContradiction(found, battles.length));
}

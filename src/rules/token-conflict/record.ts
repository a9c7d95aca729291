/** A battle as assembly/token-conflict/board.ts keeps it in words: where they lie, and the state that they mean. */
import { resultOf } from './conflict.ts';
import { PROGRESS, STAGES } from './layout.ts';
import { CITY_FALLS, CITY_STANDS } from './names.ts';
import type { Plan } from './plan.ts';
import type { Payment } from './policies.ts';
import { type ConflictState, IDLE, musterOf, type Pending } from './state.ts';

/** The word at which each column begins. */
interface Columns {
  readonly rounds: number;
  /** By place in the area at hand: the rank in the round, 0 for those who have acted; negative once the pool is chosen. */
  readonly ranks: number;
  /** By player. */
  readonly lost: number;
  readonly spent: number;
  readonly cards: number;
  readonly treasury: number;
  /** By attack: 1 if the city has fallen, and 1 from its turn on. */
  readonly fallen: number;
  readonly begun: number;
  /** By contingent. */
  readonly tokens: number;
  readonly ships: number;
  readonly adjacent: number;
  /** By player. */
  readonly stock: number;
  readonly hand: number;
}

export function columnsOf({ players, contingents, attacks }: Plan): Columns {
  const [p, c] = [players.length, contingents.length];
  const tokens = PROGRESS.size + 5 * p + 2 * attacks.length;
  const stock = tokens + 3 * c;
  return {
    rounds: PROGRESS.at.rounds,
    ranks: PROGRESS.size,
    ...{
      lost: PROGRESS.size + p,
      spent: PROGRESS.size + 2 * p,
      cards: PROGRESS.size + 3 * p,
      treasury: PROGRESS.size + 4 * p,
    },
    ...{ fallen: PROGRESS.size + 5 * p, begun: PROGRESS.size + 5 * p + attacks.length },
    ...{ tokens, ships: tokens + c, adjacent: tokens + 2 * c },
    ...{ stock, hand: stock + p },
  };
}

/** Tasks of the kernel: each area with its counts, then the attacks. */
function taskOf({ areas, tasks, attacks }: Plan, task: number): number {
  if (task >= areas.length) return tasks.length - attacks.length + task - areas.length;
  return tasks.findIndex((each) => each.kind === 'conflict' && each.area.index === task);
}

function pendingOf(plan: Plan, words: Int32Array): Pending | undefined {
  const { stage, task, attack, rank: atHand, next } = PROGRESS.read(words);
  const kind = STAGES[stage];
  if (kind === 'card' || kind === 'treasury') return { kind };
  if (kind !== 'round') return undefined;
  const area = plan.areas[task] ?? plan.attacks[attack];
  const { ranks } = columnsOf(plan);
  const waiting = (area?.contingents ?? []).map(({ index }, k) => ({ index, rank: words[ranks + k] ?? 0 }));
  const order = [...new Set(waiting.map(({ rank }) => Math.abs(rank)))].filter((rank) => rank > 0);
  const groups = order
    .sort((a, b) => a - b)
    .map((rank) => waiting.filter((each) => Math.abs(each.rank) === rank).map(({ index }) => index));
  const payments = waiting
    .filter(({ index, rank }) => Math.abs(rank) === atHand && index < next)
    .map(({ rank }): Payment => (rank < 0 ? 'pool' : 'token'));
  return { kind: 'round', groups, payments };
}

function engagedOf({ areas }: Plan, words: Int32Array): number {
  const { task, stage, engaged } = PROGRESS.read(words);
  if (task < areas.length) return task;
  return STAGES[stage] === 'idle' ? IDLE : engaged;
}

/** The outcome of a city, '' before its attack is over. */
function cityResult(plan: Plan, words: Int32Array, attack: number): string {
  const { fallen, begun } = columnsOf(plan);
  const at = PROGRESS.read(words);
  const atHand = STAGES[at.stage] !== 'idle' && at.task >= plan.areas.length && at.attack === attack;
  if (words[begun + attack] !== 1 || atHand) return '';
  return words[fallen + attack] === 1 ? CITY_FALLS : CITY_STANDS;
}

/** The state that the words of a battle mean, at a decision. */
export function stateOf(plan: Plan, words: Int32Array): ConflictState {
  const { areas, attacks, players, contingents } = plan;
  const columns = columnsOf(plan);
  const column = (at: number, length: number): number[] => [...words.subarray(at, at + length)];
  const byPlayer = (at: number): number[] => column(at, players.length);
  const byContingent = (at: number): number[] => column(at, contingents.length);
  const { task, rounds } = PROGRESS.read(words);
  const state: ConflictState = {
    ...musterOf(plan),
    round: 1,
    task: taskOf(plan, task),
    engaged: engagedOf(plan, words),
    rounds,
    pending: pendingOf(plan, words),
    tokens: byContingent(columns.tokens),
    ships: byContingent(columns.ships),
    adjacent: byContingent(columns.adjacent),
    // The kernel lets the stock of barbarians grow, since nothing looks at it.
    stock: byPlayer(columns.stock).map((stock, p) => (players[p]?.barbarian === true ? 0 : stock)),
    hand: byPlayer(columns.hand),
    lost: byPlayer(columns.lost),
    spent: byPlayer(columns.spent),
    cards: byPlayer(columns.cards),
    treasury: byPlayer(columns.treasury),
  };
  const results = areas.map((area) => {
    const attack = attacks.findIndex(({ index }) => index === area.index);
    if (attack >= 0) return cityResult(plan, words, attack);
    return area.index < task ? resultOf(plan, area, state) : '';
  });
  return { ...state, results };
}

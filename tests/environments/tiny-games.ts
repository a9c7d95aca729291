/** Random games of one to three rounds, as systems and as trees. */
import type { Phase } from '../../src/rules/custom/battle.ts';
import { defineSystem } from '../../src/rules/custom/define.ts';
import { validateScenario } from '../../src/rules/scenario/index.ts';
import type { Scenario } from '../../src/rules/system.ts';
import { draw } from './exact-matrix-game.ts';

const PLAYERS = ['red', 'blue'] as const;

/** Draw, or choice of a player, in a round. */
interface Slot {
  /** Index of the player; 2: chance. */
  readonly owner: 0 | 1 | 2;
  /** Slot from which the other player sees the choice. */
  readonly openFrom: number;
}

/** Place at the beginning of a round, and the draws and choices since. */
interface TinyState {
  readonly place: number;
  readonly made: readonly number[];
}

/** Places of a round; places from `OVER` on are results. */
const WIDTH = 3;
const OVER = 100;
/** Maximum paths of a game, and pure strategies of a player. */
const LEAVES_MAX = 500;
const STRATEGIES_MAX = 60;

/** Payoffs of red are -4..4. */
const PAYOFFS = [-4, -3, -2, -1, 0, 1, 2, 3, 4];

export interface TinyGame {
  readonly seed: number;
  readonly rounds: number;
  readonly slots: readonly Slot[];
  /** Payoff of each choice. If it is defined, earlier own choices decide whether a player can choose. */
  readonly stepPayoff?: number;
}

/** Creates a game: two to five slots, with at least one choice of each player. */
export function createTinyGame(seed: number): TinyGame {
  const count = 2 + draw(4, seed, 1);
  const slots = Array.from({ length: count }, (_, s): Slot => {
    const owner = s === 0 ? 0 : s === 1 ? 1 : draw(3, seed, 2, s);
    const openFrom = draw(3, seed, 3, s) === 0 ? s + 1 + draw(count - s, seed, 4, s) : count;
    return { owner: owner === 0 ? 0 : owner === 1 ? 1 : 2, openFrom: owner === 2 ? 0 : openFrom };
  });
  // The order is random, too.
  const ordered = slots.toSorted((a, b) => draw(99, seed, 5, slots.indexOf(a)) - draw(99, seed, 5, slots.indexOf(b)));
  return { seed, rounds: 1 + draw(3, seed, 6), slots: ordered };
}

/** Weights of chance, or of options: two or three, or one if there is no choice. */
const listWeights = ({ seed, slots, stepPayoff }: TinyGame, { place, made }: TinyState, slot: number): number[] => {
  const own = made.filter((_, s) => slots[s]?.owner === slots[slot]?.owner);
  if (stepPayoff !== undefined && own.length > 0 && draw(2, seed, 13, place, slot, ...own) === 0) return [1];
  return Array.from(
    { length: draw(4, seed, 7, place, slot) === 0 ? 3 : 2 },
    (_, k) => 1 + draw(3, seed, 8, place, slot, k),
  );
};

const isVisible = ({ owner, openFrom }: Slot, player: 0 | 1, made: number): boolean =>
  owner === player || made >= openFrom;

/** Returns the place after a round. */
function findNext({ seed, rounds }: TinyGame, { place, made }: TinyState): number {
  const round = Math.floor(place / WIDTH);
  if (round + 1 < rounds && draw(4, seed, 9, place, ...made) !== 0)
    return (round + 1) * WIDTH + draw(WIDTH, seed, 10, place, ...made);
  return OVER + draw(PAYOFFS.length, seed, 11, place, ...made);
}

/** Returns the choice of the policy of the scenario. */
const choosePolicy = ({ seed }: TinyGame, place: number, slot: number, count: number): number =>
  draw(count, seed, 12, place, slot);

export function createTinyScenario(game: TinyGame): Scenario {
  const { slots, rounds } = game;
  const system = defineSystem({
    id: 'tiny',
    title: 'Tiny',
    about: 'A random game.',
    fields: {},
    decisions: [{ point: 'choice', who: 'both', about: 'A choice.', policies: ['fixed'] }],
    battle: () => ({
      outcomes: PAYOFFS.map((_, k) => `result-${String(k)}`),
      start: (): TinyState => ({ place: 0, made: [] }),
      round: [
        ...slots.map(
          ({ owner }, s): Phase<TinyState> =>
            (state, chance) => {
              const weights = listWeights(game, state, s);
              const options = weights.map((_, k) => k);
              const made =
                owner === 2
                  ? chance.pick(weights)
                  : chance.decide('choice', PLAYERS[owner], options, () =>
                      choosePolicy(game, state.place, s, options.length),
                    );
              return { ...state, made: [...state.made, made] };
            },
        ),
        (state: TinyState): TinyState => ({ place: findNext(game, state), made: [] }),
      ],
      outcome: ({ place }) => (place >= OVER ? `result-${String(place - OVER)}` : undefined),
    }),
    environment: () => ({
      players: PLAYERS,
      actions: { choice: [0, 1, 2] },
      features: [
        { name: 'place', high: OVER + PAYOFFS.length, of: ({ place }) => place },
        ...slots.map((slot, s) => ({
          ...{ name: `slot.${String(s)}`, high: 3 },
          of: ({ made }: TinyState, player: string | undefined): number =>
            player === undefined || isVisible(slot, player === 'red' ? 0 : 1, made.length) ? 1 + (made[s] ?? -1) : 0,
        })),
      ],
      reward: (outcome, player) => (PAYOFFS[Number(outcome.slice(7))] ?? 0) * (player === 'red' ? 1 : -1),
    }),
  });
  return validateScenario({ system: 'tiny', maxRounds: rounds + 1 }, { systems: [system] });
}

/** Returns the reward that counts choices. */
export const createStepReward = ({ stepPayoff = 0 }: TinyGame) => ({
  red: { outcomes: Object.fromEntries(PAYOFFS.map((value, k) => [`result-${String(k)}`, value])), steps: stepPayoff },
});

/** Decision on a path: observations of the player, its choice, and whether the policy of the scenario makes it. */
interface Choice {
  readonly seen: string;
  readonly option: number;
  readonly isPolicy: boolean;
}

/** End of a path, with the choices of both. */
interface Leaf {
  /** Probability of the draws. */
  readonly probability: readonly [numerator: bigint, denominator: bigint];
  readonly payoff: number;
  readonly choices: readonly [readonly Choice[], readonly Choice[]];
}

/** Lists all paths of a game. A player remembers its observations and choices of all rounds. */
function listLeaves(game: TinyGame): Leaf[] {
  const leaves: Leaf[] = [];
  const visit = (state: TinyState, past: readonly TinyState[], leaf: Leaf): void => {
    const { place, made } = state;
    if (place >= OVER) {
      if (leaves.length === LEAVES_MAX) throw new RangeError('too many paths');
      const steps = leaf.choices[0].length + leaf.choices[1].length;
      leaves.push({ ...leaf, payoff: (PAYOFFS[place - OVER] ?? 0) + (game.stepPayoff ?? 0) * steps });
      return;
    }
    const slot = game.slots[made.length];
    if (slot === undefined) {
      visit({ place: findNext(game, state), made: [] }, [...past, state], leaf);
      return;
    }
    const weights = listWeights(game, state, made.length);
    const total = BigInt(weights.reduce((sum, weight) => sum + weight, 0));
    for (const [option, weight] of weights.entries()) {
      const next = { place, made: [...made, option] };
      const { owner } = slot;
      if (owner === 2) {
        const [p, q] = leaf.probability;
        visit(next, past, { ...leaf, probability: [p * BigInt(weight), q * total] });
        continue;
      }
      if (weights.length === 1) {
        visit(next, past, leaf);
        continue;
      }
      const visible = made.map((value, s) => (isVisible(game.slots[s] ?? slot, owner, made.length) ? value : -1));
      const isPolicy = option === choosePolicy(game, place, made.length, weights.length);
      const choice = { seen: JSON.stringify([past, place, visible]), option, isPolicy };
      const [red, blue] = leaf.choices;
      visit(next, past, { ...leaf, choices: owner === 0 ? [[...red, choice], blue] : [red, [...blue, choice]] });
    }
  };
  visit({ place: 0, made: [] }, [], { probability: [1n, 1n], payoff: 0, choices: [[], []] });
  return leaves;
}

function groupBy<T>(items: readonly T[], getKey: (item: T) => unknown): T[][] {
  const groups = new Map<unknown, T[]>();
  for (const item of items) {
    const group = groups.get(getKey(item));
    if (group === undefined) groups.set(getKey(item), [item]);
    else group.push(item);
  }
  return [...groups.values()];
}

/** Lists the leaves that each pure strategy of the whole game can reach. Unreachable choices are omitted. */
function listStrategies(leaves: readonly Leaf[], player: 0 | 1, depth = 0): (readonly Leaf[])[] {
  let all: (readonly Leaf[])[] = [leaves.filter(({ choices }) => choices[player].length === depth)];
  const open = leaves.filter(({ choices }) => choices[player].length > depth);
  for (const hasEqualResults of groupBy(open, ({ choices }) => choices[player][depth]?.seen)) {
    const byOption = groupBy(hasEqualResults, ({ choices }) => choices[player][depth]?.option);
    const further = byOption.flatMap((group) => listStrategies(group, player, depth + 1));
    if (all.length * further.length > STRATEGIES_MAX) throw new RangeError('too many strategies');
    all = all.flatMap((strategy) => further.map((more) => [...strategy, ...more]));
  }
  return all;
}

/** Game as a matrix of its pure strategies, in integers. */
export interface NormalForm {
  readonly payoffs: readonly (readonly bigint[])[];
  readonly denominator: bigint;
  /** Row and column of the policies of the scenario. */
  readonly policy: readonly [row: number, column: number];
}

const findDivisor = (a: bigint, b: bigint): bigint => (b === 0n ? a : findDivisor(b, a % b));

/** Enumerates the pure strategies of both players. @throws RangeError if there are too many */
export function createNormalForm(game: TinyGame): NormalForm {
  const leaves = listLeaves(game);
  const rows = listStrategies(leaves, 0);
  const columns = listStrategies(leaves, 1);
  const denominator = leaves.reduce((least, { probability: [, q] }) => (least / findDivisor(least, q)) * q, 1n);
  const points = new Map(
    leaves.map((leaf) => [leaf, (BigInt(leaf.payoff) * leaf.probability[0] * denominator) / leaf.probability[1]]),
  );
  const sets = columns.map((column) => new Set(column));
  const payoffs = rows.map((row) =>
    sets.map((set) => row.reduce((sum, leaf) => (set.has(leaf) ? sum + (points.get(leaf) ?? 0n) : sum), 0n)),
  );
  const findPolicy = (strategies: readonly (readonly Leaf[])[], player: 0 | 1): number =>
    strategies.findIndex((strategy) => strategy.every(({ choices }) => choices[player].every((c) => c.isPolicy)));
  return { payoffs, denominator, policy: [findPolicy(rows, 0), findPolicy(columns, 1)] };
}

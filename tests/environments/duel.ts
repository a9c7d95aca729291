/** Duel as a custom system without a kernel. Both players secretly choose a stance, then one draw decides the hit. */
import { z } from 'zod';
import type { EnvironmentDefinition, Model, Scenario, State, System } from '../../src/rules/system.ts';

const STANCES = ['wild', 'wary'] as const;
type Stance = (typeof STANCES)[number];

export interface Duel extends Scenario {
  readonly system: 'duel';
  readonly red: number;
  readonly blue: number;
  /** Weight of wild in the policy of blue, of 4. */
  readonly blueWild: number;
}

export interface DuelState extends State {
  readonly red: number;
  readonly blue: number;
}

/** Weights: red is hit, blue is hit, nobody is hit. */
const ODDS: Readonly<Record<Stance, Readonly<Record<Stance, readonly number[]>>>> = {
  wild: { wild: [3, 3, 0], wary: [3, 2, 1] },
  wary: { wild: [2, 3, 1], wary: [1, 1, 4] },
};

const model = ({ red, blue, blueWild }: Duel): Model<DuelState> => ({
  outcomes: ['red', 'blue', 'stalemate'],
  metrics: [
    { name: 'rounds', min: 0, max: 12 },
    { name: 'left.red', min: 0, max: red },
  ],
  maxRounds: 12,
  roundsMetric: 0,
  start: () => ({ round: 0, red, blue }),
  step(state, chance) {
    const round = state.round + 1;
    const redStance = chance.decide('stance', 'red', STANCES, () => 'wild');
    chance.seek(8 * round);
    const drawn = (): Stance => (chance.pick([blueWild, 4 - blueWild]) === 0 ? 'wild' : 'wary');
    const blueStance = chance.decide('stance', 'blue', STANCES, drawn);
    chance.seek(8 * round + 1);
    const hit = chance.pick(ODDS[redStance][blueStance]);
    return { round, red: state.red - Number(hit === 0), blue: state.blue - Number(hit === 1) };
  },
  resting: () => true,
  outcome(state) {
    if (state.red === 0) return 'blue';
    return state.blue === 0 ? 'red' : undefined;
  },
  measure: (state) => [state.round, state.red],
  key: (state) => `${String(state.red)}/${String(state.blue)}`,
});

export const rollout = ({ red, blue }: Duel): EnvironmentDefinition<DuelState> => ({
  players: ['red', 'blue'],
  actions: { stance: STANCES },
  features: [
    { name: 'hp.red', unit: 'hp', high: red, of: (state) => state.red },
    { name: 'hp.blue', unit: 'hp', high: blue, of: (state) => state.blue },
    {
      name: 'own',
      unit: 'hp',
      high: Math.max(red, blue),
      of: (state, player) => state[player === 'blue' ? player : 'red'],
    },
  ],
  rewards: { left: (player) => ({ 'left.red': (player === 'red' ? 1 : -1) / red }) },
});

export const duel: System<Duel> = {
  id: 'duel',
  title: 'A duel',
  about: 'Two stances, chosen in secret.',
  schema: z.strictObject({
    system: z.literal('duel'),
    name: z.string().optional(),
    red: z.int().min(1).max(9).default(2),
    blue: z.int().min(1).max(9).default(2),
    blueWild: z.int().min(0).max(4).default(1),
  }),
  decisions: [{ point: 'stance', who: 'both', about: 'how to fight', policies: ['wild', 'wary'] }],
  rules: {},
  examples: [{ name: 'even', scenario: { system: 'duel' } }],
  model,
  environment: rollout,
};

/**
 * Equal players give up tokens simultaneously: nobody else observes a choice before all have chosen. Hidden information
 * of other systems is tested in tests/systems/<id>-rollout.test.ts.
 */

import { describe, expect, test } from 'vitest';
import { HEAD_BYTES } from '../../src/environments/buffers.ts';
import { VectorEnv } from '../../src/environments/vector-env.ts';
import { validateScenario } from '../../src/rules/scenario/index.ts';
import { readState } from '../../src/rules/token-conflict/environment.ts';
import type { TokenConflict } from '../../src/rules/token-conflict/fields.ts';
import { getPlan } from '../../src/rules/token-conflict/plan.ts';

/** Word of a record that contains the deciding player. */
const PLAYER_WORD = 6;

/** Creates a scenario of players in one area, each of whom can give up ships instead of tokens. */
const rivals = (tokens: Readonly<Record<string, number>>): TokenConflict =>
  validateScenario(
    {
      system: 'token-conflict',
      players: Object.fromEntries(
        Object.keys(tokens).map((name) => [name, { advances: ['navalWarfare'], ships: { Delta: 2 } }]),
      ),
      areas: [{ name: 'Delta', limit: 1, tokens }],
    },
    { system: 'token-conflict' },
  );

/** Counts the tokens and ships of all players; each executed choice removes one. */
function forces(scenario: TokenConflict, env: VectorEnv): number {
  const { tokens, ships } = readState(getPlan(scenario), new Int32Array(env.state(0).slice(HEAD_BYTES).buffer));
  return [...tokens, ...ships].reduce((sum, each) => sum + each, 0);
}

/** Returns the observation of each player in environment 0, without the first feature, which is the player. */
function sights(env: VectorEnv): number[][] {
  const state = env.state(0);
  const players = env.configuration.variants[0]?.players ?? [];
  const seen = players.map((_, player) => {
    const copy = state.slice();
    new Int32Array(copy.buffer)[PLAYER_WORD] = player;
    env.setState(0, copy);
    return [...env.buffers.obs.subarray(1, env.observationSpace.shape[0])];
  });
  env.setState(0, state);
  return seen;
}

/** Compares the observations of the other players after each legal action. @returns number of compared actions */
function compareOthers(scenario: TokenConflict, env: VectorEnv): number {
  const { buffers: fields, actionSpace } = env;
  const before = env.state(0);
  const all = forces(scenario, env);
  const chooser = fields.player[0] ?? -1;
  const legal = actionSpace.names.flatMap((_, action) => (fields.mask[action] === 1 ? [action] : []));
  const shown = legal.flatMap((action) => {
    env.setState(0, before);
    env.step([action]);
    if (forces(scenario, env) < all) return [];
    const seen = sights(env).filter((_, looker) => looker !== chooser);
    return [{ who: fields.player[0], mask: [...fields.mask], seen }];
  });
  env.setState(0, before);
  for (const each of shown) expect(each).toEqual(shown[0]);
  expect([0, legal.length]).toContain(shown.length);
  return shown.length;
}

describe.each([
  ['two', { a: 3, b: 3 }],
  ['three', { a: 3, b: 3, c: 3 }],
  ['two before another', { a: 3, b: 3, c: 4 }],
  ['four, as many as are drawn', { a: [2, 4], b: [2, 4], c: [2, 4], d: [2, 4] } as never],
])('players in one area: %s', (_, tokens: Readonly<Record<string, number>>) => {
  test('observe the same after every choice of another player', async () => {
    const scenario = rivals(tokens);
    let compared = 0;
    for (let seed = 0; seed < 30; seed++) {
      const env = await VectorEnv.create(scenario, { numEnvs: 1, agents: 'all', autoreset: 'disabled', seed });
      for (let step = 0; step < 12 && env.buffers.phase[0] !== 0; step++) {
        compared += compareOthers(scenario, env);
        env.sampleActions('uniform');
        env.step();
      }
    }
    expect(compared).toBeGreaterThan(60);
  });
});

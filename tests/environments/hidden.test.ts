/**
 * Equals give up tokens at the same time: what one of them has chosen shows to nobody else before all have. What other
 * systems hide has its tests beside theirs (tests/systems/<id>-rollout.test.ts).
 */

import { describe, expect, test } from 'vitest';
import { HEAD_BYTES } from '../../src/environments/buffers.ts';
import { VectorEnv } from '../../src/environments/vector-env.ts';
import { validateScenario } from '../../src/rules/scenario/index.ts';
import { readState } from '../../src/rules/token-conflict/environment.ts';
import type { TokenConflict } from '../../src/rules/token-conflict/fields.ts';
import { getPlan } from '../../src/rules/token-conflict/plan.ts';

/** Of a record: the word that holds who decides, and the bytes before the words of the battle. */
const PLAYER_WORD = 6;

/** Players in one area, each of whom can spare tokens by ships. */
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

/** All that players have in the area and beside it: one less for each choice that is carried out. */
function forces(scenario: TokenConflict, env: VectorEnv): number {
  const { tokens, ships } = readState(getPlan(scenario), new Int32Array(env.state(0).slice(HEAD_BYTES).buffer));
  return [...tokens, ...ships].reduce((sum, each) => sum + each, 0);
}

/** What each player sees of environment 0, whoever decides; the first feature is who looks. */
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

/** What the others are shown after each of the actions that a player has; returns how many were compared. */
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
])('%s', (_, tokens: Readonly<Record<string, number>>) => {
  test('see the same, whatever another has chosen', async () => {
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

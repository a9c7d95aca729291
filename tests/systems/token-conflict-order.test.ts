/** Token conflict: the order of attacks on the cities of an owner. */
import { describe, expect, it } from 'vitest';
import { SampledChance } from '../../src/core/chance/sampled-chance.ts';
import { Stream } from '../../src/core/chance/stream.ts';
import { loadKernel, SystemKernel } from '../../src/engines/kernel/kernel.ts';
import { createScenarioSpec } from '../../src/environments/env-spec.ts';
import { VectorEnv } from '../../src/environments/vector-env.ts';
import { playBattle } from '../../src/rules/play-battle.ts';
import { tokenConflict } from '../../src/rules/token-conflict/index.ts';
import { DEPTH } from '../depth.ts';
import { expectTwins } from '../environments/reference-comparison.ts';
import { bruteForce } from './token-conflict-brute.ts';
import { crowded } from './token-conflict-dealt.ts';
import { type Fight, fight, scenario } from './token-conflict-fight.ts';

const city = (name: string, owner: string, tokens: object = {}, limit = 99) => ({ name, limit, city: owner, tokens });

/** Returns the areas of attacked cities in order, with failed attacks; cities that nobody attacks are in brackets. */
const attacked = ({ story }: Fight): string[] =>
  story.flatMap((line) => {
    const [event = '', area = ''] = line.split(' ');
    if (!event.startsWith('attack.') || event === 'attack.order') return [];
    return event === 'attack.none' ? [`(${area})`] : [area];
  });

const three = [city('A', 'c', { a: 8 }), city('B', 'c', { a: 7 }), city('C', 'c', { a: 9 })];
const ordered = (areas: object, cityOrder: unknown, players: object = {}) =>
  attacked(fight({ areas, players: { c: { rank: 1, cityOrder }, ...players } }));

describe('the order of attacks by cityOrder', () => {
  it.each([
    ['file', ['A', 'B', 'C']],
    ['weakest-attack-first', ['B', 'A', 'C']],
    ['strongest-attack-first', ['C', 'A', 'B']],
    [
      ['C', 'B', 'A'],
      ['C', 'B', 'A'],
    ],
    [['B'], ['B', 'A', 'C']],
    [['C'], ['C', 'A', 'B']],
    [[], ['A', 'B', 'C']],
  ])('matches the setting %j', (cityOrder, expected) => {
    expect(ordered(three, cityOrder)).toEqual(expected);
  });

  it('follows the file for equally strong attacks', () => {
    const equals = three.map((area) => ({ ...area, tokens: { a: 7 } }));
    expect(ordered(equals, 'weakest-attack-first')).toEqual(['A', 'B', 'C']);
    expect(ordered(equals, 'strongest-attack-first')).toEqual(['A', 'B', 'C']);
  });

  it('depends on the attackers that remain after the token conflicts', () => {
    // Ten lose two to the garrison: eight are left, more than the seven of B and fewer than the nine of C.
    const areas = [city('A', 'c', { a: 10, c: 3 }), ...three.slice(1)];
    expect(ordered(areas, 'weakest-attack-first')).toEqual(['B', 'A', 'C']);
    expect(ordered(areas, 'strongest-attack-first')).toEqual(['C', 'A', 'B']);
  });

  it('depends on remaining attackers of all players', () => {
    const areas = [city('A', 'c', { a: 9, b: 1 }), city('B', 'c', { b: 7 }), city('C', 'c', { barbarians: 1 })];
    expect(ordered(areas, 'weakest-attack-first')).toEqual(['C', 'B', 'A']);
  });

  it('keeps the positions that ranks give the owner', () => {
    const areas = [city('A', 'c', { a: 9 }), city('X', 'early', { a: 7 }), city('B', 'c', { a: 7 })];
    const players = { early: { rank: 0 } };
    expect(ordered(areas, ['B'], players)).toEqual(['X', 'B', 'A']);
    expect(ordered(areas, ['B'], { early: { rank: 2 } })).toEqual(['B', 'A', 'X']);
  });

  it('exchanges only positions of the owner if owners have equal ranks', () => {
    const areas = [
      city('A', 'c', { a: 9 }),
      city('X', 'd', { a: 7 }),
      city('B', 'c', { a: 8 }),
      city('Y', 'd', { a: 9 }),
      city('C', 'c', { a: 7 }),
    ];
    const players = { d: { rank: 1, cityOrder: 'strongest-attack-first' } };
    expect(ordered(areas, 'file')).toEqual(['A', 'B', 'C', 'X', 'Y']);
    expect(ordered(areas, 'weakest-attack-first', players)).toEqual(['C', 'Y', 'B', 'X', 'A']);
    expect(ordered(areas, ['B'], players)).toEqual(['B', 'Y', 'A', 'X', 'C']);
  });

  it('does not change for pirate cities', () => {
    const areas = [city('P', 'pirates', { a: 9 }), ...three, city('Q', 'pirates', { a: 7 })];
    expect(ordered(areas, 'weakest-attack-first')).toEqual(['P', 'Q', 'B', 'A', 'C']);
  });

  it('decides which city gets the tokens of a small stock', () => {
    const players = (cityOrder: unknown) => ({ c: { stock: 8, cityOrder } });
    const cities = three.slice(0, 2).map((area, k) => ({ ...area, limit: k === 0 ? 0 : 99 }));
    // The first city gets 6 tokens, the second 2; the tokens of A fall, the tokens of B stay.
    expect(fight({ areas: cities, players: players('file') }).metrics['lost.c']).toBe(6);
    expect(fight({ areas: cities, players: players(['B']) }).metrics['lost.c']).toBe(2);
  });
});

describe('cities that nobody attacks', () => {
  it('come after attacked cities', () => {
    const areas = [city('A', 'c'), city('B', 'c', { a: 7 }), city('C', 'c', { c: 3 }), city('D', 'c', { a: 8 })];
    expect(ordered(areas, 'file')).toEqual(['B', 'D', '(A)', '(C)']);
    expect(ordered(areas, 'strongest-attack-first')).toEqual(['D', 'B', '(A)', '(C)']);
  });

  const alternating = [city('A', 'c'), city('X', 'd', { a: 7 }), city('B', 'c', { a: 7 })];

  it('keep their positions if owners of equal rank alternate', () => {
    const players = { d: { rank: 1 } };
    expect(ordered(alternating, 'file', players)).toEqual(['(A)', 'X', 'B']);
    expect(ordered(alternating, 'strongest-attack-first', players)).toEqual(['B', 'X', '(A)']);
    expect(ordered(alternating, ['B'], players)).toEqual(['B', 'X', '(A)']);
    expect(ordered(alternating.toReversed(), 'weakest-attack-first', players)).toEqual(['(A)', 'X', 'B']);
  });

  it('come later by a decision of their owner', () => {
    const input = { areas: alternating, players: { c: { rank: 1 }, d: { rank: 1 } } };
    expect(fight(input).requested).toContain('c cityOrder A');
    const ended = fight(input, [{ decide: 'B' }]);
    expect(attacked(ended)).toEqual(['B', 'X', '(A)']);
    expect(ended.requested.filter((line) => line.includes('cityOrder'))).toEqual(['c cityOrder B']);
  });
});

describe('the cityOrder decision', () => {
  it('is requested while more than one city is attacked', () => {
    const ended = fight({ areas: [...three, city('D', 'c')] }, [{ decide: 'C' }, { decide: 'B' }]);
    expect(attacked(ended)).toEqual(['C', 'B', 'A', '(D)']);
    expect(ended.requested).toEqual(['c cityOrder C', 'c cityOrder B']);
    expect(ended.reported.filter((id) => id === 'attack.order')).toHaveLength(2);
  });

  it('is not requested for pirates or for owners with one attacked city', () => {
    const areas = [
      city('P', 'pirates', { a: 7 }),
      city('Q', 'pirates', { a: 7 }),
      city('A', 'c', { a: 7 }),
      city('B', 'c'),
    ];
    expect(fight({ areas }).requested).toEqual([]);
  });

  it('is requested before the attack, and the reward decision after it', () => {
    const areas = [city('A', 'c', { d: 7 }), city('B', 'c', { d: 6 }), city('X', 'd', { c: 7 })];
    const players = { c: { rank: 1 }, d: { rank: 2, stock: 5 } };
    expect(fight({ areas, players }).requested).toEqual(['c cityOrder A', 'd takeTreasury take']);
  });
});

describe('agents', () => {
  const given = scenario({
    areas: [
      { name: 'Delta', limit: 9, tokens: { a: 1 } },
      city('B.1', 'c', { a: 8 }),
      city('X', 'a'),
      city('C', 'c', { a: 7 }),
      city('D', 'c'),
    ],
    players: { c: { stock: 8, cityOrder: 'weakest-attack-first' }, a: { rank: 1 } },
  });
  const see = (env: VectorEnv) =>
    Object.fromEntries(env.observationSpace.features.map(({ name }, f) => [name, env.buffers.obs[f] ?? Number.NaN]));

  it('have an action for each city of an owner with several cities', () => {
    const actions = ['give:pool', 'give:token', 'take', 'leave'];
    expect(createScenarioSpec(given).actions).toEqual([...actions, 'next:B.1', 'next:C', 'next:D']);
    expect(createScenarioSpec(scenario({ areas: [city('A', 'c'), city('B', 'd')] })).actions).toEqual(actions);
    expect(createScenarioSpec(scenario({ areas: [city('A', 'pirates'), city('B', 'pirates')] })).actions).toEqual(
      actions,
    );
  });

  it('choose the next city and observe the result', async () => {
    const env = await VectorEnv.create(given, { numEnvs: 1, agents: ['c'], autoreset: 'disabled' });
    const { names, n } = env.actionSpace;
    const legal = () => names.filter((_, a) => env.buffers.mask[a] === 1);
    expect(env.decisionPoints[(env.buffers.phase[0] ?? 0) - 1]).toBe('cityOrder');
    expect(legal()).toEqual(['next:B.1', 'next:C']);
    expect(see(env)).toMatchObject({ area: -1, attack: 1, 'stock.c': 8, [String.raw`fallen.B\.1`]: 0 });
    env.sampleActions('scenario');
    expect(names[env.buffers.act[0] ?? n]).toBe('next:C');
    env.step([names.indexOf('next:B.1')]);
    expect(env.buffers.terminated[0]).toBe(1);
    expect(see(env)).toMatchObject({ area: -1, [String.raw`tokens.B\.1.c`]: 6, 'tokens.C.c': 2, 'fallen.C': 1 });
  });

  it('cannot choose a city that nobody attacks', async () => {
    const env = await VectorEnv.create(given, { numEnvs: 1, agents: ['c'], autoreset: 'disabled' });
    env.step([env.actionSpace.names.indexOf('next:D')]);
    expect([env.buffers.invalid[0], env.buffers.terminated[0]]).toEqual([1, 1]);
  });
});

describe('a value of cityOrder', () => {
  const complete = (cityOrder: unknown) =>
    scenario({ areas: three, players: { c: { cityOrder } } }).players['c']?.cityOrder;

  it.each([
    [['A', 'B', 'C'], 'file'],
    [['A'], 'file'],
    [[], 'file'],
    [['C', 'A', 'B'], ['C']],
    [['C'], ['C']],
    [
      ['C', 'B', 'A'],
      ['C', 'B'],
    ],
    ['weakest-attack-first', 'weakest-attack-first'],
  ])('is normalized from %j to %j', (cityOrder, expected) => {
    expect(complete(cityOrder)).toEqual(expected);
  });
});

describe('many cities', () => {
  it('have outcomes that are known in advance, in any order', () => {
    // Fourteen cities have 2^14 outcomes, of which the counts allow 4.
    const areas = Array.from({ length: 14 }, (_, k) =>
      city(`C${String(k)}`, 'c', { a: k < 2 ? [6, 7] : k % 2 === 0 ? 7 : 3 }),
    );
    for (const cityOrder of ['file', 'weakest-attack-first', 'strongest-attack-first', ['C13', 'C1', 'C7']]) {
      const input = { areas, players: { c: { stock: 9, cityOrder } } };
      const { outcomes } = tokenConflict.model(scenario(input));
      expect(outcomes).toHaveLength(4);
      for (const pick of [0, 1]) {
        const script = [{ pick }, { pick: 1 - pick }];
        expect(outcomes).toContain(fight(input, script).outcome);
      }
    }
  });

  it.runIf(DEPTH > 1)('have equal results in model, kernels and a second implementation of the rules', async () => {
    const modules = [await loadKernel('token-conflict', 'release'), await loadKernel('token-conflict', 'debug')];
    let changed = 0;
    for (let index = 0; index < 500; index++) {
      const given = crowded(index);
      const model = tokenConflict.model(given);
      const { outcome, metrics } = bruteForce(given);
      const expected = {
        outcome: model.outcomes.indexOf(outcome),
        metrics: model.metrics.map((m) => metrics[m.name] ?? 0),
      };
      expect({ given, ...playBattle(model, new SampledChance(Stream.forBattle(1n, 0))) }).toEqual({
        given,
        ...expected,
      });
      for (const module of modules) {
        const kernel = new SystemKernel(module, model, tokenConflict.encode(given));
        expect({ given, ...kernel.play(1n, 0) }).toEqual({ given, ...expected });
        kernel.close();
      }
      const filed = Object.fromEntries(
        Object.entries(given.players).map(([name, each]) => [name, { ...each, cityOrder: 'file' as const }]),
      );
      changed += Number(
        JSON.stringify(bruteForce({ ...given, players: filed })) !== JSON.stringify({ outcome, metrics }),
      );
    }
    expect(changed, 'battles that the order changes').toBeGreaterThan(100);
  });

  it.runIf(DEPTH > 1)('have the same cityOrder decisions in the rules and in the kernel', async () => {
    let options = 0;
    for (let index = 0; index < 60; index++) {
      const points = await expectTwins([{ scenario: crowded(index) }], {
        ...{ agents: 'all', envs: 4, steps: 30, seed: index },
        ...{ acts: index % 3 === 0 ? 'scenario' : index % 3 === 1 ? 'uniform' : 'wild' },
        ...{ build: index % 2 === 0 ? 'release' : 'debug', autoreset: index % 5 === 0 ? 'next-step' : 'same-step' },
      });
      options += points.get('cityOrder') ?? 0;
    }
    expect(options).toBeGreaterThan(1000);
  });
});

/** Cubes from a bag as an environment: records of the kernel, observations and legal actions. */

import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/core/errors.ts';
import { loadKernel } from '../../src/engines/kernel/kernel.ts';
import { HEAD_BYTES } from '../../src/environments/buffers.ts';
import { encodeEnvSpec } from '../../src/environments/encode-env-spec.ts';
import { createEnvSpec, createScenarioSpec, type EnvSpec, type Variant } from '../../src/environments/env-spec.ts';
import { KernelEngine } from '../../src/environments/environment-engine.ts';
import { EnvironmentKernel } from '../../src/environments/environment-kernel.ts';
import { VectorEnv } from '../../src/environments/vector-env.ts';
import { cubeBag } from '../../src/rules/cube-bag/index.ts';
import type { CubeBag } from '../../src/rules/cube-bag/schema.ts';
import { loadScenario } from '../../src/rules/scenario/index.ts';
import { DEPTH } from '../depth.ts';
import { boundsTest, recordTest } from './alike.ts';
import { dealtScenarios } from './cube-bag-dealt.ts';
import { army, scenario } from './cube-bag-fight.ts';
import { opened } from './cube-bag-opened.ts';

const dealt = dealtScenarios(150);

const variantOf = ({ variants }: EnvSpec): Variant => variants[0] as Variant;

describe('records of the kernel', () => {
  const points = cubeBag.decisions.map(({ point }) => point);
  recordTest({ scenarios: dealt.slice(0, DEPTH > 1 ? 90 : 36), seed: 3n }, points);

  it('are equal for equal states and never change static memory', async () => {
    const configuration = createEnvSpec([{ scenario: storm }], { agents: 'all' });
    const module = await loadKernel('cube-bag');
    const kernel = EnvironmentKernel.init(module, encodeEnvSpec(configuration), {
      envs: 2,
      first: 0,
      threads: 1,
    });
    const env = new VectorEnv(configuration, new KernelEngine(kernel, configuration), 1n, true);
    const { memory } = kernel.exports;
    const end = kernel.exports.env_reserve(encodeEnvSpec(configuration).byteLength);
    expect(kernel.exports.env_fields()).toBeLessThan(end);
    const before = new Uint8Array(memory.buffer, 0, end).slice();
    const act = (...names: string[]) => env.step(names.map((name) => env.actionSpace.names.indexOf(name)));
    act('cubes:6', 'cubes:6');
    act('take:wall', 'take:city');
    expect(env.state(0).slice(HEAD_BYTES)).not.toEqual(env.state(1).slice(HEAD_BYTES));
    act('take:city', 'take:wall');
    expect(env.state(0).slice(HEAD_BYTES)).toEqual(env.state(1).slice(HEAD_BYTES));
    env.rollout('uniform', { steps: 50 });
    expect(new Uint8Array(memory.buffer, 0, end)).toEqual(before);
  });
});

/** Six archers with a siege tower before walls: the bag contains only their cubes. */
const storm = scenario({
  attacker: { ...army({ archer: 6 }), technologies: { siegeTower: true }, removal: ['building'] },
  defender: {
    armies: [],
    structures: [
      { type: 'wall' },
      { type: 'wall', marks: 1 },
      { type: 'city' },
      { type: 'building' },
      { type: 'palisade', marks: 1 },
    ],
  },
});

describe('a siege', () => {
  it('lets an agent remove one object at a time', async () => {
    const { env, legal, asked: requested, seen, act, lost } = await opened(storm, ['attacker']);
    expect([requested(), legal()]).toEqual([
      'draw',
      ['cubes:1', 'cubes:2', 'cubes:3', 'cubes:4', 'cubes:5', 'cubes:6'],
    ]);
    expect(seen('stage', 'bag.attacker', 'structures.defender.palisade.1')).toEqual([2, 6, 1]);
    act('cubes:6');
    expect([requested(), legal()]).toEqual(['removal', ['take:building', 'take:city', 'take:wall']]);
    expect(seen('damage', 'drawn.attacker', 'marks', 'lost.defender')).toEqual([6, 6, 1, 1]);
    expect(seen('structures.defender.palisade.1', 'structures.defender.wall.0', 'structures.defender.wall.1')).toEqual([
      0, 1, 1,
    ]);
    act('take:wall');
    expect(seen('damage', 'marks', 'structures.defender.wall.0', 'structures.defender.wall.1')).toEqual([5, 0, 1, 0]);
    act('take:city');
    expect(legal()).toEqual(['take:building', 'take:wall']);
    act('take:building');
    expect(env.buffers.terminated[0]).toBe(1);
    expect(seen('damage', 'marks', 'structures.defender.wall.0', 'structures.defender.building.0', 'stage')).toEqual([
      0, 1, 1, 0, 9,
    ]);
    expect(lost('losses.defender.wall')).toBe(1);
    expect(lost('losses.defender')).toBe(4);
  });

  it('gives marks to a structure that survives the damage', async () => {
    const { env, act, seen, lost } = await opened(storm, ['attacker']);
    act('cubes:2');
    act('take:city');
    expect([env.buffers.terminated[0], ...seen('marks'), lost('marks')]).toEqual([1, 3, 3]);
  });

  it('limits an agent to the destruction priority', async () => {
    const bound = scenario({
      attacker: army({ archer: 6 }),
      defender: {
        ...army({ swordsman: 1, galley: 1, peasant: 2 }, { distance: 4 }),
        addDefense: false,
        structures: [{ type: 'wall' }, { type: 'palisade' }],
      },
    });
    const { legal, act, seen, env } = await opened(bound, 'all');
    act('bonus:none');
    act('cubes:6');
    expect(legal()).toEqual(['take:wall', 'take:palisade']);
    act('take:wall');
    expect(legal()).toEqual(['take:swordsman', 'take:galley']);
    act('take:galley');
    expect(env.buffers.terminated[0]).toBe(1);
    expect(seen('units.defender.swordsman', 'units.defender.galley', 'units.defender.peasant')).toEqual([0, 0, 2]);
  });

  it('loses more walls in the shipped scenario if walls are removed first', async () => {
    const shipped = (await loadScenario('scenarios/cube-bag-siege.yaml')) as CubeBag;
    const walls = async (first: string): Promise<number> => {
      const env = await VectorEnv.create(shipped, { numEnvs: 64, agents: 'all', autoreset: 'disabled', seed: 4 });
      const { n, names } = env.actionSpace;
      const { act, mask, phase, metrics } = env.buffers;
      while (phase.some((each) => each > 0)) {
        env.sampleActions('scenario');
        for (let e = 0; e < 64; e++) if (mask[e * n + names.indexOf(first)] === 1) act[e] = names.indexOf(first);
        env.step();
      }
      const variant = variantOf(env.configuration);
      const column = variant.metrics.findIndex(({ name }) => name === 'losses.defender.wall');
      return Array.from({ length: 64 }, (_, e) => metrics[e * variant.metrics.length + column] ?? 0).reduce(
        (a, b) => a + b,
      );
    };
    expect(await walls('take:wall')).toBeGreaterThan(2 * (await walls('take:city')));
  });
});

describe('a corps of distinct armies', () => {
  /** The bag contains only cubes of the defender, so that every check passes. */
  const hunted = scenario({
    attacker: {
      armies: [
        { units: { peasant: 1, archer: 1 }, active: { archer: false }, conversionFactors: 1 },
        { units: { peasant: 2 }, hex: 'hill' },
        { units: { peasant: 1 } },
      ],
      structures: [{ type: 'wall', marks: 1 }],
    },
    defender: { ...army({ archer: 1 }, { extras: { action: 20 } }), conversions: 3, convert: [3] },
  });

  it('lets an agent select the army, then the unit if there is a choice', async () => {
    const { env, legal, asked: requested, seen, act } = await opened(hunted, ['defender']);
    expect([requested(), legal()]).toEqual(['army', ['army:1', 'army:2', 'army:3']]);
    expect(seen('army', 'tries.defender', 'structures.attacker.wall.1')).toEqual([0, 3, 1]);
    expect(seen('units.attacker.1.peasant', 'units.attacker.2.peasant', 'units.attacker.3.peasant')).toEqual([1, 2, 1]);
    act('army:1');
    expect([requested(), legal()]).toEqual(['conversion', ['take:peasant', 'take:archer']]);
    expect(seen('army', 'tries.defender', 'bag.defender')).toEqual([1, 2, 18]);
    act('take:archer');
    expect(seen('army', 'units.attacker.1.archer', 'units.attacker.1.peasant')).toEqual([0, 0, 1]);
    act('army:3');
    expect(requested()).toBe('army');
    expect([legal(), seen('units.attacker.3.peasant')]).toEqual([['army:1', 'army:2'], [0]]);
    expect(() => act('army:3')).toThrow(InputError);
    act('army:2');
    expect(seen('units.attacker.2.peasant', 'conversions.defender', 'tries.defender')).toEqual([1, 3, 0]);
    expect(requested()).toBe('extraDraw');
    env.rollout('scenario', { steps: 5 });
    expect(env.buffers.terminated[0]).toBe(1);
  });

  it('follows the policy of the scenario', async () => {
    const { env, seen } = await opened(hunted, ['defender']);
    env.rollout('scenario', { steps: 3 });
    // Army 3 as listed, then the easiest: army 2 twice.
    expect(seen('units.attacker.3.peasant', 'units.attacker.2.peasant', 'units.attacker.1.archer')).toEqual([0, 0, 1]);
  });

  it('lets an agent lose by an army without units or an invalid action', async () => {
    for (const picked of ['army:3', 'take:peasant', 'cubes:1']) {
      const env = await VectorEnv.create(hunted, { numEnvs: 1, agents: ['defender'], autoreset: 'disabled' });
      const act = (name: string) => env.step([env.actionSpace.names.indexOf(name)]);
      act('army:3');
      expect([env.buffers.invalid[0], env.buffers.terminated[0]]).toEqual([0, 0]);
      act(picked);
      expect([env.buffers.invalid[0], env.buffers.terminated[0]]).toEqual([1, 1]);
    }
  });

  it('requires no decision if armies have one type and no conversionFactors', async () => {
    const armies = [{ units: { peasant: 1 } }, { units: { peasant: 1 }, hex: 'hill' }];
    const defender = { ...army({ archer: 1 }, { extras: { action: 20 } }), conversions: 1 };
    const { asked: requested, seen } = await opened(scenario({ attacker: { armies }, defender }), ['defender']);
    expect(requested()).toBe('extraDraw');
    expect(seen('units.attacker.1.peasant', 'units.attacker.2.peasant')).toEqual([0, 1]);
  });

  it('has army actions only if an army may have to be selected', () => {
    const armies = (of: object) =>
      createEnvSpec([{ scenario: scenario(of) }]).actions.filter((name) => name.startsWith('army'));
    const attacker = { armies: [{ units: { archer: 1 }, conversionFactors: 1 }, { units: { archer: 1 } }] };
    const defender = army({ archer: 1 });
    expect(armies({ attacker, defender: { ...defender, conversions: 1 } })).toEqual(['army:1', 'army:2']);
    expect(armies({ attacker, defender })).toEqual([]);
    const [first] = attacker.armies;
    expect(armies({ attacker: { armies: [first] }, defender: { ...defender, conversions: 1 } })).toEqual([]);
  });

  it('loses units on other hexes or structures on the target hex', async () => {
    const of = scenario({
      attacker: army({ archer: 4 }),
      defender: {
        armies: [
          { units: { spearman: 1, peasant: 1 }, distance: 9 },
          { units: { spearman: 1 }, hex: 'hill', distance: 9 },
        ],
        addDefense: false,
        structures: [{ type: 'palisade', marks: 1 }, { type: 'city' }],
      },
    });
    const { env, legal, seen, act } = await opened(of, ['attacker']);
    act('cubes:4');
    expect(legal()).toEqual(['take:spearman', 'take:palisade']);
    act('take:palisade');
    // Both spearmen can be removed, and the army listed first loses first: the peasant can be removed after that.
    expect(seen('damage', 'units.defender.1.spearman', 'units.defender.2.spearman')).toEqual([3, 0, 1]);
    expect(legal()).toEqual(['take:peasant', 'take:spearman']);
    act('take:peasant');
    expect(legal()).toEqual(['take:spearman', 'take:city']);
    act('take:city');
    expect(env.buffers.terminated[0]).toBe(1);
    expect(seen('marks', 'units.defender.2.spearman', 'structures.defender.city.0')).toEqual([2, 1, 1]);
  });
});

describe('observations and actions', () => {
  boundsTest({ scenarios: dealt }, 25);

  it('include only numbers of cubes that a decision can offer', () => {
    const cubes = (of: object) =>
      createEnvSpec([{ scenario: scenario(of) }]).actions.filter((name) => name.startsWith('cubes')).length - 1;
    const defender = army({ archer: 5 }, { distance: 2 });
    expect(cubes({ attacker: army({ archer: 3 }), defender })).toBe(4);
    expect(cubes({ attacker: army({ archer: 3 }), defender: army({ peasant: 5 }) })).toBe(3);
    expect(cubes({ attacker: army({ peasant: 3 }), defender: army({ peasant: 5 }) })).toBe(0);
  });

  it('reward material is the share of enemy losses minus the share of own losses', () => {
    const of = scenario({
      attacker: army({ archer: 4 }),
      defender: { ...army({ archer: 1 }), structures: [{ type: 'city' }] },
    });
    const { rewards, payoff: value } = createScenarioSpec(of);
    expect(rewards['material']?.('attacker')).toEqual({ 'losses.defender': 0.5, 'losses.attacker': -0.25 });
    expect(rewards['material']?.('defender')).toEqual({ 'losses.attacker': 0.25, 'losses.defender': -0.5 });
    const values = (player: string) => ['attacker', 'defender', 'mutual', 'none'].map((name) => value(name, player));
    expect([values('attacker'), values('defender')]).toEqual([
      [1, -1, 0, 0],
      [-1, 1, 0, 0],
    ]);
  });
});

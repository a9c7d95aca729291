/** Phased dice: battles that the kernel simulates in batches over tabulated states equal single battles. */
import { readdirSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { MAX_BATTLES } from '../../src/core/chance/stream.ts';
import { type KernelBuild, loadKernel, SystemKernel } from '../../src/engines/kernel/kernel.ts';
import { phasedDice } from '../../src/rules/phased-dice/index.ts';
import type { PhasedDice } from '../../src/rules/phased-dice/schema.ts';
import { loadScenario } from '../../src/rules/scenario/index.ts';
import {
  addBattle,
  type Counts,
  createCountsShape,
  createEmptyCounts,
  listValueCounts,
} from '../../src/stats/counts.ts';
import { DEPTH, some } from '../depth.ts';
import { idle, scenario } from './phased-dice-fight.ts';

const SEED = 2026n;
const BUILDS: readonly KernelBuild[] = ['release', 'debug'];

/** Values of the exported plan: tables may come later, exist, or will never exist. */
const PLAN = { notYet: 0, tabulated: 1, never: 2 };

let modules: readonly WebAssembly.Module[] = [];

beforeAll(async () => {
  modules = await Promise.all(BUILDS.map((build) => loadKernel('phased-dice', build)));
});

/** Returns two kernels of a scenario; the second is for single battles only. */
function kernelsOf(given: PhasedDice, module: WebAssembly.Module): readonly [SystemKernel, SystemKernel] {
  const make = () => new SystemKernel(module, createCountsShape(phasedDice.model(given)), phasedDice.encode(given));
  return [make(), make()];
}

/** Returns the counts of outcomes and of the values of each metric. */
const countsOf = (given: PhasedDice, counts: Counts): unknown => [
  [...counts.outcomes],
  phasedDice.model(given).metrics.map((_, metric) => listValueCounts(counts, metric)),
];

function expectSame(given: PhasedDice, cuts: readonly (readonly [number, number])[], builds = modules): void {
  for (const module of builds) {
    const [batches, single] = kernelsOf(given, module);
    const counted = createEmptyCounts(createCountsShape(phasedDice.model(given)));
    for (const [from, count] of cuts) {
      batches.run(SEED, from, count);
      for (let index = from; index < from + count; index++) {
        const { outcome, metrics } = single.play(SEED, index);
        addBattle(counted, outcome, metrics);
      }
    }
    expect(countsOf(given, batches.take())).toEqual(countsOf(given, counted));
  }
}

/** Returns the plan of a kernel after each of several runs. */
function plansOf(given: PhasedDice, runs: readonly number[]): number[] {
  const exports = bare(given);
  const call = (name: string, ...args: unknown[]): void => {
    (exports[name] as (...all: unknown[]) => void)(...args);
  };
  return runs.map((count) => {
    call('run', 1n, 0n, count);
    return (exports['plan'] as WebAssembly.Global).value as number;
  });
}

function bare(given: PhasedDice): WebAssembly.Exports {
  const instance = new WebAssembly.Instance(modules[0] as WebAssembly.Module, { env: { abort: () => undefined } });
  const { memory, scenarioAddress, reserve, configure } = instance.exports;
  const { outcomes, metrics } = createCountsShape(phasedDice.model(given));
  const shape = [outcomes.length, metrics.length, ...metrics.flatMap(({ min, max }) => [min, max - min + 1])];
  const bins = metrics.reduce((sum, { min, max }) => sum + max - min + 1, 1);
  const words = [...shape, ...phasedDice.encode(given)];
  (reserve as (...bytes: number[]) => number)(words.length * 4, bins * outcomes.length * 4);
  const at = (scenarioAddress as WebAssembly.Global).value as number;
  new Int32Array((memory as WebAssembly.Memory).buffer, at).set(words);
  (configure as () => void)();
  return instance.exports;
}

const shipped = readdirSync('scenarios').filter((file) => file.startsWith('phased-dice'));

describe.each(some(shipped))('%s', (file) => {
  it('has tables from the first battle on', async () => {
    const given = (await loadScenario(`scenarios/${file}`)) as PhasedDice;
    expect(plansOf(given, [1])).toEqual([PLAN.tabulated]);
  });

  it.each(DEPTH > 1 ? [1, 3, 4, 17, 511, 512, 513, 4097] : [1, 17, 513])(
    'has equal results in a run of %i battles',
    async (count) => {
      const given = (await loadScenario(`scenarios/${file}`)) as PhasedDice;
      expectSame(given, [[7, count]]);
    },
  );

  it('has equal results at the largest battle indices', async () => {
    const given = (await loadScenario(`scenarios/${file}`)) as PhasedDice;
    expectSame(given, [
      [2 ** 32 - 300, 600],
      [MAX_BATTLES - 700, 700],
    ]);
  });

  it('counts from zero after each take', async () => {
    const given = (await loadScenario(`scenarios/${file}`)) as PhasedDice;
    const [kernel] = kernelsOf(given, modules[0] as WebAssembly.Module);
    const [afresh] = kernelsOf(given, modules[0] as WebAssembly.Module);
    kernel.run(SEED, 0, 1000);
    kernel.take();
    kernel.run(SEED, 1000, 777);
    afresh.run(SEED, 1000, 777);
    expect(countsOf(given, kernel.take())).toEqual(countsOf(given, afresh.take()));
    expect([...kernel.take().outcomes].some((count) => count > 0)).toBe(false);
  });
});

const versus = (attacker: object, defender: object, options: object = {}): PhasedDice =>
  scenario({ ...options, attacker, defender });

/** Unit types with many dice, for scenarios with few states. */
const giants = (dice: number, hits: number) => ({
  unitTypes: {
    giant: { class: 'infantry', era: 3, dice, hits },
    ogre: { class: 'infantry', era: 3, dice: 40, hits, bonus: 1 },
    ram: { class: 'infantry', era: 2, dice: 5, hits: 4, bonus: -1 },
    titan: { class: 'cavalry', era: 4, dice: 20, hits, bonus: 9 },
  },
});

const rolls: readonly (readonly [string, PhasedDice])[] = [
  ['64 dice and 65', versus({ units: { giant: 1 } }, { units: { giant: 1, spearman: 1 } }, giants(64, 30))],
  ['dice for two words', versus({ units: { giant: 1 } }, { units: { giant: 1 } }, giants(65, 40))],
  ['two pools', versus({ units: { giant: 2, ram: 2 } }, { units: { ogre: 1, ram: 3 } }, giants(9, 30))],
  ['three pools', versus({ units: { giant: 1, ogre: 1, ram: 2 } }, { units: { giant: 2, ram: 1 } }, giants(20, 40))],
  ['dice for three words', versus({ units: { giant: 1 } }, { units: { giant: 1, titan: 1 } }, giants(100, 99))],
  ['dice that always hit', versus({ units: { titan: 3 } }, { units: { titan: 2, giant: 1 } }, giants(30, 50))],
  ['254 dice', versus({ units: { giant: 2 } }, { units: { giant: 2 } }, giants(100, 100))],
];

describe('rolls', () => {
  it.each(rolls)('of %s are tabulated and give equal results', (_, given) => {
    expect(plansOf(given, [1 << 18])).toEqual([PLAN.tabulated]);
    expectSame(given, [[0, 1 << 12]], modules.slice(0, 1));
    expectSame(given, [[0, 300]], modules.slice(1));
  });

  it('of more dice than a table of hits holds are never tabulated', () => {
    const given = versus({ units: { rifleman: 85 } }, { units: { spearman: 200 } });
    expect(plansOf(given, [1, 100])).toEqual([PLAN.never, PLAN.never]);
    expectSame(given, [[0, 100]]);
  });

  it('of units without dice are never tabulated', () => {
    const given = versus({ units: { fort: 2 } }, { units: { cart: 3 } }, idle);
    expect(plansOf(given, [1])).toEqual([PLAN.never]);
    expectSame(given, [[0, 9]]);
  });
});

describe('the end of a battle', () => {
  const pikes = { units: { spearman: 3, catapult: 1 } };
  const planes = { biplane: 2, spearman: 1, cannon: 1 };
  const carts = { units: { cart: 9, spearman: 1 } };
  const ends: readonly (readonly [name: string, attacker: object, defender: object, options?: object])[] = [
    ['after the last round', pikes, pikes, { maxRounds: 2 }],
    ['after a round', { ...pikes, retreat: { afterRounds: 2 } }, pikes],
    ['after the last round, that of the retreat', { ...pikes, retreat: { afterRounds: 1 } }, pikes, { maxRounds: 1 }],
    ['after the last round, weaker', { ...pikes, retreat: { whenWeaker: 1.5 } }, pikes, { maxRounds: 1 }],
    ['where the attacker is weaker', { ...pikes, retreat: { whenWeaker: 0.9 } }, pikes],
    ['with nowhere to go', { ...pikes, retreat: { whenWeaker: 1 }, retreatTo: 'none' }, pikes],
    ['without dice', { units: { fort: 2, spearman: 2 } }, { units: { cart: 9, spearman: 2 } }, idle],
    ['without dice, retreating', { ...carts, retreat: { afterRounds: 4 } }, carts, idle],
    ['of aircraft alone', { units: { jet: 1 } }, { units: planes }],
    ['of aircraft alone, drawn', { units: planes }, { units: { stealth: 2 } }, { airOnly: 'stalemate' }],
    ['of aircraft alone that go home', { units: planes, retreat: { afterRounds: 7 } }, { units: planes }],
    ['of aircraft alone that go home by a ratio of 0', { units: planes, retreat: { whenWeaker: 0 } }, pikes],
    [
      'of aircraft alone with nowhere to go',
      { units: planes, retreat: { whenWeaker: 0 }, retreatTo: 'none' },
      { units: planes },
    ],
    [
      'of aircraft alone after the last round',
      { units: planes, retreat: { afterRounds: 9 } },
      { units: planes },
      { maxRounds: 1 },
    ],
    ['with hits that wait', { units: { jet: 1, spearman: 3 } }, { units: { stealth: 1, spearman: 3, knight: 1 } }],
    ['before hits that wait fall', { units: { jet: 1, spearman: 2 } }, { units: { monoplane: 2 } }],
    ['before hits that wait fall on the defender', { units: { biplane: 2 } }, { units: { jet: 1, spearman: 2 } }],
    ['in the air', { units: { jet: 2, zeppelin: 1, cart: 1 } }, { units: planes }, idle],
    ['at sea', { units: { galley: 3, biplane: 2 } }, { units: { caravel: 2, stealth: 1 } }, { mode: 'fleet' }],
  ];

  it.each(
    some(ends).map(([name, attacker, defender, options = {}]) => [name, versus(attacker, defender, options)] as const),
  )('%s equals single battles', (_, given) => {
    expect(plansOf(given, [1])).toEqual([PLAN.tabulated]);
    expectSame(given, [
      [0, DEPTH > 1 ? 2000 : 600],
      [2000, 1],
    ]);
  });
});

describe('a scenario of many states', () => {
  const given = versus(
    { units: { knight: 4, rifleman: 5, cannon: 4, tank: 2 } },
    { units: { dragoon: 4, trebuchet: 5, spearman: 5, 'mechanized-infantry': 2 } },
  );

  it('is tabulated only after enough battles', () => {
    expect(plansOf(given, [4095, 1, 8192, 1 << 14])).toEqual([PLAN.notYet, PLAN.notYet, PLAN.notYet, PLAN.tabulated]);
  });

  it('has equal counts before and after', () => {
    expectSame(
      given,
      [
        [0, 3000],
        [3000, 3000],
        [6000, 20_000],
        [26_000, 999],
      ],
      modules.slice(0, 1),
    );
  });
});

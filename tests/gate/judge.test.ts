import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type KnownBenchmark, readBaseline, renewed, revisionOf } from '../../bench/gate/baseline.ts';
import {
  budgetsOf,
  decide,
  estimate,
  type GateFinding,
  judgeCounters,
  judgeInstructions,
  judgeRatio,
  ROUNDS,
} from '../../bench/gate/judge.ts';

const counters: KnownBenchmark['counters'] = {
  digest: 'a'.repeat(64),
  battles: 20_000,
  rounds: 167_001,
  draws: 16_682,
  rules: 25_023,
  chunks: 2442,
  moduleBytes: 1000,
  scenarioBytes: 324,
};
const known: KnownBenchmark = { counters, instructions: 1000, ratio: 2, ratioMost: 2.2, least: [2, 2, 2] };
const file = {
  ratio: 0.03,
  instructions: 0.01,
  bytes: 0.1,
  cells: 0.25,
  elsewhere: { ratio: 0.5, instructions: 0.25 },
};
const machine = { cpu: 'a processor', arch: 'x64', node: 'v20.0.0' };
const baseline = { machine, budgets: file, benchmarks: {}, cells: {} };
const budgets = budgetsOf(baseline, true, undefined);

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

describe('decisions by rounds', () => {
  test('a few rounds clearly below the limit suffice to pass', () => {
    expect(decide(times(ROUNDS.pass - 1, 1), 1.03)).toBe('undecided');
    expect(decide([1, 1.001, 0.999, 1, 1.001, 0.999, 1], 1.03)).toBe('within');
  });

  test('rounds near the limit or with a wide spread do not decide', () => {
    expect(decide([1.028, 1.027, 1.029, 1.028, 1.027, 1.029, 1.028], 1.03)).toBe('undecided');
    expect(decide([1, 1.06, 0.95, 1.05, 0.98, 1.07, 1.02], 1.03)).toBe('undecided');
  });

  test('a failure needs more rounds than a pass', () => {
    expect(decide(times(ROUNDS.fail - 1, 1.05), 1.03)).toBe('undecided');
    expect(decide(times(ROUNDS.fail, 1.05), 1.03)).toBe('beyond');
  });

  test('a minority of disturbed rounds does not change the decision', () => {
    expect(decide([1, 1.001, 1.3, 0.999, 1.5, 1.002, 1.001], 1.03)).toBe('within');
  });

  test('the median decides after the maximum number of rounds', () => {
    const [few, most] = [(ROUNDS.most - 1) / 2, (ROUNDS.most + 1) / 2];
    expect(decide([...times(few, 1), ...times(most, 1.031)], 1.03)).toBe('beyond');
    expect(decide([...times(most, 1), ...times(few, 1.031)], 1.03)).toBe('within');
  });

  test('an estimate from equal rounds still has a range above 0', () => {
    expect(estimate([2, 2, 2])).toEqual({ value: 2, range: expect.closeTo(0.0116, 4) as number });
  });
});

describe('counters', () => {
  const statuses = (changed: Partial<KnownBenchmark['counters']>): Record<string, GateFinding['status']> =>
    Object.fromEntries(
      judgeCounters('duel', { ...counters, ...changed }, known, budgets).map(({ what, status }) => [what, status]),
    );

  test('equal counters are ok', () => {
    expect(new Set(Object.values(statuses({})))).toEqual(new Set(['ok']));
  });

  test.each(['digest', 'battles', 'rounds'] as const)('a different %s breaks the gate', (what) => {
    const other = what === 'digest' ? 'b'.repeat(64) : counters[what] - 1;
    expect(statuses({ [what]: other })[what]).toBe('broken');
  });

  test.each(['draws', 'rules', 'chunks'] as const)('more %s break the gate, fewer are better', (what) => {
    expect(statuses({ [what]: counters[what] + 1 })[what]).toBe('broken');
    expect(statuses({ [what]: counters[what] - 1 })[what]).toBe('better');
  });

  test('a module may grow within its budget', () => {
    expect(statuses({ moduleBytes: 1100 })['moduleBytes']).toBe('ok');
    expect(statuses({ moduleBytes: 1101 })['moduleBytes']).toBe('broken');
  });

  test('a benchmark without a baseline has the status new', () => {
    const found = judgeCounters('duel', counters, undefined, budgets);
    expect(new Set(found.map(({ status }) => status))).toEqual(new Set(['new']));
  });
});

describe('instructions', () => {
  test.each([
    [1010, 'ok'],
    [1011, 'broken'],
    [989, 'better'],
  ] as const)('%i per battle against 1000: %s', (value, status) => {
    expect(judgeInstructions('duel', value, known, budgets).status).toBe(status);
  });

  test('without a baseline have the status new', () => {
    expect(judgeInstructions('duel', 1, { counters, ratio: 2, ratioMost: 3, least: [2] }, budgets).status).toBe('new');
  });
});

describe('ratios', () => {
  const status = (ratio: number, of: KnownBenchmark = known, allowed = budgets): string =>
    judgeRatio('duel', 'yardsticks', times(ROUNDS.most, ratio), of, allowed).status;

  test.each([
    [2, 'ok'],
    [2.05, 'ok'],
    [2.07, 'broken'],
    [1.9, 'better'],
  ] as const)('%f against 2: %s', (ratio, expected) => {
    expect(status(ratio)).toBe(expected);
  });

  test('have an absolute budget that does not depend on the baseline', () => {
    const crept: KnownBenchmark = { ...known, ratio: 2.19 };
    expect(status(2.19, crept)).toBe('ok');
    expect(status(2.21, crept)).toBe('broken');
  });

  test('have wider budgets on other machines', () => {
    const elsewhere = budgetsOf(baseline, false, undefined);
    expect(status(2.9, known, elsewhere)).toBe('ok');
    expect(status(3.1, known, elsewhere)).toBe('broken');
    expect(elsewhere.instructions).toBe(0.25);
  });

  test('of cells have a separate budget, and a wider one on other machines', () => {
    const [here, elsewhere] = [budgets, budgetsOf(baseline, false, undefined)];
    expect([here.cells, elsewhere.cells, budgetsOf(baseline, true, 0.3).cells]).toEqual([0.25, 0.5, 0.3]);
    const found = judgeRatio('duels', 'answers', times(ROUNDS.pass, 3), undefined, budgets, 'cells');
    expect(found).toMatchObject({ layer: 'cells', unit: 'answers, 7 rounds', status: 'new' });
  });

  test('have a wider absolute budget if a wide budget is requested', () => {
    const options = budgetsOf(baseline, true, 0.5);
    expect(status(2.9, known, options)).toBe('ok');
    expect(status(3.1, known, options)).toBe('broken');
  });
});

describe('a new baseline', () => {
  const renewedWith = (ratio: number, on = machine, before: KnownBenchmark = known) =>
    renewed(
      { ...baseline, benchmarks: { duel: before } },
      on,
      new Map([['duel', { counters, instructions: undefined, ratio }]]),
      new Map(),
    ).benchmarks['duel'];

  test('a faster kernel lowers its absolute budget only after three records', () => {
    const first = renewedWith(1);
    expect(first).toMatchObject({ ratio: 1, ratioMost: 2.2, least: [1, 2, 2] });
    const second = renewedWith(1.01, machine, first);
    expect(second).toMatchObject({ ratio: 1.01, ratioMost: 2.2, least: [1, 1.01, 2] });
    expect(renewedWith(1.02, machine, second)).toMatchObject({ ratio: 1.02, ratioMost: 1.12, least: [1, 1.01, 1.02] });
  });

  test('a slower kernel does not raise its absolute budget', () => {
    expect(renewedWith(2.1)).toMatchObject({ ratio: 2.1, ratioMost: 2.2, least: [2, 2, 2] });
  });

  test('a ratio above its absolute budget is an error on the same machine', () => {
    expect(() => renewedWith(2.3)).toThrow(
      'benchmarks.duel: the ratio 2.300 is above 2.2\nthe baseline is unchanged; to accept the slower',
    );
    expect(renewedWith(2.3, { ...machine, node: 'v22.0.0' })).toMatchObject({ ratio: 2.3, ratioMost: 2.53 });
  });

  test('a file with a ratio above its absolute budget is rejected', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'warpool-baseline-')), 'baseline.json');
    const entry = { ratio: 3, ratioMost: 2.9, least: [2.6] };
    for (const [content, place] of [
      [{ ...baseline, benchmarks: { duel: { ...known, ...entry } } }, 'benchmarks.duel.ratioMost'],
      [{ ...baseline, cells: { duels: entry } }, 'cells.duels.ratioMost'],
    ] as const) {
      writeFileSync(path, JSON.stringify(content));
      await expect(readBaseline(path)).rejects.toThrow(`${path} ${place}: expected at least its ratio, 3, found 2.9`);
    }
    await expect(readBaseline('bench/gate/baseline.json')).resolves.toBeDefined();
  });

  test('cells have separate absolute budgets', () => {
    const before = { ...baseline, cells: { duels: { ratio: 3, ratioMost: 4.05, least: [3, 3, 3] } } };
    const cellsWith = (ratio: number, on = machine) =>
      renewed(before, on, new Map(), new Map([['duels', ratio]])).cells['duels'];
    expect(cellsWith(2)).toEqual({ ratio: 2, ratioMost: 4.05, least: [2, 3, 3] });
    expect(cellsWith(4, { ...machine, node: 'v22.0.0' })).toEqual({ ratio: 4, ratioMost: 5.4, least: [4] });
  });

  test('instructions are kept on the same machine if they are not counted', () => {
    expect(renewedWith(2)?.instructions).toBe(1000);
    expect(renewedWith(2, { ...machine, node: 'v22.0.0' })?.instructions).toBeUndefined();
  });
});

describe('revisionOf', () => {
  test('distinguishes generations of processors with the same name', () => {
    const milan =
      'processor\t: 0\ncpu family\t: 25\nmodel\t\t: 1\nmodel name\t: AMD EPYC\nstepping\t: 1\n\nprocessor\t: 1\n';
    expect(revisionOf(milan)).toBe(', cpu family 25, model 1, stepping 1');
    expect(revisionOf(milan.replace('model\t\t: 1', 'model\t\t: 17'))).toBe(', cpu family 25, model 17, stepping 1');
    expect(revisionOf('CPU implementer\t: 0x41\nCPU part\t: 0xd0c\nCPU revision\t: 1')).toBe(
      ', CPU implementer 0x41, CPU part 0xd0c, CPU revision 1',
    );
    expect(revisionOf('')).toBe('');
  });
});

import { afterEach, describe, expect, test } from 'vitest';
import { findBattles } from '../../src/analysis/find-battles.ts';
import { solveWithBudget } from '../../src/analysis/solve.ts';
import { createProgram } from '../../src/cli/program.ts';
import { createLineClock, formatBar, runWithProgress } from '../../src/cli/progress.ts';
import { conform } from '../../src/conformance/conform.ts';
import {
  hasProgressListener,
  type ProgressNote,
  setProgressListener,
  type WorkProgress,
} from '../../src/core/progress.ts';
import { createBudget } from '../../src/engines/exact/budget.ts';
import { solveModel } from '../../src/engines/kernel/chain-solver.ts';
import { findBestResponseSync } from '../../src/environments/best-response/best-response.ts';
import { formatProgress, formatSweepProgress } from '../../src/report/text/progress.ts';
import { attrition } from '../../src/rules/attrition/index.ts';
import { getBoundScenario } from '../../src/rules/bound-scenario.ts';
import { applyChanges, loadScenario } from '../../src/rules/scenario/index.ts';
import { DEPTH } from '../depth.ts';

test('formatProgress shows finished work, rate and remaining time', () => {
  expect(formatProgress({ done: 2000, total: 10_000 }, 4, 'battles')).toBe('2 000 of 10 000 battles  500/s  16 s left');
  expect(formatProgress({ done: 2000, total: 10_000, isLowerBound: true }, 4, 'steps')).toBe(
    '2 000 of at least 10 000 steps  500/s  at least 16 s left',
  );
});

test('formatSweepProgress shows battles if they are reported', () => {
  const cells = { done: 0, cells: 2, before: 0 };
  expect(formatSweepProgress({ ...cells, battles: [1_000_000, 6_000_000] }, 10, 'cells')).toBe(
    '0 of 2 cells, 1 000 000 of 6 000 000 battles  100 000/s  50 s left',
  );
  expect(formatSweepProgress(cells, 10, 'cells')).toBe('0 of 2 cells');
  expect(formatSweepProgress({ done: 5, cells: 9, before: 1 }, 2, 'cells')).toBe('5 of 9 cells  2/s  2 s left');
});

test('createLineClock allows a line every 10 s, and every minute after the first', () => {
  const due = createLineClock(0);
  const shown: number[] = [];
  for (let second = 1; second <= 200; second++) if (due(1000 * second)) shown.push(second);
  expect(shown).toEqual([10, 20, 30, 40, 50, 60, 120, 180]);
});

test('formatBar fits the width and shows a percentage', () => {
  const line = formatBar({ done: 2000, total: 10_000 }, 4, 'battles', 120);
  expect(line).toBe(`${'█'.repeat(8)}${'░'.repeat(32)} 20 %  2 000 of 10 000 battles  500/s  16 s left`);
  expect(formatBar({ done: 5, total: 5 }, 1, 'cells', 20)).toBe('██████████ 100 %  5');
  expect(formatBar({ done: 0, total: 0 }, 1, 'steps', 80)).toMatch(/^░{10} 0 % /);
});

test('every command that can take long has the option --quiet', async () => {
  const { commands } = await createProgram();
  const quiet = commands.filter(({ options }) =>
    options.some(({ short, long }) => short === '-q' && long === '--quiet'),
  );
  const loud = commands.filter((command) => !quiet.includes(command)).map((command) => command.name());
  expect(loud.sort()).toEqual([
    ...['app', 'bench', 'check', 'columns', 'completion', 'manifest', 'new', 'queue', 'schema', 'systems'],
  ]);
});

describe('progress of synchronous work', () => {
  const received: (WorkProgress | ProgressNote)[] = [];
  const listen = (): void => {
    setProgressListener((work) => received.push(work));
  };
  const shown = (unit: string): WorkProgress[] =>
    received.filter((work): work is WorkProgress => 'unit' in work && work.unit === unit);
  afterEach(() => {
    setProgressListener(undefined);
    received.length = 0;
  });

  test('solveModel reports its steps and rounds', async () => {
    const { model } = getBoundScenario(await loadScenario('scenarios/attrition-direct.yaml'));
    const { distribution: exactDistribution, steps } = solveModel(model, createBudget(4_000_000));
    listen();
    expect(solveModel(model, createBudget(4_000_000)).distribution).toEqual(exactDistribution);
    const done = shown('steps').map((work) => work.done);
    expect(done).toEqual(Array.from({ length: Math.floor(steps / 4096) }, (_, k) => 4096 * (k + 1)));
    expect(done.length).toBeGreaterThan(0);
    for (const work of shown('steps')) expect(work.total).toBeGreaterThanOrEqual(work.done);
    for (const work of shown('rounds')) expect(work.total).toBeGreaterThanOrEqual(work.done);
    expect(shown('rounds').length).toBeGreaterThan(0);
  });

  test.runIf(DEPTH > 1)('solveWithBudget announces the duration of a long kernel computation', async () => {
    const mass = await loadScenario('scenarios/attrition-mass.yaml');
    const some = applyChanges(
      mass,
      [0, 1, 2, 3].map((c) => `combatants.${String(c)}.hp=16`),
    );
    listen();
    expect(() => solveWithBudget(some, createBudget(1e6))).toThrow(
      /steps or more are expected, about \d+ seconds and \d+ MB/,
    );
    expect(received).toEqual([]);
    expect(solveWithBudget(some, createBudget(19_000_000)).states).toBe(83_521);
    const note: unknown = expect.stringMatching(/^the exact answer is computed in one step: about \d seconds$/);
    expect(received).toEqual([{ note, isWarning: false }]);
  });

  test('findBestResponseSync reports its steps and rounds', async () => {
    listen();
    findBestResponseSync(await loadScenario('scenarios/phased-dice-dogfight.yaml'));
    expect(shown('rounds').length).toBeGreaterThan(0);
    expect(shown('steps').length).toBeGreaterThan(0);
  });

  test('runWithProgress listens only while the command runs without --quiet', async () => {
    expect(await runWithProgress({}, () => hasProgressListener())).toBe(true);
    expect(await runWithProgress({ quiet: true }, () => hasProgressListener())).toBe(false);
    await expect(runWithProgress({}, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(hasProgressListener()).toBe(false);
  });
});

test('findBattles and conform report their progress', async () => {
  const duel = await loadScenario('scenarios/attrition-direct.yaml');
  const looked: number[] = [];
  const stop = new AbortController();
  const { examined: all } = await findBattles(duel, {
    where: 'rounds=9999',
    battles: 1e9,
    signal: stop.signal,
    onProgress({ done, total: requested }) {
      expect(requested).toBe(1e9);
      if (looked.push(done) === 2) stop.abort();
    },
  });
  expect(looked[1]).toBeGreaterThan(looked[0] ?? 0);
  expect(all).toBeGreaterThanOrEqual(looked[1] ?? 0);
  const checked: (readonly number[])[] = [];
  const onScenario = (_: string, before: number, scenarios: number): unknown => checked.push([before, scenarios]);
  await conform(attrition, { quick: true, onScenario });
  expect(checked).toEqual(checked.map((_, s) => [s, checked.length]));
  expect(checked.length).toBeGreaterThan(2);
});

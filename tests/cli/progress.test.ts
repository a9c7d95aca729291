import { afterEach, describe, expect, test } from 'vitest';
import { optimalSync } from '../../src/agents/optimal/optimal.ts';
import { program } from '../../src/cli/program.ts';
import { barLine, lineClock, whileTold } from '../../src/cli/progress.ts';
import { hearWork, isHeard, type WorkNote, type WorkProgress } from '../../src/core/work.ts';
import { budgetOf } from '../../src/engines/exact/budget.ts';
import { solveModel } from '../../src/engines/kernel/chain.ts';
import { conform } from '../../src/kit/conform.ts';
import { attrition } from '../../src/rules/attrition/index.ts';
import { opened } from '../../src/rules/opened.ts';
import { applyChanges, loadScenario } from '../../src/rules/scenario/index.ts';
import { find } from '../../src/studies/find.ts';
import { solveWithin } from '../../src/studies/solve.ts';
import { longLine, progressLine } from '../../src/tell/text/progress.ts';
import { DEPTH } from '../depth.ts';

test('a line tells what is done, how fast, and what is left', () => {
  expect(progressLine({ done: 2000, asked: 10_000 }, 4, 'battles')).toBe('2 000 of 10 000 battles  500/s  16 s left');
});

test('a sweep of long cells tells battles', () => {
  const cells = { done: 0, cells: 2, before: 0 };
  expect(longLine({ ...cells, battles: [1_000_000, 6_000_000] }, 10, 'cells')).toBe(
    '0 of 2 cells, 1 000 000 of 6 000 000 battles  100 000/s  50 s left',
  );
  expect(longLine(cells, 10, 'cells')).toBe('0 of 2 cells');
  expect(longLine({ done: 5, cells: 9, before: 1 }, 2, 'cells')).toBe('5 of 9 cells  2/s  2 s left');
});

test('lines come every ten seconds in the first minute, then every minute', () => {
  const due = lineClock(0);
  const told: number[] = [];
  for (let second = 1; second <= 200; second++) if (due(1000 * second)) told.push(second);
  expect(told).toEqual([10, 20, 30, 40, 50, 60, 120, 180]);
});

test('a bar is as wide as there is room for, and counts a share', () => {
  const line = barLine({ done: 2000, asked: 10_000 }, 4, 'battles', 120);
  expect(line).toBe(`${'█'.repeat(8)}${'░'.repeat(32)} 20 %  2 000 of 10 000 battles  500/s  16 s left`);
  expect(barLine({ done: 5, asked: 5 }, 1, 'cells', 20)).toBe('██████████ 100 %  5');
  expect(barLine({ done: 0, asked: 0 }, 1, 'steps', 80)).toMatch(/^░{10} 0 % /);
});

test('every command that can take long is quiet on demand', async () => {
  const { commands } = await program();
  const quiet = commands.filter(({ options }) =>
    options.some(({ short, long }) => short === '-q' && long === '--quiet'),
  );
  const loud = commands.filter((command) => !quiet.includes(command)).map((command) => command.name());
  expect(loud.sort()).toEqual([
    ...[
      'bench',
      'check',
      'columns',
      'completion',
      'manifest',
      'new',
      'page',
      'queue',
      'schema',
      'serve-rollouts',
      'systems',
    ],
  ]);
});

describe('work that is done at one go tells how far it is', () => {
  const heard: (WorkProgress | WorkNote)[] = [];
  const listen = (): void => {
    hearWork((work) => heard.push(work));
  };
  const told = (unit: string): WorkProgress[] =>
    heard.filter((work): work is WorkProgress => 'unit' in work && work.unit === unit);
  afterEach(() => {
    hearWork(undefined);
    heard.length = 0;
  });

  test('a chain its steps, of which it expects more and more, and its rounds', async () => {
    const ground = await loadScenario('scenarios/phased-dice-great-wall.yaml');
    const { model } = opened(ground);
    const { law, steps } = solveModel(model, budgetOf(4_000_000));
    listen();
    expect(solveModel(model, budgetOf(4_000_000)).law).toEqual(law);
    const done = told('steps').map((work) => work.done);
    expect(done).toEqual(Array.from({ length: Math.floor(steps / 4096) }, (_, k) => 4096 * (k + 1)));
    expect(done.length).toBeGreaterThan(0);
    for (const work of told('steps')) expect(work.asked).toBeGreaterThanOrEqual(work.done);
    for (const work of told('rounds')) expect(work.asked).toBeGreaterThanOrEqual(work.done);
    expect(told('rounds').length).toBeGreaterThan(0);
  });

  test.runIf(DEPTH > 1)('a kernel that will be silent says for how long, but not below the usual budget', async () => {
    const mass = await loadScenario('scenarios/attrition-mass.yaml');
    const some = applyChanges(
      mass,
      [0, 1, 2, 3].map((c) => `combatants.${String(c)}.hp=16`),
    );
    listen();
    expect(() => solveWithin(some, budgetOf(1e6))).toThrow(
      /steps or more are to be expected, some \d+ seconds and \d+ MB/,
    );
    expect(heard).toEqual([]);
    expect(solveWithin(some, budgetOf(19_000_000)).states).toBe(83_521);
    expect(heard).toHaveLength(1);
    expect(JSON.stringify(heard[0])).toMatch(
      /^\{"note":"the exact answer is worked out at one go: some \d seconds"\}$/,
    );
  });

  test('best play, too', async () => {
    listen();
    optimalSync(await loadScenario('scenarios/phased-dice-last-stand.yaml'));
    expect(told('rounds').length).toBeGreaterThan(0);
    expect(told('steps').length).toBeGreaterThan(0);
  });

  test('as long as a command waits for it', async () => {
    expect(await whileTold({}, () => isHeard())).toBe(true);
    expect(await whileTold({ quiet: true }, () => isHeard())).toBe(false);
    await expect(whileTold({}, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(isHeard()).toBe(false);
  });
});

test('a search and the test kit tell how far they are', async () => {
  const duel = await loadScenario('scenarios/attrition-direct.yaml');
  const looked: number[] = [];
  const stop = new AbortController();
  const { looked: all } = await find(duel, {
    where: 'rounds=9999',
    battles: 1e9,
    signal: stop.signal,
    onProgress({ done, asked }) {
      expect(asked).toBe(1e9);
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

/** Balance problems without exact answers: search, confirmation, optimizers, and folders of evaluated cells. */
import { appendFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listRounds } from '../../src/analysis/balance-problem/simulated-search.ts';
import { AbortError, RunError } from '../../src/core/index.ts';
import { createSolutionNotes, createSolutionSheet, formatSolutionVerdict } from '../../src/report/balance/solution.ts';
import { createSettingMap } from '../../src/report/figures/setting-map.ts';
import { formatSheet } from '../../src/report/index.ts';
import { PLAIN_PAINT } from '../../src/report/text/table.ts';
import { balanceScenarios } from '../../src/storage/balance/balance-scenarios.ts';
import { validateBalanceProblem } from '../../src/storage/balance/load-problem.ts';

const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'warpool-problems-'));

const duel = {
  system: 'attrition',
  mode: 'direct',
  attacker: { attack: 1, defense: 1, hp: 12 },
  defender: { attack: 1, defense: 1, hp: 12 },
};

const createProblem = (targets: readonly unknown[]) =>
  validateBalanceProblem({
    scenarios: { plain: { scenario: duel } },
    fields: [
      { path: 'attacker.hp', range: [10, 14] },
      { path: 'defender.hp', range: [10, 14] },
    ],
    targets,
  });

const reachable = await createProblem([
  { target: 'plain.attacker = 55%', tolerance: '3pp' },
  'quantile(plain.rounds, 50%) <= 4',
]);
const conflicting = await createProblem([
  { target: 'plain.attacker >= 70%', tolerance: '2pp' },
  { target: 'plain.defender >= 60%', tolerance: '2pp' },
]);

const valuesOf = (settings: readonly { readonly values: readonly number[] }[]): string[] =>
  settings.map(({ values }) => values.join());

const simulated = { exact: 'never', battles: 20_000, workers: 1 } as const;

describe('simulated searches', () => {
  test('have rounds that grow to the number of battles', () => {
    expect(listRounds(1000)).toEqual([1000]);
    expect(listRounds(50_000)).toEqual([3125, 12_500, 50_000]);
  });

  test('confirm only settings that meet the targets in exact answers', async () => {
    const exact = await balanceScenarios(reachable);
    const found = await balanceScenarios(reachable, simulated);
    expect(exact.meeting.length).toBeGreaterThan(2);
    expect([found.exact, found.targetsMet]).toEqual([false, true]);
    // Three settings meet the targets; the search may leave some undecided.
    expect(found.allFound).toBe(found.undecided.length === 0);
    expect(found.meeting.length + found.undecided.length).toBe(found.possible);
    for (const each of valuesOf(found.meeting)) expect(valuesOf(exact.meeting)).toContain(each);
    // The search excludes no setting that meets the targets.
    expect(found.possible).toBeGreaterThanOrEqual(exact.meeting.length);
    expect(found.possible).toBeLessThan(found.settings);
    for (const { values, targets } of found.meeting) {
      const known = exact.meeting.find((each) => each.values.join() === values.join());
      for (const [t, { interval = [1, 0] }] of targets.entries()) {
        expect(interval[0]).toBeLessThanOrEqual(known?.targets[t]?.value ?? Number.NaN);
        expect(interval[1]).toBeGreaterThanOrEqual(known?.targets[t]?.value ?? Number.NaN);
      }
    }
    expect(createSolutionNotes(found).join(' ')).toContain('battles in the search, and again in the confirmation');
    // Another number of threads simulates the same battles.
    expect(await balanceScenarios(reachable, { ...simulated, workers: 2 })).toEqual(found);
    expect(await balanceScenarios(reachable, { ...simulated, seed: 2 })).not.toEqual(found);
  });

  test('confirm settings with battles that the search did not simulate', async () => {
    const out = join(temporaryFolder(), 'race');
    const { meeting } = await balanceScenarios(reachable, { ...simulated, out });
    interface Line {
      readonly cell: string;
      readonly reading: { readonly values: readonly number[] };
    }
    const lines = readFileSync(join(out, 'readings.jsonl'), 'utf8').trim().split('\n');
    const cells = lines.map((line) => JSON.parse(line) as Line);
    const starts = (from: number) => cells.filter(({ cell }) => cell.includes(` ${String(from)}..`));
    // All cells are simulated at least once; cells that may meet the targets are simulated further.
    expect(starts(0).length).toBeGreaterThan(25);
    expect(starts(0).length + starts(20_000).length).toBe(cells.length - 1);
    for (const { values, targets } of meeting) {
      const confirmed = starts(20_000).filter(({ cell }) =>
        cell.startsWith(`plain ${values.map((value) => value - 10).join()} `),
      );
      expect(confirmed.at(-1)?.reading.values).toEqual(targets.map(({ value }) => value));
    }
  });

  test('return a front of settings with small misses for conflicting targets', async () => {
    const exact = await balanceScenarios(conflicting);
    const found = await balanceScenarios(conflicting, simulated);
    expect([found.targetsMet, found.meeting.length, found.undecided.length]).toEqual([false, 0, 0]);
    expect(found.possible).toBeGreaterThanOrEqual(exact.front.length);
    expect(Math.abs(found.nearest.greatestMiss - exact.nearest.greatestMiss)).toBeLessThan(1.5);
    expect(formatSolutionVerdict(exact)).toMatch(/^No setting meets all 2 targets\. The nearest is attacker\.hp = /);
  });
});

test('the sheet and the figure of two fields contain all settings', async () => {
  const found = await balanceScenarios(conflicting);
  const text = formatSheet(createSolutionSheet(found), { width: 150, paint: PLAIN_PAINT });
  expect(text).toContain('1 scenario · 2 fields · 2 targets · 25 settings');
  expect(text).toMatch(
    /attacker\.hp +defender\.hp +miss 1 +miss 2 +steps +greatest step +greatest miss +targets +setting\n/,
  );
  const figure = createSettingMap(found);
  const spec = JSON.stringify(figure?.spec);
  expect(figure?.caption).toContain('The frame marks the current setting.');
  // One tile for each setting.
  expect(new Set(spec.match(/"tooltip":"attacker\.hp \d+, defender\.hp \d+/gu) ?? []).size).toBe(25);
});

describe('the current setting', () => {
  const load = (field: object) =>
    validateBalanceProblem({
      scenarios: {
        plain: {
          scenario: { ...duel, attacker: { ...duel.attacker, hp: 20 }, defender: { ...duel.defender, hp: 20 } },
        },
      },
      fields: [{ path: 'attacker.hp', ...field }],
      targets: [{ target: 'plain.attacker = 66%', tolerance: '2pp' }],
    });

  test.each([[26], [12], [40]])('has the target values of the current value %i', async (current) => {
    const found = await balanceScenarios(await load({ range: [20, 30], current }));
    const { nearest } = await balanceScenarios(await load({ range: [current, current], current }));
    expect(found.current).toEqual(nearest);
  });

  test('is exact for the value 26, and its simulated interval has the exact value', async () => {
    const problem = await load({ range: [20, 30], current: 26 });
    const [exact] = (await balanceScenarios(problem)).current.targets;
    expect(exact?.value).toBeCloseTo(0.606_12, 5);
    expect(exact?.miss).toBeCloseTo(1.69, 2);
    const [{ interval: [low, high] = [1, 0] } = {}] = (await balanceScenarios(problem, simulated)).current.targets;
    expect(low).toBeLessThan(exact?.value ?? 0);
    expect(high).toBeGreaterThan(exact?.value ?? 1);
  });

  test('needs values that the field allows', async () => {
    await expect(load({ range: [20, 30], current: 12.5 })).rejects.toThrow(
      /^fields\[0\]\.current: expected one of the integers within 1\.\.\d+, found 12\.5$/,
    );
    await expect(load({ range: [20, 30], current: 0 })).rejects.toThrow('found 0');
  });

  test.each([
    [[10, 20], 3, true],
    [[10, 19], 3, false],
  ])('of the range %j and the step %i has a note if the step does not reach the end', async (range, step, noted) => {
    const notes = createSolutionNotes(await balanceScenarios(await load({ range, step }))).join(' ');
    expect(notes.includes('attacker.hp: the step 3 does not reach the end of the range 10..20.')).toBe(noted);
  });
});

describe('optimizers', () => {
  test('choose settings and receive their evaluations', async () => {
    const asked = [[10, 10], [12.4, 11.6], [12, 12], undefined];
    const told: string[] = [];
    const optimizer = {
      next: 0,
      ask() {
        return asked[this.next++];
      },
      tell(setting: { readonly values: readonly number[]; readonly verdict: string } | undefined) {
        told.push(`${setting?.values.join() ?? ''} ${setting?.verdict ?? ''}`);
      },
    };
    const found = await balanceScenarios(conflicting, { optimizer });
    expect(told).toEqual(['10,10 fails', '12,12 fails', '12,12 fails']);
    expect([found.search, found.allFound, found.possible]).toEqual(['optimizer', false, 1]);
    expect(found.scenarios[0]?.evaluated).toBe(2);
  });

  test('must request settings within the ranges', async () => {
    const create = (values: readonly number[]) => ({ ask: () => values, tell: () => undefined });
    await expect(balanceScenarios(conflicting, { optimizer: create([10, 17]) })).rejects.toThrow(
      'ask: expected defender.hp in 10..14, found 17',
    );
    await expect(balanceScenarios(conflicting, { optimizer: create([10]) })).rejects.toThrow('ask: expected 2 numbers');
    await expect(balanceScenarios(conflicting, { optimizer: {} as never })).rejects.toThrow('optimizer: expected');
  });

  test('receive evaluations that stop when a setting is decided', async () => {
    const settings = [
      [14, 10],
      [12, 12],
    ];
    const evaluated: (number | undefined)[] = [];
    const optimizer = {
      ask: () => settings.shift(),
      tell: (setting: { readonly battles: number } | undefined) => evaluated.push(setting?.battles),
    };
    const found = await balanceScenarios(conflicting, {
      ...simulated,
      optimizer: { ...optimizer, tell: (each) => void optimizer.tell(each) },
    });
    expect(evaluated).toEqual([5000, 5000]);
    expect(found.targetsMet).toBe(false);
  });
});

describe('folders of evaluated cells', () => {
  const options = { search: 'complete' } as const;

  test('continue after an interrupt with the same result', async () => {
    const out = join(temporaryFolder(), 'search');
    const stop = new AbortController();
    const interrupted = balanceScenarios(reachable, {
      ...options,
      out,
      signal: stop.signal,
      onProgress({ done, unit }) {
        expect(unit).toBe('cells');
        if (done === 10) stop.abort();
      },
    });
    await expect(interrupted).rejects.toThrow(AbortError);
    const file = join(out, 'readings.jsonl');
    expect(readFileSync(file, 'utf8').split('\n').length).toBe(11);
    await expect(balanceScenarios(reachable, { ...options, out })).rejects.toThrow('option resume continues it');
    // A line that a killed process did not complete.
    appendFileSync(file, '{"cell":"plain 9');
    let evaluated = 0;
    const resumed = await balanceScenarios(reachable, { ...options, out, resume: true, onProgress: () => evaluated++ });
    expect(resumed).toEqual(await balanceScenarios(reachable, options));
    // 25 settings and the current one, without the ten stored ones.
    expect(evaluated).toBe(16);
    await expect(balanceScenarios(conflicting, { ...options, out, resume: true })).rejects.toThrow(
      'expected a search of the same problem with the same options',
    );
    const lines = readFileSync(file, 'utf8').split('\n');
    writeFileSync(file, [...lines.slice(0, 3), '{"cell":3}', ...lines.slice(3)].join('\n'));
    await expect(balanceScenarios(reachable, { ...options, out, resume: true })).rejects.toThrow(RunError);
  });

  test('reject folders without a search to resume, and folders with other files', async () => {
    const out = temporaryFolder();
    await expect(balanceScenarios(reachable, { resume: true })).rejects.toThrow('resume requires out');
    await expect(balanceScenarios(reachable, { out, resume: true })).rejects.toThrow('a search to resume');
    writeFileSync(join(out, 'notes.txt'), '');
    await expect(balanceScenarios(reachable, { out: out })).rejects.toThrow('a new or an empty folder');
  });
});

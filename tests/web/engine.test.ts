/** The engine of the web app has the numbers and digests of the library, and reports partial results. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { loadSystems, parseScenario, simulate, solveSync } from '../../src/index.ts';
import { createOutcomeTable } from '../../src/report/run/estimate-tables.ts';
import { createNote, createOmission } from '../../src/report/sheet/sheet.ts';
import { getBoundScenario } from '../../src/rules/bound-scenario.ts';
import type { Summary } from '../../src/stats/summary.ts';
import { answer, type PartialAnswer } from '../../web/engine/answer.ts';
import { check } from '../../web/engine/editing/check.ts';
import { setFields } from '../../web/engine/output/figures.ts';
import { createSheetParts } from '../../web/engine/output/sheet.ts';
import { createDistributions, type MetricDistribution } from '../../web/engine/output/tables.ts';
import { ProgressiveRunner } from '../../web/engine/progressive-runner.ts';
import { getSignal, task } from '../../web/engine/task.ts';

const TEXT = `system: attrition
mode: direct
attacker: { name: Swordsmen, attack: 1, defense: 1, hp: 30 }
defender: { name: Pikemen, attack: 1, defense: 1, hp: 25 }
`;

const SCENARIO = parseScenario(TEXT);

const ASK = { text: TEXT, file: 'my duel.yaml', seed: '7', effort: { kind: 'battles', battles: 30_000 } } as const;

describe('check', () => {
  test('returns problems with line, column and field', () => {
    const found = check.check('system: attrition\nmode: direct\nattacker: { name: A, attack: 1, defense: 1, hp: 0 }\n');
    expect(found).toMatchObject({
      ok: false,
      more: 0,
      problems: [
        { line: 1, column: 1, field: 'defender', found: 'nothing' },
        { line: 3, column: 49, field: 'attacker.hp', expected: 'an integer 1..100000', found: '0' },
      ],
    });
  });

  test('returns system, outcomes and scenario of a valid text', () => {
    expect(check.check(TEXT)).toMatchObject({
      ok: true,
      system: 'attrition',
      outcomes: ['attacker', 'defender', 'mutual', 'stalemate'],
      scenario: { maxRounds: SCENARIO['maxRounds' as keyof typeof SCENARIO] },
    });
  });
});

/** Sums the weights of a metric within a label: `3`, `4..7`. */
function shareIn({ metrics }: Summary, metric: string, label: string): number {
  const [from = 0, to = from] = label.split('..').map(Number);
  const weights = metrics.find(({ name }) => name === metric)?.histogram ?? [];
  const sum = (of: typeof weights): number => of.reduce((total, [, weight]) => total + weight, 0);
  return sum(weights.filter(([value]) => value >= from && value <= to)) / sum(weights);
}

/** Expects that all bars match both summaries and omit nothing. */
function expectTrue({ metric, bars }: MetricDistribution, one: Summary, two: Summary): void {
  for (const { label, share, exact } of bars) {
    expect(share, `${metric} ${label}`).toBeCloseTo(shareIn(one, metric, label), 12);
    expect(exact, `${metric} ${label}`).toBeCloseTo(shareIn(two, metric, label), 12);
  }
  expect(bars.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 12);
  expect(bars.reduce((sum, { exact = 0 }) => sum + exact, 0)).toBeCloseTo(1, 12);
}

describe('createDistributions for two results', () => {
  test('returns bars that match a scenario and a changed copy', () => {
    const text = readFileSync('scenarios/phased-dice-ground.yaml', 'utf8');
    const [one, two] = [text, setFields(text, [['attacker.units.cannon', 6]])].map((each) =>
      solveSync(parseScenario(each)),
    );
    if (one === undefined || two === undefined) throw new TypeError('two were solved');
    const exactDistributions = createDistributions(one.summary, one.shape, two.summary, []);
    for (const exactDistribution of exactDistributions) expectTrue(exactDistribution, one.summary, two.summary);
    const cannon = exactDistributions.find(({ metric }) => metric === 'left.attacker.cannon')?.bars;
    expect(cannon?.map(({ label }) => label)).toEqual(['0', '1', '2', '3', '4', '5', '6']);
    expect(cannon?.map(({ share }) => share).slice(4)).toEqual([0, 0, 0]);
    expect(cannon?.at(-1)?.exact).toBeCloseTo(0.8138, 4);
  });

  test('includes values that occur in the exact distribution but in no battle', async () => {
    const exactDistribution = solveSync(SCENARIO);
    const { summary } = await simulate(SCENARIO, { battles: 4, seed: 1 });
    const exactDistributions = createDistributions(summary, exactDistribution.shape, exactDistribution.summary, []);
    for (const each of exactDistributions) expectTrue(each, summary, exactDistribution.summary);
    const one = await simulate(SCENARIO, { battles: 1, seed: 1 });
    // In a single battle nothing varies; in the distribution it does.
    expect(
      createDistributions(one.summary, exactDistribution.shape, exactDistribution.summary, []).map(
        ({ metric }) => metric,
      ),
    ).toEqual(exactDistributions.map(({ metric }) => metric));
  });
});

describe('answers', () => {
  test('play returns the digest of the library after partial results in ascending order', async () => {
    const parts: PartialAnswer[] = [];
    const simulation = await answer.play(ASK, 1, (part) => parts.push(part));
    const plain = await simulate(SCENARIO, { battles: 30_000, seed: 7 });
    expect(simulation).toMatchObject({ digest: plain.digest, battles: 30_000, complete: true });
    expect(simulation.command).toBe("warpool run 'my duel.yaml' --battles 30000 --seed 7");
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.map(({ battles }) => battles)).toEqual(parts.map(({ battles }) => battles).toSorted((a, b) => a - b));
    expect(parts.at(-1)).toMatchObject({
      odds: simulation.odds,
      lines: simulation.lines,
      finePrint: simulation.finePrint,
    });
  });

  test('play with a precision target stops after the same battles as the library', async () => {
    const simulation = await answer.play(
      { ...ASK, effort: { kind: 'precision', precision: 0.01 } },
      2,
      () => undefined,
    );
    const plain = await simulate(SCENARIO, { precision: 0.01, seed: 7 });
    expect(simulation).toMatchObject({ digest: plain.digest, battles: plain.to });
    expect(simulation.stopping[0]).toMatch(/^precision reached: outcomes within ±0\.00\d+, requested ±0\.01$/);
    expect(simulation.command).toBe("warpool run 'my duel.yaml' --precision 0.01 --seed 7");
  });

  test('play returns the digest of the simulated battles after a stop', async () => {
    const ask = { ...ASK, effort: { kind: 'battles', battles: 10 ** 9 } } as const;
    const simulation = await answer.play(ask, 3, () => {
      task.stop(3);
    });
    const plain = await simulate(SCENARIO, { battles: simulation.battles, seed: 7 });
    expect(simulation).toMatchObject({ complete: false, digest: plain.digest });
    expect(simulation.command).toContain(`--battles ${String(simulation.battles)} `);
    task.over(3);
    expect(getSignal(3).aborted).toBe(false);
  });

  test('play returns exact probabilities next to the simulated ones', async () => {
    const exactDistribution = await answer.solve(ASK, false);
    expect(exactDistribution).toMatchObject({ kind: 'exact', command: "warpool exact 'my duel.yaml'" });
    const simulation = await answer.play(ASK, 4, () => undefined);
    expect(simulation.tables?.outcomes[0]?.exact).toBeCloseTo(0.5764759, 6);
    expect(simulation.lines[0]).toBe(
      'Swordsmen win 58 of 100 times (57.65 %) and then keep 13.6 hit points on average.',
    );
    expect(simulation.finePrint).toEqual([
      expect.stringMatching(/^Simulated: \d\d\.\d+ % of 30 000 battles \(95 % interval .* %\)\.$/),
    ]);
    expect(exactDistribution).toMatchObject({ lines: simulation.lines, odds: simulation.odds });
  });

  test('solve reports a distribution that is too large, and whether a retry may help', async () => {
    const of = (hp: number) => TEXT.replace('hp: 30', `hp: ${String(hp)}`).replace('hp: 25', `hp: ${String(hp)}`);
    const solved = (hp: number) => answer.solve({ text: of(hp), file: 'a.yaml' }, false);
    expect(await solved(90_000)).toMatchObject({ kind: 'too-large', mayRetry: false });
    expect(await solved(1500)).toMatchObject({ kind: 'too-large', mayRetry: true });
  });
});

describe('tables and distributions', () => {
  test('createSheetParts returns the tables of the command line', async () => {
    const { summary } = await simulate(SCENARIO, { battles: 1000 });
    const [table] = createSheetParts(createOutcomeTable(summary, 1000, undefined));
    expect(table).toMatchObject({
      kind: 'table',
      heads: [
        { head: 'outcome', number: false },
        { head: 'count', number: true },
        { head: '%', number: true },
        { head: '95 % interval', number: true },
      ],
    });
    const lines = createSheetParts([createNote('a line'), createOmission('2 metrics of parts')]);
    expect(lines).toEqual([
      { kind: 'line', text: 'a line' },
      { kind: 'line', text: '(2 metrics of parts not shown)' },
    ]);
  });

  test('bars cover the whole simulated and exact distribution', async () => {
    const { summary, shape } = await simulate(SCENARIO, { battles: 500 });
    const exactDistribution = await answer.solve(ASK, false);
    expect(exactDistribution.kind).toBe('exact');
    const exact = (await simulate(SCENARIO, { battles: 5000, seed: 3 })).summary;
    for (const exactDistribution of createDistributions(summary, shape, exact, []))
      expectTrue(exactDistribution, summary, exact);
  });
});

test('ProgressiveRunner returns the counts of an uninterrupted run', async () => {
  const run = { engine: 'kernel', scenario: SCENARIO, seed: 9n, from: 100, to: 50_100 } as const;
  let last = 0;
  const watched = new ProgressiveRunner((_, battles) => {
    last = battles;
  });
  const result = await watched.play(run);
  const plain = await simulate(SCENARIO, { seed: 9, from: 100, battles: 50_000 });
  expect(result).toMatchObject({ from: 100, to: 50_100, complete: true, counts: plain.counts });
  expect(last).toBe(50_000);
  expect(getBoundScenario(SCENARIO).shape).toEqual(plain.shape);
});

test('ProgressiveRunner reports the first battles before it compiles the rules', async () => {
  const systems = await loadSystems(['conquest-dice']);
  const scenario = parseScenario('system: conquest-dice\nattacker: 1000\ndefender: 1000\n', {
    source: 'long',
    systems,
  });
  const controller = new AbortController();
  const reported: number[] = [];
  const watched = new ProgressiveRunner((_, battles) => {
    reported.push(battles);
    controller.abort();
  });
  const run = { engine: 'kernel', scenario, seed: 1n, from: 0, to: 1_000_000 } as const;
  const began = performance.now();
  const { complete } = await watched.play(run, { signal: controller.signal });
  expect(reported[0]).toBe(64);
  expect(complete).toBe(false);
  // Compiling the rules takes more than ten seconds.
  expect(performance.now() - began).toBeLessThan(6000);
});

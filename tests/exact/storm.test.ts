/** Comparison with Storm, an independent model checker that reads the chains of `warpool exact --prism`. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';
import { BudgetError } from '../../src/core/errors.ts';
import { catchWriting, written } from '../cli/written.ts';
import { DEPTH } from '../depth.ts';

const python = (...args: readonly string[]) => spawnSync('python3', args, { encoding: 'utf8' });

const hasStorm = python('-c', 'import stormpy').status === 0;
if (!hasStorm)
  process.stderr.write('SKIPPED: Storm judges no exported chain, for stormpy is missing. Run: pip install stormpy\n');

/** Scenarios with: round limit reached, no rounds, one round, no metric `rounds`, rounds in the state, random start. */
const FEW = [
  'examples/games/conquest-dice-assault.yaml',
  'scenarios/attrition-deadlock.yaml',
  'scenarios/attrition-indirect.yaml',
  'scenarios/cube-bag-siege.yaml',
  'scenarios/token-conflict-pirates.yaml',
  'scenarios/token-conflict-short-stock.yaml',
];

const filesIn = (folder: string, system?: string): (readonly string[])[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.yaml') && (system === undefined || name.startsWith(`${system}-`)))
    .map((name) => [join(folder, name), ...(system === undefined ? [] : ['--systems', join(folder, `${system}.mjs`)])]);

const ALL = [
  ...filesIn('scenarios'),
  ...filesIn('examples/games'),
  ...['feint', 'hand', 'volley'].flatMap((system) => filesIn('examples/systems', system)),
];

interface Answer {
  readonly outcomes: Readonly<Record<string, { readonly p: number }>>;
  readonly metrics: Readonly<Record<string, { readonly mean: number }>>;
}

interface Exported {
  readonly file: string;
  readonly folder: string;
  readonly answer: Answer;
}

interface ExpectationResult {
  readonly outcomes: readonly number[];
  readonly over: number;
  readonly rounds: number | null;
}

beforeEach(catchWriting);

afterEach(() => {
  vi.restoreAllMocks();
});

/** Exports the chain of a scenario and returns its exact answer; undefined if it is too large. */
async function exported([file = '', ...options]: readonly string[], folder: string): Promise<Exported | undefined> {
  catchWriting();
  const args = ['node', 'warpool', 'exact', file, ...options, '--prism', folder, '--json'];
  try {
    await (await createProgram(['exact'])).parseAsync(args);
  } catch (error) {
    if (error instanceof BudgetError) return undefined;
    throw error;
  }
  return { file, folder, answer: JSON.parse(written.out) as Answer };
}

test.runIf(hasStorm)(
  `Storm agrees with the exact answers of ${DEPTH > 1 ? 'all shipped scenarios that can be exported' : 'some shipped scenarios'}`,
  { timeout: 300_000 },
  async () => {
    const root = mkdtempSync(join(tmpdir(), 'warpool-storm-'));
    const all: Exported[] = [];
    for (const [k, source] of (DEPTH > 1 ? ALL : FEW.map((file) => [file])).entries()) {
      const found = await exported(source, join(root, String(k)));
      if (found !== undefined) all.push(found);
    }
    // Two scenarios of mass combat are too large.
    expect(all.length).toBe(DEPTH > 1 ? ALL.length - 2 : FEW.length);
    const { stdout, stderr } = python('tests/exact/storm.py', ...all.map(({ folder }) => folder));
    expect(stderr).toBe('');
    for (const [k, { outcomes, over, rounds }] of (JSON.parse(stdout) as ExpectationResult[]).entries()) {
      const { file, folder, answer } = all[k] as Exported;
      const shares = Object.values(answer.outcomes).map(({ p }) => p);
      expect(outcomes.length, file).toBe(shares.length);
      for (const [o, share] of shares.entries()) expect(Math.abs((outcomes[o] ?? 0) - share), file).toBeLessThan(1e-11);
      expect(over, file).toBeCloseTo(1, 11);
      const { mean } = answer.metrics['rounds'] ?? {};
      expect(existsSync(join(folder, 'chain.srew')), file).toBe(rounds !== null);
      expect(Math.abs((rounds ?? 0) - (mean ?? 0)), file).toBeLessThan(1e-10 * Math.max(1, mean ?? 0));
      expect(rounds !== null, file).toBe((mean ?? 0) > 0);
    }
  },
);

/** Behavior of `signal` in all functions: an AbortError, or a partial result with `complete: false`. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { findBestResponse, findEquilibrium, runEpisodes, VectorEnv } from '../src/environments.ts';
import * as library from '../src/index.ts';
import { requireBuild } from './pool/fixtures.ts';

requireBuild();

const duel = await library.loadScenario('scenarios/attrition-direct.yaml');
const stand = await library.loadScenario('scenarios/phased-dice-last-stand.yaml');
const bluff = await library.loadScenario('scenarios/strength-cards-bluff.yaml');
const folder = mkdtempSync(join(tmpdir(), 'warpool-abort-'));
const at = (name: string): string => join(folder, name);

const SWEEP = `scenario: ${join(process.cwd(), 'scenarios/attrition-direct.yaml')}
axes: [{ path: attacker.hp, range: [1, 40] }, { path: defender.hp, range: [1, 40] }]
battles: 100
exact: never
`;
let sweep: library.Sweep;
let many: library.Sweep;

beforeAll(async () => {
  const { writeFileSync } = await import('node:fs');
  writeFileSync(at('few.yaml'), SWEEP.replaceAll('40', '2'));
  writeFileSync(at('many.yaml'), SWEEP);
  [sweep, many] = await Promise.all([library.loadSweep(at('few.yaml')), library.loadSweep(at('many.yaml'))]);
  await library.runSweep(sweep, { out: at('store') });
  await library.simulate(duel, { out: at('run'), battles: 1000 });
});

interface Watch {
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: object) => void;
}

const LONG = { battles: 1e9, seed: 1 };
const vary = [{ path: 'attacker.hp', range: [1, 60] as [number, number] }];
const space = ['attacker.hp=10..60'];
const expectations = (): Promise<library.Expectation[]> => library.loadExpectations('examples/balance.yaml');

/** Functions that accept a signal, and the effect of a later signal: an error, or a partial result with `complete`. */
const FUNCTIONS: readonly [
  name: string,
  call: (watch: Watch) => Promise<unknown>,
  later: 'throws' | 'complete' | 'finished' | undefined,
][] = [
  ['solve', (watch) => library.solve(stand, { budget: 1e9, ...watch }), undefined],
  ['optimal', (watch) => findBestResponse(stand, watch), undefined],
  ['coverage', (watch) => library.measureRuleCoverage(duel, { battles: 1e7, ...watch }), 'throws'],
  ['findEquilibrium', (watch) => findEquilibrium(bluff, watch), undefined],
  ['simulate', (watch) => library.simulate(duel, { ...LONG, ...watch }), 'complete'],
  ['simulate into a folder', (watch) => library.simulate(duel, { out: at('kept'), ...LONG, ...watch }), 'complete'],
  [
    'simulate a shard',
    (watch) => library.simulate(duel, { out: at('shard'), ...LONG, shard: { index: 1, of: 2 }, ...watch }),
    'complete',
  ],
  ['compare', (watch) => library.compare([duel, duel], { ...LONG, ...watch }), 'complete'],
  ['compareRules', (watch) => library.compareRules(duel, duel, { ...LONG, ...watch }), 'complete'],
  ['find', (watch) => library.findBattles(duel, { ...LONG, where: 'rounds > 1000000', ...watch }), 'complete'],
  ['balance', (watch) => library.balance(duel, { vary, target: 'attacker=0.5', exact: 'never', ...watch }), undefined],
  ['morrisSensitivity', (watch) => library.morrisSensitivity(duel, { space, ...watch }), undefined],
  ['sobolSensitivity', (watch) => library.sobolSensitivity(duel, { space, ...watch }), undefined],
  ['stepSensitivity', (watch) => library.stepSensitivity(duel, watch), undefined],
  ['checkExpectations', async (watch) => library.checkExpectations(await expectations(), watch), undefined],
  ['estimateSweep', ({ signal }) => library.estimateSweep(sweep, { workers: 1, signal }), undefined],
  ['runSweep', (watch) => library.runSweep(many, { out: at('swept'), ...watch }), 'complete'],
  [
    'runSweep of a shard',
    (watch) => library.runSweep(many, { out: at('swept-shard'), shard: { index: 1, of: 2 }, ...watch }),
    'complete',
  ],
  ['mergeStores', (watch) => library.mergeStores(at('store'), [], watch), undefined],
  ['verifyStore', (watch) => library.verifyStore(at('store'), watch), undefined],
  ['mergeStores of a run', (watch) => library.mergeStores(at('run'), [], watch), undefined],
  ['verifyStore of a run', (watch) => library.verifyStore(at('run'), watch), undefined],
  [
    'exportCsv',
    async ({ signal }) =>
      library.exportCsv(await library.openStore(at('store')), at('cells.csv'), { of: 'table', signal }),
    undefined,
  ],
  [
    'runEpisodes',
    async ({ signal, onProgress }) =>
      runEpisodes(await VectorEnv.create(duel, { numEnvs: 4 }), {
        policy: 'scenario',
        episodes: 1e9,
        seed: 1n,
        signal,
        onProgress,
      }),
    'complete',
  ],
];

test.each(FUNCTIONS)('%s rejects with an AbortError if the signal is already aborted', async (_name, call) => {
  const reason = new Error('client gone');
  const error: unknown = await call({ signal: AbortSignal.abort(reason) }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: 'AbortError', cause: reason });
  expect(error).toBeInstanceOf(library.AbortError);
  expect(error).toBeInstanceOf(library.RunError);
});

test.each(FUNCTIONS.filter(([, , later]) => later !== undefined))(
  '%s returns a partial result or throws an AbortError after a later signal',
  async (_name, call, later) => {
    const stop = new AbortController();
    const reason = new Error('enough');
    const end = (): void => {
      stop.abort(reason);
    };
    // Aborts after the first finished unit, so that a partial result exists on slow machines too.
    const timer = setTimeout(end, 20_000);
    const onProgress = (progress: object): void => {
      if (!('done' in progress) || Number(progress.done) > 0) end();
    };
    const result: unknown = await call({ signal: stop.signal, onProgress }).catch((error: unknown) => error);
    clearTimeout(timer);
    if (later === 'throws') expect(result).toMatchObject({ name: 'AbortError', cause: reason });
    // Some functions that write into a folder return `complete` in the field `result`.
    else
      expect({ ...(result as object), ...(result as { result?: object }).result }).toMatchObject({ complete: false });
  },
);

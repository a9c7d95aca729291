/** Verification of stored runs: consistency, and parts that are simulated again. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verify } from '../../src/report/schemas/stores.ts';
import { createVerifyJson, formatVerifySheet } from '../../src/report/sweep/verification.ts';
import { SHIPPED_REGISTRY } from '../../src/rules/shipped-registry.ts';
import { isRunIn } from '../../src/storage/store/manifest.ts';
import { verifyStore } from '../../src/storage/store/verify-store.ts';
import { DEPTH } from '../depth.ts';
import { forge, into, place, share, storeOf } from './folders.ts';

const PLAIN = { paint: { bold: String, dim: String, red: String, green: String, yellow: String }, width: 100 } as never;
const PART = 'histograms/part-00000-2033-3033.parquet';

async function kept(): Promise<string> {
  const folder = place();
  await into(folder);
  return folder;
}

test.runIf(DEPTH > 1)('verifyStore finds no faults in a valid run, and simulates some parts again', async () => {
  const folder = await kept();
  const found = await verifyStore(folder, { cells: 2, workers: 1, seed: 4 });
  expect(found).toMatchObject({ cells: 5, parts: 6, replayed: 2, faults: [], probability: 0.4, complete: true });
  expect(verify.parse(createVerifyJson(found))).toBeDefined();
  expect(formatVerifySheet(found, PLAIN, 'parts')).toContain('5 parts: sums, digests and all rows checked');
  const all = await verifyStore(folder, { probability: 1, engine: 'reference', workers: 1 });
  expect(all).toMatchObject({ replayed: 5, battles: 4500, engine: 'reference', faults: [] });
  expect(await isRunIn(folder, SHIPPED_REGISTRY)).toBe(true);
  expect(await isRunIn(place(), SHIPPED_REGISTRY)).toBe(false);
});

test('verifyStore finds a forged part with valid hashes by simulating it again', async () => {
  const folder = place();
  await share(folder, 1, 1);
  const store = await storeOf(folder);
  await store.write({ from: 2033, to: 3033 }, await store.read({ from: 3033, to: 4033 }));
  await into(folder, { resume: true });
  expect((await verifyStore(folder, { cells: 0 })).faults).toEqual([]);
  const { faults } = await verifyStore(folder, { probability: 1, workers: 1 });
  expect(faults).toEqual([{ where: PART, what: 'engine kernel gets different counts in 1000 battles' }]);
});

test('verifyStore reports damage, other files, a forged digest, and an unfinished run', async () => {
  const [damaged, stray, forged, unfinished] = [await kept(), await kept(), await kept(), place()];
  writeFileSync(join(damaged, PART), 'PAR1');
  expect((await verifyStore(damaged, { cells: 0 })).faults).toMatchObject([{ where: PART }]);
  writeFileSync(join(stray, 'histograms', 'notes.parquet'), '');
  expect((await verifyStore(stray, { cells: 0 })).faults).toMatchObject([{ where: 'histograms/notes.parquet' }]);
  forge(forged, (run) => ({ ...run, digest: 'f'.repeat(64) }));
  expect((await verifyStore(forged, { cells: 0 })).faults).toEqual([
    { where: 'manifest.json', what: 'its digest does not match its parts' },
  ]);
  forge(forged, (run) => ({ ...run, kernels: { ...(run['kernels'] as object), attrition: 'f'.repeat(64) } }));
  expect((await verifyStore(forged, { cells: 0 })).faults[0]?.what).toContain('kernels are from another build');
  writeFileSync(join(forged, 'manifest.json'), '{ "format": 2, "ruleset": "4" }');
  expect((await verifyStore(forged, { cells: 0 })).faults).toMatchObject([{ where: 'manifest.json' }]);
  await share(unfinished, 1, 2);
  expect((await verifyStore(unfinished, { cells: 0 })).faults[0]?.what).toBe(
    'the run is not finished: 3 of 5 parts exist',
  );
});

/** Stores of sweeps with custom systems. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { computeKernelHash } from '../../src/engines/kernel/kernel.ts';
import { hashModule } from '../../src/rules/identity.ts';
import { loadSystems } from '../../src/rules/load-systems.ts';
import type { SystemRegistry } from '../../src/rules/registry.ts';
import { createStore } from '../../src/storage/store/create-store.ts';
import { type StoreManifest, SWEEP_FOLDERS } from '../../src/storage/store/manifest.ts';
import { exportCsv, openStore } from '../../src/storage/store/open-store.ts';
import { runSweep } from '../../src/storage/store/run-sweep.ts';
import { verifyStore } from '../../src/storage/store/verify-store.ts';
import { loadSweep } from '../../src/storage/sweep/load-sweep.ts';
import { change, type Own, ownFolder } from '../custom-system.ts';
import { DEPTH } from '../depth.ts';

const SWEEP = `scenario: { system: my-duel }
axes: [{ path: attacker.hp, range: [1, 3] }, { path: defender.hp, values: [2, 3] }]
battles: 3000
exact: always
`;

interface Swept {
  readonly own: Own;
  readonly systems: SystemRegistry;
  readonly file: string;
  readonly folder: string;
}

async function prepared(text = SWEEP): Promise<Swept> {
  const own = ownFolder({ 'sweep.yaml': text });
  const systems = await loadSystems([own.path]);
  return { own, systems, file: join(own.folder, 'sweep.yaml'), folder: join(own.folder, 'store') };
}

const filled = async ({ file, folder, systems }: Swept, workers = 2): Promise<StoreManifest> =>
  (await runSweep(await loadSweep(file, { systems }), { out: folder, workers })).manifest;

let whole: Swept;
let manifest: StoreManifest;

beforeAll(async () => {
  whole = await prepared();
  manifest = await filled(whole);
});

/** Loads the same system after a change of one of its files. */
async function changed(): Promise<SystemRegistry> {
  const other = ownFolder();
  change(join(other.folder, 'blow.js'), '[0, 0, 0, 1, 1, 1]', '[0, 0, 1, 1, 1, 1]');
  return await loadSystems([other.path]);
}

test('worker threads load the module, and one and two threads write the same store', async () => {
  const again = await prepared();
  const { digest, parts } = await filled(again, 1);
  expect(manifest.complete).toBe(true);
  expect({ digest, parts }).toEqual({ digest: manifest.digest, parts: manifest.parts });
});

test('the manifest has the hashes of the module and of kernels that can simulate its cells', async () => {
  expect(manifest.systemHash).toBe(await hashModule(whole.systems.modules[0]?.url ?? ''));
  expect(manifest.kernels).toEqual({ automaton: computeKernelHash('automaton'), rounds: computeKernelHash('rounds') });
});

test.runIf(DEPTH > 1)('a sweep without finished cells resumes and writes the same bytes', async () => {
  const halves = await prepared();
  await createStore(await loadSweep(halves.file, { systems: halves.systems }), halves.folder);
  const sweep = await loadSweep(halves.file, { systems: halves.systems });
  const ended = await runSweep(sweep, { out: halves.folder, workers: 1, resume: true });
  expect(ended.manifest.parts).toEqual(manifest.parts);
});

test('openStore, exportCsv and verifyStore accept the system of a store', async () => {
  const { folder, systems, own } = whole;
  const store = await openStore(folder, { systems });
  expect(store.info).toMatchObject({
    system: 'my-duel',
    systemHash: manifest.systemHash,
    counts: { left: 'bruises' },
  });
  expect(await exportCsv(store, join(own.folder, 'rows.csv'), { of: 'table' })).toBe(6 * 6);
  for (const engine of ['reference', 'kernel'] as const) {
    const found = await verifyStore(folder, { systems, engine, cells: 3, workers: 1 });
    expect(found).toMatchObject({ replayed: 3, solved: 3, faults: [], complete: true });
  }
});

test.runIf(DEPTH > 1)('extended and recomputed sweeps have the digest of a new sweep', async () => {
  const { file, folder, systems } = await prepared();
  const sweep = async (text: string, mode: 'new' | 'extend' | 'recompute') => {
    writeFileSync(file, text);
    return (
      await runSweep(await loadSweep(file, { systems }), {
        out: folder,
        workers: 1,
        ...(mode !== 'new' && { [mode]: true }),
      })
    ).manifest;
  };
  await sweep(SWEEP.replace('3000', '1000'), 'new');
  const more = await sweep(SWEEP, 'extend');
  expect(more.digest).toBe(manifest.digest);
  await sweep(SWEEP.replace('[2, 3]', '[2, 3, 4]'), 'recompute');
  const back = await sweep(SWEEP, 'recompute');
  expect(back.digest).toBe(manifest.digest);
});

describe('a store is rejected', () => {
  const MADE = (hash: unknown) => `the system "my-duel" with hash ${String(hash)}, as when it was created`;

  test('without its system', async () => {
    const message = /manifest\.json: expected the file of its system "my-duel": option systems/;
    for (const act of [openStore, verifyStore, (folder: string) => SWEEP_FOLDERS.read(folder)])
      await expect(act(whole.folder)).rejects.toMatchObject({
        name: 'InputError',
        message: expect.stringMatching(message) as string,
      });
  });

  test('if a file that its module imports was changed', async () => {
    const [systems, hash] = [await changed(), manifest.systemHash];
    const own = systems.modules[0]?.hash;
    const rejection = {
      name: 'InputError',
      message: expect.stringContaining(`expected ${MADE(hash)}, found hash ${own}`) as string,
    };
    await expect(openStore(whole.folder, { systems })).rejects.toMatchObject(rejection);
    await expect(verifyStore(whole.folder, { systems })).rejects.toMatchObject(rejection);
    const sweep = await loadSweep(whole.file, { systems });
    for (const mode of ['new', 'resume', 'extend', 'recompute'] as const)
      await expect(
        runSweep(sweep, { out: whole.folder, workers: 1, ...(mode !== 'new' && { [mode]: true }) }),
      ).rejects.toMatchObject(rejection);
  });

  test('if its system is an object instead of a file, even for a new store', async () => {
    const systems = whole.systems.all.filter(({ id }) => id === 'my-duel');
    await expect(openStore(whole.folder, { systems })).rejects.toThrow('found a system given as an object');
    const sweep = await loadSweep(whole.file, { systems });
    await expect(runSweep(sweep, { out: join(whole.own.folder, 'never') })).rejects.toThrow(
      'expected a system from a file: option systems with loadSystems, found "my-duel", given',
    );
  });

  test('if the module changes before worker threads load it', async () => {
    const { own, file, folder, systems } = await prepared();
    const sweep = await loadSweep(file, { systems });
    change(own.path, 'Duel of a user', 'Duel of another');
    const message = `${own.path}: expected the file with hash ${String(systems.modules[0]?.hash)}, found hash`;
    await expect(runSweep(sweep, { out: folder, workers: 1 })).rejects.toThrow(message);
  });
});

/** Labels of axes, which change neither the cells nor the hash of a sweep. */
import { expect, test } from 'vitest';
import { openStore } from '../../src/storage/store/open-store.ts';
import { loadSweep } from '../../src/storage/sweep/load-sweep.ts';
import { computeSweepHash } from '../../src/storage/sweep/sweep.ts';
import { bytesOf, copyOf, manifestIn, place, run, sweepFile } from './folders.ts';

const PLAIN =
  'axes: [{ path: attacker.hp, range: [5, 7] }, { zip: [{ path: defender.hp, values: [4, 6] }, { path: defender.attack, values: [1, 2] }] }]\nbattles: 100';
const WORDED =
  'axes: [{ label: Swords, path: attacker.hp, range: [5, 7] }, { zip: [{ path: defender.hp, values: [4, 6] }, { label: "Pikes’ skill", path: defender.attack, values: [1, 2] }] }]\nbattles: 100';
const OTHER = WORDED.replace('Swords', 'Blades');

const titles = async (folder: string) => (await openStore(folder)).info.axes.map(({ label }) => label);

/** Returns all files except the manifest. */
const parts = (folder: string) => Object.entries(bytesOf(folder)).filter(([name]) => name !== 'manifest.json');

test('labels change neither hash nor parts, and a manifest without labels has no such field', async () => {
  const [plain, worded] = [place(), place()];
  const first = await run(PLAIN, plain);
  const second = await run(WORDED, worded);
  expect(second.manifest.digest).toBe(first.manifest.digest);
  expect(second.manifest.sweepHash).toBe(first.manifest.sweepHash);
  expect(parts(worded)).toEqual(parts(plain));
  expect(JSON.stringify(manifestIn(plain))).not.toContain('label');
  const hash = async (text: string) => computeSweepHash((await loadSweep(sweepFile(text))).spec);
  expect(await hash(OTHER)).toBe(await hash(PLAIN));
  expect(await hash(PLAIN.replace('[5, 7]', '[5, 8]'))).not.toBe(await hash(PLAIN));
});

test('labels are given ones, or else names, or else descriptions of the field', async () => {
  const folder = place();
  await run(WORDED, folder);
  expect(await titles(folder)).toEqual(['Swords', 'defender’s hit points', 'Pikes’ skill']);
  const named = place();
  await run(
    'axes: [{ name: hp, path: attacker.hp, range: [5, 6] }, { path: [defender.hp, defender.attack], values: [4] }]\nbattles: 10',
    named,
  );
  expect(await titles(named)).toEqual(['hp', 'defender’s hit points and defender’s attack']);
});

test('new labels of a store change only its manifest, without another simulation', async () => {
  const folder = place();
  await run(PLAIN, folder);
  const before = copyOf(folder);
  const again = await run(OTHER, folder, { mode: 'resume' });
  expect(again).toMatchObject({ complete: true, before: 6, cells: 6 });
  expect(await titles(folder)).toEqual(['Blades', 'defender’s hit points', 'Pikes’ skill']);
  expect(parts(folder)).toEqual(parts(before));
  const fresh = place();
  await run(OTHER, fresh);
  expect(bytesOf(folder)).toEqual(bytesOf(fresh));
  await run(PLAIN, folder);
  expect(bytesOf(folder)).toEqual(bytesOf(before));
});

test('new labels do not hide another change', async () => {
  const folder = place();
  await run(PLAIN, folder);
  await expect(run(OTHER.replace('[4, 6]', '[4, 7]'), folder)).rejects.toThrow(
    'axes[1].zip[0].values[1]: 6 in the store, 7 in the file',
  );
  expect((await titles(folder))[0]).toBe('attacker’s hit points');
});

test('an extended store has the new labels', async () => {
  const folder = place();
  await run(WORDED, folder);
  await run(OTHER, folder, { mode: 'extend', battles: 200 });
  expect((await titles(folder))[0]).toBe('Blades');
  expect(manifestIn(folder).sweep.battles).toBe(200);
  await run(OTHER, folder);
  expect(manifestIn(folder).sweep.battles).toBe(200);
});

test.each([
  ['label: ""', 'label: expected'],
  ['label: 7', 'label: expected'],
])('%s is rejected', async (label, message) => {
  await expect(loadSweep(sweepFile(`axes: [{ ${label}, path: attacker.hp, values: [1] }]`))).rejects.toThrow(message);
});

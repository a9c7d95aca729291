/** Sweeps that a signal interrupts. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '../../src/storage/store/open-store.ts';
import { runSweep, type SweepResult } from '../../src/storage/store/run-sweep.ts';
import { loadSweep } from '../../src/storage/sweep/load-sweep.ts';
import { DEPTH } from '../depth.ts';
import { place, sweepFile } from './folders.ts';

test('runSweep reports simulated battles of unfinished cells', async () => {
  const reported: (readonly [number, number])[] = [];
  const sweep = await loadSweep(
    sweepFile('axes: [{ path: attacker.hp, values: [5, 6] }]\nbattles: 2000000\nexact: never'),
  );
  await runSweep(sweep, { out: place(), workers: 1, onProgress: ({ battles }) => battles && reported.push(battles) });
  expect(reported.at(-1)).toEqual([4_000_000, 4_000_000]);
});

test('runSweep is complete if the signal comes after the last cell', async () => {
  const folder = place();
  const stop = new AbortController();
  const sweep = await loadSweep(sweepFile('axes: [{ path: attacker.hp, range: [5, 9] }]\nbattles: 1000'));
  const { complete, done } = await runSweep(sweep, {
    out: folder,
    workers: 1,
    signal: stop.signal,
    onProgress: (now) => {
      if (now.done === now.cells) stop.abort();
    },
  });
  expect({ complete, done, aborted: stop.signal.aborted }).toEqual({ complete: true, done: 5, aborted: true });
  expect((await openStore(folder)).info.complete).toBe(true);
});

test.runIf(DEPTH > 1)(
  'an interrupted sweep does not wait for a running solver, and counts only stored cells',
  async () => {
    const [folder, scenario] = [place(), join(place(), '..', 'melee.json')];
    const combatants = ['red', 'blue', 'green', 'grey'].map((party) => ({ party, name: party, attack: 1, defense: 1 }));
    const hard = combatants.map((each, c) => ({ ...each, hp: c === 0 ? 1 : 40 }));
    writeFileSync(scenario, JSON.stringify({ system: 'attrition', mode: 'mass', combatants: hard }));
    const text = `scenario: ${scenario}\naxes: [{ path: "combatants[0].hp", values: [40, 41] }]`;
    const file = join(place(), '..', 'melee-sweep.yaml');
    writeFileSync(file, `${text}\nbattles: 0\nexact: always\nbudget: 10000000000\n`);
    const stop = new AbortController();
    setTimeout(() => {
      stop.abort();
    }, 900);
    const result: SweepResult = await runSweep(await loadSweep(file), { out: folder, workers: 1, signal: stop.signal });
    expect(result).toMatchObject({ complete: false, done: 0, cells: 2 });
  },
);

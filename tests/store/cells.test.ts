/** Cells of a sweep without a folder. */
import { expect, test } from 'vitest';
import {
  AbortError,
  type CellResult,
  InputError,
  loadScenario,
  loadSweep,
  type Sweep,
  sweepCells,
  validateSweep,
} from '../../src/index.ts';
import { place, rowsOf, run, sweepFile } from './folders.ts';

const FIELDS = {
  axes: [
    { path: 'attacker.hp', range: [5, 9] },
    { path: 'defender.hp', values: [4, 6] },
  ],
  battles: 3000,
  seed: 5,
  where: 'attacker.hp != 7',
};

const TEXT =
  'axes: [{ path: attacker.hp, range: [5, 9] }, { path: defender.hp, values: [4, 6] }]\nbattles: 3000\nseed: 5\nwhere: attacker.hp != 7';

async function all(sweep: Sweep) {
  const cells: CellResult[] = [];
  for await (const cell of sweepCells(sweep)) cells.push(cell);
  return cells;
}

test('sweepCells returns the same rows as a store', async () => {
  const folder = place();
  await run(TEXT, folder);
  const sweep = await loadSweep(sweepFile(TEXT));
  const cells = await all(sweep);
  expect(cells.map(({ index }) => index)).toEqual([0, 1, 2, 3, 6, 7, 8, 9]);
  expect(cells.flatMap(({ rows }) => rows)).toEqual(await rowsOf(folder));
  expect(cells[0]?.played?.battles).toBe(3000);
  expect(cells[0]?.exact?.summary.outcomes).toHaveLength(4);
});

test('sweepCells returns the same cells for a scenario as an object or from a file', async () => {
  const sweep = await loadSweep(sweepFile(TEXT));
  const scenario = sweep.spec.scenario;
  const { name: _, ...fields } = scenario;
  const rows = (await all(sweep)).flatMap((cell) => cell.rows.map(({ digest, exact }) => [digest, exact]));
  for (const given of [scenario, fields]) {
    const made = await validateSweep({ ...FIELDS, scenario: given });
    expect((await all(made)).flatMap((cell) => cell.rows.map(({ digest, exact }) => [digest, exact]))).toEqual(rows);
  }
  const shipped = 'scenarios/attrition-direct.yaml';
  const named = await validateSweep({ axes: FIELDS.axes, scenario: shipped });
  expect(named.spec.scenario).toEqual(await loadScenario(shipped));
});

test('sweepCells computes cells only when they are requested', async () => {
  const sweep = await validateSweep({ ...FIELDS, scenario: 'scenarios/attrition-direct.yaml' });
  const looked: number[] = [];
  const watched: Sweep = {
    ...sweep,
    has: (point) => sweep.has(point),
    cell(point) {
      looked.push(point);
      return sweep.cell(point);
    },
  };
  for await (const { index } of sweepCells(watched)) if (index === 1) break;
  expect(looked).toEqual([0, 1]);
});

test('sweepCells throws an AbortError with the reason of the signal', async () => {
  const sweep = await validateSweep({ ...FIELDS, scenario: 'scenarios/attrition-direct.yaml' });
  const controller = new AbortController();
  const cells = sweepCells(sweep, { signal: controller.signal });
  expect((await cells.next()).value).toMatchObject({ index: 0 });
  controller.abort('enough');
  const error = await cells.next().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(AbortError);
  expect((error as AbortError).cause).toBe('enough');
});

test.each([
  [{}, 'axes: expected'],
  [{ ...FIELDS, scenario: { system: 'attrition' } }, 'mode: expected'],
  [{ ...FIELDS, scenario: 'scenarios/attrition-direct.yaml', axs: 1 }, 'axs: expected'],
  [
    { ...FIELDS, scenario: 'scenarios/attrition-direct.yaml', axes: [{ path: 'attacker.hp', range: [0, 9] }] },
    'attacker.hp',
  ],
  ['axes: []', 'expected'],
])('an invalid sweep %# is rejected with an InputError', async (value, message) => {
  const error = await validateSweep(value)
    .then(all)
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(InputError);
  expect((error as InputError).message).toContain(message);
});

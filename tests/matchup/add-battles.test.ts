/** Tests of additional battles for simulated matchups with undecided results. */
import { expect, test } from 'vitest';
import { analyzeMatchups, type MatchupResult, matchup, validateRoster } from '../../src/index.ts';
import { computePayoffs, PayoffSums } from '../../src/storage/matchup/read-payoffs.ts';
import { DEPTH, SEED } from '../depth.ts';

const scenario = {
  system: 'attrition',
  mode: 'direct',
  attacker: { attack: 1, defense: 1, hp: 20 },
  defender: { attack: 1, defense: 1, hp: 20 },
};

const armies = [
  { name: 'quick', set: { hp: 24, attack: 0 } },
  { name: 'plain', set: { hp: 20 } },
  { name: 'slow', set: { hp: 19, attack: 2, defense: 0 } },
  { name: 'large', set: { hp: 30 } },
];

const load = async (fields: object = {}) =>
  await validateRoster({ scenario, armies, exact: 'never', battles: 400, ...fields });

const widthsOf = ({ matrix: { lower, upper } }: MatchupResult): number[] =>
  Array.from(upper, (high, cell) => high - (lower[cell] ?? 0));

test('only open matchups get more battles, until no result is open', async () => {
  const roster = await load();
  const before = await matchup(roster);
  const after = await matchup(roster, { maxBattles: 400 * 4 ** 6 });
  const open = analyzeMatchups(before.matrix).undecided;
  expect(open.length).toBeGreaterThan(0);
  expect(open.length).toBeLessThan(16);
  expect(analyzeMatchups(after.matrix).undecided).toEqual([]);
  const widths = [widthsOf(before), widthsOf(after)];
  const isOpen = (cell: number): boolean => open.some(({ row, column }) => 4 * row + column === cell);
  for (let cell = 0; cell < 16; cell++) {
    const [wide = 0, narrow = 0] = widths.map((each) => each[cell]);
    // Seven stages share the error rate, so the other intervals are wider.
    if (isOpen(cell)) expect(narrow).toBeLessThan(wide);
    else {
      expect(narrow).toBeGreaterThan(wide);
      expect(after.matrix.values[cell]).toBe(before.matrix.values[cell]);
    }
  }
  expect(after).toMatchObject({ solved: 0, simulated: 16 });
  expect(after.battles % 400).toBe(0);
  expect(await matchup(roster, { maxBattles: 400 * 4 ** 6, workers: 2 })).toMatchObject({
    matrix: after.matrix,
    battles: after.battles,
  });
});

test('a stage has the payoffs of a roster with the same number of battles', async () => {
  const roster = await load({ armies: armies.slice(0, 2) });
  const { matrix, battles } = await matchup(roster, { maxBattles: 6399 });
  expect(battles).toBe(4 * 1600);
  expect(matrix.values).toEqual((await matchup(roster, { battles: 1600 })).matrix.values);
});

test('all payoffs are in their intervals, in at least 95 % of all seeds', async () => {
  const exact = await matchup(await load({ exact: 'always', battles: undefined }));
  const roster = await load({ battles: 100 });
  const runs = DEPTH > 1 ? 150 : 6;
  let covered = 0;
  for (let run = 0; run < runs; run++) {
    const { matrix } = await matchup(roster, { seed: SEED + run, maxBattles: 6400 });
    covered += Number(
      exact.matrix.values.every(
        (value, cell) => (matrix.lower[cell] ?? 0) <= value && value <= (matrix.upper[cell] ?? 0),
      ),
    );
  }
  // Three standard errors below 95 %.
  expect(covered / runs).toBeGreaterThan(0.95 - 3 * Math.sqrt((0.95 * 0.05) / runs));
});

test('all terrains of an open matchup get more battles', async () => {
  const terrains = [{ name: 'plain' }, { name: 'hill', set: { 'defender.defense': 2 } }];
  const { battles, simulated } = await matchup(await load({ armies: armies.slice(0, 2), terrains }), {
    maxBattles: 1600,
  });
  expect(simulated).toBe(8);
  // All four matchups are open.
  expect(battles).toBe(8 * 1600);
});

test('a cell that is solved in a later stage counts as solved', async () => {
  const roster = await load({ armies: armies.slice(0, 1) });
  const row = { cell: 0, kind: 'outcome', battles: 0, estimate: null, standard_deviation: 0 } as const;
  const rows = [
    { ...row, name: 'attacker', exact: 0.5 },
    { ...row, name: 'defender', exact: 0.25 },
  ];
  const found = computePayoffs(roster, { sums: new PayoffSums(roster), simulated: new Map([[0, rows]]) }, 3);
  expect(found).toMatchObject({ solved: 1, simulated: 0, battles: 0 });
  expect([found.matrix.values[0], found.matrix.lower[0], found.matrix.upper[0]]).toEqual([0.25, 0.25, 0.25]);
});

test('solved matchups need no battles', async () => {
  const roster = await load({ exact: 'auto' });
  expect(await matchup(roster, { maxBattles: 1e6 })).toMatchObject({ solved: 16, simulated: 0, battles: 0 });
});

test.each([
  [{ maxBattles: 399 }, {}, 'maxBattles: expected at least the 400 battles of all matchups, found 399'],
  [{ maxBattles: 1000 }, { exact: 'always', battles: undefined }, 'maxBattles cannot be combined with exact always'],
  [{ maxBattles: 1e6 }, { battles: undefined, precision: 0.01 }, 'maxBattles cannot be combined with precision'],
  [{ maxBattles: 1000, out: 'out' }, {}, 'maxBattles cannot be combined with out'],
  [{ maxBattles: 0.5 }, {}, 'maxBattles: expected an integer 1'],
])('%j with %j is rejected', async (options, fields, message) => {
  const roster = await load(fields);
  await expect(matchup(roster, options)).rejects.toThrow(message);
});

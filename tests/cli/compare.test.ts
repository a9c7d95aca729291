import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { DEPTH } from '../depth.ts';
import { called, getOutput } from './called.ts';
import { DUEL, file } from './warpool.ts';

const duel = readFileSync(DUEL, 'utf8');
const STRONGER = file('stronger.yaml', duel.replace('attack: 1', 'attack: 2'));
/** Creates a scenario that is too large for an exact answer in a comparison with few battles. */
const crowd = (attack: number): string =>
  `system: attrition
mode: mass
maxRounds: 300
combatants:
${['red', 'blue', 'green', 'grey'].map((party) => `  - { name: ${party}, party: ${party}, attack: ${String(attack)}, defense: 1, hp: 300 }`).join('\n')}
`;
const CROWDS = [1, 1, 6].map((attack, c) => file(`crowd-${String(c)}.yaml`, crowd(attack)));

const compared = (...args: readonly string[]) => getOutput('compare', ...args);

describe('compare', () => {
  test('prints all differences of two scenarios', async () => {
    const text = await compared(DUEL, STRONGER, '--battles', '2e4', '--seed', '5', '--from', '7');
    expect(text).toContain('duel · stronger · 20 000 battles each from 7 · the same dice · seed 5\n');
    for (const part of ['outcome, %', 'metric, mean', 'difference', '95 % interval', 'variance', 'hp.defender']) {
      expect(text).toContain(part);
    }
    expect(text).toContain('\nattacker: stronger is higher than duel, by exact values\n');
  });

  test('reports ties and values without a significant difference', async () => {
    expect(await compared(DUEL, DUEL, '--battles', '1e3')).toContain('\nattacker: a tie, by exact values\n');
    const text = await compared(CROWDS[0] ?? '', CROWDS[1] ?? '', '--battles', '200', '--of', 'rounds');
    expect(text).toContain('\nrounds: no significant difference; no battle differs\n');
  });

  test('ranks several scenarios and groups those without significant differences', async () => {
    const text = await compared(...CROWDS, '--battles', '300', '--of', 'rounds');
    expect(text).toMatch(/^3 scenarios · 300 battles each · the same dice · seed 1\n/);
    expect(text).toMatch(/\ncrowd-0 +1-2 .* a\ncrowd-1 +1-2 .* a\ncrowd-2 +3 .* b\n/);
    expect(text).toMatch(/\ncrowd-0 - crowd-1 +0.* no battle differs\n/);
    expect(text).toContain('do not differ significantly');
    expect(text).toContain('(Bonferroni)');
  });

  test('prints only neighboring pairs of many scenarios', async () => {
    const text = await compared(...Array.from({ length: 7 }, () => DUEL), '--battles', '100');
    expect(text.match(/ - duel/g)).toHaveLength(6);
    expect(text).toContain('(--json also has the 15 pairs that are not neighbors)');
  });

  test('--json prints one object', async () => {
    const found = JSON.parse(await compared(DUEL, STRONGER, DUEL, '--battles', '2e3', '--json')) as unknown;
    const [number, interval] = [expect.any(Number) as number, [expect.any(Number), expect.any(Number)]];
    const standing = { hash: expect.any(String) as string, value: number, ci95: interval, exact: number };
    expect(found).toMatchObject({
      system: 'attrition',
      of: 'attacker',
      kind: 'outcome',
      seed: '1',
      from: 0,
      battles: 2000,
      scenarios: [
        { name: 'duel', ...standing, rank: [2, 3] },
        { name: 'stronger', ...standing, rank: [1, 1] },
        { name: 'duel (2)', ...standing, rank: [2, 3] },
      ],
      order: [1, 0, 2],
      groups: [[1], [0, 2]],
      pairs: [
        {
          first: 0,
          second: 1,
          difference: number,
          ci95: interval,
          verdict: 'higher',
          battlesNeeded: number,
          varianceReduction: number,
        },
        { first: 0, second: 2, difference: 0, verdict: 'tie', battlesNeeded: null, varianceReduction: null, exact: 0 },
        { first: 1, second: 2, verdict: 'lower' },
      ],
    });
  });

  test.runIf(DEPTH > 1)('--best prints the best scenario and why others were eliminated', async () => {
    const text = await compared(...CROWDS, '--battles', '3000', '--of', 'rounds', '--best', 'highest');
    expect(text).toMatch(/^3 scenarios · the highest rounds · at most 3 000 battles each · the same dice · seed 1\n/);
    expect(text).toMatch(/\ncrowd-2 +[0-9.]+ +1 333 +1 +crowd-[01] +-[0-9.]+ \.\. -[0-9.]+\n/);
    expect(text).toMatch(
      /\nrounds: a tie of crowd-0, crowd-1: no significant difference after 3 000 battles each; they differ by [0-9.]+ at most/,
    );
    expect(text).toContain('\n1 667 of 9 000 battles saved; at most 3 interim analyses, the first after 1 333');
    const lowest = await compared(...CROWDS, '--battles', '3000', '--of', 'rounds', '--best', 'lowest');
    expect(lowest).toContain('\nrounds: crowd-2 is the lowest\n');
    expect(lowest).toMatch(/\nunobserved differences may change these values by up to [0-9.]+\n/);
    const bounded = await compared(...CROWDS, '--battles', '3000', '--of', 'rounds', '--best', 'lowest', '--bounded');
    expect(bounded).toContain('\nintervals of differences are valid for every distribution in the declared ranges');
    const exact = await compared(DUEL, STRONGER, DUEL, '--best', 'highest');
    expect(exact).toContain('\nattacker: stronger is the highest, by exact values\n');
  });

  test('--best --json prints the result of the search', async () => {
    const args = [...CROWDS, '--battles', '3000', '--of', 'rounds', '--best', 'highest', '--indifference', '5'];
    expect(JSON.parse(await compared(...args, '--json'))).toMatchObject({
      battles: 1333,
      best: {
        goal: 'highest',
        indifference: 5,
        remaining: [0, 1],
        reason: 'indifference',
        eliminated: [{ scenario: 2, analysis: 1, battles: 1333 }],
        analyses: [1333, 2000, 3000],
        simulated: [1333, 1333, 1333],
        savedBattles: 5001,
      },
    });
  });

  test.each([
    [['--best', 'most'], '--best: expected one of highest, lowest, found "most"\n'],
    [['--indifference', '1'], '--indifference requires --best highest or --best lowest\n'],
    [
      ['--best', 'lowest', '--indifference', '0'],
      '--indifference: expected a number above 0, or points of probabilities such as 1pp, found "0"\n',
    ],
  ])('rejects %j', async (target, message) => {
    expect(await called(['compare', DUEL, STRONGER, ...target])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: message,
    });
  });
});

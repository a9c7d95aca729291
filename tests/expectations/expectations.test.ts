/** Parsing of expectation files, and verdicts of expectations. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { decideBySimulation } from '../../src/analysis/bounds-decision.ts';
import { checkExpectations, loadExpectations } from '../../src/analysis/expectations/index.ts';
import { solveSync } from '../../src/analysis/solve.ts';
import { AbortError, InputError } from '../../src/core/errors.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'warpool-expectations-'));
const DUEL = `system: attrition
mode: direct
attacker: { name: Swords, attack: 1, defense: 1, hp: 30 }
defender: { name: Pikes, attack: 1, defense: 1, hp: 25 }
`;

let files = 0;

function file(text: string, name = `file-${String(++files)}.yaml`): string {
  const path = join(FOLDER, name);
  writeFileSync(path, text);
  return path;
}

mkdirSync(join(FOLDER, 'armies'));
file(DUEL, 'armies/duel.yaml');

/** Writes a file of expectations on the duel, one for each sentence; returns its path. */
const about = (...sentences: readonly string[]): string =>
  file(
    [
      'scenario: armies/duel.yaml',
      'expectations:',
      ...sentences.map((s, i) => `  - { name: "${String(i)}", expect: ${s} }`),
    ].join('\n'),
  );

async function rejection(path: string): Promise<string> {
  const error: unknown = await loadExpectations(path).catch((reason: unknown) => reason);
  if (error instanceof InputError) return error.message.replaceAll(`${FOLDER}/`, '');
  throw new Error('not refused');
}

describe('loadExpectations', () => {
  test('uses top-level fields unless an expectation sets them', async () => {
    const path = file(`
scenario: armies/duel.yaml
seed: 7
battles: 1000
error: 0.02
expectations:
  - { name: a, expect: attacker at least 0.5 }
  - { name: b, expect: rounds at most 9, seed: 8, battles: 2000, error: 0.001, set: { attacker.hp: 25 } }
  - { name: c, expect: Red at least 0, scenario: { system: attrition, mode: mass, combatants: [
      { name: A, party: Red, attack: 1, defense: 1, hp: 3 }, { name: B, party: Blue, attack: 1, defense: 1, hp: 2 } ] } }
`);
    const [a, b, c] = await loadExpectations(path);
    expect(a).toMatchObject({ name: 'a', file: 'armies/duel.yaml', seed: '7', battles: 1000, error: 0.02 });
    expect(a?.scenario).toMatchObject({ attacker: { hp: 30 } });
    expect(b).toMatchObject({ seed: '8', battles: 2000, error: 0.001, scenario: { attacker: { hp: 25 } } });
    expect(c).toMatchObject({ file: undefined, scenario: { mode: 'mass' } });
  });

  test('reads JSON and fills in defaults', async () => {
    const path = file(
      JSON.stringify({ expectations: [{ name: 'a', scenario: 'armies/duel.yaml', expect: 'attacker at least 0.5' }] }),
    );
    expect(await loadExpectations(path)).toMatchObject([{ seed: '1', battles: 1_000_000, error: 0.01 }]);
  });

  test.each([
    ['', 'expected expectations, found an empty file'],
    ['expectations: []', ':1:15 expectations: expected a list of 1 to 1000, found an empty list'],
    ['expectation: [1]', ':1:1 expectation: expected one of scenario, seed, battles, error, bounded, expectations'],
    [
      'expectations:\n  - { name: a, expect: attacker at most 1 }',
      ':2:5 expectations[0].scenario: expected a scenario',
    ],
    ['expectations:\n  - { expect: 3, name: a }', ':2:15 expectations[0].expect: expected a string of 1 to 400'],
    [
      'scenario: armies/duel.yaml\nexpectations:\n  - name: a\n    expect: atacker at most 1',
      ':4:13 expectations[0].expect: expected one of attacker, defender, mutual, stalemate, rounds',
    ],
    [
      'scenario: armies/duel.yaml\nexpectations:\n  - name: a\n    expect: rounds at most 1\n    set: { attacker.hp: 0 }',
      ':5:10 expectations[0].set attacker.hp: expected an integer 1..100000, found 0',
    ],
    [
      'scenario: armies/duel.yaml\nerror: 0.5\nexpectations: [{ name: a, expect: rounds at most 1 }]',
      ':2:8 error: expected a number 1e-9..0.25, found 0.5',
    ],
    [
      'scenario: armies/duel.yaml\nexpectations:\n  - { name: a, expect: rounds at most 1 }\n  - { name: a, expect: rounds at most 1 }',
      ':4:13 expectations[1].name: expected a name that no other expectation has, found "a" again (first at',
    ],
    [
      'scenario: { system: atrition }\nexpectations: [{ name: a, expect: b at most 1 }]',
      ':1:21 system: expected one of',
    ],
    [
      'expectations:\n  - name: a\n    expect: b at most 1\n    scenario:\n      system: attrition\n      mode: direct\n      attacker: { attack: 1, defense: 1, hp: 0 }\n      defender: { attack: 1, defense: 1, hp: 1 }',
      ':7:46 attacker.hp: expected an integer 1..100000, found 0',
    ],
  ])('rejects %j', async (text, message) => {
    expect(await rejection(file(text))).toContain(message);
  });

  test('reports the path of an unreadable scenario', async () => {
    const path = file('scenario: armies/none.yaml\nexpectations: [{ name: a, expect: b at most 1 }]');
    expect(await rejection(path)).toMatch(
      /yaml:1:11 scenario: expected a readable file, found no such file: armies.none\.yaml$/,
    );
  });

  test('reports all errors of a file together', async () => {
    const found = await rejection(about('rounds', 'attacker at most 1', 'attacker at most 2'));
    expect(found.split('\n').map((line) => line.replace(/.*(expectations\S*).*/, '$1'))).toEqual([
      'expectations[0].expect:',
      'expectations[2].expect:',
    ]);
  });
});

describe('verdicts', () => {
  test('options replace seed, battles and bounded of the file', async () => {
    const scenario = 'scenario: armies/duel.yaml\nseed: 7\nbattles: 1000\nbounded: true\n';
    const path = file(`${scenario}expectations: [{ name: a, expect: attacker at least 0.5 }]\n`);
    const expectations = await loadExpectations(path);
    const [own] = await checkExpectations(expectations);
    expect(own?.expectation).toMatchObject({ seed: '7', battles: 1000, bounded: true });
    const [instead] = await checkExpectations(expectations, { seed: 0, battles: 2000, bounded: false });
    expect(instead?.expectation).toMatchObject({ seed: '0', battles: 2000, bounded: false });
  });

  test('exact answers hold on a bound and fail beyond it', async () => {
    const [{ scenario } = { scenario: undefined }] = await loadExpectations(about('rounds at most 1'));
    if (scenario === undefined) throw new Error('nothing loaded');
    const { outcomes, metrics } = solveSync(scenario).summary;
    const [p, mean] = [outcomes[0]?.p ?? 0, metrics[0]?.mean ?? 0];
    const path = about(
      `attacker between 0 and ${String(p)}`,
      `attacker between ${String(p)} and 1`,
      `attacker at most ${String(p - 1e-9)}`,
      `attacker at least ${String(p + 1e-9)}`,
      `rounds at most ${String(mean)}`,
      `rounds at least ${String(mean + 1e-6)}`,
    );
    const judged = await checkExpectations(await loadExpectations(path));
    expect(judged.map(({ verdict }) => verdict)).toEqual(['holds', 'holds', 'fails', 'fails', 'holds', 'fails']);
    for (const { battles, interval } of judged)
      expect({ battles, interval }).toEqual({ battles: 0, interval: undefined });
  });

  test('simulated verdicts agree with exact ones, but are undecided near a bound', async () => {
    const path = about(
      'attacker between 0.57 and 0.58',
      'attacker at most 0.57',
      'rounds between 8 and 9',
      '95% of rounds at most 14',
      '97% of rounds at most 14',
      'attacker at least 0.57647',
    );
    const expectations = await loadExpectations(path);
    const options = { exact: 'never', battles: 300_000 } as const;
    const judged = await checkExpectations(expectations, options);
    expect(judged.map(({ verdict }) => verdict)).toEqual(['holds', 'fails', 'holds', 'holds', 'fails', 'undecided']);
    const exact = await checkExpectations(expectations);
    expect(exact.map(({ verdict }) => verdict)).toEqual(['holds', 'fails', 'holds', 'holds', 'fails', 'holds']);
    for (const [e, { interval = [1, 0] }] of judged.entries()) {
      expect(exact[e]?.value).toBeGreaterThanOrEqual(interval[0]);
      expect(exact[e]?.value).toBeLessThanOrEqual(interval[1]);
    }
    const again = await checkExpectations(expectations, { ...options, workers: 1 });
    const threads = await checkExpectations(expectations, { ...options, workers: 3 });
    expect(again).toEqual(judged);
    expect(threads).toEqual(judged);
  });

  test('simulation stops when an expectation is decided', async () => {
    const [judged] = await checkExpectations(await loadExpectations(about('attacker at least 0.2')), {
      exact: 'never',
    });
    expect(judged).toMatchObject({ verdict: 'holds', battles: 8192 });
  });

  test('an abort signal marks the remaining expectations as interrupted', async () => {
    const expectations = await loadExpectations(about('attacker at least 0.2', 'attacker at least 0.57647'));
    const controller = new AbortController();
    const judged = await checkExpectations(expectations, {
      exact: 'never',
      battles: 1e10,
      signal: controller.signal,
      onProgress: (_, { name }) => {
        if (name === '1') controller.abort();
      },
    });
    expect(judged.map(({ verdict }) => verdict)).toEqual(['holds', 'interrupted']);
    await expect(checkExpectations(expectations, { signal: AbortSignal.abort() })).rejects.toThrow(AbortError);
  });

  test('decideBySimulation uses the options error, from and signal', async () => {
    const [expectation] = await loadExpectations(about('attacker at least 0'));
    if (expectation?.kind !== 'value') throw new Error('nothing loaded');
    const { scenario, quantity } = expectation;
    const play = { seed: 1n, battles: 1e5, error: 0.01 };
    const loose = await decideBySimulation(scenario, quantity, [0.57, 1], { ...play, error: 0.25 });
    const strict = await decideBySimulation(scenario, quantity, [0.57, 1], { ...play, error: 1e-6 });
    expect(loose.battles).toBeLessThan(strict.battles);
    const other = await decideBySimulation(scenario, quantity, [0.2, 1], { ...play, from: 1e6 });
    const first = await decideBySimulation(scenario, quantity, [0.2, 1], play);
    expect(other.battles).toBe(first.battles);
    expect(other.value).not.toBe(first.value);
    const stopped = await decideBySimulation(scenario, quantity, [0.2, 1], { ...play, signal: AbortSignal.abort() });
    expect(stopped).toEqual({ verdict: 'interrupted', battles: 0 });
  });
});

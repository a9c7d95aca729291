/** Expectations on digests and on stored snapshots. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { checkExpectations, loadExpectations } from '../../src/analysis/expectations/index.ts';
import { simulate } from '../../src/analysis/simulate.ts';
import { createExpectationAnnotations, formatExpectationsMarkdown } from '../../src/report/checks/expectations.ts';
import { loadScenario } from '../../src/rules/scenario/index.ts';
import { computeDigest, hashScenario, RULESET } from '../../src/stats/digest.ts';
import { called } from '../cli/called.ts';
import { DUEL, interrupted } from '../cli/warpool.ts';
import { DEPTH } from '../depth.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'warpool-snapshot-'));
const FILE = join(FOLDER, 'balance.yaml');
const SNAPSHOT = `${FILE}.snapshot.json`;
const OTHER = '0'.repeat(64);

const scenario = await loadScenario(DUEL);
const run = await simulate(scenario, { battles: 5000, seed: 3 });

/** Writes a file of expectations on the duel with these entries; returns its path. */
function write(...entries: readonly string[]): string {
  const list = entries.map((entry, e) => `  - { name: n${String(e)}, ${entry} }\n`).join('');
  writeFileSync(FILE, `scenario: ${DUEL}\nbattles: 5000\nseed: 3\nexpectations:\n${list}`);
  return FILE;
}

const KEPT = ['expect: attacker as in the snapshot', 'digest: as in the snapshot'] as const;

interface Snapshot {
  ruleset: string;
  snapshotOf: string;
  kept: { name: string; of: string; value?: number; interval?: [number, number]; digest?: string }[];
}

const snapshot = () => JSON.parse(readFileSync(SNAPSHOT, 'utf8')) as Snapshot;

/** Edits the stored snapshot. */
function alter(change: (snapshot: Snapshot) => void): void {
  const content = snapshot();
  change(content);
  writeFileSync(SNAPSHOT, JSON.stringify(content));
}

beforeEach(() => {
  rmSync(SNAPSHOT, { force: true });
});

describe('digest expectations', () => {
  test('hold for the digest of the run, otherwise report both digests', async () => {
    write(
      `digest: ${run.digest}`,
      `digest: "${OTHER}"`,
      `digest: ${run.digest}, seed: 4`,
      `digest: ${run.digest}, battles: 5001`,
    );
    const { code, stdout, stderr } = await called(['assert', FILE, '--json', '--junit', join(FOLDER, 'report.xml')]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      holds: 1,
      fails: 3,
      expectations: [
        {
          verdict: 'holds',
          of: 'digest',
          kind: 'digest',
          expected: run.digest,
          digest: run.digest,
          battles: 5000,
          reason: null,
        },
        { verdict: 'fails', expected: OTHER, digest: run.digest, value: null, errorRate: null },
        { verdict: 'fails', seed: '4' },
        { verdict: 'fails', maxBattles: 5001 },
      ],
    });
    const shown = `expected digest ${OTHER}, found ${run.digest} with ruleset ${RULESET}; digests of different rulesets always differ`;
    expect(stderr).toContain(`n1: ${shown}\n`);
    expect(readFileSync(join(FOLDER, 'report.xml'), 'utf8')).toContain(
      `<failure message="${shown}" type="fails">${FILE}:6:25: ${shown}</failure>`,
    );
    const judged = await checkExpectations(await loadExpectations(FILE));
    expect(createExpectationAnnotations(judged, false)[0]).toMatchObject({
      file: FILE,
      line: 6,
      message: `n1: ${shown}`,
    });
    expect(formatExpectationsMarkdown(judged, FILE)).toContain(run.digest);
  });

  test('ignore --seed, --battles and --exact', async () => {
    write(`digest: ${run.digest}`, 'expect: attacker at least 0.2');
    const options = '--json --seed 9 --battles 70k --exact always'.split(' ');
    const { code, stdout } = await called(['assert', FILE, ...options]);
    expect(code).toBe(0);
    const { expectations } = JSON.parse(stdout) as { expectations: unknown[] };
    expect(expectations).toMatchObject([
      { seed: '3', maxBattles: 5000 },
      { seed: '9', maxBattles: 70_000 },
    ]);
  });

  test('report a digest of an earlier ruleset with equal counts', async () => {
    const simulation = { scenarioHash: hashScenario(scenario), system: 'attrition', seed: 3n, from: 0, to: 5000 };
    write(`digest: ${computeDigest(simulation, run.shape, run.counts, '2')}`);
    const { code, stderr } = await called(['assert', FILE]);
    expect(code).toBe(1);
    expect(stderr).toContain(`; the ruleset has changed from 2 to ${RULESET}, all counts are equal\n`);
  });

  test('are interrupted by an abort signal', async () => {
    write(`digest: ${run.digest}`);
    const controller = new AbortController();
    const judged = await checkExpectations(
      (await loadExpectations(FILE)).map((each) => ({ ...each, battles: 1e10 })),
      {
        signal: controller.signal,
        onProgress: () => {
          controller.abort();
        },
      },
    );
    expect(judged).toMatchObject([{ verdict: 'interrupted' }]);
    expect(judged[0]?.digest).toBeUndefined();
  });

  test.each([
    ['name: a', ':5:5 expectations[0]: expected either expect or digest, found neither'],
    [`name: a, digest: "${OTHER}", expect: attacker at least 0`, 'expected either expect or digest, found both'],
    [
      'name: a, digest: abc',
      'expectations[0].digest: expected 64 hexadecimal digits, or "as in the snapshot", found "abc"',
    ],
    [`name: a, digest: "${OTHER}", error: 0.1`, 'expectations[0].error: expected no error, because a digest'],
  ])('reject an entry with %s', async (entry, message) => {
    writeFileSync(FILE, `scenario: ${DUEL}\nbattles: 5000\nseed: 3\nexpectations:\n  - { ${entry} }\n`);
    const { code, stderr } = await called(['assert', FILE]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

describe('snapshots', () => {
  test('a missing snapshot is reported with the command that writes it', async () => {
    write(...KEPT);
    const { code, stderr } = await called(['assert', FILE]);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^n0: expected attacker as in the snapshot, found attacker = 0\.5764\d+, exact; no snapshot is stored/,
    );
    expect(stderr).toContain(`; no snapshot is stored: "warpool assert ${FILE} --update" writes it\n`);
    expect(existsSync(SNAPSHOT)).toBe(false);
  });

  test('--update writes the snapshot, which holds until the scenario changes', async () => {
    write(...KEPT, 'expect: attacker at most 0.1');
    const updated = await called(['assert', FILE, '--update']);
    expect(updated.code).toBe(1);
    expect(updated.stderr).toMatch(/balance\.yaml\.snapshot\.json: written\nn2: expected attacker at most 0\.1, /);
    const { ruleset, snapshotOf, kept } = snapshot();
    expect({ ruleset, snapshotOf }).toEqual({ ruleset: RULESET, snapshotOf: 'balance.yaml' });
    expect(kept).toMatchObject([
      { name: 'n0', of: 'attacker' },
      { name: 'n1', of: 'digest of 5000 battles of seed 3', digest: run.digest },
    ]);
    expect(kept[0]?.value).toBeCloseTo(0.57648, 4);
    write(...KEPT);
    expect(await called(['assert', FILE])).toMatchObject({ code: 0, stderr: '' });
    write(...KEPT.map((each) => `set: { attacker.hp: 31 }, ${each}`));
    const { code, stderr } = await called(['assert', FILE]);
    expect(code).toBe(1);
    const advice = `; the scenario has changed, if this is intended, "warpool assert ${FILE} --update" updates the snapshot`;
    expect(stderr.split('\n').filter((line) => line.endsWith(advice))).toHaveLength(2);
    expect(stderr).toContain(`n1: expected digest as in the snapshot, ${run.digest}, found `);
    expect(snapshot().kept).toEqual(kept);
    expect((await called(['assert', FILE, '--update'])).code).toBe(0);
    expect((await called(['assert', FILE])).code).toBe(0);
  });

  test('exact values are equal within a relative tolerance of 1e-9', async () => {
    write('expect: rounds as in the snapshot');
    await called(['assert', FILE, '--update']);
    for (const [factor, code] of [
      [1 + 5e-10, 0],
      [1 + 2e-9, 1],
      [1 - 2e-9, 1],
    ] as const) {
      const before = snapshot();
      alter(({ kept: [rounds] }) => {
        if (rounds?.value !== undefined) rounds.value *= factor;
      });
      expect((await called(['assert', FILE])).code).toBe(code);
      writeFileSync(SNAPSHOT, JSON.stringify(before));
    }
  });

  test('a simulated snapshot holds if its interval overlaps the new interval or exact value', async () => {
    write(
      'battles: 20k, expect: attacker as in the snapshot',
      'battles: 20k, expect: share of rounds at most 9 as in the snapshot',
    );
    expect((await called(['assert', FILE, '--update', '--exact', 'never'])).code).toBe(0);
    const { kept } = snapshot();
    for (const { interval: [low, high] = [1, 0] } of snapshot().kept) expect(high - low).toBeGreaterThan(0.01);
    const again = await called(['assert', FILE, '--exact', 'never']);
    expect(again.stdout).toContain('changes within the intervals are not detected');
    for (const more of [[], ['--exact', 'never', '--seed', '77', '--battles', '20k']])
      expect((await called(['assert', FILE, ...more])).code).toBe(0);
    alter(({ kept }) => {
      for (const each of kept) each.interval = [0.1, 0.2];
    });
    const simulation = await called(['assert', FILE, '--exact', 'never', '--json']);
    expect(JSON.parse(simulation.stdout)).toMatchObject({
      fails: 2,
      expectations: [{ snapshot: { interval: [0.1, 0.2] } }, {}],
    });
    expect((await called(['assert', FILE])).stdout).toContain('2 fail');
    expect((await called(['assert', FILE, '--update', '--exact', 'never'])).code).toBe(0);
    expect((await called(['assert', FILE, '--exact', 'never'])).code).toBe(0);
    expect(snapshot().kept).toEqual(kept);
  });

  test('a snapshot of another quantity or ruleset is reported', async () => {
    write(...KEPT);
    await called(['assert', FILE, '--update']);
    write('expect: rounds as in the snapshot', 'digest: as in the snapshot, battles: 6000');
    const { stderr } = await called(['assert', FILE]);
    const command = `"warpool assert ${FILE} --update"`;
    expect(stderr).toContain(`; the snapshot has attacker: ${command} writes it\n`);
    expect(stderr).toContain(`; the snapshot has digest of 5000 battles of seed 3: ${command} writes it\n`);
    write(...KEPT);
    alter((content) => {
      content.ruleset = '1';
      for (const each of content.kept)
        Object.assign(each, each.digest === undefined ? { value: 0.5 } : { digest: OTHER });
    });
    const renewed = `; the ruleset has changed from 1 to ${RULESET}, if this is intended, ${command} updates the snapshot\n`;
    expect((await called(['assert', FILE])).stderr.split(renewed)).toHaveLength(3);
  });

  test('a file in another format is rejected and not overwritten', async () => {
    write(...KEPT);
    for (const text of ['{"mine": 1}', 'not even JSON: [', JSON.stringify({ warpool: '1', ruleset: '1', kept: [] })]) {
      writeFileSync(SNAPSHOT, text);
      for (const more of [[], ['--update']]) {
        const { code, stderr } = await called(['assert', FILE, ...more]);
        expect({ code, text: readFileSync(SNAPSHOT, 'utf8') }).toEqual({ code: 2, text });
        expect(stderr).toContain(`${SNAPSHOT}: expected a snapshot written by "warpool assert --update", or no file`);
      }
    }
  });

  test('--update rejects invalid files and options before any work', async () => {
    write('expect: attacker at least 0');
    expect((await called(['assert', FILE, '--update'])).stderr).toContain(
      '--update: expected an expectation "as in the snapshot", found none',
    );
    write(...KEPT);
    for (const option of ['--seed', '--battles'])
      expect(await called(['assert', FILE, '--update', option, '5'])).toMatchObject({
        code: 2,
        stderr: `${option} cannot be combined with --update, which uses the ${option.slice(2)} of the file\n`,
      });
    const report = await called(['assert', FILE, '--update', '--junit', SNAPSHOT]);
    expect(report.stderr).toContain('--junit: expected a file that is not an input');
    expect(existsSync(SNAPSHOT)).toBe(false);
  });

  test.runIf(DEPTH > 1)('SIGINT during --update keeps the old snapshot', async () => {
    write(...KEPT);
    await called(['assert', FILE, '--update']);
    const before = readFileSync(SNAPSHOT, 'utf8');
    write(KEPT[0], `${KEPT[1]}, battles: 1e12`);
    const { code } = await interrupted(['assert', FILE, '--update'], ({ stderr }) =>
      stderr.includes('interrupted after 1 '),
    );
    expect({ code, text: readFileSync(SNAPSHOT, 'utf8') }).toEqual({ code: 130, text: before });
  });

  test('expectations from standard input cannot have a snapshot', async () => {
    const { attachSnapshot: withSnapshot } = await import('../../src/analysis/expectations/snapshot.ts');
    write(...KEPT);
    await expect(withSnapshot(await loadExpectations(FILE), '-')).rejects.toThrow('expected a file, as the');
  });
});

describe('errors in a file of expectations', () => {
  test('are reported together in line order, also without a name', async () => {
    writeFileSync(
      FILE,
      `scenario: ${DUEL}
expectations:
  - { name: a, expect: attaker at most 1 }
  - { expect: attacker at mist 1 }
  - { name: c, expect: attacker at most 2, eror: 1 }
  - { name: a, expect: attacker at most 1 }
  - { name: e, expect: attacker at most 1, battles: x, set: { attacker.hp: 0 } }
  - { name: f, expect: 3 }
  - { name: g, expect: round at most 2 }
`,
    );
    const { stderr } = await called(['assert', FILE]);
    const lines = stderr
      .split('\n')
      .flatMap((line) => /balance\.yaml:(\d+):\d+ (\S+?)[ :]/.exec(line)?.slice(1, 3).join(' ') ?? []);
    expect(lines).toEqual([
      '3 expectations[0].expect',
      '4 expectations[1].name',
      '4 expectations[1].expect',
      '5 expectations[2].expect',
      '5 expectations[2].eror',
      '7 expectations[4].battles',
      '7 expectations[4].set',
      '8 expectations[5].expect',
      '9 expectations[6].expect',
    ]);
  });

  test('include duplicate names and wrong sentences in line order', async () => {
    write('expect: attacker at most 1', 'expect: attacker at most 2', 'expect: attacker at most 3');
    writeFileSync(FILE, readFileSync(FILE, 'utf8').replace('name: n2', 'name: n0'));
    const { stderr } = await called(['assert', FILE]);
    expect(stderr).toMatch(
      /:6:\d+ expectations\[1\]\.expect[^\n]*\n[^\n]*:7:\d+ expectations\[2\]\.name[^\n]*\n[^\n]*expectations\[2\]\.expect/,
    );
  });

  test('show sentence errors and the number of omitted field errors', async () => {
    write(...Array.from({ length: 25 }, () => 'expect: attacker at most 1, eror: 1'), 'expect: attacker at most 2');
    const lines = (await called(['assert', FILE])).stderr.trim().split('\n');
    expect(lines.slice(-2)).toEqual([
      expect.stringContaining('expectations[25].expect'),
      expect.stringContaining('and 5 more'),
    ]);
    expect(lines).toHaveLength(22);
  });

  test('include a wrong top-level scenario only once', async () => {
    writeFileSync(FILE, 'scenario: 3\nexpectations:\n  - { name: a, expect: attacker at most 1 }\n');
    const { stderr } = await called(['assert', FILE]);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toContain(':1:11 scenario: expected');
  });
});

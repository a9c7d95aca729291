/** Commands with a custom system, which --systems or warpool.config.js loads. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';
import { loadSystems } from '../../src/rules/load-systems.ts';
import { SWEEP_FOLDERS } from '../../src/storage/store/manifest.ts';
import { type Own, ownFolder } from '../custom-system.ts';
import { DEPTH, some } from '../depth.ts';
import { warpool } from './warpool.ts';
import { catchWriting, written } from './written.ts';

const SWEEP = `scenario: duel.yaml
axes: [{ path: attacker.hp, range: [1, 4] }]
battles: 1000
`;

const CLAIMS = `expectations: [{ name: even, scenario: duel.yaml, expect: attacker at least 50% }]\n`;

let own: Own;

beforeAll(() => {
  own = ownFolder({ 'duel.yaml': 'system: my-duel\n', 'sweep.yaml': SWEEP, 'claims.yaml': CLAIMS });
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** Returns the standard output of a command. File names in its arguments are relative to the folder of the system. */
async function printed(...words: readonly string[]): Promise<string> {
  const here = words.map((word) => (/^(\w+\.(yaml|csv|js|html)|store)$/.test(word) ? join(own.folder, word) : word));
  catchWriting();
  // Commands keep their signal listeners until the process ends.
  vi.spyOn(process, 'on').mockReturnValue(process);
  await (await createProgram(here)).parseAsync(here, { from: 'user' });
  return written.out;
}

describe('--systems', () => {
  test.each(
    some([
      ['run', 'duel.yaml', '--battles', '500', '--coverage', '20', '--json'],
      ['exact', 'duel.yaml', '--json'],
      ['replay', 'duel.yaml', '--json'],
      ['find', 'duel.yaml', '--where', 'rounds>4', '--battles', '500', '--json'],
      ['check', 'duel.yaml', '--json'],
      ['compare', 'duel.yaml', 'duel.yaml', '--battles', '200', '--json'],
      ['compare-rules', 'duel.yaml', '--set', 'attacker.hp=2', '--battles', '200', '--json'],
      ['sensitivity', 'duel.yaml', '--fields', 'attacker.hp', '--json'],
      ['balance', 'duel.yaml', '--vary', 'attacker.hp=1..5', '--target', 'attacker=0.57', '--json', '--quiet'],
      ['assert', 'claims.yaml', '--json', '--quiet'],
      ['sweep', 'sweep.yaml', '--dry-run', '--workers', '1', '--json'],
    ]),
  )('is accepted by %s %s', async (...words) => {
    const { systemHash } = (await loadSystems([own.path])).modules.map(({ hash }) => ({ systemHash: hash }))[0] ?? {};
    const out = await printed(...words, '--systems', own.path);
    expect(out).toContain('"my-duel"');
    expect(out).toContain(`"systemHash":"${String(systemHash)}"`);
  });

  test.runIf(DEPTH > 1)('is accepted by sweep, verify, export and report with a store', async () => {
    const known = ['--systems', own.path];
    await printed('sweep', 'sweep.yaml', '--out', 'store', '--workers', '1', '--quiet', ...known);
    const verified = await printed('verify', 'store', '--cells', '2', '--workers', '1', '--quiet', '--json', ...known);
    expect(JSON.parse(verified)).toMatchObject({ replayed: 2, faults: [] });
    await printed('export', 'store', 'rows.csv', ...known);
    expect(existsSync(join(own.folder, 'rows.csv'))).toBe(true);
    const report = JSON.parse(await printed('report', 'store', '--json', ...known)) as object;
    expect(report).toMatchObject({ system: 'my-duel', systemHash: expect.stringMatching(/^[0-9a-f]{64}$/) as string });
    expect(await printed('report', 'store', '--text', '--of', 'left.attacker', ...known)).toContain(
      'left.attacker (bruises)',
    );
    await expect(printed('report', 'store', '--text')).rejects.toThrow('expected the file of its system "my-duel"');
  });

  test('adds the system to systems, schema and completion', async () => {
    const known = ['--systems', own.path];
    expect(await printed('systems', ...known)).toContain('my-duel  Duel of a user');
    expect(await printed('systems', 'my-duel', '--rules', ...known)).toContain('my own, 2');
    expect(JSON.parse(await printed('schema', 'my-duel', ...known))).toMatchObject({ title: 'Duel of a user' });
    const { oneOf } = JSON.parse(await printed('schema', 'scenario', ...known)) as { oneOf: object[] };
    expect(oneOf).toContainEqual({ $ref: '#/$defs/my-duel' });
    expect(await printed('completion', 'bash', ...known)).toContain('token-conflict my-duel');
  });

  test('is part of the replay command that find prints', async () => {
    const found = await printed('find', 'duel.yaml', '--where', 'rounds>4', '--limit', '1', '--systems', own.path);
    expect(found).toMatch(/warpool replay .* --seed 1 --battle \d+ --systems .*my-duel\.js\n$/);
  });
});

test('commands use warpool.config.js of a parent folder unless --no-config is set', async () => {
  const { folder } = ownFolder({
    'warpool.config.js': `export default { systems: ['./my-duel.js'] };`,
    'duel.yaml': 'system: my-duel\n',
  });
  vi.spyOn(process, 'cwd').mockReturnValue(join(folder, 'deeper'));
  const duel = join(folder, 'duel.yaml');
  expect(await printed('check', duel)).toBe(`${duel}: ok (my-duel)\n`);
  await expect(printed('exact', duel, '--no-config')).rejects.toThrow(
    'block-dice, or a custom system by option systems, found "my-duel"',
  );
  const reported = await printed('check', duel, '--no-config', '--json').catch(() => written.out);
  expect(reported).toContain('or a custom system by --systems');
});

test('the error for a misspelled name suggests the custom system', async () => {
  const { folder } = ownFolder({ 'duel.yaml': 'system: my-dual\n' });
  const message = 'block-dice, found "my-dual" (did you mean my-duel?)';
  await expect(printed('exact', join(folder, 'duel.yaml'), '--systems', own.path)).rejects.toThrow(message);
});

test.runIf(DEPTH > 1)('a killed sweep resumes to the results of an uninterrupted sweep', async () => {
  const text = SWEEP.replace('[1, 4]', '[1, 40]').replace('1000', '100000');
  const [killed, whole] = ['killed', 'whole'].map(() =>
    ownFolder({ 'duel.yaml': 'system: my-duel\n', 'sweep.yaml': text }),
  );
  const sweep = (at: Own | undefined, ...rest: readonly string[]): string[] => {
    const { folder = '', path = '' } = at ?? {};
    return [
      'sweep',
      join(folder, 'sweep.yaml'),
      '--out',
      join(folder, 'store'),
      '--systems',
      path,
      '--workers',
      '1',
      '--quiet',
      ...rest,
    ];
  };
  const table = join(killed?.folder ?? '', 'store/table');
  const started = (): boolean => existsSync(table) && readdirSync(table).some((name) => name.endsWith('.parquet'));
  await warpool(sweep(killed), { signals: [['SIGKILL', started]] });
  await printed(...sweep(killed, '--resume'));
  await printed(...sweep(whole));
  const systems = await loadSystems([killed?.path ?? '']);
  const again = await SWEEP_FOLDERS.read(join(killed?.folder ?? '', 'store'), systems);
  const straight = await SWEEP_FOLDERS.read(join(whole?.folder ?? '', 'store'), await loadSystems([whole?.path ?? '']));
  expect(again).toEqual(straight);
});

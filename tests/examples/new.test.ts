/** Files that `warpool new` writes, and listings of the tutorial: they load and give the documented results. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createDependency, createSystem } from '../../src/cli/new.ts';
import { version } from '../../src/core/version.ts';
import {
  loadScenario,
  loadSystems,
  runScript,
  simulate,
  solveSync,
  updateScenario,
  validateScenario,
} from '../../src/index.ts';
import { catchWriting, written } from '../cli/written.ts';
import { requireBuild } from '../pool/fixtures.ts';

const ROOT = resolve(fileURLToPath(new URL('../..', import.meta.url)));

beforeAll(requireBuild);

describe('the tutorial', () => {
  const page = readFileSync(join(ROOT, 'docs/tutorials/custom-rules.md'), 'utf8');
  const blocks = [...page.matchAll(/```(?:js|yaml)\n(.*?)```/gs)].map(([, code = '']) => code);

  test.each([
    'my-duel.js',
    'my-duel.test.js',
    'warpool.config.js',
    'scenarios/even.yaml',
    'scenarios/uneven.yaml',
    'skills.yaml',
  ])('contains %s as warpool new writes it', (name) => {
    expect(blocks).toContain(readFileSync(join(ROOT, 'examples/templates/system', name), 'utf8'));
  });

  test('starts with a system that reproduces a value of Osborne 2003', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'warpool-conquest-'));
    mkdirSync(join(dir, 'node_modules'));
    symlinkSync(ROOT, join(dir, 'node_modules/warpool'));
    const [module = '', scenario = ''] = blocks;
    expect(module.trimEnd().split('\n').length).toBeLessThanOrEqual(30);
    writeFileSync(join(dir, 'conquest.mjs'), module);
    writeFileSync(join(dir, 'five.yaml'), scenario);
    const own = await loadSystems([join(dir, 'conquest.mjs')]);
    const [attacker] = solveSync(await loadScenario(join(dir, 'five.yaml'), { systems: own })).summary.outcomes;
    expect(attacker?.p.toFixed(3)).toBe('0.506');
    expect(page).toContain(`prints ${((attacker?.p ?? 0) * 100).toFixed(7)} % for the attacker`);
  });

  test('has a duel with a decision that gives the documented probabilities', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'warpool-tutorial-'));
    mkdirSync(join(dir, 'node_modules'));
    symlinkSync(ROOT, join(dir, 'node_modules/warpool'));
    writeFileSync(join(dir, 'package.json'), '{ "type": "module" }');
    const listing = blocks.find((code) => code.includes('chance.decide(')) ?? '';
    writeFileSync(join(dir, 'my-duel.js'), listing);
    const own = await loadSystems([join(dir, 'my-duel.js')]);
    const file = join(ROOT, 'examples/templates/system/scenarios/uneven.yaml');
    const uneven = await loadScenario(file, { systems: own });
    const reported = page.replaceAll(/ +/g, ' ');
    expect(reported).toContain(`attacker ${((solveSync(uneven).summary.outcomes[0]?.p ?? 0) * 100).toFixed(7)}`);
    const careful = solveSync(updateScenario(uneven, { withdrawAt: 1 })).summary.outcomes;
    expect(reported).toContain(`attacker ${((careful[0]?.p ?? 0) * 100).toFixed(7)}`);
    expect(reported).toContain(`withdrawn ${((careful[2]?.p ?? 0) * 100).toFixed(7)}`);
  });
});

describe('warpool new', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  const fresh = (): string => mkdtempSync(join(tmpdir(), 'warpool-new-'));

  test('writes a system that loads, solves and simulates scenarios', async () => {
    catchWriting();
    const dir = join(fresh(), 'deep', 'sea');
    await createSystem('sea-battle', { dir });
    expect(written.out).toContain(`Next: cd ${dir} && npm install && npx warpool exact scenarios/even.yaml`);
    expect(JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'))).toMatchObject({
      name: 'sea-battle',
      type: 'module',
    });
    expect(readFileSync(join(dir, 'warpool.config.js'), 'utf8')).toContain("'./sea-battle.js'");
    expect(readFileSync(join(dir, 'README.md'), 'utf8')).toMatch(/^# Sea battle\n/);
    for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' })) expect(name).not.toContain('my-duel');
    mkdirSync(join(dir, 'node_modules'));
    symlinkSync(ROOT, join(dir, 'node_modules/warpool'));
    const own = await loadSystems([join(dir, 'sea-battle.js')]);
    const even = await loadScenario(join(dir, 'scenarios/even.yaml'), { systems: own });
    const [attacker, defender] = solveSync(even).summary.outcomes;
    expect(attacker?.p).toBeCloseTo(defender?.p ?? 1, 12);
    const uneven = await loadScenario(join(dir, 'scenarios/uneven.yaml'), { systems: own });
    const run = { battles: 5000, seed: 1, engine: 'automaton' } as const;
    expect((await simulate(uneven, run)).engineUsed).toBe('automaton');
    const script = [{ sample: 4 }, { sample: 3 }, { sample: 6 }, { sample: 4 }] as const;
    const tied = { system: 'sea-battle', attacker: { lives: 1 }, defender: { lives: 1, skill: 1 } };
    expect(runScript(validateScenario(tied, { systems: own }), script)).toMatchObject({ outcome: 'attacker' });
  });

  /** Creates a package as npm installs it, with its source in the list of npm. */
  function installed(resolved: string | undefined): string {
    const modules = join(fresh(), 'node_modules');
    mkdirSync(join(modules, 'warpool'), { recursive: true });
    const packages = { 'node_modules/warpool': { version: '9.9.9', ...(resolved !== undefined && { resolved }) } };
    writeFileSync(join(modules, '.package-lock.json'), JSON.stringify({ packages }));
    return join(modules, 'warpool');
  }

  test('adds a dependency on the source of the installed package', async () => {
    const caret = `^${version()}`;
    const ofRegistry = installed('https://registry.npmjs.org/warpool/-/warpool-9.9.9.tgz');
    expect(await createDependency('/games/sea', ofRegistry)).toBe(caret);
    const git = 'git+ssh://git@example.org/warpool.git#abc';
    expect(await createDependency('/games/sea', installed(git))).toBe(git);
    expect(await createDependency('/games/sea', installed('https://example.org/warpool.tgz'))).toBe(
      'https://example.org/warpool.tgz',
    );
    const ofTarball = installed('file:packed/warpool-9.9.9.tgz');
    const project = join(ofTarball, '../..');
    // The tarball no longer exists, so the dependency is the installed folder.
    expect(await createDependency(join(project, 'sea'), ofTarball)).toBe('file:../node_modules/warpool');
    mkdirSync(join(project, 'packed'));
    writeFileSync(join(project, 'packed/warpool-9.9.9.tgz'), '');
    expect(await createDependency(join(project, 'sea'), ofTarball)).toBe('file:../packed/warpool-9.9.9.tgz');
    // Other package managers, and npm for global installations, write no such list.
    const other = join(fresh(), 'node_modules/warpool');
    expect(await createDependency('/games/sea', other)).toBe(caret);
    // A clone of the repository.
    expect(await createDependency(join(ROOT, '../sea'), ROOT)).toBe(`file:../${basename(ROOT)}`);
    expect(await createDependency(join(ROOT, '../sea'))).toBe(`file:../${basename(ROOT)}`);
  });

  test.each(['My-duel', '2fast', 'a--b', 'a_b', '../x', '', 'x'.repeat(61)])('rejects the name "%s"', async (name) => {
    const dir = join(fresh(), 'x');
    await expect(createSystem(name, { dir })).rejects.toThrow(
      'name: expected up to 60 lower-case letters, digits and hyphens',
    );
    expect(() => readdirSync(dir)).toThrow('ENOENT');
  });

  test.each(['attrition', 'warpool'])('rejects the name %s, which is taken', async (name) => {
    await expect(createSystem(name, { dir: join(fresh(), 'x') })).rejects.toThrow(
      'name: expected a name other than attrition',
    );
  });

  test('rejects a folder that is not empty, and a file', async () => {
    const dir = fresh();
    writeFileSync(join(dir, 'mine.txt'), '');
    await expect(createSystem('duel', { dir })).rejects.toThrow(
      'expected a new or an empty folder, found mine.txt in it',
    );
    const file = join(dir, 'mine.txt');
    await expect(createSystem('duel', { dir: file })).rejects.toThrow(
      'expected a new or an empty folder, found a file',
    );
    expect(readdirSync(dir)).toEqual(['mine.txt']);
  });
});

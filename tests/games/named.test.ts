/**
 * Tests that scenarios can name a game in the library, commands, threads, stores and queues, in any folder of the
 * package.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';
import { getGameUrl as inBrowsers } from '../../src/core/platform/browser/modules.ts';
import { VectorEnv } from '../../src/environments/vector-env.ts';
import {
  loadExpectations,
  loadScenario,
  loadSweep,
  loadSystems,
  openStore,
  parseScenario,
  simulate,
  solveSync,
  systemJsonSchema,
  validateScenario,
  verifyStore,
} from '../../src/index.ts';
import { getBoundScenario } from '../../src/rules/bound-scenario.ts';
import { findGames, GAMES } from '../../src/rules/games.ts';
import { hashModule } from '../../src/rules/identity.ts';
import { SHIPPED_REGISTRY } from '../../src/rules/index.ts';
import { addGames } from '../../src/rules/load-systems.ts';
import { runOnQueue, runSweepOnQueue } from '../../src/storage/cluster/coordinator.ts';
import { ROOT, warpool } from '../cli/warpool.ts';
import { catchWriting, written } from '../cli/written.ts';
import { aLink, aServer, aWorker, HAS_REDIS } from '../cluster/redis.ts';
import { DEPTH, some } from '../depth.ts';
import { requireBuild } from '../pool/fixtures.ts';

const FOLDER = 'examples/games';
const SIEGE = join(ROOT, FOLDER, 'conquest-dice-siege.yaml');
const RAID = { system: 'conquest-dice', attacker: 4, defender: 3 };

beforeAll(requireBuild);

test('an error about a missing system lists each loaded game once', async () => {
  const systems = await loadSystems(GAMES.map(({ id }) => id));
  let message = '';
  try {
    parseScenario('attacker: 3\n', { source: 'army.yaml', systems });
  } catch (error) {
    message = String(error);
  }
  for (const { id } of GAMES) expect(message.split(id)).toHaveLength(2);
});

afterEach(() => {
  vi.restoreAllMocks();
});

describe('the list of games', () => {
  test('contains all modules of the folder, with a manual page and two scenarios each', () => {
    const files = readdirSync(join(ROOT, FOLDER));
    const ids = files.filter((name) => name.endsWith('.mjs')).map((name) => name.slice(0, -4));
    expect(GAMES.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    for (const id of ids) expect(files.filter((name) => name.startsWith(`${id}-`)).length).toBeGreaterThanOrEqual(2);
    expect(readdirSync(join(ROOT, 'docs/reference/games'))).toEqual(
      expect.arrayContaining(ids.map((id) => `${id}.md`)),
    );
  });

  test.each(GAMES)('describes $id as its module does', async ({ id, title, about, played: [name] }) => {
    const system = (await addGames(SHIPPED_REGISTRY, [id])).system(id);
    expect({ title: system.title, about: system.about }).toEqual({ title, about });
    expect(readFileSync(join(ROOT, `docs/reference/games/${id}.md`), 'utf8')).toContain(name.replace('’', "'"));
  });
});

describe('games in scenarios', () => {
  test('are loaded without an option, with the digest of the named module', async () => {
    const systems = await loadSystems([join(ROOT, FOLDER, 'conquest-dice.mjs')]);
    const run = { battles: 5000, seed: 3 };
    const named = await simulate(await loadScenario(SIEGE, { systems }), run);
    expect((await simulate(await loadScenario(SIEGE), run)).digest).toBe(named.digest);
  });

  test.runIf(DEPTH > 1)('are simulated by threads', async () => {
    const scenario = await loadScenario(SIEGE);
    const run = { battles: 40_000, seed: 3, engine: 'reference' } as const;
    const [here, there] = [
      await simulate(scenario, { ...run, workers: 1 }),
      await simulate(scenario, { ...run, workers: 2 }),
    ];
    expect([there.workers, there.digest]).toEqual([2, here.digest]);
  });

  test('are accepted by environments', async () => {
    const env = await VectorEnv.create(await loadScenario(SIEGE), { numEnvs: 2, agents: 'all' });
    expect(env.numEnvs).toBe(2);
  });

  test('are validated in objects with the result of loadSystems', async () => {
    const systems = await loadSystems(['conquest-dice', 'block-dice']);
    expect(systems.names).toEqual([...SHIPPED_REGISTRY.names, 'conquest-dice', 'block-dice']);
    expect(solveSync(validateScenario(RAID, { systems })).summary.outcomes[0]?.p).toBeGreaterThan(0.5);
    // Loading a game twice has no effect.
    expect((await loadSystems(['conquest-dice'], { systems })).names).toEqual(systems.names);
  });

  test.each([
    ['parseScenario', () => parseScenario('system: conquest-dice')],
    ['validateScenario', () => validateScenario(RAID)],
    ['jsonSchema', () => systemJsonSchema('conquest-dice')],
  ])('are rejected by %s, which is synchronous, with instructions', (_, read) => {
    const how = `loadScenario loads it, and so does systems: await loadSystems(['conquest-dice'])`;
    expect(read).toThrow(`system: expected a system that is loaded (${how}), found `);
  });

  test('are rejected after structuredClone', async () => {
    const copy = structuredClone(await loadScenario(SIEGE));
    expect(() => getBoundScenario(copy)).toThrow(
      'system: expected a scenario from loadScenario, parseScenario or validateScenario, found "conquest-dice"',
    );
  });

  test('require in a browser that the bundle imports the module', () => {
    expect(() => inBrowsers('conquest-dice')).toThrow(
      'system: expected "conquest-dice" among the systems: import it from warpool/examples/games/conquest-dice.mjs, found none',
    );
  });

  test('are not loaded for shipped systems', async () => {
    const scenario = await loadScenario(join(ROOT, 'scenarios/attrition-direct.yaml'));
    expect(getBoundScenario(scenario).registry).toBe(SHIPPED_REGISTRY);
    expect(await addGames(SHIPPED_REGISTRY, ['attrition', 'chess'])).toBe(SHIPPED_REGISTRY);
  });
});

test('findGames finds games at any depth of a document, and nothing else', () => {
  const claims = {
    scenario: { system: 'symbol-dice' },
    expectations: [{ scenario: RAID }, { system: ['block-dice'] }],
  };
  expect([...findGames(claims)]).toEqual(['symbol-dice', 'conquest-dice']);
  for (const other of [null, 'conquest-dice', 5, { name: 'conquest-dice' }, { system: 'attrition' }])
    expect(findGames(other).size).toBe(0);
});

describe('an unknown system', () => {
  test.each([
    ['risk', 'conquest-dice, as in Risk'],
    ['RISK', 'conquest-dice, as in Risk'],
    ['axis-and-allies', 'combined-arms, as in Axis & Allies'],
    ['Axis & Allies 1942', 'combined-arms, as in Axis & Allies'],
    ['warhammer40k', 'hit-wound-save, as in Warhammer'],
    ['ti4', 'space-fleets, as in Twilight Imperium'],
    ["Memoir '44", 'symbol-dice, as in Memoir ’44'],
    ['conquest-dyce', 'conquest-dice'],
    ['atrition', 'attrition'],
  ])('has a suggestion: %s', async (name, expectedValue) => {
    expect(() => parseScenario(JSON.stringify({ system: name }))).toThrow(`(did you mean ${expectedValue}?)`);
    if (expectedValue.includes(', as in'))
      await expect(loadSystems([name])).rejects.toThrow(`(did you mean ${expectedValue}?)`);
  });

  test('without a suggestion is reported with all systems', () => {
    expect(() => parseScenario('system: chess')).toThrow(
      /one of attrition, .*, token-conflict, conquest-dice, .*, block-dice, or a custom system by option systems, found "chess"$/,
    );
  });
});

describe('a custom system with the name of a game', () => {
  const text = readFileSync(join(ROOT, 'examples/systems/feint.mjs'), 'utf8').replace(
    `id: 'feint'`,
    `id: 'conquest-dice'`,
  );

  /** Creates a folder with the system and a link to warpool, by which Node.js finds the package. */
  function like(file: string): string {
    const base = mkdtempSync(join(tmpdir(), 'warpool-named-'));
    const at = join(base, file);
    mkdirSync(join(base, 'node_modules'));
    symlinkSync(ROOT, join(base, 'node_modules/warpool'));
    mkdirSync(dirname(at), { recursive: true });
    writeFileSync(at, text);
    writeFileSync(join(base, 'duel.yaml'), 'system: conquest-dice\nred: {}\nblue: {}\n');
    return base;
  }

  test('takes precedence over the game', async () => {
    const base = like('mine.mjs');
    const systems = await loadSystems([join(base, 'mine.mjs')]);
    const { system } = getBoundScenario(await loadScenario(join(base, 'duel.yaml'), { systems }));
    expect(system.title).toBe('Duel of secret choices');
  });

  test('in an installed package takes precedence over the game, and a file over both', async () => {
    const base = like('node_modules/conquest-dice/mine.mjs');
    const manifest = { name: 'conquest-dice', version: '1.0.0', exports: './mine.mjs' };
    writeFileSync(join(base, 'node_modules/conquest-dice/package.json'), JSON.stringify(manifest));
    const found = await loadSystems(['conquest-dice'], { folder: base });
    expect(found.moduleOf('conquest-dice')?.package).toBe('conquest-dice@1.0.0');
    writeFileSync(join(base, 'conquest-dice'), '');
    await expect(loadSystems(['conquest-dice'], { folder: base })).rejects.toThrow(/expected a module/);
  });

  test.runIf(DEPTH > 1)('is required to verify a store that was created with it', async () => {
    const folder = like('mine.mjs');
    const [path, store] = [join(folder, 'mine.mjs'), join(folder, 'store')];
    const args = ['run', join(folder, 'duel.yaml'), '--battles', '100', '--out', store, '--quiet'];
    expect((await warpool([...args, '--systems', path])).code).toBe(0);
    expect((await warpool(['verify', store, '--quiet', '--systems', path])).code).toBe(0);
    const { code, stderr } = await warpool(['verify', store, '--quiet']);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /the system "conquest-dice" with hash \w+, as when it was created, found hash \w+ of the package; --systems names a custom module\n$/,
    );
  });
});

describe('commands and loaders', () => {
  const folder = mkdtempSync(join(tmpdir(), 'warpool-games-'));
  const here = (words: readonly string[]): string[] =>
    words.map((word) => (/^(\w+\.(yaml|csv|html)|store)$/.test(word) ? join(folder, word) : word));

  async function printed(...words: readonly string[]): Promise<string> {
    catchWriting();
    vi.spyOn(process, 'on').mockReturnValue(process);
    await (await createProgram(here(words))).parseAsync(here(words), { from: 'user' });
    return written.out;
  }

  beforeAll(() => {
    writeFileSync(join(folder, 'raid.yaml'), JSON.stringify(RAID));
    writeFileSync(
      join(folder, 'sweep.yaml'),
      JSON.stringify({ scenario: 'raid.yaml', axes: [{ path: 'attacker', range: [2, 5] }], battles: 200 }),
    );
    writeFileSync(
      join(folder, 'inline.yaml'),
      JSON.stringify({ scenario: RAID, axes: [{ path: 'attacker', range: [2, 5] }] }),
    );
    const named = { name: 'by file', scenario: 'raid.yaml', expect: 'attacker at least 50%' };
    writeFileSync(
      join(folder, 'claims.yaml'),
      JSON.stringify({ expectations: [named, { ...named, name: 'inline', scenario: RAID }] }),
    );
  });

  test.each(
    some([
      ['run', 'raid.yaml', '--battles', '500', '--json'],
      ['exact', 'raid.yaml', '--json'],
      ['replay', 'raid.yaml', '--json'],
      ['find', 'raid.yaml', '--where', 'rounds>1', '--battles', '500', '--json'],
      ['check', 'raid.yaml', 'sweep.yaml', 'inline.yaml', 'claims.yaml', '--json'],
      ['compare', 'raid.yaml', 'raid.yaml', '--battles', '200', '--json'],
      ['compare-rules', 'raid.yaml', '--set', 'dice=faces', '--battles', '200', '--json'],
      ['sensitivity', 'raid.yaml', '--fields', 'attacker', '--json'],
      ['balance', 'raid.yaml', '--vary', 'attacker=2..9', '--target', 'attacker=0.77', '--json', '--quiet'],
      ['assert', 'claims.yaml', '--json', '--quiet'],
      ['sweep', 'sweep.yaml', '--dry-run', '--workers', '1', '--json'],
      ['sweep', 'inline.yaml', '--dry-run', '--workers', '1', '--json'],
      ['best-response', 'raid.yaml', '--json'],
      ['rollout', 'raid.yaml', '--agents', 'all', '--policy', 'uniform', '--episodes', '50', '--json', '--quiet'],
      ['systems', 'conquest-dice', '--json'],
    ]),
  )('support a game: %s %s', async (...words) => {
    const hash = await hashModule(pathToFileURL(join(ROOT, FOLDER, 'conquest-dice.mjs')).href);
    const out = await printed(...words);
    expect(out).toContain('"conquest-dice"');
    expect(out).toContain(`"systemHash":"${hash}"`);
  });

  test.runIf(DEPTH > 1)('support stores of a game: sweep, verify, merge, export, report, and the library', async () => {
    await printed('sweep', 'sweep.yaml', '--out', 'store', '--shard', '1/2', '--workers', '1', '--quiet');
    await printed('sweep', 'sweep.yaml', '--out', 'store', '--shard', '2/2', '--workers', '1', '--quiet');
    await printed('merge', 'store', '--quiet');
    expect(await printed('verify', 'store', '--cells', '2', '--workers', '1', '--quiet', '--json')).toContain(
      '"faults":[]',
    );
    await printed('export', 'store', 'rows.csv');
    expect(await printed('report', 'store', '--json')).toContain('"system":"conquest-dice"');
    expect((await verifyStore(join(folder, 'store'), { workers: 1 })).faults).toEqual([]);
    const { sweep } = await openStore(join(folder, 'store'));
    expect(sweep.spec.scenario.system).toBe('conquest-dice');
  });

  test('support a game: loadSweep, loadExpectations', async () => {
    for (const name of ['sweep.yaml', 'inline.yaml'])
      expect((await loadSweep(join(folder, name))).spec.scenario.system).toBe('conquest-dice');
    expect((await loadExpectations(join(folder, 'claims.yaml'))).map(({ scenario }) => scenario.system)).toEqual([
      'conquest-dice',
      'conquest-dice',
    ]);
  });

  test('support all games: schema, completion, conform, new', async () => {
    expect(JSON.parse(await printed('schema', 'block-dice'))).toMatchObject({ title: 'Blocks and dice' });
    const { oneOf } = JSON.parse(await printed('schema', 'scenario')) as { oneOf: object[] };
    expect(oneOf).toHaveLength(SHIPPED_REGISTRY.all.length + GAMES.length);
    expect(await printed('schema')).toMatch(/^space-fleets +scenario files of space-fleets$/m);
    expect(await printed('completion', 'bash')).toContain('token-conflict conquest-dice combined-arms');
    expect(await printed('conform', 'conquest-dice', '--quick', '--quiet')).toContain('conquest-dice conforms');
    await expect(printed('new', 'conquest-dice')).rejects.toThrow('name: expected a name other than ');
  });
});

/** Copies the package into a temporary folder, as npm installs it, and returns its path. */
function installed(): string {
  const base = mkdtempSync(join(tmpdir(), 'warpool-installed-'));
  const at = join(base, 'node_modules/warpool');
  mkdirSync(at, { recursive: true });
  const parts = [
    'package.json',
    'bin',
    'docs/reference/tables.md',
    'dist/library',
    'dist/program',
    'dist/threads',
    'dist/kernels',
    FOLDER,
  ];
  for (const part of parts) cpSync(join(ROOT, part), join(at, part), { recursive: true });
  for (const each of ['piscina', 'zod', '@napi-rs', '@resvg'])
    cpSync(join(ROOT, 'node_modules', each), join(base, 'node_modules', each), { recursive: true });
  return at;
}

describe.skipIf(DEPTH === 1)('the package in another folder', () => {
  test('has the same module hash, continues a sweep, and verifies it', { timeout: 120_000 }, async () => {
    const there = installed();
    const main = join(there, 'bin/warpool.js');
    const cwd = mkdtempSync(join(tmpdir(), 'warpool-there-'));
    writeFileSync(
      join(cwd, 'sweep.yaml'),
      JSON.stringify({ scenario: RAID, axes: [{ path: 'attacker', range: [2, 9] }], battles: 200 }),
    );
    const shown = (circumstances: object, ...args: string[]) =>
      warpool([...args, '--quiet'], { cwd, ...circumstances });
    expect(await shown({ main }, 'sweep', 'sweep.yaml', '--out', 'store', '--shard', '1/2')).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect(await shown({}, 'sweep', 'sweep.yaml', '--out', 'store', '--shard', '2/2')).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect(await shown({}, 'merge', 'store')).toMatchObject({ code: 0, stderr: '' });
    for (const where of [{}, { main }])
      expect(await shown(where, 'verify', 'store')).toMatchObject({ code: 0, stderr: '' });
    const manifest = readFileSync(join(cwd, 'store/manifest.json'), 'utf8');
    for (const path of [there, ROOT, 'file:']) expect(manifest).not.toContain(path);
    const at = (folder: string): string => pathToFileURL(join(folder, FOLDER, 'conquest-dice.mjs')).href;
    expect(await hashModule(at(there))).toBe(await hashModule(at(ROOT)));
  });
});

test.skipIf(!HAS_REDIS || DEPTH === 1)('a worker of a queue simulates games without options', async () => {
  const server = await aServer();
  await aWorker(server);
  const scenario = await loadScenario(SIEGE);
  const run = { battles: 20_000, seed: 5 };
  const link = await aLink(server);
  const requested = { link, audit: 0 };
  const { result } = await runOnQueue(scenario, requested, (pool) => simulate(scenario, { ...run, pool }));
  expect(result.digest).toBe((await simulate(scenario, run)).digest);
  const here = mkdtempSync(join(tmpdir(), 'warpool-queue-'));
  writeFileSync(
    join(here, 'sweep.yaml'),
    JSON.stringify({ scenario: RAID, axes: [{ path: 'attacker', range: [2, 9] }], battles: 200 }),
  );
  const swept = await runSweepOnQueue(join(here, 'store'), await loadSweep(join(here, 'sweep.yaml')), {}, requested);
  expect([swept.complete, swept.quarantined]).toEqual([true, []]);
});

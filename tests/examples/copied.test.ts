/** Examples that are copied into a CommonJS folder, as created by `npm init -y`. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { findBestResponseSync } from '../../src/environments.ts';
import { loadScenario, loadSystems, solveSync } from '../../src/index.ts';
import { warpool } from '../cli/warpool.ts';
import { requireBuild } from '../pool/fixtures.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDER = mkdtempSync(join(tmpdir(), 'warpool-copied '));

beforeAll(() => {
  requireBuild();
  mkdirSync(join(FOLDER, 'node_modules'));
  symlinkSync(ROOT, join(FOLDER, 'node_modules/warpool'));
  writeFileSync(join(FOLDER, 'package.json'), '{ "name": "user", "type": "commonjs" }');
  cpSync(join(ROOT, 'examples'), join(FOLDER, 'examples'), { recursive: true });
});

const modules = readdirSync(join(ROOT, 'examples'), { recursive: true, encoding: 'utf8' }).filter((name) =>
  /\.[cm]?js$/.test(name),
);

test('examples outside the template have the extension .mjs', () => {
  const own = modules.filter((name) => !name.startsWith('templates'));
  expect(own.length).toBeGreaterThanOrEqual(10);
  for (const name of own) expect(name).toMatch(/\.mjs$/);
});

test.each(modules)('%s imports only Node, warpool and files next to it', (name) => {
  const text = readFileSync(join(ROOT, 'examples', name), 'utf8');
  const imported = [...text.matchAll(/^import .*from '(.*)';$/gm)].map(([, from]) => from ?? '');
  for (const from of imported) expect(from).toMatch(/^(?:node:.*|warpool(?:\/.*)?|\.\/(?:my-duel\.js|random\.mjs))$/);
});

test('a battle of one roll without a winner is undecided, not a stalemate', async () => {
  const examples = 'examples/games';
  const args = [
    'exact',
    `${examples}/conquest-dice-assault.yaml`,
    '--systems',
    `${examples}/conquest-dice.mjs`,
    '--json',
  ];
  const { code, stdout, stderr } = await warpool(args, { cwd: FOLDER });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const { outcomes } = JSON.parse(stdout) as { outcomes: Record<string, { p: number }> };
  expect(Object.keys(outcomes)).toEqual(['attacker', 'defender', 'withdrawn', 'undecided']);
  expect(outcomes['attacker']?.p).toBeCloseTo(2890 / 7776, 12);
  expect(outcomes['undecided']?.p).toBeCloseTo(4886 / 7776, 12);
});

test('systems and scenarios of the package are found by the package name', async () => {
  const path = createRequire(join(ROOT, 'x.js')).resolve('warpool/scenarios/attrition-direct.yaml');
  expect(solveSync(await loadScenario(path)).summary.outcomes[0]?.p).toBeCloseTo(0.576476, 6);
  const siege = ['exact', 'examples/games/conquest-dice-siege.yaml'];
  const { code, stdout } = await warpool([...siege, '--systems', 'warpool/examples/games/conquest-dice.mjs'], {
    cwd: FOLDER,
  });
  expect({ code, told: stdout.includes('attacker   85.0613276') }).toEqual({ code: 0, told: true });
});

test('systems of the package are found outside of projects, as with a global installation', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'warpool-bare-'));
  const siege = ['exact', join(ROOT, 'examples/games/conquest-dice-siege.yaml')];
  const found = await warpool([...siege, '--systems', 'warpool/examples/games/conquest-dice.mjs'], { cwd });
  expect({ code: found.code, told: found.stdout.includes('attacker   85.0613276') }).toEqual({ code: 0, told: true });
  const none = await warpool([...siege, '--systems', 'warpool/examples/systems/none.mjs'], { cwd });
  expect(none.stderr).toContain('found no such file, and no such package for ');
});

test('the best response in a battle of one roll has the exact value', async () => {
  const systems = await loadSystems([join(ROOT, 'examples/games/conquest-dice.mjs')]);
  const assault = await loadScenario(join(ROOT, 'examples/games/conquest-dice-assault.yaml'), { systems });
  const { value, outcomes } = findBestResponseSync(assault);
  expect(value).toBeCloseTo(2890 / 7776, 12);
  expect(outcomes.find(({ name }) => name === 'undecided')?.bestResponse).toBeCloseTo(4886 / 7776, 12);
});

test('the error about a missing scenario names its file in the package', async () => {
  const { code, stderr } = await warpool(['exact', 'scenarios/attrition-direct.yaml'], { cwd: FOLDER });
  expect(code).toBe(2);
  expect(stderr).toMatch(/found no such file \(the package has .*scenarios\/attrition-direct\.yaml\)\n$/);
  const none = await warpool(['exact', 'scenarios/none.yaml'], { cwd: FOLDER });
  expect(none.stderr).toBe('scenarios/none.yaml: expected a readable file, found no such file\n');
});

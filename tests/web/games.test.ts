/**
 * Games of examples/games in the built web app: hashes, digests and exact answers match this machine, in Chromium and
 * in Firefox, with and without shared memory. Missing browsers are skipped with a message.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { simulate } from '../../src/analysis/simulate.ts';
import { solveSync } from '../../src/analysis/solve.ts';
import { GAMES } from '../../src/rules/games.ts';
import { loadSystems } from '../../src/rules/load-systems.ts';
import { parseScenario } from '../../src/rules/scenario/index.ts';
import { hashScenario } from '../../src/stats/digest.ts';
import { ownFolder } from '../custom-system.ts';
import { DEPTH, SEED } from '../depth.ts';
import { launched, MISSING } from './browser.ts';
import { NO_FIREFOX, openFirefox } from './selftest/firefox.ts';
import { ASSETS, type SelfTest, selfTest } from './selftest/server.ts';

const FOLDER = 'examples/games';

interface Planned {
  readonly name: string;
  readonly text: string;
  readonly battles: number;
}

interface Said {
  readonly hash: string;
  readonly digest: string;
  readonly command: string;
  /** Probabilities of outcomes above 0; undefined without an exact answer. */
  readonly exact?: readonly (readonly [string, number])[];
}

/** Title and hash of a custom module, an answer of a shipped system, and the error of a rejected module. */
interface OwnSaid extends Omit<Said, 'exact'> {
  readonly title: string;
  readonly rejection: string;
}

interface Result {
  readonly isolated: boolean;
  readonly error?: string;
  readonly answers?: Readonly<Record<string, Said>>;
  readonly own?: OwnSaid;
}

/** Scenario that is too large to be compiled. It is interpreted, in threads if the page has shared memory. */
const LARGE: Planned = {
  name: 'large.yaml',
  battles: 12_000,
  text: `system: combined-arms
place: sea
attacker: { battleship: 10, submarine: 10, destroyer: 10, cruiser: 10, fighter: 10 }
defender: { battleship: 10, submarine: 10, destroyer: 10, cruiser: 10, fighter: 10 }
`,
};

const peace = (id: string): string => `import { defineSystem } from 'warpool/system';
export default defineSystem({
  id: '${id}', title: 'Mine', about: 'Nobody fights.', fields: {},
  battle: () => ({ outcomes: ['peace'], start: () => ({}), round: () => ({}), outcome: () => 'peace' }),
});
`;

/** Custom modules with the ids of a game and of a shipped system, with a scenario of each. */
const OWN = {
  game: peace('conquest-dice'),
  shipped: peace('attrition'),
  scenario: { game: 'system: conquest-dice\n', shipped: readFileSync('scenarios/attrition-direct.yaml', 'utf8') },
  battles: 2000,
};

/** All scenarios of all games. */
const PLANNED: readonly Planned[] = [
  ...readdirSync(FOLDER)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => ({ name, text: readFileSync(join(FOLDER, name), 'utf8'), battles: 2000 })),
  LARGE,
];

async function saidHere({ name, text, battles }: Planned): Promise<Said> {
  const { id } = GAMES.find((game) => text.includes(`system: ${game.id}\n`)) ?? { id: '' };
  const scenario = parseScenario(text, { source: name, systems: await loadSystems([join(FOLDER, `${id}.mjs`)]) });
  const { digest } = await simulate(scenario, { battles, seed: 1 });
  const command = `warpool run ${name} --battles ${String(battles)} --seed 1`;
  const printed = { hash: hashScenario(scenario), digest, command };
  if (name === LARGE.name) return printed;
  const exact = solveSync(scenario).summary.outcomes.map((each) => [each.name, each.p] as const);
  return { ...printed, exact: exact.filter(([, p]) => p > 0) };
}

async function ownHere(): Promise<OwnSaid> {
  const { folder } = ownFolder({ 'mine.mjs': OWN.game });
  const systems = await loadSystems([join(folder, 'mine.mjs')]);
  const { digest } = await simulate(parseScenario(OWN.scenario.shipped), { battles: OWN.battles, seed: 1 });
  return {
    title: 'Mine',
    hash: hashScenario(parseScenario(OWN.scenario.game, { systems })),
    digest,
    command: `warpool run a.yaml --battles ${String(OWN.battles)} --seed 1 --systems mine.mjs`,
    rejection: 'mine.mjs: expected a system with a unique name, found "attrition", which is already loaded',
  };
}

test('every game has a scenario', () => {
  for (const { id } of GAMES) expect(PLANNED.filter(({ text }) => text.includes(`system: ${id}\n`))).not.toEqual([]);
});

describe.skipIf(DEPTH === 1)('results of games in the web app', () => {
  const isFirefoxTurn = Math.floor(SEED / 3) % 2 === 1;
  const modules = mkdtempSync(join(tmpdir(), 'warpool-games-'));
  const expected: Record<string, Said> = {};
  let own: OwnSaid;

  const served = (isolated: boolean) => {
    const engine = readdirSync(ASSETS).find((name) => /^worker-[\w-]{8}\.js$/.test(name)) ?? '';
    return selfTest<Result>(
      { modules, engine: `/assets/${engine}`, scenarios: PLANNED, own: OWN } as { modules: string },
      isolated,
    );
  };

  beforeAll(async () => {
    await build({
      entryPoints: ['tests/web/selftest/games.js'],
      outdir: modules,
      bundle: true,
      format: 'esm',
      logLevel: 'error',
    });
    for (const each of PLANNED) expected[each.name] = await saidHere(each);
    own = await ownHere();
  });

  afterAll(() => {
    rmSync(modules, { recursive: true });
  });

  /** Expects the answers of a browser. */
  async function expectSame(
    { result, requested }: SelfTest<Result>,
    isolated: boolean,
    browser: string,
  ): Promise<void> {
    const named = expect.stringContaining(browser) as string;
    expect(await result).toEqual({ isolated, browser: named, answers: expected, own });
    // The engine's worker and threads, which received the large scenario.
    const loaded = [...requested].filter((name) => /^combined-arms-[\w-]{8}\.js$/.test(name));
    expect(loaded).toHaveLength(2);
  }

  // The tests in selftest.test.ts use the other combination of browsers and shared memory.
  test.skipIf(MISSING || isFirefoxTurn)('match this machine in Chromium, without shared memory', async () => {
    const isolated = false;
    await using server = await served(isolated);
    const browser = await launched();
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    await page.goto(`${server.url}games.html`);
    await expectSame(server, isolated, 'Chrome');
  });

  test.skipIf(NO_FIREFOX || !isFirefoxTurn)('match this machine in Firefox, with shared memory', async () => {
    const isolated = true;
    await using server = await served(isolated);
    onTestFinished(openFirefox(`${server.url}games.html`));
    await expectSame(server, isolated, 'Firefox');
  });
});

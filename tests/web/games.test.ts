/**
 * The games of examples/games in the built page, by name: hashes, digests and exact answers are those of this machine, in
 * Chromium and in Firefox, with shared memory and without. A browser that is not there is skipped, which is said.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { scenarioHash } from '../../src/answers/digest.ts';
import { GAMES } from '../../src/rules/games.ts';
import { loadSystems } from '../../src/rules/load.ts';
import { parseScenario } from '../../src/rules/scenario/index.ts';
import { simulate } from '../../src/studies/simulate.ts';
import { solve } from '../../src/studies/solve.ts';
import { DEPTH } from '../depth.ts';
import { launched, MISSING } from './browser.ts';
import { NO_FIREFOX, openFirefox } from './selftest/firefox.ts';
import { ASSETS, selfTest } from './selftest/server.ts';

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
  /** Outcomes that happen, with their probabilities; undefined where there is no exact answer. */
  readonly exact?: readonly (readonly [string, number])[];
}

interface Result {
  readonly isolated: boolean;
  readonly error?: string;
  readonly answers?: Readonly<Record<string, Said>>;
  /** Who has played each. */
  readonly players?: Readonly<Record<string, string>>;
}

/** Too large to be compiled: it is played by the rules as written, by threads where the page has them. */
const LARGE: Planned = {
  name: 'large.yaml',
  battles: 12_000,
  text: `system: combined-arms
place: sea
attacker: { battleship: 10, submarine: 10, destroyer: 10, cruiser: 10, fighter: 10 }
defender: { battleship: 10, submarine: 10, destroyer: 10, cruiser: 10, fighter: 10 }
`,
};

/** Every scenario of every game. */
const PLANNED: readonly Planned[] = [
  ...readdirSync(FOLDER)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => ({ name, text: readFileSync(join(FOLDER, name), 'utf8'), battles: 20_000 })),
  LARGE,
];

async function saidHere({ name, text, battles }: Planned): Promise<Said> {
  const { id } = GAMES.find((game) => text.includes(`system: ${game.id}\n`)) ?? { id: '' };
  const scenario = parseScenario(text, name, { systems: await loadSystems([join(FOLDER, `${id}.mjs`)]) });
  const { digest } = await simulate(scenario, { battles, seed: 1 });
  const command = `warpool run ${name} --battles ${String(battles)} --seed 1`;
  const said = { hash: scenarioHash(scenario), digest, command };
  if (name === LARGE.name) return said;
  const exact = solve(scenario).summary.outcomes.map((each) => [each.name, each.p] as const);
  return { ...said, exact: exact.filter(([, p]) => p > 0) };
}

test('a scenario of every game is played', () => {
  for (const { id } of GAMES) expect(PLANNED.filter(({ text }) => text.includes(`system: ${id}\n`))).not.toEqual([]);
});

describe.skipIf(DEPTH === 1)('games in the page', () => {
  const modules = mkdtempSync(join(tmpdir(), 'warpool-games-'));
  const expected: Record<string, Said> = {};

  const served = (isolated: boolean) => {
    const engine = readdirSync(ASSETS).find((name) => /^worker-[\w-]{8}\.js$/.test(name)) ?? '';
    return selfTest<Result>(
      { modules, engine: `/assets/${engine}`, scenarios: PLANNED } as { modules: string },
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
  });

  afterAll(() => {
    rmSync(modules, { recursive: true });
  });

  /** Whether a browser says what is expected. */
  function expectSame({ players, ...rest }: Result, isolated: boolean, browser: string): void {
    expect(rest).toEqual({ isolated, browser: expect.stringContaining(browser) as string, answers: expected });
    const threads = availableParallelism() > 1 ? /^the rules as written, \d+ threads$/ : /^the rules as written/;
    expect(players?.[LARGE.name]).toMatch(threads);
  }

  test.skipIf(MISSING).each([true, false])('in Chromium, isolated: %s', async (isolated) => {
    await using server = await served(isolated);
    const browser = await launched();
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    await page.goto(`${server.url}games.html`);
    expectSame(await server.result, isolated, 'Chrome');
  });

  test.skipIf(NO_FIREFOX).each([true, false])('in Firefox, isolated: %s', async (isolated) => {
    await using server = await served(isolated);
    onTestFinished(openFirefox(`${server.url}games.html`));
    expectSame(await server.result, isolated, 'Firefox');
  });
});

/** Matchups and balance problems in the web app have the results of the command line, and can be stopped. */
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { analyzeMatchups } from '../../src/analysis/index.ts';
import {
  balanceScenarios,
  loadRoster,
  loadSystems,
  matchup,
  type Roster,
  validateBalanceProblem,
  validateRoster,
} from '../../src/index.ts';
import { renderSvg } from '../../src/report/figures/render.ts';
import { renderMatchupPage } from '../../src/report/html/commands/matchup.ts';
import { renderSolutionPage } from '../../src/report/html/commands/solution.ts';
import { createMatchupJson, createSolutionJson } from '../../src/report/index.ts';
import { removeUnitType } from '../../src/storage/index.ts';
import { loadSystemsById, setLoadableSystems } from '../../web/engine/registry/registry.ts';
import { type StudyFileRequest, type StudyKind, type StudyView, studies } from '../../web/engine/studies/study-file.ts';
import { task } from '../../web/engine/task.ts';
import { DEPTH } from '../depth.ts';

const scenarios = Object.fromEntries(
  readdirSync('scenarios')
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => [file, readFileSync(`scenarios/${file}`, 'utf8')]),
);

let tasks = 500;

const ignore = (): void => undefined;

const createRequest = (kind: StudyKind, text: string, file = 'study.yaml'): StudyFileRequest => ({
  ...{ kind, text, file, scenarios },
});

const openExample = (kind: StudyKind, path: string): StudyFileRequest =>
  createRequest(kind, readFileSync(path, 'utf8'), path.replace(/^.*\//, ''));

async function run(request: StudyFileRequest): Promise<StudyView> {
  const view = await studies.runStudy(request, tasks++, ignore);
  if (view === undefined) throw new Error('stopped');
  return view;
}

const exportJson = async (request: StudyFileRequest): Promise<unknown> =>
  JSON.parse(await studies.exportStudy(request, 'json', tasks++));

const toJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** Returns the JSON of `warpool matchup`. */
async function createExpectedMatchup(roster: Roster): Promise<unknown> {
  const result = await matchup(roster);
  return toJson(createMatchupJson(result, analyzeMatchups(result.matrix), undefined));
}

const ORIGIN = { version: '0', command: 'warpool', renderSvg };

/** Removes version and command, which differ. */
const withoutOrigin = (page: string): string =>
  page.replace(/<section id="made">.*$/s, '').replaceAll(/warpool [\d.]+/g, '');

describe('matchups', () => {
  beforeAll(async () => {
    const systems = await loadSystems(['combined-arms']);
    const module = systems.moduleOf('combined-arms');
    const load = () => Promise.resolve(systems.system('combined-arms'));
    setLoadableSystems([{ id: 'combined-arms', title: '', about: '', ...(module && { module }), load }]);
    await loadSystemsById();
  });

  afterAll(() => {
    setLoadableSystems([]);
  });

  test.each(DEPTH === 1 ? ['duels'] : ['duels', 'points', 'equal-points', 'budget-game'])(
    'the shipped roster %s has the result of the command',
    async (name) => {
      const path = `examples/rosters/${name}.yaml`;
      const request = openExample('matchup', path);
      const roster = await loadRoster(path);
      const view = await run(request);
      expect(await exportJson(request)).toEqual(await createExpectedMatchup(roster));
      expect(view.command).toBe(`warpool matchup ${name}.yaml`);
      expect(view.figures.map(({ title }) => title)).toEqual([
        'Payoffs, each army attacks in half of the battles',
        'Payoffs by role',
      ]);
      const titles = view.sections.map(({ title }) => title);
      expect(titles).toContain('Cycles');
      expect(titles).toContain('Equilibrium mix');
      const [payoffs] = view.sections[1]?.parts ?? [];
      expect(payoffs?.kind === 'table' && payoffs.rows.length).toBe(roster.attackers.length);
    },
  );

  const SIMULATED = {
    scenario: {
      system: 'attrition',
      mode: 'direct',
      attacker: { attack: 1, defense: 1, hp: 30 },
      defender: { attack: 1, defense: 1, hp: 25 },
    },
    attackers: [
      { name: 'plain', set: { hp: 30, attack: 0 } },
      { name: 'strong', set: { attack: 3, hp: 20 } },
    ],
    defenders: [
      { name: 'small', set: { hp: 15 } },
      { name: 'large, and "slow"', set: { hp: 30, attack: -1 } },
    ],
    terrains: [{ name: 'open' }, { name: 'wood', weight: 2, set: { 'attacker.defense': 3 } }],
    payoff: 'attacker - 0.1 * rounds',
    exact: 'never',
    battles: 600,
    seed: 7,
  };

  test('simulated cells with two roles and terrains have the results of the command', async () => {
    const request = createRequest('matchup', JSON.stringify(SIMULATED));
    const expected = await createExpectedMatchup(await validateRoster(SIMULATED));
    await run(request);
    expect(await exportJson(request)).toEqual({ ...(expected as object), roster: 'study.yaml' });
    const csv = await studies.exportStudy(request, 'csv', tasks++);
    const { values, lower } = expected as { values: number[][]; lower: number[][] };
    const lines = csv.trimEnd().split('\r\n');
    expect(lines).toHaveLength(5);
    expect(lines[0]).toBe('\uFEFFattacker,defender,payoff,low,high');
    expect(lines[1]).toMatch(`plain,small,${String(values[0]?.[0])},${String(lower[0]?.[0])},`);
    expect(lines[2]).toMatch(/^plain,"large, and ""slow""",/);
  });

  test('options have the same effect as in the command', async () => {
    const options = { battles: ' 1k', seed: '', maxBattles: '4k', without: 'attack', alpha: '5' };
    const request = { ...createRequest('matchup', JSON.stringify(SIMULATED)), options };
    const roster = await validateRoster(SIMULATED);
    const result = await matchup(roster, { battles: 1000, maxBattles: 4000 });
    const analyze = (matrix: typeof result.matrix) => analyzeMatchups(matrix, { alpha: 5 });
    const ablation = { type: 'attack', analysis: analyze(removeUnitType(roster, result.matrix, 'attack')) };
    const expected = toJson(createMatchupJson(result, analyze(result.matrix), ablation));
    const view = await run(request);
    expect(view.command).toBe('warpool matchup study.yaml --battles 1k --max-battles 4k --without attack --alpha 5');
    expect(view.sections.map(({ title }) => title)).toContain('Without attack');
    expect(await exportJson(request)).toEqual({ ...(expected as object), roster: 'study.yaml' });
    const check = async (name: string, text: string) =>
      (await studies.checkStudy({ ...request, options: { ...options, [name]: text } })).problems;
    expect(await check('battles', '0')).toEqual([expect.stringMatching(/^battles: expected /)]);
    expect(await check('alpha', '-1')).toEqual([expect.stringMatching(/^alpha: expected a number above 0/)]);
    expect(await check('without', 'wings')).toEqual([]);
    await expect(run({ ...request, options: { without: 'wings' } })).rejects.toThrow('without: expected a unit type');
  });

  test('the HTML report has the figures and tables of the command', async () => {
    const request = openExample('matchup', 'examples/rosters/duels.yaml');
    const { matrix } = await matchup(await loadRoster('examples/rosters/duels.yaml'));
    const page = await renderMatchupPage(matrix, analyzeMatchups(matrix), { ...ORIGIN, name: 'Duelists' });
    const own = await studies.exportStudy(request, 'html', tasks++);
    expect(own).toContain('warpool matchup duels.yaml');
    expect(own.length).toBeGreaterThan(20_000);
    expect(withoutOrigin(own)).toBe(withoutOrigin(page));
  });

  test('a stopped matchup has no result, and the next one is complete', async () => {
    const many = Array.from({ length: 12 }, (_, a) => ({ name: `a${String(a)}`, set: { hp: 20 + a } }));
    const { attackers: _a, defenders: _d, terrains: _t, ...rest } = SIMULATED;
    const request = createRequest('matchup', JSON.stringify({ ...rest, armies: many, battles: 20_000 }));
    const number = tasks++;
    const received: number[] = [];
    const stopped = await studies.runStudy(request, number, ({ done, total }) => {
      received.push(done);
      expect(total).toBe(144);
      task.stop(number);
    });
    expect(stopped).toBeUndefined();
    expect(received.length).toBeGreaterThan(0);
    expect(received[0]).toBeLessThan(144);
    expect((await run(openExample('matchup', 'examples/rosters/duels.yaml'))).sections.length).toBeGreaterThan(5);
  });
});

describe('balance problems', () => {
  test.each(DEPTH === 1 ? ['three-scenarios'] : ['three-scenarios', 'three-scenarios-bonuses'])(
    '%s has the solution of the command',
    async (name) => {
      // A part of the settings for the default depth.
      const step = DEPTH === 1 ? ', step: 4' : '';
      const text = readFileSync(`examples/balance/${name}.yaml`, 'utf8').replaceAll('[16, 36]', `[16, 36]${step}`);
      const request = createRequest('balance-problem', text, `${name}.yaml`);
      const problem = await validateBalanceProblem(parse(text.replaceAll('../../', '')));
      const expected = await balanceScenarios(problem);
      const view = await run(request);
      expect(await exportJson(request)).toEqual(toJson(createSolutionJson(expected)));
      expect(view.answer).toMatch(/(?:^| )(?:No setting )?meets all 4 targets/);
      expect(view.command).toBe(`warpool balance ${name}.yaml`);
      expect(view.figures).toHaveLength(expected.grid === undefined ? 0 : 1);
      const html = await studies.exportStudy(request, 'html', tasks++);
      const page = await renderSolutionPage(expected, { ...ORIGIN, name: problem.name });
      expect(withoutOrigin(html)).toBe(withoutOrigin(page));
      const csv = await studies.exportStudy(request, 'csv', tasks++);
      expect(csv.trimEnd().split('\r\n')).toHaveLength(2 + expected.meeting.length + expected.front.length);
    },
  );

  test('the options battles and exact have the same effect as in the command', async () => {
    const problem = {
      scenarios: { plain: 'phased-dice-ground.yaml' },
      fields: [{ path: 'maxRounds', range: [4, 6] }],
      targets: ['plain.attacker = 5%'],
    };
    const request = createRequest('balance-problem', JSON.stringify(problem));
    const options = { battles: '300', exact: 'never' };
    await run({ ...request, options });
    const own = (await exportJson({ ...request, options })) as { targetsMet: boolean };
    const same = await validateBalanceProblem({
      ...problem,
      scenarios: { plain: 'scenarios/phased-dice-ground.yaml' },
    });
    const expected = toJson(createSolutionJson(await balanceScenarios(same, { battles: 300, exact: 'never' })));
    expect(own).toEqual({ ...(expected as object), problem: 'study.yaml' });
  });

  test('a problem with conflicting targets has the Pareto front of the command', async () => {
    const problem = {
      scenarios: { plain: 'attrition-direct.yaml' },
      fields: [{ path: 'attacker.hp', range: [24, 30], step: 3 }],
      targets: ['attacker >= 60%', 'defender >= 60%'],
    };
    const request = createRequest('balance-problem', JSON.stringify(problem));
    const view = await run(request);
    const own = (await exportJson(request)) as { front: unknown[]; targetsMet: boolean };
    const same = await validateBalanceProblem({ ...problem, scenarios: { plain: 'scenarios/attrition-direct.yaml' } });
    const expected = toJson(createSolutionJson(await balanceScenarios(same)));
    expect(own).toEqual({ ...(expected as object), problem: 'study.yaml' });
    expect(own.targetsMet).toBe(false);
    expect(own.front.length).toBeGreaterThan(1);
    expect(view.answer).toMatch(/The targets conflict/);
  });
});

describe('checkStudy', () => {
  const ROSTER = readFileSync('examples/rosters/duels.yaml', 'utf8');
  const check = async (kind: StudyKind, text: string) => await studies.checkStudy(createRequest(kind, text));

  test('returns a summary of a valid file', async () => {
    expect(await check('matchup', ROSTER)).toEqual({ summary: '4 x 4 armies, 16 cells', problems: [] });
    const problem = readFileSync('examples/balance/three-scenarios.yaml', 'utf8');
    expect(await check('balance-problem', problem)).toEqual({ summary: '441 settings, 4 targets', problems: [] });
  });

  test.each([
    [
      'matchup',
      ROSTER.replace('attack: 4', 'attak: 4'),
      /^study\.yaml:6:39 armies\[1\]\.set\.attak: expected .*found an unknown field/,
    ],
    [
      'matchup',
      ROSTER.replace('attrition-direct.yaml', 'missing.yaml'),
      /^study\.yaml:3:11 scenario: expected a shipped scenario, or the name of the scenario in the editor, found no such scenario: \.\.\/\.\.\/scenarios\/missing\.yaml$/,
    ],
    ['matchup', 'scenario: { system: nope }\narmies: [{ name: a, set: {} }]', /^study\.yaml:1:21 system: .*"nope"$/],
    ['matchup', 'system: attrition', /study\.yaml.*roster/],
    ['matchup', '', /^study\.yaml: expected a roster, found an empty file$/],
    ['balance-problem', ROSTER, /balance problem/],
    [
      'balance-problem',
      'scenarios: { a: constructor }\nfields: [{ path: attacker.hp, range: [1, 2] }]\ntargets: [attacker = 50%]',
      /^study\.yaml:1:17 scenarios\.a: expected a shipped scenario.* found no such scenario: constructor$/,
    ],
  ] as const)('rejects an invalid %s file with the position of the error: %j', async (kind, text, expected) => {
    const { summary, problems } = await check(kind, text);
    expect(summary).toBeUndefined();
    expect(problems[0]).toMatch(expected);
  });

  test('suggests the command for more than 30 armies', async () => {
    const armies = Array.from({ length: 31 }, (_, a) => ({ name: String(a), set: { hp: a + 1 } }));
    const scenario = 'attrition-direct.yaml';
    const text = JSON.stringify({ scenario, attackers: armies.slice(1), defenders: armies }, undefined, 1);
    const { problems } = await check('matchup', text);
    expect(problems).toEqual([
      expect.stringMatching(
        /^study\.yaml:\d+:\d+ defenders: expected at most 30 armies in the web app; use "warpool matchup study\.yaml" for more, found 31$/,
      ),
    ]);
    expect((await check('matchup', JSON.stringify({ scenario, armies: armies.slice(1) }))).problems).toEqual([]);
  });
});

/** The example systems: they load and give known results. */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { replay } from '../../src/analysis/replay.ts';
import { findBestResponseSync } from '../../src/environments/best-response/best-response.ts';
import {
  loadScenario,
  loadSystems,
  runScript,
  type SystemRegistry,
  simulate,
  solveSync,
  validateScenario,
} from '../../src/index.ts';
import { formatReplayLines } from '../../src/report/run/replay.ts';
import { PLAIN_PAINT } from '../../src/report/text/table.ts';
import type { Scenario } from '../../src/rules/system.ts';
import { conform } from '../../src/testing.ts';
import { DEPTH } from '../depth.ts';
import { requireBuild } from '../pool/fixtures.ts';
import { example, examples } from './files.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const IDS = examples('.mjs').map((path) => basename(path, '.mjs'));
const SCENARIOS = examples('.yaml').map((path) => basename(path));
const at = (name: string): string => join(ROOT, example(name));

let systems: SystemRegistry;

beforeAll(async () => {
  requireBuild();
  systems = await loadSystems(IDS.map((id) => at(`${id}.mjs`)));
});

const open = (fields: object): Scenario => validateScenario(fields, { systems });

/** Returns the probabilities of all outcomes by name. */
const outcomes = (fields: object): Record<string, number> =>
  Object.fromEntries(solveSync(open(fields)).summary.outcomes.map(({ name, p }) => [name, p]));

/** Returns the means of all metrics by name. */
const means = (fields: object): Record<string, number> =>
  Object.fromEntries(solveSync(open(fields)).summary.metrics.map(({ name, mean }) => [name, mean]));

/** Returns the sentences of a battle, without its draws. */
const reported = (scenario: Scenario, battle: number): string[] =>
  formatReplayLines(replay(scenario, { battle }).events, systems.system(scenario.system), {
    width: 200,
    paint: PLAIN_PAINT,
  }).map((line) => line.replace(/ {2}\[.*$/, '').trim());

describe('every example', () => {
  test.each(IDS)('%s is one module of at most 200 lines that imports only warpool/system', (id) => {
    const text = readFileSync(at(`${id}.mjs`), 'utf8');
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(200);
    expect([...text.matchAll(/\bfrom '(.*?)'/g)].map(([, from]) => from)).toEqual(['warpool/system']);
  });

  test.each(IDS)('%s has at least two scenarios, and valid examples', (id) => {
    expect(SCENARIOS.filter((name) => name.startsWith(`${id}-`)).length).toBeGreaterThanOrEqual(2);
    for (const { scenario } of systems.system(id).examples) expect(open(scenario as object).system).toBe(id);
  });

  test.each(SCENARIOS)('%s is accepted', async (name) => {
    expect(name.startsWith(`${(await loadScenario(at(name), { systems })).system}-`)).toBe(true);
  });

  test.each([
    { system: 'conquest-dice', attacker: 5, defender: 4, withdrawAt: 1 },
    { system: 'conquest-dice', attacker: 7, defender: 2, beyond: [{ armies: 3, defenceDice: 3 }], withdrawAfter: 4 },
    {
      ...{ system: 'block-dice', hits: 'owner' },
      ...{
        attacker: { blocks: [{ rating: 'B3', steps: 3 }], retreatAt: 1 },
        defender: { blocks: [{ rating: 'B2', steps: 2 }] },
      },
    },
    { system: 'volley', attacker: { models: 2 }, defender: { models: 2 } },
    { system: 'volley', attacker: { models: 2 }, defender: { models: 2, save: 7 }, order: 'simultaneous' },
    { system: 'feint', red: { lives: 1 }, blue: { lives: 2, policy: 'answer' } },
    { system: 'hand', red: 1, blue: 2 },
    { system: 'hit-wound-save', attacker: { weapons: [{ attacks: 'd6', damage: 'd3', lethal: true }] }, defender: {} },
    { system: 'symbol-dice', attacker: { figures: 2 }, defender: { kind: 'armour', figures: 2, terrain: 'woods' } },
  ])('$system has the same digest with the automaton and the reference engine', async (fields) => {
    const run = { battles: 500, seed: 3 };
    // A requested automaton is explored completely, even on a busy machine.
    const fast = await simulate(open(fields), { ...run, engine: 'automaton' });
    const slow = await simulate(open(fields), { ...run, engine: 'reference' });
    expect([fast.engineUsed, slow.engineUsed]).toEqual(['automaton', 'reference']);
    expect(fast.digest).toBe(slow.digest);
  });
});

describe('conquest dice', () => {
  const attack = { system: 'conquest-dice', maxRounds: 1 };

  test.each(['law', 'faces'])('three against two, with dice as %s, have the known probabilities', (dice) => {
    const { metrics } = solveSync(open({ ...attack, attacker: 3, defender: 2, dice })).summary;
    const { attacker: both } = outcomes({ ...attack, attacker: 3, defender: 2, dice });
    expect(both).toBeCloseTo(2890 / 7776, 14);
    const left = metrics.find(({ name }) => name === 'armies.defender');
    expect(left?.mean).toBeCloseTo((2611 + 2 * 2275) / 7776, 14);
    expect(outcomes({ ...attack, attacker: 3, defender: 2, dice, withdrawAt: 1 })['withdrawn']).toBeCloseTo(
      2275 / 7776,
      14,
    );
    expect(outcomes({ ...attack, attacker: 3, defender: 2, dice, withdrawAt: 2 })['withdrawn']).toBeCloseTo(
      4886 / 7776,
      14,
    );
  });

  test.each([
    [1, 1, 15 / 36],
    [2, 1, 125 / 216],
    [3, 1, 855 / 1296],
  ])('%i against %i win with the known probability', (attacker, defender, p) => {
    expect(outcomes({ ...attack, attacker, defender })['attacker']).toBeCloseTo(p, 14);
  });

  test('both values of dice have equal probabilities in long battles', () => {
    const fields = { system: 'conquest-dice', attacker: 5, defender: 4, withdrawAt: 1 };
    const [distribution, faces] = ['law', 'faces'].map((dice) => outcomes({ ...fields, dice }));
    for (const [name, p] of Object.entries(distribution ?? {})) expect(faces?.[name]).toBeCloseTo(p, 12);
  });

  test('attackDice and defenceDice limit the number of dice', () => {
    expect(outcomes({ ...attack, attacker: 3, defender: 1, attackDice: 1 })['attacker']).toBeCloseTo(15 / 36, 14);
    expect(outcomes({ ...attack, attacker: 3, defender: 1, attackDice: 3, defenceDice: 1 })['attacker']).toBeCloseTo(
      855 / 1296,
      14,
    );
  });

  test('ties go to the defender, and replays show faces', () => {
    const scenario = open({ system: 'conquest-dice', attacker: 2, defender: 1, dice: 'faces', withdrawAt: 1 });
    const script = [{ roll: [6, 2] }, { roll: [6] }] as const;
    expect(runScript(scenario, script)).toMatchObject({ outcome: 'withdrawn' });
    expect(reported(scenario, 0).join('\n')).toMatch(
      /The attacker rolls \d \d, the defender \d\.\n2 against 1 dice: the attacker/,
    );
  });

  test('the best response attacks with two armies against one, where it is likelier to win', () => {
    const scenario = open({ system: 'conquest-dice', attacker: 2, defender: 1, maxRounds: 2, withdrawAt: 1 });
    const { value, policyValue: given, decisionStates: decisions } = findBestResponseSync(scenario);
    // Two dice against one win with 125/216, one with 15/36; a defeat costs as much as a victory gives.
    expect(given).toBeCloseTo(125 / 216, 14);
    expect([value, decisions]).toEqual([given, 1]);
    const bold = findBestResponseSync(
      open({ system: 'conquest-dice', attacker: 3, defender: 1, maxRounds: 2, withdrawAt: 2 }),
    );
    expect(bold.policyValue).toBeCloseTo(855 / 1296, 14);
    expect(bold.value).toBeCloseTo(855 / 1296 + (441 / 1296) * (125 / 216), 14);
  });

  test('an attacker that would withdraw at once is rejected', () => {
    expect(() => open({ system: 'conquest-dice', attacker: 3, defender: 2, withdrawAt: 3 })).toThrow(
      'withdrawAt: expected less than attacker, 3, found 3',
    );
  });
});

describe('volley', () => {
  const lone = { models: 1, hit: 4, wound: 3, save: 5 };
  const shot = (1 / 2) * (4 / 6) * (4 / 6);

  test('one model against one hits, wounds and saves in turn', () => {
    const distribution = outcomes({ system: 'volley', attacker: lone, defender: lone, maxRounds: 1 });
    expect(distribution['attacker']).toBeCloseTo(shot, 14);
    expect(distribution['defender']).toBeCloseTo((1 - shot) * shot, 14);
    expect(distribution['mutual']).toBe(0);
  });

  test('simultaneous attacks can kill both, and a save of 7 always fails', () => {
    const bare = { ...lone, save: 7 };
    const distribution = outcomes({
      system: 'volley',
      attacker: bare,
      defender: bare,
      order: 'simultaneous',
      maxRounds: 1,
    });
    expect(distribution['mutual']).toBeCloseTo(1 / 9, 14);
  });

  test('a morale test compares 2d6 with leadership if enough models fell', () => {
    const attacker = { models: 1, hit: 2, wound: 2 };
    const defender = { models: 4, save: 7, leadership: 7, hit: 6, wound: 6, attacks: 1 };
    const fields = { system: 'volley', attacker, defender, maxRounds: 1, order: 'simultaneous' };
    // A quarter of the models falls with (5/6)^2; 15 of 36 rolls are above 7.
    const expected = (25 / 36) * (15 / 36);
    expect(means({ ...fields, testAt: 25 })['broken.defender']).toBeCloseTo(expected, 14);
    expect(means({ ...fields, testAt: 26 })['broken.defender']).toBe(0);
    expect(means({ ...fields, defender: { ...defender, leadership: 12 } })['broken.defender']).toBe(0);
  });

  test('replays print attacks and morale tests as sentences', async () => {
    const scenario = await loadScenario(at('volley-guns.yaml'), { systems });
    const lines = reported(scenario, 0);
    expect(lines[1]).toMatch(/^The attacker attacks with 16 dice: \d+ hit on 4\+\.$/);
    expect(lines.join('\n')).toMatch(/The (attacker|defender) rolls \d+ against leadership \d+ and (breaks|holds)\./);
  });
});

describe('feint', () => {
  const always = (choice: string) => ({ lives: 1, strike: 0, guard: 0, feint: 0, [choice]: 1 });
  const duel = (mine: string, theirs: string) => ({
    ...{ system: 'feint', maxRounds: 1 },
    ...{ red: always(mine), blue: always(theirs) },
  });

  test.each([
    ['strike', 'feint', 5 / 6, 0],
    ['guard', 'strike', 5 / 6, 0],
    ['feint', 'guard', 5 / 6, 0],
    ['strike', 'strike', 5 / 36, 25 / 36],
    ['guard', 'guard', 0, 0],
    ['feint', 'feint', 0, 0],
  ])('%s against %s has the known probabilities', (mine, theirs, wins, mutual) => {
    const distribution = outcomes(duel(mine, theirs));
    expect(distribution['red']).toBeCloseTo(wins, 14);
    expect(distribution['mutual']).toBeCloseTo(mutual, 14);
    expect(outcomes(duel(theirs, mine))['blue']).toBeCloseTo(wins, 14);
  });

  test('equal mixed strategies win with equal probability', () => {
    const { red = 0, blue } = outcomes({ system: 'feint', red: {}, blue: {} });
    expect(red).toBeCloseTo(blue ?? 1, 12);
  });

  test.each([
    ['guard', 'guard', 5 / 6],
    ['feint', 'feint', 5 / 6],
    ['strike', 'guard', 35 / 36],
  ])('the policy answer beats in round 2 the choice of round 1: %s', (theirs, opening, wins) => {
    const red = { lives: 1, policy: 'answer', opening };
    expect(outcomes({ ...duel('strike', theirs), red, maxRounds: 2 })['red']).toBeCloseTo(wins, 14);
  });

  test('the policy cycle chooses the action that beats its own last one', () => {
    const red = { lives: 1, policy: 'cycle', opening: 'guard' };
    const blue = { lives: 1, policy: 'cycle', opening: 'strike' };
    // Guard against strike, then feint against guard: red wounds each time.
    const scenario = open({ system: 'feint', red, blue });
    expect(runScript(scenario, [{ sample: 0 }, { sample: 1 }])).toMatchObject({
      outcome: 'red',
      metrics: { rounds: 2 },
    });
  });

  test('scripts set decisions, and replays show them', () => {
    const fields = duel('mix', 'feint');
    const scenario = open({ ...fields, red: { lives: 1 } });
    const script = [
      { decide: 'guard' },
      { decide: 'guard' },
      { decide: 'strike' },
      { decide: 'feint' },
      { sample: 2 },
    ] as const;
    expect(runScript(open({ ...fields, red: { lives: 1 }, maxRounds: 2 }), script)).toMatchObject({ outcome: 'red' });
    expect(reported(scenario, 0)).toContainEqual(
      expect.stringMatching(/^Red chose (strike|guard|feint), blue feint\.$/),
    );
    expect(reported(scenario, 0)).toContainEqual(expect.stringMatching(/leaves it to chance/));
  });

  test('a duelist without a weight above 0 is rejected', () => {
    expect(() => open({ system: 'feint', red: { strike: 0, guard: 0, feint: 0 }, blue: {} })).toThrow(
      'a weight above 0',
    );
  });
});

describe('hand', () => {
  const DECK = [0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2];

  /** Lists all ways to take three of the cards, with the remaining cards. */
  const deals = (cards: readonly number[]): [hand: number[], rest: number[]][] =>
    cards.flatMap((_, a) =>
      cards.slice(a + 1).flatMap((__, b) =>
        cards.slice(a + b + 2).map((___, c): [number[], number[]] => {
          const taken = [a, a + b + 1, a + b + c + 2];
          const of = (keep: boolean): number[] => cards.filter((____, k) => taken.includes(k) === keep);
          return [of(true), of(false)];
        }),
      ),
    );

  const count = (hand: readonly number[], kind: number): number => hand.filter((each) => each === kind).length;
  /** Returns the most frequent kind of a hand, or the first of several. */
  const most = (hand: readonly number[]): number =>
    [0, 1, 2].reduce((best, kind) => (count(hand, kind) > count(hand, best) ? kind : best), 0);
  /** Returns 1, 0 or -1: knight beats archer, archer beats pike, pike beats knight. */
  const clash = (mine: number, theirs: number): number => [0, 1, -1][(theirs - mine + 3) % 3] ?? 0;

  /**
   * Probabilities that each card of each hand wins and loses against the policy. All hands are equally likely; 2 of 3
   * grounds have no fog.
   */
  const odds = deals(DECK).map(([hand, rest]) => {
    const answers = deals(rest).map(([other]) => most(other));
    const share = (card: number, sign: number): number =>
      ((2 / 3) * answers.filter((answer) => clash(card, answer) === sign).length) / answers.length;
    return { hand, cards: [0, 1, 2].map((card) => ({ wins: share(card, 1), loses: share(card, -1) })) };
  });
  const mean = (value: (each: (typeof odds)[number]) => number): number =>
    odds.reduce((sum, each) => sum + value(each), 0) / odds.length;

  test('battles have the mean rounds and win probability of hands of twelve distinct cards', () => {
    const hurt = mean(({ hand, cards }) => {
      const { wins = 0, loses = 0 } = cards[most(hand)] ?? {};
      return wins + loses;
    });
    // A race of two lives against three takes 3.125 lost lives on average.
    expect(means({ system: 'hand', red: 2, blue: 3 })['rounds']).toBeCloseTo(3.125 / hurt, 9);
    expect(outcomes({ system: 'hand', red: 2, blue: 3 })['red']).toBeCloseTo(5 / 16, 12);
  });

  test('the best response uses only the own hand', () => {
    let value = 0;
    for (let k = 0; k < 400; k++) {
      const before = value;
      value = mean(({ hand, cards }) =>
        Math.max(
          ...hand.map((card) => {
            const { wins = 0, loses = 0 } = cards[card] ?? {};
            return wins - loses + (1 - wins - loses) * before;
          }),
        ),
      );
    }
    const found = findBestResponseSync(open({ system: 'hand', red: 1, blue: 1 }), { agent: 'red' });
    expect(found.value).toBeCloseTo(value, 9);
    expect(found.warning).toBeUndefined();
    expect(found.value).toBeGreaterThan(0.2);
  });

  test('replays name cards and grounds', () => {
    const { events } = replay(open({ system: 'hand' }), { battle: 0 });
    const lines = formatReplayLines(events, systems.system('hand'), { width: 200, paint: PLAIN_PAINT });
    expect(lines.slice(1, 3)).toEqual([
      '  Three cards for red, three for blue.  [drawn 1 knight, 1 archer, 1 pike of 3 knight, 4 archer, 5 pike; drawn 1 archer, 2 pike of 2 knight, 3 archer, 4 pike]',
      '  The loser of a life: red.  [red plays knight, could play archer or play pike; blue plays pike, could play archer; field, chance 33.3 %]',
    ]);
  });

  test.runIf(DEPTH > 1)('conforms, and its features reveal no hidden information', async () => {
    const findings = await conform(systems.system('hand'), { quick: true });
    expect(findings.filter(({ ok }) => !ok)).toEqual([]);
    expect(findings.some(({ check, checked }) => check === 'secrets' && checked)).toBe(true);
  });
});

/** Replays: lines of the command line, drawings, states, and search. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { findBattles } from '../../src/analysis/find-battles.ts';
import { replay } from '../../src/analysis/replay.ts';
import { InputError } from '../../src/core/errors.ts';
import { createScenarioSpec } from '../../src/environments/env-spec.ts';
import { formatReplayLines } from '../../src/report/run/replay.ts';
import { PLAIN_PAINT } from '../../src/report/text/table.ts';
import { getBoundScenario } from '../../src/rules/bound-scenario.ts';
import { parseScenario } from '../../src/rules/scenario/index.ts';
import {
  createEventDrawings,
  createLetters,
  type EventDrawing,
  getOutline,
  getPips,
} from '../../web/app/battle/event-drawings.ts';
import { battle, type ReplayStep } from '../../web/engine/studies/battle.ts';
import { some } from '../depth.ts';

const FILES = [
  'attrition-brawl',
  'cube-bag-battering',
  'phased-dice-dogfight',
  'strength-cards-island',
  'token-conflict-garrison',
  'attrition-direct',
  'phased-dice-ground',
  'token-conflict-sieges',
];

const textOf = (name: string): string => readFileSync(`scenarios/${name}.yaml`, 'utf8');
const featuresOf = (name: string): string[] =>
  createScenarioSpec(parseScenario(textOf(name), { source: name })).features.map((feature) => feature.name);
const requested = (name: string, number: number) => ({
  text: textOf(name),
  file: `${name}.yaml`,
  seed: '3',
  battle: number,
});

/** Converts steps to the lines of a replay in a wide terminal. */
function linesOf(steps: readonly ReplayStep[]): string[] {
  return steps.flatMap(({ text, notes, opens }, s) => {
    if (opens) return s === 0 ? [text] : ['', text];
    if (text === '') return notes.map((note) => `  ${note.charAt(0).toUpperCase()}${note.slice(1)}`);
    return [notes.length === 0 ? `  ${text}` : `  ${text}  [${notes.join('; ')}]`];
  });
}

describe('a replay', () => {
  test.each(some(FILES))('has the lines and the result of `warpool replay`: %s', (name) => {
    const scenario = parseScenario(textOf(name), { source: name });
    for (const number of [0, 17]) {
      const tale = battle.getReplay(requested(name, number));
      const reported = replay(scenario, { seed: 3, battle: number });
      const look = { width: 10_000, paint: PLAIN_PAINT, set: () => [] };
      expect(linesOf(tale.steps)).toEqual(formatReplayLines(reported.events, getBoundScenario(scenario).system, look));
      expect(tale.outcome).toBe(reported.outcome);
      expect(Object.fromEntries(tale.metrics)).toEqual(
        Object.fromEntries(Object.entries(reported.metrics).map(([metric, value]) => [metric, String(value)])),
      );
      expect(tale.command).toBe(`warpool replay ${name}.yaml --seed 3 --battle ${String(number)}`);
    }
  });

  test('names the rule of every sentence, with its source', () => {
    const { steps } = battle.getReplay(requested('phased-dice-ground', 0));
    expect(steps.filter(({ text }) => text !== '').every(({ rule }) => (rule?.source.length ?? 0) > 0)).toBe(true);
    expect(steps[2]?.rule).toEqual({ id: 'roll', source: 'Combat Resolution: dice and combat values' });
  });

  test('contains the last state of each step, and whether the state follows that step', () => {
    const { steps, states: standings, metrics } = battle.getReplay(requested('attrition-direct', 0));
    const hp = standings.changing.find(({ name }) => name === 'hp.attacker')?.values ?? [];
    expect(hp[0]).toBe(30);
    for (const { text, state, settled } of steps) {
      const [, left] = /: Swordsmen \d+ -> (\d+) hp/.exec(text) ?? [];
      if (left !== undefined && settled) expect(hp[state]).toBe(Number(left));
    }
    expect(steps.filter(({ opens }) => opens).every(({ settled }) => !settled)).toBe(true);
    expect(steps.at(-1)?.state).toBe(hp.length - 1);
    expect(hp.at(-1)).toBe(Number(metrics.find(([name]) => name === 'hp.attacker')?.[1]));
  });

  test('lists features that never change, so that no unit is missing', () => {
    const { states: standings } = battle.getReplay({ ...requested('phased-dice-ground', 0), seed: '1' });
    const { changing, constant } = standings;
    expect(constant).toContainEqual({ name: 'left.defender.dragoon', value: 2 });
    const names = [...changing, ...constant].map(({ name }) => name);
    expect([...names].sort()).toEqual([...featuresOf('phased-dice-ground')].sort());
    expect(battle.getReplay(requested('attrition-deadlock', 0)).states).toMatchObject({
      changing: [],
      constant: [{ name: 'round', value: 0 }, { name: 'hp.attacker' }, { name: 'hp.defender' }],
    });
  });

  test('rejects an invalid scenario with the position of the error', () => {
    expect(() => battle.getReplay({ ...requested('attrition-direct', 0), text: 'system: attriton' })).toThrow(
      /scenario:1:9 system: expected one of .*"attriton" \(did you mean attrition\?\)/,
    );
  });
});

const dice = (drawn: readonly EventDrawing[]) =>
  drawn.flatMap((each) => (each.kind === 'dice' ? each.dice.map(({ sides, face, hit }) => [sides, face, hit]) : []));

describe('createEventDrawings', () => {
  test('draws the dice of a pool and marks the hits', () => {
    const drawn = createEventDrawings({ kind: 'hits', pool: { dice: 3, value: 2 }, faces: [6, 1, 2], hits: 2 });
    expect(dice(drawn)).toEqual([
      [6, 6, false],
      [6, 1, true],
      [6, 2, true],
    ]);
    expect(drawn[0]).toMatchObject({ title: 'hit on 1-2', more: 0 });
  });

  test('draws the face of a single die, but only the sum of several dice', () => {
    expect(dice(createEventDrawings({ kind: 'sum', dice: { count: 1, sides: 10 }, sum: 7 }))).toEqual([[10, 7, false]]);
    const drawn = createEventDrawings({ kind: 'sum', dice: { count: 3, sides: 6 }, sum: 11 });
    expect(dice(drawn)).toEqual(Array.from({ length: 3 }, () => [6, undefined, false]));
    expect(drawn).toMatchObject([{ title: '3d6', sum: 11, more: 0 }]);
  });

  test('draws both rolls of an attack against a defense, with the bonus', () => {
    const event = {
      kind: 'excess',
      dice: { count: 1, sides: 10 },
      attack: 9,
      defence: 4,
      bonus: -1,
      excess: 4,
    } as const;
    expect(createEventDrawings(event)).toMatchObject([
      { title: 'attack - 1', dice: [{ face: 9 }] },
      { title: 'defence', dice: [{ face: 4 }] },
    ]);
  });

  test('draws cubes by color, with distinct letters', () => {
    const event = { kind: 'draw', bag: [13, 4, 1], drawn: [2, 0, 1] } as const;
    expect(createEventDrawings(event, ['attacker', 'defender', 'neutral'])).toEqual([
      {
        kind: 'cubes',
        title: '2 attacker, 0 defender, 1 neutral',
        cubes: [
          { colour: 0, letter: 'A' },
          { colour: 0, letter: 'A' },
          { colour: 2, letter: 'N' },
        ],
        more: 0,
      },
    ]);
    expect(createLetters(['red', 'rose'], 2)).toEqual(['A', 'B']);
    expect(createLetters([], 28).at(-1)).toBe('B');
  });

  test('marks the chosen card, and draws nothing without a choice', () => {
    const event = {
      kind: 'decide',
      point: 'card',
      player: 'attacker',
      options: ['Assault', 'Dig in'],
      choice: 'Dig in',
    } as const;
    expect(createEventDrawings(event)).toEqual([
      {
        kind: 'cards',
        cards: [
          { name: 'Assault', chosen: false },
          { name: 'Dig in', chosen: true },
        ],
        more: 0,
      },
    ]);
    expect(createEventDrawings({ ...event, options: ['Dig in'] })).toEqual([]);
  });

  test('draws at most 60 dice or cubes and counts the rest', () => {
    const faces = Array.from({ length: 500 }, () => 3);
    const [drawn] = createEventDrawings({ kind: 'roll', dice: { count: 500, sides: 6 }, faces });
    expect(drawn).toMatchObject({ more: 440 });
    expect(dice(drawn === undefined ? [] : [drawn])).toHaveLength(60);
    expect(createEventDrawings({ kind: 'draw', bag: [1e9], drawn: [1e9] })).toMatchObject([{ more: 1e9 - 60 }]);
  });

  test('uses pips on the faces of a d6, and outlines for other dice', () => {
    const die = (sides: number, face: number) => ({ sides, face, hit: false });
    expect([1, 2, 3, 4, 5, 6].map((face) => getPips(die(6, face)).length)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(getPips(die(10, 6))).toEqual([]);
    expect([4, 8, 10, 12, 20].every((sides) => getOutline(die(sides, 1)) !== undefined)).toBe(true);
    expect([0, 6, 7].map((sides) => getOutline(die(sides, 1)))).toEqual([undefined, undefined, undefined]);
  });
});

describe('the search for a battle that meets a condition', () => {
  const where = 'outcome=defender && rounds>6';

  test('finds the same battles as `findBattles`', async () => {
    const scenario = parseScenario(textOf('attrition-direct'), { source: 'it' });
    const { matches: found } = await findBattles(scenario, { where, seed: 3, from: 5, limit: 2 });
    const reported: number[] = [];
    const first = await battle.findBattle(requested('attrition-direct', 5), where, 901, (looked) =>
      reported.push(looked),
    );
    expect(first).toEqual({
      match: found[0]?.battle,
      examined: (found[0]?.battle ?? 0) - 4,
      next: (found[0]?.battle ?? 0) + 1,
    });
    const second = await battle.findBattle(requested('attrition-direct', first.next), where, 902, () => undefined);
    expect(second.match).toBe(found[1]?.battle);
  });

  test.each([
    ['outcome=nobody', 'condition:9: expected one of attacker, defender, mutual, stalemate, found "nobody"'],
    ['rounds>', 'condition:8: expected a number, found the end'],
    ['(rounds>1', 'condition:10: expected ), found the end'],
    ['sheep>1', 'condition:1: expected outcome or one of the metrics rounds, hp.attacker, hp.defender, found "sheep"'],
    ['x'.repeat(2001), 'condition: expected a condition of at most 2000 characters, found 2001'],
  ])('rejects the invalid condition %s with the position of the error', (wrong, message) => {
    const check = (): true => battle.checkWhere(textOf('attrition-direct'), wrong);
    expect(check).toThrow(InputError);
    expect(check).toThrow(message);
  });

  test('accepts the conditions of `warpool find`', () => {
    expect(battle.checkWhere(textOf('attrition-direct'), '!(winner=attacker) || "hp.attacker" >= 3')).toBe(true);
  });
});

/** Notes of `conform` about the visibility of options and choices, for systems of one round. */
import { expect, test } from 'vitest';
import { QUICK } from '../../src/conformance/findings.ts';
import { conform } from '../../src/conformance/index.ts';
import { visibilityCheck } from '../../src/conformance/visibility-check.ts';
import { loadScenario, loadSystems } from '../../src/index.ts';
import type { Phase } from '../../src/rules/custom/battle.ts';
import { defineSystem } from '../../src/rules/custom/define.ts';
import { getBoundScenario } from '../../src/rules/index.ts';
import type { Scenario, System } from '../../src/rules/system.ts';
import { createTinyGame, createTinyScenario } from '../environments/tiny-games.ts';

interface PickState {
  readonly drawn: number;
  readonly made: readonly number[];
}

type Feature = (state: PickState, player: string | undefined) => number;

interface Declaration {
  readonly players?: readonly string[];
  readonly features: Readonly<Record<string, Feature>>;
  /** Options by the first draw. */
  readonly options?: (drawn: number) => readonly number[];
  /** Players in the order of their choices in a round; default: all players. */
  readonly turns?: readonly string[];
}

/** Creates a system with a draw, then choices of all players in turn. The first player wins if all are equal. */
function createSystem({ players = ['red', 'blue'], features, options = () => [0, 1], turns = players }: Declaration) {
  const choose =
    (player: string): Phase<PickState> =>
    ({ drawn, made }, chance) => ({
      drawn,
      made: [...made, chance.decide('pick', player, options(drawn), () => options(drawn)[0] ?? 0)],
    });
  return defineSystem({
    id: 'picks',
    title: 'Picks',
    about: 'Choices in turn.',
    fields: {},
    decisions: [{ point: 'pick', who: 'both', about: 'A choice.', policies: ['first'] }],
    examples: { only: {} },
    battle: () => ({
      outcomes: ['equal', 'different'],
      start: (): PickState => ({ drawn: -1, made: [] }),
      round: [(_: PickState, chance): PickState => ({ drawn: chance.pick([1, 1]), made: [] }), ...turns.map(choose)],
      outcome: ({ made }) => {
        if (made.length < turns.length) return undefined;
        return made.every((each) => each === made[0]) ? 'equal' : 'different';
      },
    }),
    environment: () => ({
      players,
      actions: { pick: [0, 1, 2] },
      features: Object.entries(features).map(([name, of]) => ({ name, low: -1, high: 99, of })),
      reward: (outcome, player) => (outcome === 'equal' ? 1 : 0) + (player === 'red' ? 1 : 0),
    }),
  }) as System;
}

const drawn: Feature = (state) => state.drawn;
const turn: Feature = ({ made }) => made.length;
const chosen = (at: number, seen: (player: string | undefined) => boolean): Feature => {
  return ({ made }, player) => (seen(player) ? (made[at] ?? -1) : -1);
};
const everybody = (): boolean => true;

/** Returns the notes of the check about an example. */
async function notesOf(system: System) {
  const findings = await conform(system, { quick: true });
  const own = findings.filter(({ check, scenario }) => check === 'visibility' && scenario === 'only');
  expect(own.every(({ ok }) => ok)).toBe(true);
  return own.map(({ message, checked, absent }) => (checked || absent === true ? message : `unchecked: ${message}`));
}

const visible = (player: string, other: string): string =>
  `choices of ${player} at "pick" are visible to ${other} before its next decision`;
const hidden = (player: string, other: string): string =>
  `choices of ${player} at "pick" are hidden from ${other} until it has decided at "pick"`;

test.each<[string, Declaration, readonly string[]]>([
  [
    'an open choice',
    { features: { drawn, turn, first: chosen(0, everybody) } },
    [visible('red', 'blue'), visible('blue', 'red')],
  ],
  ['a choice without a feature', { features: { drawn, turn } }, [hidden('red', 'blue'), visible('blue', 'red')]],
  [
    'a choice that only its player observes',
    { features: { drawn, turn, first: chosen(0, (player) => player !== 'blue') } },
    [hidden('red', 'blue'), visible('blue', 'red')],
  ],
  [
    'the first of two choices is hidden until the other player decides again',
    {
      turns: ['red', 'blue', 'red', 'blue'],
      features: { drawn, turn, second: chosen(1, everybody), third: chosen(2, everybody) },
    },
    [`${hidden('red', 'blue')}, in some states`, visible('blue', 'red')],
  ],
  [
    'two choices before the other player decides',
    { turns: ['red', 'red', 'blue'], features: { drawn, turn } },
    [hidden('red', 'blue'), visible('blue', 'red')],
  ],
  [
    'a choice that is hidden in some states',
    { features: { drawn, turn, first: (state) => (state.drawn === 0 ? (state.made[0] ?? -1) : -1) } },
    [`${hidden('red', 'blue')}, in some states`, visible('blue', 'red')],
  ],
  ['one player', { players: ['red'], features: { drawn, turn } }, []],
  [
    'three players',
    { players: ['red', 'blue', 'green'], features: { drawn, turn } },
    ['unchecked: system: expected a system with two players, found 3: red, blue, green'],
  ],
  [
    'a draw that one player does not observe',
    { features: { drawn: (state, player) => (player === 'blue' ? -1 : state.drawn), turn } },
    ['private information that lasts: drawn hidden from blue; equilibria cannot be computed'],
  ],
  [
    'a draw that one player always observes as one of its values',
    { features: { drawn: (state, player) => (player === 'blue' ? 0 : state.drawn), turn } },
    ['private information that lasts: drawn hidden from blue; equilibria cannot be computed'],
  ],
])('conform notes choices and information of a system: %s', async (_, declaration, expected) => {
  const notes = await notesOf(createSystem(declaration));
  expect(notes).toEqual(expected.length === 0 ? [''] : expected);
});

test('states with equal features and different options are reported', async () => {
  const options = (draw: number): readonly number[] => (draw === 0 ? [0, 1] : [0, 2]);
  const notes = await notesOf(createSystem({ features: { turn }, options }));
  expect(notes[0]).toBe('two states have equal features for red, but different options at "pick": [0,1] and [0,2]');
  expect((await notesOf(createSystem({ features: { drawn, turn }, options })))[0]).toBe(hidden('red', 'blue'));
});

/** Runs only the visibility check. */
function runCheck(scenario: Scenario) {
  const subject = { label: '', input: {}, generated: false, open: getBoundScenario(scenario), seed: 1n, effort: QUICK };
  const seen = { outcomes: new Set<string>(), rules: new Set<string>(), points: new Set<string>(), canEnd: true };
  return visibilityCheck.run({ ...subject, observed: seen });
}

test('a hand of cards is private information', async () => {
  const systems = await loadSystems(['examples/systems/hand.mjs']);
  const pattern = /^private information that lasts: .* hidden from (red|blue); equilibria cannot be computed$/;
  expect(await runCheck(await loadScenario('examples/systems/hand-even.yaml', { systems }))).toEqual([
    { ok: true, message: expect.stringMatching(pattern) as string },
  ]);
});

test('choices that are hidden for many decisions are reported', async () => {
  expect(await runCheck(createTinyScenario(createTinyGame(37)))).toEqual([
    {
      ok: true,
      message:
        'choices at choice are hidden for so long that a stage has at least 6 561 pure strategies; a missing feature ' +
        'can be the reason',
    },
  ]);
});

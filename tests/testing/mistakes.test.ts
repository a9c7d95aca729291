/** Mistakes in custom systems: the check that finds each one, and its message. */
import { expect, test } from 'vitest';
import { solveSync } from '../../src/analysis/solve.ts';
import { toRegistry } from '../../src/rules/index.ts';
import { validateScenario } from '../../src/rules/scenario/index.ts';
import type { System } from '../../src/rules/system.ts';
import { conform } from '../../src/testing.ts';
import { DEPTH, some } from '../depth.ts';
import { good } from './duel.js';
import * as mistakes from './mistakes.js';

const systems: Readonly<Record<string, System>> = mistakes;

/** Check, and message with the location, by export name of the system. */
const FOUND: Readonly<Record<string, readonly [check: string, message: RegExp]>> = {
  random: [
    'repeatable',
    /^the rules call Math\.random: random values come only from the chance source, .* \(mistakes\.js:\d+:\d+\)$/,
  ],
  forgetful: ['keys', /^two states have the key "\d \d", but differ in red\.morale: .*% of the battles from the first/],
  mutating: ['states', /^round 1 modified the state that was passed .*\(mistakes\.js:\d+:\d+\): \w+\.lives: 2 and 1/],
  shared: ['draws', /^two draws \(mistakes\.js:\d+:\d+\) and \(mistakes\.js:\d+:\d+\) use the same word/],
  unbounded: ['battles', /^the metric "lost" is declared as an integer 0\.\.1, but a battle ended with 2$/],
  undeclared: ['battles', /^the outcome "victory" is not one of red, blue, stalemate$/],
  forbidden: ['decisions', /^the decision "stance" of "red" \(mistakes\.js:\d+:\d+\): the policy returned "bold"/],
  untold: ['replays', /^the rule "charge" is applied, but "rules" does not list it$/],
  wordless: ['replays', /^the rule "blow" is described as "Red rolls 6, blue undefined\."/],
  endless: ['battles', /^all battles of all scenarios ended as stalemate at the round limit$/],
  failing: ['battles', /^TypeError: Cannot read properties of undefined \(reading 'lost'\) \(mistakes\.js:\d+:\d+\)$/],
  negative: ['battles', /^RangeError: weighted: expected weights of 0 or more, found -1 \(mistakes\.js:\d+:\d+\)$/],
  timed: [
    'repeatable',
    /^the rules call Date\.now: rules have no clock; count rounds in the state \(mistakes\.js:\d+:\d+\)$/,
  ],
  remembering: ['repeatable', /^a battle ended as .*; simulated again in another order, it ended as /],
  lossy: ['reach', /^at the start: state\.lives is a Map, which has no key: /],
  scriptless: [
    'decisions',
    /^the decision "stance" of "red" \(mistakes\.js:\d+:\d+\) comes after a draw of its phase$/,
  ],
};

test('the table contains all exported systems', () => {
  expect([...Object.keys(FOUND), 'counting'].sort()).toEqual(Object.keys(systems).sort());
});

test('the exact solver also reports a key that omits part of the state', () => {
  const registry = toRegistry([systems['forgetful'] as System]);
  const scenario = (fields: object) =>
    validateScenario({ system: 'forgetful-key', ...fields }, { source: 'test', systems: registry });
  for (const lives of [1, 2, 3, 4])
    expect(() => solveSync(scenario({ lives, morale: 1 }))).toThrow(
      /two states have the key "\d \d", but \d+ % of the battles/,
    );
  // Without morale the key omits nothing, so no two states share a key.
  expect(solveSync(scenario({ lives: 2, morale: 0 })).summary.outcomes).toHaveLength(3);
});

test.runIf(DEPTH > 1)('states that count rounds are reported as a hint with the name of the field', async () => {
  const findings = await conform(systems['counting'] as System, { quick: true });
  expect(findings.filter(({ ok }) => !ok)).toEqual([]);
  const hints = findings.filter(({ advice }) => advice !== '');
  expect(new Set(hints.map(({ check, message }) => `${check}: ${message}`))).toEqual(
    new Set(['keys: the states count rounds (on.turn), so no state occurs in two rounds']),
  );
  expect(hints.map(({ scenario }) => scenario)).toContain('brave');
  expect(hints[0]?.advice).toMatch(/Rounds are always counted in the metric "rounds"/);
});

test.each(some(Object.entries(FOUND)))('conform reports the mistake %s', async (name, [check, message]) => {
  const findings = await conform(systems[name] as System, { quick: true });
  const wrong = findings.filter(({ ok, scenario }) => !ok && ['small', ''].includes(scenario));
  const [first] = wrong;
  expect(first).toMatchObject({ check, checked: true, message: expect.stringMatching(message) as string });
  expect(first?.advice).toMatch(/\.$/);
});

test('a system without mistakes has no failed check', async () => {
  const findings = await conform(good, { quick: true });
  expect(findings.filter(({ ok }) => !ok)).toEqual([]);
  expect(new Set(findings.map(({ scenario }) => scenario))).toEqual(
    new Set([
      ...['', 'small', 'brave', 'the minimum of every field', 'the maximum of every field'],
      ...['generated from the schema, 1', 'generated from the schema, 2'],
    ]),
  );
});

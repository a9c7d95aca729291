/** Completion and hints of the editor, from the declarations of the systems. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isMap, isScalar, isSeq, parseDocument } from 'yaml';
import { SHIPPED_REGISTRY } from '../../src/rules/index.ts';
import { parseScenario } from '../../src/rules/scenario/index.ts';
import { completeTextAt, createHint, listStarters, type Suggestion } from '../../web/engine/editing/completion.ts';
import { some } from '../depth.ts';

const FOLDER = new URL('../../scenarios/', import.meta.url);
const files = readdirSync(FOLDER).map((name): [string, string] => [name, readFileSync(new URL(name, FOLDER), 'utf8')]);

/** Returns the labels of the suggestions at `|`. */
function offered(text: string): readonly Suggestion[] {
  const at = text.indexOf('|');
  return completeTextAt(text.replace('|', ''), at)?.all ?? [];
}

const labels = (text: string): string[] => offered(text).map(({ label }) => label);

/** Returns the text after a suggestion is accepted, with `|` at the cursor. */
function taken(text: string, label: string): string {
  const at = text.indexOf('|');
  const bare = text.replace('|', '');
  const found = completeTextAt(bare, at);
  const one = found?.all.find((each) => each.label === label);
  if (found === undefined || one === undefined) throw new Error(`${label} is not offered`);
  const { insert, cursor } = one;
  return `${bare.slice(0, found.from)}${insert.slice(0, cursor)}|${insert.slice(cursor)}${bare.slice(found.to)}`;
}

interface Place {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** Lists all field names with their positions. */
function namesIn(node: unknown): Place[] {
  if (isSeq(node)) return node.items.flatMap(namesIn);
  if (!isMap(node)) return [];
  return node.items.flatMap(({ key, value }) => {
    const inner = namesIn(value);
    if (!isScalar(key)) return inner;
    const [from = 0, to = 0] = key.range ?? [];
    return [{ name: String(key.value), from, to }, ...inner];
  });
}

/** Names defined in the scenarios: players, areas, dice, unit types. */
const OWN: ReadonlySet<string> = new Set([
  '0',
  '1',
  '2',
  '4',
  '6',
  '9',
  'Cilicia',
  'Delta',
  'Halicarnassus',
  'assyria',
  'barbarians',
  'black',
  'bomb',
  'cyprus',
  'ditch',
  'dorians',
  'egypt',
  'elephant',
  'frigate',
  'gauls',
  'green',
  'gun',
  'mortar',
  'nubia',
  'persia',
  'rhodes',
  'rifle',
  'rome',
  'tower',
  'wagon',
  'war-elephant',
  'white',
]);

describe.each(some(files))('%s', (_, text) => {
  const names = namesIn(parseDocument(text).contents);

  test('offers each of its field names at any position in the name', () => {
    const missing = names.filter(({ name, from, to }) =>
      [from, from + 1, to].some((at) => completeTextAt(text, at)?.all.some(({ label }) => label === name) !== true),
    );
    expect(missing.map(({ name }) => name).filter((name) => !OWN.has(name))).toEqual([]);
  });

  test('has a hint for each of its field names', () => {
    for (const { name, from, to } of names) {
      const hint = createHint(text, from + 1);
      expect(hint).toMatchObject({ from, to });
      expect(hint?.path.endsWith(name) === true || hint?.path.endsWith(`["${name}"]`) === true).toBe(true);
    }
  });
});

describe('completion of field names', () => {
  test('offers fields of the scenario in an empty text and below other fields', () => {
    expect(labels('|')).toEqual(['system']);
    expect(labels('sys|')).toEqual(['system']);
    const all = labels('system: attrition\nmode: direct\n|\n');
    expect(all).toContain('attacker');
    expect(all).toContain('maxRounds');
    expect(all).not.toContain('system');
    expect(all).not.toContain('cover');
    expect(labels('system: attrition\nmode: indirect\nc|')).toContain('cover');
  });

  test('offers fields of all modes if no mode is set', () => {
    expect(labels('system: attrition\n|')).toEqual(expect.arrayContaining(['mode', 'attacker', 'cover', 'combatants']));
  });

  test('offers fields of groups, in block and flow style', () => {
    const inner = expect.arrayContaining(['attack', 'defense', 'ranged']) as unknown;
    expect(labels('system: attrition\nmode: direct\nattacker:\n  |\n')).toEqual(inner);
    expect(labels('system: attrition\nmode: direct\nattacker:\n  hp: 3\n  |\ndefender: {}\n')).toEqual(inner);
    expect(labels('system: attrition\nmode: direct\nattacker:\n  |\n  hp: 3\ndefender: {}\n')).toEqual(inner);
    expect(labels('system: attrition\nmode: direct\nattacker: { | }\n')).toEqual(inner);
    expect(labels('system: attrition\nmode: direct\nattacker: { hp: 3, | }\n')).toEqual(inner);
    expect(labels('system: attrition\nmode: direct\nattacker: { hp: 3, d| }\n')).not.toContain('hp');
  });

  test('offers fields of list elements', () => {
    const mass = 'system: attrition\nmode: mass\ncombatants:\n';
    const inner = expect.arrayContaining(['party', 'attack']) as unknown;
    expect(labels(`${mass}  - |`)).toEqual(inner);
    expect(labels(`${mass}  - name: A\n    |`)).toEqual(inner);
    expect(labels(`${mass}  - { name: A, | }`)).toEqual(inner);
    expect(labels(`${mass}  - name: A\n  - p|\n  - name: C\n`)).toEqual(inner);
  });

  test('works in JSON', () => {
    const text = '{ "system": "attrition", "mode": "direct", "attacker": { "|" } }';
    expect(labels(text)).toContain('hp');
    expect(taken(text, 'hp')).toBe('{ "system": "attrition", "mode": "direct", "attacker": { "hp": | } }');
  });

  test('marks required fields that are missing', () => {
    const required = offered('system: attrition\nmode: direct\n|').filter(({ missing }) => missing);
    expect(required.map(({ label }) => label)).toEqual(['attacker', 'defender']);
  });

  test('inserts a field with its syntax, at the indentation of the line', () => {
    expect(taken('system: attrition\nmode: direct\natt|', 'attacker')).toMatch(/\nattacker:\n {2}\|$/);
    expect(taken('system: attrition\nmode: direct\nattacker:\n  h|', 'hp')).toMatch(/\n {2}hp: \|$/);
    expect(taken('system: attrition\nmode: mass\nc|', 'combatants')).toMatch(/\ncombatants:\n {2}- \|$/);
    expect(taken('system: attrition\nmode: mass\ncombatants:\n  - t|', 'tags')).toMatch(/\n {2}- tags: \[\|\]$/);
    expect(taken('system: phased-dice\nmode: fleet\nattacker: { u| }', 'units')).toMatch(
      /attacker: \{ units: \{ \| \} \}$/,
    );
    expect(taken('system: attrition\nmode: direct\nattacker: { h|: 3 }', 'hp')).toMatch(/\{ hp\|: 3 \}$/);
  });
});

describe('completion of values', () => {
  test('offers the choices and marks the default', () => {
    const all = offered('system: attrition\nmode: indirect\ncover: |\n');
    expect(all.map(({ label }) => label)).toEqual(['none', 'forest', 'stronghold', 'capital']);
    expect(all[0]?.detail).toBe('the default');
    expect(labels('system: attrition\nmode: indirect\ncover: fo|r\nhp: 1')).toContain('forest');
  });

  test('offers all modes, even if one is set', () => {
    expect(labels('system: attrition\nmode: |')).toEqual(['direct', 'indirect', 'mass']);
    expect(labels('system: attrition\nmode: dir|\nattacker: {}')).toEqual(['direct', 'indirect', 'mass']);
  });

  test('offers values of lists, booleans and unions', () => {
    expect(labels('system: attrition\nmode: indirect\nattacker: { bypassesCover: [forest, |] }')).toContain('capital');
    expect(labels('system: attrition\nmode: indirect\nreturnFire: |')).toEqual(['true', 'false']);
    expect(labels('system: phased-dice\nmode: ground\nattacker:\n  retreat: |')).toEqual([
      'never',
      '{ afterRounds: }',
      '{ whenWeaker: }',
    ]);
    expect(labels('system: phased-dice\nmode: ground\nattacker:\n  retreat: { | }')).toEqual([
      'afterRounds',
      'whenWeaker',
    ]);
    expect(labels('system: attrition\nmode: indirect\nattacker:\n  bypassesCover:\n    - |')).toContain('stronghold');
  });

  test('offers names from the scenario where any name is allowed', () => {
    const fleet =
      'system: phased-dice\nmode: fleet\nunitTypes: { trireme: { class: fleet, era: 1 } }\nattacker:\n  units: { | }\n';
    expect(labels(fleet).at(-1)).toBe('trireme');
    const city =
      'system: token-conflict\nareas: [{ name: Thebes, limit: 2, city: | }]\nplayers: { egypt: {}, assyria: {} }\n';
    expect(labels(city)).toEqual(['egypt', 'assyria']);
    const weights = 'system: token-conflict\nareas: [{ name: A, tokens: { egypt: { 0: 1, 2: 1 }, rome: { | } } }]\n';
    expect(labels(weights)).toEqual([]);
    expect(labels(city.replace('|', 'x').replace('Thebes', '|'))).toEqual([]);
  });

  test('offers all systems, and inserts a scenario if the text has no other fields', () => {
    expect(labels('system: |')).toEqual(SHIPPED_REGISTRY.names);
    const text = taken('system: |', 'token-conflict').replace('|', '');
    expect(parseScenario(text).system).toBe('token-conflict');
    expect(taken('system: |\nmode: direct\n', 'attrition')).toBe('system: attrition|\nmode: direct\n');
  });
});

test('completion offers nothing in comments, strings and invalid text', () => {
  expect(labels('system: attrition # |')).toEqual([]);
  expect(labels('# |\nsystem: attrition')).toEqual([]);
  expect(labels('system: attrition\nname: "My b|attle"')).toEqual([]);
  expect(labels('system: attrition\nname: one |')).toEqual([]);
  expect(labels('- |')).toEqual([]);
  expect(labels(`${'['.repeat(80)}|`)).toEqual([]);
});

test('createHint returns the field, its accepted values and its default', () => {
  const text = 'system: attrition\nmode: indirect\ncover: forest\n';
  expect(createHint(text, text.indexOf('cover') + 2)).toMatchObject({
    path: 'cover',
    accepts: 'none | forest | stronghold | capital',
    default: 'none',
  });
  expect(createHint(text, text.indexOf('forest') + 2)).toMatchObject({ path: 'cover' });
  expect(createHint('system: attrition\nwrong: 1', 20)).toBeUndefined();
});

test.each(listStarters().map(({ id, text }) => [id, text]))('the starter scenario of %s is valid', (id, text) => {
  expect(parseScenario(text).system).toBe(id);
});

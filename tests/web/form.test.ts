/** The form of a scenario: an edit changes one field and keeps the rest of the text. */
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { InputError } from '../../src/core/errors.ts';
import { SHIPPED_REGISTRY } from '../../src/rules/index.ts';
import { parseScenario } from '../../src/rules/scenario/index.ts';
import { check } from '../../web/engine/editing/check.ts';
import { applyEdit, formatScenarioFile, type TextEdit } from '../../web/engine/editing/edit.ts';
import { createForm, type FieldShape, type FormEntry } from '../../web/engine/editing/form.ts';
import { namedModes, sampleScenarios } from '../arbitraries.ts';
import { DEPTH, SEED, some } from '../depth.ts';

const FOLDER = new URL('../../scenarios/', import.meta.url);
const files = readdirSync(FOLDER).map((name): [string, string] => [name, readFileSync(new URL(name, FOLDER), 'utf8')]);

function entriesIn(shape: FieldShape): readonly FormEntry[] {
  if (shape.kind === 'choice') return shape.inner === undefined ? [] : entriesIn(shape.inner);
  return 'entries' in shape ? shape.entries : [];
}

/** Lists all entries of a form, including those in groups and lists. */
function flat(entries: readonly FormEntry[]): FormEntry[] {
  return entries.flatMap((entry) => [entry, ...flat(entriesIn(entry.shape))]);
}

function entriesOf(text: string): FormEntry[] {
  const form = createForm(text);
  if (!form.ok) throw new Error(form.reason);
  return flat(form.entries);
}

function entry(text: string, place: string): FormEntry {
  const found = entriesOf(text).find((each) => each.place === place);
  if (found === undefined) throw new Error(`no entry ${place}`);
  return found;
}

const commentsOf = (text: string): string[] => text.match(/#.*/g) ?? [];

const set = (text: string, path: TextEdit['path'], value: unknown): string =>
  applyEdit(text, { kind: 'set', path, value });
const remove = (text: string, path: TextEdit['path']): string => applyEdit(text, { kind: 'remove', path });
const append = (text: string, path: TextEdit['path'], value: unknown): string =>
  applyEdit(text, { kind: 'append', path, value });

describe('the form of a text', () => {
  const text = 'system: attrition\nmode: direct\nattacker: { attack: 1, defense: 2, hp: 30 }\n';

  test('contains all declared fields, with the defaults of missing ones', () => {
    expect(entry(text, 'maxRounds')).toMatchObject({ present: false, default: '10000', required: false });
    expect(entry(text, 'attacker.hp').shape).toEqual({ kind: 'number', value: 30, low: 1, high: 100000, whole: true });
    expect(entry(text, 'attacker.hp')).toMatchObject({
      present: true,
      required: true,
      about: 'Hit points at the start.',
    });
    expect(entry(text, 'defender')).toMatchObject({ present: false, required: true, shape: { kind: 'group' } });
  });

  test('offers all systems and modes', () => {
    const { shape } = entry(text, 'mode');
    expect(shape.kind === 'choice' && shape.options.map(({ label }) => label)).toEqual(['direct', 'indirect', 'mass']);
    const system = entry('', 'system').shape;
    expect(system.kind === 'choice' && system.options.map(({ label }) => label)).toEqual(SHIPPED_REGISTRY.names);
  });

  test('offers each kind of a union, with an initial value', () => {
    const ground = 'system: phased-dice\nmode: ground\nattacker: { retreat: { afterRounds: 3 } }\n';
    const { shape } = entry(ground, 'attacker.retreat');
    expect(shape).toMatchObject({ kind: 'choice', chosen: 1, inner: { kind: 'group' } });
    expect(shape.kind === 'choice' && shape.options).toEqual([
      { label: 'never', value: 'never' },
      { label: 'afterRounds', value: { afterRounds: 1 } },
      { label: 'whenWeaker', value: { whenWeaker: 0 } },
    ]);
  });

  test('shows undeclared fields and values of the wrong type', () => {
    const strange = `${text}wrong: [1, 2]\ndefender: 5\nmaxRounds: many\n`;
    expect(entry(strange, 'wrong').shape).toEqual({ kind: 'strange', text: '[1,2]' });
    expect(entry(strange, 'defender').shape).toEqual({ kind: 'strange', text: '5' });
    expect(entry(strange, 'maxRounds').shape).toEqual({ kind: 'text', value: 'many', number: true });
  });

  test('is not created if the text cannot be read', () => {
    expect(createForm('system: [').ok).toBe(false);
    expect(createForm('just words').ok).toBe(false);
    expect(createForm(`system: attrition\n#${' '.repeat(100_000)}`).ok).toBe(false);
    expect(createForm('['.repeat(80)).ok).toBe(false);
  });

  test.each(some(files))('contains all values of %s', (_, shipped) => {
    const scalars = entriesOf(shipped).filter(({ present }) => present);
    for (const { path, shape } of scalars) {
      const value = path.reduce<unknown>((inner, step) => (inner as Record<string, unknown>)[step], parse(shipped));
      expect(shape.kind).not.toBe('strange');
      if ('value' in shape) expect(shape.value).toBe(value);
      if (shape.kind === 'choice' && shape.inner === undefined) expect(shape.options[shape.chosen]?.value).toBe(value);
    }
  });
});

describe('a change of one field', () => {
  const text = [
    '# Who attacks.',
    'system:   attrition # rules',
    'mode: direct',
    'attacker: { name: Red, attack: 1,  defense: 1, hp: 30 } # red',
    'defender:',
    '  name: Blue # blue',
    '  # Points.',
    '  hp: 25',
    '  tags:',
    '    - cavalry # fast',
    '    - heavy',
    '',
    'maxRounds: 50',
    '',
  ].join('\n');

  test.each<[string, string, string, string]>([
    ['a number in braces', set(text, ['attacker', 'hp'], 31), 'hp: 30', 'hp: 31'],
    ['a number in a block', set(text, ['defender', 'hp'], 7), 'hp: 25', 'hp: 7'],
    ['a field more in braces', set(text, ['attacker', 'ranged'], 2), 'hp: 30 }', 'hp: 30, ranged: 2 }'],
    ['a field more in a block', set(text, ['defender', 'attack'], 2), '- heavy\n', '- heavy\n  attack: 2\n'],
    ['a field more of the scenario', set(text, ['preyDamage'], 3), 'maxRounds: 50\n', 'maxRounds: 50\npreyDamage: 3\n'],
    ['a field less in braces', remove(text, ['attacker', 'attack']), 'attack: 1,  ', ''],
    ['the last field in braces', remove(text, ['attacker', 'hp']), ', hp: 30', ''],
    ['a field less in a block', remove(text, ['defender', 'name']), '  name: Blue # blue\n', ''],
    ['a list less', remove(text, ['defender', 'tags']), '  tags:\n    - cavalry # fast\n    - heavy\n', ''],
    ['an element more', append(text, ['defender', 'tags'], 'x'), '- heavy\n', '- heavy\n    - x\n'],
    ['an element less', remove(text, ['defender', 'tags', 0]), '    - cavalry # fast\n', ''],
    ['an element', set(text, ['defender', 'tags', 1], 'light'), 'heavy', 'light'],
    ['a first element', append(text, ['attacker', 'tags'], 'x'), 'hp: 30 }', 'hp: 30, tags: [x] }'],
    ['a list as a value', set(text, ['defender', 'tags'], 'all'), '\n    - cavalry # fast\n    - heavy', ' all'],
    ['a text that needs quotes', set(text, ['attacker', 'name'], 'a: b, #c'), 'Red', '"a: b, #c"'],
    ['a text like a number', set(text, ['attacker', 'name'], '12'), 'Red', '"12"'],
  ])('%s', (_, changed, before, after) => {
    expect(changed).toBe(text.replace(before, after));
  });

  test('creates missing groups', () => {
    const bag = 'system: cube-bag\nattacker:\n  armies: []\n';
    expect(set(bag, ['attacker', 'technologies', 'fabian'], 4)).toBe(`${bag}  technologies: { fabian: 4 }\n`);
    expect(set('', ['system'], 'attrition')).toBe('system: attrition\n');
    expect(set('# only words', ['system'], 'attrition')).toBe('# only words\nsystem: attrition\n');
    expect(set('attacker:\nname: x\n', ['attacker', 'hp'], 1)).toBe('attacker: { hp: 1 }\nname: x\n');
  });

  test('leaves an empty group or list after removal of the last element', () => {
    expect(remove('a:\n  b: 1\nc: 2\n', ['a', 'b'])).toBe('a: {}\nc: 2\n');
    expect(remove('a: { b: 1 }\n', ['a', 'b'])).toBe('a: {}\n');
    expect(remove('a:\n  - 1\n', ['a', 0])).toBe('a: []\n');
    expect(remove('- a: 1\n  b: 2\n', [0, 'a'])).toBe('- b: 2\n');
  });

  test('writes JSON into a JSON text', () => {
    const json = '{\n  "system": "attrition",\n  "attacker": { "hp": 3 }\n}\n';
    expect(set(json, ['attacker', 'name'], 'Red')).toBe(json.replace('3 }', '3, "name": "Red" }'));
    expect(set(json, ['maxRounds'], 3)).toBe(json.replace('3 }\n', '3 },\n  "maxRounds": 3\n'));
  });

  test('is rejected in an alias and in invalid YAML', () => {
    const shared = 'attacker: &a { hp: 3 }\ndefender: *a\n';
    expect(() => set(shared, ['defender', 'hp'], 4)).toThrow(InputError);
    expect(set(shared, ['attacker', 'hp'], 4)).toBe('attacker: &a { hp: 4 }\ndefender: *a\n');
    expect(() => set('a: [', ['a'], 1)).toThrow('valid YAML');
  });

  test('rewrites the field if a minimal edit would change its meaning', () => {
    expect(set('# kept\nhp: !!str 30\n', ['hp'], 31)).toBe('# kept\nhp: 31\n');
  });

  test('is rejected inside a text value', () => {
    expect(() => set('attacker: Red\n', ['attacker', 'hp'], 3)).toThrow(InputError);
  });
});

/** Creates an edit to another value of the same kind. */
function changeOf({ path, shape, present }: FormEntry): TextEdit | undefined {
  switch (shape.kind) {
    case 'number':
      return { kind: 'set', path, value: shape.low ?? 0 };
    case 'text':
      return { kind: 'set', path, value: 'Some text' };
    case 'switch':
      return { kind: 'set', path, value: !shape.value };
    case 'choice':
      return { kind: 'set', path, value: shape.options.at(-1)?.value };
    case 'list':
      return shape.fresh && { kind: 'append', path, value: shape.fresh.value };
    default:
      return present ? { kind: 'remove', path } : undefined;
  }
}

function valueAt(text: string, path: TextEdit['path']): unknown {
  return path.reduce<unknown>((inner, step) => (inner as Record<string, unknown> | undefined)?.[step], parse(text));
}

describe.each(some(files))('%s', (_, text) => {
  test('keeps its comments when a field is changed or removed', () => {
    const comments = commentsOf(text);
    for (const each of entriesOf(text).filter((_, k) => DEPTH > 1 || k % 8 === 0)) {
      const edit = changeOf(each);
      if (edit?.kind !== 'set') continue;
      const changed = applyEdit(text, edit);
      expect(valueAt(changed, edit.path)).toEqual(edit.value);
      if (each.shape.kind !== 'choice') expect(commentsOf(changed)).toEqual(comments);
      if (!each.present && each.path.length === 1) expect(remove(changed, each.path)).toBe(text);
    }
  });
});

const MODES = SHIPPED_REGISTRY.all.flatMap((system) =>
  namedModes(system).map(([name, mode]) => ({ system, name, mode })),
);

describe.each(MODES)('$system.id, $name', ({ system, mode }) => {
  const scenarios = sampleScenarios(system, mode, DEPTH, SEED);

  test('a scenario that is built by edits of single fields equals the original', () => {
    for (const scenario of scenarios) {
      const wanted = parse(stringify(scenario)) as Record<string, unknown>;
      let text = '# begun\n';
      for (const [name, value] of Object.entries(wanted)) {
        const inner = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
        if (inner.length === 0) text = set(text, [name], value);
        for (const [below, field] of inner) text = set(text, [name, below], field);
      }
      expect(parse(text)).toEqual(wanted);
      expect(check.check(text)).toMatchObject({ ok: true });
      expect(parseScenario(text)).toEqual(parseScenario(formatScenarioFile(wanted)));
    }
  });

  test('an edit changes only its field', () => {
    const texts = scenarios.flatMap((scenario) => [
      stringify(scenario),
      formatScenarioFile(scenario),
      JSON.stringify(scenario),
    ]);
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.nat(), fc.boolean(), (text, pick, away) => {
        const entries = entriesOf(text);
        const each = entries[pick % entries.length];
        if (each === undefined) throw new Error('a form without fields');
        const edit: TextEdit | undefined = away && each.present ? { kind: 'remove', path: each.path } : changeOf(each);
        if (edit === undefined) return;
        const after = applyEdit(text, edit);
        // Undoes the edit, to check that nothing else has changed.
        if (edit.kind === 'append') {
          const list = valueAt(after, edit.path) as unknown[];
          expect(list.at(-1)).toEqual(edit.value);
          expect(parse(remove(after, [...edit.path, list.length - 1]))).toEqual(
            each.present ? parse(text) : parse(set(text, edit.path, [])),
          );
        } else if (each.present && typeof edit.path.at(-1) === 'string') {
          expect(parse(set(after, edit.path, valueAt(text, edit.path)))).toEqual(parse(text));
        }
        expect(createForm(after).ok).toBe(true);
      }),
      { numRuns: 5 * DEPTH, seed: SEED },
    );
  });
});

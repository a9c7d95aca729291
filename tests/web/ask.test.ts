/** Questions in natural language, and the table of games. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadSystems } from '../../src/index.ts';
import { formatArmies } from '../../src/report/odds/armies.ts';
import { listSettings } from '../../src/report/scenario/settings.ts';
import { getSides } from '../../src/report/scenario/sides.ts';
import { getBoundScenario } from '../../src/rules/bound-scenario.ts';
import { SHIPPED_REGISTRY } from '../../src/rules/index.ts';
import { parseScenario } from '../../src/rules/scenario/index.ts';
import { setField, splitPath } from '../../src/rules/scenario/problem.ts';
import type { Scenario } from '../../src/rules/system.ts';
import { findGame, GAMES } from '../../web/app/start/games.ts';
import {
  formatUnits,
  getGameName,
  parseCompleteQuestion,
  parseQuestion,
  writeScenario,
} from '../../web/app/start/question.ts';
import { getUnitShape } from '../../web/app/start/silhouettes.ts';
import { findUnitByName } from '../../web/app/start/vocabulary.ts';
import { createArmyForm } from '../../web/engine/editing/army-form.ts';
import { getRegistry, setRegistry } from '../../web/engine/registry/registry.ts';
import { DEPTH, SEED } from '../depth.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDER = join(ROOT, 'examples/games');

beforeAll(async () => {
  const modules = readdirSync(FOLDER).filter((name) => name.endsWith('.mjs'));
  setRegistry(await loadSystems(modules.map((name) => join(FOLDER, name))));
});

afterAll(() => {
  setRegistry(SHIPPED_REGISTRY);
});

/** Formats a parsed question: `combined-arms: 4 infantry / 5 infantry`, or `!` and the problem. */
function requested(text: string): string {
  const reading = parseQuestion(text, GAMES);
  if (!('question' in reading)) return `! ${reading.problem ?? ''}`.trim();
  const { game, attacker, defender } = reading.question;
  return `${game.id}: ${formatUnits(attacker)} / ${formatUnits(defender)}`;
}

const PHRASINGS = readFileSync(join(ROOT, 'tests/web/phrasings.txt'), 'utf8')
  .split('\n')
  .flatMap((line): [string, string][] => {
    const [question, expected] = line.split(' | ');
    return question === undefined || expected === undefined ? [] : [[question, expected.trim()]];
  });

describe('a question in natural language', () => {
  test('has example phrasings for every game that supports questions', () => {
    expect(PHRASINGS.length).toBeGreaterThan(150);
    const games = new Set(PHRASINGS.map(([, expected]) => /^([a-z-]+): /.exec(expected)?.[1]));
    for (const { id, write } of GAMES) if (write !== undefined) expect(games).toContain(id);
  });

  test.each(PHRASINGS)('is parsed as expected or rejected: %s', (text, expected) => {
    const found = requested(text);
    if (expected === '!') expect(found).toBe('!');
    else if (expected.startsWith('! ')) {
      expect(found).toMatch(/^! /);
      expect(found).toContain(expected.slice(2));
    } else expect(found).toBe(expected);
  });

  test('becomes a valid scenario in all parsed phrasings', () => {
    for (const [text] of PHRASINGS) {
      const found = parseCompleteQuestion(text, GAMES);
      if (found === undefined) continue;
      expect(
        () => parseScenario(writeScenario(found, text), { source: text, systems: getRegistry() }),
        text,
      ).not.toThrow();
    }
  });

  test.each([
    ['4 brave infantry attack 5 infantry', '4 infantry against 5 infantry'],
    ['10 models armed with bolters against 5', '10 models against 5 models'],
    ['memoir: 3 brave tanks against 4 infantry', 'Memoir ’44: 3 armour against 4 infantry'],
    // Without a number, it would be another question.
    ['4 infantry and 2 elephants attack 5 infantry', undefined],
    ['10 models with 3+ save against 5', undefined],
    ['2 x 4 infantry against 3 infantry', undefined],
    ['between 5 and 6 against 4', undefined],
    ['4 infantry and tank attack 5 infantry', undefined],
  ])('is suggested without unknown words if the rest has the same meaning: %s', (text, expected) => {
    const reading = parseQuestion(text, GAMES);
    expect(reading).toHaveProperty('problem');
    expect('problem' in reading && reading.instead).toBe(expected ?? undefined);
    if (expected !== undefined) expect(requested(expected)).not.toMatch(/^!/);
  });

  test('is stored in the scenario with at most 200 characters', () => {
    const text = `10 against 8 ${'really '.repeat(60)}`;
    const found = parseCompleteQuestion(text, GAMES);
    expect(found && writeScenario(found, text).split('\n')[0]).toHaveLength(202);
  });

  test('is parsed within seconds, even if it is long and hostile', () => {
    const began = performance.now();
    for (const word of ['abcdef ', '1 ', 'infantri ', 'a, ', 'attack 5 ', '>', '1,000 '])
      parseCompleteQuestion(`4 infantry attack 5 infantry ${word.repeat(1000)}`.slice(0, 1000), GAMES);
    expect(parseCompleteQuestion(`10 against 8 ${'really '.repeat(1000)}`, GAMES)).toBeUndefined();
    expect(performance.now() - began).toBeLessThan(3000);
  });

  test('never throws, and is not answered if a part is not understood', () => {
    const word = fc.constantFrom(
      ...'4 two a infantry tanks armies attack vs hold by x and , + / -> - 3-4 1.5 ? constructor __proto__'.split(' '),
    );
    const text = fc.oneof(
      fc.string(),
      fc.array(word, { maxLength: 12 }).map((all) => all.join(' ')),
    );
    fc.assert(
      fc.property(text, (typed) => {
        const found = parseCompleteQuestion(typed, GAMES);
        if (found === undefined) return;
        expect(typed).not.toMatch(/3-4 .*(?:attack|vs|hold|->)|1\.5|constructor|__proto__/);
        for (const units of [found.attacker, found.defender]) {
          expect(Object.keys(units).every((unit) => found.game.units?.includes(unit))).toBe(true);
          expect(Object.values(units).every((count) => count >= 1 && count <= (found.game.most ?? 0))).toBe(true);
        }
      }),
      { seed: SEED, numRuns: 300 * DEPTH },
    );
  });

  test('becomes a valid scenario with the question in its first line', () => {
    const text = '2 subs\nvs 1 destroyer, 1 fighter';
    const found = parseCompleteQuestion(text, GAMES);
    if (found === undefined) throw new Error('it is understood');
    const written = writeScenario(found, text);
    expect(written).toBe(
      '# 2 subs vs 1 destroyer, 1 fighter\nsystem: combined-arms\nplace: sea\nattacker: { submarine: 2 }\ndefender: { destroyer: 1, fighter: 1 }\n',
    );
    expect(() => parseScenario(written, { source: 'asked', systems: getRegistry() })).not.toThrow();
  });
});

describe('the table of games', () => {
  test('contains every registered system', () => {
    expect(GAMES.map(({ id }) => id).toSorted()).toEqual([...getRegistry().names].toSorted());
  });

  test.each(GAMES.map((game) => [game.id, game] as const))('matches the declarations of the system: %s', (id, game) => {
    const folder = readdirSync(FOLDER).includes(`${game.plain}.yaml`) ? FOLDER : join(ROOT, 'scenarios');
    const text = readFileSync(join(folder, `${game.plain}.yaml`), 'utf8');
    expect(text).toMatch(new RegExp(`^system: ${id}$`, 'm'));
    expect(getUnitShape(game.picture)).toBeDefined();
    if (game.units === undefined || game.write === undefined) return;
    for (const unit of game.units) {
      const asking = `system: ${id}\n${game.write({ [unit]: 2 }, { [unit]: 1 })}`;
      const [attacker] = createArmyForm(asking).sides;
      const listed = attacker?.items.filter(({ name }) => name === unit).length;
      expect(listed === 2 || attacker?.counters.some(({ value }) => value === 2), unit).toBe(true);
      expect(findUnitByName(game, unit)).toBe(unit);
    }
    for (const unit of Object.values(game.also ?? {})) expect(game.units).toContain(unit);
  });

  test.each(['combined-arms', 'space-fleets', 'cube-bag'])('contains every unit of %s', (id) => {
    const game = findGame(id);
    const text = `system: ${id}\n${game?.write?.({ fighter: 1 }, {}) ?? ''}`;
    const names = createArmyForm(text).sides[0]?.counters.filter(({ kind }) => kind === 'type') ?? [];
    const known = names
      .map(({ path }) => String(path.at(-1)))
      .filter((name) => !/^damaged/.test(name) && name !== 'fighter');
    expect(game?.units).toEqual(expect.arrayContaining(known));
  });
});

/** Removes the settings of a scenario; keeps units and required fields. */
function withoutSettings(scenario: Scenario): object {
  const paths = listSettings(scenario).map(({ path }) => splitPath(path));
  // Fields within a list before the list.
  const bare = paths
    .toReversed()
    .reduce<unknown>((value, path) => setField(value, path, undefined, ''), getBoundScenario(scenario).scenario);
  const json = JSON.stringify({ ...(bare as object), name: undefined });
  const isEmpty = (value: unknown): boolean => JSON.stringify(value) === '{}';
  return JSON.parse(json, (_, value: unknown) => (isEmpty(value) ? undefined : value)) as object;
}

const CARDS = ['examples/games', 'scenarios'].flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => join(folder, file)),
);

test.each(CARDS)('a question with the units of %s gives the same scenario except for listed settings', (file) => {
  const card = parseScenario(readFileSync(join(ROOT, file), 'utf8'), { source: file, systems: getRegistry() });
  const game = findGame(card.system);
  const armies = formatArmies(card, getSides(card));
  if (game?.write === undefined || armies === undefined) return;
  const question = parseCompleteQuestion(`${getGameName(game)}: ${armies}`, GAMES);
  if (file.endsWith(`/${game.plain}.yaml`)) expect(question).toBeDefined();
  // Questions support neither custom types nor sides of several armies.
  if (question === undefined || listSettings(card).some(({ path }) => /^unitTypes|armies\[1\]/.test(path))) return;
  expect(question.game.id).toBe(card.system);
  const typed = parseScenario(writeScenario(question, armies), { source: 'typed', systems: getRegistry() });
  expect(withoutSettings(typed)).toEqual(withoutSettings(card));
});

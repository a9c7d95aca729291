/** Questions in words, and the table of games that they are understood by. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadSystems } from '../../src/index.ts';
import { SHIPPED } from '../../src/rules/index.ts';
import { parseScenario } from '../../src/rules/scenario/index.ts';
import { scenarioOf, told, understood, unitOf } from '../../web/app/front/ask.ts';
import { GAMES, gameOf } from '../../web/app/front/games.ts';
import { shapeOf } from '../../web/app/front/silhouettes.ts';
import { frontOf } from '../../web/engine/front.ts';
import { registry, setRegistry } from '../../web/engine/registry.ts';
import { DEPTH, SEED } from '../depth.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDER = join(ROOT, 'examples/games');

beforeAll(async () => {
  const modules = readdirSync(FOLDER).filter((name) => name.endsWith('.mjs'));
  setRegistry(await loadSystems(modules.map((name) => join(FOLDER, name))));
});

afterAll(() => {
  setRegistry(SHIPPED);
});

/** `combined-arms: 4 infantry / 5 infantry`, and what was not understood. */
function asked(text: string): string | undefined {
  const found = understood(text, GAMES);
  if (found === undefined) return undefined;
  const { game, attacker, defender, missed } = found;
  const rest = missed.length === 0 ? '' : ` ? ${missed.join('; ')}`;
  return `${game.id}: ${told(attacker)} / ${told(defender)}${rest}`;
}

describe('a question in words', () => {
  test.each([
    [
      '4 infantry and 2 tanks attack 5 infantry and a fighter',
      'combined-arms: 4 infantry, 2 tanks / 5 infantry, 1 fighter',
    ],
    [
      '4 infantry and 2 tanks attack 5 infantry and a fighter: should I?',
      'combined-arms: 4 infantry, 2 tanks / 5 infantry, 1 fighter',
    ],
    ['Should I attack 5 infantry with 6 infantry?', 'combined-arms: 6 infantry / 5 infantry'],
    ['10 attackers vs 8 defenders', 'conquest-dice: 10 armies / 8 armies'],
    ['10 against 8', 'conquest-dice: 10 armies / 8 armies'],
    ['10 vs 8', 'conquest-dice: 10 armies / 8 armies'],
    ['10 v. 8', 'conquest-dice: 10 armies / 8 armies'],
    ['ten versus eight', 'conquest-dice: 10 armies / 8 armies'],
    ['12 armies attack 7 armies', 'conquest-dice: 12 armies / 7 armies'],
    ['3 cannons v 2 knights 1 dragoon', 'phased-dice: 3 cannons / 2 knights, 1 dragoon'],
    [
      'three cannons, two knights vs one dragoon + 4 riflemen',
      'phased-dice: 3 cannons, 2 knights / 1 dragoon, 4 riflemen',
    ],
    ['2 dreadnoughts against a war sun', 'space-fleets: 2 dreadnoughts / 1 war sun'],
    ['3 spearmen attack 2 cavalrymen', 'cube-bag: 3 spearmen / 2 cavalrymen'],
    ['a dozen archers against two dozen peasants', 'cube-bag: 12 archers / 24 peasants'],
    ['2 subs vs 1 destroyer, 1 fighter', 'combined-arms: 2 submarines / 1 destroyer, 1 fighter'],
    [
      '4 inf 2 art 1 bomb against 3 inf and an aa gun',
      'combined-arms: 4 infantry, 2 artillery, 1 bomber / 3 infantry, 1 gun',
    ],
    ['3x infantry & 1 x bomber -> 2x infantry', 'combined-arms: 3 infantry, 1 bomber / 2 infantry'],
    ['infantry 4, armour 2 vs infantry 5', 'combined-arms: 4 infantry, 2 tanks / 5 infantry'],
    ['3 infantry and 2 infantry attack 4 infatry', 'combined-arms: 5 infantry / 4 infantry'],
  ])('%s', (text, expected) => {
    expect(asked(text)).toBe(expected);
  });

  test.each([
    ['10 models against 5', 'hit-wound-save: 10 models / 5 models'],
    ['10 marines attack 20 orks', 'hit-wound-save: 10 models / 20 models'],
    ['warhammer: 10 against 5', 'hit-wound-save: 10 models / 5 models'],
    ['4 infantry attack 3 armour figures', 'symbol-dice: 4 infantry / 3 armour'],
    ['Memoir ’44: 3 tanks attack 4 infantry', 'symbol-dice: 3 armour / 4 infantry'],
    [
      '3 tanks and 2 artillery attack 9 infantry figures',
      'symbol-dice: 3 armour / 6 infantry ? 2 artillery; 9 infantry: at most 6',
    ],
    ['2 B3 blocks and an A1 attack 3 C2 blocks', 'block-dice: 2 B3, 1 A1 / 3 C2'],
    ['In Risk, 10 against 8', 'conquest-dice: 10 armies / 8 armies'],
    ['axis and allies, 4 fighters against 5 fighters', 'combined-arms: 4 fighters / 5 fighters'],
    ['twilight imperium, 4 fighters against 5 fighters', 'space-fleets: 4 fighters / 5 fighters'],
  ])('of a game by its name or its words: %s', (text, expected) => {
    expect(asked(text)).toBe(expected);
  });

  test('of blocks takes ten of an army at the most', () => {
    const found = understood('8 A2 blocks and 8 B2 blocks attack 1 C2 block', GAMES);
    expect(found && scenarioOf(found, '').match(/rating: (?:A2|B2)/g)).toHaveLength(10);
  });

  test.each([
    '10 models against 5',
    '4 infantry attack 3 armour figures',
    'artillery figures against artillery figures',
    '2 B3 blocks attack 3 C2 blocks',
    '8 A2 blocks and 8 B2 blocks attack 1 C2 block',
  ])('is a scenario that the rules accept: %s', (text) => {
    const found = understood(text, GAMES);
    if (found === undefined) throw new Error('it is understood');
    expect(() => parseScenario(scenarioOf(found, text), { source: 'asked', systems: registry() })).not.toThrow();
  });

  test.each([
    ['can 5 infantry hold against 4 infantry and 2 tanks?', 'combined-arms: 4 infantry, 2 tanks / 5 infantry'],
    ['Will 3 armies survive 9 armies', 'conquest-dice: 9 armies / 3 armies'],
    ['5 infantry defend against 3 tanks', 'combined-arms: 3 tanks / 5 infantry'],
    ['2 knights are attacked by 3 cannons', 'phased-dice: 3 cannons / 2 knights'],
    ['8 defends against 10', 'conquest-dice: 10 armies / 8 armies'],
  ])('that names the defender first: %s', (text, expected) => {
    expect(asked(text)).toBe(expected);
  });

  test.each([
    // With what one attacks, or what is with them.
    ['should I attack with 6 infantry', undefined],
    ['4 infantry attack 3 infantry with 2 tanks', 'combined-arms: 4 infantry / 3 infantry, 2 tanks'],
    ['8 take on 5', 'conquest-dice: 8 armies / 5 armies'],
    ['2 cavalrymen against 3 swordsmen', 'cube-bag: 2 cavalrymen / 3 swordsmen'],
    ['2 armies against 3 armies', 'conquest-dice: 2 armies / 3 armies'],
    ['0 tanks and 2 infantry attack 1 infantry', 'combined-arms: 2 infantry / 1 infantry'],
    ['3 infantry attack 0 infantry', undefined],
    ['0 infantry attack 3 infantry', undefined],
    ['3 figures of infantry and 2 figures of infantry attack 1 armour', 'symbol-dice: 5 infantry / 1 armour'],
    // A beginning that two units have is neither; a short word is not mistyped.
    ['2 ca against 3 knights', undefined],
    ['2 jut against 3 knights', undefined],
    // Of two games that have the units that which understands more.
    ['2 fighters and 1 mech against 3 fighters and 1 pds', 'space-fleets: 2 fighters, 1 mech / 3 fighters, 1 pds'],
  ])('takes what is said as it is meant: %s', (text, expected) => {
    expect(asked(text)).toBe(expected);
  });

  test('keeps no more than 200 letters of a question in its text', () => {
    const text = `10 against 8 ${'really '.repeat(60)}`;
    const found = understood(text, GAMES);
    expect(found && scenarioOf(found, text).split('\n')[0]).toHaveLength(202);
  });

  test.each([
    ['4 infantry and 2 elephants attack 5 infantry', 'combined-arms: 4 infantry / 5 infantry ? elephants'],
    ['constructor infantry attack 5 infantry', 'combined-arms: 1 infantry / 5 infantry ? constructor'],
    ['4 brave infantry attack 5 infantry', 'combined-arms: 4 infantry / 5 infantry ? brave'],
    ['100 infantry attack 5 infantry', 'combined-arms: 40 infantry / 5 infantry ? 100 infantry: at most 40'],
  ])('says what of it was not understood: %s', (text, expected) => {
    expect(asked(text)).toBe(expected);
  });

  test.each([
    '',
    '   ',
    'hello',
    '4 infantry',
    'attack',
    'against 5 infantry',
    'who wins?',
    '3 elephants v 2 unicorns',
    'vs vs vs',
    '🐘 → 🦄',
  ])('is none: %s', (text) => {
    expect(asked(text)).toBeUndefined();
  });

  test('never fails, whatever is typed', () => {
    const word = fc.constantFrom(
      ...'4 two a infantry tanks armies attack vs hold by x and , + / -> ? constructor __proto__'.split(' '),
    );
    const text = fc.oneof(
      fc.string(),
      fc.array(word, { maxLength: 12 }).map((all) => all.join(' ')),
    );
    fc.assert(
      fc.property(text, (typed) => {
        const found = understood(typed, GAMES);
        if (found === undefined) return;
        for (const units of [found.attacker, found.defender]) {
          expect(Object.keys(units).every((unit) => found.game.units?.includes(unit))).toBe(true);
          expect(Object.values(units).every((count) => count >= 1 && count <= (found.game.most ?? 0))).toBe(true);
        }
      }),
      { seed: SEED, numRuns: 300 * DEPTH },
    );
  });

  test('becomes a scenario that the rules accept, with the question in its first line', () => {
    const text = '2 subs\nvs 1 destroyer, 1 fighter';
    const found = understood(text, GAMES);
    if (found === undefined) throw new Error('it is understood');
    const written = scenarioOf(found, text);
    expect(written).toBe(
      '# 2 subs vs 1 destroyer, 1 fighter\nsystem: combined-arms\nplace: sea\nattacker: { submarine: 2 }\ndefender: { destroyer: 1, fighter: 1 }\n',
    );
    expect(() => parseScenario(written, { source: 'asked', systems: registry() })).not.toThrow();
  });
});

describe('the table of games', () => {
  test('has all games and all systems', () => {
    expect(GAMES.map(({ id }) => id).toSorted()).toEqual([...registry().names].toSorted());
  });

  test.each(GAMES.map((game) => [game.id, game] as const))('is what the system declares: %s', (id, game) => {
    const folder = readdirSync(FOLDER).includes(`${game.plain}.yaml`) ? FOLDER : join(ROOT, 'scenarios');
    const text = readFileSync(join(folder, `${game.plain}.yaml`), 'utf8');
    expect(text).toMatch(new RegExp(`^system: ${id}$`, 'm'));
    expect(shapeOf(game.picture)).toBeDefined();
    if (game.units === undefined || game.write === undefined) return;
    for (const unit of game.units) {
      const asking = `system: ${id}\n${game.write({ [unit]: 2 }, { [unit]: 1 })}`;
      const [attacker] = frontOf(asking).sides;
      const listed = attacker?.items.filter(({ name }) => name === unit).length;
      expect(listed === 2 || attacker?.counters.some(({ value }) => value === 2), unit).toBe(true);
      expect(unitOf(game, unit)).toBe(unit);
    }
    for (const unit of Object.values(game.also ?? {})) expect(game.units).toContain(unit);
  });

  test.each(['combined-arms', 'space-fleets', 'cube-bag'])('knows every unit of %s', (id) => {
    const game = gameOf(id);
    const text = `system: ${id}\n${game?.write?.({ fighter: 1 }, {}) ?? ''}`;
    const names = frontOf(text).sides[0]?.counters.filter(({ kind }) => kind === 'type') ?? [];
    const known = names
      .map(({ path }) => String(path.at(-1)))
      .filter((name) => !/^damaged/.test(name) && name !== 'fighter');
    expect(game?.units).toEqual(expect.arrayContaining(known));
  });
});

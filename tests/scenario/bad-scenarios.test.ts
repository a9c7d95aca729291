/** Errors of invalid scenarios: position, expected and found value. */
import { describe, expect, test } from 'vitest';
import { InputError } from '../../src/core/errors.ts';
import { GAME_IDS } from '../../src/rules/games.ts';
import { SHIPPED_REGISTRY } from '../../src/rules/index.ts';
import { parseScenario, validateScenario } from '../../src/rules/scenario/index.ts';

/** Returns the message of the InputError that `action` throws. */
function rejection(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
  throw new Error('not refused');
}

const shown = (text: string): string => rejection(() => parseScenario(text, { source: 'army.yaml' }));
const lines = (text: string): string[] => shown(text).split('\n');

const DIRECT = `system: attrition
mode: direct
attacker:
  attack: 1
  defense: 1
  hp: 30
defender: { attack: 1, defense: 1, hp: 25 }
`;
const MASS = `system: attrition
mode: mass
combatants:
  - { name: A, party: red, attack: 1, defense: 1, hp: 30 }
  - { name: B, party: blue, attack: 1, defense: 1, hp: 25 }
`;
const INDIRECT = `system: attrition
mode: indirect
attacker: { ranged: 1, defense: 1, hp: 25 }
defender: { defense: 1, hp: 25 }
`;

/** Replaces one part of a scenario text. */
function but(text: string, part: string, other: string): string {
  if (!text.includes(part)) throw new Error(`no ${part} to change`);
  return text.replace(part, () => other);
}

const hp = (written: string): string => but(DIRECT, 'hp: 30', `hp: ${written}`);
/** Adds a field to the first side; `line` adds a line to the scenario. */
const unit = (field: string): string => but(DIRECT, 'hp: 30', `hp: 30\n  ${field}`);
const line = (field: string): string => `${DIRECT}${field}\n`;
const HP = 'army.yaml:6:7 attacker.hp: expected an integer 1..100000, found';
const UNIT_FIELDS = 'name, attack, defense, hp, ranged, indirectDefense, bypassesCover, tags, prey';
const DIRECT_FIELDS = 'system, name, dice, preyDamage, mode, attacker, defender, maxRounds';
const DICE = 'expected dice as NdS with N 1..8 and S 2..100';
const MODES = 'expected one of direct, indirect, mass';
const SHOOTER = 'attacker.ranged: expected an integer -1000..1000, because the attacker must shoot';

/** Invalid hit points as written, and the found value in the message. */
const NUMBERS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['0', '-5', '100001', '1.5', '1e-3', '1e400', '12345678901234567890'].map((n) => [n, n])),
  ...Object.fromEntries(['.nan', '-.inf', '0xFFFFFF', '"30"', 'null', 'true'].map((word) => [word, word])),
  '3O': '"3O"',
  '': 'nothing',
  '[30, 31, 32]': 'a list of 3',
  '[]': 'an empty list',
  '{ from: 1 }': 'a mapping',
  '{}': 'an empty mapping',
  [`"${'x'.repeat(60)}"`]: `"${'x'.repeat(40)}..."`,
  // Control characters.
  '"\\e[31m\\n\\u202e"': '"\\u001b[31m\\n\\u202e"',
};

/** Scenario texts with the first line of the error message for army.yaml. */
const BAD: readonly (readonly [string, string])[] = [
  [but(DIRECT, '  hp: 30\n', ''), '4:3 attacker.hp: expected an integer 1..100000, found nothing'],
  [unit('hpp: 30'), `7:3 attacker.hpp: expected one of ${UNIT_FIELDS}, found an unknown field (did you mean hp?)`],
  [line('weather: mud'), `8:1 weather: expected one of ${DIRECT_FIELDS}, found an unknown field`],
  [line('"a b": 1'), `8:1 ["a b"]: expected one of ${DIRECT_FIELDS}, found an unknown field`],
  [line('__proto__: { hp: 1 }'), '8:1 __proto__: expected a name other than __proto__, found "__proto__"'],
  // A field of another mode.
  [line('cover: forest'), `8:1 cover: expected one of ${DIRECT_FIELDS}, found an unknown field`],
  // A merge key is not a field.
  [but(DIRECT, 'hp: 30', '<<: { hp: 30 }'), '4:3 attacker.hp: expected an integer 1..100000, found nothing'],
  [
    but(DIRECT, '  attack: 1', '  attack: strong'),
    '4:11 attacker.attack: expected an integer -1000..1000 or null, found "strong"',
  ],
  [but(DIRECT, '{ attack: 1, defense: 1, hp: 25 }', 'Pikemen'), '7:11 defender: expected a mapping, found "Pikemen"'],
  [`${INDIRECT}returnFire: yes\n`, '5:13 returnFire: expected true or false, found "yes"'],
  [unit('bypassesCover: forest'), '7:18 attacker.bypassesCover: expected true or false or a list, found "forest"'],
  [
    unit('bypassesCover: [forest, none]'),
    '7:27 attacker.bypassesCover[1]: expected one of forest, stronghold, capital, found "none"',
  ],
  [`${MASS}massRounding: up\n`, '6:15 massRounding: expected one of floor, nearest, found "up"'],
  [unit('tags: cavalry'), '7:9 attacker.tags: expected a list, found "cavalry"'],
  [unit('tags: [cavalry, 5]'), '7:19 attacker.tags[1]: expected a string of 1 to 64 characters, found 5'],
  [line('dice: 9d10'), `8:7 dice: ${DICE}, found "9d10"`],
  [line('dice: 3'), `8:7 dice: ${DICE}, found 3`],
  [line("name: ''"), '8:7 name: expected a string of 1 to 120 characters, found ""'],
  [line('maxRounds: 1000000'), '8:12 maxRounds: expected an integer 1..100000, found 1000000'],
  [
    `${INDIRECT}cover: forrest\n`,
    '5:8 cover: expected one of none, forest, stronghold, capital, found "forrest" (did you mean forest?)',
  ],
  [but(INDIRECT, 'ranged: 1', 'ranged: null'), `3:21 ${SHOOTER}, found null`],
  [but(INDIRECT, 'ranged: 1, ', ''), `3:11 ${SHOOTER}, found nothing`],
  [
    but(DIRECT, 'defender: {', 'defender: { name: Attacker,'),
    `7:19 defender.name: expected a name other than the attacker's, found "Attacker" twice`,
  ],
  [
    but(MASS, 'name: B', 'name: stalemate'),
    '5:13 combatants[1].name: expected a name that is not one of the outcomes mutual, none, stalemate, ' +
      'coexist, empty, found "stalemate"',
  ],
  [
    but(MASS, 'name: B', 'name: " "'),
    '5:13 combatants[1].name: expected a name of 1 to 64 characters without blanks at its ends, found " "',
  ],
  [
    but(MASS, 'name: B', 'name: A'),
    '5:13 combatants[1].name: expected a name that no other combatant has, found "A" again',
  ],
  [but(MASS, 'blue', 'red'), '4:3 combatants: expected combatants of two or more parties, found one party'],
  [`${MASS.slice(0, MASS.indexOf('\n  -'))} []\n`, '3:13 combatants: expected a list of 2 to 32, found an empty list'],
  [`${MASS}  - C\n`, '6:5 combatants[2]: expected a mapping, found "C"'],
  ['system: attrition\n', `1:1 mode: ${MODES}, found nothing`],
  [but(DIRECT, 'mode: direct', 'mode: Direct'), `2:7 mode: ${MODES}, found "Direct" (did you mean direct?)`],
];

describe('a wrong field is rejected', () => {
  test.each(Object.entries(NUMBERS))('hp: %s', (written, found) => {
    expect(lines(hp(written))[0]).toBe(`${HP} ${found}`);
  });

  test.each(BAD.map(([text, first]) => [first, text]))('%s', (first, text) => {
    expect(lines(text)[0]).toBe(`army.yaml:${first}`);
  });
});

describe('a wrong document is rejected', () => {
  const deep = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
  test.each<readonly [string, string]>([
    ['', ': expected a scenario, found an empty file'],
    ['# nothing\n\n', ': expected a scenario, found an empty file'],
    ['---\n', ': expected a scenario, found an empty file'],
    ['null', ':1:1: expected a mapping with the field system, found null'],
    ['- system: attrition', ':1:1: expected a mapping with the field system, found a list of 1'],
    ['# first\nattrition', ':2:1: expected a mapping with the field system, found "attrition"'],
    [`${DIRECT}---\n${DIRECT}`, ':8:1: expected one document, found a second one'],
    [`${DIRECT}...\n${DIRECT}`, ':9:1: expected one document, found a second one'],
    [but(DIRECT, '  attack', '\tattack'), ':4:1: expected spaces for indentation, found a tab'],
    [line('name: "x'), ':9:1: expected valid YAML, found the end of the file (missing closing "quote)'],
    [
      but(DIRECT, 'hp: 25 }', 'hp: 25'),
      ':8:1: expected valid YAML, found the end of the file ' +
        '(flow map in block collection must be sufficiently indented and end with a })',
    ],
    [line('dice'), ':8:1: expected valid YAML, found "dice" (implicit map keys need to be followed by map values)'],
    [
      but(DIRECT, '  hp', '    hp'),
      ':5:12: expected valid YAML, found "1" (nested mappings are not allowed in compact mappings)',
    ],
    [hp('*all'), ':6:7 attacker.hp: expected an alias of an anchor before it, found "*all"'],
    [hp('!much 30'), ':6:13 attacker.hp: expected a value without a tag, found the tag "!much"'],
    [hp('!!binary aGk='), ':6:16 attacker.hp: expected a value without a tag, found the tag "!!binary"'],
    [line('? [a]\n: 1'), ':8:3: expected the name of a field, found another kind of key'],
    [unit('hp: 31'), ':7:3 attacker.hp: expected each field once, found a duplicate (first at army.yaml:6:3)'],
    [
      '{"system":"attrition","system":"attrition","mode":"x"}',
      ':1:23 system: expected each field once, found a duplicate (first at army.yaml:1:2)',
    ],
    [deep(70), ':1:65: expected at most 64 levels of nesting, found more'],
    [deep(5000), ':1:65: expected at most 64 levels of nesting, found more'],
    [`[${'1,'.repeat(100_001)}]`, ':1:200003: expected at most 100000 values, found more'],
    ['#'.repeat(2 ** 20 + 1), ': expected a string of at most 1 MiB, found a longer one'],
    [
      'mode: direct',
      `:1:1 system: expected one of ${[...SHIPPED_REGISTRY.names, ...GAME_IDS].join(', ')}, found nothing`,
    ],
  ])('%.30s', (text, first) => {
    expect(lines(text)[0]).toBe(`army.yaml${first}`);
  });

  test('with exponentially many values by aliases', () => {
    const ten = (value: string) => Array.from({ length: 10 }, () => value).join();
    const levels = Array.from(
      { length: 9 },
      (_, i) => `a${String(i + 1)}: &a${String(i + 1)} [${ten(`*a${String(i)}`)}]`,
    );
    expect(shown(['a0: &a0 x', ...levels].join('\n'))).toMatch(
      /^army\.yaml:6:\d+: expected at most 100000 values, found more$/,
    );
  });

  test('with an alias inside its own anchor', () => {
    const rejection = 'expected an alias of an anchor before it, found "*a"';
    expect(shown('a: &a [*a]')).toContain(`army.yaml:1:8 a[0]: ${rejection}`);
    expect(shown('a: &a 1\nb: &a [*a]')).toContain(`army.yaml:2:8 b[0]: ${rejection}`);
  });
});

describe('an unknown system is rejected', () => {
  test.each([
    ['atrition', '"atrition" (did you mean attrition?)'],
    ['Attrition', '"Attrition" (did you mean attrition?)'],
    ['chess', '"chess"'],
    ['5', '5'],
    ['', 'nothing'],
    ['[attrition]', 'a list of 1'],
  ])('%s', (written, found) => {
    expect(shown(`system: ${written}\nmode: direct\n`)).toMatch(/^army\.yaml:1:\d system: expected one of attrition, /);
    expect(shown(`system: ${written}\nmode: direct\n`).split(', found ')[1]).toBe(found);
  });
});

describe('several problems', () => {
  test('are all reported in the order of the text', () => {
    const text = `defender: { attack: 1, defense: 1, hp: 0 }
attacker: { attak: 1, defense: x, hp: 30 }
mode: direct
mode: direct
system: attrition
`;
    expect(lines(text)).toEqual([
      'army.yaml:1:40 defender.hp: expected an integer 1..100000, found 0',
      'army.yaml:2:11 attacker.attack: expected an integer -1000..1000 or null, found nothing',
      `army.yaml:2:13 attacker.attak: expected one of ${UNIT_FIELDS}, found an unknown field (did you mean attack?)`,
      'army.yaml:2:32 attacker.defense: expected an integer -1000..1000, found "x"',
      'army.yaml:4:1 mode: expected each field once, found a duplicate (first at army.yaml:3:1)',
    ]);
  });

  test('are the errors of one InputError', () => {
    const errorsOf = (text: string): readonly string[] => {
      try {
        parseScenario(text);
      } catch (error) {
        if (error instanceof InputError) return error.errors.map(({ place }) => place);
      }
      return [];
    };
    expect(errorsOf(hp('0'))).toEqual(['scenario:6:7 attacker.hp']);
    expect(errorsOf(but(hp('0'), 'hp: 25', 'hp: 0'))).toEqual([
      'scenario:6:7 attacker.hp',
      'scenario:7:40 defender.hp',
    ]);
  });

  test('are limited to 20 lines and the number of others', () => {
    const unknown = Array.from({ length: 25 }, (_, i) => `unknown${String(i)}: 1`).join('\n');
    const all = lines(DIRECT + unknown);
    expect(all).toHaveLength(21);
    expect(all[19]).toMatch(/^army\.yaml:27:1 unknown19: /);
    expect(all[20]).toBe('and 5 more');
  });

  test('of 30 000 unknown fields are reported fast', () => {
    const unknown = Array.from({ length: 30_000 }, (_, i) => `u${String(i)}: 1`).join('\n');
    expect(lines(DIRECT + unknown)[20]).toBe('and 29980 more');
  });

  test('of a duplicate field include errors of the last value', () => {
    expect(lines(but(DIRECT, 'hp: 30', 'hp: 30\n  hp: 0'))).toEqual([
      'army.yaml:7:3 attacker.hp: expected each field once, found a duplicate (first at army.yaml:6:3)',
      'army.yaml:7:7 attacker.hp: expected an integer 1..100000, found 0',
    ]);
  });

  test('of a scalar alias have the position of the alias', () => {
    const text = but(but(DIRECT, '  attack: 1', '  attack: &x weak'), 'hp: 30', 'hp: *x');
    expect(lines(text)).toEqual([
      'army.yaml:4:14 attacker.attack: expected an integer -1000..1000 or null, found "weak"',
      'army.yaml:6:7 attacker.hp: expected an integer 1..100000, found "weak"',
    ]);
  });

  test('of a mapping alias have a line for every path', () => {
    expect(
      lines(but(but(hp('0'), 'attacker:', 'attacker: &side'), '{ attack: 1, defense: 1, hp: 25 }', '*side')),
    ).toEqual([`${HP} 0`, 'army.yaml:6:7 defender.hp: expected an integer 1..100000, found 0']);
  });
});

describe('validateScenario of an object', () => {
  const sides = { attacker: { attack: 1, defense: 1, hp: 30 }, defender: { attack: 1, defense: 1, hp: 25 } };
  const direct = { system: 'attrition', mode: 'direct', ...sides };
  const MAPPING = 'scenario: expected a mapping with the field system, found';
  const ROUNDS = 'maxRounds: expected an integer 1..100000, found';
  const rounds = (maxRounds: unknown) => ({ ...direct, maxRounds });
  test.each<readonly [string, unknown]>([
    [`${MAPPING} null`, null],
    [`${MAPPING} nothing`, undefined],
    [`${MAPPING} an object that is not a mapping`, new Map([['system', 'attrition']])],
    [`${MAPPING} a function`, () => direct],
    [`${ROUNDS} 0`, rounds(0)],
    [`${ROUNDS} NaN`, rounds(Number.NaN)],
    [`${ROUNDS} Infinity`, rounds(Number.POSITIVE_INFINITY)],
    [`${ROUNDS} 5`, rounds(5n)],
    [`${ROUNDS} a symbol`, rounds(Symbol('5'))],
    ['attacker: expected a mapping, found an empty list', { ...direct, attacker: [] }],
  ])('throws "%s"', (message, value) => {
    expect(rejection(() => validateScenario(value))).toBe(message);
  });

  test('uses the option source in messages', () => {
    expect(rejection(() => validateScenario(rounds(0), { source: 'cell 7' }))).toBe(`cell 7 ${ROUNDS} 0`);
    expect(rejection(() => validateScenario(5, { source: 'cell 7' }))).toBe(
      'cell 7: expected a mapping with the field system, found 5',
    );
  });

  test('does not change the object', () => {
    const frozen = Object.freeze({ ...direct, attacker: Object.freeze({ ...sides.attacker }) });
    expect(validateScenario(frozen)).not.toBe(frozen);
  });
});

describe('a field with alternatives', () => {
  const army = (side: string): string =>
    `system: phased-dice\nmode: ground\nattacker: { units: { knight: 2 }, ${side} }\ndefender: { units: { knight: 1 } }\n`;
  const RETREAT = 'retreat: expected never, a mapping with afterRounds or a mapping with whenWeaker, found';
  test.each([
    ['retreat: nevr', 44, `${RETREAT} "nevr" (did you mean never?)`],
    ['retreat: 5', 44, `${RETREAT} 5`],
    ['retreat: {}', 44, `${RETREAT} an empty mapping`],
    ['retreat: { afterRounds: 1, whenWeaker: 1 }', 44, `${RETREAT} a mapping`],
    [
      'retreat: { afterRound: 1 }',
      46,
      'retreat.afterRound: expected one of afterRounds, whenWeaker, found an unknown field (did you mean afterRounds?)',
    ],
    ['retreat: { afterRounds: 0 }', 59, 'retreat.afterRounds: expected an integer 1..100000, found 0'],
    ['target: [infantry, air]', 54, 'target[1]: expected one of artillery, cavalry, infantry, found "air"'],
    ['target: 5', 43, 'target: expected one of most-dice, most-expected-hits or a list of at most 3, found 5'],
  ])('is rejected: %s', (side, column, message) => {
    expect(shown(army(side))).toBe(`army.yaml:3:${String(column)} attacker.${message}`);
  });

  test('is rejected for an invalid name in a mapping', () => {
    const text = `${army('losses: lowest-era')}unitTypes: { 1st: { class: infantry, era: 1 } }\n`;
    expect(shown(text)).toMatch(/^army\.yaml:5:14 unitTypes\["1st"\]: expected a name of .*, found "1st"$/);
  });

  test('is rejected for an unknown unit with a suggestion', () => {
    const text = army('losses: lowest-era').replace('knight', 'kngiht');
    expect(shown(text)).toMatch(/^army\.yaml:3:22 attacker\.units\.kngiht: expected .* \(did you mean knight\?\)$/);
  });
});

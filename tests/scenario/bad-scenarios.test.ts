/** What is said of scenarios that are wrong: place, expectation, finding. */
import { describe, expect, test } from 'vitest';
import { InputError, InputErrors } from '../../src/core/errors.ts';
import { checkScenario, parseScenario } from '../../src/rules/scenario/index.ts';

/** The message of what is thrown, which must be one of our errors. */
function refusal(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof InputError || error instanceof InputErrors) return error.message;
    throw error;
  }
  throw new Error('not refused');
}

const told = (text: string): string => refusal(() => parseScenario(text, 'army.yaml'));
const lines = (text: string): string[] => told(text).split('\n');

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

/** A scenario with one part changed. */
function but(text: string, part: string, other: string): string {
  if (!text.includes(part)) throw new Error(`no ${part} to change`);
  return text.replace(part, () => other);
}

const hp = (written: string): string => but(DIRECT, 'hp: 30', `hp: ${written}`);
const HP = 'army.yaml:6:7 attacker.hp: expected an integer 1..100000, found';
const UNIT_FIELDS = 'name, attack, defense, hp, ranged, indirectDefense, bypassesCover, tags, prey';
const DIRECT_FIELDS = 'system, name, dice, preyDamage, mode, attacker, defender, maxRounds';

/** What it is, the text, the first line that is told. */
const BAD: readonly (readonly [string, string, string])[] = [
  ['zero', hp('0'), `${HP} 0`],
  ['a negative count', hp('-5'), `${HP} -5`],
  ['a value above the range', hp('100001'), `${HP} 100001`],
  ['a fraction', hp('1.5'), `${HP} 1.5`],
  ['a small exponent', hp('1e-3'), `${HP} 1e-3`],
  ['a number beyond all bounds', hp('1e400'), `${HP} 1e400`],
  ['a number beyond exact integers', hp('12345678901234567890'), `${HP} 12345678901234567890`],
  ['not a number', hp('.nan'), `${HP} .nan`],
  ['infinity', hp('-.inf'), `${HP} -.inf`],
  ['a hexadecimal number out of range', hp('0xFFFFFF'), `${HP} 0xFFFFFF`],
  ['a number in quotes', hp('"30"'), `${HP} "30"`],
  ['a letter for a digit', hp('3O'), `${HP} "3O"`],
  ['null', hp('null'), `${HP} null`],
  ['a field without a value', hp(''), `army.yaml:6:7 attacker.hp: expected an integer 1..100000, found nothing`],
  ['a truth value', hp('true'), `${HP} true`],
  ['a list', hp('[30, 31, 32]'), `${HP} a list of 3`],
  ['an empty list', hp('[]'), `${HP} an empty list`],
  ['a mapping', hp('{ from: 1 }'), `${HP} a mapping`],
  ['an empty mapping', hp('{}'), `${HP} an empty mapping`],
  ['a long string', hp(`"${'x'.repeat(60)}"`), `${HP} "${'x'.repeat(40)}..."`],
  ['control characters', hp('"\\e[31m\\n\\u202e"'), `${HP} "\\u001b[31m\\n\\u202e"`],
  [
    'a missing field',
    but(DIRECT, '  hp: 30\n', ''),
    'army.yaml:4:3 attacker.hp: expected an integer 1..100000, found nothing',
  ],
  [
    'an unknown field',
    but(DIRECT, 'hp: 30', 'hp: 30\n  hpp: 30'),
    `army.yaml:7:3 attacker.hpp: expected one of ${UNIT_FIELDS}, found an unknown field (did you mean hp?)`,
  ],
  [
    'an unknown field that is like no other',
    `${DIRECT}weather: mud\n`,
    `army.yaml:8:1 weather: expected one of ${DIRECT_FIELDS}, found an unknown field`,
  ],
  [
    'an unknown field with a curious name',
    `${DIRECT}"a b": 1\n`,
    `army.yaml:8:1 ["a b"]: expected one of ${DIRECT_FIELDS}, found an unknown field`,
  ],
  [
    'a field that would be the prototype',
    `${DIRECT}__proto__: { hp: 1 }\n`,
    'army.yaml:8:1 __proto__: expected a name other than __proto__, found "__proto__"',
  ],
  [
    'a field of another mode',
    `${DIRECT}cover: forest\n`,
    `army.yaml:8:1 cover: expected one of ${DIRECT_FIELDS}, found an unknown field`,
  ],
  [
    'a merge key',
    but(DIRECT, 'hp: 30', '<<: { hp: 30 }'),
    'army.yaml:4:3 attacker.hp: expected an integer 1..100000, found nothing',
  ],
  [
    'a range or null',
    but(DIRECT, '  attack: 1', '  attack: strong'),
    'army.yaml:4:11 attacker.attack: expected an integer -1000..1000 or null, found "strong"',
  ],
  [
    'a side that is no mapping',
    but(DIRECT, '{ attack: 1, defense: 1, hp: 25 }', 'Pikemen'),
    'army.yaml:7:11 defender: expected a mapping, found "Pikemen"',
  ],
  [
    'a flag that is none',
    `${INDIRECT}returnFire: yes\n`,
    'army.yaml:5:13 returnFire: expected true or false, found "yes"',
  ],
  [
    'covers that are none',
    but(DIRECT, 'hp: 30', 'hp: 30\n  bypassesCover: forest'),
    'army.yaml:7:18 attacker.bypassesCover: expected true or false or a list, found "forest"',
  ],
  [
    'a cover that is none',
    but(DIRECT, 'hp: 30', 'hp: 30\n  bypassesCover: [forest, none]'),
    'army.yaml:7:27 attacker.bypassesCover[1]: expected one of forest, stronghold, capital, found "none"',
  ],
  [
    'a way to round that is none',
    `${MASS}massRounding: up\n`,
    'army.yaml:6:15 massRounding: expected one of floor, nearest, found "up"',
  ],
  [
    'tags that are no list',
    but(DIRECT, 'hp: 30', 'hp: 30\n  tags: cavalry'),
    'army.yaml:7:9 attacker.tags: expected a list, found "cavalry"',
  ],
  [
    'a tag that is no string',
    but(DIRECT, 'hp: 30', 'hp: 30\n  tags: [cavalry, 5]'),
    'army.yaml:7:19 attacker.tags[1]: expected a string of 1 to 64 characters, found 5',
  ],
  [
    'dice that are none',
    `${DIRECT}dice: 9d10\n`,
    'army.yaml:8:7 dice: expected dice as NdS with N 1..8 and S 2..100, found "9d10"',
  ],
  [
    'dice that are a number',
    `${DIRECT}dice: 3\n`,
    'army.yaml:8:7 dice: expected dice as NdS with N 1..8 and S 2..100, found 3',
  ],
  [
    'a name of its own',
    `${DIRECT}name: ''\n`,
    'army.yaml:8:7 name: expected a string of 1 to 120 characters, found ""',
  ],
  [
    'rounds without end',
    `${DIRECT}maxRounds: 1000000\n`,
    'army.yaml:8:12 maxRounds: expected an integer 1..100000, found 1000000',
  ],
  [
    'a word that is not among the choices',
    `${INDIRECT}cover: forrest\n`,
    'army.yaml:5:8 cover: expected one of none, forest, stronghold, capital, found "forrest" (did you mean forest?)',
  ],
  [
    'a shooter that cannot shoot',
    but(INDIRECT, 'ranged: 1', 'ranged: null'),
    'army.yaml:3:21 attacker.ranged: expected an integer -1000..1000, for the attacker must shoot, found null',
  ],
  [
    'a shooter that says nothing of it',
    but(INDIRECT, 'ranged: 1, ', ''),
    'army.yaml:3:11 attacker.ranged: expected an integer -1000..1000, for the attacker must shoot, found nothing',
  ],
  [
    'two sides of one name',
    but(DIRECT, 'defender: {', 'defender: { name: Attacker,'),
    `army.yaml:7:19 defender.name: expected a name other than the attacker's, found "Attacker" twice`,
  ],
  [
    'a name that an outcome has',
    but(MASS, 'name: B', 'name: stalemate'),
    'army.yaml:5:13 combatants[1].name: expected a name that is not one of the outcomes mutual, none, stalemate, ' +
      'coexist, empty, found "stalemate"',
  ],
  [
    'a name of blanks',
    but(MASS, 'name: B', 'name: " "'),
    'army.yaml:5:13 combatants[1].name: expected a name of 1 to 64 characters without blanks at its ends, found " "',
  ],
  [
    'two combatants of one name',
    but(MASS, 'name: B', 'name: A'),
    'army.yaml:5:13 combatants[1].name: expected a name that no other combatant has, found "A" again',
  ],
  [
    'one party',
    but(MASS, 'blue', 'red'),
    'army.yaml:4:3 combatants: expected combatants of two or more parties, found one party',
  ],
  [
    'an empty army',
    `${MASS.slice(0, MASS.indexOf('\n  -'))} []\n`,
    'army.yaml:3:13 combatants: expected a list of 2 to 32, found an empty list',
  ],
  ['a combatant that is none', `${MASS}  - C\n`, 'army.yaml:6:5 combatants[2]: expected a mapping, found "C"'],
  ['no mode', 'system: attrition\n', 'army.yaml:1:1 mode: expected one of direct, indirect, mass, found nothing'],
  [
    'an unknown mode',
    but(DIRECT, 'mode: direct', 'mode: Direct'),
    'army.yaml:2:7 mode: expected one of direct, indirect, mass, found "Direct" (did you mean direct?)',
  ],
];

describe('a wrong field', () => {
  test.each(BAD)('%s', (_what, text, first) => {
    expect(lines(text)[0]).toBe(first);
  });
});

describe('a wrong document', () => {
  const SYSTEMS: unknown = expect.stringMatching(/^army\.yaml:1:1 system: expected one of attrition, .*found nothing$/);
  test.each<readonly [string, string, unknown]>([
    ['an empty file', '', 'army.yaml: expected a scenario, found an empty file'],
    ['only comments', '# nothing\n\n', 'army.yaml: expected a scenario, found an empty file'],
    ['only a marker', '---\n', 'army.yaml: expected a scenario, found an empty file'],
    ['null', 'null', 'army.yaml:1:1: expected a mapping with the field system, found null'],
    ['a list', '- system: attrition', 'army.yaml:1:1: expected a mapping with the field system, found a list of 1'],
    ['a word', '# first\nattrition', 'army.yaml:2:1: expected a mapping with the field system, found "attrition"'],
    ['two documents', `${DIRECT}---\n${DIRECT}`, 'army.yaml:8:1: expected one document, found a second one'],
    [
      'two documents, the first ended',
      `${DIRECT}...\n${DIRECT}`,
      'army.yaml:9:1: expected one document, found a second one',
    ],
    ['a tab', but(DIRECT, '  attack', '\tattack'), 'army.yaml:4:1: expected spaces for indentation, found a tab'],
    [
      'a quote that is not closed',
      `${DIRECT}name: "x\n`,
      'army.yaml:9:1: expected valid YAML, found the end of the file (missing closing "quote)',
    ],
    [
      'a brace that is not closed',
      but(DIRECT, 'hp: 25 }', 'hp: 25'),
      'army.yaml:8:1: expected valid YAML, found the end of the file ' +
        '(flow map in block collection must be sufficiently indented and end with a })',
    ],
    [
      'a key without a colon',
      `${DIRECT}dice\n`,
      'army.yaml:8:1: expected valid YAML, found "dice" (implicit map keys need to be followed by map values)',
    ],
    [
      'a field that is indented too far',
      but(DIRECT, '  hp', '    hp'),
      'army.yaml:5:12: expected valid YAML, found "1" (nested mappings are not allowed in compact mappings)',
    ],
    [
      'an anchor that is not there',
      but(DIRECT, 'hp: 30', 'hp: *all'),
      'army.yaml:6:7 attacker.hp: expected an alias of an anchor before it, found "*all"',
    ],
    [
      'a tag',
      but(DIRECT, 'hp: 30', 'hp: !much 30'),
      'army.yaml:6:13 attacker.hp: expected a value without a tag, found the tag "!much"',
    ],
    [
      'a tag of YAML that is not for scenarios',
      but(DIRECT, 'hp: 30', 'hp: !!binary aGk='),
      'army.yaml:6:16 attacker.hp: expected a value without a tag, found the tag "!!binary"',
    ],
    [
      'a list for a key',
      `${DIRECT}? [a]\n: 1\n`,
      'army.yaml:8:3: expected the name of a field, found another kind of key',
    ],
    [
      'a field twice',
      but(DIRECT, 'hp: 30', 'hp: 30\n  hp: 31'),
      'army.yaml:7:3 attacker.hp: expected each field once, found it again (first at army.yaml:6:3)',
    ],
    [
      'a field twice in JSON',
      '{"system":"attrition","system":"attrition","mode":"x"}',
      'army.yaml:1:23 system: expected each field once, found it again (first at army.yaml:1:2)',
    ],
    [
      'too deep a nesting',
      `${'['.repeat(70)}${']'.repeat(70)}`,
      'army.yaml:1:65: expected at most 64 levels of nesting, found more',
    ],
    [
      'far too deep a nesting',
      `${'['.repeat(5000)}${']'.repeat(5000)}`,
      expect.stringContaining('expected at most 64 levels of nesting, found more'),
    ],
    [
      'too many values',
      `[${'1,'.repeat(100_001)}]`,
      expect.stringContaining('expected at most 100000 values, found more'),
    ],
    [
      'a text that is too long',
      '#'.repeat(2 ** 20 + 1),
      'army.yaml: expected a text of at most 1 MiB, found a longer one',
    ],
    ['no system', 'mode: direct', SYSTEMS],
  ])('%s', (_what, text, first) => {
    expect(lines(text)[0]).toEqual(first);
  });

  test('an alias bomb', () => {
    const ten = (value: string) => Array.from({ length: 10 }, () => value).join();
    const levels = Array.from(
      { length: 9 },
      (_, i) => `a${String(i + 1)}: &a${String(i + 1)} [${ten(`*a${String(i)}`)}]`,
    );
    expect(told(['a0: &a0 x', ...levels].join('\n'))).toMatch(
      /^army\.yaml:6:\d+: expected at most 100000 values, found more$/,
    );
  });

  test('an alias within what it stands for', () => {
    const refused = 'expected an alias of an anchor before it, found "*a"';
    expect(told('a: &a [*a]')).toContain(`army.yaml:1:8 a[0]: ${refused}`);
    expect(told('a: &a 1\nb: &a [*a]')).toContain(`army.yaml:2:8 b[0]: ${refused}`);
  });
});

describe('an unknown system', () => {
  test.each([
    ['atrition', '"atrition" (did you mean attrition?)'],
    ['Attrition', '"Attrition" (did you mean attrition?)'],
    ['chess', '"chess"'],
    ['5', '5'],
    ['', 'nothing'],
    ['[attrition]', 'a list of 1'],
  ])('%s', (written, found) => {
    expect(told(`system: ${written}\nmode: direct\n`)).toMatch(/^army\.yaml:1:\d system: expected one of attrition, /);
    expect(told(`system: ${written}\nmode: direct\n`).split(', found ')[1]).toBe(found);
  });
});

describe('several problems', () => {
  test('are all told, in the order of the text', () => {
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
      'army.yaml:4:1 mode: expected each field once, found it again (first at army.yaml:3:1)',
    ]);
  });

  test('one is an InputError, two are InputErrors', () => {
    expect(() => parseScenario(hp('0'))).toThrow(InputError);
    const both = () => parseScenario(but(hp('0'), 'hp: 25', 'hp: 0'));
    expect(both).toThrow(InputErrors);
  });

  test('twenty are told, of the others the number', () => {
    const unknown = Array.from({ length: 25 }, (_, i) => `unknown${String(i)}: 1`).join('\n');
    const all = lines(DIRECT + unknown);
    expect(all).toHaveLength(21);
    expect(all[19]).toMatch(/^army\.yaml:27:1 unknown19: /);
    expect(all[20]).toBe('and 5 more');
  });

  test('thousands are no reason to be slow', () => {
    const unknown = Array.from({ length: 30_000 }, (_, i) => `u${String(i)}: 1`).join('\n');
    expect(lines(DIRECT + unknown)[20]).toBe('and 29980 more');
  });

  test('of a field given twice the last counts', () => {
    expect(lines(but(DIRECT, 'hp: 30', 'hp: 30\n  hp: 0'))).toEqual([
      'army.yaml:7:3 attacker.hp: expected each field once, found it again (first at army.yaml:6:3)',
      'army.yaml:7:7 attacker.hp: expected an integer 1..100000, found 0',
    ]);
  });

  test('an alias of one value is wrong where it stands', () => {
    const text = but(but(DIRECT, '  attack: 1', '  attack: &x weak'), 'hp: 30', 'hp: *x');
    expect(lines(text)).toEqual([
      'army.yaml:4:14 attacker.attack: expected an integer -1000..1000 or null, found "weak"',
      'army.yaml:6:7 attacker.hp: expected an integer 1..100000, found "weak"',
    ]);
  });

  test('an alias shows every place at which it is wrong', () => {
    expect(
      lines(but(but(hp('0'), 'attacker:', 'attacker: &side'), '{ attack: 1, defense: 1, hp: 25 }', '*side')),
    ).toEqual([`${HP} 0`, 'army.yaml:6:7 defender.hp: expected an integer 1..100000, found 0']);
  });
});

describe('an object from code', () => {
  const sides = { attacker: { attack: 1, defense: 1, hp: 30 }, defender: { attack: 1, defense: 1, hp: 25 } };
  const direct = { system: 'attrition', mode: 'direct', ...sides };
  test.each<readonly [string, unknown, string]>([
    ['null', null, 'scenario: expected a mapping with the field system, found null'],
    ['nothing', undefined, 'scenario: expected a mapping with the field system, found nothing'],
    [
      'a Map',
      new Map([['system', 'attrition']]),
      'scenario: expected a mapping with the field system, found an object that is not a mapping',
    ],
    ['a function', () => direct, 'scenario: expected a mapping with the field system, found a function'],
    ['a wrong field', { ...direct, maxRounds: 0 }, 'maxRounds: expected an integer 1..100000, found 0'],
    ['NaN', { ...direct, maxRounds: Number.NaN }, 'maxRounds: expected an integer 1..100000, found NaN'],
    [
      'Infinity',
      { ...direct, maxRounds: Number.POSITIVE_INFINITY },
      'maxRounds: expected an integer 1..100000, found Infinity',
    ],
    ['a bigint', { ...direct, maxRounds: 5n }, 'maxRounds: expected an integer 1..100000, found 5'],
    ['a symbol', { ...direct, maxRounds: Symbol('5') }, 'maxRounds: expected an integer 1..100000, found a symbol'],
    ['a list for a side', { ...direct, attacker: [] }, 'attacker: expected a mapping, found an empty list'],
  ])('%s', (_what, value, message) => {
    expect(refusal(() => checkScenario(value))).toBe(message);
  });

  test('is called what the caller calls it', () => {
    expect(refusal(() => checkScenario({ ...direct, maxRounds: 0 }, 'cell 7'))).toBe(
      'cell 7 maxRounds: expected an integer 1..100000, found 0',
    );
    expect(refusal(() => checkScenario(5, 'cell 7'))).toBe('cell 7: expected a mapping with the field system, found 5');
  });

  test('is not changed', () => {
    const frozen = Object.freeze({ ...direct, attacker: Object.freeze({ ...sides.attacker }) });
    expect(checkScenario(frozen)).not.toBe(frozen);
  });
});

describe('alternatives', () => {
  const army = (side: string): string =>
    `system: phased-dice\nmode: ground\nattacker: { units: { knight: 2 }, ${side} }\ndefender: { units: { knight: 1 } }\n`;
  const ALL = 'expected never, a mapping with afterRounds or a mapping with whenWeaker, found';
  const at = (column: number): string => `army.yaml:3:${String(column)} attacker`;
  test.each([
    ['another word', 'retreat: nevr', `${at(44)}.retreat: ${ALL} "nevr" (did you mean never?)`],
    ['another kind', 'retreat: 5', `${at(44)}.retreat: ${ALL} 5`],
    ['an empty mapping', 'retreat: {}', `${at(44)}.retreat: ${ALL} an empty mapping`],
    ['two at once', 'retreat: { afterRounds: 1, whenWeaker: 1 }', `${at(44)}.retreat: ${ALL} a mapping`],
    [
      'a field that none has',
      'retreat: { afterRound: 1 }',
      `${at(46)}.retreat.afterRound: expected one of afterRounds, whenWeaker, found an unknown field (did you mean afterRounds?)`,
    ],
    [
      'a wrong value in the one that is meant',
      'retreat: { afterRounds: 0 }',
      `${at(59)}.retreat.afterRounds: expected an integer 1..100000, found 0`,
    ],
    [
      'a wrong word in a list',
      'target: [infantry, air]',
      `${at(54)}.target[1]: expected one of artillery, cavalry, infantry, found "air"`,
    ],
    [
      'neither a word nor a list',
      'target: 5',
      `${at(43)}.target: expected one of most-dice, most-expected-hits or a list of at most 3, found 5`,
    ],
  ])('%s', (_what, side, line) => {
    expect(told(army(side))).toBe(line);
  });

  test('a name that a mapping may not have', () => {
    const text = `${army('losses: lowest-era')}unitTypes: { 1st: { class: infantry, era: 1 } }\n`;
    expect(told(text)).toMatch(/^army\.yaml:5:14 unitTypes\["1st"\]: expected a name of .*, found "1st"$/);
  });

  test('a unit that there is not', () => {
    const text = army('losses: lowest-era').replace('knight', 'kngiht');
    expect(told(text)).toMatch(/^army\.yaml:3:22 attacker\.units\.kngiht: expected .* \(did you mean knight\?\)$/);
  });
});

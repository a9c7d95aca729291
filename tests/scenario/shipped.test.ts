/** Shipped scenarios, and conversion of scenarios to text and back. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { shippedSystems } from '../../src/rules/index.ts';
import { loadScenario, parseScenario, validateScenario } from '../../src/rules/scenario/index.ts';

const FOLDER = new URL('../../scenarios/', import.meta.url);
const files = readdirSync(FOLDER);

describe.each(files)('%s', (name) => {
  const url = new URL(name, FOLDER);
  const text = readFileSync(url, 'utf8');

  test('has the system in its file name', async () => {
    const scenario = await loadScenario(url.pathname);
    expect(name.startsWith(`${scenario.system}-`)).toBe(true);
  });

  test('starts with its schema and a description', () => {
    const [schema, about] = text.split('\n');
    expect(schema).toBe('# yaml-language-server: $schema=../dist/schemas/scenario.schema.json');
    expect(about).toMatch(/^# \S/);
  });

  test('is equal as YAML and JSON, and with defaults', () => {
    const scenario = parseScenario(text);
    expect(parseScenario(stringify(scenario))).toEqual(scenario);
    expect(parseScenario(JSON.stringify(scenario))).toEqual(scenario);
    expect(validateScenario(scenario)).toEqual(scenario);
  });
});

test.each(shippedSystems.map(({ id }) => id))('%s has at least two scenarios', (id) => {
  expect(files.filter((file) => file.startsWith(`${id}-`)).length).toBeGreaterThanOrEqual(2);
});

test.each(shippedSystems.flatMap(({ examples }) => examples))(
  'validation of the example $name is idempotent',
  ({ scenario }) => {
    const complete = validateScenario(scenario);
    expect(validateScenario(complete)).toEqual(complete);
    expect(parseScenario(stringify(scenario))).toEqual(complete);
  },
);

test('parseScenario inserts the defaults of the rules', () => {
  const text =
    'system: attrition\nmode: direct\nattacker: { attack: null, defense: 0, hp: 1 }\ndefender: { attack: 0, defense: 0, hp: 1 }';
  const unit = { ranged: null, indirectDefense: 0, bypassesCover: [], tags: [], prey: [], defense: 0, hp: 1 };
  expect(parseScenario(text)).toEqual({
    system: 'attrition',
    mode: 'direct',
    dice: '3d10',
    preyDamage: 15,
    maxRounds: 10_000,
    attacker: { ...unit, name: 'Attacker', attack: null },
    defender: { ...unit, name: 'Defender', attack: 0 },
  });
});

test('parseScenario reads all number formats of YAML', () => {
  const hp = (written: string) => {
    const { attacker } = parseScenario(
      `system: attrition\nmode: direct\nattacker: { attack: 1, defense: 1, hp: ${written} }\ndefender: { attack: 1, defense: 1, hp: 1 }`,
    ) as unknown as { attacker: { hp: number } };
    return attacker.hp;
  };
  expect(['1000', '1e3', '1000.0', '0x3E8', '0o1750', '+1000'].map(hp)).toEqual(Array.from({ length: 6 }, () => 1000));
});

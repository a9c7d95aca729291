/** Line and column in errors, for different formats of the same scenario. */
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { InputError } from '../../src/core/errors.ts';
import { shippedSystems } from '../../src/rules/index.ts';
import { parseScenario } from '../../src/rules/scenario/index.ts';
import { some } from '../depth.ts';

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
type Path = readonly (string | number)[];

/** Formats of a scenario. */
const FORMS: Readonly<Record<string, (value: Json) => string>> = {
  'YAML in blocks': (value) => stringify(value),
  'YAML in blocks, deeply indented': (value) => `# a comment\n\n${stringify(value, { indent: 7 })}`,
  'YAML in flows': (value) => stringify(value, { collectionStyle: 'flow' }),
  'YAML after a marker': (value) => `---\n${stringify(value)}`,
  'YAML with CRLF': (value) => stringify(value).replaceAll('\n', '\r\n'),
  'JSON in one line': (value) => JSON.stringify(value),
  'JSON with blanks': (value) => JSON.stringify(value, null, 2),
  'JSON with tabs': (value) => JSON.stringify(value, null, '\t'),
  'JSON with CRLF': (value) => JSON.stringify(value, null, 2).replaceAll('\n', '\r\n'),
  'JSON with a byte order mark': (value) => `\uFEFF${JSON.stringify(value)}`,
};

/** Returns line and column of the first `marker`, without the parser. */
function placeOf(marker: string, text: string): string {
  const bare = text.replace(/^\uFEFF/, '');
  const before = bare.slice(0, bare.search(new RegExp(`"?${marker}`))).split('\n');
  return `${String(before.length)}:${String((before.at(-1) ?? '').length + 1)}`;
}

/** Returns all lines of the error of a text. */
function reported(text: string): string[] {
  try {
    parseScenario(text, { source: 'f' });
  } catch (error) {
    if (error instanceof InputError) return error.message.split('\n');
    throw error;
  }
  return [];
}

/** Lists the paths of all numbers in a value. */
function numbers(value: Json, path: Path = []): Path[] {
  if (typeof value === 'number') return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    numbers(inner, [...path, Array.isArray(value) ? Number(name) : name]),
  );
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

function changed(value: Json, [step, ...rest]: Path, change: (inner: Json) => Json): Json {
  if (step === undefined) return change(value);
  if (isList(value)) return value.map((inner, i) => (i === step ? changed(inner, rest, change) : inner));
  if (typeof value !== 'object' || value === null) throw new Error(`no ${String(step)} here`);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, name === step ? changed(inner, rest, change) : inner]),
  );
}

const examples = shippedSystems.flatMap((system) =>
  system.examples.map(({ name, scenario }) => [`${system.id}, ${name}`, scenario as Json] as const),
);

const looked = some(examples);

describe.each(Object.entries(FORMS))('%s', (_form, write) => {
  test.each(looked)('%s: a valid scenario is accepted', (_name, scenario) => {
    expect(reported(write(scenario))).toEqual([]);
  });

  test.each(looked)('%s: the error of a wrong value has its position', (_name, scenario) => {
    const paths = numbers(scenario);
    expect(paths.length).toBeGreaterThan(0);
    for (const path of paths) {
      const text = write(changed(scenario, path, () => 'wrong-value'));
      expect(reported(text)[0]).toContain(`f:${placeOf('wrong-value', text)} `);
      expect(reported(text)[0]).toContain('found "wrong-value"');
    }
  });

  test.each(looked)('%s: the error of an unknown field has the position of its name', (_name, scenario) => {
    const text = write({ ...(scenario as object), 'unknown-field': { hp: 1 } });
    expect(reported(text)).toEqual([expect.stringContaining(`f:${placeOf('unknown-field', text)} unknown-field: `)]);
  });

  test.each(looked)('%s: the error of a missing field has the position of its mapping', (_name, scenario) => {
    const list = ['combatants', 'areas'].find((name) => name in (scenario as object));
    const empty = list === undefined ? { attacker: {} } : { [list]: [{}, {}] };
    const text = write({ ...(scenario as object), ...empty });
    expect(reported(text)[0]).toContain(`f:${placeOf('\\{\\}', text)} `);
    expect(reported(text)[0]).toContain('found nothing');
  });
});

/**
 * Sources of rules: `run --coverage` cites a part of the rule text, or marks the rule as completed from outside the
 * text. Parts are headings of the text, or the subject of a lost heading.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { describeUnitType, unitTable } from '../../src/rules/cube-bag/units.ts';
import { shippedSystems } from '../../src/rules/index.ts';
import { formatRuleSource, type Rule } from '../../src/rules/system.ts';

/** Chapters of the rule text by system. */
const CHAPTERS: Readonly<Record<string, readonly string[]>> = {
  'cube-bag': [
    'Army strength',
    'Army strength bonus',
    'Corps strength bonus',
    'bag preparation',
    'Conversion',
    'draw',
    'losses',
    'Recovery',
    'siege',
    'victory',
    'third example',
  ],
  'phased-dice': ['Ground Combat', 'Air Units', 'Retreat or repeat', 'Combat Resolution', 'Fleet Combat'],
  // The only text with steps.
  'strength-cards': ['Battles'],
  attrition: [
    'Direct Combat',
    'Indirect Combat',
    'Important Information on Indirect Combat',
    'the paragraph on Prey before Mass Direct Combat',
    'Mass Direct Combat',
  ],
  'token-conflict': [
    'the paragraph before Attacking a city',
    'Attacking a city',
    'Order of conflicts',
    '4a. Conflicts of units',
    '4b. Attacking cities',
  ],
};

describe.each(shippedSystems.map(({ id, rules }) => ({ id, rules })))('$id', ({ id, rules }) => {
  const chapters = CHAPTERS[id] ?? [];
  const cited = Object.entries<Rule>(rules).filter(([, { outside }]) => outside !== true);
  /** Returns the chapter and the other parts of a source. */
  const wordsOf = (source: string) => source.split(/[,:;] /);

  test('rules cite a part of the text or are marked as outside', () => {
    for (const [rule, { source }] of cited) expect(chapters, rule).toContain(wordsOf(source)[0]);
  });

  test('rules cite every part of the text', () => {
    const words = cited.flatMap(([, { source }]) => wordsOf(source));
    expect(chapters.filter((chapter) => !words.includes(chapter))).toEqual([]);
  });

  test('rules cite steps if the text has steps', () => {
    const steps = cited.map(([, { source }]) => source).filter((source) => /\bsteps? \d/i.test(source));
    if (id === 'strength-cards') expect(steps.length).toBeGreaterThan(10);
    for (const step of steps) expect(step).toMatch(/^Battles: Step [1-7]\b/);
  });

  test('sources are in English, with the original heading if it is foreign', () => {
    for (const [rule, { source, original }] of cited) {
      expect(/[^\p{ASCII}]/u.test(source), rule).toBe(false);
      expect(original !== undefined, rule).toBe(id === 'token-conflict');
    }
  });

  test('no source contains the word seed, which means the seed of a run', () => {
    for (const [rule, each] of Object.entries<Rule>(rules))
      expect(formatRuleSource(each), rule).not.toMatch(/\bseeds?\b/);
  });
});

describe('figures of the cube-bag unit table', () => {
  const [cubeBag] = shippedSystems.filter(({ id }) => id === 'cube-bag');
  const page = readFileSync('docs/reference/systems/cube-bag.md', 'utf8');

  test('are in the rule text only for the courage of projectile units', () => {
    const stated = unitTable.flatMap(({ name, stated: figures }) => figures.map((figure) => `${name} ${figure}`));
    expect(stated).toEqual(['catapult courageVsStructures', 'trebuchet courageVsStructures']);
  });

  test('name their source in schema, command, form and page', () => {
    const text = JSON.stringify(z.toJSONSchema(cubeBag?.schema as z.ZodType, { io: 'input', unrepresentable: 'any' }));
    for (const type of unitTable)
      expect(text).toContain(`Units of this type: ${describeUnitType(type)}; completed from outside the rule text`);
    expect(text).toContain('bonus 3 against cavalry; completed from outside the rule text.');
    expect(text).toContain('completed from outside the rule text, except for the courage against structures.');
    expect(page).toMatch(/All other figures of the\ntable, .* are completed from/);
    expect(page).toContain('`unitSet: old` is the table of another edition');
  });

  test('and the rules and fields that use them name their source', () => {
    for (const id of ['bonus', 'priority', 'structure', 'structures.hp'])
      expect(cubeBag?.rules[id]?.source, id).toMatch(/completed from outside/);
    const fields = cubeBag?.schema as z.ZodType;
    const { properties } = z.toJSONSchema(fields, { io: 'input', unrepresentable: 'any' });
    for (const field of ['priority', 'structureTypes', 'unitSet'])
      expect(JSON.stringify(properties?.[field]), field).toContain('completed from outside the rule text');
  });
});

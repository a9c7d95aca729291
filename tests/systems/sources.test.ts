/**
 * Where rules come from: `run --coverage` cites a part of the rule text, or says that the rule is completed from outside
 * it. Parts are headings of the text, or what a lost heading was about.
 */
import { describe, expect, test } from 'vitest';
import { systems } from '../../src/systems/index.ts';

/** Parts by system. */
const PARTS: Readonly<Record<string, { readonly seed: string; readonly parts: readonly string[] }>> = {
  'cube-bag': {
    seed: '000',
    parts: [
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
  },
  'phased-dice': {
    seed: '001',
    parts: ['Ground Combat', 'Air Units', 'Retreat or repeat', 'Combat Resolution', 'Fleet Combat'],
  },
  // The only one with steps.
  'strength-cards': { seed: '002', parts: ['Battles'] },
  attrition: {
    seed: '003',
    parts: [
      'Direct Combat',
      'Indirect Combat',
      'Important Information on Indirect Combat',
      'the paragraph on Prey before Mass Direct Combat',
      'Mass Direct Combat',
    ],
  },
  'token-conflict': {
    seed: '004',
    parts: [
      'the paragraph before Atakowanie miasta',
      'Atakowanie miasta',
      'Kolejność rozstrzygania konfliktów',
      '4a. Rozstrzyganie konfliktów jednostek',
      '4b. Atakowanie miast',
    ],
  },
};

const OUTSIDE = 'completed from outside the seed: ';

describe.each(systems.map(({ id, rules }) => ({ id, rules })))('$id', ({ id, rules }) => {
  const { seed = '', parts = [] } = PARTS[id] ?? {};
  const sources = Object.values(rules).map(({ source }) => source);
  const cited = sources.filter((source) => !source.startsWith(OUTSIDE));
  /** Seed, part and the rest of it. */
  const wordsOf = (source: string) => source.split(/[,:;] /);

  test('the source of a rule is a part of the text, or outside it', () => {
    for (const [rule, { source }] of Object.entries(rules)) {
      if (source.startsWith(OUTSIDE)) continue;
      const [number, part] = wordsOf(source);
      expect([rule, number]).toEqual([rule, `seed ${seed}`]);
      expect(parts, rule).toContain(part);
    }
  });

  test('every part of the text is the source of some rule', () => {
    const words = cited.flatMap(wordsOf);
    expect(parts.filter((part) => !words.includes(part))).toEqual([]);
  });

  test('steps are cited where the text has some', () => {
    const steps = sources.filter((source) => /\bsteps? \d/i.test(source));
    if (id === 'strength-cards') expect(steps.length).toBeGreaterThan(10);
    for (const step of steps) expect(step).toMatch(/^seed 002, Battles: Step [1-7]\b/);
  });
});

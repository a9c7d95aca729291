/** Colors of sides: one palette that people with color blindness can distinguish, in tables and figures. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { validateScenario } from '../../src/index.ts';
import { computeLuminance, createColorScale, interpolateColor, isDark } from '../../src/report/figures/color-scale.ts';
import { assignLineColors, assignObservedOutcomeColors, getSideColor } from '../../src/report/figures/colors.ts';
import { DARK_COLORS, NEUTRAL_COLORS, SIDE_COLORS } from '../../src/report/figures/theme.ts';
import { createSheetMarkup } from '../../src/report/html/commands/command-page.ts';
import { STYLE } from '../../src/report/html/stylesheet.ts';
import { findMentionedSide, getSides, TONES } from '../../src/report/scenario/sides.ts';
import { createTableTones } from '../../src/report/scenario/table-tones.ts';
import { createTable } from '../../src/report/sheet/sheet.ts';

const side = { attack: 1, defense: 1, hp: 9 };
const duel = getSides(
  validateScenario({
    ...{ system: 'attrition', mode: 'direct' },
    attacker: { ...side, name: 'Swordsmen' },
    defender: { ...side, name: 'Pikemen' },
  }),
);
const brawl = getSides(
  validateScenario({
    ...{ system: 'attrition', mode: 'mass' },
    combatants: ['red', 'blue', 'green'].map((party) => ({ ...side, name: `${party} ones`, party })),
  }),
);

/** Gray of no side, as on the page. */
const [NOBODY = ''] = NEUTRAL_COLORS;

const ALL = [...SIDE_COLORS, NOBODY];
const NIGHT = ALL.map((colour) => DARK_COLORS[colour] ?? '');

const contrast = (a: string, b: string): number => {
  const [low = 0, high = 0] = [computeLuminance(a), computeLuminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
};

type Linear = readonly number[];

const linear = (colour: string): Linear =>
  [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });

/** Color vision without one kind of cones: G. M. Machado, M. M. Oliveira and L. A. F. Fernandes (2009), severity 1. */
const BLIND: Readonly<Record<string, readonly (readonly number[])[]>> = {
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
  none: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
};

const times = (matrix: readonly (readonly number[])[], vector: Linear): Linear =>
  matrix.map((row) => row.reduce((sum, factor, at) => sum + factor * (vector[at] ?? 0), 0));

/** Converts to Oklab (B. Ottosson 2020): distances approximate perceived differences; black and white are 1 apart. */
function oklab(rgb: Linear): Linear {
  const cones = times(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    rgb,
  ).map(Math.cbrt);
  return times(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    cones,
  );
}

/** Computes the distance of two colors with a kind of color vision. */
function distance(a: string, b: string, seeing: string): number {
  const [one = [], two = []] = [a, b].map((colour) => {
    const seen = times(BLIND[seeing] ?? [], linear(colour)).map((part) => Math.min(1, Math.max(0, part)));
    return oklab(seen);
  });
  return Math.hypot(...one.map((part, at) => part - (two[at] ?? 0)));
}

/** Returns the variables of the page in light or dark mode. */
function variables(scheme: 'light' | 'dark'): ReadonlyMap<string, string> {
  const css = readFileSync(new URL('../../web/style/base.css', import.meta.url), 'utf8');
  const blocks = [...css.matchAll(/:root[^{]*\{([^}]*)\}/g)].map(([, block = '']) => block);
  const read = (block = '') =>
    [...block.matchAll(/(--[\w-]+): (#\w+)/g)].map(([, name = '', hex = '']) => [name, hex] as const);
  return new Map(scheme === 'light' ? read(blocks[0]) : [...read(blocks[0]), ...read(blocks[1])]);
}

const long = (hex: string): string => (hex.length === 4 ? hex.replaceAll(/[0-9a-f]/g, '$&$&') : hex);

describe.each(['light', 'dark'] as const)('colors in %s mode', (scheme) => {
  const css = variables(scheme);
  const colours = scheme === 'light' ? ALL : NIGHT;
  const names = [...SIDE_COLORS.map((_, tone) => `side${String(tone)}`), 'nobody'];

  test('are the same on the page and in figures', () => {
    expect(SIDE_COLORS).toHaveLength(TONES);
    expect(names.map((name) => css.get(`--${name}`))).toEqual(colours);
  });

  test('have a contrast of 3:1 to the background, and texts on them of 4.5:1', () => {
    const page = long(css.get('--page') ?? '');
    for (const [c, colour] of colours.entries()) {
      expect(contrast(colour, page), colour).toBeGreaterThanOrEqual(3);
      const text = long(css.get(`--on-${names[c] ?? ''}`) ?? '');
      expect(contrast(text, colour), `text on ${colour}`).toBeGreaterThanOrEqual(4.5);
    }
  });

  test.each(Object.keys(BLIND))('distinguish attacker, defender and no side with %s', (seeing) => {
    const [attacker = '', defender = '', , , , , nobody = ''] = colours;
    expect(distance(attacker, defender, seeing)).toBeGreaterThanOrEqual(0.2);
    expect(distance(attacker, nobody, seeing)).toBeGreaterThanOrEqual(0.1);
    expect(distance(defender, nobody, seeing)).toBeGreaterThanOrEqual(0.1);
  });
});

test('reports have the same colors for marks', () => {
  const [light = '', night = ''] = STYLE.split('@media screen and (prefers-color-scheme: dark) {');
  for (const [tone, colour] of SIDE_COLORS.entries()) {
    expect(light).toContain(`.side${String(tone)} { --tone: ${colour}; }`);
    expect(night).toContain(`.side${String(tone)} { --tone: ${DARK_COLORS[colour] ?? ''}; }`);
  }
  expect(light).toContain(`.nobody { --tone: ${NOBODY}; }`);
});

describe('colors of outcomes', () => {
  const arrived = (...names: string[]) => names.map((name, n) => ({ name, p: 1 / (n + 2) }));

  test('are the colors of their sides, and grays without a side', () => {
    const colours = assignObservedOutcomeColors(arrived('stalemate', 'defender', 'attacker', 'mutual'), duel);
    expect(Object.fromEntries(colours)).toEqual({
      attacker: SIDE_COLORS[0],
      defender: SIDE_COLORS[1],
      stalemate: NEUTRAL_COLORS[0],
      mutual: NEUTRAL_COLORS[1],
    });
  });

  test('are missing for outcomes that never occurred', () => {
    expect([
      ...assignObservedOutcomeColors(
        [
          { name: 'attacker', p: 0 },
          { name: 'defender', p: 1 },
        ],
        duel,
      ).keys(),
    ]).toEqual(['defender']);
  });

  test('without a side are colors of no side if there are many', () => {
    const names = ['a + b', 'b + a', 'a + a', 'b + b'];
    const colours = [...assignObservedOutcomeColors(arrived(...names), duel).values()];
    expect(colours).toEqual(SIDE_COLORS.slice(2));
  });

  test('are all different if there are no sides', () => {
    expect(assignLineColors(['yes', 'no'], [])).toEqual([SIDE_COLORS[0], SIDE_COLORS[1]]);
  });

  test('apply to metrics and fields of a side as well', () => {
    expect(getSideColor('hp.defender', duel)).toBe(SIDE_COLORS[1]);
    expect(getSideColor('attacker.hp', duel)).toBe(SIDE_COLORS[0]);
    expect(SIDE_COLORS).not.toContain(getSideColor('rounds', duel));
    expect(assignLineColors(['hp.defender'], duel)).toEqual([SIDE_COLORS[1]]);
  });
});

describe('color scales of heat maps', () => {
  const scaleOf = (name: string, sides = duel) => createColorScale({ kind: 'outcome', name }, [0.01, 0.99], sides);
  const at = (name: string, percent: number, sides = duel): string => {
    const { colors: colours } = scaleOf(name, sides);
    return typeof colours === 'string' ? colours : interpolateColor(colours, percent / 100);
  };

  test('have the same colors of attacker and defender in the maps of both', () => {
    expect(at('attacker', 100)).toBe(at('defender', 0));
    expect(at('attacker', 0)).toBe(at('defender', 100));
    expect(at('attacker', 30)).toBe(at('defender', 70));
  });

  test.each(Object.keys(BLIND))('end near the color of each side, with %s', (seeing) => {
    const [attacker = '', defender = ''] = SIDE_COLORS;
    expect(distance(at('attacker', 100), attacker, seeing)).toBeLessThan(0.02);
    expect(distance(at('defender', 90), defender, seeing)).toBeLessThan(distance(at('defender', 90), attacker, seeing));
  });

  test.each([
    ['attacker', duel],
    ['defender', duel],
    ['red', brawl],
    ['blue', brawl],
    ['green', brawl],
  ] as const)('distinguish 0, 50 and 100 percent by lightness: %s', (name, sides) => {
    const [never = 0, even = 0, always = 0] = [0, 50, 100].map((each) => oklab(linear(at(name, each, sides)))[0]);
    expect(Math.abs(always - never)).toBeGreaterThanOrEqual(0.15);
    expect(Math.min(even - always, even - never)).toBeGreaterThanOrEqual(0.25);
  });

  test('have no color that dark mode replaces', () => {
    const all = ['attacker', 'defender', 'red', 'blue', 'green'].flatMap((name, n) => {
      const { colors: colours } = scaleOf(name, n < 2 ? duel : brawl);
      const rising = createColorScale({ kind: 'outcome', name }, [0.9, 0.99], n < 2 ? duel : brawl).colors;
      return [...(typeof colours === 'string' ? [] : colours), ...(typeof rising === 'string' ? [] : rising)];
    });
    expect(all.length).toBeGreaterThan(50);
    for (const colour of all) expect(DARK_COLORS[colour], colour).toBeUndefined();
  });

  test('have a contrast of at least 4.5:1 to texts on tiles', () => {
    for (const name of ['attacker', 'defender'])
      for (let percent = 0; percent <= 100; percent++) {
        const ink = isDark(scaleOf(name), percent) ? '#ffffff' : '#000000';
        expect(contrast(ink, at(name, percent)), `${name} ${String(percent)}`).toBeGreaterThanOrEqual(4.5);
      }
  });
});

describe('marks of tables', () => {
  const column = (head: string, at: number) => ({
    head,
    about: '',
    align: 'left' as const,
    cell: (row: readonly string[]) => row[at] ?? '',
  });
  const outcomes = createTable(
    [column('outcome', 0), column('%', 1)],
    [
      ['attacker', '1'],
      ['stalemate', '2'],
    ],
  );
  const metrics = createTable(
    [column('metric', 0), { ...column('defender', 1), isName: true }],
    [
      ['rounds', '1'],
      ['hp.attacker', '2'],
    ],
  );

  test('have the color of a side or none, and outcomes of no side have a separate color', () => {
    expect(createTableTones(outcomes, duel)).toEqual({ heads: ['none', 'none'], rows: [0, 'nobody'] });
    expect(createTableTones(metrics, duel)).toEqual({ heads: ['none', 1], rows: ['none', 0] });
    expect(createTableTones(outcomes, [])).toBeUndefined();
  });

  test('are before names in HTML, without text', () => {
    const { text } = createSheetMarkup([outcomes, metrics], duel);
    expect(text).toContain('<i class="tone side0"></i>attacker');
    expect(text).toContain('<i class="tone nobody"></i>stalemate');
    expect(text).toContain('<i class="tone none"></i>rounds');
    expect(text).toContain('<th scope="col"><i class="tone side1"></i>defender');
    expect(createSheetMarkup([outcomes]).text).not.toContain('<i');
  });
});

test('findMentionedSide returns the side that a sentence mentions first', () => {
  const idIn = (text: string) => findMentionedSide(text, duel)?.id;
  expect(idIn('Attacker rolls for 3 cannon; the defender waits.')).toBe('attacker');
  expect(idIn('A hit on the defender.')).toBe('defender');
  expect(idIn('Pikemen strike Swordsmen.')).toBe('defender');
  expect(idIn('The attackers’ bridge burns.')).toBeUndefined();
  expect(idIn('Attack on a settlement.')).toBeUndefined();
  expect(idIn('')).toBeUndefined();
  expect(findMentionedSide('blue ones fall', brawl)?.id).toBe('blue');
});

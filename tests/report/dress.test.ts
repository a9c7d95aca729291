/** Style and script of HTML reports: contrast in light and dark mode, and sorting and filtering of rows. */
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import {
  CONFIG,
  DARK_COLORS,
  FAINT,
  INK,
  NEUTRAL_COLORS,
  SIDE_COLORS,
  SOFT,
  TILE_INK,
} from '../../src/report/figures/theme.ts';
import { createHtmlTable, formatBreakableName, markup } from '../../src/report/html/markup.ts';
import { renderPage } from '../../src/report/html/page-template.ts';
import { ROW_SCRIPT } from '../../src/report/html/scripts.ts';
import { SCRIPT, STYLE } from '../../src/report/html/stylesheet.ts';

/** Computes the relative luminance (WCAG 2.2). */
function luminance(colour: string): number {
  const long = colour.length === 4 ? colour.replaceAll(/[0-9a-f]/g, '$&$&') : colour;
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(long.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

/** Blends a color with transparency onto another. */
function over(colour: string, ground: string): string {
  const part = Number.parseInt(colour.slice(7, 9), 16) / 255;
  const long = ground.length === 4 ? ground.replaceAll(/[0-9a-f]/g, '$&$&') : ground;
  const mixed = [1, 3, 5].map((at) => {
    const [a = 0, b = 0] = [colour, long].map((each) => Number.parseInt(each.slice(at, at + 2), 16));
    return Math.round(part * a + (1 - part) * b)
      .toString(16)
      .padStart(2, '0');
  });
  return `#${mixed.join('')}`;
}

/** Returns the colors of the page by name: the light palette, then the dark one. */
function palettes(): Map<string, string>[] {
  const blocks = [...STYLE.matchAll(/:root \{([^}]*)\}/g)].map(([, block = '']) => block);
  return blocks.map(
    (block) => new Map([...block.matchAll(/(--\w+): (#\w+)/g)].map(([, name = '', hex = '']) => [name, hex])),
  );
}

describe('colors', () => {
  test('have a contrast of at least 4.5:1 for text and 3:1 for marks', () => {
    const [light, dark] = palettes();
    for (const palette of [light, dark]) {
      const given = (name: string): string => palette?.get(name) ?? '#000';
      const of = (name: string): string =>
        given(name).length === 9 ? over(given(name), given('--page')) : given(name);
      for (const ground of ['--page', '--stripe', '--found', '--alarmed', '--field'])
        for (const text of ['--ink', '--soft', '--link'])
          expect(contrast(of(text), of(ground)), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
      expect(contrast(of('--alarm'), of('--page'))).toBeGreaterThanOrEqual(3);
    }
    const night = dark?.get('--page') ?? '';
    for (const text of [INK, SOFT]) expect(contrast(DARK_COLORS[text] ?? '', night)).toBeGreaterThanOrEqual(4.5);
    for (const colour of [...SIDE_COLORS, ...NEUTRAL_COLORS])
      expect(contrast(DARK_COLORS[colour] ?? '', night), colour).toBeGreaterThanOrEqual(3);
  });

  test('of figures all have a dark variant, except the ink of tiles', () => {
    const used = new Set(JSON.stringify(CONFIG).match(/#[0-9a-f]{3,6}/g));
    for (const colour of [...used, ...SIDE_COLORS, ...NEUTRAL_COLORS, FAINT]) {
      expect(STYLE).toContain(`figure svg [fill="${colour}"]`);
      expect(STYLE).toContain(`figure svg [stroke="${colour}"]`);
    }
    expect(DARK_COLORS[TILE_INK]).toBeUndefined();
  });

  test('of dark mode apply only to screens: paper is white', () => {
    const [before = '', night = ''] = STYLE.split('@media screen and (prefers-color-scheme: dark) {');
    expect(before).not.toContain('#16181b');
    expect(night.slice(0, night.indexOf('\n}'))).toContain('--page: #16181b');
    expect(STYLE.match(/prefers-color-scheme/g)).toHaveLength(1);
  });
});

describe('row script', () => {
  type Rows = string[][];
  // The script of the page without the parts that need a document.
  const { numberOf, accepts, arranged } = runInNewContext(`${ROW_SCRIPT}; ({ numberOf, accepts, arranged });`) as {
    numberOf: (text: string) => number;
    accepts: (text: string, target: string) => boolean;
    arranged: (rows: Rows, targets: string[], column: number, direction: 1 | -1) => Rows;
  };

  test.each([
    ['1 234.5 %', 1234.5],
    ['< 0.019 %', 0.019],
    ['56.98 .. 58.35 %', 56.98],
    ['±1.6 %', 1.6],
    ['-2', -2],
    ['3.1e-9', 3.1e-9],
    ['10..12', 10],
    ['after two', Number.NaN],
    ['', Number.NaN],
  ])('reads %j as the number %d', (text, value) => {
    expect(numberOf(text)).toBe(value);
  });

  test.each([
    ['50.1 %', '45..55', true],
    ['55.1 %', '45 .. 55', false],
    ['50.1 %', '> 50', true],
    ['50.1 %', '<50', false],
    ['50 %', '>=50', true],
    ['50 %', '<= 49.9', false],
    ['10', '10', true],
    ['100', '10', false],
    ['100', '=100', true],
    ['run early', 'EARLY', true],
    ['run early', 'late', false],
    ['-1', '-2..0', true],
    ['anything', '', true],
  ])('compares %j with the filter %j: %s', (text, target, taken) => {
    expect(accepts(text, target)).toBe(taken);
  });

  test('sorts rows by number or by text, with a stable order and empty cells last', () => {
    const rows = [
      ['0', '9.5 %', 'run late'],
      ['1', '10.1 %', 'stand'],
      ['2', '', 'run early'],
      ['3', '9.5 %', 'run 10'],
      ['4', '1 000 %', 'run 9'],
    ];
    const order = (column: number, direction: 1 | -1, targets = ['', '', '']) =>
      arranged(rows, targets, column, direction).map(([cell]) => cell);
    expect(order(-1, 1)).toEqual(['0', '1', '2', '3', '4']);
    expect(order(1, 1)).toEqual(['0', '3', '1', '4', '2']);
    expect(order(1, -1)).toEqual(['4', '1', '0', '3', '2']);
    expect(order(2, 1)).toEqual(['4', '3', '2', '0', '1']);
    expect(order(1, 1, ['', '9..11', 'run'])).toEqual(['0', '3']);
  });
});

describe('HTML elements', () => {
  test('long names have line breaks only at joints', () => {
    expect(formatBreakableName('left.defender.trebuchet').text).toBe('left.<wbr>defender.<wbr>trebuchet');
    expect(formatBreakableName('combatants[0].maxRounds').text).toBe('combatants<wbr>[0].<wbr>max<wbr>Rounds');
    expect(formatBreakableName('short.name').text).toBe('short.name');
    expect(formatBreakableName('a <b> in a long name').text).toBe('a &lt;b&gt; in a long name');
    expect(formatBreakableName('0.123456789012').text).toBe('0.123456789012');
  });

  test('tables declare sorting and filtering, and store rows beyond the visible ones', () => {
    const rows = [['1'], ['2'], ['3']];
    expect(createHtmlTable([{ head: 'x' }], rows).text).toContain('<table data-sort>');
    expect(createHtmlTable([{ head: 'x' }], rows.slice(1)).text).toContain('<table>');
    const large = createHtmlTable([{ head: 'x', number: true }], rows, { filter: true, rest: [['4\t<'], ['5']] }).text;
    expect(large).toContain('<table data-sort data-sieve>');
    expect(large).toContain('<template>4\uFFFD&lt;\n5</template>');
  });

  test('a page links to the sections that have content', () => {
    const page = renderPage({
      title: 'a <title>',
      lead: '',
      warpool: '1',
      sections: [
        { id: 'one', title: 'One', body: markup`<p>` },
        { id: 'two', title: 'Two', body: markup`` },
      ],
    });
    expect(page).toContain('<title>a &lt;title&gt;</title>');
    expect(page).toContain('<a href="#one">One</a></nav>');
    expect(page).not.toContain('#two');
    expect(page).toContain(`<script>${SCRIPT}</script>`);
  });
});

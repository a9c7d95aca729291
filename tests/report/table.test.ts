import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatTable, PLAIN_PAINT, type TerminalStyle, type TextColumn } from '../../src/report/text/table.ts';
import { breakName, measureText, wrapText } from '../../src/report/text/wrapping.ts';
import { DEPTH } from '../depth.ts';

const look = (width: number): TerminalStyle => ({ width, paint: PLAIN_PAINT });
const PIPE: TerminalStyle = { width: 80, tableWidth: Number.POSITIVE_INFINITY, paint: PLAIN_PAINT };

/** Removes blanks and line breaks, the only changes that breaking a name may cause. */
const packed = (text: string): string => text.replace(/\s/g, '');

const word = fc.stringMatching(/^[a-z]{1,9}$/);
const cjk = fc.stringMatching(/^[\u4e00-\u4eff]{1,4}$/);
const name = fc
  .array(fc.tuple(fc.oneof({ weight: 4, arbitrary: word }, cjk), fc.constantFrom('.', ' ', ' + ', '-')), {
    minLength: 1,
    maxLength: 6,
  })
  .map((parts) => parts.map(([text, joint], p) => (p < parts.length - 1 ? text + joint : text)).join(''));
const number = fc.double({ min: -1e4, max: 1e4, noNaN: true }).map((value) => value.toFixed(2));

interface Sample {
  readonly heads: readonly TextColumn[];
  readonly rows: readonly string[][];
  readonly width: number;
}

/** Tables with a column of unique names and columns of numbers, some of which are optional. */
const sample = fc
  .tuple(
    fc.uniqueArray(name, { minLength: 1, maxLength: 6, selector: packed }),
    fc.array(fc.tuple(name, fc.constantFrom(undefined, 1, 2, 3), fc.boolean()), { maxLength: 9 }),
    fc.integer({ min: 40, max: 200 }),
  )
  .chain(([names, others, width]) =>
    fc.array(number, { minLength: names.length * others.length, maxLength: names.length * others.length }).map(
      (numbers): Sample => ({
        heads: [
          { head: 'name', align: 'left' },
          ...others.map(([head, spare, named]) => ({ head, named, ...(spare !== undefined && { spare }) })),
        ],
        rows: names.map((each, n) => [each, ...others.map((_, o) => numbers[n * others.length + o] ?? '')]),
        width,
      }),
    ),
  );

/** Returns the width of the longest piece without a break, which may be longer than a line. */
const longest = ({ heads, rows }: Sample): number =>
  Math.max(
    ...[...heads.map(({ head }) => head), ...rows.flat()].flatMap((text) => breakName(text, 1).map(measureText)),
  );

/** Returns the names of a table. Continued lines of a name are indented. */
function namesOf(lines: readonly string[], headLines: number): string[] {
  const names: string[] = [];
  for (const line of lines.slice(headLines).map((each) => each.split(/(?<=\S) {2,}/)[0] ?? '')) {
    if (line.startsWith('(too narrow')) break;
    if (line.startsWith('  ')) names.push(packed((names.pop() ?? '') + line));
    else names.push(packed(line));
  }
  return names;
}

describe('any table', () => {
  test('fits into the width', () => {
    fc.assert(
      fc.property(sample, ({ heads, rows, width }) => {
        const most = Math.max(width, longest({ heads, rows, width }) + 4);
        for (const line of formatTable(heads, rows, look(width))) expect(measureText(line)).toBeLessThanOrEqual(most);
      }),
      { numRuns: 100 * DEPTH },
    );
  });

  test('shows every name in full, and every value or the columns that are omitted', () => {
    fc.assert(
      fc.property(sample, ({ heads, rows, width }) => {
        const text = formatTable(heads, rows, look(width)).join('\n');
        const note = packed(text.slice(Math.max(0, text.indexOf('(too narrow for:'))));
        const out = text.includes('(too narrow for:') ? heads.filter(({ spare }) => spare !== undefined) : [];
        for (const row of rows) {
          for (const piece of breakName(row[0] ?? '', 1)) expect(text).toContain(piece);
          for (const [c, cell] of row.entries()) {
            const column = heads[c];
            const reported = column !== undefined && out.includes(column) && note.includes(packed(column.head));
            if (c > 0 && !reported) expect(text).toContain(cell.trim());
          }
        }
      }),
      { numRuns: 100 * DEPTH },
    );
  });

  test('has the names in their order', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(name, { minLength: 1, maxLength: 6, selector: packed }),
        fc.integer({ min: 40, max: 60 }),
        (names, width) => {
          const heads: TextColumn[] = [{ head: 'name', align: 'left' }, { head: 'value' }];
          const lines = formatTable(
            heads,
            names.map((each) => [each, '1']),
            look(width),
          );
          expect(namesOf(lines, 1)).toEqual(names.map(packed));
        },
      ),
      { numRuns: 100 * DEPTH },
    );
  });

  test('is complete, with lines of any length, if the width is unlimited', () => {
    fc.assert(
      fc.property(sample, ({ heads, rows }) => {
        const lines = formatTable(heads, rows, PIPE);
        expect(lines).toHaveLength(rows.length + 1);
        for (const { head } of heads) expect(lines[0]).toContain(head);
        for (const [r, row] of rows.entries()) for (const cell of row) expect(lines[r + 1]).toContain(cell.trim());
      }),
      { numRuns: 100 * DEPTH },
    );
  });
});

const HEADS: readonly TextColumn[] = [
  { head: 'metric', align: 'left' },
  { head: 'mean', align: 'point' },
  { head: 'unseen <', spare: 1 },
  { head: 'in a very long\ninterval' },
];
const ROWS = [
  ['left.attacker.rifleman', '1.25', '9.8', '1.20 .. 1.30'],
  ['rounds', '10', '0.5', '9.51 .. 10.49'],
];

describe('a table in narrow terminals', () => {
  test('breaks names into indented lines', () => {
    expect(formatTable(HEADS, ROWS, look(50))).toEqual([
      '                                 in a very long',
      'metric           mean  unseen <        interval',
      'left.attacker.   1.25       9.8    1.20 .. 1.30',
      '  rifleman',
      'rounds          10          0.5   9.51 .. 10.49',
    ]);
  });

  test('omits optional columns and names them', () => {
    expect(formatTable(HEADS, ROWS, look(40))).toEqual([
      '                       in a very long',
      'metric           mean        interval',
      'left.attacker.   1.25    1.20 .. 1.30',
      '  rifleman',
      'rounds          10      9.51 .. 10.49',
      '(too narrow for: unseen <; use --json or',
      'a wider terminal)',
    ]);
  });

  test('breaks the names of omitted columns that are longer than a line', () => {
    const heads: TextColumn[] = [
      { head: 'name', align: 'left' },
      { head: 'aaaaa.aaaaaaa.aaaa.aaaaa.aaaaa.aaaaaaaaa', spare: 3 },
    ];
    expect(formatTable(heads, [['a', '0.00']], look(40))).toEqual([
      'name',
      'a',
      '(too narrow for:',
      'aaaaa.aaaaaaa.aaaa.aaaaa.aaaaa.',
      'aaaaaaaaa;',
      'use --json or a wider terminal)',
    ]);
  });

  test('becomes blocks of rows, in several columns if there is space', () => {
    expect(formatTable(HEADS.slice(0, 3), ROWS, look(20))).toEqual([
      'left.attacker.',
      'rifleman',
      '  mean      1.25',
      '  unseen <  9.8',
      'rounds',
      '  mean      10',
      '  unseen <  0.5',
    ]);
    const many = Array.from({ length: 5 }, (_, c): TextColumn => ({ head: `metric ${String(c)}` }));
    expect(formatTable(many, [['0', '1', '2', '3', '4']], look(40))).toEqual([
      'metric 0 0',
      '  metric 1  1  metric 3  3',
      '  metric 2  2  metric 4  4',
    ]);
    expect(formatTable(HEADS, ROWS, look(20)).slice(2, 5)).toEqual(['  mean', '    1.25', '  unseen <']);
  });
});

test('the width of a text is its displayed width', () => {
  expect(measureText('歩兵')).toBe(4);
  expect(measureText('e\u0301te\u0301')).toBe(3);
  expect(measureText('\u001B[1mab\u001B[22m')).toBe(2);
  const lines = formatTable(
    [{ head: 'n', align: 'left' }, { head: 'v' }],
    [
      ['歩兵', '1'],
      ['e\u0301', '22'],
    ],
    look(40),
  );
  expect(lines).toEqual(['n      v', '歩兵   1', 'e\u0301     22']);
});

test('names cannot contain control characters', () => {
  const heads: TextColumn[] = [
    { head: 'n\nm', align: 'left' },
    { head: 'a\u001B[2J', isName: true },
  ];
  for (const width of [40, 10]) {
    const text = formatTable(heads, [['a\u001B[2Jb\rc', '1']], look(width)).join('');
    for (const moving of ['\u001B', '\r', '\n']) expect(text).not.toContain(moving);
  }
});

test('numbers and their units are on one line', () => {
  expect(wrapText('after 1 000 000 battles with 95 % of all', 0, 12)).toEqual([
    'after',
    '1 000 000',
    'battles with',
    '95 % of all',
  ]);
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formatColumnsSheet } from '../../src/report/columns/columns-sheet.ts';
import { GLOSSARY, listHeadings } from '../../src/report/columns/glossary.ts';
import { COMMANDS_WITH_TABLES } from '../../src/report/columns/topics.ts';
import { measureText, PLAIN_PAINT } from '../../src/report/text/table.ts';

const REPORT = new URL('../../src/report/', import.meta.url);
const DOCS = new URL('../../docs/reference/tables.md', import.meta.url);

/** Pattern of a column heading, or of a call with one as its first argument. */
const HEAD =
  /\b(?:head: |formatEffectHeading\(|createHeadings\(|formatSideTable\(|createDifferenceTable\()\s*'([^']*)'/g;

/** Returns the headings that the sources of tables have as literals. */
function printed(): string[] {
  const files = readdirSync(REPORT, { recursive: true, encoding: 'utf8' });
  // The overview table of a report has computed headings.
  const sources = files.filter((file) => file.endsWith('.ts') && file !== join('sweep-report', 'tables.ts'));
  return sources.flatMap((file) => {
    const source = readFileSync(new URL(file, REPORT), 'utf8');
    const heads = [...source.matchAll(HEAD)];
    return heads.map(([, head = '']) => head.replaceAll('\\n', ' ')).filter((head) => head !== '');
  });
}

const explained = new Set(GLOSSARY.flatMap(({ columns }) => columns.flatMap(listHeadings)));

describe('column headings of tables', () => {
  test('are all explained in the glossary', () => {
    const heads = printed();
    expect(heads.length).toBeGreaterThan(60);
    expect(heads.filter((head) => !explained.has(head))).toEqual([]);
    for (const head of ['exact %', 'exact mean', '5 %', 'lower than', 'down', 'mu*']) expect(explained).toContain(head);
  });

  test('are explained by formatColumnsSheet for all commands or for one', () => {
    const all = formatColumnsSheet(undefined, { width: 80, paint: PLAIN_PAINT });
    for (const { title, columns } of GLOSSARY) {
      expect(all).toContain(title);
      for (const head of columns.flatMap(listHeadings)) expect(all).toContain(head);
    }
    const one = formatColumnsSheet('bench', { width: 40, paint: PLAIN_PAINT });
    expect(one).toContain('  baseline\n      value of the baseline or of the\n      other build\n');
    expect(one).not.toContain('Morris');
    expect(Math.max(...one.split('\n').map(measureText))).toBeLessThanOrEqual(40);
    for (const command of COMMANDS_WITH_TABLES)
      expect(formatColumnsSheet(command, { width: 80, paint: PLAIN_PAINT })).toContain(command);
  });

  test('have the same explanations in docs/reference/tables.md', () => {
    const page = readFileSync(DOCS, 'utf8').replace(/ +/g, ' ');
    for (const { title, columns } of GLOSSARY) {
      expect(page).toContain(`## ${title}\n`);
      for (const each of columns)
        expect(page).toContain(
          `| ${listHeadings(each)
            .map((head) => `\`${head}\``)
            .join(', ')} | ${each[1]} |`,
        );
    }
  });
});

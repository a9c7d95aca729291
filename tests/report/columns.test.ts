import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formatColumnsSheet } from '../../src/report/columns/columns-sheet.ts';
import { GLOSSARY, listHeadings } from '../../src/report/columns/glossary.ts';
import { COMMANDS_WITH_TABLES } from '../../src/report/columns/topics.ts';
import { measureText, PLAIN_PAINT } from '../../src/report/text/table.ts';

const REPORT = new URL('../../src/report/', import.meta.url);
const DOCS = new URL('../../docs/reference/tables.md', import.meta.url);

/** A head, or what a table is made with that has one. */
const HEAD =
  /\b(?:head: |formatEffectHeading\(|createHeadings\(|formatSideTable\(|createDifferenceTable\()\s*'([^']*)'/g;

/** Heads that the sources of tables have as literals. */
function printed(): string[] {
  const files = readdirSync(REPORT, { recursive: true, encoding: 'utf8' });
  // The overview of a report names its columns by what they are.
  const sources = files.filter((file) => file.endsWith('.ts') && file !== join('sweep-report', 'tables.ts'));
  return sources.flatMap((file) => {
    const source = readFileSync(new URL(file, REPORT), 'utf8');
    const heads = [...source.matchAll(HEAD)];
    return heads.map(([, head = '']) => head.replaceAll('\\n', ' ')).filter((head) => head !== '');
  });
}

const explained = new Set(GLOSSARY.flatMap(({ columns }) => columns.flatMap(listHeadings)));

describe('the columns of tables', () => {
  test('are all explained', () => {
    const heads = printed();
    expect(heads.length).toBeGreaterThan(60);
    expect(heads.filter((head) => !explained.has(head))).toEqual([]);
    for (const head of ['exact %', 'exact mean', '5 %', 'lower than', 'down', 'mu*']) expect(explained).toContain(head);
  });

  test('are told by the command for all or for one', () => {
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

  test('stand in docs/reference/tables.md with the same words', () => {
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

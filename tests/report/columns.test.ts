import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { columnsSheet } from '../../src/tell/columns-sheet.ts';
import { GLOSSARY, headsOf } from '../../src/tell/glossary.ts';
import { lengthOf, PLAIN } from '../../src/tell/text/table.ts';
import { TABLED } from '../../src/tell/topics.ts';

const REPORT = new URL('../../src/tell/', import.meta.url);
const DOCS = new URL('../../docs/reference/tables.md', import.meta.url);

/** Heads that the sources of tables have as literals, in one line each. */
function printed(): string[] {
  const sources = readdirSync(REPORT).filter((file) => file.endsWith('.ts'));
  return sources.flatMap((file) => {
    const source = readFileSync(new URL(file, REPORT), 'utf8');
    const heads = [...source.matchAll(/\b(?:head: |headOf\(|exactHeads\(|headsOf\(|table\()'([^']*)'/g)];
    return heads.map(([, head = '']) => head.replaceAll('\\n', ' ')).filter((head) => head !== '');
  });
}

const explained = new Set(GLOSSARY.flatMap(({ columns }) => columns.flatMap(headsOf)));

describe('the columns of tables', () => {
  test('are all explained', () => {
    const heads = printed();
    expect(heads.length).toBeGreaterThan(60);
    expect(heads.filter((head) => !explained.has(head))).toEqual([]);
    for (const head of ['exact %', 'exact mean', '5 %', 'lower than', 'down', 'mu*']) expect(explained).toContain(head);
  });

  test('are told by the command for all or for one', () => {
    const all = columnsSheet(undefined, { width: 80, paint: PLAIN });
    for (const { title, columns } of GLOSSARY) {
      expect(all).toContain(title);
      for (const head of columns.flatMap(headsOf)) expect(all).toContain(head);
    }
    const one = columnsSheet('bench', { width: 40, paint: PLAIN });
    expect(one).toContain('  baseline\n      what the baseline has, or the\n      other build\n');
    expect(one).not.toContain('Morris');
    expect(Math.max(...one.split('\n').map(lengthOf))).toBeLessThanOrEqual(40);
    for (const command of TABLED) expect(columnsSheet(command, { width: 80, paint: PLAIN })).toContain(command);
  });

  test('stand in docs/reference/tables.md with the same words', () => {
    const page = readFileSync(DOCS, 'utf8').replace(/ +/g, ' ');
    for (const { title, columns } of GLOSSARY) {
      expect(page).toContain(`## ${title}\n`);
      for (const each of columns)
        expect(page).toContain(
          `| ${headsOf(each)
            .map((head) => `\`${head}\``)
            .join(', ')} | ${each[1]} |`,
        );
    }
  });
});

/**
 * Tables of odds in Markdown: a comment defines a table, and the script writes the exact results below it.
 *
 *     npm run odds    # renews the tables of docs/reference/games
 *
 * ```
 * <!-- odds
 * scenario: conquest-dice-osborne.yaml
 * rows: { head: attackers, path: attacker, values: [2, 3] }
 * columns: { path: defender, values: [1, 2, 3], of: attacker }
 * -->
 * ```
 *
 * `scenario` is a file of examples/games, or the fields of a scenario. Rows and columns are values of one field, or a
 * list of changes (`set: [retreatAt=0]`, as for `--set`) with a name (`as`, default: the change), and for rows a
 * `note`. A column shows the percentage of an outcome, or the mean of a metric (`of`): as a percentage for metrics that
 * are 0 or 1 (`percent`), or its decrease from a start value (`from`).
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { loadScenario, loadSystems, solveSync, updateScenario, validateScenario } from 'warpool';
import { parse } from 'yaml';
import { enterRoot } from './files.js';

/**
 * @typedef {{ readonly set?: readonly string[], readonly as?: string }} Part
 * @typedef {Part & { readonly note?: string }} Row
 * @typedef {{ readonly of: string, readonly percent?: boolean, readonly from?: number, readonly digits?: number }} Told
 * @typedef {Part & Told} Column
 * @typedef {{ readonly path: string, readonly values: readonly unknown[] }} Values
 */

/**
 * @typedef {object} Odds
 * @property {string | { readonly system: string }} scenario
 * @property {readonly Row[] | (Values & { readonly head?: string })} rows
 * @property {readonly Column[] | (Values & Told & { readonly unit?: string })} columns
 * @property {number} [digits] decimals (default: 2)
 * @property {string} [head] of the first column, where rows are a list
 */

const FOLDER = 'examples/games';

/** @param {Odds['scenario']} given */
async function scenarioOf(given) {
  if (typeof given === 'string') return await loadScenario(`${FOLDER}/${given}`);
  return validateScenario(given, { source: 'odds', systems: await loadSystems([`${FOLDER}/${given.system}.mjs`]) });
}

/** @param {Odds['rows']} rows @returns {readonly Row[]} */
const rowsOf = (rows) =>
  'path' in rows ? rows.values.map((value) => ({ set: [`${rows.path}=${value}`], as: String(value) })) : rows;

/** @param {Odds['columns']} columns @returns {readonly Column[]} */
function columnsOf(columns) {
  if (!('path' in columns)) return columns;
  const { path, values, unit, ...told } = columns;
  // The first head includes the unit.
  return values.map((value, v) => ({
    ...told,
    set: [`${path}=${value}`],
    as: v === 0 && unit !== undefined ? `${value} ${unit}` : String(value),
  }));
}

/** @param {Part} part */
const setIn = ({ set = [] }) => set.map((each) => `\`${each}\``).join(', ');

/** Formats a percentage; uncertain events are never 0 or 100. @param {number} p @param {number} digits */
function percentOf(p, digits) {
  const text = (100 * p).toFixed(digits);
  const least = 10 ** -digits;
  if (p < 1 && Number(text) >= 100) return `> ${(100 - least).toFixed(digits)}`;
  return p > 0 && Number(text) === 0 ? `< ${least.toFixed(digits)}` : text;
}

/**
 * Formats a cell; empty if the scenario has no such outcome.
 * @param {import('warpool').Scenario} scenario
 * @param {Told} told
 */
function cellOf(scenario, { of, percent, from, digits = 2 }) {
  const { outcomes, metrics } = solveSync(scenario).summary;
  const share = outcomes.find(({ name }) => name === of)?.p;
  const mean = metrics.find(({ name }) => name === of)?.mean;
  if (share !== undefined) return percentOf(share, digits);
  if (mean === undefined) return '';
  if (from !== undefined) return (from - mean).toFixed(digits);
  return percent === true ? percentOf(mean, digits) : mean.toFixed(digits);
}

/**
 * @param {readonly (readonly string[])[]} rows the heads first
 * @param {number} numbers columns of numbers, behind the first
 */
function table(rows, numbers) {
  const widths = (rows[0] ?? []).map((_, c) => Math.max(4, ...rows.map((row) => (row[c] ?? '').length)));
  /** @param {number} c */
  const isNumber = (c) => c > 0 && c <= numbers;
  const line = widths.map((width, c) => (isNumber(c) ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width)));
  /** @param {readonly string[]} cells */
  const lined = (cells) =>
    `| ${cells.map((cell, c) => (isNumber(c) ? cell.padStart(widths[c] ?? 0) : cell.padEnd(widths[c] ?? 0))).join(' | ')} |\n`;
  const [heads = [], ...rest] = rows;
  return [heads, line, ...rest].map(lined).join('');
}

/** Parses values of fields by path. @param {readonly string[]} set `path=value`, the value in YAML */
const valuesOf = (set) =>
  Object.fromEntries(set.map((text) => [text.slice(0, text.indexOf('=')), parse(text.slice(text.indexOf('=') + 1))]));

/** Creates the table of a comment. @param {string} text of the comment, in YAML */
async function tableOf(text) {
  const { scenario, rows: given, columns: asked, digits, head } = /** @type {Odds} */ (parse(text));
  const base = await scenarioOf(scenario);
  const [rows, columns] = [rowsOf(given), columnsOf(asked)];
  const noted = rows.some(({ note }) => note !== undefined);
  const first = head ?? ('path' in given ? given.head : undefined) ?? '`--set`';
  const body = rows.map((row) => [
    row.as ?? setIn(row),
    ...columns.map((column) => {
      const changed = updateScenario(base, valuesOf([...(row.set ?? []), ...(column.set ?? [])]));
      return cellOf(changed, { ...(digits !== undefined && { digits }), ...column });
    }),
    ...(noted ? [row.note ?? ''] : []),
  ]);
  for (const [c, { of }] of columns.entries())
    if (body.every((cells) => cells[c + 1] === '')) throw new Error(`odds: no outcome or metric has the name ${of}`);
  const heads = [first, ...columns.map((column) => column.as ?? column.of), ...(noted ? [''] : [])];
  return table([heads, ...body], columns.length);
}

/** Comment with the table below it. */
const ODDS = /^<!-- odds\n([\s\S]*?)^-->\n(?:\n(?:\|.*\n)+)?/gm;

/** Renews the tables of odds in Markdown. @param {string} markdown */
export async function withOdds(markdown) {
  const parts = [];
  let at = 0;
  for (const { 0: whole, 1: asked = '', index } of markdown.matchAll(ODDS)) {
    parts.push(markdown.slice(at, index), `<!-- odds\n${asked}-->\n\n`, await tableOf(asked));
    at = index + whole.length;
  }
  return [...parts, markdown.slice(at)].join('');
}

const DOCS = 'docs/reference/games';

/** Renews the tables of docs/reference/games. @returns changed files */
export async function writeOdds() {
  const changed = [];
  for (const file of readdirSync(DOCS).map((name) => `${DOCS}/${name}`)) {
    const before = readFileSync(file, 'utf8');
    const after = await withOdds(before);
    if (after === before) continue;
    writeFileSync(file, after);
    changed.push(file);
  }
  return changed;
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  enterRoot();
  const changed = await writeOdds();
  process.stdout.write(`${changed.length === 0 ? 'all tables are up to date' : changed.join('\n')}\n`);
}

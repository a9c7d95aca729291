/**
 * Measures the variance reduction of common random numbers: each listed scenario compared with itself after a change of
 * one field by one step, 50 000 battles of seed 1. Prints the table of docs/how-to/compare.md; --write updates it.
 * Needs the compiled modules.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { enterRoot } from './files.js';

enterRoot();

/** @param {string} path */
const compiled = (path) => import(new URL(`../dist/src/${path}`, import.meta.url).href);

const { compare } = await compiled('analysis/comparing/compare.js');
const { applyChanges, loadScenario } = await compiled('rules/scenario/index.js');

const DOCS = 'docs/how-to/compare.md';
const HEADS = ['scenario', 'change', 'of', 'difference', 'variance reduction', 'at most'];

/** Scenario, change, and outcome or metric (default: the first outcome). @type {[string, string, string?][]} */
const CASES = [
  ['attrition-direct', 'attacker.attack=2'],
  ['attrition-direct', 'attacker.hp=31'],
  ['attrition-direct', 'attacker.hp=31', 'rounds'],
  ['attrition-mass', 'combatants[0].attack=2'],
  ['phased-dice-great-wall', 'unitTypes.biplane.bonus=1'],
  ['phased-dice-ground', 'unitTypes.rifleman.bonus=1'],
  ['phased-dice-ground', 'unitTypes.dragoon.bonus=1'],
  ['phased-dice-air-raid', 'unitTypes.jet.bonus=1'],
  ['cube-bag-siege', 'attacker.armies[0].units.spearman=4'],
  ['cube-bag-siege', 'attacker.technologies.trainedArmy=3'],
  ['strength-cards-bluff', 'attacker.orderBonus=1'],
  ['token-conflict-garrison', 'areas[0].tokens.persia[0]=8'],
  ['token-conflict-pirates', 'areas[0].tokens.rhodes[0]=6'],
];

/** @param {number} value */
const rounded = (value) => (Number.isFinite(value) ? String(Number(value.toPrecision(2))) : '-');

/** Upper bound of the variance reduction of any coupling: if shares differ by d, at least d of the battles differ. */
function bound(/** @type {number} */ p, /** @type {number} */ q) {
  const gap = Math.abs(q - p);
  return (p * (1 - p) + q * (1 - q)) / (gap * (1 - gap));
}

/** @param {string} name @param {string} change @param {string} [of] */
async function row(name, change, of) {
  const scenario = await loadScenario(`scenarios/${name}.yaml`);
  const both = [scenario, applyChanges(scenario, [change])];
  const options = { battles: 50_000, seed: 1, ...(of !== undefined && { of }) };
  const { of: what, kind, pairs, standings } = await compare(both, options);
  const [{ difference, varianceReduction }] = pairs;
  const share = kind === 'outcome';
  const shown = share ? `${(100 * difference).toFixed(1)} points` : difference.toFixed(3);
  const most = share ? rounded(bound(standings[0].value, standings[1].value)) : '';
  return [basename(name), `\`${change}\``, what, shown.replace(/^(?=\d)/, '+'), rounded(varianceReduction), most];
}

const rows = [HEADS];
for (const [name, change, of] of CASES) rows.push(await row(name, change, of));
const widths = HEADS.map((_, c) => Math.max(...rows.map((cells) => (cells[c] ?? '').length)));
const lines = rows.map((cells) => `| ${cells.map((cell, c) => cell.padEnd(widths[c] ?? 0)).join(' | ')} |`);
lines.splice(1, 0, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`);
const table = lines.join('\n');

if (process.argv.includes('--write')) {
  const text = readFileSync(DOCS, 'utf8');
  const before = /\| scenario +\| change [\s\S]*?\n(?=\n)/;
  if (!before.test(text)) throw new Error(`${DOCS} has no table of variance reductions`);
  writeFileSync(DOCS, text.replace(before, `${table}\n`));
} else process.stdout.write(`${table}\n`);

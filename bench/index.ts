/**
 * Benchmarks: `npm run bench -- [suite...] [--quick] [--json file]`.
 *
 * A sample is one call that does new work, short enough that some samples are not disturbed. Compare only ratios within
 * a run, not values of different runs or machines. Before the measurement, contenders must give the same digest, or the
 * exact distribution.
 */
import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { formatTable, PLAIN_PAINT, type TextColumn } from '../src/report/text/table.ts';
import { cells } from './cells.ts';
import { customRollouts } from './custom-rollouts.ts';
import { customRules } from './custom-rules.ts';
import { endToEnd } from './end-to-end.ts';
import { equilibria } from './equilibria.ts';
import { exact } from './exact.ts';
import { graphs } from './graphs.ts';
import { kernels } from './kernels.ts';
import { pool } from './pool.ts';
import { primitives } from './primitives.ts';
import { rolloutPool } from './rollout-pool.ts';
import { rollouts } from './rollouts.ts';
import type { Row, Suite } from './row.ts';
import { stores } from './stores.ts';

const SUITES: Readonly<Record<string, Suite>> = {
  primitives,
  kernels,
  exact,
  equilibria,
  graphs,
  custom: customRules,
  pool,
  rollouts,
  'custom-rollouts': customRollouts,
  'rollout-pool': rolloutPool,
  cells,
  stores,
  'end-to-end': endToEnd,
};

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, json: { type: 'string' } },
  allowPositionals: true,
});

const say = (text: string): void => void process.stderr.write(`${text}\n`);

const HEADS: readonly TextColumn[] = [
  { head: '', align: 'left' },
  { head: 'best', align: 'point' },
  { head: '', align: 'left' },
  { head: 'ratio', align: 'point' },
  { head: '', align: 'left' },
  { head: '', align: 'left' },
];

function digits(value: number): string {
  return value >= 1000 ? value.toFixed(0) : value.toPrecision(3);
}

function shown({ name, value, unit, ratio, of = '', note = '' }: Row): string[] {
  return [name, digits(value), unit, ratio === undefined ? '' : digits(ratio), of, note];
}

const unknown = positionals.find((name) => !Object.hasOwn(SUITES, name));
if (unknown !== undefined) {
  say(`unknown suite ${unknown}; suites: ${Object.keys(SUITES).join(', ')}`);
  process.exit(2);
}
const threads = availableParallelism();
const [load = 0] = loadavg();
if (load > 0.5) say(`load ${load.toFixed(1)} on ${String(threads)} threads: benchmarks of all threads will seem slow`);
const rows: Row[] = [];
for (const [name, suite] of Object.entries(SUITES)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const began = performance.now();
  const found = await suite({ quick: values.quick, say });
  say(`${name}: ${((performance.now() - began) / 1000).toFixed(1)} s`);
  process.stdout.write(
    `\n${name}\n${formatTable(HEADS, found.map(shown), { width: 200, paint: PLAIN_PAINT }).join('\n')}\n`,
  );
  rows.push(...found);
}
if (values.json !== undefined) {
  const machine = { cpu: cpus()[0]?.model ?? 'unknown', threads, node: process.version, load };
  writeFileSync(values.json, `${JSON.stringify({ machine, rows }, null, 2)}\n`);
}

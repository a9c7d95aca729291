/**
 * What is fast, and against what: `npm run bench -- [suite...] [--quick] [--json file]`.
 *
 * A sample is one call that does fresh work, short enough that some samples meet no disturbance. Figures of different
 * runs or machines say little; ratios within a run are what counts. Before anything is timed, contenders must give the
 * same digest, or the exact law.
 */
import { Console } from 'node:console';
import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { kernels } from './kernels.ts';
import type { Row, Suite } from './row.ts';

const SUITES: Readonly<Record<string, Suite>> = { kernels };

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, json: { type: 'string' } },
  allowPositionals: true,
});

const say = (text: string): void => void process.stderr.write(`${text}\n`);

function shown({ name, value, unit, ratio, of, note }: Row): Record<string, string> {
  return {
    name,
    value: `${value.toPrecision(4)} ${unit}`,
    ratio: ratio === undefined ? '' : `${ratio.toPrecision(3)} ${of ?? ''}`,
    note: note ?? '',
  };
}

const unknown = positionals.find((name) => !Object.hasOwn(SUITES, name));
if (unknown !== undefined) {
  say(`no suite ${unknown}: there are ${Object.keys(SUITES).join(', ')}`);
  process.exit(2);
}
const rows: Row[] = [];
const out = new Console(process.stdout);
for (const [name, suite] of Object.entries(SUITES)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const began = performance.now();
  const found = await suite({ quick: values.quick, say });
  say(`${name}: ${((performance.now() - began) / 1000).toFixed(1)} s`);
  out.log(name);
  out.table(found.map(shown));
  rows.push(...found);
}
if (values.json !== undefined) {
  const machine = { cpu: cpus()[0]?.model ?? 'unknown', threads: availableParallelism(), node: process.version };
  writeFileSync(values.json, `${JSON.stringify({ machine, rows }, null, 2)}\n`);
}

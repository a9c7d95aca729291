/**
 * Run time of commands, each in a separate process. `node -e 0`, the minimum of any command of Node.js, takes turns
 * with them. Commands that do less and less show the parts of a small run.
 */
import { spawnSync } from 'node:child_process';
import { oneByOne, race } from './race.ts';
import type { Row, Suite } from './row.ts';
import { median } from './times.ts';

const WARPOOL = 'bin/warpool.js';
const FILE = 'scenarios/attrition-direct.yaml';

const NODE = 'node -e 0';

/** Time limit of a small run: a multiple of bare Node.js, and additional milliseconds. */
const ALLOWED = { times: 1.5, more: 150 };

const SMALL = 'warpool run, 1 000 battles';

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  [NODE]: ['-e', '0'],
  'warpool --version': [WARPOOL, '--version'],
  'warpool check': [WARPOOL, 'check', FILE],
  'warpool run, 1 000 battles, no exact results': [WARPOOL, 'run', FILE, '--battles', '1000', '--exact', 'never'],
  [SMALL]: [WARPOOL, 'run', FILE, '--battles', '1000'],
  'warpool run, 1 000 000 battles': [WARPOOL, 'run', FILE],
};

function start(given: readonly string[]): number {
  const { status, stderr } = spawnSync(process.execPath, [...given], { encoding: 'utf8', timeout: 60_000 });
  if (status !== 0) throw new Error(`node ${given.join(' ')} failed: ${stderr}`);
  return 1;
}

async function measure(quick: boolean): Promise<Row[]> {
  const contenders = Object.entries(COMMANDS).map(([name, given]) => [name, () => () => start(given)] as const);
  const nanoseconds = await race(Object.fromEntries(contenders), oneByOne(quick ? 5 : 40));
  const times = new Map([...nanoseconds].map(([name, all]) => [name, all.map((each) => each / 1e6)]));
  const bare = Math.min(...(times.get(NODE) ?? []));
  const allowed = ALLOWED.times * bare + ALLOWED.more;
  return [...times].map(([name, all]): Row => {
    const best = Math.min(...all);
    const budget = `${(best / allowed).toFixed(2)} of the limit of a small run, ${allowed.toFixed(0)} ms`;
    return {
      suite: 'end-to-end',
      name,
      value: best,
      unit: 'ms',
      ratio: best / bare,
      of: `times ${NODE}`,
      note: `median ${median(all).toFixed(0)} ms${name === SMALL ? `; ${budget}` : ''}`,
    };
  });
}

export const endToEnd: Suite = ({ quick }) => measure(quick);

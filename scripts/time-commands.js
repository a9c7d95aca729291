/**
 * Measures commands as processes, from start to end: `node scripts/time-commands.js 20 "node -e 0" "node bin/warpool.js
 * run scenarios/attrition-direct.yaml --battles 1000"`. One sample is one process. Commands take turns, so that
 * disturbances affect all equally.
 */
import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';

/**
 * @typedef {object} Times
 * @property {string} command
 * @property {number} least  milliseconds
 * @property {number} median milliseconds
 */

/** @param {string} command without quotes or variables; node is this node */
function once(command) {
  const [name = '', ...args] = command.split(' ');
  const began = performance.now();
  const { status, error } = spawnSync(name === 'node' ? process.execPath : name, args, { stdio: 'ignore' });
  const elapsed = performance.now() - began;
  if (status !== 0) throw new Error(`${command} ended with ${String(error ?? status)}`);
  return elapsed;
}

/**
 * Runs each command once to warm the disk and then `rounds` times in turn.
 * @param {readonly string[]} commands
 * @param {number} rounds
 * @returns {Times[]}
 */
export function timeCommands(commands, rounds) {
  for (const command of commands) once(command);
  /** @type {number[][]} */
  const samples = commands.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [c, command] of commands.entries()) samples[c]?.push(once(command));
  }
  return commands.map((command, c) => {
    const [least = 0, ...others] = (samples[c] ?? []).sort((a, b) => a - b);
    return { command, least, median: [least, ...others][Math.floor(rounds / 2)] ?? 0 };
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [rounds = '20', ...commands] = process.argv.slice(2);
  for (const { command, least, median } of timeCommands(commands, Number(rounds))) {
    process.stdout.write(`${least.toFixed(1).padStart(8)} ${median.toFixed(1).padStart(8)} ms  ${command}\n`);
  }
}
